#pragma once

// Arrival times for tests: sources in vectors, solutions on the host, orders.

#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/ArrivalTimes.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"
#include "Testing/Core/Solvers/Eikonal/Meshes.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>
#include <iostream>
#include <numbers>

namespace spanwise::eikonal::testing {

/// Sources in vectors.
struct HostSources {
  std::vector<std::int64_t> vertices;
  Times vertexTimes;
  std::vector<std::int64_t> elements;
  Times elementTimes;
  std::vector<Point> points;
  Times pointTimes;
  std::vector<Point> surface;
  std::vector<std::int64_t> triangles;
  double reach = 0.0;

  static HostSources at(const Point& point) {
    HostSources sources;
    sources.points = {point};
    return sources;
  }
};

inline Times coordinatesOf(const std::vector<Point>& points) {
  Times coordinates;
  for (const Point& point : points) {
    coordinates.insert(coordinates.end(), std::begin(point.at), std::end(point.at));
  }
  return coordinates;
}

template <class Space>
class SourcesOn {
public:
  explicit SourcesOn(const HostSources& host)
    : vertices_(copied<std::int64_t, Space>(host.vertices)), elements_(copied<std::int64_t, Space>(host.elements)),
      triangles_(copied<std::int64_t, Space>(host.triangles)), vertexTimes_(copied<double, Space>(host.vertexTimes)),
      elementTimes_(copied<double, Space>(host.elementTimes)),
      points_(copied<double, Space>(coordinatesOf(host.points))), pointTimes_(copied<double, Space>(host.pointTimes)),
      surface_(copied<double, Space>(coordinatesOf(host.surface))) {
    const auto count = [](const auto& list) { return static_cast<std::int64_t>(list.size()); };
    const auto times = [](const auto& view) { return view.extent(0) > 0 ? view.data() : nullptr; };
    sources_.vertices = {vertices_.data(), times(vertexTimes_), count(host.vertices)};
    sources_.elements = {elements_.data(), times(elementTimes_), count(host.elements)};
    sources_.points = {points_.data(), times(pointTimes_), count(host.points), host.reach};
    sources_.surface = {surface_.data(), triangles_.data(), nullptr, count(host.surface), count(host.triangles) / 3};
  }

  [[nodiscard]] const Sources& get() const { return sources_; }

private:
  template <class T>
  using List = Kokkos::View<T*, typename Space::memory_space>;
  List<std::int64_t> vertices_;
  List<std::int64_t> elements_;
  List<std::int64_t> triangles_;
  List<double> vertexTimes_;
  List<double> elementTimes_;
  List<double> points_;
  List<double> pointTimes_;
  List<double> surface_;
  Sources sources_;
};

template <class Space>
struct Solution {
  ArrivalReport report;
  Times times;
  ArrivalTimes<Space> all;
};

template <class Space>
Solution<Space> solve(const HostMesh& host, const Speed& speed, const HostSources& sources,
  const ArrivalOptions& options = {}, const Progress& progress = {}, const Space& space = {}) {
  const MeshOn<Space, double, std::int64_t> mesh(host);
  const SourcesOn<Space> sourcesThere(sources);
  const Context<Space> context(space, singleProcess(), progress);
  Solution<Space> solution;
  solution.report = solveArrivalTimes(context, mesh.mixed(), speed, sourcesThere.get(), options, solution.all);
  solution.times = onHost(solution.all.times);
  return solution;
}

/// A full tensor, its inverse and the travel time along a vector.
inline const SymmetricTensor fullTensor{1.5, 0.8, 1.1, 0.3, -0.2, 0.25};

inline double travelTime(const SymmetricTensor& m, const Point& e) { return std::sqrt(m.inverse().product(e)); }

inline double order(double coarse, double fine) { return std::log2(coarse / fine); }

/// Errors and the orders between them, each with half the step of the one before.
inline void printOrders(const char* what, const Times& errors) {
  std::cout << what << ':';
  for (std::size_t k = 0; k < errors.size(); ++k) {
    std::cout << ' ' << errors[k];
    if (k > 0) {
      std::cout << " (order " << order(errors[k - 1], errors[k]) << ')';
    }
  }
  std::cout << '\n';
}

/// A sphere of triangles along longitudes and latitudes.
inline void addSphere(HostSources& sources, const Point& centre, double radius, int n) {
  const auto first = static_cast<std::int64_t>(sources.surface.size());
  for (int j = 0; j <= n; ++j) {
    for (int i = 0; i < 2 * n; ++i) {
      const double theta = std::numbers::pi * j / n;
      const double phi = std::numbers::pi * i / n;
      sources.surface.push_back(
        centre + radius * Point{{std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)}});
    }
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < 2 * n; ++i) {
      const std::int64_t a = first + 2 * n * j + i;
      const std::int64_t b = first + 2 * n * j + (i + 1) % (2 * n);
      for (const std::int64_t v : {a, b, a + 2 * n, b, b + 2 * n, a + 2 * n}) {
        sources.triangles.push_back(v);
      }
    }
  }
}

} // namespace spanwise::eikonal::testing
