#include "Core/Parallel/Agree.hpp"

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Progress.hpp"

#include <algorithm>
#include <cstddef>
#include <new>
#include <span>
#include <string_view>
#include <utility>

namespace spanwise::parallel {

namespace {

constexpr std::string_view notEnoughMemory = "there is not enough memory";

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

std::int64_t outcomeOf(const std::exception_ptr& failure) {
  return !failure ? Done : isCancelled(failure) ? Stopped : Failed;
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

bool isOutOfMemory(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::bad_alloc&) {
    return true;
  } catch (const std::exception& error) {
    const std::string_view said = error.what(); // Kokkos has no type of its own for it, and other ranks send text
    return said.find("failed to allocate") != std::string_view::npos || said.ends_with(notEnoughMemory);
  } catch (...) {
    return false;
  }
}

std::string messageOf(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::bad_alloc&) {
    return std::string(notEnoughMemory);
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
  const std::int64_t mine = outcomeOf(failure);
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

Agreement::Agreement(const Communicator& communicator) : communicator_(&communicator) {
  const int size = communicator.size();
  for (int distance = 1; distance < size; distance *= 2) {
    rounds_.push_back({(communicator.rank() + distance) % size, (communicator.rank() + size - distance) % size,
      communicator.makeExchange(), Done, Done});
  }
}

void Agreement::startRound(Round& round, std::int64_t worst) {
  round.sent = worst;
  const OutgoingMessage send{round.to, &round.sent, sizeof(round.sent)};
  const IncomingMessage receive{round.from, &round.received, sizeof(round.received)};
  round.exchange->start({&send, 1}, {&receive, 1});
}

void Agreement::start(const std::exception_ptr& failure) {
  failure_ = failure;
  if (!rounds_.empty()) {
    startRound(rounds_.front(), outcomeOf(failure));
  }
}

void Agreement::finish() {
  const std::exception_ptr failure = std::exchange(failure_, nullptr);
  std::int64_t worst = outcomeOf(failure);
  for (Round& round : rounds_) {
    if (&round != &rounds_.front()) {
      startRound(round, worst);
    }
    round.exchange->finish();
    worst = std::max(worst, round.received);
  }
  if (worst != Done) {
    agreeOn(*communicator_, failure); // all ranks know that there is something to agree on
  }
}

} // namespace spanwise::parallel
