#pragma once

// Lists for ranks, and their exchange.

#include "Core/Runtime/Communicator.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

namespace spanwise::parallel {

/// Values for ranks, one rank's after the other's.
template <class T>
struct ByRank {
  std::vector<T> values;
  std::vector<std::int64_t> first; ///< [ranks + 1]

  [[nodiscard]] std::span<const T> of(int rank) const {
    const auto r = static_cast<std::size_t>(rank);
    return std::span<const T>(values).subspan(
      static_cast<std::size_t>(first[r]), static_cast<std::size_t>(first[r + 1] - first[r]));
  }
};

/// Sorts values by the ranks that they are for, in their order for each.
template <class T>
ByRank<T> sortedByRank(const std::vector<T>& values, const std::vector<int>& ranks, int numRanks) {
  ByRank<T> sorted;
  sorted.first.assign(static_cast<std::size_t>(numRanks) + 1, 0);
  for (const int rank : ranks) {
    ++sorted.first[static_cast<std::size_t>(rank) + 1];
  }
  std::partial_sum(sorted.first.begin(), sorted.first.end(), sorted.first.begin());
  std::vector<std::int64_t> next = sorted.first;
  sorted.values.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    sorted.values[static_cast<std::size_t>(next[static_cast<std::size_t>(ranks[i])]++)] = values[i];
  }
  return sorted;
}

/// Collective. Brings each rank what the others have for it, copied as bytes.
template <class T>
ByRank<T> exchanged(const Communicator& communicator, const ByRank<T>& mine) {
  static_assert(std::is_trivially_copyable_v<T>, "values are sent as bytes");
  const int size = communicator.size();
  const int me = communicator.rank();
  std::vector<std::int64_t> counts(static_cast<std::size_t>(size));
  std::adjacent_difference(mine.first.begin() + 1, mine.first.end(), counts.begin());
  const std::vector<std::int64_t> all = communicator.gather(std::span<const std::int64_t>(counts));
  ByRank<T> theirs;
  theirs.first.assign(1, 0);
  for (int r = 0; r < size; ++r) {
    theirs.first.push_back(
      theirs.first.back() + all[static_cast<std::size_t>(r) * counts.size() + static_cast<std::size_t>(me)]);
  }
  theirs.values.resize(static_cast<std::size_t>(theirs.first.back()));
  std::vector<OutgoingMessage> sends;
  std::vector<IncomingMessage> receives;
  for (int r = 0; r < size; ++r) {
    T* const to = theirs.values.data() + theirs.first[static_cast<std::size_t>(r)];
    const std::span<const T> out = mine.of(r);
    const std::size_t in = theirs.of(r).size_bytes();
    if (r == me) {
      std::copy(out.begin(), out.end(), to);
      continue;
    }
    if (!out.empty()) {
      sends.push_back({r, out.data(), out.size_bytes()});
    }
    if (in > 0) {
      receives.push_back({r, to, in});
    }
  }
  const auto exchange = communicator.makeExchange();
  exchange->start(sends, receives);
  exchange->finish();
  return theirs;
}

} // namespace spanwise::parallel
