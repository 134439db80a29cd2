#include "Core/Solvers/Flow/Detail/FlowProbes.hpp"

#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"

#include <algorithm>

namespace spanwise::flow::detail {

namespace {

template <int Dim, class Values>
struct ReadProbes {
  IdealGas<double> gas;
  int coarser;
  const geometry::Cell<Dim>* cells;
  geometry::IntervalSetView<Dim> leaves;
  geometry::IntervalSetView<Dim> extended;
  FieldView<const double> state;
  Values values;

  KOKKOS_FUNCTION void operator()(std::int64_t p) const {
    geometry::Cell<Dim> cell = cells[p];
    for (int d = 0; d < Dim; ++d) {
      cell.at[d] >>= coarser;
    }
    if (leaves.findCell(cell) < 0) {
      return;
    }
    const std::int64_t number = extended.findCell(cell);
    Conserved<double, Dim> conserved;
    for (int c = 0; c < Component<Dim>::count; ++c) {
      conserved[static_cast<std::size_t>(c)] = state(number, c);
    }
    const Primitive<double, Dim> found = gas.template primitive<Dim>(conserved);
    values(p, 0) = found.density;
    for (int d = 0; d < Dim; ++d) {
      values(p, 1 + d) = found.velocity[d];
    }
    values(p, Dim + 1) = found.pressure;
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
void FlowProbes<ExecutionSpace, Dim>::place(
  const Context<ExecutionSpace>& context, const std::vector<geometry::Cell<Dim>>& cells) {
  const std::size_t size = cells.size();
  cells_ = decltype(cells_)(SPANWISE_LABEL("Flow::probeCells"), size);
  values_ = decltype(values_)(SPANWISE_LABEL("Flow::probes"), size);
  onHost_ = Kokkos::create_mirror_view(values_);
  sums_.resize(size * count);
  readings_.resize(size);
  const Kokkos::View<const geometry::Cell<Dim>*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> from(
    cells.data(), size);
  Kokkos::deep_copy(context.space(), cells_, from);
  context.space().fence(SPANWISE_LABEL("Flow::placeProbes"));
}

template <class ExecutionSpace, int Dim>
void FlowProbes<ExecutionSpace, Dim>::read(const Context<ExecutionSpace>& context, const IdealGas<double>& gas,
  int coarser, const Set& leaves, const Set& extended, const field::FieldOn<double, ExecutionSpace>& state) {
  const ReadProbes<Dim, decltype(values_)> body{
    gas, coarser, cells_.data(), leaves.view(), extended.view(), state.view(), values_};
  forEach(SPANWISE_KERNEL("read probes"),
    IndexRange<ExecutionSpace>(context.space(), 0, static_cast<std::int64_t>(readings_.size())), body);
}

template <class ExecutionSpace, int Dim>
std::span<const Primitive<double, Dim>> FlowProbes<ExecutionSpace, Dim>::finish(
  const Context<ExecutionSpace>& context) {
  Kokkos::deep_copy(context.space(), onHost_, values_);
  context.space().fence(SPANWISE_LABEL("Flow::readProbes"));
  std::copy_n(onHost_.data(), sums_.size(), sums_.begin());
  Kokkos::deep_copy(context.space(), values_, 0.0);
  context.communicator().reduce(ReduceBy::Sum, std::span<double>(sums_));
  for (std::size_t p = 0; p < readings_.size(); ++p) {
    const double* const from = &sums_[p * count];
    readings_[p].density = from[0];
    std::copy_n(from + 1, Dim, readings_[p].velocity);
    readings_[p].pressure = from[Dim + 1];
  }
  return readings_;
}

#define SPANWISE_FLOW_PROBES(Space, Dim) template class FlowProbes<Space, Dim>;
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_FLOW_PROBES)

} // namespace spanwise::flow::detail
