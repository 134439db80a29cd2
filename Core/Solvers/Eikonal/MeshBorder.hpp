#pragma once

#include "Core/Mesh/SharedVertices.hpp"
#include "Core/Runtime/Progress.hpp"
#include "Core/Solvers/Eikonal/ChangedTimes.hpp"
#include "Core/Solvers/Eikonal/Detail/SharedProgress.hpp"

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace spanwise::eikonal {

namespace fronts {
struct Fronts;
} // namespace fronts

/// The border between a rank's part of a mesh and those of others, over which times go: only those that have changed,
/// only to ranks that have the same vertices. Holds all memory that this takes; serves any number of solutions on one
/// cut of a mesh. Lives no longer than its communicator.
template <class ExecutionSpace>
class MeshBorder {
public:
  using Memory = typename ExecutionSpace::memory_space;

  /// Collective. Throws InvalidArgument on all ranks where two of them do not have as many vertices in common.
  MeshBorder(const ExecutionSpace& space, const Communicator& communicator, const SharedVertices& shared);

  [[nodiscard]] const Communicator& communicator() const { return progress_.communicator(); }
  [[nodiscard]] std::int64_t numSlots() const { return static_cast<std::int64_t>(slots_.vertices.extent(0)); }
  /// Throws InvalidArgument where the mesh of this rank cannot be the one that the shared vertices are of.
  void check(std::int64_t numVertices) const;
  /// What this rank has sent since the object was made: times, and before them how many there are.
  [[nodiscard]] parallel::MessageReport report() const { return changed_.report(); }

  // What the iteration calls (Detail/Iteration.hpp); all collective.

  /// Brings the least time of each shared vertex to all that have it.
  void join(const ExecutionSpace& space, double* times);
  std::int64_t exchange(const ExecutionSpace& space, const fronts::Fronts& fronts);
  [[nodiscard]] double agreed(double first) { return progress_.least(std::array{first})[0]; }
  void report(const Progress& progress, double share) { progress_.report(progress, share); }
  std::int64_t countedElsewhere(const ExecutionSpace& space, const double* times) const;

private:
  /// A slot is a vertex that a neighbour has too.
  struct Slots {
    Kokkos::View<std::int32_t*, Memory> vertices;   // [slots]
    Kokkos::View<std::int32_t*, Memory> neighbours; // [slots]
    Kokkos::View<std::int64_t*, Memory> first;      // [neighbours + 1]

    explicit Slots(const SharedVertices& shared);
  };

  /// Sends times to all that have the same vertices, and lets what came be taken; returns how many came.
  template <class Take>
  std::int64_t bring(const ExecutionSpace& space, const std::int32_t* touched, const double* times, const Take& take);

  Slots slots_;
  std::vector<std::int64_t> firstSlot_;
  std::int32_t lastVertex_ = -1;
  Kokkos::View<std::int32_t*, Memory> elsewhere_; // vertices that a rank before this one has
  ChangedTimes<ExecutionSpace> changed_;
  SharedProgress progress_;
};

} // namespace spanwise::eikonal
