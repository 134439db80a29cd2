// Flux correction on hierarchies that are cut among ranks and repeat along axes: that of one rank, bit by bit, and
// nothing is lost across cuts and the ends of periods.

#include "Core/Field/Arithmetic.hpp"
#include "Core/Multilevel/FluxRegister.hpp"
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

/// Two components of fluxes through the lower faces of the cells of an extended set.
template <class Space, int Dim>
FieldOn<double, Space> fluxField(const Fluxes<Dim>& fluxes, int level, const IntervalSetOn<Dim, Space>& extended) {
  const Fluxes<Dim> others{fluxes.is, fluxes.step + 40};
  return fieldOf<double, Space, Dim>(toCells(extended), 2 * Dim,
    [&](const Cell<Dim>& cell, int c) { return (c < Dim ? fluxes : others).lower(level, cell, c % Dim); });
}

/// The flux functor of such a field.
template <int Dim>
struct FluxOfField {
  FieldView<const double> fluxes;

  KOKKOS_FUNCTION Kokkos::Array<double, 2> operator()(const FluxFace& face) const {
    return {fluxes(face.upper, face.axis), fluxes(face.upper, Dim + face.axis)};
  }
};

template <class Space>
class RankFluxRegister : public ::testing::Test {
protected:
  Space space = oneThread<Space>(); // most cases are small
  const Context<Space> context{space};

  /// Fluxes of a step, coarse or fine, of register l.
  template <int Dim>
  void add(const Fluxes<Dim>& is, int l, bool fine, double dt, const GhostLevels<Space, Dim>& ghosts,
    FluxRegister<Space, Dim, double>& fluxes) {
    const int level = fine ? l + 1 : l;
    const auto field = fluxField<Space, Dim>(is, level, ghosts.extended[static_cast<std::size_t>(level)]);
    const FluxOfField<Dim> flux{field.view()};
    if (fine) {
      addFineFluxes(context, flux, dt, fluxes);
    } else {
      addCoarseFluxes(context, flux, dt, fluxes);
    }
    space.fence(); // the field goes
  }

  /// What a field is after corrections by one coarse step and two fine ones between each pair of levels.
  template <int Dim>
  MultilevelFieldOn<double, Space> corrected(const RandomDomain<Dim>& is, LevelDomain<Space, Dim>& domain,
    const MultilevelSetOn<Dim, Space>& levels, int turns, FluxRegister<Space, Dim, double>& fluxes) {
    const auto value = [&](int level, const Cell<Dim>& cell) { return scatter(is, level, cell); };
    GhostLevels<Space, Dim> ghosts;
    buildGhosts(context, domain, levels, {1, false, Prolongation::Linear}, ghosts);
    MultilevelFieldOn<double, Space> field;
    toExtended(context, ghosts, levelField<Space, Dim>(levels, 2, value), field);
    const double dx[3] = {0.5, 0.25, 0.125};
    double size[Dim];
    std::copy(dx, dx + Dim, size);
    for (int l = 0; l + 1 < ghosts.numLevels; ++l) {
      buildFluxRegister(context, domain, levels, ghosts, l, fluxes);
      for (int turn = 0; turn < turns; ++turn) { // cleared and filled again
        clear(context, fluxes);
        add<Dim>({is, 0}, l, false, 0.3, ghosts, fluxes);
        for (int step = 1; step <= 2; ++step) {
          add<Dim>({is, step}, l, true, 0.15, ghosts, fluxes);
        }
      }
      correct(context, fluxes, size, field.level(l));
    }
    MultilevelFieldOn<double, Space> result;
    fromExtended(context, ghosts, field, result);
    space.fence();
    return result;
  }

  template <int Dim>
  void compareWithOneRank(int rounds, bool repeats) {
    std::mt19937 random(seed() + Dim);
    FluxRegister<Space, Dim, double> fluxes(2); // used again
    for (int round = 0; round < rounds; ++round) {
      SCOPED_TRACE("seed " + std::to_string(seed()) + ", round " + std::to_string(round));
      const Coordinate extent = Dim == 2 ? 4 : 2;
      const RandomDomain<Dim> is(random, extent, repeats);
      const auto wanted = randomWanted<Dim>(random, is, extent, 1 + round % (Dim == 2 ? 4 : 2));
      const auto whole = wholeLevels<Space, Dim>(context, is, wanted, Grading::Face, 1);
      const auto levels = partOf<Space, Dim>(is, whole);
      LevelDomain<Space, Dim> wholeDomain;
      FluxRegister<Space, Dim, double> wholeFluxes(2);
      const auto expected = corrected<Dim>(is, wholeDomain, whole, 1, wholeFluxes);
      auto domain = domainOf<Space, Dim>(is);
      const auto field = corrected<Dim>(is, domain, levels, 2, fluxes);
      for (int l = 0; l < whole.numLevels(); ++l) {
        expectPartOf<Dim>(is, l, 0, levels.level(l), field.level(l), whole.level(l), expected.level(l));
      }
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

      GhostLevels<Space, Dim> ghosts;
      buildGhosts(context, domain, levels, {1, false, Prolongation::Linear}, ghosts);
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
        FluxRegister<Space, Dim, double> fluxes(2);
        buildFluxRegister(context, domain, levels, ghosts, l, fluxes);
        for (int step = 0; step < (1 << l); ++step) {
          add<Dim>({is, step}, l, false, std::ldexp(dt, -l), ghosts, fluxes);
        }
        for (int step = 0; step < (2 << l); ++step) {
          add<Dim>({is, step}, l, true, std::ldexp(dt, -l - 1), ghosts, fluxes);
        }
        MultilevelFieldOn<double, Space> correction("f", 2);
        ghosts.resize(correction);
        fill<Space, double>(context, correction.level(l), 0.0);
        correct(context, fluxes, size, correction.level(l));
        MultilevelFieldOn<double, Space> ofLevels;
        fromExtended(context, ghosts, correction, ofLevels);
        space.fence();
        for (const auto& [cell, values] : valuesOf<Dim>(levels.level(l), ofLevels.level(l))) {
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

/// What one rank has done wrong is refused on all.
TYPED_TEST(RankFluxRegister, RefusesOnAllRanks) {
  std::mt19937 random(seed());
  const RandomDomain<2> is(random, 4, true);
  const auto whole = wholeLevels<TypeParam, 2>(this->context, is, {is.root}, Grading::Face, 1);
  const auto levels = partOf<TypeParam, 2>(is, whole);
  auto domain = domainOf<TypeParam, 2>(is);
  GhostLevels<TypeParam, 2> ghosts;
  buildGhosts(this->context, domain, levels, {}, ghosts);
  for (int bad = 0; bad < world().size(); ++bad) {
    FluxRegister<TypeParam, 2, double> fluxes(world().rank() == bad ? 33 : 2);
    EXPECT_THROW(buildFluxRegister(this->context, domain, levels, ghosts, 0, fluxes), InvalidArgument);
  }
  FluxRegister<TypeParam, 2, double> fluxes(2);
  EXPECT_THROW(buildFluxRegister(this->context, domain, levels, ghosts, 1, fluxes), InvalidArgument);
  if (!world().alone()) { // cells that a rank does not own
    EXPECT_THROW(buildGhosts(this->context, domain, whole, {}, ghosts), InvalidArgument);
    EXPECT_THROW(buildFluxRegister(this->context, domain, whole, ghosts, 0, fluxes), InvalidArgument);
  }
}

} // namespace
} // namespace spanwise::testing
