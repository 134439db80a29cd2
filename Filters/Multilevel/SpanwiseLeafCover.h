#ifndef SpanwiseLeafCover_h
#define SpanwiseLeafCover_h

// What lies above leaves. Internal to this library.

#include "SpanwiseHierarchy.h"

#include "Core/Multilevel/LeafCover.hpp"

#include <vector>

namespace spanwise {

/// The leaves of a hierarchy as Core takes them, and what they cover.
template <int Dim>
struct CoveringLeaves {
  multilevel::LeavesOn<Dim, HostExecutionSpace> leaves;
  multilevel::LeafCover<Dim, Kokkos::HostSpace> cover;
};

template <int Dim>
CoveringLeaves<Dim> coverOf(const Hierarchy<Dim>& hierarchy);

/// For each array the values on refined cells: the mean of what is in the cell, weighted by volume, for numbers with a
/// fraction; for whole numbers and texts, which may be labels, the first of it. values[k] are those on refined[k] in
/// the order of its cells, empty for levels without.
template <int Dim>
std::vector<vtkSmartPointer<vtkCellData>> restrictedValues(
  const Hierarchy<Dim>& hierarchy, const std::vector<geometry::HostIntervalSet<Dim>>& refined);

} // namespace spanwise

#endif
