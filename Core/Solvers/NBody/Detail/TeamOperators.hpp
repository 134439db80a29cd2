#pragma once

#include "Core/Runtime/Label.hpp"
#include "Core/Solvers/NBody/Detail/Chebyshev.hpp"
#include "Core/Solvers/NBody/Detail/ExpansionKernels.hpp"
#include "Core/Solvers/NBody/Detail/FarOffset.hpp"
#include "Core/Solvers/NBody/Detail/FarOperators.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace spanwise::nbody::detail {

/// A row of V^T of one of FarOperators' classes, for boxes that are in one direction.
template <class Real>
struct SourceRow {
  const Real* first;
  std::int32_t stride; ///< from one number to the next
  std::int32_t turned; ///< which axes are
};

/// A column of U of such a class.
template <class Real>
struct TargetColumn {
  const Real* first;      ///< its numbers are side by side
  std::int32_t turned;    ///< which axes are
  std::int32_t direction; ///< of the source's parent from the target's, as a place among colleagues
  std::int32_t place;     ///< of the source in its parent
  std::int32_t row;       ///< number of the SourceRow that it goes with, among those of the place
};

/// Operators in the memory of kernels. Rows are those of one place of sources in their parents after the other, and of
/// a place those of one direction after the other; columns likewise, for places of targets.
template <class Real>
struct OperatorData {
  const Real* toBasis;
  const Real* fromBasis;
  const Real* signs;
  const SourceRow<Real>* rows;
  const TargetColumn<Real>* columns;
  int basisSize;
  int basis; ///< padded
};

/// Where the rows or columns of places and directions begin.
template <int Dim>
class StackBegins {
public:
  static constexpr int numPlaces = 1 << Dim;
  static constexpr int numDirections = Dim == 2 ? 9 : 27;

  void begin(int place, int direction, std::size_t at) {
    begin_[place * (numDirections + 1) + direction] = static_cast<std::int32_t>(at);
  }
  [[nodiscard]] std::int32_t of(int place, int direction) const {
    return begin_[place * (numDirections + 1) + direction];
  }

private:
  std::array<std::int32_t, numPlaces*(numDirections + 1)> begin_{};
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

  /// Copies of the operators of levels, in their order, where there are none yet; all others are given back.
  template <class ExecutionSpace>
  void keep(const ExecutionSpace& space, const std::vector<FarLevel<Dim, Real>>& levels) {
    std::erase_if(copies_, [&](const Copy& copy) {
      return std::none_of(
        levels.begin(), levels.end(), [&](const FarLevel<Dim, Real>& level) { return level.operators == copy.of; });
    });
    for (const FarLevel<Dim, Real>& level : levels) {
      if (level.operators != nullptr && find(level.operators) == copies_.end()) {
        copies_.push_back(copied(space, level.operators));
      }
    }
  }
  [[nodiscard]] OperatorData<Real> data(const Operators& of) const { return find(of)->data; }
  [[nodiscard]] const StackBegins<Dim>& rowBegins(const Operators& of) const { return find(of)->rowBegins; }
  [[nodiscard]] const StackBegins<Dim>& columnBegins(const Operators& of) const { return find(of)->columnBegins; }

private:
  struct Copy {
    Operators of;
    Kokkos::View<Real*, MemorySpace> values;
    Kokkos::View<SourceRow<Real>*, MemorySpace> rows;
    Kokkos::View<TargetColumn<Real>*, MemorySpace> columns;
    OperatorData<Real> data{};
    StackBegins<Dim> rowBegins;
    StackBegins<Dim> columnBegins;
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
    copy.data.toBasis = first + toBasis;
    copy.data.fromBasis = first + fromBasis;
    copy.data.signs = first + signs;
    stack(space, *of, first, places, copy);
    copy.data.rows = copy.rows.data();
    copy.data.columns = copy.columns.data();
    copy.data.basisSize = static_cast<int>(of->basisSize);
    copy.data.basis = static_cast<int>(paddedLength<Real>(of->basisSize));
    return copy;
  }

  /// Rows and columns of all classes, from `first` on at their places.
  template <class ExecutionSpace>
  static void stack(const ExecutionSpace& space, const FarOperators<Dim, Real>& of, const Real* first,
    const std::vector<std::pair<std::size_t, std::size_t>>& places, Copy& copy) {
    using Begins = StackBegins<Dim>;
    std::vector<SourceRow<Real>> rows;
    std::vector<TargetColumn<Real>> columns;
    const std::int64_t basis = paddedLength<Real>(of.basisSize);
    std::vector<std::int32_t> rowOfPair(std::size_t{1} << (2 * Dim) << 5);
    const auto pair = [](int source, int target, int direction) {
      return static_cast<std::size_t>(((source << Dim) + target) * 32 + direction);
    };
    for (int source = 0; source < Begins::numPlaces; ++source) {
      const std::size_t begin = rows.size();
      for (int direction = 0; direction < Begins::numDirections; ++direction) {
        copy.rowBegins.begin(source, direction, rows.size());
        for (int target = 0; target < Begins::numPlaces; ++target) {
          rowOfPair[pair(source, target, direction)] = static_cast<std::int32_t>(rows.size() - begin);
          const FarOffset offset(Dim, direction, source, target);
          const auto stride = static_cast<std::int32_t>(paddedLength<Real>(of.classes[offset.number].rank));
          for (std::int64_t r = 0; offset.isFar && r < of.classes[offset.number].rank; ++r) {
            rows.push_back({first + places[offset.number].first + r, stride, offset.turned});
          }
        }
      }
      copy.rowBegins.begin(source, Begins::numDirections, rows.size());
    }
    for (int target = 0; target < Begins::numPlaces; ++target) {
      for (int direction = 0; direction < Begins::numDirections; ++direction) {
        copy.columnBegins.begin(target, direction, columns.size());
        for (int source = 0; source < Begins::numPlaces; ++source) {
          const FarOffset offset(Dim, direction, source, target);
          for (std::int64_t r = 0; offset.isFar && r < of.classes[offset.number].rank; ++r) {
            columns.push_back({first + places[offset.number].second + r * basis, offset.turned, direction, source,
              rowOfPair[pair(source, target, direction)] + static_cast<std::int32_t>(r)});
          }
        }
      }
      copy.columnBegins.begin(target, Begins::numDirections, columns.size());
    }
    copy.rows = uploaded(space, rows);
    copy.columns = uploaded(space, columns);
  }

  int order_ = 0;
  Kokkos::View<Real*, MemorySpace> tables_;
  std::vector<Copy> copies_;
};

} // namespace spanwise::nbody::detail
