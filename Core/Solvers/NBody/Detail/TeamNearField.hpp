#pragma once

// What is near (NearField.hpp) by teams of threads: tiles of sources in scratch memory, and a thread for each target.

#include "Core/Solvers/NBody/Detail/FarKernel.hpp"
#include "Core/Solvers/NBody/Detail/MultipoleSteps.hpp"
#include "Core/Solvers/NBody/Detail/SourceTile.hpp"
#include "Core/Solvers/NBody/Detail/TeamFarField.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::nbody::detail {

/// Targets of a leaf that a team does, and sources that it has in scratch memory at once.
inline constexpr int targetsOfTeam = 64;
inline constexpr int sourcesInScratch = 128;

/// On the host a team has one thread.
template <class ExecutionSpace>
inline constexpr int threadsOfLeaves = runsOnHost<ExecutionSpace> ? 1 : targetsOfTeam;

/// Where the tiles of a box begin: leaves have as many as their targets need.
template <int Dim>
struct PlaceLeafTiles {
  using value_type = std::int64_t;
  TreeData<Dim> tree;
  TargetTile* tiles;

  KOKKOS_FUNCTION void operator()(std::int64_t b, std::int64_t& sum, bool final) const {
    const auto box = static_cast<std::int32_t>(b);
    if (tree.numChildren[box] != 0) {
      return;
    }
    const std::int64_t count = (tree.numTargets(box) + targetsOfTeam - 1) / targetsOfTeam;
    for (std::int64_t k = 0; final && k < count; ++k) {
      tiles[sum + k] = {box, tree.levelOf(box), tree.targetBegin[box] + k * targetsOfTeam};
    }
    sum += count;
  }
};

/// Adds to the expansion of a box what its coarse leaves do at its nodes.
template <class ExecutionSpace, class Interaction, int Dim, class Real>
struct AddCoarseByTeam {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
  using Value = NodeReal<Interaction, Real>;
  static constexpr int columns = Dim + numChargesOf<Interaction>;

  TeamField<Dim, Real> field;
  NodeTables<Value> tables;
  Interaction interaction;
  std::int32_t firstBox;
  int scratchLevel;

  [[nodiscard]] KOKKOS_FUNCTION static std::size_t scratchBytes(int numCoefficients) {
    return 2 * ScratchArrays::bytesOf<Value>(numCoefficients) +
      ScratchArrays::bytesOf<Value>(columns * sourcesInScratch);
  }

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    const auto box = static_cast<std::int32_t>(firstBox + team.league_rank());
    const auto& tree = field.tree;
    if (tree.coarse.begin[box] == tree.coarse.begin[box + 1] || tree.numTargets(box) <= field.numCoefficients) {
      return;
    }
    ScratchArrays scratch(team, scratchLevel, scratchBytes(field.numCoefficients));
    Value* const values = scratch.template array<Value>(field.numCoefficients);
    Value* const other = scratch.template array<Value>(field.numCoefficients);
    Value* const tile = scratch.template array<Value>(columns * sourcesInScratch);
    const int level = tree.levelOf(box);
    for (int node = team.team_rank(); node < field.numCoefficients; node += team.team_size()) {
      values[node] = 0;
    }
    for (std::int64_t i = tree.coarse.begin[box]; i < tree.coarse.begin[box + 1]; ++i) {
      const std::int32_t leaf = tree.coarse.boxes[i];
      const auto frame = tree.template frameOf<Value>(box, level, oppositeImage<Dim>(tree.coarse.imageOf(i)));
      for (std::int64_t first = tree.sourceBegin[leaf]; first < tree.sourceEnd[leaf]; first += sourcesInScratch) {
        const int count = static_cast<int>(Kokkos::min<std::int64_t>(sourcesInScratch, tree.sourceEnd[leaf] - first));
        team.team_barrier();
        for (int j = team.team_rank(); j < count; j += team.team_size()) {
          for (int axis = 0; axis < Dim; ++axis) {
            tile[j * columns + axis] =
              (field.sources.coordinates[axis][first + j] - frame.centre[axis]) - frame.centreRest[axis];
          }
          for (int c = Dim; c < columns; ++c) {
            tile[j * columns + c] = field.charges[(c - Dim) * field.chargeStride + first + j];
          }
        }
        team.team_barrier();
        addTile(team, frame, tile, count, values);
      }
    }
    team.team_barrier();
    const Value* matrices[Dim];
    for (int axis = 0; axis < Dim; ++axis) {
      matrices[axis] = tables.transform;
    }
    const Value* const added =
      applyOnAxesInTeam<Dim>(team, matrices, true, field.order, field.numCoefficients, values, other);
    for (int m = team.team_rank(); m < field.numCoefficients; m += team.team_size()) {
      field.expansions[box * field.stride + m] += static_cast<Real>(added[m]);
    }
  }

private:
  KOKKOS_FUNCTION void addTile(const typename Policy::member_type& team, const BoxFrame<Dim, Value>& frame,
    const Value* tile, int count, Value* values) const {
    const Value halfSide = Value(1) / frame.scale;
    for (int node = team.team_rank(); node < field.numCoefficients; node += team.team_size()) {
      Value x[Dim];
      for (int axis = 0, rest = node; axis < Dim; ++axis, rest /= field.order) {
        x[axis] = tables.nodes[rest % field.order] * halfSide;
      }
      Value sum = 0;
      for (int j = 0; j < count; ++j) {
        Value d[Dim];
        for (int axis = 0; axis < Dim; ++axis) {
          d[axis] = x[axis] - tile[j * columns + axis];
        }
        addPair<Interaction, Parts::Potential, Dim, 1>(interaction, d, tile + j * columns + Dim, &sum);
      }
      values[node] += sum;
    }
  }
};

/// All sums at a tile of a leaf's targets.
template <class ExecutionSpace, class Problem>
struct SumLeafByTeam {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
  using Team = typename Policy::member_type;
  using Interaction = typename Problem::Interaction;
  using FarKernel = typename FarKernelOf<Interaction>::Type;
  using Real = typename Problem::Real;
  using Columns = typename Problem::Columns;
  using Source = SourceOf<Problem>;
  static constexpr int Dim = Problem::Dim;

  Problem problem; ///< points along the curve
  FarKernel farKernel;
  TeamField<Dim, Real> field;
  const TargetTile* tiles;
  double* numNear; ///< of each tile
  int scratchLevel;

  [[nodiscard]] KOKKOS_FUNCTION static std::size_t bytesOfExpansion(int order, int numCoefficients) {
    return ScratchArrays::bytesOf<Real>(numCoefficients) + ScratchArrays::bytesOf<Real>(2 * order * targetsOfTeam);
  }
  [[nodiscard]] KOKKOS_FUNCTION static std::size_t bytesOfNodes(int numCoefficients) {
    return 2 * ScratchArrays::bytesOf<Real>(numCoefficients);
  }
  [[nodiscard]] KOKKOS_FUNCTION static std::size_t bytesOfSums() {
    return ScratchArrays::bytesOf<Real>(Columns::all * targetsOfTeam) +
      ScratchArrays::bytesOf<Real>(Dim * targetsOfTeam) + ScratchArrays::bytesOf<Source>(sourcesInScratch);
  }
  /// Sums and the larger of what expansions and nodes take, one after the other.
  [[nodiscard]] KOKKOS_FUNCTION static std::size_t scratchBytes(int order, int numCoefficients, bool hasFine) {
    const std::size_t ofExpansion = bytesOfExpansion(order, numCoefficients);
    const std::size_t ofNodes = hasFine ? bytesOfNodes(numCoefficients) : 0;
    return bytesOfSums() + (ofExpansion > ofNodes ? ofExpansion : ofNodes);
  }

  bool hasFine; ///< there are boxes in lists of fine ones

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const auto& tree = field.tree;
    const TargetTile tile = tiles[team.league_rank()];
    const std::int64_t left = tree.targetEnd[tile.box] - tile.begin;
    const int count = static_cast<int>(Kokkos::min<std::int64_t>(left, targetsOfTeam));
    ScratchArrays scratch(team, scratchLevel, scratchBytes(field.order, field.numCoefficients, hasFine));
    Work work{};
    work.tile = tile;
    work.count = count;
    work.sums = scratch.template array<Real>(Columns::all * targetsOfTeam);
    work.points = scratch.template array<Real>(Dim * targetsOfTeam);
    work.sources = scratch.template array<Source>(sourcesInScratch);
    for (int i = team.team_rank(); i < count; i += team.team_size()) {
      for (int c = 0; c < Columns::all; ++c) {
        work.sums[c * targetsOfTeam + i] = 0;
      }
    }
    loadPoints(team, work);
    addNear(team, work);
    if (tree.isPeriodic) {
      const auto frame = tree.template frameOf<Real>(tile.box, tile.level);
      loadPoints(team, work, &frame);
      addImages(team, work);
      loadPoints(team, work);
    }
    ScratchArrays rest = scratch;
    if (hasFine) {
      addFine(team, work, scratch);
    }
    if (tree.isReached(tile.level)) {
      addExpansion(team, work, rest);
    }
    for (int i = team.team_rank(); i < count; i += team.team_size()) {
      Real sums[Columns::all];
      for (int c = 0; c < Columns::all; ++c) {
        sums[c] = work.sums[c * targetsOfTeam + i];
      }
      problem.output(tree.targetOrder[tile.begin + i], sums);
    }
    if (team.team_rank() == 0) {
      numNear[team.league_rank()] = static_cast<double>(work.numSources) * count;
    }
  }

private:
  struct Work {
    TargetTile tile;
    int count;
    Real* sums;      ///< [columns x targetsOfTeam]
    Real* points;    ///< [Dim x targetsOfTeam]
    Source* sources; ///< [sourcesInScratch]
    int filled;      ///< so many sources
    std::int64_t numSources;
  };

  /// Targets as they are, or relative to the centre of a box.
  KOKKOS_FUNCTION void loadPoints(
    const Team& team, const Work& work, const BoxFrame<Dim, Real>* frame = nullptr) const {
    for (int i = team.team_rank(); i < work.count; i += team.team_size()) {
      for (int axis = 0; axis < Dim; ++axis) {
        const Real x = problem.targets.coordinates[axis][work.tile.begin + i];
        work.points[axis * targetsOfTeam + i] = frame == nullptr ? x : inFrame(x, *frame, axis);
      }
    }
  }
  [[nodiscard]] static KOKKOS_FORCEINLINE_FUNCTION Real inFrame(Real x, const BoxFrame<Dim, Real>& frame, int axis) {
    return (x - frame.centre[axis]) - frame.centreRest[axis];
  }

  KOKKOS_FUNCTION void addNear(const Team& team, Work& work) const {
    if (problem.within) { // the leaf itself first, in which a particle must not act on itself
      addOwn(team, work, work.tile.box);
    }
    forEachNear(work.tile.box, [&](std::int32_t box, int image) {
      if (image == TreeData<Dim>::noImage && (!problem.within || box != work.tile.box)) {
        addSources(team, work, box, nullptr);
      }
    });
    sumSources<false>(team, work, 0);
  }

  /// What images of boxes do, whose points lie relative to the tile's box as its targets now do: moved by an edge they
  /// would lose what makes near ones differ.
  KOKKOS_FUNCTION void addImages(const Team& team, Work& work) const {
    forEachNear(work.tile.box, [&](std::int32_t box, int image) {
      if (image != TreeData<Dim>::noImage) {
        const auto frame = field.tree.template frameOf<Real>(work.tile.box, work.tile.level, oppositeImage<Dim>(image));
        addSources(team, work, box, &frame);
      }
    });
    sumSources<false>(team, work, 0);
  }

  /// Calls act(box, image) for all whose sources act one by one.
  template <class Act>
  KOKKOS_FUNCTION void forEachNear(std::int32_t box, const Act& act) const {
    const auto& tree = field.tree;
    const auto ofList = [&](const ListData<Dim>& list, std::int32_t of, std::int64_t most) {
      for (std::int64_t i = list.begin[of]; i < list.begin[of + 1]; ++i) {
        if (most < 0 || tree.numSources(list.boxes[i]) <= most) {
          act(list.boxes[i], list.imageOf(i));
        }
      }
    };
    ofList(tree.near, box, -1);
    ofList(tree.finer, box, -1);
    for (std::int32_t above = box; above >= 0 && tree.numTargets(above) <= field.numCoefficients;
      above = tree.parent[above]) {
      ofList(tree.coarse, above, -1);
    }
    ofList(tree.fine, box, field.numCoefficients);
  }

  KOKKOS_FUNCTION void addOwn(const Team& team, Work& work, std::int32_t box) const {
    const auto& tree = field.tree;
    for (std::int64_t first = tree.sourceBegin[box]; first < tree.sourceEnd[box]; first += sourcesInScratch) {
      const std::int64_t left = tree.sourceEnd[box] - first;
      load(team, work, first, static_cast<int>(Kokkos::min<std::int64_t>(left, sourcesInScratch)), nullptr);
      sumSources<true>(team, work, first);
    }
    work.numSources += tree.numSources(box);
  }

  /// Sources of boxes fill scratch memory before they are summed. With a frame they lie relative to its centre.
  KOKKOS_FUNCTION void addSources(
    const Team& team, Work& work, std::int32_t box, const BoxFrame<Dim, Real>* frame) const {
    const auto& tree = field.tree;
    for (std::int64_t first = tree.sourceBegin[box]; first < tree.sourceEnd[box];) {
      const std::int64_t left = tree.sourceEnd[box] - first;
      const int count = static_cast<int>(Kokkos::min<std::int64_t>(left, sourcesInScratch - work.filled));
      load(team, work, first, count, frame);
      first += count;
      if (work.filled == sourcesInScratch) {
        sumSources<false>(team, work, 0);
      }
    }
    work.numSources += tree.numSources(box);
  }

  KOKKOS_FUNCTION void load(
    const Team& team, Work& work, std::int64_t first, int count, const BoxFrame<Dim, Real>* frame) const {
    for (int j = team.team_rank(); j < count; j += team.team_size()) {
      Source& to = work.sources[work.filled + j];
      for (int axis = 0; axis < Dim; ++axis) {
        const Real x = problem.sources.coordinates[axis][first + j];
        to.numbers[axis] = frame == nullptr ? x : inFrame(x, *frame, axis);
      }
      for (int c = 0; c < Problem::numCharges; ++c) {
        to.numbers[Dim + c] = problem.charges[c * problem.chargeStride + first + j];
      }
    }
    work.filled += count;
  }

  /// Adds what is in scratch memory, which is then empty. `first` is the number of the first source.
  template <bool isOwn>
  KOKKOS_FUNCTION void sumSources(const Team& team, Work& work, std::int64_t first) const {
    team.team_barrier();
    for (int i = team.team_rank(); i < work.count; i += team.team_size()) {
      Real x[1][Dim];
      for (int axis = 0; axis < Dim; ++axis) {
        x[0][axis] = work.points[axis * targetsOfTeam + i];
      }
      const std::int64_t self = isOwn ? work.tile.begin + i - first : -1;
      const TileSelves<1> selves{{self >= 0 && self < work.filled ? static_cast<int>(self) : -1}};
      typename Problem::Values sums[1];
      addTileOfSources<isOwn>(problem, work.sources, work.filled, x, selves, sums);
      for (int c = 0; c < Columns::all; ++c) {
        work.sums[c * targetsOfTeam + i] += sums[0].values[c];
      }
    }
    team.team_barrier();
    work.filled = 0;
  }

  /// Moments of fine boxes as charges at their nodes.
  KOKKOS_FUNCTION void addFine(const Team& team, const Work& work, ScratchArrays scratch) const {
    const auto& tree = field.tree;
    Real* const values = scratch.template array<Real>(field.numCoefficients);
    Real* const other = scratch.template array<Real>(field.numCoefficients);
    const Real* matrices[Dim];
    for (int axis = 0; axis < Dim; ++axis) {
      matrices[axis] = field.tables.transform;
    }
    for (std::int64_t i = tree.fine.begin[work.tile.box]; i < tree.fine.begin[work.tile.box + 1]; ++i) {
      const std::int32_t box = tree.fine.boxes[i];
      if (tree.numSources(box) <= field.numCoefficients) {
        continue;
      }
      team.team_barrier();
      for (int m = team.team_rank(); m < field.numCoefficients; m += team.team_size()) {
        values[m] = field.moments[box * field.stride + m];
      }
      team.team_barrier();
      const Real* const charges =
        applyOnAxesInTeam<Dim>(team, matrices, false, field.order, field.numCoefficients, values, other);
      addNodes(team, work, tree.template frameOf<Real>(box, tree.levelOf(box), tree.fine.imageOf(i)), charges);
    }
    team.team_barrier();
  }

  KOKKOS_FUNCTION void addNodes(
    const Team& team, const Work& work, const BoxFrame<Dim, Real>& frame, const Real* charges) const {
    const Real halfSide = Real(1) / frame.scale;
    for (int i = team.team_rank(); i < work.count; i += team.team_size()) {
      Real x[Dim];
      for (int axis = 0; axis < Dim; ++axis) {
        x[axis] = (work.points[axis * targetsOfTeam + i] - frame.centre[axis]) - frame.centreRest[axis];
      }
      typename Problem::Values sums;
      Real d[Dim];
      for (int outer = 0, node = 0; node < field.numCoefficients; ++outer) {
        for (int axis = 1, rest = outer; axis < Dim; ++axis, rest /= field.order) {
          d[axis] = x[axis] - field.tables.nodes[rest % field.order] * halfSide;
        }
        for (int inner = 0; inner < field.order; ++inner, ++node) {
          d[0] = x[0] - field.tables.nodes[inner] * halfSide;
          addPair<FarKernel, Problem::parts, Dim, 1>(farKernel, d, charges + node, sums.values);
        }
      }
      for (int c = 0; c < Columns::all; ++c) {
        work.sums[c * targetsOfTeam + i] += sums.values[c];
      }
    }
  }

  KOKKOS_FUNCTION void addExpansion(const Team& team, const Work& work, ScratchArrays scratch) const {
    constexpr bool withGradient = hasGradient(Problem::parts);
    const int order = field.order;
    Real* const coefficients = scratch.template array<Real>(field.numCoefficients);
    Real* const along = scratch.template array<Real>(2 * order * targetsOfTeam); // of the first axis
    const Real* const from = field.expansions + work.tile.box * field.stride;
    for (int m = team.team_rank(); m < field.numCoefficients; m += team.team_size()) {
      coefficients[m] = from[m];
    }
    team.team_barrier();
    const auto frame = field.tree.template frameOf<Real>(work.tile.box, work.tile.level);
    for (int i = team.team_rank(); i < work.count; i += team.team_size()) {
      Real x[3] = {};
      for (int axis = 0; axis < Dim; ++axis) {
        x[axis] = ((work.points[axis * targetsOfTeam + i] - frame.centre[axis]) - frame.centreRest[axis]) * frame.scale;
      }
      Real* const values = along + i;
      Real* const slopes = values + order * targetsOfTeam;
      chebyshevInto(x[0], order, targetsOfTeam, values, withGradient ? slopes : nullptr);
      Real value = 0;
      Real slope[3] = {};
      const Real* row = coefficients;
      ChebyshevSteps<Real> z(x[2]);
      for (int c = 0; c < (Dim == 3 ? order : 1); ++c, z.next()) {
        Real ofLayer = 0;
        Real alongX = 0;
        Real alongY = 0;
        ChebyshevSteps<Real> y(x[1]);
        for (int b = 0; b < order; ++b, row += order, y.next()) {
          Real ofRow = 0;
          Real slopeOfRow = 0;
          for (int a = 0; a < order; ++a) {
            ofRow += row[a] * values[a * targetsOfTeam];
            if constexpr (withGradient) {
              slopeOfRow += row[a] * slopes[a * targetsOfTeam];
            }
          }
          ofLayer += ofRow * y.value;
          alongX += slopeOfRow * y.value;
          alongY += ofRow * y.slope;
        }
        value += ofLayer * z.value;
        slope[0] += alongX * z.value;
        slope[1] += alongY * z.value;
        slope[2] += ofLayer * z.slope;
      }
      if constexpr (hasPotential(Problem::parts)) {
        work.sums[i] += value;
      }
      for (int axis = 0; withGradient && axis < Dim; ++axis) {
        work.sums[(Columns::ofPotential + axis) * targetsOfTeam + i] += frame.scale * slope[axis];
      }
    }
  }
};

} // namespace spanwise::nbody::detail
