#pragma once

// What the tests of several ranks share.

#include "Core/Geometry/Slab.hpp"
#include "Core/Parallel/Cut.hpp"
#include "Core/Parallel/Halo.hpp"
#include "Core/Parallel/MpiCommunicator.hpp"
#include "Testing/Core/Geometry/Reference.hpp"

#include <algorithm>
#include <random>
#include <vector>

namespace spanwise::testing {

/// All ranks of the program.
const Communicator& world();

/// Values on cells as a field has them: component by component.
template <class T, class Space>
class Values {
public:
  struct View {
    T* component[9];
    std::int64_t numCells;
    int numComponents;
  };

  explicit Values(std::int64_t numCells, int numComponents = 1)
    : values_("values", static_cast<std::size_t>(numCells), static_cast<std::size_t>(numComponents)) {}
  /// component c of the k-th of the cells = value(cell, c)
  template <int Dim, class Value>
  Values(const CellList<Dim>& cells, int numComponents, const Value& value)
    : Values(static_cast<std::int64_t>(cells.size()), numComponents) {
    const auto host = Kokkos::create_mirror_view(values_);
    std::size_t k = 0;
    for (const Cell<Dim>& cell : cells) {
      for (int c = 0; c < numComponents; ++c) {
        host(k, static_cast<std::size_t>(c)) = value(cell, c);
      }
      ++k;
    }
    Kokkos::deep_copy(values_, host);
  }

  [[nodiscard]] View view() const {
    View view{};
    view.numCells = static_cast<std::int64_t>(values_.extent(0));
    view.numComponents = static_cast<int>(values_.extent(1));
    for (int c = 0; c < view.numComponents; ++c) {
      view.component[c] = values_.data() + static_cast<std::size_t>(c) * values_.extent(0);
    }
    return view;
  }
  [[nodiscard]] std::vector<T> component(int c) const {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values_);
    std::vector<T> result;
    for (std::size_t k = 0; k < host.extent(0); ++k) {
      result.push_back(host(k, static_cast<std::size_t>(c)));
    }
    return result;
  }
  /// Expects value(cell, c) on each of the cells.
  template <int Dim, class Value>
  void expect(const CellList<Dim>& cells, const Value& value) const {
    ASSERT_EQ(values_.extent(0), cells.size());
    for (int c = 0; c < static_cast<int>(values_.extent(1)); ++c) {
      std::vector<T> expected;
      for (const Cell<Dim>& cell : cells) {
        expected.push_back(value(cell, c));
      }
      EXPECT_EQ(component(c), expected);
    }
  }

private:
  Kokkos::View<T**, Kokkos::LayoutLeft, typename Space::memory_space> values_;
};

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
