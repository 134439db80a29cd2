#pragma once

#include "Core/Geometry/Segments.hpp"
#include "Core/Runtime/Reserve.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::geometry {

/// Elements whose number is known only when they are made, in an array that keeps its memory. Copies share it, and a
/// list that is written while a copy shares its array gets another one.
template <class T, class MemorySpace>
class List {
public:
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] T* data() const { return elements_.data(); }
  [[nodiscard]] std::size_t bytes() const { return elements_.span() * sizeof(T); }
  /// The elements as a View of their number.
  [[nodiscard]] Kokkos::View<T*, MemorySpace> view() const {
    return Kokkos::subview(elements_, Kokkos::pair<std::size_t, std::size_t>(0, static_cast<std::size_t>(count_)));
  }

  /// Makes this a list of `count` elements with undefined contents, and returns where they are. Throws if there is no
  /// memory.
  T* prepare(std::int64_t count) {
    count_ = 0;
    reserve(elements_, count, SPANWISE_LABEL("Geometry::list"));
    count_ = count;
    return elements_.data();
  }

  /// Makes this the empty list; keeps the memory.
  void clear() { count_ = 0; }

private:
  Kokkos::View<T*, MemorySpace> elements_;
  std::int64_t count_ = 0;
};

template <class T, class ExecutionSpace>
using ListOn = List<T, typename ExecutionSpace::memory_space>;

} // namespace spanwise::geometry
