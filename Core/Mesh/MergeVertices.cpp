#include "Core/Mesh/MergeVertices.hpp"

#include "Core/Runtime/AtomicAccess.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/MixBits.hpp"
#include "Core/Runtime/PointText.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Runtime/SetAll.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Core/Runtime/UnionFind.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <string>

namespace spanwise {

namespace {

/// Space in cubes with the side `distance`, and their numbers modulo the size of a table. Without a distance each place
/// is a cube.
struct Cubes {
  double distance;
  std::uint64_t mask;

  [[nodiscard]] KOKKOS_FUNCTION Point cubeOf(const Point& point) const {
    Point cube = point;
    for (int axis = 0; axis < 3; ++axis) {
      cube[axis] = distance > 0.0 ? Kokkos::floor(point[axis] / distance) : point[axis] + 0.0; // -0 becomes 0
    }
    return cube;
  }

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t slot(const Point& cube) const {
    std::uint64_t hash = 0;
    for (int axis = 0; axis < 3; ++axis) {
      hash = mixBits((hash ^ Kokkos::bit_cast<std::uint64_t>(cube[axis] + 0.0)) + 0x9e3779b97f4a7c15U);
    }
    return static_cast<std::int64_t>(hash & mask);
  }
};

template <class Real>
struct CountInSlots {
  VertexView<Real> vertices;
  Cubes cubes;
  std::int64_t* counts;
  std::int64_t* parents;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    parents[v] = v;
    Kokkos::atomic_inc(&counts[cubes.slot(cubes.cubeOf(vertices(v)))]);
  }
};

/// Writes vertices from the end of each slot, so that its beginning is found in `ends` after it.
template <class Real>
struct FillSlots {
  VertexView<Real> vertices;
  Cubes cubes;
  std::int64_t* ends;
  std::int32_t* list;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    list[Kokkos::atomic_fetch_add(&ends[cubes.slot(cubes.cubeOf(vertices(v)))], std::int64_t{1})] =
      static_cast<std::int32_t>(v);
  }
};

template <class Real>
struct JoinNear {
  VertexView<Real> vertices;
  Cubes cubes;
  const std::int64_t* ends; // after FillSlots: where each slot ends, and the next one begins
  const std::int32_t* list;
  std::int64_t* parents;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const Point point = vertices(v);
    const Point cube = cubes.cubeOf(point);
    if (!(cubes.distance > 0.0)) {
      joinIn(v, point, cubes.slot(cube));
      return;
    }
    for (int k = -1; k <= 1; ++k) {
      for (int j = -1; j <= 1; ++j) {
        for (int i = -1; i <= 1; ++i) {
          joinIn(v, point, cubes.slot(cube + Point{{double(i), double(j), double(k)}}));
        }
      }
    }
  }

private:
  KOKKOS_FUNCTION void joinIn(std::int64_t v, const Point& point, std::int64_t slot) const {
    for (std::int64_t k = slot > 0 ? ends[slot - 1] : 0; k < ends[slot]; ++k) {
      const std::int64_t other = list[k];
      const Point apart = vertices(other) - point;
      if (other < v && dot(apart, apart) <= cubes.distance * cubes.distance) {
        UnionFind(parents).join(v, other);
      }
    }
  }
};

/// Whether vertex a is before b in the order of places.
template <class Real>
KOKKOS_INLINE_FUNCTION bool isBefore(const VertexView<Real>& vertices, std::int64_t a, std::int64_t b) {
  const Point at = vertices(a);
  const Point other = vertices(b);
  for (int axis = 0; axis < 3; ++axis) {
    if (at[axis] != other[axis]) {
      return at[axis] < other[axis];
    }
  }
  return a < b;
}

/// Finds the first vertex of each tree by its place.
template <class Real>
struct FindFirst {
  VertexView<Real> vertices;
  std::int64_t* parents;
  std::int32_t* firsts; // of each root; on input the root

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    std::int32_t* const first = &firsts[UnionFind(parents).root(v)];
    std::int32_t known = atomicLoad(first);
    while (isBefore(vertices, v, known)) {
      const std::int32_t old = Kokkos::atomic_compare_exchange(first, known, static_cast<std::int32_t>(v));
      if (old == known) {
        return;
      }
      known = old;
    }
  }
};

struct SetToNumber {
  std::int32_t* firsts;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const { firsts[v] = static_cast<std::int32_t>(v); }
};

struct WriteRepresentatives {
  std::int64_t* parents;
  const std::int32_t* firsts;
  std::int32_t* representatives;

  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& numMerged) const {
    representatives[v] = firsts[UnionFind(parents).root(v)];
    numMerged += representatives[v] != v ? 1 : 0;
  }
};

} // namespace

template <class ExecutionSpace, MeshReal Real>
std::int64_t mergeVertices(const Context<ExecutionSpace>& context, const VertexView<Real>& vertices, double distance,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& representatives) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Mesh::mergeVertices");
  if (!(distance >= 0.0 && std::isfinite(distance))) {
    throw InvalidArgument("vertices within " + numberText(distance) +
      " of each other are to be merged: the distance must be finite and not negative");
  }
  const std::int64_t count = vertices.numVertices;
  if (count >= std::numeric_limits<std::int32_t>::max() ||
    static_cast<std::int64_t>(representatives.extent(0)) < count) {
    throw InvalidArgument("there are " + std::to_string(count) + " vertices and " +
      std::to_string(representatives.extent(0)) +
      " representatives: each vertex has one, and their number is below 2^31 - 1");
  }
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  const auto numSlots = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(count) + 1));
  const auto ends = frame.template array<std::int64_t>(numSlots + 1);
  const auto parents = frame.template array<std::int64_t>(count);
  const auto list = frame.template array<std::int32_t>(count);
  const Cubes cubes{distance, static_cast<std::uint64_t>(numSlots) - 1};
  const IndexRange<ExecutionSpace> all(space, 0, count);
  setAll(space, ends, 0);
  forEach(SPANWISE_KERNEL("count in slots"), all, CountInSlots<Real>{vertices, cubes, ends.data(), parents.data()});
  exclusiveScan(space, SPANWISE_KERNEL("scan slots"), ends.data(), numSlots);
  forEach(SPANWISE_KERNEL("fill slots"), all, FillSlots<Real>{vertices, cubes, ends.data(), list.data()});
  forEach(SPANWISE_KERNEL("join near"), all, JoinNear<Real>{vertices, cubes, ends.data(), list.data(), parents.data()});
  const auto firsts = frame.template array<std::int32_t>(count);
  forEach(SPANWISE_KERNEL("set firsts"), all, SetToNumber{firsts.data()});
  forEach(SPANWISE_KERNEL("find firsts"), all, FindFirst<Real>{vertices, parents.data(), firsts.data()});
  std::int64_t numMerged = 0;
  reduce(SPANWISE_KERNEL("representatives"), all,
    WriteRepresentatives{parents.data(), firsts.data(), representatives.data()}, numMerged);
  return numMerged;
}

#define SPANWISE_MERGE_VERTICES(Space)                                                                                 \
  template std::int64_t mergeVertices<Space, float>(                                                                   \
    const Context<Space>&, const VertexView<float>&, double, const Kokkos::View<std::int32_t*, Space::memory_space>&); \
  template std::int64_t mergeVertices<Space, double>(const Context<Space>&, const VertexView<double>&, double,         \
    const Kokkos::View<std::int32_t*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE(SPANWISE_MERGE_VERTICES)

} // namespace spanwise
