#include "SpanwiseComputeOnSide.h"

namespace spanwise {

ChosenSide sideOnRanks(const RankGroup& group, const SideWork& mine) {
  ChosenSide chosen;
  group.agree([&] { chosen = sideFor(mine); });
  if (!group.alone()) { // where one rank has much to do, the others wait for it anyway
    const bool onDevice = group.maximum(static_cast<std::int64_t>(chosen.side == ComputeSide::Device)) != 0;
    if (onDevice && chosen.side == ComputeSide::Host) {
      chosen = {ComputeSide::Device, "other ranks are there"};
    }
  }
  return chosen;
}

} // namespace spanwise
