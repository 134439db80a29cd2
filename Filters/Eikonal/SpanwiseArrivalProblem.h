#ifndef SpanwiseArrivalProblem_h
#define SpanwiseArrivalProblem_h

// What arrival times on a mesh are computed of, and how whoever gets the times finds it again. Not wrapped and not
// installed.

#include "SpanwiseFrontSources.h"
#include "SpanwiseFrontSpeed.h"
#include "SpanwiseInputMesh.h"

#include "Core/Mesh/MeshUpload.hpp"
#include "Core/Runtime/Progress.hpp"
#include "Core/Solvers/Eikonal/ArrivalTimes.hpp"

#include <memory>

class vtkDataArray;
class vtkDataSet;

namespace spanwise {

/// A mesh, the speed in it, and the sources of fronts. All of the host's memory; the mesh's and the speed's arrays are
/// VTK's, where they are what Core reads.
struct ArrivalProblem {
  InputMesh mesh;
  FrontSpeed speed;
  FrontSources sources;
  eikonal::ArrivalOptions options;
};

using ArrivalProblemPointer = std::shared_ptr<const ArrivalProblem>;

/// Solves a problem and calls use(mesh, sources, solution, report) with what came out, in the memory of the default
/// execution space.
template <class Use>
void solve(
  const ArrivalProblem& problem, const eikonal::ArrivalOptions& options, const Progress& progress, const Use& use) {
  using Space = Kokkos::DefaultExecutionSpace;
  const UploadedSources sources(problem.sources);
  const UploadedSpeed speed(problem.speed);
  std::visit(
    [&]<class Real, class Index>(const MeshView<Real, Index>& host) {
      Workspace<Space::memory_space> workspace;
      eikonal::ArrivalTimes<Space::memory_space> solution;
      const MeshUpload<Space, Real, Index> mesh(Space(), host);
      const auto report = eikonal::solveArrivalTimes<Space, Real, Index>(
        Space(), mesh.view(), speed.view(), sources.view(), options, solution, workspace, progress);
      use(mesh.view(), sources.view(), solution, report, workspace);
    },
    problem.mesh.view());
}

/// Makes `times`, an array on the points of `mesh`, carry the problem that it solves.
void setProblem(vtkDataArray* times, vtkDataSet* mesh, ArrivalProblemPointer problem);

/// The problem that an array carries; null if it carries none, or its data set has other points or cells than it was
/// computed with.
ArrivalProblemPointer problemOf(vtkDataArray* times, vtkDataSet* mesh);

} // namespace spanwise

#endif
