#include "Core/Solvers/Eikonal/Detail/FactoredCells.hpp"
#include "Core/Field/ForCells.hpp"

namespace spanwise::eikonal {

#define SPANWISE_FACTORED_CELLS(count)                                                                                 \
  SPANWISE_WIDE_VECTORS void findAllTimesAhead(FactoredCells<count, cellsAtOnce>& of) { findTimesAhead(of); }          \
  SPANWISE_WIDE_VECTORS void solveAll(FactoredCells<count, cellsAtOnce>& of) { solveFactoredCells(of); }
SPANWISE_FACTORED_CELLS(2)
SPANWISE_FACTORED_CELLS(3)
SPANWISE_FACTORED_CELLS(6)

} // namespace spanwise::eikonal
