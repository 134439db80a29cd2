#pragma once

#include "Core/Solvers/Eikonal/GridView.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal {

// The local problem on a grid: the time u at a cell that solves
//
//   sum over directions k of w_k max(u - t_k, 0)^2 = 1,
//
// where t_k is the lesser of the times at the two neighbours along direction k (upwind differences: E. Rouy, A.
// Tourin, SIAM J. Numer. Anal. 29 (1992) 867-884). Directions are the axes, w_k = M_kk / h_k^2, or those that a tensor
// is decomposed into. In second order the one-sided difference (3 u - 4 t' + t'') / 2 takes the place of u - t', where
// t'' <= t' <= u are the times one and two cells away (J. A. Sethian, SIAM Review 41 (1999) 199-235): that is
// t = (4 t' - t'') / 3 and 9/4 of the weight. All t are at most u, so that no time depends on a later one.

/// What a cell reads along a direction.
struct Upwind {
  double time = notReached; ///< of the neighbour with the lesser time
  double next = notReached; ///< of the one behind it, if it is to be used: second order
  bool upper = false;       ///< the neighbour is at x + e
};

/// A source that fronts leave as if the medium around it were homogeneous: u0(x) = time + sqrt(d^T N d).
template <int Dim>
struct FactoredSource {
  double at[Dim];
  double time;
  SymmetricTensor inverse; ///< N = M^-1 at the source
  std::int32_t number = 0; ///< in the list of points that it was given in

  [[nodiscard]] KOKKOS_FUNCTION double travelTime(const double (&d)[Dim]) const {
    return Kokkos::sqrt(inverse.product(pointOf(d)));
  }
  static KOKKOS_FUNCTION Point pointOf(const double (&d)[Dim]) {
    Point p;
    for (int axis = 0; axis < Dim; ++axis) {
      p[axis] = d[axis];
    }
    return p;
  }
};

/// Fronts that are told apart, each as that of a point source (labelFronts()).
template <int Dim>
struct GridFrontsView {
  const std::int32_t* ofCell = nullptr; ///< [numCells] of cells that start, -1: of no other; nullptr: not told apart
  const FactoredSource<Dim>* sources = nullptr; ///< where each comes from
  double radius = 0.0;                          ///< so far from there it is taken out of the differences
};

/// Which source each cell takes out of its differences.
template <int Dim>
struct GridFactoringView {
  const std::int32_t* sourceOfCell = nullptr; ///< [numCells] -1: none; nullptr: no factoring
  const FactoredSource<Dim>* sources = nullptr;
  GridFrontsView<Dim> fronts = {};

  /// The source that a cell takes out; nullptr: none.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION const FactoredSource<Dim>* of(std::int64_t cell) const {
    return sourceOfCell != nullptr && sourceOfCell[cell] >= 0 ? sources + sourceOfCell[cell] : nullptr;
  }
};

/// Differences along the axes.
template <int Dim>
struct AxisStencil {
  using View = GridView<Dim>;
  using Pattern = typename View::Pattern;
  static constexpr int count = Dim;

  struct Place {
    const typename View::Segment* segment;
    std::int32_t cell;
  };

  View grid;
  double constantWeights[Dim]; ///< M_aa / h_a^2 with a constant speed, else 1 / h_a^2

  KOKKOS_FUNCTION AxisStencil(const View& view) : grid(view) { // NOLINT(google-explicit-constructor)
    const SymmetricTensor& m = view.speed.tensor;
    const double diagonal[3] = {m.xx, m.yy, m.zz};
    for (int axis = 0; axis < Dim; ++axis) {
      const double h = view.lattice.spacing[axis];
      constantWeights[axis] = (view.speed.kind == Speed::Kind::Constant ? diagonal[axis] : 1.0) / (h * h);
    }
  }

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Place place(std::int32_t cell) const {
    return {grid.segments + grid.segmentOfCell[cell], cell};
  }

  /// The neighbour so many (1 or 2) cells away, or -1. An axis that repeats after one or two cells has none there; so
  /// has one where a map mirrors what is absent.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int32_t neighbour(
    const Place& at, int axis, int distance, bool upper) const {
    const std::int32_t d = at.segment->distance[Pattern::index(axis, distance, upper)];
    if (d == View::Segment::absent || d == 0 ||
      (distance == 2 && d == at.segment->distance[Pattern::index(axis, 1, upper)])) {
      return -1;
    }
    return at.cell + d;
  }

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double weight(const Place& at, int axis) const {
    switch (grid.speed.kind) {
    case Speed::Kind::OfElements: {
      const double c = grid.speed.values[at.cell];
      return c * c * constantWeights[axis];
    }
    case Speed::Kind::TensorOfElements:
      return grid.speed.values[6 * static_cast<std::int64_t>(at.cell) + axis] * constantWeights[axis];
    case Speed::Kind::MatrixOfElements:
      return grid.speed.values[9 * static_cast<std::int64_t>(at.cell) + 4 * axis] * constantWeights[axis];
    default:
      return constantWeights[axis];
    }
  }

  /// The vector to the upper neighbour.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Point step(const Place& /*at*/, int k) const {
    Point vector;
    vector[k] = grid.lattice.spacing[k];
    return vector;
  }
  /// v^T p for that vector v.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double alongStep(const Place& /*at*/, int k, const Point& p) const {
    return grid.lattice.spacing[k] * p[k];
  }
  /// v^T N v for that vector.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double stepProduct(
    const Place& /*at*/, int k, const SymmetricTensor& n) const {
    const double h = grid.lattice.spacing[k];
    return h * h * (k == 0 ? n.xx : k == 1 ? n.yy : n.zz);
  }

  /// The least time through one neighbour alone, where differences may miss ways that there are: never here.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double throughFaces(const Place& /*at*/, const double* /*times*/) const {
    return notReached;
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double throughFaces(
    const Place& /*at*/, const double* /*times*/, std::int32_t& /*from*/) const {
    return notReached;
  }

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int32_t firstFace(std::int32_t cell, const double* /*times*/) const {
    return cell;
  }

  /// Calls visit(dependent, distance) for all cells that read this one.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void forDependents(std::int32_t cell, bool secondOrder, const Visit& visit) const {
    const Place at = place(cell);
    for (int axis = 0; axis < Dim; ++axis) {
      for (int side = 0; side < 2; ++side) {
        const std::int32_t near = neighbour(at, axis, 1, side == 1);
        if (near < 0) {
          continue;
        }
        visit(near, 1);
        if (secondOrder) {
          const std::int32_t far = neighbour(at, axis, 2, side == 1);
          if (far >= 0) {
            visit(far, 2);
          }
        }
      }
    }
  }
};

/// Differences along the directions that the tensors of cells are decomposed into.
template <int Dim>
struct TensorStencil {
  using View = GridView<Dim>;
  static constexpr int count = View::numDirections;

  struct Place {
    const typename View::Direction* directions;
    std::int32_t cell;
  };

  View grid;

  KOKKOS_FUNCTION TensorStencil(const View& view) : grid(view) {} // NOLINT(google-explicit-constructor)

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Place place(std::int32_t cell) const {
    return {grid.directions + static_cast<std::int64_t>(cell) * count, cell};
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int32_t neighbour(
    const Place& at, int k, int distance, bool upper) const {
    return at.directions[k].cells[upper ? 1 + distance : 2 - distance];
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double weight(const Place& at, int k) const {
    return at.directions[k].weight;
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Point step(const Place& at, int k) const {
    Point vector;
    for (int axis = 0; axis < Dim; ++axis) {
      vector[axis] = at.directions[k].step[axis] * grid.lattice.spacing[axis];
    }
    return vector;
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double alongStep(const Place& at, int k, const Point& p) const {
    return dot(step(at, k), p);
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double stepProduct(const Place& at, int k, const SymmetricTensor& n) const {
    return n.product(step(at, k));
  }

  /// Whether a neighbour along a direction is missing, so that cells may be reached by none of them.
  static KOKKOS_FUNCTION bool isBesideWall(const Place& at) {
    for (int k = 0; k < count; ++k) {
      const auto& direction = at.directions[k];
      if (direction.weight > 0.0 && (direction.cells[1] < 0 || direction.cells[2] < 0)) {
        return true;
      }
    }
    return false;
  }

  /// Beside walls fronts also come straight from the cells that share a face.
  [[nodiscard]] KOKKOS_FUNCTION double throughFaces(const Place& at, const double* times) const {
    std::int32_t from = at.cell;
    return throughFaces(at, times, from);
  }
  /// `from` receives the cell that it is from.
  KOKKOS_FUNCTION double throughFaces(const Place& at, const double* times, std::int32_t& from) const {
    return isBesideWall(at) ? minThroughFaces(at.cell, times, from) : notReached;
  }

  /// The cell that a front comes from straight through a face, of an earlier time; the cell itself if there is none.
  [[nodiscard]] KOKKOS_FUNCTION std::int32_t firstFace(std::int32_t cell, const double* times) const {
    std::int32_t from = cell;
    if (isBesideWall(place(cell))) {
      minThroughFaces(cell, times, from);
    }
    return times[from] < times[cell] ? from : cell;
  }

  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void forDependents(std::int32_t cell, bool secondOrder, const Visit& visit) const {
    const std::int64_t end = grid.dependentOffsets[cell + 1];
    for (std::int64_t k = grid.dependentOffsets[cell]; k < end; ++k) {
      const std::int32_t dependent = grid.dependents[k];
      if (dependent >= 0) {
        visit(dependent, 1);
      } else if (secondOrder) {
        visit(~dependent, 2);
      }
    }
  }

private:
  KOKKOS_FUNCTION double minThroughFaces(std::int32_t cell, const double* times, std::int32_t& from) const {
    const SymmetricTensor inverse = grid.tensor(cell).inverse();
    const double diagonal[3] = {inverse.xx, inverse.yy, inverse.zz};
    const typename View::Segment& segment = grid.segments[grid.segmentOfCell[cell]];
    double best = notReached;
    for (int axis = 0; axis < Dim; ++axis) {
      for (int side = 0; side < 2; ++side) {
        const std::int32_t d = segment.distance[View::Pattern::index(axis, 1, side == 1)];
        if (d == View::Segment::absent || d == 0) {
          continue;
        }
        const double time = times[cell + d] + grid.lattice.spacing[axis] * Kokkos::sqrt(diagonal[axis]);
        if (time < best) {
          best = time;
          from = cell + d;
        }
      }
    }
    return best;
  }
};

/// Reads what a cell needs along a direction.
template <class Stencil>
KOKKOS_FORCEINLINE_FUNCTION Upwind upwind(
  const Stencil& stencil, const typename Stencil::Place& at, int k, const double* times, bool secondOrder) {
  const std::int32_t lower = stencil.neighbour(at, k, 1, false);
  const std::int32_t upper = stencil.neighbour(at, k, 1, true);
  const double below = lower >= 0 ? times[lower] : notReached;
  const double above = upper >= 0 ? times[upper] : notReached;
  Upwind result;
  result.upper = above < below;
  result.time = Kokkos::min(above, below);
  if (secondOrder && result.time < notReached) {
    const std::int32_t far = stencil.neighbour(at, k, 2, result.upper);
    if (far >= 0) {
      const double time = times[far];
      result.next = time <= result.time ? time : notReached;
    }
  }
  return result;
}

/// What a cell reads along all directions, and their weights.
template <class Stencil>
struct Reads {
  typename Stencil::Place at;
  Upwind along[Stencil::count];
  double weights[Stencil::count];
};

template <class Stencil>
KOKKOS_FORCEINLINE_FUNCTION Reads<Stencil> readNeighbours(
  const Stencil& stencil, std::int32_t cell, const double* times, bool secondOrder) {
  Reads<Stencil> reads{stencil.place(cell), {}, {}};
  for (int k = 0; k < Stencil::count; ++k) {
    reads.along[k] = upwind(stencil, reads.at, k, times, secondOrder);
    reads.weights[k] = stencil.weight(reads.at, k);
  }
  return reads;
}

/// The solution for directions in ascending order of t; those whose t is not below it do not count.
template <int count>
KOKKOS_FORCEINLINE_FUNCTION double solveUpwind(const double (&t)[count], const double (&w)[count]) {
  double a = w[0];
  double b = 0.0;
  double c = -1.0;
  for (int k = 1; k < count; ++k) {
    const double d = t[k] - t[0];             // as differences: no digits are lost where times are long
    if (!((a * d - 2.0 * b) * d + c < 0.0)) { // t[k] is not below the solution without it
      break;
    }
    a += w[k];
    b += w[k] * d;
    c += w[k] * d * d;
  }
  return t[0] + (b + Kokkos::sqrt(Kokkos::max(b * b - a * c, 0.0))) / a;
}

/// Swaps two numbers where that is asked for, without a branch.
KOKKOS_FORCEINLINE_FUNCTION void swapWhere(bool swaps, double& a, double& b) {
  const double first = swaps ? b : a;
  b = swaps ? a : b;
  a = first;
}

/// Puts directions into ascending order of t, and their weights.
template <int count>
KOKKOS_FORCEINLINE_FUNCTION void sortDirections(double (&t)[count], double (&w)[count]) {
  for (int i = 1; i < count; ++i) {
    for (int j = i; j > 0; --j) {
      const bool swaps = t[j] < t[j - 1];
      swapWhere(swaps, t[j - 1], t[j]);
      swapWhere(swaps, w[j - 1], w[j]);
    }
  }
}

/// Calls visit(place, k, read, weight, difference) for the directions that explain the time of a cell: `difference` is
/// that of u over one step, upwind, and the sum of weight * difference^2 is 1 where the equation holds.
template <class Stencil, class Visit>
KOKKOS_FUNCTION void forUsedDirections(
  const Stencil& stencil, std::int32_t cell, const double* times, bool secondOrder, const Visit& visit) {
  const typename Stencil::Place at = stencil.place(cell);
  const double u = times[cell];
  for (int k = 0; u < notReached && k < Stencil::count; ++k) {
    const Upwind read = upwind(stencil, at, k, times, secondOrder);
    const double weight = stencil.weight(at, k);
    const bool second = read.next < notReached;
    const double t = second ? (4.0 * read.time - read.next) / 3.0 : read.time;
    if (weight > 0.0 && t < u) {
      visit(at, k, read, weight, (second ? 1.5 : 1.0) * (u - t));
    }
  }
}

/// The solution for what a cell reads along its directions; notReached if nothing there has been reached.
template <class Stencil>
KOKKOS_FORCEINLINE_FUNCTION double solveReads(const Reads<Stencil>& reads) {
  double t[Stencil::count];
  double w[Stencil::count];
  for (int k = 0; k < Stencil::count; ++k) {
    const Upwind& read = reads.along[k];
    const bool second = read.next < notReached;
    t[k] = reads.weights[k] > 0.0 ? (second ? (4.0 * read.time - read.next) / 3.0 : read.time) : notReached;
    w[k] = second ? 2.25 * reads.weights[k] : reads.weights[k];
  }
  sortDirections(t, w);
  return t[0] < notReached ? solveUpwind(t, w) : notReached;
}

/// The time of a cell from what it reads; notReached if none of its neighbours has been reached.
template <class Stencil>
KOKKOS_FORCEINLINE_FUNCTION double updateFromReads(
  const Stencil& stencil, const Reads<Stencil>& reads, const double* times) {
  return Kokkos::min(solveReads(reads), stencil.throughFaces(reads.at, times));
}

/// What differences along a direction are where the time u0 from a source is taken out of them.
struct FactoredDirection {
  double t = notReached; ///< in the place of the neighbour's time
  double derivative;     ///< of u0, for one step
  bool minHere;          ///< the least u0 along the direction is between the neighbours
};

/// What is known of a direction: what was read there, and u0, of which `change` is half of what its square changes by
/// in a step, to the first order, and `product` what it does to the second.
struct StraightDirection {
  double weight;
  double time;    ///< Upwind::time
  double next;    ///< Upwind::next
  double side;    ///< 1: the neighbour is at x + e, -1: at x - e
  double change;  ///< e^T N d
  double product; ///< e^T N e
  double ahead;   ///< u0 at the neighbour
  double further; ///< u0 two cells away
};

/// For u0 > 0. A difference of u is that of u - u0, from what was read, and the derivative of u0: what the difference
/// gets wrong of u0 is added to the t that it is taken from.
KOKKOS_FORCEINLINE_FUNCTION FactoredDirection factoredDirection(const StraightDirection& of, double u0) {
  FactoredDirection result;
  result.derivative = of.change / u0;
  // With room for rounding where the source is halfway to a neighbour, which then has the same time.
  result.minHere = 2.0 * Kokkos::abs(of.change) <= (1.0 + 1e-9) * of.product;
  const double first = of.time - of.ahead + u0 + of.side * result.derivative;
  const double second =
    (4.0 * (of.time - of.ahead) - (of.next - of.further)) / 3.0 + u0 + of.side * result.derivative * (2.0 / 3.0);
  const double either = of.next < notReached ? second : first;
  const bool isThere = (of.weight > 0.0) & (of.time < notReached);
  result.t = isThere ? either : notReached;
  return result;
}

/// Cells that are computed at once, on the host: as many as two vectors of a processor have.
inline constexpr int cellsAtOnce = 8;

/// What some cells read along their directions, each with a source that is taken out, and what is found from it. Arrays
/// by cells, so that all of them are computed in the same instructions.
template <int count, int cells>
struct FactoredCells {
  double square[cells]; ///< u0^2, without the time at which the source starts
  double limit[cells];  ///< what is not before it does not count
  double weight[count][cells];
  double time[count][cells];
  double next[count][cells];
  double side[count][cells];
  double change[count][cells];
  double product[count][cells];
  double ahead[count][cells];
  double further[count][cells];
  int near[cells]; ///< bits 2 k and 2 k + 1: the neighbour along k, or the one behind it, is beside the source

  double found[cells];  ///< notReached: there is no solution
  double latest[cells]; ///< where there is none: the latest one that this was found from

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION StraightDirection along(int k, int cell) const {
    return {weight[k][cell], time[k][cell], next[k][cell], side[k][cell], change[k][cell], product[k][cell],
      ahead[k][cell], further[k][cell]};
  }
};

/// Reads what a place of FactoredCells needs, but for u0 at the neighbours.
template <class Stencil, int Dim, int cells>
KOKKOS_FORCEINLINE_FUNCTION void fillIn(const Stencil& stencil, std::int32_t cell, const Reads<Stencil>& reads,
  const FactoredSource<Dim>& source, double limit, int place, FactoredCells<Stencil::count, cells>& of) {
  double d[Dim]; // from the source to the cell
  stencil.grid.vectorFrom(source.at, stencil.grid.coordinates(cell), d);
  const Point away = FactoredSource<Dim>::pointOf(d);
  const Point normal = source.inverse * away;
  of.square[place] = Kokkos::max(dot(normal, away), 0.0);
  of.limit[place] = limit;
  for (int k = 0; k < Stencil::count; ++k) {
    of.weight[k][place] = reads.weights[k];
    of.time[k][place] = reads.along[k].time;
    of.next[k][place] = reads.along[k].next;
    of.side[k][place] = reads.along[k].upper ? 1.0 : -1.0;
    of.change[k][place] = stencil.alongStep(reads.at, k, normal);
    of.product[k][place] = stencil.stepProduct(reads.at, k, source.inverse);
  }
}

/// u0 at the neighbours; says which of these are beside the source, where its digits are lost.
template <int count, int cells>
KOKKOS_FORCEINLINE_FUNCTION void findTimesAhead(FactoredCells<count, cells>& of) {
  constexpr double cancelled = 1.0 / 64.0; // a square that is less of its terms has lost six bits or more
  for (int cell = 0; cell < cells; ++cell) {
    int isNear = 0;
    for (int k = 0; k < count; ++k) {
      const double step = of.side[k][cell];
      const double twice = 2.0 * of.side[k][cell];
      const double one = of.square[cell] + step * (2.0 * of.change[k][cell] + step * of.product[k][cell]);
      const double two = of.square[cell] + twice * (2.0 * of.change[k][cell] + twice * of.product[k][cell]);
      const bool isOne = one < cancelled * (of.square[cell] + step * step * of.product[k][cell]);
      const bool isTwo = two < cancelled * (of.square[cell] + twice * twice * of.product[k][cell]);
      isNear |= (static_cast<int>(isOne) << 2 * k) | (static_cast<int>(isTwo) << (2 * k + 1));
      of.ahead[k][cell] = Kokkos::sqrt(Kokkos::max(one, 0.0));
      of.further[k][cell] = Kokkos::sqrt(Kokkos::max(two, 0.0));
    }
    of.near[cell] = isNear;
  }
}

/// u0 at those neighbours of a cell that are beside the source.
template <class Stencil, int Dim, int cells>
KOKKOS_FUNCTION void findTimesNearby(const Stencil& stencil, std::int32_t cell, const FactoredSource<Dim>& source,
  int place, FactoredCells<Stencil::count, cells>& of) {
  double d[Dim];
  stencil.grid.vectorFrom(source.at, stencil.grid.coordinates(cell), d);
  const typename Stencil::Place at = stencil.place(cell);
  for (int k = 0; k < Stencil::count; ++k) {
    const Point step = stencil.step(at, k);
    for (int n = 1; n <= 2; ++n) {
      if ((of.near[place] >> (2 * k + n - 1) & 1) == 0) { // the others do not depend on which these are
        continue;
      }
      double to[Dim];
      for (int axis = 0; axis < Dim; ++axis) {
        to[axis] = d[axis] + n * of.side[k][place] * step[axis];
      }
      (n == 1 ? of.ahead : of.further)[k][place] = source.travelTime(to);
    }
  }
}

/// The solution where the time u0 from a source is taken out of the differences: they are those of u - u0, which is
/// smooth where u0 is not, and the derivatives of u0 are exact (S. Fomel, S. Luo, H. Zhao, J. Comput. Phys. 228 (2009)
/// 6440-6455; of a sum, as E. Treister, E. Haber, J. Comput. Phys. 324 (2016) 210-225). That amounts to another t for
/// each direction. Where the least u0 along a direction is between the neighbours, and nothing comes from there, the
/// derivative of u0 counts. No time where that has no solution, as where the speed is far from the source's. Without
/// branches, so that cells take the same instructions.
template <int count, int cells>
KOKKOS_FORCEINLINE_FUNCTION void solveFactoredCells(FactoredCells<count, cells>& of) {
  // Where the source is halfway between a cell and a neighbour both have the same time, which is the gate: rounding
  // must not say that there is no solution.
  constexpr double rounding = 1e-11;
  double gate[count][cells]; // the direction counts for later times
  double t[count][cells];
  double w[count][cells];
  double share[count][cells]; // of 1, where nothing comes along the direction
  double time[count][cells];
  double u0[cells];
  double rest[cells];
  for (int i = 0; i < cells; ++i) {
    u0[i] = Kokkos::sqrt(of.square[i]);
    rest[i] = 1.0;
  }
  for (int k = 0; k < count; ++k) {
    for (int i = 0; i < cells; ++i) {
      const StraightDirection along = of.along(k, i);
      const FactoredDirection direction = factoredDirection(along, u0[i]);
      t[k][i] = direction.t;
      w[k][i] = along.next < notReached ? 2.25 * along.weight : along.weight;
      share[k][i] = direction.minHere ? along.weight * direction.derivative * direction.derivative : 0.0;
      rest[i] -= share[k][i];
      gate[k][i] = direction.t < notReached ? Kokkos::max(direction.t, along.time) : notReached;
      time[k][i] = along.time;
    }
  }
  for (int last = 1; last < count; ++last) {
    for (int k = last; k > 0; --k) {
      for (int i = 0; i < cells; ++i) {
        const bool swaps = gate[k][i] < gate[k - 1][i];
        swapWhere(swaps, gate[k - 1][i], gate[k][i]);
        swapWhere(swaps, t[k - 1][i], t[k][i]);
        swapWhere(swaps, w[k - 1][i], w[k][i]);
        swapWhere(swaps, share[k - 1][i], share[k][i]);
        swapWhere(swaps, time[k - 1][i], time[k][i]);
      }
    }
  }
  // In the order of the gates, as many as come before the solution: where a (u - base)^2 - 2 b (u - base) + c = rest.
  // It grows with u from the gates on, so that its value at a gate says whether the solution is later.
  double a[cells];
  double b[cells];
  double c[cells];
  double base[cells];
  double last[cells];
  std::int64_t counts[cells];
  std::int64_t isSolved[cells];
  for (int i = 0; i < cells; ++i) {
    a[i] = 0.0;
    b[i] = 0.0;
    c[i] = 0.0;
    last[i] = 0.0;
    of.latest[i] = -notReached;
    counts[i] = static_cast<std::int64_t>(u0[i] > 0.0) & static_cast<std::int64_t>(gate[0][i] < of.limit[i]);
    isSolved[i] = counts[i];
    base[i] = counts[i] != 0 ? t[0][i] : 0.0;
  }
  for (int n = 0; n < count; ++n) {
    for (int i = 0; i < cells; ++i) {
      const bool isBefore = gate[n][i] < of.limit[i];
      const double beyond = gate[n][i] - base[i];
      const double from = isBefore ? beyond : 0.0;
      const double valueThere = (a[i] * from - 2.0 * b[i]) * from + c[i];
      const double limit = n > 0 ? rest[i] : notReached;
      const bool adds = (counts[i] != 0) & isBefore & (valueThere < limit);
      const double difference = adds ? t[n][i] - base[i] : 0.0;
      const double weight = adds ? w[n][i] : 0.0;
      const double shareHere = adds ? share[n][i] : 0.0;
      const double timeHere = adds ? time[n][i] : -notReached;
      a[i] += weight;
      b[i] += weight * difference;
      c[i] += weight * difference * difference;
      rest[i] += shareHere;
      last[i] = adds ? from : last[i];
      of.latest[i] = of.latest[i] < timeHere ? timeHere : of.latest[i];
      const double value = (a[i] * from - 2.0 * b[i]) * from + c[i];
      const double most = rest[i] + rounding;
      const auto isIn = static_cast<std::int64_t>(adds);
      const auto goesOn = static_cast<std::int64_t>(value < most);
      isSolved[i] &= (1 - isIn) | goesOn;
      counts[i] = isIn & goesOn;
    }
  }
  for (int i = 0; i < cells; ++i) {
    const double root = Kokkos::sqrt(Kokkos::max(b[i] * b[i] - a[i] * (c[i] - rest[i]), 0.0));
    const double solution = base[i] + Kokkos::max(last[i], (b[i] + root) / a[i]);
    of.found[i] = isSolved[i] != 0 ? solution : notReached;
  }
}

/// What is found for one cell.
struct FactoredTime {
  double time = notReached;
  double latest = -notReached; ///< where there is no time: the latest one that this was found from
};

/// What is known of one cell.
template <class Stencil, int Dim>
KOKKOS_FORCEINLINE_FUNCTION FactoredCells<Stencil::count, 1> factoredCell(const Stencil& stencil, std::int32_t cell,
  const Reads<Stencil>& reads, const FactoredSource<Dim>& source, double limit) {
  FactoredCells<Stencil::count, 1> one;
  fillIn(stencil, cell, reads, source, limit, 0, one);
  findTimesAhead(one);
  if (one.near[0] != 0) {
    findTimesNearby(stencil, cell, source, 0, one);
  }
  return one;
}

/// solveFactoredCells() of one cell.
template <class Stencil, int Dim>
KOKKOS_FUNCTION FactoredTime updateFactored(const Stencil& stencil, std::int32_t cell, const Reads<Stencil>& reads,
  const FactoredSource<Dim>& source, double limit) {
  FactoredCells<Stencil::count, 1> one = factoredCell(stencil, cell, reads, source, limit);
  solveFactoredCells(one);
  return {one.found[0], one.latest[0]};
}

/// The time where a source was taken out: without it where that has no solution, but not before what has none.
template <class Stencil>
KOKKOS_FORCEINLINE_FUNCTION double timeOf(const FactoredTime& factored, const Reads<Stencil>& reads) {
  return factored.time < notReached ? factored.time : Kokkos::max(solveReads(reads), factored.latest);
}

/// The solution where a source is taken out of the differences, or, where there is none or that has no solution,
/// without it. What is not before `limit` does not count.
template <class Stencil, int Dim>
KOKKOS_FORCEINLINE_FUNCTION double solveFactored(const Stencil& stencil, std::int32_t cell, const Reads<Stencil>& reads,
  const FactoredSource<Dim>* source, double limit) {
  if (source == nullptr) {
    return solveReads(reads);
  }
  return timeOf(updateFactored(stencil, cell, reads, *source, limit), reads);
}

/// The time of a cell from its neighbours. `source` is taken out of the differences; nullptr: none is.
///
/// It depends on none that is later: were all later ones other ones, it would be the same. So a front through a face
/// goes before what differences find from later neighbours, and where they have no solution because of a neighbour, the
/// time is not before that one's.
template <class Stencil, int Dim>
KOKKOS_FORCEINLINE_FUNCTION double updateFromNeighbours(
  const Stencil& stencil, std::int32_t cell, const double* times, bool secondOrder, const FactoredSource<Dim>* source) {
  const Reads<Stencil> reads = readNeighbours(stencil, cell, times, secondOrder);
  if (source == nullptr) {
    return updateFromReads(stencil, reads, times);
  }
  const double through = stencil.throughFaces(reads.at, times);
  return Kokkos::min(solveFactored(stencil, cell, reads, source, through), through);
}

} // namespace spanwise::eikonal
