#include "SpanwiseSeenTriangles.h"

#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Scan.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace spanwise {

namespace {

// Graphics round vertices to 1/256 of a pixel, or less: by half of that. As much is for the single precision of the
// pixels here.
constexpr float gridError = 1.0F / 256;

// The graphics round a number no more often than this on the way from a position to a pixel, by at most half a unit in
// the last of 24 bits: the matrix and the position, products, sums, quotient.
constexpr double relativeError = 12.0 / (1 << 24);

// Larger quads are drawn without a look at their pixels: most of them cover some.
constexpr float maxPixels = 3.0F;

// From positions to pixels.
class Screen {
public:
  explicit Screen(const PixelView& view) {
    for (int d = 0; d < 4; ++d) {
      // Clip coordinates x and y are -w and w at the ends of the view.
      w_[d] = view.toClip[3][d];
      x_[d] = 0.5 * view.width * (view.toClip[0][d] + w_[d]);
      y_[d] = 0.5 * view.height * (view.toClip[1][d] + w_[d]);
    }
    const double depth = magnitude(view, 3);
    error_ = relativeError * 0.5 *
      std::max(view.width * (magnitude(view, 0) + depth), view.height * (magnitude(view, 1) + depth));
  }

  // Where a position comes to in pixels, and by how much graphics may see it elsewhere along each axis.
  [[nodiscard]] std::array<float, 3> at(const float* p) const {
    const double w = sum(w_, p);
    if (!(w > 0.0)) {
      return {0.0F, 0.0F, std::numeric_limits<float>::infinity()};
    }
    const double scale = 1.0 / w;
    return {static_cast<float>(sum(x_, p) * scale), static_cast<float>(sum(y_, p) * scale),
      static_cast<float>(error_ * scale) + gridError};
  }

private:
  static double sum(const double (&row)[4], const float* p) {
    return row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3];
  }

  // The most that the products of a row can add up to, whatever their signs.
  static double magnitude(const PixelView& view, int row) {
    const double (&a)[4] = view.toClip[row];
    double atShift = a[3];
    double beyond = 0.0;
    for (int d = 0; d < 3; ++d) {
      atShift += a[d] * view.shift[d];
      beyond += std::abs(a[d]) *
        std::max(std::abs(view.bounds[2 * d] - view.shift[d]), std::abs(view.bounds[2 * d + 1] - view.shift[d]));
    }
    return std::abs(atShift) + beyond;
  }

  double x_[4];
  double y_[4];
  double w_[4];
  double error_;
};

template <class Point>
float cross(const Point& a, const Point& b, const Point& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Whether a triangle may cover a point, if moved vertices can change the cross product of two of them and the point by
// no more than `error`.
template <class Point>
bool mayCover(const Point& a, const Point& b, const Point& c, const Point& p, float error) {
  const float area = cross(a, b, c);
  if (std::abs(area) <= 2.0F * error) { // it may turn over
    return true;
  }
  const float sign = area > 0.0F ? 1.0F : -1.0F;
  return sign * cross(a, b, p) >= -error && sign * cross(b, c, p) >= -error && sign * cross(c, a, p) >= -error;
}

// Which triangles of a quad may cover the middle of a pixel.
template <class Point>
unsigned seenHalves(const Point (&c)[4], float width, float height) {
  constexpr unsigned both = 3;
  const float move = std::max(std::max(c[0].error, c[1].error), std::max(c[2].error, c[3].error));
  if (!(move < 1.0F)) {
    return both;
  }
  const float lowX = std::min(std::min(c[0].x, c[1].x), std::min(c[2].x, c[3].x)) - move;
  const float highX = std::max(std::max(c[0].x, c[1].x), std::max(c[2].x, c[3].x)) + move;
  const float lowY = std::min(std::min(c[0].y, c[1].y), std::min(c[2].y, c[3].y)) - move;
  const float highY = std::max(std::max(c[0].y, c[1].y), std::max(c[2].y, c[3].y)) + move;
  if (highX < 0.0F || highY < 0.0F || lowX > width || lowY > height) {
    return 0;
  }
  if (!(highX - lowX < maxPixels && highY - lowY < maxPixels)) {
    return both;
  }
  // Two vertices move by `move` along each axis, and neither is farther from the other or from the point than `size`.
  const float size = (highX - lowX) + (highY - lowY);
  const float error = move * (3.0F * size + 4.0F * move);
  unsigned halves = 0;
  // Pixel i has its middle at i + 0.5.
  for (float y = std::ceil(lowY - 0.5F) + 0.5F; y <= highY; y += 1.0F) {
    for (float x = std::ceil(lowX - 0.5F) + 0.5F; x <= highX; x += 1.0F) {
      const Point p{x, y, 0.0F};
      halves |= mayCover(c[0], c[1], c[2], p, error) ? 1U : 0U;
      halves |= mayCover(c[0], c[2], c[3], p, error) ? 2U : 0U;
    }
  }
  return halves;
}

} // namespace

void SeenTriangles::prepare(std::int64_t numQuads) {
  numQuads_ = numQuads;
  halves_.resize(static_cast<std::size_t>(numQuads));
  firstOfPart_.resize(static_cast<std::size_t>((numQuads + quadsOfPart - 1) / quadsOfPart) + 1);
}

void SeenTriangles::find(const float* positions, std::int64_t numPoints, const std::int32_t* quads,
  std::int64_t numQuads, const PixelView& view) {
  constexpr std::int64_t pointsOfPart = 1 << 14;
  prepare(numQuads);
  points_.resize(static_cast<std::size_t>(numPoints));
  const HostExecutionSpace space;
  const Screen screen(view);
  const auto width = static_cast<float>(view.width);
  const auto height = static_cast<float>(view.height);
  forEachUneven(space, SPANWISE_LABEL("Rendering::points in pixels"), (numPoints + pointsOfPart - 1) / pointsOfPart,
    [&](std::int64_t part) {
      const std::int64_t end = std::min(numPoints, (part + 1) * pointsOfPart);
      for (std::int64_t p = part * pointsOfPart; p < end; ++p) {
        const std::array<float, 3> at = screen.at(positions + 3 * p);
        points_[static_cast<std::size_t>(p)] = {at[0], at[1], at[2]};
      }
    });
  forEachUneven(space, SPANWISE_LABEL("Rendering::seen triangles"), static_cast<std::int64_t>(firstOfPart_.size()) - 1,
    [&](std::int64_t part) {
      const std::int64_t end = std::min(numQuads, (part + 1) * quadsOfPart);
      std::int64_t count = 0;
      for (std::int64_t q = part * quadsOfPart; q < end; ++q) {
        Point corners[4];
        for (int k = 0; k < 4; ++k) {
          corners[k] = points_[static_cast<std::size_t>(quads[4 * q + k])];
        }
        const unsigned halves = seenHalves(corners, width, height);
        halves_[static_cast<std::size_t>(q)] = static_cast<unsigned char>(halves);
        count += (halves & 1U) + (halves >> 1U);
      }
      firstOfPart_[static_cast<std::size_t>(part)] = count;
    });
  numTriangles_ = exclusiveScan(
    space, SPANWISE_KERNEL("triangles"), firstOfPart_.data(), static_cast<std::int64_t>(firstOfPart_.size()) - 1);
}

void SeenTriangles::takeAll(std::int64_t numQuads) {
  prepare(numQuads);
  std::fill(halves_.begin(), halves_.end(), static_cast<unsigned char>(3));
  for (std::size_t part = 0; part < firstOfPart_.size(); ++part) {
    firstOfPart_[part] = 2 * std::min<std::int64_t>(numQuads, static_cast<std::int64_t>(part) * quadsOfPart);
  }
  numTriangles_ = 2 * numQuads;
}

} // namespace spanwise
