// Rows of cells, those among walls too, say the same of where populations come from as the segments that they are made
// of.

#include "Core/Field/Field.hpp"
#include "Core/Field/StencilMap.hpp"
#include "Core/Solvers/Lattice/Detail/StepRows.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Seed.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace spanwise::lattice::testing {
namespace {

using namespace detail; // NOLINT(google-build-using-namespace)
using spanwise::testing::CellList;

template <class Space>
class StepRowsOn : public ::testing::Test {};
TYPED_TEST_SUITE(StepRowsOn, spanwise::testing::AllSpaces, spanwise::testing::SpaceNames);

/// Of each cell: where its populations are, and where they come from.
template <class Set>
struct Places {
  static constexpr int count = 2 * Set::count;
};

template <class Set>
struct ListBySegments {
  geometry::SegmentsView lengths;
  const StreamSegment<Set>* segments;
  std::int64_t* places;

  KOKKOS_FUNCTION void operator()(std::int64_t number) const {
    const std::int64_t s = lengths.segmentOf(number);
    const std::int64_t k = number - lengths.offsets[s];
    const std::int64_t cell = segments[s].own + k;
    for (int q = 0; q < Set::count; ++q) {
      places[cell * Places<Set>::count + q] = cell + q * segments[s].ownStride;
      places[cell * Places<Set>::count + Set::count + q] = sourceOf(segments[s], q) + k;
    }
  }
};

/// Lists the own places of a row's cells, and returns the first cell.
template <class Set>
KOKKOS_FUNCTION std::int64_t listOwn(const OwnRow& row, const CellsOfRow& cells, std::int64_t* places) {
  constexpr auto bytes = static_cast<std::int64_t>(sizeof(float));
  const std::int64_t first = row.own / bytes + cells.begin;
  for (int q = 0; q < Set::count; ++q) {
    for (std::int64_t k = 0; k < cells.end - cells.begin; ++k) {
      places[(first + k) * Places<Set>::count + q] = first + k + q * row.ownStride / bytes;
    }
  }
  return first;
}

template <class Set, int size>
struct ListByStreamRows {
  RowsView<StreamRow<Set>> rows;
  const float* beginning;
  std::int64_t* places;

  KOKKOS_FUNCTION void operator()(std::int64_t number) const {
    const CellsOfRow cells = rows.template piece<size, sizeof(float)>(number);
    const StreamRow<Set>& row = rows.rows[cells.row];
    const std::int64_t first = listOwn<Set>(row, cells, places);
    const auto list = [&](auto count) {
      forSources<Set, decltype(count)::value>(beginning, row, cells, [&](auto q, auto i, const float& value) {
        places[(first + i) * Places<Set>::count + Set::count + q] = &value - beginning;
      });
    };
    if (cells.end - cells.begin == size) {
      list(std::integral_constant<int, size>());
    } else {
      list(std::integral_constant<int, 1>());
    }
  }
};

template <class Set, bool swapped>
struct ListByWalledRows {
  WalledRowsView<Set> rows;
  std::int64_t* places;

  KOKKOS_FUNCTION void operator()(std::int64_t number) const {
    constexpr auto bytes = static_cast<std::int64_t>(sizeof(float));
    const CellsOfRow cells = rows.template piece<1, sizeof(float)>(number);
    const WalledRow<Set>& row = rows.rows[cells.row];
    const std::int64_t cell = listOwn<Set>(row, cells, places);
    unrolled<Set::count>([&](auto q) {
      using Source = WalledSource<Set, decltype(q)::value, swapped>;
      const bool fromWall = isFromWall(rows.walls[number], q);
      places[cell * Places<Set>::count + Set::count + q] = Source::place(row, fromWall, bytes) / bytes + cells.begin;
    });
  }
};

template <class Set, int size>
struct ListByOwnRows {
  RowsView<OwnRow> rows;
  std::int64_t* places;

  KOKKOS_FUNCTION void operator()(std::int64_t number) const {
    const CellsOfRow cells = rows.template piece<size, sizeof(float)>(number);
    listOwn<Set>(rows.rows[cells.row], cells, places);
  }
};

/// The places of all cells, -1 before they are listed.
template <class Space, class Set>
class ListOfPlaces {
public:
  explicit ListOfPlaces(std::int64_t numCells)
    : places_("places", static_cast<std::size_t>(numCells * Places<Set>::count)) {
    Kokkos::deep_copy(space_, places_, std::int64_t{-1});
  }
  /// Runs `list` over so many items.
  template <class List>
  void add(std::int64_t numItems, List list) {
    list.places = places_.data();
    forEach("list places", IndexRange<Space>(space_, 0, numItems), list);
  }
  [[nodiscard]] std::vector<std::int64_t> values() const {
    const auto onHost = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), places_);
    return {onHost.data(), onHost.data() + onHost.size()};
  }
  /// The places of what is there, without where it comes from.
  [[nodiscard]] std::vector<std::int64_t> ownValues() const {
    const std::vector<std::int64_t> all = values();
    std::vector<std::int64_t> own;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i % Places<Set>::count < Set::count) {
        own.push_back(all[i]);
      }
    }
    return own;
  }

private:
  Space space_;
  Kokkos::View<std::int64_t*, typename Space::memory_space> places_;
};

/// Returns the rows.
template <class Space, class Set, int size, bool swapped>
StepRows<Set, typename Space::memory_space> expectTheSame(const CellList<Set::dimension>& cells,
  const field::Boundary<Set::dimension>& boundary, field::DomainSides slip, bool hasWalledRows) {
  constexpr int Dim = Set::dimension;
  const Space space;
  const Context context(space);
  const auto set = spanwise::testing::toSet<Space, Dim>(cells);
  field::StencilMapOn<typename Set::Pattern, Space> neighbours;
  field::buildStencilMap<typename Set::Pattern, Space>(context, set, boundary, neighbours);
  const field::FieldOn<float, Space> layout("populations", set.numCells(), Set::count);
  StreamMap<Set, typename Space::memory_space> map;
  map.build(space, neighbours, FieldView<const float>(layout.view()), slip, swapped);
  StepRows<Set, typename Space::memory_space> rows;
  rows.build(context, map, swapped, sizeof(float), size, hasWalledRows);
  EXPECT_EQ(rows.stream().numCells() + rows.walled().numCells(), map.numCells());
  EXPECT_EQ(rows.own().numCells(), map.numCells());
  EXPECT_LE(rows.stream().numRows() + rows.walled().numRows(), map.lengths().count);
  ListOfPlaces<Space, Set> expected(map.numCells());
  expected.add(map.numCells(), ListBySegments<Set>{map.lengths(), map.segments(), nullptr});
  ListOfPlaces<Space, Set> listed(map.numCells());
  listed.add(rows.stream().numPieces(),
    ListByStreamRows<Set, size>{rows.stream().view(), std::as_const(layout).view().values, nullptr});
  listed.add(rows.walled().numPieces(), ListByWalledRows<Set, swapped>{rows.walledView(), nullptr});
  EXPECT_EQ(listed.values(), expected.values());
  ListOfPlaces<Space, Set> own(map.numCells());
  own.add(rows.own().numPieces(), ListByOwnRows<Set, size>{rows.own().view(), nullptr});
  EXPECT_EQ(own.ownValues(), expected.ownValues());
  return rows;
}

template <int Dim>
field::Boundary<Dim> insideBox(Coordinate begin, Coordinate end) {
  field::Boundary<Dim> boundary{field::BoundaryPolicy::Value};
  std::fill_n(boundary.domain.begin, Dim, begin);
  std::fill_n(boundary.domain.end, Dim, end);
  return boundary;
}

template <class Space, class Set, bool swapped>
void expectTheSameOfRandomCells() {
  constexpr int Dim = Set::dimension;
  constexpr Coordinate extent = 5;
  std::mt19937 random(spanwise::testing::seed());
  for (const double density : {0.3, 0.7, 0.95}) {
    const CellList<Dim> cells = spanwise::testing::randomCells<Dim>(random, extent, density);
    field::Boundary<Dim> boundary = insideBox<Dim>(-extent, extent);
    for (const bool hasWalledRows : {false, true}) {
      expectTheSame<Space, Set, 1, swapped>(cells, boundary, {}, hasWalledRows);
      expectTheSame<Space, Set, 2, swapped>(cells, boundary, {}, hasWalledRows);
      expectTheSame<Space, Set, 2, swapped>(cells, boundary, {0b0110}, hasWalledRows); // slip sides
    }
    boundary.period = boundary.domain;
    std::fill_n(boundary.domain.end, Dim, -extent);
    expectTheSame<Space, Set, 2, swapped>(cells, boundary, {}, true);
  }
}

TYPED_TEST(StepRowsOn, SayTheSameAsSegments) {
  expectTheSameOfRandomCells<TypeParam, D2Q9, false>();
  expectTheSameOfRandomCells<TypeParam, D2Q9, true>();
  expectTheSameOfRandomCells<TypeParam, D3Q19, false>();
  expectTheSameOfRandomCells<TypeParam, D3Q19, true>();
  expectTheSameOfRandomCells<TypeParam, D3Q27, false>();
  expectTheSameOfRandomCells<TypeParam, D3Q27, true>();
}

TYPED_TEST(StepRowsOn, AreTheRowsOfABox) {
  for (const int size : {20, 33}) {
    const CellList<3> cells = spanwise::testing::allCells<3>(0, size);
    for (const bool hasWalledRows : {false, true}) { // there are none: rows are long
      const auto ofBox = expectTheSame<TypeParam, D3Q19, 2, true>(cells, insideBox<3>(0, size), {}, hasWalledRows);
      EXPECT_EQ(ofBox.stream().numRows(), size * size);
      EXPECT_EQ(ofBox.own().numRows(), 1);
    }
  }
}

/// Rows of cells between slanted walls: segments are a cell long.
TYPED_TEST(StepRowsOn, GoOnAmongWalls) {
  constexpr int length = 12;
  CellList<3> cells;
  for (const auto& cell : spanwise::testing::allCells<3>(0, length)) {
    if ((cell.at[0] + cell.at[1] + cell.at[2]) % length < length - 2) {
      cells.insert(cell);
    }
  }
  const auto rows = expectTheSame<TypeParam, D3Q19, 1, true>(cells, insideBox<3>(0, length), {}, true);
  const auto segments = expectTheSame<TypeParam, D3Q19, 1, true>(cells, insideBox<3>(0, length), {}, false);
  EXPECT_EQ(rows.stream().numRows(), 0);
  EXPECT_LE(2 * rows.walled().numRows(), segments.stream().numRows());
}

} // namespace
} // namespace spanwise::lattice::testing
