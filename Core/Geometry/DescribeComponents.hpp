#pragma once

#include "Core/Geometry/ComponentMeasures.hpp"
#include "Core/Geometry/Components.hpp"
#include "Core/Geometry/SetDomain.hpp"
#include "Core/Runtime/Context.hpp"

#include <cstdint>
#include <optional>

namespace spanwise::geometry {

/// What is known of the components of a set.
template <class ExecutionSpace, int Dim>
struct ComponentDescription {
  ComponentNumbers<ExecutionSpace> labels;           ///< [intervals] the part that each is in
  ComponentNumbering numbering;                      ///< of the parts
  ComponentMeasuresOn<ExecutionSpace, Dim> measures; ///< [parts] of their components, on all ranks
  std::optional<std::int64_t> eulerNumber;           ///< of the whole set; not there for Edge in 3D
};

/// Collective. connectedComponents(), measureComponents() and eulerNumber() at once: the planes beside cuts travel once
/// for all of them. Allocates. Throws as they do.
template <class ExecutionSpace, int Dim>
ComponentDescription<ExecutionSpace, Dim> describeComponents(const Context<ExecutionSpace>& context,
  Connectivity connectivity, const IntervalSetOn<Dim, ExecutionSpace>& set, const SetDomain<Dim>& domain = {});

} // namespace spanwise::geometry
