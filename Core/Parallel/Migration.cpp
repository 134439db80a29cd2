#include "Core/Parallel/Migration.hpp"

#include "Core/Geometry/Slab.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

#include <string>

namespace spanwise::parallel {

template <class ExecutionSpace, int Dim>
void migrate(const Context<ExecutionSpace>& context, const RowCut& cut,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& set, geometry::IntervalSetOn<Dim, ExecutionSpace>& out,
  CellMove<ExecutionSpace, Dim>& move) {
  move.moveSet(context, heldByRanks(cut, 0, move.communicator().size()), set, out);
}

template <class ExecutionSpace, int Dim>
RowCut balance(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  geometry::IntervalSetOn<Dim, ExecutionSpace>& out, CellMove<ExecutionSpace, Dim>& move, double tolerated) {
  bool stays = false;
  const RowCut cut = balancedCutOf<ExecutionSpace, Dim>(context.with(move.communicator()), set, stays, tolerated);
  migrate<ExecutionSpace, Dim>(context, cut, set, out, move);
  return cut;
}

template <class ExecutionSpace, int Dim>
void addHalo(const Context<ExecutionSpace>& context, const RowCut& cut, const Halo& halo,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& set, geometry::IntervalSetOn<Dim, ExecutionSpace>& out,
  CellMove<ExecutionSpace, Dim>& move) {
  const auto held = heldByRanks(cut, halo, move.communicator().size());
  agree(move.communicator(), [&] {
    const PlaneRange own = ownPlanes(cut.part(move.communicator().rank()), halo);
    const PlaneRange planes = planesOf<ExecutionSpace, Dim>(context, set);
    if (!planes.empty() && !(planes.within(own) == planes)) {
      throw InvalidArgument("a rank has cells in the planes " + toString(planes) + " and owns " + toString(own) +
        "; before it gets a halo it must have its own planes alone");
    }
  });
  move.moveSet(context, held, set, out);
}

#define SPANWISE_MIGRATION(Space, Dim)                                                                                 \
  template void migrate<Space, Dim>(const Context<Space>&, const RowCut&, const geometry::IntervalSetOn<Dim, Space>&,  \
    geometry::IntervalSetOn<Dim, Space>&, CellMove<Space, Dim>&);                                                      \
  template RowCut balance<Space, Dim>(const Context<Space>&, const geometry::IntervalSetOn<Dim, Space>&,               \
    geometry::IntervalSetOn<Dim, Space>&, CellMove<Space, Dim>&, double);                                              \
  template void addHalo<Space, Dim>(const Context<Space>&, const RowCut&, const Halo&,                                 \
    const geometry::IntervalSetOn<Dim, Space>&, geometry::IntervalSetOn<Dim, Space>&, CellMove<Space, Dim>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_MIGRATION)

} // namespace spanwise::parallel
