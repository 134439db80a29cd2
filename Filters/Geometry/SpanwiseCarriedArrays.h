#ifndef SpanwiseCarriedArrays_h
#define SpanwiseCarriedArrays_h

// Which arrays a filter takes along. Not wrapped and not installed.

#include <vtkDataArraySelection.h>
#include <vtkFieldData.h>

namespace spanwise {

/// All arrays, or those that a selection enables.
struct CarriedArrays {
  bool all = true;
  vtkDataArraySelection* selection = nullptr;

  [[nodiscard]] bool contains(const char* name) const {
    return name != nullptr && (all || (selection != nullptr && selection->ArrayIsEnabled(name) != 0));
  }
  /// Removes all other arrays.
  void keepOnly(vtkFieldData* data) const {
    for (int k = data->GetNumberOfArrays(); k-- > 0;) {
      if (!contains(data->GetArrayName(k))) {
        data->RemoveArray(k);
      }
    }
  }
  [[nodiscard]] bool any() const { return all || (selection != nullptr && selection->GetNumberOfArraysEnabled() > 0); }
};

} // namespace spanwise

#endif
