// Union and dilation of a porous medium of 10^9 cells, as strong scaling: planes are dealt out evenly.

#include "Benchmarks/MultiGpu/Run.hpp"
#include "Benchmarks/Pores.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Predicate.hpp"
#include "Core/Geometry/DomainMorphology.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Parallel/Cut.hpp"

namespace spanwise::benchmarks {

void measureSets(const Run& run) {
  const int edge = run.edge(1280); // of which half are pores
  const Context<Space>& context = run.context();
  const RowCut cut = equalCut({0, edge}, run.ranks().size());
  const Box<3> mine = inPlanes(Box<3>{{0, 0, 0}, {edge, edge, edge}}, cut.part(run.ranks().rank()));
  IntervalSetOn<3, Space> pores;
  IntervalSetOn<3, Space> others;
  makeFromPredicate<Space, 3>(context, mine, IsPore{0}, pores);
  makeFromPredicate<Space, 3>(context, mine, IsPore{5}, others);
  const auto cells = static_cast<double>(run.ranks().reduced(ReduceBy::Sum, pores.numCells()));
  IntervalSetOn<3, Space> out;
  run.write(
    "sets", "union", cells, run.costOf([&] { combine<Space, 3>(context, SetOperation::Union, pores, others, out); }));
  others = {};
  const SetDomain<3> domain(run.ranks(), cut);
  run.write("sets", "dilation", cells, run.costOf([&] {
    morph<Space, 3>(context, MorphologyOperation::Dilate, pores, StructuringElement<3>::box({{1, 1, 1}}), out, domain);
  }));
}

} // namespace spanwise::benchmarks
