#include "Testing/Core/Seed.hpp"
#include "Testing/Filters/Parallel/Ranks.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseIntervalShape.h"
#include "vtkSpanwiseNBodyMotion.h"
#include "vtkSpanwiseNBodyPotential.h"

#include <vtkAppendFilter.h>
#include <vtkCellArray.h>
#include <vtkCellCenters.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkImageToStructuredGrid.h>
#include <vtkMath.h>
#include <vtkMultiBlockDataSet.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkRTAnalyticSource.h>
#include <vtkSphereSource.h>
#include <vtkStructuredGrid.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace spanwise::testing {
namespace {

/// Whose particle `i` is.
using Owner = int (*)(int i, int pieces);

/// Random particles with charges, and their numbers in the whole. A piece without particles has no arrays.
vtkSmartPointer<StepSource> particles(int count, unsigned number, Owner owner) {
  auto source = vtkSmartPointer<StepSource>::New();
  source->type = "vtkPolyData";
  source->fill = [source = source.Get(), count, number, owner](double /*time*/, vtkDataObject* output) {
    std::mt19937 random(seed() + number);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    vtkNew<vtkPoints> points;
    points->SetDataTypeToDouble();
    vtkNew<vtkDoubleArray> charges;
    charges->SetName("charge");
    vtkNew<vtkDoubleArray> numbers;
    numbers->SetName("number");
    for (int i = 0; i < count; ++i) {
      const double place[3] = {unit(random), unit(random), unit(random)};
      const double charge = unit(random) - 0.5;
      if (owner(i, source->pieces) == source->piece) {
        points->InsertNextPoint(place);
        charges->InsertNextValue(charge);
        numbers->InsertNextValue(i);
      }
    }
    auto* const data = vtkPolyData::SafeDownCast(output);
    data->SetPoints(points);
    if (points->GetNumberOfPoints() > 0) {
      data->GetPointData()->AddArray(charges);
      data->GetPointData()->AddArray(numbers);
    }
  };
  return source;
}

int inTurn(int i, int pieces) { return i % pieces; }
int onTheLast(int /*i*/, int pieces) { return pieces - 1; }
int onTheFirst(int /*i*/, int /*pieces*/) { return 0; }

vtkSmartPointer<vtkSpanwiseNBodyPotential> make(
  vtkMultiProcessController* controller, StepSource* input, StepSource* targets, double softening) {
  auto filter = vtkSmartPointer<vtkSpanwiseNBodyPotential>::New();
  filter->SetController(controller);
  filter->SetInputConnection(0, input->GetOutputPort());
  if (targets != nullptr) {
    filter->SetInputConnection(1, targets->GetOutputPort());
  }
  filter->SetCharges(vtkSpanwiseNBodyPotential::ARRAY);
  filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, "charge");
  filter->SetSoftening(softening);
  return filter;
}

/// Lets a filter sum Gaussians in a periodic box, which need not be neutral, and which act at their own places.
void choosePeriodic(vtkSpanwiseNBodyPotential* filter) {
  filter->SetInteraction(vtkSpanwiseNBodyPotential::GAUSSIAN);
  filter->SetWidth(0.4);
  filter->SetPeriodicBox(true);
  filter->SetPeriodBounds(0.0, 0.9, 0.0, 0.9, 0.0, 0.9);
}

/// Expects that each rank has, at its own targets, what one process finds on the whole.
void expectSums(Owner owner, Owner ownerOfTargets, bool within, double softening, bool isPeriodic = false) {
  const auto input = particles(200, 0, owner);
  const auto targets = particles(70, 1, ownerOfTargets);
  const auto wholeInput = particles(200, 0, owner);
  const auto wholeTargets = particles(70, 1, ownerOfTargets);
  const auto alone = make(nullptr, wholeInput, within ? nullptr : wholeTargets.Get(), softening);
  const auto shared = make(world(), input, within ? nullptr : targets.Get(), softening);
  if (isPeriodic) {
    choosePeriodic(alone);
    choosePeriodic(shared);
  }
  alone->Update();
  vtkPointData* const expected = alone->GetOutput()->GetPointData();
  auto* const mine = vtkDataSet::SafeDownCast(updateTogether(shared.Get()));
  vtkPointData* const found = mine->GetPointData();
  for (vtkIdType k = 0; k < mine->GetNumberOfPoints(); ++k) {
    const auto i = static_cast<vtkIdType>(found->GetArray("number")->GetComponent(k, 0));
    const double potential = expected->GetArray("Potential")->GetComponent(i, 0);
    EXPECT_NEAR(found->GetArray("Potential")->GetComponent(k, 0), potential, 1e-11 * (1.0 + std::abs(potential)));
    for (int axis = 0; axis < 3; ++axis) {
      const double field = expected->GetArray("Field")->GetComponent(i, axis);
      EXPECT_NEAR(found->GetArray("Field")->GetComponent(k, axis), field, 1e-10 * (1.0 + std::abs(field)));
    }
  }
  const double numWithin = 200.0 * (isPeriodic ? 200.0 : 199.0); // a particle's own images act on it
  EXPECT_EQ(
    mine->GetFieldData()->GetArray("N-Body Interactions")->GetComponent(0, 0), within ? numWithin : 200.0 * 70.0);
}

TEST(NBody, SumsOfAllRanksAreThoseOfOne) {
  for (const Owner owner : {inTurn, onTheLast}) {
    for (const double softening : {0.0, 0.05}) {
      expectSums(owner, inTurn, true, softening);
      expectSums(owner, onTheFirst, false, softening);
    }
  }
}

TEST(NBody, SumsInAPeriodicBoxAreThoseOfOne) {
  for (const Owner owner : {inTurn, onTheLast}) {
    expectSums(owner, inTurn, true, 0.0, true);
    expectSums(owner, onTheFirst, false, 0.0, true);
  }
}

/// By multipoles ranks have parts of the particles, and the sums that one process finds directly, as accurate as asked.
void expectShared(Owner owner, bool within, double softening, bool isPeriodic = false) {
  const int count = isPeriodic ? 1000 : 4000;
  const auto wholeInput = particles(count, 0, owner);
  const auto wholeTargets = particles(70, 1, inTurn);
  const auto alone = make(nullptr, wholeInput, within ? nullptr : wholeTargets.Get(), softening);
  alone->SetMethod(vtkSpanwiseNBodyPotential::DIRECT);
  if (isPeriodic) {
    choosePeriodic(alone);
  }
  alone->Update();
  vtkPointData* const expected = alone->GetOutput()->GetPointData();
  const auto input = particles(count, 0, owner);
  const auto targets = particles(70, 1, inTurn);
  const auto shared = make(world(), input, within ? nullptr : targets.Get(), softening);
  shared->SetMethod(vtkSpanwiseNBodyPotential::FAST_MULTIPOLE);
  shared->SetAccuracy(1e-4);
  shared->SetErrorSamples(5);
  if (isPeriodic) {
    choosePeriodic(shared);
  }
  auto* const mine = vtkDataSet::SafeDownCast(updateTogether(shared.Get()));
  vtkPointData* const found = mine->GetPointData();
  double error = 0.0;
  for (vtkIdType k = 0; k < mine->GetNumberOfPoints(); ++k) {
    const auto i = static_cast<vtkIdType>(found->GetArray("number")->GetComponent(k, 0));
    error = std::max(error,
      std::abs(found->GetArray("Potential")->GetComponent(k, 0) - expected->GetArray("Potential")->GetComponent(i, 0)));
  }
  // |q| is 1/4 in the mean. 1 / r in a cube of side 1 is at least 1.2 in its corners and 2.4 in its middle, a Gaussian
  // with all its images pi^1.5 width^3 / volume = 0.49 in the mean over the box.
  EXPECT_LE(error, 1e-4 * count * 0.25 * (isPeriodic ? 0.4 : 1.2));
  const int size = world()->GetNumberOfProcesses();
  vtkFieldData* const about = mine->GetFieldData();
  const double largest = about->GetArray("N-Body Potential Error")->GetComponent(0, 1);
  EXPECT_GT(largest, 0.0);
  EXPECT_LE(largest, 1e-4);
  ASSERT_EQ(about->GetArray("N-Body Ranks") != nullptr, size > 1);
  if (size > 1) {
    vtkDataArray* const ranks = about->GetArray("N-Body Ranks");
    ASSERT_EQ(ranks->GetNumberOfTuples(), size);
    double total[2] = {};
    for (vtkIdType r = 0; r < size; ++r) {
      total[0] += ranks->GetComponent(r, 0);
      total[1] += ranks->GetComponent(r, 1);
      EXPECT_GT(ranks->GetComponent(r, 5), 0.0) << "bytes";
    }
    EXPECT_EQ(total[0], within ? count : 70);
    EXPECT_EQ(total[1], count);
    EXPECT_GE(about->GetArray("N-Body Imbalance")->GetComponent(0, 0), 1.0);
  }
}

TEST(NBody, RanksShareSumsByMultipoles) {
  for (const Owner owner : {inTurn, onTheLast}) {
    for (const double softening : {0.0, 0.05}) {
      expectShared(owner, true, softening);
      expectShared(owner, false, softening);
    }
  }
}

TEST(NBody, RanksShareSumsByMultipolesInAPeriodicBox) {
  expectShared(inTurn, true, 0.0, true);
  expectShared(onTheLast, false, 0.0, true);
}

TEST(NBody, AnErrorOnOneRankIsOneOnAll) {
  const auto input = particles(20, 0, inTurn);
  const auto fill = input->fill;
  input->fill = [fill, input = input.Get()](double time, vtkDataObject* output) {
    fill(time, output);
    if (input->piece == 0) {
      vtkDoubleArray::SafeDownCast(vtkDataSet::SafeDownCast(output)->GetPointData()->GetArray("charge"))
        ->SetValue(0, std::nan(""));
    }
  };
  const auto filter = make(world(), input, nullptr, 0.0);
  Messages messages;
  auto* const mine = vtkDataSet::SafeDownCast(updateTogether(filter.Get()));
  EXPECT_EQ(mine->GetNumberOfPoints(), 0);
  EXPECT_EQ(messages.all().size(), world()->GetLocalProcessId() == 0 ? 1U : 0U);
}

TEST(NBody, ChargesOfOtherComponentsOnOneRankAreOneError) {
  if (world()->GetNumberOfProcesses() == 1) {
    GTEST_SKIP() << "takes two ranks";
  }
  const auto input = particles(20, 0, inTurn);
  const auto fill = input->fill;
  input->fill = [fill, input = input.Get()](double time, vtkDataObject* output) {
    fill(time, output);
    if (input->piece == 0) {
      vtkPointData* const arrays = vtkDataSet::SafeDownCast(output)->GetPointData();
      vtkNew<vtkDoubleArray> pairs;
      pairs->SetName("charge");
      pairs->SetNumberOfComponents(2);
      pairs->SetNumberOfTuples(arrays->GetNumberOfTuples());
      pairs->Fill(1.0);
      arrays->AddArray(pairs);
    }
  };
  const auto filter = make(world(), input, nullptr, 0.0);
  Messages messages;
  updateTogether(filter.Get());
  if (world()->GetLocalProcessId() == 0) {
    ASSERT_EQ(messages.all().size(), 1U);
    EXPECT_NE(
      messages.all()[0].find("charges have 1 component on one rank and 2 on another; they must be the same array "
                             "everywhere"),
      std::string::npos)
      << messages.all()[0];
  } else {
    EXPECT_TRUE(messages.all().empty());
  }
}

/// Cells of intervals as targets: each rank has some of them, and the sums of all particles at their centres.
TEST(NBody, CellsOfIntervalsHaveTheSumsOfAllRanks) {
  for (const int method : {vtkSpanwiseNBodyPotential::DIRECT, vtkSpanwiseNBodyPotential::FAST_MULTIPOLE}) {
    const auto input = particles(200, 0, inTurn);
    vtkNew<vtkSpanwiseIntervalShape> ball;
    ball->SetController(world());
    ball->SetShape(vtkSpanwiseIntervalShape::BALL);
    ball->SetCenter(0.5, 0.5, 0.5);
    ball->SetRadius(0.7);
    ball->SetSpacing(0.11, 0.13, 0.17);
    const auto filter = make(world(), input, nullptr, 0.05);
    filter->SetInputConnection(1, ball->GetOutputPort());
    filter->SetTargets(vtkSpanwiseNBodyPotential::CELL_CENTRES);
    filter->SetMethod(method);
    auto* const mine = vtkDataSet::SafeDownCast(updateTogether(filter.Get()));
    vtkDataArray* const potentials = mine->GetCellData()->GetArray("Potential");
    ASSERT_NE(potentials, nullptr);
    EXPECT_EQ(potentials->GetNumberOfTuples(), mine->GetNumberOfCells());

    vtkNew<vtkCellCenters> centres;
    centres->SetInputData(mine);
    centres->Update();
    vtkNew<StepSource> places;
    places->type = "vtkPolyData";
    places->fill = [&](double /*time*/, vtkDataObject* output) { output->ShallowCopy(centres->GetOutput()); };
    const auto whole = particles(200, 0, inTurn);
    const auto alone = make(nullptr, whole, places.Get(), 0.05);
    alone->SetMethod(vtkSpanwiseNBodyPotential::DIRECT);
    alone->Update();
    vtkDataArray* const expected = alone->GetOutput()->GetPointData()->GetArray("Potential");
    // |q| is at most 1/2 and 1 / r at most 1 / softening
    const double error = method == vtkSpanwiseNBodyPotential::DIRECT ? 1e-11 : 1e-6 * 200 * 0.5 / 0.05;
    for (vtkIdType i = 0; i < mine->GetNumberOfCells(); ++i) {
      ASSERT_NEAR(potentials->GetComponent(i, 0), expected->GetComponent(i, 0), error) << "cell " << i;
    }
  }
}

/// A tube of 12 * 8 quadrilaterals that is closed by a seam, at which it has all points twice.
constexpr int tubeColumns = 13;
constexpr int tubeRows = 9;

void placeOnTube(int column, int row, double (&at)[3]) {
  const double angle = 2.0 * vtkMath::Pi() * (column % (tubeColumns - 1)) / (tubeColumns - 1);
  at[0] = std::cos(angle);
  at[1] = std::sin(angle);
  at[2] = 0.3 * row;
}

/// As a structured grid, cut along the seam or across it.
vtkSmartPointer<vtkAlgorithm> structuredTube(bool isCutAlong) {
  auto source = vtkSmartPointer<StepSource>::New();
  source->type = "vtkStructuredGrid";
  source->wholeExtent = {0, tubeColumns - 1, 0, tubeRows - 1, 0, 0};
  source->fill = [source = source.Get(), isCutAlong](double /*time*/, vtkDataObject* output) {
    std::array<int, 6> extent = source->wholeExtent;
    const int numCells = isCutAlong ? tubeColumns - 1 : tubeRows - 1;
    extent[isCutAlong ? 0 : 2] = numCells * source->piece / source->pieces;
    extent[isCutAlong ? 1 : 3] = numCells * (source->piece + 1) / source->pieces;
    vtkNew<vtkPoints> points;
    points->SetDataTypeToDouble();
    for (int row = extent[2]; row <= extent[3]; ++row) {
      for (int column = extent[0]; column <= extent[1]; ++column) {
        double at[3];
        placeOnTube(column, row, at);
        points->InsertNextPoint(at);
      }
    }
    auto* const grid = vtkStructuredGrid::SafeDownCast(output);
    grid->SetExtent(extent.data());
    grid->SetPoints(points);
  };
  return source;
}

/// As polygons, cut across the seam: pieces have two points in one place.
vtkSmartPointer<vtkAlgorithm> tubeOfPolygons() {
  auto source = vtkSmartPointer<StepSource>::New();
  source->type = "vtkPolyData";
  source->fill = [source = source.Get()](double /*time*/, vtkDataObject* output) {
    const int first = (tubeRows - 1) * source->piece / source->pieces;
    const int last = (tubeRows - 1) * (source->piece + 1) / source->pieces;
    vtkNew<vtkPoints> points;
    points->SetDataTypeToDouble();
    vtkNew<vtkCellArray> polygons;
    for (int row = first; row <= last; ++row) {
      for (int column = 0; column < tubeColumns; ++column) {
        double at[3];
        placeOnTube(column, row, at);
        const vtkIdType p = points->InsertNextPoint(at);
        if (row > first && column > 0) {
          const vtkIdType corners[4] = {p - tubeColumns - 1, p - tubeColumns, p, p - 1};
          polygons->InsertNextCell(4, corners);
        }
      }
    }
    auto* const surface = vtkPolyData::SafeDownCast(output);
    surface->SetPoints(points);
    surface->SetPolys(polygons);
  };
  return source;
}

/// Sources that cut themselves into pieces, which have points in common, and how many points they have.
struct Whole {
  const char* name;
  vtkIdType numPoints;
  vtkSmartPointer<vtkAlgorithm> (*make)(vtkMultiProcessController* controller);
};

vtkSmartPointer<vtkAlgorithm> wavelet(vtkMultiProcessController* /*controller*/) {
  auto image = vtkSmartPointer<vtkRTAnalyticSource>::New();
  image->SetWholeExtent(-4, 4, -3, 3, 0, 4);
  return image;
}

const std::vector<Whole>& wholes() {
  static const std::vector<Whole> all{
    {"image", 315, wavelet},
    {"structured grid", 315,
      [](vtkMultiProcessController* controller) -> vtkSmartPointer<vtkAlgorithm> {
        auto grid = vtkSmartPointer<vtkImageToStructuredGrid>::New();
        grid->SetInputConnection(wavelet(controller)->GetOutputPort());
        return grid;
      }},
    {"unstructured grid", 315,
      [](vtkMultiProcessController* controller) -> vtkSmartPointer<vtkAlgorithm> {
        auto grid = vtkSmartPointer<vtkAppendFilter>::New();
        grid->SetInputConnection(wavelet(controller)->GetOutputPort());
        return grid;
      }},
    {"surface", 86,
      [](vtkMultiProcessController* /*controller*/) -> vtkSmartPointer<vtkAlgorithm> {
        auto sphere = vtkSmartPointer<vtkSphereSource>::New();
        sphere->SetThetaResolution(12);
        sphere->SetPhiResolution(9);
        return sphere;
      }},
    {"structured tube cut along its seam", tubeColumns * tubeRows,
      [](vtkMultiProcessController* /*controller*/) { return structuredTube(true); }},
    {"structured tube cut across its seam", tubeColumns * tubeRows,
      [](vtkMultiProcessController* /*controller*/) { return structuredTube(false); }},
    {"tube of polygons", tubeColumns * tubeRows,
      [](vtkMultiProcessController* /*controller*/) { return tubeOfPolygons(); }},
    {"intervals", 5 * 6 * 7,
      [](vtkMultiProcessController* controller) -> vtkSmartPointer<vtkAlgorithm> {
        auto box = vtkSmartPointer<vtkSpanwiseIntervalShape>::New();
        box->SetController(controller);
        box->SetShape(vtkSpanwiseIntervalShape::BOX);
        box->SetCorner(0.0, 0.0, 0.0);
        box->SetLengths(4.0, 5.0, 6.0);
        box->SetSpacing(1.0, 1.0, 1.0);
        return box;
      }},
  };
  return all;
}

/// A target that each rank has, away from all of these.
vtkSmartPointer<StepSource> outside() {
  auto source = vtkSmartPointer<StepSource>::New();
  source->type = "vtkPolyData";
  source->fill = [](double /*time*/, vtkDataObject* output) {
    vtkNew<vtkPoints> points;
    points->InsertNextPoint(20.0, 30.0, 25.0);
    vtkPolyData::SafeDownCast(output)->SetPoints(points);
  };
  return source;
}

vtkSmartPointer<vtkSpanwiseNBodyPotential> unitCharges(
  vtkMultiProcessController* controller, vtkAlgorithm* input, vtkAlgorithm* targets, int method) {
  auto filter = vtkSmartPointer<vtkSpanwiseNBodyPotential>::New();
  filter->SetController(controller);
  filter->SetInputConnection(0, input->GetOutputPort());
  if (targets != nullptr) {
    filter->SetInputConnection(1, targets->GetOutputPort());
  }
  filter->SetMethod(method);
  filter->SetAccuracy(1e-8);
  return filter;
}

TEST(NBody, PointsThatPiecesHaveInCommonCountOnce) {
  for (const Whole& whole : wholes()) {
    for (const int method : {vtkSpanwiseNBodyPotential::DIRECT, vtkSpanwiseNBodyPotential::FAST_MULTIPOLE}) {
      SCOPED_TRACE(whole.name);
      const auto target = outside();
      const auto alone = unitCharges(nullptr, whole.make(nullptr), target, method);
      const auto shared = unitCharges(world(), whole.make(world()), target, method);
      alone->Update();
      auto* const mine = vtkDataSet::SafeDownCast(updateTogether(shared.Get()));
      const double expected = alone->GetOutput()->GetPointData()->GetArray("Potential")->GetComponent(0, 0);
      EXPECT_NEAR(mine->GetPointData()->GetArray("Potential")->GetComponent(0, 0), expected, 1e-8 * expected);

      // Among themselves: what the points that are on several ranks have is the same. Pieces of the surface compute the
      // points at its seam anew, off by rounding. As targets too they are where the particles are.
      const auto withinAlone = unitCharges(nullptr, whole.make(nullptr), nullptr, method);
      withinAlone->Update();
      vtkDataSet* const all = withinAlone->GetOutput();
      EXPECT_EQ(all->GetNumberOfPoints(), whole.numPoints);
      const auto source = whole.make(world());
      for (vtkAlgorithm* const targets : {static_cast<vtkAlgorithm*>(nullptr), source.Get()}) {
        const auto within = unitCharges(world(), source, targets, method);
        auto* const part = vtkDataSet::SafeDownCast(updateTogether(within.Get()));
        for (vtkIdType p = 0; p < part->GetNumberOfPoints(); ++p) {
          double at[3];
          part->GetPoint(p, at);
          const double there = all->GetPointData()->GetArray("Potential")->GetComponent(all->FindPoint(at), 0);
          EXPECT_NEAR(part->GetPointData()->GetArray("Potential")->GetComponent(p, 0), there, 1e-8 * there);
        }
      }
    }
  }
}

TEST(NBody, BodiesThatPiecesHaveInCommonMoveOnce) {
  for (const Whole& whole : wholes()) {
    SCOPED_TRACE(whole.name);
    const auto source = whole.make(world());
    vtkNew<vtkSpanwiseNBodyMotion> motion;
    motion->SetController(world());
    motion->SetInputConnection(source->GetOutputPort());
    updateTogether(motion.Get());
    EXPECT_EQ(
      everybody().sum(motion->GetOutputDataObject(0)->GetNumberOfElements(vtkDataObject::POINT)), whole.numPoints);
  }
}

/// Cells of an image as particles, which are cut among ranks in another way than the targets.
TEST(NBody, AllCellsOfAnImageActOnOtherTargets) {
  const auto make = [](vtkMultiProcessController* controller) {
    vtkNew<vtkRTAnalyticSource> targets;
    targets->SetWholeExtent(7, 20, -2, 2, 0, 3);
    const auto filter = unitCharges(controller, wavelet(controller), targets, vtkSpanwiseNBodyPotential::DIRECT);
    filter->SetParticles(vtkSpanwiseNBodyPotential::CELL_CENTRES);
    return filter;
  };
  const auto alone = make(nullptr);
  alone->Update();
  const auto shared = make(world());
  auto* const mine = vtkDataSet::SafeDownCast(updateTogether(shared.Get()));
  EXPECT_EQ(mine->GetFieldData()->GetArray("N-Body Interactions")->GetComponent(0, 0),
    192.0 * static_cast<double>(everybody().sum(mine->GetNumberOfPoints())));
  for (vtkIdType p = 0; p < mine->GetNumberOfPoints(); ++p) {
    double at[3];
    mine->GetPoint(p, at);
    const double expected =
      alone->GetOutput()->GetPointData()->GetArray("Potential")->GetComponent(alone->GetOutput()->FindPoint(at), 0);
    ASSERT_NEAR(mine->GetPointData()->GetArray("Potential")->GetComponent(p, 0), expected, 1e-12 * expected);
  }
}

/// Block k has a charge k + 1 at (k, 0, 0), on one of the ranks.
TEST(NBody, BlocksOfAllRanksActOnEachOther) {
  constexpr int numBlocks = 5;
  vtkNew<StepSource> source;
  source->type = "vtkMultiBlockDataSet";
  source->fill = [source = source.Get()](double /*time*/, vtkDataObject* output) {
    auto* const blocks = vtkMultiBlockDataSet::SafeDownCast(output);
    blocks->SetNumberOfBlocks(numBlocks);
    for (int k = 0; k < numBlocks; ++k) {
      if (k % source->pieces == source->piece) {
        vtkNew<vtkPoints> points;
        points->InsertNextPoint(k, 0.0, 0.0);
        vtkNew<vtkDoubleArray> charge;
        charge->SetName("charge");
        charge->InsertNextValue(k + 1.0);
        vtkNew<vtkPolyData> block;
        block->SetPoints(points);
        block->GetPointData()->AddArray(charge);
        blocks->SetBlock(static_cast<unsigned int>(k), block);
      }
    }
  };
  const auto filter = make(world(), source, nullptr, 0.0);
  auto* const found = vtkMultiBlockDataSet::SafeDownCast(updateTogether(filter.Get()));
  ASSERT_NE(found, nullptr);
  std::int64_t numFound = 0;
  for (int k = 0; k < numBlocks; ++k) {
    auto* const block = vtkDataSet::SafeDownCast(found->GetBlock(static_cast<unsigned int>(k)));
    if (block != nullptr) {
      double expected = 0.0;
      for (int j = 0; j < numBlocks; ++j) {
        expected += j != k ? (j + 1.0) / std::abs(k - j) : 0.0;
      }
      EXPECT_NEAR(block->GetPointData()->GetArray("Potential")->GetComponent(0, 0), expected, 1e-13 * expected);
      ++numFound;
    }
  }
  EXPECT_EQ(everybody().sum(numFound), numBlocks);
}

} // namespace
} // namespace spanwise::testing
