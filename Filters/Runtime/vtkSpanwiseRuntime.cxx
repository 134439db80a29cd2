#include "vtkSpanwiseRuntime.h"

#include "SpanwiseRuntimeChoice.h"

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

} // namespace

bool vtkSpanwiseRuntime::IsStarted() { return spanwise::runtimeStarted(); }

std::string vtkSpanwiseRuntime::GetReport() { return spanwise::toString(spanwise::runtimeReport()); }

bool vtkSpanwiseRuntime::SetNumberOfThreads(int threads) { return choose({threads, spanwise::runtimeChoice().device}); }

int vtkSpanwiseRuntime::GetNumberOfThreads() { return spanwise::runtimeChoice().threads; }

bool vtkSpanwiseRuntime::SetDevice(int index) { return choose({spanwise::runtimeChoice().threads, index}); }

int vtkSpanwiseRuntime::GetDevice() { return spanwise::runtimeChoice().device; }

void vtkSpanwiseRuntime::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << vtkSpanwiseRuntime::GetReport();
}
