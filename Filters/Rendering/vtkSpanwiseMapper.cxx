#include "vtkSpanwiseMapper.h"

#include "SpanwiseQuadMapper.h"
#include "SpanwiseViewSurface.h"

#include "Core/Runtime/Runtime.hpp"

#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkHardwareSelector.h>
#include <vtkMatrix4x4.h>
#include <vtkObjectFactory.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkPlaneCollection.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>

#include <exception>

namespace {
spanwise::ViewProjection ProjectionOf(vtkRenderer* renderer, vtkActor* actor) {
  spanwise::ViewProjection projection;
  int width = 0;
  int height = 0;
  int lowerLeft[2];
  renderer->GetTiledSizeAndOrigin(&width, &height, &lowerLeft[0], &lowerLeft[1]);
  projection.width = width;
  projection.height = height;
  vtkMatrix4x4* const worldToClip =
    renderer->GetActiveCamera()->GetCompositeProjectionTransformMatrix(renderer->GetTiledAspectRatio(), -1.0, 1.0);
  vtkNew<vtkMatrix4x4> modelToWorld;
  actor->GetMatrix(modelToWorld);
  vtkMatrix4x4::Multiply4x4(worldToClip->GetData(), modelToWorld->GetData(), &projection.toClip[0][0]);
  return projection;
}

// Whether faces that look away from the camera may be seen, or are all that is seen.
bool BackFacesCount(vtkSpanwiseMapper* mapper, vtkActor* actor) {
  vtkProperty* const property = actor->GetProperty();
  const bool cut = mapper->GetClippingPlanes() != nullptr && mapper->GetClippingPlanes()->GetNumberOfItems() > 0;
  return cut || property->GetRepresentation() != VTK_SURFACE || property->GetFrontfaceCulling() ||
    actor->IsRenderingTranslucentPolygonalGeometry();
}
} // namespace

// A surface that follows the view, and the mapper that draws it. The mapper gets the surface as the only block of a
// collection, as ParaView's own pieces are, so that a selection numbers blocks as it does there.
class vtkSpanwiseMapper::Internals {
public:
  struct Layer {
    spanwise::ViewSurface Surface;
    vtkNew<SpanwiseQuadMapper> Mapper;
    vtkMTimeType SurfaceTime = 0;
    vtkMTimeType SettingsTime = 0;
  };

  Layer Shown;
  Layer Picked;
  Layer* Last = nullptr; // null: the input was drawn
  vtkSmartPointer<vtkUnstructuredGrid> Grid;

  // Brings the layer's mapper up to date with its surface and with the settings of the mapper that owns it.
  static void Update(Layer& layer, vtkPolyData* surface, vtkSpanwiseMapper* owner) {
    const bool settings = layer.SettingsTime < owner->GetMTime();
    if (settings) {
      layer.Mapper->vtkCompositePolyDataMapper::ShallowCopy(owner); // takes the owner's input too
      layer.SettingsTime = owner->GetMTime();
    }
    if (!settings && layer.SurfaceTime == surface->GetMTime()) {
      return;
    }
    vtkNew<vtkPartitionedDataSetCollection> collection;
    collection->SetPartition(0, 0, surface);
    layer.Mapper->SetInputDataObject(collection);
    layer.SurfaceTime = surface->GetMTime();
  }
};

vtkStandardNewMacro(vtkSpanwiseMapper);

vtkSpanwiseMapper::vtkSpanwiseMapper() : Private(new Internals) {}

vtkSpanwiseMapper::~vtkSpanwiseMapper() = default;

vtkCompositePolyDataMapperDelegator* vtkSpanwiseMapper::CreateADelegator() { return newQuadDelegator(); }

void vtkSpanwiseMapper::SetGrid(vtkUnstructuredGrid* grid) {
  this->Private->Grid = grid;
  this->Private->Shown.Surface.setInput(grid);
  this->Private->Picked.Surface.setInput(grid);
}

vtkUnstructuredGrid* vtkSpanwiseMapper::GetGrid() { return this->Private->Grid; }

void vtkSpanwiseMapper::Render(vtkRenderer* renderer, vtkActor* actor) {
  const bool picking = renderer->GetSelector() != nullptr;
  this->Private->Last = nullptr;
  this->LastShift = -1;
  if (!this->Private->Grid || !(picking || this->FollowView)) {
    this->Superclass::Render(renderer, actor);
    return;
  }

  spanwise::ViewSurfaceOptions options;
  options.kind = this->MergeRuns && !picking ? spanwise::SurfaceKind::Runs : spanwise::SurfaceKind::Cells;
  options.ids = picking;
  options.backFaces = picking || BackFacesCount(this, actor);
  options.shading = this->Shading == SMOOTH && !picking ? spanwise::Shading::Smooth : spanwise::Shading::Faces;
  options.process = this->ProcessId;
  options.pixels = this->PixelSize;
  options.maxPolygons = this->MaximumNumberOfPolygons;
  if (!picking && this->ScalarVisibility && this->ArrayName != nullptr) {
    if (this->ScalarMode == VTK_SCALAR_MODE_USE_CELL_FIELD_DATA) {
      options.cellArray = this->ArrayName;
    } else if (this->ScalarMode == VTK_SCALAR_MODE_USE_POINT_FIELD_DATA) {
      options.pointArray = this->ArrayName;
    }
  }

  Internals::Layer& layer = picking ? this->Private->Picked : this->Private->Shown;
  try {
    spanwise::startRuntime();
    layer.Surface.setInput(this->Private->Grid);
    layer.Surface.setOptions(options);
    Internals::Update(layer, layer.Surface.update(ProjectionOf(renderer, actor)), this);
  } catch (const std::exception& error) {
    vtkErrorMacro(<< error.what());
    this->Superclass::Render(renderer, actor);
    return;
  }
  layer.Mapper->Render(renderer, actor);
  this->Private->Last = &layer;
  this->LastShift = layer.Surface.shift();
}

void vtkSpanwiseMapper::ReleaseGraphicsResources(vtkWindow* window) {
  this->Superclass::ReleaseGraphicsResources(window);
  this->Private->Shown.Mapper->ReleaseGraphicsResources(window);
  this->Private->Picked.Mapper->ReleaseGraphicsResources(window);
}

void vtkSpanwiseMapper::ProcessSelectorPixelBuffers(
  vtkHardwareSelector* selector, std::vector<unsigned int>& offsets, vtkProp* prop) {
  if (this->Private->Last != nullptr) {
    this->Private->Last->Mapper->ProcessSelectorPixelBuffers(selector, offsets, prop);
    return;
  }
  this->Superclass::ProcessSelectorPixelBuffers(selector, offsets, prop);
}

void vtkSpanwiseMapper::SetPauseShiftScale(bool pause) {
  this->Superclass::SetPauseShiftScale(pause);
  this->Private->Shown.Mapper->SetPauseShiftScale(pause);
  this->Private->Picked.Mapper->SetPauseShiftScale(pause);
}

void vtkSpanwiseMapper::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "FollowView: " << this->FollowView << "\n"
     << indent << "MergeRuns: " << this->MergeRuns << "\n"
     << indent << "Shading: " << (this->Shading == SMOOTH ? "Smooth" : "Faces") << "\n"
     << indent << "PixelSize: " << this->PixelSize << "\n"
     << indent << "MaximumNumberOfPolygons: " << this->MaximumNumberOfPolygons << "\n"
     << indent << "ProcessId: " << this->ProcessId << "\n"
     << indent << "LastShift: " << this->LastShift << "\n";
}
