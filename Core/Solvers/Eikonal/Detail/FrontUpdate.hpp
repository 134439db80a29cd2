#pragma once

#include "Core/Solvers/Eikonal/GridUpdate.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal {

// Where fronts of several sources meet, the times on two sides of a cell may be those of two fronts. Differences that
// mix them would find a front that is before both: two sources at the corners of a square let it arrive at a third one
// after 0.71 sides, instead of 1. So a cell has one front's time, the first of those that its neighbours have.
//
// What a neighbour with the time t_j of another front would have of front s is not known, but that t_j is before it,
// and so, in the medium around the cell, is t_a + d(s, j) - d(s, a) with the travel times d from the place of s and the
// time t_a of the first neighbour that front s has reached: the later of both stands for it. In a constant medium no
// time is before the front of its source then: t_a is not before d(s, a), by induction, so that what stands for
// neighbours is not before d(s, .), which is convex. And where neighbouring cells have fronts from places that are seen
// in one direction, as from the cells of a region, one of the fronts finds what all find together: plane fronts stay
// plane.

/// A time, and whose.
struct FrontTime {
  double time = notReached;
  std::int32_t front = -1;
};

/// The time of a cell from its neighbours, of which `fronts` says whose time they have, and the front that it is of.
/// isSource: differences are of first order and no source is taken out of them. As updateFromNeighbours() it depends on
/// no later time.
template <class Stencil, int Dim>
class FrontUpdate {
public:
  KOKKOS_FUNCTION FrontUpdate(const Stencil& stencil, const GridFactoringView<Dim>& factoring, std::int32_t cell,
    const double* times, const std::int32_t* fronts, bool secondOrder, bool isSource)
    : stencil_(stencil), factoring_(factoring), cell_(cell), times_(times), fronts_(fronts), secondOrder_(secondOrder),
      factors_(!isSource && factoring.fronts.radius > 0.0), reads_(readNeighbours(stencil, cell, times, secondOrder)) {}

  [[nodiscard]] KOKKOS_FUNCTION FrontTime find() {
    std::int32_t from = cell_;
    through_ = stencil_.throughFaces(reads_.at, times_, from);
    best_ = {through_, through_ < notReached ? fronts_[from] : -1};
    std::int32_t upwind[Stencil::count]; // the fronts of the neighbours that differences are taken to
    for (int k = 0; k < Stencil::count; ++k) {
      upwind[k] = frontAt(2 * k + (reads_.along[k].upper ? 1 : 0));
      dropOther(k, upwind[k], reads_.along[k]);
    }
    if (hasOneFront() || countAlike(upwind)) {
      return best_;
    }
    for (int k = 0; k < Stencil::count; ++k) {
      bool isNew = upwind[k] >= 0;
      for (int j = 0; j < k && isNew; ++j) {
        isNew = upwind[j] != upwind[k];
      }
      if (isNew) {
        consider(upwind[k], readBy(upwind[k]));
      }
    }
    return best_;
  }

private:
  /// The neighbour on a side of a direction: 2 k + 1 is the upper one of k.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int32_t neighbour(int side) const {
    return stencil_.neighbour(reads_.at, side / 2, 1, side % 2 == 1);
  }
  /// Whether a front has come to the neighbour on a side.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool isReached(int side) const {
    const std::int32_t n = neighbour(side);
    return n >= 0 && times_[n] < notReached && reads_.weights[side / 2] > 0.0;
  }
  /// Its front, -1: none that is told apart.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int32_t frontAt(int side) const {
    return isReached(side) ? fronts_[neighbour(side)] : -1;
  }

  KOKKOS_FUNCTION void consider(std::int32_t front, const Reads<Stencil>& reads) {
    const FactoredSource<Dim>* source = nullptr;
    if (factors_) {
      double vector[Dim];
      stencil_.grid.vectorFrom(factoring_.fronts.sources[front].at, stencil_.grid.coordinates(cell_), vector);
      const Point p = FactoredSource<Dim>::pointOf(vector);
      const double radius = factoring_.fronts.radius;
      source = dot(p, p) <= radius * radius ? factoring_.fronts.sources + front : nullptr;
    }
    const double time = solveFactored(stencil_, cell_, reads, source, through_);
    if (time < best_.time || (time == best_.time && time < through_ && front < best_.front)) {
      best_ = {time, front};
    }
  }

  /// What all neighbours together say, if they have one front; false: they have several.
  KOKKOS_FUNCTION bool hasOneFront() {
    std::int32_t only = -1;
    bool isFirst = true;
    for (int side = 0; side < 2 * Stencil::count; ++side) {
      if (isReached(side)) {
        if (frontAt(side) < 0 || (!isFirst && frontAt(side) != only)) {
          return false;
        }
        only = frontAt(side);
        isFirst = false;
      }
    }
    if (only >= 0) {
      consider(only, reads_);
    }
    return true;
  }

  /// What they say where those that count have one front; false: they have several, or that is not known before.
  KOKKOS_FUNCTION bool countAlike(const std::int32_t (&upwind)[Stencil::count]) {
    if (factors_) {
      return false;
    }
    const double time = solveReads(reads_);
    std::int32_t only = -1;
    for (int k = 0; k < Stencil::count; ++k) {
      if (reads_.weights[k] > 0.0 && reads_.along[k].time < time && time < notReached) {
        if (upwind[k] < 0 || (only >= 0 && upwind[k] != only)) {
          return false;
        }
        only = upwind[k];
      }
    }
    if (only >= 0) {
      consider(only, reads_);
    }
    return only >= 0;
  }

  /// Differences over two cells are of one front.
  KOKKOS_FUNCTION void dropOther(int k, std::int32_t front, Upwind& read) const {
    if (read.next < notReached) {
      const std::int32_t far = stencil_.neighbour(reads_.at, k, 2, read.upper);
      read.next = far >= 0 && front >= 0 && fronts_[far] == front ? read.next : notReached;
    }
  }

  /// What the cell reads of one front.
  [[nodiscard]] KOKKOS_FUNCTION Reads<Stencil> readBy(std::int32_t front) const {
    constexpr int numSides = 2 * Stencil::count;
    const SymmetricTensor inverse = stencil_.grid.tensor(cell_).inverse();
    double travel[numSides];      // from the place of the front
    double earliest = notReached; // of the neighbours that it has reached: no later ones count
    double lead = notReached;     // of that neighbour's time before the travel time
    for (int side = 0; side < numSides; ++side) {
      const std::int32_t n = neighbour(side);
      travel[side] = notReached;
      if (isReached(side)) {
        double vector[Dim];
        stencil_.grid.vectorFrom(factoring_.fronts.sources[front].at, stencil_.grid.coordinates(n), vector);
        travel[side] = Kokkos::sqrt(Kokkos::max(inverse.product(FactoredSource<Dim>::pointOf(vector)), 0.0));
        if (fronts_[n] == front && times_[n] <= earliest) {
          const double here = times_[n] - travel[side];
          lead = times_[n] < earliest ? here : Kokkos::min(lead, here);
          earliest = times_[n];
        }
      }
    }
    Reads<Stencil> reads = reads_;
    for (int k = 0; k < Stencil::count; ++k) {
      double times[2];
      for (int upper = 0; upper < 2; ++upper) {
        const int side = 2 * k + upper;
        const std::int32_t n = neighbour(side);
        times[upper] = travel[side] < notReached ? times_[n] : notReached;
        if (travel[side] < notReached && fronts_[n] != front) {
          times[upper] = Kokkos::max(times[upper], lead + travel[side]);
        }
      }
      Upwind read;
      read.upper = times[1] < times[0];
      read.time = times[read.upper ? 1 : 0];
      const std::int32_t near = neighbour(2 * k + (read.upper ? 1 : 0));
      if (secondOrder_ && read.time < notReached && fronts_[near] == front) {
        const std::int32_t far = stencil_.neighbour(reads_.at, k, 2, read.upper);
        if (far >= 0 && times_[far] <= read.time && fronts_[far] == front) {
          read.next = times_[far];
        }
      }
      reads.along[k] = read;
    }
    return reads;
  }

  const Stencil& stencil_;
  const GridFactoringView<Dim>& factoring_;
  std::int32_t cell_;
  const double* times_;
  const std::int32_t* fronts_;
  bool secondOrder_;
  bool factors_;
  Reads<Stencil> reads_;
  double through_ = notReached;
  FrontTime best_;
};

} // namespace spanwise::eikonal
