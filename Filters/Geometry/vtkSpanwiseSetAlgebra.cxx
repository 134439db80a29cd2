#include "vtkSpanwiseSetAlgebra.h"

#include "SpanwiseAlignedInputs.h"
#include "SpanwiseBridge.h"
#include "SpanwiseCombinedMasks.h"
#include "SpanwiseLattice.h"
#include "SpanwisePeriods.h"

#include "Core/Geometry/DomainAlgebra.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkDataSet.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>
#include <vtkUnstructuredGrid.h>

using namespace spanwise::geometry;
using namespace spanwise::parallel;

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseSetAlgebra);

namespace {

SetOperation operationOf(int operation) {
  switch (operation) {
  case vtkSpanwiseSetAlgebra::INTERSECTION:
    return SetOperation::Intersection;
  case vtkSpanwiseSetAlgebra::DIFFERENCE:
    return SetOperation::Difference;
  case vtkSpanwiseSetAlgebra::SYMMETRIC_DIFFERENCE:
    return SetOperation::SymmetricDifference;
  default:
    return SetOperation::Union;
  }
}

} // namespace

void vtkSpanwiseSetAlgebra::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Operation: " << this->Operation << "\n";
  os << indent << "ComplementBox: " << this->ComplementBox << "\n";
  os << indent << "ComplementBounds:";
  for (const double bound : this->ComplementBounds) {
    os << " " << bound;
  }
  os << "\n";
}

void vtkSpanwiseSetAlgebra::MakeOutput(
  const RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) {
  if (this->Operation < UNION || this->Operation > COMPLEMENT) {
    throw InvalidArgument("the operation is " + std::to_string(this->Operation) + "; it must be in [0, 4]");
  }
  const std::vector<vtkDataSet*> data = dataSetsOf(inputs[0]);
  const CarriedArrays carried =
    this->Operation == COMPLEMENT ? CarriedArrays{false, nullptr} : this->GetCarriedArrays();
  auto read = readAligned(group, data, carried, progressOf(this).part(0.0, 0.3));
  std::visit([&](auto& aligned) { this->MakeSet(group, aligned, output); }, read);
  passFieldData(data, output);
}

template <class Aligned>
void vtkSpanwiseSetAlgebra::MakeSet(const RankGroup& group, Aligned& aligned, vtkUnstructuredGrid* output) {
  constexpr int Dim = std::decay_t<decltype(aligned.inputs[0].set)>::dimension;
  const PlaneRange planes = bringToOneCut<Dim>(group, aligned.inputs);
  const SideInputs<Dim> all = sideInputsOf<Dim>(aligned.inputs);
  const SetDomain<Dim> domain = domainOf<Dim>(group, planes);
  RankCells<Dim> result;
  if (this->Operation != COMPLEMENT &&
    combineAsMasks<Dim>(group, "Set Algebra", operationOf(this->Operation), aligned.inputs, result.set)) {
    setCells(output, result, aligned.placement, planes);
    return;
  }
  Box<Dim> box{};
  if (this->Operation == COMPLEMENT) {
    std::vector<const MirroredSet<Dim>*> bounding;
    for (const RankCells<Dim>& input : aligned.inputs) {
      if (bounding.empty() || this->ComplementBox == BOX_OF_ALL_INPUTS) {
        bounding.push_back(&input.set);
      }
    }
    box = boundingBoxOfAll<Dim>(group, bounding);
    if (this->ComplementBox == GIVEN_BOUNDS) {
      group.agree([&] { box = cellsWithin<Dim>(aligned.placement, this->ComplementBounds); });
    }
  }
  computeOnSide<Dim>(group, "Set Algebra", all, [&]<ComputeSide side>(const SideContext<side>& context) {
    using Space = SpaceOf<side>;
    IntervalSetOn<Dim, Space> out;
    combine<Space, Dim>(context.with(progressOf(this).part(0.3, 0.6)), operationOf(this->Operation),
      all.template on<side>(), out, domain);
    if (this->Operation == COMPLEMENT) {
      complement<Space, Dim>(context, out, box, out, domain);
    }
    result.set = MirroredSet<Dim>::template of<side>(out);
  });
  group.agree([&] {
    if (this->Operation != COMPLEMENT) {
      if (this->Operation == DIFFERENCE) {
        aligned.inputs.resize(1); // no cell of the others is left
      }
      carryValues<Dim>(aligned.inputs, result);
    }
    progressOf(this).report(0.8);
  });
  const PlaneRange owned = distribute(group, result);
  group.agree([&] { setCells(output, result, aligned.placement, owned); });
}
