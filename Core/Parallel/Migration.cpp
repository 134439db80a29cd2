#include "Core/Parallel/Migration.hpp"

#include "Core/Geometry/Slab.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Error.hpp"

#include <string>

namespace spanwise {

template <class ExecutionSpace, int Dim>
void migrate(const ExecutionSpace& space, const RowCut& cut, const IntervalSetOn<Dim, ExecutionSpace>& set,
  IntervalSetOn<Dim, ExecutionSpace>& out, CellMove<ExecutionSpace, Dim>& move,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  move.moveSet(space, heldByRanks(cut, 0, move.communicator().size()), set, out, workspace);
}

template <class ExecutionSpace, int Dim>
RowCut balance(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set,
  IntervalSetOn<Dim, ExecutionSpace>& out, CellMove<ExecutionSpace, Dim>& move,
  Workspace<typename ExecutionSpace::memory_space>& workspace, double tolerated) {
  bool stays = false;
  const RowCut cut = balancedCutOf<ExecutionSpace, Dim>(space, move.communicator(), set, stays, tolerated);
  migrate<ExecutionSpace, Dim>(space, cut, set, out, move, workspace);
  return cut;
}

template <class ExecutionSpace, int Dim>
void addHalo(const ExecutionSpace& space, const RowCut& cut, const Halo& halo,
  const IntervalSetOn<Dim, ExecutionSpace>& set, IntervalSetOn<Dim, ExecutionSpace>& out,
  CellMove<ExecutionSpace, Dim>& move, Workspace<typename ExecutionSpace::memory_space>& workspace) {
  const auto held = heldByRanks(cut, halo, move.communicator().size());
  agree(move.communicator(), [&] {
    const PlaneRange own = ownPlanes(cut.part(move.communicator().rank()), halo);
    const PlaneRange planes = planesOf<ExecutionSpace, Dim>(space, set);
    if (!planes.empty() && !(planes.within(own) == planes)) {
      throw InvalidArgument("a rank has cells in the planes " + toString(planes) + " and owns " + toString(own) +
        "; before it gets a halo it must have its own planes alone");
    }
  });
  move.moveSet(space, held, set, out, workspace);
}

#define SPANWISE_MIGRATION(Space, Dim)                                                                                 \
  template void migrate<Space, Dim>(const Space&, const RowCut&, const IntervalSetOn<Dim, Space>&,                     \
    IntervalSetOn<Dim, Space>&, CellMove<Space, Dim>&, Workspace<Space::memory_space>&);                               \
  template RowCut balance<Space, Dim>(const Space&, const IntervalSetOn<Dim, Space>&, IntervalSetOn<Dim, Space>&,      \
    CellMove<Space, Dim>&, Workspace<Space::memory_space>&, double);                                                   \
  template void addHalo<Space, Dim>(const Space&, const RowCut&, const Halo&, const IntervalSetOn<Dim, Space>&,        \
    IntervalSetOn<Dim, Space>&, CellMove<Space, Dim>&, Workspace<Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_MIGRATION)

} // namespace spanwise
