#ifndef SpanwiseIdsOnSide_h
#define SpanwiseIdsOnSide_h

#include "SpanwiseDrawingSide.h"

#include "Core/Runtime/ForEach.hpp"

#include <vtkIdTypeArray.h>
#include <vtkSmartPointer.h>

#include <type_traits>

namespace spanwise {

namespace detail {

struct CountUp {
  vtkIdType* ids;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const { ids[k] = static_cast<vtkIdType>(k); }
};

struct LookUp {
  vtkIdType* ids;
  const std::int64_t* table;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const { ids[k] = static_cast<vtkIdType>(table[ids[k]]); }
};

} // namespace detail

/// Numbers of cells or points on a side, and on the host when VTK wants them. Copies share them.
template <ComputeSide side>
class IdsOnSide {
public:
  IdsOnSide() = default;
  explicit IdsOnSide(std::int64_t count) : exist_(true), count_(count) {
    if constexpr (side == ComputeSide::Host) {
      onHost_ = newOnHost();
    } else {
      there_ = newArray<side, vtkIdType>(count);
    }
  }

  /// 0, 1, 2, ...
  static IdsOnSide identity(const SideContext<side>& context, std::int64_t count) {
    IdsOnSide ids(count);
    ids.forEachId(context, SPANWISE_KERNEL("identity"), detail::CountUp{ids.data()});
    return ids;
  }

  /// Whether there are any to be known: none if they are the same as something else's.
  explicit operator bool() const { return exist_; }
  [[nodiscard]] std::int64_t count() const { return count_; }
  /// Where kernels of the side see them.
  [[nodiscard]] vtkIdType* data() const {
    if constexpr (side == ComputeSide::Host) {
      return exist_ ? onHost_->GetPointer(0) : nullptr;
    } else {
      return there_.data();
    }
  }

  /// As an array of VTK. No more is to be written to data() then.
  [[nodiscard]] vtkIdTypeArray* onHost() {
    if constexpr (side == ComputeSide::Device) {
      if (onHost_ == nullptr) {
        onHost_ = newOnHost();
        copyToHost(SpaceOf<side>(), there_.data(), count_, onHost_->GetPointer(0));
      }
    }
    return onHost_;
  }

  /// Each id becomes table[id].
  void lookUp(const SideContext<side>& context, const ViewOnSide<side, std::int64_t>& table) const {
    forEachId(context, SPANWISE_KERNEL("look up"), detail::LookUp{data(), table.data()});
  }

private:
  [[nodiscard]] vtkSmartPointer<vtkIdTypeArray> newOnHost() const {
    auto ids = vtkSmartPointer<vtkIdTypeArray>::New();
    ids->SetNumberOfValues(count_);
    return ids;
  }

  template <class Functor>
  void forEachId(const SideContext<side>& context, const char* label, const Functor& functor) const {
    forEach(label, IndexRange<SpaceOf<side>>(context.space(), 0, count_), functor);
    context.space().fence(SPANWISE_LABEL("Rendering::ids"));
  }

  bool exist_ = false;
  std::int64_t count_ = 0;
  ViewOnSide<side, vtkIdType> there_; // on the device
  vtkSmartPointer<vtkIdTypeArray> onHost_;
};

} // namespace spanwise

#endif
