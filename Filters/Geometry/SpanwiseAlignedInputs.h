#ifndef SpanwiseAlignedInputs_h
#define SpanwiseAlignedInputs_h

// Several inputs on one lattice and one cut. Not wrapped and not installed.

#include "SpanwiseCarriedArrays.h"
#include "SpanwiseInputCells.h"

#include "Core/Runtime/Progress.hpp"

#include <variant>
#include <vector>

class vtkDataObject;
class vtkDataSet;
class vtkInformation;
class vtkInformationVector;

namespace spanwise {

/// Gives the output the time steps of all inputs of a port together.
void mergeTimes(vtkInformationVector* inputs, vtkInformation* outInfo);

/// The data sets of all inputs of a port; null where an input is none.
std::vector<vtkDataSet*> dataSetsOf(vtkInformationVector* inputs);

/// Passes the field data of all inputs; of arrays with one name that of the first.
void passFieldData(const std::vector<vtkDataSet*>& inputs, vtkDataObject* output);

/// The cells of all inputs, in their order, numbered on one lattice.
template <int Dim>
struct AlignedInputs {
  std::vector<RankCells<Dim>> inputs;
  GridPlacement placement;
};

/// What an operation on all inputs works with.
template <int Dim>
SideInputs<Dim> sideInputsOf(const std::vector<RankCells<Dim>>& inputs) {
  SideInputs<Dim> all;
  for (const RankCells<Dim>& input : inputs) {
    all.sets.push_back(&input.set);
    all.numCells += sideInputsOf<Dim>(input).numCells;
  }
  return all;
}

/// Collective. Reads data sets, with the arrays that are carried, and moves them to the lattice of the first one that
/// has cells. Throws InvalidArgument, with the number of the input, where one does not fit.
std::variant<AlignedInputs<2>, AlignedInputs<3>> readAligned(
  const RankGroup& group, const std::vector<vtkDataSet*>& data, const CarriedArrays& carried, const Progress& progress);

/// Collective. Brings the inputs to one cut, if they are not on one already. Returns what this rank owns of it.
template <int Dim>
parallel::PlaneRange bringToOneCut(const RankGroup& group, std::vector<RankCells<Dim>>& inputs);

/// The values of `cells`: each from the first of the inputs that has the cell and the array, else NaN or 0. Throws
/// InvalidArgument for arrays of one name that differ in their number of components.
template <int Dim>
void carryValues(const std::vector<RankCells<Dim>>& inputs, RankCells<Dim>& cells);

} // namespace spanwise

#endif
