#include "Benchmarks/Inputs.hpp"
#include "Core/Runtime/Runtime.hpp"

#include <Kokkos_Core.hpp>
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>
#include <vector>

namespace spanwise::benchmarks {

double copyBandwidth(int threads) {
  static std::map<int, double> known;
  const auto found = known.find(threads);
  if (found != known.end()) {
    return found->second;
  }
  constexpr std::size_t perThread = std::size_t{1} << 27; // far beyond the caches
  std::vector<std::vector<char>> from(static_cast<std::size_t>(threads), std::vector<char>(perThread, 1));
  std::vector<std::vector<char>> to(static_cast<std::size_t>(threads), std::vector<char>(perThread, 2));
  double best = 0.0;
  for (int round = 0; round < 5; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::thread> workers;
    for (std::size_t t = 0; t < from.size(); ++t) {
      workers.emplace_back([&, t] { std::copy(from[t].begin(), from[t].end(), to[t].begin()); });
    }
    for (std::thread& worker : workers) {
      worker.join();
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    best = std::max(best, 2.0 * static_cast<double>(perThread) * threads / seconds); // read and written
  }
  return known[threads] = best;
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
