#include "SpanwiseSteppedFrames.h"

#include "vtkAlgorithm.h"
#include "vtkDataObject.h"
#include "vtkExecutive.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <format>
#include <vector>

using namespace spanwise::parallel;

namespace spanwise {

namespace {

using Pipeline = vtkStreamingDemandDrivenPipeline;

} // namespace

void SteppedFrames::list(vtkInformationVector* outputs, int count, double timePerFrame) {
  std::vector<double> times(static_cast<std::size_t>(std::clamp(count, 1, maxFrames)));
  for (std::size_t k = 0; k < times.size(); ++k) {
    times[k] = static_cast<double>(k) * timePerFrame;
  }
  const double range[2] = {times.front(), times.back()};
  for (int port = 0; port < outputs->GetNumberOfInformationObjects(); ++port) {
    vtkInformation* const info = outputs->GetInformationObject(port);
    info->Set(Pipeline::TIME_STEPS(), times.data(), static_cast<int>(times.size()));
    info->Set(Pipeline::TIME_RANGE(), range, 2);
  }
}

void SteppedFrames::passRequest(
  vtkInformation* request, vtkInformationVector** inputs, int numInputPorts, vtkInformationVector* outputs) {
  const int asked = request->Has(vtkExecutive::FROM_OUTPUT_PORT()) ? request->Get(vtkExecutive::FROM_OUTPUT_PORT()) : 0;
  for (int port = 0; asked >= 0 && port < outputs->GetNumberOfInformationObjects(); ++port) {
    vtkInformation* const from = outputs->GetInformationObject(asked);
    vtkInformation* const to = outputs->GetInformationObject(port);
    if (to == from) {
      continue;
    }
    to->CopyEntry(from, Pipeline::UPDATE_PIECE_NUMBER());
    to->CopyEntry(from, Pipeline::UPDATE_NUMBER_OF_PIECES());
    to->CopyEntry(from, Pipeline::UPDATE_NUMBER_OF_GHOST_LEVELS());
    if (from->Has(Pipeline::UPDATE_TIME_STEP())) {
      to->Set(Pipeline::UPDATE_TIME_STEP(), from->Get(Pipeline::UPDATE_TIME_STEP()));
    } else {
      to->Remove(Pipeline::UPDATE_TIME_STEP());
    }
  }
  for (int port = 0; port < numInputPorts; ++port) {
    for (int k = 0; k < inputs[port]->GetNumberOfInformationObjects(); ++k) {
      vtkInformation* const input = inputs[port]->GetInformationObject(k);
      if (input->Has(Pipeline::TIME_STEPS()) && input->Length(Pipeline::TIME_STEPS()) > 0) {
        input->Set(Pipeline::UPDATE_TIME_STEP(), input->Get(Pipeline::TIME_STEPS())[0]);
      } else {
        input->Remove(Pipeline::UPDATE_TIME_STEP());
      }
    }
  }
}

void SteppedFrames::ask(vtkInformation* output, int count, double timePerFrame) {
  const double time = output->Has(Pipeline::UPDATE_TIME_STEP()) ? output->Get(Pipeline::UPDATE_TIME_STEP()) : 0.0;
  const double frame = std::floor(time / timePerFrame + 1e-6);
  asked_ = static_cast<std::int64_t>(std::clamp(frame, 0.0, std::max(0.0, count - 1.0)));
  given_ = asked_;
}

void SteppedFrames::sayTime(vtkInformationVector* outputs, double timePerFrame) const {
  for (int port = 0; port < outputs->GetNumberOfInformationObjects(); ++port) {
    vtkDataObject::GetData(outputs, port)
      ->GetInformation()
      ->Set(vtkDataObject::DATA_TIME_STEP(), static_cast<double>(given_) * timePerFrame);
  }
}

int SteppedFrames::numLeft(int count) const {
  return goesOn_ ? 0 : static_cast<int>(std::max<std::int64_t>(0, count - stepping_.frames().end()));
}

void SteppedFrames::setStorage(const RankGroup& group, const FrameChoice& choice) {
  const FrameStorage storage{choice.memoryBytes, choice.folder};
  // Of any rank: one may have failed alone the last time.
  if (group.maximum(storage == stepping_.frames().storage() ? 0 : 1) == 1) {
    stepping_.truncate(choice.count);
    stepping_.setStorage(group.communicator(), storage);
  }
}

bool SteppedFrames::beginAs(const RankGroup& group, const FrameChoice& choice) const {
  return group.maximum(choice.restart == restart_ ? 0 : 1) == 0;
}

void SteppedFrames::start(const RankGroup& group, Stepper& stepper, const FrameChoice& choice, const std::string& run) {
  saidSo_ = false;
  run_ = run;
  restart_ = choice.restart;
  checkpoint_.clear();
  if (choice.restart.empty()) {
    stepping_.start(group.communicator(), stepper);
    return;
  }
  stepping_.restart(group.communicator(), stepper, {choice.restart, run}, {});
  const std::int64_t first = stepping_.frames().begin();
  if (first >= choice.count) { // on all ranks
    clear();
    throw InvalidArgument(
      std::format("the checkpoint '{}' is of frame {}, and there are {} frames from 0 on; there must "
                  "be more of them",
        choice.restart, first, choice.count));
  }
}

void SteppedFrames::moveToAsked(vtkAlgorithm* algorithm, const RankGroup& group, Stepper& stepper,
  const FrameChoice& choice, const Progress& progress) {
  bool isStopped = false;
  // ParaView's window drops clicks where it hears of progress: somebody who looks on sees that of long frames alone.
  const auto begin = std::chrono::steady_clock::now();
  const Progress late([&](double fraction) {
    if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(2)) {
      progress.report(fraction);
    }
    return true;
  });
  if (choice.isLive) {
    const std::int64_t newest = stepping_.frames().end() - 1;
    asked_ = std::min<std::int64_t>(goesOn_ ? newest + 1 : newest, choice.count - 1);
  }
  try {
    stepping_.moveTo(group.communicator(), stepper, asked_, choice.isLive ? late : progress, choice.seconds);
  } catch (const Cancelled&) { // on all ranks
    if (group.sum(algorithm->GetAbortExecute() ? 1 : 0) == 0) {
      throw; // an input was stopped
    }
    isStopped = true;
    algorithm->SetAbortExecute(false);
    algorithm->SetAbortOutput(false);
  }
  given_ = std::clamp(asked_, stepping_.frames().begin(), stepping_.frames().end() - 1);
  writeCheckpoint(group, stepper, choice);
  goesOn_ = goesOn_ && isStopped;
  if (given_ < asked_ && !isStopped && !saidSo_ && group.rank() == 0) {
    saidSo_ = true;
    vtkWarningWithObjectMacro(
      algorithm, << std::format("frame {} is shown, and {} was asked for: it is the last one that was computed within "
                                "the time limit of {:g} s. Play to compute the others, or raise the limit",
                   given_, asked_, choice.seconds));
  }
}

void SteppedFrames::writeCheckpoint(const RankGroup& group, const Stepper& stepper, const FrameChoice& choice) {
  const std::int64_t last = choice.checkpoint == checkpoint_ ? written_ : stepping_.frames().begin();
  const bool isDue = !choice.checkpoint.empty() && given_ > last; // the first frame is not worth an old file
  if (group.maximum(isDue ? 1 : 0) == 0) {
    return;
  }
  stepping_.checkpoint(group.communicator(), stepper, {choice.checkpoint, run_}, given_);
  checkpoint_ = choice.checkpoint;
  written_ = given_;
}

} // namespace spanwise
