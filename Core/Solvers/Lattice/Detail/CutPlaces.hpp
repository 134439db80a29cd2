#pragma once

#include "Core/Field/ForCells.hpp"
#include "Core/Parallel/HaloExchange.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Solvers/Lattice/Detail/StreamMap.hpp"

#include <cstdint>
#include <vector>

namespace spanwise::lattice::detail {

/// The messages of steps that push populations into the halo: from there back to where the cells are owned.
inline parallel::HaloPlan reversed(parallel::HaloPlan plan) {
  std::swap(plan.sends, plan.receives);
  for (auto* const slabs : {&plan.sends, &plan.receives}) {
    for (parallel::HaloSlab& slab : *slabs) {
      slab.direction =
        slab.direction == parallel::HaloDirection::Up ? parallel::HaloDirection::Down : parallel::HaloDirection::Up;
    }
  }
  return plan;
}

/// Finds the places of populations that come in through a cut and are bounced back at their own cell.
template <class Set>
struct FindCutPlaces {
  geometry::SegmentsView lengths;
  const StreamSegment<Set>* segments;
  const std::int64_t* cells; ///< [segments] the number of the first cell
  std::int64_t firstCell;    ///< of the slab that is sent
  std::int64_t endCell;
  bool up; ///< whether populations that go up come in
  std::int64_t* count;
  std::int64_t* places; ///< nullptr: they are counted only

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    lengths.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      const StreamSegment<Set>& segment = segments[s];
      for (std::int64_t k = begin; k < end; ++k) {
        if (cells[s] + k < firstCell || cells[s] + k >= endCell) {
          continue;
        }
        for (int n = 0; n < Set::numUp; ++n) {
          const int q = up ? n + 1 : n + 1 + Set::half;
          if (segment.source[q - 1] == segment.own + q * segment.ownStride) {
            const std::int64_t place = Kokkos::atomic_fetch_add(count, std::int64_t{1});
            if (places != nullptr) {
              places[place] = segment.source[q - 1] + k;
            }
          }
        }
      }
    });
  }
};

template <class Segment>
struct FirstCellsOf {
  const Segment* segments;
  std::int64_t* cells;

  KOKKOS_FUNCTION void operator()(std::int64_t s) const { cells[s] = segments[s].cell; }
};

/// Takes values from places, or puts them there.
template <class T>
struct KeepPlaces {
  const T* values;
  const std::int64_t* places;
  T* kept;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const { kept[k] = values[places[k]]; }
};
template <class T>
struct RestorePlaces {
  T* values;
  const std::int64_t* places;
  const T* kept;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const { values[places[k]] = kept[k]; }
};

/// Populations at cuts that this rank has left where the messages of others arrive: those that a wall bounces back, of
/// which others know nothing. They are kept while messages arrive.
template <class Set, class T, class ExecutionSpace>
class CutPlaces {
public:
  using Memory = typename ExecutionSpace::memory_space;
  using Neighbours = field::StencilMapOn<typename Set::Pattern, ExecutionSpace>;

  /// Of the cells of `map`, those of `neighbours`, which are sent by the plan; for fields in columns or groups.
  void build(const ExecutionSpace& space, const parallel::HaloPlan& plan, const StreamMap<Set, Memory>& map,
    const Neighbours& neighbours) {
    Kokkos::View<std::int64_t*, Memory> cells(
      "Spanwise::Lattice::cutCells", static_cast<std::size_t>(neighbours.numSegments()));
    const auto* const segments = neighbours.segments();
    std::int64_t* const firsts = cells.data();
    forEach(SPANWISE_KERNEL("cells of cut"), IndexRange<ExecutionSpace>(space, 0, neighbours.numSegments()),
      FirstCellsOf<field::StencilSegment<Set::Pattern::count>>{segments, firsts});
    Kokkos::View<std::int64_t, Memory> count("Spanwise::Lattice::numCutPlaces");
    for (const bool fills : {false, true}) {
      Kokkos::deep_copy(space, count, std::int64_t{0});
      for (const parallel::HaloSlab& slab : plan.sends) {
        field::forCells(space, SPANWISE_KERNEL("cut places"), map.numCells(),
          FindCutPlaces<Set>{map.lengths(), map.segments(), firsts, slab.firstCell, slab.firstCell + slab.numCells,
            slab.direction == parallel::HaloDirection::Down, count.data(), fills ? places_.data() : nullptr});
      }
      std::int64_t found = 0;
      Kokkos::deep_copy(space, found, count);
      space.fence(SPANWISE_LABEL("Lattice::CutPlaces"));
      if (!fills) {
        places_ = Kokkos::View<std::int64_t*, Memory>("Spanwise::Lattice::cutPlaces", static_cast<std::size_t>(found));
        kept_ = Kokkos::View<T*, Memory>("Spanwise::Lattice::cutValues", static_cast<std::size_t>(found));
      }
    }
  }

  /// Takes their values out of the field, and puts them back.
  void keep(const ExecutionSpace& space, const T* values) const {
    move(space, KeepPlaces<T>{values, places_.data(), kept_.data()});
  }
  void restore(const ExecutionSpace& space, T* values) const {
    move(space, RestorePlaces<T>{values, places_.data(), kept_.data()});
  }

private:
  template <class Body>
  void move(const ExecutionSpace& space, const Body& body) const {
    const auto count = static_cast<std::int64_t>(places_.extent(0));
    if (count > 0) {
      forEach(SPANWISE_KERNEL("bounced at cut"), IndexRange<ExecutionSpace>(space, 0, count), body);
    }
  }

  Kokkos::View<std::int64_t*, Memory> places_;
  Kokkos::View<T*, Memory> kept_;
};

} // namespace spanwise::lattice::detail
