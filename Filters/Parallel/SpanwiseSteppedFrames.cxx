#include "SpanwiseSteppedFrames.h"

#include "vtkAlgorithm.h"
#include "vtkDataObject.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>
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

void SteppedFrames::setStorage(const RankGroup& group, const FrameChoice& choice) {
  const FrameStorage storage{choice.memoryBytes, choice.folder};
  // Of any rank: one may have failed alone the last time.
  if (group.maximum(storage == stepping_.frames().storage() ? 0 : 1) == 1) {
    stepping_.truncate(choice.count);
    stepping_.setStorage(group.communicator(), storage);
  }
}

void SteppedFrames::start(const RankGroup& group, Stepper& stepper) {
  saidSo_ = false;
  stepping_.start(group.communicator(), stepper);
}

void SteppedFrames::moveToAsked(vtkAlgorithm* algorithm, const RankGroup& group, Stepper& stepper,
  const FrameChoice& choice, const Progress& progress) {
  bool isStopped = false;
  try {
    stepping_.moveTo(group.communicator(), stepper, asked_, progress, choice.seconds);
  } catch (const Cancelled&) { // on all ranks
    if (group.sum(algorithm->GetAbortExecute() ? 1 : 0) == 0) {
      throw; // an input was stopped
    }
    isStopped = true;
    algorithm->SetAbortExecute(false);
    algorithm->SetAbortOutput(false);
  }
  given_ = std::min(asked_, stepping_.frames().end() - 1);
  if (given_ < asked_ && !isStopped && !saidSo_ && group.rank() == 0) {
    saidSo_ = true;
    vtkWarningWithObjectMacro(
      algorithm, << std::format("frame {} is shown, and {} was asked for: it is the last one that was computed within "
                                "the time limit of {:g} s. Play to compute the others, or raise the limit",
                   given_, asked_, choice.seconds));
  }
}

} // namespace spanwise
