#pragma once

// Pieces of meshes on ranks, as readers bring them, for tests.

#include "Core/Mesh/Partition.hpp"
#include "Core/Mesh/RankPart.hpp"
#include "Testing/Core/Mesh/Meshes.hpp"
#include "Testing/Core/Parallel/World.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <span>
#include <vector>

namespace spanwise::testing {

/// Ways to cut a mesh, good and bad: the rank of each element.
inline std::vector<std::vector<std::int32_t>> cutsOf(const HostMesh& mesh, std::mt19937& random) {
  const MeshOn<HostExecutionSpace, double, std::int64_t> host(mesh);
  std::vector<std::vector<std::int32_t>> cuts;
  cuts.push_back(partitionMesh(host.mixed(), world().size(), PartitionBy::Metis).partOfElement);
  cuts.push_back(partitionMesh(host.mixed(), world().size(), PartitionBy::Bisection).partOfElement);
  std::vector<std::int32_t> anywhere;
  for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
    anywhere.push_back(static_cast<std::int32_t>(random() % static_cast<unsigned>(world().size())));
  }
  cuts.push_back(anywhere);
  cuts.emplace_back(mesh.types.size(), world().size() - 1); // the others have nothing
  return cuts;
}

/// What a rank has of a mesh: its own elements and a layer of ghosts around them, which are no elements, with their
/// vertices; both in an order of the rank's own.
struct MeshPiece {
  HostMesh mesh;
  std::vector<std::int64_t> vertices; ///< of the whole
  std::vector<std::int64_t> elements; ///< of the whole
  std::vector<bool> isGhost;          ///< of the elements

  /// What this rank has of the whole's values of vertices or elements.
  template <class T>
  [[nodiscard]] std::vector<T> ofWhole(
    const std::vector<T>& values, const std::vector<std::int64_t>& of, std::size_t each = 1) const {
    std::vector<T> mine;
    for (std::size_t k = 0; k < of.size() && !values.empty(); ++k) {
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(of[k]) * each);
      mine.insert(mine.end(), first, first + static_cast<std::ptrdiff_t>(each));
    }
    return mine;
  }

  /// Where the vertex (or element) of the whole is here; -1: it is not.
  static std::int64_t placeOf(const std::vector<std::int64_t>& of, std::int64_t number) {
    const auto at = std::find(of.begin(), of.end(), number);
    return at == of.end() ? -1 : at - of.begin();
  }
};

inline MeshPiece pieceOf(const HostMesh& whole, const std::vector<std::int32_t>& parts, std::mt19937 random) {
  for (int r = 0; r < world().rank(); ++r) {
    random(); // every rank its own order
  }
  std::vector<bool> isOwn(whole.points.size(), false);
  const auto forCorners = [&](std::size_t e, const auto& visit) {
    for (std::int64_t c = whole.offsets[e]; c < whole.offsets[e + 1]; ++c) {
      visit(static_cast<std::size_t>(whole.vertices[static_cast<std::size_t>(c)]));
    }
  };
  for (std::size_t e = 0; e < parts.size(); ++e) {
    if (parts[e] == world().rank()) {
      forCorners(e, [&](std::size_t v) { isOwn[v] = true; });
    }
  }
  MeshPiece piece;
  std::set<std::int64_t> used;
  for (std::size_t e = 0; e < parts.size(); ++e) {
    bool touches = false;
    forCorners(e, [&](std::size_t v) { touches = touches || isOwn[v]; });
    if (touches) {
      piece.elements.push_back(static_cast<std::int64_t>(e));
      forCorners(e, [&](std::size_t v) { used.insert(static_cast<std::int64_t>(v)); });
    }
  }
  piece.vertices.assign(used.begin(), used.end());
  std::shuffle(piece.vertices.begin(), piece.vertices.end(), random);
  std::shuffle(piece.elements.begin(), piece.elements.end(), random);
  std::vector<std::int64_t> here(whole.points.size(), -1);
  for (std::size_t v = 0; v < piece.vertices.size(); ++v) {
    here[static_cast<std::size_t>(piece.vertices[v])] = static_cast<std::int64_t>(v);
    piece.mesh.points.push_back(whole.points[static_cast<std::size_t>(piece.vertices[v])]);
  }
  for (const std::int64_t e : piece.elements) {
    forCorners(static_cast<std::size_t>(e), [&](std::size_t v) { piece.mesh.vertices.push_back(here[v]); });
    piece.mesh.offsets.push_back(static_cast<std::int64_t>(piece.mesh.vertices.size()));
    piece.isGhost.push_back(parts[static_cast<std::size_t>(e)] != world().rank());
    piece.mesh.types.push_back(
      piece.isGhost.back() ? static_cast<ElementType>(0) : whole.types[static_cast<std::size_t>(e)]);
  }
  return piece;
}

/// Vertices that ranks share, found by their numbers in the whole or by their places.
inline SharedVertices sharedOf(const MeshPiece& piece, bool byIds) {
  const MeshOn<HostExecutionSpace, double, std::int64_t> host(piece.mesh);
  return sharedVerticesOf(world(), host.mixed(), byIds ? std::span(piece.vertices) : std::span<const std::int64_t>());
}

} // namespace spanwise::testing
