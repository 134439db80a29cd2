#ifndef SpanwiseMirroredSet_h
#define SpanwiseMirroredSet_h

// An interval set on the host, on the device, or on both. Not wrapped.

#include "SpanwiseHeldMemory.h"
#include "SpanwiseMadeOnDemand.h"
#include "SpanwiseSide.h"
#include "spanwiseDataModelModule.h"

#include "Core/Geometry/CellMask.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Parallel/Agree.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <vector>

namespace spanwise {

/// attempt(), or otherwise() where the device has not enough memory for it. Not for what is collective.
template <class Attempt, class Otherwise>
auto orOnHost(const Attempt& attempt, const Otherwise& otherwise) -> decltype(otherwise()) {
  try {
    return attempt();
  } catch (...) {
    if (!parallel::isOutOfMemory(std::current_exception())) {
      throw;
    }
    noteSide("Sets and arrays", {ComputeSide::Host, noMemoryOnDevice});
  }
  return otherwise();
}

/// An interval set in the host's memory, in the device's, or in both. Where it is missing it is copied when it is first
/// asked for there, and kept. Nothing changes such a set: copies share it, on both sides.
///
/// Noise on the host has a mask beside its intervals, or instead of them: either is made when it is first asked for.
///
/// A kernel of Kokkos must not ask for the side where the set is missing: it would wait for itself.
template <int Dim>
class SPANWISEDATAMODEL_EXPORT MirroredSet {
public:
  static constexpr int dimension = Dim;
  using HostSet = geometry::HostIntervalSet<Dim>;
  using DeviceSet = geometry::IntervalSetOn<Dim, SpaceOf<ComputeSide::Device>>;

  /// The empty set.
  MirroredSet() = default;
  MirroredSet(const HostSet& set) { give<ComputeSide::Host>(set); } // NOLINT(google-explicit-constructor)

  /// A set that lies on a side.
  template <ComputeSide side>
  static MirroredSet of(const geometry::IntervalSetOn<Dim, SpaceOf<side>>& set) {
    MirroredSet result;
    result.template give<side>(set);
    return result;
  }

  /// A set that lies on the host: as a mask if that is noise, else as intervals.
  static MirroredSet ofMask(const geometry::CellMask<Dim>& mask);

  [[nodiscard]] std::int64_t numRows() const { return sides_ ? sides_->totals.rows : 0; }
  [[nodiscard]] std::int64_t numIntervals() const { return sides_ ? sides_->totals.intervals : 0; }
  [[nodiscard]] std::int64_t numCells() const { return sides_ ? sides_->totals.cells : 0; }
  [[nodiscard]] bool empty() const { return numCells() == 0; }
  /// Bytes on both sides.
  [[nodiscard]] std::size_t bytes() const;

  /// The set in the host's memory.
  [[nodiscard]] const HostSet& host() const {
    const HostSet* const made = sides_ ? sides_->host.ifMade() : nullptr;
    return made != nullptr ? *made : makeHost();
  }
  /// The set as a mask, which is kept; null unless it is noise that lies on the host.
  [[nodiscard]] const geometry::CellMask<Dim>* mask() const;

  /// The set on a side.
  template <ComputeSide side>
  [[nodiscard]] const geometry::IntervalSetOn<Dim, SpaceOf<side>>& on() const {
    if constexpr (side == ComputeSide::Device) {
      return device();
    } else {
      return host();
    }
  }

  /// Whether the other is a copy of this one, or this one of it.
  [[nodiscard]] bool isSameAs(const MirroredSet& other) const { return sides_ == other.sides_; }

  /// Whether it lies on the device, be it also on the host.
  [[nodiscard]] bool isOnDevice() const { return sides_ && sides_->device.ifMade() != nullptr; }

  /// Whether its intervals lie on the host, be they also on the device.
  [[nodiscard]] bool isOnHost() const { return !sides_ || sides_->host.ifMade() != nullptr; }

  /// Whether it has intervals, on either side: noise on the host may be a mask alone.
  [[nodiscard]] bool hasIntervals() const { return isOnHost() || isOnDevice(); }

  /// Whether it can be read there without a copy: an empty set can be anywhere.
  [[nodiscard]] bool canBeReadOnDevice() const { return empty() || isOnDevice(); }

  /// body(context, set), with the set where it lies: on the device if it does there and there is memory for what the
  /// body does. Both calls return one type. Not for what is collective.
  template <class Body>
  auto visit(const Body& body) const {
    const auto onHost = [&] { return body(SideContext<ComputeSide::Host>(), host()); };
    if (!isOnDevice()) {
      return onHost();
    }
    return orOnHost([&] { return body(SideContext<ComputeSide::Device>(), device()); }, onHost);
  }

private:
  struct Sides : HeldMemory {
    geometry::SetTotals totals;
    MadeOnDemand<HostSet> host;
    MadeOnDemand<DeviceSet> device;
    MadeOnDemand<std::optional<geometry::CellMask<Dim>>> mask; ///< of the host; none if it is no noise

    void releaseMemory() override {
      host.reset();
      device.reset();
      mask.reset();
    }
  };

  template <ComputeSide side>
  void give(const geometry::IntervalSetOn<Dim, SpaceOf<side>>& set) {
    sides_ = std::make_shared<Sides>();
    sides_->totals = {set.numRows(), set.numIntervals(), set.numCells()};
    if constexpr (side == ComputeSide::Device) {
      sides_->device.get([&] { return set; });
    } else {
      sides_->host.get([&] { return set; });
    }
  }

  [[nodiscard]] const HostSet& makeHost() const;
  [[nodiscard]] const DeviceSet& device() const;

  std::shared_ptr<Sides> sides_;
};

/// body(context, sets), with all sets on the device if they all lie there, otherwise on the host.
template <int Dim, class Body>
auto whereTheyLie(const std::vector<const MirroredSet<Dim>*>& sets, const Body& body) {
  const auto at = [&]<ComputeSide side>(const SideContext<side>& context) {
    std::vector<const geometry::IntervalSetOn<Dim, SpaceOf<side>>*> there;
    for (const MirroredSet<Dim>* set : sets) {
      there.push_back(&set->template on<side>());
    }
    return body(context, there);
  };
  const bool onDevice = std::ranges::any_of(sets, [](const MirroredSet<Dim>* set) { return set->isOnDevice(); }) &&
    std::ranges::all_of(sets, [](const MirroredSet<Dim>* set) { return set->canBeReadOnDevice(); });
  return onDevice ? at(SideContext<ComputeSide::Device>()) : at(SideContext<ComputeSide::Host>());
}

extern template class SPANWISEDATAMODEL_EXPORT MirroredSet<2>;
extern template class SPANWISEDATAMODEL_EXPORT MirroredSet<3>;

} // namespace spanwise

#endif
