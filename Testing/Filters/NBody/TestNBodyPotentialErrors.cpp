// N-Body Potential: what it refuses, and the messages.

#include "Testing/Filters/NBody/ChargedParticles.hpp"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkImageData.h>
#include <vtkSphereSource.h>
#include <vtkUnsignedCharArray.h>

#include <limits>

namespace spanwise::testing {
namespace {

TEST(NBodyPotential, BadInputIsOneError) {
  const RandomParticles particles(5);
  vtkNew<Filter> filter;
  filter->SetInputData(0, particles.data);
  chooseCharges(filter, "mass");
  expectOneError(filter, "no array 'mass'");
  chooseCharges(filter, "charges", vtkDataObject::FIELD_ASSOCIATION_POINTS, Filter::DENSITY_ARRAY);
  expectOneError(filter, "densities belong to cells");
  chooseCharges(filter, "charges");
  filter->SetInteraction(Filter::DIPOLE);
  expectOneError(filter, "has 2 components; a dipole's moment has 3");
  filter->SetCharges(Filter::UNIT);
  expectOneError(filter, "dipoles need an array of moments");
  filter->SetInteraction(Filter::INVERSE_DISTANCE);
  filter->SetSoftening(-1.0);
  expectOneError(filter, "the softening is -1");
  filter->SetSoftening(1e300);
  expectOneError(
    filter, "the softening is 1e+300; it must be within 1.5e-154 and 1.3e+154, or 0, for sums have its square");
  filter->SetSoftening(1e-300);
  expectOneError(filter, "the softening is 1e-300; it must be within 1.5e-154");
  filter->SinglePrecisionOn();
  filter->SetSoftening(1e-30);
  expectOneError(filter, "the softening is 1e-30, and particles and targets lie within a box of the length 0.");
  filter->SinglePrecisionOff();
  filter->SetSoftening(0.0);
  filter->SetWidth(1e300);
  expectOneError(filter, "the width is 1e+300; it must be within 1.5e-154 and 1.3e+154, for sums");
  filter->SetWidth(1.0);
  filter->SetMethod(12);
  expectOneError(filter, "the method is 12; it must be 0 (automatic), 8 (fast multipole) or 9 (direct)");
  filter->SetMethod(-1);
  expectOneError(filter, "the method is -1; it must be 0");
  filter->SetMethod(Filter::AUTOMATIC);
  filter->SetScreening(-2.0);
  expectOneError(filter, "the screening is -2; it must be finite and not negative");
  filter->SetScreening(0.0);
  filter->SetFactor(std::numeric_limits<double>::infinity());
  expectOneError(filter, "the factor is inf; it must be finite");
  filter->SetFactor(1.0);
  filter->SetMethod(Filter::FAST_MULTIPOLE);
  filter->SetAccuracy(1e-10);
  expectOneError(filter, "the accuracy is 1e-10");
  filter->SetErrorSamples(-1);
  expectOneError(filter, "the number of error samples is -1");
  filter->SetErrorSamples(0);
  filter->SetMethod(Filter::AUTOMATIC);
  filter->SetInputData(1, particles.data);
  filter->ComputeFieldOff();
  filter->ComputePotentialOff();
  expectOneError(filter, "neither the potential nor the field");
  filter->ComputeFieldOn();
  filter->SetInputData(1, pointsAt({{0, 0, 0}, {1, std::numeric_limits<double>::quiet_NaN(), 0}}));
  expectOneError(filter, "point 1 of the second input (Target Input) lies at (1, nan, 0)");
  const auto bad = pointsAt({{0, 0, 0}, {1, 0, 0}});
  addArray(bad->GetPointData(), "q", {{1.0}, {std::numeric_limits<double>::infinity()}});
  filter->SetInputConnection(1, nullptr);
  filter->SetInputData(0, bad);
  chooseCharges(filter, "q");
  expectOneError(filter, "the charge 'q' of point 1 is inf");
}

TEST(NBodyPotential, ChoicesThatThereAreNotAreErrors) {
  const RandomParticles particles(5);
  const auto expectError = [&](void (Filter::*set)(int), const char* message) {
    vtkNew<Filter> filter;
    filter->SetInputData(0, particles.data);
    (filter->*set)(-1);
    expectOneError(filter, message);
  };
  expectError(&Filter::SetParticles, "the choice of particles is -1; it must be within 0 and 1");
  expectError(&Filter::SetTargets, "the choice of targets is -1; it must be within 0 and 1");
  expectError(&Filter::SetCharges, "the choice of charges is -1; it must be within 0 and 2");
  expectError(&Filter::SetInteraction, "the interaction is -1; it must be within 0 and 4");
}

TEST(NBodyPotential, ArraysShorterThanTheirPointsAreOneError) {
  RandomParticles particles(10);
  addArray(particles.data->GetPointData(), "few", {{1.0}, {2.0}, {3.0}, {4.0}});
  vtkNew<Filter> filter;
  filter->SetInputData(particles.data);
  chooseCharges(filter, "few");
  expectOneError(filter, "the array 'few' has 4 values for 10 points; there must be one a point");
  filter->SetCharges(Filter::UNIT);
  vtkNew<vtkUnsignedCharArray> ghosts;
  ghosts->SetName("vtkGhostType");
  ghosts->InsertNextValue(0);
  particles.data->GetPointData()->AddArray(ghosts);
  expectOneError(filter, "the array 'vtkGhostType' has 1 value for 10 points");
}

TEST(NBodyPotential, ChargesOfOtherThingsThanParticlesAreErrors) {
  vtkNew<vtkSphereSource> sphere;
  vtkNew<Filter> filter;
  filter->SetInputConnection(0, sphere->GetOutputPort());
  filter->SetParticles(Filter::CELL_CENTRES);
  chooseCharges(filter, "Normals");
  expectOneError(filter, "the array 'Normals' belongs to points and particles are centres of cells");
  const auto vertices = pointsAt({{0, 0, 0}, {1, 0, 0}});
  vtkNew<vtkCellArray> cells;
  for (vtkIdType i = 0; i < 2; ++i) {
    cells->InsertNextCell(1, &i);
  }
  vertices->SetVerts(cells);
  addArray(vertices->GetCellData(), "q", {{1.0}, {2.0}});
  filter->SetInputData(0, vertices);
  chooseCharges(filter, "q", vtkDataObject::FIELD_ASSOCIATION_CELLS, Filter::DENSITY_ARRAY);
  expectOneError(filter, "cell 0 has no length, area or volume, which its charge's density must be multiplied by");
  filter->SetParticles(Filter::POINTS);
  filter->SetCharges(Filter::ARRAY);
  expectOneError(filter, "the array 'q' belongs to cells and particles are points");
}

TEST(NBodyPotential, AccuracyOutOfReachInSinglePrecisionIsOneError) {
  const RandomParticles particles(5);
  vtkNew<Filter> filter;
  filter->SetInputData(particles.data);
  filter->SetMethod(Filter::FAST_MULTIPOLE);
  filter->SetSinglePrecision(true);
  filter->SetAccuracy(1e-6);
  expectOneError(filter, "the accuracy is 1e-06; multipoles in single precision reach 0.1 to 1e-05");
  filter->SetAccuracy(1e-5);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfPoints(), 5);
}

TEST(NBodyPotential, AParticleThatIsNowhereIsOneError) {
  vtkNew<Filter> filter;
  filter->SetInputData(0, pointsAt({{0, 0, 0}, {1, std::numeric_limits<double>::quiet_NaN(), 0}}));
  expectOneError(filter, "point 1 of the input lies at (1, nan, 0)");
  filter->SetInputData(1, pointsAt({{0, 0, 1}}));
  expectOneError(filter, "point 1 of the input lies at (1, nan, 0)");
}

/// More targets than any memory holds: an image of 10^15 cells, which takes none itself.
TEST(NBodyPotential, MoreTargetsThanMemoryAreOneError) {
  vtkNew<vtkImageData> image;
  image->SetDimensions(100001, 100001, 100001);
  vtkNew<Filter> filter;
  filter->SetInputData(0, pointsAt({{0, 0, 0}}));
  filter->SetInputData(1, image);
  filter->SetTargets(Filter::CELL_CENTRES);
  // 24 bytes of a place twice, and 4 numbers of 8 bytes twice
  expectOneError(filter, "sums at 1000000000000000 targets take 112000000 GB, 112 bytes each, and the machine has ");
  filter->SetTargets(Filter::POINTS);
  expectOneError(filter, "sums at 1000030000300001 targets take ");
  filter->SetInputConnection(1, nullptr);
  filter->SetInputData(0, image);
  filter->SetParticles(Filter::CELL_CENTRES);
  filter->SetComputeField(false);
  filter->SetSinglePrecision(true);
  expectOneError(filter, "sums at 1000000000000000 targets take 48000000 GB, 48 bytes each, and the machine has ");
}

} // namespace
} // namespace spanwise::testing
