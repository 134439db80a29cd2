#include "Core/Multilevel/PointTravel.hpp"

#include "Core/Multilevel/Detail/PointCells.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reserve.hpp"

#include <span>

namespace spanwise::multilevel {

namespace {

/// The ranks that a point goes to.
template <int Dim>
struct OwnersOfPoints {
  const Position<Dim>* points;
  geometry::GridGeometry<Dim> root;
  const std::int64_t* bounds; ///< between the parts of the cut
  int numBounds;

  struct Owners {
    int first;
    int second; ///< -1: the first alone, or none
  };

  [[nodiscard]] KOKKOS_FUNCTION Owners operator()(std::int64_t p) const {
    const double at = detail::rootCoordinate(root, points[p], Dim - 1);
    const double floor = Kokkos::floor(at);
    Owners owners{ownerOf(floor), at == floor ? ownerOf(floor - 1.0) : -1};
    owners.second = owners.second == owners.first ? -1 : owners.second;
    return owners;
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION int ownerOf(double c) const {
    geometry::Coordinate plane = 0;
    if (!detail::cellCoordinate(c, plane)) {
      return -1;
    }
    int rank = 0;
    for (int end = numBounds; rank < end;) {
      const int middle = (rank + end) / 2;
      if (bounds[middle] <= plane) {
        rank = middle + 1;
      } else {
        end = middle;
      }
    }
    return rank;
  }
};

template <int Dim>
struct SortForRanks {
  OwnersOfPoints<Dim> ownersOf;
  std::int64_t* next;
  std::int64_t* slots;
  Position<Dim>* sent;

  KOKKOS_FUNCTION void operator()(std::int64_t p) const {
    const auto owners = ownersOf(p);
    slots[2 * p] = place(p, owners.first);
    slots[2 * p + 1] = place(p, owners.second);
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t place(std::int64_t p, int rank) const {
    if (rank < 0) {
      return -1;
    }
    const std::int64_t slot = Kokkos::atomic_fetch_add(&next[rank], std::int64_t{1});
    sent[slot] = ownersOf.points[p];
    return slot;
  }
};

template <class Memory>
void copyToDevice(const std::vector<std::int64_t>& from, Kokkos::View<std::int64_t*, Memory>& to) {
  reserve(to, static_cast<std::int64_t>(from.size()), SPANWISE_LABEL("Multilevel::PointTravel"));
  using Bytes = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  Kokkos::deep_copy(Kokkos::subview(to, Kokkos::pair<std::size_t, std::size_t>(0, from.size())),
    Kokkos::View<const std::int64_t*, Kokkos::HostSpace, Bytes>(from.data(), from.size()));
}

template <class Memory>
std::vector<std::int64_t> copyToHost(const Kokkos::View<std::int64_t*, Memory>& from, std::size_t count) {
  std::vector<std::int64_t> to(count);
  using Bytes = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  Kokkos::deep_copy(Kokkos::View<std::int64_t*, Kokkos::HostSpace, Bytes>(to.data(), count),
    Kokkos::subview(from, Kokkos::pair<std::size_t, std::size_t>(0, count)));
  return to;
}

std::vector<std::int64_t> beginsOf(const std::vector<std::int64_t>& counts) {
  std::vector<std::int64_t> begins{0};
  for (const std::int64_t count : counts) {
    begins.push_back(begins.back() + count);
  }
  return begins;
}

} // namespace

template <class ExecutionSpace, int Dim>
PointTravel<ExecutionSpace, Dim>::PointTravel(const Communicator& communicator)
  : messenger_(communicator), sendBegins_(static_cast<std::size_t>(communicator.size()) + 1, 0),
    receiveBegins_(sendBegins_) {}

template <class ExecutionSpace, int Dim>
void PointTravel<ExecutionSpace, Dim>::send(const Context<ExecutionSpace>& context,
  const geometry::GridGeometry<Dim>& root, const parallel::RowCut& rootCut, const Array<const Position<Dim>>& points) {
  SPANWISE_REGION("Multilevel::sendPoints");
  const ExecutionSpace& space = context.space();
  const Communicator& communicator = messenger_.communicator();
  const auto ranks = static_cast<std::size_t>(communicator.size());
  numPoints_ = static_cast<std::int64_t>(points.extent(0));
  copyToDevice({rootCut.bounds.begin() + 1, rootCut.bounds.end() - 1}, bounds_);
  const OwnersOfPoints<Dim> owners{points.data(), root, bounds_.data(), communicator.size() - 1};
  const IndexRange<ExecutionSpace> all(space, 0, numPoints_);

  copyToDevice(std::vector<std::int64_t>(ranks, 0), next_);
  std::int64_t* const next = next_.data();
  forEach(
    SPANWISE_KERNEL("count points"), all, KOKKOS_LAMBDA(std::int64_t p) {
      const auto ranksOfPoint = owners(p);
      if (ranksOfPoint.first >= 0) {
        Kokkos::atomic_add(&next[ranksOfPoint.first], std::int64_t{1});
      }
      if (ranksOfPoint.second >= 0) {
        Kokkos::atomic_add(&next[ranksOfPoint.second], std::int64_t{1});
      }
    });
  space.fence(SPANWISE_LABEL("Multilevel::PointTravel"));
  const std::vector<std::int64_t> counts = copyToHost(next_, ranks);
  const std::vector<std::int64_t> countsOfAll = communicator.gather(std::span<const std::int64_t>(counts));
  std::vector<std::int64_t> countsForMe;
  countsForMe.reserve(ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    countsForMe.push_back(countsOfAll[r * ranks + static_cast<std::size_t>(communicator.rank())]);
  }
  sendBegins_ = beginsOf(counts);
  receiveBegins_ = beginsOf(countsForMe);

  reserve(slots_, 2 * numPoints_, SPANWISE_LABEL("Multilevel::PointTravel"));
  reserve(chosen_, numPoints_, SPANWISE_LABEL("Multilevel::PointTravel"));
  reserve(sent_, sendBegins_.back(), SPANWISE_LABEL("Multilevel::PointTravel"));
  reserve(arrived_, receiveBegins_.back(), SPANWISE_LABEL("Multilevel::PointTravel"));
  copyToDevice(sendBegins_, next_);
  forEach(SPANWISE_KERNEL("sort points"), all, SortForRanks<Dim>{owners, next_.data(), slots_.data(), sent_.data()});
  for (std::size_t r = 0; r < ranks; ++r) {
    messenger_.send(static_cast<int>(r), sent_.data() + sendBegins_[r], counts[r]);
    messenger_.receive(static_cast<int>(r), arrived_.data() + receiveBegins_[r], countsForMe[r]);
  }
  messenger_.start(space);
  messenger_.finish(space);
}

template <class ExecutionSpace, int Dim>
auto PointTravel<ExecutionSpace, Dim>::arrived() const -> Array<const Position<Dim>> {
  return Array<const Position<Dim>>(Kokkos::subview(
    arrived_, Kokkos::pair<std::size_t, std::size_t>(0, static_cast<std::size_t>(receiveBegins_.back()))));
}

template <class ExecutionSpace, int Dim>
void PointTravel<ExecutionSpace, Dim>::chooseAnswers(const Context<ExecutionSpace>& context,
  const Array<const std::int32_t>& found, const Array<std::int32_t>& levelsOfPoints) {
  reserve(levels_, numSent(), SPANWISE_LABEL("Multilevel::answers"));
  bringBytesBack(context, found.data(), levels_.data(), sizeof(std::int32_t));
  const std::int64_t* const slots = slots_.data();
  const std::int32_t* const levels = levels_.data();
  std::int64_t* const chosen = chosen_.data();
  std::int32_t* const out = levelsOfPoints.data();
  forEach(
    SPANWISE_KERNEL("choose answers"), IndexRange<ExecutionSpace>(context.space(), 0, numPoints_),
    KOKKOS_LAMBDA(std::int64_t p) {
      chosen[p] = -1;
      out[p] = noLevel;
      for (int k = 1; k >= 0; --k) { // the first one last
        const std::int64_t slot = slots[2 * p + k];
        if (slot >= 0 && levels[slot] != noLevel) {
          chosen[p] = slot;
          out[p] = levels[slot];
        }
      }
    });
  context.space().fence(SPANWISE_LABEL("Multilevel::PointTravel"));
}

template <class ExecutionSpace, int Dim>
void PointTravel<ExecutionSpace, Dim>::bringBytesBack(
  const Context<ExecutionSpace>& context, const void* mine, void* answers, std::int64_t bytes) {
  for (std::size_t r = 0; r + 1 < sendBegins_.size(); ++r) {
    messenger_.send(static_cast<int>(r), static_cast<const char*>(mine) + receiveBegins_[r] * bytes,
      (receiveBegins_[r + 1] - receiveBegins_[r]) * bytes);
    messenger_.receive(static_cast<int>(r), static_cast<char*>(answers) + sendBegins_[r] * bytes,
      (sendBegins_[r + 1] - sendBegins_[r]) * bytes);
  }
  messenger_.start(context.space());
  messenger_.finish(context.space());
}

#define SPANWISE_POINT_TRAVEL(Space, Dim) template class PointTravel<Space, Dim>;
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_POINT_TRAVEL)

} // namespace spanwise::multilevel
