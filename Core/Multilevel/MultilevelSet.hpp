#pragma once

#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace spanwise::multilevel {

/// How many levels a hierarchy may have, the root included.
inline constexpr int maxNumLevels = 16;

/// The lattice with origin 0 and spacing 1.
template <int Dim>
constexpr geometry::GridGeometry<Dim> unitLattice() {
  geometry::GridGeometry<Dim> lattice{};
  std::fill(lattice.spacing, lattice.spacing + Dim, 1.0);
  return lattice;
}

/// A hierarchy of levels: level 0 is the root, the domain; each further one has cells of half the size.
///
/// level(l) holds the cells that are **covered** at level l: the leaves of that level, and the cells that have children
/// on level l + 1. Covered cells are stored, not leaves, since what is done with levels asks for them: a coarse cell
/// under finer ones holds the mean of their values, so a level has neighbours, stencils, and something to prolong from,
/// everywhere; coarsening a level gives what is refined, and differences of the two give the leaves (leaves()). The
/// price is a third (2D) or a seventh (3D) more cells. makeLevelsFromLeaves() goes the other way.
///
/// The rules, which validate() checks: no level but finer ones of an empty one is empty; the cells of each level but
/// the root are complete groups of 2^Dim siblings; their parents are cells of the level below (nesting). The leaves of
/// all levels then tile the root. That neighbouring leaves differ by at most one level is not a rule: balance() makes
/// it so.
///
/// Copies share arrays, as IntervalSet does.
template <int Dim, class MemorySpace>
class MultilevelSet {
public:
  using Set = geometry::IntervalSet<Dim, MemorySpace>;
  using memory_space = MemorySpace;
  static constexpr int dimension = Dim;

  /// A hierarchy with no cells. `root` is where cells of level 0 lie.
  explicit MultilevelSet(const geometry::GridGeometry<Dim>& root = unitLattice<Dim>()) : root_(root) {}

  /// Where the cells of a level lie: one origin, and dx = root dx / 2^level.
  [[nodiscard]] geometry::GridGeometry<Dim> lattice(int level) const {
    geometry::GridGeometry<Dim> lattice = root_;
    for (double& spacing : lattice.spacing) {
      spacing /= static_cast<double>(std::int64_t{1} << level);
    }
    return lattice;
  }
  [[nodiscard]] double dx(int level, int axis = 0) const { return lattice(level).spacing[axis]; }
  void setRootLattice(const geometry::GridGeometry<Dim>& root) { root_ = root; }

  /// Levels from the root to the finest; at least 1.
  [[nodiscard]] int numLevels() const { return numLevels_; }
  [[nodiscard]] int finest() const { return numLevels_ - 1; }
  /// Throws InvalidArgument unless 1 <= count <= maxNumLevels. Levels that go are emptied but keep their memory.
  void setNumLevels(int count) {
    if (count < 1 || count > maxNumLevels) {
      throw InvalidArgument(
        "a hierarchy has 1 to " + std::to_string(maxNumLevels) + " levels, not " + std::to_string(count));
    }
    for (int l = count; l < numLevels_; ++l) {
      level(l).clear();
    }
    numLevels_ = count;
  }

  /// The covered cells of a level, 0 <= l < numLevels(). Who writes them keeps the rules, or calls validate().
  [[nodiscard]] const Set& level(int l) const { return levels_[static_cast<std::size_t>(l)]; }
  [[nodiscard]] Set& level(int l) { return levels_[static_cast<std::size_t>(l)]; }

  /// Cells of a level with children.
  [[nodiscard]] std::int64_t numRefined(int l) const {
    return l + 1 < std::min(numLevels_, maxNumLevels) ? level(l + 1).numCells() / (std::int64_t{1} << Dim) : 0;
  }
  [[nodiscard]] std::int64_t numLeaves(int l) const { return level(l).numCells() - numRefined(l); }
  [[nodiscard]] std::int64_t numLeaves() const {
    std::int64_t sum = 0;
    for (int l = 0; l < numLevels_; ++l) {
      sum += numLeaves(l);
    }
    return sum;
  }
  [[nodiscard]] bool empty() const { return level(0).empty(); }

  /// Bytes of all arrays, used or reserved.
  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = 0;
    for (const Set& set : levels_) {
      sum += set.bytes();
    }
    return sum;
  }

private:
  geometry::GridGeometry<Dim> root_;
  std::array<Set, maxNumLevels> levels_;
  int numLevels_ = 1;
};

/// A hierarchy in the memory of an execution space.
template <int Dim, class ExecutionSpace>
using MultilevelSetOn = MultilevelSet<Dim, typename ExecutionSpace::memory_space>;

/// A hierarchy in the host's memory.
template <int Dim>
using HostMultilevelSet = MultilevelSet<Dim, Kokkos::HostSpace>;

} // namespace spanwise::multilevel
