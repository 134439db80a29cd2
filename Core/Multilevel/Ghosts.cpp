#include "Core/Multilevel/Ghosts.hpp"

#include "Core/Field/ForEachCell.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/BoxCells.hpp"
#include "Core/Geometry/Crop.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Geometry/Morphology.hpp"
#include "Core/Multilevel/Detail/ClipToAncestors.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Reserve.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

namespace spanwise::multilevel {

namespace {

using namespace detail;

/// Finds the cells that each ghost cell outside of the domain gets its state from.
template <int Dim>
struct FindOutside {
  geometry::IntervalSetView<Dim> inside; ///< what of the extended set lies in the domain
  geometry::IntervalSetView<Dim> extended;
  geometry::Box<Dim> rootBox; ///< that has the domain's sides
  int level;
  geometry::Coordinate width;
  OutsideCell* sources;

  KOKKOS_FUNCTION void operator()(std::int64_t number, const geometry::Cell<Dim>& ghost) const {
    sources[number] = sourceOf(ghost);
  }

  [[nodiscard]] KOKKOS_FUNCTION OutsideCell sourceOf(const geometry::Cell<Dim>& ghost) const {
    const geometry::Cell<Dim> nearest = nearestOf(ghost);
    geometry::Cell<Dim> image = nearest;
    OutsideCell source{};
    for (int d = 0; d < Dim; ++d) {
      const geometry::Coordinate out = ghost.at[d] - nearest.at[d];
      image.at[d] -= out - (out > 0 ? 1 : out < 0 ? -1 : 0);
      const auto bit = static_cast<std::uint8_t>(1U << static_cast<unsigned>(d));
      const geometry::Coordinate root = ghost.at[d] >> level;
      source.below = static_cast<std::uint8_t>(source.below | (out < 0 ? bit : 0));
      source.above = static_cast<std::uint8_t>(source.above | (out > 0 ? bit : 0));
      source.obstacle =
        static_cast<std::uint8_t>(source.obstacle | (root >= rootBox.begin[d] && root < rootBox.end[d] ? bit : 0));
    }
    source.nearest = extended.findCell(nearest);
    source.image = inside.findCell(image) >= 0 ? extended.findCell(image) : source.nearest;
    return source;
  }

  /// The cell of the domain at the least sum of distances along the axes; the first one of several.
  [[nodiscard]] KOKKOS_FUNCTION geometry::Cell<Dim> nearestOf(const geometry::Cell<Dim>& ghost) const {
    geometry::Cell<Dim> best = ghost; // in the box there is one that is nearest
    const std::int64_t scale = std::int64_t{1} << level;
    for (int d = 0; d < Dim; ++d) {
      best.at[d] = static_cast<geometry::Coordinate>(
        Kokkos::max(scale * rootBox.begin[d], Kokkos::min(scale * rootBox.end[d] - 1, std::int64_t{ghost.at[d]})));
    }
    if (inside.findCell(best) >= 0) {
      return best;
    }
    geometry::Coordinate least = 3 * width + 1;
    const geometry::Coordinate depth = Dim == 3 ? width : 0;
    for (geometry::Coordinate z = -depth; z <= depth; ++z) {
      for (geometry::Coordinate y = -width; y <= width; ++y) {
        for (geometry::Coordinate x = -width; x <= width; ++x) {
          const geometry::Coordinate distance = Kokkos::abs(x) + Kokkos::abs(y) + Kokkos::abs(z);
          if (distance >= least) {
            continue;
          }
          const std::int64_t at[3] = {std::int64_t{ghost.at[0]} + x, std::int64_t{ghost.at[1]} + y,
            (Dim == 3 ? std::int64_t{ghost.at[Dim - 1]} : 0) + z};
          geometry::Cell<Dim> cell;
          bool exists = true;
          for (int d = 0; d < Dim; ++d) {
            exists = exists && geometry::isCellCoordinate(at[d]);
            cell.at[d] = static_cast<geometry::Coordinate>(at[d]);
          }
          if (exists && inside.findCell(cell) >= 0) {
            best = cell;
            least = distance;
          }
        }
      }
    }
    return best;
  }
};

void checkWidth(geometry::Coordinate width) {
  constexpr geometry::Coordinate maxWidth = 64;
  if (width < 1 || width > maxWidth) {
    throw InvalidArgument(
      "a layer of ghost cells is 1 to " + std::to_string(maxWidth) + " cells wide, not " + std::to_string(width));
  }
}

/// Collective. The box whose sides are the domain's: the smallest around the roots of all ranks, and without ends along
/// axes that repeat.
template <class ExecutionSpace, int Dim>
geometry::Box<Dim> boxOfRoots(const Context<ExecutionSpace>& context, const LevelDomain<ExecutionSpace, Dim>& domain,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& root) {
  std::int64_t low[Dim];
  std::int64_t high[Dim];
  std::fill(low, low + Dim, std::int64_t{geometry::maxIntervalEnd});
  std::fill(high, high + Dim, std::int64_t{geometry::minCoordinate});
  parallel::agree(domain.communicator(), [&] {
    if (!root.empty()) {
      const geometry::Box<Dim> own = boundingBox<ExecutionSpace, Dim>(context, root);
      std::copy(own.begin, own.begin + Dim, low);
      std::copy(own.end, own.end + Dim, high);
    }
  });
  domain.communicator().reduce(ReduceBy::Minimum, std::span<std::int64_t>(low));
  domain.communicator().reduce(ReduceBy::Maximum, std::span<std::int64_t>(high));
  geometry::Box<Dim> box;
  for (int d = 0; d < Dim; ++d) {
    const bool repeats = domain.periods().along[d];
    box.begin[d] = repeats ? geometry::minCoordinate : static_cast<geometry::Coordinate>(low[d]);
    box.end[d] = repeats ? geometry::maxIntervalEnd : static_cast<geometry::Coordinate>(high[d]);
  }
  return box;
}

/// What the ghost cells of a level are made of.
template <class ExecutionSpace, int Dim>
struct LevelCells {
  using Set = geometry::IntervalSetOn<Dim, ExecutionSpace>;
  const Set& own;
  const Set& around; ///< the level's cells that this rank has, and those around them
  const Set& rootAround;
  const geometry::Box<Dim>& rootBox;
};

/// How one level is filled of those before it. Ghost cells are filled in the rank's own box alone.
template <class ExecutionSpace, int Dim>
void buildLevelGhosts(const Context<ExecutionSpace>& context, const LevelDomain<ExecutionSpace, Dim>& domain,
  const LevelCells<ExecutionSpace, Dim>& cells, int l, GhostLevels<ExecutionSpace, Dim>& out) {
  const auto index = static_cast<std::size_t>(l);
  auto& dilated = out.scratch[0];
  auto& inside = out.scratch[1];
  auto& ghosts = out.scratch[2];
  auto& everywhere = out.scratch[5];
  // set = what make(set) gives, within so many cells of this rank's box
  const auto makeWithin = [&](geometry::Coordinate reach, geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
                            const auto& make) {
    if (domain.endsHere()) {
      make(set);
    } else {
      make(everywhere);
      crop<ExecutionSpace, Dim>(context, everywhere, domain.box(l, reach), set);
    }
  };
  makeWithin(out.reach, dilated, [&](auto& set) {
    morph<ExecutionSpace, Dim>(context, geometry::MorphologyOperation::Dilate, cells.around, out.element, set);
  });
  clipToAncestors<ExecutionSpace, Dim>(context, dilated, cells.rootAround, l, inside);
  auto& extended = out.extended[index];
  combine<ExecutionSpace, Dim>(
    context, geometry::SetOperation::Union, cells.own, out.options.outside ? dilated : inside, extended);
  commonCells<ExecutionSpace, Dim>(context, extended, cells.own, out.own[index]);
  commonCells<ExecutionSpace, Dim>(context, cells.own, extended, out.fromLevel[index]);
  if (l > 0) {
    makeWithin(0, ghosts, [&](auto& set) {
      combine<ExecutionSpace, Dim>(context, geometry::SetOperation::Difference, inside, cells.around, set);
    });
    buildProlongation<ExecutionSpace, Dim>(
      context, out.extended[index - 1], extended, ghosts, out.options.prolongation, out.transfer[index]);
    parentsOf<ExecutionSpace, Dim>(context, cells.own, out.refined[index - 1]);
    buildRestriction<ExecutionSpace, Dim>(
      context, out.extended[index - 1], extended, out.refined[index - 1], out.transfer[index]);
  }
  if (out.options.outside) {
    auto& outside = out.outside[index];
    makeWithin(0, ghosts, [&](auto& set) {
      combine<ExecutionSpace, Dim>(context, geometry::SetOperation::Difference, dilated, inside, set);
    });
    commonCells<ExecutionSpace, Dim>(context, extended, ghosts, outside.cells);
    reserve(outside.sources, ghosts.numCells(), SPANWISE_LABEL("Multilevel::outsideCells"));
    field::forEachCell(context.space(), SPANWISE_KERNEL("find outside"), ghosts,
      FindOutside<Dim>{inside.view(), extended.view(), cells.rootBox, l, out.options.width, outside.sources.data()});
  }
}

} // namespace

template <class ExecutionSpace, int Dim>
void buildGhosts(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain,
  const std::type_identity_t<MultilevelSetOn<Dim, ExecutionSpace>>& levels, const GhostOptions& options,
  GhostLevels<ExecutionSpace, Dim>& out) {
  SPANWISE_REGION("Multilevel::buildGhosts");
  const geometry::Coordinate width = options.width;
  checkWidth(width);
  if (out.element.factors().empty() || out.options.width != width) {
    geometry::Cell<Dim> radius{};
    std::fill(radius.at, radius.at + Dim, width);
    out.element = geometry::StructuringElement<Dim>::box(radius);
  }
  out.options = options;
  out.reach = options.outside ? 2 * width : width;
  out.numLevels = domain.maxOfRanks(levels.numLevels());
  const geometry::Box<Dim> rootBox = boxOfRoots<ExecutionSpace, Dim>(context, domain, levels.level(0));
  const bool ends = domain.endsHere();
  auto& levelAround = out.scratch[3];
  auto& rootAround = out.scratch[4];
  if (!ends) {
    domain.surround(context, 0, out.reach + width, levels.level(0), rootAround);
  }
  out.refined[static_cast<std::size_t>(std::max(out.numLevels, 1) - 1)].clear();
  for (int l = 0; l < out.numLevels; ++l) {
    if (!ends) {
      domain.surround(context, l, out.reach + width, levels.level(l), levelAround);
    }
    parallel::agree(domain.communicator(), [&] {
      buildLevelGhosts<ExecutionSpace, Dim>(context, domain,
        {levels.level(l), ends ? levels.level(l) : levelAround, ends ? levels.level(0) : rootAround, rootBox}, l, out);
    });
    const auto index = static_cast<std::size_t>(l);
    out.halos[index].build(context, domain, l, out.reach, out.extended[index]);
  }
}

#define SPANWISE_BUILD_GHOSTS(Space, Dim)                                                                              \
  template void buildGhosts<Space, Dim>(const Context<Space>&, LevelDomain<Space, Dim>&,                               \
    const MultilevelSetOn<Dim, Space>&, const GhostOptions&, GhostLevels<Space, Dim>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_BUILD_GHOSTS)

} // namespace spanwise::multilevel
