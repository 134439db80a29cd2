#ifndef SpanwiseConformingMesh_h
#define SpanwiseConformingMesh_h

// A mesh without hanging nodes over the leaves of a hierarchy. Internal to this library.
//
// Where two levels meet, the larger cell gets the nodes of the smaller ones. An edge of the lattice of level k is cut
// in its middle, and its halves as edges of level k + 1 in turn, if a cell of level k at it has finer leaves in it; a
// face (3D) is cut into four squares if one of the two cells at it has. Every cell of level k cuts its edges and faces
// by this one rule, so whoever shares an edge or a face sees it cut alike, however many levels lie between them and
// whether there are cells on the other side or not.
//
// A leaf none of whose edges and faces is cut stays a quadrilateral or a hexahedron. Any other leaf is split around its
// centre: in 2D into a triangle for each piece of its edges; in 3D into a pyramid for each square of its faces, or, if
// edges of the square are cut (because of cells that touch it there only), into a tetrahedron for each piece of the
// square's edges, around the square's centre. A contour by cases meets a square the same way from a hexahedron and from
// a pyramid.

#include "SpanwiseHierarchy.h"

#include "Core/Runtime/Progress.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace spanwise {

/// Coordinates on the lattice of the finest level.
using FinePoint = std::array<std::int64_t, 3>;

/// A node of a leaf, and what the leaf's value counts for there.
struct NodeShare {
  std::int64_t node;
  double weight;
};

struct ConformingMesh {
  int finest = 0; ///< the level on whose lattice nodes are counted
  std::vector<FinePoint> nodes;

  std::vector<unsigned char> types; ///< VTK's
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int64_t> connectivity;
  std::vector<std::int64_t> sources; ///< the leaf of each cell, counted over the levels one after the other

  /// How nodes get values: those of leaf l, and how much the value of the leaf counts there, are
  /// shares[firstShare[l] ... firstShare[l + 1]). A leaf counts for the share of the surroundings of the node that it
  /// takes, divided by its size: then the mean over the leaves is exact for linear functions inside of a hierarchy
  /// whose neighbours differ by one level.
  std::vector<std::int64_t> firstShare{0};
  std::vector<NodeShare> shares;
};

/// The mesh of a hierarchy. Cells are made for the leaves in `planes` of level 0 only. `finest` is no less than the
/// finest level with leaves. O(nodes log nodes). Throws CoordinateOverflow if a cell beside one with finer leaves would
/// lie beyond the coordinate limits.
template <int Dim>
ConformingMesh makeConformingMesh(
  const Hierarchy<Dim>& hierarchy, int finest, const PlaneRange& planes, const Progress& progress = {});

} // namespace spanwise

#endif
