#include "Core/Multilevel/TouchingLeaves.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Multilevel/LeavesOnSpace.hpp"
#include "Testing/Core/Multilevel/RandomLevels.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <random>

namespace spanwise::testing {
namespace {

template <class Space>
class TouchingLeaves : public ::testing::Test {};
TYPED_TEST_SUITE(TouchingLeaves, AllSpaces, SpaceNames);

/// Whether two leaves have a point in common: closed boxes, on the lattice of the finest level.
template <int Dim>
bool touch(const Cell<Dim>& a, std::size_t levelOfA, const Cell<Dim>& b, std::size_t levelOfB, std::size_t finest) {
  const auto sizeA = Coordinate{1} << (finest - levelOfA);
  const auto sizeB = Coordinate{1} << (finest - levelOfB);
  bool all = true;
  for (int d = 0; d < Dim; ++d) {
    all = all && a.at[d] * sizeA <= (b.at[d] + 1) * sizeB && b.at[d] * sizeB <= (a.at[d] + 1) * sizeA;
  }
  return all;
}

template <class Space, int Dim>
void expectTouching(int maxLevels) {
  std::mt19937 random(seed());
  forRandomLeaves<Dim>(maxLevels, [&](const Leaves<Dim>& leaves) {
    const Context<Space> context;
    const LeavesAndCover<Space, Dim> all(context, leaves);
    Leaves<Dim> some(leaves.size());
    std::bernoulli_distribution isChosen(0.05);
    for (std::size_t l = 0; l < leaves.size(); ++l) {
      std::copy_if(leaves[l].begin(), leaves[l].end(), std::inserter(some[l], some[l].end()),
        [&](const Cell<Dim>&) { return isChosen(random); });
    }
    LeavesOn<Dim, Space> chosen;
    for (const CellList<Dim>& level : some) {
      chosen.push_back(toSet<Space, Dim>(level));
    }
    LeavesOn<Dim, Space> out;
    touchingLeaves<Space, Dim>(context, all.leaves, all.cover, chosen, out);
    ASSERT_EQ(out.size(), leaves.size());
    for (std::size_t l = 0; l < leaves.size(); ++l) {
      CellList<Dim> expected;
      for (const Cell<Dim>& leaf : leaves[l]) {
        bool touches = false;
        for (std::size_t m = 0; m < some.size(); ++m) {
          touches = touches || std::ranges::any_of(some[m], [&](const Cell<Dim>& other) {
            return touch<Dim>(leaf, l, other, m, leaves.size() - 1);
          });
        }
        if (touches) {
          expected.insert(leaf);
        }
      }
      expectCells<Space, Dim>(out[l], expected);
    }
  });
}

TYPED_TEST(TouchingLeaves, AreThoseOfBruteForce2D) { expectTouching<TypeParam, 2>(5); }

TYPED_TEST(TouchingLeaves, AreThoseOfBruteForce3D) { expectTouching<TypeParam, 3>(4); }

} // namespace
} // namespace spanwise::testing
