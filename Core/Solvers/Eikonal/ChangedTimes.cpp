#include "Core/Solvers/Eikonal/ChangedTimes.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/SetAll.hpp"
#include "Core/Solvers/Eikonal/Detail/FrontUpdate.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace spanwise::eikonal {

namespace {

struct ClearCounts {
  std::int64_t* counts;
  KOKKOS_FUNCTION void operator()(std::int64_t n) const { counts[n] = 0; }
};

template <class T, class Memory>
Kokkos::View<T*, Memory> reserved(std::size_t length) {
  return Kokkos::View<T*, Memory>(
    Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Eikonal::ChangedTimes")), length);
}

/// One message for the counts of all links to a rank.
template <class Link, class Message>
void addCounts(const std::vector<Link>& links, std::vector<std::int64_t>& counts, std::vector<Message>& messages) {
  for (std::size_t k = 0; k < links.size(); ++k) {
    if (k > 0 && links[k].rank == links[k - 1].rank) {
      messages.back().bytes += sizeof(std::int64_t);
    } else {
      messages.push_back({links[k].rank, &counts[k], sizeof(std::int64_t)});
    }
  }
}

} // namespace

template <class ExecutionSpace, class T>
void ChangedTimes<ExecutionSpace, T>::Side::setUp(const std::vector<Link>& links) {
  first.push_back(0);
  for (const Link& link : links) {
    ranks.push_back(link.rank);
    first.push_back(first.back() + link.length);
  }
  counts.resize(links.size());
  places = reserved<std::int32_t, Memory>(static_cast<std::size_t>(first.back()));
  times = reserved<T, Memory>(static_cast<std::size_t>(first.back()));
}

template <class ExecutionSpace, class T>
ChangedTimes<ExecutionSpace, T>::ChangedTimes(const ExecutionSpace& space, const Communicator& communicator,
  const std::vector<Link>& out, const std::vector<Link>& in)
  : counts_(communicator.makeExchange()), messenger_(communicator) {
  using Host = Kokkos::View<const std::int64_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  parallel::agree(communicator, [&] {
    out_.setUp(out);
    in_.setUp(in);
    addCounts(out, out_.counts, countsSent_);
    addCounts(in, in_.counts, countsReceived_);
    firstThere_ = reserved<std::int64_t, Memory>(out_.first.size());
    countsThere_ = reserved<std::int64_t, Memory>(out.size());
    Kokkos::deep_copy(firstThere_, Host(out_.first.data(), out_.first.size()));
    outbox_ = {firstThere_.data(), countsThere_.data(), out_.places.data(), out_.times.data()};
  });
  std::adjacent_difference(out_.first.begin() + 1, out_.first.end(), out_.counts.begin());
  exchangeCounts();
  parallel::agree(communicator, [&] {
    for (std::size_t k = 0; k < in.size(); ++k) {
      if (in_.counts[k] != in[k].length) {
        throw InvalidArgument("rank " + std::to_string(communicator.rank()) + " has " + std::to_string(in[k].length) +
          " vertices or cells in common with rank " + std::to_string(in[k].rank) + ", which has " +
          std::to_string(in_.counts[k]) + " with it: both must have the same");
      }
    }
  });
  // As much as there can ever be, so that later exchanges find all memory there.
  setAll(space, out_.places, 0);
  setAll(space, out_.times, T{});
  exchangeTimes(space);
  space.fence(SPANWISE_LABEL("Eikonal::ChangedTimes"));
}

template <class ExecutionSpace, class T>
void ChangedTimes<ExecutionSpace, T>::clear(const ExecutionSpace& space) {
  forEach(SPANWISE_KERNEL("clear counts"), IndexRange<ExecutionSpace>(space, 0, countsThere_.extent(0)),
    ClearCounts{countsThere_.data()});
}

template <class ExecutionSpace, class T>
void ChangedTimes<ExecutionSpace, T>::exchange(const ExecutionSpace& space) {
  if (!isConnected()) {
    return;
  }
  if constexpr (runsOnHost<ExecutionSpace>) { // what copies in Kokkos may allocate
    space.fence(SPANWISE_LABEL("Eikonal::counts"));
    std::copy_n(countsThere_.data(), out_.counts.size(), out_.counts.data());
  } else {
    using Host = Kokkos::View<std::int64_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    Kokkos::deep_copy(space, Host(out_.counts.data(), out_.counts.size()), countsThere_);
    space.fence(SPANWISE_LABEL("Eikonal::counts"));
  }
  exchangeCounts();
  exchangeTimes(space);
}

template <class ExecutionSpace, class T>
void ChangedTimes<ExecutionSpace, T>::exchangeCounts() {
  counts_->start(countsSent_, countsReceived_);
  counts_->finish();
  ++numCountExchanges_;
}

template <class ExecutionSpace, class T>
void ChangedTimes<ExecutionSpace, T>::exchangeTimes(const ExecutionSpace& space) {
  for (std::size_t k = 0; k < out_.ranks.size(); ++k) {
    messenger_.send(out_.ranks[k], out_.times.data() + out_.first[k], out_.counts[k]);
    messenger_.send(out_.ranks[k], out_.places.data() + out_.first[k], out_.counts[k]);
  }
  for (std::size_t k = 0; k < in_.ranks.size(); ++k) {
    messenger_.receive(in_.ranks[k], in_.times.data() + in_.first[k], in_.counts[k]);
    messenger_.receive(in_.ranks[k], in_.places.data() + in_.first[k], in_.counts[k]);
  }
  messenger_.start(space);
  messenger_.finish(space);
}

template <class ExecutionSpace, class T>
parallel::MessageReport ChangedTimes<ExecutionSpace, T>::report() const {
  parallel::MessageReport report = messenger_.report();
  report.exchanges += numCountExchanges_;
  report.messages += numCountExchanges_ * static_cast<std::int64_t>(countsSent_.size());
  report.bytes += numCountExchanges_ * static_cast<std::int64_t>(out_.ranks.size() * sizeof(std::int64_t));
  return report;
}

#define SPANWISE_CHANGED_TIMES(Space)                                                                                  \
  template class ChangedTimes<Space>;                                                                                  \
  template class ChangedTimes<Space, FrontTime>;
SPANWISE_FOR_EACH_SPACE(SPANWISE_CHANGED_TIMES)

} // namespace spanwise::eikonal
