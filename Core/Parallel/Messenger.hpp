#pragma once

#include "Core/Parallel/QueuedExchange.hpp"
#include "Core/Runtime/Communicator.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace spanwise::parallel {

namespace detail {

/// Tests set it: what is made from then on treats the host's memory as if it were a device's.
inline bool& hostAsDevice() {
  static bool is = false;
  return is;
}

} // namespace detail

/// What one rank has sent to others.
struct MessageReport {
  std::int64_t exchanges = 0;   ///< how often start() was called
  std::int64_t messages = 0;    ///< sent to other ranks
  std::int64_t pieces = 0;      ///< pieces of memory that they were made of: the messages without joining and packing
  std::int64_t bytes = 0;       ///< in them
  std::int64_t bytesStaged = 0; ///< copied within this rank on their way out and in

  MessageReport& operator+=(const MessageReport& other) {
    exchanges += other.exchanges;
    messages += other.messages;
    pieces += other.pieces;
    bytes += other.bytes;
    bytesStaged += other.bytesStaged;
    return *this;
  }
  /// What was sent since `before`.
  friend MessageReport operator-(const MessageReport& after, const MessageReport& before) {
    return {.exchanges = after.exchanges - before.exchanges,
      .messages = after.messages - before.messages,
      .pieces = after.pieces - before.pieces,
      .bytes = after.bytes - before.bytes,
      .bytesStaged = after.bytesStaged - before.bytesStaged};
  }
};

/// Sends pieces of an execution space's memory to where they belong on other ranks. A piece is sent from where it lies
/// and received where it belongs; pieces are packed only if they are small (packedBytes) and of the host, or lie in a
/// device's memory that the communicator does not take: then they go through the host's. Packed or not, all pieces for
/// a rank are one message if the communicator joins them (joinsMessages()).
///
/// Keeps its buffers, so a repeated exchange of the same size allocates nothing. Lives no longer than the communicator.
template <class ExecutionSpace>
class Messenger {
public:
  /// On the host, pieces for a rank that have no more bytes in all are packed into one message.
  static constexpr std::size_t packedBytes = 32768;

  explicit Messenger(const Communicator& communicator);

  [[nodiscard]] const Communicator& communicator() const { return *communicator_; }
  [[nodiscard]] const MessageReport& report() const { return report_; }

  /// Counts bytes that were copied within this rank before they are sent, or after they have come.
  void countStaged(std::int64_t bytes) { report_.bytesStaged += bytes; }

  /// Adds a piece of the next exchange. Pieces for a rank must be what that rank receives from this one: as many, of
  /// the same lengths, in the same order. What a rank sends to itself is copied. Pieces without elements count for
  /// nothing.
  template <class T>
  void send(int rank, const T* data, std::int64_t count) {
    if (count > 0) { // what is sent is only read
      add(outgoing_, rank, const_cast<T*>(data), static_cast<std::size_t>(count) * sizeof(T)); // NOLINT
    }
  }
  template <class T>
  void receive(int rank, T* data, std::int64_t count) {
    if (count > 0) {
      add(incoming_, rank, data, static_cast<std::size_t>(count) * sizeof(T));
    }
  }

  /// Sends and receives what was added, after the kernels of `space` that were launched before, which may still write
  /// what is sent: waits for them unless the exchange does (QueuedExchange). All pieces belong to the messenger until
  /// finish(), which every rank calls.
  void start(const ExecutionSpace& space);
  /// Kernels of `space` that are launched from now on see what has come, and may write what was sent. Waits for that
  /// unless the exchange is a QueuedExchange.
  void finish(const ExecutionSpace& space);

private:
  using Staging = Kokkos::View<char*, Kokkos::SharedHostPinnedSpace>;

  struct Piece {
    int rank;
    std::size_t order;
    char* data;
    std::size_t bytes;
    char* packed; // where it lies in the staging memory; null if it is sent as it is
  };

  static void add(std::vector<Piece>& pieces, int rank, void* data, std::size_t bytes) {
    pieces.push_back({rank, pieces.size(), static_cast<char*>(data), bytes, nullptr});
  }
  [[nodiscard]] QueuedExchange* queuedExchange(const ExecutionSpace& space) const;
  void copyOwn(const ExecutionSpace& space);
  void countMessages();
  template <class AddMessage>
  void pack(std::vector<Piece>& pieces, Staging& staging, const AddMessage& addMessage);

  const Communicator* communicator_;
  std::unique_ptr<Exchange> exchange_;
  bool stagesAll_;
  std::vector<Piece> outgoing_;
  std::vector<Piece> incoming_;
  std::vector<OutgoingMessage> sends_;
  std::vector<IncomingMessage> receives_;
  Staging stagedOut_;
  Staging stagedIn_;
  MessageReport report_;
};

} // namespace spanwise::parallel
