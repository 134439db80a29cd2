#pragma once

#include "Core/Geometry/Builders/Lattice.hpp"
#include "Core/Mesh/MeshView.hpp"
#include "Core/Multilevel/ConformingMesh.hpp"
#include "Core/Multilevel/LeafCover.hpp"
#include "Core/Runtime/Workspace.hpp"
#include "Core/Solvers/Eikonal/Factoring.hpp"
#include "Core/Solvers/Eikonal/GridSources.hpp"
#include "Core/Solvers/Eikonal/Seam.hpp"
#include "Core/Solvers/Eikonal/SimplexMesh.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <vector>

namespace spanwise::eikonal {

/// The leaves of a hierarchy as the solver on simplices takes them: a mesh without hanging nodes over them, whose cells
/// are split into triangles (2D) or tetrahedra (3D). Leaves of all levels are numbered one after the other. Made once
/// for leaves and speeds, used for any number of solutions: iterateTimes() with simplices() and a time for each of
/// numPoints() points. Keeps its memory.
template <int Dim, class MemorySpace>
class LevelGrid {
public:
  [[nodiscard]] const SimplexMesh<Dim + 1, MemorySpace>& simplices() const { return simplices_; }
  [[nodiscard]] const ConformingMesh<MemorySpace>& mesh() const { return mesh_; }
  [[nodiscard]] std::int64_t numPoints() const { return mesh_.points.count(); }
  [[nodiscard]] std::int64_t numLeaves() const { return numLeaves_; }
  /// Where axes repeat: what joins the points on both sides.
  [[nodiscard]] Seam seam() const { return seam_.view(); }
  /// [3 numPoints()] x y z x y z ... in space; z is 0 in 2D.
  [[nodiscard]] const double* coordinates() const { return coordinates_.data(); }
  /// mesh() as a mesh in space.
  [[nodiscard]] MeshView<double, std::int64_t> meshView() const {
    MeshView<double, std::int64_t> view;
    view.vertices = VertexView<double>::interleaved(coordinates_.data(), numPoints());
    view.elements.vertices = mesh_.connectivity.data();
    view.elements.offsets = mesh_.offsets.data();
    view.elements.types = types_.data();
    view.elements.numElements = mesh_.types.count();
    return view;
  }

private:
  template <class ExecutionSpace, int D>
  friend void buildLevelGrid(const ExecutionSpace&, const LeavesOn<D, ExecutionSpace>&, int, const Lattice<D>&,
    const Speed&, LevelGrid<D, typename ExecutionSpace::memory_space>&,
    Workspace<typename ExecutionSpace::memory_space>&, const Periods<D>&);
  template <class ExecutionSpace, int D>
  friend void startAtPointsOfLevels(const ExecutionSpace&, const LeavesOn<D, ExecutionSpace>&,
    const LevelGrid<D, typename ExecutionSpace::memory_space>&, const std::vector<PointSource<D>>&,
    const Kokkos::View<double*, typename ExecutionSpace::memory_space>&);

  template <class ExecutionSpace, int D>
  friend void factorPointsOfLevels(const ExecutionSpace&, const LevelGrid<D, typename ExecutionSpace::memory_space>&,
    const std::vector<PointSource<D>>&, double, Factoring<typename ExecutionSpace::memory_space>&,
    Workspace<typename ExecutionSpace::memory_space>&);
  template <class ExecutionSpace, int D>
  friend void timesOfLeaves(const ExecutionSpace&, const LevelGrid<D, typename ExecutionSpace::memory_space>&,
    const FactoringView&, const Kokkos::View<const double*, typename ExecutionSpace::memory_space>&,
    const Kokkos::View<double*, typename ExecutionSpace::memory_space>&);

  ConformingMesh<MemorySpace> mesh_;
  LeafCover<Dim, MemorySpace> cover_;
  ConformingScratch<Dim, MemorySpace> scratch_;
  SimplexMesh<Dim + 1, MemorySpace> simplices_;
  Kokkos::View<double*, MemorySpace> coordinates_;
  Kokkos::View<ElementType*, MemorySpace> types_;
  Kokkos::View<double*, MemorySpace> speeds_; ///< of the mesh's cells
  SeamPairs<MemorySpace> seam_;
  Lattice<Dim> root_{};
  Periods<Dim> periods_{};
  Speed speed_;   ///< of leaves
  Speed ofCells_; ///< of the mesh's cells
  std::int64_t numLeaves_ = 0;
};

/// out = the mesh of leaves, leaves[level], whose cells lie in `root` on level 0 and have half the size on each further
/// one. Any leaves will do for which makeConformingMesh() is made; between neighbours that differ by one level
/// simplices have the best shapes. Speeds are those of leaves; with speed 0 they are walls. `speed` refers to its
/// arrays. Where axes repeat (`periods`, in cells of level 0), the mesh has points on both sides, which are joined
/// (joinSeam()), and hanging nodes are none there either. Throws InvalidArgument as makeConformingMesh(),
/// checkLeaves(), wrapCover() and buildSimplexMesh() do, the latter with the number of a cell of the mesh.
template <class ExecutionSpace, int Dim>
void buildLevelGrid(const ExecutionSpace& space, const LeavesOn<Dim, ExecutionSpace>& leaves, int finest,
  const Lattice<Dim>& root, const Speed& speed, LevelGrid<Dim, typename ExecutionSpace::memory_space>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace, const Periods<Dim>& periods = {});

/// Lowers the times of the points of the leaf around each source to the travel time along the straight line, with the
/// leaf's speed. Along axes that repeat sources may be anywhere. Throws InvalidArgument where a source is in no leaf or
/// in a wall, its time is not finite, or `times` has another length than numPoints(). O(sources * (levels log rows +
/// log cells)); allocates for the sources.
template <class ExecutionSpace, int Dim>
void startAtPointsOfLevels(const ExecutionSpace& space, const LeavesOn<Dim, ExecutionSpace>& leaves,
  const LevelGrid<Dim, typename ExecutionSpace::memory_space>& grid, const std::vector<PointSource<Dim>>& points,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times);

/// factoring = what iterateTimes() takes from point sources, those of startAtPointsOfLevels(), so that times are of
/// first order around them: setFactoring() for the simplices of the leaves within `radius` of a point. Throws
/// InvalidArgument where the radius is NaN or negative. O(simplices * log sources + sources log sources). Takes memory
/// from `workspace` and that of `factoring`.
template <class ExecutionSpace, int Dim>
void factorPointsOfLevels(const ExecutionSpace& space,
  const LevelGrid<Dim, typename ExecutionSpace::memory_space>& grid, const std::vector<PointSource<Dim>>& points,
  double radius, Factoring<typename ExecutionSpace::memory_space>& factoring,
  Workspace<typename ExecutionSpace::memory_space>& workspace);

/// points [count, returned] = the points at the mesh's cells in the leaves of a region, one as often as there are such
/// cells around it: the region to stop at for iterateTimes() (IterationOptions::stopVertices), which then computes the
/// times of these leaves, and no time of a point after the last of theirs. Throws InvalidArgument where there is no
/// such leaf. O(leaves of the region * log cells). The memory of `points` is used again.
template <class ExecutionSpace, int Dim>
std::int64_t pointsOfLeaves(const ExecutionSpace& space,
  const LevelGrid<Dim, typename ExecutionSpace::memory_space>& grid,
  const Kokkos::View<const std::int64_t*, typename ExecutionSpace::memory_space>& region,
  Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>& points,
  Workspace<typename ExecutionSpace::memory_space>& workspace);

/// ofLeaves [numLeaves()] = the times at the centres of leaves (timesAtCentres()), of `times` at the points that were
/// iterated with `factoring`. notReached where a corner is not, and in walls. Throws InvalidArgument where an array has
/// another length. Does not wait.
template <class ExecutionSpace, int Dim>
void timesOfLeaves(const ExecutionSpace& space, const LevelGrid<Dim, typename ExecutionSpace::memory_space>& grid,
  const FactoringView& factoring, const Kokkos::View<const double*, typename ExecutionSpace::memory_space>& times,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& ofLeaves);

} // namespace spanwise::eikonal
