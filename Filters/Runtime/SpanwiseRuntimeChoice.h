#ifndef SpanwiseRuntimeChoice_h
#define SpanwiseRuntimeChoice_h

// What the settings page and Python choose for the runtime, in VTK's way of numbers that mean "automatic". Not wrapped.

#include "spanwiseRuntimeModule.h"

namespace spanwise {

inline constexpr int automaticThreads = 0;
inline constexpr int automaticDevice = -1;

/// Host threads and device, with the two values above for Kokkos's own choice.
struct RuntimeChoice {
  int threads = automaticThreads;
  int device = automaticDevice;
};

/// Has the runtime start with this choice. Throws RuntimeError if a number is not valid or the runtime has started with
/// another choice; what was chosen before then stays.
SPANWISERUNTIME_EXPORT void chooseRuntime(const RuntimeChoice& choice);

/// What was chosen last.
SPANWISERUNTIME_EXPORT RuntimeChoice runtimeChoice();

} // namespace spanwise

#endif
