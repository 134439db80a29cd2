#pragma once

#include "Core/Mesh/Detail/WeightedPoint.hpp"
#include "Core/Mesh/ElementType.hpp"
#include "Core/Mesh/MeshView.hpp"
#include "Core/Mesh/VertexBall.hpp"

#include <cstdint>

namespace spanwise::detail {

// The two kernels of smoothing on the host for elements of one type, four elements or the four numbers of a point at
// once. They do the operations of the kernels for every processor in the same order, none of them fused, so the bits
// are the same: what is surely right here is so there.

/// A move of vertices.
struct VertexMove {
  BallView ball;
  const WeightedPoint* barycentres;
  const WeightedPoint* from;
  WeightedPoint* to;
  const std::uint8_t* held; ///< null: none
  double relaxation;
};

/// Elements of one type that are to be right, with their vertices where they went.
template <MeshIndex Index>
struct ElementCheck {
  const Index* vertices; ///< where their lists begin
  std::int64_t numElements;
  const WeightedPoint* before;
  const WeightedPoint* points;
  double sign;
  double quality;
  WeightedPoint* barycentres;
  std::int64_t numAfter = 0; ///< elements that come after these in the lists
};

template <MeshIndex Index>
struct SmoothInstructions {
  static constexpr std::int64_t elementsAtOnce = 4;

  /// Writes the weighted barycentres of so many elements, a multiple of elementsAtOnce, whose lists begin at
  /// `vertices`; returns the sum of their measures.
  double (*weigh)(
    const Index* vertices, std::int64_t numElements, const WeightedPoint* points, WeightedPoint* barycentres);

  /// Writes them too; returns whether all elements have the sign, or the normal that they had `before`, and where
  /// `quality` is above 0, surely are above it (isSurelyAbove()). Asks for what it needs of the elements that come
  /// after these.
  bool (*check)(const ElementCheck<Index>& elements);

  /// Moves the vertices `begin` to `end`, rounded to floats or not; returns the longest step, squared.
  double (*move)(const VertexMove& move, std::int64_t begin, std::int64_t end);
  double (*moveFloats)(const VertexMove& move, std::int64_t begin, std::int64_t end);
};

/// The best that this processor has but for so many better ones; nullptr where it, or the compiler, has none.
template <MeshIndex Index>
const SmoothInstructions<Index>* smoothInstructions(ElementType type, int numBetter = 0);

} // namespace spanwise::detail
