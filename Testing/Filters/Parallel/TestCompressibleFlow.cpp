#include "Testing/Core/TemporaryFolder.hpp"
#include "Testing/Filters/Parallel/Ranks.hpp"

#include "vtkSpanwiseCompressibleFlow.h"
#include "vtkSpanwiseIntervalShape.h"

#include <vtkFieldData.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkPointSource.h>
#include <vtkTable.h>

#include <map>
#include <optional>
#include <string>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseCompressibleFlow;
using Pipeline = vtkStreamingDemandDrivenPipeline;

vtkSmartPointer<Filter> make(vtkMultiProcessController* controller, int dimension) {
  auto filter = vtkSmartPointer<Filter>::New();
  filter->SetController(controller);
  filter->SetDimension(dimension);
  filter->SetCellsAlongX(dimension == 2 ? 28 : 14);
  filter->SetNumberOfLevels(dimension == 2 ? 3 : 2);
  filter->SetNumberOfFrames(5);
  return filter;
}

void updateAt(Filter* filter, double time) {
  filter->UpdateInformation();
  filter->GetOutputInformation(0)->Set(Pipeline::UPDATE_TIME_STEP(), time);
  updateTogether(filter);
}

/// Density, pressure and schlieren by level and place of the cells that this rank has.
using Cells = std::map<std::array<long long, 4>, std::array<double, 3>>;
Cells cellsOf(Filter* filter) {
  Cells cells;
  auto* const levels = vtkPartitionedDataSetCollection::SafeDownCast(filter->GetOutputDataObject(0));
  for (unsigned int l = 0; l < levels->GetNumberOfPartitionedDataSets(); ++l) {
    vtkDataSet* const grid = levels->GetPartition(l, 0);
    for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
      const auto place = placeOfCell(grid, c);
      auto& values = cells[{l, place[0], place[1], place[2]}];
      const char* const names[] = {"Density", "Pressure", "Schlieren"};
      for (std::size_t k = 0; k < 3; ++k) {
        values[k] = grid->GetCellData()->GetArray(names[k])->GetComponent(c, 0);
      }
    }
  }
  return cells;
}

/// Expects that ranks have the cells of one process, each once and with the same bits.
void expectSameFlow(Filter* shared, Filter* alone) {
  for (const double frame : {2.0, 4.0, 1.0}) {
    updateAt(shared, frame);
    alone->UpdateTimeStep(frame);
    const Cells mine = cellsOf(shared);
    const Cells whole = cellsOf(alone);
    EXPECT_EQ(everybody().sum(static_cast<std::int64_t>(mine.size())), static_cast<std::int64_t>(whole.size()));
    for (const auto& [place, values] : mine) {
      const auto found = whole.find(place);
      ASSERT_NE(found, whole.end());
      EXPECT_EQ(values, found->second);
    }
    auto* const table = vtkTable::SafeDownCast(shared->GetOutputDataObject(1));
    auto* const tableAlone = vtkTable::SafeDownCast(alone->GetOutputDataObject(1));
    const bool isFirst = world()->GetLocalProcessId() == 0;
    ASSERT_EQ(table->GetNumberOfRows(), isFirst ? tableAlone->GetNumberOfRows() : 0);
    for (vtkIdType row = 0; row < table->GetNumberOfRows(); ++row) {
      for (vtkIdType column = 0; column < table->GetNumberOfColumns(); ++column) {
        EXPECT_NEAR(table->GetValue(row, column).ToDouble(), tableAlone->GetValue(row, column).ToDouble(), 1e-10);
      }
    }
  }
}

TEST(CompressibleFlow, RanksHaveTheBitsOfOne) {
  for (const int dimension : {2, 3}) {
    const auto alone = make(nullptr, dimension);
    const auto shared = make(world(), dimension);
    vtkNew<vtkPointSource> probes;
    probes->SetNumberOfPoints(1);
    probes->SetRadius(0.0);
    probes->SetCenter(-0.6, 0.1, 0.1);
    alone->SetInputConnection(1, probes->GetOutputPort());
    shared->SetInputConnection(1, probes->GetOutputPort());
    expectSameFlow(shared, alone);
  }
}

TEST(CompressibleFlow, RanksShareAnObstacle) {
  const auto disc = [](vtkMultiProcessController* controller) {
    auto shape = vtkSmartPointer<vtkSpanwiseIntervalShape>::New();
    shape->SetController(controller);
    shape->SetDimension(2);
    shape->SetSpacing(0.05, 0.04, 1.0);
    return shape;
  };
  const auto whole = disc(nullptr);
  const auto parts = disc(world());
  const auto alone = make(nullptr, 2);
  const auto shared = make(world(), 2);
  for (Filter* const filter : {alone.Get(), shared.Get()}) {
    filter->SetObstacle(Filter::INPUT_SET);
  }
  alone->SetInputConnection(0, whole->GetOutputPort());
  shared->SetInputConnection(0, parts->GetOutputPort());
  expectSameFlow(shared, alone);
}

/// On as many ranks, each from its own file.
TEST(CompressibleFlow, RanksGoOnFromACheckpoint) {
  std::string path;
  std::optional<TemporaryFolder> folder;
  if (everybody().rank() == 0) {
    path = folder.emplace() / "state";
  }
  path = everybody().gather(path);
  const auto whole = make(world(), 2);
  whole->SetCheckpointFile(path.c_str());
  updateAt(whole, 2.0);
  whole->SetCheckpointFile("");
  updateAt(whole, 4.0);
  const auto later = make(world(), 2);
  later->SetRestartFrom(path.c_str());
  updateAt(later, 4.0);
  EXPECT_EQ(cellsOf(later), cellsOf(whole));
  EXPECT_NE(everybody().gather(path), ""); // before the folder goes
}

TEST(CompressibleFlow, AnErrorIsOneOnAllRanks) {
  const auto filter = make(world(), 2);
  filter->SetMachNumber(-1.0);
  Messages messages;
  updateAt(filter, 2.0);
  EXPECT_EQ(filter->GetOutputDataObject(0)->GetNumberOfElements(vtkDataObject::CELL), 0);
  EXPECT_EQ(messages.all().size(), world()->GetLocalProcessId() == 0 ? 1U : 0U);
}

} // namespace
} // namespace spanwise::testing
