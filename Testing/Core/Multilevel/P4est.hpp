#pragma once

// What p4est (2D) and p8est (3D) make of a rule. Their headers define macros, so they stay in P4est.cpp.

#include "Core/Geometry/Connectivity.hpp"
#include "Testing/Core/Multilevel/LevelsReference.hpp"
#include "Testing/Rooms.hpp"

#include <functional>
#include <vector>

namespace spanwise::testing {

/// Whether a cell of a level is to be refined.
template <int Dim>
using RefineRule = std::function<bool(int level, const Cell<Dim>& cell)>;

/// The leaves of each level of a brick of trees that p4est refines by the rule, down to level `depth`, and balances.
template <int Dim>
std::vector<CellList<Dim>> leavesOfP4est(
  const Cell<Dim>& trees, const RefineRule<Dim>& rule, int depth, Connectivity connectivity);

} // namespace spanwise::testing
