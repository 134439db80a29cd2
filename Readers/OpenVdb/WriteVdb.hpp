#pragma once

#include "Readers/OpenVdb/ValueKind.hpp"

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Progress.hpp"

#include <string>
#include <vector>

namespace spanwise::vdb {

/// What becomes a grid of a file.
struct GridToWrite {
  std::string name;
  ValueKind kind = ValueKind::Mask;
  geometry::HostIntervalSet<3> cells;
  double origin[3] = {0, 0, 0};  ///< the lower corner of the cell (0, 0, 0)
  double spacing[3] = {1, 1, 1}; ///< positive
  const void* values = nullptr;  ///< valueBytesOf(kind) bytes for each cell, in the order of cells; null for a mask
  /// Float values are signed distances, negative inside, and there are both signs. The grid is then of the class level
  /// set, and its background the greatest magnitude. What is not active has the sign of the nearest cell before it in
  /// its row; where there is none it is outside.
  bool levelSet = false;
};

/// Writes grids to a new file, in version 224 of the format: that of OpenVDB 3.0 (2015) and newer. Cells become active
/// voxels, and cubes of one value tiles. Values are packed as OpenVDB does by default: by Blosc, or in a build without
/// it by zlib. Throws FileError where the file cannot be written. Memory for 80 bytes a leaf. ValueKind::Half is none
/// to write.
void writeVdb(const std::string& path, const std::vector<GridToWrite>& grids, const Progress& progress = {});

} // namespace spanwise::vdb
