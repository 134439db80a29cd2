#pragma once

// Random sets whose cells lie on the ranks in several ways.

#include "Testing/Filters/Geometry/Pipelines.hpp"
#include "Testing/Rooms.hpp"

#include <array>
#include <random>

namespace spanwise::testing {

/// How the cells lie on the ranks.
enum class Spread { Slabs, Scattered, OnTheLast, EmptyBetween };

/// Random cells of which each piece has some, with the values "number" and a name for the whole.
template <int Dim>
vtkSmartPointer<StepSource> cellPieces(Spread spread, Coordinate extent, double density, unsigned number = 0) {
  auto source = vtkSmartPointer<StepSource>::New();
  source->type = "vtkUnstructuredGrid";
  source->fill = [source = source.Get(), spread, extent, density, number](double /*time*/, vtkDataObject* output) {
    std::mt19937 random(seed() + number);
    CellList<Dim> mine;
    CellList<Dim> cells = randomCells<Dim>(random, extent, density);
    std::int64_t k = 0;
    for (const Cell<Dim>& cell : cells) {
      const std::int64_t plane = std::int64_t{cell.at[Dim - 1]} + extent;
      const int last = source->pieces - 1;
      int owner = static_cast<int>(plane * source->pieces / (2 * extent));
      if (spread == Spread::Scattered) {
        owner = static_cast<int>(k++ % source->pieces);
      } else if (spread == Spread::OnTheLast) {
        owner = last;
      } else if (spread == Spread::EmptyBetween) {
        owner = owner < last ? 0 : last;
      }
      if (owner == source->piece) {
        mine.insert(cell);
      }
    }
    const auto grid = gridOfCells<Dim>(mine);
    vtkDataArray* numbers = grid->GetCellData()->GetArray("number");
    for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) { // the same on any number of ranks
      const auto place = placeOfCell(grid, c);
      numbers->SetComponent(c, 0, static_cast<double>(place[0] + 3 * place[1] + 7 * place[2]));
    }
    output->ShallowCopy(grid);
  };
  return source;
}

inline constexpr std::array allSpreads{Spread::Slabs, Spread::Scattered, Spread::OnTheLast, Spread::EmptyBetween};

} // namespace spanwise::testing
