// Sets of cells that kernels add to, against std::set.

#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Workspace.hpp"
#include "Core/Solvers/Eikonal/Detail/CellSet.hpp"
#include "Testing/Core/Seed.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace spanwise::eikonal::testing {
namespace {

using spanwise::testing::AllSpaces;
using spanwise::testing::ofSeveralThreads;
using spanwise::testing::seed;
using spanwise::testing::SpaceNames;

template <class Space>
class CellSets : public ::testing::Test {};
TYPED_TEST_SUITE(CellSets, AllSpaces, SpaceNames);

/// Adds cells, each by an item of its own.
template <bool inBits>
struct AddCells {
  CellSetView<inBits> set;
  const std::int32_t* cells;
  bool alone;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    CellAdder<inBits> adder(set, alone);
    adder.add(cells[i]);
  }
};

/// Counts how often a cell is gone through, and the uses of its place.
template <bool inBits, bool takeOut>
struct CountCells {
  CellSetView<inBits> set;
  std::int32_t* ofCell;
  std::int32_t* ofPlace;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    const auto count = [&](std::int32_t cell, std::int64_t place) {
      Kokkos::atomic_add(ofCell + cell, 1);
      Kokkos::atomic_add(ofPlace + place, 1);
    };
    if constexpr (takeOut) {
      set.takeCells(item, count);
    } else {
      set.forCells(item, count);
    }
  }
};

template <class Space>
class Problem {
public:
  static constexpr bool inBits = CellSet<Space>::inBits;
  using Memory = typename Space::memory_space;

  Problem(const Space& space, std::int32_t numCells)
    : space_(space), numCells_(numCells), frame_(workspace_), length_("length", 1),
      set_(space, numCells, length_.data(), 0, true, frame_) {}

  void add(const std::vector<std::int32_t>& cells, bool alone) {
    const Kokkos::View<std::int32_t*, Memory> there("cells", cells.size());
    Kokkos::deep_copy(there, Kokkos::View<const std::int32_t*, Kokkos::HostSpace>(cells.data(), cells.size()));
    const AddCells<inBits> functor{set_.view(), there.data(), alone};
    if constexpr (inBits) {
      if (alone) {
        for (std::size_t i = 0; i < cells.size(); ++i) {
          functor(static_cast<std::int64_t>(i));
        }
        return;
      }
    }
    Kokkos::parallel_for("add", Range(space_, 0, static_cast<std::int64_t>(cells.size())), functor);
    space_.fence();
  }

  template <bool takeOut>
  void expect(const std::set<std::int32_t>& expected) {
    std::int64_t length = 0;
    Kokkos::deep_copy(Kokkos::View<std::int64_t, Kokkos::HostSpace>(&length), Kokkos::subview(length_, 0));
    ASSERT_EQ(length, static_cast<std::int64_t>(expected.size()));
    const Kokkos::View<std::int32_t*, Memory> cells("cells", static_cast<std::size_t>(numCells_));
    const Kokkos::View<std::int32_t*, Memory> places("places", static_cast<std::size_t>(numCells_));
    const auto view = set_.items(length, true);
    Kokkos::parallel_for(
      "count", Range(space_, 0, view.numItems), CountCells<inBits, takeOut>{view, cells.data(), places.data()});
    space_.fence();
    const auto ofCell = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), cells);
    const auto ofPlace = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), places);
    for (std::int32_t c = 0; c < numCells_; ++c) {
      ASSERT_EQ(ofCell(c), expected.contains(c) ? 1 : 0) << "cell " << c;
      ASSERT_LE(ofPlace(c), 1);
    }
    if (takeOut) {
      Kokkos::deep_copy(length_, 0);
    }
  }

private:
  using Range = IndexRange<Space>;

  Space space_;
  std::int32_t numCells_;
  Workspace<Memory> workspace_;
  typename Workspace<Memory>::Frame frame_;
  Kokkos::View<std::int64_t*, Memory> length_;
  CellSet<Space> set_;
};

TYPED_TEST(CellSets, HoldWhatWasAddedOnceUntilItIsTakenOut) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const auto& space : ofSeveralThreads<TypeParam>()) {
    // Words and words of words that are full, that are not, and that items share.
    for (const std::int32_t numCells : {1, 63, 64, 65, 4096, 4097, 30000}) {
      Problem<TypeParam> problem(space, numCells);
      std::uniform_int_distribution<std::int32_t> any(0, numCells - 1);
      for (const int numAdded : {0, 1, 10, 4 * numCells}) {
        std::set<std::int32_t> expected;
        for (const bool alone : {true, false}) {
          std::vector<std::int32_t> cells(static_cast<std::size_t>(numAdded));
          std::generate(cells.begin(), cells.end(), [&] { return any(random); });
          expected.insert(cells.begin(), cells.end());
          problem.add(cells, alone);
          problem.template expect<false>(expected);
        }
        problem.template expect<true>(expected);
        problem.template expect<false>({});
      }
    }
  }
}

} // namespace
} // namespace spanwise::eikonal::testing
