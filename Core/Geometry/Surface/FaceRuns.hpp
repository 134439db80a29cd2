#pragma once

#include "Core/Geometry/Surface/SurfaceCells.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::geometry {

/// The faces of a cell. A corner is a number whose bit 0 adds one to x, bit 1 to y and bit 2 to z. Tables are within
/// functions: kernels of a device do not see constants of a class.
template <int Dim>
struct Faces;

/// A 2D cell has one face: itself.
template <>
struct Faces<2> {
  /// Corner k of the face, counter-clockwise, from where VTK begins, so that its quads are cut into the same triangles.
  [[nodiscard]] KOKKOS_FUNCTION static int corner(int /*face*/, int k) {
    constexpr int corners[4] = {0, 1, 3, 2};
    return corners[k];
  }
  /// The lines of nodes along x that bound the face, as corners: with the face's inside to the left of the first.
  [[nodiscard]] KOKKOS_FUNCTION static int line(int /*face*/, int k) { return 2 * k; }
};

/// In the order -x, +x, -y, +y, -z, +z; counter-clockwise seen from outside. The first two have no lines.
template <>
struct Faces<3> {
  [[nodiscard]] KOKKOS_FUNCTION static int corner(int face, int k) {
    constexpr int corners[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    return corners[face][k];
  }
  [[nodiscard]] KOKKOS_FUNCTION static int line(int face, int k) {
    constexpr int lines[6][2] = {{0, 0}, {0, 0}, {0, 4}, {6, 2}, {2, 0}, {4, 6}};
    return lines[face][k];
  }
};

/// Walks the exposed faces of cells, row by row; only those of cells.faces.
template <int Dim>
class FaceRuns {
public:
  explicit FaceRuns(const SurfaceCells<Dim>& cells)
    : set_(cells.set), hiding_(cells.hiding), faces_(cells.faces), hidesItself_(set_.intervals == hiding_.intervals) {}

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t numRows() const { return set_.numRows; }
  [[nodiscard]] KOKKOS_FUNCTION RowKey<Dim> rowKey(std::int64_t r) const { return set_.rowKeys[r]; }

  /// visit(interval, face, begin, end) for each run of cells begin ... end - 1 of row r whose face is exposed. On the
  /// faces -x and +x runs have one cell. O(intervals of the row and of those beside it, and log rows).
  template <class Visit>
  KOKKOS_FUNCTION void visitRow(std::int64_t r, const Visit& visit) const {
    if constexpr (Dim == 2) {
      for (std::int64_t i = set_.rowOffsets[r]; i < set_.rowOffsets[r + 1]; ++i) {
        visit(i, 0, set_.intervals[i].begin, set_.intervals[i].end);
      }
    } else {
      if (wanted(0) || wanted(1)) {
        visitEnds(r, visit);
      }
      visitSide(r, -1, 0, 2, visit);
      visitSide(r, 1, 0, 3, visit);
      visitSide(r, 0, -1, 4, visit);
      visitSide(r, 0, 1, 5, visit);
    }
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION bool wanted(int face) const { return ((faces_ >> face) & 1U) != 0; }

  // The row of hiding cells beside a row, or -1.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t neighbour(const RowKey<3>& key, int dy, int dz) const {
    const std::int64_t y = static_cast<std::int64_t>(key.y) + dy;
    const std::int64_t z = static_cast<std::int64_t>(key.z) + dz;
    return isCellCoordinate(y) && isCellCoordinate(z)
      ? hiding_.findRow({static_cast<Coordinate>(y), static_cast<Coordinate>(z)})
      : -1;
  }

  template <class Visit>
  KOKKOS_FUNCTION void visitEnds(std::int64_t r, const Visit& visit) const {
    // Intervals of a row do not touch, so that the ends of the cells are exposed unless other cells hide them.
    const std::int64_t own = hidesItself_ ? -1 : hiding_.findRow(set_.rowKeys[r]);
    const auto hidden = [&](std::int64_t x) {
      return own >= 0 && isCellCoordinate(x) && hiding_.findCellInRow(own, static_cast<Coordinate>(x)) >= 0;
    };
    for (std::int64_t i = set_.rowOffsets[r]; i < set_.rowOffsets[r + 1]; ++i) {
      const Interval& interval = set_.intervals[i];
      if (wanted(0) && !hidden(static_cast<std::int64_t>(interval.begin) - 1)) {
        visit(i, 0, interval.begin, interval.begin + 1);
      }
      if (wanted(1) && !hidden(interval.end)) {
        visit(i, 1, interval.end - 1, interval.end);
      }
    }
  }

  // The runs of row r that the hiding cells of the row beside it do not cover.
  template <class Visit>
  KOKKOS_FUNCTION void visitSide(std::int64_t r, int dy, int dz, int face, const Visit& visit) const {
    if (!wanted(face)) {
      return;
    }
    const std::int64_t n = neighbour(set_.rowKeys[r], dy, dz);
    std::int64_t j = n < 0 ? 0 : hiding_.lowerInterval(n, set_.intervals[set_.rowOffsets[r]].begin);
    const std::int64_t last = n < 0 ? 0 : hiding_.rowOffsets[n + 1];
    for (std::int64_t i = set_.rowOffsets[r]; i < set_.rowOffsets[r + 1]; ++i) {
      const Interval& interval = set_.intervals[i];
      Coordinate x = interval.begin;
      while (j < last && hiding_.intervals[j].end <= x) {
        ++j;
      }
      while (x < interval.end) {
        const Coordinate stop =
          j < last && hiding_.intervals[j].begin < interval.end ? hiding_.intervals[j].begin : interval.end;
        if (x < stop) {
          visit(i, face, x, stop);
        }
        if (stop == interval.end || hiding_.intervals[j].end >= interval.end) {
          break; // the next interval may be under the same neighbour
        }
        x = hiding_.intervals[j].end;
        ++j;
      }
    }
  }

  IntervalSetView<Dim> set_;
  IntervalSetView<Dim> hiding_;
  FaceSet faces_;
  bool hidesItself_;
};

} // namespace spanwise::geometry
