// Arrival times on tetrahedra from the middle of a cube, as strong scaling: each rank has one of METIS's parts.

#include "Benchmarks/MultiGpu/Run.hpp"
#include "Benchmarks/PartOfCube.hpp"
#include "Core/Solvers/Eikonal/FastIterative.hpp"

namespace spanwise::benchmarks {

namespace {

void measureCube(const Run& run, const char* name, int full) {
  const PartOfCube part(run.ranks(), run.edge(full));
  const MeshOfPart<Space> here(part);
  const SharedVertices shared = findSharedVertices(run.ranks(), part.mesh.vertices);
  eikonal::SimplexMesh<4, Space> mesh;
  eikonal::buildSimplexMesh<Space, 4>(
    run.context(), here.view(), eikonal::Speed::constant(1.0), mesh, {}, run.ranks().alone() ? nullptr : &shared);
  const auto start = part.startTimes();
  const Kokkos::View<double*, Space::memory_space> times("Benchmarks::times", start.size());
  const auto solve = [&] {
    Kokkos::deep_copy(times, Kokkos::View<const double*, Kokkos::HostSpace>(start.data(), start.size()));
    eikonal::iterateTimes<Space, 4>(run.context(), mesh, {}, times);
  };
  const StepCost cost = run.costOf(solve);
  run.write("arrival times", name, static_cast<double>(part.numElementsOfAll), cost);
}

} // namespace

void measureMeshTimes(const Run& run) {
  measureCube(run, "25 k tetrahedra", 16);
  measureCube(run, "3.1 M tetrahedra", 80);
  measureCube(run, "12.6 M tetrahedra", 128);
}

} // namespace spanwise::benchmarks
