#include "Core/Multilevel/LevelTransfer.hpp"

#include "Core/Field/Remap.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/BareContext.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

namespace spanwise::multilevel {

namespace {

template <class ExecutionSpace>
using WorkspaceOn = Workspace<typename ExecutionSpace::memory_space>;

template <class ExecutionSpace, int Dim>
void checkRoots(const ExecutionSpace& space, const MultilevelSetOn<Dim, ExecutionSpace>& from,
  const MultilevelSetOn<Dim, ExecutionSpace>& to) {
  if (!equal<ExecutionSpace, Dim>(BareContext(space), from.level(0), to.level(0))) {
    throw InvalidArgument("values cannot go from one hierarchy to another with other root cells");
  }
}

/// How one level gets its values: to `target`, which has the cells of `to` and may have more around.
template <class ExecutionSpace, int Dim>
void buildLevelRegrid(const Context<ExecutionSpace>& context, const MultilevelSetOn<Dim, ExecutionSpace>& from,
  const MultilevelSetOn<Dim, ExecutionSpace>& to, const MultilevelSetOn<Dim, ExecutionSpace>& target, int l,
  Prolongation method, RegridOn<Dim, ExecutionSpace>& out) {
  const auto index = static_cast<std::size_t>(l);
  const geometry::IntervalSetOn<Dim, ExecutionSpace> none;
  const auto& had = l < from.numLevels() ? from.level(l) : none;
  commonCells<ExecutionSpace, Dim>(context, had, target.level(l), out.kept[index]);
  if (l > 0) {
    combine<ExecutionSpace, Dim>(context, geometry::SetOperation::Difference, to.level(l), had, out.added);
    buildTransferMap<ExecutionSpace, Dim>(
      context, target.level(l - 1), target.level(l), out.added, method, out.made[index]);
  }
}

/// Level by level; fill(l, work) does the work, after which a level's cells have their values.
template <class ExecutionSpace, int Dim, class T, class Fill>
void regridLevels(const ExecutionSpace& space, const RegridOn<Dim, ExecutionSpace>& way,
  const MultilevelFieldOn<T, ExecutionSpace>& field, MultilevelFieldOn<T, ExecutionSpace>& out, const Fill& fill) {
  out.setNumComponents(field.numComponents());
  for (int l = 0; l < way.numLevels; ++l) {
    const auto index = static_cast<std::size_t>(l);
    field::FieldOn<T, ExecutionSpace>& target = out.level(l);
    fill(l, [&] {
      if (way.kept[index].numCellsOfA() > 0) {
        remap<ExecutionSpace, T>(BareContext(space), way.kept[index], field.level(l), T{0}, target);
      } else {
        target.setName(field.name());
        target.resize(way.kept[index].numCellsOfB(), field.numComponents());
      }
      if (l > 0) {
        prolong<ExecutionSpace, Dim, T>(space, way.made[index], out.level(l - 1), target);
      }
    });
  }
}

} // namespace

template <class ExecutionSpace, int Dim>
void buildRegrid(const Context<ExecutionSpace>& context, const MultilevelSetOn<Dim, ExecutionSpace>& from,
  const MultilevelSetOn<Dim, ExecutionSpace>& to, Prolongation method, RegridOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Multilevel::buildRegrid");
  checkRoots<ExecutionSpace, Dim>(context.space(), from, to);
  out.numLevels = to.numLevels();
  for (int l = 0; l < to.numLevels(); ++l) {
    buildLevelRegrid<ExecutionSpace, Dim>(context, from, to, to, l, method, out);
  }
}

template <class ExecutionSpace, int Dim>
void buildRegrid(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain,
  const MultilevelSetOn<Dim, ExecutionSpace>& from, const MultilevelSetOn<Dim, ExecutionSpace>& to, Prolongation method,
  DomainRegrid<ExecutionSpace, Dim>& out) {
  SPANWISE_REGION("Multilevel::buildRegrid");
  parallel::agree(domain.communicator(), [&] { checkRoots<ExecutionSpace, Dim>(context.space(), from, to); });
  out.way.numLevels = domain.greatest(to.numLevels());
  MultilevelSetOn<Dim, ExecutionSpace> target;
  target.setNumLevels(out.way.numLevels);
  for (int l = 0; l < out.way.numLevels; ++l) {
    const auto index = static_cast<std::size_t>(l);
    auto& around = target.level(l);
    domain.surround(context, l, 1, to.level(l), around);
    parallel::agree(domain.communicator(), [&] {
      buildLevelRegrid<ExecutionSpace, Dim>(context, from, to, target, l, method, out.way);
      commonCells<ExecutionSpace, Dim>(context, around, to.level(l), out.own[index]);
    });
    out.halos[index].build(context, domain, l, 1, around);
  }
}

template <class ExecutionSpace, int Dim, class T>
void regrid(const ExecutionSpace& space, const RegridOn<Dim, ExecutionSpace>& way,
  const MultilevelFieldOn<T, ExecutionSpace>& field, MultilevelFieldOn<T, ExecutionSpace>& out) {
  SPANWISE_REGION("Multilevel::regrid");
  regridLevels<ExecutionSpace, Dim, T>(space, way, field, out, [](int /*level*/, const auto& work) { work(); });
}

template <class ExecutionSpace, int Dim, class T>
void regrid(const ExecutionSpace& space, DomainRegrid<ExecutionSpace, Dim>& way,
  const MultilevelFieldOn<T, ExecutionSpace>& field, MultilevelFieldOn<T, ExecutionSpace>& around,
  MultilevelFieldOn<T, ExecutionSpace>& out) {
  SPANWISE_REGION("Multilevel::regrid");
  out.setNumComponents(field.numComponents());
  regridLevels<ExecutionSpace, Dim, T>(space, way.way, field, around, [&](int l, const auto& work) {
    const auto index = static_cast<std::size_t>(l);
    way.halos[index].fillAfter(space, around.level(l), field.numComponents(), work);
    remap<ExecutionSpace, T>(BareContext(space), way.own[index], around.level(l), T{0}, out.level(l));
  });
}

#define SPANWISE_BUILD_REGRID(Space, Dim)                                                                              \
  template void buildRegrid<Space, Dim>(const Context<Space>&, const MultilevelSetOn<Dim, Space>&,                     \
    const MultilevelSetOn<Dim, Space>&, Prolongation, RegridOn<Dim, Space>&);                                          \
  template void buildRegrid<Space, Dim>(const Context<Space>&, LevelDomain<Space, Dim>&,                               \
    const MultilevelSetOn<Dim, Space>&, const MultilevelSetOn<Dim, Space>&, Prolongation, DomainRegrid<Space, Dim>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_BUILD_REGRID)

#define SPANWISE_REGRID_OF(T, Space)                                                                                   \
  template void regrid<Space, 2, T>(const Space&, DomainRegrid<Space, 2>&, const MultilevelFieldOn<T, Space>&,         \
    MultilevelFieldOn<T, Space>&, MultilevelFieldOn<T, Space>&);                                                       \
  template void regrid<Space, 3, T>(const Space&, DomainRegrid<Space, 3>&, const MultilevelFieldOn<T, Space>&,         \
    MultilevelFieldOn<T, Space>&, MultilevelFieldOn<T, Space>&);                                                       \
  template void regrid<Space, 2, T>(                                                                                   \
    const Space&, const RegridOn<2, Space>&, const MultilevelFieldOn<T, Space>&, MultilevelFieldOn<T, Space>&);        \
  template void regrid<Space, 3, T>(                                                                                   \
    const Space&, const RegridOn<3, Space>&, const MultilevelFieldOn<T, Space>&, MultilevelFieldOn<T, Space>&);
#define SPANWISE_REGRID(Space) SPANWISE_FOR_EACH_FIELD_TYPE(SPANWISE_REGRID_OF, Space)
SPANWISE_FOR_EACH_SPACE(SPANWISE_REGRID)

} // namespace spanwise::multilevel
