#include "Core/Solvers/NBody/Detail/LatticeOperator.hpp"

#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Core/Solvers/NBody/Detail/Chebyshev.hpp"
#include "Core/Solvers/NBody/Detail/ExpansionKernels.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <list>
#include <mutex>
#include <utility>

namespace spanwise::nbody::detail {

namespace {

constexpr int numTerms = LatticeOperator<3>::numTerms;
constexpr int numNodes = 2 * numTerms; ///< of which half are positive

/// Matrices [maxOrder x maxOrder] of T_k((xi - eta) / 2) = sum matrix[a * maxOrder + b] T_a(xi) T_b(eta), for k = 0,
/// 2, ...
std::vector<std::vector<double>> differenceMatrices() {
  const std::vector<double> nodes = chebyshevNodes(numNodes);
  const std::vector<double> transform = chebyshevTransform(numNodes);
  std::vector<std::vector<double>> matrices(numTerms, std::vector<double>(maxOrder * maxOrder, 0.0));
  std::vector<double> half(numNodes * maxOrder); // coefficients of xi at the nodes of eta
  for (int term = 0; term < numTerms; ++term) {
    std::fill(half.begin(), half.end(), 0.0);
    for (int i = 0; i < numNodes; ++i) {
      for (int j = 0; j < numNodes; ++j) {
        const double value = chebyshevAt(0.5 * (nodes[i] - nodes[j]), 2 * term + 1).back();
        for (int a = 0; a < maxOrder; ++a) {
          half[j * maxOrder + a] += value * transform[i * numNodes + a];
        }
      }
    }
    for (int a = 0; a < maxOrder; ++a) {
      for (int b = a % 2; b <= 2 * term - a && b < maxOrder; b += 2) { // others are 0
        for (int j = 0; j < numNodes; ++j) {
          matrices[term][a * maxOrder + b] += half[j * maxOrder + a] * transform[j * numNodes + b];
        }
      }
    }
  }
  return matrices;
}

/// Applies the operator axis by axis, from the last one inwards.
template <int Dim>
class Applied {
public:
  using Frame = Workspace<Kokkos::HostSpace>::Frame;

  Applied(const LatticeOperator<Dim>& of, int order, Frame& frame) : terms_(of.terms.data()), order_(order), size_(1) {
    static const std::vector<std::vector<double>> matrices = differenceMatrices();
    count_ = std::min(numTerms, order); // T_a T_b with a, b < order is in no other
    for (int axis = 0; axis < Dim; ++axis) {
      size_ *= order;
    }
    sum_ = frame.array<double>(order * order).data();
    matrices_ = frame.array<double>(count_ * order * order).data();
    for (int term = 0; term < count_; ++term) {
      for (int a = 0; a < order; ++a) {
        std::copy_n(matrices[term].data() + a * maxOrder, order, matrices_ + (term * order + a) * order);
      }
    }
    for (int axis = 0; axis < Dim; ++axis) {
      moved_[axis] = frame.array<double>(size_).data();
      inner_[axis] = frame.array<double>(size_).data();
    }
  }

  /// Adds to `to` what terms from `firstTerm` on do along the axes 0 ... axis.
  void add(int axis, std::int64_t firstTerm, const double* from, double* to) {
    double* const moved = moved_[axis];
    if (axis == 0) {
      std::fill_n(sum_, order_ * order_, 0.0);
      for (int term = 0; term < count_; ++term) {
        for (int k = 0; k < order_ * order_; ++k) {
          sum_[k] += terms_[firstTerm + term] * matrix(term)[k];
        }
      }
      move(sum_, axis, from, moved);
      addTo(to, moved);
      return;
    }
    std::int64_t stride = 1;
    for (int below = 0; below < axis; ++below) {
      stride *= numTerms;
    }
    double* const inner = inner_[axis];
    for (int term = 0; term < count_; ++term) {
      std::fill_n(inner, size_, 0.0);
      add(axis - 1, firstTerm + term * stride, from, inner);
      move(matrix(term), axis, inner, moved);
      addTo(to, moved);
    }
  }

private:
  [[nodiscard]] const double* matrix(int term) const { return matrices_ + term * order_ * order_; }
  void move(const double* matrix, int axis, const double* from, double* to) const {
    std::int64_t inner = 1;
    for (int below = 0; below < axis; ++below) {
      inner *= order_;
    }
    applyAlong(matrix, order_, 1, order_, size_ / (inner * order_), inner, from, to);
  }
  void addTo(double* to, const double* added) const {
    for (std::int64_t k = 0; k < size_; ++k) {
      to[k] += added[k];
    }
  }

  const double* terms_;
  int order_;
  int count_;
  std::int64_t size_;
  double* sum_;      ///< of matrices, [order x order]
  double* matrices_; ///< [numTerms x order x order]
  std::array<double*, Dim> moved_;
  std::array<double*, Dim> inner_;
};

/// Values at the positive nodes, [numTerms^Dim], to coefficients of even polynomials.
template <int Dim>
std::vector<double> evenCoefficients(std::vector<double> values) {
  const std::vector<double> nodes = chebyshevNodes(numNodes);
  std::vector<double> matrix(numTerms * numTerms); // both signs of a node count
  for (int i = 0; i < numTerms; ++i) {
    const std::vector<double> at = chebyshevAt(nodes[i], numNodes);
    for (int term = 0; term < numTerms; ++term) {
      matrix[term * numTerms + i] = (term == 0 ? 2.0 : 4.0) / numNodes * at[2 * term];
    }
  }
  std::vector<double> other(values.size());
  std::int64_t inner = 1;
  for (int axis = 0; axis < Dim; ++axis, inner *= numTerms) {
    const auto outer = static_cast<std::int64_t>(values.size()) / (inner * numTerms);
    applyAlong(matrix.data(), numTerms, 1, numTerms, outer, inner, values.data(), other.data());
    std::swap(values, other);
  }
  return values;
}

/// F at the positive nodes. It does not change when axes are exchanged, so it is found for decreasing numbers only.
template <int Dim>
std::vector<double> valuesAtNodes(const FarFunction& far) {
  const std::vector<double> nodes = chebyshevNodes(numNodes);
  const auto digitsOf = [](std::int64_t k) {
    std::array<int, Dim> digits{};
    for (int axis = 0; axis < Dim; ++axis, k /= numTerms) {
      digits[axis] = static_cast<int>(k % numTerms);
    }
    return digits;
  };
  std::int64_t count = 1;
  for (int axis = 0; axis < Dim; ++axis) {
    count *= numTerms;
  }
  std::vector<double> values(count);
  const auto find = [&](std::int64_t k) {
    const auto digits = digitsOf(k);
    if (std::is_sorted(digits.begin(), digits.end())) {
      double at[Dim];
      for (int axis = 0; axis < Dim; ++axis) {
        at[axis] = nodes[digits[axis]];
      }
      values[k] = far(at);
    }
  };
  Kokkos::parallel_for(SPANWISE_KERNEL("lattice values"),
    Kokkos::RangePolicy<HostExecutionSpace, Kokkos::IndexType<std::int64_t>, Kokkos::Schedule<Kokkos::Dynamic>>(
      0, count),
    find);
  HostExecutionSpace().fence(SPANWISE_LABEL("NBody::latticeOperator"));
  for (std::int64_t k = 0; k < count; ++k) {
    auto digits = digitsOf(k);
    std::sort(digits.begin(), digits.end());
    std::int64_t of = 0;
    for (int axis = Dim - 1; axis >= 0; --axis) {
      of = of * numTerms + digits[axis];
    }
    values[k] = values[of];
  }
  return values;
}

} // namespace

template <int Dim>
void LatticeOperator<Dim>::apply(
  int order, const double* moments, double* coefficients, Workspace<Kokkos::HostSpace>& workspace) const {
  Workspace<Kokkos::HostSpace>::Frame frame(workspace);
  Applied<Dim>(*this, order, frame).add(Dim - 1, 0, moments, coefficients);
}

template <int Dim>
std::shared_ptr<const LatticeOperator<Dim>> latticeOperator(
  const RadialFunction& function, double edge, const std::function<FarFunction()>& makeFar) {
  struct Entry {
    RadialFunction function;
    double edge;
    std::shared_ptr<const LatticeOperator<Dim>> made;
  };
  constexpr std::size_t maxEntries = 64; // of 32 KiB
  static std::mutex mutex;
  static std::list<Entry> entries; // the latest first
  const std::lock_guard lock(mutex);
  const auto at = std::find_if(entries.begin(), entries.end(),
    [&](const Entry& entry) { return entry.edge == edge && entry.function == function; });
  if (at != entries.end()) {
    entries.splice(entries.begin(), entries, at);
  } else {
    auto made = std::make_shared<LatticeOperator<Dim>>();
    made->terms = evenCoefficients<Dim>(valuesAtNodes<Dim>(makeFar()));
    entries.push_front({function, edge, std::move(made)});
    if (entries.size() > maxEntries) {
      entries.pop_back();
    }
  }
  return entries.front().made;
}

template struct LatticeOperator<2>;
template struct LatticeOperator<3>;
template std::shared_ptr<const LatticeOperator<2>> latticeOperator<2>(
  const RadialFunction&, double, const std::function<FarFunction()>&);
template std::shared_ptr<const LatticeOperator<3>> latticeOperator<3>(
  const RadialFunction&, double, const std::function<FarFunction()>&);

} // namespace spanwise::nbody::detail
