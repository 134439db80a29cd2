#include "SpanwiseTrees.h"

#include "SpanwiseValues.h"

#include "Core/Runtime/Error.hpp"

#include <vtkBitArray.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDoubleArray.h>
#include <vtkHyperTree.h>
#include <vtkHyperTreeGrid.h>
#include <vtkHyperTreeGridNonOrientedCursor.h>
#include <vtkIdList.h>
#include <vtkNew.h>

#include <algorithm>

namespace spanwise {

namespace {

constexpr std::int64_t mostRoots = 1 << 24; // along an axis; each has a coordinate

/// Where the values of a tree's nodes stand on one level.
struct Moves {
  vtkNew<vtkIdList> to;
  vtkNew<vtkIdList> from;

  void add(vtkIdType node, std::int64_t source) {
    to->InsertNextId(node);
    from->InsertNextId(source);
  }
};

template <int Dim>
class TreeMaker {
public:
  TreeMaker(const Hierarchy<Dim>& hierarchy, const std::vector<HostIntervalSet<Dim>>& refined, vtkHyperTreeGrid* output)
    : output_(output), leafMoves_(refined.size()), refinedMoves_(refined.size()) {
    for (std::size_t k = 0; k < refined.size(); ++k) {
      leaves_.push_back(hierarchy.leaves[k].set.view());
      refined_.push_back(refined[k].view());
    }
  }

  void addTrees(const IntervalSetView<Dim>& roots, const Box<Dim>& box) {
    vtkNew<vtkHyperTreeGridNonOrientedCursor> cursor;
    for (std::int64_t r = 0; r < roots.numRows; ++r) {
      for (std::int64_t i = roots.rowOffsets[r]; i < roots.rowOffsets[r + 1]; ++i) {
        for (std::int64_t x = roots.intervals[i].begin; x < roots.intervals[i].end; ++x) {
          Cell<Dim> cell{};
          cell.at[0] = static_cast<Coordinate>(x);
          cell.at[1] = roots.rowKeys[r].y;
          if constexpr (Dim == 3) {
            cell.at[2] = roots.rowKeys[r].z;
          }
          unsigned int place[3] = {0, 0, 0};
          for (int d = 0; d < Dim; ++d) {
            place[d] = static_cast<unsigned int>(std::int64_t{cell.at[d]} - box.begin[d]);
          }
          vtkIdType index = 0;
          output_->GetIndexFromLevelZeroCoordinates(index, place[0], place[1], place[2]);
          output_->InitializeNonOrientedCursor(cursor, index, true);
          cursor->SetGlobalIndexStart(numNodes_);
          visit(cursor, cell, 0);
          numNodes_ += cursor->GetTree()->GetNumberOfVertices();
        }
      }
    }
  }

  void setValues(const Hierarchy<Dim>& hierarchy, const std::vector<vtkSmartPointer<vtkCellData>>& restricted) {
    vtkCellData* out = output_->GetCellData();
    sliceValues(hierarchy.leaves.front().values, 0, 0, out);
    for (int a = 0; a < out->GetNumberOfArrays(); ++a) {
      vtkAbstractArray* array = out->GetAbstractArray(a);
      array->SetNumberOfTuples(numNodes_);
      if (auto* numbers = vtkDataArray::SafeDownCast(array)) {
        numbers->Fill(0.0); // where it is masked
      }
      for (std::size_t k = 0; k < leaves_.size(); ++k) {
        array->InsertTuples(leafMoves_[k].to, leafMoves_[k].from, hierarchy.leaves[k].values->GetAbstractArray(a));
        array->InsertTuples(refinedMoves_[k].to, refinedMoves_[k].from, restricted[k]->GetAbstractArray(a));
      }
    }
    if (!masked_.empty()) {
      vtkNew<vtkBitArray> mask;
      mask->SetNumberOfValues(numNodes_);
      mask->Fill(0.0);
      for (const vtkIdType node : masked_) {
        mask->SetValue(node, 1);
      }
      output_->SetMask(mask);
    }
  }

private:
  void visit(vtkHyperTreeGridNonOrientedCursor* cursor, const Cell<Dim>& cell, std::size_t level) {
    const vtkIdType node = cursor->GetGlobalNodeIndex();
    if (const std::int64_t leaf = leaves_[level].findCell(cell); leaf >= 0) {
      leafMoves_[level].add(node, leaf);
      return;
    }
    const std::int64_t inner = refined_[level].findCell(cell);
    if (inner < 0) {
      masked_.push_back(node);
      return;
    }
    refinedMoves_[level].add(node, inner);
    cursor->SubdivideLeaf();
    for (int child = 0; child < 1 << Dim; ++child) {
      Cell<Dim> finer{};
      for (int d = 0; d < Dim; ++d) {
        finer.at[d] = 2 * cell.at[d] + ((child >> d) & 1);
      }
      cursor->ToChild(static_cast<unsigned char>(child));
      visit(cursor, finer, level + 1);
      cursor->ToParent();
    }
  }

  vtkHyperTreeGrid* output_;
  std::vector<IntervalSetView<Dim>> leaves_;
  std::vector<IntervalSetView<Dim>> refined_;
  std::vector<Moves> leafMoves_;
  std::vector<Moves> refinedMoves_;
  std::vector<vtkIdType> masked_;
  vtkIdType numNodes_ = 0;
};

template <int Dim>
void setRoots(const GridPlacement& root, const Box<Dim>& roots, vtkHyperTreeGrid* output) {
  int dimensions[3] = {1, 1, 1};
  vtkNew<vtkDoubleArray> coordinates[3];
  for (int d = 0; d < 3; ++d) {
    const std::int64_t begin = d < Dim ? roots.begin[d] : 0;
    const std::int64_t count = d < Dim ? roots.extent(d) : 0;
    if (count > mostRoots) {
      throw InvalidArgument("level 0 has " + std::to_string(count) +
        " cells along an axis; a hyper tree grid may have " + std::to_string(mostRoots) + " roots");
    }
    dimensions[d] = static_cast<int>(count) + 1;
    for (std::int64_t k = 0; k <= count; ++k) {
      coordinates[d]->InsertNextValue(root.position(d, begin + k));
    }
  }
  output->SetDimensions(dimensions);
  output->SetBranchFactor(2);
  output->SetXCoordinates(coordinates[0]);
  output->SetYCoordinates(coordinates[1]);
  output->SetZCoordinates(coordinates[2]);
}

} // namespace

template <int Dim>
void makeTrees(const Hierarchy<Dim>& hierarchy, const std::vector<HostIntervalSet<Dim>>& refined, const Box<Dim>& roots,
  vtkHyperTreeGrid* output) {
  if (roots.empty()) {
    return;
  }
  setRoots<Dim>(hierarchy.root, roots, output);
  TreeMaker<Dim> maker(hierarchy, refined, output);
  maker.addTrees(hierarchy.leaves.front().set.view(), roots);
  maker.addTrees(refined.front().view(), roots);
  maker.setValues(hierarchy, restrictedValues(hierarchy, refined));
}

template void makeTrees<2>(
  const Hierarchy<2>&, const std::vector<HostIntervalSet<2>>&, const Box<2>&, vtkHyperTreeGrid*);
template void makeTrees<3>(
  const Hierarchy<3>&, const std::vector<HostIntervalSet<3>>&, const Box<3>&, vtkHyperTreeGrid*);

} // namespace spanwise
