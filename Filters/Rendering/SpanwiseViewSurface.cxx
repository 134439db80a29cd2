#include "SpanwiseViewSurface.h"

#include "SpanwiseBridge.h"
#include "SpanwiseGeometry.h"

#include <vtkAppendPolyData.h>
#include <vtkCellData.h>
#include <vtkConstantArray.h>
#include <vtkFloatArray.h>
#include <vtkObjectFactory.h>
#include <vtkPointData.h>
#include <vtkPoints.h>

#include <algorithm>
#include <cmath>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

// Tiles in three dimensions, whatever the grid's.
template <int Dim>
std::vector<ViewTile<3>> solid(const std::vector<ViewTile<Dim>>& tiles) {
  std::vector<ViewTile<3>> out;
  for (const ViewTile<Dim>& tile : tiles) {
    out.push_back({{{0, 0, 0}, {1, 1, 1}}, tile.shift, tile.faces});
    for (int d = 0; d < Dim; ++d) {
      out.back().region.begin[d] = tile.region.begin[d];
      out.back().region.end[d] = tile.region.end[d];
    }
  }
  return out;
}

double cellsIn(const Box<3>& a, const Box<3>& b) {
  double cells = 1.0;
  for (int d = 0; d < 3; ++d) {
    cells *= std::max(0.0, static_cast<double>(std::min(a.end[d], b.end[d])) - std::max(a.begin[d], b.begin[d]));
  }
  return cells;
}

double blocksIn(const std::vector<ViewTile<3>>& tiles) {
  double blocks = 0.0;
  for (const ViewTile<3>& tile : tiles) {
    blocks += std::ldexp(cellsIn(tile.region, tile.region), -3 * tile.shift);
  }
  return blocks;
}

// Positions that pass for all of a grid's. Mappers shift and scale what they give to the graphics by its range, in
// float: by the same range as the whole grid's, so that a part of it looks the same to the last bit.
class PositionsOfGrid : public vtkFloatArray {
public:
  static PositionsOfGrid* New();
  vtkTypeMacro(PositionsOfGrid, vtkFloatArray);

  double bounds[6] = {};

  bool ComputeScalarRange(double* ranges) override {
    std::copy_n(bounds, 6, ranges);
    return true;
  }
  bool ComputeScalarRange(double* ranges, const unsigned char*, unsigned char) override {
    return ComputeScalarRange(ranges);
  }
};

vtkStandardNewMacro(PositionsOfGrid);

// Gives a surface, which has points, the bounds of its grid. Not where float cannot tell all of the grid's nodes apart.
template <int Dim>
void useBoundsOf(const IntervalGrid<Dim>& grid, vtkPolyData* surface) {
  if (needsDoublePoints(grid)) {
    return;
  }
  vtkNew<PositionsOfGrid> positions;
  positions->ShallowCopy(surface->GetPoints()->GetData());
  grid.bounds(positions->bounds);
  vtkNew<vtkPoints> points;
  points->SetData(positions);
  surface->SetPoints(points);
}

void addProcessIds(vtkDataSetAttributes* attributes, vtkIdType count, int process) {
  vtkNew<vtkConstantArray<unsigned int>> ids;
  ids->SetName("vtkProcessId");
  ids->SetNumberOfValues(count);
  ids->ConstructBackend(static_cast<unsigned int>(process));
  attributes->AddArray(ids);
}

ArrayChoice choiceOf(const std::string& name) {
  return name.empty() ? ArrayChoice{true, nullptr} : ArrayChoice{false, name.c_str()};
}

SurfaceOptions surfaceOptions(const ViewSurfaceOptions& options, int shift) {
  SurfaceOptions out;
  out.kind = options.kind;
  out.shift = shift;
  out.shading = options.shading;
  out.cellIds = out.pointIds = options.ids;
  out.cellArrays = choiceOf(options.cellArray);
  out.pointArrays = choiceOf(options.pointArray);
  return out;
}

} // namespace

void ViewSurface::setInput(vtkUnstructuredGrid* input) {
  if (input_ != input || (input != nullptr && input->GetMTime() != inputTime_)) {
    input_ = input;
    inputTime_ = input != nullptr ? input->GetMTime() : 0;
    made_.clear();
    surface_->Initialize();
  }
}

void ViewSurface::setOptions(const ViewSurfaceOptions& options) {
  if (!(options_ == options)) {
    options_ = options;
    made_.clear();
  }
}

vtkPolyData* ViewSurface::update(const ViewProjection& projection) {
  if (const auto grid2 = gridOf<2>(input_)) {
    updateFor<2>(grid2, projection);
  } else if (const auto grid3 = gridOf<3>(input_)) {
    updateFor<3>(grid3, projection);
  }
  return surface_;
}

// Whether the surface shows every tile at its detail, or at the detail that there can be.
bool ViewSurface::shows(const std::vector<ViewTile<3>>& needed) const {
  if (limited_ && blocksIn(needed) < 0.8 * neededBlocks_) {
    return false; // smaller blocks may do now
  }
  return std::all_of(needed.begin(), needed.end(), [&](const ViewTile<3>& tile) {
    double cells = 0.0;
    for (const ViewTile<3>& made : made_) {
      const double common = cellsIn(tile.region, made.region);
      // Blocks half as large as they may be will do: a camera that moves to and fro need not swap surfaces.
      if (common > 0.0 && (tile.faces & ~made.faces) != 0) {
        return false;
      }
      if (common > 0.0 && !limited_ && (made.shift > tile.shift || made.shift < tile.shift - 1)) {
        return false;
      }
      cells += common;
    }
    return cells == cellsIn(tile.region, tile.region);
  });
}

vtkDataArray* ViewSurface::ghosts() const {
  return input_->GetCellData()->GetArray(vtkDataSetAttributes::GhostArrayName());
}

// The faces of a region that can be seen. Those that look away from the camera are behind others, unless the surface of
// the cells has openings: beside ghosts, and where the view begins within the grid.
template <int Dim>
FaceSet ViewSurface::facesSeen(
  const IntervalGridPointer<Dim>& grid, const Box<Dim>& region, const ViewProjection& projection) const {
  const bool closed = ghosts() == nullptr && !viewBeginsWithin(grid->box(), grid->placement(), projection);
  return options_.backFaces || !closed ? allFaces : facesTowardsCamera(region, grid->placement(), projection);
}

template <int Dim>
std::vector<ViewTile<Dim>> ViewSurface::tilesFor(
  const IntervalGridPointer<Dim>& grid, const ViewProjection& projection, double pixels) const {
  std::vector<ViewTile<Dim>> tiles = viewTiles(grid->box(), grid->placement(), projection, pixels);
  for (ViewTile<Dim>& tile : tiles) {
    tile.faces = facesSeen(grid, tile.region, projection);
  }
  return tiles;
}

template <int Dim>
void ViewSurface::updateFor(const IntervalGridPointer<Dim>& grid, const ViewProjection& projection) {
  const auto detail = viewDetail(grid->box(), grid->placement(), projection, options_.pixels);
  if (!detail) {
    return; // nothing of what is shown is in view either
  }
  std::vector<ViewTile<Dim>> tiles = tilesFor(grid, projection, options_.pixels);
  std::vector<ViewTile<Dim>> inView = tiles;
  if (tiles.size() == 1) { // its margin need not be shown
    inView.front().region = detail->region;
    inView.front().faces = facesSeen(grid, detail->region, projection);
  }
  const std::vector<ViewTile<3>> needed = solid(inView);
  if (shows(needed)) {
    return;
  }
  made_ = solid(tiles);
  neededBlocks_ = blocksIn(needed);
  limited_ = false;
  // The old surface goes before the new one is made.
  surface_->Initialize();
  // Larger blocks are made where there would be too many polygons.
  for (double pixels = options_.pixels; !makeTiles(grid, tiles);) {
    pixels *= 2.0;
    limited_ = true;
    tiles = tilesFor(grid, projection, pixels);
  }
  if (surface_->GetPoints() != nullptr) {
    useBoundsOf(*grid, surface_.Get());
  }
  if (options_.process >= 0) {
    addProcessIds(surface_->GetCellData(), surface_->GetNumberOfCells(), options_.process);
    addProcessIds(surface_->GetPointData(), surface_->GetNumberOfPoints(), options_.process);
  }
}

// Makes the surface of tiles. False, and no surface, if it has more polygons than there may be and larger blocks would
// help.
template <int Dim>
bool ViewSurface::makeTiles(const IntervalGridPointer<Dim>& grid, const std::vector<ViewTile<Dim>>& tiles) {
  constexpr int maxShift = 30;
  vtkNew<vtkAppendPolyData> append;
  std::int64_t polygons = 0;
  int nearest = maxShift;
  for (const ViewTile<Dim>& tile : tiles) {
    DrawnCells<Dim> drawn = drawnCells(grid, ghosts(), tile.region == grid->box() ? nullptr : &tile.region);
    drawn.faces = tile.faces;
    if (drawn.box().empty()) {
      continue;
    }
    nearest = std::min(nearest, tile.shift);
    const std::int64_t left = options_.maxPolygons - polygons;
    if (tile.shift == 0 && countPolygons(drawn, options_.kind, left) > left) {
      return false;
    }
    vtkNew<vtkPolyData> surface;
    makeSurface(input_.Get(), drawn, surfaceOptions(options_, tile.shift), surface.Get());
    polygons += surface->GetNumberOfCells();
    if (polygons > options_.maxPolygons && nearest < maxShift) {
      return false;
    }
    append->AddInputData(surface);
  }
  if (append->GetNumberOfInputConnections(0) == 1) {
    surface_->ShallowCopy(append->GetInput());
  } else if (append->GetNumberOfInputConnections(0) == 0) {
    surface_->Initialize();
  } else {
    append->Update();
    surface_->ShallowCopy(append->GetOutput());
  }
  shift_ = nearest;
  return true;
}

} // namespace spanwise
