#include "Testing/Filters/Geometry/Pipelines.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseFieldStencil.h"

#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkIntArray.h>
#include <vtkSOADataArrayTemplate.h>
#include <vtkStringArray.h>

#include <algorithm>
#include <limits>
#include <random>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseFieldStencil;
using Function = std::function<double(double, double, double)>;

/// Powers of two: sums and products of some are exact.
template <int Dim>
GridPlacement placement() {
  return {{1.0, -2.0, Dim == 3 ? 0.5 : 0.0}, {0.5, 2.0, 0.25}, 0};
}

template <int Dim>
CellList<Dim> boxOfCells() {
  constexpr Coordinate extent = Dim == 2 ? 8 : 4;
  return allCells<Dim>(-extent, extent);
}

/// A grid with a component of the array "f" for each function, evaluated at the centres of cells.
template <class Array, int Dim>
vtkSmartPointer<vtkUnstructuredGrid> sampled(const CellList<Dim>& cells, const std::vector<Function>& functions) {
  const auto grid = gridOfCells<Dim>(cells, placement<Dim>());
  vtkNew<Array> values;
  values->SetName("f");
  values->SetNumberOfComponents(static_cast<int>(functions.size()));
  values->SetNumberOfTuples(grid->GetNumberOfCells());
  for (vtkIdType k = 0; k < grid->GetNumberOfCells(); ++k) {
    double bounds[6];
    grid->GetCellBounds(k, bounds);
    for (std::size_t c = 0; c < functions.size(); ++c) {
      values->SetComponent(k, static_cast<int>(c),
        functions[c](0.5 * (bounds[0] + bounds[1]), 0.5 * (bounds[2] + bounds[3]), 0.5 * (bounds[4] + bounds[5])));
    }
  }
  grid->GetCellData()->SetScalars(values);
  return grid;
}

/// The components of an array of the output, by cell.
std::vector<std::vector<double>> components(Filter* filter, const char* name) {
  vtkDataArray* values = filter->GetOutput()->GetCellData()->GetArray(name);
  if (values == nullptr) {
    throw std::runtime_error(std::string("there is no array ") + name);
  }
  std::vector<std::vector<double>> result(static_cast<std::size_t>(values->GetNumberOfTuples()));
  for (vtkIdType k = 0; k < values->GetNumberOfTuples(); ++k) {
    for (int c = 0; c < values->GetNumberOfComponents(); ++c) {
      result[static_cast<std::size_t>(k)].push_back(values->GetComponent(k, c));
    }
  }
  return result;
}

/// Expects the functions in cells within the box, and NaN at its faces.
template <int Dim>
void expectInside(Filter* filter, const char* name, const std::vector<Function>& expected) {
  const auto found = components(filter, name);
  const auto grid = carriedGrid<Dim>(filter->GetOutput());
  for (std::int64_t k = 0; k < grid->cells().numCells; ++k) {
    const Cell<Dim> cell = grid->cellAt(k);
    bool inside = true;
    double x[3] = {0.0, 0.0, 0.0};
    for (int axis = 0; axis < Dim; ++axis) {
      inside = inside && cell.at[axis] > grid->box().begin[axis] && cell.at[axis] < grid->box().end[axis] - 1;
      x[axis] = placement<Dim>().origin[axis] + (cell.at[axis] + 0.5) * placement<Dim>().spacing[axis];
    }
    for (std::size_t c = 0; c < expected.size(); ++c) {
      const double value = found[static_cast<std::size_t>(k)][c];
      EXPECT_TRUE(inside ? value == expected[c](x[0], x[1], x[2]) : std::isnan(value)) << "cell " << k << ": " << value;
    }
  }
}

template <int Dim>
void expectDerivatives() {
  const Function f = [](double x, double y, double z) {
    return 3.0 * x * x - 2.0 * y * y + 4.0 * z * z + x * y + 7.0 * x - y + z;
  };
  vtkNew<Filter> filter;
  filter->SetBoundaryPolicy(Filter::SKIP);
  filter->SetInputData(sampled<vtkDoubleArray>(boxOfCells<Dim>(), {f}));
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetNumberOfArrays(), 3); // "number" and "f" too
  expectInside<Dim>(filter, "f Laplacian", {[](double, double, double) { return Dim == 2 ? 2.0 : 10.0; }});

  filter->SetStencil(Filter::GRADIENT);
  filter->Update();
  expectInside<Dim>(filter, "f Gradient",
    {[](double x, double y, double) { return 6.0 * x + y + 7.0; },
      [](double x, double y, double) { return -4.0 * y + x - 1.0; }});
  for (const auto& gradient : components(filter, "f Gradient")) {
    ASSERT_EQ(gradient.size(), 3U); // a vector of VTK in any case
    if (Dim == 2) {
      EXPECT_EQ(gradient[2], 0.0);
    }
  }

  filter->SetStencil(Filter::DIVERGENCE);
  filter->SetInputData(sampled<vtkDoubleArray>(boxOfCells<Dim>(),
    {[](double x, double y, double) { return x * x + y; }, [](double x, double y, double) { return 3.0 * x * y; },
      [](double x, double, double z) { return x - 8.0 * z; }}));
  filter->Update();
  expectInside<Dim>(
    filter, "f Divergence", {[](double x, double, double) { return 5.0 * x - (Dim == 3 ? 8.0 : 0.0); }});
}

TEST(FieldStencil, DerivativesOfQuadraticsAreExact) {
  expectDerivatives<2>();
  expectDerivatives<3>();
}

TEST(FieldStencil, MirrorLetsNothingThroughTheBoundary) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_int_distribution<int> digit(-9, 9);
  const auto grid = sampled<vtkDoubleArray>(randomCells<3>(random, 6, 0.6),
    {[&](double, double, double) { return digit(random); }, [](double, double, double) { return 4.0; }});
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->Update();
  double sum = 0.0;
  for (const auto& value : components(filter, "f Laplacian")) {
    sum += value[0];
    EXPECT_EQ(value[1], 0.0);
  }
  EXPECT_EQ(sum, 0.0);
}

TEST(FieldStencil, SmoothingStaysWithinTheRangeAndKeepsConstants) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto grid = sampled<vtkDoubleArray>(boxOfCells<2>(),
    {[&](double, double, double) { return uniform(random); }, [](double, double, double) { return 4.0; }});
  double range[2];
  grid->GetCellData()->GetArray("f")->GetRange(range, 0);
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetIterations(20);
  for (const int stencil : {Filter::JACOBI_SMOOTHING, Filter::BOX_FILTER}) {
    filter->SetStencil(stencil);
    filter->SetResultArrayName("result");
    filter->Update();
    double least = range[1];
    double greatest = range[0];
    for (const auto& value : components(filter, "result")) {
      least = std::min(least, value[0]);
      greatest = std::max(greatest, value[0]);
      EXPECT_DOUBLE_EQ(value[1], 4.0);
    }
    EXPECT_GE(least, range[0]);
    EXPECT_LE(greatest, range[1]);
    EXPECT_LT(greatest - least, 0.5 * (range[1] - range[0]));
  }
  EXPECT_EQ(grid->GetCellData()->GetNumberOfArrays(), 2); // the input stays as it is
}

TEST(FieldStencil, IterationsAreTheFilterOverAndOver) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto grid =
    sampled<vtkDoubleArray>(randomCells<2>(random, 10, 0.8), {[&](double, double, double) { return uniform(random); }});
  for (const int stencil : {Filter::LAPLACIAN, Filter::JACOBI_SMOOTHING, Filter::BOX_FILTER}) {
    for (const int policy : {Filter::VALUE, Filter::MIRROR, Filter::PERIODIC}) {
      vtkNew<Filter> once;
      vtkNew<Filter> again;
      vtkNew<Filter> twice;
      for (Filter* filter : {once.Get(), again.Get(), twice.Get()}) {
        filter->SetStencil(stencil);
        filter->SetBoundaryPolicy(policy);
        filter->SetBoundaryValue(0.5);
        filter->SetResultArrayName("result");
      }
      once->SetInputData(grid);
      again->SetInputConnection(once->GetOutputPort());
      again->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "result");
      twice->SetInputData(grid);
      twice->SetIterations(2);
      again->Update();
      twice->Update();
      EXPECT_EQ(components(again, "result"), components(twice, "result")) << stencil << " " << policy;
    }
  }
}

TEST(FieldStencil, PeriodicJoinsTheSidesOfTheBox) {
  // A wave that fits into the box is an eigenvector: f(x - h) + f(x + h) = 2 cos(k h) f(x).
  const double k = 2.0 * std::acos(-1.0) / 8.0; // the box has 16 cells of 0.5 along x
  const auto grid =
    sampled<vtkDoubleArray>(boxOfCells<2>(), {[&](double x, double, double) { return std::sin(k * x); }});
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetBoundaryPolicy(Filter::PERIODIC);
  filter->Update();
  const auto found = components(filter, "f Laplacian");
  vtkDataArray* values = grid->GetCellData()->GetArray("f");
  for (std::size_t c = 0; c < found.size(); ++c) {
    const double factor = (2.0 * std::cos(0.5 * k) - 2.0) / 0.25;
    EXPECT_NEAR(found[c][0], factor * values->GetComponent(static_cast<vtkIdType>(c), 0), 1e-12);
  }
  // Along y too: the divergence of any field sums up to nothing.
  filter->SetStencil(Filter::DIVERGENCE);
  filter->SetInputData(sampled<vtkDoubleArray>(boxOfCells<2>(),
    {[](double x, double y, double) { return x * y; }, [](double x, double y, double) { return x + y * y; }}));
  filter->Update();
  double sum = 0.0;
  for (const auto& value : components(filter, "f Divergence")) {
    sum += value[0];
  }
  EXPECT_EQ(sum, 0.0);
}

TEST(FieldStencil, ValueIsWhatIsOutside) {
  vtkNew<Filter> filter;
  filter->SetInputData(sampled<vtkDoubleArray, 2>({{{0, 0}}}, {[](double, double, double) { return 1.0; }}));
  filter->SetBoundaryPolicy(Filter::VALUE);
  filter->SetBoundaryValue(3.0);
  filter->Update();
  EXPECT_EQ(components(filter, "f Laplacian")[0][0], 4.0 / 0.25 + 4.0 / 4.0);
  filter->SetStencil(Filter::BOX_FILTER);
  filter->Update();
  EXPECT_DOUBLE_EQ(components(filter, "f Box Mean")[0][0], (8.0 * 3.0 + 1.0) / 9.0);
}

// A cell at the boundary has no Laplacian, and so the one beside it has none of the second order.
TEST(FieldStencil, SkippedCellsHaveNoLaplacianHoweverOften) {
  CellList<2> box;
  for (Coordinate y = 0; y < 9; ++y) {
    for (Coordinate x = 0; x < 12; ++x) {
      box.insert({{x, y}});
    }
  }
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<2>(box));
  filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "number");
  filter->SetStencil(Filter::LAPLACIAN);
  filter->SetBoundaryPolicy(Filter::SKIP);
  for (int iterations = 1; iterations <= 5; ++iterations) {
    filter->SetIterations(iterations);
    filter->Update();
    vtkDataArray* found = filter->GetOutput()->GetCellData()->GetArray("number Laplacian");
    int missing = 0;
    for (vtkIdType c = 0; c < found->GetNumberOfTuples(); ++c) {
      missing += static_cast<int>(std::isnan(found->GetComponent(c, 0)));
    }
    const int left = std::max(12 - 2 * iterations, 0) * std::max(9 - 2 * iterations, 0);
    EXPECT_EQ(missing, 108 - left) << iterations << " iterations";
  }
}

TEST(FieldStencil, SkippedCellsKeepTheirValueWhenSmoothed) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto grid = sampled<vtkDoubleArray>(boxOfCells<2>(), {[&](double, double, double) { return uniform(random); }});
  vtkDataArray* values = grid->GetCellData()->GetArray("f");
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetBoundaryPolicy(Filter::SKIP);
  filter->SetResultArrayName("result");
  for (const int stencil : {Filter::JACOBI_SMOOTHING, Filter::BOX_FILTER}) {
    for (const int iterations : {1, 2, 3}) {
      filter->SetStencil(stencil);
      filter->SetIterations(iterations);
      filter->Update();
      const auto found = components(filter, "result");
      for (std::size_t k = 0; k < found.size(); ++k) { // 16 x 16 cells
        const bool atSide = k % 16 == 0 || k % 16 == 15 || k / 16 == 0 || k / 16 == 15;
        EXPECT_EQ(found[k][0] == values->GetComponent(static_cast<vtkIdType>(k), 0), atSide) << k;
      }
    }
  }
}

TEST(FieldStencil, TakesArraysOfAnyTypeAndLayout) {
  const std::vector<Function> functions{[](double x, double, double) { return x * x; },
    [](double, double y, double) { return 4.0 * y; }, [](double, double, double z) { return z; }};
  vtkNew<Filter> filter;
  filter->SetInputData(sampled<vtkDoubleArray>(boxOfCells<3>(), functions));
  filter->Update();
  const auto expected = components(filter, "f Laplacian");
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetArray("f Laplacian")->GetDataType(), VTK_DOUBLE);
  filter->SetInputData(sampled<vtkFloatArray>(boxOfCells<3>(), functions));
  filter->Update();
  EXPECT_EQ(components(filter, "f Laplacian"), expected);
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetArray("f Laplacian")->GetDataType(), VTK_FLOAT);
  filter->SetInputData(sampled<vtkSOADataArrayTemplate<double>>(boxOfCells<3>(), functions));
  filter->Update();
  EXPECT_EQ(components(filter, "f Laplacian"), expected);
  const auto whole = sampled<vtkIntArray>(boxOfCells<3>(), {[](double x, double y, double) { return 16.0 * x * y; }});
  filter->SetInputData(whole);
  filter->SetStencil(Filter::JACOBI_SMOOTHING);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetArray("f Smoothed")->GetDataType(), VTK_DOUBLE);
}

TEST(FieldStencil, TakesImages) {
  vtkNew<vtkImageData> image;
  image->SetDimensions(9, 9, 9);
  image->SetSpacing(0.5, 0.5, 0.5);
  vtkNew<vtkDoubleArray> values;
  values->SetName("a");
  for (vtkIdType k = 0; k < image->GetNumberOfCells(); ++k) {
    double bounds[6];
    image->GetCellBounds(k, bounds);
    values->InsertNextValue(bounds[0] * bounds[0]);
  }
  image->GetCellData()->SetScalars(values);
  vtkNew<Filter> filter;
  filter->SetInputData(image);
  filter->SetBoundaryPolicy(Filter::SKIP);
  filter->Update();
  int inside = 0;
  for (const auto& value : components(filter, "a Laplacian")) {
    EXPECT_TRUE(std::isnan(value[0]) || value[0] == 2.0);
    inside += static_cast<int>(!std::isnan(value[0]));
  }
  EXPECT_EQ(inside, 6 * 6 * 6);
}

TEST(FieldStencil, PassesFieldDataAndUnits) {
  const auto grid = sampled<vtkDoubleArray>(boxOfCells<2>(), {[](double x, double, double) { return x; }});
  grid->GetCellData()->GetArray("f")->GetInformation()->Set(vtkDataArray::UNITS_LABEL(), "K");
  vtkNew<vtkStringArray> note;
  note->SetName("note");
  note->InsertNextValue("kept");
  grid->GetFieldData()->AddArray(note);
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->Update();
  EXPECT_STREQ(
    filter->GetOutput()->GetCellData()->GetArray("f")->GetInformation()->Get(vtkDataArray::UNITS_LABEL()), "K");
  EXPECT_NE(filter->GetOutput()->GetFieldData()->GetAbstractArray("note"), nullptr);
}

TEST(FieldStencil, NothingComesFromNothing) {
  vtkNew<vtkUnstructuredGrid> empty;
  vtkNew<Filter> filter;
  filter->SetInputData(empty);
  Messages messages;
  for (const int policy : {Filter::MIRROR, Filter::PERIODIC}) {
    filter->SetBoundaryPolicy(policy);
    filter->Update();
    EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 0);
  }
  EXPECT_EQ(messages.all().size(), 0U);
}

TEST(FieldStencil, BadInputIsOneError) {
  const Function f = [](double x, double, double) { return x; };
  vtkNew<Filter> filter;
  filter->SetInputData(sampled<vtkDoubleArray>(boxOfCells<2>(), {f}));
  filter->SetStencil(7);
  expectOneError(filter, "the stencil is 7");
  filter->SetStencil(Filter::DIVERGENCE);
  expectOneError(filter, "has 1 component; the divergence is that of an array of 2 or 3");
  filter->SetStencil(Filter::JACOBI_SMOOTHING);
  filter->SetRelaxation(0.0);
  expectOneError(filter, "the relaxation is 0");
  filter->SetRelaxation(1.0);
  filter->SetIterations(0);
  expectOneError(filter, "the number of iterations is 0");
  filter->SetIterations(1);
  filter->SetBoundaryPolicy(9);
  expectOneError(filter, "the boundary policy is 9");
  filter->SetBoundaryPolicy(Filter::MIRROR);
  filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "missing");
  expectOneError(filter, "'missing'");
  filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "f");
  filter->SetStencil(Filter::GRADIENT);
  filter->SetInputData(sampled<vtkDoubleArray>(boxOfCells<2>(), {f, f}));
  expectOneError(filter, "has 2 components; the gradient");
  filter->SetInputData(sampled<vtkDoubleArray>(boxOfCells<2>(), {f}));
  filter->Update();
  EXPECT_GT(filter->GetOutput()->GetNumberOfCells(), 0);
}

// The Laplacian of a Laplacian needs two cells on all sides. What lacks them has none, however often it is applied.
TEST(FieldStencil, SkippedCellsHaveNoLaplacianOfALaplacian) {
  vtkNew<Filter> filter;
  filter->SetBoundaryPolicy(Filter::SKIP);
  filter->SetInputData(sampled<vtkDoubleArray>(boxOfCells<2>(), {[](double x, double, double) { return x; }}));
  for (const int iterations : {1, 2, 3}) {
    filter->SetIterations(iterations);
    filter->Update();
    const auto found = components(filter, "f Laplacian");
    const auto grid = carriedGrid<2>(filter->GetOutput());
    for (std::int64_t k = 0; k < grid->cells().numCells; ++k) {
      Coordinate depth = std::numeric_limits<Coordinate>::max(); // cells to the nearest side of the box
      for (int axis = 0; axis < 2; ++axis) {
        depth = std::min({depth, grid->cellAt(k).at[axis] - grid->box().begin[axis],
          grid->box().end[axis] - 1 - grid->cellAt(k).at[axis]});
      }
      const double value = found[static_cast<std::size_t>(k)][0];
      EXPECT_TRUE(depth >= iterations ? value == 0.0 : std::isnan(value)) << "depth " << depth << ": " << value;
    }
  }
}

} // namespace
} // namespace spanwise::testing
