// Several ranks write one file and read it again, each its own rows.

#include "Testing/Dimensions.hpp"
#include "Testing/Readers/Sample.hpp"
#include "Testing/Readers/SharedFolder.hpp"
#include "Testing/Readers/StepSource.hpp"

#include "Filters/DataModel/SpanwiseBridge.h"
#include "Readers/vtkSpanwiseReader.h"
#include "Readers/vtkSpanwiseWriter.h"
#include "Testing/Rooms.hpp"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkStringArray.h>
#include <vtkTestErrorObserver.h>
#include <vtkUnstructuredGrid.h>

#include <functional>

namespace spanwise::testing {

namespace {

template <int Dim>
HostIntervalSet<Dim> partOf(const CellList<Dim>& cells, const std::function<bool(const Cell<Dim>&)>& mine) {
  CellList<Dim> part;
  for (const Cell<Dim>& cell : cells) {
    if (mine(cell)) {
      part.insert(cell);
    }
  }
  return toHostSet<Dim>(part);
}

// A value that a place tells.
double valueAt(const double position[3], int component) {
  return position[0] + 100.0 * position[1] + 10000.0 * position[2] + 0.5 * component;
}

void addValues(
  vtkDataSetAttributes* data, const char* name, vtkIdType count, const std::function<void(vtkIdType, double*)>& place) {
  vtkNew<vtkDoubleArray> values;
  values->SetName(name);
  values->SetNumberOfComponents(2);
  values->SetNumberOfTuples(count);
  for (vtkIdType t = 0; t < count; ++t) {
    double position[3];
    place(t, position);
    values->SetTuple2(t, valueAt(position, 0), valueAt(position, 1));
  }
  data->AddArray(values);
}

void centre(vtkDataSet* data, vtkIdType cell, double position[3]) {
  double bounds[6];
  data->GetCellBounds(cell, bounds);
  for (int d = 0; d < 3; ++d) {
    position[d] = 0.5 * (bounds[2 * d] + bounds[2 * d + 1]);
  }
}

template <int Dim>
vtkSmartPointer<vtkUnstructuredGrid> gridWithValues(const HostIntervalSet<Dim>& set) {
  auto grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
  setGrid<Dim>(grid, IntervalGrid<Dim>::make(set, {{-1.0, 2.0, 0.5}, {0.25, 0.5, 2.0}, 1}));
  addValues(grid->GetCellData(), "cells", grid->GetNumberOfCells(),
    [&](vtkIdType c, double* position) { centre(grid, c, position); });
  addValues(grid->GetPointData(), "points", grid->GetNumberOfPoints(),
    [&](vtkIdType p, double* position) { grid->GetPoint(p, position); });
  return grid;
}

void expectValues(
  vtkDataSetAttributes* data, const char* name, vtkIdType count, const std::function<void(vtkIdType, double*)>& place) {
  vtkDataArray* values = data->GetArray(name);
  ASSERT_NE(values, nullptr) << name;
  ASSERT_EQ(values->GetNumberOfTuples(), count);
  for (vtkIdType t = 0; t < count; ++t) {
    double position[3];
    place(t, position);
    for (int c = 0; c < 2; ++c) {
      ASSERT_EQ(values->GetComponent(t, c), valueAt(position, c)) << name << " " << t;
    }
  }
}

int writeTogether(const std::string& path, vtkDataObject* data, vtkTest::ErrorObserver* observer = nullptr) {
  vtkNew<vtkSpanwiseWriter> writer;
  if (observer != nullptr) {
    writer->AddObserver(vtkCommand::ErrorEvent, observer);
    writer->AddObserver(vtkCommand::WarningEvent, observer);
  }
  writer->SetInputDataObject(data);
  writer->SetFileName(path.c_str());
  return writer->Write();
}

enum class Points { Kept, LeftOut };

// Expects a file to hold these cells, read by one and by all ranks.
template <int Dim>
void expectFile(const std::string& path, const CellList<Dim>& cells, Points points) {
  const HostIntervalSet<Dim> whole = toHostSet<Dim>(cells);
  const RankGroup group = everybody();
  vtkNew<vtkSpanwiseReader> reader;
  reader->SetFileName(path.c_str());
  std::int64_t count = 0;
  std::int64_t most = 0;
  for (const bool together : {false, true}) {
    together ? reader->UpdatePiece(group.rank(), group.size(), 0) : reader->UpdatePiece(0, 1, 0);
    vtkUnstructuredGrid* output = reader->GetOutput();
    const auto grid = gridOf<Dim>(output);
    ASSERT_NE(grid, nullptr);
    if (!together) {
      EXPECT_TRUE(sameCells(grid->set(), whole));
    }
    count = together ? group.sum(grid->set().numCells()) : grid->set().numCells();
    most = together ? group.maximum(grid->set().numCells()) : 0;
    EXPECT_EQ(count, whole.numCells());
    for (const Cell<Dim>& cell : toCells(grid->set())) {
      EXPECT_TRUE(cells.count(cell) == 1);
      const std::int64_t plane = Dim == 2 ? cell.at[1] : cell.at[Dim - 1];
      EXPECT_TRUE(grid->owned().begin <= plane && plane < grid->owned().end);
    }
    expectValues(output->GetCellData(), "cells", output->GetNumberOfCells(),
      [&](vtkIdType c, double* position) { centre(output, c, position); });
    if (points == Points::Kept) {
      expectValues(output->GetPointData(), "points", output->GetNumberOfPoints(),
        [&](vtkIdType p, double* position) { output->GetPoint(p, position); });
    } else {
      EXPECT_EQ(output->GetPointData()->GetNumberOfArrays(), 0);
    }
    EXPECT_EQ(output->GetFieldData()->GetNumberOfArrays(), 1);
  }
  if (whole.numRows() > 100) {
    EXPECT_LE(static_cast<double>(most) * group.size(), 1.2 * static_cast<double>(count));
  }
}

template <int Dim>
Coordinate plane(const Cell<Dim>& cell) {
  return cell.at[Dim - 1];
}

template <class T>
struct Ranks : public ::testing::Test {
  static constexpr int dim = T::value;
  std::mt19937 random{seed()};
  SharedFolder folder;

  CellList<dim> cells(double density) { return randomCells<dim>(random, dim == 2 ? 60 : 12, density); }
  static constexpr Coordinate extent = dim == 2 ? 60 : 12;

  void check(const CellList<dim>& all, const std::function<bool(const Cell<dim>&)>& mine, Points points) {
    const std::string path = folder / "a.icsr";
    const auto grid = gridWithValues<dim>(partOf<dim>(all, mine));
    vtkNew<vtkDoubleArray> field;
    field->SetName("field");
    field->InsertNextValue(2.5);
    grid->GetFieldData()->AddArray(field);
    EXPECT_EQ(writeTogether(path, grid), 1);
    expectFile<dim>(path, all, points);
    if (everybody().rank() == 0) {
      int files = 0;
      for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder / "")) {
        ++files;
      }
      EXPECT_EQ(files, 1);
    }
  }
};
TYPED_TEST_SUITE(Ranks, Dimensions);

} // namespace

TYPED_TEST(Ranks, WriteEvenSlabs) {
  constexpr int Dim = TypeParam::value;
  const RankGroup group = everybody();
  for (const double density : {0.05, 0.6}) {
    const auto all = this->cells(density);
    const int thick = 2 * this->extent / group.size();
    this->check(
      all,
      [&](const Cell<Dim>& cell) {
        return std::min((plane<Dim>(cell) + this->extent) / thick, group.size() - 1) == group.rank();
      },
      Points::Kept);
  }
}

TYPED_TEST(Ranks, WriteWhatOneOfThemHas) {
  constexpr int Dim = TypeParam::value;
  const RankGroup group = everybody();
  const auto all = this->cells(0.3);
  this->check(all, [&](const Cell<Dim>&) { return group.rank() == group.size() - 1; }, Points::Kept);
}

TYPED_TEST(Ranks, WriteCellsThatFollowNoCut) {
  constexpr int Dim = TypeParam::value;
  const RankGroup group = everybody();
  const auto all = this->cells(0.5);
  this->check(
    all, [&](const Cell<Dim>& cell) { return (cell.x() + 1000) % group.size() == group.rank(); },
    group.alone() ? Points::Kept : Points::LeftOut);
}

TYPED_TEST(Ranks, WriteNothing) {
  this->check({}, [](const auto&) { return true; }, Points::LeftOut);
}

TYPED_TEST(Ranks, WriteFewerPlanesThanRanks) {
  constexpr int Dim = TypeParam::value;
  const RankGroup group = everybody();
  CellList<Dim> all;
  for (const Coordinate p : {-3, 7}) {
    for (Coordinate x = 0; x < 40; ++x) {
      if constexpr (Dim == 2) {
        all.insert({{x, p}});
      } else {
        all.insert({{x, x % 3, p}});
      }
    }
  }
  this->check(
    all, [&](const Cell<Dim>& cell) { return (plane<Dim>(cell) == 7 ? group.size() - 1 : 0) == group.rank(); },
    Points::Kept);
}

TYPED_TEST(Ranks, WriteTimeSteps) {
  constexpr int Dim = TypeParam::value;
  const RankGroup group = everybody();
  const std::string path = this->folder / "a.icsr";
  const int thick = 2 * this->extent / group.size();
  std::vector<CellList<Dim>> cells;
  vtkNew<StepSource> source;
  for (int s = 0; s < 5; ++s) {
    if (s % 2 == 0) {
      cells.push_back(this->cells(0.2 + 0.1 * s));
      source->grids.push_back(gridWithValues<Dim>(partOf<Dim>(cells.back(), [&](const Cell<Dim>& cell) {
        return std::min((plane<Dim>(cell) + this->extent) / thick, group.size() - 1) == group.rank();
      })));
    } else { // the same cells again
      cells.push_back(cells.back());
      source->grids.push_back(vtkSmartPointer<vtkUnstructuredGrid>::New());
      source->grids.back()->ShallowCopy(source->grids[static_cast<std::size_t>(s - 1)]);
    }
  }
  vtkNew<vtkSpanwiseWriter> writer;
  writer->SetInputConnection(source->GetOutputPort());
  writer->SetFileName(path.c_str());
  writer->WriteAllTimeStepsOn();
  EXPECT_EQ(writer->Write(), 1);
  const IcsrReader file(path);
  ASSERT_EQ(file.numSteps(), 5);
  for (int s = 0; s < 5; ++s) {
    EXPECT_EQ(file.times()[static_cast<std::size_t>(s)], 0.5 * s);
    const IcsrPart<Dim> whole = file.cells<Dim>(s, 0, {0, file.level(s, 0).numRows});
    EXPECT_TRUE(sameCells(whole.set, toHostSet<Dim>(cells[static_cast<std::size_t>(s)])));
    EXPECT_TRUE(s % 2 == 0 || file.hasSameCells(s - 1, s, 0));
  }
  vtkNew<vtkSpanwiseReader> reader;
  reader->SetFileName(path.c_str());
  reader->UpdateTimeStep(1.5, group.rank(), group.size());
  vtkUnstructuredGrid* output = reader->GetOutput();
  EXPECT_EQ(group.sum(output->GetNumberOfCells()), static_cast<std::int64_t>(cells[3].size()));
  expectValues(output->GetPointData(), "points", output->GetNumberOfPoints(),
    [&](vtkIdType p, double* position) { output->GetPoint(p, position); });
}

TYPED_TEST(Ranks, AgreeOnFailure) {
  constexpr int Dim = TypeParam::value;
  const RankGroup group = everybody();
  const std::string path = this->folder / "a.icsr";
  const auto all = this->cells(0.4);
  const auto grid = gridWithValues<Dim>(partOf<Dim>(all, [&](const Cell<Dim>&) { return group.rank() == 0; }));
  ASSERT_EQ(writeTogether(path, grid), 1);

  // The last rank has cells that are none.
  vtkSmartPointer<vtkDataObject> data = grid;
  if (group.rank() == group.size() - 1) {
    vtkNew<vtkPolyData> triangle;
    vtkNew<vtkPoints> points;
    for (int k = 0; k < 3; ++k) {
      points->InsertNextPoint(k, k * k, 0.0);
    }
    triangle->SetPoints(points);
    triangle->AllocateExact(1, 3);
    const vtkIdType ids[3] = {0, 1, 2};
    triangle->InsertNextCell(VTK_TRIANGLE, 3, ids);
    data = triangle;
  }
  vtkNew<vtkTest::ErrorObserver> ofWriter;
  EXPECT_EQ(writeTogether(path, data, ofWriter), 0);
  EXPECT_EQ(ofWriter->GetError(), group.rank() == 0);

  EXPECT_EQ(writeTogether(this->folder / "no/such/folder/a.icsr", grid, ofWriter), 0);

  // A file that one rank of them does not see.
  vtkNew<vtkSpanwiseReader> reader;
  vtkNew<vtkTest::ErrorObserver> ofReader;
  reader->AddObserver(vtkCommand::ErrorEvent, ofReader);
  reader->SetFileName(group.rank() == group.size() - 1 ? "/nowhere/a.icsr" : path.c_str());
  reader->UpdatePiece(group.rank(), group.size(), 0);
  EXPECT_EQ(reader->GetOutput()->GetNumberOfCells(), 0);
  EXPECT_EQ(ofReader->GetError(), group.rank() == 0);
  if (group.rank() == 0) {
    EXPECT_NE(ofReader->GetErrorMessage().find("/nowhere/a.icsr"), std::string::npos) << ofReader->GetErrorMessage();
  }
  // And the old file is as it was.
  reader->SetFileName(path.c_str());
  reader->Modified(); // on all ranks, as only one of them has another name
  reader->UpdatePiece(group.rank(), group.size(), 0);
  EXPECT_EQ(group.sum(reader->GetOutput()->GetNumberOfCells()), static_cast<std::int64_t>(all.size()));
}

} // namespace spanwise::testing
