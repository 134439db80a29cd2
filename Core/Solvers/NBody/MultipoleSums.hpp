#pragma once

#include "Core/Runtime/Progress.hpp"
#include "Core/Runtime/Workspace.hpp"
#include "Core/Solvers/NBody/Detail/TeamOperators.hpp"
#include "Core/Solvers/NBody/DirectSums.hpp"
#include "Core/Solvers/NBody/Interactions.hpp"
#include "Core/Solvers/NBody/LeafPairs.hpp"
#include "Core/Solvers/NBody/MultipoleOptions.hpp"
#include "Core/Solvers/NBody/PointTree.hpp"
#include "Core/Solvers/NBody/Points.hpp"
#include "Core/Solvers/NBody/TreeLists.hpp"

#include <cstdint>

namespace spanwise::nbody {

/// What sums by multipoles need between calls, so that they do not allocate again.
template <int Dim, class MemorySpace = Kokkos::HostSpace>
struct MultipoleMemory {
  PointTree<Dim, MemorySpace> tree;
  TreeLists<Dim, MemorySpace> lists;
  LeafPairs pairs;                                       ///< on the host
  detail::FarLevels<Dim> levels;                         ///< of the last tree
  detail::TeamOperatorStore<Dim, MemorySpace> operators; ///< on a device
  Workspace<MemorySpace> workspace;
};

/// Whether there are sums by multipoles for an interaction: for radial ones, a user's too, that are smooth but at r =
/// 0, and for dipoles.
template <class Interaction>
inline constexpr bool hasMultipoles = RadialInteraction<Interaction>;
template <int Dim>
inline constexpr bool hasMultipoles<Dipole<Dim>> = true;

/// The sums of sumBetween() (DirectSums.hpp) in O(sources + targets) by a fast multipole method: L. Greengard and V.
/// Rokhlin, A fast algorithm for particle simulations, J. Comput. Phys. 73, 1987; in the form of W. Fong and E. Darve,
/// The black-box fast multipole method, J. Comput. Phys. 228, 2009, which knows values of the interaction alone, on the
/// adaptive trees of PointTree.hpp and the lists of TreeLists.hpp.
///
/// Inputs, outputs and `memory` are in the execution space's memory. On the host results have the same bits for any
/// number of threads. On a device all of it is done there, by teams of threads; nothing but counts comes back. The
/// first call for an interaction and an accuracy takes longer: operators are made on the host, and kept in the process
/// (up to 1 GiB of them); copies on a device are in `memory`. For those of Interactions.hpp that scale with the length
/// (1 / r, ln r, dipoles) that is once; for others once for each size of boxes that others are far from.
///
/// In a periodic box the root of the tree is the box. Boxes across its sides are neighbours, and all images of the box
/// that do not touch it act on the expansion of the root at once (Detail/LatticeOperator.hpp). The accuracy is relative
/// to what the images in the 3^Dim nearest boxes do.
///
/// Where an interaction falls by a factor above 100 from half a distance to that distance, as a Gaussian does beyond
/// 2.5 of its widths and Yukawa's beyond 8 of its screening lengths, the accuracy of what is that far is relative to
/// what sources at a quarter of the distance would do. That is next to nothing beside what is near, but all there is
/// for a target that nothing is near.
///
/// Gradients of an interaction that is nearly constant between all points are small differences of values that are
/// nearly the same: where its length is above a hundred times the size of a cluster, those within may be off by more
/// than 1e-9 in double.
///
/// Throws as sumBetween(), and InvalidArgument where the accuracy, the order or the number of points in a leaf is out
/// of range: accuracies from 0.1 to 1e-11 for potentials of charges in double, to 1e-9 for gradients and dipoles, to
/// 1e-5 in float; where a periodic box is not a cube, or charges are not neutral that must be (PeriodicBox.hpp).
template <class ExecutionSpace, class Interaction, int Dim, class Real>
MultipoleReport multipolesBetween(const ExecutionSpace& space, const Interaction& interaction,
  const PointsView<Dim, Real>& targets, const SourcesView<Dim, Real>& sources, const SumsView<Real>& sums,
  const MultipoleOptions& options, MultipoleMemory<Dim, typename ExecutionSpace::memory_space>& memory,
  const Progress& progress = {});

/// The same of a set of particles on itself: sum over j != i.
template <class ExecutionSpace, class Interaction, int Dim, class Real>
MultipoleReport multipolesWithin(const ExecutionSpace& space, const Interaction& interaction,
  const SourcesView<Dim, Real>& particles, const SumsView<Real>& sums, const MultipoleOptions& options,
  MultipoleMemory<Dim, typename ExecutionSpace::memory_space>& memory, const Progress& progress = {});

} // namespace spanwise::nbody

#include "Core/Solvers/NBody/Detail/MultipoleSums.hpp"
