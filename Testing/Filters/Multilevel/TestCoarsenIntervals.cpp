#include "Testing/Core/Multilevel/LevelsReference.hpp"
#include "Testing/Dimensions.hpp"
#include "Testing/Filters/Multilevel/Levels.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseCoarsenIntervals.h"

#include <vtkFloatArray.h>
#include <vtkSOADataArrayTemplate.h>
#include <vtkStringArray.h>
#include <vtkTransform.h>
#include <vtkTransformFilter.h>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseCoarsenIntervals;

template <class T>
struct CoarsenIntervals : public RandomTest<T> {};
TYPED_TEST_SUITE(CoarsenIntervals, Dimensions);

/// The coarse cell that holds a cell, some levels coarser.
template <int Dim>
Cell<Dim> ancestorOf(Cell<Dim> cell, int levels) {
  for (int k = 0; k < levels; ++k) {
    cell = parentOf(cell);
  }
  return cell;
}

TYPED_TEST(CoarsenIntervals, AveragesWhatIsThere) {
  constexpr int Dim = TypeParam::value;
  for (int round = 0; round < 6; ++round) {
    const int levels = 1 + round % 3;
    const auto cells = randomCells<Dim>(this->random, 6, round < 3 ? 0.5 : 0.95);
    const GridPlacement placement{{1.0, -2.0, 0.5}, {0.5, 0.25, 2.0}, round};
    const auto grid = gridOfCells<Dim>(cells, placement);
    vtkNew<vtkIntArray> labels;
    labels->SetName("label");
    for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
      labels->InsertNextValue(static_cast<int>(this->random() % 3));
    }
    grid->GetCellData()->AddArray(labels);
    vtkNew<Filter> filter;
    filter->SetInputData(grid);
    filter->SetLevels(levels);
    filter->SetWholeValues(Filter::MAXIMUM);
    for (const int which : {Filter::OUTSIDE, Filter::INSIDE}) {
      filter->SetCells(which);
      filter->Update();
      vtkDataSet* output = filter->GetOutput();
      std::map<Cell<Dim>, std::vector<Cell<Dim>>> expected;
      for (const Cell<Dim>& cell : cells) {
        expected[ancestorOf(cell, levels)].push_back(cell);
      }
      const auto full = static_cast<std::size_t>(1) << (Dim * levels);
      if (which == Filter::INSIDE) {
        std::erase_if(expected, [&](const auto& coarse) { return coarse.second.size() < full; });
      }
      CellList<Dim> coarse;
      for (const auto& [cell, parts] : expected) {
        coarse.insert(cell);
      }
      ASSERT_TRUE(cellsOf<Dim>(output) == coarse);
      const auto fineNumbers = valuesOf<Dim>(grid, "number");
      const auto fineLabels = valuesOf<Dim>(grid, "label");
      const auto numbers = valuesOf<Dim>(output, "number");
      const auto greatest = valuesOf<Dim>(output, "label");
      for (const auto& [cell, parts] : expected) {
        double sum = 0.0;
        double most = 0.0;
        for (const Cell<Dim>& part : parts) {
          sum += fineNumbers.at(part);
          most = std::max(most, fineLabels.at(part));
        }
        ASSERT_NEAR(numbers.at(cell), sum / static_cast<double>(parts.size()), 1e-9);
        ASSERT_EQ(greatest.at(cell), most);
      }
      const auto found = carriedGrid<Dim>(output)->placement();
      EXPECT_EQ(found.level, std::max(round - levels, 0));
      for (int d = 0; d < Dim; ++d) {
        EXPECT_EQ(found.origin[d], placement.origin[d]);
        EXPECT_EQ(found.spacing[d], std::ldexp(placement.spacing[d], levels));
      }
    }
  }
}

TYPED_TEST(CoarsenIntervals, KeepsKindsOfArrays) {
  constexpr int Dim = TypeParam::value;
  CellList<Dim> cells;
  for (int k = 0; k < (1 << Dim); ++k) {
    Cell<Dim> corner{};
    std::fill(corner.at, corner.at + Dim, -1);
    cells.insert(childOf<Dim>(corner, k));
  }
  const auto grid = gridOfCells<Dim>(cells);
  vtkNew<vtkSOADataArrayTemplate<float>> vectors;
  vectors->SetName("vector");
  vectors->SetNumberOfComponents(3);
  vectors->SetNumberOfTuples(grid->GetNumberOfCells());
  vtkNew<vtkStringArray> names;
  names->SetName("name");
  vtkNew<vtkIdTypeArray> ids;
  ids->SetName("id");
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
    for (int k = 0; k < 3; ++k) {
      vectors->SetComponent(c, k, static_cast<double>(c + k));
    }
    names->InsertNextValue("cell " + std::to_string(c));
    ids->InsertNextValue(c);
  }
  grid->GetCellData()->SetVectors(vectors);
  grid->GetCellData()->AddArray(names);
  grid->GetCellData()->SetGlobalIds(ids);
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetWholeValues(Filter::FIRST);
  filter->Update();
  vtkCellData* values = filter->GetOutput()->GetCellData();
  ASSERT_EQ(filter->GetOutput()->GetNumberOfCells(), 1);
  ASSERT_NE(values->GetVectors(), nullptr);
  EXPECT_EQ(values->GetVectors()->GetDataType(), VTK_FLOAT);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(values->GetVectors()->GetComponent(0, k), 0.5 * ((1 << Dim) - 1) + k);
  }
  EXPECT_EQ(vtkStringArray::SafeDownCast(values->GetAbstractArray("name"))->GetValue(0), "cell 0");
  EXPECT_EQ(values->GetArray("id")->GetComponent(0, 0), 0.0);
  EXPECT_EQ(values->GetGlobalIds(), nullptr);
}

TYPED_TEST(CoarsenIntervals, PiecesPartitionTheWhole) {
  constexpr int Dim = TypeParam::value;
  const auto grid = gridOfCells<Dim>(randomCells<Dim>(this->random, 12, 0.6));
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetLevels(2);
  filter->Update();
  const auto whole = valuesOf<Dim>(filter->GetOutput(), "number");
  std::map<Cell<Dim>, double> all;
  for (int piece = 0; piece < 3; ++piece) {
    filter->UpdatePiece(piece, 3, 0);
    for (const auto& [cell, value] : valuesOf<Dim>(filter->GetOutput(), "number")) {
      EXPECT_TRUE(all.emplace(cell, value).second);
    }
  }
  EXPECT_EQ(all, whole);
}

TYPED_TEST(CoarsenIntervals, TakesImagesAndEmptyGridsAndPassesFieldData) {
  constexpr int Dim = TypeParam::value;
  vtkNew<vtkImageData> image;
  image->SetExtent(-3, 5, 1, 4, 0, Dim == 2 ? 0 : 3);
  vtkNew<vtkDoubleArray> field;
  field->SetName("field");
  field->InsertNextValue(7.0);
  image->GetFieldData()->AddArray(field);
  vtkNew<Filter> filter;
  filter->SetInputData(image);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 5 * 2 * (Dim == 2 ? 1 : 2)); // x -2 ... 2, y 0 ... 1, z 0 ... 1
  EXPECT_EQ(filter->GetOutput()->GetFieldData()->GetArray("field")->GetComponent(0, 0), 7.0);
  filter->SetInputData(gridOfCells<Dim>({}));
  Messages messages;
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 0);
  EXPECT_EQ(messages.all().size(), 0U);
}

TYPED_TEST(CoarsenIntervals, PointArraysThatAreLeftOutAreNamed) {
  constexpr int Dim = TypeParam::value;
  const auto grid = gridOfCells<Dim>({Cell<Dim>{}});
  addPointArray(grid, "pressure");
  addPointArray(grid, "heat");
  addPointArray(grid, vtkDataSetAttributes::GhostArrayName());
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  expectOneWarning(filter, "the point arrays 'heat', 'pressure' are not in the result");
}

TYPED_TEST(CoarsenIntervals, BadInputIsOneError) {
  constexpr int Dim = TypeParam::value;
  const auto grid = gridOfCells<Dim>(randomCells<Dim>(this->random, 3, 0.6));
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetLevels(0);
  expectOneError(filter, "the number of levels is 0; it must be in [1, 30]");
  filter->SetLevels(1);
  filter->SetRealValues(6);
  expectOneError(filter, "the rule for floating-point numbers is 6");
  filter->SetRealValues(Filter::MEAN);
  filter->SetCells(2);
  expectOneError(filter, "the choice of cells is 2");
  filter->SetCells(Filter::INSIDE);
  vtkNew<vtkTransform> turn;
  turn->RotateZ(20.0);
  vtkNew<vtkTransformFilter> turned;
  turned->SetTransform(turn);
  turned->SetInputData(grid);
  turned->Update();
  filter->SetInputData(turned->GetOutput());
  expectOneError(filter, "cell 0");
}

} // namespace
} // namespace spanwise::testing
