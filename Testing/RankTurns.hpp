#pragma once

// Tests on every number of ranks in one program: neither are programs started for each, nor is what results are
// compared with made for each.

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <iostream>
#include <map>
#include <utility>
#include <vector>

namespace spanwise::testing {

inline std::size_t turnNow = 0; ///< set by RankTurns

/// What make() returns, which must be the same on any number of ranks: made in the first turn, and kept for the later
/// ones of this test, which ask in the same order.
template <class Make>
const auto& keptForLaterTurns(const Make& make) {
  struct Kept {
    std::deque<decltype(make())> results;
    std::size_t next = 0;
    std::size_t turn = 0;
  };
  static std::map<const ::testing::TestInfo*, Kept> ofTests;
  Kept& kept = ofTests[::testing::UnitTest::GetInstance()->current_test_info()];
  if (kept.turn != turnNow) {
    kept.turn = turnNow;
    kept.next = 0;
  }
  if (kept.next == kept.results.size()) {
    kept.results.push_back(make());
  }
  return kept.results[kept.next++];
}

/// On how many ranks all tests run next: GoogleTest repeats them, once for each turn. Tells where a test failed.
class RankTurns : public ::testing::EmptyTestEventListener {
public:
  struct Turn {
    int size;
    std::function<void()> enter;
  };
  RankTurns(int rank, std::vector<Turn> turns) : rank_(rank), turns_(std::move(turns)) {}

  void OnTestIterationStart(const ::testing::UnitTest& /*unitTest*/, int iteration) override {
    turnNow = static_cast<std::size_t>(iteration);
    turns_[turnNow].enter();
    if (rank_ == 0) {
      std::cout << "on " << turns_[turnNow].size << (turns_[turnNow].size == 1 ? " rank" : " ranks") << std::endl;
    }
  }
  void OnTestPartResult(const ::testing::TestPartResult& result) override {
    if (result.failed()) {
      std::cout << "on rank " << rank_ << " of " << turns_[turnNow].size << std::endl;
    }
  }

private:
  int rank_;
  std::vector<Turn> turns_;
};

/// Runs all tests on all ranks of a program, then on all but the last, which is done, and so on down to one rank. Rank
/// 0 tells how it goes, the others what failed. Returns what RUN_ALL_TESTS() does.
///
/// Collective. split(isIn), collective too, gives the ranks that are in, to those that are, and enter(ranks) makes them
/// the world.
template <class Split, class Enter>
int runInTurns(int rank, int size, const Split& split, const Enter& enter) {
  std::vector<RankTurns::Turn> turns;
  for (int count = size; count > 0; --count) {
    const auto ranks = split(rank < count);
    if (rank < count) {
      turns.push_back({count, [=] { enter(ranks); }});
    }
  }
  ::testing::GTEST_FLAG(brief) = rank != 0;
  ::testing::GTEST_FLAG(repeat) = static_cast<int>(turns.size());
  RankTurns listener(rank, std::move(turns));
  ::testing::UnitTest::GetInstance()->listeners().Append(&listener);
  const int failed = RUN_ALL_TESTS();
  ::testing::UnitTest::GetInstance()->listeners().Release(&listener);
  return failed;
}

} // namespace spanwise::testing
