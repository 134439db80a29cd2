// Several ranks write one .vdb file, and each reads its own part of it.

#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Readers/Sample.hpp"
#include "Testing/Readers/SharedFolder.hpp"

#include "Filters/DataModel/SpanwiseBridge.h"
#include "Readers/vtkSpanwiseOpenVDBReader.h"
#include "Readers/vtkSpanwiseOpenVDBWriter.h"
#include "Testing/Rooms.hpp"

#include <vtkCellData.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkTestErrorObserver.h>
#include <vtkUnstructuredGrid.h>

#include <random>

namespace spanwise::testing {

namespace {

float valueOf(const Cell<3>& cell) {
  return static_cast<float>(cell.at[0] + 100 * cell.at[1]) + 0.25F * static_cast<float>(cell.at[2]);
}

// The cells of this rank: every so many, in no order that a cut would follow.
vtkSmartPointer<vtkUnstructuredGrid> shareOf(const CellList<3>& cells, int first) {
  const RankGroup group = everybody();
  CellList<3> mine;
  int k = first;
  for (const Cell<3>& cell : cells) {
    if (k++ % group.size() == group.rank()) {
      mine.insert(cell);
    }
  }
  auto grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
  setGrid<3>(grid, IntervalGrid<3>::make(toHostSet<3>(mine), {{-1.0, 2.0, 0.5}, {0.5, 0.5, 0.5}, 0}));
  vtkNew<vtkFloatArray> values;
  values->SetName("values");
  for (const Cell<3>& cell : mine) {
    values->InsertNextValue(valueOf(cell));
  }
  grid->GetCellData()->AddArray(values);
  return grid;
}

} // namespace

TEST(OpenVdbRanks, OneFileHasTheCellsOfAll) {
  std::mt19937 random(seed());
  const SharedFolder folder;
  const std::string path = folder / "a.vdb";
  for (const double density : {0.5, 0.01, 0.0}) { // few cells: most ranks get none
    const CellList<3> cells = randomCells<3>(random, 12, density);
    vtkNew<vtkSpanwiseOpenVDBWriter> writer;
    writer->SetInputData(shareOf(cells, 1));
    writer->SetFileName(path.c_str());
    ASSERT_EQ(writer->Write(), 1);
    vtkNew<vtkSpanwiseOpenVDBReader> reader;
    reader->SetFileName(path.c_str());
    reader->UpdatePiece(everybody().rank(), everybody().size(), 0);
    const auto part = gridOf<3>(reader->GetOutput());
    ASSERT_NE(part, nullptr);
    EXPECT_EQ(everybody().sum(part->set().numCells()), static_cast<std::int64_t>(cells.size()));
    vtkDataArray* values = reader->GetOutput()->GetCellData()->GetArray("values");
    std::int64_t wrong = 0;
    vtkIdType number = 0;
    for (const Cell<3>& cell : toCells(part->set())) {
      const bool right = cells.contains(cell) && part->owned().contains(cell.at[2]) &&
        values->GetComponent(number, 0) == static_cast<double>(valueOf(cell));
      wrong += right ? 0 : 1;
      ++number;
    }
    EXPECT_EQ(wrong, 0);
  }
}

TEST(OpenVdbRanks, AllRanksFailTogether) {
  const SharedFolder folder;
  std::mt19937 random(seed());
  const vtkNew<vtkTest::ErrorObserver> observer;
  vtkNew<vtkSpanwiseOpenVDBWriter> writer;
  writer->AddObserver(vtkCommand::ErrorEvent, observer);
  writer->SetInputData(shareOf(randomCells<3>(random, 10, 0.5), 0));
  writer->SetFileName((folder / "no folder/a.vdb").c_str());
  EXPECT_EQ(writer->Write(), 0);
  EXPECT_EQ(observer->GetNumberOfErrors(), everybody().rank() == 0 ? 1 : 0);
}

} // namespace spanwise::testing
