// Eikonal Arrival Time on grids of intervals and on images: all kinds of speeds.

#include "Testing/Filters/Eikonal/ArrivalTimesOnGrids.hpp"
#include "Testing/Rooms.hpp"

#include <vtkFloatArray.h>
#include <vtkPointData.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace spanwise::testing {
namespace {

// In longitude and latitude M = c^2 diag(1 / (R cos phi)^2, 1 / R^2) makes times those of great circles.
TEST(EikonalArrivalTimeOnGrids, GreatCirclesOnASphere) {
  constexpr int n = 180;
  constexpr double degree = std::numbers::pi / 180.0;
  CellList<2> cells;
  for (Coordinate y = -35; y < 35; ++y) { // from 70 degrees south to 70 north
    for (Coordinate x = -n / 2; x < n / 2; ++x) {
      cells.insert(cells.end(), Cell<2>{{x, y}});
    }
  }
  const GridPlacement placement{{0.0, 0.0, 0.0}, {2.0, 2.0, 2.0}, 0};
  const auto grid = gridOfCells<2>(cells, placement);
  constexpr double radius = 6371.0;
  constexpr double speed = 800.0;
  onCells(grid, "M", [&](const Place& p) {
    const double x = speed / (radius * degree * std::cos(p[1] * degree));
    const double y = speed / (radius * degree);
    return std::vector<double>{x * x, y * y, 1.0, 0.0, 0.0, 0.0};
  });
  const Place source{-170.0, 10.0, 0.0};
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetSourcePoint(0, source.data());
  filter->SetSpeedKind(Filter::SPEED_ARRAY);
  setArray(filter, 1, "M");
  filter->PeriodicXOn();
  filter->SetOrder(2);
  filter->Update();
  vtkDataSet* output = filter->GetDataSetOutput();
  int numChecked = 0;
  for (vtkIdType c = 0; c < output->GetNumberOfCells(); ++c) {
    const Place p = centreOf(output, c);
    const double cosine = std::sin(p[1] * degree) * std::sin(source[1] * degree) +
      std::cos(p[1] * degree) * std::cos(source[1] * degree) * std::cos((p[0] - source[0]) * degree);
    const double angle = std::acos(std::clamp(cosine, -1.0, 1.0));
    if (angle < 70.0 * degree && std::abs(p[1]) < 60.0) { // great circles that stay between the walls
      const double exact = radius / speed * angle;
      ASSERT_NEAR(valueAt(output, c), exact, 0.01 * exact + 0.02) << p[0] << " " << p[1];
      ++numChecked;
    }
  }
  EXPECT_GT(numChecked, 2000);
}

/// Times with a speed of a kind.
template <int Dim, class Give>
std::vector<double> timesWith(const Give& give) {
  const auto image = unitImage<Dim>(Dim == 2 ? 20 : 9);
  vtkNew<Filter> filter;
  filter->SetInputData(image);
  filter->SetSourcePoint(0, 0.5, 0.4, Dim == 3 ? 0.3 : 0.0);
  give(image.Get(), filter.Get());
  filter->Update();
  return timesOf(filter->GetDataSetOutput());
}

template <int Dim>
void expectSameTimes(const std::vector<double>& expected, const std::vector<double>& tuple) {
  const auto times = timesWith<Dim>([&](vtkImageData* image, Filter* filter) {
    onCells(image, "m", [&](const Place&) { return tuple; });
    filter->SetSpeedKind(Filter::SPEED_ARRAY);
    setArray(filter, 1, "m");
  });
  ASSERT_EQ(times.size(), expected.size());
  for (std::size_t c = 0; c < times.size(); ++c) {
    ASSERT_NEAR(times[c], expected[c], 1e-12) << tuple.size() << " components";
  }
}

TEST(EikonalArrivalTimeOnGrids, SpeedsOfAllKindsMeanTheSame) {
  const auto flat = timesWith<2>([](vtkImageData*, Filter* filter) { filter->SetSpeed(3.0); });
  const auto solid = timesWith<3>([](vtkImageData*, Filter* filter) { filter->SetSpeed(3.0); });
  for (const auto& tuple : std::vector<std::vector<double>>{
         {3.0}, {9.0, 9.0, 9.0, 0.0, 0.0, 0.0}, {9.0, 0.0, 0.0, 0.0, 9.0, 0.0, 0.0, 0.0, 9.0}}) {
    expectSameTimes<2>(flat, tuple);
    expectSameTimes<3>(solid, tuple);
  }
  expectSameTimes<2>(flat, {9.0, 9.0, 0.0});
  expectSameTimes<2>(flat, {9.0, 0.0, 0.0, 9.0});
  const auto ofPoints = timesWith<3>([](vtkImageData* image, Filter* filter) {
    vtkNew<vtkFloatArray> speeds;
    speeds->SetName("c");
    speeds->SetNumberOfValues(image->GetNumberOfPoints());
    speeds->Fill(3.0);
    image->GetPointData()->AddArray(speeds);
    filter->SetSpeedKind(Filter::SPEED_ARRAY);
    setArray(filter, 1, "c", true);
  });
  EXPECT_EQ(ofPoints, solid);
}

// sqrt(d^T M^-1 d) from the source, however M is given.
TEST(EikonalArrivalTimeOnGrids, TensorsTurnFrontsAsTheirInverseSays) {
  const double xx = 4.0;
  const double yy = 2.0;
  const double xy = 1.5;
  const Place source{0.5, 0.4, 0.0};
  const auto image = unitImage<2>(20);
  std::vector<double> exact;
  for (vtkIdType c = 0; c < image->GetNumberOfCells(); ++c) {
    const Place p = centreOf(image, c);
    const double dx = p[0] - source[0];
    const double dy = p[1] - source[1];
    exact.push_back(std::sqrt((yy * dx * dx - 2.0 * xy * dx * dy + xx * dy * dy) / (xx * yy - xy * xy)));
  }
  const auto constant = timesWith<2>([&](vtkImageData*, Filter* filter) {
    filter->SetSpeedKind(Filter::CONSTANT_TENSOR);
    filter->SetTensor(xx, yy, 1.0, xy, 0.0, 0.0);
  });
  for (std::size_t c = 0; c < exact.size(); ++c) {
    ASSERT_NEAR(constant[c], exact[c], 0.02); // walls beside the square keep some characteristics off
    ASSERT_GT(constant[c], exact[c] - 1e-9);
  }
  expectSameTimes<2>(constant, {xx, yy, 1.0, xy, 0.0, 0.0});
  expectSameTimes<2>(constant, {xx, xy, 0.0, xy, yy, 0.0, 0.0, 0.0, 1.0});
  expectSameTimes<2>(constant, {xx, yy, xy});
  expectSameTimes<2>(constant, {xx, xy, xy, yy});
  const auto matrix = timesWith<2>([&](vtkImageData*, Filter* filter) {
    filter->SetSpeedKind(Filter::CONSTANT_TENSOR);
    const double components[9] = {xx, xy, 0.0, xy, yy, 0.0, 0.0, 0.0, 1.0};
    filter->SetTensorMatrix(components);
  });
  EXPECT_EQ(matrix, constant);
}

TEST(EikonalArrivalTimeOnGrids, AMatrixMustBeSymmetric) {
  vtkNew<Filter> filter;
  double matrix[9] = {2.0, 0.1, 0.2, 0.1, 3.0, 0.3, 0.2, 0.3, 4.0};
  filter->SetTensorMatrix(matrix);
  const double* const tensor = filter->GetTensor();
  EXPECT_EQ(std::vector<double>(tensor, tensor + 6), (std::vector<double>{2.0, 3.0, 4.0, 0.1, 0.3, 0.2}));
  Messages messages;
  matrix[3] = 0.4;
  filter->SetTensorMatrix(matrix);
  ASSERT_EQ(messages.all().size(), 1U);
  EXPECT_NE(messages.all()[0].find("must be symmetric"), std::string::npos) << messages.all()[0];
  EXPECT_EQ(filter->GetTensor()[3], 0.1);
}

} // namespace
} // namespace spanwise::testing
