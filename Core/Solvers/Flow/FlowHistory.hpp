#pragma once

#include "Core/Runtime/FrameArrays.hpp"
#include "Core/Solvers/Flow/IdealGas.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace spanwise::flow {

/// What is recorded of a flow at a time.
template <int Dim>
struct FlowRecord {
  double time = 0.0;
  std::int64_t steps = 0;
  std::int64_t cells = 0; ///< that hold gas and have no finer ones, of all ranks
  double mass = 0.0;
  double energy = 0.0;
  double force[Dim] = {}; ///< of the gas on the obstacle
};

/// Records in the order of their steps, and what probes read then. A flow that goes back in time keeps what comes later
/// until it gets there again.
template <int Dim>
class FlowHistory {
public:
  explicit FlowHistory(std::size_t numProbes = 0) : numProbes_(numProbes) {}

  [[nodiscard]] std::size_t numProbes() const { return numProbes_; }

  /// The records of the first `steps` steps.
  [[nodiscard]] std::span<const FlowRecord<Dim>> upTo(std::int64_t steps) const {
    return std::span<const FlowRecord<Dim>>(records_).first(countBefore(steps + 1));
  }
  /// What the probes read at a record.
  [[nodiscard]] std::span<const Primitive<double, Dim>> probes(std::size_t record) const {
    return std::span<const Primitive<double, Dim>>(readings_).subspan(record * numProbes_, numProbes_);
  }

  /// Adds a record, in the place of those that are not before it; `readings` are of all probes.
  void add(const FlowRecord<Dim>& record, std::span<const Primitive<double, Dim>> readings) {
    const std::size_t count = countBefore(record.steps);
    records_.resize(count);
    readings_.resize(count * numProbes_);
    records_.push_back(record);
    readings_.insert(readings_.end(), readings.begin(), readings.end());
  }
  void clear() {
    records_.clear();
    readings_.clear();
  }

  /// Puts the records up to a time into a frame.
  void store(double time, FrameWriter& to) const {
    const auto later = std::ranges::upper_bound(records_, time, {}, &FlowRecord<Dim>::time);
    const auto count = static_cast<std::size_t>(later - records_.begin());
    to.number(static_cast<std::int64_t>(count));
    std::copy_n(records_.begin(), count, to.array<FlowRecord<Dim>>(static_cast<std::int64_t>(count)).begin());
    const std::size_t numReadings = count * numProbes_;
    std::copy_n(
      readings_.begin(), numReadings, to.array<Primitive<double, Dim>>(static_cast<std::int64_t>(numReadings)).begin());
  }
  /// Becomes what was stored, with as many probes.
  void restore(FrameReader& from) {
    const auto count = from.number<std::int64_t>();
    const auto records = from.array<FlowRecord<Dim>>(count);
    records_.assign(records.begin(), records.end());
    const auto readings = from.array<Primitive<double, Dim>>(count * static_cast<std::int64_t>(numProbes_));
    readings_.assign(readings.begin(), readings.end());
  }

private:
  [[nodiscard]] std::size_t countBefore(std::int64_t steps) const {
    return static_cast<std::size_t>(
      std::ranges::lower_bound(records_, steps, {}, &FlowRecord<Dim>::steps) - records_.begin());
  }

  std::size_t numProbes_;
  std::vector<FlowRecord<Dim>> records_;
  std::vector<Primitive<double, Dim>> readings_;
};

} // namespace spanwise::flow
