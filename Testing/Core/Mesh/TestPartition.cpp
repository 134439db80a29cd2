#include "Core/Mesh/MeshParts.hpp"
#include "Core/Mesh/Partition.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Mesh/Meshes.hpp"
#include "Testing/Core/MessageOf.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <string>

namespace spanwise::testing {
namespace {

using OnHost = MeshOn<HostExecutionSpace, double, std::int64_t>;

constexpr PartitionBy allWays[] = {PartitionBy::Metis, PartitionBy::Bisection};

std::vector<std::int64_t> sizesOf(const MeshPartition& partition) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(partition.numParts), 0);
  for (const std::int32_t part : partition.partOfElement) {
    ++sizes.at(static_cast<std::size_t>(part)); // throws where it is no part
  }
  return sizes;
}

TEST(Partition, DealsElementsOutEvenly) {
  for (const ElementType type : {ElementType::Tetrahedron, ElementType::Triangle, ElementType::Prism}) {
    const HostMesh mesh = gridMesh(type, type == ElementType::Triangle ? 40 : 10);
    const OnHost host(mesh);
    for (const PartitionBy by : allWays) {
      for (const int numParts : {1, 2, 3, 4, 7, 16}) {
        const MeshPartition partition = partitionMesh(host.mixed(), numParts, by);
        ASSERT_EQ(static_cast<std::int64_t>(partition.partOfElement.size()), mesh.numElements());
        const auto sizes = sizesOf(partition);
        const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
        const PartitionReport report = reportPartition(host.mixed().elements, mesh.numVertices(), partition);
        EXPECT_EQ(report.maxElements, *most);
        EXPECT_DOUBLE_EQ(report.imbalance, static_cast<double>(*most * numParts) / double(mesh.numElements()));
        if (partition.by == PartitionBy::Bisection) {
          EXPECT_LE(*most - *least, 1) << elementTypeName(type) << " in " << numParts;
        } else {
          EXPECT_GT(*least, 0);
          EXPECT_LE(report.imbalance, 1.03) // METIS's own tolerance (METIS_OPTION_UFACTOR of its manual)
            << elementTypeName(type) << " in " << numParts;
        }
        EXPECT_EQ(partition.by == PartitionBy::Metis, by == PartitionBy::Metis && hasMetis() && numParts > 1);
        EXPECT_EQ(partitionMesh(host.mixed(), numParts, by).partOfElement, partition.partOfElement);
      }
    }
  }
}

TEST(Partition, CutsACubeAcross) {
  // The middle plane has (n + 1)^2 vertices, and no plane through the centre of a cube cuts it in more than sqrt(2)
  // times the area of a side (K. Ball, Proc. Amer. Math. Soc. 97 (1986) 465-473).
  const int n = 12;
  const HostMesh mesh = gridMesh(ElementType::Tetrahedron, n);
  const OnHost host(mesh);
  const auto cutOf = [&](const MeshPartition& partition) {
    return reportPartition(host.mixed().elements, mesh.numVertices(), partition).numSharedVertices;
  };
  EXPECT_EQ(cutOf(partitionMesh(host.mixed(), 2, PartitionBy::Bisection)), (n + 1) * (n + 1));
  EXPECT_LE(cutOf(partitionMesh(host.mixed(), 2, PartitionBy::Metis)), std::numbers::sqrt2 * (n + 1) * (n + 1));
}

TEST(Partition, ReportsWhatIsShared) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int round = 0; round < 20; ++round) {
    const HostMesh mesh = tangledMesh(random, 30, 60);
    const OnHost host(mesh);
    MeshPartition partition;
    partition.numParts = 5;
    for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
      partition.partOfElement.push_back(static_cast<std::int32_t>(random() % 5));
    }
    std::vector<std::set<int>> partsOf(mesh.points.size());
    for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
      for (std::int64_t c = mesh.offsets[e]; c < mesh.offsets[e + 1]; ++c) {
        partsOf[mesh.vertices[c]].insert(partition.partOfElement[e]);
      }
    }
    std::int64_t shared = 0;
    std::int64_t copies = 0;
    for (const auto& parts : partsOf) {
      shared += parts.size() > 1 ? 1 : 0;
      copies += parts.size() > 1 ? static_cast<std::int64_t>(parts.size()) - 1 : 0;
    }
    const PartitionReport report = reportPartition(host.mixed().elements, mesh.numVertices(), partition);
    EXPECT_EQ(report.numSharedVertices, shared);
    EXPECT_EQ(report.numCopies, copies);
  }
}

/// Pairs of elements of different parts that have as many vertices in common as a face or side has.
std::int64_t cutFacesByBruteForce(const HostMesh& mesh, const MeshPartition& partition, int verticesOfFace) {
  std::int64_t count = 0;
  for (std::int64_t a = 0; a < mesh.numElements(); ++a) {
    for (std::int64_t b = 0; b < a; ++b) {
      if (partition.partOfElement[a] == partition.partOfElement[b]) {
        continue;
      }
      const auto beginOfA = mesh.vertices.begin() + mesh.offsets[a];
      const auto endOfA = mesh.vertices.begin() + mesh.offsets[a + 1];
      const auto both =
        std::count_if(mesh.vertices.begin() + mesh.offsets[b], mesh.vertices.begin() + mesh.offsets[b + 1],
          [&](std::int64_t v) { return std::find(beginOfA, endOfA, v) != endOfA; });
      count += both == verticesOfFace ? 1 : 0;
    }
  }
  return count;
}

TEST(Partition, CountsFacesBetweenParts) {
  for (const ElementType type :
    {ElementType::Tetrahedron, ElementType::Hexahedron, ElementType::Triangle, ElementType::Quadrilateral}) {
    const HostMesh mesh = gridMesh(type, dimensionOf(type) == 3 ? 4 : 9);
    const int verticesOfFace = type == ElementType::Hexahedron ? 4 : dimensionOf(type);
    for (const PartitionBy by : allWays) {
      const OnHost host(mesh);
      const MeshPartition partition = partitionMesh(host.mixed(), 3, by);
      const PartitionReport report = reportPartition(host.mixed().elements, mesh.numVertices(), partition);
      EXPECT_EQ(report.numCutFaces, cutFacesByBruteForce(mesh, partition, verticesOfFace)) << elementTypeName(type);
      EXPECT_GT(report.numCutFaces, 0);
    }
  }
  // halves of a cube of n^3 hexahedra have n^2 faces in common, a chain of edges is cut at one vertex
  const HostMesh cube = gridMesh(ElementType::Hexahedron, 6);
  const OnHost host(cube);
  const MeshPartition halves = partitionMesh(host.mixed(), 2, PartitionBy::Bisection);
  EXPECT_EQ(reportPartition(host.mixed().elements, cube.numVertices(), halves).numCutFaces, 36);
  HostMesh chain;
  for (int k = 0; k <= 8; ++k) {
    chain.points.push_back({{0.1 * k, 0.0, 0.0}});
    if (k > 0) {
      chain.add(ElementType::Edge, std::array{std::int64_t{k} - 1, std::int64_t{k}});
    }
  }
  const OnHost line(chain);
  const MeshPartition cut = partitionMesh(line.mixed(), 2, PartitionBy::Bisection);
  EXPECT_EQ(reportPartition(line.mixed().elements, chain.numVertices(), cut).numCutFaces, 1);
}

TEST(Partition, TakesSmallAndStrangeMeshes) {
  const HostMesh none;
  EXPECT_TRUE(partitionMesh(OnHost(none).mixed(), 4).partOfElement.empty());
  HostMesh one = gridMesh(ElementType::Hexahedron, 1);
  EXPECT_EQ(partitionMesh(OnHost(one).mixed(), 3).partOfElement.size(), 1U);
  one.points[3] = {{std::nan(""), 0.0, 0.0}};
  EXPECT_EQ(partitionMesh(OnHost(one).mixed(), 3, PartitionBy::Bisection).partOfElement.size(), 1U);
  std::mt19937 random(seed());
  const HostMesh tangled = tangledMesh(random, 200, 500);
  for (const PartitionBy by : allWays) {
    EXPECT_EQ(sizesOf(partitionMesh(OnHost(tangled).mixed(), 6, by)).size(), 6U);
  }
}

TEST(Partition, NamesWhatIsWrong) {
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 2);
  EXPECT_NE(messageOf([&] { partitionMesh(OnHost(mesh).mixed(), 0); }).find("in 0 parts"), std::string::npos);
  const std::vector<std::int32_t> parts(mesh.types.size(), 1);
  const auto split = [&](std::span<const std::int32_t> of, int numParts) {
    return messageOf([&] { splitMesh(OnHost(mesh).mixed().elements, mesh.numVertices(), of, numParts); });
  };
  EXPECT_EQ(split(parts, 1), "element 0 is to go to part 1: parts are numbered from 0 to 0, and -1 is none");
  EXPECT_NE(split(std::span(parts).first(3), 2).find("3 parts for 48 elements"), std::string::npos);
  EXPECT_NE(reportPartition(OnHost(mesh).mixed().elements, mesh.numVertices(), {parts, 2}).imbalance, 1.0);
  mesh.vertices[5] = 27;
  EXPECT_NE(
    messageOf([&] { partitionMesh(OnHost(mesh).mixed(), 2); }).find("element 1 names vertex 27"), std::string::npos);
  EXPECT_NE(split(parts, 2).find("element 1 names vertex 27"), std::string::npos);
}

TEST(MeshParts, HoldEveryElementOnce) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int round = 0; round < 20; ++round) {
    const HostMesh mesh = tangledMesh(random, 40, 80);
    const int numParts = 1 + round % 6;
    std::vector<std::int32_t> partOf;
    for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
      partOf.push_back(static_cast<std::int32_t>(random() % (numParts + 1)) - 1); // some in none
    }
    std::vector<std::int64_t> order(mesh.points.size());
    std::iota(order.begin(), order.end(), -7);
    std::shuffle(order.begin(), order.end(), random);
    const bool ordered = round % 2 == 1;
    const MeshParts parts = splitMesh(OnHost(mesh).mixed().elements, mesh.numVertices(), partOf, numParts,
      ordered ? std::span<const std::int64_t>(order) : std::span<const std::int64_t>());
    ASSERT_EQ(parts.numParts(), numParts);
    EXPECT_EQ(parts.numElements(), std::count_if(partOf.begin(), partOf.end(), [](auto part) { return part >= 0; }));
    for (int p = 0; p < numParts; ++p) {
      std::set<std::int64_t> needed;
      for (std::int64_t i = parts.firstElement[p]; i < parts.firstElement[p + 1]; ++i) {
        const std::int64_t e = parts.elements[i];
        ASSERT_EQ(partOf[e], p);
        ASSERT_TRUE(i == parts.firstElement[p] || parts.elements[i - 1] < e);
        ASSERT_EQ(parts.types[i], mesh.types[e]);
        ASSERT_EQ(parts.offsets[i + 1] - parts.offsets[i], numVerticesOf(mesh.types[e]));
        for (int k = 0; k < numVerticesOf(mesh.types[e]); ++k) {
          const std::int64_t place = parts.view().vertex(i, k);
          ASSERT_GE(place, parts.firstVertex[p]);
          ASSERT_LT(place, parts.firstVertex[p + 1]);
          ASSERT_EQ(parts.vertices[place], mesh.vertices[mesh.offsets[e] + k]);
          needed.insert(parts.vertices[place]);
        }
      }
      // the vertices of its elements, each once, in order
      EXPECT_EQ(parts.firstVertex[p + 1] - parts.firstVertex[p], static_cast<std::int64_t>(needed.size()));
      for (std::int64_t i = parts.firstVertex[p] + 1; i < parts.firstVertex[p + 1]; ++i) {
        const std::int64_t a = parts.vertices[i - 1];
        const std::int64_t b = parts.vertices[i];
        EXPECT_TRUE(ordered ? order[a] < order[b] : a < b);
      }
    }
  }
}

} // namespace
} // namespace spanwise::testing
