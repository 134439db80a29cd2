#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/NBody/Detail/Morton.hpp"
#include "Core/Solvers/NBody/LeafPairs.hpp"
#include "Core/Solvers/NBody/TreeLists.hpp"
#include "Testing/Core/Solvers/NBody/Distributions.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace spanwise::nbody::testing {
namespace {

using spanwise::testing::ofSeveralThreads;

template <class Space>
class PointTree : public ::testing::Test {};
TYPED_TEST_SUITE(PointTree, AllSpaces, SpaceNames);

template <class T, class Memory>
std::vector<T> hostCopy(const Kokkos::View<T*, Memory>& array, std::int64_t count) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), array);
  return {host.data(), host.data() + count};
}

/// A tree and its lists on the host.
template <int Dim>
struct HostTree {
  std::array<double, Dim> low{};
  double side = 0.0;
  std::vector<std::int32_t> levelBegin;
  std::vector<std::uint64_t> key;
  std::vector<std::int32_t> parent, firstChild, numChildren;
  std::vector<std::int64_t> sourceBegin, sourceEnd, targetBegin, targetEnd, sourceOrder, targetOrder;
  std::vector<std::int32_t> colleagues;
  std::vector<std::vector<std::int32_t>> near, finer, coarse, fine;
  std::vector<std::vector<std::int8_t>> nearImages, finerImages, coarseImages, fineImages; ///< of a periodic tree

  [[nodiscard]] std::int32_t numBoxes() const { return levelBegin.back(); }
  [[nodiscard]] int levelOf(std::int32_t box) const {
    return static_cast<int>(std::upper_bound(levelBegin.begin(), levelBegin.end(), box) - levelBegin.begin()) - 1;
  }
  bool operator==(const HostTree&) const = default;
};

template <class T, class Memory>
std::vector<std::vector<T>> hostLists(
  const BoxLists<Memory>& lists, const Kokkos::View<T*, Memory>& of, std::int32_t numBoxes) {
  const auto begin = hostCopy(lists.begin, numBoxes + 1);
  const auto entries = hostCopy(of, lists.count);
  std::vector<std::vector<T>> result;
  for (std::int32_t box = 0; box < numBoxes; ++box) {
    result.emplace_back(entries.begin() + begin[box], entries.begin() + begin[box + 1]);
  }
  return result;
}

/// Builds both and copies them. `targets` may be nullptr: the sources.
template <class Space, int Dim, class Real>
HostTree<Dim> build(const Space& space, const Uploaded<Space, Dim, Real>* targets,
  const Uploaded<Space, Dim, Real>& sources, std::int64_t maxInLeaf, const PeriodicBox* periodic = nullptr,
  std::int64_t evenLeaves = 0) {
  using Memory = typename Space::memory_space;
  const Context context(space);
  nbody::PointTree<Dim, Memory> tree;
  TreeLists<Dim, Memory> lists;
  buildTree(context, targets != nullptr ? targets->view() : sources.view(), sources.view(), maxInLeaf, tree, periodic,
    RootShape{RootSides::SixteenAnOctave, evenLeaves});
  buildLists(context, tree, lists);
  HostTree<Dim> host;
  const std::int32_t numBoxes = tree.numBoxes();
  host.low = tree.low;
  host.side = tree.side;
  host.levelBegin = tree.levelBegin;
  host.key = hostCopy(tree.key, numBoxes);
  host.parent = hostCopy(tree.parent, numBoxes);
  host.firstChild = hostCopy(tree.firstChild, numBoxes);
  host.numChildren = hostCopy(tree.numChildren, numBoxes);
  host.sourceBegin = hostCopy(tree.sourceBegin, numBoxes);
  host.sourceEnd = hostCopy(tree.sourceEnd, numBoxes);
  host.targetBegin = hostCopy(tree.targetBegin, numBoxes);
  host.targetEnd = hostCopy(tree.targetEnd, numBoxes);
  host.sourceOrder = hostCopy(tree.sourceOrder, sources.count);
  host.targetOrder = hostCopy(tree.targetOrder, targets != nullptr ? targets->count : sources.count);
  host.colleagues = hostCopy(lists.colleagues, std::int64_t{lists.numOffsets} * numBoxes);
  host.near = hostLists(lists.near, lists.near.boxes, numBoxes);
  host.finer = hostLists(lists.finer, lists.finer.boxes, numBoxes);
  host.coarse = hostLists(lists.coarse, lists.coarse.boxes, numBoxes);
  host.fine = hostLists(lists.fine, lists.fine.boxes, numBoxes);
  if (periodic != nullptr) {
    host.nearImages = hostLists(lists.near, lists.near.images, numBoxes);
    host.finerImages = hostLists(lists.finer, lists.finer.images, numBoxes);
    host.coarseImages = hostLists(lists.coarse, lists.coarse.images, numBoxes);
    host.fineImages = hostLists(lists.fine, lists.fine.images, numBoxes);
  }
  return host;
}

/// Whether the order is one of 0 ... count - 1.
void expectPermutation(std::vector<std::int64_t> order) {
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) {
    ASSERT_EQ(order[i], static_cast<std::int64_t>(i));
  }
}

/// Leaves have all points once and in their boxes; children are the non-empty parts of their parents; leaves are as
/// small as was asked for, and parents are not.
template <int Dim, class Real>
void expectTree(const HostTree<Dim>& tree, const Particles<Dim, Real>& targets, const Particles<Dim, Real>& sources,
  std::int64_t maxInLeaf) {
  expectPermutation(tree.sourceOrder);
  expectPermutation(tree.targetOrder);
  std::int64_t numSources = 0;
  std::int64_t numTargets = 0;
  for (std::int32_t box = 0; box < tree.numBoxes(); ++box) {
    const int level = tree.levelOf(box);
    const std::int64_t most =
      std::max(tree.sourceEnd[box] - tree.sourceBegin[box], tree.targetEnd[box] - tree.targetBegin[box]);
    ASSERT_GT(most, 0) << "an empty box";
    ASSERT_EQ(tree.numChildren[box] > 0, most > maxInLeaf && level < deepestLevel<Dim>) << "box " << box;
    if (tree.numChildren[box] == 0) {
      numSources += tree.sourceEnd[box] - tree.sourceBegin[box];
      numTargets += tree.targetEnd[box] - tree.targetBegin[box];
    } else { // children share their parent's points without a gap
      std::int64_t source = tree.sourceBegin[box];
      std::int64_t target = tree.targetBegin[box];
      for (std::int32_t child = tree.firstChild[box]; child < tree.firstChild[box] + tree.numChildren[box]; ++child) {
        ASSERT_EQ(tree.parent[child], box);
        ASSERT_EQ(tree.levelOf(child), level + 1);
        ASSERT_EQ(tree.key[child] >> Dim, tree.key[box]);
        ASSERT_EQ(tree.sourceBegin[child], source);
        ASSERT_EQ(tree.targetBegin[child], target);
        source = tree.sourceEnd[child];
        target = tree.targetEnd[child];
      }
      ASSERT_EQ(source, tree.sourceEnd[box]);
      ASSERT_EQ(target, tree.targetEnd[box]);
    }
    ASSERT_TRUE(box == tree.levelBegin[level] || tree.key[box - 1] < tree.key[box]) << "not along the curve";
    const auto place = detail::placeOf<Dim>(tree.key[box], level);
    const double side = std::ldexp(tree.side, -level);
    const auto expectInside = [&](const Particles<Dim, Real>& points, std::int64_t i) {
      for (int axis = 0; axis < Dim; ++axis) {
        const double within = (static_cast<double>(points.points[axis][i]) - tree.low[axis]) / side - place.at[axis];
        const double rounding = std::ldexp(1e-15, level);
        ASSERT_GE(within, -rounding) << "point " << i << " of box " << box;
        ASSERT_LE(within, 1.0 + rounding) << "point " << i << " of box " << box;
      }
    };
    for (std::int64_t k = tree.sourceBegin[box]; k < tree.sourceEnd[box]; ++k) {
      expectInside(sources, tree.sourceOrder[k]);
    }
    for (std::int64_t k = tree.targetBegin[box]; k < tree.targetEnd[box]; ++k) {
      expectInside(targets, tree.targetOrder[k]);
    }
  }
  EXPECT_EQ(numSources, sources.count());
  EXPECT_EQ(numTargets, targets.count());
}

/// The sources of each leaf reach the targets of each leaf in exactly one way.
template <int Dim>
void expectEachPairOnce(const HostTree<Dim>& tree) {
  const std::int32_t numBoxes = tree.numBoxes();
  std::vector<std::int32_t> leaves;
  std::vector<int> number(numBoxes, -1);
  std::vector<std::vector<int>> leavesOf(numBoxes); // below a box, itself too
  for (std::int32_t box = 0; box < numBoxes; ++box) {
    if (tree.numChildren[box] == 0) {
      number[box] = static_cast<int>(leaves.size());
      leaves.push_back(box);
      for (std::int32_t above = box; above >= 0; above = tree.parent[above]) {
        leavesOf[above].push_back(number[box]);
      }
    }
  }
  const std::size_t numLeaves = leaves.size();
  std::vector<int> times(numLeaves * numLeaves, 0);
  const auto reach = [&](std::int32_t target, std::int32_t source) {
    for (const int t : leavesOf[target]) {
      for (const int s : leavesOf[source]) {
        ++times[t * numLeaves + s];
      }
    }
  };
  constexpr int numOffsets = TreeLists<Dim, Kokkos::HostSpace>::numOffsets;
  for (std::int32_t box = 0; box < numBoxes; ++box) {
    if (tree.numChildren[box] == 0) {
      for (const auto* lists : {&tree.near, &tree.finer, &tree.fine}) {
        for (const std::int32_t other : (*lists)[box]) {
          reach(box, other);
        }
      }
    }
    for (const std::int32_t leaf : tree.coarse[box]) {
      ASSERT_EQ(tree.numChildren[leaf], 0);
      reach(box, leaf);
    }
    if (tree.parent[box] < 0) {
      continue;
    }
    const int level = tree.levelOf(box);
    const auto place = detail::placeOf<Dim>(tree.key[box], level);
    for (int offset = 0; offset < numOffsets; ++offset) {
      const std::int32_t of = tree.colleagues[numOffsets * tree.parent[box] + offset];
      for (int child = 0; of >= 0 && child < tree.numChildren[of]; ++child) {
        const std::int32_t other = tree.firstChild[of] + child;
        const auto otherPlace = detail::placeOf<Dim>(tree.key[other], level);
        int apart = 0;
        for (int axis = 0; axis < Dim; ++axis) {
          apart = std::max(apart, std::abs(place.at[axis] - otherPlace.at[axis]));
        }
        if (apart > 1) {
          reach(box, other);
        }
      }
    }
  }
  for (std::size_t t = 0; t < numLeaves; ++t) {
    for (std::size_t s = 0; s < numLeaves; ++s) {
      ASSERT_EQ(times[t * numLeaves + s], 1) << "boxes " << leaves[t] << " and " << leaves[s];
    }
  }
}

/// In a periodic tree the sources of each of the 3^Dim nearest images of each leaf do, and those that are near are
/// where the lists say.
template <int Dim>
void expectEachImageOnce(const HostTree<Dim>& tree) {
  constexpr int numImages = TreeLists<Dim, Kokkos::HostSpace>::numOffsets;
  const std::int32_t numBoxes = tree.numBoxes();
  std::vector<std::vector<int>> leavesOf(numBoxes);
  std::size_t numLeaves = 0;
  for (std::int32_t box = 0; box < numBoxes; ++box) {
    if (tree.numChildren[box] == 0) {
      for (std::int32_t above = box; above >= 0; above = tree.parent[above]) {
        leavesOf[above].push_back(static_cast<int>(numLeaves));
      }
      ++numLeaves;
    }
  }
  std::vector<std::int8_t> times(numLeaves * numLeaves * numImages, 0);
  const auto reach = [&](std::int32_t target, std::int32_t source, int image) {
    for (const int t : leavesOf[target]) {
      for (const int s : leavesOf[source]) {
        ++times[(t * numLeaves + s) * numImages + image];
      }
    }
  };
  /// The gap between a box and an image of another one, in edges of the root.
  const auto gap = [&](std::int32_t box, std::int32_t other, int image) {
    const int level = tree.levelOf(box);
    const int otherLevel = tree.levelOf(other);
    const auto place = detail::placeOf<Dim>(tree.key[box], level);
    const auto otherPlace = detail::placeOf<Dim>(tree.key[other], otherLevel);
    double largest = 0.0;
    for (int axis = 0, rest = image; axis < Dim; ++axis, rest /= 3) {
      const double low = std::ldexp(place.at[axis], -level);
      const double otherLow = std::ldexp(otherPlace.at[axis], -otherLevel) + rest % 3 - 1;
      largest =
        std::max({largest, otherLow - low - std::ldexp(1.0, -level), low - otherLow - std::ldexp(1.0, -otherLevel)});
    }
    return largest;
  };
  for (std::int32_t box = 0; box < numBoxes; ++box) {
    if (tree.numChildren[box] == 0) {
      for (std::size_t i = 0; i < tree.near[box].size(); ++i) {
        ASSERT_EQ(gap(box, tree.near[box][i], tree.nearImages[box][i]), 0.0);
        reach(box, tree.near[box][i], tree.nearImages[box][i]);
      }
      for (std::size_t i = 0; i < tree.finer[box].size(); ++i) {
        ASSERT_EQ(gap(box, tree.finer[box][i], tree.finerImages[box][i]), 0.0);
        reach(box, tree.finer[box][i], tree.finerImages[box][i]);
      }
      for (std::size_t i = 0; i < tree.fine[box].size(); ++i) {
        const std::int32_t other = tree.fine[box][i];
        ASSERT_GE(gap(box, other, tree.fineImages[box][i]), std::ldexp(1.0, -tree.levelOf(other)));
        reach(box, other, tree.fineImages[box][i]);
      }
    }
    for (std::size_t i = 0; i < tree.coarse[box].size(); ++i) {
      ASSERT_GE(gap(box, tree.coarse[box][i], tree.coarseImages[box][i]), std::ldexp(1.0, -tree.levelOf(box)));
      reach(box, tree.coarse[box][i], tree.coarseImages[box][i]);
    }
    const std::int32_t parent = tree.parent[box];
    for (int offset = 0; parent >= 0 && offset < numImages; ++offset) {
      const std::int32_t of = tree.colleagues[numImages * parent + offset];
      const int level = tree.levelOf(parent);
      const auto place = detail::placeOf<Dim>(tree.key[parent], level);
      int image = 0;
      for (int axis = 0, rest = offset, scale = 1; axis < Dim; ++axis, rest /= 3, scale *= 3) {
        image += scale * static_cast<int>(1 + std::floor(std::ldexp(place.at[axis] + rest % 3 - 1, -level)));
      }
      for (int child = 0; of >= 0 && child < tree.numChildren[of]; ++child) {
        if (gap(box, tree.firstChild[of] + child, image) > 0.0) {
          reach(box, tree.firstChild[of] + child, image);
        }
      }
    }
  }
  for (std::size_t k = 0; k < times.size(); ++k) {
    ASSERT_EQ(times[k], 1) << "leaves " << k / numImages / numLeaves << " and " << k / numImages % numLeaves
                           << ", image " << k % numImages;
  }
}

template <class Space, int Dim, class Real>
void expectPeriodicTrees() {
  std::mt19937 random(seed());
  PeriodicBox box;
  box.low.fill(-5.0);
  box.edges.fill(10.0);
  for (const Distribution distribution : allDistributions) {
    SCOPED_TRACE(distributionName(distribution));
    for (const std::int64_t count : {1, 17, 700}) {
      auto sources = distributed<Dim, Real>(distribution, random, count);
      for (auto& axis : sources.points) { // across the box
        for (Real& x : axis) {
          x = static_cast<Real>(std::clamp(7.0 * (x - 0.5), -4.99, 4.99));
        }
      }
      const Uploaded<Space, Dim, Real> uploaded(sources);
      const auto tree = build<Space, Dim, Real>(oneThread<Space>(), nullptr, uploaded, 12, &box);
      EXPECT_EQ(tree.side, 10.0);
      expectTree(tree, sources, sources, 12);
      expectEachImageOnce(tree);
      const auto targets = distributed<Dim, Real>(Distribution::Uniform, random, 200);
      const Uploaded<Space, Dim, Real> uploadedTargets(targets);
      const auto ofBoth = build(oneThread<Space>(), &uploadedTargets, uploaded, 12, &box);
      expectTree(ofBoth, targets, sources, 12);
      expectEachImageOnce(ofBoth);
      if (::testing::Test::HasFatalFailure()) {
        return;
      }
    }
  }
}

TYPED_TEST(PointTree, OfAPeriodicBoxHasEachImageOnce) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectPeriodicTrees<TypeParam, 2, double>();
  expectPeriodicTrees<TypeParam, 3, double>();
  expectPeriodicTrees<TypeParam, 3, float>();
}

template <class Space, int Dim, class Real>
void expectTrees() {
  std::mt19937 random(seed());
  for (const Distribution distribution : allDistributions) {
    SCOPED_TRACE(distributionName(distribution));
    for (const std::int64_t count : {1, 2, 17, 1500}) {
      const auto sources = distributed<Dim, Real>(distribution, random, count);
      const Uploaded<Space, Dim, Real> uploaded(sources);
      const auto tree = build<Space, Dim, Real>(oneThread<Space>(), nullptr, uploaded, 10);
      expectTree(tree, sources, sources, 10);
      expectEachPairOnce(tree);
      const auto targets = distributed<Dim, Real>(Distribution::Uniform, random, 300);
      const Uploaded<Space, Dim, Real> uploadedTargets(targets);
      for (const std::int64_t evenLeaves : {0, 100}) {
        const auto ofBoth = build(oneThread<Space>(), &uploadedTargets, uploaded, 10, nullptr, evenLeaves);
        expectTree(ofBoth, targets, sources, 10);
        expectEachPairOnce(ofBoth);
      }
      if (::testing::Test::HasFatalFailure()) {
        return;
      }
    }
  }
}

TYPED_TEST(PointTree, HasAllPointsAndEachPairOfLeavesOnce) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectTrees<TypeParam, 2, double>();
  expectTrees<TypeParam, 3, double>();
  expectTrees<TypeParam, 3, float>();
}

/// Points of a grid of n along the first axes, 1 along others, make as many leaves as are asked for, if that is a
/// power of an even number, and each has as many of them.
template <class Space, int Dim>
void expectEvenLeaves(int n, int numAxes, int along) {
  SCOPED_TRACE(std::to_string(Dim) + "D, " + std::to_string(along) + " leaves along " + std::to_string(numAxes));
  Particles<Dim, double> points;
  const auto power = [&](std::int64_t of) { return static_cast<std::int64_t>(std::pow(of, numAxes) + 0.5); };
  for (std::int64_t i = 0; i < power(n); ++i) {
    for (int axis = 0, rest = static_cast<int>(i); axis < Dim; ++axis, rest /= n) {
      points.points[axis].push_back(axis < numAxes ? (rest % n + 0.5) / n : 0.25);
    }
  }
  points.charges.resize(1);
  const std::int64_t inLeaf = power(n / along);
  const auto tree = build<Space, Dim, double>(
    oneThread<Space>(), nullptr, Uploaded<Space, Dim, double>(points), inLeaf, nullptr, power(along));
  std::int64_t numLeaves = 0;
  for (std::int32_t box = 0; box < tree.numBoxes(); ++box) {
    if (tree.numChildren[box] == 0) {
      ASSERT_EQ(tree.sourceEnd[box] - tree.sourceBegin[box], inLeaf);
      ++numLeaves;
    }
  }
  EXPECT_EQ(numLeaves, power(along));
}

TYPED_TEST(PointTree, HasAsManyLeavesOfEvenPointsAsAreAskedFor) {
  for (const int along : {8, 10, 14, 16}) {
    expectEvenLeaves<TypeParam, 3>(4 * along, 3, along);
    expectEvenLeaves<TypeParam, 3>(4 * along, 2, along);
    expectEvenLeaves<TypeParam, 3>(16 * along, 1, along);
    expectEvenLeaves<TypeParam, 2>(6 * along, 2, along);
  }
}

TYPED_TEST(PointTree, IsTheSameForAnyNumberOfThreads) {
  std::mt19937 random(seed());
  for (const Distribution distribution : {Distribution::Uniform, Distribution::Plummer, Distribution::Clusters}) {
    const Uploaded<TypeParam, 3, double> points(distributed<3, double>(distribution, random, 20000));
    const auto expected = build<TypeParam, 3, double>(oneThread<TypeParam>(), nullptr, points, 20);
    for (const TypeParam& space : ofSeveralThreads<TypeParam>()) {
      EXPECT_TRUE((build<TypeParam, 3, double>(space, nullptr, points, 20) == expected));
    }
    PeriodicBox box;
    box.low.fill(-1e3);
    box.edges.fill(2e3);
    const auto periodic = build<TypeParam, 3, double>(oneThread<TypeParam>(), nullptr, points, 20, &box);
    for (const TypeParam& space : ofSeveralThreads<TypeParam>()) {
      EXPECT_TRUE((build<TypeParam, 3, double>(space, nullptr, points, 20, &box) == periodic));
    }
  }
}

TYPED_TEST(PointTree, IsBuiltAgainInTheSameMemory) {
  using Memory = typename TypeParam::memory_space;
  std::mt19937 random(seed());
  const auto space = oneThread<TypeParam>();
  const Uploaded<TypeParam, 3, double> first(distributed<3, double>(Distribution::Uniform, random, 5000));
  const Uploaded<TypeParam, 3, double> second(distributed<3, double>(Distribution::Uniform, random, 4000));
  const Context context(space);
  nbody::PointTree<3, Memory> tree;
  buildTree(context, first.view(), first.view(), 20, tree);
  const auto* const keys = tree.key.data();
  const auto* const order = tree.sourceOrder.data();
  buildTree(context, second.view(), second.view(), 20, tree);
  EXPECT_EQ(tree.key.data(), keys);
  EXPECT_EQ(tree.sourceOrder.data(), order);
  buildTree(context, first.view(), second.view(), 20, tree);
  EXPECT_NE(tree.targetBegin.data(), tree.sourceBegin.data());
  EXPECT_NE(tree.targetOrder.data(), tree.sourceOrder.data());
}

/// Lengths far from 1 and points far from the origin change nothing but the root.
TYPED_TEST(PointTree, ScalesWithThePoints) {
  std::mt19937 random(seed());
  const auto points = distributed<3, double>(Distribution::Plummer, random, 3000);
  const auto expected =
    build<TypeParam, 3, double>(oneThread<TypeParam>(), nullptr, Uploaded<TypeParam, 3, double>(points), 20);
  for (const double unit : {std::ldexp(1.0, -100), std::ldexp(1.0, 60)}) {
    auto scaled = points;
    for (auto& axis : scaled.points) {
      for (double& x : axis) {
        x *= unit;
      }
    }
    const auto tree =
      build<TypeParam, 3, double>(oneThread<TypeParam>(), nullptr, Uploaded<TypeParam, 3, double>(scaled), 20);
    EXPECT_EQ(tree.side, unit * expected.side);
    EXPECT_EQ(tree.key, expected.key);
    EXPECT_EQ(tree.sourceOrder, expected.sourceOrder);
  }
}

/// A root is as wide as its points at least, and less than a step of its sides wider.
TYPED_TEST(PointTree, RootsHaveTheSidesThatThereAre) {
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> logarithm(-6.0, 6.0);
  const Context<TypeParam> context;
  nbody::PointTree<2, typename TypeParam::memory_space> tree;
  for (int k = 0; k < 20; ++k) {
    const double extent = k < 2 ? 1.0 + k : std::exp2(logarithm(random)); // powers of two first
    Particles<2, double> particles;
    particles.points = {{{-0.25 * extent, 0.75 * extent}, {0.0, 0.5 * extent}}};
    particles.charges = {{1.0, 1.0}};
    const Uploaded<TypeParam, 2, double> uploaded(particles);
    const auto sideWith = [&](RootSides sides) {
      buildTree(context, uploaded.view(), uploaded.view(), 1, tree, nullptr, RootShape{sides});
      EXPECT_GE(tree.side, extent) << "seed " << seed();
      return tree.side;
    };
    const double power = sideWith(RootSides::PowersOfTwo);
    EXPECT_EQ(power, std::exp2(std::round(std::log2(power))));
    EXPECT_LT(power, 2.0 * extent);
    EXPECT_LT(sideWith(RootSides::SixteenAnOctave), (1.0 + 1.0 / 16) * extent);
  }
}

/// Every pair of near leaves once, whichever list it stands in, and tasks of a round that touch different particles.
TYPED_TEST(PointTree, PairsNearLeavesInRounds) {
  if constexpr (!std::is_same_v<typename TypeParam::memory_space, Kokkos::HostSpace>) {
    GTEST_SKIP() << "is for the host";
  } else {
    std::mt19937 random(seed());
    for (const Distribution distribution : allDistributions) {
      SCOPED_TRACE(distributionName(distribution));
      const Uploaded<TypeParam, 3, double> points(distributed<3, double>(distribution, random, 12000));
      const Context context(oneThread<TypeParam>());
      nbody::PointTree<3, Kokkos::HostSpace> tree;
      TreeLists<3, Kokkos::HostSpace> lists;
      LeafPairs pairs;
      buildTree(context, points.view(), points.view(), 40, tree);
      buildLists(context, tree, lists);
      findLeafPairs(tree, lists, pairs);
      std::set<std::pair<std::int32_t, std::int32_t>> expected;
      double numInteractions = 0.0;
      for (std::int32_t box = 0; box < tree.numBoxes(); ++box) {
        for (std::int64_t i = lists.near.begin(box); tree.numChildren(box) == 0 && i < lists.near.begin(box + 1); ++i) {
          const std::int32_t other = lists.near.boxes(i);
          if (other != box && expected.insert(std::minmax(box, other)).second) {
            numInteractions += 2.0 * static_cast<double>(tree.sourceEnd(box) - tree.sourceBegin(box)) *
              static_cast<double>(tree.sourceEnd(other) - tree.sourceBegin(other));
          }
        }
      }
      EXPECT_EQ(pairs.numInteractions, numInteractions);
      std::set<std::pair<std::int32_t, std::int32_t>> found;
      for (std::size_t round = 0; round + 1 < pairs.roundBegin.size(); ++round) {
        std::map<std::int32_t, std::int32_t> edgeOf; // of leaves of this round
        for (std::int64_t e = pairs.roundBegin[round]; e < pairs.roundBegin[round + 1]; ++e) {
          const std::int32_t edge = pairs.edges[e];
          for (std::int64_t i = pairs.edgeBegin[edge]; i < pairs.edgeBegin[edge + 1]; ++i) {
            const LeafPair pair = pairs.pairs[i];
            ASSERT_TRUE(found.insert(std::minmax(pair.first, pair.second)).second) << "a pair twice";
            ASSERT_EQ(edgeOf.emplace(pair.first, edge).first->second, edge);
            ASSERT_EQ(edgeOf.emplace(pair.second, edge).first->second, edge);
          }
        }
      }
      EXPECT_EQ(found, expected);
    }
  }
}

TYPED_TEST(PointTree, OfNothingHasNoBoxes) {
  const Uploaded<TypeParam, 2, double> none(Particles<2, double>{});
  const auto tree = build<TypeParam, 2, double>(oneThread<TypeParam>(), nullptr, none, 20);
  EXPECT_EQ(tree.numBoxes(), 0);
}

TYPED_TEST(PointTree, RefusesWhatIsNotAPlace) {
  std::mt19937 random(seed());
  const Context context(oneThread<TypeParam>());
  nbody::PointTree<3, typename TypeParam::memory_space> tree;
  const auto message = [&](const Particles<3, double>& points, std::int64_t maxInLeaf) -> std::string {
    const Uploaded<TypeParam, 3, double> uploaded(points);
    try {
      buildTree(context, uploaded.view(), uploaded.view(), maxInLeaf, tree);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  auto points = distributed<3, double>(Distribution::Uniform, random, 100);
  EXPECT_EQ(message(points, 0), "the most points of a leaf are 0; it must be at least 1");
  points.points[1][42] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message(points, 10), "source 42 has a coordinate that is not finite or beyond 1e70 in magnitude");
  points.points[1][42] = 1e71;
  const Uploaded<TypeParam, 3, double> targets(points);
  points.points[1][42] = 0.0;
  const Uploaded<TypeParam, 3, double> sources(points);
  EXPECT_EQ(messageOf([&] { buildTree(context, targets.view(), sources.view(), 10, tree); }),
    "target 42 has a coordinate that is not finite or beyond 1e70 in magnitude");
}

} // namespace
} // namespace spanwise::nbody::testing
