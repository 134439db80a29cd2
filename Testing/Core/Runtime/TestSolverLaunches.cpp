// Small hierarchies of levels and small problems of the solvers are done by the calling thread.

#include "Core/Field/Arithmetic.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Ball.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Multilevel/Adapt.hpp"
#include "Core/Multilevel/CoarsenValues.hpp"
#include "Core/Multilevel/ConformingMesh.hpp"
#include "Core/Multilevel/FluxRegister.hpp"
#include "Core/Multilevel/Ghosts.hpp"
#include "Core/Multilevel/LevelBoxes.hpp"
#include "Core/Multilevel/LevelsOfTrees.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Multilevel/Sampling.hpp"
#include "Core/Multilevel/Trees.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/TuplesView.hpp"
#include "Core/Solvers/Eikonal/ArrivalTimes.hpp"
#include "Core/Solvers/Eikonal/GridOrigins.hpp"
#include "Core/Solvers/Eikonal/GridSignedDistance.hpp"
#include "Core/Solvers/Eikonal/GridSources.hpp"
#include "Core/Solvers/Eikonal/GridTimes.hpp"
#include "Core/Solvers/Eikonal/Paths.hpp"
#include "Core/Solvers/NBody/BodyForces.hpp"
#include "Core/Solvers/NBody/Leapfrog.hpp"
#include "Core/Solvers/NBody/SampleErrors.hpp"
#include "Testing/Core/Mesh/Meshes.hpp"
#include "Testing/Core/Runtime/CountLaunches.hpp"
#include "Testing/Core/Seed.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <random>
#include <vector>

namespace spanwise::testing {
namespace {

using Host = HostExecutionSpace;
using Memory = Host::memory_space;
using Set = IntervalSetOn<3, Host>;

Set ballOf(double radius) {
  Set ball;
  const Context<Host> context;
  makeBall<Host, 3>(context, {{0.0, 0.0, 0.0}, radius}, ball);
  return ball;
}

/// A flux that needs both cells.
struct MeanFlux {
  FieldView<const double> values;

  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(const FluxFace& face) const {
    return {0.5 * (values(face.lower) + values(face.upper))};
  }
};

/// Two levels, of 512 cells and of the children of 81 of them.
class LevelLaunches : public ::testing::Test {
protected:
  LevelLaunches() : refined(1), field("f") {
    makeBox<Host, 3>(context, {{-4, -4, -4}, {4, 4, 4}}, levels.level(0));
    refined[0] = ballOf(2.5);
    makeLevels<Host, 3>(context, refined, Grading::Vertex, levels);
    field.resize(levels);
    for (int l = 0; l < levels.numLevels(); ++l) {
      fill<Host, double>(context, field.level(l), 1.0);
    }
  }

  Host space;
  const Context<Host> context{space};
  MultilevelSetOn<3, Host> levels;
  std::vector<Set> refined;
  MultilevelFieldOn<double, Host> field;
};

TEST_F(LevelLaunches, NoneInRefinement) {
  Set fine;
  Set coarse;
  const Set ball = ballOf(5.0);
  expectNoLaunches([&] { refine<Host, 3>(context, ball, fine); });
  for (const Coarsening which : {Coarsening::Outside, Coarsening::Inside}) {
    expectNoLaunches([&] { coarsen<Host, 3>(context, which, ball, coarse); });
  }
  coarsen<Host, 3>(context, Coarsening::Outside, ball, coarse);
  const std::vector<double> ofBall(static_cast<std::size_t>(ball.numCells()), 1.0);
  std::vector<double> values(static_cast<std::size_t>(coarse.numCells()));
  expectNoLaunches([&] {
    coarsenValues<Host, 3, double>(context, coarse, ball, {tuplesView<const double>(ofBall.data(), ball.numCells(), 1)},
      CoarseValue::Mean, tuplesView(values.data(), coarse.numCells(), 1));
  });
}

TEST_F(LevelLaunches, NoneInLevels) {
  for (const Grading grading : {Grading::Nested, Grading::Face, Grading::Edge, Grading::Vertex}) {
    expectNoLaunches([&] { makeLevels<Host, 3>(context, refined, grading, levels); });
  }
  expectNoLaunches([&] { balance<Host, 3>(context, Connectivity::Vertex, levels); });
  Set out;
  expectNoLaunches([&] { leaves<Host, 3>(context, levels, 0, out); });
  LeavesOn<3, Host> all(2);
  leaves<Host, 3>(context, levels, 0, all[0]);
  leaves<Host, 3>(context, levels, 1, all[1]);
  MultilevelSetOn<3, Host> again;
  expectNoLaunches([&] { makeLevelsFromLeaves<Host, 3>(context, all, again); });
  LeafCoverOn<3, Host> cover;
  ListOn<Box<3>, Host> boxes;
  TreesOn<Host> trees;
  ConformingMeshOn<Host> mesh;
  ConformingScratchOn<3, Host> scratch;
  expectNoLaunches([&] {
    coverOfLeaves<Host, 3>(context, all, cover);
    levelBoxes<Host, 3>(context, cover, 1, boxes);
    makeTrees<Host, 3>(context, all, cover, trees);
    makeConformingMesh<Host, 3>(context, all, cover, {1}, mesh, scratch);
  });
  EXPECT_GT(mesh.types.count(), 1000);
}

TEST_F(LevelLaunches, NoneInTransfer) {
  for (const Prolongation method : {Prolongation::Injection, Prolongation::Linear, Prolongation::ThirdOrder}) {
    LevelTransferOn<3, Host> transfer;
    LevelDomain<Host, 3> domain;
    GhostLevels<Host, 3> ghosts;
    MultilevelFieldOn<double, Host> extended("f");
    expectNoLaunches([&] {
      buildLevelTransfer<Host, 3>(context, levels, method, transfer);
      restrictLevels<Host, 3, double>(context, transfer, field);
      prolong<Host, 3, double>(context, transfer.maps[0], field.level(0), field.level(1));
      buildGhosts(context, domain, levels, {1, true, method}, ghosts);
      toExtended(context, ghosts, field, extended);
      fillGhosts(context, ghosts, MirrorState(), extended);
    });
  }
  LevelDomain<Host, 3> domain;
  GhostLevels<Host, 3> ghosts;
  buildGhosts(context, domain, levels, {}, ghosts);
  MultilevelFieldOn<double, Host> extended("f");
  toExtended(context, ghosts, field, extended);
  FluxRegister<Host, 3, double> fluxes;
  FieldOn<double, Host> between("f", 0);
  expectNoLaunches([&] {
    buildFluxRegister(context, domain, levels, ghosts, 0, fluxes);
    addCoarseFluxes(context, MeanFlux{extended.level(0).view()}, 0.1, fluxes);
    addFineFluxes(context, MeanFlux{extended.level(1).view()}, 0.1, fluxes);
    correct(context, fluxes, {1.0, 1.0, 1.0}, extended.level(0));
    interpolateInTime(context, extended.level(0), extended.level(0), 0.5, between);
  });
  const Kokkos::View<Position<3>*, Memory> points("Testing::points", 500);
  SamplesOn<Host, double> samples{{}, Kokkos::View<std::int32_t*, Memory>("Testing::levels", 500)};
  expectNoLaunches(
    [&] { samplePoints<Host, 3, double>(context, {levels, field}, points, {Sampling::Linear}, samples); });
}

TEST_F(LevelLaunches, NoneInAdaptation) {
  std::vector<MultilevelFieldOn<double, Host>> fields{field};
  LevelDomain<Host, 3> domain;
  Adaptation<Host, 3, double> adaptation;
  TagScratch<3, Host::memory_space> scratch;
  const auto tag = [&](int l, Set& out) {
    if (l == 0) {
      out = refined[0];
    } else {
      out.clear();
    }
  };
  Set tags;
  for (const TagCriterion criterion : {TagCriterion::Value, TagCriterion::Loehner}) {
    expectNoLaunches(
      [&] { tagCells<Host, 3, double>(context, levels.level(0), field.level(0), {criterion, 0.5}, tags, scratch); });
  }
  const AdaptOptions options{2, 1, Grading::Vertex, Prolongation::Linear};
  expectNoLaunches([&] { adaptation.adaptBy(context, domain, tag, options, levels, fields); });
}

TEST(EikonalLaunches, NoneOnMeshes) {
  using namespace eikonal;
  const Host space;
  const Context context(space);
  const HostMesh host = gridMesh(ElementType::Hexahedron, 5);
  const MeshOn<Host, double, std::int64_t> mesh(host);
  const std::vector<std::int64_t> element{7};
  const std::vector<std::int64_t> corners{0, 1, 2};
  const std::vector<double> points{0.3, 0.4, 0.5, 0.9, 0.1, 0.1, 0.9, 0.4, 0.2};
  Sources sources;
  sources.elements = {element.data(), nullptr, 1};
  sources.points = {points.data(), nullptr, 1};
  sources.surface = {points.data(), corners.data(), nullptr, 3, 1};
  ArrivalOptions options;
  options.trace = Trace::Sources;
  ArrivalTimes<Host> times;
  for (const int order : {1, 2}) {
    options.order = order;
    expectNoLaunches([&] { solveArrivalTimes(context, mesh.mixed(), Speed::constant(1.0), sources, options, times); });
  }
  Paths<Memory> paths;
  expectNoLaunches(
    [&] { tracePaths(context, mesh.mixed().vertices, times, sources, {points.data(), 3, 0.0}, {}, paths); });
}

TEST(EikonalLaunches, NoneOnGrids) {
  const Host space;
  const Context context(space);
  const GridGeometry<3> lattice{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
  const Set core = ballOf(2.0);
  const Set ball = ballOf(7.0);
  const auto numCells = static_cast<std::size_t>(ball.numCells());
  const Kokkos::View<double*, Memory> times("times", numCells);
  const Kokkos::View<double*, Memory> gradient("gradient", 3 * numCells);
  const Kokkos::View<std::int32_t*, Memory> origins("origins", numCells);
  const Kokkos::View<std::int32_t*, Memory> labels("labels", numCells);
  eikonal::Grid<3, Host> grid;
  for (const bool coupled : {false, true}) {
    for (const int order : {1, 2}) {
      eikonal::GridOptions options;
      options.order = order;
      expectNoLaunches([&] {
        eikonal::buildGrid<Host, 3>(context, ball, lattice, {},
          eikonal::Speed::constant(eikonal::SymmetricTensor{1.0, 1.0, 1.0, coupled ? 0.3 : 0.0, 0.0, 0.0}), grid);
        std::fill_n(times.data(), numCells, eikonal::notReached);
        eikonal::startAtCells<Host, 3>(context, grid, core, 0.0, times);
        eikonal::computeGridTimes<Host, 3>(context, grid, options, {}, times);
        eikonal::gradientOfTimes<Host, 3>(context, grid, order, times, gradient);
        eikonal::findOrigins<Host, 3>(context, grid, times, origins);
        eikonal::labelBySource<Host, 3>(context, grid, origins, labels);
      });
    }
  }
  eikonal::GridFactoring<3, Memory> around;
  expectNoLaunches([&] {
    eikonal::startAtPoints<Host, 3>(
      context, grid, {{{0.2, 0.3, 0.4}, 0.0}, {{-3.5, 2.2, 4.1}, 0.1}}, 9.0, times, around);
    eikonal::labelAroundPoints<Host, 3>(context, grid, around, times, labels);
  });
  const Box<3> box{{-8, -8, -8}, {8, 8, 8}};
  const Kokkos::View<double*, Memory> distances("distances", 16 * 16 * 16);
  expectNoLaunches([&] { eikonal::signedDistanceInBox<Host, 3>(context, core, lattice, {}, box, distances); });
}

/// Bodies anywhere in the unit cube.
struct Bodies {
  std::vector<double> numbers;
  nbody::BodiesView<3> view;

  explicit Bodies(std::int64_t count) : numbers(static_cast<std::size_t>(7 * count), 1.0) {
    std::mt19937 random(seed());
    std::uniform_real_distribution<double> place(0.0, 1.0);
    std::generate_n(numbers.begin(), 3 * count, [&] { return place(random); });
    view.count = count;
    for (int axis = 0; axis < 3; ++axis) {
      view.positions[axis] = numbers.data() + axis * count;
      view.velocities[axis] = numbers.data() + (3 + axis) * count;
    }
    view.masses = numbers.data() + 6 * count;
  }
};

TEST(NBodyLaunches, NoneForFewBodies) {
  using namespace nbody;
  const Host space;
  for (const SumMethod method : {SumMethod::Direct, SumMethod::FastMultipole}) {
    constexpr std::int64_t count = 100;
    const Bodies bodies(count);
    std::vector<double> accelerations(3 * count);
    std::vector<double> potentials(count);
    ForceOptions options;
    options.method = method;
    BodyForces<Host, InverseDistance, 3> forces({}, options);
    const Context context(space);
    expectNoLaunches([&] {
      forces(context, bodies.view, accelerations.data(), potentials.data());
      kickAndDrift(context, bodies.view, accelerations.data(), 1e-3, 1e-3);
      motionTotals(context, bodies.view, potentials.data());
      SumsToSample<3, double> sums;
      sums.targets = bodies.view.sources().points;
      sums.sources = bodies.view.sources();
      sums.sums = {potentials.data(), accelerations.data(), count};
      sums.within = true;
      sampleErrors(context, InverseDistance(), sums, 20);
    });
  }
}

} // namespace
} // namespace spanwise::testing
