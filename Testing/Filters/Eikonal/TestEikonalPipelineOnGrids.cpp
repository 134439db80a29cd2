// Eikonal Arrival Time on grids of intervals and on images: what comes through, and what users are told.

#include "Testing/Filters/Eikonal/ArrivalTimesOnGrids.hpp"
#include "Testing/Filters/Eikonal/Unreached.hpp"
#include "Testing/Rooms.hpp"

#include <vtkCallbackCommand.h>
#include <vtkMultiBlockDataSet.h>
#include <vtkPlaneSource.h>
#include <vtkRectilinearGrid.h>

#include <cmath>
#include <utility>

namespace spanwise::testing {
namespace {

/// The one message of an update.
std::string messageOf(Filter* filter) {
  Messages messages;
  filter->Update();
  EXPECT_EQ(messages.all().size(), 1U);
  return messages.all().empty() ? "" : messages.all()[0];
}

// Else each block would be solved alone, without a word.
TEST(EikonalArrivalTimeOnGrids, BlocksAreRefusedUnlessThereIsOne) {
  const auto left = unitImage<2>(8);
  const auto right = unitImage<2>(8);
  right->SetOrigin(1.0, 0.0, 0.0);
  vtkNew<vtkMultiBlockDataSet> blocks;
  blocks->SetBlock(0, left);
  blocks->SetBlock(2, right);
  vtkNew<Filter> filter;
  filter->SetInputDataObject(blocks);
  filter->SetSourcePoint(0, 0.3, 0.4, 0.0);
  const std::string message = messageOf(filter);
  EXPECT_NE(message.find("the input has cells in 2 blocks"), std::string::npos) << message;
  EXPECT_NE(message.find("Merge Blocks"), std::string::npos) << message;

  blocks->SetBlock(2, nullptr);
  filter->Modified();
  filter->Update();
  auto* const output = vtkMultiBlockDataSet::SafeDownCast(filter->GetOutputDataObject(0));
  ASSERT_NE(output, nullptr);
  auto* const block = vtkDataSet::SafeDownCast(output->GetBlock(0));
  ASSERT_NE(block, nullptr);
  const std::vector<double> times = timesOf(block);
  filter->SetInputData(left);
  filter->Update();
  EXPECT_EQ(times, timesOf(filter->GetDataSetOutput()));

  blocks->SetBlock(2, right);
  filter->SetSources(Filter::POINTS);
  filter->SetSourceData(blocks);
  const std::string second = messageOf(filter);
  EXPECT_NE(second.find("the second input (Source Input) has 2 blocks"), std::string::npos) << second;
}

TEST(EikonalArrivalTimeOnGrids, OtherGridsHearOfImages) {
  vtkNew<vtkRectilinearGrid> grid;
  grid->SetDimensions(3, 3, 1);
  vtkNew<vtkDoubleArray> coordinates;
  for (const double x : {0.0, 1.0, 3.0}) {
    coordinates->InsertNextValue(x);
  }
  grid->SetXCoordinates(coordinates);
  grid->SetYCoordinates(coordinates);
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetSourcePoint(0, 0.3, 0.4, 0.0);
  const std::string message = messageOf(filter);
  EXPECT_NE(message.find("the input is a vtkRectilinearGrid"), std::string::npos) << message;
  EXPECT_NE(message.find("Resample To Image"), std::string::npos) << message;
}

TEST(EikonalArrivalTimeOnGrids, SaysWhatIsNotReached) {
  CellList<2> cells = allCells<2>(0, 8);
  cells.insert(Cell<2>{{12, 3}});
  const auto grid = gridOfCells<2>(cells, unitPlacement<2>(8));
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetSourcePoint(0, 0.1, 0.1, 0.0);
  filter->ComputeNearestSourceOn();
  filter->ComputeGradientOn();
  filter->Update();
  vtkIdType apart = -1;
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
    apart = centreOf(grid, c)[0] > 1.0 ? c : apart;
  }
  EXPECT_EQ(valueAt(filter->GetDataSetOutput(), apart, "Nearest Source"), -1.0);
  EXPECT_TRUE(std::isnan(valueAt(filter->GetDataSetOutput(), apart, "Gradient")));
  expectUnreached(filter, vtkDataObject::CELL, "Eikonal Unreached Cells", 1.0, apart);
}

TEST(EikonalArrivalTimeOnGrids, SaysWhatIsWrongInOneMessage) {
  const auto grid = unitGrid<2>(4);
  onCells(grid, "two", [](const Place&) { return std::vector<double>{1.0, 1.0}; });
  onCells(grid, "four", [](const Place&) { return std::vector<double>{1.0, 0.5, 0.2, 1.0}; });
  onCells(grid, "negative", [](const Place& p) { return std::vector<double>{p[0] > 0.5 && p[1] > 0.5 ? -1.0 : 1.0}; });
  onCells(grid, "zero", [](const Place&) { return std::vector<double>{0.0}; });
  onCells(grid, "flat", [](const Place&) { return std::vector<double>{1.0, 1.0, 1.0, 2.0, 0.0, 0.0}; });
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetSourcePoint(0, 0.5, 0.5, 0.0);
  filter->SetOrder(3);
  expectOneError(filter, "the order of differences is 3");
  filter->SetOrder(1);
  filter->SetSpeed(-1.0);
  expectOneError(filter, "the speed is -1");
  filter->SetSpeed(1e300);
  expectOneError(filter, "the speed is 1e+300; its sixth power");
  filter->SetSpeed(1e-300);
  expectOneError(filter, "the speed is 1e-300; its sixth power");
  filter->SetSpeedKind(Filter::CONSTANT_TENSOR);
  filter->SetTensor(std::array{1e300, 1e300, 1e300, 0.0, 0.0, 0.0}.data());
  expectOneError(filter,
    "the tensor is xx 1e+300, yy 1e+300, zz 1e+300, xy 0, yz 0, xz 0; it must be finite and positive "
    "definite, and its determinant, which is inf");
  filter->SetSpeedKind(Filter::SPEED_ARRAY);
  expectOneError(filter, "no array was chosen for the speed");
  const std::pair<const char*, const char*> arrays[] = {
    {"none",
      "no array 'none' of numbers on its points or cells for the speed; it has 'number', 'two', 'four', 'negative'"},
    {"", "no array was chosen for the speed; there must be one of 'number', 'two', 'four', 'negative', 'zero', 'flat'"},
    {"two", "has 2 components"}, {"four", "it must be symmetric"}, {"negative", "the speed of cell 10 is not valid"},
    {"zero", "the speed of cell 0 is 0"}, {"flat", "the speed of cell 0 is not valid"}};
  for (const auto& [name, message] : arrays) {
    setArray(filter, 1, name);
    expectOneError(filter, message);
  }
  filter->SetSpeedKind(Filter::CONSTANT);
  filter->SetSpeed(1.0);
  filter->SetSources(Filter::CELLS);
  expectOneError(filter, "there is no second input (Source Input)");
  filter->SetSourceData(unitGrid<3>(4));
  expectOneError(filter, "the second input (Source Input) is 3D and the first 2D");
  filter->SetSourceData(unitGrid<2>(5));
  expectOneError(filter, "second input (Source Input): the spacings");
  filter->SetSourceData(gridOfCells<2>({Cell<2>{{9, 9}}}, unitPlacement<2>(4)));
  expectOneError(filter, "there is no source");
  filter->SetSourceData(unitGrid<2>(4));
  filter->SetSourceTimes("none");
  expectOneError(filter, "no array 'none' of one component on its cells");
  filter->SetSourceTimes("");
  filter->SetSources(Filter::SURFACE);
  filter->SetSourceData(unitGrid<3>(4));
  expectOneError(filter, "cell 0 of the second input (Source Input) is a hexahedron; fronts start at a surface");
  filter->SetSourceData(unitImage<3>(4));
  expectOneError(filter,
    "the second input (Source Input) is a vtkImageData; the surface that fronts start at must be polygonal data");
  filter->SetSourceData(sphere({0.5, 0.5, 5.0}, 0.3));
  expectOneError(filter, "the surface of the second input (Source Input) is not in the plane of the grid");
  filter->SetSourceData(sphere({7.5, 0.5, 0.0}, 0.3));
  expectOneError(filter, "the source surface is outside of the grid");
  vtkNew<vtkPolyData> nothing;
  filter->SetSourceData(nothing);
  expectOneError(filter, "the second input (Source Input) has no surface");
  filter->SetSourceData(nullptr);
  expectOneError(filter, "there is no second input (Source Input)");
  filter->SetSources(Filter::PLACED_POINTS);
  filter->SetStopRegion("none");
  expectOneError(filter, "the input has no array 'none' of one component on its cells");
  vtkNew<vtkPlaneSource> plane;
  plane->Update();
  vtkNew<Filter> onMesh;
  onMesh->SetInputData(plane->GetOutput());
  onMesh->SetSources(Filter::CELLS);
  onMesh->SetSourceData(grid);
  expectOneError(onMesh, "are sources on grids of intervals and images only");
}

// Views bring an image up to date several times, each time for its extent, which an empty one does not have.
TEST(EikonalArrivalTimeOnGrids, AnImageThatFailsSaysItOnce) {
  vtkNew<vtkImageData> image;
  image->SetExtent(0, 8, 0, 8, 0, 8);
  vtkNew<Filter> filter;
  filter->SetInputData(image);
  filter->SetSourcePoint(0, 4.0, 4.0, 4.0);
  filter->SetSpeed(0.0);
  Messages messages;
  for (int k = 0; k < 3; ++k) {
    filter->Update();
  }
  EXPECT_EQ(messages.all().size(), 1U);
  filter->SetSpeed(-1.0);
  for (int k = 0; k < 3; ++k) {
    filter->Update();
  }
  EXPECT_EQ(messages.all().size(), 2U);
  filter->SetSpeed(1.0);
  filter->Update();
  EXPECT_EQ(messages.all().size(), 2U);
  EXPECT_GT(filter->GetOutputDataObject(0)->GetNumberOfElements(vtkDataObject::CELL), 0);
  filter->SetSpeed(-1.0); // again
  filter->Update();
  EXPECT_EQ(messages.all().size(), 3U);
}

TEST(EikonalArrivalTimeOnGrids, KeepsTheGridAndItsArrays) {
  const auto grid = unitGrid<3>(5);
  grid->GetCellData()->SetScalars(onCells(grid, "a", [](const Place& p) { return std::vector<double>{p[0], p[1]}; }));
  vtkNew<vtkDoubleArray> note;
  note->SetName("note");
  note->InsertNextValue(7.0);
  grid->GetFieldData()->AddArray(note);
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetSourcePoint(0, 0.5, 0.5, 0.5);
  filter->SetResultArrayName("u");
  filter->Update();
  vtkDataSet* output = filter->GetDataSetOutput();
  EXPECT_EQ(gridOf<3>(output), gridOf<3>(grid)); // the same record
  EXPECT_EQ(output->GetCellData()->GetArray("a"), grid->GetCellData()->GetArray("a"));
  EXPECT_EQ(output->GetCellData()->GetScalars(), output->GetCellData()->GetArray("u"));
  EXPECT_EQ(fieldValue(output, "note"), 7.0);
  EXPECT_EQ(grid->GetCellData()->GetArray("u"), nullptr);
  EXPECT_EQ(grid->GetFieldData()->GetNumberOfArrays(), 1);
}

TEST(EikonalArrivalTimeOnGrids, TakesWhatHasNoCells) {
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<2>({}));
  filter->SetSourcePoint(0, 0.5, 0.5, 0.0);
  expectNothing(filter);
  EXPECT_NE(filter->GetDataSetOutput()->GetCellData()->GetArray("Arrival Time"), nullptr);
  vtkNew<vtkImageData> image;
  filter->SetInputData(image);
  expectNothing(filter);
}

TEST(EikonalArrivalTimeOnGrids, FollowsTimeSteps) {
  vtkNew<StepSource> source;
  source->type = "vtkUnstructuredGrid";
  source->steps = {0.0, 1.0};
  source->fill = [](double time, vtkDataObject* output) {
    output->ShallowCopy(unitGrid<2>(4 << static_cast<int>(time)));
  };
  vtkNew<Filter> filter;
  filter->SetInputConnection(source->GetOutputPort());
  filter->SetSourcePoint(0, 0.5, 0.5, 0.0);
  for (const double time : {1.0, 0.0}) {
    filter->UpdateTimeStep(time);
    EXPECT_EQ(filter->GetDataSetOutput()->GetNumberOfCells(), time == 0.0 ? 16 : 64);
    EXPECT_NEAR(valueAt(filter->GetDataSetOutput(), 0), std::hypot(1.0, 1.0) * (time == 0.0 ? 0.375 : 0.4375), 1e-8);
  }
}

TEST(EikonalArrivalTimeOnGrids, StopsWhenAsked) {
  vtkNew<Filter> filter;
  filter->SetInputData(unitGrid<3>(20));
  filter->SetSourcePoint(0, 0.5, 0.5, 0.5);
  vtkNew<vtkCallbackCommand> stop;
  stop->SetCallback([](vtkObject* caller, unsigned long, void*, void*) {
    auto* algorithm = vtkAlgorithm::SafeDownCast(caller);
    if (algorithm->GetProgress() > 0.3) {
      algorithm->SetAbortExecute(1);
    }
  });
  filter->AddObserver(vtkCommand::ProgressEvent, stop);
  expectNothing(filter);
}

} // namespace
} // namespace spanwise::testing
