#ifndef SpanwiseViewDetail_h
#define SpanwiseViewDetail_h

// What part of a grid a camera sees, and how large its cells are on the screen. Not wrapped.

#include "SpanwiseDrawnCells.h"
#include "spanwiseRenderingModule.h"

#include <optional>
#include <vector>

namespace spanwise {

/// How positions come to the screen.
struct ViewProjection {
  double toClip[4][4] =
    {};               ///< from the grid's coordinates to clip coordinates: -1 to 1 along each axis after division by w
  double width = 0.0; ///< of the viewport, in pixels
  double height = 0.0;
};

/// The part of a box of cells that is in view.
template <int Dim>
struct ViewDetail {
  geometry::Box<Dim> region;
  int shift = 0; ///< the largest blocks of 2^shift cells that are nowhere in view larger than a given number of pixels
  int farShift = 0; ///< the largest blocks that are not larger where they are farthest
};

/// The part of a box of cells in view and the blocks that may be drawn in place of its cells; nothing if no part is in
/// view. `pixels`: how large a block may be along any axis. O(1).
template <int Dim>
SPANWISERENDERING_EXPORT std::optional<ViewDetail<Dim>> viewDetail(
  const geometry::Box<Dim>& box, const GridPlacement& placement, const ViewProjection& projection, double pixels);

/// A part of a grid, to be drawn in blocks of 2^shift cells.
template <int Dim>
struct ViewTile {
  geometry::Box<Dim> region;
  int shift = 0;
  geometry::FaceSet faces = geometry::allFaces;
};

/// The faces that look at the camera, of any of the cells of a box. The others have cells before them, in a box of
/// cells that are all seen from outside (viewBeginsWithin()).
template <int Dim>
SPANWISERENDERING_EXPORT geometry::FaceSet facesTowardsCamera(
  const geometry::Box<Dim>& box, const GridPlacement& placement, const ViewProjection& projection);

/// Whether any part of a box of cells lies between the camera and where its view begins, so that the view may cut cells
/// open.
template <int Dim>
SPANWISERENDERING_EXPORT bool viewBeginsWithin(
  const geometry::Box<Dim>& box, const GridPlacement& placement, const ViewProjection& projection);

/// Tiles that hold everything of a grid's bounding box that is in view, with some margin; near tiles have smaller
/// blocks. They do not overlap, and no block of one lies in another. Empty if nothing is in view.
template <int Dim>
SPANWISERENDERING_EXPORT std::vector<ViewTile<Dim>> viewTiles(
  const geometry::Box<Dim>& box, const GridPlacement& placement, const ViewProjection& projection, double pixels);

} // namespace spanwise

#endif
