#include "SpanwiseTeam.h"

#include <vtkCommunicator.h>
#include <vtkInformation.h>
#include <vtkMultiProcessController.h>
#include <vtkStreamingDemandDrivenPipeline.h>

#include <new>

namespace spanwise {

namespace {

using Pipeline = vtkStreamingDemandDrivenPipeline;

enum Outcome : std::int64_t { Done, Stopped, Failed };

template <class T>
void reduce(vtkMultiProcessController* controller, std::vector<T>& values, int operation) {
  if (controller == nullptr || values.empty()) {
    return;
  }
  const std::vector<T> mine = values;
  controller->AllReduce(mine.data(), values.data(), static_cast<vtkIdType>(mine.size()), operation);
}

// VTK's communicators know long long; std::int64_t is long on some systems.
void reduce(vtkMultiProcessController* controller, std::vector<std::int64_t>& values, int operation) {
  std::vector<long long> wide(values.begin(), values.end());
  reduce<long long>(controller, wide, operation);
  values.assign(wide.begin(), wide.end());
}

template <class T>
std::vector<T> gatherAll(
  vtkMultiProcessController* controller, const std::vector<T>& mine, std::vector<std::int64_t>& counts) {
  const auto ranks = static_cast<std::size_t>(controller->GetNumberOfProcesses());
  auto length = static_cast<vtkIdType>(mine.size());
  std::vector<vtkIdType> lengths(ranks);
  controller->AllGather(&length, lengths.data(), 1);
  std::vector<vtkIdType> offsets(ranks, 0);
  vtkIdType total = 0;
  for (std::size_t r = 0; r < ranks; ++r) {
    offsets[r] = total;
    total += lengths[r];
  }
  counts.assign(lengths.begin(), lengths.end());
  std::vector<T> all(static_cast<std::size_t>(total));
  if (total > 0) {
    controller->AllGatherV(mine.data(), all.data(), length, lengths.data(), offsets.data());
  }
  return all;
}

} // namespace

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
    team.size_ = team.pieces_ = controller->GetNumberOfProcesses();
    team.rank_ = team.piece_ = controller->GetLocalProcessId();
  }
  return team;
}

void Team::sum(std::vector<std::int64_t>& values) const { reduce(controller_, values, vtkCommunicator::SUM_OP); }

void Team::minimum(std::vector<double>& values) const { reduce<double>(controller_, values, vtkCommunicator::MIN_OP); }

void Team::maximum(std::vector<double>& values) const { reduce<double>(controller_, values, vtkCommunicator::MAX_OP); }

std::int64_t Team::sum(std::int64_t value) const {
  std::vector<std::int64_t> values{value};
  reduce(controller_, values, vtkCommunicator::SUM_OP);
  return values[0];
}

std::int64_t Team::maximum(std::int64_t value) const {
  std::vector<std::int64_t> values{value};
  reduce(controller_, values, vtkCommunicator::MAX_OP);
  return values[0];
}

std::vector<std::int64_t> Team::gather(const std::vector<std::int64_t>& mine, std::vector<std::int64_t>* counts) const {
  std::vector<std::int64_t> lengths{static_cast<std::int64_t>(mine.size())};
  std::vector<std::int64_t> all = mine;
  if (!alone()) {
    const auto gathered = gatherAll(controller_, std::vector<long long>(mine.begin(), mine.end()), lengths);
    all.assign(gathered.begin(), gathered.end());
  }
  if (counts != nullptr) {
    *counts = lengths;
  }
  return all;
}

std::vector<double> Team::gather(const std::vector<double>& mine, std::vector<std::int64_t>* counts) const {
  std::vector<std::int64_t> lengths{static_cast<std::int64_t>(mine.size())};
  std::vector<double> all = alone() ? mine : gatherAll(controller_, mine, lengths);
  if (counts != nullptr) {
    *counts = lengths;
  }
  return all;
}

std::string Team::gather(const std::string& mine) const {
  if (alone()) {
    return mine;
  }
  std::vector<std::int64_t> lengths;
  const auto all = gatherAll(controller_, std::vector<char>(mine.begin(), mine.end()), lengths);
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

void Team::agreeOn(const std::exception_ptr& failure) const {
  const std::int64_t mine = !failure ? Done : isCancelled(failure) ? Stopped : Failed;
  const std::string message = mine == Failed ? messageOf(failure) : std::string();
  const std::int64_t worst = maximum(mine);
  if (worst == Stopped) {
    throw Cancelled();
  }
  if (worst == Failed) {
    const std::vector<std::int64_t> outcomes = gather(std::vector<std::int64_t>{mine});
    std::int64_t failed = 0;
    int first = size_;
    for (int r = size_ - 1; r >= 0; --r) {
      if (outcomes[static_cast<std::size_t>(r)] == Failed) {
        first = r;
        ++failed;
      }
    }
    const std::string said = gather(rank_ == first ? message : std::string());
    throw Error(failed == size_ ? said : "on rank " + std::to_string(first) + ": " + said);
  }
}

bool isCancelled(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Cancelled&) {
    return true;
  } catch (...) {
    return false;
  }
}

std::string messageOf(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::bad_alloc&) {
    return "there is not enough memory";
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an unknown exception";
  }
}

} // namespace spanwise
