#pragma once

// The far field of FarField.hpp by teams of threads, in the memory of an execution space: for a device. The operators,
// the order of boxes and what is computed are those of the host.

#include "Core/Runtime/ForEach.hpp"
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
};

/// Teams that have `bytes` of scratch memory: in a processor's own, where it has as much. A kernel finds it at the
/// level that this returns.
template <class Policy>
[[nodiscard]] int setScratch(Policy& policy, std::size_t bytes) {
  const int level = bytes + 64 <= static_cast<std::size_t>(Policy::scratch_size_max(0)) ? 0 : 1;
  policy.set_scratch_size(level, Kokkos::PerTeam(bytes + 64));
  return level;
}

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

} // namespace spanwise::nbody::detail
