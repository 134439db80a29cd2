#include "Core/Multilevel/Sampling.hpp"

#include "Core/Field/Checks.hpp"
#include "Core/Multilevel/Detail/PointCells.hpp"
#include "Core/Multilevel/Prolongation.hpp"
#include "Core/Runtime/ForEach.hpp"

namespace spanwise::multilevel {

namespace {

using namespace detail;

/// The cells of the levels as kernels see them.
template <int Dim>
struct LevelSets {
  geometry::IntervalSetView<Dim> sets[maxNumLevels];
  geometry::GridGeometry<Dim> root;
  int numLevels;
};

template <int Dim>
LevelSets<Dim> viewOf(const auto& levels) {
  LevelSets<Dim> view{};
  view.root = levels.lattice(0);
  view.numLevels = levels.numLevels();
  for (int l = 0; l < levels.numLevels(); ++l) {
    view.sets[l] = levels.level(l).view();
  }
  return view;
}

/// The leaf that holds a point, and where in it that is.
template <int Dim>
struct Located {
  geometry::Cell<Dim> cell;
  std::int64_t number;
  double local[Dim];
  std::int32_t level;
};

/// The cell of a level that holds the point. False if there is none, or if `below` asks for a side of a face that the
/// point is not on.
template <int Dim>
KOKKOS_FUNCTION bool locateOnLevel(
  const LevelSets<Dim>& levels, const Position<Dim>& point, int l, int below, Located<Dim>& at) {
  for (int d = 0; d < Dim; ++d) {
    const double scaled = rootCoordinate(levels.root, point, d) * static_cast<double>(1 << l);
    const double floor = Kokkos::floor(scaled);
    const bool isBelow = (below >> d & 1) != 0;
    const double c = isBelow ? floor - 1.0 : floor;
    if ((isBelow && scaled != floor) || !cellCoordinate(c, at.cell.at[d])) {
      return false;
    }
    at.local[d] = scaled - c;
  }
  return true;
}

template <int Dim>
KOKKOS_FUNCTION Located<Dim> locate(const LevelSets<Dim>& levels, const Position<Dim>& point) {
  Located<Dim> at{};
  // Bit d of `below`: of two cells that share a face with the point on it, the one below along axis d.
  for (int below = 0; below < (1 << Dim); ++below) {
    for (int l = levels.numLevels - 1; l >= 0; --l) {
      if (locateOnLevel(levels, point, l, below, at)) {
        at.number = levels.sets[l].findCell(at.cell);
        if (at.number >= 0) {
          at.level = l;
          return at;
        }
      }
    }
  }
  at.number = -1;
  at.level = noLevel;
  return at;
}

template <int Dim, class T>
struct SamplePoint {
  LevelSets<Dim> levels; ///< the cells that have values
  LevelSets<Dim> leaves; ///< of them, those that hold points
  bool sameNumbers;      ///< whether the two are one
  const T* values[maxNumLevels];
  bool linear;
  const Position<Dim>* points;
  T outside;
  T* out;
  std::int32_t* levelsOfPoints;

  KOKKOS_FUNCTION void operator()(std::int64_t p) const {
    const Located<Dim> at = locate(leaves, points[p]);
    levelsOfPoints[p] = at.level;
    out[p] = outside;
    if (at.level != noLevel) {
      const std::int64_t number = sameNumbers ? at.number : levels.sets[at.level].findCell(at.cell);
      out[p] = values[at.level][number] + (linear ? slopes(at.level, at.cell, number, at.local) : T{0});
    }
  }

private:
  KOKKOS_FUNCTION T slopes(
    int l, const geometry::Cell<Dim>& cell, std::int64_t number, const double (&local)[Dim]) const {
    T sum{0};
    for (int d = 0; d < Dim; ++d) {
      const std::int64_t low = neighbour(l, cell, d, -1);
      const std::int64_t high = neighbour(l, cell, d, 1);
      const T* const at = values[l];
      const T quarter = slope<Prolongation::Linear, T>(at[low < 0 ? number : low], at[number],
        at[high < 0 ? number : high], static_cast<T>(low < 0 || high < 0 ? 0.25 : 0.125));
      sum += T{4} * quarter * static_cast<T>(local[d] - 0.5);
    }
    return sum;
  }
  /// The number of a neighbour, -1 if it is missing.
  KOKKOS_FUNCTION std::int64_t neighbour(int l, geometry::Cell<Dim> cell, int axis, int step) const {
    const std::int64_t c = std::int64_t{cell.at[axis]} + step;
    cell.at[axis] = static_cast<geometry::Coordinate>(c);
    return geometry::isCellCoordinate(c) ? levels.sets[l].findCell(cell) : -1;
  }
};

} // namespace

template <class ExecutionSpace, int Dim, class T>
void samplePoints(const Context<ExecutionSpace>& context, const SampledField<ExecutionSpace, Dim, T>& of,
  const Kokkos::View<const Position<Dim>*, typename ExecutionSpace::memory_space>& points,
  const SamplingOptions<T>& options, SamplesOn<ExecutionSpace, T>& out) {
  SPANWISE_REGION("Multilevel::samplePoints");
  const auto count = static_cast<std::int64_t>(points.extent(0));
  const int numLevels = of.levels.numLevels();
  checkPlaces(points, out.levels);
  SamplePoint<Dim, T> sample{};
  sample.levels = viewOf<Dim>(of.levels);
  sample.leaves = viewOf<Dim>(of.leaves != nullptr ? *of.leaves : of.levels);
  sample.sameNumbers = of.leaves == nullptr;
  sample.linear = options.between == Sampling::Linear;
  sample.points = points.data();
  sample.outside = options.outside;
  sample.levelsOfPoints = out.levels.data();
  for (int l = 0; l < numLevels; ++l) {
    checkCells(of.field.level(l), of.levels.level(l).numCells(), "its level");
  }
  out.values.setName(of.field.name());
  out.values.resize(count, of.field.numComponents());
  for (int c = 0; c < of.field.numComponents(); ++c) {
    for (int l = 0; l < numLevels; ++l) {
      sample.values[l] = columnOf(of.field.level(l), c);
    }
    sample.out = columnOf(out.values, c);
    forEach(
      SPANWISE_KERNEL("sample points"), IndexRange<ExecutionSpace>(context.space(), 0, count), sample, Work{8 * count});
  }
}

template <class ExecutionSpace, int Dim>
void locatePoints(const Context<ExecutionSpace>& context, const MultilevelSetOn<Dim, ExecutionSpace>& leaves,
  const Kokkos::View<const Position<Dim>*, typename ExecutionSpace::memory_space>& points,
  const Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>& cellsOfPoints,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& levelsOfPoints) {
  SPANWISE_REGION("Multilevel::locatePoints");
  const auto count = static_cast<std::int64_t>(points.extent(0));
  checkPlaces(points, cellsOfPoints);
  checkPlaces(points, levelsOfPoints);
  const LevelSets<Dim> view = viewOf<Dim>(leaves);
  const Position<Dim>* const at = points.data();
  std::int64_t* const cells = cellsOfPoints.data();
  std::int32_t* const levels = levelsOfPoints.data();
  forEach(
    SPANWISE_KERNEL("locate points"), IndexRange<ExecutionSpace>(context.space(), 0, count),
    KOKKOS_LAMBDA(std::int64_t p) {
      const Located<Dim> found = locate(view, at[p]);
      cells[p] = found.number;
      levels[p] = found.level;
    },
    Work{8 * count});
}

#define SPANWISE_SAMPLING_OF(T, Space, Dim)                                                                            \
  template void samplePoints<Space, Dim, T>(const Context<Space>&, const SampledField<Space, Dim, T>&,                 \
    const Kokkos::View<const Position<Dim>*, Space::memory_space>&, const SamplingOptions<T>&, SamplesOn<Space, T>&);
#define SPANWISE_SAMPLING(Space, Dim)                                                                                  \
  SPANWISE_SAMPLING_OF(float, Space, Dim)                                                                              \
  SPANWISE_SAMPLING_OF(double, Space, Dim)                                                                             \
  template void locatePoints<Space, Dim>(const Context<Space>&, const MultilevelSetOn<Dim, Space>&,                    \
    const Kokkos::View<const Position<Dim>*, Space::memory_space>&,                                                    \
    const Kokkos::View<std::int64_t*, Space::memory_space>&, const Kokkos::View<std::int32_t*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_SAMPLING)

} // namespace spanwise::multilevel
