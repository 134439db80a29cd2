#pragma once

#include "Core/Runtime/ArrayLength.hpp"
#include "Core/Runtime/Error.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace spanwise {

/// The most components that a field may have: those of a 3 x 3 tensor.
inline constexpr int maxComponents = 9;

/// The types that a field's values may have.
template <class T>
concept FieldValue = std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, std::int32_t> ||
  std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::uint8_t>;

/// "float", "double", "int32", "int64" or "uint8", for messages.
template <FieldValue T>
constexpr const char* fieldTypeName() {
  if constexpr (std::is_same_v<T, float>) {
    return "float";
  } else if constexpr (std::is_same_v<T, double>) {
    return "double";
  } else if constexpr (std::is_same_v<T, std::int32_t>) {
    return "int32";
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    return "int64";
  } else {
    return "uint8";
  }
}

/// What kernels see of a field: a pointer for each component, cheap to copy into a functor. The values of a component
/// lie one after the other in the order of the cells.
template <class T>
struct FieldView {
  T* component[maxComponents] = {}; ///< [numComponents][numCells]
  std::int64_t numCells = 0;
  int numComponents = 1;

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T& operator()(std::int64_t cell, int c = 0) const {
    return component[c][cell];
  }

  /// The same values, not to be written.
  template <class U>
    requires(!std::is_const_v<T> && std::is_same_v<U, const T>)
  KOKKOS_FUNCTION operator FieldView<U>() const { // NOLINT(google-explicit-constructor): as pointers convert
    FieldView<U> view;
    for (int c = 0; c < numComponents; ++c) {
      view.component[c] = component[c];
    }
    view.numCells = numCells;
    view.numComponents = numComponents;
    return view;
  }
};

/// A named field: one value, or up to nine components, for each cell of an interval set, in the order of its cells.
/// Which set that is the field does not know; functions that take both check that the numbers of cells agree.
///
/// Copies share the values, as Kokkos Views do. Values lie in one allocation, or in arrays of somebody else that the
/// field keeps alive.
template <FieldValue T, class MemorySpace>
class Field {
public:
  using value_type = T;
  using memory_space = MemorySpace;

  /// A field without cells.
  Field() = default;

  /// A field of undefined values. Throws InvalidArgument where numCells < 0 or numComponents is not within 1 ... 9;
  /// throws if there is no memory.
  Field(std::string name, std::int64_t numCells, int numComponents = 1) : name_(std::move(name)) {
    resize(numCells, numComponents);
  }

  /// A field of values that lie elsewhere, not copied: `owner` lives as long as a copy of the field. Throws
  /// InvalidArgument where the view's counts are not valid or a component has no array.
  Field(std::string name, const FieldView<T>& values, std::shared_ptr<void> owner)
    : name_(std::move(name)), owner_(std::move(owner)), view_(values) {
    checkCounts(values.numCells, values.numComponents);
    for (int c = 0; c < values.numComponents && values.numCells > 0; ++c) {
      if (values.component[c] == nullptr) {
        throw InvalidArgument(quoted() + ": component " + std::to_string(c) + " of " +
          std::to_string(values.numComponents) + " has no array");
      }
    }
  }

  [[nodiscard]] const std::string& name() const { return name_; }
  void setName(const std::string& name) { name_ = name; }
  [[nodiscard]] std::int64_t numCells() const { return view_.numCells; }
  [[nodiscard]] int numComponents() const { return view_.numComponents; }

  [[nodiscard]] FieldView<T> view() { return view_; }
  [[nodiscard]] FieldView<const T> view() const { return view_; }

  /// Bytes of the values, used or reserved. What lies elsewhere counts as used.
  [[nodiscard]] std::size_t bytes() const {
    return owner_ != nullptr ? static_cast<std::size_t>(view_.numCells * view_.numComponents) * sizeof(T)
                             : values_.span() * sizeof(T);
  }

  /// Makes room for so many values, which are undefined afterwards. The field's memory is used again if it is large
  /// enough and no copy shares it; otherwise it allocates, also where the values lay elsewhere. Throws as the
  /// constructor does.
  void resize(std::int64_t numCells, int numComponents = 1) {
    checkCounts(numCells, numComponents);
    arrayLength<T[maxComponents]>(numCells); // beyond that the product below would overflow
    const std::int64_t stride = (numCells + valuesPerLine - 1) / valuesPerLine * valuesPerLine;
    const std::size_t needed = static_cast<std::size_t>(stride) * static_cast<std::size_t>(numComponents);
    owner_.reset();
    view_ = {};
    view_.numComponents = numComponents;
    if (values_.extent(0) < needed || values_.use_count() > 1) {
      values_ = {}; // give back first: the peak is lower
      values_ = Values(Kokkos::view_alloc(Kokkos::WithoutInitializing, "Spanwise::Field::" + name_), needed);
    }
    view_.numCells = numCells;
    for (int c = 0; c < numComponents; ++c) {
      view_.component[c] = values_.data() + stride * c;
    }
  }

private:
  using Values = Kokkos::View<T*, MemorySpace>;

  // Components begin at multiples of a cache line.
  static constexpr auto valuesPerLine = static_cast<std::int64_t>(64 / sizeof(T));

  [[nodiscard]] std::string quoted() const { return "field '" + name_ + "'"; }

  void checkCounts(std::int64_t numCells, int numComponents) const {
    if (numCells < 0) {
      throw InvalidArgument(
        quoted() + " is to have " + std::to_string(numCells) + " cells: the number must not be negative");
    }
    if (numComponents < 1 || numComponents > maxComponents) {
      throw InvalidArgument(quoted() + " is to have " + std::to_string(numComponents) +
        " components: the number must be within 1 and " + std::to_string(maxComponents));
    }
  }

  std::string name_;
  Values values_;
  std::shared_ptr<void> owner_;
  FieldView<T> view_;
};

/// A field in the memory of an execution space.
template <class T, class ExecutionSpace>
using FieldOn = Field<T, typename ExecutionSpace::memory_space>;

/// A field in the host's memory.
template <class T>
using HostField = Field<T, Kokkos::HostSpace>;

} // namespace spanwise

// Functions of fields are compiled once for each type of values: a file hands its macro M(T, ...) to this one.
// Static analysis gets one of each kind: what double and int32_t would add differs from float and int64_t in width
// only. With all five clang-tidy takes 97 s instead of 61 on Arithmetic.cpp and 70 instead of 43 on Transfer.cpp, the
// slowest files of fields and levels, and found nothing more.
#ifdef __clang_analyzer__
#define SPANWISE_FOR_EACH_FIELD_TYPE(M, ...)                                                                           \
  M(float __VA_OPT__(, ) __VA_ARGS__)                                                                                  \
  M(std::int64_t __VA_OPT__(, ) __VA_ARGS__)                                                                           \
  M(std::uint8_t __VA_OPT__(, ) __VA_ARGS__)
#else
#define SPANWISE_FOR_EACH_FIELD_TYPE(M, ...)                                                                           \
  M(float __VA_OPT__(, ) __VA_ARGS__)                                                                                  \
  M(double __VA_OPT__(, ) __VA_ARGS__)                                                                                 \
  M(std::int32_t __VA_OPT__(, ) __VA_ARGS__)                                                                           \
  M(std::int64_t __VA_OPT__(, ) __VA_ARGS__)                                                                           \
  M(std::uint8_t __VA_OPT__(, ) __VA_ARGS__)
#endif
