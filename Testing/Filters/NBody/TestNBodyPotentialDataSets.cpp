// N-Body Potential: images, cells, blocks, partitions and ghosts as particles and as targets.

#include "Testing/Filters/NBody/ChargedParticles.hpp"

#include "vtkSpanwiseIntervalShape.h"

#include <vtkCellCenters.h>
#include <vtkCellData.h>
#include <vtkFieldData.h>
#include <vtkImageData.h>
#include <vtkMultiBlockDataSet.h>
#include <vtkPartitionedDataSet.h>
#include <vtkRTAnalyticSource.h>
#include <vtkUnsignedCharArray.h>

#include <cmath>

namespace spanwise::testing {
namespace {

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

} // namespace
} // namespace spanwise::testing
