// Arrival times part by part on one device: those of the whole mesh.

#include "Core/Mesh/MeshParts.hpp"
#include "Core/Mesh/Partition.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/PartsIterative.hpp"
#include "Testing/Core/Solvers/Eikonal/Media.hpp"
#include "Testing/Core/Spaces.hpp"

#include <cmath>
#include <cstring>
#include <string>

namespace spanwise::eikonal::testing {
namespace {

using spanwise::testing::AllSpaces;
using spanwise::testing::gridMesh;
using spanwise::testing::seed;
using spanwise::testing::SpaceNames;

template <class Space>
class PartsIterative : public ::testing::Test {};
TYPED_TEST_SUITE(PartsIterative, AllSpaces, SpaceNames);

Parts randomParts(const HostMesh& mesh, int numParts, std::mt19937& random) {
  Parts parts;
  for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
    parts.push_back(static_cast<std::int32_t>(random() % static_cast<unsigned>(numParts)));
  }
  return parts;
}

Parts partsBy(const HostMesh& mesh, int numParts, PartitionBy by) {
  return partitionMesh(MeshOn<HostExecutionSpace, double, std::int64_t>(mesh).mixed(), numParts, by).partOfElement;
}

struct Solution {
  Times times;
  PartsReport report;
};

template <class Space, int corners>
Solution solveInParts(const Medium& medium, const Times& sources, const Parts& parts, int numParts,
  const IterationOptions& options = {}, const Progress& progress = {}, const Space& space = {}) {
  Ready<Space, corners> whole(medium);
  const MeshParts split = splitMesh(MeshOn<HostExecutionSpace, double, std::int64_t>(medium.mesh).mixed().elements,
    medium.mesh.numVertices(), parts, numParts);
  PartedMesh<corners, typename Space::memory_space> mesh;
  buildPartedMesh<Space, corners>(space, whole.mesh.mixed(), whole.speed(), split, mesh, whole.workspace);
  const auto times = copied<Space>(sources);
  const PartsReport report =
    iterateTimesInParts<Space, corners>(space, mesh, options, times, whole.workspace, progress);
  return {onHost(times), report};
}

template <class Space, int corners>
void expectTimesOfWhole(
  const Medium& medium, const Times& sources, const Parts& parts, int numParts, const IterationOptions& options = {}) {
  Ready<Space, corners> whole(medium);
  const auto expected = copied<Space>(sources);
  const IterationReport once =
    iterateTimes<Space, corners>(Space(), whole.simplices, options, expected, whole.workspace);
  const Times wanted = onHost(expected);
  const Solution solution = solveInParts<Space, corners>(medium, sources, parts, numParts, options);
  for (std::size_t v = 0; v < wanted.size(); ++v) {
    if (wanted[v] < notReached) {
      ASSERT_NEAR(solution.times[v], wanted[v], 1e-11) << "vertex " << v;
    } else {
      ASSERT_EQ(solution.times[v], wanted[v]) << "vertex " << v;
    }
  }
  EXPECT_TRUE(solution.report.all.converged);
  EXPECT_EQ(solution.report.all.numReached, once.numReached);
  EXPECT_LE(solution.report.numRounds, once.numIterations); // a round is at least one iteration
}

TYPED_TEST(PartsIterative, FindsTheTimesOfTheWholeMesh) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  Medium medium{gridMesh(ElementType::Tetrahedron, 8), {}};
  shake(medium.mesh, random, 0.03, 3);
  addTensors(medium, random);
  const Times sources = from(medium.mesh, {3, 200, 411});
  for (const int numParts : {1, 2, 5, 40}) {
    for (const Parts& parts : {partsBy(medium.mesh, numParts, PartitionBy::Metis),
           partsBy(medium.mesh, numParts, PartitionBy::Bisection), randomParts(medium.mesh, numParts, random)}) {
      for (const double window : {0.0, 1.0, 1e9}) {
        IterationOptions options;
        options.window = window;
        expectTimesOfWhole<TypeParam, 4>(medium, sources, parts, numParts, options);
      }
    }
  }
}

TYPED_TEST(PartsIterative, OnePartHasTheBitsOfTheWhole) {
  std::mt19937 random(seed());
  Medium medium{gridMesh(ElementType::Tetrahedron, 8), {}};
  addTensors(medium, random);
  const Times sources = from(medium.mesh, {3, 200});
  Ready<TypeParam, 4> whole(medium);
  const auto expected = copied<TypeParam>(sources);
  const auto once = iterateTimes<TypeParam, 4>(TypeParam(), whole.simplices, {}, expected, whole.workspace);
  const Solution solution = solveInParts<TypeParam, 4>(medium, sources, Parts(medium.mesh.types.size(), 0), 1);
  EXPECT_EQ(solution.times, onHost(expected));
  EXPECT_EQ(solution.report.all.numIterations, once.numIterations);
  EXPECT_EQ(solution.report.all.numUpdates, once.numUpdates);
  EXPECT_EQ(solution.report.all.numActivations, once.numActivations);
}

TYPED_TEST(PartsIterative, TakesTrianglesSplitElementsAndStopTimes) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const Medium prisms{gridMesh(ElementType::Prism, 6), {}};
  expectTimesOfWhole<TypeParam, 4>(prisms, from(prisms.mesh, {100}), partsBy(prisms.mesh, 6, PartitionBy::Metis), 6);
  Medium triangles{gridMesh(ElementType::Triangle, 25), {}};
  addTensors(triangles, random);
  IterationOptions options;
  options.stopTime = 0.4;
  for (const int numParts : {3, 16}) {
    const Parts parts = partsBy(triangles.mesh, numParts, PartitionBy::Metis);
    expectTimesOfWhole<TypeParam, 3>(triangles, from(triangles.mesh, {0, 300}), parts, numParts);
    expectTimesOfWhole<TypeParam, 3>(triangles, from(triangles.mesh, {0, 300}), parts, numParts, options);
    expectTimesOfWhole<TypeParam, 3>(triangles, from(triangles.mesh, {}), parts, numParts); // no source
  }
}

TYPED_TEST(PartsIterative, LeavesOutWhatIsInNoPart) {
  const Medium medium{gridMesh(ElementType::Tetrahedron, 4), {}};
  Parts parts; // the cells of the upper half are in none
  for (std::int64_t e = 0; e < medium.mesh.numElements(); ++e) {
    parts.push_back(e < medium.mesh.numElements() / 2 ? static_cast<std::int32_t>(e % 2) : -1);
  }
  const Solution solution = solveInParts<TypeParam, 4>(medium, from(medium.mesh, {0}), parts, 3);
  for (std::size_t v = 0; v < solution.times.size(); ++v) {
    EXPECT_EQ(solution.times[v] < notReached, medium.mesh.points[v][2] <= 0.5);
  }
}

TYPED_TEST(PartsIterative, StopsWhereItIsToldAndNamesWhatIsWrong) {
  const Medium medium{gridMesh(ElementType::Tetrahedron, 6), {}};
  const Parts parts = partsBy(medium.mesh, 4, PartitionBy::Bisection);
  Times sources = from(medium.mesh, {0});
  IterationOptions options;
  options.maxIterations = 2;
  const Solution few = solveInParts<TypeParam, 4>(medium, sources, parts, 4, options);
  EXPECT_FALSE(few.report.all.converged);
  EXPECT_EQ(few.report.numRounds, 2);
  int reports = 0;
  const Progress cancelling([&](double) { return ++reports < 3; });
  EXPECT_THROW((solveInParts<TypeParam, 4>(medium, sources, parts, 4, {}, cancelling)), Cancelled);
  options = {};
  options.numStopVertices = 1;
  EXPECT_THROW((solveInParts<TypeParam, 4>(medium, sources, parts, 4, options)), InvalidArgument);
  const auto message = [&](const Times& of) -> std::string {
    try {
      solveInParts<TypeParam, 4>(medium, of, parts, 4);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  sources[33] = std::nan("");
  EXPECT_NE(message(sources).find("the time of vertex 33 is not valid"), std::string::npos);
  sources.pop_back();
  EXPECT_NE(message(sources).find("each vertex has one time"), std::string::npos);
}

TEST(PartsIterativeOnTheHost, GivesTheSameBitsForAnyNumberOfThreads) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  Medium medium{gridMesh(ElementType::Tetrahedron, 12), {}};
  shake(medium.mesh, random, 0.02, 3);
  const Times sources = from(medium.mesh, {0, 1000});
  const Parts parts = partsBy(medium.mesh, 10, PartitionBy::Metis);
  const Solution all = solveInParts<HostExecutionSpace, 4>(medium, sources, parts, 10);
  for (const HostExecutionSpace& space : spanwise::testing::ofSeveralThreads<HostExecutionSpace>()) {
    const Solution some = solveInParts<HostExecutionSpace, 4>(medium, sources, parts, 10, {}, {}, space);
    EXPECT_EQ(std::memcmp(all.times.data(), some.times.data(), all.times.size() * sizeof(double)), 0);
    EXPECT_EQ(all.report.all.numUpdates, some.report.all.numUpdates);
  }
}

} // namespace
} // namespace spanwise::eikonal::testing
