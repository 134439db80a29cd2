#include "SpanwiseLatticeFit.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spanwise {

namespace {

// Sums for a line through (step, position).
struct LineSums {
  double count = 0.0;
  double steps = 0.0;
  double positions = 0.0;
  double stepsSquared = 0.0;
  double products = 0.0;

  void add(double step, double position) {
    count += 1.0;
    steps += step;
    positions += position;
    stepsSquared += step * step;
    products += step * position;
  }
  [[nodiscard]] double variation() const { return stepsSquared - steps * steps / count; }
  [[nodiscard]] double covariation() const { return products - steps * positions / count; }
};

// What the stretches between gaps say of the spacing together.
struct Stretches {
  double variation = 0.0;
  double covariation = 0.0;
  double longest = 0.0; // in steps
  int count = 0;

  void add(const LineSums& line, double length) {
    variation += line.variation();
    covariation += line.covariation();
    longest = std::max(longest, length);
    ++count;
  }
};

Stretches stretchesOf(const std::vector<double>& sorted, double spacing, double longestGap) {
  Stretches all;
  LineSums line;
  double step = 0.0;
  double begin = sorted.front();
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    const double gap = k == 0 ? 0.0 : (sorted[k] - sorted[k - 1]) / spacing;
    if (gap > longestGap) {
      all.add(line, step);
      line = {};
      step = 0.0;
      begin = sorted[k];
    } else {
      step += std::round(gap);
    }
    line.add(step, sorted[k] - begin);
  }
  all.add(line, step);
  return all;
}

// What lies at one place of the lattice, from the first position on.
struct Place {
  double step;
  double low;
  double high;
};

std::vector<Place> placesOf(const std::vector<double>& sorted, double spacing) {
  std::vector<Place> places{{0.0, 0.0, 0.0}};
  for (std::size_t k = 1; k < sorted.size(); ++k) {
    const double steps = std::round((sorted[k] - sorted[k - 1]) / spacing);
    const double position = sorted[k] - sorted.front();
    if (steps > 0.0) {
      places.push_back({places.back().step + steps, position, position});
    }
    places.back().high = position;
  }
  return places;
}

// Between two lines of one slope, all places.
struct Strip {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  [[nodiscard]] double width() const { return high - low; }
};

Strip stripOf(const std::vector<Place>& places, double slope) {
  Strip strip;
  for (const Place& place : places) {
    strip.low = std::min(strip.low, place.low - place.step * slope);
    strip.high = std::max(strip.high, place.high - place.step * slope);
  }
  return strip;
}

} // namespace

LatticeFit fitLattice(std::vector<double>& positions, double size, double noise) {
  std::sort(positions.begin(), positions.end());
  LatticeFit fit;
  fit.spacing = size;
  constexpr double certain = 0.25; // of a spacing: so far a gap may be off and is still rounded rightly
  double error = 4.0 * noise;      // of the spacing
  for (double longestGap = 0.0; certain / error > longestGap;) {
    longestGap = certain / error;
    const Stretches stretches = stretchesOf(positions, fit.spacing, longestGap);
    fit.spacing = stretches.variation > 0.0 ? stretches.covariation / stretches.variation : fit.spacing;
    error = std::min(error, 4.0 * noise / std::max(stretches.longest, 1.0));
    if (stretches.count == 1) {
      break;
    }
  }
  const Stretches all = stretchesOf(positions, fit.spacing, std::numeric_limits<double>::infinity());
  fit.spacing = all.variation > 0.0 ? all.covariation / all.variation : fit.spacing;
  fit.steps = all.longest;

  const std::vector<Place> places = placesOf(positions, fit.spacing);
  // The width is convex in the slope. From the fit by least squares the best one is no further than noise allows.
  double least = fit.spacing * (1.0 - 4.0 * noise / std::max(fit.steps, 1.0));
  double most = fit.spacing * (1.0 + 4.0 * noise / std::max(fit.steps, 1.0));
  for (int k = 0; k < 80; ++k) {
    const double third = (most - least) / 3.0;
    if (stripOf(places, least + third).width() < stripOf(places, most - third).width()) {
      most -= third;
    } else {
      least += third;
    }
  }
  fit.spacing = fit.steps > 0.0 ? 0.5 * (least + most) : fit.spacing;
  const Strip strip = stripOf(places, fit.spacing);
  fit.origin = positions.front() + 0.5 * (strip.low + strip.high);
  return fit;
}

} // namespace spanwise
