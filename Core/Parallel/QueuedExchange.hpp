#pragma once

#include "Core/Runtime/Communicator.hpp"

#include <span>

namespace spanwise::parallel {

/// Messages of a device's memory that its queues wait for, so that the host need not: what a communicator makes that
/// gives messages to the device. A queue is what the device's own interface takes for one, such as a cudaStream_t.
class QueuedExchange : public Exchange {
public:
  /// As start(), once all is done that has been launched on the queue. All messages lie in the device's memory.
  virtual void startAfter(
    void* queue, std::span<const OutgoingMessage> sends, std::span<const IncomingMessage> receives) = 0;
  /// As finish(), for what is launched on the queue from now on.
  virtual void finishBefore(void* queue) = 0;
};

} // namespace spanwise::parallel
