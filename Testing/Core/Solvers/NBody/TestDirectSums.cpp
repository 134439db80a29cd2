#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Solvers/NBody/Particles.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <numeric>

namespace spanwise::nbody::testing {
namespace {

using spanwise::testing::ofSeveralThreads;

template <class Space>
class DirectSums : public ::testing::Test {};
TYPED_TEST_SUITE(DirectSums, AllSpaces, SpaceNames);

constexpr Parts allParts[] = {Parts::Potential, Parts::Gradient, Parts::Both};

bool usesInstructions(Variant variant) { return variant == Variant::RegisterTiles || variant == Variant::Mutual; }

/// Calls check(options) for all variants, with all instruction sets where they make a difference.
template <class Space, class Check>
void forEachVariant(bool canBeMutual, const Check& check) {
  for (const Variant variant : variantsFor<Space>(canBeMutual)) {
    for (const InstructionSet most : instructionSets()) {
      if (most == bestInstructionSet() || usesInstructions(variant)) {
        SCOPED_TRACE(std::string(variantName(variant)) + ", " + std::string(instructionSetName(most)));
        SumOptions options;
        options.variant = variant;
        options.maxInstructions = most;
        check(options);
        if (::testing::Test::HasFatalFailure()) {
          return;
        }
      }
    }
  }
}

template <class Space, class Interaction, int Dim, class Real>
void expectExactSums(const Interaction& interaction, std::int64_t numTargets, std::int64_t numSources, bool within) {
  SCOPED_TRACE(std::to_string(Dim) + "D, " + (sizeof(Real) == sizeof(float) ? "float" : "double") + ", " +
    std::to_string(numTargets) + " targets, " + std::to_string(numSources) + " sources");
  std::mt19937 random(seed());
  const auto sources = randomParticles<Dim, Real>(random, numSources, numChargesOf<Interaction>);
  const auto targets = within ? sources : randomParticles<Dim, Real>(random, numTargets);
  std::vector<Exact<Dim>> exact;
  for (std::int64_t i = 0; i < numTargets; ++i) {
    exact.push_back(exactAt(interaction, targets, i, sources, within ? i : -1));
  }
  const Uploaded<Space, Dim, Real> uploadedSources(sources);
  const Uploaded<Space, Dim, Real> uploadedTargets(targets);
  const bool canBeMutual = within && RadialInteraction<Interaction>;
  for (const Parts parts : allParts) {
    forEachVariant<Space>(canBeMutual, [&](const SumOptions& options) {
      const auto result =
        sum(oneThread<Space>(), interaction, within ? nullptr : &uploadedTargets, uploadedSources, parts, options);
      ASSERT_EQ(result.report.variant == options.variant, options.variant != Variant::Automatic);
      for (std::int64_t i = 0; i < numTargets; ++i) {
        expectExact<Dim>(result, exact[static_cast<std::size_t>(i)], i, numTargets, parts);
      }
    });
  }
}

template <class Space, class Interaction, int Dim>
void expectExactSums(const Interaction& interaction) {
  for (const std::int64_t count : {0, 1, 2, 3, 17, 300, 1000}) {
    expectExactSums<Space, Interaction, Dim, double>(interaction, count, count, true);
    expectExactSums<Space, Interaction, Dim, float>(interaction, count, count, true);
  }
  expectExactSums<Space, Interaction, Dim, float>(interaction, 5, 1000, false);
  expectExactSums<Space, Interaction, Dim, double>(interaction, 130, 17, false);
  expectExactSums<Space, Interaction, Dim, double>(interaction, 3, 0, false);
  expectExactSums<Space, Interaction, Dim, double>(interaction, 0, 3, false);
}

TYPED_TEST(DirectSums, InverseDistance) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectExactSums<TypeParam, InverseDistance, 2>({});
  expectExactSums<TypeParam, InverseDistance, 3>({});
}

TYPED_TEST(DirectSums, SoftenedInverseDistance) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectExactSums<TypeParam, SoftenedInverseDistance, 2>({0.05});
  expectExactSums<TypeParam, SoftenedInverseDistance, 3>({0.05});
}

TYPED_TEST(DirectSums, Logarithm) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectExactSums<TypeParam, Logarithm, 2>({});
  expectExactSums<TypeParam, Logarithm, 3>({});
}

TYPED_TEST(DirectSums, Gaussian) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectExactSums<TypeParam, Gaussian, 2>({0.4});
  expectExactSums<TypeParam, Gaussian, 3>({0.4});
}

TYPED_TEST(DirectSums, Yukawa) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectExactSums<TypeParam, Yukawa, 2>({3.0});
  expectExactSums<TypeParam, Yukawa, 3>({3.0});
}

TYPED_TEST(DirectSums, Dipoles) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectExactSums<TypeParam, Dipole<2>, 2>({});
  expectExactSums<TypeParam, Dipole<3>, 3>({});
}

constexpr std::int64_t numMany = 65537;

/// Many sources at some of their places by every variant.
template <class Space, class Interaction, int Dim, class Real>
void expectExactForMany(const Interaction& interaction) {
  SCOPED_TRACE(std::to_string(Dim) + "D, " + (sizeof(Real) == sizeof(float) ? "float" : "double"));
  constexpr std::int64_t sampled = 5;
  constexpr std::int64_t stride = (numMany - 1) / (sampled - 1);
  std::mt19937 random(seed());
  const auto sources = randomParticles<Dim, Real>(random, numMany, numChargesOf<Interaction>);
  Particles<Dim, Real> targets;
  std::vector<Exact<Dim>> exact;
  for (std::int64_t k = 0; k < sampled; ++k) {
    for (int axis = 0; axis < Dim; ++axis) {
      targets.points[axis].push_back(sources.points[axis][k * stride]);
    }
    exact.push_back(exactAt(interaction, targets, k, sources, -1));
  }
  const Uploaded<Space, Dim, Real> uploadedSources(sources);
  const Uploaded<Space, Dim, Real> uploadedTargets(targets);
  forEachVariant<Space>(false, [&](const SumOptions& options) {
    const auto result = sum(oneThread<Space>(), interaction, &uploadedTargets, uploadedSources, Parts::Both, options);
    for (std::int64_t k = 0; k < sampled; ++k) {
      expectExact<Dim>(result, exact[k], k, sampled, Parts::Both);
    }
  });
}

/// Many particles on themselves by the fast variants.
template <class Space, class Real>
void expectExactWithinMany() {
  SCOPED_TRACE(sizeof(Real) == sizeof(float) ? "float" : "double");
  if (bestInstructionSet() == InstructionSet::Compiled) {
    return; // takes minutes
  }
  constexpr std::int64_t stride = (numMany - 1) / 6;
  std::mt19937 random(seed());
  const auto particles = randomParticles<3, Real>(random, numMany);
  const Uploaded<Space, 3, Real> uploaded(particles);
  for (const Variant variant : {Variant::RegisterTiles, Variant::Mutual}) {
    if (variant == Variant::Mutual && !runsOnHost<Space>) {
      continue;
    }
    SumOptions options;
    options.variant = variant;
    const auto result =
      sum<Space, InverseDistance, 3, Real>(Space(), InverseDistance(), nullptr, uploaded, Parts::Potential, options);
    EXPECT_EQ(result.report.numInteractions, static_cast<double>(numMany) * (numMany - 1));
    for (std::int64_t i = 0; i < numMany; i += stride) {
      expectExact<3>(result, exactAt(InverseDistance(), particles, i, particles, i), i, numMany, Parts::Potential);
    }
  }
}

TYPED_TEST(DirectSums, OfManySources) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  const auto inBothPrecisions = [&]<int Dim, class Interaction>(const Interaction& interaction) {
    expectExactForMany<TypeParam, Interaction, Dim, float>(interaction);
    expectExactForMany<TypeParam, Interaction, Dim, double>(interaction);
  };
  const auto inBothDimensions = [&](const auto& interaction) {
    inBothPrecisions.template operator()<2>(interaction);
    inBothPrecisions.template operator()<3>(interaction);
  };
  inBothDimensions(InverseDistance());
  inBothDimensions(SoftenedInverseDistance{0.05});
  inBothDimensions(Logarithm());
  inBothDimensions(Gaussian{0.4});
  inBothDimensions(Yukawa{3.0});
  inBothPrecisions.template operator()<2>(Dipole<2>());
  inBothPrecisions.template operator()<3>(Dipole<3>());
}

TYPED_TEST(DirectSums, OfManyOnThemselves) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectExactWithinMany<TypeParam, float>();
  expectExactWithinMany<TypeParam, double>();
}

/// With charges that add up to zero a shift of all ln r, which is a change of units, changes nothing.
TYPED_TEST(DirectSums, NeutralChargesDoNotKnowTheUnitOfLength) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  auto particles = randomParticles<2, double>(random, 500);
  auto& charges = particles.charges[0];
  const double excess = std::accumulate(charges.begin(), charges.end(), 0.0);
  const auto outside = [&] {
    auto targets = randomParticles<2, double>(random, 20);
    for (double& x : targets.points[0]) {
      x += 2.0;
    }
    return targets;
  }();
  charges[0] -= excess;
  auto larger = particles;
  auto largerOutside = outside;
  for (int axis = 0; axis < 2; ++axis) {
    for (double& x : larger.points[axis]) {
      x *= 1024.0;
    }
    for (double& x : largerOutside.points[axis]) {
      x *= 1024.0;
    }
  }
  const Uploaded<TypeParam, 2, double> targets(outside);
  const Uploaded<TypeParam, 2, double> largerTargets(largerOutside);
  forEachVariant<TypeParam>(false, [&](const SumOptions& options) {
    const auto first = sum(oneThread<TypeParam>(), Logarithm(), &targets, Uploaded<TypeParam, 2, double>(particles),
      Parts::Potential, options);
    const auto second = sum(oneThread<TypeParam>(), Logarithm(), &largerTargets, Uploaded<TypeParam, 2, double>(larger),
      Parts::Potential, options);
    for (std::size_t i = 0; i < first.potentials.size(); ++i) {
      ASSERT_NEAR(first.potentials[i], second.potentials[i], 1e-11);
    }
  });
}

/// Particles in the same place do nothing to each other where the interaction is singular, and what its limit says
/// where it is not; nothing is ever not a number.
template <class Space, class Interaction, class Real>
void expectCoincident(const Interaction& interaction) {
  std::mt19937 random(seed());
  auto particles = randomParticles<3, Real>(random, 700);
  for (std::size_t i = 0; i < 700; ++i) { // every third lies on another, and forty in one place
    const std::size_t of = i < 40 ? 5 : i % 3 == 0 ? i / 3 : i;
    for (int axis = 0; axis < 3; ++axis) {
      particles.points[axis][i] = particles.points[axis][of];
    }
  }
  const Uploaded<Space, 3, Real> uploaded(particles);
  std::vector<Exact<3>> exact;
  for (std::int64_t i = 0; i < particles.count(); ++i) {
    exact.push_back(exactAt(interaction, particles, i, particles, i));
  }
  forEachVariant<Space>(true, [&](const SumOptions& options) {
    const auto result =
      sum<Space, Interaction, 3, Real>(oneThread<Space>(), interaction, nullptr, uploaded, Parts::Both, options);
    for (std::int64_t i = 0; i < particles.count(); ++i) {
      expectExact<3>(result, exact[i], i, particles.count(), Parts::Both);
    }
  });
}

TYPED_TEST(DirectSums, CoincidentParticles) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectCoincident<TypeParam, InverseDistance, float>({});
  expectCoincident<TypeParam, InverseDistance, double>({});
  expectCoincident<TypeParam, SoftenedInverseDistance, double>({0.01});
  expectCoincident<TypeParam, Logarithm, double>({});
  expectCoincident<TypeParam, Gaussian, float>({0.2});
  expectCoincident<TypeParam, Yukawa, double>({2.0});
}

/// A particle without charge that lies on another, and not elsewhere, leaves all others their bits.
template <class Space, int Dim, class Real>
void expectOthersBits(bool within) {
  std::mt19937 random(seed());
  constexpr std::int64_t count = 1700;
  auto apart = randomParticles<Dim, Real>(random, count);
  const auto others = randomParticles<Dim, Real>(random, count);
  for (std::int64_t i = 3; i < count; i += 97) {
    apart.charges[0][i] = 0;
  }
  auto together = apart;
  for (std::int64_t i = 3; i < count; i += 97) {
    for (int axis = 0; axis < Dim; ++axis) {
      together.points[axis][i] = within ? apart.points[axis][(7 * i + 1) % count] : others.points[axis][i];
    }
  }
  const Uploaded<Space, Dim, Real> first(apart);
  const Uploaded<Space, Dim, Real> second(together);
  const Uploaded<Space, Dim, Real> sources(others);
  forEachVariant<Space>(within, [&](const SumOptions& options) {
    const auto sumOf = [&](const Uploaded<Space, Dim, Real>& of) {
      return within ? sum<Space, InverseDistance, Dim, Real>(
                        oneThread<Space>(), InverseDistance(), nullptr, of, Parts::Both, options)
                    : sum(oneThread<Space>(), InverseDistance(), &of, sources, Parts::Both, options);
    };
    const auto expected = sumOf(first);
    const auto result = sumOf(second);
    for (std::int64_t i = 0; i < count; ++i) {
      if (i % 97 != 3) {
        ASSERT_EQ(result.potentials[i], expected.potentials[i]) << "particle " << i;
        for (int axis = 0; axis < Dim; ++axis) {
          ASSERT_EQ(result.gradients[axis * count + i], expected.gradients[axis * count + i]) << "particle " << i;
        }
      }
    }
  });
}

TYPED_TEST(DirectSums, CoincidentParticlesLeaveOthersTheirBits) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const bool within : {false, true}) {
    SCOPED_TRACE(within ? "within" : "between");
    expectOthersBits<TypeParam, 3, double>(within);
    expectOthersBits<TypeParam, 3, float>(within);
    expectOthersBits<TypeParam, 2, double>(within);
  }
}

TYPED_TEST(DirectSums, AllInOnePlaceAreZero) {
  std::mt19937 random(seed());
  auto particles = randomParticles<3, double>(random, 300);
  for (auto& axis : particles.points) {
    std::fill(axis.begin(), axis.end(), 0.25);
  }
  forEachVariant<TypeParam>(true, [&](const SumOptions& options) {
    const auto result = sum<TypeParam, InverseDistance, 3, double>(oneThread<TypeParam>(), InverseDistance(), nullptr,
      Uploaded<TypeParam, 3, double>(particles), Parts::Both, options);
    for (const double value : result.potentials) {
      ASSERT_EQ(value, 0.0);
    }
    for (const double value : result.gradients) {
      ASSERT_EQ(value, 0.0);
    }
  });
}

/// Large and small units: squares of distances leave the range of floats, not that of doubles.
TYPED_TEST(DirectSums, AllLengthsThatDoublesHave) {
  for (const double unit : {1e-90, 1e-25, 1e20, 1e60}) {
    SCOPED_TRACE(unit);
    std::mt19937 random(seed());
    auto particles = randomParticles<3, double>(random, 300);
    for (auto& axis : particles.points) {
      for (double& x : axis) {
        x *= unit;
      }
    }
    std::vector<Exact<3>> exact;
    for (std::int64_t i = 0; i < particles.count(); ++i) {
      exact.push_back(exactAt(InverseDistance(), particles, i, particles, i));
    }
    forEachVariant<TypeParam>(true, [&](const SumOptions& options) {
      const auto result = sum<TypeParam, InverseDistance, 3, double>(oneThread<TypeParam>(), InverseDistance(), nullptr,
        Uploaded<TypeParam, 3, double>(particles), Parts::Both, options);
      for (std::int64_t i = 0; i < particles.count(); ++i) {
        expectExact<3>(result, exact[i], i, particles.count(), Parts::Both);
      }
    });
  }
}

/// Sources in another order give the same sums but for rounding, targets in another order the same bits.
TYPED_TEST(DirectSums, OrderDoesNotMatter) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const auto particles = randomParticles<3, double>(random, 1500);
  std::vector<std::size_t> order(1500);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  auto shuffled = particles;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      shuffled.points[axis][i] = particles.points[axis][order[i]];
    }
    shuffled.charges[0][i] = particles.charges[0][order[i]];
  }
  const Uploaded<TypeParam, 3, double> first(particles);
  const Uploaded<TypeParam, 3, double> second(shuffled);
  const Uploaded<TypeParam, 3, double> others(randomParticles<3, double>(random, 1200));
  forEachVariant<TypeParam>(true, [&](const SumOptions& options) {
    const auto expected = sum<TypeParam, InverseDistance, 3, double>(
      oneThread<TypeParam>(), InverseDistance(), nullptr, first, Parts::Potential, options);
    const auto other = sum<TypeParam, InverseDistance, 3, double>(
      oneThread<TypeParam>(), InverseDistance(), nullptr, second, Parts::Potential, options);
    for (std::size_t i = 0; i < order.size(); ++i) {
      ASSERT_NEAR(other.potentials[i], expected.potentials[order[i]], 1e-10);
    }
    if (options.variant != Variant::Mutual && options.variant != Variant::Automatic) {
      const auto targets = sum(oneThread<TypeParam>(), InverseDistance(), &second, others, Parts::Potential, options);
      const auto inOrder = sum(oneThread<TypeParam>(), InverseDistance(), &first, others, Parts::Potential, options);
      for (std::size_t i = 0; i < order.size(); ++i) {
        ASSERT_EQ(targets.potentials[i], inOrder.potentials[order[i]]);
      }
    }
  });
}

/// Forces of a pair cancel, so the total force is zero; with charges in both places.
TYPED_TEST(DirectSums, MomentumIsKept) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const auto particles = randomParticles<3, double>(random, 1300);
  forEachVariant<TypeParam>(true, [&](const SumOptions& options) {
    const auto result = sum<TypeParam, InverseDistance, 3, double>(oneThread<TypeParam>(), InverseDistance(), nullptr,
      Uploaded<TypeParam, 3, double>(particles), Parts::Gradient, options);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double total = 0.0;
      double size = 0.0;
      for (std::size_t i = 0; i < 1300; ++i) {
        total += particles.charges[0][i] * result.gradients[axis * 1300 + i];
        size += std::abs(particles.charges[0][i] * result.gradients[axis * 1300 + i]);
      }
      ASSERT_NEAR(total, 0.0, 1e-11 * size);
    }
  });
}

TYPED_TEST(DirectSums, ManyRightHandSides) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  constexpr std::int64_t count = 333;
  constexpr int numSides = 6; // four and two
  const auto particles = randomParticles<3, double>(random, count, numSides);
  forEachVariant<TypeParam>(true, [&](SumOptions options) {
    options.numRightHandSides = numSides;
    for (const Parts parts : allParts) {
      const auto result = sum<TypeParam, Yukawa, 3, double>(
        oneThread<TypeParam>(), Yukawa{1.0}, nullptr, Uploaded<TypeParam, 3, double>(particles), parts, options);
      EXPECT_EQ(result.report.numInteractions, static_cast<double>(count * (count - 1) * numSides));
      for (int side = 0; side < numSides; ++side) {
        for (std::int64_t i = 0; i < count; i += 37) {
          expectExact<3>(result, exactAt(Yukawa{1.0}, particles, i, particles, i, side), i, count, parts, side);
        }
      }
    }
  });
}

TYPED_TEST(DirectSums, SeveralRightHandSidesOfDipoles) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  constexpr std::int64_t count = 100;
  const auto particles = randomParticles<3, double>(random, count, 5 * 3);
  forEachVariant<TypeParam>(false, [&](SumOptions options) {
    options.numRightHandSides = 5;
    const auto result = sum<TypeParam, Dipole<3>, 3, double>(
      oneThread<TypeParam>(), Dipole<3>(), nullptr, Uploaded<TypeParam, 3, double>(particles), Parts::Both, options);
    for (int side = 0; side < 5; ++side) {
      for (std::int64_t i = 0; i < count; i += 7) {
        expectExact<3>(result, exactAt(Dipole<3>(), particles, i, particles, i, side), i, count, Parts::Both, side);
      }
    }
  });
}

/// Factors, sums that are added to what is there, and columns that are further apart than they are long.
TYPED_TEST(DirectSums, FactorsAndAddedSums) {
  std::mt19937 random(seed());
  constexpr std::int64_t count = 90;
  constexpr std::int64_t stride = 100;
  const auto particles = randomParticles<2, double>(random, count);
  const Uploaded<TypeParam, 2, double> uploaded(particles);
  forEachVariant<TypeParam>(true, [&](SumOptions options) {
    options.store = Store::Add;
    options.potentialFactor = -2.0;
    options.gradientFactor = 0.5;
    Columns<TypeParam, double> potentials(stride, 1);
    Columns<TypeParam, double> gradients(stride, 2);
    potentials.fill(7.0);
    gradients.fill(-3.0);
    sumWithin(Context(oneThread<TypeParam>()), InverseDistance(), uploaded.sources(),
      SumsView<double>{potentials.data(), gradients.data(), stride}, options);
    const auto p = potentials.all();
    const auto g = gradients.all();
    for (std::int64_t i = 0; i < stride; ++i) {
      const bool isThere = i < count;
      const Exact<2> exact = isThere ? exactAt(InverseDistance(), particles, i, particles, i) : Exact<2>();
      ASSERT_NEAR(p[i], 7.0 - 2.0 * static_cast<double>(exact.potential), 1e-10);
      for (int axis = 0; axis < 2; ++axis) {
        ASSERT_NEAR(g[axis * stride + i], -3.0 + 0.5 * static_cast<double>(exact.gradient[axis]),
          1e-13 * static_cast<double>(1 + exact.gradientScale));
      }
    }
  });
}

/// The same bits for one thread and for all.
template <class Space, class Real>
void expectBitsOfOneThread() {
  SCOPED_TRACE(sizeof(Real) == sizeof(float) ? "float" : "double");
  std::mt19937 random(seed());
  const Uploaded<Space, 3, Real> particles(randomParticles<3, Real>(random, 3000));
  const Uploaded<Space, 3, Real> few(randomParticles<3, Real>(random, 10));
  const Uploaded<Space, 3, Real> sources(randomParticles<3, Real>(random, 60000));
  for (const Variant variant : variantsFor<Space>(true)) {
    SCOPED_TRACE(variantName(variant));
    SumOptions options;
    options.variant = variant;
    const auto sumOf = [&](const Space& space, const auto* targets, const auto& of) {
      return sum<Space, InverseDistance, 3, Real>(space, InverseDistance(), targets, of, Parts::Both, options);
    };
    const auto expectSame = [&](const Uploaded<Space, 3, Real>* targets, const Uploaded<Space, 3, Real>& of) {
      const auto one = sumOf(oneThread<Space>(), targets, of);
      for (const Space& space : ofSeveralThreads<Space>()) {
        const auto several = sumOf(space, targets, of);
        EXPECT_EQ(one.potentials, several.potentials);
        EXPECT_EQ(one.gradients, several.gradients);
      }
    };
    expectSame(nullptr, particles);
    if (variant != Variant::Mutual) {
      expectSame(&few, sources);
    }
  }
}

TYPED_TEST(DirectSums, ThreadsGiveTheSameBits) {
  if (!runsOnHost<TypeParam>) {
    GTEST_SKIP() << "is promised for the host";
  }
  expectBitsOfOneThread<TypeParam, float>();
  expectBitsOfOneThread<TypeParam, double>();
}

/// A user's radial interaction: the inverse multiquadric of the width w.
struct InverseQuadratic {
  double w;
  template <Parts parts, class T>
  KOKKOS_FUNCTION RadialTerms<T> terms(T r2) const {
    const T value = inverse(T(r2 + T(w * w)));
    return {value, T(-2) * value * value};
  }
};
Derivatives closedForm(const InverseQuadratic& of, long double r) {
  const long double v = 1 / (r * r + static_cast<long double>(of.w) * of.w);
  return {v, -2 * r * v * v, (8 * r * r * v - 2) * v * v};
}

/// Another one, of vectors: the Stokeslet I / r + d d^T / r^3, three forces to three velocities, without gradients.
struct Stokeslet {
  static constexpr int numCharges = 3;
  static constexpr int numPotentials = 3;
  template <Parts parts, int Dim, class T>
  KOKKOS_FUNCTION void add(const T* d, const T& r2, const T* force, T* velocity, T* /*gradients*/) const {
    const T inverseR = inverseSqrt(r2);
    const T along = (force[0] * d[0] + force[1] * d[1] + force[2] * d[2]) * inverseR * inverseR;
    for (int axis = 0; axis < 3; ++axis) {
      velocity[axis] += (force[axis] + along * d[axis]) * inverseR;
    }
  }
};
static_assert(RadialInteraction<InverseQuadratic> && !GeneralInteraction<InverseQuadratic>);
static_assert(GeneralInteraction<Stokeslet> && !RadialInteraction<Stokeslet>);

TYPED_TEST(DirectSums, UsersRadialInteraction) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectExactSums<TypeParam, InverseQuadratic, 3, double>({0.3}, 200, 200, true);
  expectExactSums<TypeParam, InverseQuadratic, 3, float>({0.3}, 33, 170, false);
}

TYPED_TEST(DirectSums, UsersInteractionOfVectors) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  constexpr std::int64_t count = 150;
  const auto particles = randomParticles<3, double>(random, count, 3);
  forEachVariant<TypeParam>(false, [&](const SumOptions& options) {
    const auto result = sum<TypeParam, Stokeslet, 3, double>(oneThread<TypeParam>(), Stokeslet(), nullptr,
      Uploaded<TypeParam, 3, double>(particles), Parts::Potential, options);
    for (std::int64_t i = 0; i < count; ++i) {
      std::array<long double, 3> exact{};
      for (std::int64_t j = 0; j < count; ++j) {
        std::array<long double, 3> d;
        long double r2 = 0;
        long double along = 0;
        for (int axis = 0; axis < 3; ++axis) {
          d[axis] = static_cast<long double>(particles.points[axis][i]) - particles.points[axis][j];
          r2 += d[axis] * d[axis];
          along += d[axis] * particles.charges[axis][j];
        }
        for (int axis = 0; axis < 3 && i != j; ++axis) {
          exact[axis] += particles.charges[axis][j] / std::sqrt(r2) + along * d[axis] / (r2 * std::sqrt(r2));
        }
      }
      for (int axis = 0; axis < 3; ++axis) {
        ASSERT_NEAR(result.potentials[axis * count + i], exact[axis], 1e-11);
      }
    }
  });
}

TYPED_TEST(DirectSums, AutomaticReportsWhatItTook) {
  std::mt19937 random(seed());
  const Uploaded<TypeParam, 3, float> few(randomParticles<3, float>(random, 10));
  const Uploaded<TypeParam, 3, float> many(randomParticles<3, float>(random, 2000));
  const auto variantOf = [&](const auto& interaction, const auto* targets, const auto& sources) {
    return sum(TypeParam(), interaction, targets, sources, Parts::Potential, {}).report.variant;
  };
  EXPECT_EQ(variantOf(InverseDistance(), &few, many), Variant::RegisterTiles);
  EXPECT_EQ(variantOf(InverseDistance(), static_cast<const Uploaded<TypeParam, 3, float>*>(nullptr), few),
    Variant::RegisterTiles);
  EXPECT_EQ(variantOf(InverseDistance(), static_cast<const Uploaded<TypeParam, 3, float>*>(nullptr), many),
    runsOnHost<TypeParam> ? Variant::Mutual : Variant::RegisterTiles);
}

TYPED_TEST(DirectSums, ProgressAndCancel) {
  std::mt19937 random(seed());
  const Uploaded<TypeParam, 3, float> particles(randomParticles<3, float>(random, 5000));
  Columns<TypeParam, float> potentials(5000, 1);
  const Context<TypeParam> context;
  double last = 0.0;
  const auto run = [&](double stopAt) {
    last = 0.0;
    const Progress progress([&](double fraction) {
      EXPECT_GE(fraction, last);
      last = fraction;
      return fraction < stopAt;
    });
    sumWithin(context.with(progress), InverseDistance(), particles.sources(), SumsView<float>{potentials.data()}, {});
  };
  run(2.0);
  EXPECT_EQ(last, 1.0);
  EXPECT_THROW(run(0.0), Cancelled);
}

TYPED_TEST(DirectSums, BadInput) {
  std::mt19937 random(seed());
  const Uploaded<TypeParam, 3, double> particles(randomParticles<3, double>(random, 10));
  Columns<TypeParam, double> potentials(10, 1);
  const Context<TypeParam> context;
  const SumsView<double> sums{potentials.data()};
  const auto message = [&](const PointsView<3, double>& targets, const SourcesView<3, double>& sources,
                         const SumsView<double>& to, const SumOptions& options) {
    return messageOf([&] { sumBetween(context, InverseDistance(), targets, sources, to, options); });
  };
  const PointsView<3, double> points = particles.view();
  const double* const charges = particles.charges.data();
  const auto ofCount = [&](std::int64_t count) {
    PointsView<3, double> some = points;
    some.count = count;
    return some;
  };
  EXPECT_EQ(message(points, particles.sources(), sums, {}), "");
  EXPECT_EQ(message(points, particles.sources(), {}, {}),
    "there is no array for the sums: give one for potentials, gradients, or both");
  EXPECT_EQ(message(points, {points, nullptr, 0}, sums, {}), "charges are missing for 10 points");
  EXPECT_EQ(
    message(points, {points, charges, 9}, sums, {}), "the distance of columns of charges is 9; it must be at least 10");
  EXPECT_EQ(message(points, particles.sources(), {potentials.data(), nullptr, 9}, {}),
    "the distance of columns of sums is 9; it must be at least 10");
  EXPECT_EQ(message({{}, 10}, particles.sources(), sums, {}), "coordinates of targets are missing for 10 points");
  EXPECT_EQ(message(points, {{{}, 10}, charges, 0}, sums, {}), "coordinates of sources are missing for 10 points");
  EXPECT_EQ(message(ofCount(-1), particles.sources(), sums, {}), "the number of targets is -1; it must be at least 0");
  EXPECT_EQ(message(points, {ofCount(-2), charges, 0}, sums, {}), "the number of sources is -2; it must be at least 0");
  const auto ofOptions = [&](const auto& change) {
    SumOptions options;
    change(options);
    return message(points, particles.sources(), sums, options);
  };
  EXPECT_EQ(ofOptions([](SumOptions& options) { options.numRightHandSides = 0; }),
    "the number of right-hand sides is 0; it must be at least 1");
  EXPECT_EQ(ofOptions([](SumOptions& options) { options.potentialFactor = std::nan(""); }),
    "the factor of potentials is nan; it must be finite");
  EXPECT_EQ(ofOptions([](SumOptions& options) { options.gradientFactor = std::numeric_limits<double>::infinity(); }),
    "the factor of gradients is inf; it must be finite");
  EXPECT_EQ(ofOptions([](SumOptions& options) { options.variant = Variant::Mutual; }),
    "the variant 'mutual' is for a radial interaction within one set on the host; elsewhere take 'register tiles'");
}

/// What was faster on a GPU (Documentation/Performance/NBody.md), wherever this runs.
TEST(DirectSumsOfDevices, AutomaticTakesWhatWasFaster) {
  VariantCase of{.onHost = false, .within = true, .isRadial = true, .inDouble = true};
  for (const double few : {0.0, 1024.0, 4096.0}) {
    of.numTargets = few;
    EXPECT_EQ(chooseVariant(of), Variant::ScratchTiles) << few;
  }
  const auto changed = [&](const auto& change) {
    VariantCase other = of;
    change(other);
    return chooseVariant(other);
  };
  EXPECT_EQ(changed([](VariantCase& other) { other.numTargets = 4097.0; }), Variant::RegisterTiles);
  EXPECT_EQ(changed([](VariantCase& other) { other.inDouble = false; }), Variant::RegisterTiles);
  EXPECT_EQ(changed([](VariantCase& other) { other.gradients = true; }), Variant::RegisterTiles);
  EXPECT_EQ(changed([](VariantCase& other) { other.within = false; }), Variant::RegisterTiles);
  EXPECT_EQ(changed([](VariantCase& other) { other.numRightHandSides = 2; }), Variant::RegisterTiles);
  EXPECT_EQ(changed([](VariantCase& other) { other.onHost = true; }), Variant::Mutual);
}

/// What is refused, of devices too, wherever this runs.
TEST(DirectSumsOfDevices, VariantsOfTheOtherSideAreRefused) {
  EXPECT_EQ(messageOf([] { detail::checkVariant(Variant::ScratchTiles, /*onHost=*/true, /*canBeMutual=*/true); }),
    "the variant 'scratch tiles' is for a device; on the host take 'register tiles'");
  EXPECT_EQ(
    messageOf([] { detail::checkVariant(Variant::ScratchTiles, /*onHost=*/false, /*canBeMutual=*/false); }), "");
}

} // namespace
} // namespace spanwise::nbody::testing
