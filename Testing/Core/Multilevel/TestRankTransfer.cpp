// Values on hierarchies that are cut among ranks and repeat along axes: those of one rank, bit by bit.

#include "Core/Multilevel/Adapt.hpp"
#include "Core/Multilevel/Ghosts.hpp"
#include "Core/Multilevel/LevelMove.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Multilevel/RankFields.hpp"
#include "Testing/Core/Runtime/CountAllocations.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <array>

namespace spanwise::testing {
namespace {

/// A front around the origin, which repeats with the domain.
template <int Dim>
double front(const RandomDomain<Dim>& is, int level, const Cell<Dim>& cell) {
  double sum = 0.0;
  for (const Coordinate c : is.original(cell, level).at) {
    sum += std::pow((c + 0.3) / (1 << level), 2);
  }
  return std::tanh(3.0 * (std::sqrt(sum) - 2.1));
}

/// Boundary functors of all kinds.
struct AnyBoundary {
  int kind;

  KOKKOS_FUNCTION void operator()(const GhostState<double>& state, const BoundaryFace& face) const {
    switch (kind) {
    case 1:
      ValueState<double>{-7.0}(state, face);
      break;
    case 2:
      NearestState()(state, face);
      break;
    case 3:
      MirrorState()(state, face);
      break;
    default: // another one for each side, which adds to what the one before left
      state(face.axis % 2) += state.nearest(0) + face.side() + (face.obstacle ? 7.0 : 0.0);
    }
  }
};

template <class Space>
class RankTransfer : public ::testing::Test {
protected:
  Space space = oneThread<Space>(); // most cases are small
  const Context<Space> context{space};

  template <int Dim>
  void checkGhosts(int rounds, bool repeats) {
    std::mt19937 random(seed() + Dim);
    GhostLevels<Space, Dim> ghosts; // used again
    for (int round = 0; round < rounds; ++round) {
      SCOPED_TRACE("seed " + std::to_string(seed()) + ", round " + std::to_string(round));
      const Coordinate extent = Dim == 2 ? 4 : 2;
      const RandomDomain<Dim> is(random, extent, repeats);
      const Coordinate width = 1 + (Dim == 2 ? round % 3 : 0);
      const AnyBoundary boundary{round % 5};
      const auto method = std::array{
        Prolongation::Linear, Prolongation::ThirdOrder, Prolongation::Minmod}[static_cast<std::size_t>(round % 3)];
      const Grading grading = round % 5 == 0 ? Grading::Nested : Grading::Face;
      const auto wanted = randomWanted<Dim>(random, is, extent, 1 + round % 3);
      const auto whole = wholeLevels<Space, Dim>(context, is, wanted, grading, is.copiesFor(3 * width + 6));
      const auto value = [&](int l, const Cell<Dim>& cell) { return scatter(is, l, cell); };
      const GhostOptions options{width, boundary.kind > 0, method};
      LevelDomain<Space, Dim> wholeDomain;
      GhostLevels<Space, Dim> wholeGhosts;
      buildGhosts(context, wholeDomain, whole, options, wholeGhosts);
      MultilevelFieldOn<double, Space> expected;
      toExtended(context, wholeGhosts, levelField<Space, Dim>(whole, 2, value), expected);
      fillGhosts(context, wholeGhosts, boundary, expected);

      const auto levels = partOf<Space, Dim>(is, whole);
      const auto field = levelField<Space, Dim>(levels, 2, value);
      auto domain = domainOf<Space, Dim>(is);
      buildGhosts(context, domain, levels, options, ghosts);
      MultilevelFieldOn<double, Space> out;
      toExtended(context, ghosts, field, out);
      for (int turn = 0; turn < 2; ++turn) {
        fillGhosts(context, ghosts, boundary, out);
      }
      MultilevelFieldOn<double, Space> back;
      fromExtended(context, ghosts, out, back);
      space.fence();
      ASSERT_EQ(ghosts.numLevels, wholeGhosts.numLevels);
      for (int l = 0; l < levels.numLevels(); ++l) {
        EXPECT_TRUE(valuesOf<Dim>(levels.level(l), back.level(l)) == valuesOf<Dim>(levels.level(l), field.level(l)));
      }
      for (int l = 0; l < ghosts.numLevels; ++l) {
        const auto index = static_cast<std::size_t>(l);
        expectPartOf<Dim>(
          is, l, ghosts.reach, ghosts.extended[index], out.level(l), wholeGhosts.extended[index], expected.level(l));
      }
      // restricted in place, levels have the means that they have without ghost cells
      LevelTransferOn<Dim, Space> transfer;
      buildLevelTransfer<Space, Dim>(context, levels, Prolongation::Injection, transfer);
      auto means = levelField<Space, Dim>(levels, 2, value);
      restrictLevels<Space, Dim, double>(context, transfer, means);
      restrictLevels(context, ghosts, out);
      fromExtended(context, ghosts, out, back);
      space.fence();
      for (int l = 0; l < levels.numLevels(); ++l) {
        EXPECT_TRUE(valuesOf<Dim>(levels.level(l), back.level(l)) == valuesOf<Dim>(levels.level(l), means.level(l)));
      }
    }
  }

  template <int Dim>
  void checkRegrid(int rounds, bool repeats) {
    std::mt19937 random(seed() + Dim);
    Regrid<Space, Dim> way; // used again
    Regrid<Space, Dim> wholeWay;
    for (int round = 0; round < rounds; ++round) {
      SCOPED_TRACE("seed " + std::to_string(seed()) + ", round " + std::to_string(round));
      const Coordinate extent = Dim == 2 ? 4 : 2;
      const RandomDomain<Dim> is(random, extent, repeats);
      const auto method = std::array{Prolongation::Injection, Prolongation::Linear, Prolongation::MonotonizedCentral,
        Prolongation::ThirdOrder}[static_cast<std::size_t>(round % 4)];
      const int copies = is.copiesFor(5);
      const auto make = [&](Grading grading, int depth) {
        return wholeLevels<Space, Dim>(context, is, randomWanted<Dim>(random, is, extent, depth), grading, copies);
      };
      const auto wholeFrom = make(Grading::Face, 1 + round % 3);
      const auto wholeTo = make(Grading::Vertex, 1 + round / 2 % 3);
      const auto value = [&](int l, const Cell<Dim>& cell) { return scatter(is, l, cell); };
      LevelDomain<Space, Dim> wholeDomain;
      buildRegrid<Space, Dim>(context, wholeDomain, wholeFrom, wholeTo, method, wholeWay);
      MultilevelFieldOn<double, Space> around;
      MultilevelFieldOn<double, Space> expected;
      regrid<Space, Dim, double>(context, wholeWay, levelField<Space, Dim>(wholeFrom, 3, value), around, expected);

      const auto from = partOf<Space, Dim>(is, wholeFrom);
      const auto to = partOf<Space, Dim>(is, wholeTo);
      auto domain = domainOf<Space, Dim>(is);
      buildRegrid<Space, Dim>(context, domain, from, to, method, way);
      MultilevelFieldOn<double, Space> out;
      regrid<Space, Dim, double>(context, way, levelField<Space, Dim>(from, 3, value), around, out);
      space.fence();
      for (int l = 0; l < wholeTo.numLevels(); ++l) {
        expectPartOf<Dim>(is, l, 0, to.level(l), out.level(l), wholeTo.level(l), expected.level(l));
      }
    }
  }

  /// Cycles of adaptation to a front; after each of them cells move to where there are fewer.
  template <int Dim>
  void checkAdaptation(int rounds, bool repeats) {
    std::mt19937 random(seed() + Dim);
    for (int round = 0; round < rounds; ++round) {
      SCOPED_TRACE("seed " + std::to_string(seed()) + ", round " + std::to_string(round));
      RandomDomain<Dim> is(random, Dim == 2 ? 5 : 3, repeats);
      for (int d = 0; d < Dim && Dim == 3; ++d) { // along one axis: copies along three are many
        is.periods.along[d] = repeats && d == round % Dim;
      }
      const int cycles = Dim == 2 ? 3 : 2;
      const Tagging tagging =
        round % 2 == 0 ? Tagging{TagCriterion::Gradient, 0.5} : Tagging{TagCriterion::Loehner, 0.6};
      const AdaptOptions options{4, static_cast<Coordinate>(round % 3), Grading::Vertex, Prolongation::Linear};
      const auto value = [&](int l, const Cell<Dim>& cell) { return front(is, l, cell); };

      auto whole = wholeLevels<Space, Dim>(context, is, {}, Grading::Face, is.copiesFor(5 * cycles));
      std::vector<MultilevelFieldOn<double, Space>> wholeFields{
        levelField<Space, Dim>(whole, 1, value), levelField<Space, Dim>(whole, 2, value)};
      LevelDomain<Space, Dim> wholeDomain;
      Adaptation<Space, Dim, double> ofWhole;

      auto levels = partOf<Space, Dim>(is, whole);
      std::vector<MultilevelFieldOn<double, Space>> fields{
        levelField<Space, Dim>(levels, 1, value), levelField<Space, Dim>(levels, 2, value)};
      Adaptation<Space, Dim, double> adaptation;
      auto domain = domainOf<Space, Dim>(is);
      LevelMove<Space, Dim> move(world());
      for (int cycle = 0; cycle < cycles; ++cycle) {
        ofWhole.adapt(context, wholeDomain, tagging, options, whole, wholeFields);
        adaptation.adapt(context, domain, tagging, options, levels, fields);
        space.fence();
        for (const bool moved : {false, true}) {
          if (moved) {
            repartition<Space, Dim>(context, domain, levels, move, std::array<std::int64_t, 4>{1, 2, 4, 8});
            for (auto& field : fields) {
              move.moveField(space, field);
            }
            is.cut = domain.rootCut();
          }
          expectPart<Space, Dim>(is, levels, whole);
          for (int l = 0; l < levels.numLevels(); ++l) {
            for (std::size_t k = 0; k < fields.size(); ++k) {
              expectPartOf<Dim>(is, l, 0, levels.level(l), fields[k].level(l), whole.level(l), wholeFields[k].level(l));
            }
          }
        }
      }
      EXPECT_GT(levels.numLevels(), 1);
    }
  }
};
TYPED_TEST_SUITE(RankTransfer, AllSpaces, SpaceNames);

TYPED_TEST(RankTransfer, GhostsAreThoseOfOneRankIn2D) { this->template checkGhosts<2>(24, false); }
TYPED_TEST(RankTransfer, GhostsAreThoseOfOneRankIn3D) { this->template checkGhosts<3>(12, false); }
TYPED_TEST(RankTransfer, GhostsThatRepeatAreThoseUnwrappedIn2D) { this->template checkGhosts<2>(24, true); }
TYPED_TEST(RankTransfer, GhostsThatRepeatAreThoseUnwrappedIn3D) { this->template checkGhosts<3>(8, true); }
TYPED_TEST(RankTransfer, RegridIsThatOfOneRankIn2D) { this->template checkRegrid<2>(16, false); }
TYPED_TEST(RankTransfer, RegridIsThatOfOneRankIn3D) { this->template checkRegrid<3>(8, false); }
TYPED_TEST(RankTransfer, RegridThatRepeatsIsThatUnwrappedIn2D) { this->template checkRegrid<2>(16, true); }
TYPED_TEST(RankTransfer, RegridThatRepeatsIsThatUnwrappedIn3D) { this->template checkRegrid<3>(6, true); }
TYPED_TEST(RankTransfer, AdaptationIsThatOfOneRankIn2D) { this->template checkAdaptation<2>(6, false); }
TYPED_TEST(RankTransfer, AdaptationIsThatOfOneRankIn3D) { this->template checkAdaptation<3>(3, false); }
TYPED_TEST(RankTransfer, AdaptationThatRepeatsIsThatUnwrappedIn2D) { this->template checkAdaptation<2>(6, true); }
TYPED_TEST(RankTransfer, AdaptationThatRepeatsIsThatUnwrappedIn3D) { this->template checkAdaptation<3>(2, true); }

/// Hierarchies and the values on them, from any cut to any other.
TYPED_TEST(RankTransfer, LevelsMoveTogether) {
  std::mt19937 random(seed());
  LevelMove<TypeParam, 2> move(world());
  for (int round = 0; round < 10; ++round) {
    SCOPED_TRACE("seed " + std::to_string(seed()) + ", round " + std::to_string(round));
    RandomDomain<2> is(random, 4, false);
    const auto whole =
      wholeLevels<TypeParam, 2>(this->context, is, randomWanted<2>(random, is, 4, 3), Grading::Vertex, 0);
    auto levels = partOf<TypeParam, 2>(is, whole);
    const auto value = [&](int l, const Cell<2>& cell) { return scatter(is, l, cell); };
    auto field = levelField<TypeParam, 2>(levels, 3, value);
    is.cut = randomCut(random, 5);
    move.moveLevels(this->context, is.cut, levels);
    move.moveField(this->space, field);
    expectPart<TypeParam, 2>(is, levels, whole);
    const auto expected = levelField<TypeParam, 2>(whole, 3, value);
    for (int l = 0; l < levels.numLevels(); ++l) {
      expectPartOf<2>(is, l, 0, levels.level(l), field.level(l), whole.level(l), expected.level(l));
    }
  }
}

/// Cells of the finest level lie in one half: with their weights both halves get their share.
TYPED_TEST(RankTransfer, RepartitionIsEvenByWeight) {
  std::mt19937 random(seed());
  RandomDomain<2> is(random, 8, false);
  const Coordinate planes = 32;
  is.root.clear();
  CellList<2> upper;
  for (Coordinate y = 0; y < planes; ++y) {
    for (Coordinate x = 0; x < 4; ++x) {
      is.root.insert({{x, y}});
      if (y >= planes / 2) {
        upper.insert({{x, y}});
      }
    }
  }
  is.cut.bounds.assign(static_cast<std::size_t>(world().size()) + 1, planes); // all on the first rank
  is.cut.bounds.front() = PlaneRange().begin;
  is.cut.bounds.back() = PlaneRange().end;
  const auto whole = wholeLevels<TypeParam, 2>(this->context, is, {upper}, Grading::Nested, 0);
  for (const std::int64_t weight : {1, 3}) {
    auto domain = domainOf<TypeParam, 2>(is);
    auto levels = partOf<TypeParam, 2>(is, whole);
    LevelMove<TypeParam, 2> move(world());
    const std::array<std::int64_t, 2> weights{1, weight};
    EXPECT_EQ((repartition<TypeParam, 2>(this->context, domain, levels, move, weights)), !world().alone());
    RandomDomain<2> now = is;
    now.cut = domain.rootCut();
    expectPart<TypeParam, 2>(now, levels, whole);
    const auto mine = static_cast<double>(levels.level(0).numCells() + weight * levels.level(1).numCells());
    const double plane = 4.0 * (1.0 + 4.0 * static_cast<double>(weight)); // the heaviest one
    const double mean = 64.0 * (2.0 + 4.0 * static_cast<double>(weight)) / world().size();
    EXPECT_LE(std::fabs(mine - mean), plane);
    // What is as even as it can be stays.
    EXPECT_FALSE((repartition<TypeParam, 2>(this->context, domain, levels, move, weights)));
  }
  auto domain = domainOf<TypeParam, 2>(is);
  auto levels = partOf<TypeParam, 2>(is, whole);
  LevelMove<TypeParam, 2> move(world());
  EXPECT_THROW(
    (repartition<TypeParam, 2>(this->context, domain, levels, move, std::array<std::int64_t, 1>{-1})), Error);
}

/// One rank after the other has a field of a wrong length on a level: all throw, and none waits.
TYPED_TEST(RankTransfer, WrongFieldsAreRefusedOnAllRanks) {
  std::mt19937 random(seed());
  for (int round = 0; round < 4; ++round) {
    const RandomDomain<2> is(random, 4, round % 2 == 1);
    const auto whole =
      wholeLevels<TypeParam, 2>(this->context, is, randomWanted<2>(random, is, 4, 2), Grading::Face, is.copiesFor(9));
    const auto levels = partOf<TypeParam, 2>(is, whole);
    const auto good =
      levelField<TypeParam, 2>(levels, 2, [&](int l, const Cell<2>& cell) { return scatter(is, l, cell); });
    auto domain = domainOf<TypeParam, 2>(is);
    GhostLevels<TypeParam, 2> ghosts;
    buildGhosts(this->context, domain, levels, {}, ghosts);
    MultilevelFieldOn<double, TypeParam> extended;
    toExtended(this->context, ghosts, good, extended);
    Regrid<TypeParam, 2> way;
    buildRegrid<TypeParam, 2>(this->context, domain, levels, levels, Prolongation::Linear, way);
    MultilevelFieldOn<double, TypeParam> out;
    MultilevelFieldOn<double, TypeParam> around;
    for (int l = 0; l < levels.numLevels(); ++l) {
      for (int bad = 0; bad < world().size(); ++bad) {
        auto wrong = extended;
        if (world().rank() == bad) {
          wrong.level(l).resize(extended.level(l).numCells() + 1, 2);
        }
        EXPECT_THROW(fillGhosts(this->context, ghosts, NearestState(), wrong), InvalidArgument);
        auto field = good;
        if (world().rank() == bad) {
          field.level(l).resize(levels.level(l).numCells() + 1, 2);
        }
        if (world().reduced(ReduceBy::Maximum, std::int64_t{world().rank() == bad && levels.level(l).empty()}) > 0) {
          continue; // whatever a field has of a level without cells does not count
        }
        EXPECT_THROW((regrid<TypeParam, 2, double>(this->context, way, field, around, out)), InvalidArgument);
      }
    }
    fillGhosts(this->context, ghosts, NearestState(), extended); // and they go on
    regrid<TypeParam, 2, double>(this->context, way, good, around, out);
  }
}

/// Ghost cells that are filled again and again: one message to each rank for each level, and nothing is allocated.
TYPED_TEST(RankTransfer, FillingGhostsSendsOneMessageToEachRank) {
  std::mt19937 random(seed());
  RandomDomain<3> is(random, 2, false);
  is.root.clear();
  CellList<3> fine;
  for (Coordinate z = 0; z < 16; ++z) {
    for (Coordinate y = 0; y < 4; ++y) {
      for (Coordinate x = 0; x < 4; ++x) {
        is.root.insert({{x, y, z}});
        if (x > 0) {
          fine.insert({{x, y, z}});
        }
      }
    }
  }
  is.periods = {{{0, 0, 0}, {4, 4, 16}}, {true, true, true}};
  for (int r = 1; r < world().size(); ++r) {
    is.cut.bounds[static_cast<std::size_t>(r)] = 16 * r / world().size();
  }
  const auto whole = wholeLevels<TypeParam, 3>(this->context, is, {fine}, Grading::Face, 1);
  const auto levels = partOf<TypeParam, 3>(is, whole);
  const auto field =
    levelField<TypeParam, 3>(levels, 5, [&](int l, const Cell<3>& cell) { return scatter(is, l, cell); });
  auto domain = domainOf<TypeParam, 3>(is);
  GhostLevels<TypeParam, 3> ghosts;
  buildGhosts(this->context, domain, levels, {1, false, Prolongation::Linear}, ghosts);
  MultilevelFieldOn<double, TypeParam> out;
  toExtended(this->context, ghosts, field, out);
  const auto fill = [&] { fillGhosts(this->context, ghosts, NearestState(), out); };
  if (world().alone()) {
    expectNoAllocations<TypeParam>(fill); // MPI allocates as it likes
  }
  fill();
  const std::int64_t before = ghosts.halos[0].report()->messages + ghosts.halos[1].report()->messages;
  fill();
  const std::int64_t neighbours = std::min(world().size() - 1, 2);
  EXPECT_EQ(ghosts.halos[0].report()->messages + ghosts.halos[1].report()->messages - before, 2 * neighbours);
}

} // namespace
} // namespace spanwise::testing
