#include "vtkSpanwiseImageToIntervals.h"

#include "SpanwiseBridge.h"
#include "SpanwiseImageCells.h"
#include "SpanwiseInputCells.h"

#include "Core/Runtime/Error.hpp"

#include <vtkDataArray.h>
#include <vtkImageData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>
#include <vtkUnstructuredGrid.h>

using namespace spanwise::geometry;
using namespace spanwise::parallel;

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseImageToIntervals);

namespace {

/// What this rank's piece of an image says, or nothing if the piece is empty.
struct Piece {
  vtkImageData* image = nullptr;
  vtkDataArray* array = nullptr;
  ImageValues where = ImageValues::AtPoints;
  int dimension = 0;

  [[nodiscard]] bool empty() const { return image == nullptr; }
};

/// Which cells are made of an image, and what is carried along.
struct Choice {
  int component;
  ValueRange range;
  CarriedArrays carried;
};

/// Collective. Ranks must see the same image; one without a piece has no opinion.
void agreeOnKind(const RankGroup& group, Piece& piece) {
  const auto isOnCells = [&] { return static_cast<std::int64_t>(piece.where == ImageValues::OnCells); };
  const std::int64_t onCells = group.maximum(piece.empty() ? -1 : isOnCells());
  const std::int64_t dimension = group.maximum(piece.dimension);
  group.agree([&] {
    if (!piece.empty() && isOnCells() != onCells) {
      throw InvalidArgument("the array is on the points of some pieces of the image and on the cells of others");
    }
    if (!piece.empty() && piece.where == ImageValues::OnCells && piece.dimension != dimension) {
      throw InvalidArgument("some pieces of the image are flat along z and others are not");
    }
    piece.dimension = static_cast<int>(dimension);
  });
}

template <int Dim>
void makeGrid(const RankGroup& group, const Piece& piece, const Choice& choice, const GridPlacement& placement,
  const Progress& progress, vtkUnstructuredGrid* output) {
  RankCells<Dim> cells;
  group.agree([&] {
    if (!piece.empty()) {
      cells = imageCells<Dim>(piece.image, piece.where, piece.array, choice.component, choice.range, choice.carried);
    }
    progress.report(0.7);
  });
  unifyArrays(group, cells); // ranks without a piece have none yet
  const PlaneRange owned = distribute(group, cells);
  group.agree([&] { setCells(output, cells, placement, owned); });
}

} // namespace

vtkSpanwiseImageToIntervals::vtkSpanwiseImageToIntervals() {
  this->SetInputArrayToProcess(
    0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS_THEN_CELLS, vtkDataSetAttributes::SCALARS);
}

int vtkSpanwiseImageToIntervals::FillInputPortInformation(int /*port*/, vtkInformation* info) {
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkImageData");
  return 1;
}

void vtkSpanwiseImageToIntervals::MakeOutput(
  const RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) {
  Piece piece;
  group.agree([&] {
    vtkImageData* image = vtkImageData::GetData(inputs[0], 0);
    if (image == nullptr || image->GetNumberOfPoints() == 0) {
      return;
    }
    int association = vtkDataObject::FIELD_ASSOCIATION_POINTS;
    piece.array = this->GetInputArrayToProcess(0, inputs, association);
    if (piece.array == nullptr) {
      vtkInformation* const wanted = this->GetInputArrayInformation(0);
      const char* const name = wanted->Get(vtkDataObject::FIELD_NAME());
      const bool ofCells = wanted->Get(vtkDataObject::FIELD_ASSOCIATION()) == vtkDataObject::FIELD_ASSOCIATION_CELLS;
      throw InvalidArgument(name == nullptr || *name == 0
          ? "no array was chosen to compare with the range; there must be one of the image"
          : std::string("the image has no ") + (ofCells ? "cell" : "point") + " array '" + std::string(name) +
            "' to compare with the range");
    }
    piece.image = image;
    piece.where = association == vtkDataObject::FIELD_ASSOCIATION_CELLS ? ImageValues::OnCells : ImageValues::AtPoints;
    piece.dimension = image->GetDimensions()[2] > 1 ? 3 : 2;
  });
  agreeOnKind(group, piece);
  GridPlacement placement;
  group.agree([&] {
    if (!piece.empty()) {
      placement = placementOf(piece.image, piece.where, piece.dimension);
    }
  });
  int dimension = piece.dimension;
  sharePlacement(group, static_cast<int>(!piece.empty()), placement, dimension);
  const ValueRange range = this->GetRange();
  const Choice choice{this->Component, range, this->GetCarriedArrays()};
  if (dimension == 3) {
    makeGrid<3>(group, piece, choice, placement, progressOf(this), output);
  } else {
    makeGrid<2>(group, piece, choice, placement, progressOf(this), output);
  }
  if (!piece.empty()) {
    output->GetFieldData()->PassData(piece.image->GetFieldData());
  }
}
