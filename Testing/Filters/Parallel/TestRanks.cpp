#include "Testing/Filters/Parallel/Ranks.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseExtractRegion.h"
#include "vtkSpanwiseGridToIntervals.h"
#include "vtkSpanwiseImageToIntervals.h"
#include "vtkSpanwiseIntervalShape.h"
#include "vtkSpanwiseIntervalTable.h"
#include "vtkSpanwiseIntervalsToImage.h"
#include "vtkSpanwiseIntervalsToUnstructuredGrid.h"
#include "vtkSpanwisePolygonsToIntervals.h"
#include "vtkSpanwiseSetAlgebra.h"
#include "vtkSpanwiseSetExpression.h"
#include "vtkSpanwiseSignedDistanceToSurface.h"
#include "vtkSpanwiseSurfaceToIntervals.h"

#include <vtkCellArray.h>
#include <vtkDoubleArray.h>
#include <vtkIntArray.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkSphere.h>
#include <vtkSphereSource.h>
#include <vtkStringArray.h>

#include <random>

namespace spanwise::testing {
namespace {

using Shape = vtkSpanwiseIntervalShape;
using Algebra = vtkSpanwiseSetAlgebra;

vtkSmartPointer<Shape> makeShape(vtkMultiProcessController* controller, int dimension, int kind, double shift = 0.0) {
  auto shape = vtkSmartPointer<Shape>::New();
  shape->SetController(controller);
  shape->SetDimension(dimension);
  shape->SetShape(kind);
  const double spacing = dimension == 2 ? 0.01 : 0.03125;
  shape->SetSpacing(spacing, spacing, spacing);
  shape->SetCorner(-0.5 + shift, -0.5 + shift, -0.5 + shift);
  shape->SetCenter(shift, shift, dimension == 2 ? 0.0 : shift);
  if (dimension == 2) {
    shape->SetCorner(-0.5 + shift, -0.5 + shift, 0.0);
  }
  vtkNew<vtkSphere> sphere;
  sphere->SetRadius(0.45);
  shape->SetImplicitFunction(sphere);
  return shape;
}

TEST(Ranks, MakeEveryShapeTogether) {
  for (const int dimension : {2, 3}) {
    for (const int kind : {Shape::BOX, Shape::BALL, Shape::IMPLICIT_FUNCTION}) {
      expectSameAsAlone([&](vtkMultiProcessController* controller) { return makeShape(controller, dimension, kind); });
    }
  }
}

TEST(Ranks, MakeAnEllipsoidOfUnequalCellsTogether) {
  expectSameAsAlone([&](vtkMultiProcessController* controller) {
    auto shape = makeShape(controller, 3, Shape::BALL);
    shape->SetSpacing(0.05, 0.04, 0.02);
    return shape;
  });
}

TEST(Ranks, ShareOnePlane) {
  expectSameAsAlone(
    [&](vtkMultiProcessController* controller) {
      auto shape = makeShape(controller, 2, Shape::BOX);
      shape->SetLengths(1.0, 0.01, 0.0);
      return shape;
    },
    Balance::Any);
}

/// A source of pieces of one image with values at points and on cells.
vtkSmartPointer<StepSource> imagePieces(int flat) {
  auto source = vtkSmartPointer<StepSource>::New();
  const std::array<int, 6> whole{-5, 30, 2, 33, flat == 1 ? 3 : 0, flat == 1 ? 3 : 24};
  source->wholeExtent = whole;
  source->fill = [source = source.Get(), whole, flat](double /*time*/, vtkDataObject* output) {
    auto* image = vtkImageData::SafeDownCast(output);
    const int axis = flat == 1 ? 1 : 2; // pieces along the slowest axis share a layer of points
    const int cells = whole[2 * axis + 1] - whole[2 * axis];
    std::array<int, 6> extent = whole;
    extent[2 * axis] = whole[2 * axis] + cells * source->piece / source->pieces;
    extent[2 * axis + 1] = whole[2 * axis] + cells * (source->piece + 1) / source->pieces;
    image->SetExtent(extent.data());
    image->SetSpacing(0.5, 0.25, 1.0);
    vtkNew<vtkDoubleArray> atPoints;
    atPoints->SetName("a");
    for (vtkIdType p = 0; p < image->GetNumberOfPoints(); ++p) {
      const double* x = image->GetPoint(p);
      atPoints->InsertNextValue(std::sin(3.0 * x[0]) + std::cos(2.0 * x[1] * x[2]));
    }
    image->GetPointData()->SetScalars(atPoints);
    vtkNew<vtkIntArray> onCells;
    onCells->SetName("b");
    onCells->SetNumberOfComponents(2);
    for (vtkIdType c = 0; c < image->GetNumberOfCells(); ++c) {
      const auto place = placeOfCell(image, c);
      const int values[2] = {static_cast<int>(std::abs(place[0] / 1000 + place[1] / 500 + place[2]) % 101),
        static_cast<int>(place[1] / 1000)};
      onCells->InsertNextTypedTuple(values);
    }
    image->GetCellData()->AddArray(onCells);
  };
  return source;
}

TEST(Ranks, ReadTheirPiecesOfAnImage) {
  for (const int flat : {0, 1}) {
    for (const bool onCells : {true, false}) {
      const auto make = [&](vtkMultiProcessController* controller) {
        auto filter = vtkSmartPointer<vtkSpanwiseImageToIntervals>::New();
        filter->SetController(controller);
        const auto source = imagePieces(flat);
        filter->SetInputConnection(source->GetOutputPort());
        filter->SetInputArrayToProcess(0, 0, 0,
          onCells ? vtkDataObject::FIELD_ASSOCIATION_CELLS : vtkDataObject::FIELD_ASSOCIATION_POINTS,
          onCells ? "b" : "a");
        filter->SetLowerThreshold(onCells ? 40.0 : 0.2);
        return filter;
      };
      expectSameAsAlone(make);
    }
  }
}

/// Polygons of which rank k has every size-th, or the first rank all.
vtkSmartPointer<StepSource> polygonPieces(bool spread) {
  auto source = vtkSmartPointer<StepSource>::New();
  source->type = "vtkPolyData";
  source->fill = [source = source.Get(), spread](double /*time*/, vtkDataObject* output) {
    std::mt19937 random(seed());
    std::uniform_real_distribution<double> place(0.0, 1.0);
    vtkNew<vtkPoints> points;
    points->SetDataTypeToDouble();
    vtkNew<vtkCellArray> polys;
    for (int k = 0; k < 20; ++k) {
      const double x[6] = {place(random), place(random), place(random), place(random), place(random), place(random)};
      if (spread ? k % source->pieces == source->piece : source->piece == 0) {
        polys->InsertNextCell(3);
        for (int c = 0; c < 3; ++c) {
          polys->InsertCellPoint(points->InsertNextPoint(x[2 * c], x[2 * c + 1], 0.5));
        }
      }
    }
    vtkPolyData::SafeDownCast(output)->SetPoints(points);
    vtkPolyData::SafeDownCast(output)->SetPolys(polys);
  };
  return source;
}

TEST(Ranks, GatherPolygons) {
  for (const bool spread : {false, true}) {
    for (const int domain :
      {vtkSpanwisePolygonsToIntervals::INSIDE, vtkSpanwisePolygonsToIntervals::OUTSIDE_WITHIN_BOUNDS}) {
      expectSameAsAlone([&](vtkMultiProcessController* controller) {
        auto filter = vtkSmartPointer<vtkSpanwisePolygonsToIntervals>::New();
        filter->SetController(controller);
        const auto source = polygonPieces(spread);
        filter->SetInputConnection(source->GetOutputPort());
        filter->SetResolution(100);
        filter->SetDomain(domain);
        return filter;
      });
    }
  }
}

/// A sphere of which every piece has some triangles.
vtkSmartPointer<StepSource> spherePieces(double endPhi = 180.0) {
  auto source = vtkSmartPointer<StepSource>::New();
  source->type = "vtkPolyData";
  source->fill = [source = source.Get(), endPhi](double /*time*/, vtkDataObject* output) {
    vtkNew<vtkSphereSource> sphere;
    sphere->SetThetaResolution(20);
    sphere->SetPhiResolution(20);
    sphere->SetEndPhi(endPhi);
    sphere->Update();
    vtkNew<vtkCellArray> polys;
    for (vtkIdType k = source->piece; k < sphere->GetOutput()->GetNumberOfPolys(); k += source->pieces) {
      vtkNew<vtkIdList> corners;
      sphere->GetOutput()->GetPolys()->GetCellAtId(k, corners);
      polys->InsertNextCell(corners);
    }
    vtkPolyData::SafeDownCast(output)->SetPoints(sphere->GetOutput()->GetPoints());
    vtkPolyData::SafeDownCast(output)->SetPolys(polys);
  };
  return source;
}

TEST(Ranks, GatherASurface) {
  expectSameAsAlone([&](vtkMultiProcessController* controller) {
    auto filter = vtkSmartPointer<vtkSpanwiseSurfaceToIntervals>::New();
    filter->SetController(controller);
    const auto source = spherePieces();
    filter->SetInputConnection(source->GetOutputPort());
    filter->SetResolution(40);
    return filter;
  });
}

TEST(Ranks, FindDistancesToASurface) {
  using Filter = vtkSpanwiseSignedDistanceToSurface;
  for (int where = Filter::CELLS_INSIDE; where <= Filter::CELLS_OF_SECOND_INPUT; ++where) {
    SCOPED_TRACE("in " + std::to_string(where));
    expectSameAsAlone([&](vtkMultiProcessController* controller) {
      auto filter = vtkSmartPointer<Filter>::New();
      filter->SetController(controller);
      const auto source = spherePieces();
      filter->SetInputConnection(source->GetOutputPort());
      auto shape = makeShape(controller, 3, Shape::BOX);
      filter->SetInputConnection(1, shape->GetOutputPort());
      filter->SetResolution(40);
      filter->SetWhere(where);
      filter->SetWidth(0.1);
      filter->SetMargin(0.2);
      return filter;
    });
  }
}

/// Grids that carry intervals whose cells the pieces have in turn, `run` at a time; explicit ones if so wished.
template <int Dim>
vtkSmartPointer<StepSource> scatteredGrid(
  unsigned salt, std::size_t run, bool explicitCells, const GridPlacement& placement = {}) {
  auto source = vtkSmartPointer<StepSource>::New();
  source->type = "vtkUnstructuredGrid";
  source->fill = [=, source = source.Get()](double /*time*/, vtkDataObject* output) {
    std::mt19937 random(seed() + salt);
    CellList<Dim> cells;
    vtkNew<vtkDoubleArray> values;
    values->SetName("value");
    vtkNew<vtkStringArray> names;
    names->SetName("name");
    std::size_t k = 0;
    for (const Cell<Dim>& cell : randomCells<Dim>(random, Dim == 2 ? 24 : 9, 0.5)) {
      if (static_cast<int>(k / run) % source->pieces == source->piece) {
        cells.insert(cell);
        values->InsertNextValue(static_cast<double>(k) + 0.25 * salt);
        names->InsertNextValue(std::to_string(k));
      }
      ++k;
    }
    const auto grid = gridOfCells<Dim>(cells, placement);
    grid->GetCellData()->Initialize();
    grid->GetCellData()->SetScalars(values);
    grid->GetCellData()->AddArray(names);
    if (explicitCells) {
      explode(grid, vtkUnstructuredGrid::SafeDownCast(output));
    } else {
      output->ShallowCopy(grid);
    }
  };
  return source;
}

template <int Dim>
void expectAlgebra(std::size_t runA, std::size_t runB) {
  for (int operation = Algebra::UNION; operation <= Algebra::COMPLEMENT; ++operation) {
    const auto make = [&](vtkMultiProcessController* controller) {
      auto filter = vtkSmartPointer<Algebra>::New();
      filter->SetController(controller);
      const auto a = scatteredGrid<Dim>(0, runA, false);
      const auto b = scatteredGrid<Dim>(1, runB, true, {{3.0, -2.0, Dim == 2 ? 0.0 : 1.0}, {1.0, 1.0, 1.0}, 0});
      filter->AddInputConnection(a->GetOutputPort());
      filter->AddInputConnection(b->GetOutputPort());
      filter->SetOperation(operation);
      return filter;
    };
    expectSameAsAlone(make);
  }
}

TEST(Ranks, CombineInputsThatAreCutDifferently) {
  expectAlgebra<2>(1, 7);
  expectAlgebra<3>(100, 1000);
}

template <int Dim>
void expectExpressions(std::size_t runA, std::size_t runB) {
  const std::string box = Dim == 2 ? "box(-5, 8, -3, 100)" : "box(-5, 8, -3, 4, -2, 100)";
  const std::string by = Dim == 2 ? ", 1, 9)" : ", 1, 0, 9)";
  for (const std::string& expression : {std::string("A & ~B"), std::string("dilate(A, 2) - erode(B, 1)"),
         "dilate(erode(A | B, 1, ball) | " + box + " - A, 3)", "translate(A" + by + " ^ translate(B" + by,
         std::string("largest(boundary(A | B, outer), vertices)"), "fill_holes(dilate(A, 40)) & " + box,
         std::string("fill_holes(boundary(A | B, outer)) - erode(largest(A), 2)"),
         std::string("dilate(fill_holes(erode(A, 1) - B), 3, ball) | ~largest(~largest(A), vertices)"),
         "largest(A) | translate(largest(B)" + by + " | fill_holes(largest(boundary(fill_holes(B))))",
         box + " & ~close(A, 2, diamond)"}) {
    SCOPED_TRACE(expression);
    expectSameAsAlone([&](vtkMultiProcessController* controller) {
      auto filter = vtkSmartPointer<vtkSpanwiseSetExpression>::New();
      filter->SetController(controller);
      const auto a = scatteredGrid<Dim>(0, runA, false);
      const auto b = scatteredGrid<Dim>(1, runB, true, {{3.0, -2.0, Dim == 2 ? 0.0 : 1.0}, {1.0, 1.0, 1.0}, 0});
      filter->AddInputConnection(a->GetOutputPort());
      filter->AddInputConnection(b->GetOutputPort());
      filter->SetExpression(expression.c_str());
      return filter;
    });
  }
}

TEST(Ranks, ComputeExpressionsOfInputsThatAreCutDifferently) {
  expectExpressions<2>(1, 7);
  expectExpressions<3>(100, 1000);
  expectExpressions<3>(100000, 5); // all cells of A on one rank
}

TEST(Ranks, ExtractRegionsOfInputsThatAreCutDifferently) {
  using Extract = vtkSpanwiseExtractRegion;
  for (const int region : {Extract::BOX, Extract::SPHERE, Extract::SET}) {
    for (const int side : {Extract::INSIDE, Extract::OUTSIDE}) {
      const auto make = [&](vtkMultiProcessController* controller) {
        auto filter = vtkSmartPointer<Extract>::New();
        filter->SetController(controller);
        const auto a = scatteredGrid<3>(0, 100, false);
        const auto b = scatteredGrid<3>(1, 1000, true, {{3.0, -2.0, 1.0}, {1.0, 1.0, 1.0}, 0});
        filter->SetInputConnection(0, a->GetOutputPort());
        filter->SetInputConnection(1, b->GetOutputPort());
        filter->SetCorner(-2.0, -3.0, -1.0);
        filter->SetLengths(9.0, 9.0, 5.0);
        filter->SetRadius(4.0);
        filter->SetRegion(region);
        filter->SetSide(side);
        return filter;
      };
      expectSameAsAlone(make, Balance::Any); // a few planes cannot be dealt out evenly
    }
  }
}

TEST(Ranks, CombineShapesThatAreCutDifferently) {
  for (const int operation : {Algebra::UNION, Algebra::INTERSECTION, Algebra::DIFFERENCE}) {
    expectSameAsAlone([&](vtkMultiProcessController* controller) {
      auto filter = vtkSmartPointer<Algebra>::New();
      filter->SetController(controller);
      filter->AddInputConnection(makeShape(controller, 3, Shape::BALL)->GetOutputPort());
      filter->AddInputConnection(makeShape(controller, 3, Shape::BOX, 0.25)->GetOutputPort());
      filter->SetOperation(operation);
      return filter;
    });
  }
}

TEST(Ranks, KeepValuesThatAreNotNumbers) {
  auto filter = vtkSmartPointer<vtkSpanwiseGridToIntervals>::New();
  const auto source = scatteredGrid<2>(0, 3, true);
  filter->SetInputConnection(source->GetOutputPort());
  updateTogether(filter.Get());
  vtkCellData* values = filter->GetOutput()->GetCellData();
  auto* names = vtkStringArray::SafeDownCast(values->GetAbstractArray("name"));
  ASSERT_NE(names, nullptr);
  for (vtkIdType c = 0; c < filter->GetOutput()->GetNumberOfCells(); ++c) {
    EXPECT_EQ(names->GetValue(c), std::to_string(std::lround(values->GetArray("value")->GetComponent(c, 0))));
  }
  EXPECT_EQ(values->GetScalars(), values->GetArray("value"));
}

TEST(Ranks, RebuildScatteredCells) {
  for (const std::size_t run : {1U, 5U, 100000U}) { // the last: all cells on the first rank
    expectSameAsAlone([&](vtkMultiProcessController* controller) {
      auto filter = vtkSmartPointer<vtkSpanwiseGridToIntervals>::New();
      filter->SetController(controller);
      const auto source = scatteredGrid<3>(2, run, true, {{0.0, 0.0, 0.0}, {0.1, 0.2, 0.3}, 0});
      filter->SetInputConnection(source->GetOutputPort());
      return filter;
    });
  }
}

TEST(Ranks, TablesFollowEachOther) {
  for (const int content : {vtkSpanwiseIntervalTable::ROWS, vtkSpanwiseIntervalTable::INTERVALS}) {
    expectSameAsAlone(
      [&](vtkMultiProcessController* controller) {
        auto filter = vtkSmartPointer<vtkSpanwiseIntervalTable>::New();
        filter->SetController(controller);
        const auto source = scatteredGrid<2>(3, 11, false);
        filter->SetInputConnection(source->GetOutputPort());
        filter->SetContent(content);
        return filter;
      },
      Balance::Any);
  }
}

TEST(Ranks, ImagesCoverTheWhole) {
  expectSameAsAlone(
    [&](vtkMultiProcessController* controller) {
      auto filter = vtkSmartPointer<vtkSpanwiseIntervalsToImage>::New();
      filter->SetController(controller);
      const auto source = scatteredGrid<3>(4, 11, false);
      filter->SetInputConnection(source->GetOutputPort());
      filter->PassAllArraysOff();
      filter->GetArraySelection()->EnableArray("value");
      return filter;
    },
    Balance::Any);
}

TEST(Ranks, ExplodeTheirOwnCells) {
  expectSameAsAlone([&](vtkMultiProcessController* controller) {
    auto filter = vtkSmartPointer<vtkSpanwiseIntervalsToUnstructuredGrid>::New();
    filter->SetInputConnection(makeShape(controller, 3, Shape::BALL)->GetOutputPort());
    return filter;
  });
}

TEST(Ranks, AgreeOnFailure) {
  const int last = world()->GetNumberOfProcesses() - 1;
  auto source = vtkSmartPointer<StepSource>::New();
  source->type = "vtkUnstructuredGrid";
  bool bad = true;
  source->fill = [&](double /*time*/, vtkDataObject* output) {
    if (bad && source->piece == last) { // a tetrahedron on the last rank alone
      vtkNew<vtkPoints> points;
      for (int k = 0; k < 4; ++k) {
        points->InsertNextPoint(k == 1, k == 2, k == 3);
      }
      const vtkIdType corners[4] = {0, 1, 2, 3};
      vtkUnstructuredGrid::SafeDownCast(output)->SetPoints(points);
      vtkUnstructuredGrid::SafeDownCast(output)->Allocate(1);
      vtkUnstructuredGrid::SafeDownCast(output)->InsertNextCell(VTK_TETRA, 4, corners);
    } else {
      const auto y = static_cast<Coordinate>(source->piece);
      output->ShallowCopy(gridOfCells<2>({{{0, y}}, {{1, y}}}));
    }
  };
  vtkNew<vtkSpanwiseGridToIntervals> rebuild;
  rebuild->SetInputConnection(source->GetOutputPort());
  vtkNew<Algebra> algebra;
  algebra->AddInputConnection(source->GetOutputPort());
  algebra->AddInputConnection(makeShape(world(), 2, Shape::BOX)->GetOutputPort());
  vtkNew<vtkSpanwiseIntervalTable> table;
  table->SetInputConnection(source->GetOutputPort());
  const std::string where = last == 0 ? "cell 0" : "on rank " + std::to_string(last) + ": ";
  expectOneErrorTogether(rebuild, where);
  expectOneErrorTogether(algebra, where);
  expectOneErrorTogether(table, where);
  bad = false;
  source->Modified();
  updateTogether(rebuild.Get()); // and they go on
  EXPECT_EQ(everybody().sum(rebuild->GetOutput()->GetNumberOfCells()), 2 * (last + 1));

  vtkNew<vtkSpanwiseSurfaceToIntervals> surface;
  const auto open = spherePieces(120.0);
  surface->SetInputConnection(open->GetOutputPort());
  expectOneErrorTogether(surface, "open");
  auto shape = makeShape(world(), 3, Shape::BALL);
  shape->SetRadius(-1.0);
  expectOneErrorTogether(shape, "the radius is -1");
}

TEST(Ranks, AcceptRanksWithoutData) {
  const int last = world()->GetNumberOfProcesses() - 1;
  auto source = vtkSmartPointer<StepSource>::New();
  source->type = "vtkUnstructuredGrid";
  source->fill = [&](double /*time*/, vtkDataObject* output) {
    if (source->piece == last) {
      output->ShallowCopy(gridOfCells<3>({{{0, 0, 5}}, {{1, 0, 5}}}));
    }
  };
  vtkNew<vtkSpanwiseGridToIntervals> rebuild;
  rebuild->SetInputConnection(source->GetOutputPort());
  vtkNew<vtkSpanwiseIntervalsToImage> image;
  image->SetInputConnection(rebuild->GetOutputPort());
  updateTogether(image.Get());
  EXPECT_EQ(everybody().sum(rebuild->GetOutput()->GetNumberOfCells()), 2);
  EXPECT_EQ(everybody().sum(image->GetOutput()->GetNumberOfCells()), 2);
  vtkNew<vtkSpanwiseIntervalTable> table;
  auto nothing = vtkSmartPointer<StepSource>::New();
  nothing->type = "vtkUnstructuredGrid";
  nothing->fill = [](double, vtkDataObject*) {};
  table->SetInputConnection(nothing->GetOutputPort());
  updateTogether(table.Get());
  EXPECT_EQ(table->GetOutput()->GetNumberOfRows(), 0);
}

TEST(Ranks, MayWorkOnTheirOwn) {
  // Without a request for pieces nobody waits for the others.
  if (world()->GetLocalProcessId() == 0) {
    auto shape = makeShape(world(), 3, Shape::BALL);
    shape->Update();
    EXPECT_EQ(carriedGrid<3>(shape->GetOutput())->owned().begin, parallel::PlaneRange().begin);
    EXPECT_GT(shape->GetOutput()->GetNumberOfCells(), 10000);
  }
}

} // namespace
} // namespace spanwise::testing
