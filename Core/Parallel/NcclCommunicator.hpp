#pragma once

// Of use to programs that link MPI and NCCL; Core itself links neither.

#include "Core/Parallel/MpiCommunicator.hpp"
#include "Core/Parallel/QueuedExchange.hpp"
#include "Core/Runtime/Error.hpp"

#include <cuda_runtime.h>
#include <nccl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace spanwise::parallel {

/// The ranks of an MPI communicator, each with a CUDA device of its own. What lies in devices' memory goes from device
/// to device by NCCL, in a queue of high priority beside the kernels that run, which queues wait for and not the host;
/// what lies in the host's goes by MPI. MPI need not know of devices.
///
/// All ranks start their exchanges in one order. The constructor is collective, uses the devices that are current
/// (startRuntime() has chosen them), and throws InvalidArgument on all ranks where two ranks have the same device, or
/// RuntimeError where NCCL does not start. The destructor is collective too, and must run before MPI_Finalize(). Errors
/// of NCCL after the start end the program with a message, as those of MPI do.
class NcclCommunicator final : public Communicator {
public:
  explicit NcclCommunicator(MPI_Comm ranks) : host_(ranks) {
    checkDevices();
    ncclUniqueId mine{};
    agreeToStart(host_.rank() == 0 ? ncclGetUniqueId(&mine) : ncclSuccess);
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(host_.size()), 0);
    lengths[0] = sizeof(mine);
    ncclUniqueId id{};
    host_.gatherBytes(&mine, &id, lengths);
    agreeToStart(ncclCommInitRank(&devices_, host_.size(), id, host_.rank()));
    int lowest = 0;
    int highest = 0;
    cudaDeviceGetStreamPriorityRange(&lowest, &highest);
    cudaStreamCreateWithPriority(&queue_, cudaStreamNonBlocking, highest);
  }
  ~NcclCommunicator() override {
    ncclCommDestroy(devices_);
    cudaStreamDestroy(queue_);
  }
  NcclCommunicator(const NcclCommunicator&) = delete;
  NcclCommunicator& operator=(const NcclCommunicator&) = delete;

  [[nodiscard]] int rank() const override { return host_.rank(); }
  [[nodiscard]] int size() const override { return host_.size(); }
  [[nodiscard]] bool takesDeviceMemory() const override { return true; }
  [[nodiscard]] bool joinsMessages() const override { return true; }
  [[nodiscard]] std::unique_ptr<Exchange> makeExchange() const override { return std::make_unique<Transfers>(*this); }

  void gatherBytes(const void* mine, void* all, std::span<const std::int64_t> lengths) const override {
    host_.gatherBytes(mine, all, lengths);
  }
  void reduce(ReduceBy operation, std::span<std::int64_t> values) const override { host_.reduce(operation, values); }
  void reduce(ReduceBy operation, std::span<double> values) const override { host_.reduce(operation, values); }

private:
  /// All messages of an exchange that lie in a device's memory are one launch.
  class Transfers final : public QueuedExchange {
  public:
    explicit Transfers(const NcclCommunicator& ranks) : ranks_(&ranks), byHost_(ranks.host_.makeExchange()) {
      ranks_->check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
    }
    ~Transfers() override { cudaEventDestroy(event_); }
    Transfers(const Transfers&) = delete;
    Transfers& operator=(const Transfers&) = delete;

    void start(std::span<const OutgoingMessage> sends, std::span<const IncomingMessage> receives) override {
      divide(sends, allSends_, hostSends_, deviceSends_);
      divide(receives, allReceives_, hostReceives_, deviceReceives_);
      launch(deviceSends_, deviceReceives_);
      byHost_->start(hostSends_, hostReceives_);
    }
    void finish() override {
      byHost_->finish();
      if (!deviceSends_.empty() || !deviceReceives_.empty()) {
        ranks_->wait();
      }
    }

    void startAfter(
      void* queue, std::span<const OutgoingMessage> sends, std::span<const IncomingMessage> receives) override {
      isQueued_ = !sends.empty() || !receives.empty();
      if (isQueued_) {
        ranks_->check(cudaEventRecord(event_, static_cast<cudaStream_t>(queue)));
        ranks_->check(cudaStreamWaitEvent(ranks_->queue_, event_, 0));
        launch(sends, receives);
      }
    }
    void finishBefore(void* queue) override {
      if (isQueued_) {
        ranks_->check(cudaEventRecord(event_, ranks_->queue_));
        ranks_->check(cudaStreamWaitEvent(static_cast<cudaStream_t>(queue), event_, 0));
      }
    }

  private:
    static bool isOfDevice(const void* data) {
      cudaPointerAttributes attributes{};
      return cudaPointerGetAttributes(&attributes, data) == cudaSuccess &&
        (attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged);
    }

    void launch(std::span<const OutgoingMessage> sends, std::span<const IncomingMessage> receives) const {
      if (sends.empty() && receives.empty()) {
        return;
      }
      ranks_->checkConnection();
      ranks_->check(ncclGroupStart());
      for (const OutgoingMessage& message : sends) {
        ranks_->check(ncclSend(message.data, message.bytes, ncclChar, message.rank, ranks_->devices_, ranks_->queue_));
      }
      for (const IncomingMessage& message : receives) {
        ranks_->check(ncclRecv(message.data, message.bytes, ncclChar, message.rank, ranks_->devices_, ranks_->queue_));
      }
      ranks_->check(ncclGroupEnd());
    }

    // Which message lies where is asked once for the same messages.
    template <class Message>
    static void divide(std::span<const Message> now, std::vector<Message>& before, std::vector<Message>& onHost,
      std::vector<Message>& onDevice) {
      if (std::equal(now.begin(), now.end(), before.begin(), before.end(), [](const Message& a, const Message& b) {
            return a.rank == b.rank && a.data == b.data && a.bytes == b.bytes;
          })) {
        return;
      }
      before.assign(now.begin(), now.end());
      onHost.clear();
      onDevice.clear();
      for (const Message& message : now) {
        (isOfDevice(message.data) ? onDevice : onHost).push_back(message);
      }
    }

    const NcclCommunicator* ranks_;
    std::unique_ptr<Exchange> byHost_;
    std::vector<OutgoingMessage> allSends_;
    std::vector<IncomingMessage> allReceives_;
    std::vector<OutgoingMessage> hostSends_;
    std::vector<OutgoingMessage> deviceSends_;
    std::vector<IncomingMessage> hostReceives_;
    std::vector<IncomingMessage> deviceReceives_;
    cudaEvent_t event_ = nullptr;
    bool isQueued_ = false;
  };

  /// Throws where ranks share a device.
  void checkDevices() const {
    struct Place {
      char host[MPI_MAX_PROCESSOR_NAME];
      char device[32];
    };
    Place mine{};
    int length = 0;
    MPI_Get_processor_name(mine.host, &length);
    int device = 0;
    cudaGetDevice(&device);
    cudaDeviceGetPCIBusId(mine.device, sizeof(mine.device), device);
    const std::vector<Place> all = host_.gather(mine);
    for (std::size_t a = 0; a < all.size(); ++a) {
      for (std::size_t b = a + 1; b < all.size(); ++b) {
        if (std::strcmp(all[a].host, all[b].host) == 0 && std::strcmp(all[a].device, all[b].device) == 0) {
          throw InvalidArgument("ranks " + std::to_string(a) + " and " + std::to_string(b) + " have the same device, " +
            all[a].device + " of " + all[a].host +
            ": NCCL takes one rank for each device. Start as many ranks as there are devices, or use MPI");
        }
      }
    }
  }

  void agreeToStart(ncclResult_t result) {
    const auto worst = host_.reduced(ReduceBy::Maximum, static_cast<std::int64_t>(result));
    if (worst != ncclSuccess) {
      if (devices_ != nullptr) {
        ncclCommAbort(devices_);
      }
      throw RuntimeError(std::string("NCCL does not start: ") + ncclGetErrorString(static_cast<ncclResult_t>(worst)) +
        "; it says more with NCCL_DEBUG=WARN in the environment");
    }
  }

  void check(ncclResult_t result) const {
    if (result != ncclSuccess && result != ncclInProgress) {
      end("NCCL", ncclGetErrorString(result));
    }
  }
  void check(cudaError_t result) const {
    if (result != cudaSuccess) {
      end("CUDA", cudaGetErrorString(result));
    }
  }
  void end(const char* who, const char* what) const {
    std::fprintf(stderr, "Spanwise: rank %d of %d: %s failed: %s\n", rank(), size(), who, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  void checkConnection() const {
    ncclResult_t failure = ncclSuccess;
    ncclCommGetAsyncError(devices_, &failure);
    check(failure);
  }

  /// Until the queue is empty. Looks after the connection meanwhile: a broken one would never end.
  void wait() const {
    cudaError_t state = cudaErrorNotReady;
    for (int looks = 1; (state = cudaStreamQuery(queue_)) == cudaErrorNotReady; ++looks) {
      if (looks % 4096 == 0) {
        checkConnection();
      }
    }
    check(state);
  }

  MpiCommunicator host_;
  ncclComm_t devices_ = nullptr;
  cudaStream_t queue_ = nullptr;
};

} // namespace spanwise::parallel
