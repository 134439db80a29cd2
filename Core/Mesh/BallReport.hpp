#pragma once

#include "Core/Mesh/VertexBall.hpp"
#include "Core/Runtime/Context.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spanwise {

/// How well vertex balls fit the elements of one type, or all of them.
struct BallReportLine {
  std::optional<ElementType> type; ///< none: all types in one ball
  std::int64_t numElements = 0;
  std::int64_t numVertices = 0;   ///< that such elements touch
  std::int32_t largestDegree = 0; ///< the most elements around a vertex
  int width = 0;                  ///< slots that a vertex has in the base table
  /// Only the slots of vertices that such elements touch are counted as empty.
  BallOccupancy occupancy;
  std::size_t bytes = 0; ///< of the tables

  /// "triangle", ..., "all".
  [[nodiscard]] std::string name() const { return type ? elementTypeName(*type) : "all"; }
};

/// Builds the vertex ball of the elements of each type that a mesh has, and one of all of them where there are several
/// types, and says how they come out: a line for each type in the order of ElementType, that of all last. `width` as
/// for buildVertexBall(). Places in `elements` whose type is no ElementType are left out.
/// O(types * (corners + vertices * width)). Throws as buildVertexBall() does.
template <class ExecutionSpace, MeshIndex Index>
std::vector<BallReportLine> reportBalls(
  const Context<ExecutionSpace>& context, const ElementView<Index>& elements, std::int64_t numVertices, int width);

} // namespace spanwise
