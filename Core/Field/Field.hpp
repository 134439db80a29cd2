#pragma once

#include "Core/Field/FieldLayout.hpp"
#include "Core/Runtime/ArrayLength.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/FieldView.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Runtime/ScaledHalf.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace spanwise::field {

/// The most components that a field may have: the populations of any usual lattice, 27 at most, and a few more.
inline constexpr int maxComponents = 32;

/// The types that a field's values may have. ScaledHalf is for storage: it is converted (convertValues()), exchanged,
/// and read and written by users' stencils, and has no arithmetic or reductions of its own.
template <class T>
concept FieldValue = std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, std::int32_t> ||
  std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::uint8_t> || std::is_same_v<T, ScaledHalf>;

/// "float", "double", "int32", "int64", "uint8" or "half", for messages.
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
  } else if constexpr (std::is_same_v<T, ScaledHalf>) {
    return "half";
  } else {
    return "uint8";
  }
}

/// A named field: one value, or up to 32 components, for each cell of an interval set. Which set that is the field does
/// not know; functions that take both check that the numbers of cells agree. Cells are numbered in the order of the
/// set, whatever the layout of the values in memory.
///
/// Copies share the values, as Kokkos Views do. Values lie in one allocation, or in an array of somebody else that the
/// field keeps alive.
template <FieldValue T, class MemorySpace>
class Field {
public:
  using value_type = T;
  using memory_space = MemorySpace;
  using Layout = FieldLayout<MemorySpace>;

  /// A field without cells.
  Field() = default;

  /// A field of undefined values. Throws InvalidArgument where numCells < 0, numComponents is not within 1 ... 32, or
  /// the layout is one of groups for another number of cells; throws if there is no memory.
  Field(std::string name, std::int64_t numCells, int numComponents = 1, const Layout& layout = {})
    : name_(std::move(name)) {
    resize(numCells, numComponents, layout);
  }

  /// A field of values that lie elsewhere at equal distances, not copied: `owner` lives as long as a copy of the field.
  /// Throws InvalidArgument where the view's counts are not valid, it has no array, or its values lie in groups.
  Field(std::string name, const FieldView<T>& values, std::shared_ptr<void> owner)
    : name_(std::move(name)), owner_(std::move(owner)), view_(values) {
    checkCounts(values.numCells, values.numComponents);
    if (values.values == nullptr && values.numCells > 0) {
      throw InvalidArgument(quoted() + " of " + std::to_string(values.numCells) + " cells has no array");
    }
    if (values.runs != nullptr) {
      throw InvalidArgument(quoted() + " is to share values that lie in groups: they must lie at equal distances");
    }
    layout_ = values.cellStride == 1 ? Layout() : Layout::tuples();
  }

  [[nodiscard]] const std::string& name() const { return name_; }
  void setName(const std::string& name) { name_ = name; }
  [[nodiscard]] std::int64_t numCells() const { return view_.numCells; }
  [[nodiscard]] int numComponents() const { return view_.numComponents; }

  [[nodiscard]] const Layout& layout() const { return layout_; }

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
  void resize(std::int64_t numCells, int numComponents = 1, Layout layout = {}) { // by value: it may be the field's own
    checkCounts(numCells, numComponents);
    if (layout.kind() == LayoutKind::Groups && layout.numCells() != numCells) {
      throw InvalidArgument(quoted() + " is to have " + std::to_string(numCells) + " cells in groups of " +
        std::to_string(layout.numCells()) + ": the numbers must be equal");
    }
    arrayLength<T[maxComponents]>(numCells); // beyond that the product below would overflow
    const bool inColumns = layout.kind() == LayoutKind::Columns;
    const std::int64_t column = inColumns ? columnOf(numCells, numComponents) : numCells;
    const std::size_t needed = static_cast<std::size_t>(column) * static_cast<std::size_t>(numComponents);
    owner_.reset();
    view_ = {};
    layout_ = {};
    view_.numComponents = numComponents;
    if (values_.extent(0) < needed || values_.use_count() > 1) { // or the label would be made each time
      reserve(values_, static_cast<std::int64_t>(needed), "Spanwise::Field::" + name_);
    }
    layout_ = std::move(layout);
    view_ = layout_.view(values_.data(), column, numCells, numComponents);
  }

private:
  using Values = Kokkos::View<T*, MemorySpace>;

  /// The values from a column to the next: an odd number of cache lines. Columns that are a multiple of a page apart
  /// would fall on each other in a cache: steps of a lattice of 128^3 cells then take 1.3 times as long. A device's
  /// lines are longer, and columns that begin in the middle of one cost a step of a lattice 7 % there.
  [[nodiscard]] static std::int64_t columnOf(std::int64_t numCells, int numComponents) {
    constexpr bool isOnHost = Kokkos::SpaceAccessibility<Kokkos::HostSpace, MemorySpace>::accessible;
    constexpr auto valuesPerLine = static_cast<std::int64_t>((isOnHost ? 64 : 128) / sizeof(T));
    const std::int64_t lines = (numCells + valuesPerLine - 1) / valuesPerLine;
    return (numComponents > 1 && lines > 1 ? lines | 1 : lines) * valuesPerLine;
  }

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
  Layout layout_;
  FieldView<T> view_;
};

/// A field in the memory of an execution space.
template <class T, class ExecutionSpace>
using FieldOn = Field<T, typename ExecutionSpace::memory_space>;

/// A field in the host's memory.
template <class T>
using HostField = Field<T, Kokkos::HostSpace>;

} // namespace spanwise::field

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
