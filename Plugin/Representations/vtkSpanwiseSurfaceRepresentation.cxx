#include "vtkSpanwiseSurfaceRepresentation.h"

#include "vtkSpanwiseGeometryFilter.h"
#include "vtkSpanwiseMapper.h"
#include "vtkSpanwiseRenderingSettings.h"

#include <vtkAlgorithmOutput.h>
#include <vtkCommand.h>
#include <vtkCompositeDataSet.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkMatrix4x4.h>
#include <vtkMultiProcessController.h>
#include <vtkObjectFactory.h>
#include <vtkPVLODActor.h>
#include <vtkPVRenderView.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkProcessModule.h>
#include <vtkProperty.h>
#include <vtkSelection.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>

namespace {
// What a quad with its arrays takes in the memory of a process and of its graphics.
constexpr double BytesPerPolygon = 140.0;

// The only polygonal data in a piece; null if there is none.
vtkPolyData* OnlyBlock(vtkDataObject* piece) {
  auto* const collection = vtkCompositeDataSet::SafeDownCast(piece);
  const auto blocks =
    collection != nullptr ? vtkCompositeDataSet::GetDataSets<vtkPolyData>(collection) : std::vector<vtkPolyData*>();
  return blocks.size() == 1 ? blocks.front() : nullptr;
}

bool IsServer() {
  const auto type = vtkProcessModule::GetProcessType();
  return type == vtkProcessModule::PROCESS_SERVER || type == vtkProcessModule::PROCESS_DATA_SERVER;
}

int NumberOfRanks() {
  vtkMultiProcessController* const controller = vtkMultiProcessController::GetGlobalController();
  return controller != nullptr ? controller->GetNumberOfProcesses() : 1;
}

int Rank() {
  vtkMultiProcessController* const controller = vtkMultiProcessController::GetGlobalController();
  return controller != nullptr ? controller->GetLocalProcessId() : 0;
}
} // namespace

vtkStandardNewMacro(vtkSpanwiseSurfaceRepresentation);

vtkSpanwiseSurfaceRepresentation::vtkSpanwiseSurfaceRepresentation() {
  this->SetProgressText("Surface"); // ParaView's progress bar would show the name of the class
  this->GeometryFilter->Delete();
  this->GeometryFilter = vtkSpanwiseGeometryFilter::New();
  this->GeometryFilter->AddObserver(vtkCommand::ProgressEvent, static_cast<vtkGeometryRepresentation*>(this),
    &vtkSpanwiseSurfaceRepresentation::HandleGeometryRepresentationProgress);

  this->Mapper->Delete();
  auto* const mapper = vtkSpanwiseMapper::New();
  mapper->SetProcessIdArrayName("vtkProcessId");
  mapper->SetCompositeIdArrayName("vtkCompositeIndex");
  this->Mapper = mapper;
  this->SetArrayIdNames(nullptr, nullptr);

  this->BackfaceMapper->Delete();
  this->BackfaceMapper = vtkSpanwiseMapper::New();

  this->SetupDefaults();
}

vtkSpanwiseSurfaceRepresentation::~vtkSpanwiseSurfaceRepresentation() = default;

vtkSpanwiseGeometryFilter* vtkSpanwiseSurfaceRepresentation::Filter() {
  return static_cast<vtkSpanwiseGeometryFilter*>(this->GeometryFilter);
}

// --- what is wanted
// ----------------------------------------------------------------------------------------------------

// The array that colours the representation if it belongs to cells or points, as asked.
std::string vtkSpanwiseSurfaceRepresentation::ColorArrayName(int association) {
  vtkInformation* const info = this->GetInputArrayInformation(0);
  const bool named = info != nullptr && info->Has(vtkDataObject::FIELD_ASSOCIATION()) &&
    info->Has(vtkDataObject::FIELD_NAME()) && info->Get(vtkDataObject::FIELD_NAME()) != nullptr;
  return named && info->Get(vtkDataObject::FIELD_ASSOCIATION()) == association ? info->Get(vtkDataObject::FIELD_NAME())
                                                                               : "";
}

bool vtkSpanwiseSurfaceRepresentation::MergesRuns() {
  return this->Representation == SURFACE && this->Shading == FACES &&
    this->ColorArrayName(vtkDataObject::FIELD_ASSOCIATION_CELLS).empty() &&
    this->ColorArrayName(vtkDataObject::FIELD_ASSOCIATION_POINTS).empty();
}

void vtkSpanwiseSurfaceRepresentation::SetRepresentation(const char* type) {
  const bool merged = this->MergesRuns();
  this->Superclass::SetRepresentation(type);
  if (merged != this->MergesRuns()) {
    this->MarkModified(); // on all processes, so that they agree on what is to be delivered
  }
}

void vtkSpanwiseSurfaceRepresentation::SetShading(int shading) {
  if (shading != this->Shading) {
    this->Shading = shading;
    this->MarkModified();
  }
}

void vtkSpanwiseSurfaceRepresentation::SetInputArrayToProcess(
  int index, int port, int connection, int association, const char* name) {
  const std::string cells = this->ColorArrayName(vtkDataObject::FIELD_ASSOCIATION_CELLS);
  const std::string points = this->ColorArrayName(vtkDataObject::FIELD_ASSOCIATION_POINTS);
  this->Superclass::SetInputArrayToProcess(index, port, connection, association, name);
  if (cells != this->ColorArrayName(vtkDataObject::FIELD_ASSOCIATION_CELLS) ||
    points != this->ColorArrayName(vtkDataObject::FIELD_ASSOCIATION_POINTS)) {
    this->MarkModified();
  }
}

// Whether something besides colours uses the arrays of the piece: textures, shaders, normals.
bool vtkSpanwiseSurfaceRepresentation::NeedsEveryArray() {
  if (this->Actor->GetTexture() != nullptr || this->UseShaderReplacements ||
    this->Property->GetNumberOfTextures() > 0) {
    return true;
  }
  vtkPointData* const points = this->Grid != nullptr ? this->Grid->GetPointData() : nullptr;
  for (int index = 0; index < 3 && points != nullptr; ++index) {
    vtkInformation* const info = this->MultiBlockMaker->GetInputArrayInformation(index);
    const char* const name = info != nullptr ? info->Get(vtkDataObject::FIELD_NAME()) : nullptr;
    if (name != nullptr && points->HasArray(name)) {
      return true;
    }
  }
  return false;
}

// How many polygons a process may have to draw that has no grid to follow the view with: the client of a server, or
// the first of several ranks that cannot render together.
vtkIdType vtkSpanwiseSurfaceRepresentation::PolygonsForAClient() {
  auto* const view = vtkPVRenderView::SafeDownCast(this->GetView());
  if (view == nullptr || (!IsServer() && NumberOfRanks() == 1)) {
    return 0;
  }
  if (!view->GetRemoteRenderingAvailable() || view->InTileDisplayMode() || view->InCaveDisplayMode()) {
    return VTK_ID_MAX;
  }
  const double bytes = view->GetRemoteRenderingThreshold() * 1024.0 * 1024.0;
  return IsServer() ? static_cast<vtkIdType>(std::min(bytes / BytesPerPolygon + 1.0, 1e15)) : 0;
}

void vtkSpanwiseSurfaceRepresentation::SetUpFilter() {
  vtkSpanwiseGeometryFilter* const filter = this->Filter();
  filter->SetMergeRuns(this->MergesRuns());
  filter->SetSmoothShading(this->Shading == SMOOTH);
  filter->SetCellArrayName(this->ColorArrayName(vtkDataObject::FIELD_ASSOCIATION_CELLS));
  filter->SetPointArrayName(this->ColorArrayName(vtkDataObject::FIELD_ASSOCIATION_POINTS));
  filter->SetMaximumNumberOfPolygons(vtkSpanwiseRenderingSettings::GetInstance()->GetExactPolygons());
  filter->SetNumberOfCertainPolygons(this->NeedsEveryArray() ? VTK_ID_MAX : this->PolygonsForAClient());
}

// --- what the view gets
// ------------------------------------------------------------------------------------------------

int vtkSpanwiseSurfaceRepresentation::RequestData(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  this->Grid = nullptr;
  vtkAlgorithmOutput* const port =
    inputs[0]->GetNumberOfInformationObjects() == 1 ? this->GetInternalOutputPort() : nullptr;
  if (port != nullptr) {
    this->Grid = vtkUnstructuredGrid::SafeDownCast(port->GetProducer()->GetOutputDataObject(port->GetIndex()));
  }
  this->SetUpFilter();
  const int done = this->Superclass::RequestData(request, inputs, outputs);
  if (this->Filter()->GetResult() == vtkSpanwiseGeometryFilter::Result::Stock) {
    this->Grid = nullptr;
  }
  return done;
}

// In KiB, as ParaView counts; 0: what the piece itself takes. A piece that is not all that there is to draw reports
// what the rendering processes will need, on which ParaView decides who renders, and whether to use a coarser piece
// while the camera moves.
unsigned long vtkSpanwiseSurfaceRepresentation::SizeOfPiece() {
  using Result = vtkSpanwiseGeometryFilter::Result;
  const Result result = this->Filter()->GetResult();
  vtkIdType polygons = 0;
  if (IsServer() && (result == Result::Runs || result == Result::Overview)) {
    polygons = this->Filter()->GetNumberOfCellPolygons();
  } else if (result == Result::Overview) {
    polygons = std::min<vtkIdType>(
      this->Filter()->GetNumberOfCellPolygons(), vtkSpanwiseRenderingSettings::GetInstance()->GetMaximumPolygons());
  }
  return static_cast<unsigned long>(static_cast<double>(polygons) * BytesPerPolygon / 1024.0);
}

// The piece for a moving camera.
void vtkSpanwiseSurfaceRepresentation::ProvideCoarsePiece(vtkInformation* inInfo) {
  constexpr double maxPolygons = 500000.0;
  const double resolution =
    inInfo->Has(vtkPVRenderView::LOD_RESOLUTION()) ? inInfo->Get(vtkPVRenderView::LOD_RESOLUTION()) : 0.5;
  vtkNew<vtkPolyData> overview;
  this->Filter()->MakeOverview(
    this->Grid, static_cast<vtkIdType>(std::max(1000.0, maxPolygons * resolution)), overview);
  vtkPVView::SetPieceLOD(inInfo, this, overview);
}

// Whether what was delivered for rendering is this process's own last piece, and not one gathered from several
// processes or kept from an earlier time step.
bool vtkSpanwiseSurfaceRepresentation::ShowsOwnPiece(vtkDataObject* delivered) {
  vtkPolyData* const own = this->Grid != nullptr ? OnlyBlock(this->MultiBlockMaker->GetOutputDataObject(0)) : nullptr;
  vtkPolyData* const shown = OnlyBlock(delivered);
  return own != nullptr && shown != nullptr && own->GetPoints() == shown->GetPoints();
}

void vtkSpanwiseSurfaceRepresentation::SetUpMapper(vtkSpanwiseMapper* mapper, bool enabled) {
  using Result = vtkSpanwiseGeometryFilter::Result;
  const Result result = this->Filter()->GetResult();
  const bool runs = this->MergesRuns();
  mapper->SetGrid(enabled && result != Result::Cells ? this->Grid.Get() : nullptr);
  mapper->SetMergeRuns(runs);
  mapper->SetShading(this->Shading == SMOOTH ? vtkSpanwiseMapper::SMOOTH : vtkSpanwiseMapper::FACES);
  mapper->SetFollowView(result == Result::Overview || (result == Result::Runs && !runs));
  mapper->SetProcessId(NumberOfRanks() > 1 ? Rank() : -1);
  auto* const settings = vtkSpanwiseRenderingSettings::GetInstance();
  mapper->SetPixelSize(settings->GetPixelSize());
  mapper->SetMaximumNumberOfPolygons(settings->GetMaximumPolygons());
}

int vtkSpanwiseSurfaceRepresentation::ProcessViewRequest(
  vtkInformationRequestKey* request, vtkInformation* inInfo, vtkInformation* outInfo) {
  using Result = vtkSpanwiseGeometryFilter::Result;
  if (request == vtkPVView::REQUEST_UPDATE()) {
    // Update first, and give the piece with its size to the view before the superclass does so without: the first
    // piece after an update counts.
    if (!this->vtkPVDataRepresentation::ProcessViewRequest(request, inInfo, outInfo)) {
      return 0;
    }
    if (this->Grid != nullptr) {
      vtkPVView::SetPiece(inInfo, this, this->MultiBlockMaker->GetOutputDataObject(0), this->SizeOfPiece());
    }
    const int done = this->Superclass::ProcessViewRequest(request, inInfo, outInfo);
    if (done && this->Grid != nullptr && this->Filter()->GetResult() != Result::Cells) {
      // The piece must stay with the grid that it stands for: others are moved to where it is.
      vtkPVRenderView::SetOrderedCompositingConfiguration(inInfo, this, vtkPVRenderView::USE_BOUNDS_FOR_REDISTRIBUTION);
      vtkNew<vtkMatrix4x4> matrix;
      this->Actor->GetMatrix(matrix);
      vtkPVRenderView::SetGeometryBounds(inInfo, this, this->Filter()->GetExactBounds(), matrix);
    }
    return done;
  }
  if (request == vtkPVView::REQUEST_UPDATE_LOD() && this->Grid != nullptr && !this->SuppressLOD &&
    !inInfo->Has(vtkPVRenderView::USE_OUTLINE_FOR_LOD())) {
    this->SuppressLOD = true;
    const int done = this->Superclass::ProcessViewRequest(request, inInfo, outInfo);
    this->SuppressLOD = false;
    if (done) {
      this->ProvideCoarsePiece(inInfo);
    }
    return done;
  }
  if (!this->Superclass::ProcessViewRequest(request, inInfo, outInfo)) {
    return 0;
  }
  if (request == vtkPVView::REQUEST_RENDER()) {
    const bool own = this->ShowsOwnPiece(vtkPVView::GetDeliveredPiece(inInfo, this));
    this->SetUpMapper(static_cast<vtkSpanwiseMapper*>(this->Mapper), own);
    this->SetUpMapper(static_cast<vtkSpanwiseMapper*>(this->BackfaceMapper), own);
  }
  return 1;
}

void vtkSpanwiseSurfaceRepresentation::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Shading: " << (this->Shading == SMOOTH ? "Smooth" : "Faces") << "\n";
  os << indent << "Grid: " << this->Grid.Get() << "\n";
}
