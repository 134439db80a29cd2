#include "Core/Geometry/Surface/SmoothNormals.hpp"

#include "Core/Geometry/Surface/IdTypes.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEachUneven.hpp"
#include "Core/Runtime/Label.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace spanwise::geometry {

namespace {

constexpr int reach = 3; // cells along each axis
constexpr int width = 2 * reach;

/// The Gaussian of the cells along an axis: cell m has its centre at m + 0.5 - reach from the node.
struct Weights {
  std::array<double, width> of = {};
  std::array<double, width + 1> sums = {};    ///< of the cells before m
  std::array<double, width + 1> moments = {}; ///< of these, times their offsets

  Weights() {
    constexpr double sigma = 0.5 * reach;
    for (int m = 0; m < width; ++m) {
      const auto k = static_cast<std::size_t>(m);
      of[k] = std::exp(-0.5 * offset(m) * offset(m) / (sigma * sigma));
      sums[k + 1] = sums[k] + of[k];
      moments[k + 1] = moments[k] + of[k] * offset(m);
    }
  }
  [[nodiscard]] static double offset(int m) { return m + 0.5 - reach; }
};

/// What is left of a row of cells beside a row of nodes as these are walked along x.
struct RowBeside {
  const Interval* next;
  const Interval* end;
  int y; ///< as m of Weights
  int z;
};

/// The rows of cells within reach of a row of nodes. Returns how many there are.
int rowsBeside(const IntervalSetView<3>& cells, const RowKey<3>& nodes, std::array<RowBeside, width * width>& rows) {
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
        rows[static_cast<std::size_t>(count++)] = {
          cells.intervals + cells.rowOffsets[r], cells.intervals + cells.rowOffsets[r + 1], y, z};
      }
    }
  }
  return count;
}

/// The sum over the cells within reach of the node x, weighted, of their offsets from it: the gradient of the smoothed
/// occupancy but for a positive factor. Nodes are asked for in ascending order.
std::array<double, 3> gradientAt(std::int64_t x, RowBeside* rows, int numRows, const Weights& weights) {
  std::array<double, 3> gradient = {};
  const std::int64_t first = x - reach;
  for (int k = 0; k < numRows; ++k) {
    RowBeside& row = rows[k];
    while (row.next != row.end && row.next->end <= first) {
      ++row.next;
    }
    double sum = 0.0;
    double moment = 0.0;
    for (const Interval* i = row.next; i != row.end && i->begin < first + width; ++i) {
      const auto begin = static_cast<std::size_t>(std::max<std::int64_t>(i->begin - first, 0));
      const auto end = static_cast<std::size_t>(std::min<std::int64_t>(i->end - first, width));
      sum += weights.sums[end] - weights.sums[begin];
      moment += weights.moments[end] - weights.moments[begin];
    }
    const double across = weights.of[static_cast<std::size_t>(row.y)] * weights.of[static_cast<std::size_t>(row.z)];
    gradient[0] += across * moment;
    gradient[1] += across * sum * Weights::offset(row.y);
    gradient[2] += across * sum * Weights::offset(row.z);
  }
  return gradient;
}

void setNormal(const std::array<double, 3>& gradient, const GridGeometry<3>& lattice, float* normal) {
  std::array<double, 3> outward = {};
  for (std::size_t d = 0; d < 3; ++d) {
    outward[d] = -gradient[d] / lattice.spacing[d];
  }
  const double length = std::hypot(outward[0], outward[1], outward[2]);
  const double inside = std::hypot(gradient[0], gradient[1], gradient[2]);
  const bool isSeen = inside > 1e-9 && length > 0.0 && std::isfinite(length); // else what is left is rounding
  for (std::size_t d = 0; d < 3; ++d) {
    normal[d] = isSeen ? static_cast<float>(outward[d] / length) : (d == 2 ? 1.0F : 0.0F);
  }
}

} // namespace

template <class Id>
void smoothNormals(const Context<HostExecutionSpace>& context, const SurfaceCells<3>& cells,
  const GridGeometry<3>& lattice, std::span<const Id> nodes, float* normals) {
  const Id* const begin = nodes.data();
  const Id* const end = begin + nodes.size();
  const Weights weights;
  const IntervalSetView<3>& lines = cells.grid.nodeRows;
  forEachUneven(context.space(), SPANWISE_LABEL("Geometry::smooth normals"), lines.numRows, [&](std::int64_t r) {
    std::array<RowBeside, width * width> rows;
    int numRows = -1; // they are looked for where there is a point
    for (std::int64_t i = lines.rowOffsets[r]; i < lines.rowOffsets[r + 1]; ++i) {
      const std::int64_t first = firstNode(lines, i);
      const Coordinate x = lines.intervals[i].begin;
      const std::int64_t last = first + lines.intervals[i].end - x;
      for (const Id* node = std::lower_bound(begin, end, first); node != end && *node <= last; ++node) {
        if (numRows < 0) {
          numRows = rowsBeside(cells.hiding, lines.rowKeys[r], rows);
        }
        setNormal(
          gradientAt(x + (*node - first), rows.data(), numRows, weights), lattice, normals + 3 * (node - begin));
      }
    }
  });
}

#define SPANWISE_SMOOTH_NORMALS(Id, ...)                                                                               \
  template void smoothNormals<Id>(                                                                                     \
    const Context<HostExecutionSpace>&, const SurfaceCells<3>&, const GridGeometry<3>&, std::span<const Id>, float*);
SPANWISE_FOR_EACH_ID_TYPE(SPANWISE_SMOOTH_NORMALS)

} // namespace spanwise::geometry
