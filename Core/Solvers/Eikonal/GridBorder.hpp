#pragma once

#include "Core/Parallel/HaloExchange.hpp"
#include "Core/Runtime/Progress.hpp"
#include "Core/Solvers/Eikonal/ChangedTimes.hpp"
#include "Core/Solvers/Eikonal/Detail/FrontUpdate.hpp"
#include "Core/Solvers/Eikonal/Detail/SharedProgress.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace spanwise::eikonal {

/// The border between a rank's cells of a grid and those of others, over which times go: those that have changed, to
/// the ranks that read them. Holds all memory that this takes; serves any number of solutions on one cut of a grid.
/// Lives no longer than its communicator.
template <class ExecutionSpace>
class GridBorder {
public:
  using Memory = typename ExecutionSpace::memory_space;
  using Changed = ChangedTimes<ExecutionSpace, FrontTime>;

  /// Cells that follow each other.
  struct Row {
    std::int32_t firstCell;
    std::int32_t numCells;
  };

  /// What kernels see of it.
  struct View {
    Row owned;
    const Row* links; ///< own cells that other ranks read
    std::int32_t numLinks;
    typename Changed::Outbox outbox;

    /// Whether a cell is the rank's own, which it computes.
    [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool owns(std::int32_t cell) const {
      return static_cast<std::uint32_t>(cell - owned.firstCell) < static_cast<std::uint32_t>(owned.numCells);
    }
    /// Tells the ranks that read an own cell of its new time.
    KOKKOS_FORCEINLINE_FUNCTION void tell(std::int32_t cell, const FrontTime& time) const {
      for (std::int32_t k = 0; k < numLinks; ++k) {
        const std::int32_t place = cell - links[k].firstCell;
        if (place >= 0 && place < links[k].numCells) {
          outbox.add(k, place, time);
        }
      }
    }
  };

  /// Times of cells that follow a first one.
  struct Arrived {
    std::int32_t firstCell;
    typename Changed::Arrived changed;
  };

  /// Collective. `reads` are the slabs of other ranks' cells that this rank reads, `isRead` those of its own that they
  /// read; both in the order of ranks, and slabs of a pair of ranks in the same order on both.
  GridBorder(const ExecutionSpace& space, const Communicator& communicator, parallel::CellRange owned,
    const std::vector<parallel::CellSlab>& isRead, const std::vector<parallel::CellSlab>& reads);

  [[nodiscard]] parallel::MessageReport report() const { return changed_.report(); }

  // What the iteration calls (Detail/GridIteration.hpp); all collective but view().

  [[nodiscard]] View view() const;
  void clear(const ExecutionSpace& space) { changed_.clear(space); }
  void exchange(const ExecutionSpace& space) { changed_.exchange(space); }
  [[nodiscard]] std::size_t numArrived() const { return changed_.numIncoming(); }
  [[nodiscard]] Arrived arrived(std::size_t k) const { return {firstRead_[k], changed_.arrived(k)}; }
  [[nodiscard]] double agreed(double first, bool& anyReached);
  void report(const Progress& progress, double share) { progress_.report(progress, share); }

private:
  Row owned_;
  Kokkos::View<Row*, Memory> links_;
  std::vector<std::int32_t> firstRead_;
  Changed changed_;
  SharedProgress progress_;
};

} // namespace spanwise::eikonal
