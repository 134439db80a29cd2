#pragma once

#include "Core/Geometry/Builders/Runs.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Geometry/Arrays.hpp"
#include "Testing/Rooms.hpp"

#include <cstdint>
#include <vector>

namespace spanwise::testing {

/// The set of the cells of boxes. Throws InvalidArgument if a cell is in two of them.
template <class Space, int Dim>
IntervalSetOn<Dim, Space> setOfBoxes(const Context<Space>& context, const std::vector<Box<Dim>>& boxes) {
  std::vector<RowRun<Dim>> runs;
  for (const Box<Dim>& box : boxes) {
    for (std::int64_t r = 0; !box.empty() && r < box.numRows(); ++r) {
      const RowKey<Dim> key = box.row(r);
      RowRun<Dim> run{{}, box.extent(0)};
      run.first.at[0] = box.begin[0];
      run.first.at[1] = key.y;
      if constexpr (Dim == 3) {
        run.first.at[2] = key.z;
      }
      runs.push_back(run);
    }
  }
  const Kokkos::View<std::int64_t*, typename Space::memory_space> places("Testing::places", runs.size());
  IntervalSetOn<Dim, Space> set;
  makeFromRuns<Space, Dim>(context, arrayOn<Space>(runs), set, places);
  return set;
}

} // namespace spanwise::testing
