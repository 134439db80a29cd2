// Filters that work on fields give the same cells and values, bit for bit, on any number of ranks.

#include "Testing/Filters/Parallel/Ranks.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseFieldStencil.h"
#include "vtkSpanwiseRemapField.h"
#include "vtkSpanwiseThresholdToIntervals.h"

#include <vtkDoubleArray.h>

#include <random>

namespace spanwise::testing {
namespace {

/// A grid whose cells the pieces have in turn, `run` at a time, with a scalar and a vector.
template <int Dim>
vtkSmartPointer<StepSource> scattered(unsigned salt, std::size_t run) {
  auto source = vtkSmartPointer<StepSource>::New();
  source->type = "vtkUnstructuredGrid";
  source->fill = [=, source = source.Get()](double /*time*/, vtkDataObject* output) {
    std::mt19937 random(seed() + salt);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    CellList<Dim> cells;
    vtkNew<vtkDoubleArray> values;
    values->SetName("value");
    vtkNew<vtkDoubleArray> vectors;
    vectors->SetName("vector");
    vectors->SetNumberOfComponents(3);
    std::size_t k = 0;
    for (const Cell<Dim>& cell : randomCells<Dim>(random, Dim == 2 ? 24 : 9, 0.8)) {
      std::mt19937 ofCell(static_cast<unsigned>(k) + salt); // the same value whoever has the cell
      const double value = uniform(ofCell);
      if (static_cast<int>(k / run) % source->pieces == source->piece) {
        cells.insert(cell);
        values->InsertNextValue(value);
        vectors->InsertNextTuple3(value, uniform(ofCell), uniform(ofCell));
      }
      ++k;
    }
    const auto grid = gridOfCells<Dim>(cells, {{0.0, 0.0, 0.0}, {0.5, 0.25, 0.75}, 0});
    grid->GetCellData()->Initialize();
    grid->GetCellData()->SetScalars(values);
    grid->GetCellData()->AddArray(vectors);
    output->ShallowCopy(grid);
  };
  return source;
}

template <int Dim>
void expectThreshold(std::size_t run) {
  expectSameAsAlone([&](vtkMultiProcessController* controller) {
    auto filter = vtkSmartPointer<vtkSpanwiseThresholdToIntervals>::New();
    filter->SetController(controller);
    const auto source = scattered<Dim>(0, run);
    filter->SetInputConnection(source->GetOutputPort());
    filter->SetLowerThreshold(-0.4);
    filter->SetUpperThreshold(0.6);
    return filter;
  });
}

TEST(Fields, ThresholdTogether) {
  for (const std::size_t run : {1U, 7U, 1000U, 1000000U}) { // the last: all cells on the first rank
    expectThreshold<2>(run);
    expectThreshold<3>(run);
  }
}

template <int Dim>
void expectRemap(std::size_t run, std::size_t runOfSource) {
  expectSameAsAlone([&](vtkMultiProcessController* controller) {
    auto filter = vtkSmartPointer<vtkSpanwiseRemapField>::New();
    filter->SetController(controller);
    const auto input = scattered<Dim>(1, run);
    const auto source = scattered<Dim>(2, runOfSource);
    filter->SetInputConnection(input->GetOutputPort());
    filter->SetSourceConnection(source->GetOutputPort());
    filter->SetDefaultValue(-5.0);
    filter->SetKeepValues(run == 1);
    return filter;
  });
}

TEST(Fields, RemapTogether) {
  expectRemap<2>(1, 7);
  expectRemap<3>(300, 100);
  expectRemap<3>(1000000, 10);
}

template <int Dim>
void expectStencil(std::size_t run, int stencil, int policy, int iterations) {
  SCOPED_TRACE("stencil " + std::to_string(stencil) + ", policy " + std::to_string(policy));
  expectSameAsAlone([&](vtkMultiProcessController* controller) {
    auto filter = vtkSmartPointer<vtkSpanwiseFieldStencil>::New();
    filter->SetController(controller);
    const auto source = scattered<Dim>(3, run);
    filter->SetInputConnection(source->GetOutputPort());
    filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS,
      stencil == vtkSpanwiseFieldStencil::DIVERGENCE ? "vector" : "value");
    filter->SetStencil(stencil);
    filter->SetBoundaryPolicy(policy);
    filter->SetBoundaryValue(0.3);
    filter->SetIterations(iterations);
    return filter;
  });
}

TEST(Fields, ApplyStencilsTogether) {
  using Filter = vtkSpanwiseFieldStencil;
  for (int stencil = Filter::LAPLACIAN; stencil <= Filter::BOX_FILTER; ++stencil) {
    for (int policy = Filter::VALUE; policy <= Filter::PERIODIC; ++policy) {
      expectStencil<2>(11, stencil, policy, 1);
      expectStencil<3>(1000, stencil, policy, 3);
      expectStencil<2>(1000000, stencil, policy, 30); // values travel over all ranks
    }
  }
}

} // namespace
} // namespace spanwise::testing
