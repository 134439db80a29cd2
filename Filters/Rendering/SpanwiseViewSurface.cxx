#include "SpanwiseViewSurface.h"

#include "SpanwiseBridge.h"

#include <vtkAppendPolyData.h>
#include <vtkCellData.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>

namespace spanwise {

namespace {

// Tiles in three dimensions, whatever the grid's.
template <int Dim>
std::vector<ViewTile<3>> solid(const std::vector<ViewTile<Dim>>& tiles) {
  std::vector<ViewTile<3>> out;
  for (const ViewTile<Dim>& tile : tiles) {
    out.push_back({{{0, 0, 0}, {1, 1, 1}}, tile.shift});
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

ArrayChoice choiceOf(const std::string& name) {
  return name.empty() ? ArrayChoice{true, nullptr} : ArrayChoice{false, name.c_str()};
}

SurfaceOptions surfaceOptions(const ViewSurfaceOptions& options, int shift) {
  SurfaceOptions out;
  out.kind = options.kind;
  out.shift = shift;
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
    shown_.clear();
    surface_->Initialize();
  }
}

void ViewSurface::setOptions(const ViewSurfaceOptions& options) {
  if (!(options_ == options)) {
    options_ = options;
    shown_.clear();
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

// Whether the surface shows every tile. Blocks half as large as they may be will do: a camera that moves to and fro need
// not swap surfaces.
bool ViewSurface::shows(const std::vector<ViewTile<3>>& tiles) const {
  return std::all_of(tiles.begin(), tiles.end(), [&](const ViewTile<3>& tile) {
    double cells = 0.0;
    for (const ViewTile<3>& shown : shown_) {
      const double common = cellsIn(tile.region, shown.region);
      if (common > 0.0 && (shown.shift > tile.shift || shown.shift < tile.shift - 1)) {
        return false;
      }
      cells += common;
    }
    return cells == cellsIn(tile.region, tile.region);
  });
}

template <int Dim>
void ViewSurface::updateFor(const IntervalGridPointer<Dim>& grid, const ViewProjection& projection) {
  // What is in view must be shown; what is made has a margin.
  const auto needed = viewDetail(grid->box(), grid->placement(), projection, options_.pixels);
  if (!needed) {
    return; // nothing of what is shown is in view either
  }
  const std::vector<ViewTile<Dim>> wanted =
    viewTiles(grid->box(), grid->placement(), projection, options_.pixels);
  const bool uniform = wanted.size() == 1;
  if (shows(solid(uniform ? std::vector<ViewTile<Dim>>{{needed->region, needed->shift}} : wanted))) {
    return;
  }
  double pixels = options_.pixels;
  std::vector<ViewTile<Dim>> tiles = wanted;
  while (!makeTiles(grid, tiles)) { // too many polygons
    pixels *= 2.0;
    tiles = viewTiles(grid->box(), grid->placement(), projection, pixels);
  }
  shown_ = solid(wanted);
}

// Makes the surface of tiles. False, and no surface, if it has more polygons than there may be and larger blocks would help.
template <int Dim>
bool ViewSurface::makeTiles(const IntervalGridPointer<Dim>& grid, const std::vector<ViewTile<Dim>>& tiles) {
  constexpr int maxShift = 30;
  auto* const ghosts =
    vtkUnsignedCharArray::SafeDownCast(input_->GetCellData()->GetArray(vtkDataSetAttributes::GhostArrayName()));
  vtkNew<vtkAppendPolyData> append;
  std::int64_t polygons = 0;
  int nearest = maxShift;
  for (const ViewTile<Dim>& tile : tiles) {
    const DrawnCells<Dim> drawn = drawnCells(grid, ghosts, tile.region == grid->box() ? nullptr : &tile.region);
    if (drawn.set.empty()) {
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
