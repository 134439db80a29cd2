#pragma once

#include "Core/Geometry/Components.hpp"
#include "Core/Geometry/Detail/PlanesAtCuts.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::geometry::detail {

/// The components of the cells that a rank has.
template <class ExecutionSpace, int Dim>
struct LabelledSet {
  const IntervalSetOn<Dim, ExecutionSpace>& set;
  ComponentNumbers<ExecutionSpace> labels;
  std::int64_t count;
};

/// Collective, on several ranks. Joins the components that ranks have each for itself: a number for each cell of the
/// planes beside cuts travels.
template <class ExecutionSpace, int Dim>
ComponentNumbering joinAcrossCuts(const Context<ExecutionSpace>& context, Connectivity connectivity,
  const LabelledSet<ExecutionSpace, Dim>& mine, const SetDomain<Dim>& domain,
  PlanesAtCuts<ExecutionSpace, Dim>& planes);

} // namespace spanwise::geometry::detail
