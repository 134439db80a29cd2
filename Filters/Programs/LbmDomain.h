#ifndef LbmDomain_h
#define LbmDomain_h

#include "LbmOptions.h"

#include "SpanwiseFlowDomain.h"
#include "SpanwiseInputCells.h"

/// Whether it flows through a bed of spheres.
bool isBed(const LbmOptions& asked);

/// Cells along the length of a flow: as many as were asked for, or else as a computer steps in a minute.
int sizeOf(const LbmOptions& asked, int dimension);

/// How many cells the speed is in a step.
double latticeSpeedOf(const LbmOptions& asked);

/// How long a flow is, and its cells.
struct LbmScale {
  double length = 1.0;
  double spacing = 1.0;
};

/// That of a flow; `cells` are those of its file, and `place` is where they are.
LbmScale scaleOf(
  const LbmOptions& asked, const spanwise::InputCells& cells, const spanwise::FlowPlace& place, int size);

/// The room of a flow of a length; but for how many cells it has.
spanwise::FlowDomain domainOf(const LbmOptions& asked, int dimension, double length);

#endif
