#ifndef SpanwiseHeldMemory_h
#define SpanwiseHeldMemory_h

#include "spanwiseDataModelModule.h"

namespace spanwise {

/// Base of what holds Kokkos memory inside a VTK object and may therefore outlive Kokkos: Python and ParaView destroy
/// datasets after the process's exit handlers have run, and a View that is freed after Kokkos has stopped ends the
/// process. Every living holder gives its memory back when Kokkos stops.
class SPANWISEDATAMODEL_EXPORT HeldMemory {
public:
  HeldMemory(const HeldMemory&) = delete;
  HeldMemory& operator=(const HeldMemory&) = delete;

protected:
  HeldMemory();
  virtual ~HeldMemory();

private:
  friend class HeldMemoryRegistry;
  /// Frees every View. Nothing but the destructor is called afterwards.
  virtual void releaseMemory() = 0;
};

} // namespace spanwise

#endif
