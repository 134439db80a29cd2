// What leaves know of fronts, handed to the mesh that they make.

#include "Testing/Core/MessageOf.hpp"
#include "Testing/Core/Seed.hpp"
#include "Testing/Core/Solvers/Eikonal/LevelProblems.hpp"

#include <random>
#include <set>

namespace spanwise::eikonal::testing {
namespace {

using spanwise::testing::seed;

template <class Space>
class LeafMeshes : public ::testing::Test {};
TYPED_TEST_SUITE(LeafMeshes, AllSpaces, SpaceNames);

/// Random speeds and sources of leaves, against each element's own leaf.
template <class Space, int Dim>
void expectWhatLeavesHave(std::mt19937& random) {
  std::array<double, Dim> corner{};
  LevelProblem<Space, Dim> problem(refinedAround<Dim>(4, 2, corner), latticeOf<Dim>(0.25));
  problem.build(Speed::constant(1.0));
  const auto numLeaves = static_cast<std::int64_t>(problem.centres.size());
  std::uniform_real_distribution<double> value(1.0, 2.0);
  std::vector<double> matrices(static_cast<std::size_t>(9 * numLeaves));
  for (double& component : matrices) {
    component = value(random);
  }
  std::vector<std::int64_t> leaves;
  std::vector<double> times;
  std::vector<std::int64_t> stop;
  for (std::int64_t leaf = 0; leaf < numLeaves; ++leaf) {
    if (value(random) < 1.3) {
      leaves.push_back(leaf);
      times.push_back(value(random));
    }
    if (value(random) < 1.1) {
      stop.push_back(leaf);
    }
  }
  const auto matricesThere = onDevice<double, Space>(matrices);
  const auto leavesThere = onDevice<std::int64_t, Space>(leaves);
  const auto timesThere = onDevice<double, Space>(times);
  const auto stopThere = onDevice<std::int64_t, Space>(stop);
  ElementFronts<typename Space::memory_space> fronts;
  frontsInMesh<Space>(problem.context, problem.mesh,
    {Speed::matrixOfElements(matricesThere.data()), {leavesThere.data(), timesThere.data(), std::ssize(leaves)},
      stopThere.data(), std::ssize(stop)},
    fronts);

  const auto leafOf = toVector(problem.mesh.mesh.sources);
  const auto speeds = toVector(fronts.speeds);
  ASSERT_EQ(speeds.size(), 9 * leafOf.size());
  std::vector<std::int64_t> sources;
  std::vector<std::int64_t> origins;
  std::vector<double> startTimes;
  std::set<std::int64_t> stopVertices;
  const auto offsets = toVector(problem.mesh.mesh.offsets);
  const auto connectivity = toVector(problem.mesh.mesh.connectivity);
  for (std::size_t e = 0; e < leafOf.size(); ++e) {
    for (std::size_t k = 0; k < 9; ++k) {
      ASSERT_EQ(speeds[9 * e + k], matrices[9 * static_cast<std::size_t>(leafOf[e]) + k]);
    }
    const auto source = std::find(leaves.begin(), leaves.end(), leafOf[e]);
    if (source != leaves.end()) {
      sources.push_back(static_cast<std::int64_t>(e));
      origins.push_back(source - leaves.begin());
      startTimes.push_back(times[static_cast<std::size_t>(origins.back())]);
    }
    if (std::find(stop.begin(), stop.end(), leafOf[e]) != stop.end()) {
      stopVertices.insert(connectivity.begin() + offsets[e], connectivity.begin() + offsets[e + 1]);
    }
  }
  EXPECT_GT(sources.size(), leaves.size()); // some are split
  EXPECT_EQ(toVector(fronts.sources), sources);
  EXPECT_EQ(toVector(fronts.origins), origins);
  EXPECT_EQ(toVector(fronts.times), startTimes);
  EXPECT_EQ(toVector(fronts.stop), std::vector<std::int64_t>(stopVertices.begin(), stopVertices.end()));
}

TYPED_TEST(LeafMeshes, ElementsHaveWhatTheirLeafHas) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  expectWhatLeavesHave<TypeParam, 2>(random);
  expectWhatLeavesHave<TypeParam, 3>(random);
}

TYPED_TEST(LeafMeshes, HaveNoSpeedsOfVertices) {
  LevelProblem<TypeParam, 2> problem(refinedAround<2>(4, 1, {0.5, 0.5}), latticeOf<2>(0.25));
  problem.build(Speed::constant(1.0));
  ElementFronts<typename TypeParam::memory_space> fronts;
  EXPECT_NE(spanwise::testing::messageOf([&] {
    frontsInMesh<TypeParam>(problem.context, problem.mesh, {Speed::ofVertices(nullptr), {}, nullptr, 0}, fronts);
  }).find("speed is one of vertices"),
    std::string::npos);
}

} // namespace
} // namespace spanwise::eikonal::testing
