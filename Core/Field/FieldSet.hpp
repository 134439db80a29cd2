#pragma once

#include "Core/Field/Field.hpp"

#include <algorithm>
#include <variant>
#include <vector>

namespace spanwise {

/// A field of any of the types.
template <class MemorySpace>
using AnyField = std::variant<Field<float, MemorySpace>, Field<double, MemorySpace>, Field<std::int32_t, MemorySpace>,
  Field<std::int64_t, MemorySpace>, Field<std::uint8_t, MemorySpace>>;

template <class MemorySpace>
const std::string& nameOf(const AnyField<MemorySpace>& field) {
  return std::visit([](const auto& f) -> const std::string& { return f.name(); }, field);
}

template <class MemorySpace>
std::int64_t numCellsOf(const AnyField<MemorySpace>& field) {
  return std::visit([](const auto& f) { return f.numCells(); }, field);
}

template <class MemorySpace>
const char* typeNameOf(const AnyField<MemorySpace>& field) {
  return std::visit([]<class T>(const Field<T, MemorySpace>& /*f*/) { return fieldTypeName<T>(); }, field);
}

/// The fields of one interval set: of mixed types, each with a name of its own, in the order in which they were added,
/// and all of the set's number of cells. Copies share the values.
template <class MemorySpace>
class FieldSet {
public:
  using Any = AnyField<MemorySpace>;

  /// No fields yet, for a set of so many cells. Throws InvalidArgument if the number is negative.
  explicit FieldSet(std::int64_t numCells = 0) : numCells_(numCells) {
    if (numCells < 0) {
      throw InvalidArgument(
        "fields for a set of " + std::to_string(numCells) + " cells: the number must not be negative");
    }
  }

  [[nodiscard]] std::int64_t numCells() const { return numCells_; }
  [[nodiscard]] std::size_t size() const { return fields_.size(); }
  [[nodiscard]] bool empty() const { return fields_.empty(); }

  /// The fields in their order. Their names and lengths stay as they are.
  [[nodiscard]] auto begin() const { return fields_.begin(); }
  [[nodiscard]] auto end() const { return fields_.end(); }
  [[nodiscard]] const Any& operator[](std::size_t index) const { return fields_[index]; }

  /// Adds a field behind the others, sharing its values. Throws InvalidArgument if its length is not the set's or there
  /// is one of its name.
  void add(Any field) {
    if (numCellsOf(field) != numCells_) {
      throw InvalidArgument("field '" + nameOf(field) + "' has " + std::to_string(numCellsOf(field)) +
        " cells, its set " + std::to_string(numCells_) + ": the numbers must be equal");
    }
    if (find(nameOf(field)) != nullptr) {
      throw InvalidArgument("there is a field '" + nameOf(field) + "' already: names must differ");
    }
    fields_.push_back(std::move(field));
  }

  /// Takes the field of this name out. Throws InvalidArgument if there is none.
  void remove(const std::string& name) { fields_.erase(fields_.begin() + (&existing(name) - fields_.data())); }

  /// The field of this name, or nullptr. O(fields).
  [[nodiscard]] const Any* find(const std::string& name) const {
    const auto found = std::find_if(fields_.begin(), fields_.end(), [&](const Any& f) { return nameOf(f) == name; });
    return found == fields_.end() ? nullptr : &*found;
  }

  /// The field of this name, sharing its values. Throws InvalidArgument if there is none or its values are of another
  /// type.
  template <FieldValue T>
  [[nodiscard]] Field<T, MemorySpace> get(const std::string& name) const {
    const Any& field = existing(name);
    if (!std::holds_alternative<Field<T, MemorySpace>>(field)) {
      throw InvalidArgument(
        "field '" + name + "' has values of type " + typeNameOf(field) + ", not " + fieldTypeName<T>());
    }
    return std::get<Field<T, MemorySpace>>(field);
  }

  /// Bytes of all values, used or reserved.
  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = 0;
    for (const Any& field : fields_) {
      sum += std::visit([](const auto& f) { return f.bytes(); }, field);
    }
    return sum;
  }

private:
  [[nodiscard]] const Any& existing(const std::string& name) const {
    const Any* const field = find(name);
    if (field == nullptr) {
      std::string names;
      for (const Any& other : fields_) {
        names += (names.empty() ? "'" : ", '") + nameOf(other) + "'";
      }
      throw InvalidArgument(
        "there is no field '" + name + "'; " + (names.empty() ? "there are none" : "there are " + names));
    }
    return *field;
  }

  std::vector<Any> fields_;
  std::int64_t numCells_;
};

/// Fields in the memory of an execution space.
template <class ExecutionSpace>
using FieldSetOn = FieldSet<typename ExecutionSpace::memory_space>;

} // namespace spanwise
