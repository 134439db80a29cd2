#pragma once

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Solvers/Eikonal/Paths.hpp"

#include <string>

namespace spanwise::eikonal::detail {

/// Makes room for paths. Throws where they cannot be made.
template <class ExecutionSpace>
void preparePaths(const ArrivalTimes<ExecutionSpace>& solution, const PathTargets& targets, const PathOptions& options,
  Paths<typename ExecutionSpace::memory_space>& out) {
  out.count = 0;
  out.numPoints = 0;
  if (solution.dimension == 0 || solution.trace != Trace::Sources) {
    throw InvalidArgument("paths need arrival times whose sources were traced: solve them with Trace::Sources");
  }
  if (options.maxSteps < 0) {
    throw InvalidArgument("paths of at most " + std::to_string(options.maxSteps) +
      " segments are asked for: the number must not be negative");
  }
  reserve(out.begins, targets.count + 1, SPANWISE_LABEL("Eikonal::pathBegins"));
  reserve(out.sources, targets.count, SPANWISE_LABEL("Eikonal::pathSources"));
  reserve(out.simplices, targets.count, SPANWISE_LABEL("Eikonal::pathSimplices"));
}

} // namespace spanwise::eikonal::detail
