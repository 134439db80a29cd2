// Eikonal Arrival Time along and across fibres: on images, meshes and levels.

#include "Testing/Filters/Eikonal/ArrivalTimesOnGrids.hpp"
#include "Testing/Filters/Mesh/Grids.hpp"

#include "SpanwiseHierarchy.h"

#include <vtkCompositeDataSet.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkPointData.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace spanwise::testing {
namespace {

constexpr double along = 3.0;
constexpr double across = 1.0;

/// The time over a way in fibres of this unit direction: what is along them at one speed, the rest at the other.
double timeOver(const Place& way, const Place& f) {
  const double part = way[0] * f[0] + way[1] * f[1] + way[2] * f[2];
  const double whole = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
  return std::sqrt(part * part / (along * along) + std::max(whole - part * part, 0.0) / (across * across));
}

Place from(const Place& a, const Place& b) { return {b[0] - a[0], b[1] - a[1], b[2] - a[2]}; }

/// Adds directions, some of them turned round and of any length, to points or cells.
void addFibres(vtkDataSetAttributes* to, vtkIdType count, const Place& f) {
  vtkNew<vtkDoubleArray> fibres;
  fibres->SetName("fibres");
  fibres->SetNumberOfComponents(3);
  for (vtkIdType k = 0; k < count; ++k) {
    const double length = (k % 3 == 0 ? -1.0 : 1.0) * (0.5 + static_cast<double>(k % 7));
    fibres->InsertNextTuple3(length * f[0], length * f[1], length * f[2]);
  }
  to->AddArray(fibres);
}

void takeFibres(Filter* filter, bool onPoints) {
  filter->SetSpeedKind(Filter::FIBRES);
  filter->SetSpeedAlongFibres(along);
  filter->SetSpeedAcrossFibres(across);
  setArray(filter, 2, "fibres", onPoints);
}

/// The tensor of fibres: a speed along them, and another one across.
eikonal::SymmetricTensor tensorOf(const Place& f) {
  const double base = across * across;
  const double more = along * along - base;
  return {base + more * f[0] * f[0], base + more * f[1] * f[1], base + more * f[2] * f[2], more * f[0] * f[1],
    more * f[1] * f[2], more * f[0] * f[2]};
}

/// Times of the unit square's or cube's cells are as late as differences of first order make them, with the source
/// taken out: where neighbours are missing at the sides.
template <int Dim>
void expectBounded(const std::vector<double>& times, int n, const Place& source, const Place& f) {
  using At = std::array<double, Dim>;
  const auto placeOf = [](const At& p) { return Place{p[0], p[1], Dim == 3 ? p[Dim - 1] : 0.0}; };
  eikonal::testing::UpwindScheme<Dim> scheme;
  eikonal::SymmetricTensor inverse = tensorOf(f).inverse();
  if (Dim == 2) { // ways in the plane
    inverse = {inverse.xx, inverse.yy, 1.0, inverse.xy, 0.0, 0.0};
  }
  scheme.tensor = [m = inverse.inverse()](const At&) { return m; };
  eikonal::PointSource<Dim> point{};
  std::copy_n(source.begin(), Dim, point.at);
  scheme.takeOut(point, infinity);
  const auto errors = errorsBesideBounds<Dim>(
    times, allCells<Dim>(0, n), 1.0 / n, scheme, [&](const At& p) { return timeOver(from(source, placeOf(p)), f); },
    [&](const At& p) { return distance(placeOf(p), source) < 2.5 / n; });
  EXPECT_LE(errors.mostBeyond, 1e-12) << Dim << "D"; // in each cell
}

// Fibres of one direction are a constant tensor: the exact times are known. In 2D they may leave the plane.
TEST(EikonalFibres, OnImagesFrontsAreFastAlongThem) {
  for (const int dim : {2, 3}) {
    const Place f = dim == 2 ? Place{0.48, 0.64, 0.6} : Place{2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0};
    for (const bool onPoints : {false, true}) {
      const auto image = dim == 2 ? unitImage<2>(40) : unitImage<3>(14);
      if (onPoints) {
        addFibres(image->GetPointData(), image->GetNumberOfPoints(), f);
      } else {
        addFibres(image->GetCellData(), image->GetNumberOfCells(), f);
      }
      const Place source{0.52, 0.47, dim == 2 ? 0.0 : 0.44};
      vtkNew<Filter> filter;
      filter->SetInputData(image);
      filter->SetSourcePoint(0, source.data());
      takeFibres(filter, onPoints);
      filter->Update();
      vtkDataSet* output = filter->GetDataSetOutput();
      for (vtkIdType c = 0; c < output->GetNumberOfCells(); ++c) {
        ASSERT_GE(valueAt(output, c), timeOver(from(source, centreOf(output, c)), f) - 1e-9) << dim << "D";
      }
      dim == 2 ? expectBounded<2>(timesOf(output), 40, source, f) : expectBounded<3>(timesOf(output), 14, source, f);
    }
  }
}

TEST(EikonalFibres, WithoutDirectionSpeedsAreThoseAcross) {
  const auto image = unitImage<2>(20);
  addFibres(image->GetCellData(), image->GetNumberOfCells(), {0.0, 0.0, 0.0});
  vtkNew<Filter> filter;
  filter->SetInputData(image);
  filter->SetSourcePoint(0, 0.3, 0.4, 0.0);
  takeFibres(filter, false);
  filter->Update();
  EXPECT_LT(
    largestError(filter->GetDataSetOutput(), [](const Place& p) { return distance(p, {0.3, 0.4, 0.0}) / across; }),
    1e-9);
}

TEST(EikonalFibres, OnMeshesAreTheTensorThatTheyMake) {
  const Place f{2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0};
  const auto mesh = vtkGridOf(gridMesh(ElementType::Tetrahedron, 6));
  addFibres(mesh->GetCellData(), mesh->GetNumberOfCells(), f);
  const auto timesOfPoints = [&](const auto& give) {
    vtkNew<Filter> filter;
    filter->SetInputData(mesh);
    filter->SetSourcePoint(0, 0.4, 0.5, 0.6);
    give(filter.Get());
    filter->Update();
    std::vector<double> times;
    vtkDataArray* const array = filter->GetDataSetOutput()->GetPointData()->GetArray("Arrival Time");
    for (vtkIdType p = 0; p < array->GetNumberOfTuples(); ++p) {
      times.push_back(array->GetComponent(p, 0));
    }
    return times;
  };
  const auto times = timesOfPoints([](Filter* filter) { takeFibres(filter, false); });
  const auto expected = timesOfPoints([&](Filter* filter) {
    const eikonal::SymmetricTensor m = tensorOf(f);
    filter->SetSpeedKind(Filter::CONSTANT_TENSOR);
    filter->SetTensor(m.xx, m.yy, m.zz, m.xy, m.yz, m.xz);
  });
  ASSERT_EQ(times.size(), expected.size());
  for (std::size_t p = 0; p < times.size(); ++p) {
    ASSERT_NEAR(times[p], expected[p], 1e-12);
  }
}

TEST(EikonalFibres, OnLevelsAreThoseOfLeaves) {
  Hierarchy<2> hierarchy;
  std::fill_n(hierarchy.root.spacing, 3, 1.0 / 16);
  hierarchy.leaves.resize(1);
  hierarchy.leaves[0].set = toHostSet<2>(allCells<2>(0, 16));
  const Place f{0.6, 0.8, 0.0};
  addFibres(hierarchy.leaves[0].values, 256, f);
  vtkNew<vtkPartitionedDataSetCollection> levels;
  setLevels<2>(levels, hierarchy);
  const Place source{0.5, 0.5, 0.0};
  vtkNew<Filter> filter;
  filter->SetInputData(levels);
  filter->SetSourcePoint(0, source.data());
  takeFibres(filter, false);
  filter->Update();
  int numChecked = 0;
  for (vtkDataSet* level : vtkCompositeDataSet::GetDataSets(filter->GetOutputDataObject(0))) {
    for (vtkIdType c = 0; c < level->GetNumberOfCells(); ++c, ++numChecked) {
      ASSERT_NEAR(valueAt(level, c), timeOver(from(source, centreOf(level, c)), f), 1e-12);
    }
  }
  EXPECT_EQ(numChecked, 256);
}

TEST(EikonalFibres, SayWhatIsWrong) {
  const auto image = unitImage<3>(4);
  vtkNew<Filter> filter;
  filter->SetInputData(image);
  filter->SetSourcePoint(0, 0.5, 0.5, 0.5);
  const auto expectMessage = [&](const std::string& part) {
    Messages messages;
    filter->Modified();
    filter->Update();
    ASSERT_EQ(messages.all().size(), 1U) << part;
    EXPECT_NE(messages.all()[0].find(part), std::string::npos) << messages.all()[0];
  };
  filter->SetSpeedKind(Filter::FIBRES);
  expectMessage("no array was chosen for the fibres");
  onCells(image, "fibres", [](const Place&) { return std::vector<double>{1.0, 0.0}; });
  takeFibres(filter, false);
  expectMessage("the array 'fibres' on cells has 2 components; an array of fibres must have 3, a direction");
  onCells(image, "fibres", [](const Place& p) { return std::vector<double>{1.0, p[0] > 0.5 ? infinity : 0.0, 0.0}; });
  expectMessage("the direction 2 of the array 'fibres' on cells is (1, inf, 0); it must be finite");
  onCells(image, "fibres", [](const Place&) { return std::vector<double>{1.0, 0.0, 0.0}; });
  filter->SetSpeedAcrossFibres(0.0);
  expectMessage("the speed is 0; it must be positive and finite");
}

} // namespace
} // namespace spanwise::testing
