// A user's own functors in kernels of Spanwise: the cells inside a torus, those of them that a ball does not cover, and
// a stencil on these: how many faces each cell shares with another.

#include <Core/Field/Arithmetic.hpp>
#include <Core/Field/Reductions.hpp>
#include <Core/Field/Stencil.hpp>
#include <Core/Geometry/Algebra.hpp>
#include <Core/Geometry/Builders/Ball.hpp>
#include <Core/Geometry/Builders/Predicate.hpp>
#include <Core/Geometry/Measures.hpp>
#include <Core/Runtime/Context.hpp>
#include <Core/Runtime/Runtime.hpp>

#include <cstdio>

struct InsideTorus {
  double ring;
  double tube;

  KOKKOS_FUNCTION bool operator()(const spanwise::geometry::Cell<3>& cell) const {
    const double x = cell.at[0] + 0.5;
    const double y = cell.at[1] + 0.5;
    const double z = cell.at[2] + 0.5;
    const double fromRing = Kokkos::sqrt(x * x + y * y) - ring;
    return fromRing * fromRing + z * z <= tube * tube;
  }
};

struct SumOfFaceNeighbours {
  KOKKOS_FUNCTION double operator()(
    const spanwise::field::StencilPoint<spanwise::field::FacePattern<3>, double>& p) const {
    return p.west() + p.east() + p.south() + p.north() + p.down() + p.up();
  }
};

int main() {
  spanwise::startRuntime();
  using Space = Kokkos::DefaultExecutionSpace;
  const Space space;
  const spanwise::Context context(space);

  const spanwise::geometry::Box<3> box{{-80, -80, -80}, {80, 80, 80}};
  spanwise::geometry::IntervalSetOn<3, Space> torus;
  spanwise::geometry::makeFromPredicate<Space, 3>(context, box, InsideTorus{50.0, 20.0}, torus);
  spanwise::geometry::IntervalSetOn<3, Space> ball;
  spanwise::geometry::makeBall<Space, 3>(context, {{50.0, 0.0, 0.0}, 30.0}, ball);
  spanwise::geometry::IntervalSetOn<3, Space> cut;
  spanwise::geometry::combine<Space, 3>(context, spanwise::geometry::SetOperation::Difference, torus, ball, cut);

  // The map of neighbours is made once for a set; a cell that is not in it counts 0.
  spanwise::field::StencilMapOn<spanwise::field::FacePattern<3>, Space> map;
  spanwise::field::buildStencilMap<spanwise::field::FacePattern<3>, Space>(
    context, cut, {spanwise::field::BoundaryPolicy::Value}, map);
  spanwise::field::FieldOn<double, Space> ones("ones", cut.numCells());
  spanwise::field::FieldOn<double, Space> shared("shared faces", cut.numCells());
  spanwise::field::fill(context, ones, 1.0);
  spanwise::field::applyStencil(space, map, ones, 0.0, SumOfFaceNeighbours{}, shared);
  const double faces = spanwise::field::sum(context, shared);

  const double pi = 3.14159265358979;
  std::printf("torus: %lld cells, %.0f by its volume 2 pi^2 R r^2\n", static_cast<long long>(torus.numCells()),
    2.0 * pi * pi * 50.0 * 20.0 * 20.0);
  std::printf("cut:   %lld cells in %lld intervals\n", static_cast<long long>(cut.numCells()),
    static_cast<long long>(cut.numIntervals()));
  std::printf("       each shares %.2f of its 6 faces\n", faces / static_cast<double>(cut.numCells()));
  std::printf("%s", spanwise::toString(spanwise::runtimeReport()).c_str());
  const bool isRight =
    cut.numCells() > 0 && cut.numCells() < torus.numCells() && faces < 6.0 * static_cast<double>(cut.numCells());
  return isRight ? 0 : 1;
}
