#include "SpanwiseMirroredSet.h"

#include "Core/Geometry/Copy.hpp"

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
  return sides_->host.get([this] { return copied<HostSet>(SpaceOf<ComputeSide::Device>(), *sides_->device.ifMade()); });
}

template <int Dim>
const IntervalSetOn<Dim, SpaceOf<ComputeSide::Device>>& MirroredSet<Dim>::device() const {
  static const DeviceSet nothing;
  if (!sides_) {
    return nothing;
  }
  return sides_->device.get([this] { return copied<DeviceSet>(HostExecutionSpace(), *sides_->host.ifMade()); });
}

template <int Dim>
std::size_t MirroredSet<Dim>::bytes() const {
  std::size_t sum = 0;
  if (sides_) {
    const HostSet* const onHost = sides_->host.ifMade();
    const DeviceSet* const onDevice = sides_->device.ifMade();
    sum = (onHost != nullptr ? onHost->bytes() : 0) + (onDevice != nullptr ? onDevice->bytes() : 0);
  }
  return sum;
}

template class MirroredSet<2>;
template class MirroredSet<3>;

} // namespace spanwise
