#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/KernelTimes.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Runtime.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <set>

namespace spanwise::testing {
namespace {

template <class Space>
class KernelTimesOf : public ::testing::Test {};
TYPED_TEST_SUITE(KernelTimesOf, AllSpaces, SpaceNames);

template <class Space>
struct Fill {
  Kokkos::View<double*, typename Space::memory_space> values;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { values(i) = static_cast<double>(i); }
};

template <class Space>
struct Sum {
  Kokkos::View<double*, typename Space::memory_space> values;
  KOKKOS_FUNCTION void operator()(std::int64_t i, double& sum) const { sum += values(i); }
};

template <class Space>
void sumInRegion(const Kokkos::View<double*, typename Space::memory_space>& values) {
  SPANWISE_REGION("Test::inner");
  double sum = 0.0;
  reduce("sum", IndexRange<Space>(0, 100000), Sum<Space>{values}, sum);
  EXPECT_EQ(sum, 4999950000.0);
}

template <class Space>
void launch(int times) {
  const Kokkos::View<double*, typename Space::memory_space> values("values", 100000);
  for (int k = 0; k < times; ++k) {
    SPANWISE_REGION("Test::outer");
    Kokkos::parallel_for("fill", IndexRange<Space>(0, 100000), Fill<Space>{values});
    sumInRegion<Space>(values);
  }
  Kokkos::parallel_for("fill", IndexRange<Space>(0, 100000), Fill<Space>{values});
  Space().fence("launched");
}

std::int64_t launches(const std::vector<KernelTime>& times, const std::string& region, const std::string& kernel) {
  const auto found = std::find_if(
    times.begin(), times.end(), [&](const KernelTime& t) { return t.region == region && t.kernel == kernel; });
  return found == times.end() ? 0 : found->numLaunches;
}

/// Expects one report with the devices, the memory in use, the bytes that were copied, and these times.
void expectInReport(const std::vector<KernelTime>& times) {
  const RuntimeReport report = runtimeReport();
  ASSERT_EQ(report.kernels.size(), times.size());
  for (std::size_t k = 0; k < times.size(); ++k) {
    EXPECT_EQ(report.kernels[k].region, times[k].region);
    EXPECT_EQ(report.kernels[k].kernel, times[k].kernel);
    EXPECT_EQ(report.kernels[k].numLaunches, times[k].numLaunches);
    EXPECT_EQ(report.kernels[k].seconds, times[k].seconds);
  }
  const std::string text = toString(report);
  for (const std::string& part : {std::string("\ndevice: "), std::string("\nmemory in "),
         std::string("\ncopied to the device: "), '\n' + toString(times)}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
  }
}

TYPED_TEST(KernelTimesOf, KernelsAreCountedByTheirRegion) {
  launch<TypeParam>(1); // before
  std::vector<KernelTime> times;
  {
    const KernelTimes measured;
    EXPECT_TRUE(measured.times().empty());
    launch<TypeParam>(3);
    times = measured.times();
    expectInReport(times);
    EXPECT_THROW(KernelTimes(), RuntimeError);
  }
  EXPECT_TRUE(runtimeReport().kernels.empty());
  launch<TypeParam>(1); // after
  EXPECT_EQ(launches(times, "Spanwise::Test::outer", "fill"), 3);
  EXPECT_EQ(launches(times, "Spanwise::Test::inner", "sum"), 3);
  EXPECT_EQ(launches(times, "", "fill"), 1);
  for (std::size_t k = 0; k < times.size(); ++k) {
    EXPECT_GT(times[k].seconds, 0.0);
    EXPECT_TRUE(k == 0 || times[k].seconds <= times[k - 1].seconds);
  }
  const std::string text = toString(times);
  EXPECT_NE(text.find("Spanwise::Test::inner: sum"), std::string::npos);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), static_cast<std::ptrdiff_t>(times.size()) + 1);
  const KernelTimes again; // starts from nothing
  EXPECT_TRUE(again.times().empty());
}

// A tool that is there first goes on getting its callbacks, with the numbers that it gave. A kernel may be within
// another: some versions of Kokkos fill a View by one while they report its initialization.
int numBegun = 0;
int numEnded = 0;
std::set<std::uint64_t> notEnded;
void begin(const char* /*label*/, std::uint32_t /*device*/, std::uint64_t* id) {
  *id = 1000U + ++numBegun;
  notEnded.insert(*id);
}
void end(std::uint64_t id) { numEnded += static_cast<int>(notEnded.erase(id)); }

TYPED_TEST(KernelTimesOf, KernelsAreStillSeenByATool) {
  namespace Tools = Kokkos::Tools::Experimental;
  const auto before = Tools::get_callbacks();
  Tools::set_begin_parallel_for_callback(begin);
  Tools::set_end_parallel_for_callback(end);
  numBegun = 0;
  numEnded = 0;
  notEnded.clear();
  {
    const KernelTimes measured;
    launch<TypeParam>(2);
    EXPECT_EQ(launches(measured.times(), "Spanwise::Test::outer", "fill"), 2);
  }
  EXPECT_GE(numBegun, 3);
  EXPECT_EQ(numEnded, numBegun);
  const int during = numBegun;
  launch<TypeParam>(1);
  EXPECT_GT(numBegun, during);
  Tools::set_begin_parallel_for_callback(before.begin_parallel_for);
  Tools::set_end_parallel_for_callback(before.end_parallel_for);
}

} // namespace
} // namespace spanwise::testing
