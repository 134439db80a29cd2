#pragma once

// The figures that every measurement reports.

#include "Benchmarks/Inputs.hpp"
#include "Benchmarks/Places.hpp"
#include "Testing/Rooms.hpp"

#include <benchmark/benchmark.h>

#include <chrono>

namespace spanwise::benchmarks {

/// Runs `operation` over and over, each time to its end; returns the seconds of all rounds but the first, which
/// allocates and is not timed.
template <class Space, class Operation>
double secondsOf(benchmark::State& state, const Space& space, const Operation& operation) {
  operation();
  space.fence();
  const auto begin = std::chrono::steady_clock::now();
  for (auto _ : state) {
    operation();
    space.fence();
    benchmark::ClobberMemory();
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Adds the bytes of the arrays that an operation reads or writes.
template <int Dim, class Memory>
void bytesOf(const IntervalSet<Dim, Memory>& set, bool written, double& sum) {
  const double interval = sizeof(Interval) + (written ? sizeof(std::int64_t) : 0); // cell offsets are only written
  sum += static_cast<double>(set.numIntervals()) * interval +
    static_cast<double>(set.numRows()) * (sizeof(RowKey<Dim>) + sizeof(std::int64_t));
}

/// What share of the copy bandwidth so many bytes are, moved each time in `seconds` altogether.
template <class Space>
void reportBytes(benchmark::State& state, const Space& space, double seconds, double bytes) {
  const auto rounds = static_cast<double>(state.iterations());
  state.counters["bytes/s"] = benchmark::Counter(rounds * bytes, benchmark::Counter::kIsRate);
  const double limit = runsOnHost<Space> ? copyBandwidth(space.concurrency()) : deviceCopyBandwidth();
  state.counters["share of copy"] = rounds * bytes / seconds / limit;
}

/// Rates of a measurement that handled so many intervals and bytes each time and took `seconds` altogether.
template <class Space>
void report(benchmark::State& state, const Space& space, double seconds, double intervals, double bytes) {
  const auto rounds = static_cast<double>(state.iterations());
  state.counters["intervals/s"] = benchmark::Counter(rounds * intervals, benchmark::Counter::kIsRate);
  reportBytes(state, space, seconds, bytes);
}

/// The same of cells.
template <class Space>
void reportCells(benchmark::State& state, const Space& space, double seconds, std::int64_t cells, double bytes) {
  const auto rounds = static_cast<double>(state.iterations());
  state.counters["cells/s"] = benchmark::Counter(rounds * static_cast<double>(cells), benchmark::Counter::kIsRate);
  reportBytes(state, space, seconds, bytes);
}

} // namespace spanwise::benchmarks

// Every pair of sets in every place, by the SPANWISE_BENCH_WHERE(Dim, Make, Where, text) of the file.
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
#define SPANWISE_BENCH_DEVICE(Dim, Make) SPANWISE_BENCH_WHERE(Dim, Make, Device, "device")
#else
#define SPANWISE_BENCH_DEVICE(Dim, Make)
#endif
#define SPANWISE_BENCH_CASE(Dim, Make)                                                                                 \
  SPANWISE_BENCH_WHERE(Dim, Make, OneThread, "1 thread")                                                               \
  SPANWISE_BENCH_WHERE(Dim, Make, AllThreads, "all threads")                                                           \
  SPANWISE_BENCH_DEVICE(Dim, Make)
#define SPANWISE_BENCH_ALL_CASES                                                                                       \
  SPANWISE_BENCH_CASE(2, random2D)                                                                                     \
  SPANWISE_BENCH_CASE(3, random3D)                                                                                     \
  SPANWISE_BENCH_CASE(3, balls)                                                                                        \
  SPANWISE_BENCH_CASE(3, shells)
