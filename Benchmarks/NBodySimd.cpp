// Direct sums of a user's interaction, compiled for AVX-512 with Kokkos's own vectors: Kokkos SIMD and this library's
// packs beside each other. A program of its own, since what it is compiled for must not mix with what is not.

#include "Benchmarks/Core/Solvers/NBody/SumVariants.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Runtime.hpp"
#include "Testing/Rooms.hpp"

#include <Kokkos_Core.hpp>
#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace spanwise::nbody;
using namespace spanwise::nbody::benchmarks;

/// 1 / r as a user would write it.
struct OwnInverseDistance {
  template <Parts parts, class T>
  KOKKOS_FUNCTION RadialTerms<T> terms(T r2) const {
    const T inverseR = inverseSqrt(r2);
    return {inverseR, -(inverseR * inverseR * inverseR)};
  }
};

template <class Real>
void ownSums(benchmark::State& state, SumVariant variant, Parts parts, std::int64_t count) {
  std::vector<Real> values(static_cast<std::size_t>(4 * count));
  std::vector<Real> sums(static_cast<std::size_t>(4 * count));
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (Real& value : values) {
    value = static_cast<Real>(uniform(random));
  }
  const Real* const x = values.data();
  const SourcesView<3, Real> sources{{{x, x + count, x + 2 * count}, count}, x + 3 * count, 0};
  const SumsView<Real> outputs{
    hasPotential(parts) ? sums.data() : nullptr, hasGradient(parts) ? sums.data() + count : nullptr, 0};
  VariantOptions options;
  options.variant = variant;
  using Space = Kokkos::DefaultHostExecutionSpace;
  const Space space;
  const spanwise::Context context(space);
  double interactions = 0.0;
  for (auto _ : state) {
    interactions += sumWithin(context, OwnInverseDistance(), sources, outputs, options).numInteractions;
  }
  state.counters["interactions/s"] = benchmark::Counter(interactions, benchmark::Counter::kIsRate);
}

template <class Real>
void add(const std::string& precision) {
  for (const SumVariant variant : {SumVariant::KokkosSimd, SumVariant::RegisterTiles, SumVariant::Mutual}) {
    for (const Parts parts : {Parts::Potential, Parts::Gradient}) {
      for (const std::int64_t count : {1024, 4096, 16384, 65536}) {
        const std::string name = "Own 1/r/" + std::string(variantName(variant)) + "/" +
          (parts == Parts::Potential ? "potential/" : "gradient/") + precision + "/" + std::to_string(count) +
          "/all threads";
        benchmark::RegisterBenchmark(
          name.c_str(), [=](benchmark::State& state) { ownSums<Real>(state, variant, parts, count); })
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
      }
    }
  }
}

} // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return 1;
  }
  if (bestInstructionSet() != InstructionSet::Avx512) {
    return 0; // nothing here would run
  }
  spanwise::startRuntime();
  add<float>("float");
  add<double>("double");
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
