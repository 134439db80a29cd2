#pragma once

// What the tests of several ranks share.

#include "Core/Field/Copy.hpp"
#include "Core/Field/Field.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Parallel/Cut.hpp"
#include "Core/Parallel/Halo.hpp"
#include "Core/Parallel/Messenger.hpp"
#include "Core/Runtime/Communicator.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <random>
#include <vector>

namespace spanwise::testing {

/// Set by a main program that runs as several ranks.
inline const Communicator* everybody = nullptr;

/// All ranks of the program. A process that is alone is its own neighbour on a periodic axis.
inline const Communicator& world() {
  static const SingleProcess alone;
  return everybody != nullptr ? *everybody : alone;
}

/// Whether what a rank sends is copied into staging memory, however large.
template <class Space>
bool isStaged() {
  return (parallel::detail::hostAsDevice() || !runsOnHost<Space>) && !world().takesDeviceMemory();
}

/// A field with value(cell, c) as component c of each of the cells.
template <class T, class Space, int Dim, class Value>
FieldOn<T, Space> fieldOf(const CellList<Dim>& cells, int numComponents, const Value& value) {
  HostField<T> host("values", static_cast<std::int64_t>(cells.size()), numComponents);
  std::int64_t k = 0;
  for (const Cell<Dim>& cell : cells) {
    for (int c = 0; c < numComponents; ++c) {
      host.view()(k, c) = value(cell, c);
    }
    ++k;
  }
  FieldOn<T, Space> field;
  copy(host, field);
  return field;
}

/// A field with undefined values.
template <class T, class Space>
FieldOn<T, Space> emptyField(std::int64_t numCells, int numComponents = 1) {
  return FieldOn<T, Space>("values", numCells, numComponents);
}

/// Expects value(cell, c) on each of the cells.
template <class T, class Memory, int Dim, class Value>
void expectField(const Field<T, Memory>& field, const CellList<Dim>& cells, const Value& value) {
  HostField<T> host;
  copy(field, host);
  ASSERT_EQ(host.numCells(), static_cast<std::int64_t>(cells.size()));
  std::int64_t k = 0;
  std::int64_t wrong = 0;
  for (const Cell<Dim>& cell : cells) {
    for (int c = 0; c < host.numComponents(); ++c) {
      wrong += host.view()(k, c) == static_cast<T>(value(cell, c)) ? 0 : 1;
    }
    ++k;
  }
  EXPECT_EQ(wrong, 0) << "values of " << host.numCells() << " cells";
}

/// Bounds in [-extent, extent], the same on all ranks; some ranks may own nothing.
inline RowCut randomCut(std::mt19937& random, Coordinate extent) {
  std::uniform_int_distribution<std::int64_t> bound(-extent, extent);
  RowCut cut;
  cut.bounds = {PlaneRange().begin, PlaneRange().end};
  for (int r = 1; r < world().size(); ++r) {
    cut.bounds.push_back(bound(random));
  }
  std::sort(cut.bounds.begin(), cut.bounds.end());
  return cut;
}

template <int Dim>
CellList<Dim> cellsIn(const CellList<Dim>& cells, const PlaneRange& planes) {
  CellList<Dim> within;
  for (const Cell<Dim>& cell : cells) {
    if (planes.contains(cell.at[Dim - 1])) {
      within.insert(cell);
    }
  }
  return within;
}

/// A cell moved along the slowest axis.
template <int Dim>
Cell<Dim> moved(Cell<Dim> cell, std::int64_t shift) {
  cell.at[Dim - 1] = static_cast<Coordinate>(cell.at[Dim - 1] + shift);
  return cell;
}

/// The cell within the period of which this one is a copy.
template <int Dim>
Cell<Dim> wrapped(const Cell<Dim>& cell, const Halo& halo) {
  if (!halo.periodic()) {
    return cell;
  }
  const std::int64_t length = halo.periodLength();
  const std::int64_t place = (cell.at[Dim - 1] - halo.period.begin) % length;
  return moved<Dim>(cell, halo.period.begin + (place + length) % length - cell.at[Dim - 1]);
}

/// What a rank with these planes holds of the whole set.
template <int Dim>
CellList<Dim> cellsHeld(const CellList<Dim>& whole, const PlaneRange& planes, const Halo& halo) {
  const PlaneRange own = ownPlanes(planes, halo);
  CellList<Dim> held;
  if (own.empty()) {
    return held;
  }
  if (!halo.periodic()) {
    return cellsIn<Dim>(whole, own.widened(halo.planes));
  }
  const std::int64_t periods = halo.planes / halo.periodLength() + 1;
  for (std::int64_t k = -periods; k <= periods; ++k) {
    for (const Cell<Dim>& cell : whole) {
      const std::int64_t plane = cell.at[Dim - 1] + k * halo.periodLength();
      if (own.widened(halo.planes).contains(plane)) {
        held.insert(moved<Dim>(cell, k * halo.periodLength()));
      }
    }
  }
  return held;
}

/// A number that tells cells apart.
template <int Dim>
std::int64_t numberOf(const Cell<Dim>& cell) {
  std::int64_t number = 0;
  for (const Coordinate c : cell.at) {
    number = number * 4099 + c;
  }
  return number;
}

} // namespace spanwise::testing
