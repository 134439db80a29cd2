#include "Testing/Filters/Parallel/Ranks.hpp"

#include "vtkSpanwiseLatticeFlow.h"

#include <vtkPartitionedDataSetCollection.h>
#include <vtkSphereSource.h>

#include <map>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseLatticeFlow;
using Pipeline = vtkStreamingDemandDrivenPipeline;

/// A stream around a ball of triangles, on levels; the first rank has all of the surface.
vtkSmartPointer<Filter> make(vtkMultiProcessController* controller, int numLevels) {
  vtkNew<vtkSphereSource> ball;
  ball->SetThetaResolution(30);
  ball->SetPhiResolution(20);
  ball->Update();
  vtkNew<vtkPolyData> none;
  const bool isFirst = controller == nullptr || controller->GetLocalProcessId() == 0;
  auto filter = vtkSmartPointer<Filter>::New();
  filter->SetController(controller);
  filter->SetInputDataObject(0, isFirst ? ball->GetOutput() : none.Get());
  filter->SetObstacle(Filter::INPUT_SET);
  filter->SetDomain(Filter::GIVEN_BOX);
  filter->SetCorner(-1.0, -1.0, -1.0);
  filter->SetLengths(3.0, 2.0, 2.0);
  filter->SetCellsAlongX(18);
  filter->SetLowerY(Filter::WALL);
  filter->SetNumberOfLevels(numLevels);
  filter->SetBufferCells(1);
  filter->SetViscosity(0.05);
  filter->SetNumberOfFrames(3);
  return filter;
}

/// The pressure and the stress on walls, by level and place, of the cells that this rank has at the second frame.
using Cells = std::map<std::array<long long, 4>, std::array<double, 4>>;
Cells cellsOf(Filter* filter) {
  Cells cells;
  auto* const levels = vtkPartitionedDataSetCollection::SafeDownCast(filter->GetOutputDataObject(0));
  for (unsigned int l = 0; l < levels->GetNumberOfPartitionedDataSets(); ++l) {
    vtkDataSet* const grid = levels->GetPartition(l, 0);
    for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
      const auto place = placeOfCell(grid, c);
      auto& values = cells[{l, place[0], place[1], place[2]}];
      values[0] = grid->GetCellData()->GetArray("Pressure")->GetComponent(c, 0);
      for (int d = 0; d < 3; ++d) {
        values[static_cast<std::size_t>(d) + 1] = grid->GetCellData()->GetArray("Wall Shear")->GetComponent(c, d);
      }
    }
  }
  return cells;
}

TEST(WallSurface, RanksHaveTheBitsOfOne) {
  for (const int numLevels : {1, 2}) {
    SCOPED_TRACE(std::to_string(numLevels) + " levels");
    const auto shared = make(world(), numLevels);
    shared->UpdateInformation();
    shared->GetOutputInformation(0)->Set(Pipeline::UPDATE_TIME_STEP(), 2.0);
    updateTogether(shared.Get());
    const auto alone = make(nullptr, numLevels);
    alone->UpdateTimeStep(2.0);
    const Cells mine = cellsOf(shared);
    const Cells whole = cellsOf(alone);
    EXPECT_EQ(everybody().sum(static_cast<std::int64_t>(mine.size())), static_cast<std::int64_t>(whole.size()));
    std::int64_t numWalls = 0;
    for (const auto& [place, values] : mine) {
      const auto found = whole.find(place);
      ASSERT_NE(found, whole.end());
      EXPECT_EQ(values, found->second);
      numWalls += values[1] != 0.0 ? 1 : 0;
    }
    EXPECT_GT(everybody().sum(numWalls), 200);
  }
}

} // namespace
} // namespace spanwise::testing
