#pragma once

#include "Core/Geometry/Segments.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Scan.hpp"

#include <cstdint>

namespace spanwise::lattice::detail {

/// Some of the populations of cells in rows, as kernels see them: those of one population and one row lie side by side.
struct RowPopulationsView {
  struct Entry {
    std::int32_t row;
    std::int32_t population;
  };
  const Entry* entries;
  geometry::SegmentsView lengths; ///< the cells of the row of each entry

  /// Calls call(row, population, begin, end) for the cells of rows among the values [first, last).
  template <class Call>
  KOKKOS_FUNCTION void forEach(std::int64_t first, std::int64_t last, const Call& call) const {
    lengths.forPieces(first, last, [&](std::int64_t n, std::int64_t begin, std::int64_t end) {
      call(std::int64_t{entries[n].row}, int{entries[n].population}, begin, end);
    });
  }
};

/// The populations of each row, as bits.
using PopulationBits = std::uint32_t;

/// Lists what is chosen, population by population, so that neighbours in the list are neighbours in memory; or counts.
struct ListRowPopulations {
  geometry::SegmentsView rows;
  const PopulationBits* chosen;
  std::int64_t* entries;           ///< [population][row]: 1 or 0; then how many there are before
  std::int64_t* values;            ///< the same of their cells
  RowPopulationsView::Entry* list; ///< null: they are counted
  std::int64_t* offsets;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const std::int64_t row = n % rows.count;
    const std::int64_t population = n / rows.count;
    const bool is = (chosen[row] >> static_cast<unsigned>(population) & 1U) != 0;
    if (list == nullptr) {
      entries[n] = is ? 1 : 0;
      values[n] = is ? rows.offsets[row + 1] - rows.offsets[row] : 0;
    } else if (is) {
      list[entries[n]] = {static_cast<std::int32_t>(row), static_cast<std::int32_t>(population)};
      offsets[entries[n]] = values[n];
    }
  }
};

template <class MemorySpace>
class RowPopulations {
public:
  [[nodiscard]] std::int64_t numEntries() const { return lengths_.count(); }
  [[nodiscard]] std::int64_t numValues() const { return lengths_.numCells(); }
  [[nodiscard]] RowPopulationsView view() const { return {entries_.data(), lengths_.view()}; }
  [[nodiscard]] std::size_t bytes() const {
    return entries_.span() * sizeof(RowPopulationsView::Entry) + lengths_.bytes();
  }

  /// Those chosen of each row, of `numPopulations`; of fewer than 2^31 rows. O(rows * populations).
  template <class ExecutionSpace>
  void build(const Context<ExecutionSpace>& context, const geometry::SegmentsView& rows, const PopulationBits* chosen,
    int numPopulations) {
    const ExecutionSpace& space = context.space();
    const std::int64_t count = rows.count * numPopulations;
    const IndexRange<ExecutionSpace> all(space, 0, count);
    typename Workspace<MemorySpace>::Frame frame(context.workspace());
    ListRowPopulations list{rows, chosen, frame.template array<std::int64_t>(count + 1).data(),
      frame.template array<std::int64_t>(count + 1).data(), nullptr, nullptr};
    forEach(SPANWISE_KERNEL("count row pops"), all, list);
    const std::int64_t numEntries = exclusiveScan(space, SPANWISE_KERNEL("scan row pops"), list.entries, count);
    const std::int64_t numValues = exclusiveScan(space, SPANWISE_KERNEL("scan row pops"), list.values, count);
    lengths_.clear();
    if (numEntries == 0) {
      return;
    }
    reserve(entries_, numEntries, SPANWISE_LABEL("Lattice::rowPopulations"));
    list.list = entries_.data();
    list.offsets = lengths_.prepare(numEntries);
    forEach(SPANWISE_KERNEL("list row pops"), all, list);
    Kokkos::deep_copy(space,
      Kokkos::View<std::int64_t, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(list.offsets + numEntries),
      numValues);
    lengths_.finish(space, numEntries, numValues);
  }

private:
  Kokkos::View<RowPopulationsView::Entry*, MemorySpace> entries_;
  geometry::Segments<MemorySpace> lengths_;
};

} // namespace spanwise::lattice::detail
