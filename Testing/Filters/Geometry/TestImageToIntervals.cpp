#include "Testing/Filters/Geometry/Ranges.hpp"

#include "vtkSpanwiseImageToIntervals.h"

#include <vtkBitArray.h>
#include <vtkCellDataToPointData.h>
#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkMatrix3x3.h>
#include <vtkPointData.h>
#include <vtkStringArray.h>
#include <vtkUnsignedCharArray.h>

#include <limits>
#include <random>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseImageToIntervals;

/// An image with random whole numbers from 0 to 99 in the array "a" on its cells or points; `dimension` 2 is flat along
/// z.
template <int Dim>
vtkSmartPointer<vtkImageData> randomImage(vtkDataArray* values, bool onCells) {
  auto image = vtkSmartPointer<vtkImageData>::New();
  image->SetExtent(-3, 8, 2, 9, Dim == 3 ? -2 : 4, 4);
  image->SetOrigin(0.5, -1.0, 2.0);
  image->SetSpacing(0.25, 0.5, Dim == 3 ? 0.75 : 0.0);
  std::mt19937 random(seed());
  fillRandomly(values, onCells ? image->GetNumberOfCells() : image->GetNumberOfPoints(), random);
  if (onCells) {
    image->GetCellData()->SetScalars(values);
  } else {
    image->GetPointData()->SetScalars(values);
  }
  return image;
}

template <int Dim>
void expectLikeThreshold(int type) {
  const auto values = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(type));
  const auto image = randomImage<Dim>(values, true);
  vtkNew<Filter> filter;
  filter->SetInputData(image);
  filter->SetLowerThreshold(20.0);
  filter->SetUpperThreshold(60.5);
  filter->Update();
  carriedGrid<Dim>(filter->GetOutput());
  EXPECT_EQ(placedValues(filter->GetOutput(), "a"), byThreshold(image, 20.0, 60.5)) << "type " << type;
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetArray("a")->GetDataType(), type);
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetScalars(), filter->GetOutput()->GetCellData()->GetArray("a"));
}

TEST(ImageToIntervals, FindsWhatThresholdFindsForEveryType) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const int type : numericTypes) {
    expectLikeThreshold<2>(type);
    expectLikeThreshold<3>(type);
  }
}

TEST(ImageToIntervals, ReadsBits) {
  vtkNew<vtkBitArray> values;
  const auto image = randomImage<2>(values, true);
  vtkNew<Filter> filter;
  filter->SetInputData(image);
  filter->SetLowerThreshold(1.0);
  filter->Update();
  vtkIdType ones = 0;
  for (vtkIdType k = 0; k < values->GetNumberOfValues(); ++k) {
    ones += values->GetValue(k);
  }
  EXPECT_GT(ones, 0);
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), ones);
}

TEST(ImageToIntervals, ComparesAComponentOrTheMagnitude) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectComponentsOfEveryLayout<Filter>([](vtkDataArray* values) { return randomImage<3>(values, true); });
}

TEST(ImageToIntervals, LargeIntegersAreComparedExactly) {
  const auto values = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(VTK_LONG_LONG));
  auto image = randomImage<2>(values, true);
  auto* numbers = static_cast<long long*>(values->GetVoidPointer(0));
  const long long limit = (1LL << 53);
  numbers[5] = limit + 1; // rounds to the limit in double
  numbers[6] = limit + 2;
  vtkNew<Filter> filter;
  filter->SetInputData(image);
  filter->SetLowerThreshold(static_cast<double>(limit + 2));
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 1);
}

template <int Dim>
void expectCellsAroundPoints() {
  vtkNew<vtkDoubleArray> values;
  const auto image = randomImage<Dim>(values, false);
  vtkNew<Filter> filter;
  filter->SetInputData(image);
  filter->SetLowerThreshold(50.0);
  filter->Update();
  PlacedValues expected;
  for (vtkIdType p = 0; p < image->GetNumberOfPoints(); ++p) {
    double x[3];
    image->GetPoint(p, x);
    if (values->GetValue(p) >= 50.0) {
      expected[{std::llround(1e6 * x[0]), std::llround(1e6 * x[1]), std::llround(1e6 * x[2])}] = values->GetValue(p);
    }
  }
  carriedGrid<Dim>(filter->GetOutput());
  EXPECT_EQ(placedValues(filter->GetOutput(), "a"), expected);
}

TEST(ImageToIntervals, PointsBecomeCellsAroundThem) {
  expectCellsAroundPoints<2>();
  expectCellsAroundPoints<3>();
}

TEST(ImageToIntervals, TakesAllNumbersByDefaultAndNaNNever) {
  vtkNew<vtkDoubleArray> values;
  const auto image = randomImage<3>(values, true);
  values->SetValue(17, std::numeric_limits<double>::quiet_NaN());
  values->SetValue(18, std::numeric_limits<double>::infinity());
  vtkNew<Filter> filter;
  filter->SetInputData(image);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), image->GetNumberOfCells() - 1);
}

TEST(ImageToIntervals, LeavesOutHiddenAndDuplicateCells) {
  for (const bool onCells : {true, false}) {
    vtkNew<vtkDoubleArray> values;
    const auto image = randomImage<2>(values, onCells);
    vtkNew<vtkUnsignedCharArray> ghosts;
    ghosts->SetName(vtkDataSetAttributes::GhostArrayName());
    ghosts->SetNumberOfValues(values->GetNumberOfTuples());
    ghosts->Fill(0);
    vtkDataSetAttributes* attributes = image->GetCellData();
    if (!onCells) {
      attributes = image->GetPointData();
    }
    static_assert(vtkDataSetAttributes::DUPLICATECELL == 1 && vtkDataSetAttributes::DUPLICATEPOINT == 1);
    ghosts->SetValue(0, vtkDataSetAttributes::DUPLICATECELL);
    const unsigned char hidden[2] = {vtkDataSetAttributes::HIDDENPOINT, vtkDataSetAttributes::HIDDENCELL};
    ghosts->SetValue(7, hidden[onCells ? 1 : 0]);
    attributes->AddArray(ghosts);
    vtkNew<Filter> filter;
    filter->SetInputData(image);
    filter->SetInputArrayToProcess(
      0, 0, 0, onCells ? vtkDataObject::FIELD_ASSOCIATION_CELLS : vtkDataObject::FIELD_ASSOCIATION_POINTS, "a");
    filter->Update();
    EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), values->GetNumberOfTuples() - 2);
    EXPECT_EQ(filter->GetOutput()->GetCellData()->GetArray(vtkDataSetAttributes::GhostArrayName()), nullptr);
  }
}

TEST(ImageToIntervals, CarriesTheArraysThatAreAskedFor) {
  vtkNew<vtkDoubleArray> values;
  const auto image = randomImage<2>(values, true);
  vtkNew<vtkFloatArray> other;
  other->SetName("b");
  other->SetNumberOfComponents(2);
  other->SetComponentName(1, "second");
  other->SetNumberOfTuples(image->GetNumberOfCells());
  other->GetInformation()->Set(vtkDataArray::UNITS_LABEL(), "m/s");
  vtkNew<vtkStringArray> names;
  names->SetName("c");
  names->SetNumberOfValues(image->GetNumberOfCells());
  for (vtkIdType k = 0; k < image->GetNumberOfCells(); ++k) {
    other->SetTuple2(k, static_cast<double>(k), -values->GetValue(k));
    names->SetValue(k, std::to_string(values->GetValue(k)));
  }
  image->GetCellData()->AddArray(other);
  image->GetCellData()->AddArray(names);
  vtkNew<vtkDoubleArray> field;
  field->SetName("f");
  field->InsertNextValue(4.0);
  image->GetFieldData()->AddArray(field);

  vtkNew<Filter> filter;
  filter->SetInputData(image);
  filter->SetLowerThreshold(50.0);
  filter->Update();
  vtkCellData* out = filter->GetOutput()->GetCellData();
  ASSERT_EQ(out->GetNumberOfArrays(), 3);
  auto* outNames = vtkStringArray::SafeDownCast(out->GetAbstractArray("c"));
  for (vtkIdType k = 0; k < filter->GetOutput()->GetNumberOfCells(); ++k) {
    EXPECT_EQ(out->GetArray("b")->GetComponent(k, 1), -out->GetArray("a")->GetComponent(k, 0));
    EXPECT_EQ(outNames->GetValue(k), std::to_string(out->GetArray("a")->GetComponent(k, 0)));
  }
  EXPECT_STREQ(out->GetArray("b")->GetComponentName(1), "second");
  EXPECT_STREQ(out->GetArray("b")->GetInformation()->Get(vtkDataArray::UNITS_LABEL()), "m/s");
  EXPECT_NE(filter->GetOutput()->GetFieldData()->GetArray("f"), nullptr);

  filter->PassAllArraysOff();
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetNumberOfArrays(), 0);
  filter->GetArraySelection()->EnableArray("b");
  filter->Update();
  ASSERT_EQ(filter->GetOutput()->GetCellData()->GetNumberOfArrays(), 1);
  EXPECT_STREQ(filter->GetOutput()->GetCellData()->GetArrayName(0), "b");
}

TEST(ImageToIntervals, WorksOnEveryStepOfATimeSeries) {
  vtkNew<StepSource> source;
  source->wholeExtent = {0, 10, 0, 1, 0, 1};
  source->fill = [](double time, vtkDataObject* output) {
    auto* image = vtkImageData::SafeDownCast(output);
    image->SetExtent(0, 10, 0, 1, 0, 1);
    vtkNew<vtkDoubleArray> values;
    values->SetName("a");
    for (int k = 0; k < 10; ++k) {
      values->InsertNextValue(k + time);
    }
    image->GetCellData()->SetScalars(values);
  };
  expectEveryStep<Filter>(source);
}

TEST(ImageToIntervals, PiecesPartitionTheWhole) {
  vtkNew<vtkDoubleArray> values;
  const auto image = randomImage<3>(values, true);
  vtkNew<Filter> filter;
  filter->SetInputData(image);
  filter->SetLowerThreshold(40.0);
  expectPiecesMakeTheWhole(filter, "a");
}

TEST(ImageToIntervals, NothingComesFromAnEmptyImage) {
  vtkNew<vtkImageData> image;
  vtkNew<Filter> filter;
  filter->SetInputData(image);
  expectNothing(filter);
}

TEST(ImageToIntervals, BadInputIsOneError) {
  vtkNew<vtkDoubleArray> values;
  values->SetNumberOfComponents(2);
  auto image = randomImage<2>(values, true);
  vtkNew<Filter> filter;
  filter->SetInputData(image);
  expectErrorsOfRanges(filter.Get());
  filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, "");
  expectOneError(filter, "no array was chosen to compare with the range; there must be one of the image");
  filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, "missing");
  expectOneError(filter, "the image has no point array 'missing' to compare with the range");
  filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "a");
  image->SetSpacing(0.25, -0.5, 0.0);
  expectOneError(filter, "spacing");
  image->SetSpacing(0.25, 0.5, 0.0);
  image->SetDirectionMatrix(0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0);
  expectOneError(filter, "rotated");
  image->GetDirectionMatrix()->Identity();
  image->SetDirectionMatrix(image->GetDirectionMatrix());
  vtkNew<vtkDoubleArray> shorter;
  shorter->SetName("b");
  shorter->SetNumberOfValues(5);
  image->GetCellData()->AddArray(shorter);
  expectOneError(filter, "the array 'b' has 5 values for 77 cells");
  filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "b");
  expectOneError(filter, "there are 5 values for the 77 cells");
  filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "a");
  vtkNew<vtkImageData> upright;
  upright->SetExtent(0, 4, 0, 0, 0, 4);
  vtkNew<vtkDoubleArray> sixteen;
  sixteen->SetName("a");
  sixteen->SetNumberOfValues(16);
  upright->GetCellData()->SetScalars(sixteen);
  filter->SetInputData(upright);
  expectOneError(filter, "5 x 1 x 5 points");
}

} // namespace
} // namespace spanwise::testing
