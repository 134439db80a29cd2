#pragma once

// What tests of N-Body Motion share: bodies, and what the filter gives of them.

#include "Testing/Core/Seed.hpp"
#include "Testing/Filters/Geometry/Pipelines.hpp"

#include "vtkSpanwiseNBodyMotion.h"

#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkStreamingDemandDrivenPipeline.h>
#include <vtkTable.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace spanwise::testing {

using Filter = vtkSpanwiseNBodyMotion;
using Pipeline = vtkStreamingDemandDrivenPipeline;
using Vector = std::array<double, 3>;
inline constexpr int points = vtkDataObject::FIELD_ASSOCIATION_POINTS;

struct Body {
  Vector place;
  Vector velocity{};
  double mass = 1.0;
  double charge = 0.0;
};

inline vtkSmartPointer<vtkPolyData> dataOf(const std::vector<Body>& bodies) {
  vtkNew<vtkPoints> places;
  places->SetDataTypeToDouble();
  auto data = vtkSmartPointer<vtkPolyData>::New();
  vtkNew<vtkDoubleArray> masses;
  vtkNew<vtkDoubleArray> velocities;
  vtkNew<vtkDoubleArray> charges;
  masses->SetName("mass");
  velocities->SetName("velocity");
  velocities->SetNumberOfComponents(3);
  charges->SetName("charge");
  for (const Body& body : bodies) {
    places->InsertNextPoint(body.place.data());
    masses->InsertNextValue(body.mass);
    velocities->InsertNextTuple(body.velocity.data());
    charges->InsertNextValue(body.charge);
  }
  data->SetPoints(places);
  data->GetPointData()->AddArray(masses);
  data->GetPointData()->AddArray(velocities);
  data->GetPointData()->AddArray(charges);
  return data;
}

inline vtkSmartPointer<Filter> motionOf(vtkDataObject* data) {
  auto filter = vtkSmartPointer<Filter>::New();
  filter->SetInputData(data);
  filter->SetMasses(Filter::MASS_ARRAY);
  filter->SetInputArrayToProcess(0, 0, 0, points, "mass");
  filter->SetVelocities(Filter::VELOCITY_ARRAY);
  filter->SetInputArrayToProcess(1, 0, 0, points, "velocity");
  return filter;
}

inline std::vector<Body> randomBodies(int count) {
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  std::vector<Body> bodies;
  for (int i = 0; i < count; ++i) {
    const auto vector = [&] { return Vector{unit(random), unit(random), unit(random)}; };
    bodies.push_back({vector(), vector(), (0.5 + unit(random)) / count, unit(random) - 0.5});
  }
  return bodies;
}

inline Vector placeAt(Filter* filter, vtkIdType i) {
  Vector place;
  vtkPolyData::SafeDownCast(filter->GetOutputDataObject(0))->GetPoint(i, place.data());
  return place;
}

/// All places at a time.
inline std::vector<Vector> placesAt(Filter* filter, double time) {
  filter->UpdateTimeStep(time);
  std::vector<Vector> places;
  for (vtkIdType i = 0; i < filter->GetOutputDataObject(0)->GetNumberOfElements(vtkDataObject::POINT); ++i) {
    places.push_back(placeAt(filter, i));
  }
  return places;
}

inline double fieldValue(Filter* filter, const char* name) {
  return filter->GetOutputDataObject(0)->GetFieldData()->GetArray(name)->GetComponent(0, 0);
}

inline vtkTable* reportOf(Filter* filter) { return vtkTable::SafeDownCast(filter->GetOutputDataObject(1)); }
inline double report(Filter* filter, const char* column, vtkIdType row, int component = 0) {
  return vtkDataArray::SafeDownCast(reportOf(filter)->GetColumnByName(column))->GetComponent(row, component);
}

/// Two bodies on circles around each other, at the distance 2; their masses are 3 and 1.
inline std::vector<Body> pairOnCircles() {
  const double speed = std::sqrt(4.0 / 2.0); // relative: G (m + m) / r
  return {{{0.5, 0, 0}, {0, 0.25 * speed, 0}, 3.0}, {{-1.5, 0, 0}, {0, -0.75 * speed, 0}, 1.0}};
}

} // namespace spanwise::testing
