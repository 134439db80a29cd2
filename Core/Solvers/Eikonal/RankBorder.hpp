#pragma once

#include "Core/Mesh/SharedVertices.hpp"
#include "Core/Parallel/Messenger.hpp"
#include "Core/Runtime/Progress.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

namespace spanwise::eikonal {

namespace fronts {
struct Fronts;
} // namespace fronts

/// The border between a rank's part of a mesh and those of others, over which times go: only those that have changed,
/// only to ranks that have the same vertices. Holds all memory that this takes; serves any number of solutions on one
/// cut of a mesh. Lives no longer than its communicator.
template <class ExecutionSpace>
class RankBorder {
public:
  using Memory = typename ExecutionSpace::memory_space;

  /// Collective. On the host times may be treated as if they lay in a device's memory, for tests. Throws
  /// InvalidArgument on all ranks where two of them do not have as many vertices in common.
  RankBorder(const ExecutionSpace& space, const Communicator& communicator, const SharedVertices& shared,
    bool asOnDevice = !runsOnHost<ExecutionSpace>);

  [[nodiscard]] const Communicator& communicator() const { return *communicator_; }
  [[nodiscard]] std::int64_t numSlots() const { return firstSlot_.back(); }
  /// Throws InvalidArgument where the mesh of this rank cannot be the one that the shared vertices are of.
  void check(std::int64_t numVertices) const;
  /// What this rank has sent since the object was made: times, and before them how many there are.
  [[nodiscard]] MessageReport report() const;

  // What the iteration calls (Detail/Iteration.hpp); all collective.

  /// Brings the least time of each shared vertex to all that have it.
  void join(const ExecutionSpace& space, double* times);
  std::int64_t exchange(const ExecutionSpace& space, const fronts::Fronts& fronts);
  [[nodiscard]] double agreed(double first);
  void report(const Progress& progress, double share);
  std::int64_t countedElsewhere(const ExecutionSpace& space, const double* times) const;

private:
  void exchangeCounts();
  void exchangeTimes(const ExecutionSpace& space);
  [[nodiscard]] std::int64_t begin(std::size_t neighbour) const { return firstSlot_[neighbour]; }

  const Communicator* communicator_;
  std::int32_t lastVertex_ = -1;
  std::vector<int> ranks_;
  std::vector<std::int64_t> firstSlot_;
  Kokkos::View<std::int32_t*, Memory> vertices_;       // [slots]
  Kokkos::View<std::int32_t*, Memory> neighbours_;     // [slots]
  Kokkos::View<std::int64_t*, Memory> firstSlotThere_; // [neighbours], in the memory of kernels
  Kokkos::View<std::int32_t*, Memory> elsewhere_;      // vertices that a rank before this one has
  Kokkos::View<std::int32_t*, Memory> slotsOut_;       // [slots]: of the neighbour, counted from its first
  Kokkos::View<std::int32_t*, Memory> slotsIn_;
  Kokkos::View<double*, Memory> timesOut_; // [slots]
  Kokkos::View<double*, Memory> timesIn_;
  Kokkos::View<std::int64_t*, Memory> countsThere_; // [neighbours], of what goes out, in the memory of kernels
  std::vector<std::int64_t> countsOut_;
  std::vector<std::int64_t> countsIn_;
  std::unique_ptr<Exchange> counts_;
  std::vector<OutgoingMessage> countsSent_;
  std::vector<IncomingMessage> countsReceived_;
  std::int64_t numCountExchanges_ = 0;
  Messenger<ExecutionSpace> messenger_;
  std::exception_ptr failure_;
};

} // namespace spanwise::eikonal
