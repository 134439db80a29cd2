#include "Testing/Filters/Mesh/Grids.hpp"
#include "Testing/Filters/Parallel/Ranks.hpp"

#include "vtkSpanwiseEikonalArrivalTime.h"
#include "vtkSpanwiseEikonalPaths.h"
#include "vtkSpanwiseElementQuality.h"
#include "vtkSpanwiseVertexBallReport.h"

#include <vtkPointData.h>
#include <vtkPolyData.h>

#include <array>

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
  vtkNew<vtkSpanwiseVertexBallReport> filter;
  filter->SetController(world());
  const auto source = pieces();
  filter->SetInputConnection(source->GetOutputPort());
  auto* table = vtkTable::SafeDownCast(updateTogether(filter.Get()));
  if (world()->GetLocalProcessId() > 0) {
    EXPECT_EQ(table->GetNumberOfRows(), 0);
    EXPECT_NE(table->GetColumnByName("Elements"), nullptr);
    return;
  }
  ASSERT_EQ(table->GetNumberOfRows(), 1);
  EXPECT_EQ(table->GetValueByName(0, "Elements").ToLongLong(), 6 * 216);
  EXPECT_GE(table->GetValueByName(0, "Vertices").ToLongLong(), 343);
  EXPECT_EQ(table->GetValueByName(0, "Largest Degree").ToInt(), 24);
  EXPECT_EQ(table->GetValueByName(0, "In Base Table").ToDouble(), 100.0);
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
  vtkDataArray* const expected = alone->GetOutput()->GetPointData()->GetArray("Arrival Time");
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

TEST(Meshes, ArrivalTimesOfPiecesAreOneError) {
  if (world()->GetNumberOfProcesses() == 1) {
    GTEST_SKIP() << "one rank has no pieces";
  }
  vtkNew<vtkSpanwiseEikonalArrivalTime> filter;
  filter->SetController(world());
  const auto source = pieces();
  filter->SetInputConnection(source->GetOutputPort());
  filter->SetSourcePoint(0, 0.5, 0.5, 0.5);
  Messages messages;
  vtkDataObject* const mine = updateTogether(filter.Get());
  EXPECT_EQ(mine->GetNumberOfElements(vtkDataObject::CELL), 0);
  ASSERT_EQ(messages.all().size(), world()->GetLocalProcessId() == 0 ? 1U : 0U);
  if (!messages.all().empty()) {
    EXPECT_NE(messages.all()[0].find("in pieces on"), std::string::npos) << messages.all()[0];
    EXPECT_NE(messages.all()[0].find("Aggregate Dataset"), std::string::npos);
  }
}

} // namespace
} // namespace spanwise::testing
