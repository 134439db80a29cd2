#include "Core/Geometry/StructuringElement.hpp"

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/PointText.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

namespace spanwise::geometry {

namespace {

void checkNotNegative(const char* what, Coordinate value) {
  if (value < 0) {
    throw InvalidArgument(
      std::string(what) + " of a structuring element is " + std::to_string(value) + "; it must not be negative");
  }
}

/// The axes from -m to m, of which only x has the cells between.
template <int Dim>
std::vector<typename StructuringElement<Dim>::Row> cross(Coordinate m) {
  std::vector<typename StructuringElement<Dim>::Row> rows{{0, 0, -m, m}, {-m, 0, 0, 0}, {m, 0, 0, 0}};
  if (Dim == 3) {
    rows.push_back({0, -m, 0, 0});
    rows.push_back({0, m, 0, 0});
  }
  return rows;
}

/// The largest integer whose square is at most `square`.
Coordinate rootOf(std::int64_t square) {
  auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(square)));
  while (root * root > square) {
    --root;
  }
  while ((root + 1) * (root + 1) <= square) {
    ++root;
  }
  return static_cast<Coordinate>(root);
}

} // namespace

template <int Dim>
StructuringElement<Dim> StructuringElement<Dim>::box(const Cell<Dim>& radius) {
  for (const Coordinate alongAxis : radius.at) {
    checkNotNegative("a radius", alongAxis);
  }
  StructuringElement element;
  element.addBox(radius);
  return element;
}

template <int Dim>
StructuringElement<Dim> StructuringElement<Dim>::diamond(Coordinate radius) {
  checkNotNegative("the radius", radius);
  StructuringElement element;
  for (Coordinate done = 0; done < radius;) {
    const Coordinate most = Dim == 2 ? done : done / 2 + done % 2;
    const Coordinate step = std::min(std::max(most, 1), radius - done);
    element.addRows(cross<Dim>(step));
    done += step;
  }
  return element;
}

template <int Dim>
StructuringElement<Dim> StructuringElement<Dim>::neighbourhood(Connectivity connectivity, Coordinate iterations) {
  checkNotNegative("the number of iterations", iterations);
  if (connectivity == Connectivity::Face) {
    return diamond(iterations);
  }
  if (Dim == 2 || connectivity == Connectivity::Vertex) {
    Cell<Dim> radius;
    std::fill(radius.at, radius.at + Dim, iterations);
    return box(radius);
  }
  StructuringElement element;
  for (Coordinate done = 0; done < iterations;) {
    const Coordinate step = std::min(done / 2 + 1, iterations - done);
    std::vector<Row> rows;
    for (const Coordinate z : {-step, 0, step}) {
      for (const Coordinate y : {-step, 0, step}) {
        const Coordinate half = y != 0 && z != 0 ? 0 : step;
        rows.push_back({y, z, -half, half});
      }
    }
    element.addRows(std::move(rows));
    done += step;
  }
  return element;
}

template <int Dim>
StructuringElement<Dim> StructuringElement<Dim>::ball(double radius) {
  if (!(radius >= 0.0 && radius <= maxBallRadius)) {
    throw InvalidArgument("the radius of a ball as structuring element is " + numberText(radius) + "; in " +
      std::to_string(Dim) + "D it must be from 0 to " + numberText(maxBallRadius));
  }
  const auto square = static_cast<std::int64_t>(std::floor(radius * radius));
  const Coordinate reach = rootOf(square);
  const Coordinate reachZ = Dim == 3 ? reach : 0;
  std::vector<Row> rows;
  for (Coordinate z = -reachZ; z <= reachZ; ++z) {
    for (Coordinate y = -reach; y <= reach; ++y) {
      const std::int64_t left = square - std::int64_t{y} * y - std::int64_t{z} * z;
      if (left >= 0) {
        const Coordinate half = rootOf(left);
        rows.push_back({y, z, -half, half});
      }
    }
  }
  StructuringElement element;
  element.addRows(std::move(rows));
  return element;
}

template <int Dim>
StructuringElement<Dim> StructuringElement<Dim>::of(const HostIntervalSet<Dim>& cells) {
  if (cells.empty()) {
    throw InvalidArgument("the structuring element has no cell; it must have one at least");
  }
  const IntervalSetView<Dim> view = cells.view();
  std::vector<Row> rows;
  for (std::int64_t r = 0; r < view.numRows; ++r) {
    for (std::int64_t i = view.rowOffsets[r]; i < view.rowOffsets[r + 1]; ++i) {
      rows.push_back({view.rowKeys[r].y, view.rowKeys[r].zOr0(), view.intervals[i].begin, view.intervals[i].end - 1});
    }
  }
  StructuringElement element;
  element.addRows(std::move(rows));
  return element;
}

template <int Dim>
void StructuringElement<Dim>::addBox(const Cell<Dim>& radius) {
  for (int d = 0; d < Dim; ++d) {
    first_.at[d] -= radius.at[d];
    last_.at[d] += radius.at[d];
  }
  factors_.push_back({radius, {}});
}

template <int Dim>
void StructuringElement<Dim>::addRows(std::vector<Row> rows) {
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return std::tie(a.first, a.last, a.z, a.y) < std::tie(b.first, b.last, b.z, b.y);
  });
  const auto along = [](const Row& row, int d) { return d == 1 ? row.y : row.z; };
  for (int d = 0; d < Dim; ++d) {
    Coordinate lowest = d == 0 ? rows.front().first : along(rows.front(), d);
    Coordinate highest = d == 0 ? rows.front().last : lowest;
    for (const Row& row : rows) {
      lowest = std::min(lowest, d == 0 ? row.first : along(row, d));
      highest = std::max(highest, d == 0 ? row.last : along(row, d));
    }
    first_.at[d] += lowest;
    last_.at[d] += highest;
  }
  factors_.push_back({{}, std::move(rows)});
}

template class StructuringElement<2>;
template class StructuringElement<3>;

} // namespace spanwise::geometry
