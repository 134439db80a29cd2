/**
 * @class vtkSpanwiseRuntimeInformation
 * @brief The runtime reports of the processes of a session
 *
 * Gather it from a session's client or servers; there is one report for each process, in the order of their ranks:
 *
 *     session->GatherInformation(vtkPVSession::DATA_SERVER, information, 0);
 */

#ifndef vtkSpanwiseRuntimeInformation_h
#define vtkSpanwiseRuntimeInformation_h

#include "spanwiseServerModule.h"
#include "vtkPVInformation.h"

#include <memory>
#include <string>
#include <vector>

namespace spanwise {
struct ProcessReport;
}

class SPANWISESERVER_EXPORT vtkSpanwiseRuntimeInformation : public vtkPVInformation {
public:
  static vtkSpanwiseRuntimeInformation* New();
  vtkTypeMacro(vtkSpanwiseRuntimeInformation, vtkPVInformation);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  void CopyFromObject(vtkObject*) override;
  void AddInformation(vtkPVInformation*) override;
  void CopyToStream(vtkClientServerStream*) override;
  void CopyFromStream(const vtkClientServerStream*) override;

  int GetNumberOfProcesses() const;
  /// The report of a process as lines for people, headed by its rank and host.
  std::string GetReport(int process) const;

#ifndef __VTK_WRAP__
  const std::vector<spanwise::ProcessReport>& Processes() const;
#endif

protected:
  vtkSpanwiseRuntimeInformation();
  ~vtkSpanwiseRuntimeInformation() override;

private:
  vtkSpanwiseRuntimeInformation(const vtkSpanwiseRuntimeInformation&) = delete;
  void operator=(const vtkSpanwiseRuntimeInformation&) = delete;

  struct Internals;
  std::unique_ptr<Internals> Data;
};

#endif
