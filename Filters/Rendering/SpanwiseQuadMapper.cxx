#include "SpanwiseQuadMapper.h"

#include "SpanwiseLoops.h"

#include <vtkActor.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkFloatArray.h>
#include <vtkObjectFactory.h>
#include <vtkOpenGLBatchedPolyDataMapper.h>
#include <vtkOpenGLCellToVTKCellMap.h>
#include <vtkOpenGLCompositePolyDataMapperDelegator.h>
#include <vtkOpenGLVertexBufferObjectGroup.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace {
constexpr vtkIdType QuadsAtATime = 1 << 14;

// Calls body(q) for each of so many quads, in parallel.
template <class Body>
void ForEachQuad(const std::string& label, vtkIdType count, const Body& body) {
  spanwise::forEach(label, (count + QuadsAtATime - 1) / QuadsAtATime, [&](std::int64_t part) {
    const vtkIdType end = std::min<vtkIdType>(count, (part + 1) * QuadsAtATime);
    for (vtkIdType q = part * QuadsAtATime; q < end; ++q) {
      body(q);
    }
  });
}

class QuadBatchMapper : public vtkOpenGLBatchedPolyDataMapper {
public:
  static QuadBatchMapper* New();
  vtkTypeMacro(QuadBatchMapper, vtkOpenGLBatchedPolyDataMapper);

protected:
  void AppendOneBufferObject(vtkRenderer* renderer, vtkActor* actor, GLBatchElement* element, vtkIdType& vertexOffset,
    std::vector<unsigned char>& colors, std::vector<float>& normals) override {
    vtkPolyData* const surface = element->Parent.PolyData;
    if (!this->IsPlain(renderer, actor, surface) || !this->MapCellColors(surface)) {
      this->Superclass::AppendOneBufferObject(renderer, actor, element, vertexOffset, colors, normals);
      return;
    }
    vtkCellArray* primitives[4] = {surface->GetVerts(), surface->GetLines(), surface->GetPolys(), surface->GetStrips()};
    element->CellCellMap->BuildPrimitiveOffsetsIfNeeded(primitives, VTK_SURFACE, surface->GetPoints());
    this->AppendColors(surface->GetNumberOfPolys(), colors);
    vtkIdType offset = 0;
    vtkIdType numberOfVertices = 0;
    this->VBOs->ArrayExists("vertexMC", surface->GetPoints()->GetData(), offset, numberOfVertices);
    this->VBOs->AppendDataArray("vertexMC", surface->GetPoints()->GetData(), VTK_FLOAT);
    vertexOffset = numberOfVertices;
    this->AppendTriangles(surface->GetPolys(), vertexOffset);
  }

private:
  // Whether a surface consists of quads, and is drawn as such with the colours of an array of its cells.
  bool IsPlain(vtkRenderer* renderer, vtkActor* actor, vtkPolyData* surface) {
    vtkProperty* const property = actor->GetProperty();
    vtkPointData* const ofPoints = surface->GetPointData();
    vtkCellArray* const quads = surface->GetPolys();
    const bool drawnPlainly = renderer->GetSelector() == nullptr && property->GetRepresentation() == VTK_SURFACE &&
      !property->GetEdgeVisibility() && !property->GetVertexVisibility();
    const bool colored = this->ScalarVisibility && this->ScalarMode == VTK_SCALAR_MODE_USE_CELL_FIELD_DATA &&
      this->ArrayName != nullptr && surface->GetCellData()->HasArray(this->ArrayName);
    const bool quadsOnly = surface->GetNumberOfCells() == quads->GetNumberOfCells() &&
      quads->IsStorageFixedSize32Bit() && quads->GetMaxCellSize() == 4;
    const bool otherAttributes = ofPoints->GetNormals() != nullptr || ofPoints->GetTCoords() != nullptr ||
      ofPoints->GetTangents() != nullptr || ofPoints->GetAttribute(vtkDataSetAttributes::EDGEFLAG) != nullptr ||
      surface->GetCellData()->GetNormals() != nullptr;
    return drawnPlainly && colored && quadsOnly && !otherAttributes;
  }

  template <class Array>
  void Release(Array*& array) {
    if (array != nullptr) {
      array->UnRegister(this);
      array = nullptr;
    }
  }

  // Sets this->Colors.
  bool MapCellColors(vtkPolyData* surface) {
    Release(this->ColorCoordinates);
    Release(this->Colors);
    this->MapScalars(surface, 1.0);
    this->HaveCellScalars = this->Colors != nullptr && this->Colors->GetNumberOfComponents() == 4 &&
      this->Colors->GetNumberOfTuples() == surface->GetNumberOfCells();
    this->HaveCellNormals = false;
    return this->HaveCellScalars;
  }

  // A colour for each triangle.
  void AppendColors(vtkIdType numberOfQuads, std::vector<unsigned char>& colors) {
    const std::size_t begin = colors.size();
    colors.resize(begin + 8 * static_cast<std::size_t>(numberOfQuads));
    unsigned char* const to = colors.data() + begin;
    const unsigned char* const from = this->Colors->GetPointer(0);
    ForEachQuad(SPANWISE_LABEL("Rendering::quad colors"), numberOfQuads, [=](vtkIdType q) {
      std::memcpy(to + 8 * q, from + 4 * q, 4);
      std::memcpy(to + 8 * q + 4, from + 4 * q, 4);
    });
  }

  // Two triangles for each quad, cut as the superclass cuts them.
  void AppendTriangles(vtkCellArray* quads, vtkIdType vertexOffset) {
    std::vector<unsigned int>& indices = this->IndexArray[PrimitiveTris];
    const std::size_t begin = indices.size();
    const vtkIdType count = quads->GetNumberOfCells();
    indices.resize(begin + 6 * static_cast<std::size_t>(count));
    unsigned int* const to = indices.data() + begin;
    const vtkTypeInt32* const from = quads->GetConnectivityAOSArray32()->GetPointer(0);
    const auto first = static_cast<unsigned int>(vertexOffset);
    ForEachQuad(SPANWISE_LABEL("Rendering::quad triangles"), count, [=](vtkIdType q) {
      constexpr std::array<int, 6> corners = {0, 1, 2, 0, 2, 3};
      for (std::size_t k = 0; k < corners.size(); ++k) {
        to[6 * q + static_cast<vtkIdType>(k)] = first + static_cast<unsigned int>(from[4 * q + corners[k]]);
      }
    });
  }
};

vtkStandardNewMacro(QuadBatchMapper);

class QuadDelegator : public vtkOpenGLCompositePolyDataMapperDelegator {
public:
  static QuadDelegator* New();
  vtkTypeMacro(QuadDelegator, vtkOpenGLCompositePolyDataMapperDelegator);

protected:
  QuadDelegator() {
    this->GLDelegate = QuadBatchMapper::New();
    this->Delegate = vtk::TakeSmartPointer(static_cast<vtkPolyDataMapper*>(this->GLDelegate));
  }
};

vtkStandardNewMacro(QuadDelegator);
} // namespace

vtkStandardNewMacro(SpanwiseQuadMapper);

vtkCompositePolyDataMapperDelegator* newQuadDelegator() { return QuadDelegator::New(); }
