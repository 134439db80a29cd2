#include "Core/Geometry/DomainAlgebra.hpp"

#include "Core/Geometry/Slab.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Label.hpp"

namespace spanwise::geometry {

template <class ExecutionSpace, int Dim>
void combine(const Context<ExecutionSpace>& context, SetOperation operation,
  const std::vector<IntervalSetOn<Dim, ExecutionSpace>>& sets, IntervalSetOn<Dim, ExecutionSpace>& out,
  const SetDomain<Dim>& domain) {
  SPANWISE_REGION("Geometry::combineInDomain");
  try {
    parallel::agree(ranksOf(context, domain), [&] {
      for (const IntervalSetOn<Dim, ExecutionSpace>& set : sets) {
        checkOwnCells<ExecutionSpace, Dim>(context, domain, set);
      }
      combine<ExecutionSpace, Dim>(context, operation, sets, out);
    });
  } catch (...) {
    out.clear();
    throw;
  }
}

template <class ExecutionSpace, int Dim>
void complement(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& a,
  const Box<Dim>& box, IntervalSetOn<Dim, ExecutionSpace>& out, const SetDomain<Dim>& domain) {
  SPANWISE_REGION("Geometry::complementInDomain");
  try {
    parallel::agree(ranksOf(context, domain), [&] {
      checkOwnCells<ExecutionSpace, Dim>(context, domain, a);
      complement<ExecutionSpace, Dim>(context, a, inPlanes(box, domain.planes()), out);
    });
  } catch (...) {
    out.clear();
    throw;
  }
}

#define SPANWISE_DOMAIN_ALGEBRA(Space, Dim)                                                                            \
  template void combine<Space, Dim>(const Context<Space>&, SetOperation,                                               \
    const std::vector<IntervalSetOn<Dim, Space>>&, IntervalSetOn<Dim, Space>&, const SetDomain<Dim>&);                 \
  template void complement<Space, Dim>(const Context<Space>&, const IntervalSetOn<Dim, Space>&, const Box<Dim>&,       \
    IntervalSetOn<Dim, Space>&, const SetDomain<Dim>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_DOMAIN_ALGEBRA)

} // namespace spanwise::geometry
