#pragma once

#include "Core/Geometry/Segments.hpp"
#include "Core/Multilevel/TransferMap.hpp"
#include "Core/Solvers/Lattice/Detail/StepFields.hpp"
#include "Core/Solvers/Lattice/Detail/StreamMap.hpp"

#include <cstdint>

namespace spanwise::lattice::detail {

/// A population that comes to a coarse cell. Its ways to the children of that cell, which take two steps of the finer
/// level, lead through cells of that level as far as they are listed; the others lead through coarse cells alone.
template <int Dim, class Place = std::int64_t>
struct alignas(8) JumpLink {
  static constexpr int children = 1 << Dim;

  Place to;             ///< where the coarse step reads it
  Place from[children]; ///< where the finer level's second step would read those of children
  std::int32_t count;   ///< of these
};

/// As a device keeps them where all places are numbers of 32 bits: half as large.
template <int Dim>
using ShortJumpLink = JumpLink<Dim, std::uint32_t>;

template <int Dim>
struct ShortenLinks {
  const JumpLink<Dim>* links;
  ShortJumpLink<Dim>* shorter;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    ShortJumpLink<Dim> link{static_cast<std::uint32_t>(links[n].to), {}, links[n].count};
    for (int k = 0; k < JumpLink<Dim>::children; ++k) {
      link.from[k] = static_cast<std::uint32_t>(links[n].from[k]);
    }
    shorter[n] = link;
  }
};

/// Where the step of a map's cells reads their populations: sources[cell * count + population].
template <class Set>
struct ListSources {
  geometry::SegmentsView lengths;
  const StreamSegment<Set>* segments;
  std::int64_t cellStride;
  std::int64_t* sources;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    lengths.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) {
        for (int q = 0; q < Set::count; ++q) {
          sources[(lengths.offsets[s] + k) * Set::count + q] = sourceOf(segments[s], q) + k * cellStride;
        }
      }
    });
  }
};

/// Marks the places of cells that collide, or of such as have read a marked one.
template <class Set, class T>
struct MarkPlaces {
  geometry::SegmentsView lengths;
  const StreamSegment<Set>* segments;
  std::int64_t cellStride;
  const T* before; ///< null: all get `value`
  T value;
  T* marks;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    lengths.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      for (int q = 0; q < Set::count; ++q) {
        for (std::int64_t k = begin; k < end; ++k) {
          const std::int64_t at = k * cellStride;
          marks[segments[s].own + q * segments[s].ownStride + at] =
            before == nullptr ? value : before[sourceOf(segments[s], q) + at];
        }
      }
    });
  }
};

/// Counts the links of coarse cells, or writes them: population by population, so that neighbours in the list are
/// neighbours in memory.
template <class Set, class T>
struct FindJumpLinks {
  static constexpr int Dim = Set::dimension;

  geometry::SegmentsView cells; ///< coarse ones
  const multilevel::ChildRun<Dim>* runs;
  std::int64_t numCells;
  const std::int64_t* coarseSources;
  const std::int64_t* fineSources;
  const T* marks;       ///< 0 or 1
  std::int64_t* counts; ///< [population][cell]; then the first link
  JumpLink<Dim>* links; ///< null: they are counted

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    cells.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) {
        const std::int64_t cell = cells.offsets[s] + k;
        for (int q = 1; q < Set::count; ++q) {
          JumpLink<Dim> link{coarseSources[cell * Set::count + q], {}, 0};
          for (int r = 0; r < multilevel::childRows<Dim>; ++r) {
            for (int x = 0; x < 2; ++x) {
              const std::int64_t place = fineSources[(runs[s].fine[r] + 2 * k + x) * Set::count + q];
              if (static_cast<Arithmetic<T>>(marks[place]) > Arithmetic<T>(0)) {
                link.from[link.count++] = place;
              }
            }
          }
          std::int64_t& count = counts[(q - 1) * numCells + cell];
          if (links == nullptr) {
            count = link.count > 0 ? 1 : 0;
          } else if (link.count > 0) {
            links[count] = link;
          }
        }
      }
    });
  }
};

/// Gives coarse cells the mean of what comes to their children.
template <class Link, class T>
struct Coalesce {
  const Link* links;
  const T* fine;
  T* coarse;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    using Real = Arithmetic<T>;
    constexpr int children = Link::children;
    const Link& link = links[n];
    Real sum = 0;
    if (link.count == children) { // nearly always; there may be nothing in the place yet
      T values[children];
      unrolled<children>([&](auto k) { values[k] = fine[link.from[k]]; });
      unrolled<children>([&](auto k) { sum += static_cast<Real>(values[k]); });
    } else {
      sum = Real(children - link.count) * static_cast<Real>(coarse[link.to]);
      for (int k = 0; k < link.count; ++k) {
        sum += static_cast<Real>(fine[link.from[k]]);
      }
    }
    coarse[link.to] = static_cast<T>(sum * (Real(1) / Real(children)));
  }
};

} // namespace spanwise::lattice::detail
