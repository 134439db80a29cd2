#include "vtkSpanwiseElementQuality.h"

#include "SpanwiseBallReport.h"
#include "SpanwiseElementArrays.h"
#include "SpanwiseRankGroup.h"

#include <vtkCellData.h>
#include <vtkDataSet.h>
#include <vtkObjectFactory.h>

#include <limits>
#include <vector>

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseElementQuality);

namespace {

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
  os << indent << "ComputeVertexBalls: " << this->ComputeVertexBalls << "\n";
}

void vtkSpanwiseElementQuality::MakeOutput(
  const RankGroup& group, vtkInformationVector** /*inputs*/, vtkDataObject* data, vtkDataObject* result) {
  auto* const input = vtkDataSet::SafeDownCast(data);
  auto* const output = vtkDataSet::SafeDownCast(result);
  InputMesh mesh;
  ElementValues found;
  group.agree([&] {
    mesh = elementsOf(input);
    found = valuesOfElements(mesh, this->ComputeBarycentre);
  });
  const auto dimension = static_cast<int>(group.maximum(mesh.dimension()));
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
  const std::vector<double> all = group.gather(std::vector<double>{worst, worstCell,
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
  std::vector<BallReportLine> balls;
  if (this->ComputeVertexBalls) {
    balls = reportBallsOfAll(group, mesh);
  }
  group.agree([&] {
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
    if (!balls.empty()) {
      addBallReport(balls, output->GetFieldData());
    }
  });
}
