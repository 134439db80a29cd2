#pragma once

#include "Core/Geometry/BoxCells.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/RowMarks.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::geometry {

namespace detail {

/// Tests the cells of a box by their coordinates.
template <int Dim, class Predicate>
struct PredicateRows {
  Box<Dim> box;
  Predicate inside;

  struct Row {
    const Predicate& inside;
    RowKey<Dim> key;
    std::int64_t begin;

    KOKKOS_FUNCTION bool operator()(std::int64_t i) const {
      return inside(cellOf(key, static_cast<Coordinate>(begin + i)));
    }
  };

  [[nodiscard]] KOKKOS_FUNCTION Row row(std::int64_t r) const { return {inside, box.row(r), box.begin[0]}; }
};

} // namespace detail

/// out = the cells of `box` for which `inside(cell)` is true. `Predicate` is a functor that a kernel of
/// `ExecutionSpace` can call: bool operator()(const Cell<Dim>&) const. It is called once for each cell, and once more
/// in rows that have a cell of the set, so it must be pure. An implicit function f is the predicate f(centre of the
/// cell) < 0. Throws InvalidArgument if the box has more than 2^63 - 1 cells. O(cells).
template <class ExecutionSpace, int Dim, class Predicate>
void makeFromPredicate(const Context<ExecutionSpace>& context, const Box<Dim>& box, const Predicate& inside,
  IntervalSetOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Geometry::makeFromPredicate");
  detail::makeFromMarks(context, box, detail::PredicateRows<Dim, Predicate>{box, inside}, out);
}

} // namespace spanwise::geometry
