#include "SpanwiseInputMesh.h"

#include "SpanwiseStoredParts.h"
#include "SpanwiseValues.h"

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <vtkAOSDataArrayTemplate.h>
#include <vtkCellArray.h>
#include <vtkCellType.h>
#include <vtkCellTypeUtilities.h>
#include <vtkDataSet.h>
#include <vtkDataSetAttributes.h>
#include <vtkDoubleArray.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSOADataArrayTemplate.h>
#include <vtkTypeInt32Array.h>
#include <vtkTypeInt64Array.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>
#include <type_traits>

namespace spanwise {

namespace {

constexpr unsigned char notCounted(CellsThatCount which) {
  return which == CellsThatCount::Own ? vtkDataSetAttributes::DUPLICATECELL | vtkDataSetAttributes::HIDDENCELL
                                      : vtkDataSetAttributes::HIDDENCELL;
}
constexpr unsigned char noElement = VTK_EMPTY_CELL;

/// How a type of VTK's cells is read.
struct CellRule {
  unsigned char type = noElement; ///< as an element of Core
  int numPoints = -1;             ///< -1: any number
};

/// None: the type cannot be read.
constexpr std::optional<CellRule> ruleOf(int type) {
  switch (type) {
  case VTK_EMPTY_CELL:
  case VTK_VERTEX:
  case VTK_POLY_VERTEX:
    return CellRule{};
  case VTK_LINE:
    return CellRule{VTK_LINE, 2};
  case VTK_TRIANGLE:
    return CellRule{VTK_TRIANGLE, 3};
  case VTK_PIXEL:
  case VTK_QUAD:
    return CellRule{VTK_QUAD, 4};
  case VTK_TETRA:
    return CellRule{VTK_TETRA, 4};
  case VTK_VOXEL:
  case VTK_HEXAHEDRON:
    return CellRule{VTK_HEXAHEDRON, 8};
  case VTK_WEDGE:
    return CellRule{VTK_WEDGE, 6};
  case VTK_PYRAMID:
    return CellRule{VTK_PYRAMID, 5};
  default:
    return {};
  }
}

constexpr unsigned char notRead = 255;
/// By VTK's type; of types that cannot be read, `type` is notRead.
constexpr std::array<CellRule, 256> rules = [] {
  std::array<CellRule, 256> all{};
  for (int type = 0; type < 256; ++type) {
    all[static_cast<std::size_t>(type)] = ruleOf(type).value_or(CellRule{notRead, -1});
  }
  return all;
}();

/// Pixels and voxels number their points along the axes, quadrilaterals and hexahedra around.
bool isAlongAxes(int type) { return type == VTK_PIXEL || type == VTK_VOXEL; }

/// Counts elements by their type.
struct CountTypes {
  const unsigned char* types;  ///< VTK's
  const unsigned char* ghosts; ///< null: there are none
  unsigned char notCounted;    ///< these marks

  struct Counts {
    std::array<std::int64_t, 16> elements{};
    std::int64_t firstOther = std::numeric_limits<std::int64_t>::max(); ///< the first cell that cannot be read
    bool asTheyAre = true;                                              ///< each cell is an element of its own type
    bool alongAxes = false;                                             ///< some are pixels or voxels
  };

  [[nodiscard]] unsigned char elementOf(std::int64_t c) const {
    return ghosts == nullptr || (ghosts[c] & notCounted) == 0 ? rules[types[c]].type : noElement;
  }
  void operator()(std::int64_t c, Counts& counts) const {
    if (rules[types[c]].type == notRead) {
      counts.firstOther = std::min(counts.firstOther, c);
      return;
    }
    const unsigned char element = elementOf(c);
    counts.elements[element] += element != noElement ? 1 : 0;
    counts.asTheyAre = counts.asTheyAre && element == types[c];
    counts.alongAxes = counts.alongAxes || isAlongAxes(types[c]);
  }
  static void init(Counts& counts) { counts = {}; }
  static void join(Counts& counts, const Counts& other) {
    for (std::size_t k = 0; k < counts.elements.size(); ++k) {
      counts.elements[k] += other.elements[k];
    }
    counts.firstOther = std::min(counts.firstOther, other.firstOther);
    counts.asTheyAre = counts.asTheyAre && other.asTheyAre;
    counts.alongAxes = counts.alongAxes || other.alongAxes;
  }
};

[[noreturn]] void failForType(vtkIdType cell, int type) {
  std::string text = "cell " + std::to_string(cell) + " is a " + vtkCellTypeUtilities::GetTypeAsString(type) + " (" +
    vtkCellTypeUtilities::GetClassNameFromTypeId(type) +
    "); a mesh may have lines, triangles, quadrilaterals, tetrahedra, pyramids, wedges and hexahedra";
  throw InvalidArgument(text + ": the filter Tetrahedralize (or Triangulate) makes such cells");
}

} // namespace

/// Fills in an InputMesh.
class InputMeshBuilder {
public:
  InputMeshBuilder(vtkDataSet* data, bool onlyElements, CellsThatCount which)
    : data_(data), onlyElements_(onlyElements), notCounted_(notCounted(which)) {
    mesh_.numVertices_ = data->GetNumberOfPoints();
    mesh_.numCells_ = std::max<vtkIdType>(data->GetNumberOfCells(), 0); // -1 of cells without offsets
  }

  InputMesh build(vtkPoints* points) {
    setTypes();
    setCells();
    if (onlyElements_) {
      std::visit([this](auto& elements) { this->checkAndCompact(elements); }, elements_);
    }
    const auto withElements = [&]<class Real>(const VertexView<Real>& vertices) {
      if (auto* narrow = std::get_if<ElementView<std::int32_t>>(&elements_)) {
        mesh_.view_ = MeshView<Real, std::int32_t>{vertices, *narrow};
      } else {
        mesh_.view_ = MeshView<Real, std::int64_t>{vertices, std::get<ElementView<std::int64_t>>(elements_)};
      }
    };
    vtkDataArray* const array = points != nullptr ? points->GetData() : nullptr;
    if (array == nullptr) {
      withElements(VertexView<double>{});
    } else if (const auto shared = shareVertices<float>(array)) {
      withElements(*shared);
    } else if (const auto sharedDoubles = shareVertices<double>(array)) {
      withElements(*sharedDoubles);
    } else {
      vtkNew<vtkDoubleArray> copy;
      copy->DeepCopy(array);
      keep(copy);
      mesh_.sharesPoints_ = false;
      withElements(VertexView<double>::interleaved(copy->GetPointer(0), mesh_.numVertices_));
    }
    return std::move(mesh_);
  }

private:
  void keep(vtkObject* object) { mesh_.kept_.emplace_back(object); }

  template <class Real>
  std::optional<VertexView<Real>> shareVertices(vtkDataArray* array) {
    if (auto* usual = vtkAOSDataArrayTemplate<Real>::FastDownCast(array)) {
      keep(array);
      return VertexView<Real>::interleaved(usual->GetPointer(0), mesh_.numVertices_);
    }
    if (auto* parts = storedInParts<Real>(array)) {
      keep(array);
      return VertexView<Real>{
        {parts->GetComponentArrayPointer(0), parts->GetComponentArrayPointer(1), parts->GetComponentArrayPointer(2)}, 1,
        mesh_.numVertices_};
    }
    if (vtkSOADataArrayTemplate<Real>::FastDownCast(array) != nullptr) { // its values were put together
      keep(array);
      return VertexView<Real>::interleaved(static_cast<Real*>(array->GetVoidPointer(0)), mesh_.numVertices_);
    }
    return {};
  }

  /// VTK's types of all cells: its own array where it has them in one.
  [[nodiscard]] vtkSmartPointer<vtkUnsignedCharArray> typesOfVtk() const {
    auto* const grid = vtkUnstructuredGrid::SafeDownCast(data_);
    vtkDataArray* const types = grid != nullptr ? grid->GetCellTypes() : nullptr;
    if (types != nullptr) {
      spanwise::checkLength(types, mesh_.numCells_);
    }
    vtkSmartPointer<vtkUnsignedCharArray> found = vtkUnsignedCharArray::SafeDownCast(types);
    if (found == nullptr) {
      found = vtkSmartPointer<vtkUnsignedCharArray>::New();
      if (types != nullptr) {
        found->DeepCopy(types);
      } else {
        found->SetNumberOfValues(mesh_.numCells_);
        for (vtkIdType c = 0; c < mesh_.numCells_; ++c) {
          found->SetValue(c, static_cast<unsigned char>(data_->GetCellType(c)));
        }
      }
    }
    return found;
  }

  /// Checks the types of all cells, and finds out whether they are what Core reads.
  void setTypes() {
    if (mesh_.numCells_ == 0) {
      return;
    }
    vtkUnsignedCharArray* const ghosts = data_->GetCellGhostArray();
    if (ghosts != nullptr) {
      spanwise::checkLength(ghosts, mesh_.numCells_);
    }
    typesOfVtk_ = typesOfVtk();
    const CountTypes count{
      typesOfVtk_->GetPointer(0), ghosts != nullptr ? ghosts->GetPointer(0) : nullptr, notCounted_};
    CountTypes::Counts found;
    reduce(SPANWISE_KERNEL("cell types"), cells(), count, found);
    if (found.firstOther < mesh_.numCells_) {
      failForType(found.firstOther, typesOfVtk_->GetValue(found.firstOther));
    }
    mesh_.counts_ = found.elements;
    alongAxes_ = found.alongAxes;
    const auto one = std::ranges::find(found.elements, mesh_.numCells_);
    oneType_ = one != found.elements.end();
    if (oneType_) {
      type_ = static_cast<ElementType>(one - found.elements.begin());
      return;
    }
    types_ = typesOfVtk_;
    if (!found.asTheyAre) {
      types_ = vtkSmartPointer<vtkUnsignedCharArray>::New();
      types_->SetNumberOfValues(mesh_.numCells_);
      for (vtkIdType c = 0; c < mesh_.numCells_; ++c) {
        types_->SetValue(c, count.elementOf(c));
      }
    }
    keep(types_);
  }

  /// All cells, on the threads of the host.
  [[nodiscard]] IndexRange<HostExecutionSpace> cells() const { return {HostExecutionSpace(), 0, mesh_.numCells_}; }

  /// The first cell of which something is said; none: the number of cells.
  template <class IsSaid>
  [[nodiscard]] std::int64_t firstCell(const char* label, const IsSaid& isSaid) const {
    std::int64_t first = mesh_.numCells_;
    const auto lower = [&isSaid](std::int64_t c, std::int64_t& value) {
      if (c < value && isSaid(c)) {
        value = c;
      }
    };
    reduceMin(label, cells(), lower, first);
    return std::min(first, mesh_.numCells_);
  }

  void setCells() {
    if (mesh_.numCells_ == 0) {
      elements_ = ElementView<std::int64_t>{};
      return;
    }
    vtkCellArray* const list = onlyList();
    if (list == nullptr || alongAxes_ || !(share<std::int32_t>(list) || share<std::int64_t>(list))) {
      copyCells();
    }
  }

  /// The list of all cells, if there is one.
  [[nodiscard]] vtkCellArray* onlyList() const {
    if (auto* grid = vtkUnstructuredGrid::SafeDownCast(data_)) {
      return grid->GetCells();
    }
    auto* polygons = vtkPolyData::SafeDownCast(data_);
    return polygons->GetNumberOfPolys() == mesh_.numCells_ ? polygons->GetPolys()
      : polygons->GetNumberOfLines() == mesh_.numCells_    ? polygons->GetLines()
                                                           : nullptr;
  }

  template <class Index, class Number>
  [[nodiscard]] ElementView<Index> viewOf(const Number* vertices, const Number* offsets) const {
    static_assert(sizeof(ElementType) == 1 && sizeof(Index) == sizeof(Number));
    const unsigned char* const types = types_ != nullptr ? types_->GetPointer(0) : nullptr;
    return {reinterpret_cast<const Index*>(vertices), reinterpret_cast<const Index*>(offsets),
      reinterpret_cast<const ElementType*>(types), type_, mesh_.numCells_};
  }

  /// Reads a list where it lies, if its numbers are of this type.
  template <class Index>
  bool share(vtkCellArray* list) {
    // VTK's 64-bit numbers may be another type of the same kind.
    using Number = std::conditional_t<sizeof(Index) == 4, vtkTypeInt32, vtkTypeInt64>;
    using Array = vtkAOSDataArrayTemplate<Number>;
    auto* const vertices = Array::FastDownCast(list->GetConnectivityArray());
    if (vertices == nullptr) {
      return false;
    }
    const vtkIdType numCorners = vertices->GetNumberOfValues();
    if (auto* const offsets = Array::FastDownCast(list->GetOffsetsArray())) {
      if (offsets->GetNumberOfValues() < mesh_.numCells_ + 1) {
        throw InvalidArgument("the list of cells has " + std::to_string(offsets->GetNumberOfValues()) +
          " offsets for " + std::to_string(mesh_.numCells_) + " cells; there must be one more than cells");
      }
      checkOffsets(offsets->GetPointer(0), numCorners);
      keep(offsets);
      elements_ = viewOf<Index>(vertices->GetPointer(0), offsets->GetPointer(0));
    } else if (list->IsStorageFixedSize() && oneType_) {
      const vtkIdType size = list->GetCellSize(0);
      checkSize(0, size);
      checkLength(size * mesh_.numCells_, numCorners);
      elements_ = viewOf<Index>(vertices->GetPointer(0), static_cast<const Number*>(nullptr));
    } else {
      return false;
    }
    keep(vertices);
    return true;
  }

  [[nodiscard]] bool hasItsSize(vtkIdType cell, vtkIdType size) const {
    const int expected = rules[typesOfVtk_->GetValue(cell)].numPoints;
    return expected < 0 || size == expected;
  }

  void checkSize(vtkIdType cell, vtkIdType size) const {
    if (!hasItsSize(cell, size)) {
      const int type = typesOfVtk_->GetValue(cell);
      const int expected = rules[typesOfVtk_->GetValue(cell)].numPoints;
      throw InvalidArgument("cell " + std::to_string(cell) + " is a " + vtkCellTypeUtilities::GetTypeAsString(type) +
        " with " + std::to_string(size) + " points; it must have " + std::to_string(expected));
    }
  }

  static void checkLength(vtkIdType needed, vtkIdType length) {
    if (needed > length) {
      throw InvalidArgument(
        "the list of the cells' points has " + std::to_string(length) + " entries and needs " + std::to_string(needed));
    }
  }

  template <class Index>
  void checkOffsets(const Index* offsets, vtkIdType numCorners) const {
    const auto isWrong = [&](std::int64_t c) {
      return offsets[c] < 0 || offsets[c + 1] < offsets[c] || !hasItsSize(c, offsets[c + 1] - offsets[c]);
    };
    const std::int64_t c = firstCell(SPANWISE_KERNEL("offsets"), isWrong);
    if (c < mesh_.numCells_) {
      const vtkIdType begin = offsets[c];
      const vtkIdType end = offsets[c + 1];
      if (begin < 0 || end < begin) {
        throw InvalidArgument("the offsets of cell " + std::to_string(c) + " are " + std::to_string(begin) + " and " +
          std::to_string(end) + "; offsets must not be negative and not descend");
      }
      checkSize(c, end - begin);
    }
    checkLength(offsets[mesh_.numCells_], numCorners);
  }

  /// Cells in lists of their own: 64-bit, with offsets.
  void copyCells() {
    mesh_.sharesCells_ = false;
    vtkNew<vtkTypeInt64Array> offsets;
    vtkNew<vtkTypeInt64Array> vertices;
    offsets->SetNumberOfValues(mesh_.numCells_ + 1);
    vtkNew<vtkIdList> points;
    for (vtkIdType c = 0; c < mesh_.numCells_; ++c) {
      offsets->SetValue(c, vertices->GetNumberOfValues());
      data_->GetCellPoints(c, points);
      checkSize(c, points->GetNumberOfIds());
      if (isAlongAxes(typesOfVtk_->GetValue(c))) {
        for (vtkIdType k = 2; k < points->GetNumberOfIds(); k += 4) {
          std::swap(*points->GetPointer(k), *points->GetPointer(k + 1));
        }
      }
      for (vtkIdType k = 0; k < points->GetNumberOfIds(); ++k) {
        vertices->InsertNextValue(points->GetId(k));
      }
    }
    offsets->SetValue(mesh_.numCells_, vertices->GetNumberOfValues());
    keep(offsets);
    keep(vertices);
    elements_ = viewOf<std::int64_t>(vertices->GetPointer(0), offsets->GetPointer(0));
  }

  /// Leaves out what is no element, in the same lists of vertices.
  template <class Index>
  void checkAndCompact(ElementView<Index>& elements) {
    using Number = std::conditional_t<sizeof(Index) == 4, vtkTypeInt32, vtkTypeInt64>;
    // The first corner whose point is not there; none: how many there are.
    const auto wrongCorner = [&](std::int64_t c) {
      const int count = numVerticesOf(elements.typeOf(c));
      int k = 0;
      while (k < count && elements.vertex(c, k) >= 0 && elements.vertex(c, k) < mesh_.numVertices_) {
        ++k;
      }
      return k;
    };
    const std::int64_t wrong = firstCell(
      SPANWISE_KERNEL("corners"), [&](std::int64_t c) { return wrongCorner(c) < numVerticesOf(elements.typeOf(c)); });
    if (wrong < mesh_.numCells_) {
      throw InvalidArgument("cell " + std::to_string(wrong) + " names point " +
        std::to_string(elements.vertex(wrong, wrongCorner(wrong))) +
        ", which is not there: points are numbered from 0 to " + std::to_string(mesh_.numVertices_ - 1));
    }
    if (mesh_.numElements() != mesh_.numCells_) {
      vtkNew<vtkAOSDataArrayTemplate<Number>> offsets;
      vtkNew<vtkUnsignedCharArray> types;
      for (std::int64_t c = 0; c < elements.numElements; ++c) {
        if (numVerticesOf(elements.typeOf(c)) > 0) {
          offsets->InsertNextValue(static_cast<Number>(elements.firstCorner(c)));
          types->InsertNextValue(static_cast<unsigned char>(elements.typeOf(c)));
          mesh_.cells_.push_back(c);
        }
      }
      offsets->InsertNextValue(static_cast<Number>(elements.firstCorner(elements.numElements)));
      types_ = types;
      keep(offsets);
      keep(types);
      elements = viewOf<Index>(reinterpret_cast<const Number*>(elements.vertices), offsets->GetPointer(0));
      elements.numElements = mesh_.numElements();
    }
  }

  vtkDataSet* data_;
  bool onlyElements_;
  unsigned char notCounted_; ///< these marks
  InputMesh mesh_;
  vtkSmartPointer<vtkUnsignedCharArray> typesOfVtk_;
  vtkSmartPointer<vtkUnsignedCharArray> types_; ///< null: all of type_
  ElementType type_ = ElementType::Tetrahedron;
  bool oneType_ = false;
  bool alongAxes_ = false;
  std::variant<ElementView<std::int32_t>, ElementView<std::int64_t>> elements_;
};

int InputMesh::dimension() const {
  int highest = 0;
  for (std::size_t type = 0; type < counts_.size(); ++type) {
    highest = counts_[type] > 0 ? std::max(highest, dimensionOf(static_cast<ElementType>(type))) : highest;
  }
  return highest;
}

InputMesh InputMesh::movedTo(vtkDoubleArray* points) const {
  InputMesh moved = *this;
  std::visit(
    [&]<class Real, class Index>(const MeshView<Real, Index>& view) {
      moved.view_ =
        MeshView<double, Index>{VertexView<double>::interleaved(points->GetPointer(0), numVertices_), view.elements};
    },
    view_);
  moved.sharesPoints_ = false;
  moved.kept_.emplace_back(points);
  return moved;
}

std::int64_t InputMesh::numElements() const { return std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0}); }

namespace {

InputMesh build(vtkDataSet* data, bool onlyElements, CellsThatCount which) {
  if (data == nullptr) {
    return {};
  }
  auto* grid = vtkUnstructuredGrid::SafeDownCast(data);
  auto* polygons = vtkPolyData::SafeDownCast(data);
  if (grid == nullptr && polygons == nullptr) {
    throw InvalidArgument(
      std::string("the input is a ") + data->GetClassName() + "; it must be an unstructured grid or polygonal data");
  }
  return InputMeshBuilder(data, onlyElements, which).build(grid != nullptr ? grid->GetPoints() : polygons->GetPoints());
}

} // namespace

InputMesh meshOf(vtkDataSet* data, CellsThatCount which) { return build(data, false, which); }

InputMesh elementsOf(vtkDataSet* data) { return build(data, true, CellsThatCount::Own); }

} // namespace spanwise
