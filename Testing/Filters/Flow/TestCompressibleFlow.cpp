#include "Testing/Core/TemporaryFolder.hpp"
#include "Testing/Filters/Geometry/Pipelines.hpp"
#include "Testing/Filters/Sides.hpp"
#include "Testing/Filters/WithoutMemory.hpp"

#include "vtkSpanwiseCompressibleFlow.h"
#include "vtkSpanwiseIntervalShape.h"

#include <vtkCommand.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkPointSource.h>
#include <vtkTable.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseCompressibleFlow;
using Pipeline = vtkStreamingDemandDrivenPipeline;

/// A stream of Mach 2 to a disc, in few cells.
vtkSmartPointer<Filter> streamToDisc() {
  auto filter = vtkSmartPointer<Filter>::New();
  filter->SetController(nullptr);
  filter->SetCellsAlongX(28);
  filter->SetNumberOfLevels(3);
  filter->SetNumberOfFrames(6);
  return filter;
}

vtkSmartPointer<vtkSpanwiseIntervalShape> discOf(double spacing) {
  auto disc = vtkSmartPointer<vtkSpanwiseIntervalShape>::New();
  disc->SetController(nullptr);
  disc->SetDimension(2);
  disc->SetSpacing(spacing, spacing, spacing);
  return disc;
}

vtkUnstructuredGrid* levelOf(vtkDataObject* output, unsigned int level) {
  return vtkUnstructuredGrid::SafeDownCast(
    vtkPartitionedDataSetCollection::SafeDownCast(output)->GetPartition(level, 0));
}

/// Calls visit(grid, cell) for all cells of an output.
template <class Visit>
void forCells(vtkDataObject* output, const Visit& visit) {
  auto* const levels = vtkPartitionedDataSetCollection::SafeDownCast(output);
  for (unsigned int l = 0; l < levels->GetNumberOfPartitionedDataSets(); ++l) {
    vtkUnstructuredGrid* const grid = levelOf(output, l);
    for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
      visit(grid, c);
    }
  }
}

double value(vtkDataSet* grid, const char* array, vtkIdType cell, int component = 0) {
  return grid->GetCellData()->GetArray(array)->GetComponent(cell, component);
}

/// An array of all levels at a time, one level's after the other's.
std::vector<double> valuesAt(Filter* filter, double time, const char* array = "Density") {
  filter->UpdateTimeStep(time);
  std::vector<double> values;
  forCells(filter->GetOutputDataObject(0),
    [&](vtkDataSet* grid, vtkIdType cell) { values.push_back(value(grid, array, cell)); });
  return values;
}

double fieldValue(vtkDataObject* output, const char* name) {
  return output->GetFieldData()->GetArray(name)->GetComponent(0, 0);
}

vtkTable* reportOf(Filter* filter) { return vtkTable::SafeDownCast(filter->GetOutputDataObject(1)); }

double reported(Filter* filter, const char* column, vtkIdType row) {
  return vtkDataArray::SafeDownCast(reportOf(filter)->GetColumnByName(column))->GetComponent(row, 0);
}

// From the last frame on, also where levels have followed the flow.
TEST(CompressibleFlow, GoesOnOnTheHostWithoutMemory) {
  const auto before = notesOf("Compressible flow", ComputeSide::Host).count;
  const auto begin = [] {
    auto filter = streamToDisc();
    filter->SetReconstruction(Filter::VAN_LEER);
    filter->UpdateTimeStep(1.0);
    return filter;
  };
  const auto goOn = [](vtkSmartPointer<Filter> filter) {
    filter->UpdateTimeStep(2.0);
    filter->UpdateTimeStep(3.0);
    return filter;
  };
  expectSameWithoutMemory(9, 1e-9, begin, goOn, [](const vtkSmartPointer<Filter>& filter) {
    std::vector<double> digest;
    appendDigest(filter->GetOutputDataObject(0)->GetFieldData()->GetArray("Flow Steps"), digest);
    for (const char* column : {"Time", "Mass", "Drag"}) {
      appendDigest(vtkDataArray::SafeDownCast(reportOf(filter)->GetColumnByName(column)), digest);
    }
    for (unsigned int level = 0; level < 3; ++level) {
      vtkUnstructuredGrid* const cells = levelOf(filter->GetOutputDataObject(0), level);
      appendDigest(cells != nullptr ? cells->GetCellData()->GetArray("Density") : nullptr, digest);
    }
    return digest;
  });
  EXPECT_GT(notesOf("Compressible flow", ComputeSide::Host).count, before);
}

TEST(CompressibleFlow, AStreamGoesAroundADisc) {
  const auto filter = streamToDisc();
  filter->UpdateTimeStep(5.0);
  vtkDataObject* const output = filter->GetOutputDataObject(0);
  double area = 0.0;
  double mass = 0.0;
  double greatest = 0.0;
  forCells(output, [&](vtkDataSet* grid, vtkIdType cell) {
    double bounds[6];
    grid->GetCellBounds(cell, bounds);
    const double size = (bounds[1] - bounds[0]) * (bounds[3] - bounds[2]);
    area += size;
    mass += size * value(grid, "Density", cell);
    greatest = std::max(greatest, value(grid, "Pressure", cell));
    // Nothing is in the disc, up to the finest cells.
    const double x = 0.5 * (bounds[0] + bounds[1]);
    const double y = 0.5 * (bounds[2] + bounds[3]);
    EXPECT_GT(std::hypot(x, y), 0.5);
    EXPECT_EQ(value(grid, "Velocity", cell, 2), 0.0);
    const double speed = std::hypot(value(grid, "Velocity", cell), value(grid, "Velocity", cell, 1));
    const double sound = std::sqrt(1.4 * value(grid, "Pressure", cell) / value(grid, "Density", cell));
    EXPECT_NEAR(value(grid, "Mach", cell), speed / sound, 1e-12);
  });
  // 2 diameters upstream, 4 downstream, 3 to each side.
  double bounds[6];
  vtkPartitionedDataSetCollection::SafeDownCast(output)->GetBounds(bounds);
  const double expected[] = {-2.5, 4.5, -3.5, 3.5};
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(bounds[k], expected[k], 1e-12);
  }
  int solid = 0; // cells of 1/16 with their centres in the disc
  for (int j = -8; j < 8; ++j) {
    for (int i = -8; i < 8; ++i) {
      solid += std::hypot(i + 0.5, j + 0.5) <= 8.0 ? 1 : 0;
    }
  }
  EXPECT_NEAR(area, 49.0 - solid / 256.0, 1e-12);
  EXPECT_GT(greatest, 5.0); // behind the shock
  EXPECT_NEAR(fieldValue(output, "Flow Time"), 0.5, 1e-15);
  EXPECT_EQ(fieldValue(output, "Raised Cells"), 0.0);
  // The report ends at most 10 steps before, but for the 4 steps that the finest level takes at once.
  const vtkIdType last = reportOf(filter)->GetNumberOfRows() - 1;
  EXPECT_EQ(reported(filter, "Time", 0), 0.0);
  EXPECT_GE(reported(filter, "Steps", last), 10.0 * static_cast<double>(last));
  EXPECT_LT(reported(filter, "Steps", last), 10.0 * static_cast<double>(last) + 4.0);
  EXPECT_LT(fieldValue(output, "Flow Steps") - reported(filter, "Steps", last), 14.0);
  EXPECT_NEAR(reported(filter, "Mass", last), mass, 0.02 * mass);
  EXPECT_GT(reported(filter, "Drag", last), 1.0);
  EXPECT_NEAR(reported(filter, "Lift", last), 0.0, 1e-12);
}

TEST(CompressibleFlow, OnTheDeviceWhatItShowsStaysThere) {
  const auto valuesOn = [](SideChoice side) {
    const Forced forced(side);
    const auto filter = streamToDisc();
    filter->UpdateTimeStep(1.0);
    for (unsigned int l = 0; side == SideChoice::Device && l < 3; ++l) {
      for (const char* name : {"Density", "Velocity", "Mach", "Level"}) {
        expectOnDeviceAlone<2>(levelOf(filter->GetOutputDataObject(0), l), name);
      }
    }
    return valuesAt(filter, 1.0);
  };
  const std::vector<double> onHost = valuesOn(SideChoice::Host);
  const std::vector<double> onDevice = valuesOn(SideChoice::Device);
  ASSERT_EQ(onHost.size(), onDevice.size());
  for (std::size_t k = 0; k < onHost.size(); ++k) {
    EXPECT_NEAR(onHost[k], onDevice[k], haveDevice ? 1e-10 : 0.0); // a device fuses operations
  }
}

TEST(CompressibleFlow, FramesAreKeptAndAskedForInAnyOrder) {
  const auto whole = streamToDisc();
  std::vector<std::vector<double>> expected;
  for (int frame = 0; frame < 6; ++frame) {
    expected.push_back(valuesAt(whole, frame));
  }
  EXPECT_NE(expected[4], expected[5]);
  const auto filter = streamToDisc();
  for (const int frame : {3, 1, 5, 0, 4}) {
    EXPECT_EQ(valuesAt(filter, frame), expected[static_cast<std::size_t>(frame)]) << frame;
    EXPECT_EQ(filter->GetOutputDataObject(0)->GetInformation()->Get(vtkDataObject::DATA_TIME_STEP()), frame);
    EXPECT_NEAR(fieldValue(filter->GetOutputDataObject(0), "Flow Time"), 0.1 * frame, 1e-15);
    EXPECT_LE(reported(filter, "Time", reportOf(filter)->GetNumberOfRows() - 1), 0.1 * frame + 1e-15);
  }
  // What does not change the flow keeps its frames; they are whole in no time.
  filter->SetNumberOfFrames(8);
  EXPECT_EQ(valuesAt(filter, 5.0), expected[5]);
  // Times are those of the frames where they are known.
  filter->SetTimePerFrame(0.2);
  filter->UpdateTimeStep(0.4);
  EXPECT_NEAR(fieldValue(filter->GetOutputDataObject(0), "Flow Time"), 0.4, 1e-15);
}

// As a window does where Live is chosen: the newest frame is shown, and one more is computed each time.
TEST(CompressibleFlow, LiveItShowsTheNewestFrame) {
  const auto whole = streamToDisc();
  const auto filter = streamToDisc();
  filter->SetTimeLimit(1e-9); // one frame takes longer
  filter->LiveOn();
  const auto expectNewest = [&](int frame, int left) {
    const auto values = valuesAt(filter, 1.0); // a time that does not matter
    EXPECT_EQ(values, valuesAt(whole, frame));
    EXPECT_EQ(filter->GetOutputDataObject(0)->GetInformation()->Get(vtkDataObject::DATA_TIME_STEP()), frame);
    EXPECT_EQ(filter->GetFramesLeft(), left);
  };
  filter->GoOn();
  EXPECT_EQ(filter->GetFramesLeft(), 0);                  // nobody looks on
  EXPECT_EQ(valuesAt(filter, 2.0), valuesAt(whole, 2.0)); // a script gets what it asks for
  filter->InteractiveOn();
  expectNewest(2, 3);
  filter->Modified();
  expectNewest(2, 3); // only if told so
  filter->GoOn();
  EXPECT_EQ(filter->GetFramesLeft(), 0); // until it has gone on
  expectNewest(3, 2);

  // A changed setting starts over. What fails is not tried again and again, but goes on when it is right.
  whole->SetMachNumber(3.0);
  filter->SetMachNumber(3.0);
  expectNewest(0, 5);
  filter->SetCFLNumber(2.0);
  filter->GoOn();
  {
    const Messages messages;
    filter->UpdateTimeStep(1.0);
    EXPECT_EQ(messages.all().size(), 1U);
  }
  EXPECT_EQ(filter->GetFramesLeft(), 0);
  filter->SetCFLNumber(0.4);
  expectNewest(1, 4);
  const Messages messages;
  for (int frame = 2; frame < 6; ++frame) {
    filter->GoOn();
    expectNewest(frame, 5 - frame);
  }
  filter->GoOn();
  expectNewest(5, 0);
  EXPECT_TRUE(messages.all().empty());
}

TEST(CompressibleFlow, WhatChangesIsComputedAnew) {
  const auto filter = streamToDisc();
  const auto before = valuesAt(filter, 2.0);
  filter->SetMachNumber(3.0);
  const auto faster = valuesAt(filter, 2.0);
  EXPECT_NE(faster, before);
  filter->SetMachNumber(2.0);
  EXPECT_EQ(valuesAt(filter, 2.0), before);
  filter->SetStart(Filter::AT_REST);
  filter->UpdateTimeStep(0.0);
  forCells(filter->GetOutputDataObject(0), [](vtkDataSet* grid, vtkIdType cell) {
    EXPECT_EQ(value(grid, "Mach", cell), 0.0);
    EXPECT_NEAR(value(grid, "Pressure", cell), 1.0, 1e-14);
  });
}

// Coarse levels take larger steps: the same flow, but for the error, in fewer of them.
TEST(CompressibleFlow, SubcycledItIsTheSameFlow) {
  const auto together = streamToDisc();
  const auto subcycled = streamToDisc();
  together->SubcyclingOff();
  for (Filter* filter : {together.Get(), subcycled.Get()}) {
    filter->UpdateTimeStep(5.0);
  }
  const auto last = [](Filter* filter, const char* column) {
    return reported(filter, column, reportOf(filter)->GetNumberOfRows() - 1);
  };
  const double drag = last(together, "Drag");
  EXPECT_NEAR(last(subcycled, "Drag") / drag, 1.0, 0.02);
  EXPECT_NE(last(subcycled, "Drag"), drag);
  EXPECT_NEAR(fieldValue(subcycled->GetOutputDataObject(0), "Flow Time"), 0.5, 1e-15);
}

// The gas rests, and what comes in is behind a shock of Mach 2, which goes twice as fast as sound: 1 in a unit of time.
TEST(CompressibleFlow, AShockComesIn) {
  const auto filter = streamToDisc();
  filter->SetObstacle(Filter::NONE);
  filter->SetCorner(-2.0, 0.0, 0.0);
  filter->SetLengths(4.0, 0.5, 1.0);
  filter->SetCellsAlongX(64);
  filter->SetStart(Filter::SHOCK);
  filter->SetTimePerFrame(1.0);
  filter->UpdateTimeStep(0.0);
  forCells(filter->GetOutputDataObject(0),
    [](vtkDataSet* grid, vtkIdType cell) { EXPECT_EQ(value(grid, "Mach", cell), 0.0); });
  filter->UpdateTimeStep(1.0);
  forCells(filter->GetOutputDataObject(0), [](vtkDataSet* grid, vtkIdType cell) {
    double bounds[6];
    grid->GetCellBounds(cell, bounds);
    const double x = 0.5 * (bounds[0] + bounds[1]);
    if (x < -0.1) {
      EXPECT_NEAR(value(grid, "Pressure", cell), 4.5, 0.15) << x;
      EXPECT_NEAR(value(grid, "Density", cell), 1.4 * 8.0 / 3.0, 0.15) << x;
    } else if (x > 0.1) {
      EXPECT_NEAR(value(grid, "Pressure", cell), 1.0, 1e-6) << x;
    }
  });
}

TEST(CompressibleFlow, ASetIsAnObstacleOnAnyLattice) {
  // The finest cells are 7 / 28 / 4 = 1/16. On their lattice a disc as a set is the disc.
  const auto ball = streamToDisc();
  const auto expected = valuesAt(ball, 2.0);
  const auto filter = streamToDisc();
  filter->SetDomain(Filter::GIVEN_BOX);
  filter->SetCorner(-2.5, -3.5, 0.0);
  filter->SetLengths(7.0, 7.0, 7.0);
  filter->SetObstacle(Filter::INPUT_SET);
  expectOneError(filter, "the obstacle is a set; it must be given as the first input");
  const auto disc = discOf(1.0 / 16);
  filter->SetInputConnection(0, disc->GetOutputPort());
  filter->SetTimePerFrame(0.1);
  EXPECT_EQ(valuesAt(filter, 0.2), expected);
  EXPECT_EQ(filter->GetOutputDataObject(0)->GetFieldData()->GetNumberOfArrays(), 3);
  // On another one its cells are those with centres in the set's.
  disc->SetSpacing(0.03, 0.05, 1.0);
  filter->UpdateTimeStep(0.2);
  const auto found = placesOf(levelOf(filter->GetOutputDataObject(0), 2));
  disc->Update();
  auto* const cells = vtkDataSet::SafeDownCast(disc->GetOutputDataObject(0));
  int solid = 0;
  for (int j = -10; j < 10; ++j) {
    for (int i = -10; i < 10; ++i) {
      double centre[3] = {(i + 0.5) / 16, (j + 0.5) / 16, 0.0};
      double coordinates[3];
      double weights[8];
      int part = 0;
      const bool isSolid = cells->FindCell(centre, nullptr, -1, 0.0, part, coordinates, weights) >= 0;
      solid += isSolid ? 1 : 0;
      const std::array<long long, 3> place{std::llround(1e6 * centre[0]), std::llround(1e6 * centre[1]), 0};
      EXPECT_EQ(found.count(place), isSolid ? 0U : 1U) << i << ", " << j;
    }
  }
  EXPECT_GT(solid, 150);
  // The same set again, from a source that ran again, is the same flow.
  const auto again = valuesAt(filter, 0.2);
  disc->Modified();
  EXPECT_EQ(valuesAt(filter, 0.2), again);
}

TEST(CompressibleFlow, AnInputThatIsNotUsedMayBeAnything) {
  const auto levels = streamToDisc();
  const auto filter = streamToDisc();
  const auto expected = valuesAt(filter, 1.0);
  filter->SetInputConnection(0, levels->GetOutputPort());
  const Messages messages;
  EXPECT_EQ(valuesAt(filter, 1.0), expected);
  // Its field data are its own, not those of the input, which is at its start.
  EXPECT_NEAR(fieldValue(filter->GetOutputDataObject(0), "Flow Time"), 0.1, 1e-15);
  EXPECT_GT(fieldValue(filter->GetOutputDataObject(0), "Flow Steps"), 0.0);
  EXPECT_TRUE(messages.all().empty());
  filter->SetObstacle(Filter::INPUT_SET);
  expectOneError(filter, "first input (Obstacle Set): the input is a collection, and 3 of its parts have cells");
}

TEST(CompressibleFlow, ABallInSpaceIsSymmetric) {
  const auto filter = streamToDisc();
  filter->SetDimension(3);
  filter->SetCellsAlongX(14);
  filter->SetNumberOfLevels(2);
  filter->UpdateTimeStep(3.0);
  // Planes through the axis mirror the flow: cells come in pairs with the same bits.
  std::map<std::array<long long, 3>, std::array<double, 3>> velocities;
  forCells(filter->GetOutputDataObject(0), [&](vtkDataSet* grid, vtkIdType cell) {
    auto& velocity = velocities[placeOfCell(grid, cell)];
    grid->GetCellData()->GetArray("Velocity")->GetTuple(cell, velocity.data());
    EXPECT_EQ(grid->GetCellData()->GetArray("Vorticity")->GetNumberOfComponents(), 3);
  });
  ASSERT_GT(velocities.size(), 14U * 14 * 14);
  for (const auto& [place, velocity] : velocities) {
    const auto& mirrored = velocities.at({place[0], -place[1], place[2]});
    const auto& turned = velocities.at({place[0], place[2], place[1]});
    EXPECT_EQ(velocity[0], mirrored[0]);
    EXPECT_EQ(velocity[1], -mirrored[1]);
    EXPECT_NEAR(velocity[1], turned[2], 1e-13);
  }
}

TEST(CompressibleFlow, ProbesAreColumnsOfTheReport) {
  const auto filter = streamToDisc();
  vtkNew<vtkPointSource> probes;
  probes->SetNumberOfPoints(1);
  probes->SetRadius(0.0);
  probes->SetCenter(-0.53, 0.01, 0.0); // at the nose
  filter->SetInputConnection(1, probes->GetOutputPort());
  filter->SetStepsPerRecord(1);
  filter->UpdateTimeStep(5.0);
  const vtkIdType last = reportOf(filter)->GetNumberOfRows() - 1;
  EXPECT_NEAR(reported(filter, "Probe 0 Pressure", 0), 1.0, 1e-14);
  EXPECT_NEAR(reported(filter, "Probe 0 Velocity X", 0), 2.0, 1e-14);
  EXPECT_EQ(reported(filter, "Steps", last), fieldValue(filter->GetOutputDataObject(0), "Flow Steps"));
  // What the last row reads is the cell around the probe.
  bool isFound = false;
  forCells(filter->GetOutputDataObject(0), [&](vtkDataSet* grid, vtkIdType cell) {
    double bounds[6];
    grid->GetCellBounds(cell, bounds);
    if (bounds[0] <= -0.53 && -0.53 < bounds[1] && bounds[2] <= 0.01 && 0.01 < bounds[3]) {
      isFound = true;
      EXPECT_EQ(value(grid, "Pressure", cell), reported(filter, "Probe 0 Pressure", last));
      EXPECT_EQ(value(grid, "Density", cell), reported(filter, "Probe 0 Density", last));
    }
  });
  EXPECT_TRUE(isFound);
  probes->SetCenter(-9.0, 0.0, 0.0);
  expectOneError(filter, "probe 0 lies at -9 along axis 0; it must be in the box, from -2.5 to 4.5");
}

TEST(CompressibleFlow, PeriodicChannelsKeepTheirMass) {
  const auto filter = streamToDisc();
  filter->SetDomain(Filter::GIVEN_BOX);
  filter->SetCorner(-2.0, -1.0, 0.25);
  filter->SetLengths(4.0, 2.0, 1.0);
  filter->SetCellsAlongX(32);
  filter->SetCenter(0.0, 0.0, 0.25);
  filter->SetLowerX(Filter::PERIODIC);
  filter->SetUpperX(Filter::PERIODIC);
  filter->SetLowerY(Filter::SLIP_WALL);
  filter->SetUpperY(Filter::SLIP_WALL);
  filter->SetStepsPerRecord(5);
  filter->UpdateTimeStep(5.0);
  const vtkIdType rows = reportOf(filter)->GetNumberOfRows();
  ASSERT_GT(rows, 5);
  for (vtkIdType row = 1; row < rows; ++row) {
    EXPECT_NEAR(reported(filter, "Mass", row) / reported(filter, "Mass", 0), 1.0, 1e-12);
    EXPECT_NEAR(reported(filter, "Energy", row) / reported(filter, "Energy", 0), 1.0, 1e-12);
  }
  EXPECT_EQ(levelOf(filter->GetOutputDataObject(0), 2)->GetPoint(0)[2], 0.25); // the plane of the disc
}

TEST(CompressibleFlow, OfPiecesTheFirstIsPartOfTheWhole) {
  const auto filter = streamToDisc();
  filter->UpdateTimeStep(2.0);
  std::int64_t whole = filter->GetOutputDataObject(0)->GetNumberOfElements(vtkDataObject::CELL);
  for (int piece = 0; piece < 3; ++piece) {
    filter->UpdateTimeStep(2.0, piece, 3, 0);
    const auto part = filter->GetOutputDataObject(0)->GetNumberOfElements(vtkDataObject::CELL);
    EXPECT_GT(part, 0);
    whole -= part;
  }
  EXPECT_EQ(whole, 0);
}

TEST(CompressibleFlow, RestartedFromACheckpointItHasTheSameBits) {
  const TemporaryFolder folder;
  const std::string path = folder / "state";
  const auto whole = streamToDisc();
  whole->SetCheckpointFile(path.c_str());
  whole->UpdateTimeStep(3.0);
  whole->SetCheckpointFile("");
  const auto expected = valuesAt(whole, 5.0);
  const auto later = streamToDisc();
  later->SetRestartFrom(path.c_str());
  EXPECT_EQ(valuesAt(later, 5.0), expected);
  ASSERT_EQ(reportOf(later)->GetNumberOfRows(), reportOf(whole)->GetNumberOfRows());
  for (vtkIdType row = 0; row < reportOf(later)->GetNumberOfRows(); ++row) {
    EXPECT_EQ(reported(later, "Drag", row), reported(whole, "Drag", row));
  }
  EXPECT_EQ(valuesAt(later, 0.0), valuesAt(whole, 3.0)); // the first that there is
  const auto other = streamToDisc();
  other->SetMachNumber(2.5);
  other->SetRestartFrom(path.c_str());
  expectOneError(other, "it is of another run");
}

TEST(CompressibleFlow, StoppedItGoesOnWhereItWas) {
  const auto filter = streamToDisc();
  const auto expected = valuesAt(streamToDisc(), 5.0);
  struct Stop : vtkCommand {
    static Stop* New() { return new Stop; }
    void Execute(vtkObject* caller, unsigned long /*event*/, void* data) override {
      const double progress = *static_cast<double*>(data);
      if (progress >= 0.5 && progress < 1.0) {
        vtkAlgorithm::SafeDownCast(caller)->SetAbortExecute(true);
      }
    }
  };
  vtkNew<Stop> stop;
  const auto tag = filter->AddObserver(vtkCommand::ProgressEvent, stop);
  {
    const Messages messages;
    filter->UpdateTimeStep(5.0);
    EXPECT_TRUE(messages.all().empty());
    const double time = filter->GetOutputDataObject(0)->GetInformation()->Get(vtkDataObject::DATA_TIME_STEP());
    EXPECT_EQ(time, 2.0); // the last one that is done
    EXPECT_NEAR(fieldValue(filter->GetOutputDataObject(0), "Flow Time"), 0.2, 1e-15);
  }
  filter->RemoveObserver(tag);
  filter->Modified();
  EXPECT_EQ(valuesAt(filter, 5.0), expected);
}

TEST(CompressibleFlow, BadInputIsOneError) {
  const auto expectError = [](const auto& change, const char* text) {
    const auto filter = streamToDisc();
    change(*filter);
    expectOneError(filter, text);
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  expectError([](Filter& f) { f.SetDimension(4); }, "the dimension is 4; it must be 2 or 3");
  expectError([](Filter& f) { f.SetObstacle(3); }, "the obstacle is 3; it must be within 0 and 2");
  expectError(
    [](Filter& f) {
      f.SetStart(Filter::SHOCK);
      f.SetMachNumber(1.0);
    },
    "the Mach number is 1; that of a shock must be above 1");
  expectError(
    [](Filter& f) {
      f.SetStart(Filter::SHOCK);
      f.SetLowerX(Filter::SLIP_WALL);
    },
    "no side is an inflow; a shock needs one to come in");
  expectError([](Filter& f) { f.SetStart(3); }, "the start is 3; it must be within 0 and 2");
  expectError([](Filter& f) { f.SetRadius(0.0); }, "the radius is 0; it must be finite and positive");
  expectError([](Filter& f) { f.SetCenter(0.0, nan, 0.0); }, "a component of the centre is nan; it must be finite");
  expectError([](Filter& f) { f.SetLengths(1.0, -1.0, 1.0); }, "the length of the box is -1; it must be");
  expectError([](Filter& f) { f.SetCellsAlongX(0); }, "the number of cells along x is 0; it must be at least 1");
  expectError([](Filter& f) { f.SetMachNumber(-1.0); }, "the Mach number is -1; it must be finite and not negative");
  expectError([](Filter& f) { f.SetMachNumber(0.0); }, "the Mach number is 0; where a side is an inflow");
  expectError([](Filter& f) { f.SetDirection(0.0, 0.0, 1.0); }, "the direction of the stream has no length");
  expectError([](Filter& f) { f.SetDensity(0.0); }, "the density is 0; it must be finite and positive");
  expectError([](Filter& f) { f.SetPressure(-1.0); }, "the pressure is -1; it must be finite and positive");
  expectError([](Filter& f) { f.SetGamma(1.0); }, "gamma is 1; it must be above 1 and finite");
  expectError([](Filter& f) { f.SetLowerY(4); }, "the lower y side is 4; it must be within 0 and 3");
  expectError([](Filter& f) { f.SetUpperY(Filter::PERIODIC); }, "the upper y side is periodic and the lower y side is");
  expectError([](Filter& f) { f.SetNumberOfLevels(17); }, "the number of levels is 17; it must be 1 to 16");
  expectError([](Filter& f) { f.SetGradientLimit(0.0); }, "the gradient limit is 0; it must be finite and positive");
  expectError([](Filter& f) { f.SetBufferCells(1); }, "the buffer around refined cells is 1; it must be 2 to 64");
  expectError([](Filter& f) { f.SetCFLNumber(1.1); }, "the CFL number is 1.1; it must be above 0 and at most 1");
  expectError([](Filter& f) { f.SetTimePerFrame(-1.0); }, "the time per frame is -1; it must be finite and not");
  expectError([](Filter& f) { f.SetStepsPerRecord(0); }, "steps from one record to the next is 0; it must be");
  expectError([](Filter& f) { f.SetCellsAlongX(2000000000); }, "on level 0; with 3 levels it must have less than");
  expectError(
    [](Filter& f) {
      f.SetDomain(Filter::GIVEN_BOX);
      f.SetCorner(-0.1, -0.1, 0.0);
      f.SetLengths(0.2, 0.2, 0.2);
    },
    "the obstacle fills the box");
  // A source without cells.
  const auto filter = streamToDisc();
  filter->SetObstacle(Filter::INPUT_SET);
  const auto disc = discOf(1.0 / 16);
  disc->SetRadius(0.0);
  disc->SetCenter(0.01, 0.0, 0.0);
  filter->SetInputConnection(0, disc->GetOutputPort());
  expectOneError(filter, "the obstacle has no cells; it must have one");
}

// A wall along the axis of a symmetric flow changes nothing, to the last bit; with levels it would, for cells that are
// newly refined at a side know nothing of what is beyond.
TEST(CompressibleFlow, AnObstacleMayReachOutOfTheBox) {
  const auto filter = streamToDisc();
  filter->SetDomain(Filter::GIVEN_BOX);
  filter->SetCorner(-2.0, 0.0, 0.0);
  filter->SetLengths(4.0, 2.0, 1.0);
  filter->SetCellsAlongX(64);
  filter->SetNumberOfLevels(1);
  filter->SetLowerY(Filter::SLIP_WALL);
  filter->UpdateTimeStep(3.0);
  const auto half = placedValues(levelOf(filter->GetOutputDataObject(0), 0), "Pressure");
  const auto whole = streamToDisc();
  whole->SetDomain(Filter::GIVEN_BOX);
  whole->SetCorner(-2.0, -2.0, 0.0);
  whole->SetLengths(4.0, 4.0, 1.0);
  whole->SetCellsAlongX(64);
  whole->SetNumberOfLevels(1);
  whole->UpdateTimeStep(3.0);
  const auto all = placedValues(levelOf(whole->GetOutputDataObject(0), 0), "Pressure");
  std::size_t above = 0;
  for (const auto& [place, pressure] : all) {
    if (place[1] > 0) {
      ++above;
      ASSERT_EQ(half.count(place), 1U);
      EXPECT_EQ(half.at(place), pressure);
    }
  }
  EXPECT_EQ(above, half.size());
}

} // namespace
} // namespace spanwise::testing
