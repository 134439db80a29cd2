#include "Core/Mesh/Detail/SmoothInstructions.hpp"

// Clang's analyzer loses the type of elements on the way and takes their corners to be too few.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__) && !defined(__clang_analyzer__)
#define SPANWISE_HAS_SMOOTH_INSTRUCTIONS
#include "Core/Mesh/Detail/Lanes.hpp"
#include "Core/Mesh/ElementShape.hpp"

#include <algorithm>
#endif

namespace spanwise::detail {

#ifdef SPANWISE_HAS_SMOOTH_INSTRUCTIONS

namespace {

constexpr int cacheLine = 64;

// What is not forced to be inlined would be compiled for every processor: these are loops, not lambdas.

template <ElementType type, MeshIndex Index>
KOKKOS_FORCEINLINE_FUNCTION void readPoints(
  const Index* vertices, const WeightedPoint* points, PointOf<Lanes> (&lanes)[numVerticesOf(type)]) {
  constexpr int n = numVerticesOf(type);
#pragma GCC unroll 8
  for (int k = 0; k < n; ++k) {
    lanes[k] =
      lanesOf(points[vertices[k]], points[vertices[n + k]], points[vertices[2 * n + k]], points[vertices[3 * n + k]]);
  }
}

/// The measures of four elements, whose weighted barycentres are written.
template <ElementType type>
KOKKOS_FORCEINLINE_FUNCTION Lanes weighPoints(
  const PointOf<Lanes> (&points)[numVerticesOf(type)], WeightedPoint* barycentres) {
  const Lanes signedSize = measureByCorners(type, points);
  const Lanes size = abs(signedSize);
  store(size * barycentre(type, points), size, barycentres);
  return signedSize;
}

template <ElementType type, MeshIndex Index>
KOKKOS_FORCEINLINE_FUNCTION double weighElements(
  const Index* vertices, std::int64_t numElements, const WeightedPoint* points, WeightedPoint* barycentres) {
  Lanes sum(0.0);
  for (std::int64_t e = 0; e < numElements; e += Lanes::width) {
    PointOf<Lanes> corners[numVerticesOf(type)];
    readPoints<type>(vertices + e * numVerticesOf(type), points, corners);
    sum = sum + weighPoints<type>(corners, barycentres + e);
  }
  return (sum.vector[0] + sum.vector[1]) + (sum.vector[2] + sum.vector[3]);
}

/// Asks for what a check of four elements reads and writes: these are more arrays than the processor foresees. Of each
/// element one vertex is enough, since neighbours have the others.
template <ElementType type, MeshIndex Index>
KOKKOS_FORCEINLINE_FUNCTION void askForElements(const Index* vertices, std::int64_t soon, std::int64_t later,
  const WeightedPoint* before, const WeightedPoint* points, const WeightedPoint* barycentres) {
  constexpr int n = numVerticesOf(type);
  constexpr int numbersALine = cacheLine / sizeof(Index);
#pragma GCC unroll 4
  for (std::int64_t e = soon; e < soon + Lanes::width; ++e) {
    const Index v = vertices[e * n + n - 2];
    __builtin_prefetch(points + v);
    if constexpr (dimensionOf(type) == 2) {
      __builtin_prefetch(before + v);
    }
  }
#pragma GCC unroll 8
  for (int k = 0; k < Lanes::width * n; k += numbersALine) {
    __builtin_prefetch(vertices + later * n + k);
  }
  __builtin_prefetch(barycentres + later, 1);
  __builtin_prefetch(barycentres + later + 2, 1);
}

/// With `quality` above 0 elements must be above it, else have an orientation.
template <ElementType type, bool isAboveQuality, MeshIndex Index>
KOKKOS_FORCEINLINE_FUNCTION bool checkElements(const ElementCheck<Index>& elements) {
  const auto [vertices, numElements, before, points, sign, quality, barycentres, numAfter] = elements;
  const std::int64_t last = numElements + numAfter - Lanes::width;
  LanesTruth areRight(true);
  for (std::int64_t e = 0; e < numElements; e += Lanes::width) {
    askForElements<type>(vertices, std::min(e + 32, last), std::min(e + 64, last), before, points, barycentres);
    const Index* const lists = vertices + e * numVerticesOf(type);
    PointOf<Lanes> corners[numVerticesOf(type)];
    readPoints<type>(lists, points, corners);
    const Lanes size = weighPoints<type>(corners, barycentres + e);
    OrientationOf<Lanes> orientation{{}, sign};
    if constexpr (dimensionOf(type) == 2) {
      PointOf<Lanes> old[numVerticesOf(type)];
      readPoints<type>(lists, before, old);
      orientation = {vectorArea(type, old), 1.0};
    }
    if constexpr (dimensionOf(type) == 1) {
      areRight &= size > Lanes{0.0};
    } else if constexpr (isAboveQuality) {
      areRight &= isSurelyAbove(type, corners, orientation, quality);
    } else {
      areRight &= isOriented(type, corners, orientation);
    }
  }
  return areRight.areAll();
}

/// Where the weighted barycentre of an entry's element is. An entry is 8 times the element and more, and the processor
/// takes a number 4 times in an address: so it is one instruction less than by the element.
KOKKOS_FORCEINLINE_FUNCTION const void* pullAt(BallEntry entry, const WeightedPoint* barycentres) {
  constexpr std::size_t size = sizeof(WeightedPoint) / 8;
  return reinterpret_cast<const char*>(barycentres) + size * (entry & ~BallEntry{7});
}

KOKKOS_FORCEINLINE_FUNCTION Lanes pullOf(BallEntry entry, const WeightedPoint* barycentres) {
  Lanes pull;
  __builtin_memcpy(&pull.vector, pullAt(entry, barycentres), sizeof(pull.vector));
  return pull;
}

/// How many elements most vertices have inside a grid, 0 where that differs.
constexpr int usualDegree(ElementType type) {
  switch (type) {
  case ElementType::Triangle:
    return 6;
  case ElementType::Quadrilateral:
    return 4;
  case ElementType::Hexahedron:
    return 8;
  default:
    return 0;
  }
}

/// Adds the weighted barycentres of the elements of entries, two by two as VertexIn::sumOverCorners() does.
template <int usual>
KOKKOS_FORCEINLINE_FUNCTION void addPulls(
  const BallEntry* entries, int count, const WeightedPoint* barycentres, Lanes& sum) {
  if (count == usual) {
#pragma GCC unroll 4
    for (int k = 0; k < usual; k += 2) {
      sum = sum + (pullOf(entries[k], barycentres) + pullOf(entries[k + 1], barycentres));
    }
    return;
  }
  int k = 0;
#pragma GCC unroll 2
  for (; k + 1 < count; k += 2) {
    sum = sum + (pullOf(entries[k], barycentres) + pullOf(entries[k + 1], barycentres));
  }
  if (k < count) {
    sum = sum + pullOf(entries[k], barycentres);
  }
}

/// Whether meshes have more than two elements of the type for each vertex.
constexpr bool outnumbersVertices(ElementType type) {
  return type == ElementType::Edge || type == ElementType::Tetrahedron || type == ElementType::Pyramid;
}

/// Asks for what a move of four vertices reads some way ahead, as askForElements() does.
KOKKOS_FORCEINLINE_FUNCTION void askForVertices(const VertexMove& move, std::int64_t v) {
  const std::int64_t last = std::max<std::int64_t>(move.ball.numVertices - 4, 0);
  const WeightedPoint* const from = move.from + std::min(v + 64, last);
  __builtin_prefetch(from);
  __builtin_prefetch(from + 2);
  const BallEntry* const rows = move.ball.base + std::min(v + 32, last) * move.ball.width;
  constexpr int entriesALine = cacheLine / sizeof(BallEntry);
  for (int k = 0; k < 4 * move.ball.width; k += entriesALine) {
    __builtin_prefetch(rows + k);
  }
}

/// Asks for the barycentres around a vertex that is moved soon.
KOKKOS_FORCEINLINE_FUNCTION void askForPulls(const VertexMove& move, std::int64_t v) {
  const std::int64_t next = std::min(v + 8, move.ball.numVertices - 1);
  const BallEntry* const entries = move.ball.base + next * move.ball.width;
  const int count = std::min(move.ball.degrees[next], move.ball.width);
  for (int k = 0; k < count; k += 2) { // two have a line
    __builtin_prefetch(pullAt(entries[k], move.barycentres));
  }
}

template <ElementType type, MeshReal Real>
KOKKOS_FORCEINLINE_FUNCTION double moveVertices(const VertexMove& move, std::int64_t begin, std::int64_t end) {
  using V = Lanes::Vector;
  double longest = 0.0;
  for (std::int64_t v = begin; v < end; ++v) {
    if constexpr (dimensionOf(type) == 3) { // in a plane the processor foresees it
      if (v % 4 == 0) {
        askForVertices(move, v);
      }
    }
    if constexpr (outnumbersVertices(type)) { // else those that are new come in the order in which they lie
      askForPulls(move, v);
    }
    V from;
    __builtin_memcpy(&from, move.from + v, sizeof(V));
    V to = from;
    if (move.held == nullptr || move.held[v] == 0) {
      const int count = move.ball.degrees[v];
      const int inBase = std::min(count, move.ball.width);
      Lanes pulls(0.0);
      addPulls<usualDegree(type)>(move.ball.base + v * move.ball.width, inBase, move.barycentres, pulls);
      if (count > inBase) {
        addPulls<0>(move.ball.overflow + move.ball.overflowBegin[v], count - inBase, move.barycentres, pulls);
      }
      const V sum = pulls.vector;
      if (sum[3] > 0.0) {
        const double inverse = 1.0 / sum[3];
        V step = move.relaxation * (inverse * sum - from);
        step[3] = 0.0;
        to = from + step;
        if constexpr (sizeof(Real) < sizeof(double)) {
          to = V{static_cast<Real>(to[0]), static_cast<Real>(to[1]), static_cast<Real>(to[2]), 0.0};
        }
        const V squares = step * step;
        longest = std::max(longest, squares[0] + squares[1] + squares[2]);
      }
    }
    __builtin_memcpy(move.to + v, &to, sizeof(V));
  }
  return longest;
}

#define SPANWISE_SMOOTH_INSTRUCTIONS(Name, instructions)                                                               \
  template <ElementType type, MeshIndex Index>                                                                         \
  struct Name {                                                                                                        \
    __attribute__((target(instructions))) static double weigh(                                                         \
      const Index* vertices, std::int64_t numElements, const WeightedPoint* points, WeightedPoint* barycentres) {      \
      return weighElements<type>(vertices, numElements, points, barycentres);                                          \
    }                                                                                                                  \
    __attribute__((target(instructions))) static bool check(const ElementCheck<Index>& elements) {                     \
      return elements.quality > 0.0 ? checkElements<type, true>(elements) : checkElements<type, false>(elements);      \
    }                                                                                                                  \
    template <MeshReal Real>                                                                                           \
    __attribute__((target(instructions))) static double move(                                                          \
      const VertexMove& move, std::int64_t begin, std::int64_t end) {                                                  \
      return moveVertices<type, Real>(move, begin, end);                                                               \
    }                                                                                                                  \
    static constexpr SmoothInstructions<Index> all{weigh, check, move<double>, move<float>};                           \
  };
SPANWISE_SMOOTH_INSTRUCTIONS(ByAvx2, "avx2")
SPANWISE_SMOOTH_INSTRUCTIONS(ByAvx512, "avx512f,avx512dq,avx512vl") // of the same width, with twice as many registers

template <template <ElementType, MeshIndex> class By, MeshIndex Index>
const SmoothInstructions<Index>* instructionsFor(ElementType type) {
  switch (type) {
  case ElementType::Edge:
    return &By<ElementType::Edge, Index>::all;
  case ElementType::Triangle:
    return &By<ElementType::Triangle, Index>::all;
  case ElementType::Quadrilateral:
    return &By<ElementType::Quadrilateral, Index>::all;
  case ElementType::Tetrahedron:
    return &By<ElementType::Tetrahedron, Index>::all;
  case ElementType::Hexahedron:
    return &By<ElementType::Hexahedron, Index>::all;
  case ElementType::Prism:
    return &By<ElementType::Prism, Index>::all;
  case ElementType::Pyramid:
    return &By<ElementType::Pyramid, Index>::all;
  }
  return nullptr;
}

} // namespace

template <MeshIndex Index>
const SmoothInstructions<Index>* smoothInstructions(ElementType type, int numBetter) {
  static const bool hasAvx512 = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
    __builtin_cpu_supports("avx512vl") != 0;
  static const bool hasAvx2 = __builtin_cpu_supports("avx2") != 0;
  if (hasAvx512 && numBetter-- == 0) {
    return instructionsFor<ByAvx512, Index>(type);
  }
  return hasAvx2 && numBetter == 0 ? instructionsFor<ByAvx2, Index>(type) : nullptr;
}

#else

template <MeshIndex Index>
const SmoothInstructions<Index>* smoothInstructions(ElementType, int) {
  return nullptr;
}

#endif

template const SmoothInstructions<std::int32_t>* smoothInstructions(ElementType, int);
template const SmoothInstructions<std::int64_t>* smoothInstructions(ElementType, int);

} // namespace spanwise::detail
