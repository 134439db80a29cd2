// Sums by multipoles, as weak scaling: uniform points, each rank with those of a cube of its own.

#include "Benchmarks/MultiGpu/Run.hpp"
#include "Benchmarks/RandomParticles.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Solvers/NBody/MultipoleSums.hpp"

#include <utility>

namespace spanwise::benchmarks {

namespace {

struct MoveUp {
  float* z;
  float distance;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const { z[i] += distance; }
};

} // namespace

void measureMultipoles(const Run& run) {
  const std::int64_t count = run.volume(10'000'000);
  const auto columns = randomParticles<float, Space::memory_space>(count, 3, 1);
  float* const first = columns.data();
  forEach(SPANWISE_KERNEL("move up"), IndexRange<Space>(run.context().space(), 0, count),
    MoveUp{first + 2 * count, static_cast<float>(run.ranks().rank())});
  const Kokkos::View<float*, Space::memory_space> sums("Benchmarks::sums", 4 * count);
  nbody::MultipoleOptions options;
  options.accuracy = 5e-2; // errors of 4e-4 in the mean
  nbody::MultipoleMemory<3, Space> memory;
  const auto sum = [&] {
    multipolesWithin(run.context(), nbody::InverseDistance(),
      nbody::SourcesView<3, float>{{{first, first + count, first + 2 * count}, count}, first + 3 * count, count},
      nbody::SumsView<float>{sums.data(), sums.data() + count, count}, options, memory);
  };
  const StepCost cost = run.costOf(sum);
  run.write("multipoles", "10 M points a rank", static_cast<double>(count) * run.ranks().size(), cost);
}

} // namespace spanwise::benchmarks
