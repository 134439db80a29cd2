#include "Testing/Filters/Geometry/Pipelines.hpp"

#include "Core/Geometry/DomainMorphology.hpp"
#include "Core/Runtime/Context.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseBoundary.h"
#include "vtkSpanwiseIntervalShape.h"
#include "vtkSpanwiseMorphology.h"

#include <vtkDoubleArray.h>
#include <vtkImageData.h>
#include <vtkIntArray.h>
#include <vtkSphereSource.h>

#include <random>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseMorphology;
using Host = HostExecutionSpace;

/// What Core makes of the cells.
template <int Dim>
CellList<Dim> morphed(
  int operation, const CellList<Dim>& cells, const StructuringElement<Dim>& element, const Periods<Dim>& periods = {}) {
  HostIntervalSet<Dim> out;
  const Context<Host> context;
  morph<Host, Dim>(context, static_cast<MorphologyOperation>(operation), toHostSet<Dim>(cells), element, out, periods);
  return toCells(out);
}

template <int Dim>
void expectEveryElement(std::mt19937& random, Coordinate extent) {
  const CellList<Dim> cells = randomCells<Dim>(random, extent, 0.6);
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<Dim>(cells, {{0.5, -1.0, 2.0}, {0.25, 0.25, 0.25}, 0}));
  filter->SetRadii(2.0, 1.9, 0.0);
  filter->SetRadius(2.5);
  filter->SetIterations(2);
  Cell<Dim> radii{};
  radii.at[0] = 2;
  radii.at[1] = 1;
  const std::pair<int, StructuringElement<Dim>> elements[] = {{Filter::BOX, StructuringElement<Dim>::box(radii)},
    {Filter::DIAMOND, StructuringElement<Dim>::diamond(2)}, {Filter::BALL, StructuringElement<Dim>::ball(2.5)},
    {Filter::FACES, StructuringElement<Dim>::neighbourhood(Connectivity::Face, 2)},
    {Filter::EDGES, StructuringElement<Dim>::neighbourhood(Connectivity::Edge, 2)},
    {Filter::VERTICES, StructuringElement<Dim>::neighbourhood(Connectivity::Vertex, 2)}};
  for (const auto& [kind, element] : elements) {
    filter->SetElement(kind);
    for (int operation = Filter::DILATE; operation <= Filter::INNER_GRADIENT; ++operation) {
      filter->SetOperation(operation);
      filter->Update();
      EXPECT_TRUE(cellsOf<Dim>(filter->GetOutput()) == morphed<Dim>(operation, cells, element))
        << "operation " << operation << ", element " << kind;
      EXPECT_EQ(carriedGrid<Dim>(filter->GetOutput())->placement().origin[1], -1.0);
    }
  }
}

TEST(Morphology, DoesEveryOperationByEveryElement) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  expectEveryElement<2>(random, 12);
  expectEveryElement<3>(random, 6);
}

/// The cells of the dilation of one cell of these sides.
template <int Dim>
Places elementPlaces(Filter* filter, const std::array<double, 3>& sides) {
  filter->SetInputData(gridOfCells<Dim>({Cell<Dim>{}}, {{0, 0, 0}, {sides[0], sides[1], sides[2]}, 0}));
  filter->Update();
  return placesOf(filter->GetOutput());
}

// A radius that is a length reaches as far along every axis, whatever the sides of the cells.
TEST(Morphology, MeasuresLengths) {
  vtkNew<Filter> filter;
  filter->SetRadiusUnit(Filter::IN_LENGTH);
  filter->SetRadius(0.3);
  filter->SetRadii(0.3, 0.3, 0.3);
  for (const std::array<double, 3>& sides : {std::array{0.1, 0.1, 0.1}, std::array{0.1, 0.05, 0.15}}) {
    for (const int element : {Filter::BOX, Filter::DIAMOND, Filter::BALL}) {
      filter->SetElement(element);
      std::size_t expected = 0;
      for (int z = -10; z <= 10; ++z) {
        for (int y = -10; y <= 10; ++y) {
          for (int x = -10; x <= 10; ++x) {
            const double at[3] = {std::abs(x * sides[0]), std::abs(y * sides[1]), std::abs(z * sides[2])};
            const double distance = element == Filter::BOX ? std::max({at[0], at[1], at[2]})
              : element == Filter::DIAMOND                 ? at[0] + at[1] + at[2]
                                                           : std::hypot(at[0], at[1], at[2]);
            expected += static_cast<std::size_t>(distance <= 0.3 + 1e-9);
          }
        }
      }
      EXPECT_EQ(elementPlaces<3>(filter, sides).size(), expected) << "element " << element;
    }
  }
  filter->SetElement(Filter::BALL);
  EXPECT_EQ(elementPlaces<2>(filter, {0.1, 0.1, 1.0}).size(), 29U);
  EXPECT_EQ(elementPlaces<2>(filter, {0.3, 0.1, 1.0}).size(), 9U);
}

TEST(Morphology, TakesTheCellsOfTheSecondInput) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const CellList<3> cells = randomCells<3>(random, 5, 0.4);
  CellList<3> element = randomCells<3>(random, 2, 0.3);
  element.insert({{1, 1, 1}});
  CellList<3> aroundOrigin;
  for (const Cell<3>& cell : element) {
    aroundOrigin.insert({{cell.at[0] - 1, cell.at[1], cell.at[2] + 2}}); // the origin's cell is (1, 0, -2)
  }
  const GridPlacement elsewhere{{0.3, 0.1, -7.0}, {0.5, 0.5, 0.5}, 0};
  vtkNew<Filter> filter;
  filter->SetInputData(0, gridOfCells<3>(cells, {{0, 0, 0}, {0.5, 0.5, 0.5}, 0}));
  filter->SetInputData(1, gridOfCells<3>(element, elsewhere));
  filter->SetElement(Filter::CELLS);
  filter->SetElementOrigin(0.3 + 0.7, 0.1 + 0.2, -7.0 - 0.9);
  const auto by = StructuringElement<3>::of(toHostSet<3>(aroundOrigin));
  for (const int operation : {Filter::DILATE, Filter::ERODE, Filter::CLOSE}) {
    filter->SetOperation(operation);
    filter->Update();
    EXPECT_TRUE(cellsOf<3>(filter->GetOutput()) == morphed<3>(operation, cells, by));
  }
}

template <int Dim>
void expectPeriodic(std::mt19937& random) {
  CellList<Dim> cells = randomCells<Dim>(random, 5, 0.3);
  Cell<Dim> first;
  Cell<Dim> last;
  std::fill_n(first.at, Dim, -5);
  std::fill_n(last.at, Dim, 4);
  cells.insert(first);
  cells.insert(last); // the bounding box is the whole period
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<Dim>(cells));
  filter->SetRadii(3.0, 2.0, 1.0);
  Cell<Dim> radii{};
  const Coordinate all[3] = {3, 2, 1};
  std::copy_n(all, Dim, radii.at);
  for (unsigned axes = 0; axes < 1U << Dim; ++axes) {
    filter->SetPeriodicX((axes & 1U) != 0);
    filter->SetPeriodicY((axes & 2U) != 0);
    filter->SetPeriodicZ((axes & 4U) != 0);
    Periods<Dim> periods;
    for (int d = 0; d < Dim; ++d) {
      periods.along[d] = (axes >> d & 1U) != 0;
      periods.box.begin[d] = -5;
      periods.box.end[d] = 5;
    }
    for (const int box : {Filter::BOX_OF_INPUT, Filter::GIVEN_BOUNDS}) {
      filter->SetPeriodBox(box);
      filter->SetPeriodBounds(-5.0, 7.0, -5.0, 7.0, -5.0, 7.0);
      std::fill_n(periods.box.end, Dim, box == Filter::GIVEN_BOUNDS ? 7 : 5);
      for (const int operation : {Filter::DILATE, Filter::ERODE, Filter::OPEN}) {
        filter->SetOperation(operation);
        filter->Update();
        EXPECT_TRUE(cellsOf<Dim>(filter->GetOutput()) ==
          morphed<Dim>(operation, cells, StructuringElement<Dim>::box(radii), periods))
          << "operation " << operation << ", axes " << axes;
      }
    }
  }
}

TEST(Morphology, WrapsPeriodicAxes) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  expectPeriodic<2>(random);
  expectPeriodic<3>(random);
}

TEST(Morphology, CellsKeepTheirValues) {
  const auto grid = gridOfCells<2>({{{0, 0}}, {{1, 0}}}, {}, 7.0);
  vtkNew<vtkIntArray> whole;
  whole->SetName("whole");
  whole->InsertNextValue(5);
  whole->InsertNextValue(6);
  grid->GetCellData()->AddArray(whole);
  vtkNew<vtkDoubleArray> field;
  field->SetName("field");
  field->InsertNextValue(1.5);
  grid->GetFieldData()->AddArray(field);
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetRadii(1.0, 0.0, 0.0);
  filter->Update();
  vtkUnstructuredGrid* output = filter->GetOutput();
  ASSERT_EQ(output->GetNumberOfCells(), 4);
  vtkDataArray* numbers = output->GetCellData()->GetArray("number");
  EXPECT_TRUE(std::isnan(numbers->GetComponent(0, 0)));
  EXPECT_EQ(numbers->GetComponent(1, 0), 7.0);
  EXPECT_EQ(numbers->GetComponent(2, 0), 8.0);
  EXPECT_TRUE(std::isnan(numbers->GetComponent(3, 0)));
  vtkDataArray* wholes = output->GetCellData()->GetArray("whole");
  EXPECT_EQ(wholes->GetComponent(0, 0), 0.0);
  EXPECT_EQ(wholes->GetComponent(2, 0), 6.0);
  EXPECT_EQ(output->GetFieldData()->GetArray("field")->GetComponent(0, 0), 1.5);
  filter->PassAllArraysOff();
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetNumberOfArrays(), 0);
  filter->GetArraySelection()->EnableArray("whole");
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetNumberOfArrays(), 1);
}

TEST(Morphology, TakesImagesAndEmptyInputs) {
  vtkNew<vtkImageData> image;
  image->SetExtent(0, 4, 0, 3, 0, 2);
  vtkNew<Filter> filter;
  filter->SetInputData(image);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 6 * 5 * 4);
  vtkNew<vtkUnstructuredGrid> nothing;
  filter->SetInputData(nothing);
  filter->PeriodicXOn();
  expectNothing(filter);
}

TEST(Morphology, PiecesPartitionTheWhole) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<2>(randomCells<2>(random, 20, 0.3)));
  expectPiecesMakeTheWhole(filter);
}

// A step of a time series may have no cells: then neither their dimension nor their size is known.
TEST(Morphology, OfNothingIsNothing) {
  vtkNew<vtkUnstructuredGrid> nothing;
  vtkNew<Filter> filter;
  filter->SetInputData(nothing);
  Messages messages;
  for (const int element : {Filter::BOX, Filter::BALL, Filter::EDGES, Filter::CELLS}) {
    filter->SetElement(element);
    filter->SetInputData(1, gridOfCells<3>({{{0, 0, 0}}}, {{0, 0, 0}, {0.5, 0.5, 0.5}, 0}));
    filter->Update();
    EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 0);
  }
  EXPECT_EQ(messages.all().size(), 0U);
}

TEST(Morphology, BadInputIsOneError) {
  const auto grid = gridOfCells<2>({{{0, 0}}, {{4, 0}}});
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetOperation(6);
  expectOneError(filter, "the operation is 6");
  filter->SetOperation(Filter::DILATE);
  filter->SetElement(-1);
  expectOneError(filter, "the element is -1");
  filter->SetElement(Filter::BOX);
  filter->SetRadii(1.0, -2.0, 0.0);
  expectOneError(filter, "the radius is -2 cells");
  filter->SetElement(Filter::BALL);
  filter->SetRadius(std::numeric_limits<double>::quiet_NaN());
  expectOneError(filter, "nan");
  filter->SetRadius(1e6);
  expectOneError(filter, "30000");
  filter->SetElement(Filter::FACES);
  filter->SetIterations(-3);
  expectOneError(filter, "iterations of a structuring element is -3");
  filter->SetElement(Filter::CELLS);
  expectOneError(filter, "the second input (Element Cells), and there is none");
  filter->SetInputData(1, gridOfCells<3>({{{0, 0, 0}}}));
  expectOneError(filter, "the element is 3D and the input 2D");
  filter->SetInputData(1, gridOfCells<2>({{{0, 0}}}, {{0, 0, 0}, {2, 1, 1}, 0}));
  expectOneError(filter, "the spacings along x are 1 and 2");
  vtkNew<vtkUnstructuredGrid> nothing;
  filter->SetInputData(1, nothing);
  expectOneError(filter, "the structuring element has no cell");
  filter->SetInputData(gridOfCells<3>({{{0, 0, 0}}}, {{0, 0, 0}, {0.5, 0.5, 0.5}, 0}));
  expectOneError(filter, "the structuring element has no cell");
  filter->SetInputData(grid);
  filter->SetElement(Filter::BOX);
  filter->SetRadii(1.0, 1.0, 1.0);
  filter->PeriodicXOn();
  filter->SetPeriodBox(Filter::GIVEN_BOUNDS);
  filter->SetPeriodBounds(0.0, 3.0, 0.0, 1.0, 0.0, 1.0);
  expectOneError(filter, "not within the period [0, 3)");
  filter->SetPeriodBounds(3.0, 3.0, 0.0, 1.0, 0.0, 1.0);
  expectOneError(filter, "is empty along axis 0");
  filter->PeriodicXOff();
  filter->SetInputData(gridOfCells<2>({{{maxRowKey, 0}}}));
  expectOneError(filter, "may pass the coordinate limits");
  vtkNew<vtkSphereSource> sphere;
  sphere->Update();
  filter->SetInputData(sphere->GetOutput());
  expectOneError(filter, "cell 0");
}

TEST(Morphology, AHugeRadiusIsOneError) {
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<2>({{{0, 0}}, {{4, 0}}}));
  filter->SetElement(Filter::BOX);
  filter->SetRadii(0.0, 2e9, 0.0);
  for (const int operation : {Filter::DILATE, Filter::CLOSE, Filter::OUTER_GRADIENT}) {
    filter->SetOperation(operation);
    expectOneError(filter, "more than 2^30 rows");
  }
  filter->PeriodicYOn();
  filter->SetPeriodBox(Filter::GIVEN_BOUNDS);
  filter->SetPeriodBounds(0.0, 1.0, 0.0, 3.0, 0.0, 1.0);
  expectOneError(filter, "less than 65536 periods along the slowest axis");
  filter->PeriodicYOff();
  filter->SetOperation(Filter::ERODE);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 0);
  filter->SetInputData(gridOfCells<3>({{{0, 0, 0}}}));
  filter->SetOperation(Filter::DILATE);
  filter->SetRadii(0.0, 40000.0, 40000.0);
  expectOneError(filter, "more than 2^30 rows");
  filter->SetElement(Filter::EDGES);
  filter->SetIterations(2000000000);
  expectOneError(filter, "more than 2^30 rows");
  filter->SetElement(Filter::BALL);
  filter->SetRadius(1001.0);
  expectOneError(filter, "it must be from 0 to 1000");
}

template <int Dim>
void expectBoundaries(std::mt19937& random) {
  const CellList<Dim> cells = randomCells<Dim>(random, 5, 0.7);
  vtkNew<vtkSpanwiseBoundary> filter;
  filter->SetInputData(gridOfCells<Dim>(cells));
  for (const int connectivity : {0, 1, 2}) {
    const auto element = StructuringElement<Dim>::neighbourhood(static_cast<Connectivity>(connectivity), 1);
    filter->SetConnectivity(connectivity);
    for (const int side : {vtkSpanwiseBoundary::INNER, vtkSpanwiseBoundary::OUTER}) {
      filter->SetSide(side);
      filter->Update();
      const int operation = side == vtkSpanwiseBoundary::INNER ? Filter::INNER_GRADIENT : Filter::OUTER_GRADIENT;
      EXPECT_TRUE(cellsOf<Dim>(filter->GetOutput()) == morphed<Dim>(operation, cells, element));
    }
  }
}

TEST(Boundary, IsTheGradientByTheNeighbourhood) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  expectBoundaries<2>(random);
  expectBoundaries<3>(random);
}

// A box of a x b x c cells has abc - (a-2)(b-2)(c-2) on its boundary and 2(ab + bc + ca) around it, by faces; it has
// none along axes that are periodic.
TEST(Boundary, OfABox) {
  vtkNew<vtkImageData> image;
  image->SetExtent(0, 6, 0, 5, 0, 4);
  vtkNew<vtkSpanwiseBoundary> filter;
  filter->SetInputData(image);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 6 * 5 * 4 - 4 * 3 * 2);
  filter->SetSide(vtkSpanwiseBoundary::OUTER);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 2 * (30 + 20 + 24));
  filter->PeriodicXOn();
  filter->PeriodicYOn();
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 2 * 30);
  filter->PeriodicZOn();
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 0);
  filter->SetSide(2);
  expectOneError(filter, "the side is 2");
  filter->SetSide(0);
  filter->SetConnectivity(3);
  expectOneError(filter, "the connectivity is 3");
}

} // namespace
} // namespace spanwise::testing
