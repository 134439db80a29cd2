#include "Core/Mesh/Kernels.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Mesh/Meshes.hpp"
#include "Testing/Core/MessageOf.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <string>

namespace spanwise::testing {
namespace {

template <class Space>
class MeshKernels : public ::testing::Test {};
TYPED_TEST_SUITE(MeshKernels, AllSpaces, SpaceNames);

template <class Space>
using Values = Kokkos::View<double*, typename Space::memory_space>;

template <class Space>
std::vector<double> toHost(const Values<Space>& values) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
  return {host.data(), host.data() + host.extent(0)};
}

/// Direct: something that depends on the order of an element's vertices.
template <class Space>
struct WriteElement {
  Values<Space> out;
  template <class Element>
  KOKKOS_FUNCTION void operator()(const Element& element) const {
    double sum = static_cast<double>(element.type());
    for (int k = 0; k < element.numVertices(); ++k) {
      sum += (k + 1) * (static_cast<double>(element.vertex(k)) + element.point(k)[0]);
    }
    out(element.number()) = sum;
  }
};

/// Indirect, first half: a value for each corner.
template <class Space>
struct Scatter {
  Values<Space> slots;
  template <class Element>
  KOKKOS_FUNCTION void operator()(const Element& element) const {
    for (int k = 0; k < element.numVertices(); ++k) {
      slots(element.corner(k)) = 1.0 / (1.0 + static_cast<double>(element.number()) + 0.125 * k);
    }
  }
};

/// Second half: sums, whose last bits depend on their order. What is added has the same bits wherever it is computed:
/// sums of exact numbers, rounded once.
template <class Space>
struct Gather {
  Values<Space> slots;
  Values<Space> out;
  template <class Vertex>
  KOKKOS_FUNCTION void operator()(const Vertex& vertex) const {
    double sum = 0.0;
    vertex.forEachCorner([&sum, this](const Corner& corner) { sum += slots(corner.slot); });
    out(vertex.number()) = sum;
  }
};

/// The same from the elements, without slots, entry by entry.
template <class Space>
struct GatherFromElements {
  Values<Space> out;
  template <class Vertex>
  KOKKOS_FUNCTION void operator()(const Vertex& vertex) const {
    double sum = 0.0;
    for (int k = 0; k < vertex.degree(); ++k) {
      const Corner corner = vertex.corner(k);
      const auto element = vertex.element(corner.element);
      sum += element.vertex(corner.local) == vertex.number()
        ? 1.0 / (1.0 + static_cast<double>(element.number()) + 0.125 * corner.local)
        : 1e9;
    }
    out(vertex.number()) = sum;
  }
};

/// Two by two: of whole numbers, which have one sum in any order.
template <class Space>
struct SumSlots {
  Values<Space> out;
  template <class Vertex>
  KOKKOS_FUNCTION void operator()(const Vertex& vertex) const {
    out(vertex.number()) =
      vertex.sumOverCorners([](const Corner& corner) { return static_cast<double>(corner.slot + 1); });
  }
};

struct CountCorners {
  template <class Element>
  KOKKOS_FUNCTION void operator()(const Element& element, std::int64_t& count) const {
    count += element.numVertices();
  }
};

struct SumDegrees {
  template <class Vertex>
  KOKKOS_FUNCTION void operator()(const Vertex& vertex, std::int64_t& count) const {
    count += vertex.degree();
  }
};

struct LargestVertex {
  using value_type = std::int64_t;
  KOKKOS_FUNCTION void init(std::int64_t& value) const { value = -1; }
  KOKKOS_FUNCTION void join(std::int64_t& value, const std::int64_t& other) const { value = Kokkos::max(value, other); }
  template <class Element>
  KOKKOS_FUNCTION void operator()(const Element& element, std::int64_t& value) const {
    for (int k = 0; k < element.numVertices(); ++k) {
      value = Kokkos::max(value, element.vertex(k));
    }
  }
};

/// A functor for triangles alone need not be a template.
template <class Space>
struct FirstOfTriangle {
  Values<Space> out;
  KOKKOS_FUNCTION void operator()(const ElementIn<double, std::int64_t, ElementType::Triangle>& element) const {
    out(element.number()) = static_cast<double>(element.vertex(0));
  }
};

/// A mesh on a space, and what the kernels above make of it.
template <class Space>
struct Results {
  std::vector<double> direct;
  std::vector<double> gathered;
  std::vector<double> gatheredFromElements;
  std::vector<double> slotSums;

  Results(const Space& space, const MeshView<double, std::int64_t>& mesh, std::int64_t numCorners, int width) {
    VertexBall<typename Space::memory_space> ball;
    const Context context(space);
    buildVertexBall(context, mesh.elements, mesh.vertices.numVertices, width, ball);
    const Values<Space> ofElements("of elements", static_cast<std::size_t>(mesh.elements.numElements));
    const Values<Space> slots("slots", static_cast<std::size_t>(numCorners));
    const Values<Space> ofVertices("of vertices", static_cast<std::size_t>(mesh.vertices.numVertices));
    forEachElement(space, mesh, WriteElement<Space>{ofElements});
    forEachElement(space, mesh, Scatter<Space>{slots});
    gatherAtVertices(space, mesh, ball.view(), Gather<Space>{slots, ofVertices});
    space.fence("gathered");
    direct = toHost<Space>(ofElements);
    gathered = toHost<Space>(ofVertices);
    gatherAtVertices(space, mesh, ball.view(), GatherFromElements<Space>{ofVertices});
    space.fence("gathered again");
    gatheredFromElements = toHost<Space>(ofVertices);
    gatherAtVertices(space, mesh, ball.view(), SumSlots<Space>{ofVertices});
    space.fence("gathered slots");
    slotSums = toHost<Space>(ofVertices);
  }
};

template <class Space>
void expectReference(const HostMesh& mesh, const MeshView<double, std::int64_t>& view, int width) {
  const Results<Space> results(Space(), view, static_cast<std::int64_t>(mesh.vertices.size()), width);
  std::vector<double> gathered(mesh.points.size());
  std::vector<double> slotSums(mesh.points.size());
  for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
    double sum = static_cast<double>(mesh.types[e]);
    for (int k = 0; k < numVerticesOf(mesh.types[e]); ++k) {
      const auto v = static_cast<std::size_t>(mesh.vertices[mesh.offsets[e] + k]);
      sum += (k + 1) * (static_cast<double>(v) + mesh.points[v][0]);
      gathered[v] += 1.0 / (1.0 + static_cast<double>(e) + 0.125 * k);
      slotSums[v] += static_cast<double>(mesh.offsets[e] + k + 1);
    }
    EXPECT_DOUBLE_EQ(results.direct[e], sum) << "element " << e;
  }
  for (std::size_t v = 0; v < gathered.size(); ++v) {
    EXPECT_DOUBLE_EQ(results.gathered[v], gathered[v]) << "vertex " << v;
  }
  EXPECT_EQ(results.gathered, results.gatheredFromElements);
  EXPECT_EQ(results.slotSums, slotSums);
}

TYPED_TEST(MeshKernels, GiveWhatALoopOverElementsGives) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const int width : {1, 8, 64}) {
    const HostMesh mesh = tangledMesh(random, 200, 1500);
    const MeshOn<TypeParam, double, std::int64_t> on(mesh);
    expectReference<TypeParam>(mesh, on.mixed(), width);
  }
}

TYPED_TEST(MeshKernels, AreTheSameForEachTypeAlone) {
  for (const ElementType type : allElementTypes) {
    SCOPED_TRACE(elementTypeName(type));
    const HostMesh mesh = gridMesh(type, 3);
    const MeshOn<TypeParam, double, std::int64_t> on(mesh);
    expectReference<TypeParam>(mesh, on.ofOneType(), 0);
    expectReference<TypeParam>(mesh, on.mixed(), 0);
  }
}

TYPED_TEST(MeshKernels, HaveTheSameBitsForAnyNumberOfThreads) {
  shareLittleWork();
  const HostMesh mesh = gridMesh(ElementType::Tetrahedron, 9);
  const MeshOn<TypeParam, double, std::int64_t> on(mesh);
  const auto numCorners = static_cast<std::int64_t>(mesh.vertices.size());
  const Results<TypeParam> all(TypeParam(), on.ofOneType(), numCorners, 8);
  const Results<TypeParam> one(oneThread<TypeParam>(), on.ofOneType(), numCorners, 8);
  EXPECT_EQ(all.direct, one.direct);
  EXPECT_EQ(all.gathered, one.gathered);
}

TYPED_TEST(MeshKernels, ReduceOverElementsAndVertices) {
  const TypeParam space;
  for (const ElementType type : allElementTypes) {
    const HostMesh mesh = gridMesh(type, 8);
    const MeshOn<TypeParam, double, std::int64_t> on(mesh);
    VertexBall<typename TypeParam::memory_space> ball;
    const Context context(space);
    buildVertexBall(context, on.ofOneType().elements, mesh.numVertices(), 0, ball);
    const auto numCorners = static_cast<std::int64_t>(mesh.vertices.size());
    std::int64_t count = 0;
    reduceElements(space, on.mixed(), CountCorners(), count);
    EXPECT_EQ(count, numCorners);
    reduceElements(space, on.ofOneType(), CountCorners(), count);
    EXPECT_EQ(count, numCorners);
    reduceAtVertices(space, on.ofOneType(), ball.view(), SumDegrees(), count);
    EXPECT_EQ(count, numCorners);
    reduceElements(space, on.ofOneType(), LargestVertex(), count);
    EXPECT_EQ(count, mesh.numVertices() - 1);
  }
}

TYPED_TEST(MeshKernels, MayBeForOneTypeOfElements) {
  const TypeParam space;
  const HostMesh triangles = gridMesh(ElementType::Triangle, 4);
  const MeshOn<TypeParam, double, std::int64_t> on(triangles);
  const Values<TypeParam> out("out", triangles.types.size());
  forEachElement<ElementType::Triangle>(space, on.ofOneType(), FirstOfTriangle<TypeParam>{out});
  space.fence("done");
  const std::vector<double> first = toHost<TypeParam>(out);
  for (std::size_t e = 0; e < first.size(); ++e) {
    EXPECT_EQ(first[e], static_cast<double>(triangles.vertices[3 * e]));
  }
  const auto message = [&](const MeshView<double, std::int64_t>& mesh) {
    return messageOf([&] { forEachElement<ElementType::Triangle>(space, mesh, FirstOfTriangle<TypeParam>{out}); });
  };
  EXPECT_EQ(message(on.mixed()), "a kernel for elements of the type 'triangle' was given a mesh of several types");
  const MeshOn<TypeParam, double, std::int64_t> quadrilaterals(gridMesh(ElementType::Quadrilateral, 4));
  EXPECT_EQ(message(quadrilaterals.ofOneType()),
    "a kernel for elements of the type 'triangle' was given a mesh of the type 'quadrilateral'");
}

TYPED_TEST(MeshKernels, TakeTheBallOfTheirMeshOnly) {
  const TypeParam space;
  const HostMesh mesh = gridMesh(ElementType::Triangle, 4);
  const MeshOn<TypeParam, double, std::int64_t> on(mesh);
  std::int64_t count = 0;
  BallView ball;
  ball.numVertices = 7;
  const std::string expected = "a vertex ball of 7 vertices and a mesh of 25: the ball must be that of the mesh";
  EXPECT_EQ(messageOf([&] { reduceAtVertices(space, on.ofOneType(), ball, SumDegrees(), count); }), expected);
  EXPECT_EQ(
    messageOf([&] { gatherAtVertices(space, on.ofOneType(), ball, GatherFromElements<TypeParam>{}); }), expected);
  auto unknown = on.ofOneType();
  unknown.elements.type = ElementType{1};
  EXPECT_THROW(forEachElement(space, unknown, WriteElement<TypeParam>{}), InvalidArgument);
}

} // namespace
} // namespace spanwise::testing
