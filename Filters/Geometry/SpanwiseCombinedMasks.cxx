#include "SpanwiseCombinedMasks.h"

#include "SpanwiseAlignedInputs.h"
#include "SpanwiseComputeOnSide.h"
#include "SpanwiseSide.h"

#include "Core/Geometry/CellMask.hpp"
#include "Core/Runtime/Context.hpp"

#include <vtkDataSetAttributes.h>

#include <cstdint>

using namespace spanwise::geometry;

namespace spanwise {

template <int Dim>
bool combineAsMasks(const RankGroup& group, const char* name, SetOperation operation,
  const std::vector<RankCells<Dim>>& inputs, MirroredSet<Dim>& out) {
  const ChosenSide chosen = sideOnRanks(group, sideInputsOf<Dim>(inputs).work());
  if (!group.alone() || group.pieces() > 1 || chosen.side != ComputeSide::Host) {
    return false;
  }
  std::vector<const CellMask<Dim>*> masks;
  std::int64_t numIntervals = 0;
  for (const RankCells<Dim>& input : inputs) {
    masks.push_back(input.values->GetNumberOfArrays() == 0 ? input.set.mask() : nullptr);
    if (masks.back() == nullptr) {
      return false;
    }
    numIntervals += input.set.numIntervals();
  }
  if (!isNoise<Dim>(numIntervals, boxOfCombined<Dim>(operation, masks))) {
    return false;
  }
  const Context<HostExecutionSpace> context;
  CellMask<Dim> mask;
  combine<Dim>(context, operation, masks, mask);
  out = MirroredSet<Dim>::ofMask(mask);
  noteSide(name, chosen);
  return true;
}

#define SPANWISE_COMBINED_MASKS(Dim)                                                                                   \
  template bool combineAsMasks<Dim>(                                                                                   \
    const RankGroup&, const char*, SetOperation, const std::vector<RankCells<Dim>>&, MirroredSet<Dim>&);
SPANWISE_COMBINED_MASKS(2)
SPANWISE_COMBINED_MASKS(3)

} // namespace spanwise
