#ifndef SpanwiseVisibleCells_h
#define SpanwiseVisibleCells_h

// Which cells of a dataset count. Not wrapped.

#include "spanwiseDataModelModule.h"

#include <cstdint>

class vtkDataSet;

namespace spanwise {

/// The cells of a dataset that are not marked duplicate, hidden or refined in vtkGhostType; of an image those at hidden
/// points do not count either. Valid as long as the dataset does not change.
class SPANWISEDATAMODEL_EXPORT VisibleCells {
public:
  explicit VisibleCells(vtkDataSet* data);

  /// Whether no cell is marked, because nothing is.
  [[nodiscard]] bool all() const { return cells_ == nullptr && points_ == nullptr; }
  [[nodiscard]] bool operator()(std::int64_t cell) const;

private:
  [[nodiscard]] bool atVisiblePoints(std::int64_t cell) const;

  const unsigned char* cells_ = nullptr;
  const unsigned char* points_ = nullptr; ///< of an image with this many along each axis
  std::int64_t numPoints_[3] = {0, 0, 0};
};

} // namespace spanwise

#endif
