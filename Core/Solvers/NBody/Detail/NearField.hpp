#pragma once

// What expansions do not reach in a multipole method: pairs of particles of leaves that are near, particles of a leaf
// on the expansion of a smaller box, and moments of a box on the particles of a leaf. All three are tiles of direct
// sums; boxes are particles at Chebyshev's nodes there.

#include "Core/Solvers/NBody/Detail/FarField.hpp"
#include "Core/Solvers/NBody/Detail/FarKernel.hpp"
#include "Core/Solvers/NBody/Detail/HostSums.hpp"
#include "Core/Solvers/NBody/Detail/MultipoleSteps.hpp"
#include "Core/Solvers/NBody/Detail/NodeTable.hpp"

#include <algorithm>
#include <cstdint>

namespace spanwise::nbody::detail {

/// The nodes of a box as particles, relative to its centre.
template <int Dim, class Real>
struct BoxNodes {
  static constexpr int most = Dim == 2 ? maxOrder * maxOrder : 16 * 16 * 16;
  Real coordinates[Dim][most];
  int count = 1;

  BoxNodes(const NodeTable& table, double side) {
    for (int axis = 0; axis < Dim; ++axis) {
      count *= table.order;
    }
    for (int k = 0; k < count; ++k) {
      for (int axis = 0, rest = k; axis < Dim; ++axis, rest /= table.order) {
        coordinates[axis][k] = static_cast<Real>(0.5 * side * table.nodes[rest % table.order]);
      }
    }
  }
};

/// Applies the table's matrix or its transpose along all axes. Both arrays are overwritten; returns where the result
/// is.
template <int Dim, class Real>
Real* transformNodes(const NodeTable& table, bool toCoefficients, Real* values, Real* other) {
  const int order = table.order;
  std::int64_t inner = 1;
  std::int64_t outer = Dim == 2 ? order : order * order;
  for (int axis = 0; axis < Dim; ++axis, inner *= order, outer /= order) {
    applyAlong(table.transform.data(), toCoefficients ? 1 : order, toCoefficients ? order : 1, order, outer, inner,
      values, other);
    std::swap(values, other);
  }
  return values;
}

/// Particles relative to the centre of a box.
template <int Dim, class Real, int most>
struct ShiftedPoints {
  Real coordinates[Dim][most];

  template <class From>
  ShiftedPoints(
    const PointsView<Dim, From>& points, std::int64_t begin, std::int64_t end, const BoxFrame<Dim, Real>& frame) {
    for (int axis = 0; axis < Dim; ++axis) {
      for (std::int64_t i = begin; i < end; ++i) {
        coordinates[axis][i - begin] = (points.coordinates[axis][i] - frame.centre[axis]) - frame.centreRest[axis];
      }
    }
  }
};

/// Whether the sources of a coarse leaf act on the targets of a box one by one: where that is less work than to act on
/// its nodes. Likewise moments of a fine box.
template <class Tree>
[[nodiscard]] bool hasFewTargets(const Tree& tree, std::int32_t box, std::int64_t numNodes) {
  return tree.targetEnd(box) - tree.targetBegin(box) <= numNodes;
}
template <class Tree>
[[nodiscard]] bool hasFewSources(const Tree& tree, std::int32_t box, std::int64_t numNodes) {
  return tree.sourceEnd(box) - tree.sourceBegin(box) <= numNodes;
}

/// Adds to the expansion of a box what its coarse leaves do.
template <class Interaction, int Dim, class Real>
struct AddCoarse {
  using Value = NodeReal<Interaction, Real>;
  static constexpr int numCharges = numChargesOf<Interaction>;

  FarField<Dim, Real> field;
  const NodeTable* table;
  Interaction interaction;
  TileFunction<Interaction, Dim, Value> function;
  std::int32_t firstBox;
  int level;

  void operator()(std::int64_t k) const {
    const auto& tree = *field.tree;
    const auto& coarse = field.lists->coarse;
    const auto box = static_cast<std::int32_t>(firstBox + k);
    if (coarse.begin(box) == coarse.begin(box + 1) || hasFewTargets(tree, box, field.numCoefficients())) {
      return;
    }
    constexpr int atOnce = 256;
    const BoxNodes<Dim, Value> nodes(*table, tree.sideOf(level));
    Value values[BoxNodes<Dim, Value>::most] = {};
    Value other[BoxNodes<Dim, Value>::most];
    Value charges[numCharges * atOnce];
    for (std::int64_t i = coarse.begin(box); i < coarse.begin(box + 1); ++i) {
      const std::int32_t leaf = coarse.boxes(i);
      const auto frame = field.template frameOf<Value>(box, level, oppositeImage<Dim>(field.lists->imageOf(coarse, i)));
      for (std::int64_t begin = tree.sourceBegin(leaf); begin < tree.sourceEnd(leaf); begin += atOnce) {
        const std::int64_t end = std::min(begin + atOnce, tree.sourceEnd(leaf));
        const ShiftedPoints<Dim, Value, atOnce> sources(field.sources, begin, end, frame);
        for (int c = 0; c < numCharges; ++c) {
          std::copy(field.charges + c * field.chargeStride + begin, field.charges + c * field.chargeStride + end,
            charges + c * atOnce);
        }
        TileTask<Dim, Value> task{};
        for (int axis = 0; axis < Dim; ++axis) {
          task.targets[axis] = nodes.coordinates[axis];
          task.sources[axis] = sources.coordinates[axis];
        }
        task.charges = charges;
        task.chargeStride = atOnce;
        task.targetEnd = nodes.count;
        task.sourceEnd = end - begin;
        task.sums = values;
        function(interaction, task);
      }
    }
    const Value* const added = transformNodes<Dim>(*table, true, values, other);
    Real* const to = field.coefficients + box * field.stride();
    for (int m = 0; m < nodes.count; ++m) {
      to[m] += static_cast<Real>(added[m]);
    }
  }
};

/// All sums at some targets of a leaf.
template <class Problem>
struct SumLeaf {
  using Interaction = typename Problem::Interaction;
  using FarKernel = typename FarKernelOf<Interaction>::Type;
  using Real = typename Problem::Real;
  using Columns = typename Problem::Columns;
  static constexpr int Dim = Problem::Dim;

  Problem problem; ///< points along the curve
  FarField<Dim, Real> field;
  const NodeTable* table;
  const TargetTile* tiles;
  TileFunction<Interaction, Dim, Real> function;
  TileFunction<FarKernel, Dim, Real> ofNodes;
  double* numNear;     ///< of each tile
  const Real* ofPairs; ///< what near leaves do, [targets x columns]; nullptr: it is summed here

  void operator()(std::int64_t k) const {
    const TargetTile tile = tiles[k];
    const auto& tree = *field.tree;
    const std::int64_t end = std::min(tile.begin + targetsInTile, tree.targetEnd(tile.box));
    Real sums[targetsInTile * Columns::all] = {};
    if (ofPairs != nullptr) {
      std::copy(ofPairs + tile.begin * Columns::all, ofPairs + end * Columns::all, sums);
    }
    auto task = tileTaskOf(problem);
    task.targetBegin = tile.begin;
    task.targetEnd = end;
    task.sums = sums;
    numNear[k] = static_cast<double>(end - tile.begin) * static_cast<double>(addNear(tile, task));
    addFine(tile, end, sums);
    if (field.isReached(tile.level)) {
      ValueTask<Dim, Real> values{};
      std::copy_n(problem.targets.coordinates, Dim, values.points);
      values.begin = tile.begin;
      values.end = end;
      values.frame = field.frameOf(tile.box, tile.level);
      values.order = field.order;
      values.coefficients = field.coefficients + tile.box * field.stride();
      values.sums = sums;
      values.columns = Columns::all;
      values.potentialColumn = hasPotential(Problem::parts) ? 0 : -1;
      values.gradientColumn = hasGradient(Problem::parts) ? Columns::ofPotential : -1;
      field.kernels.addValues(values);
    }
    for (std::int64_t i = tile.begin; i < end; ++i) {
      problem.output(tree.targetOrder(i), sums + (i - tile.begin) * Columns::all);
    }
  }

private:
  using Lists = TreeLists<Dim, Kokkos::HostSpace>;
  struct SourceRange {
    std::int64_t begin, end;
    int image;
  };
  /// Ranges that are summed together where they touch.
  struct Ranges {
    static constexpr int most = 128;
    SourceRange ranges[most];
    int count = 0;
  };

  /// Returns the number of sources.
  std::int64_t addNear(const TargetTile& tile, TileTask<Dim, Real>& task) const {
    const std::int32_t box = tile.box;
    const auto& tree = *field.tree;
    const auto& lists = *field.lists;
    Ranges ranges;
    std::int64_t numSources = 0;
    const auto add = [&](std::int32_t other, int image) {
      if (ranges.count == Ranges::most) {
        sumRanges(tile, ranges, task);
      }
      ranges.ranges[ranges.count++] = {tree.sourceBegin(other), tree.sourceEnd(other), image};
      numSources += tree.sourceEnd(other) - tree.sourceBegin(other);
    };
    if (ofPairs != nullptr) {
      add(box, Lists::noImage);
    }
    for (const auto* list : {&lists.near, &lists.finer}) {
      for (std::int64_t i = list->begin(box); i < list->begin(box + 1); ++i) {
        const int image = lists.imageOf(*list, i);
        if (ofPairs == nullptr || image != Lists::noImage) { // pairs are of boxes themselves
          add(list->boxes(i), image);
        }
      }
    }
    for (std::int32_t above = box; above >= 0 && hasFewTargets(tree, above, field.numCoefficients());
      above = tree.parent(above)) {
      for (std::int64_t i = lists.coarse.begin(above); i < lists.coarse.begin(above + 1); ++i) {
        add(lists.coarse.boxes(i), lists.imageOf(lists.coarse, i));
      }
    }
    for (std::int64_t i = lists.fine.begin(box); i < lists.fine.begin(box + 1); ++i) {
      if (hasFewSources(tree, lists.fine.boxes(i), field.numCoefficients())) {
        add(lists.fine.boxes(i), lists.imageOf(lists.fine, i));
      }
    }
    sumRanges(tile, ranges, task);
    return numSources;
  }

  void sumRanges(const TargetTile& tile, Ranges& ranges, TileTask<Dim, Real>& task) const {
    std::sort(ranges.ranges, ranges.ranges + ranges.count, [](const SourceRange& a, const SourceRange& b) {
      return a.image != b.image ? a.image < b.image : a.begin < b.begin;
    });
    for (int k = 0; k < ranges.count;) {
      const int image = ranges.ranges[k].image;
      task.sourceBegin = ranges.ranges[k].begin;
      task.sourceEnd = ranges.ranges[k].end;
      for (++k; k < ranges.count && ranges.ranges[k].begin == task.sourceEnd && ranges.ranges[k].image == image; ++k) {
        task.sourceEnd = ranges.ranges[k].end;
      }
      if (task.sourceBegin == task.sourceEnd) {
        continue;
      }
      if (image == Lists::noImage) {
        function(problem.interaction, task);
      } else {
        addImage(tile, image, task);
      }
    }
    ranges.count = 0;
  }

  /// Sources of an image, relative to the tile's box as its targets are.
  void addImage(const TargetTile& tile, int image, const TileTask<Dim, Real>& task) const {
    constexpr int atOnce = 256;
    const ShiftedPoints<Dim, Real, targetsInTile> targets(
      problem.targets, task.targetBegin, task.targetEnd, field.frameOf(tile.box, tile.level));
    const BoxFrame<Dim, Real> frame = field.frameOf(tile.box, tile.level, oppositeImage<Dim>(image));
    for (std::int64_t begin = task.sourceBegin; begin < task.sourceEnd; begin += atOnce) {
      const std::int64_t end = std::min(begin + atOnce, task.sourceEnd);
      const ShiftedPoints<Dim, Real, atOnce> sources(problem.sources, begin, end, frame);
      TileTask<Dim, Real> part{};
      for (int axis = 0; axis < Dim; ++axis) {
        part.targets[axis] = targets.coordinates[axis];
        part.sources[axis] = sources.coordinates[axis];
      }
      part.charges = task.charges + begin;
      part.chargeStride = task.chargeStride;
      part.targetEnd = task.targetEnd - task.targetBegin;
      part.sourceEnd = end - begin;
      part.sums = task.sums;
      function(problem.interaction, part);
    }
  }

  void addFine(const TargetTile& tile, std::int64_t end, Real* sums) const {
    const auto& tree = *field.tree;
    const auto& fine = field.lists->fine;
    for (std::int64_t i = fine.begin(tile.box); i < fine.begin(tile.box + 1); ++i) {
      const std::int32_t box = fine.boxes(i);
      if (!hasFewSources(tree, box, field.numCoefficients())) {
        addMoments(box, field.lists->imageOf(fine, i), tile.begin, end, sums);
      }
    }
  }

  void addMoments(std::int32_t box, int image, std::int64_t begin, std::int64_t end, Real* sums) const {
    const auto& tree = *field.tree;
    const int level = static_cast<int>(std::upper_bound(tree.levelBegin.begin(), tree.levelBegin.end(), box) -
                        tree.levelBegin.begin()) -
      1;
    const BoxNodes<Dim, Real> nodes(*table, tree.sideOf(level));
    const ShiftedPoints<Dim, Real, targetsInTile> targets(
      problem.targets, begin, end, field.frameOf(box, level, image));
    Real charges[BoxNodes<Dim, Real>::most];
    Real other[BoxNodes<Dim, Real>::most];
    std::copy_n(field.moments + box * field.stride(), nodes.count, charges);
    TileTask<Dim, Real> task{};
    for (int axis = 0; axis < Dim; ++axis) {
      task.targets[axis] = targets.coordinates[axis];
      task.sources[axis] = nodes.coordinates[axis];
    }
    task.charges = transformNodes<Dim>(*table, false, charges, other);
    task.chargeStride = nodes.count;
    task.targetEnd = end - begin;
    task.sourceEnd = nodes.count;
    task.sums = sums;
    ofNodes(FarKernelOf<Interaction>::of(problem.interaction), task);
  }
};

} // namespace spanwise::nbody::detail
