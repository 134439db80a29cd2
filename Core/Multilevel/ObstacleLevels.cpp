#include "Core/Multilevel/ObstacleLevels.hpp"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Crop.hpp"
#include "Core/Geometry/StructuringElement.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/Migration.hpp"

#include <algorithm>
#include <cstdint>

namespace spanwise::multilevel {

namespace {

/// This rank's box of a level, as far as it is in that of the root.
template <class ExecutionSpace, int Dim>
geometry::Box<Dim> boxOf(const LevelDomain<ExecutionSpace, Dim>& domain, const geometry::Box<Dim>& rootBox, int level) {
  geometry::Box<Dim> own = domain.box(level);
  for (int d = 0; d < Dim; ++d) {
    const std::int64_t scale = std::int64_t{1} << level;
    own.begin[d] = static_cast<geometry::Coordinate>(std::max<std::int64_t>(own.begin[d], rootBox.begin[d] * scale));
    own.end[d] = static_cast<geometry::Coordinate>(std::min<std::int64_t>(own.end[d], rootBox.end[d] * scale));
  }
  return own;
}

} // namespace

template <class ExecutionSpace, int Dim>
void ObstacleLevels<ExecutionSpace, Dim>::build(const Context<ExecutionSpace>& context,
  LevelDomain<ExecutionSpace, Dim>& domain, const geometry::Box<Dim>& rootBox, int numLevels, const Set& cells) {
  if (domain.communicator().reduced(ReduceBy::Maximum, cells.numCells()) == 0) {
    levels_.clear();
    return;
  }
  const int finest = numLevels - 1;
  Set owned;
  migrate<ExecutionSpace, Dim>(context, domain.cut(finest), cells, owned, move_);
  geometry::StructuringElement<Dim> neighbours;
  parallel::agree(domain.communicator(), [&] {
    levels_.resize(static_cast<std::size_t>(numLevels));
    geometry::Cell<Dim> one{};
    std::fill(one.at, one.at + Dim, 1);
    neighbours = geometry::StructuringElement<Dim>::box(one);
  });
  for (int l = finest; l >= 0; --l) {
    Level& level = levels_[static_cast<std::size_t>(l)];
    parallel::agree(domain.communicator(), [&] {
      if (l == finest) {
        crop<ExecutionSpace, Dim>(context, owned, boxOf(domain, rootBox, l), level.touched);
        level.solid = level.touched;
      } else {
        const Level& finer = levels_[static_cast<std::size_t>(l) + 1];
        coarsen<ExecutionSpace, Dim>(context, Coarsening::Inside, finer.solid, level.solid);
        coarsen<ExecutionSpace, Dim>(context, Coarsening::Outside, finer.touched, level.touched);
      }
    });
    domain.dilate(context, l, neighbours, level.touched, scratch_[0]);
    parallel::agree(domain.communicator(), [&] {
      crop<ExecutionSpace, Dim>(context, scratch_[0], boxOf(domain, rootBox, l), scratch_[1]);
      combine<ExecutionSpace, Dim>(
        context, geometry::SetOperation::Difference, scratch_[1], level.solid, level.refined);
    });
  }
}

#define SPANWISE_OBSTACLE_LEVELS(Space, Dim) template class ObstacleLevels<Space, Dim>;
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_OBSTACLE_LEVELS)

} // namespace spanwise::multilevel
