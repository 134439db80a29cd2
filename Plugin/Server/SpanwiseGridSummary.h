#ifndef SpanwiseGridSummary_h
#define SpanwiseGridSummary_h

// What an output's intervals come to, as it travels to the client, and a sample of its rows. Not wrapped.

#include <cstdint>
#include <utility>
#include <vector>

class vtkDataObject;

namespace spanwise {

/// One row and the first of its intervals.
struct RowSample {
  int level = 0;
  int z = 0; ///< 0 in 2D
  int y = 0;
  std::int64_t numIntervals = 0;
  std::vector<int> ends; ///< begin and end of each interval that is shown
};

/// The grids of one level.
struct LevelSummary {
  int level = 0;
  std::int64_t numRows = 0;
  std::int64_t numIntervals = 0;
  std::int64_t numCells = 0;
  std::uint64_t geometryBytes = 0;
  double bounds[6] = {1.0, -1.0, 1.0, -1.0, 1.0, -1.0}; ///< of all cells, if there are some
  double spacing[3] = {0.0, 0.0, 0.0};                  ///< of a cell, if there are some
};

/// Which rows are sampled.
struct SampleRequest {
  int maxRows = 100;     ///< of all levels; each may have its share
  int maxIntervals = 64; ///< of a row
  /// Rank and number of cells; if there are any, only the intervals that hold them are sampled.
  std::vector<std::pair<int, std::int64_t>> cells;
};

struct GridSummary {
  int numGrids = 0;  ///< datasets that carry intervals
  int numOthers = 0; ///< tables and datasets that are not empty and do not
  bool has2D = false;
  bool has3D = false;
  int minLevel = 0;
  int maxLevel = 0;
  std::int64_t numRows = 0;
  std::int64_t numIntervals = 0;
  std::int64_t numCells = 0;
  std::int64_t numGhostCells = 0;  ///< of numCells, those that another process owns
  std::uint64_t geometryBytes = 0; ///< sets and tables; what several datasets share counts once
  std::uint64_t arrayBytes = 0;
  std::vector<LevelSummary> levels; ///< in order
  std::vector<RowSample> rows;      ///< by level, z, y
};

/// Summarizes the grids in this process. O(rows and intervals sampled + ghost cells); nothing is executed.
GridSummary summarize(vtkDataObject* data, const SampleRequest& request);

/// Adds another process's summary.
void merge(GridSummary& summary, const GridSummary& other, const SampleRequest& request);

} // namespace spanwise

#endif
