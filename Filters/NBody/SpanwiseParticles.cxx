#include "SpanwiseParticles.h"

#include "SpanwiseInputMesh.h"

#include "Core/Mesh/ElementMeasures.hpp"
#include "Core/Mesh/MeshUpload.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkCellCenters.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkDataSetAttributes.h>
#include <vtkDoubleArray.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <format>

namespace spanwise {

namespace {

using Space = Kokkos::DefaultExecutionSpace;

/// Lengths of edges multiplied along the axes in which an image is not flat.
double sizeOfImageCell(vtkImageData* image) {
  int dimensions[3];
  image->GetDimensions(dimensions);
  double size = 1.0;
  for (int axis = 0; axis < 3; ++axis) {
    size *= dimensions[axis] > 1 ? std::abs(image->GetSpacing()[axis]) : 1.0;
  }
  return size;
}

/// The length, area or volume of each cell that counts; NaN of others.
std::vector<double> sizesOfCells(vtkDataSet* data) {
  const auto count = static_cast<std::size_t>(std::max<vtkIdType>(data->GetNumberOfCells(), 0));
  if (auto* image = vtkImageData::SafeDownCast(data)) {
    return std::vector<double>(count, sizeOfImageCell(image));
  }
  const InputMesh mesh = elementsOf(data);
  std::vector<double> sizes(count, std::nan(""));
  std::visit(
    [&]<class Real, class Index>(const MeshView<Real, Index>& host) {
      const MeshUpload<Space, Real, Index> upload(Space(), host);
      const Kokkos::View<double*, Space::memory_space> measures(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Filters::measures")),
        arrayLength<double>(host.elements.numElements));
      computeMeasures<Space, Real, Index>(Space(), upload.view(), measures);
      const auto onHost = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), measures); // waits
      Space().fence(SPANWISE_LABEL("Filters::measures"));
      for (std::size_t e = 0; e < onHost.extent(0); ++e) {
        // Cells that are turned inside out are as large as the others.
        sizes[mesh.cells().empty() ? e : static_cast<std::size_t>(mesh.cells()[e])] = std::abs(onHost(e));
      }
    },
    mesh.view());
  return sizes;
}

} // namespace

ParticlePlaces placesOf(vtkDataSet* data, bool onPoints, const std::string& what) {
  ParticlePlaces places;
  if (data == nullptr) {
    return places;
  }
  const vtkIdType count = std::max<vtkIdType>(onPoints ? data->GetNumberOfPoints() : data->GetNumberOfCells(), 0);
  vtkNew<vtkDoubleArray> centres;
  if (!onPoints) {
    centres->SetNumberOfComponents(3);
    centres->SetNumberOfTuples(count);
    vtkCellCenters::ComputeCellCenters(data, centres);
  }
  for (auto& axis : places.coordinates) {
    axis.resize(static_cast<std::size_t>(count));
  }
  for (vtkIdType i = 0; i < count; ++i) {
    double at[3];
    onPoints ? data->GetPoint(i, at) : centres->GetTuple(i, at);
    for (int axis = 0; axis < 3; ++axis) {
      if (!std::isfinite(at[axis])) {
        throw InvalidArgument(std::format("{} {} of the {} lies at ({}, {}, {}); coordinates must be finite",
          onPoints ? "point" : "cell", i, what, at[0], at[1], at[2]));
      }
      places.coordinates[axis][static_cast<std::size_t>(i)] = at[axis];
    }
  }
  return places;
}

std::vector<std::uint8_t> notOwn(vtkDataSet* data, bool onPoints) {
  vtkUnsignedCharArray* const ghosts = data == nullptr ? nullptr : data->GetGhostArray(onPoints ? 0 : 1);
  if (ghosts == nullptr) {
    return {};
  }
  const int others = onPoints ? vtkDataSetAttributes::DUPLICATEPOINT | vtkDataSetAttributes::HIDDENPOINT
                              : vtkDataSetAttributes::DUPLICATECELL | vtkDataSetAttributes::HIDDENCELL;
  std::vector<std::uint8_t> marks(static_cast<std::size_t>(ghosts->GetNumberOfTuples()));
  for (std::size_t i = 0; i < marks.size(); ++i) {
    marks[i] = (ghosts->GetValue(static_cast<vtkIdType>(i)) & others) != 0 ? 1 : 0;
  }
  return marks;
}

std::vector<std::vector<double>> chargesOf(
  vtkDataSet* data, vtkDataArray* charges, bool onPoints, ChargeMeaning meaning) {
  const auto count = static_cast<std::size_t>(data == nullptr ? 0
      : onPoints                                              ? data->GetNumberOfPoints()
                                                              : std::max<vtkIdType>(data->GetNumberOfCells(), 0));
  if (count == 0) {
    return {};
  }
  std::vector<std::vector<double>> columns(
    charges == nullptr ? 1 : static_cast<std::size_t>(charges->GetNumberOfComponents()));
  for (std::size_t c = 0; c < columns.size(); ++c) {
    columns[c].assign(count, 1.0);
    for (std::size_t i = 0; charges != nullptr && i < count; ++i) {
      const double charge = charges->GetComponent(static_cast<vtkIdType>(i), static_cast<int>(c));
      if (!std::isfinite(charge)) {
        throw InvalidArgument(std::format("the charge '{}' of {} {} is {}; charges must be finite", charges->GetName(),
          onPoints ? "point" : "cell", i, charge));
      }
      columns[c][i] = charge;
    }
  }
  if (meaning == ChargeMeaning::Density) {
    if (onPoints) {
      throw InvalidArgument("charges are densities, and on points, which have no size; densities belong to cells");
    }
    const std::vector<std::uint8_t> others = notOwn(data, onPoints);
    const std::vector<double> sizes = sizesOfCells(data);
    for (std::size_t i = 0; i < count; ++i) {
      if (!std::isfinite(sizes[i]) && (others.empty() || others[i] == 0)) {
        throw InvalidArgument(
          std::format("cell {} has no length, area or volume, which its charge's density must be multiplied by", i));
      }
      for (std::vector<double>& column : columns) {
        column[i] *= sizes[i];
      }
    }
  }
  return columns;
}

} // namespace spanwise
