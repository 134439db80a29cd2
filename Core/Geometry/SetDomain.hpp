#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/Periods.hpp"
#include "Core/Parallel/Halo.hpp"
#include "Core/Parallel/RowCut.hpp"
#include "Core/Runtime/Communicator.hpp"
#include "Core/Runtime/Context.hpp"

#include <cstdint>

namespace spanwise::geometry {

/// The periods but that of the slowest axis, along which ranks have halos.
template <int Dim>
Periods<Dim> withoutSlowest(Periods<Dim> periods) {
  periods.along[Dim - 1] = false;
  return periods;
}

/// So many planes of halo, around the slowest axis if that is periodic.
template <int Dim>
parallel::Halo haloOf(std::int64_t planes, const Periods<Dim>& periods) {
  const parallel::PlaneRange period{periods.box.begin[Dim - 1], periods.box.end[Dim - 1]};
  return periods.along[Dim - 1] ? parallel::Halo(planes, period) : parallel::Halo(planes);
}

/// Where a set goes on beside the cells that a process has of it: on other ranks, and along axes that repeat.
///
/// The planes of the slowest axis are cut among the ranks, and each has the cells in its own. Functions that take a
/// domain give each rank what lies in its planes of what one process would get of the whole set, however it is cut;
/// ranks without planes or cells take part. They are collective, throw on all ranks alike, and have a context with the
/// ranks of the cut.
template <int Dim>
class SetDomain {
public:
  // Of periods too: most sets are on one process.
  /// One process, which has all planes.
  SetDomain(const Periods<Dim>& periods = {}); // NOLINT(google-explicit-constructor)
  /// All ranks give the same cut and periods. Throws InvalidArgument unless the cut has a part for each rank, in
  /// ascending order.
  SetDomain(const Communicator& communicator, const parallel::RowCut& cut, const Periods<Dim>& periods = {});

  [[nodiscard]] int numRanks() const { return cut_.bounds.empty() ? 1 : cut_.numParts(); }
  /// Whether the process has all planes.
  [[nodiscard]] bool alone() const { return numRanks() == 1; }
  [[nodiscard]] parallel::RowCut cut() const;
  [[nodiscard]] const Periods<Dim>& periods() const { return periods_; }
  /// This rank's own planes: within the period where the slowest axis repeats and there are several ranks.
  [[nodiscard]] const parallel::PlaneRange& planes() const { return planes_; }
  [[nodiscard]] parallel::Halo halo(std::int64_t planes) const { return haloOf<Dim>(planes, periods_); }
  /// The axes whose ends meet on this rank: with other ranks all but the slowest.
  [[nodiscard]] Periods<Dim> periodsHere() const { return alone() ? periods_ : withoutSlowest(periods_); }

private:
  parallel::RowCut cut_; ///< without bounds: all is one part
  parallel::PlaneRange planes_;
  Periods<Dim> periods_;
};

/// The ranks that work on a set in a domain: those of the context, and this process where it has all planes. Throws
/// InvalidArgument, on all ranks, where the context has not as many as the domain.
template <int Dim>
const Communicator& ranksOf(const Communicator& ofContext, const SetDomain<Dim>& domain);
template <class ExecutionSpace, int Dim>
const Communicator& ranksOf(const Context<ExecutionSpace>& context, const SetDomain<Dim>& domain) {
  return ranksOf(context.communicator(), domain);
}

/// Throws InvalidArgument where the set has cells outside this rank's own planes, or as checkPeriods().
template <class ExecutionSpace, int Dim>
void checkOwnCells(
  const Context<ExecutionSpace>& context, const SetDomain<Dim>& domain, const IntervalSetOn<Dim, ExecutionSpace>& set);

/// Collective. Throws that on all ranks where one would.
template <class ExecutionSpace, int Dim>
void checkDomain(
  const Context<ExecutionSpace>& context, const SetDomain<Dim>& domain, const IntervalSetOn<Dim, ExecutionSpace>& set);

/// Collective. out = the cells of the whole set in this rank's planes and so many around them, as addHalo(); `set` has
/// the rank's own. `out` may be `set`. Where nothing is around, `out` shares the set.
template <class ExecutionSpace, int Dim>
void surround(const Context<ExecutionSpace>& context, const SetDomain<Dim>& domain, std::int64_t planes,
  const IntervalSetOn<Dim, ExecutionSpace>& set, IntervalSetOn<Dim, ExecutionSpace>& out);

} // namespace spanwise::geometry
