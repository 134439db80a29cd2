/**
 * @class vtkSpanwiseSettings
 * @brief The Spanwise page of ParaView's settings, in each process
 *
 * ParaView keeps the values and hands them to every process when a session begins, before anything is computed. A
 * change after the runtime has started is kept for the next start; the first process says so, once, and GetProblem()
 * tells it until the settings are again those that the runtime runs with.
 *
 * What the environment sets (KOKKOS_NUM_THREADS, KOKKOS_DEVICE_ID, SPANWISE_COMPUTE_ON) goes before the settings, so
 * that a job script can decide for one job.
 *
 * This is a singleton: New() gives the one object.
 */

#ifndef vtkSpanwiseSettings_h
#define vtkSpanwiseSettings_h

#include "spanwiseServerModule.h"
#include "vtkObject.h"

#include <string>

class SPANWISESERVER_EXPORT vtkSpanwiseSettings : public vtkObject {
public:
  static vtkSpanwiseSettings* New();
  static vtkSpanwiseSettings* GetInstance();
  vtkTypeMacro(vtkSpanwiseSettings, vtkObject);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * The number of host threads in each process; 0, the default, is automatic.
   */
  void SetNumberOfThreads(int threads);
  vtkGetMacro(NumberOfThreads, int);
  ///@}

  ///@{
  /**
   * The device by its index; -1, the default, is automatic.
   */
  void SetDeviceIndex(int index);
  vtkGetMacro(DeviceIndex, int);
  ///@}

  ///@{
  /**
   * Where filters compute, as vtkSpanwiseRuntime has it; it acts at once. In a build without a device nothing is
   * chosen.
   */
  void SetComputeOn(int choice);
  vtkGetMacro(ComputeOn, int);
  ///@}

  /// Why the settings are not those that the runtime runs with; empty if they are.
  vtkGetMacro(Problem, std::string);

protected:
  vtkSpanwiseSettings();
  ~vtkSpanwiseSettings() override;

private:
  vtkSpanwiseSettings(const vtkSpanwiseSettings&) = delete;
  void operator=(const vtkSpanwiseSettings&) = delete;

  void Apply();

  int NumberOfThreads;
  int DeviceIndex;
  int ComputeOn = 0;
  std::string Problem;
};

#endif
