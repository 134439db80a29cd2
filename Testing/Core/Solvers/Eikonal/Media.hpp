#pragma once

// Meshes with speeds, for tests of arrival times.

#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/SimplexMesh.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"
#include "Testing/Core/Mesh/Meshes.hpp"
#include "Testing/Core/Solvers/Eikonal/RoundOff.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

namespace spanwise::eikonal::testing {

using spanwise::testing::HostMesh;
using spanwise::testing::MeshOn;

using Times = std::vector<double>;
using Parts = std::vector<std::int32_t>;

/// A mesh with its speeds: a tensor an element, or all 1.
struct Medium {
  HostMesh mesh;
  std::vector<double> tensors;
};

template <class Space>
Kokkos::View<double*, typename Space::memory_space> copied(const Times& values) {
  const Kokkos::View<double*, typename Space::memory_space> view("values", values.size());
  const auto mirror = Kokkos::create_mirror_view(view);
  std::copy(values.begin(), values.end(), mirror.data());
  Kokkos::deep_copy(view, mirror);
  return view;
}

template <class View>
Times onHost(const View& view) {
  const auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return Times(mirror.data(), mirror.data() + mirror.extent(0));
}

/// A medium in the memory of a space, ready to be solved.
template <class Space, int corners>
struct Ready {
  using Memory = typename Space::memory_space;

  explicit Ready(
    const Medium& medium, const Communicator& communicator = singleProcess(), const SharedVertices* shared = nullptr)
    : mesh(medium.mesh), tensors(copied<Space>(medium.tensors)), context(Space(), communicator) {
    buildSimplexMesh<Space, corners>(context, mesh.mixed(), speed(), simplices, {}, shared);
  }

  [[nodiscard]] Speed speed() const {
    return tensors.extent(0) == 0 ? Speed::constant(1.0) : Speed::tensorOfElements(tensors.data());
  }

  MeshOn<Space, double, std::int64_t> mesh;
  Kokkos::View<double*, Memory> tensors;
  SimplexMesh<corners, Space> simplices;
  const Context<Space> context;
};

/// Times with sources at these vertices.
inline Times from(const HostMesh& mesh, const std::vector<std::size_t>& sources) {
  Times times(mesh.points.size(), notReached);
  for (const std::size_t source : sources) {
    times[source] = 0.01 * static_cast<double>(source % 7);
  }
  return times;
}

/// Random tensors, up to 3 times as fast along one axis as along another.
inline void addTensors(Medium& medium, std::mt19937& random) {
  std::uniform_real_distribution<double> factor(0.2, 2.0);
  for (std::int64_t e = 0; e < medium.mesh.numElements(); ++e) {
    medium.tensors.insert(medium.tensors.end(), {factor(random), factor(random), factor(random), 0.1, -0.05, 0.08});
  }
}

/// Moves vertices at random.
inline void shake(HostMesh& mesh, std::mt19937& random, double most, int dimension) {
  std::uniform_real_distribution<double> move(-most, most);
  for (Point& point : mesh.points) {
    for (int axis = 0; axis < dimension; ++axis) {
      point[axis] += move(random);
    }
  }
}

} // namespace spanwise::eikonal::testing
