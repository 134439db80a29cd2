#pragma once

// The sets that the published figures of the peers are for: rnd (gaps and lengths 1 to 16 from a SplitMix64 stream),
// ball (10 M cells) and shell (10 M cells, 3 thick).

#include "Core/Geometry/Copy.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

namespace spanwise::benchmarks {

/// Receives the intervals of a set in row order.
template <int Dim>
class SetWriter {
public:
  void add(const RowKey<Dim>& key, Coordinate begin, Coordinate end) {
    if (keys_.empty() || !(keys_.back() == key)) {
      keys_.push_back(key);
      offsets_.push_back(static_cast<std::int64_t>(intervals_.size()));
    }
    intervals_.push_back({begin, end});
  }

  HostIntervalSet<Dim> finish() {
    offsets_.push_back(static_cast<std::int64_t>(intervals_.size()));
    return fromArrays<Dim>(keys_, offsets_, intervals_);
  }

private:
  std::vector<RowKey<Dim>> keys_;
  std::vector<std::int64_t> offsets_;
  std::vector<Interval> intervals_;
};

inline std::uint64_t splitMix64(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9E3779B97F4A7C15ULL);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

/// Rows of random intervals: 2D 4096 rows of 256, 3D 128 x 128 rows of 64; 1.05 M intervals either way.
template <int Dim>
HostIntervalSet<Dim> makeRandom(std::uint64_t seed) {
  const int numZ = Dim == 2 ? 1 : 128;
  const int numY = Dim == 2 ? 4096 : 128;
  const int perRow = Dim == 2 ? 256 : 64;
  SetWriter<Dim> writer;
  for (int z = 0; z < numZ; ++z) {
    for (int y = 0; y < numY; ++y) {
      Coordinate x = 0;
      for (int k = 0; k < perRow; ++k) {
        x += 1 + static_cast<Coordinate>(splitMix64(seed) & 15U);
        const Coordinate length = 1 + static_cast<Coordinate>(splitMix64(seed) & 15U);
        writer.add(RowKey<Dim>::fromYZ(y, z), x, x + length);
        x += length;
      }
    }
  }
  return writer.finish();
}

/// Cells within `radius` of (shift, 0, 0) and, if `hollow` > 0, not within `hollow`.
inline HostIntervalSet<3> makeShell(Coordinate shift, double radius, double hollow) {
  SetWriter<3> writer;
  const auto reach = static_cast<Coordinate>(std::ceil(radius));
  for (Coordinate z = -reach; z <= reach; ++z) {
    for (Coordinate y = -reach; y <= reach; ++y) {
      const double distance = static_cast<double>(z) * z + static_cast<double>(y) * y;
      if (distance > radius * radius) {
        continue;
      }
      const auto half = static_cast<Coordinate>(std::sqrt(radius * radius - distance));
      const RowKey<3> key{y, z};
      if (hollow <= 0 || distance > hollow * hollow) {
        writer.add(key, shift - half, shift + half + 1);
        continue;
      }
      const auto hole = static_cast<Coordinate>(std::sqrt(hollow * hollow - distance));
      if (half > hole) {
        writer.add(key, shift - half, shift - hole);
        writer.add(key, shift + hole + 1, shift + half + 1);
      }
    }
  }
  return writer.finish();
}

/// Two sets to combine.
template <int Dim>
struct Pair {
  HostIntervalSet<Dim> a;
  HostIntervalSet<Dim> b;
};

inline Pair<2> random2D() { return {makeRandom<2>(1), makeRandom<2>(2)}; }
inline Pair<3> random3D() { return {makeRandom<3>(1), makeRandom<3>(2)}; }
inline Pair<3> balls() { return {makeShell(0, 134.0, 0.0), makeShell(60, 134.0, 0.0)}; }
inline Pair<3> shells() { return {makeShell(0, 516.0, 513.0), makeShell(60, 516.0, 513.0)}; }

/// Bytes per second of a copy on as many threads, the limit that shares refer to: of three copies the quickest, made
/// each time that it is asked for, since the pace of a machine that others use changes.
double copyBandwidth(int threads);

/// The same of a copy within the default execution space's memory.
double deviceCopyBandwidth();

} // namespace spanwise::benchmarks
