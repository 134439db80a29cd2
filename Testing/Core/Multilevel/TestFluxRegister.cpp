#include "Core/Multilevel/FluxRegister.hpp"
#include "Core/Multilevel/Ghosts.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Multilevel/LevelFields.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>

namespace spanwise::testing {
namespace {

/// Upwind fluxes of a field that is carried by a velocity, cell by cell on the host: 2 Dim components, those through
/// the lower and the upper face along each axis. Missing neighbours have the value 0.
template <int Dim>
ValueLists<double> upwindFluxes(
  const std::vector<Cell<Dim>>& cells, const ValueMap<Dim>& values, const double (&velocity)[Dim]) {
  ValueLists<double> fluxes(2 * Dim);
  const auto at = [&](const Cell<Dim>& cell) {
    const auto found = values.find(cell);
    return found == values.end() ? 0.0 : found->second;
  };
  for (const Cell<Dim>& cell : cells) {
    for (int d = 0; d < Dim; ++d) {
      const auto index = static_cast<std::size_t>(2 * d);
      const double v = velocity[d];
      fluxes[index].push_back(v * (v > 0.0 ? at(moved(cell, d, -1)) : at(cell)));
      fluxes[index + 1].push_back(v * (v > 0.0 ? at(cell) : at(moved(cell, d, 1))));
    }
  }
  return fluxes;
}

template <class Space>
class Fluxes : public ::testing::Test {
protected:
  Space space = oneThread<Space>(); // most cases are small
  const Context<Space> context{space};

  /// One step of upwind advection on each level, with a step half as long on the finer one of two or in as many steps
  /// on all: the total changes by what passes the domain's boundary alone, and by more without the correction.
  template <int Dim>
  void checkConservation(bool halfSteps) {
    std::mt19937 random(seed() + Dim);
    FluxRegisterOn<Dim, double, Space> fluxes;
    GhostLevelsOn<Dim, Space> ghosts;
    double uncorrected = 0.0;
    for (int round = 0; round < 20; ++round) {
      SCOPED_TRACE("seed " + std::to_string(seed()) + ", round " + std::to_string(round));
      const double velocity[3] = {0.7, round % 2 == 0 ? -0.4 : 0.5, round % 3 == 0 ? -0.3 : 0.2};
      const double spacing[3] = {0.5, 0.25, 1.0};
      double v[Dim];
      double dx[Dim];
      std::copy(velocity, velocity + Dim, v);
      std::copy(spacing, spacing + Dim, dx);
      const auto levels = randomLevels<Space, Dim>(
        random, space, round % 2 == 0 ? Grading::Face : Grading::Vertex, halfSteps ? 1 : 3, context.workspace());
      MultilevelFieldOn<double, Space> field = randomField<Space, Dim>(random, space, levels, context.workspace());
      const double before = integral<Space, Dim>(context, levels, field);
      const double dt = 0.1;
      double outflow = 0.0; // over volume of a root cell

      buildGhosts<Space, Dim>(context, levels, 1, OuterGhosts::None, Prolongation::Injection, ghosts);
      std::vector<FluxRegisterOn<Dim, double, Space>> registers(maxNumLevels);
      for (int l = 0; l + 1 < levels.numLevels(); ++l) {
        buildFluxRegister<Space, Dim, double>(
          context, levels.level(l), levels.level(l + 1), registers[static_cast<std::size_t>(l)]);
      }
      MultilevelFieldOn<double, Space> next = field;
      MultilevelFieldOn<double, Space> old = field;
      const int steps = halfSteps ? 2 : 1;
      for (int l = 0; l < levels.numLevels(); ++l) {
        const int stepsHere = l == 0 ? 1 : steps;
        for (int step = 0; step < stepsHere; ++step) {
          MultilevelFieldOn<double, Space> extended;
          fillGhosts<Space, Dim, double>(space, ghosts, old, 0.0, extended);
          space.fence();
          const std::vector<Cell<Dim>> cells = listOf<Dim>(levels.level(l));
          const auto values = mapOf<double, Dim>(ghosts.extended[static_cast<std::size_t>(l)], extended.level(l));
          const ValueLists<double> lists = upwindFluxes<Dim>(cells, values, v);
          const auto flux = fieldOn<Space, double>("flux", lists);
          const double time = dt / stepsHere;
          IntervalSetOn<Dim, Space> leafSet;
          leaves<Space, Dim>(context, levels, l, leafSet);
          const CellList<Dim> leafCells = toCells(leafSet);
          std::vector<double> after;
          for (std::size_t k = 0; k < cells.size(); ++k) {
            double change = 0.0;
            for (int d = 0; d < Dim; ++d) {
              const double size = dx[d] / (1 << l);
              const auto index = static_cast<std::size_t>(2 * d);
              change -= time / size * (lists[index + 1][k] - lists[index][k]);
              const double volume = 1.0 / static_cast<double>(1 << (Dim * l));
              if (leafCells.count(cells[k]) > 0 && values.count(moved(cells[k], d, -1)) == 0) {
                outflow -= time / size * volume * lists[index][k];
              }
              if (leafCells.count(cells[k]) > 0 && values.count(moved(cells[k], d, 1)) == 0) {
                outflow += time / size * volume * lists[index + 1][k];
              }
            }
            after.push_back(values.at(cells[k]) + change);
          }
          next.level(l) = fieldOn<Space, double>("f", {after});
          if (l + 1 < levels.numLevels()) {
            addCoarseFluxes<Space, Dim, double>(space, flux, time, registers[static_cast<std::size_t>(l)]);
          }
          if (l > 0) {
            addFineFluxes<Space, Dim, double>(space, flux, time, registers[static_cast<std::size_t>(l) - 1]);
          }
          if (step + 1 < stepsHere) {
            old.level(l) = next.level(l); // the second half step starts from the first; the coarse values stay
          }
        }
      }
      uncorrected = std::max(uncorrected, std::fabs(integral<Space, Dim>(context, levels, next) - before + outflow));
      for (int l = levels.numLevels() - 2; l >= 0; --l) {
        double size[Dim];
        for (int d = 0; d < Dim; ++d) {
          size[d] = dx[d] / (1 << l);
        }
        correct<Space, Dim, double>(space, registers[static_cast<std::size_t>(l)], size, next.level(l));
      }
      space.fence();
      EXPECT_NEAR((integral<Space, Dim>(context, levels, next)), before - outflow, 1e-11);
    }
    EXPECT_GT(uncorrected, 1e-3);
  }
};
TYPED_TEST_SUITE(Fluxes, AllSpaces, SpaceNames);

TYPED_TEST(Fluxes, AreConservedIn2D) { this->template checkConservation<2>(false); }
TYPED_TEST(Fluxes, AreConservedIn3D) { this->template checkConservation<3>(false); }
TYPED_TEST(Fluxes, AreConservedInHalfStepsIn2D) { this->template checkConservation<2>(true); }
TYPED_TEST(Fluxes, AreConservedInHalfStepsIn3D) { this->template checkConservation<3>(true); }

TYPED_TEST(Fluxes, FieldsOfOtherShapesAreRefused) {
  const auto coarse = toSet<TypeParam, 2>({{{0, 0}}, {{1, 0}}});
  const auto fine = toSet<TypeParam, 2>(childrenOf<2>({{{1, 0}}}));
  FluxRegisterOn<2, double, TypeParam> fluxes;
  buildFluxRegister<TypeParam, 2, double>(this->context, coarse, fine, fluxes);
  EXPECT_EQ(fluxes.sides[1].faces.numCells(), 1); // the upper face of the cell (0, 0)
  FieldOn<double, TypeParam> one("f", 2, 1);
  FieldOn<double, TypeParam> other("f", 3, 4);
  EXPECT_THROW((addCoarseFluxes<TypeParam, 2, double>(this->space, one, 1.0, fluxes)), InvalidArgument);
  EXPECT_THROW((addFineFluxes<TypeParam, 2, double>(this->space, other, 1.0, fluxes)), InvalidArgument);
  EXPECT_THROW((correct<TypeParam, 2, double>(this->space, fluxes, {1.0, 1.0}, one, 1)), InvalidArgument);
}

} // namespace
} // namespace spanwise::testing
