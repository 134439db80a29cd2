#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Mesh/SharedExchange.hpp"
#include "Core/Mesh/SharedVertices.hpp"
#include "Core/Mesh/VertexBall.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/EdgeTimes.hpp"
#include "Core/Solvers/Eikonal/MeshBorder.hpp"
#include "Core/Solvers/Eikonal/Seam.hpp"
#include "Core/Solvers/Eikonal/Speed.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace spanwise::eikonal {

/// The number of the edge between two vertices of a simplex: 01, 02, 12, 03, 13, 23. It is the order of their Gray
/// codes, in which a vertex is one bit and an edge the two bits of its ends: 0011, 0101, 0110, 1001, 1010, 1100.
KOKKOS_FORCEINLINE_FUNCTION constexpr int edgeBetween(int i, int j) {
  return i < j ? j * (j - 1) / 2 + i : i * (i - 1) / 2 + j;
}

/// A triangle or tetrahedron with all that its local problems ask for. A tetrahedron is one cache line: a front comes
/// to simplices in no order, and every line of one is a wait for memory.
template <int numCorners>
struct alignas(numCorners == 4 ? 64 : alignof(double)) Simplex {
  static constexpr int numEdges = numCorners * (numCorners - 1) / 2;

  std::int32_t vertices[numCorners];
  double products[numEdges]; ///< e^T N e, the squared travel times along edges, by edgeBetween()
};
static_assert(sizeof(Simplex<4>) == 64);

/// What kernels see of a simplex mesh. Behind the simplices stand the joins of a seam: simplices between the vertices
/// of a pair, which take no time. They are in the balls of both, and have no element and no place.
template <int numCorners>
struct SimplexMeshView {
  const Simplex<numCorners>* simplices = nullptr; ///< [numSimplices + numJoins]
  const std::int32_t* elements = nullptr;         ///< [numSimplices]: the element of the mesh that it is a part of
  BallView ball;
  std::int64_t numSimplices = 0;
  std::int64_t numVertices = 0;
  std::int64_t numJoins = 0;

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION const Simplex<numCorners>& operator[](std::int64_t s) const {
    return simplices[s];
  }

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool isJoin(std::int64_t s) const { return s >= numSimplices; }

  /// Calls visit(w) for all other vertices that are one with v (joinSeam()).
  template <class Visit>
  KOKKOS_FUNCTION void forTwins(std::int32_t v, const Visit& visit) const {
    forPartners(v, [&](std::int32_t w) {
      visit(w);
      forPartners(w, [&](std::int32_t other) {
        if (other != v) {
          visit(other);
        }
      });
    });
  }

private:
  /// Joins are the last in a ball.
  template <class Visit>
  KOKKOS_FUNCTION void forPartners(std::int32_t v, const Visit& visit) const {
    for (int k = ball.degrees[v] - 1; k >= 0 && isJoin(BallView::element(ball(v, k))); --k) {
      const Simplex<numCorners>& join = simplices[BallView::element(ball(v, k))];
      if (join.vertices[0] == v) {
        visit(join.vertices[1]);
      } else if (BallView::local(ball(v, k)) == 1) { // the others are the same
        visit(join.vertices[0]);
      }
    }
  }
};

/// How many elements are of some kind, and the first of them (-1: none).
struct Found {
  std::int64_t count = 0;
  std::int64_t first = -1;
};

/// A mesh as the fast iterative method needs it: triangles (numCorners 3) or tetrahedra (4), the squared travel times
/// along their edges, and the simplices around each vertex. Made once for a mesh and its speeds, used for any number of
/// solutions. On several ranks each has a part of it, and knows which vertices others have too. Lives no longer than
/// the communicator.
template <int numCorners, class ExecutionSpace>
class SimplexMesh {
public:
  static_assert(numCorners == 3 || numCorners == 4, "simplices are triangles or tetrahedra");
  using View = SimplexMeshView<numCorners>;
  using Memory = typename ExecutionSpace::memory_space;

  [[nodiscard]] const View& view() const { return view_; }
  [[nodiscard]] const BallOccupancy& occupancy() const { return ball_.occupancy(); }
  [[nodiscard]] std::int64_t numVertices() const { return view_.numVertices; }
  [[nodiscard]] std::int64_t numSimplices() const { return view_.numSimplices; }

  /// Elements that are not used since they have no area or volume, or two corners in one place.
  [[nodiscard]] Found degenerate() const { return degenerate_; }
  /// Solid elements that are turned inside out, by the order of their vertices. They are used like all others.
  [[nodiscard]] Found inverted() const { return inverted_; }
  /// Elements that are not used since their speed is 0.
  [[nodiscard]] Found walls() const { return walls_; }

  /// About the geometric mean of the travel times along the edges of all ranks' simplices, each counting its own.
  [[nodiscard]] double meanEdgeTime() const { return meanEdgeTime_; }

  [[nodiscard]] const Communicator& communicator() const { return *communicator_; }
  /// The vertices that other ranks have too; of one process null.
  [[nodiscard]] const SharedVertices* shared() const { return communicator_->alone() ? nullptr : &shared_; }
  /// What times go over while they are computed.
  [[nodiscard]] MeshBorder<ExecutionSpace>& border() { return *border_; } // NOLINT(bugprone-unchecked-optional-access)
  /// What else ranks tell each other of the vertices that they share; of one process nothing.
  [[nodiscard]] SharedExchange<ExecutionSpace>& exchange() {
    return *exchange_; // NOLINT(bugprone-unchecked-optional-access)
  }

  [[nodiscard]] std::size_t bytes() const {
    return simplices_.span() * sizeof(Simplex<numCorners>) + elements_.span() * sizeof(std::int32_t) + ball_.bytes();
  }

private:
  template <class Space, int corners, MeshReal Real, MeshIndex Index>
  friend void buildSimplexMesh(const Context<Space>&, const MeshView<Real, Index>&, const Speed&,
    SimplexMesh<corners, Space>&, const Seam&, const SharedVertices*);

  /// Makes the triangles or tetrahedra of this rank; returns the travel times along their edges.
  template <MeshReal Real, MeshIndex Index>
  EdgeTimes split(
    const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh, const Speed& speed, const Seam& seam);
  void connect(const ExecutionSpace& space, const Communicator& communicator, const SharedVertices* shared);

  Kokkos::View<Simplex<numCorners>*, Memory> simplices_;
  Kokkos::View<std::int32_t*, Memory> elements_;
  VertexBall<Memory> ball_;
  View view_;
  Found degenerate_;
  Found inverted_;
  Found walls_;
  double meanEdgeTime_ = 0.0;
  const Communicator* communicator_ = &singleProcess();
  SharedVertices shared_;
  std::optional<MeshBorder<ExecutionSpace>> border_;
  std::optional<SharedExchange<ExecutionSpace>> exchange_;
};

/// Collective. out = the triangles (corners 3) or tetrahedra (4) of a mesh, of which each rank of the context has a
/// part, with the vertices that its elements touch; it may have none. Elements of that dimension are split without new
/// vertices (splitByPlace()), others are left out. Elements without area or volume are left out and counted. Fronts go
/// from one vertex of a pair of `seam` to the other. `shared`: the vertices that other ranks have too
/// (sharedVerticesOf(), which numbers them as `mesh` does); null: none.
///
/// The memory of `out` is used again where it is large enough. O(corners + vertices * slots of the ball). Throws
/// InvalidArgument, on all ranks, where an element names a vertex that does not exist or that is farther from 0 than
/// farthestCoordinate, the speed of one is not valid (Speed::isValid()), there are 2^31 - 1 vertices or elements or
/// more, or shared vertices are not those of the mesh or of the other ranks.
template <class ExecutionSpace, int corners, MeshReal Real, MeshIndex Index>
void buildSimplexMesh(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh, const Speed& speed,
  SimplexMesh<corners, ExecutionSpace>& out, const Seam& seam = {}, const SharedVertices* shared = nullptr);

} // namespace spanwise::eikonal
