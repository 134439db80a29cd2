#include "Testing/Filters/Mesh/Grids.hpp"
#include "Testing/Filters/Parallel/PathLengths.hpp"
#include "Testing/Filters/Parallel/Ranks.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseEikonalArrivalTime.h"
#include "vtkSpanwiseEikonalPaths.h"
#include "vtkSpanwiseElementQuality.h"
#include "vtkSpanwisePartitionMesh.h"
#include "vtkSpanwiseSmoothMesh.h"

#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkGhostCellsGenerator.h>
#include <vtkIdList.h>
#include <vtkIdTypeArray.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkMath.h>
#include <vtkObjectFactory.h>
#include <vtkPassInputTypeAlgorithm.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkRedistributeDataSetFilter.h>
#include <vtkSphereSource.h>
#include <vtkTetra.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <vector>

namespace spanwise::testing {
namespace {

/// Tetrahedra in pieces, each with points of its own.
vtkSmartPointer<StepSource> pieces() {
  auto source = vtkSmartPointer<StepSource>::New();
  source->type = "vtkUnstructuredGrid";
  source->fill = [source = source.Get()](double /*time*/, vtkDataObject* output) {
    const HostMesh whole = gridMesh(ElementType::Tetrahedron, 6);
    HostMesh part;
    part.points = whole.points;
    for (std::int64_t e = whole.numElements() * source->piece / source->pieces;
      e < whole.numElements() * (source->piece + 1) / source->pieces; ++e) {
      part.add(
        ElementType::Tetrahedron, std::vector(whole.vertices.begin() + 4 * e, whole.vertices.begin() + 4 * e + 4));
    }
    output->ShallowCopy(vtkGridOf(part));
  };
  return source;
}

/// The whole mesh on one rank.
vtkSmartPointer<StepSource> onOneRank(int rank) {
  auto source = vtkSmartPointer<StepSource>::New();
  source->type = "vtkUnstructuredGrid";
  source->fill = [source = source.Get(), rank](double /*time*/, vtkDataObject* output) {
    if (source->pieces == 1 || source->piece == rank) {
      output->ShallowCopy(vtkGridOf(gridMesh(ElementType::Tetrahedron, 6)));
    }
  };
  return source;
}

TEST(Meshes, BallsOfPiecesAddUp) {
  vtkNew<vtkSpanwiseElementQuality> filter;
  filter->SetController(world());
  const auto source = pieces();
  filter->SetInputConnection(source->GetOutputPort());
  filter->ComputeVertexBallsOn();
  vtkFieldData* const fields = vtkDataSet::SafeDownCast(updateTogether(filter.Get()))->GetFieldData();
  const auto value = [&](const char* name) { return fields->GetArray(name)->GetComponent(0, 0); };
  ASSERT_NE(fields->GetArray("Elements"), nullptr); // on each rank
  ASSERT_EQ(fields->GetArray("Elements")->GetNumberOfTuples(), 1);
  EXPECT_EQ(value("Elements"), 6.0 * 216.0);
  EXPECT_GE(value("Vertices"), 343.0);
  EXPECT_EQ(value("Largest Degree"), 24.0);
  EXPECT_EQ(value("In Base Table"), 100.0);
}

/// The mesh that a source makes, with an array on points and one on cells that say where these are.
vtkSmartPointer<StepSource> placed(const vtkSmartPointer<StepSource>& source) {
  source->fill = [fill = source->fill](double time, vtkDataObject* output) {
    fill(time, output);
    auto* const grid = vtkUnstructuredGrid::SafeDownCast(output);
    vtkNew<vtkDoubleArray> places;
    places->SetName("place");
    for (vtkIdType p = 0; p < grid->GetNumberOfPoints(); ++p) {
      places->InsertNextValue(grid->GetPoint(p)[0] + 10.0 * grid->GetPoint(p)[1] + 100.0 * grid->GetPoint(p)[2]);
    }
    grid->GetPointData()->AddArray(places);
    vtkNew<vtkDoubleArray> middles;
    middles->SetName("middle");
    for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
      double bounds[6];
      grid->GetCellBounds(c, bounds);
      middles->InsertNextValue(bounds[0] + 10.0 * bounds[2] + 100.0 * bounds[4]);
    }
    grid->GetCellData()->AddArray(middles);
  };
  return source;
}

TEST(Meshes, BadPartitionsAreOneErrorTogether) {
  vtkNew<vtkSpanwisePartitionMesh> filter;
  filter->SetController(world());
  const auto source = pieces();
  filter->SetInputConnection(source->GetOutputPort());
  filter->SetNumberOfParts(0);
  expectOneErrorTogether(filter, "the number of parts is 0; it must be at least 1");
  filter->SetNumberOfParts(4);
  const auto bad = pieces();
  bad->fill = [bad = bad.Get()](double /*time*/, vtkDataObject* output) {
    HostMesh mesh = gridMesh(ElementType::Tetrahedron, 1);
    if (bad->piece + 1 == bad->pieces) { // on the last rank alone
      mesh.vertices[9] = 1000;
    }
    output->ShallowCopy(vtkGridOf(mesh));
  };
  filter->SetInputConnection(bad->GetOutputPort());
  expectOneErrorTogether(filter, "cell 2 names point 1000");
  filter->SetInputConnection(source->GetOutputPort()); // and it goes on
  EXPECT_EQ(everybody().sum(vtkUnstructuredGrid::SafeDownCast(updateTogether(filter.Get()))->GetNumberOfCells()), 1296);
}

TEST(Meshes, PartitionsGoToTheirRanks) {
  for (const auto& source : {placed(pieces()), placed(onOneRank(world()->GetNumberOfProcesses() - 1))}) {
    vtkNew<vtkSpanwisePartitionMesh> filter;
    filter->SetController(world());
    filter->SetInputConnection(source->GetOutputPort());
    auto* const output = vtkUnstructuredGrid::SafeDownCast(updateTogether(filter.Get()));
    const auto value = [&](const char* name) { return output->GetFieldData()->GetArray(name)->GetComponent(0, 0); };
    const int numRanks = world()->GetNumberOfProcesses();
    EXPECT_EQ(everybody().sum(output->GetNumberOfCells()), 6 * 216);
    if (numRanks > 1) {
      EXPECT_EQ(value("Parts"), numRanks);
      EXPECT_EQ(value("Largest Part"), static_cast<double>(everybody().maximum(output->GetNumberOfCells())));
      EXPECT_LT(value("Imbalance"), 1.1);
      EXPECT_GT(value("Cut Faces"), 0.0);
      EXPECT_GT(output->GetNumberOfCells(), 0);
    }
    // each place is there once on a rank, and arrays went with their points and cells
    std::map<std::array<double, 3>, vtkIdType> places;
    double volume = 0.0;
    for (vtkIdType p = 0; p < output->GetNumberOfPoints(); ++p) {
      std::array<double, 3> at{};
      output->GetPoint(p, at.data());
      EXPECT_TRUE(places.emplace(at, p).second);
      ASSERT_NEAR(
        output->GetPointData()->GetArray("place")->GetComponent(p, 0), at[0] + 10.0 * at[1] + 100.0 * at[2], 1e-12);
    }
    EXPECT_EQ(output->GetPointData()->GetNumberOfArrays(), 1);
    for (vtkIdType c = 0; c < output->GetNumberOfCells(); ++c) {
      if (numRanks > 1) {
        ASSERT_EQ(output->GetCellData()->GetArray("Part")->GetComponent(c, 0), world()->GetLocalProcessId());
      }
      double bounds[6];
      output->GetCellBounds(c, bounds);
      ASSERT_NEAR(output->GetCellData()->GetArray("middle")->GetComponent(c, 0),
        bounds[0] + 10.0 * bounds[2] + 100.0 * bounds[4], 1e-12);
      double corners[4][3];
      for (int k = 0; k < 4; ++k) {
        output->GetPoint(output->GetCell(c)->GetPointId(k), corners[k]);
      }
      volume += vtkTetra::ComputeVolume(corners[0], corners[1], corners[2], corners[3]);
    }
    std::vector<double> volumes = everybody().gather(std::vector<double>{std::abs(volume)});
    EXPECT_NEAR(std::accumulate(volumes.begin(), volumes.end(), 0.0), 1.0, 1e-12);
  }
}

TEST(Meshes, QualitiesOfPiecesAreThoseOfTheWhole) {
  const auto make = [](vtkMultiProcessController* controller) {
    auto filter = vtkSmartPointer<vtkSpanwiseElementQuality>::New();
    filter->SetController(controller);
    filter->SetInputConnection(pieces()->GetOutputPort());
    return filter;
  };
  expectSameAsAlone(make);
  const auto shared = make(world());
  vtkFieldData* const found = vtkDataSet::SafeDownCast(updateTogether(shared.Get()))->GetFieldData();
  EXPECT_NEAR(found->GetArray("Total Measure")->GetComponent(0, 0), 1.0, 1e-12); // on each rank
  EXPECT_EQ(found->GetArray("Cells Not Valid")->GetComponent(0, 0), 0.0);
}

TEST(Meshes, ArrivalTimesOfAMeshOnAnyRank) {
  const auto make = [](vtkMultiProcessController* controller, int rank) {
    auto filter = vtkSmartPointer<vtkSpanwiseEikonalArrivalTime>::New();
    filter->SetController(controller);
    filter->SetInputConnection(onOneRank(rank)->GetOutputPort());
    filter->SetSources(vtkSpanwiseEikonalArrivalTime::POINTS);
    auto seeds = vtkSmartPointer<StepSource>::New();
    seeds->type = "vtkPolyData";
    seeds->fill = [seeds = seeds.Get()](double /*time*/, vtkDataObject* output) {
      vtkNew<vtkPoints> points; // each rank has some of four
      points->SetDataTypeToDouble();
      for (int k = seeds->piece; k < 4; k += seeds->pieces) {
        points->InsertNextPoint(0.2 * k, 0.9 - 0.25 * k, 0.5);
      }
      vtkPolyData::SafeDownCast(output)->SetPoints(points);
    };
    filter->SetSourceConnection(seeds->GetOutputPort());
    return filter;
  };
  const auto alone = make(nullptr, 0);
  alone->Update();
  vtkDataArray* const expected = alone->GetDataSetOutput()->GetPointData()->GetArray("Arrival Time");
  ASSERT_EQ(expected->GetNumberOfTuples(), 343);
  for (int rank = 0; rank < world()->GetNumberOfProcesses(); ++rank) {
    const auto shared = make(world(), rank);
    auto* mine = vtkDataSet::SafeDownCast(updateTogether(shared.Get()));
    if (rank != world()->GetLocalProcessId()) {
      EXPECT_EQ(mine->GetNumberOfCells(), 0);
      continue;
    }
    vtkDataArray* const times = mine->GetPointData()->GetArray("Arrival Time");
    EXPECT_NE(times, nullptr); // no return: other ranks wait for this one
    vtkIdType differ = 0;
    for (vtkIdType p = 0; times != nullptr && p < 343; ++p) {
      differ += times->GetComponent(p, 0) == expected->GetComponent(p, 0) ? 0 : 1;
    }
    EXPECT_EQ(differ, 0) << "on rank " << rank;
  }
}

/// The points of a closed surface, of which each rank computes a piece: those at the cuts are sources once.
TEST(Meshes, SourcesThatPiecesHaveInCommonCountOnce) {
  const auto make = [](vtkMultiProcessController* controller) {
    vtkNew<vtkSphereSource> seeds;
    seeds->SetCenter(0.5, 0.5, 0.5);
    seeds->SetRadius(0.3);
    seeds->SetThetaResolution(12);
    seeds->SetPhiResolution(9);
    auto filter = vtkSmartPointer<vtkSpanwiseEikonalArrivalTime>::New();
    filter->SetController(controller);
    filter->SetInputConnection(onOneRank(0)->GetOutputPort());
    filter->SetSources(vtkSpanwiseEikonalArrivalTime::POINTS);
    filter->SetSourceConnection(seeds->GetOutputPort());
    filter->SetComputeNearestSource(true);
    return filter;
  };
  const auto alone = make(nullptr);
  alone->Update();
  const auto shared = make(world());
  auto* const mine = vtkDataSet::SafeDownCast(updateTogether(shared.Get()));
  for (vtkIdType p = 0; p < mine->GetNumberOfPoints(); ++p) {
    EXPECT_NEAR(mine->GetPointData()->GetArray("Arrival Time")->GetComponent(p, 0),
      alone->GetDataSetOutput()->GetPointData()->GetArray("Arrival Time")->GetComponent(p, 0), 1e-12);
    EXPECT_LT(mine->GetPointData()->GetArray("Nearest Source")->GetComponent(p, 0), 86.0);
  }
}

TEST(Meshes, PathsAreWhereTheMeshIs) {
  const int last = world()->GetNumberOfProcesses() - 1;
  vtkNew<vtkSpanwiseEikonalArrivalTime> arrival;
  arrival->SetController(world());
  arrival->SetInputConnection(onOneRank(last)->GetOutputPort());
  arrival->SetSourcePoint(0, 0.5, 0.5, 0.5);
  vtkNew<vtkSpanwiseEikonalPaths> filter;
  filter->SetController(world());
  filter->SetInputConnection(arrival->GetOutputPort());
  filter->SetSeedPoint(0, 0.1, 0.2, 0.3);
  filter->SetSeedPoint(1, 0.9, 0.2, 0.8);
  auto* paths = vtkPolyData::SafeDownCast(updateTogether(filter.Get()));
  EXPECT_EQ(paths->GetNumberOfLines(), world()->GetLocalProcessId() == last ? 2 : 0);
}

/// Leaves nothing of a data set without cells, as some of VTK's filters do.
class DropEmpty : public vtkPassInputTypeAlgorithm {
public:
  static DropEmpty* New() { VTK_STANDARD_NEW_BODY(DropEmpty); }
  vtkTypeMacro(DropEmpty, vtkPassInputTypeAlgorithm);

protected:
  int RequestData(vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs) override {
    vtkDataObject* const input = vtkDataObject::GetData(inputs[0], 0);
    if (input->GetNumberOfElements(vtkDataObject::CELL) > 0) {
      vtkDataObject::GetData(outputs, 0)->ShallowCopy(input);
    }
    return 1;
  }
};

/// How a mesh comes to ranks.
enum class Cut {
  Blocks,        ///< as a reader leaves it
  NotOnRank0,    ///< the first rank has nothing
  Redistributed, ///< by ParaView
  WithGhosts     ///< and with a layer of ghost cells
};

constexpr std::array allCuts{Cut::Blocks, Cut::NotOnRank0, Cut::Redistributed, Cut::WithGhosts};

/// A cube with a speed on cells, and marks of a point and a cell that are sources.
vtkSmartPointer<vtkUnstructuredGrid> layers(ElementType type) {
  const HostMesh mesh = gridMesh(type, 6);
  auto grid = vtkGridOf(mesh);
  vtkNew<vtkDoubleArray> speeds;
  speeds->SetName("speed");
  vtkNew<vtkDoubleArray> cellMarks;
  cellMarks->SetName("cell marks");
  for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
    speeds->InsertNextValue(mesh.corner(e, 0)[2] < 0.5 ? 1.0 : 2.5);
    cellMarks->InsertNextValue(e == 30 ? 1.0 : 0.0);
  }
  vtkNew<vtkDoubleArray> pointMarks;
  pointMarks->SetName("point marks");
  for (std::int64_t v = 0; v < mesh.numVertices(); ++v) {
    pointMarks->InsertNextValue(v == 171 || v == 3 ? 1.0 : 0.0);
  }
  grid->GetCellData()->AddArray(speeds);
  grid->GetCellData()->AddArray(cellMarks);
  grid->GetPointData()->AddArray(pointMarks);
  return grid;
}

/// The piece of a rank: cells of one range, with the points that they need.
vtkSmartPointer<vtkUnstructuredGrid> blockOf(vtkUnstructuredGrid* whole, int piece, int pieces) {
  auto block = vtkSmartPointer<vtkUnstructuredGrid>::New();
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  block->SetPoints(points);
  block->Allocate();
  block->GetPointData()->CopyGlobalIdsOn();
  block->GetPointData()->CopyAllocate(whole->GetPointData());
  block->GetCellData()->CopyAllocate(whole->GetCellData());
  std::map<vtkIdType, vtkIdType> placeOf;
  vtkNew<vtkIdList> corners;
  const vtkIdType count = whole->GetNumberOfCells();
  for (vtkIdType c = count * piece / std::max(pieces, 1); c < count * (piece + 1) / std::max(pieces, 1); ++c) {
    whole->GetCellPoints(c, corners);
    for (vtkIdType k = 0; k < corners->GetNumberOfIds(); ++k) {
      const vtkIdType from = corners->GetId(k);
      const auto [at, isNew] = placeOf.try_emplace(from, points->GetNumberOfPoints());
      if (isNew) {
        points->InsertNextPoint(whole->GetPoint(from));
        block->GetPointData()->CopyData(whole->GetPointData(), from, at->second);
      }
      corners->SetId(k, at->second);
    }
    const vtkIdType cell = block->InsertNextCell(whole->GetCellType(c), corners);
    block->GetCellData()->CopyData(whole->GetCellData(), c, cell);
  }
  return block;
}

/// Keeps a pipeline's filters.
struct Pipeline {
  std::vector<vtkSmartPointer<vtkAlgorithm>> filters;

  template <class Filter>
  Filter* add(vtkSmartPointer<Filter> filter) {
    if (!filters.empty()) {
      filter->SetInputConnection(filters.back()->GetOutputPort());
    }
    filters.push_back(filter);
    return filter;
  }
};

/// The mesh on ranks; on one rank without cuts, for `controller` null.
Pipeline meshOnRanks(vtkUnstructuredGrid* whole, Cut cut, vtkMultiProcessController* controller) {
  Pipeline pipeline;
  auto source = vtkSmartPointer<StepSource>::New();
  source->type = "vtkUnstructuredGrid";
  source->fill = [source = source.Get(), whole = vtkSmartPointer<vtkUnstructuredGrid>(whole), cut](
                   double /*time*/, vtkDataObject* output) {
    const bool skips = cut == Cut::NotOnRank0 && source->pieces > 1;
    if (!skips || source->piece > 0) {
      output->ShallowCopy(blockOf(whole, source->piece - (skips ? 1 : 0), source->pieces - (skips ? 1 : 0)));
    }
  };
  pipeline.filters.emplace_back(source);
  if (controller != nullptr && (cut == Cut::Redistributed || cut == Cut::WithGhosts)) {
    auto* redistribute = pipeline.add(vtkSmartPointer<vtkRedistributeDataSetFilter>::New());
    redistribute->SetController(controller);
    redistribute->SetNumberOfPartitions(0);
    redistribute->PreservePartitionsInOutputOff();
    if (cut == Cut::WithGhosts) {
      auto* ghosts = pipeline.add(vtkSmartPointer<vtkGhostCellsGenerator>::New());
      ghosts->SetController(controller);
      ghosts->BuildIfRequiredOff();
      ghosts->SetNumberOfGhostLayers(1);
    }
  }
  return pipeline;
}

using PointKey = std::array<double, 3>;

/// A point array by places.
std::map<PointKey, double> byPlace(vtkDataSet* data, const char* name) {
  std::map<PointKey, double> values;
  vtkDataArray* const array = data->GetPointData()->GetArray(name);
  for (vtkIdType p = 0; array != nullptr && p < data->GetNumberOfPoints(); ++p) {
    PointKey key{};
    data->GetPoint(p, key.data());
    values[key] = array->GetComponent(p, 0);
  }
  return values;
}

/// Expects that an array on the points of all cells, ghosts too, has the values of one rank.
void expectValues(vtkDataObject* output, const char* name, const std::map<PointKey, double>& expected) {
  auto* mine = vtkDataSet::SafeDownCast(output);
  vtkDataArray* const array = mine->GetPointData()->GetArray(name);
  EXPECT_TRUE(array != nullptr || mine->GetNumberOfPoints() == 0);
  vtkIdType differ = 0;
  for (vtkIdType p = 0; array != nullptr && p < mine->GetNumberOfPoints(); ++p) {
    PointKey key{};
    mine->GetPoint(p, key.data());
    const auto found = expected.find(key);
    differ += found != expected.end() && found->second == array->GetComponent(p, 0) ? 0 : 1;
  }
  EXPECT_EQ(differ, 0) << name;
}

vtkSmartPointer<vtkPolyData> sphere() {
  vtkNew<vtkSphereSource> source;
  source->SetCenter(0.5, 0.5, 0.5);
  source->SetRadius(0.3);
  source->Update();
  return source->GetOutput();
}

using Arrival = vtkSpanwiseEikonalArrivalTime;

/// Expects the times of one rank, to the last bit, with all cuts.
template <class SetUp>
void expectTimesOfOneRank(ElementType type, const SetUp& setUp) {
  const auto whole = layers(type);
  const auto make = [&](Cut cut, vtkMultiProcessController* controller) {
    Pipeline pipeline = meshOnRanks(whole, cut, controller);
    auto* arrival = pipeline.add(vtkSmartPointer<Arrival>::New());
    arrival->SetController(controller);
    arrival->SetSpeedKind(Arrival::SPEED_ARRAY);
    arrival->SetInputArrayToProcess(1, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "speed");
    arrival->ComputeGradientOn();
    setUp(arrival);
    return pipeline;
  };
  const Pipeline alone = make(Cut::Blocks, nullptr);
  alone.filters.back()->Update();
  auto* one = vtkDataSet::SafeDownCast(alone.filters.back()->GetOutputDataObject(0));
  const auto expected = byPlace(one, "Arrival Time");
  ASSERT_EQ(expected.size(), static_cast<std::size_t>(one->GetNumberOfPoints()));
  for (const Cut cut : allCuts) {
    const Pipeline shared = make(cut, world());
    Messages messages;
    auto* mine = vtkDataSet::SafeDownCast(updateTogether(shared.filters.back().Get()));
    EXPECT_TRUE(messages.all().empty()) << messages.all().front();
    expectValues(mine, "Arrival Time", expected);
    for (const char* name : {"Eikonal Iterations", "Eikonal Updates", "Eikonal Updates A Point", "Eikonal Sources",
           "Eikonal Unreached Points"}) {
      vtkDataArray* const value = mine->GetFieldData()->GetArray(name);
      EXPECT_NE(value, nullptr) << name;
      if (value != nullptr) {
        EXPECT_EQ(value->GetComponent(0, 0), one->GetFieldData()->GetArray(name)->GetComponent(0, 0)) << name;
      }
    }
    expectSent(mine, mine->GetNumberOfCells());
    vtkDataArray* const gradients = mine->GetCellData()->GetArray("Gradient");
    for (vtkIdType c = 0; gradients != nullptr && c < mine->GetNumberOfCells(); ++c) {
      EXPECT_TRUE(std::isfinite(gradients->GetComponent(c, 0))) << "cell " << c; // ghosts' too
    }
  }
}

TEST(Meshes, ArrivalTimesOfPiecesAreThoseOfTheWhole) {
  for (const ElementType type : {ElementType::Tetrahedron, ElementType::Hexahedron}) {
    expectTimesOfOneRank(type, [](Arrival* arrival) {
      arrival->SetSourcePoint(0, 0.5, 0.5, 0.5); // a point of the mesh, in both layers
      arrival->SetSourcePoint(1, 0.21, 0.83, 0.34);
    });
    expectTimesOfOneRank(type, [](Arrival* arrival) {
      arrival->SetSources(Arrival::SURFACE);
      arrival->SetSourceData(sphere());
    });
    for (const bool onPoints : {false, true}) {
      expectTimesOfOneRank(type, [&](Arrival* arrival) {
        arrival->SetSources(Arrival::SOURCE_ARRAY);
        arrival->SetInputArrayToProcess(0, 0, 0,
          onPoints ? vtkDataObject::FIELD_ASSOCIATION_POINTS : vtkDataObject::FIELD_ASSOCIATION_CELLS,
          onPoints ? "point marks" : "cell marks");
      });
    }
  }
}

TEST(Meshes, StopWhereTheWholeMeshStops) {
  expectTimesOfOneRank(ElementType::Tetrahedron, [](Arrival* arrival) {
    arrival->SetSourcePoint(0, 0.21, 0.83, 0.34);
    arrival->SetStopRegion("point marks");
    arrival->ComputeGradientOff();
  });
}

/// Cells whose corners are a little apart, each with points of its own, and a speed on the points.
vtkSmartPointer<vtkUnstructuredGrid> shaken() {
  const HostMesh joined = gridMesh(ElementType::Hexahedron, 5);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> little(-1e-3, 1e-3);
  HostMesh apart;
  for (std::int64_t e = 0; e < joined.numElements(); ++e) {
    std::array<std::int64_t, 8> corners{};
    for (int k = 0; k < 8; ++k) {
      corners[static_cast<std::size_t>(k)] = apart.numVertices();
      Point point = joined.corner(e, k);
      for (int axis = 0; axis < 3; ++axis) {
        point[axis] += little(random);
      }
      apart.points.push_back(point);
    }
    apart.add(ElementType::Hexahedron, corners);
  }
  auto grid = vtkGridOf(apart);
  vtkNew<vtkDoubleArray> speeds;
  speeds->SetName("speed");
  for (const Point& point : apart.points) {
    speeds->InsertNextValue(1.0 + point[0] + 2.0 * point[1] * point[2]);
  }
  grid->GetPointData()->AddArray(speeds);
  return grid;
}

// Points of several ranks that are near each other are one, as on one rank; paths go through them.
TEST(Meshes, PointsNearEachOtherAreOneOnAnyRanks) {
  const auto whole = shaken();
  const auto make = [&](Cut cut, vtkMultiProcessController* controller, double distance) {
    Pipeline pipeline = meshOnRanks(whole, cut, controller);
    auto* arrival = pipeline.add(vtkSmartPointer<Arrival>::New());
    arrival->SetController(controller);
    arrival->SetMergeDistance(distance);
    arrival->SetSpeedKind(Arrival::SPEED_ARRAY);
    arrival->SetInputArrayToProcess(1, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, "speed");
    arrival->SetSourcePoint(0, 0.31, 0.52, 0.49);
    auto* paths = pipeline.add(vtkSmartPointer<vtkSpanwiseEikonalPaths>::New());
    paths->SetController(controller);
    paths->SetSeedPoint(0, 0.91, 0.83, 0.9);
    return pipeline;
  };
  const auto timesIn = [](const Pipeline& pipeline) { return pipeline.filters[pipeline.filters.size() - 2].Get(); };
  const Pipeline apart = make(Cut::Blocks, nullptr, -1.0);
  apart.filters.back()->Update();
  auto* const apartTimes = vtkDataSet::SafeDownCast(timesIn(apart)->GetOutputDataObject(0));
  EXPECT_EQ(apartTimes->GetFieldData()->GetArray("Eikonal Unreached Points")->GetComponent(0, 0), 8.0 * 124);
  const Pipeline alone = make(Cut::Blocks, nullptr, 0.01);
  alone.filters.back()->Update();
  auto* const one = vtkDataSet::SafeDownCast(timesIn(alone)->GetOutputDataObject(0));
  EXPECT_EQ(one->GetFieldData()->GetArray("Eikonal Unreached Points")->GetComponent(0, 0), 0.0);
  const auto expected = byPlace(one, "Arrival Time");
  for (const Cut cut : allCuts) {
    const Pipeline shared = make(cut, world(), 0.01);
    Messages messages;
    auto* const mine = vtkPolyData::SafeDownCast(updateTogether(shared.filters.back().Get()));
    EXPECT_TRUE(messages.all().empty()) << messages.all().front();
    expectValues(timesIn(shared)->GetOutputDataObject(0), "Arrival Time", expected);
    EXPECT_EQ(everybody().sum(mine->GetNumberOfLines()), 1);
  }
}

TEST(Meshes, SourcesBesideAllPiecesGoToTheNearestCell) {
  expectTimesOfOneRank(ElementType::Tetrahedron, [](Arrival* arrival) {
    arrival->SetSourcePoint(0, 0.4, 1.05, 0.33);
    arrival->SetReach(0.1);
  });
}

TEST(Meshes, NearestSourcesHaveTheirGlobalIds) {
  const auto whole = layers(ElementType::Tetrahedron);
  vtkNew<vtkIdTypeArray> ids;
  ids->SetName("ids");
  for (vtkIdType p = 0; p < whole->GetNumberOfPoints(); ++p) {
    ids->InsertNextValue(1000 + p);
  }
  whole->GetPointData()->SetGlobalIds(ids);
  const auto make = [&](vtkMultiProcessController* controller) {
    Pipeline pipeline = meshOnRanks(whole, Cut::Blocks, controller);
    auto* arrival = pipeline.add(vtkSmartPointer<Arrival>::New());
    arrival->SetController(controller);
    arrival->SetSources(Arrival::SOURCE_ARRAY);
    arrival->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, "point marks");
    arrival->ComputeNearestSourceOn();
    return pipeline;
  };
  const Pipeline shared = make(world());
  auto* mine = vtkDataSet::SafeDownCast(updateTogether(shared.filters.back().Get()));
  vtkDataArray* const nearest = mine->GetPointData()->GetArray("Nearest Source");
  vtkDataArray* const times = mine->GetPointData()->GetArray("Arrival Time");
  vtkDataArray* const idsHere = mine->GetPointData()->GetGlobalIds();
  const bool inPieces = world()->GetNumberOfProcesses() > 1;
  for (vtkIdType p = 0; p < mine->GetNumberOfPoints(); ++p) {
    const auto source = static_cast<vtkIdType>(nearest->GetComponent(p, 0)); // on one rank it is the point
    const double id = inPieces ? static_cast<double>(source) : idsHere->GetComponent(source, 0);
    EXPECT_TRUE(id == 1003.0 || id == 1171.0) << id;
    if (times->GetComponent(p, 0) == 0.0) {
      EXPECT_EQ(id, idsHere->GetComponent(p, 0));
    }
  }
}

TEST(Meshes, PathsGoOnAcrossPieces) {
  const auto whole = layers(ElementType::Tetrahedron);
  const auto make = [&](Cut cut, vtkMultiProcessController* controller) {
    Pipeline pipeline = meshOnRanks(whole, cut, controller);
    auto* arrival = pipeline.add(vtkSmartPointer<Arrival>::New());
    arrival->SetController(controller);
    arrival->SetSpeedKind(Arrival::SPEED_ARRAY);
    arrival->SetInputArrayToProcess(1, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "speed");
    arrival->SetSourcePoint(0, 0.52, 0.49, 0.21);
    auto* paths = pipeline.add(vtkSmartPointer<vtkSpanwiseEikonalPaths>::New());
    paths->SetController(controller);
    for (int k = 0; k < 8; ++k) {
      paths->SetSeedPoint(k, 0.03 + 0.13 * k, 0.97 - 0.11 * k, 0.93 - 0.02 * k);
    }
    paths->SetSeedPoint(8, 5.0, 5.0, 5.0); // outside
    return pipeline;
  };
  const Pipeline alone = make(Cut::Blocks, nullptr);
  alone.filters.back()->Update();
  auto* one = vtkPolyData::SafeDownCast(alone.filters.back()->GetOutputDataObject(0));
  ASSERT_EQ(one->GetNumberOfLines(), 8);
  std::map<int, double> lengths;
  for (vtkIdType line = 0; line < 8; ++line) {
    lengths[static_cast<int>(one->GetCellData()->GetArray("Seed")->GetComponent(line, 0))] = lengthOf(one, line);
  }
  for (const Cut cut : allCuts) {
    const Pipeline shared = make(cut, world());
    auto* mine = vtkPolyData::SafeDownCast(updateTogether(shared.filters.back().Get()));
    EXPECT_EQ(everybody().sum(mine->GetNumberOfLines()), 8);
    EXPECT_EQ(mine->GetFieldData()->GetArray("Seeds Without Path")->GetComponent(0, 0), 1.0);
    for (vtkIdType line = 0; line < mine->GetNumberOfLines(); ++line) {
      const int seed = static_cast<int>(mine->GetCellData()->GetArray("Seed")->GetComponent(line, 0));
      EXPECT_NEAR(lengthOf(mine, line), lengths.at(seed), 1e-6) << "seed " << seed;
      EXPECT_EQ(mine->GetCellData()->GetArray("Source")->GetComponent(line, 0), 0.0);
    }
  }
}

TEST(Meshes, SmoothingOfPiecesIsThatOfTheWhole) {
  for (const ElementType type : {ElementType::Tetrahedron, ElementType::Hexahedron, ElementType::Quadrilateral}) {
    const auto whole = layers(type);
    vtkNew<vtkDoubleArray> numbers;
    numbers->SetName("number");
    for (vtkIdType p = 0; p < whole->GetNumberOfPoints(); ++p) {
      numbers->InsertNextValue(static_cast<double>(p));
      double at[3];
      whole->GetPoint(p, at);
      for (int axis = 0; axis < 2; ++axis) { // points inside move
        at[axis] += at[axis] > 0.0 && at[axis] < 1.0 ? 0.03 * std::sin(static_cast<double>(7 * p + axis)) : 0.0;
      }
      whole->GetPoints()->SetPoint(p, at);
    }
    whole->GetPointData()->AddArray(numbers);
    const auto make = [&](Cut cut, vtkMultiProcessController* controller) {
      Pipeline pipeline = meshOnRanks(whole, cut, controller);
      auto* smooth = pipeline.add(vtkSmartPointer<vtkSpanwiseSmoothMesh>::New());
      smooth->SetController(controller);
      smooth->SetIterations(4);
      return pipeline;
    };
    const Pipeline alone = make(Cut::Blocks, nullptr);
    alone.filters.back()->Update();
    auto* one = vtkDataSet::SafeDownCast(alone.filters.back()->GetOutputDataObject(0));
    std::map<double, PointKey> expected;
    for (vtkIdType p = 0; p < one->GetNumberOfPoints(); ++p) {
      one->GetPoint(p, expected[one->GetPointData()->GetArray("number")->GetComponent(p, 0)].data());
    }
    for (const Cut cut : allCuts) {
      const Pipeline shared = make(cut, world());
      auto* mine = vtkDataSet::SafeDownCast(updateTogether(shared.filters.back().Get()));
      vtkDataArray* const found = mine->GetPointData()->GetArray("number");
      double furthest = 0.0;
      for (vtkIdType p = 0; found != nullptr && p < mine->GetNumberOfPoints(); ++p) {
        const PointKey& wanted = expected.at(found->GetComponent(p, 0));
        furthest = std::max(furthest, std::sqrt(vtkMath::Distance2BetweenPoints(mine->GetPoint(p), wanted.data())));
      }
      EXPECT_LE(furthest, 1e-12);
      for (const char* name : {"Worst Quality Before", "Worst Quality After", "Longest Step", "Refused Steps"}) {
        vtkDataArray* const value = mine->GetFieldData()->GetArray(name);
        EXPECT_NE(value, nullptr);
        if (value != nullptr) {
          EXPECT_NEAR(value->GetComponent(0, 0), one->GetFieldData()->GetArray(name)->GetComponent(0, 0), 1e-9) << name;
        }
      }
    }
  }
}

// A rank without cells takes part also where a filter has left nothing there; seeds are on the last rank alone.
TEST(Meshes, PathsPassRanksWithoutCells) {
  const auto whole = layers(ElementType::Tetrahedron);
  for (const Cut cut : {Cut::NotOnRank0, Cut::Blocks}) {
    Pipeline pipeline = meshOnRanks(whole, cut, world());
    auto* arrival = pipeline.add(vtkSmartPointer<Arrival>::New());
    arrival->SetController(world());
    arrival->SetSourcePoint(0, 0.52, 0.49, 0.21);
    arrival->SetResultArrayName("u");
    pipeline.add(vtkSmartPointer<DropEmpty>::New());
    auto* paths = pipeline.add(vtkSmartPointer<vtkSpanwiseEikonalPaths>::New());
    paths->SetController(world());
    auto seeds = vtkSmartPointer<StepSource>::New();
    seeds->type = "vtkPolyData";
    seeds->fill = [seeds = seeds.Get()](double /*time*/, vtkDataObject* output) {
      vtkNew<vtkPoints> points;
      for (int k = 0; k < (seeds->piece + 1 == seeds->pieces ? 5 : 0); ++k) {
        points->InsertNextPoint(0.1 + 0.2 * k, 0.9 - 0.15 * k, 0.8);
      }
      vtkPolyData::SafeDownCast(output)->SetPoints(points);
    };
    paths->SetSeeds(vtkSpanwiseEikonalPaths::POINTS);
    paths->SetSeedConnection(seeds->GetOutputPort());
    Messages messages;
    auto* mine = vtkPolyData::SafeDownCast(updateTogether(paths));
    EXPECT_TRUE(messages.all().empty()) << messages.all().front();
    EXPECT_EQ(everybody().sum(mine->GetNumberOfLines()), 5);
    const bool inPieces = world()->GetNumberOfProcesses() > (cut == Cut::NotOnRank0 ? 2 : 1);
    EXPECT_TRUE(!inPieces || mine->GetPointData()->GetArray("u") != nullptr); // then on all ranks
  }
}

TEST(Meshes, WarningsNameACellOfAllRanks) {
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 4);
  const auto cell = static_cast<std::size_t>(mesh.numElements() - 7); // on the last rank
  for (const std::size_t flat : {cell, cell + 3}) {
    mesh.vertices[4 * flat + 1] = mesh.vertices[4 * flat];
  }
  Pipeline pipeline = meshOnRanks(vtkGridOf(mesh), Cut::Blocks, world());
  auto* arrival = pipeline.add(vtkSmartPointer<Arrival>::New());
  arrival->SetController(world());
  arrival->SetSourcePoint(0, 0.5, 0.5, 0.5);
  Messages messages;
  updateTogether(arrival);
  ASSERT_EQ(messages.all().size(), world()->GetLocalProcessId() == 0 ? 1U : 0U);
  if (!messages.all().empty()) {
    const std::string text = "2 cells without extent were skipped, the first of them is cell " + std::to_string(cell);
    EXPECT_NE(messages.all()[0].find(text), std::string::npos) << messages.all()[0];
  }
}

TEST(Meshes, WhatIsWrongInOnePieceIsOneError) {
  const auto whole = layers(ElementType::Tetrahedron);
  whole->GetCellData()->GetArray("speed")->SetComponent(whole->GetNumberOfCells() - 1, 0, -1.0); // on the last rank
  Pipeline pipeline = meshOnRanks(whole, Cut::Blocks, world());
  auto* arrival = pipeline.add(vtkSmartPointer<Arrival>::New());
  arrival->SetController(world());
  arrival->SetSpeedKind(Arrival::SPEED_ARRAY);
  arrival->SetInputArrayToProcess(1, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "speed");
  arrival->SetSourcePoint(0, 0.5, 0.5, 0.5);
  const auto expectError = [&](const char* text) {
    Messages messages;
    vtkDataObject* const mine = updateTogether(arrival);
    EXPECT_EQ(mine->GetNumberOfElements(vtkDataObject::CELL), 0);
    EXPECT_EQ(messages.all().size(), world()->GetLocalProcessId() == 0 ? 1U : 0U);
    if (!messages.all().empty()) {
      EXPECT_NE(messages.all()[0].find(text), std::string::npos) << messages.all()[0];
    }
  };
  expectError("is -1: speeds must be finite and positive");
  arrival->SetSpeedKind(Arrival::CONSTANT);
  arrival->SetSourcePoint(0, 2.0, 0.5, 0.5);
  expectError("source point 0 at (2, 0.5, 0.5) is outside of the mesh");
  arrival->SetSourcePoint(0, 0.5, 0.5, 0.5);
  for (const double distance : {std::numeric_limits<double>::infinity(), std::nan("")}) {
    arrival->SetMergeDistance(distance);
    expectError("the distance must be finite and not negative");
  }
  arrival->SetMergeDistance(0.0);
  arrival->SetStopRegion("nowhere");
  expectError("the input has no array 'nowhere' of one component on its points");
  arrival->SetStopRegion("");
  if (world()->GetNumberOfProcesses() > 1) { // else there is nothing to tell apart
    vtkNew<vtkIdTypeArray> ids;
    ids->SetName("ids");
    ids->SetNumberOfValues(whole->GetNumberOfPoints());
    ids->Fill(4.0);
    whole->GetPointData()->SetGlobalIds(ids);
    pipeline.filters.front()->Modified();
    arrival->SetMergeDistance(-1.0);
    expectError("points of the mesh's pieces cannot be told apart: ");
    arrival->SetMergeDistance(0.0);
    whole->GetPointData()->SetGlobalIds(nullptr);
    pipeline.filters.front()->Modified();
  }
  Messages messages;
  EXPECT_GT(everybody().sum(updateTogether(arrival)->GetNumberOfElements(vtkDataObject::CELL)), 0); // all is well again
  EXPECT_TRUE(messages.all().empty());
}

} // namespace
} // namespace spanwise::testing
