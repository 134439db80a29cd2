#include "vtkSpanwiseCompressibleFlow.h"

#include "SpanwiseAboutInput.h"
#include "SpanwiseBridge.h"
#include "SpanwiseFlowDomain.h"
#include "SpanwiseFlowProbes.h"
#include "SpanwiseFlowRun.h"
#include "SpanwiseKeptFlow.h"
#include "SpanwiseOneGrid.h"
#include "SpanwisePropertyChecks.h"
#include "SpanwiseSteppedFrames.h"

#include "Core/Multilevel/MultilevelSet.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Flow/DescribeFlow.hpp"
#include "Core/Solvers/Flow/NormalShock.hpp"

#include <vtkDataSet.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <format>
#include <limits>
#include <string>
#include <vector>

using namespace spanwise::flow;
using namespace spanwise::geometry;
using namespace spanwise::multilevel;
using namespace spanwise::parallel;

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseCompressibleFlow);

struct vtkSpanwiseCompressibleFlow::Internals : KeptFlow<FlowRun> {};

vtkSpanwiseCompressibleFlow::vtkSpanwiseCompressibleFlow() : Kept(std::make_unique<Internals>()) {
  this->SetLengths(4.0, 2.0, 2.0);
  this->SetCellsAlongX(70);
  this->SetNumberOfLevels(3);
}

vtkSpanwiseCompressibleFlow::~vtkSpanwiseCompressibleFlow() = default;

void vtkSpanwiseCompressibleFlow::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  const auto print = [&](const char* name, const auto& value) { os << indent << name << ": " << value << "\n"; };
  print("MachNumber", this->MachNumber);
  print("Density", this->Density);
  print("Pressure", this->Pressure);
  print("Gamma", this->Gamma);
  print("Start", this->Start);
  print("LowerX", this->LowerX);
  print("UpperX", this->UpperX);
  print("LowerY", this->LowerY);
  print("UpperY", this->UpperY);
  print("LowerZ", this->LowerZ);
  print("UpperZ", this->UpperZ);
  print("Sensor", this->Sensor);
  print("GradientLimit", this->GradientLimit);
  print("LoehnerLimit", this->LoehnerLimit);
  print("BufferCells", this->BufferCells);
  print("StepsPerRemesh", this->StepsPerRemesh);
  print("Subcycling", this->Subcycling);
  print("Flux", this->Flux);
  print("Reconstruction", this->Reconstruction);
  print("CFLNumber", this->CFLNumber);
  print("StepsPerRecord", this->StepsPerRecord);
}

void vtkSpanwiseCompressibleFlow::CheckProperties() const {
  this->CheckFlowProperties();
  checkChoice("start", this->Start, SHOCK);
  checkChoice("sensor", this->Sensor, LOEHNER);
  checkChoice("flux", this->Flux, HLLC);
  checkChoice("reconstruction", this->Reconstruction, VAN_LEER);
  checkPositive("density", this->Density);
  checkPositive("pressure", this->Pressure);
  checkNumber("Mach number", this->MachNumber, this->MachNumber >= 0.0, " and not negative");
  if (this->Start == SHOCK && !(this->MachNumber > 1.0)) {
    throw InvalidArgument(std::format("the Mach number is {:g}; that of a shock must be above 1", this->MachNumber));
  }
  checkPositive(this->Sensor == GRADIENT ? "gradient limit" : "Loehner limit",
    this->Sensor == GRADIENT ? this->GradientLimit : this->LoehnerLimit);
}

template <int Dim>
FlowOptions<Dim> vtkSpanwiseCompressibleFlow::GetOptions(const FlowPlace& place) const {
  FlowOptions<Dim> options;
  layCells<Dim>(this->GetDomainChoice(Dim), place, options.box, options.lattice);

  const int sides[] = {this->LowerX, this->UpperX, this->LowerY, this->UpperY, this->LowerZ, this->UpperZ};
  constexpr const char* names[] = {"lower x", "upper x", "lower y", "upper y", "lower z", "upper z"};
  bool flowsIn = false;
  for (int side = 0; side < 2 * Dim; ++side) {
    if (sides[side] < SLIP_WALL || sides[side] > PERIODIC) {
      throw InvalidArgument(
        std::format("the {} side is {}; it must be within 0 and {}", names[side], sides[side], int{PERIODIC}));
    }
    const int opposite = side ^ 1;
    const bool repeats = sides[side] == PERIODIC;
    if (repeats && sides[opposite] != PERIODIC) {
      throw InvalidArgument(std::format(
        "the {} side is periodic and the {} side is not; both must be, or none", names[side], names[opposite]));
    }
    options.repeats[side / 2] = repeats;
    options.sides[side] = repeats ? Side::Outflow : static_cast<Side>(sides[side]); // the same order
    flowsIn = flowsIn || sides[side] == INFLOW;
  }
  if (flowsIn && this->MachNumber == 0.0) {
    throw InvalidArgument("the Mach number is 0; where a side is an inflow it must be positive");
  }
  if (this->Start == SHOCK && !flowsIn) {
    throw InvalidArgument("no side is an inflow; a shock needs one to come in");
  }

  options.gamma = this->Gamma;
  double length = 0.0;
  for (int d = 0; d < Dim; ++d) {
    length = std::hypot(length, this->Direction[d]);
  }
  if (!(length > 0.0) && this->MachNumber > 0.0) {
    throw InvalidArgument("the direction of the stream has no length; it must point somewhere");
  }
  double direction[Dim] = {};
  for (int d = 0; d < Dim && length > 0.0; ++d) {
    direction[d] = this->Direction[d] / length;
  }
  const double sound = std::sqrt(this->Gamma * this->Pressure / this->Density);
  options.inflow = {this->Density, {}, this->Pressure};
  for (int d = 0; d < Dim; ++d) {
    options.inflow.velocity[d] = this->MachNumber * sound * direction[d];
  }
  if (this->Start == SHOCK) {
    options.inflow = behindShock<Dim>({this->Gamma}, this->Density, this->Pressure, this->MachNumber, direction);
  }

  options.riemann = this->Flux == RUSANOV ? Riemann::Rusanov : Riemann::Hllc;
  options.reconstruction = static_cast<spanwise::flow::Reconstruction>(this->Reconstruction); // the same order
  options.cfl = this->CFLNumber;
  options.stepsPerRecord = this->StepsPerRecord;
  const double distance = place.diameter > 0.0 ? 0.1 * place.diameter : 0.02 * (place.box[1] - place.box[0]);
  options.timePerFrame = this->TimePerFrame > 0.0 ? this->TimePerFrame : distance / sound;
  options.numLevels = this->NumberOfLevels;
  options.stepsPerRemesh = this->StepsPerRemesh;
  options.subcycles = this->Subcycling;
  options.buffer = this->BufferCells;
  options.sensor = this->Sensor == GRADIENT ? Tagging{TagCriterion::Gradient, this->GradientLimit * this->Density}
                                            : Tagging{TagCriterion::Loehner, this->LoehnerLimit, 0.02};
  return options;
}

// Has a flow of these properties and inputs: the one that there is, with its frames, or a new one.
template <int Dim>
void vtkSpanwiseCompressibleFlow::StartFlow(
  const RankGroup& group, const FrameChoice& choice, const InputCells& obstacle, vtkDataObject* probes) {
  Internals& kept = *this->Kept;
  SteppedFrames& frames = this->GetFrames();
  const FlowDomain domain = this->GetDomainChoice(Dim);
  const FlowPlace place = placeOf(group, domain, obstacle);
  const std::vector<std::array<double, 3>> points = probesOf(group, probes);
  FlowSetup<Dim> setup;
  std::string settings;
  group.agree([&] {
    setup.options = this->GetOptions<Dim>(place);
    setup.options.probes = probesIn<Dim>(points);
    settings = std::format("{}; {} {} {} {} {} {}", describe(setup.options), this->Start, this->Obstacle,
      this->Center[0], this->Center[1], this->Center[2], this->Radius);
  });
  if (kept.stays(group, frames, choice, settings)) {
    return;
  }
  group.agree([&] {
    setup.start = setup.options.inflow;
    if (this->Start != STREAM) {
      setup.start = {this->Density, {}, this->Pressure};
    }
    setup.plane = planeOf(domain, obstacle);
    double length = 0.0;
    for (int d = 0; d < Dim; ++d) {
      setup.stream[static_cast<std::size_t>(d)] = this->Direction[d];
      length = std::hypot(length, this->Direction[d]);
    }
    for (double& component : setup.stream) {
      component /= length > 0.0 ? length : 1.0;
    }
    GridGeometry<Dim> finest = setup.options.lattice;
    Box<Dim> box = setup.options.box;
    const int level = std::clamp(this->NumberOfLevels - 1, 0, maxNumLevels);
    for (int d = 0; d < Dim; ++d) {
      finest.spacing[d] = std::ldexp(finest.spacing[d], -level);
      box.end[d] *= Coordinate{1} << level;
    }
    setup.obstacle = obstacleOn<Dim>(group, domain, obstacle, finest, box);
  });
  kept.keep(compressibleFlowInReport, group, frames, choice, startFlow<Dim>(group, setup), settings);
}

void vtkSpanwiseCompressibleFlow::MakeOutput(
  const RankGroup& group, vtkInformationVector** inputs, vtkDataObject* output) {
  this->CheckProperties();
  const FrameChoice choice = this->GetFrameChoice();
  Internals& kept = *this->Kept;
  SteppedFrames& frames = this->GetFrames();
  vtkDataSet* set = nullptr;
  if (this->Obstacle == INPUT_SET) {
    vtkDataObject* const given = vtkDataObject::GetData(inputs[0], 0);
    if (group.maximum(given != nullptr ? 1 : 0) == 0) {
      throw InvalidArgument("the obstacle is a set; it must be given as the first input (Obstacle Set)");
    }
    set = aboutInput("first input (Obstacle Set)", [&] { return oneDataSet(group, given); });
  }
  const vtkMTimeType time = set != nullptr ? set->GetMTime() : 0;
  if (group.maximum(time == kept.obstacleTime ? 0 : 1) == 1) {
    kept.obstacle = {};
    if (this->Obstacle == INPUT_SET) {
      kept.obstacle = aboutInput("first input (Obstacle Set)",
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
  kept.show(this, compressibleFlowInReport, group, frames, choice, output);
}
