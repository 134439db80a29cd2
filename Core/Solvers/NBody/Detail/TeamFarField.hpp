#pragma once

// The far field of FarField.hpp by teams of threads, in the memory of an execution space: for a device. The operators,
// the order of boxes and what is computed are those of the host.

#include "Core/Geometry/Detail/Range.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Workspace.hpp"
#include "Core/Solvers/NBody/Detail/TeamOperators.hpp"
#include "Core/Solvers/NBody/Detail/TeamProducts.hpp"
#include "Core/Solvers/NBody/Detail/TreeData.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace spanwise::nbody::detail {

using spanwise::detail::forEach;
using spanwise::detail::Range;

/// What kernels know of a far field. Points lie along the curve.
template <int Dim, class Real>
struct TeamField {
  TreeData<Dim> tree;
  NodeTables<Real> tables;
  int order = 0;
  int numCoefficients = 0;    ///< order^Dim
  std::int64_t stride = 0;    ///< of the next two, padded numCoefficients
  Real* moments = nullptr;    ///< [boxes x stride]
  Real* expansions = nullptr; ///< likewise
  PointsView<Dim, Real> sources;
  const Real* charges = nullptr;
  std::int64_t chargeStride = 0;
  const std::int32_t* children = nullptr; ///< with sources, of each box by their place in it, or -1 [boxes x 2^Dim]
};

/// Teams that have `bytes` of scratch memory: in a processor's own, where it has as much. A kernel finds it at the
/// level that this returns.
template <class Policy>
[[nodiscard]] int setScratch(Policy& policy, std::size_t bytes) {
  const int level = bytes + 64 <= static_cast<std::size_t>(Policy::scratch_size_max(0)) ? 0 : 1;
  policy.set_scratch_size(level, Kokkos::PerTeam(bytes + 64));
  return level;
}

/// Cuts a team's scratch memory into arrays.
class ScratchArrays {
public:
  template <class Team>
  KOKKOS_FUNCTION ScratchArrays(const Team& team, int level, std::size_t bytes)
    : next_(static_cast<char*>(team.team_scratch(level).get_shmem_aligned(bytes, 16))) {}
  template <class T>
  KOKKOS_FUNCTION T* array(std::size_t count) {
    T* const result = reinterpret_cast<T*>(next_);
    next_ += bytesOf<T>(count);
    return result;
  }
  template <class T>
  [[nodiscard]] static KOKKOS_FUNCTION constexpr std::size_t bytesOf(std::size_t count) {
    return (count * sizeof(T) + 15) / 16 * 16;
  }

private:
  char* next_;
};

/// T_m(x) and its derivative, one m after the other.
template <class Real>
struct ChebyshevSteps {
  Real twice;
  Real value = 1, slope = 0;
  Real nextValue, nextSlope = 1;

  KOKKOS_FORCEINLINE_FUNCTION explicit ChebyshevSteps(Real x) : twice(2 * x), nextValue(x) {}
  KOKKOS_FORCEINLINE_FUNCTION void next() {
    const Real valueAfter = twice * nextValue - value;
    const Real slopeAfter = 2 * nextValue + twice * nextSlope - slope;
    value = nextValue;
    slope = nextSlope;
    nextValue = valueAfter;
    nextSlope = slopeAfter;
  }
};

/// T_0(x) ... T_(order - 1)(x), `stride` apart, and their derivatives where those are wanted.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void chebyshevInto(Real x, int order, int stride, Real* values, Real* slopes) {
  ChebyshevSteps<Real> steps(x);
  for (int m = 0; m < order; ++m, steps.next()) {
    values[m * stride] = steps.value;
    if (slopes != nullptr) {
      slopes[m * stride] = steps.slope;
    }
  }
}

/// Moments of a leaf's sources, or zeros.
template <class ExecutionSpace, int Dim, class Real>
struct MomentsOfLeaf {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
  static constexpr int pointsAtOnce = 32;
  static constexpr int stride = pointsAtOnce + 1; ///< of polynomials, so that they are in different banks

  TeamField<Dim, Real> field;
  bool ofDipoles;
  int scratchLevel;

  [[nodiscard]] KOKKOS_FUNCTION static std::size_t scratchBytes(int order) {
    return 2 * ScratchArrays::bytesOf<Real>(Dim * order * stride) + ScratchArrays::bytesOf<Real>(Dim * pointsAtOnce);
  }

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    const auto box = static_cast<std::int32_t>(team.league_rank());
    const auto& tree = field.tree;
    Real* const moments = field.moments + box * field.stride;
    for (int m = team.team_rank(); m < field.stride; m += team.team_size()) {
      moments[m] = 0; // each thread adds to its own
    }
    if (tree.numChildren[box] != 0 || tree.numSources(box) == 0) {
      return;
    }
    const int order = field.order;
    ScratchArrays scratch(team, scratchLevel, scratchBytes(order));
    Real* const values = scratch.template array<Real>(Dim * order * stride);
    Real* const slopes = scratch.template array<Real>(Dim * order * stride);
    Real* const charges = scratch.template array<Real>(Dim * pointsAtOnce);
    const auto frame = tree.template frameOf<Real>(box, tree.levelOf(box));
    for (std::int64_t first = tree.sourceBegin[box]; first < tree.sourceEnd[box]; first += pointsAtOnce) {
      const int count = static_cast<int>(Kokkos::min<std::int64_t>(pointsAtOnce, tree.sourceEnd[box] - first));
      team.team_barrier(); // those before are done with
      for (int i = team.team_rank(); i < Dim * pointsAtOnce; i += team.team_size()) {
        const int axis = i / pointsAtOnce;
        const int p = i % pointsAtOnce;
        if (p < count) {
          const Real x = field.sources.coordinates[axis][first + p];
          const int at = axis * order * stride + p;
          chebyshevInto(((x - frame.centre[axis]) - frame.centreRest[axis]) * frame.scale, order, stride, values + at,
            ofDipoles ? slopes + at : nullptr);
          if (ofDipoles || axis == 0) {
            charges[i] = field.charges[axis * field.chargeStride + first + p];
          }
        }
      }
      team.team_barrier();
      for (int m = team.team_rank(); m < field.numCoefficients; m += team.team_size()) {
        moments[m] += ofDipoles ? frame.scale * ofTile<true>(m, count, values, slopes, charges)
                                : ofTile<false>(m, count, values, slopes, charges);
      }
    }
  }

private:
  template <bool dipoles>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Real ofTile(
    int m, int count, const Real* values, const Real* slopes, const Real* charges) const {
    const int order = field.order;
    int at[Dim];
    for (int axis = 0, rest = m; axis < Dim; ++axis, rest /= order) {
      at[axis] = (axis * order + rest % order) * stride;
    }
    Real sum = 0;
    for (int p = 0; p < count; ++p) {
      if constexpr (dipoles) {
        for (int along = 0; along < Dim; ++along) {
          Real product = charges[along * pointsAtOnce + p];
          for (int axis = 0; axis < Dim; ++axis) {
            product *= (axis == along ? slopes : values)[at[axis] + p];
          }
          sum += product;
        }
      } else {
        Real product = charges[p];
        for (int axis = 0; axis < Dim; ++axis) {
          product *= values[at[axis] + p];
        }
        sum += product;
      }
    }
    return sum;
  }
};

/// Adds moments of the children of a box, or with isDown the expansion of a box's parent.
template <class ExecutionSpace, int Dim, class Real>
struct MoveHalves {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
  TeamField<Dim, Real> field;
  std::int32_t firstBox;
  bool isDown;
  int scratchLevel;

  [[nodiscard]] KOKKOS_FUNCTION static std::size_t scratchBytes(int numCoefficients) {
    return 2 * ScratchArrays::bytesOf<Real>(numCoefficients);
  }

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    const auto box = static_cast<std::int32_t>(firstBox + team.league_rank());
    const auto& tree = field.tree;
    ScratchArrays scratch(team, scratchLevel, scratchBytes(field.numCoefficients));
    Real* const values = scratch.template array<Real>(field.numCoefficients);
    Real* const other = scratch.template array<Real>(field.numCoefficients);
    if (isDown) {
      if (tree.numTargets(box) > 0) {
        add(team, field.expansions + tree.parent[box] * field.stride, box, field.expansions + box * field.stride,
          values, other);
      }
      return;
    }
    for (std::int32_t c = 0; c < tree.numChildren[box]; ++c) {
      const std::int32_t child = tree.firstChild[box] + c;
      if (tree.numSources(child) > 0) {
        add(team, field.moments + child * field.stride, child, field.moments + box * field.stride, values, other);
      }
    }
  }

private:
  KOKKOS_FUNCTION void add(const typename Policy::member_type& team, const Real* from, std::int32_t child, Real* to,
    Real* values, Real* other) const {
    team.team_barrier();
    for (int m = team.team_rank(); m < field.numCoefficients; m += team.team_size()) {
      values[m] = from[m];
    }
    team.team_barrier();
    const Real* halves[Dim];
    for (int axis = 0; axis < Dim; ++axis) {
      halves[axis] = ((field.tree.key[child] >> axis) & 1U) != 0 ? field.tables.upper : field.tables.lower;
    }
    const Real* const moved =
      applyOnAxesInTeam<Dim>(team, halves, isDown, field.order, field.numCoefficients, values, other);
    for (int m = team.team_rank(); m < field.numCoefficients; m += team.team_size()) {
      to[m] += moved[m];
    }
  }
};

/// Moments of the boxes of a level in the basis of its operators.
template <class ExecutionSpace, int Dim, class Real>
struct MomentsInBasis {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
  TeamField<Dim, Real> field;
  OperatorData<Real> operators;
  std::int32_t firstBox, endBox;
  int atOnce; ///< boxes of a team
  Real* inBasis;
  int scratchLevel;

  [[nodiscard]] KOKKOS_FUNCTION static std::size_t scratchBytes(int basis, int atOnce) {
    const int stride = panelStride(atOnce);
    return ScratchArrays::bytesOf<Real>(basis * stride) + ScratchArrays::bytesOf<Real>(rowsOfPanel * stride + 4);
  }

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    const std::int64_t first = firstBox + std::int64_t{team.league_rank()} * atOnce;
    const int count = static_cast<int>(Kokkos::min<std::int64_t>(atOnce, endBox - first));
    const int stride = panelStride(atOnce);
    ScratchArrays scratch(team, scratchLevel, scratchBytes(operators.basis, atOnce));
    Real* const sums = scratch.template array<Real>(operators.basis * stride);
    Real* const panel = scratch.template array<Real>(rowsOfPanel * stride + 4);
    for (int row = 0; row < field.numCoefficients; row += rowsOfPanel) {
      const int numRows = Kokkos::min(int{rowsOfPanel}, field.numCoefficients - row);
      team.team_barrier();
      for (int i = team.team_rank(); i < numRows * count; i += team.team_size()) {
        panel[i % numRows * stride + i / numRows] =
          field.moments[(first + i / numRows) * field.stride + row + i % numRows];
      }
      team.team_barrier();
      multiplyInTeam(team, operators.toBasis + std::int64_t{row} * operators.basis, operators.basis, operators.basis,
        numRows, panel, stride, count, ToPanel<Real>{sums, stride, row > 0});
    }
    team.team_barrier();
    for (int i = team.team_rank(); i < operators.basis * count; i += team.team_size()) {
      const int box = i / operators.basis;
      const int k = i % operators.basis;
      inBasis[(first + box - firstBox) * operators.basis + k] = sums[k * stride + box];
    }
  }
};

/// The boxes of a level with targets by their place in their parents, those of a place together.
template <int Dim>
struct PlaceCounts {
  std::int32_t of[1 << Dim] = {};
  KOKKOS_FUNCTION PlaceCounts& operator+=(const PlaceCounts& other) {
    for (int place = 0; place < (1 << Dim); ++place) {
      of[place] += other.of[place];
    }
    return *this;
  }
};

template <int Dim>
struct CountPlaces {
  using value_type = PlaceCounts<Dim>;
  TreeData<Dim> tree;
  std::int32_t firstBox;
  std::int32_t numBoxes;
  std::int32_t* boxes; ///< [2^Dim x numBoxes]

  KOKKOS_FUNCTION void operator()(std::int64_t k, PlaceCounts<Dim>& counts, bool final) const {
    const auto box = static_cast<std::int32_t>(firstBox + k);
    if (tree.numTargets(box) == 0) {
      return;
    }
    const auto place = static_cast<std::int32_t>(tree.key[box] & ((1U << Dim) - 1));
    for (std::int32_t p = 0; p < (1 << Dim); ++p) {
      if (p == place) {
        if (final) {
          boxes[p * std::int64_t{numBoxes} + counts.of[p]] = box;
        }
        ++counts.of[p];
      }
    }
  }
};

/// The children of a box that have sources, by place.
template <int Dim>
struct FindChildren {
  TreeData<Dim> tree;
  std::int32_t* children;
  KOKKOS_FUNCTION void operator()(std::int64_t box) const {
    std::int32_t* const of = children + (box << Dim);
    for (int place = 0; place < (1 << Dim); ++place) {
      of[place] = -1;
    }
    for (std::int32_t c = 0; c < tree.numChildren[box]; ++c) {
      const std::int32_t child = tree.firstChild[box] + c;
      if (tree.numSources(child) > 0) {
        of[tree.key[child] & ((1U << Dim) - 1)] = child;
      }
    }
  }
};

/// Sets expansions of boxes that have one place in their parents, so that all of them have far boxes at the same
/// offsets: for each offset, the boxes there are columns of a product with its operators.
template <class ExecutionSpace, int Dim, class Real>
struct TranslateBoxes {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
  static constexpr int numPlaces = 1 << Dim;
  static constexpr int numDirections = TreeData<Dim>::numOffsets;

  TeamField<Dim, Real> field;
  OperatorData<Real> operators;
  std::int32_t firstBox;
  std::int32_t numBoxes;
  PlaceCounts<Dim> counts;
  const std::int32_t* boxes; ///< of CountPlaces
  int atOnce;                ///< boxes of a team
  Real factor, logarithm;
  const Real* inBasis;
  std::int64_t* numPairs; ///< of each team
  int scratchLevel;

  [[nodiscard]] KOKKOS_FUNCTION static std::size_t scratchBytes(int basis, int rank, int atOnce) {
    const int stride = panelStride(atOnce);
    return ScratchArrays::bytesOf<Real>(basis * stride + 4) + ScratchArrays::bytesOf<Real>(rank * stride + 4) +
      ScratchArrays::bytesOf<Real>(rowsOfPanel * stride + 4) + ScratchArrays::bytesOf<Real>(atOnce) +
      2 * ScratchArrays::bytesOf<std::int32_t>(numPlaces * atOnce) + ScratchArrays::bytesOf<std::int32_t>(numPlaces);
  }

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    int place = 0;
    std::int32_t first = team.league_rank() * atOnce;
    for (; first >= chunked(counts.of[place]); ++place) {
      first -= chunked(counts.of[place]);
    }
    const int count = Kokkos::min(atOnce, counts.of[place] - first);
    const std::int32_t* const targets = boxes + place * std::int64_t{numBoxes} + first;
    const int stride = panelStride(atOnce);
    const int basis = operators.basis;
    const auto& tree = field.tree;
    ScratchArrays scratch(team, scratchLevel, scratchBytes(basis, operators.mostRank, atOnce));
    Real* const reached = scratch.template array<Real>(basis * stride + 4);
    Real* const inner = scratch.template array<Real>(operators.mostRank * stride + 4);
    Real* const panel = scratch.template array<Real>(rowsOfPanel * stride + 4);
    Real* const charges = scratch.template array<Real>(atOnce);
    auto* const sources = scratch.template array<std::int32_t>(numPlaces * atOnce);
    auto* const columns = scratch.template array<std::int32_t>(numPlaces * atOnce);
    auto* const found = scratch.template array<std::int32_t>(numPlaces);
    for (int i = team.team_rank(); i < basis * stride; i += team.team_size()) {
      reached[i] = 0;
    }
    for (int i = team.team_rank(); i < atOnce; i += team.team_size()) {
      charges[i] = 0;
    }
    std::int64_t pairs = 0;
    for (int direction = 0; direction < numDirections; ++direction) {
      if (direction == numDirections / 2) {
        continue; // within the parent all are adjacent
      }
      team.team_barrier();
      for (int i = team.team_rank(); i < numPlaces * count; i += team.team_size()) {
        const std::int32_t of =
          tree.colleagues[std::int64_t{numDirections} * tree.parent[targets[i % count]] + direction];
        sources[i / count * atOnce + i % count] = of < 0 ? -1 : field.children[(std::int64_t{of} << Dim) + i / count];
      }
      team.team_barrier();
      for (int p = team.team_rank(); p < numPlaces; p += team.team_size()) {
        int number = 0;
        for (int column = 0; column < count; ++column) { // those without a source are left out
          const std::int32_t source = sources[p * atOnce + column];
          if (source >= 0) {
            sources[p * atOnce + number] = source;
            columns[p * atOnce + number] = column;
            ++number;
          }
        }
        found[p] = number;
      }
      team.team_barrier();
      for (int p = 0; p < numPlaces; ++p) {
        int of = 0;
        int turned = 0;
        bool isFar = false;
        for (int axis = 0, rest = direction; axis < Dim; ++axis, rest /= 3) {
          const int t = 2 * (rest % 3 - 1) + ((p >> axis) & 1) - ((place >> axis) & 1);
          of |= Kokkos::abs(t) << (2 * axis);
          turned |= static_cast<int>(t < 0) << axis;
          isFar |= Kokkos::abs(t) > 1;
        }
        if (isFar && found[p] > 0) {
          pairs += found[p];
          translate(team, operators.classes[of], turned, sources + p * atOnce, columns + p * atOnce, found[p], reached,
            inner, panel, stride);
          if (logarithm != Real(0)) {
            team.team_barrier(); // a column is next another thread's
            for (int k = team.team_rank(); k < found[p]; k += team.team_size()) {
              charges[columns[p * atOnce + k]] += field.moments[sources[p * atOnce + k] * field.stride];
            }
          }
        }
      }
    }
    team.team_barrier();
    if (team.team_rank() == 0) {
      numPairs[team.league_rank()] = pairs;
    }
    // the product sets all coefficients; those padded are 0
    multiplyInTeam(team, operators.fromBasis, field.stride, static_cast<int>(field.stride), operators.basisSize,
      reached, stride, count, ToExpansions{field.expansions, field.stride, targets, factor, logarithm, charges});
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION std::int32_t chunked(std::int32_t count) const {
    return (count + atOnce - 1) / atOnce * atOnce;
  }

  struct ToExpansions {
    Real* expansions;
    std::int64_t stride;
    const std::int32_t* boxes;
    Real factor, logarithm;
    const Real* charges;
    KOKKOS_FORCEINLINE_FUNCTION void operator()(int row, int column, Real value) const {
      expansions[boxes[column] * stride + row] = factor * value + (row == 0 ? logarithm * charges[column] : Real(0));
    }
  };
  /// A column of the product to a column of the result, each to another one.
  struct ToReached {
    Real* reached;
    int stride;
    const std::int32_t* columns;
    const Real* signs;
    KOKKOS_FORCEINLINE_FUNCTION void operator()(int row, int column, Real value) const {
      reached[row * stride + columns[column]] += signs[row] * value;
    }
  };

  KOKKOS_FUNCTION void translate(const typename Policy::member_type& team, const OperatorClass<Real>& of, int turned,
    const std::int32_t* sources, const std::int32_t* columns, int count, Real* reached, Real* inner, Real* panel,
    int stride) const {
    if (of.rank == 0) {
      return;
    }
    const int basis = operators.basis;
    const Real* const signs = operators.signs + turned * basis;
    for (int row = 0; row < operators.basisSize; row += rowsOfPanel) {
      const int numRows = Kokkos::min(int{rowsOfPanel}, operators.basisSize - row);
      team.team_barrier();
      for (int i = team.team_rank(); i < numRows * count; i += team.team_size()) {
        const int k = i % numRows;
        const int column = i / numRows;
        panel[k * stride + column] =
          signs[row + k] * inBasis[(sources[column] - firstBox) * std::int64_t{basis} + row + k];
      }
      team.team_barrier();
      multiplyInTeam(team, of.source + std::int64_t{row} * of.paddedRank, of.paddedRank, of.paddedRank, numRows, panel,
        stride, count, ToPanel<Real>{inner, stride, row > 0});
    }
    team.team_barrier();
    multiplyInTeam(
      team, of.target, basis, basis, of.rank, inner, stride, count, ToReached{reached, stride, columns, signs});
  }
};

} // namespace spanwise::nbody::detail
