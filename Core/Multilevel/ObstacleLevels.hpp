#pragma once

#include "Core/Geometry/BoxCells.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Multilevel/LevelDomain.hpp"
#include "Core/Parallel/CellMove.hpp"
#include "Core/Runtime/Context.hpp"

#include <vector>

namespace spanwise::multilevel {

/// An obstacle on the levels of a flow around it: this rank's cells. Keeps its memory. Lives no longer than the
/// communicator.
template <class ExecutionSpace, int Dim>
class ObstacleLevels {
public:
  using Set = geometry::IntervalSetOn<Dim, ExecutionSpace>;

  explicit ObstacleLevels(const Communicator& communicator) : move_(communicator) {}

  /// Collective. Of `cells` of the finest level, those of all ranks together, in the box of the root; no levels at all
  /// where there are none.
  void build(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain,
    const geometry::Box<Dim>& rootBox, int numLevels, const Set& cells);
  /// Collective. Divides it anew among ranks, as the domain now is.
  void rebuild(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain,
    const geometry::Box<Dim>& rootBox) {
    if (!empty()) {
      build(context, domain, rootBox, static_cast<int>(levels_.size()), Set(levels_.back().solid));
    }
  }

  [[nodiscard]] bool empty() const { return levels_.empty(); }
  /// Cells that are in it, with all of their children.
  [[nodiscard]] const Set& solid(int level) const { return of(level).solid; }
  /// Cells that hold a part of it.
  [[nodiscard]] const Set& touched(int level) const { return of(level).touched; }
  /// Cells that are to have children because of it: what holds a part of it or is beside such cells.
  [[nodiscard]] const Set& refined(int level) const { return of(level).refined; }
  /// Its cells on the finest level.
  [[nodiscard]] const Set& finest() const { return empty() ? none_ : levels_.back().solid; }

private:
  struct Level {
    Set solid;
    Set touched;
    Set refined;
  };
  [[nodiscard]] const Level& of(int level) const { return levels_[static_cast<std::size_t>(level)]; }

  std::vector<Level> levels_;
  Set none_;
  Set scratch_[2];
  parallel::CellMove<ExecutionSpace, Dim> move_;
};

} // namespace spanwise::multilevel
