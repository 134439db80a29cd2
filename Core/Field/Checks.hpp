#pragma once

#include "Core/Field/Field.hpp"
#include "Core/Field/Region.hpp"
#include "Core/Runtime/CountText.hpp"
#include "Core/Runtime/Error.hpp"

#include <string>

namespace spanwise::field {

template <class T, class MemorySpace>
std::string quoted(const Field<T, MemorySpace>& field) {
  return "field '" + field.name() + "'";
}

/// Throws InvalidArgument unless the field has as many cells as its set, or as `what` has.
template <class T, class MemorySpace>
void checkCells(const Field<T, MemorySpace>& field, std::int64_t numCells, const char* what) {
  if (field.numCells() != numCells) {
    throw InvalidArgument(quoted(field) + " has " + std::to_string(field.numCells()) + " cells, " + what + " " +
      std::to_string(numCells) + ": the numbers must be equal");
  }
}

/// Throws InvalidArgument unless the field is one of the set of which `within` has cells.
template <class T, class MemorySpace>
void checkWithin(const Field<T, MemorySpace>& field, const Within<MemorySpace>& within) {
  if (within.cells() != nullptr) {
    checkCells(field, within.cells()->numCellsOfA(), "the set that the region is seen in");
  }
}

/// Throws InvalidArgument unless the field has so many components.
template <class T, class MemorySpace>
void checkComponents(const Field<T, MemorySpace>& field, int numComponents) {
  if (field.numComponents() != numComponents) {
    throw InvalidArgument(quoted(field) + " has " + countText(field.numComponents(), "component") + "; it must have " +
      std::to_string(numComponents));
  }
}

/// Throws InvalidArgument unless both fields have the same numbers of cells and components.
template <class A, class B, class MemorySpace>
void checkSameShape(const Field<A, MemorySpace>& a, const Field<B, MemorySpace>& b) {
  if (a.numCells() != b.numCells()) {
    checkCells(b, a.numCells(), quoted(a).c_str());
  }
  if (a.numComponents() != b.numComponents()) {
    throw InvalidArgument(quoted(b) + " has " + countText(b.numComponents(), "component") + ", " + quoted(a) + " " +
      std::to_string(a.numComponents()) + ": the numbers must be equal");
  }
}

/// Throws InvalidArgument if two fields of a stencil share values: neighbours are read after cells were written.
template <class A, class B, class MemorySpace>
void checkApart(const Field<A, MemorySpace>& in, const Field<B, MemorySpace>& out) {
  const auto from = in.view();
  const auto to = out.view();
  for (int c = 0; c < in.numComponents() && in.numCells() > 0; ++c) {
    for (int d = 0; d < out.numComponents(); ++d) {
      if (static_cast<const void*>(from.values + c * from.componentStride) == to.values + d * to.componentStride) {
        throw InvalidArgument(
          quoted(in) + " and the stencil's output share values: a stencil must not be applied in place");
      }
    }
  }
}

/// Throws InvalidArgument unless the field has a component of this number.
template <class T, class MemorySpace>
void checkComponent(const Field<T, MemorySpace>& field, int component) {
  if (component < 0 || component >= field.numComponents()) {
    throw InvalidArgument(quoted(field) + " has no component " + std::to_string(component) + ": they are 0 ... " +
      std::to_string(field.numComponents() - 1));
  }
}

/// Throws InvalidArgument unless the values of each component lie side by side.
template <class T, class MemorySpace>
void checkColumns(const Field<T, MemorySpace>& field) {
  if (!field.view().isInColumns()) {
    throw InvalidArgument(quoted(field) + " is in tuples or groups: its values must lie in columns (FieldLayout)");
  }
}

/// Where an existing component of a field in columns begins. Throws InvalidArgument for another layout.
template <class AnyField>
auto* columnOf(AnyField& field, int component) {
  checkColumns(field);
  return field.view().address(0, component);
}

} // namespace spanwise::field
