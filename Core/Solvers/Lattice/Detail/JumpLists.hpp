#pragma once

#include "Core/Geometry/Segments.hpp"
#include "Core/Multilevel/TransferMap.hpp"
#include "Core/Runtime/FieldView.hpp"
#include "Core/Solvers/Lattice/Detail/JumpReads.hpp"
#include "Core/Solvers/Lattice/Detail/JumpSlopes.hpp"
#include "Core/Solvers/Lattice/Detail/RowPopulations.hpp"
#include "Core/Solvers/Lattice/Detail/StepFields.hpp"

#include <cstdint>

// What a device streams and explodes, value by value: a thread then looks for nothing, and only what is read is moved.
// Rows of ghost cells are short: tables of rows would be as large. Places and cells are numbers of 32 bits; of larger
// fields rows are used, as on the host.

namespace spanwise::lattice::detail {

/// A population that streams to a ghost cell.
struct alignas(8) StreamedValue {
  std::uint32_t from;
  std::uint32_t to;
};

/// Counts or lists those values of runs whose own places are marked.
template <class T>
struct ListStreamed {
  geometry::SegmentsView lengths;
  const StreamRun* runs;
  std::int64_t cellStride;
  const T* marks;
  std::int64_t* numbers; ///< [value]: 1 or 0; then how many there are before
  StreamedValue* list;   ///< null: they are counted

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    lengths.forPieces(first, last, [&](std::int64_t n, std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) {
        std::int64_t& number = numbers[lengths.offsets[n] + k];
        const std::int64_t to = runs[n].to + k * cellStride;
        if (list == nullptr) {
          number = isMarked(marks[to]) ? 1 : 0;
        } else if (isMarked(marks[to])) {
          list[number] = {static_cast<std::uint32_t>(runs[n].from + k * cellStride), static_cast<std::uint32_t>(to)};
        }
      }
    });
  }
};

/// Marks what listed values are read from.
template <class T>
struct MarkStreamed {
  const StreamedValue* list;
  T* marks;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const { marks[list[n].from] = T(Arithmetic<T>(1)); }
};

/// Copies several values a thread, far apart in the list: neighbouring threads have neighbours in it.
template <class T>
struct CopyStreamed {
  static constexpr int atOnce = 4;

  const StreamedValue* list;
  std::int64_t count;
  std::int64_t numThreads; ///< at least a fourth of the values
  StepFields<T> fields;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    StreamedValue values[atOnce];
    T read[atOnce];
    unrolled<atOnce>([&](auto i) { // beyond the end the last one is copied again
      values[i] = list[Kokkos::min(n + i * numThreads, count - 1)];
    });
    unrolled<atOnce>([&](auto i) { read[i] = fields.from[values[i].from]; });
    unrolled<atOnce>([&](auto i) { fields.to[values[i].to] = read[i]; });
  }
};

/// A population of a parent that its children get.
struct alignas(8) ExplodedValue {
  std::uint32_t parent;
  std::int32_t population;
};

/// All that explosion needs to know of a parent.
template <int Dim>
struct JumpParent {
  std::uint32_t cell;
  std::uint32_t fine[multilevel::childRows<Dim>]; ///< the lower child along x in each child row
  JumpSlopes<Dim> slopes;
};

template <int Dim>
struct FindJumpParents {
  geometry::SegmentsView lengths;
  const multilevel::ChildRun<Dim>* runs;
  const JumpSlopes<Dim>* slopes;
  JumpParent<Dim>* parents;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    lengths.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) {
        JumpParent<Dim>& parent = parents[lengths.offsets[s] + k];
        parent.cell = static_cast<std::uint32_t>(runs[s].coarse + k);
        for (int r = 0; r < multilevel::childRows<Dim>; ++r) {
          parent.fine[r] = static_cast<std::uint32_t>(runs[s].fine[r] + 2 * k);
        }
        parent.slopes = slopes[lengths.offsets[s] + k];
      }
    });
  }
};

/// Counts or lists the populations of parents' rows that are marked in a child.
template <int Dim, class T>
struct ListExploded {
  RowPopulationsView chosen;
  const std::int64_t* offsets; ///< of the rows of parents
  const JumpParent<Dim>* parents;
  FieldView<const T> marks; ///< of the finer level
  std::int64_t* numbers;    ///< [value]: 1 or 0; then how many there are before
  ExplodedValue* list;      ///< null: they are counted

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    std::int64_t value = first;
    chosen.forEach(first, last, [&](std::int64_t s, int q, std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k, ++value) {
        const std::int64_t parent = offsets[s] + k;
        bool is = false;
        for (const std::uint32_t child : parents[parent].fine) {
          is = is || isMarked(marks(child, q)) || isMarked(marks(std::int64_t{child} + 1, q));
        }
        if (list == nullptr) {
          numbers[value] = is ? 1 : 0;
        } else if (is) {
          list[numbers[value]] = {static_cast<std::uint32_t>(parent), q};
        }
      }
    });
  }
};

/// Explode, of listed values.
template <class Set, class T>
struct ExplodeListed {
  static constexpr int Dim = Set::dimension;
  using Real = Arithmetic<T>;

  const ExplodedValue* list;
  const JumpParent<Dim>* parents;
  FieldView<const T> coarse; ///< in columns, as `fine`
  FieldView<T> fine;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const ExplodedValue exploded = list[n];
    const JumpParent<Dim>& parent = parents[exploded.parent];
    const T* const from = coarse.values + exploded.population * coarse.componentStride + parent.cell;
    const auto value = static_cast<Real>(*from);
    Real along[3] = {};
    addSlopes<Set>(
      parent.slopes, exploded.population, value,
      [&](std::int32_t distance) { return static_cast<Real>(from[distance]); }, along);
    T* const to = fine.values + exploded.population * fine.componentStride;
    unrolled<multilevel::childRows<Dim>>([&](auto r) {
      const Real row = value + ((r & 1) != 0 ? along[1] : -along[1]) + ((r >> 1) != 0 ? along[2] : -along[2]);
      T* const children = to + parent.fine[r];
      const Together<T, 2> both{{static_cast<T>(row - along[0]), static_cast<T>(row + along[0])}};
      if (reinterpret_cast<std::uintptr_t>(children) % sizeof(both) == 0) {
        *reinterpret_cast<Together<T, 2>*>(children) = both;
      } else {
        children[0] = both.values[0];
        children[1] = both.values[1];
      }
    });
  }
};

} // namespace spanwise::lattice::detail
