// A blob that a swirl carries round on levels that follow it, with flux correction: the skeleton of a solver for flow.
// The swirl is that of R. J. LeVeque, SIAM J. Numer. Anal. 33 (1996); the scheme is upwind, of first order.
//
//     mpiexec -n 4 ./Advection
//
// goes on for some frames, writes a checkpoint half-way, and then shows that the total stays, that a run from the
// checkpoint has the same bits, and that one process alone gets the same bits too.

#include <Core/Field/ForEachCell.hpp>
#include <Core/Field/Reductions.hpp>
#include <Core/Field/Stencil.hpp>
#include <Core/Geometry/Builders/Box.hpp>
#include <Core/Multilevel/Adapt.hpp>
#include <Core/Multilevel/FluxRegister.hpp>
#include <Core/Multilevel/Ghosts.hpp>
#include <Core/Multilevel/LevelFrames.hpp>
#include <Core/Parallel/Checkpoint.hpp>
#include <Core/Parallel/MpiCommunicator.hpp>
#include <Core/Parallel/Stepping.hpp>
#include <Core/Runtime/Runtime.hpp>

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <utility>
#include <vector>

namespace {

namespace field = spanwise::field;
namespace geometry = spanwise::geometry;
namespace multilevel = spanwise::multilevel;
namespace parallel = spanwise::parallel;

using Space = Kokkos::DefaultExecutionSpace;
using Context = spanwise::Context<Space>;
using Cells = geometry::IntervalSetOn<2, Space>;
using Domain = multilevel::LevelDomain<Space, 2>;
using Field = multilevel::MultilevelFieldOn<double, Space>;
using Pattern = field::FacePattern<2>;
using State = multilevel::GhostState<double>;

constexpr int rootCells = 32; // along each side of the unit square
constexpr int numLevels = 4;
constexpr int stepsPerFrame = 10;
constexpr double timeStep = 0.4 / (rootCells << (numLevels - 1)); // the speed is at most 1

double sizeOf(int level) { return 1.0 / (rootCells << level); }

/// The sum of all bits of values and of the places of their cells, mixed: the same however they are spread over ranks.
std::int64_t sumOfBits(const Context& context, const Cells& cells, int level,
  const spanwise::FieldView<const double>& density, const field::Within<Space::memory_space>& own) {
  const double h = sizeOf(level);
  field::FieldOn<std::int64_t, Space> bits("bits", cells.numCells());
  const spanwise::FieldView<std::int64_t> out = bits.view();
  field::forEachCell(
    context.space(), SPANWISE_KERNEL("bits"), cells, KOKKOS_LAMBDA(std::int64_t number, const geometry::Cell<2>& cell) {
      std::uint64_t mixed = 0;
      for (const double each : {density(number), h * cell.at[0], h * cell.at[1], h}) {
        mixed = (mixed ^ Kokkos::bit_cast<std::uint64_t>(each)) * 0x9e3779b97f4a7c15U;
        mixed ^= mixed >> 29;
      }
      out(number) = static_cast<std::int64_t>(mixed >> 24); // there is room for sums
    });
  return field::sum(context, bits, 0, own);
}

/// A disc of density 1 with a soft rim.
void writeBlob(const Context& context, const Cells& cells, int level, const spanwise::FieldView<double>& density) {
  const double h = sizeOf(level);
  field::forEachCell(
    context.space(), SPANWISE_KERNEL("blob"), cells, KOKKOS_LAMBDA(std::int64_t number, const geometry::Cell<2>& cell) {
      const double r = Kokkos::hypot(h * (cell.at[0] + 0.5) - 0.5, h * (cell.at[1] + 0.5) - 0.75);
      density(number) = 0.5 - 0.5 * Kokkos::tanh((r - 0.15) / 0.02);
    });
}

KOKKOS_FUNCTION double streamFunction(double x, double y) {
  const double sx = Kokkos::sin(Kokkos::numbers::pi * x);
  const double sy = Kokkos::sin(Kokkos::numbers::pi * y);
  return sx * sx * sy * sy / Kokkos::numbers::pi;
}

/// The mean velocity through the lower faces of cells, differences of the stream function: what enters a cell leaves
/// it, on each level and through each jump.
void writeVelocity(const Context& context, const Cells& cells, int level, const spanwise::FieldView<double>& velocity) {
  const double h = sizeOf(level);
  field::forEachCell(
    context.space(), SPANWISE_KERNEL("swirl"), cells,
    KOKKOS_LAMBDA(std::int64_t number, const geometry::Cell<2>& cell) {
      const double x = h * cell.at[0];
      const double y = h * cell.at[1];
      velocity(number, 0) = (streamFunction(x, y + h) - streamFunction(x, y)) / h;
      velocity(number, 1) = (streamFunction(x, y) - streamFunction(x + h, y)) / h;
    });
}

/// The upwind flux through a face: for the step and for the flux registers.
struct Upwind {
  spanwise::FieldView<const double> density;
  spanwise::FieldView<const double> velocity;

  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(const multilevel::FluxFace& face) const {
    return {through(face.axis, face.lower, face.upper)};
  }
  [[nodiscard]] KOKKOS_FUNCTION double through(int axis, std::int64_t lower, std::int64_t upper) const {
    const double v = velocity(upper, axis);
    return v * density(v > 0.0 ? lower : upper);
  }
};

struct Step {
  Upwind flux;
  double ratio; ///< time step / size of cells
  spanwise::FieldView<double> next;

  KOKKOS_FUNCTION void operator()(const field::StencilPoint<Pattern, double>& p) const {
    double change = 0.0;
    for (int axis = 0; axis < 2; ++axis) {
      const std::int64_t below = p.neighbourCell(Pattern::index(axis, 1, false));
      const std::int64_t above = p.neighbourCell(Pattern::index(axis, 1, true));
      change += flux.through(axis, below, p.cell()) - flux.through(axis, p.cell(), above);
    }
    next(p.cell()) = p.centre() + ratio * change;
  }
};

/// Nothing flows in from below and from the left, everything may flow out elsewhere.
struct Sides {
  KOKKOS_FUNCTION void operator()(const State& state, const multilevel::BoundaryFace& face) const {
    state(0) = face.upper ? state.nearest(0) : 0.0;
  }
};

class Advection final : public parallel::Stepper {
public:
  Advection(const Context& context, Domain& domain)
    : context_(context), domain_(domain), density_("density"), levels_({{0.0, 0.0}, {sizeOf(0), sizeOf(0)}}) {
    const geometry::Box<2> box = domain.box(0);
    geometry::makeBox<Space, 2>(
      context, {{0, std::max(0, box.begin[1])}, {rootCells, std::min(rootCells, box.end[1])}}, levels_.level(0));
    useLevels();
    writeBlob();
    for (int cycle = 0; cycle < numLevels; ++cycle) { // each adds a level
      adapt();
      writeBlob();
    }
  }

  /// Of the whole blob: the root has the means of what is finer.
  [[nodiscard]] double total() const {
    const double mine = field::sum(context_, density_.level(0), 0, ghosts_.own[0]);
    return domain_.communicator().reduced(spanwise::ReduceBy::Sum, mine) * sizeOf(0) * sizeOf(0);
  }

  /// A number that all bits of all values make, however they are spread over ranks.
  [[nodiscard]] std::int64_t checksum() const {
    std::int64_t sum = 0;
    for (int l = 0; l < ghosts_.numLevels; ++l) {
      const auto index = static_cast<std::size_t>(l);
      sum += sumOfBits(context_, ghosts_.extended[index], l, density_.level(l).view(), ghosts_.own[index]);
    }
    return domain_.communicator().reduced(spanwise::ReduceBy::Sum, sum);
  }

  void advance(const spanwise::Progress& /*progress*/) override {
    adapt();
    for (int step = 0; step < stepsPerFrame; ++step) {
      doStep();
    }
    time_ += stepsPerFrame * timeStep;
  }

  void store(spanwise::KeptFrame& frame) override {
    frame.time = time_;
    spanwise::FrameWriter to(frame);
    multilevel::fromExtended(context_, ghosts_, density_, own_[0]);
    multilevel::storeLevels(levels_, to);
    multilevel::storeField(levels_, own_[0], to);
  }

  void restore(const spanwise::KeptFrame& frame, const spanwise::Progress& /*progress*/) override {
    time_ = frame.time;
    spanwise::FrameReader from(frame);
    multilevel::restoreLevels(from, levels_);
    multilevel::restoreField(from, levels_, own_[0]);
    useLevels();
    multilevel::toExtended(context_, ghosts_, own_[0], density_);
  }

private:
  /// One cycle of adaptation: the levels follow the rim of the blob, and its values follow them.
  void adapt() {
    multilevel::fromExtended(context_, ghosts_, density_, own_[0]);
    const multilevel::Tagging rim{multilevel::TagCriterion::Gradient, 0.05};
    adaptation_.adapt(context_, domain_, rim, {numLevels, 2}, levels_, own_);
    useLevels();
    multilevel::toExtended(context_, ghosts_, own_[0], density_);
  }

  /// Ghost cells, registers and neighbours of the present levels; room for values on them.
  void useLevels() {
    multilevel::buildGhosts(context_, domain_, levels_, {}, ghosts_);
    const int count = ghosts_.numLevels;
    registers_.resize(static_cast<std::size_t>(count));
    neighbours_.resize(static_cast<std::size_t>(count));
    velocity_.setNumComponents(2);
    for (Field* each : {&density_, &next_, &velocity_}) {
      ghosts_.resize(*each);
    }
    for (int l = 0; l < count; ++l) {
      const auto index = static_cast<std::size_t>(l);
      const auto& cells = ghosts_.extended[index];
      field::buildStencilMap<Pattern, Space>(context_, cells, {}, neighbours_[index], ghosts_.own[index]);
      writeVelocity(context_, cells, l, velocity_.level(l).view());
      if (l + 1 < count) {
        multilevel::buildFluxRegister(context_, domain_, levels_, ghosts_, l, registers_[index]);
      }
    }
  }

  void writeBlob() {
    for (int l = 0; l < ghosts_.numLevels; ++l) {
      ::writeBlob(context_, ghosts_.extended[static_cast<std::size_t>(l)], l, density_.level(l).view());
    }
    multilevel::restrictLevels(context_, ghosts_, density_);
  }

  void doStep() {
    multilevel::fillGhosts(context_, ghosts_, Sides(), density_);
    for (int l = 0; l < ghosts_.numLevels; ++l) {
      const auto index = static_cast<std::size_t>(l);
      const Upwind flux{std::as_const(density_).level(l).view(), std::as_const(velocity_).level(l).view()};
      field::forEachStencil<1>(context_.space(), neighbours_[index], density_.level(l), 0.0,
        Step{flux, timeStep / sizeOf(l), next_.level(l).view()});
      if (l + 1 < ghosts_.numLevels) {
        multilevel::clear(context_, registers_[index]);
        multilevel::addCoarseFluxes(context_, flux, timeStep, registers_[index]);
      }
      if (l > 0) {
        multilevel::addFineFluxes(context_, flux, timeStep, registers_[index - 1]);
      }
    }
    std::swap(density_, next_);
    for (int l = 0; l + 1 < ghosts_.numLevels; ++l) {
      multilevel::correct(context_, registers_[static_cast<std::size_t>(l)], {sizeOf(l), sizeOf(l)}, density_.level(l));
    }
    multilevel::restrictLevels(context_, ghosts_, density_);
  }

  Context context_;
  Domain& domain_;
  double time_ = 0.0;
  Field density_, next_, velocity_;          // on the extended sets
  std::vector<Field> own_{Field("density")}; // on the levels, where they are adapted and kept
  multilevel::MultilevelSetOn<2, Space> levels_;
  multilevel::GhostLevels<Space, 2> ghosts_;
  std::vector<multilevel::FluxRegister<Space, 2, double>> registers_;
  std::vector<field::StencilMapOn<Pattern, Space>> neighbours_;
  multilevel::Adaptation<Space, 2, double> adaptation_;
};

bool run() {
  constexpr std::int64_t numFrames = 6;
  const parallel::MpiCommunicator ranks(MPI_COMM_WORLD);
  parallel::RowCut cut;
  for (int r = 0; r <= ranks.size(); ++r) {
    cut.bounds.push_back(r * rootCells / ranks.size());
  }
  cut.bounds.front() = parallel::PlaneRange().begin;
  cut.bounds.back() = parallel::PlaneRange().end;
  const Context context(Space{}, ranks);
  Domain domain(context, cut);
  Advection advection(context, domain);
  parallel::Stepping stepping;
  stepping.start(ranks, advection);
  const parallel::CheckpointFiles files{(std::filesystem::temp_directory_path() / "advection").string(), "swirl"};
  double drift = 0.0;
  const double before = advection.total();
  for (std::int64_t frame = 1; frame <= numFrames; ++frame) { // live: what was computed may be shown here
    stepping.moveTo(ranks, advection, frame);
    drift = std::max(drift, std::fabs(advection.total() / before - 1.0));
    if (2 * frame == numFrames) {
      stepping.checkpoint(ranks, advection, files, frame);
    }
  }
  const std::int64_t sum = advection.checksum();

  Advection again(context, domain);
  parallel::Stepping later;
  later.restart(ranks, again, files);
  later.moveTo(ranks, again, numFrames);
  const bool isRestarted = again.checksum() == sum;
  std::filesystem::remove(parallel::checkpointPath(ranks, files.path));

  Domain whole;
  Advection alone(Context(Space{}), whole);
  parallel::Stepping ofWhole;
  ofWhole.start(whole.communicator(), alone);
  ofWhole.moveTo(whole.communicator(), alone, numFrames);
  const bool isSame = alone.checksum() == sum;
  if (ranks.rank() == 0) {
    std::printf("%d ranks: the total drifts by %.1e\n", ranks.size(), drift);
    std::printf("from the checkpoint: %s; one process alone: %s\n", isRestarted ? "the same bits" : "something else",
      isSame ? "the same bits" : "something else");
  }
  return drift < 1e-13 && isRestarted && isSame;
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  spanwise::startRuntime();
  const bool isRight = run();
  MPI_Finalize();
  return isRight ? 0 : 1;
}
