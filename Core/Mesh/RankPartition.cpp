#include "Core/Mesh/RankPartition.hpp"

#include "Core/Mesh/Detail/Check.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/ByRank.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace spanwise {

namespace {

constexpr int root = 0;

/// A vertex by its number among those of all ranks.
struct NumberedVertex {
  std::int64_t number;
  Point place;
};

/// What rank 0 has to know of a piece.
struct Elements {
  std::vector<ElementType> types;
  std::vector<std::int64_t> corners; ///< numbers of vertices
  std::vector<NumberedVertex> vertices;
};

template <class Real, class Index>
Elements elementsOf(const MeshView<Real, Index>& piece, std::span<const std::int64_t> numbers) {
  detail::checkLength("numbers", numbers.size(), piece.vertices.numVertices, "vertices");
  Elements elements;
  std::vector<bool> isUsed(numbers.size(), false);
  for (std::int64_t e = 0; e < piece.elements.numElements; ++e) {
    detail::checkVertices(piece.elements, e, piece.vertices.numVertices);
    elements.types.push_back(piece.elements.typeOf(e));
    for (int k = 0; k < numVerticesOf(piece.elements.typeOf(e)); ++k) {
      const std::int64_t v = piece.elements.vertex(e, k);
      elements.corners.push_back(numbers[static_cast<std::size_t>(v)]);
      isUsed[static_cast<std::size_t>(v)] = true;
    }
  }
  for (std::size_t v = 0; v < numbers.size(); ++v) {
    if (!isUsed[v]) {
      continue;
    }
    if (numbers[v] < 0) {
      throw InvalidArgument("vertex " + std::to_string(v) + " has the number " + std::to_string(numbers[v]) +
        ": vertices of all ranks are numbered from 0 on");
    }
    elements.vertices.push_back({numbers[v], piece.vertices(static_cast<std::int64_t>(v))});
  }
  return elements;
}

/// Collective. What all ranks have, on rank 0.
template <class T>
parallel::ByRank<T> gathered(const Communicator& communicator, std::vector<T>&& mine) {
  const auto count = static_cast<std::int64_t>(mine.size());
  parallel::ByRank<T> toRoot{std::move(mine), std::vector<std::int64_t>(communicator.size() + std::size_t{1}, count)};
  toRoot.first.front() = 0;
  return parallel::exchanged(communicator, toRoot);
}

/// The mesh of all ranks' elements dealt out, with its report.
RankPartition partitionOfAll(const Elements& all, int numParts, PartitionBy by) {
  std::int64_t numVertices = 0;
  for (const NumberedVertex& vertex : all.vertices) {
    numVertices = std::max(numVertices, vertex.number + 1);
  }
  std::vector<double> coordinates(static_cast<std::size_t>(3 * numVertices), 0.0);
  for (const NumberedVertex& vertex : all.vertices) {
    std::copy_n(vertex.place.at, 3, coordinates.begin() + static_cast<std::ptrdiff_t>(3 * vertex.number));
  }
  std::vector<std::int64_t> offsets{0};
  offsets.reserve(all.types.size() + 1);
  for (const ElementType type : all.types) {
    offsets.push_back(offsets.back() + numVerticesOf(type));
  }
  const MeshView<double, std::int64_t> mesh{VertexView<double>::interleaved(coordinates.data(), numVertices),
    {all.corners.data(), offsets.data(), all.types.data(), ElementType::Tetrahedron,
      static_cast<std::int64_t>(all.types.size())}};
  RankPartition out;
  out.mine = partitionMesh(mesh, numParts, by);
  out.report = reportPartition(mesh.elements, numVertices, out.mine);
  return out;
}

} // namespace

template <MeshReal Real, MeshIndex Index>
RankPartition partitionMesh(const Communicator& communicator, const MeshView<Real, Index>& piece,
  std::span<const std::int64_t> numbers, int numParts, PartitionBy by) {
  if (communicator.alone()) {
    RankPartition out;
    out.mine = partitionMesh(piece, numParts, by);
    out.report = reportPartition(piece.elements, piece.vertices.numVertices, out.mine);
    return out;
  }
  Elements mine;
  parallel::agree(communicator, [&] { mine = elementsOf(piece, numbers); });
  parallel::ByRank<ElementType> types = gathered(communicator, std::move(mine.types));
  const Elements all{std::move(types.values), gathered(communicator, std::move(mine.corners)).values,
    gathered(communicator, std::move(mine.vertices)).values};
  RankPartition out;
  parallel::agree(communicator, [&] {
    if (communicator.rank() == root) {
      out = partitionOfAll(all, numParts, by);
    }
  });
  // elements go back as they came
  parallel::ByRank<std::int32_t> back{std::move(out.mine.partOfElement), std::move(types.first)};
  out.mine.partOfElement = parallel::exchanged(communicator, back).values;
  out.mine.numParts = numParts;
  out.mine.by = communicator.gather(out.mine.by)[root];
  out.report = communicator.gather(out.report)[root];
  return out;
}

#define SPANWISE_RANK_PARTITION(Real, Index)                                                                           \
  template RankPartition partitionMesh<Real, Index>(                                                                   \
    const Communicator&, const MeshView<Real, Index>&, std::span<const std::int64_t>, int, PartitionBy);
SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_RANK_PARTITION)

} // namespace spanwise
