#include "Core/Solvers/Flow/Detail/CheckOptions.hpp"

#include "Core/Geometry/BoxCells.hpp"
#include "Core/Multilevel/MultilevelSet.hpp"
#include "Core/Runtime/Error.hpp"

#include <cmath>
#include <format>

namespace spanwise::flow::detail {

namespace {

void check(const char* what, double value, bool isRight, const char* rule) {
  if (!isRight) {
    throw InvalidArgument(std::format("{} is {}; it must be {}", what, value, rule));
  }
}

void checkPositive(const char* what, double value) {
  check(what, value, value > 0.0 && std::isfinite(value), "above 0 and finite");
}

void checkCount(const char* what, int value, int min, int max) {
  if (value < min || value > max) {
    throw InvalidArgument(std::format("{} is {}; it must be {} to {}", what, value, min, max));
  }
}

} // namespace

template <int Dim>
void checkOptions(const FlowOptions<Dim>& options) {
  check("gamma", options.gamma, options.gamma > 1.0 && std::isfinite(options.gamma), "above 1 and finite");
  checkPositive("the density that flows in", options.inflow.density);
  checkPositive("the pressure that flows in", options.inflow.pressure);
  for (const double velocity : options.inflow.velocity) {
    check("a velocity that flows in", velocity, std::isfinite(velocity), "finite");
  }
  check("the CFL number", options.cfl, options.cfl > 0.0 && options.cfl <= 1.0, "above 0 and at most 1");
  constexpr int manySteps = 1000000000;
  checkCount("the number of levels", options.numLevels, 1, multilevel::maxNumLevels);
  checkCount("the number of steps from one remeshing to the next", options.stepsPerRemesh, 1, manySteps);
  checkPositive("the time from one frame to the next", options.timePerFrame);
  checkCount("the number of steps from one record to the next", options.stepsPerRecord, 1, manySteps);
  check("the imbalance that is tolerated", options.toleratedImbalance, options.toleratedImbalance > 1.0, "above 1");
  checkCount("the buffer around refined cells", options.buffer, 2, 64);
  for (const double spacing : options.lattice.spacing) {
    checkPositive("the size of cells", spacing);
  }
  if (options.box.empty()) {
    throw InvalidArgument("the box " + toString(options.box) + " has no cells; it must have one along each axis");
  }
}

template void checkOptions<2>(const FlowOptions<2>&);
template void checkOptions<3>(const FlowOptions<3>&);

} // namespace spanwise::flow::detail
