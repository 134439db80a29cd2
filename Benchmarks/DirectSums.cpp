// Direct sums of 1 / r of random particles on themselves, as a table: a line for each way to write them, number of
// particles, precision and place. `SpanwiseDirectSums --help` lists the options; DirectSums.py runs it.

#include "Benchmarks/Core/Solvers/NBody/SumVariants.hpp"
#include "Benchmarks/DirectSumsOptions.hpp"
#include "Benchmarks/Places.hpp"
#include "Benchmarks/RandomParticles.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Runtime.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <string>
#include <vector>

namespace spanwise::benchmarks {
namespace {

using nbody::InstructionSet;
using nbody::Parts;
using Options = DirectSumsOptions;

/// What a line of the table is of.
struct Case {
  SumVariant variant;
  InstructionSet instructions;
  Parts parts;
  int count;
};

/// A sum that keeps what additions lose: A. Neumaier, Rundungsfehleranalyse einiger Verfahren zur Summation endlicher
/// Summen, ZAMM 54 (1974).
struct CompensatedSum {
  double sum = 0.0;
  double lost = 0.0;

  void add(double value) {
    const double next = sum + value;
    lost += std::abs(sum) >= std::abs(value) ? (sum - next) + value : (value - next) + sum;
    sum = next;
  }
  [[nodiscard]] double value() const { return sum + lost; }
};

struct Errors {
  double l2 = 0.0;
  double largest = 0.0;
};

/// Coordinates and charges by columns, and what is summed of them.
template <int Dim, class Real, class Memory>
struct Particles {
  using Column = Kokkos::View<Real*, Memory>;
  std::int64_t count;
  Column values;
  Column sums; ///< potentials, then gradients

  explicit Particles(std::int64_t number)
    : count(number), values(randomParticles<Real, Memory>(number, Dim, 1)),
      sums("Benchmarks::sums", (Dim + 1) * number) {}

  [[nodiscard]] nbody::SourcesView<Dim, Real> sources() const {
    nbody::SourcesView<Dim, Real> result{{{}, count}, values.data() + Dim * count, 0};
    for (int axis = 0; axis < Dim; ++axis) {
      result.points.coordinates[axis] = values.data() + axis * count;
    }
    return result;
  }
  [[nodiscard]] nbody::SumsView<Real> outputs(Parts parts) const {
    return {hasPotential(parts) ? sums.data() : nullptr, hasGradient(parts) ? sums.data() + count : nullptr, count};
  }

  /// Of the potentials, or of gradients where they are all that there is.
  [[nodiscard]] Errors errors(Parts parts) const {
    const auto x = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
    const auto given = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
    const bool ofGradients = !hasPotential(parts);
    const int columns = ofGradients ? Dim : 1;
    double error2 = 0.0;
    double exact2 = 0.0;
    Errors result;
    for (std::int64_t i = 0; i < count; i += count / 64 + 1) {
      CompensatedSum exact[Dim];
      double size = 0.0;
      for (std::int64_t j = 0; j < count; ++j) {
        double d[Dim];
        double r2 = 0.0;
        for (int axis = 0; axis < Dim; ++axis) {
          d[axis] = static_cast<double>(x(axis * count + i)) - x(axis * count + j);
          r2 += d[axis] * d[axis];
        }
        if (j == i || r2 == 0.0) {
          continue;
        }
        const double q = x(Dim * count + j);
        const double r = std::sqrt(r2);
        for (int c = 0; c < columns; ++c) {
          exact[c].add(ofGradients ? -q * d[c] / (r2 * r) : q / r);
        }
        size += std::abs(q) / (ofGradients ? r2 : r);
      }
      double here2 = 0.0;
      for (int c = 0; c < columns; ++c) {
        const double error = given((ofGradients ? 1 + c : 0) * count + i) - exact[c].value();
        here2 += error * error;
        exact2 += exact[c].value() * exact[c].value();
      }
      error2 += here2;
      result.largest = std::max(result.largest, size > 0.0 ? std::sqrt(here2) / size : 0.0);
    }
    result.l2 = exact2 > 0.0 ? std::sqrt(error2 / exact2) : 0.0;
    return result;
  }
};

void printHeader() {
  std::printf("%-6s %7s %-14s %-11s %9s %-9s %-9s %9s %10s %8s %9s %9s %9s\n", "where", "threads", "variant",
    "instructions", "dimension", "precision", "sums", "particles", "seconds", "G/s", "G/CPU_s", "error_L2",
    "error_max");
}

template <int Dim, class Real, class Space>
void measure(const Space& space, const Options& options, const Case& of) {
  using Clock = std::chrono::steady_clock;
  constexpr bool onHost = runsOnHost<Space>;
  const Particles<Dim, Real, typename Space::memory_space> particles(of.count);
  const Context context(space);
  const nbody::benchmarks::VariantOptions variantOptions{of.variant, of.instructions, options.teams};
  nbody::benchmarks::VariantReport report;
  double seconds = std::numeric_limits<double>::infinity();
  double processor = std::numeric_limits<double>::infinity();
  for (int run = 0; run < options.numRuns; ++run) {
    const auto begin = Clock::now();
    const double processorBegin = processorSeconds();
    report =
      sumWithin(context, nbody::InverseDistance(), particles.sources(), particles.outputs(of.parts), variantOptions);
    space.fence();
    seconds = std::min(seconds, std::chrono::duration<double>(Clock::now() - begin).count());
    processor = std::min(processor, processorSeconds() - processorBegin);
  }
  std::printf("%-6s %7d %-14s %-11s %9d %-9s %-9s %9d %10.3e %8.3f", onHost ? "host" : "device",
    onHost ? space.concurrency() : 0, nameOf(variantNames, report.variant).c_str(),
    nameOf(instructionNames, report.instructions).c_str(), Dim, sizeof(Real) == 4 ? "float" : "double",
    nameOf(partNames, of.parts).c_str(), of.count, seconds, 1e-9 * report.numInteractions / seconds);
  if (onHost) {
    std::printf(" %9.3f", 1e-9 * report.numInteractions / processor);
  } else {
    std::printf(" %9s", "-");
  }
  if (options.checks) {
    const Errors errors = particles.errors(of.parts);
    std::printf(" %9.1e %9.1e\n", errors.l2, errors.largest);
  } else {
    std::printf(" %9s %9s\n", "-", "-");
  }
  std::fflush(stdout);
}

/// The variants that were asked for, or all that there are in a place.
template <class Space>
std::vector<SumVariant> variantsOf(const Options& options) {
  if (!options.variants.empty()) {
    return options.variants;
  }
  std::vector<SumVariant> all{
    SumVariant::FlatFor, SumVariant::FlatReduce, SumVariant::NestedTeams, SumVariant::ScratchTiles};
  if (runsOnHost<Space>) {
    all.push_back(SumVariant::KokkosSimd);
  }
  all.push_back(SumVariant::RegisterTiles);
  if (runsOnHost<Space>) {
    all.push_back(SumVariant::Mutual);
  }
  return all;
}

template <class Space>
void measureAll(const Space& space, const Options& options) {
  for (const int dimension : options.dimensions) {
    for (const Parts parts : options.parts) {
      for (const Precision precision : options.precisions) {
        const bool isFloat = precision == Precision::Float;
        for (const SumVariant variant : variantsOf<Space>(options)) {
          for (const InstructionSet most : options.instructions) {
            if (!usesInstructions(variant) && most != options.instructions.front()) {
              continue; // once
            }
            for (const int count : options.counts) {
              const Case of{variant, most, parts, count};
              dimension == 2 ? isFloat ? measure<2, float>(space, options, of) : measure<2, double>(space, options, of)
                : isFloat ? measure<3, float>(space, options, of)
                             : measure<3, double>(space, options, of);
            }
          }
        }
      }
    }
  }
}

void measureOnHost(const Options& options) {
  for (const int threads : options.threads) {
    const int available = HostSpace().concurrency();
    if (threads > available) {
      throw InvalidArgument("--threads is " + std::to_string(threads) + "; Kokkos was started with " +
        std::to_string(available) + " (KOKKOS_NUM_THREADS)");
    }
    if (threads == 1 && available > 1) {
      measureAll(OneThread::space(), options);
      continue;
    }
#ifdef KOKKOS_ENABLE_OPENMP
    measureAll(threads == 0 ? HostSpace() : HostSpace(threads), options);
#else
    if (threads != 0 && threads != available) {
      throw InvalidArgument(std::string("--threads is ") + std::to_string(threads) + "; " + HostSpace::name() +
        " has 1 or all: start with KOKKOS_NUM_THREADS");
    }
    measureAll(HostSpace(), options);
#endif
  }
}

void run(const Options& options) {
  printHeader();
  const auto isAsked = [&](Place place) {
    return options.places.empty() ||
      std::find(options.places.begin(), options.places.end(), place) != options.places.end();
  };
  if (isAsked(Place::Host)) {
    measureOnHost(options);
  }
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
  if (isAsked(Place::Device)) {
    measureAll(Device::space(), options);
  }
#else
  if (!options.places.empty() && isAsked(Place::Device)) {
    throw InvalidArgument("--where is 'device'; this Kokkos has none");
  }
#endif
}

} // namespace
} // namespace spanwise::benchmarks

int main(int argc, char** argv) {
  CLI::App app("Direct sums of 1 / r of random particles on themselves: a line for each way to write them.");
  spanwise::benchmarks::DirectSumsOptions options;
  spanwise::benchmarks::addOptions(app, options);
  CLI11_PARSE(app, argc, argv);
  try {
    spanwise::startRuntime();
    spanwise::benchmarks::run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
