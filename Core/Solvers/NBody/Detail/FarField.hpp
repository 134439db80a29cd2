#pragma once

#include "Core/Solvers/NBody/Detail/ExpansionKernels.hpp"
#include "Core/Solvers/NBody/Detail/FarOperators.hpp"
#include "Core/Solvers/NBody/Detail/Morton.hpp"
#include "Core/Solvers/NBody/TreeLists.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace spanwise::nbody::detail {

/// The boxes of a level in a far field.
template <int Dim, class Real>
struct FarLevel {
  std::shared_ptr<const FarOperators<Dim, Real>> operators;
  double factor = 1.0;    ///< what their results are multiplied with
  double logarithm = 0.0; ///< what is added to the interaction
};

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
  [[nodiscard]] BoxFrame<Dim, Real> frameOf(
    std::int32_t box, int level, int image = TreeLists<Dim, Kokkos::HostSpace>::noImage) const {
    const BoxPlace<Dim> place = placeOf<Dim>(tree->key(box), level);
    const double side = tree->sideOf(level);
    BoxFrame<Dim, Real> frame{};
    for (int axis = 0, rest = image; axis < Dim; ++axis, rest /= 3) {
      const double centre = tree->low[axis] + (place.at[axis] + 0.5) * side + (rest % 3 - 1) * tree->side;
      frame.centre[axis] = static_cast<Real>(centre);
      frame.centreRest[axis] = static_cast<Real>(centre - static_cast<double>(frame.centre[axis]));
    }
    frame.scale = static_cast<Real>(2.0 / side);
    return frame;
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
