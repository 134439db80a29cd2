#include "Core/Solvers/Lattice/FluidProbes.hpp"

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/PointText.hpp"

#include <algorithm>
#include <cmath>
#include <format>

namespace spanwise::lattice {

namespace {

/// The cell that holds a point. Throws InvalidArgument where a coordinate holds no cell.
template <int Dim>
geometry::Cell<Dim> cellAt(
  const geometry::GridGeometry<Dim>& lattice, const std::array<double, Dim>& point, std::size_t number) {
  geometry::Cell<Dim> cell{};
  for (int d = 0; d < Dim; ++d) {
    const double place = (point[static_cast<std::size_t>(d)] - lattice.origin[d]) / lattice.spacing[d];
    if (!(std::abs(place) < 2147483647.0)) {
      throw InvalidArgument(std::format("probe {} lies at {}, far from all cells; it must be in a cell with fluid",
        number, pointText(point.data(), Dim)));
    }
    cell.at[d] = static_cast<geometry::Coordinate>(std::floor(place));
  }
  return cell;
}

template <int Dim, class Cells, class Numbers>
struct FindProbes {
  geometry::IntervalSetView<Dim> set;
  Cells cells;
  Numbers numbers;

  KOKKOS_FUNCTION void operator()(std::int64_t p) const { numbers(p) = set.findCell(cells(p)); }
};

} // namespace

template <class ExecutionSpace, int Dim>
FluidProbes<ExecutionSpace, Dim>::FluidProbes(const Context<ExecutionSpace>& context, const Flow& flow,
  const geometry::GridGeometry<Dim>& lattice, std::span<const std::array<double, Dim>> points)
  : numbers_(SPANWISE_LABEL("Lattice::probeCells"), points.size()),
    values_(SPANWISE_LABEL("Lattice::probes"), points.size()), onHost_(Kokkos::create_mirror_view(values_)),
    sums_(points.size() * (Dim + 1)), readings_(points.size()) {
  std::vector<geometry::Cell<Dim>> cells;
  for (const std::array<double, Dim>& point : points) {
    cells.push_back(cellAt<Dim>(lattice, point, cells.size()));
  }
  const Kokkos::View<const geometry::Cell<Dim>*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> asked(
    cells.data(), cells.size());
  const auto at = Kokkos::create_mirror_view_and_copy(Memory(), asked);
  forEach(SPANWISE_KERNEL("find probes"),
    IndexRange<ExecutionSpace>(context.space(), 0, static_cast<std::int64_t>(points.size())),
    FindProbes<Dim, decltype(at), decltype(numbers_)>{flow.cells().view(), at, numbers_});
  context.space().fence(SPANWISE_LABEL("Lattice::placeProbes"));
  const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), numbers_);
  std::vector<std::int64_t> isThere(points.size());
  for (std::size_t p = 0; p < points.size(); ++p) {
    isThere[p] = found(p) >= 0 ? 1 : 0;
  }
  context.communicator().reduce(ReduceBy::Maximum, std::span<std::int64_t>(isThere));
  if (const auto none = std::ranges::find(isThere, 0); none != isThere.end()) {
    const auto p = static_cast<std::size_t>(none - isThere.begin());
    throw InvalidArgument(
      std::format("probe {} at {} is in an obstacle or outside of the box; it must be in a cell with fluid", p,
        pointText(points[p].data(), Dim)));
  }
}

template <class ExecutionSpace, int Dim>
std::span<const FluidState<Dim>> FluidProbes<ExecutionSpace, Dim>::read(
  const Context<ExecutionSpace>& context, Flow& flow) {
  const auto numbers = numbers_;
  const auto values = values_;
  const FieldView<const double> moments = std::as_const(flow.moments()).view();
  forEach(
    SPANWISE_KERNEL("read probes"), IndexRange<ExecutionSpace>(context.space(), 0, static_cast<std::int64_t>(size())),
    KOKKOS_LAMBDA(std::int64_t p) {
      for (int c = 0; c <= Dim; ++c) {
        values(p, c) = numbers(p) < 0 ? 0.0 : moments(numbers(p), c);
      }
    });
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
