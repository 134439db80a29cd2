#pragma once

#include "Core/Geometry/Components.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::geometry::detail {

/// The components of the cells that a rank has.
template <class ExecutionSpace, int Dim>
struct LabelledSet {
  const IntervalSetOn<Dim, ExecutionSpace>& set;
  ComponentNumbers<ExecutionSpace> labels;
  std::int64_t count;
};

/// Collective, on several ranks. Joins the components that ranks have each for itself. The planes beside cuts travel,
/// with a number for each cell.
template <class ExecutionSpace, int Dim>
ComponentNumbering joinAcrossCuts(const Context<ExecutionSpace>& context, Connectivity connectivity,
  const LabelledSet<ExecutionSpace, Dim>& mine, const SetDomain<Dim>& domain);

} // namespace spanwise::geometry::detail
