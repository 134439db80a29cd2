#ifndef SpanwiseProcessReport_h
#define SpanwiseProcessReport_h

// The runtime of one process of a session, as it travels to the client. Not wrapped.

#include "Core/Runtime/Runtime.hpp"

#include <string>

namespace spanwise {

struct ProcessReport {
  int rank = 0;
  std::string host;
  RuntimeReport runtime;
  int chosenThreads = 0; ///< from the settings; 0: automatic
  int chosenDevice = -1; ///< from the settings; -1: automatic
  std::string sides;     ///< which filters ran on the host and which on the device, as lines for people
  std::string problem;   ///< why the runtime does not run with the chosen ones; empty if it does
};

/// The report of this process.
ProcessReport processReport();

} // namespace spanwise

#endif
