#include "Testing/Filters/Parallel/Pieces.hpp"
#include "Testing/Filters/Parallel/Ranks.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseSignedDistanceToSet.h"

namespace spanwise::testing {
namespace {

template <int Dim>
void expectDistances(Coordinate extent, double density) {
  using Filter = vtkSpanwiseSignedDistanceToSet;
  for (const Spread spread : allSpreads) {
    for (int where = Filter::CELLS_OF_SET; where <= Filter::CELLS_OF_SECOND_INPUT; ++where) {
      // the slowest axis is periodic with and without others
      for (const unsigned axes : {0U, 1U << (Dim - 1), (1U << Dim) - 1}) {
        SCOPED_TRACE("in " + std::to_string(where) + ", axes " + std::to_string(axes));
        expectSameAsAlone(
          [&](vtkMultiProcessController* controller) {
            auto filter = vtkSmartPointer<Filter>::New();
            filter->SetController(controller);
            filter->SetInputConnection(cellPieces<Dim>(spread, extent, density)->GetOutputPort());
            filter->SetInputConnection(1, cellPieces<Dim>(Spread::Scattered, extent, 0.5, 1)->GetOutputPort());
            filter->SetWhere(where);
            filter->SetWidth(2.7);
            filter->SetMargin(3.0);
            filter->SetPeriodicX((axes & 1U) != 0);
            filter->SetPeriodicY((axes & 2U) != 0);
            filter->SetPeriodicZ((axes & 4U) != 0);
            filter->SetPeriodBox(Filter::GIVEN_BOUNDS);
            filter->SetPeriodBounds(-extent, extent, -extent, extent, -extent, extent);
            return filter;
          },
          Balance::Any);
      }
    }
  }
}

TEST(Ranks, FindDistancesTogether2D) { expectDistances<2>(24, 0.9); }
TEST(Ranks, FindDistancesTogether3D) { expectDistances<3>(8, 0.95); }
TEST(Ranks, FindDistancesToFewCellsTogether) { expectDistances<3>(8, 0.002); }

} // namespace
} // namespace spanwise::testing
