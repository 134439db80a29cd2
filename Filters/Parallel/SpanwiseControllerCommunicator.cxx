#include "SpanwiseControllerCommunicator.h"

#include <vtkCommunicator.h>
#include <vtkMultiProcessController.h>

#include <algorithm>
#include <vector>

namespace spanwise {

namespace {

constexpr int exchangeTag = 0x5354; // any number that others hardly use

class PairwiseExchange final : public Exchange {
public:
  explicit PairwiseExchange(vtkMultiProcessController* controller) : controller_(controller) {}

  void start(std::span<const OutgoingMessage> sends, std::span<const IncomingMessage> receives) override {
    sends_.assign(sends.begin(), sends.end());
    receives_.assign(receives.begin(), receives.end());
  }

  void finish() override {
    // Pairs of ranks meet in one order that is the same for all, so nobody waits in a circle.
    const int me = controller_->GetLocalProcessId();
    for (int other = 0; other < controller_->GetNumberOfProcesses(); ++other) {
      for (const bool sending : {me<other, me> other}) {
        if (sending) {
          forMessages(sends_, other, &vtkCommunicator::SendVoidArray);
        } else {
          forMessages(receives_, other, &vtkCommunicator::ReceiveVoidArray);
        }
      }
    }
    sends_.clear();
    receives_.clear();
  }

private:
  template <class Messages, class Transfer>
  void forMessages(const Messages& messages, int other, Transfer transfer) {
    for (const auto& message : messages) {
      if (message.rank == other) {
        (controller_->GetCommunicator()->*transfer)(
          message.data, static_cast<vtkIdType>(message.bytes), VTK_UNSIGNED_CHAR, other, exchangeTag);
      }
    }
  }

  vtkMultiProcessController* controller_;
  std::vector<OutgoingMessage> sends_;
  std::vector<IncomingMessage> receives_;
};

template <class T>
void reduceByVtk(vtkMultiProcessController* controller, ReduceBy operation, std::vector<T>& values) {
  if (values.empty()) {
    return;
  }
  const std::vector<T> mine = values;
  controller->AllReduce(mine.data(), values.data(), static_cast<vtkIdType>(mine.size()),
    operation == ReduceBy::Sum         ? vtkCommunicator::SUM_OP
      : operation == ReduceBy::Minimum ? vtkCommunicator::MIN_OP
                                       : vtkCommunicator::MAX_OP);
}

} // namespace

ControllerCommunicator::ControllerCommunicator(vtkMultiProcessController* controller) : controller_(controller) {}

int ControllerCommunicator::rank() const { return controller_->GetLocalProcessId(); }

int ControllerCommunicator::size() const { return controller_->GetNumberOfProcesses(); }

std::unique_ptr<Exchange> ControllerCommunicator::makeExchange() const {
  return std::make_unique<PairwiseExchange>(controller_);
}

void ControllerCommunicator::gatherBytes(const void* mine, void* all, std::span<const std::int64_t> lengths) const {
  // MPI counts in int: as large elements as all lengths allow.
  const bool words = std::all_of(lengths.begin(), lengths.end(), [](std::int64_t length) { return length % 8 == 0; });
  const std::int64_t unit = words ? 8 : 1;
  std::vector<vtkIdType> counts;
  std::vector<vtkIdType> offsets;
  vtkIdType total = 0;
  for (const std::int64_t length : lengths) {
    counts.push_back(length / unit);
    offsets.push_back(total);
    total += counts.back();
  }
  if (total > 0) {
    controller_->GetCommunicator()->AllGatherVVoidArray(mine, all, counts[static_cast<std::size_t>(rank())],
      counts.data(), offsets.data(), words ? VTK_LONG_LONG : VTK_UNSIGNED_CHAR);
  }
}

void ControllerCommunicator::reduce(ReduceBy operation, std::span<std::int64_t> values) const {
  // VTK's communicators know long long; std::int64_t is long on some systems.
  std::vector<long long> wide(values.begin(), values.end());
  reduceByVtk(controller_, operation, wide);
  std::copy(wide.begin(), wide.end(), values.begin());
}

void ControllerCommunicator::reduce(ReduceBy operation, std::span<double> values) const {
  if (operation == ReduceBy::Sum) {
    Communicator::reduce(operation, values); // VTK promises no order
    return;
  }
  std::vector<double> reduced(values.begin(), values.end());
  reduceByVtk(controller_, operation, reduced);
  std::copy(reduced.begin(), reduced.end(), values.begin());
}

} // namespace spanwise
