// N-Body Potential: interactions, methods and periodic boxes.

#include "Testing/Filters/NBody/ChargedParticles.hpp"
#include "Testing/Filters/Sides.hpp"
#include "Testing/Filters/WithoutMemory.hpp"

#include <vtkCellData.h>
#include <vtkFieldData.h>
#include <vtkSphereSource.h>
#include <vtkStringArray.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace spanwise::testing {
namespace {

// In columns there; arrays of more components than fields have come to the host.
TEST(NBodyPotential, SumsStayWhereTheyWereComputed) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  RandomParticles particles(400);
  addArray(particles.data->GetPointData(), "many", std::vector<std::vector<double>>(400, std::vector<double>(12, 0.5)));
  const auto run = [&](const char* charges, bool single) {
    return [&particles, charges, single] {
      vtkNew<Filter> filter;
      filter->SetInputData(particles.data);
      chooseCharges(filter, charges);
      filter->SetSinglePrecision(single);
      filter->Update();
      return vtkSmartPointer<vtkFieldData>(filter->GetOutput()->GetPointData());
    };
  };
  expectArraysStay({"Potential", "Field"}, 1e-11, run("charges", false));
  expectArraysStay({"Potential", "Field"}, 1e-3, run("charges", true));
  expectArraysStay({"Potential"}, 1e-11, run("many", false));
  expectSameArraysWithoutMemory({"Potential", "Field"}, 3, 1e-11, run("charges", false));
  const auto fieldOn = [&](SideChoice side) {
    const Forced forced(side);
    const vtkSmartPointer<vtkDataArray> field = run("many", false)()->GetArray("Field");
    EXPECT_EQ(field->GetNumberOfComponents(), 36);
    EXPECT_FALSE(isOnDevice(field));
    return field;
  };
  expectSameArray(fieldOn(SideChoice::Host), fieldOn(SideChoice::Device), 1e-11);
}

TEST(NBodyPotential, TwoChargesByHand) {
  const auto data = pointsAt({{0, 0, 0}, {3, 4, 0}});
  addArray(data->GetPointData(), "q", {{2.0}, {-1.0}});
  vtkNew<Filter> filter;
  filter->SetInputData(data);
  chooseCharges(filter, "q");
  filter->SetFactor(10.0);
  filter->Update();
  EXPECT_NEAR(potential(filter, 0), -10.0 / 5, 1e-14);
  EXPECT_NEAR(potential(filter, 1), 20.0 / 5, 1e-14);
  // Unlike charges: the field at each points away from the positive and towards the negative one.
  const Vector at0 = field(filter, 0);
  const Vector at1 = field(filter, 1);
  EXPECT_NEAR(at0[0], 10.0 * 3 / 125, 1e-14);
  EXPECT_NEAR(at0[1], 10.0 * 4 / 125, 1e-14);
  EXPECT_NEAR(at1[0], 20.0 * 3 / 125, 1e-14);
  EXPECT_NEAR(at1[1], 20.0 * 4 / 125, 1e-14);
  EXPECT_EQ(filter->GetOutput()->GetFieldData()->GetArray("N-Body Interactions")->GetComponent(0, 0), 2.0);
  EXPECT_STREQ(filter->GetOutput()->GetPointData()->GetScalars()->GetName(), "Potential");
  EXPECT_STREQ(filter->GetOutput()->GetPointData()->GetVectors()->GetName(), "Field");
}

TEST(NBodyPotential, SumsOfAllLawsAmongParticles) {
  const RandomParticles particles(300);
  for (const Law& law : laws()) {
    for (const bool single : {false, true}) {
      vtkNew<Filter> filter;
      filter->SetInputData(particles.data);
      chooseCharges(filter, "charges");
      filter->SetSinglePrecision(single);
      choose(filter, law);
      filter->Update();
      const double error = single ? 2e-5 : 1e-13;
      for (int i = 0; i < 300; ++i) {
        for (const std::size_t side : {0U, 1U}) {
          const Expected sums = sumsAt(particles, law, side, particles.places[static_cast<std::size_t>(i)], i);
          ASSERT_NEAR(potential(filter, i, static_cast<int>(side)), sums.potential, error * sums.potentialSize)
            << "law " << law.interaction << ", particle " << i << ", seed " << seed();
          const Vector found = field(filter, i, static_cast<int>(side));
          for (std::size_t axis = 0; axis < 3; ++axis) {
            ASSERT_NEAR(found[axis], sums.field[axis], error * sums.fieldSize);
          }
        }
      }
    }
  }
}

/// Methods that the panel no longer has come out of state files: they were direct sums, and are.
TEST(NBodyPotential, DirectSumsAreExactAndSoAreThoseOfStateFiles) {
  const RandomParticles particles(700);
  const RandomParticles others(90, 1);
  for (const bool within : {true, false}) {
    std::string methodOfDirect;
    for (const int method : {int{Filter::DIRECT}, int{Filter::AUTOMATIC}, 1, 2, 3, 4, 5, 6, 7}) {
      vtkNew<Filter> filter;
      filter->SetInputData(0, particles.data);
      if (!within) {
        filter->SetInputData(1, others.data);
      }
      chooseCharges(filter, "charges");
      filter->SetMethod(method);
      filter->Update();
      const RandomParticles& targets = within ? particles : others;
      ASSERT_EQ(filter->GetOutput()->GetNumberOfPoints(), std::ssize(targets.places));
      for (int i = 0; i < static_cast<int>(targets.places.size()); ++i) {
        const Expected sums =
          sumsAt(particles, laws()[0], 1, targets.places[static_cast<std::size_t>(i)], within ? i : -1);
        ASSERT_NEAR(potential(filter, i, 1), sums.potential, 1e-13 * sums.potentialSize) << "method " << method;
      }
      auto* const text =
        vtkStringArray::SafeDownCast(filter->GetOutput()->GetFieldData()->GetAbstractArray("N-Body Method"));
      methodOfDirect = method == Filter::DIRECT ? text->GetValue(0) : methodOfDirect;
      EXPECT_EQ(text->GetValue(0), methodOfDirect) << "method " << method;
    }
  }
}

TEST(NBodyPotential, MultipolesAreAsAccurateAsAsked) {
  const RandomParticles particles(3000);
  const RandomParticles others(2000, 1);
  for (const bool within : {true, false}) {
    for (const double accuracy : {1e-3, 1e-6}) {
      vtkNew<Filter> filter;
      filter->SetInputData(0, particles.data);
      if (!within) {
        filter->SetInputData(1, others.data);
      }
      chooseCharges(filter, "charges");
      filter->SetMethod(Filter::FAST_MULTIPOLE);
      filter->SetAccuracy(accuracy);
      filter->SetErrorSamples(500);
      filter->Update();
      const RandomParticles& targets = within ? particles : others;
      for (int i = 0; i < static_cast<int>(targets.places.size()); i += 7) {
        for (const std::size_t side : {0U, 1U}) {
          const Expected sums =
            sumsAt(particles, laws()[0], side, targets.places[static_cast<std::size_t>(i)], within ? i : -1);
          ASSERT_NEAR(potential(filter, i, static_cast<int>(side)), sums.potential, accuracy * sums.potentialSize);
          const Vector found = field(filter, i, static_cast<int>(side));
          for (std::size_t axis = 0; axis < 3; ++axis) {
            ASSERT_NEAR(found[axis], sums.field[axis], accuracy * sums.fieldSize);
          }
        }
      }
      vtkFieldData* const report = filter->GetOutput()->GetFieldData();
      for (const char* name : {"N-Body Potential Error", "N-Body Field Error"}) {
        EXPECT_GT(report->GetArray(name)->GetComponent(0, 0), 0.0) << name;
        EXPECT_GT(report->GetArray(name)->GetComponent(0, 1), 0.0) << name;
        EXPECT_LE(report->GetArray(name)->GetComponent(0, 1), accuracy) << name;
      }
      if (accuracy == 1e-3) { // at finer ones leaves are so large that all are neighbours here
        EXPECT_LT(report->GetArray("N-Body Interactions")->GetComponent(0, 0),
          2.0 * 3000.0 * static_cast<double>(targets.places.size()));
      }
      EXPECT_NE(vtkStringArray::SafeDownCast(report->GetAbstractArray("N-Body Method"))->GetValue(0).find("multipole"),
        std::string::npos);
    }
  }
}

/// 3,500 particles on themselves are 1.2e7 pairs, from which on multipoles are faster at 1e-3.
TEST(NBodyPotential, AutomaticIsWhatIsFasterForTheAccuracy) {
  const Forced host(SideChoice::Host); // a device has another number of particles, for all accuracies
  const RandomParticles particles(3500);
  vtkNew<Filter> filter;
  filter->SetInputData(particles.data);
  const auto isByMultipoles = [&](double accuracy, double softening) {
    filter->SetAccuracy(accuracy);
    filter->SetSoftening(softening);
    filter->Update();
    return vtkStringArray::SafeDownCast(filter->GetOutput()->GetFieldData()->GetAbstractArray("N-Body Method"))
             ->GetValue(0)
             .find("multipole") != std::string::npos;
  };
  EXPECT_TRUE(isByMultipoles(1e-3, 0.0));
  EXPECT_FALSE(isByMultipoles(1e-3, 0.01));
  EXPECT_FALSE(isByMultipoles(1e-6, 0.0));
}

TEST(NBodyPotential, DipolesAreTwoNearCharges) {
  const RandomParticles particles(40);
  constexpr double h = 1e-4;
  std::vector<Vector> places;
  std::vector<std::vector<double>> charges;
  for (std::size_t j = 0; j < 40; ++j) {
    for (const double sign : {1.0, -1.0}) {
      Vector place = particles.places[j];
      for (std::size_t axis = 0; axis < 3; ++axis) {
        place[axis] += sign * 0.5 * h * particles.moments[j][axis];
      }
      places.push_back(place);
      charges.push_back({sign / h});
    }
  }
  const auto pairs = pointsAt(places);
  addArray(pairs->GetPointData(), "charges", charges);
  const auto outside = pointsAt({{2, 1, 0.5}, {-1, 0.3, 0.2}, {0.5, 0.5, 3}});
  vtkNew<Filter> dipoles;
  dipoles->SetInputData(0, particles.data);
  dipoles->SetInputData(1, outside);
  dipoles->SetInteraction(Filter::DIPOLE);
  chooseCharges(dipoles, "moments");
  dipoles->Update();
  vtkNew<Filter> ofPairs;
  ofPairs->SetInputData(0, pairs);
  ofPairs->SetInputData(1, outside);
  chooseCharges(ofPairs, "charges");
  ofPairs->Update();
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(potential(dipoles, i), potential(ofPairs, i), 1e-6 * (1.0 + std::abs(potential(ofPairs, i))));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(field(dipoles, i)[axis], field(ofPairs, i)[axis], 1e-6 * (1.0 + std::abs(potential(ofPairs, i))));
    }
  }
}

/// Newton's shell theorem: outside a shell acts as a point, inside it does nothing. Charges are areas of triangles.
TEST(NBodyPotential, AShellActsAsAPointOutsideAndNotInside) {
  vtkNew<vtkSphereSource> shell;
  shell->SetRadius(1.0);
  shell->SetThetaResolution(200);
  shell->SetPhiResolution(200);
  shell->Update();
  vtkPolyData* const triangles = shell->GetOutput();
  addArray(triangles->GetCellData(), "density",
    std::vector<std::vector<double>>(static_cast<std::size_t>(triangles->GetNumberOfCells()), {0.25}));
  vtkNew<Filter> filter;
  filter->SetInputData(0, triangles);
  filter->SetInputData(1, pointsAt({{2, 0, 0}, {0, 3, 0}, {0.3, -0.4, 0.1}, {0, 0, 0}}));
  filter->SetParticles(Filter::CELL_CENTRES);
  chooseCharges(filter, "density", vtkDataObject::FIELD_ASSOCIATION_CELLS, Filter::DENSITY_ARRAY);
  filter->Update();
  const double charge = 0.25 * 4.0 * std::numbers::pi;
  EXPECT_NEAR(potential(filter, 0), charge / 2, 1e-3);
  EXPECT_NEAR(field(filter, 0)[0], charge / 4, 1e-3);
  EXPECT_NEAR(potential(filter, 1), charge / 3, 1e-3);
  EXPECT_NEAR(potential(filter, 2), charge, 2e-3);
  EXPECT_NEAR(potential(filter, 3), charge, 2e-3);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(field(filter, 2)[axis], 0.0, 2e-3);
  }
}

TEST(NBodyPotential, NoParticlesDoNothing) {
  vtkNew<Filter> filter;
  filter->SetInputData(0, pointsAt({}));
  filter->SetInputData(1, pointsAt({{1, 2, 3}}));
  filter->Update();
  EXPECT_EQ(potential(filter, 0), 0.0);
  EXPECT_EQ(field(filter, 0)[2], 0.0);
  filter->SetInputConnection(1, nullptr);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfPoints(), 0);
}

/// Rock salt from a corner of its cube to places outside it: Madelung's constant by distances of 1 / 2, at ions and at
/// a target among them, which would be the next ion; and another box by Ewald's sums.
TEST(NBodyPotential, InAPeriodicBox) {
  std::vector<Vector> places;
  std::vector<std::vector<double>> charges;
  for (int i = 0; i < 8; ++i) {
    places.push_back({0.5 * (i % 2) + 3.0, 0.5 * (i / 2 % 2), 0.5 * (i / 4) - 1.0});
    charges.push_back({(i % 2 + i / 2 + i / 4) % 2 == 0 ? 2.0 : -2.0});
  }
  const auto ions = pointsAt(places);
  addArray(ions->GetPointData(), "charges", charges);
  constexpr double madelung = 1.74756459463318219 / 0.5;
  for (const int method : {Filter::AUTOMATIC, Filter::DIRECT, Filter::FAST_MULTIPOLE}) {
    vtkNew<Filter> filter;
    filter->SetInputData(0, ions);
    chooseCharges(filter, "charges");
    filter->SetPeriodicBox(true);
    filter->SetPeriodBounds(-0.1, 0.9, 2.3, 3.3, 7.0, 8.0);
    filter->SetMethod(method);
    filter->SetAccuracy(1e-8);
    filter->SetErrorSamples(8);
    filter->Update();
    const double error = method == Filter::FAST_MULTIPOLE ? 1e-8 * 800.0 : 1e-12; // sum |q k| is less
    for (int i = 0; i < 8; ++i) {
      EXPECT_NEAR(potential(filter, i), -madelung * charges[static_cast<std::size_t>(i)][0], error) << "ion " << i;
      EXPECT_NEAR(field(filter, i)[1], 0.0, error);
    }
    vtkFieldData* const report = filter->GetOutput()->GetFieldData();
    EXPECT_LE(report->GetArray("N-Body Potential Error")->GetComponent(0, 1), 1e-8);
    EXPECT_LE(report->GetArray("N-Body Field Error")->GetComponent(0, 1), 1e-8);
    filter->SetInputData(1, pointsAt({{0.25, 0.25, 0.25}, {-2.0, 0.0, 5.0}}));
    filter->Update();
    EXPECT_NEAR(potential(filter, 0), 0.0, error);             // as near to ions of either sign
    EXPECT_NEAR(potential(filter, 1), -madelung * 2.0, error); // an ion's place: it does nothing to itself
  }
  vtkNew<Filter> filter;
  filter->SetInputData(0, ions);
  chooseCharges(filter, "charges");
  filter->SetPeriodicBox(true);
  filter->SetPeriodBounds(0.0, 1.0, 0.0, 2.0, 0.0, 1.0);
  filter->Update(); // bars of ions with gaps between them
  EXPECT_STREQ(vtkStringArray::SafeDownCast(filter->GetOutput()->GetFieldData()->GetAbstractArray("N-Body Method"))
                 ->GetValue(0)
                 .c_str(),
    "Ewald sums");
  filter->SetMethod(Filter::FAST_MULTIPOLE);
  expectOneError(filter, "the edges of the periodic box are 1, 2 and 1; multipoles are for edges of the same length");
  filter->SetPeriodBounds(0.0, 1.0, 0.0, 1001.0, 0.0, 1.0);
  filter->SetMethod(Filter::AUTOMATIC);
  expectOneError(filter, "the edges of the periodic box are 1, 1001 and 1; the longest may be 1000 times the shortest");
  filter->SetMethod(Filter::DIRECT);
  filter->SetPeriodBounds(0.0, 1.0, std::numeric_limits<double>::quiet_NaN(), 1.0, 0.0, 1.0);
  expectOneError(filter, "the corner of the periodic box is at 0, nan and 0; it must be finite");
  filter->SetPeriodBounds(0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
  expectOneError(filter, "the edges of the periodic box are 1, 0 and 1; they must be finite and positive");
  filter->SetPeriodBounds(0.0, 1.0, 0.0, 1.0, 0.0, 1.0);
  filter->SetCharges(Filter::UNIT);
  expectOneError(filter, "the total charge in the periodic box is 8 of 8 in magnitude");
}

/// The same crystal as 3 x 1 x 2 cells.
TEST(NBodyPotential, InAPeriodicBoxThatIsNoCube) {
  std::vector<Vector> places;
  std::vector<std::vector<double>> charges;
  for (int i = 0; i < 6 * 2 * 4; ++i) {
    const int at[] = {i % 6, i / 6 % 2, i / 12};
    places.push_back({0.5 * at[0], 0.5 * at[1], 0.5 * at[2]});
    charges.push_back({(at[0] + at[1] + at[2]) % 2 == 0 ? 1.0 : -1.0});
  }
  const auto ions = pointsAt(places);
  addArray(ions->GetPointData(), "charges", charges);
  vtkNew<Filter> filter;
  filter->SetInputData(0, ions);
  chooseCharges(filter, "charges");
  filter->SetPeriodicBox(true);
  filter->SetPeriodBounds(-0.1, 2.9, 2.3, 3.3, 7.0, 9.0);
  filter->Update();
  for (int i = 0; i < 48; ++i) {
    EXPECT_NEAR(potential(filter, i), -1.74756459463318219 / 0.5 * charges[static_cast<std::size_t>(i)][0], 1e-12);
    EXPECT_NEAR(field(filter, i)[0], 0.0, 1e-12) << "ion " << i;
  }
}

} // namespace
} // namespace spanwise::testing
