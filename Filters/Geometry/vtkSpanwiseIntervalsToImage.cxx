#include "vtkSpanwiseIntervalsToImage.h"

#include "SpanwiseBridge.h"
#include "SpanwiseCarriedArrays.h"
#include "SpanwiseCellImage.h"
#include "SpanwiseExecute.h"
#include "SpanwiseInputCells.h"
#include "SpanwiseLattice.h"
#include "SpanwiseOneGrid.h"

#include <vtkAlgorithmOutput.h>
#include <vtkCommand.h>
#include <vtkDataSet.h>
#include <vtkImageData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>
#include <vtkStreamingDemandDrivenPipeline.h>

using namespace spanwise::geometry;
using namespace spanwise::parallel;

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseIntervalsToImage);

namespace {

using Pipeline = vtkStreamingDemandDrivenPipeline;

/// Collective. The box of the whole image.
template <int Dim>
Box<Dim> wholeBox(
  const RankGroup& group, const RankCells<Dim>& cells, const GridPlacement& placement, const double* bounds) {
  Box<Dim> box{};
  if (bounds == nullptr) {
    return boundingBoxOfAll<Dim>(group, {&cells.set});
  }
  group.agree([&] { box = cellsWithin<Dim>(placement, bounds); });
  return box;
}

template <int Dim>
void announce(const Box<Dim>& box, const GridPlacement& placement, vtkInformation* outInfo) {
  int extent[6];
  extentOf<Dim>(box, extent);
  outInfo->Set(Pipeline::WHOLE_EXTENT(), extent, 6);
  outInfo->Set(vtkDataObject::ORIGIN(), placement.origin, 3);
  outInfo->Set(vtkDataObject::SPACING(), placement.spacing, 3);
}

/// Brings the input of port 0 up to date, for what will be asked for next as far as that is known.
void updateInput(vtkAlgorithm* algorithm, const RankGroup& group, vtkInformation* inInfo) {
  vtkAlgorithmOutput* connection = algorithm->GetInputConnection(0, 0);
  inInfo->Set(Pipeline::UPDATE_PIECE_NUMBER(), group.rank());
  inInfo->Set(Pipeline::UPDATE_NUMBER_OF_PIECES(), group.size());
  inInfo->Set(Pipeline::UPDATE_NUMBER_OF_GHOST_LEVELS(), 0);
  connection->GetProducer()->Update(connection->GetIndex());
}

} // namespace

vtkSpanwiseIntervalsToImage::vtkSpanwiseIntervalsToImage() {
  this->ArraySelection->AddObserver(vtkCommand::ModifiedEvent, this, &vtkSpanwiseIntervalsToImage::Modified);
}

void vtkSpanwiseIntervalsToImage::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "UseBounds: " << (this->UseBounds ? "on" : "off") << "\n";
  os << indent << "Bounds:";
  for (const double bound : this->Bounds) {
    os << " " << bound;
  }
  os << "\n" << indent << "FillValue: " << this->FillValue << "\n";
  os << indent << "Blank: " << (this->Blank ? "on" : "off") << "\n";
  os << indent << "MemoryLimit: " << this->MemoryLimit << "\n";
  os << indent << "PassAllArrays: " << (this->PassAllArrays ? "on" : "off") << "\n";
  os << indent << "ArraySelection:\n";
  this->ArraySelection->PrintSelf(os, indent.GetNextIndent());
  os << indent << "Controller: " << this->Controller << "\n";
}

int vtkSpanwiseIntervalsToImage::FillInputPortInformation(int /*port*/, vtkInformation* info) {
  requireOneGrid(info);
  // Of blocks that come one by one, the executive puts each in the producer's place, which must not be updated then.
  info->Append(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkCompositeDataSet");
  return 1;
}

int vtkSpanwiseIntervalsToImage::RequestInformation(
  vtkInformation* /*request*/, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  vtkInformation* outInfo = outputs->GetInformationObject(0);
  outInfo->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
  const RankGroup group = RankGroup::ofAll(this->Controller);
  updateInput(this, group, inputs[0]->GetInformationObject(0));
  try {
    group.agree(startRuntime);
    const InputCells cells =
      readCells(group, oneDataSet(group, vtkDataObject::GetData(inputs[0], 0)), InputValues::None);
    std::visit(
      [&](const auto& mine) {
        announce(
          wholeBox(group, mine, cells.placement, this->UseBounds ? this->Bounds : nullptr), cells.placement, outInfo);
      },
      cells.cells);
  } catch (...) {
    announce(Box<3>{}, {}, outInfo); // RequestData will meet the same error, and report it
  }
  return 1;
}

int vtkSpanwiseIntervalsToImage::RequestUpdateExtent(
  vtkInformation* /*request*/, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  requestWholeInputs(RankGroup::ofRequest(this->Controller, outputs->GetInformationObject(0)), inputs, 1);
  return 1;
}

int vtkSpanwiseIntervalsToImage::RequestData(
  vtkInformation* /*request*/, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  vtkInformation* outInfo = outputs->GetInformationObject(0);
  const RankGroup group = RankGroup::ofRequest(this->Controller, outInfo);
  vtkImageData* output = vtkImageData::GetData(outputs, 0);
  output->Initialize();
  return execute(this, outputs, group, [&] {
    vtkDataSet* input = oneDataSet(group, vtkDataObject::GetData(inputs[0], 0));
    InputCells cells = readCells(group, input, InputValues::All, progressOf(this).part(0.0, 0.4));
    const CarriedArrays carried{this->PassAllArrays, this->ArraySelection};
    const CellImageOptions options{this->FillValue, this->Blank, this->MemoryLimit * 1024.0 * 1024.0};
    std::visit(
      [&](auto& mine) {
        const auto box = wholeBox(group, mine, cells.placement, this->UseBounds ? this->Bounds : nullptr);
        announce(box, cells.placement, outInfo); // it may have changed with time
        carried.keepOnly(mine.values);
        const PlaneRange owned = distribute(group, mine);
        group.agree([&] { makeImage(mine, inPlanes(box, owned), cells.placement, options, output); });
      },
      cells.cells);
    if (input != nullptr) {
      output->GetFieldData()->PassData(input->GetFieldData());
    }
  });
}
