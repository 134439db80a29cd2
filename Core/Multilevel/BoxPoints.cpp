#include "Core/Multilevel/BoxPoints.hpp"

#include "Core/Parallel/RowCut.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/PointText.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace spanwise::multilevel {

void BoxPoints::check() const {
  double points = 1.0;
  for (int d = 0; d < 3; ++d) {
    if (resolution[d] < 1) {
      throw InvalidArgument("the resolution along axis " + std::to_string(d) + " is " + std::to_string(resolution[d]) +
        "; it must be 1 or more");
    }
    if (!std::isfinite(corner[d]) || !(lengths[d] >= 0.0 && std::isfinite(lengths[d]))) {
      throw InvalidArgument("the box begins at " + numberText(corner[d]) + " along axis " + std::to_string(d) +
        " and has the length " + numberText(lengths[d]) + "; both must be finite and the length not negative");
    }
    points *= count(d);
  }
  if (points > std::numeric_limits<int>::max()) {
    throw InvalidArgument(
      "the box has " + std::to_string(static_cast<std::int64_t>(points)) + " points; there may be 2^31 - 1 at most");
  }
}

double BoxPoints::spacing(int axis) const {
  return count(axis) > 1 ? lengths[axis] / (count(axis) - 1) : std::max(lengths[axis], 1e-300);
}

double BoxPoints::origin(int axis) const { return count(axis) > 1 ? corner[axis] : corner[axis] + 0.5 * lengths[axis]; }

double BoxPoints::at(int axis, int k) const {
  if (count(axis) == 1) {
    return origin(axis);
  }
  const double t = static_cast<double>(k) / (count(axis) - 1);
  return (1.0 - t) * corner[axis] + t * (corner[axis] + lengths[axis]);
}

void BoxPoints::wholeExtent(int extent[6]) const {
  for (int d = 0; d < 3; ++d) {
    extent[2 * d] = 0;
    extent[2 * d + 1] = std::max(count(d), 1) - 1;
  }
}

void BoxPoints::extentOf(int piece, int pieces, int extent[6]) const {
  wholeExtent(extent);
  const int axis = count(2) > 1 ? 2 : count(1) > 1 ? 1 : 0;
  const int cells = extent[2 * axis + 1];
  const parallel::PlaneRange share = parallel::equalShare({0, std::max(cells, 1)}, piece, pieces);
  extent[2 * axis] = static_cast<int>(share.begin);
  extent[2 * axis + 1] =
    share.empty() ? static_cast<int>(share.begin) - 1 : std::min(static_cast<int>(share.end), cells);
}

template <int Dim>
std::vector<Position<Dim>> positionsOf(const BoxPoints& box, const int extent[6]) {
  std::vector<Position<Dim>> positions;
  for (int z = extent[4]; z <= extent[5]; ++z) {
    for (int y = extent[2]; y <= extent[3]; ++y) {
      for (int x = extent[0]; x <= extent[1]; ++x) {
        const double at[3] = {box.at(0, x), box.at(1, y), box.at(2, z)};
        positions.emplace_back();
        std::copy_n(at, Dim, positions.back().at);
      }
    }
  }
  return positions;
}

template std::vector<Position<2>> positionsOf<2>(const BoxPoints&, const int[6]);
template std::vector<Position<3>> positionsOf<3>(const BoxPoints&, const int[6]);

} // namespace spanwise::multilevel
