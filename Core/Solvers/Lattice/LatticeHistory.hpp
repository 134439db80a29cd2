#pragma once

#include "Core/Runtime/FrameArrays.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace spanwise::lattice {

/// What is recorded of a flow between two steps, of all ranks and in units of the lattice.
template <int Dim>
struct LatticeRecord {
  std::int64_t steps = 0;
  double massBeyondRest = 0.0;   ///< of the fluid, less that at rest
  double meanVelocity[Dim] = {}; ///< over all cells of the box: what flows through a unit of area
  double greatestSpeed = 0.0;
  double force[Dim] = {}; ///< on the obstacle
};

/// Records in the order of their steps. A flow that goes back in time keeps what comes later until it gets there again.
template <int Dim>
class LatticeHistory {
public:
  using Record = LatticeRecord<Dim>;

  /// The records of the first `steps` steps.
  [[nodiscard]] std::span<const Record> upTo(std::int64_t steps) const {
    return std::span<const Record>(records_).first(countBefore(steps + 1));
  }
  /// Adds a record, in the place of those that are not before it.
  void add(const Record& record) {
    records_.resize(countBefore(record.steps));
    records_.push_back(record);
  }
  void clear() { records_.clear(); }

  /// Puts the records of the first steps into a frame.
  void store(std::int64_t steps, FrameWriter& to) const {
    const auto records = upTo(steps);
    to.number(static_cast<std::int64_t>(records.size()));
    std::ranges::copy(records, to.array<Record>(static_cast<std::int64_t>(records.size())).begin());
  }
  /// Becomes what was stored.
  void restore(FrameReader& from) {
    const auto records = from.array<Record>(from.number<std::int64_t>());
    records_.assign(records.begin(), records.end());
  }

private:
  [[nodiscard]] std::size_t countBefore(std::int64_t steps) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(records_, steps, {}, &Record::steps) - records_.begin());
  }

  std::vector<Record> records_;
};

} // namespace spanwise::lattice
