// Tables of lattice Boltzmann flow in the form of M. Meneghin and A. Mahmoud, Disaggregated design for GPU-based
// volumetric data structures (2025): what ranks send each other (III), and levels (V). Strong scaling is a part of
// SpanwiseMultiGpu. mpiexec -n 4 SpanwiseLatticeTables --help; each rank takes a device of its own where there are
// several.

#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/MpiCommunicator.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Runtime.hpp"
#include "Core/Solvers/Lattice/LatticeFlow.hpp"
#include "Core/Solvers/Lattice/VelocitySet.hpp"
#include "Testing/Rooms.hpp"

#include <CLI/CLI.hpp>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace spanwise::benchmarks {
namespace {

using namespace lattice; // NOLINT(google-build-using-namespace)
using Space = Kokkos::DefaultExecutionSpace;

/// A cavity under a moving lid, in 32 bits and with one relaxation time.
template <int Dim>
LatticeOptions<Dim> cavity(int size, Velocities velocities, Update update) {
  LatticeOptions<Dim> options;
  std::fill(options.box.end, options.box.end + Dim, size);
  options.sides[2 * Dim - 1].velocity[0] = 0.05;
  options.viscosity = 0.05;
  options.velocities = velocities;
  options.collision = Collision::SingleRelaxation;
  options.update = update;
  return options;
}

/// Waits until all ranks are here.
void together(const Communicator& ranks) { (void)ranks.reduced(ReduceBy::Maximum, std::int64_t{0}); }

/// The median time of a step, of the slowest rank.
template <int Dim>
double secondsOfStep(const Communicator& ranks, LatticeFlow<Space, Dim>& flow, int steps) {
  constexpr int rounds = 7;
  std::vector<double> times;
  for (int round = 0; round <= rounds; ++round) { // the first one warms up
    Space().fence("SpanwiseLatticeTables");
    together(ranks);
    const auto begin = std::chrono::steady_clock::now();
    for (int k = 0; k < steps; ++k) {
      flow.step();
    }
    Space().fence("SpanwiseLatticeTables");
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    if (round > 0) {
      times.push_back(ranks.reduced(ReduceBy::Maximum, passed.count()) / steps);
    }
  }
  std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
  return times[rounds / 2];
}

template <int Dim>
std::int64_t updatesOfStep(const Communicator& ranks, const LatticeFlow<Space, Dim>& flow) {
  std::int64_t updates = 0;
  for (int l = 0; l < flow.numLevels(); ++l) {
    updates += flow.cells(l).numCells() << l;
  }
  return ranks.reduced(ReduceBy::Sum, updates);
}

/// III: messages to a neighbour in a step, and how many values for each cell at the cut, beside the fewest possible.
template <class Set>
void messagesRow(const Communicator& ranks, const char* name, int size) {
  constexpr int Dim = Set::dimension;
  const Context<Space> context(Space(), ranks);
  const bool hasAll = Set::count == 27;
  LatticeFlow<Space, Dim> flow(
    context, cavity<Dim>(size, hasAll ? Velocities::All : Velocities::Fewest, Update::TwoPopulations));
  flow.step();
  const parallel::MessageReport before = flow.messages();
  flow.step();
  const parallel::MessageReport after = flow.messages();
  if (ranks.rank() == 0) { // it has one neighbour
    const double cells = Dim == 2 ? size : static_cast<double>(size) * size;
    std::printf("| %s | %lld | 1 | %.3f | %d |\n", name, static_cast<long long>(after.messages - before.messages),
      static_cast<double>(after.bytes - before.bytes) / (sizeof(float) * cells), Set::numUp);
  }
}

void messages(const Communicator& ranks, int size) {
  if (ranks.rank() == 0) {
    std::printf("| | messages to a neighbour | the fewest | values for a cell at the cut | the fewest |\n"
                "|---|---|---|---|---|\n");
  }
  messagesRow<D2Q9>(ranks, "D2Q9", size);
  messagesRow<D3Q19>(ranks, "D3Q19", size);
  messagesRow<D3Q27>(ranks, "D3Q27", size);
}

/// V: a cavity whose walls are fine.
void levels(const Communicator& ranks, int size) {
  if (ranks.rank() == 0) {
    std::printf(
      "| cells along an edge | levels | cells of each, finest first | two passes, M updates/s | one pass | gain "
      "| of one level |\n|---|---|---|---|---|---|---|\n");
  }
  const Context<Space> context(Space(), ranks);
  LatticeFlow<Space, 3> uniform(context, cavity<3>(size / 2, Velocities::All, Update::TwoPopulations));
  const double rateOfOne = static_cast<double>(updatesOfStep(ranks, uniform)) / secondsOfStep(ranks, uniform, 4) * 1e-6;
  for (const int numLevels : {3, 4}) {
    double rates[2];
    std::string cells;
    for (const bool isFused : {false, true}) {
      LatticeOptions<3> options = cavity<3>(size >> (numLevels - 1), Velocities::All, Update::TwoPopulations);
      options.viscosity = 0.01;
      options.refinement.numLevels = numLevels;
      options.refinement.atWalls = true;
      options.refinement.buffer = 3;
      options.refinement.isFused = isFused;
      LatticeFlow<Space, 3> flow(context, options);
      rates[isFused ? 1 : 0] = static_cast<double>(updatesOfStep(ranks, flow)) / secondsOfStep(ranks, flow, 1) * 1e-6;
      cells.clear();
      for (int l = numLevels - 1; l >= 0; --l) {
        cells += std::to_string(ranks.reduced(ReduceBy::Sum, flow.cells(l).numCells())) + (l > 0 ? ", " : "");
      }
    }
    if (ranks.rank() == 0) {
      std::printf("| %d | %d | %s | %.1f | %.1f | %+.0f %% | %.0f %% |\n", size, numLevels, cells.c_str(), rates[0],
        rates[1], 100.0 * (rates[1] / rates[0] - 1.0), 100.0 * rates[1] / rateOfOne);
    }
  }
}

} // namespace
} // namespace spanwise::benchmarks

int main(int argc, char** argv) {
  using namespace spanwise::benchmarks;
  MPI_Init(&argc, &argv);
  int code = 0;
  {
    const spanwise::parallel::MpiCommunicator ranks(MPI_COMM_WORLD);
    CLI::App app("Tables of lattice Boltzmann flow, as Markdown");
    int edge = 192;
    app
      .add_option(
        "--levels", edge, "Cells along an edge of the cavity with levels, of the finest one; a multiple of 16")
      ->capture_default_str();
    try {
      app.parse(argc, argv);
      spanwise::startRuntime();
      messages(ranks, 64);
      levels(ranks, edge);
    } catch (const CLI::ParseError& error) {
      code = ranks.rank() == 0 ? app.exit(error) : error.get_exit_code();
    } catch (const spanwise::Error& error) {
      std::fprintf(stderr, "SpanwiseLatticeTables: %s\n", error.what());
      code = 1;
    }
  }
  MPI_Finalize();
  return code;
}
