#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::geometry {

/// Which cells of a set are chosen.
template <int Dim>
struct CellChoice {
  const Box<Dim>* region = nullptr;     ///< those in a box; null: all
  const unsigned char* flags = nullptr; ///< [cells of the set] those whose flags are clear of `mask`; null: all
  unsigned char mask = 0;
};

/// chosen = the chosen cells of a set; intervalOf[i] = the interval of the set that holds interval i of them. The set
/// and its flags lie in the memory of the execution space. O(rows + intervals), and O(cells) with flags. The same for
/// any number of threads.
template <class ExecutionSpace, int Dim>
void chooseCells(const Context<ExecutionSpace>& context, const IntervalSetView<Dim>& cells,
  const CellChoice<Dim>& choice, IntervalSetOn<Dim, ExecutionSpace>& chosen,
  Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>& intervalOf);

} // namespace spanwise::geometry
