#ifndef SpanwiseArrayList_h
#define SpanwiseArrayList_h

// Many arrays at once: VTK compares the name of each that is added, or asked for, with those of all. Not wrapped.

#include "spanwiseDataModelModule.h"

#include <vtkSmartPointer.h>

#include <string_view>
#include <unordered_map>
#include <vector>

class vtkAbstractArray;
class vtkDataSetAttributes;
class vtkFieldData;

namespace spanwise {

/// Arrays that become those of a data set, all together.
class SPANWISEDATAMODEL_EXPORT ArrayList {
public:
  /// `attribute`: what the array is the active one of (vtkDataSetAttributes::AttributeTypes), or -1.
  void add(vtkAbstractArray* array, int attribute = -1);

  /// Makes the arrays of `data` these, in the order in which they were added, and no others. Two may have one name. An
  /// attribute that VTK refuses (of too many components, for instance) is none. O(arrays).
  void giveTo(vtkFieldData* data) const;
  void giveTo(vtkDataSetAttributes* data) const;

private:
  struct Entry {
    vtkSmartPointer<vtkAbstractArray> array;
    int attribute;
  };
  std::vector<Entry> entries_;
};

/// The arrays of a data set by their names, as they are when this is made. O(arrays), and O(1) to find one.
class SPANWISEDATAMODEL_EXPORT ArraysByName {
public:
  explicit ArraysByName(vtkFieldData* data);

  /// The first array of that name, or null. What has no name, or an empty one, is not found.
  [[nodiscard]] vtkAbstractArray* find(const char* name) const;

private:
  std::unordered_map<std::string_view, vtkAbstractArray*> arrays_;
};

/// Gives `array` the name, the components' names, the units and other information of `model`.
SPANWISEDATAMODEL_EXPORT void describeLike(vtkAbstractArray* model, vtkAbstractArray* array);

} // namespace spanwise

#endif
