#pragma once

#include "Core/Runtime/Reduce.hpp"

#include <gtest/gtest.h>

namespace spanwise::testing {

/// What a test takes for little work is its own matter (shareLittleWork()): the next begins with what users have.
class RestoreLittleWork : public ::testing::EmptyTestEventListener {
public:
  void OnTestEnd(const ::testing::TestInfo& /*test*/) override { detail::littleWork() = before_; }

private:
  Work before_ = detail::littleWork();
};

inline void restoreLittleWork() { ::testing::UnitTest::GetInstance()->listeners().Append(new RestoreLittleWork); }

} // namespace spanwise::testing
