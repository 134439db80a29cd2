// A message from each rank to those beside it, and back, by size: what alpha and beta are made of; and a reduction of
// one number.

#include "Benchmarks/MultiGpu/Run.hpp"
#include "Core/Parallel/Messenger.hpp"

#include <string>

namespace spanwise::benchmarks {

void measureMessages(const Run& run) {
  const int rank = run.ranks().rank();
  if (run.ranks().alone()) {
    return;
  }
  constexpr std::int64_t largest = std::int64_t{1} << 26;
  const std::int64_t most = largest / (run.edge(64) < 64 ? 64 : 1);
  const Kokkos::View<char*, Space::memory_space> out("Benchmarks::out", 2 * most);
  const Kokkos::View<char*, Space::memory_space> in("Benchmarks::in", 2 * most);
  Messenger<Space> messenger(run.ranks());
  for (std::int64_t bytes = 8; bytes <= most; bytes *= 8) {
    const StepCost cost = run.costOf([&] {
      for (const int beside : {-1, 1}) {
        const int other = rank + beside;
        if (other >= 0 && other < run.ranks().size()) {
          const std::int64_t place = beside < 0 ? 0 : most;
          messenger.send(other, out.data() + place, bytes);
          messenger.receive(other, in.data() + place, bytes);
        }
      }
      messenger.start(run.context().space());
      messenger.finish(run.context().space());
      run.context().space().fence("SpanwiseMultiGpu"); // one after the other
    });
    run.write("messages", std::to_string(bytes), static_cast<double>(bytes), cost);
  }
  const StepCost cost = run.costOf([&] { (void)run.ranks().reduced(ReduceBy::Maximum, 1.0); });
  run.write("messages", "reduction", sizeof(double), cost);
}

} // namespace spanwise::benchmarks
