#ifndef SpanwiseViewSurface_h
#define SpanwiseViewSurface_h

// A surface that follows a view. Not wrapped.

#include "SpanwiseSurface.h"
#include "SpanwiseViewDetail.h"

#include <vtkNew.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

#include <string>

class vtkDataArray;

namespace spanwise {

/// What a surface that follows a view shows.
struct ViewSurfaceOptions {
  SurfaceKind kind = SurfaceKind::Cells;
  bool ids = false;       ///< the cells and points behind polygons and points are wanted
  std::string cellArray;  ///< the one cell array that is wanted
  std::string pointArray; ///< the one point array that is wanted
  bool backFaces = true;  ///< faces that look away from the camera are wanted, although cells may hide them
  Shading shading = Shading::Faces;
  double pixels = 1.0; ///< blocks of cells are drawn where they are no larger than this
  std::int64_t maxPolygons = std::numeric_limits<std::int64_t>::max(); ///< larger blocks are drawn beyond this many
  int process = -1;                                                    ///< the rank to add as vtkProcessId; -1: none

  friend bool operator==(const ViewSurfaceOptions&, const ViewSurfaceOptions&) = default;
};

/// The surface of a grid at the detail that a view needs: exact where cells can be seen, blocks where they are smaller
/// than a pixel, and only what is in view. It is kept until the view needs another.
class ViewSurface {
public:
  void setInput(vtkUnstructuredGrid* input);
  void setOptions(const ViewSurfaceOptions& options);

  /// The surface for a view. The polygons are replaced, not the object, when the view needs others.
  vtkPolyData* update(const ViewProjection& projection);

  /// The nearest blocks have 2^shift cells along each axis.
  [[nodiscard]] int shift() const { return shift_; }

private:
  template <int Dim>
  void updateFor(const IntervalGridPointer<Dim>& grid, const ViewProjection& projection);
  template <int Dim>
  std::vector<ViewTile<Dim>> tilesFor(
    const IntervalGridPointer<Dim>& grid, const ViewProjection& projection, double pixels) const;
  template <int Dim>
  geometry::FaceSet facesSeen(
    const IntervalGridPointer<Dim>& grid, const geometry::Box<Dim>& region, const ViewProjection& projection) const;
  template <int Dim>
  bool makeTiles(const IntervalGridPointer<Dim>& grid, const std::vector<ViewTile<Dim>>& tiles);
  [[nodiscard]] vtkDataArray* ghosts() const;
  bool shows(const std::vector<ViewTile<3>>& needed) const;

  vtkSmartPointer<vtkUnstructuredGrid> input_;
  vtkMTimeType inputTime_ = 0;
  ViewSurfaceOptions options_;
  vtkNew<vtkPolyData> surface_;
  std::vector<ViewTile<3>> made_; // what the surface was made for
  double neededBlocks_ = 0.0;     // how many blocks of that were in view
  bool limited_ = false;          // the blocks are larger than that, because of maxPolygons
  int shift_ = 0;
};

} // namespace spanwise

#endif
