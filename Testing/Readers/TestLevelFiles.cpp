// Hierarchies of levels in files: what is written comes back, in pieces too, and what is no hierarchy is refused.

#include "Testing/Dimensions.hpp"
#include "Testing/Filters/Multilevel/Levels.hpp"
#include "Testing/Readers/Sample.hpp"

#include "Readers/vtkSpanwiseReader.h"
#include "Readers/vtkSpanwiseWriter.h"
#include "Testing/Rooms.hpp"

#include <vtkDataArraySelection.h>
#include <vtkFieldData.h>
#include <vtkPointData.h>
#include <vtkTestErrorObserver.h>

namespace spanwise::testing {
namespace {

template <class T>
struct LevelFiles : public RandomTest<T> {
  TemporaryFolder folder;
  std::string path = folder / "a.icsr";
};
TYPED_TEST_SUITE(LevelFiles, Dimensions);

void write(const std::string& path, vtkDataObject* data) {
  vtkNew<vtkSpanwiseWriter> writer;
  writer->SetInputDataObject(data);
  writer->SetFileName(path.c_str());
  EXPECT_EQ(writer->Write(), 1);
}

vtkSmartPointer<vtkSpanwiseReader> readerOf(const std::string& path) {
  auto reader = vtkSmartPointer<vtkSpanwiseReader>::New();
  reader->SetFileName(path.c_str());
  return reader;
}

TYPED_TEST(LevelFiles, AHierarchyComesBack) {
  constexpr int Dim = TypeParam::value;
  const auto leaves = randomLeaves<Dim>(this->random);
  const auto collection = levelsOf<Dim>(hierarchyOf<Dim>(leaves));
  vtkNew<vtkDoubleArray> field;
  field->SetName("field");
  field->InsertNextValue(2.5);
  collection->GetFieldData()->AddArray(field);
  vtkNew<vtkDoubleArray> nodes; // at the points of one level
  nodes->SetName("nodes");
  vtkDataSet* part = collection->GetPartition(1, 0);
  for (vtkIdType p = 0; p < part->GetNumberOfPoints(); ++p) {
    nodes->InsertNextValue(part->GetPoint(p)[0]);
  }
  part->GetPointData()->AddArray(nodes);
  write(this->path, collection);
  const auto reader = readerOf(this->path);
  reader->Update();
  vtkDataObject* output = reader->GetOutputDataObject(0);
  expectLevels<Dim>(output, leaves);
  EXPECT_EQ(output->GetFieldData()->GetArray("field")->GetComponent(0, 0), 2.5);
  vtkDataSet* read = vtkPartitionedDataSetCollection::SafeDownCast(output)->GetPartition(1, 0);
  ASSERT_NE(read->GetPointData()->GetArray("nodes"), nullptr);
  for (vtkIdType p = 0; p < read->GetNumberOfPoints(); ++p) {
    ASSERT_EQ(read->GetPointData()->GetArray("nodes")->GetComponent(p, 0), read->GetPoint(p)[0]);
  }
  reader->GetCellDataArraySelection()->DisableArray("place");
  reader->Update();
  for (vtkDataSet* level : partsOf(reader->GetOutputDataObject(0))) {
    EXPECT_EQ(level->GetCellData()->GetArray("place"), nullptr);
  }
}

TYPED_TEST(LevelFiles, EmptyLevelsComeBack) {
  constexpr int Dim = TypeParam::value;
  Leaves<Dim> leaves(4);
  leaves[3].insert(Cell<Dim>{});
  write(this->path, levelsOf<Dim>(hierarchyOf<Dim>(leaves)));
  auto reader = readerOf(this->path);
  reader->Update();
  expectLevels<Dim>(reader->GetOutputDataObject(0), leaves);
  write(this->path, levelsOf<Dim>(hierarchyOf<Dim>(Leaves<Dim>(2))));
  reader = readerOf(this->path);
  reader->Update();
  expectLevels<Dim>(reader->GetOutputDataObject(0), Leaves<Dim>(2));
}

TYPED_TEST(LevelFiles, AFileWithOneLevelIsAGrid) {
  constexpr int Dim = TypeParam::value;
  const auto cells = randomCells<Dim>(this->random, 4, 0.5);
  write(this->path, levelsOf<Dim>(hierarchyOf<Dim>({cells})));
  const auto reader = readerOf(this->path);
  reader->Update();
  ASSERT_NE(reader->GetOutput(), nullptr);
  EXPECT_TRUE(cellsOf<Dim>(reader->GetOutput()) == cells);
  // The same reader shows what a file has.
  const auto leaves = randomLeaves<Dim>(this->random);
  const std::string other = this->folder / "b.icsr";
  write(other, levelsOf<Dim>(hierarchyOf<Dim>(leaves)));
  reader->SetFileName(other.c_str());
  reader->Update();
  expectLevels<Dim>(reader->GetOutputDataObject(0), leaves);
  reader->SetFileName(this->path.c_str());
  reader->Update();
  EXPECT_TRUE(cellsOf<Dim>(reader->GetOutputDataObject(0)) == cells);
}

TYPED_TEST(LevelFiles, PiecesAreCutAlongPlanesOfLevel0) {
  constexpr int Dim = TypeParam::value;
  const auto leaves = randomLeaves<Dim>(this->random);
  write(this->path, levelsOf<Dim>(hierarchyOf<Dim>(leaves)));
  for (const int pieces : {2, 3, 4, 50}) {
    const auto reader = readerOf(this->path);
    Leaves<Dim> found(leaves.size());
    std::size_t most = 0;
    std::int64_t next = parallel::PlaneRange().begin;
    for (int piece = 0; piece < pieces; ++piece) {
      reader->UpdatePiece(piece, pieces, 0);
      auto* output = vtkPartitionedDataSetCollection::SafeDownCast(reader->GetOutputDataObject(0));
      ASSERT_NE(output, nullptr);
      std::size_t count = 0;
      Leaves<Dim> part(leaves.size());
      for (unsigned int k = 0; k < leaves.size(); ++k) {
        const auto grid = carriedGrid<Dim>(output->GetPartition(k, 0));
        part[k] = toCells(grid->set());
        for (const Cell<Dim>& cell : part[k]) {
          EXPECT_TRUE(found[k].insert(cell).second);
          EXPECT_TRUE(grid->owned().begin <= cell.at[Dim - 1] && cell.at[Dim - 1] < grid->owned().end);
        }
        count += part[k].size();
        if (k == 0) {
          EXPECT_EQ(grid->owned().begin, next);
          next = grid->owned().end;
        }
        EXPECT_EQ(grid->owned().begin,
          planesOfLevel({carriedGrid<Dim>(output->GetPartition(0, 0))->owned().begin, 0}, static_cast<int>(k)).begin);
      }
      expectLevels<Dim>(output, part);
      most = std::max(most, count);
    }
    EXPECT_TRUE(found == leaves);
    EXPECT_EQ(next, parallel::PlaneRange().end);
  }
}

TYPED_TEST(LevelFiles, TimeStepsComeBackAndShareTheirCells) {
  constexpr int Dim = TypeParam::value;
  std::vector<Leaves<Dim>> steps{randomLeaves<Dim>(this->random)};
  steps.push_back(steps[0]);
  RandomLevels flat;
  flat.levels = 1;
  steps.push_back(randomLeaves<Dim>(this->random, flat)); // one level in between
  steps.push_back(steps[0]);
  std::vector<vtkSmartPointer<vtkPartitionedDataSetCollection>> data;
  for (const auto& leaves : steps) {
    data.push_back(levelsOf<Dim>(hierarchyOf<Dim>(leaves)));
  }
  for (const int same : {1, 3}) { // the very same cells
    data[static_cast<std::size_t>(same)] = vtkSmartPointer<vtkPartitionedDataSetCollection>::New();
    data[static_cast<std::size_t>(same)]->ShallowCopy(data[0]);
  }
  vtkNew<StepSource> source;
  source->type = "vtkPartitionedDataSetCollection";
  source->steps = {0.0, 1.0, 2.0, 3.0};
  source->fill = [&](double time, vtkDataObject* output) { output->ShallowCopy(data[static_cast<std::size_t>(time)]); };
  vtkNew<vtkSpanwiseWriter> writer;
  writer->SetInputConnection(source->GetOutputPort());
  writer->SetFileName(this->path.c_str());
  writer->WriteAllTimeStepsOn();
  EXPECT_EQ(writer->Write(), 1);
  const IcsrReader file(this->path);
  ASSERT_EQ(file.numSteps(), 4);
  EXPECT_EQ(file.numLevels(2), 1);
  for (int l = 0; l < 4; ++l) {
    EXPECT_TRUE(file.hasSameCells(0, 1, l));
  }
  waitForFileClock();
  const auto reader = readerOf(this->path);
  std::vector<IntervalGridPointer<Dim>> grids;
  for (const int step : {0, 1, 2, 3, 1}) {
    reader->UpdateTimeStep(step);
    vtkDataObject* output = reader->GetOutputDataObject(0);
    expectLevels<Dim>(output, steps[static_cast<std::size_t>(step)]);
    EXPECT_EQ(output->GetInformation()->Get(vtkDataObject::DATA_TIME_STEP()), step);
    grids.push_back(gridOf<Dim>(partsOf(output).back()));
  }
  EXPECT_EQ(grids[0], grids[1]); // in memory too
}

// What makes a file: levels, one after the other.
template <int Dim>
void writeFile(const std::string& path, const std::vector<std::pair<GridPlacement, CellList<Dim>>>& levels) {
  IcsrWriter::create(path, Dim);
  IcsrWriter writer(path);
  writer.addStep(std::nullopt);
  int number = 0;
  for (const auto& [placement, cells] : levels) {
    const auto set = toHostSet<Dim>(cells);
    IcsrLevel level;
    std::copy_n(placement.origin, 3, level.placement.origin);
    std::copy_n(placement.spacing, 3, level.placement.spacing);
    level.placement.level = placement.level;
    level.numRows = set.numRows();
    level.numIntervals = set.numIntervals();
    level.numCells = set.numCells();
    writer.addLevel(level);
    writer.writeCells<Dim>(number++, set.view(), {0, level.numRows}, {});
  }
  writer.close();
}

TYPED_TEST(LevelFiles, LevelsThatAreNotInAFileAreEmpty) {
  constexpr int Dim = TypeParam::value;
  Leaves<Dim> leaves(4);
  leaves[1].insert(Cell<Dim>{});
  Cell<Dim> other{};
  other.at[0] = 40;
  leaves[3].insert(other);
  writeFile<Dim>(this->path, {{placementOfLevel(someRoot, 1), leaves[1]}, {placementOfLevel(someRoot, 3), leaves[3]}});
  const auto reader = readerOf(this->path);
  reader->Update();
  expectLevels<Dim>(reader->GetOutputDataObject(0), leaves, false);
}

TYPED_TEST(LevelFiles, WhatIsNoHierarchyIsOneError) {
  constexpr int Dim = TypeParam::value;
  const CellList<Dim> cells{Cell<Dim>{}};
  Cell<Dim> away{};
  away.at[0] = 2;
  const GridPlacement fine = placementOfLevel(someRoot, 1);
  const auto expectError = [&](const std::vector<std::pair<GridPlacement, CellList<Dim>>>& levels, const char* text) {
    writeFile<Dim>(this->path, levels);
    expectOneError(readerOf(this->path), text);
  };
  expectError({{someRoot, cells}, {fine, cells}}, "covered twice");
  expectError({{fine, cells}, {someRoot, {away}}}, "not more than");
  expectError({{fine, cells}, {fine, {away}}}, "not more than");
  GridPlacement shifted = fine;
  shifted.origin[1] += 0.25 * fine.spacing[1];
  expectError({{someRoot, cells}, {shifted, {away}}}, "does not fit");
  GridPlacement larger = fine;
  larger.spacing[0] *= 1.1;
  expectError({{someRoot, cells}, {larger, {away}}}, "does not fit");
  writeFile<Dim>(this->path, {{someRoot, cells}, {fine, {away}}});
  const auto reader = readerOf(this->path);
  reader->Update();
  EXPECT_EQ(numCellsOf(reader->GetOutputDataObject(0)), 2);
  // A grid of several sizes is written as the hierarchy that it is; one that is none leaves the file.
  Leaves<Dim> overlapping(2);
  overlapping[0] = overlapping[1] = cells;
  vtkNew<vtkSpanwiseWriter> writer;
  vtkNew<vtkTest::ErrorObserver> observer;
  writer->AddObserver(vtkCommand::ErrorEvent, observer);
  writer->SetInputDataObject(levelsOf<Dim>(hierarchyOf<Dim>(overlapping)));
  writer->SetFileName(this->path.c_str());
  EXPECT_EQ(writer->Write(), 0);
  EXPECT_NE(observer->GetErrorMessage().find("covered twice"), std::string::npos) << observer->GetErrorMessage();
  EXPECT_EQ(IcsrReader(this->path).numLevels(0), 2);
}

TYPED_TEST(LevelFiles, ASeriesIsOfOneKind) {
  constexpr int Dim = TypeParam::value;
  const auto reader = readerOf(this->path);
  writeFile<Dim>(this->path, {{someRoot, {Cell<Dim>{}}}});
  reader->Update();
  Cell<Dim> away{};
  away.at[0] = 2;
  // The file changes under the reader, which is not told: as for the files of a series, which share an output.
  writeFile<Dim>(this->path, {{someRoot, {Cell<Dim>{}}}, {placementOfLevel(someRoot, 1), {away}}});
  Messages messages;
  reader->UpdatePiece(0, 2, 0);
  ASSERT_EQ(messages.all().size(), 1U);
  EXPECT_NE(messages.all()[0].find("one level or several"), std::string::npos) << messages.all()[0];
}

} // namespace
} // namespace spanwise::testing
