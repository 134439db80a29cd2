#pragma once

// Frames where the device's memory ends on one rank alone.

#include "Testing/Filters/Parallel/Flows.hpp"
#include "Testing/Filters/WithoutMemory.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace spanwise::testing {

/// Expects of a flow on the device's side the cells of frame 2 that there always are where one rank alone, the last,
/// has no memory on the device for an allocation on the way from frame 1 to it: each in turn, or every `stride`-th
/// where not all is tested. All ranks go on on the host then.
template <class Make>
void expectSameWithoutMemoryOnOneRank(int stride, const Make& make, std::span<const char* const> names) {
  const Forced forced(SideChoice::Device);
  const auto whole = make();
  updateAt(whole, 2.0);
  const FlowCells expected = cellsOf(whole, names);
  const bool isDenied = everybody().rank() == everybody().size() - 1;
  std::int64_t numFailed = 0;
  bool hasFailed = true;
  for (int k = 0; hasFailed; k += isExhaustive() ? 1 : stride) {
    SCOPED_TRACE("allocation " + std::to_string(k));
    const Messages messages;
    const auto flow = make();
    updateAt(flow, 1.0);
    {
      std::optional<FailedAllocation> denied;
      if (isDenied) {
        denied.emplace(k);
      }
      updateAt(flow, 2.0);
      hasFailed = everybody().sum(denied && denied->hasFailed() ? 1 : 0) > 0;
    }
    numFailed += hasFailed ? 1 : 0;
    EXPECT_TRUE(messages.all().empty()) << messages.all()[0];
    ASSERT_EQ(everybody().sum(cellsOf(flow, names) == expected ? 0 : 1), 0); // of all ranks: they go on together
  }
  EXPECT_GT(numFailed, 0) << "nothing was allocated";
}

} // namespace spanwise::testing
