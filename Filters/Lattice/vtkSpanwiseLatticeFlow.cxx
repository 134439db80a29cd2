#include "vtkSpanwiseLatticeFlow.h"

#include "SpanwiseAboutInput.h"
#include "SpanwiseBridge.h"
#include "SpanwiseFlowDomain.h"
#include "SpanwiseFlowProbes.h"
#include "SpanwiseKeptFlow.h"
#include "SpanwiseLatticeRun.h"
#include "SpanwiseOneGrid.h"
#include "SpanwisePropertyChecks.h"
#include "SpanwiseSteppedFrames.h"
#include "SpanwiseWallSurface.h"

#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Lattice/DescribeLattice.hpp"

#include <vtkDataSet.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>
#include <vtkPolyData.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <format>
#include <optional>
#include <string>
#include <vector>

using namespace spanwise::geometry;
using namespace spanwise::lattice;
using namespace spanwise::parallel;

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseLatticeFlow);

struct vtkSpanwiseLatticeFlow::Internals : KeptFlow<LatticeRun> {
  std::optional<WallSurface> surface; ///< the input, if it is one
};

vtkSpanwiseLatticeFlow::vtkSpanwiseLatticeFlow() : Kept(std::make_unique<Internals>()) {}

vtkSpanwiseLatticeFlow::~vtkSpanwiseLatticeFlow() = default;

void vtkSpanwiseLatticeFlow::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  const auto print = [&](const char* name, const auto& value) { os << indent << name << ": " << value << "\n"; };
  const auto printVector = [&](const char* name, const double (&value)[3]) {
    os << indent << name << ": " << value[0] << " " << value[1] << " " << value[2] << "\n";
  };
  print("InputIs", this->InputIs);
  print("Speed", this->Speed);
  print("Viscosity", this->Viscosity);
  print("Density", this->Density);
  printVector("Acceleration", this->Acceleration);
  print("Start", this->Start);
  print("LowerX", this->LowerX);
  print("UpperX", this->UpperX);
  print("LowerY", this->LowerY);
  print("UpperY", this->UpperY);
  print("LowerZ", this->LowerZ);
  print("UpperZ", this->UpperZ);
  print("InflowProfile", this->InflowProfile);
  printVector("LidVelocity", this->LidVelocity);
  print("Collision", this->Collision);
  print("Smagorinsky", this->Smagorinsky);
  print("AllVelocities", this->AllVelocities);
  print("Storage", this->Storage);
  print("LatticeSpeed", this->LatticeSpeed);
  print("VorticityLimit", this->VorticityLimit);
  print("RefineWalls", this->RefineWalls);
  print("BufferCells", this->BufferCells);
  print("StepsPerRemesh", this->StepsPerRemesh);
  print("SteadyTolerance", this->SteadyTolerance);
  print("StepsPerRecord", this->StepsPerRecord);
}

FlowDomain vtkSpanwiseLatticeFlow::GetDomainChoice(int dimension) const {
  FlowDomain domain = this->Superclass::GetDomainChoice(dimension);
  const bool isPores = this->Obstacle == INPUT_SET && this->InputIs == FLUID;
  domain.upstream = isPores ? 0.0 : 2.0;
  domain.downstream = isPores ? 0.0 : 10.0;
  domain.beside = isPores ? 0.0 : 2.0;
  return domain;
}

void vtkSpanwiseLatticeFlow::CheckProperties() const {
  this->CheckFlowProperties();
  checkChoice("meaning of the input", this->InputIs, FLUID);
  checkChoice("start", this->Start, AT_REST);
  checkChoice("inflow profile", this->InflowProfile, PARABOLIC);
  checkChoice("collision", this->Collision, ENTROPIC);
  checkChoice("storage", this->Storage, DOUBLE);
  checkPositive("speed", this->Speed);
  checkPositive("viscosity", this->Viscosity);
  checkPositive("density", this->Density);
  checkFinite("acceleration", this->Acceleration);
  checkFinite("lid velocity", this->LidVelocity);
  checkNumber("vorticity limit", this->VorticityLimit, this->VorticityLimit >= 0.0,
    " and not negative; 0: levels do not follow it");
  checkNumber(
    "steady tolerance", this->SteadyTolerance, this->SteadyTolerance >= 0.0, " and not negative; 0: the flow goes on");
}

template <int Dim>
void vtkSpanwiseLatticeFlow::SetSides(LatticeSetup<Dim>& setup) const {
  const int sides[] = {this->LowerX, this->UpperX, this->LowerY, this->UpperY, this->LowerZ, this->UpperZ};
  constexpr const char* names[] = {"lower x", "upper x", "lower y", "upper y", "lower z", "upper z"};
  constexpr Side kinds[] = {Side::Wall, Side::Slip, Side::Inflow, Side::Outflow, Side::Wall};
  LatticeOptions<Dim>& options = setup.options;
  for (int side = 0; side < 2 * Dim; ++side) {
    checkChoice((std::string(names[side]) + " side").c_str(), sides[side], PERIODIC);
    const int opposite = side ^ 1;
    const bool repeats = sides[side] == PERIODIC;
    if (repeats && sides[opposite] != PERIODIC) {
      throw InvalidArgument(std::format(
        "the {} side is periodic and the {} side is not; both must be, or none", names[side], names[opposite]));
    }
    options.repeats[side / 2] = repeats;
    SideCondition<Dim>& is = options.sides[static_cast<std::size_t>(side)];
    is.side = kinds[sides[side]];
    is.profile = this->InflowProfile == PARABOLIC ? Profile::Parabolic : Profile::Uniform;
    for (int d = 0; d < Dim; ++d) {
      const double lid = side == 2 * Dim - 1 ? setup.units.velocity(this->LidVelocity[d]) : 0.0;
      is.velocity[d] = is.side == Side::Inflow ? this->LatticeSpeed * setup.stream[static_cast<std::size_t>(d)]
        : is.side == Side::Wall                ? lid
                                               : 0.0;
    }
  }
}

template <int Dim>
LatticeSetup<Dim> vtkSpanwiseLatticeFlow::GetSetup(const FlowDomain& domain, const FlowPlace& place) const {
  LatticeSetup<Dim> setup;
  LatticeOptions<Dim>& options = setup.options;
  layCells<Dim>(domain, place, options.box, setup.lattice);
  const double spacing = setup.lattice.spacing[0];
  setup.units = latticeUnits({spacing, this->Speed, this->Viscosity, this->LatticeSpeed});
  options.collision = static_cast<lattice::Collision>(this->Collision); // the same order
  checkStability(setup.units, options.collision);
  double length = 0.0;
  for (int d = 0; d < Dim; ++d) {
    length = std::hypot(length, this->Direction[d]);
  }
  if (!(length > 0.0)) {
    throw InvalidArgument("the direction of the stream has no length; it must point somewhere");
  }
  for (int d = 0; d < Dim; ++d) {
    const auto axis = static_cast<std::size_t>(d);
    setup.stream[axis] = this->Direction[d] / length;
    setup.acceleration[axis] = this->Acceleration[d];
    options.force[d] = setup.units.acceleration(this->Acceleration[d]);
    setup.start.velocity[d] = this->Start == STREAM ? this->LatticeSpeed * setup.stream[axis] : 0.0;
  }
  this->SetSides<Dim>(setup);
  options.rampSteps = this->Start == AT_REST ? quietRamp(options.box.extent(0)) : 0;
  options.viscosity = setup.units.viscosity;
  options.smagorinsky = this->Smagorinsky;
  options.velocities = this->AllVelocities ? Velocities::All : Velocities::Fewest;
  options.storage = static_cast<lattice::Storage>(this->Storage); // the same order
  options.refinement.numLevels = this->NumberOfLevels;
  options.refinement.buffer = this->BufferCells;
  options.refinement.atWalls = this->RefineWalls;
  options.refinement.vorticity = this->NumberOfLevels > 1 ? this->VorticityLimit * this->LatticeSpeed : 0.0;
  options.refinement.stepsPerRemesh = this->StepsPerRemesh;
  options.stepsPerRecord = this->StepsPerRecord;
  const double distance =
    place.diameter > 0.0 && !(domain.upstream == 0.0) ? 0.5 * place.diameter : 0.02 * (place.box[1] - place.box[0]);
  const double perFrame = this->TimePerFrame > 0.0 ? this->TimePerFrame : distance / this->Speed;
  const double steps = std::max(1.0, std::round(perFrame / setup.units.timeStep));
  if (!(steps < 1e9)) {
    throw InvalidArgument(
      std::format("a frame has {:g} steps of {:g}; it must have less than 1e9", steps, setup.units.timeStep));
  }
  options.stepsPerFrame = static_cast<int>(steps);
  setup.density = this->Density;
  setup.viscosity = this->Viscosity;
  if (this->Obstacle == BALL) {
    BallSurface<Dim> surface{};
    for (int d = 0; d < Dim; ++d) {
      surface.centre[d] = (this->Center[d] - setup.lattice.origin[d]) / spacing;
    }
    surface.radius = this->Radius / spacing;
    setup.surfaces = {surface};
  }
  setup.hold = this->Obstacle == INPUT_SET && this->InputIs == FLUID ? CellsHold::Fluid : CellsHold::Solid;
  return setup;
}

// Has a flow of these properties and inputs: the one that there is, with its frames, or a new one.
template <int Dim>
void vtkSpanwiseLatticeFlow::StartFlow(
  const RankGroup& group, const FrameChoice& choice, const InputCells& obstacle, vtkDataObject* probes) {
  Internals& kept = *this->Kept;
  SteppedFrames& frames = this->GetFrames();
  const FlowDomain domain = this->GetDomainChoice(Dim);
  const FlowPlace place = placeOf(group, domain, obstacle);
  const std::vector<std::array<double, 3>> points = probesOf(group, probes);
  LatticeSetup<Dim> setup;
  std::string settings;
  group.agree([&] {
    setup = this->GetSetup<Dim>(domain, place);
    settings = std::format("{}; {} {} {}; {} {} {} {}; {} {} {}", describe(setup.options), this->Start, this->Obstacle,
      this->InputIs, this->Center[0], this->Center[1], this->Center[2], this->Radius, setup.lattice.spacing[0],
      setup.units.timeStep, this->Density);
    for (const double origin : setup.lattice.origin) {
      settings += std::format(" {}", origin);
    }
    for (const double direction : setup.stream) {
      settings += std::format(" {}", direction);
    }
    if (!points.empty() || this->SteadyTolerance > 0.0) {
      setup.watch = {setup.lattice, probesIn<Dim>(points), 0, this->LatticeSpeed, this->SteadyTolerance};
      settings += "; " + describe(*setup.watch);
    }
  });
  if (kept.stays(group, frames, choice, settings)) {
    return;
  }
  group.agree([&] {
    setup.plane = planeOf(domain, obstacle);
    const auto [finest, box] = finestOf(setup);
    if (!kept.surface) {
      setup.cells = obstacleOn<Dim>(group, domain, obstacle, finest, box);
    }
  });
  if (kept.surface) {
    aboutInput("input (Obstacle Set)", [&] { setWalls<Dim>(group, *kept.surface, setup); });
  }
  kept.keep(latticeFlowInReport, group, frames, choice, startLattice<Dim>(group, setup), settings);
}

void vtkSpanwiseLatticeFlow::MakeOutput(const RankGroup& group, vtkInformationVector** inputs, vtkDataObject* output) {
  this->CheckProperties();
  const FrameChoice choice = this->GetFrameChoice();
  Internals& kept = *this->Kept;
  SteppedFrames& frames = this->GetFrames();
  vtkDataSet* set = nullptr;
  if (this->Obstacle == INPUT_SET) {
    vtkDataObject* const given = vtkDataObject::GetData(inputs[0], 0);
    if (group.maximum(given != nullptr ? 1 : 0) == 0) {
      throw InvalidArgument("the obstacle is a set; it must be given as the input (Obstacle Set)");
    }
    set = aboutInput("input (Obstacle Set)", [&] { return oneDataSet(group, given); });
  }
  const vtkMTimeType time = set != nullptr ? set->GetMTime() : 0;
  if (group.maximum(time == kept.obstacleTime ? 0 : 1) == 1) {
    kept.obstacle = {};
    kept.surface.reset();
    vtkPolyData* const surface = vtkPolyData::SafeDownCast(set);
    if (group.maximum(surface != nullptr ? 1 : 0) == 1) {
      kept.surface = aboutInput("input (Obstacle Set)", [&] { return readSurface(group, surface); });
      kept.obstacle = boundsOf(*kept.surface);
    } else if (this->Obstacle == INPUT_SET) {
      kept.obstacle = aboutInput("input (Obstacle Set)",
        [&] { return readCells(group, set, InputValues::None, progressOf(this).part(0.0, 0.05)); });
    }
    kept.obstacleTime = time;
  }
  vtkDataObject* const probes = vtkDataObject::GetData(inputs[1], 0);
  const int dimension = this->Obstacle == INPUT_SET ? kept.obstacle.dimension() : this->Dimension;
  if (dimension == 2) {
    this->StartFlow<2>(group, choice, kept.obstacle, probes);
  } else {
    this->StartFlow<3>(group, choice, kept.obstacle, probes);
  }
  kept.show(this, latticeFlowInReport, group, frames, choice, output);
}
