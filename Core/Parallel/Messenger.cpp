#include "Core/Parallel/Messenger.hpp"

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/OrderAfter.hpp"

#include <algorithm>
#include <cstring>
#include <string>

namespace spanwise::parallel {

namespace {

template <class To, class From, class ExecutionSpace>
void copyBytes(const ExecutionSpace& space, const char* from, char* to, std::size_t bytes) {
  if constexpr (runsOnHost<ExecutionSpace>) {
    std::memcpy(to, from, bytes); // the kernels that write `from` are done; Kokkos's copy would allocate labels
  } else {
    using Bytes = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
    Kokkos::deep_copy(
      space, Kokkos::View<char*, To, Bytes>(to, bytes), Kokkos::View<const char*, From, Bytes>(from, bytes));
  }
}

} // namespace

template <class ExecutionSpace>
Messenger<ExecutionSpace>::Messenger(const Communicator& communicator)
  : communicator_(&communicator), exchange_(communicator.makeExchange()),
    stagesAll_((!runsOnHost<ExecutionSpace> || detail::hostAsDevice()) && !communicator.takesDeviceMemory()) {}

template <class ExecutionSpace>
void Messenger<ExecutionSpace>::copyOwn(const ExecutionSpace& space) {
  using Memory = typename ExecutionSpace::memory_space;
  const int self = communicator_->rank();
  auto in = incoming_.begin();
  for (const Piece& out : outgoing_) {
    if (out.rank == self) {
      in = std::find_if(in, incoming_.end(), [&](const Piece& piece) { return piece.rank == self; });
      if (in == incoming_.end() || in->bytes != out.bytes) {
        throw InvalidArgument("rank " + std::to_string(self) + " sends " + std::to_string(out.bytes) +
          " bytes to itself that it does not receive");
      }
      copyBytes<Memory, Memory>(space, out.data, in->data, out.bytes);
      report_.bytesStaged += static_cast<std::int64_t>(out.bytes);
      ++in;
    }
  }
  const auto isOwn = [&](const Piece& piece) { return piece.rank == self; };
  outgoing_.erase(std::remove_if(outgoing_.begin(), outgoing_.end(), isOwn), outgoing_.end());
  incoming_.erase(std::remove_if(incoming_.begin(), incoming_.end(), isOwn), incoming_.end());
}

// Both sides of a message decide alike, as they know the same lengths.
template <class ExecutionSpace>
template <class AddMessage>
void Messenger<ExecutionSpace>::pack(std::vector<Piece>& pieces, Staging& staging, const AddMessage& addMessage) {
  std::sort(pieces.begin(), pieces.end(),
    [](const Piece& a, const Piece& b) { return a.rank < b.rank || (a.rank == b.rank && a.order < b.order); });
  const auto forRanks = [&](const auto& work) { // work(pieces of a rank, their number, their bytes)
    std::size_t end = 0;
    for (std::size_t first = 0; first < pieces.size(); first = end) {
      std::size_t bytes = 0;
      for (end = first; end < pieces.size() && pieces[end].rank == pieces[first].rank; ++end) {
        bytes += pieces[end].bytes;
      }
      work(pieces.data() + first, end - first, bytes);
    }
  };
  const auto isPacked = [&](std::size_t count, std::size_t bytes) {
    // From a device it would be copies to the host, and to wait for them.
    return stagesAll_ || (runsOnHost<ExecutionSpace> && count > 1 && bytes <= packedBytes);
  };
  std::size_t packed = 0;
  forRanks(
    [&](const Piece* /*of*/, std::size_t count, std::size_t bytes) { packed += isPacked(count, bytes) ? bytes : 0; });
  if (staging.extent(0) < packed) {
    staging = Staging();
    staging = Staging(Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Parallel::Messenger")), packed);
  }
  char* next = staging.data();
  forRanks([&](Piece* of, std::size_t count, std::size_t bytes) {
    if (!isPacked(count, bytes)) {
      for (std::size_t k = 0; k < count; ++k) {
        addMessage(of[k].rank, of[k].data, of[k].bytes);
      }
      return;
    }
    addMessage(of->rank, next, bytes);
    for (std::size_t k = 0; k < count; ++k) {
      of[k].packed = next;
      next += of[k].bytes;
      report_.bytesStaged += static_cast<std::int64_t>(of[k].bytes);
    }
  });
}

// What is sent is in the order of the ranks.
template <class ExecutionSpace>
void Messenger<ExecutionSpace>::countMessages() {
  int last = -1;
  for (const OutgoingMessage& message : sends_) {
    report_.messages += static_cast<std::int64_t>(message.rank != last || !communicator_->joinsMessages());
    report_.bytes += static_cast<std::int64_t>(message.bytes);
    last = message.rank;
  }
}

/// The exchange, where queues wait for it.
template <class ExecutionSpace>
QueuedExchange* Messenger<ExecutionSpace>::queuedExchange(const ExecutionSpace& space) const {
  return queueOf(space) == nullptr ? nullptr : dynamic_cast<QueuedExchange*>(exchange_.get());
}

template <class ExecutionSpace>
void Messenger<ExecutionSpace>::start(const ExecutionSpace& space) {
  using Memory = typename ExecutionSpace::memory_space;
  auto* const queued = queuedExchange(space);
  if (queued == nullptr) {
    space.fence(SPANWISE_LABEL("Parallel::Messenger")); // for what is sent, and what still reads the staging memory
  }
  copyOwn(space);
  report_.pieces += static_cast<std::int64_t>(outgoing_.size());
  sends_.clear();
  receives_.clear();
  pack(outgoing_, stagedOut_, [&](int rank, char* data, std::size_t bytes) { sends_.push_back({rank, data, bytes}); });
  countMessages();
  pack(
    incoming_, stagedIn_, [&](int rank, char* data, std::size_t bytes) { receives_.push_back({rank, data, bytes}); });
  bool copied = false;
  for (const Piece& piece : outgoing_) {
    if (piece.packed != nullptr) {
      copyBytes<Kokkos::SharedHostPinnedSpace, Memory>(space, piece.data, piece.packed, piece.bytes);
      copied = true;
    }
  }
  if (copied) {
    space.fence(SPANWISE_LABEL("Parallel::Messenger"));
  }
  if (queued != nullptr) { // nothing is packed
    queued->startAfter(queueOf(space), sends_, receives_);
  } else {
    exchange_->start(sends_, receives_);
  }
  ++report_.exchanges;
}

template <class ExecutionSpace>
void Messenger<ExecutionSpace>::finish(const ExecutionSpace& space) {
  using Memory = typename ExecutionSpace::memory_space;
  if (auto* const queued = queuedExchange(space)) {
    queued->finishBefore(queueOf(space));
  } else {
    exchange_->finish();
  }
  for (const Piece& piece : incoming_) {
    if (piece.packed != nullptr) {
      copyBytes<Memory, Kokkos::SharedHostPinnedSpace>(space, piece.packed, piece.data, piece.bytes);
    }
  }
  outgoing_.clear();
  incoming_.clear();
}

#define SPANWISE_MESSENGER(Space) template class Messenger<Space>;
SPANWISE_FOR_EACH_SPACE(SPANWISE_MESSENGER)

} // namespace spanwise::parallel
