#include "vtkSpanwiseSmoothMesh.h"

#include "SpanwiseBridge.h"
#include "SpanwiseInputMesh.h"
#include "SpanwiseTeam.h"

#include "Core/Mesh/BoundaryVertices.hpp"
#include "Core/Mesh/ElementMeasures.hpp"
#include "Core/Mesh/MeshUpload.hpp"
#include "Core/Mesh/SmoothVertices.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPointSet.h>
#include <vtkPoints.h>

#include <algorithm>
#include <type_traits>
#include <vector>

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseSmoothMesh);

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

template <class T>
using HostArray = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// Which points stay, besides those that are marked.
struct Holds {
  bool boundary;
  bool features;
  double degrees;
};

struct Smoothed {
  SmoothReport report;
  double worstBefore = 0.0;
  double worstAfter = 0.0;
};

template <class Real, class Index>
double worstQuality(const MeshView<Real, Index>& mesh, const Kokkos::View<double*, Memory>& qualities) {
  computeQualities<Space, Real, Index>(Space(), mesh, qualities);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), qualities);
  Space().fence(SPANWISE_LABEL("Filters::worstQuality"));
  return *std::min_element(host.data(), host.data() + host.extent(0));
}

/// Smooths, and writes the points where they went to `points`, of the mesh's precision.
template <class Real, class Index>
Smoothed smooth(const MeshView<Real, Index>& host, const Holds& holds, const std::vector<std::uint8_t>& marks,
  const SmoothOptions& options, Real* points, const Progress& progress) {
  const Space space;
  Workspace<Memory> workspace;
  const MeshUpload<Space, Real, Index> upload(space, host);
  const MeshView<Real, Index>& mesh = upload.view();
  VertexBall<Memory> ball;
  buildVertexBall<Space, Index>(space, mesh.elements, mesh.vertices.numVertices, 0, ball, workspace);
  progress.report(0.1);

  const Kokkos::View<std::uint8_t*, Memory> held(SPANWISE_LABEL("Filters::held"), marks.size());
  Kokkos::deep_copy(held,
    Kokkos::View<const std::uint8_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
      marks.data(), marks.size()));
  if (holds.boundary) {
    markBoundaryVertices<Space, Real, Index>(space, mesh, ball.view(), held);
  }
  if (holds.features) {
    markFeatureVertices<Space, Real, Index>(space, mesh, ball.view(), holds.degrees, held);
  }
  Smoothed result;
  const Kokkos::View<double*, Memory> qualities(
    SPANWISE_LABEL("Filters::qualities"), arrayLength<double>(mesh.elements.numElements));
  result.worstBefore = worstQuality(mesh, qualities);
  const std::int64_t count = 3 * mesh.vertices.numVertices;
  const Kokkos::View<Real*, Memory> coordinates(SPANWISE_LABEL("Filters::points"), arrayLength<Real>(count));
  result.report = smoothVertices<Space, Real, Index>(
    space, mesh, ball.view(), options, held, coordinates, workspace, progress.part(0.2, 0.95));
  MeshView<Real, Index> after = mesh;
  after.vertices = VertexView<Real>::interleaved(coordinates.data(), mesh.vertices.numVertices);
  result.worstAfter = worstQuality(after, qualities);
  Kokkos::deep_copy(HostArray<Real>(points, arrayLength<Real>(count)), coordinates);
  return result;
}

} // namespace

void vtkSpanwiseSmoothMesh::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Iterations: " << this->Iterations << "\n";
  os << indent << "Relaxation: " << this->Relaxation << "\n";
  os << indent << "MinimumQuality: " << this->MinimumQuality << "\n";
  os << indent << "HoldBoundary: " << this->HoldBoundary << "\n";
  os << indent << "HoldFeatures: " << this->HoldFeatures << "\n";
  os << indent << "FeatureAngle: " << this->FeatureAngle << "\n";
  os << indent << "HoldMarked: " << this->HoldMarked << "\n";
}

void vtkSpanwiseSmoothMesh::MakeOutput(
  const Team& team, vtkInformationVector** /*inputs*/, vtkDataSet* input, vtkDataSet* output) {
  requireOneRank(team, input, "smoothing");
  team.agree([&] {
    if (input != nullptr) {
      output->ShallowCopy(input);
      if (input->GetNumberOfCells() > 0) {
        this->Smooth(input, output);
      }
    }
  });
}

void vtkSpanwiseSmoothMesh::Smooth(vtkDataSet* input, vtkDataSet* output) {
  const InputMesh mesh = elementsOf(input);
  if (mesh.numElements() == 0) {
    return;
  }
  std::vector<std::uint8_t> marks(static_cast<std::size_t>(mesh.numVertices()), 0);
  if (this->HoldMarked) {
    bool onPoints = false;
    vtkDataArray* const array = this->GetMeshArray(0, "points that stay", input, onPoints);
    if (!onPoints || array->GetNumberOfComponents() != 1) {
      throw InvalidArgument("the array '" + std::string(array->GetName() != nullptr ? array->GetName() : "") +
        "' is not one of one component on points; it must say which points stay");
    }
    for (std::size_t p = 0; p < marks.size(); ++p) {
      marks[p] = array->GetComponent(static_cast<vtkIdType>(p), 0) != 0.0 ? 1 : 0;
    }
  }
  const SmoothOptions options{this->Iterations, this->Relaxation, this->MinimumQuality};
  const Holds holds{this->HoldBoundary, this->HoldFeatures, this->FeatureAngle};
  vtkNew<vtkPoints> points;
  const Smoothed smoothed = std::visit(
    [&]<class Real, class Index>(const MeshView<Real, Index>& view) {
      points->SetDataType(std::is_same_v<Real, float> ? VTK_FLOAT : VTK_DOUBLE);
      points->SetNumberOfPoints(mesh.numVertices());
      return smooth(view, holds, marks, options, static_cast<Real*>(points->GetVoidPointer(0)), progressOf(this));
    },
    mesh.view());
  vtkPointSet::SafeDownCast(output)->SetPoints(points);
  AddFieldValue(output, "Refused Steps", static_cast<double>(smoothed.report.numRefused));
  AddFieldValue(output, "Longest Step", smoothed.report.longestStep);
  AddFieldValue(output, "Worst Quality Before", smoothed.worstBefore);
  AddFieldValue(output, "Worst Quality After", smoothed.worstAfter);
}
