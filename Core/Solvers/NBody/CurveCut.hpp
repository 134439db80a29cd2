#pragma once

#include "Core/Runtime/Communicator.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/NBody/Points.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace spanwise::nbody {

/// The least and the greatest coordinates of the points of all ranks.
template <int Dim>
struct RankBounds {
  std::array<double, Dim> low{};
  std::array<double, Dim> high{};
  std::int64_t numTargets = 0; ///< of all ranks
  std::int64_t numSources = 0;

  [[nodiscard]] double side() const; ///< the longest; 1 where all points are in one place
};

/// Collective. Throws InvalidArgument, on all ranks, where a coordinate is not finite or beyond 1e70 in magnitude.
/// O(n).
template <class ExecutionSpace, int Dim, class Real>
RankBounds<Dim> boundsOfRanks(const ExecutionSpace& space, const Communicator& communicator,
  const PointsView<Dim, Real>& targets, const PointsView<Dim, Real>& sources);

/// The points of a rank along Hilbert's curve through the box of all ranks' points. (Trees number their boxes along
/// Morton's curve; parts of Hilbert's hang together, so less of their surface touches other parts.)
struct CurvePoints {
  std::vector<std::uint64_t> keys;   ///< ascending
  std::vector<std::int64_t> order;   ///< which point each key is of; points with the same key keep their order
  std::vector<std::int64_t> weights; ///< of the points in their own order, at least 0; none: 1 each
};

/// Finds keys and order on the host; weights are taken away. O(n log n).
template <class ExecutionSpace, int Dim, class Real>
void sortAlongCurve(const Context<ExecutionSpace>& context, const RankBounds<Dim>& bounds,
  const PointsView<Dim, Real>& points, CurvePoints& result);

/// Collective. Cuts the curve so that the parts of all ranks' points have the same weight, or as near as keys allow:
/// points with the same key belong to the same part. Part r has the keys from bound r - 1 up to bound r, which is not
/// in it; the first part begins at 0 and the last one has no end. Returns the ranks - 1 bounds, the same everywhere.
/// Found digit by digit by 8 reductions of 256 (ranks - 1) numbers. O(n + ranks log n). (M. S. Warren, J. K. Salmon, A
/// parallel hashed oct-tree N-body algorithm, Supercomputing 1993, cut a curve into parts of equal work.)
std::vector<std::uint64_t> cutCurve(const Communicator& communicator, std::span<const CurvePoints* const> sets);

} // namespace spanwise::nbody
