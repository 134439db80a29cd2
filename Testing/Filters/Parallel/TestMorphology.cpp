#include "Testing/Filters/Parallel/Pieces.hpp"
#include "Testing/Filters/Parallel/Ranks.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseBoundary.h"
#include "vtkSpanwiseComponents.h"
#include "vtkSpanwiseFillHoles.h"
#include "vtkSpanwiseMorphology.h"

#include <vtkCallbackCommand.h>

namespace spanwise::testing {
namespace {

template <class Filter, int Dim>
auto making(Spread spread, Coordinate extent, double density) {
  return [=](vtkMultiProcessController* controller) {
    auto filter = vtkSmartPointer<Filter>::New();
    filter->SetController(controller);
    filter->SetInputConnection(cellPieces<Dim>(spread, extent, density)->GetOutputPort());
    return filter;
  };
}

template <int Dim>
void expectMorphology(Coordinate extent, double density) {
  using Filter = vtkSpanwiseMorphology;
  for (const Spread spread : allSpreads) {
    for (int operation = Filter::DILATE; operation <= Filter::INNER_GRADIENT; ++operation) {
      // the halo reaches over several ranks; the slowest axis is periodic with and without others
      for (const unsigned axes : {0U, 1U << (Dim - 1), (1U << Dim) - 1}) {
        SCOPED_TRACE("operation " + std::to_string(operation) + ", axes " + std::to_string(axes));
        expectSameAsAlone(
          [&](vtkMultiProcessController* controller) {
            auto filter = making<Filter, Dim>(spread, extent, density)(controller);
            filter->SetOperation(operation);
            filter->SetElement(operation % 2 == 0 ? Filter::BOX : Filter::BALL);
            filter->SetRadii(2.0, 1.0, 3.0);
            filter->SetRadius(1.5);
            filter->SetPeriodicX((axes & 1U) != 0);
            filter->SetPeriodicY((axes & 2U) != 0);
            filter->SetPeriodicZ((axes & 4U) != 0);
            return filter;
          },
          Balance::Any);
      }
    }
  }
}

TEST(Ranks, MorphTogether2D) { expectMorphology<2>(24, 0.9); }
TEST(Ranks, MorphTogether3D) { expectMorphology<3>(8, 0.95); }

TEST(Ranks, MorphByAnElementOfPieces) {
  using Filter = vtkSpanwiseMorphology;
  for (const Spread spread : allSpreads) {
    expectSameAsAlone(
      [&](vtkMultiProcessController* controller) {
        auto filter = making<Filter, 3>(Spread::Slabs, 8, 0.2)(controller);
        filter->SetInputConnection(1, cellPieces<3>(spread, 2, 0.5, 1)->GetOutputPort());
        filter->SetElement(Filter::CELLS);
        filter->SetElementOrigin(1.0, 2.0, 3.0);
        return filter;
      },
      Balance::Any);
  }
}

TEST(Ranks, SpreadWhatTheyMake) {
  expectSameAsAlone([](vtkMultiProcessController* controller) {
    auto filter = making<vtkSpanwiseMorphology, 3>(Spread::OnTheLast, 20, 0.5)(controller);
    filter->SetRadii(1.0, 1.0, 1.0);
    return filter;
  });
}

TEST(Ranks, FindBoundariesTogether) {
  for (const int side : {0, 1}) {
    for (const int connectivity : {0, 1, 2}) {
      for (const bool periodic : {false, true}) {
        expectSameAsAlone(
          [&](vtkMultiProcessController* controller) {
            auto filter = making<vtkSpanwiseBoundary, 3>(Spread::Scattered, 8, 0.8)(controller);
            filter->SetSide(side);
            filter->SetConnectivity(connectivity);
            filter->SetPeriodicZ(periodic);
            return filter;
          },
          Balance::Any);
      }
    }
  }
}

/// The table of components: its lines of all ranks, one rank's after the other's.
std::vector<double> tableOf(vtkDataObject* data) {
  std::vector<double> values;
  auto* table = vtkTable::SafeDownCast(data);
  for (vtkIdType r = 0; r < table->GetNumberOfRows(); ++r) {
    for (const char* name : {"Component", "Cells", "Bounds", "Centroid"}) {
      auto* column = vtkDataArray::SafeDownCast(table->GetColumnByName(name));
      for (int c = 0; c < column->GetNumberOfComponents(); ++c) {
        values.push_back(column->GetComponent(r, c));
      }
    }
  }
  return values;
}

/// The numbers in the field data, -1 for one that is not there.
std::vector<double> numbersOf(vtkDataObject* data) {
  std::vector<double> numbers;
  for (const char* name : {"Number of Components", "Euler Number"}) {
    vtkDataArray* array = data->GetFieldData()->GetArray(name);
    numbers.push_back(array == nullptr ? -1.0 : array->GetComponent(0, 0));
  }
  return numbers;
}

/// The cells, the table and the numbers.
template <class Make>
void expectSameComponents(const Make& make) {
  expectSameAsAlone(make, Balance::Any);
  const auto alone = make(nullptr);
  alone->Update();
  const auto shared = make(world());
  updateTogether(shared.Get());
  EXPECT_EQ(everybody().gather(tableOf(shared->GetOutputDataObject(1))), tableOf(alone->GetOutputDataObject(1)));
  for (const int port : {0, 1}) {
    EXPECT_EQ(numbersOf(shared->GetOutputDataObject(port)), numbersOf(alone->GetOutputDataObject(0)));
  }
}

template <int Dim>
void expectComponents(Coordinate extent, double density) {
  using Filter = vtkSpanwiseComponents;
  for (const Spread spread : allSpreads) {
    for (const int connectivity : {Filter::FACES, Filter::EDGES, Filter::VERTICES}) {
      for (const unsigned axes : {0U, 1U << (Dim - 1), (1U << Dim) - 1}) {
        SCOPED_TRACE("spread " + std::to_string(static_cast<int>(spread)) + ", connectivity " +
          std::to_string(connectivity) + ", axes " + std::to_string(axes));
        expectSameComponents([&](vtkMultiProcessController* controller) {
          auto filter = making<Filter, Dim>(spread, extent, density)(controller);
          filter->SetConnectivity(connectivity);
          filter->SetPeriodicX((axes & 1U) != 0);
          filter->SetPeriodicY((axes & 2U) != 0);
          filter->SetPeriodicZ((axes & 4U) != 0);
          return filter;
        });
      }
    }
  }
}

TEST(Ranks, FindComponentsTogether2D) {
  expectComponents<2>(24, 0.4);
  expectComponents<2>(24, 0.6); // near percolation, components wind through many ranks
}

TEST(Ranks, FindComponentsTogether3D) {
  expectComponents<3>(7, 0.12);
  expectComponents<3>(7, 0.31);
}

TEST(Ranks, KeepComponentsTogether) {
  using Filter = vtkSpanwiseComponents;
  for (const Spread spread : allSpreads) {
    for (const int keep : {Filter::ALL, Filter::LARGEST, Filter::BY_SIZE, Filter::CONTAINING_POINT}) {
      expectSameComponents([&](vtkMultiProcessController* controller) {
        auto filter = making<Filter, 2>(spread, 24, 0.55)(controller);
        filter->SetKeep(keep);
        filter->SetSmallestSize(3);
        filter->SetLargestSize(30);
        std::mt19937 random(seed());
        const Cell<2> seedCell = *std::next(randomCells<2>(random, 24, 0.55).begin(), 700);
        filter->SetSeedPoint(seedCell.at[0] + 0.5, seedCell.at[1] + 0.5, 0.0);
        return filter;
      });
    }
  }
}

// A spiral over all planes is one component, whoever has which plane.
TEST(Ranks, FollowASpiral) {
  const auto make = [](vtkMultiProcessController* controller) {
    auto source = vtkSmartPointer<StepSource>::New();
    source->type = "vtkUnstructuredGrid";
    source->fill = [source = source.Get()](double /*time*/, vtkDataObject* output) {
      CellList<2> mine;
      Coordinate length = 41; // of the next two sides
      Cell<2> at{{0, 0}};
      std::int64_t k = 0;
      for (int side = 0; length > 0; ++side) {
        const Coordinate step[2] = {side % 4 == 0 ? 1
            : side % 4 == 2                       ? -1
                                                  : 0,
          side % 4 == 1     ? 1
            : side % 4 == 3 ? -1
                            : 0};
        for (Coordinate j = 0; j < length; ++j) {
          if (static_cast<int>(k++ % source->pieces) == source->piece) {
            mine.insert(at);
          }
          at.at[0] += step[0];
          at.at[1] += step[1];
        }
        length -= side % 2 == 0 && side > 0 ? 2 : 0;
      }
      output->ShallowCopy(gridOfCells<2>(mine));
      output->GetAttributesAsFieldData(vtkDataObject::CELL)->Initialize();
    };
    auto filter = vtkSmartPointer<vtkSpanwiseComponents>::New();
    filter->SetController(controller);
    filter->SetInputConnection(source->GetOutputPort());
    return filter;
  };
  expectSameComponents(make);
  const auto shared = make(world());
  updateTogether(shared.Get());
  EXPECT_EQ(numbersOf(shared->GetOutputDataObject(0)), (std::vector<double>{1.0, 1.0}));
}

TEST(Ranks, FillHolesTogether) {
  for (const Spread spread : allSpreads) {
    for (const int connectivity : {0, 1, 2}) {
      for (const int largest : {0, 2}) {
        expectSameAsAlone(
          [&](vtkMultiProcessController* controller) {
            auto filter = making<vtkSpanwiseFillHoles, 2>(spread, 24, 0.62)(controller);
            filter->SetConnectivity(connectivity);
            filter->SetLargestHole(largest);
            return filter;
          },
          Balance::Any);
      }
    }
    expectSameAsAlone(making<vtkSpanwiseFillHoles, 3>(spread, 7, 0.75), Balance::Any);
  }
}

TEST(Ranks, FillHolesOfPeriodsTogether) {
  for (const Spread spread : allSpreads) {
    for (const unsigned axes : {1U, 2U, 4U, 5U, 6U}) { // one axis stays open in each
      SCOPED_TRACE("axes " + std::to_string(axes));
      const auto withPeriods = [&](const auto& make) {
        return [&axes, make](vtkMultiProcessController* controller) {
          auto filter = make(controller);
          filter->SetPeriodicX((axes & 1U) != 0);
          filter->SetPeriodicY((axes & 2U) != 0);
          filter->SetPeriodicZ((axes & 4U) != 0);
          return filter;
        };
      };
      expectSameAsAlone(withPeriods(making<vtkSpanwiseFillHoles, 2>(spread, 24, 0.62)), Balance::Any);
      expectSameAsAlone(withPeriods(making<vtkSpanwiseFillHoles, 3>(spread, 7, 0.75)), Balance::Any);
    }
  }
}

TEST(Ranks, RefuseToFillHolesWithoutAnOutside) {
  auto filter = making<vtkSpanwiseFillHoles, 2>(Spread::Slabs, 8, 0.5)(world());
  filter->SetPeriodicX(true);
  filter->SetPeriodicY(true);
  Messages messages;
  updateTogether(filter.Get());
  EXPECT_EQ(everybody().sum(static_cast<std::int64_t>(messages.all().size())), 1);
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 0);
  filter->SetPeriodicY(false);
  updateTogether(filter.Get());
  EXPECT_GT(everybody().sum(filter->GetOutput()->GetNumberOfCells()), 0);
}

// One rank alone is asked to stop; all do, and none waits for it.
TEST(Ranks, StopTogether) {
  const auto expectStop = [](const auto& filter) {
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
    EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 0);
  };
  expectStop(making<vtkSpanwiseMorphology, 2>(Spread::Slabs, 8, 0.5)(world()));
  expectStop(making<vtkSpanwiseBoundary, 3>(Spread::Scattered, 4, 0.5)(world()));
  expectStop(making<vtkSpanwiseComponents, 2>(Spread::Slabs, 8, 0.5)(world()));
  expectStop(making<vtkSpanwiseFillHoles, 2>(Spread::Slabs, 8, 0.5)(world()));
}

// One rank alone would have thrown; all must.
TEST(Ranks, FailTogether) {
  auto filter = making<vtkSpanwiseComponents, 2>(Spread::Slabs, 8, 0.5)(world());
  filter->SetKeep(vtkSpanwiseComponents::CONTAINING_POINT);
  filter->SetSeedPoint(1000.0, 0.0, 0.0);
  Messages messages;
  updateTogether(filter.Get());
  EXPECT_EQ(everybody().sum(static_cast<std::int64_t>(messages.all().size())), 1);
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 0);
  filter->SetKeep(vtkSpanwiseComponents::LARGEST);
  updateTogether(filter.Get());
  EXPECT_GT(everybody().sum(filter->GetOutput()->GetNumberOfCells()), 0);
}

} // namespace
} // namespace spanwise::testing
