#pragma once

#include "Core/Runtime/Runtime.hpp"

namespace spanwise {

/// Starts to count what Kokkos allocates and copies, by its tool callbacks. A tool that the user has loaded goes on
/// getting its callbacks. Later calls do nothing.
void countMemory();

/// Fills in the accounts of a report.
void reportMemory(RuntimeReport& report);

} // namespace spanwise
