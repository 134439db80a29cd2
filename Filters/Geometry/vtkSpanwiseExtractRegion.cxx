#include "vtkSpanwiseExtractRegion.h"

#include "SpanwiseAlignedInputs.h"
#include "SpanwiseBridge.h"
#include "SpanwiseLattice.h"
#include "SpanwiseOneGrid.h"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/ExtractRegion.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkDataSet.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <format>

using namespace spanwise::geometry;
using namespace spanwise::parallel;

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseExtractRegion);

namespace {

using Host = HostExecutionSpace;

void checkChoice(const char* what, int value, int highest) {
  if (value < 0 || value > highest) {
    throw InvalidArgument(std::format("{} is {}; it must be in [0, {}]", what, value, highest));
  }
}

} // namespace

vtkSpanwiseExtractRegion::vtkSpanwiseExtractRegion() { this->SetNumberOfInputPorts(2); }

void vtkSpanwiseExtractRegion::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Region: " << this->Region << "\n";
  os << indent << "Side: " << this->Side << "\n";
  os << indent << "Cells: " << this->Cells << "\n";
  os << indent << "Corner: " << this->Corner[0] << " " << this->Corner[1] << " " << this->Corner[2] << "\n";
  os << indent << "Lengths: " << this->Lengths[0] << " " << this->Lengths[1] << " " << this->Lengths[2] << "\n";
  os << indent << "Center: " << this->Center[0] << " " << this->Center[1] << " " << this->Center[2] << "\n";
  os << indent << "Radius: " << this->Radius << "\n";
}

int vtkSpanwiseExtractRegion::FillInputPortInformation(int port, vtkInformation* info) {
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataSet");
  if (port == 1) {
    requireOneGrid(info);
    info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
  }
  return 1;
}

void vtkSpanwiseExtractRegion::CheckProperties() const {
  checkChoice("the region", this->Region, SET);
  checkChoice("the side", this->Side, OUTSIDE);
  checkChoice("the test of cells", this->Cells, TOUCHING);
  for (int d = 0; d < 3 && this->Region == BOX; ++d) {
    if (!(this->Lengths[d] >= 0.0)) {
      throw InvalidArgument(
        std::format("the length of the box along axis {} is {}; it must not be negative", d, this->Lengths[d]));
    }
  }
}

void vtkSpanwiseExtractRegion::MakeOutput(
  const RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) {
  this->CheckProperties();
  std::vector<vtkDataSet*> data{vtkDataSet::GetData(inputs[0], 0)};
  if (this->Region == SET) {
    if (inputs[1]->GetNumberOfInformationObjects() == 0) {
      throw InvalidArgument("there is no set to extract by; give one, or choose a box or a sphere");
    }
    data.push_back(vtkDataSet::GetData(inputs[1], 0));
  }
  auto read = readAligned(group, data, {}, progressOf(this).part(0.0, 0.4));
  std::visit([&](auto& aligned) { this->MakeSet(group, aligned, output); }, read);
  passFieldData({data[0]}, output);
}

template <class Aligned>
void vtkSpanwiseExtractRegion::MakeSet(const RankGroup& group, Aligned& aligned, vtkUnstructuredGrid* output) {
  constexpr int Dim = std::decay_t<decltype(aligned.inputs[0].set)>::dimension;
  if (this->Region == SET) {
    aligned.inputs[1].values = vtkSmartPointer<vtkCellData>::New(); // only the first input's are carried
  }
  bringToOneCut<Dim>(group, aligned.inputs);
  RankCells<Dim> result;
  const GridGeometry<Dim> lattice = latticeOf<Dim>(aligned.placement);
  const RegionChoice choice{this->Cells == TOUCHING ? RegionCells::Touching : RegionCells::WithCentre,
    this->Side == OUTSIDE ? RegionSide::Outside : RegionSide::Inside};
  const SideInputs<Dim> all = sideInputsOf<Dim>(aligned.inputs);
  computeOnSide<Dim>(group, "Extract Region", all, [&]<ComputeSide side>(const SideContext<side>& together) {
    using Space = SpaceOf<side>;
    const Context<Space> context = together.with(singleProcess()); // each rank works on its own cells
    group.agree([&] {
      const IntervalSetOn<Dim, Space>& set = aligned.inputs[0].set.template on<side>();
      IntervalSetOn<Dim, Space> out;
      if (this->Region == SET) {
        const auto operation = this->Side == OUTSIDE ? SetOperation::Difference : SetOperation::Intersection;
        combine<Space, Dim>(context, operation, set, aligned.inputs[1].set.template on<side>(), out);
      } else if (this->Region == SPHERE) {
        BallRegion<Dim> ball{{}, this->Radius};
        std::copy_n(this->Center, Dim, ball.centre);
        extractRegion<Space, Dim>(context, set, lattice, ball, choice, out);
      } else {
        BoxRegion<Dim> box{};
        for (int d = 0; d < Dim; ++d) {
          box.low[d] = this->Corner[d];
          box.high[d] = this->Corner[d] + this->Lengths[d];
        }
        extractRegion<Space, Dim>(context, set, lattice, box, choice, out);
      }
      result.set = MirroredSet<Dim>::template of<side>(out);
    });
  });
  group.agree([&] {
    progressOf(this).report(0.6);
    aligned.inputs.resize(1);
    carryValues<Dim>(aligned.inputs, result);
    progressOf(this).report(0.8);
  });
  const PlaneRange owned = distribute(group, result);
  group.agree([&] { setCells(output, result, aligned.placement, owned); });
}
