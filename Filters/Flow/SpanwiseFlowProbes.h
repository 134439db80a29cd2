#ifndef SpanwiseFlowProbes_h
#define SpanwiseFlowProbes_h

// Points where reports read a flow. Not wrapped and not installed.

#include "SpanwiseRankGroup.h"
#include "spanwiseFlowModule.h"

#include <algorithm>
#include <array>
#include <vector>

class vtkDataObject;

namespace spanwise {

/// Collective. The points of a data set of all ranks, each once; none of null.
SPANWISEFLOW_EXPORT std::vector<std::array<double, 3>> probesOf(const RankGroup& group, vtkDataObject* data);

/// The same in a flow of `Dim` axes.
template <int Dim>
std::vector<std::array<double, Dim>> probesIn(const std::vector<std::array<double, 3>>& probes) {
  std::vector<std::array<double, Dim>> places(probes.size());
  for (std::size_t p = 0; p < probes.size(); ++p) {
    std::copy_n(probes[p].begin(), Dim, places[p].begin());
  }
  return places;
}

} // namespace spanwise

#endif
