#include "vtkSpanwiseRuntimeInformation.h"

#include "SpanwiseProcessReport.h"
#include "SpanwiseStream.h"

#include <vtkObjectFactory.h>

#include <algorithm>

namespace spanwise {

template <class Stream>
void transfer(Stream& stream, MemoryAccount& account) {
  transferAll(stream, account.space, account.bytesNow, account.bytesPeak, account.allocations);
}

template <class Stream>
void transfer(Stream& stream, KernelTime& time) {
  transferAll(stream, time.region, time.kernel, time.numLaunches, time.seconds);
}

template <class Stream>
void transfer(Stream& stream, RuntimeReport& report) {
  transferAll(stream, report.started, report.executionSpaces, report.defaultExecutionSpace, report.hostExecutionSpace,
    report.hostThreads, report.waitingThreads, report.numDevices, report.deviceId, report.deviceName, report.devices,
    report.memory, report.bytesToDevice, report.bytesToHost, report.kernels);
}

template <class Stream>
void transfer(Stream& stream, ProcessReport& report) {
  transferAll(stream, report.rank, report.host, report.runtime, report.chosenThreads, report.chosenDevice, report.sides,
    report.problem);
}

} // namespace spanwise

struct vtkSpanwiseRuntimeInformation::Internals {
  std::vector<spanwise::ProcessReport> Processes;
};

vtkStandardNewMacro(vtkSpanwiseRuntimeInformation);

vtkSpanwiseRuntimeInformation::vtkSpanwiseRuntimeInformation() : Data(std::make_unique<Internals>()) {}

vtkSpanwiseRuntimeInformation::~vtkSpanwiseRuntimeInformation() = default;

void vtkSpanwiseRuntimeInformation::CopyFromObject(vtkObject*) { this->Data->Processes = {spanwise::processReport()}; }

void vtkSpanwiseRuntimeInformation::AddInformation(vtkPVInformation* information) {
  if (const auto* other = vtkSpanwiseRuntimeInformation::SafeDownCast(information)) {
    auto& mine = this->Data->Processes;
    mine.insert(mine.end(), other->Processes().begin(), other->Processes().end());
    std::stable_sort(mine.begin(), mine.end(), [](const auto& a, const auto& b) { return a.rank < b.rank; });
  }
}

void vtkSpanwiseRuntimeInformation::CopyToStream(vtkClientServerStream* stream) {
  spanwise::write(*stream, this->Data->Processes);
}

void vtkSpanwiseRuntimeInformation::CopyFromStream(const vtkClientServerStream* stream) {
  if (!spanwise::read(*stream, this->Data->Processes)) {
    vtkErrorMacro(<< spanwise::notReadable);
  }
}

int vtkSpanwiseRuntimeInformation::GetNumberOfProcesses() const {
  return static_cast<int>(this->Data->Processes.size());
}

std::string vtkSpanwiseRuntimeInformation::GetReport(int process) const {
  if (process < 0 || process >= this->GetNumberOfProcesses()) {
    return {};
  }
  const spanwise::ProcessReport& report = this->Data->Processes[static_cast<std::size_t>(process)];
  const std::string text =
    "rank " + std::to_string(report.rank) + " on " + report.host + '\n' + toString(report.runtime) + report.sides;
  return report.problem.empty() ? text : text + report.problem + '\n';
}

const std::vector<spanwise::ProcessReport>& vtkSpanwiseRuntimeInformation::Processes() const {
  return this->Data->Processes;
}

void vtkSpanwiseRuntimeInformation::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  for (int process = 0; process < this->GetNumberOfProcesses(); ++process) {
    os << indent << this->GetReport(process);
  }
}
