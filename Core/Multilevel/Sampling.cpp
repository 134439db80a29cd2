#include "Core/Multilevel/Sampling.hpp"

#include "Core/Field/Detail/Checks.hpp"
#include "Core/Geometry/Detail/Range.hpp"
#include "Core/Multilevel/Prolongation.hpp"

#include <limits>

namespace spanwise {

namespace {

using namespace detail;

/// The levels as kernels see them, with one component of a field.
template <int Dim, class T>
struct LevelsView {
  IntervalSetView<Dim> sets[maxNumLevels];
  const T* values[maxNumLevels];
  Lattice<Dim> root;
  int numLevels;
};

template <int Dim, class T>
struct SamplePoint {
  LevelsView<Dim, T> levels;
  bool linear;
  const Position<Dim>* points;
  T outside;
  T* out;
  std::int32_t* levelsOfPoints;

  KOKKOS_FUNCTION void operator()(std::int64_t p) const {
    T value = outside;
    int level = noLevel;
    // Bit d of `below`: of two cells that share a face with the point on it, the one below along axis d.
    for (int below = 0; below < (1 << Dim) && level == noLevel; ++below) {
      for (int l = levels.numLevels - 1; l >= 0 && level == noLevel; --l) {
        double local[Dim];
        Cell<Dim> cell;
        if (locate(points[p], l, below, cell, local)) {
          const std::int64_t number = levels.sets[l].findCell(cell);
          if (number >= 0) {
            level = l;
            value = levels.values[l][number] + (linear ? slopes(l, cell, number, local) : T{0});
          }
        }
      }
    }
    out[p] = value;
    levelsOfPoints[p] = level;
  }

private:
  /// The cell of a level that holds the point, and where in the cell that is. False if there is none, or if `below`
  /// asks for a side of a face that the point is not on.
  KOKKOS_FUNCTION bool locate(
    const Position<Dim>& point, int l, int below, Cell<Dim>& cell, double (&local)[Dim]) const {
    for (int d = 0; d < Dim; ++d) {
      const double scaled =
        (point.at[d] - levels.root.origin[d]) / levels.root.spacing[d] * static_cast<double>(1 << l);
      const double floor = Kokkos::floor(scaled);
      const bool isBelow = (below >> d & 1) != 0;
      const double c = isBelow ? floor - 1.0 : floor;
      // comparisons with NaN are false
      if (!(c >= minCoordinate && c <= maxRowKey) || (isBelow && scaled != floor)) {
        return false;
      }
      cell.at[d] = static_cast<Coordinate>(c);
      local[d] = scaled - c;
    }
    return true;
  }

  KOKKOS_FUNCTION T slopes(int l, const Cell<Dim>& cell, std::int64_t number, const double (&local)[Dim]) const {
    T sum{0};
    for (int d = 0; d < Dim; ++d) {
      const std::int64_t low = neighbour(l, cell, d, -1);
      const std::int64_t high = neighbour(l, cell, d, 1);
      const auto* const values = levels.values[l];
      const T quarter = slope<Prolongation::Linear, T>(values[low < 0 ? number : low], values[number],
        values[high < 0 ? number : high], static_cast<T>(low < 0 || high < 0 ? 0.25 : 0.125));
      sum += T{4} * quarter * static_cast<T>(local[d] - 0.5);
    }
    return sum;
  }
  /// The number of a neighbour, -1 if it is missing.
  KOKKOS_FUNCTION std::int64_t neighbour(int l, Cell<Dim> cell, int axis, int step) const {
    const std::int64_t c = std::int64_t{cell.at[axis]} + step;
    cell.at[axis] = static_cast<Coordinate>(c);
    return isCellCoordinate(c) ? levels.sets[l].findCell(cell) : -1;
  }
};

template <int Dim>
struct PlacePoint {
  Position<Dim> from;
  Position<Dim> to;
  std::int64_t count;
  Position<Dim>* points;

  KOKKOS_FUNCTION void operator()(std::int64_t p) const {
    const double t = count > 1 ? static_cast<double>(p) / static_cast<double>(count - 1) : 0.0;
    for (int d = 0; d < Dim; ++d) {
      // exact at both ends
      points[p].at[d] = (1.0 - t) * from.at[d] + t * to.at[d];
    }
  }
};

} // namespace

template <class ExecutionSpace, int Dim, class T>
void samplePoints(const ExecutionSpace& space, const MultilevelSetOn<Dim, ExecutionSpace>& levels,
  const MultilevelFieldOn<T, ExecutionSpace>& field, Sampling sampling,
  const Kokkos::View<const Position<Dim>*, typename ExecutionSpace::memory_space>& points,
  std::type_identity_t<T> outside, FieldOn<T, ExecutionSpace>& out,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& levelsOfPoints) {
  SPANWISE_REGION("Multilevel::samplePoints");
  const auto count = static_cast<std::int64_t>(points.extent(0));
  if (levelsOfPoints.extent(0) != points.extent(0)) {
    throw InvalidArgument("there are " + std::to_string(count) + " points, but room for the levels of " +
      std::to_string(levelsOfPoints.extent(0)));
  }
  LevelsView<Dim, T> view{};
  view.root = levels.lattice(0);
  view.numLevels = levels.numLevels();
  for (int l = 0; l < levels.numLevels(); ++l) {
    checkCells(field.level(l), levels.level(l).numCells(), "its level");
    view.sets[l] = levels.level(l).view();
  }
  out.setName(field.name());
  out.resize(count, field.numComponents());
  for (int c = 0; c < field.numComponents(); ++c) {
    for (int l = 0; l < levels.numLevels(); ++l) {
      view.values[l] = field.level(l).view().component[c];
    }
    Kokkos::parallel_for(SPANWISE_KERNEL("sample points"), Range<ExecutionSpace>(space, 0, count),
      SamplePoint<Dim, T>{
        view, sampling == Sampling::Linear, points.data(), outside, out.view().component[c], levelsOfPoints.data()});
  }
}

template <class ExecutionSpace, int Dim>
void pointsOnLine(const ExecutionSpace& space, const Position<Dim>& from, const Position<Dim>& to,
  const Kokkos::View<Position<Dim>*, typename ExecutionSpace::memory_space>& points) {
  const auto count = static_cast<std::int64_t>(points.extent(0));
  Kokkos::parallel_for(SPANWISE_KERNEL("place points"), Range<ExecutionSpace>(space, 0, count),
    PlacePoint<Dim>{from, to, count, points.data()});
}

#define SPANWISE_SAMPLING_OF(T, Space, Dim)                                                                            \
  template void samplePoints<Space, Dim, T>(const Space&, const MultilevelSetOn<Dim, Space>&,                          \
    const MultilevelFieldOn<T, Space>&, Sampling, const Kokkos::View<const Position<Dim>*, Space::memory_space>&, T,   \
    FieldOn<T, Space>&, const Kokkos::View<std::int32_t*, Space::memory_space>&);
#define SPANWISE_SAMPLING(Space, Dim)                                                                                  \
  SPANWISE_SAMPLING_OF(float, Space, Dim)                                                                              \
  SPANWISE_SAMPLING_OF(double, Space, Dim)                                                                             \
  template void pointsOnLine<Space, Dim>(const Space&, const Position<Dim>&, const Position<Dim>&,                     \
    const Kokkos::View<Position<Dim>*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_SAMPLING)

} // namespace spanwise
