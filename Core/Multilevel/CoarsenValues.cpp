#include "Core/Multilevel/CoarsenValues.hpp"

#include "Core/Geometry/ValueBounds.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Runtime/ForEachPart.hpp"
#include "Core/Runtime/Label.hpp"

#include <type_traits>

namespace spanwise::multilevel {

namespace {

template <int Dim>
inline constexpr int numChildren = 2 * childRows<Dim>;

/// Walks the children of the cells of a coarse interval: one cursor in each row of them.
template <int Dim>
class ChildCursor {
public:
  KOKKOS_FUNCTION ChildCursor(
    const geometry::IntervalSetView<Dim>& fine, const geometry::RowKey<Dim>& key, geometry::Coordinate first)
    : fine_(fine) {
    for (int k = 0; k < childRows<Dim>; ++k) {
      const std::int64_t y = 2 * std::int64_t{key.y} + (k & 1);
      const std::int64_t z = 2 * std::int64_t{key.zOr0()} + (k >> 1);
      const std::int64_t x =
        Kokkos::max<std::int64_t>(2 * std::int64_t{first}, geometry::minCoordinate); // before it are none
      next_[k] = end_[k] = 0;
      if (geometry::isCellCoordinate(x) && geometry::isCellCoordinate(y) &&
        geometry::isCellCoordinate(z)) { // others have no children
        const std::int64_t row = fine.findRow(childRow(key, k));
        if (row >= 0) {
          next_[k] = fine.lowerInterval(row, static_cast<geometry::Coordinate>(x));
          end_[k] = fine.rowOffsets[row + 1];
        }
      }
    }
  }

  /// The children of the coarse cell x in the order of cells; returns how many. Cells must be asked for in order.
  KOKKOS_FUNCTION int childrenOf(geometry::Coordinate x, std::int64_t (&children)[numChildren<Dim>]) {
    int count = 0;
    for (int k = 0; k < childRows<Dim>; ++k) {
      for (int side = 0; side < 2; ++side) {
        const std::int64_t at = 2 * std::int64_t{x} + side;
        while (next_[k] < end_[k] && fine_.intervals[next_[k]].end <= at) {
          ++next_[k];
        }
        if (next_[k] < end_[k] && fine_.intervals[next_[k]].begin <= at) {
          children[count++] = fine_.cellOffsets[next_[k]] + (at - fine_.intervals[next_[k]].begin);
        }
      }
    }
    return count;
  }

private:
  geometry::IntervalSetView<Dim> fine_;
  std::int64_t next_[childRows<Dim>];
  std::int64_t end_[childRows<Dim>];
};

/// Calls body(cell, children, count) for the coarse cells of an interval, with the children that each has.
template <int Dim, class Body>
KOKKOS_FUNCTION void forParents(const geometry::IntervalSetView<Dim>& coarse,
  const geometry::IntervalSetView<Dim>& fine, std::int64_t row, std::int64_t i, const Body& body) {
  const geometry::Interval cells = coarse.intervals[i];
  ChildCursor<Dim> cursor(fine, coarse.rowKeys[row], cells.begin);
  std::int64_t children[numChildren<Dim>];
  std::int64_t cell = coarse.cellOffsets[i];
  for (geometry::Coordinate x = cells.begin; x < cells.end; ++x, ++cell) {
    const int count = cursor.childrenOf(x, children);
    body(cell, children, count);
  }
}

/// The part of each fine cell that counts; all of it where there are none.
struct Shares {
  const double* values;
  KOKKOS_FUNCTION double operator()(std::int64_t cell) const { return values == nullptr ? 1.0 : values[cell]; }
};

/// Adds up to 2^31 numbers. The sum of whole ones is exact, and then limited to the range of their type.
template <class T>
class Total {
public:
  KOKKOS_FUNCTION void add(T value) {
    if constexpr (std::is_floating_point_v<T>) {
      sum_ += value;
    } else if constexpr (sizeof(T) < sizeof(std::int64_t)) {
      high_ += static_cast<std::int64_t>(value);
    } else { // in halves, as a sum may need more than 64 bits
      high_ += static_cast<std::int64_t>(value >> 32);
      low_ += static_cast<std::uint64_t>(value) & 0xffffffffU;
    }
  }

  [[nodiscard]] KOKKOS_FUNCTION T value() const {
    if constexpr (std::is_floating_point_v<T>) {
      return sum_;
    } else {
      constexpr T most = Kokkos::Experimental::finite_max_v<T>;
      constexpr T least = Kokkos::Experimental::finite_min_v<T>;
      constexpr int shift = sizeof(T) < sizeof(std::int64_t) ? 0 : 32;
      const std::int64_t high = high_ + static_cast<std::int64_t>(low_ >> 32);
      if (high > static_cast<std::int64_t>(most >> shift)) {
        return most;
      }
      if (high < static_cast<std::int64_t>(least >> shift)) {
        return least;
      }
      return shift == 0 ? static_cast<T>(high)
                        : static_cast<T>((static_cast<std::uint64_t>(high) << 32) | (low_ & 0xffffffffU));
    }
  }

private:
  T sum_{};
  std::int64_t high_ = 0;
  std::uint64_t low_ = 0;
};

/// A number in [low, high] as a value of the type; whole ones are rounded.
template <class T>
KOKKOS_FUNCTION T toValue(double number, T low, T high) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(number);
  } else { // the ends may not be exact in double
    const double rounded = Kokkos::round(number);
    return rounded <= static_cast<double>(low) ? low
      : rounded >= static_cast<double>(high)   ? high
                                               : static_cast<T>(rounded);
  }
}

/// Values at equal distances: whether a field lies in groups is not asked for each of them.
template <class T>
struct Strided {
  T* values;
  std::int64_t componentStride;
  std::int64_t cellStride;

  explicit Strided(const FieldView<T>& field)
    : values(field.values), componentStride(field.componentStride), cellStride(field.cellStride) {}

  KOKKOS_FORCEINLINE_FUNCTION T& operator()(std::int64_t cell, int c) const {
    return values[c * componentStride + cell * cellStride];
  }
};

template <int Dim, class T>
struct WriteCoarse {
  geometry::IntervalSetView<Dim> coarse;
  geometry::IntervalSetView<Dim> fine;
  CoarseValue rule;
  Shares shares;
  Strided<const T> from;
  Strided<T> to;
  int numComponents;

  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t /*k*/, std::int64_t i) const {
    forParents(coarse, fine, row, i, [&](std::int64_t cell, const auto& children, int count) {
      for (int c = 0; c < numComponents && count > 0; ++c) {
        to(cell, c) = valueOf(children, count, c);
      }
    });
  }

  /// Of one child at least.
  KOKKOS_FUNCTION T valueOf(const std::int64_t (&children)[numChildren<Dim>], int count, int c) const {
    T values[numChildren<Dim>];
    values[0] = from(children[0], c);
    for (int k = 1; k < count; ++k) {
      values[k] = from(children[k], c);
    }
    switch (rule) {
    case CoarseValue::Mean:
      return meanOf(children, values, count);
    case CoarseValue::MostFrequent:
      return mostFrequentOf(children, values, count);
    case CoarseValue::Sum: {
      Total<T> total;
      for (int k = 0; k < count; ++k) {
        total.add(values[k]);
      }
      return total.value();
    }
    default:
      break;
    }
    T result = values[0];
    for (int k = 1; k < count && rule != CoarseValue::First; ++k) {
      const bool better = rule == CoarseValue::Minimum ? values[k] < result : values[k] > result;
      result = better || result != result ? values[k] : result; // NaN differs from itself
    }
    return result;
  }

  KOKKOS_FUNCTION T meanOf(
    const std::int64_t (&children)[numChildren<Dim>], const T (&values)[numChildren<Dim>], int count) const {
    T low = values[0];
    T high = values[0];
    double sum = 0.0;
    double volume = 0.0;
    for (int k = 0; k < count; ++k) {
      const double share = shares(children[k]);
      sum += share * static_cast<double>(values[k]);
      volume += share;
      low = values[k] < low ? values[k] : low;
      high = values[k] > high ? values[k] : high;
    }
    return toValue(sum / volume, low, high);
  }

  KOKKOS_FUNCTION T mostFrequentOf(
    const std::int64_t (&children)[numChildren<Dim>], const T (&values)[numChildren<Dim>], int count) const {
    T best = values[0];
    double most = 0.0;
    for (int k = 0; k < count; ++k) {
      double volume = 0.0;
      for (int other = 0; other < count; ++other) {
        volume += values[other] == values[k] ? shares(children[other]) : 0.0;
      }
      if (volume > most) {
        most = volume;
        best = values[k];
      }
    }
    return best;
  }
};

} // namespace

template <class ExecutionSpace, int Dim, class T>
void coarsenValues(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& coarse,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& fine, const CoveredValues<T>& fineValues, CoarseValue rule,
  const FieldView<T>& coarseValues) {
  SPANWISE_REGION("Multilevel::coarsenValues");
  const geometry::IntervalSetView<Dim> cells = coarse.view();
  forEachPart(context.space(), SPANWISE_KERNEL("coarsen values"), cells.rowOffsets, cells.numRows, cells.numIntervals,
    WriteCoarse<Dim, T>{cells, fine.view(), rule, {fineValues.shares}, Strided<const T>(fineValues.values),
      Strided<T>(coarseValues), coarseValues.numComponents});
}

template <class ExecutionSpace, int Dim>
void coverOf(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& coarse,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& fine, const double* shares, double* coarseShares) {
  SPANWISE_REGION("Multilevel::coverOf");
  const geometry::IntervalSetView<Dim> cells = coarse.view();
  const geometry::IntervalSetView<Dim> finer = fine.view();
  const Shares ofFine{shares};
  forEachPart(
    context.space(), SPANWISE_KERNEL("cover"), cells.rowOffsets, cells.numRows, cells.numIntervals,
    KOKKOS_LAMBDA(std::int64_t row, std::int64_t /*k*/, std::int64_t i) {
      forParents(
        cells, finer, row, i, [&](std::int64_t cell, const std::int64_t (&children)[numChildren<Dim>], int count) {
          double sum = 0.0;
          for (int k = 0; k < count; ++k) {
            sum += ofFine(children[k]);
          }
          coarseShares[cell] = sum / numChildren<Dim>;
        });
    });
}

#define SPANWISE_COARSEN_VALUES(T, Space, Dim)                                                                         \
  template void coarsenValues<Space, Dim, T>(const Context<Space>&, const geometry::IntervalSetOn<Dim, Space>&,        \
    const geometry::IntervalSetOn<Dim, Space>&, const CoveredValues<T>&, CoarseValue, const FieldView<T>&);
#define SPANWISE_COVER_OF(Space, Dim)                                                                                  \
  template void coverOf<Space, Dim>(const Context<Space>&, const geometry::IntervalSetOn<Dim, Space>&,                 \
    const geometry::IntervalSetOn<Dim, Space>&, const double*, double*);                                               \
  SPANWISE_FOR_EACH_ARRAY_TYPE(SPANWISE_COARSEN_VALUES, Space, Dim)
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_COVER_OF)

} // namespace spanwise::multilevel
