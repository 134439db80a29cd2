#ifndef SpanwiseImplicitArrays_h
#define SpanwiseImplicitArrays_h

// The arrays through which VTK sees a grid of intervals: positions of nodes, the nodes of cells, and where each cell's
// nodes begin. They compute their values from the shared record. They are instantiated once, in this library, so that a
// dynamic_cast recognises them in whatever plugin it stands.

#include "SpanwiseIntervalGrid.h"
#include "spanwiseDataModelModule.h"

#include <vtkAOSDataArrayTemplate.h>
#include <vtkCellType.h>
#include <vtkImplicitArray.h>
#include <vtkSmartPointer.h>
#include <vtkType.h>
#include <vtkVariant.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace spanwise {

/// What is said to who writes to one of these arrays.
inline constexpr const char* gridIsReadOnly =
  "the points and cells of a grid of intervals are computed and cannot be changed in place: nothing was written; "
  "Spanwise Intervals To Unstructured Grid, vtkSpanwiseGrid::Explode() or a DeepCopy() makes explicit ones";

/// The positions of nodes, 3 components each.
template <int Dim>
class SPANWISEDATAMODEL_EXPORT NodeBackend {
public:
  static constexpr const char* readOnly = gridIsReadOnly;

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

/// The type of all cells. Not pixels and voxels, which VTK takes as aligned with the axes wherever their points are, so
/// that gradients and sizes would be wrong once a filter has moved these.
template <int Dim>
inline constexpr int cellType = Dim == 2 ? VTK_QUAD : VTK_HEXAHEDRON;

/// The nodes of cells, one cell after the other, in the order of cellType<Dim>.
template <int Dim>
class SPANWISEDATAMODEL_EXPORT ConnectivityBackend {
public:
  static constexpr const char* readOnly = gridIsReadOnly;

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

/// Where the nodes of each cell begin in the connectivity, and after the last one the end. Not a vtkAffineArray, which
/// VTK 9.6 casts its explicit output to in vtkUnstructuredGrid::RemoveGhostCells() and follows the null pointer.
template <int Dim>
class SPANWISEDATAMODEL_EXPORT OffsetsBackend {
public:
  static constexpr const char* readOnly = gridIsReadOnly;

  explicit OffsetsBackend(std::int64_t numCells) : numCells_(numCells) {}

  [[nodiscard]] vtkIdType map(vtkIdType index) const { return IntervalGrid<Dim>::nodesPerCell * index; }
  /// KiB.
  [[nodiscard]] unsigned long getMemorySize() const { return 0; }
  /// The least and the greatest value.
  [[nodiscard]] bool ranges(double* ranges) const {
    ranges[0] = 0.0;
    ranges[1] = static_cast<double>(map(numCells_));
    return true;
  }
  /// The same: values have one component, and none is negative.
  [[nodiscard]] bool vectorRange(double* range) const { return ranges(range); }

private:
  std::int64_t numCells_;
};

/// A vtkImplicitArray that knows its ranges without looking at every value (all are finite), and that keeps and counts
/// the explicit copy which GetVoidPointer() makes: VTK 9.6 and 9.7 keep it in different places. Its values are
/// computed: whoever writes to it through vtkDataArray, as vtkPoints::SetPoint() does, changes nothing, and gets one
/// error message for each array.
template <class Backend>
class SPANWISEDATAMODEL_EXPORT CarryingArray : public vtkImplicitArray<Backend> {
public:
  using SelfType = CarryingArray<Backend>;
  vtkImplicitArrayTypeMacro(SelfType, vtkImplicitArray<Backend>);
  static CarryingArray* New();

  unsigned long GetActualMemorySize() const override;
  void* GetVoidPointer(vtkIdType index) override;
  void Squeeze() override;

  using vtkImplicitArray<Backend>::SetTuple;
  void SetTuple(vtkIdType tuple, vtkIdType sourceTuple, vtkAbstractArray* source) override;
  void SetTuple(vtkIdType tuple, const float* values) override;
  void SetTuple(vtkIdType tuple, const double* values) override;
  void SetComponent(vtkIdType tuple, int component, double value) override;
  void SetVariantValue(vtkIdType index, vtkVariant value) override;
  void FillComponent(int component, double value) override;
  void InsertTuple(vtkIdType tuple, vtkIdType sourceTuple, vtkAbstractArray* source) override;
  void InsertTuple(vtkIdType tuple, const float* values) override;
  void InsertTuple(vtkIdType tuple, const double* values) override;
  void InsertComponent(vtkIdType tuple, int component, double value) override;
  void InsertVariantValue(vtkIdType index, vtkVariant value) override;
  vtkIdType InsertNextTuple(vtkIdType sourceTuple, vtkAbstractArray* source) override;
  vtkIdType InsertNextTuple(const float* values) override;
  vtkIdType InsertNextTuple(const double* values) override;

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
  void refuseToWrite();

  vtkSmartPointer<vtkAOSDataArrayTemplate<typename vtkImplicitArray<Backend>::ValueType>> copy_;
  std::atomic<bool> refused_ = false;

  CarryingArray(const CarryingArray&) = delete;
  void operator=(const CarryingArray&) = delete;
};

template <int Dim>
using NodeArray = CarryingArray<NodeBackend<Dim>>;
template <int Dim>
using ConnectivityArray = CarryingArray<ConnectivityBackend<Dim>>;
template <int Dim>
using OffsetsArray = CarryingArray<OffsetsBackend<Dim>>;

} // namespace spanwise

#ifndef SPANWISE_INSTANTIATING_IMPLICIT_ARRAYS
#define SPANWISE_CARRYING_ARRAY(Backend)                                                                               \
  extern template class SPANWISEDATAMODEL_EXPORT vtkImplicitArray<Backend>;                                            \
  extern template class SPANWISEDATAMODEL_EXPORT spanwise::CarryingArray<Backend>;
SPANWISE_CARRYING_ARRAY(spanwise::NodeBackend<2>)
SPANWISE_CARRYING_ARRAY(spanwise::NodeBackend<3>)
SPANWISE_CARRYING_ARRAY(spanwise::ConnectivityBackend<2>)
SPANWISE_CARRYING_ARRAY(spanwise::ConnectivityBackend<3>)
SPANWISE_CARRYING_ARRAY(spanwise::OffsetsBackend<2>)
SPANWISE_CARRYING_ARRAY(spanwise::OffsetsBackend<3>)
#undef SPANWISE_CARRYING_ARRAY
#endif

#endif
