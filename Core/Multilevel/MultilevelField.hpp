#pragma once

#include "Core/Field/Field.hpp"
#include "Core/Multilevel/MultilevelSet.hpp"

#include <array>
#include <cstddef>
#include <string>

namespace spanwise::multilevel {

/// A field on each level of a hierarchy: values of all covered cells, leaves or not. Cells with children are to hold
/// the mean of these (restrictLevels()). Copies share values, as fields do.
template <field::FieldValue T, class MemorySpace>
class MultilevelField {
public:
  using value_type = T;
  using memory_space = MemorySpace;

  explicit MultilevelField(const std::string& name = {}, int numComponents = 1) : numComponents_(numComponents) {
    for (auto& field : fields_) {
      field.setName(name);
    }
  }

  [[nodiscard]] const std::string& name() const { return fields_.front().name(); }
  [[nodiscard]] int numComponents() const { return numComponents_; }

  void setNumComponents(int numComponents) { numComponents_ = numComponents; }

  /// The values of level `l`.
  [[nodiscard]] const field::Field<T, MemorySpace>& level(int l) const { return fields_[static_cast<std::size_t>(l)]; }
  [[nodiscard]] field::Field<T, MemorySpace>& level(int l) { return fields_[static_cast<std::size_t>(l)]; }

  /// Makes room for values of all cells, which are undefined afterwards. Keeps its memory (Field).
  template <int Dim>
  void resize(const MultilevelSet<Dim, MemorySpace>& levels) {
    for (int l = 0; l < levels.numLevels(); ++l) {
      level(l).resize(levels.level(l).numCells(), numComponents_);
    }
  }

private:
  std::array<field::Field<T, MemorySpace>, maxNumLevels> fields_;
  int numComponents_;
};

template <class T, class ExecutionSpace>
using MultilevelFieldOn = MultilevelField<T, typename ExecutionSpace::memory_space>;

} // namespace spanwise::multilevel
