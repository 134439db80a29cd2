#pragma once

// Of use to programs that link MPI; Core itself does not.

#include "Core/Runtime/Communicator.hpp"

#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace spanwise::parallel {

/// Where MPI may read and write the messages of a device.
enum class MpiDevice {
  Staged, ///< in the host's memory alone: works with every MPI
  Direct, ///< in the device's memory too, if the MPI library was built for it: see mpiTakesDeviceMemory()
};

/// Whether the MPI library says that it takes the memory of CUDA devices; nothing where it cannot be asked. Open MPI
/// and MPICH can. After MPI_Init(). A library that does not take it ends the program at the first message.
inline std::optional<bool> mpiTakesDeviceMemory() {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support() != 0;
#elif defined(MPIX_GPU_SUPPORT_CUDA)
  int takes = 0;
  MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &takes);
  return takes != 0;
#else
  return std::nullopt;
#endif
}

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
  [[nodiscard]] bool joinsMessages() const override { return true; }
  [[nodiscard]] std::unique_ptr<Exchange> makeExchange() const override { return std::make_unique<Requests>(ranks_); }

  void gatherBytes(const void* mine, void* all, std::span<const std::int64_t> lengths) const override {
    // From every rank in turn, in pieces that MPI's int counts: the sum of all may be larger.
    auto* to = static_cast<char*>(all);
    const bool equal = std::all_of(lengths.begin(), lengths.end(), [&](auto length) { return length == lengths[0]; });
    if (equal && lengths[0] <= maxBytes) {
      const int length = static_cast<int>(lengths[0]);
      MPI_Allgather(mine, length, MPI_BYTE, all, length, MPI_BYTE, ranks_);
      return;
    }
    for (int r = 0; r < size_; ++r) {
      const std::int64_t length = lengths[static_cast<std::size_t>(r)];
      if (r == rank_) {
        std::copy_n(static_cast<const char*>(mine), length, to);
      }
      for (std::int64_t done = 0; done < length; done += maxBytes) {
        MPI_Bcast(to + done, static_cast<int>(std::min(length - done, maxBytes)), MPI_BYTE, r, ranks_);
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
  static constexpr std::int64_t maxBytes = 1 << 30; // of one message: MPI counts in int

  /// One message to and from each rank, of all pieces for it. They are kept, and just started where the pieces are
  /// those of the time before.
  class Requests final : public Exchange {
  public:
    explicit Requests(MPI_Comm ranks) : ranks_(ranks) {}
    ~Requests() override { release(); }
    Requests(const Requests&) = delete;
    Requests& operator=(const Requests&) = delete;

    void start(std::span<const OutgoingMessage> sends, std::span<const IncomingMessage> receives) override {
      if (!same(sends, sends_) || !same(receives, receives_)) {
        release();
        sends_.assign(sends.begin(), sends.end());
        receives_.assign(receives.begin(), receives.end());
        forRanks(receives_, [&](auto* data, int count, MPI_Datatype type, int rank) {
          MPI_Recv_init(data, count, type, rank, tag, ranks_, &newRequest());
        });
        forRanks(sends_, [&](auto* data, int count, MPI_Datatype type, int rank) {
          MPI_Send_init(data, count, type, rank, tag, ranks_, &newRequest());
        });
      }
      if (!requests_.empty()) { // some MPIs refuse the null pointer that an empty list is
        MPI_Startall(static_cast<int>(requests_.size()), requests_.data());
      }
    }
    void finish() override { MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE); }

  private:
    static constexpr int tag = 0;

    template <class Message>
    static bool same(std::span<const Message> now, const std::vector<Message>& before) {
      return std::equal(now.begin(), now.end(), before.begin(), before.end(),
        [](const auto& a, const auto& b) { return a.rank == b.rank && a.data == b.data && a.bytes == b.bytes; });
    }

    // Calls make(data, count, type, rank) once for each rank.
    template <class Message, class Make>
    void forRanks(const std::vector<Message>& messages, const Make& make) {
      ranksOf_.clear();
      for (const Message& message : messages) {
        if (std::find(ranksOf_.begin(), ranksOf_.end(), message.rank) == ranksOf_.end()) {
          ranksOf_.push_back(message.rank);
        }
      }
      for (const int rank : ranksOf_) {
        auto* first = messages.front().data;
        lengths_.clear();
        places_.clear();
        for (const Message& message : messages) {
          if (message.rank != rank || message.bytes == 0) {
            continue;
          }
          first = lengths_.empty() ? message.data : first;
          for (std::size_t done = 0; done < message.bytes; done += maxBytes) {
            lengths_.push_back(static_cast<int>(std::min<std::size_t>(message.bytes - done, maxBytes)));
            places_.push_back(static_cast<const char*>(message.data) + done - static_cast<const char*>(first));
          }
        }
        if (lengths_.size() == 1) {
          make(first, lengths_.front(), MPI_BYTE, rank);
        } else if (!lengths_.empty()) {
          MPI_Datatype& type = types_.emplace_back(MPI_DATATYPE_NULL);
          MPI_Type_create_hindexed(static_cast<int>(lengths_.size()), lengths_.data(), places_.data(), MPI_BYTE, &type);
          MPI_Type_commit(&type);
          make(first, 1, type, rank);
        }
      }
    }

    MPI_Request& newRequest() { return requests_.emplace_back(MPI_REQUEST_NULL); }
    void release() {
      for (MPI_Request& request : requests_) {
        MPI_Request_free(&request);
      }
      for (MPI_Datatype& type : types_) {
        MPI_Type_free(&type);
      }
      requests_.clear();
      types_.clear();
    }

    MPI_Comm ranks_;
    std::vector<OutgoingMessage> sends_;
    std::vector<IncomingMessage> receives_;
    std::vector<MPI_Request> requests_;
    std::vector<MPI_Datatype> types_;
    std::vector<int> ranksOf_;
    std::vector<int> lengths_;
    std::vector<MPI_Aint> places_;
  };

  template <class T>
  void reduceByMpi(ReduceBy operation, std::span<T> values, MPI_Datatype type) const {
    const MPI_Op op = operation == ReduceBy::Sum ? MPI_SUM : operation == ReduceBy::Minimum ? MPI_MIN : MPI_MAX;
    constexpr std::size_t most = maxBytes / sizeof(T);
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

} // namespace spanwise::parallel
