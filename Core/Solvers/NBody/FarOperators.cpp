#include "Core/Solvers/NBody/Detail/FarOperators.hpp"

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Core/Solvers/NBody/Detail/Chebyshev.hpp"
#include "Core/Solvers/NBody/Detail/ChooseExpansions.hpp"
#include "Core/Solvers/NBody/Detail/ExpansionKernels.hpp"
#include "Core/Solvers/NBody/Detail/LowRank.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <list>
#include <mutex>
#include <utility>

namespace spanwise::nbody::detail {

namespace {

template <int Dim>
using Offset = std::array<int, Dim>;

/// Offsets 0 <= t <= 3 of boxes that are not adjacent, in the order of their classes; of all, or of those with t_0 >=
/// t_1 >= t_2 only.
template <int Dim>
std::vector<Offset<Dim>> farOffsets(bool sortedOnly) {
  std::vector<Offset<Dim>> offsets;
  for (int number = 0; number < (Dim == 2 ? 16 : 64); ++number) {
    Offset<Dim> t{};
    for (int axis = 0; axis < Dim; ++axis) {
      t[axis] = (number >> (2 * axis)) & 3;
    }
    if (*std::max_element(t.begin(), t.end()) > 1 &&
      (!sortedOnly || std::is_sorted(t.begin(), t.end(), std::greater<>()))) {
      offsets.push_back(t);
    }
  }
  return offsets;
}

template <int Dim>
int classOf(const Offset<Dim>& t) {
  int number = 0;
  for (int axis = Dim - 1; axis >= 0; --axis) {
    number = 4 * number + t[axis];
  }
  return number;
}

/// The order of axes that makes an offset's parts decrease.
template <int Dim>
Offset<Dim> sortingOrder(const Offset<Dim>& t) {
  Offset<Dim> order{};
  for (int axis = 0; axis < Dim; ++axis) {
    order[axis] = axis;
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return t[a] > t[b]; });
  return order;
}

/// K_t between the coefficients that matter.
struct Coupling {
  std::vector<int> coefficients; ///< those that are odd along the same axes side by side
  std::vector<int> parities;     ///< theirs, ascending
  Dense matrix;                  ///< with padded columns
};

template <int Dim>
class Builder {
public:
  Builder(const RadialFunction& function, int order, double side, double tolerance)
    : function_(function), order_(order), side_(side), numCoefficients_(1), tolerance_(tolerance) {
    for (int axis = 0; axis < Dim; ++axis) {
      numCoefficients_ *= order;
    }
    const std::vector<double> ofNodes = chebyshevTransform(order);
    for (int m = 0; m < order; ++m) {
      for (int k = 0; k < order; ++k) {
        transform_.push_back(ofNodes[k * order + m]);
      }
    }
    const std::int64_t padded = paddedLength<double>(order);
    padded_.assign(padded * order, 0.0);
    for (int k = 0; k < order; ++k) {
      std::copy_n(ofNodes.data() + k * order, order, padded_.data() + k * padded);
    }
    nodes_ = chebyshevNodes(order);
    for (double& node : nodes_) {
      node *= 0.5 * side;
    }
  }

  void build() {
    const Offset<Dim> nearest = [] {
      Offset<Dim> t{};
      t[0] = 2;
      return t;
    }();
    const Dense first = evaluate(nearest);
    if (!std::all_of(first.values.begin(), first.values.end(), [](double value) { return std::isfinite(value); })) {
      throw Error("the interaction is not finite between boxes that are not adjacent");
    }
    for (std::size_t k = 1; k < first.values.size(); ++k) { // all but the constant part
      scale_ = std::max(scale_, std::abs(first.values[k]));
    }
    if (scale_ < 1e-290) { // nothing reaches so far
      return;
    }
    // What is far is added to what is near. Where boxes are so large beside an interaction's length that little of it
    // is left at twice the distance, errors count beside what sources half as far away do.
    const std::array<double, 3> near = valuesAt({0.5 * side_, side_, 2.0 * side_});
    constexpr double steep = 100.0;
    constexpr double shareOfNear = 0.02; // of the bound, which sources half as far away may use up
    const double besideNear = near[1] > steep * near[2] ? shareOfNear * near[0] : 0.0;
    constexpr double rounding = 1e-15; // of the interaction, which may be nearly constant
    min_ = std::max(tolerance_ * std::max(scale_, besideNear), rounding * std::abs(first.values[0]));
    const auto sorted = farOffsets<Dim>(true);
    couplings_.resize(sorted.size());
    inParallel(sorted.size(), [&](std::size_t k) {
      Dense matrix = sorted[k] == nearest ? first : evaluate(sorted[k]);
      couplings_[k] = significant(matrix);
    });
    findBasis();
    const auto all = farOffsets<Dim>(false);
    blocks.resize(all.size());
    inParallel(all.size(), [&](std::size_t k) { blocks[k] = blocksOf(all[k], inBasis(all[k])); });
  }

  struct Block {
    std::vector<ParityRange> directions;
    std::int64_t size = 0;
    LowRank factors;
  };

  Dense basis;                            ///< [numCoefficients x size]
  std::vector<int> parity;                ///< of its columns, in increasing order
  std::vector<std::vector<Block>> blocks; ///< of the offsets farOffsets(false)

  [[nodiscard]] std::int64_t numCoefficients() const { return numCoefficients_; }
  /// Along which axes a coefficient is odd.
  [[nodiscard]] int parityOf(int coefficient) const {
    const Offset<Dim> m = digits(coefficient);
    int result = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      result |= (m[axis] & 1) << axis;
    }
    return result;
  }

private:
  template <class Task>
  static void inParallel(std::size_t count, const Task& task) {
    Kokkos::parallel_for(SPANWISE_KERNEL("far operators"),
      Kokkos::RangePolicy<HostExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>>(0, count), task);
    HostExecutionSpace().fence(SPANWISE_LABEL("NBody::farOperators"));
  }

  /// The number of a coefficient or node along each axis.
  [[nodiscard]] Offset<Dim> digits(int coefficient) const {
    Offset<Dim> result{};
    for (int axis = 0; axis < Dim; ++axis, coefficient /= order_) {
      result[axis] = coefficient % order_;
    }
    return result;
  }
  /// The coefficient whose digit along axis order[k] is that of the given one along axis k.
  [[nodiscard]] int permuted(int coefficient, const Offset<Dim>& order) const {
    const Offset<Dim> m = digits(coefficient);
    Offset<Dim> to{};
    for (int k = 0; k < Dim; ++k) {
      to[order[k]] = m[k];
    }
    int result = 0;
    for (int axis = Dim - 1; axis >= 0; --axis) {
      result = result * order_ + to[axis];
    }
    return result;
  }

  /// What the function is at these distances.
  [[nodiscard]] std::array<double, 3> valuesAt(std::array<double, 3> distances) const {
    std::array<double, 3> values{};
    for (double& r : distances) {
      r *= r;
    }
    function_.values(function_.parameters.data(), distances.data(), values.data(), 3);
    for (double& value : values) {
      value = std::abs(value);
    }
    return values;
  }

  /// From moments of the source to coefficients of the target. Columns are padded.
  [[nodiscard]] Dense evaluate(const Offset<Dim>& t) const {
    Dense matrix(paddedLength<double>(numCoefficients_), numCoefficients_);
    std::vector<double> squares(static_cast<std::size_t>(Dim) * order_); // of the way along each axis
    std::vector<double> r2(numCoefficients_);
    std::vector<double> values(numCoefficients_);
    for (int j = 0; j < numCoefficients_; ++j) {
      const Offset<Dim> source = digits(j);
      for (int axis = 0; axis < Dim; ++axis) {
        for (int i = 0; i < order_; ++i) {
          const double d = nodes_[i] - nodes_[source[axis]] - t[axis] * side_;
          squares[axis * order_ + i] = d * d;
        }
      }
      for (int row = 0; row < numCoefficients_ / order_; ++row) {
        double ofRow = 0.0;
        for (int axis = 1, rest = row; axis < Dim; ++axis, rest /= order_) {
          ofRow += squares[axis * order_ + rest % order_];
        }
        for (int i = 0; i < order_; ++i) {
          r2[row * order_ + i] = squares[i] + ofRow;
        }
      }
      function_.values(function_.parameters.data(), r2.data(), values.data(), numCoefficients_);
      toCoefficients(values.data(), matrix.column(j));
    }
    toMoments(matrix);
    return matrix;
  }

  /// to [numCoefficients] = the coefficients of the polynomial with these values at the nodes.
  void toCoefficients(const double* values, double* to) const {
    const std::int64_t padded = paddedLength<double>(order_);
    std::vector<double> along(padded * numCoefficients_ / order_);
    std::vector<double> other(along.size());
    multiply_(
      {padded, numCoefficients_ / order_, order_, padded_.data(), padded, values, order_, along.data(), padded, false});
    for (std::int64_t inner = padded; inner < std::ssize(along); inner *= order_) {
      transformAlong(inner, along, other);
      std::swap(along, other);
    }
    for (std::int64_t row = 0; row < numCoefficients_ / order_; ++row) {
      std::copy_n(along.data() + row * padded, order_, to + row * order_);
    }
  }

  /// From values at the source's nodes, one for each column, to moments. So many rows at a time that they stay near.
  void toMoments(Dense& matrix) const {
    constexpr std::int64_t atOnce = 2 * paddingOf<double>;
    std::vector<double> rows;
    std::vector<double> other;
    for (std::int64_t first = 0; first < matrix.rows; first += atOnce) {
      const std::int64_t count = std::min(atOnce, matrix.rows - first);
      rows.resize(count * matrix.columns);
      other.resize(rows.size());
      for (std::int64_t c = 0; c < matrix.columns; ++c) {
        std::copy_n(matrix.column(c) + first, count, rows.data() + c * count);
      }
      for (std::int64_t inner = count; inner < std::ssize(rows); inner *= order_) {
        transformAlong(inner, rows, other);
        std::swap(rows, other);
      }
      for (std::int64_t c = 0; c < matrix.columns; ++c) {
        std::copy_n(rows.data() + c * count, count, matrix.column(c) + first);
      }
    }
  }

  /// From values at nodes to coefficients along an axis of an array [outer x order x inner], inner padded.
  void transformAlong(std::int64_t inner, const std::vector<double>& from, std::vector<double>& to) const {
    const std::int64_t block = order_ * inner;
    for (std::int64_t first = 0; first < std::ssize(from); first += block) {
      multiply_({inner, order_, order_, from.data() + first, inner, transform_.data(), order_, to.data() + first, inner,
        false});
    }
  }

  [[nodiscard]] Coupling significant(const Dense& matrix) const {
    std::vector<std::pair<int, int>> numbered; // by parity
    const double least = 0.1 * min_ / std::sqrt(static_cast<double>(matrix.columns));
    for (int c = 0; c < matrix.columns; ++c) {
      double square = 0.0;
      for (int r = 0; r < matrix.columns; ++r) {
        square += matrix.column(c)[r] * matrix.column(c)[r];
      }
      if (square > least * least) {
        numbered.emplace_back(parityOf(c), c);
      }
    }
    std::sort(numbered.begin(), numbered.end());
    Coupling coupling;
    for (const auto& [of, coefficient] : numbered) {
      coupling.parities.push_back(of);
      coupling.coefficients.push_back(coefficient);
    }
    const auto count = static_cast<std::int64_t>(numbered.size());
    coupling.matrix = Dense(paddedLength<double>(count), count);
    for (std::int64_t c = 0; c < count; ++c) {
      for (std::int64_t r = 0; r < count; ++r) {
        coupling.matrix.column(c)[r] = matrix.column(coupling.coefficients[c])[coupling.coefficients[r]];
      }
    }
    return coupling;
  }

  /// Which coupling goes with an offset, and how axes are exchanged.
  [[nodiscard]] std::pair<const Coupling*, Offset<Dim>> couplingOf(const Offset<Dim>& t) const {
    const Offset<Dim> order = sortingOrder<Dim>(t);
    Offset<Dim> sorted{};
    for (int k = 0; k < Dim; ++k) {
      sorted[k] = t[order[k]];
    }
    const auto all = farOffsets<Dim>(true);
    const auto at = std::find(all.begin(), all.end(), sorted) - all.begin();
    return {&couplings_[at], order};
  }

  /// What all offsets reach of one parity.
  [[nodiscard]] Dense directionsOf(int wanted) const {
    std::vector<int> rowOf(numCoefficients_, -1);
    std::vector<int> coefficients;
    for (int m = 0; m < numCoefficients_; ++m) {
      if (parityOf(m) == wanted) {
        rowOf[m] = static_cast<int>(coefficients.size());
        coefficients.push_back(m);
      }
    }
    Dense reached;
    reached.rows = paddedLength<double>(std::ssize(coefficients));
    std::vector<double> column(reached.rows);
    for (const Offset<Dim>& t : farOffsets<Dim>(false)) {
      const auto [coupling, order] = couplingOf(t);
      std::vector<int> rows;
      rows.reserve(coupling->coefficients.size());
      for (const int coefficient : coupling->coefficients) {
        rows.push_back(rowOf[permuted(coefficient, order)]);
      }
      for (std::int64_t c = 0; c < coupling->matrix.columns; ++c) {
        std::fill(column.begin(), column.end(), 0.0);
        double square = 0.0;
        for (std::size_t r = 0; r < rows.size(); ++r) {
          if (rows[r] >= 0) {
            column[rows[r]] = coupling->matrix.column(c)[r];
            square += column[rows[r]] * column[rows[r]];
          }
        }
        if (square > min_ * min_) { // others are reached by nothing
          reached.values.insert(reached.values.end(), column.begin(), column.end());
          ++reached.columns;
        }
      }
    }
    const Dense q = pivotedFactors(multiply_, reached, min_, false).q;
    Dense directions(numCoefficients_, q.columns);
    for (std::int64_t c = 0; c < q.columns; ++c) {
      for (std::size_t r = 0; r < coefficients.size(); ++r) {
        directions.column(c)[coefficients[r]] = q.column(c)[r];
      }
    }
    return directions;
  }

  /// Of parities that differ by an exchange of axes alone, one is found and the others are made of it.
  void findBasis() {
    constexpr int numParities = 1 << Dim;
    constexpr int numSorted = Dim + 1; // so many odd axes, the first ones
    std::array<Dense, numSorted> directions;
    inParallel(numSorted, [&](std::size_t k) { directions[k] = directionsOf((1 << k) - 1); });
    basis.rows = numCoefficients_;
    for (int of = 0; of < numParities; ++of) {
      Offset<Dim> bits{};
      for (int axis = 0; axis < Dim; ++axis) {
        bits[axis] = (of >> axis) & 1;
      }
      const Offset<Dim> order = sortingOrder<Dim>(bits);
      int numOdd = 0;
      for (const int bit : bits) {
        numOdd += bit;
      }
      const Dense& from = directions[numOdd];
      for (std::int64_t c = 0; c < from.columns; ++c) {
        const std::size_t begin = basis.values.size();
        basis.values.resize(begin + numCoefficients_, 0.0);
        for (int m = 0; m < numCoefficients_; ++m) {
          basis.values[begin + permuted(m, order)] = from.column(c)[m];
        }
        parity.push_back(of);
      }
      basis.columns += from.columns;
    }
  }

  /// The basis' directions of one parity at some coefficients.
  [[nodiscard]] Dense directionsAt(
    const int* coefficients, std::int64_t count, std::int64_t first, std::int64_t last) const {
    Dense result(count, last - first);
    for (std::int64_t k = first; k < last; ++k) {
      for (std::int64_t c = 0; c < count; ++c) {
        result.column(k - first)[c] = basis.column(k)[coefficients[c]];
      }
    }
    return result;
  }

  /// Q^T K_t Q.
  [[nodiscard]] Dense inBasis(const Offset<Dim>& t) const {
    const auto [coupling, order] = couplingOf(t);
    const Dense& matrix = coupling->matrix;
    std::vector<int> at;
    at.reserve(coupling->coefficients.size());
    for (const int coefficient : coupling->coefficients) {
      at.push_back(permuted(coefficient, order));
    }
    Dense half(matrix.rows, basis.columns); // K_t Q
    Dense result(basis.columns, basis.columns);
    forEachParity(*coupling, at, [&](std::int64_t begin, std::int64_t count, std::int64_t first, std::int64_t last) {
      const Dense q = directionsAt(at.data() + begin, count, first, last);
      multiply_({matrix.rows, last - first, count, matrix.column(begin), matrix.rows, q.values.data(), q.rows,
        half.column(first), half.rows, false});
    });
    forEachParity(*coupling, at, [&](std::int64_t begin, std::int64_t count, std::int64_t first, std::int64_t last) {
      const Dense q = directionsAt(at.data() + begin, count, first, last);
      Dense turned(paddedLength<double>(last - first), count);
      for (std::int64_t c = 0; c < count; ++c) {
        for (std::int64_t k = 0; k < q.columns; ++k) {
          turned.column(c)[k] = q.column(k)[c];
        }
      }
      Dense rows(turned.rows, basis.columns);
      multiply_({turned.rows, basis.columns, count, turned.values.data(), turned.rows, half.values.data() + begin,
        half.rows, rows.values.data(), rows.rows, false});
      for (std::int64_t k = 0; k < basis.columns; ++k) {
        std::copy_n(rows.column(k), last - first, result.column(k) + first);
      }
    });
    return result;
  }

  /// Calls visit(begin, count, first, last) for the coefficients begin ... begin + count - 1 of a coupling, which are
  /// those `at` after an exchange of axes, and the directions first ... last - 1 that are odd along the same axes.
  template <class Visit>
  void forEachParity(const Coupling& coupling, const std::vector<int>& at, const Visit& visit) const {
    for (auto begin = coupling.parities.begin(); begin != coupling.parities.end();) {
      const auto end = std::upper_bound(begin, coupling.parities.end(), *begin);
      const std::int64_t number = begin - coupling.parities.begin();
      const auto [first, last] = std::equal_range(parity.begin(), parity.end(), parityOf(at[number]));
      if (first != last) {
        visit(number, end - begin, first - parity.begin(), last - parity.begin());
      }
      begin = end;
    }
  }

  /// Q^T K_t Q without the zeros that mirror images make.
  [[nodiscard]] std::vector<Block> blocksOf(const Offset<Dim>& t, const Dense& compressed) const {
    int mirrored = 0; // axes
    for (int axis = 0; axis < Dim; ++axis) {
      mirrored |= static_cast<int>(t[axis] == 0) << axis;
    }
    std::vector<Block> result;
    for (int odd = 0; odd < (1 << Dim); ++odd) {
      if ((odd & mirrored) != odd) {
        continue;
      }
      Block block;
      std::vector<std::int64_t> numbers;
      for (int of = 0; of < (1 << Dim); ++of) {
        const auto [first, last] = std::equal_range(parity.begin(), parity.end(), of);
        if ((of & mirrored) == odd && first != last) {
          block.directions.push_back({static_cast<std::int32_t>(first - parity.begin()),
            static_cast<std::int32_t>(last - first), static_cast<std::int32_t>(of)});
          for (auto at = first; at != last; ++at) {
            numbers.push_back(at - parity.begin());
          }
        }
      }
      block.size = std::ssize(numbers);
      Dense part(paddedLength<double>(block.size), block.size);
      for (std::int64_t c = 0; c < block.size; ++c) {
        for (std::int64_t r = 0; r < block.size; ++r) {
          part.column(c)[r] = compressed.column(numbers[c])[numbers[r]];
        }
      }
      block.factors = pivotedFactors(multiply_, part, min_, true);
      if (block.factors.q.columns > 0) {
        result.push_back(std::move(block));
      }
    }
    return result;
  }

  RadialFunction function_;
  int order_;
  double side_;
  std::int64_t numCoefficients_;
  double tolerance_;
  double scale_ = 0.0;            ///< the variation of the function between the nearest boxes
  double min_ = 0.0;              ///< what operators may be off by
  std::vector<double> transform_; ///< from values at nodes to coefficients [coefficients x nodes], row by row
  std::vector<double> padded_;    ///< the same column by column, with padded columns
  std::vector<double> nodes_;
  std::vector<Coupling> couplings_; ///< of the offsets farOffsets(true)
  decltype(ExpansionKernels<Dim, double>::multiply) multiply_ =
    chooseExpansions<Dim, double>(InstructionSet::Avx512).multiply;
};

/// The blocks of a class as one matrix with zeros between them.
template <class Class>
void joinBlocks(std::int64_t basisSize, Class& of) {
  using Real = typename decltype(of.source)::value_type;
  const std::int64_t paddedSize = paddedLength<Real>(basisSize);
  const std::int64_t paddedRank = paddedLength<Real>(of.rank);
  of.source.assign(paddedRank * basisSize, Real(0));
  of.target.assign(paddedSize * of.rank, Real(0));
  std::int64_t firstRank = 0;
  for (const auto& block : of.blocks) {
    std::int64_t b = 0;
    for (const ParityRange& range : block.directions) {
      for (std::int64_t at = range.begin; at < range.begin + range.count; ++at, ++b) {
        for (std::int64_t r = 0; r < block.rank; ++r) {
          of.source[at * paddedRank + firstRank + r] = block.source[b * paddedLength<Real>(block.rank) + r];
          of.target[(firstRank + r) * paddedSize + at] = block.target[r * paddedLength<Real>(block.size) + b];
        }
      }
    }
    firstRank += block.rank;
  }
}

template <int Dim, class Real>
FarOperators<Dim, Real> makeOperators(const RadialFunction& function, int order, double side, double tolerance) {
  Builder<Dim> builder(function, order, side, tolerance);
  builder.build();
  FarOperators<Dim, Real> result;
  result.order = order;
  result.numCoefficients = builder.numCoefficients();
  result.basisSize = builder.basis.columns;
  result.classes.resize(FarOperators<Dim, Real>::numClasses);
  const std::int64_t size = result.basisSize;
  const std::int64_t paddedSize = paddedLength<Real>(size);
  const std::int64_t paddedCoefficients = paddedLength<Real>(result.numCoefficients);
  result.toBasis.assign(paddedSize * result.numCoefficients, Real(0));
  result.fromBasis.assign(paddedCoefficients * size, Real(0));
  for (std::int64_t k = 0; k < size; ++k) {
    for (std::int64_t m = 0; m < result.numCoefficients; ++m) {
      const auto value = static_cast<Real>(builder.basis.column(k)[m]);
      result.toBasis[m * paddedSize + k] = value;
      result.fromBasis[k * paddedCoefficients + m] = value;
    }
  }
  for (int of = 0; of < (1 << Dim); ++of) {
    typename FarOperators<Dim, Real>::Parity parity;
    const auto [first, last] = std::equal_range(builder.parity.begin(), builder.parity.end(), of);
    parity.firstDirection = first - builder.parity.begin();
    parity.numDirections = last - first;
    for (int m = 0; m < result.numCoefficients; ++m) {
      if (builder.parityOf(m) == of) {
        parity.coefficients.push_back(m);
      }
    }
    const auto numHere = static_cast<std::int64_t>(parity.coefficients.size());
    const std::int64_t paddedDirections = paddedLength<Real>(parity.numDirections);
    const std::int64_t paddedHere = paddedLength<Real>(numHere);
    parity.toBasis.assign(paddedDirections * numHere, Real(0));
    parity.fromBasis.assign(paddedHere * parity.numDirections, Real(0));
    for (std::int64_t k = 0; k < parity.numDirections; ++k) {
      for (std::int64_t i = 0; i < numHere; ++i) {
        const auto value = static_cast<Real>(builder.basis.column(parity.firstDirection + k)[parity.coefficients[i]]);
        parity.toBasis[i * paddedDirections + k] = value;
        parity.fromBasis[k * paddedHere + i] = value;
      }
    }
    result.parities.push_back(std::move(parity));
  }
  for (int turned = 0; turned < (1 << Dim); ++turned) {
    for (std::int64_t k = 0; k < paddedSize; ++k) {
      bool isOdd = false;
      for (int axis = 0; axis < Dim && k < size; ++axis) {
        isOdd ^= ((builder.parity[k] & turned) >> axis & 1) != 0;
      }
      result.signs.push_back(isOdd ? Real(-1) : Real(1));
    }
  }
  const auto offsets = farOffsets<Dim>(false);
  for (std::size_t k = 0; k < builder.blocks.size(); ++k) {
    auto& of = result.classes[classOf<Dim>(offsets[k])];
    for (const auto& from : builder.blocks[k]) {
      typename FarOperators<Dim, Real>::Block block;
      block.directions = from.directions;
      block.size = from.size;
      block.rank = from.factors.q.columns;
      const std::int64_t paddedRank = paddedLength<Real>(block.rank);
      const std::int64_t paddedRows = paddedLength<Real>(block.size);
      block.source.assign(paddedRank * block.size, Real(0));
      block.target.assign(paddedRows * block.rank, Real(0));
      for (std::int64_t r = 0; r < block.rank; ++r) {
        for (std::int64_t b = 0; b < block.size; ++b) {
          block.source[b * paddedRank + r] = static_cast<Real>(from.factors.r.column(r)[b]);
          block.target[r * paddedRows + b] = static_cast<Real>(from.factors.q.column(r)[b]);
        }
      }
      of.rank += block.rank;
      of.blocks.push_back(std::move(block));
    }
    joinBlocks(size, of);
  }
  return result;
}

/// Operators that were asked for, the latest first.
template <int Dim, class Real>
class OperatorCache {
public:
  using Operators = std::shared_ptr<const FarOperators<Dim, Real>>;

  Operators find(const RadialFunction& function, int order, double side, double tolerance) {
    const std::lock_guard lock(mutex_);
    const auto at = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
      return entry.order == order && entry.side == side && entry.tolerance == tolerance && entry.function == function;
    });
    if (at != entries_.end()) {
      entries_.splice(entries_.begin(), entries_, at);
    } else {
      auto made =
        std::make_shared<const FarOperators<Dim, Real>>(makeOperators<Dim, Real>(function, order, side, tolerance));
      bytes_ += made->bytes();
      entries_.push_front({function, order, side, tolerance, std::move(made)});
      constexpr std::size_t maxBytes = std::size_t{1} << 30;
      while (bytes_ > maxBytes && entries_.size() > 1) {
        bytes_ -= entries_.back().operators->bytes();
        entries_.pop_back();
      }
    }
    return entries_.front().operators;
  }

private:
  struct Entry {
    RadialFunction function;
    int order;
    double side;
    double tolerance;
    Operators operators;
  };

  std::mutex mutex_;
  std::list<Entry> entries_;
  std::size_t bytes_ = 0;
};

} // namespace

template <int Dim, class Real>
std::size_t FarOperators<Dim, Real>::bytes() const {
  std::size_t count = toBasis.size() + fromBasis.size() + signs.size();
  for (const Parity& parity : parities) {
    count += parity.toBasis.size() + parity.fromBasis.size();
  }
  for (const Class& of : classes) {
    count += of.source.size() + of.target.size();
    for (const Block& block : of.blocks) {
      count += block.source.size() + block.target.size();
    }
  }
  return count * sizeof(Real);
}

template <int Dim, class Real>
std::shared_ptr<const FarOperators<Dim, Real>> farOperators(
  const RadialFunction& function, int order, double side, double tolerance) {
  static OperatorCache<Dim, Real> cache;
  return cache.find(function, order, side, tolerance);
}

#define SPANWISE_FAR_OPERATORS(Dim, Real)                                                                              \
  template struct FarOperators<Dim, Real>;                                                                             \
  template std::shared_ptr<const FarOperators<Dim, Real>> farOperators<Dim, Real>(                                     \
    const RadialFunction&, int, double, double);
SPANWISE_FAR_OPERATORS(2, float)
SPANWISE_FAR_OPERATORS(2, double)
SPANWISE_FAR_OPERATORS(3, float)
SPANWISE_FAR_OPERATORS(3, double)

} // namespace spanwise::nbody::detail
