#include "SpanwiseMirroredSet.h"

#include "Core/Geometry/Copy.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Runtime/Context.hpp"

using namespace spanwise::geometry;

namespace spanwise {

namespace {

/// The set in another memory, after the kernels that may still write it.
template <class Set, class From, class Other>
Set copied(const From& space, const Other& set) {
  space.fence(SPANWISE_LABEL("DataModel::copied set"));
  Set there;
  copy(set, there);
  return there;
}

} // namespace

template <int Dim>
const HostIntervalSet<Dim>& MirroredSet<Dim>::makeHost() const {
  static const HostSet nothing;
  if (!sides_) {
    return nothing;
  }
  return sides_->host.get([this] {
    if (const DeviceSet* const there = sides_->device.ifMade()) {
      return copied<HostSet>(SpaceOf<ComputeSide::Device>(), *there);
    }
    HostSet intervals;
    intervalsOf<Dim>(Context<HostExecutionSpace>(), **sides_->mask.ifMade(), intervals);
    return intervals;
  });
}

template <int Dim>
MirroredSet<Dim> MirroredSet<Dim>::ofMask(const CellMask<Dim>& mask) {
  MirroredSet result;
  if (isNoise<Dim>(mask.totals().intervals, mask.image().box)) {
    result.sides_ = std::make_shared<Sides>();
    result.sides_->totals = mask.totals();
    result.sides_->mask.get([&] { return mask; });
  } else {
    HostSet intervals;
    intervalsOf<Dim>(Context<HostExecutionSpace>(), mask, intervals);
    result.template give<ComputeSide::Host>(intervals);
  }
  return result;
}

template <int Dim>
const CellMask<Dim>* MirroredSet<Dim>::mask() const {
  if (!sides_ || isOnDevice()) {
    return nullptr;
  }
  const auto& made = sides_->mask.get([this]() -> std::optional<CellMask<Dim>> {
    constexpr std::int64_t leastIntervalsOfRow = 4; // of noise; tells what is none without a look at its rows
    if (numIntervals() < leastIntervalsOfRow * numRows()) {
      return {};
    }
    const Context<HostExecutionSpace> context;
    const Box<Dim> bounds = boundingBox<HostExecutionSpace, Dim>(context, host());
    if (!isNoise<Dim>(numIntervals(), bounds)) {
      return {};
    }
    CellMask<Dim> mask;
    maskOf<Dim>(context, host(), bounds, mask);
    return mask;
  });
  return made ? &*made : nullptr;
}

template <int Dim>
const IntervalSetOn<Dim, SpaceOf<ComputeSide::Device>>& MirroredSet<Dim>::device() const {
  static const DeviceSet nothing;
  if (!sides_) {
    return nothing;
  }
  return sides_->device.get([this] { return copied<DeviceSet>(HostExecutionSpace(), host()); });
}

template <int Dim>
std::size_t MirroredSet<Dim>::bytes() const {
  std::size_t sum = 0;
  if (sides_) {
    const HostSet* const onHost = sides_->host.ifMade();
    const DeviceSet* const onDevice = sides_->device.ifMade();
    const auto* const mask = sides_->mask.ifMade();
    sum = (onHost != nullptr ? onHost->bytes() : 0) + (onDevice != nullptr ? onDevice->bytes() : 0) +
      (mask != nullptr && *mask ? (*mask)->bytes() : 0);
  }
  return sum;
}

template class MirroredSet<2>;
template class MirroredSet<3>;

} // namespace spanwise
