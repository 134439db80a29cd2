#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace spanwise {

/// Memory whose bytes go to a rank.
struct OutgoingMessage {
  int rank;
  const void* data;
  std::size_t bytes;
};

/// Memory whose bytes come from a rank.
struct IncomingMessage {
  int rank;
  void* data;
  std::size_t bytes;
};

/// Messages on their way, again and again: holds what a communicator needs for them, so that a repeated exchange of as
/// many messages allocates nothing of ours. Lives no longer than its communicator.
class Exchange {
public:
  virtual ~Exchange() = default;

  /// Sends and receives begin. What one rank sends to another must be what that one receives from it: as many messages,
  /// of the same lengths, in the same order. Nobody sends to itself. Ranks that exchange with each other start and
  /// finish their exchanges in one order. The memory belongs to the exchange until finish().
  virtual void start(std::span<const OutgoingMessage> sends, std::span<const IncomingMessage> receives) = 0;
  /// Waits until everything has come, and what was sent may be written again.
  virtual void finish() = 0;
};

enum class ReduceBy { Sum, Minimum, Maximum };

/// The ranks that work on one distributed set, and how they talk: Core knows neither MPI nor VTK.
///
/// Functions marked collective must be called by all ranks in the same order. An exception that leaves between two of
/// them on one rank alone would leave the others waiting: what may throw belongs into agree().
class Communicator {
public:
  virtual ~Communicator() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  [[nodiscard]] bool alone() const { return size() == 1; }

  /// Whether messages may lie in a device's memory. Otherwise they are staged through the host's.
  [[nodiscard]] virtual bool takesDeviceMemory() const { return false; }

  /// Whether an exchange sends all messages for a rank as one.
  [[nodiscard]] virtual bool joinsMessages() const { return false; }

  [[nodiscard]] virtual std::unique_ptr<Exchange> makeExchange() const = 0;

  /// Collective. all = the bytes of all ranks, one rank's after the other's; lengths[r] of rank r. All know the
  /// lengths.
  virtual void gatherBytes(const void* mine, void* all, std::span<const std::int64_t> lengths) const = 0;

  /// Collective. Reduces element by element; all ranks have as many values, and get the same. Sums of floating-point
  /// numbers are made in the order of the ranks: they have the same bits in every run on as many ranks.
  virtual void reduce(ReduceBy operation, std::span<std::int64_t> values) const;
  virtual void reduce(ReduceBy operation, std::span<double> values) const;

  /// Collective. Reduces one number.
  template <class T>
  [[nodiscard]] T reduced(ReduceBy operation, T value) const {
    reduce(operation, std::span<T>(&value, 1));
    return value;
  }

  /// Collective. The values of all ranks, one rank's after the other's; `counts` receives how many each had.
  template <class T>
  [[nodiscard]] std::vector<T> gather(std::span<const T> mine, std::vector<std::int64_t>* counts = nullptr) const {
    static_assert(std::is_trivially_copyable_v<T>, "values are gathered as bytes");
    std::vector<std::int64_t> lengths = gatherLengths(static_cast<std::int64_t>(mine.size_bytes()));
    std::int64_t total = 0;
    for (const std::int64_t length : lengths) {
      total += length;
    }
    std::vector<T> all(static_cast<std::size_t>(total) / sizeof(T));
    gatherBytes(mine.data(), all.data(), lengths);
    if (counts != nullptr) {
      for (std::int64_t& length : lengths) {
        length /= static_cast<std::int64_t>(sizeof(T));
      }
      counts->swap(lengths);
    }
    return all;
  }
  template <class T>
  [[nodiscard]] std::vector<T> gather(const T& mine) const {
    return gather(std::span<const T>(&mine, 1));
  }

private:
  [[nodiscard]] std::vector<std::int64_t> gatherLengths(std::int64_t mine) const;
};

/// One process: its own only rank.
class SingleProcess final : public Communicator {
public:
  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int size() const override { return 1; }
  [[nodiscard]] std::unique_ptr<Exchange> makeExchange() const override;
  void gatherBytes(const void* mine, void* all, std::span<const std::int64_t> lengths) const override;
};

/// One process, for whoever works alone.
const Communicator& singleProcess();

} // namespace spanwise
