#pragma once

#include "Core/Geometry/Detail/StepChain.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Geometry/Morphology.hpp"
#include "Core/Geometry/RowLimit.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Reduce.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace spanwise::geometry::detail {

template <int Dim>
struct CountWidenedRows {
  IntervalSetView<Dim> set;
  std::int64_t reach;

  KOKKOS_FUNCTION void operator()(std::int64_t r, std::int64_t& sum) const {
    const RowKey<Dim> key = set.rowKeys[r];
    const bool hasNext = r + 1 < set.numRows && set.rowKeys[r + 1].zOr0() == key.zOr0();
    sum += hasNext ? Kokkos::min(reach, static_cast<std::int64_t>(set.rowKeys[r + 1].y) - key.y) : reach;
  }
};

/// How many rows there are when each has become those from it to the one `reach` - 1 behind it along y.
template <class Space, int Dim>
std::int64_t countWidenedRows(const Space& space, const IntervalSetView<Dim>& set, std::int64_t reach) {
  std::int64_t widened = 0;
  reduce(SPANWISE_KERNEL("widened rows"), IndexRange<Space>(space, 0, set.numRows), CountWidenedRows<Dim>{set, reach},
    widened);
  return widened;
}

/// morph() as a chain of steps.
///
/// There are two ways on intervals for each side, and masks, since each is worth it where it is used. Cubes to 9 cells
/// and balls on a million intervals of noise take on masks 0.07 to 0.6 of the time on intervals (one thread, Zen 5),
/// and 0.08 to 0.2 on an H100. Gaps close in wider ones: cubes of 17 to 27 cells take on masks five to eight times as
/// long on the host, and those of 27 one to three times on the H100. On the host windows that slide take 0.3 to 1 of
/// the time of merged copies, which balls are made of. On the H100 a table of rows takes 0.07 to 1 of the time of
/// combining sets, of smooth shapes; that is left for boxes with too many rows for a table.
///
/// On the host it may go `asOnDevice` too, for tests.
template <class Space, int Dim, bool asOnDevice>
class MorphInSteps {
  using Chain = StepChain<Space, Dim, asOnDevice>;
  using View = IntervalSetView<Dim>;
  using Element = StructuringElement<Dim>;
  using Factor = typename Element::Factor;
  using Rows = std::vector<typename Element::Row>;

public:
  /// Elements that suit masks are done on masks if these have no more words than `wordsPerInterval` for each interval.
  /// Otherwise a device finds rows in a table if it has no more places than `placesPerRow` for each row.
  MorphInSteps(const Context<Space>& context, const IntervalSetOn<Dim, Space>& set, const Element& element,
    std::int64_t wordsPerInterval = 1, std::int64_t placesPerRow = 16)
    : context_(context), set_(set), element_(element), wordsPerInterval_(wordsPerInterval),
      placesPerRow_(placesPerRow) {}

  void run(MorphologyOperation operation, IntervalSetOn<Dim, Space>& out) {
    onMasks_ = onTable_ = isTooSmall_ = false;
    using enum MorphologyOperation;
    const bool dilatesFirst = operation == Dilate || operation == Close || operation == OuterGradient;
    const bool isGradient = operation == OuterGradient || operation == InnerGradient;
    const bool isTwo = operation == Open || operation == Close;
    if (set_.empty()) {
      out.clear();
      return;
    }
    findBox(dilatesFirst);
    if (!dilatesFirst && isTooSmall_) { // however far the element reaches
      if (operation == InnerGradient) {
        copy(set_, out);
      } else {
        out.clear();
      }
      return;
    }
    if (dilatesFirst) {
      checkRows();
    }
    chooseStorage();
    Chain chain(context_, (isTwo ? 2 : 1) * numSteps() + (isGradient ? 1 : 0), set_, out);
    const View set = set_.view();
    const View first = dilatesFirst ? dilated(chain, set) : eroded(chain, set);
    if (operation == Open) {
      dilated(chain, first);
    } else if (operation == Close) {
      eroded(chain, first);
    } else if (operation == OuterGradient) {
      chain.combined(SetOperation::Difference, first, {}, set, {});
    } else if (operation == InnerGradient) {
      chain.combined(SetOperation::Difference, set, {}, first, {});
    }
  }

private:
  /// The widest window that is made in one step; wider ones are doubled. On a device without a table each step is a
  /// doubling, which keeps more threads busy than chains of rows do.
  [[nodiscard]] std::int64_t widestSlide() const { return !asOnDevice ? 32 : onTable_ ? 17 : 1; }
  static constexpr std::int64_t maxRadiusOnMasks = 5;

  /// Finds the box that holds all that is made. Throws if a cell of the result might leave the limits.
  void findBox(bool dilates) {
    box_ = boundingBox<Space, Dim>(context_, set_);
    const Box<Dim> box = box_;
    for (int axis = 0; axis < Dim; ++axis) {
      const std::int64_t first = element_.first().at[axis];
      const std::int64_t last = element_.last().at[axis];
      const std::int64_t lowest = box.begin[axis] + (dilates ? first : -first);
      const std::int64_t highest = std::int64_t{box.end[axis]} - 1 + (dilates ? last : -last);
      if (lowest <= highest && (!isCellCoordinate(lowest) || !isCellCoordinate(highest))) {
        throw CoordinateOverflow(std::string(dilates ? "dilating" : "eroding") + " the cells " + toString(box) +
          " by an element that reaches from " + std::to_string(first) + " to " + std::to_string(last) + " along axis " +
          std::to_string(axis) + " may pass the coordinate limits [-2^31, 2^31 - 2]");
      }
      isTooSmall_ = isTooSmall_ || lowest > highest; // if eroded: the element lies nowhere in the set
      if (dilates) {
        box_.begin[axis] = static_cast<Coordinate>(lowest);
        box_.end[axis] = static_cast<Coordinate>(highest + 1);
      }
    }
  }

  /// Throws if a dilation may make more rows than maxMadeRows: more than its box has, than the set times the element,
  /// and than the set widened along y, times the element's reach along z.
  void checkRows() const {
    const auto reach = [&](int axis) { return std::int64_t{element_.last().at[axis]} - element_.first().at[axis] + 1; };
    const std::int64_t alongZ = Dim == 2 ? 1 : reach(Dim - 1);
    std::int64_t ofElement = 1;
    for (const Factor& factor : element_.factors()) {
      ofElement = rowProduct(ofElement,
        factor.rows.empty() ? rowProduct(windowOf(factor, 1), Dim == 2 ? 1 : windowOf(factor, Dim - 1))
                            : std::ssize(factor.rows));
    }
    if (std::min(numRowsUpToLimit(box_), rowProduct(set_.numRows(), ofElement)) <= maxMadeRows) {
      return;
    }
    const std::int64_t widened = countWidenedRows(context_.space(), set_.view(), reach(1));
    checkMadeRows(
      rowProduct(widened, alongZ),
      [&] {
        return "dilating a set of " + std::to_string(set_.numRows()) + " rows by an element that reaches over " +
          std::to_string(reach(1)) + (Dim == 2 ? "" : " x " + std::to_string(alongZ)) + " rows may make";
      },
      "use a smaller element");
  }

  /// Whether all is done on masks, and whether a device finds rows in a table.
  void chooseStorage() {
    rows_ = boundingBox<Space, Dim>(context_, set_);
    onTable_ = asOnDevice && hasAtMostRows(box_, placesPerRow_ * set_.numRows());
    // An element away from the origin would need room around the box.
    bool suits = !element_.factors().empty();
    for (int axis = 0; axis < Dim; ++axis) {
      suits = suits && element_.first().at[axis] <= 0 && element_.last().at[axis] >= 0;
    }
    if (!suits || !std::all_of(element_.factors().begin(), element_.factors().end(), suitsMasks)) {
      return;
    }
    onMasks_ = maskHasAtMost(box_, set_.numIntervals() * wordsPerInterval_);
  }

  // --- how many steps ---

  static std::int64_t windowOf(const Factor& box, int axis) { return 2 * std::int64_t{box.radius.at[axis]} + 1; }

  [[nodiscard]] std::int64_t windowSteps(std::int64_t window) const {
    std::int64_t steps = std::min(window, widestSlide()) > 1 ? 1 : 0;
    for (std::int64_t size = widestSlide(); size < window; size *= 2) {
      ++steps;
    }
    return steps;
  }

  /// Whether masks are quick for a factor: rows within a word or two, and boxes not so wide that gaps close, which
  /// makes intervals few, and that the time on masks, which is in proportion, is more than theirs.
  static bool suitsMasks(const Factor& factor) {
    const auto isNarrow = [](const auto& row) { return std::int64_t{row.last} - row.first < widestSpread; };
    if (!factor.rows.empty()) {
      return std::all_of(factor.rows.begin(), factor.rows.end(), isNarrow);
    }
    return std::all_of(
      factor.radius.at, factor.radius.at + Dim, [](Coordinate radius) { return radius <= maxRadiusOnMasks; });
  }

  /// Whether the box is done as the rows that it has.
  [[nodiscard]] bool isSmallBox(const Factor& factor) const {
    constexpr std::int64_t fewRows = 3;
    bool isSmall = (!asOnDevice || onTable_) && factor.rows.empty();
    bool hasWindow = false;
    for (int axis = 1; axis < Dim; ++axis) {
      isSmall = isSmall && windowOf(factor, axis) <= fewRows;
      hasWindow = hasWindow || factor.radius.at[axis] > 0;
    }
    return isSmall && hasWindow;
  }

  static bool sameCells(const typename Element::Row& a, const typename Element::Row& b) {
    return a.first == b.first && a.last == b.last;
  }

  [[nodiscard]] std::int64_t numSteps() const {
    if (onMasks_) {
      return 1;
    }
    std::int64_t steps = 0;
    for (const Factor& factor : element_.factors()) {
      steps += factor.rows.empty() ? numBoxSteps(factor) : numRowSteps(factor.rows);
    }
    return steps;
  }

  [[nodiscard]] std::int64_t numBoxSteps(const Factor& box) const {
    if (isSmallBox(box)) {
      return 1;
    }
    std::int64_t steps = box.radius.x() > 0 ? 1 : 0;
    for (int axis = 1; axis < Dim; ++axis) {
      steps += windowSteps(windowOf(box, axis));
    }
    return steps;
  }

  [[nodiscard]] std::int64_t numRowSteps(const Rows& rows) const {
    if (!asOnDevice || onTable_) {
      return 1;
    }
    std::int64_t steps = std::ssize(rows) - 1; // a combination for each row but the first
    for (std::size_t k = 0; k < rows.size(); ++k) {
      steps += k == 0 || !sameCells(rows[k], rows[k - 1]) ? 1 : 0; // and a resized set for each run of the same cells
    }
    return steps;
  }

  // --- steps ---

  View dilated(Chain& chain, View set) {
    if (onMasks_) {
      return morphedOnMasks<SetOperation::Union>(chain, set);
    }
    for (const Factor& factor : element_.factors()) {
      set = factor.rows.empty() ? dilatedByBox(chain, set, factor) : dilatedByRows(chain, set, factor.rows);
    }
    return set;
  }

  View eroded(Chain& chain, View set) {
    if (onMasks_) {
      return morphedOnMasks<SetOperation::Intersection>(chain, set);
    }
    for (const Factor& factor : element_.factors()) {
      set = factor.rows.empty() ? erodedByBox(chain, set, factor) : erodedByRows(chain, set, factor.rows);
    }
    return set;
  }

  template <SetOperation operation>
  View morphedOnMasks(Chain& chain, const View& set) const {
    auto masks = chain.masks(box_);
    masks.draw(set);
    for (const Factor& factor : element_.factors()) {
      if (factor.rows.empty()) {
        const std::int64_t radius = factor.radius.x();
        masks.spread(operation, -radius, radius);
        for (int axis = 1; axis < Dim; ++axis) {
          masks.combineWindows(operation, axis, factor.radius.at[axis]);
        }
      } else {
        combineRowsOnMasks<operation>(masks, factor.rows);
      }
      masks.endFactor();
    }
    return chain.placed(masks, set.numIntervals);
  }

  /// A union takes the cells before, by the rows of the element, an intersection those behind.
  template <SetOperation operation, class SomeMasks>
  static void combineRowsOnMasks(SomeMasks& masks, const Rows& rows) {
    constexpr bool isUnion = operation == SetOperation::Union;
    constexpr int sign = isUnion ? 1 : -1;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const std::int64_t first = rows[k].first;
      const std::int64_t last = rows[k].last;
      if (k == 0 || !sameCells(rows[k], rows[k - 1])) {
        masks.spread(operation, isUnion ? -last : first, isUnion ? -first : last);
      }
      masks.add(operation, sign * std::int64_t{rows[k].y}, sign * std::int64_t{rows[k].z}, k == 0);
    }
    masks.takeSum();
  }

  // A box is separable: intervals are widened or shrunk, then rows and planes within a window are combined.

  View dilatedByBox(Chain& chain, View set, const Factor& box) {
    if (isSmallBox(box)) {
      return smallBoxCopies<SetOperation::Union>(chain, set, box);
    }
    const std::int64_t radius = box.radius.x();
    if (radius > 0) {
      set = chain.resized(set, -radius, radius);
    }
    for (int axis = 1; axis < Dim; ++axis) {
      set = combinedWindows<SetOperation::Union>(chain, set, axis, windowOf(box, axis), -box.radius.at[axis]);
    }
    return set;
  }

  View erodedByBox(Chain& chain, View set, const Factor& box) {
    if (isSmallBox(box)) {
      return smallBoxCopies<SetOperation::Intersection>(chain, set, box);
    }
    const std::int64_t radius = box.radius.x();
    if (radius > 0) {
      set = chain.resized(set, radius, -radius);
    }
    for (int axis = 1; axis < Dim; ++axis) {
      set = combinedWindows<SetOperation::Intersection>(chain, set, axis, windowOf(box, axis), -box.radius.at[axis]);
    }
    return set;
  }

  /// Each row becomes the union or intersection of itself and of the window - 1 rows before it along the axis, and is
  /// moved by `shift`. Two windows of size n that lie n apart or less make one that is wider.
  template <SetOperation operation>
  View combinedWindows(Chain& chain, View set, int axis, std::int64_t window, std::int64_t shift) {
    // What grows is moved down first, so that nothing passes the limits. What shrinks is moved last: the rows between
    // are then moved up only, and those that pass the limit are in no intersection.
    constexpr bool isUnion = operation == SetOperation::Union;
    Box<Dim> rows = rows_;
    if (onTable_) {
      rows.begin[axis] += static_cast<Coordinate>(shift + (isUnion ? 0 : window - 1));
      rows.end[axis] += static_cast<Coordinate>(shift + (isUnion ? window - 1 : 0));
    }
    std::int64_t size = std::min(window, widestSlide());
    if (size > 1) {
      const bool movesNow = isUnion || size == window;
      set = firstWindows<operation>(chain, set, axis, size, movesNow ? shift : 0);
      shift = movesNow ? 0 : shift;
    }
    while (size < window) {
      const std::int64_t step = std::min(size, window - size);
      const std::int64_t now = isUnion ? shift : 0;
      set = chain.combined(operation, set, RowOffset::along(axis, now), set, RowOffset::along(axis, now + step));
      shift -= now;
      size += step;
    }
    if (shift != 0) {
      chain.moveRowsOfLast(RowOffset::along(axis, shift));
    }
    rows_ = rows;
    return set;
  }

  /// The windows that are made in one step.
  template <SetOperation operation>
  View firstWindows(Chain& chain, const View& set, int axis, std::int64_t window, std::int64_t shift) {
    if constexpr (asOnDevice) {
      // a union takes rows before, and an intersection, whose copies are moved back, too
      constexpr std::int64_t sign = operation == SetOperation::Union ? 1 : -1;
      const auto copyOf = [&](std::int64_t k) {
        const std::int64_t by = sign * (k + shift);
        return MovedCopy::of<Dim>(axis == 1 ? by : 0, axis == 1 ? 0 : by, 0, 0);
      };
      return movedRows<operation>(chain, set, window, copyOf);
    } else {
      if constexpr (Dim == 3) {
        if (axis == 2) {
          return chain.template windows<2, operation>(set, window, shift);
        }
      }
      return chain.template windows<1, operation>(set, window, shift);
    }
  }

  /// Copies of the set found in a table of rows.
  template <SetOperation operation, class CopyOf>
  View movedRows(Chain& chain, const View& set, std::int64_t numCopies, const CopyOf& copyOf) {
    constexpr bool isUnion = operation == SetOperation::Union;
    const auto along = [](const MovedCopy& copy, int axis) { return axis == 1 ? copy.y : copy.z; };
    Box<Dim> to = rows_;
    for (int axis = 1; axis < Dim; ++axis) {
      std::int64_t least = along(copyOf(0), axis);
      std::int64_t most = least;
      for (std::int64_t k = 1; k < numCopies; ++k) {
        least = std::min(least, along(copyOf(k), axis));
        most = std::max(most, along(copyOf(k), axis));
      }
      to.begin[axis] = static_cast<Coordinate>(rows_.begin[axis] + (isUnion ? least : -least));
      to.end[axis] = static_cast<Coordinate>(rows_.end[axis] + (isUnion ? most : -most));
    }
    const View result = chain.template movedRows<operation>({set, rows_, to}, numCopies, copyOf);
    rows_ = to;
    return result;
  }

  // Rows: the set is widened or shrunk as each row of the element says, moved, and joined with what there is so far.

  View dilatedByRows(Chain& chain, const View& set, const Rows& rows) {
    if (!asOnDevice || onTable_) {
      return movedCopies<SetOperation::Union>(chain, set, rows);
    }
    return combinedRows<SetOperation::Union>(chain, set, rows, [](const auto& row) { return RowOffset{row.y, row.z}; });
  }

  View erodedByRows(Chain& chain, const View& set, const Rows& rows) {
    if (!asOnDevice || onTable_) {
      return movedCopies<SetOperation::Intersection>(chain, set, rows);
    }
    // Up only, as for windows: relative to the element's largest coordinates.
    RowOffset most{rows.front().y, rows.front().z};
    for (const auto& row : rows) {
      most = {std::max<std::int64_t>(most.y, row.y), std::max<std::int64_t>(most.z, row.z)};
    }
    const View result = combinedRows<SetOperation::Intersection>(
      chain, set, rows, [&](const auto& row) { return RowOffset{most.y - row.y, most.z - row.z}; });
    chain.moveRowsOfLast({-most.y, -most.z});
    return result;
  }

  template <SetOperation operation>
  View movedCopies(Chain& chain, const View& set, const Rows& rows) {
    std::int64_t farthest = 0;
    for (const auto& row : rows) {
      farthest = std::max({farthest, std::abs(std::int64_t{row.first}), std::abs(std::int64_t{row.last})});
    }
    return movedCopies<operation>(
      chain, set, std::ssize(rows), [&](std::int64_t k) { return rows[static_cast<std::size_t>(k)]; }, farthest);
  }

  template <SetOperation operation>
  View smallBoxCopies(Chain& chain, const View& set, const Factor& box) {
    const Coordinate radius = box.radius.x();
    const std::int64_t numY = windowOf(box, 1);
    const std::int64_t numZ = Dim == 2 ? 1 : windowOf(box, Dim - 1);
    const auto rowOf = [&](std::int64_t k) {
      const auto y = static_cast<Coordinate>(k % numY - numY / 2);
      const auto z = static_cast<Coordinate>(k / numY - numZ / 2);
      return typename Element::Row{y, z, -radius, radius};
    };
    return movedCopies<operation>(chain, set, numY * numZ, rowOf, radius);
  }

  /// `farthest` is how far intervals reach along x from the origin.
  template <SetOperation operation, class RowOf>
  View movedCopies(
    Chain& chain, const View& set, std::int64_t numRows, const RowOf& rowOf, [[maybe_unused]] std::int64_t farthest) {
    constexpr int sign = operation == SetOperation::Union ? 1 : -1;
    const auto copyOf = [&](std::int64_t k) {
      const auto row = rowOf(k);
      return MovedCopy::of<Dim>(row.y, row.z, sign * std::int64_t{row.first}, sign * std::int64_t{row.last});
    };
    if constexpr (asOnDevice) {
      return movedRows<operation>(chain, set, numRows, copyOf);
    } else {
      const bool farFromLimits =
        box_.begin[0] - farthest >= minCoordinate && box_.end[0] + farthest <= std::int64_t{maxIntervalEnd};
      const std::int64_t maxPerRow = (box_.extent(0) + 1) / 2; // with a cell between each and the next
      return chain.template movedCopies<operation>(set, numRows, copyOf, farFromLimits, maxPerRow);
    }
  }

  template <SetOperation operation, class OffsetOf>
  static View combinedRows(Chain& chain, const View& set, const Rows& rows, const OffsetOf& offsetOf) {
    View resized;
    View result;
    RowOffset offset; // of the result, which so far is the resized set itself
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (k == 0 || !sameCells(rows[k], rows[k - 1])) {
        resized = resizedBy<operation>(chain, set, rows[k], result);
      }
      if (k == 0) {
        result = resized;
        offset = offsetOf(rows[k]);
      } else {
        result = chain.combined(operation, result, offset, resized, offsetOf(rows[k]), set);
        offset = {};
      }
    }
    if (!offset.isZero()) {
      chain.moveRowsOfLast(offset); // there is one row only
    }
    return result;
  }

  /// The set widened, or shrunk, by a row of the element.
  template <SetOperation operation>
  static View resizedBy(Chain& chain, const View& set, const typename Element::Row& row, const View& kept) {
    constexpr int sign = operation == SetOperation::Union ? 1 : -1;
    return chain.resized(set, sign * std::int64_t{row.first}, sign * std::int64_t{row.last}, kept);
  }

  const Context<Space>& context_;
  const IntervalSetOn<Dim, Space>& set_;
  const Element& element_;
  std::int64_t wordsPerInterval_;
  std::int64_t placesPerRow_;
  Box<Dim> box_{};
  Box<Dim> rows_{}; ///< has all rows of what has been made so far, where that is asked for
  bool onTable_ = false;
  bool isTooSmall_ = false;
  bool onMasks_ = false;
};

} // namespace spanwise::geometry::detail
