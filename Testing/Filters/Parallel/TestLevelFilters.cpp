// Filters on levels, on ranks together and alone.

#include "Testing/Core/Exhaustive.hpp"
#include "Testing/Filters/Parallel/Ranks.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseAdaptiveRefinement.h"
#include "vtkSpanwiseCoarsenIntervals.h"
#include "vtkSpanwiseIntervalShape.h"
#include "vtkSpanwiseRefineIntervals.h"
#include "vtkSpanwiseResampleLevels.h"

#include <vtkCallbackCommand.h>
#include <vtkDoubleArray.h>
#include <vtkImageData.h>
#include <vtkIntArray.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSphereSource.h>
#include <vtkUnsignedCharArray.h>

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
      for (const Cell<Dim>& cell : allCells<Dim>(-extent, extent)) {
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

/// A level of a hierarchy, and the names of its arrays.
struct LevelSummary {
  Summary cells;
  std::vector<std::string> names;
};

/// All levels, and a hash of the field data.
std::pair<std::vector<LevelSummary>, std::uint64_t> summaryOfLevels(vtkDataObject* data) {
  auto* const levels = vtkPartitionedDataSetCollection::SafeDownCast(data);
  std::vector<LevelSummary> summaries;
  for (unsigned int l = 0; l < levels->GetNumberOfPartitionedDataSets(); ++l) {
    vtkDataObject* const level = levels->GetPartition(l, 0);
    summaries.push_back({summaryOf(level), sortedNames(level->GetAttributesAsFieldData(vtkDataObject::CELL))});
  }
  return {summaries, hashOfValues(levels->GetFieldData(), 0)};
}

/// Expects of every level that ranks together have what one process has.
template <class Make>
void expectSameLevels(const Make& make) {
  const auto& [expected, expectedFields] = keptForLaterTurns([&] {
    const auto alone = make(nullptr);
    alone->Update();
    return summaryOfLevels(alone->GetOutputDataObject(0));
  });
  const auto shared = make(world());
  const auto [found, fields] = summaryOfLevels(updateTogether(shared.Get()));
  ASSERT_EQ(found.size(), expected.size());
  std::int64_t cells = 0;
  for (std::size_t l = 0; l < expected.size(); ++l) {
    const Summary here = together(found[l].cells);
    EXPECT_EQ(here.cells, expected[l].cells.cells) << "level " << l;
    EXPECT_EQ(here.checksum, expected[l].cells.checksum) << "level " << l;
    EXPECT_EQ(found[l].names, expected[l].names);
    cells += here.cells;
  }
  EXPECT_GT(cells, 0);
  EXPECT_EQ(fields, expectedFields);
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
            if ((buffer == 1) != (array == std::string("spikes")) && !isExhaustive()) {
              continue; // each of either
            }
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

TEST(LevelFilters, AdaptPeriodicallyTogether) {
  for (const int dimension : {2, 3}) {
    for (const int direction : {Adapt::COARSEN, Adapt::REFINE}) {
      for (const int sensor : {Adapt::GRADIENT, Adapt::LOEHNER, Adapt::SET}) {
        SCOPED_TRACE(std::to_string(dimension) + "D, direction " + std::to_string(direction) + ", sensor " +
          std::to_string(sensor));
        expectSameLevels([&](vtkMultiProcessController* controller) {
          auto filter = makeAdapt(controller, dimension, direction, sensor);
          filter->SetNumberOfLevels(dimension == 2 ? 3 : 2); // 80 and 28 planes
          filter->PeriodicXOn();
          filter->SetPeriodicY(sensor != Adapt::LOEHNER);
          filter->PeriodicZOn();
          return filter;
        });
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

using Resample = vtkSpanwiseResampleLevels;

vtkSmartPointer<Resample> makeSampler(vtkMultiProcessController* controller, int dimension, int interpolation) {
  auto filter = vtkSmartPointer<Resample>::New();
  filter->SetController(controller);
  filter->SetInputConnection(makeAdapt(controller, dimension, Adapt::COARSEN, Adapt::GRADIENT)->GetOutputPort());
  filter->SetInterpolation(interpolation);
  return filter;
}

/// Expects a point of one data set to have, bit for bit, the values that a point of another has.
void expectSamePoint(vtkDataSet* a, vtkIdType p, vtkDataSet* b, vtkIdType q) {
  ASSERT_EQ(hashOfValues(a->GetPointData(), p), hashOfValues(b->GetPointData(), q));
}

TEST(Ranks, SampleABoxTogether) {
  for (const int dimension : {2, 3}) {
    for (const int interpolation : {Resample::INTERPOLATE_CONSTANTLY, Resample::INTERPOLATE_LINEARLY}) {
      const auto make = [&](vtkMultiProcessController* controller) {
        auto filter = makeSampler(controller, dimension, interpolation);
        filter->SetSampleOn(Resample::BOX);
        filter->SetCorner(-50.0, -45.0, dimension == 2 ? 0.0 : -17.0);
        filter->SetLengths(100.0, 95.0, dimension == 2 ? 0.0 : 34.0); // points on faces, and outside of the cells
        filter->SetResolution(51, 39, 18);
        return filter;
      };
      const auto alone = make(nullptr);
      alone->Update();
      auto* whole = vtkImageData::SafeDownCast(alone->GetOutputDataObject(0));
      const auto shared = make(world());
      auto* mine = vtkImageData::SafeDownCast(updateTogether(shared.Get()));
      ASSERT_NE(mine, nullptr);
      EXPECT_EQ(sortedNames(mine->GetPointData()), sortedNames(whole->GetPointData()));
      int extent[6];
      mine->GetExtent(extent);
      std::int64_t cells = 1;
      for (int d = 0; d < dimension; ++d) {
        cells *= std::max(extent[2 * d + 1] - extent[2 * d], 0);
      }
      EXPECT_EQ(everybody().sum(cells), whole->GetNumberOfCells());
      for (int z = extent[4]; z <= extent[5]; ++z) {
        for (int y = extent[2]; y <= extent[3]; ++y) {
          for (int x = extent[0]; x <= extent[1]; ++x) {
            int at[3] = {x, y, z};
            expectSamePoint(mine, mine->ComputePointId(at), whole, whole->ComputePointId(at));
          }
        }
      }
      EXPECT_GT(whole->GetPointData()->GetArray("Level")->GetRange()[1], 0.0);
    }
  }
}

// Each rank has points of its own, which lie anywhere; the last one has none.
TEST(Ranks, SampleTheirPointsTogether) {
  for (const int dimension : {2, 3}) {
    for (const int interpolation : {Resample::INTERPOLATE_CONSTANTLY, Resample::INTERPOLATE_LINEARLY}) {
      const int rank = world()->GetLocalProcessId();
      std::mt19937 random(seed() + static_cast<unsigned>(rank));
      std::uniform_int_distribution<int> quarter(-200, 200); // on faces too
      vtkNew<vtkPolyData> points;
      vtkNew<vtkPoints> places;
      const bool hasNone = rank > 0 && rank + 1 == world()->GetNumberOfProcesses();
      for (int p = 0; p < (hasNone ? 0 : 400); ++p) {
        places->InsertNextPoint(0.25 * quarter(random), 0.25 * quarter(random), 0.0625 * quarter(random));
      }
      points->SetPoints(places);
      const auto make = [&](vtkMultiProcessController* controller) {
        auto filter = makeSampler(controller, dimension, interpolation);
        filter->SetSampleOn(Resample::POINTS);
        filter->SetInputData(1, points);
        return filter;
      };
      const auto alone = make(nullptr);
      alone->Update();
      const auto shared = make(world());
      auto* mine = vtkPolyData::SafeDownCast(updateTogether(shared.Get()));
      auto* expected = vtkPolyData::SafeDownCast(alone->GetOutputDataObject(0));
      ASSERT_EQ(mine->GetNumberOfPoints(), points->GetNumberOfPoints());
      EXPECT_EQ(sortedNames(mine->GetPointData()), sortedNames(expected->GetPointData()));
      for (vtkIdType p = 0; p < mine->GetNumberOfPoints(); ++p) {
        expectSamePoint(mine, p, expected, p);
      }
    }
  }
}

/// Pieces of a sphere have points in common: of all that are not marked there are as many as of the whole.
TEST(Ranks, PointsThatPiecesHaveInCommonAreMarked) {
  vtkNew<vtkSphereSource> sphere;
  sphere->SetThetaResolution(12);
  sphere->SetPhiResolution(9);
  const auto filter = makeSampler(world(), 3, Resample::INTERPOLATE_CONSTANTLY);
  filter->SetSampleOn(Resample::POINTS);
  filter->SetInputConnection(1, sphere->GetOutputPort());
  auto* const mine = vtkPolyData::SafeDownCast(updateTogether(filter.Get()));
  std::int64_t numOwn = mine->GetNumberOfPoints();
  if (vtkUnsignedCharArray* const marks = mine->GetPointGhostArray()) {
    for (vtkIdType p = 0; p < mine->GetNumberOfPoints(); ++p) {
      numOwn -= marks->GetValue(p) == vtkDataSetAttributes::DUPLICATEPOINT ? 1 : 0;
    }
  }
  EXPECT_EQ(everybody().sum(numOwn), 86);
}

} // namespace
} // namespace spanwise::testing
