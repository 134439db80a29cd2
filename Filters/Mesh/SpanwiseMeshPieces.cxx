#include "SpanwiseMeshPieces.h"

#include "SpanwiseRankGroup.h"

#include "Core/Mesh/MergeVertices.hpp"
#include "Core/Mesh/RankMerge.hpp"
#include "Core/Mesh/RankPart.hpp"
#include "Core/Runtime/ArrayLength.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkDataSetAttributes.h>
#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>

#include <iterator>
#include <span>
#include <string>
#include <variant>

namespace spanwise {

namespace {

/// The global ids of points or cells; none if there are none.
std::vector<std::int64_t> idsOf(vtkDataSetAttributes* attributes, std::int64_t count) {
  vtkDataArray* const array = attributes != nullptr ? attributes->GetGlobalIds() : nullptr;
  if (array == nullptr || array->GetNumberOfComponents() != 1 || array->GetNumberOfTuples() != count) {
    return {};
  }
  std::vector<std::int64_t> ids(static_cast<std::size_t>(count));
  for (vtkIdType k = 0; k < count; ++k) {
    ids[static_cast<std::size_t>(k)] = static_cast<std::int64_t>(array->GetComponent(k, 0));
  }
  return ids;
}

/// The vertex that stands for each one, of those in one place.
template <class Real>
std::vector<std::int32_t> standInsOf(const VertexView<Real>& vertices) {
  const HostExecutionSpace space;
  const Context context(space);
  const Kokkos::View<std::int32_t*, HostExecutionSpace::memory_space> standIns(
    SPANWISE_LABEL("Filters::standIns"), arrayLength<std::int32_t>(vertices.numVertices));
  mergeVertices<HostExecutionSpace, Real>(context, vertices, 0.0, standIns);
  space.fence(SPANWISE_LABEL("Filters::standIns"));
  return std::vector<std::int32_t>(standIns.data(), standIns.data() + standIns.extent(0));
}

} // namespace

bool isInPieces(const RankGroup& group, vtkDataSet* data) {
  return group.sum(data != nullptr && data->GetNumberOfCells() > 0 ? 1 : 0) > 1;
}

SharedVertices sharedVerticesOf(const RankGroup& group, const InputMesh& mesh, vtkDataSet* data, double mergeDistance) {
  std::vector<std::int64_t> ids;
  std::vector<std::int32_t> standIns;
  group.agree([&] {
    ids = idsOf(data != nullptr ? data->GetPointData() : nullptr, mesh.numVertices());
    if (mergeDistance >= 0.0) {
      standIns = std::visit([](const auto& view) { return standInsOf(view.vertices); }, mesh.view());
    }
  });
  try {
    return std::visit(
      [&](const auto& view) {
        return spanwise::sharedVerticesOf(
          group.communicator(), view, std::span<const std::int64_t>(ids), std::span<const std::int32_t>(standIns));
      },
      mesh.view());
  } catch (const InvalidArgument& error) { // on all ranks
    throw InvalidArgument(std::string("points of the mesh's pieces cannot be told apart: ") + error.what() +
      ". Points need global ids, or one point in a place (Clean to Grid)");
  }
}

InputMesh mergedOnRanks(const RankGroup& group, const InputMesh& mesh, double distance) {
  std::vector<Point> places;
  group.agree([&] {
    std::visit(
      [&](const auto& view) {
        for (std::int64_t v = 0; v < view.vertices.numVertices; ++v) {
          places.push_back(view.vertices(v));
        }
      },
      mesh.view());
  });
  places = mergedPlaces(group.communicator(), places, distance);
  InputMesh merged;
  group.agree([&] {
    vtkNew<vtkDoubleArray> points;
    points->SetNumberOfComponents(3);
    points->SetNumberOfTuples(std::ssize(places));
    for (std::size_t v = 0; v < places.size(); ++v) {
      points->SetTypedTuple(static_cast<vtkIdType>(v), places[v].at);
    }
    merged = mesh.movedTo(points);
  });
  return merged;
}

std::vector<std::int64_t> numbersOnRanks(const RankGroup& group, const std::vector<std::int64_t>& numbers,
  std::int64_t count, vtkDataSetAttributes* attributes) {
  const std::vector<std::int64_t> ids = idsOf(attributes, count);
  const bool byIds = group.sum(count > 0 && ids.empty() ? 1 : 0) == 0;
  const std::vector<std::int64_t> counts = group.gather(std::vector<std::int64_t>{count});
  std::int64_t before = 0;
  for (int rank = 0; rank < group.rank(); ++rank) {
    before += counts[static_cast<std::size_t>(rank)];
  }
  std::vector<std::int64_t> result;
  result.reserve(numbers.size());
  for (const std::int64_t number : numbers) {
    result.push_back(byIds ? ids[static_cast<std::size_t>(number)] : before + number);
  }
  return result;
}

} // namespace spanwise
