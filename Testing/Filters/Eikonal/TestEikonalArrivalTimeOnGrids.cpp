// Eikonal Arrival Time on grids of intervals and on images.

#include "Testing/Filters/Geometry/Pipelines.hpp"

#include "vtkSpanwiseEikonalArrivalTime.h"

#include <vtkCallbackCommand.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkPlaneSource.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkSphereSource.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseEikonalArrivalTime;
using Place = std::array<double, 3>;

constexpr double infinity = std::numeric_limits<double>::infinity();

double distance(const Place& a, const Place& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

Place centreOf(vtkDataSet* data, vtkIdType cell) {
  double bounds[6];
  data->GetCellBounds(cell, bounds);
  return {0.5 * (bounds[0] + bounds[1]), 0.5 * (bounds[2] + bounds[3]), 0.5 * (bounds[4] + bounds[5])};
}

double valueAt(vtkDataSet* data, vtkIdType cell, const char* name = "Arrival Time", int component = 0) {
  return data->GetCellData()->GetArray(name)->GetComponent(cell, component);
}

double fieldValue(vtkDataSet* data, const char* name) {
  return data->GetFieldData()->GetArray(name)->GetComponent(0, 0);
}

std::vector<double> timesOf(vtkDataSet* data) {
  std::vector<double> times;
  for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c) {
    times.push_back(valueAt(data, c));
  }
  return times;
}

/// The largest difference of times from those that `exact` gives at the centres of cells.
template <class Exact>
double largestError(vtkDataSet* data, const Exact& exact) {
  double largest = 0.0;
  EXPECT_GT(data->GetNumberOfCells(), 0);
  for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c) {
    const double error = std::abs(valueAt(data, c) - exact(centreOf(data, c)));
    largest = std::isnan(error) ? infinity : std::max(largest, error);
  }
  return largest;
}

template <class Exact>
double meanError(vtkDataSet* data, const Exact& exact) {
  double sum = 0.0;
  for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c) {
    sum += std::abs(valueAt(data, c) - exact(centreOf(data, c)));
  }
  return sum / static_cast<double>(data->GetNumberOfCells());
}

/// The unit square or cube in n cells along each axis, a 2D one in the plane z = 0.
template <int Dim>
GridPlacement unitPlacement(int n) {
  GridPlacement placement;
  std::fill_n(placement.spacing, 3, 1.0 / n);
  return placement;
}

template <int Dim>
vtkSmartPointer<vtkUnstructuredGrid> unitGrid(int n) {
  return gridOfCells<Dim>(allCells<Dim>(0, n), unitPlacement<Dim>(n));
}

template <int Dim>
vtkSmartPointer<vtkImageData> unitImage(int n) {
  auto image = vtkSmartPointer<vtkImageData>::New();
  image->SetExtent(0, n, 0, n, 0, Dim == 3 ? n : 0);
  image->SetSpacing(1.0 / n, 1.0 / n, 1.0 / n);
  return image;
}

/// An array with a tuple for each cell that a function of its centre gives.
template <class Give>
vtkSmartPointer<vtkDoubleArray> onCells(vtkDataSet* data, const char* name, const Give& give) {
  auto array = vtkSmartPointer<vtkDoubleArray>::New();
  array->SetName(name);
  for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c) {
    const std::vector<double> tuple = give(centreOf(data, c));
    array->SetNumberOfComponents(static_cast<int>(tuple.size()));
    array->InsertNextTuple(tuple.data());
  }
  data->GetCellData()->AddArray(array);
  return array;
}

void setArray(Filter* filter, int index, const char* name, bool onPoints = false) {
  filter->SetInputArrayToProcess(
    index, 0, 0, onPoints ? vtkDataObject::FIELD_ASSOCIATION_POINTS : vtkDataObject::FIELD_ASSOCIATION_CELLS, name);
}

/// All kinds of data sets whose cells are a lattice.
std::vector<vtkSmartPointer<vtkDataSet>> lattices(int n2, int n3) {
  return {unitGrid<2>(n2), unitGrid<3>(n3), unitImage<2>(n2), unitImage<3>(n3)};
}

TEST(EikonalArrivalTimeOnGrids, AFactoredPointIsExactInAConstantMedium) {
  for (const auto& data : lattices(60, 20)) {
    for (const int order : {1, 2}) {
      double bounds[6];
      data->GetBounds(bounds);
      const Place source{0.3141, 0.5772, bounds[5] > 0.0 ? 0.2 : 0.0};
      vtkNew<Filter> filter;
      filter->SetInputData(data);
      filter->SetSourcePoint(0, source.data());
      filter->SetSpeed(0.5);
      filter->SetOrder(order);
      filter->Update();
      vtkDataSet* output = filter->GetDataSetOutput();
      EXPECT_TRUE(output->IsA(data->GetClassName()));
      EXPECT_LT(largestError(output, [&](const Place& p) { return 2.0 * distance(p, source); }), 1e-9);
      EXPECT_EQ(output->GetCellData()->GetScalars(), output->GetCellData()->GetArray("Arrival Time"));
      EXPECT_EQ(fieldValue(output, "Eikonal Unreached Cells"), 0.0);
    }
  }
}

TEST(EikonalArrivalTimeOnGrids, TwoPointsShareTheSquare) {
  const Place a{0.2, 0.3, 0.0};
  const Place b{0.85, 0.6, 0.0};
  vtkNew<Filter> filter;
  filter->SetInputData(unitImage<2>(64));
  filter->SetSourcePoint(0, a.data());
  filter->SetSourcePoint(1, b.data());
  filter->ComputeNearestSourceOn();
  filter->Update();
  vtkDataSet* output = filter->GetDataSetOutput();
  EXPECT_LT(largestError(output, [&](const Place& p) { return std::min(distance(p, a), distance(p, b)); }), 0.01);
  for (vtkIdType c = 0; c < output->GetNumberOfCells(); ++c) {
    const Place p = centreOf(output, c);
    const double behind = distance(p, b) - distance(p, a);
    if (std::abs(behind) > 0.1) { // at the border a cell decides
      ASSERT_EQ(valueAt(output, c, "Nearest Source"), behind > 0.0 ? 0.0 : 1.0);
    }
  }
}

// Cells of a second set that share the lattice start at their times: here the column x = 0.
TEST(EikonalArrivalTimeOnGrids, PlaneFrontsFromCellsAreExact) {
  const auto source = gridOfCells<3>(allCells<3>(0, 6), unitPlacement<3>(6));
  CellList<3> column;
  for (Coordinate y = 0; y < 6; ++y) {
    for (Coordinate z = 0; z < 6; ++z) {
      column.insert(column.end(), Cell<3>{{0, y, z}});
    }
  }
  auto placement = unitPlacement<3>(6);
  const auto cells = gridOfCells<3>(column, placement, 100.0);
  const auto late = onCells(cells, "late", [](const Place&) { return std::vector<double>{0.25}; });
  vtkNew<vtkUnstructuredGrid> explicitCells; // the same as any other data set of equal cells
  explode(cells, explicitCells);
  for (const auto& input : {vtkSmartPointer<vtkDataSet>(source), vtkSmartPointer<vtkDataSet>(unitImage<3>(6))}) {
    for (vtkDataSet* second : {static_cast<vtkDataSet*>(cells), static_cast<vtkDataSet*>(explicitCells)}) {
      vtkNew<Filter> filter;
      filter->SetInputData(input);
      filter->SetSources(Filter::CELLS);
      filter->SetSourceData(second);
      filter->SetSourceTimes("late");
      filter->SetSpeed(2.0);
      filter->ComputeGradientOn();
      filter->ComputeNearestSourceOn();
      filter->Update();
      vtkDataSet* output = filter->GetDataSetOutput();
      EXPECT_LT(largestError(output, [](const Place& p) { return 0.25 + (p[0] - 1.0 / 12.0) / 2.0; }), 1e-12);
      EXPECT_EQ(fieldValue(output, "Eikonal Sources"), 36.0);
      for (vtkIdType c = 0; c < output->GetNumberOfCells(); ++c) {
        const Place p = centreOf(output, c);
        EXPECT_NEAR(valueAt(output, c, "Gradient", 0), p[0] < 1.0 / 6.0 ? 0.0 : 0.5, 1e-12);
        EXPECT_NEAR(valueAt(output, c, "Gradient", 1), 0.0, 1e-12);
        const double row = std::floor(6.0 * p[1]) + 6.0 * std::floor(6.0 * p[2]); // the column's cell beside it
        EXPECT_EQ(valueAt(output, c, "Nearest Source"), row);
      }
    }
  }
}

TEST(EikonalArrivalTimeOnGrids, WhatIsNotThereIsAWall) {
  // A wall across the unit square but for its upper quarter: cells that are missing, that are hidden, of speed 0.
  constexpr int n = 64;
  const auto isWall = [](const Place& p) { return p[0] > 15.0 / 32 && p[0] < 17.0 / 32 && p[1] < 0.75; };
  CellList<2> open;
  for (const Cell<2>& cell : allCells<2>(0, n)) {
    if (!isWall({(cell.at[0] + 0.5) / n, (cell.at[1] + 0.5) / n, 0.0})) {
      open.insert(open.end(), cell);
    }
  }
  const auto timesWith = [&](vtkDataSet* data, const auto& change) {
    vtkNew<Filter> filter;
    filter->SetInputData(data);
    filter->SetSourcePoint(0, 0.01, 0.01, 0.0);
    filter->SetOrder(2);
    change(filter.Get());
    filter->Update();
    std::vector<double> times;
    for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c) {
      const double time = valueAt(filter->GetDataSetOutput(), c);
      if (isWall(centreOf(data, c))) {
        EXPECT_EQ(time, infinity);
      } else {
        times.push_back(time);
      }
    }
    return times;
  };
  const auto missing = timesWith(gridOfCells<2>(open, unitPlacement<2>(n)), [](Filter*) {});
  const auto hiddenImage = unitImage<2>(n);
  hiddenImage->AllocateCellGhostArray();
  for (vtkIdType c = 0; c < hiddenImage->GetNumberOfCells(); ++c) {
    if (isWall(centreOf(hiddenImage, c))) {
      hiddenImage->GetCellGhostArray()->SetValue(c, vtkDataSetAttributes::HIDDENCELL);
    }
  }
  EXPECT_EQ(timesWith(hiddenImage, [](Filter*) {}), missing);
  const auto image = unitImage<2>(n);
  onCells(image, "c", [&](const Place& p) { return std::vector<double>{isWall(p) ? 0.0 : 1.0}; });
  const auto ofSpeed0 = timesWith(image, [](Filter* filter) {
    filter->SetSpeedKind(Filter::SPEED_ARRAY);
    setArray(filter, 1, "c");
    filter->ZeroSpeedIsWallOn();
  });
  EXPECT_EQ(ofSpeed0, missing);
  // The far corner is reached over the wall's two upper corners.
  const auto grid = gridOfCells<2>(open, unitPlacement<2>(n));
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
    const Place p = centreOf(grid, c);
    if (p[0] > 1.0 - 1.0 / n && p[1] < 1.0 / n) {
      const double around = std::hypot(15.0 / 32 - 0.01, 0.74) + 2.0 / 32 + std::hypot(p[0] - 17.0 / 32, 0.75 - p[1]);
      EXPECT_NEAR(missing[static_cast<std::size_t>(c)], around, 0.02 * around);
    }
  }
}

TEST(EikonalArrivalTimeOnGrids, AxesMayBePeriodic) {
  constexpr int n = 50;
  const auto along = [](double a, double b) { return std::min(std::abs(a - b), 1.0 - std::abs(a - b)); };
  const Place source{0.93, 0.3, 0.0};
  for (const auto& data : {vtkSmartPointer<vtkDataSet>(unitGrid<2>(n)), vtkSmartPointer<vtkDataSet>(unitImage<2>(n))}) {
    vtkNew<Filter> filter;
    filter->SetInputData(data);
    filter->SetSourcePoint(0, source.data());
    filter->PeriodicXOn();
    filter->SetOrder(2);
    filter->Update();
    const auto exact = [&](const Place& p) { return std::hypot(along(p[0], source[0]), p[1] - source[1]); };
    EXPECT_LT(largestError(filter->GetDataSetOutput(), exact), 0.01); // fronts meet at x = 0.43
    filter->SetSourcePoint(0, source[0] - 3.0, source[1], 0.0);       // the same, three periods away
    filter->Update();
    EXPECT_LT(largestError(filter->GetDataSetOutput(), exact), 0.01);
    // a period that is longer than the cells: the way through x = 0 is closed
    filter->SetSourcePoint(0, source.data());
    filter->SetPeriodBox(Filter::GIVEN_BOUNDS);
    filter->SetPeriodBounds(0.0, 1.5, 0.0, 1.0, 0.0, 1.0);
    filter->Update();
    EXPECT_LT(largestError(filter->GetDataSetOutput(), [&](const Place& p) { return distance(p, source); }), 0.01);
    filter->SetPeriodBounds(0.0, 0.5, 0.0, 1.0, 0.0, 1.0);
    expectOneError(filter, "period");
  }
}

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
    filter->SetTensorMatrix(xx, xy, 0.0, xy, yy, 0.0, 0.0, 0.0, 1.0);
  });
  EXPECT_EQ(matrix, constant);
}

TEST(EikonalArrivalTimeOnGrids, AMatrixMustBeSymmetric) {
  vtkNew<Filter> filter;
  filter->SetTensorMatrix(2.0, 0.1, 0.2, 0.1, 3.0, 0.3, 0.2, 0.3, 4.0);
  const double* const tensor = filter->GetTensor();
  EXPECT_EQ(std::vector<double>(tensor, tensor + 6), (std::vector<double>{2.0, 3.0, 4.0, 0.1, 0.3, 0.2}));
  Messages messages;
  filter->SetTensorMatrix(2.0, 0.1, 0.2, 0.4, 3.0, 0.3, 0.2, 0.3, 4.0);
  ASSERT_EQ(messages.all().size(), 1U);
  EXPECT_NE(messages.all()[0].find("must be symmetric"), std::string::npos) << messages.all()[0];
  EXPECT_EQ(filter->GetTensor()[3], 0.1);
}

// From a point at speed c(y) = 1 + y the time is acosh(1 + |d|^2 / (2 c c')).
TEST(EikonalArrivalTimeOnGrids, SecondOrderIsNearerWhereSpeedsAreSmooth) {
  const Place source{0.5, 0.4, 0.0};
  const auto exact = [&](const Place& p) {
    const double d = distance(p, source);
    return std::acosh(1.0 + d * d / (2.0 * (1.0 + p[1]) * (1.0 + source[1])));
  };
  double errors[3][2];
  for (const int order : {1, 2}) {
    for (const int fine : {0, 1}) {
      const auto grid = unitGrid<2>(40 << fine);
      onCells(grid, "c", [](const Place& p) { return std::vector<double>{1.0 + p[1]}; });
      vtkNew<Filter> filter;
      filter->SetInputData(grid);
      filter->SetSourcePoint(0, source.data());
      filter->SetSpeedKind(Filter::SPEED_ARRAY);
      setArray(filter, 1, "c");
      filter->SetOrder(order);
      filter->Update();
      errors[order][fine] = meanError(filter->GetDataSetOutput(), exact);
    }
    EXPECT_GT(std::log2(errors[order][0] / errors[order][1]), order - 0.3);
  }
  EXPECT_LT(errors[2][1], 0.1 * errors[1][1]);
}

TEST(EikonalArrivalTimeOnGrids, AgreeWithTheMeshOfTheirCells) {
  const auto grid = gridOfCells<2>(allCells<2>(0, 40), unitPlacement<2>(40));
  onCells(grid, "c", [](const Place& p) { return std::vector<double>{1.0 + 0.5 * p[1] * p[0]}; });
  vtkNew<vtkUnstructuredGrid> mesh;
  explode(grid, mesh);
  const auto solved = [](vtkDataSet* data) {
    auto filter = vtkSmartPointer<Filter>::New();
    filter->SetInputData(data);
    filter->SetSourcePoint(0, 0.3, 0.3, 0.0);
    filter->SetSpeedKind(Filter::SPEED_ARRAY);
    setArray(filter, 1, "c");
    filter->Update();
    return filter;
  };
  const auto onGrid = solved(grid);
  const auto onMesh = solved(mesh);
  vtkDataArray* const atPoints = onMesh->GetDataSetOutput()->GetPointData()->GetArray("Arrival Time");
  ASSERT_NE(atPoints, nullptr);
  EXPECT_EQ(onGrid->GetDataSetOutput()->GetPointData()->GetArray("Arrival Time"), nullptr);
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
    vtkNew<vtkIdList> points;
    mesh->GetCellPoints(c, points);
    double mean = 0.0;
    for (vtkIdType k = 0; k < 4; ++k) {
      mean += 0.25 * atPoints->GetComponent(points->GetId(k), 0);
    }
    ASSERT_NEAR(valueAt(onGrid->GetDataSetOutput(), c), mean, 0.01); // 0.4 cells
  }
}

TEST(EikonalArrivalTimeOnGrids, ArraysSayWhereAndWhenFrontsStart) {
  const auto image = unitImage<2>(8);
  const auto marks = onCells(image, "marks", [](const Place&) { return std::vector<double>{0.0}; });
  marks->SetValue(9, -3.0);
  marks->SetValue(5, std::numeric_limits<double>::quiet_NaN());
  const auto times = onCells(image, "times", [](const Place&) { return std::vector<double>{infinity}; });
  times->SetValue(9, 1.5);
  vtkNew<Filter> filter;
  filter->SetInputData(image);
  filter->SetSources(Filter::SOURCE_ARRAY);
  setArray(filter, 0, "marks");
  filter->ComputeNearestSourceOn();
  filter->Update();
  EXPECT_EQ(fieldValue(filter->GetDataSetOutput(), "Eikonal Sources"), 1.0);
  EXPECT_EQ(valueAt(filter->GetDataSetOutput(), 9), 0.0);
  EXPECT_EQ(valueAt(filter->GetDataSetOutput(), 63, "Nearest Source"), 9.0);
  const double far = valueAt(filter->GetDataSetOutput(), 63);
  filter->SetSourceArrayMeaning(Filter::TIMES);
  setArray(filter, 0, "times");
  filter->Update();
  EXPECT_NEAR(valueAt(filter->GetDataSetOutput(), 63), far + 1.5, 1e-12);
  // a point is one in space
  vtkNew<vtkDoubleArray> late;
  late->SetName("late");
  late->SetNumberOfValues(81);
  late->Fill(infinity);
  late->SetValue(80, 0.5); // the upper corner
  image->GetPointData()->AddArray(late);
  setArray(filter, 0, "late", true);
  filter->Update();
  EXPECT_EQ(valueAt(filter->GetDataSetOutput(), 3, "Nearest Source"), 80.0);
  EXPECT_LT(
    largestError(filter->GetDataSetOutput(), [](const Place& p) { return 0.5 + distance(p, {1.0, 1.0, 0.0}); }), 1e-8);
}

vtkSmartPointer<vtkPolyData> sphere(const Place& centre, double radius) {
  vtkNew<vtkSphereSource> source;
  source->SetCenter(centre.data());
  source->SetRadius(radius);
  source->SetThetaResolution(256);
  source->SetPhiResolution(256);
  source->Update();
  return source->GetOutput();
}

// A sphere starts its own distance, inside and outside, in 3D and where the plane of a grid cuts it.
template <int Dim>
std::vector<double> timesFromASphere(vtkDataSet* data, int order, double& error) {
  const Place centre{0.47, 0.52, Dim == 3 ? 0.49 : 0.12};
  const double cut = Dim == 3 ? 0.26 : std::sqrt(0.26 * 0.26 - 0.12 * 0.12);
  const auto surface = sphere(centre, 0.26);
  vtkNew<vtkDoubleArray> late;
  late->SetName("late");
  late->SetNumberOfValues(surface->GetNumberOfCells());
  late->Fill(0.5);
  surface->GetCellData()->AddArray(late);
  vtkNew<Filter> filter;
  filter->SetInputData(data);
  filter->SetSources(Filter::SURFACE);
  filter->SetSourceData(surface);
  filter->SetSourceTimes("late");
  filter->SetSpeed(2.0);
  filter->SetOrder(order);
  filter->Update();
  error = meanError(filter->GetDataSetOutput(), [&](const Place& p) {
    const double r = std::hypot(p[0] - centre[0], p[1] - centre[1], Dim == 3 ? p[2] - centre[2] : 0.0);
    return 0.5 + std::abs(r - cut) / 2.0;
  });
  return timesOf(filter->GetDataSetOutput());
}

TEST(EikonalArrivalTimeOnGrids, SurfacesStartTheirDistances) {
  for (const int order : {Filter::FIRST, Filter::SECOND}) {
    const double share = order == Filter::FIRST ? 0.3 : 0.03; // of the time that a cell takes
    double coarse = 0.0;
    double fine = 0.0;
    timesFromASphere<2>(unitGrid<2>(60), order, coarse);
    timesFromASphere<2>(unitGrid<2>(120), order, fine);
    EXPECT_LT(fine, order == Filter::FIRST ? 0.65 * coarse : 0.4 * coarse) << "order " << order;
    EXPECT_LT(coarse, share * 0.5 / 60);
    double solid = 0.0;
    const auto times = timesFromASphere<3>(unitGrid<3>(24), order, solid);
    EXPECT_LT(solid, share * 0.5 / 24);
    EXPECT_EQ(timesFromASphere<3>(unitImage<3>(24), order, solid), times);
  }
}

// Where some cells have their times nothing later is computed.
TEST(EikonalArrivalTimeOnGrids, StopsAtARegion) {
  const auto grid = unitGrid<2>(30);
  onCells(grid, "region", [](const Place& p) {
    return std::vector<double>{distance(p, {0.7, 0.3, 0.0}) < 0.06 ? 1.0 : p[0] > 0.9 ? std::nan("") : 0.0};
  });
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetSourcePoint(0, 0.2, 0.2, 0.0);
  filter->Update();
  const auto all = timesOf(filter->GetDataSetOutput());
  double last = 0.0;
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
    last = valueAt(grid, c, "region") == 1.0 ? std::max(last, all[static_cast<std::size_t>(c)]) : last;
  }
  filter->SetStopRegion("region");
  filter->Update();
  const auto stopped = timesOf(filter->GetDataSetOutput());
  for (std::size_t c = 0; c < all.size(); ++c) {
    ASSERT_EQ(stopped[c], all[c] <= last ? all[c] : infinity);
  }
  EXPECT_LT(last, 0.7);
}

TEST(EikonalArrivalTimeOnGrids, PointsBesideCellsAreMovedIntoThem) {
  CellList<3> cells = allCells<3>(0, 6);
  for (Coordinate x = 0; x < 6; ++x) {
    cells.erase(Cell<3>{{x, 2, 3}}); // a tunnel
  }
  const auto grid = gridOfCells<3>(cells, unitPlacement<3>(6));
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  // On the outermost faces points are in cells.
  for (const Place& corner : {Place{0.0, 0.0, 0.0}, Place{1.0, 1.0, 1.0}, Place{1.0, 0.0, 0.5}}) {
    filter->SetSourcePoint(0, corner.data());
    filter->SetStopTime(0.2);
    filter->Update();
    EXPECT_EQ(filter->GetDataSetOutput()->GetNumberOfCells(), 210);
    double least = infinity;
    for (const double time : timesOf(filter->GetDataSetOutput())) {
      least = std::min(least, time);
    }
    EXPECT_NEAR(least, std::sqrt(3.0) / 12.0, 1e-8);
  }
  filter->SetStopTime(infinity);
  filter->SetSourcePoint(0, 0.3, 2.5 / 6, 3.4 / 6);
  expectOneError(filter, "source point 0 at (0.3, 0.4166666666666667, 0.5666666666666667) is outside of the grid");
  filter->SetReach(0.11); // at least 0.4 / 6 to its walls
  filter->Update();
  vtkNew<Filter> expected;
  expected->SetInputData(grid);
  expected->SetSourcePoint(0, 0.3, 2.5 / 6, 0.5 - 1e-9 / 6);
  expected->Update();
  const auto found = timesOf(filter->GetDataSetOutput());
  const auto wanted = timesOf(expected->GetDataSetOutput());
  for (std::size_t c = 0; c < found.size(); ++c) {
    ASSERT_NEAR(found[c], wanted[c], 1e-8);
  }
  filter->SetSourcePoint(0, 1.2, 0.5, 0.5);
  expectOneError(filter, "as 1 of 1 points are");
  // a grid in the plane is there and nowhere else
  vtkNew<Filter> flat;
  flat->SetInputData(unitGrid<2>(4));
  flat->SetSourcePoint(0, 0.5, 0.5, 0.2);
  expectOneError(flat, "is outside of the grid");
  flat->SetReach(0.3);
  flat->Update();
  EXPECT_EQ(flat->GetDataSetOutput()->GetNumberOfCells(), 16);
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
  EXPECT_EQ(valueAt(filter->GetDataSetOutput(), apart), infinity);
  EXPECT_EQ(valueAt(filter->GetDataSetOutput(), apart, "Nearest Source"), -1.0);
  EXPECT_TRUE(std::isnan(valueAt(filter->GetDataSetOutput(), apart, "Gradient")));
  EXPECT_EQ(fieldValue(filter->GetDataSetOutput(), "Eikonal Unreached Cells"), 1.0);
  filter->SetUnreached(Filter::NOT_A_NUMBER);
  filter->Update();
  EXPECT_TRUE(std::isnan(valueAt(filter->GetDataSetOutput(), apart)));
  filter->SetUnreached(Filter::GIVEN_TIME);
  filter->SetUnreachedTime(-1.0);
  filter->SetStopTime(0.5);
  filter->Update();
  EXPECT_EQ(valueAt(filter->GetDataSetOutput(), apart), -1.0);
  for (const double time : timesOf(filter->GetDataSetOutput())) {
    EXPECT_LE(time, 0.5);
  }
  EXPECT_GT(fieldValue(filter->GetDataSetOutput(), "Eikonal Unreached Cells"), 1.0);
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
  expectOneError(filter, "there is no source");
  filter->SetSourcePoint(0, 0.5, 0.5, 0.0);
  filter->SetOrder(3);
  expectOneError(filter, "the order of differences is 3");
  filter->SetOrder(1);
  filter->SetSpeed(-1.0);
  expectOneError(filter, "the speed is -1");
  filter->SetSpeed(1e300);
  expectOneError(filter, "the speed is 1e+300; its square is beyond all numbers");
  filter->SetSpeed(1e-300);
  expectOneError(filter, "the speed is 1e-300; its square is beyond all numbers");
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
