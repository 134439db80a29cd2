#include "Core/Geometry/Surface/SmoothNormals.hpp"

#include "Core/Geometry/Surface/IdTypes.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEachUneven.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Search.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <cmath>

namespace spanwise::geometry {

namespace {

constexpr int reach = 3; // cells along each axis
constexpr int width = 2 * reach;

/// The Gaussian of the cells along an axis: cell m has its centre at m + 0.5 - reach from the node.
struct Weights {
  double of[width] = {};
  double sums[width + 1] = {};    ///< of the cells before m
  double moments[width + 1] = {}; ///< of these, times their offsets

  Weights() {
    constexpr double sigma = 0.5 * reach;
    for (int m = 0; m < width; ++m) {
      of[m] = std::exp(-0.5 * offset(m) * offset(m) / (sigma * sigma));
      sums[m + 1] = sums[m] + of[m];
      moments[m + 1] = moments[m] + of[m] * offset(m);
    }
  }
  [[nodiscard]] KOKKOS_FUNCTION static double offset(int m) { return m + 0.5 - reach; }
};

/// What is left of a row of cells beside a row of nodes as these are walked along x.
struct RowBeside {
  const Interval* next;
  const Interval* end;
  int y; ///< as m of Weights
  int z;
};

/// The rows of cells within reach of a row of nodes. Returns how many there are, at most width * width.
KOKKOS_FUNCTION int rowsBeside(const IntervalSetView<3>& cells, const RowKey<3>& nodes, RowBeside* rows) {
  int count = 0;
  for (int z = 0; z < width; ++z) {
    for (int y = 0; y < width; ++y) {
      const std::int64_t atY = static_cast<std::int64_t>(nodes.y) + y - reach;
      const std::int64_t atZ = static_cast<std::int64_t>(nodes.z) + z - reach;
      if (!isCellCoordinate(atY) || !isCellCoordinate(atZ)) {
        continue;
      }
      const std::int64_t r =
        cells.findRow(RowKey<3>::fromYZ(static_cast<Coordinate>(atY), static_cast<Coordinate>(atZ)));
      if (r >= 0) {
        rows[count++] = {cells.intervals + cells.rowOffsets[r], cells.intervals + cells.rowOffsets[r + 1], y, z};
      }
    }
  }
  return count;
}

struct Gradient {
  double along[3] = {};
};

/// The sum over the cells within reach of the node x, weighted, of their offsets from it: the gradient of the smoothed
/// occupancy but for a positive factor. Nodes are asked for in ascending order.
KOKKOS_FUNCTION Gradient gradientAt(std::int64_t x, RowBeside* rows, int numRows, const Weights& weights) {
  Gradient gradient;
  const std::int64_t first = x - reach;
  for (int k = 0; k < numRows; ++k) {
    RowBeside& row = rows[k];
    while (row.next != row.end && row.next->end <= first) {
      ++row.next;
    }
    double sum = 0.0;
    double moment = 0.0;
    for (const Interval* i = row.next; i != row.end && i->begin < first + width; ++i) {
      const std::int64_t begin = Kokkos::max(i->begin - first, std::int64_t{0});
      const std::int64_t end = Kokkos::min(i->end - first, std::int64_t{width});
      sum += weights.sums[end] - weights.sums[begin];
      moment += weights.moments[end] - weights.moments[begin];
    }
    const double across = weights.of[row.y] * weights.of[row.z];
    gradient.along[0] += across * moment;
    gradient.along[1] += across * sum * Weights::offset(row.y);
    gradient.along[2] += across * sum * Weights::offset(row.z);
  }
  return gradient;
}

KOKKOS_FUNCTION void setNormal(const Gradient& gradient, const GridGeometry<3>& lattice, float* normal) {
  double outward[3];
  for (int d = 0; d < 3; ++d) {
    outward[d] = -gradient.along[d] / lattice.spacing[d];
  }
  const double length = Kokkos::hypot(outward[0], outward[1], outward[2]);
  const double inside = Kokkos::hypot(gradient.along[0], gradient.along[1], gradient.along[2]);
  // Else what is left is rounding.
  const bool isSeen = inside > 1e-9 && length > 0.0 && Kokkos::isfinite(length);
  for (int d = 0; d < 3; ++d) {
    normal[d] = isSeen ? static_cast<float>(outward[d] / length) : (d == 2 ? 1.0F : 0.0F);
  }
}

template <class Id>
struct SmoothNormals {
  IntervalSetView<3> lines;
  IntervalSetView<3> cells;
  GridGeometry<3> lattice;
  Weights weights;
  const Id* nodes;
  std::int64_t numPoints;
  float* normals;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    RowBeside rows[width * width];
    int numRows = -1; // they are looked for where there is a point
    std::int64_t p = 0;
    for (std::int64_t i = lines.rowOffsets[r]; i < lines.rowOffsets[r + 1]; ++i) {
      const std::int64_t first = firstNode(lines, i);
      const Coordinate x = lines.intervals[i].begin;
      const std::int64_t last = first + lines.intervals[i].end - x;
      const std::int64_t guess = i == lines.rowOffsets[r] ? numPoints / 2 : p;
      p = firstTrue(p, numPoints, guess, [&](std::int64_t k) { return nodes[k] >= first; });
      for (; p < numPoints && nodes[p] <= last; ++p) {
        if (numRows < 0) {
          numRows = rowsBeside(cells, lines.rowKeys[r], rows);
        }
        setNormal(gradientAt(x + (nodes[p] - first), rows, numRows, weights), lattice, normals + 3 * p);
      }
    }
  }
};

} // namespace

template <class ExecutionSpace, class Id>
void smoothNormals(const Context<ExecutionSpace>& context, const SurfaceCells<3>& cells, const GridGeometry<3>& lattice,
  std::span<const Id> nodes, float* normals) {
  const IntervalSetView<3>& lines = cells.grid.nodeRows;
  forEachUneven(context.space(), SPANWISE_LABEL("Geometry::smooth normals"), lines.numRows,
    SmoothNormals<Id>{
      lines, cells.hiding, lattice, Weights(), nodes.data(), static_cast<std::int64_t>(nodes.size()), normals});
}

#define SPANWISE_SMOOTH_NORMALS(Space) SPANWISE_FOR_EACH_ID_TYPE(SPANWISE_SMOOTH_NORMALS_IDS, Space)
#define SPANWISE_SMOOTH_NORMALS_IDS(Id, Space)                                                                         \
  template void smoothNormals<Space, Id>(                                                                              \
    const Context<Space>&, const SurfaceCells<3>&, const GridGeometry<3>&, std::span<const Id>, float*);
SPANWISE_FOR_EACH_SPACE(SPANWISE_SMOOTH_NORMALS)

} // namespace spanwise::geometry
