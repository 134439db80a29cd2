#include "Core/Mesh/BallTable.hpp"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace spanwise {

std::string toString(const std::vector<BallTableRow>& rows) {
  std::size_t longest = 4;
  for (const BallTableRow& row : rows) {
    longest = std::max(longest, row.mesh.size());
  }
  const auto width = static_cast<int>(longest);
  std::ostringstream text;
  text << std::left << std::setw(width) << "mesh" << std::right
       << "  vector  base table  overflow table  extra memory\n";
  const auto percent = [&text](double share, int columns) {
    text << std::setw(columns) << std::fixed << std::setprecision(2) << 100.0 * share << " %";
  };
  for (const BallTableRow& row : rows) {
    text << std::left << std::setw(width) << row.mesh << std::right << std::setw(8) << row.width;
    percent(row.occupancy.shareInBase(), 10);
    percent(row.occupancy.shareInOverflow(), 14);
    percent(row.occupancy.extraMemory(), 12);
    text << '\n';
  }
  return text.str();
}

} // namespace spanwise
