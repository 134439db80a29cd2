#ifndef SpanwiseGridMemory_h
#define SpanwiseGridMemory_h

// Whether there is memory for the grids of a file. Not wrapped.

#include "IcsrTypes.hpp"

#include <cstdint>

namespace spanwise {

/// The memory that the grids of a step take at least, all levels together. Deflate packs a thousandfold, and an
/// interval takes ten times what it took before: a megabyte can say that there are more than a computer has memory for.
/// That is not tried.
class GridMemory {
public:
  /// Adds some rows of a level that are about to be read. Throws FileError if that is more than the computer has, or
  /// than this process may have.
  template <int Dim>
  void take(const IcsrLevel& level, const IcsrRows& rows);

private:
  double bytes_ = 0.0;
  std::int64_t intervals_ = 0;
};

} // namespace spanwise

#endif
