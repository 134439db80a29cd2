#include "Core/Geometry/CellMask.hpp"
#include "Core/Geometry/Detail/PlaceMasksOnHost.hpp"
#include "Core/Geometry/Detail/WordInstructions.hpp"
#include "Core/Geometry/Detail/WordLoops.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Geometry/NodeRows.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Geometry/SetReference.hpp"
#include "Testing/Core/Runtime/CountAllocations.hpp"
#include "Testing/Rooms.hpp"

#include <array>
#include <limits>
#include <random>
#include <vector>

namespace spanwise::testing {
namespace {

using Host = HostExecutionSpace;
const Context<Host>& context() {
  static const Context<Host> ofHost;
  return ofHost;
}

template <int Dim>
CellMask<Dim> toMask(const CellList<Dim>& cells) {
  const HostIntervalSet<Dim> set = toHostSet<Dim>(cells);
  CellMask<Dim> mask;
  maskOf<Dim>(context(), set, boundingBox<Host, Dim>(context(), set), mask);
  return mask;
}

/// That a mask has just these cells, and says of them what their intervals say.
template <int Dim>
void expectMask(const CellMask<Dim>& mask, const CellList<Dim>& cells) {
  HostIntervalSet<Dim> set;
  intervalsOf<Dim>(context(), mask, set);
  expectCells<Host, Dim>(set, cells);
  EXPECT_EQ(mask.totals().rows, set.numRows());
  EXPECT_EQ(mask.totals().intervals, set.numIntervals());
  EXPECT_EQ(mask.totals().cells, set.numCells());
  EXPECT_EQ(mask.boundingBox(), (boundingBox<Host, Dim>(context(), set)));
  EXPECT_EQ(countNodes<Dim>(context(), mask), (countNodes<Host, Dim>(context(), set)));
}

/// Random cells of a box around the origin, whose rows begin and end within words, moved by an offset.
template <int Dim>
CellList<Dim> someCells(std::mt19937& random, double density, Coordinate dx, Coordinate dy) {
  Box<Dim> box{};
  std::fill_n(box.begin, Dim, -2);
  std::fill_n(box.end, Dim, 3);
  box.begin[0] = -90;
  box.end[0] = 75;
  CellList<Dim> cells;
  std::bernoulli_distribution inside(density);
  for (Cell<Dim> cell : allCells<Dim>(box)) {
    if (inside(random)) {
      cell.at[0] += dx;
      cell.at[1] += dy;
      cells.insert(cell);
    }
  }
  return cells;
}

template <int Dim>
void expectCombined(std::mt19937& random) {
  for (const double density : {0.02, 0.5, 0.98}) {
    const std::vector<CellList<Dim>> cells{someCells<Dim>(random, density, 0, 0), someCells<Dim>(random, 0.5, 70, 1),
      someCells<Dim>(random, density, -130, -1), someCells<Dim>(random, 0.5, 300, 9), {}};
    std::vector<CellMask<Dim>> masks;
    for (const CellList<Dim>& list : cells) {
      masks.push_back(toMask<Dim>(list));
      expectMask<Dim>(masks.back(), list);
    }
    CellMask<Dim> out;
    for (const SetOperation operation : allOperations) {
      SCOPED_TRACE("operation " + std::to_string(static_cast<unsigned>(operation)));
      for (std::size_t first = 0; first < masks.size(); ++first) {
        std::vector<const CellMask<Dim>*> list;
        CellList<Dim> expected;
        for (std::size_t k = 0; k < masks.size(); ++k) {
          const std::size_t next = (first + k) % masks.size();
          list.push_back(&masks[next]);
          expected = k == 0 ? cells[next] : combinedCells<Dim>(operation, expected, cells[next]);
          combine<Dim>(context(), operation, list, out);
          expectMask<Dim>(out, expected);
        }
      }
    }
    combine<Dim>(context(), SetOperation::Union, {}, out);
    expectMask<Dim>(out, {});
  }
}

TEST(CellMask, OperationsAreThoseOfBruteForce) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  expectCombined<2>(random);
  expectCombined<3>(random);
}

TEST(CellMask, HoldsCellsAtTheEndsOfCoordinates) {
  constexpr Coordinate last = maxIntervalEnd - 1;
  const CellList<2> ends{{{minCoordinate, minCoordinate}}, {{minCoordinate + 2, minCoordinate}}};
  const CellList<2> others{{{last - 64, 0}}, {{last - 2, 0}}, {{last, 0}}, {{last - 1, 1}}};
  expectMask<2>(toMask<2>(ends), ends);
  expectMask<2>(toMask<2>(others), others);
}

// Loops for this processor do what those for any do.
TEST(CellMask, LoopsAreThoseOfEveryProcessor) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937_64 random(seed());
  const geometry::detail::WordLoops& plain = geometry::detail::plainWordLoops();
  const geometry::detail::WordLoops& loops = geometry::detail::wordLoops();
  for (std::int64_t numWords = 1; numWords < 70; ++numWords) {
    std::vector<std::uint64_t> rows[4];
    const std::uint64_t* pointers[4];
    for (int k = 0; k < 4; ++k) {
      for (std::int64_t w = 0; w < numWords; ++w) {
        rows[k].push_back(random() & random() & (k % 2 == 0 ? ~std::uint64_t{0} : random()));
      }
      pointers[k] = rows[k].data();
      EXPECT_EQ(loops.countNodes(pointers, k + 1, numWords), plain.countNodes(pointers, k + 1, numWords));
      EXPECT_EQ(loops.countCells(pointers[k], numWords).intervals, plain.countCells(pointers[k], numWords).intervals);
      EXPECT_EQ(loops.countCells(pointers[k], numWords).cells, plain.countCells(pointers[k], numWords).cells);
    }
    for (const SetOperation operation : allOperations) {
      std::vector<std::uint64_t> words = rows[0];
      std::vector<std::uint64_t> expected = rows[0];
      loops.combine(operation, pointers[1], numWords, words.data());
      plain.combine(operation, pointers[1], numWords, expected.data());
      EXPECT_EQ(words, expected);
    }
  }
}

/// Processors with instructions for it draw words by others.
TEST(CellMask, WordsAreThoseOfEveryProcessor) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const geometry::detail::WordInstructions* const instructions = geometry::detail::wordInstructions();
  if (instructions == nullptr) {
    GTEST_SKIP() << "this processor has no instructions for words";
  }
  for (const double density : {0.01, 0.3, 0.9}) {
    const HostIntervalSet<2> set = toHostSet<2>(someCells<2>(random, density, 0, 0));
    const IntervalSetView<2> view = set.view();
    for (std::int64_t r = 0; r < view.numRows; ++r) {
      const auto* const endpoints = reinterpret_cast<const Coordinate*>(view.intervals + view.rowOffsets[r]);
      std::array<std::uint64_t, 4> words;
      std::array<std::uint64_t, 4> expected;
      instructions->wordsOfEndpoints(endpoints, view.row(r).size(), -128, words.data(), 4);
      geometry::detail::wordsOfEndpoints(endpoints, view.row(r).size(), -128, expected.data(), 4);
      EXPECT_EQ(words, expected);
    }
  }
}

TEST(CellMask, ARepeatedOperationAllocatesNothing) {
  const HostIntervalSet<3> sets[2]{noise<3>(1, 512, 128), noise<3>(2, 512, 128)};
  CellMask<3> masks[2];
  CellMask<3> out;
  HostIntervalSet<3> intervals;
  const std::vector<const CellMask<3>*> list{masks, masks + 1};
  expectNoAllocations<Host>([&] {
    for (int k = 0; k < 2; ++k) {
      maskOf<3>(context(), sets[k], boundingBox<Host, 3>(context(), sets[k]), masks[k]);
    }
    combine<3>(context(), SetOperation::Union, list, out);
    intervalsOf<3>(context(), out, intervals);
  });
}

TEST(CellMask, NoiseIsWhatHasManyIntervalsInItsBox) {
  const Box<3> box{{0, 0, 0}, {640, 10, 10}}; // 1000 words
  EXPECT_TRUE(isNoise<3>(500, box));
  EXPECT_FALSE(isNoise<3>(499, box));
  EXPECT_FALSE(isNoise<3>(0, {}));
  constexpr Coordinate far = std::numeric_limits<Coordinate>::max();
  EXPECT_FALSE(isNoise<3>(std::int64_t{1} << 40, {{-far, -far, -far}, {far, far, far}}));
}

} // namespace
} // namespace spanwise::testing
