#ifndef SpanwiseArrayOnSide_h
#define SpanwiseArrayOnSide_h

// Arrays of VTK that are computed on a side and stay there. Not wrapped.

#include "SpanwiseAllocate.h"
#include "SpanwiseMirroredArray.h"
#include "SpanwiseSide.h"

#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/Field.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/FieldView.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/TuplesView.hpp"

#include <vtkDataArray.h>
#include <vtkSmartPointer.h>
#include <vtkTypeTraits.h>

#include <cstdint>
#include <memory>
#include <string>

namespace spanwise {

/// An array of VTK whose values are to be computed on a side, where they then stay: as a field that is written first.
/// They lie tuple by tuple on the host, where it is an array of VTK's usual kind, and component by component on the
/// device.
template <ComputeSide side, field::FieldValue T>
class ArrayOnSide {
public:
  using Values = field::FieldOn<T, SpaceOf<side>>;

  /// Of undefined values. Throws where there is no memory for them.
  ArrayOnSide(const std::string& name, std::int64_t numTuples, int numComponents) {
    if constexpr (side == ComputeSide::Device) {
      values_ = Values(name, numTuples, numComponents);
    } else {
      array_ = vtk::TakeSmartPointer(vtkDataArray::CreateDataArray(vtkTypeTraits<T>::VTK_TYPE_ID));
      array_->SetName(name.c_str());
      allocate(array_, numTuples, numComponents);
      const auto tuples = tuplesView(static_cast<T*>(array_->GetVoidPointer(0)), numTuples, numComponents);
      values_ = Values(name, tuples, std::make_shared<vtkSmartPointer<vtkDataArray>>(array_));
    }
  }

  [[nodiscard]] Values& values() { return values_; }

  /// The array, when its values are written: waits for them.
  [[nodiscard]] vtkSmartPointer<vtkDataArray> array() const {
    if constexpr (side == ComputeSide::Device) {
      return mirroredArray<T>(values_);
    } else {
      SpaceOf<side>().fence(SPANWISE_LABEL("DataModel::array on a side"));
      return array_;
    }
  }

private:
  Values values_;
  vtkSmartPointer<vtkDataArray> array_;
};

/// The values of an array of type T with one component where a side reads them: where they lie, or a copy that this
/// keeps. No array has none.
template <class T, ComputeSide side>
class ValuesOn {
public:
  explicit ValuesOn(vtkDataArray* array) {
    if (array == nullptr) {
      return;
    }
    if constexpr (side == ComputeSide::Device) {
      there_ = deviceField<T>(array);
      values_ = there_.view().values;
    } else {
      here_ = onHost(array);
      values_ = static_cast<const T*>(here_->GetVoidPointer(0));
    }
    count_ = array->GetNumberOfTuples();
  }

  [[nodiscard]] const T* data() const { return values_; }
  [[nodiscard]] std::int64_t count() const { return count_; }

private:
  typename MirroredValues<T>::Field there_;
  vtkSmartPointer<vtkAbstractArray> here_;
  const T* values_ = nullptr;
  std::int64_t count_ = 0;
};

template <class T>
struct FillTuples {
  FieldView<T> to;
  T value;

  KOKKOS_FUNCTION void operator()(std::int64_t cell) const { to(cell) = value; }
};

/// An array of one value on all cells, on a side.
template <ComputeSide side, field::FieldValue T>
vtkSmartPointer<vtkDataArray> filledOnSide(const std::string& name, std::int64_t numCells, T value) {
  using Space = SpaceOf<side>;
  ArrayOnSide<side, T> array(name, numCells, 1);
  forEach(SPANWISE_KERNEL("fill array"), IndexRange<Space>(Space(), 0, numCells),
    FillTuples<T>{array.values().view(), value});
  return array.array();
}

/// An array of tuples that lie in a side's memory, of which this is a copy.
template <ComputeSide side, field::FieldValue T>
vtkSmartPointer<vtkDataArray> arrayOfTuples(
  const std::string& name, const T* tuples, std::int64_t numTuples, int numComponents) {
  using Space = SpaceOf<side>;
  ArrayOnSide<side, T> array(name, numTuples, numComponents);
  const field::FieldOn<T, Space> from( // which is only read
    name, tuplesView(const_cast<T*>(tuples), numTuples, numComponents), /*owner=*/nullptr);
  field::copyValues<Space, T>(Context<Space>(), from, array.values());
  return array.array();
}

} // namespace spanwise

#endif
