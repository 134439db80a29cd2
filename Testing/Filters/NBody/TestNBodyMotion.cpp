// N-Body Motion: how bodies move, and what they are made of.

#include "Testing/Filters/NBody/MovingBodies.hpp"
#include "Testing/Filters/Sides.hpp"

#include <vtkCellData.h>
#include <vtkImageData.h>
#include <vtkMultiBlockDataSet.h>
#include <vtkStringArray.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace spanwise::testing {
namespace {

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

TEST(NBodyMotion, OfPiecesTheFirstIsTheWhole) {
  const auto filter = motionOf(dataOf(randomBodies(10)));
  filter->UpdatePiece(1, 2, 0);
  EXPECT_EQ(filter->GetOutputDataObject(0)->GetNumberOfElements(vtkDataObject::POINT), 0);
  filter->UpdatePiece(0, 2, 0);
  EXPECT_EQ(filter->GetOutputDataObject(0)->GetNumberOfElements(vtkDataObject::POINT), 10);
}

TEST(NBodyMotion, NoBodiesAreNoError) {
  const auto filter = motionOf(dataOf({}));
  filter->SetNumberOfFrames(3);
  EXPECT_TRUE(placesAt(filter, 2.0).empty());
  EXPECT_EQ(reportOf(filter)->GetNumberOfRows(), 3);
}

} // namespace
} // namespace spanwise::testing
