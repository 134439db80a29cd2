#include "Core/Mesh/SmoothVertices.hpp"

#include "Core/Mesh/Detail/SmoothInstructions.hpp"
#include "Core/Mesh/Detail/WeightedPoint.hpp"
#include "Core/Mesh/ElementShape.hpp"
#include "Core/Mesh/Kernels.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/Alike.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/PointText.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace spanwise {

namespace {

using detail::WeightedPoint;

/// A number for each type of solid elements.
struct OfSolids {
  double of[4] = {};

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double& operator[](ElementType type) { return of[place(type)]; }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double operator[](ElementType type) const { return of[place(type)]; }

  KOKKOS_FUNCTION OfSolids& operator+=(const OfSolids& other) {
    for (int k = 0; k < 4; ++k) {
      of[k] += other.of[k];
    }
    return *this;
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION static int place(ElementType type) {
    switch (type) {
    case ElementType::Hexahedron:
      return 1;
    case ElementType::Prism:
      return 2;
    case ElementType::Pyramid:
      return 3;
    default:
      return 0;
    }
  }
};

template <class Element>
KOKKOS_FORCEINLINE_FUNCTION void readPoints(const Element& element, const WeightedPoint* vertices, Point* points) {
  detail::forLocals(element.numVertices(), [&](int k) { points[k] = vertices[element.vertex(k)].point(); });
}

/// The measure of an element, whose weighted barycentre is written.
template <class Element>
KOKKOS_FORCEINLINE_FUNCTION double weighPoints(
  const Element& element, const Point* points, WeightedPoint* barycentres) {
  const double signedSize = measureByCorners(element.type(), points);
  const double size = Kokkos::abs(signedSize);
  barycentres[element.number()] = WeightedPoint::of(size * barycentre(element.type(), points), size);
  return signedSize;
}

/// What elements are before the first step.
struct WeighElements {
  const WeightedPoint* vertices;
  WeightedPoint* barycentres;

  template <class Element>
  KOKKOS_FUNCTION void operator()(const Element& element, OfSolids& volumes) const {
    Point points[maxElementVertices];
    readPoints(element, vertices, points);
    const double size = weighPoints(element, points, barycentres);
    if (dimensionOf(element.type()) == 3) {
      volumes[element.type()] += size;
    }
  }
};

/// What an element has to be right-handed about: a flat one the normal that it has at `vertices`, a solid one the sign
/// of its type.
template <class Element>
KOKKOS_FORCEINLINE_FUNCTION Orientation orientationAt(
  const Element& element, const WeightedPoint* vertices, const OfSolids& signs) {
  Orientation orientation;
  if (dimensionOf(element.type()) == 2) {
    Point points[maxElementVertices];
    readPoints(element, vertices, points);
    orientation.normal = vectorArea(element.type(), points);
  } else if (dimensionOf(element.type()) == 3) {
    orientation.sign = signs[element.type()];
  }
  return orientation;
}

/// The least quality before the first step; any below 0 where one is.
struct FindWorst {
  using value_type = double;
  const WeightedPoint* vertices;
  OfSolids signs;

  KOKKOS_FUNCTION void init(double& worst) const { worst = 1.0; }
  KOKKOS_FUNCTION void join(double& worst, const double& other) const { worst = Kokkos::min(worst, other); }

  template <class Element>
  KOKKOS_FUNCTION void operator()(const Element& element, double& worst) const {
    if (!(worst > 0.0)) {
      return;
    }
    Point points[maxElementVertices];
    readPoints(element, vertices, points);
    const Orientation orientation = orientationAt(element, vertices, signs);
    if (!isSurelyAbove(element.type(), points, orientation, worst)) { // few are the worst so far
      worst = Kokkos::min(worst, meanRatio(element.type(), points, orientation));
    }
  }
};

/// What they are after a step, and which ones refuse it.
struct CheckElements {
  const WeightedPoint* before;
  const WeightedPoint* after;
  OfSolids signs;
  double minQuality;
  WeightedPoint* barycentres;
  std::uint8_t* refuses;

  template <class Element>
  KOKKOS_FUNCTION void operator()(const Element& element, std::int64_t& numRefusing) const {
    Point points[maxElementVertices];
    readPoints(element, after, points);
    weighPoints(element, points, barycentres);
    const Orientation orientation = orientationAt(element, before, signs);
    const bool isRefused = !isSurelyRight(element.type(), points, orientation) && isWorse(element, points, orientation);
    refuses[element.number()] = static_cast<std::uint8_t>(isRefused);
    numRefusing += static_cast<std::int64_t>(isRefused);
  }

private:
  /// Most elements are seen to be right without roots and divisions, and solids without the points before.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool isSurelyRight(
    ElementType type, const Point* points, const Orientation& orientation) const {
    return minQuality > 0.0 ? isSurelyAbove(type, points, orientation, minQuality)
                            : dimensionOf(type) > 1 && isOriented(type, points, orientation);
  }

  template <class Element>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool isWorse(
    const Element& element, const Point* points, const Orientation& orientation) const {
    const ElementType type = element.type();
    const double quality = meanRatio(type, points, orientation);
    if (quality > minQuality) {
      return false;
    }
    Point old[maxElementVertices];
    readPoints(element, before, old);
    if (!(quality < meanRatio(type, old, orientation))) {
      return false;
    }
    // The same numbers may round differently at two places of a kernel: what did not move did not get worse.
    bool moved = false;
    detail::forLocals(element.numVertices(), [&moved, points, &old](int k) {
      moved = moved || points[k][0] != old[k][0] || points[k][1] != old[k][1] || points[k][2] != old[k][2];
    });
    return moved;
  }
};

/// Where a vertex goes from `start`, by the sum of the weighted barycentres around it, rounded as the mesh's vertices
/// are. longest: that of the steps before, squared.
template <MeshReal Real>
KOKKOS_FORCEINLINE_FUNCTION Point moved(
  const Point& start, const WeightedPoint& sum, double relaxation, double& longest) {
  if (!(sum.weight > 0.0)) {
    return start;
  }
  const Point step = relaxation * ((1.0 / sum.weight) * sum.point() - start);
  Point end = start + step;
  for (int axis = 0; axis < 3; ++axis) {
    end[axis] = static_cast<Real>(end[axis]);
  }
  longest = Kokkos::max(longest, dot(step, step));
  return end;
}

/// Moves each vertex, rounded as the mesh's are; reduces to the longest step, squared.
template <MeshReal Real>
struct MoveVertices {
  detail::VertexMove move;

  KOKKOS_FUNCTION void init(double& longest) const { longest = 0.0; }
  KOKKOS_FUNCTION void join(double& longest, const double& other) const { longest = Kokkos::max(longest, other); }

  template <class Vertex>
  KOKKOS_FUNCTION void operator()(const Vertex& vertex, double& longest) const {
    const std::int64_t v = vertex.number();
    const Point start = move.from[v].point();
    Point end = start;
    if (move.held == nullptr || move.held[v] == 0) {
      const WeightedPoint sum =
        vertex.sumOverCorners([this](const Corner& corner) { return move.barycentres[corner.element]; });
      end = moved<Real>(start, sum, move.relaxation, longest);
    }
    move.to[v] = WeightedPoint::of(end, 0.0);
  }
};

/// Takes steps back; sums how many.
struct TakeBack {
  const std::uint8_t* refuses;
  const WeightedPoint* before;
  WeightedPoint* after;

  template <class Vertex>
  KOKKOS_FUNCTION void operator()(const Vertex& vertex, std::int64_t& count) const {
    const std::int64_t v = vertex.number();
    bool isRefused = false;
    vertex.forEachCorner([&, this](const Corner& corner) { isRefused = isRefused || refuses[corner.element] != 0; });
    if (!isRefused) {
      return;
    }
    const WeightedPoint old = before[v];
    const WeightedPoint now = after[v];
    const bool moved = now.x != old.x || now.y != old.y || now.z != old.z;
    after[v] = old;
    count += static_cast<std::int64_t>(moved);
  }
};

template <MeshReal Real>
struct ReadVertices {
  VertexView<Real> from;
  WeightedPoint* to;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const { to[v] = WeightedPoint::of(from(v), 0.0); }
};

template <MeshReal Real>
struct WriteVertices {
  const WeightedPoint* from;
  Real* to;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const WeightedPoint point = from[v];
    to[3 * v] = static_cast<Real>(point.x); // it is one
    to[3 * v + 1] = static_cast<Real>(point.y);
    to[3 * v + 2] = static_cast<Real>(point.z);
  }
};

// Items go by chunks: on the host of several vectors' width, several items at once where the processor can; on a device
// of one, so that neighbouring threads take neighbouring items.

template <class ExecutionSpace>
inline constexpr std::int64_t chunkSize = runsOnHost<ExecutionSpace> ? 16 : 1;

template <class ExecutionSpace>
constexpr std::int64_t numChunksOf(std::int64_t numItems) {
  return (numItems + chunkSize<ExecutionSpace> - 1) / chunkSize<ExecutionSpace>;
}

/// Whether there may be instructions for several elements at once.
template <class ExecutionSpace, ElementType known>
inline constexpr bool mayTakeSeveral = runsOnHost<ExecutionSpace> && !detail::isAnyType<known>;

template <class ExecutionSpace, MeshReal Real, MeshIndex Index, ElementType known>
struct ChunksOfElements {
  MeshView<Real, Index> mesh;
  const detail::SmoothInstructions<Index>* instructions; ///< null: none

  [[nodiscard]] KOKKOS_FUNCTION static std::int64_t first(std::int64_t chunk) {
    return chunk * chunkSize<ExecutionSpace>;
  }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t last(std::int64_t chunk) const {
    return Kokkos::min(first(chunk + 1), mesh.elements.numElements);
  }
  /// How many of a chunk's elements the instructions take.
  [[nodiscard]] std::int64_t numAtOnce(std::int64_t chunk) const {
    constexpr std::int64_t atOnce = detail::SmoothInstructions<Index>::elementsAtOnce;
    return instructions != nullptr ? (last(chunk) - first(chunk)) / atOnce * atOnce : 0;
  }
  [[nodiscard]] const Index* listsOf(std::int64_t chunk) const {
    return mesh.elements.vertices + first(chunk) * numVerticesOf(known);
  }

  template <class Functor, class Value>
  KOKKOS_FUNCTION void oneByOne(std::int64_t begin, std::int64_t end, const Functor& functor, Value& value) const {
    for (std::int64_t e = begin; e < end; ++e) {
      functor(ElementIn<Real, Index, known>(mesh, e), value);
    }
  }
};

template <class ExecutionSpace, MeshReal Real, MeshIndex Index, ElementType known>
struct WeighChunks {
  ChunksOfElements<ExecutionSpace, Real, Index, known> chunks;
  WeighElements one;

  KOKKOS_FUNCTION void operator()(std::int64_t chunk, OfSolids& volumes) const {
    const std::int64_t first = chunks.first(chunk);
    std::int64_t numAtOnce = 0;
    if constexpr (mayTakeSeveral<ExecutionSpace, known>) {
      numAtOnce = chunks.numAtOnce(chunk);
      if (numAtOnce > 0) {
        const double sum =
          chunks.instructions->weigh(chunks.listsOf(chunk), numAtOnce, one.vertices, one.barycentres + first);
        volumes[known] += dimensionOf(known) == 3 ? sum : 0.0;
      }
    }
    chunks.oneByOne(first + numAtOnce, chunks.last(chunk), one, volumes);
  }
};

template <class ExecutionSpace, MeshReal Real, MeshIndex Index, ElementType known>
struct FindWorstInChunks {
  using value_type = double;
  ChunksOfElements<ExecutionSpace, Real, Index, known> chunks;
  FindWorst one;
  WeightedPoint* barycentres; ///< of the elements where they are, which are written once more

  KOKKOS_FUNCTION void init(double& worst) const { one.init(worst); }
  KOKKOS_FUNCTION void join(double& worst, const double& other) const { one.join(worst, other); }

  KOKKOS_FUNCTION void operator()(std::int64_t chunk, double& worst) const {
    const std::int64_t first = chunks.first(chunk);
    std::int64_t numBetter = 0;
    if constexpr (mayTakeSeveral<ExecutionSpace, known>) {
      numBetter = chunks.numAtOnce(chunk);
      if (worst > 0.0 && numBetter > 0) {
        const std::int64_t numAfter = chunks.mesh.elements.numElements - (first + numBetter);
        const bool areBetter = chunks.instructions->check({chunks.listsOf(chunk), numBetter, one.vertices, one.vertices,
          one.signs[known], worst, barycentres + first, numAfter});
        numBetter = areBetter ? numBetter : 0; // else all are looked at closely
      }
    }
    chunks.oneByOne(first + numBetter, chunks.last(chunk), one, worst);
  }
};

template <class ExecutionSpace, MeshReal Real, MeshIndex Index, ElementType known>
struct CheckChunks {
  ChunksOfElements<ExecutionSpace, Real, Index, known> chunks;
  CheckElements one;

  KOKKOS_FUNCTION void operator()(std::int64_t chunk, std::int64_t& numRefusing) const {
    const std::int64_t first = chunks.first(chunk);
    std::int64_t numRight = 0;
    if constexpr (mayTakeSeveral<ExecutionSpace, known>) {
      numRight = chunks.numAtOnce(chunk);
      if (numRight > 0) {
        const std::int64_t numAfter = chunks.mesh.elements.numElements - (first + numRight);
        const bool areRight = chunks.instructions->check({chunks.listsOf(chunk), numRight, one.before, one.after,
          one.signs[known], one.minQuality, one.barycentres + first, numAfter});
        numRight = areRight ? numRight : 0; // else all are looked at closely
        std::fill_n(one.refuses + first, numRight, std::uint8_t{0});
      }
    }
    chunks.oneByOne(first + numRight, chunks.last(chunk), one, numRefusing);
  }
};

template <class ExecutionSpace, MeshReal Real, MeshIndex Index, ElementType known>
struct MoveChunks {
  using value_type = double;
  MeshView<Real, Index> mesh;
  const detail::SmoothInstructions<Index>* instructions; ///< null: none
  MoveVertices<Real> one;

  KOKKOS_FUNCTION void init(double& longest) const { one.init(longest); }
  KOKKOS_FUNCTION void join(double& longest, const double& other) const { one.join(longest, other); }

  KOKKOS_FUNCTION void operator()(std::int64_t chunk) const {
    double longest = 0.0;
    (*this)(chunk, longest);
  }

  KOKKOS_FUNCTION void operator()(std::int64_t chunk, double& longest) const {
    const detail::VertexMove& move = one.move;
    const std::int64_t begin = chunk * chunkSize<ExecutionSpace>;
    const std::int64_t end = Kokkos::min(begin + chunkSize<ExecutionSpace>, move.ball.numVertices);
    if constexpr (runsOnHost<ExecutionSpace>) {
      if (instructions != nullptr) {
        const auto moveThem = std::same_as<Real, float> ? instructions->moveFloats : instructions->move;
        join(longest, moveThem(move, begin, end));
        return;
      }
    }
    for (std::int64_t v = begin; v < end; ++v) {
      one(VertexIn<Real, Index, known>(mesh, move.ball, v), longest);
    }
  }
};

/// The kernels of smoothing over a mesh.
template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
class Smoothing {
public:
  Smoothing(const ExecutionSpace& space, const MeshView<Real, Index>& mesh, const BallView& ball)
    : space_(space), mesh_(mesh), ball_(ball) {
    detail::checkBall(mesh, ball);
    if constexpr (runsOnHost<ExecutionSpace>) {
      const bool isOfOneType = mesh.elements.types == nullptr && mesh.elements.offsets == nullptr;
      instructions_ = isOfOneType ? detail::smoothInstructions<Index>(mesh.elements.type) : nullptr;
    }
  }

  void weigh(const WeighElements& functor, OfSolids& volumes) const {
    overElements(SPANWISE_KERNEL("weigh elements"), volumes, [&]<ElementType known>() {
      return WeighChunks<ExecutionSpace, Real, Index, known>{{mesh_, instructions_}, functor};
    });
  }

  /// The least quality, or any below 0 where one is; writes barycentres.
  [[nodiscard]] double findWorst(const FindWorst& functor, WeightedPoint* barycentres) const {
    double worst = 1.0;
    overElements(SPANWISE_KERNEL("find worst"), worst, [&]<ElementType known>() {
      return FindWorstInChunks<ExecutionSpace, Real, Index, known>{{mesh_, instructions_}, functor, barycentres};
    });
    return worst;
  }

  /// Writes barycentres and what refuses; returns how many do.
  [[nodiscard]] std::int64_t check(const CheckElements& functor) const {
    std::int64_t numRefusing = 0;
    overElements(SPANWISE_KERNEL("check elements"), numRefusing, [&]<ElementType known>() {
      return CheckChunks<ExecutionSpace, Real, Index, known>{{mesh_, instructions_}, functor};
    });
    return numRefusing;
  }

  /// Returns the longest step, squared, or 0 where it is not `wanted`: devices need not wait then.
  [[nodiscard]] double move(const MoveVertices<Real>& functor, bool wanted) const {
    const char* const label = SPANWISE_KERNEL("move vertices");
    const Work work = detail::workOnMesh(mesh_.vertices.numVertices);
    double longest2 = 0.0;
    detail::withElementType<anyElementType>(mesh_.elements, [&]<ElementType known>() {
      const UnevenRange<ExecutionSpace> chunks(space_, 0, numChunksOf<ExecutionSpace>(mesh_.vertices.numVertices));
      const MoveChunks<ExecutionSpace, Real, Index, known> moveChunks{mesh_, instructions_, functor};
      if (wanted) {
        reduce(label, chunks, moveChunks, longest2, work);
      } else {
        forEach(label, chunks, moveChunks, work);
      }
    });
    return longest2;
  }

  [[nodiscard]] std::int64_t takeBack(const TakeBack& functor) const {
    std::int64_t count = 0;
    reduceAtVertices(space_, mesh_, ball_, functor, count, SPANWISE_KERNEL("take back"));
    return count;
  }

private:
  template <class Value, class Make>
  void overElements(const char* label, Value& value, const Make& make) const {
    const std::int64_t count = mesh_.elements.numElements;
    detail::withElementType<anyElementType>(mesh_.elements, [&]<ElementType known>() {
      reduce(label, IndexRange<ExecutionSpace>(space_, 0, numChunksOf<ExecutionSpace>(count)),
        make.template operator()<known>(), value, detail::workOnMesh(count));
    });
  }

  ExecutionSpace space_;
  MeshView<Real, Index> mesh_;
  BallView ball_;
  const detail::SmoothInstructions<Index>* instructions_ = nullptr;
};

void checkOptions(const SmoothOptions& options) {
  if (options.numIterations < 0) {
    throw InvalidArgument(
      "smoothing in " + std::to_string(options.numIterations) + " iterations: their number must not be negative");
  }
  if (!(options.relaxation > 0.0 && options.relaxation <= 1.0)) {
    throw InvalidArgument(
      "smoothing with the relaxation " + numberText(options.relaxation) + ": it must be above 0 and at most 1");
  }
  if (!(options.minQuality >= 0.0 && options.minQuality <= 1.0)) {
    throw InvalidArgument(
      "smoothing with the least quality " + numberText(options.minQuality) + ": it must be within 0 and 1");
  }
}

void checkLength(const char* what, std::size_t length, std::int64_t needed) {
  if (length != static_cast<std::size_t>(needed)) {
    throw InvalidArgument("smoothing: an array of " + std::to_string(length) + " " + what +
      " was given, and there are to be " + std::to_string(needed));
  }
}

/// The sums of a rank's elements around shared vertices.
struct SumAtShared {
  BallView ball;
  const std::int32_t* vertices;
  const WeightedPoint* barycentres;
  WeightedPoint* sums; ///< [vertices of the mesh]

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const std::int32_t v = vertices[i];
    WeightedPoint sum{0.0, 0.0, 0.0, 0.0};
    for (int k = 0; k < ball.degrees[v]; ++k) {
      sum = sum + barycentres[BallView::element(ball(v, k))];
    }
    sums[v] = sum;
  }
};

struct AddSums {
  KOKKOS_FUNCTION WeightedPoint operator()(const WeightedPoint& a, const WeightedPoint& b) const { return a + b; }
};

struct TakeFirst {
  KOKKOS_FUNCTION WeightedPoint operator()(const WeightedPoint& a, const WeightedPoint& /*b*/) const { return a; }
};

struct AnyMark {
  KOKKOS_FUNCTION std::uint8_t operator()(std::uint8_t a, std::uint8_t b) const { return a | b; }
};

/// Moves shared vertices, where the sums of all ranks stand; reduces to the longest step, squared.
template <MeshReal Real>
struct MoveShared {
  using value_type = double;
  const std::int32_t* vertices;
  const std::uint8_t* held;
  const WeightedPoint* before;
  double relaxation;
  WeightedPoint* after;

  KOKKOS_FUNCTION void init(double& longest) const { longest = 0.0; }
  KOKKOS_FUNCTION void join(double& longest, const double& other) const { longest = Kokkos::max(longest, other); }
  KOKKOS_FUNCTION void operator()(std::int64_t i, double& longest) const {
    const std::int32_t v = vertices[i];
    const Point start = before[v].point();
    after[v] = WeightedPoint::of(held[v] != 0 ? start : moved<Real>(start, after[v], relaxation, longest), 0.0);
  }
};

struct MarkRefused {
  BallView ball;
  const std::int32_t* vertices;
  const std::uint8_t* refuses;
  std::uint8_t* marks;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const std::int32_t v = vertices[i];
    bool isRefused = false;
    for (int k = 0; k < ball.degrees[v]; ++k) {
      isRefused = isRefused || refuses[BallView::element(ball(v, k))] != 0;
    }
    marks[v] = static_cast<std::uint8_t>(isRefused);
  }
};

/// Of vertices that have moved and are refused, how many there are; takes their steps back if asked.
struct Refused {
  const std::int32_t* vertices;
  const std::uint8_t* marks;
  const WeightedPoint* before;
  WeightedPoint* after;
  bool takesBack;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const {
    const std::int32_t v = vertices[i];
    const WeightedPoint old = before[v];
    const WeightedPoint now = after[v];
    count += marks[v] != 0 && (now.x != old.x || now.y != old.y || now.z != old.z) ? 1 : 0;
    if (marks[v] != 0 && takesBack) {
      after[v] = old;
    }
  }
};

struct MarkVertices {
  const std::int32_t* vertices;
  std::uint8_t* marks;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const { marks[vertices[i]] = 1; }
};

struct CopyMarks {
  const std::uint8_t* from; ///< null: none
  std::uint8_t* to;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const { to[v] = from != nullptr ? from[v] : std::uint8_t{0}; }
};

/// The vertices that other ranks have too, which are moved by themselves. There may be none.
template <class ExecutionSpace>
class SharedMoves {
public:
  SharedMoves(const ExecutionSpace& space, const HeldVertices<ExecutionSpace>& held)
    : space_(space), exchange_(held.exchange), held_(held.held.extent(0) != 0 ? held.held.data() : nullptr) {}

  /// Collective. Starts from the same places on all ranks. Returns what is held inside: held vertices and shared ones.
  template <class Frame>
  const std::uint8_t* begin(
    const Communicator& communicator, WeightedPoint* vertices, std::int64_t count, Frame& frame) {
    if (exchange_ == nullptr) {
      return held_;
    }
    std::uint8_t* held = nullptr;
    std::uint8_t* inside = nullptr;
    parallel::agree(communicator, [&] {
      held = frame.template array<std::uint8_t>(count).data();
      inside = frame.template array<std::uint8_t>(count).data();
      refused_ = frame.template array<std::uint8_t>(count).data();
    });
    exchange_->join(space_, VertexValues<WeightedPoint>{vertices}, TakeFirst());
    const IndexRange<ExecutionSpace> all(space_, 0, count);
    forEach(SPANWISE_KERNEL("copy marks"), all, CopyMarks{held_, held});
    exchange_->join(space_, VertexValues<std::uint8_t>{held}, AnyMark());
    held_ = held;
    forEach(SPANWISE_KERNEL("copy marks"), all, CopyMarks{held_, inside});
    forEach(SPANWISE_KERNEL("mark shared"), overShared(), MarkVertices{exchange_->vertices().data(), inside});
    return inside;
  }

  /// Collective. Returns the square of the longest step.
  template <MeshReal Real>
  [[nodiscard]] double move(const detail::VertexMove& move) {
    double longest2 = 0.0;
    if (exchange_ != nullptr) {
      const std::int32_t* const vertices = exchange_->vertices().data();
      forEach(
        SPANWISE_KERNEL("sum at shared"), overShared(), SumAtShared{move.ball, vertices, move.barycentres, move.to});
      exchange_->join(space_, VertexValues<WeightedPoint>{move.to}, AddSums());
      reduce(SPANWISE_KERNEL("move shared"), overShared(),
        MoveShared<Real>{vertices, held_, move.from, move.relaxation, move.to}, longest2);
    }
    return longest2;
  }

  /// Collective. Returns how many steps were taken back, each counted by the first rank that has the vertex.
  [[nodiscard]] std::int64_t takeBack(const TakeBack& takeBack, const BallView& ball) {
    if (exchange_ == nullptr) {
      return 0;
    }
    const auto& elsewhere = exchange_->elsewhere();
    forEach(SPANWISE_KERNEL("mark refused"), overShared(),
      MarkRefused{ball, exchange_->vertices().data(), takeBack.refuses, refused_});
    exchange_->join(space_, VertexValues<std::uint8_t>{refused_}, AnyMark());
    std::int64_t numElsewhere = 0;
    std::int64_t count = 0;
    reduce(SPANWISE_KERNEL("count refused"), IndexRange<ExecutionSpace>(space_, 0, elsewhere.extent(0)),
      Refused{elsewhere.data(), refused_, takeBack.before, takeBack.after, false}, numElsewhere);
    reduce(SPANWISE_KERNEL("take back"), overShared(),
      Refused{exchange_->vertices().data(), refused_, takeBack.before, takeBack.after, true}, count);
    return count - numElsewhere;
  }

private:
  [[nodiscard]] IndexRange<ExecutionSpace> overShared() const {
    return IndexRange<ExecutionSpace>(space_, 0, exchange_->vertices().extent(0));
  }

  const ExecutionSpace& space_;
  SharedExchange<ExecutionSpace>* exchange_;
  const std::uint8_t* held_; ///< null: none
  std::uint8_t* refused_ = nullptr;
};

void checkAlike(const Communicator& communicator, const SmoothOptions& options) {
  const std::int64_t words[4] = {options.numIterations, std::bit_cast<std::int64_t>(options.relaxation),
    std::bit_cast<std::int64_t>(options.minQuality), static_cast<std::int64_t>(options.worst)};
  if (!parallel::areAlike(communicator, words)) {
    throw InvalidArgument("ranks smooth with other options than each other: all must have the same");
  }
}

} // namespace

template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
SmoothReport smoothVertices(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh,
  const BallView& ball, const SmoothOptions& options, const HeldVertices<ExecutionSpace>& held,
  const Kokkos::View<Real*, typename ExecutionSpace::memory_space>& coordinates) {
  SPANWISE_REGION("Mesh::smoothVertices");
  const ExecutionSpace& space = context.space();
  const Communicator& communicator = context.communicator();
  const std::int64_t numVertices = mesh.vertices.numVertices;
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  WeightedPoint* barycentres = nullptr;
  std::uint8_t* refuses = nullptr;
  WeightedPoint* before = nullptr;
  WeightedPoint* after = nullptr;
  std::optional<Smoothing<ExecutionSpace, Real, Index>> made;
  checkAlike(communicator, options);
  parallel::agree(communicator, [&] {
    checkOptions(options);
    checkLength("coordinates", coordinates.extent(0), 3 * numVertices);
    if (held.held.extent(0) != 0) {
      checkLength("marks of held vertices", held.held.extent(0), numVertices);
    }
    barycentres = frame.template array<WeightedPoint>(mesh.elements.numElements).data();
    refuses = frame.template array<std::uint8_t>(mesh.elements.numElements).data();
    before = frame.template array<WeightedPoint>(numVertices).data();
    after = frame.template array<WeightedPoint>(numVertices).data();
    made.emplace(space, mesh, ball);
  });
  const Smoothing<ExecutionSpace, Real, Index>& smoothing = *made; // NOLINT(bugprone-unchecked-optional-access)
  const IndexRange<ExecutionSpace> allVertices(space, 0, numVertices);
  forEach(SPANWISE_KERNEL("read vertices"), allVertices, ReadVertices<Real>{mesh.vertices, before});
  SharedMoves<ExecutionSpace> shared(space, held);
  const std::uint8_t* const heldInside = shared.begin(communicator, before, numVertices, frame);
  OfSolids signs;
  smoothing.weigh({before, barycentres}, signs);
  communicator.reduce(ReduceBy::Sum, std::span<double>(signs.of));
  for (double& sign : signs.of) {
    sign = sign < 0.0 ? -1.0 : 1.0;
  }
  double minQuality = options.minQuality;
  if (options.worst == WorstElement::IsKept) {
    minQuality =
      std::max(minQuality, communicator.reduced(ReduceBy::Minimum, smoothing.findWorst({before, signs}, barycentres)));
  }
  SmoothReport report;
  double longest2 = 0.0;
  for (int iteration = 0; iteration < options.numIterations; ++iteration) {
    const detail::VertexMove move{ball, barycentres, before, after, heldInside, options.relaxation};
    longest2 = smoothing.move({move}, iteration + 1 == options.numIterations);
    longest2 = std::max(longest2, shared.template move<Real>(move));
    const CheckElements check{before, after, signs, minQuality, barycentres, refuses};
    // Each time a vertex at least stays where it was.
    while (communicator.reduced(ReduceBy::Sum, smoothing.check(check)) > 0) {
      const TakeBack takeBack{refuses, before, after};
      report.numRefused += shared.takeBack(takeBack, ball);
      report.numRefused += smoothing.takeBack(takeBack);
    }
    std::swap(before, after);
    parallel::agree(
      communicator, [&] { context.progress().report(static_cast<double>(iteration + 1) / options.numIterations); });
  }
  forEach(SPANWISE_KERNEL("write vertices"), allVertices, WriteVertices<Real>{before, coordinates.data()});
  report.numRefused = communicator.reduced(ReduceBy::Sum, report.numRefused);
  report.longestStep = std::sqrt(communicator.reduced(ReduceBy::Maximum, longest2));
  return report;
}

#define SPANWISE_SMOOTH_VERTICES_OF(Real, Index, Space)                                                                \
  template SmoothReport smoothVertices<Space, Real, Index>(const Context<Space>&, const MeshView<Real, Index>&,        \
    const BallView&, const SmoothOptions&, const HeldVertices<Space>&,                                                 \
    const Kokkos::View<Real*, Space::memory_space>&);
#define SPANWISE_SMOOTH_VERTICES(Space) SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_SMOOTH_VERTICES_OF, Space)
SPANWISE_FOR_EACH_SPACE(SPANWISE_SMOOTH_VERTICES)

} // namespace spanwise
