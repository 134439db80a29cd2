// A repeated operation allocates nothing: neither Kokkos memory nor, on the host, from malloc or operator new.

#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/Reductions.hpp"
#include "Core/Field/Remap.hpp"
#include "Core/Field/Stencils.hpp"
#include "Core/Field/Threshold.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Ball.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Builders/Cells.hpp"
#include "Core/Geometry/Builders/Mask.hpp"
#include "Core/Geometry/ComponentMeasures.hpp"
#include "Core/Geometry/Components.hpp"
#include "Core/Geometry/Crop.hpp"
#include "Core/Geometry/EulerNumber.hpp"
#include "Core/Geometry/EvaluateSetExpression.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Geometry/Morphology.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Geometry/Translate.hpp"
#include "Core/Runtime/Runtime.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"

#include <atomic>
#include <cstdlib>
#include <vector>

namespace {
std::atomic<long> mallocCalls{0};
std::atomic<bool> counting{false};
thread_local bool isCounted = false; // a device's driver has threads of its own

void count() {
  if (isCounted && counting.load(std::memory_order_relaxed)) {
    mallocCalls.fetch_add(1, std::memory_order_relaxed);
  }
}
} // namespace

// The whole process goes through these, libraries included; the sanitizers bring their own, which must not be replaced.
#ifndef __SANITIZE_ADDRESS__
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t number, std::size_t size);
void* __libc_realloc(void* pointer, std::size_t size);
void* malloc(std::size_t size) noexcept {
  count();
  return __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) noexcept {
  count();
  return __libc_calloc(number, size);
}
void* realloc(void* pointer, std::size_t size) noexcept {
  count();
  return __libc_realloc(pointer, size);
}
}
#endif

namespace spanwise::testing {
namespace {

std::size_t kokkosAllocations() {
  std::size_t sum = 0;
  for (const MemoryAccount& account : runtimeReport().memory) {
    sum += account.allocations;
  }
  return sum;
}

// A launch on a device may use the heap of the host. Kokkos's Threads space makes the label of a fence there after
// each.
template <class Space>
constexpr bool launchesUseTheHeap = !runsOnHost<Space>;
#ifdef KOKKOS_ENABLE_THREADS
template <>
constexpr bool launchesUseTheHeap<Kokkos::Threads> = true;
#endif

struct CountThread {
  void operator()(int) const { isCounted = true; }
};

/// Counts what this thread and those of the host's execution space allocate.
void countThreads() {
  using Host = Kokkos::DefaultHostExecutionSpace;
  isCounted = true;
  Kokkos::parallel_for("count threads", Kokkos::RangePolicy<Host>(0, 100 * Host().concurrency()), CountThread());
  Host().fence("count threads");
}

template <class Space, class Operation>
void expectNoAllocations(const Operation& operation) {
  countThreads();
  for (int warmUp = 0; warmUp < 3; ++warmUp) {
    operation();
  }
  const std::size_t before = kokkosAllocations();
  mallocCalls = 0;
  counting = true;
  for (int k = 0; k < 5; ++k) {
    operation();
  }
  counting = false;
  EXPECT_EQ(kokkosAllocations(), before);
  if (!launchesUseTheHeap<Space>) {
    EXPECT_EQ(mallocCalls.load(), 0);
  }
}

template <class Space>
class Allocations : public ::testing::Test {};
TYPED_TEST_SUITE(Allocations, AllSpaces, SpaceNames);

TYPED_TEST(Allocations, CounterSeesThem) {
#ifndef __SANITIZE_ADDRESS__
  countThreads();
  counting = true;
  auto* const volatile number = new int(1);
  delete number;
  counting = false;
  EXPECT_GT(mallocCalls.load(), 0);
#endif
}

TYPED_TEST(Allocations, NoneInRepeatedAlgebra) {
  const TypeParam space;
  Workspace<typename TypeParam::memory_space> workspace;
  IntervalSetOn<3, TypeParam> a;
  IntervalSetOn<3, TypeParam> b;
  makeBall<TypeParam, 3>(space, {{0.0, 0.0, 0.0}, 60.0}, a, workspace);
  makeBall<TypeParam, 3>(space, {{20.0, 1.0, 2.0}, 60.0}, b, workspace);
  IntervalSetOn<3, TypeParam> out;
  for (const SetOperation operation :
    {SetOperation::Union, SetOperation::Intersection, SetOperation::Difference, SetOperation::SymmetricDifference}) {
    expectNoAllocations<TypeParam>([&] { combine<TypeParam, 3>(space, operation, a, b, out, workspace); });
  }
  expectNoAllocations<TypeParam>(
    [&] { complement<TypeParam, 3>(space, a, {{-70, -70, -70}, {70, 70, 70}}, out, workspace); });
}

TYPED_TEST(Allocations, NoneInRepeatedAlgebraOfLists) {
  const TypeParam space;
  Workspace<typename TypeParam::memory_space> workspace;
  std::vector<IntervalSetOn<3, TypeParam>> balls(7);
  for (std::size_t k = 0; k < balls.size(); ++k) {
    makeBall<TypeParam, 3>(space, {{10.0 * static_cast<double>(k), 1.0, 2.0}, 40.0}, balls[k], workspace);
  }
  IntervalSetOn<3, TypeParam> out;
  for (const SetOperation operation :
    {SetOperation::Union, SetOperation::Intersection, SetOperation::Difference, SetOperation::SymmetricDifference}) {
    expectNoAllocations<TypeParam>([&] { combine<TypeParam, 3>(space, operation, balls, out, workspace); });
  }
}

TYPED_TEST(Allocations, NoneInRepeatedBuildersAndMeasures) {
  const TypeParam space;
  Workspace<typename TypeParam::memory_space> workspace;
  IntervalSetOn<2, TypeParam> box;
  IntervalSetOn<2, TypeParam> disk;
  IntervalSetOn<2, TypeParam> moved;
  expectNoAllocations<TypeParam>([&] { makeBox<TypeParam, 2>(space, {{0, 0}, {100, 1000}}, box); });
  expectNoAllocations<TypeParam>([&] { makeBall<TypeParam, 2>(space, {{0.0, 0.0}, 300.0}, disk, workspace); });
  expectNoAllocations<TypeParam>([&] { translate<TypeParam, 2>(space, disk, {{3, 4}}, moved); });
  expectNoAllocations<TypeParam>([&] { boundingBox<TypeParam, 2>(space, disk); });
  expectNoAllocations<TypeParam>([&] { equal<TypeParam, 2>(space, disk, moved); });
  IntervalSetOn<2, TypeParam> slab;
  expectNoAllocations<TypeParam>([&] { restrictRows<TypeParam, 2>(space, disk, {-20, 30}, slab); });
  expectNoAllocations<TypeParam>([&] { planesOf<TypeParam, 2>(space, disk); });
}

TYPED_TEST(Allocations, NoneInRepeatedBuildersFromArrays) {
  using Memory = typename TypeParam::memory_space;
  const TypeParam space;
  Workspace<Memory> workspace;
  constexpr std::int64_t length = 1000;
  const Box<2> box{{0, 0}, {length, length}};
  const Kokkos::View<unsigned char*, Memory> image("Testing::image", length * length);
  Kokkos::deep_copy(image, 7);
  const Kokkos::View<const unsigned char*, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>> values(
    image.data(), image.extent(0));
  const Kokkos::View<Cell<2>*, Memory> list("Testing::cells", length);
  const Kokkos::View<const Cell<2>*, Memory> cells = list;
  IntervalSetOn<2, TypeParam> out;
  expectNoAllocations<TypeParam>(
    [&] { makeFromMask<unsigned char, TypeParam, 2>(space, values, box, {1.0, 9.0}, out, workspace); });
  EXPECT_EQ(out.numCells(), length * length);
  expectNoAllocations<TypeParam>([&] { makeFromCells<TypeParam, 2>(space, cells, out, workspace); });
  EXPECT_EQ(out.numCells(), 1);
}

TYPED_TEST(Allocations, NoneInRepeatedMorphology) {
  using enum MorphologyOperation;
  const TypeParam space;
  Workspace<typename TypeParam::memory_space> workspace;
  IntervalSetOn<3, TypeParam> ball;
  makeBall<TypeParam, 3>(space, {{0.0, 0.0, 0.0}, 60.0}, ball, workspace);
  for (const MorphologyOperation operation : {Dilate, Erode, Open, Close, OuterGradient, InnerGradient}) {
    for (const auto& element : {StructuringElement<3>::box({{3, 1, 2}}), StructuringElement<3>::box({{1, 40, 0}}),
           StructuringElement<3>::diamond(5), StructuringElement<3>::ball(2.0)}) {
      IntervalSetOn<3, TypeParam> out;
      expectNoAllocations<TypeParam>([&] { morph<TypeParam, 3>(space, operation, ball, element, out, workspace); });
    }
  }
}

TYPED_TEST(Allocations, NoneInRepeatedMorphologyOfNoise) {
  using enum MorphologyOperation;
  const TypeParam space;
  Workspace<typename TypeParam::memory_space> workspace;
  const auto set = noiseOn<TypeParam, 3>(1);
  const auto element = StructuringElement<3>::box({{1, 1, 1}});
  for (const MorphologyOperation operation : {Dilate, Erode, Open, Close}) {
    IntervalSetOn<3, TypeParam> out;
    expectNoAllocations<TypeParam>([&] { morph<TypeParam, 3>(space, operation, set, element, out, workspace); });
  }
}

TYPED_TEST(Allocations, NoneInRepeatedSetExpressions) {
  const TypeParam space;
  Workspace<typename TypeParam::memory_space> workspace;
  std::vector<IntervalSetOn<3, TypeParam>> balls(3);
  for (std::size_t k = 0; k < balls.size(); ++k) {
    makeBall<TypeParam, 3>(space, {{10.0 * static_cast<double>(k), 1.0, 2.0}, 30.0}, balls[k], workspace);
  }
  SetExpressionEvaluator<TypeParam, 3> evaluator(SetExpression(
    "(A | B) & ~dilate(C, 2) ^ largest(erode(A, 1) - C) | translate(boundary(B), 1, 2, 3) - box(0, 9, 0, 9, 0, 9)",
    {"A", "B", "C"}));
  IntervalSetOn<3, TypeParam> out;
  expectNoAllocations<TypeParam>([&] { evaluator.evaluate(space, balls, out, workspace); });
  EXPECT_GT(out.numCells(), 1000);
}

TYPED_TEST(Allocations, NoneInRepeatedComponents) {
  const TypeParam space;
  Workspace<typename TypeParam::memory_space> workspace;
  IntervalSetOn<3, TypeParam> ball;
  makeBall<TypeParam, 3>(space, {{0.0, 0.0, 0.0}, 60.0}, ball, workspace);
  const ComponentNumbers<TypeParam> labels("Testing::labels", static_cast<std::size_t>(ball.numIntervals()));
  const ComponentNumbers<TypeParam> sizes("Testing::sizes", 1);
  IntervalSetOn<3, TypeParam> out;
  expectNoAllocations<TypeParam>(
    [&] { connectedComponents<TypeParam, 3>(space, Connectivity::Vertex, ball, labels, workspace); });
  expectNoAllocations<TypeParam>([&] {
    componentSizes<TypeParam, 3>(space, ball, labels, sizes);
    selectComponents<TypeParam, 3>(space, ball, labels, sizes, 1, ball.numCells(), out, workspace);
  });
  EXPECT_EQ(out.numCells(), ball.numCells());
  const ComponentMeasuresOn<TypeParam, 3> measures("Testing::measures", 1);
  const Periods<3> periods{{{-60, -60, -60}, {60, 60, 60}}, {true, true, false}};
  expectNoAllocations<TypeParam>([&] {
    connectedComponents<TypeParam, 3>(space, Connectivity::Vertex, ball, labels, workspace, periods);
    measureComponents<TypeParam, 3>(space, ball, labels, measures);
    largestComponent<TypeParam>(space, sizes);
    componentOf<TypeParam, 3>(space, ball, labels, {{0, 0, 0}});
    selectLabels<TypeParam, 3>(space, ball, labels, 0, 0, out, workspace);
  });
  expectNoAllocations<TypeParam>([&] { crop<TypeParam, 3>(space, ball, {{-9, -9, 0}, {50, 9, 9}}, out, workspace); });
  for (const Connectivity connectivity : {Connectivity::Face, Connectivity::Vertex}) {
    expectNoAllocations<TypeParam>([&] { eulerNumber<TypeParam, 3>(space, connectivity, ball, workspace); });
  }
}

// Two balls that overlap, and a field on the first.
template <class Space>
struct FieldOnBall {
  Space space;
  Workspace<typename Space::memory_space> workspace;
  IntervalSetOn<3, Space> ball;
  IntervalSetOn<3, Space> other;
  FieldOn<double, Space> x;
  FieldOn<double, Space> y;

  FieldOnBall() {
    makeBall<Space, 3>(space, {{0.0, 0.0, 0.0}, 40.0}, ball, workspace);
    makeBall<Space, 3>(space, {{20.0, 1.0, 2.0}, 40.0}, other, workspace);
    x = FieldOn<double, Space>("a name that is not short", ball.numCells());
    y.resize(ball.numCells());
    fill(space, x, 1.0);
    fill(space, y, 2.0);
  }
};

TYPED_TEST(Allocations, NoneInRepeatedArithmeticOfFields) {
  FieldOnBall<TypeParam> f;
  const TypeParam space;
  RegionOn<3, TypeParam> region(f.other);
  const auto within = [&] { return Within(region.in(space, f.ball, f.workspace)); };
  expectNoAllocations<TypeParam>([&] {
    fill(space, f.x, 3.0, within());
    scale(space, 0.5, f.x);
    axpy(space, 2.0, f.x, f.y, within());
    add(space, f.x, f.y, f.y);
    multiply(space, f.x, f.y, f.x, within());
    copyValues(space, f.y, f.x);
  });
  expectNoAllocations<TypeParam>([&] {
    dot(space, f.x, f.y, within());
    norm(space, Norm::L2, f.x);
    norm(space, Norm::Linf, f.x, within());
    extrema(space, f.x);
  });
}

TYPED_TEST(Allocations, NoneInRepeatedChangesOfAFieldsSet) {
  FieldOnBall<TypeParam> f;
  const TypeParam space;
  CommonCells<typename TypeParam::memory_space> common;
  FieldOn<double, TypeParam> out;
  IntervalSetOn<3, TypeParam> kept;
  expectNoAllocations<TypeParam>([&] {
    commonCells<TypeParam, 3>(space, f.ball, f.other, common, f.workspace);
    remap(space, common, f.x, -1.0, out);
    extract(space, common, f.x, out);
  });
  expectNoAllocations<TypeParam>([&] { threshold(space, f.ball, f.x, ThresholdRule::above(0.5), kept, f.workspace); });
  EXPECT_EQ(kept.numCells(), f.ball.numCells());
}

TYPED_TEST(Allocations, NoneInRepeatedStencils) {
  FieldOnBall<TypeParam> f;
  const TypeParam space;
  StencilMapOn<FacePattern<3>, TypeParam> map;
  expectNoAllocations<TypeParam>([&] {
    buildStencilMap<FacePattern<3>, TypeParam>(space, f.ball, {BoundaryPolicy::Value}, map, f.workspace);
    laplacian(space, map, f.x, {{1.0, 1.0, 1.0}}, 0.0, f.y);
    jacobiSmooth(space, map, f.x, {{1.0, 1.0, 1.0}}, 0.5, 3, 0.0, f.y);
  });
}

} // namespace
} // namespace spanwise::testing
