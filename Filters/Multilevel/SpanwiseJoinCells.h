#ifndef SpanwiseJoinCells_h
#define SpanwiseJoinCells_h

// Cells of several datasets as one set. Internal to this library.

#include "SpanwiseRankCells.h"

#include "Core/Geometry/Builders/Runs.hpp"

#include <vtkSmartPointer.h>

#include <vector>

namespace spanwise {

/// Runs of cells of several datasets on one lattice, and the arrays on them: how many datasets become one set, without
/// one for each.
template <int Dim>
class CellsToJoin {
public:
  /// The runs that follow are of a dataset with these arrays, which must live as long as this.
  void addDataset(vtkCellData* values);
  /// The cells `source`, `source` + 1 ... of the dataset.
  void addRun(const geometry::Cell<Dim>& first, std::int64_t count, std::int64_t source);

  /// All cells, with the arrays that every dataset with cells has, but vtkGhostType. Throws InvalidArgument if a cell
  /// is there twice. O(runs log runs + values).
  [[nodiscard]] RankCells<Dim> joined() const;

private:
  struct Dataset {
    vtkCellData* values;
    std::size_t firstRun;
  };

  [[nodiscard]] vtkSmartPointer<vtkCellData> commonArrays() const;

  vtkCellData* current_ = nullptr;
  std::vector<Dataset> datasets_;
  std::vector<geometry::RowRun<Dim>> runs_;
  std::vector<std::int64_t> sources_; ///< of each run
};

/// The cells of all parts, with the arrays that every part with cells has. Throws InvalidArgument if a cell is in two
/// parts.
template <int Dim>
RankCells<Dim> joinCells(const std::vector<RankCells<Dim>>& parts);

/// Keeps the arrays of `values` that `like` has too (name, type, components), in the order of `like`. An array that is
/// active in `like` is active.
void keepArraysOf(vtkCellData* like, vtkCellData* values);

} // namespace spanwise

#endif
