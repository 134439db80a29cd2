#pragma once

#include "Core/Multilevel/Detail/LeafSplit.hpp"
#include "Core/Multilevel/Detail/MeshPoints.hpp"

#include <cstdint>

namespace spanwise::multilevel::detail {

// The points of split leaves: their numbers among the corners of leaves, and those that are no corners.

/// Stands for no point, and for one that is not among the corners.
inline constexpr std::int64_t noPoint = -1;
inline constexpr std::int64_t extraPoint = -2;

/// Points that are made for a split leaf.
struct PointTotals {
  std::int64_t centres = 0;
  std::int64_t extras = 0; ///< points that are no corners, of which other leaves may be sure, too

  KOKKOS_FUNCTION PointTotals& operator+=(const PointTotals& other) {
    centres += other.centres;
    extras += other.extras;
    return *this;
  }
};

/// Looks the points of split leaves up among the corners.
template <int Dim>
struct FindPlaces {
  SplitLeaves<Dim> leaves;
  PointList corners;
  PointTotals* totals;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const SplitLeaf<Dim> record = leaves.records[n];
    const LeafSplit<Dim> split(record, leaves.refined);
    std::int64_t* const placesOfLeaf = leaves.places + n * numPlaces<Dim>;
    std::uint32_t used = 0;
    std::int64_t extras = 0;
    split.forPoints([&](const FinePoint& point) {
      const int place = split.placeOf(point);
      used |= place < 0 ? 0U : 1U << place;
      extras += static_cast<std::int64_t>(place < 0 && corners.find(point) < 0);
    });
    for (int place = 0; place < numPlaces<Dim>; ++place) {
      if (middlesOfPlace(place) == 0) {
        continue;
      }
      placesOfLeaf[place] = noPoint;
      if ((used >> place & 1U) != 0) {
        placesOfLeaf[place] = find(split, place, placesOfLeaf);
        extras += static_cast<std::int64_t>(placesOfLeaf[place] == extraPoint);
      }
    }
    totals[n] = record.owned ? PointTotals{1, extras} : PointTotals{};
  }

  /// Between the lowest and the highest corner of the edge or face that a place is in the middle of, if they are there.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t find(
    const LeafSplit<Dim>& split, int place, const std::int64_t* placesOfLeaf) const {
    int lowest = place;
    int highest = place;
    for (int rest = place, step = 1; rest > 0; rest /= 3, step *= 3) {
      lowest -= rest % 3 == 1 ? step : 0;
      highest += rest % 3 == 1 ? step : 0;
    }
    const std::int64_t first = Kokkos::max<std::int64_t>(placesOfLeaf[lowest], 0);
    const std::int64_t last = placesOfLeaf[highest] < 0 ? corners.count - 1 : placesOfLeaf[highest];
    const std::int64_t found = corners.find(split.pointOf(place), first, last);
    return found < 0 ? extraPoint : found;
  }
};

/// Writes the centres of split leaves, and their points that are no corners.
template <int Dim>
struct WriteExtras {
  SplitLeaves<Dim> leaves;
  PointList corners;
  const PointTotals* before;
  FinePoint* centres;
  FinePoint* extras;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const SplitLeaf<Dim> record = leaves.records[n];
    if (!record.owned) {
      return;
    }
    const LeafSplit<Dim> split(record, leaves.refined);
    std::int64_t* const placesOfLeaf = leaves.places + n * numPlaces<Dim>;
    centres[before[n].centres] = split.centre();
    placesOfLeaf[placeOfCentre<Dim>] = corners.count + before[n].centres;
    std::int64_t at = before[n].extras;
    for (int place = 0; place < numPlaces<Dim>; ++place) {
      if (placesOfLeaf[place] == extraPoint) {
        extras[at++] = split.pointOf(place);
      }
    }
    if (record.deep) {
      split.forPoints([&](const FinePoint& point) {
        if (split.placeOf(point) < 0 && corners.find(point) < 0) {
          extras[at++] = point;
        }
      });
    }
  }
};

/// All points by number: corners, then centres, then all others.
struct PointTable {
  PointList corners;
  PointList extras;
  std::int64_t firstExtra;

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t findExtra(const FinePoint& point) const {
    const std::int64_t found = extras.find(point);
    return found < 0 ? noPoint : firstExtra + found;
  }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t find(const FinePoint& point) const {
    const std::int64_t found = corners.find(point);
    return found < 0 ? findExtra(point) : found;
  }
};

/// Numbers the extra points of split leaves.
template <class Space, int Dim>
void findExtras(const Space& space, const SplitLeaves<Dim>& split, const PointTable& table) {
  forEach(
    SPANWISE_KERNEL("find extras"), IndexRange<Space>(space, 0, split.count), KOKKOS_LAMBDA(std::int64_t n) {
      const SplitLeaf<Dim> record = split.records[n];
      const LeafSplit<Dim> leaf(record, split.refined);
      std::int64_t* const places = split.places + n * numPlaces<Dim>;
      for (int place = 0; place < numPlaces<Dim>; ++place) {
        const bool isMissing = places[place] == noPoint && middlesOfPlace(place) == 0;
        if (places[place] == extraPoint || isMissing) {
          places[place] = table.findExtra(leaf.pointOf(place));
        }
      }
    });
}

/// Corners of leaves of which no cells are made may be extra points of others.
template <class Space, int Dim>
void findNodesInExtras(
  const Space& space, const LevelNodeRows<Dim>& level, const PointTable& table, std::int64_t* numbers) {
  field::forCells(
    space, SPANWISE_KERNEL("nodes in extras"), numNodes(level.rows),
    KOKKOS_LAMBDA(std::int64_t first, std::int64_t last) {
      level.forNodes(first, last, [&](std::int64_t n, const FinePoint& point) {
        numbers[n] = numbers[n] < 0 ? table.findExtra(point) : numbers[n];
      });
    });
}

template <class Space>
void copyPoints(const Space& space, const PointList& from, FinePoint* to) {
  forEach(
    SPANWISE_KERNEL("copy points"), IndexRange<Space>(space, 0, from.count),
    KOKKOS_LAMBDA(std::int64_t k) { to[k] = from.points[k]; });
}

} // namespace spanwise::multilevel::detail
