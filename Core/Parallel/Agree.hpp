#pragma once

#include "Core/Parallel/Communicator.hpp"

#include <exception>
#include <string>

namespace spanwise {

/// Whether an exception only says that the caller asked to stop.
bool isCancelled(const std::exception_ptr& failure);

/// What an exception says, for people.
std::string messageOf(const std::exception_ptr& failure);

/// Collective. Throws if any rank has a failure, on all ranks: Cancelled if that was all that happened, otherwise an
/// InvalidArgument, a CoordinateOverflow or another Error, as the first rank that failed has, with its message. With
/// one rank, its own exception.
void agreeOn(const Communicator& communicator, const std::exception_ptr& failure);

/// Collective. Runs `work` on every rank. If it throws on any of them, all throw (agreeOn()).
template <class Work>
void agree(const Communicator& communicator, const Work& work) {
  std::exception_ptr failure;
  try {
    work();
  } catch (...) {
    failure = std::current_exception();
  }
  agreeOn(communicator, failure);
}

} // namespace spanwise
