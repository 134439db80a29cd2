#include "vtkSpanwiseSmoothMesh.h"

#include "SpanwiseBridge.h"
#include "SpanwiseComputeOnSide.h"
#include "SpanwiseElementArrays.h"
#include "SpanwiseInputMesh.h"
#include "SpanwiseMeshPieces.h"
#include "SpanwiseRankGroup.h"

#include "Core/Mesh/BoundaryVertices.hpp"
#include "Core/Mesh/ElementMeasures.hpp"
#include "Core/Mesh/MeshUpload.hpp"
#include "Core/Mesh/SharedExchange.hpp"
#include "Core/Mesh/SmoothVertices.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPointSet.h>
#include <vtkPoints.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseSmoothMesh);

namespace {

template <class T>
using HostArray = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// How a mesh is smoothed, and which points stay besides those that are marked.
struct Choice {
  SmoothOptions options;
  std::vector<std::uint8_t> marks;
  bool holdsBoundary;
  bool holdsFeatures;
  double degrees;
};

struct Smoothed {
  SmoothReport report;
  double worstBefore = 0.0;
  double worstAfter = 0.0;
};

/// Of this rank's elements; infinity if there are none.
template <class Space, class Real, class Index>
double worstQuality(
  const MeshView<Real, Index>& mesh, const Kokkos::View<double*, typename Space::memory_space>& qualities) {
  computeQualities<Space, Real, Index>(Context<Space>(), mesh, qualities);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), qualities);
  Space().fence(SPANWISE_LABEL("Filters::worstQuality"));
  double worst = std::numeric_limits<double>::infinity();
  for (std::size_t e = 0; e < host.extent(0); ++e) {
    worst = std::min(worst, host(e));
  }
  return worst;
}

/// A rank's mesh where kernels see it, with marks of the points that stay.
template <class Space, class Real, class Index>
struct ReadyMesh {
  using Memory = typename Space::memory_space;

  MeshUpload<Space, Real, Index> upload;
  VertexBall<Memory> ball;
  Kokkos::View<std::uint8_t*, Memory> held;
  Kokkos::View<double*, Memory> qualities;
  Kokkos::View<Real*, Memory> coordinates;
  const Context<Space> context;

  ReadyMesh(const MeshView<Real, Index>& host, const std::vector<std::uint8_t>& marks)
    : upload(Space(), host), held(SPANWISE_LABEL("Filters::held"), marks.size()),
      qualities(SPANWISE_LABEL("Filters::qualities"), arrayLength<double>(host.elements.numElements)),
      coordinates(SPANWISE_LABEL("Filters::points"), arrayLength<Real>(3 * host.vertices.numVertices)) {
    buildVertexBall<Space, Index>(context, upload.view().elements, host.vertices.numVertices, 0, ball);
    Kokkos::deep_copy(held,
      Kokkos::View<const std::uint8_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
        marks.data(), marks.size()));
  }
};

/// Collective where the mesh is in pieces, of which `shared` are the points of several ranks (else null). Smooths, and
/// writes the points where they went to `points`, of the mesh's precision.
template <class Space, class Real, class Index>
Smoothed smooth(const RankGroup& group, const SharedVertices* shared, const MeshView<Real, Index>& host,
  const Choice& choice, Real* points, const Progress& progress) {
  std::optional<ReadyMesh<Space, Real, Index>> made;
  Smoothed result;
  group.agree([&] {
    made.emplace(host, choice.marks);
    result.worstBefore = worstQuality<Space>(made->upload.view(), made->qualities);
    progress.report(0.1);
  });
  const MeshView<Real, Index>& mesh = made->upload.view();
  const BallView ball = made->ball.view();
  const Context<Space> context = made->context.with(progress.part(0.2, 0.95));
  std::optional<SharedExchange<Space>> exchange;
  std::vector<std::int64_t> numbers;
  std::optional<SharedPart<Space>> part;
  if (shared != nullptr) {
    exchange.emplace(group.communicator(), *shared);
    numbers = numberVertices(group.communicator(), *shared, host.vertices.numVertices);
    part.emplace(*exchange, *shared, numbers);
  }
  const SharedPart<Space>* const ofRank = part ? &*part : nullptr;
  if (choice.holdsBoundary) {
    markBoundaryVertices<Space, Real, Index>(context, mesh, ball, made->held, ofRank);
  }
  if (choice.holdsFeatures) {
    markFeatureVertices<Space, Real, Index>(context, mesh, ball, choice.degrees, made->held, ofRank);
  }
  result.report = smoothVertices<Space, Real, Index>(context.with(exchange ? group.communicator() : singleProcess()),
    mesh, ball, choice.options, {made->held, exchange ? &*exchange : nullptr}, made->coordinates);
  group.agree([&] {
    MeshView<Real, Index> after = mesh;
    after.vertices = VertexView<Real>::interleaved(made->coordinates.data(), mesh.vertices.numVertices);
    result.worstAfter = worstQuality<Space>(after, made->qualities);
    Kokkos::deep_copy(HostArray<Real>(points, arrayLength<Real>(3 * mesh.vertices.numVertices)), made->coordinates);
  });
  std::vector<double> worst{result.worstBefore, result.worstAfter};
  group.minimum(worst);
  result.worstBefore = worst[0];
  result.worstAfter = worst[1];
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
  const RankGroup& group, vtkInformationVector** /*inputs*/, vtkDataObject* data, vtkDataObject* result) {
  auto* const input = vtkDataSet::SafeDownCast(data);
  auto* const output = vtkDataSet::SafeDownCast(result);
  constexpr std::array names = {"Refused Steps", "Longest Step", "Worst Quality Before", "Worst Quality After"};
  std::vector<double> values;
  if (isInPieces(group, input)) {
    values = this->Smooth(group, input, output);
  } else {
    group.agree([&] {
      if (input != nullptr) {
        values = this->Smooth(RankGroup(), input, output);
      }
    });
    if (group.sum(values.empty() ? 0 : 1) > 0) { // one rank's values are for all
      values.resize(names.size(), -std::numeric_limits<double>::infinity());
      group.maximum(values);
    }
  }
  for (std::size_t k = 0; k < values.size(); ++k) {
    AddFieldValue(output, names[k], values[k]);
  }
}

std::vector<double> vtkSpanwiseSmoothMesh::Smooth(const RankGroup& group, vtkDataSet* input, vtkDataSet* output) {
  InputMesh mesh;
  std::vector<std::uint8_t> marks;
  group.agree([&] {
    if (input != nullptr) {
      output->ShallowCopy(input);
      mesh = elementsOf(input);
      marks = this->GetMarks(input);
    }
  });
  if (group.sum(mesh.numElements()) == 0) {
    return {};
  }
  std::optional<SharedVertices> shared;
  if (!group.alone()) {
    shared = sharedVerticesOf(group, mesh, input);
  }
  const Choice choice{{this->Iterations, this->Relaxation, this->MinimumQuality, WorstElement::IsKept},
    std::move(marks), this->HoldBoundary, this->HoldFeatures, this->FeatureAngle};
  vtkNew<vtkPoints> points;
  const Smoothed smoothed = std::visit(
    [&]<class Real, class Index>(const MeshView<Real, Index>& view) {
      points->SetDataType(std::is_same_v<Real, float> ? VTK_FLOAT : VTK_DOUBLE);
      points->SetNumberOfPoints(mesh.numVertices());
      Smoothed result;
      const auto compute = [&]<ComputeSide side>(const SideContext<side>& /*context*/) {
        result = smooth<SpaceOf<side>>(group, shared ? &*shared : nullptr, view, choice,
          static_cast<Real*>(points->GetData()->GetVoidPointer(0)), progressOf(this));
      };
      computeOnSide(group, "Smooth Mesh", workOnElements(view.elements.numElements), compute);
      return result;
    },
    mesh.view());
  group.agree([&] {
    if (mesh.numVertices() > 0) {
      vtkPointSet::SafeDownCast(output)->SetPoints(points);
      renewElementArrays(output, mesh, elementsOf(output));
    }
  });
  return {static_cast<double>(smoothed.report.numRefused), smoothed.report.longestStep, smoothed.worstBefore,
    smoothed.worstAfter};
}

std::vector<std::uint8_t> vtkSpanwiseSmoothMesh::GetMarks(vtkDataSet* input) {
  std::vector<std::uint8_t> marks(static_cast<std::size_t>(input->GetNumberOfPoints()), 0);
  if (this->HoldMarked && input->GetNumberOfCells() > 0) {
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
  return marks;
}
