// N-Body Motion: frames that are kept, stopped, continued where memory is short, and restarted from checkpoints.

#include "Testing/Core/TemporaryFolder.hpp"
#include "Testing/Filters/NBody/MovingBodies.hpp"
#include "Testing/Filters/Sides.hpp"
#include "Testing/Filters/WithoutMemory.hpp"

#include <vtkCallbackCommand.h>
#include <vtkInformation.h>

#include <algorithm>

namespace spanwise::testing {
namespace {

/// Counts how often a filter says that it is under way.
class Steps {
public:
  explicit Steps(Filter* filter) {
    callback_->SetClientData(this);
    callback_->SetCallback([](vtkObject* caller, unsigned long /*event*/, void* self, void* /*data*/) {
      const double progress = Filter::SafeDownCast(caller)->GetProgress();
      auto* const steps = static_cast<Steps*>(self);
      steps->count += progress > 0.0 && progress < 1.0 ? 1 : 0;
      if (progress > steps->abortAt && progress < 1.0) {              // with 1 it has ended
        Filter::SafeDownCast(caller)->SetAbortExecuteAndUpdateTime(); // as the window's X does
      }
    });
    filter->AddObserver(vtkCommand::ProgressEvent, callback_);
  }

  int count = 0;
  double abortAt = 2.0;

private:
  vtkNew<vtkCallbackCommand> callback_;
};

TEST(NBodyMotion, FramesAreTimeSteps) {
  const auto filter = motionOf(dataOf(pairOnCircles()));
  filter->SetNumberOfFrames(4);
  const auto times = [&](int port) {
    filter->UpdateInformation();
    vtkInformation* const info = filter->GetOutputInformation(port);
    const double* const first = info->Get(Pipeline::TIME_STEPS());
    return std::vector<double>(first, first + info->Length(Pipeline::TIME_STEPS()));
  };
  const std::vector<double> numbers{0.0, 1.0, 2.0, 3.0}; // where the step is not known yet
  EXPECT_EQ(times(0), numbers);
  EXPECT_EQ(times(1), numbers);
  filter->SetTimeStep(0.25);
  filter->SetStepsPerFrame(2);
  EXPECT_EQ(times(0), std::vector<double>({0.0, 0.5, 1.0, 1.5}));
  // Between two frames there is the one before, and beyond the last one the last.
  EXPECT_EQ(placesAt(filter, 0.99), placesAt(filter, 0.5));
  EXPECT_EQ(filter->GetOutputDataObject(0)->GetInformation()->Get(vtkDataObject::DATA_TIME_STEP()), 0.5);
  EXPECT_EQ(placesAt(filter, 77.0), placesAt(filter, 1.5));
  EXPECT_EQ(placesAt(filter, -1.0), placesAt(filter, 0.0));
}

TEST(NBodyMotion, FramesAreKept) {
  const auto filter = motionOf(dataOf(randomBodies(60)));
  filter->SetTimeStep(0.01);
  filter->SetStepsPerFrame(3);
  filter->SetNumberOfFrames(6);
  Steps steps(filter);
  std::vector<std::vector<Vector>> there;
  for (int frame = 0; frame < 6; ++frame) {
    there.push_back(placesAt(filter, 0.03 * frame));
    EXPECT_EQ(reportOf(filter)->GetNumberOfRows(), frame + 1);
  }
  EXPECT_GT(steps.count, 0);
  EXPECT_NE(there[1], there[0]);
  steps.count = 0;
  for (const int frame : {4, 0, 3, 5, 2, 1}) {
    EXPECT_EQ(placesAt(filter, 0.03 * frame), there[static_cast<std::size_t>(frame)]);
    EXPECT_EQ(reportOf(filter)->GetNumberOfRows(), frame + 1);
  }
  filter->SetNumberOfFrames(8); // more of the same
  EXPECT_EQ(placesAt(filter, 0.15), there[5]);
  EXPECT_EQ(steps.count, 0);
  placesAt(filter, 0.18);
  EXPECT_GT(steps.count, 0);
  // The table alone, and asked for first.
  const auto other = motionOf(dataOf(randomBodies(60)));
  other->SetTimeStep(0.01);
  other->SetStepsPerFrame(3);
  other->SetNumberOfFrames(8);
  other->UpdateInformation();
  other->GetOutputInformation(1)->Set(Pipeline::UPDATE_TIME_STEP(), 0.18);
  other->Update(1);
  placesAt(filter, 0.18);
  ASSERT_EQ(reportOf(other)->GetNumberOfRows(), 7);
  EXPECT_EQ(report(other, "Energy", 6), report(filter, "Energy", 6));
}

TEST(NBodyMotion, WhatChangesIsComputedAnew) {
  const auto filter = motionOf(dataOf(randomBodies(30)));
  filter->SetNumberOfFrames(3);
  const auto before = placesAt(filter, 2.0);
  filter->SetFactor(2.0);
  const auto stronger = placesAt(filter, 2.0);
  EXPECT_NE(stronger, before);
  filter->SetFactor(1.0);
  EXPECT_EQ(placesAt(filter, 2.0), before);
  std::vector<Body> bodies = randomBodies(30);
  bodies[7].mass *= 1.5;
  filter->SetInputData(dataOf(bodies));
  EXPECT_NE(placesAt(filter, 2.0), before);
  filter->SetInputData(dataOf(randomBodies(30)));
  EXPECT_EQ(placesAt(filter, 2.0), before);
}

TEST(NBodyMotion, StoppedItGoesOnWhereItWas) {
  const auto whole = motionOf(dataOf(randomBodies(50)));
  const auto filter = motionOf(dataOf(randomBodies(50)));
  for (Filter* of : {whole.Get(), filter.Get()}) {
    of->SetNumberOfFrames(6);
    of->SetStepsPerFrame(4);
  }
  const Steps ofWhole(whole);
  const auto expected = placesAt(whole, 5.0);
  Steps steps(filter);
  steps.abortAt = 0.5;
  {
    const Messages messages;
    const auto given = placesAt(filter, 5.0);
    EXPECT_TRUE(messages.all().empty());
    const double time = filter->GetOutputDataObject(0)->GetInformation()->Get(vtkDataObject::DATA_TIME_STEP());
    EXPECT_EQ(time, 2.0); // the last one that is done
    EXPECT_EQ(given, placesAt(whole, time));
    EXPECT_EQ(reportOf(filter)->GetNumberOfRows(), 3);
    EXPECT_FALSE(filter->GetAbortExecute());
    EXPECT_FALSE(filter->GetAbortOutput()); // what is downstream gets the frame
  }
  steps.abortAt = 2.0;
  const int before = steps.count;
  filter->Modified();
  EXPECT_EQ(placesAt(filter, 5.0), expected);
  EXPECT_LT(steps.count - before, ofWhole.count); // frames before the stop are there
}

TEST(NBodyMotion, StoppedBeforeTheStartThereIsNothing) {
  const auto filter = motionOf(dataOf(randomBodies(50)));
  const Messages messages;
  filter->SetAbortExecute(true); // before the first forces
  EXPECT_TRUE(placesAt(filter, 5.0).empty());
  EXPECT_TRUE(messages.all().empty());
  filter->SetAbortExecute(false);
  EXPECT_EQ(placesAt(filter, 0.0).size(), 50U);
}

/// At a window a request that takes too long gives the last frame that is done, and says once which one that is.
TEST(NBodyMotion, InteractiveRequestsKeepTheTimeLimit) {
  const auto whole = motionOf(dataOf(randomBodies(50)));
  const auto filter = motionOf(dataOf(randomBodies(50)));
  for (Filter* of : {whole.Get(), filter.Get()}) {
    of->SetTimeStep(0.01);
    of->SetStepsPerFrame(2);
    of->SetNumberOfFrames(9);
  }
  filter->InteractiveOn();
  filter->SetTimeLimit(1e-9); // one frame takes longer
  const auto expectFrame = [&](double asked, int frame) {
    EXPECT_EQ(placesAt(filter, asked), placesAt(whole, 0.02 * frame));
    for (int port = 0; port < 2; ++port) {
      EXPECT_EQ(
        filter->GetOutputDataObject(port)->GetInformation()->Get(vtkDataObject::DATA_TIME_STEP()), 0.02 * frame);
    }
    EXPECT_NEAR(fieldValue(filter, "N-Body Time"), 0.02 * frame, 1e-15);
    EXPECT_EQ(reportOf(filter)->GetNumberOfRows(), frame + 1);
  };
  {
    const Messages messages;
    expectFrame(0.16, 1);
    ASSERT_EQ(messages.all().size(), 1U);
    EXPECT_NE(messages.all()[0].find("frame 1 is shown, and 8 was asked for"), std::string::npos) << messages.all()[0];
    expectFrame(0.14, 2); // goes on
    expectFrame(0.02, 1); // what is there takes no time
    EXPECT_EQ(messages.all().size(), 1U);
    filter->SetStepsPerFrame(1);
    filter->UpdateTimeStep(0.08);
    EXPECT_EQ(messages.all().size(), 2U); // of another motion
    filter->SetStepsPerFrame(2);
  }
  const Messages messages;
  for (int frame = 0; frame < 5; ++frame) {
    expectFrame(0.02 * frame, frame); // one by one, as they are played
  }
  EXPECT_TRUE(messages.all().empty());
  filter->SetTimeLimit(0.0);
  expectFrame(0.12, 6);
  filter->SetTimeLimit(1e-9);
  filter->InteractiveOff(); // as in scripts
  expectFrame(0.16, 8);
  EXPECT_TRUE(messages.all().empty());
}

/// 12 frames of 144 kB, of which 6 fit into the memory limit.
TEST(NBodyMotion, FramesBeyondTheMemoryLimitAreInTheFolder) {
  const TemporaryFolder folder;
  const auto data = dataOf(randomBodies(3000));
  const auto whole = motionOf(data);
  {
    const auto filter = motionOf(data);
    for (Filter* of : {whole.Get(), filter.Get()}) {
      of->SetTimeStep(0.01);
      of->SetStepsPerFrame(1);
      of->SetNumberOfFrames(12);
    }
    filter->SetMemoryLimit(1);
    expectOneError(filter,
      "12 frames of 3000 bodies take 2 MB and the memory limit is 1 MB; there must be fewer of them, or the limit "
      "higher, or a frame folder");
    filter->SetFrameFolder((folder / "none").c_str());
    expectOneError(filter, "cannot keep frames in the folder '" + folder / "none" + "': No such file or directory");
    filter->SetFrameFolder(folder.path().c_str());
    for (const int frame : {11, 0, 5, 10, 3}) {
      EXPECT_EQ(placesAt(filter, 0.01 * frame), placesAt(whole, 0.01 * frame)) << "seed " << seed();
      EXPECT_EQ(folder.numFiles(), 6);
      ASSERT_EQ(reportOf(filter)->GetNumberOfRows(), frame + 1);
      EXPECT_EQ(report(filter, "Energy", frame), report(whole, "Energy", frame));
    }
    const Steps steps(filter);
    filter->SetMemoryLimit(2); // there are no more, so nothing is computed anew
    filter->SetFrameFolder("");
    EXPECT_EQ(placesAt(filter, 0.02), placesAt(whole, 0.02));
    filter->SetNumberOfFrames(3);
    filter->SetMemoryLimit(1); // those that are not asked for any more may go
    EXPECT_EQ(placesAt(filter, 0.02), placesAt(whole, 0.02));
    EXPECT_EQ(steps.count, 0);
    EXPECT_EQ(folder.numFiles(), 3);
    filter->SetNumberOfFrames(5);
    EXPECT_EQ(placesAt(filter, 0.04), placesAt(whole, 0.04));
    EXPECT_GT(steps.count, 0);
  }
  EXPECT_EQ(folder.numFiles(), 0);
}

// From the last frame on.
TEST(NBodyMotion, GoesOnOnTheHostWithoutMemory) {
  const auto before = notesOf("Motion of particles", ComputeSide::Host).count;
  const auto begin = [] {
    auto filter = motionOf(dataOf(randomBodies(3000)));
    filter->SetMethod(Filter::FAST_MULTIPOLE);
    filter->SetNumberOfFrames(4);
    filter->UpdateTimeStep(1.0);
    return filter;
  };
  const auto goOn = [](vtkSmartPointer<Filter> filter) {
    filter->UpdateTimeStep(3.0);
    return filter;
  };
  expectSameWithoutMemory(5, 1e-9, begin, goOn, [](const vtkSmartPointer<Filter>& filter) {
    std::vector<double> digest;
    vtkPoints* const places = vtkPolyData::SafeDownCast(filter->GetOutputDataObject(0))->GetPoints();
    appendDigest(places != nullptr ? places->GetData() : nullptr, digest);
    appendDigest(vtkDataArray::SafeDownCast(
                   vtkTable::SafeDownCast(filter->GetOutputDataObject(1))->GetColumnByName("Kinetic Energy")),
      digest);
    return digest;
  });
  EXPECT_GT(notesOf("Motion of particles", ComputeSide::Host).count, before);
}

TEST(NBodyMotion, GoesOnWhereThereIsMemoryAgain) {
  const Forced forced(SideChoice::Device);
  const auto motion = [] {
    auto filter = motionOf(dataOf(randomBodies(3000)));
    filter->SetMethod(Filter::FAST_MULTIPOLE);
    filter->SetNumberOfFrames(4);
    filter->UpdateTimeStep(1.0);
    return filter;
  };
  const auto filter = motion();
  {
    const Messages messages;
    const FailedAllocation denied(0, FailedAllocation::Then::Fail); // nor has the host memory, where it stands in
    filter->UpdateTimeStep(3.0);
    ASSERT_TRUE(denied.hasFailed());
    EXPECT_EQ(messages.all().empty(), haveDevice);
  }
  filter->Modified(); // as who tries again
  const auto found = placesAt(filter, 3.0);
  const auto expected = placesAt(motion(), 3.0);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      ASSERT_NEAR(found[i][axis], expected[i][axis], 1e-9) << "seed " << seed();
    }
  }
}

/// Another filter goes on from the frame that was shown: bit by bit, and with the same report.
TEST(NBodyMotion, RestartedFromACheckpointItMovesTheSameWay) {
  const TemporaryFolder folder;
  const std::string file = folder / "motion.state";
  const auto data = dataOf(randomBodies(30));
  const auto whole = motionOf(data); // not interrupted
  whole->SetNumberOfFrames(9);
  const auto first = motionOf(data);
  first->SetNumberOfFrames(9);
  first->SetCheckpointFile(file.c_str());
  first->UpdateTimeStep(0.0);
  EXPECT_EQ(folder.numFiles(), 0);             // the start is no progress
  for (const double frame : {5.0, 2.0, 7.0}) { // of frames that are shown the latest counts
    first->UpdateTimeStep(frame);
    EXPECT_EQ(folder.numFiles(), 1);
    const double latest = std::max(frame, 5.0);
    const auto later = motionOf(data);
    later->SetNumberOfFrames(9);
    later->SetRestartFrom(file.c_str());
    EXPECT_EQ(placesAt(later, 0.0), placesAt(whole, latest)); // there are none before
    EXPECT_EQ(fieldValue(later, "N-Body Time"), fieldValue(whole, "N-Body Time"));
    EXPECT_EQ(placesAt(later, 8.0), placesAt(whole, 8.0));
    ASSERT_EQ(reportOf(later)->GetNumberOfRows(), 9);
    for (vtkIdType row = 0; row < 9; ++row) {
      for (const char* const column : {"Time", "Kinetic Energy", "Energy Drift", "Momentum Drift"}) {
        EXPECT_EQ(report(later, column, row), report(whole, column, row));
      }
    }
  }
  // Another checkpoint, or none, begins anew.
  const auto filter = motionOf(data);
  filter->SetNumberOfFrames(9);
  filter->SetRestartFrom(file.c_str());
  EXPECT_EQ(placesAt(filter, 1.0), placesAt(whole, 7.0));
  filter->SetRestartFrom("");
  EXPECT_EQ(placesAt(filter, 1.0), placesAt(whole, 1.0));
}

TEST(NBodyMotion, ACheckpointThatDoesNotFitIsOneError) {
  const TemporaryFolder folder;
  const std::string file = folder / "motion.state";
  const auto whole = motionOf(dataOf(randomBodies(30)));
  whole->SetNumberOfFrames(9);
  whole->SetCheckpointFile(file.c_str());
  whole->UpdateTimeStep(8.0);
  const auto filter = motionOf(dataOf(randomBodies(30)));
  filter->SetNumberOfFrames(9);
  filter->SetRestartFrom((folder / "none").c_str());
  expectOneError(filter, "cannot read '" + folder.path() + "/none': No such file or directory");
  filter->SetRestartFrom(file.c_str());
  filter->SetNumberOfFrames(8);
  expectOneError(filter, "is of frame 8, and there are 8 frames from 0 on");
  filter->SetNumberOfFrames(9);
  filter->SetStepsPerFrame(7);
  expectOneError(filter, "it is of another run, 'N-body motion of 30 bodies (checksum ");
  filter->SetStepsPerFrame(10);
  filter->SetInputData(dataOf(randomBodies(31)));
  expectOneError(filter, "and this one is 'N-body motion of 31 bodies (checksum ");
  filter->SetInputData(dataOf(randomBodies(30)));
  filter->SetCheckpointFile((folder / "none/state").c_str());
  filter->UpdateTimeStep(8.0); // its own first frame is not written
  EXPECT_EQ(filter->GetOutputDataObject(0)->GetNumberOfElements(vtkDataObject::POINT), 30);
  whole->SetCheckpointFile((folder / "none/state").c_str());
  expectOneError(whole, "No such file or directory");
}

} // namespace
} // namespace spanwise::testing
