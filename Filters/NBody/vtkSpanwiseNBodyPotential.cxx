#include "vtkSpanwiseNBodyPotential.h"

#include "SpanwiseBridge.h"
#include "SpanwiseDataBlocks.h"
#include "SpanwiseParticleSums.h"
#include "SpanwisePropertyChecks.h"

#include "Core/Runtime/CountText.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkCellData.h>
#include <vtkDataSet.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPointData.h>
#include <vtkStreamingDemandDrivenPipeline.h>
#include <vtkStringArray.h>

#include <vtksys/SystemInformation.hxx>

#include <algorithm>
#include <format>
#include <numeric>
#include <vector>

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseNBodyPotential);

namespace {

using Pipeline = vtkStreamingDemandDrivenPipeline;

/// The sums of one of the pieces of the targets; zeros where there are no particles.
vtkSmartPointer<vtkDataArray> sumsOf(const char* name, const std::vector<vtkSmartPointer<vtkDataArray>>& pieces,
  std::size_t piece, int numComponents, vtkIdType count) {
  if (!pieces.empty()) {
    return pieces[piece];
  }
  auto array = vtkSmartPointer<vtkDoubleArray>::New();
  array->SetName(name);
  array->SetNumberOfComponents(numComponents);
  array->SetNumberOfTuples(count);
  array->Fill(0.0);
  return array;
}

/// Throws InvalidArgument where sums at so many points or cells do not fit into the machine's memory, before any is
/// taken: places and `numValues` numbers for each, as they are computed and as the output's arrays.
void checkMemory(std::int64_t count, int numValues, bool inFloat) {
  const int real = inFloat ? 4 : 8;
  const int bytes = 3 * (8 + real) + numValues * (real + 8); // the sums, and in the output
  const double needed = 1e-9 * static_cast<double>(count) * bytes;
  const double present = 1.024e-6 * static_cast<double>(vtksys::SystemInformation().GetHostMemoryTotal());
  if (needed > present) {
    throw InvalidArgument(std::format(
      "sums at {} targets take {:.0f} GB, {} bytes each, and the machine has {:.0f} GB of memory; there must "
      "be fewer targets",
      count, needed, bytes, present));
  }
}

/// Throws InvalidArgument where there is no such method. Between AUTOMATIC and FAST_MULTIPOLE state files have ways to
/// write direct sums that were methods once.
void checkMethod(int method) {
  if (method < vtkSpanwiseNBodyPotential::AUTOMATIC || method > vtkSpanwiseNBodyPotential::DIRECT) {
    throw InvalidArgument(std::format("the method is {}; it must be {} (automatic), {} (fast multipole) or {} (direct)",
      method, static_cast<int>(vtkSpanwiseNBodyPotential::AUTOMATIC),
      static_cast<int>(vtkSpanwiseNBodyPotential::FAST_MULTIPOLE),
      static_cast<int>(vtkSpanwiseNBodyPotential::DIRECT)));
  }
}

/// The error in the mean and the largest.
void addErrors(vtkDataObject* output, const char* name, const double* errors) {
  vtkNew<vtkDoubleArray> array;
  array->SetName(name);
  array->SetNumberOfComponents(2);
  array->InsertNextTuple(errors);
  output->GetFieldData()->AddArray(array);
}

nbody::PeriodicBox boxOf(const double (&bounds)[6]) {
  nbody::PeriodicBox box;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    box.low[axis] = bounds[2 * axis];
    box.edges[axis] = bounds[2 * axis + 1] - bounds[2 * axis];
  }
  nbody::checkBox(box, 3);
  return box;
}

/// What each rank did for sums that ranks share, a tuple each.
void addShares(vtkDataObject* output, const std::vector<double>& shares) {
  constexpr const char* names[] = {
    "Targets", "Sources", "Essential Points", "Essential Nodes", "Messages", "Bytes", "Interactions"};
  constexpr int count = static_cast<int>(std::size(names));
  vtkNew<vtkDoubleArray> array;
  array->SetName("N-Body Ranks");
  array->SetNumberOfComponents(count);
  for (int c = 0; c < count; ++c) {
    array->SetComponentName(c, names[c]);
  }
  for (std::size_t first = 0; first < shares.size(); first += count) {
    array->InsertNextTuple(shares.data() + first);
  }
  output->GetFieldData()->AddArray(array);
}

} // namespace

vtkSpanwiseNBodyPotential::vtkSpanwiseNBodyPotential() { this->SetNumberOfInputPorts(2); }

void vtkSpanwiseNBodyPotential::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Particles: " << this->Particles << "\n";
  os << indent << "Targets: " << this->Targets << "\n";
  os << indent << "Charges: " << this->Charges << "\n";
  os << indent << "Interaction: " << this->Interaction << "\n";
  os << indent << "Softening: " << this->Softening << "\n";
  os << indent << "Width: " << this->Width << "\n";
  os << indent << "Screening: " << this->Screening << "\n";
  os << indent << "Factor: " << this->Factor << "\n";
  os << indent << "Method: " << this->Method << "\n";
  os << indent << "Accuracy: " << this->Accuracy << "\n";
  os << indent << "ErrorSamples: " << this->ErrorSamples << "\n";
  os << indent << "PeriodicBox: " << this->PeriodicBox << "\n";
  os << indent << "PeriodBounds:";
  for (const double bound : this->PeriodBounds) {
    os << " " << bound;
  }
  os << "\n";
  os << indent << "SinglePrecision: " << this->SinglePrecision << "\n";
  os << indent << "ComputePotential: " << this->ComputePotential << "\n";
  os << indent << "ComputeField: " << this->ComputeField << "\n";
}

int vtkSpanwiseNBodyPotential::FillInputPortInformation(int port, vtkInformation* info) {
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataSet");
  info->Append(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkCompositeDataSet"); // the sums are over all blocks
  if (port == 1) {
    info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
  }
  return 1;
}

int vtkSpanwiseNBodyPotential::FillOutputPortInformation(int /*port*/, vtkInformation* info) {
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkDataObject");
  return 1;
}

int vtkSpanwiseNBodyPotential::RequestDataObject(
  vtkInformation* /*request*/, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  const bool hasTargets = inputs[1]->GetNumberOfInformationObjects() > 0;
  vtkDataObject* const model = vtkDataObject::GetData(inputs[hasTargets ? 1 : 0], 0);
  vtkDataObject* const output = vtkDataObject::GetData(outputs, 0);
  if (model != nullptr && (output == nullptr || output->GetDataObjectType() != model->GetDataObjectType())) {
    const auto made = vtkSmartPointer<vtkDataObject>::Take(model->NewInstance());
    outputs->GetInformationObject(0)->Set(vtkDataObject::DATA_OBJECT(), made);
  }
  return model != nullptr ? 1 : 0;
}

int vtkSpanwiseNBodyPotential::RequestInformation(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  if (inputs[1]->GetNumberOfInformationObjects() > 0) { // where an image lies is what the targets say
    vtkInformation* const from = inputs[1]->GetInformationObject(0);
    vtkInformation* const to = outputs->GetInformationObject(0);
    to->CopyEntry(from, Pipeline::WHOLE_EXTENT());
    to->CopyEntry(from, vtkDataObject::ORIGIN());
    to->CopyEntry(from, vtkDataObject::SPACING());
    to->CopyEntry(from, vtkDataObject::DIRECTION());
  }
  return this->Superclass::RequestInformation(request, inputs, outputs);
}

int vtkSpanwiseNBodyPotential::RequestUpdateExtent(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  vtkInformation* const particles = inputs[0]->GetInformationObject(0);
  if (inputs[1]->GetNumberOfInformationObjects() > 0 && particles->Has(Pipeline::WHOLE_EXTENT())) {
    // The extent that is asked for is one of the targets. Of the particles all are: what makes them cuts its piece out
    // of that.
    int whole[6];
    particles->Get(Pipeline::WHOLE_EXTENT(), whole);
    particles->Set(Pipeline::UPDATE_EXTENT(), whole, 6);
  }
  return this->Superclass::RequestUpdateExtent(request, inputs, outputs);
}

void vtkSpanwiseNBodyPotential::CheckProperties() const {
  checkChoice("choice of particles", this->Particles, CELL_CENTRES);
  checkChoice("choice of targets", this->Targets, CELL_CENTRES);
  checkChoice("choice of charges", this->Charges, DENSITY_ARRAY);
  checkChoice("interaction", this->Interaction, DIPOLE);
  checkMethod(this->Method);
  checkLength("softening", this->Softening, true);
  checkLength("width", this->Width, false);
  checkNumber("screening", this->Screening, this->Screening >= 0.0, " and not negative");
  checkNumber("factor", this->Factor, true, "");
  if (this->ErrorSamples < 0) {
    throw InvalidArgument(
      std::format("the number of error samples is {}; it must not be negative", this->ErrorSamples));
  }
  if (!this->ComputePotential && !this->ComputeField) {
    throw InvalidArgument("neither the potential nor the field is asked for; ask for one or both");
  }
  if (this->Interaction == DIPOLE && this->Charges == UNIT) {
    throw InvalidArgument("dipoles need an array of moments; choose one for the charges");
  }
}

vtkDataArray* vtkSpanwiseNBodyPotential::GetCharges(vtkDataSet* input) {
  if (this->Charges == UNIT) {
    return nullptr;
  }
  bool onPoints = false;
  vtkDataArray* const array = this->GetMeshArray(0, "charges", input, onPoints);
  if (onPoints != (this->Particles == POINTS)) {
    throw InvalidArgument(std::format("the array '{}' belongs to {} and particles are {}; it must belong to these",
      array->GetName(), onPoints ? "points" : "cells", onPoints ? "centres of cells" : "points"));
  }
  const int components = array->GetNumberOfComponents();
  if (this->Interaction == DIPOLE && components % 3 != 0) {
    throw InvalidArgument(std::format(
      "the array '{}' has {}; a dipole's moment has 3", array->GetName(), countText(components, "component")));
  }
  return array;
}

ParticleProblem vtkSpanwiseNBodyPotential::GetProblem() const {
  ParticleProblem problem;
  problem.factor = this->Factor;
  problem.potential = this->ComputePotential;
  problem.field = this->ComputeField;
  problem.inFloat = this->SinglePrecision;
  problem.accuracy = this->Accuracy;
  problem.numChecked = this->ErrorSamples;
  problem.method = this->Method == AUTOMATIC ? nbody::SumMethod::Automatic
    : this->Method == FAST_MULTIPOLE         ? nbody::SumMethod::FastMultipole
                                             : nbody::SumMethod::Direct;
  switch (this->Interaction) {
  case LOGARITHM:
    problem.interaction = nbody::Logarithm{};
    break;
  case GAUSSIAN:
    problem.interaction = nbody::Gaussian{this->Width};
    break;
  case YUKAWA:
    problem.interaction = nbody::Yukawa{this->Screening};
    break;
  case DIPOLE:
    problem.interaction = nbody::Dipole<3>{};
    break;
  default:
    if (this->Softening > 0.0) {
      problem.interaction = nbody::SoftenedInverseDistance{this->Softening};
    } else {
      problem.interaction = nbody::InverseDistance{};
    }
  }
  return problem;
}

void vtkSpanwiseNBodyPotential::MakeOutput(
  const RankGroup& group, vtkInformationVector** inputs, vtkDataObject* input, vtkDataObject* output) {
  this->CheckProperties();
  ParticleProblem problem = this->GetProblem();
  // A second input counts where it is connected, though a rank may have nothing of it.
  const bool hasTargets = inputs[1]->GetNumberOfInformationObjects() > 0;
  vtkDataObject* const second = hasTargets ? vtkDataObject::GetData(inputs[1], 0) : input;
  const bool atPoints = (hasTargets ? this->Targets : this->Particles) == POINTS;
  const ParticleInput particles(group, input, this->Particles == POINTS);
  const ParticleInput at = hasTargets ? ParticleInput(group, second, atPoints) : particles;
  std::vector<double> inFloat{this->SinglePrecision ? 1.0 : 0.0};
  group.agree([&] {
    int numSides = 1;
    particles.forEachPiece([&](std::size_t /*piece*/, vtkDataSet* data) {
      if (vtkDataArray* const charges = this->GetCharges(data)) {
        numSides = charges->GetNumberOfComponents() / (this->Interaction == DIPOLE ? 3 : 1);
        inFloat[0] = charges->GetDataType() == VTK_FLOAT ? 1.0 : inFloat[0];
      }
    });
    checkMemory(
      at.count(), numSides * ((this->ComputePotential ? 1 : 0) + (this->ComputeField ? 3 : 0)), this->SinglePrecision);
  });
  ParticleSources sources;
  ParticlePlaces targets;
  std::vector<StandIn> ofParticles;
  std::vector<StandIn> ofTargets;
  sources.notOwn = particles.notOwn(group, &ofParticles);
  if (hasTargets && atPoints) {
    static_cast<void>(at.notOwn(group, &ofTargets)); // they may be the particles
  }
  group.agree([&] {
    sources.places = placesOf(particles, "input");
    sources.places.put(ofParticles);
    sources.charges = chargesOf(
      particles, [this](vtkDataSet* data) { return this->GetCharges(data); },
      this->Charges == DENSITY_ARRAY ? ChargeMeaning::Density : ChargeMeaning::Charge, sources.notOwn);
    if (hasTargets) {
      targets = placesOf(at, "second input (Target Input)");
      targets.put(ofTargets);
    }
  });
  if (this->PeriodicBox) {
    problem.box = boxOf(this->PeriodBounds);
    group.maximum(inFloat);                                   // a rank without particles has no array
    problem.box->neutralTo = inFloat[0] > 0.0 ? 1e-6 : 1e-12; // of what charges lose that are rounded
  }
  const ParticleSums sums = sumParticles(
    group, problem, sources, hasTargets ? &targets : nullptr, at.firsts(), progressOf(this).part(0.05, 0.95));
  group.agree([&] {
    if (second == nullptr) {
      return;
    }
    const int sides = std::max(1, sums.numRightHandSides);
    copyBlocks(second, output, [&](vtkDataSet* from, vtkDataSet* to) {
      to->ShallowCopy(from);
      const std::size_t piece = at.pieceOf(from);
      vtkDataSetAttributes* const arrays = at.arraysOf(to);
      if (this->ComputeField) {
        arrays->AddArray(sumsOf("Field", sums.fields, piece, 3 * sides, at.count(piece)));
        arrays->SetActiveVectors(sides == 1 ? "Field" : nullptr);
      }
      if (this->ComputePotential) {
        arrays->AddArray(sumsOf("Potential", sums.potentials, piece, sides, at.count(piece)));
        arrays->SetActiveScalars("Potential");
      }
    });
    output->GetFieldData()->PassData(second->GetFieldData());
  });
  this->Tell(group, sums, second != nullptr ? output : nullptr);
}

void vtkSpanwiseNBodyPotential::Tell(const RankGroup& group, const ParticleSums& sums, vtkDataObject* output) {
  std::vector<double> ofRanks = group.gather(std::vector<double>{sums.numInteractions});
  const double numInteractions = std::accumulate(ofRanks.begin(), ofRanks.end(), 0.0);
  std::vector<double> errors{
    sums.errors.potentialL2, sums.errors.potentialMax, sums.errors.gradientL2, sums.errors.gradientMax};
  group.maximum(errors);
  const std::vector<double> shares = group.gather(sums.share);
  const std::int64_t notFinite = group.sum(sums.numNotFinite);
  const std::int64_t byMultipoles = group.maximum(sums.byMultipoles ? 1 : 0);
  group.agree([&] {
    if (output == nullptr) {
      return;
    }
    AddFieldValue(output, "N-Body Interactions", numInteractions);
    if (this->ErrorSamples > 0 && this->ComputePotential) {
      addErrors(output, "N-Body Potential Error", errors.data());
    }
    if (this->ErrorSamples > 0 && this->ComputeField) {
      addErrors(output, "N-Body Field Error", errors.data() + 2);
    }
    if (!shares.empty()) {
      addShares(output, shares);
      AddFieldValue(output, "N-Body Imbalance", sums.imbalance);
    }
    vtkNew<vtkStringArray> method;
    method->SetName("N-Body Method");
    method->InsertNextValue(sums.method);
    output->GetFieldData()->AddArray(method);
  });
  if (group.rank() != 0) {
    return;
  }
  const double largest = std::max(errors[1], errors[3]);
  if (notFinite > 0) {
    vtkWarningMacro(<< std::format(
                      "{} of the sums are beyond the range of numbers, and are no numbers: use other units",
                      countText(notFinite, "value")));
  } else if (byMultipoles > 0 && largest > this->Accuracy) {
    vtkWarningMacro(<< std::format("at the samples sums are off by up to {:.2g}, and {:g} was asked for (Accuracy): "
                                   "direct sums have no such error{}",
                      largest, this->Accuracy, this->SinglePrecision ? ", nor has double precision" : ""));
  }
}
