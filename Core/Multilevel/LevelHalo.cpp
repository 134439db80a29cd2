#include "Core/Multilevel/LevelHalo.hpp"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Crop.hpp"
#include "Core/Geometry/Originals.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::multilevel {

template <class ExecutionSpace, int Dim>
void LevelHalo<ExecutionSpace, Dim>::build(const Context<ExecutionSpace>& context,
  const LevelDomain<ExecutionSpace, Dim>& domain, int level, std::int64_t reach, const Set& set) {
  SPANWISE_REGION("Multilevel::LevelHalo");
  numCells_ = set.numCells();
  geometry::Periods<Dim> others = domain.periodsOf(level);
  const bool repeatsAlongSlowest = others.along[Dim - 1];
  others.along[Dim - 1] = false;
  parallel::agree(domain.communicator(), [&] {
    auto& [copies, own, around] = scratch_;
    copies.clear();
    if (others.any()) {
      crop<ExecutionSpace, Dim>(context, set, domain.box(level), own);
      crop<ExecutionSpace, Dim>(context, set, domain.boxOfPlanes(level, reach), around);
      combine<ExecutionSpace, Dim>(context, geometry::SetOperation::Difference, around, own, copies);
    }
    commonCells<ExecutionSpace, Dim>(context, set, copies, copies_.cells);
    findOriginals<ExecutionSpace, Dim>(context, copies, set, others, copies_.sources);
  });
  if (domain.communicator().alone() && !repeatsAlongSlowest) {
    exchange_.reset();
    return;
  }
  if (!exchange_ || &exchange_->communicator() != &domain.communicator()) {
    exchange_.emplace(domain.communicator(), parallel::HaloPlan());
  }
  exchange_->setPlan(makeHaloPlan<ExecutionSpace, Dim>(
    context.with(domain.communicator()), domain.cut(level), domain.halo(level, reach), set));
}

#define SPANWISE_LEVEL_HALO(Space, Dim) template class LevelHalo<Space, Dim>;
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_LEVEL_HALO)

} // namespace spanwise::multilevel
