#ifndef SpanwiseUpload_h
#define SpanwiseUpload_h

// Values of VTK's arrays where Core computes with them. Not wrapped.

#include "SpanwiseSide.h"

#include "Core/Runtime/HostCopy.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reserve.hpp"

#include <Kokkos_Core.hpp>

#include <vtkDataArray.h>
#include <vtkDoubleArray.h>
#include <vtkSmartPointer.h>

#include <cstdint>
#include <vector>

namespace spanwise {

/// The side whose memory an execution space reads.
template <class ExecutionSpace>
inline constexpr ComputeSide sideOfSpace = runsOnHost<ExecutionSpace> ? ComputeSide::Host : ComputeSide::Device;

/// Values of the host where a side computes with them: on the host the values themselves, on a device a copy, which
/// counts as bytes moved to the device.
template <class T>
class Upload {
public:
  Upload() = default;
  Upload(ComputeSide side, const T* host, std::int64_t count) : data_(count > 0 ? host : nullptr) {
    if constexpr (haveDevice) {
      if (data_ != nullptr && side == ComputeSide::Device) {
        reserve(copy_, count, SPANWISE_LABEL("Filters::Upload"));
        copyFromHost(SpaceOf<ComputeSide::Device>(), host, count, copy_.data());
        data_ = copy_.data();
      }
    }
  }
  /// Of values that stay where they are as long as this lives.
  Upload(ComputeSide side, const std::vector<T>& host)
    : Upload(side, host.data(), static_cast<std::int64_t>(host.size())) {}

  /// Null if there are none.
  [[nodiscard]] const T* data() const { return data_; }

private:
  const T* data_ = nullptr;
  Kokkos::View<T*, SpaceOf<ComputeSide::Device>::memory_space> copy_;
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
