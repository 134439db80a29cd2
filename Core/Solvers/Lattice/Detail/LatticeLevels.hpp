#pragma once

#include "Core/Geometry/StructuringElement.hpp"
#include "Core/Multilevel/Adapt.hpp"
#include "Core/Multilevel/LevelDomain.hpp"
#include "Core/Multilevel/LevelMove.hpp"
#include "Core/Multilevel/ObstacleLevels.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Lattice/Detail/Populations.hpp"
#include "Core/Solvers/Lattice/LatticeOptions.hpp"

#include <array>
#include <vector>

namespace spanwise::lattice::detail {

/// The options of a level in its own cells and steps: speeds stay, lengths and times are twice as many from a level to
/// the next.
template <int Dim>
LatticeOptions<Dim> optionsOfLevel(const LatticeOptions<Dim>& options, int level);

/// The levels of a flow, and which cells of each play which part. Keeps its memory. Lives no longer than the
/// communicator.
template <class ExecutionSpace, int Dim>
class LatticeLevels {
public:
  using Memory = typename ExecutionSpace::memory_space;
  using Set = geometry::IntervalSetOn<Dim, ExecutionSpace>;
  using Levels = multilevel::MultilevelSetOn<Dim, ExecutionSpace>;
  using Cells = LevelCells<ExecutionSpace, Dim>;
  using Numbers = multilevel::MultilevelFieldOn<double, ExecutionSpace>;
  /// Which cells of each level are to be divided; this rank's.
  using Tags = std::vector<Set>;

  /// Collective. `solid` has cells of the finest level, those of all ranks together. Levels are as the options want
  /// them without vortices.
  LatticeLevels(const Context<ExecutionSpace>& context, const LatticeOptions<Dim>& options, const Set& solid);

  /// Collective. Levels with these cells divided too; the numbers on their cells follow, and all of it is divided anew
  /// among ranks where it has drifted. Throws on all ranks alike.
  void adapt(const Context<ExecutionSpace>& context, const Tags& tags, Numbers& numbers);
  /// Collective. Becomes levels that were kept, with that cut.
  void use(const Context<ExecutionSpace>& context, const Levels& levels, const parallel::RowCut& cut);

  [[nodiscard]] const Levels& levels() const { return levels_; }
  [[nodiscard]] int numLevels() const { return levels_.numLevels(); }
  [[nodiscard]] const Cells& cells(int level) const { return cells_[static_cast<std::size_t>(level)]; }
  /// Cells of a level with children that leaves are beside.
  [[nodiscard]] const Set& covered(int level) const { return covered_[static_cast<std::size_t>(level)]; }
  [[nodiscard]] const parallel::RowCut& cut() const { return domain_.rootCut(); }

private:
  void tagAlways(const Context<ExecutionSpace>& context, int level, Set& out);
  void dilate(const Context<ExecutionSpace>& context, int level, const Set& set,
    const geometry::StructuringElement<Dim>& element, Set& out);
  void keepBalance(const Context<ExecutionSpace>& context, Numbers* numbers);
  void findCells(const Context<ExecutionSpace>& context);

  LatticeOptions<Dim> options_;
  multilevel::LevelDomain<ExecutionSpace, Dim> domain_;
  multilevel::ObstacleLevels<ExecutionSpace, Dim> obstacle_;
  multilevel::LevelMove<ExecutionSpace, Dim> move_;
  multilevel::Adaptation<ExecutionSpace, Dim, double> adaptation_;
  geometry::StructuringElement<Dim> beside_;
  geometry::StructuringElement<Dim> buffer_;
  Levels levels_;
  std::array<Cells, multilevel::maxNumLevels> cells_;
  std::array<Set, multilevel::maxNumLevels> covered_;
  std::array<multilevel::LevelHalo<ExecutionSpace, Dim>, multilevel::maxNumLevels> halos_;
};

} // namespace spanwise::lattice::detail
