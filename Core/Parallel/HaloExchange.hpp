#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Parallel/CellMove.hpp"
#include "Core/Parallel/Halo.hpp"
#include "Core/Parallel/Messenger.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace spanwise {

/// Consecutive cells: [begin, end).
struct CellRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  [[nodiscard]] std::int64_t count() const { return end - begin; }
};

/// Which cells of a rank's set with its halo go to which ranks, and which come from them: slabs, as the cells of a
/// plane follow each other. The same for every field on that set, until the set or the cut changes.
struct HaloPlan {
  std::vector<CellSlab> sends;    ///< owned cells that other ranks hold; by rank, then by where they are held
  std::vector<CellSlab> receives; ///< cells of the halo
  std::int64_t numCells = 0;      ///< of the set with its halo
  CellRange owned;                ///< the cells of the rank's own planes
  CellRange inner;                ///< those of them in planes that have the whole halo between them and other ranks'
};

/// Collective. The plan for a set with its halo (addHalo()): that of the whole set in the rank's own planes and in its
/// halo. Throws InvalidArgument on all ranks where ranks do not have as many cells of a slab. O(ranks log rows).
template <class ExecutionSpace, int Dim>
HaloPlan makeHaloPlan(const ExecutionSpace& space, const Communicator& communicator, const RowCut& cut,
  const Halo& halo, const IntervalSetOn<Dim, ExecutionSpace>& set);

/// Brings the values of owned cells to the ranks that hold these cells in their halo, step after step:
///
///   exchange.start(space, density, velocity);
///   ... the cells of plan().inner ...
///   exchange.finish(space);
///   ... the others ...
///
/// Slabs are sent from where they lie in the fields and received where they belong, all slabs of all fields for a rank
/// as one message where the communicator joins them (Messenger). Nothing is allocated after the first exchange. Lives
/// no longer than the communicator.
template <class ExecutionSpace>
class HaloExchange {
public:
  /// On the host fields may be treated as if they lay in a device's memory, for tests.
  HaloExchange(const Communicator& communicator, HaloPlan plan, bool asOnDevice = !runsOnHost<ExecutionSpace>)
    : messenger_(communicator, asOnDevice), plan_(std::move(plan)) {}

  [[nodiscard]] const HaloPlan& plan() const { return plan_; }
  [[nodiscard]] const MessageReport& report() const { return messenger_.report(); }

  /// Collective. Begins to bring the values of these fields (FieldView and the like, in memory of `space`) into the
  /// halo. Waits for the kernels of `space` before. Until finish() owned cells may be read and the halo not at all. All
  /// ranks give fields of the same kinds. Throws InvalidArgument, before anything is sent, where a field does not have
  /// plan().numCells cells: on such ranks alone, while others wait for them in finish(), as to agree costs messages.
  template <ValuesOnCells... Fields>
  void start(const ExecutionSpace& space, const Fields&... fields) {
    (checkCells(fields.numCells), ...);
    (add(fields), ...);
    messenger_.start(space);
  }
  /// Collective. Waits until the halo has its values. Kernels of `space` that are launched from now on see them.
  void finish(const ExecutionSpace& space) { messenger_.finish(space); }

  /// Collective. Both.
  template <ValuesOnCells... Fields>
  void exchange(const ExecutionSpace& space, const Fields&... fields) {
    start(space, fields...);
    finish(space);
  }

private:
  void checkCells(std::int64_t numCells) const;

  template <class View>
  void add(const View& field) {
    for (int c = 0; c < field.numComponents; ++c) {
      for (const CellSlab& slab : plan_.sends) {
        messenger_.send(slab.rank, field.component[c] + slab.firstCell, slab.numCells);
      }
      for (const CellSlab& slab : plan_.receives) {
        messenger_.receive(slab.rank, field.component[c] + slab.firstCell, slab.numCells);
      }
    }
  }

  Messenger<ExecutionSpace> messenger_;
  HaloPlan plan_;
};

} // namespace spanwise
