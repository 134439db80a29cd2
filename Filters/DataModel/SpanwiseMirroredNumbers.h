#ifndef SpanwiseMirroredNumbers_h
#define SpanwiseMirroredNumbers_h

// Whole numbers on the host, on the device, or on both. Not wrapped.

#include "SpanwiseHeldMemory.h"
#include "SpanwiseMadeOnDemand.h"
#include "SpanwiseSide.h"
#include "spanwiseDataModelModule.h"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace spanwise {

/// Whole numbers in the host's memory, in the device's, or in both. Where they are missing they are copied when they
/// are first asked for there, and kept. Nothing changes them: copies share them.
///
/// A kernel of Kokkos must not ask for the side where they are missing: it would wait for itself.
class SPANWISEDATAMODEL_EXPORT MirroredNumbers {
public:
  template <ComputeSide side>
  using On = Kokkos::View<const std::int64_t*, typename SpaceOf<side>::memory_space>;

  /// Numbers that lie on a side, after the kernels that may still write them.
  template <ComputeSide side>
  static MirroredNumbers of(const On<side>& numbers) {
    MirroredNumbers result;
    result.sides_ = std::make_shared<Sides>();
    result.sides_->count = static_cast<std::int64_t>(numbers.extent(0));
    result.sides_->template made<side>().get([&] { return numbers; });
    return result;
  }

  [[nodiscard]] std::int64_t count() const { return sides_ ? sides_->count : 0; }
  /// The numbers on a side.
  template <ComputeSide side>
  [[nodiscard]] const On<side>& on() const {
    if constexpr (side == ComputeSide::Device) {
      return device();
    } else {
      return host();
    }
  }
  /// Whether they lie on the host, be it also on the device.
  [[nodiscard]] bool isOnHost() const { return !sides_ || sides_->host.ifMade() != nullptr; }

private:
  struct Sides : HeldMemory {
    std::int64_t count = 0;
    MadeOnDemand<On<ComputeSide::Host>> host;
    MadeOnDemand<On<ComputeSide::Device>> device;

    template <ComputeSide side>
    auto& made() {
      if constexpr (side == ComputeSide::Device) {
        return device;
      } else {
        return host;
      }
    }
    void releaseMemory() override {
      host.reset();
      device.reset();
    }
  };

  [[nodiscard]] const On<ComputeSide::Host>& host() const;
  [[nodiscard]] const On<ComputeSide::Device>& device() const;

  std::shared_ptr<Sides> sides_;
};

} // namespace spanwise

#endif
