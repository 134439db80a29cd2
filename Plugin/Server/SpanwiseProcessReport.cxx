#include "SpanwiseProcessReport.h"

#include "SpanwiseSide.h"
#include "vtkSpanwiseSettings.h"

#include <vtkMultiProcessController.h>

#include <vtksys/SystemInformation.hxx>

namespace spanwise {

ProcessReport processReport() {
  ProcessReport report;
  if (vtkMultiProcessController* controller = vtkMultiProcessController::GetGlobalController()) {
    report.rank = controller->GetLocalProcessId();
  }
  report.host = vtksys::SystemInformation().GetHostname();
  report.runtime = runtimeReport();
  vtkSpanwiseSettings* settings = vtkSpanwiseSettings::GetInstance();
  report.chosenThreads = settings->GetNumberOfThreads();
  report.chosenDevice = settings->GetDeviceIndex();
  report.sides = toString(sideNotes());
  report.problem = settings->GetProblem();
  return report;
}

} // namespace spanwise
