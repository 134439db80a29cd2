#pragma once

#include "Core/Runtime/KernelResult.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/OneTeam.hpp"
#include "Core/Runtime/ScanByTeams.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace spanwise {

/// A value on the host as a View of rank 0, for reductions and scans. Kokkos fences by itself after a reduction into a
/// plain value, with a label that it allocates; into a View it does not, and the caller fences.
template <class T>
using HostValue = Kokkos::View<T, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// What a range of items takes in all, in small items: of some nanoseconds each.
struct Work {
  std::int64_t smallItems = 0;
};

namespace detail {

/// The calling thread does as much alone on the host. To wake others takes as long, some ten microseconds, and far
/// longer where those wait for a processor. Tests set it to nothing, so that small cases go to all threads.
inline Work& littleWork() {
  static Work little{8192};
  return little;
}

/// Each item of a range is a small one.
template <class Policy>
[[nodiscard]] Work workOf(const Policy& range) {
  return {static_cast<std::int64_t>(range.end()) - static_cast<std::int64_t>(range.begin())};
}

/// Whether a range is too little to be launched: on the host, little work or a single item.
template <class Policy>
[[nodiscard]] bool doneAlone(const Policy& range, const Work& work) {
  return runsOnHost<typename Policy::execution_space> &&
    (work.smallItems <= littleWork().smallItems || workOf(range).smallItems <= 1);
}

/// A reduction in fixed blocks that are joined in order: the same bits for any number of threads.
template <class Functor, class T>
class BlockReduction {
public:
  static constexpr std::int64_t numBlocks = 128;
  using Partials = std::array<T, numBlocks>;

  BlockReduction(const Functor& functor, std::int64_t begin, std::int64_t end, Partials& partials)
    : functor_(functor), begin_(begin), end_(end), partials_(partials.data()) {}

  void operator()(std::int64_t block) const {
    T& value = partials_[block];
    init(value);
    for (std::int64_t i = first(block); i < first(block + 1); ++i) {
      functor_(i, value);
    }
  }

  void init(T& value) const {
    if constexpr (requires { functor_.init(value); }) {
      functor_.init(value);
    } else {
      value = T{};
    }
  }
  void join(T& value, const T& other) const {
    if constexpr (requires { functor_.join(value, other); }) {
      functor_.join(value, other);
    } else {
      value += other;
    }
  }

private:
  [[nodiscard]] std::int64_t first(std::int64_t block) const {
    const std::int64_t count = end_ - begin_;
    return begin_ + count / numBlocks * block + std::min(block, count % numBlocks);
  }

  Functor functor_;
  std::int64_t begin_;
  std::int64_t end_;
  T* partials_;
};

} // namespace detail

/// Reduces functor(i, value) over a range, and waits for the result: a sum from T{}, or by the functor's own
/// init(value) and join(value, other). On the host the result has the same bits for any number of threads and nothing
/// is allocated; on a device neither is promised for sums of floating-point numbers. Little work is done by the calling
/// thread.
template <class Policy, class Functor, class T>
void reduce(const char* label, const Policy& policy, const Functor& functor, T& result, const Work& work) {
  using Space = typename Policy::execution_space;
  if constexpr (runsOnHost<Space>) {
    using Reduction = detail::BlockReduction<Functor, T>;
    typename Reduction::Partials partials;
    const Reduction reduction(functor, policy.begin(), policy.end(), partials);
    if (detail::doneAlone(policy, work)) {
      for (std::int64_t block = 0; block < Reduction::numBlocks; ++block) {
        reduction(block);
      }
    } else {
      Kokkos::parallel_for(label,
        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>, typename Policy::schedule_type>(
          policy.space(), 0, Reduction::numBlocks),
        reduction);
      policy.space().fence(SPANWISE_LABEL("Runtime::reduce"));
    }
    reduction.init(result);
    for (const T& partial : partials) {
      reduction.join(result, partial);
    }
  } else if constexpr (detail::fitsKernelResult<T>) {
    KernelResult<Space, T> value;
    using Pinned = Kokkos::View<T, Kokkos::SharedHostPinnedSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    Kokkos::parallel_reduce(label, policy, functor, Pinned(value.data()));
    policy.space().fence(SPANWISE_LABEL("Runtime::reduce"));
    result = value.value();
  } else {
    Kokkos::parallel_reduce(label, policy, functor, HostValue<T>(&result));
    policy.space().fence(SPANWISE_LABEL("Runtime::reduce"));
  }
}

/// The same where each item is a small one.
template <class Policy, class Functor, class T>
void reduce(const char* label, const Policy& policy, const Functor& functor, T& result) {
  reduce(label, policy, functor, result, detail::workOf(policy));
}

namespace detail {

/// Scans what is too little for all of a processor; returns whether it was: in the calling thread, or in one team of a
/// device.
template <class Policy, class Functor, class T>
bool scannedAlone(const char* label, const Policy& policy, const Functor& functor, T* total) {
  using Space = typename Policy::execution_space;
  if constexpr (runsOnHost<Space>) {
    if (doneAlone(policy, workOf(policy))) {
      T sum{};
      for (std::int64_t i = policy.begin(); i < policy.end(); ++i) {
        functor(i, sum, true);
      }
      if (total != nullptr) {
        *total = sum;
      }
      return true;
    }
  } else if (workOf(policy).smallItems <= itemsOfOneTeam()) {
    if (total == nullptr) {
      scanInOneTeam<Policy, Functor, T>(label, policy, functor, nullptr);
      return true;
    }
    KernelResult<Space, T> sum;
    scanInOneTeam(label, policy, functor, sum.data());
    policy.space().fence(SPANWISE_LABEL("Runtime::scan"));
    *total = sum.value();
    return true;
  }
  return false;
}

} // namespace detail

/// Scans functor(i, sum, final) over a range of small items, and waits for the sum of all. Allocates nothing but once.
template <class Policy, class Functor, class T>
void scan(const char* label, const Policy& policy, const Functor& functor, T& total) {
  using Space = typename Policy::execution_space;
  if (detail::scannedAlone(label, policy, functor, &total)) {
    return;
  }
  if constexpr (runsOnHost<Space>) {
    HostValue<T> value(&total);
    Kokkos::parallel_scan(label, policy, functor, value);
    policy.space().fence(SPANWISE_LABEL("Runtime::scan"));
  } else {
    KernelResult<Space, T> sum;
    detail::scanByTeams(label, policy, functor, sum.data());
    policy.space().fence(SPANWISE_LABEL("Runtime::scan"));
    total = sum.value();
  }
}

/// The same without the sum of all; does not wait. The functor says what it sums, as its value_type.
template <class Policy, class Functor>
void scan(const char* label, const Policy& policy, const Functor& functor) {
  using T = typename Functor::value_type;
  if (detail::scannedAlone<Policy, Functor, T>(label, policy, functor, nullptr)) {
    return;
  }
  if constexpr (runsOnHost<typename Policy::execution_space>) {
    Kokkos::parallel_scan(label, policy, functor);
  } else {
    detail::scanByTeams<T>(label, policy, functor, nullptr);
  }
}

namespace detail {

/// Adds to a functor of minima what reduce() needs.
template <class Functor, class T>
struct Minimum {
  using value_type = T;
  Functor functor;

  KOKKOS_FUNCTION void init(T& value) const { value = Kokkos::Experimental::finite_max_v<T>; }
  KOKKOS_FUNCTION void join(T& value, const T& other) const { value = Kokkos::min(value, other); }
  KOKKOS_FUNCTION void operator()(std::int64_t i, T& value) const { functor(i, value); }
};

} // namespace detail

/// reduce() by minimum: functor(i, value) lowers value. The largest finite value if nothing does.
template <class Policy, class Functor, class T>
void reduceMin(const char* label, const Policy& policy, const Functor& functor, T& result, const Work& work) {
  reduce(label, policy, detail::Minimum<Functor, T>{functor}, result, work);
}

/// The same where each item is a small one.
template <class Policy, class Functor, class T>
void reduceMin(const char* label, const Policy& policy, const Functor& functor, T& result) {
  reduceMin(label, policy, functor, result, detail::workOf(policy));
}

} // namespace spanwise
