#include "SpanwiseFibres.h"

#include "SpanwiseFrontSpeed.h"

#include "Core/Runtime/CountText.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkIdList.h>
#include <vtkNew.h>

#include <array>
#include <cmath>
#include <format>

namespace spanwise {

namespace {

using Tensor = std::array<double, 6>;

/// The tensor of fibres along a direction.
Tensor tensorOf(const FibreSpeeds& speeds, std::array<double, 3> f, FrontSpace space) {
  const double length = std::hypot(f[0], f[1], f[2]);
  const double across2 = speeds.across * speeds.across;
  if (!(length > 0.0)) {
    return {across2, across2, across2, 0.0, 0.0, 0.0};
  }
  double along2 = speeds.along * speeds.along;
  double square = 1.0; // of the part of f that counts
  for (double& component : f) {
    component /= length;
  }
  if (space == FrontSpace::Plane) {
    square = f[0] * f[0] + f[1] * f[1];
    along2 = 1.0 / (square / along2 + (1.0 - square) / across2);
    f[2] = 0.0;
  }
  const double more = square > 0.0 ? (along2 - across2) / square : 0.0;
  return {across2 + more * f[0] * f[0], across2 + more * f[1] * f[1], across2 + more * f[2] * f[2], more * f[0] * f[1],
    more * f[1] * f[2], more * f[0] * f[2]};
}

void check(const FibreSpeeds& speeds) {
  for (const double speed : {speeds.along, speeds.across}) {
    static_cast<void>(FrontSpeed::constant(speed)); // says what is wrong
  }
}

} // namespace

vtkSmartPointer<vtkDoubleArray> tensorsOfFibres(
  const FibreSpeeds& speeds, vtkDataArray* directions, bool onPoints, vtkDataSet* data, FrontSpace space) {
  check(speeds);
  const char* const name = directions->GetName() != nullptr ? directions->GetName() : "";
  const char* const place = onPoints ? "points" : "cells";
  if (directions->GetNumberOfComponents() != 3) {
    throw InvalidArgument(std::format("the array '{}' on {} has {}; an array of fibres must have 3, a direction", name,
      place, countText(directions->GetNumberOfComponents(), "component")));
  }
  const vtkIdType count = onPoints ? data->GetNumberOfPoints() : data->GetNumberOfCells();
  if (directions->GetNumberOfTuples() != count) {
    throw InvalidArgument(std::format("the array '{}' has {} directions for {} {}; there must be one for each", name,
      directions->GetNumberOfTuples(), count, place));
  }
  const auto tensorAt = [&](vtkIdType k) {
    std::array<double, 3> f{};
    directions->GetTuple(k, f.data());
    if (!std::isfinite(f[0]) || !std::isfinite(f[1]) || !std::isfinite(f[2])) {
      throw InvalidArgument(std::format("the direction {} of the array '{}' on {} is ({}, {}, {}); it must be finite",
        k, name, place, f[0], f[1], f[2]));
    }
    return tensorOf(speeds, f, space);
  };
  auto tensors = vtkSmartPointer<vtkDoubleArray>::New();
  tensors->SetNumberOfComponents(6);
  tensors->SetNumberOfTuples(data->GetNumberOfCells());
  vtkNew<vtkIdList> points;
  for (vtkIdType cell = 0; cell < data->GetNumberOfCells(); ++cell) {
    if (!onPoints) {
      tensors->SetTuple(cell, tensorAt(cell).data());
      continue;
    }
    data->GetCellPoints(cell, points);
    Tensor mean{};
    for (const vtkIdType point : *points) {
      const Tensor tensor = tensorAt(point);
      for (std::size_t k = 0; k < mean.size(); ++k) {
        mean[k] += tensor[k] / static_cast<double>(points->GetNumberOfIds());
      }
    }
    tensors->SetTuple(cell, mean.data());
  }
  return tensors;
}

} // namespace spanwise
