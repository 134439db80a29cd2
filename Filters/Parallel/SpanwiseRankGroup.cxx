#include "SpanwiseRankGroup.h"

#include "SpanwiseControllerCommunicator.h"

#include <vtkInformation.h>
#include <vtkMultiProcessController.h>
#include <vtkStreamingDemandDrivenPipeline.h>

#include <algorithm>
#include <span>

namespace spanwise {

using Pipeline = vtkStreamingDemandDrivenPipeline;

RankGroup::RankGroup() : communicator_(std::make_shared<SingleProcess>()) {}

RankGroup RankGroup::ofRequest(vtkMultiProcessController* controller, vtkInformation* outInfo) {
  RankGroup group;
  if (outInfo != nullptr && outInfo->Has(Pipeline::UPDATE_NUMBER_OF_PIECES())) {
    group.pieces_ = std::max(outInfo->Get(Pipeline::UPDATE_NUMBER_OF_PIECES()), 1);
    group.piece_ = outInfo->Get(Pipeline::UPDATE_PIECE_NUMBER());
  }
  if (controller != nullptr && controller->GetNumberOfProcesses() > 1 &&
    controller->GetNumberOfProcesses() == group.pieces_ && controller->GetLocalProcessId() == group.piece_) {
    return ofAll(controller);
  }
  return group;
}

RankGroup RankGroup::ofAll(vtkMultiProcessController* controller) {
  RankGroup group;
  if (controller != nullptr && controller->GetNumberOfProcesses() > 1) {
    group.controller_ = controller;
    group.communicator_ = std::make_shared<ControllerCommunicator>(controller);
    group.pieces_ = group.size();
    group.piece_ = group.rank();
  }
  return group;
}

void RankGroup::sum(std::vector<std::int64_t>& values) const {
  communicator_->reduce(ReduceBy::Sum, std::span<std::int64_t>(values));
}

void RankGroup::minimum(std::vector<double>& values) const {
  communicator_->reduce(ReduceBy::Minimum, std::span<double>(values));
}

void RankGroup::maximum(std::vector<double>& values) const {
  communicator_->reduce(ReduceBy::Maximum, std::span<double>(values));
}

std::int64_t RankGroup::sum(std::int64_t value) const { return communicator_->reduced(ReduceBy::Sum, value); }

std::int64_t RankGroup::maximum(std::int64_t value) const { return communicator_->reduced(ReduceBy::Maximum, value); }

std::vector<std::int64_t> RankGroup::gather(
  const std::vector<std::int64_t>& mine, std::vector<std::int64_t>* counts) const {
  return communicator_->gather(std::span<const std::int64_t>(mine), counts);
}

std::vector<double> RankGroup::gather(const std::vector<double>& mine, std::vector<std::int64_t>* counts) const {
  return communicator_->gather(std::span<const double>(mine), counts);
}

std::string RankGroup::gather(const std::string& mine) const {
  const std::vector<char> all = communicator_->gather(std::span<const char>(mine));
  return {all.begin(), all.end()};
}

void RankGroup::broadcast(std::vector<double>& values, int from) const {
  if (!alone()) {
    auto count = static_cast<vtkIdType>(values.size());
    controller_->Broadcast(&count, 1, from);
    values.resize(static_cast<std::size_t>(count));
    controller_->Broadcast(values.data(), count, from);
  }
}

void RankGroup::broadcast(vtkDataObject* data, int from) const {
  if (!alone()) {
    controller_->Broadcast(data, from);
  }
}

} // namespace spanwise
