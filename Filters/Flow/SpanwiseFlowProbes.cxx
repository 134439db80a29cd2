#include "SpanwiseFlowProbes.h"

#include <vtkDataSet.h>

namespace spanwise {

std::vector<std::array<double, 3>> probesOf(const RankGroup& group, vtkDataObject* data) {
  vtkDataSet* const points = vtkDataSet::SafeDownCast(data);
  std::vector<double> mine;
  group.agree([&] {
    for (vtkIdType i = 0; points != nullptr && i < points->GetNumberOfPoints(); ++i) {
      double point[3];
      points->GetPoint(i, point);
      mine.insert(mine.end(), point, point + 3);
    }
  });
  const std::vector<double> all = group.gather(mine);
  std::vector<std::array<double, 3>> probes;
  for (std::size_t i = 0; i < all.size(); i += 3) {
    const std::array<double, 3> probe{all[i], all[i + 1], all[i + 2]};
    if (std::ranges::find(probes, probe) == probes.end()) {
      probes.push_back(probe);
    }
  }
  return probes;
}

} // namespace spanwise
