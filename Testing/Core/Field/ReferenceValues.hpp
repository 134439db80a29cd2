#pragma once

#include "Core/Field/StencilMap.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Rooms.hpp"

#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <vector>

namespace spanwise::testing {

/// The reference: values by coordinates, one neighbour after the other.
template <int Dim>
class ReferenceValues {
public:
  ReferenceValues(
    const CellList<Dim>& cells, const std::vector<double>& values, const Boundary<Dim>& boundary, double outside)
    : boundary_(boundary), outside_(outside) {
    std::size_t k = 0;
    for (const Cell<Dim>& cell : cells) {
      byCell_[cell] = values[k++];
    }
  }

  /// Nothing where the policy is Skip and the cell is absent.
  [[nodiscard]] std::optional<double> at(const Cell<Dim>& centre, const std::array<int, 3>& offset) const {
    if (const auto value = existing(centre, offset)) {
      return value;
    }
    if (boundary_.policy == BoundaryPolicy::Skip) {
      return {};
    }
    if (boundary_.policy == BoundaryPolicy::Value) {
      return outside_;
    }
    std::array<int, 3> shown = offset;
    bool moved = false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const int side = offset[axis] < 0 ? -1 : 1;
      for (int step = 1; step <= std::abs(offset[axis]); ++step) {
        std::array<int, 3> on{};
        on[axis] = side * step;
        if (!existing(centre, on)) {
          const int behind = std::abs(offset[axis]) - step; // how far behind the first that is missing
          shown[axis] = side * (step - 1 - behind);
          moved = true;
          break;
        }
      }
    }
    const auto value = moved ? existing(centre, shown) : std::nullopt;
    return value ? value : existing(centre, {});
  }

private:
  [[nodiscard]] std::optional<double> existing(const Cell<Dim>& centre, const std::array<int, 3>& offset) const {
    Cell<Dim> cell = centre;
    for (int axis = 0; axis < Dim; ++axis) {
      std::int64_t at = std::int64_t{centre.at[axis]} + offset[static_cast<std::size_t>(axis)];
      const std::int64_t length = boundary_.period.extent(axis);
      if (length > 0) {
        while (at < boundary_.period.begin[axis]) {
          at += length;
        }
        while (at >= boundary_.period.end[axis]) {
          at -= length;
        }
      }
      if (at < minCoordinate || at > maxRowKey) {
        return {};
      }
      cell.at[axis] = static_cast<Coordinate>(at);
    }
    const auto found = byCell_.find(cell);
    return found == byCell_.end() ? std::nullopt : std::optional<double>(found->second);
  }

  std::map<Cell<Dim>, double> byCell_;
  Boundary<Dim> boundary_;
  double outside_;
};

} // namespace spanwise::testing
