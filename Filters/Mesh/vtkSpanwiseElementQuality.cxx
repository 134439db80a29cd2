#include "vtkSpanwiseElementQuality.h"

#include "SpanwiseBallReport.h"
#include "SpanwiseElementArrays.h"
#include "SpanwiseRankGroup.h"

#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <vtkCellData.h>
#include <vtkDataSet.h>
#include <vtkObjectFactory.h>

#include <limits>
#include <vector>

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseElementQuality);

namespace {

constexpr double none = std::numeric_limits<double>::max();

/// What is said of all elements of a rank.
struct Summary {
  double worst = none;
  std::int64_t worstElement = -1; ///< the first of the worst
  double qualities = 0.0;         ///< sums
  double measures = 0.0;
  std::int64_t numInvalid = 0;
};

/// Sums up elements whose measures are of one dimension.
template <class Elements>
struct SumUp {
  Elements elements;
  const double* qualities;
  const double* measures;
  int dimension;

  void operator()(std::int64_t e, Summary& sum) const {
    const double quality = qualities[e];
    const double measure = dimensionOf(elements.typeOf(e)) == dimension ? measures[e] : 0.0;
    join(sum, {quality, e, quality, measure, quality > 0.0 ? 0 : 1});
  }
  static void init(Summary& sum) { sum = {}; }
  static void join(Summary& sum, const Summary& other) {
    if (other.worst < sum.worst) {
      sum.worst = other.worst;
      sum.worstElement = other.worstElement;
    }
    sum.qualities += other.qualities;
    sum.measures += other.measures;
    sum.numInvalid += other.numInvalid;
  }
};

template <class Elements>
Summary summaryOf(const Elements& elements, const ElementValues& values, int dimension) {
  const SumUp<Elements> sumUp{elements, values.qualities->GetPointer(0), values.measures->GetPointer(0), dimension};
  Summary sum;
  reduce(SPANWISE_KERNEL("quality"), IndexRange<HostExecutionSpace>(HostExecutionSpace(), 0, elements.numElements),
    sumUp, sum);
  return sum;
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
  const Summary mine =
    std::visit([&](const auto& view) { return summaryOf(view.elements, found, dimension); }, mesh.view());
  const std::int64_t worstCell = mesh.cells().empty() || mine.worstElement < 0
    ? mine.worstElement
    : mesh.cells()[static_cast<std::size_t>(mine.worstElement)];
  // All ranks' one after the other's: the same sums on each of them.
  const std::vector<double> all =
    group.gather(std::vector<double>{mine.worst, static_cast<double>(worstCell), static_cast<double>(mesh.numCells()),
      static_cast<double>(mesh.numElements()), mine.qualities, mine.measures, static_cast<double>(mine.numInvalid)});
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
      output->GetCellData()->AddArray(onCells(mesh, "Barycentre", found.barycentres));
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
