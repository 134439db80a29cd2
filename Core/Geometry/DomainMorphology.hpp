#pragma once

#include "Core/Geometry/Morphology.hpp"
#include "Core/Geometry/SetDomain.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::geometry {

/// Collective. morph() of a set that goes on on other ranks and along axes that repeat, where what leaves the period on
/// one side comes in on the other. Each rank gives and gets the cells in the planes that it owns, and `set` and `out`
/// have their cells in one period.
///
/// A rank takes as many planes of its neighbours as the element reaches, twice as many to open or close, and along the
/// axes that repeat as many cells of the copies of the set: so it costs as much as on that set, and it allocates. Where
/// that is around the whole period of the slowest axis, each rank takes the set of all. With one process and no axis
/// that repeats it is morph() itself. `out` may share nothing with `set`. Throws, on all ranks and with `out` empty, as
/// morph(), checkDomain() and unwrap(), and InvalidArgument where the element reaches over 65536 periods of
/// the slowest axis or more.
template <class ExecutionSpace, int Dim>
void morph(const Context<ExecutionSpace>& context, MorphologyOperation operation,
  const IntervalSetOn<Dim, ExecutionSpace>& set, const StructuringElement<Dim>& element,
  IntervalSetOn<Dim, ExecutionSpace>& out, const SetDomain<Dim>& domain);

} // namespace spanwise::geometry
