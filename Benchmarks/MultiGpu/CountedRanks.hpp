#pragma once

#include "Core/Parallel/QueuedExchange.hpp"
#include "Core/Runtime/Communicator.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace spanwise::benchmarks {

/// What a rank has sent, and how often it waited for all others.
struct Traffic {
  std::int64_t exchanges = 0; ///< of more than a word: ranks agree on failure by words
  std::int64_t messages = 0;  ///< to different ranks in each of them
  std::int64_t pieces = 0;    ///< of memory that messages are made of
  std::int64_t bytes = 0;     ///< of messages
  std::int64_t words = 0;     ///< sent by themselves
  std::int64_t collectives = 0;
  std::int64_t bytesGathered = 0; ///< from all ranks, in lists that are as long as there are ranks
};

/// Ranks whose messages are counted on their way, whoever sends them.
class CountedRanks final : public Communicator {
public:
  explicit CountedRanks(const Communicator& ranks) : ranks_(&ranks) {}

  [[nodiscard]] const Traffic& traffic() const { return traffic_; }

  [[nodiscard]] int rank() const override { return ranks_->rank(); }
  [[nodiscard]] int size() const override { return ranks_->size(); }
  [[nodiscard]] bool takesDeviceMemory() const override { return ranks_->takesDeviceMemory(); }
  [[nodiscard]] bool joinsMessages() const override { return ranks_->joinsMessages(); }
  /// A QueuedExchange where that of the ranks is one.
  [[nodiscard]] std::unique_ptr<Exchange> makeExchange() const override {
    std::unique_ptr<Exchange> exchange = ranks_->makeExchange();
    if (auto* const queued = dynamic_cast<parallel::QueuedExchange*>(exchange.get())) {
      return std::make_unique<CountedQueuedExchange>(std::move(exchange), *queued, traffic_);
    }
    return std::make_unique<CountedExchange>(std::move(exchange), traffic_);
  }
  void gatherBytes(const void* mine, void* all, std::span<const std::int64_t> lengths) const override {
    ++traffic_.collectives;
    for (const std::int64_t length : lengths) {
      traffic_.bytesGathered += length;
    }
    ranks_->gatherBytes(mine, all, lengths);
  }
  void reduce(ReduceBy operation, std::span<std::int64_t> values) const override {
    ++traffic_.collectives;
    ranks_->reduce(operation, values);
  }
  void reduce(ReduceBy operation, std::span<double> values) const override {
    ++traffic_.collectives;
    if (operation == ReduceBy::Sum) { // in the order of the ranks
      traffic_.bytesGathered += static_cast<std::int64_t>(values.size_bytes()) * size();
    }
    ranks_->reduce(operation, values);
  }

private:
  static void count(std::span<const OutgoingMessage> sends, Traffic& traffic) {
    if (sends.size() == 1 && sends[0].bytes <= sizeof(std::int64_t)) {
      ++traffic.words;
      return;
    }
    traffic.exchanges += sends.empty() ? 0 : 1;
    int last = -1;
    for (const OutgoingMessage& message : sends) { // by rank
      traffic.messages += message.rank != last ? 1 : 0;
      ++traffic.pieces;
      traffic.bytes += static_cast<std::int64_t>(message.bytes);
      last = message.rank;
    }
  }

  class CountedExchange final : public Exchange {
  public:
    CountedExchange(std::unique_ptr<Exchange> exchange, Traffic& traffic)
      : exchange_(std::move(exchange)), traffic_(&traffic) {}

    void start(std::span<const OutgoingMessage> sends, std::span<const IncomingMessage> receives) override {
      count(sends, *traffic_);
      exchange_->start(sends, receives);
    }
    void finish() override { exchange_->finish(); }

  private:
    std::unique_ptr<Exchange> exchange_;
    Traffic* traffic_;
  };

  class CountedQueuedExchange final : public parallel::QueuedExchange {
  public:
    CountedQueuedExchange(std::unique_ptr<Exchange> exchange, parallel::QueuedExchange& queued, Traffic& traffic)
      : exchange_(std::move(exchange)), queued_(&queued), traffic_(&traffic) {}

    void start(std::span<const OutgoingMessage> sends, std::span<const IncomingMessage> receives) override {
      count(sends, *traffic_);
      queued_->start(sends, receives);
    }
    void finish() override { queued_->finish(); }
    void startAfter(
      void* queue, std::span<const OutgoingMessage> sends, std::span<const IncomingMessage> receives) override {
      count(sends, *traffic_);
      queued_->startAfter(queue, sends, receives);
    }
    void finishBefore(void* queue) override { queued_->finishBefore(queue); }

  private:
    std::unique_ptr<Exchange> exchange_;
    parallel::QueuedExchange* queued_; ///< the same
    Traffic* traffic_;
  };

  const Communicator* ranks_;
  mutable Traffic traffic_; // of a communicator that all share as const
};

} // namespace spanwise::benchmarks
