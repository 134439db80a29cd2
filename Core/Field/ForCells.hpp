#pragma once

#include "Core/Field/Region.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Prefetch.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

/// Before a loop whose iterations do not depend on one another, although the compiler cannot know that the arrays do
/// not overlap: it then needs no test of that, and vectorises.
#if defined(__HIPCC__)
#define SPANWISE_INDEPENDENT
#elif defined(__clang__)
#define SPANWISE_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define SPANWISE_INDEPENDENT _Pragma("GCC ivdep")
#else
#define SPANWISE_INDEPENDENT
#endif

/// Of a function on the host whose loops are long: it is compiled for processors with AVX2 too, which is looked up when
/// the program starts, with all that it calls inlined. AVX2 has no fused multiply-add: results have the same bits.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) && !defined(__HIPCC__) &&    \
  !defined(__SANITIZE_ADDRESS__)
#ifdef SPANWISE_NEVER_FUSED // of a source that is compiled so: then others give the same bits, too
#define SPANWISE_VECTOR_TARGETS "arch=x86-64-v4", "arch=x86-64-v3", "default"
#else
#define SPANWISE_VECTOR_TARGETS "avx2", "default"
#endif
#define SPANWISE_WIDE_VECTORS __attribute__((flatten, target_clones(SPANWISE_VECTOR_TARGETS)))
#else
#define SPANWISE_WIDE_VECTORS
#endif

namespace spanwise::field {

namespace detail {

// Processors foresee what a loop reads and writes for as long as it goes on in memory. Rows of a set end after a few
// hundred bytes, so loops on the host ask for what comes next.

/// So many values farther on than what is read now: far enough to be there in time, near enough to be there still.
template <class T>
inline constexpr auto ahead = static_cast<std::int64_t>(4096 / sizeof(T));

// Loops over many cells. A body gets ranges of cells: long ones on the host, where its inner loop is to be vectorised,
// and single cells on a device, where neighbouring threads then take neighbouring cells.

/// So many cells are one piece of work on the host at most, and at least where there are enough for all threads.
inline constexpr std::int64_t cellsPerBlock = 16384;
inline constexpr std::int64_t leastCellsPerBlock = 1024;
/// The same for reductions. A fixed number: the sums must not depend on the number of threads.
inline constexpr std::int64_t cellsPerSum = 256;
/// A loop of a reduction takes as long for so many cells as a small item does, if a cell is an addition or so.
inline constexpr std::int64_t cellsPerSmallItem = 16;

template <class Body>
struct CallInBlocks {
  Body body;
  std::int64_t count;
  std::int64_t perCall;

  KOKKOS_FUNCTION void operator()(std::int64_t block) const {
    body(block * perCall, Kokkos::min((block + 1) * perCall, count));
  }
};

/// On a device: that a range is one cell is seen when it is compiled, so that no loop is left.
template <class Body>
struct CallForCell {
  Body body;

  KOKKOS_FUNCTION void operator()(std::int64_t cell) const { body(cell, cell + 1); }
};

} // namespace detail

/// Calls body(first, last) for ranges that make up [0, count).
template <class ExecutionSpace, class Body>
void forCells(const ExecutionSpace& space, const char* label, std::int64_t count, const Body& body, const Work& work) {
  if constexpr (runsOnHost<ExecutionSpace>) {
    const std::int64_t perCall = itemsPerPiece(space, count, detail::leastCellsPerBlock, detail::cellsPerBlock);
    forEach(label, IndexRange<ExecutionSpace>(space, 0, (count + perCall - 1) / perCall),
      detail::CallInBlocks<Body>{body, count, perCall}, work);
  } else {
    forEach(label, IndexRange<ExecutionSpace>(space, 0, count), detail::CallForCell<Body>{body}, work);
  }
}

/// The same where each cell is a small item of work.
template <class ExecutionSpace, class Body>
void forCells(const ExecutionSpace& space, const char* label, std::int64_t count, const Body& body) {
  forCells(space, label, count, body, Work{count});
}

namespace detail {

template <class Body>
struct CallForComponents {
  Body body;
  std::int64_t count;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    while (first < last) {
      const std::int64_t component = first / count;
      const std::int64_t begin = first - component * count;
      const std::int64_t end = Kokkos::min(begin + (last - first), count);
      body(static_cast<int>(component), begin, end);
      first += end - begin;
    }
  }
};

} // namespace detail

/// Calls body(component, first, last) for ranges that make up [0, count) for each component, in one launch.
template <class ExecutionSpace, class Body>
void forCellsOfComponents(
  const ExecutionSpace& space, const char* label, std::int64_t count, int numComponents, const Body& body) {
  forCells(space, label, count * numComponents, detail::CallForComponents<Body>{body, count});
}

namespace detail {

template <class Body, class T, std::int64_t perCall>
struct ReduceInBlocks {
  using value_type = T;
  Body body;
  std::int64_t count;

  KOKKOS_FUNCTION void init(T& value) const {
    if constexpr (requires { body.init(value); }) {
      body.init(value);
    } else {
      value = T{};
    }
  }
  KOKKOS_FUNCTION void join(T& value, const T& other) const {
    if constexpr (requires { body.join(value, other); }) {
      body.join(value, other);
    } else {
      value += other;
    }
  }
  KOKKOS_FUNCTION void operator()(std::int64_t block, T& value) const {
    if constexpr (perCall == 1) {
      body(block, block + 1, value);
    } else {
      body(block * perCall, Kokkos::min((block + 1) * perCall, count), value);
    }
  }
};

} // namespace detail

/// Reduces body(first, last, value) over ranges that make up [0, count), and waits: a sum, or by the body's own
/// init(value) and join(value, other). `cellsPerItem` cells take as long as a small item of work, which says from how
/// many on all threads are woken. Same bits for any number of threads on the host (reduce()).
template <class ExecutionSpace, class Body, class T>
void reduceCells(const ExecutionSpace& space, const char* label, std::int64_t count, const Body& body, T& result,
  std::int64_t cellsPerItem = detail::cellsPerSmallItem) {
  constexpr std::int64_t perCall = runsOnHost<ExecutionSpace> ? detail::cellsPerSum : 1;
  reduce(label, IndexRange<ExecutionSpace>(space, 0, (count + perCall - 1) / perCall),
    detail::ReduceInBlocks<Body, T, perCall>{body, count}, result, Work{count / cellsPerItem});
}

namespace detail {

/// A body over all cells of a set made one over the cells that the set, as the first of two, shares with a region.
template <class Body>
struct OnRuns {
  Body body;
  geometry::SegmentsView segments;
  const geometry::CellRun* runs;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    segments.forPieces(first, last,
      [&](std::int64_t s, std::int64_t begin, std::int64_t end) { body(runs[s].a + begin, runs[s].a + end); });
  }
  template <class T>
  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last, T& value) const {
    segments.forPieces(first, last,
      [&](std::int64_t s, std::int64_t begin, std::int64_t end) { body(runs[s].a + begin, runs[s].a + end, value); });
  }
  template <class T>
  KOKKOS_FUNCTION void init(T& value) const
    requires requires { body.init(value); }
  {
    body.init(value);
  }
  template <class T>
  KOKKOS_FUNCTION void join(T& value, const T& other) const
    requires requires { body.join(value, other); }
  {
    body.join(value, other);
  }
};

} // namespace detail

/// Calls body(first, last) for ranges that make up the numbers of the cells within `within`, of `count` in all.
template <class ExecutionSpace, class Body>
void forCells(const ExecutionSpace& space, const char* label, std::int64_t count,
  const Within<typename ExecutionSpace::memory_space>& within, const Body& body) {
  if (const auto* const cells = within.cells()) {
    forCells(space, label, cells->numCells(), detail::OnRuns<Body>{body, cells->segments(), cells->runs().data()});
  } else {
    forCells(space, label, count, body);
  }
}

/// Reduces body(first, last, value) over the same ranges.
template <class ExecutionSpace, class Body, class T>
void reduceCells(const ExecutionSpace& space, const char* label, std::int64_t count,
  const Within<typename ExecutionSpace::memory_space>& within, const Body& body, T& result,
  std::int64_t cellsPerItem = detail::cellsPerSmallItem) {
  if (const auto* const cells = within.cells()) {
    reduceCells(space, label, cells->numCells(), detail::OnRuns<Body>{body, cells->segments(), cells->runs().data()},
      result, cellsPerItem);
  } else {
    reduceCells(space, label, count, body, result, cellsPerItem);
  }
}

} // namespace spanwise::field
