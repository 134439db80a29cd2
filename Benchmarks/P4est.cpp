// The peer: p4est and p8est, refinement by a callback and full balance of one tree in one process.

#include "Benchmarks/Shapes.hpp"
#include "Testing/Rooms.hpp"

#include <benchmark/benchmark.h>
#include <p4est.h>
#include <p4est_extended.h>
#include <p8est.h>
#include <p8est_extended.h>

#include <chrono>

namespace spanwise::benchmarks {
namespace {

template <int Dim>
struct Api;

template <>
struct Api<2> {
  using Forest = p4est_t;
  using Quadrant = p4est_quadrant_t;
  static auto* tree() { return p4est_connectivity_new_unitsquare(); }
  static Forest* forest(p4est_connectivity_t* tree) {
    return p4est_new_ext(sc_MPI_COMM_WORLD, tree, 0, firstLevel, 1, 0, nullptr, nullptr);
  }
  static void refine(Forest* forest, p4est_refine_t rule) { p4est_refine(forest, 1, rule, nullptr); }
  static void balance(Forest* forest) { p4est_balance(forest, P4EST_CONNECT_FULL, nullptr); }
  static void destroy(Forest* forest) { p4est_destroy(forest); }
  static void destroy(p4est_connectivity_t* tree) { p4est_connectivity_destroy(tree); }
  static double scale() { return 1.0 / P4EST_ROOT_LEN; }
};

template <>
struct Api<3> {
  using Forest = p8est_t;
  using Quadrant = p8est_quadrant_t;
  static auto* tree() { return p8est_connectivity_new_unitcube(); }
  static Forest* forest(p8est_connectivity_t* tree) {
    return p8est_new_ext(sc_MPI_COMM_WORLD, tree, 0, firstLevel, 1, 0, nullptr, nullptr);
  }
  static void refine(Forest* forest, p8est_refine_t rule) { p8est_refine(forest, 1, rule, nullptr); }
  static void balance(Forest* forest) { p8est_balance(forest, P8EST_CONNECT_FULL, nullptr); }
  static void destroy(Forest* forest) { p8est_destroy(forest); }
  static void destroy(p8est_connectivity_t* tree) { p8est_connectivity_destroy(tree); }
  static double scale() { return 1.0 / P8EST_ROOT_LEN; }
};

template <int Dim>
int refines(typename Api<Dim>::Forest* /*forest*/, p4est_topidx_t /*tree*/, typename Api<Dim>::Quadrant* q) {
  if (q->level >= finestLevel<Dim>) {
    return 0;
  }
  const double size = 1.0 / (1 << q->level);
  double centre[Dim];
  centre[0] = q->x * Api<Dim>::scale() + 0.5 * size;
  centre[1] = q->y * Api<Dim>::scale() + 0.5 * size;
  if constexpr (Dim == 3) {
    centre[2] = q->z * Api<Dim>::scale() + 0.5 * size;
  }
  return static_cast<int>(isCrossed<Dim>(centre, size));
}

void start() {
  static const bool started = [] {
    sc_MPI_Init(nullptr, nullptr);
    sc_init(sc_MPI_COMM_WORLD, 0, 0, nullptr, SC_LP_ERROR);
    p4est_init(nullptr, SC_LP_ERROR);
    std::atexit([] { sc_MPI_Finalize(); });
    return true;
  }();
  static_cast<void>(started);
}

template <int Dim>
void refineAndBalance(benchmark::State& state) {
  using Clock = std::chrono::steady_clock;
  start();
  auto* const tree = Api<Dim>::tree();
  double refining = 0.0;
  double balancing = 0.0;
  double refined = 0.0;
  double leaves = 0.0;
  for (auto _ : state) {
    auto* const forest = Api<Dim>::forest(tree);
    const auto begin = Clock::now();
    Api<Dim>::refine(forest, refines<Dim>);
    const auto middle = Clock::now();
    refined = static_cast<double>(forest->global_num_quadrants);
    Api<Dim>::balance(forest);
    const auto end = Clock::now();
    leaves = static_cast<double>(forest->global_num_quadrants);
    refining += std::chrono::duration<double>(middle - begin).count();
    balancing += std::chrono::duration<double>(end - middle).count();
    state.SetIterationTime(std::chrono::duration<double>(end - begin).count());
    Api<Dim>::destroy(forest);
  }
  Api<Dim>::destroy(tree);
  const auto rounds = static_cast<double>(state.iterations());
  state.counters["leaves"] = leaves;
  state.counters["leaves/s"] = rounds * leaves / (refining + balancing);
  state.counters["refined leaves/s"] = rounds * refined / refining;
  state.counters["balanced leaves/s"] = rounds * leaves / balancing;
}

BENCHMARK(refineAndBalance<2>)->Name("p4est/circle/refine and balance")->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK(refineAndBalance<3>)->Name("p4est/sphere/refine and balance")->Unit(benchmark::kMillisecond)->UseManualTime();

} // namespace
} // namespace spanwise::benchmarks
