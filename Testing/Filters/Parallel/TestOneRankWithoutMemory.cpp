// Flows and motions where the device's memory ends on one rank alone: all ranks go on on the host.

#include "Testing/Core/Seed.hpp"
#include "Testing/Core/TemporaryFolder.hpp"
#include "Testing/Filters/Parallel/Flows.hpp"
#include "Testing/Filters/WithoutMemory.hpp"

#include "vtkSpanwiseCompressibleFlow.h"
#include "vtkSpanwiseLatticeFlow.h"
#include "vtkSpanwiseNBodyMotion.h"

#include <vtkPointSource.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <optional>
#include <random>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace spanwise::testing {
namespace {

/// Ends the program where it lives longer: ranks that wait for each other for ever are a failure, and this says where.
class TimeLimit {
public:
  TimeLimit(std::chrono::seconds limit, const std::string& what)
    : watch_([=](const std::stop_token& done) {
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable_any changed;
        if (!changed.wait_for(lock, done, limit, [&] { return done.stop_requested(); })) {
          std::cerr << what << ": not done after " << limit.count() << " s" << std::endl;
          std::abort(); // ends the other ranks too
        }
      }) {}

private:
  std::jthread watch_;
};

/// Calls goOn(begin()) on the device's side where one rank alone, the last, has no memory on the device for an
/// allocation of goOn(): for each in turn, or every `stride`-th where not all is tested. begin() makes a filter anew.
/// Expects resultOf(filter) that there always is, no message of an error, and that all ranks or none note that
/// `operation` went to the host, once.
///
/// Where the host stands in for the device it may take memory of its own before the device is asked. Without that all
/// ranks give up with one error, and the next request has the result.
template <class Begin, class GoOn, class ResultOf>
void expectSameWithoutMemoryOnOneRank(
  const char* operation, int stride, const Begin& begin, const GoOn& goOn, const ResultOf& resultOf) {
  const Forced forced(SideChoice::Device);
  const auto whole = begin();
  goOn(whole);
  const auto expected = resultOf(whole);
  const int rank = everybody().rank();
  const auto isOnAnyRank = [](bool here) { return everybody().sum(here ? 1 : 0) > 0; };
  bool isOfHost = !haveDevice;
  int numFailed = 0;
  bool hasFailed = true;
  for (int k = 0; hasFailed; k += isExhaustive() ? 1 : stride) {
    const std::string allocation = "allocation " + std::to_string(k);
    SCOPED_TRACE(allocation);
    const TimeLimit limit(std::chrono::seconds(60), allocation);
    const Messages messages;
    const auto filter = begin();
    const std::int64_t before = notesOf(operation, ComputeSide::Host).count;
    {
      std::optional<FailedAllocation> denied;
      if (rank == everybody().size() - 1) {
        denied.emplace(k);
      }
      goOn(filter);
      hasFailed = isOnAnyRank(denied && denied->hasFailed());
    }
    numFailed += hasFailed ? 1 : 0;
    const std::int64_t noted = notesOf(operation, ComputeSide::Host).count - before;
    EXPECT_LE(noted, hasFailed ? 1 : 0);
    EXPECT_EQ(everybody().sum(noted), noted * everybody().size());
    isOfHost = isOfHost && hasFailed && isOnAnyRank(!messages.all().empty()); // as long as all has been
    EXPECT_LE(messages.all().size(), isOfHost && rank == 0 ? 1U : 0U) << messages.all()[0];
    if (isOfHost) {
      filter->Modified(); // asked for the same again it would not run
    }
    ASSERT_FALSE(isOnAnyRank(resultOf(filter) != expected)); // they go on together
  }
  EXPECT_GT(numFailed, 0) << "nothing was allocated";
}

/// The same of a flow or motion: of its start with the first frame, of the way from there to frame 2, and of its start
/// from a checkpoint of frame 1. Expects resultOf(filter) of the frame that was asked for, and of the next one.
template <class Make, class ResultOf>
void expectGoesOnTogether(const char* operation, int stride, const Make& make, const ResultOf& resultOf) {
  const auto goTo = [](double frame) { return [=](const auto& filter) { updateAt(filter, frame); }; };
  const auto resultsFrom = [&](double frame) {
    return [&, frame](const auto& filter) {
      updateAt(filter, frame);
      const auto there = resultOf(filter);
      updateAt(filter, frame + 1.0);
      return std::pair(there, resultOf(filter));
    };
  };
  {
    SCOPED_TRACE("at the start");
    expectSameWithoutMemoryOnOneRank(operation, stride, make, goTo(0.0), resultsFrom(0.0));
  }
  {
    SCOPED_TRACE("from frame 0 on");
    const auto beginAtFrame0 = [&] {
      auto filter = make();
      updateAt(filter, 0.0);
      return filter;
    };
    expectSameWithoutMemoryOnOneRank(operation, stride, beginAtFrame0, goTo(2.0), resultsFrom(2.0));
  }
  SCOPED_TRACE("from a checkpoint");
  std::string path;
  std::optional<TemporaryFolder> folder;
  if (everybody().rank() == 0) {
    path = folder.emplace() / "state";
  }
  path = everybody().gather(path);
  const auto first = make();
  first->SetCheckpointFile(path.c_str());
  updateAt(first, 1.0);
  const auto beginFromFile = [&] {
    auto filter = make();
    filter->SetRestartFrom(path.c_str());
    return filter;
  };
  expectSameWithoutMemoryOnOneRank(operation, stride, beginFromFile, goTo(1.0), resultsFrom(1.0));
  EXPECT_NE(everybody().gather(path), ""); // before the folder goes
}

/// A point to read a flow at.
vtkSmartPointer<vtkPointSource> probe() {
  auto source = vtkSmartPointer<vtkPointSource>::New();
  source->SetNumberOfPoints(1);
  source->SetRadius(0.0);
  source->SetCenter(-0.75, 0.125, 0.0);
  return source;
}

TEST(OneRankWithoutMemory, CompressibleFlowGoesOn) {
  const auto make = [from = probe()] {
    auto filter = vtkSmartPointer<vtkSpanwiseCompressibleFlow>::New();
    filter->SetController(world());
    filter->SetInputConnection(1, from->GetOutputPort());
    filter->SetCellsAlongX(28);
    filter->SetNumberOfLevels(3);
    filter->SetNumberOfFrames(5);
    return filter;
  };
  constexpr std::array names = {"Density", "Pressure", "Schlieren"};
  expectGoesOnTogether("Compressible flow", 41, make, [&](const auto& filter) { return cellsOf(filter, names); });
}

/// Expects that of a liquid with so many levels.
void expectLiquidGoesOnTogether(int stride, int numLevels) {
  const auto make = [from = probe(), numLevels] {
    auto filter = vtkSmartPointer<vtkSpanwiseLatticeFlow>::New();
    filter->SetController(world());
    filter->SetInputConnection(1, from->GetOutputPort());
    filter->SetCellsAlongX(32);
    filter->SetViscosity(0.05);
    filter->SetStart(vtkSpanwiseLatticeFlow::STREAM);
    filter->SetNumberOfLevels(numLevels);
    filter->SetBufferCells(1);
    filter->SetStepsPerRemesh(6);
    filter->SetStepsPerRecord(7);
    filter->SetSteadyTolerance(1e-9);
    filter->SetNumberOfFrames(5);
    return filter;
  };
  constexpr std::array names = {"Pressure", "Velocity", "Q Criterion"};
  expectGoesOnTogether("Lattice flow", stride, make, [&](const auto& filter) { return cellsOf(filter, names); });
}

TEST(OneRankWithoutMemory, LatticeFlowGoesOn) { expectLiquidGoesOnTogether(61, 2); }

TEST(OneRankWithoutMemory, LatticeFlowOfOneLevelGoesOn) { expectLiquidGoesOnTogether(11, 1); }

/// Random bodies, dealt out to pieces in turn.
vtkSmartPointer<StepSource> bodies(int count) {
  auto source = vtkSmartPointer<StepSource>::New();
  source->type = "vtkPolyData";
  source->fill = [source = source.Get(), count](double /*time*/, vtkDataObject* output) {
    std::mt19937 random(seed());
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    vtkNew<vtkPoints> points;
    points->SetDataTypeToDouble();
    for (int i = 0; i < count; ++i) {
      const double place[3] = {unit(random), unit(random), unit(random)};
      if (i % source->pieces == source->piece) {
        points->InsertNextPoint(place);
      }
    }
    vtkPolyData::SafeDownCast(output)->SetPoints(points);
  };
  return source;
}

TEST(OneRankWithoutMemory, NBodyMotionGoesOn) {
  using Filter = vtkSpanwiseNBodyMotion;
  for (const int method : {Filter::DIRECT, Filter::FAST_MULTIPOLE}) {
    SCOPED_TRACE(method);
    const auto make = [input = bodies(300), method] {
      auto filter = vtkSmartPointer<Filter>::New();
      filter->SetController(world());
      filter->SetInputConnection(input->GetOutputPort());
      filter->SetMethod(method);
      filter->SetStepsPerFrame(2);
      filter->SetNumberOfFrames(4);
      return filter;
    };
    const auto placesOf = [](const vtkSmartPointer<Filter>& filter) {
      std::vector<double> places;
      auto* const mine = vtkDataSet::SafeDownCast(filter->GetOutputDataObject(0));
      for (vtkIdType i = 0; i < mine->GetNumberOfPoints(); ++i) {
        places.insert(places.end(), mine->GetPoint(i), mine->GetPoint(i) + 3);
      }
      return places;
    };
    expectGoesOnTogether("Motion of particles", 5, make, placesOf);
  }
}

} // namespace
} // namespace spanwise::testing
