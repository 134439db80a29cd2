#include "SpanwiseTeam.h"

#include "SpanwiseControllerCommunicator.h"

#include <vtkInformation.h>
#include <vtkMultiProcessController.h>
#include <vtkStreamingDemandDrivenPipeline.h>

#include <algorithm>
#include <span>

namespace spanwise {

using Pipeline = vtkStreamingDemandDrivenPipeline;

Team::Team() : communicator_(std::make_shared<SingleProcess>()) {}

Team Team::ofRequest(vtkMultiProcessController* controller, vtkInformation* outInfo) {
  Team team;
  if (outInfo != nullptr && outInfo->Has(Pipeline::UPDATE_NUMBER_OF_PIECES())) {
    team.pieces_ = std::max(outInfo->Get(Pipeline::UPDATE_NUMBER_OF_PIECES()), 1);
    team.piece_ = outInfo->Get(Pipeline::UPDATE_PIECE_NUMBER());
  }
  if (controller != nullptr && controller->GetNumberOfProcesses() > 1 &&
    controller->GetNumberOfProcesses() == team.pieces_ && controller->GetLocalProcessId() == team.piece_) {
    return ofAll(controller);
  }
  return team;
}

Team Team::ofAll(vtkMultiProcessController* controller) {
  Team team;
  if (controller != nullptr && controller->GetNumberOfProcesses() > 1) {
    team.controller_ = controller;
    team.communicator_ = std::make_shared<ControllerCommunicator>(controller);
    team.pieces_ = team.size();
    team.piece_ = team.rank();
  }
  return team;
}

void Team::sum(std::vector<std::int64_t>& values) const {
  communicator_->reduce(ReduceBy::Sum, std::span<std::int64_t>(values));
}

void Team::minimum(std::vector<double>& values) const {
  communicator_->reduce(ReduceBy::Minimum, std::span<double>(values));
}

void Team::maximum(std::vector<double>& values) const {
  communicator_->reduce(ReduceBy::Maximum, std::span<double>(values));
}

std::int64_t Team::sum(std::int64_t value) const { return communicator_->reduced(ReduceBy::Sum, value); }

std::int64_t Team::maximum(std::int64_t value) const { return communicator_->reduced(ReduceBy::Maximum, value); }

std::vector<std::int64_t> Team::gather(const std::vector<std::int64_t>& mine, std::vector<std::int64_t>* counts) const {
  return communicator_->gather(std::span<const std::int64_t>(mine), counts);
}

std::vector<double> Team::gather(const std::vector<double>& mine, std::vector<std::int64_t>* counts) const {
  return communicator_->gather(std::span<const double>(mine), counts);
}

std::string Team::gather(const std::string& mine) const {
  const std::vector<char> all = communicator_->gather(std::span<const char>(mine));
  return {all.begin(), all.end()};
}

void Team::broadcast(std::vector<double>& values, int from) const {
  if (!alone()) {
    auto count = static_cast<vtkIdType>(values.size());
    controller_->Broadcast(&count, 1, from);
    values.resize(static_cast<std::size_t>(count));
    controller_->Broadcast(values.data(), count, from);
  }
}

void Team::broadcast(vtkDataObject* data, int from) const {
  if (!alone()) {
    controller_->Broadcast(data, from);
  }
}

} // namespace spanwise
