#ifndef SpanwiseComputeOnSide_h
#define SpanwiseComputeOnSide_h

// How a filter computes on the host or on the device. Not wrapped.

#include "SpanwiseMirroredSet.h"
#include "SpanwiseRankGroup.h"
#include "SpanwiseSide.h"
#include "spanwiseParallelModule.h"

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"

#include <exception>
#include <vector>

namespace spanwise {

/// The sets that an operation works with, and how many cells there are whose values it reads or writes.
template <int Dim>
struct SideInputs {
  std::vector<const MirroredSet<Dim>*> sets;
  std::int64_t numCells = 0;

  /// The sets on a side.
  template <ComputeSide side>
  [[nodiscard]] std::vector<geometry::IntervalSetOn<Dim, SpaceOf<side>>> on() const {
    std::vector<geometry::IntervalSetOn<Dim, SpaceOf<side>>> there;
    for (const MirroredSet<Dim>* set : sets) {
      there.push_back(set->template on<side>());
    }
    return there;
  }

  [[nodiscard]] SideWork work() const {
    SideWork result;
    result.numCells = numCells;
    for (const MirroredSet<Dim>* set : sets) {
      result.numIntervals += set->numIntervals();
      result.onDevice = result.onDevice || set->isOnDevice();
    }
    return result;
  }
};

/// Collective. The side for an operation of which this rank has `mine` to do: one for all ranks.
SPANWISEPARALLEL_EXPORT ChosenSide sideOnRanks(const RankGroup& group, const SideWork& mine);

/// Collective. Runs body(context) on the side for this work, with the ranks of the group; `operation` is what the
/// report calls it. What the device has no memory for runs on the host: then the body is called twice.
template <class Body>
void computeOnSide(const RankGroup& group, const char* operation, const SideWork& mine, const Body& body) {
  ChosenSide chosen = sideOnRanks(group, mine);
  if (chosen.side == ComputeSide::Device) {
    try {
      body(SideContext<ComputeSide::Device>(group.communicator()));
      noteSide(operation, chosen);
      return;
    } catch (...) { // the same on all ranks, as for all collective functions
      if (!parallel::isOutOfMemory(std::current_exception())) {
        throw;
      }
      chosen = {ComputeSide::Host, noMemoryOnDevice};
    }
  }
  body(SideContext<ComputeSide::Host>(group.communicator()));
  noteSide(operation, chosen);
}

/// The same for an operation on sets: they are there when the body is called, for on<side>().
template <int Dim, class Body>
void computeOnSide(const RankGroup& group, const char* operation, const SideInputs<Dim>& inputs, const Body& body) {
  computeOnSide(group, operation, inputs.work(), [&]<ComputeSide side>(const SideContext<side>& context) {
    group.agree([&] {
      for (const MirroredSet<Dim>* set : inputs.sets) {
        static_cast<void>(set->template on<side>());
      }
    });
    body(context);
  });
}

} // namespace spanwise

#endif
