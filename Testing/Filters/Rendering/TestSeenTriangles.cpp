#include "SpanwiseSeenTriangles.h"
#include "Testing/Core/Seed.hpp"
#include "Testing/Rooms.hpp"

#include <vtkCamera.h>
#include <vtkMatrix4x4.h>
#include <vtkNew.h>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <set>

namespace spanwise::testing {
namespace {

struct Quads {
  std::vector<float> positions;
  std::vector<std::int32_t> corners;
  [[nodiscard]] std::int64_t numPoints() const { return static_cast<std::int64_t>(positions.size()) / 3; }
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(corners.size()) / 4; }
};

// The cells of a square sheet with corners that were moved by up to so much along each axis.
Quads sheet(int n, double moved, std::mt19937& random) {
  std::uniform_real_distribution<double> move(-moved, moved);
  Quads quads;
  for (int y = 0; y <= n; ++y) {
    for (int x = 0; x <= n; ++x) {
      quads.positions.push_back(static_cast<float>(x + move(random)));
      quads.positions.push_back(static_cast<float>(y + move(random)));
      quads.positions.push_back(static_cast<float>(move(random)));
    }
  }
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      const int p = (n + 1) * y + x;
      quads.corners.insert(quads.corners.end(), {p, p + 1, p + n + 2, p + n + 1});
    }
  }
  return quads;
}

PixelView viewOf(const Quads& quads, vtkCamera* camera, int width, int height, bool centered) {
  PixelView view;
  view.width = width;
  view.height = height;
  vtkMatrix4x4* const matrix =
    camera->GetCompositeProjectionTransformMatrix(static_cast<double>(width) / height, -1.0, 1.0);
  std::copy_n(matrix->GetData(), 16, &view.toClip[0][0]);
  for (int d = 0; d < 3; ++d) {
    double low = quads.positions[static_cast<std::size_t>(d)];
    double high = low;
    for (std::size_t k = static_cast<std::size_t>(d); k < quads.positions.size(); k += 3) {
      low = std::min<double>(low, quads.positions[k]);
      high = std::max<double>(high, quads.positions[k]);
    }
    view.bounds[2 * d] = low;
    view.bounds[2 * d + 1] = high;
    view.shift[d] = centered ? 0.5 * (low + high) : 0.0;
  }
  return view;
}

using Fixed = std::array<std::int64_t, 2>; // in 1/256 of a pixel

// Where graphics see a position: all in float, and rounded at the end. False if it is not before the camera.
bool toFixed(const PixelView& view, const float* position, Fixed& fixed) {
  float clip[4];
  for (int r = 0; r < 4; ++r) {
    float sum = 0.0F;
    double atShift = view.toClip[r][3];
    for (int d = 0; d < 3; ++d) {
      const double size = std::max(1.0, view.bounds[2 * d + 1] - view.bounds[2 * d]);
      sum += static_cast<float>((position[d] - view.shift[d]) / size) * static_cast<float>(view.toClip[r][d] * size);
      atShift += view.toClip[r][d] * view.shift[d];
    }
    clip[r] = sum + static_cast<float>(atShift);
  }
  const float scale = 1.0F / clip[3];
  fixed = {std::llround(256.0F * ((clip[0] * scale + 1.0F) * (0.5F * static_cast<float>(view.width)))),
    std::llround(256.0F * ((clip[1] * scale + 1.0F) * (0.5F * static_cast<float>(view.height))))};
  return clip[3] > 0.0F;
}

std::int64_t cross(const Fixed& a, const Fixed& b, const Fixed& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// Whether a triangle, or its edge, covers the middle of a pixel of the view.
bool covers(const PixelView& view, const Fixed (&t)[3]) {
  const auto pixel = [](std::int64_t at) { return (at >= 0 ? at : at - 255) / 256; };
  const auto range = [&](int axis, std::int64_t size) {
    return std::array{std::max<std::int64_t>(0, pixel(std::min({t[0][axis], t[1][axis], t[2][axis]}))),
      std::min(size - 1, pixel(std::max({t[0][axis], t[1][axis], t[2][axis]})))};
  };
  const auto xs = range(0, view.width);
  const auto ys = range(1, view.height);
  for (std::int64_t y = ys[0]; y <= ys[1]; ++y) {
    for (std::int64_t x = xs[0]; x <= xs[1]; ++x) {
      const Fixed p{256 * x + 128, 256 * y + 128};
      const std::int64_t sides[3] = {cross(t[0], t[1], p), cross(t[1], t[2], p), cross(t[2], t[0], p)};
      if ((sides[0] >= 0 && sides[1] >= 0 && sides[2] >= 0) || (sides[0] <= 0 && sides[1] <= 0 && sides[2] <= 0)) {
        return true;
      }
    }
  }
  return false;
}

using Triangles = std::set<std::pair<std::int64_t, int>>; // quad and half

Triangles covering(const Quads& quads, const PixelView& view) {
  Triangles found;
  for (std::int64_t q = 0; q < quads.size(); ++q) {
    Fixed c[4];
    bool before = true;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto point = static_cast<std::size_t>(quads.corners[4 * static_cast<std::size_t>(q) + k]);
      before = toFixed(view, quads.positions.data() + 3 * point, c[k]) && before;
    }
    for (int half = 0; half < 2; ++half) {
      // What is partly behind the camera would have to be cut first.
      if (!before || covers(view, {c[0], c[1 + half], c[2 + half]})) {
        found.insert({q, half});
      }
    }
  }
  return found;
}

Triangles takenBy(const SeenTriangles& seen) {
  std::vector<std::pair<std::int64_t, int>> inOrder(static_cast<std::size_t>(seen.count()));
  seen.forEachTriangle("Testing::triangles",
    [&](std::int64_t k, std::int64_t q, int half) { inOrder[static_cast<std::size_t>(k)] = {q, half}; });
  EXPECT_TRUE(std::is_sorted(inOrder.begin(), inOrder.end()));
  return {inOrder.begin(), inOrder.end()};
}

Triangles found(const Quads& quads, const PixelView& view) {
  SeenTriangles seen;
  seen.find(quads.positions.data(), quads.numPoints(), quads.corners.data(), quads.size(), view);
  return takenBy(seen);
}

// From a random place around the sheet, at such a distance that its cells are about so many pixels.
void look(vtkCamera* camera, int n, double pixelsOfCell, int height, bool parallel, std::mt19937& random) {
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  const double scale = 0.5 * height / pixelsOfCell; // cells from the middle of the view to its top
  const double away = parallel ? 10.0 * n : scale / std::tan(0.5 * 30.0 * std::acos(-1.0) / 180.0);
  camera->SetParallelProjection(parallel ? 1 : 0);
  camera->SetParallelScale(scale);
  camera->SetViewAngle(30.0);
  camera->SetFocalPoint(0.5 * n + 0.2 * n * any(random), 0.5 * n + 0.2 * n * any(random), 0.0);
  camera->SetPosition(camera->GetFocalPoint());
  camera->SetViewUp(any(random), 2.0, any(random));
  double* const focus = camera->GetFocalPoint();
  double direction[3] = {any(random), any(random), 0.3 + std::abs(any(random))};
  const double length = std::hypot(direction[0], direction[1], direction[2]);
  camera->SetPosition(focus[0] + away * direction[0] / length, focus[1] + away * direction[1] / length,
    focus[2] + away * direction[2] / length);
  camera->SetClippingRange(0.01 * away, 100.0 * away);
}

TEST(SeenTriangles, KeepsAllThatCoverThePixels) {
  std::mt19937 random(seed());
  SCOPED_TRACE("seed " + std::to_string(seed()));
  constexpr int n = 80;
  std::size_t lost = 0;
  for (int turn = 0; turn < 60; ++turn) {
    const Quads quads = sheet(n, 0.3 * (turn % 3), random);
    vtkNew<vtkCamera> camera;
    look(camera, n, std::exp2(-3.0 + turn % 7), 48, turn % 2 == 0, random);
    const PixelView view = viewOf(quads, camera, 64, 48, turn % 4 < 2);
    const Triangles needed = covering(quads, view);
    const Triangles kept = found(quads, view);
    EXPECT_GT(needed.size(), 0U);
    EXPECT_TRUE(std::includes(kept.begin(), kept.end(), needed.begin(), needed.end()))
      << "view " << turn << ": " << needed.size() << " triangles cover pixels, " << kept.size() << " were kept";
    lost += 2 * static_cast<std::size_t>(quads.size()) - kept.size();
  }
  EXPECT_GT(lost, 0U);
}

TEST(SeenTriangles, KeepsFewOthers) {
  std::mt19937 random(seed());
  SCOPED_TRACE("seed " + std::to_string(seed()));
  constexpr int n = 300;
  for (int turn = 0; turn < 10; ++turn) {
    const Quads quads = sheet(n, 0.0, random);
    vtkNew<vtkCamera> camera;
    look(camera, n, 0.6, 100, turn % 2 == 0, random);
    const PixelView view = viewOf(quads, camera, 120, 100, true);
    const std::size_t needed = covering(quads, view).size();
    EXPECT_LT(needed, static_cast<std::size_t>(quads.size() / 2));
    EXPECT_LT(found(quads, view).size(), 3 * needed / 2);
  }
}

TEST(SeenTriangles, LeavesOutWhatIsOutsideTheView) {
  std::mt19937 random(seed());
  const Quads quads = sheet(50, 0.0, random);
  vtkNew<vtkCamera> camera;
  camera->ParallelProjectionOn();
  camera->SetParallelScale(10.0);
  for (const auto& [x, y] :
    {std::array{-20.0, 25.0}, std::array{70.0, 25.0}, std::array{25.0, -20.0}, std::array{25.0, 70.0}}) {
    camera->SetFocalPoint(x, y, 0.0);
    camera->SetPosition(x, y, 1.0);
    EXPECT_TRUE(found(quads, viewOf(quads, camera, 100, 100, true)).empty());
  }
}

TEST(SeenTriangles, KeepsWhatItCannotTell) {
  std::mt19937 random(seed());
  const Quads quads = sheet(20, 0.0, random);
  // A camera within the sheet, that looks along it: what is beside or behind it has no place on the screen.
  vtkNew<vtkCamera> camera;
  camera->SetFocalPoint(10.0, 20.0, 0.0);
  camera->SetPosition(10.0, 10.0, 0.0);
  camera->SetViewUp(0.0, 0.0, 1.0);
  camera->SetClippingRange(0.1, 100.0);
  const PixelView view = viewOf(quads, camera, 100, 100, true);
  const Triangles kept = found(quads, view);
  for (std::int64_t q = 0; q < 20 * 10; ++q) {
    EXPECT_TRUE(kept.contains({q, 0}) && kept.contains({q, 1})) << q;
  }
  // Positions so far from the origin that single precision cannot tell pixels apart.
  PixelView far = view;
  far.shift[0] = 1e9;
  EXPECT_EQ(found(quads, far).size(), 2U * 400U);
}

TEST(SeenTriangles, TakesAll) {
  for (const std::int64_t quads : {0, 1, 1 << 13, (1 << 13) + 1, 50000}) {
    SeenTriangles seen;
    seen.takeAll(quads);
    EXPECT_EQ(seen.count(), 2 * quads);
    EXPECT_EQ(takenBy(seen).size(), static_cast<std::size_t>(2 * quads));
  }
}

} // namespace
} // namespace spanwise::testing
