#pragma once

// What tests of arrival times share.

#include "Testing/Core/Mesh/Meshes.hpp"
#include "Testing/Core/MessageOf.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace spanwise::eikonal::testing {

using spanwise::testing::AllSpaces;
using spanwise::testing::gridMesh;
using spanwise::testing::HostMesh;
using spanwise::testing::MeshOn;
using spanwise::testing::messageOf;
using spanwise::testing::seed;
using spanwise::testing::SpaceNames;

using Times = std::vector<double>;

/// The vertex that is nearest to a place.
inline std::size_t nearest(const HostMesh& mesh, const Point& place) {
  std::size_t best = 0;
  for (std::size_t v = 0; v < mesh.points.size(); ++v) {
    const Point a = mesh.points[v] - place;
    const Point b = mesh.points[best] - place;
    best = dot(a, a) < dot(b, b) ? v : best;
  }
  return best;
}

template <class T, class Space>
Kokkos::View<T*, typename Space::memory_space> copied(const std::vector<T>& values) {
  const Kokkos::View<T*, typename Space::memory_space> view("values", values.size());
  const auto mirror = Kokkos::create_mirror_view(view);
  std::copy(values.begin(), values.end(), mirror.data());
  Kokkos::deep_copy(view, mirror);
  return view;
}

template <class View>
auto onHost(const View& view) {
  const auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return std::vector<typename View::non_const_value_type>(mirror.data(), mirror.data() + mirror.size());
}

/// Moves the inner vertices of a mesh of the unit cube or square at random, by less than what turns elements over.
inline void shake(HostMesh& mesh, std::mt19937& random, double most, int dimension) {
  std::uniform_real_distribution<double> move(-most, most);
  for (Point& point : mesh.points) {
    for (int axis = 0; axis < dimension; ++axis) {
      if (point[axis] > 0.0 && point[axis] < 1.0) {
        point[axis] += move(random);
      }
    }
  }
}

inline double length(const Point& e) { return std::sqrt(dot(e, e)); }

} // namespace spanwise::eikonal::testing
