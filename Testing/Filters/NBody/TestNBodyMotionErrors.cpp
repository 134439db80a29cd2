// N-Body Motion: what it refuses, and the messages.

#include "Testing/Filters/NBody/MovingBodies.hpp"

#include <vtkSphereSource.h>

#include <cmath>
#include <limits>

namespace spanwise::testing {
namespace {

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
