// Sums by multipoles: processor seconds by number of particles, accuracy, precision and interaction, and the errors at
// a sample of targets, beside direct sums of the same particles. --benchmark_filter chooses among them.

#include "Benchmarks/RandomParticles.hpp"
#include "Benchmarks/Where.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/NBody/MultipoleSums.hpp"
#include "Core/Solvers/NBody/SampleErrors.hpp"
#include "Testing/Rooms.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <type_traits>

namespace spanwise::benchmarks {
namespace {

using nbody::Parts;

/// Random particles, and what is summed of them.
template <class Real, class Memory>
struct Particles {
  using Column = Kokkos::View<Real*, Memory>;
  std::int64_t count;
  Column values;
  Column sums;

  Particles(std::int64_t number, const Column& columns)
    : count(number), values(columns), sums("Benchmarks::sums", 4 * number) {}
  [[nodiscard]] nbody::SourcesView<3, Real> sources() const {
    const Real* const first = values.data();
    return {{{first, first + count, first + 2 * count}, count}, first + 3 * count, count};
  }
  [[nodiscard]] nbody::SumsView<Real> outputs(Parts parts) const {
    return {hasPotential(parts) ? sums.data() : nullptr, hasGradient(parts) ? sums.data() + count : nullptr, count};
  }
};

template <class Space, class Interaction, class Real>
void reportErrors(benchmark::State& state, const Space& space, const Interaction& interaction,
  const Particles<Real, typename Space::memory_space>& particles, Parts parts) {
  const Context context(space);
  const auto errors = nbody::sampleErrors(context, interaction,
    nbody::SumsToSample<3, Real>{particles.sources().points, particles.sources(), particles.outputs(parts), true}, 100);
  state.counters["potential L2"] = errors.potentialL2;
  state.counters["potential max"] = errors.potentialMax;
  state.counters["gradient L2"] = errors.gradientL2;
  state.counters["gradient max"] = errors.gradientMax;
}

enum class Places { Cube, Plummer };

template <class Where, class Interaction, class Real>
void multipoles(benchmark::State& state, const Interaction& interaction, Places places, std::int64_t count,
  double accuracy, Parts parts) {
  const auto space = Where::space();
  using Memory = typename Where::Space::memory_space;
  const Particles<Real, Memory> particles(count,
    places == Places::Plummer ? plummerSphere<Real>(space, count)
                              : randomParticles<Real, Memory>(count, 3, nbody::numChargesOf<Interaction>));
  const Context context(space);
  nbody::MultipoleMemory<3, typename Where::Space> memory;
  nbody::MultipoleOptions options;
  options.accuracy = accuracy;
  nbody::MultipoleReport report;
  const auto sum = [&] {
    report = multipolesWithin(context, interaction, particles.sources(), particles.outputs(parts), options, memory);
  };
  sum();
  const double begin = processorSeconds();
  secondsOf(state, space, sum);
  state.counters["CPU s"] = (processorSeconds() - begin) / static_cast<double>(state.iterations() + 1);
  state.counters["order"] = report.order;
  state.counters["levels"] = report.numLevels;
  reportErrors(state, space, interaction, particles, parts);
}

template <class Where, class Interaction, class Real>
void direct(benchmark::State& state, const Interaction& interaction, std::int64_t count, Parts parts) {
  const auto space = Where::space();
  using Memory = typename Where::Space::memory_space;
  const Particles<Real, Memory> particles(
    count, randomParticles<Real, Memory>(count, 3, nbody::numChargesOf<Interaction>));
  const Context context(space);
  const auto sum = [&] {
    sumWithin(context, interaction, particles.sources(), particles.outputs(parts), nbody::SumOptions());
  };
  sum();
  const double begin = processorSeconds();
  secondsOf(state, space, sum);
  state.counters["CPU s"] = (processorSeconds() - begin) / static_cast<double>(state.iterations() + 1);
}

template <class Where, class Interaction, class Real>
void add(const std::string& name, const Interaction& interaction, Parts parts, const std::string& where) {
  const std::string of = name + "/" +
    (parts == Parts::Potential ? "potential"
        : parts == Parts::Both ? "both"
                               : "gradient") +
    "/" + (sizeof(Real) == sizeof(float) ? "float" : "double") + "/";
  for (const std::int64_t count : {4'000, 10'000, 30'000, 100'000, 1'000'000, 10'000'000}) {
    for (const double accuracy : {1e-3, 3e-6, 1e-9}) {
      if (sizeof(Real) == sizeof(float) && accuracy < 1e-5 && accuracy != 3e-6) {
        continue;
      }
      // What takes minutes is measured once.
      if ((count > 100'000 && std::is_same_v<Where, OneThread>) ||
        (count > 1'000'000 && (accuracy != 3e-6 || parts != Parts::Both || sizeof(Real) == sizeof(float)))) {
        continue;
      }
      const double asked = sizeof(Real) == sizeof(float) && accuracy == 3e-6 ? 1e-5 : accuracy;
      char text[16];
      std::snprintf(text, sizeof(text), "%g", asked);
      benchmark::RegisterBenchmark(
        ("Spanwise/Multipoles/" + of + std::to_string(count) + "/" + text + "/" + where).c_str(),
        [=](benchmark::State& state) {
          multipoles<Where, Interaction, Real>(state, interaction, Places::Cube, count, asked, parts);
        })
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
    }
    if (count <= 100'000) {
      benchmark::RegisterBenchmark(("Spanwise/Multipoles/" + of + std::to_string(count) + "/direct/" + where).c_str(),
        [=](benchmark::State& state) { direct<Where, Interaction, Real>(state, interaction, count, parts); })
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
    }
  }
}

/// A cluster of stars, as fast as single precision allows.
template <class Where>
void addClusters(const std::string& where) {
  constexpr bool onHost = runsOnHost<typename Where::Space>;
  for (const std::int64_t count : {10'000, 1'000'000, 8'000'000, 100'000'000}) {
    for (const double accuracy : {5e-2, 1e-2}) {
      if (onHost && count > 1'000'000) {
        continue;
      }
      char text[16];
      std::snprintf(text, sizeof(text), "%g", accuracy);
      benchmark::RegisterBenchmark(
        ("Spanwise/Multipoles/cluster/both/float/" + std::to_string(count) + "/" + text + "/" + where).c_str(),
        [=](benchmark::State& state) {
          multipoles<Where, nbody::InverseDistance, float>(state, {}, Places::Plummer, count, accuracy, Parts::Both);
        })
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
    }
  }
}

template <class Where>
void addAll(const std::string& where) {
  addClusters<Where>(where);
  add<Where, nbody::InverseDistance, double>("1/r", {}, Parts::Both, where);
  add<Where, nbody::InverseDistance, double>("1/r", {}, Parts::Gradient, where);
  add<Where, nbody::InverseDistance, double>("1/r", {}, Parts::Potential, where);
  add<Where, nbody::InverseDistance, float>("1/r", {}, Parts::Both, where);
  add<Where, nbody::Dipole<3>, double>("dipoles", {}, Parts::Potential, where);
  add<Where, nbody::Yukawa, double>("Yukawa", {2.0}, Parts::Both, where);
}

const bool added = [] {
  addAll<OneThread>("1 thread");
  addAll<AllThreads>("all threads");
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
  addAll<Device>("device");
#endif
  return true;
}();

} // namespace
} // namespace spanwise::benchmarks
