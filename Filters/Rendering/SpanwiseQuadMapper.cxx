#include "SpanwiseQuadMapper.h"

#include "SpanwiseSeenTriangles.h"

#include "Core/Runtime/ForEachUneven.hpp"
#include "Core/Runtime/Label.hpp"

#include <vtkActor.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkFloatArray.h>
#include <vtkMatrix4x4.h>
#include <vtkObjectFactory.h>
#include <vtkOpenGLActor.h>
#include <vtkOpenGLBatchedPolyDataMapper.h>
#include <vtkOpenGLBufferObject.h>
#include <vtkOpenGLCamera.h>
#include <vtkOpenGLCellToVTKCellMap.h>
#include <vtkOpenGLCompositePolyDataMapperDelegator.h>
#include <vtkOpenGLIndexBufferObject.h>
#include <vtkOpenGLRenderWindow.h>
#include <vtkOpenGLState.h>
#include <vtkOpenGLVertexBufferObject.h>
#include <vtkOpenGLVertexBufferObjectGroup.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>
#include <vtkShader.h>
#include <vtkShaderProgram.h>
#include <vtkShaderProperty.h>
#include <vtkTextureObject.h>
#include <vtkUnsignedCharArray.h>
#include <vtk_glad.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace {
constexpr vtkIdType QuadsAtATime = 1 << 14;

// Calls body(q) for each of so many quads, in parallel.
template <class Body>
void ForEachQuad(const std::string& label, vtkIdType count, const Body& body) {
  spanwise::forEachUneven(
    spanwise::HostExecutionSpace(), label, (count + QuadsAtATime - 1) / QuadsAtATime, [&](std::int64_t part) {
      const vtkIdType end = std::min<vtkIdType>(count, (part + 1) * QuadsAtATime);
      for (vtkIdType q = part * QuadsAtATime; q < end; ++q) {
        body(q);
      }
    });
}

// Fewer quads are drawn as they are: to draw them takes a few milliseconds.
constexpr vtkIdType QuadsWorthALook = 1 << 14;

// Memory that grows as needed and is never shrunk or filled.
template <class Value>
class Scratch {
public:
  Value* ofSize(std::size_t size) {
    if (size > size_) {
      values_ = std::make_unique_for_overwrite<Value[]>(size);
      size_ = size;
    }
    return values_.get();
  }

private:
  std::unique_ptr<Value[]> values_;
  std::size_t size_ = 0;
};

// Whether the processor draws in place of a graphics card, a triangle at a time.
bool IsDrawnBySoftware(vtkRenderer* renderer) {
  auto* const window = vtkOpenGLRenderWindow::SafeDownCast(renderer->GetRenderWindow());
  if (window == nullptr) {
    return false;
  }
  const std::string& name = window->GetState()->GetRenderer();
  return name.find("llvmpipe") != std::string::npos || name.find("softpipe") != std::string::npos ||
    name.find("SwiftShader") != std::string::npos;
}

// Draws quads with a colour each. If the processor draws in place of a graphics card, only triangles that may cover the
// middle of a pixel are given to it, anew for each view: the others would take most of the time and show nothing.
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
    vtkIdType offset = 0;
    vtkIdType numberOfVertices = 0;
    this->VBOs->ArrayExists("vertexMC", surface->GetPoints()->GetData(), offset, numberOfVertices);
    this->VBOs->AppendDataArray("vertexMC", surface->GetPoints()->GetData(), VTK_FLOAT);
    vertexOffset = numberOfVertices;
    if (this->IsWorthALook(renderer, actor, surface)) {
      this->FollowsView = true;
      colors.resize(4); // no buffer may be empty
      return;
    }
    this->AppendColors(surface->GetNumberOfPolys(), colors);
    this->AppendTriangles(surface->GetPolys(), vertexOffset);
  }

  void BuildBufferObjects(vtkRenderer* renderer, vtkActor* actor) override {
    this->FollowsView = false;
    this->ShownView.reset();
    this->ShowsAll = false;
    this->Superclass::BuildBufferObjects(renderer, actor);
  }

  // Leaves out highlights that are black: shaders compute them, for each light a power, before they find that out.
  void ReplaceShaderLight(
    std::map<vtkShader::Type, vtkShader*> shaders, vtkRenderer* renderer, vtkActor* actor) override {
    this->Superclass::ReplaceShaderLight(shaders, renderer, actor);
    if (actor->GetProperty()->GetSpecular() == 0.0 && actor->GetBackfaceProperty() == nullptr) {
      std::string source = shaders[vtkShader::Fragment]->GetSource();
      vtkShaderProgram::Substitute(
        source, "vec4(ambientColor + diffuse + specular, opacity)", "vec4(ambientColor + diffuse, opacity)");
      shaders[vtkShader::Fragment]->SetSource(source);
    }
  }

  void UpdateBufferObjects(vtkRenderer* renderer, vtkActor* actor) override {
    this->Superclass::UpdateBufferObjects(renderer, actor);
    if (this->FollowsView && this->VTKPolyDataToGLBatchElement.size() == 1) {
      this->UpdateTriangles(renderer, actor);
    }
  }

private:
  bool FollowsView = false;                     // the triangles of the only element depend on the view
  bool ShowsAll = false;                        // all of them are in the buffers
  std::optional<spanwise::PixelView> ShownView; // those that this view shows are in the buffers
  spanwise::SeenTriangles Triangles;
  Scratch<unsigned int> Indices;
  Scratch<std::array<unsigned char, 4>> TriangleColors;

  // Whether it pays to give only those triangles to the graphics that a view shows, and can be done.
  bool IsWorthALook(vtkRenderer* renderer, vtkActor* actor, vtkPolyData* surface) {
    vtkShaderProperty* const shaders = actor->GetShaderProperty();
    const bool itsOwnShaders = shaders->HasVertexShaderCode() || shaders->HasGeometryShaderCode() ||
      shaders->GetNumberOfShaderReplacements() > 0; // which may move vertices
    return this->VTKPolyDataToGLBatchElement.size() == 1 && surface->GetNumberOfPolys() >= QuadsWorthALook &&
      vtkFloatArray::SafeDownCast(surface->GetPoints()->GetData()) != nullptr && !itsOwnShaders &&
      actor->GetCoordinateSystem() == vtkProp3D::WORLD && IsDrawnBySoftware(renderer);
  }

  // The view as it is drawn now; none if not just the middles of pixels count.
  std::optional<spanwise::PixelView> ViewOf(vtkRenderer* renderer, vtkActor* actor, vtkPolyData* surface) {
    vtkOpenGLState* const state = static_cast<vtkOpenGLRenderWindow*>(renderer->GetRenderWindow())->GetState();
    auto* const camera = vtkOpenGLCamera::SafeDownCast(renderer->GetActiveCamera());
    auto* const drawn = vtkOpenGLActor::SafeDownCast(actor);
    int samples = 0;
    state->vtkglGetIntegerv(GL_SAMPLES, &samples);
    if (renderer->GetSelector() != nullptr || samples > 1 || camera == nullptr || drawn == nullptr) {
      return {};
    }
    spanwise::PixelView view;
    int viewport[4];
    state->vtkglGetIntegerv(GL_VIEWPORT, viewport);
    view.width = viewport[2];
    view.height = viewport[3];
    vtkMatrix4x4* toClip = nullptr; // these matrices are transposed
    vtkMatrix4x4* toView = nullptr;
    vtkMatrix4x4* viewToClip = nullptr;
    vtkMatrix3x3* normals = nullptr;
    camera->GetKeyMatrices(renderer, toView, normals, viewToClip, toClip);
    vtkNew<vtkMatrix4x4> all;
    all->DeepCopy(toClip);
    if (!actor->GetIsIdentity()) {
      vtkMatrix4x4* toWorld = nullptr;
      drawn->GetKeyMatrices(toWorld, normals);
      vtkMatrix4x4::Multiply4x4(toWorld, toClip, all);
    }
    for (int row = 0; row < 4; ++row) {
      for (int column = 0; column < 4; ++column) {
        view.toClip[row][column] = all->GetElement(column, row);
      }
    }
    surface->GetPoints()->GetBounds(view.bounds);
    vtkOpenGLVertexBufferObject* const vertices = this->VBOs->GetVBO("vertexMC");
    if (vertices != nullptr && vertices->GetCoordShiftAndScaleEnabled()) {
      std::copy_n(vertices->GetShift().begin(), 3, view.shift);
    }
    return view;
  }

  // Brings the triangles up to date with the view.
  void UpdateTriangles(vtkRenderer* renderer, vtkActor* actor) {
    GLBatchElement& element = *this->VTKPolyDataToGLBatchElement.begin()->second;
    vtkPolyData* const surface = element.Parent.PolyData;
    const std::optional<spanwise::PixelView> view = this->ViewOf(renderer, actor, surface);
    if (view ? this->ShownView == view : this->ShowsAll) {
      return;
    }
    this->ShownView = view;
    this->ShowsAll = !view;
    vtkCellArray* const quads = surface->GetPolys();
    if (view) {
      auto* const positions = vtkFloatArray::SafeDownCast(surface->GetPoints()->GetData());
      this->Triangles.find(positions->GetPointer(0), positions->GetNumberOfTuples(),
        quads->GetConnectivityAOSArray32()->GetPointer(0), quads->GetNumberOfCells(), *view);
    } else {
      this->Triangles.takeAll(quads->GetNumberOfCells());
    }
    this->UploadTriangles(element, quads->GetConnectivityAOSArray32()->GetPointer(0));
  }

  void UploadTriangles(GLBatchElement& element, const vtkTypeInt32* quads) {
    const auto count = static_cast<std::size_t>(this->Triangles.count());
    unsigned int* const indices = this->Indices.ofSize(3 * count);
    std::array<unsigned char, 4>* const colors = this->TriangleColors.ofSize(count);
    const unsigned char* const from = this->Colors->GetPointer(0);
    const unsigned int first = element.StartVertex;
    this->Triangles.forEachTriangle(
      SPANWISE_LABEL("Rendering::seen triangles"), [=](std::int64_t k, std::int64_t q, int half) {
        const vtkTypeInt32* const corners = quads + 4 * q;
        indices[3 * k] = first + static_cast<unsigned int>(corners[0]);
        indices[3 * k + 1] = first + static_cast<unsigned int>(corners[1 + half]);
        indices[3 * k + 2] = first + static_cast<unsigned int>(corners[2 + half]);
        std::memcpy(colors + k, from + 4 * q, 4);
      });
    element.StartIndex[PrimitiveTris] = 0;
    element.NextIndex[PrimitiveTris] = static_cast<unsigned int>(3 * count);
    vtkOpenGLIndexBufferObject* const indexBuffer = this->Primitives[PrimitiveTris].IBO;
    indexBuffer->IndexCount = 3 * count;
    if (count == 0) {
      return;
    }
    indexBuffer->Upload(indices, 3 * count, vtkOpenGLBufferObject::ElementArrayBuffer);
    this->CellScalarBuffer->Upload(colors->data(), 4 * count, vtkOpenGLBufferObject::TextureBuffer);
    this->CellScalarTexture->CreateTextureBuffer(
      static_cast<unsigned int>(count), 4, VTK_UNSIGNED_CHAR, this->CellScalarBuffer);
  }

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
