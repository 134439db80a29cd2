#include "Testing/Filters/Geometry/Pipelines.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseExtractRegion.h"
#include "vtkSpanwiseIntervalShape.h"

#include <vtkDoubleArray.h>
#include <vtkPolyData.h>
#include <vtkSphereSource.h>

#include <limits>
#include <random>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseExtractRegion;

template <int Dim>
CellList<Dim> extracted(Filter* filter) {
  filter->Update();
  return cellsOf<Dim>(filter->GetOutput());
}

/// Cells of [-extent, extent)^Dim with these centres.
template <int Dim, class Test>
CellList<Dim> cellsWhere(const CellList<Dim>& cells, const Test& test) {
  CellList<Dim> result;
  for (const Cell<Dim>& cell : cells) {
    double centre[3] = {0.0, 0.0, 0.0};
    for (int d = 0; d < Dim; ++d) {
      centre[d] = cell.at[d] + 0.5;
    }
    if (test(centre)) {
      result.insert(result.end(), cell);
    }
  }
  return result;
}

template <int Dim>
void expectRegions() {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const auto all = randomCells<Dim>(random, 6, 0.7);
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<Dim>(all));
  filter->SetCorner(-2.25, -3.0, -1.75);
  filter->SetLengths(5.0, 6.5, 3.0);
  const auto inBox = [](const double* c) {
    return c[0] >= -2.25 && c[0] < 2.75 && c[1] >= -3.0 && c[1] < 3.5 && (Dim == 2 || (c[2] >= -1.75 && c[2] < 1.25));
  };
  EXPECT_TRUE(extracted<Dim>(filter) == cellsWhere<Dim>(all, inBox));
  filter->SetSide(Filter::OUTSIDE);
  EXPECT_TRUE(extracted<Dim>(filter) == cellsWhere<Dim>(all, [&](const double* c) { return !inBox(c); }));
  filter->SetRegion(Filter::SPHERE);
  filter->SetCenter(1.0, -0.5, 0.25);
  filter->SetRadius(4.0);
  const auto inBall = [](const double* c) {
    const double z = Dim == 2 ? 0.0 : c[2] - 0.25;
    return (c[0] - 1.0) * (c[0] - 1.0) + (c[1] + 0.5) * (c[1] + 0.5) + z * z <= 16.0;
  };
  EXPECT_TRUE(extracted<Dim>(filter) == cellsWhere<Dim>(all, [&](const double* c) { return !inBall(c); }));
  filter->SetSide(Filter::INSIDE);
  EXPECT_TRUE(extracted<Dim>(filter) == cellsWhere<Dim>(all, inBall));
  filter->SetCells(Filter::TOUCHING);
  EXPECT_GT(extracted<Dim>(filter).size(), cellsWhere<Dim>(all, inBall).size());
  const auto other = randomCells<Dim>(random, 6, 0.5);
  filter->SetRegion(Filter::SET);
  filter->SetInputData(1, gridOfCells<Dim>(other));
  for (const int side : {Filter::INSIDE, Filter::OUTSIDE}) {
    filter->SetSide(side);
    CellList<Dim> expected;
    for (const Cell<Dim>& cell : all) {
      if (other.count(cell) == (side == Filter::INSIDE ? 1U : 0U)) {
        expected.insert(cell);
      }
    }
    EXPECT_TRUE(extracted<Dim>(filter) == expected);
  }
}

TEST(ExtractRegion, KeepsTheCellsOfARegionOrAllOthers) {
  expectRegions<2>();
  expectRegions<3>();
}

// A sphere taken out of all cells is the one that Interval Shape makes.
TEST(ExtractRegion, AgreesWithIntervalShape) {
  vtkNew<vtkSpanwiseIntervalShape> box;
  box->SetSpacing(0.0625, 0.0625, 0.0625);
  vtkNew<vtkSpanwiseIntervalShape> ball;
  ball->SetSpacing(0.0625, 0.0625, 0.0625);
  ball->SetShape(vtkSpanwiseIntervalShape::BALL);
  ball->Update();
  vtkNew<Filter> filter;
  filter->SetInputConnection(box->GetOutputPort());
  filter->SetRegion(Filter::SPHERE);
  filter->SetRadius(0.5);
  EXPECT_TRUE(extracted<3>(filter) == cellsOf<3>(ball->GetOutput()));
}

TEST(ExtractRegion, CarriesTheArraysOfTheFirstInput) {
  const auto a = gridOfCells<2>({{{0, 0}}, {{1, 0}}, {{2, 0}}}, {}, 10.0);
  const auto b = gridOfCells<2>({{{1, 0}}, {{5, 0}}}, {}, 20.0);
  b->GetCellData()->GetArray("number")->SetName("other");
  vtkNew<vtkDoubleArray> field;
  field->SetName("field");
  field->InsertNextValue(7.0);
  a->GetFieldData()->AddArray(field);
  b->GetFieldData()->AddArray(gridOfCells<2>({{{0, 0}}})->GetCellData()->GetArray("number"));
  vtkNew<Filter> filter;
  filter->SetInputData(0, a);
  filter->SetInputData(1, b);
  filter->SetRegion(Filter::SET);
  filter->Update();
  vtkUnstructuredGrid* output = filter->GetOutput();
  ASSERT_EQ(output->GetNumberOfCells(), 1);
  ASSERT_EQ(output->GetCellData()->GetNumberOfArrays(), 1);
  EXPECT_EQ(output->GetCellData()->GetArray("number")->GetComponent(0, 0), 11.0);
  ASSERT_EQ(output->GetFieldData()->GetNumberOfArrays(), 1);
  EXPECT_EQ(output->GetFieldData()->GetArray("field")->GetComponent(0, 0), 7.0);
  filter->SetRegion(Filter::BOX);
  filter->SetCorner(1.0, -10.0, 0.0);
  filter->SetLengths(5.0, 20.0, 0.0);
  filter->Update();
  ASSERT_EQ(output->GetNumberOfCells(), 2);
  EXPECT_EQ(output->GetCellData()->GetArray("number")->GetComponent(1, 0), 12.0);
}

TEST(ExtractRegion, TheSetMayLieOnAShiftedLattice) {
  const GridPlacement first{{10.0, 20.0, 0.0}, {0.5, 0.5, 1.0}, 0};
  GridPlacement second = first;
  second.origin[0] -= 1.0;
  vtkNew<Filter> filter;
  filter->SetInputData(0, gridOfCells<2>({{{0, 0}}, {{1, 0}}}, first));
  filter->SetInputData(1, gridOfCells<2>({{{2, 0}}}, second));
  filter->SetRegion(Filter::SET);
  EXPECT_TRUE(extracted<2>(filter) == (CellList<2>{{{0, 0}}}));
}

TEST(ExtractRegion, FollowsTime) {
  auto source = vtkSmartPointer<StepSource>::New();
  source->type = "vtkUnstructuredGrid";
  source->steps = {0.0, 2.0};
  source->fill = [](double time, vtkDataObject* output) {
    output->ShallowCopy(gridOfCells<2>({{{0, 0}}, {{static_cast<Coordinate>(time), 3}}}));
  };
  vtkNew<Filter> filter;
  filter->SetInputConnection(source->GetOutputPort());
  filter->SetCorner(1.0, 0.0, 0.0);
  filter->SetLengths(5.0, 5.0, 0.0);
  filter->UpdateTimeStep(2.0);
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 1);
  filter->UpdateTimeStep(0.0);
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 0);
}

TEST(ExtractRegion, PiecesPartitionTheWhole) {
  std::mt19937 random(seed());
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<3>(randomCells<3>(random, 8, 0.5)));
  filter->SetRegion(Filter::SPHERE);
  filter->SetRadius(6.0);
  expectPiecesMakeTheWhole(filter);
}

TEST(ExtractRegion, BadInputIsOneError) {
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<2>({{{0, 0}}, {{4, 0}}}));
  const auto with = [&](auto set) {
    set();
    return filter.Get();
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expectOneError(with([&] { filter->SetLengths(1.0, -1.0, 1.0); }), "the length of the box along axis 1 is -1");
  expectOneError(with([&] { filter->SetLengths(nan, 1.0, 1.0); }), "the length of the box along axis 0 is nan");
  filter->SetLengths(1.0, 1.0, 1.0);
  expectOneError(with([&] { filter->SetCorner(0.0, nan, 0.0); }), "the lower end of a box is nan");
  expectOneError(
    with([&] { filter->SetRegion(Filter::SPHERE), filter->SetRadius(-2.0); }), "the radius of a ball is -2");
  expectOneError(
    with([&] { filter->SetRadius(1.0), filter->SetCenter(nan, 0.0, 0.0); }), "the centre of a ball is nan");
  expectOneError(with([&] { filter->SetRegion(Filter::SET); }), "there is no set to extract by");
  expectOneError(with([&] { filter->SetInputData(1, gridOfCells<3>({{{0, 0, 0}}})); }), "they are 2D and 3D");
  expectOneError(with([&] { filter->SetRegion(7); }), "the region is 7; it must be in [0, 2]");
  expectOneError(with([&] { filter->SetRegion(0), filter->SetSide(2); }), "the side is 2; it must be in [0, 1]");
  vtkNew<vtkSphereSource> sphere;
  filter->SetSide(0);
  filter->SetCorner(0.0, 0.0, 0.0);
  expectOneError(with([&] { filter->SetInputConnection(sphere->GetOutputPort()); }), "cell 0");
}

TEST(ExtractRegion, NothingOfNothing) {
  vtkNew<Filter> filter;
  vtkNew<vtkUnstructuredGrid> nothing;
  filter->SetInputData(nothing);
  expectNothing(filter);
}

} // namespace
} // namespace spanwise::testing
