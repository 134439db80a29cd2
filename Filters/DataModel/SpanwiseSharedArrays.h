#ifndef SpanwiseSharedArrays_h
#define SpanwiseSharedArrays_h

// VTK arrays over memory that somebody else owns. Internal to this library.

#include <cstdint>
#include <memory>

class vtkIntArray;
class vtkTypeInt64Array;

namespace spanwise {

/// Makes `array` show `numTuples` tuples at `values`, without a copy. `owner` lives until VTK gives the memory back.
void share(vtkIntArray* array, const std::int32_t* values, std::int64_t numTuples, int numComponents,
  std::shared_ptr<const void> owner);
void share(vtkTypeInt64Array* array, const std::int64_t* values, std::int64_t numTuples, int numComponents,
  std::shared_ptr<const void> owner);

} // namespace spanwise

#endif
