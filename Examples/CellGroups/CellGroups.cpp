// Reaction and diffusion (the model of Gray and Scott) in a ring, on intervals and on blocks of 64 cells, by the same
// functors. A part of the ring's skin is a catalyst: its cells have a rate of their own, and take a step that is
// implicit in it. They get a kernel of their own, in three groupings (Table II of Meneghin and Mahmoud, "Disaggregated
// Design for GPU-Based Volumetric Data Structures"):
//
//   ./CellGroups [cells along an axis = 96] [steps = 20]
//
// prints what each takes. All have the same bits in the end.

#include <Core/Field/Arithmetic.hpp>
#include <Core/Field/Copy.hpp>
#include <Core/Field/CopyCells.hpp>
#include <Core/Field/ForGroups.hpp>
#include <Core/Geometry/Builders/Predicate.hpp>
#include <Core/Runtime/Context.hpp>
#include <Core/Runtime/Runtime.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace field = spanwise::field;

using Space = Kokkos::DefaultExecutionSpace;
using Context = spanwise::Context<Space>;
using Cell = spanwise::geometry::Cell<3>;
using Cells = spanwise::geometry::IntervalSetOn<3, Space>;
using Values = field::FieldOn<double, Space>;
using Intervals = field::GroupedSetOn<3, Space>;
using Blocks = field::BlockSetOn<3, Space>;
using Pattern = field::FacePattern<3>;

/// A ring around the z axis: how deep a cell is in it, in cells.
struct Ring {
  double size;

  KOKKOS_FUNCTION double depth(const Cell& cell) const {
    const double x = cell.at[0] - 0.5 * size;
    const double y = cell.at[1] - 0.5 * size;
    const double z = cell.at[2] - 0.5 * size;
    const double across = Kokkos::sqrt(x * x + y * y) - 0.3 * size;
    return 0.14 * size - Kokkos::sqrt(across * across + z * z);
  }
};
struct InRing {
  Ring ring;
  KOKKOS_FUNCTION bool operator()(const Cell& cell) const { return ring.depth(cell) > 0.0; }
};
struct IsCatalyst {
  Ring ring;
  KOKKOS_FUNCTION bool operator()(const Cell& cell) const {
    return cell.at[0] > 0.6 * ring.size && ring.depth(cell) < 1.0;
  }
};

/// The start: one substance everywhere, a spot of the other.
struct Start {
  spanwise::FieldView<double> values;
  double size;

  KOKKOS_FUNCTION void operator()(std::int64_t number, const Cell& cell) const {
    const bool inSpot = cell.at[0] < 0.25 * size && cell.at[1] < 0.6 * size;
    values(number, 0) = inSpot ? 0.5 : 1.0;
    values(number, 1) = inSpot ? 0.25 + 0.001 * cell.at[2] : 0.0;
  }
};

/// A step in any cell.
struct GrayScott {
  static constexpr double feed = 0.03;
  static constexpr double kill = 0.06;

  template <class Point, class Out>
  KOKKOS_FUNCTION void operator()(const Point& p, const Out& out) const {
    const double u = p.centre(0);
    const double v = p.centre(1);
    const double reaction = u * v * v;
    out(0) = u + 0.10 * (p.sumOfNeighbours(0) - 6.0 * u) - reaction + feed * (1.0 - u);
    out(1) = v + 0.05 * (p.sumOfNeighbours(1) - 6.0 * v) + reaction - (feed + kill) * v;
  }
};

/// A step at the catalyst: then it turns the first substance to the second at the rate k u^2 / (1 + u), implicitly.
struct GrayScottAtCatalyst {
  spanwise::FieldView<const double> rates;

  template <class Point, class Out>
  KOKKOS_FUNCTION void operator()(std::int64_t place, const Point& p, const Out& out) const {
    GrayScott{}(p, out);
    const double before = out(0);
    const double rate = rates(place);
    double u = before;
    for (int k = 0; k < 6; ++k) { // Newton's method
      const double taken = rate * u * u / (1.0 + u);
      const double slope = 1.0 + rate * u * (2.0 + u) / ((1.0 + u) * (1.0 + u));
      u -= (u + taken - before) / slope;
    }
    out(0) = u;
    out(1) += before - u;
  }
};

/// Each cell of the catalyst has its rate.
template <class View>
struct PutRates {
  View set;
  spanwise::FieldView<double> rates;

  KOKKOS_FUNCTION void operator()(std::int64_t number, const Cell& cell) const {
    const std::int64_t place = set.subsetPlace(number);
    if (place >= 0) {
      rates(place) = 0.05 + 0.001 * cell.at[1];
    }
  }
};

/// What a set costs, and the values in the end, in the order of intervals.
struct Result {
  double milliseconds;
  std::vector<double> values;
};

template <class Set>
Result run(const Context& context, const Intervals& intervals, const Set& set, double size, int steps) {
  const Space& space = context.space();
  field::StencilMapOf<Pattern, Set> map;
  field::buildStencilMap<Pattern, Space>(context, set, {field::BoundaryPolicy::Mirror}, map);
  Values rates("rates", set.numSubsetPlaces());
  Values from("from", set.numPlaces(), 2);
  Values to("to", set.numPlaces(), 2);
  field::forEachCell(
    space, "rates", set, PutRates<decltype(set.view())>{set.view(), rates.view()}, field::SubsetGroup::With);
  field::forEachCell(space, "start", set, Start{from.view(), size});
  space.fence();
  const Kokkos::Timer timer;
  for (int step = 0; step < steps; ++step) {
    field::forGroups(
      set, GrayScott{}, GrayScottAtCatalyst{rates.view()}, [&](field::SubsetGroup group, const auto& body) {
        field::forEachStencil<2, 2>(space, map, from, 0.0, body, to, group);
      });
    std::swap(from, to);
  }
  space.fence();
  Result result{1e3 * timer.seconds() / steps, {}};
  Values ofIntervals;
  field::copyCells(context, set, from, intervals, ofIntervals);
  field::HostField<double> onHost;
  field::copy(ofIntervals, onHost);
  for (std::int64_t k = 0; k < onHost.numCells(); ++k) {
    result.values.push_back(onHost.view()(k, 0));
    result.values.push_back(onHost.view()(k, 1));
  }
  return result;
}

bool runAll(int size, int steps) {
  const Context context;
  Cells cells;
  Cells catalyst;
  const spanwise::geometry::Box<3> box{{0, 0, 0}, {size, size, size}};
  const Ring ring{static_cast<double>(size)};
  spanwise::geometry::makeFromPredicate<Space, 3>(context, box, InRing{ring}, cells);
  spanwise::geometry::makeFromPredicate<Space, 3>(context, box, IsCatalyst{ring}, catalyst);
  Intervals intervals;
  intervals.build(context, cells, catalyst);
  std::printf("%lld cells, of which %lld are catalyst\n", static_cast<long long>(intervals.numCells()),
    static_cast<long long>(intervals.numSubsetCells()));
  std::printf("%-22s %8s %14s %12s %12s %8s\n", "a step", "kernels", "blocks each", "rates, B", "index, B", "ms");
  const Result expected = run(context, intervals, intervals, size, steps);
  std::printf("%-22s %8d %14s %12lld %12d %8.3f\n", "intervals", 2, "-",
    static_cast<long long>(8 * intervals.numSubsetPlaces()), 0, expected.milliseconds);

  const std::pair<const char*, field::BlockGrouping> groupings[] = {{"blocks, naive", field::BlockGrouping::Naive},
    {"blocks, bit mask", field::BlockGrouping::BitMask}, {"blocks, contiguous", field::BlockGrouping::Contiguous}};
  bool isRight = intervals.numSubsetCells() > 0;
  for (const auto& [name, grouping] : groupings) {
    for (const field::BlockOrder order :
      {field::BlockOrder::Row, field::BlockOrder::Morton, field::BlockOrder::Hilbert}) {
      Blocks blocks;
      field::buildBlocks<Space, 3>(context, cells, catalyst, {order, grouping}, blocks);
      const Result found = run(context, intervals, blocks, size, steps);
      isRight = isRight && found.values == expected.values;
      if (order != field::BlockOrder::Row) {
        continue; // the orders have the same bits too
      }
      const auto count = [&](field::SubsetGroup group) {
        const auto range = blocks.blocksOf(group);
        return std::to_string(range.end - range.begin);
      };
      const bool separates = blocks.separatesGroups();
      std::printf("%-22s %8d %14s %12lld %12lld %8.3f\n", name, separates ? 2 : 1,
        separates ? (count(field::SubsetGroup::With) + ", " + count(field::SubsetGroup::Without)).c_str()
                  : count(field::SubsetGroup::All).c_str(),
        static_cast<long long>(8 * blocks.numSubsetPlaces()),
        grouping == field::BlockGrouping::BitMask ? static_cast<long long>(8 * blocks.numBlocks()) : 0LL,
        found.milliseconds);
    }
  }
  std::printf("the values are %s\n", isRight ? "equal" : "NOT equal");
  return isRight;
}

} // namespace

int main(int argc, char** argv) {
  const int size = argc > 1 ? std::atoi(argv[1]) : 96;
  const int steps = argc > 2 ? std::atoi(argv[2]) : 20;
  spanwise::startRuntime();
  return runAll(size, steps) ? 0 : 1;
}
