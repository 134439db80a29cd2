#include "Core/Solvers/Lattice/FluidValues.hpp"

#include "Core/Field/Stencil.hpp"
#include "Core/Geometry/CommonCells.hpp"
#include "Core/Solvers/Lattice/Detail/FluidDerivatives.hpp"

namespace spanwise::lattice::detail {

namespace {

template <int Dim>
struct FindDerivatives {
  using Pattern = field::FacePattern<Dim>;
  using Point = field::StencilPoint<Pattern, double, Dim + 1>;
  using Value = FluidValue<Dim>;

  /// 2 for a wall's velocity and -1 for the cell's are the velocity beyond; 1 for the cell's where nothing holds it.
  double wall[2 * Dim][Dim];
  bool isWall[2 * Dim];
  double cellsInUnit;

  KOKKOS_FUNCTION void operator()(const Point& point, const field::StencilOutput<double, Value::count>& out) const {
    double slope[Dim][Dim]; // [along][component]
    for (int axis = 0; axis < Dim; ++axis) {
      for (int c = 0; c < Dim; ++c) {
        slope[axis][c] = 0.5 * cellsInUnit * (beside(point, axis, true, c) - beside(point, axis, false, c));
      }
    }
    for (int c = 0; c <= Dim; ++c) {
      out(c) = point.centre(c);
    }
    double products = 0.0;
    for (int a = 0; a < Dim; ++a) {
      for (int b = 0; b < Dim; ++b) {
        products += slope[a][b] * slope[b][a];
      }
    }
    out(Value::qCriterion) = -0.5 * products;
    if constexpr (Dim == 2) {
      out(Value::vorticity) = slope[0][1] - slope[1][0];
    } else {
      for (int d = 0; d < 3; ++d) {
        out(Value::vorticity + d) = slope[(d + 1) % 3][(d + 2) % 3] - slope[(d + 2) % 3][(d + 1) % 3];
      }
    }
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION double beside(const Point& point, int axis, bool upper, int c) const {
    const int n = Pattern::index(axis, 1, upper);
    if (point.has(n)) {
      return point.neighbour(n, c + 1);
    }
    const double here = point.centre(c + 1);
    const field::DomainSides crossed = point.crossed(n);
    if (crossed.none()) {
      return -here; // an obstacle
    }
    const int side = 2 * axis + static_cast<int>(upper);
    return isWall[side] ? 2.0 * wall[side][c] - here : here;
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
void FluidDerivatives<ExecutionSpace, Dim>::build(const Context<ExecutionSpace>& context, const Set& set,
  const Set& cells, const LatticeOptions<Dim>& options, const field::Boundary<Dim>& boundary) {
  commonCells<ExecutionSpace, Dim>(context, set, cells, toCells_);
  commonCells<ExecutionSpace, Dim>(context, cells, set, fromCells_);
  field::buildStencilMap<field::FacePattern<Dim>, ExecutionSpace>(context, set, boundary, map_, toCells_);
  sides_ = options.sides;
  moments_ = Field("moments and halo", set.numCells(), Dim + 1);
  found_ = Field("values and halo", set.numCells(), FluidValue<Dim>::count);
}

template <class ExecutionSpace, int Dim>
void FluidDerivatives<ExecutionSpace, Dim>::find(
  const Context<ExecutionSpace>& context, double cellsInUnit, Field& values) {
  FindDerivatives<Dim> body{};
  body.cellsInUnit = cellsInUnit;
  for (int side = 0; side < 2 * Dim; ++side) {
    const SideCondition<Dim>& is = sides_[static_cast<std::size_t>(side)];
    body.isWall[side] = is.side == Side::Wall;
    std::copy(is.velocity, is.velocity + Dim, body.wall[side]);
  }
  field::forEachStencil<Dim + 1, FluidValue<Dim>::count>(context.space(), map_, moments_, 0.0, body, found_);
  remap<ExecutionSpace, double>(context, toCells_, found_, 0.0, values);
}

#define SPANWISE_FLUID_DERIVATIVES(Space, Dim) template class FluidDerivatives<Space, Dim>;
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_FLUID_DERIVATIVES)

} // namespace spanwise::lattice::detail
