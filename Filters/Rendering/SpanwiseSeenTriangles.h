#ifndef SpanwiseSeenTriangles_h
#define SpanwiseSeenTriangles_h

// The triangles of quads that a view can show. Not wrapped.

#include "spanwiseRenderingModule.h"

#include "Core/Runtime/ForEachUneven.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace spanwise {

/// A view as graphics that sample the middle of each pixel draw it: with vertices in single precision, rounded to 1/256
/// of a pixel or less.
struct PixelView {
  /// From positions to clip coordinates, by rows.
  double toClip[4][4] = {};
  int width = 0; ///< in pixels
  int height = 0;
  double bounds[6] = {}; ///< of all positions: least and largest x, y, z
  double shift[3] = {};  ///< what was taken from the positions before they were rounded for the graphics

  friend bool operator==(const PixelView&, const PixelView&) = default;
};

/// The two triangles of each quad, corners 0, 1, 2 and corners 0, 2, 3, as far as they may cover the middle of a pixel.
/// All others can be left out without any pixel being another. Where quads are smaller than pixels these are most; to
/// find them here takes a fraction of what it takes a program that draws in place of a graphics card.
class SPANWISERENDERING_EXPORT SeenTriangles {
public:
  /// `positions` has three coordinates for each point, `quads` four points for each quad. No triangle is left out that
  /// covers the middle of a pixel; few are kept that do not. O(points + quads).
  void find(const float* positions, std::int64_t numPoints, const std::int32_t* quads, std::int64_t numQuads,
    const PixelView& view);

  /// Takes all triangles of so many quads.
  void takeAll(std::int64_t numQuads);

  [[nodiscard]] std::int64_t count() const { return numTriangles_; }

  /// visit(k, quad, half) for triangle k, which is the first (half 0) or second (1) of a quad; in the order of the
  /// quads. In parallel.
  template <class Visit>
  void forEachTriangle(const std::string& label, const Visit& visit) const {
    forEachUneven(
      HostExecutionSpace(), label, static_cast<std::int64_t>(firstOfPart_.size()) - 1, [&](std::int64_t part) {
        std::int64_t k = firstOfPart_[static_cast<std::size_t>(part)];
        const std::int64_t end = std::min<std::int64_t>(numQuads_, (part + 1) * quadsOfPart);
        for (std::int64_t q = part * quadsOfPart; q < end; ++q) {
          const unsigned halves = halves_[static_cast<std::size_t>(q)];
          if ((halves & 1U) != 0) {
            visit(k++, q, 0);
          }
          if ((halves & 2U) != 0) {
            visit(k++, q, 1);
          }
        }
      });
  }

private:
  struct Point {
    float x;
    float y;
    float error; // by how much it may be elsewhere along each axis
  };

  static constexpr std::int64_t quadsOfPart = 1 << 13;

  void prepare(std::int64_t numQuads);

  std::vector<Point> points_;         // in pixels
  std::vector<unsigned char> halves_; // of each quad, a bit for each triangle
  std::vector<std::int64_t> firstOfPart_;
  std::int64_t numQuads_ = 0;
  std::int64_t numTriangles_ = 0;
};

} // namespace spanwise

#endif
