#ifndef pqSpanwiseSelectedCells_h
#define pqSpanwiseSelectedCells_h

#include <cstdint>
#include <utility>
#include <vector>

class pqOutputPort;

namespace spanwise {

/// The cells of an output that the user has selected by their numbers, as (rank, cell), at most `most` of them.
/// Selections of another kind (points, frustums, queries, blocks) give none.
std::vector<std::pair<int, std::int64_t>> selectedCells(pqOutputPort* output, std::size_t most);

} // namespace spanwise

#endif
