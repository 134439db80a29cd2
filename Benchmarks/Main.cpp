#include "Benchmarks/Inputs.hpp"
#include "Core/Runtime/Runtime.hpp"

#include <Kokkos_Core.hpp>
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

namespace spanwise::benchmarks {

double copyBandwidth(int threads) {
  constexpr std::size_t perThread = std::size_t{1} << 27; // far beyond the caches
  static std::vector<std::vector<char>> from;
  static std::vector<std::vector<char>> to;
  while (from.size() < static_cast<std::size_t>(threads)) {
    from.emplace_back(perThread, 1);
    to.emplace_back(perThread, 2);
  }
  double best = 0.0;
  for (int round = 0; round < 3; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::thread> workers;
    for (std::size_t t = 0; t < static_cast<std::size_t>(threads); ++t) {
      workers.emplace_back([t] { std::copy(from[t].begin(), from[t].end(), to[t].begin()); });
    }
    for (std::thread& worker : workers) {
      worker.join();
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    best = std::max(best, 2.0 * static_cast<double>(perThread) * threads / seconds); // read and written
  }
  return best;
}

double deviceCopyBandwidth() {
  static const double known = [] {
    using Space = Kokkos::DefaultExecutionSpace;
    constexpr std::size_t bytes = std::size_t{1} << 30;
    const Kokkos::View<char*, Space::memory_space> from("Benchmarks::from", bytes);
    const Kokkos::View<char*, Space::memory_space> to("Benchmarks::to", bytes);
    double best = 0.0;
    for (int round = 0; round < 5; ++round) {
      const auto begin = std::chrono::steady_clock::now();
      Kokkos::deep_copy(to, from);
      Kokkos::fence();
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      best = std::max(best, 2.0 * static_cast<double>(bytes) / seconds);
    }
    return best;
  }();
  return known;
}

} // namespace spanwise::benchmarks

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return 1;
  }
  spanwise::startRuntime();
  benchmark::AddCustomContext("execution space", Kokkos::DefaultHostExecutionSpace::name());
  benchmark::AddCustomContext(
    "copy bandwidth, 1 thread, GB/s", std::to_string(spanwise::benchmarks::copyBandwidth(1) / 1e9));
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
