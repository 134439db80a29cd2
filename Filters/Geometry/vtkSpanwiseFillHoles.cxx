#include "vtkSpanwiseFillHoles.h"

#include "SpanwiseAlignedInputs.h"
#include "SpanwiseBridge.h"
#include "SpanwiseComponents.h"
#include "SpanwiseConnectivity.h"
#include "SpanwiseLattice.h"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Components.hpp"

#include <vtkDataSet.h>
#include <vtkObjectFactory.h>
#include <vtkUnstructuredGrid.h>

#include <limits>

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseFillHoles);

namespace {

using Host = HostExecutionSpace;

/// The bounding box of all cells and one cell around it: its border is outside, so the outside is the first component
/// of the background.
template <int Dim>
Box<Dim> boxAround(Box<Dim> box) {
  for (int d = 0; d < Dim; ++d) {
    if (box.begin[d] == minCoordinate || box.end[d] == maxIntervalEnd) {
      throw CoordinateOverflow("the cells " + toString(box) +
        " reach the coordinate limits [-2^31, 2^31 - 2]; to find holes there must be a cell around them");
    }
    --box.begin[d];
    ++box.end[d];
  }
  return box;
}

/// The set and the holes of at most so many cells. Collective.
template <int Dim>
HostIntervalSet<Dim> filled(const Team& team, Connectivity connectivity, std::int64_t most, const PlaneRange& owned,
  const HostIntervalSet<Dim>& set) {
  const Box<Dim> box = boundingBoxOfAll<Dim>(team, {&set});
  if (box.empty()) {
    return {};
  }
  Workspace<Kokkos::HostSpace> workspace;
  HostIntervalSet<Dim> background;
  team.agree([&] { complement<Host, Dim>(Host(), set, inPlanes(boxAround(box), owned), background, workspace); });
  const RankComponents<Dim> components =
    findComponents<Dim>(team, connectivity, {}, owned, background, WithEulerNumber::No);
  HostIntervalSet<Dim> result;
  team.agree([&] {
    const ComponentNumbers<Host> isHole(SPANWISE_LABEL("Geometry::holes"), components.parts.size());
    for (std::size_t k = 0; k < components.parts.size(); ++k) {
      const auto& part = components.parts[k];
      isHole(k) = static_cast<std::int64_t>(part.number > 0 && part.measures.size <= most);
    }
    HostIntervalSet<Dim> holes;
    selectComponents<Host, Dim>(Host(), background, components.labels, isHole, 1, 1, holes, workspace);
    combine<Host, Dim>(Host(), SetOperation::Union, set, holes, result, workspace);
  });
  return result;
}

} // namespace

void vtkSpanwiseFillHoles::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Connectivity: " << this->Connectivity << "\n";
  os << indent << "LargestHole: " << this->LargestHole << "\n";
}

void vtkSpanwiseFillHoles::MakeOutput(const Team& team, vtkInformationVector** inputs, vtkUnstructuredGrid* output) {
  const spanwise::Connectivity connectivity = connectivityOf(this->Connectivity);
  if (this->LargestHole < 0) {
    throw InvalidArgument(
      "the largest hole has " + std::to_string(this->LargestHole) + " cells; it must have 0 (all holes) or more");
  }
  const std::int64_t most = this->LargestHole > 0 ? this->LargestHole : std::numeric_limits<std::int64_t>::max();
  vtkDataSet* data = vtkDataSet::GetData(inputs[0], 0);
  InputCells input = this->ReadInput(team, data);
  std::visit(
    [&]<int Dim>(RankCells<Dim>& cells) {
      const PlaneRange owned = team.streams() ? PlaneRange() : distribute(team, cells);
      RankCells<Dim> result;
      result.set = filled<Dim>(team, connectivity, most, owned, cells.set);
      team.agree([&] {
        progressOf(this).report(0.7);
        carryValues<Dim>({cells}, result);
        cells = {};
      });
      const PlaneRange mine = distribute(team, result);
      team.agree([&] { setCells(output, result, input.placement, mine); });
    },
    input.cells);
  if (data != nullptr) {
    output->GetFieldData()->PassData(data->GetFieldData());
  }
}
