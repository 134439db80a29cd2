#include "Core/Solvers/Eikonal/RankBorder.hpp"

#include "Core/Geometry/Detail/Range.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Solvers/Eikonal/Detail/Fronts.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <string>

namespace spanwise::eikonal {

namespace {

using spanwise::detail::forEach;
using spanwise::detail::Range;

struct ClearCounts {
  std::int64_t* counts;
  KOKKOS_FUNCTION void operator()(std::int64_t n) const { counts[n] = 0; }
};

/// Puts times that fell into the places of the neighbours that have the same vertices.
struct CollectTimes {
  fronts::Fronts fronts;
  const std::int32_t* vertices;
  const std::int32_t* neighbours;
  const std::int64_t* firstSlot;
  std::int64_t* counts;
  std::int32_t* slotsOut;
  double* timesOut;

  KOKKOS_FUNCTION void operator()(std::int64_t slot) const {
    const std::int32_t v = vertices[slot];
    if (fronts.touched[v] == 0) {
      return;
    }
    const std::int32_t n = neighbours[slot];
    const std::int64_t place = firstSlot[n] + Kokkos::atomic_fetch_add(&counts[n], std::int64_t{1});
    slotsOut[place] = static_cast<std::int32_t>(slot - firstSlot[n]);
    timesOut[place] = fronts.next[v];
  }
};

/// Lowers times to what came from a neighbour, whose slots begin with the pointers here.
struct LowerTimes {
  fronts::Fronts fronts;
  const std::int32_t* vertices;
  const std::int32_t* slotsIn;
  const double* timesIn;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const { fronts.lower(vertices[slotsIn[i]], timesIn[i]); }
};

struct TakeAll {
  const std::int32_t* vertices;
  const double* times;
  double* timesOut;

  KOKKOS_FUNCTION void operator()(std::int64_t slot) const { timesOut[slot] = times[vertices[slot]]; }
};

struct LowerAll {
  const std::int32_t* vertices;
  const double* timesIn;
  double* times;

  KOKKOS_FUNCTION void operator()(std::int64_t slot) const {
    Kokkos::atomic_fetch_min(&times[vertices[slot]], timesIn[slot]);
  }
};

struct CountReached {
  const std::int32_t* vertices;
  const double* times;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const {
    count += times[vertices[i]] < notReached ? 1 : 0;
  }
};

template <class T, class Memory>
Kokkos::View<T*, Memory> reserved(std::size_t length) {
  return Kokkos::View<T*, Memory>(
    Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Eikonal::RankBorder")), length);
}

template <class Memory, class T>
Kokkos::View<T*, Memory> copied(const std::vector<T>& values) {
  const auto view = reserved<T, Memory>(values.size());
  Kokkos::deep_copy(view,
    Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(values.data(), values.size()));
  return view;
}

} // namespace

template <class ExecutionSpace>
RankBorder<ExecutionSpace>::RankBorder(
  const ExecutionSpace& space, const Communicator& communicator, const SharedVertices& shared, bool asOnDevice)
  : communicator_(&communicator), ranks_(shared.ranks), firstSlot_(shared.firstSlot), countsOut_(shared.ranks.size()),
    countsIn_(shared.ranks.size()), counts_(communicator.makeExchange()), messenger_(communicator, asOnDevice) {
  agree(communicator, [&] {
    std::vector<std::int32_t> neighbours;
    std::vector<std::int32_t> elsewhere;
    for (std::size_t n = 0; n < ranks_.size(); ++n) {
      neighbours.resize(static_cast<std::size_t>(firstSlot_[n + 1]), static_cast<std::int32_t>(n));
      if (ranks_[n] < communicator.rank()) {
        elsewhere.insert(elsewhere.end(), shared.vertices.begin() + begin(n), shared.vertices.begin() + begin(n + 1));
      }
      countsSent_.push_back({ranks_[n], &countsOut_[n], sizeof(std::int64_t)});
      countsReceived_.push_back({ranks_[n], &countsIn_[n], sizeof(std::int64_t)});
    }
    for (const std::int32_t v : shared.vertices) {
      lastVertex_ = std::max(lastVertex_, v);
    }
    std::sort(elsewhere.begin(), elsewhere.end());
    elsewhere.erase(std::unique(elsewhere.begin(), elsewhere.end()), elsewhere.end());
    vertices_ = copied<Memory>(shared.vertices);
    neighbours_ = copied<Memory>(neighbours);
    firstSlotThere_ = copied<Memory>(firstSlot_);
    elsewhere_ = copied<Memory>(elsewhere);
    slotsOut_ = reserved<std::int32_t, Memory>(shared.vertices.size());
    slotsIn_ = reserved<std::int32_t, Memory>(shared.vertices.size());
    timesOut_ = reserved<double, Memory>(shared.vertices.size());
    timesIn_ = reserved<double, Memory>(shared.vertices.size());
    countsThere_ = reserved<std::int64_t, Memory>(ranks_.size());
  });
  std::adjacent_difference(firstSlot_.begin() + 1, firstSlot_.end(), countsOut_.begin());
  exchangeCounts();
  agree(communicator, [&] {
    for (std::size_t n = 0; n < ranks_.size(); ++n) {
      if (countsIn_[n] != countsOut_[n]) {
        throw InvalidArgument("rank " + std::to_string(communicator.rank()) + " shares " +
          std::to_string(countsOut_[n]) + " vertices with rank " + std::to_string(ranks_[n]) + ", which shares " +
          std::to_string(countsIn_[n]) + " with it: both must have the same");
      }
    }
  });
  // As much as there can ever be, so that later exchanges find all memory there.
  Kokkos::deep_copy(space, slotsOut_, 0);
  Kokkos::deep_copy(space, timesOut_, 0.0);
  exchangeTimes(space);
  space.fence(SPANWISE_LABEL("Eikonal::RankBorder"));
}

template <class ExecutionSpace>
void RankBorder<ExecutionSpace>::check(std::int64_t numVertices) const {
  if (lastVertex_ >= numVertices) {
    throw InvalidArgument("vertex " + std::to_string(lastVertex_) + " is shared with other ranks, and the mesh has " +
      std::to_string(numVertices) + ": the border is that of another mesh");
  }
}

template <class ExecutionSpace>
MessageReport RankBorder<ExecutionSpace>::report() const {
  MessageReport report = messenger_.report();
  const auto counts = numCountExchanges_ * static_cast<std::int64_t>(ranks_.size());
  report.exchanges += numCountExchanges_;
  report.messages += counts;
  report.bytes += counts * static_cast<std::int64_t>(sizeof(std::int64_t));
  return report;
}

template <class ExecutionSpace>
void RankBorder<ExecutionSpace>::exchangeCounts() {
  counts_->start(countsSent_, countsReceived_);
  counts_->finish();
  ++numCountExchanges_;
}

template <class ExecutionSpace>
void RankBorder<ExecutionSpace>::exchangeTimes(const ExecutionSpace& space) {
  for (std::size_t n = 0; n < ranks_.size(); ++n) {
    messenger_.send(ranks_[n], timesOut_.data() + begin(n), countsOut_[n]);
    messenger_.send(ranks_[n], slotsOut_.data() + begin(n), countsOut_[n]);
    messenger_.receive(ranks_[n], timesIn_.data() + begin(n), countsIn_[n]);
    messenger_.receive(ranks_[n], slotsIn_.data() + begin(n), countsIn_[n]);
  }
  messenger_.start(space);
  messenger_.finish(space);
}

template <class ExecutionSpace>
void RankBorder<ExecutionSpace>::join(const ExecutionSpace& space, double* times) {
  const Range<ExecutionSpace> overSlots(space, 0, numSlots());
  forEach(SPANWISE_KERNEL("take all"), overSlots, TakeAll{vertices_.data(), times, timesOut_.data()});
  for (std::size_t n = 0; n < ranks_.size(); ++n) {
    messenger_.send(ranks_[n], timesOut_.data() + begin(n), begin(n + 1) - begin(n));
    messenger_.receive(ranks_[n], timesIn_.data() + begin(n), begin(n + 1) - begin(n));
  }
  messenger_.start(space);
  messenger_.finish(space);
  forEach(SPANWISE_KERNEL("lower all"), overSlots, LowerAll{vertices_.data(), timesIn_.data(), times});
}

template <class ExecutionSpace>
std::int64_t RankBorder<ExecutionSpace>::exchange(const ExecutionSpace& space, const fronts::Fronts& fronts) {
  if (ranks_.empty()) {
    return 0;
  }
  using Host = Kokkos::View<std::int64_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  forEach(SPANWISE_KERNEL("clear counts"), Range<ExecutionSpace>(space, 0, countsThere_.extent(0)),
    ClearCounts{countsThere_.data()});
  forEach(SPANWISE_KERNEL("collect times"), Range<ExecutionSpace>(space, 0, numSlots()),
    CollectTimes{fronts, vertices_.data(), neighbours_.data(), firstSlotThere_.data(), countsThere_.data(),
      slotsOut_.data(), timesOut_.data()});
  Kokkos::deep_copy(space, Host(countsOut_.data(), countsOut_.size()), countsThere_);
  space.fence(SPANWISE_LABEL("Eikonal::counts"));
  exchangeCounts();
  exchangeTimes(space);
  std::int64_t come = 0;
  for (std::size_t n = 0; n < ranks_.size(); ++n) {
    forEach(SPANWISE_KERNEL("lower times"), Range<ExecutionSpace>(space, 0, countsIn_[n]),
      LowerTimes{fronts, vertices_.data() + begin(n), slotsIn_.data() + begin(n), timesIn_.data() + begin(n)});
    come += countsIn_[n];
  }
  return come;
}

template <class ExecutionSpace>
double RankBorder<ExecutionSpace>::agreed(double first) {
  double values[2] = {first, failure_ ? -1.0 : 0.0};
  communicator_->reduce(ReduceBy::Minimum, std::span<double>(values));
  if (values[1] < 0.0) {
    const std::exception_ptr mine = failure_;
    failure_ = nullptr;
    agreeOn(*communicator_, mine);
  }
  return values[0];
}

// Who is asked to stop tells the others when they agree next.
template <class ExecutionSpace>
void RankBorder<ExecutionSpace>::report(const Progress& progress, double share) {
  try {
    progress.report(share);
  } catch (...) {
    failure_ = std::current_exception();
  }
}

template <class ExecutionSpace>
std::int64_t RankBorder<ExecutionSpace>::countedElsewhere(const ExecutionSpace& space, const double* times) const {
  std::int64_t count = 0;
  reduce(SPANWISE_KERNEL("count reached"), Range<ExecutionSpace>(space, 0, elsewhere_.extent(0)),
    CountReached{elsewhere_.data(), times}, count);
  return count;
}

#define SPANWISE_RANK_BORDER(Space) template class RankBorder<Space>;
SPANWISE_FOR_EACH_SPACE(SPANWISE_RANK_BORDER)

} // namespace spanwise::eikonal
