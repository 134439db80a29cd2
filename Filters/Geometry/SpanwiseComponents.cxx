#include "SpanwiseComponents.h"

#include "SpanwiseLattice.h"
#include "SpanwisePeriods.h"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Components.hpp"
#include "Core/Geometry/EulerNumber.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Runtime/UnionFind.hpp"

#include <vtkIdTypeArray.h>
#include <vtkNew.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace spanwise {

namespace {

using Host = HostExecutionSpace;
using Numbers = ComponentNumbers<Host>;

/// The components of the cells that a rank has, and where their numbers begin among those of all ranks.
struct LocalComponents {
  Numbers labels;
  std::int64_t count = 0;
  std::int64_t offset = 0; ///< those of the ranks before
  std::int64_t total = 0;
};

template <int Dim>
Numbers labelsOf(
  Connectivity connectivity, const Periods<Dim>& periods, const HostIntervalSet<Dim>& set, std::int64_t& count) {
  Workspace<Kokkos::HostSpace> workspace;
  Numbers labels(SPANWISE_LABEL("Geometry::labels"), static_cast<std::size_t>(set.numIntervals()));
  count = connectedComponents<Host, Dim>(Host(), connectivity, set, labels, workspace, periods);
  return labels;
}

/// The planes of this rank beside a cut, and those of others beside them, with the numbers of their components.
template <int Dim>
RankCells<Dim> cellsAtCuts(const Team& team, const Periods<Dim>& periods, const PlaneRange& owned,
  const HostIntervalSet<Dim>& set, const LocalComponents& local) {
  const Halo halo = haloOf<Dim>(1, periods);
  const PlaneRange own = halo.periodic() ? owned.within(halo.period) : owned;
  RankCells<Dim> cells;
  vtkNew<vtkIdTypeArray> numbers;
  numbers->SetName("number");
  team.agree([&] {
    HostIntervalSet<Dim> first;
    HostIntervalSet<Dim> last;
    restrictRows<Host, Dim>(Host(), set, PlaneRange{own.begin, own.begin + 1}.within(own), first);
    restrictRows<Host, Dim>(Host(), set, PlaneRange{own.end - 1, own.end}.within(own), last);
    Workspace<Kokkos::HostSpace> workspace;
    combine<Host, Dim>(Host(), SetOperation::Union, first, last, cells.set, workspace);
    numbers->SetNumberOfValues(cells.set.numCells());
    const IntervalSetView<Dim> view = cells.set.view();
    const IntervalSetView<Dim> all = set.view();
    for (std::int64_t r = 0; r < view.numRows; ++r) {
      const std::int64_t row = all.findRow(view.rowKeys[r]);
      const std::int64_t ahead = all.rowOffsets[row] - view.rowOffsets[r];
      for (std::int64_t i = view.rowOffsets[r]; i < view.rowOffsets[r + 1]; ++i) {
        const std::int64_t number = local.offset + local.labels(static_cast<std::size_t>(i + ahead));
        std::fill(numbers->GetPointer(view.cellOffsets[i]), numbers->GetPointer(0) + view.cellOffsets[i + 1], number);
      }
    }
  });
  cells.values->AddArray(numbers);
  addHalo(team, owned, cells, halo);
  return cells;
}

/// Pairs of numbers that are one component, of this rank and what is beside its cuts.
template <int Dim>
std::vector<std::int64_t> touching(
  Connectivity connectivity, const Periods<Dim>& periods, const RankCells<Dim>& atCuts) {
  std::int64_t count = 0;
  const Numbers labels = labelsOf<Dim>(connectivity, withoutSlowest(periods), atCuts.set, count);
  auto* numbers = vtkIdTypeArray::SafeDownCast(atCuts.values->GetArray("number"));
  const IntervalSetView<Dim> view = atCuts.set.view();
  std::vector<std::int64_t> firstOf(static_cast<std::size_t>(count), -1);
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  for (std::int64_t i = 0; i < view.numIntervals; ++i) {
    const std::int64_t number = numbers->GetValue(view.cellOffsets[i]);
    std::int64_t& first = firstOf[static_cast<std::size_t>(labels(static_cast<std::size_t>(i)))];
    if (first < 0) {
      first = number;
    } else if (first != number) {
      pairs.emplace_back(first, number);
    }
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  std::vector<std::int64_t> flat;
  for (const auto& [a, b] : pairs) {
    flat.insert(flat.end(), {a, b});
  }
  return flat;
}

/// Which numbers are one component: of those that touch another, the least of their component.
class Merged {
public:
  explicit Merged(const std::vector<std::int64_t>& pairs) : numbers_(pairs) {
    std::sort(numbers_.begin(), numbers_.end());
    numbers_.erase(std::unique(numbers_.begin(), numbers_.end()), numbers_.end());
    std::vector<std::int64_t> parents(numbers_.size());
    std::iota(parents.begin(), parents.end(), 0);
    const UnionFind trees(parents.data());
    for (std::size_t k = 0; k < pairs.size(); k += 2) {
      trees.join(placeOf(pairs[k]), placeOf(pairs[k + 1]));
    }
    for (std::size_t k = 0; k < numbers_.size(); ++k) {
      roots_.push_back(numbers_[static_cast<std::size_t>(trees.root(static_cast<std::int64_t>(k)))]);
      if (roots_[k] != numbers_[k]) {
        gone_.push_back(numbers_[k]);
      }
    }
  }

  [[nodiscard]] bool touches(std::int64_t number) const {
    return std::binary_search(numbers_.begin(), numbers_.end(), number);
  }
  /// The least number of the component.
  [[nodiscard]] std::int64_t root(std::int64_t number) const {
    return touches(number) ? roots_[static_cast<std::size_t>(placeOf(number))] : number;
  }
  /// The number that is left for a least number when all others are gone.
  [[nodiscard]] std::int64_t finalNumber(std::int64_t root) const {
    return root - (std::lower_bound(gone_.begin(), gone_.end(), root) - gone_.begin());
  }
  [[nodiscard]] std::int64_t numGone() const { return static_cast<std::int64_t>(gone_.size()); }

private:
  [[nodiscard]] std::int64_t placeOf(std::int64_t number) const {
    return std::lower_bound(numbers_.begin(), numbers_.end(), number) - numbers_.begin();
  }

  std::vector<std::int64_t> numbers_; ///< that touch another, ascending
  std::vector<std::int64_t> roots_;   ///< of them
  std::vector<std::int64_t> gone_;    ///< those that are not the least of their component
};

template <int Dim>
void append(std::vector<std::int64_t>& numbers, const ComponentMeasures<Dim>& measures) {
  numbers.push_back(measures.size);
  for (int d = 0; d < Dim; ++d) {
    numbers.insert(numbers.end(),
      {measures.box.begin[d], measures.box.end[d], static_cast<std::int64_t>(measures.momentLow[d]),
        static_cast<std::int64_t>(measures.momentHigh[d])});
  }
}

template <int Dim>
ComponentMeasures<Dim> measuresFrom(const std::int64_t* numbers) {
  ComponentMeasures<Dim> measures{};
  measures.size = *numbers++;
  for (int d = 0; d < Dim; ++d, numbers += 4) {
    measures.box.begin[d] = static_cast<Coordinate>(numbers[0]);
    measures.box.end[d] = static_cast<Coordinate>(numbers[1]);
    measures.momentLow[d] = static_cast<std::uint64_t>(numbers[2]);
    measures.momentHigh[d] = static_cast<std::uint64_t>(numbers[3]);
  }
  return measures;
}

/// Gives the parts of components that touch others the measures of the whole. Collective.
template <int Dim>
void addMeasures(const Team& team, const Merged& merged, std::int64_t offset, RankComponents<Dim>& components) {
  std::vector<std::int64_t> mine;
  for (std::size_t k = 0; k < components.parts.size(); ++k) {
    const std::int64_t number = offset + static_cast<std::int64_t>(k);
    if (merged.touches(number)) {
      mine.push_back(merged.root(number));
      append(mine, components.parts[k].measures);
    }
  }
  const std::vector<std::int64_t> all = team.gather(mine);
  std::map<std::int64_t, ComponentMeasures<Dim>> sums;
  constexpr std::size_t stride = 2 + 4 * Dim;
  for (std::size_t k = 0; k < all.size(); k += stride) {
    sums.try_emplace(all[k], ComponentMeasures<Dim>::none()).first->second.add(measuresFrom<Dim>(&all[k + 1]));
  }
  for (std::size_t k = 0; k < components.parts.size(); ++k) {
    const std::int64_t number = offset + static_cast<std::int64_t>(k);
    const auto sum = sums.find(merged.root(number));
    if (sum != sums.end()) {
      components.parts[k].measures = sum->second;
    }
  }
}

template <int Dim>
std::int64_t numberOf(Connectivity connectivity, const Periods<Dim>& periods, const HostIntervalSet<Dim>& set) {
  Workspace<Kokkos::HostSpace> workspace;
  return eulerNumber<Host, Dim>(Host(), connectivity, set, workspace, periods);
}

/// The Euler number of this rank's planes and the plane below, without that of the plane below alone: of what all ranks
/// have of it the sum is the number of the whole.
template <int Dim>
std::int64_t ownEulerNumber(Connectivity connectivity, const Periods<Dim>& periods, const PlaneRange& owned,
  const HostIntervalSet<Dim>& set, const HostIntervalSet<Dim>& atCuts) {
  const Halo halo = haloOf<Dim>(1, periods);
  const std::int64_t first = (halo.periodic() ? owned.within(halo.period) : owned).begin;
  HostIntervalSet<Dim> below;
  HostIntervalSet<Dim> both;
  if (first > PlaneRange().begin) {
    restrictRows<Host, Dim>(Host(), atCuts, {first - 1, first}, below);
  }
  Workspace<Kokkos::HostSpace> workspace;
  combine<Host, Dim>(Host(), SetOperation::Union, set, below, both, workspace);
  const Periods<Dim> others = withoutSlowest(periods);
  return numberOf<Dim>(connectivity, others, both) - numberOf<Dim>(connectivity, others, below);
}

template <int Dim>
LocalComponents findLocal(const Team& team, Connectivity connectivity, const Periods<Dim>& periods,
  const HostIntervalSet<Dim>& set, RankComponents<Dim>& components) {
  LocalComponents local;
  team.agree([&] {
    local.labels = labelsOf<Dim>(connectivity, periods, set, local.count);
    const ComponentMeasuresOn<Host, Dim> measures(
      SPANWISE_LABEL("Geometry::measures"), static_cast<std::size_t>(local.count));
    measureComponents<Host, Dim>(Host(), set, local.labels, measures);
    components.labels = local.labels;
    components.parts.resize(static_cast<std::size_t>(local.count));
    for (std::size_t k = 0; k < components.parts.size(); ++k) {
      components.parts[k] = {static_cast<std::int64_t>(k), measures(k), true};
    }
  });
  const std::vector<std::int64_t> counts = team.gather(std::vector<std::int64_t>{local.count});
  for (std::size_t r = 0; r < counts.size(); ++r) {
    local.offset += static_cast<int>(r) < team.rank() ? counts[r] : 0;
    local.total += counts[r];
  }
  return local;
}

/// The intervals of the parts that `isKept`.
template <int Dim, class IsKept>
void selectParts(const HostIntervalSet<Dim>& set, const RankComponents<Dim>& components, const IsKept& isKept,
  HostIntervalSet<Dim>& out) {
  const ComponentNumbers<Host> keep(SPANWISE_LABEL("Geometry::kept"), components.parts.size());
  for (std::size_t k = 0; k < components.parts.size(); ++k) {
    keep(k) = static_cast<std::int64_t>(isKept(components.parts[k]));
  }
  Workspace<Kokkos::HostSpace> workspace;
  selectComponents<Host, Dim>(Host(), set, components.labels, keep, 1, 1, out, workspace);
}

} // namespace

template <int Dim>
RankComponents<Dim> findComponents(const Team& team, Connectivity connectivity, const Periods<Dim>& periods,
  const PlaneRange& owned, const HostIntervalSet<Dim>& set, WithEulerNumber withEulerNumber) {
  const bool hasEulerNumber =
    withEulerNumber == WithEulerNumber::Yes && (Dim == 2 || connectivity != Connectivity::Edge);
  RankComponents<Dim> components;
  const Periods<Dim> own = team.alone() ? periods : withoutSlowest(periods);
  const LocalComponents local = findLocal<Dim>(team, connectivity, own, set, components);
  components.count = local.total;
  if (team.alone()) {
    if (hasEulerNumber) {
      components.eulerNumber = numberOf<Dim>(connectivity, periods, set);
    }
    return components;
  }
  const RankCells<Dim> atCuts = cellsAtCuts<Dim>(team, periods, owned, set, local);
  std::vector<std::int64_t> pairs;
  std::int64_t ownNumber = 0;
  team.agree([&] {
    pairs = touching<Dim>(connectivity, periods, atCuts);
    if (hasEulerNumber) {
      ownNumber = ownEulerNumber<Dim>(connectivity, periods, owned, set, atCuts.set);
    }
  });
  const Merged merged(team.gather(pairs));
  addMeasures<Dim>(team, merged, local.offset, components);
  for (std::size_t k = 0; k < components.parts.size(); ++k) {
    const std::int64_t number = local.offset + static_cast<std::int64_t>(k);
    const std::int64_t root = merged.root(number);
    components.parts[k].number = merged.finalNumber(root);
    components.parts[k].first = root == number;
  }
  components.count -= merged.numGone();
  if (hasEulerNumber) {
    components.eulerNumber = team.sum(ownNumber);
  }
  return components;
}

template <int Dim>
std::int64_t largestOf(const Team& team, const RankComponents<Dim>& components) {
  std::int64_t size = 0;
  for (const auto& part : components.parts) {
    size = std::max(size, part.measures.size);
  }
  size = team.maximum(size);
  if (size == 0) {
    return -1;
  }
  std::int64_t number = std::numeric_limits<std::int64_t>::max();
  for (const auto& part : components.parts) {
    number = part.measures.size == size ? std::min(number, part.number) : number;
  }
  return -team.maximum(-number);
}

template <int Dim>
HostIntervalSet<Dim> largestComponentOf(
  const Team& team, Connectivity connectivity, const PlaneRange& owned, const HostIntervalSet<Dim>& set) {
  const RankComponents<Dim> components = findComponents<Dim>(team, connectivity, {}, owned, set, WithEulerNumber::No);
  const std::int64_t largest = largestOf(team, components);
  HostIntervalSet<Dim> result;
  team.agree(
    [&] { selectParts<Dim>(set, components, [&](const auto& part) { return part.number == largest; }, result); });
  return result;
}

template <int Dim>
std::int64_t numberOfCell(
  const Team& team, const RankComponents<Dim>& components, const HostIntervalSet<Dim>& set, const Cell<Dim>& cell) {
  const std::int64_t label = componentOf<Host, Dim>(Host(), set, components.labels, cell);
  return team.maximum(label < 0 ? -1 : components.parts[static_cast<std::size_t>(label)].number);
}

template <int Dim>
HostIntervalSet<Dim> filled(const Team& team, Connectivity connectivity, std::int64_t largestHole,
  const Periods<Dim>& periods, const PlaneRange& owned, const HostIntervalSet<Dim>& set) {
  const Box<Dim> cells = boundingBoxOfAll<Dim>(team, {&set});
  const Box<Dim> box = boxOfHoles(cells, periods); // the same on all ranks, an error too
  if (cells.empty()) {
    return {};
  }
  Workspace<Kokkos::HostSpace> workspace;
  HostIntervalSet<Dim> background;
  team.agree([&] { complement<Host, Dim>(Host(), set, inPlanes(box, owned), background, workspace); });
  const RankComponents<Dim> components =
    findComponents<Dim>(team, connectivity, periods, owned, background, WithEulerNumber::No);
  Cell<Dim> last{};
  for (int d = 0; d < Dim; ++d) {
    last.at[d] = box.end[d] - 1;
  }
  const std::int64_t alsoOutside = numberOfCell<Dim>(team, components, background, last); // as the first is, number 0
  HostIntervalSet<Dim> result;
  team.agree([&] {
    const auto isFilled = [&](const auto& part) {
      return part.number != 0 && part.number != alsoOutside && part.measures.size <= largestHole;
    };
    HostIntervalSet<Dim> holes;
    selectParts<Dim>(background, components, isFilled, holes);
    combine<Host, Dim>(Host(), SetOperation::Union, set, holes, result, workspace);
  });
  return result;
}

#define SPANWISE_COMPONENTS(Dim)                                                                                       \
  template RankComponents<Dim> findComponents<Dim>(                                                                    \
    const Team&, Connectivity, const Periods<Dim>&, const PlaneRange&, const HostIntervalSet<Dim>&, WithEulerNumber);  \
  template std::int64_t largestOf<Dim>(const Team&, const RankComponents<Dim>&);                                       \
  template HostIntervalSet<Dim> largestComponentOf<Dim>(                                                               \
    const Team&, Connectivity, const PlaneRange&, const HostIntervalSet<Dim>&);                                        \
  template std::int64_t numberOfCell<Dim>(                                                                             \
    const Team&, const RankComponents<Dim>&, const HostIntervalSet<Dim>&, const Cell<Dim>&);                           \
  template HostIntervalSet<Dim> filled<Dim>(                                                                           \
    const Team&, Connectivity, std::int64_t, const Periods<Dim>&, const PlaneRange&, const HostIntervalSet<Dim>&);
SPANWISE_COMPONENTS(2)
SPANWISE_COMPONENTS(3)

} // namespace spanwise
