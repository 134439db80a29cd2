#pragma once

#include "Core/Geometry/Segments.hpp"
#include "Core/Multilevel/TransferMap.hpp"
#include "Core/Runtime/FieldView.hpp"
#include "Core/Solvers/Lattice/Detail/JumpLinks.hpp"
#include "Core/Solvers/Lattice/Detail/RowPopulations.hpp"
#include "Core/Solvers/Lattice/Detail/StepFields.hpp"
#include "Core/Solvers/Lattice/Detail/StreamMap.hpp"

#include <cstdint>

// Of the populations of ghost cells only those that go to finer cells or come from them are read, each by one step.
// They are found by marking what is read, from the last reader to the first.

namespace spanwise::lattice::detail {

/// Marks the places from which populations come to the cells of a map.
template <class Set, class T>
struct MarkSources {
  geometry::SegmentsView lengths;
  const StreamSegment<Set>* segments;
  std::int64_t cellStride;
  T* marks;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    lengths.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      for (int q = 0; q < Set::count; ++q) {
        for (std::int64_t k = begin; k < end; ++k) {
          marks[sourceOf(segments[s], q) + k * cellStride] = T(Arithmetic<T>(1));
        }
      }
    });
  }
};

/// Marks what coalescence reads of the finer level.
template <int Dim, class T>
struct MarkLinks {
  const JumpLink<Dim>* links;
  T* marks;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    for (int k = 0; k < links[n].count; ++k) {
      marks[links[n].from[k]] = T(Arithmetic<T>(1));
    }
  }
};

template <class T>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool isMarked(T mark) {
  return static_cast<Arithmetic<T>>(mark) > Arithmetic<T>(0);
}

/// Chooses, of the rows of a map, the populations whose own places are marked.
template <class Set, class T>
struct ChooseMarked {
  geometry::SegmentsView lengths;
  const StreamSegment<Set>* segments;
  std::int64_t cellStride;
  const T* marks;
  PopulationBits* chosen; ///< [row], zero before

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    lengths.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      PopulationBits bits = 0;
      for (int q = 0; q < Set::count; ++q) {
        const std::int64_t own = segments[s].own + q * segments[s].ownStride;
        for (std::int64_t k = begin; k < end; ++k) {
          bits |= isMarked(marks[own + k * cellStride]) ? PopulationBits{1} << static_cast<unsigned>(q) : 0U;
        }
      }
      Kokkos::atomic_or(&chosen[s], bits);
    });
  }
};

/// Chooses, of rows of parents, the populations that are marked in a child.
template <class Set, class T>
struct ChooseMarkedInChildren {
  static constexpr int Dim = Set::dimension;

  geometry::SegmentsView lengths;
  const multilevel::ChildRun<Dim>* runs;
  FieldView<const T> marks; ///< of the finer level
  PopulationBits* chosen;   ///< [row], zero before

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    lengths.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      PopulationBits bits = 0;
      for (int r = 0; r < multilevel::childRows<Dim>; ++r) {
        for (std::int64_t child = runs[s].fine[r] + 2 * begin; child < runs[s].fine[r] + 2 * end; ++child) {
          for (int q = 0; q < Set::count; ++q) {
            bits |= isMarked(marks(child, q)) ? PopulationBits{1} << static_cast<unsigned>(q) : 0U;
          }
        }
      }
      Kokkos::atomic_or(&chosen[s], bits);
    });
  }
};

/// Populations side by side that stream to places side by side. Places count values from the beginning of a field.
struct StreamRun {
  std::int64_t from;
  std::int64_t to;
};

/// Of the rows of a map.
template <class Set>
struct FindStreamRuns {
  const RowPopulationsView::Entry* entries;
  const StreamSegment<Set>* segments;
  StreamRun* runs;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const StreamSegment<Set>& segment = segments[entries[n].row];
    const int q = entries[n].population;
    runs[n] = {sourceOf(segment, q), segment.own + q * segment.ownStride};
  }
};

/// Marks what runs read.
template <class T>
struct MarkRuns {
  geometry::SegmentsView lengths;
  const StreamRun* runs;
  std::int64_t cellStride;
  T* marks;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    lengths.forPieces(first, last, [&](std::int64_t n, std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) {
        marks[runs[n].from + k * cellStride] = T(Arithmetic<T>(1));
      }
    });
  }
};

template <class T>
struct CopyRuns {
  geometry::SegmentsView lengths;
  const StreamRun* runs;
  StepFields<T> fields;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    lengths.forPieces(first, last, [&](std::int64_t n, std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin * fields.cellStride; k < end * fields.cellStride; k += fields.cellStride) {
        fields.to[runs[n].to + k] = fields.from[runs[n].from + k];
      }
    });
  }
};

} // namespace spanwise::lattice::detail
