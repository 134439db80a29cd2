// Eikonal Arrival Time on grids of intervals and on images: where fronts go, and how near times are.

#include "Testing/Core/Solvers/Eikonal/SpeedGradient.hpp"
#include "Testing/Filters/Eikonal/ArrivalTimesOnGrids.hpp"
#include "Testing/Filters/Mesh/Grids.hpp"
#include "Testing/Filters/Sides.hpp"
#include "Testing/Filters/WithoutMemory.hpp"
#include "Testing/Rooms.hpp"

#include <vtkPointData.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cmath>
#include <format>

namespace spanwise::testing {
namespace {

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

TEST(EikonalArrivalTimeOnGrids, StayWhereTheyWereComputed) {
  const auto runOn = [](const auto& grid) {
    return [grid] {
      vtkNew<Filter> filter;
      filter->SetInputData(grid);
      filter->SetSourcePoint(0, 0.3, 0.4, 0.5);
      filter->SetComputeGradient(true);
      filter->Update();
      return vtkSmartPointer<vtkFieldData>(filter->GetDataSetOutput()->GetCellData());
    };
  };
  expectArraysStay({"Arrival Time", "Gradient"}, 1e-10, runOn(unitGrid<3>(24)));
  expectSameArraysWithoutMemory({"Arrival Time", "Gradient"}, 5, 1e-10, runOn(unitGrid<3>(8)));
}

TEST(EikonalArrivalTimeOnGrids, SecondOrderIsNearerWhereSpeedsAreSmooth) {
  using InPlane = std::array<double, 2>;
  const eikonal::testing::SpeedGradient medium{{{0.0, 1.0, 0.0}}};
  const Point source{{0.5, 0.4, 0.0}};
  for (const int n : {40, 80}) {
    eikonal::testing::BoundedErrors errors[3];
    for (const int order : {1, 2}) {
      const auto grid = unitGrid<2>(n);
      onCells(grid, "c", [](const Place& p) { return std::vector<double>{1.0 + p[1]}; });
      vtkNew<Filter> filter;
      filter->SetInputData(grid);
      filter->SetSourcePoint(0, source.at);
      filter->SetSpeedKind(Filter::SPEED_ARRAY);
      setArray(filter, 1, "c");
      filter->SetOrder(order);
      filter->Update();
      auto scheme = eikonal::testing::UpwindScheme<2>::ofSpeed(order, [](const InPlane& p) { return 1.0 + p[1]; });
      scheme.takeOut({{source[0], source[1]}, 0.0}, infinity);
      errors[order] = errorsBesideBounds<2>(
        timesOf(filter->GetDataSetOutput()), allCells<2>(0, n), 1.0 / n, scheme,
        [&](const InPlane& p) { return medium.time(source, {{p[0], p[1], 0.0}}); },
        [&](const InPlane& p) { return std::max(std::abs(p[0] - source[0]), std::abs(p[1] - source[1])) < 2.5 / n; });
      eikonal::testing::expectWithinBounds(errors[order], order);
    }
    EXPECT_GT(errors[1].mean, 2.0 * errors[2].meanBound); // of second order, within twice its bound
  }
}

TEST(EikonalArrivalTimeOnGrids, AgreeWithTheMeshOfTheirCells) {
  constexpr int n = 40;
  const eikonal::testing::SpeedGradient medium{{{0.3, 0.5, 0.0}}};
  const Point source{{0.3, 0.3, 0.0}};
  const auto grid = unitGrid<2>(n);
  onCells(grid, "c", [&](const Place& p) { return std::vector<double>{medium.speed({{p[0], p[1], 0.0}})}; });
  vtkNew<vtkUnstructuredGrid> mesh;
  explode(grid, mesh);
  const auto solved = [&](vtkDataSet* data) {
    auto filter = vtkSmartPointer<Filter>::New();
    filter->SetInputData(data);
    filter->SetSourcePoint(0, source.at);
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
  // they differ by no more than each may be wrong by, from the exact times
  const auto exact = [&](const Point& x) { return medium.time(source, x); };
  const auto speed = [&](const std::array<double, 2>& p) { return medium.speed({{p[0], p[1], 0.0}}); };
  auto scheme = eikonal::testing::UpwindScheme<2>::ofSpeed(1, speed);
  scheme.takeOut({{source[0], source[1]}, 0.0}, infinity);
  const auto errors = errorsBesideBounds<2>(
    timesOf(onGrid->GetDataSetOutput()), allCells<2>(0, n), 1.0 / n, scheme,
    [&](const std::array<double, 2>& p) { return exact({{p[0], p[1], 0.0}}); },
    [&](const std::array<double, 2>& p) { return std::hypot(p[0] - source[0], p[1] - source[1]) < 2.5 / n; });
  const HostMesh triangles = gridMesh(ElementType::Triangle, n); // two of each cell
  eikonal::testing::RayProblem rays = medium.raysFrom<3>(source, triangles);
  rays.slowness = [&](std::int64_t e) { return 1.0 / valueAt(grid, e / 2, "c"); };
  std::vector<double> bounds(triangles.points.size(), infinity);
  for (std::size_t v = 0; v < bounds.size(); ++v) {
    if (eikonal::testing::length(triangles.points[v] - source) < 1.5 / n) {
      bounds[v] = std::abs(atPoints->GetComponent(static_cast<vtkIdType>(v), 0) - exact(triangles.points[v]));
    }
  }
  eikonal::testing::boundErrors<3>(triangles, rays, 2, bounds);
  double difference = 0.0;
  double bound = errors.meanBound;
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
    vtkNew<vtkIdList> points;
    mesh->GetCellPoints(c, points);
    double mean = 0.0;
    double exactMean = 0.0;
    for (vtkIdType k = 0; k < 4; ++k) {
      const auto v = static_cast<std::size_t>(points->GetId(k));
      mean += 0.25 * atPoints->GetComponent(points->GetId(k), 0);
      exactMean += 0.25 * exact(triangles.points[v]);
      bound += 0.25 * bounds[v] / (n * n);
    }
    const Place p = centreOf(grid, c);
    bound += std::abs(exactMean - exact({{p[0], p[1], 0.0}})) / (n * n);
    difference += std::abs(valueAt(onGrid->GetDataSetOutput(), c) - mean) / (n * n);
  }
  EXPECT_LE(difference, bound);
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
  // Without factoring they are those that fast marching finds from the cells that see the point, two away at the most.
  const std::vector<Cell<2>> cells(open.begin(), open.end());
  std::vector<double> given;
  for (const Cell<2>& cell : cells) {
    const bool isNear = std::max(cell.at[0], cell.at[1]) <= 2;
    given.push_back(isNear ? std::hypot((cell.at[0] + 0.5) / n - 0.01, (cell.at[1] + 0.5) / n - 0.01) : infinity);
  }
  for (const int order : {1, 2}) {
    const auto plain = timesWith(gridOfCells<2>(open, unitPlacement<2>(n)), [&](Filter* filter) {
      filter->SetOrder(order);
      filter->FactorTimesOff();
    });
    const auto marched = eikonal::testing::marched<2>(
      cells, {}, std::vector<std::array<double, 2>>(cells.size(), {n * n, n * n}), given, order);
    for (std::size_t c = 0; c < cells.size(); ++c) {
      ASSERT_NEAR(plain[c], marched[c], 1e-12);
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
    const auto expectTimes = [&](const auto& exact, const auto& bound) {
      vtkDataSet* const output = filter->GetDataSetOutput();
      for (vtkIdType c = 0; c < output->GetNumberOfCells(); ++c) {
        const Place p = centreOf(output, c);
        EXPECT_NEAR(valueAt(output, c), exact(p), 1e-12 + bound(p)) << p[0] << ", " << p[1];
      }
    };
    const auto shortest = [&](const Place& p) { return std::hypot(along(p[0], source[0]), p[1] - source[1]); };
    // exact but where differences, of two cells, are of the fronts of both sides: they meet at x = 0.43, and each cell
    // is after the first one beside it by what it takes at the most
    const auto whereTheyMeet = [&](const Place& p) {
      const double longest = std::hypot(1.0 - along(p[0], source[0]), p[1] - source[1]);
      return longest - shortest(p) <= 4.0 / n ? 1.0 / n : 0.0;
    };
    expectTimes(shortest, whereTheyMeet);
    filter->SetSourcePoint(0, source[0] - 3.0, source[1], 0.0); // the same, three periods away
    filter->Update();
    expectTimes(shortest, whereTheyMeet);
    // A period that is longer than the cells: the way through x = 0 is closed. Beyond x = 0.18, where the source of the
    // next period is nearer, times are of second order from there on (UpwindErrors.hpp).
    filter->SetSourcePoint(0, source.data());
    filter->SetPeriodBox(Filter::GIVEN_BOUNDS);
    filter->SetPeriodBounds(0.0, 1.5, 0.0, 1.0, 0.0, 1.0);
    filter->Update();
    const auto straight = [&](const Place& p) { return distance(p, source); };
    expectTimes(straight, [&](const Place& p) {
      const double beyond = 0.18 + 2.0 / n - p[0];
      const double far = straight(p);
      const double near = far * (1.0 - beyond / (source[0] - p[0])); // where it went beyond
      return beyond > 0.0 ? (1.0 / near - 1.0 / far) / (n * n) : 0.0;
    });
    filter->SetPeriodBounds(0.0, 0.5, 0.0, 1.0, 0.0, 1.0);
    expectOneError(filter, "period");
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
  filter->SetStopRegion("few");
  vtkNew<vtkDoubleArray> few;
  few->SetName("few");
  few->InsertNextValue(1.0);
  grid->GetCellData()->AddArray(few);
  expectOneError(filter, std::format("the array 'few' has 1 value for {} cells", grid->GetNumberOfCells()));
}

// A square with a hole around its middle, to whose left side that is nearest.
TEST(EikonalArrivalTimeOnGrids, WithoutSourcePointsFrontsStartNearestToTheMiddle) {
  CellList<2> cells;
  for (const Cell<2>& cell : allCells<2>(0, 8)) {
    const bool isHole = cell.at[0] >= 2 && cell.at[0] < 7 && cell.at[1] >= 1 && cell.at[1] < 7;
    if (!isHole) {
      cells.insert(cell);
    }
  }
  const auto grid = gridOfCells<2>(cells, unitPlacement<2>(8));
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->Update();
  const auto times = timesOf(filter->GetDataSetOutput());
  EXPECT_EQ(fieldValue(filter->GetDataSetOutput(), "Eikonal Unreached Cells"), 0.0);
  filter->SetSourcePoint(0, 0.25, 0.5, 0.0);
  filter->SetReach(0.01);
  filter->Update();
  EXPECT_EQ(times, timesOf(filter->GetDataSetOutput()));
  filter->SetSourcePoint(0, 0.5, 0.5, 0.0); // what is given is taken
  expectOneError(filter, "source point 0 at (0.5, 0.5, 0) is outside of the grid");
}

} // namespace
} // namespace spanwise::testing
