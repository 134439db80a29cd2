#include "Testing/Filters/Geometry/Pipelines.hpp"

#include "Core/Geometry/Components.hpp"
#include "Core/Geometry/FillHoles.hpp"
#include "Core/Runtime/Context.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseComponents.h"
#include "vtkSpanwiseFillHoles.h"

#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkTable.h>

#include <random>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseComponents;

/// The cells of each component, by its number in the output.
template <int Dim>
std::map<vtkIdType, CellList<Dim>> componentsIn(vtkDataObject* output) {
  const auto grid = carriedGrid<Dim>(output);
  vtkDataArray* ids = vtkDataSet::SafeDownCast(output)->GetCellData()->GetArray("ComponentId");
  std::map<vtkIdType, CellList<Dim>> components;
  for (vtkIdType c = 0; c < grid->set().numCells(); ++c) {
    components[static_cast<vtkIdType>(ids->GetComponent(c, 0))].insert(grid->cellAt(c));
  }
  return components;
}

double number(vtkDataObject* data, const char* name) {
  return data->GetFieldData()->GetArray(name)->GetComponent(0, 0);
}

/// Two squares that touch in a corner, a ring around a hole, and a single cell: sizes 4, 4, 8, 1.
CellList<2> scene() {
  CellList<2> cells{{{0, 0}}, {{1, 0}}, {{0, 1}}, {{1, 1}}, {{2, 2}}, {{3, 2}}, {{2, 3}}, {{3, 3}}, {{20, 30}}};
  for (Coordinate y = 10; y < 13; ++y) {
    for (Coordinate x = -5; x < -2; ++x) {
      if (x != -4 || y != 11) {
        cells.insert({{x, y}});
      }
    }
  }
  return cells;
}

TEST(Components, AreNumberedAndMeasured) {
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<2>(scene(), {{100.0, 0.0, 7.0}, {0.5, 2.0, 1.0}, 0}));
  filter->Update();
  const auto components = componentsIn<2>(filter->GetOutput());
  ASSERT_EQ(components.size(), 4U);
  EXPECT_EQ(components.at(2).size(), 8U);
  EXPECT_TRUE(components.at(3) == CellList<2>({{{20, 30}}}));
  vtkDataArray* sizes = filter->GetOutput()->GetCellData()->GetArray("ComponentSize");
  EXPECT_EQ(sizes->GetComponent(0, 0), 4.0);
  EXPECT_EQ(sizes->GetComponent(8, 0), 8.0);
  EXPECT_EQ(number(filter->GetOutput(), "Number of Components"), 4.0);
  EXPECT_EQ(number(filter->GetOutput(), "Euler Number"), 3.0); // a hole less
  auto* table = vtkTable::SafeDownCast(filter->GetOutputDataObject(1));
  ASSERT_EQ(table->GetNumberOfRows(), 4);
  const auto at = [&](vtkIdType row, const char* column, int component) {
    return vtkDataArray::SafeDownCast(table->GetColumnByName(column))->GetComponent(row, component);
  };
  EXPECT_EQ(at(2, "Component", 0), 2.0);
  EXPECT_EQ(at(2, "Cells", 0), 8.0);
  const double bounds[6] = {97.5, 99.0, 20.0, 26.0, 7.0, 7.0};
  for (int k = 0; k < 6; ++k) {
    EXPECT_EQ(at(2, "Bounds", k), bounds[k]);
  }
  EXPECT_EQ(at(2, "Centroid", 0), 98.25);
  EXPECT_EQ(at(2, "Centroid", 1), 23.0);
  EXPECT_EQ(at(2, "Centroid", 2), 7.0);
  filter->SetConnectivity(Filter::VERTICES);
  filter->Update();
  EXPECT_EQ(number(filter->GetOutput(), "Number of Components"), 3.0);
  EXPECT_EQ(number(filter->GetOutput(), "Euler Number"), 2.0);
}

TEST(Components, AreKeptByWhatIsAskedFor) {
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<2>(scene(), {}, 50.0));
  const auto kept = [&] {
    filter->Update();
    std::vector<vtkIdType> numbers;
    for (const auto& [id, cells] : componentsIn<2>(filter->GetOutput())) {
      numbers.push_back(id);
    }
    EXPECT_EQ(vtkTable::SafeDownCast(filter->GetOutputDataObject(1))->GetNumberOfRows(), std::ssize(numbers));
    EXPECT_EQ(number(filter->GetOutput(), "Number of Components"), 4.0);
    return numbers;
  };
  using Ids = std::vector<vtkIdType>;
  filter->SetKeep(Filter::LARGEST);
  EXPECT_EQ(kept(), Ids{2});
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetArray("number")->GetComponent(0, 0), 58.0); // carried
  filter->SetKeep(Filter::BY_SIZE);
  EXPECT_EQ(kept(), (Ids{0, 1, 2, 3}));
  filter->SetSmallestSize(2);
  EXPECT_EQ(kept(), (Ids{0, 1, 2}));
  filter->SetLargestSize(7);
  EXPECT_EQ(kept(), (Ids{0, 1}));
  filter->SetKeep(Filter::CONTAINING_POINT);
  filter->SetSeedPoint(3.999, 2.0, 123.0);
  EXPECT_EQ(kept(), Ids{1});
  filter->SetSeedPoint(20.5, 30.5, 0.0);
  EXPECT_EQ(kept(), Ids{3});
  filter->SetSeedPoint(-3.5, 11.5, 0.0); // the hole
  expectOneError(filter, "the seed point (-3.5, 11.5, 0) lies in no cell");
  EXPECT_EQ(vtkTable::SafeDownCast(filter->GetOutputDataObject(1))->GetNumberOfRows(), 0);
  filter->SetSeedPoint(1e300, 0.0, 0.0);
  expectOneError(filter, "lies in no cell");
}

// Of equally large ones the first.
TEST(Components, TheFirstOfTheLargestIsKept) {
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<3>({{{5, 0, 0}}, {{6, 0, 0}}, {{0, 0, 0}}, {{0, 4, 0}}, {{0, 5, 0}}}));
  filter->SetKeep(Filter::LARGEST);
  filter->Update();
  EXPECT_TRUE(cellsOf<3>(filter->GetOutput()) == CellList<3>({{{5, 0, 0}}, {{6, 0, 0}}}));
}

template <int Dim>
void expectAsCore(std::mt19937& random, Coordinate extent) {
  const CellList<Dim> cells = randomCells<Dim>(random, extent, 0.4);
  const auto set = toHostSet<Dim>(cells);
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<Dim>(cells));
  for (const int connectivity : {Filter::FACES, Filter::EDGES, Filter::VERTICES}) {
    filter->SetConnectivity(connectivity);
    filter->Update();
    const ComponentNumbers<HostExecutionSpace> labels("labels", static_cast<std::size_t>(set.numIntervals()));
    const Context<HostExecutionSpace> context;
    const auto count =
      connectedComponents<HostExecutionSpace, Dim>(context, static_cast<Connectivity>(connectivity), set, labels)
        .count();
    EXPECT_EQ(number(filter->GetOutput(), "Number of Components"), static_cast<double>(count));
    EXPECT_EQ(
      filter->GetOutput()->GetFieldData()->HasArray("Euler Number") != 0, Dim == 2 || connectivity != Filter::EDGES);
    vtkDataArray* ids = filter->GetOutput()->GetCellData()->GetArray("ComponentId");
    const auto grid = carriedGrid<Dim>(filter->GetOutput());
    for (vtkIdType c = 0; c < filter->GetOutput()->GetNumberOfCells(); ++c) {
      EXPECT_EQ(
        ids->GetComponent(c, 0), static_cast<double>(labels(static_cast<std::size_t>(grid->intervalOfCell(c)))));
    }
  }
}

TEST(Components, AreThoseOfCore) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  expectAsCore<2>(random, 15);
  expectAsCore<3>(random, 6);
}

TEST(Components, MeetAtTheSeamOfAPeriod) {
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<2>({{{0, 0}}, {{9, 0}}, {{0, 5}}, {{9, 4}}}));
  filter->Update();
  EXPECT_EQ(number(filter->GetOutput(), "Number of Components"), 4.0);
  filter->PeriodicXOn();
  filter->Update();
  EXPECT_EQ(number(filter->GetOutput(), "Number of Components"), 3.0);
  filter->PeriodicYOn(); // (0, 0) is beside (0, 5), too
  filter->Update();
  EXPECT_EQ(number(filter->GetOutput(), "Number of Components"), 2.0);
  filter->SetConnectivity(Filter::VERTICES);
  filter->Update();
  EXPECT_EQ(number(filter->GetOutput(), "Number of Components"), 1.0);
  filter->SetPeriodBox(Filter::GIVEN_BOUNDS);
  filter->SetPeriodBounds(-1.0, 11.0, -1.0, 11.0, 0.0, 1.0);
  filter->Update();
  EXPECT_EQ(number(filter->GetOutput(), "Number of Components"), 4.0);
}

// One value for each interval, whatever the number of cells.
TEST(Components, TakeMemoryByTheInterval) {
  CellList<2> cells;
  for (Coordinate x = 0; x < 100000; ++x) {
    cells.insert({{x, 0}});
  }
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<2>(cells));
  filter->PassAllArraysOff();
  filter->Update();
  EXPECT_LT(filter->GetOutput()->GetCellData()->GetActualMemorySize(), 8U); // KiB
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetArray("ComponentSize")->GetRange(0)[0], 100000.0);
  vtkNew<vtkUnstructuredGrid> copy;
  copy->DeepCopy(filter->GetOutput());
  filter->SetInputData(gridOfCells<2>({{{0, 0}}}));
  filter->Update();
  EXPECT_EQ(copy->GetCellData()->GetArray("ComponentSize")->GetComponent(99999, 0), 100000.0);
}

// The cells are those of the input, and so is what finds them.
TEST(Components, ShareTheRecordOfTheInput) {
  const auto grid = gridOfCells<2>(scene(), {{1.0, 2.0, 3.0}, {0.5, 0.5, 0.5}, 0});
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->Update();
  EXPECT_EQ(carriedGrid<2>(filter->GetOutput()), carriedGrid<2>(grid));
  filter->SetKeep(Filter::LARGEST);
  filter->Update();
  EXPECT_NE(carriedGrid<2>(filter->GetOutput()), carriedGrid<2>(grid));
}

TEST(Components, PiecesPartitionTheWhole) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<3>(randomCells<3>(random, 6, 0.3)));
  filter->Update();
  const auto whole = componentsIn<3>(filter->GetOutput());
  std::map<vtkIdType, CellList<3>> all;
  vtkIdType lines = 0;
  for (int piece = 0; piece < 3; ++piece) {
    filter->UpdatePiece(piece, 3, 0);
    for (const auto& [id, cells] : componentsIn<3>(filter->GetOutput())) {
      all[id].insert(cells.begin(), cells.end());
    }
    filter->Update(1); // the table is of the same piece
    lines += vtkTable::SafeDownCast(filter->GetOutputDataObject(1))->GetNumberOfRows();
  }
  EXPECT_TRUE(all == whole);
  EXPECT_EQ(lines, std::ssize(whole));
}

TEST(Components, OfNothingAreNone) {
  vtkNew<vtkUnstructuredGrid> nothing;
  vtkNew<Filter> filter;
  filter->SetInputData(nothing);
  Messages messages;
  for (const int keep : {Filter::ALL, Filter::LARGEST, Filter::BY_SIZE}) {
    filter->SetKeep(keep);
    filter->Update();
    EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 0);
    EXPECT_EQ(number(filter->GetOutput(), "Number of Components"), 0.0);
  }
  EXPECT_EQ(messages.all().size(), 0U);
}

TEST(Components, BadInputIsOneError) {
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<2>(scene()));
  filter->SetKeep(4);
  expectOneError(filter, "what to keep is 4");
  filter->SetKeep(Filter::BY_SIZE);
  filter->SetSmallestSize(-1);
  expectOneError(filter, "the sizes to keep are from -1");
  filter->SetSmallestSize(5);
  filter->SetLargestSize(4);
  expectOneError(filter, "the sizes to keep are from 5 to 4; the smallest must not be greater than the largest");
  filter->SetKeep(Filter::ALL); // in which sizes do not matter
  Messages messages;
  filter->Update();
  EXPECT_GT(filter->GetOutput()->GetNumberOfCells(), 0);
  EXPECT_EQ(messages.all().size(), 0U);
  filter->SetConnectivity(5);
  expectOneError(filter, "the connectivity is 5");
}

TEST(FillHoles, FillsThoseWithoutAWayOut) {
  CellList<2> cells = scene();
  vtkNew<vtkSpanwiseFillHoles> filter;
  filter->SetInputData(gridOfCells<2>(cells));
  filter->Update();
  CellList<2> expected = cells;
  expected.insert({{-4, 11}});
  EXPECT_TRUE(cellsOf<2>(filter->GetOutput()) == expected);
  vtkDataArray* numbers = filter->GetOutput()->GetCellData()->GetArray("number");
  int missing = 0;
  for (vtkIdType c = 0; c < filter->GetOutput()->GetNumberOfCells(); ++c) {
    missing += static_cast<int>(std::isnan(numbers->GetComponent(c, 0)));
  }
  EXPECT_EQ(missing, 1);
  cells.erase(Cell<2>{{-3, 12}}); // a way out over a vertex
  filter->SetInputData(gridOfCells<2>(cells));
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), std::ssize(cells) + 1);
  filter->SetConnectivity(vtkSpanwiseFillHoles::VERTICES);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), std::ssize(cells));
}

template <int Dim>
void expectFilledAsCore(std::mt19937& random, Coordinate extent) {
  for (int k = 0; k < 20; ++k) {
    const CellList<Dim> cells = randomCells<Dim>(random, extent, 0.65);
    vtkNew<vtkSpanwiseFillHoles> filter;
    filter->SetInputData(gridOfCells<Dim>(cells));
    for (const int connectivity : {0, 1, 2}) {
      filter->SetConnectivity(connectivity);
      filter->Update();
      HostIntervalSet<Dim> expected;
      const Context<HostExecutionSpace> context;
      fillHoles<HostExecutionSpace, Dim>(
        context, static_cast<Connectivity>(connectivity), toHostSet<Dim>(cells), expected);
      EXPECT_TRUE(cellsOf<Dim>(filter->GetOutput()) == toCells(expected));
    }
  }
}

TEST(FillHoles, AsCoreDoes) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  expectFilledAsCore<2>(random, 8);
  expectFilledAsCore<3>(random, 4);
}

// Two walls around a ring: what lies between them is a hole where x is periodic and nowhere else.
TEST(FillHoles, AlongPeriodicAxes) {
  CellList<2> walls;
  for (Coordinate x = 0; x < 10; ++x) {
    walls.insert({{x, 0}});
    walls.insert({{x, 4}});
  }
  vtkNew<vtkSpanwiseFillHoles> filter;
  filter->SetInputData(gridOfCells<2>(walls));
  const auto numCells = [&] {
    filter->Update();
    return filter->GetOutput()->GetNumberOfCells();
  };
  EXPECT_EQ(numCells(), 20);
  filter->SetPeriodicX(true);
  EXPECT_EQ(numCells(), 50);
  filter->SetLargestHole(29);
  EXPECT_EQ(numCells(), 20);
  filter->SetLargestHole(30);
  EXPECT_EQ(numCells(), 50);
  filter->SetPeriodBox(vtkSpanwiseFillHoles::GIVEN_BOUNDS);
  filter->SetPeriodBounds(0.0, 11.0, 0.0, 0.0, 0.0, 0.0); // the walls are open at x = 10
  EXPECT_EQ(numCells(), 20);
  filter->SetPeriodBounds(0.0, 9.0, 0.0, 0.0, 0.0, 0.0);
  expectOneError(filter, "are not within the period");
  filter->SetPeriodBox(vtkSpanwiseFillHoles::BOX_OF_INPUT);
  filter->SetPeriodicZ(true); // does not matter in 2D
  EXPECT_EQ(numCells(), 50);
  filter->SetPeriodicY(true);
  expectOneError(filter, "one axis at least must not be periodic");
  vtkNew<vtkUnstructuredGrid> nothing;
  filter->SetInputData(nothing);
  filter->SetPeriodicY(false);
  EXPECT_EQ(numCells(), 0);
}

TEST(FillHoles, LeavesLargeOnes) {
  CellList<2> cells;
  for (Coordinate y = 0; y < 7; ++y) {
    for (Coordinate x = 0; x < 9; ++x) {
      const bool small = x == 1 && y == 1;
      const bool large = x >= 3 && x < 8 && y >= 2 && y < 6;
      if (!small && !large) {
        cells.insert({{x, y}});
      }
    }
  }
  vtkNew<vtkSpanwiseFillHoles> filter;
  filter->SetInputData(gridOfCells<2>(cells));
  for (const auto& [largest, filled] : {std::pair(0, 21), std::pair(1, 1), std::pair(19, 1), std::pair(20, 21)}) {
    filter->SetLargestHole(largest);
    filter->Update();
    EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), std::ssize(cells) + filled);
  }
  filter->SetLargestHole(-1);
  expectOneError(filter, "the largest hole has -1 cells");
  filter->SetLargestHole(0);
  filter->SetConnectivity(-1);
  expectOneError(filter, "the connectivity is -1");
  filter->SetConnectivity(0);
  filter->SetInputData(gridOfCells<2>({{{maxRowKey, 0}}}));
  expectOneError(filter, "reach the coordinate limits");
}

} // namespace
} // namespace spanwise::testing
