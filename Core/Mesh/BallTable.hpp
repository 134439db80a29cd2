#pragma once

#include "Core/Mesh/VertexBall.hpp"

#include <string>
#include <vector>

namespace spanwise {

/// The occupancy of the vertex balls of a mesh, for a table.
struct BallTableRow {
  std::string mesh; ///< its name
  int width = 0;    ///< slots of the base table
  BallOccupancy occupancy;
};

/// A table for people: for each mesh the slots that a vertex has in the base table, the shares of entries in the base
/// table and in the overflow table, and the slots that are empty, as a share of the entries. Percentages have two
/// digits behind the point (the form of L. Marechal, The GMlib library, INRIA 2018, section 2.4.2).
std::string toString(const std::vector<BallTableRow>& rows);

} // namespace spanwise
