#include "PackedBed.h"

#include "Core/Geometry/Builders/Mask.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Label.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <format>
#include <numbers>
#include <random>

using namespace spanwise;
using namespace spanwise::geometry;

namespace {

using Point = std::array<double, 3>;

/// Moves spheres that overlap apart, along the line through their centres; the greatest overlap there was. The cube has
/// side 1.
double pushApart(std::vector<Point>& centres, double diameter) {
  double greatest = 0.0;
  for (std::size_t i = 0; i < centres.size(); ++i) {
    for (std::size_t j = i + 1; j < centres.size(); ++j) {
      Point apart{};
      double square = 0.0;
      for (std::size_t d = 0; d < 3; ++d) {
        const double difference = centres[j][d] - centres[i][d];
        apart[d] = difference - std::round(difference); // the nearest of all periods
        square += apart[d] * apart[d];
      }
      if (square >= diameter * diameter) {
        continue;
      }
      const double distance = std::sqrt(square);
      greatest = std::max(greatest, diameter - distance);
      for (std::size_t d = 0; d < 3; ++d) {
        const double along = distance > 0.0 ? apart[d] / distance : (d == 0 ? 1.0 : 0.0);
        const double push = 0.5 * (diameter - distance) * along;
        centres[i][d] -= push;
        centres[j][d] += push;
      }
    }
  }
  return greatest;
}

std::vector<Point> centresOf(const PackedBed& bed) {
  if (bed.numSpheres == 1) {
    return {{0.5, 0.5, 0.5}};
  }
  std::mt19937 random(bed.seed);
  std::vector<Point> centres(static_cast<std::size_t>(bed.numSpheres));
  for (Point& centre : centres) {
    std::ranges::generate(centre, [&] { return static_cast<double>(random()) / 4294967296.0; });
  }
  const double diameter = 2.0 * radiusOf(bed) / bed.size;
  constexpr int mostRounds = 5000;
  for (int round = 0; round < mostRounds; ++round) {
    if (pushApart(centres, diameter) <= 1e-3 * diameter) {
      for (Point& centre : centres) {
        std::ranges::transform(centre, centre.begin(), [](double x) { return x - std::floor(x); });
      }
      return centres;
    }
  }
  throw InvalidArgument(std::format("{} spheres find no place where {:g} of the bed are to be fluid: use a greater "
                                    "porosity, or other spheres (--seed)",
    bed.numSpheres, bed.porosity));
}

} // namespace

double radiusOf(const PackedBed& bed) {
  return bed.size * std::cbrt(3.0 * (1.0 - bed.porosity) / (4.0 * std::numbers::pi * bed.numSpheres));
}

std::vector<BallSurface<3>> spheresOf(const PackedBed& bed) {
  const double radius = radiusOf(bed);
  if (2.0 * radius > bed.size) {
    throw InvalidArgument(std::format(
      "a sphere of {:.4g} cells is larger than the bed of {}: use a greater porosity", 2.0 * radius, bed.size));
  }
  constexpr double beside = 2.0; // cells beyond the cube whose distances are asked for
  std::vector<BallSurface<3>> spheres;
  for (const Point& centre : centresOf(bed)) {
    for (int period = 0; period < 27; ++period) {
      BallSurface<3> sphere{{}, radius};
      bool isNear = true;
      for (int d = 0, rest = period; d < 3; ++d, rest /= 3) {
        sphere.centre[d] = bed.size * (centre[static_cast<std::size_t>(d)] + rest % 3 - 1);
        isNear = isNear && sphere.centre[d] > -radius - beside && sphere.centre[d] < bed.size + radius + beside;
      }
      if (isNear) {
        spheres.push_back(sphere);
      }
    }
  }
  return spheres;
}

HostIntervalSet<3> cellsOf(const PackedBed& bed, const std::vector<BallSurface<3>>& spheres) {
  const std::int64_t size = bed.size;
  const Kokkos::View<std::uint8_t*, Kokkos::HostSpace> mask(
    SPANWISE_LABEL("bed"), static_cast<std::size_t>(size * size * size));
  for (const BallSurface<3>& sphere : spheres) {
    const auto within = [&](int d, double side) {
      return std::clamp(static_cast<std::int64_t>(std::floor(sphere.centre[d] + side)), std::int64_t{0}, size - 1);
    };
    for (std::int64_t z = within(2, -sphere.radius); z <= within(2, sphere.radius); ++z) {
      for (std::int64_t y = within(1, -sphere.radius); y <= within(1, sphere.radius); ++y) {
        for (std::int64_t x = within(0, -sphere.radius); x <= within(0, sphere.radius); ++x) {
          if (sphere({static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5, static_cast<double>(z) + 0.5}) <=
            0.0) {
            mask(static_cast<std::size_t>((z * size + y) * size + x)) = 1;
          }
        }
      }
    }
  }
  HostIntervalSet<3> set;
  const Kokkos::View<const std::uint8_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> values = mask;
  const Box<3> box{{}, {bed.size, bed.size, bed.size}};
  makeFromMask<std::uint8_t, HostExecutionSpace, 3>(Context<HostExecutionSpace>(), values, box, {1.0, 1.0}, set);
  return set;
}
