#ifndef SpanwiseUpload_h
#define SpanwiseUpload_h

// Values of VTK's arrays where Core computes with them. Not wrapped.

#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <Kokkos_Core.hpp>

#include <vtkDataArray.h>
#include <vtkDoubleArray.h>
#include <vtkSmartPointer.h>

#include <cstdint>
#include <vector>

namespace spanwise {

/// Values of the host where the default execution space reads them: on the host the values themselves, else a copy,
/// which counts as bytes moved to the device.
template <class T>
class Upload {
public:
  using Space = Kokkos::DefaultExecutionSpace;

  Upload() = default;
  Upload(const T* host, std::int64_t count) : data_(count > 0 ? host : nullptr) {
    if constexpr (!runsOnHost<Space>) {
      if (data_ != nullptr) {
        using Host = Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
        reserve(copy_, count, SPANWISE_LABEL("Filters::Upload"));
        Kokkos::deep_copy(copy_, Host(host, arrayLength<T>(count)));
        data_ = copy_.data();
      }
    }
  }
  /// Of values that stay where they are as long as this lives.
  explicit Upload(const std::vector<T>& host) : Upload(host.data(), static_cast<std::int64_t>(host.size())) {}

  /// Null if there are none.
  [[nodiscard]] const T* data() const { return data_; }

private:
  const T* data_ = nullptr;
  Kokkos::View<T*, Space::memory_space> copy_;
};

/// The values of an array in double, tuple by tuple: the array itself if it holds them so, otherwise a copy.
inline vtkSmartPointer<vtkDoubleArray> doublesOf(vtkDataArray* array) {
  vtkSmartPointer<vtkDoubleArray> doubles = vtkDoubleArray::FastDownCast(array);
  if (doubles == nullptr) {
    doubles = vtkSmartPointer<vtkDoubleArray>::New();
    doubles->DeepCopy(array);
  }
  return doubles;
}

} // namespace spanwise

#endif
