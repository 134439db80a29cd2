#pragma once

// Hierarchies and fields for tests of what happens between levels.

#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Multilevel/LevelTransfer.hpp"
#include "Core/Multilevel/Levels.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Field/Fields.hpp"
#include "Testing/Core/Multilevel/LevelsReference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <functional>
#include <map>

namespace spanwise::testing {

/// Values of cells by their coordinates.
template <int Dim>
using ValueMap = std::map<Cell<Dim>, double>;

/// The cells of a set in their order.
template <int Dim, class MemorySpace>
std::vector<Cell<Dim>> listOf(const IntervalSet<Dim, MemorySpace>& set) {
  const CellList<Dim> cells = toCells(set);
  return {cells.begin(), cells.end()};
}

template <class T, int Dim, class MemorySpace>
ValueMap<Dim> mapOf(
  const IntervalSet<Dim, MemorySpace>& set, const Field<T, MemorySpace>& field, std::size_t component = 0) {
  const std::vector<Cell<Dim>> cells = listOf<Dim>(set);
  const ValueLists<T> values = valuesOf<T>(field);
  EXPECT_EQ(cells.size(), values[component].size());
  ValueMap<Dim> result;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    result[cells[k]] = static_cast<double>(values[component][k]);
  }
  return result;
}

/// The field with the value of a function at each cell.
template <class Space, class T, int Dim>
FieldOn<T, Space> fieldOf(
  const IntervalSetOn<Dim, Space>& set, const std::function<double(const Cell<Dim>&)>& function) {
  std::vector<T> values;
  for (const Cell<Dim>& cell : listOf<Dim>(set)) {
    values.push_back(static_cast<T>(function(cell)));
  }
  return fieldOn<Space, T>("f", {values});
}

/// A hierarchy of random cells of a random root: a box in a third of the cases.
template <class Space, int Dim>
MultilevelSetOn<Dim, Space> randomLevels(std::mt19937& random, const Space& space, Grading grading, int depth,
  Workspace<typename Space::memory_space>& workspace, const CellList<Dim>* root = nullptr) {
  MultilevelSetOn<Dim, Space> levels;
  const Coordinate extent = Dim == 2 ? 3 : 2;
  levels.level(0) =
    toSet<Space, Dim>(root != nullptr ? *root : randomCells<Dim>(random, extent, random() % 3 == 0 ? 1.0 : 0.8));
  std::vector<IntervalSetOn<Dim, Space>> refined;
  for (int l = 0; l < depth; ++l) {
    refined.push_back(toSet<Space, Dim>(randomCells<Dim>(random, extent << l, 0.3 / (1 << (Dim * l)))));
  }
  makeLevels<Space, Dim>(Context(space, workspace), refined, grading, levels);
  return levels;
}

template <int Dim>
Cell<Dim> moved(Cell<Dim> cell, int axis, Coordinate by) {
  cell.at[axis] += by;
  return cell;
}

/// A random field on each level, with means on cells with children.
template <class Space, int Dim>
MultilevelFieldOn<double, Space> randomField(std::mt19937& random, const Space& space,
  const MultilevelSetOn<Dim, Space>& levels, Workspace<typename Space::memory_space>& workspace) {
  MultilevelFieldOn<double, Space> field("f");
  for (int l = 0; l < levels.numLevels(); ++l) {
    field.level(l) = fieldOn<Space, double>(
      "f", randomValues<double>(random, static_cast<std::size_t>(levels.level(l).numCells()), 1));
  }
  LevelTransferOn<Dim, Space> transfer;
  buildLevelTransfer<Space, Dim>(Context(space, workspace), levels, Prolongation::Injection, transfer);
  restrictLevels<Space, Dim, double>(Context<Space>(space), transfer, field);
  space.fence();
  return field;
}

/// The integral of a component over the leaves, in volumes of a root cell.
template <class Space, int Dim>
double integral(const Context<Space>& context, const MultilevelSetOn<Dim, Space>& levels,
  const MultilevelFieldOn<double, Space>& field, std::size_t component = 0) {
  double sum = 0.0;
  for (int l = 0; l < levels.numLevels(); ++l) {
    IntervalSetOn<Dim, Space> set;
    leaves<Space, Dim>(context, levels, l, set);
    const ValueMap<Dim> values = mapOf<double, Dim>(levels.level(l), field.level(l), component);
    for (const Cell<Dim>& cell : toCells(set)) {
      sum += values.at(cell) / static_cast<double>(std::int64_t{1} << (Dim * l));
    }
  }
  return sum;
}

} // namespace spanwise::testing
