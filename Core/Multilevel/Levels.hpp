#pragma once

#include "Core/Geometry/Connectivity.hpp"
#include "Core/Geometry/Copy.hpp"
#include "Core/Multilevel/MultilevelSet.hpp"
#include "Core/Runtime/Context.hpp"

#include <optional>
#include <string>
#include <vector>

namespace spanwise::multilevel {

template <class ExecutionSpace, int Dim>
class LevelDomain;

/// How much finer than a leaf its neighbours may be.
enum class Grading {
  Nested, ///< any number of levels
  Face,   ///< one level, across faces
  Edge,   ///< one level, across faces and edges
  Vertex, ///< one level, across faces, edges and vertices: p4est's full balance
};

/// The grading across the neighbours of a connectivity.
constexpr Grading gradingAcross(geometry::Connectivity connectivity) {
  return connectivity == geometry::Connectivity::Face ? Grading::Face
    : connectivity == geometry::Connectivity::Edge    ? Grading::Edge
                                                      : Grading::Vertex;
}

/// out = the cells of level `l` that have children. O(rows + intervals of level l + 1).
template <class ExecutionSpace, int Dim>
void refinedCells(const Context<ExecutionSpace>& context, const MultilevelSetOn<Dim, ExecutionSpace>& levels, int l,
  geometry::IntervalSetOn<Dim, ExecutionSpace>& out);

/// out = the leaves of level `l`: its cells without children. O(rows + intervals of levels l and l + 1). A repeated
/// call allocates nothing.
template <class ExecutionSpace, int Dim>
void leaves(const Context<ExecutionSpace>& context, const MultilevelSetOn<Dim, ExecutionSpace>& levels, int l,
  geometry::IntervalSetOn<Dim, ExecutionSpace>& out);

/// out = the hierarchy with the given refined cells, and as many more as the grading asks for: the smallest one, in
/// which no more is refined than has to be.
///
/// The root, level 0 of `out`, is the domain and stays as it is. refined[l] are cells of level l; those outside of the
/// domain do not count. A cell is refined if it is in refined[l], if its children are not all leaves, or if it is a
/// neighbour of a cell of level l + 1 that has children and the grading asks for that. Levels are made from the finest
/// to the root in one sweep: with R_l what is refined on level l, R_(l-1) holds refined[l-1] and the parents of all
/// cells that are in R_l or its neighbours. That gives complete groups of siblings, nesting and balance at once, and
/// every cell of it is needed.
///
/// The neighbours of a cell are those within the domain: it does not wrap around. Throws InvalidArgument for more than
/// maxNumLevels - 1 sets of refined cells, CoordinateOverflow if cells of the finest level would lie beyond the
/// coordinate limits; `out` is then its root. O(rows + intervals) of the result. A repeated call allocates nothing.
/// Source: C. Burstedde, L. C. Wilcox, O. Ghattas, SIAM J. Sci. Comput. 33 (2011), for what a balanced forest is.
template <class ExecutionSpace, int Dim>
void makeLevels(const Context<ExecutionSpace>& context,
  const std::vector<geometry::IntervalSetOn<Dim, ExecutionSpace>>& refined, Grading grading,
  MultilevelSetOn<Dim, ExecutionSpace>& out);

/// Refines leaves until none has a neighbour more than one level finer: the smallest such refinement of the
/// hierarchy, which keeps the rules of MultilevelSet (validate()). Balancing again changes nothing. As makeLevels()
/// with what is refined already.
template <class ExecutionSpace, int Dim>
void balance(const Context<ExecutionSpace>& context, geometry::Connectivity connectivity,
  MultilevelSetOn<Dim, ExecutionSpace>& levels);

/// Collective. The same in a domain that is cut among ranks, or repeats along axes: cells across a cut and at the other
/// end of a period are neighbours. Each rank gives cells of its own and gets the cells of its own planes; all get as
/// many levels. For each level the planes of refined cells beside cuts are sent. A repeated call makes no
/// arrays. Throws on all ranks alike; as LevelDomain::surround() too.
template <class ExecutionSpace, int Dim>
void makeLevels(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain,
  const std::vector<geometry::IntervalSetOn<Dim, ExecutionSpace>>& refined, Grading grading,
  MultilevelSetOn<Dim, ExecutionSpace>& out);
template <class ExecutionSpace, int Dim>
void balance(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain,
  geometry::Connectivity connectivity, MultilevelSetOn<Dim, ExecutionSpace>& levels);

/// out = the hierarchy with these leaves; leaves[l] of level l. Throws InvalidArgument if they are not the leaves of a
/// hierarchy, with `out` empty: if groups of siblings are not complete or a leaf lies over another. `out` keeps its
/// root lattice.
template <class ExecutionSpace, int Dim>
void makeLevelsFromLeaves(const Context<ExecutionSpace>& context,
  const std::vector<geometry::IntervalSetOn<Dim, ExecutionSpace>>& leaves, MultilevelSetOn<Dim, ExecutionSpace>& out);

/// Checks the rules of MultilevelSet, those of each set included. Returns an empty string if all are kept, otherwise
/// which one is broken where, such as "level 2: the parent of the cell (4, -3) is not on level 1". With a grading,
/// neighbouring leaves are checked too. O(rows + intervals).
template <class ExecutionSpace, int Dim>
std::string validate(const Context<ExecutionSpace>& context, const MultilevelSetOn<Dim, ExecutionSpace>& levels,
  Grading grading = Grading::Nested);

/// Collective. The same in a domain that is cut among ranks, or repeats along axes: neighbours across cuts and at the
/// other ends of periods are checked too, and that cells are of their ranks' boxes. All ranks get what one rank says of
/// the whole; where an array of a set is wrong, which has other numbers there, the first such rank is named. Throws on
/// all ranks.
template <class ExecutionSpace, int Dim>
std::string validate(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain,
  const MultilevelSetOn<Dim, ExecutionSpace>& levels, Grading grading = Grading::Nested);

/// out = a copy of `levels` in the memory of `out`, with arrays of exact length. Waits for the copy.
template <int Dim, class From, class To>
void copy(const MultilevelSet<Dim, From>& levels, MultilevelSet<Dim, To>& out) {
  out.setRootLattice(levels.lattice(0));
  out.setNumLevels(levels.numLevels());
  for (int l = 0; l < levels.numLevels(); ++l) {
    copy(levels.level(l), out.level(l));
  }
}

} // namespace spanwise::multilevel
