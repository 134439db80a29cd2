#pragma once

// Arrival times on ranks, for tests: pieces with their speeds and sources, and solutions.

#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/ArrivalTimes.hpp"
#include "Testing/Core/Solvers/Eikonal/Arrivals.hpp"
#include "Testing/Core/Solvers/Eikonal/RankPieces.hpp"
#include "Testing/Core/Solvers/Eikonal/RoundOff.hpp"

#include <random>

namespace spanwise::eikonal::testing {

using spanwise::testing::cutsOf;
using spanwise::testing::MeshPiece;
using spanwise::testing::pieceOf;
using spanwise::testing::sharedOf;
using spanwise::testing::world;

/// A mesh with a tensor an element, or none: speed 1.
struct Problem {
  HostMesh mesh;
  Times tensors;
  HostSources sources;
  ArrivalOptions options;
};

template <class Space>
struct SpeedOn {
  explicit SpeedOn(const Times& tensors) : values(copied<double, Space>(tensors)) {}
  [[nodiscard]] Speed get() const {
    return values.extent(0) == 0 ? Speed::constant(1.0) : Speed::tensorOfElements(values.data());
  }
  Kokkos::View<double*, typename Space::memory_space> values;
};

inline void addTensors(Problem& problem, std::mt19937& random) {
  std::uniform_real_distribution<double> factor(0.2, 2.0);
  for (std::int64_t e = 0; e < problem.mesh.numElements(); ++e) {
    problem.tensors.insert(problem.tensors.end(), {factor(random), factor(random), factor(random), 0.1, -0.05, 0.08});
  }
}

/// What this rank has of the sources: vertices and elements of which it has one.
inline HostSources sourcesOf(const HostSources& whole, const MeshPiece& piece) {
  HostSources mine = whole;
  mine.vertices.clear();
  mine.vertexTimes.clear();
  mine.elements.clear();
  mine.elementTimes.clear();
  for (std::size_t i = 0; i < whole.vertices.size(); ++i) {
    const std::int64_t here = MeshPiece::placeOf(piece.vertices, whole.vertices[i]);
    if (here >= 0) {
      mine.vertices.push_back(here);
      mine.vertexTimes.push_back(whole.vertexTimes.empty() ? 0.0 : whole.vertexTimes[i]);
    }
  }
  for (std::size_t i = 0; i < whole.elements.size(); ++i) {
    const std::int64_t here = MeshPiece::placeOf(piece.elements, whole.elements[i]);
    if (here >= 0 && !piece.isGhost[static_cast<std::size_t>(here)]) {
      mine.elements.push_back(here);
      mine.elementTimes.push_back(whole.elementTimes.empty() ? 0.0 : whole.elementTimes[i]);
    }
  }
  return mine;
}

template <class Space>
struct RankSolution {
  ArrivalReport report;
  Times times;
  ArrivalTimes<Space> all;
};

template <class Space>
RankSolution<Space> solveOnRanks(const MeshPiece& piece, const SharedVertices& shared, const Times& tensors,
  const HostSources& sources, const ArrivalOptions& options, const Progress& progress = {}) {
  const MeshOn<Space, double, std::int64_t> mesh(piece.mesh);
  const SpeedOn<Space> speed(piece.ofWhole(tensors, piece.elements, 6));
  const SourcesOn<Space> sourcesThere(sources);
  const Context<Space> context(Space(), world(), progress);
  RankSolution<Space> solution;
  solution.report =
    solveArrivalTimes(context, mesh.mixed(), speed.get(), sourcesThere.get(), options, solution.all, &shared);
  solution.times = onHost(solution.all.times);
  return solution;
}

} // namespace spanwise::eikonal::testing
