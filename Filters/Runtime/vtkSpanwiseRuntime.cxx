#include "vtkSpanwiseRuntime.h"

#include "SpanwiseRuntimeChoice.h"
#include "SpanwiseSide.h"

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Runtime.hpp"

#include <vtkObjectFactory.h>

vtkStandardNewMacro(vtkSpanwiseRuntime);

namespace {

bool choose(const spanwise::RuntimeChoice& choice) {
  try {
    spanwise::chooseRuntime(choice);
    return true;
  } catch (const spanwise::Error& error) {
    vtkErrorWithObjectMacro(nullptr, << error.what());
    return false;
  }
}

/// The memory of the device, or of the host that stands in for it.
spanwise::MemoryAccount accountOfDevice() {
  const char* const name = spanwise::SpaceOf<spanwise::ComputeSide::Device>::memory_space::name();
  for (const spanwise::MemoryAccount& account : spanwise::runtimeReport().memory) {
    if (account.space == name) {
      return account;
    }
  }
  return {};
}

} // namespace

unsigned long long vtkSpanwiseRuntime::GetBytesOnDevice() { return accountOfDevice().bytesNow; }

unsigned long long vtkSpanwiseRuntime::GetMostBytesOnDevice() { return accountOfDevice().bytesPeak; }

void vtkSpanwiseRuntime::RestartMostBytesOnDevice() { spanwise::restartMemoryPeaks(); }

unsigned long long vtkSpanwiseRuntime::GetBytesCopiedToDevice() { return spanwise::runtimeReport().bytesToDevice; }

unsigned long long vtkSpanwiseRuntime::GetBytesCopiedToHost() { return spanwise::runtimeReport().bytesToHost; }

bool vtkSpanwiseRuntime::IsStarted() { return spanwise::runtimeStarted(); }

std::string vtkSpanwiseRuntime::GetReport() {
  return spanwise::toString(spanwise::runtimeReport()) + spanwise::toString(spanwise::sideNotes());
}

bool vtkSpanwiseRuntime::SetNumberOfThreads(int threads) { return choose({threads, spanwise::runtimeChoice().device}); }

int vtkSpanwiseRuntime::GetNumberOfThreads() { return spanwise::runtimeChoice().threads; }

bool vtkSpanwiseRuntime::SetDevice(int index) { return choose({spanwise::runtimeChoice().threads, index}); }

int vtkSpanwiseRuntime::GetDevice() { return spanwise::runtimeChoice().device; }

bool vtkSpanwiseRuntime::SetComputeOn(int choice) {
  if (choice < AUTOMATIC || choice > DEVICE) {
    vtkErrorWithObjectMacro(nullptr, << "filters are to compute on " << choice
                                     << "; it must be 0 (automatic), 1 (host) or "
                                     << "2 (device)");
    return false;
  }
  spanwise::setSideChoice(static_cast<spanwise::SideChoice>(choice));
  return true;
}

int vtkSpanwiseRuntime::GetComputeOn() {
  try {
    return static_cast<int>(spanwise::sideChoice());
  } catch (const spanwise::Error& error) { // of the environment
    vtkErrorWithObjectMacro(nullptr, << error.what());
    return AUTOMATIC;
  }
}

void vtkSpanwiseRuntime::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << vtkSpanwiseRuntime::GetReport();
}
