// Filters on the device's side. Where there is no device the host stands in for it, with sets and arrays of its own.

#include "Testing/Core/Exhaustive.hpp"
#include "Testing/Filters/Geometry/Pipelines.hpp"
#include "Testing/Filters/Sides.hpp"
#include "Testing/Filters/WithoutMemory.hpp"

#include "SpanwiseComputeOnSide.h"
#include "SpanwiseIntervalValues.h"
#include "Testing/Rooms.hpp"
#include "vtkSpanwiseAdaptiveRefinement.h"
#include "vtkSpanwiseCoarsenIntervals.h"
#include "vtkSpanwiseComponents.h"
#include "vtkSpanwiseExtractRegion.h"
#include "vtkSpanwiseFieldStencil.h"
#include "vtkSpanwiseFillHoles.h"
#include "vtkSpanwiseGridToLevels.h"
#include "vtkSpanwiseMorphology.h"
#include "vtkSpanwiseRefineIntervals.h"
#include "vtkSpanwiseResampleLevels.h"
#include "vtkSpanwiseSetAlgebra.h"
#include "vtkSpanwiseSignedDistanceToSet.h"
#include "vtkSpanwiseThresholdToIntervals.h"

#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/Copy.hpp"
#include "Core/Runtime/Runtime.hpp"

#include <vtkCellDataToPointData.h>
#include <vtkCompositeDataSet.h>
#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkIdTypeArray.h>
#include <vtkIntArray.h>
#include <vtkPointData.h>
#include <vtkShortArray.h>

#include <random>
#include <stdexcept>

namespace spanwise::testing {
namespace {

/// Random cells with an array of each kind that is carried in its own way.
template <int Dim>
vtkSmartPointer<vtkUnstructuredGrid> cellsWithValues(std::mt19937& random, Coordinate extent) {
  const CellList<Dim> cells = randomCells<Dim>(random, extent, 0.5);
  auto grid = gridOfCells<Dim>(cells, {{0.5, -1.0, 2.0}, {0.25, 0.25, 0.25}, 0});
  const auto count = static_cast<vtkIdType>(cells.size());
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  const auto add = [&](auto array, const char* name, int components) {
    array->SetName(name);
    array->SetNumberOfComponents(components);
    array->SetNumberOfTuples(count);
    for (vtkIdType k = 0; k < count * components; ++k) {
      array->SetVariantValue(k, 100.0 * value(random));
    }
    grid->GetCellData()->AddArray(array);
  };
  add(vtkSmartPointer<vtkDoubleArray>::New(), "density", 1);
  add(vtkSmartPointer<vtkFloatArray>::New(), "velocity", 3);
  add(vtkSmartPointer<vtkIntArray>::New(), "material", 1);
  add(vtkSmartPointer<vtkShortArray>::New(), "short", 1); // what stays on the host
  add(vtkSmartPointer<vtkIdTypeArray>::New(), "id", 1);
  grid->GetCellData()->SetActiveScalars("density");
  return grid;
}

/// Dilation, union with the input, filled holes, a stencil, a threshold by what it made, the largest component, a
/// region, two levels of refinement, one of coarsening, distances to the boundary, a hierarchy that follows them and is
/// refined, its finest level as a grid, and a level of them.
class Chain {
public:
  explicit Chain(vtkUnstructuredGrid* input) {
    dilation_->SetInputData(input);
    dilation_->SetElement(vtkSpanwiseMorphology::FACES);
    unionOf_->AddInputConnection(dilation_->GetOutputPort());
    unionOf_->AddInputData(input);
    holes_->SetInputConnection(unionOf_->GetOutputPort());
    stencil_->SetInputConnection(holes_->GetOutputPort());
    stencil_->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "material");
    stencil_->SetStencil(vtkSpanwiseFieldStencil::JACOBI_SMOOTHING);
    stencil_->SetIterations(3);
    threshold_->SetInputConnection(stencil_->GetOutputPort());
    threshold_->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "material Smoothed");
    threshold_->SetLowerThreshold(-20.0);
    components_->SetInputConnection(threshold_->GetOutputPort());
    components_->SetKeep(vtkSpanwiseComponents::LARGEST);
    region_->SetInputConnection(components_->GetOutputPort());
    region_->SetRegion(vtkSpanwiseExtractRegion::SPHERE);
    region_->SetRadius(100.0);
    refined_->SetInputConnection(region_->GetOutputPort());
    refined_->SetLevels(2);
    coarsened_->SetInputConnection(refined_->GetOutputPort());
    coarsened_->SetLevels(1);
    distance_->SetInputConnection(coarsened_->GetOutputPort());
    distance_->SetWhere(vtkSpanwiseSignedDistanceToSet::CELLS_OF_SET);
    distance_->SetSign(vtkSpanwiseSignedDistanceToSet::POSITIVE_INSIDE);
    levels_->SetInputConnection(distance_->GetOutputPort());
    levels_->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, distance_->GetResultArrayName());
    levels_->SetSensor(vtkSpanwiseAdaptiveRefinement::THRESHOLD);
    levels_->SetUpperThreshold(0.2);
    levels_->SetNumberOfLevels(2);
    levels_->SetBufferCells(0);
    finer_->SetInputConnection(levels_->GetOutputPort());
    finer_->Update();
    resampled_->SetInputConnection(levels_->GetOutputPort());
    resampled_->Update();
    oneLevel_->SetInputConnection(distance_->GetOutputPort());
    oneLevel_->Update();
  }

  /// Of the hierarchy each level.
  [[nodiscard]] std::vector<vtkDataObject*> outputs() const {
    std::vector<vtkDataObject*> all{dilation_->GetOutput(), unionOf_->GetOutput(), holes_->GetOutput(),
      stencil_->GetOutput(), threshold_->GetOutput(), components_->GetOutput(), region_->GetOutput(),
      refined_->GetOutputDataObject(0), coarsened_->GetOutput(), distance_->GetOutputDataObject(0),
      resampled_->GetOutputDataObject(0)};
    for (vtkAlgorithm* hierarchy : {static_cast<vtkAlgorithm*>(levels_), static_cast<vtkAlgorithm*>(finer_),
           static_cast<vtkAlgorithm*>(oneLevel_)}) {
      for (vtkDataSet* level : vtkCompositeDataSet::GetDataSets(hierarchy->GetOutputDataObject(0))) {
        if (level->GetNumberOfCells() > 0) {
          all.push_back(level);
        }
      }
    }
    return all;
  }

private:
  vtkNew<vtkSpanwiseMorphology> dilation_;
  vtkNew<vtkSpanwiseSetAlgebra> unionOf_;
  vtkNew<vtkSpanwiseFillHoles> holes_;
  vtkNew<vtkSpanwiseFieldStencil> stencil_;
  vtkNew<vtkSpanwiseThresholdToIntervals> threshold_;
  vtkNew<vtkSpanwiseComponents> components_;
  vtkNew<vtkSpanwiseExtractRegion> region_;
  vtkNew<vtkSpanwiseRefineIntervals> refined_;
  vtkNew<vtkSpanwiseCoarsenIntervals> coarsened_;
  vtkNew<vtkSpanwiseSignedDistanceToSet> distance_;
  vtkNew<vtkSpanwiseAdaptiveRefinement> levels_;
  vtkNew<vtkSpanwiseResampleLevels> resampled_;
  vtkNew<vtkSpanwiseRefineIntervals> finer_; ///< of all levels
  vtkNew<vtkSpanwiseGridToLevels> oneLevel_;
};

vtkUnstructuredGrid* gridIn(vtkDataObject* data) { return vtkUnstructuredGrid::SafeDownCast(data); }

/// Expects the same arrays, value by value.
void expectSameArrays(vtkFieldData* a, vtkFieldData* b) {
  ASSERT_EQ(a->GetNumberOfArrays(), b->GetNumberOfArrays());
  for (int k = 0; k < a->GetNumberOfArrays(); ++k) {
    vtkDataArray* const array = a->GetArray(k);
    ASSERT_NO_FATAL_FAILURE(expectSameArray(array, b->GetArray(array->GetName()), 1e-12));
  }
}

template <int Dim>
void expectSameOnBothSides(std::mt19937& random, Coordinate extent) {
  const auto input = cellsWithValues<Dim>(random, extent);
  const auto outputsOn = [&](SideChoice side) {
    const Forced forced(side);
    std::vector<vtkSmartPointer<vtkUnstructuredGrid>> kept;
    const Chain chain(input);
    for (vtkDataObject* output : chain.outputs()) {
      kept.emplace_back(gridIn(output));
    }
    return kept;
  };
  const auto onHost = outputsOn(SideChoice::Host);
  const auto onDevice = outputsOn(SideChoice::Device);
  ASSERT_EQ(onHost.size(), onDevice.size());
  for (std::size_t k = 0; k < onHost.size(); ++k) {
    SCOPED_TRACE("filter " + std::to_string(k) + " of the chain");
    ASSERT_GT(onHost[k]->GetNumberOfCells(), 0);
    EXPECT_TRUE(cellsOf<Dim>(onHost[k]) == cellsOf<Dim>(onDevice[k]));
    EXPECT_EQ(onHost[k]->GetNumberOfPoints(), onDevice[k]->GetNumberOfPoints());
    expectSameArrays(onHost[k]->GetCellData(), onDevice[k]->GetCellData());
    EXPECT_STREQ(onDevice[k]->GetCellData()->GetScalars() ? onDevice[k]->GetCellData()->GetScalars()->GetName() : "",
      onHost[k]->GetCellData()->GetScalars() ? onHost[k]->GetCellData()->GetScalars()->GetName() : "");
  }
}

TEST(Sides, GiveTheSameCellsAndValues) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  expectSameOnBothSides<2>(random, 40);
  expectSameOnBothSides<3>(random, 12);
}

TEST(Sides, KeepAChainOnTheDevice) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const Forced forced(SideChoice::Device);
  const auto input = cellsWithValues<3>(random, 12);
  for (const char* name : {"short", "id"}) {
    input->GetCellData()->RemoveArray(name);
  }
  const Chain chain(input);
  const auto outputs = chain.outputs();
  for (std::size_t filter = 0; filter < outputs.size(); ++filter) {
    SCOPED_TRACE("filter " + std::to_string(filter) + " of the chain");
    vtkUnstructuredGrid* const grid = gridIn(outputs[filter]);
    vtkCellData* const values = grid->GetCellData();
    for (int k = 0; k < values->GetNumberOfArrays(); ++k) {
      const std::string name = values->GetArrayName(k);
      if (const auto* const ofIntervals = intervalValues<3>(values->GetArray(k))) {
        EXPECT_FALSE(ofIntervals->ofIntervals().isOnHost()) << name << " was copied to the host";
      } else {
        expectOnDeviceAlone<3>(grid, name.c_str());
      }
    }
  }
}

TEST(Sides, GiveStockFiltersTheHostsCopyOnce) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const auto input = cellsWithValues<3>(random, 10);
  const auto meansOn = [&](SideChoice side) {
    const Forced forced(side);
    vtkNew<vtkSpanwiseMorphology> dilation;
    dilation->SetInputData(input);
    dilation->SetElement(vtkSpanwiseMorphology::FACES);
    dilation->Update();
    EXPECT_NE(isOnHost(dilation->GetOutput()->GetCellData()->GetArray("density")), side == SideChoice::Device);
    vtkNew<vtkCellDataToPointData> means;
    means->SetInputConnection(dilation->GetOutputPort());
    means->Update();
    vtkDataArray* const material = dilation->GetOutput()->GetCellData()->GetArray("material");
    EXPECT_EQ(isOnDevice(material), side == SideChoice::Device);
    const void* const here = material->GetVoidPointer(0);
    material->GetComponent(0, 0);
    EXPECT_EQ(material->GetVoidPointer(0), here) << "the copy was made again";
    for (vtkIdType c = 0; c < material->GetNumberOfTuples(); ++c) {
      EXPECT_EQ(static_cast<int*>(material->GetVoidPointer(0))[c], material->GetComponent(c, 0));
    }
    return vtkSmartPointer<vtkUnstructuredGrid>(gridIn(means->GetOutput()));
  };
  const auto onHost = meansOn(SideChoice::Host);
  expectSameArrays(onHost->GetPointData(), meansOn(SideChoice::Device)->GetPointData());
}

TEST(Sides, KnowTheRangesOfArraysThere) {
  const Forced forced(SideChoice::Device);
  field::FieldOn<double, SpaceOf<ComputeSide::Device>> field;
  field::HostField<double> values("speed", 4);
  const double given[] = {3.0, -1.5, std::numeric_limits<double>::quiet_NaN(), 2.0};
  std::copy_n(given, 4, values.view().values);
  field::copy(values, field);
  const auto array = mirroredArray<double>(field);
  EXPECT_EQ(array->GetRange(0)[0], -1.5);
  EXPECT_EQ(array->GetRange(0)[1], 3.0);
  EXPECT_EQ(array->GetFiniteRange(0)[1], 3.0);
  EXPECT_FALSE(isOnHost(array)) << "the values were copied for their range";
  values.view()(1) = -std::numeric_limits<double>::infinity();
  field::FieldOn<double, SpaceOf<ComputeSide::Device>> infinite;
  field::copy(values, infinite);
  const auto other = mirroredArray<double>(infinite);
  EXPECT_EQ(other->GetRange(0)[0], -std::numeric_limits<double>::infinity());
  EXPECT_EQ(other->GetFiniteRange(0)[0], 2.0);
  EXPECT_EQ(other->GetFiniteRange(0)[1], 3.0);
}

TEST(Sides, TellOfArraysInADevicesMemory) {
  using Device = SpaceOf<ComputeSide::Device>;
  const auto arrayOf = [](int numComponents) {
    field::FieldOn<double, Device> field("speed", 3, numComponents);
    field::fill(Context<Device>(), field, 1.0);
    return std::pair(field, vtkSmartPointer<vtkDataArray>(mirroredArray<double>(field)));
  };
  const auto [field, array] = arrayOf(1);
  const double* const there = field.view().values;
  EXPECT_EQ(array->GetMemorySpace() == vtkDataArray::HostMemory, !haveDevice);
  EXPECT_EQ(array->GetDeviceVoidPointer(0), haveDevice ? static_cast<const void*>(there) : nullptr);
  EXPECT_EQ(array->GetDeviceVoidPointer(2), haveDevice ? static_cast<const void*>(there + 2) : nullptr);
  EXPECT_FALSE(isOnHost(array)) << "the values were copied";
  const auto tuples = arrayOf(3).second; // columns there, which VTK has no word for
  EXPECT_EQ(tuples->GetMemorySpace(), vtkDataArray::HostMemory);
  EXPECT_EQ(tuples->GetDeviceVoidPointer(0), nullptr);
}

TEST(Sides, RefuseToBeWritten) {
  field::FieldOn<float, SpaceOf<ComputeSide::Device>> field("speed", 3);
  field::fill(Context<SpaceOf<ComputeSide::Device>>(), field, 1.0F);
  const auto array = mirroredArray<float>(field);
  const Messages messages;
  array->SetComponent(0, 0, 2.0);
  array->SetComponent(1, 0, 2.0);
  ASSERT_EQ(messages.all().size(), 1U);
  EXPECT_NE(messages.all()[0].find("cannot be changed in place"), std::string::npos) << messages.all()[0];
  EXPECT_EQ(array->GetComponent(0, 0), 1.0);
  const auto copy = vtkSmartPointer<vtkDataArray>::Take(array->NewInstance()); // one that can
  copy->DeepCopy(array);
  copy->SetComponent(0, 0, 2.0);
  EXPECT_EQ(copy->GetComponent(0, 0), 2.0);
  EXPECT_EQ(copy->GetComponent(2, 0), 1.0);
}

std::size_t bytesHeld() {
  std::size_t bytes = 0;
  for (const MemoryAccount& account : runtimeReport().memory) {
    bytes += account.bytesNow;
  }
  return bytes;
}

// 100 runs of all filters of the chain here, 10,000 where all is tested.
TEST(Sides, LeaveNoMemoryBehind) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const auto input = cellsWithValues<3>(random, 6);
  const Forced forced(SideChoice::Device);
  const auto run = [&] {
    const Chain chain(input);
    gridIn(chain.outputs().back())->GetCellData()->GetArray("density")->GetComponent(0, 0); // on the host, too
  };
  run();
  const std::size_t before = bytesHeld();
  const int runs = isExhaustive() ? 10000 : 100;
  for (int k = 0; k < runs; ++k) {
    run();
  }
  EXPECT_EQ(bytesHeld(), before);
}

TEST(Sides, FallBackToTheHostWithoutMemory) {
  const Forced forced(SideChoice::Device);
  const MirroredSet<2> set(toHostSet<2>({{{0, 0}}, {{1, 0}}}));
  int calls = 0;
  computeOnSide<2>(
    RankGroup(), "Without memory", {{&set}}, [&]<ComputeSide side>(const SideContext<side>& /*context*/) {
      ++calls;
      if (side == ComputeSide::Device) {
        throw std::runtime_error("Kokkos ERROR: Cuda memory space failed to allocate 1 TiB");
      }
    });
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(notesOf("Without memory", ComputeSide::Host).count, 1);
  EXPECT_EQ(notesOf("Without memory", ComputeSide::Device).count, 0);
  EXPECT_NE(toString(sideNotes()).find("Without memory on the host, once (the device has not enough memory)"),
    std::string::npos)
    << toString(sideNotes());
  EXPECT_THROW(computeOnSide<2>(RankGroup(), "Wrong", {{&set}},
                 [&]<ComputeSide side>(const SideContext<side>& /*context*/) { throw InvalidArgument("wrong"); }),
    InvalidArgument); // what is wrong there is wrong here, too
  EXPECT_EQ(notesOf("Wrong", ComputeSide::Host).count, 0);
}

TEST(Sides, FallBackToTheHostMidway) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const auto input = cellsWithValues<3>(random, 6);
  const auto run = [&] { return std::make_unique<Chain>(input); };
  expectSameWithoutMemory(13, 1e-12, run, [](const std::unique_ptr<Chain>& chain) {
    std::vector<double> digest;
    for (vtkDataObject* output : chain->outputs()) {
      digest.push_back(static_cast<double>(gridIn(output)->GetNumberOfCells()));
      appendDigest(gridIn(output)->GetCellData()->GetArray("density"), digest);
    }
    return digest;
  });
}

TEST(Sides, AreChosenBySize) {
  using enum ComputeSide;
  const auto side = [](const SideWork& work) { return sideFor(work, SideChoice::Automatic, true).side; };
  EXPECT_EQ(side({0, 0, true}), Host);
  EXPECT_EQ(side({9'999, 99'999, true}), Host);
  EXPECT_EQ(side({10'000, 0, false}), Device);
  EXPECT_EQ(side({10'000, 100'000, false, true}), Host);
  EXPECT_EQ(side({10, 100'000, false}), Device);
  EXPECT_EQ(side(workOnElements(30'000)), Host);
  EXPECT_EQ(side(workOnElements(40'000)), Device);
  EXPECT_EQ(side(workOnPairs(1'900, 1'900, false)), Host);
  EXPECT_EQ(side(workOnPairs(2'100, 2'100, false)), Device);
  EXPECT_EQ(side(workOnPairs(4'900, 4'900, true)), Host);
  EXPECT_EQ(side(workOnPairs(5'100, 5'100, true)), Device);
  EXPECT_EQ(side(workOnPairs(3'000'000'000, 3'000'000'000, false)), Device);
  EXPECT_EQ(sideFor({1 << 30, 1 << 30, true}, SideChoice::Automatic, false).side, Host);
  EXPECT_EQ(sideFor({1 << 30, 1 << 30, true}, SideChoice::Host, true).side, Host);
  EXPECT_EQ(sideFor({1, 1, false}, SideChoice::Device, false).side, Device);
  EXPECT_EQ(sideFor({1, 1, false, true}, SideChoice::Device, true).side, Device);
}

TEST(Sides, AreReportedWithTheTimeTaken) {
  noteSide("Measured", {ComputeSide::Host, "chosen"}, 0.25);
  noteSide("Measured", {ComputeSide::Host, "chosen"}, 0.5);
  EXPECT_EQ(notesOf("Measured", ComputeSide::Host).seconds, 0.75);
  EXPECT_NE(toString(sideNotes()).find("Measured on the host, 2 times, 0.75 s in all (chosen)"), std::string::npos)
    << toString(sideNotes());
}

TEST(Sides, TakeArraysOfMoreComponentsThanFieldsHave) {
  std::mt19937 random(7);
  const auto input = cellsWithValues<2>(random, 20);
  vtkNew<vtkDoubleArray> wide;
  wide->SetName("wide");
  wide->SetNumberOfComponents(40);
  wide->SetNumberOfTuples(input->GetNumberOfCells());
  for (vtkIdType k = 0; k < wide->GetNumberOfValues(); ++k) {
    wide->SetValue(k, static_cast<double>(k % 41));
  }
  input->GetCellData()->AddArray(wide);
  const auto kept = [&](SideChoice side) {
    const Forced forced(side);
    vtkNew<vtkSpanwiseThresholdToIntervals> threshold;
    threshold->SetInputData(input);
    threshold->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "wide");
    threshold->SetComponent(39);
    threshold->SetLowerThreshold(20.0);
    vtkNew<vtkSpanwiseRefineIntervals> refined;
    refined->SetInputConnection(threshold->GetOutputPort());
    refined->Update();
    return vtkSmartPointer<vtkUnstructuredGrid>(gridIn(refined->GetOutputDataObject(0)));
  };
  const auto onHost = kept(SideChoice::Host);
  ASSERT_GT(onHost->GetNumberOfCells(), 0);
  expectSameArrays(onHost->GetCellData(), kept(SideChoice::Device)->GetCellData());
}

TEST(Sides, TakeSetsWithoutCells) {
  const Forced forced(SideChoice::Device);
  std::mt19937 random(3);
  const auto input = cellsWithValues<3>(random, 4);
  vtkNew<vtkSpanwiseThresholdToIntervals> nothing;
  nothing->SetInputData(input);
  nothing->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "density");
  nothing->SetLowerThreshold(1e6);
  vtkNew<vtkSpanwiseSetAlgebra> unionOf;
  unionOf->AddInputConnection(nothing->GetOutputPort());
  unionOf->AddInputData(input);
  vtkNew<vtkSpanwiseRefineIntervals> refined;
  refined->SetInputConnection(nothing->GetOutputPort());
  refined->Update();
  unionOf->Update();
  EXPECT_EQ(gridIn(refined->GetOutputDataObject(0))->GetNumberOfCells(), 0);
  EXPECT_EQ(unionOf->GetOutput()->GetNumberOfCells(), input->GetNumberOfCells());
  expectSameArrays(unionOf->GetOutput()->GetCellData(), input->GetCellData()); // shared: no cell is left out
}

} // namespace
} // namespace spanwise::testing
