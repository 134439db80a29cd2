#pragma once

// Fields on hierarchies that are cut among ranks and repeat along axes.

#include "Core/Multilevel/MultilevelField.hpp"
#include "Testing/Core/Multilevel/RankLevels.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>
#include <map>
#include <vector>

namespace spanwise::testing {

/// A number without a pattern for each cell of one period, from -1 to 1.
template <int Dim>
double scatter(const RandomDomain<Dim>& is, int level, const Cell<Dim>& cell) {
  double sum = level;
  for (const Coordinate c : is.original(cell, level).at) {
    sum = 17.3 * sum + c;
  }
  return std::sin(sum);
}

template <class Space, int Dim, class Value>
MultilevelFieldOn<double, Space> levelField(
  const MultilevelSetOn<Dim, Space>& levels, int components, const Value& value) {
  MultilevelFieldOn<double, Space> field("f", components);
  for (int l = 0; l < levels.numLevels(); ++l) {
    field.level(l) = fieldOf<double, Space, Dim>(
      toCells(levels.level(l)), components, [&](const Cell<Dim>& cell, int c) { return value(l, cell) + 0.1 * c; });
  }
  return field;
}

template <int Dim>
using ValuesOfCells = std::map<Cell<Dim>, std::vector<double>>;

template <int Dim, class Memory>
ValuesOfCells<Dim> valuesOf(const IntervalSet<Dim, Memory>& set, const Field<double, Memory>& field) {
  HostField<double> host;
  copy(field, host);
  const CellList<Dim> cells = toCells(set);
  EXPECT_EQ(host.numCells(), static_cast<std::int64_t>(cells.size()));
  ValuesOfCells<Dim> values;
  std::int64_t k = 0;
  for (const Cell<Dim>& cell : cells) {
    for (int c = 0; c < host.numComponents(); ++c) {
      values[cell].push_back(host.view()(k, c));
    }
    ++k;
  }
  return values;
}

/// Expects what this rank is to have of the whole: the same cells, the same bits.
template <int Dim, class Memory>
void expectPartOf(const RandomDomain<Dim>& is, int l, std::int64_t around, const IntervalSet<Dim, Memory>& set,
  const Field<double, Memory>& field, const IntervalSet<Dim, Memory>& wholeSet, const Field<double, Memory>& whole) {
  ValuesOfCells<Dim> expected;
  for (const auto& [cell, values] : valuesOf<Dim>(wholeSet, whole)) {
    if (is.has(cell, l, around)) {
      expected[cell] = values;
    }
  }
  const ValuesOfCells<Dim> found = valuesOf<Dim>(set, field);
  EXPECT_EQ(found.size(), expected.size()) << "level " << l;
  EXPECT_TRUE(found == expected) << "level " << l;
}

} // namespace spanwise::testing
