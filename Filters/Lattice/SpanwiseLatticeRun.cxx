#include "SpanwiseLatticeRun.h"

#include "SpanwiseComputeOnSide.h"
#include "SpanwiseFlowArrays.h"
#include "SpanwiseFlowDirections.h"
#include "SpanwiseFlowProbes.h"
#include "SpanwiseHierarchy.h"
#include "SpanwiseInputLevels.h"
#include "SpanwiseShownCells.h"

#include "Core/Geometry/BoxCells.hpp"
#include "Core/Geometry/Copy.hpp"
#include "Core/Parallel/SetChecksum.hpp"
#include "Core/Runtime/Checksum.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/PointText.hpp"
#include "Core/Solvers/Lattice/DescribeLattice.hpp"

#include <vtkPartitionedDataSetCollection.h>

#include <algorithm>
#include <cmath>
#include <format>

using namespace spanwise::geometry;
using namespace spanwise::lattice;
using namespace spanwise::parallel;

namespace spanwise {

namespace {

template <int Dim>
struct SameState {
  FluidState<Dim> state;

  KOKKOS_FUNCTION FluidState<Dim> operator()(const double (& /*position*/)[Dim]) const { return state; }
};

/// A copy on the device, which outlives the values.
template <class Memory, class T>
Kokkos::View<const T*, Memory> copied(const std::vector<T>& values) {
  const Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> from(
    values.data(), values.size());
  const Kokkos::View<T*, Memory> to("Spanwise::Lattice::surface", values.size());
  Kokkos::deep_copy(to, from);
  return to;
}

/// The nearest of some balls.
template <class Memory, int Dim>
struct BallSurfaces {
  Kokkos::View<const BallSurface<Dim>*, Memory> balls;

  KOKKOS_FUNCTION double operator()(const double (&position)[Dim]) const {
    double least = balls(0)(position);
    for (std::size_t k = 1; k < balls.extent(0); ++k) {
      least = Kokkos::min(least, balls(k)(position));
    }
    return least;
  }
};

/// Distances that were found before.
template <class Memory, int Dim>
struct KnownDistances {
  IntervalSet<Dim, Memory> held; ///< keeps the cells
  IntervalSetView<Dim> cells;
  Kokkos::View<const float*, Memory> distances;
  double cellsInUnit; ///< cells of the finest level along one of the coarsest
  Box<Dim> box;
  bool repeats[Dim];

  KOKKOS_FUNCTION double operator()(const double (&position)[Dim]) const {
    Cell<Dim> cell{};
    for (int d = 0; d < Dim; ++d) {
      cell.at[d] = static_cast<Coordinate>(Kokkos::floor(position[d] * cellsInUnit));
      if (repeats[d] && cell.at[d] < box.begin[d]) {
        cell.at[d] = box.end[d] - 1;
      } else if (repeats[d] && cell.at[d] >= box.end[d]) {
        cell.at[d] = box.begin[d];
      }
    }
    const std::int64_t number = cells.findCell(cell);
    return number < 0 ? Kokkos::Experimental::quiet_NaN_v<double> : distances(number);
  }
};

template <ComputeSide side, int Dim>
class LatticeRunOf final : public LatticeRun {
public:
  using Space = SpaceOf<side>;
  using Memory = typename Space::memory_space;

  LatticeRunOf(const RankGroup& group, const LatticeSetup<Dim>& setup)
    : group_(group), context_(Space(), group_.communicator()), setup_(setup),
      flow_(context_, setup.options, uploaded(group, setup.cells), setup.hold) {
    flow_.start(SameState<Dim>{setup.start});
    std::string surface = setup.surfaces.empty() ? "none" : "";
    for (const BallSurface<Dim>& ball : setup.surfaces) {
      surface += std::format("{}{} around {}", surface.empty() ? "" : ", ", ball.radius, pointText(ball.centre, Dim));
    }
    if (!setup.surfaces.empty()) {
      BallSurfaces<Memory, Dim> balls;
      group.agree([&] { balls.balls = copied<Memory>(setup.surfaces); });
      flow_.setSurface(balls);
    }
    if (!setup.walls.distances.empty()) {
      flow_.setSurface(distancesOn(group, setup));
      surface = std::format("at distances {:016x}", checksum(std::as_bytes(std::span(setup.walls.distances))));
    }
    std::string start;
    for (const double v : setup.start.velocity) {
      start += std::format(" {}", v);
    }
    name_ = std::format("lattice Boltzmann flow, {}, starts with{}, cells {} {}, surface {}", describe(setup.options),
      start, setup.hold == CellsHold::Fluid ? "of fluid" : "that are solid",
      checksumOf<Space, Dim>(context_, uploaded(group, setup.cells)), surface);
    if constexpr (side == ComputeSide::Host) { // on the device they are kept for onHost()
      setup_.cells = {};
      setup_.walls = {};
    }
    if (setup.watch) {
      watched_.emplace(context_, flow_, *setup.watch);
      name_ += "; " + describe(*setup.watch);
    }
  }

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] std::unique_ptr<LatticeRun> onHost() const override {
    if constexpr (side == ComputeSide::Host) {
      return nullptr;
    } else {
      return std::make_unique<LatticeRunOf<ComputeSide::Host, Dim>>(group_, setup_);
    }
  }
  [[nodiscard]] Stepper& stepper() override {
    return watched_ ? static_cast<Stepper&>(*watched_) : static_cast<Stepper&>(flow_);
  }
  void step() override {
    watched_.value().step();
    for (int l = 0; l < flow_.numLevels(); ++l) {
      cellUpdates_ += flow_.cells(l).numCells() << l;
    }
  }
  [[nodiscard]] std::int64_t steps() const override { return flow_.steps(); }
  [[nodiscard]] double change() const override { return watched_.value().change(); }
  [[nodiscard]] std::int64_t numCells() const override {
    std::int64_t count = 0;
    for (int l = 0; l < flow_.numLevels(); ++l) {
      count += flow_.cells(l).numCells();
    }
    return group_.communicator().reduced(ReduceBy::Sum, count);
  }
  [[nodiscard]] std::int64_t cellUpdates() const override {
    return group_.communicator().reduced(ReduceBy::Sum, cellUpdates_);
  }
  [[nodiscard]] std::size_t bytes() const override { return flow_.bytes(); }

  [[nodiscard]] std::vector<std::array<double, 3>> velocitiesAt(
    const std::vector<std::array<double, 3>>& points) override {
    const std::vector<std::array<double, Dim>> places = probesIn<Dim>(points);
    FluidProbes<Space, Dim> probes(context_, flow_, setup_.lattice, std::span<const std::array<double, Dim>>(places));
    std::vector<std::array<double, 3>> velocities;
    for (const FluidState<Dim>& state : probes.read(context_, flow_)) {
      std::array<double, 3>& velocity = velocities.emplace_back();
      for (int d = 0; d < Dim; ++d) {
        velocity[static_cast<std::size_t>(d)] = setup_.units.physicalVelocity(state.velocity[d]);
      }
    }
    return velocities;
  }

  void makeLevels(const RankGroup& group, vtkPartitionedDataSetCollection* output) override {
    Hierarchy<Dim> hierarchy;
    hierarchy.root = root();
    for (int l = 0; l < flow_.numLevels(); ++l) {
      const auto& values = flow_.values(l);
      const auto& wallShear = flow_.wallShear(l);
      group.agree([&] {
        const auto add = [this, l]<ComputeSide there>(const auto& told, vtkCellData* cells) {
          addValues<there>(told, cells);
          cells->AddArray(filledOnSide<there, std::int32_t>("Level", told.numCells(), l));
        };
        RankCells<Dim> shown = shownCells<side, Dim>(flow_.cells(l), values, add);
        addShown<side>(wallShear, shown.values, [this]<ComputeSide there>(const auto& told, vtkCellData* cells) {
          addArray<there>(cells, "Wall Shear", told, 0, Dim, 3.0 * pressureScale());
        });
        shown.values->SetActiveScalars("Pressure");
        shown.values->SetActiveVectors("Velocity");
        hierarchy.leaves.push_back(std::move(shown));
      });
    }
    const PlaneRange planes = group.alone() ? distributeLevels(group, hierarchy) : flow_.cut().part(group.rank());
    group.agree([&] { setLevels(output, hierarchy, planes); });
    addNumber(output, "Flow Time", static_cast<double>(flow_.steps()) * setup_.units.timeStep);
    addNumber(output, "Flow Steps", static_cast<double>(flow_.steps()));
    addNumber(output, "Time Step", setup_.units.timeStep);
    addNumber(output, "Relaxation Time", setup_.units.relaxationTime);
    addNumber(output, "Lattice Mach Number", setup_.units.machNumber);
    addNumber(output, "Cell Reynolds Number", setup_.units.cellReynolds);
    if (setup_.watch && setup_.watch->tolerance > 0.0) {
      addNumber(output, "Steady", watched_->isSteady() ? 1.0 : 0.0);
    }
    const auto records = flow_.history().upTo(flow_.steps());
    if (isPushed() && !records.empty()) {
      addNumber(output, "Permeability", permeability(records.back()));
    }
  }

  void makeReport(vtkTable* table) const override {
    const auto records = flow_.history().upTo(flow_.steps());
    const auto column = [&](const std::string& name, const auto& of) {
      addColumn(table, name, records.size(), [&](std::size_t k) { return of(records[k]); });
    };
    using Record = LatticeRecord<Dim>;
    const LatticeUnits& units = setup_.units;
    column("Time", [&](const Record& r) { return static_cast<double>(r.steps) * units.timeStep; });
    column("Steps", [](const Record& r) { return r.steps; });
    const double volume = std::pow(units.spacing, Dim);
    column("Mass Gained", [&](const Record& r) { return r.massBeyondRest * setup_.density * volume; });
    constexpr const char* axes[] = {"Mean Velocity X", "Mean Velocity Y", "Mean Velocity Z"};
    for (int d = 0; d < Dim; ++d) {
      column(axes[d], [&, d](const Record& r) { return units.physicalVelocity(r.meanVelocity[d]); });
    }
    column("Greatest Speed", [&](const Record& r) { return units.physicalVelocity(r.greatestSpeed); });
    const double force = setup_.density * volume * units.spacing / (units.timeStep * units.timeStep);
    const std::array<double, 3> up = upFrom(setup_.stream);
    column("Drag", [&](const Record& r) { return force * dot(r.force, setup_.stream); });
    column("Lift", [&](const Record& r) { return force * dot(r.force, up); });
    if (isPushed()) {
      column("Permeability", [&](const Record& r) { return permeability(r); });
    }
    constexpr const char* components[] = {" Velocity X", " Velocity Y", " Velocity Z"};
    for (std::size_t p = 0; watched_ && p < watched_->numProbes(); ++p) {
      const std::string probe = std::format("Probe {}", p);
      addColumn(table, probe + " Pressure", records.size(),
        [&](std::size_t r) { return pressureScale() * (watched_->readings(r)[p].density - 1.0); });
      for (int d = 0; d < Dim; ++d) {
        addColumn(table, probe + components[d], records.size(),
          [&](std::size_t r) { return units.physicalVelocity(watched_->readings(r)[p].velocity[d]); });
      }
    }
  }

private:
  /// Collective. A copy where it is computed.
  static IntervalSetOn<Dim, Space> uploaded(const RankGroup& group, const HostIntervalSet<Dim>& set) {
    IntervalSetOn<Dim, Space> result;
    group.agree([&] { geometry::copy(set, result); });
    return result;
  }

  static KnownDistances<Memory, Dim> distancesOn(const RankGroup& group, const LatticeSetup<Dim>& setup) {
    Kokkos::View<const float*, Memory> distances;
    group.agree([&] { distances = copied<Memory>(setup.walls.distances); });
    KnownDistances<Memory, Dim> known{uploaded(group, setup.walls.cells), {}, distances,
      std::ldexp(1.0, setup.options.refinement.numLevels - 1), finestOf(setup).second, {}};
    known.cells = known.held.view();
    std::copy(setup.options.repeats, setup.options.repeats + Dim, known.repeats);
    return known;
  }

  [[nodiscard]] bool isPushed() const {
    return std::ranges::any_of(setup_.acceleration, [](double a) { return a != 0.0; });
  }
  /// Darcy's: viscosity times what flows through a unit of area, over what pushes.
  [[nodiscard]] double permeability(const LatticeRecord<Dim>& record) const {
    double flux = 0.0;
    double square = 0.0;
    for (int d = 0; d < Dim; ++d) {
      const double push = setup_.acceleration[static_cast<std::size_t>(d)];
      flux += push * setup_.units.physicalVelocity(record.meanVelocity[d]);
      square += push * push;
    }
    return setup_.viscosity * flux / square;
  }

  /// The pressure of a density of 1.
  [[nodiscard]] double pressureScale() const {
    const double speed = setup_.units.spacing / setup_.units.timeStep;
    return setup_.density * speed * speed / 3.0;
  }

  /// Where the cells lie.
  [[nodiscard]] GridPlacement root() const {
    GridPlacement placement;
    std::copy_n(setup_.lattice.origin, Dim, placement.origin);
    std::copy_n(setup_.lattice.spacing, Dim, placement.spacing);
    if constexpr (Dim == 2) {
      placement.origin[2] = setup_.plane;
      placement.spacing[2] = setup_.lattice.spacing[0];
    }
    return placement;
  }

  template <ComputeSide there>
  void addValues(const field::FieldOn<double, SpaceOf<there>>& told, vtkCellData* cells) const {
    using Value = FluidValue<Dim>;
    const double speed = setup_.units.spacing / setup_.units.timeStep;
    const double pressure = pressureScale();
    const double rate = 1.0 / setup_.units.timeStep;
    addArray<there>(cells, "Velocity", told, Value::velocity, Dim, speed);
    addArray<there>(cells, "Pressure", told, Value::density, 1, pressure, -pressure);
    addArray<there>(cells, "Vorticity", told, Value::vorticity, Value::qCriterion - Value::vorticity, rate);
    addArray<there>(cells, "Q Criterion", told, Value::qCriterion, 1, rate * rate);
  }

  RankGroup group_;
  Context<Space> context_;
  LatticeSetup<Dim> setup_;
  LatticeFlow<Space, Dim> flow_;
  std::optional<WatchedFlow<Space, Dim>> watched_;
  std::string name_;
  std::int64_t cellUpdates_ = 0;
};

} // namespace

int quietRamp(std::int64_t cellsAlongX) {
  return static_cast<int>(std::min(1e9, std::ceil(8.0 * std::sqrt(3.0) * static_cast<double>(cellsAlongX))));
}

template <int Dim>
std::unique_ptr<LatticeRun> startLattice(const RankGroup& group, const LatticeSetup<Dim>& setup) {
  std::unique_ptr<LatticeRun> run;
  const auto start = [&]<ComputeSide side>(const SideContext<side>& /*context*/) {
    run = std::make_unique<LatticeRunOf<side, Dim>>(group, setup);
  };
  computeOnSide(group, latticeFlowInReport, workOnElements(numCells(setup.options.box) / group.size()), start);
  return run;
}

template std::unique_ptr<LatticeRun> startLattice<2>(const RankGroup&, const LatticeSetup<2>&);
template std::unique_ptr<LatticeRun> startLattice<3>(const RankGroup&, const LatticeSetup<3>&);

} // namespace spanwise
