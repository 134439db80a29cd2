#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/CellMove.hpp"
#include "Core/Parallel/FieldBytes.hpp"
#include "Core/Parallel/Halo.hpp"
#include "Core/Parallel/Messenger.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/FieldView.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/OrderAfter.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace spanwise::parallel {

/// Consecutive cells: [begin, end).
struct CellRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  [[nodiscard]] std::int64_t count() const { return end - begin; }
};

/// Which way values go along the slowest axis.
enum class HaloDirection {
  Up,   ///< from a rank to the halo below another's planes
  Down, ///< to the halo above
};

/// Cells that go to a rank, or come from it.
struct HaloSlab : CellSlab {
  HaloDirection direction;
};

/// Which components cross: bit c for component c. Populations of a lattice that move up are needed above only.
struct HaloComponents {
  std::uint32_t up = ~std::uint32_t{0};
  std::uint32_t down = ~std::uint32_t{0};
};

/// A field of which only some components cross. `view` is a FieldView.
template <class T>
struct PartOfField {
  FieldView<T> view;
  HaloComponents components;
};

/// Which cells of a rank's set with its halo go to which ranks, and which come from them: slabs, as the cells of a
/// plane follow each other. The same for every field on that set, until the set or the cut changes.
struct HaloPlan {
  std::vector<HaloSlab> sends;    ///< owned cells that other ranks hold; by rank, then by where they are held
  std::vector<HaloSlab> receives; ///< cells of the halo
  std::int64_t numCells = 0;      ///< of the set with its halo
  PlaneRange ownedPlanes{0, 0};   ///< the rank's own
  PlaneRange innerPlanes{0, 0};   ///< those of them that have the whole halo between them and other ranks'
  CellRange owned;                ///< the cells of the former
  CellRange inner;                ///< and of the latter
};

/// Collective. The plan for a set with its halo (addHalo()): that of the whole set in the rank's own planes and in its
/// halo. Throws InvalidArgument on all ranks where ranks do not have as many cells of a slab. O(ranks log rows).
template <class ExecutionSpace, int Dim>
HaloPlan makeHaloPlan(const Context<ExecutionSpace>& context, const RowCut& cut, const Halo& halo,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& set);

/// Brings the values of owned cells to the ranks that hold these cells in their halo, step after step. In a step of new
/// values by old ones, which have their halo, the boundary comes first: the cells of plan().owned that are not inner.
///
///   const ExecutionSpace boundary = exchange.boundarySpace(space);
///   ... launch the boundary on `boundary` ...
///   exchange.start(boundary, density, velocity); // after the boundary alone
///   ... launch the cells of plan().inner on `space` ...
///   exchange.finish(space);
///
/// On a device the inner cells may be launched before start(), too, which may wait while they are computed;
/// stepWithHalo() does so. A step whose new values are not sent has one instance: start(space, ...), inner cells,
/// finish(space), boundary.
///
/// Slabs are sent from where they lie in the fields and received where they belong, all slabs of all fields for a rank
/// as one message where the communicator joins them (Messenger). A slab of n components is n pieces of memory in
/// columns, one in tuples, and one in the groups of haloLayout(). In other groups, or where some components of tuples
/// cross, values are packed first, which counts as staged. Beside messages the ranks agree on failure (Agreement): on
/// fields of a wrong length, and on whatever else a rank tells with fail(), so that a loop over steps needs no agree()
/// of its own. Nothing is allocated after the first exchange. Lives no longer than the communicator.
template <class ExecutionSpace>
class HaloExchange {
public:
  HaloExchange(const Communicator& communicator, HaloPlan plan)
    : messenger_(communicator), agreement_(communicator), plan_(std::move(plan)) {}

  [[nodiscard]] const Communicator& communicator() const { return messenger_.communicator(); }
  [[nodiscard]] const HaloPlan& plan() const { return plan_; }
  /// Collective. For another set or cut, with the buffers that there are. No exchange is on its way.
  void setPlan(HaloPlan plan) { plan_ = std::move(plan); }
  [[nodiscard]] const MessageReport& report() const { return messenger_.report(); }

  /// Says that this rank has failed before the next exchange. It takes part in that nevertheless, with whatever its
  /// fields hold, and all ranks throw in finish().
  void fail(const std::exception_ptr& failure) { failure_ = failure; }

  /// The instance for boundary cells. Its kernels come after what was launched on `space` before (orderAfter()), and
  /// run beside what is launched on `space` after: on a device in a queue of its own. On the host it is `space`.
  ExecutionSpace boundarySpace(const ExecutionSpace& space);

  /// Collective. Begins to bring the values of these fields, FieldView or PartOfField of memory of `space`, into the
  /// halo, after the kernels of `space` before, and no other instance's. Until finish() sent cells may be read
  /// and the halo not at all. All ranks give fields of the same kinds: types, numbers of components, kinds of layout,
  /// components that cross. Values of the halo that do not cross stay as they are. May throw on one rank alone only for
  /// lack of memory.
  template <class... Fields>
  void start(const ExecutionSpace& space, const Fields&... fields) {
    startedOn_ = space;
    numPacked_ = 0;
    packed_.clear();
    (add(space, fields), ...);
    messenger_.start(space);
    agreement_.start(failure_);
    failure_ = nullptr;
  }
  /// Collective. Kernels of `space` that are launched from now on see the halo's values; those launched before go on.
  /// Throws on all ranks (agreeOn()), and the halo is then of no use, where a rank has failed before, or
  /// InvalidArgument where a field of a rank does not have plan().numCells cells.
  void finish(const ExecutionSpace& space) {
    messenger_.finish(startedOn_);
    unpack(startedOn_);
    orderAfter(space, startedOn_, SPANWISE_LABEL("Parallel::HaloExchange"));
    agreement_.finish();
  }

  /// Collective. Both.
  template <class... Fields>
  void exchange(const ExecutionSpace& space, const Fields&... fields) {
    start(space, fields...);
    finish(space);
  }

private:
  using Memory = typename ExecutionSpace::memory_space;

  /// A block of a field whose values are in a buffer, one component after the other.
  struct PackedBlock {
    FieldBytes field;
    FieldBlock block;
    char* buffer;
  };

  void refuse(std::int64_t numCells);
  char* nextBuffer(std::size_t bytes);
  void unpack(const ExecutionSpace& space);

  template <class T>
  void add(const ExecutionSpace& space, const FieldView<T>& field) {
    add(space, PartOfField<T>{field, {}});
  }
  template <class T>
  void add(const ExecutionSpace& space, const PartOfField<T>& part) {
    if (part.view.numCells != plan_.numCells) { // others wait for messages all the same
      refuse(part.view.numCells);
    }
    for (const HaloSlab& slab : plan_.sends) {
      forBlocks(part, slab, [&](const FieldBlock& block) { send(space, part.view, slab.rank, block); });
    }
    for (const HaloSlab& slab : plan_.receives) {
      forBlocks(part, slab, [&](const FieldBlock& block) { receive(part.view, slab.rank, block); });
    }
  }

  /// The blocks of a slab that are pieces of memory, in the best case, and that both ranks know: all of a slab in
  /// tuples, a component in columns, components that follow each other otherwise.
  template <class T, class Visit>
  void forBlocks(const PartOfField<T>& part, const HaloSlab& slab, const Visit& visit) {
    const int count = part.view.numComponents;
    const std::uint32_t crossing = slab.direction == HaloDirection::Up ? part.components.up : part.components.down;
    const auto crosses = [&](int c) { return (crossing >> c & 1U) != 0; };
    for (int c = 0; c < count && slab.numCells > 0; ++c) {
      if (crosses(c)) {
        int end = c + 1;
        while (!part.view.isInColumns() && end < count && crosses(end)) {
          ++end;
        }
        visit(FieldBlock{slab.firstCell, slab.numCells, c, end});
        c = end - 1;
      }
    }
  }

  template <class T>
  void send(const ExecutionSpace& space, const FieldView<T>& field, int rank, const FieldBlock& block) {
    const std::int64_t count = block.numValues();
    const T* values = piece(field, block);
    if (values == nullptr) {
      const PackedBlock packed = blockInBuffer(field, block);
      if (field.numCells == plan_.numCells) {
        messenger_.countStaged(packValues(space, packed.field, block, packed.buffer));
      }
      values = reinterpret_cast<const T*>(packed.buffer); // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
    }
    messenger_.send(rank, values, count);
  }
  template <class T>
  void receive(const FieldView<T>& field, int rank, const FieldBlock& block) {
    const std::int64_t count = block.numValues();
    T* values = piece(field, block);
    if (values == nullptr) {
      const PackedBlock packed = blockInBuffer(field, block);
      if (field.numCells == plan_.numCells) {
        packed_.push_back(packed);
      }
      values = reinterpret_cast<T*>(packed.buffer); // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
    }
    messenger_.receive(rank, values, count);
  }

  template <class T>
  [[nodiscard]] T* piece(const FieldView<T>& field, const FieldBlock& block) const {
    return field.numCells == plan_.numCells
      ? field.inOnePiece(block.firstCell, block.numCells, block.firstComponent, block.endComponent)
      : nullptr;
  }
  template <class T>
  PackedBlock blockInBuffer(const FieldView<T>& field, const FieldBlock& block) {
    return {bytesOf(field), block, nextBuffer(static_cast<std::size_t>(block.numValues()) * sizeof(T))};
  }

  Messenger<ExecutionSpace> messenger_;
  Agreement agreement_;
  HaloPlan plan_;
  std::exception_ptr failure_;
  std::optional<ExecutionSpace> boundarySpace_;
  ExecutionSpace startedOn_;        // packs and copies
  std::vector<PackedBlock> packed_; // that come
  std::vector<Kokkos::View<char*, Memory>> buffers_;
  std::size_t numPacked_ = 0;
};

} // namespace spanwise::parallel
