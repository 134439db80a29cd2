#ifndef SpanwiseOneGrid_h
#define SpanwiseOneGrid_h

// Inputs of filters for one grid, where levels come in. Not wrapped.

#include "SpanwiseRankGroup.h"
#include "spanwiseParallelModule.h"

#include <vtkNew.h>
#include <vtkSmartPointer.h>

#include <vector>

class vtkAlgorithm;
class vtkDataObject;
class vtkDataSet;
class vtkInformation;
class vtkInformationVector;

namespace spanwise {

/// Says that an input port takes one grid, for what a filter does depends on cells around or on other inputs. Otherwise
/// executives hand over one level of a hierarchy after the other, as if there were no others.
SPANWISEPARALLEL_EXPORT void requireOneGrid(vtkInformation* port);

/// Collective. The data set of an input: itself, or the only one with cells on any rank of a collection. Null where
/// there is none. Throws InvalidArgument, on all ranks, if several parts of a collection have cells.
SPANWISEPARALLEL_EXPORT vtkDataSet* oneDataSet(const RankGroup& group, vtkDataObject* data);

/// The inputs of a request, with oneDataSet() in place of collections on ports that require one grid.
class SPANWISEPARALLEL_EXPORT OneGridInputs {
public:
  /// Collective.
  OneGridInputs(const RankGroup& group, vtkAlgorithm* algorithm, vtkInformationVector** inputs);
  OneGridInputs(const OneGridInputs&) = delete;
  OneGridInputs& operator=(const OneGridInputs&) = delete;

  [[nodiscard]] vtkInformationVector** get() { return ports_.data(); }

private:
  std::vector<vtkSmartPointer<vtkInformationVector>> owned_;
  std::vector<vtkInformationVector*> ports_;
};

} // namespace spanwise

#endif
