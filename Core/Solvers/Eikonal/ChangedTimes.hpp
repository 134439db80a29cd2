#pragma once

#include "Core/Parallel/Messenger.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace spanwise::eikonal {

/// Times that have changed, or what else `T` is, on their way to other ranks and from them: each with its place in a
/// link, which is a row of cells or vertices that two ranks have in the same order. Only as many go as have changed,
/// after a message that says how many. Nothing is allocated after the object was made. Lives no longer than its
/// communicator.
template <class ExecutionSpace, class T = double>
class ChangedTimes {
public:
  using Memory = typename ExecutionSpace::memory_space;

  struct Link {
    int rank;
    std::int64_t length;
  };

  /// What kernels put times into.
  struct Outbox {
    const std::int64_t* first; ///< [links] where the entries of each begin
    std::int64_t* counts;      ///< [links]
    std::int32_t* places;
    T* times;

    /// Once for each place of a link at most.
    KOKKOS_FORCEINLINE_FUNCTION void add(std::int32_t link, std::int32_t place, const T& time) const {
      const std::int64_t at = first[link] + Kokkos::atomic_fetch_add(&counts[link], std::int64_t{1});
      places[at] = place;
      times[at] = time;
    }
  };

  /// What has come over a link.
  struct Arrived {
    const std::int32_t* places;
    const T* times;
    std::int64_t count;
  };

  /// Collective. Links of a rank follow each other. Those to a rank are, in this order, as long as that one's from this
  /// one; throws InvalidArgument on all ranks where they are not.
  ChangedTimes(const ExecutionSpace& space, const Communicator& communicator, const std::vector<Link>& out,
    const std::vector<Link>& in);

  [[nodiscard]] const Outbox& outbox() const { return outbox_; }
  /// Whether any rank ever gets anything from this one, or sends to it.
  [[nodiscard]] bool isConnected() const { return !out_.ranks.empty() || !in_.ranks.empty(); }
  /// Forgets what kernels have put there.
  void clear(const ExecutionSpace& space);
  /// Collective. Sends what they have put there.
  void exchange(const ExecutionSpace& space);
  [[nodiscard]] std::size_t numIncoming() const { return in_.ranks.size(); }
  [[nodiscard]] Arrived arrived(std::size_t link) const {
    return {in_.places.data() + in_.first[link], in_.times.data() + in_.first[link], in_.counts[link]};
  }
  /// What this rank has sent since the object was made: times, and before them how many there are.
  [[nodiscard]] parallel::MessageReport report() const;

private:
  /// One direction.
  struct Side {
    std::vector<int> ranks;          // [links]
    std::vector<std::int64_t> first; // [links + 1]
    std::vector<std::int64_t> counts;
    Kokkos::View<std::int32_t*, Memory> places;
    Kokkos::View<T*, Memory> times;

    void setUp(const std::vector<Link>& links);
  };

  void exchangeCounts();
  void exchangeTimes(const ExecutionSpace& space);

  Side out_;
  Side in_;
  Kokkos::View<std::int64_t*, Memory> firstThere_;
  Kokkos::View<std::int64_t*, Memory> countsThere_; // of what goes out, in the memory of kernels
  Outbox outbox_{};
  std::unique_ptr<Exchange> counts_;
  std::vector<OutgoingMessage> countsSent_;
  std::vector<IncomingMessage> countsReceived_;
  std::int64_t numCountExchanges_ = 0;
  parallel::Messenger<ExecutionSpace> messenger_;
};

} // namespace spanwise::eikonal
