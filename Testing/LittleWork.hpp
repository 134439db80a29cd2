#pragma once

#include "Core/Runtime/Reduce.hpp"
#include "Testing/Rooms.hpp"

#include <gtest/gtest.h>

namespace spanwise::testing {

/// What a test takes for little work is its own matter (shareLittleWork()): the next begins with what users have.
class RestoreLittleWork : public ::testing::EmptyTestEventListener {
public:
  void OnTestEnd(const ::testing::TestInfo& /*test*/) override {
    spanwise::detail::littleWork() = before_;
    spanwise::detail::itemsOfOneTeam() = itemsBefore_;
  }

private:
  Work before_ = spanwise::detail::littleWork();
  std::int64_t itemsBefore_ = spanwise::detail::itemsOfOneTeam();
};

inline void restoreLittleWork() { ::testing::UnitTest::GetInstance()->listeners().Append(new RestoreLittleWork); }

} // namespace spanwise::testing
