#include "Testing/Core/Multilevel/LevelsReference.hpp"
#include "Testing/Dimensions.hpp"
#include "Testing/Filters/Multilevel/Levels.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseAdaptiveRefinement.h"

#include <vtkFieldData.h>
#include <vtkRTAnalyticSource.h>
#include <vtkSphereSource.h>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseAdaptiveRefinement;
constexpr auto onCells = vtkDataObject::FIELD_ASSOCIATION_CELLS;

template <class T>
struct AdaptiveRefinement : public RandomTest<T> {};
TYPED_TEST_SUITE(AdaptiveRefinement, Dimensions);

/// The value of each cell.
template <int Dim>
using Values = std::map<Cell<Dim>, double>;

template <int Dim>
vtkSmartPointer<vtkUnstructuredGrid> gridOf(const Values<Dim>& values, const GridPlacement& placement = {}) {
  CellList<Dim> cells;
  vtkNew<vtkDoubleArray> array;
  array->SetName("value");
  for (const auto& [cell, value] : values) {
    cells.insert(cell);
    array->InsertNextValue(value);
  }
  const auto grid = gridOfCells<Dim>(cells, placement);
  grid->GetCellData()->AddArray(array);
  return grid;
}

/// The leaves of an output by level, and the values on them.
template <int Dim>
struct Found {
  std::vector<Values<Dim>> values;
  Leaves<Dim> leaves;
};

template <int Dim>
Found<Dim> foundIn(vtkDataObject* data, std::size_t numLevels, const char* array = "value") {
  Found<Dim> found;
  found.values.resize(numLevels);
  found.leaves.resize(numLevels);
  auto* levels = vtkPartitionedDataSetCollection::SafeDownCast(data);
  EXPECT_LE(levels->GetNumberOfPartitionedDataSets(), numLevels);
  for (unsigned int l = 0; l < levels->GetNumberOfPartitionedDataSets(); ++l) {
    vtkDataSet* part = levels->GetPartition(l, 0);
    const auto grid = carriedGrid<Dim>(part);
    EXPECT_EQ(grid->placement().level, static_cast<int>(l));
    vtkDataArray* values = part->GetCellData()->GetArray(array);
    vtkDataArray* level = part->GetCellData()->GetArray("Level");
    EXPECT_EQ(part->GetCellData()->GetArray("Spanwise::sensor"), nullptr);
    for (vtkIdType c = 0; c < part->GetNumberOfCells(); ++c) {
      found.values[l][grid->cellAt(c)] = values->GetComponent(c, 0);
      found.leaves[l].insert(grid->cellAt(c));
      EXPECT_EQ(level->GetComponent(c, 0), l);
    }
  }
  return found;
}

/// All cells of the finest level in a cell of a level.
template <int Dim>
CellList<Dim> finestIn(const Cell<Dim>& cell, std::size_t level, std::size_t finest) {
  CellList<Dim> cells{cell};
  for (; level < finest; ++level) {
    cells = childrenOf(cells);
  }
  return cells;
}

/// The level of the leaf at each cell of the finest level. Leaves may not overlap.
template <int Dim>
std::map<Cell<Dim>, int> levelsAt(const Leaves<Dim>& leaves) {
  std::map<Cell<Dim>, int> levels;
  for (std::size_t l = 0; l < leaves.size(); ++l) {
    for (const Cell<Dim>& leaf : leaves[l]) {
      for (const Cell<Dim>& cell : finestIn<Dim>(leaf, l, leaves.size() - 1)) {
        EXPECT_TRUE(levels.emplace(cell, static_cast<int>(l)).second);
      }
    }
  }
  return levels;
}

/// Expects that neighbours differ by one level at most, across vertices too.
template <int Dim>
void expectGraded(const std::map<Cell<Dim>, int>& levels) {
  Cell<Dim> ones{};
  std::fill(ones.at, ones.at + Dim, 1);
  for (const auto& [cell, level] : levels) {
    for (const Cell<Dim>& neighbour : dilatedByBox<Dim>({cell}, ones)) {
      if (const auto at = levels.find(neighbour); at != levels.end()) {
        ASSERT_LE(std::abs(at->second - level), 1);
      }
    }
  }
}

/// Smooth values with a steep place, on a ragged set.
template <int Dim>
Values<Dim> steepField(std::mt19937& random, Coordinate extent, double density) {
  Values<Dim> values;
  for (const Cell<Dim>& cell : randomCells<Dim>(random, extent, density)) {
    double r2 = 0.0;
    for (int d = 0; d < Dim; ++d) {
      r2 += (cell.at[d] + 0.3 * d) * (cell.at[d] + 0.3 * d);
    }
    values[cell] = std::tanh(std::sqrt(r2) - 0.6 * extent);
  }
  return values;
}

template <int Dim>
vtkSmartPointer<Filter> filterOn(vtkDataObject* data) {
  auto filter = vtkSmartPointer<Filter>::New();
  filter->SetInputData(data);
  filter->SetInputArrayToProcess(0, 0, 0, onCells, "value");
  return filter;
}

/// The definition: a cell is refined where the input does not fill it, where its mean is in the range, or a cell in it
/// is.
template <int Dim>
class Definition {
public:
  Definition(const Values<Dim>& finestValues, std::size_t numLevels, double low, double high)
    : low_(low), high_(high), values_(numLevels), touched_(numLevels) {
    values_.back() = finestValues;
    for (const auto& [cell, value] : finestValues) {
      touched_.back().insert(cell);
    }
    for (std::size_t l = numLevels - 1; l-- > 0;) {
      touched_[l] = parentsOf(touched_[l + 1]);
      for (const Cell<Dim>& cell : touched_[l]) {
        double sum = 0.0;
        int count = 0;
        for (int k = 0; k < (1 << Dim); ++k) {
          if (const auto at = values_[l + 1].find(childOf(cell, k)); at != values_[l + 1].end()) {
            sum += at->second;
            ++count;
          }
        }
        if (count == (1 << Dim)) {
          values_[l][cell] = sum / count;
        }
      }
    }
    for (const Cell<Dim>& cell : touched_[0]) {
      addLeaves(cell, 0);
    }
  }

  std::vector<Values<Dim>> leaves() const { return leaves_; }

private:
  bool active(const Cell<Dim>& cell, std::size_t l) const {
    const auto at = values_[l].find(cell);
    return at != values_[l].end() && at->second >= low_ && at->second <= high_;
  }
  bool isRefined(const Cell<Dim>& cell, std::size_t l) const {
    if (l + 1 == values_.size()) {
      return false;
    }
    bool refined = active(cell, l) || values_[l].count(cell) == 0;
    for (int k = 0; k < (1 << Dim) && !refined; ++k) {
      const Cell<Dim> child = childOf(cell, k);
      refined = touched_[l + 1].count(child) > 0 && (isRefined(child, l + 1) || active(child, l + 1));
    }
    return refined;
  }
  void addLeaves(const Cell<Dim>& cell, std::size_t l) {
    if (touched_[l].count(cell) == 0) {
      return;
    }
    if (!isRefined(cell, l)) {
      leaves_.resize(values_.size());
      leaves_[l][cell] = values_[l].at(cell);
      return;
    }
    for (int k = 0; k < (1 << Dim); ++k) {
      addLeaves(childOf(cell, k), l + 1);
    }
  }

  double low_;
  double high_;
  std::vector<Values<Dim>> values_;
  std::vector<CellList<Dim>> touched_;
  std::vector<Values<Dim>> leaves_;
};

TYPED_TEST(AdaptiveRefinement, CoarseningIsWhatTheDefinitionSays) {
  constexpr int Dim = TypeParam::value;
  for (int round = 0; round < 6; ++round) {
    const auto values = steepField<Dim>(this->random, Dim == 2 ? 13 : 7, round % 2 == 0 ? 1.0 : 0.97);
    const auto filter = filterOn<Dim>(gridOf<Dim>(values));
    filter->SetNumberOfLevels(1 + round % 4);
    filter->SetSensor(Filter::THRESHOLD);
    filter->SetLowerThreshold(-0.9);
    filter->SetUpperThreshold(0.5);
    filter->SetBufferCells(0);
    filter->SetGrading(Filter::NESTED);
    filter->Update();
    const auto numLevels = static_cast<std::size_t>(filter->GetNumberOfLevels());
    const auto found = foundIn<Dim>(filter->GetOutputDataObject(0), numLevels);
    const auto expected = Definition<Dim>(values, numLevels, -0.9, 0.5).leaves();
    ASSERT_EQ(expected.size(), numLevels);
    for (std::size_t l = 0; l < numLevels; ++l) {
      ASSERT_EQ(found.values[l].size(), expected[l].size()) << "level " << l;
      for (const auto& [cell, value] : expected[l]) {
        ASSERT_NEAR(found.values[l].at(cell), value, 1e-12);
      }
    }
  }
}

TYPED_TEST(AdaptiveRefinement, LeavesTileTheInputAndKeepTheIntegral) {
  constexpr int Dim = TypeParam::value;
  const GridPlacement placement{{-1.0, 0.5, 3.0}, {0.5, 0.25, 2.0}, 2};
  const auto values = steepField<Dim>(this->random, Dim == 2 ? 24 : 10, 0.995);
  double integral = 0.0;
  for (const auto& [cell, value] : values) {
    integral += value;
  }
  const auto filter = filterOn<Dim>(gridOf<Dim>(values, placement));
  for (int sensor = Filter::THRESHOLD; sensor <= Filter::LOEHNER; ++sensor) {
    filter->SetSensor(sensor);
    filter->SetGradientLimit(0.1);
    filter->Update();
    const auto found = foundIn<Dim>(filter->GetOutputDataObject(0), 4);
    const auto levels = levelsAt<Dim>(found.leaves);
    EXPECT_EQ(levels.size(), values.size());
    double sum = 0.0;
    std::int64_t count = 0;
    for (std::size_t l = 0; l < 4; ++l) {
      count += static_cast<std::int64_t>(found.values[l].size());
      for (const auto& [leaf, value] : found.values[l]) {
        for (const Cell<Dim>& cell : finestIn<Dim>(leaf, l, 3)) {
          ASSERT_EQ(values.count(cell), 1U);
          sum += value;
        }
      }
    }
    EXPECT_NEAR(sum, integral, 1e-9 * static_cast<double>(values.size()));
    expectGraded<Dim>(levels);
    vtkDataObject* output = filter->GetOutputDataObject(0);
    EXPECT_NEAR(output->GetFieldData()->GetArray("CellRatio")->GetComponent(0, 0),
      static_cast<double>(values.size()) / static_cast<double>(count), 1e-12);
    for (std::size_t l = 0; l < 4; ++l) {
      EXPECT_EQ(output->GetFieldData()->GetArray("LeavesPerLevel")->GetComponent(static_cast<vtkIdType>(l), 0),
        static_cast<double>(found.leaves[l].size()));
    }
    auto* collection = vtkPartitionedDataSetCollection::SafeDownCast(output);
    const auto found0 = carriedGrid<Dim>(collection->GetPartition(0, 0))->placement();
    for (int d = 0; d < Dim; ++d) {
      EXPECT_EQ(found0.origin[d], placement.origin[d]);
      EXPECT_EQ(found0.spacing[d], 8.0 * placement.spacing[d]);
    }
  }
}

TYPED_TEST(AdaptiveRefinement, CellsWithinTheBufferAreOfTheFinestLevel) {
  constexpr int Dim = TypeParam::value;
  Values<Dim> values;
  for (const Cell<Dim>& cell : randomCells<Dim>(this->random, 16, 1.0)) {
    values[cell] = 0.0;
  }
  Cell<Dim> place{};
  std::fill(place.at, place.at + Dim, -5);
  values[place] = 1.0;
  const auto filter = filterOn<Dim>(gridOf<Dim>(values));
  filter->SetSensor(Filter::THRESHOLD);
  filter->SetLowerThreshold(0.9);
  filter->SetUpperThreshold(1.1);
  for (const int buffer : {0, 1, 3}) {
    filter->SetBufferCells(buffer);
    filter->Update();
    const auto levels = levelsAt<Dim>(foundIn<Dim>(filter->GetOutputDataObject(0), 4).leaves);
    Cell<Dim> radius{};
    std::fill(radius.at, radius.at + Dim, buffer);
    for (const Cell<Dim>& cell : dilatedByBox<Dim>({place}, radius)) {
      ASSERT_EQ(levels.at(cell), 3);
    }
    Cell<Dim> far{};
    std::fill(far.at, far.at + Dim, 15);
    EXPECT_EQ(levels.at(far), 0);
    expectGraded<Dim>(levels);
  }
}

// Values of the leaves on a grid of the finest level: the same sensor changes nothing.
TYPED_TEST(AdaptiveRefinement, ByAThresholdItIsIdempotent) {
  constexpr int Dim = TypeParam::value;
  const auto values = steepField<Dim>(this->random, Dim == 2 ? 16 : 8, 0.99);
  const auto filter = filterOn<Dim>(gridOf<Dim>(values));
  filter->SetSensor(Filter::THRESHOLD);
  filter->SetLowerThreshold(-0.5);
  filter->SetUpperThreshold(0.5);
  filter->Update();
  const auto once = foundIn<Dim>(filter->GetOutputDataObject(0), 4);
  Values<Dim> again;
  for (std::size_t l = 0; l < 4; ++l) {
    for (const auto& [leaf, value] : once.values[l]) {
      for (const Cell<Dim>& cell : finestIn<Dim>(leaf, l, 3)) {
        again[cell] = value;
      }
    }
  }
  filter->SetInputData(gridOf<Dim>(again));
  filter->Update();
  const auto twice = foundIn<Dim>(filter->GetOutputDataObject(0), 4);
  for (std::size_t l = 0; l < 4; ++l) {
    EXPECT_TRUE(twice.leaves[l] == once.leaves[l]);
  }
}

TYPED_TEST(AdaptiveRefinement, RefiningByInjectionRefinesActiveCellsAndNothingElse) {
  constexpr int Dim = TypeParam::value;
  Values<Dim> values;
  for (const Cell<Dim>& cell : randomCells<Dim>(this->random, 4, 0.8)) {
    values[cell] = std::uniform_real_distribution<double>(0.0, 1.0)(this->random);
  }
  const auto filter = filterOn<Dim>(gridOf<Dim>(values));
  filter->SetDirection(Filter::REFINE);
  filter->SetSensor(Filter::THRESHOLD);
  filter->SetLowerThreshold(0.9);
  filter->SetNumberOfLevels(3);
  filter->SetBufferCells(0);
  filter->SetGrading(Filter::NESTED);
  filter->SetProlongation(Filter::INJECTION);
  filter->Update();
  auto found = foundIn<Dim>(filter->GetOutputDataObject(0), 3);
  EXPECT_TRUE(found.values[1].empty());
  for (const auto& [cell, value] : values) {
    const std::size_t l = value >= 0.9 ? 2 : 0;
    for (const Cell<Dim>& leaf : finestIn<Dim>(cell, 0, l)) {
      ASSERT_EQ(found.values[l].at(leaf), value);
      found.values[l].erase(leaf);
    }
  }
  EXPECT_TRUE(found.values[0].empty() && found.values[2].empty());
}

TYPED_TEST(AdaptiveRefinement, RefiningKeepsTheIntegralAndLinearValues) {
  constexpr int Dim = TypeParam::value;
  Values<Dim> values;
  const auto root = [](const Cell<Dim>& cell) { return centreOf<Dim>({}, cell); };
  for (const Cell<Dim>& cell : randomCells<Dim>(this->random, Dim == 2 ? 6 : 4, 1.0)) {
    values[cell] = 3.0 * root(cell)[0] - 2.0 * root(cell)[1] + root(cell)[Dim - 1];
  }
  const auto filter = filterOn<Dim>(gridOf<Dim>(values));
  filter->SetDirection(Filter::REFINE);
  filter->SetSensor(Filter::THRESHOLD);
  filter->SetLowerThreshold(-1.0);
  filter->SetUpperThreshold(0.5);
  filter->SetNumberOfLevels(Dim == 2 ? 5 : 4);
  const auto numLevels = static_cast<std::size_t>(filter->GetNumberOfLevels());
  for (const int method : {Filter::LINEAR, Filter::THIRD_ORDER}) {
    filter->SetProlongation(method);
    filter->Update();
    const auto found = foundIn<Dim>(filter->GetOutputDataObject(0), numLevels);
    const auto levels = levelsAt<Dim>(found.leaves);
    EXPECT_EQ(levels.size(), values.size() << (Dim * (numLevels - 1)));
    expectGraded<Dim>(levels);
    for (std::size_t l = 0; l < numLevels; ++l) {
      for (const auto& [leaf, value] : found.values[l]) {
        const auto x = centreOf<Dim>(placementOfLevel({}, static_cast<int>(l)), leaf);
        ASSERT_NEAR(value, 3.0 * x[0] - 2.0 * x[1] + x[Dim - 1], 1e-9);
      }
    }
    EXPECT_GT(found.leaves[numLevels - 1].size(), 0U);
    EXPECT_GT(found.leaves[0].size(), 0U);
  }
}

TYPED_TEST(AdaptiveRefinement, ASetIsRefinedToTheFinestLevelAndNothingElseIs) {
  constexpr int Dim = TypeParam::value;
  Values<Dim> values;
  for (const Cell<Dim>& cell : randomCells<Dim>(this->random, 2, 1.0)) {
    values[cell] = 1.0;
  }
  const auto tagged = randomCells<Dim>(this->random, 6, 0.02); // of level 1, some of them outside
  for (const int direction : {Filter::REFINE, Filter::COARSEN}) {
    const bool refines = direction == Filter::REFINE;
    Values<Dim> input = values;
    if (!refines) {
      input.clear();
      for (const auto& [cell, value] : values) {
        for (const Cell<Dim>& fine : finestIn<Dim>(cell, 0, 2)) {
          input[fine] = value;
        }
      }
    }
    const auto filter = filterOn<Dim>(gridOf<Dim>(input, refines ? someRoot : placementOfLevel(someRoot, 2)));
    filter->SetInputData(1, gridOfCells<Dim>(tagged, placementOfLevel(someRoot, 1)));
    filter->SetDirection(direction);
    filter->SetSensor(Filter::SET);
    filter->SetNumberOfLevels(3);
    filter->SetBufferCells(0);
    filter->SetGrading(Filter::NESTED);
    filter->Update();
    const auto levels = levelsAt<Dim>(foundIn<Dim>(filter->GetOutputDataObject(0), 3).leaves);
    EXPECT_EQ(levels.size(), values.size() << (2 * Dim));
    for (const auto& [cell, level] : levels) {
      const Cell<Dim> ofSet = parentOf(cell);
      const auto inRoot = finestIn<Dim>(parentOf(ofSet), 0, 1);
      const bool any = std::any_of(inRoot.begin(), inRoot.end(), [&](const auto& c) { return tagged.count(c) > 0; });
      ASSERT_EQ(level, tagged.count(ofSet) > 0 ? 2 : any ? 1 : 0);
    }
  }
}

TYPED_TEST(AdaptiveRefinement, PiecesPartitionTheWhole) {
  constexpr int Dim = TypeParam::value;
  const auto filter = filterOn<Dim>(gridOf<Dim>(steepField<Dim>(this->random, Dim == 2 ? 30 : 12, 1.0)));
  for (const int direction : {Filter::COARSEN, Filter::REFINE}) {
    filter->SetDirection(direction);
    filter->SetNumberOfLevels(3);
    filter->SetGradientLimit(0.2);
    filter->Update();
    const auto whole = foundIn<Dim>(filter->GetOutputDataObject(0), 3);
    std::vector<Values<Dim>> all(3);
    for (int piece = 0; piece < 3; ++piece) {
      filter->UpdatePiece(piece, 3, 0);
      const auto part = foundIn<Dim>(filter->GetOutputDataObject(0), 3);
      for (std::size_t l = 0; l < 3; ++l) {
        for (const auto& [cell, value] : part.values[l]) {
          EXPECT_TRUE(all[l].emplace(cell, value).second);
        }
      }
    }
    EXPECT_TRUE(all == whole.values);
    filter->UpdatePiece(0, 1, 0);
  }
}

/// A front around a place of a box that repeats.
template <int Dim>
Values<Dim> periodicFront(Coordinate size, const Cell<Dim>& place) {
  Values<Dim> values;
  std::mt19937 unused;
  for (const Cell<Dim>& cell : randomCells<Dim>(unused, size / 2, 1.0)) {
    double r2 = 0.0;
    for (int d = 0; d < Dim; ++d) {
      const int apart = ((cell.at[d] - place.at[d]) % size + size) % size;
      r2 += std::pow(std::min(apart, size - apart), 2);
    }
    values[cell] = std::tanh(std::sqrt(r2) - 0.3 * size);
  }
  return values;
}

/// Where all axes repeat, no place is special: what is moved along them gives the same leaves and values, moved.
TYPED_TEST(AdaptiveRefinement, WhatIsMovedAroundPeriodsGivesTheSame) {
  constexpr int Dim = TypeParam::value;
  const Coordinate size = Dim == 2 ? 32 : 16;
  const std::size_t numLevels = 3;
  std::int64_t others = 0; // leaves elsewhere if the axes do not repeat
  for (const int direction : {Filter::COARSEN, Filter::REFINE}) {
    for (const int sensor : {Filter::THRESHOLD, Filter::GRADIENT, Filter::LOEHNER}) {
      const auto adapted = [&](const Cell<Dim>& place, bool periodic) {
        const auto filter = filterOn<Dim>(gridOf<Dim>(periodicFront<Dim>(size, place)));
        filter->SetDirection(direction);
        filter->SetSensor(sensor);
        filter->SetLowerThreshold(-0.3);
        filter->SetUpperThreshold(0.3);
        filter->SetGradientLimit(0.2);
        filter->SetNumberOfLevels(static_cast<int>(numLevels));
        filter->SetPeriodicX(periodic);
        filter->SetPeriodicY(periodic);
        filter->SetPeriodicZ(periodic);
        filter->Update();
        return foundIn<Dim>(filter->GetOutputDataObject(0), numLevels).values;
      };
      Cell<Dim> by{}; // by whole cells of level 0
      for (Coordinate& c : by.at) {
        c = 4 * static_cast<Coordinate>(this->random() % 8);
      }
      by.at[0] = size / 2; // across an end at least
      const auto expected = adapted({}, true);
      const auto found = adapted(by, true);
      const auto bounded = adapted(by, false);
      for (std::size_t l = 0; l < numLevels; ++l) {
        // in cells of the level
        const int finer = direction == Filter::COARSEN ? static_cast<int>(l) - 2 : static_cast<int>(l);
        const auto ofLevel = [&](Coordinate c) { return finer < 0 ? c >> -finer : c << finer; };
        const Coordinate period = ofLevel(size);
        Values<Dim> moved;
        for (const auto& [before, value] : expected[l]) {
          Cell<Dim> cell = before;
          for (int d = 0; d < Dim; ++d) {
            const Coordinate apart = cell.at[d] + period / 2 + ofLevel(by.at[d]);
            cell.at[d] = apart % period - period / 2;
          }
          moved[cell] = value;
        }
        EXPECT_EQ(found[l].size(), moved.size()) << "level " << l;
        EXPECT_TRUE(found[l] == moved) << "direction " << direction << ", sensor " << sensor << ", level " << l;
        others += bounded[l] == moved ? 0 : 1;
      }
    }
  }
  EXPECT_GT(others, 0);
}

// Around the input's box, or with so much room behind it that its ends are no neighbours.
TYPED_TEST(AdaptiveRefinement, APeriodMayBeGiven) {
  constexpr int Dim = TypeParam::value;
  const Coordinate size = 16;
  Values<Dim> values; // the last cells along x have no other neighbours that differ from them than the first
  for (const Cell<Dim>& cell : randomCells<Dim>(this->random, size / 2, 1.0)) {
    values[cell] = cell.at[0] == -size / 2 ? 1.0 : 0.0;
  }
  const auto filter = filterOn<Dim>(gridOf<Dim>(values));
  filter->SetNumberOfLevels(3);
  const auto found = [&] {
    filter->Update();
    return foundIn<Dim>(filter->GetOutputDataObject(0), 3).values;
  };
  const auto bounded = found();
  filter->PeriodicXOn();
  const auto periodic = found();
  EXPECT_FALSE(periodic == bounded);
  const double half = 0.5 * size;
  filter->SetPeriodBox(Filter::GIVEN_BOUNDS);
  filter->SetPeriodBounds(-half, half, 0.0, 1.0, 0.0, 1.0); // along y and z there is none
  EXPECT_TRUE(found() == periodic);
  filter->SetPeriodBounds(-size, size, 0.0, 1.0, 0.0, 1.0);
  EXPECT_TRUE(found() == bounded);
  filter->SetPeriodBounds(-half + 2.0, half + 2.0, 0.0, 1.0, 0.0, 1.0);
  expectOneError(filter, "period");
  filter->SetPeriodBounds(-half - 2.0, half + 2.0, 0.0, 1.0, 0.0, 1.0);
  expectOneError(filter, "along the periodic axis 0 the period has the cells [-10, 10), and 4 of them are a cell");
  filter->SetPeriodBox(2);
  expectOneError(filter, "the period box is 2");
}

TEST(AdaptiveRefinementOfImages, PointArraysBecomeMeansOnCells) {
  vtkNew<vtkRTAnalyticSource> wavelet;
  wavelet->SetWholeExtent(-10, 10, -10, 10, -10, 10);
  vtkNew<Filter> filter;
  filter->SetInputConnection(wavelet->GetOutputPort());
  filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, "RTData");
  filter->SetNumberOfLevels(1);
  filter->Update();
  const auto cells = foundIn<3>(filter->GetOutputDataObject(0), 1, "RTData").values[0];
  EXPECT_EQ(cells.size(), 20U * 20U * 20U);
  for (const auto& [cell, value] : cells) {
    double sum = 0.0;
    for (int corner = 0; corner < 8; ++corner) {
      sum += wavelet->GetOutput()->GetScalarComponentAsDouble(
        cell.at[0] + (corner & 1), cell.at[1] + (corner >> 1 & 1), cell.at[2] + (corner >> 2), 0);
    }
    ASSERT_NEAR(value, sum / 8.0, 1e-4);
  }
  filter->SetNumberOfLevels(3);
  filter->SetGradientLimit(0.3);
  filter->Update();
  const auto found = foundIn<3>(filter->GetOutputDataObject(0), 3, "RTData");
  EXPECT_EQ(levelsAt<3>(found.leaves).size(), 20U * 20U * 20U);
  EXPECT_GT(found.leaves[1].size(), 0U);
}

// Those that the sensor does not look at: where it does, they become means on cells.
TYPED_TEST(AdaptiveRefinement, PointArraysThatAreLeftOutAreNamed) {
  constexpr int Dim = TypeParam::value;
  const auto grid = gridOf<Dim>({{Cell<Dim>{}, 7.0}});
  addPointArray(grid, "heat");
  const auto filter = filterOn<Dim>(grid);
  expectOneWarning(filter, "the point arrays 'heat' are not in the result");
}

TYPED_TEST(AdaptiveRefinement, QuietFieldsStayCoarseAndEmptyInputsEmpty) {
  constexpr int Dim = TypeParam::value;
  Values<Dim> values;
  for (const Cell<Dim>& cell : randomCells<Dim>(this->random, 8, 1.0)) {
    values[cell] = 7.0;
  }
  const auto filter = filterOn<Dim>(gridOf<Dim>(values));
  filter->Update();
  EXPECT_EQ(numCellsOf(filter->GetOutputDataObject(0)), 1 << Dim); // 2 cells of 8 along each axis
  filter->SetInputData(gridOf<Dim>({}));
  Messages messages;
  filter->Update();
  EXPECT_EQ(numCellsOf(filter->GetOutputDataObject(0)), 0);
  EXPECT_EQ(messages.all().size(), 0U);
}

// As a step of a time series may be: without cells neither dimension nor size is known.
TYPED_TEST(AdaptiveRefinement, ASetOrAnInputMayHaveNoCells) {
  constexpr int Dim = TypeParam::value;
  vtkNew<vtkUnstructuredGrid> nothing;
  const auto filter =
    filterOn<Dim>(gridOf<Dim>(steepField<Dim>(this->random, 4, 1.0), {{0, 0, 0}, {0.5, 0.5, 0.5}, 0}));
  filter->SetDirection(Filter::REFINE);
  filter->SetSensor(Filter::SET);
  filter->SetInputData(1, nothing);
  Messages messages;
  filter->Update();
  EXPECT_EQ(numCellsOf(filter->GetOutputDataObject(0)), static_cast<vtkIdType>(std::pow(8, Dim)));
  filter->SetInputData(1, gridOfCells<Dim>({Cell<Dim>{}}, {{0, 0, 0}, {0.3, 0.3, 0.3}, 0}));
  filter->SetInputData(nothing);
  filter->Update();
  EXPECT_EQ(numCellsOf(filter->GetOutputDataObject(0)), 0);
  EXPECT_EQ(messages.all().size(), 0U);
}

TYPED_TEST(AdaptiveRefinement, TheActiveScalarsAreTakenIfNoArrayIsChosen) {
  constexpr int Dim = TypeParam::value;
  const auto grid = gridOf<Dim>(steepField<Dim>(this->random, Dim == 2 ? 13 : 7, 1.0));
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetGradientLimit(0.2);
  expectOneError(filter, "the input has no active cell array, and none was chosen, for the sensor");
  grid->GetCellData()->SetActiveScalars("value");
  const auto chosen = filterOn<Dim>(grid);
  chosen->SetGradientLimit(0.2);
  filter->Update();
  chosen->Update();
  EXPECT_TRUE(
    foundIn<Dim>(filter->GetOutputDataObject(0), 4).values == foundIn<Dim>(chosen->GetOutputDataObject(0), 4).values);
}

TYPED_TEST(AdaptiveRefinement, BadInputIsOneError) {
  constexpr int Dim = TypeParam::value;
  const auto filter = filterOn<Dim>(gridOf<Dim>(steepField<Dim>(this->random, 4, 1.0)));
  const auto expect = [&](const std::string& text) { expectOneError(filter, text); };
  filter->SetNumberOfLevels(17);
  expect("the number of levels is 17; it must be in [1, 16]");
  filter->SetNumberOfLevels(3);
  filter->SetSensor(Filter::SET);
  expect("second input (Sensor Set)");
  filter->SetInputData(1, gridOfCells<Dim>({Cell<Dim>{}}, {{0, 0, 0}, {16, 16, 16}, 0}));
  expect("the cells of the set have the size 16");
  filter->SetInputData(1, gridOfCells<Dim>({Cell<Dim>{}}, {{0.3, 0, 0}, {1, 1, 1}, 0}));
  expect("the origins along x");
  filter->SetInputData(1, gridOfCells<5 - Dim>({Cell<5 - Dim>{}}));
  expect("they must be the same");
  filter->SetSensor(Filter::LOEHNER);
  filter->SetNumberOfLevels(5);
  filter->PeriodicYOn();
  expect("along the periodic axis 1 the period has the cells [-4, 4), and 16 of them are a cell of level 0");
  filter->PeriodicYOff();
  filter->SetNumberOfLevels(3);
  filter->SetLoehnerFilter(-1.0);
  expect("not negative");
  filter->SetLoehnerFilter(0.01);
  filter->SetComponent(2);
  expect("the array 'value' has 1 component; the sensor cannot look at component 2");
  filter->SetComponent(0);
  filter->SetSensor(Filter::THRESHOLD);
  filter->SetLowerThreshold(2.0);
  expect("the range of values is [2");
  filter->SetLowerThreshold(0.0);
  filter->SetInputArrayToProcess(0, 0, 0, onCells, "missing");
  expect("the input has no cell array 'missing'");
  vtkNew<vtkSphereSource> sphere;
  sphere->Update();
  filter->SetInputData(sphere->GetOutput());
  expect("cell 0");
}

} // namespace
} // namespace spanwise::testing
