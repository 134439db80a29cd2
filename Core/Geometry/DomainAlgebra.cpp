#include "Core/Geometry/DomainAlgebra.hpp"

#include "Core/Geometry/Slab.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Label.hpp"

namespace spanwise {

template <class ExecutionSpace, int Dim>
void combine(const ExecutionSpace& space, SetOperation operation,
  const std::vector<IntervalSetOn<Dim, ExecutionSpace>>& sets, IntervalSetOn<Dim, ExecutionSpace>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace, const SetDomain<Dim>& domain, const Progress& progress) {
  SPANWISE_REGION("Geometry::combineInDomain");
  try {
    agree(domain.communicator(), [&] {
      for (const IntervalSetOn<Dim, ExecutionSpace>& set : sets) {
        checkOwnCells<ExecutionSpace, Dim>(space, domain, set);
      }
      combine<ExecutionSpace, Dim>(space, operation, sets, out, workspace, progress);
    });
  } catch (...) {
    out.clear();
    throw;
  }
}

template <class ExecutionSpace, int Dim>
void complement(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& a, const Box<Dim>& box,
  IntervalSetOn<Dim, ExecutionSpace>& out, Workspace<typename ExecutionSpace::memory_space>& workspace,
  const SetDomain<Dim>& domain) {
  SPANWISE_REGION("Geometry::complementInDomain");
  try {
    agree(domain.communicator(), [&] {
      checkOwnCells<ExecutionSpace, Dim>(space, domain, a);
      complement<ExecutionSpace, Dim>(space, a, inPlanes(box, domain.planes()), out, workspace);
    });
  } catch (...) {
    out.clear();
    throw;
  }
}

#define SPANWISE_DOMAIN_ALGEBRA(Space, Dim)                                                                            \
  template void combine<Space, Dim>(const Space&, SetOperation, const std::vector<IntervalSetOn<Dim, Space>>&,         \
    IntervalSetOn<Dim, Space>&, Workspace<Space::memory_space>&, const SetDomain<Dim>&, const Progress&);              \
  template void complement<Space, Dim>(const Space&, const IntervalSetOn<Dim, Space>&, const Box<Dim>&,                \
    IntervalSetOn<Dim, Space>&, Workspace<Space::memory_space>&, const SetDomain<Dim>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_DOMAIN_ALGEBRA)

} // namespace spanwise
