#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Core/Solvers/NBody/Detail/BothPrecisions.hpp"
#include "Core/Solvers/NBody/Detail/RankMemory.hpp"
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

/// What sums by multipoles keep between calls, so that they do not allocate again. It does not keep the ranks.
template <int Dim, class ExecutionSpace = HostExecutionSpace>
struct MultipoleMemory {
  using MemorySpace = typename ExecutionSpace::memory_space;
  template <class Real>
  using Operators = detail::TeamOperators<Dim, Real, MemorySpace>;
  template <class Real>
  using Ranks = detail::RankMemory<Dim, ExecutionSpace, Real>;

  PointTree<Dim, MemorySpace> tree;
  TreeLists<Dim, MemorySpace> lists;
  LeafPairs pairs;                             ///< on the host
  detail::FarLevels<Dim> levels;               ///< of the last tree
  detail::BothPrecisions<Operators> operators; ///< on a device
  detail::BothPrecisions<Ranks> ranks;         ///< where there are several
};

/// Whether there are sums by multipoles for an interaction: for radial ones, a user's too, that are smooth but at r =
/// 0, and for dipoles.
template <class Interaction>
inline constexpr bool hasMultipoles = RadialInteraction<Interaction>;
template <int Dim>
inline constexpr bool hasMultipoles<Dipole<Dim>> = true;

/// Collective. The sums of sumBetween() (DirectSums.hpp) in O(sources + targets) by a fast multipole method: L.
/// Greengard and V. Rokhlin, A fast algorithm for particle simulations, J. Comput. Phys. 73, 1987; in the form of W.
/// Fong and E. Darve, The black-box fast multipole method, J. Comput. Phys. 228, 2009, which knows values of the
/// interaction alone, on the adaptive trees of PointTree.hpp and the lists of TreeLists.hpp.
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
/// **On several ranks** the sums are of the sources of all ranks, at each rank's targets, with the same bounds of
/// errors. Points may be spread over ranks in any way; ranks may have none. All points are cut along Hilbert's curve
/// into parts of equal work, and go to the ranks of their parts. A rank then gets the locally essential tree of the
/// others' sources for its targets (EssentialTree.hpp): boxes that are far from all of them as charges at Chebyshev's
/// nodes, others as sources. It sums both in its execution space, on a tree whose boxes are those of all trees, where
/// nodes have the moments of what they stand for, so nothing more is cut off than on one rank. Sums go back to where
/// targets came from. What is essential of others travels while each rank sums its own, of particles on themselves. In
/// a periodic box all this is so with the nearest images; what farther ones do is linear in the sources, so each part
/// has the background that its charges need, and all of them together none. Points are distributed and found essential
/// on the host; a device gets its part and gives its sums back. Results have the same bits in every run on as many
/// ranks; otherwise they differ within the error. The interaction, options, and which sums are made are the same on all
/// ranks; a rank without targets may leave arrays out. O((sources + targets) / ranks) and, for points that fill space,
/// (points / ranks)^(2/3) of what is sent; a rank holds its part and what is essential for it.
///
/// Throws, on all ranks alike, as sumBetween(), and InvalidArgument where the accuracy, the order or the number of
/// points in a leaf is out of range: accuracies from 0.1 to 1e-11 for potentials of charges in double, to 1e-9 for
/// gradients and dipoles, to 1e-5 in float; where a periodic box is not a cube, or charges are not neutral that must be
/// (PeriodicBox.hpp); Cancelled where the context's progress says so on any rank.
template <class ExecutionSpace, class Interaction, int Dim, class Real>
MultipoleReport multipolesBetween(const Context<ExecutionSpace>& context, const Interaction& interaction,
  const PointsView<Dim, Real>& targets, const SourcesView<Dim, Real>& sources, const SumsView<Real>& sums,
  const MultipoleOptions& options, MultipoleMemory<Dim, ExecutionSpace>& memory);

/// Collective. The same of the particles of all ranks on themselves: sum over j != i.
template <class ExecutionSpace, class Interaction, int Dim, class Real>
MultipoleReport multipolesWithin(const Context<ExecutionSpace>& context, const Interaction& interaction,
  const SourcesView<Dim, Real>& particles, const SumsView<Real>& sums, const MultipoleOptions& options,
  MultipoleMemory<Dim, ExecutionSpace>& memory);

} // namespace spanwise::nbody

#include "Core/Solvers/NBody/Detail/MultipoleSums.hpp"
