// Interval sets from images and from explicit cells.

#include "SpanwiseBridge.h"

#include "Core/Runtime/Error.hpp"
#include "Testing/Dimensions.hpp"
#include "Testing/Filters/DataModel/Twin.h"
#include "Testing/Rooms.hpp"

#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkRectilinearGrid.h>
#include <vtkUnsignedCharArray.h>

#include <numeric>
#include <utility>

namespace spanwise::testing {
namespace {

// Explicit cells with four or eight points of their own each.
struct Soup {
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> cells;
  std::vector<unsigned char> types;

  explicit Soup(int precision = VTK_DOUBLE) { points->SetDataType(precision); }

  // `order` lists the corners (bit 0: x, bit 1: y, bit 2: z).
  void add(const double low[3], const double size[3], int type, const std::vector<int>& order) {
    std::vector<vtkIdType> ids;
    for (const int corner : order) {
      double x[3];
      for (int d = 0; d < 3; ++d) {
        x[d] = low[d] + (((corner >> d) & 1) != 0 ? size[d] : 0.0);
      }
      ids.push_back(points->InsertNextPoint(x));
    }
    cells->InsertNextCell(static_cast<vtkIdType>(ids.size()), ids.data());
    types.push_back(static_cast<unsigned char>(type));
  }

  [[nodiscard]] vtkSmartPointer<vtkUnstructuredGrid> grid() const {
    auto result = vtkSmartPointer<vtkUnstructuredGrid>::New();
    result->SetPoints(points);
    vtkNew<vtkUnsignedCharArray> cellTypes;
    for (const unsigned char type : types) {
      cellTypes->InsertNextValue(type);
    }
    result->SetCells(cellTypes, cells);
    return result;
  }
};

template <int Dim>
struct CellKind {
  int type;
  std::vector<int> order;
};

// Every type, in VTK's order and in others.
template <int Dim>
std::vector<CellKind<Dim>> cellKinds() {
  if constexpr (Dim == 2) {
    return {{VTK_PIXEL, {0, 1, 2, 3}}, {VTK_PIXEL, {3, 1, 2, 0}}, {VTK_QUAD, {0, 1, 3, 2}}, {VTK_QUAD, {2, 3, 1, 0}}};
  } else {
    return {{VTK_VOXEL, {0, 1, 2, 3, 4, 5, 6, 7}}, {VTK_HEXAHEDRON, {0, 1, 3, 2, 4, 5, 7, 6}},
      {VTK_HEXAHEDRON, {6, 7, 5, 4, 2, 3, 1, 0}}, {VTK_VOXEL, {7, 5, 6, 4, 3, 1, 2, 0}}};
  }
}

template <int Dim>
void addCell(Soup& soup, const GridPlacement& placement, const Cell<Dim>& cell, const CellKind<Dim>& kind) {
  double low[3] = {0.0, 0.0, placement.origin[2]};
  for (int d = 0; d < Dim; ++d) {
    low[d] = placement.position(d, cell.at[d]);
  }
  soup.add(low, placement.spacing, kind.type, kind.order);
}

template <int Dim>
Intervals<Dim> of(vtkDataSet* data, const GridPlacement* like = nullptr) {
  return std::get<Intervals<Dim>>(intervalsOf(data, like));
}

std::string messageOf(vtkDataSet* data) {
  try {
    intervalsOf(data);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

template <class D>
class Rebuild : public ::testing::Test {};
TYPED_TEST_SUITE(Rebuild, Dimensions, DimensionNames);

TYPED_TEST(Rebuild, CellsOfEveryTypeInAnyOrder) {
  constexpr int Dim = TypeParam::value;
  SCOPED_TRACE("seed " + std::to_string(seed()));
  const CellList<Dim> cells = holedBall<Dim>(Dim == 2 ? 30 : 9, 0.3);
  std::vector<Cell<Dim>> shuffled(cells.begin(), cells.end());
  std::mt19937 random(seed());
  std::shuffle(shuffled.begin(), shuffled.end(), random);
  const auto kinds = cellKinds<Dim>();
  Soup soup;
  for (std::size_t k = 0; k < shuffled.size(); ++k) {
    addCell<Dim>(soup, twinPlacement, shuffled[k], kinds[k % kinds.size()]);
  }
  const auto intervals = of<Dim>(soup.grid(), &twinPlacement);
  EXPECT_EQ(toCells<Dim>(intervals.grid->set()), cells);
  EXPECT_FALSE(intervals.sameCells);
  for (std::size_t c = 0; c < shuffled.size(); ++c) {
    ASSERT_EQ(intervals.grid->cellAt(static_cast<std::int64_t>(c)),
      shuffled[static_cast<std::size_t>(intervals.sourceCells[c])]);
  }
}

TYPED_TEST(Rebuild, CellsInOrderAreTheSameCells) {
  constexpr int Dim = TypeParam::value;
  Soup soup;
  for (const Cell<Dim>& cell : holedBall<Dim>(8, 0.3)) {
    addCell<Dim>(soup, twinPlacement, cell, cellKinds<Dim>().front());
  }
  const auto intervals = of<Dim>(soup.grid());
  EXPECT_TRUE(intervals.sameCells);
  EXPECT_TRUE(intervals.sourceCells.empty());
  EXPECT_FALSE(intervals.found);
}

// Datasets on one lattice get the same one, whichever cells they have.
TYPED_TEST(Rebuild, TheLatticeDoesNotDependOnTheCells) {
  constexpr int Dim = TypeParam::value;
  const auto latticeOf = [](const Cell<Dim>& a, const Cell<Dim>& b) {
    Soup soup;
    addCell<Dim>(soup, twinPlacement, a, cellKinds<Dim>().front());
    addCell<Dim>(soup, twinPlacement, b, cellKinds<Dim>().front());
    return of<Dim>(soup.grid()).grid->placement();
  };
  Cell<Dim> far{};
  std::fill_n(far.at, Dim, 1000003);
  Cell<Dim> negative{};
  std::fill_n(negative.at, Dim, -77);
  const GridPlacement one = latticeOf(Cell<Dim>{}, far);
  const GridPlacement other = latticeOf(negative, Cell<Dim>{});
  for (int d = 0; d < Dim; ++d) {
    EXPECT_NEAR(one.spacing[d], twinPlacement.spacing[d], 1e-12);
    EXPECT_NEAR(one.origin[d], other.origin[d], 1e-9);
    EXPECT_LE(std::abs(one.origin[d]), 0.5 * one.spacing[d] + 1e-9);
  }
  EXPECT_EQ(shiftBetween<Dim>(one, other), Cell<Dim>{});
}

TYPED_TEST(Rebuild, ALatticeThroughZeroHasItsOriginThere) {
  constexpr int Dim = TypeParam::value;
  const GridPlacement tenths{{0.0, 0.0, 0.0}, {0.1, 0.1, 0.1}, 0};
  Soup soup;
  CellList<Dim> cells;
  for (Coordinate k = 3; k < 50; k += 2) {
    Cell<Dim> cell{};
    std::fill_n(cell.at, Dim, k);
    cells.insert(cell);
    addCell<Dim>(soup, tenths, cell, cellKinds<Dim>().front());
  }
  const auto intervals = of<Dim>(soup.grid());
  EXPECT_EQ(intervals.grid->placement().origin[0], 0.0);
  EXPECT_EQ(toCells<Dim>(intervals.grid->set()), cells);
}

TYPED_TEST(Rebuild, PositionsInSinglePrecision) {
  constexpr int Dim = TypeParam::value;
  const GridPlacement placement{{1000.0, -1000.0, 500.0}, {0.1, 0.3, 0.7}, 0};
  const CellList<Dim> cells = holedBall<Dim>(Dim == 2 ? 30 : 9, 0.3);
  Soup soup(VTK_FLOAT);
  for (const Cell<Dim>& cell : cells) {
    addCell<Dim>(soup, placement, cell, cellKinds<Dim>().front());
  }
  const auto intervals = of<Dim>(soup.grid(), &placement);
  EXPECT_EQ(intervals.grid->placement().spacing[0], 0.1);
  EXPECT_EQ(toCells<Dim>(intervals.grid->set()), cells);
  const auto alone = of<Dim>(soup.grid());
  EXPECT_EQ(alone.grid->cells().numCells, static_cast<std::int64_t>(cells.size()));
  EXPECT_EQ(alone.grid->cells().numIntervals, intervals.grid->cells().numIntervals);
}

// Nodes off by up to 1/1000 of a cell, as documented, in grids of any length.
TYPED_TEST(Rebuild, PositionsThatAreOffByAThousandthOfACell) {
  constexpr int Dim = TypeParam::value;
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const double off : {1.0 / 20000.0, 1e-3}) {
    std::uniform_real_distribution<double> noise(-off, off);
    for (const Coordinate length : {2, 60, 200}) {
      Soup soup;
      CellList<Dim> cells;
      for (Coordinate x = 0; x < length; ++x) {
        for (Coordinate y = -1; y < 2; ++y) {
          Cell<Dim> cell{};
          cell.at[0] = x < length / 2 ? x : 3 * length + x; // with a gap
          cell.at[Dim - 1] = y;
          cells.insert(cell);
          addCell<Dim>(soup, twinPlacement, cell, cellKinds<Dim>().front());
        }
      }
      for (vtkIdType p = 0; p < soup.points->GetNumberOfPoints(); ++p) {
        double at[3];
        soup.points->GetPoint(p, at);
        for (int d = 0; d < Dim; ++d) {
          at[d] += noise(random) * twinPlacement.spacing[d];
        }
        soup.points->SetPoint(p, at);
      }
      const auto found = of<Dim>(soup.grid());
      ASSERT_EQ(toCells<Dim>(found.grid->set()).size(), cells.size());
      const GridPlacement& placement = found.grid->placement();
      Cell<Dim> shift{};
      for (int d = 0; d < Dim; ++d) {
        shift.at[d] = static_cast<Coordinate>(
          std::lround((placement.origin[d] - twinPlacement.origin[d]) / twinPlacement.spacing[d]));
        const double last = found.grid->box().end[d];
        EXPECT_NEAR(placement.position(d, found.grid->box().end[d]),
          twinPlacement.position(d, static_cast<std::int64_t>(last) + shift.at[d]),
          2.0 * off * twinPlacement.spacing[d]);
      }
      CellList<Dim> shifted;
      for (Cell<Dim> cell : toCells<Dim>(found.grid->set())) {
        for (int d = 0; d < Dim; ++d) {
          cell.at[d] += shift.at[d];
        }
        shifted.insert(cell);
      }
      EXPECT_EQ(shifted, cells) << off << ", " << length << " cells long";
    }
  }
}

// Far more than that is not a lattice, and the first cell that is off is named.
TYPED_TEST(Rebuild, ACellThatIsOffByAHundredthIsNamed) {
  constexpr int Dim = TypeParam::value;
  Soup soup;
  const GridPlacement unit{};
  for (Coordinate x = 0; x < 40; ++x) {
    const double low[3] = {x + (x == 17 ? 0.01 : 0.0), 0.0, 0.0};
    soup.add(low, unit.spacing, cellKinds<Dim>().front().type, cellKinds<Dim>().front().order);
  }
  const std::string message = messageOf(soup.grid());
  EXPECT_NE(message.find("cell 17 begins at 17.01 along x, which is off the lattice"), std::string::npos) << message;
}

TYPED_TEST(Rebuild, AHintThatDoesNotFitIsIgnored) {
  constexpr int Dim = TypeParam::value;
  const GridPlacement wrong{{0.0, 0.0, 0.0}, {0.4, 0.4, 0.4}, 2};
  Soup soup;
  addCell<Dim>(soup, twinPlacement, Cell<Dim>{}, cellKinds<Dim>().front());
  EXPECT_DOUBLE_EQ(of<Dim>(soup.grid(), &wrong).grid->placement().spacing[0], twinPlacement.spacing[0]);
}

TYPED_TEST(Rebuild, TheLevelOfTheHintIsKept) {
  constexpr int Dim = TypeParam::value;
  GridPlacement like = twinPlacement;
  like.level = 5;
  Soup soup;
  addCell<Dim>(soup, twinPlacement, Cell<Dim>{}, cellKinds<Dim>().front());
  EXPECT_EQ(of<Dim>(soup.grid(), &like).grid->placement().level, 5);
}

// Adds three good cells and then a bad one; expects the message to name the latter and the rule.
template <int Dim>
std::string messageAfterGoodCells(const double low[3], const double size[3], int type, const std::vector<int>& order) {
  Soup soup;
  const GridPlacement unit{};
  for (Coordinate x = 0; x < 3; ++x) {
    Cell<Dim> cell{};
    cell.at[0] = x;
    addCell<Dim>(soup, unit, cell, cellKinds<Dim>().front());
  }
  soup.add(low, size, type, order);
  return messageOf(soup.grid());
}

TYPED_TEST(Rebuild, TheFirstBadCellAndTheRuleAreNamed) {
  constexpr int Dim = TypeParam::value;
  const CellKind<Dim> kind = cellKinds<Dim>().front();
  const double low[3] = {5.0, 0.0, 0.0};
  const double unit[3] = {1.0, 1.0, 1.0};
  const double tall[3] = {1.0, 2.0, 1.0};
  EXPECT_EQ(messageAfterGoodCells<Dim>(low, tall, kind.type, kind.order),
    "cell 3 measures 2 along y; all cells must be of one size, here 1");
  const double off[3] = {5.25, 0.0, 0.0};
  const std::string shifted = messageAfterGoodCells<Dim>(off, unit, kind.type, kind.order);
  EXPECT_NE(shifted.find("is off the lattice"), std::string::npos) << shifted;
  EXPECT_NE(shifted.find("along x"), std::string::npos) << shifted;
  const double flat[3] = {1.0, 0.0, 1.0};
  const std::string degenerate = messageAfterGoodCells<Dim>(low, flat, kind.type, kind.order);
  EXPECT_NE(degenerate.find("cell 3 is not a"), std::string::npos) << degenerate;
  const double nowhere[3] = {std::nan(""), 0.0, 0.0};
  EXPECT_EQ(messageAfterGoodCells<Dim>(nowhere, unit, kind.type, kind.order),
    "cell 3 has a corner whose position along x is not finite");
  const std::string triangle = messageAfterGoodCells<Dim>(low, unit, VTK_TRIANGLE, {0, 1, 2});
  EXPECT_NE(triangle.find("cell 3 is of type vtkTriangle"), std::string::npos) << triangle;
  const double inside[3] = {1.0, 0.0, 0.0};
  const std::string twice = messageAfterGoodCells<Dim>(inside, unit, kind.type, kind.order);
  EXPECT_NE(twice.find("the cells 1 and 3 cover the same place (1, 0"), std::string::npos) << twice;
}

TYPED_TEST(Rebuild, AFarAwayCellIsBeyondTheCoordinates) {
  constexpr int Dim = TypeParam::value;
  const CellKind<Dim> kind = cellKinds<Dim>().front();
  const double low[3] = {3e9, 0.0, 0.0};
  const double unit[3] = {1.0, 1.0, 1.0};
  const std::string message = messageAfterGoodCells<Dim>(low, unit, kind.type, kind.order);
  EXPECT_NE(message.find("more than 2^31 cells"), std::string::npos) << message;
}

TYPED_TEST(Rebuild, AnImageGivesItsExtent) {
  constexpr int Dim = TypeParam::value;
  vtkNew<vtkImageData> image;
  image->SetOrigin(twinPlacement.origin);
  image->SetSpacing(twinPlacement.spacing);
  image->SetExtent(-4, 6, 3, 8, 2, Dim == 3 ? 7 : 2);
  const auto intervals = of<Dim>(image);
  EXPECT_TRUE(intervals.sameCells);
  EXPECT_EQ(intervals.grid->cells().numCells, image->GetNumberOfCells());
  EXPECT_EQ(intervals.grid->box().begin[0], -4);
  EXPECT_EQ(intervals.grid->box().end[1], 8);
  double expected[6];
  image->GetBounds(expected);
  double bounds[6];
  intervals.grid->bounds(bounds);
  for (int b = 0; b < 6; ++b) {
    EXPECT_NEAR(bounds[b], expected[b], 1e-12);
  }
}

TYPED_TEST(Rebuild, AnImageOnTheHintsLatticeTakesItsCoordinates) {
  constexpr int Dim = TypeParam::value;
  vtkNew<vtkImageData> image;
  image->SetDimensions(5, 5, Dim == 3 ? 5 : 1);
  image->SetSpacing(twinPlacement.spacing);
  double origin[3];
  for (int d = 0; d < 3; ++d) {
    origin[d] = twinPlacement.position(d, d < Dim ? 10 : 0);
  }
  image->SetOrigin(origin);
  EXPECT_EQ(of<Dim>(image, &twinPlacement).grid->box().begin[0], 10);
  EXPECT_EQ(of<Dim>(image).grid->box().begin[0], 0);
}

TYPED_TEST(Rebuild, HiddenCellsAndPointsOfAnImageAreLeftOut) {
  constexpr int Dim = TypeParam::value;
  vtkNew<vtkImageData> image;
  image->SetDimensions(6, 5, Dim == 3 ? 4 : 1);
  vtkNew<vtkUnsignedCharArray> cellGhosts;
  cellGhosts->SetName(vtkDataSetAttributes::GhostArrayName());
  cellGhosts->SetNumberOfTuples(image->GetNumberOfCells());
  cellGhosts->FillValue(0);
  cellGhosts->SetValue(7, vtkDataSetAttributes::HIDDENCELL);
  image->GetCellData()->AddArray(cellGhosts);
  vtkNew<vtkUnsignedCharArray> pointGhosts;
  pointGhosts->SetName(vtkDataSetAttributes::GhostArrayName());
  pointGhosts->SetNumberOfTuples(image->GetNumberOfPoints());
  pointGhosts->FillValue(0);
  pointGhosts->SetValue(image->GetNumberOfPoints() - 1, vtkDataSetAttributes::HIDDENPOINT); // of the last cell
  image->GetPointData()->AddArray(pointGhosts);
  const auto intervals = of<Dim>(image);
  std::vector<std::int64_t> expected(static_cast<std::size_t>(image->GetNumberOfCells() - 1));
  std::iota(expected.begin(), expected.end(), 0);
  expected.erase(expected.begin() + 7);
  EXPECT_EQ(intervals.sourceCells, expected);
  EXPECT_EQ(intervals.grid->cells().numCells, image->GetNumberOfCells() - 2);
}

TYPED_TEST(Rebuild, AnEvenlySpacedRectilinearGrid) {
  constexpr int Dim = TypeParam::value;
  vtkNew<vtkRectilinearGrid> grid;
  grid->SetDimensions(5, 4, Dim == 3 ? 3 : 1);
  const auto coordinates = [](int count, double from, double by) {
    auto values = vtkSmartPointer<vtkDoubleArray>::New();
    for (int k = 0; k < count; ++k) {
      values->InsertNextValue(from + by * k);
    }
    return values;
  };
  grid->SetXCoordinates(coordinates(5, 1.0, 0.5));
  grid->SetYCoordinates(coordinates(4, 2.0, 0.25));
  grid->SetZCoordinates(coordinates(Dim == 3 ? 3 : 1, 3.0, 2.0));
  const auto intervals = of<Dim>(grid);
  EXPECT_EQ(intervals.grid->cells().numCells, grid->GetNumberOfCells());
  EXPECT_EQ(intervals.grid->box().begin[0], 2);
  EXPECT_EQ(intervals.grid->placement().origin[0], 0.0);
  grid->GetXCoordinates()->SetComponent(4, 0, 5.0);
  EXPECT_EQ(messageOf(grid), "cell 3 measures 2.5 along x; all cells must be of one size, here 0.5");
}

TYPED_TEST(Rebuild, CancellingLeavesNothing) {
  constexpr int Dim = TypeParam::value;
  const auto twin = makeTwin<Dim>();
  EXPECT_THROW(intervalsOf(twin.stock, nullptr, Progress([](double) { return false; })), Cancelled);
}

TEST(RebuildIn2D, PolygonsInThePlane) {
  Soup soup;
  CellList<2> cells = holedBall<2>(10, 0.3);
  for (const Cell<2>& cell : cells) {
    addCell<2>(soup, twinPlacement, cell, {VTK_QUAD, {0, 1, 3, 2}});
  }
  vtkNew<vtkPolyData> polygons;
  polygons->SetPoints(soup.points);
  polygons->SetPolys(soup.cells);
  EXPECT_EQ(toCells<2>(of<2>(polygons, &twinPlacement).grid->set()), cells);
}

TEST(RebuildIn2D, TheCellsLieInOnePlane) {
  Soup soup;
  const double unit[3] = {1.0, 1.0, 1.0};
  const double here[3] = {0.0, 0.0, 0.0};
  const double above[3] = {1.0, 0.0, 0.5};
  soup.add(here, unit, VTK_QUAD, {0, 1, 3, 2});
  soup.add(above, unit, VTK_QUAD, {0, 1, 3, 2});
  EXPECT_EQ(messageOf(soup.grid()),
    "cell 1 lies at z from 0.5 to 0.5; a 2D interval set lies in one plane of constant z, here 0");
  Soup upright;
  upright.add(here, unit, VTK_QUAD, {0, 1, 5, 4}); // in the plane y = 0
  EXPECT_NE(messageOf(upright.grid()).find("cell 0 lies at z from 0 to 1"), std::string::npos);
}

TEST(RebuildImages, OnesThatAreNoSetAreRefused) {
  vtkNew<vtkImageData> image;
  image->SetDimensions(1, 5, 5);
  EXPECT_NE(messageOf(image).find("the image has 1 x 5 x 5 points"), std::string::npos);
  image->SetDimensions(5, 5, 5);
  const double rotated[9] = {0, 1, 0, 1, 0, 0, 0, 0, 1};
  image->SetDirectionMatrix(rotated);
  EXPECT_NE(messageOf(image).find("direction matrix"), std::string::npos);
  vtkNew<vtkImageData> negative;
  negative->SetDimensions(5, 5, 5);
  negative->SetSpacing(1.0, -1.0, 1.0);
  EXPECT_EQ(messageOf(negative), "the spacing along y is -1; it must be positive and finite");
}

} // namespace
} // namespace spanwise::testing
