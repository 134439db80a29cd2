// Eikonal Arrival Time on grids of intervals and on images: where fronts go, and how near times are.

#include "Testing/Filters/Eikonal/ArrivalTimesOnGrids.hpp"
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
