// Arrival times on hierarchies of leaves whose axes repeat.

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/Paths.hpp"
#include "Testing/Core/Solvers/Eikonal/LeafErrors.hpp"
#include "Testing/Core/Solvers/Eikonal/SpeedGradient.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <map>
#include <random>

namespace spanwise::eikonal::testing {
namespace {

using spanwise::testing::RandomLevels;

template <class Space>
class PeriodicLevels : public ::testing::Test {};
TYPED_TEST_SUITE(PeriodicLevels, AllSpaces, SpaceNames);

/// Periods of the cells [begin, end) of level 0 along the axes whose bits are set.
template <int Dim>
Periods<Dim> periodsAlong(unsigned axes, Coordinate begin, Coordinate end) {
  Periods<Dim> periods;
  for (int axis = 0; axis < Dim; ++axis) {
    periods.along[axis] = (axes >> axis & 1U) != 0;
    periods.box.begin[axis] = begin;
    periods.box.end[axis] = end;
  }
  return periods;
}

/// Calls visit(shift) for all shifts by up to `reach` periods.
template <int Dim, class Visit>
void forShifts(const Periods<Dim>& periods, int reach, const Visit& visit) {
  int count = 1;
  for (int axis = 0; axis < Dim; ++axis) {
    count *= periods.along[axis] ? 2 * reach + 1 : 1;
  }
  for (int k = 0; k < count; ++k) {
    std::array<std::int64_t, Dim> shift{};
    int rest = k;
    for (int axis = 0; axis < Dim; ++axis) {
      if (periods.along[axis]) {
        shift[axis] = (rest % (2 * reach + 1) - reach) * periods.box.extent(axis);
        rest /= 2 * reach + 1;
      }
    }
    visit(shift);
  }
}

template <int Dim>
double distance(const double* a, const double* b, const std::array<std::int64_t, Dim>& shift, double spacing) {
  double sum = 0.0;
  for (int axis = 0; axis < Dim; ++axis) {
    const double d = a[axis] - b[axis] - spacing * static_cast<double>(shift[axis]);
    sum += d * d;
  }
  return std::sqrt(sum);
}

template <class Space, int Dim>
void build(LevelProblem<Space, Dim>& problem, const std::vector<SymmetricTensor>& tensors) {
  std::vector<double> components;
  for (const SymmetricTensor& m : tensors) {
    components.insert(components.end(), {m.xx, m.yy, m.zz, m.xy, m.yz, m.xz});
  }
  problem.buildWithTensors(components);
}

/// Random leaves and random tensors near 1, so that no front comes from beyond two periods: the times are those that
/// the middle one of five periods side by side has, with sources in all of them.
template <class Space, int Dim>
void expectTimesOfUnrolled(std::mt19937& random, double radius) {
  RandomLevels how;
  how.extent = Dim == 2 ? 3 : 2;
  how.levels = Dim == 2 ? 3 : 2;
  how.hole = 0.0;
  const auto axes = 1 + static_cast<unsigned>(random() % ((1U << Dim) - 1U));
  const Periods<Dim> periods =
    periodsAlong<Dim>(axes, static_cast<Coordinate>(-how.extent), static_cast<Coordinate>(how.extent));
  const Leaves<Dim> leaves = spanwise::testing::randomLeaves<Dim>(random, how);
  Leaves<Dim> unrolled(leaves.size());
  using Key = std::array<std::int64_t, Dim + 1>;
  std::map<Key, std::size_t> original; // the leaf in one period
  std::vector<std::size_t> originalOf;
  std::vector<bool> isMiddle;
  std::size_t number = 0;
  const auto keyOf = [](std::size_t level, const Cell<Dim>& cell) {
    Key key{static_cast<std::int64_t>(level)};
    std::copy_n(cell.at, Dim, key.begin() + 1);
    return key;
  };
  for (std::size_t l = 0; l < leaves.size(); ++l) {
    for (const Cell<Dim>& cell : leaves[l]) {
      original[keyOf(l, cell)] = number++;
      forShifts<Dim>(periods, 2, [&](const std::array<std::int64_t, Dim>& shift) {
        Cell<Dim> copy = cell;
        for (int axis = 0; axis < Dim; ++axis) {
          copy.at[axis] += static_cast<Coordinate>(shift[axis] * (1 << l));
        }
        unrolled[l].insert(copy);
      });
    }
  }
  for (std::size_t l = 0; l < leaves.size(); ++l) {
    for (Cell<Dim> cell : unrolled[l]) {
      bool middle = true;
      for (int axis = 0; axis < Dim; ++axis) {
        const auto length = static_cast<Coordinate>(periods.box.extent(axis) * (1 << l));
        const auto begin = static_cast<Coordinate>(periods.box.begin[axis] * (1 << l));
        while (periods.along[axis] && cell.at[axis] < begin) {
          cell.at[axis] += length;
          middle = false;
        }
        while (periods.along[axis] && cell.at[axis] >= begin + length) {
          cell.at[axis] -= length;
          middle = false;
        }
      }
      originalOf.push_back(original.at(keyOf(l, cell)));
      isMiddle.push_back(middle);
    }
  }
  const GridGeometry<Dim> root = latticeOf<Dim>(0.25); // whose points are exact
  LevelProblem<Space, Dim> problem(leaves, root, periods);
  LevelProblem<Space, Dim> reference(unrolled, root);
  std::uniform_real_distribution<double> change(-0.1, 0.1);
  std::vector<SymmetricTensor> tensors;
  for (std::size_t leaf = 0; leaf < number; ++leaf) {
    SymmetricTensor m = SymmetricTensor::isotropic(1.0);
    m.xx += change(random);
    m.yy += change(random);
    m.xy = change(random);
    if (Dim == 3) {
      m.zz += change(random);
      m.yz = change(random);
      m.xz = change(random);
    }
    tensors.push_back(m);
  }
  std::vector<SymmetricTensor> tensorsOfUnrolled;
  for (const std::size_t leaf : originalOf) {
    tensorsOfUnrolled.push_back(tensors[leaf]);
  }
  std::vector<PointSource<Dim>> sources;
  std::vector<PointSource<Dim>> sourcesOfUnrolled;
  for (int k = 0; k < 2; ++k) {
    PointSource<Dim> source{};
    const auto& centre = problem.centres[random() % number];
    for (int axis = 0; axis < Dim; ++axis) {
      source.at[axis] = centre[axis] + static_cast<double>(random() % 8) / 512.0; // in the leaf of the finest level
    }
    source.time = static_cast<double>(k) / 32.0;
    forShifts<Dim>(periods, 2, [&](const std::array<std::int64_t, Dim>& shift) {
      PointSource<Dim> copy = source;
      for (int axis = 0; axis < Dim; ++axis) {
        copy.at[axis] += 0.25 * static_cast<double>(shift[axis]);
      }
      sourcesOfUnrolled.push_back(copy);
    });
    for (int axis = 0; axis < Dim; ++axis) { // a source may be given in any period
      source.at[axis] += periods.along[axis] ? 0.25 * static_cast<double>(periods.box.extent(axis)) : 0.0;
    }
    sources.push_back(source);
  }
  build<Space, Dim>(problem, tensors);
  build<Space, Dim>(reference, tensorsOfUnrolled);
  const std::vector<double> times = problem.solve(sources, radius);
  const std::vector<double> expected = reference.solve(sourcesOfUnrolled, radius);
  for (std::size_t leaf = 0; leaf < expected.size(); ++leaf) {
    if (isMiddle[leaf]) {
      const double time = times[originalOf[leaf]];
      ASSERT_EQ(time < notReached, expected[leaf] < notReached);
      if (time < notReached) {
        ASSERT_NEAR(time, expected[leaf], 1e-12 * (1.0 + expected[leaf]));
      }
    }
  }
}

TYPED_TEST(PeriodicLevels, HaveTheTimesOfTheUnrolledHierarchy) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int round = 0; round < 6; ++round) {
    const double radius = round % 2 == 0 ? 0.0 : 9.0;
    expectTimesOfUnrolled<TypeParam, 2>(random, radius);
    expectTimesOfUnrolled<TypeParam, 3>(random, radius);
  }
}

/// Plane fronts around a ring meet on the other side.
template <class Space, int Dim>
void expectPlaneFronts() {
  std::array<double, Dim> corner{};
  LevelProblem<Space, Dim> problem(refinedAround<Dim>(4, 2, corner), latticeOf<Dim>(0.25), periodsAlong<Dim>(2U, 0, 4));
  problem.build(Speed::constant(2.0));
  const auto points = toVector(problem.mesh.mesh.points);
  std::vector<std::int64_t> start;
  for (std::size_t p = 0; p < points.size(); ++p) {
    if (points[p].at[1] == 4) { // y = 0.25
      start.push_back(static_cast<std::int64_t>(p));
    }
  }
  const std::vector<double> times = problem.solveFromVertices(start, 0.5);
  const std::vector<double> ofPoints = onHost(problem.times);
  for (std::size_t p = 0; p < points.size(); ++p) {
    const double way = std::abs(static_cast<double>(points[p].at[1]) / 16.0 - 0.25);
    ASSERT_NEAR(ofPoints[p], 0.5 + std::min(way, 1.0 - way) / 2.0, 1e-13);
  }
  for (std::size_t leaf = 0; leaf < times.size(); ++leaf) {
    const double way = std::abs(problem.centres[leaf][1] - 0.25);
    ASSERT_NEAR(times[leaf], 0.5 + std::min(way, 1.0 - way) / 2.0, 1e-13);
  }
}

TYPED_TEST(PeriodicLevels, PlaneFrontsGoBothWaysAroundARing) {
  expectPlaneFronts<TypeParam, 2>();
  expectPlaneFronts<TypeParam, 3>();
}

/// A source beside the seams of some axes, with level 0 of n cells along each and refined around it.
template <class Space, int Dim>
LevelProblem<Space, Dim> problemBesideTheSeam(int n, PointSource<Dim>& source, unsigned axes = 7U) {
  std::array<double, Dim> place{};
  for (int axis = 0; axis < Dim; ++axis) {
    source.at[axis] = place[axis] = 0.02 + 0.01 * axis;
  }
  return {
    refinedAround<Dim>(n, 2, place), latticeOf<Dim>(1.0 / n), periodsAlong<Dim>(axes, 0, static_cast<Coordinate>(n))};
}

/// No time is early where none is factored. Factored by the copies around, times in a constant medium are exact but
/// where fronts of two copies meet.
template <class Space, int Dim>
void expectNearestCopy(int n, double radius) {
  PointSource<Dim> source{};
  auto problem = problemBesideTheSeam<Space, Dim>(n, source);
  problem.build(Speed::constant(1.0));
  problem.solve({source}, radius);
  const std::vector<double> times = onHost(problem.times);
  const auto points = toVector(problem.mesh.mesh.points);
  std::size_t numExact = 0;
  for (std::size_t p = 0; p < points.size(); ++p) {
    double at[Dim];
    for (int axis = 0; axis < Dim; ++axis) {
      at[axis] = static_cast<double>(points[p].at[axis]) / (4.0 * n);
    }
    std::vector<double> ways;
    forShifts<Dim>(problem.periods, 1, [&](const std::array<std::int64_t, Dim>& shift) {
      ways.push_back(distance<Dim>(at, source.at, shift, 1.0 / n));
    });
    std::sort(ways.begin(), ways.end());
    if (radius == 0.0) {
      ASSERT_GE(times[p], ways[0] - 1e-12);
    } else if (ways[1] - ways[0] > 2.0 * std::sqrt(Dim) / n) { // one copy is the nearest all over the cells around
      ASSERT_NEAR(times[p], ways[0], 1e-12);
      ++numExact;
    }
  }
  EXPECT_EQ(numExact > 0, radius > 0.0);
}

TYPED_TEST(PeriodicLevels, ASourceBesideTheSeamIsAsNearAsItsNearestCopy) {
  for (const double radius : {0.0, 9.0}) {
    expectNearestCopy<TypeParam, 2>(20, radius);
    expectNearestCopy<TypeParam, 3>(15, radius);
  }
}

/// Simplices as the fronts of a source see them: points where they are nearest to it, of those that are one the first,
/// and without elements in which fronts meet that went around.
template <class Space, int Dim>
LeafSimplices simplicesAround(const LevelProblem<Space, Dim>& problem, const Point& source) {
  LeafSimplices simplices = simplicesOf(problem);
  std::map<std::array<long, 3>, std::int64_t> numbers;
  std::vector<std::int64_t> numberOf;
  for (Point& x : simplices.mesh.points) {
    std::array<long, 3> place{};
    for (int axis = 0; axis < Dim; ++axis) {
      x[axis] -= problem.periods.along[axis] ? std::round(x[axis] - source[axis]) : 0.0;
      place[axis] = std::lround(x[axis] * 1e6);
    }
    numberOf.push_back(numbers.emplace(place, std::ssize(numberOf)).first->second);
  }
  LeafSimplices around;
  around.mesh.points = simplices.mesh.points;
  for (std::int64_t e = 0; e < simplices.mesh.numElements(); ++e) {
    std::array<std::int64_t, Dim + 1> corners{};
    bool isWhole = true;
    for (int k = 0; k <= Dim; ++k) {
      corners[k] =
        numberOf[static_cast<std::size_t>(simplices.mesh.vertices[static_cast<std::size_t>((Dim + 1) * e + k)])];
      isWhole = isWhole && length(simplices.mesh.corner(e, k) - simplices.mesh.corner(e, 0)) < 0.5;
    }
    if (isWhole) {
      around.mesh.add(simplices.mesh.types[static_cast<std::size_t>(e)], corners);
      around.leaves.push_back(simplices.leaves[static_cast<std::size_t>(e)]);
    }
  }
  return around;
}

/// Mean errors at points from a source beside the seam. The speed rises along y, and all other axes repeat, so that the
/// front of the nearest copy is the first.
template <class Space, int Dim>
LeafErrors errorsBesideTheSeam(int n, double radius) {
  PointSource<Dim> source{};
  auto problem = problemBesideTheSeam<Space, Dim>(n, source, 7U ^ 2U);
  Point place;
  std::copy_n(source.at, Dim, place.at);
  const SpeedGradient medium{{{0.0, 1.5, 0.0}}, 0.7};
  std::vector<double> speeds;
  for (const auto& centre : problem.centres) {
    speeds.push_back(medium.speed({{0.0, centre[1], 0.0}}));
  }
  problem.buildWithSpeeds(speeds);
  problem.solve({source}, radius);
  const std::vector<double> times = onHost(problem.times);
  const LeafSimplices simplices = simplicesAround(problem, place);
  RayProblem rays = medium.raysFrom<Dim + 1>(place, simplices.mesh);
  if (radius == 0.0) {
    rays.lead = {};
  }
  const Times bounds = boundsOn<Dim>(simplices, rays, speeds, times, problem.starts);
  LeafErrors errors;
  std::int64_t count = 0;
  for (std::size_t v = 0; v < bounds.size(); ++v) {
    if (bounds[v] < notReached) {
      errors.mean += std::abs(times[v] - rays.time(simplices.mesh.points[v]));
      errors.meanBound += bounds[v];
      ++count;
    }
  }
  EXPECT_EQ(count + problem.seam.view().count, std::ssize(bounds)); // all but those that are one with others
  return {errors.mean / static_cast<double>(count), errors.meanBound / static_cast<double>(count)};
}

template <class Space, int Dim>
void expectFirstOrderBesideTheSeam(const std::vector<int>& steps) {
  for (const int n : steps) {
    const LeafErrors factored = errorsBesideTheSeam<Space, Dim>(n, 9.0);
    const LeafErrors plain = errorsBesideTheSeam<Space, Dim>(n, 0.0);
    std::cout << "beside the seam, " << Dim << "D, n = " << n << ": mean error " << factored.mean << ", its bound "
              << factored.meanBound << ", without factoring " << plain.mean << ", its bound " << plain.meanBound
              << '\n';
    EXPECT_LE(factored.mean, factored.meanBound) << n;
    EXPECT_LE(plain.mean, plain.meanBound) << n;
    EXPECT_GT(plain.mean, factored.meanBound) << n; // of h log h
  }
}

TYPED_TEST(PeriodicLevels, AreOfFirstOrderFromASourceBesideTheSeam) {
  expectFirstOrderBesideTheSeam<TypeParam, 2>({20, 40, 80});
  expectFirstOrderBesideTheSeam<TypeParam, 3>({10, 20});
}

/// Solves on the mesh of a hierarchy with two points, and goes back from others: the ways end at the copy of the source
/// that is nearest, as long as it is far, and labels name it.
template <class Space, int Dim>
void expectWaysAcross() {
  using Memory = typename Space::memory_space;
  constexpr int n = 8;
  const Periods<Dim> periods = periodsAlong<Dim>(7U, 0, n);
  std::array<double, Dim> place{};
  place.fill(0.9);
  LevelProblem<Space, Dim> problem(refinedAround<Dim>(n, 1, place), latticeOf<Dim>(1.0 / n), periods);
  problem.build(Speed::constant(1.0));
  const std::vector<Point> sources{{{0.93, 0.9, Dim == 3 ? 0.95 : 0.0}}, {{0.4, 0.55, Dim == 3 ? 0.5 : 0.0}}};
  const std::vector<Point> targets{{{0.15, 0.1, Dim == 3 ? 0.12 : 0.0}}, {{0.05, 0.8, Dim == 3 ? 0.9 : 0.0}},
    {{0.93, 0.22, Dim == 3 ? 0.9 : 0.0}}, {{0.55, 0.45, Dim == 3 ? 0.6 : 0.0}}, {{0.0, 0.0, 0.0}}};
  const auto flat = [](const std::vector<Point>& points) {
    std::vector<double> result;
    for (const Point& point : points) {
      result.insert(result.end(), {point[0], point[1], point[2]});
    }
    return onDevice<double, Space>(result);
  };
  const auto sourcesThere = flat(sources);
  const auto targetsThere = flat(targets);
  Sources given;
  given.points = {sourcesThere.data(), nullptr, static_cast<std::int64_t>(sources.size()), 0.0};
  ArrivalOptions options;
  options.trace = Trace::Sources;
  options.seam = problem.seam.view();
  ArrivalTimes<Space> solution;
  const Context<Space> context;
  solveArrivalTimes(context, problem.view(), Speed::constant(1.0), given, options, solution);
  const auto nearest = [&](const double* at, double& least) {
    int label = -1;
    double second = notReached;
    least = notReached;
    for (int s = 0; s < 2; ++s) {
      double mine = notReached;
      forShifts<Dim>(periods, 1, [&](const std::array<std::int64_t, Dim>& shift) {
        mine = std::min(mine, distance<Dim>(at, sources[static_cast<std::size_t>(s)].at, shift, 1.0 / n));
      });
      second = std::min(second, std::max(mine, least));
      label = mine < least ? s : label;
      least = std::min(least, mine);
    }
    return second - least > 1.0 / n ? label : -1; // half a cell from the border between them either will do
  };
  const auto points = toVector(problem.mesh.mesh.points);
  const std::vector<std::int32_t> labels = onHost(solution.labels);
  int numLabels[2] = {0, 0};
  for (std::size_t p = 0; p < points.size(); ++p) {
    double at[3] = {};
    for (int axis = 0; axis < Dim; ++axis) {
      at[axis] = static_cast<double>(points[p].at[axis]) / (2.0 * n);
    }
    double least = 0.0;
    const int expected = nearest(at, least);
    if (expected >= 0) {
      ASSERT_EQ(labels[p], expected) << "at " << at[0] << ' ' << at[1] << ' ' << at[2];
      ++numLabels[expected];
    }
  }
  EXPECT_GT(numLabels[0], 0);
  EXPECT_GT(numLabels[1], 0);
  Paths<Memory> paths;
  tracePaths(context, problem.view().vertices, solution, given,
    {targetsThere.data(), static_cast<std::int64_t>(targets.size()), 0.0}, {}, paths);
  const auto begins = onHost(paths.offsets.view());
  const auto line = onHost(paths.points.view());
  const auto ends = onHost(paths.ends.view());
  for (std::size_t t = 0; t < targets.size(); ++t) {
    double least = 0.0;
    ASSERT_EQ(ends[t], nearest(targets[t].at, least)) << "target " << t;
    double length = 0.0;
    for (auto i = static_cast<std::size_t>(begins[t]) + 1; i < static_cast<std::size_t>(begins[t + 1]); ++i) {
      const auto& from = line[i - 1].at;
      const auto& to = line[i].at;
      const double step = std::hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
      EXPECT_LE(step, std::sqrt(Dim) / n + 1e-14) << "target " << t; // through one simplex of a cell
      length += step;
    }
    EXPECT_NEAR(length, least, 1e-14) << "target " << t;
    const auto last = static_cast<std::size_t>(begins[t + 1]) - 1;
    for (std::size_t axis = 0; axis < Dim; ++axis) { // a copy of the source
      const double off = line[last].at[axis] - sources[static_cast<std::size_t>(ends[t])].at[axis];
      EXPECT_NEAR(off, std::round(off), 1e-12);
    }
  }
}

TYPED_TEST(PeriodicLevels, WaysGoOnAcrossTheSeamAndLabelsNameTheSource) {
  expectWaysAcross<TypeParam, 2>();
  expectWaysAcross<TypeParam, 3>();
}

TYPED_TEST(PeriodicLevels, NameWhatIsWrong) {
  const Leaves<2> leaves = refinedAround<2>(4, 1, {0.5, 0.5});
  LevelProblem<TypeParam, 2> outside(leaves, latticeOf<2>(0.25), periodsAlong<2>(1U, 0, 3));
  EXPECT_THROW(outside.build(Speed::constant(1.0)), InvalidArgument);
  LevelProblem<TypeParam, 2> empty(leaves, latticeOf<2>(0.25), periodsAlong<2>(1U, 3, 3));
  EXPECT_THROW(empty.build(Speed::constant(1.0)), InvalidArgument);
}

} // namespace
} // namespace spanwise::eikonal::testing
