#pragma once

#include "Core/Field/Checks.hpp"
#include "Core/Multilevel/Detail/CopySources.hpp"
#include "Core/Multilevel/LevelDomain.hpp"
#include "Core/Parallel/HaloExchange.hpp"
#include "Core/Runtime/Context.hpp"

#include <cstdint>
#include <exception>
#include <optional>

namespace spanwise::multilevel {

/// How values get to the cells around those of a rank: from other ranks, one message to each, and from the other ends
/// of axes that repeat. Lives no longer than the communicator.
template <class ExecutionSpace, int Dim>
class LevelHalo {
public:
  using Memory = typename ExecutionSpace::memory_space;
  using Set = geometry::IntervalSetOn<Dim, ExecutionSpace>;

  /// Collective. For fields on `set`, this rank's part of a set of cells of a level: that in domain.box(level, reach),
  /// as surround() makes it. Throws InvalidArgument on all ranks where their parts do not fit. O(rows + intervals), and
  /// a lookup for each copy.
  void build(const Context<ExecutionSpace>& context, const LevelDomain<ExecutionSpace, Dim>& domain, int level,
    std::int64_t reach, const Set& set);

  /// Collective. The cells around get the values of those that they are, in each component; what they had is lost.
  /// Throws InvalidArgument, on all ranks, where a field does not have the set's number of cells; fields of all ranks
  /// have as many components. A repeated call allocates nothing.
  template <field::FieldValue T>
  void fill(const ExecutionSpace& space, field::Field<T, Memory>& field) {
    fillAfter(space, field, field.numComponents(), [] {});
  }

  /// Collective. The same after work(), which makes a field of so many components of the set. What it throws on some
  /// ranks is thrown on all.
  template <field::FieldValue T, class Work>
  void fillAfter(const ExecutionSpace& space, field::Field<T, Memory>& field, int numComponents, const Work& work) {
    std::exception_ptr failure;
    try {
      work();
      checkCells(field, numCells_, "the level and what is around it");
      if (copies_.cells.numCells() > 0) {
        detail::copySources(space, copies_, field.view());
      }
    } catch (...) {
      failure = std::current_exception();
      if (exchange_ && field.numComponents() != numComponents) {
        field.resize(numCells_, numComponents); // others wait for as many values
      }
    }
    if (exchange_) {
      exchange_->fail(failure);
      exchange_->exchange(space, field.view());
    } else if (failure) {
      std::rethrow_exception(failure);
    }
  }

  /// What was sent; null where there is nobody to send to.
  [[nodiscard]] const parallel::MessageReport* report() const { return exchange_ ? &exchange_->report() : nullptr; }

private:
  std::int64_t numCells_ = 0;
  CellSources<Memory> copies_; // of this rank's planes, along the other axes
  std::optional<parallel::HaloExchange<ExecutionSpace>> exchange_;
  Set scratch_[3];
};

} // namespace spanwise::multilevel
