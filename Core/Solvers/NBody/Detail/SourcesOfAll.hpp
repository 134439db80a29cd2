#pragma once

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/HostCopy.hpp"
#include "Core/Runtime/Workspace.hpp"
#include "Core/Solvers/NBody/Points.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace spanwise::nbody::detail {

/// Collective. The sources of all ranks, with so many columns of charges, in memory of the frame: this rank's own, then
/// the others' in the order of the ranks. O(sources of all ranks).
template <class ExecutionSpace, int Dim, class Real>
SourcesView<Dim, Real> sourcesOfAll(const Context<ExecutionSpace>& context, const SourcesView<Dim, Real>& mine,
  int numCharges, typename Workspace<typename ExecutionSpace::memory_space>::Frame& frame) {
  const Communicator& communicator = context.communicator();
  const int numColumns = Dim + numCharges;
  const std::int64_t numMine = mine.points.count;
  std::vector<Real> own;
  parallel::agree(communicator, [&] {
    own.resize(static_cast<std::size_t>(numColumns * numMine));
    for (int c = 0; c < numColumns; ++c) {
      copyToHost(context.space(), c < Dim ? mine.points.coordinates[c] : mine.charges + (c - Dim) * mine.stride,
        numMine, own.data() + c * numMine);
    }
  });
  std::vector<std::int64_t> lengths;
  const std::vector<Real> gathered = communicator.gather(std::span<const Real>(own), &lengths);
  SourcesView<Dim, Real> all;
  parallel::agree(communicator, [&] {
    const std::int64_t count = std::ssize(gathered) / numColumns;
    std::vector<Real> ordered(gathered.size());
    std::int64_t next = numMine; // of the others
    const Real* from = gathered.data();
    for (std::size_t r = 0; r < lengths.size(); ++r) {
      const std::int64_t ofRank = lengths[r] / numColumns;
      const bool isMine = static_cast<int>(r) == communicator.rank();
      for (int c = 0; c < numColumns; ++c, from += ofRank) {
        std::copy_n(from, ofRank, ordered.data() + c * count + (isMine ? 0 : next));
      }
      next += isMine ? 0 : ofRank;
    }
    Real* const there = frame.template array<Real>(numColumns * count).data();
    copyFromHost(context.space(), ordered.data(), numColumns * count, there);
    all.points.count = count;
    for (int axis = 0; axis < Dim; ++axis) {
      all.points.coordinates[axis] = there + axis * count;
    }
    all.charges = there + Dim * count;
    all.stride = count;
  });
  return all;
}

/// Those after the first `numFirst`.
template <int Dim, class Real>
SourcesView<Dim, Real> sourcesAfter(SourcesView<Dim, Real> all, std::int64_t numFirst) {
  for (const Real*& axis : all.points.coordinates) {
    axis += numFirst;
  }
  all.points.count -= numFirst;
  all.charges += numFirst;
  return all;
}

} // namespace spanwise::nbody::detail
