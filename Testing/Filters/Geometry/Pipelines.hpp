#pragma once

// What the tests of filters share: errors counted, outputs as lists of cells, sources with time steps.

#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Geometry/Reference.hpp"

#include "SpanwiseBridge.h"
#include "Testing/Rooms.hpp"

#include <gtest/gtest.h>
#include <vtkAlgorithm.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkDemandDrivenPipeline.h>
#include <vtkImageData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkLogger.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkOutputWindow.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkStreamingDemandDrivenPipeline.h>
#include <vtkUnstructuredGrid.h>
#include <vtkUnstructuredGridAlgorithm.h>

#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace spanwise::testing {

/// Takes what would be shown in the Output window for as long as it lives: the errors and warnings of all objects.
class Messages {
public:
  Messages() : before_(vtkOutputWindow::GetInstance()) {
    vtkOutputWindow::SetInstance(window_);
    vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF);
  }
  ~Messages() {
    vtkOutputWindow::SetInstance(before_);
    vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_WARNING);
  }
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  [[nodiscard]] const std::vector<std::string>& all() const { return window_->texts; }

private:
  class Window : public vtkOutputWindow {
  public:
    static Window* New() { return new Window; }
    vtkTypeMacro(Window, vtkOutputWindow);
    void DisplayText(const char* text) override { texts.emplace_back(text); }
    std::vector<std::string> texts;

  private:
    Window() { this->InitializeObjectBase(); }
  };
  vtkSmartPointer<vtkOutputWindow> before_;
  vtkSmartPointer<Window> window_ = vtkSmartPointer<Window>::Take(Window::New());
};

/// The record that an output carries.
template <int Dim>
IntervalGridPointer<Dim> carriedGrid(vtkDataObject* data) {
  const auto grid = gridOf<Dim>(data);
  if (grid == nullptr) {
    throw std::runtime_error("the output carries no " + std::to_string(Dim) + "D intervals");
  }
  EXPECT_EQ(validate(Context<HostExecutionSpace>(), grid->set()), "");
  return grid;
}

/// The cells of an output by their coordinates.
template <int Dim>
CellList<Dim> cellsOf(vtkDataObject* data) {
  return toCells(carriedGrid<Dim>(data)->set());
}

/// Where cells lie in space, whatever a data set is made of: their centres in millionths.
using Places = std::set<std::array<long long, 3>>;

inline std::array<long long, 3> placeOfCell(vtkDataSet* data, vtkIdType cell) {
  double bounds[6];
  data->GetCellBounds(cell, bounds);
  std::array<long long, 3> place{};
  for (std::size_t d = 0; d < 3; ++d) {
    place[d] = std::llround(5e5 * (bounds[2 * d] + bounds[2 * d + 1]));
  }
  return place;
}

inline Places placesOf(vtkDataSet* data) {
  Places places;
  for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c) {
    places.insert(placeOfCell(data, c));
  }
  return places;
}

/// The values of a cell array by where the cells lie. Expects that no two lie in one place.
using PlacedValues = std::map<std::array<long long, 3>, double>;

inline PlacedValues placedValues(vtkDataSet* data, const char* array, int component = 0) {
  PlacedValues found;
  for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c) {
    found[placeOfCell(data, c)] = data->GetCellData()->GetArray(array)->GetComponent(c, component);
  }
  EXPECT_EQ(std::ssize(found), data->GetNumberOfCells());
  return found;
}

/// Expects that each cell of an output is in one of as many pieces, with its value of the array if there is one, and
/// that no piece is the whole, or a part of it that is further than `slack` from 1 / pieces.
inline void expectPiecesMakeTheWhole(
  vtkAlgorithm* algorithm, const char* array = nullptr, int pieces = 3, double slack = 1.0) {
  const auto current = [&] {
    auto* const data = vtkDataSet::SafeDownCast(algorithm->GetOutputDataObject(0));
    if (array != nullptr) {
      return placedValues(data, array);
    }
    PlacedValues places;
    for (const auto& place : placesOf(data)) {
      places[place] = 0.0;
    }
    EXPECT_EQ(std::ssize(places), data->GetNumberOfCells());
    return places;
  };
  algorithm->UpdatePiece(0, 1, 0);
  const PlacedValues whole = current();
  PlacedValues all;
  for (int piece = 0; piece < pieces; ++piece) {
    algorithm->UpdatePiece(piece, pieces, 0);
    const PlacedValues part = current();
    EXPECT_LT(part.size(), whole.size());
    EXPECT_NEAR(static_cast<double>(part.size()) / static_cast<double>(whole.size()), 1.0 / pieces, slack);
    for (const auto& [place, value] : part) {
      EXPECT_TRUE(all.emplace(place, value).second);
    }
  }
  EXPECT_EQ(all, whole);
}

/// Expects that an output is empty, and that nothing is said about it.
inline void expectNothing(vtkAlgorithm* algorithm) {
  Messages messages;
  algorithm->Update();
  EXPECT_EQ(messages.all().size(), 0U);
  EXPECT_EQ(algorithm->GetOutputDataObject(0)->GetNumberOfElements(vtkDataObject::CELL), 0);
}

/// Expects that an algorithm says one thing with `text` in it, and that its output is empty.
inline void expectOneError(vtkAlgorithm* algorithm, const std::string& text) {
  Messages messages;
  algorithm->Update();
  ASSERT_EQ(messages.all().size(), 1U) << text << ": " << (messages.all().empty() ? "" : messages.all()[0]);
  EXPECT_NE(messages.all()[0].find(text), std::string::npos) << messages.all()[0];
  vtkDataObject* output = algorithm->GetOutputDataObject(0);
  EXPECT_EQ(output->GetNumberOfElements(vtkDataObject::POINT), 0);
  EXPECT_EQ(output->GetNumberOfElements(vtkDataObject::CELL), 0);
}

/// Expects that an algorithm says one thing with `text` in it, and that its output has cells.
inline void expectOneWarning(vtkAlgorithm* algorithm, const std::string& text) {
  Messages messages;
  algorithm->Update();
  ASSERT_EQ(messages.all().size(), 1U) << text << ": " << (messages.all().empty() ? "" : messages.all()[0]);
  EXPECT_NE(messages.all()[0].find(text), std::string::npos) << messages.all()[0];
  EXPECT_GT(algorithm->GetOutputDataObject(0)->GetNumberOfElements(vtkDataObject::CELL), 0);
}

/// A source that a test fills for every time step and piece.
class StepSource : public vtkAlgorithm {
public:
  static StepSource* New() { VTK_STANDARD_NEW_BODY(StepSource); }
  vtkTypeMacro(StepSource, vtkAlgorithm);

  std::string type = "vtkImageData";
  std::vector<double> steps;
  std::function<void(double time, vtkDataObject* output)> fill;
  std::array<int, 6> wholeExtent{0, -1, 0, -1, 0, -1};
  int piece = 0; ///< what is asked for while `fill` runs
  int pieces = 1;

  vtkTypeBool ProcessRequest(
    vtkInformation* request, vtkInformationVector** /*inputs*/, vtkInformationVector* outputs) override {
    using Pipeline = vtkStreamingDemandDrivenPipeline;
    vtkInformation* info = outputs->GetInformationObject(0);
    if (request->Has(vtkDemandDrivenPipeline::REQUEST_INFORMATION())) {
      if (!steps.empty()) {
        const double range[2] = {steps.front(), steps.back()};
        info->Set(Pipeline::TIME_STEPS(), steps.data(), static_cast<int>(steps.size()));
        info->Set(Pipeline::TIME_RANGE(), range, 2);
      }
      info->Set(Pipeline::WHOLE_EXTENT(), wholeExtent.data(), 6);
      info->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
    }
    if (request->Has(vtkDemandDrivenPipeline::REQUEST_DATA())) {
      const double time = info->Has(Pipeline::UPDATE_TIME_STEP()) ? info->Get(Pipeline::UPDATE_TIME_STEP()) : 0.0;
      piece = info->Get(Pipeline::UPDATE_PIECE_NUMBER());
      pieces = info->Get(Pipeline::UPDATE_NUMBER_OF_PIECES());
      fill(time, info->Get(vtkDataObject::DATA_OBJECT()));
      info->Get(vtkDataObject::DATA_OBJECT())->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), time);
    }
    return 1;
  }

protected:
  StepSource() {
    this->SetNumberOfInputPorts(0);
    this->SetNumberOfOutputPorts(1);
  }
  int FillOutputPortInformation(int /*port*/, vtkInformation* info) override {
    info->Set(vtkDataObject::DATA_TYPE_NAME(), type.c_str());
    return 1;
  }
};

/// The dataset of a set of cells, with the cell array "number" counting from `first`.
template <int Dim>
vtkSmartPointer<vtkUnstructuredGrid> gridOfCells(
  const CellList<Dim>& cells, const GridPlacement& placement = {}, double first = 0.0) {
  auto grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
  setGrid<Dim>(grid, IntervalGrid<Dim>::make(toHostSet<Dim>(cells), placement));
  auto numbers = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(VTK_DOUBLE));
  numbers->SetName("number");
  numbers->SetNumberOfTuples(grid->GetNumberOfCells());
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
    numbers->SetComponent(c, 0, first + static_cast<double>(c));
  }
  grid->GetCellData()->AddArray(numbers);
  return grid;
}

} // namespace spanwise::testing
