#pragma once

#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/List.hpp"
#include "Core/Geometry/NodeRows.hpp"
#include "Core/Geometry/StructuringElement.hpp"
#include "Core/Mesh/ElementType.hpp"
#include "Core/Multilevel/FinePoint.hpp"
#include "Core/Multilevel/LeafCover.hpp"
#include "Core/Parallel/RowCut.hpp"
#include "Core/Runtime/Context.hpp"

#include <cstdint>
#include <vector>

namespace spanwise::multilevel {

/// A leaf at a point of a mesh, and how many of the 2^Dim orthants around the point it takes.
class LeafShare {
public:
  LeafShare() = default;
  KOKKOS_FUNCTION LeafShare(std::int64_t leaf, int level, int log2Orthants)
    : code_(leaf << 7 | level << 2 | log2Orthants) {}

  /// The number of the leaf, those of all levels counted one after the other.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t leaf() const { return code_ >> 7; }
  /// The orthants, divided by the leaf's size; in units of 1 / size of level 0.
  [[nodiscard]] KOKKOS_FUNCTION double weight() const {
    return static_cast<double>((std::int64_t{1} << (code_ & 3)) << (code_ >> 2 & 31));
  }

  friend KOKKOS_FUNCTION bool operator==(const LeafShare& a, const LeafShare& b) { return a.code_ == b.code_; }
  friend KOKKOS_FUNCTION bool operator<(const LeafShare& a, const LeafShare& b) { return a.code_ < b.code_; }

private:
  std::int64_t code_;
};

/// A mesh without hanging nodes over the leaves of a hierarchy. Every point is there once and in use. Leaves are
/// numbered over the levels, one after the other. Keeps its memory.
template <class MemorySpace>
struct ConformingMesh {
  int finest = 0;                                 ///< the level on whose lattice points lie
  geometry::List<FinePoint, MemorySpace> points;  ///< corners of leaves in order, centres of split leaves, all others
  geometry::List<ElementType, MemorySpace> types; ///< [cells]
  geometry::List<std::int64_t, MemorySpace> offsets; ///< [cells + 1] the first entry of each cell in the connectivity
  geometry::List<std::int64_t, MemorySpace> connectivity; ///< points of cells, in VTK's order
  geometry::List<std::int64_t, MemorySpace>
    sources; ///< [cells] the leaf of each cell, of those in the planes; ascending
  geometry::List<std::int64_t, MemorySpace> shareOffsets; ///< [points + 1] the first entry of each point in the shares
  geometry::List<LeafShare, MemorySpace> shares; ///< the leaves at each point, ascending; some stand there repeatedly
};

template <class ExecutionSpace>
using ConformingMeshOn = ConformingMesh<typename ExecutionSpace::memory_space>;

/// What makeConformingMesh() works with. Keeps its memory.
template <int Dim, class MemorySpace>
struct ConformingScratch {
  using Set = geometry::IntervalSet<Dim, MemorySpace>;
  static geometry::StructuringElement<Dim> boxOfOne() {
    geometry::Cell<Dim> ones{};
    for (int d = 0; d < Dim; ++d) {
      ones.at[d] = 1;
    }
    return geometry::StructuringElement<Dim>::box(ones);
  }

  geometry::NodeRowsScratch<Dim, MemorySpace> ofNodeRows;
  std::vector<Set> nodeRows; ///< of each level, of all leaves
  std::vector<Set> owned;    ///< leaves of which cells are made
  std::vector<Set> ownedRows;
  std::vector<Set> split; ///< leaves with an edge or a face that is cut
  std::vector<Set> deep;  ///< those beside refined cells of the next level
  Set around;
  Set coarse;
  geometry::StructuringElement<Dim> cutting = geometry::StructuringElement<Dim>::neighbourhood(
    Dim == 2 ? geometry::Connectivity::Face : geometry::Connectivity::Edge, 1);
  geometry::StructuringElement<Dim> touching = boxOfOne();
};

template <int Dim, class ExecutionSpace>
using ConformingScratchOn = ConformingScratch<Dim, typename ExecutionSpace::memory_space>;

/// Of which leaves a mesh is made, and on which lattice.
struct ConformingOptions {
  int finest = 0; ///< the level of the lattice: no less than the finest level with leaves, and at most 30
  parallel::PlaneRange planes = {}; ///< of level 0: cells and points are made for the leaves in them
  bool withShares = true;           ///< whether the shares at the points are found
};

/// out = the mesh of leaves with this cover (coverOfLeaves()). Levels may differ by any number from leaf to leaf, and
/// leaves may be missing.
///
/// Where two levels meet, the larger cell gets the nodes of the smaller ones. An edge of the lattice of level k is cut
/// in its middle, and its halves as edges of level k + 1 in turn, if a cell of level k at it has finer leaves in it; a
/// face (3D) is cut into four squares if one of the two cells at it has. Every cell of level k cuts its edges and faces
/// by this one rule, so whoever shares an edge or a face sees it cut alike, however many levels lie between them and
/// whether there are cells on the other side or not.
///
/// A leaf none of whose edges and faces is cut stays a quadrilateral or a hexahedron. Any other leaf is split around
/// its centre: in 2D into a triangle for each piece of its edges; in 3D into a pyramid for each square of its faces,
/// or, if edges of the square are cut (because of cells that touch it there only), into a tetrahedron for each piece of
/// the square's edges, around the square's centre. A contour by cases meets a square the same way from a hexahedron and
/// from a pyramid.
///
/// The shares at the points are those of all leaves, also where cells are made for some: there leaves are numbered
/// with those of other planes. Less than 2^56 leaves.
///
/// How: points that are corners of leaves are the node rows of each level; merged, they are in order, and the number of
/// each node is found in one more pass. Splitting a leaf is a walk over its faces that asks for the refined cells
/// around it, 26 (8) bits unless neighbours differ by two levels; the points of a split leaf lie on a lattice of 27 (9)
/// places, whose numbers are kept. Points that are no corners are sorted. Counts, scans, and cells written where they
/// belong; no thread meets another but where leaves are counted at points, and these are sorted after. O(points log
/// levels + split leaves * log points). The same for any number of threads. A repeated call allocates nothing.
template <class ExecutionSpace, int Dim>
void makeConformingMesh(const Context<ExecutionSpace>& context, const LeavesOn<Dim, ExecutionSpace>& leaves,
  const LeafCoverOn<Dim, ExecutionSpace>& cover, const ConformingOptions& options,
  ConformingMeshOn<ExecutionSpace>& out, ConformingScratchOn<Dim, ExecutionSpace>& scratch);

/// places[p][3] = where the points of a mesh lie. `finest` is the lattice of level mesh.finest, in 2D with one plane of
/// cells. Does not wait.
template <class ExecutionSpace>
void placesOfPoints(const Context<ExecutionSpace>& context, const ConformingMeshOn<ExecutionSpace>& mesh,
  const geometry::GridGeometry<3>& finest, const Kokkos::View<double*, typename ExecutionSpace::memory_space>& places);

/// pointValues[p] = the mean of the values of the leaves at point p, weighted by the share of the surroundings of the
/// point that a leaf takes, divided by its size. That is exact for linear functions inside of a hierarchy whose
/// neighbours differ by at most one level. `leafValues` are those of all leaves. Sums in the order of the leaves, so
/// the same bits on every execution space that does not contract multiplications and sums. O(shares). Does not wait.
template <class ExecutionSpace>
void meansAtPoints(const Context<ExecutionSpace>& context, const ConformingMeshOn<ExecutionSpace>& mesh,
  const Kokkos::View<const double*, typename ExecutionSpace::memory_space>& leafValues,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& pointValues);

} // namespace spanwise::multilevel
