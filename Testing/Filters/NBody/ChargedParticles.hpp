#pragma once

// What tests of N-Body Potential share: particles, what the filter gives at them, and the same by formulas.

#include "Testing/Core/Seed.hpp"
#include "Testing/Filters/Geometry/Pipelines.hpp"

#include "vtkSpanwiseNBodyPotential.h"

#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace spanwise::testing {

using Filter = vtkSpanwiseNBodyPotential;
using Vector = std::array<double, 3>;

inline vtkSmartPointer<vtkPolyData> pointsAt(const std::vector<Vector>& places) {
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  for (const Vector& place : places) {
    points->InsertNextPoint(place.data());
  }
  auto data = vtkSmartPointer<vtkPolyData>::New();
  data->SetPoints(points);
  return data;
}

inline void addArray(vtkDataSetAttributes* to, const char* name, const std::vector<std::vector<double>>& tuples) {
  vtkNew<vtkDoubleArray> array;
  array->SetName(name);
  array->SetNumberOfComponents(static_cast<int>(tuples[0].size()));
  for (const std::vector<double>& tuple : tuples) {
    array->InsertNextTuple(tuple.data());
  }
  to->AddArray(array);
}

inline void chooseCharges(Filter* filter, const char* name, int association = vtkDataObject::FIELD_ASSOCIATION_POINTS,
  int charges = Filter::ARRAY) {
  filter->SetCharges(charges);
  filter->SetInputArrayToProcess(0, 0, 0, association, name);
}

inline double potential(Filter* filter, vtkIdType i, int component = 0) {
  return filter->GetOutput()->GetPointData()->GetArray("Potential")->GetComponent(i, component);
}

inline Vector field(Filter* filter, vtkIdType i, int side = 0) {
  vtkDataArray* const array = filter->GetOutput()->GetPointData()->GetArray("Field");
  return {array->GetComponent(i, 3 * side), array->GetComponent(i, 3 * side + 1), array->GetComponent(i, 3 * side + 2)};
}

/// Random particles in the unit cube with charges of both signs and moments.
struct RandomParticles {
  explicit RandomParticles(int count, unsigned number = 0) : random(seed() + number) {
    for (int i = 0; i < count; ++i) {
      places.push_back({unit(random), unit(random), unit(random)});
      charges.push_back({unit(random) - 0.5, unit(random)});
      moments.push_back({unit(random) - 0.5, unit(random), -unit(random)});
    }
    data = pointsAt(places);
    if (count > 0) {
      addArray(data->GetPointData(), "charges", charges);
      addArray(data->GetPointData(), "moments", moments);
    }
  }

  std::mt19937 random;
  std::uniform_real_distribution<double> unit{0.0, 1.0};
  std::vector<Vector> places;
  std::vector<std::vector<double>> charges; ///< two right-hand sides
  std::vector<std::vector<double>> moments;
  vtkSmartPointer<vtkPolyData> data;
};

/// What a unit charge does, by the formulas as they are in textbooks: the potential and the derivative by r.
struct Law {
  int interaction;
  double softening;
  double (*value)(double r);
  double (*derivative)(double r);
};

inline constexpr double epsilon = 0.1;
inline constexpr double sigma = 0.4;
inline constexpr double kappa = 2.5;

inline const std::vector<Law>& laws() {
  static const std::vector<Law> all{
    {Filter::INVERSE_DISTANCE, 0.0, [](double r) { return 1.0 / r; }, [](double r) { return -1.0 / (r * r); }},
    {Filter::INVERSE_DISTANCE, epsilon, [](double r) { return 1.0 / std::hypot(r, epsilon); },
      [](double r) { return -r / std::pow(std::hypot(r, epsilon), 3.0); }},
    {Filter::LOGARITHM, 0.0, [](double r) { return std::log(r); }, [](double r) { return 1.0 / r; }},
    {Filter::GAUSSIAN, 0.0, [](double r) { return std::exp(-std::pow(r / sigma, 2.0)); },
      [](double r) { return -2.0 * r / (sigma * sigma) * std::exp(-std::pow(r / sigma, 2.0)); }},
    {Filter::YUKAWA, 0.0, [](double r) { return std::exp(-kappa * r) / r; },
      [](double r) { return -(1.0 + kappa * r) * std::exp(-kappa * r) / (r * r); }}};
  return all;
}

/// Sums of one right-hand side at a place, of all particles but `without`; and the sums of what is added up, which
/// errors are measured by.
struct Expected {
  double potential = 0.0;
  Vector field{};
  double potentialSize = 0.0;
  double fieldSize = 0.0;
};

inline Expected sumsAt(
  const RandomParticles& particles, const Law& law, std::size_t side, const Vector& x, int without) {
  Expected sums;
  for (int j = 0; j < static_cast<int>(particles.places.size()); ++j) {
    if (j == without) {
      continue;
    }
    const Vector& y = particles.places[static_cast<std::size_t>(j)];
    const double q = particles.charges[static_cast<std::size_t>(j)][side];
    const double r = std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
    sums.potential += q * law.value(r);
    sums.potentialSize += std::abs(q * law.value(r));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      sums.field[axis] -= q * law.derivative(r) * (x[axis] - y[axis]) / r;
    }
    sums.fieldSize += std::abs(q * law.derivative(r));
  }
  return sums;
}

inline void choose(Filter* filter, const Law& law) {
  filter->SetInteraction(law.interaction);
  filter->SetSoftening(law.softening);
  filter->SetWidth(sigma);
  filter->SetScreening(kappa);
}

} // namespace spanwise::testing
