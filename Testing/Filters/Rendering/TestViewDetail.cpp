#include "Testing/Filters/Rendering/Grids.hpp"

#include "SpanwiseViewDetail.h"
#include "Testing/Rooms.hpp"

#include <vtkCamera.h>
#include <vtkMatrix4x4.h>

#include <cmath>

namespace spanwise::testing {
namespace {

ViewProjection projectionOf(vtkCamera* camera, double width, double height) {
  ViewProjection projection;
  projection.width = width;
  projection.height = height;
  vtkMatrix4x4* const matrix = camera->GetCompositeProjectionTransformMatrix(width / height, -1.0, 1.0);
  std::copy_n(matrix->GetData(), 16, &projection.toClip[0][0]);
  return projection;
}

template <int Dim>
IntervalGridPointer<Dim> makeBox(Coordinate extent, const GridPlacement& placement) {
  CellList<Dim> corners;
  Cell<Dim> low{};
  Cell<Dim> high{};
  for (int d = 0; d < Dim; ++d) {
    low.at[d] = -extent;
    high.at[d] = extent - 1;
  }
  corners.insert(low);
  corners.insert(high);
  return IntervalGrid<Dim>::make(toHostSet<Dim>(corners), placement);
}

TEST(ViewDetail, FollowsAParallelCamera) {
  const auto grid = makeBox<2>(1000, GridPlacement());
  vtkNew<vtkCamera> camera;
  camera->ParallelProjectionOn();
  camera->SetFocalPoint(100.0, 200.0, 0.0);
  camera->SetPosition(100.0, 200.0, 1.0);
  camera->SetClippingRange(0.1, 10.0);
  camera->SetParallelScale(50.0); // 100 cells over 400 pixels: four pixels a cell
  auto detail = viewDetail<2>(grid->box(), grid->placement(), projectionOf(camera, 800, 400), 1.0);
  ASSERT_TRUE(detail);
  EXPECT_EQ(detail->shift, 0);
  EXPECT_NEAR(detail->region.begin[0], 0, 1);
  EXPECT_NEAR(detail->region.end[0], 200, 1);
  EXPECT_NEAR(detail->region.begin[1], 150, 1);
  EXPECT_NEAR(detail->region.end[1], 250, 1);

  camera->SetParallelScale(500.0); // 0.4 pixels a cell: blocks of two have 0.8
  detail = viewDetail<2>(grid->box(), grid->placement(), projectionOf(camera, 800, 400), 1.0);
  ASSERT_TRUE(detail);
  EXPECT_EQ(detail->shift, 1);
  detail =
    viewDetail<2>(grid->box(), grid->placement(), projectionOf(camera, 800, 400), 3.3); // blocks of eight have 3.2
  ASSERT_TRUE(detail);
  EXPECT_EQ(detail->shift, 3);

  camera->SetFocalPoint(5000.0, 0.0, 0.0);
  camera->SetPosition(5000.0, 0.0, 1.0);
  EXPECT_FALSE(viewDetail<2>(grid->box(), grid->placement(), projectionOf(camera, 800, 400), 1.0));
}

TEST(ViewDetail, SeesNothingOfAnEmptyGrid) {
  const auto grid = IntervalGrid<3>::make(HostIntervalSet<3>(), GridPlacement());
  vtkNew<vtkCamera> camera;
  EXPECT_FALSE(viewDetail<3>(grid->box(), grid->placement(), projectionOf(camera, 100, 100), 1.0));
  EXPECT_TRUE(viewTiles<3>(grid->box(), grid->placement(), projectionOf(camera, 100, 100), 1.0).empty());
}

// Where a node comes to on the screen, in pixels; false if it is outside the view.
bool toScreen(
  const ViewProjection& projection, const GridPlacement& placement, const double cell[3], double screen[2]) {
  double clip[4];
  for (int r = 0; r < 4; ++r) {
    clip[r] = projection.toClip[r][3];
    for (int d = 0; d < 3; ++d) {
      clip[r] += projection.toClip[r][d] * (placement.origin[d] + cell[d] * placement.spacing[d]);
    }
  }
  for (int d = 0; d < 2; ++d) {
    screen[d] = (clip[d] / clip[3] + 1.0) * 0.5 * (d == 0 ? projection.width : projection.height);
  }
  return clip[3] > 0.0 && std::abs(clip[0]) <= clip[3] && std::abs(clip[1]) <= clip[3] && std::abs(clip[2]) <= clip[3];
}

template <int Dim>
void expectTilesInView(const IntervalGrid<Dim>& grid, const ViewProjection& projection, std::mt19937& random) {
  const GridPlacement& placement = grid.placement();
  const auto tiles = viewTiles<Dim>(grid.box(), placement, projection, 1.0);
  std::uniform_int_distribution<Coordinate> anywhere(grid.box().begin[0], grid.box().end[0] - 1);
  for (int sample = 0; sample < 2000; ++sample) {
    const Coordinate cell[3] = {anywhere(random), anywhere(random), Dim == 3 ? anywhere(random) : 0};
    const double centre[3] = {cell[0] + 0.5, cell[1] + 0.5, Dim == 3 ? cell[2] + 0.5 : 0.0};
    double screen[2];
    if (!toScreen(projection, placement, centre, screen)) {
      continue;
    }
    const ViewTile<Dim>* found = nullptr;
    for (const ViewTile<Dim>& tile : tiles) {
      bool inside = true;
      for (int d = 0; d < Dim; ++d) {
        inside = inside && cell[d] >= tile.region.begin[d] && cell[d] < tile.region.end[d];
      }
      if (inside) {
        EXPECT_EQ(found, nullptr) << "two tiles overlap";
        found = &tile;
      }
    }
    ASSERT_NE(found, nullptr) << "a cell in view is in no tile";
    for (int d = 0; d < Dim; ++d) {
      double moved[3] = {centre[0], centre[1], centre[2]};
      moved[d] += 1e-3;
      double there[2];
      if (found->shift > 0 && toScreen(projection, placement, moved, there)) {
        const double size = std::hypot(there[0] - screen[0], there[1] - screen[1]) * 1e3;
        EXPECT_LE(size * std::ldexp(1.0, found->shift), 1.1);
      }
    }
  }
}

template <int Dim>
void expectAllInView(const IntervalGrid<Dim>& grid, const ViewProjection& projection, std::mt19937& random) {
  const auto detail = viewDetail<Dim>(grid.box(), grid.placement(), projection, 1.0);
  const GridPlacement& placement = grid.placement();
  std::uniform_real_distribution<double> anywhere(grid.box().begin[0], grid.box().end[0]);
  for (int sample = 0; sample < 2000; ++sample) {
    double p[3] = {anywhere(random), anywhere(random), Dim == 3 ? anywhere(random) : 0.0};
    double screen[2];
    if (!toScreen(projection, placement, p, screen)) {
      continue;
    }
    ASSERT_TRUE(detail);
    for (int d = 0; d < Dim; ++d) {
      EXPECT_GE(p[d], detail->region.begin[d]);
      EXPECT_LE(p[d], detail->region.end[d]);
      // A block is no larger than a pixel wherever it is in view, up to what its size adds to the perspective.
      double q[3] = {p[0], p[1], p[2]};
      q[d] += 1e-3;
      double moved[2];
      if (detail->shift > 0 && toScreen(projection, placement, q, moved)) {
        const double pixels =
          std::hypot(moved[0] - screen[0], moved[1] - screen[1]) * 1e3 * std::ldexp(1.0, detail->shift);
        EXPECT_LE(pixels, 1.1);
      }
    }
  }
}

// Whether a point lies between the camera and where its view begins.
bool beforeView(const ViewProjection& projection, const GridPlacement& placement, const double cell[3]) {
  double clip[4];
  for (int r = 0; r < 4; ++r) {
    clip[r] = projection.toClip[r][3];
    for (int d = 0; d < 3; ++d) {
      clip[r] += projection.toClip[r][d] * (placement.origin[d] + cell[d] * placement.spacing[d]);
    }
  }
  return clip[3] > 0.0 && clip[2] < -clip[3] && std::abs(clip[0]) <= clip[3] && std::abs(clip[1]) <= clip[3];
}

TEST(ViewDetail, KnowsTheFacesThatLookAtTheCamera) {
  std::mt19937 random(seed());
  SCOPED_TRACE("seed " + std::to_string(seed()));
  const auto grid = makeBox<3>(300, oddPlacement());
  const GridPlacement& placement = grid->placement();
  std::uniform_real_distribution<double> where(-1000.0, 1000.0);
  std::uniform_int_distribution<Coordinate> anywhere(-300, 299);
  int hidden = 0;
  for (int k = 0; k < 200; ++k) {
    vtkNew<vtkCamera> camera;
    camera->SetPosition(where(random), where(random), where(random));
    camera->SetFocalPoint(0.0, 0.0, 0.0);
    camera->SetViewUp(where(random), where(random), where(random));
    camera->SetClippingRange(10.0, 20000.0);
    camera->SetParallelProjection(k % 4 == 0);
    camera->SetParallelScale(700.0);
    const ViewProjection projection = projectionOf(camera, 640, 480);
    const FaceSet faces = facesTowardsCamera<3>(grid->box(), placement, projection);
    for (int f = 0; f < 6; ++f) {
      hidden += ((faces >> f) & 1U) == 0 ? 1 : 0;
    }
    for (int sample = 0; sample < 300; ++sample) {
      const Coordinate cell[3] = {anywhere(random), anywhere(random), anywhere(random)};
      for (int f = 0; f < 6; ++f) {
        const double at = placement.position(f / 2, cell[f / 2] + f % 2);
        const double toCamera = camera->GetParallelProjection() ? -camera->GetDirectionOfProjection()[f / 2]
                                                                : camera->GetPosition()[f / 2] - at;
        if ((f % 2 == 1 ? toCamera : -toCamera) > 0.0) {
          EXPECT_NE((faces >> f) & 1U, 0U) << "face " << f;
        }
      }
    }
  }
  EXPECT_GT(hidden, 200); // one or more of six in most views
}

TEST(ViewDetail, KnowsWhetherTheViewBeginsWithinTheGrid) {
  std::mt19937 random(seed());
  SCOPED_TRACE("seed " + std::to_string(seed()));
  const auto grid = makeBox<3>(300, oddPlacement());
  std::uniform_real_distribution<double> where(-400.0, 400.0);
  std::uniform_real_distribution<double> anywhere(-300.0, 300.0);
  int begins = 0;
  for (int k = 0; k < 200; ++k) {
    vtkNew<vtkCamera> camera;
    camera->SetPosition(where(random), where(random), where(random));
    camera->SetFocalPoint(0.0, 0.0, 0.0);
    camera->SetViewUp(where(random), where(random), where(random));
    camera->SetClippingRange(50.0, 20000.0);
    camera->SetParallelProjection(k % 4 == 0);
    camera->SetParallelScale(100.0);
    const ViewProjection projection = projectionOf(camera, 640, 480);
    const bool within = viewBeginsWithin<3>(grid->box(), grid->placement(), projection);
    begins += within ? 1 : 0;
    for (int sample = 0; sample < 2000 && !within; ++sample) {
      const double p[3] = {anywhere(random), anywhere(random), anywhere(random)};
      EXPECT_FALSE(beforeView(projection, grid->placement(), p));
    }
  }
  EXPECT_GT(begins, 10);
  EXPECT_LT(begins, 190);

  vtkNew<vtkCamera> camera;
  camera->SetPosition(1000.0, 10.0, 20.0);
  camera->SetClippingRange(100.0, 3000.0);
  EXPECT_FALSE(viewBeginsWithin<3>(grid->box(), grid->placement(), projectionOf(camera, 640, 480)));
  camera->SetClippingRange(1000.0, 3000.0);
  EXPECT_TRUE(viewBeginsWithin<3>(grid->box(), grid->placement(), projectionOf(camera, 640, 480)));
  camera->SetPosition(1.0, 2.0, 3.0); // the camera is within the grid, and sees none of its sides
  camera->SetClippingRange(0.01, 1.0);
  EXPECT_TRUE(viewBeginsWithin<3>(grid->box(), grid->placement(), projectionOf(camera, 640, 480)));
}

TEST(ViewDetail, HoldsWhateverAnyCameraSees) {
  std::mt19937 random(seed());
  SCOPED_TRACE("seed " + std::to_string(seed()));
  const auto flat = makeBox<2>(3000, oddPlacement());
  const auto deep = makeBox<3>(3000, oddPlacement());
  std::uniform_real_distribution<double> where(-4000.0, 4000.0);
  for (int k = 0; k < 40; ++k) {
    vtkNew<vtkCamera> camera;
    camera->SetPosition(where(random), where(random), where(random));
    camera->SetFocalPoint(where(random), where(random), where(random));
    camera->SetViewUp(where(random), where(random), where(random));
    camera->SetClippingRange(10.0, 20000.0);
    camera->SetParallelProjection(k % 4 == 0);
    camera->SetParallelScale(700.0);
    expectAllInView<2>(*flat, projectionOf(camera, 640, 480), random);
    expectAllInView<3>(*deep, projectionOf(camera, 640, 480), random);
    expectTilesInView<2>(*flat, projectionOf(camera, 640, 480), random);
    expectTilesInView<3>(*deep, projectionOf(camera, 640, 480), random);
  }
}

} // namespace
} // namespace spanwise::testing
