// Direct sums: interactions a second by variant, size, precision and interaction, the share of what the processor can
// multiply and add, and the error. --benchmark_filter chooses among them, --benchmark_repetitions repeats;
// SPANWISE_PARTICLES gives another number of particles than those of the table.

#include "Benchmarks/Core/Solvers/NBody/SumVariants.hpp"
#include "Benchmarks/RandomParticles.hpp"
#include "Benchmarks/Where.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/NBody/DirectSums.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace spanwise::benchmarks {
namespace {

using nbody::InstructionSet;
using nbody::Parts;
using nbody::benchmarks::SumVariant;
using nbody::benchmarks::VariantOptions;

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__)
#define SPANWISE_HAS_LIMIT

/// Multiplications and additions that are done in twelve chains x = x * y + z.
#define SPANWISE_MULTIPLY_ADD(name, Real, bytes, targets)                                                              \
  __attribute__((target(targets), noinline)) double name(std::int64_t rounds) {                                        \
    typedef Real Vector __attribute__((vector_size(bytes)));                                                           \
    const Vector y = Vector{} + Real(0.999);                                                                           \
    const Vector z = Vector{} + Real(0.001);                                                                           \
    Vector x[12];                                                                                                      \
    for (int k = 0; k < 12; ++k) {                                                                                     \
      x[k] = Vector{} + Real(k);                                                                                       \
    }                                                                                                                  \
    for (std::int64_t round = 0; round < rounds; ++round) {                                                            \
      _Pragma("GCC unroll 12") for (Vector& chain : x) { chain = chain * y + z; }                                      \
    }                                                                                                                  \
    for (int k = 1; k < 12; ++k) {                                                                                     \
      x[0] += x[k];                                                                                                    \
    }                                                                                                                  \
    Real lane = x[0][0];                                                                                               \
    benchmark::DoNotOptimize(lane);                                                                                    \
    return 2.0 * 12.0 * static_cast<double>(rounds) * static_cast<double>(bytes / sizeof(Real));                       \
  }
SPANWISE_MULTIPLY_ADD(floatsOf32, float, 32, "avx2,fma")
SPANWISE_MULTIPLY_ADD(doublesOf32, double, 32, "avx2,fma")
SPANWISE_MULTIPLY_ADD(floatsOf64, float, 64, "avx512f,fma")
SPANWISE_MULTIPLY_ADD(doublesOf64, double, 64, "avx512f,fma")

/// Operations a second of one thread, the best of some rounds; measured once.
template <double (*multiplyAdd)(std::int64_t)>
double operationRate() {
  static const double best = [] {
    double rate = 0.0;
    for (int round = 0; round < 10; ++round) {
      const auto begin = std::chrono::steady_clock::now();
      const double operations = multiplyAdd(2'000'000);
      rate =
        std::max(rate, operations / std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    return rate;
  }();
  return best;
}

template <class Real>
double arithmeticLimit(InstructionSet instructions) {
  constexpr bool isFloat = sizeof(Real) == sizeof(float);
  if (instructions == InstructionSet::Avx512) {
    return operationRate<isFloat ? floatsOf64 : doublesOf64>();
  }
  return nbody::bestInstructionSet() == InstructionSet::Compiled ? 0.0
                                                                 : operationRate<isFloat ? floatsOf32 : doublesOf32>();
}
#endif

/// Operations of an interaction 1 / r in 3D as AVX-512 does it: a multiplication and an addition that are one
/// instruction count as two, an estimate of a root as one. Differences 3, r^2 5, the root and what makes it precise 7
/// (float) or 11 (double), for a gradient 2 for r^-3: all that is shared by two interactions where they are mutual. The
/// sum of the potential 2, of the gradient 7.
template <class Real>
double operationsOf(Parts parts, bool isMutual) {
  const double shared = 3.0 + 5.0 + (sizeof(Real) == sizeof(float) ? 7.0 : 11.0) + (hasGradient(parts) ? 2.0 : 0.0);
  return shared / (isMutual ? 2.0 : 1.0) + (hasPotential(parts) ? 2.0 : 0.0) + (hasGradient(parts) ? 7.0 : 0.0);
}

template <class Space, class Real>
struct Cloud {
  using Column = Kokkos::View<Real*, typename Space::memory_space>;
  std::int64_t count;
  Column values;
  Column sums;

  explicit Cloud(std::int64_t number) // with charges of four right-hand sides of dipoles
    : count(number), values(randomParticles<Real, typename Space::memory_space>(number, 3, 12)),
      sums("Benchmarks::sums", 16 * number) {}

  [[nodiscard]] nbody::SourcesView<3, Real> sources() const {
    const Real* const first = values.data();
    return {{{first, first + count, first + 2 * count}, count}, first + 3 * count, 0};
  }
  [[nodiscard]] nbody::SumsView<Real> outputs(Parts parts) const {
    return {hasPotential(parts) ? sums.data() : nullptr, hasGradient(parts) ? sums.data() + 4 * count : nullptr, count};
  }

  /// The largest error of the potentials of 1 / r at some targets, relative to the sum of |q| / r.
  [[nodiscard]] double error(std::int64_t numTargets) const {
    const auto x = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
    const auto p = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
    double largest = 0.0;
    for (std::int64_t i = 0; i < numTargets; i += numTargets / 16 + 1) {
      long double exact = 0;
      long double size = 0;
      for (std::int64_t j = 0; j < count; ++j) {
        long double r2 = 0;
        for (int axis = 0; axis < 3; ++axis) {
          const long double d = static_cast<long double>(x(axis * count + i)) - x(axis * count + j);
          r2 += d * d;
        }
        if (j != i) {
          exact += x(3 * count + j) / std::sqrt(r2);
          size += std::abs(x(3 * count + j)) / std::sqrt(r2);
        }
      }
      largest = std::max(largest, static_cast<double>(std::abs(p(i) - exact) / size));
    }
    return largest;
  }
};

/// All particles on themselves, or where there are fewer targets, on the first of them.
template <class Where, class Interaction, class Real, class Options>
void directSums(benchmark::State& state, const Interaction& interaction, Parts parts, std::int64_t count,
  std::int64_t numTargets, const Options& options) {
  using Space = typename Where::Space;
  const Space space = Where::space();
  const Cloud<Space, Real> cloud(count);
  const Context context(space);
  auto targets = cloud.sources().points;
  targets.count = numTargets;
  const auto sum = [&] {
    return numTargets == count
      ? sumWithin(context, interaction, cloud.sources(), cloud.outputs(parts), options)
      : sumBetween(context, interaction, targets, cloud.sources(), cloud.outputs(parts), options);
  };
  decltype(sum()) report;
  const double seconds = secondsOf(state, space, [&] { report = sum(); });
  const double interactions = static_cast<double>(state.iterations()) * report.numInteractions;
  state.counters["interactions/s"] = benchmark::Counter(interactions, benchmark::Counter::kIsRate);
  if constexpr (std::is_same_v<Interaction, nbody::InverseDistance>) {
#ifdef SPANWISE_HAS_LIMIT
    if (runsOnHost<Space> && nbody::bestInstructionSet() != InstructionSet::Compiled) {
      state.counters["share of arithmetic"] = interactions / seconds *
        operationsOf<Real>(parts, report.variant == decltype(report.variant)::Mutual) /
        (arithmeticLimit<Real>(std::min(options.maxInstructions, nbody::bestInstructionSet())) * space.concurrency());
    }
#endif
    if (hasPotential(parts)) {
      state.counters["error"] = cloud.error(numTargets);
    }
  }
  state.SetLabel(
    std::string(variantName(report.variant)) + ", " + std::string(instructionSetName(report.instructions)));
}

struct Case {
  std::string name;
  VariantOptions options;
  std::int64_t maxTargets; ///< of variants that would take minutes
};

std::vector<Case> allCases() {
  std::vector<Case> cases;
  for (const SumVariant variant : {SumVariant::FlatFor, SumVariant::FlatReduce, SumVariant::NestedTeams,
         SumVariant::ScratchTiles, SumVariant::KokkosSimd, SumVariant::RegisterTiles, SumVariant::Mutual}) {
    const bool isFast = usesInstructions(variant);
    for (const InstructionSet most : {InstructionSet::Compiled, InstructionSet::Avx2, InstructionSet::Avx512}) {
      if (most > nbody::bestInstructionSet() || (!isFast && most != InstructionSet::Compiled)) {
        continue;
      }
      VariantOptions options;
      options.variant = variant;
      options.maxInstructions = most;
      std::string name(variantName(variant));
      if (isFast) {
        name += " (" + std::string(instructionSetName(most)) + ")";
      }
      cases.push_back({name, options, isFast && most != InstructionSet::Compiled ? std::int64_t{1} << 62 : 2048});
    }
  }
  return cases;
}

const char* nameOf(Parts parts) {
  return parts == Parts::Potential ? "potential" : parts == Parts::Gradient ? "gradient" : "both";
}

template <class Where, class Real>
void addVariants(const std::string& where) {
  constexpr bool onHost = runsOnHost<typename Where::Space>;
  const char* const particles = std::getenv("SPANWISE_PARTICLES");
  const std::vector<std::int64_t> counts = particles != nullptr ? std::vector<std::int64_t>{std::atoll(particles)}
                                                                : std::vector<std::int64_t>{1024, 8192, 65536};
  for (const Case& of : allCases()) {
    if (!onHost && (of.options.variant == SumVariant::Mutual || of.options.variant == SumVariant::KokkosSimd)) {
      continue;
    }
    for (const Parts parts : {Parts::Potential, Parts::Gradient}) {
      for (const std::int64_t count : counts) {
        const std::int64_t targets =
          !onHost || of.options.variant == SumVariant::Mutual ? count : std::min(count, of.maxTargets);
        const std::string name = "Spanwise/N-body/" + of.name + "/" + nameOf(parts) + "/" +
          (sizeof(Real) == sizeof(float) ? "float" : "double") + "/" + std::to_string(count) + "/" + where;
        benchmark::RegisterBenchmark(name.c_str(),
          [=](benchmark::State& state) {
            directSums<Where, nbody::InverseDistance, Real>(
              state, nbody::InverseDistance(), parts, count, targets, of.options);
          })
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
      }
    }
  }
}

template <class Where, class Real, class Interaction>
void addInteraction(const std::string& where, const std::string& interactionName, const Interaction& interaction) {
  for (const int numSides : {1, 4}) {
    for (const Parts parts : {Parts::Potential, Parts::Both}) {
      nbody::SumOptions options;
      options.numRightHandSides = numSides;
      const std::string name = "Spanwise/N-body interactions/" + interactionName + "/" + nameOf(parts) + "/" +
        (sizeof(Real) == sizeof(float) ? "float" : "double") + "/" + std::to_string(numSides) + " right-hand sides/" +
        where;
      benchmark::RegisterBenchmark(name.c_str(),
        [=](benchmark::State& state) {
          directSums<Where, Interaction, Real>(state, interaction, parts, 16384, 16384, options);
        })
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
    }
  }
}

template <class Where, class Real>
void addAll(const std::string& where) {
  addVariants<Where, Real>(where);
  addInteraction<Where, Real>(where, "1/r", nbody::InverseDistance());
  addInteraction<Where, Real>(where, "softened 1/r", nbody::SoftenedInverseDistance{0.01});
  addInteraction<Where, Real>(where, "ln r", nbody::Logarithm());
  addInteraction<Where, Real>(where, "Gaussian", nbody::Gaussian{0.3});
  addInteraction<Where, Real>(where, "Yukawa", nbody::Yukawa{2.0});
  addInteraction<Where, Real>(where, "dipoles", nbody::Dipole<3>());
}

const bool added = [] {
  addAll<OneThread, float>("1 thread");
  addAll<OneThread, double>("1 thread");
  addAll<AllThreads, float>("all threads");
  addAll<AllThreads, double>("all threads");
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
  addAll<Device, float>("device");
  addAll<Device, double>("device");
#endif
  return true;
}();

} // namespace
} // namespace spanwise::benchmarks
