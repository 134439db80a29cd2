#include "Testing/Dimensions.hpp"
#include "Testing/Filters/Rendering/Faces.hpp"
#include "Testing/Filters/Rendering/Grids.hpp"
#include "Testing/Filters/Rendering/Surfaces.hpp"
#include "Testing/Rooms.hpp"

#include <vtkGeometryFilter.h>
#include <vtkIdTypeArray.h>
#include <vtkSOADataArrayTemplate.h>

#include <cmath>

namespace spanwise::testing {
namespace {

template <class Dimension>
class CellSurface : public ::testing::Test {};
TYPED_TEST_SUITE(CellSurface, Dimensions);

vtkSmartPointer<vtkPolyData> surfaceOf(vtkUnstructuredGrid* grid) {
  SurfaceOptions options;
  options.cellIds = true;
  options.pointIds = true;
  return drawnSurface(grid, options);
}

vtkSmartPointer<vtkPolyData> stockSurfaceOf(vtkUnstructuredGrid* grid) {
  vtkNew<vtkGeometryFilter> filter;
  filter->SetInputData(grid);
  filter->SetRemoveGhostInterfaces(false);
  filter->Update();
  vtkSmartPointer<vtkPolyData> surface = filter->GetOutput();
  surface->RemoveGhostCells();
  return surface;
}

TYPED_TEST(CellSurface, HasTheFacesAndValuesOfTheStockSurface) {
  constexpr int dim = TypeParam::value;
  std::mt19937 random(seed());
  SCOPED_TRACE("seed " + std::to_string(seed()));
  const Coordinate extent = dim == 2 ? 12 : 6;
  for (const CellList<dim>& cells : shapes<dim>(random, extent)) {
    const auto ours = facesOf(surfaceOf(makeGrid<dim>(cells, oddPlacement())));
    const auto stock = facesOf(stockSurfaceOf(makeTwin<dim>(cells, oddPlacement(), extent)));
    EXPECT_EQ(ours.size(), stock.size());
    EXPECT_TRUE(ours == stock);
  }
}

TYPED_TEST(CellSurface, LeavesOutGhostsAsTheStockSurfaceDoes) {
  constexpr int dim = TypeParam::value;
  std::mt19937 random(seed());
  SCOPED_TRACE("seed " + std::to_string(seed()));
  const Coordinate extent = dim == 2 ? 12 : 6;
  for (const CellList<dim>& cells : shapes<dim>(random, extent)) {
    std::map<Cell<dim>, unsigned char> flags;
    for (const Cell<dim>& cell : cells) {
      const unsigned kind = random() % 5;
      flags[cell] = kind == 0 ? vtkDataSetAttributes::DUPLICATECELL : kind == 1 ? vtkDataSetAttributes::HIDDENCELL : 0;
    }
    const auto grid = makeGrid<dim>(cells, oddPlacement());
    const auto record = gridOf<dim>(grid);
    grid->GetCellData()->AddArray(makeArray<vtkUnsignedCharArray>(vtkDataSetAttributes::GhostArrayName(),
      grid->GetNumberOfCells(), [&](std::int64_t c) { return flags[record->cellAt(c)]; }));
    const auto twin = makeTwin<dim>(cells, oddPlacement(), extent, [&](const Cell<dim>& cell) {
      const auto found = flags.find(cell);
      return found == flags.end() ? static_cast<unsigned char>(0) : found->second;
    });
    const auto ours = facesOf(surfaceOf(grid));
    const auto stock = facesOf(stockSurfaceOf(twin));
    EXPECT_EQ(ours.size(), stock.size());
    EXPECT_TRUE(ours == stock);

    const vtkNew<vtkSOADataArrayTemplate<unsigned char>> otherLayout;
    otherLayout->DeepCopy(grid->GetCellData()->GetArray(vtkDataSetAttributes::GhostArrayName()));
    otherLayout->SetName(vtkDataSetAttributes::GhostArrayName());
    grid->GetCellData()->AddArray(otherLayout);
    EXPECT_TRUE(facesOf(surfaceOf(grid)) == stock);
  }
}

TYPED_TEST(CellSurface, TellsTheCellAndThePointsBehindEachFace) {
  constexpr int dim = TypeParam::value;
  std::mt19937 random(seed());
  const auto grid = makeGrid<dim>(randomCells<dim>(random, 5, 0.6), oddPlacement());
  const auto surface = surfaceOf(grid);
  auto* const cells = vtkIdTypeArray::SafeDownCast(surface->GetCellData()->GetArray("vtkOriginalCellIds"));
  auto* const nodes = vtkIdTypeArray::SafeDownCast(surface->GetPointData()->GetArray("vtkOriginalPointIds"));
  ASSERT_NE(cells, nullptr);
  ASSERT_NE(nodes, nullptr);
  vtkDataArray* const values = grid->GetCellData()->GetArray("value");
  for (vtkIdType f = 0; f < surface->GetNumberOfCells(); ++f) {
    EXPECT_EQ(values->GetTuple1(cells->GetValue(f)), surface->GetCellData()->GetArray("value")->GetTuple1(f));
  }
  for (vtkIdType p = 0; p < surface->GetNumberOfPoints(); ++p) {
    double ours[3];
    double theirs[3];
    surface->GetPoint(p, ours);
    grid->GetPoint(nodes->GetValue(p), theirs);
    EXPECT_TRUE(std::equal(ours, ours + 3, theirs));
  }
}

TEST(CellSurface2D, SharesTheArraysOfAWholeGrid) {
  std::mt19937 random(seed());
  const auto grid = makeGrid<2>(randomCells<2>(random, 5, 0.6), oddPlacement());
  const auto surface = drawnSurface(grid, SurfaceOptions());
  EXPECT_EQ(surface->GetCellData()->GetArray("value"), grid->GetCellData()->GetArray("value"));
  EXPECT_EQ(surface->GetPointData()->GetArray("height"), grid->GetPointData()->GetArray("height"));
}

TYPED_TEST(CellSurface, OfARegionHasTheFacesOfItsCells) {
  constexpr int dim = TypeParam::value;
  std::mt19937 random(seed());
  const auto grid = makeGrid<dim>(randomCells<dim>(random, 6, 0.7), GridPlacement());
  const auto record = gridOf<dim>(grid);
  Box<dim> region{};
  for (int d = 0; d < dim; ++d) {
    region.begin[d] = -3;
    region.end[d] = 2 + d;
  }
  vtkNew<vtkPolyData> part;
  makeSurface(grid.Get(), drawnCells<dim>(record, nullptr, &region), SurfaceOptions{}, part.Get());
  std::vector<Face> expected;
  for (const Face& face : facesOf(surfaceOf(grid))) {
    const auto value = static_cast<std::int64_t>(face.value);
    const std::int64_t z = static_cast<std::int64_t>(std::floor(static_cast<double>(value) / 1e6 + 0.5));
    const std::int64_t y = static_cast<std::int64_t>(std::floor(static_cast<double>(value - z * 1000000) / 1e3 + 0.5));
    const std::int64_t at[3] = {value - z * 1000000 - y * 1000, y, z};
    bool inside = true;
    for (int d = 0; d < dim; ++d) {
      inside = inside && at[d] >= region.begin[d] && at[d] < region.end[d];
    }
    if (inside) {
      expected.push_back(face);
    }
  }
  EXPECT_TRUE(facesOf(part) == expected);
}

TEST(CellSurface2D, KeepsFarAwayCellsApart) {
  const Coordinate far = 1 << 30; // float could not tell its nodes apart
  const auto grid = makeGrid<2>({{{far, -far}}, {{far + 1, -far}}}, GridPlacement());
  const auto surface = surfaceOf(grid);
  double bounds[6];
  surface->GetBounds(bounds);
  EXPECT_EQ(bounds[1] - bounds[0], 2.0);
  EXPECT_EQ(bounds[3] - bounds[2], 1.0);
}

vtkSmartPointer<vtkPolyData> smoothSurfaceOf(vtkUnstructuredGrid* grid, int shift = 0) {
  SurfaceOptions options;
  options.shading = Shading::Smooth;
  options.shift = shift;
  return drawnSurface(grid, options);
}

/// The cells whose centres are in the ball around 0.
CellList<3> ballOf(Coordinate radius) {
  CellList<3> cells;
  for (Coordinate z = -radius; z < radius; ++z) {
    for (Coordinate y = -radius; y < radius; ++y) {
      for (Coordinate x = -radius; x < radius; ++x) {
        if (std::hypot(x + 0.5, y + 0.5, z + 0.5) < radius) {
          cells.insert({{x, y, z}});
        }
      }
    }
  }
  return cells;
}

/// A ball looks like a ball, whole or in blocks, and of a ball that is stretched along z the normals are those of the
/// ellipsoid.
TEST(SmoothNormals, OfABallPointAwayFromItsCentre) {
  for (const double stretch : {1.0, 3.0}) {
    GridPlacement placement;
    placement.spacing[2] = stretch;
    const auto grid = makeGrid<3>(ballOf(24), placement);
    for (const int shift : {0, 1}) {
      const auto surface = smoothSurfaceOf(grid, shift);
      vtkDataArray* const normals = surface->GetPointData()->GetNormals();
      ASSERT_NE(normals, nullptr);
      const double degrees = (shift == 0 ? 6.0 : 12.0) * (stretch > 1.0 ? 2.2 : 1.0); // stretched, angles are larger
      double least = 1.0;
      for (vtkIdType p = 0; p < surface->GetNumberOfPoints(); ++p) {
        double normal[3];
        double outward[3];
        normals->GetTuple(p, normal);
        surface->GetPoint(p, outward);
        outward[2] /= stretch * stretch;
        const double length = std::hypot(outward[0], outward[1], outward[2]);
        EXPECT_NEAR(std::hypot(normal[0], normal[1], normal[2]), 1.0, 1e-6);
        least = std::min(least, (normal[0] * outward[0] + normal[1] * outward[1] + normal[2] * outward[2]) / length);
      }
      EXPECT_GT(least, std::cos(degrees * std::acos(-1.0) / 180.0)) << stretch << " " << shift;
    }
  }
}

TEST(SmoothNormals, AreThereOnlyIfAskedForAndIn3D) {
  std::mt19937 random(seed());
  EXPECT_EQ(surfaceOf(makeGrid<3>(randomCells<3>(random, 4, 0.6), {}))->GetPointData()->GetNormals(), nullptr);
  EXPECT_EQ(smoothSurfaceOf(makeGrid<2>(randomCells<2>(random, 4, 0.6), {}))->GetPointData()->GetNormals(), nullptr);
  SurfaceOptions runs;
  runs.kind = SurfaceKind::Runs;
  runs.shading = Shading::Smooth;
  const auto ofRuns = drawnSurface(makeGrid<3>(randomCells<3>(random, 4, 0.6), {}), runs);
  EXPECT_EQ(ofRuns->GetPointData()->GetNormals(), nullptr);
}

} // namespace
} // namespace spanwise::testing
