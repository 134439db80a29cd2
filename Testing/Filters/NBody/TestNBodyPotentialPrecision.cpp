// N-Body Potential: single precision, lengths and charges of any size, and errors that are told.

#include "Testing/Filters/NBody/ChargedParticles.hpp"

#include <vtkFieldData.h>

#include <algorithm>
#include <cmath>

namespace spanwise::testing {
namespace {

/// Particles in a unit cube at a corner that is far away, in single precision, beside sums in double, by brute force.
TEST(NBodyPotential, SinglePrecisionIsAsGoodFarFromTheOrigin) {
  RandomParticles particles(200);
  for (const double far : {0.0, 1e3, 1e6, 1e9}) {
    for (const int method : {Filter::DIRECT, Filter::FAST_MULTIPOLE}) {
      for (Vector& place : particles.places) {
        for (double& x : place) {
          x = far + std::fmod(x, 1.0);
        }
      }
      const auto data = pointsAt(particles.places);
      addArray(data->GetPointData(), "charges", particles.charges);
      vtkNew<Filter> filter;
      filter->SetInputData(data);
      chooseCharges(filter, "charges");
      filter->SetSinglePrecision(true);
      filter->SetMethod(method);
      filter->SetAccuracy(1e-5);
      filter->SetErrorSamples(200);
      filter->Update();
      double largest = 0.0;
      for (int i = 0; i < 200; ++i) {
        const Expected sums = sumsAt(particles, laws()[0], 0, particles.places[static_cast<std::size_t>(i)], i);
        largest = std::max(largest, std::abs(potential(filter, i) - sums.potential) / sums.potentialSize);
      }
      EXPECT_LT(largest, 1e-5) << far << ", method " << method << ", seed " << seed();
      vtkFieldData* const report = filter->GetOutput()->GetFieldData();
      EXPECT_GE(report->GetArray("N-Body Potential Error")->GetComponent(0, 1), 0.99 * largest); // of the first charges
      EXPECT_LT(report->GetArray("N-Body Field Error")->GetComponent(0, 1), 2e-5);
    }
  }
}

/// Two particles at a distance that floats do not have where a third one is so far away that all are near 0 beside it.
TEST(NBodyPotential, ErrorsOfRoundedPlacesAreReported) {
  const auto data = pointsAt({{0, 0, 0}, {1, 0, 0}, {3e8, 0, 0}});
  vtkNew<Filter> filter;
  filter->SetInputData(data);
  filter->SetSinglePrecision(true);
  filter->SetErrorSamples(3);
  filter->Update();
  EXPECT_GT(filter->GetOutput()->GetFieldData()->GetArray("N-Body Potential Error")->GetComponent(0, 1), 0.1);
}

/// Units that are far from those that 32-bit numbers have, of lengths and of charges: sums scale.
TEST(NBodyPotential, SinglePrecisionTakesAnyUnits) {
  for (const Law& law : laws()) {
    for (const double length : {1e-25, 1.0, 1e20, 1e40}) {
      for (const double charge : {1e-46, 1e39}) {
        if (law.interaction == Filter::LOGARITHM && length != 1.0) {
          continue; // has no unit
        }
        RandomParticles particles(40);
        std::vector<Vector> places = particles.places;
        std::vector<std::vector<double>> charges = particles.charges;
        for (std::size_t i = 0; i < places.size(); ++i) {
          for (std::size_t axis = 0; axis < 3; ++axis) {
            places[i][axis] *= length;
          }
          charges[i][0] *= charge;
          charges[i][1] *= charge;
        }
        const auto data = pointsAt(places);
        addArray(data->GetPointData(), "charges", charges);
        vtkNew<Filter> filter;
        filter->SetInputData(data);
        chooseCharges(filter, "charges");
        choose(filter, law);
        filter->SetSoftening(law.softening * length);
        filter->SetWidth(sigma * length);
        filter->SetScreening(kappa / length);
        filter->SetSinglePrecision(true);
        filter->SetErrorSamples(40);
        filter->Update();
        const bool hasUnit = law.interaction != Filter::GAUSSIAN && law.interaction != Filter::LOGARITHM;
        const double unit = charge / (hasUnit ? length : 1.0);
        for (int i = 0; i < 40; ++i) {
          const Expected sums = sumsAt(particles, law, 1, particles.places[static_cast<std::size_t>(i)], i);
          ASSERT_NEAR(potential(filter, i, 1) / unit, sums.potential, 2e-5 * sums.potentialSize)
            << "law " << law.interaction << ", length " << length << ", charge " << charge;
          ASSERT_NEAR(field(filter, i, 1)[0] / unit * length, sums.field[0], 2e-5 * sums.fieldSize);
        }
        EXPECT_LT(filter->GetOutput()->GetFieldData()->GetArray("N-Body Potential Error")->GetComponent(0, 1), 2e-5);
        EXPECT_GT(filter->GetOutput()->GetFieldData()->GetArray("N-Body Potential Error")->GetComponent(0, 1), 0.0);
      }
    }
  }
}

/// In double too: squares of these lengths are beyond any number.
TEST(NBodyPotential, AnyFiniteCoordinatesHaveAnAnswerOrAMessage) {
  for (const double length : {1e-200, 1e160, 1e300}) {
    vtkNew<Filter> filter;
    filter->SetInputData(pointsAt({{0, 0, 0}, {3 * length, 4 * length, 0}}));
    filter->ComputeFieldOff(); // which may be beyond any number
    filter->Update();
    EXPECT_NEAR(potential(filter, 0) * length, 0.2, 1e-15);
    filter->SetInteraction(Filter::LOGARITHM);
    expectOneError(filter, "particles and targets lie within a box of the length");
  }
}

/// A star so far away that numbers have no digits left for a cluster: what was asked is not kept, and that is said.
TEST(NBodyPotential, ErrorsAboveWhatWasAskedAreOneWarning) {
  RandomParticles particles(2000);
  particles.places[0] = {1e60, 1e60, 1e60};
  vtkNew<Filter> filter;
  filter->SetInputData(pointsAt(particles.places));
  filter->SetMethod(Filter::FAST_MULTIPOLE);
  filter->SetSinglePrecision(true);
  filter->SetAccuracy(1e-3);
  filter->SetErrorSamples(100);
  Messages messages;
  filter->Update();
  ASSERT_EQ(messages.all().size(), 1U);
  EXPECT_NE(messages.all()[0].find("and 0.001 was asked for (Accuracy)"), std::string::npos) << messages.all()[0];
  EXPECT_EQ(filter->GetOutput()->GetNumberOfPoints(), 2000);
}

} // namespace
} // namespace spanwise::testing
