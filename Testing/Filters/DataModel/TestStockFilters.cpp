// Stock filters on a grid of intervals and on its twin, which stock VTK made from an image: same geometry, same values.

#include "Testing/Dimensions.hpp"
#include "Testing/Filters/DataModel/SameData.h"
#include "Testing/Filters/DataModel/Twin.h"
#include "Testing/Rooms.hpp"

#include <vtkAppendFilter.h>
#include <vtkArrayCalculator.h>
#include <vtkCellCenters.h>
#include <vtkCellDataToPointData.h>
#include <vtkCellSizeFilter.h>
#include <vtkConnectivityFilter.h>
#include <vtkContourFilter.h>
#include <vtkCutter.h>
#include <vtkDataSetSurfaceFilter.h>
#include <vtkDummyController.h>
#include <vtkElevationFilter.h>
#include <vtkExtractCells.h>
#include <vtkExtractEdges.h>
#include <vtkExtractGeometry.h>
#include <vtkExtractSelection.h>
#include <vtkGeometryFilter.h>
#include <vtkGhostCellsGenerator.h>
#include <vtkGradientFilter.h>
#include <vtkIntegrateAttributes.h>
#include <vtkLineSource.h>
#include <vtkPlane.h>
#include <vtkPlaneCutter.h>
#include <vtkPointDataToCellData.h>
#include <vtkPolyData.h>
#include <vtkProbeFilter.h>
#include <vtkProbeLineFilter.h>
#include <vtkRedistributeDataSetFilter.h>
#include <vtkResampleToImage.h>
#include <vtkSelection.h>
#include <vtkSelectionNode.h>
#include <vtkShrinkFilter.h>
#include <vtkSphere.h>
#include <vtkStaticCellLocator.h>
#include <vtkTableBasedClipDataSet.h>
#include <vtkTransform.h>
#include <vtkTransformFilter.h>
#include <vtkUnsignedCharArray.h>
#include <vtkWarpScalar.h>
#include <vtkWarpVector.h>

namespace spanwise::testing {
namespace {

template <class D>
class StockFilters : public ::testing::Test {
protected:
  static constexpr int Dim = D::value;
  Twin<Dim> twin = makeTwin<Dim>();
  vtkSmartPointer<vtkUnstructuredGrid> around = aroundFaces(twin.stock);

  void SetUp() override { SCOPED_TRACE("seed " + std::to_string(seed())); }

  // Runs a filter on ours and on another grid; returns copies of both outputs.
  template <class Filter>
  static std::pair<vtkSmartPointer<vtkDataSet>, vtkSmartPointer<vtkDataSet>> run(
    Filter* filter, vtkDataSet* ours, vtkDataSet* other) {
    const auto outputOf = [&](vtkDataSet* input) {
      filter->SetInputDataObject(input);
      filter->Update();
      auto* output = vtkDataSet::SafeDownCast(filter->GetOutputDataObject(0));
      vtkSmartPointer<vtkDataSet> copy = vtkSmartPointer<vtkDataSet>::Take(output->NewInstance());
      copy->ShallowCopy(output);
      return copy;
    };
    return {outputOf(ours), outputOf(other)};
  }

  template <class Filter>
  void expectSame(Filter* filter, vtkDataSet* other) {
    const auto [a, b] = run(filter, twin.ours, other);
    EXPECT_GT(b->GetNumberOfPoints(), 0);
    expectSameData(a, b);
  }

  // Stays recognisable.
  static IntervalGridPointer<Dim> recordAfter(vtkAlgorithm* filter) {
    return gridOf<Dim>(filter->GetOutputDataObject(0));
  }
};
TYPED_TEST_SUITE(StockFilters, Dimensions, DimensionNames);

constexpr int onCells = vtkDataObject::FIELD_ASSOCIATION_CELLS;
constexpr int onPoints = vtkDataObject::FIELD_ASSOCIATION_POINTS;

vtkSmartPointer<vtkPlane> slantedPlane() {
  auto plane = vtkSmartPointer<vtkPlane>::New();
  plane->SetOrigin(0.41, -1.33, 2.61);
  plane->SetNormal(0.8, 0.55, 0.23);
  return plane;
}

TYPED_TEST(StockFilters, TheTwinsAreTheSame) { expectSameData(this->twin.ours, this->twin.stock); }

TYPED_TEST(StockFilters, Threshold) {
  vtkNew<vtkThreshold> filter;
  filter->SetInputArrayToProcess(0, 0, 0, onCells, "cell");
  filter->SetThresholdFunction(vtkThreshold::THRESHOLD_BETWEEN);
  filter->SetLowerThreshold(-0.2);
  filter->SetUpperThreshold(1.1);
  this->expectSame(filter.Get(), this->twin.stock);
  filter->SetInputArrayToProcess(0, 0, 0, onPoints, "point");
  this->expectSame(filter.Get(), this->twin.stock);
}

TYPED_TEST(StockFilters, Contour) {
  vtkNew<vtkContourFilter> filter;
  filter->SetInputArrayToProcess(0, 0, 0, onPoints, "point");
  filter->SetValue(0, 0.37);
  filter->SetValue(1, 0.91);
  this->expectSame(filter.Get(), this->around);
}

TYPED_TEST(StockFilters, Clip) {
  vtkNew<vtkTableBasedClipDataSet> filter;
  filter->SetClipFunction(slantedPlane());
  filter->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  this->expectSame(filter.Get(), this->around);
  filter->SetClipFunction(nullptr);
  filter->SetInputArrayToProcess(0, 0, 0, onPoints, "point");
  filter->SetValue(0.37);
  this->expectSame(filter.Get(), this->around);
}

TYPED_TEST(StockFilters, Cutter) {
  vtkNew<vtkCutter> filter;
  filter->SetCutFunction(slantedPlane());
  filter->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  this->expectSame(filter.Get(), this->around);
}

TYPED_TEST(StockFilters, ExtractGeometry) {
  vtkNew<vtkSphere> sphere;
  sphere->SetCenter(0.3, -1.7, 2.5);
  sphere->SetRadius(2.0);
  vtkNew<vtkExtractGeometry> filter;
  filter->SetImplicitFunction(sphere);
  this->expectSame(filter.Get(), this->twin.stock);
}

TYPED_TEST(StockFilters, Calculator) {
  vtkNew<vtkArrayCalculator> filter;
  filter->SetAttributeTypeToCellData();
  filter->AddScalarArrayName("cell");
  filter->AddVectorArrayName("cellVector");
  filter->SetFunction("2 * cell + mag(cellVector)");
  filter->SetResultArrayName("result");
  this->expectSame(filter.Get(), this->twin.stock);
  filter->SetInputData(this->twin.ours);
  filter->Update();
  EXPECT_EQ(this->recordAfter(filter), this->twin.grid);
}

TYPED_TEST(StockFilters, CalculatorOnCoordinates) {
  vtkNew<vtkArrayCalculator> filter;
  filter->SetAttributeTypeToPointData();
  filter->AddCoordinateScalarVariable("coordsX", 0);
  filter->AddCoordinateVectorVariable("coords");
  filter->SetFunction("coordsX + mag(coords)");
  filter->SetResultArrayName("result");
  this->expectSame(filter.Get(), this->twin.stock);
}

TYPED_TEST(StockFilters, CellDataToPointData) {
  vtkNew<vtkCellDataToPointData> filter;
  this->expectSame(filter.Get(), this->twin.stock);
  filter->SetInputData(this->twin.ours);
  filter->Update();
  EXPECT_EQ(this->recordAfter(filter), this->twin.grid);
}

TYPED_TEST(StockFilters, PointDataToCellData) {
  vtkNew<vtkPointDataToCellData> filter;
  this->expectSame(filter.Get(), this->twin.stock);
  filter->SetInputData(this->twin.ours);
  filter->Update();
  EXPECT_EQ(this->recordAfter(filter), this->twin.grid);
}

TYPED_TEST(StockFilters, Elevation) {
  vtkNew<vtkElevationFilter> filter;
  filter->SetLowPoint(-5.0, -5.0, 0.0);
  filter->SetHighPoint(5.0, 3.0, 5.0);
  this->expectSame(filter.Get(), this->twin.stock);
  filter->SetInputData(this->twin.ours);
  filter->Update();
  EXPECT_EQ(this->recordAfter(filter), this->twin.grid);
}

// Points that are near no face, where the two may choose different cells: VTK's quadrilaterals and hexahedra reach a
// thousandth beyond their faces.
template <int Dim>
vtkSmartPointer<vtkPolyData> probes() {
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> anywhere(-6.0, 6.0);
  vtkNew<vtkPoints> points;
  points->SetDataType(VTK_DOUBLE);
  for (int k = 0; k < 3000; ++k) {
    double x[3];
    for (int d = 0; d < 3; ++d) {
      double cells = 0.0;
      do {
        cells = anywhere(random) / twinPlacement.spacing[d];
      } while (std::abs(cells - std::round(cells)) < 0.002);
      x[d] = twinPlacement.origin[d] + (d < Dim ? cells * twinPlacement.spacing[d] : 0.0);
    }
    points->InsertNextPoint(x);
  }
  auto probes = vtkSmartPointer<vtkPolyData>::New();
  probes->SetPoints(points);
  return probes;
}

TYPED_TEST(StockFilters, Probe) {
  const auto outputOf = [&](vtkDataSet* source) {
    vtkNew<vtkProbeFilter> filter;
    filter->SetInputData(probes<TypeParam::value>());
    filter->SetSourceData(source);
    filter->Update();
    return vtkSmartPointer<vtkDataSet>(filter->GetOutput());
  };
  expectSameData(outputOf(this->twin.ours), outputOf(this->twin.stock));
}

TYPED_TEST(StockFilters, ProbeWithACellLocatorPrototypeKeepsOurs) {
  vtkAbstractCellLocator* locator = this->twin.ours->GetCellLocator();
  vtkNew<vtkProbeFilter> filter;
  filter->SetInputData(probes<TypeParam::value>());
  filter->SetSourceData(this->twin.ours);
  filter->SetCellLocatorPrototype(vtkNew<vtkStaticCellLocator>());
  filter->Update();
  EXPECT_EQ(this->twin.ours->GetCellLocator(), locator);
  EXPECT_EQ(this->twin.ours->GetLinks(), nullptr);
}

// What Plot Over Line does.
TYPED_TEST(StockFilters, ProbeLine) {
  vtkNew<vtkDummyController> controller;
  const auto outputOf = [&](vtkDataSet* source, int pattern) {
    vtkNew<vtkLineSource> line;
    line->SetPoint1(-4.9, -4.1, twinPlacement.origin[2]);
    line->SetPoint2(5.3, 0.6, twinPlacement.origin[2] + (TypeParam::value == 3 ? 1.3 : 0.0));
    line->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
    vtkNew<vtkProbeLineFilter> filter;
    filter->SetController(controller);
    filter->SetInputData(source);
    filter->SetSourceConnection(line->GetOutputPort());
    filter->SetSamplingPattern(pattern);
    filter->SetLineResolution(777);
    filter->AggregateAsPolyDataOn();
    filter->Update();
    return vtkSmartPointer<vtkDataSet>(vtkDataSet::SafeDownCast(filter->GetOutputDataObject(0)));
  };
  for (const int pattern : {vtkProbeLineFilter::SAMPLE_LINE_AT_CELL_BOUNDARIES,
         vtkProbeLineFilter::SAMPLE_LINE_AT_SEGMENT_CENTERS, vtkProbeLineFilter::SAMPLE_LINE_UNIFORMLY}) {
    SCOPED_TRACE("pattern " + std::to_string(pattern));
    const auto expected = outputOf(this->around, pattern);
    EXPECT_GT(expected->GetNumberOfPoints(), 10);
    expectSameData(outputOf(this->twin.ours, pattern), expected);
  }
}

TYPED_TEST(StockFilters, ResampleToImage) {
  vtkNew<vtkResampleToImage> filter;
  filter->SetSamplingDimensions(31, 23, TypeParam::value == 3 ? 17 : 1);
  filter->UseInputBoundsOff();
  const double z = twinPlacement.origin[2];
  const double depth = TypeParam::value == 3 ? 1.0 : 0.0; // no sample is on a face, where there is a choice of cells
  filter->SetSamplingBounds(-4.911, 5.377, -3.133, 0.777, z - 1.937 * depth, z + 2.171 * depth);
  this->expectSame(filter.Get(), this->twin.stock);
}

TYPED_TEST(StockFilters, Gradient) {
  vtkNew<vtkGradientFilter> filter;
  filter->SetInputArrayToProcess(0, 0, 0, onPoints, "point");
  this->expectSame(filter.Get(), this->twin.stock);
  filter->SetInputArrayToProcess(0, 0, 0, onCells, "cellVector");
  filter->ComputeVorticityOn();
  filter->ComputeDivergenceOn();
  this->expectSame(filter.Get(), this->twin.stock);
}

TYPED_TEST(StockFilters, CellSize) {
  vtkNew<vtkCellSizeFilter> filter;
  filter->ComputeSumOn();
  this->expectSame(filter.Get(), this->twin.stock);
  filter->SetInputData(this->twin.ours);
  filter->Update();
  EXPECT_EQ(this->recordAfter(filter), this->twin.grid);
  const double size = TypeParam::value == 2 ? 0.5 * 0.25 : 0.5 * 0.25 * 0.75;
  auto* output = vtkDataSet::SafeDownCast(filter->GetOutput());
  auto* sizes = output->GetCellData()->GetArray(TypeParam::value == 2 ? "Area" : "Volume");
  EXPECT_NEAR(sizes->GetRange()[0], size, 1e-12);
  EXPECT_NEAR(sizes->GetRange()[1], size, 1e-12);
}

TYPED_TEST(StockFilters, CellCenters) {
  vtkNew<vtkCellCenters> filter;
  this->expectSame(filter.Get(), this->twin.stock);
}

TYPED_TEST(StockFilters, GeometryFilter) {
  vtkNew<vtkGeometryFilter> filter;
  filter->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  this->expectSame(filter.Get(), this->twin.stock);
}

TYPED_TEST(StockFilters, SurfaceFilter) {
  vtkNew<vtkDataSetSurfaceFilter> filter;
  this->expectSame(filter.Get(), this->twin.stock);
}

TYPED_TEST(StockFilters, ExtractEdges) {
  vtkNew<vtkExtractEdges> filter;
  this->expectSame(filter.Get(), this->twin.stock);
}

TYPED_TEST(StockFilters, Shrink) {
  vtkNew<vtkShrinkFilter> filter;
  this->expectSame(filter.Get(), this->twin.stock);
}

TYPED_TEST(StockFilters, AppendOfOneIsRecognised) {
  vtkNew<vtkAppendFilter> filter;
  filter->AddInputData(this->twin.ours);
  filter->Update();
  EXPECT_EQ(this->recordAfter(filter), this->twin.grid);
}

TYPED_TEST(StockFilters, AppendOfTwo) {
  const auto shifted = makeTwin<TypeParam::value>(TypeParam::value == 2 ? 11 : 4, 0.5);
  const auto outputOf = [](vtkDataSet* a, vtkDataSet* b) {
    vtkNew<vtkAppendFilter> filter;
    filter->AddInputData(a);
    filter->AddInputData(b);
    filter->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
    filter->Update();
    return vtkSmartPointer<vtkUnstructuredGrid>(filter->GetOutput());
  };
  const auto both = outputOf(this->twin.ours, shifted.ours);
  expectSameData(both, outputOf(this->twin.stock, shifted.stock));
  EXPECT_EQ(gridOf<TypeParam::value>(both), nullptr);
}

TYPED_TEST(StockFilters, Transform) {
  vtkNew<vtkTransform> transform;
  transform->Translate(1.0, 2.0, 3.0);
  transform->RotateWXYZ(30.0, 1.0, 2.0, 3.0);
  vtkNew<vtkTransformFilter> filter;
  filter->SetTransform(transform);
  filter->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  this->expectSame(filter.Get(), this->twin.stock);
}

TYPED_TEST(StockFilters, WarpVector) {
  vtkNew<vtkWarpVector> filter;
  filter->SetInputArrayToProcess(0, 0, 0, onPoints, "pointVector");
  filter->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  this->expectSame(filter.Get(), this->twin.stock);
}

TYPED_TEST(StockFilters, WarpScalar) {
  vtkNew<vtkWarpScalar> filter;
  filter->SetInputArrayToProcess(0, 0, 0, onPoints, "point");
  filter->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  this->expectSame(filter.Get(), this->twin.stock);
}

// Closed forms of cells that a filter has moved: no stock pixels, which VTK takes as aligned with the axes for ever.
TYPED_TEST(StockFilters, MovedCellsHaveTheRightSizesAndGradients) {
  constexpr int Dim = TypeParam::value;
  const double stretch = 1.4;
  const double shear = 0.7;
  const double elements[16] = {stretch, shear, 0, 1, 0, 1, 0, -2, 0, 0, 1, 3, 0, 0, 0, 1};
  vtkNew<vtkTransform> transform;
  transform->RotateZ(30.0);
  transform->Concatenate(elements);
  vtkNew<vtkTransformFilter> moved;
  moved->SetTransform(transform);
  moved->SetInputData(this->twin.ours);
  moved->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  moved->Update();
  auto* grid = vtkUnstructuredGrid::SafeDownCast(moved->GetOutput());

  vtkNew<vtkDoubleArray> linear;
  linear->SetName("linear");
  for (vtkIdType p = 0; p < grid->GetNumberOfPoints(); ++p) {
    const double* x = grid->GetPoint(p);
    linear->InsertNextValue(2.0 * x[0] + 3.0 * x[1] + (Dim == 3 ? 5.0 * x[2] : 0.0));
  }
  grid->GetPointData()->SetScalars(linear);
  vtkNew<vtkGradientFilter> gradient;
  gradient->SetInputData(grid);
  gradient->SetInputArrayToProcess(0, 0, 0, onPoints, "linear");
  gradient->Update();
  vtkDataArray* slopes = vtkDataSet::SafeDownCast(gradient->GetOutput())->GetPointData()->GetArray("Gradients");
  ASSERT_NE(slopes, nullptr);
  const double expected[3] = {2.0, 3.0, Dim == 3 ? 5.0 : 0.0};
  for (int d = 0; d < 3; ++d) {
    EXPECT_NEAR(slopes->GetRange(d)[0], expected[d], 1e-9) << "along axis " << d;
    EXPECT_NEAR(slopes->GetRange(d)[1], expected[d], 1e-9) << "along axis " << d;
  }

  vtkNew<vtkIntegrateAttributes> sum;
  sum->SetInputData(grid);
  sum->Update();
  const double cell = Dim == 2 ? 0.5 * 0.25 : 0.5 * 0.25 * 0.75;
  auto* total =
    vtkDataSet::SafeDownCast(sum->GetOutputDataObject(0))->GetCellData()->GetArray(Dim == 2 ? "Area" : "Volume");
  ASSERT_NE(total, nullptr);
  EXPECT_NEAR(total->GetComponent(0, 0), stretch * cell * static_cast<double>(grid->GetNumberOfCells()), 1e-8);
}

// VTK 9.6 follows a null pointer here if the offsets are its own affine array.
TYPED_TEST(StockFilters, RemoveGhostCells) {
  const auto outputOf = [](vtkUnstructuredGrid* grid) {
    auto copy = vtkSmartPointer<vtkUnstructuredGrid>::New();
    copy->ShallowCopy(grid);
    vtkNew<vtkUnsignedCharArray> ghosts;
    ghosts->SetName(vtkDataSetAttributes::GhostArrayName());
    for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
      ghosts->InsertNextValue(c % 3 == 1 ? vtkDataSetAttributes::DUPLICATECELL : 0);
    }
    copy->GetCellData()->AddArray(ghosts);
    copy->RemoveGhostCells();
    return copy;
  };
  const auto ours = outputOf(this->twin.ours);
  EXPECT_EQ(ours->GetNumberOfCells(), (2 * this->twin.ours->GetNumberOfCells() + 1) / 3);
  expectSameData(ours, outputOf(this->around));
  EXPECT_EQ(gridOf<TypeParam::value>(ours), nullptr);
  EXPECT_EQ(gridOf<TypeParam::value>(this->twin.ours), this->twin.grid); // its own copy alone has changed
}

TYPED_TEST(StockFilters, ExtractCells) {
  vtkNew<vtkExtractCells> filter;
  vtkNew<vtkIdList> ids;
  for (vtkIdType c = 3; c < this->twin.ours->GetNumberOfCells(); c += 7) {
    ids->InsertNextId(c);
  }
  filter->SetCellList(ids);
  this->expectSame(filter.Get(), this->twin.stock);
}

TYPED_TEST(StockFilters, ExtractSelection) {
  vtkNew<vtkIdTypeArray> ids;
  for (vtkIdType c = 1; c < this->twin.ours->GetNumberOfCells(); c += 5) {
    ids->InsertNextValue(c);
  }
  vtkNew<vtkSelectionNode> node;
  node->SetFieldType(vtkSelectionNode::CELL);
  node->SetContentType(vtkSelectionNode::INDICES);
  node->SetSelectionList(ids);
  vtkNew<vtkSelection> selection;
  selection->AddNode(node);
  vtkNew<vtkExtractSelection> filter;
  filter->SetInputData(1, selection);
  this->expectSame(filter.Get(), this->twin.stock);
}

TYPED_TEST(StockFilters, Connectivity) {
  const auto scattered = makeTwin<TypeParam::value>(TypeParam::value == 2 ? 15 : 6, 0.75);
  vtkNew<vtkConnectivityFilter> filter;
  filter->SetExtractionModeToLargestRegion();
  const auto [a, b] = this->run(filter.Get(), scattered.ours, scattered.stock);
  EXPECT_GT(b->GetNumberOfCells(), 0);
  EXPECT_LT(b->GetNumberOfCells(), scattered.stock->GetNumberOfCells());
  expectSameData(a, b);
}

TYPED_TEST(StockFilters, IntegrateAttributes) {
  vtkNew<vtkIntegrateAttributes> filter;
  filter->SetDivideAllCellDataByVolume(false);
  this->expectSame(filter.Get(), this->around);
}

TYPED_TEST(StockFilters, RedistributeOnOneRank) {
  vtkNew<vtkDummyController> controller;
  vtkNew<vtkRedistributeDataSetFilter> filter;
  filter->SetController(controller);
  this->expectSame(filter.Get(), this->twin.stock);
  filter->SetInputData(this->twin.ours);
  filter->Update();
  EXPECT_EQ(this->recordAfter(filter), this->twin.grid);
}

TYPED_TEST(StockFilters, GhostCellsOnOneRank) {
  vtkNew<vtkDummyController> controller;
  vtkNew<vtkGhostCellsGenerator> filter;
  filter->SetController(controller);
  filter->SetNumberOfGhostLayers(1);
  this->expectSame(filter.Get(), this->twin.stock);
}

TYPED_TEST(StockFilters, CellNeighboursAndPointCells) {
  vtkUnstructuredGrid* ours = this->twin.ours;
  vtkUnstructuredGrid* stock = this->twin.stock; // the same numbers: a threshold keeps the order
  ours->BuildLinks();
  stock->BuildLinks();
  vtkNew<vtkIdList> ofOurs;
  vtkNew<vtkIdList> ofStock;
  const auto sorted = [](vtkIdList* list) {
    list->Sort();
    return std::vector<vtkIdType>(list->begin(), list->end());
  };
  for (vtkIdType p = 0; p < ours->GetNumberOfPoints(); ++p) {
    ours->GetPointCells(p, ofOurs);
    stock->GetPointCells(p, ofStock);
    ASSERT_EQ(sorted(ofOurs), sorted(ofStock));
  }
  for (vtkIdType c = 0; c < ours->GetNumberOfCells(); ++c) {
    vtkNew<vtkIdList> edge;
    for (vtkIdType k = 0; k < 2; ++k) {
      edge->InsertNextId(stock->GetCell(c)->GetPointId(static_cast<int>(k)));
    }
    ours->GetCellNeighbors(c, edge, ofOurs);
    stock->GetCellNeighbors(c, edge, ofStock);
    ASSERT_EQ(sorted(ofOurs), sorted(ofStock));
  }
}

} // namespace
} // namespace spanwise::testing
