#include "Core/Mesh/VertexBall.hpp"

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Reserve.hpp"

#include <string>

namespace spanwise {

namespace {

/// The tables of a ball while they are written.
struct BallTables {
  BallView ball;
  BallEntry* base;
  BallEntry* overflow;

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION BallEntry& operator()(std::int64_t vertex, std::int64_t k) const {
    return k < ball.width ? base[vertex * ball.width + k] : overflow[ball.overflowBegin[vertex] + (k - ball.width)];
  }
};

KOKKOS_FORCEINLINE_FUNCTION BallEntry entryOf(std::int64_t element, int local) {
  return (static_cast<BallEntry>(element) << 3) | static_cast<BallEntry>(local);
}

struct ClearCounts {
  std::int32_t* counts;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const { counts[v] = 0; }
};

/// Counts the elements of each vertex and puts the first that come into the base table. Finds the first element that
/// names a vertex which the mesh does not have.
template <class Index>
struct InsertIntoBase {
  ElementView<Index> elements;
  BallTables tables;
  std::int32_t* degrees;

  KOKKOS_FUNCTION void operator()(std::int64_t e, std::int64_t& firstWrong) const {
    const std::int64_t corner = elements.firstCorner(e);
    const int count = numVerticesOf(elements.typeOf(e));
    for (int k = 0; k < count; ++k) {
      const std::int64_t v = elements.vertices[corner + k];
      if (v < 0 || v >= tables.ball.numVertices) {
        firstWrong = Kokkos::min(firstWrong, e);
        continue;
      }
      const std::int32_t place = Kokkos::atomic_fetch_add(&degrees[v], 1);
      if (place < tables.ball.width) {
        tables(v, place) = entryOf(e, k);
      }
    }
  }
};

struct CountOverflow {
  const std::int32_t* degrees;
  std::int64_t* overflowBegin;
  std::int64_t numVertices;
  int width;

  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& sum, bool final) const {
    if (final) {
      overflowBegin[v] = sum;
    }
    if (v < numVertices) {
      sum += Kokkos::max(degrees[v] - width, 0);
    }
  }
};

/// Puts all elements of the vertices that overflow into both tables: which ones came first above is left to chance.
template <class Index>
struct InsertIntoBoth {
  ElementView<Index> elements;
  BallTables tables;
  std::int32_t* counts;

  KOKKOS_FUNCTION void operator()(std::int64_t e) const {
    const std::int64_t corner = elements.firstCorner(e);
    const int count = numVerticesOf(elements.typeOf(e));
    for (int k = 0; k < count; ++k) {
      const std::int64_t v = elements.vertices[corner + k];
      if (tables.ball.degrees[v] > tables.ball.width) {
        tables(v, Kokkos::atomic_fetch_add(&counts[v], 1)) = entryOf(e, k);
      }
    }
  }
};

/// Brings the entries of each vertex into ascending order and marks the slots without one.
struct SortEntries {
  BallTables tables;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const int degree = tables.ball.degrees[v];
    if (degree <= maxByInsertion) {
      sortByInsertion(v, degree);
    } else {
      sortByHeap(v, degree);
    }
    for (int k = degree; k < tables.ball.width; ++k) {
      tables(v, k) = noBallEntry;
    }
  }

private:
  static constexpr int maxByInsertion = 64;

  KOKKOS_FUNCTION void sortByInsertion(std::int64_t v, int degree) const {
    for (int i = 1; i < degree; ++i) {
      const BallEntry entry = tables(v, i);
      int k = i;
      for (; k > 0 && tables(v, k - 1) > entry; --k) {
        tables(v, k) = tables(v, k - 1);
      }
      tables(v, k) = entry;
    }
  }

  KOKKOS_FUNCTION void sortByHeap(std::int64_t v, int degree) const {
    for (int root = degree / 2; root-- > 0;) {
      sift(v, root, degree);
    }
    for (int last = degree - 1; last > 0; --last) {
      const BallEntry largest = tables(v, 0);
      tables(v, 0) = tables(v, last);
      tables(v, last) = largest;
      sift(v, 0, last);
    }
  }

  /// Lets the entry at `root` sink until no child of it is larger.
  KOKKOS_FUNCTION void sift(std::int64_t v, int root, int size) const {
    const BallEntry entry = tables(v, root);
    for (int child = 2 * root + 1; child < size; child = 2 * root + 1) {
      if (child + 1 < size && tables(v, child) < tables(v, child + 1)) {
        ++child;
      }
      if (tables(v, child) <= entry) {
        break;
      }
      tables(v, root) = tables(v, child);
      root = child;
    }
    tables(v, root) = entry;
  }
};

struct SumDegrees {
  const std::int32_t* degrees;
  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& sum) const { sum += degrees[v]; }
};

void checkArguments(std::int64_t numElements, std::int64_t numVertices, int width) {
  if (numElements < 0 || numElements > maxBallElements) {
    throw InvalidArgument("a vertex ball of " + std::to_string(numElements) +
      " elements: their number must be within 0 and " + std::to_string(maxBallElements));
  }
  if (numVertices < 0) {
    throw InvalidArgument(
      "a vertex ball of " + std::to_string(numVertices) + " vertices: their number must not be negative");
  }
  if (width < 1 || width > maxBallWidth) {
    throw InvalidArgument("a vertex ball with " + std::to_string(width) +
      " slots a vertex: their number must be within 1 and " + std::to_string(maxBallWidth));
  }
}

} // namespace

template <class ExecutionSpace, MeshIndex Index>
void buildVertexBall(const Context<ExecutionSpace>& context, const ElementView<Index>& elements,
  std::int64_t numVertices, int width, VertexBall<typename ExecutionSpace::memory_space>& ball) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Mesh::buildVertexBall");
  using Memory = typename ExecutionSpace::memory_space;
  ball.view_ = {};
  ball.occupancy_ = {};
  if (width == 0) {
    width = ballWidth(elements.types != nullptr ? ElementType::Tetrahedron : elements.type);
  }
  checkArguments(elements.numElements, numVertices, width);
  reserve(ball.base_, numVertices * width, SPANWISE_LABEL("Mesh::ball base"));
  reserve(ball.degrees_, numVertices, SPANWISE_LABEL("Mesh::ball degrees"));
  reserve(ball.overflowBegin_, numVertices + 1, SPANWISE_LABEL("Mesh::ball offsets"));

  std::int32_t* const degrees = ball.degrees_.data();
  std::int64_t* const overflowBegin = ball.overflowBegin_.data();
  BallTables tables{
    {ball.base_.data(), degrees, overflowBegin, nullptr, numVertices, width}, ball.base_.data(), nullptr};
  const IndexRange<ExecutionSpace> overElements(space, 0, elements.numElements);
  const IndexRange<ExecutionSpace> overVertices(space, 0, numVertices);

  forEach(SPANWISE_KERNEL("clear degrees"), overVertices, ClearCounts{degrees});
  std::int64_t firstWrong = 0;
  reduceMin(
    SPANWISE_KERNEL("insert in base"), overElements, InsertIntoBase<Index>{elements, tables, degrees}, firstWrong);
  if (firstWrong < elements.numElements) {
    throw InvalidArgument("element " + std::to_string(firstWrong) +
      " names a vertex that the mesh does not have: vertices are numbered from 0 to " +
      std::to_string(numVertices - 1));
  }
  std::int64_t numOverflow = 0;
  scan(SPANWISE_KERNEL("scan overflow"), IndexRange<ExecutionSpace>(space, 0, numVertices + 1),
    CountOverflow{degrees, overflowBegin, numVertices, width}, numOverflow);
  if (numOverflow > 0) {
    reserve(ball.overflow_, numOverflow, SPANWISE_LABEL("Mesh::ball overflow"));
    tables.overflow = ball.overflow_.data();
    tables.ball.overflow = ball.overflow_.data();
    typename Workspace<Memory>::Frame frame(context.workspace());
    const auto counts = frame.template array<std::int32_t>(numVertices);
    forEach(SPANWISE_KERNEL("clear counts"), overVertices, ClearCounts{counts.data()});
    forEach(SPANWISE_KERNEL("insert in both"), overElements, InsertIntoBoth<Index>{elements, tables, counts.data()});
  }
  forEach(SPANWISE_KERNEL("sort entries"), overVertices, SortEntries{tables});
  std::int64_t numEntries = 0;
  reduce(SPANWISE_KERNEL("sum degrees"), overVertices, SumDegrees{degrees}, numEntries);
  const std::int64_t numInBase = numEntries - numOverflow;
  ball.occupancy_ = {numEntries, numInBase, numVertices * width - numInBase};
  ball.view_ = tables.ball;
}

#define SPANWISE_VERTEX_BALL(Space)                                                                                    \
  template void buildVertexBall<Space, std::int32_t>(                                                                  \
    const Context<Space>&, const ElementView<std::int32_t>&, std::int64_t, int, VertexBall<Space::memory_space>&);     \
  template void buildVertexBall<Space, std::int64_t>(                                                                  \
    const Context<Space>&, const ElementView<std::int64_t>&, std::int64_t, int, VertexBall<Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE(SPANWISE_VERTEX_BALL)

} // namespace spanwise
