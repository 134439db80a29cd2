#pragma once

#include "Core/Runtime/FieldView.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace spanwise::field {

/// How the values of a field lie in memory.
enum class LayoutKind {
  Columns, ///< structure of arrays: all cells of a component side by side
  Tuples,  ///< array of structures: all components of a cell side by side
  Groups,  ///< cells in groups, each group a structure of arrays by itself
};

/// So many cells that follow each other, all with one label.
struct LabelRun {
  std::int64_t numCells;
  std::int64_t label;
};

/// The cells of a label, and the slots that they have.
struct CellGroup {
  std::int64_t label;
  std::int64_t firstSlot;
  std::int64_t numCells;
};

/// How the values of a field lie in memory: in columns (the default), in tuples, or in groups.
///
/// In groups each cell has a label. Groups follow each other in ascending order of labels, and cells of a group keep
/// their order: slots are a permutation of cells. The values of a group lie in one piece, one component after the other
/// ("disaggregated": Meneghin and Mahmoud 2025), so that a group is sent, or worked on by a kernel of its own, without
/// being gathered first. A layout is kept as runs of cells, 32 bytes each, and copies share it.
template <class MemorySpace>
class FieldLayout {
public:
  /// Columns.
  FieldLayout() = default;
  /// Tuples.
  static FieldLayout tuples();
  /// Groups, by the labels of consecutive cells. Neighbouring runs with one label are joined. Throws InvalidArgument
  /// for a run of less than one cell. O(runs log runs); allocates.
  static FieldLayout groups(std::span<const LabelRun> labels);

  [[nodiscard]] LayoutKind kind() const { return kind_; }
  /// The groups in the order of memory; none where values do not lie in groups.
  [[nodiscard]] std::span<const CellGroup> cellGroups() const;
  /// How many cells the labels were given for; 0 where values do not lie in groups.
  [[nodiscard]] std::int64_t numCells() const;

  /// The view of values at `data` that lie so; in columns each component has `columnLength` values.
  template <class T>
  [[nodiscard]] FieldView<T> view(T* data, std::int64_t columnLength, std::int64_t cells, int components) const {
    FieldView<T> view;
    view.values = data;
    view.numCells = cells;
    view.numComponents = components;
    if (kind_ == LayoutKind::Columns) {
      view.componentStride = columnLength;
    } else if (kind_ == LayoutKind::Tuples) {
      view.componentStride = 1;
      view.cellStride = components;
    } else {
      view.runs = groups_->runs.data();
      view.runsSeenByHost = groups_->runsSeenByHost.data();
      view.numRuns = static_cast<std::int64_t>(groups_->runs.extent(0));
    }
    return view;
  }

private:
  struct Groups {
    std::vector<CellGroup> groups;
    std::int64_t numCells = 0;
    Kokkos::View<LayoutRun*, MemorySpace> runs;
    Kokkos::View<LayoutRun*, Kokkos::HostSpace> runsSeenByHost;
  };

  LayoutKind kind_ = LayoutKind::Columns;
  std::shared_ptr<const Groups> groups_;
};

/// A layout for fields in the memory of an execution space.
template <class ExecutionSpace>
using FieldLayoutOn = FieldLayout<typename ExecutionSpace::memory_space>;

/// Groups by a label of each cell, in the order of cells: whether it is at a jump of levels, the number of its block
/// (blocks then follow each other in memory), or anything else. O(cells); copies labels to the host, waits, and
/// allocates.
template <class MemorySpace>
FieldLayout<MemorySpace> layoutByLabels(const Kokkos::View<const std::int32_t*, MemorySpace>& labels);

} // namespace spanwise::field
