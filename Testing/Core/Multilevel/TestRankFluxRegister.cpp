// Flux correction on hierarchies that are cut among ranks and repeat along axes: that of one rank, bit by bit, and
// nothing is lost across cuts and the ends of periods.

#include "Core/Multilevel/DomainFluxRegister.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Multilevel/RankFields.hpp"
#include "Testing/Core/Runtime/CountAllocations.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

namespace spanwise::testing {
namespace {

/// Fluxes without a pattern through the faces of cells, the same for a lower face as for the upper face of the cell
/// below it. `step` tells steps in time apart.
template <int Dim>
struct Fluxes {
  const RandomDomain<Dim>& is;
  int step = 0;

  [[nodiscard]] double lower(int level, const Cell<Dim>& cell, int axis) const {
    return std::sin(5.0 * axis + step + 3.7 * scatter(is, level, cell));
  }
  [[nodiscard]] double operator()(int level, Cell<Dim> cell, int side) const {
    cell.at[side / 2] += side % 2;
    return lower(level, cell, side / 2);
  }
};

template <class Space, class T, int Dim>
FieldOn<T, Space> fluxField(const Fluxes<Dim>& fluxes, int level, const IntervalSetOn<Dim, Space>& set) {
  return fieldOf<T, Space, Dim>(
    toCells(set), 2 * Dim, [&](const Cell<Dim>& cell, int side) { return static_cast<T>(fluxes(level, cell, side)); });
}

template <class Space>
class RankFluxRegister : public ::testing::Test {
protected:
  Space space = oneThread<Space>(); // most cases are small
  const Context<Space> context{space};

  /// One coarse step and two fine ones between each pair of levels.
  template <int Dim, class T, class Register>
  void addFluxes(const RandomDomain<Dim>& is, int l, const IntervalSetOn<Dim, Space>& coarse,
    const IntervalSetOn<Dim, Space>& fine, Register& fluxes) {
    addCoarseFluxes<Space, Dim, T>(space, fluxField<Space, T, Dim>({is, 0}, l, coarse), T(0.3), fluxes);
    for (int step = 1; step <= 2; ++step) {
      addFineFluxes<Space, Dim, T>(space, fluxField<Space, T, Dim>({is, step}, l + 1, fine), T(0.15), fluxes);
    }
  }

  template <int Dim>
  void compareWithOneRank(int rounds, bool repeats) {
    std::mt19937 random(seed() + Dim);
    DomainFluxRegister<Space, Dim, double> fluxes; // used again
    std::int64_t facesAcross = 0;
    for (int round = 0; round < rounds; ++round) {
      SCOPED_TRACE("seed " + std::to_string(seed()) + ", round " + std::to_string(round));
      const Coordinate extent = Dim == 2 ? 4 : 2;
      const RandomDomain<Dim> is(random, extent, repeats);
      const auto wanted = randomWanted<Dim>(random, is, extent, 1 + round % (Dim == 2 ? 4 : 2));
      const auto whole = wholeLevels<Space, Dim>(context, is, wanted, Grading::Face, 1);
      const auto levels = partOf<Space, Dim>(is, whole);
      auto domain = domainOf<Space, Dim>(is);
      const double dx[3] = {0.5, 0.25, 0.125};
      double size[Dim];
      std::copy(dx, dx + Dim, size);
      for (int l = 0; l + 1 < whole.numLevels(); ++l) {
        const auto value = [&](int level, const Cell<Dim>& cell) { return scatter(is, level, cell); };
        auto expected = levelField<Space, Dim>(whole, 2, value);
        FluxRegisterOn<Dim, double, Space> wholeFluxes;
        buildFluxRegister<Space, Dim, double>(context, whole.level(l), whole.level(l + 1), wholeFluxes);
        addFluxes<Dim, double>(is, l, whole.level(l), whole.level(l + 1), wholeFluxes);
        correct<Space, Dim, double>(space, wholeFluxes, size, expected.level(l), 1);

        buildFluxRegister<Space, Dim, double>(context, domain, l, levels.level(l), levels.level(l + 1), fluxes);
        for (int turn = 0; turn < 2; ++turn) { // cleared and filled again
          addFluxes<Dim, double>(is, l, levels.level(l), levels.level(l + 1), fluxes);
          if (turn == 0) {
            clear<Space, Dim, double>(space, fluxes);
          }
        }
        auto field = levelField<Space, Dim>(levels, 2, value);
        correct<Space, Dim, double>(space, fluxes, size, field.level(l), 1);
        space.fence();
        expectPartOf<Dim>(is, l, 0, levels.level(l), field.level(l), whole.level(l), expected.level(l));
        for (const auto& side : fluxes.across) {
          facesAcross += side.faces.numCells();
        }
      }
    }
    if (repeats || !world().alone()) {
      EXPECT_GT(world().reduced(ReduceBy::Sum, facesAcross), 0);
    }
  }

  /// What leaves change by when each takes the fluxes through its own faces, and by the correction: all fluxes are
  /// between leaves where the domain has no boundary, so that the integral stays.
  template <int Dim>
  void checkConservation(int rounds) {
    std::mt19937 random(seed() + Dim);
    double uncorrected = 0.0;
    for (int round = 0; round < rounds; ++round) {
      SCOPED_TRACE("seed " + std::to_string(seed()) + ", round " + std::to_string(round));
      const Coordinate extent = Dim == 2 ? 4 : 2;
      RandomDomain<Dim> is(random, extent, true);
      is.root.clear();
      for (int d = 0; d < Dim; ++d) {
        is.periods.along[d] = true;
      }
      for (Cell<Dim> cell{}; true;) { // all cells of the period
        is.root.insert(is.original(cell, 0));
        int d = 0;
        while (d < Dim && ++cell.at[d] == is.periods.box.extent(d)) {
          cell.at[d++] = 0;
        }
        if (d == Dim) {
          break;
        }
      }
      const auto wanted = randomWanted<Dim>(random, is, extent, 1 + round % 3);
      auto domain = domainOf<Space, Dim>(is);
      MultilevelSetOn<Dim, Space> levels;
      levels.level(0) = toSet<Space, Dim>(is.mine(is.root, 0));
      std::vector<CellList<Dim>> mine;
      for (std::size_t l = 0; l < wanted.size(); ++l) {
        mine.push_back(is.mine(wanted[l], static_cast<int>(l)));
      }
      makeLevels<Space, Dim>(context, domain, setsOf<Space, Dim>(mine), Grading::Face, levels);

      const double dt = 0.1;
      double change = 0.0; // of the integral, in volumes of a root cell
      double corrected = 0.0;
      for (int l = 0; l < levels.numLevels(); ++l) {
        IntervalSetOn<Dim, Space> leafSet;
        leaves<Space, Dim>(context, levels, l, leafSet);
        const double volume = std::ldexp(1.0, -Dim * l);
        double size[Dim];
        for (int d = 0; d < Dim; ++d) {
          size[d] = std::ldexp(1.0, -d - 1 - l);
        }
        // a leaf of level l takes 2^l steps, with other fluxes in each
        for (const Cell<Dim>& cell : toCells(leafSet)) {
          for (int step = 0; step < (1 << l); ++step) {
            const Fluxes<Dim> fluxes{is, step};
            for (int s = 0; s < 2 * Dim; ++s) {
              change += (s % 2 == 0 ? 1.0 : -1.0) * volume * std::ldexp(dt, -l) / size[s / 2] * fluxes(l, cell, s);
            }
          }
        }
        if (l + 1 == levels.numLevels()) {
          break;
        }
        DomainFluxRegister<Space, Dim, double> fluxes;
        buildFluxRegister<Space, Dim, double>(context, domain, l, levels.level(l), levels.level(l + 1), fluxes);
        for (int step = 0; step < (1 << l); ++step) {
          addCoarseFluxes<Space, Dim, double>(
            space, fluxField<Space, double, Dim>({is, step}, l, levels.level(l)), std::ldexp(dt, -l), fluxes);
        }
        for (int step = 0; step < (2 << l); ++step) {
          addFineFluxes<Space, Dim, double>(space,
            fluxField<Space, double, Dim>({is, step}, l + 1, levels.level(l + 1)), std::ldexp(dt, -l - 1), fluxes);
        }
        FieldOn<double, Space> correction =
          fieldOf<double, Space, Dim>(toCells(levels.level(l)), 1, [](const Cell<Dim>&, int) { return 0.0; });
        correct<Space, Dim, double>(space, fluxes, size, correction);
        space.fence();
        for (const auto& [cell, values] : valuesOf<Dim>(levels.level(l), correction)) {
          corrected += volume * values[0];
        }
      }
      change = world().reduced(ReduceBy::Sum, change);
      corrected = world().reduced(ReduceBy::Sum, corrected);
      uncorrected = std::max(uncorrected, std::fabs(change));
      EXPECT_NEAR(change + corrected, 0.0, 1e-11);
    }
    EXPECT_GT(uncorrected, 1e-3);
  }
};
TYPED_TEST_SUITE(RankFluxRegister, AllSpaces, SpaceNames);

TYPED_TEST(RankFluxRegister, CorrectsAsOneRankIn2D) { this->template compareWithOneRank<2>(24, false); }
TYPED_TEST(RankFluxRegister, CorrectsAsOneRankIn3D) { this->template compareWithOneRank<3>(8, false); }
TYPED_TEST(RankFluxRegister, CorrectsAsUnwrappedIn2D) { this->template compareWithOneRank<2>(24, true); }
TYPED_TEST(RankFluxRegister, CorrectsAsUnwrappedIn3D) { this->template compareWithOneRank<3>(8, true); }
TYPED_TEST(RankFluxRegister, ConservesIn2D) { this->template checkConservation<2>(12); }
TYPED_TEST(RankFluxRegister, ConservesIn3D) { this->template checkConservation<3>(6); }

/// Fluxes of a wrong length on one rank are refused on all, and nothing has been added.
TYPED_TEST(RankFluxRegister, RefusesOnAllRanks) {
  std::mt19937 random(seed());
  const RandomDomain<2> is(random, 4, true);
  const auto whole = wholeLevels<TypeParam, 2>(this->context, is, randomWanted<2>(random, is, 4, 1), Grading::Face, 1);
  auto levels = partOf<TypeParam, 2>(is, whole);
  levels.setNumLevels(2);
  auto domain = domainOf<TypeParam, 2>(is);
  DomainFluxRegister<TypeParam, 2, double> fluxes;
  buildFluxRegister<TypeParam, 2, double>(this->context, domain, 0, levels.level(0), levels.level(1), fluxes);
  const auto good = fluxField<TypeParam, double, 2>({is}, 1, levels.level(1));
  auto zero = levelField<TypeParam, 2>(levels, 1, [](int, const Cell<2>&) { return 0.0; });
  for (int bad = 0; bad < world().size(); ++bad) {
    const FieldOn<double, TypeParam> wrong("fluxes", good.numCells() + 1, 4);
    EXPECT_THROW((addFineFluxes<TypeParam, 2, double>(this->space, world().rank() == bad ? wrong : good, 1.0, fluxes)),
      InvalidArgument);
  }
  correct<TypeParam, 2, double>(this->space, fluxes, {1.0, 1.0}, zero.level(0));
  this->space.fence();
  for (const auto& [cell, values] : valuesOf<2>(levels.level(0), zero.level(0))) {
    EXPECT_EQ(values[0], 0.0);
  }
  // cells that a rank does not own
  if (!world().alone()) {
    EXPECT_THROW(
      (buildFluxRegister<TypeParam, 2, double>(this->context, domain, 0, whole.level(0), whole.level(1), fluxes)),
      InvalidArgument);
  }
  if (world().alone()) {
    expectNoAllocations<TypeParam>(
      [&] { addFineFluxes<TypeParam, 2, double>(this->space, good, 1.0, fluxes); }); // MPI allocates as it likes
  }
}

} // namespace
} // namespace spanwise::testing
