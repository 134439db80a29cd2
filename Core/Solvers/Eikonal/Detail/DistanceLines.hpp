#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Workspace.hpp"
#include "Core/Solvers/Eikonal/Detail/RunsOfRows.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace spanwise::eikonal::detail {

/// Lines of cells along an axis: `across` lines side by side in memory, and that again `layers` times. Each cell has
/// the square of its distance so far, negative in the set.
struct DistanceLines {
  double* values;
  std::int64_t across;
  std::int64_t layers;
  std::int64_t layerStride;
  std::int64_t count;  ///< cells of a line
  std::int64_t stride; ///< from one to the next
  std::int64_t first;  ///< the cells first ... last - 1 of each line are asked for
  std::int64_t last;
  bool periodic;
  bool isLast; ///< distances are asked for, not their squares
  double squaredSpacing;
};

/// A cell whose distances are the least from a place on.
struct EnvelopeSite {
  double value;
  std::int32_t place;
  std::int32_t start;
};

/// The least distances along lines. Between two cells that are not in the set no cell beyond them counts for those that
/// are, and the other way round: so each run of cells of one kind has an envelope of its own, in which the cells at its
/// ends have the distance 0.
template <class ExecutionSpace>
struct AlongLines {
  static constexpr bool onHost = runsOnHost<ExecutionSpace>;
  /// On the host as many lines as share cache lines are brought together, since their cells are far apart.
  static constexpr std::int64_t linesPerGroup = onHost ? 16 : 1;
  static constexpr std::int64_t maxWorkers = std::int64_t{1} << 16; // of a device

  DistanceLines lines;
  std::int64_t numWorkers;
  EnvelopeSite* sites; ///< [workers][sitesPerLine()], on a device [sitesPerLine()][workers]
  double* gathered;    ///< on the host [workers][linesPerGroup][count]

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t groupsAcross() const {
    return (lines.across + linesPerGroup - 1) / linesPerGroup;
  }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t numGroups() const { return groupsAcross() * lines.layers; }
  /// With an axis that repeats a line without ends has half of itself on both sides again.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t sitesPerLine() const {
    return lines.periodic ? 2 * lines.count + 2 : lines.count;
  }

  KOKKOS_FUNCTION void operator()(std::int64_t worker) const {
    if constexpr (onHost) {
      const std::int64_t end = numGroups() * (worker + 1) / numWorkers;
      for (std::int64_t group = numGroups() * worker / numWorkers; group < end; ++group) {
        doGathered(worker, group);
      }
    } else {
      for (std::int64_t group = worker; group < numGroups(); group += numWorkers) {
        const std::int64_t begin = group / lines.across * lines.layerStride + group % lines.across;
        doLine(worker, {lines.values + begin, lines.stride, lines.count});
      }
    }
  }

private:
  struct Line {
    double* values;
    std::int64_t stride;
    std::int64_t count;

    [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int64_t wrapped(std::int64_t k) const {
      return k < 0 ? k + count : (k >= count ? k - count : k);
    }
    [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double& at(std::int64_t k) const { return values[wrapped(k) * stride]; }
    [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool isOutside(std::int64_t k) const { return at(k) > 0.0; }
  };
  /// Cells of one kind, and the sites that decide about them.
  struct Run {
    std::int64_t begin;
    std::int64_t end;
    std::int64_t firstSite;
    std::int64_t endSite;
    double sign;
  };

  KOKKOS_FUNCTION void doGathered(std::int64_t worker, std::int64_t group) const {
    const std::int64_t i = group % groupsAcross() * linesPerGroup;
    const std::int64_t most = linesPerGroup; // of which Kokkos::min() takes the address
    const std::int64_t width = Kokkos::min(most, lines.across - i);
    double* const from = lines.values + group / groupsAcross() * lines.layerStride + i;
    double* const mine = gathered + worker * linesPerGroup * lines.count;
    for (std::int64_t k = 0; k < lines.count; ++k) {
      for (std::int64_t l = 0; l < width; ++l) {
        mine[l * lines.count + k] = from[k * lines.stride + l];
      }
    }
    for (std::int64_t l = 0; l < width; ++l) {
      doLine(worker, {mine + l * lines.count, 1, lines.count});
    }
    for (std::int64_t k = lines.first; k < lines.last; ++k) {
      for (std::int64_t l = 0; l < width; ++l) {
        from[k * lines.stride + l] = mine[l * lines.count + k];
      }
    }
  }

  KOKKOS_FUNCTION void doLine(std::int64_t worker, const Line& line) const {
    std::int64_t begin = 0;
    if (lines.periodic) { // from a place where a run begins
      while (begin < line.count && line.isOutside(begin) == line.isOutside(begin - 1)) {
        ++begin;
      }
      if (begin == line.count) {
        const std::int64_t around = (line.count + 1) / 2;
        doRun(worker, line, {0, line.count, -around, line.count + around, line.isOutside(0) ? 1.0 : -1.0});
        return;
      }
    }
    const std::int64_t end = begin + line.count;
    while (begin < end) {
      const bool outside = line.isOutside(begin);
      std::int64_t next = begin + 1;
      while (next < end && line.isOutside(next) == outside) {
        ++next;
      }
      Run run{begin, next, begin - 1, next + 1, outside ? 1.0 : -1.0};
      if (!lines.periodic) {
        run.firstSite = Kokkos::max<std::int64_t>(run.firstSite, 0);
        run.endSite = Kokkos::min(run.endSite, line.count);
        run.begin = Kokkos::max(run.begin, lines.first);
        run.end = Kokkos::min(run.end, lines.last);
      }
      if (run.begin < run.end) {
        doRun(worker, line, run);
      }
      begin = next;
    }
  }

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION EnvelopeSite& site(std::int64_t worker, std::int64_t k) const {
    return onHost ? sites[worker * sitesPerLine() + k] : sites[k * numWorkers + worker];
  }

  KOKKOS_FUNCTION void doRun(std::int64_t worker, const Line& line, const Run& run) const {
    std::int64_t top = -1;
    for (std::int64_t u = run.firstSite; u < run.endSite; ++u) {
      const double value = Kokkos::max(run.sign * line.at(u), 0.0);
      if (!(value < Kokkos::Experimental::infinity_v<double>)) {
        continue;
      }
      while (top >= 0) {
        const EnvelopeSite& last = site(worker, top);
        if (distance(last, last.start) < value + squared(last.start - u)) {
          break;
        }
        --top;
      }
      std::int64_t first = run.begin;
      if (top >= 0) {
        const EnvelopeSite& last = site(worker, top);
        first = firstBehind(last.place, u, (value - last.value) / lines.squaredSpacing, run);
        first = Kokkos::max(first, std::int64_t{last.start} + 1); // by rounding it may be there
      }
      if (first < run.end) {
        site(worker, ++top) = {value, static_cast<std::int32_t>(u), static_cast<std::int32_t>(first)};
      }
    }
    std::int64_t end = run.end;
    for (; top >= 0; --top) {
      const EnvelopeSite from = site(worker, top);
      for (std::int64_t k = from.start; k < end; ++k) {
        const double least = distance(from, k);
        line.at(k) = run.sign * (lines.isLast ? Kokkos::sqrt(least) : least);
      }
      end = from.start;
    }
  }

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double squared(std::int64_t cells) const {
    return squaredGap(static_cast<double>(Kokkos::abs(cells))) * lines.squaredSpacing;
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double distance(const EnvelopeSite& from, std::int64_t k) const {
    return from.value + squared(k - from.place);
  }

  /// The first place of the run that is nearer to site u than to site i, which comes before it. `ahead`: how much less
  /// the distance at i is, in units of the spacing squared.
  [[nodiscard]] KOKKOS_FUNCTION static std::int64_t firstBehind(
    std::int64_t i, std::int64_t u, double ahead, const Run& run) {
    const auto width = static_cast<double>(u - i);
    const auto sum = static_cast<double>(u + i);
    double first;
    if (squaredGap(width) < ahead) { // behind u
      first = Kokkos::max(Kokkos::ceil(0.5 * (sum + 1.0 + ahead / width)), static_cast<double>(u) + 1.0);
    } else if (-squaredGap(width) < ahead) { // between them, or u
      first = width > 1.0 ? Kokkos::ceil(0.5 * (sum + ahead / (width - 1.0))) : static_cast<double>(u);
      first = Kokkos::min(Kokkos::max(first, static_cast<double>(i) + 1.0), static_cast<double>(u));
    } else { // i, or before it
      first = Kokkos::min(Kokkos::ceil(0.5 * (sum - 1.0 + ahead / width)), static_cast<double>(i));
    }
    const auto begin = static_cast<double>(run.begin);
    return static_cast<std::int64_t>(Kokkos::min(Kokkos::max(first, begin), static_cast<double>(run.end)));
  }
};

/// Does the pass along lines, in place. Scratch memory is a line for each worker: on the host a thread.
template <class ExecutionSpace>
void passAlongLines(const Context<ExecutionSpace>& context, const DistanceLines& lines) {
  const ExecutionSpace& space = context.space();

  AlongLines<ExecutionSpace> pass{lines, 0, nullptr, nullptr};
  if (pass.numGroups() == 0 || lines.count == 0) {
    return;
  }
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  pass.numWorkers = std::min(pass.numGroups(), pass.onHost ? std::int64_t{space.concurrency()} : pass.maxWorkers);
  pass.sites = frame.template array<EnvelopeSite>(pass.numWorkers * pass.sitesPerLine()).data();
  if constexpr (pass.onHost) {
    pass.gathered = frame.template array<double>(pass.numWorkers * pass.linesPerGroup * lines.count).data();
  }
  forEach(SPANWISE_KERNEL("along lines"), IndexRange<ExecutionSpace>(space, 0, pass.numWorkers), pass,
    Work{lines.across * lines.layers * lines.count});
}

} // namespace spanwise::eikonal::detail
