#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/CellMove.hpp"
#include "Core/Parallel/Halo.hpp"
#include "Core/Parallel/Messenger.hpp"
#include "Core/Runtime/Label.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <type_traits>
#include <utility>
#include <vector>

namespace spanwise {

/// Consecutive cells: [begin, end).
struct CellRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  [[nodiscard]] std::int64_t count() const { return end - begin; }
};

/// Which cells of a rank's set with its halo go to which ranks, and which come from them: slabs, as the cells of a
/// plane follow each other. The same for every field on that set, until the set or the cut changes.
struct HaloPlan {
  std::vector<CellSlab> sends;    ///< owned cells that other ranks hold; by rank, then by where they are held
  std::vector<CellSlab> receives; ///< cells of the halo
  std::int64_t numCells = 0;      ///< of the set with its halo
  PlaneRange ownedPlanes{0, 0};   ///< the rank's own
  PlaneRange innerPlanes{0, 0};   ///< those of them that have the whole halo between them and other ranks'
  CellRange owned;                ///< the cells of the former
  CellRange inner;                ///< and of the latter
};

/// Collective. The plan for a set with its halo (addHalo()): that of the whole set in the rank's own planes and in its
/// halo. Throws InvalidArgument on all ranks where ranks do not have as many cells of a slab. O(ranks log rows).
template <class ExecutionSpace, int Dim>
HaloPlan makeHaloPlan(const ExecutionSpace& space, const Communicator& communicator, const RowCut& cut,
  const Halo& halo, const IntervalSetOn<Dim, ExecutionSpace>& set);

/// Brings the values of owned cells to the ranks that hold these cells in their halo, step after step:
///
///   exchange.start(space, density, velocity);
///   ... the cells of plan().inner ...
///   exchange.finish(space);
///   ... the others ...
///
/// Slabs are sent from where they lie in the fields and received where they belong, all slabs of all fields for a rank
/// as one message where the communicator joins them (Messenger). Beside them the ranks agree on failure (Agreement): on
/// fields of a wrong length, and on whatever else a rank tells with fail(), so that a loop over steps needs no agree()
/// of its own. Nothing is allocated after the first exchange. Lives no longer than the communicator.
template <class ExecutionSpace>
class HaloExchange {
public:
  HaloExchange(const Communicator& communicator, HaloPlan plan)
    : messenger_(communicator), agreement_(communicator), plan_(std::move(plan)) {}

  [[nodiscard]] const HaloPlan& plan() const { return plan_; }
  [[nodiscard]] const MessageReport& report() const { return messenger_.report(); }

  /// Says that this rank has failed before the next exchange. It takes part in that nevertheless, with whatever its
  /// fields hold, and all ranks throw in finish().
  void fail(const std::exception_ptr& failure) { failure_ = failure; }

  /// Collective. Begins to bring the values of these fields (FieldView and the like, in memory of `space`) into the
  /// halo. Waits for the kernels of `space` before. Until finish() owned cells may be read and the halo not at all. All
  /// ranks give fields of the same kinds: types, numbers of components. May throw on one rank alone only for lack of
  /// memory.
  template <ValuesOnCells... Fields>
  void start(const ExecutionSpace& space, const Fields&... fields) {
    (add(fields), ...);
    messenger_.start(space);
    agreement_.start(failure_);
    failure_ = nullptr;
  }
  /// Collective. Waits until the halo has its values. Kernels of `space` that are launched from now on see them. Throws
  /// on all ranks (agreeOn()), and the halo is then of no use, where a rank has failed before, or InvalidArgument where
  /// a field of a rank does not have plan().numCells cells.
  void finish(const ExecutionSpace& space) {
    messenger_.finish(space);
    substitutes_.clear();
    agreement_.finish();
  }

  /// Collective. Both.
  template <ValuesOnCells... Fields>
  void exchange(const ExecutionSpace& space, const Fields&... fields) {
    start(space, fields...);
    finish(space);
  }

private:
  using Memory = typename ExecutionSpace::memory_space;

  void refuse(std::int64_t numCells);

  template <class View>
  void add(const View& field) {
    using Value = std::remove_reference_t<decltype(field.component[0][0])>;
    if (field.numCells != plan_.numCells) { // others wait for messages all the same
      refuse(field.numCells);
      const auto numCells = static_cast<std::size_t>(plan_.numCells);
      const auto& values = substitutes_.emplace_back(SPANWISE_LABEL("Parallel::HaloExchange"),
        static_cast<std::size_t>(field.numComponents) * numCells * sizeof(Value));
      auto* const all = reinterpret_cast<Value*>(values.data()); // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
      for (int c = 0; c < field.numComponents; ++c) {
        addComponent(all + static_cast<std::size_t>(c) * numCells);
      }
      return;
    }
    for (int c = 0; c < field.numComponents; ++c) {
      addComponent(field.component[c]);
    }
  }
  template <class T>
  void addComponent(T* values) {
    for (const CellSlab& slab : plan_.sends) {
      messenger_.send(slab.rank, values + slab.firstCell, slab.numCells);
    }
    for (const CellSlab& slab : plan_.receives) {
      messenger_.receive(slab.rank, values + slab.firstCell, slab.numCells);
    }
  }

  Messenger<ExecutionSpace> messenger_;
  Agreement agreement_;
  HaloPlan plan_;
  std::exception_ptr failure_;
  std::vector<Kokkos::View<char*, Memory>> substitutes_; // for fields of a wrong length
};

} // namespace spanwise
