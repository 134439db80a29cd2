#pragma once

#include "Core/Field/Field.hpp"
#include "Core/Field/Region.hpp"
#include "Core/Runtime/Context.hpp"

#include <type_traits>

namespace spanwise::field {

// Arithmetic cell by cell, on all components, of all cells or those within a region.
//
// Integers are added and multiplied modulo 2^n, as many bits as they have. All fields of a call have the same numbers
// of cells and components, and those of the set that a region is seen in: otherwise InvalidArgument. Their layouts may
// differ. Fields may share
// values where equal cells share them. O(values); does not wait for them, and allocates nothing.

/// x = value.
template <class ExecutionSpace, class T>
void fill(const Context<ExecutionSpace>& context, FieldOn<T, ExecutionSpace>& x, std::type_identity_t<T> value,
  const Within<typename ExecutionSpace::memory_space>& within = {});

/// x = factor x.
template <class ExecutionSpace, class T>
void scale(const Context<ExecutionSpace>& context, std::type_identity_t<T> factor, FieldOn<T, ExecutionSpace>& x,
  const Within<typename ExecutionSpace::memory_space>& within = {});

/// y = x.
template <class ExecutionSpace, class T>
void copyValues(const Context<ExecutionSpace>& context, const FieldOn<T, ExecutionSpace>& x,
  FieldOn<T, ExecutionSpace>& y, const Within<typename ExecutionSpace::memory_space>& within = {});

/// y = factor x + y.
template <class ExecutionSpace, class T>
void axpy(const Context<ExecutionSpace>& context, std::type_identity_t<T> factor, const FieldOn<T, ExecutionSpace>& x,
  FieldOn<T, ExecutionSpace>& y, const Within<typename ExecutionSpace::memory_space>& within = {});

/// out = x + y.
template <class ExecutionSpace, class T>
void add(const Context<ExecutionSpace>& context, const FieldOn<T, ExecutionSpace>& x,
  const FieldOn<T, ExecutionSpace>& y, FieldOn<T, ExecutionSpace>& out,
  const Within<typename ExecutionSpace::memory_space>& within = {});

/// out = x y, component by component.
template <class ExecutionSpace, class T>
void multiply(const Context<ExecutionSpace>& context, const FieldOn<T, ExecutionSpace>& x,
  const FieldOn<T, ExecutionSpace>& y, FieldOn<T, ExecutionSpace>& out,
  const Within<typename ExecutionSpace::memory_space>& within = {});

} // namespace spanwise::field
