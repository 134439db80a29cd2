#include "Core/Solvers/Lattice/VelocityChange.hpp"

#include "Core/Field/ForCells.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Label.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace spanwise::lattice {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Greatest squares: those of changes, and of speeds.
struct Greatest {
  double change = 0.0;
  double speed = 0.0;
};

KOKKOS_FUNCTION void raise(double& greatest, double value) {
  greatest = value <= greatest ? greatest : (value < infinite ? value : infinite); // what is not a number is infinite
}

/// Takes the velocities in the place of the last ones.
template <int Dim, class Velocities>
struct CompareVelocities {
  FieldView<const double> moments;
  Velocities last;
  std::int64_t before; ///< cells of coarser levels

  KOKKOS_FUNCTION void init(Greatest& value) const { value = {}; }
  KOKKOS_FUNCTION void join(Greatest& value, const Greatest& other) const {
    raise(value.change, other.change);
    raise(value.speed, other.speed);
  }
  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t end, Greatest& value) const {
    for (std::int64_t cell = first; cell < end; ++cell) {
      double change = 0.0;
      double speed = 0.0;
      for (int d = 0; d < Dim; ++d) {
        const auto now = static_cast<float>(moments(cell, d + 1));
        const double difference = static_cast<double>(now) - static_cast<double>(last(before + cell, d));
        change += difference * difference;
        speed += static_cast<double>(now) * static_cast<double>(now);
        last(before + cell, d) = now;
      }
      raise(value.change, change);
      raise(value.speed, speed);
    }
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
double VelocityChange<ExecutionSpace, Dim>::since(const Context<ExecutionSpace>& context, Flow& flow, double speed) {
  std::int64_t count = 0;
  for (int l = 0; l < flow.numLevels(); ++l) {
    count += flow.cells(l).numCells();
  }
  const bool isFirst = !hasLast_ || numLevelChanges_ != flow.numLevelChanges(); // on all ranks
  if (isFirst) {
    parallel::agree(context.communicator(), [&] {
      if (last_.extent(0) != static_cast<std::size_t>(count)) {
        last_ = Velocities(SPANWISE_LABEL("Lattice::lastVelocities"), static_cast<std::size_t>(count));
      }
    });
  }
  hasLast_ = true;
  numLevelChanges_ = flow.numLevelChanges();
  double squares[] = {0.0, 0.0};
  std::int64_t before = 0;
  for (int l = 0; l < flow.numLevels(); ++l) {
    Greatest greatest;
    field::reduceCells(context.space(), SPANWISE_KERNEL("velocity change"), flow.cells(l).numCells(),
      CompareVelocities<Dim, Velocities>{std::as_const(flow.moments(l)).view(), last_, before}, greatest);
    before += flow.cells(l).numCells();
    raise(squares[0], greatest.change);
    raise(squares[1], greatest.speed);
  }
  context.communicator().reduce(ReduceBy::Maximum, std::span<double>(squares));
  const double reference = speed > 0.0 ? speed : std::sqrt(squares[1]);
  return isFirst || !(squares[0] < infinite) ? infinite : (squares[0] > 0.0 ? std::sqrt(squares[0]) / reference : 0.0);
}

template <class ExecutionSpace, int Dim>
void VelocityChange<ExecutionSpace, Dim>::store(FrameWriter& to) const {
  const auto last = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), last_);
  to.number(numLevelChanges_);
  to.number(static_cast<std::int64_t>(last.extent(0)));
  to.number(std::int64_t{hasLast_ ? 1 : 0});
  std::copy_n(last.data(), last.size(), to.array<float>(static_cast<std::int64_t>(last.size())).begin());
}

template <class ExecutionSpace, int Dim>
void VelocityChange<ExecutionSpace, Dim>::restore(FrameReader& from) {
  numLevelChanges_ = from.number<std::int64_t>();
  const auto count = from.number<std::int64_t>();
  hasLast_ = from.number<std::int64_t>() != 0;
  const auto stored = from.array<float>(count * Dim);
  last_ = Velocities(SPANWISE_LABEL("Lattice::lastVelocities"), static_cast<std::size_t>(count));
  const auto onHost = Kokkos::create_mirror_view(last_);
  std::ranges::copy(stored, onHost.data());
  Kokkos::deep_copy(last_, onHost);
}

#define SPANWISE_VELOCITY_CHANGE(Space, Dim) template class VelocityChange<Space, Dim>;
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_VELOCITY_CHANGE)

} // namespace spanwise::lattice
