#include "Core/Field/FieldLayout.hpp"

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <algorithm>
#include <string>

namespace spanwise::field {

namespace {

std::vector<LabelRun> joined(std::span<const LabelRun> labels) {
  std::vector<LabelRun> runs;
  for (const LabelRun& run : labels) {
    if (run.numCells < 1) {
      throw InvalidArgument("a run of cells with the label " + std::to_string(run.label) + " has " +
        std::to_string(run.numCells) + " cells: it must have one at least");
    }
    if (!runs.empty() && runs.back().label == run.label) {
      runs.back().numCells += run.numCells;
    } else {
      runs.push_back(run);
    }
  }
  return runs;
}

std::vector<CellGroup> groupsOf(const std::vector<LabelRun>& runs) {
  std::vector<LabelRun> ofLabels = runs;
  std::sort(ofLabels.begin(), ofLabels.end(), [](const LabelRun& a, const LabelRun& b) { return a.label < b.label; });
  std::vector<CellGroup> groups;
  std::int64_t slot = 0;
  for (const LabelRun& run : joined(ofLabels)) {
    groups.push_back({run.label, slot, run.numCells});
    slot += run.numCells;
  }
  return groups;
}

} // namespace

template <class MemorySpace>
FieldLayout<MemorySpace> FieldLayout<MemorySpace>::tuples() {
  FieldLayout layout;
  layout.kind_ = LayoutKind::Tuples;
  return layout;
}

template <class MemorySpace>
FieldLayout<MemorySpace> FieldLayout<MemorySpace>::groups(std::span<const LabelRun> labels) {
  const std::vector<LabelRun> runs = joined(labels);
  auto made = std::make_shared<Groups>();
  made->groups = groupsOf(runs);
  made->runsSeenByHost =
    Kokkos::View<LayoutRun*, Kokkos::HostSpace>(SPANWISE_LABEL("Field::layoutRunsOnHost"), runs.size());
  std::vector<std::int64_t> used(made->groups.size()); // slots of each group that have their cells
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const auto group = std::lower_bound(made->groups.begin(), made->groups.end(), runs[r].label,
      [](const CellGroup& g, std::int64_t label) { return g.label < label; });
    std::int64_t& taken = used[static_cast<std::size_t>(group - made->groups.begin())];
    made->runsSeenByHost(r) = {made->numCells, group->firstSlot + taken, group->firstSlot, group->numCells};
    taken += runs[r].numCells;
    made->numCells += runs[r].numCells;
  }
  if constexpr (std::is_same_v<MemorySpace, Kokkos::HostSpace>) {
    made->runs = made->runsSeenByHost;
  } else {
    made->runs = Kokkos::View<LayoutRun*, MemorySpace>(SPANWISE_LABEL("Field::layoutRuns"), runs.size());
    Kokkos::deep_copy(made->runs, made->runsSeenByHost);
  }
  FieldLayout layout;
  layout.kind_ = LayoutKind::Groups;
  layout.groups_ = std::move(made);
  return layout;
}

template <class MemorySpace>
std::span<const CellGroup> FieldLayout<MemorySpace>::cellGroups() const {
  return groups_ != nullptr ? std::span<const CellGroup>(groups_->groups) : std::span<const CellGroup>();
}

template <class MemorySpace>
std::int64_t FieldLayout<MemorySpace>::numCells() const {
  return groups_ != nullptr ? groups_->numCells : 0;
}

template <class MemorySpace>
FieldLayout<MemorySpace> layoutByLabels(const Kokkos::View<const std::int32_t*, MemorySpace>& labels) {
  const auto onHost = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), labels);
  std::vector<LabelRun> runs;
  for (std::size_t k = 0; k < onHost.extent(0); ++k) {
    if (runs.empty() || runs.back().label != onHost(k)) {
      runs.push_back({0, onHost(k)});
    }
    ++runs.back().numCells;
  }
  return FieldLayout<MemorySpace>::groups(runs);
}

#define SPANWISE_FIELD_LAYOUT(Memory)                                                                                  \
  template class FieldLayout<Memory>;                                                                                  \
  template FieldLayout<Memory> layoutByLabels<Memory>(const Kokkos::View<const std::int32_t*, Memory>&);
SPANWISE_FIELD_LAYOUT(Kokkos::HostSpace)
SPANWISE_IF_CUDA(SPANWISE_FIELD_LAYOUT(Kokkos::CudaSpace))
SPANWISE_IF_HIP(SPANWISE_FIELD_LAYOUT(Kokkos::HIPSpace))

} // namespace spanwise::field
