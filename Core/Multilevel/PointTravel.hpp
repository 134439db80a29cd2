#pragma once

#include "Core/Multilevel/LevelDomain.hpp"
#include "Core/Multilevel/Sampling.hpp"
#include "Core/Parallel/Messenger.hpp"
#include "Core/Runtime/Context.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <vector>

namespace spanwise::multilevel {

/// Points travel to the ranks that may have the leaves that hold them, and answers travel back.
///
/// A rank that has the plane of the root around a point has all leaves there. A point between two planes of different
/// ranks goes to both; that of the upper plane has the first say, as locatePoints() has it. Positions and answers are
/// sent from where they lie. Keeps its buffers. Lives no longer than the communicator.
template <class ExecutionSpace, int Dim>
class PointTravel {
public:
  using Memory = typename ExecutionSpace::memory_space;
  template <class T>
  using Array = Kokkos::View<T*, Memory>;

  explicit PointTravel(const Communicator& communicator);

  [[nodiscard]] const Communicator& communicator() const { return messenger_.communicator(); }

  /// Collective. Points, in the units of a hierarchy's lattice with this root, set out; any number on each rank.
  /// O(points log ranks). May throw on one rank alone only for lack of memory.
  void send(const Context<ExecutionSpace>& context, const geometry::GridGeometry<Dim>& root,
    const parallel::RowCut& rootCut, const Array<const Position<Dim>>& points);

  /// The points that have come to this rank, in no certain order.
  [[nodiscard]] Array<const Position<Dim>> arrived() const;
  /// How many copies of points this rank has sent, itself included.
  [[nodiscard]] std::int64_t numSent() const { return sendBegins_.back(); }

  /// Collective. levelsOfPoints = the levels of the leaves that the ranks have found: those of the first say, or
  /// noLevel. `found` are those of arrived(). Waits for them.
  void chooseAnswers(const Context<ExecutionSpace>& context, const Array<const std::int32_t>& found,
    const Array<std::int32_t>& levelsOfPoints);

  /// Where each point's answer is among those that came back, -1 for points without a leaf.
  [[nodiscard]] Array<const std::int64_t> places() const { return chosen_; }

  /// Collective. answers [numSent()] come back, of `bytes` bytes each; `mine` are those of arrived(), in their order.
  void bringBytesBack(const Context<ExecutionSpace>& context, const void* mine, void* answers, std::int64_t bytes);

  [[nodiscard]] const parallel::MessageReport& report() const { return messenger_.report(); }

private:
  parallel::Messenger<ExecutionSpace> messenger_;
  std::int64_t numPoints_ = 0;
  std::vector<std::int64_t> sendBegins_;    // [ranks + 1]
  std::vector<std::int64_t> receiveBegins_; // [ranks + 1]
  Array<std::int64_t> bounds_;              // of the cut, inner ones
  Array<std::int64_t> next_;                // [ranks]
  Array<std::int64_t> slots_;               // [points][2]: where a point lies among those that are sent, or -1
  Array<std::int64_t> chosen_;              // [points]
  Array<Position<Dim>> sent_;
  Array<Position<Dim>> arrived_;
  Array<std::int32_t> levels_; ///< that came back
};

} // namespace spanwise::multilevel
