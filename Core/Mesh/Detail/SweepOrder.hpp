#pragma once

#include "Core/Geometry/Detail/Range.hpp"
#include "Core/Mesh/MeshView.hpp"
#include "Core/Mesh/VertexBall.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reduce.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>

namespace spanwise::detail {

// On the host items go by chunks: several at once where the processor can, else one by one. So small a chunk is still a
// small item to reduce().

inline constexpr std::int64_t chunkSize = 16;

constexpr std::int64_t numChunksOf(std::int64_t numItems) { return (numItems + chunkSize - 1) / chunkSize; }

/// A chunk of vertices, and the first chunk of elements that has one of them; 0 where none has.
struct VertexChunk {
  std::int64_t first;
  std::int64_t number;

  friend auto operator<=>(const VertexChunk&, const VertexChunk&) = default;
};

/// The order in which one pass on the host updates the vertices of a mesh from what its elements have, and then what
/// the elements have from their vertices, in the same arrays: element by element, each vertex when the first element
/// needs it. An element comes after all its vertices, so nobody needs any more what it had, and they are still in the
/// cache. Every thread has a block of elements and the vertices that these are the first to need. Elements that have
/// vertices of other blocks too are cut: they are left to a second pass.
struct SweepOrder {
  std::int64_t numElementChunks = 0;
  std::int64_t numBlocks = 1;
  std::span<const VertexChunk> vertexChunks; ///< ascending
  const std::uint8_t* isCut = nullptr;       ///< [numElementChunks]
  std::span<const std::int64_t> cutChunks;   ///< of elements

  [[nodiscard]] std::int64_t firstElementChunk(std::int64_t block) const {
    return numElementChunks / numBlocks * block + std::min(block, numElementChunks % numBlocks);
  }
  [[nodiscard]] std::span<const VertexChunk> vertexChunksOf(std::int64_t block) const {
    const auto from = [this](std::int64_t ofBlock) {
      return ofBlock == numBlocks
        ? vertexChunks.end()
        : std::lower_bound(vertexChunks.begin(), vertexChunks.end(), VertexChunk{firstElementChunk(ofBlock), 0});
    };
    return {from(block), from(block + 1)};
  }
};

/// Calls functor(block) for all blocks of an order, each in a thread, and waits.
template <class ExecutionSpace, class Functor>
void forEachBlock(const char* label, const ExecutionSpace& space, const SweepOrder& order, const Functor& functor) {
  if (order.numBlocks == 1) {
    functor(0);
    return;
  }
  Kokkos::parallel_for(label, Range<ExecutionSpace>(space, 0, order.numBlocks), functor);
  space.fence(SPANWISE_LABEL("Mesh::forEachBlock"));
}

struct FindFirstElements {
  BallView ball;
  VertexChunk* chunks;

  void operator()(std::int64_t chunk) const {
    constexpr std::int64_t none = maxBallElements;
    std::int64_t first = none;
    for (std::int64_t v = chunk * chunkSize; v < std::min((chunk + 1) * chunkSize, ball.numVertices); ++v) {
      if (ball.degrees[v] > 0) {
        first = std::min(first, BallView::element(ball(v, 0))); // entries ascend
      }
    }
    chunks[chunk] = {first == none ? 0 : first / chunkSize, chunk};
  }
};

template <MeshIndex Index>
struct MarkCutElements {
  ElementView<Index> elements;
  const VertexChunk* vertexChunks; ///< by their numbers
  SweepOrder order;
  std::uint8_t* isCut;

  void operator()(std::int64_t block) const {
    const std::int64_t begin = order.firstElementChunk(block);
    for (std::int64_t chunk = begin; chunk < order.firstElementChunk(block + 1); ++chunk) {
      const std::int64_t end = elements.firstCorner(std::min((chunk + 1) * chunkSize, elements.numElements));
      std::int64_t first = chunk; // no vertex is first needed later
      for (std::int64_t corner = elements.firstCorner(chunk * chunkSize); corner < end; ++corner) {
        first = std::min(first, vertexChunks[elements.vertices[corner] / chunkSize].first);
      }
      isCut[chunk] = static_cast<std::uint8_t>(first < begin);
    }
  }
};

struct ListCutElements {
  const std::uint8_t* isCut;
  std::int64_t* cutChunks;

  void operator()(std::int64_t chunk, std::int64_t& count, bool final) const {
    if (final && isCut[chunk] != 0) {
      cutChunks[count] = chunk;
    }
    count += isCut[chunk];
  }
};

/// The order for as many threads as the space has, in memory of a frame. A byte a vertex and six tenths of one an
/// element. O(vertices + corners), and to sort the chunks of vertices where they do not come in this order already.
template <class ExecutionSpace, MeshReal Real, MeshIndex Index, class Frame>
SweepOrder orderSweep(
  const ExecutionSpace& space, const MeshView<Real, Index>& mesh, const BallView& ball, Frame& frame) {
  SweepOrder order;
  order.numElementChunks = numChunksOf(mesh.elements.numElements);
  if (mesh.elements.numElements > fewItems) {
    order.numBlocks = std::min<std::int64_t>(space.concurrency(), order.numElementChunks);
  }
  const std::int64_t numVertexChunks = numChunksOf(ball.numVertices);
  VertexChunk* const vertexChunks = frame.template array<VertexChunk>(numVertexChunks).data();
  std::uint8_t* const isCut = frame.template array<std::uint8_t>(order.numElementChunks).data();
  std::int64_t* const cutChunks = frame.template array<std::int64_t>(order.numElementChunks).data();
  using OverChunks = Range<ExecutionSpace>;
  forEach(SPANWISE_KERNEL("find first"), OverChunks(space, 0, numVertexChunks), FindFirstElements{ball, vertexChunks});
  space.fence(SPANWISE_LABEL("Mesh::orderSweep"));
  forEachBlock(
    SPANWISE_KERNEL("mark cut"), space, order, MarkCutElements<Index>{mesh.elements, vertexChunks, order, isCut});
  std::int64_t numCut = 0;
  scan(SPANWISE_KERNEL("list cut"), OverChunks(space, 0, order.numElementChunks), ListCutElements{isCut, cutChunks},
    numCut);
  if (!std::is_sorted(vertexChunks, vertexChunks + numVertexChunks)) {
    std::sort(vertexChunks, vertexChunks + numVertexChunks);
  }
  order.vertexChunks = {vertexChunks, static_cast<std::size_t>(numVertexChunks)};
  order.isCut = isCut;
  order.cutChunks = {cutChunks, static_cast<std::size_t>(numCut)};
  return order;
}

} // namespace spanwise::detail
