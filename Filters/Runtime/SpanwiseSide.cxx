#include "SpanwiseSide.h"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cstdlib>
#include <format>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <tuple>

namespace spanwise {

namespace {

// Below these the host does it. One H200 takes 0.07 ms for a union however small it is (Documentation/Performance/Data,
// h200.json), as kernels must start and their counts come back; meanwhile 2 cores of a host merge some 30,000 intervals
// and 16 cores 200,000 (sets.json). A field of a million values, copied there from the host, takes 0.3 ms at 25 GB/s,
// about what 2 cores take for a stencil on it. Of a mesh it begins at 30,000 elements: a device smooths them in 0.06
// ms, 2 cores in 0.2 (h200-mesh.json, smoothing.json); arrival times begin to be faster at about as many. Of particles
// it begins at 5,000, and at 2,000 where direct sums are asked for: h200-multipoles.json and
// h200-direct-sums-sizes.json beside 16 cores.
constexpr std::int64_t minIntervals = 100'000;
constexpr std::int64_t minCells = 1'000'000;

SideChoice choiceOfEnvironment() {
  const char* const text = std::getenv("SPANWISE_COMPUTE_ON");
  const std::string_view asked = text == nullptr ? "automatic" : text;
  if (asked == "automatic" || asked.empty()) {
    return SideChoice::Automatic;
  }
  if (asked == "host") {
    return SideChoice::Host;
  }
  if (asked == "device") {
    return SideChoice::Device;
  }
  throw InvalidArgument(
    std::format("SPANWISE_COMPUTE_ON is '{}' in the environment; it must be automatic, host or device", asked));
}

std::mutex mutex;
std::optional<SideChoice> chosen;

struct Noted {
  std::int64_t count = 0;
  double seconds = 0.0;
};
std::map<std::tuple<std::string, ComputeSide, std::string>, Noted> noted;

} // namespace

void setSideChoice(SideChoice choice) {
  const std::scoped_lock lock(mutex);
  chosen = choice;
}

SideChoice sideChoice() {
  const std::scoped_lock lock(mutex);
  if (!chosen) {
    chosen = choiceOfEnvironment();
  }
  return *chosen;
}

ChosenSide sideFor(const SideWork& work) { return sideFor(work, sideChoice(), haveDevice); }

ChosenSide sideFor(const SideWork& work, SideChoice choice, bool thereIsADevice) {
  switch (choice) {
  case SideChoice::Host:
    return {ComputeSide::Host, "chosen"};
  case SideChoice::Device:
    return {ComputeSide::Device, "chosen"};
  case SideChoice::Automatic:
    break;
  }
  if (!thereIsADevice) {
    return {ComputeSide::Host, "no device"};
  }
  if (work.onHost) {
    return {ComputeSide::Host, "its input lies there"};
  }
  if (work.numIntervals < minIntervals && work.numCells < minCells) {
    return {ComputeSide::Host, "little to do"};
  }
  return {ComputeSide::Device, work.onDevice ? "its input lies there" : "much to do"};
}

void noteSide(const std::string& operation, const ChosenSide& side, double seconds) {
  const std::scoped_lock lock(mutex);
  Noted& so = noted[{operation, side.side, side.reason}];
  ++so.count;
  so.seconds += seconds;
}

std::vector<SideNote> sideNotes() {
  const std::scoped_lock lock(mutex);
  std::vector<SideNote> notes;
  for (const auto& [what, so] : noted) {
    notes.push_back({std::get<0>(what), std::get<1>(what), std::get<2>(what), so.count, so.seconds});
  }
  return notes;
}

std::string toString(const std::vector<SideNote>& notes) {
  std::string lines;
  for (const SideNote& note : notes) {
    const char* const device = haveDevice ? "device" : "stand-in for a device";
    const std::string seconds = note.seconds > 0.0 ? std::format(", {:.3g} s in all", note.seconds) : "";
    lines += std::format("{} on the {}, {}{} ({})\n", note.operation, note.side == ComputeSide::Host ? "host" : device,
      note.count == 1 ? "once" : std::to_string(note.count) + " times", seconds, note.reason);
  }
  return lines;
}

} // namespace spanwise
