#include "SpanwiseBlocks.h"

#include "SpanwiseLeafCover.h"
#include "SpanwiseValues.h"

#include "Core/Multilevel/LevelBoxes.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkAMRBox.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkOverlappingAMR.h>
#include <vtkStructuredData.h>
#include <vtkUniformGrid.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <limits>

using namespace spanwise::geometry;
using namespace spanwise::multilevel;

namespace spanwise {

namespace {

using Host = HostExecutionSpace;

/// This rank's blocks of a level, and what is at their cells.
template <int Dim>
struct LevelBlocks {
  std::vector<Box<Dim>> boxes;
  BoxCoveringsOn<Host> coverings;
};

template <int Dim>
std::vector<LevelBlocks<Dim>> blocksOf(const CoveringLeaves<Dim>& levels) {
  std::vector<LevelBlocks<Dim>> blocks(levels.leaves.size());
  const Context<Host> context;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    ListOn<Box<Dim>, Host> boxes;
    levelBoxes<Host, Dim>(context, levels.cover, static_cast<int>(k), boxes);
    coveringsOfBoxes<Host, Dim>(context, boxes, levels.leaves[k], levels.cover.refined[k], blocks[k].coverings);
    blocks[k].boxes.assign(boxes.data(), boxes.data() + boxes.count());
  }
  return blocks;
}

/// Gives a block's cells the values of what is at them.
void fillBlock(const Covering* coverings, vtkCellData* ofLeaves, vtkCellData* ofRefined, vtkUniformGrid* block) {
  vtkNew<vtkIdList> leafCells;
  vtkNew<vtkIdList> leaves;
  vtkNew<vtkIdList> refinedCells;
  vtkNew<vtkIdList> refined;
  vtkNew<vtkUnsignedCharArray> ghosts;
  ghosts->SetName(vtkDataSetAttributes::GhostArrayName());
  ghosts->SetNumberOfValues(block->GetNumberOfCells());
  for (vtkIdType cell = 0; cell < block->GetNumberOfCells(); ++cell) {
    const Covering covering = coverings[cell];
    if (covering.isLeaf()) {
      leafCells->InsertNextId(cell);
      leaves->InsertNextId(covering.number());
      ghosts->SetValue(cell, 0);
    } else if (covering.isRefined()) {
      refinedCells->InsertNextId(cell);
      refined->InsertNextId(covering.number());
      ghosts->SetValue(cell, vtkDataSetAttributes::REFINEDCELL);
    } else {
      ghosts->SetValue(cell, vtkDataSetAttributes::HIDDENCELL);
    }
  }
  sliceValues(ofLeaves, 0, 0, block->GetCellData());
  for (int a = 0; a < block->GetCellData()->GetNumberOfArrays(); ++a) {
    vtkAbstractArray* array = block->GetCellData()->GetAbstractArray(a);
    array->SetNumberOfTuples(block->GetNumberOfCells());
    if (auto* numbers = vtkDataArray::SafeDownCast(array)) {
      numbers->Fill(0.0); // where it is hidden
    }
    array->InsertTuples(leafCells, leaves, ofLeaves->GetAbstractArray(a));
    array->InsertTuples(refinedCells, refined, ofRefined->GetAbstractArray(a));
  }
  block->GetCellData()->AddArray(ghosts);
}

template <int Dim>
vtkSmartPointer<vtkUniformGrid> blockAt(const Box<Dim>& box, const GridPlacement& placement) {
  int dimensions[3] = {1, 1, 1};
  double origin[3] = {placement.origin[0], placement.origin[1], placement.origin[2]};
  for (int d = 0; d < Dim; ++d) {
    dimensions[d] = static_cast<int>(box.extent(d)) + 1;
    origin[d] = placement.position(d, box.begin[d]);
  }
  auto block = vtkSmartPointer<vtkUniformGrid>::New();
  block->SetOrigin(origin);
  block->SetSpacing(placement.spacing);
  block->SetDimensions(dimensions);
  return block;
}

/// The boxes of all ranks, by level, and which of them are mine.
template <int Dim>
struct AllBoxes {
  std::vector<std::vector<Box<Dim>>> levels;
  std::vector<std::size_t> firstOfMine;
  Box<Dim> lowest{}; ///< begins with the lowest corner of level 0
};

template <int Dim>
AllBoxes<Dim> gatherBoxes(const RankGroup& group, const std::vector<LevelBlocks<Dim>>& mine) {
  AllBoxes<Dim> all;
  for (const LevelBlocks<Dim>& level : mine) {
    std::vector<std::int64_t> numbers;
    for (const Box<Dim>& box : level.boxes) {
      numbers.insert(numbers.end(), box.begin, box.begin + Dim);
      numbers.insert(numbers.end(), box.end, box.end + Dim);
    }
    std::vector<std::int64_t> counts;
    const std::vector<std::int64_t> gathered = group.gather(numbers, &counts);
    std::int64_t before = 0;
    for (int r = 0; r < group.rank(); ++r) {
      before += counts[static_cast<std::size_t>(r)];
    }
    all.firstOfMine.push_back(static_cast<std::size_t>(before) / (2 * Dim));
    all.levels.emplace_back();
    for (std::size_t n = 0; n < gathered.size(); n += 2 * Dim) {
      Box<Dim> box{};
      for (std::size_t d = 0; d < Dim; ++d) {
        box.begin[d] = static_cast<Coordinate>(gathered[n + d]);
        box.end[d] = static_cast<Coordinate>(gathered[n + Dim + d]);
      }
      all.levels.back().push_back(box);
    }
  }
  while (all.levels.size() > 1 && all.levels.back().empty()) {
    all.levels.pop_back();
  }
  if (!all.levels.front().empty()) {
    all.lowest = all.levels.front().front();
    for (const Box<Dim>& box : all.levels.front()) {
      for (int d = 0; d < Dim; ++d) {
        all.lowest.begin[d] = std::min(all.lowest.begin[d], box.begin[d]);
      }
    }
  }
  return all;
}

/// Says where the blocks of all ranks lie. Their indices count from the lowest corner of level 0.
template <int Dim>
void describeBlocks(const Hierarchy<Dim>& hierarchy, const AllBoxes<Dim>& all, vtkOverlappingAMR* output) {
  std::vector<unsigned int> counts;
  for (const std::vector<Box<Dim>>& boxes : all.levels) {
    counts.push_back(static_cast<unsigned int>(boxes.size()));
  }
  output->Initialize(counts);
  output->SetGridDescription(
    Dim == 2 ? vtkStructuredData::VTK_STRUCTURED_XY_PLANE : vtkStructuredData::VTK_STRUCTURED_XYZ_GRID);
  double origin[3] = {hierarchy.root.origin[0], hierarchy.root.origin[1], hierarchy.root.origin[2]};
  for (int d = 0; d < Dim; ++d) {
    origin[d] = hierarchy.root.position(d, all.lowest.begin[d]);
  }
  output->SetOrigin(origin);
  for (std::size_t k = 0; k < all.levels.size(); ++k) {
    const auto level = static_cast<unsigned int>(k);
    output->SetSpacing(level, placementOfLevel(hierarchy.root, static_cast<int>(k)).spacing);
    output->SetRefinementRatio(level, 2);
    for (std::size_t b = 0; b < all.levels[k].size(); ++b) {
      int low[3] = {0, 0, 0};
      int high[3] = {0, 0, -1}; // a 2D box ends before it begins along z
      for (int d = 0; d < Dim; ++d) {
        const std::int64_t first = std::int64_t{all.lowest.begin[d]} * (std::int64_t{1} << k);
        const std::int64_t last = all.levels[k][b].end[d] - 1 - first;
        if (last + 2 > std::numeric_limits<int>::max()) { // a block has one point more than cells
          throw InvalidArgument("the domain has " + std::to_string(last + 1) + " cells of level " + std::to_string(k) +
            " along an axis; an AMR hierarchy has fewer than 2^31 - 1");
        }
        low[d] = static_cast<int>(all.levels[k][b].begin[d] - first);
        high[d] = static_cast<int>(last);
      }
      output->SetAMRBox(level, static_cast<unsigned int>(b), vtkAMRBox(low, high));
    }
  }
}

} // namespace

template <int Dim>
void makeBlocks(const RankGroup& group, const Hierarchy<Dim>& hierarchy, vtkOverlappingAMR* output) {
  CoveringLeaves<Dim> levels;
  std::vector<LevelBlocks<Dim>> mine;
  group.agree([&] {
    levels = coverOf(hierarchy);
    mine = blocksOf(levels);
  });
  const AllBoxes<Dim> all = gatherBoxes<Dim>(group, mine);
  group.agree([&] {
    if (all.levels.front().empty()) {
      return;
    }
    describeBlocks(hierarchy, all, output);
    const auto restricted = restrictedValues(hierarchy, levels.cover.refined);
    for (std::size_t k = 0; k < all.levels.size(); ++k) {
      for (std::size_t b = 0; b < mine[k].boxes.size(); ++b) {
        const auto block = blockAt<Dim>(mine[k].boxes[b], placementOfLevel(hierarchy.root, static_cast<int>(k)));
        const BoxCoveringsOn<Host>& coverings = mine[k].coverings;
        fillBlock(
          coverings.cells.data() + coverings.offsets.data()[b], hierarchy.leaves[k].values, restricted[k], block);
        output->SetDataSet(static_cast<unsigned int>(k), static_cast<unsigned int>(all.firstOfMine[k] + b), block);
      }
    }
  });
}

template void makeBlocks<2>(const RankGroup&, const Hierarchy<2>&, vtkOverlappingAMR*);
template void makeBlocks<3>(const RankGroup&, const Hierarchy<3>&, vtkOverlappingAMR*);

} // namespace spanwise
