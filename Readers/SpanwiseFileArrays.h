#ifndef SpanwiseFileArrays_h
#define SpanwiseFileArrays_h

// VTK's arrays as arrays of a file, and back. Not wrapped.

#include "IcsrTypes.hpp"

#include <vtkSmartPointer.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

class vtkAbstractArray;
class vtkDataArray;
class vtkDataSetAttributes;
class vtkStringArray;

namespace spanwise {

/// What a file would say of an array; nothing if a file cannot hold it: variants, texts or a name that are not UTF-8 or
/// too long.
std::optional<IcsrArray> describeForFile(vtkAbstractArray* array);

/// The arrays of cells or points that a file can hold, with what they are the active ones of. The names of the others
/// are added to `leftOut`, and so are those of vtkGhostType, which says what a file is not told.
struct FileArrays {
  std::vector<IcsrArray> infos;
  std::vector<vtkDataArray*> arrays;
};
FileArrays arraysForFile(vtkDataSetAttributes* data, std::vector<std::string>& leftOut);

/// Hands the tuples [first, first + count) of an array to `write` as they stand in a file: piece by piece, so that an
/// array that is stored in another way needs little memory.
void forEachPiece(vtkDataArray* array, std::int64_t first, std::int64_t count,
  const std::function<void(std::int64_t first, std::int64_t count, const void* values)>& write);

/// An array as `info` describes it, with `count` tuples of undefined values. Throws FileError if there is no memory for
/// it.
vtkSmartPointer<vtkDataArray> makeArray(const IcsrArray& info, std::int64_t count);

/// What an array is the active one of (vtkDataSetAttributes::AttributeTypes), as its role says; -1: of nothing.
int attributeOf(const IcsrArray& info);

} // namespace spanwise

#endif
