#ifndef SpanwiseArrays_h
#define SpanwiseArrays_h

// The arrays of a surface. Not wrapped.

#include "SpanwiseIdsOnSide.h"

#include <vtkAbstractArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkSmartPointer.h>

#include <cstring>

namespace spanwise {

/// Which arrays a surface takes along.
struct ArrayChoice {
  bool none = false;
  const char* name = nullptr; ///< the only one; null: all
  [[nodiscard]] bool contains(const char* array) const;
};

/// Adds to `to` what make(array) gives for each chosen array of `from`, and which of them are active. Ghost arrays,
/// which no surface needs any more, are never chosen.
template <class Make>
void addArrays(vtkDataSetAttributes* from, const ArrayChoice& choice, vtkDataSetAttributes* to, const Make& make) {
  for (int a = 0; a < from->GetNumberOfArrays(); ++a) {
    vtkAbstractArray* const array = from->GetAbstractArray(a);
    const char* const name = array->GetName();
    if ((name != nullptr && std::strcmp(name, vtkDataSetAttributes::GhostArrayName()) == 0) || !choice.contains(name)) {
      continue;
    }
    const int index = to->AddArray(make(array));
    const int attribute = from->IsArrayAnAttribute(a);
    if (attribute >= 0 && index >= 0) {
      to->SetActiveAttribute(index, attribute);
    }
  }
}

/// An array with the tuples ids[0] ... of `array`, which may compute its own. Values that lie on the device are
/// gathered there for ids on the device, and the result lies there. Values of intervals are found by ids there, too. In
/// parallel.
template <ComputeSide side>
vtkSmartPointer<vtkAbstractArray> gathered(
  const SideContext<side>& context, vtkAbstractArray* array, IdsOnSide<side>& ids);

/// Shares the chosen arrays of `from` with `to`, and which of them are active: on the host, to be drawn.
void shareArrays(vtkDataSetAttributes* from, const ArrayChoice& choice, vtkDataSetAttributes* to);

/// Adds to `to` the chosen arrays of `from` with the tuples ids[0] ..., on the host, and which of them are active.
template <ComputeSide side>
void gatherArrays(const SideContext<side>& context, vtkDataSetAttributes* from, const ArrayChoice& choice,
  IdsOnSide<side>& ids, vtkDataSetAttributes* to);

} // namespace spanwise

#endif
