#include "Core/Solvers/NBody/Detail/FarOperators.hpp"

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Core/Solvers/NBody/Detail/Chebyshev.hpp"
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
  std::vector<int> coefficients;
  Dense matrix;
};

template <int Dim>
class Builder {
public:
  Builder(const RadialFunction& function, int order, double side, double tolerance)
    : function_(function), order_(order), side_(side), numCoefficients_(1), tolerance_(tolerance) {
    for (int axis = 0; axis < Dim; ++axis) {
      numCoefficients_ *= order;
    }
    transform_ = chebyshevTransform(order);
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

  /// From moments of the source to coefficients of the target.
  [[nodiscard]] Dense evaluate(const Offset<Dim>& t) const {
    const auto n = static_cast<int>(numCoefficients_);
    Dense matrix(n, n);
    std::vector<double> r2(n);
    for (int j = 0; j < n; ++j) {
      const Offset<Dim> source = digits(j);
      for (int i = 0; i < n; ++i) {
        r2[i] = 0.0;
        for (int axis = 0, rest = i; axis < Dim; ++axis, rest /= order_) {
          const double d = nodes_[rest % order_] - nodes_[source[axis]] - t[axis] * side_;
          r2[i] += d * d;
        }
      }
      function_.values(function_.parameters.data(), r2.data(), matrix.column(j), n);
    }
    std::vector<double> other(matrix.values.size());
    for (int side = 0; side < 2; ++side) { // of the source, then with rows and columns exchanged of the target
      std::int64_t inner = numCoefficients_;
      for (int axis = 0; axis < Dim; ++axis, inner *= order_) {
        const std::int64_t outer = numCoefficients_ * numCoefficients_ / (inner * order_);
        applyAlong(transform_.data(), 1, order_, order_, outer, inner, matrix.values.data(), other.data());
        std::swap(matrix.values, other);
      }
      for (std::int64_t r = 0; r < numCoefficients_; ++r) {
        for (std::int64_t c = 0; c < r; ++c) {
          std::swap(matrix.column(c)[r], matrix.column(r)[c]);
        }
      }
    }
    return matrix;
  }

  [[nodiscard]] Coupling significant(const Dense& matrix) const {
    Coupling coupling;
    const double least = 0.1 * tolerance_ * scale_ / std::sqrt(static_cast<double>(matrix.columns));
    for (int c = 0; c < matrix.columns; ++c) {
      double square = 0.0;
      for (int r = 0; r < matrix.rows; ++r) {
        square += matrix.column(c)[r] * matrix.column(c)[r];
      }
      if (square > least * least) {
        coupling.coefficients.push_back(c);
      }
    }
    const auto count = static_cast<std::int64_t>(coupling.coefficients.size());
    coupling.matrix = Dense(count, count);
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
    reached.rows = static_cast<std::int64_t>(coefficients.size());
    for (const Offset<Dim>& t : farOffsets<Dim>(false)) {
      const auto [coupling, order] = couplingOf(t);
      const Dense& matrix = coupling->matrix;
      const auto columns = static_cast<std::size_t>(reached.columns);
      reached.columns += matrix.columns;
      reached.values.resize((columns + matrix.columns) * reached.rows, 0.0);
      for (std::int64_t r = 0; r < matrix.rows; ++r) {
        const int row = rowOf[permuted(coupling->coefficients[r], order)];
        if (row >= 0) {
          for (std::int64_t c = 0; c < matrix.columns; ++c) {
            reached.values[(columns + c) * reached.rows + row] = matrix.column(c)[r];
          }
        }
      }
    }
    const Dense q = pivotedFactors(reached, tolerance_ * scale_, false).q;
    Dense directions(numCoefficients_, q.columns);
    for (std::int64_t c = 0; c < q.columns; ++c) {
      for (std::int64_t r = 0; r < q.rows; ++r) {
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

  /// Q^T K_t Q.
  [[nodiscard]] Dense inBasis(const Offset<Dim>& t) const {
    constexpr int numParities = 1 << Dim;
    const auto [coupling, order] = couplingOf(t);
    const Dense& matrix = coupling->matrix;
    std::array<std::int64_t, numParities + 1> begin{}; // columns of the basis of each parity
    for (int of = 0; of <= numParities; ++of) {
      begin[of] = std::lower_bound(parity.begin(), parity.end(), of) - parity.begin();
    }
    std::vector<int> at;
    at.reserve(coupling->coefficients.size());
    for (const int coefficient : coupling->coefficients) {
      at.push_back(permuted(coefficient, order));
    }
    Dense half(matrix.rows, basis.columns); // K_t Q
    for (std::int64_t c = 0; c < matrix.columns; ++c) {
      const int of = parityOf(at[c]);
      for (std::int64_t k = begin[of]; k < begin[of + 1]; ++k) {
        const double factor = basis.column(k)[at[c]];
        const double* const from = matrix.column(c);
        double* const to = half.column(k);
        for (std::int64_t r = 0; r < matrix.rows; ++r) {
          to[r] += factor * from[r];
        }
      }
    }
    Dense result(basis.columns, basis.columns);
    for (std::int64_t r = 0; r < matrix.rows; ++r) {
      const int of = parityOf(at[r]);
      for (std::int64_t k = 0; k < basis.columns; ++k) {
        const double value = half.column(k)[r];
        for (std::int64_t l = begin[of]; l < begin[of + 1]; ++l) {
          result.column(k)[l] += value * basis.column(l)[at[r]];
        }
      }
    }
    return result;
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
      const auto size = static_cast<std::int64_t>(numbers.size());
      Dense part(size, size);
      for (std::int64_t c = 0; c < size; ++c) {
        for (std::int64_t r = 0; r < size; ++r) {
          part.column(c)[r] = compressed.column(numbers[c])[numbers[r]];
        }
      }
      block.factors = pivotedFactors(part, tolerance_ * scale_, true);
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
  double scale_ = 0.0;
  std::vector<double> transform_;
  std::vector<double> nodes_;
  std::vector<Coupling> couplings_; ///< of the offsets farOffsets(true)
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
      block.size = from.factors.q.rows;
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
      constexpr std::size_t mostBytes = std::size_t{1} << 30;
      while (bytes_ > mostBytes && entries_.size() > 1) {
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
