#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/Reductions.hpp"
#include "Core/Multilevel/FluxRegister.hpp"
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

/// The same through one face, for two components.
template <int Dim>
struct Upwind {
  FieldView<const double> values;
  Kokkos::Array<double, Dim> velocity;

  KOKKOS_FUNCTION Kokkos::Array<double, 2> operator()(const FluxFace& face) const {
    const double v = velocity[static_cast<std::size_t>(face.axis)];
    const std::int64_t from = v > 0.0 ? face.lower : face.upper;
    return {v * values(from, 0), v * values(from, 1)};
  }
};

/// From a field that has the coordinates of its cells: the steps between the four cells of a face along its axis, and
/// what differs across the axis, which is nothing; and a value of the face.
template <int Dim>
struct Steps {
  FieldView<const double> places;

  KOKKOS_FUNCTION Kokkos::Array<double, 5> operator()(const FluxFace& face) const {
    double across = 0.0;
    for (int d = 0; d < Dim; ++d) {
      across += d == face.axis ? 0.0 : Kokkos::abs(places(face.above, d) - places(face.below, d));
    }
    const auto at = [&](std::int64_t cell) { return places(cell, face.axis); };
    return {at(face.lower) - at(face.below), at(face.upper) - at(face.lower), at(face.above) - at(face.upper), across,
      Kokkos::sin(places(face.lower, 0) + 10.0 * places(face.lower, 1) + 100.0 * face.axis)};
  }
};

/// Keeps fluxes with the lower cell of a face, and how often there was one.
template <int Dim>
struct Keep {
  FieldView<double> fluxes; ///< 6 for each axis

  KOKKOS_FUNCTION void operator()(const FluxFace& face, const Kokkos::Array<double, 5>& flux) const {
    for (int c = 0; c < 5; ++c) {
      fluxes(face.lower, 6 * face.axis + c) = flux[static_cast<std::size_t>(c)];
    }
    fluxes(face.lower, 6 * face.axis + 5) += 1.0;
  }
};
template <int Dim>
struct Kept {
  FieldView<const double> fluxes;

  KOKKOS_FUNCTION Kokkos::Array<double, 5> operator()(const FluxFace& face) const {
    Kokkos::Array<double, 5> flux{};
    for (int c = 0; c < 5; ++c) {
      flux[static_cast<std::size_t>(c)] = fluxes(face.lower, 6 * face.axis + c);
    }
    return flux;
  }
};

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
    LevelDomain<Space, Dim> domain;
    GhostLevels<Space, Dim> ghosts;
    double uncorrected = 0.0;
    for (int round = 0; round < 20; ++round) {
      SCOPED_TRACE("seed " + std::to_string(seed()) + ", round " + std::to_string(round));
      const double velocity[3] = {0.7, round % 2 == 0 ? -0.4 : 0.5, round % 3 == 0 ? -0.3 : 0.2};
      const double spacing[3] = {0.5, 0.25, 1.0};
      double v[Dim];
      Kokkos::Array<double, Dim> speed{};
      double dx[Dim];
      std::copy(velocity, velocity + Dim, v);
      std::copy(velocity, velocity + Dim, speed.data());
      std::copy(spacing, spacing + Dim, dx);
      const auto levels = randomLevels<Space, Dim>(
        random, space, round % 2 == 0 ? Grading::Face : Grading::Vertex, halfSteps ? 1 : 3, context.workspace());
      MultilevelFieldOn<double, Space> field("f", 2);
      const auto first = randomField<Space, Dim>(random, space, levels, context.workspace());
      const auto second = randomField<Space, Dim>(random, space, levels, context.workspace());
      for (int l = 0; l < levels.numLevels(); ++l) {
        field.level(l) =
          fieldOn<Space, double>("f", {valuesOf<double>(first.level(l))[0], valuesOf<double>(second.level(l))[0]});
      }
      const double before[2] = {
        integral<Space, Dim>(context, levels, field, 0), integral<Space, Dim>(context, levels, field, 1)};
      const double dt = 0.1;
      double outflow[2] = {}; // over volume of a root cell

      buildGhosts(context, domain, levels, {1, false, Prolongation::Injection}, ghosts);
      std::vector<FluxRegister<Space, Dim, double>> registers(maxNumLevels, FluxRegister<Space, Dim, double>(2));
      for (int l = 0; l + 1 < levels.numLevels(); ++l) {
        buildFluxRegister(context, domain, levels, ghosts, l, registers[static_cast<std::size_t>(l)]);
      }
      MultilevelFieldOn<double, Space> next = field;
      MultilevelFieldOn<double, Space> old = field;
      const int steps = halfSteps ? 2 : 1;
      for (int l = 0; l < levels.numLevels(); ++l) {
        const int stepsHere = l == 0 ? 1 : steps;
        for (int step = 0; step < stepsHere; ++step) {
          MultilevelFieldOn<double, Space> extended;
          toExtended(context, ghosts, old, extended);
          fillGhosts(context, ghosts, MirrorState(), extended);
          space.fence();
          const std::vector<Cell<Dim>> cells = listOf<Dim>(levels.level(l));
          const double time = dt / stepsHere;
          IntervalSetOn<Dim, Space> leafSet;
          leaves<Space, Dim>(context, levels, l, leafSet);
          const CellList<Dim> leafCells = toCells(leafSet);
          ValueLists<double> after(2);
          for (std::size_t c = 0; c < 2; ++c) {
            const auto values = mapOf<double, Dim>(ghosts.extended[static_cast<std::size_t>(l)], extended.level(l), c);
            const ValueLists<double> lists = upwindFluxes<Dim>(cells, values, v);
            for (std::size_t k = 0; k < cells.size(); ++k) {
              double change = 0.0;
              for (int d = 0; d < Dim; ++d) {
                const double size = dx[d] / (1 << l);
                const auto index = static_cast<std::size_t>(2 * d);
                change -= time / size * (lists[index + 1][k] - lists[index][k]);
                const double volume = 1.0 / static_cast<double>(1 << (Dim * l));
                if (leafCells.count(cells[k]) > 0 && values.count(moved(cells[k], d, -1)) == 0) {
                  outflow[c] -= time / size * volume * lists[index][k];
                }
                if (leafCells.count(cells[k]) > 0 && values.count(moved(cells[k], d, 1)) == 0) {
                  outflow[c] += time / size * volume * lists[index + 1][k];
                }
              }
              after[c].push_back(values.at(cells[k]) + change);
            }
          }
          next.level(l) = fieldOn<Space, double>("f", after);
          const Upwind<Dim> flux{extended.level(l).view(), speed};
          if (l + 1 < levels.numLevels()) {
            addCoarseFluxes(context, flux, time, registers[static_cast<std::size_t>(l)]);
          }
          if (l > 0) {
            addFineFluxes(context, flux, time, registers[static_cast<std::size_t>(l) - 1]);
          }
          space.fence(); // the field of the functor goes
          if (step + 1 < stepsHere) {
            old.level(l) = next.level(l); // the second half step starts from the first; the coarse values stay
          }
        }
      }
      uncorrected =
        std::max(uncorrected, std::fabs(integral<Space, Dim>(context, levels, next) - before[0] + outflow[0]));
      MultilevelFieldOn<double, Space> extended;
      toExtended(context, ghosts, next, extended);
      for (int l = levels.numLevels() - 2; l >= 0; --l) {
        double size[Dim];
        for (int d = 0; d < Dim; ++d) {
          size[d] = dx[d] / (1 << l);
        }
        correct(context, registers[static_cast<std::size_t>(l)], size, extended.level(l));
      }
      fromExtended(context, ghosts, extended, next);
      space.fence();
      for (std::size_t c = 0; c < 2; ++c) {
        EXPECT_NEAR((integral<Space, Dim>(context, levels, next, c)), before[c] - outflow[c], 1e-11);
      }
    }
    EXPECT_GT(uncorrected, 1e-3);
  }

  /// Functors get the four cells in a row, each face once, and what is passed on is the mean that is added.
  template <int Dim>
  void checkFaces() {
    std::mt19937 random(seed() + Dim);
    LevelDomain<Space, Dim> domain;
    GhostLevels<Space, Dim> ghosts;
    std::int64_t numFaces = 0;
    for (int round = 0; round < 6; ++round) {
      SCOPED_TRACE("seed " + std::to_string(seed()) + ", round " + std::to_string(round));
      const auto levels = randomLevels<Space, Dim>(random, space, Grading::Vertex, 2, context.workspace());
      buildGhosts(context, domain, levels, {2, true, Prolongation::Injection}, ghosts);
      std::vector<FieldOn<double, Space>> places;
      for (int l = 0; l < levels.numLevels(); ++l) {
        ValueLists<double> coordinates(Dim);
        for (const Cell<Dim>& cell : listOf<Dim>(ghosts.extended[static_cast<std::size_t>(l)])) {
          for (int d = 0; d < Dim; ++d) {
            coordinates[static_cast<std::size_t>(d)].push_back(cell.at[d]);
          }
        }
        places.push_back(fieldOn<Space, double>("places", coordinates));
      }
      for (int l = 0; l + 1 < levels.numLevels(); ++l) {
        const auto index = static_cast<std::size_t>(l);
        FluxRegister<Space, Dim, double> fluxes(5);
        buildFluxRegister(context, domain, levels, ghosts, l, fluxes);
        const Steps<Dim> ofFine{std::as_const(places[index + 1]).view()};
        const Steps<Dim> ofCoarse{std::as_const(places[index]).view()};
        addFineFluxes(context, ofFine, 1.0, fluxes);
        addCoarseFluxes(context, ofCoarse, 1.0, fluxes);
        for (int c = 0; c < 4; ++c) { // 1 - 1 along the axis, and 0 across
          EXPECT_EQ(greatest(fluxes.sums, c), 0.0);
        }
        FieldOn<double, Space> kept("kept", ghosts.extended[index].numCells(), 6 * Dim);
        field::fill<Space, double>(context, kept, 0.0);
        passFineFluxes(context, ofFine, Keep<Dim>{kept.view()}, fluxes);
        clear(context, fluxes);
        addFineFluxes(context, ofFine, 1.0, fluxes);
        addCoarseFluxes(context, Kept<Dim>{std::as_const(kept).view()}, 1.0, fluxes);
        for (int c = 0; c < 5; ++c) {
          EXPECT_EQ(greatest(fluxes.sums, c), 0.0);
        }
        double passed = 0.0;
        for (int d = 0; d < Dim; ++d) {
          EXPECT_LE(greatest(kept, 6 * d + 5), 1.0);
          passed += field::sum<Space, double>(context, kept, 6 * d + 5);
        }
        EXPECT_EQ(passed, static_cast<double>(fluxes.faces.numCells()));
        numFaces += fluxes.faces.numCells();
      }
    }
    EXPECT_GT(numFaces, 100);
  }

  double greatest(const FieldOn<double, Space>& field, int component) {
    double result = 0.0;
    const ValueLists<double> values = valuesOf<double>(field);
    for (const double value : values[static_cast<std::size_t>(component)]) {
      result = std::fmax(result, std::fabs(value));
    }
    return result;
  }
};
TYPED_TEST_SUITE(Fluxes, AllSpaces, SpaceNames);

TYPED_TEST(Fluxes, PassTheirMeansToEachFaceIn2D) { this->template checkFaces<2>(); }
TYPED_TEST(Fluxes, PassTheirMeansToEachFaceIn3D) { this->template checkFaces<3>(); }

TYPED_TEST(Fluxes, AreConservedIn2D) { this->template checkConservation<2>(false); }
TYPED_TEST(Fluxes, AreConservedIn3D) { this->template checkConservation<3>(false); }
TYPED_TEST(Fluxes, AreConservedInHalfStepsIn2D) { this->template checkConservation<2>(true); }
TYPED_TEST(Fluxes, AreConservedInHalfStepsIn3D) { this->template checkConservation<3>(true); }

TYPED_TEST(Fluxes, FieldsOfOtherShapesAreRefused) {
  MultilevelSetOn<2, TypeParam> levels;
  levels.level(0) = toSet<TypeParam, 2>({{{0, 0}}, {{1, 0}}});
  makeLevels<TypeParam, 2>(this->context, std::vector{toSet<TypeParam, 2>({{{1, 0}}})}, Grading::Face, levels);
  LevelDomain<TypeParam, 2> domain;
  GhostLevels<TypeParam, 2> ghosts;
  buildGhosts(this->context, domain, levels, {}, ghosts);
  FluxRegister<TypeParam, 2, double> one;
  FluxRegister<TypeParam, 2, double> two(2);
  buildFluxRegister(this->context, domain, levels, ghosts, 0, one);
  buildFluxRegister(this->context, domain, levels, ghosts, 0, two);
  EXPECT_EQ(one.firstFace[2] - one.firstFace[1], 1); // the upper face of the cell (0, 0)
  for (const int s : {0, 2, 3}) {
    EXPECT_EQ(one.firstFace[s + 1] - one.firstFace[s], 0);
  }
  FieldOn<double, TypeParam> coarse("f", ghosts.extended[0].numCells(), 2);
  FieldOn<double, TypeParam> other("f", ghosts.extended[0].numCells() + 1, 2);
  const Upwind<2> flux{coarse.view(), {1.0, 1.0}};
  EXPECT_THROW(addCoarseFluxes(this->context, flux, 1.0, one), InvalidArgument);
  EXPECT_THROW(addFineFluxes(this->context, flux, 1.0, one), InvalidArgument);
  EXPECT_THROW(correct(this->context, one, {1.0, 1.0}, coarse), InvalidArgument);
  EXPECT_THROW(correct(this->context, two, {1.0, 1.0}, other), InvalidArgument);
  EXPECT_THROW(buildFluxRegister(this->context, domain, levels, ghosts, 1, one), InvalidArgument);
  FluxRegister<TypeParam, 2, double> none(0);
  EXPECT_THROW(buildFluxRegister(this->context, domain, levels, ghosts, 0, none), InvalidArgument);
}

} // namespace
} // namespace spanwise::testing
