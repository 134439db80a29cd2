#include "SpanwiseMorphCells.h"

#include "SpanwiseAlignedInputs.h"
#include "SpanwisePeriods.h"

#include "Core/Geometry/Slab.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <string>

using namespace spanwise::geometry;
using namespace spanwise::parallel;

namespace spanwise {

namespace {

using Host = HostExecutionSpace;

/// The operation on the cells of this rank and its halo, as far as the rank owns the result.
template <int Dim>
HostIntervalSet<Dim> morphedSlab(MorphologyOperation operation, const StructuringElement<Dim>& element,
  const Periods<Dim>& periods, const PlaneRange& owned, const HostIntervalSet<Dim>& around) {
  const Context<Host> context;
  HostIntervalSet<Dim> result;
  morph<Host, Dim>(context, operation, around, element, withoutSlowest(periods), result);
  const Halo halo = haloOf<Dim>(0, periods);
  restrictRows<Host, Dim>(context, result, halo.periodic() ? owned.within(halo.period) : owned, result);
  return result;
}

/// Throws if a halo goes around a period so often that the copies of the planes would fill the memory.
void checkTurns(const Halo& halo) {
  constexpr std::int64_t most = 1024;
  if (halo.periodic() && halo.planes / halo.periodLength() >= most) {
    throw InvalidArgument("the element reaches over " + std::to_string(halo.planes) + " planes and the period has " +
      std::to_string(halo.periodLength()) + "; it must reach over less than " + std::to_string(most) +
      " periods along the slowest axis");
  }
}

} // namespace

template <int Dim>
void morphCells(const RankGroup& group, MorphologyOperation operation, const StructuringElement<Dim>& element,
  const Periods<Dim>& periods, RankCells<Dim>& cells, const GridPlacement& placement, const Progress& progress,
  vtkUnstructuredGrid* output) {
  const PlaneRange owned = group.streams() ? PlaneRange() : distribute(group, cells);
  const MorphologyReach<Dim> reach = reachOf(operation, element);
  const Halo halo = haloOf<Dim>(std::max(reach.below.at[Dim - 1], reach.above.at[Dim - 1]), periods);
  checkTurns(halo);
  RankCells<Dim> around; // the set alone: values need not travel
  around.set = cells.set;
  addHalo(group, owned, around, halo);
  RankCells<Dim> result;
  group.agree([&] {
    progress.report(0.2);
    result.set = morphedSlab<Dim>(operation, element, periods, owned, around.set);
    around = {};
    progress.report(0.7);
    carryValues<Dim>({cells}, result);
    cells = {};
  });
  const PlaneRange mine = distribute(group, result);
  group.agree([&] { setCells(output, result, placement, mine); });
}

template void morphCells<2>(const RankGroup&, MorphologyOperation, const StructuringElement<2>&, const Periods<2>&,
  RankCells<2>&, const GridPlacement&, const Progress&, vtkUnstructuredGrid*);
template void morphCells<3>(const RankGroup&, MorphologyOperation, const StructuringElement<3>&, const Periods<3>&,
  RankCells<3>&, const GridPlacement&, const Progress&, vtkUnstructuredGrid*);

} // namespace spanwise
