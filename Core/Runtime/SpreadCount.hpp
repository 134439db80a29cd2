#pragma once

#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Workspace.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise {

/// A count as kernels see it, that all threads add to: in many places, as threads wait for each other at one.
struct SpreadCount {
  static constexpr std::int64_t numPlaces = 1024;
  static constexpr std::int64_t apart = 8; ///< in cache lines of their own

  std::int64_t* places = nullptr;

  /// Adds to the place of an item: those beside each other have different ones. O(1).
  KOKKOS_FORCEINLINE_FUNCTION void add(std::int64_t item, std::int64_t number) const {
    Kokkos::atomic_add(places + apart * (item % numPlaces), number);
  }
};

namespace detail {

struct ClearCount {
  SpreadCount count;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const { count.places[SpreadCount::apart * k] = 0; }
};

struct SumCount {
  SpreadCount count;
  KOKKOS_FUNCTION void operator()(std::int64_t k, std::int64_t& sum) const {
    sum += count.places[SpreadCount::apart * k];
  }
};

} // namespace detail

/// The memory of a SpreadCount, of a frame, and its sum.
template <class ExecutionSpace>
class SpreadCounter {
public:
  using Frame = typename Workspace<typename ExecutionSpace::memory_space>::Frame;

  SpreadCounter(const ExecutionSpace& space, Frame& frame)
    : space_(space), view_{frame.template array<std::int64_t>(SpreadCount::apart * SpreadCount::numPlaces).data()} {}

  [[nodiscard]] SpreadCount view() const { return view_; }

  /// Sets the count to 0. O(1).
  void clear() const { forEach(SPANWISE_KERNEL("clear count"), places(), detail::ClearCount{view_}); }
  /// Waits for the kernels; what they have added. O(1).
  [[nodiscard]] std::int64_t sum() const {
    std::int64_t result = 0;
    reduce(SPANWISE_KERNEL("sum count"), places(), detail::SumCount{view_}, result);
    return result;
  }

private:
  [[nodiscard]] IndexRange<ExecutionSpace> places() const { return {space_, 0, SpreadCount::numPlaces}; }

  const ExecutionSpace& space_;
  SpreadCount view_;
};

} // namespace spanwise
