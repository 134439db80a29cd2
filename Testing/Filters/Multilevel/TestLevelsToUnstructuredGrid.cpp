// The mesh has no hanging nodes and the domain's volume, linear functions stay linear, and contours have no cracks.

#include "Testing/Filters/Multilevel/Levels.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseLevelsToUnstructuredGrid.h"

#include <vtkCallbackCommand.h>
#include <vtkCellDataToPointData.h>
#include <vtkContourFilter.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkStringArray.h>

namespace spanwise::testing {
namespace {

template <class T>
struct LevelsToUnstructuredGrid : public RandomTest<T> {};
TYPED_TEST_SUITE(LevelsToUnstructuredGrid, Dimensions);

using Filter = vtkSpanwiseLevelsToUnstructuredGrid;
constexpr double nearby = 1e-5; // of a cell of level 0

// Cubes, so that contours are the same for all axes.
const GridPlacement cubes{{-1.0, 2.0, 0.5}, {0.5, 0.5, 0.5}, 0};

// Hierarchies of every kind: balanced ones; ones whose neighbours differ by any number of levels; with holes.
template <int Dim>
std::vector<Leaves<Dim>> manyHierarchies(std::mt19937& random) {
  std::vector<Leaves<Dim>> all;
  RandomLevels how;
  how.extent = Dim == 2 ? 3 : 2;
  for (int round = 0; round < (Dim == 2 ? 20 : 4); ++round) {
    how.levels = 3;
    how.refine = 0.4;
    all.push_back(balancedLeaves<Dim>(random, how));
    how.levels = Dim == 2 ? 6 : 4;
    how.hole = 0.0;
    how.refine = 0.3;
    all.push_back(randomLeaves<Dim>(random, how));
    how.hole = 0.2;
    how.refine = 0.5;
    all.push_back(randomLeaves<Dim>(random, how));
  }
  return all;
}

template <int Dim>
vtkSmartPointer<vtkUnstructuredGrid> meshOf(vtkDataObject* levels) {
  vtkNew<Filter> filter;
  filter->SetInputDataObject(levels);
  filter->Update();
  return vtkUnstructuredGrid::SafeDownCast(filter->GetOutputDataObject(0));
}

// Six times the volume of a tetrahedron.
double tetrahedron(const double* a, const double* b, const double* c, const double* d) {
  double u[3];
  double v[3];
  double w[3];
  for (int k = 0; k < 3; ++k) {
    u[k] = b[k] - a[k];
    v[k] = c[k] - a[k];
    w[k] = d[k] - a[k];
  }
  return (u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] + (u[0] * v[1] - u[1] * v[0]) * w[2];
}

// The volume (2D: area) of a cell, whose points must be in VTK's order.
double sizeOf(vtkCell* cell) {
  double p[8][3];
  for (vtkIdType k = 0; k < cell->GetNumberOfPoints(); ++k) {
    cell->GetPoints()->GetPoint(k, p[k]);
  }
  const double above[3] = {p[0][0], p[0][1], p[0][2] + 1.0};
  switch (cell->GetCellType()) {
  case VTK_TRIANGLE:
    return tetrahedron(p[0], p[1], p[2], above) / 2.0;
  case VTK_QUAD:
    return (tetrahedron(p[0], p[1], p[2], above) + tetrahedron(p[0], p[2], p[3], above)) / 2.0;
  case VTK_TETRA:
    return tetrahedron(p[0], p[1], p[2], p[3]) / 6.0;
  case VTK_PYRAMID:
    return (tetrahedron(p[0], p[1], p[2], p[4]) + tetrahedron(p[0], p[2], p[3], p[4])) / 6.0;
  case VTK_HEXAHEDRON:
    return (p[1][0] - p[0][0]) * (p[3][1] - p[0][1]) * (p[4][2] - p[0][2]);
  default:
    ADD_FAILURE() << "a cell of type " << cell->GetCellType();
    return 0.0;
  }
}

// Every face (2D: edge) belongs to two cells, or to one and then lies on the domain's boundary.
TYPED_TEST(LevelsToUnstructuredGrid, CellsShareWholeFaces) {
  constexpr int Dim = TypeParam::value;
  for (const Leaves<Dim>& leaves : manyHierarchies<Dim>(this->random)) {
    const auto mesh = meshOf<Dim>(levelsOf<Dim>(hierarchyOf<Dim>(leaves, cubes)));
    std::map<std::vector<vtkIdType>, std::pair<int, std::array<double, 3>>> faces;
    double volume = 0.0;
    for (vtkIdType c = 0; c < mesh->GetNumberOfCells(); ++c) {
      vtkCell* cell = mesh->GetCell(c);
      const double size = sizeOf(cell);
      EXPECT_GT(size, 0.0);
      volume += size;
      for (int f = 0; f < (Dim == 2 ? cell->GetNumberOfEdges() : cell->GetNumberOfFaces()); ++f) {
        vtkCell* face = Dim == 2 ? cell->GetEdge(f) : cell->GetFace(f);
        std::vector<vtkIdType> ids;
        std::array<double, 3> middle{};
        for (vtkIdType k = 0; k < face->GetNumberOfPoints(); ++k) {
          ids.push_back(face->GetPointId(k));
          for (std::size_t d = 0; d < 3; ++d) {
            middle[d] += mesh->GetPoint(ids.back())[d] / static_cast<double>(face->GetNumberOfPoints());
          }
        }
        std::sort(ids.begin(), ids.end());
        auto& [count, where] = faces[ids];
        ++count;
        where = middle;
      }
    }
    double expected = 0.0;
    for (std::size_t k = 0; k < leaves.size(); ++k) {
      expected += static_cast<double>(leaves[k].size()) * std::pow(0.5, Dim * static_cast<double>(k + 1));
    }
    EXPECT_NEAR(volume, expected, 1e-9 * expected);
    for (const auto& [ids, face] : faces) {
      ASSERT_LE(face.first, 2);
      ASSERT_EQ(face.first == 2, isInside<Dim>(leaves, cubes, face.second.data(), nearby));
    }
  }
}

// Leaves that have no finer neighbours across faces or (3D) edges stay whole.
TYPED_TEST(LevelsToUnstructuredGrid, OnlyLeavesBesideFinerOnesAreSplit) {
  constexpr int Dim = TypeParam::value;
  const auto cells = randomCells<Dim>(this->random, 4, 0.6);
  const auto whole = meshOf<Dim>(levelsOf<Dim>(hierarchyOf<Dim>({cells})));
  EXPECT_EQ(whole->GetNumberOfCells(), static_cast<vtkIdType>(cells.size()));
  Leaves<Dim> leaves(2); // a row of four: whole, whole, split, and the finer ones
  for (const Coordinate x : {0, 1, 2}) {
    Cell<Dim> cell{};
    cell.at[0] = x;
    leaves[0].insert(cell);
  }
  for (int child = 0; child < 1 << Dim; ++child) {
    Cell<Dim> cell{};
    for (int d = 0; d < Dim; ++d) {
      cell.at[d] = (d == 0 ? 6 : 0) + ((child >> d) & 1);
    }
    leaves[1].insert(cell);
  }
  const auto mesh = meshOf<Dim>(levelsOf<Dim>(hierarchyOf<Dim>(leaves)));
  std::map<int, int> types;
  for (vtkIdType c = 0; c < mesh->GetNumberOfCells(); ++c) {
    ++types[mesh->GetCellType(c)];
  }
  if (Dim == 2) {
    EXPECT_EQ(types, (std::map<int, int>{{VTK_QUAD, 6}, {VTK_TRIANGLE, 5}}));
  } else {
    // The split one: four squares on the finer side, one whole, four with one edge that is cut in two.
    EXPECT_EQ(types, (std::map<int, int>{{VTK_HEXAHEDRON, 10}, {VTK_PYRAMID, 5}, {VTK_TETRA, 20}}));
  }
}

// Inside of balanced hierarchies a linear function is met exactly at all nodes.
TYPED_TEST(LevelsToUnstructuredGrid, LinearFunctionsStayLinear) {
  constexpr int Dim = TypeParam::value;
  RandomLevels how;
  how.levels = 3;
  for (int round = 0; round < 3; ++round) {
    const auto leaves = balancedLeaves<Dim>(this->random, how);
    const auto mesh = meshOf<Dim>(levelsOf<Dim>(hierarchyOf<Dim>(leaves, cubes)));
    vtkDataArray* values = mesh->GetPointData()->GetArray("place");
    vtkDataArray* levels = mesh->GetPointData()->GetArray("level");
    ASSERT_NE(values, nullptr);
    EXPECT_EQ(levels->GetDataType(), VTK_DOUBLE);
    int inside = 0;
    for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p) {
      double place[3];
      mesh->GetPoint(p, place);
      if (isInside<Dim>(leaves, cubes, place, nearby)) {
        const double expected = place[0] + 100.0 * place[1] + 10000.0 * (Dim == 3 ? place[2] : cubes.origin[2]);
        ASSERT_NEAR(values->GetComponent(p, 0), expected, 1e-8 * std::abs(expected) + 1e-6);
        ++inside;
      }
    }
    EXPECT_GT(inside, 100);
  }
}

TYPED_TEST(LevelsToUnstructuredGrid, CellsHaveTheValuesOfTheirLeaves) {
  constexpr int Dim = TypeParam::value;
  const auto leaves = randomLeaves<Dim>(this->random);
  Hierarchy<Dim> hierarchy = hierarchyOf<Dim>(leaves, cubes);
  for (RankCells<Dim>& level : hierarchy.leaves) {
    vtkNew<vtkFloatArray> single;
    single->SetName("single");
    vtkNew<vtkStringArray> texts;
    texts->SetName("texts");
    for (std::int64_t c = 0; c < level.set.numCells(); ++c) {
      single->InsertNextValue(0.5F);
      texts->InsertNextValue("a");
    }
    level.values->AddArray(single);
    level.values->AddArray(texts);
    level.values->SetActiveScalars("single");
  }
  const auto mesh = meshOf<Dim>(levelsOf<Dim>(hierarchy));
  EXPECT_EQ(mesh->GetPointData()->GetArray("single")->GetDataType(), VTK_FLOAT);
  EXPECT_EQ(mesh->GetPointData()->GetScalars(), mesh->GetPointData()->GetArray("single"));
  EXPECT_EQ(mesh->GetPointData()->GetAbstractArray("texts"), nullptr);
  EXPECT_EQ(mesh->GetCellData()->GetAbstractArray("texts")->GetNumberOfTuples(), mesh->GetNumberOfCells());
  for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p) {
    ASSERT_EQ(mesh->GetPointData()->GetArray("single")->GetComponent(p, 0), 0.5); // constants stay what they are
  }
  vtkDataArray* values = mesh->GetCellData()->GetArray("place");
  vtkDataArray* numbers = mesh->GetCellData()->GetArray("level");
  for (vtkIdType c = 0; c < mesh->GetNumberOfCells(); ++c) {
    const GridPlacement placement = placementOfLevel(cubes, static_cast<int>(numbers->GetComponent(c, 0)));
    double bounds[6];
    mesh->GetCellBounds(c, bounds);
    Cell<Dim> cell{};
    for (int d = 0; d < Dim; ++d) {
      const double middle = 0.5 * (bounds[2 * d] + bounds[2 * d + 1]);
      cell.at[d] = static_cast<Coordinate>(std::floor((middle - placement.origin[d]) / placement.spacing[d]));
    }
    ASSERT_NEAR(values->GetComponent(c, 0), valueAt(centreOf<Dim>(placement, cell)), 1e-6);
  }
}

// The ends of a contour's lines (2D), or the edges of its triangles (3D), that belong to one cell alone and lie inside
// the domain.
template <int Dim>
int cracksOf(vtkPolyData* contour, const Leaves<Dim>& leaves, const GridPlacement& root) {
  std::map<std::vector<vtkIdType>, int> ends;
  for (vtkIdType c = 0; c < contour->GetNumberOfCells(); ++c) {
    vtkCell* cell = contour->GetCell(c);
    const vtkIdType count = cell->GetNumberOfPoints();
    for (vtkIdType k = 0; k < count; ++k) {
      std::vector<vtkIdType> end{cell->GetPointId(k)};
      if (Dim == 3) {
        end.push_back(cell->GetPointId((k + 1) % count));
        std::sort(end.begin(), end.end());
      }
      ++ends[end];
    }
  }
  int cracks = 0;
  for (const auto& [end, uses] : ends) {
    double place[3];
    for (int d = 0; d < 3; ++d) {
      place[d] = 0.5 * (contour->GetPoint(end.front())[d] + contour->GetPoint(end.back())[d]);
    }
    cracks += static_cast<int>(uses == 1 && isInside<Dim>(leaves, root, place, nearby));
  }
  return cracks;
}

vtkSmartPointer<vtkPolyData> contourOf(vtkDataSet* data, double value) {
  vtkNew<vtkContourFilter> contour;
  contour->SetInputData(data);
  contour->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, "random");
  contour->SetValue(0, value);
  contour->Update();
  return contour->GetOutput();
}

template <int Dim>
Hierarchy<Dim> withRandomValues(std::mt19937& random, const Leaves<Dim>& leaves) {
  Hierarchy<Dim> hierarchy = hierarchyOf<Dim>(leaves, cubes);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  for (RankCells<Dim>& level : hierarchy.leaves) {
    vtkNew<vtkDoubleArray> values;
    values->SetName("random");
    for (std::int64_t c = 0; c < level.set.numCells(); ++c) {
      values->InsertNextValue(value(random));
    }
    level.values->AddArray(values);
  }
  return hierarchy;
}

TYPED_TEST(LevelsToUnstructuredGrid, ContoursHaveNoCracks) {
  constexpr int Dim = TypeParam::value;
  std::int64_t cells = 0;
  int stockCracks = 0;
  for (const Leaves<Dim>& leaves : manyHierarchies<Dim>(this->random)) {
    const auto collection = levelsOf<Dim>(withRandomValues<Dim>(this->random, leaves));
    const auto mesh = meshOf<Dim>(collection);
    for (const double value : {-0.1, 0.0, 0.05, 0.2}) {
      const auto contour = contourOf(mesh, value);
      EXPECT_EQ(cracksOf<Dim>(contour, leaves, cubes), 0);
      cells += contour->GetNumberOfCells();
    }
    for (vtkDataSet* part : partsOf(collection)) { // the same question to level after level finds cracks
      vtkNew<vtkCellDataToPointData> points;
      points->SetInputData(part);
      points->Update();
      stockCracks += cracksOf<Dim>(contourOf(vtkDataSet::SafeDownCast(points->GetOutput()), 0.0), leaves, cubes);
    }
  }
  EXPECT_GT(cells, 1000);
  EXPECT_GT(stockCracks, 100);
}

// One rank that makes a part of the output knows the cells beside it.
TYPED_TEST(LevelsToUnstructuredGrid, PiecesAreTheWholeTogether) {
  constexpr int Dim = TypeParam::value;
  const auto leaves = randomLeaves<Dim>(this->random);
  vtkNew<Filter> filter;
  filter->SetInputDataObject(levelsOf<Dim>(withRandomValues<Dim>(this->random, leaves)));
  const auto pointsOf = [&] {
    std::map<std::array<double, 3>, double> values;
    auto* mesh = vtkUnstructuredGrid::SafeDownCast(filter->GetOutputDataObject(0));
    for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p) {
      const double* place = mesh->GetPoint(p);
      values[{place[0], place[1], place[2]}] = mesh->GetPointData()->GetArray("random")->GetComponent(p, 0);
    }
    return values;
  };
  filter->Update();
  const auto whole = pointsOf();
  const std::int64_t cells = numCellsOf(filter->GetOutputDataObject(0));
  std::map<std::array<double, 3>, double> together;
  std::int64_t count = 0;
  for (int piece = 0; piece < 3; ++piece) {
    filter->UpdatePiece(piece, 3, 0);
    count += numCellsOf(filter->GetOutputDataObject(0));
    for (const auto& [place, value] : pointsOf()) {
      const auto [at, isNew] = together.emplace(place, value);
      EXPECT_EQ(at->second, value); // the same bits on both sides of a cut
    }
  }
  EXPECT_EQ(count, cells);
  EXPECT_TRUE(together == whole);
}

// Only the first piece of a stack of cells has leaves of the finest level, and the next one is beside them.
TYPED_TEST(LevelsToUnstructuredGrid, PiecesBesideFinerOnesHaveTheirNodes) {
  constexpr int Dim = TypeParam::value;
  Leaves<Dim> leaves(2);
  Cell<Dim> first{};
  for (int child = 0; child < 1 << Dim; ++child) {
    leaves[1].insert(childOf(first, child));
  }
  for (Coordinate plane = 1; plane < 20; ++plane) {
    Cell<Dim> cell{};
    cell.at[Dim - 1] = plane;
    leaves[0].insert(cell);
  }
  vtkNew<Filter> filter;
  filter->SetInputDataObject(levelsOf<Dim>(hierarchyOf<Dim>(leaves)));
  const vtkIdType whole = gridOfOutput(filter)->GetNumberOfCells();
  vtkIdType sum = 0;
  Messages messages;
  for (int piece = 0; piece < 20; ++piece) {
    filter->UpdatePiece(piece, 20, 0);
    sum += vtkUnstructuredGrid::SafeDownCast(filter->GetOutputDataObject(0))->GetNumberOfCells();
  }
  EXPECT_TRUE(messages.all().empty()) << messages.all().front();
  EXPECT_EQ(sum, whole);
}

TYPED_TEST(LevelsToUnstructuredGrid, TimeAndFieldDataPassThrough) {
  constexpr int Dim = TypeParam::value;
  vtkNew<StepSource> source;
  source->type = "vtkPartitionedDataSetCollection";
  source->steps = {1.0, 2.0};
  source->fill = [&](double time, vtkDataObject* output) {
    Leaves<Dim> leaves(2);
    Cell<Dim> cell{};
    for (int k = 0; k < static_cast<int>(time); ++k) {
      cell.at[0] = k;
      leaves[1].insert(cell);
    }
    output->ShallowCopy(levelsOf<Dim>(hierarchyOf<Dim>(leaves)));
    vtkNew<vtkDoubleArray> field;
    field->SetName("field");
    field->InsertNextValue(time);
    output->GetFieldData()->AddArray(field);
  };
  vtkNew<Filter> filter;
  filter->SetInputConnection(source->GetOutputPort());
  for (const double time : {2.0, 1.0}) {
    filter->UpdateTimeStep(time);
    vtkDataObject* output = filter->GetOutputDataObject(0);
    EXPECT_EQ(numCellsOf(output), static_cast<std::int64_t>(time));
    EXPECT_EQ(output->GetFieldData()->GetArray("field")->GetComponent(0, 0), time);
  }
}

TYPED_TEST(LevelsToUnstructuredGrid, NothingGivesNothing) {
  constexpr int Dim = TypeParam::value;
  EXPECT_EQ(meshOf<Dim>(levelsOf<Dim>(hierarchyOf<Dim>(Leaves<Dim>(3))))->GetNumberOfCells(), 0);
}

TYPED_TEST(LevelsToUnstructuredGrid, StopsWhenItIsAskedTo) {
  constexpr int Dim = TypeParam::value;
  vtkNew<Filter> filter;
  filter->SetInputDataObject(levelsOf<Dim>(hierarchyOf<Dim>(randomLeaves<Dim>(this->random))));
  vtkNew<vtkCallbackCommand> stop;
  stop->SetCallback([](vtkObject* caller, unsigned long, void*, void*) {
    vtkAlgorithm::SafeDownCast(caller)->SetAbortExecuteAndUpdateTime();
  });
  const unsigned long observer = filter->AddObserver(vtkCommand::ProgressEvent, stop);
  Messages messages;
  filter->Update();
  EXPECT_TRUE(messages.all().empty());
  EXPECT_EQ(numCellsOf(filter->GetOutputDataObject(0)), 0);
  filter->RemoveObserver(observer);
  filter->SetAbortExecute(false);
  filter->Modified();
  filter->Update();
  EXPECT_GT(numCellsOf(filter->GetOutputDataObject(0)), 0); // and lives on
}

TYPED_TEST(LevelsToUnstructuredGrid, BadInputIsOneError) {
  constexpr int Dim = TypeParam::value;
  Leaves<Dim> leaves(2);
  leaves[0].insert(Cell<Dim>{});
  leaves[1].insert(Cell<Dim>{});
  vtkNew<Filter> filter;
  filter->SetInputDataObject(levelsOf<Dim>(hierarchyOf<Dim>(leaves)));
  expectOneError(filter, "covered twice");
}

} // namespace
} // namespace spanwise::testing
