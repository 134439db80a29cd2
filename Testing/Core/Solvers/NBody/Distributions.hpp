#pragma once

// Where particles of a multipole method may lie: everywhere alike, and as unlike as can be.

#include "Testing/Core/Solvers/NBody/Particles.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace spanwise::nbody::testing {

enum class Distribution { Uniform, Sphere, Line, Plummer, Clusters, Duplicates, OnePlace };

inline constexpr Distribution allDistributions[] = {Distribution::Uniform, Distribution::Sphere, Distribution::Line,
  Distribution::Plummer, Distribution::Clusters, Distribution::Duplicates, Distribution::OnePlace};

inline const char* distributionName(Distribution distribution) {
  switch (distribution) {
  case Distribution::Uniform:
    return "in the unit box";
  case Distribution::Sphere:
    return "on a sphere";
  case Distribution::Line:
    return "on a line";
  case Distribution::Plummer:
    return "in Plummer's cluster";
  case Distribution::Clusters:
    return "in small clusters";
  case Distribution::Duplicates:
    return "many in few places";
  case Distribution::OnePlace:
    return "in one place";
  }
  return "";
}

template <int Dim>
std::array<double, Dim> randomDirection(std::mt19937& random) {
  std::normal_distribution<double> normal;
  std::array<double, Dim> direction{};
  double square = 0.0;
  for (double& component : direction) {
    component = normal(random);
    square += component * component;
  }
  for (double& component : direction) {
    component /= std::sqrt(square);
  }
  return direction;
}

template <int Dim>
std::array<double, Dim> randomPlace(Distribution distribution, std::mt19937& random, std::int64_t i) {
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  std::array<double, Dim> place{};
  switch (distribution) {
  case Distribution::Uniform:
    for (double& x : place) {
      x = uniform(random);
    }
    break;
  case Distribution::Sphere:
    place = randomDirection<Dim>(random);
    break;
  case Distribution::Line: {
    const double along = uniform(random);
    for (int axis = 0; axis < Dim; ++axis) {
      place[axis] = along * (1.0 - 0.3 * axis);
    }
    break;
  }
  case Distribution::Plummer: { // S. Aarseth, M. Henon, R. Wielen, Astron. Astrophys. 37 (1974): the radii
    place = randomDirection<Dim>(random);
    const double radius = 1.0 / std::sqrt(std::pow(uniform(random) * 0.999 + 1e-6, -2.0 / 3.0) - 1.0);
    for (double& x : place) {
      x *= radius;
    }
    break;
  }
  case Distribution::Clusters: { // twenty clusters whose sizes go from 1e-1 to 1e-6
    std::mt19937 ofCluster(static_cast<unsigned>(i % 20));
    const double size = std::pow(10.0, -1.0 - static_cast<double>(i % 6));
    for (double& x : place) {
      x = uniform(ofCluster) + size * uniform(random);
    }
    break;
  }
  case Distribution::Duplicates: {
    std::mt19937 ofPlace(static_cast<unsigned>(random() % 37));
    for (double& x : place) {
      x = uniform(ofPlace);
    }
    break;
  }
  case Distribution::OnePlace:
    place.fill(0.25);
    break;
  }
  return place;
}

/// Particles of a distribution, with charges in [-1, 1].
template <int Dim, class Real>
Particles<Dim, Real> distributed(
  Distribution distribution, std::mt19937& random, std::int64_t count, int numColumns = 1) {
  auto particles = randomParticles<Dim, Real>(random, count, numColumns);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto place = randomPlace<Dim>(distribution, random, i);
    for (int axis = 0; axis < Dim; ++axis) {
      particles.points[axis][i] = static_cast<Real>(place[axis]);
    }
  }
  return particles;
}

} // namespace spanwise::nbody::testing
