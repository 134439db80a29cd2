#pragma once

#include "Readers/Samurai/SamuraiFile.hpp"

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/SetTotals.hpp"
#include "Core/Parallel/RowCut.hpp"
#include "Core/Runtime/Progress.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace spanwise::samurai {

/// An interval of the file: cells that are side by side.
template <int Dim>
struct Run {
  geometry::RowKey<Dim> row;
  geometry::Interval cells;
  std::int64_t firstValue = 0; ///< of its cells, in the order of the values of the file
  std::int64_t firstCell = 0;  ///< in the order of the level's cells
};

/// The cells of all levels of a file, from minLevel() on. The constructor reads all intervals, and throws FileError for
/// what breaks a rule: intervals ascend and are not over each other, every row has one, offsets lead to each just once.
/// What processes wrote becomes one set a level. Takes 40 bytes an interval; O(intervals log intervals) for several
/// processes, O(intervals) for one.
template <int Dim>
class SamuraiCells {
public:
  SamuraiCells(const SamuraiFile& file, const Progress& progress);

  /// The planes (rows in 2D) of minLevel() that belong to part `part` of `parts`: what lies above such a plane is in
  /// one part, and parts have as equal numbers of cells as that allows.
  [[nodiscard]] parallel::PlaneRange planes(int part, int parts) const;

  /// What lies in some planes of a level. Intervals of several processes that touch are one.
  [[nodiscard]] geometry::SetTotals totals(int level, const parallel::PlaneRange& planes) const;
  [[nodiscard]] geometry::HostIntervalSet<Dim> set(int level, const parallel::PlaneRange& planes) const;

  /// Copies the values of these cells, in the order of the set, to `to`.
  void values(int level, const parallel::PlaneRange& planes, const IcsrArray& field, std::byte* to,
    const Progress& progress) const;

private:
  struct Level {
    std::vector<Run<Dim>> runs;        ///< as the file has them: by process, row, x
    std::vector<std::size_t> firstRun; ///< [processes + 1]
    std::vector<std::size_t> order;    ///< of the runs by row and x
    std::vector<std::int64_t> cellsOf; ///< [processes]
  };
  /// A range of `order`, or of the runs of a process.
  struct Range {
    std::size_t begin;
    std::size_t end;
  };

  void readLevel(int level);
  void numberValues();
  void arrange(int level);
  [[nodiscard]] const Level& levelAt(int level) const;
  [[nodiscard]] Range orderIn(const Level& level, const parallel::PlaneRange& planes) const;
  void checkLengths() const;

  const SamuraiFile& file_;
  std::vector<Level> levels_; ///< from minLevel() on
};

} // namespace spanwise::samurai
