// Arrival times and paths on hierarchies of which each rank has a part: they are those of one rank.

#include "Testing/Dimensions.hpp"
#include "Testing/Filters/Parallel/PathLengths.hpp"
#include "Testing/Filters/Parallel/RankHierarchies.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseEikonalArrivalTime.h"
#include "vtkSpanwiseEikonalPaths.h"

#include <cmath>
#include <limits>
#include <tuple>

namespace spanwise::testing {
namespace {

using Arrival = vtkSpanwiseEikonalArrivalTime;

template <class T>
struct LevelArrivals : public RandomTest<T> {};
TYPED_TEST_SUITE(LevelArrivals, Dimensions);

/// Adds arrays that follow from the array "place": speeds, tensors, and when fronts start in a few leaves, no two of
/// them at once.
vtkPartitionedDataSetCollection* withMedia(vtkPartitionedDataSetCollection* levels) {
  for (vtkDataSet* level : partsOf(levels)) {
    vtkDataArray* const places = level->GetCellData()->GetArray("place");
    const auto add = [&](const char* name, int components, const auto& valueOf) {
      vtkNew<vtkDoubleArray> array;
      array->SetName(name);
      array->SetNumberOfComponents(components);
      array->SetNumberOfTuples(level->GetNumberOfCells());
      for (vtkIdType c = 0; c < level->GetNumberOfCells(); ++c) {
        for (int k = 0; k < components; ++k) {
          array->SetComponent(c, k, valueOf(places->GetComponent(c, 0), k));
        }
      }
      level->GetCellData()->AddArray(array);
    };
    add("speed", 1, [](double place, int) { return 1.0 + 0.6 * std::sin(37.0 * place); });
    add("tensor", 6, [](double place, int k) {
      return k < 3 ? 1.5 + 0.4 * std::sin(11.0 * place + k) : 0.3 * std::sin(5.0 * place + k);
    });
    add("start", 1, [](double place, int) {
      return std::sin(91.0 * place) > 0.97 ? 0.1 * std::sin(13.0 * place) : std::numeric_limits<double>::infinity();
    });
    add("region", 1, [](double place, int) { return std::sin(71.0 * place) > 0.98 ? 1.0 : 0.0; });
  }
  return levels;
}

/// Where a random leaf is, not in its middle.
template <int Dim>
std::array<double, 3> placeInALeaf(std::mt19937& random, const Leaves<Dim>& leaves) {
  std::vector<std::array<double, 3>> places;
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    const GridPlacement placement = placementOfLevel(someRoot, static_cast<int>(k));
    for (const Cell<Dim>& cell : leaves[k]) {
      places.push_back(centreOf<Dim>(placement, cell));
      for (int axis = 0; axis < Dim; ++axis) {
        places.back()[static_cast<std::size_t>(axis)] += (0.31 - 0.13 * axis) * placement.spacing[axis];
      }
    }
  }
  return places[std::uniform_int_distribution<std::size_t>(0, places.size() - 1)(random)];
}

template <int Dim, class SetUp>
vtkSmartPointer<Arrival> arrivalOn(
  const Leaves<Dim>& leaves, Split split, vtkMultiProcessController* controller, const SetUp& setUp) {
  const auto filter = filterOn<Arrival>(withMedia(sharedLevels<Dim>(leaves, split, controller)), controller);
  filter->ComputeGradientOn();
  filter->ComputeNearestSourceOn();
  setUp(filter.Get());
  return filter;
}

PlacedValues valuesOfParts(vtkDataObject* data, const char* name) {
  PlacedValues values;
  for (vtkDataSet* part : partsOf(data)) {
    values.merge(placedValues(part, name));
  }
  return values;
}

/// What all ranks are told of a solution.
std::vector<double> countsOf(vtkDataObject* data) {
  std::vector<double> counts;
  for (const char* name : {"Eikonal Iterations", "Eikonal Updates", "Eikonal Sources", "Eikonal Unreached Cells"}) {
    vtkDataArray* const value = data->GetFieldData()->GetArray(name);
    EXPECT_NE(value, nullptr) << name;
    counts.push_back(value != nullptr ? value->GetComponent(0, 0) : -1.0);
  }
  return counts;
}

/// Expects the values of one rank, whichever rank has which leaf: to the last bit, or with a tolerance to which updates
/// come and go.
template <int Dim, class SetUp>
void expectTimesOfOneRank(const Leaves<Dim>& leaves, const SetUp& setUp, double tolerance = 0.0) {
  const auto& [times, expected, counts] = keptForLaterTurns([&] {
    const auto alone = arrivalOn<Dim>(leaves, Split::OneRank, nullptr, setUp);
    alone->Update();
    vtkDataObject* const one = alone->GetOutputDataObject(0);
    return std::tuple(valuesOfParts(one, "Arrival Time"), summaryOfParts(one), countsOf(one));
  });
  EXPECT_TRUE(std::any_of(times.begin(), times.end(), [](const auto& t) { return std::isfinite(t.second); }));
  for (const Split split : allSplits) {
    const auto shared = arrivalOn<Dim>(leaves, split, world(), setUp);
    Messages messages;
    vtkDataObject* const mine = updateTogether(shared.Get());
    EXPECT_TRUE(messages.all().empty()) << messages.all().front();
    std::int64_t differ = 0;
    for (const auto& [place, time] : valuesOfParts(mine, "Arrival Time")) {
      const auto found = times.find(place);
      const bool isSame =
        found != times.end() && (found->second == time || std::abs(found->second - time) <= tolerance * std::abs(time));
      differ += isSame ? 0 : 1;
    }
    EXPECT_EQ(differ, 0) << "split " << static_cast<int>(split);
    if (tolerance > 0.0) {
      continue;
    }
    EXPECT_TRUE(together(summaryOfParts(mine)) == expected); // gradients, and the numbers of nearest sources
    EXPECT_EQ(countsOf(mine), counts);
    expectSent(mine, summaryOfParts(mine).cells);
  }
}

template <int Dim>
Leaves<Dim> someLeaves(std::mt19937& random, double hole) {
  RandomLevels how = manyPlanes(Dim);
  how.extent = Dim == 2 ? 8 : 2;
  how.hole = hole;
  return randomLeaves<Dim>(random, how);
}

TYPED_TEST(LevelArrivals, TimesAreThoseOfOneRank) {
  constexpr int Dim = TypeParam::value;
  for (const double hole : {0.0, 0.2}) {
    const Leaves<Dim> leaves = someLeaves<Dim>(this->random, hole);
    const auto first = placeInALeaf<Dim>(this->random, leaves);
    const auto second = placeInALeaf<Dim>(this->random, leaves);
    for (const char* medium : {"speed", "tensor"}) {
      expectTimesOfOneRank<Dim>(leaves, [&](Arrival* arrival) {
        arrival->SetSourcePoint(0, first.data());
        arrival->SetSourcePoint(1, second.data());
        arrival->SetSpeedKind(Arrival::SPEED_ARRAY);
        arrival->SetInputArrayToProcess(1, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, medium);
      });
    }
    expectTimesOfOneRank<Dim>(leaves, [&](Arrival* arrival) {
      arrival->SetSourcePoint(0, first.data());
      arrival->SetSourcePoint(1, second.data());
      arrival->SetOrder(Arrival::SECOND);
    });
    expectTimesOfOneRank<Dim>(leaves, [&](Arrival* arrival) {
      arrival->SetSourcePoint(0, first.data());
      arrival->SetStopTime(2.0);
    });
    expectTimesOfOneRank<Dim>(leaves, [&](Arrival* arrival) {
      arrival->SetSourcePoint(0, first.data());
      arrival->SetStopRegion("region");
    });
    expectTimesOfOneRank<Dim>(leaves, [&](Arrival* arrival) { // a source far above all leaves, and one in a leaf
      arrival->SetSourcePoint(0, first[0], first[1], 1e3);
      arrival->SetSourcePoint(1, second.data());
      arrival->SetReach(1e4);
    });
  }
}

TYPED_TEST(LevelArrivals, SourcesThatAreLeavesHaveTheirNumbersOnOneRank) {
  constexpr int Dim = TypeParam::value;
  expectTimesOfOneRank<Dim>(someLeaves<Dim>(this->random, 0.1), [](Arrival* arrival) {
    arrival->SetSources(Arrival::SOURCE_ARRAY);
    arrival->SetSourceArrayMeaning(Arrival::TIMES);
    arrival->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "start");
    arrival->SetSpeedKind(Arrival::SPEED_ARRAY);
    arrival->SetInputArrayToProcess(1, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "speed");
  });
}

TYPED_TEST(LevelArrivals, AxesThatRepeatDoSoOnAllRanks) {
  constexpr int Dim = TypeParam::value;
  for (const double hole : {0.0, 0.2}) {
    const Leaves<Dim> leaves = someLeaves<Dim>(this->random, hole);
    const auto first = placeInALeaf<Dim>(this->random, leaves);
    const auto second = placeInALeaf<Dim>(this->random, leaves);
    // within ranks, between them, and both
    for (const unsigned axes : {1U, 1U << (Dim - 1), (1U << Dim) - 1U}) {
      const auto setUp = [&](Arrival* arrival) {
        arrival->SetSourcePoint(0, first.data());
        arrival->SetSourcePoint(1, second.data());
        arrival->SetSpeedKind(Arrival::SPEED_ARRAY);
        arrival->SetInputArrayToProcess(
          1, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, axes == 1U ? "speed" : "tensor");
        arrival->SetPeriodicX((axes & 1U) != 0);
        arrival->SetPeriodicY((axes & 2U) != 0);
        arrival->SetPeriodicZ((axes & 4U) != 0);
        if (hole > 0.0) { // the leaves need not begin and end where cells of level 0 do
          arrival->SetPeriodBox(Arrival::GIVEN_BOUNDS);
          double bounds[6] = {};
          for (int axis = 0; axis < Dim; ++axis) {
            bounds[2 * axis] = someRoot.position(axis, Dim == 2 ? -8 : -3);
            bounds[2 * axis + 1] = someRoot.position(axis, Dim == 2 ? 8 : 3);
          }
          arrival->SetPeriodBounds(bounds);
        }
      };
      SCOPED_TRACE("axes " + std::to_string(axes) + (hole > 0.0 ? " with holes" : ""));
      expectTimesOfOneRank<Dim>(leaves, setUp, 1e-12);
    }
  }
}

/// What a path is known by: its length, and the source that it ends at.
using KnownPaths = std::map<int, std::pair<double, int>>;

KnownPaths pathsOf(vtkPolyData* lines) {
  KnownPaths paths;
  for (vtkIdType line = 0; line < lines->GetNumberOfLines(); ++line) {
    const auto number = [&](const char* name) {
      return static_cast<int>(lines->GetCellData()->GetArray(name)->GetComponent(line, 0));
    };
    paths[number("Seed")] = {lengthOf(lines, line), number("Source")};
  }
  return paths;
}

/// Expects that ranks together have the paths of one rank that come to a source. Returns all of that.
template <int Dim, class SetUp>
KnownPaths expectPathsOfOneRank(
  const Leaves<Dim>& leaves, const std::vector<std::array<double, 3>>& seeds, const SetUp& setUp) {
  const auto pathsOn = [&](Arrival* arrival, vtkMultiProcessController* controller) {
    auto paths = vtkSmartPointer<vtkSpanwiseEikonalPaths>::New();
    paths->SetController(controller);
    paths->SetInputConnection(arrival->GetOutputPort());
    paths->SetMaximumSteps(1000);
    for (std::size_t k = 0; k < seeds.size(); ++k) {
      paths->SetSeedPoint(static_cast<int>(k), seeds[k][0], seeds[k][1], seeds[k][2]);
    }
    return paths;
  };
  const auto numWithout = [](vtkPolyData* lines) {
    return lines->GetFieldData()->GetArray("Seeds Without Path")->GetComponent(0, 0);
  };
  const auto& [expected, expectedWithout] = keptForLaterTurns([&] {
    const auto alone = pathsOn(arrivalOn<Dim>(leaves, Split::OneRank, nullptr, setUp), nullptr);
    alone->Update();
    return std::pair(pathsOf(alone->GetOutput()), numWithout(alone->GetOutput()));
  });
  for (const Split split : allSplits) {
    const auto shared = pathsOn(arrivalOn<Dim>(leaves, split, world(), setUp), world());
    auto* const mine = vtkPolyData::SafeDownCast(updateTogether(shared.Get()));
    EXPECT_EQ(everybody().sum(mine->GetNumberOfLines()), std::ssize(expected));
    EXPECT_EQ(numWithout(mine), expectedWithout);
    for (const auto& [seed, path] : pathsOf(mine)) {
      const auto& [length, source] = expected.at(seed);
      EXPECT_EQ(path.second, source) << "seed " << seed;
      if (source >= 0) {
        EXPECT_NEAR(path.first, length, 1e-6) << "seed " << seed;
      }
    }
  }
  return expected;
}

TYPED_TEST(LevelArrivals, PathsGoOnAcrossRanks) {
  constexpr int Dim = TypeParam::value;
  const Leaves<Dim> leaves = someLeaves<Dim>(this->random, 0.0);
  const auto source = placeInALeaf<Dim>(this->random, leaves);
  std::vector<std::array<double, 3>> seeds;
  for (int k = 0; k < 6; ++k) {
    seeds.push_back(placeInALeaf<Dim>(this->random, leaves));
  }
  seeds.push_back({1e3, 0.0, 0.0}); // outside
  const auto fromPoint = [&](Arrival* arrival) { arrival->SetSourcePoint(0, source.data()); };
  const KnownPaths straight = expectPathsOfOneRank<Dim>(leaves, seeds, fromPoint);
  EXPECT_GE(straight.size(), 4U); // a seed may be where the source is
  for (const auto& [seed, path] : straight) {
    const auto& at = seeds[static_cast<std::size_t>(seed)];
    EXPECT_NEAR(path.first, std::sqrt(vtkMath::Distance2BetweenPoints(at.data(), source.data())), 1e-6);
    EXPECT_EQ(path.second, 0);
  }
  expectPathsOfOneRank<Dim>(leaves, seeds, [&](Arrival* arrival) {
    fromPoint(arrival);
    arrival->SetSpeedKind(Arrival::SPEED_ARRAY);
    arrival->SetInputArrayToProcess(1, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "speed");
  });
}

TYPED_TEST(LevelArrivals, PathsGoOnAcrossSeams) {
  constexpr int Dim = TypeParam::value;
  const Leaves<Dim> leaves = someLeaves<Dim>(this->random, 0.0);
  const auto source = placeInALeaf<Dim>(this->random, leaves);
  std::vector<std::array<double, 3>> seeds;
  for (int k = 0; k < 6; ++k) {
    seeds.push_back(placeInALeaf<Dim>(this->random, leaves));
  }
  const KnownPaths paths = expectPathsOfOneRank<Dim>(leaves, seeds, [&](Arrival* arrival) {
    arrival->SetSourcePoint(0, source.data());
    arrival->PeriodicXOn();
    arrival->PeriodicYOn();
    arrival->PeriodicZOn();
  });
  for (const auto& [seed, path] : paths) {
    EXPECT_EQ(path.second, 0) << "seed " << seed;
  }
}

TYPED_TEST(LevelArrivals, WhatIsWrongOnOneRankIsOneError) {
  constexpr int Dim = TypeParam::value;
  const Leaves<Dim> leaves = someLeaves<Dim>(this->random, 0.0);
  const auto source = placeInALeaf<Dim>(this->random, leaves);
  const auto levels = sharedLevels<Dim>(leaves, Split::Planes, world());
  withMedia(levels);
  const auto arrival = filterOn<Arrival>(levels, world());
  arrival->SetSourcePoint(0, source.data());
  const auto expectError = [&](const char* text) {
    Messages messages;
    EXPECT_EQ(numCellsOf(updateTogether(arrival.Get())), 0);
    EXPECT_EQ(messages.all().size(), world()->GetLocalProcessId() == 0 ? 1U : 0U);
    if (!messages.all().empty()) {
      EXPECT_NE(messages.all()[0].find(text), std::string::npos) << messages.all()[0];
    }
  };
  arrival->SetSourcePoint(1, 1e3, 0.0, 0.0);
  expectError("is outside of the mesh");
  arrival->SetNumberOfSourcePoints(1);
  arrival->SetSpeedKind(Arrival::SPEED_ARRAY);
  arrival->SetInputArrayToProcess(1, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "nothing");
  expectError("has no array 'nothing'");
  arrival->SetInputArrayToProcess(1, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "speed");
  arrival->PeriodicXOn();
  arrival->SetPeriodBox(Arrival::GIVEN_BOUNDS);
  arrival->SetPeriodBounds(0.0, 1.0, 0.0, 0.0, 0.0, 0.0);
  expectError("period");
  arrival->PeriodicXOff();
  EXPECT_GT(everybody().sum(numCellsOf(updateTogether(arrival.Get()))), 0); // all is well again
}

// Nothing on any rank, and leaves that are too few for all ranks.
TYPED_TEST(LevelArrivals, FewLeavesAreEnough) {
  constexpr int Dim = TypeParam::value;
  Leaves<Dim> leaves(2);
  const auto nothing = filterOn<Arrival>(sharedLevels<Dim>(leaves, Split::OneRank, world()), world());
  nothing->SetSourcePoint(0, 0.0, 0.0, 0.0);
  Messages messages;
  EXPECT_EQ(numCellsOf(updateTogether(nothing.Get())), 0);
  EXPECT_TRUE(messages.all().empty());
  leaves[0].insert(Cell<Dim>{});
  Cell<Dim> beside{};
  beside.at[0] = 2;
  leaves[1].insert(beside);
  const auto centre = centreOf<Dim>(someRoot, Cell<Dim>{});
  expectTimesOfOneRank<Dim>(leaves, [&](Arrival* arrival) { arrival->SetSourcePoint(0, centre.data()); });
}

} // namespace
} // namespace spanwise::testing
