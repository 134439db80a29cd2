#pragma once

#include "Core/Runtime/Communicator.hpp"
#include "Core/Runtime/Progress.hpp"
#include "Core/Runtime/Workspace.hpp"

#include <memory>
#include <utility>

namespace spanwise {

/// What an operation runs on and with: an execution space, scratch memory, the ranks that work together, and how it
/// tells how far it is and learns that it should stop. It goes first into every operation:
///
///   const Context context(Kokkos::DefaultExecutionSpace{});
///   morph(context, MorphologyOperation::Dilate, set, element, out);
///
/// Keep one for what is repeated: its scratch memory grows to what operations need, and is used again. Copies share it,
/// so they serve one instance of the execution space, and one thread, at a time.
///
/// Lives no longer than the communicator.
template <class ExecutionSpace>
class Context {
public:
  using execution_space = ExecutionSpace;
  using memory_space = typename ExecutionSpace::memory_space;

  /// One process that reports to nobody.
  Context() : Context(ExecutionSpace()) {}
  explicit Context(const ExecutionSpace& space) : Context(space, singleProcess()) {}
  Context(const ExecutionSpace& space, const Communicator& communicator, Progress progress = {})
    : space_(space), workspace_(std::make_shared<Workspace<memory_space>>()), communicator_(&communicator),
      progress_(std::move(progress)) {}
  /// With scratch memory that somebody else keeps, and that lives longer.
  Context(const ExecutionSpace& space, Workspace<memory_space>& workspace)
    : space_(space), workspace_(std::shared_ptr<void>(), &workspace), communicator_(&singleProcess()) {}

  [[nodiscard]] const ExecutionSpace& space() const { return space_; }
  [[nodiscard]] Workspace<memory_space>& workspace() const { return *workspace_; }
  [[nodiscard]] const Communicator& communicator() const { return *communicator_; }
  [[nodiscard]] const Progress& progress() const { return progress_; }

  /// The same on another instance of the execution space. The scratch memory is for one of them at a time.
  [[nodiscard]] Context on(const ExecutionSpace& space) const {
    Context result = *this;
    result.space_ = space;
    return result;
  }
  /// The same with other ranks. What this process does alone, among others, is done with(singleProcess()).
  [[nodiscard]] Context with(const Communicator& communicator) const {
    Context result = *this;
    result.communicator_ = &communicator;
    return result;
  }
  /// The same that reports elsewhere.
  [[nodiscard]] Context with(Progress progress) const {
    Context result = *this;
    result.progress_ = std::move(progress);
    return result;
  }
  /// The same for a step of a longer job: its progress is [begin, end] of this one's.
  [[nodiscard]] Context part(double begin, double end) const { return with(progress_.part(begin, end)); }

private:
  ExecutionSpace space_;
  std::shared_ptr<Workspace<memory_space>> workspace_;
  const Communicator* communicator_;
  Progress progress_;
};

} // namespace spanwise
