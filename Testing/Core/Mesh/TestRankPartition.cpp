// Meshes in pieces that are dealt out: against one process that has all of them.

#include "Core/Mesh/RankPartition.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Mesh/Meshes.hpp"
#include "Testing/Core/MessageOf.hpp"
#include "Testing/Core/Parallel/World.hpp"
#include "Testing/Rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace spanwise::testing {
namespace {

using OnHost = MeshOn<HostExecutionSpace, double, std::int64_t>;

/// A piece with vertices of its own.
struct Piece {
  HostMesh mesh;
  std::vector<std::int64_t> numbers; ///< of its vertices, in the whole
};

/// Elements [begin, end) of a mesh.
Piece pieceOf(const HostMesh& whole, std::int64_t begin, std::int64_t end) {
  Piece piece;
  std::map<std::int64_t, std::int64_t> places;
  for (std::int64_t e = begin; e < end; ++e) {
    std::vector<std::int64_t> corners;
    for (std::int64_t c = whole.offsets[e]; c < whole.offsets[e + 1]; ++c) {
      const auto [at, isNew] = places.try_emplace(whole.vertices[c], piece.mesh.numVertices());
      if (isNew) {
        piece.mesh.points.push_back(whole.points[whole.vertices[c]]);
        piece.numbers.push_back(whole.vertices[c]);
      }
      corners.push_back(at->second);
    }
    piece.mesh.add(whole.types[e], corners);
  }
  return piece;
}

/// Both meshes, side by side.
HostMesh joined(HostMesh mesh, const HostMesh& other) {
  const std::int64_t before = mesh.numVertices();
  mesh.points.insert(mesh.points.end(), other.points.begin(), other.points.end());
  for (std::int64_t e = 0; e < other.numElements(); ++e) {
    std::vector<std::int64_t> corners(
      other.vertices.begin() + other.offsets[e], other.vertices.begin() + other.offsets[e + 1]);
    for (std::int64_t& corner : corners) {
      corner += before;
    }
    mesh.add(other.types[e], corners);
  }
  return mesh;
}

TEST(RankPartition, IsThatOfOneProcess) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed()); // the same on all ranks
  const HostMesh mixed = joined(gridMesh(ElementType::Hexahedron, 6), gridMesh(ElementType::Triangle, 8));
  for (const HostMesh& whole : {gridMesh(ElementType::Tetrahedron, 6), mixed, HostMesh()}) {
    for (const PartitionBy by : {PartitionBy::Metis, PartitionBy::Bisection}) {
      std::vector<std::int64_t> cuts{0, whole.numElements()}; // some ranks may have nothing
      for (int r = 1; r < world().size(); ++r) {
        cuts.push_back(static_cast<std::int64_t>(random()) % (whole.numElements() + 1));
      }
      std::sort(cuts.begin(), cuts.end());
      const std::int64_t begin = cuts[static_cast<std::size_t>(world().rank())];
      const std::int64_t end = cuts[static_cast<std::size_t>(world().rank()) + 1];
      const Piece piece = pieceOf(whole, begin, end);
      const OnHost mine(piece.mesh);
      const OnHost all(whole);
      for (const int numParts : {1, 3, world().size()}) {
        const RankPartition found = partitionMesh(world(), mine.mixed(), piece.numbers, numParts, by);
        const MeshPartition expected = partitionMesh(all.mixed(), numParts, by);
        EXPECT_EQ(found.mine.partOfElement,
          std::vector(expected.partOfElement.begin() + begin, expected.partOfElement.begin() + end));
        EXPECT_EQ(found.mine.by, expected.by);
        EXPECT_EQ(found.mine.numParts, numParts);
        const PartitionReport report = reportPartition(all.mixed().elements, whole.numVertices(), expected);
        EXPECT_EQ(found.report.maxElements, report.maxElements);
        EXPECT_EQ(found.report.imbalance, report.imbalance);
        EXPECT_EQ(found.report.numCutFaces, report.numCutFaces);
        EXPECT_EQ(found.report.numSharedVertices, report.numSharedVertices);
        EXPECT_EQ(found.report.numCopies, report.numCopies);
      }
    }
  }
}

TEST(RankPartition, FailsOnAllRanks) {
  const bool isLast = world().rank() == world().size() - 1;
  Piece piece = pieceOf(gridMesh(ElementType::Tetrahedron, 2), 0, 24);
  const OnHost mine(piece.mesh);
  const auto message = [&] { return messageOf([&] { partitionMesh(world(), mine.mixed(), piece.numbers, 2); }); };
  EXPECT_NE(
    messageOf([&] { partitionMesh(world(), mine.mixed(), piece.numbers, 0); }).find("in 0 parts"), std::string::npos);
  if (world().alone()) {
    return; // needs no numbers
  }
  const std::int64_t number = piece.numbers[3];
  piece.numbers[3] = isLast ? -4 : number;
  EXPECT_NE(message().find("vertex 3 has the number -4"), std::string::npos);
  piece.numbers[3] = number;
  piece.numbers.resize(piece.numbers.size() - (isLast ? 1 : 0));
  EXPECT_NE(message().find("there must be one for each"), std::string::npos);
}

} // namespace
} // namespace spanwise::testing
