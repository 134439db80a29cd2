#pragma once

// Particles for tests, and sums of closed forms in long double.

#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/NBody/DirectSums.hpp"
#include "Testing/Core/MessageOf.hpp"
#include "Testing/Core/Seed.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace spanwise::nbody::testing {

using spanwise::testing::AllSpaces;
using spanwise::testing::messageOf;
using spanwise::testing::oneThread;
using spanwise::testing::seed;
using spanwise::testing::SpaceNames;

template <class Real>
using Column = std::vector<Real>;

/// Points and columns of charges on the host.
template <int Dim, class Real>
struct Particles {
  std::array<Column<Real>, Dim> points;
  std::vector<Column<Real>> charges;

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(points[0].size()); }
};

/// Points in the unit box and charges in [-1, 1].
template <int Dim, class Real>
Particles<Dim, Real> randomParticles(std::mt19937& random, std::int64_t count, int numColumns = 1) {
  std::uniform_real_distribution<double> place(0.0, 1.0);
  std::uniform_real_distribution<double> charge(-1.0, 1.0);
  Particles<Dim, Real> particles;
  particles.charges.resize(static_cast<std::size_t>(numColumns));
  for (std::int64_t i = 0; i < count; ++i) {
    for (Column<Real>& axis : particles.points) {
      axis.push_back(static_cast<Real>(place(random)));
    }
    for (Column<Real>& column : particles.charges) {
      column.push_back(static_cast<Real>(charge(random)));
    }
  }
  return particles;
}

/// Columns in a space's memory, one after the other.
template <class Space, class Real>
class Columns {
public:
  using Memory = typename Space::memory_space;

  Columns(std::int64_t length, int count) : length_(length), values_("Testing::columns", length * count) {}
  template <class List>
  explicit Columns(const List& columns)
    : Columns(columns.empty() ? 0 : static_cast<std::int64_t>(columns[0].size()), static_cast<int>(columns.size())) {
    const auto host = Kokkos::create_mirror_view(values_);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      for (std::size_t i = 0; i < columns[c].size(); ++i) {
        host(c * columns[c].size() + i) = columns[c][i];
      }
    }
    Kokkos::deep_copy(values_, host);
  }

  [[nodiscard]] Real* data() const { return values_.data(); }
  [[nodiscard]] Real* column(int c) const { return values_.data() + c * length_; }
  [[nodiscard]] Column<Real> all() const {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values_);
    return {host.data(), host.data() + host.extent(0)};
  }
  void fill(Real value) { Kokkos::deep_copy(values_, value); }

private:
  std::int64_t length_;
  Kokkos::View<Real*, Memory> values_;
};

/// Particles in a space's memory.
template <class Space, int Dim, class Real>
struct Uploaded {
  Columns<Space, Real> points;
  Columns<Space, Real> charges;
  std::int64_t count;

  explicit Uploaded(const Particles<Dim, Real>& particles)
    : points(particles.points), charges(particles.charges), count(particles.count()) {}

  [[nodiscard]] PointsView<Dim, Real> view() const {
    PointsView<Dim, Real> result;
    result.count = count;
    for (int axis = 0; axis < Dim; ++axis) {
      result.coordinates[axis] = points.column(axis);
    }
    return result;
  }
  [[nodiscard]] SourcesView<Dim, Real> sources() const { return {view(), charges.data(), 0}; }
};

/// Potentials and gradients [columns x targets] of a call.
template <class Real, class Report>
struct ResultWith {
  Column<Real> potentials;
  Column<Real> gradients;
  Report report;
};

/// What call(sums) writes for so many targets, and what it returns.
template <class Space, int Dim, class Real, class Call>
auto resultOf(std::int64_t numTargets, int numPotentials, Parts parts, const Call& call) {
  Columns<Space, Real> potentials(numTargets, hasPotential(parts) ? numPotentials : 0);
  Columns<Space, Real> gradients(numTargets, hasGradient(parts) ? numPotentials * Dim : 0);
  // what is there must not matter
  potentials.fill(std::numeric_limits<Real>::quiet_NaN());
  gradients.fill(std::numeric_limits<Real>::quiet_NaN());
  ResultWith<Real, std::invoke_result_t<Call, SumsView<Real>>> result;
  result.report = call(SumsView<Real>{
    hasPotential(parts) ? potentials.data() : nullptr, hasGradient(parts) ? gradients.data() : nullptr, 0});
  result.potentials = potentials.all();
  result.gradients = gradients.all();
  return result;
}

template <class Real>
using Result = ResultWith<Real, SumReport>;

template <class Space, class Interaction, int Dim, class Real>
Result<Real> sum(const Space& space, const Interaction& interaction, const Uploaded<Space, Dim, Real>* targets,
  const Uploaded<Space, Dim, Real>& sources, Parts parts, const SumOptions& options) {
  const Context context(space);
  return resultOf<Space, Dim, Real>(targets != nullptr ? targets->count : sources.count,
    options.numRightHandSides * numPotentialsOf<Interaction>, parts, [&](const SumsView<Real>& sums) {
      return targets != nullptr ? sumBetween(context, interaction, targets->view(), sources.sources(), sums, options)
                                : sumWithin(context, interaction, sources.sources(), sums, options);
    });
}

/// A potential and its gradient at a target, and how large what was added up is: |q| (|k| + r |k'|), and its like for
/// the gradient.
template <int Dim>
struct Exact {
  long double potential = 0;
  std::array<long double, Dim> gradient{};
  long double potentialScale = 0;
  long double gradientScale = 0;
};

/// f, f' and f'' of the distance, written down once more.
struct Derivatives {
  long double f, f1, f2;
};
inline Derivatives closedForm(const InverseDistance& /*of*/, long double r) {
  return r > 0 ? Derivatives{1 / r, -1 / (r * r), 2 / (r * r * r)} : Derivatives{};
}
inline Derivatives closedForm(const SoftenedInverseDistance& of, long double r) {
  const long double e = of.epsilon;
  const long double s = std::sqrt(r * r + e * e);
  return {1 / s, -r / (s * s * s), (3 * r * r / (s * s) - 1) / (s * s * s)};
}
inline Derivatives closedForm(const Logarithm& /*of*/, long double r) {
  return r > 0 ? Derivatives{std::log(r), 1 / r, -1 / (r * r)} : Derivatives{};
}
inline Derivatives closedForm(const Gaussian& of, long double r) {
  const long double s2 = static_cast<long double>(of.sigma) * of.sigma;
  const long double f = std::exp(-r * r / s2);
  return {f, -2 * r / s2 * f, (4 * r * r / s2 - 2) / s2 * f};
}
inline Derivatives closedForm(const Yukawa& of, long double r) {
  const long double k = of.kappa;
  return r > 0 ? Derivatives{std::exp(-k * r) / r, -(1 + k * r) * std::exp(-k * r) / (r * r),
                   (2 + 2 * k * r + k * k * r * r) * std::exp(-k * r) / (r * r * r)}
               : Derivatives{};
}

template <class Interaction, int Dim>
void addExact(const Interaction& interaction, const long double* d, const long double* q, Exact<Dim>& exact) {
  long double r2 = 0;
  for (int axis = 0; axis < Dim; ++axis) {
    r2 += d[axis] * d[axis];
  }
  const long double r = std::sqrt(r2);
  const Derivatives k = closedForm(interaction, r);
  exact.potential += q[0] * k.f;
  exact.potentialScale += std::abs(q[0]) * (std::abs(k.f) + r * std::abs(k.f1));
  exact.gradientScale += std::abs(q[0]) * (std::abs(k.f1) + r * std::abs(k.f2));
  for (int axis = 0; axis < Dim && r > 0; ++axis) {
    exact.gradient[axis] += q[0] * k.f1 * d[axis] / r;
  }
}

template <int Dim>
void addExact(const Dipole<Dim>& /*of*/, const long double* d, const long double* p, Exact<Dim>& exact) {
  long double r2 = 0;
  long double along = 0;
  long double p2 = 0;
  for (int axis = 0; axis < Dim; ++axis) {
    r2 += d[axis] * d[axis];
    along += p[axis] * d[axis];
    p2 += p[axis] * p[axis];
  }
  if (r2 > 0) {
    const long double r = std::sqrt(r2);
    exact.potential += along / (r2 * r);
    exact.potentialScale += 3 * std::sqrt(p2) / r2;      // |k| <= p / r^2, |k'| <= 2 p / r^3
    exact.gradientScale += 8 * std::sqrt(p2) / (r2 * r); // at most 2 p / r^3 and 6 p / r^4
    for (int axis = 0; axis < Dim; ++axis) {
      exact.gradient[axis] += -3 * d[axis] * along / (r2 * r2 * r) + p[axis] / (r2 * r); // minus the tensor times p
    }
  }
}

/// What all sources do at a target; the one with the number `self` does nothing.
template <class Interaction, int Dim, class Real>
Exact<Dim> exactAt(const Interaction& interaction, const Particles<Dim, Real>& targets, std::int64_t i,
  const Particles<Dim, Real>& sources, std::int64_t self, int side = 0) {
  Exact<Dim> exact;
  const int numCharges = numChargesOf<Interaction>;
  for (std::int64_t j = 0; j < sources.count(); ++j) {
    if (j == self) {
      continue;
    }
    std::array<long double, Dim> d;
    std::array<long double, numCharges> q;
    for (int axis = 0; axis < Dim; ++axis) {
      d[axis] = static_cast<long double>(targets.points[axis][i]) - sources.points[axis][j];
    }
    for (int c = 0; c < numCharges; ++c) {
      q[c] = sources.charges[side * numCharges + c][j];
    }
    addExact(interaction, d.data(), q.data(), exact);
  }
  return exact;
}

/// So many last bits of the largest sum that there could be.
template <class Real>
inline constexpr long double allowed = 24 * static_cast<long double>(std::numeric_limits<Real>::epsilon());

/// Compares one target's column of a result.
template <int Dim, class Real, class Report>
void expectExact(const ResultWith<Real, Report>& result, const Exact<Dim>& exact, std::int64_t i, std::int64_t count,
  Parts parts, int side = 0) {
  if (hasPotential(parts)) {
    ASSERT_NEAR(result.potentials[side * count + i], exact.potential, allowed<Real> * exact.potentialScale)
      << "target " << i << " of " << count;
  }
  if (hasGradient(parts)) {
    for (int axis = 0; axis < Dim; ++axis) {
      ASSERT_NEAR(
        result.gradients[(side * Dim + axis) * count + i], exact.gradient[axis], allowed<Real> * exact.gradientScale)
        << "target " << i << " of " << count << ", axis " << axis;
    }
  }
}

/// Every variant that goes with a space and sums.
template <class Space>
std::vector<Variant> variantsFor(bool canBeMutual) {
  std::vector<Variant> variants{Variant::Automatic, Variant::RegisterTiles};
  if (!runsOnHost<Space>) {
    variants.push_back(Variant::ScratchTiles);
  } else if (canBeMutual) {
    variants.push_back(Variant::Mutual);
  }
  return variants;
}

/// Those up to what this processor has.
inline std::vector<InstructionSet> instructionSets() {
  std::vector<InstructionSet> sets;
  for (const InstructionSet set : {InstructionSet::Compiled, InstructionSet::Avx2, InstructionSet::Avx512}) {
    if (set <= bestInstructionSet()) {
      sets.push_back(set);
    }
  }
  return sets;
}

} // namespace spanwise::nbody::testing
