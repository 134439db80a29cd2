#include "SpanwiseFlowRun.h"

#include "SpanwiseComputeOnSide.h"
#include "SpanwiseFlowArrays.h"
#include "SpanwiseFlowDirections.h"
#include "SpanwiseHierarchy.h"
#include "SpanwiseInputLevels.h"
#include "SpanwiseShownCells.h"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/BoxCells.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Copy.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Multilevel/LevelPlanes.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Parallel/SetChecksum.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Flow/CompressibleFlow.hpp"
#include "Core/Solvers/Flow/DescribeFlow.hpp"

#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkNew.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkTable.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <format>
#include <vector>

using namespace spanwise::flow;
using namespace spanwise::geometry;
using namespace spanwise::multilevel;
using namespace spanwise::parallel;

namespace spanwise {

namespace {

template <ComputeSide side, int Dim>
class FlowRunOf final : public FlowRun {
public:
  using Space = SpaceOf<side>;

  FlowRunOf(const RankGroup& group, const FlowSetup<Dim>& setup)
    : group_(group), context_(Space(), group_.communicator()), setup_(setup),
      flow_(context_, setup.options, uploaded(group, setup.obstacle)) {
    const std::string start = describe(setup.start);
    if (start != describe(setup.options.inflow)) {
      flow_.start(UniformState<Dim>{setup.start});
    }
    name_ = std::format("compressible flow, {}, starts with {}, obstacle {}", describe(setup.options), start,
      checksumOf<Space, Dim>(context_, uploaded(group, setup.obstacle)));
    if constexpr (side == ComputeSide::Host) {
      setup_.obstacle = {}; // on the device it is kept for onHost()
    }
  }

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] Stepper& stepper() override { return flow_; }
  [[nodiscard]] std::unique_ptr<FlowRun> onHost() const override {
    if constexpr (side == ComputeSide::Host) {
      return nullptr;
    } else {
      return std::make_unique<FlowRunOf<ComputeSide::Host, Dim>>(group_, setup_);
    }
  }
  void step(double end) override { flow_.step(end); }
  [[nodiscard]] double time() const override { return flow_.time(); }
  [[nodiscard]] const FlowReport& report() const override { return flow_.report(); }
  [[nodiscard]] int numLevels() const override { return flow_.levels().numLevels(); }

  void makeLevels(const RankGroup& group, vtkPartitionedDataSetCollection* output) override {
    const auto& values = flow_.values();
    Hierarchy<Dim> hierarchy;
    hierarchy.root = root();
    group.agree([&] {
      for (int l = 0; l < flow_.levels().numLevels(); ++l) {
        const auto add = [l]<ComputeSide there>(const auto& told, vtkCellData* cells) {
          addValues<there>(told, cells);
          cells->AddArray(filledOnSide<there, std::int32_t>("Level", told.numCells(), l));
        };
        hierarchy.leaves.push_back(shownCells<side, Dim>(flow_.leaves(l), values.level(l), add));
        vtkCellData* const cells = hierarchy.leaves.back().values;
        cells->SetActiveScalars("Density");
        cells->SetActiveVectors("Velocity");
      }
    });
    const PlaneRange planes = group.alone() ? distributeLevels(group, hierarchy) : flow_.cut().part(group.rank());
    group.agree([&] { setLevels(output, hierarchy, planes); });
    addNumber(output, "Flow Time", flow_.time());
    addNumber(output, "Flow Steps", static_cast<double>(flow_.report().steps));
    addNumber(output, "Raised Cells", static_cast<double>(flow_.report().raisedCells));
  }

  void makeObstacle(const RankGroup& group, vtkUnstructuredGrid* output) override {
    setCellsOf(group, finest(), flow_.obstacle(), output);
  }

  void makeFluid(const RankGroup& group, vtkUnstructuredGrid* output) override {
    Box<Dim> box = setup_.options.box;
    for (int d = 0; d < Dim; ++d) {
      box.begin[d] *= Coordinate{1} << finest();
      box.end[d] *= Coordinate{1} << finest();
    }
    IntervalSetOn<Dim, Space> fluid;
    group.agree([&] {
      IntervalSetOn<Dim, Space> all;
      makeBox<Space, Dim>(context_, inPlanes(box, planesOfLevel(flow_.cut().part(group.rank()), finest())), all);
      combine<Space, Dim>(context_, SetOperation::Difference, all, flow_.obstacle(), fluid);
    });
    setCellsOf(group, finest(), fluid, output);
  }

  void makeLevel(const RankGroup& group, int level, bool refined, vtkUnstructuredGrid* output) override {
    IntervalSetOn<Dim, Space> cells = flow_.levels().level(level);
    if (refined) {
      group.agree([&] { coarsen<Space, Dim>(context_, Coarsening::Outside, flow_.levels().level(level + 1), cells); });
    }
    setCellsOf(group, level, cells, output);
  }

  void makeReport(vtkTable* table) const override {
    const FlowHistory<Dim>& history = flow_.history();
    const auto records = history.upTo(flow_.report().steps);
    const auto column = [&](const std::string& name, const auto& of) {
      addColumn(table, name, records.size(), [&](std::size_t k) { return of(records[k]); });
    };
    using Record = FlowRecord<Dim>;
    column("Time", [](const Record& r) { return r.time; });
    column("Steps", [](const Record& r) { return r.steps; });
    column("Cells", [](const Record& r) { return r.cells; });
    column("Mass", [](const Record& r) { return r.mass; });
    column("Energy", [](const Record& r) { return r.energy; });
    const std::array<double, 3> up = upFrom(setup_.stream);
    column("Drag", [&](const Record& r) { return dot(r.force, setup_.stream); });
    column("Lift", [&](const Record& r) { return dot(r.force, up); });
    for (std::size_t p = 0; p < history.numProbes(); ++p) {
      const auto reading = [&](const char* name, const auto& of) {
        addColumn(table, std::format("Probe {} {}", p, name), records.size(),
          [&](std::size_t k) { return of(history.probes(k)[p]); });
      };
      using State = Primitive<double, Dim>;
      reading("Density", [](const State& state) { return state.density; });
      reading("Pressure", [](const State& state) { return state.pressure; });
      constexpr const char* axes[] = {"Velocity X", "Velocity Y", "Velocity Z"};
      for (int d = 0; d < Dim; ++d) {
        reading(axes[d], [d](const State& state) { return state.velocity[d]; });
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

  [[nodiscard]] int finest() const { return setup_.options.numLevels - 1; }

  /// Where the cells of level 0 lie.
  [[nodiscard]] GridPlacement root() const {
    const GridGeometry<Dim>& lattice = setup_.options.lattice;
    GridPlacement placement;
    std::copy_n(lattice.origin, Dim, placement.origin);
    std::copy_n(lattice.spacing, Dim, placement.spacing);
    if constexpr (Dim == 2) {
      placement.origin[2] = setup_.plane;
      placement.spacing[2] = lattice.spacing[0];
    }
    return placement;
  }

  void setCellsOf(
    const RankGroup& group, int level, const IntervalSetOn<Dim, Space>& set, vtkUnstructuredGrid* output) const {
    group.agree([&] {
      RankCells<Dim> cells;
      cells.set = shownSet<side, Dim>(set);
      setCells<Dim>(
        output, cells, placementOfLevel(root(), level), planesOfLevel(flow_.cut().part(group.rank()), level));
    });
  }

  template <ComputeSide there>
  static void addValues(const field::FieldOn<double, SpaceOf<there>>& told, vtkCellData* cells) {
    using Value = FlowValue<Dim>;
    addArray<there>(cells, "Density", told, Value::density, 1);
    addArray<there>(cells, "Velocity", told, Value::velocity, Dim);
    addArray<there>(cells, "Pressure", told, Value::pressure, 1);
    addArray<there>(cells, "Mach", told, Value::mach, 1);
    addArray<there>(cells, "Schlieren", told, Value::schlieren, 1);
    addArray<there>(cells, "Q Criterion", told, Value::qCriterion, 1);
    addArray<there>(cells, "Vorticity", told, Value::vorticity, Value::count - Value::vorticity);
  }

  RankGroup group_;
  Context<Space> context_;
  FlowSetup<Dim> setup_;
  CompressibleFlow<Space, Dim> flow_;
  std::string name_;
};

} // namespace

template <int Dim>
std::unique_ptr<FlowRun> startFlow(const RankGroup& group, const FlowSetup<Dim>& setup) {
  std::unique_ptr<FlowRun> run;
  const auto start = [&]<ComputeSide side>(const SideContext<side>& /*context*/) {
    run = std::make_unique<FlowRunOf<side, Dim>>(group, setup);
  };
  computeOnSide(group, compressibleFlowInReport, workOnElements(numCells(setup.options.box) / group.size()), start);
  return run;
}

template std::unique_ptr<FlowRun> startFlow<2>(const RankGroup&, const FlowSetup<2>&);
template std::unique_ptr<FlowRun> startFlow<3>(const RankGroup&, const FlowSetup<3>&);

} // namespace spanwise
