#ifndef SpanwiseCarriedArrays_h
#define SpanwiseCarriedArrays_h

// Which arrays a filter takes along. Not wrapped and not installed.

#include <vtkDataArraySelection.h>

namespace spanwise {

/// All arrays, or those that a selection enables.
struct CarriedArrays {
  bool all = true;
  vtkDataArraySelection* selection = nullptr;

  [[nodiscard]] bool contains(const char* name) const {
    return name != nullptr && (all || (selection != nullptr && selection->ArrayIsEnabled(name) != 0));
  }
  [[nodiscard]] bool any() const { return all || (selection != nullptr && selection->GetNumberOfArraysEnabled() > 0); }
};

} // namespace spanwise

#endif
