#pragma once

#include "Core/Multilevel/Detail/CopySources.hpp"
#include "Core/Multilevel/LevelDomain.hpp"
#include "Core/Parallel/HaloExchange.hpp"

#include <cstdint>
#include <optional>

namespace spanwise {

/// How values get to the cells around those of a rank: from other ranks, one message to each, and from the other ends
/// of axes that repeat. Lives no longer than the communicator.
template <class ExecutionSpace, int Dim>
class LevelHalo {
public:
  using Memory = typename ExecutionSpace::memory_space;
  using Set = IntervalSetOn<Dim, ExecutionSpace>;

  /// Collective. For fields on `set`, this rank's part of a set of cells of a level: that in domain.box(level, reach),
  /// as surround() makes it. Throws InvalidArgument on all ranks where their parts do not fit. O(rows + intervals), and
  /// a lookup for each copy.
  void build(const ExecutionSpace& space, const LevelDomain<ExecutionSpace, Dim>& domain, int level, std::int64_t reach,
    const Set& set, Workspace<Memory>& workspace);

  /// Collective. The cells around get the values of those that they are, in each component; what they had is lost.
  /// Throws InvalidArgument where the field does not have the set's number of cells. A repeated call allocates nothing.
  template <FieldValue T>
  void fill(const ExecutionSpace& space, Field<T, Memory>& field) {
    if (copies_.cells.numCells() > 0) {
      detail::copySources(space, copies_, field.view());
    }
    if (exchange_) {
      exchange_->exchange(space, field.view());
    }
  }

  /// What was sent; null where there is nobody to send to.
  [[nodiscard]] const MessageReport* report() const { return exchange_ ? &exchange_->report() : nullptr; }

private:
  CellSources<Memory> copies_; // of this rank's planes, along the other axes
  std::optional<HaloExchange<ExecutionSpace>> exchange_;
  Set scratch_[2];
};

} // namespace spanwise
