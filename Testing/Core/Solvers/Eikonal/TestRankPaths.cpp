// Ways back across the cuts of a mesh: those of one rank.

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/Paths.hpp"
#include "Testing/Core/Solvers/Eikonal/RankArrivals.hpp"

#include <map>
#include <string>

namespace spanwise::eikonal::testing {
namespace {

template <class Space>
class RankPaths : public ::testing::Test {};
TYPED_TEST_SUITE(RankPaths, AllSpaces, SpaceNames);

struct Way {
  std::vector<Point> points;
  Times times;
  std::int64_t source = -1;
};

/// Paths with some points, by their targets.
template <class Space>
std::map<std::int64_t, Way> waysOf(const Paths<typename Space::memory_space>& paths) {
  const auto begins = onHost(paths.offsets.view());
  const auto points = onHost(paths.points.view());
  const auto sources = onHost(paths.ends.view());
  std::map<std::int64_t, Way> ways;
  for (std::int64_t k = 0; k < paths.ends.count(); ++k) {
    for (std::int64_t p = begins[k]; p < begins[k + 1]; ++p) {
      Way& way = ways[k];
      const auto& [at, time] = points[p];
      way.points.push_back({{at[0], at[1], at[2]}});
      way.times.push_back(time);
      way.source = sources[k];
    }
  }
  return ways;
}

template <class Space>
std::map<std::int64_t, Way> waysOnOneRank(const Problem& problem, const std::vector<Point>& targets) {
  const SpeedOn<Space> speed(problem.tensors);
  const MeshOn<Space, double, std::int64_t> mesh(problem.mesh);
  const SourcesOn<Space> sources(problem.sources);
  const auto targetsThere = copied<double, Space>(coordinatesOf(targets));
  const auto solution = solve<Space>(problem.mesh, speed.get(), problem.sources, problem.options);
  const Context<Space> context;
  Paths<typename Space::memory_space> paths;
  tracePaths<Space, double>(context, mesh.mixed().vertices, solution.all, sources.get(),
    {targetsThere.data(), static_cast<std::int64_t>(targets.size()), 0.0}, {}, paths);
  return waysOf<Space>(paths);
}

template <class Space>
std::map<std::int64_t, Way> waysOnRanks(const Problem& problem, const MeshPiece& piece, const SharedVertices& shared,
  const std::vector<Point>& targets, const PathOptions& options = {}) {
  const HostSources mine = sourcesOf(problem.sources, piece);
  const MeshOn<Space, double, std::int64_t> mesh(piece.mesh);
  const SourcesOn<Space> sources(mine);
  const auto targetsThere = copied<double, Space>(coordinatesOf(targets));
  const auto solution = solveOnRanks<Space>(piece, shared, problem.tensors, mine, problem.options);
  const Context<Space> context(Space(), world());
  Paths<typename Space::memory_space> paths;
  tracePaths<Space, double>(context, mesh.mixed().vertices, solution.all, sources.get(),
    {targetsThere.data(), static_cast<std::int64_t>(targets.size()), 0.0}, options, paths);
  return waysOf<Space>(paths);
}

/// Two layers, with a tensor each.
void addLayers(Problem& problem) {
  for (std::int64_t e = 0; e < problem.mesh.numElements(); ++e) {
    const bool isLow = problem.mesh.corner(e, 0)[1] < 0.4;
    problem.tensors.insert(problem.tensors.end(), {isLow ? 1.0 : 1.7, 1.2, isLow ? 0.8 : 1.1, 0.1, -0.05, 0.08});
  }
}

/// Expects that all ranks together have the ways of one, each once, but for round-off.
template <class Space>
void expectSameWays(const Problem& problem, const std::vector<Point>& targets, std::mt19937& random) {
  const auto wanted = waysOnOneRank<Space>(problem, targets);
  ASSERT_EQ(wanted.size(), targets.size());
  for (const auto& parts : cutsOf(problem.mesh, random)) {
    const MeshPiece piece = pieceOf(problem.mesh, parts, random);
    const auto found = waysOnRanks<Space>(problem, piece, sharedOf(piece, false), targets);
    EXPECT_EQ(world().reduced(ReduceBy::Sum, static_cast<std::int64_t>(found.size())),
      static_cast<std::int64_t>(targets.size()));
    for (const auto& [target, way] : found) {
      const Way& one = wanted.at(target);
      EXPECT_EQ(way.source, one.source);
      ASSERT_EQ(way.points.size(), one.points.size()) << "of target " << target;
      for (std::size_t p = 0; p < way.points.size(); ++p) {
        EXPECT_LE(length(way.points[p] - one.points[p]), 1e-9);
        if (one.times[p] < notReached) {
          EXPECT_NEAR(way.times[p], one.times[p], 1e-9);
        }
      }
    }
  }
}

TYPED_TEST(RankPaths, AreThoseOfOneRank) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  Problem problem{gridMesh(ElementType::Tetrahedron, 6), {}, {}, {}};
  shake(problem.mesh, random, 0.03, 3);
  addLayers(problem);
  problem.sources.points = {{{0.31, 0.42, 0.53}}, {{0.9, 0.2, 0.8}}};
  problem.options.trace = Trace::Sources;
  std::vector<Point> targets{problem.mesh.points[171], problem.mesh.points[3], {{1.5, 0.5, 0.5}}};
  std::uniform_real_distribution<double> unit(0.05, 0.95);
  for (int k = 0; k < 40; ++k) {
    targets.push_back({{unit(random), unit(random), unit(random)}});
  }
  for (const FactorBy by : {FactorBy::Nothing, FactorBy::Points}) {
    problem.options.factoring.by = by;
    expectSameWays<TypeParam>(problem, targets, random);
  }
}

TYPED_TEST(RankPaths, OnTrianglesAndFromSurfaces) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  Problem flat{gridMesh(ElementType::Quadrilateral, 12), {}, HostSources::at({{0.31, 0.42, 0.0}}), {}};
  shake(flat.mesh, random, 0.02, 2);
  addLayers(flat);
  flat.options.trace = Trace::Sources;
  std::uniform_real_distribution<double> unit(0.05, 0.95);
  std::vector<Point> targets;
  for (int k = 0; k < 20; ++k) {
    targets.push_back({{unit(random), unit(random), 0.0}});
  }
  expectSameWays<TypeParam>(flat, targets, random);
  Problem solid{gridMesh(ElementType::Tetrahedron, 6), {}, {}, {}};
  shake(solid.mesh, random, 0.03, 3);
  addLayers(solid);
  addSphere(solid.sources, {{0.5, 0.5, 0.5}}, 0.2, 5);
  solid.options.trace = Trace::Sources;
  for (Point& target : targets) {
    target[2] = unit(random);
  }
  expectSameWays<TypeParam>(solid, targets, random);
}

TYPED_TEST(RankPaths, GoStraightToThePointWhereTheMediumIsConstant) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  Problem problem{gridMesh(ElementType::Tetrahedron, 5), {}, HostSources::at({{0.52, 0.41, 0.33}}), {}};
  problem.options.trace = Trace::Sources;
  const Point source = problem.sources.points[0];
  const std::vector<Point> targets{{{0.0, 0.0, 0.0}}, {{1.0, 0.9, 0.8}}, {{0.1, 0.9, 0.2}}};
  const MeshPiece piece = pieceOf(problem.mesh, cutsOf(problem.mesh, random)[2], random); // cuts everywhere
  for (const auto& [target, way] : waysOnRanks<TypeParam>(problem, piece, sharedOf(piece, true), targets)) {
    const Point& start = targets[static_cast<std::size_t>(target)];
    ASSERT_GE(way.points.size(), 2U);
    EXPECT_LE(length(way.points.front() - start), 1e-12);
    EXPECT_LE(length(way.points.back() - source), 1e-12);
    double walked = 0.0;
    for (std::size_t p = 1; p < way.points.size(); ++p) {
      walked += length(way.points[p] - way.points[p - 1]);
    }
    EXPECT_NEAR(walked, length(start - source), 1e-9);
  }
}

TYPED_TEST(RankPaths, EndWhereTheyMay) {
  std::mt19937 random(seed());
  Problem problem{gridMesh(ElementType::Tetrahedron, 4), {}, HostSources::at({{0.52, 0.41, 0.33}}), {}};
  problem.options.trace = Trace::Sources;
  const MeshPiece piece = pieceOf(problem.mesh, cutsOf(problem.mesh, random)[2], random);
  const SharedVertices shared = sharedOf(piece, true);
  for (const auto& [target, way] :
    waysOnRanks<TypeParam>(problem, piece, shared, {{{0.0, 0.0, 0.0}}, {{1.0, 1.0, 1.0}}}, {3})) {
    EXPECT_EQ(way.points.size(), 4U);
    EXPECT_EQ(way.source, -1);
  }
  const bool last = world().rank() + 1 == world().size(); // one wants something else
  EXPECT_THROW((waysOnRanks<TypeParam>(problem, piece, shared, {{{0.0, 0.0, 0.0}}}, {last ? -1 : 5})), InvalidArgument);
  problem.options.trace = Trace::Nothing;
  EXPECT_THROW((waysOnRanks<TypeParam>(problem, piece, shared, {{{0.0, 0.0, 0.0}}})), InvalidArgument);
}

} // namespace
} // namespace spanwise::eikonal::testing
