#include "Core/Geometry/Morphology.hpp"

#include "Core/Geometry/Detail/StepChain.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>

namespace spanwise {

namespace {

using detail::StepChain;

/// The widest window that is made in one step; wider ones are doubled. On a device each step is a doubling, which has
/// more threads at work than a chain of rows.
template <class Space>
constexpr std::int64_t widestSlide = runsOnHost<Space> ? 32 : 1;

/// How many steps combineWindow() takes.
template <class Space>
int windowSteps(std::int64_t window) {
  int steps = std::min(window, widestSlide<Space>) > 1 ? 1 : 0;
  for (std::int64_t size = widestSlide<Space>; size < window; size *= 2) {
    ++steps;
  }
  return steps;
}

template <class Space, int Dim, SetOperation operation>
void slideWindow(StepChain<Space, Dim>& chain, int axis, std::int64_t window) {
  if constexpr (Dim == 3) {
    if (axis == 2) {
      chain.template slideWindow<2, operation>(window);
      return;
    }
  }
  chain.template slideWindow<1, operation>(window);
}

/// Each row becomes the union or intersection of itself and of the window - 1 rows before it along the axis. Two
/// windows of size n that lie n apart or less make one that is wider.
template <class Space, int Dim>
void combineWindow(StepChain<Space, Dim>& chain, SetOperation operation, int axis, std::int64_t window) {
  std::int64_t size = std::min(window, widestSlide<Space>);
  if constexpr (runsOnHost<Space>) {
    if (size > 1 && operation == SetOperation::Union) {
      slideWindow<Space, Dim, SetOperation::Union>(chain, axis, size);
    } else if (size > 1) {
      slideWindow<Space, Dim, SetOperation::Intersection>(chain, axis, size);
    }
  }
  while (size < window) {
    const std::int64_t step = std::min(size, window - size);
    chain.combine(operation, chain.current(), chain.movedRows(axis, step));
    size += step;
  }
}

// --- a box -----------------------------------------------------------------------------------------------------------

template <int Dim>
std::int64_t windowOf(const BoxElement<Dim>& element, int axis) {
  return 2 * static_cast<std::int64_t>(element.radius[axis]) + 1;
}

template <int Dim>
void checkElement(const BoxElement<Dim>& element) {
  for (int axis = 0; axis < Dim; ++axis) {
    if (element.radius[axis] < 0) {
      throw InvalidArgument("the box's radius along axis " + std::to_string(axis) + " is " +
        std::to_string(element.radius[axis]) + "; it must not be negative");
    }
  }
}

template <int Dim>
Box<Dim> reachOf(const BoxElement<Dim>& element) {
  Box<Dim> reach;
  for (int axis = 0; axis < Dim; ++axis) {
    reach.begin[axis] = -element.radius[axis];
    reach.end[axis] = element.radius[axis];
  }
  return reach;
}

template <class Space, int Dim>
int numSteps(const BoxElement<Dim>& element) {
  int steps = element.radius[0] > 0 ? 1 : 0;
  for (int axis = 1; axis < Dim; ++axis) {
    steps += windowSteps<Space>(windowOf(element, axis));
  }
  return steps;
}

template <class Space, int Dim>
void dilate(StepChain<Space, Dim>& chain, const BoxElement<Dim>& element) {
  if (element.radius[0] > 0) {
    chain.resize(-std::int64_t{element.radius[0]}, element.radius[0]);
  }
  for (int axis = 1; axis < Dim; ++axis) {
    if (element.radius[axis] > 0) {
      // down first: what is above the rows then never leaves the limits
      chain.goOnWith(chain.movedRows(axis, -std::int64_t{element.radius[axis]}));
      combineWindow(chain, SetOperation::Union, axis, windowOf(element, axis));
    }
  }
}

template <class Space, int Dim>
void erode(StepChain<Space, Dim>& chain, const BoxElement<Dim>& element) {
  if (element.radius[0] > 0) {
    chain.resize(element.radius[0], -std::int64_t{element.radius[0]});
  }
  for (int axis = 1; axis < Dim; ++axis) {
    if (element.radius[axis] > 0) {
      // up first: rows that leave the limits are in no intersection, and those of the result can be moved back
      combineWindow(chain, SetOperation::Intersection, axis, windowOf(element, axis));
      chain.moveRowsInPlace(axis, -std::int64_t{element.radius[axis]});
    }
  }
}

// --- operations ------------------------------------------------------------------------------------------------------

/// Throws if `set` grown by `reach` at its begin and end leaves the limits.
template <class Space, int Dim>
void checkGrowth(const Space& space, const IntervalSetOn<Dim, Space>& set, const Box<Dim>& reach) {
  const Box<Dim> box = boundingBox<Space, Dim>(space, set);
  for (int axis = 0; axis < Dim && !set.empty(); ++axis) {
    const std::int64_t first = std::int64_t{box.begin[axis]} + reach.begin[axis];
    const std::int64_t last = std::int64_t{box.end[axis]} - 1 + reach.end[axis];
    if (!isCellCoordinate(first) || !isCellCoordinate(last)) {
      throw CoordinateOverflow("dilating by " + std::to_string(reach.begin[axis]) + " to " +
        std::to_string(reach.end[axis]) + " along axis " + std::to_string(axis) + " grows the cells " + toString(box) +
        " beyond the coordinate limits [-2^31, 2^31 - 2]");
    }
  }
}

bool dilatesFirst(MorphologyOperation operation) {
  using enum MorphologyOperation;
  return operation == Dilate || operation == Close || operation == OuterGradient;
}

template <class Space, int Dim, class Element>
void morphBy(const Space& space, MorphologyOperation operation, const IntervalSetOn<Dim, Space>& set,
  const Element& element, IntervalSetOn<Dim, Space>& out, Workspace<typename Space::memory_space>& workspace) {
  using enum MorphologyOperation;
  SPANWISE_REGION("Geometry::morph");
  checkElement(element);
  if (dilatesFirst(operation)) {
    checkGrowth<Space, Dim>(space, set, reachOf(element));
  }
  const int steps = numSteps<Space>(element);
  const bool twice = operation == Open || operation == Close;
  const bool gradient = operation == OuterGradient || operation == InnerGradient;
  StepChain<Space, Dim> chain(space, (twice ? 2 * steps : steps) + (gradient ? 1 : 0), set, out, workspace);
  if (dilatesFirst(operation)) {
    dilate(chain, element);
  } else {
    erode(chain, element);
  }
  if (operation == Open) {
    dilate(chain, element);
  } else if (operation == Close) {
    erode(chain, element);
  } else if (operation == OuterGradient) {
    chain.combine(SetOperation::Difference, chain.current(), set.view());
  } else if (operation == InnerGradient) {
    chain.combine(SetOperation::Difference, set.view(), chain.current());
  }
}

} // namespace

template <class ExecutionSpace, int Dim>
void morph(const ExecutionSpace& space, MorphologyOperation operation, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const BoxElement<Dim>& element, IntervalSetOn<Dim, ExecutionSpace>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  morphBy<ExecutionSpace, Dim>(space, operation, set, element, out, workspace);
}

#define SPANWISE_MORPHOLOGY(Space, Dim)                                                                                \
  template void morph<Space, Dim>(const Space&, MorphologyOperation, const IntervalSetOn<Dim, Space>&,                 \
    const BoxElement<Dim>&, IntervalSetOn<Dim, Space>&, Workspace<Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_MORPHOLOGY)

} // namespace spanwise
