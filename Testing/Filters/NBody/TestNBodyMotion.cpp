#include "Testing/Core/Seed.hpp"
#include "Testing/Core/TemporaryFolder.hpp"
#include "Testing/Filters/Geometry/Pipelines.hpp"
#include "Testing/Filters/Sides.hpp"
#include "Testing/Filters/WithoutMemory.hpp"

#include "vtkSpanwiseNBodyMotion.h"

#include <vtkCallbackCommand.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkMultiBlockDataSet.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSphereSource.h>
#include <vtkStringArray.h>
#include <vtkTable.h>
#include <vtkUnsignedCharArray.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseNBodyMotion;
using Pipeline = vtkStreamingDemandDrivenPipeline;
using Vector = std::array<double, 3>;
constexpr int points = vtkDataObject::FIELD_ASSOCIATION_POINTS;

struct Body {
  Vector place;
  Vector velocity{};
  double mass = 1.0;
  double charge = 0.0;
};

vtkSmartPointer<vtkPolyData> dataOf(const std::vector<Body>& bodies) {
  vtkNew<vtkPoints> places;
  places->SetDataTypeToDouble();
  auto data = vtkSmartPointer<vtkPolyData>::New();
  vtkNew<vtkDoubleArray> masses;
  vtkNew<vtkDoubleArray> velocities;
  vtkNew<vtkDoubleArray> charges;
  masses->SetName("mass");
  velocities->SetName("velocity");
  velocities->SetNumberOfComponents(3);
  charges->SetName("charge");
  for (const Body& body : bodies) {
    places->InsertNextPoint(body.place.data());
    masses->InsertNextValue(body.mass);
    velocities->InsertNextTuple(body.velocity.data());
    charges->InsertNextValue(body.charge);
  }
  data->SetPoints(places);
  data->GetPointData()->AddArray(masses);
  data->GetPointData()->AddArray(velocities);
  data->GetPointData()->AddArray(charges);
  return data;
}

vtkSmartPointer<Filter> motionOf(vtkDataObject* data) {
  auto filter = vtkSmartPointer<Filter>::New();
  filter->SetInputData(data);
  filter->SetMasses(Filter::MASS_ARRAY);
  filter->SetInputArrayToProcess(0, 0, 0, points, "mass");
  filter->SetVelocities(Filter::VELOCITY_ARRAY);
  filter->SetInputArrayToProcess(1, 0, 0, points, "velocity");
  return filter;
}

std::vector<Body> randomBodies(int count) {
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  std::vector<Body> bodies;
  for (int i = 0; i < count; ++i) {
    const auto vector = [&] { return Vector{unit(random), unit(random), unit(random)}; };
    bodies.push_back({vector(), vector(), (0.5 + unit(random)) / count, unit(random) - 0.5});
  }
  return bodies;
}

Vector placeAt(Filter* filter, vtkIdType i) {
  Vector place;
  vtkPolyData::SafeDownCast(filter->GetOutputDataObject(0))->GetPoint(i, place.data());
  return place;
}

/// All places at a time.
std::vector<Vector> placesAt(Filter* filter, double time) {
  filter->UpdateTimeStep(time);
  std::vector<Vector> places;
  for (vtkIdType i = 0; i < filter->GetOutputDataObject(0)->GetNumberOfElements(vtkDataObject::POINT); ++i) {
    places.push_back(placeAt(filter, i));
  }
  return places;
}

double fieldValue(Filter* filter, const char* name) {
  return filter->GetOutputDataObject(0)->GetFieldData()->GetArray(name)->GetComponent(0, 0);
}

vtkTable* reportOf(Filter* filter) { return vtkTable::SafeDownCast(filter->GetOutputDataObject(1)); }
double report(Filter* filter, const char* column, vtkIdType row, int component = 0) {
  return vtkDataArray::SafeDownCast(reportOf(filter)->GetColumnByName(column))->GetComponent(row, component);
}

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

/// Two bodies on circles around each other, at the distance 2; their masses are 3 and 1.
std::vector<Body> pairOnCircles() {
  const double speed = std::sqrt(4.0 / 2.0); // relative: G (m + m) / r
  return {{{0.5, 0, 0}, {0, 0.25 * speed, 0}, 3.0}, {{-1.5, 0, 0}, {0, -0.75 * speed, 0}, 1.0}};
}

TEST(NBodyMotion, TwoBodiesComeBackAfterAPeriod) {
  const double period = 2.0 * std::numbers::pi * std::sqrt(8.0 / 4.0);
  const auto filter = motionOf(dataOf(pairOnCircles()));
  filter->AutomaticSofteningOff();
  double before = 0.0;
  for (const int steps : {25, 50}) { // in each of 8 frames
    filter->SetTimeStep(period / 8 / steps);
    filter->SetStepsPerFrame(steps);
    filter->SetNumberOfFrames(9);
    filter->UpdateTimeStep(period / 2);
    EXPECT_NEAR(placeAt(filter, 0)[0], -0.5, 1e-2); // on the other side
    filter->UpdateTimeStep(period);
    const double error = std::hypot(placeAt(filter, 1)[0] + 1.5, placeAt(filter, 1)[1]);
    EXPECT_LT(error, 1e-2);
    if (before > 0.0) {
      EXPECT_NEAR(before / error, 4.0, 0.2); // of second order
    }
    before = error;
    EXPECT_NEAR(fieldValue(filter, "N-Body Time"), period, 1e-12 * period);
    EXPECT_EQ(fieldValue(filter, "N-Body Softening"), 0.0);
    ASSERT_EQ(reportOf(filter)->GetNumberOfRows(), 9);
    EXPECT_NEAR(report(filter, "Time", 4), period / 2, 1e-12 * period);
    for (vtkIdType row = 0; row < 9; ++row) {
      EXPECT_NEAR(report(filter, "Kinetic Energy", row), 0.5 * 0.75 * 2.0, 1e-3); // of the reduced mass
      EXPECT_NEAR(report(filter, "Potential Energy", row), -3.0 / 2.0, 1e-3);
      EXPECT_EQ(
        report(filter, "Energy", row), report(filter, "Kinetic Energy", row) + report(filter, "Potential Energy", row));
      EXPECT_LT(std::abs(report(filter, "Energy Drift", row)), 1e-4);
      EXPECT_LT(report(filter, "Momentum Drift", row), 1e-14);
      EXPECT_NEAR(report(filter, "Angular Momentum", row, 2), 0.75 * 2.0 * std::sqrt(2.0), 1e-12);
      EXPECT_LT(report(filter, "Angular Momentum Drift", row), 1e-13);
    }
  }
}

/// Two bodies that pass each other with opposite velocities: at 1 their energy at the start is 1 - 1.
TEST(NBodyMotion, EnergyDriftIsRelativeToTheLargestKineticEnergyWhereTheStartHasLess) {
  for (const double speed : {1.0, 0.9, 0.2}) {
    const auto filter = motionOf(dataOf({{{0, 0, 0}, {0, speed, 0}}, {{1, 0, 0}, {0, -speed, 0}}}));
    filter->AutomaticSofteningOff();
    filter->SetTimeStep(0.02);
    filter->SetNumberOfFrames(11);
    filter->UpdateTimeStep(2.0);
    const double start = report(filter, "Energy", 0);
    EXPECT_NEAR(start, speed * speed - 1.0, 1e-15);
    double kinetic = 0.0;
    for (vtkIdType row = 0; row < 11; ++row) {
      kinetic = std::max(kinetic, report(filter, "Kinetic Energy", row));
      const double drift = (report(filter, "Energy", row) - start) / std::max(std::abs(start), kinetic);
      EXPECT_EQ(report(filter, "Energy Drift", row), drift);
    }
    EXPECT_GT(std::abs(report(filter, "Energy Drift", 10)), 1e-9);
  }
}

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

TEST(NBodyMotion, TheFirstStepOfTheInputIsTheStart) {
  auto source = vtkSmartPointer<StepSource>::New();
  source->type = "vtkPolyData";
  source->steps = {3.0, 4.0};
  std::vector<double> asked;
  source->fill = [&asked](double time, vtkDataObject* output) {
    asked.push_back(time);
    output->ShallowCopy(dataOf(pairOnCircles()));
  };
  const auto filter = motionOf(nullptr);
  filter->SetInputConnection(source->GetOutputPort());
  filter->SetTimeStep(0.1);
  placesAt(filter, 4.0);
  placesAt(filter, 2.0);
  EXPECT_EQ(asked, std::vector<double>({3.0}));
}

/// What is documented of softening and step, for two bodies at the distance 3.
TEST(NBodyMotion, SofteningAndStepFollowFromTheBodies) {
  const auto filter = motionOf(dataOf({{{0, 0, 0}, {}, 5.0}, {{1, 2, 2}, {}, 2.0}}));
  filter->Update();
  const double distance = 3.0 / std::cbrt(2.0);
  const double softening = distance / 30.0;
  const double pull = 5.0 * 3.0 / std::pow(9.0 + softening * softening, 1.5);
  EXPECT_NEAR(fieldValue(filter, "N-Body Softening"), softening, 1e-14);
  EXPECT_NEAR(fieldValue(filter, "N-Body Time Step"), 0.2 * std::sqrt(softening / pull), 1e-14);
  filter->AutomaticSofteningOff();
  filter->Update();
  EXPECT_EQ(fieldValue(filter, "N-Body Softening"), 0.0);
  EXPECT_NEAR(fieldValue(filter, "N-Body Time Step"), 0.02 * std::sqrt(distance / (5.0 / 9.0)), 1e-14);
  filter->SetFactor(0.0);
  filter->Update();
  EXPECT_EQ(fieldValue(filter, "N-Body Time Step"), 1.0);
}

/// Masses attract each other and like charges repel each other, by every interaction, and keep their energy.
TEST(NBodyMotion, MassesAttractAndLikeChargesRepel) {
  for (const int interaction : {Filter::INVERSE_DISTANCE, Filter::LOGARITHM, Filter::GAUSSIAN, Filter::YUKAWA}) {
    for (const double sign : {0.0, 1.0, -1.0}) { // of the second charge; 0: masses act
      const auto filter = motionOf(dataOf({{{0, 0, 0}, {}, 1.0, 2.0}, {{0, 1, 0}, {}, 3.0, sign}}));
      filter->SetInteraction(interaction);
      if (sign != 0.0) {
        filter->SetCharges(Filter::CHARGE_ARRAY);
        filter->SetInputArrayToProcess(2, 0, 0, points, "charge");
      }
      filter->SetTimeStep(1e-3);
      filter->SetStepsPerFrame(100);
      filter->SetNumberOfFrames(2);
      const auto places = placesAt(filter, 0.1);
      const double moved = places[1][1] - places[0][1] - 1.0;
      EXPECT_GT((sign > 0.0 ? 1.0 : -1.0) * moved, 1e-3) << interaction << " " << sign;
      EXPECT_NEAR(places[0][1] + 3.0 * places[1][1], 3.0, 1e-12); // the centre of mass rests
      EXPECT_NEAR(report(filter, "Energy", 1), report(filter, "Energy", 0), 1e-5);
      EXPECT_GT(report(filter, "Kinetic Energy", 1), 1e-3);
    }
  }
}

TEST(NBodyMotion, ABodyWithoutMassIsAttractedOnly) {
  const auto filter = motionOf(dataOf({{{0, 0, 0}, {}, 1.0}, {{0, 1, 0}, {}, 0.0}}));
  filter->SetTimeStep(0.01);
  filter->SetNumberOfFrames(2);
  const auto places = placesAt(filter, 0.1);
  EXPECT_EQ(places[0], Vector({0, 0, 0}));
  EXPECT_NEAR(places[1][1], 1.0 - 0.5 * 0.01, 1e-4); // falls with a = 1
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

TEST(NBodyMotion, DirectSumsAndMultipolesAgree) {
  const auto data = dataOf(randomBodies(2500));
  const auto direct = motionOf(data);
  const auto far = motionOf(data);
  direct->SetMethod(Filter::DIRECT);
  far->SetMethod(Filter::FAST_MULTIPOLE);
  far->SetAccuracy(1e-7);
  for (Filter* of : {direct.Get(), far.Get()}) {
    of->SetNumberOfFrames(2);
    of->SetStepsPerFrame(3);
  }
  const auto expected = placesAt(direct, 1.0);
  const auto found = placesAt(far, 1.0);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      ASSERT_NEAR(found[i][axis], expected[i][axis], 1e-7) << "seed " << seed();
    }
  }
  const auto method = [](Filter* of) {
    return vtkStringArray::SafeDownCast(of->GetOutputDataObject(0)->GetFieldData()->GetAbstractArray("N-Body Method"))
      ->GetValue(0);
  };
  EXPECT_NE(method(far).find("multipole"), std::string::npos);
  EXPECT_EQ(method(direct).find("multipole"), std::string::npos);
  if (!haveDevice) { // builds for devices have other direct sums, on the host too
    EXPECT_NE(method(direct).find("mutual"), std::string::npos);
  }
}

TEST(NBodyMotion, ArraysOfTheInputComeAlongAndGhostsDoNot) {
  std::vector<Body> bodies = randomBodies(20);
  const auto alone = motionOf(dataOf(bodies));
  alone->SetNumberOfFrames(2);
  const auto expected = placesAt(alone, 1.0);
  bodies.insert(bodies.begin() + 3, bodies[11]); // once more, as a ghost
  const auto data = dataOf(bodies);
  data->AllocatePointGhostArray()->SetValue(3, vtkDataSetAttributes::DUPLICATEPOINT);
  const auto filter = motionOf(data);
  filter->SetNumberOfFrames(2);
  EXPECT_EQ(placesAt(filter, 1.0), expected);
  auto* const output = vtkPolyData::SafeDownCast(filter->GetOutputDataObject(0));
  EXPECT_EQ(output->GetNumberOfCells(), 20);
  vtkPointData* const arrays = output->GetPointData();
  for (vtkIdType i = 0; i < 20; ++i) {
    EXPECT_EQ(arrays->GetArray("mass")->GetComponent(i, 0), bodies[static_cast<std::size_t>(i < 3 ? i : i + 1)].mass);
  }
  EXPECT_EQ(arrays->GetArray("velocity"), nullptr); // those at the start
  EXPECT_EQ(arrays->GetArray("Velocity")->GetNumberOfTuples(), 20);
  EXPECT_EQ(arrays->GetArray("vtkGhostType"), nullptr);
}

TEST(NBodyMotion, CellsAreBodiesAtTheirCentres) {
  vtkNew<vtkImageData> image;
  image->SetDimensions(4, 3, 3);
  vtkNew<vtkDoubleArray> masses;
  masses->SetName("mass");
  masses->SetNumberOfTuples(12);
  masses->Fill(2.0);
  image->GetCellData()->AddArray(masses);
  vtkNew<Filter> filter;
  filter->SetInputData(image);
  filter->SetBodies(Filter::CELL_CENTRES);
  filter->SetMasses(Filter::MASS_ARRAY);
  filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "mass");
  filter->SetNumberOfFrames(3);
  const auto start = placesAt(filter, 0.0);
  ASSERT_EQ(start.size(), 12U);
  EXPECT_EQ(start[11], Vector({2.5, 1.5, 1.5}));
  EXPECT_LT(placesAt(filter, 2.0)[11][0], 2.5); // falls towards the others
  EXPECT_NE(vtkDataSet::SafeDownCast(filter->GetOutputDataObject(0))->GetPointData()->GetArray("mass"), nullptr);
}

TEST(NBodyMotion, OfPiecesTheFirstIsTheWhole) {
  const auto filter = motionOf(dataOf(randomBodies(10)));
  filter->UpdatePiece(1, 2, 0);
  EXPECT_EQ(filter->GetOutputDataObject(0)->GetNumberOfElements(vtkDataObject::POINT), 0);
  filter->UpdatePiece(0, 2, 0);
  EXPECT_EQ(filter->GetOutputDataObject(0)->GetNumberOfElements(vtkDataObject::POINT), 10);
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

TEST(NBodyMotion, NoBodiesAreNoError) {
  const auto filter = motionOf(dataOf({}));
  filter->SetNumberOfFrames(3);
  EXPECT_TRUE(placesAt(filter, 2.0).empty());
  EXPECT_EQ(reportOf(filter)->GetNumberOfRows(), 3);
}

TEST(NBodyMotion, BadInputIsOneError) {
  std::vector<Body> bodies = randomBodies(5);
  const auto filter = motionOf(dataOf(bodies));
  filter->SetInputArrayToProcess(0, 0, 0, points, "weight");
  expectOneError(filter, "no array 'weight'");
  filter->SetInputArrayToProcess(0, 0, 0, points, "velocity");
  expectOneError(filter, "the array 'velocity' for the masses has 3 components; it must have 1");
  filter->SetInputArrayToProcess(0, 0, 0, points, "mass");
  filter->SetInputArrayToProcess(1, 0, 0, points, "charge");
  expectOneError(filter, "the array 'charge' for the velocities has 1 component; it must have 3");
  filter->SetInputArrayToProcess(1, 0, 0, points, "velocity");
  filter->SetSoftening(-0.5);
  expectOneError(filter, "the softening is -0.5");
  filter->SetSoftening(1e300);
  expectOneError(filter, "the softening is 1e+300; it must be within 1.5e-154 and 1.3e+154, or 0");
  filter->SetSoftening(0.0);
  filter->SetWidth(0.0);
  expectOneError(filter, "the width is 0; it must be finite and positive");
  filter->SetWidth(1.0);
  filter->SetScreening(-2.0);
  expectOneError(filter, "the screening is -2; it must be finite and not negative");
  filter->SetScreening(0.0);
  filter->SetFactor(std::nan(""));
  expectOneError(filter, "the factor is nan; it must be finite");
  filter->SetFactor(1.0);
  filter->SetTimeStep(-0.1);
  expectOneError(filter, "the time step is -0.1; it must be finite and not negative");
  filter->SetTimeStep(0.0);
  filter->SetStepsPerFrame(0);
  expectOneError(filter, "the number of steps a frame is 0; it must be at least 1");
  filter->SetStepsPerFrame(1);
  filter->SetTimeLimit(-2.0);
  expectOneError(filter, "the time limit is -2; it must be finite and not negative; 0 is no limit");
  filter->SetTimeLimit(2.0);
  filter->SetNumberOfFrames(0);
  expectOneError(filter, "the number of frames is 0");
  filter->SetNumberOfFrames(2147483647); // the list of their times alone would take 16 GiB
  expectOneError(filter, "the number of frames is 2147483647; it must be at most 1000000");
  filter->SetNumberOfFrames(5000);
  filter->SetMemoryLimit(0);
  expectOneError(filter, "the memory limit in millions of bytes is 0; it must be at least 1");
  filter->SetMemoryLimit(1);
  expectOneError(filter, "5000 frames of 5 bodies take 2 MB and the memory limit is 1 MB");
  filter->SetNumberOfFrames(5);
  filter->SetMethod(Filter::FAST_MULTIPOLE);
  filter->SetAccuracy(1e-10);
  expectOneError(filter, "the accuracy is 1e-10");
  filter->SetMethod(Filter::AUTOMATIC);
  filter->SetBodies(Filter::CELL_CENTRES);
  expectNothing(filter); // there are no cells
  filter->SetBodies(Filter::POINTS);
  bodies[2].mass = -1.0;
  filter->SetInputData(dataOf(bodies));
  expectOneError(filter, "the mass 'mass' of point 2 is -1; it must be finite and not negative");
  bodies[2].mass = 0.0;
  filter->SetInputData(dataOf(bodies));
  filter->SetCharges(Filter::CHARGE_ARRAY);
  filter->SetInputArrayToProcess(2, 0, 0, points, "charge");
  expectOneError(filter, "the mass 'mass' of point 2 is 0; it must be finite and positive where charges act");
  bodies[2].mass = 1.0;
  bodies[4].velocity[1] = std::numeric_limits<double>::infinity();
  filter->SetInputData(dataOf(bodies));
  expectOneError(filter, "the velocity 'velocity' of point 4 is inf");
  bodies[4].velocity[1] = 0.0;
  bodies[3].place[2] = std::nan("");
  filter->SetInputData(dataOf(bodies));
  expectOneError(filter, "point 3 of the input lies at");
  bodies[3].place[2] = 0.0;
  bodies[1].charge = std::nan("");
  filter->SetInputData(dataOf(bodies));
  expectOneError(filter, "the charge 'charge' of point 1 is nan; it must be finite");
}

TEST(NBodyMotion, ChoicesThatThereAreNotAreErrors) {
  const auto expectError = [](void (Filter::*set)(int), const char* message) {
    const auto filter = motionOf(dataOf(randomBodies(5)));
    (filter->*set)(-1);
    expectOneError(filter, message);
  };
  expectError(&Filter::SetBodies, "the choice of bodies is -1; it must be within 0 and 1");
  expectError(&Filter::SetMasses, "the choice of masses is -1; it must be within 0 and 1");
  expectError(&Filter::SetVelocities, "the choice of velocities is -1; it must be within 0 and 1");
  expectError(&Filter::SetCharges, "the choice of charges is -1; it must be within 0 and 1");
  expectError(&Filter::SetInteraction, "the interaction is -1; it must be within 0 and 3");
  expectError(&Filter::SetMethod, "the method is -1; it must be within 0 and 2");
}

TEST(NBodyMotion, ArraysShorterThanTheirBodiesAreOneError) {
  const auto data = dataOf(randomBodies(10));
  data->GetPointData()->GetArray("mass")->Resize(4);
  const auto filter = motionOf(data);
  expectOneError(filter, "the array 'mass' has 4 values for 10 points; there must be one a point");
}

TEST(NBodyMotion, LengthsAndMassesBeyondWhatForcesTakeAreOneError) {
  std::vector<Body> bodies = randomBodies(5);
  bodies[2].place[1] = 1e40;
  const auto filter = motionOf(dataOf(bodies));
  expectOneError(
    filter, "the distances of the bodies are about 5e+39; they must be within 1e-30 and 1e+30: use other units");
  bodies = randomBodies(5);
  for (Body& body : bodies) {
    for (double& x : body.place) {
      x *= 1e-45;
    }
  }
  filter->SetInputData(dataOf(bodies));
  expectOneError(filter, "they must be within 1e-30 and 1e+30: use other units");
  bodies = randomBodies(5);
  bodies[1].mass = 1e120;
  filter->SetInputData(dataOf(bodies));
  expectOneError(
    filter, "the masses of the bodies are about 6e+119; they must be within 1e-100 and 1e+100: use other units");
  filter->SetInputData(dataOf(randomBodies(5)));
  filter->SetAutomaticSoftening(false);
  filter->SetSoftening(1e-200);
  expectOneError(filter, "the softening is 1e-200");
}

/// The two halves of random bodies in two blocks move as all do in one.
TEST(NBodyMotion, BlocksMoveTogether) {
  const std::vector<Body> bodies = randomBodies(20);
  const auto alone = motionOf(dataOf(bodies));
  alone->SetNumberOfFrames(3);
  const auto expected = placesAt(alone, 2.0);
  vtkNew<vtkMultiBlockDataSet> blocks;
  blocks->SetBlock(0, dataOf({bodies.begin(), bodies.begin() + 7}));
  blocks->SetBlock(3, dataOf({bodies.begin() + 7, bodies.end()}));
  const auto filter = motionOf(blocks);
  filter->SetNumberOfFrames(3);
  EXPECT_EQ(placesAt(filter, 2.0), expected);
  vtkPointData* const arrays = vtkPolyData::SafeDownCast(filter->GetOutputDataObject(0))->GetPointData();
  for (vtkIdType i = 0; i < 20; ++i) {
    EXPECT_EQ(arrays->GetArray("mass")->GetComponent(i, 0), bodies[static_cast<std::size_t>(i)].mass);
  }
  EXPECT_EQ(arrays->GetArray("velocity"), nullptr); // those at the start
}

TEST(NBodyMotion, MassesOfOtherThingsThanBodiesAreAnError) {
  vtkNew<vtkSphereSource> sphere;
  sphere->Update();
  const auto filter = motionOf(sphere->GetOutput());
  filter->SetBodies(Filter::CELL_CENTRES);
  filter->SetInputArrayToProcess(0, 0, 0, points, "Normals");
  expectOneError(filter, "the array 'Normals' belongs to points and bodies are centres of cells");
}

} // namespace
} // namespace spanwise::testing
