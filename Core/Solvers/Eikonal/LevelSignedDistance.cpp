#include "Core/Solvers/Eikonal/LevelSignedDistance.hpp"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Solvers/Eikonal/Detail/CheckSpacing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace spanwise::eikonal {

namespace {

constexpr int maxLevels = 64;
constexpr double infinite = Kokkos::Experimental::infinity_v<double>;

/// Places between two corners, in cells of level 0. They may be infinitely far away.
template <int Dim>
struct Corners {
  double low[Dim];
  double high[Dim];
};

template <int Dim>
struct DistanceToLeaves {
  struct Level {
    geometry::IntervalSetView<Dim> some;
    geometry::IntervalSetView<Dim> all;
  };
  struct Block {
    double square; ///< of the distance
    geometry::Coordinate at[Dim];
    int level;
  };

  Level levels[maxLevels];
  int numLevels;
  int numAbove;
  geometry::Box<Dim> coarsest; ///< the blocks of the first level
  geometry::GridGeometry<Dim> root;
  geometry::Periods<Dim> periods;
  const double* points;
  double* distances;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    double p[Dim];
    for (int axis = 0; axis < Dim; ++axis) {
      p[axis] = (points[Dim * i + axis] - root.origin[axis]) / root.spacing[axis];
      if (periods.along[axis]) {
        const auto length = static_cast<double>(periods.box.extent(axis));
        p[axis] -= length * Kokkos::floor((p[axis] - periods.box.begin[axis]) / length);
      }
    }
    const bool inside = covers(p);
    double best = infinite;
    forImages(p, [&](const double* image) { best = nearest(image, inside, best); });
    distances[i] = inside ? -Kokkos::sqrt(best) : Kokkos::sqrt(best);
  }

private:
  /// How many cells of a level lie along one of level 0.
  [[nodiscard]] KOKKOS_FUNCTION double scaleOf(int level) const {
    const auto power =
      static_cast<double>(std::uint64_t{1} << (level < numAbove ? numAbove - level : level - numAbove));
    return level < numAbove ? 1.0 / power : power;
  }

  [[nodiscard]] KOKKOS_FUNCTION bool covers(const double* p) const {
    for (int level = 0; level < numLevels; ++level) {
      geometry::Cell<Dim> cell;
      for (int axis = 0; axis < Dim; ++axis) {
        const double at = Kokkos::floor(p[axis] * scaleOf(level));
        if (!(at >= geometry::minCoordinate && at <= geometry::maxRowKey)) {
          return false;
        }
        cell.at[axis] = static_cast<geometry::Coordinate>(at);
      }
      if (levels[level].all.findCell(cell) >= 0) {
        return true;
      }
      if (levels[level].some.findCell(cell) < 0) {
        return false;
      }
    }
    return false;
  }

  /// Visits a point and its images beside the period.
  template <class Visit>
  KOKKOS_FUNCTION void forImages(const double* p, const Visit& visit) const {
    constexpr int numImages = Dim == 2 ? 9 : 27;
    for (int k = 0; k < numImages; ++k) {
      const int number = (k + numImages / 2) % numImages; // the point itself first
      double image[Dim];
      bool isThere = true;
      for (int axis = 0, rest = number; axis < Dim; ++axis, rest /= 3) {
        const int by = rest % 3 - 1;
        isThere = isThere && (by == 0 || periods.along[axis]);
        image[axis] = p[axis] + (by == 0 ? 0.0 : by * static_cast<double>(periods.box.extent(axis)));
      }
      if (isThere) {
        visit(image);
      }
    }
  }

  [[nodiscard]] KOKKOS_FUNCTION double squareTo(const double* p, const Corners<Dim>& box) const {
    double square = 0.0;
    for (int axis = 0; axis < Dim; ++axis) {
      const double away = Kokkos::max(Kokkos::max(box.low[axis] - p[axis], p[axis] - box.high[axis]), 0.0);
      square += away * root.spacing[axis] * (away * root.spacing[axis]);
    }
    return square;
  }

  [[nodiscard]] KOKKOS_FUNCTION Corners<Dim> cornersOf(const Block& block) const {
    const double size = 1.0 / scaleOf(block.level);
    Corners<Dim> box;
    for (int axis = 0; axis < Dim; ++axis) {
      box.low[axis] = block.at[axis] * size;
      box.high[axis] = (block.at[axis] + 1.0) * size;
    }
    return box;
  }

  /// The squared distance to what is outside of the leaves and in a box; infinite where the box is out of the period.
  [[nodiscard]] KOKKOS_FUNCTION double squareWithinPeriod(const double* p, Corners<Dim> box) const {
    for (int axis = 0; axis < Dim; ++axis) {
      if (periods.along[axis]) {
        box.low[axis] = Kokkos::max(box.low[axis], static_cast<double>(periods.box.begin[axis]));
        box.high[axis] = Kokkos::min(box.high[axis], static_cast<double>(periods.box.end[axis]));
      }
      if (!(box.low[axis] < box.high[axis])) {
        return infinite;
      }
    }
    return squareTo(p, box);
  }

  /// The squared distance to the places beside all blocks.
  [[nodiscard]] KOKKOS_FUNCTION double squareBeyondBlocks(const double* p) const {
    const double size = 1.0 / scaleOf(0);
    double best = infinite;
    for (int side = 0; side < 2 * Dim; ++side) {
      Corners<Dim> beyond;
      for (int axis = 0; axis < Dim; ++axis) {
        beyond.low[axis] = -infinite;
        beyond.high[axis] = infinite;
      }
      const int across = side / 2;
      if (side % 2 == 0) {
        beyond.high[across] = coarsest.begin[across] * size;
      } else {
        beyond.low[across] = coarsest.end[across] * size;
      }
      best = Kokkos::min(best, squareWithinPeriod(p, beyond));
    }
    return best;
  }

  /// The least of `best` and the squared distances to blocks of the other kind.
  [[nodiscard]] KOKKOS_FUNCTION double nearest(const double* p, bool inside, double best) const {
    Block stack[maxLevels << Dim];
    int count = 0;
    if (inside) {
      best = Kokkos::min(best, squareBeyondBlocks(p));
    }
    for (int number = 0; number < (1 << Dim); ++number) {
      Block block{0.0, {}, 0};
      bool isThere = numLevels > 0;
      for (int axis = 0; axis < Dim; ++axis) {
        block.at[axis] = coarsest.begin[axis] + ((number >> axis) & 1);
        isThere = isThere && block.at[axis] < coarsest.end[axis];
      }
      if (isThere) {
        push(p, best, block, stack, 0, count);
      }
    }
    while (count > 0) {
      const Block block = stack[--count];
      if (!(block.square < best)) {
        continue;
      }
      geometry::Cell<Dim> cell;
      for (int axis = 0; axis < Dim; ++axis) {
        cell.at[axis] = block.at[axis];
      }
      const bool isSome = levels[block.level].some.findCell(cell) >= 0;
      const bool isAll = isSome && levels[block.level].all.findCell(cell) >= 0;
      if (isSome && !isAll) {
        const int begin = count;
        for (int number = 0; number < (1 << Dim); ++number) {
          Block child{0.0, {}, block.level + 1};
          for (int axis = 0; axis < Dim; ++axis) {
            child.at[axis] = 2 * block.at[axis] + ((number >> axis) & 1);
          }
          push(p, best, child, stack, begin, count);
        }
      } else if (isAll != inside) {
        best = Kokkos::min(best, inside ? squareWithinPeriod(p, cornersOf(block)) : block.square);
      }
    }
    return best;
  }

  /// Adds a block where it may be nearer than the best, the nearest of those from `begin` on last.
  KOKKOS_FUNCTION void push(const double* p, double best, Block block, Block* stack, int begin, int& count) const {
    block.square = squareTo(p, cornersOf(block));
    if (!(block.square < best)) {
      return;
    }
    int at = count++;
    for (; at > begin && stack[at - 1].square < block.square; --at) {
      stack[at] = stack[at - 1];
    }
    stack[at] = block;
  }
};

template <class ExecutionSpace, int Dim>
bool isSmall(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set) {
  const geometry::Box<Dim> box = boundingBox<ExecutionSpace, Dim>(context, set);
  for (int axis = 0; axis < Dim; ++axis) {
    if (box.extent(axis) > 2) { // cells -1 and 0 have no parent in common
      return false;
    }
  }
  return true;
}

} // namespace

template <class ExecutionSpace, int Dim>
void blocksOfLeaves(const Context<ExecutionSpace>& context, const multilevel::LeavesOn<Dim, ExecutionSpace>& leaves,
  LevelBlocksOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Eikonal::blocksOfLeaves");
  // From the finest level up, and turned round in the end.
  const auto numOfLeaves = static_cast<int>(leaves.size());
  std::reverse(out.some.begin(), out.some.end());
  std::reverse(out.all.begin(), out.all.end());
  int count = 0;
  for (;; ++count) {
    const int level = numOfLeaves - 1 - count;
    if (count >= numOfLeaves && (count == 0 || isSmall<ExecutionSpace, Dim>(context, out.some[count - 1]))) {
      break;
    }
    if (static_cast<int>(out.some.size()) == count) {
      out.some.emplace_back();
      out.all.emplace_back();
    }
    const auto make = [&](multilevel::Coarsening which,
                        std::vector<typename LevelBlocksOn<Dim, ExecutionSpace>::Set>& sets) {
      if (count == 0) {
        sets[0] = leaves[level];
        return;
      }
      coarsen<ExecutionSpace, Dim>(context, which, sets[count - 1], sets[count]);
      if (level >= 0 && !leaves[level].empty()) {
        combine<ExecutionSpace, Dim>(context, geometry::SetOperation::Union, sets[count], leaves[level], sets[count]);
      }
    };
    make(multilevel::Coarsening::Outside, out.some);
    make(multilevel::Coarsening::Inside, out.all);
  }
  out.some.resize(count);
  out.all.resize(count);
  out.numAbove = count - numOfLeaves;
  std::reverse(out.some.begin(), out.some.end());
  std::reverse(out.all.begin(), out.all.end());
}

template <class ExecutionSpace, int Dim>
void signedDistanceToLeaves(const Context<ExecutionSpace>& context, const LevelBlocksOn<Dim, ExecutionSpace>& blocks,
  const geometry::GridGeometry<Dim>& root, const geometry::Periods<Dim>& periods,
  const Kokkos::View<const double*, typename ExecutionSpace::memory_space>& points,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& distances) {
  SPANWISE_REGION("Eikonal::signedDistanceToLeaves");
  checkSpacing(root);
  if (points.extent(0) != Dim * distances.extent(0)) {
    throw InvalidArgument("there are " + std::to_string(distances.extent(0)) + " distances and " +
      std::to_string(points.extent(0)) + " coordinates: each distance has " + std::to_string(Dim) + " of them");
  }
  if (blocks.numLevels() > maxLevels) {
    throw InvalidArgument("the leaves make blocks of " + std::to_string(blocks.numLevels()) +
      " levels: there may be at most " + std::to_string(maxLevels));
  }
  DistanceToLeaves<Dim> kernel{
    {}, blocks.numLevels(), blocks.numAbove, {}, root, periods, points.data(), distances.data()};
  for (int level = 0; level < blocks.numLevels(); ++level) {
    kernel.levels[level] = {blocks.some[level].view(), blocks.all[level].view()};
  }
  if (blocks.numLevels() > 0) {
    kernel.coarsest = boundingBox<ExecutionSpace, Dim>(context, blocks.some.front());
    checkPeriods<ExecutionSpace, Dim>(context, blocks.some[blocks.numAbove], periods);
  }
  forEach(SPANWISE_KERNEL("leaf distance"),
    IndexRange<ExecutionSpace>(context.space(), 0, static_cast<std::int64_t>(distances.extent(0))), kernel,
    Work{64 * static_cast<std::int64_t>(distances.extent(0))});
}

#define SPANWISE_LEVEL_SIGNED_DISTANCE(Space, Dim)                                                                     \
  template void blocksOfLeaves<Space, Dim>(                                                                            \
    const Context<Space>&, const multilevel::LeavesOn<Dim, Space>&, LevelBlocksOn<Dim, Space>&);                       \
  template void signedDistanceToLeaves<Space, Dim>(const Context<Space>&, const LevelBlocksOn<Dim, Space>&,            \
    const geometry::GridGeometry<Dim>&, const geometry::Periods<Dim>&,                                                 \
    const Kokkos::View<const double*, Space::memory_space>&, const Kokkos::View<double*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_LEVEL_SIGNED_DISTANCE)

} // namespace spanwise::eikonal
