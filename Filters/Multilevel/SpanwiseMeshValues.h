#ifndef SpanwiseMeshValues_h
#define SpanwiseMeshValues_h

// A conforming mesh as a dataset. Internal to this library.

#include "SpanwiseConformingMesh.h"

class vtkUnstructuredGrid;

namespace spanwise {

/// Gives `output` the nodes that cells use, in the order of the mesh, and the cells. Renumbers what the mesh says of
/// nodes: those that are used come first.
void setMesh(ConformingMesh& mesh, const GridPlacement& finest, vtkUnstructuredGrid* output);

/// Gives the nodes and the cells of `output` the values of the leaves that the mesh was made of.
template <int Dim>
void passMeshValues(const ConformingMesh& mesh, const Hierarchy<Dim>& hierarchy, vtkUnstructuredGrid* output);

} // namespace spanwise

#endif
