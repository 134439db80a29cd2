// Rows of cells say the same of where populations come from as the segments that they are made of.

#include "Core/Field/Field.hpp"
#include "Core/Field/StencilMap.hpp"
#include "Core/Solvers/Lattice/Detail/StreamRows.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Seed.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace spanwise::lattice::testing {
namespace {

using namespace detail; // NOLINT(google-build-using-namespace)
using spanwise::testing::CellList;

template <class Space>
class StreamRowsOn : public ::testing::Test {};
TYPED_TEST_SUITE(StreamRowsOn, spanwise::testing::AllSpaces, spanwise::testing::SpaceNames);

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

  KOKKOS_FUNCTION void operator()(std::int64_t cell) const {
    const std::int64_t s = lengths.segmentOf(cell);
    const std::int64_t k = cell - lengths.offsets[s];
    for (int q = 0; q < Set::count; ++q) {
      places[cell * Places<Set>::count + q] = segments[s].own + q * segments[s].ownStride + k;
      places[cell * Places<Set>::count + Set::count + q] = sourceOf(segments[s], q) + k;
    }
  }
};

template <class Set, int size>
struct ListByRows {
  StreamRowsView<Set> rows;
  const float* beginning;
  std::int64_t* places;

  KOKKOS_FUNCTION void operator()(std::int64_t number) const {
    const CellsOfRow cells = rows.template piece<size, sizeof(float)>(number);
    const StreamRow<Set>& row = rows.rows[cells.row];
    const std::int64_t first = rows.lengths.offsets[cells.row] + cells.begin;
    for (int q = 0; q < Set::count; ++q) {
      for (std::int64_t k = 0; k < cells.end - cells.begin; ++k) {
        places[(first + k) * Places<Set>::count + q] =
          (row.own + q * row.ownStride) / static_cast<std::int64_t>(sizeof(float)) + cells.begin + k;
      }
    }
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

/// The places of all cells after `list` has run over so many items; those that it leaves out are -1.
template <class Space, class Set, class List>
std::vector<std::int64_t> placesOf(const Space& space, std::int64_t numCells, std::int64_t numItems, List list) {
  const auto size = static_cast<std::size_t>(numCells * Places<Set>::count);
  Kokkos::View<std::int64_t*, typename Space::memory_space> places("places", size);
  Kokkos::deep_copy(space, places, std::int64_t{-1});
  list.places = places.data();
  forEach("list places", IndexRange<Space>(space, 0, numItems), list);
  const auto onHost = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), places);
  return {onHost.data(), onHost.data() + size};
}

/// Returns the number of rows.
template <class Space, class Set, int size>
std::int64_t expectTheSame(const CellList<Set::dimension>& cells, const field::Boundary<Set::dimension>& boundary,
  field::DomainSides slip, bool swapped) {
  constexpr int Dim = Set::dimension;
  const Space space;
  const Context context(space);
  const auto set = spanwise::testing::toSet<Space, Dim>(cells);
  field::StencilMapOn<typename Set::Pattern, Space> neighbours;
  field::buildStencilMap<typename Set::Pattern, Space>(context, set, boundary, neighbours);
  const field::FieldOn<float, Space> layout("populations", set.numCells(), Set::count);
  StreamMap<Set, typename Space::memory_space> map;
  map.build(space, neighbours, FieldView<const float>(layout.view()), slip, swapped);
  StreamRows<Set, typename Space::memory_space> rows;
  rows.build(context, map, sizeof(float), size);
  EXPECT_EQ(rows.numCells(), map.numCells());
  EXPECT_LE(rows.numRows(), map.lengths().count);
  const std::int64_t numCells = map.numCells();
  const std::vector<std::int64_t> expected =
    placesOf<Space, Set>(space, numCells, numCells, ListBySegments<Set>{map.lengths(), map.segments(), nullptr});
  EXPECT_EQ((placesOf<Space, Set>(
              space, numCells, rows.numPieces(), ListByRows<Set, size>{rows.view(), layout.view().values, nullptr})),
    expected);
  return rows.numRows();
}

template <int Dim>
field::Boundary<Dim> insideBox(Coordinate begin, Coordinate end) {
  field::Boundary<Dim> boundary{field::BoundaryPolicy::Value};
  std::fill_n(boundary.domain.begin, Dim, begin);
  std::fill_n(boundary.domain.end, Dim, end);
  return boundary;
}

template <class Space, class Set>
void expectTheSameOfRandomCells() {
  constexpr int Dim = Set::dimension;
  constexpr Coordinate extent = 5;
  std::mt19937 random(spanwise::testing::seed());
  for (const double density : {0.3, 0.7, 0.95}) {
    const CellList<Dim> cells = spanwise::testing::randomCells<Dim>(random, extent, density);
    field::Boundary<Dim> boundary = insideBox<Dim>(-extent, extent);
    for (const bool swapped : {false, true}) {
      expectTheSame<Space, Set, 1>(cells, boundary, {}, swapped);
      expectTheSame<Space, Set, 2>(cells, boundary, {}, swapped);
      expectTheSame<Space, Set, 2>(cells, boundary, {0b0110}, swapped); // slip sides
    }
    boundary.period = boundary.domain;
    std::fill_n(boundary.domain.end, Dim, -extent);
    expectTheSame<Space, Set, 2>(cells, boundary, {}, false);
  }
}

TYPED_TEST(StreamRowsOn, SayTheSameAsSegments) {
  expectTheSameOfRandomCells<TypeParam, D2Q9>();
  expectTheSameOfRandomCells<TypeParam, D3Q19>();
  expectTheSameOfRandomCells<TypeParam, D3Q27>();
}

TYPED_TEST(StreamRowsOn, AreTheRowsOfABox) {
  for (const int size : {4, 9}) {
    const CellList<3> cells = spanwise::testing::allCells<3>(0, size);
    EXPECT_EQ((expectTheSame<TypeParam, D3Q19, 1>(cells, insideBox<3>(0, size), {}, true)), size * size);
    EXPECT_EQ((expectTheSame<TypeParam, D3Q27, 2>(cells, insideBox<3>(0, size), {}, false)), size * size);
  }
}

} // namespace
} // namespace spanwise::lattice::testing
