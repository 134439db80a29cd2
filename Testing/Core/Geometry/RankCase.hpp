#pragma once

#include "Core/Geometry/BoxCells.hpp"
#include "Core/Geometry/SetDomain.hpp"
#include "Testing/Core/Geometry/PeriodicReference.hpp"
#include "Testing/Core/Parallel/World.hpp"
#include "Testing/Rooms.hpp"

#include <random>

namespace spanwise::testing {

/// A random set, and how it is cut.
template <int Dim>
struct RankCase : RandomCase<Dim> {
  RowCut cut;
  CellList<Dim> mine;

  RankCase(std::mt19937& random, Coordinate maxExtent, bool repeats)
    : RandomCase<Dim>(random, maxExtent), cut(randomCut(random, maxExtent)) {
    const Box<Dim> box = this->periods.box;
    for (int r = 1; r < world().size(); ++r) { // near the box; some are equal
      auto& bound = cut.bounds[static_cast<std::size_t>(r)];
      bound = box.begin[Dim - 1] + (bound + maxExtent) * (box.extent(Dim - 1) + 1) / (2 * maxExtent);
    }
    if (!repeats) {
      this->periods = {};
    }
    if (random() % 2 == 0) {
      addShell(random, box);
    }
    mine = cellsIn<Dim>(this->cells, cut.part(world().rank()));
  }

  /// Around a box, but for the ends of axes that repeat, with few gaps: so that there are holes.
  void addShell(std::mt19937& random, const Box<Dim>& box) {
    Box<Dim> around = box;
    for (int d = 0; d < Dim; ++d) {
      around.begin[d] -= this->periods.along[d] ? 0 : 1;
      around.end[d] += this->periods.along[d] ? 0 : 1;
    }
    const CellList<Dim> inside = allCells<Dim>(box);
    for (const Cell<Dim>& cell : allCells<Dim>(around)) {
      if (inside.count(cell) == 0 && random() % 100 != 0) {
        this->cells.insert(cell);
      }
    }
  }

  [[nodiscard]] SetDomain<Dim> domain() const { return {world(), cut, this->periods}; }
  [[nodiscard]] CellList<Dim> mineOf(const CellList<Dim>& all) const {
    return cellsIn<Dim>(all, cut.part(world().rank()));
  }
};

} // namespace spanwise::testing
