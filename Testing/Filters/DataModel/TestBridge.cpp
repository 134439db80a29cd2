// How a dataset shows a grid of intervals, and how the grid is found again in it.

#include "SpanwiseBridge.h"
#include "SpanwiseImplicitArrays.h"

#include "Core/Runtime/Error.hpp"
#include "Testing/Dimensions.hpp"
#include "Testing/Filters/DataModel/SameData.h"
#include "Testing/Filters/DataModel/Twin.h"
#include "Testing/Filters/Geometry/Pipelines.hpp"
#include "Testing/Rooms.hpp"

#include <vtkAbstractCellLocator.h>
#include <vtkFloatArray.h>
#include <vtkIdTypeArray.h>
#include <vtkPassThrough.h>
#include <vtkPoints.h>
#include <vtkSOADataArrayTemplate.h>
#include <vtkStringArray.h>
#include <vtkTransform.h>
#include <vtkTransformFilter.h>
#include <vtkUnsignedCharArray.h>

namespace spanwise::testing {
namespace {

template <class D>
class Bridge : public ::testing::Test {
protected:
  static constexpr int Dim = D::value;
  Twin<Dim> twin = makeTwin<Dim>();

  static Intervals<Dim> of(vtkDataSet* data, const GridPlacement* like = nullptr) {
    return std::get<Intervals<Dim>>(intervalsOf(data, like, {}, Dim));
  }
  static std::string messageOf(vtkDataSet* data) {
    try {
      intervalsOf(data);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  }
  static void expectSameSet(const Intervals<Dim>& a, const IntervalGridPointer<Dim>& b) {
    EXPECT_EQ(toCells<Dim>(a.grid->set()), toCells<Dim>(b->set()));
  }
};
TYPED_TEST_SUITE(Bridge, Dimensions, DimensionNames);

TYPED_TEST(Bridge, TheGridIsFoundAgain) {
  constexpr int Dim = TypeParam::value;
  EXPECT_EQ(gridOf<Dim>(this->twin.ours), this->twin.grid);
  EXPECT_EQ(gridOf<5 - Dim>(this->twin.ours), nullptr);
  EXPECT_EQ(gridOf<Dim>(this->twin.stock), nullptr);
  EXPECT_EQ(gridOf<Dim>(nullptr), nullptr);
  EXPECT_EQ(gridOf<Dim>(vtkNew<vtkUnstructuredGrid>()), nullptr);
  const auto intervals = this->of(this->twin.ours);
  EXPECT_TRUE(intervals.found);
  EXPECT_TRUE(intervals.sameCells);
  EXPECT_EQ(intervals.grid, this->twin.grid);
}

TYPED_TEST(Bridge, AShallowCopyCarriesTheGrid) {
  constexpr int Dim = TypeParam::value;
  vtkNew<vtkUnstructuredGrid> copy;
  copy->ShallowCopy(this->twin.ours);
  EXPECT_EQ(gridOf<Dim>(copy), this->twin.grid);
  vtkNew<vtkUnstructuredGrid> structure;
  structure->CopyStructure(this->twin.ours);
  EXPECT_EQ(gridOf<Dim>(structure), this->twin.grid);
  vtkNew<vtkPassThrough> filter;
  filter->SetInputData(this->twin.ours);
  filter->Update();
  EXPECT_EQ(gridOf<Dim>(filter->GetOutputDataObject(0)), this->twin.grid);
}

// Ranges come from the intervals; those of a deep copy from every value.
TYPED_TEST(Bridge, RangesAreThoseOfTheValues) {
  constexpr int Dim = TypeParam::value;
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> anywhere(-8.0, 8.0);
  for (int k = 0; k < 20; ++k) {
    const GridPlacement placement{{anywhere(random), anywhere(random), anywhere(random)}, {0.7, 0.3, 0.9}, 0};
    const auto grid = IntervalGrid<Dim>::make(toHostSet<Dim>(randomCells<Dim>(random, 6, 0.3)), placement);
    vtkNew<vtkUnstructuredGrid> ours;
    setGrid<Dim>(ours, grid);
    vtkNew<vtkUnstructuredGrid> copy;
    copy->DeepCopy(ours);
    const auto expectSameRanges = [](vtkDataArray* a, vtkDataArray* b) {
      for (int component = -1; component < a->GetNumberOfComponents(); ++component) {
        EXPECT_EQ(a->GetRange(component)[0], b->GetRange(component)[0]) << component;
        EXPECT_EQ(a->GetRange(component)[1], b->GetRange(component)[1]) << component;
        EXPECT_EQ(a->GetFiniteRange(component)[0], b->GetFiniteRange(component)[0]) << component;
        EXPECT_EQ(a->GetFiniteRange(component)[1], b->GetFiniteRange(component)[1]) << component;
      }
    };
    expectSameRanges(ours->GetPoints()->GetData(), copy->GetPoints()->GetData());
    expectSameRanges(ours->GetCells()->GetConnectivityArray(), copy->GetCells()->GetConnectivityArray());
  }
}

TYPED_TEST(Bridge, ADeepCopyIsExplicitAndTheSame) {
  constexpr int Dim = TypeParam::value;
  vtkNew<vtkUnstructuredGrid> copy;
  copy->DeepCopy(this->twin.ours);
  EXPECT_EQ(gridOf<Dim>(copy), nullptr);
  expectSameData(copy, this->twin.ours);
  const auto intervals = this->of(copy, &twinPlacement);
  EXPECT_FALSE(intervals.found);
  EXPECT_TRUE(intervals.sameCells);
  this->expectSameSet(intervals, this->twin.grid);
}

TYPED_TEST(Bridge, TheGridIsNotFoundOnOtherPoints) {
  constexpr int Dim = TypeParam::value;
  const auto other = makeTwin<Dim>(4);
  vtkNew<vtkUnstructuredGrid> mixed;
  mixed->ShallowCopy(this->twin.ours);
  mixed->SetPoints(other.ours->GetPoints());
  EXPECT_EQ(gridOf<Dim>(mixed), nullptr);
}

// The connectivity alone still carries the record: it must not be taken for the grid.
TYPED_TEST(Bridge, ATransformedGridIsRebuiltWhereItIs) {
  constexpr int Dim = TypeParam::value;
  vtkNew<vtkTransform> transform;
  transform->Translate(10.0, 20.0, 30.0);
  transform->Scale(2.0, 3.0, 4.0);
  vtkNew<vtkTransformFilter> filter;
  filter->SetTransform(transform);
  filter->SetInputData(this->twin.ours);
  filter->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  filter->Update();
  auto* moved = vtkUnstructuredGrid::SafeDownCast(filter->GetOutput());
  ASSERT_NE(moved, nullptr);
  ASSERT_NE(dynamic_cast<ConnectivityArray<Dim>*>(moved->GetCells()->GetConnectivityArray()), nullptr);
  EXPECT_EQ(gridOf<Dim>(moved), nullptr);

  const GridPlacement expected{{10.0 + 2.0 * 0.3, 20.0 - 3.0 * 1.7, 30.0 + 4.0 * 2.5}, {1.0, 0.75, 3.0}, 0};
  const auto intervals = this->of(moved, &expected);
  EXPECT_FALSE(intervals.found);
  EXPECT_TRUE(intervals.sameCells);
  EXPECT_EQ(intervals.grid->placement().origin[0], expected.origin[0]); // as the hint says
  this->expectSameSet(intervals, this->twin.grid);

  const auto alone = this->of(moved);
  for (int d = 0; d < Dim; ++d) {
    EXPECT_NEAR(alone.grid->placement().spacing[d], expected.spacing[d], 1e-12);
    EXPECT_LE(std::abs(alone.grid->placement().origin[d]), 0.5 * expected.spacing[d] + 1e-9);
  }
  const Cell<Dim> shift = shiftBetween<Dim>(expected, alone.grid->placement());
  CellList<Dim> shifted;
  for (Cell<Dim> cell : toCells<Dim>(alone.grid->set())) {
    for (int d = 0; d < Dim; ++d) {
      cell.at[d] += shift.at[d];
    }
    shifted.insert(cell);
  }
  EXPECT_EQ(shifted, toCells<Dim>(this->twin.grid->set()));
}

TYPED_TEST(Bridge, AMirroredGridIsRebuilt) {
  constexpr int Dim = TypeParam::value;
  vtkNew<vtkTransform> transform;
  transform->Scale(-1.0, 1.0, Dim == 3 ? -1.0 : 1.0);
  vtkNew<vtkTransformFilter> filter;
  filter->SetTransform(transform);
  filter->SetInputData(this->twin.ours);
  filter->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  filter->Update();
  const auto intervals = this->of(vtkDataSet::SafeDownCast(filter->GetOutput()));
  EXPECT_EQ(intervals.grid->cells().numCells, this->twin.grid->cells().numCells);
  EXPECT_FALSE(intervals.sameCells);
}

TYPED_TEST(Bridge, ARotatedGridIsRefused) {
  vtkNew<vtkTransform> transform;
  transform->RotateZ(10.0);
  vtkNew<vtkTransformFilter> filter;
  filter->SetTransform(transform);
  filter->SetInputData(this->twin.ours);
  filter->Update();
  const std::string message = this->messageOf(vtkDataSet::SafeDownCast(filter->GetOutput()));
  EXPECT_NE(message.find("cell 0 is not a"), std::string::npos) << message;
}

TYPED_TEST(Bridge, TheCellsAreOfOneTypeAndSize) {
  constexpr int Dim = TypeParam::value;
  vtkUnstructuredGrid* ours = this->twin.ours;
  EXPECT_EQ(ours->GetCellType(5), Dim == 2 ? VTK_QUAD : VTK_HEXAHEDRON);
  EXPECT_EQ(ours->GetMaxCellSize(), Dim == 2 ? 4 : 8);
  EXPECT_TRUE(ours->IsHomogeneous());
  EXPECT_EQ(ours->GetMaxSpatialDimension(), Dim);
  EXPECT_EQ(ours->GetPoints()->GetDataType(), VTK_DOUBLE);
  double expected[6];
  this->twin.grid->bounds(expected);
  double bounds[6];
  ours->GetBounds(bounds);
  EXPECT_TRUE(std::equal(bounds, bounds + 6, expected));
  EXPECT_TRUE(ours->GetCells()->IsValid());
}

TYPED_TEST(Bridge, TheEmptySetIsADataset) {
  constexpr int Dim = TypeParam::value;
  const auto grid = IntervalGrid<Dim>::make(HostIntervalSet<Dim>(), twinPlacement);
  vtkNew<vtkUnstructuredGrid> empty;
  setGrid<Dim>(empty, grid);
  EXPECT_EQ(empty->GetNumberOfCells(), 0);
  EXPECT_EQ(empty->GetNumberOfPoints(), 0);
  EXPECT_EQ(gridOf<Dim>(empty), grid);
  double bounds[6];
  empty->GetBounds(bounds);
  EXPECT_GT(bounds[0], bounds[1]);
  vtkNew<vtkUnstructuredGrid> copy;
  copy->DeepCopy(empty);
  EXPECT_EQ(copy->GetNumberOfCells(), 0);
  double x[3] = {0.0, 0.0, 0.0};
  EXPECT_EQ(empty->GetCellLocator()->FindCell(x), -1);
}

TYPED_TEST(Bridge, ADatasetWithoutCellsIsTheEmptySet) {
  constexpr int Dim = TypeParam::value;
  vtkNew<vtkUnstructuredGrid> nothing;
  const AnyIntervals any = intervalsOf(nothing, &twinPlacement, {}, Dim);
  ASSERT_TRUE(std::holds_alternative<Intervals<Dim>>(any));
  const auto& intervals = std::get<Intervals<Dim>>(any);
  EXPECT_TRUE(intervals.grid->set().empty());
  EXPECT_EQ(intervals.grid->placement().spacing[0], twinPlacement.spacing[0]);
  EXPECT_TRUE(this->of(nullptr).grid->set().empty());
}

// As VTK's reader makes it of an empty grid in a .vtkhdf file.
TYPED_TEST(Bridge, AGridOfMinusOneCellsIsTheEmptySet) {
  vtkNew<vtkCellArray> withoutOffsets;
  withoutOffsets->SetData(vtkNew<vtkIdTypeArray>(), vtkNew<vtkIdTypeArray>());
  vtkNew<vtkUnstructuredGrid> grid;
  grid->SetPoints(vtkNew<vtkPoints>());
  grid->SetPolyhedralCells(vtkNew<vtkUnsignedCharArray>(), withoutOffsets, nullptr, nullptr);
  ASSERT_EQ(grid->GetNumberOfCells(), -1);
  EXPECT_TRUE(this->of(grid).grid->set().empty());
  EXPECT_EQ(cellsBySize(grid).size(), 0U);
  vtkNew<vtkUnsignedCharArray> ghosts;
  ghosts->SetName(vtkDataSetAttributes::GhostArrayName());
  grid->GetCellData()->AddArray(ghosts);
  EXPECT_TRUE(this->of(grid).grid->set().empty());
}

// Points and connectivity are computed: what cannot be written is said, once for each array.
TYPED_TEST(Bridge, WritingInPlaceIsAnErrorAndChangesNothing) {
  vtkUnstructuredGrid* ours = this->twin.ours;
  vtkPoints* points = ours->GetPoints();
  double before[3];
  points->GetPoint(3, before);
  Messages messages;
  points->SetPoint(3, 7.0, 8.0, 9.0);
  points->InsertNextPoint(7.0, 8.0, 9.0);
  points->GetData()->SetComponent(3, 0, 7.0);
  points->GetData()->Fill(1.0);
  ASSERT_EQ(messages.all().size(), 1U);
  EXPECT_NE(messages.all()[0].find("cannot be changed in place"), std::string::npos) << messages.all()[0];
  ours->GetCells()->GetConnectivityArray()->SetComponent(0, 0, 5.0);
  EXPECT_EQ(messages.all().size(), 2U);
  EXPECT_EQ(points->GetNumberOfPoints(), this->twin.grid->numNodes());
  double after[3];
  points->GetPoint(3, after);
  EXPECT_TRUE(std::equal(before, before + 3, after));
  vtkNew<vtkUnstructuredGrid> copy;
  copy->DeepCopy(ours);
  copy->GetPoints()->SetPoint(3, 7.0, 8.0, 9.0);
  EXPECT_EQ(copy->GetPoint(3)[0], 7.0);
  EXPECT_EQ(messages.all().size(), 2U);
}

TYPED_TEST(Bridge, CellsAtTheLimitsOfCoordinatesGoThroughVtk) {
  constexpr int Dim = TypeParam::value;
  Cell<Dim> lowest{};
  Cell<Dim> highest{};
  std::fill_n(lowest.at, Dim, minCoordinate);
  std::fill_n(highest.at, Dim, maxRowKey);
  const auto grid = IntervalGrid<Dim>::make(toHostSet<Dim>({lowest, highest}), GridPlacement{});
  vtkNew<vtkUnstructuredGrid> ours;
  setGrid<Dim>(ours, grid);
  double x[3];
  ours->GetPoint(ours->GetNumberOfPoints() - 1, x);
  EXPECT_EQ(x[0], 2147483647.0);
  vtkNew<vtkUnstructuredGrid> copy;
  copy->DeepCopy(ours);
  this->expectSameSet(this->of(copy, &grid->placement()), grid);
}

TYPED_TEST(Bridge, GhostCellsAreNotInTheSet) {
  constexpr int Dim = TypeParam::value;
  vtkUnstructuredGrid* ours = this->twin.ours;
  vtkNew<vtkUnsignedCharArray> ghosts;
  ghosts->SetName(vtkDataSetAttributes::GhostArrayName());
  ghosts->SetNumberOfTuples(ours->GetNumberOfCells());
  CellList<Dim> expected;
  std::vector<std::int64_t> kept;
  for (vtkIdType c = 0; c < ours->GetNumberOfCells(); ++c) {
    const unsigned char marks[5] = {
      0, vtkDataSetAttributes::DUPLICATECELL, vtkDataSetAttributes::HIDDENCELL, vtkDataSetAttributes::REFINEDCELL, 0};
    ghosts->SetValue(c, marks[c % 5]);
    if (marks[c % 5] == 0) {
      expected.insert(this->twin.grid->cellAt(c));
      kept.push_back(c);
    }
  }
  ours->GetCellData()->AddArray(ghosts);
  const auto expectKept = [&](vtkUnstructuredGrid* data) {
    const auto intervals = this->of(data, &twinPlacement);
    EXPECT_FALSE(intervals.found);
    EXPECT_FALSE(intervals.sameCells);
    EXPECT_EQ(intervals.sourceCells, kept);
    EXPECT_EQ(toCells<Dim>(intervals.grid->set()), expected);
    vtkNew<vtkCellData> out;
    passCellData(intervals, data->GetCellData(), out);
    EXPECT_EQ(out->GetNumberOfArrays(), 2); // without vtkGhostType
    EXPECT_EQ(out->GetScalars(), out->GetArray("cell"));
    EXPECT_EQ(out->GetVectors(), out->GetArray("cellVector"));
    for (std::size_t k = 0; k < kept.size(); ++k) {
      ASSERT_EQ(out->GetArray("cell")->GetComponent(static_cast<vtkIdType>(k), 0),
        data->GetCellData()->GetArray("cell")->GetComponent(kept[k], 0));
    }
  };
  expectKept(ours);
  vtkNew<vtkUnstructuredGrid> exploded;
  explode(ours, exploded);
  expectKept(exploded);
  ghosts->FillValue(vtkDataSetAttributes::DUPLICATECELL);
  EXPECT_TRUE(this->of(ours).grid->set().empty());
  EXPECT_FALSE(this->of(ours).sameCells);
  EXPECT_TRUE(this->of(exploded).grid->set().empty());
  ghosts->FillValue(0);
  EXPECT_TRUE(this->of(ours).found);
}

TYPED_TEST(Bridge, CellDataAreSharedWhereTheCellsAreTheSame) {
  vtkCellData* from = this->twin.ours->GetCellData();
  vtkNew<vtkCellData> out;
  passCellData(this->of(this->twin.ours), from, out);
  EXPECT_EQ(out->GetArray("cell"), from->GetArray("cell"));
  EXPECT_EQ(out->GetScalars(), from->GetScalars());
}

TYPED_TEST(Bridge, ArraysOfEveryKindAreGathered) {
  constexpr int Dim = TypeParam::value;
  vtkNew<vtkCellData> from;
  vtkNew<vtkStringArray> names;
  names->SetName("names");
  vtkNew<vtkFloatArray> tensors;
  tensors->SetName("tensors");
  tensors->SetNumberOfComponents(9);
  vtkNew<vtkSOADataArrayTemplate<int>> columns;
  columns->SetName("columns");
  columns->SetNumberOfComponents(2);
  columns->SetComponentName(1, "second");
  vtkNew<vtkIdTypeArray> ids;
  ids->SetName("ids");
  const vtkIdType count = this->twin.grid->cells().numCells;
  columns->SetNumberOfTuples(count);
  for (vtkIdType c = 0; c < count; ++c) {
    names->InsertNextValue(std::to_string(c));
    const auto value = static_cast<float>(c);
    const float tensor[9] = {value, 0, 0, 0, 0, 0, 0, 0, -value};
    tensors->InsertNextTypedTuple(tensor);
    columns->SetTypedComponent(c, 1, static_cast<int>(c) * 2);
    ids->InsertNextValue(c + 1000);
  }
  from->AddArray(names);
  from->AddArray(tensors);
  from->AddArray(columns);
  from->SetGlobalIds(ids);
  Intervals<Dim> some;
  some.sameCells = false;
  some.sourceCells = {5, 3, 9};
  vtkNew<vtkCellData> out;
  passCellData(some, from, out);
  EXPECT_EQ(vtkStringArray::SafeDownCast(out->GetAbstractArray("names"))->GetValue(1), "3");
  EXPECT_EQ(out->GetArray("tensors")->GetComponent(2, 8), -9.0);
  EXPECT_EQ(out->GetArray("columns")->GetComponent(0, 1), 10.0);
  EXPECT_STREQ(out->GetArray("columns")->GetComponentName(1), "second");
  EXPECT_EQ(out->GetGlobalIds(), out->GetArray("ids"));
  EXPECT_EQ(out->GetArray("ids")->GetComponent(2, 0), 1009.0);
}

TYPED_TEST(Bridge, ExplodedIsTheSameInTheSameOrder) {
  constexpr int Dim = TypeParam::value;
  vtkUnstructuredGrid* ours = this->twin.ours;
  vtkNew<vtkUnstructuredGrid> exploded;
  explode(ours, exploded);
  EXPECT_EQ(gridOf<Dim>(exploded), nullptr);
  ASSERT_EQ(exploded->GetNumberOfCells(), ours->GetNumberOfCells());
  ASSERT_EQ(exploded->GetNumberOfPoints(), ours->GetNumberOfPoints());
  EXPECT_TRUE(exploded->GetCells()->IsStorage64Bit());
  EXPECT_TRUE(exploded->GetPoints()->GetData()->HasStandardMemoryLayout());
  double a[3];
  double b[3];
  for (vtkIdType p = 0; p < ours->GetNumberOfPoints(); ++p) {
    ours->GetPoint(p, a);
    exploded->GetPoint(p, b);
    ASSERT_TRUE(std::equal(a, a + 3, b));
  }
  vtkNew<vtkIdList> ofOurs;
  vtkNew<vtkIdList> ofExploded;
  for (vtkIdType c = 0; c < ours->GetNumberOfCells(); ++c) {
    ours->GetCellPoints(c, ofOurs);
    exploded->GetCellPoints(c, ofExploded);
    ASSERT_TRUE(std::equal(ofOurs->begin(), ofOurs->end(), ofExploded->begin(), ofExploded->end()));
  }
  EXPECT_EQ(exploded->GetCellData()->GetArray("cell"), ours->GetCellData()->GetArray("cell"));
  EXPECT_EQ(exploded->GetPointData()->GetArray("point"), ours->GetPointData()->GetArray("point"));
  vtkNew<vtkUnstructuredGrid> again;
  explode(exploded, again);
  EXPECT_EQ(again->GetPoints(), exploded->GetPoints());
}

// What the information panel shows: the record once, and the arrays.
TYPED_TEST(Bridge, MemoryIsReportedHonestly) {
  constexpr int Dim = TypeParam::value;
  const auto big = makeTwin<Dim>(Dim == 2 ? 200 : 30);
  vtkUnstructuredGrid* ours = big.ours;
  unsigned long arrays = 0;
  for (vtkDataSetAttributes* data : {static_cast<vtkDataSetAttributes*>(ours->GetCellData()),
         static_cast<vtkDataSetAttributes*>(ours->GetPointData())}) {
    arrays += data->GetActualMemorySize();
  }
  const double structure = static_cast<double>(ours->GetActualMemorySize() - arrays);
  const double record = static_cast<double>(big.grid->bytes()) / 1024.0;
  EXPECT_GE(structure, record);
  EXPECT_LE(structure, record + 8.0);   // KiB: what VTK says of an affine and a constant array
  ours->GetPoints()->GetVoidPointer(0); // makes an explicit copy
  EXPECT_GE(static_cast<double>(ours->GetActualMemorySize() - arrays),
    record + static_cast<double>(24 * ours->GetNumberOfPoints()) / 1024.0);
  ours->GetPoints()->Squeeze();
  EXPECT_LE(static_cast<double>(ours->GetActualMemorySize() - arrays), record + 8.0);
}

TYPED_TEST(Bridge, WholeShiftsAreFoundAndOthersRefused) {
  constexpr int Dim = TypeParam::value;
  GridPlacement other = twinPlacement;
  for (int d = 0; d < Dim; ++d) {
    other.origin[d] += (7 - 5 * d) * other.spacing[d] + 1e-5 * other.spacing[d];
  }
  const Cell<Dim> shift = shiftBetween<Dim>(twinPlacement, other);
  for (int d = 0; d < Dim; ++d) {
    EXPECT_EQ(shift.at[d], 7 - 5 * d);
  }
  const auto messageFor = [](const GridPlacement& a, const GridPlacement& b) -> std::string {
    try {
      shiftBetween<Dim>(a, b);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  GridPlacement unequal;
  unequal.spacing[1] = 1.5;
  EXPECT_EQ(
    messageFor({}, unequal), "the spacings along y are 1 and 1.5; they must be equal: make both with one spacing");
  GridPlacement half;
  half.origin[0] = 0.5;
  EXPECT_EQ(messageFor({}, half),
    "the origins along x are 0 and 0.5, 0.5 cells of size 1 apart; they must be a whole number of cells apart");
  GridPlacement far;
  far.origin[0] = 1e10;
  EXPECT_NE(messageFor({}, far), "");
  GridPlacement above;
  above.origin[2] = 0.5;
  EXPECT_NE(messageFor({}, above), "");
}

TYPED_TEST(Bridge, SettingAgainForgetsWhatWasThere) {
  constexpr int Dim = TypeParam::value;
  const auto other = makeTwin<Dim>(4);
  setGrid<Dim>(this->twin.ours, other.grid);
  EXPECT_EQ(gridOf<Dim>(this->twin.ours), other.grid);
  EXPECT_EQ(this->twin.ours->GetCellData()->GetNumberOfArrays(), 0);
  EXPECT_EQ(this->twin.ours->GetPointData()->GetNumberOfArrays(), 0);
}

} // namespace
} // namespace spanwise::testing
