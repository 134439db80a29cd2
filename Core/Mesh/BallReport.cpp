#include "Core/Mesh/BallReport.hpp"

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"

namespace spanwise {

namespace {

constexpr ElementType allTypes[] = {ElementType::Edge, ElementType::Triangle, ElementType::Quadrilateral,
  ElementType::Tetrahedron, ElementType::Hexahedron, ElementType::Prism, ElementType::Pyramid};

struct CountType {
  const ElementType* types;
  ElementType type;
  KOKKOS_FUNCTION void operator()(std::int64_t e, std::int64_t& sum) const { sum += types[e] == type ? 1 : 0; }
};

/// A number that is no ElementType: such elements have no vertices.
constexpr auto noType = static_cast<ElementType>(0);

/// Leaves only elements of one type.
struct KeepType {
  const ElementType* types;
  ElementType type;
  ElementType* kept;
  KOKKOS_FUNCTION void operator()(std::int64_t e) const { kept[e] = types[e] == type ? type : noType; }
};

struct Degrees {
  std::int64_t numTouched = 0;
  std::int32_t largest = 0;
};

struct FindDegrees {
  using value_type = Degrees;
  const std::int32_t* degrees;

  KOKKOS_FUNCTION void init(Degrees& found) const { found = {}; }
  KOKKOS_FUNCTION void join(Degrees& found, const Degrees& other) const {
    found.numTouched += other.numTouched;
    found.largest = Kokkos::max(found.largest, other.largest);
  }
  KOKKOS_FUNCTION void operator()(std::int64_t v, Degrees& found) const {
    found.numTouched += degrees[v] > 0 ? 1 : 0;
    found.largest = Kokkos::max(found.largest, degrees[v]);
  }
};

template <class ExecutionSpace, class Index>
BallReportLine lineOf(const Context<ExecutionSpace>& context, const ElementView<Index>& elements,
  std::int64_t numVertices, int width, VertexBall<typename ExecutionSpace::memory_space>& ball) {
  buildVertexBall(context, elements, numVertices, width, ball);
  Degrees degrees;
  reduce(SPANWISE_KERNEL("find degrees"), IndexRange<ExecutionSpace>(context.space(), 0, numVertices),
    FindDegrees{ball.view().degrees}, degrees);
  BallReportLine line;
  line.numVertices = degrees.numTouched;
  line.largestDegree = degrees.largest;
  line.width = ball.width();
  line.occupancy = ball.occupancy();
  line.occupancy.numEmptySlots = degrees.numTouched * line.width - line.occupancy.numInBase;
  line.bytes = ball.bytes();
  return line;
}

} // namespace

template <class ExecutionSpace, MeshIndex Index>
std::vector<BallReportLine> reportBalls(
  const Context<ExecutionSpace>& context, const ElementView<Index>& elements, std::int64_t numVertices, int width) {
  SPANWISE_REGION("Mesh::reportBalls");
  using Memory = typename ExecutionSpace::memory_space;
  std::vector<BallReportLine> lines;
  if (elements.types == nullptr) {
    if (elements.numElements > 0) {
      VertexBall<Memory> ball;
      lines.push_back(lineOf(context, elements, numVertices, width, ball));
      lines.back().type = elements.type;
      lines.back().numElements = elements.numElements;
    }
    return lines;
  }
  typename Workspace<Memory>::Frame frame(context.workspace());
  const auto kept = frame.template array<ElementType>(elements.numElements);
  const IndexRange<ExecutionSpace> overElements(context.space(), 0, elements.numElements);
  std::int64_t numElements = 0;
  for (const ElementType type : allTypes) {
    std::int64_t count = 0;
    reduce(SPANWISE_KERNEL("count type"), overElements, CountType{elements.types, type}, count);
    if (count == 0) {
      continue;
    }
    numElements += count;
    forEach(SPANWISE_KERNEL("keep type"), overElements, KeepType{elements.types, type, kept.data()});
    ElementView<Index> some = elements;
    some.types = kept.data();
    VertexBall<Memory> ball; // of its own: its bytes are told
    lines.push_back(lineOf(context, some, numVertices, width == 0 ? ballWidth(type) : width, ball));
    lines.back().type = type;
    lines.back().numElements = count;
  }
  if (lines.size() > 1) {
    VertexBall<Memory> ball;
    lines.push_back(lineOf(context, elements, numVertices, width, ball));
    lines.back().numElements = numElements;
  }
  return lines;
}

#define SPANWISE_BALL_REPORT(Space)                                                                                    \
  template std::vector<BallReportLine> reportBalls<Space, std::int32_t>(                                               \
    const Context<Space>&, const ElementView<std::int32_t>&, std::int64_t, int);                                       \
  template std::vector<BallReportLine> reportBalls<Space, std::int64_t>(                                               \
    const Context<Space>&, const ElementView<std::int64_t>&, std::int64_t, int);
SPANWISE_FOR_EACH_SPACE(SPANWISE_BALL_REPORT)

} // namespace spanwise
