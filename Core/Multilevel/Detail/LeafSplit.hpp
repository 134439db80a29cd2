#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Multilevel/ConformingMesh.hpp"

namespace spanwise::multilevel::detail {

/// The most levels of a mesh: its lattice's coordinates have 64 bits, those of level 0 have 32.
inline constexpr int maxMeshLevels = 31;

/// The refined cells of all levels, for kernels.
template <int Dim>
struct RefinedLevels {
  geometry::IntervalSetView<Dim> levels[maxMeshLevels];
  int numLevels = 0;
  int finest = 0;

  /// The length of a cell of a level on the lattice of the finest one.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t size(int level) const { return std::int64_t{1} << (finest - level); }

  /// Whether the cell of a level with this lowest corner is refined.
  [[nodiscard]] KOKKOS_FUNCTION bool has(int level, const FinePoint& lowest) const {
    if (level >= numLevels || levels[level].numRows == 0) {
      return false;
    }
    geometry::Cell<Dim> cell{};
    for (int d = 0; d < Dim; ++d) {
      const std::int64_t c = lowest.at[d] >> (finest - level);
      if (!geometry::isCellCoordinate(c)) {
        return false;
      }
      cell.at[d] = static_cast<geometry::Coordinate>(c);
    }
    return levels[level].findCell(cell) >= 0;
  }
};

/// A leaf that is split, and which of its edges and faces are cut on its own level.
template <int Dim>
struct SplitLeaf {
  FinePoint lowest;
  std::int64_t leaf;  ///< its number
  std::uint32_t cuts; ///< bits edgeBit() and faceBit()
  std::uint8_t level; ///< of the leaf
  bool deep;          ///< whether refined cells of the next level touch it
  bool owned;         ///< whether cells are made of it

  /// The bit of an edge along an axis; bit k of `sides` is set if it is on the far side along the k-th other axis.
  KOKKOS_FUNCTION static constexpr int edgeBit(int axis, int sides) { return axis * (1 << (Dim - 1)) + sides; }
  /// The bit of a face across an axis.
  KOKKOS_FUNCTION static constexpr int faceBit(int axis, bool upper) {
    return Dim * (1 << (Dim - 1)) + 2 * axis + static_cast<int>(upper);
  }
};

/// What is cut of a cell, from the cells around it: bit x + 3 y + 9 z (x, y, z from 0 to 2; in 2D without z) tells
/// whether the cell there is refined.
template <int Dim>
KOKKOS_INLINE_FUNCTION std::uint32_t cutsOf(std::uint32_t around) {
  constexpr int stride[3] = {1, 3, 9};
  constexpr int centre = Dim == 2 ? 4 : 13;
  std::uint32_t cuts = 0;
  for (int axis = 0; axis < Dim; ++axis) {
    const int u = axis == 0 ? 1 : 0;
    const int v = axis == 2 ? 1 : 2; // in 3D
    for (int sides = 0; sides < 1 << (Dim - 1); ++sides) {
      const int alongU = (sides & 1) != 0 ? stride[u] : -stride[u];
      const int alongV = Dim == 2 ? 0 : (sides & 2) != 0 ? stride[v] : -stride[v];
      const std::uint32_t cells =
        (around >> (centre + alongU)) | (around >> (centre + alongV)) | (around >> (centre + alongU + alongV));
      cuts |= (cells & 1U) << SplitLeaf<Dim>::edgeBit(axis, sides);
    }
    cuts |= (around >> (centre - stride[axis]) & 1U) << SplitLeaf<Dim>::faceBit(axis, false);
    cuts |= (around >> (centre + stride[axis]) & 1U) << SplitLeaf<Dim>::faceBit(axis, true);
  }
  return cuts;
}

/// The places of a split leaf's points, unless it is deep: x + 3 y (+ 9 z), each 0, 1 or 2 halves from its lowest
/// corner.
template <int Dim>
inline constexpr int numPlaces = Dim == 2 ? 9 : 27;
template <int Dim>
inline constexpr int placeOfCentre = Dim == 2 ? 4 : 13;

/// The leaves of a mesh that are split.
template <int Dim>
struct SplitLeaves {
  std::int64_t count = 0;
  SplitLeaf<Dim>* records = nullptr; ///< [count]
  std::int64_t* places = nullptr;    ///< [count][numPlaces] the points there
  std::uint8_t* isSplit = nullptr;   ///< of each leaf, split or not
  RefinedLevels<Dim> refined;
};

/// How many of the coordinates of a place are in the middle.
KOKKOS_INLINE_FUNCTION int middlesOfPlace(int place) {
  int middles = 0;
  for (; place > 0; place /= 3) {
    middles += static_cast<int>(place % 3 == 1);
  }
  return middles;
}

/// Every second bit of a number, from the lowest on.
KOKKOS_INLINE_FUNCTION std::int64_t everySecondBit(std::int64_t number) {
  auto bits = static_cast<std::uint64_t>(number) & 0x5555555555555555U;
  bits = (bits | bits >> 1) & 0x3333333333333333U;
  bits = (bits | bits >> 2) & 0x0f0f0f0f0f0f0f0fU;
  bits = (bits | bits >> 4) & 0x00ff00ff00ff00ffU;
  bits = (bits | bits >> 8) & 0x0000ffff0000ffffU;
  bits = (bits | bits >> 16) & 0x00000000ffffffffU;
  return static_cast<std::int64_t>(bits);
}

/// Walks over the pieces that a leaf is split into (makeConformingMesh()).
template <int Dim>
class LeafSplit {
public:
  KOKKOS_FUNCTION LeafSplit(const SplitLeaf<Dim>& leaf, const RefinedLevels<Dim>& refined)
    : leaf_(leaf), refined_(refined) {}

  [[nodiscard]] KOKKOS_FUNCTION FinePoint centre() const { return pointOf(placeOfCentre<Dim>); }

  /// The point at a place.
  [[nodiscard]] KOKKOS_FUNCTION FinePoint pointOf(int place) const {
    const std::int64_t half = refined_.size(leaf_.level) / 2;
    FinePoint point = leaf_.lowest;
    for (int d = 0; d < Dim; ++d, place /= 3) {
      point.at[d] += place % 3 * half;
    }
    return point;
  }

  /// The place of a point of the leaf, or -1 if it is at none.
  [[nodiscard]] KOKKOS_FUNCTION int placeOf(const FinePoint& point) const {
    const std::int64_t half = refined_.size(leaf_.level) / 2;
    int place = 0;
    for (int d = Dim - 1; d >= 0; --d) {
      const std::int64_t along = point.at[d] - leaf_.lowest.at[d];
      if (along != 0 && along != half && along != 2 * half) {
        return -1;
      }
      place = 3 * place + (along == 0 ? 0 : along == half ? 1 : 2);
    }
    return place;
  }

  /// Along how many axes a point is strictly inside of the leaf.
  [[nodiscard]] KOKKOS_FUNCTION int middlesOf(const FinePoint& point) const {
    int middles = 0;
    for (int d = 0; d < Dim; ++d) {
      const std::int64_t along = point.at[d] - leaf_.lowest.at[d];
      middles += static_cast<int>(along > 0 && along < refined_.size(leaf_.level));
    }
    return middles;
  }

  /// Calls visit(type, points, count) for each cell that the leaf is split into, with its points in VTK's order.
  template <class Visit>
  KOKKOS_FUNCTION void forCells(const Visit& visit) const {
    FinePoint points[5];
    if constexpr (Dim == 2) {
      points[2] = centre();
      forRingEdges(leaf_.level, leaf_.lowest, 0, 1, [&](const FinePoint& from, const FinePoint& to) {
        points[0] = from;
        points[1] = to;
        visit(ElementType::Triangle, points, 3);
      });
    } else {
      forSquares([&](int level, const FinePoint& corner, int u, int v) {
        int count = 0;
        forRing(level, corner, u, v, [&](const FinePoint& point) {
          if (count < 4) {
            points[count] = point;
          }
          ++count;
        });
        if (count == 4) {
          points[4] = centre();
          visit(ElementType::Pyramid, points, 5);
          return;
        }
        points[2] = middleOf(level, corner, u, v);
        points[3] = centre();
        forRingEdges(level, corner, u, v, [&](const FinePoint& from, const FinePoint& to) {
          points[0] = from;
          points[1] = to;
          visit(ElementType::Tetrahedron, points, 4);
        });
      });
    }
  }

  /// Calls visit(point) for each point of these cells but the centre, for some repeatedly.
  template <class Visit>
  KOKKOS_FUNCTION void forPoints(const Visit& visit) const {
    if constexpr (Dim == 2) {
      forRing(leaf_.level, leaf_.lowest, 0, 1, visit);
    } else {
      forSquares([&](int level, const FinePoint& corner, int u, int v) {
        int count = 0;
        forRing(level, corner, u, v, [&](const FinePoint& point) {
          visit(point);
          ++count;
        });
        if (count > 4) {
          visit(middleOf(level, corner, u, v));
        }
      });
    }
  }

private:
  /// Whether the edge of a level that goes from a point along an axis is cut.
  [[nodiscard]] KOKKOS_FUNCTION bool cutsEdge(int level, const FinePoint& from, int axis) const {
    if (level == leaf_.level) {
      int sides = 0;
      for (int d = 0, bit = 0; d < Dim; ++d) {
        if (d != axis) {
          sides |= static_cast<int>(from.at[d] != leaf_.lowest.at[d]) << bit++;
        }
      }
      return (leaf_.cuts >> SplitLeaf<Dim>::edgeBit(axis, sides) & 1U) != 0;
    }
    for (int side = 0; leaf_.deep && side < 1 << (Dim - 1); ++side) {
      FinePoint cell = from;
      for (int d = 0, bit = 0; d < Dim; ++d) {
        if (d != axis) {
          cell.at[d] -= (side >> bit++ & 1) != 0 ? refined_.size(level) : 0;
        }
      }
      if (refined_.has(level, cell)) {
        return true;
      }
    }
    return false;
  }

  /// Whether the square of a level across an axis, with its lowest corner at a point, is cut.
  [[nodiscard]] KOKKOS_FUNCTION bool cutsSquare(int level, const FinePoint& corner, int axis) const {
    if (level == leaf_.level) {
      const bool upper = corner.at[axis] != leaf_.lowest.at[axis];
      return (leaf_.cuts >> SplitLeaf<Dim>::faceBit(axis, upper) & 1U) != 0;
    }
    FinePoint below = corner;
    below.at[axis] -= refined_.size(level);
    return leaf_.deep && (refined_.has(level, corner) || refined_.has(level, below));
  }

  /// Calls visit(point) for the points of an edge of a level without its end, or without its begin from the end back.
  template <class Visit>
  KOKKOS_FUNCTION void forEdge(int level, const FinePoint& from, int axis, bool backwards, const Visit& visit) const {
    const std::int64_t length = refined_.size(level);
    for (std::int64_t at = backwards ? length : 0; backwards ? at > 0 : at < length;) {
      // The largest piece that may begin (end) here: what it is half of is cut.
      std::int64_t piece = at == 0 || at == length ? length : at & -at;
      FinePoint begin = from;
      begin.at[axis] += backwards ? at - piece : at;
      for (int l = refined_.finest - Kokkos::countr_zero(static_cast<std::uint64_t>(piece)); cutsEdge(l, begin, axis);
        ++l) {
        piece /= 2;
        begin.at[axis] += backwards ? piece : 0;
      }
      FinePoint point = from;
      point.at[axis] += at;
      visit(point);
      at += backwards ? -piece : piece;
    }
  }

  /// Calls visit(point) for the points around a square, from its corner along u, then v.
  template <class Visit>
  KOKKOS_FUNCTION void forRing(int level, const FinePoint& corner, int u, int v, const Visit& visit) const {
    FinePoint right = corner;
    right.at[u] += refined_.size(level);
    FinePoint top = corner;
    top.at[v] += refined_.size(level);
    forEdge(level, corner, u, false, visit);
    forEdge(level, right, v, false, visit);
    forEdge(level, top, u, true, visit);
    forEdge(level, corner, v, true, visit);
  }

  /// Calls visit(from, to) for the pieces of the edges around a square.
  template <class Visit>
  KOKKOS_FUNCTION void forRingEdges(int level, const FinePoint& corner, int u, int v, const Visit& visit) const {
    FinePoint last = corner;
    bool isFirst = true;
    forRing(level, corner, u, v, [&](const FinePoint& point) {
      if (!isFirst) {
        visit(last, point);
      }
      isFirst = false;
      last = point;
    });
    visit(last, corner);
  }

  /// Calls visit(level, corner, u, v) for the squares of all faces. Around a square first along u, then v, its normal
  /// points into the leaf.
  template <class Visit>
  KOKKOS_FUNCTION void forSquares(const Visit& visit) const {
    const int bits = refined_.finest - leaf_.level; // of the places on a face
    for (int face = 0; face < 6; ++face) {
      const int axis = face / 2;
      const bool upper = face % 2 == 1;
      const int u = (axis + (upper ? 2 : 1)) % 3;
      const int v = (axis + (upper ? 1 : 2)) % 3;
      // Squares in the order of their places along a curve through the face, bit by bit along u and v in turns.
      for (std::int64_t place = 0; place < std::int64_t{1} << 2 * bits;) {
        FinePoint corner = leaf_.lowest;
        corner.at[axis] += upper ? refined_.size(leaf_.level) : 0;
        corner.at[u] += everySecondBit(place);
        corner.at[v] += everySecondBit(place >> 1);
        int level = leaf_.level;
        if (place > 0) {
          level = refined_.finest - Kokkos::countr_zero(static_cast<std::uint64_t>(place)) / 2;
        }
        while (cutsSquare(level, corner, axis)) {
          ++level;
        }
        visit(level, corner, u, v);
        place += std::int64_t{1} << 2 * (refined_.finest - level);
      }
    }
  }

  [[nodiscard]] KOKKOS_FUNCTION FinePoint middleOf(int level, const FinePoint& corner, int u, int v) const {
    FinePoint middle = corner;
    middle.at[u] += refined_.size(level) / 2;
    middle.at[v] += refined_.size(level) / 2;
    return middle;
  }

  const SplitLeaf<Dim>& leaf_;
  const RefinedLevels<Dim>& refined_;
};

} // namespace spanwise::multilevel::detail
