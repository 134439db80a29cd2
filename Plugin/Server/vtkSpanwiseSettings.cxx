#include "vtkSpanwiseSettings.h"

#include "SpanwiseRuntimeChoice.h"
#include "SpanwiseSide.h"
#include "vtkSpanwiseRuntime.h"

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Runtime.hpp"

#include <vtkMultiProcessController.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>

#include <cstdlib>

namespace {

bool firstProcess() {
  vtkMultiProcessController* controller = vtkMultiProcessController::GetGlobalController();
  return controller == nullptr || controller->GetLocalProcessId() == 0;
}

std::string numberOrAutomatic(int number, int automatic) {
  return number == automatic ? "automatic" : std::to_string(number);
}

std::string describe(const spanwise::RuntimeChoice& choice) {
  return "kept for the next start: threads " + numberOrAutomatic(choice.threads, spanwise::automaticThreads) +
    ", device " + numberOrAutomatic(choice.device, spanwise::automaticDevice) + "; ";
}

} // namespace

vtkSpanwiseSettings::vtkSpanwiseSettings()
  : NumberOfThreads(spanwise::automaticThreads), DeviceIndex(spanwise::automaticDevice) {}

vtkSpanwiseSettings::~vtkSpanwiseSettings() = default;

vtkSpanwiseSettings* vtkSpanwiseSettings::GetInstance() {
  static const vtkSmartPointer<vtkSpanwiseSettings> instance = [] {
    auto fresh = vtkSmartPointer<vtkSpanwiseSettings>::Take(new vtkSpanwiseSettings);
    fresh->InitializeObjectBase();
    return fresh;
  }();
  return instance;
}

vtkSpanwiseSettings* vtkSpanwiseSettings::New() {
  vtkSpanwiseSettings* instance = vtkSpanwiseSettings::GetInstance();
  instance->Register(nullptr);
  return instance;
}

void vtkSpanwiseSettings::SetNumberOfThreads(int threads) {
  if (this->NumberOfThreads != threads) {
    this->NumberOfThreads = threads;
    this->Apply();
    this->Modified();
  }
}

void vtkSpanwiseSettings::SetDeviceIndex(int index) {
  if (this->DeviceIndex != index) {
    this->DeviceIndex = index;
    this->Apply();
    this->Modified();
  }
}

void vtkSpanwiseSettings::SetComputeOn(int choice) {
  if (this->ComputeOn != choice) {
    this->ComputeOn = choice;
    if (spanwise::haveDevice && std::getenv("SPANWISE_COMPUTE_ON") == nullptr) {
      vtkSpanwiseRuntime::SetComputeOn(choice);
    }
    this->Modified();
  }
}

void vtkSpanwiseSettings::Apply() {
  spanwise::RuntimeChoice choice;
  if (std::getenv("KOKKOS_NUM_THREADS") == nullptr) {
    choice.threads = this->NumberOfThreads;
  }
  if (std::getenv("KOKKOS_DEVICE_ID") == nullptr) {
    choice.device = this->DeviceIndex;
  }
  try {
    spanwise::chooseRuntime(choice);
    this->Problem.clear();
  } catch (const spanwise::Error& error) {
    // Threads and device arrive one after the other: what was said for one is not said again for the other.
    const bool isNew = this->Problem.empty();
    this->Problem = spanwise::runtimeStarted() ? describe(choice) + error.what() : error.what();
    if (isNew && firstProcess()) {
      vtkWarningMacro(<< "Spanwise: " << this->Problem);
    }
  }
}

void vtkSpanwiseSettings::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "NumberOfThreads: " << this->NumberOfThreads << '\n';
  os << indent << "DeviceIndex: " << this->DeviceIndex << '\n';
  os << indent << "ComputeOn: " << this->ComputeOn << '\n';
  os << indent << "Problem: " << this->Problem << '\n';
}
