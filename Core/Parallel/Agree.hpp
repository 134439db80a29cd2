#pragma once

#include "Core/Runtime/Communicator.hpp"

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace spanwise::parallel {

/// Whether an exception only says that the caller asked to stop.
bool isCancelled(const std::exception_ptr& failure);

/// Whether memory could not be had, on the host or on a device, here or (after agree()) on another rank.
bool isOutOfMemory(const std::exception_ptr& failure);

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

/// The same in two steps, for what is repeated: between them ranks go on with other things, and where nothing has
/// failed there is no reduction. Rank r tells rank r + 2^k what it knows, in ceil(log2(ranks)) rounds with a message of
/// 8 bytes each (dissemination: D. Hensgen, R. Finkel, U. Manber, Int. J. Parallel Program. 17, 1988); the first is on
/// its way from start() on. Nothing is allocated after the first time. Lives no longer than the communicator.
class Agreement {
public:
  explicit Agreement(const Communicator& communicator);

  /// Collective. Says whether this rank has failed. Does not wait. As with an Exchange, ranks start and finish in one
  /// order.
  void start(const std::exception_ptr& failure = nullptr);
  /// Collective. Throws as agreeOn().
  void finish();

private:
  struct Round {
    int to;
    int from;
    std::unique_ptr<Exchange> exchange;
    std::int64_t sent;
    std::int64_t received;
  };

  static void startRound(Round& round, std::int64_t worst);

  const Communicator* communicator_;
  std::vector<Round> rounds_;
  std::exception_ptr failure_;
};

} // namespace spanwise::parallel
