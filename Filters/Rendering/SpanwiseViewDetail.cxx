#include "SpanwiseViewDetail.h"

#include <vtkMatrix4x4.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

using Vector = std::array<double, 3>;
using Polygon = std::vector<Vector>;

// The points p with a . p + b >= 0.
struct HalfSpace {
  Vector a;
  double b;

  [[nodiscard]] double at(const Vector& p) const { return a[0] * p[0] + a[1] * p[1] + a[2] * p[2] + b; }
};

// The part of a convex polygon in a half-space (Sutherland and Hodgman, Reentrant polygon clipping, CACM 17, 1974).
Polygon clipped(const Polygon& polygon, const HalfSpace& space) {
  Polygon out;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Vector& p = polygon[k];
    const Vector& q = polygon[(k + 1) % polygon.size()];
    const double atP = space.at(p);
    const double atQ = space.at(q);
    if (atP >= 0.0) {
      out.push_back(p);
    }
    if ((atP < 0.0) != (atQ < 0.0)) {
      const double t = atP / (atP - atQ);
      out.push_back({p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2])});
    }
  }
  return out;
}

// The six sides of a box by its corners; bit d of a corner's number is its end along axis d.
constexpr int boxSides[6][4] = {{0, 2, 6, 4}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 5, 7, 6}};

// A box and a view's frustum, both in cells.
class Scene {
public:
  template <int Dim>
  Scene(const Box<Dim>& box, const GridPlacement& placement, const ViewProjection& projection)
    : projection_(projection) {
    for (int row = 0; row < 4; ++row) {
      toClip_[row][3] = projection.toClip[row][3];
      for (int d = 0; d < 3; ++d) {
        toClip_[row][d] = projection.toClip[row][d] * placement.spacing[d];
        toClip_[row][3] += projection.toClip[row][d] * placement.origin[d];
      }
    }
    for (int d = 0; d < Dim; ++d) {
      low_[static_cast<std::size_t>(d)] = box.begin[d];
      high_[static_cast<std::size_t>(d)] = box.end[d];
    }
  }

  // The corners of what the box and the frustum have in common, some of them more than once.
  [[nodiscard]] std::vector<Vector> cornersInView(int dimension) const {
    std::vector<Vector> corners;
    clipBox(dimension, frustumSpaces(), corners);
    if (dimension == 3) { // the frustum may end within the box
      double toCells[16];
      vtkMatrix4x4::Invert(&toClip_[0][0], toCells);
      const auto frustumCorner = [&](int c) {
        const double in[4] = {(c & 1) != 0 ? 1.0 : -1.0, (c & 2) != 0 ? 1.0 : -1.0, (c & 4) != 0 ? 1.0 : -1.0, 1.0};
        double out[4];
        vtkMatrix4x4::MultiplyPoint(toCells, in, out);
        return Vector{out[0] / out[3], out[1] / out[3], out[2] / out[3]};
      };
      for (const auto& side : boxSides) {
        clipSide(side, frustumCorner, boxSpaces(), corners);
      }
    }
    return corners;
  }

  // Where lines of sight come from, as homogeneous coordinates: a point, or a direction away from the camera if the
  // last one is 0.
  [[nodiscard]] std::array<double, 4> eye() const {
    double toCells[16];
    vtkMatrix4x4::Invert(&toClip_[0][0], toCells);
    const double depth[4] = {0.0, 0.0, 1.0, 0.0};
    std::array<double, 4> out{};
    vtkMatrix4x4::MultiplyPoint(toCells, depth, out.data());
    // The inverse of a parallel projection has a last row of 0, 0, 0, 1 up to round-off.
    const double size = std::hypot(out[0], out[1], out[2]);
    const double extent = std::hypot(high_[0] - low_[0], high_[1] - low_[1], high_[2] - low_[2]);
    if (std::abs(out[3]) * extent < 1e-9 * size) {
      out[3] = 0.0;
    }
    return out;
  }

  // Whether the camera may be on the side of larger or smaller coordinates of any of the planes between the box's
  // cells.
  [[nodiscard]] bool seenFrom(std::size_t axis, bool larger) const {
    const std::array<double, 4> from = eye();
    if (from[3] == 0.0) {
      return larger ? from[axis] <= 0.0 : from[axis] >= 0.0;
    }
    const double at = from[axis] / from[3];
    return larger ? at >= low_[axis] : at <= high_[axis];
  }

  // Whether the box has a part between the eye and the near end of the frustum.
  [[nodiscard]] bool reachesBeforeView() const {
    std::vector<HalfSpace> spaces = frustumSpaces();
    HalfSpace& near = spaces[4];
    near = {{-near.a[0], -near.a[1], -near.a[2]}, -near.b};
    spaces[5] = {{toClip_[3][0], toClip_[3][1], toClip_[3][2]}, toClip_[3][3]}; // not behind the camera
    std::vector<Vector> corners;
    clipBox(3, spaces, corners);
    if (!corners.empty()) {
      return true;
    }
    const std::array<double, 4> from = eye();
    bool inside = from[3] != 0.0;
    for (std::size_t d = 0; d < 3 && inside; ++d) {
      inside = from[d] / from[3] >= low_[d] && from[d] / from[3] <= high_[d];
    }
    return inside;
  }

  // The largest number of pixels that a step of one cell along an axis takes at a point.
  [[nodiscard]] double pixelsOfCell(const Vector& p, int dimension) const {
    const double x = row(0, p);
    const double y = row(1, p);
    const double w = row(3, p);
    double largest = 0.0;
    for (int d = 0; d < dimension; ++d) {
      const double dx = (toClip_[0][d] * w - x * toClip_[3][d]) / (w * w) * 0.5 * projection_.width;
      const double dy = (toClip_[1][d] * w - y * toClip_[3][d]) / (w * w) * 0.5 * projection_.height;
      largest = std::max(largest, std::hypot(dx, dy));
    }
    return largest;
  }

private:
  // The corners of the sides of the box within half-spaces; in 2D it has one side.
  void clipBox(int dimension, const std::vector<HalfSpace>& spaces, std::vector<Vector>& corners) const {
    const auto boxCorner = [&](int c) {
      return Vector{
        (c & 1) != 0 ? high_[0] : low_[0], (c & 2) != 0 ? high_[1] : low_[1], (c & 4) != 0 ? high_[2] : low_[2]};
    };
    for (int side = dimension == 2 ? 4 : 0; side < (dimension == 2 ? 5 : 6); ++side) {
      clipSide(boxSides[side], boxCorner, spaces, corners);
    }
  }

  [[nodiscard]] double row(int r, const Vector& p) const {
    return toClip_[r][0] * p[0] + toClip_[r][1] * p[1] + toClip_[r][2] * p[2] + toClip_[r][3];
  }

  [[nodiscard]] std::vector<HalfSpace> frustumSpaces() const {
    std::vector<HalfSpace> spaces;
    for (int axis = 0; axis < 3; ++axis) {
      for (const double sign : {1.0, -1.0}) {
        spaces.push_back({{toClip_[3][0] + sign * toClip_[axis][0], toClip_[3][1] + sign * toClip_[axis][1],
                            toClip_[3][2] + sign * toClip_[axis][2]},
          toClip_[3][3] + sign * toClip_[axis][3]});
      }
    }
    return spaces;
  }

  [[nodiscard]] std::vector<HalfSpace> boxSpaces() const {
    std::vector<HalfSpace> spaces;
    for (std::size_t d = 0; d < 3; ++d) {
      HalfSpace above{{0.0, 0.0, 0.0}, -low_[d]};
      above.a[d] = 1.0;
      HalfSpace below{{0.0, 0.0, 0.0}, high_[d]};
      below.a[d] = -1.0;
      spaces.push_back(above);
      spaces.push_back(below);
    }
    return spaces;
  }

  template <class Corner>
  static void clipSide(
    const int (&side)[4], const Corner& corner, const std::vector<HalfSpace>& spaces, std::vector<Vector>& corners) {
    Polygon polygon;
    for (const int c : side) {
      polygon.push_back(corner(c));
    }
    for (const HalfSpace& space : spaces) {
      polygon = clipped(polygon, space);
    }
    corners.insert(corners.end(), polygon.begin(), polygon.end());
  }

  const ViewProjection& projection_;
  double toClip_[4][4] = {}; // from cells
  Vector low_{};
  Vector high_{};
};

constexpr int maxShift = 30;
constexpr std::size_t maxTiles = 256;
constexpr std::int64_t minTileExtent = 64; // in blocks: below, tiles cost more than they spare
constexpr int minShiftRange = 2;           // likewise: how much blocks must differ within a tile

int shiftFor(double pixels, double pixelsOfCell) {
  const double shift = pixelsOfCell > 0.0 ? std::floor(std::log2(pixels / pixelsOfCell)) : double{maxShift};
  return static_cast<int>(std::clamp(shift, 0.0, double{maxShift}));
}

// A region with a margin, so that a small movement of the camera needs no new surface; within a box. A larger margin
// would cost more time in every rendering than it spares in some.
template <int Dim>
Box<Dim> withMargin(const Box<Dim>& region, const Box<Dim>& box) {
  Box<Dim> out = region;
  for (int d = 0; d < Dim; ++d) {
    const std::int64_t margin = region.extent(d) / 16 + 1;
    out.begin[d] = static_cast<Coordinate>(std::max<std::int64_t>(box.begin[d], region.begin[d] - margin));
    out.end[d] = static_cast<Coordinate>(std::min<std::int64_t>(box.end[d], region.end[d] + margin));
  }
  return out;
}

template <int Dim>
int longestAxis(const Box<Dim>& box) {
  int longest = 0;
  for (int d = 1; d < Dim; ++d) {
    longest = box.extent(d) > box.extent(longest) ? d : longest;
  }
  return longest;
}

// Where to cut a tile in two along an axis, between blocks of 2^shift cells; its begin if there is no such place.
template <int Dim>
Coordinate cutOf(const Box<Dim>& tile, int axis, int shift) {
  const std::int64_t middle = (static_cast<std::int64_t>(tile.begin[axis]) + tile.end[axis]) / 2;
  const std::int64_t cut = (middle >> shift) * (std::int64_t{1} << shift);
  return static_cast<Coordinate>(std::max<std::int64_t>(cut, tile.begin[axis]));
}

} // namespace

template <int Dim>
std::optional<ViewDetail<Dim>> viewDetail(
  const Box<Dim>& box, const GridPlacement& placement, const ViewProjection& projection, double pixels) {
  if (box.empty()) {
    return {};
  }
  const Scene scene(box, placement, projection);
  const std::vector<Vector> corners = scene.cornersInView(Dim);
  if (corners.empty()) {
    return {};
  }
  double largest = 0.0;
  double smallest = std::numeric_limits<double>::max();
  Vector low = corners.front();
  Vector high = corners.front();
  for (const Vector& corner : corners) {
    const double size = scene.pixelsOfCell(corner, Dim);
    largest = std::max(largest, size);
    smallest = std::min(smallest, size);
    for (std::size_t d = 0; d < 3; ++d) {
      low[d] = std::min(low[d], corner[d]);
      high[d] = std::max(high[d], corner[d]);
    }
  }
  if (!std::isfinite(largest)) { // a camera that looks at nothing
    return {};
  }
  ViewDetail<Dim> detail;
  for (int d = 0; d < Dim; ++d) {
    const double begin = box.begin[d];
    const double end = box.end[d];
    const auto k = static_cast<std::size_t>(d);
    detail.region.begin[d] = static_cast<Coordinate>(std::clamp(std::floor(low[k]), begin, end - 1.0));
    detail.region.end[d] = static_cast<Coordinate>(std::clamp(std::ceil(high[k]), detail.region.begin[d] + 1.0, end));
  }
  detail.shift = shiftFor(pixels, largest);
  detail.farShift = shiftFor(pixels, smallest);
  return detail;
}

template <int Dim>
std::vector<ViewTile<Dim>> viewTiles(
  const Box<Dim>& box, const GridPlacement& placement, const ViewProjection& projection, double pixels) {
  const std::optional<ViewDetail<Dim>> all = viewDetail(box, placement, projection, pixels);
  if (!all) {
    return {};
  }
  std::vector<ViewTile<Dim>> tiles;
  std::vector<Box<Dim>> open{withMargin(all->region, box)};
  for (std::size_t k = 0; k < open.size(); ++k) { // breadth first: the limit is shared by all parts of the view
    const Box<Dim> tile = open[k];
    const std::optional<ViewDetail<Dim>> detail = viewDetail(tile, placement, projection, pixels);
    if (!detail) {
      continue;
    }
    const int axis = longestAxis(tile);
    const Coordinate cut = cutOf(tile, axis, detail->farShift);
    const bool worthwhile = detail->farShift >= detail->shift + minShiftRange && cut > tile.begin[axis] &&
      tile.extent(axis) >= (minTileExtent << detail->shift) && tiles.size() + open.size() - k < maxTiles;
    if (!worthwhile) {
      tiles.push_back({tile, detail->shift});
      continue;
    }
    open.push_back(tile);
    open.back().end[axis] = cut;
    open.push_back(tile);
    open.back().begin[axis] = cut;
  }
  return tiles;
}

template <int Dim>
FaceSet facesTowardsCamera(const Box<Dim>& box, const GridPlacement& placement, const ViewProjection& projection) {
  const Scene scene(box, placement, projection);
  FaceSet faces = allFaces;
  for (int face = 0; face < 2 * Dim && Dim == 3; ++face) {
    if (!scene.seenFrom(static_cast<std::size_t>(face / 2), face % 2 == 1)) {
      faces &= ~(1U << face);
    }
  }
  return faces;
}

template <int Dim>
bool viewBeginsWithin(const Box<Dim>& box, const GridPlacement& placement, const ViewProjection& projection) {
  return Scene(box, placement, projection).reachesBeforeView();
}

#define SPANWISE_VIEW_DETAIL(Dim)                                                                                      \
  template FaceSet facesTowardsCamera<Dim>(const Box<Dim>&, const GridPlacement&, const ViewProjection&);              \
  template bool viewBeginsWithin<Dim>(const Box<Dim>&, const GridPlacement&, const ViewProjection&);                   \
  template std::optional<ViewDetail<Dim>> viewDetail<Dim>(                                                             \
    const Box<Dim>&, const GridPlacement&, const ViewProjection&, double);                                             \
  template std::vector<ViewTile<Dim>> viewTiles<Dim>(                                                                  \
    const Box<Dim>&, const GridPlacement&, const ViewProjection&, double);
SPANWISE_VIEW_DETAIL(2)
SPANWISE_VIEW_DETAIL(3)

} // namespace spanwise
