#pragma once

#include "Core/Runtime/Label.hpp"
#include "Core/Solvers/NBody/Detail/Chebyshev.hpp"
#include "Core/Solvers/NBody/Detail/ExpansionKernels.hpp"
#include "Core/Solvers/NBody/Detail/FarOperators.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace spanwise::nbody::detail {

/// The operators of a class of offsets (FarOperators) as kernels see them.
template <class Real>
struct OperatorClass {
  const Real* source;
  const Real* target;
  std::int32_t rank;
  std::int32_t paddedRank;
};

/// Operators in the memory of kernels.
template <class Real>
struct OperatorData {
  const Real* toBasis;
  const Real* fromBasis;
  const Real* signs;
  const OperatorClass<Real>* classes;
  int basisSize;
  int basis;    ///< padded
  int mostRank; ///< of all classes, padded
};

/// What belongs to an order: matrices from boxes to their halves, Chebyshev's nodes, and what takes values at them to
/// coefficients (Chebyshev.hpp).
template <class Real>
struct NodeTables {
  const Real* lower;
  const Real* upper;
  const Real* nodes;
  const Real* transform;
};

template <class T, class ExecutionSpace>
[[nodiscard]] Kokkos::View<T*, typename ExecutionSpace::memory_space> uploaded(
  const ExecutionSpace& space, const std::vector<T>& values) {
  Kokkos::View<T*, typename ExecutionSpace::memory_space> result(
    Kokkos::view_alloc(space, Kokkos::WithoutInitializing, SPANWISE_LABEL("NBody::operators")), values.size());
  Kokkos::deep_copy(space, result,
    Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(values.data(), values.size()));
  space.fence(SPANWISE_LABEL("NBody::operators"));
  return result;
}

/// Copies of operators in the memory of an execution space, which are made once and kept as long as they are used.
template <int Dim, class Real, class MemorySpace>
class TeamOperators {
public:
  using Operators = std::shared_ptr<const FarOperators<Dim, Real>>;

  /// The nodes of an order.
  template <class ExecutionSpace>
  [[nodiscard]] NodeTables<Real> tables(const ExecutionSpace& space, int order) {
    const std::int64_t square = std::int64_t{order} * order;
    if (order_ != order) {
      std::vector<Real> values;
      for (const auto& table : {chebyshevOfHalf(order, false), chebyshevOfHalf(order, true), chebyshevTransform(order),
             chebyshevNodes(order)}) {
        values.insert(values.end(), table.begin(), table.end());
      }
      tables_ = uploaded(space, values);
      order_ = order;
    }
    const Real* const first = tables_.data();
    return {first, first + square, first + 3 * square, first + 2 * square};
  }

  /// Copies of these, in their order, where there are none yet; all others are given back.
  template <class ExecutionSpace>
  void keep(const ExecutionSpace& space, const std::vector<Operators>& wanted) {
    std::erase_if(
      copies_, [&](const Copy& copy) { return std::find(wanted.begin(), wanted.end(), copy.of) == wanted.end(); });
    for (const Operators& of : wanted) {
      if (of != nullptr && find(of) == copies_.end()) {
        copies_.push_back(copied(space, of));
      }
    }
  }
  [[nodiscard]] OperatorData<Real> data(const Operators& of) const { return find(of)->data; }

private:
  struct Copy {
    Operators of;
    Kokkos::View<Real*, MemorySpace> values;
    Kokkos::View<OperatorClass<Real>*, MemorySpace> classes;
    OperatorData<Real> data{};
  };

  [[nodiscard]] auto find(const Operators& of) const {
    return std::find_if(copies_.begin(), copies_.end(), [&](const Copy& copy) { return copy.of == of; });
  }

  template <class ExecutionSpace>
  static Copy copied(const ExecutionSpace& space, const Operators& of) {
    Copy copy;
    copy.of = of;
    std::vector<Real> values;
    const auto put = [&](const std::vector<Real>& from) {
      const std::size_t at = values.size();
      values.insert(values.end(), from.begin(), from.end());
      values.resize(paddedLength<Real>(static_cast<std::int64_t>(values.size())), Real(0));
      return at;
    };
    const std::size_t toBasis = put(of->toBasis);
    const std::size_t fromBasis = put(of->fromBasis);
    const std::size_t signs = put(of->signs);
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (const auto& one : of->classes) {
      const std::size_t source = put(one.source);
      places.emplace_back(source, put(one.target));
    }
    copy.values = uploaded(space, values);
    const Real* const first = copy.values.data();
    std::vector<OperatorClass<Real>> classes;
    for (std::size_t k = 0; k < places.size(); ++k) {
      const std::int64_t rank = of->classes[k].rank;
      const auto paddedRank = static_cast<std::int32_t>(paddedLength<Real>(rank));
      classes.push_back(
        {first + places[k].first, first + places[k].second, static_cast<std::int32_t>(rank), paddedRank});
      copy.data.mostRank = std::max(copy.data.mostRank, static_cast<int>(paddedRank));
    }
    copy.classes = uploaded(space, classes);
    copy.data.toBasis = first + toBasis;
    copy.data.fromBasis = first + fromBasis;
    copy.data.signs = first + signs;
    copy.data.classes = copy.classes.data();
    copy.data.basisSize = static_cast<int>(of->basisSize);
    copy.data.basis = static_cast<int>(paddedLength<Real>(of->basisSize));
    return copy;
  }

  int order_ = 0;
  Kokkos::View<Real*, MemorySpace> tables_;
  std::vector<Copy> copies_;
};

/// Both precisions.
template <int Dim, class MemorySpace>
class TeamOperatorStore {
public:
  template <class Real>
  [[nodiscard]] auto& of() {
    if constexpr (std::is_same_v<Real, float>) {
      return ofFloat_;
    } else {
      return ofDouble_;
    }
  }

private:
  TeamOperators<Dim, float, MemorySpace> ofFloat_;
  TeamOperators<Dim, double, MemorySpace> ofDouble_;
};

} // namespace spanwise::nbody::detail
