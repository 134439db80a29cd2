#pragma once

// Problems with points as sources in constant and random media, for tests of what follows from arrival times.

#include "Testing/Core/Solvers/Eikonal/Arrivals.hpp"

#include <random>

namespace spanwise::eikonal::testing {

inline ArrivalOptions traced(FactorBy by = FactorBy::Points) {
  ArrivalOptions options;
  options.trace = Trace::Sources;
  options.factoring.by = by;
  return options;
}

inline std::vector<Point> randomPoints(std::mt19937& random, int count, int dimension) {
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  std::vector<Point> points;
  for (int i = 0; i < count; ++i) {
    points.push_back({{unit(random), unit(random), dimension == 3 ? unit(random) : 0.0}});
  }
  return points;
}

/// A mesh of the unit square or cube with a tensor an element, and four points as sources.
struct RandomProblem {
  RandomProblem(std::mt19937& random, int dimension, int n, double moved)
    : mesh(gridMesh(dimension == 3 ? ElementType::Tetrahedron : ElementType::Triangle, n)) {
    shake(mesh, random, moved / n, dimension);
    sources.points = randomPoints(random, 4, dimension);
    sources.pointTimes = {0.0, 0.05, 0.02, 0.1};
  }

  /// Up to 3 times as fast along one axis as along another, in each element otherwise.
  void addTensors(std::mt19937& random) {
    std::uniform_real_distribution<double> factor(0.2, 2.0);
    for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
      tensors.insert(tensors.end(), {factor(random), factor(random), factor(random), 0.1, -0.05, 0.08});
    }
  }

  HostMesh mesh;
  HostSources sources;
  Times tensors; ///< none: speed 1
};

template <class Space>
struct SpeedOf {
  explicit SpeedOf(const Times& tensors) : values(copied<double, Space>(tensors)) {}
  [[nodiscard]] Speed get() const {
    return values.extent(0) == 0 ? Speed::constant(1.0) : Speed::tensorOfElements(values.data());
  }
  Kokkos::View<double*, typename Space::memory_space> values;
};

} // namespace spanwise::eikonal::testing
