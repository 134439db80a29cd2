#pragma once

#include "Core/Solvers/Eikonal/GridLocator.hpp"
#include "Core/Solvers/Eikonal/GridUpdate.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal::detail {

// Where fronts may go on a grid: from cell to cell through the faces that cells share, and along straight lines that
// stay in cells of the set that are no walls. A line that goes through an edge or a corner is open if cells around that
// join the cell before it with the one behind it by faces. So nothing comes between two walls that share a corner, for
// any source and any tensor.

/// What is so near to a face, in cells, is on it; and faces are crossed together that are so near each other on a line.
inline constexpr double looseFace = 1e-9;

/// A line through the cells of a lattice, in the coordinates of cells: cell c is within c and c + 1 along each axis.
template <int Dim>
class LineWalk {
public:
  std::int64_t cell[Dim]; ///< where the line is
  double share = 0.0;     ///< of the line that ends where it leaves the cell

  KOKKOS_INLINE_FUNCTION LineWalk(const double (&from)[Dim], const double (&vector)[Dim]) {
    for (int axis = 0; axis < Dim; ++axis) {
      double first = Kokkos::floor(from[axis]);
      step_[axis] = vector[axis] < 0.0 ? -1 : 1;
      // A line that begins on a face is in the cell that it goes into.
      if (vector[axis] > 0.0 && first + 1.0 - from[axis] <= looseFace) {
        first += 1.0;
      } else if (vector[axis] < 0.0 && from[axis] - first <= looseFace) {
        first -= 1.0;
      }
      cell[axis] = static_cast<std::int64_t>(first);
      const double toFace = vector[axis] < 0.0 ? from[axis] - first : first + 1.0 - from[axis];
      perCell_[axis] = vector[axis] != 0.0 ? 1.0 / Kokkos::abs(vector[axis]) : 0.0;
      nextFace_[axis] = vector[axis] != 0.0 ? toFace * perCell_[axis] : notReached;
    }
    findEnd();
  }

  [[nodiscard]] KOKKOS_INLINE_FUNCTION bool isAtEnd() const { return share >= 1.0; }

  /// Goes into the next cell; false if those for which isOpen(cell) is true do not lead there.
  template <class IsOpen>
  KOKKOS_INLINE_FUNCTION bool advance(const IsOpen& isOpen) {
    int crossed[Dim]; // the axes whose faces are crossed together
    int count = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      if (nextFace_[axis] <= share + looseFace * perCell_[axis]) {
        crossed[count++] = axis;
      }
    }
    if (!isJoined(isOpen, crossed, count)) {
      return false;
    }
    for (int k = 0; k < count; ++k) {
      cell[crossed[k]] += step_[crossed[k]];
      nextFace_[crossed[k]] += perCell_[crossed[k]];
    }
    findEnd();
    return true;
  }

private:
  KOKKOS_INLINE_FUNCTION void findEnd() {
    double next = 1.0;
    for (int axis = 0; axis < Dim; ++axis) {
      // What ends on a face, or a little behind it, ends before it.
      next = nextFace_[axis] < 1.0 - looseFace * perCell_[axis] ? Kokkos::min(next, nextFace_[axis]) : next;
    }
    share = next;
  }

  /// Whether cells lead through faces across the faces of these axes, one after the other in some order.
  template <class IsOpen>
  KOKKOS_INLINE_FUNCTION bool isJoined(const IsOpen& isOpen, const int (&axes)[Dim], int count) const {
    // reached[m]: the cell across the faces of the axes in m can be reached. Those of fewer axes come first.
    bool reached[1 << Dim] = {true};
    for (int mask = 1; mask < 1 << count; ++mask) {
      std::int64_t at[Dim];
      bool isBeside = false;
      for (int axis = 0; axis < Dim; ++axis) {
        at[axis] = cell[axis];
      }
      for (int k = 0; k < count; ++k) {
        if ((mask >> k & 1) == 1) {
          at[axes[k]] += step_[axes[k]];
          isBeside = isBeside || reached[mask ^ 1 << k];
        }
      }
      reached[mask] = isBeside && isOpen(at);
    }
    return reached[(1 << count) - 1];
  }

  double nextFace_[Dim]; // the share of the line at which it crosses the next face of each axis
  double perCell_[Dim];  // and from one face to the next
  int step_[Dim];
};

/// Calls visit(number, share) for the cells that a line from a place in space goes through, and which share of it is in
/// each. False, after some of them, where the line is not open.
template <int Dim, class Visit>
KOKKOS_INLINE_FUNCTION bool forCellsOfLine(
  const Locator<Dim>& locator, const double (&from)[Dim], const double (&vector)[Dim], const Visit& visit) {
  const geometry::GridGeometry<Dim>& lattice = locator.grid.lattice;
  double first[Dim];
  double along[Dim];
  for (int axis = 0; axis < Dim; ++axis) {
    first[axis] = (from[axis] - lattice.origin[axis]) / lattice.spacing[axis];
    along[axis] = vector[axis] / lattice.spacing[axis];
  }
  const auto isOpen = [&](const std::int64_t (&cell)[Dim]) {
    const std::int64_t number = locator.number(cell);
    return number >= 0 && !locator.grid.isWall(number);
  };
  LineWalk<Dim> walk(first, along);
  if (!isOpen(walk.cell)) {
    return false;
  }
  double before = 0.0;
  while (true) {
    visit(locator.number(walk.cell), walk.share - before);
    if (walk.isAtEnd()) {
      return true;
    }
    before = walk.share;
    if (!walk.advance(isOpen)) {
      return false;
    }
  }
}

/// Adds to `time` what a front takes along a straight line, in each cell in its medium. False where the line is not
/// open.
template <int Dim>
KOKKOS_INLINE_FUNCTION bool addTimeOfLine(
  const Locator<Dim>& locator, const double (&from)[Dim], const double (&vector)[Dim], double& time) {
  return forCellsOfLine<Dim>(locator, from, vector, [&](std::int64_t cell, double share) {
    const SymmetricTensor inverse = locator.grid.tensor(cell).inverse();
    time += share * Kokkos::sqrt(inverse.product(FactoredSource<Dim>::pointOf(vector)));
  });
}

/// Whether a straight line is open.
template <int Dim>
KOKKOS_INLINE_FUNCTION bool isOpenLine(
  const Locator<Dim>& locator, const double (&from)[Dim], const double (&vector)[Dim]) {
  return forCellsOfLine<Dim>(locator, from, vector, [](std::int64_t /*cell*/, double /*share*/) {});
}

} // namespace spanwise::eikonal::detail
