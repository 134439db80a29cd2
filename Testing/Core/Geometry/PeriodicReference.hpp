#pragma once

// Components and holes of sets on axes that repeat, by their definition.

#include "Core/Geometry/Connectivity.hpp"
#include "Core/Geometry/Periods.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <vector>

namespace spanwise::testing {

template <int Dim>
Cell<Dim> sum(const Cell<Dim>& a, const Cell<Dim>& b, Coordinate sign = 1) {
  Cell<Dim> result;
  for (int d = 0; d < Dim; ++d) {
    result.at[d] = a.at[d] + sign * b.at[d];
  }
  return result;
}

/// The cell of the period that a cell is the same as.
template <int Dim>
Cell<Dim> wrapped(const Periods<Dim>& periods, Cell<Dim> cell) {
  for (int d = 0; d < Dim; ++d) {
    if (periods.along[d]) {
      const auto extent = static_cast<Coordinate>(periods.box.extent(d));
      const Coordinate offset = (cell.at[d] - periods.box.begin[d]) % extent;
      cell.at[d] = periods.box.begin[d] + (offset + extent) % extent;
    }
  }
  return cell;
}

/// Random axes that repeat, one at least, and random cells in the period.
template <int Dim>
struct RandomCase {
  Periods<Dim> periods;
  CellList<Dim> cells;

  RandomCase(std::mt19937& random, Coordinate maxExtent) {
    const unsigned axes = 1 + random() % ((1U << Dim) - 1);
    std::bernoulli_distribution inside(std::array{0.1, 0.4, 0.6, 0.95}[random() % 4]);
    Cell<3> extent{{1, 1, 1}};
    for (int d = 0; d < Dim; ++d) {
      periods.along[d] = (axes >> d & 1U) != 0;
      periods.box.begin[d] = std::array{0, -7, 1000}[random() % 3];
      extent.at[d] = 1 + static_cast<Coordinate>(random() % static_cast<unsigned>(maxExtent));
      periods.box.end[d] = periods.box.begin[d] + extent.at[d];
    }
    for (Coordinate z = 0; z < extent.at[2]; ++z) {
      for (Coordinate y = 0; y < extent.at[1]; ++y) {
        for (Coordinate x = 0; x < extent.at[0]; ++x) {
          const Coordinate at[3] = {x, y, z};
          Cell<Dim> cell;
          for (int d = 0; d < Dim; ++d) {
            cell.at[d] = periods.box.begin[d] + at[d];
          }
          if (inside(random)) {
            cells.insert(cell);
          }
        }
      }
    }
  }
};

/// Connected components by walking from cell to cell, in the order of their first cells.
template <int Dim>
std::vector<CellList<Dim>> componentsOf(Connectivity connectivity, const Periods<Dim>& periods, CellList<Dim> cells) {
  const int maxAxes = connectivity == Connectivity::Face ? 1 : connectivity == Connectivity::Edge ? 2 : 3;
  CellList<Dim> steps;
  for (const Cell<Dim>& step : allCells<Dim>(-1, 2)) {
    int axes = 0;
    for (const Coordinate at : step.at) {
      axes += at == 0 ? 0 : 1;
    }
    if (axes <= maxAxes) {
      steps.insert(step);
    }
  }
  std::vector<CellList<Dim>> components;
  while (!cells.empty()) {
    std::vector<Cell<Dim>> open{*cells.begin()};
    cells.erase(cells.begin());
    components.emplace_back();
    while (!open.empty()) {
      const Cell<Dim> cell = open.back();
      open.pop_back();
      components.back().insert(cell);
      for (const Cell<Dim>& step : steps) {
        const Cell<Dim> neighbour = wrapped(periods, sum(cell, step));
        if (cells.erase(neighbour) != 0) {
          open.push_back(neighbour);
        }
      }
    }
  }
  return components;
}

/// Holes by definition: components of the complement on the torus, with room around it along the other axes, that touch
/// no border of that room, and have at most so many cells.
template <int Dim>
CellList<Dim> withHoles(Connectivity connectivity, const Periods<Dim>& periods, const CellList<Dim>& cells,
  std::int64_t largest = std::numeric_limits<std::int64_t>::max()) {
  CellList<Dim> room{Cell<Dim>{}};
  CellList<Dim> border;
  for (int d = 0; d < Dim; ++d) {
    Coordinate begin = periods.box.begin[d];
    Coordinate end = periods.box.end[d];
    if (!periods.along[d]) {
      begin = maxRowKey;
      end = minCoordinate;
      for (const Cell<Dim>& cell : cells) {
        begin = std::min(begin, cell.at[d] - 1);
        end = std::max(end, cell.at[d] + 2);
      }
    }
    CellList<Dim> wider;
    CellList<Dim> widerBorder;
    for (const Cell<Dim>& cell : room) {
      for (Coordinate at = begin; at < end; ++at) {
        Cell<Dim> there = cell;
        there.at[d] = at;
        wider.insert(there);
        if (border.count(cell) != 0 || (!periods.along[d] && (at == begin || at == end - 1))) {
          widerBorder.insert(there);
        }
      }
    }
    room = wider;
    border = widerBorder;
  }
  for (const Cell<Dim>& cell : cells) {
    room.erase(cell);
  }
  CellList<Dim> result = cells;
  for (const CellList<Dim>& component : componentsOf(connectivity, periods, room)) {
    const bool outside =
      std::any_of(component.begin(), component.end(), [&](const Cell<Dim>& cell) { return border.count(cell) != 0; });
    if (!outside && std::ssize(component) <= largest) {
      result.insert(component.begin(), component.end());
    }
  }
  return result;
}

} // namespace spanwise::testing
