#include "Core/Solvers/NBody/CurveCut.hpp"

#include "Core/Geometry/PointBounds.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/HilbertCurve.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/MergeSort.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace spanwise::nbody {

namespace detail {

namespace {

template <int Dim, class Real>
struct CoordinatesOf {
  PointsView<Dim, Real> points;
  KOKKOS_FUNCTION double operator()(std::int64_t i, int axis) const { return points.coordinates[axis][i]; }
};

struct CurvePoint {
  std::uint64_t key;
  std::int64_t index;
};

struct AlongCurve {
  KOKKOS_FUNCTION bool operator()(const CurvePoint& a, const CurvePoint& b) const { return a.key < b.key; }
};

template <int Dim>
inline constexpr int curveBits = Dim == 3 ? 21 : 32; // of a cell along an axis

template <int Dim, class Real>
struct FindCurveKeys {
  PointsView<Dim, Real> points;
  RankBounds<Dim> bounds;
  double cellsInSide;
  CurvePoint* keyed;

  void operator()(std::int64_t i) const {
    constexpr std::int64_t last = (std::int64_t{1} << curveBits<Dim>)-1;
    std::uint32_t cell[Dim];
    for (int axis = 0; axis < Dim; ++axis) {
      const double along = (points.coordinates[axis][i] - bounds.low[axis]) * cellsInSide;
      cell[axis] = static_cast<std::uint32_t>(std::clamp<std::int64_t>(static_cast<std::int64_t>(along), 0, last));
    }
    keyed[i] = {hilbertNumber(cell, Dim, curveBits<Dim>), i};
  }
};

struct SplitCurvePoints {
  const CurvePoint* keyed;
  std::uint64_t* keys;
  std::int64_t* order;
  void operator()(std::int64_t i) const {
    keys[i] = keyed[i].key;
    order[i] = keyed[i].index;
  }
};

/// Weights of the points below a key.
class WeightBelow {
public:
  explicit WeightBelow(const CurvePoints& points) : points_(&points) {
    for (const std::int64_t i : points.order) {
      if (points.weights.empty()) {
        break;
      }
      before_.push_back(total_);
      total_ += points.weights[static_cast<std::size_t>(i)];
    }
    if (points.weights.empty()) {
      total_ = static_cast<std::int64_t>(points.keys.size());
    }
  }

  [[nodiscard]] std::int64_t total() const { return total_; }
  [[nodiscard]] std::int64_t operator()(std::uint64_t key) const {
    const auto below = std::lower_bound(points_->keys.begin(), points_->keys.end(), key) - points_->keys.begin();
    if (before_.empty()) {
      return below;
    }
    return below < static_cast<std::int64_t>(before_.size()) ? before_[static_cast<std::size_t>(below)] : total_;
  }

private:
  const CurvePoints* points_;
  std::vector<std::int64_t> before_;
  std::int64_t total_ = 0;
};

/// Where a bound is looked for: from `key` on, below which there is the weight `below`, to the key whose next digit is
/// one more, below which there is `above`.
struct BoundSearch {
  std::uint64_t key = 0;
  std::int64_t goal = 0;
  std::int64_t below = 0;
  std::int64_t above = 0;
};

} // namespace

} // namespace detail

template <int Dim>
double RankBounds<Dim>::side() const {
  double longest = 0.0;
  for (int axis = 0; axis < Dim; ++axis) {
    longest = std::max(longest, high[axis] - low[axis]);
  }
  return longest > 0.0 ? longest : 1.0;
}

template <class ExecutionSpace, int Dim, class Real>
RankBounds<Dim> boundsOfRanks(const ExecutionSpace& space, const Communicator& communicator,
  const PointsView<Dim, Real>& targets, const PointsView<Dim, Real>& sources) {
  SPANWISE_REGION("NBody::boundsOfRanks");
  constexpr double most = std::numeric_limits<double>::max();
  std::array<double, 2 * Dim> least; // the greatest coordinates with the other sign
  least.fill(most);
  const auto include = [&](const PointsView<Dim, Real>& points, const char* what) {
    if (points.count == 0) {
      return;
    }
    const auto of =
      spanwise::geometry::detail::boundsOf<Dim>(space, detail::CoordinatesOf<Dim, Real>{points}, points.count);
    if (of.firstUnusable < points.count) {
      throw InvalidArgument(std::string(what) + " " + std::to_string(of.firstUnusable) +
        " has a coordinate that is not finite or beyond 1e70 in magnitude");
    }
    for (int axis = 0; axis < Dim; ++axis) {
      least[axis] = std::min(least[axis], of.low[axis]);
      least[Dim + axis] = std::min(least[Dim + axis], -of.high[axis]);
    }
  };
  parallel::agree(communicator, [&] {
    include(sources, "source");
    if (!std::equal(targets.coordinates, targets.coordinates + Dim, sources.coordinates)) {
      include(targets, "target");
    }
  });
  communicator.reduce(ReduceBy::Minimum, least);
  std::array<std::int64_t, 2> counts{targets.count, sources.count};
  communicator.reduce(ReduceBy::Sum, counts);
  RankBounds<Dim> bounds;
  bounds.numTargets = counts[0];
  bounds.numSources = counts[1];
  for (int axis = 0; axis < Dim && counts[0] + counts[1] > 0; ++axis) {
    bounds.low[axis] = least[axis];
    bounds.high[axis] = -least[Dim + axis];
  }
  return bounds;
}

template <class ExecutionSpace, int Dim, class Real>
void sortAlongCurve(const Context<ExecutionSpace>& context, const RankBounds<Dim>& bounds,
  const PointsView<Dim, Real>& points, CurvePoints& result) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("NBody::sortAlongCurve");
  Workspace<Kokkos::HostSpace>::Frame frame(context.workspace());
  const auto keyed = frame.template array<detail::CurvePoint>(points.count);
  const auto scratch = frame.template array<detail::CurvePoint>(points.count);
  const IndexRange<ExecutionSpace> all(space, 0, points.count);
  const double cellsInSide = static_cast<double>(std::int64_t{1} << detail::curveBits<Dim>) / bounds.side();
  forEach(
    SPANWISE_KERNEL("find keys"), all, detail::FindCurveKeys<Dim, Real>{points, bounds, cellsInSide, keyed.data()});
  const detail::CurvePoint* const sorted =
    sortStably(space, keyed.data(), scratch.data(), points.count, detail::AlongCurve());
  result.keys.resize(static_cast<std::size_t>(points.count));
  result.order.resize(static_cast<std::size_t>(points.count));
  result.weights.clear();
  forEach(
    SPANWISE_KERNEL("split keys"), all, detail::SplitCurvePoints{sorted, result.keys.data(), result.order.data()});
  space.fence(SPANWISE_LABEL("NBody::sortAlongCurve"));
}

std::vector<std::uint64_t> cutCurve(const Communicator& communicator, std::span<const CurvePoints* const> sets) {
  SPANWISE_REGION("NBody::cutCurve");
  constexpr int digitBits = 8;
  constexpr int numDigits = 1 << digitBits;
  std::vector<detail::WeightBelow> weights;
  std::int64_t total = 0;
  for (const CurvePoints* const set : sets) {
    weights.emplace_back(*set);
    total += weights.back().total();
  }
  total = communicator.reduced(ReduceBy::Sum, total);
  const auto numBounds = static_cast<std::size_t>(communicator.size() - 1);
  std::vector<detail::BoundSearch> searches(numBounds);
  for (std::size_t r = 0; r < numBounds; ++r) {
    const auto part = static_cast<std::int64_t>(r) + 1;
    searches[r].goal = total / communicator.size() * part + total % communicator.size() * part / communicator.size();
    searches[r].above = total;
  }
  std::vector<std::int64_t> below(numBounds * numDigits); // the weight below each digit of each search
  for (int shift = 64 - digitBits; shift >= 0; shift -= digitBits) {
    for (std::size_t r = 0; r < numBounds; ++r) {
      for (std::size_t digit = 0; digit < numDigits; ++digit) {
        const std::uint64_t key = searches[r].key + (std::uint64_t{digit} << shift);
        std::int64_t& sum = below[r * numDigits + digit];
        sum = 0;
        for (const detail::WeightBelow& weight : weights) {
          sum += weight(key);
        }
      }
    }
    communicator.reduce(ReduceBy::Sum, below);
    for (std::size_t r = 0; r < numBounds; ++r) {
      const auto first = below.begin() + static_cast<std::ptrdiff_t>(r * numDigits);
      const auto after = std::upper_bound(first + 1, first + numDigits, searches[r].goal);
      searches[r].below = *(after - 1);
      searches[r].above = after != first + numDigits ? *after : searches[r].above;
      searches[r].key += static_cast<std::uint64_t>(after - 1 - first) << shift;
    }
  }
  std::vector<std::uint64_t> bounds;
  for (const detail::BoundSearch& search : searches) { // one key is before the bound or after it
    const bool isAfter = search.above - search.goal < search.goal - search.below;
    bounds.push_back(search.key + static_cast<std::uint64_t>(isAfter));
  }
  return bounds;
}

template struct RankBounds<2>;
template struct RankBounds<3>;

#define SPANWISE_CURVE_CUT(Space, Dim, Real)                                                                           \
  template RankBounds<Dim> boundsOfRanks<Space, Dim, Real>(                                                            \
    const Space&, const Communicator&, const PointsView<Dim, Real>&, const PointsView<Dim, Real>&);                    \
  template void sortAlongCurve<Space, Dim, Real>(                                                                      \
    const Context<Space>&, const RankBounds<Dim>&, const PointsView<Dim, Real>&, CurvePoints&);
#define SPANWISE_CURVE_CUTS(Space)                                                                                     \
  SPANWISE_CURVE_CUT(Space, 2, float)                                                                                  \
  SPANWISE_CURVE_CUT(Space, 2, double)                                                                                 \
  SPANWISE_CURVE_CUT(Space, 3, float)                                                                                  \
  SPANWISE_CURVE_CUT(Space, 3, double)
SPANWISE_IF_SERIAL(SPANWISE_CURVE_CUTS(Kokkos::Serial))
SPANWISE_IF_OPENMP(SPANWISE_CURVE_CUTS(Kokkos::OpenMP))
SPANWISE_IF_THREADS(SPANWISE_CURVE_CUTS(Kokkos::Threads))

} // namespace spanwise::nbody
