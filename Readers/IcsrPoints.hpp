#ifndef IcsrPoints_hpp
#define IcsrPoints_hpp

#include "IcsrTypes.hpp"
#include "spanwiseReadersModule.h"

#include "Core/Geometry/IntervalSet.hpp"

#include <cstdint>
#include <vector>

namespace spanwise {

/// Where the nodes of some rows of cells stand among all nodes of a level. Nodes are numbered as in
/// Core/Geometry/NodeRows.hpp; here numbers count from the first node of the node row whose key is that of the first
/// row of cells.
struct IcsrPointNumbers {
  struct Run {
    std::int64_t first;
    std::int64_t count;
  };
  IcsrRows rows;                      ///< of the cells, where these are a file's
  std::vector<Run> runs;              ///< the nodes of the cells, ascending; runs do not touch
  std::int64_t numPoints = 0;         ///< of these cells
  std::vector<std::int64_t> rowFirst; ///< of every row of cells, the first node of the node row with its key
  std::int64_t untilNext = 0; ///< the first node of the next row's node row; without a next row, one past the last node
};

/// `set` is some consecutive rows of a level; `around` has these and all of the level's rows in the same planes (rows
/// in 2D) and in the planes next to them. `next` is the key of the level's row after those of `set`, or null. O(rows
/// log rows + intervals).
template <int Dim>
SPANWISEREADERS_EXPORT IcsrPointNumbers numberPoints(const geometry::HostIntervalSet<Dim>& set,
  const geometry::HostIntervalSet<Dim>& around, const geometry::RowKey<Dim>* next);

} // namespace spanwise

#endif
