#ifndef SpanwiseDrawingSide_h
#define SpanwiseDrawingSide_h

// Where what is drawn is made: on the host or on the device. Not wrapped.

#include "SpanwiseMirroredSet.h"
#include "SpanwiseSide.h"

#include "Core/Runtime/HostCopy.hpp"
#include "Core/Runtime/Label.hpp"

#include <Kokkos_Core.hpp>

#include <chrono>
#include <cstdint>

namespace spanwise {

template <ComputeSide side, class T>
using ViewOnSide = Kokkos::View<T*, typename SpaceOf<side>::memory_space>;

/// An array of undefined values.
template <ComputeSide side, class T>
ViewOnSide<side, T> newArray(std::int64_t count) {
  return ViewOnSide<side, T>(Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Rendering::array")),
    static_cast<std::size_t>(count));
}

/// body(context) on the side for some work, or on the host where the device has not enough memory. Returns what the
/// body does, once it is done; the report says where and how long.
template <class Body>
auto drawOnSide(const char* operation, const SideWork& work, const Body& body) {
  const auto begin = std::chrono::steady_clock::now();
  ChosenSide chosen = sideFor(work);
  const auto onHost = [&] { return body(SideContext<ComputeSide::Host>()); };
  const auto onDevice = [&] { return body(SideContext<ComputeSide::Device>()); };
  auto result = chosen.side == ComputeSide::Host ? onHost() : orOnHost(onDevice, [&] {
    chosen = {ComputeSide::Host, noMemoryOnDevice};
    return onHost();
  });
  noteSide(operation, chosen, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  return result;
}

/// Has fill(array) write `count` elements on the side of a context, and brings them to `out` on the host.
template <class T, ComputeSide side, class Fill>
void fillOnSide(const SideContext<side>& context, std::int64_t count, T* out, const Fill& fill) {
  if constexpr (side == ComputeSide::Host) {
    fill(out);
  } else if (count > 0) {
    const ViewOnSide<side, T> there = newArray<side, T>(count);
    fill(there.data());
    copyToHost(context.space(), there.data(), count, out);
  }
}

} // namespace spanwise

#endif
