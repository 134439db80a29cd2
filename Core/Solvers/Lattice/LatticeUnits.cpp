#include "Core/Solvers/Lattice/LatticeUnits.hpp"

#include "Core/Runtime/Error.hpp"

#include <cmath>
#include <format>

namespace spanwise::lattice {

namespace {

constexpr double greatestCellReynolds = 24.0;

void checkPositive(const char* what, double value) {
  if (!(value > 0.0) || !std::isfinite(value)) {
    throw InvalidArgument(std::format("{} is {}; it must be above 0 and finite", what, value));
  }
}

} // namespace

LatticeUnits latticeUnits(const PhysicalFlow& flow) {
  checkPositive("the size of cells", flow.spacing);
  checkPositive("the speed", flow.speed);
  checkPositive("the viscosity", flow.viscosity);
  if (!(flow.latticeSpeed > 0.0 && flow.latticeSpeed <= 0.3)) {
    throw InvalidArgument(
      std::format("the lattice speed is {}; it must be above 0 and at most 0.3 cells a step", flow.latticeSpeed));
  }
  LatticeUnits units{};
  units.spacing = flow.spacing;
  units.timeStep = flow.latticeSpeed * flow.spacing / flow.speed;
  units.viscosity = flow.viscosity * units.timeStep / (flow.spacing * flow.spacing);
  units.relaxationTime = 3.0 * units.viscosity + 0.5;
  units.machNumber = std::sqrt(3.0) * flow.latticeSpeed;
  units.cellReynolds = flow.latticeSpeed / units.viscosity;
  return units;
}

void checkStability(const LatticeUnits& units, Collision collision) {
  const bool isSensitive = collision == Collision::SingleRelaxation || collision == Collision::TwoRelaxation;
  if (isSensitive && units.cellReynolds > greatestCellReynolds) {
    throw InvalidArgument(std::format(
      "the Reynolds number of a cell (speed times its size over viscosity) is {:.4g} and the relaxation time "
      "{:.6g}: with this collision it must be at most {:g}. Use the entropic collision, or cells {:.2g} times "
      "smaller",
      units.cellReynolds, units.relaxationTime, greatestCellReynolds, units.cellReynolds / greatestCellReynolds));
  }
}

} // namespace spanwise::lattice
