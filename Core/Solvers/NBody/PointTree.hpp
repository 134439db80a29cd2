#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/NBody/PeriodicBox.hpp"
#include "Core/Solvers/NBody/Points.hpp"

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace spanwise::nbody {

/// Boxes are halved at most so often. Where points lie closer together than the root's side / 2^deepestLevel, in one
/// place for example, a leaf has more of them than was asked for.
template <int Dim>
inline constexpr int deepestLevel = Dim == 3 ? 20 : 30;

/// A quadtree or octree of boxes over sources and targets, level by level, in arrays. A box is split while it has more
/// sources or more targets than a leaf may have; children without points do not exist.
///
/// Boxes are numbered along levels, and on a level along the Morton curve, so that the children of a box are numbered
/// without a gap. So are points: `sourceOrder` and `targetOrder` bring them into the order of the curve (points of the
/// same smallest cell keep theirs), in which a box has a range of them. Where targets are the sources, `targetBegin`,
/// `targetEnd` and `targetOrder` share the arrays of the sources.
///
/// The arrays of boxes may be longer than numBoxes(): a tree that is built again uses their memory again.
template <int Dim, class MemorySpace>
struct PointTree {
  static constexpr int maxChildren = 1 << Dim;
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;

  std::array<double, Dim> low{};           ///< corner of the root
  double side = 0.0;                       ///< of the root
  bool isPeriodic = false;                 ///< the root is a box that is repeated for ever
  std::vector<std::int32_t> levelBegin{0}; ///< boxes of level l are levelBegin[l] ... levelBegin[l + 1] - 1

  Array<std::uint64_t> key;   ///< Morton number of a box on its level
  Array<std::int32_t> parent; ///< -1 of the root
  Array<std::int32_t> firstChild;
  Array<std::int32_t> numChildren; ///< 0 of a leaf
  Array<std::int64_t> sourceBegin, sourceEnd, targetBegin, targetEnd;
  Array<std::int64_t> sourceOrder, targetOrder;

  [[nodiscard]] int numLevels() const { return static_cast<int>(levelBegin.size()) - 1; }
  [[nodiscard]] std::int32_t numBoxes() const { return levelBegin.back(); }
  [[nodiscard]] double sideOf(int level) const { return side / static_cast<double>(std::uint64_t{1} << level); }
};

/// Which sides a root may have, so that points that move little do not change it. With powers of two boxes have so few
/// sizes that what is made for each is seldom made anew; but a root may be nearly twice as wide as its points.
enum class RootSides { SixteenAnOctave, PowersOfTwo };

/// The root of a tree: which sides it may have, and with `evenLeaves` up to twice as large, so that boxes of a level
/// cut the points into about so many if they are spread evenly: halves of the smallest cube would have 2^Dim times too
/// few or too many.
struct RootShape {
  RootSides sides = RootSides::SixteenAnOctave;
  std::int64_t evenLeaves = 0;
};

/// Builds the tree of sources and targets (of one set, where both have the same coordinates) in the execution space's
/// memory, and waits for it. The root is a cube around all points; with a periodic box it is that box, a cube that
/// points lie in. The same for any number of threads. Without points there is no box.
///
/// Throws InvalidArgument if maxInLeaf < 1, or a coordinate is not finite or beyond 1e70 in magnitude. O(n log n + n
/// depth); allocates in `tree` and the workspace only what they do not have yet.
template <class ExecutionSpace, int Dim, class Real>
void buildTree(const Context<ExecutionSpace>& context, const PointsView<Dim, Real>& targets,
  const PointsView<Dim, Real>& sources, std::int64_t maxInLeaf,
  PointTree<Dim, typename ExecutionSpace::memory_space>& tree, const PeriodicBox* box = nullptr,
  const RootShape& shape = {});

} // namespace spanwise::nbody
