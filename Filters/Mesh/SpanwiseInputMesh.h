#ifndef SpanwiseInputMesh_h
#define SpanwiseInputMesh_h

// The one place that knows how VTK's unstructured grids and polygonal data become meshes of Core. Not wrapped.

#include "spanwiseMeshModule.h"

#include "Core/Mesh/MeshView.hpp"

#include <vtkDataObject.h>
#include <vtkSmartPointer.h>

#include <array>
#include <cstdint>
#include <variant>
#include <vector>

class vtkDataSet;
class vtkDoubleArray;

namespace spanwise {

/// A mesh with coordinates and numbers of vertices of one of the types that Core takes.
using AnyMeshView = std::variant<MeshView<float, std::int32_t>, MeshView<float, std::int64_t>,
  MeshView<double, std::int32_t>, MeshView<double, std::int64_t>>;

/// A data set as a mesh. Elements are the cells in their order, vertices are the points in theirs.
class SPANWISEMESH_EXPORT InputMesh {
public:
  InputMesh() = default;

  /// Views of the host's memory; valid as long as this or a copy of it lives.
  [[nodiscard]] const AnyMeshView& view() const { return view_; }

  [[nodiscard]] std::int64_t numVertices() const { return numVertices_; }
  /// Cells, elements or not.
  [[nodiscard]] std::int64_t numCells() const { return numCells_; }
  /// How many elements of a type there are.
  [[nodiscard]] std::int64_t numElements(ElementType type) const { return counts_[static_cast<std::size_t>(type)]; }
  /// The highest dimension of an element, 1 to 3; 0: there are none.
  [[nodiscard]] int dimension() const;

  /// How many elements there are.
  [[nodiscard]] std::int64_t numElements() const;
  /// The cell of each element, where cells that are no elements were left out; empty: they are the same.
  [[nodiscard]] const std::vector<std::int64_t>& cells() const { return cells_; }

  /// The same mesh with its points in other places, 3 coordinates each in their order, which it keeps.
  [[nodiscard]] InputMesh movedTo(vtkDoubleArray* points) const;

  /// Whether the arrays of points, and of the cells' points, are read where they lie.
  [[nodiscard]] bool sharesPoints() const { return sharesPoints_; }
  [[nodiscard]] bool sharesCells() const { return sharesCells_; }

private:
  friend class InputMeshBuilder;

  AnyMeshView view_;
  std::int64_t numVertices_ = 0;
  std::int64_t numCells_ = 0;
  std::array<std::int64_t, 16> counts_{}; ///< by ElementType
  bool sharesPoints_ = true;
  bool sharesCells_ = true;
  std::vector<std::int64_t> cells_;
  std::vector<vtkSmartPointer<vtkObject>> kept_; ///< VTK's arrays that are read, and copies
};

/// Which cells are elements.
enum class CellsThatCount {
  Own,          ///< not those that vtkGhostType marks as duplicate or hidden
  OwnAndGhosts, ///< not those that it marks as hidden
};

/// The mesh of an unstructured grid or polygonal data. Points in float or double, interleaved or an array an axis, and
/// lists of cells with 32- or 64-bit numbers, also of one size, are read where they lie. Copied are points of another
/// kind; lists with pixels and voxels, which become quadrilaterals and hexahedra; lists that are computed as they are
/// read, as grids of intervals have them; and those of polygonal data with cells of several kinds.
///
/// Vertices, poly-vertices, empty cells, and cells that vtkGhostType says do not count, are no elements: they keep
/// their number and have no vertices for Core. No data set is an empty mesh. O(cells).
///
/// Throws InvalidArgument where a cell is none of the linear types, with the cell, its type, and what makes linear
/// cells of it; where its number of points is not that of its type; where a list is shorter than its offsets say; or
/// where the data set is of another kind. That cells name only points that are there is checked by Core.
SPANWISEMESH_EXPORT InputMesh meshOf(vtkDataSet* data, CellsThatCount which = CellsThatCount::Own);

/// The same without the cells that are no elements, for functions that take elements only: elements are numbered
/// through, and cells() says which they are. Throws InvalidArgument also where a cell names a point that is not there.
SPANWISEMESH_EXPORT InputMesh elementsOf(vtkDataSet* data);

} // namespace spanwise

#endif
