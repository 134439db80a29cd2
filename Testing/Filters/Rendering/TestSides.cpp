// Surfaces of sets and arrays that lie on the device. Where there is no device the host stands in for it, with sets and
// arrays of its own.

#include "Testing/Dimensions.hpp"
#include "Testing/Filters/Rendering/Grids.hpp"
#include "Testing/Filters/Rendering/Surfaces.hpp"
#include "Testing/Filters/Sides.hpp"

#include "SpanwiseIntervalValues.h"
#include "SpanwiseMirroredArray.h"
#include "Testing/Rooms.hpp"

#include "Core/Geometry/Copy.hpp"

#include <vtkCellArray.h>
#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkIntArray.h>
#include <vtkShortArray.h>

#include <cmath>
#include <stdexcept>

namespace spanwise::testing {
namespace {

template <class Dimension>
class DrawingSides : public RandomTest<Dimension> {};
TYPED_TEST_SUITE(DrawingSides, Dimensions, DimensionNames);

/// A grid with arrays of all kinds that are gathered in their own way, but for those that lie on the host alone.
template <int Dim>
vtkSmartPointer<vtkUnstructuredGrid> gridOnHost(std::mt19937& random, Coordinate extent, bool withGhosts) {
  const auto grid = makeGrid<Dim>(randomCells<Dim>(random, extent, 0.6), oddPlacement());
  const vtkIdType count = grid->GetNumberOfCells();
  vtkCellData* const cells = grid->GetCellData();
  cells->AddArray(
    makeArray<vtkIntArray>("material", count, [&](std::int64_t) { return static_cast<int>(random() % 9); }));
  vtkNew<vtkFloatArray> velocity;
  velocity->SetName("velocity");
  velocity->SetNumberOfComponents(3);
  velocity->SetComponentName(1, "across");
  velocity->SetNumberOfTuples(count);
  for (vtkIdType k = 0; k < 3 * count; ++k) {
    velocity->SetValue(k, k % 11 == 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(random() % 100));
  }
  cells->AddArray(velocity);
  if (withGhosts) {
    constexpr unsigned char kinds[] = {0, 0, 0, vtkDataSetAttributes::DUPLICATECELL, vtkDataSetAttributes::HIDDENCELL};
    cells->AddArray(makeArray<vtkUnsignedCharArray>(
      vtkDataSetAttributes::GhostArrayName(), count, [&](std::int64_t) { return kinds[random() % 5]; }));
  }
  return grid;
}

void moveThere(vtkDataSetAttributes* from, vtkDataSetAttributes* to) {
  for (int a = 0; a < from->GetNumberOfArrays(); ++a) {
    vtkDataArray* const array = from->GetArray(a);
    ASSERT_TRUE(withMirroredType(array->GetDataType(), [&]<class T>() {
      const auto there = mirroredArray<T>(deviceField<T>(array));
      there->CopyComponentNames(array);
      to->AddArray(there);
    }));
  }
  to->SetActiveScalars("value");
}

/// The same grid with its set and its arrays on the device alone.
template <int Dim>
vtkSmartPointer<vtkUnstructuredGrid> gridOnDevice(vtkUnstructuredGrid* grid) {
  const IntervalGridPointer<Dim> here = gridOf<Dim>(grid);
  IntervalSetOn<Dim, SpaceOf<ComputeSide::Device>> set;
  copy(here->set(), set);
  auto output = vtkSmartPointer<vtkUnstructuredGrid>::New();
  setGrid<Dim>(
    output, IntervalGrid<Dim>::make(MirroredSet<Dim>::template of<ComputeSide::Device>(set), here->placement()));
  moveThere(grid->GetCellData(), output->GetCellData());
  moveThere(grid->GetPointData(), output->GetPointData());
  return output;
}

/// Expects the same values in the same kind of array; normals within what contracted operations make of them.
void expectSameArray(vtkDataArray* a, vtkDataArray* b) {
  ASSERT_NE(b, nullptr);
  ASSERT_EQ(a->GetDataType(), b->GetDataType());
  ASSERT_EQ(a->GetNumberOfComponents(), b->GetNumberOfComponents());
  ASSERT_EQ(a->GetNumberOfTuples(), b->GetNumberOfTuples());
  EXPECT_FALSE(isOnDevice(b)) << "what is drawn is on the host";
  const bool exact = a->GetName() == nullptr || std::string(a->GetName()) != "Smooth Normals";
  for (vtkIdType t = 0; t < a->GetNumberOfTuples(); ++t) {
    for (int c = 0; c < a->GetNumberOfComponents(); ++c) {
      const double p = a->GetComponent(t, c);
      const double q = b->GetComponent(t, c);
      ASSERT_TRUE((std::isnan(p) && std::isnan(q)) || std::abs(p - q) <= (exact ? 0.0 : 1e-6))
        << t << ": " << p << " " << q;
    }
  }
}

void expectSameArrays(vtkDataSetAttributes* a, vtkDataSetAttributes* b) {
  ASSERT_EQ(a->GetNumberOfArrays(), b->GetNumberOfArrays());
  for (int k = 0; k < a->GetNumberOfArrays(); ++k) {
    SCOPED_TRACE(a->GetArrayName(k));
    vtkDataArray* const other = b->GetArray(a->GetArrayName(k));
    expectSameArray(a->GetArray(k), other);
    for (int c = 0; c < a->GetArray(k)->GetNumberOfComponents(); ++c) {
      EXPECT_STREQ(a->GetArray(k)->GetComponentName(c), other->GetComponentName(c));
    }
  }
  EXPECT_EQ(a->GetScalars() != nullptr, b->GetScalars() != nullptr);
}

void expectSameSurface(vtkPolyData* a, vtkPolyData* b) {
  ASSERT_EQ(a->GetNumberOfPoints(), b->GetNumberOfPoints());
  ASSERT_EQ(a->GetNumberOfCells(), b->GetNumberOfCells());
  expectSameArray(a->GetPoints()->GetData(), b->GetPoints()->GetData());
  expectSameArray(a->GetPolys()->GetConnectivityArray(), b->GetPolys()->GetConnectivityArray());
  expectSameArrays(a->GetCellData(), b->GetCellData());
  expectSameArrays(a->GetPointData(), b->GetPointData());
}

template <int Dim>
void expectSameOnBothSides(vtkUnstructuredGrid* here, const SurfaceOptions& options, bool gathersAll) {
  const auto there = gridOnDevice<Dim>(here);
  vtkSmartPointer<vtkPolyData> expected;
  vtkSmartPointer<vtkPolyData> made;
  {
    const Forced forced(SideChoice::Host);
    expected = drawnSurface(here, options);
  }
  const SideNote before = notesOf("Surface", ComputeSide::Device);
  {
    const Forced forced(SideChoice::Device);
    made = drawnSurface(there, options);
  }
  ASSERT_GT(expected->GetNumberOfCells(), 0);
  expectSameSurface(expected, made);
  EXPECT_EQ(notesOf("Surface", ComputeSide::Device).count, before.count + 1);
  EXPECT_GT(notesOf("Surface", ComputeSide::Device).seconds, before.seconds);
  EXPECT_FALSE(gridOf<Dim>(there)->mirrored().isOnHost()) << "the set was copied to the host";
  for (vtkDataSetAttributes* const arrays : {static_cast<vtkDataSetAttributes*>(there->GetCellData()),
         static_cast<vtkDataSetAttributes*>(there->GetPointData())}) {
    for (int a = 0; a < arrays->GetNumberOfArrays() && gathersAll; ++a) {
      EXPECT_FALSE(isOnHost(arrays->GetArray(a))) << arrays->GetArrayName(a) << " was copied to the host";
    }
  }
}

TYPED_TEST(DrawingSides, MakeTheSameSurfacesWithoutACopyOfTheGrid) {
  constexpr int dim = TypeParam::value;
  for (const bool withGhosts : {false, true}) {
    const auto grid = gridOnHost<dim>(this->random, dim == 2 ? 20 : 7, withGhosts);
    for (const SurfaceKind kind : {SurfaceKind::Cells, SurfaceKind::Runs}) {
      for (const int shift : {0, 1, 2}) {
        SCOPED_TRACE("ghosts " + std::to_string(withGhosts) + " shift " + std::to_string(shift));
        SurfaceOptions options;
        options.kind = kind;
        options.shift = shift;
        options.cellIds = options.pointIds = true;
        options.shading = Shading::Smooth;
        // A whole 2D grid has no other cells than those that are drawn.
        expectSameOnBothSides<dim>(grid, options, dim == 3 || withGhosts || shift > 0 || kind == SurfaceKind::Runs);
      }
      SurfaceOptions limited;
      limited.kind = kind;
      limited.maxPolygons = 60;
      expectSameOnBothSides<dim>(grid, limited, true);
    }
  }
}

TYPED_TEST(DrawingSides, DrawARegionOfTheGrid) {
  constexpr int dim = TypeParam::value;
  const auto here = gridOnHost<dim>(this->random, dim == 2 ? 20 : 7, true);
  const auto there = gridOnDevice<dim>(here);
  Box<dim> region{};
  for (int d = 0; d < dim; ++d) {
    region.begin[d] = -3;
    region.end[d] = 4 + d;
  }
  const auto surfaceOf = [&](vtkUnstructuredGrid* grid, SideChoice side) {
    const Forced forced(side);
    const DrawnCells<dim> drawn = drawnCells<dim>(
      gridOf<dim>(grid), grid->GetCellData()->GetArray(vtkDataSetAttributes::GhostArrayName()), &region);
    auto surface = vtkSmartPointer<vtkPolyData>::New();
    makeSurface(grid, drawn, SurfaceOptions{}, surface.Get());
    EXPECT_EQ(countPolygons(drawn, SurfaceKind::Cells), surface->GetNumberOfCells());
    EXPECT_FALSE(drawn.box().empty());
    for (int d = 0; d < dim; ++d) {
      EXPECT_GE(drawn.box().begin[d], region.begin[d]);
      EXPECT_LE(drawn.box().end[d], region.end[d]);
    }
    return surface;
  };
  const auto expected = surfaceOf(here, SideChoice::Host);
  ASSERT_GT(expected->GetNumberOfCells(), 0);
  expectSameSurface(expected, surfaceOf(there, SideChoice::Device));
  EXPECT_FALSE(gridOf<dim>(there)->mirrored().isOnHost());
  EXPECT_FALSE(isOnHost(there->GetCellData()->GetArray("value")));
}

/// Arrays that cannot lie there, and those with a value for each interval.
TYPED_TEST(DrawingSides, TakeArraysThatLieOnTheHost) {
  constexpr int dim = TypeParam::value;
  const auto here = makeGrid<dim>(randomCells<dim>(this->random, dim == 2 ? 20 : 7, 0.6), GridPlacement());
  const auto there = gridOnDevice<dim>(here);
  for (vtkUnstructuredGrid* const grid : {here.Get(), there.Get()}) {
    const IntervalGridPointer<dim> record = gridOf<dim>(grid);
    grid->GetCellData()->AddArray(makeArray<vtkShortArray>(
      "short", grid->GetNumberOfCells(), [](std::int64_t c) { return static_cast<short>(c % 1000); }));
    const Kokkos::View<std::int64_t*, Kokkos::HostSpace> ofIntervals("of intervals", record->mirrored().numIntervals());
    for (std::size_t i = 0; i < ofIntervals.extent(0); ++i) {
      ofIntervals(i) = static_cast<std::int64_t>(7 * i);
    }
    grid->GetCellData()->AddArray(
      intervalArray<dim>("component", record, MirroredNumbers::of<ComputeSide::Host>(ofIntervals)));
  }
  for (const int shift : {1, 0}) {
    SurfaceOptions options;
    options.shift = shift;
    const auto surfaceOn = [&](vtkUnstructuredGrid* grid, SideChoice side) {
      const Forced forced(side);
      return drawnSurface(grid, options);
    };
    const auto expected = surfaceOn(here, SideChoice::Host);
    ASSERT_NE(expected->GetCellData()->GetArray("component"), nullptr);
    const auto made = surfaceOn(there, SideChoice::Device);
    const bool asOneArray = dim == 3 || shift > 0; // otherwise the grid's own are shared
    EXPECT_EQ(gridOf<dim>(there)->mirrored().isOnHost(), !asOneArray) << "the set was copied to the host";
    expectSameSurface(expected, made);
  }
}

/// Where there is a device and nobody has chosen: with the set, unless blocks average values that the host has.
TYPED_TEST(DrawingSides, AreWhereTheSetAndItsValuesLie) {
  constexpr int dim = TypeParam::value;
  const auto here = gridOnHost<dim>(this->random, 5, false);
  const auto there = gridOnDevice<dim>(here);
  vtkNew<vtkUnstructuredGrid> mixed; // the set there, values here
  mixed->ShallowCopy(there);
  mixed->GetCellData()->ShallowCopy(here->GetCellData());
  vtkNew<vtkUnstructuredGrid> gathered; // the set here, values there
  gathered->ShallowCopy(here);
  gathered->GetCellData()->ShallowCopy(there->GetCellData());
  const auto sideOf = [](vtkUnstructuredGrid* grid, const SurfaceOptions& options) {
    SideWork work = workOfSurface(grid, drawnCells<dim>(gridOf<dim>(grid)), options);
    work.numIntervals *= 100000;
    work.numCells *= 100000;
    return sideFor(work, SideChoice::Automatic, true).side;
  };
  SurfaceOptions cells;
  SurfaceOptions blocks;
  blocks.shift = 1;
  SurfaceOptions values = blocks;
  values.cellArrays = {false, "value"};
  values.pointArrays = {true, nullptr};
  SurfaceOptions materials = values; // which have no mean
  materials.cellArrays = {false, "material"};
  SurfaceOptions runs = blocks;
  runs.kind = SurfaceKind::Runs;
  for (const SurfaceOptions& options : {cells, blocks, values, materials, runs}) {
    EXPECT_EQ(sideOf(here, options), ComputeSide::Host);
    EXPECT_EQ(sideOf(there, options), ComputeSide::Device);
  }
  EXPECT_EQ(sideOf(mixed, cells), ComputeSide::Device);
  EXPECT_EQ(sideOf(mixed, values), ComputeSide::Host);
  EXPECT_EQ(sideOf(mixed, materials), ComputeSide::Device);
  EXPECT_EQ(sideOf(mixed, runs), ComputeSide::Device);
  EXPECT_EQ(sideOf(gathered, values), ComputeSide::Device);
  EXPECT_EQ(sideOf(gathered, runs), ComputeSide::Host);
}

TEST(DrawingSide, FallsBackToTheHostWithoutMemory) {
  const Forced forced(SideChoice::Device);
  int calls = 0;
  const int result = drawOnSide("Without memory", {}, [&]<ComputeSide side>(const SideContext<side>& /*context*/) {
    ++calls;
    if (side == ComputeSide::Device) {
      throw std::runtime_error("Kokkos ERROR: Cuda memory space failed to allocate 1 TiB");
    }
    return 7;
  });
  EXPECT_EQ(result, 7);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(notesOf("Without memory", ComputeSide::Host).count, 1);
  EXPECT_EQ(notesOf("Without memory", ComputeSide::Device).count, 0);
}

} // namespace
} // namespace spanwise::testing
