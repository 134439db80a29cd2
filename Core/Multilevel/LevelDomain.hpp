#pragma once

#include "Core/Geometry/Periods.hpp"
#include "Core/Geometry/StructuringElement.hpp"
#include "Core/Multilevel/LevelPlanes.hpp"
#include "Core/Multilevel/MultilevelSet.hpp"
#include "Core/Parallel/CellMove.hpp"
#include "Core/Parallel/Halo.hpp"
#include "Core/Runtime/Context.hpp"

#include <cstdint>

namespace spanwise::multilevel {

/// Where the levels of a hierarchy go on beside those that a rank has: on other ranks, and along axes that repeat.
///
/// The root's planes of the slowest axis are cut among the ranks, and all levels above a plane are on one rank: its
/// hierarchy is one by itself, with all parents and children. What the cells around decide about crosses cuts and the
/// ends of periods by surround(), the only way. Functions that take a domain give each rank what lies in its planes of
/// what one rank alone would get of the whole hierarchy, cell by cell and bit by bit, however it is cut; ranks without
/// planes or cells take part, and the hierarchies of all have as many levels. They are collective, and may throw on one
/// rank alone only for lack of memory.
///
/// Lives no longer than the communicator.
template <class ExecutionSpace, int Dim>
class LevelDomain {
public:
  using Memory = typename ExecutionSpace::memory_space;
  using Set = geometry::IntervalSetOn<Dim, ExecutionSpace>;

  /// One process. `periods` says along which axes the lattice repeats; its box is in cells of the root. Throws
  /// InvalidArgument if the box is empty along one of them.
  explicit LevelDomain(const geometry::Periods<Dim>& periods = {});
  /// The ranks of the context. All give the same cut and periods. Throws InvalidArgument as well unless the cut has a
  /// part for each rank, in ascending order.
  LevelDomain(const Context<ExecutionSpace>& context, const parallel::RowCut& rootCut,
    const geometry::Periods<Dim>& periods = {});

  [[nodiscard]] const Communicator& communicator() const { return move_.communicator(); }
  [[nodiscard]] const parallel::RowCut& rootCut() const { return rootCut_; }
  /// For hierarchies that have moved (repartition()). Throws as the constructor.
  void setRootCut(const parallel::RowCut& rootCut);
  [[nodiscard]] const geometry::Periods<Dim>& periods() const { return periods_; }
  /// Whether there is nothing around: one rank, and no axis repeats.
  [[nodiscard]] bool endsHere() const { return communicator().alone() && !periods_.any(); }

  [[nodiscard]] parallel::RowCut cut(int level) const { return cutOfLevel(rootCut_, level); }
  /// The halo of so many planes of a level.
  [[nodiscard]] parallel::Halo halo(int level, std::int64_t planes) const;
  /// The axes that repeat, with the box in cells of a level. Throws CoordinateOverflow if that has no coordinates.
  [[nodiscard]] geometry::Periods<Dim> periodsOf(int level) const;
  /// The cells of a level that this rank may have: its planes, within one period; and so many cells more at each end
  /// that is not the lattice's own.
  [[nodiscard]] geometry::Box<Dim> box(int level, std::int64_t around = 0) const;
  /// This rank's planes, with so many cells more along the other axes that repeat.
  [[nodiscard]] geometry::Box<Dim> boxOfPlanes(int level, std::int64_t around) const;

  /// Collective. Throws InvalidArgument on all ranks where a rank has cells of a level that are not in its box.
  void check(const Context<ExecutionSpace>& context, int level, const Set& set) const;

  /// Collective. out = the cells of all ranks' sets of a level that are in box(level, reach), copies beyond the ends of
  /// periods included; `set` has cells of this rank's box. `out` may be `set`. O(rows + intervals); sends what lies in
  /// `reach` planes on both sides of cuts. Where the domain ends here, `out` shares the set. Throws as
  /// check(), and CoordinateOverflow on all ranks where a cell around has no coordinates.
  void surround(const Context<ExecutionSpace>& context, int level, std::int64_t reach, const Set& set, Set& out);
  /// Collective. The same of a set that stands in scratch memory; until the next call.
  geometry::IntervalSetView<Dim> surrounded(
    const Context<ExecutionSpace>& context, int level, std::int64_t reach, const geometry::IntervalSetView<Dim>& set);

  /// Collective. out = the cells of a level that the element, around the cells of all ranks' sets, reaches; as far as
  /// they matter to this rank: those in its box are all there. Throws as surround() and morph(). `out` may not be
  /// `set`.
  void dilate(const Context<ExecutionSpace>& context, int level, const geometry::StructuringElement<Dim>& element,
    const Set& set, Set& out);

  /// Collective. The maximum of all ranks.
  [[nodiscard]] int maxOfRanks(int number) const;
  /// What surround() has sent.
  [[nodiscard]] const parallel::MessageReport& report() const { return move_.report(); }

private:
  parallel::CellMove<ExecutionSpace, Dim> move_;
  parallel::RowCut rootCut_;
  geometry::Periods<Dim> periods_;
  Set own_; // arrays that are kept
  Set inPlanes_;
  Set around_;
};

} // namespace spanwise::multilevel
