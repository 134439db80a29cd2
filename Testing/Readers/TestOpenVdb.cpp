// .vdb files beside OpenVDB's library: what it writes is read, and what is written it reads.

#include "Testing/Core/Seed.hpp"
#include "Testing/Readers/Mutation.hpp"
#include "Testing/Readers/Sample.hpp"

#include "Filters/DataModel/SpanwiseBridge.h"
#include "Readers/vtkSpanwiseOpenVDBReader.h"
#include "Readers/vtkSpanwiseOpenVDBWriter.h"
#include "Testing/Rooms.hpp"

#include <openvdb/io/File.h>
#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/LevelSetSphere.h>

#include <vtkCellData.h>
#include <vtkDataArraySelection.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkInformation.h>
#include <vtkIntArray.h>
#include <vtkLongLongArray.h>
#include <vtkNew.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkStringArray.h>
#include <vtkTestErrorObserver.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnsignedLongLongArray.h>
#include <vtkUnstructuredGrid.h>

#include <cmath>
#include <fstream>
#include <map>
#include <numbers>
#include <random>
#include <set>

namespace spanwise::testing {

namespace {

using vdbCoord = openvdb::Coord;

#ifdef SPANWISE_HAS_BLOSC
constexpr bool hasBlosc = true;
#else
constexpr bool hasBlosc = false;
#endif

struct OpenVdb : public ::testing::Test {
  OpenVdb() { openvdb::initialize(); }
  std::mt19937 random{seed()};
  ::testing::ScopedTrace trace{__FILE__, __LINE__, "seed " + std::to_string(seed())};
  TemporaryFolder folder;
};

template <class Value>
Value randomValue(std::mt19937& random) {
  const auto number = [&] { return static_cast<int>(random() % 2001) - 1000; };
  if constexpr (std::is_same_v<Value, bool>) {
    return random() % 2 == 0;
  } else if constexpr (openvdb::VecTraits<Value>::IsVec) {
    using Element = typename Value::value_type;
    return Value(static_cast<Element>(number()), static_cast<Element>(number()), static_cast<Element>(number()));
  } else if constexpr (std::is_integral_v<Value>) {
    return static_cast<Value>(number()) * static_cast<Value>(number());
  } else {
    return static_cast<Value>(number()) / 8;
  }
}

vdbCoord randomCoord(std::mt19937& random, int extent) {
  const auto c = [&] { return static_cast<int>(random() % static_cast<unsigned>(2 * extent)) - extent; };
  return {c(), c(), c()};
}

enum class Tiles { Small, Large };

// Scattered voxels, dense leaves, and tiles, active or not, also across 0. Large ones have two million voxels.
template <class Grid>
typename Grid::Ptr randomGrid(std::mt19937& random, Tiles tiles = Tiles::Small) {
  const auto value = [&] { return randomValue<typename Grid::ValueType>(random); };
  const auto grid = Grid::create(value());
  auto& tree = grid->tree();
  for (int k = 0; k < 300; ++k) {
    tree.setValueOn(randomCoord(random, 300), value());
  }
  for (int k = 0; k < 4; ++k) { // dense, with holes
    const vdbCoord corner = randomCoord(random, 5000);
    for (int n = 0; n < 3000; ++n) {
      tree.setValueOn(corner.offsetBy(static_cast<int>(random() % 20), static_cast<int>(random() % 20),
                        static_cast<int>(random() % 20)),
        value());
    }
  }
  for (int k = 0; k < 40; ++k) {
    tree.addTile(1, randomCoord(random, 200), value(), k % 4 != 0);
  }
  if (tiles == Tiles::Large) {
    tree.addTile(2, vdbCoord(-5000, 300, -200), value(), true);
  }
  tree.addTile(2, vdbCoord(5000, -300, 200), value(), false);
  for (int k = 0; k < 100; ++k) { // what is not active has many values
    tree.setValueOff(randomCoord(random, 200), value());
  }
  return grid;
}

template <class Value>
double component(const Value& value, [[maybe_unused]] int c) {
  if constexpr (openvdb::VecTraits<Value>::IsVec) {
    return static_cast<double>(value[c]);
  } else {
    return static_cast<double>(value);
  }
}

template <class Body>
void forEachCell(const HostIntervalSet<3>& set, const Body& body) {
  const auto view = set.view();
  std::int64_t cell = 0;
  for (std::int64_t r = 0; r < view.numRows; ++r) {
    for (std::int64_t i = view.rowOffsets[r]; i < view.rowOffsets[r + 1]; ++i) {
      for (Coordinate x = view.intervals[i].begin; x < view.intervals[i].end; ++x) {
        body(vdbCoord(x, view.rowKeys[r].y, view.rowKeys[r].z), cell++);
      }
    }
  }
}

/// Expects a grid of cells to be the active voxels of OpenVDB's grid: as many, each of them active, each in its place
/// and with its value.
template <class Grid>
void expectSame(const Grid& expected, vtkUnstructuredGrid* output, const std::string& name) {
  const auto grid = gridOf<3>(output);
  ASSERT_NE(grid, nullptr);
  EXPECT_EQ(validate(Context<HostExecutionSpace>(), grid->set()), "");
  ASSERT_EQ(static_cast<std::uint64_t>(grid->set().numCells()), expected.activeVoxelCount());
  constexpr bool hasValues = !std::is_same_v<typename Grid::TreeType::LeafNodeType::BuildType, openvdb::ValueMask>;
  vtkDataArray* values = output->GetCellData()->GetArray(name.c_str());
  ASSERT_EQ(output->GetCellData()->GetNumberOfArrays(), hasValues ? 1 : 0);
  ASSERT_EQ(values != nullptr, hasValues);
  const auto accessor = expected.getConstAccessor();
  const GridPlacement& placement = grid->placement();
  std::int64_t wrong = 0;
  std::int64_t misplaced = 0;
  forEachCell(grid->set(), [&](const vdbCoord& at, std::int64_t cell) {
    const auto centre = expected.transform().indexToWorld(at);
    for (int d = 0; d < 3; ++d) {
      const double ours = placement.origin[d] + (at[d] + 0.5) * placement.spacing[d];
      misplaced += std::abs(ours - centre[d]) > 1e-9 * (1.0 + std::abs(centre[d])) ? 1 : 0;
    }
    if (!accessor.isValueOn(at)) {
      ++wrong;
    } else if constexpr (hasValues) {
      const auto value = accessor.getValue(at);
      for (int c = 0; c < values->GetNumberOfComponents(); ++c) {
        wrong += values->GetComponent(cell, c) != component(value, c) ? 1 : 0;
      }
    }
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(misplaced, 0);
}

/// The library's own choice, or what a build without Blosc reads.
const std::uint32_t usualCompression =
  openvdb::io::COMPRESS_ACTIVE_MASK | std::uint32_t{hasBlosc ? openvdb::io::COMPRESS_BLOSC : openvdb::io::COMPRESS_ZIP};

void writeGrids(
  const std::string& path, const openvdb::GridPtrVec& grids, std::uint32_t compression = usualCompression) {
  openvdb::io::File file(path);
  file.setCompression(compression);
  file.write(grids);
}

vtkSmartPointer<vtkDataObject> readFile(const std::string& path, vtkTest::ErrorObserver* observer = nullptr) {
  vtkNew<vtkSpanwiseOpenVDBReader> reader;
  if (observer != nullptr) {
    reader->AddObserver(vtkCommand::ErrorEvent, observer);
  }
  reader->SetFileName(path.c_str());
  reader->Update();
  return reader->GetOutputDataObject(0);
}

vtkSmartPointer<vtkUnstructuredGrid> readGrid(const std::string& path) {
  return vtkUnstructuredGrid::SafeDownCast(readFile(path));
}

/// The one error of reading a file, whose output must be empty.
std::string errorOf(const std::string& path) {
  const vtkNew<vtkTest::ErrorObserver> observer;
  const auto output = readFile(path, observer);
  EXPECT_EQ(output->GetNumberOfElements(vtkDataObject::CELL), 0);
  EXPECT_EQ(observer->GetNumberOfErrors(), 1);
  return observer->GetErrorMessage();
}

template <class Grid>
void roundTrip(std::mt19937& random, const TemporaryFolder& folder, vtkIdType type, Tiles tiles = Tiles::Small) {
  const std::string path = folder / "a.vdb";
  const auto grid = randomGrid<Grid>(random, tiles);
  grid->setName("values");
  grid->setTransform(openvdb::math::Transform::createLinearTransform(0.25));
  grid->transform().postTranslate(openvdb::Vec3d(1.0, -2.0, 30.0));
  writeGrids(path, {grid});
  const auto read = readGrid(path);
  ASSERT_NE(read, nullptr);
  expectSame(*grid, read, "values");
  if (type >= 0) {
    EXPECT_EQ(read->GetCellData()->GetArray("values")->GetDataType(), type);
  }
}

int write(const std::string& path, vtkDataObject* data, vtkTest::ErrorObserver* observer = nullptr,
  const char* levelSet = "Signed Distance") {
  vtkNew<vtkSpanwiseOpenVDBWriter> writer;
  if (observer != nullptr) {
    writer->AddObserver(vtkCommand::ErrorEvent, observer);
    writer->AddObserver(vtkCommand::WarningEvent, observer);
  }
  writer->SetInputDataObject(0, data);
  writer->SetFileName(path.c_str());
  writer->SetLevelSetArray(levelSet);
  return writer->Write();
}

/// The grids of a file as OpenVDB reads them.
std::map<std::string, openvdb::GridBase::Ptr> gridsOf(const std::string& path) {
  openvdb::io::File file(path);
  file.open(false);
  std::map<std::string, openvdb::GridBase::Ptr> grids;
  const auto all = file.getGrids();
  for (const auto& grid : *all) {
    grids[grid->getName()] = grid;
  }
  return grids;
}

const GridPlacement placement = {{-1.0, 2.0, 0.5}, {0.25, 0.5, 2.0}, 0};

template <class Array>
void addArray(vtkDataSet* data, std::mt19937& random, const char* name, int components, int range) {
  vtkNew<Array> array;
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(data->GetNumberOfCells());
  for (vtkIdType t = 0; t < array->GetNumberOfTuples(); ++t) {
    for (int c = 0; c < components; ++c) {
      array->SetComponent(t, c, static_cast<double>(random() % static_cast<unsigned>(range)));
    }
  }
  data->GetCellData()->AddArray(array);
}

vtkSmartPointer<vtkUnstructuredGrid> gridOfCells(const CellList<3>& cells, const GridPlacement& where = placement) {
  auto grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
  setGrid<3>(grid, IntervalGrid<3>::make(toHostSet<3>(cells), where));
  return grid;
}

} // namespace

TEST_F(OpenVdb, MasksAreRead) { roundTrip<openvdb::MaskGrid>(random, folder, -1, Tiles::Large); }
TEST_F(OpenVdb, BoolsAreRead) { roundTrip<openvdb::BoolGrid>(random, folder, VTK_UNSIGNED_CHAR); }
TEST_F(OpenVdb, IntegersAreRead) { roundTrip<openvdb::Int32Grid>(random, folder, VTK_TYPE_INT32); }
TEST_F(OpenVdb, LongIntegersAreRead) { roundTrip<openvdb::Int64Grid>(random, folder, VTK_TYPE_INT64); }
TEST_F(OpenVdb, FloatsAreRead) { roundTrip<openvdb::FloatGrid>(random, folder, VTK_FLOAT, Tiles::Large); }
TEST_F(OpenVdb, DoublesAreRead) { roundTrip<openvdb::DoubleGrid>(random, folder, VTK_DOUBLE); }
TEST_F(OpenVdb, VectorsOfIntegersAreRead) { roundTrip<openvdb::Vec3IGrid>(random, folder, VTK_TYPE_INT32); }
TEST_F(OpenVdb, VectorsOfFloatsAreRead) { roundTrip<openvdb::Vec3SGrid>(random, folder, VTK_FLOAT); }
TEST_F(OpenVdb, VectorsOfDoublesAreRead) { roundTrip<openvdb::Vec3DGrid>(random, folder, VTK_DOUBLE); }

TEST_F(OpenVdb, EveryCompressionIsRead) {
  const std::string path = folder / "a.vdb";
  std::vector<std::uint32_t> all{0, 1, 2, 3};
  if (hasBlosc) {
    all.insert(all.end(), {4, 6});
  }
  for (const bool fog : {false, true}) {
    const auto grid = randomGrid<openvdb::FloatGrid>(random);
    grid->setName("a");
    grid->setGridClass(fog ? openvdb::GRID_FOG_VOLUME : openvdb::GRID_UNKNOWN);
    for (const std::uint32_t compression : all) {
      writeGrids(path, {grid}, compression);
      SCOPED_TRACE(compression);
      expectSame(*grid, readGrid(path), "a");
    }
    // As half floats. The library rounds: what it reads itself is what the file has.
    grid->setSaveFloatAsHalf(true);
    for (const std::uint32_t compression : {0U, usualCompression}) {
      writeGrids(path, {grid}, compression);
      SCOPED_TRACE(compression);
      expectSame(*openvdb::gridPtrCast<openvdb::FloatGrid>(gridsOf(path).at("a")), readGrid(path), "a");
    }
  }
  const auto vectors = randomGrid<openvdb::Vec3DGrid>(random);
  vectors->setName("v");
  vectors->setSaveFloatAsHalf(true);
  writeGrids(path, {vectors});
  expectSame(*openvdb::gridPtrCast<openvdb::Vec3DGrid>(gridsOf(path).at("v")), readGrid(path), "v");
}

TEST_F(OpenVdb, WithoutBloscTheLibrarysFilesGiveOneError) {
  if (hasBlosc) {
    GTEST_SKIP() << "this build has Blosc";
  }
  const std::string path = folder / "a.vdb";
  const auto grid = randomGrid<openvdb::FloatGrid>(random);
  grid->setName("a");
  writeGrids(path, {grid}, openvdb::io::COMPRESS_ACTIVE_MASK | openvdb::io::COMPRESS_BLOSC);
  const std::string error = errorOf(path);
  EXPECT_NE(error.find("compressed with Blosc"), std::string::npos) << error;
  EXPECT_NE(error.find(path), std::string::npos) << error;
}

TEST_F(OpenVdb, TransformsAlongTheAxesAreOriginAndSpacing) {
  using openvdb::Vec3d;
  using namespace openvdb::math;
  const std::string path = folder / "a.vdb";
  const Vec3d scale(0.5, 0.25, 3.0);
  const Vec3d shift(-1.0, 7.0, 1e3);
  openvdb::Mat4d matrix = openvdb::Mat4d::identity();
  matrix.preScale(scale);
  matrix.postTranslate(shift);
  const MapBase::Ptr maps[] = {std::make_shared<UniformScaleMap>(0.125), std::make_shared<ScaleMap>(scale),
    std::make_shared<TranslationMap>(shift), std::make_shared<UniformScaleTranslateMap>(0.125, shift),
    std::make_shared<ScaleTranslateMap>(scale, shift), std::make_shared<AffineMap>(matrix)};
  for (const MapBase::Ptr& map : maps) {
    SCOPED_TRACE(map->type());
    const auto grid = openvdb::FloatGrid::create(0.0F);
    grid->setName("a");
    grid->tree().setValueOn(vdbCoord(-3, 5, 70), 1.0F);
    grid->setTransform(std::make_shared<Transform>(map));
    writeGrids(path, {grid});
    const auto read = readGrid(path);
    expectSame(*grid, read, "a");
    double bounds[6];
    read->GetBounds(bounds);
    const Vec3d lower = map->applyMap(Vec3d(-3.5, 4.5, 69.5));
    const Vec3d upper = map->applyMap(Vec3d(-2.5, 5.5, 70.5));
    for (int d = 0; d < 3; ++d) {
      EXPECT_NEAR(bounds[2 * d], lower[d], 1e-9);
      EXPECT_NEAR(bounds[2 * d + 1], upper[d], 1e-9);
    }
  }
}

TEST_F(OpenVdb, OtherTransformsAreRefusedUnlessTheyAreNotChosen) {
  using openvdb::Vec3d;
  using namespace openvdb::math;
  const std::string path = folder / "a.vdb";
  const auto turned = openvdb::FloatGrid::create(0.0F);
  turned->setName("turned");
  turned->tree().setValueOn(vdbCoord(0, 0, 0), 1.0F);
  const auto straight = openvdb::FloatGrid::create(0.0F);
  straight->setName("straight");
  straight->tree().setValueOn(vdbCoord(1, 2, 3), 2.0F);
  Transform::Ptr rotation = Transform::createLinearTransform(1.0);
  rotation->postRotate(0.3, Z_AXIS);
  Transform::Ptr shear = Transform::createLinearTransform(1.0);
  shear->postShear(0.2, X_AXIS, Y_AXIS);
  const auto frustum =
    Transform::createFrustumTransform(openvdb::BBoxd(Vec3d(0, 0, 0), Vec3d(10, 10, 10)), 0.5, 10.0, 1.0);
  const auto mirror = std::make_shared<Transform>(std::make_shared<ScaleMap>(Vec3d(1.0, -1.0, 1.0)));
  const std::pair<Transform::Ptr, std::string> refused[] = {
    {rotation, "rotates or shears"}, {shear, "rotates or shears"}, {frustum, "frustum"}, {mirror, "mirrored"}};
  for (const auto& [transform, words] : refused) {
    turned->setTransform(transform);
    writeGrids(path, {turned, straight});
    const std::string error = errorOf(path);
    for (const std::string& word : {words, std::string("'turned'"), path, std::string("under Grids")}) {
      EXPECT_NE(error.find(word), std::string::npos) << error;
    }
    vtkNew<vtkSpanwiseOpenVDBReader> reader;
    reader->SetFileName(path.c_str());
    reader->UpdateInformation();
    EXPECT_EQ(reader->GetGridSelection()->GetNumberOfArrays(), 2);
    reader->GetGridSelection()->DisableArray("turned");
    reader->Update();
    auto* collection = vtkPartitionedDataSetCollection::SafeDownCast(reader->GetOutputDataObject(0));
    ASSERT_NE(collection, nullptr);
    ASSERT_EQ(collection->GetNumberOfPartitionedDataSets(), 1U);
    expectSame(*straight, vtkUnstructuredGrid::SafeDownCast(collection->GetPartition(0, 0)), "straight");
  }
}

TEST_F(OpenVdb, SeveralGridsAreACollection) {
  const std::string path = folder / "a.vdb";
  const auto density = randomGrid<openvdb::FloatGrid>(random);
  density->setName("density");
  density->setGridClass(openvdb::GRID_FOG_VOLUME);
  const auto again = randomGrid<openvdb::Int32Grid>(random);
  again->setName("density");
  const auto moved = openvdb::gridPtrCast<openvdb::FloatGrid>(density->copyGrid()); // which shares the tree
  moved->setName("moved");
  moved->setTransform(openvdb::math::Transform::createLinearTransform(2.0));
  const auto none = openvdb::FloatGrid::create(1.0F);
  none->setName("none");
  const auto nameless = openvdb::BoolGrid::create(false);
  nameless->tree().setValueOn(vdbCoord(0, 0, 0), true);
  writeGrids(path, {density, again, moved, none, nameless});
  const auto output = readFile(path);
  auto* collection = vtkPartitionedDataSetCollection::SafeDownCast(output);
  ASSERT_NE(collection, nullptr);
  ASSERT_EQ(collection->GetNumberOfPartitionedDataSets(), 5U);
  const auto grid = [&](unsigned int k) { return vtkUnstructuredGrid::SafeDownCast(collection->GetPartition(k, 0)); };
  const auto name = [&](unsigned int k) {
    return std::string(collection->GetMetaData(k)->Get(vtkCompositeDataSet::NAME()));
  };
  EXPECT_EQ(name(0), "density[0]");
  EXPECT_EQ(name(1), "density[1]");
  EXPECT_EQ(name(2), "moved");
  EXPECT_EQ(name(3), "none");
  expectSame(*density, grid(0), "density[0]");
  expectSame(*again, grid(1), "density[1]");
  expectSame(*moved, grid(2), "moved");
  EXPECT_EQ(grid(3)->GetNumberOfCells(), 0);
  expectSame(*nameless, grid(4), name(4));
  auto* gridClass = vtkStringArray::SafeDownCast(grid(0)->GetFieldData()->GetAbstractArray("GridClass"));
  ASSERT_NE(gridClass, nullptr);
  EXPECT_EQ(gridClass->GetValue(0), "fog volume");
}

TEST_F(OpenVdb, PiecesAreTheWholeTogether) {
  const std::string path = folder / "a.vdb";
  const auto grid = randomGrid<openvdb::FloatGrid>(random);
  grid->setName("a");
  writeGrids(path, {grid});
  for (const int pieces : {2, 3, 7}) {
    std::uint64_t cells = 0;
    std::int64_t lastPlane = std::numeric_limits<std::int64_t>::min();
    for (int p = 0; p < pieces; ++p) {
      vtkNew<vtkSpanwiseOpenVDBReader> reader;
      reader->SetFileName(path.c_str());
      reader->UpdatePiece(p, pieces, 0);
      const auto part = gridOf<3>(reader->GetOutput());
      ASSERT_NE(part, nullptr);
      cells += static_cast<std::uint64_t>(part->set().numCells());
      const auto accessor = grid->getConstAccessor();
      vtkDataArray* values = reader->GetOutput()->GetCellData()->GetArray("a");
      std::int64_t wrong = 0;
      forEachCell(part->set(), [&](const vdbCoord& at, std::int64_t cell) {
        const bool owned = part->owned().contains(at[2]) && at[2] >= lastPlane;
        wrong += owned && accessor.isValueOn(at) && values->GetComponent(cell, 0) == accessor.getValue(at) ? 0 : 1;
      });
      EXPECT_EQ(wrong, 0);
      lastPlane = part->owned().end;
    }
    EXPECT_EQ(lastPlane, parallel::PlaneRange().end);
    EXPECT_EQ(cells, grid->activeVoxelCount());
  }
}

TEST_F(OpenVdb, ALevelSetIsItsNarrowBand) {
  const std::string path = folder / "a.vdb";
  constexpr float radius = 20.0F;
  constexpr float voxel = 0.5F;
  constexpr double width = 3.0 * voxel;
  const auto sphere = openvdb::tools::createLevelSetSphere<openvdb::FloatGrid>(radius, {1.0F, 2.0F, 3.0F}, voxel, 3.0F);
  sphere->setName("sphere");
  writeGrids(path, {sphere});
  const auto read = readGrid(path);
  expectSame(*sphere, read, "sphere");
  const double volume = static_cast<double>(read->GetNumberOfCells()) * voxel * voxel * voxel;
  const double shell = 4.0 / 3.0 * std::numbers::pi * (std::pow(radius + width, 3) - std::pow(radius - width, 3));
  EXPECT_NEAR(volume / shell, 1.0, 0.01);
}

// 4096^3 voxels in a file of some kilobytes: each of its 512 layers has as many rows as 4096 * 8.
TEST_F(OpenVdb, ATileOfTheRootIsRuns) {
  const std::string path = folder / "a.vdb";
  const auto grid = openvdb::MaskGrid::create(false);
  grid->tree().addTile(3, vdbCoord(-1, -1, -1), true, true);
  grid->tree().addTile(1, vdbCoord(0, -1, -1), true, true);
  writeGrids(path, {grid});
  vtkNew<vtkSpanwiseOpenVDBReader> reader;
  reader->SetFileName(path.c_str());
  reader->UpdatePiece(0, 512, 0); // 8 planes
  const auto part = gridOf<3>(reader->GetOutput());
  ASSERT_NE(part, nullptr);
  EXPECT_EQ(part->set().numRows(), 8 * 4096);
  EXPECT_EQ(part->set().numIntervals(), 8 * 4096);
  EXPECT_EQ(part->set().numCells(), std::int64_t{8} * 4096 * 4096);
  reader->UpdatePiece(511, 512, 0); // the small tile goes on where the large one ends
  const auto last = gridOf<3>(reader->GetOutput());
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(last->set().numIntervals(), 8 * 4096);
  EXPECT_EQ(last->set().numCells(), std::int64_t{8} * 4096 * 4096 + 512);
}

TEST_F(OpenVdb, ATileThatNeedsMoreThanTheMemoryIsRefused) {
  const std::string path = folder / "a.vdb";
  const auto grid = openvdb::DoubleGrid::create(0.0);
  grid->setName("huge");
  for (int k = 0; k < 4; ++k) {
    grid->tree().addTile(3, vdbCoord(4096 * k, 0, 0), 1.0, true);
  }
  writeGrids(path, {grid});
  const std::string error = errorOf(path);
  EXPECT_NE(error.find("'huge'"), std::string::npos) << error;
  EXPECT_NE(error.find("274877906944"), std::string::npos) << error;
  EXPECT_NE(error.find("memory"), std::string::npos) << error;
}

TEST_F(OpenVdb, WhatCannotBeReadIsNamed) {
  const std::string path = folder / "a.vdb";
  const auto names = [&](const std::string& error, const std::vector<std::string>& words) {
    for (const std::string& word : words) {
      EXPECT_NE(error.find(word), std::string::npos) << error;
    }
    EXPECT_NE(error.find(path), std::string::npos) << error;
  };
  const auto strange = openvdb::FloatGrid::create(0.0F);
  strange->setName("strange");
  writeGrids(path, {strange});
  FileBytes bytes = load(path);
  const std::string type = "Tree_float_5_4_3";
  const std::string unknown = "Tree_float_4_3_3";
  const auto at = std::search(bytes.begin(), bytes.end(), type.begin(), type.end());
  ASSERT_NE(at, bytes.end());
  std::copy(unknown.begin(), unknown.end(), at);
  store(path, bytes);
  names(errorOf(path), {"'strange'", unknown, "under Grids"});

  const auto edge = openvdb::FloatGrid::create(0.0F);
  edge->setName("edge");
  edge->tree().setValueOn(vdbCoord(2147483647, 0, 0), 1.0F);
  writeGrids(path, {edge});
  names(errorOf(path), {"'edge'", "2147483646"});

  const auto grid = openvdb::FloatGrid::create(0.0F);
  grid->setName("a");
  grid->tree().setValueOn(vdbCoord(0, 0, 0), 1.0F);
  {
    std::ofstream stream(path, std::ios::binary);
    openvdb::io::Stream(stream).write(openvdb::GridCPtrVec{grid});
  }
  names(errorOf(path), {"as a stream"});
}

TEST_F(OpenVdb, EveryKindOfArrayIsWritten) {
  const std::string path = folder / "a.vdb";
  const auto grid = gridOfCells(randomCells<3>(random, 14, 0.4));
  addArray<vtkUnsignedCharArray>(grid, random, "bool", 1, 2);
  addArray<vtkUnsignedCharArray>(grid, random, "byte", 1, 200);
  addArray<vtkIntArray>(grid, random, "int32", 1, 1000);
  addArray<vtkLongLongArray>(grid, random, "int64", 1, 1000);
  addArray<vtkUnsignedLongLongArray>(grid, random, "unsigned", 1, 1000);
  addArray<vtkFloatArray>(grid, random, "float", 1, 1000);
  addArray<vtkDoubleArray>(grid, random, "double", 1, 1000);
  addArray<vtkIntArray>(grid, random, "vec3i", 3, 1000);
  addArray<vtkFloatArray>(grid, random, "vec3s", 3, 1000);
  addArray<vtkDoubleArray>(grid, random, "vec3d", 3, 1000);
  ASSERT_EQ(write(path, grid), 1);
  const auto grids = gridsOf(path);
  ASSERT_EQ(grids.size(), 10U);
  expectSame(
    *openvdb::gridPtrCast<openvdb::FloatGrid>(grids.at("float")),
    [&] {
      const auto alone = gridOfCells(toCells(gridOf<3>(grid)->set()));
      alone->GetCellData()->AddArray(grid->GetCellData()->GetArray("float"));
      return alone;
    }(),
    "float");
  const auto expectType = [&](const std::string& name, const std::string& type) {
    EXPECT_EQ(grids.at(name)->valueType(), type) << name;
    EXPECT_EQ(grids.at(name)->activeVoxelCount(), static_cast<std::uint64_t>(grid->GetNumberOfCells())) << name;
  };
  expectType("bool", "bool");
  expectType("byte", "int32");
  expectType("int32", "int32");
  expectType("int64", "int64");
  expectType("unsigned", "int64");
  expectType("float", "float");
  expectType("double", "double");
  expectType("vec3i", "vec3i");
  expectType("vec3s", "vec3s");
  expectType("vec3d", "vec3d");

  // And back: each array on the same cells.
  const auto output = readFile(path);
  auto* collection = vtkPartitionedDataSetCollection::SafeDownCast(output);
  ASSERT_NE(collection, nullptr);
  ASSERT_EQ(collection->GetNumberOfPartitionedDataSets(), 10U);
  for (unsigned int k = 0; k < 10; ++k) {
    auto* part = vtkUnstructuredGrid::SafeDownCast(collection->GetPartition(k, 0));
    const auto cells = gridOf<3>(part);
    ASSERT_NE(cells, nullptr);
    EXPECT_TRUE(sameCells(cells->set(), gridOf<3>(grid)->set()));
    for (int d = 0; d < 3; ++d) {
      EXPECT_NEAR(cells->placement().origin[d], placement.origin[d], 1e-12);
      EXPECT_NEAR(cells->placement().spacing[d], placement.spacing[d], 1e-12);
    }
    vtkDataArray* read = part->GetCellData()->GetArray(0);
    vtkDataArray* written = grid->GetCellData()->GetArray(read->GetName());
    ASSERT_NE(written, nullptr);
    for (vtkIdType t = 0; t < read->GetNumberOfTuples(); ++t) {
      for (int c = 0; c < read->GetNumberOfComponents(); ++c) {
        ASSERT_EQ(read->GetComponent(t, c), written->GetComponent(t, c)) << read->GetName();
      }
    }
  }
}

TEST_F(OpenVdb, CellsWithoutArraysAreAMaskWithTiles) {
  const std::string path = folder / "a.vdb";
  vtkNew<vtkImageData> image; // a box of 64 x 64 x 64 cells from (-8, -8, -8) on: whole leaves
  image->SetExtent(-8, 56, -8, 56, -8, 56);
  image->SetSpacing(0.5, 0.5, 0.5);
  ASSERT_EQ(write(path, image), 1);
  const auto grids = gridsOf(path);
  ASSERT_EQ(grids.size(), 1U);
  const auto mask = openvdb::gridPtrCast<openvdb::MaskGrid>(grids.at("mask"));
  ASSERT_NE(mask, nullptr);
  EXPECT_EQ(mask->activeVoxelCount(), 64U * 64U * 64U);
  EXPECT_EQ(mask->tree().leafCount(), 0U);
  const auto read = readGrid(path);
  expectSame(*mask, read, "");
  EXPECT_EQ(gridOf<3>(read)->set().numIntervals(), 64 * 64);
}

TEST_F(OpenVdb, A2DGridIsALayerAroundItsPlane) {
  const std::string path = folder / "a.vdb";
  vtkNew<vtkUnstructuredGrid> grid;
  const auto set = toHostSet<2>(randomCells<2>(random, 20, 0.5));
  setGrid<2>(grid, IntervalGrid<2>::make(set, {{-1.0, 2.0, 0.5}, {0.25, 0.5, 2.0}, 0}));
  addArray<vtkDoubleArray>(grid, random, "a", 1, 100);
  ASSERT_EQ(write(path, grid), 1);
  const auto read = readGrid(path);
  ASSERT_EQ(read->GetNumberOfCells(), grid->GetNumberOfCells());
  double flat[6];
  double layer[6];
  grid->GetBounds(flat);
  read->GetBounds(layer);
  for (int d = 0; d < 4; ++d) {
    EXPECT_NEAR(layer[d], flat[d], 1e-12);
  }
  EXPECT_NEAR(layer[4], 0.5 - 1.0, 1e-12);
  EXPECT_NEAR(layer[5], 0.5 + 1.0, 1e-12);
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) { // rows are in the same order
    ASSERT_EQ(
      read->GetCellData()->GetArray("a")->GetComponent(c, 0), grid->GetCellData()->GetArray("a")->GetComponent(c, 0));
  }
}

TEST_F(OpenVdb, DistancesBecomeALevelSet) {
  const std::string path = folder / "a.vdb";
  constexpr double h = 0.05;
  constexpr double radius = 1.0;
  constexpr double width = 3.0 * h;
  CellList<3> band;
  std::map<Cell<3>, double> distances;
  constexpr int extent = 26;
  for (int z = -extent; z < extent; ++z) {
    for (int y = -extent; y < extent; ++y) {
      for (int x = -extent; x < extent; ++x) {
        const double distance = h * std::hypot(x + 0.5, y + 0.5, z + 0.5) - radius;
        if (std::abs(distance) <= width) {
          band.insert({{x, y, z}});
          distances[{{x, y, z}}] = distance;
        }
      }
    }
  }
  const auto grid = gridOfCells(band, {{0.0, 0.0, 0.0}, {h, h, h}, 0});
  vtkNew<vtkDoubleArray> array;
  array->SetName("Signed Distance");
  double largest = 0.0;
  for (const auto& [cell, distance] : distances) { // in the order of cells
    array->InsertNextValue(distance);
    largest = std::max(largest, std::abs(distance));
  }
  grid->GetCellData()->AddArray(array);
  ASSERT_EQ(write(path, grid), 1);
  const auto levelSet = openvdb::gridPtrCast<openvdb::FloatGrid>(gridsOf(path).at("Signed Distance"));
  ASSERT_NE(levelSet, nullptr);
  EXPECT_EQ(levelSet->getGridClass(), openvdb::GRID_LEVEL_SET);
  EXPECT_FLOAT_EQ(levelSet->background(), static_cast<float>(largest));
  EXPECT_EQ(levelSet->activeVoxelCount(), band.size());
  EXPECT_NEAR(levelSet->voxelSize()[0], h, 1e-12);
  // What is not active is on its side, wherever it is.
  std::int64_t inside = 0;
  const auto accessor = levelSet->getConstAccessor();
  for (int z = -2 * extent; z < 2 * extent; ++z) {
    for (int y = -2 * extent; y < 2 * extent; ++y) {
      for (int x = -2 * extent; x < 2 * extent; ++x) {
        const double distance = h * std::hypot(x + 0.5, y + 0.5, z + 0.5) - radius;
        const float value = accessor.getValue(vdbCoord(x, y, z));
        ASSERT_EQ(value < 0.0F, distance < 0.0) << x << " " << y << " " << z;
        inside += value < 0.0F ? 1 : 0;
      }
    }
  }
  const double volume = static_cast<double>(inside) * h * h * h;
  EXPECT_NEAR(volume / (4.0 / 3.0 * std::numbers::pi), 1.0, 0.01);
  expectSame(*levelSet, readGrid(path), "Signed Distance");

  // Not asked for, or not one: written as other arrays are.
  ASSERT_EQ(write(path, grid, nullptr, ""), 1);
  EXPECT_EQ(gridsOf(path).at("Signed Distance")->valueType(), "double");
  for (vtkIdType t = 0; t < array->GetNumberOfTuples(); ++t) {
    array->SetValue(t, std::abs(array->GetValue(t)) + 1.0);
  }
  array->Modified();
  const vtkNew<vtkTest::ErrorObserver> observer;
  ASSERT_EQ(write(path, grid, observer), 1);
  EXPECT_EQ(gridsOf(path).at("Signed Distance")->getGridClass(), openvdb::GRID_UNKNOWN);
  EXPECT_NE(observer->GetWarningMessage().find("both signs"), std::string::npos);
}

TEST_F(OpenVdb, ACollectionComesBack) {
  const std::string path = folder / "a.vdb";
  vtkNew<vtkPartitionedDataSetCollection> collection;
  const auto first = gridOfCells(randomCells<3>(random, 8, 0.4));
  addArray<vtkFloatArray>(first, random, "density", 1, 100);
  addArray<vtkFloatArray>(first, random, "velocity", 3, 100);
  const auto second = gridOfCells(randomCells<3>(random, 8, 0.4), {{0, 0, 0}, {1, 1, 1}, 0});
  collection->SetPartition(0, 0, first);
  collection->GetMetaData(0U)->Set(vtkCompositeDataSet::NAME(), "density");
  collection->SetPartition(1, 0, second);
  collection->GetMetaData(1U)->Set(vtkCompositeDataSet::NAME(), "walls");
  ASSERT_EQ(write(path, collection), 1);
  const auto grids = gridsOf(path);
  ASSERT_EQ(grids.size(), 3U);
  EXPECT_EQ(grids.at("density")->valueType(), "float");
  EXPECT_EQ(grids.at("density.velocity")->valueType(), "vec3s");
  EXPECT_EQ(grids.at("walls")->activeVoxelCount(), static_cast<std::uint64_t>(second->GetNumberOfCells()));
}

TEST_F(OpenVdb, WhatCannotBeWrittenIsSaid) {
  const std::string path = folder / "a.vdb";
  const auto grid = gridOfCells(randomCells<3>(random, 6, 0.5));
  addArray<vtkFloatArray>(grid, random, "pairs", 2, 100);
  addArray<vtkFloatArray>(grid, random, "kept", 1, 100);
  const vtkNew<vtkTest::ErrorObserver> observer;
  EXPECT_EQ(write(path, grid, observer), 1);
  EXPECT_NE(observer->GetWarningMessage().find("'pairs'"), std::string::npos) << observer->GetWarningMessage();
  EXPECT_EQ(gridsOf(path).size(), 1U);

  waitForFileClock(); // so that a change would show
  const FileState before = fileState(path).value();
  const vtkNew<vtkTest::ErrorObserver> ofFolder;
  EXPECT_EQ(write(folder / "no folder/a.vdb", grid, ofFolder), 0);
  EXPECT_NE(ofFolder->GetErrorMessage().find("no folder/a.vdb"), std::string::npos) << ofFolder->GetErrorMessage();
  const vtkNew<vtkTest::ErrorObserver> ofKind;
  EXPECT_EQ(write(path, vtkSmartPointer<vtkDataObject>::New(), ofKind), 0);
  EXPECT_NE(ofKind->GetErrorMessage().find("vtkDataObject"), std::string::npos) << ofKind->GetErrorMessage();
  EXPECT_TRUE(isUnchanged(before, fileState(path).value())); // what was there is as it was
}

} // namespace spanwise::testing
