#pragma once

#include "Core/Solvers/NBody/Detail/ExpansionKernels.hpp"
#include "Core/Solvers/NBody/Detail/FarOperators.hpp"
#include "Core/Solvers/NBody/Detail/TreeData.hpp"
#include "Core/Solvers/NBody/TreeLists.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace spanwise::nbody::detail {

/// What is far from each box, on the host: moments of all boxes from the leaves up, expansions of those that are far
/// level by level, and these from the root down. All Views of the tree and the lists are in the host's memory.
template <int Dim, class Real>
struct FarField {
  const PointTree<Dim, Kokkos::HostSpace>* tree = nullptr;
  const TreeLists<Dim, Kokkos::HostSpace>* lists = nullptr;
  ExpansionKernels<Dim, Real> kernels;
  int order = 0;
  bool ofDipoles = false;
  const std::vector<FarLevel<Dim, Real>>* levels = nullptr;
  PointsView<Dim, Real> sources; ///< along the curve
  const Real* charges = nullptr;
  std::int64_t chargeStride = 0;
  Real* moments = nullptr;      ///< [boxes x padded order^Dim]
  Real* coefficients = nullptr; ///< likewise

  [[nodiscard]] std::int64_t numCoefficients() const { return Dim == 2 ? order * order : order * order * order; }
  [[nodiscard]] std::int64_t stride() const { return paddedLength<Real>(numCoefficients()); }
  /// The first level whose boxes have far ones.
  [[nodiscard]] int firstFarLevel() const { return tree->isPeriodic ? 1 : 2; }
  /// Whether there is anything far from the boxes of a level.
  [[nodiscard]] bool isReached(int level) const { return tree->isPeriodic || level >= 2; }
  /// Of an image of a box (TreeLists.hpp).
  template <class Coordinate = Real>
  [[nodiscard]] BoxFrame<Dim, Coordinate> frameOf(
    std::int32_t box, int level, int image = TreeLists<Dim, Kokkos::HostSpace>::noImage) const {
    return boxFrame<Dim, Coordinate>(tree->low.data(), tree->side, tree->key(box), level, image);
  }
};

/// From the leaves up.
template <class ExecutionSpace, int Dim, class Real>
void findMoments(const ExecutionSpace& space, const FarField<Dim, Real>& field);

/// Sets the coefficients of all boxes to what boxes of their level do that are far from them but not from their
/// parents. Returns the number of pairs of such boxes.
template <class ExecutionSpace, int Dim, class Real>
std::int64_t translateLevels(
  const ExecutionSpace& space, const FarField<Dim, Real>& field, Workspace<Kokkos::HostSpace>& workspace);

/// Adds to the coefficients of each box those of its parent, from the root down.
template <class ExecutionSpace, int Dim, class Real>
void passDown(const ExecutionSpace& space, const FarField<Dim, Real>& field);

} // namespace spanwise::nbody::detail
