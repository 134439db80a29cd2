#pragma once

#include "Core/Solvers/Eikonal/GridUpdate.hpp"

#include <cstdint>

namespace spanwise::eikonal {

// findTimesAhead() and solveFactoredCells() on the vectors that the processor has. 76^3 cells from a point take 0.8 of
// the time that they take one after the other, in second order on one thread (AMD Zen 4, AVX2), or 0.75 with the bytes
// that say which cells have a time on input.
void findAllTimesAhead(FactoredCells<2, cellsAtOnce>& of);
void findAllTimesAhead(FactoredCells<3, cellsAtOnce>& of);
void findAllTimesAhead(FactoredCells<6, cellsAtOnce>& of);
void solveAll(FactoredCells<2, cellsAtOnce>& of);
void solveAll(FactoredCells<3, cellsAtOnce>& of);
void solveAll(FactoredCells<6, cellsAtOnce>& of);

/// Collects cells of the host that take out a source, and computes them when there are enough. `write(cell, place,
/// time)` gets the time of each, as updateFromNeighbours() would find it.
template <class Stencil, int Dim, class Write>
class FactoredUpdates {
public:
  FactoredUpdates(const Stencil& stencil, const double* times, const Write& write)
    : stencil_(stencil), times_(times), write_(write) {}
  FactoredUpdates(const FactoredUpdates&) = delete;
  FactoredUpdates& operator=(const FactoredUpdates&) = delete;
  ~FactoredUpdates() { compute(); }

  void add(std::int32_t cell, std::int64_t place, bool secondOrder, const FactoredSource<Dim>& source) {
    Item& item = items_[size_];
    item.cell = cell;
    item.place = place;
    item.source = &source;
    item.reads = readNeighbours(stencil_, cell, times_, secondOrder);
    item.through = stencil_.throughFaces(item.reads.at, times_);
    fillIn(stencil_, cell, item.reads, source, item.through, size_, cells_);
    ++size_;
    if (size_ == cellsAtOnce) {
      compute();
    }
  }

private:
  struct Item {
    std::int32_t cell;
    std::int64_t place;
    const FactoredSource<Dim>* source;
    Reads<Stencil> reads;
    double through; ///< a front through a face
  };

  void compute() {
    if (size_ == 0) {
      return;
    }
    findAllTimesAhead(cells_); // of those that are not filled in too: they have numbers of before
    for (int k = 0; k < size_; ++k) {
      if (cells_.near[k] != 0) {
        findTimesNearby(stencil_, items_[k].cell, *items_[k].source, k, cells_);
      }
    }
    solveAll(cells_);
    for (int k = 0; k < size_; ++k) {
      const Item& item = items_[k];
      const double found = timeOf({cells_.found[k], cells_.latest[k]}, item.reads);
      write_(item.cell, item.place, Kokkos::min(found, item.through));
    }
    size_ = 0;
  }

  const Stencil& stencil_;
  const double* times_;
  const Write& write_;
  int size_ = 0;
  Item items_[cellsAtOnce];
  FactoredCells<Stencil::count, cellsAtOnce> cells_{};
};

} // namespace spanwise::eikonal
