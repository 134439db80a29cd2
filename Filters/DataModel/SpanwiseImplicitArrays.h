#ifndef SpanwiseImplicitArrays_h
#define SpanwiseImplicitArrays_h

// The two arrays through which VTK sees a grid of intervals: positions of nodes, and the nodes of cells. Both compute
// their values from the shared record. They are instantiated once, in this library, so that a dynamic_cast recognises
// them in whatever plugin it stands.

#include "SpanwiseIntervalGrid.h"
#include "spanwiseDataModelModule.h"

#include <vtkImplicitArray.h>
#include <vtkType.h>

#include <memory>
#include <utility>

namespace spanwise {

/// The positions of nodes, 3 components each.
template <int Dim>
class SPANWISEDATAMODEL_EXPORT NodeBackend {
public:
  explicit NodeBackend(IntervalGridPointer<Dim> grid) : grid_(std::move(grid)) {}

  [[nodiscard]] double map(vtkIdType index) const { return mapComponent(index / 3, static_cast<int>(index % 3)); }
  void mapTuple(vtkIdType node, double* position) const { grid_->nodePosition(node, position); }
  [[nodiscard]] double mapComponent(vtkIdType node, int component) const {
    std::int64_t coordinates[3];
    grid_->nodeCoordinates(node, coordinates);
    return grid_->placement().position(component, coordinates[component]);
  }
  /// KiB. The record is counted by the connectivity, which is what stock filters keep longest.
  [[nodiscard]] unsigned long getMemorySize() const { return 0; }
  /// The least and the greatest value of each component, as VTK has bounds. False if there are no values.
  [[nodiscard]] bool ranges(double* ranges) const {
    grid_->bounds(ranges);
    return grid_->numNodes() > 0;
  }
  /// The least and the greatest length of a position vector. False if there are no values.
  [[nodiscard]] bool vectorRange(double* range) const { return grid_->positionLengths(range); }

  [[nodiscard]] const IntervalGridPointer<Dim>& grid() const { return grid_; }

private:
  IntervalGridPointer<Dim> grid_;
};

/// The nodes of cells, one cell after the other, in the order of VTK_PIXEL (2D) or VTK_HEXAHEDRON (3D).
template <int Dim>
class SPANWISEDATAMODEL_EXPORT ConnectivityBackend {
public:
  explicit ConnectivityBackend(IntervalGridPointer<Dim> grid) : grid_(std::move(grid)) {}

  [[nodiscard]] vtkIdType map(vtkIdType index) const {
    constexpr vtkIdType size = IntervalGrid<Dim>::nodesPerCell;
    return grid_->nodeOfCell(index / size, IntervalGrid<Dim>::cornerOfPoint(static_cast<int>(index % size)));
  }
  /// KiB, rounded up.
  [[nodiscard]] unsigned long getMemorySize() const {
    return static_cast<unsigned long>((grid_->bytes() + 1023) / 1024);
  }

  /// The least and the greatest value. False if there are no values.
  [[nodiscard]] bool ranges(double* ranges) const {
    ranges[0] = 0.0;
    ranges[1] = static_cast<double>(grid_->numNodes() - 1);
    return grid_->numNodes() > 0;
  }
  /// The same: values have one component, and none is negative.
  [[nodiscard]] bool vectorRange(double* range) const { return ranges(range); }

  [[nodiscard]] const IntervalGridPointer<Dim>& grid() const { return grid_; }

private:
  IntervalGridPointer<Dim> grid_;
};

/// A vtkImplicitArray that knows its ranges without looking at every value (all are finite), and that counts the
/// explicit copy which GetVoidPointer() makes.
template <class Backend>
class SPANWISEDATAMODEL_EXPORT CarryingArray : public vtkImplicitArray<Backend> {
public:
  using SelfType = CarryingArray<Backend>;
  vtkImplicitArrayTypeMacro(SelfType, vtkImplicitArray<Backend>);
  static CarryingArray* New();

  unsigned long GetActualMemorySize() const override;

protected:
  CarryingArray() = default;
  ~CarryingArray() override = default;

  bool ComputeScalarRange(double* ranges, const unsigned char* ghosts, unsigned char ghostsToSkip = 0xff) override;
  bool ComputeVectorRange(double range[2], const unsigned char* ghosts, unsigned char ghostsToSkip = 0xff) override;
  bool ComputeFiniteScalarRange(
    double* ranges, const unsigned char* ghosts, unsigned char ghostsToSkip = 0xff) override;
  bool ComputeFiniteVectorRange(
    double range[2], const unsigned char* ghosts, unsigned char ghostsToSkip = 0xff) override;

private:
  [[nodiscard]] bool knowsRanges(const unsigned char* ghosts) const;

  CarryingArray(const CarryingArray&) = delete;
  void operator=(const CarryingArray&) = delete;
};

template <int Dim>
using NodeArray = CarryingArray<NodeBackend<Dim>>;
template <int Dim>
using ConnectivityArray = CarryingArray<ConnectivityBackend<Dim>>;

} // namespace spanwise

#ifndef SPANWISE_INSTANTIATING_IMPLICIT_ARRAYS
#define SPANWISE_CARRYING_ARRAY(Backend)                                                                               \
  extern template class SPANWISEDATAMODEL_EXPORT vtkImplicitArray<Backend>;                                            \
  extern template class SPANWISEDATAMODEL_EXPORT spanwise::CarryingArray<Backend>;
SPANWISE_CARRYING_ARRAY(spanwise::NodeBackend<2>)
SPANWISE_CARRYING_ARRAY(spanwise::NodeBackend<3>)
SPANWISE_CARRYING_ARRAY(spanwise::ConnectivityBackend<2>)
SPANWISE_CARRYING_ARRAY(spanwise::ConnectivityBackend<3>)
#undef SPANWISE_CARRYING_ARRAY
#endif

#endif
