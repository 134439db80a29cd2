#include "SpanwiseMeshValues.h"

#include "SpanwiseValues.h"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkIdList.h>
#include <vtkIdTypeArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>

namespace spanwise {

namespace {

/// An array of values at points like an array of cells: of the same type if that has fractions, else doubles.
vtkSmartPointer<vtkDataArray> pointArrayLike(vtkDataArray* cells, vtkIdType count) {
  vtkSmartPointer<vtkDataArray> array;
  if (cells->GetDataType() == VTK_FLOAT) {
    array = vtkSmartPointer<vtkFloatArray>::New();
  } else {
    array = vtkSmartPointer<vtkDoubleArray>::New();
  }
  array->SetName(cells->GetName());
  array->SetNumberOfComponents(cells->GetNumberOfComponents());
  array->CopyComponentNames(cells);
  if (cells->HasInformation()) {
    array->CopyInformation(cells->GetInformation());
  }
  array->SetNumberOfTuples(count);
  return array;
}

/// The means at all nodes of one component.
template <int Dim>
std::vector<double> meansAtNodes(
  const ConformingMesh& mesh, const Hierarchy<Dim>& hierarchy, int array, int component) {
  std::vector<double> sums(mesh.nodes.size(), 0.0);
  std::vector<double> weights(mesh.nodes.size(), 0.0);
  std::size_t leaf = 0;
  for (const RankCells<Dim>& level : hierarchy.leaves) {
    vtkDataArray* values = level.set.empty() ? nullptr : level.values->GetArray(array);
    for (std::int64_t c = 0; c < level.set.numCells(); ++c, ++leaf) {
      const double value = values->GetComponent(c, component);
      for (std::int64_t s = mesh.firstShare[leaf]; s < mesh.firstShare[leaf + 1]; ++s) {
        const NodeShare& share = mesh.shares[static_cast<std::size_t>(s)];
        sums[static_cast<std::size_t>(share.node)] += share.weight * value;
        weights[static_cast<std::size_t>(share.node)] += share.weight;
      }
    }
  }
  for (std::size_t n = 0; n < sums.size(); ++n) {
    sums[n] = weights[n] > 0.0 ? sums[n] / weights[n] : 0.0;
  }
  return sums;
}

/// The values of leaves on the cells that were made of them.
template <int Dim>
void passCellValues(const ConformingMesh& mesh, const Hierarchy<Dim>& hierarchy, vtkCellData* out) {
  const auto count = static_cast<vtkIdType>(mesh.sources.size());
  sliceValues(hierarchy.leaves.front().values, 0, 0, out);
  for (int a = 0; a < out->GetNumberOfArrays(); ++a) {
    out->GetAbstractArray(a)->SetNumberOfTuples(count);
  }
  vtkIdType cell = 0;
  std::int64_t firstLeaf = 0;
  for (const RankCells<Dim>& level : hierarchy.leaves) { // sources ascend
    vtkNew<vtkIdList> to;
    vtkNew<vtkIdList> from;
    for (; cell < count && mesh.sources[static_cast<std::size_t>(cell)] < firstLeaf + level.set.numCells(); ++cell) {
      to->InsertNextId(cell);
      from->InsertNextId(mesh.sources[static_cast<std::size_t>(cell)] - firstLeaf);
    }
    for (int a = 0; a < out->GetNumberOfArrays() && to->GetNumberOfIds() > 0; ++a) {
      out->GetAbstractArray(a)->InsertTuples(to, from, level.values->GetAbstractArray(a));
    }
    firstLeaf += level.set.numCells();
  }
}

} // namespace

void setMesh(ConformingMesh& mesh, const GridPlacement& finest, vtkUnstructuredGrid* output) {
  std::vector<std::int64_t> numbers(mesh.nodes.size(), -1);
  for (const std::int64_t node : mesh.connectivity) {
    numbers[static_cast<std::size_t>(node)] = 0;
  }
  std::int64_t used = 0;
  for (std::int64_t& number : numbers) {
    number = number == 0 ? used++ : -1;
  }
  std::int64_t unused = used;
  std::vector<FinePoint> nodes(mesh.nodes.size());
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    numbers[n] = numbers[n] < 0 ? unused++ : numbers[n];
    nodes[static_cast<std::size_t>(numbers[n])] = mesh.nodes[n];
  }
  mesh.nodes = std::move(nodes);
  const auto renumber = [&](std::int64_t& node) { node = numbers[static_cast<std::size_t>(node)]; };
  std::for_each(mesh.connectivity.begin(), mesh.connectivity.end(), renumber);
  std::for_each(mesh.shares.begin(), mesh.shares.end(), [&](NodeShare& share) { renumber(share.node); });

  vtkNew<vtkDoubleArray> positions;
  positions->SetNumberOfComponents(3);
  positions->SetNumberOfTuples(used);
  for (std::int64_t n = 0; n < used; ++n) {
    for (int d = 0; d < 3; ++d) {
      positions->SetTypedComponent(
        n, d, finest.position(d, mesh.nodes[static_cast<std::size_t>(n)][static_cast<std::size_t>(d)]));
    }
  }
  vtkNew<vtkPoints> points;
  points->SetData(positions);
  output->SetPoints(points);

  vtkNew<vtkTypeInt64Array> offsets;
  offsets->SetNumberOfValues(static_cast<vtkIdType>(mesh.offsets.size()));
  std::copy(mesh.offsets.begin(), mesh.offsets.end(), offsets->GetPointer(0));
  vtkNew<vtkTypeInt64Array> connectivity;
  connectivity->SetNumberOfValues(static_cast<vtkIdType>(mesh.connectivity.size()));
  std::copy(mesh.connectivity.begin(), mesh.connectivity.end(), connectivity->GetPointer(0));
  vtkNew<vtkUnsignedCharArray> types;
  types->SetNumberOfValues(static_cast<vtkIdType>(mesh.types.size()));
  std::copy(mesh.types.begin(), mesh.types.end(), types->GetPointer(0));
  vtkNew<vtkCellArray> cells;
  cells->SetData(offsets, connectivity);
  output->SetCells(types, cells);
}

template <int Dim>
void passMeshValues(const ConformingMesh& mesh, const Hierarchy<Dim>& hierarchy, vtkUnstructuredGrid* output) {
  vtkCellData* model = hierarchy.leaves.front().values;
  const vtkIdType count = output->GetNumberOfPoints();
  for (int a = 0; a < model->GetNumberOfArrays(); ++a) {
    auto* cells = vtkDataArray::SafeDownCast(model->GetAbstractArray(a));
    if (cells == nullptr) { // texts have no mean
      continue;
    }
    const auto array = pointArrayLike(cells, count);
    for (int c = 0; c < cells->GetNumberOfComponents(); ++c) {
      const std::vector<double> means = meansAtNodes(mesh, hierarchy, a, c);
      for (vtkIdType n = 0; n < count; ++n) {
        array->SetComponent(n, c, means[static_cast<std::size_t>(n)]);
      }
    }
    const int index = output->GetPointData()->AddArray(array);
    if (const int attribute = model->IsArrayAnAttribute(a);
      attribute == vtkDataSetAttributes::SCALARS || attribute == vtkDataSetAttributes::VECTORS) {
      output->GetPointData()->SetActiveAttribute(index, attribute);
    }
  }
  passCellValues(mesh, hierarchy, output->GetCellData());
}

template void passMeshValues<2>(const ConformingMesh&, const Hierarchy<2>&, vtkUnstructuredGrid*);
template void passMeshValues<3>(const ConformingMesh&, const Hierarchy<3>&, vtkUnstructuredGrid*);

} // namespace spanwise
