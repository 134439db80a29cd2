#include "Core/Multilevel/LevelTransfer.hpp"

#include "Core/Field/Remap.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Runtime/Error.hpp"

namespace spanwise {

namespace {

template <class ExecutionSpace>
using WorkspaceOn = Workspace<typename ExecutionSpace::memory_space>;

} // namespace

template <class ExecutionSpace, int Dim>
void buildRegrid(const ExecutionSpace& space, const MultilevelSetOn<Dim, ExecutionSpace>& from,
  const MultilevelSetOn<Dim, ExecutionSpace>& to, Prolongation method, RegridOn<Dim, ExecutionSpace>& out,
  WorkspaceOn<ExecutionSpace>& workspace) {
  SPANWISE_REGION("Multilevel::buildRegrid");
  if (!equal<ExecutionSpace, Dim>(space, from.level(0), to.level(0))) {
    throw InvalidArgument("values cannot go from one hierarchy to another with other root cells");
  }
  out.numLevels = to.numLevels();
  const IntervalSetOn<Dim, ExecutionSpace> none;
  for (int l = 0; l < to.numLevels(); ++l) {
    const auto index = static_cast<std::size_t>(l);
    const auto& had = l < from.numLevels() ? from.level(l) : none;
    commonCells<ExecutionSpace, Dim>(space, had, to.level(l), out.kept[index], workspace);
    if (l > 0) {
      combine<ExecutionSpace, Dim>(space, SetOperation::Difference, to.level(l), had, out.added, workspace);
      buildTransferMap<ExecutionSpace, Dim>(
        space, to.level(l - 1), to.level(l), out.added, method, out.made[index], workspace);
    }
  }
}

template <class ExecutionSpace, int Dim, class T>
void regrid(const ExecutionSpace& space, const RegridOn<Dim, ExecutionSpace>& way,
  const MultilevelFieldOn<T, ExecutionSpace>& field, MultilevelFieldOn<T, ExecutionSpace>& out,
  WorkspaceOn<ExecutionSpace>& workspace) {
  SPANWISE_REGION("Multilevel::regrid");
  out.setNumComponents(field.numComponents());
  for (int l = 0; l < way.numLevels; ++l) {
    const auto index = static_cast<std::size_t>(l);
    FieldOn<T, ExecutionSpace>& target = out.level(l);
    if (way.kept[index].numCellsOfA() > 0) {
      remap<ExecutionSpace, T>(space, way.kept[index], field.level(l), T{0}, target);
    } else {
      target.setName(field.name());
      target.resize(way.kept[index].numCellsOfB(), field.numComponents());
    }
    if (l > 0) {
      prolong<ExecutionSpace, Dim, T>(space, way.made[index], out.level(l - 1), target, workspace);
    }
  }
}

#define SPANWISE_BUILD_REGRID(Space, Dim)                                                                              \
  template void buildRegrid<Space, Dim>(const Space&, const MultilevelSetOn<Dim, Space>&,                              \
    const MultilevelSetOn<Dim, Space>&, Prolongation, RegridOn<Dim, Space>&, WorkspaceOn<Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_BUILD_REGRID)

#define SPANWISE_REGRID_OF(T, Space)                                                                                   \
  template void regrid<Space, 2, T>(const Space&, const RegridOn<2, Space>&, const MultilevelFieldOn<T, Space>&,       \
    MultilevelFieldOn<T, Space>&, WorkspaceOn<Space>&);                                                                \
  template void regrid<Space, 3, T>(const Space&, const RegridOn<3, Space>&, const MultilevelFieldOn<T, Space>&,       \
    MultilevelFieldOn<T, Space>&, WorkspaceOn<Space>&);
#define SPANWISE_REGRID(Space) SPANWISE_FOR_EACH_FIELD_TYPE(SPANWISE_REGRID_OF, Space)
SPANWISE_FOR_EACH_SPACE(SPANWISE_REGRID)

} // namespace spanwise
