// Union and dilation of a porous medium of 10^9 cells, as strong scaling: planes are dealt out evenly.

#include "Benchmarks/MultiGpu/Run.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Predicate.hpp"
#include "Core/Geometry/DomainMorphology.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Geometry/Translate.hpp"
#include "Core/Parallel/Cut.hpp"

#include <cmath>

namespace spanwise::benchmarks {
namespace {

/// Outside of balls on a lattice of 16 cells that touch each other, which are moved by so many cells.
struct IsPore {
  Coordinate moved;

  KOKKOS_FUNCTION bool operator()(const Cell<3>& cell) const {
    double square = 0.0;
    for (const Coordinate at : cell.at) {
      const double x = ((at + moved) % 16) - 7.5;
      square += x * x;
    }
    return square > 64.0;
  }
};

} // namespace

void measureSets(const Run& run) {
  const int edge = run.edge(1280); // of which half are pores
  const Context<Space>& context = run.context();
  const RowCut cut = equalCut({0, edge}, run.ranks().size());
  const Box<3> mine = inPlanes(Box<3>{{0, 0, 0}, {edge, edge, edge}}, cut.part(run.ranks().rank()));
  IntervalSetOn<3, Space> pores;
  IntervalSetOn<3, Space> others;
  makeFromPredicate<Space, 3>(context, mine, IsPore{0}, pores);
  makeFromPredicate<Space, 3>(context, mine, IsPore{5}, others);
  const auto total = [&](std::int64_t mineAlone) {
    return static_cast<double>(run.ranks().reduced(ReduceBy::Sum, mineAlone));
  };
  const double cells = total(pores.numCells());
  const Run::Figures figures{{"intervals", total(pores.numIntervals())}};
  IntervalSetOn<3, Space> out;
  run.write("sets", "union", cells,
    run.costOf([&] { combine<Space, 3>(context, SetOperation::Union, pores, others, out); }), figures);
  others = {};
  const SetDomain<3> domain(run.ranks(), cut);
  run.write("sets", "dilation", cells, run.costOf([&] {
    morph<Space, 3>(context, MorphologyOperation::Dilate, pores, StructuringElement<3>::box({{1, 1, 1}}), out, domain);
  }),
    figures);
}

} // namespace spanwise::benchmarks
