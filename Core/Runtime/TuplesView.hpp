#pragma once

#include "Core/Runtime/FieldView.hpp"

#include <cstdint>

namespace spanwise {

/// A view of values that lie in tuples: [numCells][numComponents].
template <class T>
FieldView<T> tuplesView(T* values, std::int64_t numCells, int numComponents) {
  FieldView<T> view;
  view.values = values;
  view.componentStride = 1;
  view.cellStride = numComponents;
  view.numCells = numCells;
  view.numComponents = numComponents;
  return view;
}

} // namespace spanwise
