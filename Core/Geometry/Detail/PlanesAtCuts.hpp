#pragma once

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/SetDomain.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/CellMove.hpp"
#include "Core/Parallel/Migration.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::geometry::detail {

/// The cells in a rank's first and last plane, those that other ranks have neighbours of, and the planes beside them
/// that other ranks have.
template <class ExecutionSpace, int Dim>
class PlanesAtCuts {
public:
  using Set = IntervalSetOn<Dim, ExecutionSpace>;

  /// Collective, on several ranks. O(rows + intervals of these planes); allocates.
  PlanesAtCuts(const Context<ExecutionSpace>& context, const SetDomain<Dim>& domain, const Set& set)
    : move_(ranksOf(context, domain)) {
    parallel::agree(ranksOf(context, domain), [&] {
      const parallel::PlaneRange own = domain.planes();
      Set first;
      Set last;
      if (!own.empty()) {
        restrictRows<ExecutionSpace, Dim>(context, set, {own.begin, own.begin + 1}, first);
        restrictRows<ExecutionSpace, Dim>(context, set, {own.end - 1, own.end}, last);
      }
      combine<ExecutionSpace, Dim>(context, SetOperation::Union, first, last, own_);
    });
    addHalo<ExecutionSpace, Dim>(context, domain.cut(), domain.halo(1), own_, held_, move_);
  }

  [[nodiscard]] const Set& own() const { return own_; }
  /// With the other ranks' planes.
  [[nodiscard]] const Set& held() const { return held_; }
  /// From own() to held(), for values.
  [[nodiscard]] parallel::CellMove<ExecutionSpace, Dim>& move() { return move_; }

private:
  parallel::CellMove<ExecutionSpace, Dim> move_;
  Set own_;
  Set held_;
};

} // namespace spanwise::geometry::detail
