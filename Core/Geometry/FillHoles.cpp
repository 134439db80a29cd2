#include "Core/Geometry/FillHoles.hpp"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Components.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/BoundingBox.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Sharing.hpp"

#include <string>

namespace spanwise::geometry {

namespace {

template <class ExecutionSpace>
ComponentNumbers<ExecutionSpace> newNumbers(std::int64_t count) {
  return ComponentNumbers<ExecutionSpace>(SPANWISE_LABEL("Geometry::ofHoles"), static_cast<std::size_t>(count));
}

/// What is known of the components of the background.
template <class ExecutionSpace>
struct Background {
  ComponentNumbers<ExecutionSpace> labels;  ///< [intervals]
  ComponentNumbers<ExecutionSpace> numbers; ///< [parts]
  ComponentNumbers<ExecutionSpace> sizes;   ///< [parts] null if holes of all sizes are filled
  std::int64_t outside;                     ///< a component that is no hole, as component 0 is none
};

/// holes[p] = 1 if part p is of a hole to fill, otherwise 0, in the place of its number.
template <class ExecutionSpace>
void markHoles(const ExecutionSpace& space, const Background<ExecutionSpace>& background, std::int64_t largest) {
  const ComponentNumbers<ExecutionSpace> numbers = background.numbers;
  const std::int64_t* const sizes = background.sizes.data();
  const std::int64_t outside = background.outside;
  forEach(
    SPANWISE_KERNEL("mark holes"), IndexRange<ExecutionSpace>(space, 0, static_cast<std::int64_t>(numbers.extent(0))),
    KOKKOS_LAMBDA(std::int64_t p) {
      const bool isHole = numbers(p) != 0 && numbers(p) != outside && (sizes == nullptr || sizes[p] <= largest);
      numbers(p) = static_cast<std::int64_t>(isHole);
    });
}

} // namespace

template <int Dim>
Box<Dim> boxOfHoles(const Box<Dim>& cells, const Periods<Dim>& periods) {
  Box<Dim> box = cells;
  bool open = false;
  for (int axis = 0; axis < Dim; ++axis) {
    if (periods.along[axis]) {
      box.begin[axis] = periods.box.begin[axis];
      box.end[axis] = periods.box.end[axis];
      continue;
    }
    open = true;
    if (box.begin[axis] == minCoordinate || box.end[axis] == maxIntervalEnd) {
      throw CoordinateOverflow("the cells " + toString(cells) +
        " reach the coordinate limits [-2^31, 2^31 - 2]; to find holes there must be a cell around them");
    }
    --box.begin[axis];
    ++box.end[axis];
  }
  if (!open) {
    throw InvalidArgument("all " + std::to_string(Dim) +
      " axes are periodic, so that nothing is outside, and holes are what the outside does not reach; one axis at "
      "least must not be periodic");
  }
  return box;
}

template <class ExecutionSpace, int Dim>
void fillHoles(const Context<ExecutionSpace>& context, const Holes& holes,
  const IntervalSetOn<Dim, ExecutionSpace>& set, IntervalSetOn<Dim, ExecutionSpace>& out,
  const SetDomain<Dim>& domain) {
  SPANWISE_REGION("Geometry::fillHoles");
  using Set = IntervalSetOn<Dim, ExecutionSpace>;
  const Communicator& communicator = ranksOf(context, domain);
  const Set kept = sharing(set);
  out.clear();
  checkDomain<ExecutionSpace, Dim>(context, domain, kept);
  const Box<Dim> cells = parallel::boundingBoxOfAll<ExecutionSpace, Dim>(context.with(communicator), {&kept});
  const Box<Dim> box = boxOfHoles(cells, domain.periods()); // the same on all ranks, an error too
  if (cells.empty()) {
    return;
  }
  Set outsideOfSet;
  Background<ExecutionSpace> background{};
  parallel::agree(communicator, [&] {
    complement<ExecutionSpace, Dim>(context, kept, inPlanes(box, domain.planes()), outsideOfSet);
    background.labels = newNumbers<ExecutionSpace>(outsideOfSet.numIntervals());
  });
  const ComponentNumbering numbering =
    connectedComponents<ExecutionSpace, Dim>(context, holes.ways, outsideOfSet, background.labels, domain);
  Cell<Dim> last{};
  for (int axis = 0; axis < Dim; ++axis) {
    last.at[axis] = box.end[axis] - 1;
  }
  background.outside = componentOf<ExecutionSpace, Dim>(context, outsideOfSet, background.labels, numbering, last);
  const bool allSizes = holes.largest == std::numeric_limits<std::int64_t>::max();
  parallel::agree(communicator, [&] {
    background.numbers = newNumbers<ExecutionSpace>(numbering.numParts());
    if (!allSizes) {
      background.sizes = newNumbers<ExecutionSpace>(numbering.numParts());
    }
    componentNumbers(context, numbering, background.numbers);
  });
  if (!allSizes) {
    componentSizes<ExecutionSpace, Dim>(context, outsideOfSet, background.labels, numbering, background.sizes);
  }
  parallel::agree(communicator, [&] {
    markHoles(context.space(), background, holes.largest);
    Set filled;
    selectComponents<ExecutionSpace, Dim>(context, outsideOfSet, background.labels, {1, 1, background.numbers}, filled);
    combine<ExecutionSpace, Dim>(context, SetOperation::Union, kept, filled, out);
  });
}

template Box<2> boxOfHoles<2>(const Box<2>&, const Periods<2>&);
template Box<3> boxOfHoles<3>(const Box<3>&, const Periods<3>&);

#define SPANWISE_FILL_HOLES(Space, Dim)                                                                                \
  template void fillHoles<Space, Dim>(const Context<Space>&, const Holes&, const IntervalSetOn<Dim, Space>&,           \
    IntervalSetOn<Dim, Space>&, const SetDomain<Dim>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_FILL_HOLES)

} // namespace spanwise::geometry
