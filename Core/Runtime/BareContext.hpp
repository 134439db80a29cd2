#pragma once

#include "Core/Runtime/Context.hpp"

namespace spanwise {

/// A context for operations that need no scratch memory, in functions that have an execution space alone: it allocates
/// nothing.
template <class ExecutionSpace>
class BareContext {
public:
  explicit BareContext(const ExecutionSpace& space) : context_(space, none_) {}

  operator const Context<ExecutionSpace>&() const { return context_; } // NOLINT(google-explicit-constructor)

private:
  Workspace<typename ExecutionSpace::memory_space> none_;
  Context<ExecutionSpace> context_;
};

} // namespace spanwise
