#include "Core/Multilevel/LevelTransfer.hpp"

#include "Core/Field/Remap.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

namespace spanwise::multilevel {

namespace {

/// Collective. Values of a level, on the cells around too where there are any.
template <class ExecutionSpace, int Dim, class T>
void regridLevel(const Context<ExecutionSpace>& context, Regrid<ExecutionSpace, Dim>& way, int l,
  const MultilevelFieldOn<T, ExecutionSpace>& field, MultilevelFieldOn<T, ExecutionSpace>& target) {
  const auto index = static_cast<std::size_t>(l);
  field::FieldOn<T, ExecutionSpace>& values = target.level(l);
  const auto work = [&] {
    if (way.kept[index].numCellsOfA() > 0) {
      remap<ExecutionSpace, T>(context, way.kept[index], field.level(l), T{0}, values);
    } else {
      values.setName(field.name());
      values.resize(way.kept[index].numCellsOfB(), field.numComponents());
    }
    if (l > 0) {
      prolong<ExecutionSpace, Dim, T>(context, way.made[index], target.level(l - 1), values);
    }
  };
  if (way.hasAround) {
    way.halos[index].fillAfter(context.space(), values, field.numComponents(), work);
  } else {
    work();
  }
}

} // namespace

template <class ExecutionSpace, int Dim>
void buildRegrid(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain,
  const MultilevelSetOn<Dim, ExecutionSpace>& from, const MultilevelSetOn<Dim, ExecutionSpace>& to, Prolongation method,
  Regrid<ExecutionSpace, Dim>& out) {
  SPANWISE_REGION("Multilevel::buildRegrid");
  parallel::agree(domain.communicator(), [&] {
    if (!equal<ExecutionSpace, Dim>(context, from.level(0), to.level(0))) {
      throw InvalidArgument("values cannot go from one hierarchy to another with other root cells");
    }
  });
  const geometry::IntervalSetOn<Dim, ExecutionSpace> none;
  out.numLevels = domain.maxOfRanks(to.numLevels());
  out.hasAround = !domain.endsHere();
  out.around.setNumLevels(out.hasAround ? out.numLevels : 1);
  const MultilevelSetOn<Dim, ExecutionSpace>& target = out.hasAround ? out.around : to;
  for (int l = 0; l < out.numLevels; ++l) {
    const auto index = static_cast<std::size_t>(l);
    if (out.hasAround) {
      domain.surround(context, l, 1, to.level(l), out.around.level(l));
    }
    parallel::agree(domain.communicator(), [&] {
      const auto& had = l < from.numLevels() ? from.level(l) : none;
      commonCells<ExecutionSpace, Dim>(context, had, target.level(l), out.kept[index]);
      if (l > 0) {
        combine<ExecutionSpace, Dim>(context, geometry::SetOperation::Difference, to.level(l), had, out.added);
        buildProlongation<ExecutionSpace, Dim>(
          context, target.level(l - 1), target.level(l), out.added, method, out.made[index]);
      }
      if (out.hasAround) {
        commonCells<ExecutionSpace, Dim>(context, target.level(l), to.level(l), out.own[index]);
      }
    });
    if (out.hasAround) {
      out.halos[index].build(context, domain, l, 1, target.level(l));
    }
  }
}

template <class ExecutionSpace, int Dim, class T>
void regrid(const Context<ExecutionSpace>& context, Regrid<ExecutionSpace, Dim>& way,
  const MultilevelFieldOn<T, ExecutionSpace>& field, MultilevelFieldOn<T, ExecutionSpace>& around,
  MultilevelFieldOn<T, ExecutionSpace>& out) {
  SPANWISE_REGION("Multilevel::regrid");
  MultilevelFieldOn<T, ExecutionSpace>& target = way.hasAround ? around : out;
  target.setNumComponents(field.numComponents());
  out.setNumComponents(field.numComponents());
  for (int l = 0; l < way.numLevels; ++l) {
    regridLevel<ExecutionSpace, Dim, T>(context, way, l, field, target);
    if (way.hasAround) {
      parallel::agree(context.communicator(), [&] {
        remap<ExecutionSpace, T>(context, way.own[static_cast<std::size_t>(l)], target.level(l), T{0}, out.level(l));
      });
    }
  }
}

#define SPANWISE_BUILD_REGRID(Space, Dim)                                                                              \
  template void buildRegrid<Space, Dim>(const Context<Space>&, LevelDomain<Space, Dim>&,                               \
    const MultilevelSetOn<Dim, Space>&, const MultilevelSetOn<Dim, Space>&, Prolongation, Regrid<Space, Dim>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_BUILD_REGRID)

#define SPANWISE_REGRID_OF(T, Space)                                                                                   \
  template void regrid<Space, 2, T>(const Context<Space>&, Regrid<Space, 2>&, const MultilevelFieldOn<T, Space>&,      \
    MultilevelFieldOn<T, Space>&, MultilevelFieldOn<T, Space>&);                                                       \
  template void regrid<Space, 3, T>(const Context<Space>&, Regrid<Space, 3>&, const MultilevelFieldOn<T, Space>&,      \
    MultilevelFieldOn<T, Space>&, MultilevelFieldOn<T, Space>&);
#define SPANWISE_REGRID(Space) SPANWISE_FOR_EACH_FIELD_TYPE(SPANWISE_REGRID_OF, Space)
SPANWISE_FOR_EACH_SPACE(SPANWISE_REGRID)

} // namespace spanwise::multilevel
