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

// Below these the host does it. On an H200 and 16 cores of its host (Documentation/Performance/Data/h200-filters.json)
// a union takes as long on both with 12,000 intervals, dilation by a ball, components and filled holes with 2,600;
// carrying, thresholds, stencils and coarsening with 30,000 to 100,000 values that lie on the device, and with 100,000
// that do not; adaptive refinement with 100,000. Fewer cores take longer.
constexpr std::int64_t minIntervals = 10'000;
constexpr std::int64_t minCells = 100'000;

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
