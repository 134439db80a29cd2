#pragma once

// What the measurements of SpanwiseMultiGpu share: ranks, sizes, time, and the rows that come out.

#include "Benchmarks/MultiGpu/CountedRanks.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/KernelTimes.hpp"
#include "Core/Runtime/Runtime.hpp"
#include "Testing/Rooms.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace spanwise::benchmarks {

using Space = Kokkos::DefaultExecutionSpace;

/// What a step took, on the rank where it is the most.
struct StepCost {
  double seconds = 0.0;      ///< the median of several rounds of many steps
  std::int64_t launches = 0; ///< of kernels
  Traffic sent;
};

/// One run on so many ranks.
class Run {
public:
  /// `scale`: edges of what is measured are so many times as long.
  Run(const Communicator& ranks, double scale) : ranks_(ranks), context_(Space(), ranks_), scale_(scale) {}
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  [[nodiscard]] const Context<Space>& context() const { return context_; }
  [[nodiscard]] const Communicator& ranks() const { return context_.communicator(); }
  /// So many cells along an edge, scaled: an even number, at least 16.
  [[nodiscard]] int edge(int full) const;
  /// So many points, scaled as a volume is.
  [[nodiscard]] std::int64_t volume(std::int64_t full) const;

  /// Measures `step`, on all ranks at once.
  template <class Step>
  StepCost costOf(const Step& step) const {
    restartMemoryPeaks();
    step(); // allocates
    step();
    StepCost cost;
    count(step, cost);
    const double first = secondsTogether(step);
    const int steps = stepsOfRound(first);
    std::vector<double> times;
    for (int round = 0; round < numRounds; ++round) {
      times.push_back(secondsTogether([&] {
        for (int k = 0; k < steps; ++k) {
          step();
        }
      }) /
        steps);
    }
    cost.seconds = median(std::move(times));
    return cost;
  }

  /// The time of the slowest rank.
  template <class Work>
  double secondsTogether(const Work& work) const {
    context_.space().fence("SpanwiseMultiGpu");
    together();
    const double begin = now();
    work();
    context_.space().fence("SpanwiseMultiGpu");
    return ranks().reduced(ReduceBy::Maximum, now() - begin);
  }

  /// Writes a row of `units` (cells, points...) that a step of all ranks handles, with the most memory that a device
  /// has held since costOf() began. Collective.
  void write(const std::string& theme, const std::string& name, double units, const StepCost& cost) const;

private:
  static constexpr int numRounds = 7;
  static constexpr double secondsOfRound = 0.03;

  static double now();
  static double median(std::vector<double> times);
  void together() const { (void)ranks().reduced(ReduceBy::Maximum, std::int64_t{0}); }
  [[nodiscard]] int stepsOfRound(double secondsOfStep) const;
  [[nodiscard]] Traffic most(const Traffic& after, const Traffic& before) const;

  template <class Step>
  void count(const Step& step, StepCost& cost) const {
    const Traffic before = ranks_.traffic();
    const KernelTimes kernels;
    step();
    cost.sent = most(ranks_.traffic(), before);
    for (const KernelTime& kernel : kernels.times()) {
      cost.launches += kernel.numLaunches;
    }
  }

  CountedRanks ranks_;
  Context<Space> context_;
  double scale_;
};

// The themes.
void measureMessages(const Run& run);
void measureLattice(const Run& run);
void measureGas(const Run& run);
void measureMultipoles(const Run& run);
void measureGridTimes(const Run& run);
void measureMeshTimes(const Run& run);
void measureSets(const Run& run);

} // namespace spanwise::benchmarks
