#include "vtkSpanwiseFlowAlgorithm.h"

#include "SpanwiseFlowDomain.h"
#include "SpanwisePropertyChecks.h"
#include "SpanwiseSteppedFrames.h"

#include <vtkDataObject.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>

#include <algorithm>

using namespace spanwise;

vtkSpanwiseFlowAlgorithm::vtkSpanwiseFlowAlgorithm() : Frames(std::make_unique<SteppedFrames>()) {
  this->SetNumberOfInputPorts(2);
  this->SetNumberOfOutputPorts(2);
}

vtkSpanwiseFlowAlgorithm::~vtkSpanwiseFlowAlgorithm() = default;

void vtkSpanwiseFlowAlgorithm::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  const auto print = [&](const char* name, const auto& value) { os << indent << name << ": " << value << "\n"; };
  const auto printVector = [&](const char* name, const double (&value)[3]) {
    os << indent << name << ": " << value[0] << " " << value[1] << " " << value[2] << "\n";
  };
  print("Dimension", this->Dimension);
  print("Obstacle", this->Obstacle);
  printVector("Center", this->Center);
  print("Radius", this->Radius);
  print("Domain", this->Domain);
  printVector("Corner", this->Corner);
  printVector("Lengths", this->Lengths);
  print("CellsAlongX", this->CellsAlongX);
  printVector("Direction", this->Direction);
  print("NumberOfLevels", this->NumberOfLevels);
  print("TimePerFrame", this->TimePerFrame);
  this->PrintFrameProperties(os, indent);
}

int vtkSpanwiseFlowAlgorithm::FillInputPortInformation(int port, vtkInformation* info) {
  // What is not used may be anything: ParaView's Python gives new sources the active one as their input.
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), port == 0 ? "vtkDataObject" : "vtkDataSet");
  info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
  return 1;
}

int vtkSpanwiseFlowAlgorithm::FillOutputPortInformation(int port, vtkInformation* info) {
  info->Set(vtkDataObject::DATA_TYPE_NAME(), port == 0 ? "vtkPartitionedDataSetCollection" : "vtkTable");
  return 1;
}

void vtkSpanwiseFlowAlgorithm::GoOn() {
  this->Frames->goOn();
  this->Modified();
}

int vtkSpanwiseFlowAlgorithm::GetFramesLeft() {
  return this->Live && this->Interactive ? this->Frames->numLeft(this->NumberOfFrames) : 0;
}

double vtkSpanwiseFlowAlgorithm::TimeOfFrame() const { return this->TimePerFrame > 0.0 ? this->TimePerFrame : 1.0; }

FlowDomain vtkSpanwiseFlowAlgorithm::GetDomainChoice(int dimension) const {
  FlowDomain domain;
  domain.dimension = dimension;
  domain.around = static_cast<FlowAround>(this->Obstacle); // the same order
  std::copy_n(this->Center, 3, domain.centre.begin());
  domain.radius = this->Radius;
  domain.isGiven = this->Domain == GIVEN_BOX;
  std::copy_n(this->Corner, 3, domain.corner.begin());
  std::copy_n(this->Lengths, 3, domain.lengths.begin());
  domain.cellsAlongX = this->CellsAlongX;
  domain.numLevels = this->NumberOfLevels;
  return domain;
}

void vtkSpanwiseFlowAlgorithm::CheckFlowProperties() const {
  checkChoice("obstacle", this->Obstacle, INPUT_SET);
  checkChoice("choice of the domain", this->Domain, GIVEN_BOX);
  checkDomain(this->GetDomainChoice(this->Dimension));
  checkFinite("direction", this->Direction);
  checkNumber("time per frame", this->TimePerFrame, this->TimePerFrame >= 0.0, " and not negative; 0 has it chosen");
}

int vtkSpanwiseFlowAlgorithm::RequestInformation(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  SteppedFrames::list(outputs, this->NumberOfFrames, this->TimeOfFrame());
  outputs->GetInformationObject(1)->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
  return this->Superclass::RequestInformation(request, inputs, outputs);
}

int vtkSpanwiseFlowAlgorithm::RequestUpdateExtent(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  SteppedFrames::passRequest(request, inputs, this->GetNumberOfInputPorts(), outputs);
  return this->Superclass::RequestUpdateExtent(request, inputs, outputs);
}

int vtkSpanwiseFlowAlgorithm::RequestData(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  this->Frames->ask(outputs->GetInformationObject(0), this->NumberOfFrames, this->TimeOfFrame());
  vtkDataObject::GetData(outputs, 1)->Initialize();
  const int done = this->Superclass::RequestData(request, inputs, outputs);
  this->Frames->sayTime(outputs, this->TimeOfFrame());
  return done;
}
