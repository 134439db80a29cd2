#include "SpanwiseElementArrays.h"

#include "SpanwiseAllocate.h"
#include "SpanwiseComputeOnSide.h"

#include "Core/Mesh/ElementMeasures.hpp"
#include "Core/Mesh/MeshUpload.hpp"
#include "Core/Runtime/HostCopy.hpp"

#include <vtkCellData.h>
#include <vtkDataSet.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

namespace spanwise {

namespace {

vtkSmartPointer<vtkDoubleArray> newArray(std::int64_t count, int components) {
  auto array = vtkSmartPointer<vtkDoubleArray>::New();
  allocate(array, count, components);
  return array;
}

/// What compute(values) writes to memory of an execution space, on the host and in double.
template <class Space, class T, class Compute>
vtkSmartPointer<vtkDoubleArray> computed(std::int64_t count, int components, const Compute& compute) {
  using Memory = typename Space::memory_space;
  auto array = newArray(count, components);
  const std::int64_t length = count * components;
  if constexpr (runsOnHost<Space> && std::is_same_v<T, double>) {
    compute(Kokkos::View<double*, Memory>(array->GetPointer(0), static_cast<std::size_t>(length)));
    Space().fence(SPANWISE_LABEL("Filters::computed"));
  } else {
    const Kokkos::View<T*, Memory> values(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Filters::computed")), arrayLength<T>(length));
    compute(values);
    if constexpr (std::is_same_v<T, double>) {
      copyToHost(Space(), values.data(), length, array->GetPointer(0));
    } else {
      std::vector<T> host(static_cast<std::size_t>(length));
      copyToHost(Space(), values.data(), length, host.data());
      std::copy(host.begin(), host.end(), array->GetPointer(0));
    }
  }
  return array;
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
      const std::int64_t count = host.elements.numElements;
      if (count == 0) {
        return ElementValues{newArray(0, 1), newArray(0, 1), barycentres ? newArray(0, 3) : nullptr};
      }
      ElementValues result;
      const auto compute = [&]<ComputeSide side>(const SideContext<side>& context) {
        using Space = SpaceOf<side>;
        const MeshUpload<Space, Real, Index> upload(context.space(), host);
        result.qualities = computed<Space, double>(
          count, 1, [&](const auto& values) { computeQualities<Space, Real, Index>(context, upload.view(), values); });
        result.measures = computed<Space, double>(
          count, 1, [&](const auto& values) { computeMeasures<Space, Real, Index>(context, upload.view(), values); });
        if (barycentres) {
          result.barycentres = computed<Space, Real>(count, 3,
            [&](const auto& values) { computeBarycentres<Space, Real, Index>(context, upload.view(), values); });
        }
      };
      computeOnSide(RankGroup(), "Element Quality", workOfPassOverElements(count), compute);
      return result;
    },
    mesh.view());
}

vtkSmartPointer<vtkDoubleArray> onCells(const InputMesh& mesh, const char* name, vtkDoubleArray* values) {
  vtkSmartPointer<vtkDoubleArray> array = values;
  if (values->GetNumberOfTuples() != mesh.numCells()) {
    array = newArray(mesh.numCells(), values->GetNumberOfComponents());
    array->Fill(std::numeric_limits<double>::quiet_NaN());
    for (std::size_t e = 0; e < mesh.cells().size(); ++e) {
      array->SetTuple(mesh.cells()[e], static_cast<vtkIdType>(e), values);
    }
  }
  array->SetName(name);
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
  const auto renew = [&](const char* name, vtkSmartPointer<vtkDoubleArray> ElementValues::* values) {
    vtkDataArray* const array = arrays->GetArray(name);
    if (array != nullptr && areSame(array, onCells(before, name, was.*values))) {
      arrays->AddArray(onCells(after, name, is.*values));
    }
  };
  renew("Quality", &ElementValues::qualities);
  renew("Measure", &ElementValues::measures);
  renew("Barycentre", &ElementValues::barycentres);
}

} // namespace spanwise
