#ifndef SpanwiseMeshValues_h
#define SpanwiseMeshValues_h

// A conforming mesh as a dataset. Internal to this library.

#include "SpanwiseHierarchy.h"

#include "Core/Multilevel/ConformingMesh.hpp"

class vtkUnstructuredGrid;

namespace spanwise {

/// Gives `output` the points and the cells of a mesh. `finest` is where the cells of its finest level lie.
void setMesh(const multilevel::ConformingMeshOn<HostExecutionSpace>& mesh, const GridPlacement& finest,
  vtkUnstructuredGrid* output);

/// Gives the points of `output` the means of the values of the leaves around them, also of other ranks' (`hierarchy`
/// has their halo).
template <int Dim>
void setPointMeans(const multilevel::ConformingMeshOn<HostExecutionSpace>& mesh, const Hierarchy<Dim>& hierarchy,
  vtkUnstructuredGrid* output);

/// Gives the cells of `output` the values of the leaves that they were made of.
template <int Dim>
void passCellValues(const multilevel::ConformingMeshOn<HostExecutionSpace>& mesh, const Hierarchy<Dim>& hierarchy,
  vtkUnstructuredGrid* output);

} // namespace spanwise

#endif
