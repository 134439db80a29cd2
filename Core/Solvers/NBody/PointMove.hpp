#pragma once

#include "Core/Parallel/Messenger.hpp"
#include "Core/Solvers/NBody/CurveCut.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace spanwise::nbody {

/// Brings values of points to the ranks that own their part of a curve, and others from there back. A rank has the
/// points of its part rank by rank, those of a rank in the order of the curve.
///
/// Keeps its memory, so the same move again allocates nothing. May throw on one rank alone only for lack of memory.
template <class ExecutionSpace>
class PointMove {
public:
  /// Collective. Points go where the bounds of cutCurve() say. `points` lives as long as they are moved.
  void plan(const Communicator& communicator, const CurvePoints& points, std::span<const std::uint64_t> bounds);

  /// Points that this rank gets.
  [[nodiscard]] std::int64_t numHere() const { return receiveBegin_.back(); }
  /// Points that it sends to others.
  [[nodiscard]] std::int64_t numSent() const;

  /// Collective. to[c][...] = the points of this rank's part, from from[c][...], where those lie that are this rank's
  /// own before. As many columns on all ranks.
  template <class T>
  void forward(const ExecutionSpace& space, parallel::Messenger<ExecutionSpace>& messenger,
    std::span<const T* const> from, std::span<T* const> to);
  /// Collective. The other way; with `adds` values are added to what is there.
  template <class T>
  void back(const ExecutionSpace& space, parallel::Messenger<ExecutionSpace>& messenger, std::span<const T* const> from,
    std::span<T* const> to, bool adds);

private:
  [[nodiscard]] std::int64_t numOwn() const { return sendBegin_.back(); }
  template <class T>
  [[nodiscard]] T* packed(std::size_t numColumns);

  const CurvePoints* points_ = nullptr;
  std::size_t rank_ = 0;
  std::vector<std::int64_t> sendBegin_{0, 0};    ///< along the curve, of each rank's part
  std::vector<std::int64_t> receiveBegin_{0, 0}; ///< here, of each rank's points
  std::vector<std::uint64_t> packed_;            ///< columns along the curve
};

} // namespace spanwise::nbody
