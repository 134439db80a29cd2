#include "Testing/Filters/Geometry/Pipelines.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseImageToIntervals.h"
#include "vtkSpanwiseIntervalShape.h"
#include "vtkSpanwiseIntervalsToImage.h"

#include <vtkContourFilter.h>
#include <vtkDoubleArray.h>
#include <vtkImageData.h>
#include <vtkIntArray.h>
#include <vtkPointDataToCellData.h>
#include <vtkThreshold.h>
#include <vtkUnsignedCharArray.h>

#include <random>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseIntervalsToImage;

template <int Dim>
void expectImage() {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const GridPlacement placement{{0.5, 1.0, 2.0}, {0.25, 0.5, 1.0}, 0};
  const CellList<Dim> cells = randomCells<Dim>(random, 6, 0.4);
  const auto grid = gridOfCells<Dim>(cells, placement, 10.0);
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetFillValue(-3.0);
  filter->Update();
  vtkImageData* image = filter->GetOutput();
  EXPECT_EQ(image->GetDataDimension(), Dim);

  const auto expected = placedValues(grid, "number");
  std::size_t inside = 0;
  for (vtkIdType c = 0; c < image->GetNumberOfCells(); ++c) {
    const auto found = expected.find(placeOfCell(image, c));
    const bool isIn = found != expected.end();
    inside += static_cast<std::size_t>(isIn);
    EXPECT_EQ(image->GetCellData()->GetArray("Mask")->GetComponent(c, 0), isIn ? 1.0 : 0.0);
    EXPECT_EQ(image->GetCellData()->GetArray("number")->GetComponent(c, 0), isIn ? found->second : -3.0);
  }
  EXPECT_EQ(inside, expected.size());
}

TEST(IntervalsToImage, HasAMaskAndTheValues) {
  expectImage<2>();
  expectImage<3>();
}

TEST(IntervalsToImage, ComesBackThroughImageToIntervals) {
  std::mt19937 random(seed());
  const CellList<3> cells = randomCells<3>(random, 6, 0.4);
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<3>(cells));
  vtkNew<vtkSpanwiseImageToIntervals> back;
  back->SetInputConnection(filter->GetOutputPort());
  back->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "Mask");
  back->SetLowerThreshold(1.0);
  back->Update();
  EXPECT_TRUE(cellsOf<3>(back->GetOutput()) == cells); // the same coordinates, too
}

TEST(IntervalsToImage, AnnouncesItsExtentToFiltersBehindIt) {
  vtkNew<vtkSpanwiseIntervalShape> ball;
  ball->SetResolution(20);
  vtkNew<Filter> filter;
  filter->SetInputConnection(ball->GetOutputPort());
  filter->UpdateInformation();
  int extent[6];
  filter->GetOutputInformation(0)->Get(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT(), extent);
  EXPECT_EQ(extent[1], 20);
  EXPECT_EQ(extent[5], 20);
  vtkNew<vtkThreshold> threshold; // without an update in between
  threshold->SetInputConnection(filter->GetOutputPort());
  threshold->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "Mask");
  threshold->SetLowerThreshold(1.0);
  threshold->Update();
  EXPECT_EQ(threshold->GetOutput()->GetNumberOfCells(), ball->GetOutput()->GetNumberOfCells());
  ball->SetResolution(30);
  threshold->Update();
  EXPECT_EQ(threshold->GetOutput()->GetNumberOfCells(), ball->GetOutput()->GetNumberOfCells());
}

TEST(IntervalsToImage, CoversGivenBounds) {
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<2>({{{0, 0}}, {{5, 5}}}));
  filter->UseBoundsOn();
  filter->SetBounds(-2.0, 3.0, -1.0, 1.0, 0.0, 0.0);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 10);
  const int expected[6] = {-2, 3, -1, 1, 0, 0};
  for (int k = 0; k < 6; ++k) {
    EXPECT_EQ(filter->GetOutput()->GetExtent()[k], expected[k]);
  }
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetArray("Mask")->GetRange()[1], 1.0);
}

TEST(IntervalsToImage, BlanksWhatIsNotInTheSet) {
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<2>({{{0, 0}}, {{3, 3}}}));
  filter->BlankOn();
  filter->Update();
  vtkIdType visible = 0;
  for (vtkIdType c = 0; c < filter->GetOutput()->GetNumberOfCells(); ++c) {
    visible += static_cast<vtkIdType>(filter->GetOutput()->IsCellVisible(c));
  }
  EXPECT_EQ(visible, 2);
}

TEST(IntervalsToImage, FillsWithinTheRangeOfTheType) {
  const auto grid = gridOfCells<2>({{{0, 0}}, {{2, 0}}});
  vtkNew<vtkUnsignedCharArray> small;
  small->SetName("small");
  small->SetNumberOfValues(2);
  small->Fill(9.0);
  grid->GetCellData()->AddArray(small);
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetFillValue(-1e9);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetArray("small")->GetComponent(1, 0), 0.0);
  filter->PassAllArraysOff();
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetNumberOfArrays(), 1);
}

TEST(IntervalsToImage, RefusesWhatNeedsTooMuchMemory) {
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<3>({{{0, 0, 0}}, {{9999, 9999, 9999}}}));
  expectOneError(filter, "10000 x 10000 x 10000 cells of 9 bytes, 8583068 MiB; the memory limit is 4096 MiB");
  filter->SetInputData(gridOfCells<2>({{{minCoordinate, 0}}, {{maxIntervalEnd - 1, 0}}}));
  expectOneError(filter, "VTK's images have less than 2^31 - 1");
  filter->SetInputData(gridOfCells<2>({{{0, 0}}, {{1023, 1023}}}));
  filter->SetMemoryLimit(9);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 1024 * 1024);
  filter->BlankOn();
  expectOneError(filter, "1024 x 1024 cells of 10 bytes, 10 MiB; the memory limit is 9 MiB");
}

TEST(IntervalsToImage, WorksOnEveryStepOfATimeSeries) {
  vtkNew<StepSource> source;
  source->type = "vtkUnstructuredGrid";
  source->steps = {1.0, 2.0, 3.0};
  source->fill = [](double time, vtkDataObject* output) {
    output->ShallowCopy(gridOfCells<2>({{{0, 0}}, {{static_cast<Coordinate>(time), 0}}}));
  };
  vtkNew<Filter> filter;
  filter->SetInputConnection(source->GetOutputPort());
  for (const double time : {1.0, 3.0, 2.0}) {
    filter->UpdateTimeStep(time);
    EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), std::lround(time) + 1);
  }
}

TEST(IntervalsToImage, PiecesCoverTheWhole) {
  vtkNew<vtkSpanwiseIntervalShape> ball;
  ball->SetResolution(20);
  vtkNew<Filter> filter;
  filter->SetInputConnection(ball->GetOutputPort());
  vtkIdType cells = 0;
  double inside = 0.0;
  for (int piece = 0; piece < 3; ++piece) {
    filter->UpdatePiece(piece, 3, 0);
    cells += filter->GetOutput()->GetNumberOfCells();
    vtkDataArray* mask = filter->GetOutput()->GetCellData()->GetArray("Mask");
    for (vtkIdType c = 0; c < mask->GetNumberOfTuples(); ++c) {
      inside += mask->GetComponent(c, 0);
    }
  }
  ball->Update();
  EXPECT_EQ(cells, 20 * 20 * 20);
  EXPECT_EQ(inside, static_cast<double>(ball->GetOutput()->GetNumberOfCells()));
}

TEST(IntervalsToImage, NothingComesFromNothing) {
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<3>({}));
  expectNothing(filter);
}

} // namespace
} // namespace spanwise::testing
