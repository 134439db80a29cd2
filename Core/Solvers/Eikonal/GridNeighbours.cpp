#include "Core/Solvers/Eikonal/Detail/GridNeighbours.hpp"

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Solvers/Eikonal/Detail/CheckSpacing.hpp"
#include "Core/Solvers/Eikonal/Detail/StraightLine.hpp"
#include "Core/Solvers/Eikonal/GridDirections.hpp"
#include "Core/Solvers/Eikonal/GridLocator.hpp"
#include "Core/Solvers/Eikonal/GridUpdate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace spanwise::eikonal {

namespace {

/// The coordinates of the first cell of each segment.
template <int Dim>
struct LocateSegments {
  geometry::IntervalSetView<Dim> set;
  const typename GridView<Dim>::Segment* segments;
  geometry::Cell<Dim>* firstCells;

  KOKKOS_FUNCTION void operator()(std::int64_t s) const {
    const std::int64_t cell = segments[s].cell;
    const std::int64_t interval = set.intervalOfCell(cell);
    const geometry::RowKey<Dim> key = set.rowKeys[set.rowOfInterval(interval)];
    geometry::Cell<Dim> at;
    at.at[0] = static_cast<geometry::Coordinate>(set.intervals[interval].begin + (cell - set.cellOffsets[interval]));
    at.at[1] = key.y;
    if constexpr (Dim == 3) {
      at.at[2] = key.z;
    }
    firstCells[s] = at;
  }
};

/// What a look at the speeds of all cells finds.
struct SpeedFindings {
  std::int64_t firstWrong = std::numeric_limits<std::int64_t>::max();
  SpeedSurvey survey;
};

template <int Dim>
struct LookAtSpeeds {
  using value_type = SpeedFindings;
  GridView<Dim> grid;

  KOKKOS_FUNCTION void init(SpeedFindings& findings) const { findings = SpeedFindings(); }
  KOKKOS_FUNCTION void join(SpeedFindings& findings, const SpeedFindings& other) const {
    findings.firstWrong = Kokkos::min(findings.firstWrong, other.firstWrong);
    findings.survey.numCoupled += other.survey.numCoupled;
    findings.survey.times += other.survey.times;
  }

  KOKKOS_FUNCTION void operator()(std::int64_t cell, SpeedFindings& findings) const {
    const SymmetricTensor m = grid.tensor(cell);
    if (grid.isWall(cell)) {
      return;
    }
    const bool isNegative = grid.speed.kind == Speed::Kind::OfElements && grid.speed.values[cell] < 0.0;
    const bool isAsymmetric =
      grid.speed.kind == Speed::Kind::MatrixOfElements && !Speed::isSymmetric(grid.speed.values + 9 * cell);
    if (!m.positiveDefinite() || isNegative || isAsymmetric) {
      findings.firstWrong = Kokkos::min(findings.firstWrong, cell);
      return;
    }
    findings.survey.numCoupled += m.xy != 0.0 || m.yz != 0.0 || m.xz != 0.0 ? 1 : 0;
    const SymmetricTensor inverse = m.inverse();
    const double diagonal[3] = {inverse.xx, inverse.yy, inverse.zz};
    double least = Kokkos::Experimental::finite_max_v<double>;
    for (int axis = 0; axis < Dim; ++axis) {
      const double h = grid.lattice.spacing[axis];
      least = Kokkos::min(least, h * h * diagonal[axis]);
    }
    findings.survey.times.add(least);
  }
};

/// The decomposition of the tensor of a cell, in cells.
template <int Dim>
KOKKOS_INLINE_FUNCTION LatticeDecomposition<Dim> decompositionAt(const GridView<Dim>& grid, std::int64_t cell) {
  SymmetricTensor m = grid.tensor(cell);
  const double* h = grid.lattice.spacing;
  m.xx /= h[0] * h[0];
  m.yy /= h[1] * h[1];
  m.xy /= h[0] * h[1];
  if constexpr (Dim == 3) {
    m.zz /= h[2] * h[2];
    m.yz /= h[1] * h[2];
    m.xz /= h[0] * h[2];
  }
  return decompose<Dim>(m);
}

/// The planes that a cell's vectors go across, with the other sign, so that the most is a minimum.
template <int Dim>
struct FarthestPlane {
  GridView<Dim> grid;

  KOKKOS_FUNCTION void operator()(std::int64_t cell, std::int64_t& least) const {
    const LatticeDecomposition<Dim> sum = decompositionAt<Dim>(grid, cell);
    for (int k = 0; k < sum.count; ++k) {
      if (sum.weights[k] > 0.0) {
        least = Kokkos::min(least, -static_cast<std::int64_t>(Kokkos::abs(sum.steps[k][Dim - 1])));
      }
    }
  }
};

/// The segment that each cell is in.
struct FindSegments {
  geometry::SegmentsView lengths;
  std::int32_t* segmentOfCell;

  KOKKOS_FUNCTION void operator()(std::int64_t cell) const {
    segmentOfCell[cell] = static_cast<std::int32_t>(lengths.segmentOf(cell));
  }
};

/// Decomposes the tensor of each cell, and looks up the cells on the way.
template <int Dim>
struct FindDirections {
  using Direction = typename GridView<Dim>::Direction;
  GridView<Dim> grid;
  geometry::IntervalSetView<Dim> set;
  Direction* directions;

  KOKKOS_FUNCTION void operator()(std::int64_t cell) const {
    const LatticeDecomposition<Dim> sum = decompositionAt<Dim>(grid, cell);
    const geometry::Cell<Dim> at = grid.coordinates(cell);
    for (int k = 0; k < sum.count; ++k) {
      Direction direction;
      direction.weight = sum.weights[k];
      for (int axis = 0; axis < Dim; ++axis) {
        direction.step[axis] = sum.steps[k][axis];
      }
      for (int side = 0; side < 2 && direction.weight > 0.0; ++side) {
        const int sign = 2 * side - 1;
        std::int32_t* const cells = direction.cells;
        cells[1 + side] = follow(at, sum.steps[k], sign, 0);
        if (cells[1 + side] == cell) {
          cells[1 + side] = -1; // once around a period
        }
        cells[3 * side] = cells[1 + side] < 0 ? -1 : follow(at, sum.steps[k], sign, 1);
        if (cells[3 * side] == cell || cells[3 * side] == cells[1 + side]) {
          cells[3 * side] = -1;
        }
      }
      directions[cell * sum.count + k] = direction;
    }
  }

private:
  /// The cell at + sign (from + 1) step; -1 if it is not in the set, or no open line leads there from at + sign from
  /// step.
  KOKKOS_FUNCTION std::int32_t follow(
    const geometry::Cell<Dim>& at, const std::int32_t (&step)[Dim], int sign, std::int64_t from) const {
    double centre[Dim];
    double vector[Dim];
    for (int axis = 0; axis < Dim; ++axis) {
      centre[axis] = static_cast<double>(at.at[axis] + sign * from * step[axis]) + 0.5;
      vector[axis] = sign * step[axis];
    }
    const Locator<Dim> locator{grid, set};
    const auto isOpen = [&](const std::int64_t (&cell)[Dim]) { return locator.number(cell) >= 0; };
    detail::LineWalk<Dim> walk(centre, vector);
    while (!walk.isAtEnd()) {
      if (!walk.advance(isOpen)) {
        return -1;
      }
    }
    return static_cast<std::int32_t>(locator.number(walk.cell));
  }
};

/// Visits what each cell reads: counts it, then lists it.
template <int Dim>
struct ListDependents {
  GridView<Dim> grid;
  std::int64_t* places;     ///< counts, then the next place of each cell
  std::int32_t* dependents; ///< nullptr: count

  KOKKOS_FUNCTION void operator()(std::int64_t cell) const {
    const TensorStencil<Dim> stencil(grid);
    const auto at = stencil.place(static_cast<std::int32_t>(cell));
    for (int k = 0; k < stencil.count; ++k) {
      for (int j = 0; j < 4; ++j) {
        add(at.directions[k].cells[j], j == 0 || j == 3 ? ~at.cell : at.cell);
      }
    }
    if (TensorStencil<Dim>::isBesideWall(at)) {
      const AxisStencil<Dim> axes(grid);
      for (int axis = 0; axis < Dim; ++axis) {
        for (int side = 0; side < 2; ++side) {
          add(axes.neighbour(axes.place(at.cell), axis, 1, side == 1), at.cell);
        }
      }
    }
  }

private:
  KOKKOS_FUNCTION void add(std::int32_t read, std::int32_t entry) const {
    if (read < 0) {
      return;
    }
    const std::int64_t place = Kokkos::atomic_fetch_add(&places[read], std::int64_t{1});
    if (dependents != nullptr) {
      dependents[place] = entry;
    }
  }
};

struct SetToZero {
  std::int64_t* values;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { values[i] = 0; }
};

struct CopyValues {
  const std::int64_t* from;
  std::int64_t* to;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { to[i] = from[i]; }
};

template <int Dim>
void checkInput(std::int64_t numCells, const geometry::GridGeometry<Dim>& lattice, const Speed& speed) {
  checkSpacing(lattice);
  if (numCells >= std::numeric_limits<std::int32_t>::max()) {
    throw InvalidArgument("the set has " + std::to_string(numCells) + " cells: a grid has less than 2^31 - 1");
  }
  if (speed.kind == Speed::Kind::OfVertices) {
    throw InvalidArgument("the speeds are those of vertices: on a grid they are those of cells");
  }
}

template <int Dim>
field::Boundary<Dim> boundaryOf(const geometry::Periods<Dim>& periods) {
  field::Boundary<Dim> boundary{field::BoundaryPolicy::Value, {}};
  if (periods.any()) {
    boundary.policy =
      field::BoundaryPolicy::Periodic; // mirrored neighbours are told from others: AxisStencil::neighbour()
    for (int axis = 0; axis < Dim; ++axis) {
      if (periods.along[axis]) {
        boundary.period.begin[axis] = periods.box.begin[axis];
        boundary.period.end[axis] = periods.box.end[axis];
      }
    }
  }
  return boundary;
}

/// What speeds alone are asked of.
template <int Dim>
GridView<Dim> speedsOn(const geometry::GridGeometry<Dim>& lattice, const Speed& speed, std::int64_t numCells) {
  GridView<Dim> view;
  view.speed = speed;
  view.lattice = lattice;
  view.numCells = numCells;
  return view;
}

} // namespace

template <class ExecutionSpace, int Dim>
SpeedSurvey surveySpeeds(
  const ExecutionSpace& space, std::int64_t numCells, const geometry::GridGeometry<Dim>& lattice, const Speed& speed) {
  SPANWISE_REGION("Eikonal::surveySpeeds");
  checkInput(numCells, lattice, speed);
  SpeedFindings findings;
  reduce(SPANWISE_KERNEL("look at speeds"), IndexRange<ExecutionSpace>(space, 0, numCells),
    LookAtSpeeds<Dim>{speedsOn(lattice, speed, numCells)}, findings);
  if (findings.firstWrong < numCells) {
    throw InvalidArgument("the speed of cell " + std::to_string(findings.firstWrong) + " is not valid: " +
      (speed.kind == Speed::Kind::OfElements ? "speeds must be finite and not negative (0: a wall)"
                                             : "a tensor must be finite, symmetric and positive definite"));
  }
  return findings.survey;
}

template <class ExecutionSpace, int Dim>
std::int64_t planesAcross(
  const ExecutionSpace& space, std::int64_t numCells, const geometry::GridGeometry<Dim>& lattice, const Speed& speed) {
  SPANWISE_REGION("Eikonal::planesAcross");
  std::int64_t least = 0;
  reduceMin(SPANWISE_KERNEL("farthest plane"), IndexRange<ExecutionSpace>(space, 0, numCells),
    FarthestPlane<Dim>{speedsOn(lattice, speed, numCells)}, least);
  return std::max<std::int64_t>(1, -least);
}

template <int Dim, class MemorySpace>
template <class ExecutionSpace>
void GridNeighbours<Dim, MemorySpace>::find(const Context<ExecutionSpace>& context,
  const geometry::IntervalSet<Dim, MemorySpace>& set, const geometry::GridGeometry<Dim>& lattice,
  const geometry::Periods<Dim>& periods, const Speed& speed, bool hasDirections) {
  const ExecutionSpace& space = context.space();
  using Pattern = typename GridView<Dim>::Pattern;
  const std::int64_t numCells = set.numCells();
  checkInput(numCells, lattice, speed);
  view_ = {};
  buildStencilMap<Pattern, ExecutionSpace>(context, set, boundaryOf(periods), map_);

  const std::int64_t numSegments = map_.numSegments();
  reserve(segmentOfCell_, numCells, SPANWISE_LABEL("Eikonal::segmentOfCell"));
  reserve(firstCells_, numSegments, SPANWISE_LABEL("Eikonal::firstCells"));
  GridView<Dim> view;
  view.segmentOfCell = segmentOfCell_.data();
  view.segments = map_.segments();
  view.firstCells = firstCells_.data();
  view.speed = speed;
  view.lattice = lattice;
  view.periods = periods;
  view.numCells = numCells;

  const IndexRange<ExecutionSpace> cells(space, 0, numCells);
  forEach(SPANWISE_KERNEL("find segments"), cells, FindSegments{map_.lengths(), segmentOfCell_.data()});
  forEach(SPANWISE_KERNEL("locate segments"), IndexRange<ExecutionSpace>(space, 0, numSegments),
    LocateSegments<Dim>{set.view(), view.segments, firstCells_.data()});
  if (hasDirections) {
    reserve(directions_, numCells * view.numDirections, SPANWISE_LABEL("Eikonal::directions"));
    reserve(dependentOffsets_, numCells + 1, SPANWISE_LABEL("Eikonal::dependentOffsets"));
    forEach(SPANWISE_KERNEL("find directions"), cells, FindDirections<Dim>{view, set.view(), directions_.data()});
    view.directions = directions_.data();
    typename Workspace<MemorySpace>::Frame frame(context.workspace());
    const auto places = frame.template array<std::int64_t>(numCells + 1);
    std::int64_t* const offsets = dependentOffsets_.data();
    forEach(SPANWISE_KERNEL("set to 0"), IndexRange<ExecutionSpace>(space, 0, numCells + 1), SetToZero{offsets});
    forEach(SPANWISE_KERNEL("count readers"), cells, ListDependents<Dim>{view, offsets, nullptr});
    const std::int64_t total = exclusiveScan(space, SPANWISE_KERNEL("scan readers"), offsets, numCells);
    reserve(dependents_, total, SPANWISE_LABEL("Eikonal::dependents"));
    forEach(SPANWISE_KERNEL("copy offsets"), cells, CopyValues{offsets, places.data()});
    forEach(SPANWISE_KERNEL("list readers"), cells, ListDependents<Dim>{view, places.data(), dependents_.data()});
    view.dependentOffsets = offsets;
    view.dependents = dependents_.data();
  }
  view_ = view;
}

#define SPANWISE_GRID_NEIGHBOURS(Space, Dim)                                                                           \
  template SpeedSurvey surveySpeeds<Space, Dim>(                                                                       \
    const Space&, std::int64_t, const geometry::GridGeometry<Dim>&, const Speed&);                                     \
  template std::int64_t planesAcross<Space, Dim>(                                                                      \
    const Space&, std::int64_t, const geometry::GridGeometry<Dim>&, const Speed&);                                     \
  template void GridNeighbours<Dim, Space::memory_space>::find<Space>(const Context<Space>&,                           \
    const geometry::IntervalSet<Dim, Space::memory_space>&, const geometry::GridGeometry<Dim>&,                        \
    const geometry::Periods<Dim>&, const Speed&, bool);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_GRID_NEIGHBOURS)

} // namespace spanwise::eikonal
