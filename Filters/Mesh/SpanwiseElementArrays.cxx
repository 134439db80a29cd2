#include "SpanwiseElementArrays.h"

#include "SpanwiseComputeOnSide.h"

#include "Core/Mesh/ElementMeasures.hpp"
#include "Core/Mesh/MeshUpload.hpp"

#include <vtkCellData.h>
#include <vtkDataSet.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace spanwise {

namespace {

/// What compute(values) writes to memory of an execution space, on the host and in double.
template <class Space, class T, class Compute>
std::vector<double> computed(std::int64_t count, const Compute& compute) {
  const Kokkos::View<T*, typename Space::memory_space> values(
    Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Filters::computed")), arrayLength<T>(count));
  compute(values);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values); // waits
  Space().fence(SPANWISE_LABEL("Filters::computed"));
  return std::vector<double>(host.data(), host.data() + count);
}

/// Whether two arrays are the same but for round-off, in double or float.
bool areSame(vtkDataArray* one, vtkDataArray* other) {
  if (one->GetNumberOfComponents() != other->GetNumberOfComponents() ||
    one->GetNumberOfTuples() != other->GetNumberOfTuples()) {
    return false;
  }
  const double rounding = one->GetDataType() == VTK_FLOAT ? 1e-6 : 1e-12;
  for (vtkIdType k = 0; k < one->GetNumberOfTuples(); ++k) {
    for (int c = 0; c < one->GetNumberOfComponents(); ++c) {
      const double a = one->GetComponent(k, c);
      const double b = other->GetComponent(k, c);
      const bool isSame = std::isnan(a) ? std::isnan(b) : std::abs(a - b) <= rounding * std::max(1.0, std::abs(b));
      if (!isSame) {
        return false;
      }
    }
  }
  return true;
}

} // namespace

ElementValues valuesOfElements(const InputMesh& mesh, bool barycentres) {
  return std::visit(
    [&]<class Real, class Index>(const MeshView<Real, Index>& host) {
      ElementValues result;
      const std::int64_t count = host.elements.numElements;
      if (count == 0) {
        return result;
      }
      const auto compute = [&]<ComputeSide side>(const SideContext<side>& context) {
        using Space = SpaceOf<side>;
        const Space& space = context.space();
        const MeshUpload<Space, Real, Index> upload(space, host);
        result.qualities = computed<Space, double>(
          count, [&](const auto& values) { computeQualities<Space, Real, Index>(space, upload.view(), values); });
        result.measures = computed<Space, double>(
          count, [&](const auto& values) { computeMeasures<Space, Real, Index>(space, upload.view(), values); });
        if (barycentres) {
          result.barycentres = computed<Space, Real>(3 * count,
            [&](const auto& values) { computeBarycentres<Space, Real, Index>(space, upload.view(), values); });
        }
      };
      computeOnSide(RankGroup(), "Element Quality", workOnElements(count), compute);
      return result;
    },
    mesh.view());
}

vtkSmartPointer<vtkDoubleArray> onCells(
  const InputMesh& mesh, const char* name, const std::vector<double>& values, int components) {
  auto array = vtkSmartPointer<vtkDoubleArray>::New();
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(mesh.numCells());
  if (mesh.cells().empty()) {
    if (mesh.numElements() > 0) {
      std::copy(values.begin(), values.end(), array->GetPointer(0));
    } else {
      array->Fill(std::numeric_limits<double>::quiet_NaN());
    }
    return array;
  }
  array->Fill(std::numeric_limits<double>::quiet_NaN());
  for (std::size_t e = 0; e < mesh.cells().size(); ++e) {
    array->SetTuple(mesh.cells()[e], values.data() + e * static_cast<std::size_t>(components));
  }
  return array;
}

void renewElementArrays(vtkDataSet* data, const InputMesh& before, const InputMesh& after) {
  vtkCellData* const arrays = data->GetCellData();
  const auto hasOne = [&](const char* name) { return arrays->GetArray(name) != nullptr; };
  if (!hasOne("Quality") && !hasOne("Measure") && !hasOne("Barycentre")) {
    return;
  }
  const ElementValues was = valuesOfElements(before, hasOne("Barycentre"));
  const ElementValues is = valuesOfElements(after, hasOne("Barycentre"));
  const auto renew = [&](const char* name, std::vector<double> ElementValues::* values, int components) {
    vtkDataArray* const array = arrays->GetArray(name);
    if (array != nullptr && areSame(array, onCells(before, name, was.*values, components))) {
      arrays->AddArray(onCells(after, name, is.*values, components));
    }
  };
  renew("Quality", &ElementValues::qualities, 1);
  renew("Measure", &ElementValues::measures, 1);
  renew("Barycentre", &ElementValues::barycentres, 3);
}

} // namespace spanwise
