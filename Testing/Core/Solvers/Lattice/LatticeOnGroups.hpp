#pragma once

// A lattice Boltzmann method as anybody would write it with the stencils of Core/Field, which run it on intervals and
// on blocks: with walls, and with cells where fluid flows in, which get a kernel of their own.

#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/ForGroups.hpp"
#include "Core/Solvers/Lattice/LatticeSide.hpp"

#include <cstdint>
#include <utility>

namespace spanwise::lattice::testing {

/// A step of a cell in fields of deviations from rest: populations come from the cells around, or back from walls where
/// there is none, and collide.
template <class Set, class T>
struct StepCell {
  CollisionConstants<T> constants;

  template <class Point>
  static KOKKOS_FORCEINLINE_FUNCTION void pull(const Point& point, T (&f)[Set::count]) {
    f[0] = point.centre(0);
    unrolled<Set::count - 1>([&](auto n) {
      constexpr int q = decltype(n)::value + 1;
      constexpr int from = Set::Pattern::indexOf({-Set::velocity(q, 0), -Set::velocity(q, 1), -Set::velocity(q, 2)});
      constexpr int opposite = Set::opposite(q);
      f[q] = point.has(from) ? point.neighbour(from, q) : point.centre(opposite);
    });
  }
  template <class Out>
  KOKKOS_FORCEINLINE_FUNCTION void collideInto(T (&f)[Set::count], const Out& out) const {
    collide<Set, Collision::SingleRelaxation, true>(f, constants);
    unrolled<Set::count>([&](auto q) { out(q) = f[q]; });
  }

  template <class Point, class Out>
  KOKKOS_FUNCTION void operator()(const Point& point, const Out& out) const {
    T f[Set::count];
    pull(point, f);
    collideInto(f, out);
  }
};

/// The same of a cell at the lower side along x, where the velocity is given.
template <class Set, class T>
struct StepCellAtInflow {
  StepCell<Set, T> cell;
  FieldView<const T> velocity;

  template <class Point, class Out>
  KOKKOS_FUNCTION void operator()(std::int64_t place, const Point& point, const Out& out) const {
    T f[Set::count];
    cell.pull(point, f);
    GivenAtSide<Set::dimension, T> given{true, {}, T(0)};
    for (int d = 0; d < Set::dimension; ++d) {
      given.velocity[d] = velocity(place, d);
    }
    applySide<Set, 0, false>(f, given);
    cell.collideInto(f, out);
  }
};

template <class View, class T>
struct PutInflow {
  View set;
  FieldView<T> velocity;
  T along;

  template <class Cell>
  KOKKOS_FUNCTION void operator()(std::int64_t number, const Cell& /*cell*/) const {
    const std::int64_t place = set.subsetPlace(number);
    if (place >= 0) {
      velocity(place, 0) = along;
    }
  }
};

/// A flow on a set with groups, GroupedSet or BlockSet, whose subset are the cells where fluid flows in along x. It
/// starts at rest.
template <class Lattice, class T, class ExecutionSpace, class Set>
class LatticeOnGroups {
public:
  using Fields = field::FieldOn<T, ExecutionSpace>;

  LatticeOnGroups(const Context<ExecutionSpace>& context, const Set& set, double viscosity, double velocity)
    : context_(context), set_(set), from_("populations", set.numPlaces(), Lattice::count),
      to_("populations", set.numPlaces(), Lattice::count),
      velocity_("inflow", set.numSubsetPlaces(), Lattice::dimension) {
    field::Boundary<Lattice::dimension> boundary;
    boundary.policy = field::BoundaryPolicy::Value;
    field::buildStencilMap<typename Lattice::Pattern, ExecutionSpace>(context, set, boundary, map_);
    field::fill<ExecutionSpace, T>(context, from_, T(0));
    field::fill<ExecutionSpace, T>(context, to_, T(0));
    field::fill<ExecutionSpace, T>(context, velocity_, T(0));
    field::forEachCell(context.space(), "inflow", set,
      PutInflow<decltype(set.view()), T>{set.view(), velocity_.view(), static_cast<T>(velocity)},
      field::SubsetGroup::With);
    constants_.relaxationTime = static_cast<T>(3.0 * viscosity + 0.5);
    context.space().fence("LatticeOnGroups");
  }

  void step() {
    const StepCell<Lattice, T> step{constants_};
    const StepCellAtInflow<Lattice, T> atInflow{step, std::as_const(velocity_).view()};
    field::forGroups(set_, step, atInflow, [&](field::SubsetGroup group, const auto& body) {
      field::forEachStencil<Lattice::count, Lattice::count>(context_.space(), map_, from_, T(0), body, to_, group);
    });
    std::swap(from_, to_);
  }

  [[nodiscard]] const Fields& populations() const { return from_; }
  [[nodiscard]] std::size_t bytesOfInflow() const { return velocity_.bytes(); }
  [[nodiscard]] std::size_t bytesOfMap() const { return map_.bytes(); }

private:
  Context<ExecutionSpace> context_;
  Set set_;
  CollisionConstants<T> constants_;
  field::StencilMapOf<typename Lattice::Pattern, Set> map_;
  Fields from_;
  Fields to_;
  Fields velocity_;
};

} // namespace spanwise::lattice::testing
