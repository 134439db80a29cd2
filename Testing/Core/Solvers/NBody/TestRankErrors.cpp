// Bad input on one rank, and a call that is cancelled there.

#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Solvers/NBody/PeriodicParticles.hpp"
#include "Testing/Core/Solvers/NBody/RankShares.hpp"

#include <algorithm>
#include <limits>

namespace spanwise::nbody::testing {
namespace {

/// What one rank is given that is wrong is one message on all.
TEST(RankMultipoleSums, RefuseOnAllRanks) {
  std::mt19937 random(seed());
  const Share<3, double> share(distributed<3, double>(Distribution::Uniform, random, 400), Dealt::InTurn);
  const int last = world().size() - 1;
  const bool isLast = world().rank() == last;
  const auto message = [&](const auto& change) -> std::string {
    auto mine = share.mine;
    MultipoleOptions options;
    Column<double> potentials(mine.points[0].size());
    SumsView<double> sums{potentials.data(), nullptr, 0};
    change(mine, options, sums);
    const Uploaded<Host, 3, double> uploaded(mine);
    MultipoleMemory<3> memory;
    try {
      multipolesWithin(Context(Host(), world()), InverseDistance(), uploaded.sources(), sums, options, memory);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  const std::string where = world().alone() ? "" : "on rank " + std::to_string(last) + ": ";
  EXPECT_EQ(message([&](auto& mine, auto& /*options*/, auto& /*sums*/) {
    if (isLast) {
      mine.points[1][7] = std::numeric_limits<double>::quiet_NaN();
    }
  }),
    where + "source 7 has a coordinate that is not finite or beyond 1e70 in magnitude");
  auto targets = share.mine;
  targets.points[2][5] = isLast ? 1e71 : 0.5;
  const Uploaded<Host, 3, double> far(targets);
  const Uploaded<Host, 3, double> near(share.mine);
  Column<double> atTargets(targets.points[0].size());
  MultipoleMemory<3> memory;
  EXPECT_EQ(messageOf([&] {
    multipolesBetween(Context(Host(), world()), InverseDistance(), far.view(), near.sources(),
      {atTargets.data(), nullptr, 0}, MultipoleOptions(), memory);
  }),
    where + "target 5 has a coordinate that is not finite or beyond 1e70 in magnitude");
  EXPECT_EQ(message([&](auto& /*mine*/, auto& options, auto& /*sums*/) { options.accuracy = 1e-13; }),
    "the accuracy is 1e-13; multipoles in double precision reach 0.1 to 1e-11");
  EXPECT_EQ(message([&](auto& /*mine*/, auto& /*options*/, auto& sums) { sums.stride = isLast ? 1 : 0; }),
    where + "the distance of columns of sums is 1; it must be at least " + std::to_string(400 / world().size()));
  if (!world().alone()) {
    std::vector<double> gradients(3 * share.mine.points[0].size());
    EXPECT_EQ(message([&](auto& /*mine*/, auto& /*options*/, auto& sums) {
      if (isLast) {
        sums = {nullptr, gradients.data(), 0};
      }
    }),
      "rank 0 has no array for gradients, which another rank has; all must ask for the same sums");
  }
  // charges of all ranks together, of which one rank's are 1 and 1 and all others' 0
  EXPECT_EQ(message([&](auto& mine, auto& options, auto& /*sums*/) {
    options.box = PeriodicBox();
    std::fill(mine.charges[0].begin(), mine.charges[0].end(), 0.0);
    if (isLast) {
      std::fill_n(mine.charges[0].begin(), 2, 1.0);
    }
  }),
    "the total charge in the periodic box is 2 of 2 in magnitude; sums of this interaction converge only if it is 0 "
    "(to 1e-12 of the magnitudes)");
  EXPECT_EQ(message([&](auto& /*mine*/, auto& options, auto& /*sums*/) {
    options.box = PeriodicBox();
    options.box->edges[1] = 2.0;
  }),
    "the edges of the periodic box are 1, 2 and 1; multipoles are for edges of the same length, other boxes for direct "
    "(Ewald) sums");
  MultipoleOptions inABox;
  inABox.box = PeriodicBox();
  EXPECT_EQ(messageOf([&] {
    multipolesWithin(
      Context(Host(), world()), SquaredDistance(), near.sources(), {atTargets.data(), nullptr, 0}, inABox, memory);
  }),
    "a periodic box is for the interactions of this library");
}

TEST(RankMultipoleSums, CanBeCancelledOnOneRank) {
  std::mt19937 random(seed());
  const Share<3, double> share(distributed<3, double>(Distribution::Uniform, random, 3000), Dealt::InTurn);
  const Uploaded<Host, 3, double> uploaded(share.mine);
  Column<double> potentials(share.mine.points[0].size());
  MultipoleMemory<3> memory;
  for (const double stop : {0.3, 0.75}) {
    const Progress progress([&](double fraction) { return world().rank() > 0 || fraction < stop; });
    EXPECT_THROW(multipolesWithin(Context(Host(), world(), progress), InverseDistance(), uploaded.sources(),
                   {potentials.data(), nullptr, 0}, MultipoleOptions(), memory),
      Cancelled);
  }
  // and done afterwards in the same memory
  multipolesWithin(Context(Host(), world()), InverseDistance(), uploaded.sources(), {potentials.data(), nullptr, 0},
    MultipoleOptions(), memory);
}

} // namespace
} // namespace spanwise::nbody::testing
