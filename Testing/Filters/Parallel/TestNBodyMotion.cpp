#include "Testing/Core/Seed.hpp"
#include "Testing/Core/TemporaryFolder.hpp"
#include "Testing/Filters/Parallel/Ranks.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseNBodyMotion.h"

#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>

#include <cmath>
#include <optional>
#include <random>
#include <string>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseNBodyMotion;
using Pipeline = vtkStreamingDemandDrivenPipeline;

/// Whose body `i` is.
using Owner = int (*)(int i, int pieces);
int inTurn(int i, int pieces) { return i % pieces; }
int onTheLast(int /*i*/, int pieces) { return pieces - 1; }

/// Random bodies, and their numbers in the whole. A piece without bodies has no arrays.
vtkSmartPointer<StepSource> bodies(int count, Owner owner) {
  auto source = vtkSmartPointer<StepSource>::New();
  source->type = "vtkPolyData";
  source->fill = [source = source.Get(), count, owner](double /*time*/, vtkDataObject* output) {
    std::mt19937 random(seed());
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    vtkNew<vtkPoints> points;
    points->SetDataTypeToDouble();
    const char* const names[] = {"mass", "charge", "velocity", "number"};
    vtkNew<vtkDoubleArray> arrays[4];
    for (int k = 0; k < 4; ++k) {
      arrays[k]->SetName(names[k]);
    }
    arrays[2]->SetNumberOfComponents(3);
    for (int i = 0; i < count; ++i) {
      const double place[3] = {unit(random), unit(random), unit(random)};
      const double velocity[3] = {unit(random) - 0.5, unit(random) - 0.5, unit(random) - 0.5};
      const double mass = (0.5 + unit(random)) / count;
      const double charge = (unit(random) - 0.5) / count;
      if (owner(i, source->pieces) == source->piece) {
        points->InsertNextPoint(place);
        arrays[0]->InsertNextValue(mass);
        arrays[1]->InsertNextValue(charge);
        arrays[2]->InsertNextTuple(velocity);
        arrays[3]->InsertNextValue(i);
      }
    }
    auto* const data = vtkPolyData::SafeDownCast(output);
    data->SetPoints(points);
    for (const auto& array : arrays) {
      if (points->GetNumberOfPoints() > 0) {
        data->GetPointData()->AddArray(array);
      }
    }
  };
  return source;
}

vtkSmartPointer<Filter> make(vtkMultiProcessController* controller, StepSource* input, int method, bool charged) {
  constexpr int points = vtkDataObject::FIELD_ASSOCIATION_POINTS;
  auto filter = vtkSmartPointer<Filter>::New();
  filter->SetController(controller);
  filter->SetInputConnection(input->GetOutputPort());
  filter->SetMasses(Filter::MASS_ARRAY);
  filter->SetInputArrayToProcess(0, 0, 0, points, "mass");
  filter->SetVelocities(Filter::VELOCITY_ARRAY);
  filter->SetInputArrayToProcess(1, 0, 0, points, "velocity");
  filter->SetInputArrayToProcess(2, 0, 0, points, "charge");
  filter->SetCharges(charged ? Filter::CHARGE_ARRAY : Filter::MASSES);
  filter->SetMethod(method);
  filter->SetAccuracy(1e-7);
  filter->SetStepsPerFrame(2);
  filter->SetNumberOfFrames(4);
  return filter;
}

void updateAt(Filter* filter, double time) {
  filter->UpdateInformation();
  filter->GetOutputInformation(0)->Set(Pipeline::UPDATE_TIME_STEP(), time);
  updateTogether(filter);
}

double value(vtkDataObject* data, const char* name, vtkIdType i, int component = 0) {
  return vtkDataSet::SafeDownCast(data)->GetPointData()->GetArray(name)->GetComponent(i, component);
}

/// Expects that ranks have, at any frame, what one process finds.
void expectMotion(int count, Owner owner, int method, bool charged, double error) {
  const auto input = bodies(count, owner);
  const auto wholeInput = bodies(count, owner);
  const auto alone = make(nullptr, wholeInput, method, charged);
  const auto shared = make(world(), input, method, charged);
  for (const double frame : {2.0, 3.0, 1.0, 0.0}) {
    alone->UpdateTimeStep(frame);
    updateAt(shared, frame);
    auto* const expected = vtkDataSet::SafeDownCast(alone->GetOutputDataObject(0));
    auto* const mine = vtkDataSet::SafeDownCast(shared->GetOutputDataObject(0));
    for (vtkIdType k = 0; k < mine->GetNumberOfPoints(); ++k) {
      const auto i = static_cast<vtkIdType>(value(mine, "number", k));
      for (int axis = 0; axis < 3; ++axis) {
        ASSERT_NEAR(mine->GetPoint(k)[axis], expected->GetPoint(i)[axis], error) << "seed " << seed();
        ASSERT_NEAR(value(mine, "Velocity", k, axis), value(expected, "Velocity", i, axis), error);
      }
    }
    EXPECT_EQ(everybody().sum(mine->GetNumberOfPoints()), count);
    auto* const table = vtkTable::SafeDownCast(shared->GetOutputDataObject(1));
    auto* const tableAlone = vtkTable::SafeDownCast(alone->GetOutputDataObject(1));
    const bool isFirst = world()->GetLocalProcessId() == 0;
    ASSERT_EQ(table->GetNumberOfRows(), isFirst ? static_cast<vtkIdType>(frame) + 1 : 0);
    EXPECT_EQ(table->GetNumberOfColumns(), tableAlone->GetNumberOfColumns());
    for (vtkIdType row = 0; row < table->GetNumberOfRows(); ++row) {
      for (const char* const name : {"Time", "Kinetic Energy", "Potential Energy", "Angular Momentum"}) {
        EXPECT_NEAR(vtkDataArray::SafeDownCast(table->GetColumnByName(name))->GetComponent(row, 0),
          vtkDataArray::SafeDownCast(tableAlone->GetColumnByName(name))->GetComponent(row, 0), error);
      }
    }
    for (const char* const name : {"N-Body Time Step", "N-Body Softening"}) {
      EXPECT_NEAR(mine->GetFieldData()->GetArray(name)->GetComponent(0, 0),
        expected->GetFieldData()->GetArray(name)->GetComponent(0, 0), 1e-13);
    }
  }
}

TEST(NBodyMotion, BodiesOfAllRanksMoveAsOnOne) {
  for (const Owner owner : {inTurn, onTheLast}) {
    expectMotion(120, owner, Filter::AUTOMATIC, false, 1e-11);
    expectMotion(120, owner, Filter::AUTOMATIC, true, 1e-11);
    expectMotion(2500, owner, Filter::FAST_MULTIPOLE, false, 1e-6);
    expectMotion(2500, owner, Filter::FAST_MULTIPOLE, true, 1e-6);
  }
}

/// Of the last rank, which has all bodies: 10 frames of 120 kB.
TEST(NBodyMotion, OneRankMayHaveFramesInFiles) {
  const TemporaryFolder folder;
  const bool isLast = everybody().rank() == everybody().size() - 1;
  const auto input = bodies(2500, onTheLast);
  const auto inMemory = make(world(), input, Filter::DIRECT, false);
  const auto filter = make(world(), input, Filter::DIRECT, false);
  for (Filter* of : {inMemory.Get(), filter.Get()}) {
    of->SetStepsPerFrame(1);
    of->SetNumberOfFrames(10);
  }
  filter->SetMemoryLimit(1);
  const auto expectError = [&](const char* text) {
    const Messages messages;
    updateAt(filter, 9.0);
    ASSERT_EQ(messages.all().size(), everybody().rank() == 0 ? 1U : 0U);
    EXPECT_TRUE(messages.all().empty() || messages.all()[0].find(text) != std::string::npos) << messages.all()[0];
  };
  expectError("10 frames of 2500 bodies take 2 MB and the memory limit is 1 MB");
  filter->SetFrameFolder((isLast ? folder / "none" : folder.path()).c_str());
  expectError("No such file or directory");
  filter->SetFrameFolder(folder.path().c_str());
  filter->Modified(); // on all ranks
  for (const double frame : {9.0, 0.0, 5.0}) {
    updateAt(inMemory, frame);
    updateAt(filter, frame);
    auto* const expected = vtkDataSet::SafeDownCast(inMemory->GetOutputDataObject(0));
    auto* const found = vtkDataSet::SafeDownCast(filter->GetOutputDataObject(0));
    ASSERT_EQ(found->GetNumberOfPoints(), expected->GetNumberOfPoints());
    for (vtkIdType i = 0; i < found->GetNumberOfPoints(); ++i) {
      ASSERT_EQ(found->GetPoint(i)[0], expected->GetPoint(i)[0]);
      ASSERT_EQ(value(found, "Velocity", i), value(expected, "Velocity", i));
    }
    EXPECT_EQ(folder.numFiles(), isLast ? 2 : 0);
  }
}

/// On as many ranks, each from its own file.
TEST(NBodyMotion, RanksGoOnFromACheckpoint) {
  std::string path;
  std::optional<TemporaryFolder> folder;
  if (everybody().rank() == 0) {
    path = folder.emplace() / "state";
  }
  path = everybody().gather(path);
  for (const int method : {Filter::DIRECT, Filter::FAST_MULTIPOLE}) {
    const auto input = bodies(300, inTurn);
    const auto whole = make(world(), input, method, false);
    whole->SetCheckpointFile(path.c_str());
    updateAt(whole, 2.0);
    if (folder) {
      EXPECT_EQ(folder->numFiles(), everybody().size());
    }
    whole->SetCheckpointFile("");
    updateAt(whole, 3.0);
    const auto later = make(world(), input, method, false);
    later->SetRestartFrom(path.c_str());
    updateAt(later, 3.0);
    auto* const expected = vtkDataSet::SafeDownCast(whole->GetOutputDataObject(0));
    auto* const found = vtkDataSet::SafeDownCast(later->GetOutputDataObject(0));
    ASSERT_EQ(found->GetNumberOfPoints(), expected->GetNumberOfPoints());
    for (vtkIdType i = 0; i < found->GetNumberOfPoints(); ++i) {
      for (int axis = 0; axis < 3; ++axis) {
        ASSERT_EQ(found->GetPoint(i)[axis], expected->GetPoint(i)[axis]) << "seed " << seed();
        ASSERT_EQ(value(found, "Velocity", i, axis), value(expected, "Velocity", i, axis));
      }
    }
    // Bodies that are dealt out otherwise are another run.
    const auto other = make(world(), bodies(300, onTheLast), method, false);
    other->SetRestartFrom(path.c_str());
    Messages messages;
    updateAt(other, 3.0);
    if (everybody().size() > 1) {
      ASSERT_EQ(messages.all().size(), everybody().rank() == 0 ? 1U : 0U);
      EXPECT_TRUE(messages.all().empty() || messages.all()[0].find("it is of another run") != std::string::npos);
    }
    EXPECT_NE(everybody().gather(path), ""); // before the folder goes, or its files are replaced
  }
}

TEST(NBodyMotion, AnErrorOnOneRankIsOneOnAll) {
  const auto input = bodies(20, inTurn);
  const auto fill = input->fill;
  input->fill = [fill, input = input.Get()](double time, vtkDataObject* output) {
    fill(time, output);
    if (input->piece == 0) {
      vtkDoubleArray::SafeDownCast(vtkDataSet::SafeDownCast(output)->GetPointData()->GetArray("mass"))
        ->SetValue(0, std::nan(""));
    }
  };
  const auto filter = make(world(), input, Filter::AUTOMATIC, false);
  Messages messages;
  updateAt(filter, 2.0);
  EXPECT_EQ(filter->GetOutputDataObject(0)->GetNumberOfElements(vtkDataObject::POINT), 0);
  EXPECT_EQ(messages.all().size(), world()->GetLocalProcessId() == 0 ? 1U : 0U);
}

} // namespace
} // namespace spanwise::testing
