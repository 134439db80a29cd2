#ifndef SpanwiseDistanceSign_h
#define SpanwiseDistanceSign_h

// Distances as arrays, and which sign they have. Not wrapped and not installed.

#include "Core/Field/Field.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"

#include <Kokkos_Core.hpp>
#include <vtkAbstractArray.h>
#include <vtkCellData.h>

#include <cstdint>

namespace spanwise {

/// The sign of distances in a set.
enum class DistanceSign { NegativeInside, PositiveInside, Unsigned };

/// Gives distances, which are negative inside, their sign.
struct GiveSign {
  double* distances;
  DistanceSign sign;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    distances[k] = sign == DistanceSign::Unsigned ? Kokkos::abs(distances[k]) : -distances[k];
  }
};

template <class Space>
void giveSign(
  const Space& space, DistanceSign sign, const Kokkos::View<double*, typename Space::memory_space>& distances) {
  if (sign != DistanceSign::NegativeInside) {
    forEach(SPANWISE_KERNEL("sign distances"),
      IndexRange<Space>(space, 0, static_cast<std::int64_t>(distances.extent(0))), GiveSign{distances.data(), sign});
  }
}

/// The values of distances, for kernels.
template <class Space>
Kokkos::View<double*, typename Space::memory_space> viewOf(field::FieldOn<double, Space>& distances) {
  return Kokkos::View<double*, typename Space::memory_space>(
    distances.view().values, static_cast<std::size_t>(distances.numCells()));
}

/// Adds the array as the active one. (SetScalars() would drop the one before.)
inline void addActive(vtkCellData* data, vtkAbstractArray* array) {
  data->AddArray(array);
  data->SetActiveScalars(array->GetName());
}

} // namespace spanwise

#endif
