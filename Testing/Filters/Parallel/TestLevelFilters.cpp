// Filters on levels, on ranks together and alone.

#include "Testing/Filters/Parallel/Ranks.hpp"

#include "vtkSpanwiseAdaptiveRefinement.h"
#include "vtkSpanwiseCoarsenIntervals.h"
#include "vtkSpanwiseIntervalShape.h"
#include "vtkSpanwiseRefineIntervals.h"
#include "vtkSpanwiseResampleLevels.h"

#include <vtkCallbackCommand.h>
#include <vtkDoubleArray.h>
#include <vtkIntArray.h>
#include <vtkPartitionedDataSetCollection.h>

namespace spanwise::testing {
namespace {

using Adapt = vtkSpanwiseAdaptiveRefinement;

/// Which ranks have cells.
enum class Spread { Slabs, OnTheLast };

/// The cells of a ball that ranks share in slabs of three planes, or that the last has, with values.
vtkSmartPointer<StepSource> ballPieces(int dimension, Spread spread = Spread::Slabs) {
  auto source = vtkSmartPointer<StepSource>::New();
  source->type = "vtkUnstructuredGrid";
  source->fill = [source = source.Get(), dimension, spread](double /*time*/, vtkDataObject* output) {
    const auto fillAs = [&]<int Dim>() {
      CellList<Dim> cells;
      vtkNew<vtkDoubleArray> values;
      values->SetName("value");
      vtkNew<vtkDoubleArray> spikes; // each alone in a quiet place, so what is around it depends on it
      spikes->SetName("spikes");
      vtkNew<vtkIntArray> labels;
      labels->SetName("label");
      const Coordinate extent = Dim == 2 ? 40 : 14;
      std::mt19937 unused;
      for (const Cell<Dim>& cell : randomCells<Dim>(unused, extent, 1.0)) {
        double r2 = 0.0;
        for (int d = 0; d < Dim; ++d) {
          r2 += cell.at[d] * cell.at[d];
        }
        const bool mine = spread == Spread::OnTheLast
          ? source->piece == source->pieces - 1
          : (cell.at[Dim - 1] + extent) / 3 % source->pieces == source->piece;
        if (r2 > extent * extent || !mine) {
          continue;
        }
        cells.insert(cell);
        values->InsertNextValue(std::tanh(0.5 * (std::sqrt(r2) - 0.7 * extent)) + 0.001 * cell.at[0]);
        std::uint64_t hash = 0;
        for (int d = 0; d < Dim; ++d) {
          hash = mixed(hash, static_cast<std::uint64_t>(cell.at[d] + 1000));
        }
        spikes->InsertNextValue(hash % 600 == 0 ? 1.0 : 0.0);
        labels->InsertNextValue(cell.at[1] & 3);
      }
      const auto grid = gridOfCells<Dim>(cells, {{0.5, 1.0, 2.0}, {0.5, 0.25, 2.0}, 1});
      grid->GetCellData()->Initialize();
      grid->GetCellData()->AddArray(values);
      grid->GetCellData()->AddArray(spikes);
      grid->GetCellData()->AddArray(labels);
      output->ShallowCopy(grid);
    };
    if (dimension == 2) {
      fillAs.template operator()<2>();
    } else {
      fillAs.template operator()<3>();
    }
  };
  return source;
}

/// Expects of every level that ranks together have what one process has.
template <class Make>
void expectSameLevels(const Make& make) {
  const auto alone = make(nullptr);
  alone->Update();
  auto* expected = vtkPartitionedDataSetCollection::SafeDownCast(alone->GetOutputDataObject(0));
  const auto shared = make(world());
  auto* found = vtkPartitionedDataSetCollection::SafeDownCast(updateTogether(shared.Get()));
  ASSERT_EQ(found->GetNumberOfPartitionedDataSets(), expected->GetNumberOfPartitionedDataSets());
  std::int64_t cells = 0;
  for (unsigned int l = 0; l < expected->GetNumberOfPartitionedDataSets(); ++l) {
    const Summary all = summaryOf(expected->GetPartition(l, 0));
    const Summary here = together(summaryOf(found->GetPartition(l, 0)));
    EXPECT_EQ(here.cells, all.cells) << "level " << l;
    EXPECT_EQ(here.checksum, all.checksum) << "level " << l;
    cells += all.cells;
    EXPECT_EQ(sortedNames(found->GetPartition(l, 0)->GetAttributesAsFieldData(vtkDataObject::CELL)),
      sortedNames(expected->GetPartition(l, 0)->GetAttributesAsFieldData(vtkDataObject::CELL)));
  }
  EXPECT_GT(cells, 0);
  EXPECT_EQ(hashOfValues(found->GetFieldData(), 0), hashOfValues(expected->GetFieldData(), 0));
}

TEST(LevelFilters, CoarsenTogether) {
  for (const int dimension : {2, 3}) {
    for (const int cells : {0, 1}) {
      for (const Spread spread : {Spread::Slabs, Spread::OnTheLast}) {
        expectSameAsAlone(
          [&](vtkMultiProcessController* controller) {
            auto filter = vtkSmartPointer<vtkSpanwiseCoarsenIntervals>::New();
            filter->SetController(controller);
            filter->SetInputConnection(ballPieces(dimension, spread)->GetOutputPort());
            filter->SetLevels(2);
            filter->SetCells(cells);
            return filter;
          },
          Balance::Any);
      }
    }
  }
}

TEST(LevelFilters, RefineTogether) {
  for (const int dimension : {2, 3}) {
    for (const int method : {0, 1, 4}) {
      for (const Spread spread : {Spread::Slabs, Spread::OnTheLast}) {
        expectSameAsAlone(
          [&](vtkMultiProcessController* controller) {
            auto filter = vtkSmartPointer<vtkSpanwiseRefineIntervals>::New();
            filter->SetController(controller);
            filter->SetInputConnection(ballPieces(dimension, spread)->GetOutputPort());
            filter->SetLevels(dimension == 2 ? 2 : 1);
            filter->SetProlongation(method);
            return filter;
          },
          Balance::Any);
      }
    }
  }
}

vtkSmartPointer<Adapt> makeAdapt(
  vtkMultiProcessController* controller, int dimension, int direction, int sensor, const std::string& array = "value") {
  auto filter = vtkSmartPointer<Adapt>::New();
  filter->SetController(controller);
  filter->SetInputConnection(ballPieces(dimension)->GetOutputPort());
  filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, array.c_str());
  auto set = vtkSmartPointer<vtkSpanwiseIntervalShape>::New(); // cut elsewhere
  set->SetController(controller);
  set->SetDimension(dimension);
  set->SetShape(vtkSpanwiseIntervalShape::BOX);
  set->SetSpacingMode(vtkSpanwiseIntervalShape::GIVEN_SPACING);
  set->SetOrigin(0.5, 1.0, 2.0);
  set->SetSpacing(0.5, 0.25, 2.0);
  set->SetCorner(-3.0, -2.0, dimension == 2 ? 2.0 : -10.0);
  set->SetLengths(4.0, 2.0, dimension == 2 ? 0.0 : 8.0);
  filter->SetInputConnection(1, set->GetOutputPort());
  filter->SetDirection(direction);
  filter->SetSensor(sensor);
  filter->SetLowerThreshold(array == "spikes" ? 0.05 : -0.3);
  filter->SetUpperThreshold(array == "spikes" ? 2.0 : 0.3);
  filter->SetGradientLimit(0.15);
  filter->SetNumberOfLevels(3);
  return filter;
}

TEST(LevelFilters, AdaptTogether) {
  for (const int dimension : {2, 3}) {
    for (const int direction : {Adapt::COARSEN, Adapt::REFINE}) {
      for (int sensor = Adapt::THRESHOLD; sensor <= Adapt::SET; ++sensor) {
        for (const char* array : {"value", "spikes"}) {
          for (const int buffer : {0, 1, 2}) {
            SCOPED_TRACE(std::to_string(dimension) + "D, direction " + std::to_string(direction) + ", sensor " +
              std::to_string(sensor) + ", " + array + ", buffer " + std::to_string(buffer));
            expectSameLevels([&](vtkMultiProcessController* controller) {
              auto filter = makeAdapt(controller, dimension, direction, sensor, array);
              filter->SetBufferCells(buffer);
              return filter;
            });
          }
        }
      }
    }
  }
}

TEST(LevelFilters, AdaptWhatOneRankHas) {
  for (const int dimension : {2, 3}) {
    for (const int direction : {Adapt::COARSEN, Adapt::REFINE}) {
      for (int sensor = Adapt::THRESHOLD; sensor <= Adapt::SET; ++sensor) {
        SCOPED_TRACE(std::to_string(dimension) + "D, direction " + std::to_string(direction) + ", sensor " +
          std::to_string(sensor));
        expectSameLevels([&](vtkMultiProcessController* controller) {
          auto filter = makeAdapt(controller, dimension, direction, sensor);
          filter->SetInputConnection(ballPieces(dimension, Spread::OnTheLast)->GetOutputPort());
          return filter;
        });
      }
    }
  }
}

// One rank alone is asked to stop; all do, and none waits for it.
TEST(LevelFilters, StopTogether) {
  for (const int direction : {Adapt::COARSEN, Adapt::REFINE}) {
    const auto filter = makeAdapt(world(), 2, direction, Adapt::GRADIENT);
    vtkNew<vtkCallbackCommand> stop;
    stop->SetCallback([](vtkObject* caller, unsigned long, void*, void*) {
      vtkAlgorithm::SafeDownCast(caller)->SetAbortExecuteAndUpdateTime();
    });
    if (everybody().rank() == everybody().size() - 1) {
      filter->AddObserver(vtkCommand::ProgressEvent, stop);
    }
    Messages messages;
    updateTogether(filter.Get());
    EXPECT_TRUE(messages.all().empty());
    EXPECT_EQ(filter->GetOutputDataObject(0)->GetNumberOfElements(vtkDataObject::CELL), 0);
  }
}

TEST(LevelFilters, RefineAHierarchyTogether) {
  expectSameLevels([&](vtkMultiProcessController* controller) {
    auto filter = vtkSmartPointer<vtkSpanwiseRefineIntervals>::New();
    filter->SetController(controller);
    filter->SetInputConnection(makeAdapt(controller, 2, Adapt::COARSEN, Adapt::GRADIENT)->GetOutputPort());
    filter->SetProlongation(1);
    return filter;
  });
}

TEST(LevelFilters, ResampleTogether) {
  for (const int dimension : {2, 3}) {
    for (const int method : {0, 1}) {
      for (const int level : {-1, 0, 1}) {
        expectSameAsAlone(
          [&](vtkMultiProcessController* controller) {
            auto filter = vtkSmartPointer<vtkSpanwiseResampleLevels>::New();
            filter->SetController(controller);
            filter->SetInputConnection(
              makeAdapt(controller, dimension, Adapt::COARSEN, Adapt::GRADIENT)->GetOutputPort());
            filter->SetProlongation(method);
            filter->SetLevelMode(level < 0 ? 0 : 1);
            filter->SetLevel(std::max(level, 0));
            return filter;
          },
          Balance::Any);
      }
    }
  }
}

} // namespace
} // namespace spanwise::testing
