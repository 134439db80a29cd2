#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Runtime/Context.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace spanwise {

/// An element and the number that the vertex has in it: 8 * element + local.
using BallEntry = std::uint32_t;

/// What stands in slots of the base table that hold no element.
inline constexpr BallEntry noBallEntry = ~BallEntry{0};

/// The most elements that a ball can number.
inline constexpr std::int64_t maxBallElements = (std::int64_t{1} << 29) - 1;

/// The most slots that a vertex has in the base table.
inline constexpr int maxBallWidth = 1024;

/// Slots of the base table for meshes of one type: a power of two that about nine of ten vertices find enough.
constexpr int ballWidth(ElementType type) {
  switch (type) {
  case ElementType::Quadrilateral:
    return 4;
  case ElementType::Triangle:
  case ElementType::Hexahedron:
    return 8;
  case ElementType::Edge:
  case ElementType::Prism:
    return 16;
  case ElementType::Tetrahedron:
  case ElementType::Pyramid:
    return 32;
  }
  return 0;
}

/// What kernels see of the vertex balls of a mesh.
struct BallView {
  const BallEntry* base = nullptr;             ///< [numVertices][width]
  const std::int32_t* degrees = nullptr;       ///< [numVertices]: how many elements touch the vertex
  const std::int64_t* overflowBegin = nullptr; ///< [numVertices + 1]: places in the overflow table
  const BallEntry* overflow = nullptr;         ///< what the base table has no slots for, vertex by vertex
  std::int64_t numVertices = 0;
  int width = 0;

  /// Entry k < degrees[vertex] of a vertex. Entries ascend.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION BallEntry operator()(std::int64_t vertex, int k) const {
    return k < width ? base[vertex * width + k] : overflow[overflowBegin[vertex] + (k - width)];
  }

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION static std::int64_t element(BallEntry entry) { return entry >> 3; }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION static int local(BallEntry entry) { return static_cast<int>(entry & 7U); }
};

/// How well the base table of a ball fits its mesh.
struct BallOccupancy {
  std::int64_t numEntries = 0;    ///< corners of elements
  std::int64_t numInBase = 0;     ///< of them in the base table
  std::int64_t numEmptySlots = 0; ///< slots of the base table without an entry

  [[nodiscard]] double shareInBase() const { return share(numInBase); }
  [[nodiscard]] double shareInOverflow() const { return share(numEntries - numInBase); }
  /// Empty slots for each entry: what the table costs more than a plain list.
  [[nodiscard]] double extraMemory() const { return share(numEmptySlots); }

private:
  [[nodiscard]] double share(std::int64_t part) const {
    return numEntries > 0 ? static_cast<double>(part) / static_cast<double>(numEntries) : 0.0;
  }
};

/// The vertex balls of a mesh: for each vertex the elements that touch it, each with the number that the vertex has in
/// it. The first `width` of them stand in a base table with as many slots for every vertex, the others in an overflow
/// table (L. Marechal, The GMlib library, INRIA 2018).
template <class MemorySpace>
class VertexBall {
public:
  [[nodiscard]] std::int64_t numVertices() const { return view_.numVertices; }
  [[nodiscard]] int width() const { return view_.width; }
  [[nodiscard]] const BallOccupancy& occupancy() const { return occupancy_; }
  [[nodiscard]] BallView view() const { return view_; }

  /// Bytes of all tables.
  [[nodiscard]] std::size_t bytes() const {
    return (base_.span() + overflow_.span()) * sizeof(BallEntry) + degrees_.span() * sizeof(std::int32_t) +
      overflowBegin_.span() * sizeof(std::int64_t);
  }

private:
  template <class ExecutionSpace, MeshIndex Index>
  friend void buildVertexBall(const Context<ExecutionSpace>&, const ElementView<Index>&, std::int64_t, int,
    VertexBall<typename ExecutionSpace::memory_space>&);

  Kokkos::View<BallEntry*, MemorySpace> base_;
  Kokkos::View<std::int32_t*, MemorySpace> degrees_;
  Kokkos::View<std::int64_t*, MemorySpace> overflowBegin_;
  Kokkos::View<BallEntry*, MemorySpace> overflow_;
  BallView view_;
  BallOccupancy occupancy_;
};

/// ball = the elements around each of `numVertices` vertices, with `width` slots in the base table (0: ballWidth() of
/// the elements' type, that of tetrahedra where there are several types). Built in parallel; entries ascend, so it is
/// the same for any number of threads. The memory of `ball` is used again where it is large enough.
/// O(corners + vertices * width). Throws InvalidArgument where there are more than maxBallElements elements, a width is
/// not within 1 ... maxBallWidth, or a vertex is not within 0 ... numVertices - 1.
template <class ExecutionSpace, MeshIndex Index>
void buildVertexBall(const Context<ExecutionSpace>& context, const ElementView<Index>& elements,
  std::int64_t numVertices, int width, VertexBall<typename ExecutionSpace::memory_space>& ball);

} // namespace spanwise
