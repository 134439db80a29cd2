#ifndef SpanwiseIntervalGrid_h
#define SpanwiseIntervalGrid_h

// What an unstructured grid that is made of intervals carries in its points and in its connectivity. Not wrapped: VTK's
// wrappers see neither Kokkos nor this.

#include "SpanwiseHeldMemory.h"
#include "SpanwiseMadeOnDemand.h"
#include "SpanwiseMirroredSet.h"
#include "spanwiseDataModelModule.h"

#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/NodeRows.hpp"
#include "Core/Parallel/RowCut.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace spanwise {

/// Where the cells of a grid lie: the cell c covers [origin + c spacing, origin + (c + 1) spacing] along each axis. A
/// 2D grid lies in the plane z = origin[2]; its spacing[2] is kept for others' use.
struct GridPlacement : geometry::GridGeometry<3> {
  int level = 0; ///< cell size = root size / 2^level

  GridPlacement() : GridGeometry{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}} {}
  GridPlacement(const double (&ofOrigin)[3], const double (&ofCell)[3], int ofLevel) : level(ofLevel) {
    std::copy_n(ofOrigin, 3, origin);
    std::copy_n(ofCell, 3, spacing);
  }

  /// The position of the node coordinate c along an axis, in a way that compilers make vectors of.
  [[nodiscard]] double position(int axis, std::int64_t c) const {
    return origin[axis] + static_cast<double>(c) * spacing[axis];
  }
};

/// The lattice of a placement, for Core. In 3D it places 2D grids too, whose cells are one plane at z = 0.
template <int Dim>
geometry::GridGeometry<Dim> latticeOf(const GridPlacement& placement) {
  geometry::GridGeometry<Dim> lattice{};
  std::copy_n(placement.origin, Dim, lattice.origin);
  std::copy_n(placement.spacing, Dim, lattice.spacing);
  return lattice;
}

/// The largest level that a placement may have: a root cell then still has an int32 coordinate at that level.
inline constexpr int maxLevel = 30;

/// One immutable record, shared by everything that shows the grid: the set, where it lies, and tables that make the
/// lookup of nodes and cells fast. These are made when they are first asked for: nobody asks about the nodes of a set
/// that only goes on to another filter.
///
/// Beside the set those of cells take 8 bytes an interval; those of nodes 16 (2D) or 32 (3D) bytes an interval, and 24
/// bytes an interval of the node rows: as many as the set has where neighbouring rows are alike, at most 2 (2D) or 4
/// (3D) times. Noise on the host has a mask too, of at most 16 bytes an interval. What finds the interval of a cell or
/// of a node takes 0.125 bytes a cell, but no more than 64 bytes an interval, however long these are.
template <int Dim>
class SPANWISEDATAMODEL_EXPORT IntervalGrid : private HeldMemory {
public:
  /// Throws InvalidArgument for a spacing that is not positive and finite, an origin that is not finite, a level
  /// outside [0, maxLevel], or a grid so far away that its corners are not finite. The set must be valid (validate()).
  /// O(rows + intervals), in parallel, where the set lies; so are the tables, and O(cells / 64), on the host.
  static std::shared_ptr<const IntervalGrid> make(
    const MirroredSet<Dim>& set, const GridPlacement& placement, const parallel::PlaneRange& owned = {});

  /// The bytes that the record of a set takes at least, with all its tables on the host: with a single interval in each
  /// node row, and skip tables as coarse as they become. For who must know before there is a set whether there is
  /// memory for it.
  static double minBytes(std::int64_t numRows, std::int64_t numIntervals, std::int64_t numCells);

  ~IntervalGrid() override;

  static constexpr int nodesPerCell = 2 * geometry::nodeRowsPerRow<Dim>;
  /// The corner (bit 0: x, bit 1: y, bit 2: z) of point `k` of VTK's cell: quadrilaterals and hexahedra go around their
  /// faces.
  [[nodiscard]] static constexpr int cornerOfPoint(int k) { return k ^ ((k >> 1) & 1); }

  /// The set, on whichever side it lies.
  [[nodiscard]] const MirroredSet<Dim>& mirrored() const { return set_; }
  [[nodiscard]] std::int64_t numCells() const { return set_.numCells(); }
  /// The set in the host's memory.
  [[nodiscard]] const geometry::HostIntervalSet<Dim>& set() const { return set_.host(); }
  [[nodiscard]] geometry::IntervalSetView<Dim> cells() const { return set().view(); }
  [[nodiscard]] const geometry::IntervalSetView<Dim>& nodeRows() const { return nodes().view; }
  [[nodiscard]] geometry::CellsAndNodes<Dim> cellsAndNodes() const {
    return {cells(), nodeRows(), nodes().bases.data()};
  }
  /// The same on a side, where it is made when it is first asked for; it lives as long as this record. Not for kernels
  /// to ask.
  template <ComputeSide side>
  [[nodiscard]] geometry::CellsAndNodes<Dim> cellsAndNodesOn() const {
    if constexpr (side == ComputeSide::Host) {
      return cellsAndNodes();
    } else {
      const NodesThere& there = nodesThere_.get([this] { return makeNodesThere(); });
      return {set_.template on<side>().view(), there.rows.view(), there.bases.data()};
    }
  }
  [[nodiscard]] const GridPlacement& placement() const { return placement_; }
  [[nodiscard]] const parallel::PlaneRange& owned() const { return owned_; }
  [[nodiscard]] std::int64_t numNodes() const { return numNodes_; }
  /// The smallest box that holds every cell; an empty box for an empty set.
  [[nodiscard]] const geometry::Box<Dim>& box() const { return box_; }
  /// Bytes of the set, on both sides, and of the tables that there are.
  [[nodiscard]] std::size_t bytes() const;

  /// The same record, with its tables made. For whoever looks up cells or nodes in a kernel of Kokkos, which would wait
  /// for itself if it had to make them.
  [[nodiscard]] const IntervalGrid& withCellTables() const {
    static_cast<void>(cellTables());
    return *this;
  }
  [[nodiscard]] const IntervalGrid& withNodeTables() const {
    static_cast<void>(nodes());
    return *this;
  }

  /// The interval that holds cell `c`. O(1) where intervals are of like length, O(log intervals) at worst.
  [[nodiscard]] std::int64_t intervalOfCell(std::int64_t c) const {
    const CellTables& tables = cellTables();
    return tables.skip.find(c, [&](std::int64_t i) { return tables.cells.cellOffsets[i]; });
  }
  [[nodiscard]] std::int64_t rowOfInterval(std::int64_t i) const { return cellTables().rows[i]; }
  /// The coordinates of cell `c`.
  [[nodiscard]] geometry::Cell<Dim> cellAt(std::int64_t c) const;

  /// The number of the first node of interval `i` in its node row `k` (see nodeBases()).
  [[nodiscard]] std::int64_t nodeBase(std::int64_t i, int k) const {
    return nodes().bases[geometry::nodeRowsPerRow<Dim> * i + k];
  }
  /// The node `corner` of cell `c`. Bit 0 of `corner` adds one to x, bit 1 to y, bit 2 to z.
  [[nodiscard]] std::int64_t nodeOfCell(std::int64_t c, int corner) const {
    const std::int64_t i = intervalOfCell(c);
    return nodeBase(i, corner >> 1) + (c - cellTables().cells.cellOffsets[i]) + (corner & 1);
  }

  /// The coordinates of node `n`; z is 0 in 2D.
  void nodeCoordinates(std::int64_t n, std::int64_t coordinates[3]) const;
  /// The position of node `n`, in the units of the placement.
  void nodePosition(std::int64_t n, double position[3]) const;

  /// The cells at the node `n`, at most nodesPerCell of them. Returns how many. O(log rows + log intervals of a row).
  int cellsOfNode(std::int64_t n, std::int64_t cells[8]) const;

  /// The cell that contains a point, or -1. A point on a face, up to the round-off of its position, belongs to the cell
  /// on the upper side if that is in the set, otherwise to one on a lower side. `local` receives the point's position
  /// in the cell, in [0, 1] along each axis. In 2D only x and y count. O(log rows + log intervals of a row).
  [[nodiscard]] std::int64_t findCell(const double position[3], double local[Dim]) const;

  /// Bounds as VTK has them; uninitialised ones (1, -1) for an empty set.
  void bounds(double bounds[6]) const;

  /// The least and the greatest length of a node's position vector. False if there are no nodes. O(intervals).
  [[nodiscard]] bool positionLengths(double range[2]) const;

private:
  using Table = Kokkos::View<std::int64_t*, Kokkos::HostSpace>;

  /// The intervals of the cells (or nodes) 0, 2^shift, 2 * 2^shift ... and then the last interval.
  struct SkipTable {
    Table intervals;
    int shift = 0;

    /// The interval of c, where interval i has the numbers first(i) ... first(i + 1) - 1.
    template <class First>
    [[nodiscard]] std::int64_t find(std::int64_t c, const First& first) const {
      const std::int64_t k = c >> shift;
      return lastNotAfter(intervals[k], intervals[k + 1], c, first);
    }
  };
  template <class First>
  static SkipTable makeSkipTable(std::int64_t count, std::int64_t numIntervals, const First& first);

  struct CellTables {
    geometry::IntervalSetView<Dim> cells;
    Table rows; ///< of intervals
    SkipTable skip;
  };
  struct NodeTables {
    geometry::HostIntervalSet<Dim> rows;
    geometry::IntervalSetView<Dim> view; ///< of the rows
    Table bases;
    Table intervalRows;
    SkipTable skip;

    [[nodiscard]] std::int64_t intervalOf(std::int64_t n) const {
      return skip.find(n, [this](std::int64_t i) { return geometry::firstNode(view, i); });
    }
  };

  /// The nodes on the device.
  struct NodesThere {
    geometry::IntervalSetOn<Dim, SpaceOf<ComputeSide::Device>> rows;
    Kokkos::View<std::int64_t*, SpaceOf<ComputeSide::Device>::memory_space> bases;
  };

  IntervalGrid() = default;
  void releaseMemory() override;

  [[nodiscard]] CellTables makeCellTables() const;
  [[nodiscard]] NodeTables makeNodeTables() const;
  [[nodiscard]] NodesThere makeNodesThere() const;
  [[nodiscard]] const CellTables& cellTables() const {
    return cellTables_.get([this] { return makeCellTables(); });
  }
  [[nodiscard]] const NodeTables& nodes() const {
    return nodeTables_.get([this] { return makeNodeTables(); });
  }

  /// The last i of [low, high] with first(i) <= value; first(low) <= value.
  template <class First>
  static std::int64_t lastNotAfter(std::int64_t low, std::int64_t high, std::int64_t value, const First& first) {
    while (low < high) {
      const std::int64_t middle = low + (high - low + 1) / 2;
      if (first(middle) <= value) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  MirroredSet<Dim> set_;
  GridPlacement placement_;
  parallel::PlaneRange owned_;
  geometry::Box<Dim> box_{};
  std::int64_t numNodes_ = 0;
  MadeOnDemand<CellTables> cellTables_;
  MadeOnDemand<NodeTables> nodeTables_;
  MadeOnDemand<NodesThere> nodesThere_;
};

template <int Dim>
using IntervalGridPointer = std::shared_ptr<const IntervalGrid<Dim>>;

extern template class SPANWISEDATAMODEL_EXPORT IntervalGrid<2>;
extern template class SPANWISEDATAMODEL_EXPORT IntervalGrid<3>;

} // namespace spanwise

#endif
