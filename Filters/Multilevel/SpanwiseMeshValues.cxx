#include "SpanwiseMeshValues.h"

#include "SpanwiseTuples.h"
#include "SpanwiseValues.h"

#include "Core/Runtime/ArrayLength.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Label.hpp"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkSetGet.h>
#include <vtkTypeInt64Array.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <vector>

using namespace spanwise::geometry;
using namespace spanwise::multilevel;

namespace spanwise {

namespace {

using Mesh = ConformingMeshOn<HostExecutionSpace>;

/// An array of values at points like an array of cells: of the same type if that has fractions, else doubles.
vtkSmartPointer<vtkDataArray> pointArrayLike(vtkDataArray* cells, vtkIdType count) {
  vtkSmartPointer<vtkDataArray> array;
  if (cells->GetDataType() == VTK_FLOAT) {
    array = vtkSmartPointer<vtkFloatArray>::New();
  } else {
    array = vtkSmartPointer<vtkDoubleArray>::New();
  }
  array->SetNumberOfComponents(cells->GetNumberOfComponents());
  describeLike(cells, array);
  array->SetNumberOfTuples(count);
  return array;
}

/// One component of an array, leaf by leaf over all levels.
template <class T>
void appendComponent(vtkDataArray* array, int component, std::vector<double>& values) {
  const auto tuples = inTuples(array);
  const auto* from = static_cast<const T*>(tuples->GetVoidPointer(0)) + component;
  for (vtkIdType c = 0; c < array->GetNumberOfTuples(); ++c, from += array->GetNumberOfComponents()) {
    values.push_back(static_cast<double>(*from));
  }
}

template <int Dim>
std::vector<double> leafValues(const Hierarchy<Dim>& hierarchy, int array, int component) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(hierarchy.numCells()));
  for (const RankCells<Dim>& level : hierarchy.leaves) {
    vtkDataArray* ofLevel = level.set.empty() ? nullptr : level.values->GetArray(array);
    if (ofLevel == nullptr) {
      continue;
    }
    switch (ofLevel->GetDataType()) {
      vtkTemplateMacro(appendComponent<VTK_TT>(ofLevel, component, values));
    default: // bits
      for (vtkIdType c = 0; c < ofLevel->GetNumberOfTuples(); ++c) {
        values.push_back(ofLevel->GetComponent(c, component));
      }
    }
  }
  return values;
}

/// A component of an array of values at points = the means of that of the leaves.
template <class T>
void setMeans(const Mesh& mesh, const std::vector<double>& values, vtkDataArray* array, int component) {
  using Values = Kokkos::View<const double*, Kokkos::HostSpace>;
  std::vector<double> means(static_cast<std::size_t>(mesh.points.count()));
  meansAtPoints<HostExecutionSpace>(Context<HostExecutionSpace>(), mesh, Values(values.data(), values.size()),
    Kokkos::View<double*, Kokkos::HostSpace>(means.data(), means.size()));
  auto* to = static_cast<T*>(array->GetVoidPointer(0)) + component;
  for (const double mean : means) {
    *to = static_cast<T>(mean);
    to += array->GetNumberOfComponents();
  }
}

/// A VTK array with the elements of a list.
template <class Array, class T>
vtkSmartPointer<Array> arrayOf(const List<T, Kokkos::HostSpace>& list) {
  auto array = vtkSmartPointer<Array>::New();
  array->SetNumberOfValues(list.count());
  std::transform(list.data(), list.data() + list.count(), array->GetPointer(0),
    [](const T& value) { return static_cast<typename Array::ValueType>(value); });
  return array;
}

} // namespace

void setMesh(const Mesh& mesh, const GridPlacement& finest, vtkUnstructuredGrid* output) {
  vtkNew<vtkDoubleArray> positions;
  positions->SetNumberOfComponents(3);
  positions->SetNumberOfTuples(mesh.points.count());
  const Context<HostExecutionSpace> context;
  placesOfPoints(context, mesh, finest,
    Kokkos::View<double*, Kokkos::HostSpace>(
      positions->GetPointer(0), arrayLength<double>(positions->GetNumberOfValues())));
  context.space().fence(SPANWISE_LABEL("Multilevel::setMesh"));
  vtkNew<vtkPoints> points;
  points->SetData(positions);
  output->SetPoints(points);
  vtkNew<vtkCellArray> cells;
  cells->SetData(arrayOf<vtkTypeInt64Array>(mesh.offsets), arrayOf<vtkTypeInt64Array>(mesh.connectivity));
  output->SetCells(arrayOf<vtkUnsignedCharArray>(mesh.types), cells);
}

template <int Dim>
void setPointMeans(const Mesh& mesh, const Hierarchy<Dim>& hierarchy, vtkUnstructuredGrid* output) {
  vtkCellData* model = hierarchy.leaves.front().values;
  for (int a = 0; a < model->GetNumberOfArrays(); ++a) {
    auto* cells = vtkDataArray::SafeDownCast(model->GetAbstractArray(a));
    if (cells == nullptr) { // texts have no mean
      continue;
    }
    const auto array = pointArrayLike(cells, output->GetNumberOfPoints());
    for (int c = 0; c < cells->GetNumberOfComponents(); ++c) {
      const std::vector<double> values = leafValues(hierarchy, a, c);
      if (array->GetDataType() == VTK_FLOAT) {
        setMeans<float>(mesh, values, array, c);
      } else {
        setMeans<double>(mesh, values, array, c);
      }
    }
    const int index = output->GetPointData()->AddArray(array);
    if (const int attribute = model->IsArrayAnAttribute(a);
      attribute == vtkDataSetAttributes::SCALARS || attribute == vtkDataSetAttributes::VECTORS) {
      output->GetPointData()->SetActiveAttribute(index, attribute);
    }
  }
}

template <int Dim>
void passCellValues(const Mesh& mesh, const Hierarchy<Dim>& hierarchy, vtkUnstructuredGrid* output) {
  vtkCellData* const out = output->GetCellData();
  const std::int64_t count = mesh.sources.count();
  const std::int64_t* const sources = mesh.sources.data();
  sliceValues(hierarchy.leaves.front().values, 0, 0, out);
  for (int a = 0; a < out->GetNumberOfArrays(); ++a) {
    out->GetAbstractArray(a)->SetNumberOfTuples(count);
  }
  std::int64_t cell = 0;
  std::int64_t firstLeaf = 0;
  for (const RankCells<Dim>& level : hierarchy.leaves) { // sources ascend
    vtkNew<vtkIdList> to;
    vtkNew<vtkIdList> from;
    for (; cell < count && sources[cell] < firstLeaf + level.set.numCells(); ++cell) {
      to->InsertNextId(cell);
      from->InsertNextId(sources[cell] - firstLeaf);
    }
    for (int a = 0; a < out->GetNumberOfArrays() && to->GetNumberOfIds() > 0; ++a) {
      out->GetAbstractArray(a)->InsertTuples(to, from, level.values->GetAbstractArray(a));
    }
    firstLeaf += level.set.numCells();
  }
}

#define SPANWISE_MESH_VALUES(Dim)                                                                                      \
  template void setPointMeans<Dim>(const Mesh&, const Hierarchy<Dim>&, vtkUnstructuredGrid*);                          \
  template void passCellValues<Dim>(const Mesh&, const Hierarchy<Dim>&, vtkUnstructuredGrid*);
SPANWISE_MESH_VALUES(2)
SPANWISE_MESH_VALUES(3)

} // namespace spanwise
