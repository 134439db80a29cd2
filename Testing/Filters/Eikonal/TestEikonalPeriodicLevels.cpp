// Eikonal Arrival Time, and Eikonal Paths, on levels whose axes repeat.

#include "Testing/Filters/Multilevel/Levels.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseEikonalArrivalTime.h"
#include "vtkSpanwiseEikonalPaths.h"
#include "vtkSpanwiseGridToLevels.h"

#include <vtkAppendFilter.h>
#include <vtkCellArray.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkPolyData.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseEikonalArrivalTime;
using Place = std::array<double, 3>;

constexpr int extent = 4;
constexpr double period = 2.0 * extent; // cells of level 0 have the size 1

/// Levels that Grid To Levels makes of one grid with random cells of several sizes in [-4, 4)^Dim.
template <int Dim>
vtkSmartPointer<vtkSpanwiseGridToLevels> randomGridToLevels(std::mt19937& random) {
  RandomLevels how;
  how.extent = extent;
  how.levels = 2; // in simplices of good shape factored times are exact
  how.hole = 0.0;
  const auto collection = levelsOf<Dim>(hierarchyOf<Dim>(randomLeaves<Dim>(random, how), GridPlacement()));
  vtkNew<vtkAppendFilter> append;
  for (vtkDataSet* part : partsOf(collection)) {
    append->AddInputData(part);
  }
  append->Update();
  auto levels = vtkSmartPointer<vtkSpanwiseGridToLevels>::New();
  levels->SetInputData(append->GetOutput());
  return levels;
}

/// Calls look(data, cell, centre, time) for all leaves of an output.
void forLeaves(Filter* filter, const std::function<void(vtkDataSet*, vtkIdType, const Place&, double)>& look) {
  for (vtkDataSet* data : partsOf(filter->GetOutputDataObject(0))) {
    vtkDataArray* const times = data->GetCellData()->GetArray("Arrival Time");
    ASSERT_NE(times, nullptr);
    for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c) {
      double bounds[6];
      data->GetCellBounds(c, bounds);
      look(data, c, {0.5 * (bounds[0] + bounds[1]), 0.5 * (bounds[2] + bounds[3]), 0.5 * (bounds[4] + bounds[5])},
        times->GetComponent(c, 0));
    }
  }
}

/// How far a place is from the copies of another one along x, the nearest first.
std::array<double, 2> waysTo(const Place& from, const Place& to) {
  std::array<double, 3> ways{};
  for (int k = 0; k < 3; ++k) {
    ways[static_cast<std::size_t>(k)] =
      std::hypot(from[0] - to[0] - period * (k - 1), from[1] - to[1], from[2] - to[2]);
  }
  std::sort(ways.begin(), ways.end());
  return {ways[0], ways[1]};
}

template <int Dim>
void expectFrontsAndWaysAcross(std::mt19937& random) {
  const auto levels = randomGridToLevels<Dim>(random);
  const Place source{3.83, 0.31, Dim == 3 ? -0.42 : 0.0};
  const Place other{0.2, -3.4, source[2]};
  vtkNew<Filter> filter;
  filter->SetInputConnection(levels->GetOutputPort());
  filter->SetSourcePoint(0, source[0] + period, source[1], source[2]); // in any period
  filter->SetSourcePoint(1, other.data());
  filter->SetSpeed(2.0);
  filter->PeriodicXOn();
  filter->ComputeNearestSourceOn();
  filter->ComputeGradientOn();
  filter->Update();
  int numAcross = 0;
  forLeaves(filter, [&](vtkDataSet* data, vtkIdType c, const Place& at, double time) {
    const std::array<double, 2> first = waysTo(at, source);
    const std::array<double, 2> second = waysTo(at, other);
    if (std::min(first[1], second[0]) - first[0] > 3.5) { // not where fronts meet
      EXPECT_NEAR(time, first[0] / 2.0, 1e-12);
      EXPECT_EQ(data->GetCellData()->GetArray("Nearest Source")->GetComponent(c, 0), 0.0);
      if (at[0] < 0.0 && first[0] > 0.6) { // fronts run away from the copy
        ++numAcross;
        EXPECT_GT(data->GetCellData()->GetArray("Gradient")->GetComponent(c, 0), 0.0);
      }
    }
  });
  EXPECT_GT(numAcross, 0);
  vtkNew<vtkSpanwiseEikonalPaths> paths;
  paths->SetInputConnection(filter->GetOutputPort());
  const std::vector<Place> seeds{{-3.4, 0.9, source[2]}, {-3.9, -1.8, source[2]}, {3.1, 1.9, source[2]}};
  for (std::size_t k = 0; k < seeds.size(); ++k) {
    paths->SetSeedPoint(static_cast<int>(k), seeds[k][0], seeds[k][1], seeds[k][2]);
  }
  paths->Update();
  vtkPolyData* const lines = paths->GetOutput();
  ASSERT_EQ(lines->GetNumberOfLines(), std::ssize(seeds));
  vtkNew<vtkIdList> points;
  for (std::size_t k = 0; k < seeds.size(); ++k) {
    lines->GetCellPoints(static_cast<vtkIdType>(k), points);
    double length = 0.0;
    Place at{};
    Place next{};
    lines->GetPoint(points->GetId(0), at.data());
    for (vtkIdType i = 1; i < points->GetNumberOfIds(); ++i, at = next) {
      lines->GetPoint(points->GetId(i), next.data());
      length += std::hypot(next[0] - at[0], next[1] - at[1], next[2] - at[2]);
    }
    EXPECT_NEAR(length, waysTo(seeds[k], source)[0], 1e-6);
    EXPECT_NEAR(at[0], seeds[k][0] < 0.0 ? source[0] - period : source[0], 1e-9); // beyond the period
    EXPECT_NEAR(at[1], source[1], 1e-9);
  }
}

TEST(EikonalPeriodicLevels, FrontsAndWaysGoAcrossTheSeam) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int round = 0; round < 4; ++round) {
    expectFrontsAndWaysAcross<2>(random);
    expectFrontsAndWaysAcross<3>(random);
  }
}

// A line along y, given in another period: its copies are as far as they are.
TEST(EikonalPeriodicLevels, CopiesOfASurfaceCount) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const auto levels = randomGridToLevels<2>(random);
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> cells;
  for (const double x : {3.75 - 3.0 * period, 0.25}) {
    const vtkIdType line[2] = {points->InsertNextPoint(x, -5.0, 0.0), points->InsertNextPoint(x, 5.0, 0.0)};
    cells->InsertNextCell(2, line);
  }
  vtkNew<vtkPolyData> surface;
  surface->SetPoints(points);
  surface->SetLines(cells);
  vtkNew<Filter> filter;
  filter->SetInputConnection(levels->GetOutputPort());
  filter->SetSourceData(surface);
  filter->SetSources(Filter::SURFACE);
  filter->PeriodicXOn();
  filter->ComputeNearestSourceOn();
  filter->Update();
  forLeaves(filter, [](vtkDataSet* data, vtkIdType c, const Place& at, double time) {
    const auto wayTo = [&](double x) {
      const double way = std::abs(at[0] - x);
      return std::min(way, period - way);
    };
    const double ways[2] = {wayTo(3.75), wayTo(0.25)};
    EXPECT_GE(time, std::min(ways[0], ways[1]) - 1e-12);
    EXPECT_LE(time, std::min(ways[0], ways[1]) + 1.0);
    if (std::abs(ways[0] - ways[1]) > 3.0 && std::min(ways[0], ways[1]) > 0.5) { // not where fronts start or meet
      EXPECT_NEAR(time, std::min(ways[0], ways[1]), 1e-12);
      EXPECT_EQ(data->GetCellData()->GetArray("Nearest Source")->GetComponent(c, 0), ways[0] < ways[1] ? 0.0 : 1.0);
    }
  });
}

/// Leaves with speeds, and their copies in the periods beside along x.
template <int Dim>
vtkSmartPointer<vtkPartitionedDataSetCollection> withSpeeds(const Leaves<Dim>& leaves, int periodsBeside) {
  Leaves<Dim> all(leaves.size());
  for (std::size_t level = 0; level < leaves.size(); ++level) {
    for (Cell<Dim> cell : leaves[level]) {
      const auto step = static_cast<Coordinate>(2 * extent * (1 << level));
      cell.at[0] -= periodsBeside * step;
      for (int copy = -periodsBeside; copy <= periodsBeside; ++copy, cell.at[0] += step) {
        all[level].insert(cell);
      }
    }
  }
  const auto collection = levelsOf<Dim>(hierarchyOf<Dim>(all, GridPlacement()));
  for (vtkDataSet* data : partsOf(collection)) {
    vtkNew<vtkDoubleArray> speeds;
    speeds->SetName("speed");
    for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c) {
      double bounds[6];
      data->GetCellBounds(c, bounds);
      const double angle = 4.0 * std::acos(0.0) * 0.5 * (bounds[0] + bounds[1]) / period;
      speeds->InsertNextValue(1.0 + 0.2 * std::sin(angle) * std::cos(0.4 * (bounds[2] + bounds[3])));
    }
    data->GetCellData()->AddArray(speeds);
  }
  return collection;
}

template <int Dim>
void expectThoseOfUnrolledLevels(std::mt19937& random, int order) {
  RandomLevels how;
  how.extent = extent;
  how.levels = Dim == 2 ? 3 : 2;
  how.hole = 0.05;
  const Leaves<Dim> leaves = balancedLeaves<Dim>(random, how);
  const auto times = [&](int periodsBeside) {
    vtkNew<Filter> filter;
    filter->SetInputDataObject(withSpeeds<Dim>(leaves, periodsBeside));
    for (int copy = -periodsBeside; copy <= periodsBeside; ++copy) {
      filter->SetSourcePoint(copy + periodsBeside, 3.83 + copy * period, 0.31, Dim == 3 ? -0.42 : 0.0);
    }
    filter->SetSpeedKind(Filter::SPEED_ARRAY);
    filter->SetInputArrayToProcess(1, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "speed");
    filter->SetPeriodicX(periodsBeside == 0);
    filter->SetOrder(order);
    filter->Update();
    std::map<Place, double> result;
    forLeaves(filter, [&](vtkDataSet*, vtkIdType, const Place& at, double time) {
      if (std::abs(at[0]) < extent) {
        result[at] = time;
      }
    });
    return result;
  };
  const auto found = times(0);
  const auto expected = times(2);
  ASSERT_EQ(found.size(), expected.size());
  ASSERT_FALSE(found.empty());
  for (const auto& [at, time] : expected) {
    ASSERT_EQ(found.count(at), 1U);
    EXPECT_NEAR(found.at(at), time, 1e-9 * time) << at[0] << ", " << at[1] << ", " << at[2];
  }
}

TEST(EikonalPeriodicLevels, TimesOfBothOrdersAreThoseOfUnrolledLevels) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const int order : {Filter::FIRST, Filter::SECOND}) {
    SCOPED_TRACE(order);
    expectThoseOfUnrolledLevels<2>(random, order);
    expectThoseOfUnrolledLevels<3>(random, order);
  }
}

TEST(EikonalPeriodicLevels, SayWhatIsWrongInOneMessage) {
  Leaves<2> leaves(2);
  leaves[0] = allCells<2>(0, 2);
  leaves[1].insert(Cell<2>{{4, 0}}); // half a cell of level 0 more along x
  vtkNew<Filter> filter;
  filter->SetInputData(levelsOf<2>(hierarchyOf<2>(leaves, GridPlacement())));
  filter->SetSourcePoint(0, 0.3, 0.3, 0.0);
  filter->PeriodicXOn();
  expectOneError(filter, "a whole number of these");
  filter->SetPeriodBox(Filter::GIVEN_BOUNDS);
  filter->SetPeriodBounds(0.0, 2.0, 0.0, 2.0, 0.0, 0.0);
  expectOneError(filter, "not within the period");
  filter->SetPeriodBounds(0.0, 5.0, 0.0, 2.0, 0.0, 0.0);
  filter->Update();
  forLeaves(filter, [](vtkDataSet*, vtkIdType, const Place&, double time) { EXPECT_TRUE(std::isfinite(time)); });
  vtkNew<vtkSpanwiseEikonalPaths> paths;
  paths->SetInputConnection(filter->GetOutputPort());
  paths->SetSeedPoint(0, 1.7, 0.3, 0.0);
  paths->Update();
  EXPECT_EQ(paths->GetOutput()->GetNumberOfLines(), 1);
  filter->PeriodicXOff();
  filter->PeriodicYOn();
  filter->Update();
  forLeaves(filter, [](vtkDataSet*, vtkIdType, const Place&, double time) { EXPECT_TRUE(std::isfinite(time)); });
  expectOneError(paths, "fewer than 3 cells of level 0");
}

} // namespace
} // namespace spanwise::testing
