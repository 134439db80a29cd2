#pragma once

// What tests of sums on ranks share: each rank's share of particles, their sums on all ranks, and how accurate these
// are.

#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/NBody/MultipoleSums.hpp"
#include "Testing/Core/Parallel/World.hpp"
#include "Testing/Core/Solvers/NBody/FarSums.hpp"
#include "Testing/Rooms.hpp"

#include <array>
#include <limits>
#include <random>
#include <vector>

namespace spanwise::nbody::testing {

using spanwise::testing::world;
using Host = HostExecutionSpace;

/// Where points are before anything is summed.
enum class Dealt { InTurn, ToTheFirst, ToTheLast, InBlocks, NothingToTheFirst };
inline constexpr Dealt allWays[] = {
  Dealt::InTurn, Dealt::ToTheFirst, Dealt::ToTheLast, Dealt::InBlocks, Dealt::NothingToTheFirst};

inline bool isMine(Dealt dealt, std::int64_t i, std::int64_t count) {
  const int size = world().size();
  switch (dealt) {
  case Dealt::ToTheFirst:
    return world().rank() == 0;
  case Dealt::ToTheLast:
    return world().rank() == size - 1;
  case Dealt::InBlocks:
    return i * size / count == world().rank();
  case Dealt::NothingToTheFirst:
    return world().rank() == (size == 1 ? 0 : 1 + i % (size - 1));
  default:
    return world().rank() == i % size;
  }
}

/// This rank's particles of the whole first, so that a target has the number of its source, then the others'.
template <int Dim, class Real>
struct Share {
  Particles<Dim, Real> mine;
  Particles<Dim, Real> all;
  std::vector<std::int64_t> numbers; ///< in the whole, of all

  Share(const Particles<Dim, Real>& whole, Dealt dealt) {
    mine.charges.resize(whole.charges.size());
    all.charges.resize(whole.charges.size());
    for (const bool own : {true, false}) {
      for (std::int64_t i = 0; i < whole.count(); ++i) {
        if (isMine(dealt, i, whole.count()) == own) {
          add(whole, i, all);
          numbers.push_back(i);
          if (own) {
            add(whole, i, mine);
          }
        }
      }
    }
  }

private:
  static void add(const Particles<Dim, Real>& whole, std::int64_t i, Particles<Dim, Real>& to) {
    for (int axis = 0; axis < Dim; ++axis) {
      to.points[axis].push_back(whole.points[axis][i]);
    }
    for (std::size_t c = 0; c < whole.charges.size(); ++c) {
      to.charges[c].push_back(whole.charges[c][i]);
    }
  }
};

template <class Real>
using RankResult = ResultWith<Real, MultipoleReport>;

/// Without targets, of the sources on themselves.
template <class Interaction, int Dim, class Real>
RankResult<Real> rankSum(const Host& space, const Interaction& interaction, const Particles<Dim, Real>* targets,
  const Particles<Dim, Real>& sources, Parts parts, const MultipoleOptions& options) {
  const Uploaded<Host, Dim, Real> uploaded(sources);
  const std::int64_t count = targets != nullptr ? targets->count() : sources.count();
  const auto size = static_cast<std::size_t>(count * options.numRightHandSides);
  constexpr Real none = std::numeric_limits<Real>::quiet_NaN(); // what is there must not matter
  RankResult<Real> result;
  result.potentials.assign(hasPotential(parts) ? size : 0, none);
  result.gradients.assign(hasGradient(parts) ? Dim * size : 0, none);
  const SumsView<Real> sums{hasPotential(parts) ? result.potentials.data() : nullptr,
    hasGradient(parts) ? result.gradients.data() : nullptr, 0};
  MultipoleMemory<Dim, Host> memory;
  const Context context(space, world());
  if (targets != nullptr) {
    const Uploaded<Host, Dim, Real> places(*targets);
    result.report = multipolesBetween(context, interaction, places.view(), uploaded.sources(), sums, options, memory);
  } else {
    result.report = multipolesWithin(context, interaction, uploaded.sources(), sums, options, memory);
  }
  return result;
}

/// The largest errors on all ranks at some targets; without, at this rank's own sources, which are the first of all.
template <class Interaction, int Dim, class Real>
std::array<double, 2> errorsOf(const RankResult<Real>& result, const Interaction& interaction,
  const Particles<Dim, Real>* targets, const Share<Dim, Real>& sources) {
  const Particles<Dim, Real>& places = targets != nullptr ? *targets : sources.mine;
  auto largest = errorsOf(result, interaction, places, sources.all, targets == nullptr, places.count() / 12 + 1);
  world().reduce(ReduceBy::Maximum, largest);
  return largest;
}

template <class Interaction, int Dim, class Real>
MultipoleReport expectAccurate(const Interaction& interaction, Distribution distribution, Dealt dealt,
  std::int64_t count, double accuracy, std::int64_t maxInLeaf, Parts parts = Parts::Both) {
  std::mt19937 random(seed());
  const Share<Dim, Real> share(distributed<Dim, Real>(distribution, random, count, numChargesOf<Interaction>), dealt);
  MultipoleOptions options;
  options.accuracy = accuracy;
  options.maxInLeaf = maxInLeaf;
  auto result = rankSum<Interaction, Dim, Real>(Host(), interaction, nullptr, share.mine, parts, options);
  const auto errors = errorsOf<Interaction, Dim, Real>(result, interaction, nullptr, share);
  EXPECT_LE(errors[0], accuracy) << "potential " << distributionName(distribution) << ", order " << result.report.order;
  EXPECT_LE(errors[1], accuracy) << "gradient " << distributionName(distribution) << ", order " << result.report.order;
  return result.report;
}

/// k = r^2: a polynomial, which expansions of order 3 have exactly, and of which sums have a closed form.
struct SquaredDistance {
  template <Parts parts, class T>
  KOKKOS_FORCEINLINE_FUNCTION RadialTerms<T> terms(T r2) const {
    return {r2, T(2.0)};
  }
};

} // namespace spanwise::nbody::testing
