#pragma once

// Of use to programs that link MPI; Core itself does not.

#include "Core/Parallel/Communicator.hpp"

#include <mpi.h>

#include <algorithm>
#include <vector>

namespace spanwise {

/// Where MPI may read and write the messages of a device.
enum class MpiDevice {
  Staged, ///< in the host's memory alone: works with every MPI
  Direct, ///< in the device's memory too, if the MPI library was built for it: nobody checks that here
};

/// The ranks of an MPI communicator. The constructor is collective, and the object must go before MPI_Finalize().
/// MPI's own errors end the program, as MPI does unless told otherwise.
class MpiCommunicator final : public Communicator {
public:
  explicit MpiCommunicator(MPI_Comm ranks, MpiDevice device = MpiDevice::Staged) : device_(device) {
    MPI_Comm_dup(ranks, &ranks_); // messages of our own
    MPI_Comm_rank(ranks_, &rank_);
    MPI_Comm_size(ranks_, &size_);
  }
  ~MpiCommunicator() override { MPI_Comm_free(&ranks_); }
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] bool takesDeviceMemory() const override { return device_ == MpiDevice::Direct; }
  [[nodiscard]] std::unique_ptr<Exchange> makeExchange() const override { return std::make_unique<Requests>(ranks_); }

  void gatherBytes(const void* mine, void* all, std::span<const std::int64_t> lengths) const override {
    // From every rank in turn, in pieces that MPI's int counts: the sum of all may be larger.
    auto* to = static_cast<char*>(all);
    const bool equal = std::all_of(lengths.begin(), lengths.end(), [&](auto length) { return length == lengths[0]; });
    if (equal && lengths[0] <= mostBytes) {
      const int length = static_cast<int>(lengths[0]);
      MPI_Allgather(mine, length, MPI_BYTE, all, length, MPI_BYTE, ranks_);
      return;
    }
    for (int r = 0; r < size_; ++r) {
      const std::int64_t length = lengths[static_cast<std::size_t>(r)];
      if (r == rank_) {
        std::copy_n(static_cast<const char*>(mine), length, to);
      }
      for (std::int64_t done = 0; done < length; done += mostBytes) {
        MPI_Bcast(to + done, static_cast<int>(std::min(length - done, mostBytes)), MPI_BYTE, r, ranks_);
      }
      to += length;
    }
  }

  void reduce(ReduceBy operation, std::span<std::int64_t> values) const override {
    reduceByMpi(operation, values, MPI_INT64_T);
  }
  void reduce(ReduceBy operation, std::span<double> values) const override {
    if (operation == ReduceBy::Sum) {
      Communicator::reduce(operation, values); // MPI promises no order
    } else {
      reduceByMpi(operation, values, MPI_DOUBLE);
    }
  }

private:
  static constexpr std::int64_t mostBytes = 1 << 30; // of one message: MPI counts in int

  class Requests final : public Exchange {
  public:
    explicit Requests(MPI_Comm ranks) : ranks_(ranks) {}

    void start(std::span<const OutgoingMessage> sends, std::span<const IncomingMessage> receives) override {
      requests_.clear();
      for (const IncomingMessage& message : receives) {
        inPieces(message.bytes, [&](std::size_t first, int count) {
          MPI_Irecv(
            static_cast<char*>(message.data) + first, count, MPI_BYTE, message.rank, tag, ranks_, &newRequest());
        });
      }
      for (const OutgoingMessage& message : sends) {
        inPieces(message.bytes, [&](std::size_t first, int count) {
          MPI_Isend(
            static_cast<const char*>(message.data) + first, count, MPI_BYTE, message.rank, tag, ranks_, &newRequest());
        });
      }
    }
    void finish() override {
      MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
      requests_.clear();
    }

  private:
    static constexpr int tag = 0;

    template <class Send>
    static void inPieces(std::size_t bytes, const Send& send) {
      for (std::size_t first = 0; first < bytes; first += mostBytes) {
        send(first, static_cast<int>(std::min<std::size_t>(bytes - first, mostBytes)));
      }
    }
    MPI_Request& newRequest() { return requests_.emplace_back(MPI_REQUEST_NULL); }

    MPI_Comm ranks_;
    std::vector<MPI_Request> requests_;
  };

  template <class T>
  void reduceByMpi(ReduceBy operation, std::span<T> values, MPI_Datatype type) const {
    const MPI_Op op = operation == ReduceBy::Sum ? MPI_SUM : operation == ReduceBy::Minimum ? MPI_MIN : MPI_MAX;
    constexpr std::size_t most = mostBytes / sizeof(T);
    for (std::size_t first = 0; first < values.size(); first += most) {
      const auto count = static_cast<int>(std::min(values.size() - first, most));
      MPI_Allreduce(MPI_IN_PLACE, values.data() + first, count, type, op, ranks_);
    }
  }

  MPI_Comm ranks_ = MPI_COMM_NULL;
  MpiDevice device_;
  int rank_ = 0;
  int size_ = 1;
};

} // namespace spanwise
