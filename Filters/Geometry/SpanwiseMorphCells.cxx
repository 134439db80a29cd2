#include "SpanwiseMorphCells.h"

#include "SpanwiseAlignedInputs.h"
#include "SpanwiseComputeOnSide.h"
#include "SpanwisePeriods.h"

#include "Core/Geometry/DomainMorphology.hpp"
#include "Core/Runtime/Context.hpp"

#include <vtkUnstructuredGrid.h>

using namespace spanwise::geometry;
using namespace spanwise::parallel;

namespace spanwise {

template <int Dim>
void morphCells(const RankGroup& group, const MorphologyChoice<Dim>& choice, RankCells<Dim>& cells,
  const GridPlacement& placement, const Progress& progress, vtkUnstructuredGrid* output) {
  const PlaneRange owned = group.streams() ? PlaneRange() : distribute(group, cells);
  group.agree([&] { progress.report(0.2); });
  RankCells<Dim> result;
  const SetDomain<Dim> domain = domainOf<Dim>(group, owned, choice.periods);
  computeOnSide<Dim>(
    group, "Morphology", sideInputsOf<Dim>(cells), [&]<ComputeSide side>(const SideContext<side>& context) {
      using Space = SpaceOf<side>;
      IntervalSetOn<Dim, Space> out;
      morph<Space, Dim>(context, choice.operation, cells.set.template on<side>(), choice.element, out, domain);
      result.set = MirroredSet<Dim>::template of<side>(out);
    });
  group.agree([&] {
    progress.report(0.7);
    carryValues<Dim>({cells}, result);
    cells = {};
  });
  const PlaneRange mine = distribute(group, result);
  group.agree([&] { setCells(output, result, placement, mine); });
}

template void morphCells<2>(const RankGroup&, const MorphologyChoice<2>&, RankCells<2>&, const GridPlacement&,
  const Progress&, vtkUnstructuredGrid*);
template void morphCells<3>(const RankGroup&, const MorphologyChoice<3>&, RankCells<3>&, const GridPlacement&,
  const Progress&, vtkUnstructuredGrid*);

} // namespace spanwise
