#pragma once

#include "Core/Field/FieldLayout.hpp"
#include "Core/Parallel/HaloExchange.hpp"

namespace spanwise::field {

/// Groups for fields on a set with its halo, by where cells are sent and come from: the upper halo, the upper boundary
/// (own cells that are sent up), the private cells, the lower boundary and the lower halo, in this order. All that goes
/// to a neighbour, or comes from it, is then one piece of memory whatever the number of components:
///
///   Field<double, Memory> populations("f", plan.numCells, 19, haloLayout<Memory>(plan));
///
/// Where slabs overlap, since a rank has fewer own planes than two halos, groups are the parts of slabs that no slab
/// divides, upper ones first; slabs of several groups are packed by HaloExchange. cellGroups() are labelled by their
/// number in the order of cells, negative: -1 for the lowest. O(slabs log slabs); allocates.
template <class MemorySpace>
FieldLayout<MemorySpace> haloLayout(const parallel::HaloPlan& plan);

} // namespace spanwise::field
