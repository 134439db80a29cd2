#include "Core/Parallel/Agree.hpp"

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Progress.hpp"

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <vector>

namespace spanwise {

namespace {

enum Outcome : std::int64_t { Done, Stopped, Failed };

/// The kinds of errors that are told apart on all ranks.
enum Kind : char { Other, Invalid, Overflow };

Kind kindOf(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const InvalidArgument&) {
    return Invalid;
  } catch (const CoordinateOverflow&) {
    return Overflow;
  } catch (...) {
    return Other;
  }
}

[[noreturn]] void throwAs(char kind, const std::string& message) {
  if (kind == Invalid) {
    throw InvalidArgument(message);
  }
  if (kind == Overflow) {
    throw CoordinateOverflow(message);
  }
  throw Error(message);
}

} // namespace

bool isCancelled(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Cancelled&) {
    return true;
  } catch (...) {
    return false;
  }
}

std::string messageOf(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::bad_alloc&) {
    return "there is not enough memory";
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an unknown exception";
  }
}

void agreeOn(const Communicator& communicator, const std::exception_ptr& failure) {
  if (communicator.alone()) {
    if (failure) {
      std::rethrow_exception(failure);
    }
    return;
  }
  const std::int64_t mine = !failure ? Done : isCancelled(failure) ? Stopped : Failed;
  const std::int64_t worst = communicator.reduced(ReduceBy::Maximum, mine);
  if (worst == Stopped) {
    throw Cancelled();
  }
  if (worst == Failed) {
    const std::vector<std::int64_t> outcomes = communicator.gather(mine);
    std::int64_t failed = 0;
    int first = communicator.size();
    for (int r = communicator.size() - 1; r >= 0; --r) {
      if (outcomes[static_cast<std::size_t>(r)] == Failed) {
        first = r;
        ++failed;
      }
    }
    const std::string message =
      communicator.rank() == first ? std::string(1, kindOf(failure)) + messageOf(failure) : std::string();
    const std::vector<char> letters = communicator.gather(std::span<const char>(message));
    const std::string said(letters.begin() + 1, letters.end());
    throwAs(letters.front(), failed == communicator.size() ? said : "on rank " + std::to_string(first) + ": " + said);
  }
}

} // namespace spanwise
