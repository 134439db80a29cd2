#pragma once

#include "Core/Geometry/CommonCells.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/FieldBytes.hpp"
#include "Core/Parallel/Halo.hpp"
#include "Core/Parallel/Messenger.hpp"
#include "Core/Parallel/RowCut.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/FieldView.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace spanwise::parallel {

/// Consecutive cells of a rank's set that go to a rank, or come from it.
struct CellSlab {
  int rank;
  std::int64_t firstCell;
  std::int64_t numCells;
};

/// Values of a fixed number of bytes for each cell, in the order of the cells: before and after the cells move.
struct MovedColumn {
  const void* from;
  void* to;
  std::int64_t bytesPerCell;
};

/// How cells move between the ranks' sets: first the set, then the values on its cells, any number of times.
///
/// Slabs of the slowest axis are contiguous in all arrays, so rows, intervals and values are sent from where they lie
/// and received where they belong. Keeps its buffers: values that move again allocate nothing. Lives no longer than the
/// communicator.
template <class ExecutionSpace, int Dim>
class CellMove {
public:
  using Memory = typename ExecutionSpace::memory_space;
  using Set = geometry::IntervalSetOn<Dim, ExecutionSpace>;

  explicit CellMove(const Communicator& communicator)
    : messenger_(communicator), records_(communicator.makeExchange()) {}

  [[nodiscard]] const Communicator& communicator() const { return messenger_.communicator(); }
  /// What was sent of sets and values; not the few numbers that go before a set.
  [[nodiscard]] const MessageReport& report() const { return messenger_.report(); }

  /// Collective. out = the cells of all ranks' sets in the planes held[rank], moved along the slowest axis as it says.
  /// A cell that several ranks have counts once. All ranks give the same `held`, for each rank what it is to hold. The
  /// planes of a rank do not overlap where they are moved to, and are in their order there (see heldPlanes()). `out`
  /// may be `set`, and shares its arrays where nothing moves on any rank. Throws on all ranks alike (agree()).
  void moveSet(
    const Context<ExecutionSpace>& context, const std::vector<std::vector<HeldPlanes>>& held, const Set& set, Set& out);
  /// The same, but `out` stays as it is where nothing moves. Returns moves().
  bool moveChanges(
    const Context<ExecutionSpace>& context, const std::vector<std::vector<HeldPlanes>>& held, const Set& set, Set& out);

  /// Whether the last moveSet() has changed anything on any rank; otherwise all have the set that they had.
  [[nodiscard]] bool moves() const { return moves_; }
  [[nodiscard]] std::int64_t numCellsBefore() const { return numCellsBefore_; }
  [[nodiscard]] std::int64_t numCells() const { return numCells_; }

  /// Collective. Values follow their cells: `from` has numCellsBefore() of them and `to` numCells(). All ranks have as
  /// many columns, of the same widths. A cell that several ranks had gets the value of the first of them.
  void moveValues(const ExecutionSpace& space, std::span<const MovedColumn> columns);

  /// Collective. The same for all components of a field. Each of the two may have any layout, of the same kind on all
  /// ranks; values in groups, or in another layout than the other field's, are copied into columns on the way. Throws
  /// InvalidArgument, on all ranks, where the numbers do not fit on one.
  template <class From, class To>
  void moveValues(const ExecutionSpace& space, const FieldView<From>& from, const FieldView<To>& to) {
    static_assert(std::is_same_v<std::remove_const_t<From>, To>, "values keep their type");
    moveBytes(space, bytesOf(from), bytesOf(to));
  }

  /// Collective. A field (Field and the like) gets the values of the cells that there are now, in a layout for these: a
  /// layout in groups is one of numCells() cells, as haloLayout() makes it of the new plan. It takes the memory of
  /// `spare`, which gets the field's own for the next time: fields that move to and fro allocate nothing. Both keep
  /// what they have where nothing moves. Throws on all ranks where the layout does not fit on one.
  template <class AnyField>
  void moveField(
    const ExecutionSpace& space, AnyField& field, AnyField& spare, const typename AnyField::Layout& layout) {
    if (!moves_) {
      return;
    }
    agree(communicator(), [&] {
      spare.setName(field.name());
      spare.resize(numCells_, field.numComponents(), layout);
    });
    moveValues(space, field.view(), spare.view());
    std::swap(field, spare);
  }
  /// The same in the layout that the field has. Throws InvalidArgument, on all ranks, for groups: they are those of one
  /// set, and the caller knows those of the new one.
  template <class AnyField>
  void moveField(const ExecutionSpace& space, AnyField& field, AnyField& spare) {
    agree(communicator(), [&] { checkKeepsLayout(field.view().runs != nullptr); });
    const typename AnyField::Layout layout = field.layout();
    moveField(space, field, spare, layout);
  }
  template <class AnyField>
  void moveField(const ExecutionSpace& space, AnyField& field) {
    AnyField spare;
    moveField(space, field, spare);
  }

  // For values that are not plain memory: cells that leave the set that was, cells in the order in which they come
  // (rank by rank where ranks have the same planes, as they lie in the new set otherwise), and, where the former is
  // so, which cells of the new set (a) those that come (b) are; later runs of one cell count.
  [[nodiscard]] const std::vector<CellSlab>& outgoing() const { return outgoing_; }
  [[nodiscard]] const std::vector<CellSlab>& incoming() const { return incoming_; }
  [[nodiscard]] bool merges() const { return merges_; }
  [[nodiscard]] const std::vector<Kokkos::View<geometry::CellRun*, Memory>>& runs() const { return runs_; }

private:
  struct Record; // what a rank tells about a slab before it sends it
  struct Part;

  void checkCounts(std::int64_t cellsBefore, std::int64_t cells, int componentsBefore, int components) const;
  void checkKeepsLayout(bool isInGroups) const;
  void moveBytes(const ExecutionSpace& space, const FieldBytes& from, const FieldBytes& to);
  void exchangeRecords(const std::vector<std::vector<HeldPlanes>>& held, const std::vector<Record>& mine,
    const std::vector<std::size_t>& firstOf, std::vector<Record>& theirs);
  void receivePart(const Part& part, const geometry::WritableIntervalSet<Dim>& to);
  void completeRows(const ExecutionSpace& space, const Part& part, const geometry::WritableIntervalSet<Dim>& to);

  Messenger<ExecutionSpace> messenger_;
  std::unique_ptr<Exchange> records_;
  std::vector<CellSlab> outgoing_;
  std::vector<CellSlab> incoming_;
  std::vector<MovedColumn> columns_;
  std::vector<Kokkos::View<geometry::CellRun*, Memory>> runs_;
  std::vector<Kokkos::View<char*, Memory>> arrived_;
  Kokkos::View<char*, Memory> packed_; // values in columns, of a field before and after
  Kokkos::View<char*, Memory> toUnpack_;
  std::int64_t numCellsBefore_ = 0;
  std::int64_t numCells_ = 0;
  bool moves_ = false;
  bool merges_ = false;
};

} // namespace spanwise::parallel
