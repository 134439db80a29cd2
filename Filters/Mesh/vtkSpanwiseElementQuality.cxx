#include "vtkSpanwiseElementQuality.h"

#include "SpanwiseInputMesh.h"
#include "SpanwiseTeam.h"

#include "Core/Mesh/ElementMeasures.hpp"
#include "Core/Mesh/MeshUpload.hpp"

#include <vtkCellData.h>
#include <vtkDataSet.h>
#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>

#include <algorithm>
#include <limits>
#include <vector>

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseElementQuality);

namespace {

using Space = Kokkos::DefaultExecutionSpace;

/// What compute(values) writes to memory of the execution space, on the host and in double.
template <class T, class Compute>
std::vector<double> computed(std::int64_t count, const Compute& compute) {
  const Kokkos::View<T*, Space::memory_space> values(
    Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Filters::computed")), arrayLength<T>(count));
  compute(values);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values); // waits
  Space().fence(SPANWISE_LABEL("Filters::computed"));
  return std::vector<double>(host.data(), host.data() + count);
}

/// Values of elements as an array on cells.
vtkSmartPointer<vtkDoubleArray> onCells(
  const InputMesh& mesh, const char* name, const std::vector<double>& values, int components = 1) {
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

/// What is known of the elements of one rank.
struct Measured {
  std::vector<double> qualities;
  std::vector<double> measures;
  std::vector<double> barycentres;
};

Measured measured(const InputMesh& mesh, bool barycentres) {
  return std::visit(
    [&]<class Real, class Index>(const MeshView<Real, Index>& host) {
      Measured result;
      const std::int64_t count = host.elements.numElements;
      if (count == 0) {
        return result;
      }
      const MeshUpload<Space, Real, Index> upload(Space(), host);
      result.qualities = computed<double>(
        count, [&](const auto& values) { computeQualities<Space, Real, Index>(Space(), upload.view(), values); });
      result.measures = computed<double>(
        count, [&](const auto& values) { computeMeasures<Space, Real, Index>(Space(), upload.view(), values); });
      if (barycentres) {
        result.barycentres = computed<Real>(3 * count,
          [&](const auto& values) { computeBarycentres<Space, Real, Index>(Space(), upload.view(), values); });
      }
      return result;
    },
    mesh.view());
}

/// The dimension of each element's type, in the order of elements.
template <class Visit>
void forElements(const InputMesh& mesh, const Visit& visit) {
  std::visit(
    [&](const auto& view) {
      for (std::int64_t e = 0; e < view.elements.numElements; ++e) {
        visit(static_cast<std::size_t>(e), dimensionOf(view.elements.typeOf(e)));
      }
    },
    mesh.view());
}

} // namespace

void vtkSpanwiseElementQuality::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "ComputeQuality: " << this->ComputeQuality << "\n";
  os << indent << "ComputeMeasure: " << this->ComputeMeasure << "\n";
  os << indent << "ComputeBarycentre: " << this->ComputeBarycentre << "\n";
}

void vtkSpanwiseElementQuality::MakeOutput(
  const Team& team, vtkInformationVector** /*inputs*/, vtkDataSet* input, vtkDataSet* output) {
  InputMesh mesh;
  Measured found;
  team.agree([&] {
    mesh = elementsOf(input);
    found = measured(mesh, this->ComputeBarycentre);
  });
  const auto dimension = static_cast<int>(team.maximum(mesh.dimension()));
  constexpr double none = std::numeric_limits<double>::max();
  double worst = none;
  double worstCell = -1.0;
  double sums[3] = {}; // of qualities and measures, and those not valid
  forElements(mesh, [&](std::size_t e, int d) {
    const double quality = found.qualities[e];
    sums[0] += quality;
    sums[1] += d == dimension ? found.measures[e] : 0.0;
    sums[2] += quality > 0.0 ? 0.0 : 1.0;
    if (!(quality >= worst)) {
      worst = quality;
      worstCell = static_cast<double>(mesh.cells().empty() ? static_cast<std::int64_t>(e) : mesh.cells()[e]);
    }
  });
  // All ranks' one after the other's: the same sums on each of them.
  const std::vector<double> all = team.gather(std::vector<double>{worst, worstCell,
    static_cast<double>(mesh.numCells()), static_cast<double>(mesh.numElements()), sums[0], sums[1], sums[2]});
  double total[7] = {none, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  for (std::size_t k = 0; k < all.size(); k += 7) {
    if (all[k + 3] > 0.0 && !(all[k] >= total[0])) {
      total[0] = all[k];
      total[1] = total[2] + all[k + 1];
    }
    for (std::size_t j = 2; j < 7; ++j) {
      total[j] += all[k + j];
    }
  }
  team.agree([&] {
    if (input == nullptr) {
      return;
    }
    output->ShallowCopy(input);
    if (this->ComputeQuality) {
      output->GetCellData()->AddArray(onCells(mesh, "Quality", found.qualities));
      output->GetCellData()->SetActiveScalars("Quality");
    }
    if (this->ComputeMeasure) {
      output->GetCellData()->AddArray(onCells(mesh, "Measure", found.measures));
    }
    if (this->ComputeBarycentre) {
      output->GetCellData()->AddArray(onCells(mesh, "Barycentre", found.barycentres, 3));
    }
    if (total[3] > 0.0) {
      AddFieldValue(output, "Worst Quality", total[0]);
      AddFieldValue(output, "Worst Cell", total[1]);
      AddFieldValue(output, "Mean Quality", total[4] / total[3]);
      AddFieldValue(output, "Cells Not Valid", total[6]);
      AddFieldValue(output, "Total Measure", total[5]);
    }
  });
}
