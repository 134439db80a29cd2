#pragma once

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/SetDomain.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Progress.hpp"

#include <vector>

namespace spanwise::geometry {

// Set algebra of sets of which each rank gives and gets the cells in the planes that it owns. A cell depends on the
// same cell alone, so nothing is sent; what fails on a rank is thrown on all of them.

/// Collective. out = the operation over a list of sets at once: combine(). Throws, with `out` empty, as that, and
/// InvalidArgument where a rank has cells outside its own planes.
template <class ExecutionSpace, int Dim>
void combine(const Context<ExecutionSpace>& context, SetOperation operation,
  const std::vector<IntervalSetOn<Dim, ExecutionSpace>>& sets, IntervalSetOn<Dim, ExecutionSpace>& out,
  const SetDomain<Dim>& domain);

/// Collective. out = the cells of `box` that are not in A: complement(), of the part of the box that a rank owns.
/// boundingBoxOfAll() is the box around the cells of all ranks. `out` may be A. Throws as the function above, and as
/// complement() of a part of the box.
template <class ExecutionSpace, int Dim>
void complement(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& a,
  const Box<Dim>& box, IntervalSetOn<Dim, ExecutionSpace>& out, const SetDomain<Dim>& domain);

} // namespace spanwise::geometry
