#include "Core/Multilevel/Ghosts.hpp"

#include "Core/Field/ForCells.hpp"
#include "Core/Field/Remap.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/BoxCells.hpp"
#include "Core/Geometry/Crop.hpp"
#include "Core/Geometry/Morphology.hpp"
#include "Core/Multilevel/Detail/ClipToAncestors.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

namespace spanwise::multilevel {

namespace {

using namespace detail;

template <class ExecutionSpace>
using WorkspaceOn = Workspace<typename ExecutionSpace::memory_space>;

/// Finds the cell that each ghost cell outside of the domain is filled from.
template <int Dim>
struct FindSources {
  geometry::IntervalSetView<Dim> outside;
  geometry::IntervalSetView<Dim> inside; ///< what of the extended set lies in the domain
  geometry::IntervalSetView<Dim> extended;
  geometry::Coordinate width;
  bool mirrors;
  std::int64_t* sources;

  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t /*k*/, std::int64_t i) const {
    for (std::int64_t cell = outside.cellOffsets[i]; cell < outside.cellOffsets[i + 1]; ++cell) {
      const auto x = static_cast<geometry::Coordinate>(outside.intervals[i].begin + (cell - outside.cellOffsets[i]));
      sources[cell] = sourceOf(cellOf(outside.rowKeys[row], x));
    }
  }

private:
  KOKKOS_FUNCTION std::int64_t sourceOf(const geometry::Cell<Dim>& ghost) const {
    const geometry::Cell<Dim> nearest = nearestOf(ghost);
    if (mirrors) {
      geometry::Cell<Dim> image = nearest;
      for (int d = 0; d < Dim; ++d) {
        const geometry::Coordinate out = ghost.at[d] - nearest.at[d];
        image.at[d] -= out - (out > 0 ? 1 : out < 0 ? -1 : 0);
      }
      if (inside.findCell(image) >= 0) {
        return extended.findCell(image);
      }
    }
    return extended.findCell(nearest);
  }

  /// The cell of the domain at the least sum of distances along the axes; the first one of several.
  KOKKOS_FUNCTION geometry::Cell<Dim> nearestOf(const geometry::Cell<Dim>& ghost) const {
    geometry::Cell<Dim> best = ghost;
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

bool copiesOuter(OuterGhosts outer) { return outer == OuterGhosts::Nearest || outer == OuterGhosts::Mirror; }

/// How one level is filled of those before it. With a domain, `level` is what lies around the rank's own cells of the
/// level, `root` around those of the root, and ghost cells are filled in the rank's box alone.
template <class ExecutionSpace, int Dim>
void buildLevelGhosts(const Context<ExecutionSpace>& context, const LevelDomain<ExecutionSpace, Dim>* domain,
  geometry::Coordinate reach, const geometry::IntervalSetOn<Dim, ExecutionSpace>& own,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& level, const geometry::IntervalSetOn<Dim, ExecutionSpace>& root,
  int l, Prolongation method, GhostLevelsOn<Dim, ExecutionSpace>& out) {
  const auto index = static_cast<std::size_t>(l);
  auto& [dilated, inside, ghosts] = out.scratch;
  const auto cropTo = [&](geometry::IntervalSetOn<Dim, ExecutionSpace>& set, geometry::Coordinate around) {
    if (domain != nullptr) {
      crop<ExecutionSpace, Dim>(context, set, domain->box(l, around), set);
    }
  };
  morph<ExecutionSpace, Dim>(context, geometry::MorphologyOperation::Dilate, level, out.element, dilated);
  cropTo(dilated, reach);
  clipToAncestors<ExecutionSpace, Dim>(context, dilated, root, l, inside);
  auto& extended = out.extended[index];
  combine<ExecutionSpace, Dim>(
    context, geometry::SetOperation::Union, own, out.outer == OuterGhosts::None ? inside : dilated, extended);
  commonCells<ExecutionSpace, Dim>(context, own, extended, out.own[index]);
  if (l > 0) {
    combine<ExecutionSpace, Dim>(context, geometry::SetOperation::Difference, inside, level, ghosts);
    cropTo(ghosts, 0);
    buildTransferMap<ExecutionSpace, Dim>(
      context, out.extended[index - 1], extended, ghosts, method, out.fromCoarser[index]);
  }
  if (copiesOuter(out.outer)) {
    auto& outside = out.outside[index];
    combine<ExecutionSpace, Dim>(context, geometry::SetOperation::Difference, dilated, inside, ghosts);
    cropTo(ghosts, 0);
    commonCells<ExecutionSpace, Dim>(context, extended, ghosts, outside.cells);
    geometry::detail::reserveArray(outside.sources, ghosts.numCells(), SPANWISE_LABEL("Multilevel::ghostSources"));
    forEachPart(context.space(), SPANWISE_KERNEL("find sources"), ghosts.view().rowOffsets, ghosts.numRows(),
      ghosts.numIntervals(),
      FindSources<Dim>{ghosts.view(), inside.view(), extended.view(), out.width, out.outer == OuterGhosts::Mirror,
        outside.sources.data()});
  }
}

template <class ExecutionSpace, int Dim>
void beginGhosts(
  int numLevels, geometry::Coordinate width, OuterGhosts outer, GhostLevelsOn<Dim, ExecutionSpace>& out) {
  if (out.element.factors().empty() || out.width != width) {
    geometry::Cell<Dim> radius{};
    std::fill(radius.at, radius.at + Dim, width);
    out.element = geometry::StructuringElement<Dim>::box(radius);
  }
  out.width = width;
  out.outer = outer;
  out.numLevels = numLevels;
}

/// Fills level by level. fill(l, work) does the work, and brings what lies elsewhere.
template <class ExecutionSpace, int Dim, class T, class Fill>
void fillLevels(const ExecutionSpace& space, const GhostLevelsOn<Dim, ExecutionSpace>& ghosts,
  const MultilevelFieldOn<T, ExecutionSpace>& field, T value, MultilevelFieldOn<T, ExecutionSpace>& out,
  const Fill& fill) {
  for (int l = 0; l < ghosts.numLevels; ++l) {
    const auto index = static_cast<std::size_t>(l);
    fill(l, [&] {
      remapLevel<ExecutionSpace, T>(space, ghosts.own[index], field, l, value, out.level(l));
      if (l > 0) {
        prolong<ExecutionSpace, Dim, T>(space, ghosts.fromCoarser[index], out.level(l - 1), out.level(l));
      }
    });
    if (copiesOuter(ghosts.outer)) {
      fill(l, [&] { copySources(space, ghosts.outside[index], out.level(l).view()); });
    }
  }
}

} // namespace

template <class ExecutionSpace, int Dim>
void buildGhosts(const Context<ExecutionSpace>& context, const MultilevelSetOn<Dim, ExecutionSpace>& levels,
  geometry::Coordinate width, OuterGhosts outer, Prolongation method, GhostLevelsOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Multilevel::buildGhosts");
  checkWidth(width);
  beginGhosts<ExecutionSpace, Dim>(levels.numLevels(), width, outer, out);
  for (int l = 0; l < levels.numLevels(); ++l) {
    buildLevelGhosts<ExecutionSpace, Dim>(
      context, nullptr, width, levels.level(l), levels.level(l), levels.level(0), l, method, out);
  }
}

template <class ExecutionSpace, int Dim>
void buildGhosts(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain,
  const MultilevelSetOn<Dim, ExecutionSpace>& levels, geometry::Coordinate width, OuterGhosts outer,
  Prolongation method, DomainGhosts<ExecutionSpace, Dim>& out) {
  SPANWISE_REGION("Multilevel::buildGhosts");
  checkWidth(width);
  out.reach = outer == OuterGhosts::Mirror ? 2 * width : width;
  beginGhosts<ExecutionSpace, Dim>(domain.greatest(levels.numLevels()), width, outer, out.levels);
  geometry::IntervalSetOn<Dim, ExecutionSpace> level;
  geometry::IntervalSetOn<Dim, ExecutionSpace> root;
  domain.surround(context, 0, out.reach + width, levels.level(0), root);
  for (int l = 0; l < out.levels.numLevels; ++l) {
    domain.surround(context, l, out.reach + width, levels.level(l), level);
    parallel::agree(domain.communicator(), [&] {
      buildLevelGhosts<ExecutionSpace, Dim>(
        context, &domain, out.reach, levels.level(l), level, root, l, method, out.levels);
    });
    const auto index = static_cast<std::size_t>(l);
    out.halos[index].build(context, domain, l, out.reach, out.levels.extended[index]);
  }
}

template <class ExecutionSpace, int Dim, class T>
void fillGhosts(const ExecutionSpace& space, const GhostLevelsOn<Dim, ExecutionSpace>& ghosts,
  const MultilevelFieldOn<T, ExecutionSpace>& field, std::type_identity_t<T> value,
  MultilevelFieldOn<T, ExecutionSpace>& out) {
  SPANWISE_REGION("Multilevel::fillGhosts");
  fillLevels<ExecutionSpace, Dim, T>(space, ghosts, field, value, out, [](int /*level*/, const auto& work) { work(); });
}

template <class ExecutionSpace, int Dim, class T>
void fillGhosts(const ExecutionSpace& space, DomainGhosts<ExecutionSpace, Dim>& ghosts,
  const MultilevelFieldOn<T, ExecutionSpace>& field, std::type_identity_t<T> value,
  MultilevelFieldOn<T, ExecutionSpace>& out) {
  SPANWISE_REGION("Multilevel::fillGhosts");
  fillLevels<ExecutionSpace, Dim, T>(space, ghosts.levels, field, value, out, [&](int l, const auto& work) {
    ghosts.halos[static_cast<std::size_t>(l)].fillAfter(space, out.level(l), field.numComponents(), work);
  });
}

#define SPANWISE_BUILD_GHOSTS(Space, Dim)                                                                              \
  template void buildGhosts<Space, Dim>(const Context<Space>&, const MultilevelSetOn<Dim, Space>&,                     \
    geometry::Coordinate, OuterGhosts, Prolongation, GhostLevelsOn<Dim, Space>&);                                      \
  template void buildGhosts<Space, Dim>(const Context<Space>&, LevelDomain<Space, Dim>&,                               \
    const MultilevelSetOn<Dim, Space>&, geometry::Coordinate, OuterGhosts, Prolongation, DomainGhosts<Space, Dim>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_BUILD_GHOSTS)

#define SPANWISE_FILL_GHOSTS_OF(T, Space)                                                                              \
  template void fillGhosts<Space, 2, T>(const Space&, const GhostLevelsOn<2, Space>&,                                  \
    const MultilevelFieldOn<T, Space>&, T, MultilevelFieldOn<T, Space>&);                                              \
  template void fillGhosts<Space, 3, T>(const Space&, const GhostLevelsOn<3, Space>&,                                  \
    const MultilevelFieldOn<T, Space>&, T, MultilevelFieldOn<T, Space>&);                                              \
  template void fillGhosts<Space, 2, T>(                                                                               \
    const Space&, DomainGhosts<Space, 2>&, const MultilevelFieldOn<T, Space>&, T, MultilevelFieldOn<T, Space>&);       \
  template void fillGhosts<Space, 3, T>(                                                                               \
    const Space&, DomainGhosts<Space, 3>&, const MultilevelFieldOn<T, Space>&, T, MultilevelFieldOn<T, Space>&);
#define SPANWISE_FILL_GHOSTS(Space) SPANWISE_FOR_EACH_FIELD_TYPE(SPANWISE_FILL_GHOSTS_OF, Space)
SPANWISE_FOR_EACH_SPACE(SPANWISE_FILL_GHOSTS)

} // namespace spanwise::multilevel
