#include "Core/Solvers/Eikonal/Seam.hpp"

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/MergeSort.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Spaces.hpp"

namespace spanwise::eikonal {

namespace {

/// A point on a seam: where it is on the first planes of periods, and its number.
struct SeamPoint {
  multilevel::FinePoint first;
  std::int64_t number;

  friend KOKKOS_FUNCTION bool operator<(const SeamPoint& a, const SeamPoint& b) {
    return a.first == b.first ? a.number < b.number : a.first < b.first;
  }
};

/// Collects the points that lie on the first or the last plane of a period.
template <int Dim>
struct FindSeamPoints {
  const multilevel::FinePoint* points;
  geometry::Periods<Dim> periods;
  int finest;
  SeamPoint* out; // null: count

  KOKKOS_FUNCTION void operator()(std::int64_t p, std::int64_t& place, bool final) const {
    SeamPoint found{points[p], p};
    bool isOn = false;
    for (int axis = 0; axis < Dim; ++axis) {
      if (periods.along[axis]) {
        const std::int64_t begin = std::int64_t{periods.box.begin[axis]} * (std::int64_t{1} << finest);
        const std::int64_t end = std::int64_t{periods.box.end[axis]} * (std::int64_t{1} << finest);
        isOn = isOn || found.first.at[axis] == begin || found.first.at[axis] == end;
        found.first.at[axis] = found.first.at[axis] == end ? begin : found.first.at[axis];
      }
    }
    if (isOn) {
      if (final && out != nullptr) {
        out[place] = found;
      }
      ++place;
    }
  }
};

/// Pairs each point of a sorted list with the first of those that it is one with.
struct MakePairs {
  const SeamPoint* sorted;
  std::int32_t* pairs; // null: count

  KOKKOS_FUNCTION void operator()(std::int64_t k, std::int64_t& place, bool final) const {
    std::int64_t first = k;
    while (first > 0 && sorted[first - 1].first == sorted[k].first) { // 7 steps at the most
      --first;
    }
    if (first < k) {
      if (final && pairs != nullptr) {
        pairs[2 * place] = static_cast<std::int32_t>(sorted[first].number);
        pairs[2 * place + 1] = static_cast<std::int32_t>(sorted[k].number);
      }
      ++place;
    }
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
void joinSeam(const Context<ExecutionSpace>& context, const multilevel::FinePoint* points, std::int64_t numPoints,
  const geometry::Periods<Dim>& periods, int finest, const geometry::GridGeometry<Dim>& root,
  SeamPairs<typename ExecutionSpace::memory_space>& out) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Eikonal::joinSeam");
  out.vertices.clear();
  for (int axis = 0; axis < 3; ++axis) {
    out.periods[axis] = 0.0;
    if (axis < Dim && periods.along[axis]) {
      out.periods[axis] = static_cast<double>(periods.box.extent(axis)) * root.spacing[axis];
    }
  }
  if (!periods.any() || numPoints == 0) {
    return;
  }
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  FindSeamPoints<Dim> find{points, periods, finest, nullptr};
  const IndexRange<ExecutionSpace> all(space, 0, numPoints);
  std::int64_t count = 0;
  scan(SPANWISE_KERNEL("count seam"), all, find, count);
  if (count == 0) {
    return;
  }
  const auto found = frame.template array<SeamPoint>(count);
  const auto other = frame.template array<SeamPoint>(count);
  find.out = found.data();
  scan(SPANWISE_KERNEL("find seam"), all, find, count);
  MakePairs pair{sortStably(space, found.data(), other.data(), count, Ascending()), nullptr};
  const IndexRange<ExecutionSpace> overFound(space, 0, count);
  std::int64_t numPairs = 0;
  scan(SPANWISE_KERNEL("count pairs"), overFound, pair, numPairs);
  if (numPairs > 0) {
    pair.pairs = out.vertices.prepare(2 * numPairs);
    scan(SPANWISE_KERNEL("make pairs"), overFound, pair, numPairs);
  }
}

#define SPANWISE_JOIN_SEAM(Space, Dim)                                                                                 \
  template void joinSeam<Space, Dim>(const Context<Space>&, const multilevel::FinePoint*, std::int64_t,                \
    const geometry::Periods<Dim>&, int, const geometry::GridGeometry<Dim>&, SeamPairs<Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_JOIN_SEAM)

} // namespace spanwise::eikonal
