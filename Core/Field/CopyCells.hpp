#pragma once

#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/Checks.hpp"
#include "Core/Field/Field.hpp"
#include "Core/Field/ForEachBlockCell.hpp"
#include "Core/Field/GroupedSet.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::field {

namespace detail {

template <class View, class T>
struct CopyCell {
  View set;
  FieldView<const T> in;
  FieldView<T> out;

  template <class Cell>
  KOKKOS_FUNCTION void operator()(std::int64_t number, const Cell& cell) const {
    const std::int64_t from = set.findCell(cell);
    for (int c = 0; from >= 0 && c < in.numComponents; ++c) {
      out(number, c) = in(from, c);
    }
  }
};

} // namespace detail

/// out = the values of `in`, a field on `from`, at the cells of `to`; 0 where `from` has no cell, and at places of
/// blocks that have none. Both sets are a GroupedSet or a BlockSet: so values go from intervals to blocks and back.
/// Throws InvalidArgument if `in` does not have the values of `from`. `out` is in columns, and its memory is used
/// again. O(cells log rows).
template <class ExecutionSpace, class From, class To, class T>
void copyCells(const Context<ExecutionSpace>& context, const From& from, const FieldOn<T, ExecutionSpace>& in,
  const To& to, FieldOn<T, ExecutionSpace>& out) {
  checkCells(in, from.numPlaces(), "its set");
  out.resize(to.numPlaces(), in.numComponents());
  fill(context, out, T{});
  forEachCell(context.space(), SPANWISE_KERNEL("copy cells"), to,
    detail::CopyCell<decltype(from.view()), T>{from.view(), in.view(), out.view()});
}

} // namespace spanwise::field
