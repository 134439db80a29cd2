#include "vtkSpanwiseRuntimeInformation.h"

#include "SpanwiseProcessReport.h"
#include "SpanwiseStream.h"

#include <vtkObjectFactory.h>

#include <algorithm>

namespace spanwise {

template <class Stream>
void transfer(Stream& stream, MemoryAccount& account) {
  transfer(stream, account.space);
  transfer(stream, account.bytesNow);
  transfer(stream, account.bytesPeak);
  transfer(stream, account.allocations);
}

template <class Stream>
void transfer(Stream& stream, RuntimeReport& report) {
  transfer(stream, report.started);
  transfer(stream, report.executionSpaces);
  transfer(stream, report.defaultExecutionSpace);
  transfer(stream, report.hostExecutionSpace);
  transfer(stream, report.hostThreads);
  transfer(stream, report.numDevices);
  transfer(stream, report.deviceId);
  transfer(stream, report.deviceName);
  transfer(stream, report.memory);
  transfer(stream, report.bytesToDevice);
  transfer(stream, report.bytesToHost);
}

template <class Stream>
void transfer(Stream& stream, ProcessReport& report) {
  transfer(stream, report.rank);
  transfer(stream, report.host);
  transfer(stream, report.runtime);
  transfer(stream, report.chosenThreads);
  transfer(stream, report.chosenDevice);
  transfer(stream, report.problem);
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
  spanwise::StreamWriter writer(*stream);
  transfer(writer, this->Data->Processes);
}

void vtkSpanwiseRuntimeInformation::CopyFromStream(const vtkClientServerStream* stream) {
  spanwise::StreamReader reader(*stream);
  transfer(reader, this->Data->Processes);
  if (reader.failed()) {
    vtkErrorMacro(
      "the report of another process does not have the form that this one expects: are both of one version?");
    this->Data->Processes.clear();
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
  std::string text = "rank " + std::to_string(report.rank) + " on " + report.host + '\n' + toString(report.runtime);
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
