#ifndef SpanwiseRefinedCells_h
#define SpanwiseRefinedCells_h

// What lies above leaves. Internal to this library.

#include "SpanwiseHierarchy.h"

#include <vector>

namespace spanwise {

/// The cells of each level in which there are leaves of finer levels.
template <int Dim>
std::vector<HostIntervalSet<Dim>> refinedCells(const Hierarchy<Dim>& hierarchy);

/// For each array of `like` the values on refined cells: the mean of what is in the cell, weighted by volume, for
/// numbers with a fraction; for whole numbers and texts, which may be labels, the first of it. values[k] are those on
/// refined[k] in the order of its cells, empty for levels without.
template <int Dim>
std::vector<vtkSmartPointer<vtkCellData>> restrictedValues(
  const Hierarchy<Dim>& hierarchy, const std::vector<HostIntervalSet<Dim>>& refined);

} // namespace spanwise

#endif
