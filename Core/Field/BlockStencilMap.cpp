#include "Core/Field/BlockStencilMap.hpp"

#include "Core/Field/Detail/AbsentNeighbours.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/ForEachPart.hpp"
#include "Core/Runtime/Scan.hpp"

namespace spanwise::field {

namespace {

/// Finds the neighbours of cells.
template <class Pattern>
struct FindNeighbours {
  static constexpr int Dim = Pattern::dimension;
  using Shape = BlockShape<Dim>;
  using Listed = StencilSegment<Pattern::count>;

  BlockSetView<Dim> set;
  detail::Wrap<Dim> wrap;
  detail::Sides<Dim> sides;
  bool hasPeriod;

  /// The cells of a block that have neighbour n, without regard to a period.
  [[nodiscard]] KOKKOS_FUNCTION std::uint64_t having(std::int64_t block, int n) const {
    return along<Dim - 1>(set.aroundBlock(block), n, 0, 0, 0);
  }

  /// The distances to the neighbours of cell k, before absent ones are replaced.
  KOKKOS_FUNCTION Listed find(std::int64_t block, int k) const {
    Listed listed;
    listed.cell = block * Shape::numCells + k;
    for (int n = 0; n < Pattern::count; ++n) {
      const std::int64_t number = neighbour(block, k, n);
      listed.distance[n] =
        number >= 0 ? static_cast<std::int32_t>(number - listed.cell) : Listed::absent + sidesOf(listed.cell, n);
    }
    return listed;
  }

private:
  /// The number of neighbour n, -1 if there is none.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t neighbour(std::int64_t block, int k, int n) const {
    const auto at = Shape::placeOf(k, Pattern::offset(n, 0), Pattern::offset(n, 1), Pattern::offset(n, 2));
    const std::int64_t other = set.aroundBlock(block)[at.around];
    if (other >= 0 && set.has(other, at.cell)) {
      return other * Shape::numCells + at.cell;
    }
    if (!hasPeriod) {
      return -1;
    }
    const geometry::Cell<Dim> centre = set.cellAt(block * Shape::numCells + k);
    geometry::Cell<Dim> wrapped{};
    bool exists = true;
    for (int d = 0; d < Dim; ++d) {
      const std::int64_t c = wrap(d, std::int64_t{centre.at[d]} + Pattern::offset(n, d));
      exists = exists && geometry::isCellCoordinate(c);
      wrapped.at[d] = static_cast<geometry::Coordinate>(c);
    }
    return exists ? set.findCell(wrapped) : -1;
  }

  /// Cells of the block so many steps away along the axes above `axis`, and of those beside it along the others,
  /// brought to where they are neighbours.
  template <int axis>
  [[nodiscard]] KOKKOS_FUNCTION std::uint64_t along(const std::int32_t* around, int n, int x, int y, int z) const {
    if constexpr (axis < 0) {
      const std::int32_t block = around[Shape::around(x, y, z)];
      return block < 0 ? 0 : set.cells[block];
    } else {
      const int offset = Pattern::offset(n, axis);
      const std::uint64_t here = along<axis - 1>(around, n, x, y, z);
      if (offset == 0) {
        return here;
      }
      const int step = offset < 0 ? -1 : 1;
      const std::uint64_t beyond =
        along<axis - 1>(around, n, axis == 0 ? step : x, axis == 1 ? step : y, axis == 2 ? step : z);
      return Shape::shifted(here, beyond, axis, offset);
    }
  }

  [[nodiscard]] KOKKOS_FUNCTION int sidesOf(std::int64_t number, int n) const {
    const geometry::Cell<Dim> centre = set.cellAt(number);
    int beyond = 0;
    for (int d = 0; d < Dim; ++d) {
      beyond |= sides(d, wrap(d, std::int64_t{centre.at[d]} + Pattern::offset(n, d)));
    }
    return beyond;
  }
};

/// Which cells of a block the stencil is applied to, and which of them lack a neighbour.
template <class Pattern>
struct ClassifyCells {
  FindNeighbours<Pattern> neighbours;
  BoundaryPolicy policy;
  typename BlockStencilMap<Pattern, Kokkos::HostSpace>::Arrays out;

  KOKKOS_FUNCTION void operator()(std::int64_t block, std::int64_t& numCells) const {
    const std::uint64_t cells = neighbours.set.cells[block];
    std::uint64_t incomplete = 0;
    for (int n = 0; n < Pattern::count; ++n) {
      incomplete |= cells & ~neighbours.having(block, n);
    }
    std::uint64_t applied = cells;
    if (policy == BoundaryPolicy::Skip) {
      for (std::uint64_t left = incomplete; left != 0; left &= left - 1) {
        const std::uint64_t bit = left & ~(left - 1);
        if (!neighbours.hasPeriod || lacks(block, Kokkos::countr_zero(left))) {
          applied &= ~bit;
          incomplete &= ~bit;
        }
      }
    }
    out.applied[block] = applied;
    out.incomplete[block] = incomplete;
    out.listedBefore[block] = Kokkos::popcount(incomplete);
    numCells += Kokkos::popcount(applied);
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION bool lacks(std::int64_t block, int k) const {
    const auto listed = neighbours.find(block, k);
    bool absent = false;
    for (int n = 0; n < Pattern::count; ++n) {
      absent = absent || listed.isAbsent(listed.distance[n]);
    }
    return absent;
  }
};

/// Lists the neighbours of the incomplete cell number j of a block.
template <class Pattern>
struct ListNeighbours {
  FindNeighbours<Pattern> neighbours;
  BoundaryPolicy policy;
  const std::uint64_t* incomplete;
  StencilSegment<Pattern::count>* listed;

  KOKKOS_FUNCTION void operator()(std::int64_t block, std::int64_t j, std::int64_t p) const {
    std::uint64_t left = incomplete[block];
    for (; j > 0; --j) {
      left &= left - 1;
    }
    listed[p] = neighbours.find(block, Kokkos::countr_zero(left));
    if (policy != BoundaryPolicy::Value) {
      detail::mirror<Pattern>(listed[p]);
    }
  }
};

} // namespace

template <class Pattern, class ExecutionSpace>
void buildStencilMap(const Context<ExecutionSpace>& context, const BlockSetOn<Pattern::dimension, ExecutionSpace>& set,
  const Boundary<Pattern::dimension>& boundary, BlockStencilMapOn<Pattern, ExecutionSpace>& out) {
  constexpr int Dim = Pattern::dimension;
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Field::buildStencilMap");
  detail::checkPeriod(boundary, set.numCells() == 0, [&] { return set.boundingBox(); });
  bool hasPeriod = false;
  for (int d = 0; d < Dim; ++d) {
    hasPeriod = hasPeriod || boundary.period.extent(d) > 0;
  }
  const FindNeighbours<Pattern> neighbours{set.view(), {boundary.period}, {boundary.domain}, hasPeriod};
  const auto arrays = out.prepare(set);
  std::int64_t numCells = 0;
  reduce(SPANWISE_KERNEL("classify cells"), IndexRange<ExecutionSpace>(space, 0, set.numBlocks()),
    ClassifyCells<Pattern>{neighbours, boundary.policy, {arrays.applied, arrays.incomplete, arrays.listedBefore}},
    numCells, Work{set.numBlocks() * Pattern::count});
  const std::int64_t numListed =
    exclusiveScan(space, SPANWISE_KERNEL("scan incomplete"), arrays.listedBefore, set.numBlocks());
  auto* const listed = out.prepareListed(numListed);
  forEachPart(space, SPANWISE_KERNEL("list neighbours"), arrays.listedBefore, set.numBlocks(), numListed,
    ListNeighbours<Pattern>{neighbours, boundary.policy, arrays.incomplete, listed});
  out.finish(numCells);
}

#define SPANWISE_BLOCK_MAP(Space, Dim, ...)                                                                            \
  template void buildStencilMap<__VA_ARGS__, Space>(const Context<Space>&, const BlockSetOn<Dim, Space>&,              \
    const Boundary<Dim>&, BlockStencilMapOn<__VA_ARGS__, Space>&);
#define SPANWISE_BLOCK_MAPS(Space, Dim)                                                                                \
  SPANWISE_BLOCK_MAP(Space, Dim, StarPattern<Dim, 1>)                                                                  \
  SPANWISE_BLOCK_MAP(Space, Dim, StarPattern<Dim, 2>)                                                                  \
  SPANWISE_BLOCK_MAP(Space, Dim, StarPattern<Dim, 3>)                                                                  \
  SPANWISE_BLOCK_MAP(Space, Dim, StarPattern<Dim, 4>)                                                                  \
  SPANWISE_BLOCK_MAP(Space, Dim, LowerFacePattern<Dim>)                                                                \
  SPANWISE_BLOCK_MAP(Space, Dim, BoxPattern<Dim>)
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_BLOCK_MAPS)
#define SPANWISE_EDGE_BLOCK_MAP(Space) SPANWISE_BLOCK_MAP(Space, 3, EdgePattern)
SPANWISE_FOR_EACH_SPACE(SPANWISE_EDGE_BLOCK_MAP)

} // namespace spanwise::field
