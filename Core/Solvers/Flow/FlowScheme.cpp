#include "Core/Solvers/Flow/Detail/FlowScheme.hpp"

#include "Core/Field/ForCells.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Solvers/Flow/Detail/CellValues.hpp"
#include "Core/Solvers/Flow/Detail/Scheme.hpp"
#include "Core/Solvers/Flow/FlowValues.hpp"

#include <algorithm>
#include <utility>

namespace spanwise::flow::detail {

namespace {

/// Calls call(riemann, slope) with functors for the choices.
template <class Call>
void withScheme(Riemann riemann, Reconstruction reconstruction, const Call& call) {
  const auto withSlope = [&](auto flux) {
    switch (reconstruction) {
    case Reconstruction::Constant:
      return call(flux, NoSlope());
    case Reconstruction::Minmod:
      return call(flux, MinmodSlope());
    case Reconstruction::VanLeer:
      return call(flux, VanLeerSlope());
    }
  };
  if (riemann == Riemann::Rusanov) {
    withSlope(RusanovFlux());
  } else {
    withSlope(HllcFlux());
  }
}

/// Bits of numbers that are not negative order them, and NaN is above all: so loops that find the greatest one are
/// vectorised, and do not lose a NaN.
struct GreatestBits {
  std::int64_t fastest = 0;
  std::int64_t numLow = 0;
};

template <int Dim>
struct CheckStates {
  IdealGas<double> gas;
  FieldView<const double> state;
  double inverse[Dim];

  KOKKOS_FUNCTION void init(GreatestBits& value) const { value = {}; }
  KOKKOS_FUNCTION void join(GreatestBits& value, const GreatestBits& other) const {
    value.fastest = Kokkos::max(value.fastest, other.fastest);
    value.numLow += other.numLow;
  }
  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last, GreatestBits& value) const {
    KOKKOS_IF_ON_HOST((onHost(first, last, value);))
    KOKKOS_IF_ON_DEVICE((for (std::int64_t cell = first; cell < last; ++cell) {
      Conserved<double, Dim> values;
      for (std::size_t c = 0; c < Component<Dim>::count; ++c) {
        values[c] = state(cell, static_cast<int>(c));
      }
      add(values, value.fastest, value.numLow);
    }))
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION void add(
    const Conserved<double, Dim>& values, std::int64_t& fastest, std::int64_t& numLow) const {
    const Primitive<double, Dim> cell = gas.template primitive<Dim>(values);
    const double sound = gas.soundSpeed(cell);
    double rate = 0.0;
    for (int d = 0; d < Dim; ++d) {
      rate += (Kokkos::abs(cell.velocity[d]) + sound) * inverse[d];
    }
    const auto bits = Kokkos::bit_cast<std::int64_t>(Kokkos::abs(rate));
    fastest = bits > fastest ? bits : fastest;
    const bool isLow = values[Component<Dim>::density] < gas.minDensity ||
      cell.pressure <= gas.leastPressure(values[Component<Dim>::energy]);
    numLow += isLow ? 1 : 0;
  }

  SPANWISE_WIDE_VECTORS void onHost(std::int64_t begin, std::int64_t end, GreatestBits& value) const {
    const double* const first = state.values;
    const std::int64_t stride = state.componentStride;
    std::int64_t fastest = value.fastest;
    std::int64_t numLow = value.numLow;
    for (std::int64_t cell = begin; cell < end; ++cell) {
      Conserved<double, Dim> values;
      for (std::size_t c = 0; c < Component<Dim>::count; ++c) {
        values[c] = first[static_cast<std::int64_t>(c) * stride + cell];
      }
      add(values, fastest, numLow);
    }
    value.fastest = fastest;
    value.numLow = numLow;
  }
};

template <int Dim>
struct RaiseStates {
  IdealGas<double> gas;
  FieldView<double> state;

  KOKKOS_FUNCTION void operator()(std::int64_t begin, std::int64_t end) const {
    for (std::int64_t cell = begin; cell < end; ++cell) {
      Conserved<double, Dim> values;
      for (std::size_t c = 0; c < Component<Dim>::count; ++c) {
        values[c] = state(cell, static_cast<int>(c));
      }
      const Primitive<double, Dim> raised = gas.template primitive<Dim>(values);
      if (values[Component<Dim>::density] < gas.minDensity ||
        raised.pressure <= gas.leastPressure(values[Component<Dim>::energy])) {
        values = gas.conserved(raised);
        for (std::size_t c = 0; c < Component<Dim>::count; ++c) {
          state(cell, static_cast<int>(c)) = values[c];
        }
      }
    }
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
void FlowScheme<ExecutionSpace, Dim>::useLevel(
  const Context<ExecutionSpace>& context, int level, const Set& extended, const Cells& cells, const Cells& faceCells) {
  const auto index = static_cast<std::size_t>(level);
  if (width() == 1) {
    field::buildStencilMap<field::StarPattern<Dim, 1>, ExecutionSpace>(
      context, extended, {field::BoundaryPolicy::Value}, nearest_[index], faceCells);
  } else {
    field::buildStencilMap<field::StarPattern<Dim, 2>, ExecutionSpace>(
      context, extended, {field::BoundaryPolicy::Value}, wide_[index], faceCells);
  }
  field::buildStencilMap<field::LowerFacePattern<Dim>, ExecutionSpace>(
    context, extended, {field::BoundaryPolicy::Value}, lower_[index], cells);
  Field& fluxes = fluxesOf(level); // gets its memory here, where all ranks know if one has none
  fluxes.resize(std::max(fluxes.numCells(), extended.numCells()), Dim * Component<Dim>::count);
}

template <class ExecutionSpace, int Dim>
void FlowScheme<ExecutionSpace, Dim>::findFluxes(
  const Context<ExecutionSpace>& context, int level, const Field& state) {
  constexpr int count = Component<Dim>::count;
  Field& fluxes = fluxesOf(level);
  fluxes.resize(state.numCells(), Dim * count);
  withScheme(riemann_, reconstruction_, [&](auto riemann, auto slope) {
    using Slope = decltype(slope);
    const FaceFluxes<Dim, double, decltype(riemann), Slope> body{gas_};
    const auto index = static_cast<std::size_t>(level);
    if constexpr (Slope::width == 1) {
      field::forEachStencil<count, Dim * count>(context.space(), nearest_[index], state, 0.0, body, fluxes);
    } else {
      field::forEachStencil<count, Dim * count>(context.space(), wide_[index], state, 0.0, body, fluxes);
    }
  });
}

template <class ExecutionSpace, int Dim>
void FlowScheme<ExecutionSpace, Dim>::stage(const Context<ExecutionSpace>& context, int level, const Field& in,
  const double (&ratio)[Dim], double kept, Field& out) const {
  constexpr int count = Component<Dim>::count;
  const FieldView<const double> state = in.view();
  Stage<Dim, double> body{state.values, state.componentStride, {}, kept};
  std::copy(ratio, ratio + Dim, body.ratio.data());
  field::forEachStencil<Dim * count, count>(
    context.space(), lower_[static_cast<std::size_t>(level)], fluxesOf(level), 0.0, body, out);
}

template <class ExecutionSpace, int Dim>
void FlowScheme<ExecutionSpace, Dim>::takeFineFluxes(
  const Context<ExecutionSpace>& context, int level, const Jumps& jumps) {
  multilevel::passFineFluxes(context, ReadFlux<Dim, double>{std::as_const(fluxesOf(level + 1)).view()},
    ReplaceFlux<Dim, double>{fluxesOf(level).view()}, jumps);
}

template <class ExecutionSpace, int Dim>
void FlowScheme<ExecutionSpace, Dim>::addCoarseFluxes(
  const Context<ExecutionSpace>& context, int level, double dt, Register& sums) const {
  multilevel::addCoarseFluxes(context, ReadFlux<Dim, double>{fluxesOf(level).view()}, dt, sums);
}

template <class ExecutionSpace, int Dim>
void FlowScheme<ExecutionSpace, Dim>::addFineFluxes(
  const Context<ExecutionSpace>& context, int level, double dt, Register& sums) const {
  multilevel::addFineFluxes(context, ReadFlux<Dim, double>{fluxesOf(level).view()}, dt, sums);
}

template <class ExecutionSpace, int Dim>
StateCheck FlowScheme<ExecutionSpace, Dim>::check(
  const Context<ExecutionSpace>& context, const Cells& cells, const Field& state, const double (&spacing)[Dim]) const {
  CheckStates<Dim> body{gas_, state.view(), {}};
  for (int d = 0; d < Dim; ++d) {
    body.inverse[d] = 1.0 / spacing[d];
  }
  GreatestBits found;
  constexpr std::int64_t cellsPerItem = 2; // a division and a root each
  field::reduceCells(
    context.space(), SPANWISE_KERNEL("check states"), state.numCells(), cells, body, found, cellsPerItem);
  return {Kokkos::bit_cast<double>(found.fastest), found.numLow};
}

template <class ExecutionSpace, int Dim>
void FlowScheme<ExecutionSpace, Dim>::raise(
  const Context<ExecutionSpace>& context, const Cells& cells, Field& state) const {
  field::forCells(
    context.space(), SPANWISE_KERNEL("raise states"), state.numCells(), cells, RaiseStates<Dim>{gas_, state.view()});
}

template <class ExecutionSpace, int Dim>
void FlowScheme<ExecutionSpace, Dim>::tell(const Context<ExecutionSpace>& context, int level, const Field& state,
  const double (&spacing)[Dim], Field& out) const {
  constexpr int count = Component<Dim>::count;
  const auto with = [&]<class Pattern>(const field::StencilMap<Pattern, Memory>& map) {
    CellValues<Dim, Pattern, double> body{gas_, {}};
    for (int d = 0; d < Dim; ++d) {
      body.half[d] = 0.5 / spacing[d];
    }
    field::forEachStencil<count, FlowValue<Dim>::count>(context.space(), map, state, 0.0, body, out);
  };
  const auto index = static_cast<std::size_t>(level);
  width() == 1 ? with(nearest_[index]) : with(wide_[index]);
}

template <class ExecutionSpace, int Dim>
ForceSum<Dim> FlowScheme<ExecutionSpace, Dim>::force(const Context<ExecutionSpace>& context, const Set& cells,
  const Set& extended, const Field& state, const double (&spacing)[Dim]) const {
  double area[Dim];
  for (int d = 0; d < Dim; ++d) {
    area[d] = 1.0;
    for (int e = 0; e < Dim; ++e) {
      area[d] *= e == d ? 1.0 : spacing[e];
    }
  }
  ForceSum<Dim> result;
  withScheme(riemann_, reconstruction_, [&](auto riemann, auto slope) {
    PushWalls<Dim, decltype(riemann), decltype(slope)> body{gas_, cells.view(), extended.view(), state.view(), {}};
    std::copy(area, area + Dim, body.area);
    reduce(SPANWISE_KERNEL("push walls"), IndexRange<ExecutionSpace>(context.space(), 0, cells.numIntervals()), body,
      result, Work{cells.numCells() * 4 * Dim});
  });
  return result;
}

#define SPANWISE_FLOW_SCHEME(Space, Dim) template class FlowScheme<Space, Dim>;
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_FLOW_SCHEME)

} // namespace spanwise::flow::detail
