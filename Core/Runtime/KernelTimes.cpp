#include "Core/Runtime/KernelTimes.hpp"

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Runtime.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <map>
#include <mutex>
#include <sstream>
#include <utility>

namespace spanwise {

namespace {

namespace Tools = Kokkos::Tools::Experimental;
using Clock = std::chrono::steady_clock;

struct Running {
  std::size_t row = 0;
  std::uint64_t idOfTool = 0; ///< what the tool that was there first calls it
  Clock::time_point begin;
};

struct Measurement {
  std::mutex mutex;
  bool isOn = false;
  Tools::EventSet before{}; // the callbacks of a tool that was there first
  std::vector<std::string> regions;
  std::vector<KernelTime> rows;
  std::map<std::pair<std::string, std::string>, std::size_t> rowOf;
  std::map<std::uint64_t, Running> running;
  std::uint64_t nextId = 0;
};

// Never destroyed: kernels may be launched while static objects go.
Measurement& measurement() {
  static auto* const theMeasurement = new Measurement;
  return *theMeasurement;
}

template <Kokkos_Profiling_beginFunction Tools::EventSet::* callback>
void onBegin(const char* label, std::uint32_t device, std::uint64_t* id) {
  Measurement& state = measurement();
  std::uint64_t idOfTool = 0;
  if (state.before.*callback != nullptr) {
    (state.before.*callback)(label, device, &idOfTool);
  }
  Kokkos::fence(SPANWISE_LABEL("Runtime::KernelTimes"));
  const std::scoped_lock lock(state.mutex);
  const std::string region = state.regions.empty() ? "" : state.regions.back();
  const auto [found, isNew] = state.rowOf.try_emplace({region, label}, state.rows.size());
  if (isNew) {
    state.rows.push_back({region, label, 0, 0.0});
  }
  *id = state.nextId++;
  state.running[*id] = {found->second, idOfTool, Clock::now()};
}

template <Kokkos_Profiling_endFunction Tools::EventSet::* callback>
void onEnd(std::uint64_t id) {
  Kokkos::fence(SPANWISE_LABEL("Runtime::KernelTimes"));
  const Clock::time_point end = Clock::now();
  Measurement& state = measurement();
  std::uint64_t idOfTool = 0;
  {
    const std::scoped_lock lock(state.mutex);
    const auto found = state.running.find(id);
    if (found == state.running.end()) { // it began before the measurement
      return;
    }
    KernelTime& row = state.rows[found->second.row];
    ++row.numLaunches;
    row.seconds += std::chrono::duration<double>(end - found->second.begin).count();
    idOfTool = found->second.idOfTool;
    state.running.erase(found);
  }
  if (state.before.*callback != nullptr) {
    (state.before.*callback)(idOfTool);
  }
}

void onPushRegion(const char* name) {
  Measurement& state = measurement();
  {
    const std::scoped_lock lock(state.mutex);
    state.regions.emplace_back(name);
  }
  if (state.before.push_region != nullptr) {
    state.before.push_region(name);
  }
}

void onPopRegion() {
  Measurement& state = measurement();
  {
    const std::scoped_lock lock(state.mutex);
    if (!state.regions.empty()) { // else it was pushed before the measurement
      state.regions.pop_back();
    }
  }
  if (state.before.pop_region != nullptr) {
    state.before.pop_region();
  }
}

} // namespace

KernelTimes::KernelTimes() {
  if (!runtimeStarted()) {
    throw RuntimeError("kernels cannot be timed: the runtime has not started");
  }
  Measurement& state = measurement();
  {
    const std::scoped_lock lock(state.mutex);
    if (state.isOn) {
      throw RuntimeError("kernels are timed already: there may be one KernelTimes at a time");
    }
    state.isOn = true;
    state.before = Tools::get_callbacks();
    state.regions.clear();
    state.rows.clear();
    state.rowOf.clear();
    state.running.clear();
  }
  Tools::set_begin_parallel_for_callback(onBegin<&Tools::EventSet::begin_parallel_for>);
  Tools::set_end_parallel_for_callback(onEnd<&Tools::EventSet::end_parallel_for>);
  Tools::set_begin_parallel_reduce_callback(onBegin<&Tools::EventSet::begin_parallel_reduce>);
  Tools::set_end_parallel_reduce_callback(onEnd<&Tools::EventSet::end_parallel_reduce>);
  Tools::set_begin_parallel_scan_callback(onBegin<&Tools::EventSet::begin_parallel_scan>);
  Tools::set_end_parallel_scan_callback(onEnd<&Tools::EventSet::end_parallel_scan>);
  Tools::set_push_region_callback(onPushRegion);
  Tools::set_pop_region_callback(onPopRegion);
}

KernelTimes::~KernelTimes() {
  Measurement& state = measurement();
  Tools::set_begin_parallel_for_callback(state.before.begin_parallel_for);
  Tools::set_end_parallel_for_callback(state.before.end_parallel_for);
  Tools::set_begin_parallel_reduce_callback(state.before.begin_parallel_reduce);
  Tools::set_end_parallel_reduce_callback(state.before.end_parallel_reduce);
  Tools::set_begin_parallel_scan_callback(state.before.begin_parallel_scan);
  Tools::set_end_parallel_scan_callback(state.before.end_parallel_scan);
  Tools::set_push_region_callback(state.before.push_region);
  Tools::set_pop_region_callback(state.before.pop_region);
  const std::scoped_lock lock(state.mutex);
  state.isOn = false;
}

std::vector<KernelTime> KernelTimes::times() const { return kernelTimesNow(); }

std::vector<KernelTime> kernelTimesNow() {
  Measurement& state = measurement();
  const std::scoped_lock lock(state.mutex);
  if (!state.isOn) {
    return {};
  }
  std::vector<KernelTime> rows = state.rows;
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  return rows;
}

std::string toString(const std::vector<KernelTime>& times) {
  std::size_t width = 6;
  const auto nameOf = [](const KernelTime& time) {
    return time.region.empty() ? time.kernel : time.region + ": " + time.kernel;
  };
  for (const KernelTime& time : times) {
    width = std::max(width, nameOf(time).size());
  }
  std::ostringstream text;
  text << std::left << std::setw(static_cast<int>(width)) << "kernel" << std::right << "   launches    milliseconds\n";
  for (const KernelTime& time : times) {
    text << std::left << std::setw(static_cast<int>(width)) << nameOf(time) << std::right << std::setw(11)
         << time.numLaunches << std::setw(16) << std::fixed << std::setprecision(3) << 1e3 * time.seconds << '\n';
  }
  return text.str();
}

} // namespace spanwise
