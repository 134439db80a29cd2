// Noise of .vdb files as bit masks.

#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Readers/Sample.hpp"

#include "Core/Geometry/CellMask.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Runtime/Context.hpp"
#include "Filters/DataModel/SpanwiseBridge.h"
#include "Readers/OpenVdb/GridCells.hpp"
#include "Readers/OpenVdb/VdbFile.hpp"
#include "Readers/OpenVdb/WriteVdb.hpp"
#include "Readers/vtkSpanwiseOpenVDBReader.h"
#include "Testing/Rooms.hpp"

#include <vtkNew.h>
#include <vtkUnstructuredGrid.h>

#include <random>

namespace spanwise::testing {
namespace {

void writeCells(const std::string& path, const CellList<3>& cells) {
  vdb::GridToWrite grid;
  grid.name = "noise";
  grid.cells = toHostSet<3>(cells);
  vdb::writeVdb(path, {grid});
}

TEST(OpenVdbMask, HasTheCellsAndCountsOfTheIntervals) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const TemporaryFolder folder;
  const std::string path = folder / "a.vdb";
  for (const double density : {0.02, 0.5, 0.97}) {
    SCOPED_TRACE("density " + std::to_string(density));
    CellList<3> cells = randomCells<3>(random, 21, density);
    for (const Cell<3>& cell : allCells<3>(Box<3>{{16, -8, 8}, {40, 8, 24}})) { // whole leaves, which become tiles
      cells.insert(cell);
    }
    writeCells(path, cells);
    const vdb::VdbFile file(path);
    const vdb::GridCells read(file, file.grids()[0]);
    CellList<3> found;
    for (int piece = 0; piece < 3; ++piece) {
      const auto part = read.part(piece, 3);
      const CellMask<3> mask = read.mask(part);
      HostIntervalSet<3> set;
      intervalsOf<3>(Context<HostExecutionSpace>(), mask, set);
      const HostIntervalSet<3> intervals = read.cells(part);
      EXPECT_TRUE((equal<HostExecutionSpace, 3>(Context<HostExecutionSpace>(), set, intervals)));
      EXPECT_EQ(mask.totals().rows, intervals.numRows());
      EXPECT_EQ(mask.totals().intervals, intervals.numIntervals());
      EXPECT_EQ(mask.totals().cells, intervals.numCells());
      const Box<3> box = boundingBox<HostExecutionSpace, 3>(Context<HostExecutionSpace>(), intervals);
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_EQ(mask.boundingBox().begin[axis], box.begin[axis]);
        EXPECT_EQ(mask.boundingBox().end[axis], box.end[axis]);
      }
      for (const Cell<3>& cell : toCells(set)) {
        found.insert(cell);
      }
    }
    EXPECT_TRUE(found == cells);
  }
}

TEST(OpenVdbMask, NoiseIsReadWithoutIntervals) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const TemporaryFolder folder;
  const std::string path = folder / "a.vdb";
  const CellList<3> cells = randomCells<3>(random, 32, 0.5);
  writeCells(path, cells);
  vtkNew<vtkSpanwiseOpenVDBReader> reader;
  reader->SetFileName(path.c_str());
  reader->Update();
  const auto output = gridOf<3>(reader->GetOutput());
  ASSERT_NE(output, nullptr);
  EXPECT_FALSE(output->mirrored().hasIntervals());
  EXPECT_EQ(reader->GetOutput()->GetNumberOfCells(), static_cast<vtkIdType>(cells.size()));
  EXPECT_TRUE(toCells(output->set()) == cells);
}

} // namespace
} // namespace spanwise::testing
