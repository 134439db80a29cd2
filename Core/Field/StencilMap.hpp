#pragma once

#include "Core/Field/Region.hpp"
#include "Core/Field/StencilPattern.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/Segments.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Reserve.hpp"

#include <cstdint>
#include <limits>

namespace spanwise::field {

/// What a stencil reads where a neighbour is not in the set.
enum class BoundaryPolicy {
  /// A given value.
  Value,
  /// The value that a mirror at the set's boundary shows. For neighbours along an axis the mirror is the face before
  /// the first cell that is missing on the way; of a diagonal neighbour each component of the offset is mirrored so.
  /// What
  /// is then not in the set either, and a diagonal neighbour that is missing between two that are not, is the centre.
  Mirror,
  /// The stencil is not applied to cells that lack a neighbour.
  Skip,
  /// The cell on the other side of Boundary::period. What is not in the set there either is as for Mirror.
  Periodic,
};

/// A policy, a box that is repeated, and a box that has sides.
template <int Dim>
struct Boundary {
  BoundaryPolicy policy = BoundaryPolicy::Mirror;
  /// Repeated along the axes along which it is not empty, of which Periodic needs one: neighbours beyond it are those
  /// on the other side, and only where these are not in the set the policy counts.
  geometry::Box<Dim> period{};
  /// Of an absent neighbour the map says which sides of this box it is beyond (StencilPlace::crossed()). No sides along
  /// axes along which it is empty.
  geometry::Box<Dim> domain{};
};

/// Sides of a domain: the lower and the upper one along each axis.
struct DomainSides {
  std::uint8_t bits = 0; ///< bit 2 axis + 1 for the upper side

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool none() const { return bits == 0; }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool lower(int axis) const { return (bits >> (2 * axis) & 1) != 0; }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool upper(int axis) const { return (bits >> (2 * axis + 1) & 1) != 0; }
};

/// Cells side by side whose neighbours each have a constant distance in the order of cells, or are absent.
template <int Count>
struct StencilSegment {
  /// The distance of a neighbour that is absent, and beyond no side of the domain. Beyond sides it is their bits more.
  static constexpr std::int32_t absent = std::numeric_limits<std::int32_t>::min();
  static constexpr std::int32_t maxAbsent = absent + 63;

  std::int64_t cell; ///< the first
  std::int32_t distance[Count];

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION static bool isAbsent(std::int32_t distance) {
    return distance <= maxAbsent;
  }
};

/// Where the neighbours of cells are: the cells of a set, or those within a region of it, in segments. Each interval is
/// cut where a neighbour's row has an endpoint, so that within a segment all neighbours are reached by adding a
/// constant to the cell's number; absent ones have been replaced as the boundary policy says, except for Value. A map
/// is for one set, one pattern and one policy, and serves any number of fields and applications. 16 + 4 bytes a
/// neighbour for each segment. Keeps its memory; copies share it.
template <class Pattern, class MemorySpace>
class StencilMap {
public:
  using Segment = StencilSegment<Pattern::count>;
  /// No segment has more cells.
  static constexpr std::int64_t maxLength = 1024;

  [[nodiscard]] std::int64_t numSegments() const { return lengths_.count(); }
  /// The cells that the stencil is applied to.
  [[nodiscard]] std::int64_t numCells() const { return lengths_.numCells(); }
  /// The cells of the set.
  [[nodiscard]] std::int64_t numCellsOfSet() const { return numCellsOfSet_; }
  [[nodiscard]] geometry::SegmentsView lengths() const { return lengths_.view(); }
  /// The same, with the memory.
  [[nodiscard]] const geometry::Segments<MemorySpace>& sharedLengths() const { return lengths_; }
  [[nodiscard]] const Segment* segments() const { return segments_.data(); }
  [[nodiscard]] std::size_t bytes() const { return lengths_.bytes() + segments_.span() * sizeof(Segment); }

  /// For buildStencilMap(): makes room, and declares the segments to be written.
  std::pair<Segment*, std::int64_t*> prepare(std::int64_t count) {
    reserve(segments_, count, SPANWISE_LABEL("Field::stencilSegments"));
    return {segments_.data(), lengths_.prepare(count)};
  }
  template <class ExecutionSpace>
  void finish(const ExecutionSpace& space, std::int64_t count, std::int64_t numCells, std::int64_t numCellsOfSet) {
    lengths_.finish(space, count, numCells);
    numCellsOfSet_ = numCellsOfSet;
  }

private:
  Kokkos::View<Segment*, MemorySpace> segments_;
  geometry::Segments<MemorySpace> lengths_;
  std::int64_t numCellsOfSet_ = 0;
};

template <class Pattern, class ExecutionSpace>
using StencilMapOn = StencilMap<Pattern, typename ExecutionSpace::memory_space>;

/// out = the map of the cells of `set`, or of those within a region of it; neighbours outside of the region are still
/// neighbours. Patterns are those of StencilPattern.hpp, stars with a radius of up to 4. Throws InvalidArgument if a
/// region is given that is not seen in this set, if the policy is Periodic and the period is empty along all axes, if a
/// cell is outside of the period, or if neighbours are more than 2^31 - 64 apart in the order of cells. A repeated call
/// allocates nothing. Does not wait for the map. O(neighbours (segments + intervals log intervals of a row) + rows log
/// rows).
template <class Pattern, class ExecutionSpace>
void buildStencilMap(const Context<ExecutionSpace>& context,
  const geometry::IntervalSetOn<Pattern::dimension, ExecutionSpace>& set, const Boundary<Pattern::dimension>& boundary,
  StencilMapOn<Pattern, ExecutionSpace>& out, const Within<typename ExecutionSpace::memory_space>& within = {});

} // namespace spanwise::field
