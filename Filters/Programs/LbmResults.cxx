#include "LbmResults.h"

#include "SpanwiseFlowArrays.h"

#include "Core/Solvers/Lattice/SheddingFrequency.hpp"

#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkTable.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <format>
#include <limits>
#include <span>
#include <vector>

using namespace spanwise;

namespace {

std::span<const double> columnOf(vtkTable* table, const char* name) {
  auto* const column = vtkDoubleArray::SafeDownCast(table->GetColumnByName(name));
  return {column->GetPointer(0), static_cast<std::size_t>(column->GetNumberOfTuples())};
}

double meanOf(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) {
    sum += value;
  }
  return sum / static_cast<double>(values.size());
}

/// A component of the velocity along an axis through the centre, at the centres of cells of level 0: in the cells
/// there, or between those on both sides. Finer leaves lie around these centres: those on all sides count.
std::vector<double> onCentreLine(
  LatticeRun& run, const LbmOptions& asked, const LbmPlan& plan, int dimension, int axis, int component) {
  const double spacing = plan.length / plan.size;
  std::vector<std::array<double, 3>> points;
  const int sides = plan.size % 2 == 0 ? 2 : 1;
  const int numAround = asked.numLevels > 1 ? 1 << dimension : 1;
  const int perCell = (dimension == 2 ? sides : sides * sides) * numAround;
  const double aside = asked.numLevels > 1 ? 0.25 / asked.finestPerCell() : 0.0;
  for (int k = 0; k < plan.size; ++k) {
    for (int n = 0; n < perCell; ++n) {
      std::array<double, 3>& point = points.emplace_back();
      for (int d = 0, rest = n / numAround; d < dimension; ++d) {
        int cell = k;
        if (d != axis) {
          cell = (plan.size - sides) / 2 + rest % sides;
          rest /= sides;
        }
        point[static_cast<std::size_t>(d)] = (cell + 0.5 + ((n >> d) % 2 == 0 ? -aside : aside)) * spacing;
      }
    }
  }
  const std::vector<std::array<double, 3>> velocities = run.velocitiesAt(points);
  std::vector<double> line;
  for (std::size_t first = 0; first < velocities.size(); first += static_cast<std::size_t>(perCell)) {
    double sum = 0.0;
    for (std::size_t n = 0; n < static_cast<std::size_t>(perCell); ++n) {
      sum += velocities[first + n][static_cast<std::size_t>(component)];
    }
    line.push_back(sum / perCell);
  }
  return line;
}

std::string tellForces(vtkTable* table, const LbmOptions& asked, const LbmPlan& plan) {
  const std::span<const double> times = columnOf(table, "Time");
  const auto later = static_cast<std::size_t>(std::ranges::lower_bound(times, 0.5 * times.back()) - times.begin());
  const auto drag = columnOf(table, "Drag Coefficient").subspan(later);
  const auto lift = columnOf(table, "Lift Coefficient").subspan(later);
  std::string text = std::format("drag coefficient {:.4g} (mean of the later half {:.4g}, greatest {:.4g})\n",
    drag.back(), meanOf(drag), std::ranges::max(drag));
  if (asked.flow != LbmCase::Sphere) {
    text += std::format("lift coefficient {:.4g} (mean {:.4g}, {:.4g} to {:.4g})\n", lift.back(), meanOf(lift),
      std::ranges::min(lift), std::ranges::max(lift));
    // Rounding swings too.
    const bool swings = std::ranges::max(lift) - std::ranges::min(lift) > 1e-3 * std::abs(meanOf(drag));
    const double frequency =
      swings ? lattice::sheddingFrequency(times.subspan(later), lift) : std::numeric_limits<double>::quiet_NaN();
    text += std::isnan(frequency) ? "Strouhal number: none, the lift does not swing through 0 three times\n"
                                  : std::format("Strouhal number {:.4g}\n", frequency * plan.length / plan.speed);
  }
  return text;
}

} // namespace

void fillLbmReport(const LatticeRun& run, const LbmPlan& plan, vtkTable* table) {
  run.makeReport(table);
  if (!(plan.area > 0.0)) {
    return;
  }
  const double toCoefficient = 2.0 / (plan.speed * plan.speed * plan.area);
  for (const std::string name : {"Drag", "Lift"}) {
    const std::span<const double> forces = columnOf(table, name.c_str());
    addColumn(table, name + " Coefficient", forces.size(), [&](std::size_t k) { return toCoefficient * forces[k]; });
  }
}

void writeCentreLines(
  LatticeRun& run, const LbmOptions& asked, const LbmPlan& plan, int dimension, const ProgramFolder& folder) {
  const int up = dimension - 1;
  std::vector<double> along = onCentreLine(run, asked, plan, dimension, up, 0);
  std::vector<double> towards = onCentreLine(run, asked, plan, dimension, 0, up);
  std::vector<double> positions;
  for (int k = 0; k < plan.size; ++k) {
    positions.push_back((k + 0.5) * plan.length / plan.size);
  }
  const auto addWalls = [](std::vector<double>& values, double lower, double upper) {
    values.insert(values.begin(), lower);
    values.push_back(upper);
  };
  addWalls(positions, 0.0, plan.length);
  addWalls(along, 0.0, plan.speed);
  addWalls(towards, 0.0, 0.0);
  folder.writeTable("centre_lines.csv", [&](vtkTable* table) {
    const auto add = [&](const std::string& name, const std::vector<double>& values) {
      addColumn(table, name, values.size(), [&](std::size_t k) { return values[k]; });
    };
    add("Position", positions);
    add("Velocity X on the vertical line", along);
    add(std::format("Velocity {} on the horizontal line", "XYZ"[up]), towards);
  });
}

std::string lbmSummary(const LbmOptions& asked, const LatticeRun& run, const LbmPlan& plan) {
  vtkNew<vtkTable> table;
  fillLbmReport(run, plan, table);
  std::string text;
  if (plan.tolerance > 0.0) {
    text += run.change() <= plan.tolerance ? "steady" : "not steady yet";
    text += std::isfinite(run.change()) ? std::format(": the velocity changes by {:.3g} of the speed\n", run.change())
                                        : std::string(": the run is too short to tell\n");
  }
  text += std::format("greatest speed {:.4g}\n", columnOf(table, "Greatest Speed").back());
  if (plan.area > 0.0) {
    text += tellForces(table, asked, plan);
  }
  if (asked.flow == LbmCase::Porous) {
    text += std::format("porosity {:.4g}, permeability {:.5g}\n", static_cast<double>(plan.numCells) / plan.numBoxCells,
      columnOf(table, "Permeability").back());
  }
  return text;
}
