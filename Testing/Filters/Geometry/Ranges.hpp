#pragma once

// What the tests of filters that choose cells by a range of values share: random values, and the cells that stock VTK
// chooses.

#include "Testing/Filters/Geometry/Pipelines.hpp"
#include "Testing/Rooms.hpp"

#include <vtkFloatArray.h>
#include <vtkSOADataArrayTemplate.h>
#include <vtkThreshold.h>

#include <array>
#include <random>

namespace spanwise::testing {

/// Every type that arrays of numbers have, but bits.
constexpr std::array numericTypes{VTK_CHAR, VTK_SIGNED_CHAR, VTK_UNSIGNED_CHAR, VTK_SHORT, VTK_UNSIGNED_SHORT, VTK_INT,
  VTK_UNSIGNED_INT, VTK_LONG, VTK_UNSIGNED_LONG, VTK_LONG_LONG, VTK_UNSIGNED_LONG_LONG, VTK_ID_TYPE, VTK_FLOAT,
  VTK_DOUBLE};

/// Makes an array "a" of so many tuples of random whole numbers from 0 to 99.
inline void fillRandomly(vtkDataArray* values, vtkIdType numTuples, std::mt19937& random) {
  std::uniform_int_distribution<int> number(0, 99);
  values->SetName("a");
  values->SetNumberOfTuples(numTuples);
  for (vtkIdType t = 0; t < numTuples; ++t) {
    for (int c = 0; c < values->GetNumberOfComponents(); ++c) {
      values->SetComponent(t, c, number(random));
    }
  }
}

/// The cells that stock VTK finds, with the values of "a".
inline PlacedValues byThreshold(vtkDataSet* data, double lower, double upper, bool invert = false, int component = 0) {
  vtkNew<vtkThreshold> threshold;
  threshold->SetInputData(data);
  threshold->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "a");
  threshold->SetSelectedComponent(component);
  threshold->SetLowerThreshold(lower);
  threshold->SetUpperThreshold(upper);
  threshold->SetInvert(invert);
  threshold->Update();
  return placedValues(threshold->GetOutput(), "a", component);
}

/// Expects that each of the components, and the magnitude, of an array "a" on the cells of `input` is compared.
template <class Filter>
void expectComponents(vtkDataSet* input, vtkDataArray* values) {
  vtkNew<Filter> filter;
  filter->SetInputData(input);
  filter->SetLowerThreshold(30.0);
  filter->SetUpperThreshold(90.0);
  for (int component = 0; component < values->GetNumberOfComponents(); ++component) {
    filter->SetComponent(component);
    filter->Update();
    EXPECT_EQ(placedValues(filter->GetOutput(), "a", component), byThreshold(input, 30.0, 90.0, false, component));
  }
  filter->SetComponent(values->GetNumberOfComponents()); // the magnitude
  filter->Update();
  vtkIdType within = 0;
  for (vtkIdType t = 0; t < values->GetNumberOfTuples(); ++t) {
    double squares = 0.0;
    for (int c = 0; c < values->GetNumberOfComponents(); ++c) {
      squares += values->GetComponent(t, c) * values->GetComponent(t, c);
    }
    within += static_cast<vtkIdType>(squares >= 30.0 * 30.0 && squares <= 90.0 * 90.0);
  }
  EXPECT_GT(within, 0);
  EXPECT_LT(within, values->GetNumberOfTuples());
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), within);
}

/// The same where the components lie side by side, and where each lies in one piece. `make` gives the input, which has
/// the array on its cells.
template <class Filter, class Make>
void expectComponentsOfEveryLayout(const Make& make) {
  const auto expect = [&](auto values) {
    values->SetNumberOfComponents(3);
    const auto input = make(values);
    expectComponents<Filter>(input, values);
  };
  expect(vtkSmartPointer<vtkFloatArray>::New());
  expect(vtkSmartPointer<vtkSOADataArrayTemplate<float>>::New());
}

/// Expects that values from 8 are found on each step of a source that has 10 cells with the values 0 to 9, and the time
/// added to them.
template <class Filter>
void expectEveryStep(StepSource* source) {
  source->steps = {0.0, 1.0, 2.5};
  vtkNew<Filter> filter;
  filter->SetInputConnection(source->GetOutputPort());
  filter->SetLowerThreshold(8.0);
  for (const double time : {0.0, 2.5, 1.0, 0.0}) {
    filter->UpdateTimeStep(time);
    EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 2 + static_cast<int>(time)) << time;
    EXPECT_EQ(filter->GetOutput()->GetInformation()->Get(vtkDataObject::DATA_TIME_STEP()), time);
  }
}

/// Expects the errors that every such filter tells. The input has an array "a" of two components.
template <class Filter>
void expectErrorsOfRanges(Filter* filter) {
  filter->SetComponent(3);
  expectOneError(filter, "the component is 3");
  filter->SetComponent(0);
  filter->SetLowerThreshold(5.0);
  filter->SetUpperThreshold(4.0);
  expectOneError(filter, "lower bound must not exceed");
  filter->SetUpperThreshold(std::numeric_limits<double>::quiet_NaN());
  expectOneError(filter, "neither may be NaN");
  filter->SetUpperThreshold(100.0);
  filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "missing");
  expectOneError(filter, "'missing'");
  filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "a");
}

} // namespace spanwise::testing
