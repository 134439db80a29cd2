#include "Testing/Core/Seed.hpp"
#include "Testing/Filters/Geometry/Pipelines.hpp"
#include "Testing/Filters/Sides.hpp"
#include "Testing/Filters/WithoutMemory.hpp"

#include "vtkSpanwiseIntervalShape.h"
#include "vtkSpanwiseNBodyPotential.h"

#include <vtkCellArray.h>
#include <vtkCellCenters.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkMultiBlockDataSet.h>
#include <vtkPartitionedDataSet.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkRTAnalyticSource.h>
#include <vtkSphereSource.h>
#include <vtkStringArray.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseNBodyPotential;
using Vector = std::array<double, 3>;

vtkSmartPointer<vtkPolyData> pointsAt(const std::vector<Vector>& places) {
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  for (const Vector& place : places) {
    points->InsertNextPoint(place.data());
  }
  auto data = vtkSmartPointer<vtkPolyData>::New();
  data->SetPoints(points);
  return data;
}

void addArray(vtkDataSetAttributes* to, const char* name, const std::vector<std::vector<double>>& tuples) {
  vtkNew<vtkDoubleArray> array;
  array->SetName(name);
  array->SetNumberOfComponents(static_cast<int>(tuples[0].size()));
  for (const std::vector<double>& tuple : tuples) {
    array->InsertNextTuple(tuple.data());
  }
  to->AddArray(array);
}

void chooseCharges(Filter* filter, const char* name, int association = vtkDataObject::FIELD_ASSOCIATION_POINTS,
  int charges = Filter::ARRAY) {
  filter->SetCharges(charges);
  filter->SetInputArrayToProcess(0, 0, 0, association, name);
}

double potential(Filter* filter, vtkIdType i, int component = 0) {
  return filter->GetOutput()->GetPointData()->GetArray("Potential")->GetComponent(i, component);
}

Vector field(Filter* filter, vtkIdType i, int side = 0) {
  vtkDataArray* const array = filter->GetOutput()->GetPointData()->GetArray("Field");
  return {array->GetComponent(i, 3 * side), array->GetComponent(i, 3 * side + 1), array->GetComponent(i, 3 * side + 2)};
}

/// Random particles in the unit cube with charges of both signs and moments.
struct RandomParticles {
  explicit RandomParticles(int count, unsigned number = 0) : random(seed() + number) {
    for (int i = 0; i < count; ++i) {
      places.push_back({unit(random), unit(random), unit(random)});
      charges.push_back({unit(random) - 0.5, unit(random)});
      moments.push_back({unit(random) - 0.5, unit(random), -unit(random)});
    }
    data = pointsAt(places);
    if (count > 0) {
      addArray(data->GetPointData(), "charges", charges);
      addArray(data->GetPointData(), "moments", moments);
    }
  }

  std::mt19937 random;
  std::uniform_real_distribution<double> unit{0.0, 1.0};
  std::vector<Vector> places;
  std::vector<std::vector<double>> charges; ///< two right-hand sides
  std::vector<std::vector<double>> moments;
  vtkSmartPointer<vtkPolyData> data;
};

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

/// What a unit charge does, by the formulas as they are in textbooks: the potential and the derivative by r.
struct Law {
  int interaction;
  double softening;
  double (*value)(double r);
  double (*derivative)(double r);
};

constexpr double epsilon = 0.1;
constexpr double sigma = 0.4;
constexpr double kappa = 2.5;

const std::vector<Law>& laws() {
  static const std::vector<Law> all{
    {Filter::INVERSE_DISTANCE, 0.0, [](double r) { return 1.0 / r; }, [](double r) { return -1.0 / (r * r); }},
    {Filter::INVERSE_DISTANCE, epsilon, [](double r) { return 1.0 / std::hypot(r, epsilon); },
      [](double r) { return -r / std::pow(std::hypot(r, epsilon), 3.0); }},
    {Filter::LOGARITHM, 0.0, [](double r) { return std::log(r); }, [](double r) { return 1.0 / r; }},
    {Filter::GAUSSIAN, 0.0, [](double r) { return std::exp(-std::pow(r / sigma, 2.0)); },
      [](double r) { return -2.0 * r / (sigma * sigma) * std::exp(-std::pow(r / sigma, 2.0)); }},
    {Filter::YUKAWA, 0.0, [](double r) { return std::exp(-kappa * r) / r; },
      [](double r) { return -(1.0 + kappa * r) * std::exp(-kappa * r) / (r * r); }}};
  return all;
}

/// Sums of one right-hand side at a place, of all particles but `without`; and the sums of what is added up, which
/// errors are measured by.
struct Expected {
  double potential = 0.0;
  Vector field{};
  double potentialSize = 0.0;
  double fieldSize = 0.0;
};

Expected sumsAt(const RandomParticles& particles, const Law& law, std::size_t side, const Vector& x, int without) {
  Expected sums;
  for (int j = 0; j < static_cast<int>(particles.places.size()); ++j) {
    if (j == without) {
      continue;
    }
    const Vector& y = particles.places[static_cast<std::size_t>(j)];
    const double q = particles.charges[static_cast<std::size_t>(j)][side];
    const double r = std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
    sums.potential += q * law.value(r);
    sums.potentialSize += std::abs(q * law.value(r));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      sums.field[axis] -= q * law.derivative(r) * (x[axis] - y[axis]) / r;
    }
    sums.fieldSize += std::abs(q * law.derivative(r));
  }
  return sums;
}

void choose(Filter* filter, const Law& law) {
  filter->SetInteraction(law.interaction);
  filter->SetSoftening(law.softening);
  filter->SetWidth(sigma);
  filter->SetScreening(kappa);
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

TEST(NBodyPotential, CellsOfAnImageAsMassAndAsTargets) {
  vtkNew<vtkImageData> image;
  image->SetDimensions(5, 4, 3);
  image->SetSpacing(0.1, 0.2, 0.3);
  addArray(image->GetCellData(), "density", std::vector<std::vector<double>>(24, {2.0}));
  vtkNew<Filter> filter;
  filter->SetInputData(0, image);
  filter->SetParticles(Filter::CELL_CENTRES);
  chooseCharges(filter, "density", vtkDataObject::FIELD_ASSOCIATION_CELLS, Filter::DENSITY_ARRAY);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetDataObjectType(), VTK_IMAGE_DATA);
  vtkDataArray* const potentials = filter->GetOutput()->GetCellData()->GetArray("Potential");
  double expected = 0.0;
  for (int k = 0; k < 2; ++k) {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 4; ++i) {
        expected += i + j + k > 0 ? 2.0 * 0.006 / std::hypot(0.1 * i, 0.2 * j, 0.3 * k) : 0.0;
      }
    }
  }
  EXPECT_NEAR(potentials->GetComponent(0, 0), expected, 1e-14);

  vtkNew<Filter> at; // charges on points, sums in the cells of the image
  at->SetInputData(0, pointsAt({{10, 0, 0}}));
  at->SetInputData(1, image);
  at->SetTargets(Filter::CELL_CENTRES);
  at->Update();
  EXPECT_NEAR(at->GetOutput()->GetCellData()->GetArray("Potential")->GetComponent(0, 0),
    1.0 / std::hypot(9.95, 0.1, 0.15), 1e-14);
  EXPECT_NE(at->GetOutput()->GetCellData()->GetArray("density"), nullptr);
}

/// Images from sources, which are asked for extents: of the particles and of the targets others.
TEST(NBodyPotential, ImagesOfOtherExtents) {
  vtkNew<vtkRTAnalyticSource> particles;
  particles->SetWholeExtent(0, 2, 0, 2, 0, 2);
  vtkNew<vtkRTAnalyticSource> targets;
  targets->SetWholeExtent(-4, 4, 5, 6, 0, 0);
  vtkNew<Filter> filter;
  filter->SetInputConnection(0, particles->GetOutputPort());
  filter->SetInputConnection(1, targets->GetOutputPort());
  filter->Update();
  ASSERT_EQ(filter->GetOutput()->GetNumberOfPoints(), 18);
  double expected = 0.0;
  for (int k = 0; k < 27; ++k) {
    expected += 1.0 / std::hypot(4.0 + k % 3, 5.0 - k / 3 % 3, k / 9);
  }
  EXPECT_NEAR(potential(filter, 0), expected, 1e-13 * expected);
  filter->SetInputConnection(1, nullptr);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfPoints(), 27);
}

TEST(NBodyPotential, GhostsDoNotActButLearn) {
  RandomParticles particles(50);
  for (const Law& law : laws()) {
    vtkNew<Filter> plain;
    plain->SetInputData(particles.data);
    chooseCharges(plain, "charges");
    choose(plain, law);
    plain->Update();
    // Particle 0 once more as a ghost at the beginning.
    std::vector<Vector> places = particles.places;
    std::vector<std::vector<double>> charges = particles.charges;
    places.insert(places.begin(), places[0]);
    charges.insert(charges.begin(), charges[0]);
    const auto data = pointsAt(places);
    addArray(data->GetPointData(), "charges", charges);
    vtkUnsignedCharArray* const ghosts = data->AllocatePointGhostArray();
    ghosts->SetValue(0, vtkDataSetAttributes::DUPLICATEPOINT);
    vtkNew<Filter> filter;
    filter->SetInputData(data);
    chooseCharges(filter, "charges");
    choose(filter, law);
    filter->Update();
    for (int side = 0; side < 2; ++side) {
      for (int i = 0; i <= 50; ++i) {
        const int same = i == 0 ? 0 : i - 1;
        ASSERT_NEAR(potential(filter, i, side), potential(plain, same, side), 1e-11) << law.interaction << " " << i;
        ASSERT_NEAR(field(filter, i, side)[0], field(plain, same, side)[0],
          1e-11 * (1.0 + std::abs(field(plain, same, side)[0])));
      }
    }
  }
}

/// Two images of 3 x 3 x 3 points that have a face in common, cut out of one extent or each with one of its own.
TEST(NBodyPotential, PartitionsOfAnImageHaveTheirFacesInCommon) {
  double expected = 0.0;
  for (int x = 0; x <= 4; ++x) {
    for (int k = 0; k < 9; ++k) {
      expected += 1.0 / std::hypot(20.0 - x, k % 3, k / 3);
    }
  }
  for (const bool isOneExtent : {true, false}) {
    vtkNew<vtkPartitionedDataSet> pieces;
    for (int k = 0; k < 2; ++k) {
      vtkNew<vtkImageData> image;
      const int first = isOneExtent ? 2 * k : 0;
      image->SetExtent(first, first + 2, 0, 2, 0, 2);
      image->SetOrigin(isOneExtent ? 0.0 : 2.0 * k, 0.0, 0.0);
      pieces->SetPartition(static_cast<unsigned int>(k), image);
    }
    vtkNew<Filter> filter;
    filter->SetInputData(0, pieces);
    filter->SetInputData(1, pointsAt({{20.0, 0.0, 0.0}}));
    filter->Update();
    EXPECT_NEAR(potential(filter, 0), expected, 1e-12 * expected) << isOneExtent;
  }
}

/// It is nobody's particle: nothing of its own is taken away from what the others do there.
TEST(NBodyPotential, HiddenPointsDoNotActButLearn) {
  RandomParticles particles(50);
  for (const Law& law : laws()) {
    vtkNew<Filter> plain;
    plain->SetInputData(0, particles.data);
    plain->SetInputData(1, pointsAt({{0.3, 0.4, 0.5}}));
    chooseCharges(plain, "charges");
    choose(plain, law);
    plain->Update();
    std::vector<Vector> places = particles.places;
    std::vector<std::vector<double>> charges = particles.charges;
    places.push_back({0.3, 0.4, 0.5});
    charges.push_back(charges[0]);
    const auto data = pointsAt(places);
    addArray(data->GetPointData(), "charges", charges);
    data->AllocatePointGhostArray()->SetValue(50, vtkDataSetAttributes::HIDDENPOINT);
    vtkNew<Filter> filter;
    filter->SetInputData(data);
    chooseCharges(filter, "charges");
    choose(filter, law);
    filter->Update();
    for (int side = 0; side < 2; ++side) {
      EXPECT_NEAR(potential(filter, 50, side), potential(plain, 0, side), 1e-11) << law.interaction;
    }
  }
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

/// Unit charges 2 apart, each in a block of its own.
TEST(NBodyPotential, BlocksActOnEachOther) {
  const auto blockAt = [](double x) {
    const auto block = pointsAt({{x, 0, 0}});
    addArray(block->GetPointData(), "q", {{1.0}});
    return block;
  };
  vtkNew<vtkMultiBlockDataSet> blocks;
  blocks->SetBlock(0, blockAt(0.0));
  vtkNew<vtkMultiBlockDataSet> inner;
  inner->SetBlock(1, blockAt(2.0));
  blocks->SetBlock(2, inner);
  vtkNew<Filter> filter;
  filter->SetInputDataObject(0, blocks);
  chooseCharges(filter, "q");
  filter->Update();
  auto* output = vtkMultiBlockDataSet::SafeDownCast(filter->GetOutputDataObject(0));
  ASSERT_NE(output, nullptr);
  const auto at = [](vtkDataObject* block) {
    return vtkDataSet::SafeDownCast(block)->GetPointData()->GetArray("Potential")->GetComponent(0, 0);
  };
  EXPECT_EQ(at(output->GetBlock(0)), 0.5);
  EXPECT_EQ(at(vtkMultiBlockDataSet::SafeDownCast(output->GetBlock(2))->GetBlock(1)), 0.5);
  EXPECT_NE(output->GetFieldData()->GetArray("N-Body Interactions"), nullptr);

  filter->SetInputData(1, pointsAt({{1, 0, 0}})); // blocks act on one target, and a particle on blocks
  filter->Update();
  EXPECT_EQ(potential(filter, 0), 2.0);
  filter->SetInputData(0, blockAt(5.0));
  filter->SetInputDataObject(1, blocks);
  filter->Update();
  output = vtkMultiBlockDataSet::SafeDownCast(filter->GetOutputDataObject(0));
  ASSERT_NE(output, nullptr);
  EXPECT_EQ(at(output->GetBlock(0)), 1.0 / 5.0);
  EXPECT_EQ(at(vtkMultiBlockDataSet::SafeDownCast(output->GetBlock(2))->GetBlock(1)), 1.0 / 3.0);

  filter->SetInputConnection(1, nullptr);
  filter->SetInputDataObject(0, blocks);
  inner->SetBlock(0, pointsAt({{7, 0, 0}}));
  Messages messages;
  filter->Update();
  ASSERT_EQ(messages.all().size(), 1U);
  EXPECT_NE(messages.all()[0].find("block 2/0: the input has no array 'q'"), std::string::npos) << messages.all()[0];
}

/// An image in two partitions, which have a plane of points in common.
TEST(NBodyPotential, PointsThatPartitionsHaveInCommonCountOnce) {
  vtkNew<vtkPartitionedDataSet> parts;
  for (unsigned int k = 0; k < 2; ++k) {
    vtkNew<vtkImageData> part;
    part->SetExtent(2 * static_cast<int>(k), 2 * static_cast<int>(k) + 2, 0, 1, 0, 1);
    parts->SetPartition(k, part);
  }
  vtkNew<Filter> filter;
  filter->SetInputDataObject(0, parts);
  filter->SetInputData(1, pointsAt({{100, 0.5, 0.5}}));
  filter->Update();
  double expected = 0.0;
  for (int x = 0; x <= 4; ++x) {
    expected += 4.0 / std::hypot(100.0 - x, 0.5, 0.5);
  }
  EXPECT_NEAR(potential(filter, 0), expected, 1e-14);
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

/// The cells of a ball of intervals, which are an unstructured grid, have the sums at their centres.
TEST(NBodyPotential, AtTheCellsOfIntervals) {
  const RandomParticles particles(60);
  for (const int dimension : {2, 3}) {
    vtkNew<vtkSpanwiseIntervalShape> ball;
    ball->SetDimension(dimension);
    ball->SetShape(vtkSpanwiseIntervalShape::BALL);
    ball->SetCenter(0.5, 0.4, dimension == 2 ? 0.0 : 0.3);
    ball->SetRadius(0.9);
    ball->SetSpacing(0.13, 0.17, 0.19);
    vtkNew<vtkCellCenters> centres;
    centres->SetInputConnection(ball->GetOutputPort());
    centres->Update();
    for (const int method : {Filter::DIRECT, Filter::FAST_MULTIPOLE}) {
      vtkNew<Filter> filter;
      filter->SetInputData(0, particles.data);
      filter->SetInputConnection(1, ball->GetOutputPort());
      filter->SetTargets(Filter::CELL_CENTRES);
      filter->SetMethod(method);
      chooseCharges(filter, "charges");
      filter->Update();
      const vtkIdType count = filter->GetOutput()->GetNumberOfCells();
      ASSERT_GT(count, 50);
      ASSERT_EQ(count, centres->GetOutput()->GetNumberOfPoints());
      EXPECT_EQ(filter->GetOutput()->GetDataObjectType(), ball->GetOutputDataObject(0)->GetDataObjectType());
      vtkDataArray* const potentials = filter->GetOutput()->GetCellData()->GetArray("Potential");
      vtkDataArray* const fields = filter->GetOutput()->GetCellData()->GetArray("Field");
      const double error = method == Filter::DIRECT ? 1e-13 : 1e-6;
      for (vtkIdType i = 0; i < count; ++i) {
        Vector place;
        centres->GetOutput()->GetPoint(i, place.data());
        const Expected sums = sumsAt(particles, laws()[0], 0, place, -1);
        ASSERT_NEAR(potentials->GetComponent(i, 0), sums.potential, error * sums.potentialSize)
          << "cell " << i << ", seed " << seed();
        for (int axis = 0; axis < 3; ++axis) {
          ASSERT_NEAR(
            fields->GetComponent(i, axis), sums.field[static_cast<std::size_t>(axis)], error * sums.fieldSize);
        }
      }
    }
  }
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
