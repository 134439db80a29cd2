#include "vtkSpanwiseNBodyMotion.h"

#include "SpanwiseBodyMotion.h"
#include "SpanwiseBridge.h"
#include "SpanwiseGoOnOnHost.h"
#include "SpanwisePropertyChecks.h"
#include "SpanwiseSteppedFrames.h"

#include "Core/Runtime/CountText.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/NBody/MultipoleAccuracy.hpp"

#include <vtkCellArray.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkIdTypeArray.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkStringArray.h>
#include <vtkTable.h>

#include <algorithm>
#include <cmath>
#include <format>
#include <numeric>
#include <span>
#include <vector>

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseNBodyMotion);

/// What was computed.
struct vtkSpanwiseNBodyMotion::Internals {
  std::unique_ptr<BodyMotion> Motion; ///< that Frames are of
  SteppedFrames Frames;
};

namespace {

/// Columns of bodies as tuples of an array with three components.
void fillTuples(std::span<const double> columns, vtkDoubleArray* array) {
  const auto count = static_cast<vtkIdType>(columns.size() / 3);
  array->SetNumberOfComponents(3);
  array->SetNumberOfTuples(count);
  double* const to = array->GetPointer(0);
  for (vtkIdType i = 0; i < count; ++i) {
    for (vtkIdType axis = 0; axis < 3; ++axis) {
      to[3 * i + axis] = columns[static_cast<std::size_t>(axis * count + i)];
    }
  }
}

/// A vertex at each point.
vtkSmartPointer<vtkCellArray> verticesOf(vtkIdType count) {
  vtkNew<vtkIdTypeArray> offsets;
  vtkNew<vtkIdTypeArray> points;
  offsets->SetNumberOfValues(count + 1);
  points->SetNumberOfValues(count);
  std::iota(offsets->GetPointer(0), offsets->GetPointer(0) + count + 1, vtkIdType{0});
  std::iota(points->GetPointer(0), points->GetPointer(0) + count, vtkIdType{0});
  auto vertices = vtkSmartPointer<vtkCellArray>::New();
  vertices->SetData(offsets, points);
  return vertices;
}

void addColumn(vtkTable* table, const char* name, int components, const std::vector<double>& values) {
  vtkNew<vtkDoubleArray> column;
  column->SetName(name);
  column->SetNumberOfComponents(components);
  column->SetNumberOfTuples(static_cast<vtkIdType>(values.size()) / components);
  std::copy(values.begin(), values.end(), column->GetPointer(0));
  table->AddColumn(column);
}

double length(const double* vector) { return std::hypot(vector[0], vector[1], vector[2]); }

/// How far a vector is from what it was, relative to the sizes of what it is the sum of.
double driftOf(const double* now, const double* first, double size) {
  const double difference[3] = {now[0] - first[0], now[1] - first[1], now[2] - first[2]};
  return size > 0.0 ? length(difference) / size : 0.0;
}

} // namespace

vtkSpanwiseNBodyMotion::vtkSpanwiseNBodyMotion() : Kept(std::make_unique<Internals>()) {
  this->SetNumberOfOutputPorts(2);
}

vtkSpanwiseNBodyMotion::~vtkSpanwiseNBodyMotion() = default;

void vtkSpanwiseNBodyMotion::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Bodies: " << this->Bodies << "\n";
  os << indent << "Masses: " << this->Masses << "\n";
  os << indent << "Velocities: " << this->Velocities << "\n";
  os << indent << "Charges: " << this->Charges << "\n";
  os << indent << "Interaction: " << this->Interaction << "\n";
  os << indent << "AutomaticSoftening: " << this->AutomaticSoftening << "\n";
  os << indent << "Softening: " << this->Softening << "\n";
  os << indent << "Width: " << this->Width << "\n";
  os << indent << "Screening: " << this->Screening << "\n";
  os << indent << "Factor: " << this->Factor << "\n";
  os << indent << "TimeStep: " << this->TimeStep << "\n";
  os << indent << "StepsPerFrame: " << this->StepsPerFrame << "\n";
  this->PrintFrameProperties(os, indent);
  os << indent << "Method: " << this->Method << "\n";
  os << indent << "Accuracy: " << this->Accuracy << "\n";
}

int vtkSpanwiseNBodyMotion::FillInputPortInformation(int port, vtkInformation* info) {
  this->Superclass::FillInputPortInformation(port, info);
  info->Append(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkCompositeDataSet"); // forces are between all blocks
  return 1;
}

int vtkSpanwiseNBodyMotion::FillOutputPortInformation(int port, vtkInformation* info) {
  info->Set(vtkDataObject::DATA_TYPE_NAME(), port == 0 ? "vtkPolyData" : "vtkTable");
  return 1;
}

int vtkSpanwiseNBodyMotion::RequestDataObject(
  vtkInformation* /*request*/, vtkInformationVector** /*inputs*/, vtkInformationVector* outputs) {
  if (vtkPolyData::GetData(outputs, 0) == nullptr) {
    outputs->GetInformationObject(0)->Set(vtkDataObject::DATA_OBJECT(), vtkNew<vtkPolyData>());
  }
  if (vtkTable::GetData(outputs, 1) == nullptr) {
    outputs->GetInformationObject(1)->Set(vtkDataObject::DATA_OBJECT(), vtkNew<vtkTable>());
  }
  return 1;
}

void vtkSpanwiseNBodyMotion::GoOn() {
  this->Kept->Frames.goOn();
  this->Modified();
}

int vtkSpanwiseNBodyMotion::GetFramesLeft() {
  return this->Live && this->Interactive ? this->Kept->Frames.numLeft(this->NumberOfFrames) : 0;
}

double vtkSpanwiseNBodyMotion::TimeOfFrame() const {
  return this->TimeStep > 0.0 ? this->TimeStep * this->StepsPerFrame : 1.0;
}

int vtkSpanwiseNBodyMotion::RequestInformation(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  SteppedFrames::list(outputs, this->NumberOfFrames, this->TimeOfFrame());
  for (int port = 0; port < 2; ++port) {
    outputs->GetInformationObject(port)->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
  }
  return this->Superclass::RequestInformation(request, inputs, outputs);
}

int vtkSpanwiseNBodyMotion::RequestUpdateExtent(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  SteppedFrames::passRequest(request, inputs, this->GetNumberOfInputPorts(), outputs);
  return this->Superclass::RequestUpdateExtent(request, inputs, outputs);
}

int vtkSpanwiseNBodyMotion::RequestData(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  SteppedFrames& frames = this->Kept->Frames;
  frames.ask(outputs->GetInformationObject(0), this->NumberOfFrames, this->TimeOfFrame());
  vtkDataObject::GetData(outputs, 1)->Initialize();
  const int done = this->Superclass::RequestData(request, inputs, outputs);
  frames.sayTime(outputs, this->TimeOfFrame());
  return done;
}

void vtkSpanwiseNBodyMotion::CheckProperties() const {
  checkChoice("choice of bodies", this->Bodies, CELL_CENTRES);
  checkChoice("choice of masses", this->Masses, MASS_ARRAY);
  checkChoice("choice of velocities", this->Velocities, VELOCITY_ARRAY);
  checkChoice("choice of charges", this->Charges, CHARGE_ARRAY);
  checkChoice("interaction", this->Interaction, YUKAWA);
  checkChoice("method", this->Method, FAST_MULTIPOLE);
  checkLength("softening", this->Softening, true);
  checkLength("width", this->Width, false);
  checkNumber("screening", this->Screening, this->Screening >= 0.0, " and not negative");
  checkNumber("factor", this->Factor, true, "");
  checkNumber("time step", this->TimeStep, this->TimeStep >= 0.0, " and not negative; 0 has it chosen");
  if (this->StepsPerFrame < 1) {
    throw InvalidArgument(std::format("the number of steps a frame is {}; it must be at least 1", this->StepsPerFrame));
  }
  const double finest = nbody::finestAccuracy(false, true);
  if (this->Method == FAST_MULTIPOLE && !(this->Accuracy >= finest && this->Accuracy <= 0.1)) {
    throw InvalidArgument(
      std::format("the accuracy is {}; of forces by multipoles it must be within {} and 0.1", this->Accuracy, finest));
  }
}

MotionSettings vtkSpanwiseNBodyMotion::GetSettings() const {
  MotionSettings settings;
  settings.interaction = static_cast<BodyInteraction>(this->Interaction); // the same order
  settings.softeningIsAutomatic = this->AutomaticSoftening;
  settings.softening = this->Softening;
  settings.width = this->Width;
  settings.screening = this->Screening;
  // The potential of a mass is negative, and so is ln r where masses or like charges are to repel each other.
  const double sign = (this->Charges == MASSES) != (this->Interaction == LOGARITHM) ? -1.0 : 1.0;
  settings.factor = sign * this->Factor;
  settings.method = static_cast<nbody::SumMethod>(this->Method); // the same order
  settings.accuracy = this->Accuracy;
  settings.timeStep = this->TimeStep;
  settings.stepsPerFrame = this->StepsPerFrame;
  return settings;
}

vtkDataArray* vtkSpanwiseNBodyMotion::GetBodyArray(int index, const char* what, int components, vtkDataSet* input) {
  bool onPoints = false;
  vtkDataArray* const array = this->GetMeshArray(index, what, input, onPoints);
  if (onPoints != (this->Bodies == POINTS)) {
    throw InvalidArgument(std::format("the array '{}' belongs to {} and bodies are {}; it must belong to these",
      array->GetName(), onPoints ? "points" : "cells", onPoints ? "centres of cells" : "points"));
  }
  if (array->GetNumberOfComponents() != components) {
    throw InvalidArgument(std::format("the array '{}' for the {} has {}; it must have {}", array->GetName(), what,
      countText(array->GetNumberOfComponents(), "component"), components));
  }
  return array;
}

BodiesAtStart vtkSpanwiseNBodyMotion::GetBodies(const ParticleInput& input, const NotOwn& notOwn) {
  BodiesAtStart bodies;
  bodies.hasCharges = this->Charges == CHARGE_ARRAY;
  const auto count = static_cast<std::size_t>(input.count());
  if (count == 0) { // a rank without bodies need not have the arrays
    return bodies;
  }
  ParticlePlaces places = placesOf(input, "input");
  std::copy_n(places.coordinates, 3, bodies.places.begin());
  struct Wanted {
    int index; // of the array that was chosen
    const char* what;
    const char* ofAll;
    int components;
  };
  // Appends a component of the array that was chosen, of all data sets.
  const auto read = [&](const Wanted& wanted, int component, std::vector<double>& values, const auto& isValid,
                      const char* rule) {
    input.forEachPiece([&](std::size_t piece, vtkDataSet* data) {
      vtkDataArray* const array = this->GetBodyArray(wanted.index, wanted.ofAll, wanted.components, data);
      for (vtkIdType i = 0; i < input.count(piece); ++i) {
        const double value = array->GetComponent(i, component);
        if (!std::isfinite(value) || !isValid(value)) {
          throw InvalidArgument(std::format("the {} '{}' of {} {} is {}; it must be finite{}", wanted.what,
            array->GetName(), input.onPoints() ? "point" : "cell", i, value, rule));
        }
        values.push_back(value);
      }
    });
  };
  const auto any = [](double /*value*/) { return true; };
  const Wanted masses{0, "mass", "masses", 1};
  if (this->Masses != MASS_ARRAY) {
    bodies.masses.assign(count, 1.0);
  } else if (bodies.hasCharges) {
    read(masses, 0, bodies.masses, [](double m) { return m > 0.0; }, " and positive where charges act");
  } else {
    read(masses, 0, bodies.masses, [](double m) { return m >= 0.0; }, " and not negative");
  }
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<double>& column = bodies.velocities[static_cast<std::size_t>(axis)];
    if (this->Velocities == VELOCITY_ARRAY) {
      read({1, "velocity", "velocities", 3}, axis, column, any, "");
    } else {
      column.assign(count, 0.0);
    }
  }
  if (bodies.hasCharges) {
    read({2, "charge", "charges", 1}, 0, bodies.charges, any, "");
  }
  if (!notOwn.empty()) {
    const auto keepOwn = [&](std::vector<double>& column) {
      std::size_t next = 0;
      for (std::size_t i = 0; i < column.size(); ++i) {
        if (notOwn[i] == isOwn) {
          column[next++] = column[i];
        }
      }
      column.resize(next);
    };
    for (std::size_t axis = 0; axis < 3; ++axis) {
      keepOwn(bodies.places[axis]);
      keepOwn(bodies.velocities[axis]);
    }
    keepOwn(bodies.masses);
    keepOwn(bodies.charges);
  }
  return bodies;
}

void vtkSpanwiseNBodyMotion::MakeOutput(
  const RankGroup& group, vtkInformationVector** /*inputs*/, vtkDataObject* data, vtkDataObject* output) {
  this->CheckProperties();
  const FrameChoice choice = this->GetFrameChoice();
  const ParticleInput input(group, data, this->Bodies == POINTS);
  const NotOwn notOwn = input.notOwn(group);
  BodiesAtStart start;
  group.agree([&] {
    start = this->GetBodies(input, notOwn);
    const double megabytes = 1e-6 * bytesPerBody * static_cast<double>(start.count()) * this->NumberOfFrames;
    if (choice.folder.empty() && megabytes > this->MemoryLimit) {
      throw InvalidArgument(
        std::format("{} frames of {} bodies take {:.0f} MB and the memory limit is {} MB; there must "
                    "be fewer of them, or the limit higher, or a frame folder",
          this->NumberOfFrames, start.count(), std::ceil(megabytes), this->MemoryLimit));
    }
  });
  this->StartMotion(group, choice, std::move(start));
  SteppedFrames& frames = this->Kept->Frames;
  BodyStepper stepper(*this->Kept->Motion, group);
  orGoOnOnHost(
    motionInReport, [&] { return this->Kept->Motion->putOnHost(group, {}); },
    [&] { frames.moveToAsked(this, group, stepper, choice, progressOf(this).part(0.01, 1.0)); });
  const std::shared_ptr<const KeptFrame> frame = frames.frame(group);
  group.agree([&] {
    if (data != nullptr) {
      output->GetFieldData()->PassData(data->GetFieldData());
    }
    this->MakeBodies(input, notOwn, bodiesOf(*frame), vtkPolyData::SafeDownCast(output));
    auto* const report = vtkTable::SafeDownCast(this->GetOutputDataObject(1));
    this->MakeReport(group.rank() == 0 ? frames.given() : -1, report);
  });
}

// Has a motion of these bodies: the one that there is, with its frames, or a new one.
void vtkSpanwiseNBodyMotion::StartMotion(const RankGroup& group, const FrameChoice& choice, BodiesAtStart start) {
  std::unique_ptr<BodyMotion>& motion = this->Kept->Motion;
  SteppedFrames& frames = this->Kept->Frames;
  const MotionSettings settings = this->GetSettings();
  // Ranks have all kept a motion or none of them: they made it together.
  if (motion != nullptr && !(motion->isOf(group, settings, start) && frames.beginAs(group, choice))) {
    motion = nullptr; // gives back memory first
    frames.clear();
  }
  frames.setStorage(group, choice);
  if (motion == nullptr) {
    auto made = std::make_unique<BodyMotion>(group, settings, std::move(start), progressOf(this).part(0.0, 0.01));
    BodyStepper stepper(*made, group);
    orGoOnOnHost(
      motionInReport, [&] { return made->putOnHost(group, {}); },
      [&] { frames.start(group, stepper, choice, made->run(group)); });
    motion = std::move(made);
  }
}

void vtkSpanwiseNBodyMotion::MakeBodies(
  const ParticleInput& input, const NotOwn& notOwn, const BodyFrame& bodies, vtkPolyData* output) {
  const BodyMotion& motion = *this->Kept->Motion;
  vtkPointData* const arrays = output->GetPointData();
  copyOwn(input, notOwn, arrays);
  if (this->Velocities == VELOCITY_ARRAY) {
    input.forEachPiece([&](std::size_t /*piece*/, vtkDataSet* data) {
      arrays->RemoveArray(this->GetBodyArray(1, "velocities", 3, data)->GetName());
    });
  }
  vtkNew<vtkDoubleArray> places;
  fillTuples(bodies.places, places);
  vtkNew<vtkPoints> points;
  points->SetData(places);
  output->SetPoints(points);
  output->SetVerts(verticesOf(points->GetNumberOfPoints()));
  vtkNew<vtkDoubleArray> velocities;
  velocities->SetName("Velocity");
  fillTuples(bodies.velocities, velocities);
  arrays->AddArray(velocities);
  arrays->SetActiveVectors("Velocity");
  AddFieldValue(output, "N-Body Time", motion.timeOf(this->Kept->Frames.given()));
  AddFieldValue(output, "N-Body Time Step", motion.timeStep());
  AddFieldValue(output, "N-Body Softening", motion.softening());
  vtkNew<vtkStringArray> method;
  method->SetName("N-Body Method");
  method->InsertNextValue(motion.method());
  output->GetFieldData()->AddArray(method);
}

void vtkSpanwiseNBodyMotion::MakeReport(std::int64_t frame, vtkTable* report) {
  const BodyMotion& motion = *this->Kept->Motion;
  std::vector<double> times, kinetic, potential, energy, energyDrift, momentum, momentumDrift, angular, angularDrift;
  double largestKinetic = 0.0;
  for (std::int64_t k = 0; k <= frame; ++k) {
    const nbody::MotionTotals& first = motion.totals(0);
    const nbody::MotionTotals& now = motion.totals(k);
    times.push_back(motion.timeOf(k));
    kinetic.push_back(now.kinetic);
    potential.push_back(now.potential);
    energy.push_back(now.energy());
    // Kinetic and potential energy may cancel each other at the start, so their sum alone is no measure.
    largestKinetic = std::max(largestKinetic, now.kinetic);
    const double size = std::max(std::abs(first.energy()), largestKinetic);
    energyDrift.push_back(size > 0.0 ? (now.energy() - first.energy()) / size : 0.0);
    momentum.insert(momentum.end(), now.momentum, now.momentum + 3);
    momentumDrift.push_back(driftOf(now.momentum, first.momentum, now.momentumSize));
    angular.insert(angular.end(), now.angularMomentum, now.angularMomentum + 3);
    angularDrift.push_back(driftOf(now.angularMomentum, first.angularMomentum, now.angularMomentumSize));
  }
  addColumn(report, "Time", 1, times);
  addColumn(report, "Kinetic Energy", 1, kinetic);
  addColumn(report, "Potential Energy", 1, potential);
  addColumn(report, "Energy", 1, energy);
  addColumn(report, "Energy Drift", 1, energyDrift);
  addColumn(report, "Momentum", 3, momentum);
  addColumn(report, "Momentum Drift", 1, momentumDrift);
  addColumn(report, "Angular Momentum", 3, angular);
  addColumn(report, "Angular Momentum Drift", 1, angularDrift);
}
