#include "Testing/Filters/Parallel/Ranks.hpp"

#include "SpanwiseRankCells.h"

#include "Core/Geometry/Morphology.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Rooms.hpp"

#include <vtkDoubleArray.h>
#include <vtkInformation.h>
#include <vtkIntArray.h>
#include <vtkStringArray.h>

#include <random>

namespace spanwise::testing {
namespace {

using Host = HostExecutionSpace;

/// Cells with three arrays of values that depend on where the cells are.
template <int Dim>
RankCells<Dim> withValues(const CellList<Dim>& list) {
  RankCells<Dim> cells;
  cells.set = toHostSet<Dim>(list);
  vtkNew<vtkDoubleArray> place;
  place->SetName("place");
  vtkNew<vtkIntArray> pair;
  pair->SetName("pair");
  pair->SetNumberOfComponents(2);
  vtkNew<vtkStringArray> name;
  name->SetName("name");
  for (const Cell<Dim>& cell : list) {
    double sum = 0.0;
    for (const Coordinate c : cell.at) {
      sum = 100.0 * sum + c;
    }
    place->InsertNextValue(sum);
    const int both[2] = {cell.at[0], cell.at[Dim - 1]};
    pair->InsertNextTypedTuple(both);
    name->InsertNextValue(std::to_string(cell.x()));
  }
  cells.values->SetScalars(place);
  cells.values->AddArray(pair);
  cells.values->AddArray(name);
  return cells;
}

template <int Dim>
std::vector<std::string> linesOf(const RankCells<Dim>& cells) {
  std::vector<std::string> lines;
  vtkIdType c = 0;
  for (const Cell<Dim>& cell : toCells(cells.set.host())) {
    std::string line;
    for (const Coordinate x : cell.at) {
      line += std::to_string(x) + " ";
    }
    for (int k = 0; k < cells.values->GetNumberOfArrays(); ++k) {
      vtkAbstractArray* array = cells.values->GetAbstractArray(k);
      for (int i = 0; i < array->GetNumberOfComponents(); ++i) {
        line += " " + array->GetVariantValue(c * array->GetNumberOfComponents() + i).ToString();
      }
    }
    lines.push_back(line);
    ++c;
  }
  return lines;
}

template <int Dim>
RankCells<Dim> restricted(RankCells<Dim> cells, const PlaneRange& planes) {
  restrictCells(cells, planes);
  return cells;
}

/// Bounds in [-extent, extent] for all ranks; some ranks may own nothing.
RowCut randomCut(std::mt19937& random, Coordinate extent) {
  std::uniform_int_distribution<std::int64_t> bound(-extent, extent);
  RowCut cut;
  cut.bounds = {PlaneRange().begin, PlaneRange().end};
  for (int r = 1; r < everybody().size(); ++r) {
    cut.bounds.push_back(bound(random));
  }
  std::sort(cut.bounds.begin(), cut.bounds.end());
  return cut;
}

template <int Dim>
void expectSame(const RankCells<Dim>& found, const RankCells<Dim>& expected) {
  EXPECT_EQ(validate(Context<Host>(), found.set.host()), "");
  EXPECT_EQ(linesOf(found), linesOf(expected));
  ASSERT_EQ(found.values->GetNumberOfArrays(), expected.values->GetNumberOfArrays());
  EXPECT_EQ(found.values->GetScalars(), found.values->GetArray("place"));
}

constexpr std::int64_t haloPlanes[] = {0, 1, 2, 5, 100};

template <int Dim>
void expectHaloOfTheWhole() {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed() + Dim);
  const Coordinate extent = Dim == 2 ? 12 : 7;
  for (int trial = 0; trial < 20; ++trial) {
    const RankCells<Dim> whole = withValues<Dim>(randomCells<Dim>(random, extent, trial % 2 == 0 ? 0.05 : 0.5));
    const RowCut cut = randomCut(random, extent);
    const PlaneRange mine = cut.part(everybody().rank());
    for (const std::int64_t planes : haloPlanes) {
      RankCells<Dim> cells = restricted(whole, mine);
      const PlaneRange held = addHalo(everybody(), mine, cells, planes);
      EXPECT_EQ(held.empty(), mine.empty());
      const PlaneRange expected = mine.empty() ? PlaneRange{0, 0} : mine.widened(planes);
      EXPECT_TRUE(held == expected) << toString(held) << " instead of " << toString(expected);
      expectSame(cells, restricted(whole, expected));
      restrictCells(cells, mine);
      expectSame(cells, restricted(whole, mine));
    }
  }
}

TEST(Halo, IsOfTheWholeSet) {
  expectHaloOfTheWhole<2>();
  expectHaloOfTheWhole<3>();
}

template <int Dim>
Cell<Dim> moved(Cell<Dim> cell, std::int64_t shift) {
  cell.at[Dim - 1] = static_cast<Coordinate>(cell.at[Dim - 1] + shift);
  return cell;
}

/// The cells of the repeated set in `planes`, with the values of the cells that are repeated.
template <int Dim>
std::map<Cell<Dim>, double> repeated(const RankCells<Dim>& whole, const PlaneRange& planes, const PlaneRange& period) {
  std::map<Cell<Dim>, double> cells;
  vtkIdType c = 0;
  for (const Cell<Dim>& cell : toCells(whole.set.host())) {
    const double value = whole.values->GetArray("place")->GetComponent(c++, 0);
    for (int k = -250; k <= 250; ++k) {
      const std::int64_t shift = k * (period.end - period.begin);
      if (planes.contains(cell.at[Dim - 1] + shift)) {
        cells[moved<Dim>(cell, shift)] = value;
      }
    }
  }
  return cells;
}

template <int Dim>
void expectPeriodicHalo() {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed() + Dim);
  const Coordinate extent = Dim == 2 ? 8 : 5;
  std::uniform_int_distribution<Coordinate> margin(0, 2);
  for (int trial = 0; trial < 20; ++trial) {
    const RankCells<Dim> whole = withValues<Dim>(randomCells<Dim>(random, trial == 0 ? 1 : extent, 0.4));
    const PlaneRange period{-extent - margin(random), extent + margin(random)};
    const RowCut cut = randomCut(random, extent + 1);
    const PlaneRange mine = cut.part(everybody().rank());
    for (const std::int64_t planes : haloPlanes) {
      RankCells<Dim> cells = restricted(whole, mine);
      const PlaneRange held = addHalo(everybody(), mine, cells, {planes, period});
      const PlaneRange own = mine.within(period);
      EXPECT_TRUE(held == (own.empty() ? PlaneRange{0, 0} : own.widened(planes)));
      EXPECT_EQ(validate(Context<Host>(), cells.set.host()), "");
      const auto expected = repeated(whole, held, period);
      const CellList<Dim> found = toCells(cells.set.host());
      ASSERT_EQ(found.size(), expected.size());
      vtkIdType c = 0;
      for (const auto& [cell, value] : expected) {
        EXPECT_TRUE(found.count(cell) == 1);
        EXPECT_EQ(cells.values->GetArray("place")->GetComponent(c++, 0), value);
      }
    }
  }
}

TEST(Halo, ComesFromTheOtherEndOfAPeriod) {
  expectPeriodicHalo<2>();
  expectPeriodicHalo<3>();
}

TEST(Halo, MakesDilationTheSameAsAlone) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const Context<Host> context;
  for (int trial = 0; trial < 10; ++trial) {
    RankCells<3> whole;
    whole.set = toHostSet<3>(randomCells<3>(random, 7, 0.03));
    const RowCut cut = randomCut(random, 7);
    const PlaneRange mine = cut.part(everybody().rank());
    for (const int radius : {1, 3}) {
      const StructuringElement<3> ball = StructuringElement<3>::ball(radius);
      RankCells<3> cells = restricted(whole, mine);
      addHalo(everybody(), mine, cells, radius);
      const auto dilated = [&](const RankCells<3>& of) {
        HostIntervalSet<3> out;
        morph<Host, 3>(context, MorphologyOperation::Dilate, of.set.host(), ball, out);
        RankCells<3> result;
        result.set = out;
        return result;
      };
      RankCells<3> grown = dilated(cells);
      restrictCells(grown, mine);
      EXPECT_TRUE(toCells(grown.set.host()) == toCells(restricted(dilated(whole), mine).set.host()));
    }
  }
}

TEST(Halo, ComesWithADistribution) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const CellList<3> list = randomCells<3>(random, 8, 0.4);
  const RankCells<3> whole = withValues<3>(list);
  CellList<3> dealt; // a rank has every size-th cell
  int k = 0;
  for (const Cell<3>& cell : list) {
    if (k++ % everybody().size() == everybody().rank()) {
      dealt.insert(cell);
    }
  }
  RankCells<3> cells = withValues<3>(dealt);
  const PlaneRange mine = distribute(everybody(), cells, 2);
  expectSame(cells, restricted(whole, mine.widened(2)));
  // One process that makes pieces out of the whole.
  vtkNew<vtkInformation> request;
  request->Set(vtkStreamingDemandDrivenPipeline::UPDATE_NUMBER_OF_PIECES(), 5);
  for (int piece = 0; piece < 5; ++piece) {
    request->Set(vtkStreamingDemandDrivenPipeline::UPDATE_PIECE_NUMBER(), piece);
    const RankGroup alone = RankGroup::ofRequest(nullptr, request);
    RankCells<3> part = whole;
    const PlaneRange planes = distribute(alone, part, 2);
    EXPECT_FALSE(planes.empty());
    expectSame(part, restricted(whole, planes.widened(2)));
    const PlaneRange period{-8, 9};
    part = whole;
    EXPECT_TRUE(distribute(alone, part, {2, period}) == planes);
    EXPECT_TRUE(toCells(part.set.host()).size() == repeated(whole, planes.within(period).widened(2), period).size());
  }
}

TEST(Halo, ReachesTheLimitsOfCoordinates) {
  const int size = everybody().size();
  const int rank = everybody().rank();
  CellList<2> list;
  for (Coordinate k = 0; k < 5; ++k) {
    list.insert({{k, maxRowKey - k}});
    list.insert({{k, minCoordinate + k}});
  }
  const RankCells<2> whole = withValues<2>(list);
  RowCut cut;
  cut.bounds.assign(static_cast<std::size_t>(size) + 1, maxRowKey);
  cut.bounds.front() = minCoordinate;
  cut.bounds.back() = std::int64_t{maxRowKey} + 1;
  const PlaneRange mine = cut.part(rank);
  RankCells<2> cells = restricted(whole, mine);
  const PlaneRange held = addHalo(everybody(), mine, cells, 3);
  expectSame(cells, restricted(whole, held));
  const std::int64_t owned = rank == 0 ? 9 : 1;
  EXPECT_EQ(cells.set.numCells(), size == 1 ? 10 : mine.empty() ? 0 : rank == 0 ? owned + 1 : owned + 3);
  cells = restricted(whole, mine);
  const PlaneRange period{minCoordinate, std::int64_t{maxRowKey} + 1};
  EXPECT_THROW(addHalo(everybody(), mine, cells, {1, period}), CoordinateOverflow);
  cells = restricted(whole, mine);
  addHalo(everybody(), mine, cells, {0, period});
  expectSame(cells, restricted(whole, mine));
}

TEST(Halo, AgreesOnFailure) {
  const int size = everybody().size();
  const int rank = everybody().rank();
  const PlaneRange mine{2 * rank, 2 * rank + 2};
  CellList<2> list{{{0, 2 * rank}}};
  RankCells<2> cells = withValues<2>(list);
  EXPECT_THROW(addHalo(everybody(), mine, cells, -1), InvalidArgument);
  if (size > 1) {
    EXPECT_THROW(addHalo(everybody(), {0, 2}, cells, 1), InvalidArgument);
    EXPECT_THROW(addHalo(everybody(), {-2 * rank, -2 * rank + 2}, cells, 1), InvalidArgument);
  }
  EXPECT_THROW(addHalo(everybody(), mine, cells, {1, {1, 2 * size + 1}}), Error); // on the first rank alone
  EXPECT_EQ(addHalo(everybody(), mine, cells, {1, {0, 2 * size}}).end, 2 * rank + 3);
  EXPECT_EQ(cells.set.numCells(), 2); // the own one and the one above
}

} // namespace
} // namespace spanwise::testing
