#pragma once

#include <vtkInformation.h>
#include <vtkInformationDoubleKey.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>
#include <vtkSmartPointer.h>
#include <vtkStreamingDemandDrivenPipeline.h>
#include <vtkUnstructuredGrid.h>
#include <vtkUnstructuredGridAlgorithm.h>

#include <vector>

namespace spanwise::testing {

/// Gives its grids as the steps 0, 0.5, 1 ...
class StepSource : public vtkUnstructuredGridAlgorithm {
public:
  static StepSource* New();
  vtkTypeMacro(StepSource, vtkUnstructuredGridAlgorithm);
  std::vector<vtkSmartPointer<vtkUnstructuredGrid>> grids;

protected:
  StepSource() { this->SetNumberOfInputPorts(0); }
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector* outputs) override {
    std::vector<double> times;
    for (std::size_t s = 0; s < grids.size(); ++s) {
      times.push_back(0.5 * static_cast<double>(s));
    }
    const double range[2] = {times.front(), times.back()};
    vtkInformation* info = outputs->GetInformationObject(0);
    info->Set(vtkStreamingDemandDrivenPipeline::TIME_STEPS(), times.data(), static_cast<int>(times.size()));
    info->Set(vtkStreamingDemandDrivenPipeline::TIME_RANGE(), range, 2);
    info->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1); // every rank has its own grids
    return 1;
  }
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector* outputs) override {
    vtkInformation* info = outputs->GetInformationObject(0);
    const double time = info->Has(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP())
      ? info->Get(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP())
      : 0.0;
    vtkUnstructuredGrid* output = vtkUnstructuredGrid::GetData(outputs, 0);
    output->ShallowCopy(grids[static_cast<std::size_t>(2.0 * time + 0.5)]);
    output->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), time);
    return 1;
  }
};
inline vtkStandardNewMacro(StepSource);

/// Fails as VTK's own filters do.
class FailingFilter : public vtkUnstructuredGridAlgorithm {
public:
  static FailingFilter* New();
  vtkTypeMacro(FailingFilter, vtkUnstructuredGridAlgorithm);

protected:
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override { return 0; }
};
inline vtkStandardNewMacro(FailingFilter);

/// Passes its input on.
class PassingFilter : public vtkUnstructuredGridAlgorithm {
public:
  static PassingFilter* New();
  vtkTypeMacro(PassingFilter, vtkUnstructuredGridAlgorithm);

protected:
  int RequestData(vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs) override {
    vtkUnstructuredGrid::GetData(outputs, 0)->ShallowCopy(vtkUnstructuredGrid::GetData(inputs[0], 0));
    return 1;
  }
};
inline vtkStandardNewMacro(PassingFilter);

} // namespace spanwise::testing
