#include "Core/Geometry/Builders/Box.hpp"

#include "Core/Geometry/BoxCells.hpp"
#include "Core/Geometry/Detail/FillBox.hpp"
#include "Core/Geometry/RowLimit.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::geometry {

template <class ExecutionSpace, int Dim>
void makeBox(const Context<ExecutionSpace>& context, const Box<Dim>& box, IntervalSetOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Geometry::makeBox");
  out.clear();
  const std::int64_t cells = numCells(box);
  if (cells > 0) {
    checkMadeRows(box);
    const std::int64_t rows = box.numRows();
    detail::fillBox(context.space(), box, out.prepare(rows, rows));
    out.finish({rows, rows, cells});
  }
}

#define SPANWISE_MAKE_BOX(Space, Dim)                                                                                  \
  template void makeBox<Space, Dim>(const Context<Space>&, const Box<Dim>&, IntervalSetOn<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_MAKE_BOX)

} // namespace spanwise::geometry
