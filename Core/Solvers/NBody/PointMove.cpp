#include "Core/Solvers/NBody/PointMove.hpp"

#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <algorithm>

namespace spanwise::nbody {

namespace detail {

namespace {

template <class T>
struct PackColumn {
  const T* from;
  const std::int64_t* order;
  T* to;
  void operator()(std::int64_t i) const { to[i] = from[order[i]]; }
};

template <class T>
struct UnpackColumn {
  const T* from;
  const std::int64_t* order;
  bool adds;
  T* to;
  void operator()(std::int64_t i) const { to[order[i]] = adds ? to[order[i]] + from[i] : from[i]; }
};

} // namespace

} // namespace detail

template <class ExecutionSpace>
void PointMove<ExecutionSpace>::plan(
  const Communicator& communicator, const CurvePoints& points, std::span<const std::uint64_t> bounds) {
  const auto numRanks = static_cast<std::size_t>(communicator.size());
  points_ = &points;
  rank_ = static_cast<std::size_t>(communicator.rank());
  sendBegin_.assign(1, 0);
  for (const std::uint64_t bound : bounds) {
    sendBegin_.push_back(std::lower_bound(points.keys.begin(), points.keys.end(), bound) - points.keys.begin());
  }
  sendBegin_.push_back(static_cast<std::int64_t>(points.keys.size()));
  std::vector<std::int64_t> counts(numRanks);
  for (std::size_t r = 0; r < numRanks; ++r) {
    counts[r] = sendBegin_[r + 1] - sendBegin_[r];
  }
  const std::vector<std::int64_t> all = communicator.gather(std::span<const std::int64_t>(counts));
  receiveBegin_.assign(1, 0);
  for (std::size_t r = 0; r < numRanks; ++r) {
    receiveBegin_.push_back(receiveBegin_.back() + all[r * numRanks + static_cast<std::size_t>(communicator.rank())]);
  }
}

template <class ExecutionSpace>
std::int64_t PointMove<ExecutionSpace>::numSent() const {
  return numOwn() - (sendBegin_[rank_ + 1] - sendBegin_[rank_]);
}

template <class ExecutionSpace>
template <class T>
T* PointMove<ExecutionSpace>::packed(std::size_t numColumns) {
  static_assert(sizeof(T) <= sizeof(std::uint64_t));
  const auto needed = numColumns * static_cast<std::size_t>(numOwn());
  packed_.resize(std::max(packed_.size(), needed));
  return reinterpret_cast<T*>(packed_.data());
}

template <class ExecutionSpace>
template <class T>
void PointMove<ExecutionSpace>::forward(const ExecutionSpace& space, parallel::Messenger<ExecutionSpace>& messenger,
  std::span<const T* const> from, std::span<T* const> to) {
  SPANWISE_REGION("NBody::movePoints");
  T* const columns = packed<T>(from.size());
  for (std::size_t c = 0; c < from.size(); ++c) {
    T* const column = columns + static_cast<std::int64_t>(c) * numOwn();
    forEach(SPANWISE_KERNEL("pack points"), IndexRange<ExecutionSpace>(space, 0, numOwn()),
      detail::PackColumn<T>{from[c], points_->order.data(), column});
    for (int r = 0; r + 1 < static_cast<int>(sendBegin_.size()); ++r) {
      messenger.send(r, column + sendBegin_[r], sendBegin_[r + 1] - sendBegin_[r]);
      messenger.receive(r, to[c] + receiveBegin_[r], receiveBegin_[r + 1] - receiveBegin_[r]);
    }
  }
  messenger.start(space);
  messenger.finish(space);
}

template <class ExecutionSpace>
template <class T>
void PointMove<ExecutionSpace>::back(const ExecutionSpace& space, parallel::Messenger<ExecutionSpace>& messenger,
  std::span<const T* const> from, std::span<T* const> to, bool adds) {
  SPANWISE_REGION("NBody::movePoints");
  T* const columns = packed<T>(from.size());
  for (std::size_t c = 0; c < from.size(); ++c) {
    T* const column = columns + static_cast<std::int64_t>(c) * numOwn();
    for (int r = 0; r + 1 < static_cast<int>(sendBegin_.size()); ++r) {
      messenger.send(r, from[c] + receiveBegin_[r], receiveBegin_[r + 1] - receiveBegin_[r]);
      messenger.receive(r, column + sendBegin_[r], sendBegin_[r + 1] - sendBegin_[r]);
    }
  }
  messenger.start(space);
  messenger.finish(space);
  for (std::size_t c = 0; c < from.size(); ++c) {
    forEach(SPANWISE_KERNEL("unpack points"), IndexRange<ExecutionSpace>(space, 0, numOwn()),
      detail::UnpackColumn<T>{columns + static_cast<std::int64_t>(c) * numOwn(), points_->order.data(), adds, to[c]});
  }
  space.fence(SPANWISE_LABEL("NBody::movePoints"));
}

#define SPANWISE_MOVE_VALUES(Space, T)                                                                                 \
  template void PointMove<Space>::forward<T>(                                                                          \
    const Space&, parallel::Messenger<Space>&, std::span<const T* const>, std::span<T* const>);                        \
  template void PointMove<Space>::back<T>(                                                                             \
    const Space&, parallel::Messenger<Space>&, std::span<const T* const>, std::span<T* const>, bool);
#define SPANWISE_POINT_MOVE(Space)                                                                                     \
  template class PointMove<Space>;                                                                                     \
  SPANWISE_MOVE_VALUES(Space, float)                                                                                   \
  SPANWISE_MOVE_VALUES(Space, double)                                                                                  \
  SPANWISE_MOVE_VALUES(Space, std::int64_t)
SPANWISE_IF_SERIAL(SPANWISE_POINT_MOVE(Kokkos::Serial))
SPANWISE_IF_OPENMP(SPANWISE_POINT_MOVE(Kokkos::OpenMP))
SPANWISE_IF_THREADS(SPANWISE_POINT_MOVE(Kokkos::Threads))

} // namespace spanwise::nbody
