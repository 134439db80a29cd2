#include "Core/Solvers/Flow/DescribeFlow.hpp"

#include <format>

namespace spanwise::flow {

namespace {

/// Numbers in brackets.
template <class Values>
std::string list(const Values& values) {
  std::string text;
  for (const auto& value : values) {
    text += std::format("{}{}", text.empty() ? "(" : ", ", value);
  }
  return text + ")";
}

} // namespace

template <int Dim>
std::string describe(const Primitive<double, Dim>& state) {
  return std::format("density {}, velocity {}, pressure {}", state.density, list(state.velocity), state.pressure);
}

template <int Dim>
std::string describe(const FlowOptions<Dim>& options) {
  constexpr const char* fluxes[] = {"Rusanov", "HLLC"};
  constexpr const char* slopes[] = {"constant", "minmod", "van Leer"};
  constexpr const char* sensors[] = {"value", "gradient", "Loehner"};
  constexpr const char* sides[] = {"slip wall", "outflow", "inflow"};
  std::string at;
  for (int side = 0; side < 2 * Dim; ++side) {
    at += at.empty() ? "" : ", ";
    at += options.repeats[side / 2] ? "periodic" : sides[static_cast<std::size_t>(options.sides[side])];
  }
  std::string probes;
  for (const auto& probe : options.probes) {
    probes += " " + list(probe);
  }
  const multilevel::Tagging& sensor = options.sensor;
  return std::format("box {} of cells {} at {}, sides {}; gamma {}, inflow of {}; {} and {}, CFL {}; "
                     "{} a frame, a record every {} steps, probes{}; {} levels{}, remeshed every {} steps with buffer "
                     "{} by {} {} (filter "
                     "{}) of component {}",
    toString(options.box), list(options.lattice.spacing), list(options.lattice.origin), at, options.gamma,
    describe(options.inflow), fluxes[static_cast<std::size_t>(options.riemann)],
    slopes[static_cast<std::size_t>(options.reconstruction)], options.cfl, options.timePerFrame, options.stepsPerRecord,
    probes.empty() ? " none" : probes, options.numLevels, options.subcycles ? " with smaller steps on finer ones" : "",
    options.stepsPerRemesh, options.buffer, sensors[static_cast<std::size_t>(sensor.criterion)], sensor.limit,
    sensor.filter, sensor.component);
}

#define SPANWISE_DESCRIBE_FLOW(Dim)                                                                                    \
  template std::string describe<Dim>(const Primitive<double, Dim>&);                                                   \
  template std::string describe<Dim>(const FlowOptions<Dim>&);
SPANWISE_DESCRIBE_FLOW(2)
SPANWISE_DESCRIBE_FLOW(3)

} // namespace spanwise::flow
