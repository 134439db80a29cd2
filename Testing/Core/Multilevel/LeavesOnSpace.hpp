#pragma once

// Leaves and their cover in the memory of an execution space.

#include "Core/Geometry/List.hpp"
#include "Core/Multilevel/LeafCover.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Multilevel/RandomLevels.hpp"
#include "Testing/Rooms.hpp"

namespace spanwise::testing {

/// The sets of leaves, and what they cover.
template <class Space, int Dim>
struct LeavesAndCover {
  LeavesOn<Dim, Space> leaves;
  LeafCoverOn<Dim, Space> cover;

  LeavesAndCover(const Context<Space>& context, const Leaves<Dim>& cells) {
    for (const CellList<Dim>& level : cells) {
      leaves.push_back(toSet<Space, Dim>(level));
    }
    coverOfLeaves<Space, Dim>(context, leaves, cover);
  }
};

/// What leaves cover on a level, cell by cell: the leaves there, and the ancestors of finer ones.
template <int Dim>
CellList<Dim> ancestorsOn(const Leaves<Dim>& leaves, std::size_t level) {
  CellList<Dim> cells;
  for (std::size_t l = leaves.size(); l-- > level;) {
    cells.insert(leaves[l].begin(), leaves[l].end());
    if (l > level) {
      cells = parentsOf(cells);
    }
  }
  return cells;
}

/// A list on the host.
template <class T, class Memory>
std::vector<T> toVector(const List<T, Memory>& list) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), list.view());
  return {host.data(), host.data() + host.extent(0)};
}

} // namespace spanwise::testing
