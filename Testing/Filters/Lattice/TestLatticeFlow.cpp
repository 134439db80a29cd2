#include "Testing/Core/TemporaryFolder.hpp"
#include "Testing/Filters/Geometry/Pipelines.hpp"
#include "Testing/Filters/Sides.hpp"
#include "Testing/Filters/WithoutMemory.hpp"

#include "vtkSpanwiseIntervalShape.h"
#include "vtkSpanwiseLatticeFlow.h"

#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkPointSource.h>
#include <vtkTable.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseLatticeFlow;

/// A stream to a disc, in few cells.
vtkSmartPointer<Filter> streamToDisc() {
  auto filter = vtkSmartPointer<Filter>::New();
  filter->SetController(nullptr);
  filter->SetCellsAlongX(78); // 6 to the disc
  filter->SetViscosity(0.05);
  filter->SetStart(Filter::STREAM);
  filter->SetNumberOfFrames(8);
  return filter;
}

vtkUnstructuredGrid* fluidOf(Filter* filter) {
  auto* const levels = vtkPartitionedDataSetCollection::SafeDownCast(filter->GetOutputDataObject(0));
  return vtkUnstructuredGrid::SafeDownCast(levels->GetPartition(0, 0));
}

double value(vtkDataSet* grid, const char* array, vtkIdType cell, int component = 0) {
  return grid->GetCellData()->GetArray(array)->GetComponent(cell, component);
}

std::vector<double> valuesAt(Filter* filter, double time, const char* array = "Pressure") {
  filter->UpdateTimeStep(time);
  std::vector<double> values;
  vtkUnstructuredGrid* const grid = fluidOf(filter);
  for (vtkIdType cell = 0; cell < grid->GetNumberOfCells(); ++cell) {
    values.push_back(value(grid, array, cell));
  }
  return values;
}

double fieldValue(Filter* filter, const char* name) {
  return filter->GetOutputDataObject(0)->GetFieldData()->GetArray(name)->GetComponent(0, 0);
}

vtkTable* reportOf(Filter* filter) { return vtkTable::SafeDownCast(filter->GetOutputDataObject(1)); }

double reported(Filter* filter, const char* column, vtkIdType row) {
  return vtkDataArray::SafeDownCast(reportOf(filter)->GetColumnByName(column))->GetComponent(row, 0);
}

double lastReported(Filter* filter, const char* column) {
  return reported(filter, column, reportOf(filter)->GetNumberOfRows() - 1);
}

// From the last frame on, where levels follow the flow.
TEST(LatticeFlow, GoesOnOnTheHostWithoutMemory) {
  const auto before = notesOf("Lattice flow", ComputeSide::Host).count;
  const auto begin = [] {
    auto filter = streamToDisc();
    filter->SetNumberOfLevels(2);
    filter->SetVorticityLimit(0.5);
    filter->SetStepsPerRemesh(4);
    filter->UpdateTimeStep(1.0);
    return filter;
  };
  const auto goOn = [](vtkSmartPointer<Filter> filter) {
    filter->UpdateTimeStep(2.0);
    return filter;
  };
  expectSameWithoutMemory(97, 1e-6, begin, goOn, [](const vtkSmartPointer<Filter>& filter) {
    std::vector<double> digest;
    for (const char* column : {"Time", "Steps", "Drag"}) {
      appendDigest(vtkDataArray::SafeDownCast(reportOf(filter)->GetColumnByName(column)), digest);
    }
    auto* const levels = vtkPartitionedDataSetCollection::SafeDownCast(filter->GetOutputDataObject(0));
    for (unsigned int level = 0; level < 2; ++level) {
      vtkDataSet* const fluid = levels->GetPartition(level, 0);
      appendDigest(fluid != nullptr ? fluid->GetCellData()->GetArray("Velocity") : nullptr, digest);
    }
    return digest;
  });
  EXPECT_GT(notesOf("Lattice flow", ComputeSide::Host).count, before);
}

TEST(LatticeFlow, AStreamGoesAroundADisc) {
  const auto filter = streamToDisc();
  filter->UpdateTimeStep(7.0);
  vtkUnstructuredGrid* const grid = fluidOf(filter);
  double bounds[6];
  grid->GetBounds(bounds);
  const double expected[] = {-2.5, 10.5, -2.5, 2.5}; // 2 diameters upstream, 10 downstream, 2 to each side
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(bounds[k], expected[k], 1e-12);
  }
  for (vtkIdType cell = 0; cell < grid->GetNumberOfCells(); ++cell) {
    grid->GetCellBounds(cell, bounds);
    EXPECT_GT(std::hypot(0.5 * (bounds[0] + bounds[1]), 0.5 * (bounds[2] + bounds[3])), 0.5);
    EXPECT_EQ(value(grid, "Velocity", cell, 2), 0.0);
  }
  // A step is a tenth of the time in which the stream passes a cell of 1/6, and a frame half of the disc.
  EXPECT_NEAR(fieldValue(filter, "Time Step"), 0.1 / 6.0, 1e-15);
  EXPECT_EQ(fieldValue(filter, "Flow Steps"), 7 * 30);
  EXPECT_NEAR(fieldValue(filter, "Flow Time"), 3.5, 1e-12);
  EXPECT_NEAR(fieldValue(filter, "Cell Reynolds Number"), 1.0 / (6.0 * 0.05), 1e-12);
  EXPECT_NEAR(fieldValue(filter, "Relaxation Time"), 0.5 + 3.0 * 0.05 * (0.1 / 6.0) * 36.0, 1e-12);
  // Drag coefficients of discs at a Reynolds number of 20 are about 2, and greater in a narrow channel at the start.
  EXPECT_GT(lastReported(filter, "Drag"), 0.8);
  EXPECT_LT(lastReported(filter, "Drag"), 2.5);
  EXPECT_NEAR(lastReported(filter, "Lift"), 0.0, 1e-3);
  EXPECT_GT(lastReported(filter, "Greatest Speed"), 1.0);
  EXPECT_EQ(reported(filter, "Time", 0), 0.0);
}

TEST(LatticeFlow, OnTheDeviceWhatItShowsStaysThere) {
  const auto valuesOn = [](SideChoice side) {
    const Forced forced(side);
    const auto filter = streamToDisc();
    filter->UpdateTimeStep(1.0);
    for (const char* name : {"Pressure", "Velocity", "Wall Shear", "Level"}) {
      if (side == SideChoice::Device) {
        expectOnDeviceAlone<2>(fluidOf(filter), name);
      }
    }
    return valuesAt(filter, 1.0);
  };
  const std::vector<double> onHost = valuesOn(SideChoice::Host);
  const std::vector<double> onDevice = valuesOn(SideChoice::Device);
  ASSERT_EQ(onHost.size(), onDevice.size());
  for (std::size_t k = 0; k < onHost.size(); ++k) {
    EXPECT_NEAR(onHost[k], onDevice[k], haveDevice ? 1e-5 * std::abs(onHost[k]) : 0.0); // populations in float
  }
}

TEST(LatticeFlow, FramesComeInAnyOrderAndOnce) {
  const auto filter = streamToDisc();
  const std::vector<double> third = valuesAt(filter, 3.0);
  const std::vector<double> fifth = valuesAt(filter, 5.0);
  EXPECT_NE(third, fifth);
  EXPECT_EQ(valuesAt(filter, 3.0), third);
  EXPECT_EQ(reportOf(filter)->GetNumberOfRows(), 4); // the start, and a row for each frame
  const auto direct = streamToDisc();
  EXPECT_EQ(valuesAt(direct, 5.0), fifth);
  filter->SetViscosity(0.1);
  EXPECT_NE(valuesAt(filter, 5.0), fifth); // starts over
}

// Pores between plates: Darcy's permeability is height^2 / 12, whatever the units.
TEST(LatticeFlow, PoresHaveAPermeability) {
  vtkNew<vtkSpanwiseIntervalShape> slot;
  slot->SetController(nullptr);
  slot->SetDimension(2);
  slot->SetShape(vtkSpanwiseIntervalShape::BOX);
  slot->SetCorner(0.0, 0.0, 0.0);
  slot->SetLengths(1e-3, 2e-3, 1e-4);
  slot->SetSpacing(1e-4, 1e-4, 1e-4);
  const auto filter = vtkSmartPointer<Filter>::New();
  filter->SetController(nullptr);
  filter->SetInputConnection(0, slot->GetOutputPort());
  filter->SetObstacle(Filter::INPUT_SET);
  filter->SetInputIs(Filter::FLUID);
  filter->SetCellsAlongX(10);
  filter->SetLowerX(Filter::PERIODIC);
  filter->SetUpperX(Filter::PERIODIC);
  filter->SetLowerY(Filter::WALL);
  filter->SetUpperY(Filter::WALL);
  filter->SetStart(Filter::AT_REST);
  filter->SetViscosity(1e-6);
  filter->SetSpeed(1e-3);
  filter->SetAcceleration(1e-3, 0.0, 0.0);
  filter->SetStorage(Filter::DOUBLE);
  filter->SetTimePerFrame(2.0);
  filter->SetNumberOfFrames(5);
  filter->UpdateTimeStep(8.0); // times of order height^2 / viscosity / 10
  EXPECT_EQ(fluidOf(filter)->GetNumberOfCells(), 200);
  EXPECT_NEAR(fieldValue(filter, "Permeability") / (4e-6 / 12.0), 1.0, 0.005);
  EXPECT_EQ(lastReported(filter, "Permeability"), fieldValue(filter, "Permeability"));
  // Each plate holds half of the acceleration.
  for (vtkIdType cell = 0; cell < 200; ++cell) {
    const bool isAtWall = cell < 10 || cell >= 190;
    EXPECT_NEAR(value(fluidOf(filter), "Wall Shear", cell), isAtWall ? 1e-3 * 1e-3 : 0.0, 1e-8);
  }
}

// The lid of a box drags the fluid along. Friction is viscosity times the slope, and the lid's cells have its pressure.
TEST(LatticeFlow, ALidMoves) {
  const auto filter = vtkSmartPointer<Filter>::New();
  filter->SetController(nullptr);
  filter->SetObstacle(Filter::NONE);
  filter->SetCellsAlongX(16);
  for (const auto set : {&Filter::SetLowerX, &Filter::SetUpperX, &Filter::SetLowerY, &Filter::SetUpperY}) {
    (filter->*set)(Filter::WALL);
  }
  filter->SetStart(Filter::AT_REST);
  filter->SetLidVelocity(1.0, 0.0, 0.0);
  filter->SetTimePerFrame(1.0);
  filter->UpdateTimeStep(20.0);
  vtkUnstructuredGrid* const grid = fluidOf(filter);
  double top = 0.0;
  double bottom = 0.0;
  for (int i = 0; i < 16; ++i) {
    bottom += value(grid, "Velocity", i) / 16.0;
    top += value(grid, "Velocity", 15 * 16 + i) / 16.0;
  }
  EXPECT_GT(top, 0.5);
  EXPECT_LT(bottom, 0.0); // it goes around
  EXPECT_NEAR(lastReported(filter, "Mass Gained"), 0.0, 1e-5);
}

// With levels of large cells the drag is about that of small ones everywhere, and cells are small at the disc and in
// its wake.
TEST(LatticeFlow, LevelsFollowTheWake) {
  const auto coarse = streamToDisc();
  coarse->SetStart(Filter::AT_REST);
  const auto fine = streamToDisc();
  fine->SetStart(Filter::AT_REST);
  fine->SetCellsAlongX(156);
  coarse->SetNumberOfLevels(2);
  coarse->SetVorticityLimit(0.1);
  for (const auto& filter : {coarse, fine}) {
    filter->SetNumberOfFrames(80);
    filter->UpdateTimeStep(79.0);
  }
  EXPECT_NEAR(lastReported(coarse, "Drag") / lastReported(fine, "Drag"), 1.0, 0.02);
  auto* const levels = vtkPartitionedDataSetCollection::SafeDownCast(coarse->GetOutputDataObject(0));
  ASSERT_EQ(levels->GetNumberOfPartitionedDataSets(), 2U);
  auto* const small = vtkUnstructuredGrid::SafeDownCast(levels->GetPartition(1, 0));
  EXPECT_GT(small->GetNumberOfCells(), 300);
  EXPECT_LT(2 * small->GetNumberOfCells(), fluidOf(fine)->GetNumberOfCells());
  double most = 0.0; // downstream
  for (vtkIdType cell = 0; cell < small->GetNumberOfCells(); ++cell) {
    double bounds[6];
    small->GetCellBounds(cell, bounds);
    most = std::max(most, bounds[1]);
    EXPECT_EQ(value(small, "Level", cell), 1.0);
  }
  EXPECT_GT(most, 2.5);
  EXPECT_LT(most, 10.0);
}

TEST(LatticeFlow, ProbesAreColumnsOfTheReport) {
  const auto filter = streamToDisc();
  filter->SetNumberOfLevels(2);
  vtkNew<vtkPointSource> probes;
  probes->SetNumberOfPoints(1);
  probes->SetRadius(0.0);
  probes->SetCenter(-0.6, 0.01, 0.0); // before the nose
  filter->SetInputConnection(1, probes->GetOutputPort());
  const auto without = streamToDisc();
  without->SetNumberOfLevels(2);
  without->UpdateTimeStep(5.0);
  for (const double time : {5.0, 2.0}) {
    filter->UpdateTimeStep(time);
    EXPECT_EQ(lastReported(filter, "Steps"), fieldValue(filter, "Flow Steps"));
    bool isFound = false;
    auto* const levels = vtkPartitionedDataSetCollection::SafeDownCast(filter->GetOutputDataObject(0));
    for (unsigned int l = 0; l < 2; ++l) {
      vtkDataSet* const grid = levels->GetPartition(l, 0);
      for (vtkIdType cell = 0; cell < grid->GetNumberOfCells(); ++cell) {
        double bounds[6];
        grid->GetCellBounds(cell, bounds);
        if (bounds[0] <= -0.6 && -0.6 < bounds[1] && bounds[2] <= 0.01 && 0.01 < bounds[3]) {
          isFound = true;
          EXPECT_NEAR(value(grid, "Pressure", cell), lastReported(filter, "Probe 0 Pressure"), 1e-12);
          EXPECT_NEAR(value(grid, "Velocity", cell, 0), lastReported(filter, "Probe 0 Velocity X"), 1e-12);
          EXPECT_NEAR(value(grid, "Velocity", cell, 1), lastReported(filter, "Probe 0 Velocity Y"), 1e-12);
        }
      }
    }
    EXPECT_TRUE(isFound);
  }
  filter->UpdateTimeStep(5.0);
  EXPECT_GT(lastReported(filter, "Probe 0 Pressure"), 0.1);
  ASSERT_EQ(reportOf(filter)->GetNumberOfRows(), reportOf(without)->GetNumberOfRows());
  EXPECT_EQ(lastReported(filter, "Drag"), lastReported(without, "Drag"));
  probes->SetCenter(0.125, 0.0, 0.0);
  expectOneError(filter, "probe 0 at (0.125, 0) is in an obstacle or outside of the box");
}

/// Where all is friction it is soon steady.
vtkSmartPointer<Filter> thickFluid() {
  const auto filter = streamToDisc();
  filter->SetViscosity(1.0);
  filter->SetNumberOfFrames(200);
  filter->SetStorage(Filter::DOUBLE);
  filter->SetSteadyTolerance(5e-3);
  return filter;
}

TEST(LatticeFlow, ASteadyFlowStaysAsItIs) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/lattice.checkpoint";
  const auto filter = thickFluid();
  const std::vector<double> first = valuesAt(filter, 1.0);
  EXPECT_EQ(fieldValue(filter, "Steady"), 0.0);
  const std::vector<double> last = valuesAt(filter, 199.0);
  EXPECT_EQ(fieldValue(filter, "Steady"), 1.0);
  const double steps = fieldValue(filter, "Flow Steps");
  const double frame = steps / 30.0;
  EXPECT_GT(frame, 3.0);
  EXPECT_LT(frame, 150.0);
  EXPECT_EQ(lastReported(filter, "Steps"), steps);
  EXPECT_EQ(valuesAt(filter, frame), last);
  EXPECT_EQ(valuesAt(filter, 1.0), first);
  EXPECT_EQ(fieldValue(filter, "Steady"), 0.0);
  filter->SetCheckpointFile(file.c_str());
  EXPECT_NE(valuesAt(filter, frame - 1.0), last);
  EXPECT_EQ(fieldValue(filter, "Steady"), 0.0);
  const auto other = thickFluid();
  other->SetRestartFrom(file.c_str());
  EXPECT_EQ(valuesAt(other, 180.0), last);
  EXPECT_EQ(fieldValue(other, "Flow Steps"), steps);
  other->SetSteadyTolerance(0.0);
  other->SetRestartFrom("");
  EXPECT_NE(valuesAt(other, 180.0), last); // it goes on
  EXPECT_EQ(fieldValue(other, "Flow Steps"), 30.0 * 180.0);
}

TEST(LatticeFlow, RunsGoOnFromACheckpoint) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/lattice.checkpoint";
  const auto filter = streamToDisc();
  filter->SetCheckpointFile(file.c_str());
  filter->UpdateTimeStep(3.0);
  filter->SetCheckpointFile("");
  const std::vector<double> expected = valuesAt(filter, 5.0);
  const auto other = streamToDisc();
  other->SetRestartFrom(file.c_str());
  EXPECT_EQ(valuesAt(other, 5.0), expected);
  EXPECT_EQ(reportOf(other)->GetNumberOfRows(), reportOf(filter)->GetNumberOfRows());
}

TEST(LatticeFlow, BadInputIsOneError) {
  const auto expectError = [](const auto& change, const char* text) {
    const auto filter = streamToDisc();
    change(*filter);
    expectOneError(filter, text);
  };
  expectError([](Filter& f) { f.SetDimension(4); }, "the dimension is 4; it must be 2 or 3");
  expectError([](Filter& f) { f.SetRadius(-1.0); }, "the radius is -1");
  expectError([](Filter& f) { f.SetViscosity(0.0); }, "the viscosity is 0");
  expectError([](Filter& f) { f.SetSpeed(std::numeric_limits<double>::quiet_NaN()); }, "the speed is nan");
  expectError([](Filter& f) { f.SetViscosity(1e-4); }, "Use the entropic collision");
  expectError([](Filter& f) { f.SetLatticeSpeed(0.5); }, "the lattice speed is 0.5");
  expectError(
    [](Filter& f) { f.SetLowerY(Filter::PERIODIC); }, "the lower y side is periodic and the upper y side is not");
  expectError([](Filter& f) { f.SetDirection(0.0, 0.0, 1.0); }, "the direction of the stream has no length");
  expectError([](Filter& f) { f.SetObstacle(Filter::INPUT_SET); }, "it must be given as the input");
  expectError([](Filter& f) { f.SetNumberOfLevels(0); }, "the number of levels is 0");
  expectError([](Filter& f) { f.SetVorticityLimit(-1.0); }, "the vorticity limit is -1");
  expectError([](Filter& f) { f.SetSteadyTolerance(-1.0); }, "the steady tolerance is -1");
  expectError([](Filter& f) { f.SetStepsPerRecord(0); }, "the number of steps from one record to the next is 0");
  expectError(
    [](Filter& f) {
      f.SetDomain(Filter::GIVEN_BOX);
      f.SetCorner(-0.1, -0.1, 0.0);
      f.SetLengths(0.2, 0.2, 1.0);
    },
    "the obstacle fills the whole box");
  expectError(
    [](Filter& f) {
      f.SetUpperY(Filter::WALL);
      f.SetLidVelocity(0.0, 1.0, 0.0);
    },
    "walls move along themselves");
}

} // namespace
} // namespace spanwise::testing
