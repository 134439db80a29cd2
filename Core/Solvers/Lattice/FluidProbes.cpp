#include "Core/Solvers/Lattice/FluidProbes.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/PointText.hpp"

#include <algorithm>
#include <cmath>
#include <format>

namespace spanwise::lattice {

namespace {

/// The cell that holds a point, on a level. Throws InvalidArgument where a coordinate holds no cell.
template <int Dim>
geometry::Cell<Dim> cellAt(
  const geometry::GridGeometry<Dim>& lattice, int level, const std::array<double, Dim>& point, std::size_t number) {
  geometry::Cell<Dim> cell{};
  for (int d = 0; d < Dim; ++d) {
    const double place =
      std::ldexp((point[static_cast<std::size_t>(d)] - lattice.origin[d]) / lattice.spacing[d], level);
    if (!(std::abs(place) < 2147483647.0)) {
      throw InvalidArgument(std::format("probe {} lies at {}, far from all cells; it must be in a cell with fluid",
        number, pointText(point.data(), Dim)));
    }
    cell.at[d] = static_cast<geometry::Coordinate>(std::floor(place));
  }
  return cell;
}

template <int Dim, class Cells, class Numbers, class Levels>
struct FindProbes {
  geometry::IntervalSetView<Dim> set;
  int level;
  int shift; ///< from the finest level to this one
  Cells cells;
  Numbers numbers;
  Levels levels;

  KOKKOS_FUNCTION void operator()(std::int64_t p) const {
    geometry::Cell<Dim> cell = cells(p);
    for (int d = 0; d < Dim; ++d) {
      cell.at[d] >>= shift;
    }
    const std::int64_t number = set.findCell(cell);
    if (level == 0 || number >= 0) {
      numbers(p) = number;
      levels(p) = level;
    }
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
FluidProbes<ExecutionSpace, Dim>::FluidProbes(const Context<ExecutionSpace>& context, const Flow& flow,
  const geometry::GridGeometry<Dim>& lattice, std::span<const std::array<double, Dim>> points) {
  std::vector<std::int64_t> isThere(points.size());
  parallel::agree(context.communicator(), [&] {
    cells_ = decltype(cells_)(SPANWISE_LABEL("Lattice::probePlaces"), points.size());
    numbers_ = decltype(numbers_)(SPANWISE_LABEL("Lattice::probeCells"), points.size());
    levels_ = decltype(levels_)(SPANWISE_LABEL("Lattice::probeLevels"), points.size());
    values_ = Values(SPANWISE_LABEL("Lattice::probes"), points.size());
    onHost_ = Kokkos::create_mirror_view(values_);
    sums_.resize(points.size() * (Dim + 1));
    readings_.resize(points.size());
    std::vector<geometry::Cell<Dim>> cells;
    for (const std::array<double, Dim>& point : points) {
      cells.push_back(cellAt<Dim>(lattice, flow.options().refinement.numLevels - 1, point, cells.size()));
    }
    const Kokkos::View<const geometry::Cell<Dim>*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> asked(
      cells.data(), cells.size());
    Kokkos::deep_copy(cells_, asked);
    find(context, flow);
    context.space().fence(SPANWISE_LABEL("Lattice::placeProbes"));
    const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), numbers_);
    for (std::size_t p = 0; p < points.size(); ++p) {
      isThere[p] = found(p) >= 0 ? 1 : 0;
    }
  });
  context.communicator().reduce(ReduceBy::Maximum, std::span<std::int64_t>(isThere));
  if (const auto none = std::ranges::find(isThere, 0); none != isThere.end()) {
    const auto p = static_cast<std::size_t>(none - isThere.begin());
    throw InvalidArgument(
      std::format("probe {} at {} is in an obstacle or outside of the box; it must be in a cell with fluid", p,
        pointText(points[p].data(), Dim)));
  }
}

template <class ExecutionSpace, int Dim>
void FluidProbes<ExecutionSpace, Dim>::find(const Context<ExecutionSpace>& context, const Flow& flow) {
  for (int l = 0; l < flow.numLevels(); ++l) {
    forEach(SPANWISE_KERNEL("find probes"),
      IndexRange<ExecutionSpace>(context.space(), 0, static_cast<std::int64_t>(size())),
      FindProbes<Dim, decltype(cells_), decltype(numbers_), decltype(levels_)>{
        flow.cells(l).view(), l, flow.options().refinement.numLevels - 1 - l, cells_, numbers_, levels_});
  }
  numLevelChanges_ = flow.numLevelChanges();
}

template <class ExecutionSpace, int Dim>
std::span<const FluidState<Dim>> FluidProbes<ExecutionSpace, Dim>::read(
  const Context<ExecutionSpace>& context, Flow& flow) {
  if (numLevelChanges_ != flow.numLevelChanges()) {
    find(context, flow);
  }
  const auto numbers = numbers_;
  const auto levels = levels_;
  const auto values = values_;
  for (int l = 0; l < flow.numLevels(); ++l) {
    const FieldView<const double> moments = std::as_const(flow.moments(l)).view();
    forEach(
      SPANWISE_KERNEL("read probes"), IndexRange<ExecutionSpace>(context.space(), 0, static_cast<std::int64_t>(size())),
      KOKKOS_LAMBDA(std::int64_t p) {
        for (int c = 0; c <= Dim && levels(p) == l; ++c) {
          values(p, c) = numbers(p) < 0 ? 0.0 : moments(numbers(p), c);
        }
      });
  }
  if (onHost_.data() != values_.data()) { // Kokkos makes labels of copies also where there is nothing to copy
    Kokkos::deep_copy(context.space(), onHost_, values_);
  }
  context.space().fence(SPANWISE_LABEL("Lattice::readProbes"));
  std::copy_n(onHost_.data(), sums_.size(), sums_.begin());
  context.communicator().reduce(ReduceBy::Sum, std::span<double>(sums_)); // of one value and zeros
  for (std::size_t p = 0; p < size(); ++p) {
    const double* const from = &sums_[p * (Dim + 1)];
    readings_[p].density = from[0];
    std::copy_n(from + 1, Dim, readings_[p].velocity);
  }
  return readings_;
}

#define SPANWISE_FLUID_PROBES(Space, Dim) template class FluidProbes<Space, Dim>;
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_FLUID_PROBES)

} // namespace spanwise::lattice
