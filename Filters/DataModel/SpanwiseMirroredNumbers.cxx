#include "SpanwiseMirroredNumbers.h"

#include "Core/Runtime/ArrayLength.hpp"
#include "Core/Runtime/HostCopy.hpp"
#include "Core/Runtime/Label.hpp"

namespace spanwise {

namespace {

template <class Memory>
Kokkos::View<std::int64_t*, Memory> roomFor(std::int64_t count) {
  return Kokkos::View<std::int64_t*, Memory>(
    Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("DataModel::numbers")),
    arrayLength<std::int64_t>(count));
}

} // namespace

const MirroredNumbers::On<ComputeSide::Host>& MirroredNumbers::host() const {
  static const On<ComputeSide::Host> none;
  if (!sides_) {
    return none;
  }
  return sides_->host.get([this] {
    const auto room = roomFor<On<ComputeSide::Host>::memory_space>(sides_->count);
    copyToHost(SpaceOf<ComputeSide::Device>(), sides_->device.ifMade()->data(), sides_->count, room.data());
    return On<ComputeSide::Host>(room);
  });
}

const MirroredNumbers::On<ComputeSide::Device>& MirroredNumbers::device() const {
  static const On<ComputeSide::Device> none;
  if (!sides_) {
    return none;
  }
  return sides_->device.get([this] {
    const auto room = roomFor<On<ComputeSide::Device>::memory_space>(sides_->count);
    HostExecutionSpace().fence(SPANWISE_LABEL("DataModel::numbers"));
    copyFromHost(SpaceOf<ComputeSide::Device>(), sides_->host.ifMade()->data(), sides_->count, room.data());
    return On<ComputeSide::Device>(room);
  });
}

} // namespace spanwise
