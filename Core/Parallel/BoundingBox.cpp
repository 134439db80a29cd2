#include "Core/Parallel/BoundingBox.hpp"

#include "Core/Geometry/Measures.hpp"
#include "Core/Runtime/Context.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>

namespace spanwise::parallel {

template <class ExecutionSpace, int Dim>
geometry::Box<Dim> boundingBoxOfAll(const Context<ExecutionSpace>& context, const SetList<Dim, ExecutionSpace>& sets) {
  std::array<std::int64_t, 2 * Dim> ends; // begins, and ends with the opposite sign, so that all are minima
  ends.fill(std::numeric_limits<std::int64_t>::max());
  for (const geometry::IntervalSetOn<Dim, ExecutionSpace>* set : sets) {
    const geometry::Box<Dim> box = boundingBox<ExecutionSpace, Dim>(context, *set);
    for (std::size_t d = 0; d < Dim && !box.empty(); ++d) {
      ends[d] = std::min<std::int64_t>(ends[d], box.begin[d]);
      ends[d + Dim] = std::min(ends[d + Dim], -std::int64_t{box.end[d]});
    }
  }
  context.communicator().reduce(ReduceBy::Minimum, std::span<std::int64_t>(ends));
  geometry::Box<Dim> box{};
  for (std::size_t d = 0; d < Dim && ends[0] < std::numeric_limits<std::int64_t>::max(); ++d) {
    box.begin[d] = static_cast<geometry::Coordinate>(ends[d]);
    box.end[d] = static_cast<geometry::Coordinate>(-ends[d + Dim]);
  }
  return box;
}

#define SPANWISE_BOUNDING_BOX(Space, Dim)                                                                              \
  template geometry::Box<Dim> boundingBoxOfAll<Space, Dim>(const Context<Space>&, const SetList<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_BOUNDING_BOX)

} // namespace spanwise::parallel
