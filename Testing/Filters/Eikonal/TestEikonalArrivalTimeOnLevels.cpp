// Eikonal Arrival Time, and Eikonal Paths, on levels of leaf cells.

#include "Testing/Core/Solvers/Eikonal/LeafErrors.hpp"
#include "Testing/Core/Solvers/Eikonal/SpeedGradient.hpp"
#include "Testing/Filters/Geometry/Pipelines.hpp"
#include "Testing/Filters/Sides.hpp"

#include "SpanwiseHierarchy.h"
#include "Testing/Rooms.hpp"
#include "vtkSpanwiseEikonalArrivalTime.h"
#include "vtkSpanwiseEikonalPaths.h"

#include <vtkCompositeDataSet.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkImageData.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <vector>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseEikonalArrivalTime;
using Place = std::array<double, 3>;

constexpr double infinity = std::numeric_limits<double>::infinity();

double distance(const Place& a, const Place& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

/// The unit square or cube in n cells along each axis; those of its lower half along x are refined once.
template <int Dim>
std::vector<CellList<Dim>> cellsOfHalves(int n) {
  std::vector<CellList<Dim>> cells(2);
  for (const Cell<Dim>& cell : allCells<Dim>(0, n)) {
    if (cell.at[0] >= n / 2) {
      cells[0].insert(cells[0].end(), cell);
    }
  }
  for (const Cell<Dim>& cell : allCells<Dim>(0, 2 * n)) {
    if (cell.at[0] < n / 2 * 2) {
      cells[1].insert(cells[1].end(), cell);
    }
  }
  return cells;
}

template <int Dim>
vtkSmartPointer<vtkPartitionedDataSetCollection> halfRefined(int n) {
  Hierarchy<Dim> hierarchy;
  std::fill_n(hierarchy.root.spacing, 3, 1.0 / n);
  for (const CellList<Dim>& cells : cellsOfHalves<Dim>(n)) {
    hierarchy.leaves.emplace_back().set = toHostSet<Dim>(cells);
  }
  for (auto& level : hierarchy.leaves) {
    vtkNew<vtkDoubleArray> speeds;
    speeds->SetName("c");
    speeds->SetNumberOfValues(level.set.numCells());
    speeds->Fill(2.0);
    level.values->AddArray(speeds);
  }
  auto collection = vtkSmartPointer<vtkPartitionedDataSetCollection>::New();
  setLevels<Dim>(collection, hierarchy);
  return collection;
}

/// Calls look(data, cell, centre, time) for all leaves of an output.
template <class Look>
void forLeaves(Filter* filter, const Look& look) {
  auto* levels = vtkPartitionedDataSetCollection::SafeDownCast(filter->GetOutputDataObject(0));
  ASSERT_NE(levels, nullptr);
  for (vtkDataSet* data : vtkCompositeDataSet::GetDataSets(levels)) {
    vtkDataArray* const times = data->GetCellData()->GetArray("Arrival Time");
    ASSERT_NE(times, nullptr);
    for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c) {
      double bounds[6];
      data->GetCellBounds(c, bounds);
      look(data, c, Place{0.5 * (bounds[0] + bounds[1]), 0.5 * (bounds[2] + bounds[3]), 0.5 * (bounds[4] + bounds[5])},
        times->GetComponent(c, 0));
    }
  }
}

TEST(EikonalArrivalTimeOnLevels, StayWhereTheyWereComputed) {
  const auto input = halfRefined<3>(8);
  for (unsigned level = 0; level < 2; ++level) {
    expectArraysStay({"Arrival Time", "Gradient"}, 1e-10, [&] {
      vtkNew<Filter> filter;
      filter->SetInputData(input);
      filter->SetSourcePoint(0, 0.31, 0.57, 0.44);
      filter->SetComputeGradient(true);
      filter->Update();
      auto* const levels = vtkPartitionedDataSetCollection::SafeDownCast(filter->GetOutputDataObject(0));
      return vtkSmartPointer<vtkFieldData>(levels->GetPartition(level, 0)->GetCellData());
    });
  }
}

template <int Dim>
void expectTimesOfAPoint(int n, int order) {
  const Place source{0.31, 0.57, Dim == 3 ? 0.44 : 0.0};
  const auto input = halfRefined<Dim>(n);
  vtkNew<Filter> filter;
  filter->SetInputData(input);
  filter->SetSourcePoint(0, source.data());
  filter->SetSpeedKind(Filter::SPEED_ARRAY);
  filter->SetInputArrayToProcess(1, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "c");
  filter->SetOrder(order);
  filter->ComputeGradientOn();
  filter->ComputeNearestSourceOn();
  filter->Update();
  std::int64_t numLeaves = 0;
  forLeaves(filter, [&](vtkDataSet* data, vtkIdType c, const Place& at, double time) {
    ++numLeaves;
    const double d = distance(at, source);
    const double h = 1.0 / n;
    EXPECT_NEAR(time, d / 2.0, 1e-12); // factored times are exact in a constant medium
    EXPECT_EQ(data->GetCellData()->GetArray("Nearest Source")->GetComponent(c, 0), 0.0);
    // By the divergence theorem a leaf's mean gradient is of the means of its faces. That of a time r / 2, linear
    // between corners, is off by h^2 / 12 times the derivatives across, u_yy + u_zz + u_yz <= 2.5 / 2 r. Where one of
    // two faces is finer, with a quarter of it, h / 10 r remain; else by their change from face to face, u_xyy + u_xzz
    // + u_xyz <= 2.6 / 2 r^2, and h^2 / 24 times the gradient of the Laplacian, 2 / 2 r^2.
    const double byNearest = h / (d - 0.5 * std::sqrt(Dim) * h);
    if (d > 3.0 * h) {
      for (int axis = 0; axis < Dim; ++axis) {
        EXPECT_NEAR(data->GetCellData()->GetArray("Gradient")->GetComponent(c, axis),
          0.5 * (at[axis] - source[axis]) / d, (0.1 + 0.15 * byNearest) * byNearest);
      }
    }
    EXPECT_NE(data->GetCellData()->GetArray("c"), nullptr);
  });
  const std::int64_t half = (Dim == 2 ? n * n : n * n * n) / 2;
  EXPECT_EQ(numLeaves, half + half * (1 << Dim));
  auto* const report = filter->GetOutputDataObject(0)->GetFieldData()->GetArray("Eikonal Iterations");
  ASSERT_NE(report, nullptr);
  EXPECT_GT(report->GetComponent(0, 0), 0.0);
  // the ways back, from either half
  vtkNew<vtkSpanwiseEikonalPaths> paths;
  paths->SetInputConnection(filter->GetOutputPort());
  paths->SetSeedPoint(0, 0.05, 0.05, source[2]);
  paths->SetSeedPoint(1, 0.93, 0.87, source[2]);
  paths->Update();
  ASSERT_EQ(paths->GetOutput()->GetNumberOfLines(), 2);
  vtkNew<vtkIdList> points;
  for (vtkIdType line = 0; line < 2; ++line) {
    paths->GetOutput()->GetCellPoints(line, points);
    Place last{};
    paths->GetOutput()->GetPoint(points->GetId(points->GetNumberOfIds() - 1), last.data());
    EXPECT_LT(distance(last, source), 1e-9);
    Place first{};
    paths->GetOutput()->GetPoint(points->GetId(0), first.data());
    EXPECT_NEAR(paths->GetOutput()->GetPointData()->GetArray("Arrival Time")->GetComponent(points->GetId(0), 0),
      distance(first, source) / 2.0, 3.0 / (16.0 * n * n * distance(first, source))); // linear between corners
  }
}

TEST(EikonalArrivalTimeOnLevels, APointInAConstantMedium) {
  for (const int order : {Filter::FIRST, Filter::SECOND}) {
    expectTimesOfAPoint<2>(16, order);
    expectTimesOfAPoint<3>(6, order);
  }
}

/// The mean error of the leaves' times where the speed is 0.7 + 1.5 y, and for first order its bound.
template <int Dim>
eikonal::testing::LeafErrors errorsInAGradient(int n, bool factored, int order = Filter::FIRST) {
  const eikonal::testing::SpeedGradient medium{{{0.0, 1.5, 0.0}}, 0.7};
  const Point source{{0.47, 0.44, Dim == 3 ? 0.53 : 0.0}};
  const auto input = halfRefined<Dim>(n);
  for (vtkDataSet* data : vtkCompositeDataSet::GetDataSets(input)) {
    for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c) {
      double bounds[6];
      data->GetCellBounds(c, bounds);
      data->GetCellData()->GetArray("c")->SetComponent(c, 0, medium.speed({{0.0, 0.5 * (bounds[2] + bounds[3]), 0.0}}));
    }
  }
  vtkNew<Filter> filter;
  filter->SetInputData(input);
  filter->SetSourcePoint(0, source.at);
  filter->SetSpeedKind(Filter::SPEED_ARRAY);
  filter->SetInputArrayToProcess(1, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "c");
  filter->SetFactorTimes(factored);
  filter->SetOrder(order);
  filter->Update();
  std::vector<double> times;
  std::vector<double> speeds;
  forLeaves(filter, [&](vtkDataSet*, vtkIdType, const Place& at, double time) {
    times.push_back(time);
    speeds.push_back(medium.speed({{at[0], at[1], at[2]}}));
  });
  // on the mesh of the same leaves
  eikonal::testing::LevelProblem<HostExecutionSpace, Dim> problem(
    cellsOfHalves<Dim>(n), eikonal::testing::latticeOf<Dim>(1.0 / n));
  problem.buildWithSpeeds(speeds);
  eikonal::PointSource<Dim> point{};
  std::copy_n(source.at, Dim, point.at);
  problem.solve({point}, factored ? infinity : 0.0);
  eikonal::testing::RayProblem rays;
  rays.time = [&](const Point& x) { return medium.time(source, x); };
  if (factored) {
    rays.lead = [&](const Point& x, const Point& nearby) { return eikonal::testing::leadOf(source, x, nearby); };
  }
  return eikonal::testing::errorsOfLeaves(problem, times, rays, speeds);
}

template <int Dim>
void expectOrders(const std::vector<int>& sizes) {
  std::vector<double> errors;
  for (const int n : sizes) {
    const auto first = errorsInAGradient<Dim>(n, true);
    errors.push_back(errorsInAGradient<Dim>(n, true, Filter::SECOND).mean);
    const double plain = errorsInAGradient<Dim>(n, false).mean;
    std::cout << Dim << "D, n " << n << ": " << first.mean << ", its bound " << first.meanBound << ", of second order "
              << errors.back() << ", without factoring " << plain << '\n';
    EXPECT_LE(first.mean, first.meanBound) << n;
    EXPECT_GT(plain, first.meanBound) << n; // of h log h
    EXPECT_LT(errors.back(), first.mean) << n;
  }
  const double order = std::log2(errors.front() / errors.back()) / static_cast<double>(sizes.size() - 1);
  EXPECT_GT(order, 1.5); // nearer to two than to one
}

TEST(EikonalArrivalTimeOnLevels, FactoredTimesAreOfTheirOrder) {
  expectOrders<2>({16, 32, 64, 128});
  expectOrders<3>({6, 12, 24});
}

// A wall of leaves across the square, with a hole in its fine half or without.
TEST(EikonalArrivalTimeOnLevels, WallsKeepFrontsOut) {
  const int n = 8;
  const auto input = halfRefined<2>(n);
  const auto inWall = [](const Place& at) { return std::abs(at[1] - 0.5) < 1.0 / n && at[0] > 0.0; };
  const auto isHole = [](const Place& at) { return at[0] < 0.5 / n; };
  vtkNew<Filter> filter;
  filter->SetInputData(input);
  filter->SetSourcePoint(0, 0.3, 0.1, 0.0);
  filter->SetSpeedKind(Filter::SPEED_ARRAY);
  filter->SetInputArrayToProcess(1, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "c");
  filter->ZeroSpeedIsWallOn();
  filter->SetComputeNearestSource(true);
  for (const bool hasHole : {false, true}) {
    double numOut = 0.0;
    for (vtkDataSet* data : vtkCompositeDataSet::GetDataSets(input)) {
      for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c) {
        double bounds[6];
        data->GetCellBounds(c, bounds);
        const Place at{0.5 * (bounds[0] + bounds[1]), 0.5 * (bounds[2] + bounds[3]), 0.0};
        const bool isWall = inWall(at) && !(hasHole && isHole(at));
        data->GetCellData()->GetArray("c")->SetComponent(c, 0, isWall ? 0.0 : 1.0);
        numOut += isWall || (!hasHole && at[1] > 0.5) ? 1.0 : 0.0;
      }
      data->GetCellData()->GetArray("c")->Modified();
    }
    input->Modified();
    filter->Update();
    forLeaves(filter, [&](vtkDataSet* data, vtkIdType c, const Place& at, double time) {
      const bool isWall = inWall(at) && !(hasHole && isHole(at));
      const bool isOut = isWall || (!hasHole && at[1] > 0.5);
      EXPECT_EQ(std::isinf(time), isOut) << at[0] << ", " << at[1];
      EXPECT_EQ(data->GetCellData()->GetArray("Nearest Source")->GetComponent(c, 0), isOut ? -1.0 : 0.0)
        << at[0] << ", " << at[1];
    });
    EXPECT_EQ(
      filter->GetOutputDataObject(0)->GetFieldData()->GetArray("Eikonal Unreached Cells")->GetComponent(0, 0), numOut);
  }
}

TEST(EikonalArrivalTimeOnLevels, ArraysOfLeavesAreSources) {
  const auto input = halfRefined<2>(8);
  for (vtkDataSet* data : vtkCompositeDataSet::GetDataSets(input)) {
    vtkNew<vtkDoubleArray> marks;
    marks->SetName("marks");
    marks->SetNumberOfValues(data->GetNumberOfCells());
    marks->Fill(0.0);
    data->GetCellData()->AddArray(marks);
  }
  auto* const fine = vtkCompositeDataSet::GetDataSets(input.Get())[1];
  fine->GetCellData()->GetArray("marks")->SetComponent(5, 0, 1.0);
  vtkNew<Filter> filter;
  filter->SetInputData(input);
  filter->SetSources(Filter::SOURCE_ARRAY);
  filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "marks");
  filter->ComputeNearestSourceOn();
  filter->Update();
  forLeaves(filter, [&](vtkDataSet* data, vtkIdType c, const Place&, double time) {
    EXPECT_EQ(data->GetCellData()->GetArray("Nearest Source")->GetComponent(c, 0), 32.0 + 5.0); // after the coarse ones
    const bool isSource = c == 5 && data->GetNumberOfCells() == fine->GetNumberOfCells();
    EXPECT_EQ(time == 0.0, isSource);
  });
}

// Leaves that are marked have the times that they have without a stop, and later ones have none.
TEST(EikonalArrivalTimeOnLevels, StopsAtARegion) {
  const auto input = halfRefined<2>(16);
  for (vtkDataSet* data : vtkCompositeDataSet::GetDataSets(input)) {
    vtkNew<vtkDoubleArray> marks;
    marks->SetName("region");
    for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c) {
      double bounds[6];
      data->GetCellBounds(c, bounds);
      const Place at{0.5 * (bounds[0] + bounds[1]), 0.5 * (bounds[2] + bounds[3]), 0.0};
      marks->InsertNextValue(distance(at, {0.5, 0.3, 0.0}) < 0.08 ? 1.0 : 0.0); // on both levels
    }
    EXPECT_EQ(marks->GetRange()[1], 1.0);
    data->GetCellData()->AddArray(marks);
  }
  vtkNew<Filter> filter;
  filter->SetInputData(input);
  filter->SetSourcePoint(0, 0.2, 0.2, 0.0);
  filter->Update();
  std::vector<double> all;
  double last = 0.0;
  forLeaves(filter, [&](vtkDataSet* data, vtkIdType c, const Place&, double time) {
    all.push_back(time);
    last = data->GetCellData()->GetArray("region")->GetComponent(c, 0) == 1.0 ? std::max(last, time) : last;
  });
  filter->SetStopRegion("region");
  filter->Update();
  std::size_t leaf = 0;
  std::int64_t numLater = 0;
  forLeaves(filter, [&](vtkDataSet*, vtkIdType, const Place&, double time) {
    const double whole = all.at(leaf++);
    if (whole <= last) { // at the centre; at a corner it may be later than at those of the region
      EXPECT_TRUE(time == whole || (std::isinf(time) && whole > last - 0.75 / 16));
    } else {
      EXPECT_TRUE(std::isinf(time) || (time == whole && whole < last + 0.75 / 16));
      numLater += std::isinf(time) ? 1 : 0;
    }
  });
  EXPECT_GT(numLater, std::ssize(all) / 4);
  forLeaves(filter, [](vtkDataSet* data, vtkIdType c, const Place&, double time) {
    EXPECT_TRUE(data->GetCellData()->GetArray("region")->GetComponent(c, 0) == 0.0 || std::isfinite(time));
  });
  filter->SetStopRegion("none");
  expectOneError(filter, "no array 'none' of one component on its cells");
}

/// A source beside the leaves is where the nearest leaf is, and so is a seed.
template <int Dim>
void expectSourceWithinReach() {
  constexpr int n = 8;
  vtkNew<Filter> filter;
  filter->SetInputData(halfRefined<Dim>(n));
  const double z = Dim == 3 ? 1.04 : 0.04; // above the cube, or above the plane of a 2D grid
  filter->SetSourcePoint(0, -0.03, 0.57, z);
  filter->SetReach(0.06);
  filter->Update();
  const Place nearest{0.0, 0.57, Dim == 3 ? 1.0 : 0.0};
  forLeaves(filter, [&](vtkDataSet*, vtkIdType, const Place& at, double time) {
    EXPECT_NEAR(time, distance(at, nearest), 1e-12); // factored times are exact in a constant medium
  });
  vtkNew<vtkSpanwiseEikonalPaths> paths;
  paths->SetInputConnection(filter->GetOutputPort());
  paths->SetSeedPoint(0, 1.05, 0.2, nearest[2]);
  paths->SetReach(0.06);
  paths->Update();
  ASSERT_EQ(paths->GetOutput()->GetNumberOfLines(), 1);
  Place first{};
  paths->GetOutput()->GetPoint(0, first.data());
  EXPECT_LT(distance(first, {1.0, 0.2, nearest[2]}), 1e-12);
  filter->SetReach(0.049); // the distance is 0.05
  expectOneError(filter, "outside of the mesh");
}

TEST(EikonalArrivalTimeOnLevels, SourcesWithinReachMoveIntoTheNearestLeaf) {
  expectSourceWithinReach<2>();
  expectSourceWithinReach<3>();
}

TEST(EikonalArrivalTimeOnLevels, SaysWhatIsWrongInOneMessage) {
  vtkNew<Filter> filter;
  filter->SetInputData(halfRefined<2>(8));
  filter->SetSourcePoint(0, 3.0, 3.0, 0.0);
  expectOneError(filter, "outside of the mesh");
  filter->SetSourcePoint(0, 0.5, 0.5, 0.0);
  filter->SetSources(Filter::CELLS);
  vtkNew<vtkImageData> image;
  image->SetExtent(0, 2, 0, 2, 0, 0);
  filter->SetSourceData(image);
  expectOneError(filter, "are sources on grids of intervals and images only");
}

TEST(EikonalArrivalTimeOnLevels, TakesWhatHasNoCells) {
  vtkNew<Filter> filter;
  vtkNew<vtkPartitionedDataSetCollection> nothing;
  filter->SetInputData(nothing);
  filter->SetSourcePoint(0, 0.5, 0.5, 0.0);
  expectNothing(filter);
}

} // namespace
} // namespace spanwise::testing
