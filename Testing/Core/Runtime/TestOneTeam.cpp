// Scans and sorts by one team, scans by many, and values that kernels hand to the host.

#include "Core/Runtime/KernelResult.hpp"
#include "Core/Runtime/MergeSort.hpp"
#include "Core/Runtime/OneTeam.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Runtime/ScanByTeams.hpp"
#include "Testing/Core/Geometry/Arrays.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace spanwise::testing {

/// A key and where it was.
struct Keyed {
  int key;
  int number;
  friend KOKKOS_FUNCTION bool operator<(const Keyed& a, const Keyed& b) { return a.key < b.key; }
  friend bool operator==(const Keyed& a, const Keyed& b) { return a.key == b.key && a.number == b.number; }
};

/// Writes what kernels are to have written.
struct WriteBoth {
  std::int64_t* number;
  double* real;
  KOKKOS_FUNCTION void operator()(std::int64_t /*i*/) const {
    *number = 42;
    *real = 0.5;
  }
};

/// A sum of 24 bytes, and how many numbers are in it.
struct CountedSum {
  std::int64_t sum = 0;
  std::int64_t count = 0;
  std::int64_t odd = 0;

  KOKKOS_FUNCTION CountedSum& operator+=(const CountedSum& other) {
    sum += other.sum;
    count += other.count;
    odd += other.odd;
    return *this;
  }
  friend bool operator==(const CountedSum&, const CountedSum&) = default;
};

struct ScanCounted {
  using value_type = CountedSum;
  const std::int64_t* values;
  CountedSum* before;

  KOKKOS_FUNCTION void operator()(std::int64_t i, CountedSum& sum, bool final) const {
    if (final) {
      before[i] = sum;
    }
    sum += CountedSum{values[i], 1, values[i] & 1};
  }
};

namespace {

template <class Space>
class OneTeam : public ::testing::Test {
protected:
  static constexpr int numThreads = runsOnHost<Space> ? 1 : spanwise::detail::threadsOfOneTeam;

  Space space;
  std::mt19937 random{seed()};

  std::vector<Keyed> keyed(std::int64_t count, int numKeys) {
    std::uniform_int_distribution<int> key(0, numKeys - 1);
    std::vector<Keyed> values;
    for (int i = 0; i < count; ++i) {
      values.push_back({key(random), i});
    }
    return values;
  }
  template <class T>
  std::vector<T> onHost(const T* values, std::int64_t count) {
    std::vector<T> copy(static_cast<std::size_t>(count));
    using Host = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    using There = Kokkos::View<const T*, typename Space::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    Kokkos::deep_copy(Host(copy.data(), copy.size()), There(values, copy.size()));
    return copy;
  }
};

TYPED_TEST_SUITE(OneTeam, AllSpaces, SpaceNames);

template <class Space>
class ManyTeams : public ::testing::Test {};
TYPED_TEST_SUITE(ManyTeams, AllSpaces, SpaceNames);

TYPED_TEST(OneTeam, ScansAsOneThreadWould) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::uniform_int_distribution<std::int64_t> number(-5, 9);
  for (const std::int64_t count : {0, 1, 31, 512, 513, 3000, 16383}) {
    std::vector<std::int64_t> values(static_cast<std::size_t>(count) + 1);
    std::generate(values.begin(), values.end(), [&] { return number(this->random); });
    const auto there = arrayOn<TypeParam>(values);
    KernelResult<TypeParam, std::int64_t> total;
    spanwise::detail::scanInOneTeam(SPANWISE_KERNEL("scan"), IndexRange<TypeParam>(this->space, 0, count + 1),
      spanwise::detail::ExclusiveScan<std::int64_t>{there.data(), count}, total.data(), this->numThreads);
    this->space.fence();
    values.back() = 0; // it is not set when the scan begins
    const std::int64_t sum = std::accumulate(values.begin(), values.end(), std::int64_t{0});
    std::exclusive_scan(values.begin(), values.end(), values.begin(), std::int64_t{0});
    EXPECT_EQ(total.value(), sum) << count << " values";
    EXPECT_EQ(this->onHost(there.data(), count + 1), values) << count << " values";
  }
}

TYPED_TEST(ManyTeams, ScanAsOneThreadWould) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_int_distribution<std::int64_t> number(-5, 9);
  const TypeParam space;
  for (const std::int64_t count : {1, 7, 8, 9, 2048, 2049, 100'000, 3'000'001}) {
    SCOPED_TRACE(std::to_string(count) + " values");
    std::vector<std::int64_t> values(static_cast<std::size_t>(count));
    std::generate(values.begin(), values.end(), [&] { return number(random); });
    const auto there = arrayOn<TypeParam>(values);
    const auto before = arrayOn<TypeParam>(std::vector<CountedSum>(values.size()));
    KernelResult<TypeParam, CountedSum> total;
    for (int round = 0; round < 2; ++round) { // the memory is as it was
      spanwise::detail::scanByTeams(SPANWISE_KERNEL("scan"), IndexRange<TypeParam>(space, 0, count),
        ScanCounted{there.data(), before.data()}, total.data());
    }
    space.fence();
    const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), before);
    CountedSum sum;
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_EQ(found(i), sum) << "at " << i;
      sum += CountedSum{values[i], 1, values[i] & 1};
    }
    EXPECT_EQ(total.value(), sum);
  }
}

TYPED_TEST(OneTeam, SortsStably) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  using Team = typename spanwise::detail::OneTeamPolicy<TypeParam>::member_type;
  for (const int numKeys : {1, 7, 100000}) {
    for (const std::int64_t count : {0, 1, 16, 17, 1000, 16384}) {
      std::vector<Keyed> values = this->keyed(count, numKeys);
      const auto there = arrayOn<TypeParam>(values);
      const auto scratch = arrayOn<TypeParam>(values);
      spanwise::detail::runOneTeam(this->space, SPANWISE_KERNEL("sort"), this->numThreads, 0,
        spanwise::detail::SortInOneTeam<Team, Keyed, Ascending>{there.data(), scratch.data(), count, {}});
      this->space.fence();
      const Keyed* sorted = there.data();
      for (std::int64_t width = spanwise::detail::insertionRun; width < count; width *= 2) {
        sorted = sorted == there.data() ? scratch.data() : there.data();
      }
      std::stable_sort(values.begin(), values.end());
      EXPECT_EQ(this->onHost(sorted, count), values) << count << " values of " << numKeys << " keys";
    }
  }
}

TYPED_TEST(OneTeam, MergesStably) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const std::int64_t count : {0, 1, 2, 100, 40000}) {
    for (const std::int64_t numLeft : {std::int64_t{0}, count / 3, count}) {
      std::vector<Keyed> values = this->keyed(count, 50);
      std::sort(values.begin(), values.begin() + numLeft);
      std::sort(values.begin() + numLeft, values.end());
      const auto there = arrayOn<TypeParam>(values);
      const auto scratch = arrayOn<TypeParam>(values);
      const Keyed* const merged = mergeSorted(this->space, there.data(), numLeft, count, scratch.data(), Ascending());
      this->space.fence();
      std::inplace_merge(values.begin(), values.begin() + numLeft, values.end());
      EXPECT_EQ(this->onHost(merged, count), values) << count << " values, " << numLeft << " of them left";
    }
  }
}

TYPED_TEST(OneTeam, HandsResultsToTheHost) {
  for (int round = 0; round < 100; ++round) { // more than there are places for results
    KernelResult<TypeParam, std::int64_t> number;
    KernelResult<TypeParam, double> real;
    EXPECT_EQ(number.value(), 0);
    forEach(SPANWISE_KERNEL("write"), IndexRange<TypeParam>(this->space, 0, 1), WriteBoth{number.data(), real.data()});
    this->space.fence();
    EXPECT_EQ(number.value(), 42);
    EXPECT_EQ(real.value(), 0.5);
  }
}

} // namespace
} // namespace spanwise::testing
