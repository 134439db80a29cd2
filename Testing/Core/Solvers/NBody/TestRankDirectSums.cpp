// Direct sums, Ewald's sums and forces on ranks.

#include "Core/Solvers/NBody/BodyForces.hpp"
#include "Core/Solvers/NBody/EwaldSums.hpp"
#include "Testing/Core/Solvers/NBody/PeriodicParticles.hpp"
#include "Testing/Core/Solvers/NBody/RankShares.hpp"

#include <algorithm>
#include <cmath>

namespace spanwise::nbody::testing {
namespace {

/// Direct sums and Ewald's of the sources of all ranks are those that one process makes, but for rounding.
TEST(RankDirectSums, AreThoseOfOneProcess) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  const auto expectSame = [&]<class Interaction>(const Interaction& interaction, Dealt dealt, bool atOthers) {
    std::mt19937 random(seed());
    const auto whole =
      neutral(distributed<3, double>(Distribution::Uniform, random, 400, 2 * numChargesOf<Interaction>));
    const Share<3, double> sources(whole, dealt);
    const Share<3, double> targets(distributed<3, double>(Distribution::Sphere, random, 50), Dealt::InBlocks);
    const Uploaded<Host, 3, double> mine(sources.mine);
    const Uploaded<Host, 3, double> all(sources.all);
    const Uploaded<Host, 3, double> places(atOthers ? targets.mine : sources.mine);
    const Uploaded<Host, 3, double> allPlaces(atOthers ? targets.all : sources.all);
    const Context alone{Host()};
    const Context together(Host(), world());
    for (const bool inABox : {false, true}) {
      const PeriodicBox box = cube(2.0, -0.5);
      const auto sum = [&](const Context<Host>& context, const auto& at, const auto& from) {
        std::vector<double> sums(static_cast<std::size_t>(8 * at.count), 1.0); // what is there must not matter
        const SumsView<double> to{sums.data(), sums.data() + 2 * at.count, at.count};
        if (inABox) {
          EwaldOptions options;
          options.numRightHandSides = 2;
          atOthers ? ewaldBetween(context, interaction, box, at.view(), from.sources(), to, options)
                   : ewaldWithin(context, interaction, box, from.sources(), to, options);
        } else {
          SumOptions options;
          options.numRightHandSides = 2;
          const SumReport report = atOthers ? sumBetween(context, interaction, at.view(), from.sources(), to, options)
                                            : sumWithin(context, interaction, from.sources(), to, options);
          EXPECT_EQ(report.numInteractions, 2.0 * static_cast<double>(at.count) * (atOthers ? 400 : 399));
        }
        return sums;
      };
      const std::vector<double> found = sum(together, places, mine);
      const std::vector<double> expected = sum(alone, allPlaces, all);
      for (int column = 0; column < 8; ++column) {
        double largest = 0.0;
        for (std::int64_t i = 0; i < allPlaces.count; ++i) {
          largest = std::max(largest, std::abs(expected[static_cast<std::size_t>(column * allPlaces.count + i)]));
        }
        for (std::int64_t i = 0; i < places.count; ++i) {
          ASSERT_NEAR(found[static_cast<std::size_t>(column * places.count + i)],
            expected[static_cast<std::size_t>(column * allPlaces.count + i)], (inABox ? 1e-11 : 1e-12) * largest)
            << "column " << column << ", target " << i << (inABox ? ", in a box" : "");
        }
      }
    }
  };
  for (const Dealt dealt : allWays) {
    for (const bool atOthers : {false, true}) {
      expectSame(InverseDistance(), dealt, atOthers);
      expectSame(Gaussian{0.5}, dealt, atOthers); // whose self potential is not infinite
    }
    expectSame(Dipole<3>(), dealt, false);
  }
}

/// Forces on ranks are those of one process, directly and by multipoles.
TEST(RankForces, AreThoseOfOneProcess) {
  std::mt19937 random(seed());
  const Share<3, double> share(distributed<3, double>(Distribution::Plummer, random, 3000), Dealt::InTurn);
  const Uploaded<Host, 3, double> mine(share.mine);
  const Uploaded<Host, 3, double> all(share.all);
  const auto bodiesOf = [](const Uploaded<Host, 3, double>& of) {
    BodiesView<3> bodies;
    bodies.count = of.count;
    bodies.masses = of.charges.data();
    for (int axis = 0; axis < 3; ++axis) {
      bodies.positions[axis] = const_cast<double*>(of.view().coordinates[axis]); // NOLINT: forces only read them
    }
    return bodies;
  };
  for (const SumMethod method : {SumMethod::Direct, SumMethod::FastMultipole}) {
    ForceOptions options;
    options.factor = -1.0;
    options.method = method;
    options.accuracy = 1e-6;
    BodyForces<Host, InverseDistance, 3> forces({}, options);
    std::vector<double> found(static_cast<std::size_t>(3 * mine.count));
    forces(Context(Host(), world()), bodiesOf(mine), found.data());
    EXPECT_EQ(forces.order() > 0, method == SumMethod::FastMultipole);
    options.method = SumMethod::Direct;
    BodyForces<Host, InverseDistance, 3> exact({}, options);
    std::vector<double> expected(static_cast<std::size_t>(3 * all.count));
    exact(Context(Host()), bodiesOf(all), expected.data());
    for (std::int64_t i = 0; i < mine.count; i += 29) {
      const auto sizes = exactAt(InverseDistance(), share.mine, i, share.all, i);
      const double error = (method == SumMethod::Direct ? 1e-13 : 1e-6) * static_cast<double>(sizes.gradientScale);
      for (int axis = 0; axis < 3; ++axis) {
        ASSERT_NEAR(found[static_cast<std::size_t>(axis * mine.count + i)],
          expected[static_cast<std::size_t>(axis * all.count + i)], error);
      }
    }
  }
}

} // namespace
} // namespace spanwise::nbody::testing
