/**
 * @class vtkSpanwiseRuntime
 * @brief What Spanwise computes with in this process, and how much memory it holds
 *
 * Threads and device can be chosen until the first filter, source or reader of Spanwise executes. From then on they are
 * fixed for the life of the process.
 */

#ifndef vtkSpanwiseRuntime_h
#define vtkSpanwiseRuntime_h

#include "spanwiseRuntimeModule.h"
#include "vtkObject.h"

#include <string>

class SPANWISERUNTIME_EXPORT vtkSpanwiseRuntime : public vtkObject {
public:
  static vtkSpanwiseRuntime* New();
  vtkTypeMacro(vtkSpanwiseRuntime, vtkObject);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  /// Whether the runtime has started: it does so at the first use, not before.
  static bool IsStarted();

  /// Execution spaces, threads, device, memory held now and at most, bytes moved between host and device, and which
  /// filters ran on which of the two and why, as lines for people. Does not start the runtime.
  static std::string GetReport();

  ///@{
  /**
   * Bytes that sets, arrays and scratch memory take on the device now, and the most of it since the start or since
   * RestartMostBytesOnDevice(). Where the host stands in for a device they are those of the host. 0 before the runtime
   * has started.
   */
  static unsigned long long GetBytesOnDevice();
  static unsigned long long GetMostBytesOnDevice();
  static void RestartMostBytesOnDevice();
  ///@}

  ///@{
  /**
   * Bytes that were copied from the host to the device, and back, since the start.
   */
  static unsigned long long GetBytesCopiedToDevice();
  static unsigned long long GetBytesCopiedToHost();
  ///@}

  ///@{
  /**
   * The number of host threads; 0, the default, is Kokkos's own choice (KOKKOS_NUM_THREADS and OMP_NUM_THREADS count
   * there). Returns false, and reports an error, if the number is negative or the runtime has started with another one.
   */
  static bool SetNumberOfThreads(int threads);
  static int GetNumberOfThreads();
  ///@}

  ///@{
  /**
   * The device by its index; -1, the default, is Kokkos's own choice. Returns false, and reports an error, if the index
   * is below -1 or the runtime has started with another one.
   */
  static bool SetDevice(int index);
  static int GetDevice();
  ///@}

  enum ComputeOnChoice { AUTOMATIC = 0, HOST = 1, DEVICE = 2 };
  ///@{
  /**
   * Where filters compute from now on. AUTOMATIC, the default: on the device if there is one and enough to do for it.
   * Without a device the host stands in for it, which tests use. The environment variable SPANWISE_COMPUTE_ON
   * (automatic, host, device) says it for a process in which nobody does. Returns false, and reports an error, if the
   * choice is none of these.
   */
  static bool SetComputeOn(int choice);
  static int GetComputeOn();
  ///@}

protected:
  vtkSpanwiseRuntime() = default;
  ~vtkSpanwiseRuntime() override = default;

private:
  vtkSpanwiseRuntime(const vtkSpanwiseRuntime&) = delete;
  void operator=(const vtkSpanwiseRuntime&) = delete;
};

#endif
