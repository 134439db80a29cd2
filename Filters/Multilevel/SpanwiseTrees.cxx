#include "SpanwiseTrees.h"

#include "SpanwiseValues.h"

#include "Core/Multilevel/Trees.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkBitArray.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDoubleArray.h>
#include <vtkHyperTree.h>
#include <vtkHyperTreeGrid.h>
#include <vtkIdList.h>
#include <vtkNew.h>

#include <algorithm>

using namespace spanwise::geometry;
using namespace spanwise::multilevel;

namespace spanwise {

namespace {

constexpr std::int64_t maxRoots = 1 << 24; // along an axis; each has a coordinate

using Host = HostExecutionSpace;

vtkSmartPointer<vtkBitArray> bitArray(const List<std::uint8_t, Kokkos::HostSpace>& bits, std::int64_t count) {
  auto array = vtkSmartPointer<vtkBitArray>::New();
  array->SetNumberOfValues(count);
  std::copy_n(bits.data(), bits.count(), array->GetPointer(0));
  return array;
}

/// Makes a tree of each root, from its part of the descriptor.
template <int Dim>
void plantTrees(
  const TreesOn<Host>& trees, const IntervalSetView<Dim>& roots, const Box<Dim>& box, vtkHyperTreeGrid* output) {
  const auto descriptor = bitArray(trees.refinedBits, trees.numNodes);
  std::int64_t t = 0;
  for (std::int64_t r = 0; r < roots.numRows; ++r) {
    const RowKey<Dim> key = roots.rowKeys[r];
    const auto y = static_cast<unsigned int>(std::int64_t{key.y} - box.begin[1]);
    const auto z = static_cast<unsigned int>(Dim == 3 ? std::int64_t{key.zOr0()} - box.begin[Dim - 1] : 0);
    for (std::int64_t i = roots.rowOffsets[r]; i < roots.rowOffsets[r + 1]; ++i) {
      for (std::int64_t x = roots.intervals[i].begin; x < roots.intervals[i].end; ++x, ++t) {
        vtkIdType index = 0;
        output->GetIndexFromLevelZeroCoordinates(index, static_cast<unsigned int>(x - box.begin[0]), y, z);
        vtkHyperTree* tree = output->GetTree(index, true);
        const std::int64_t first = trees.firstNodes.data()[t];
        tree->SetGlobalIndexStart(first);
        tree->BuildFromBreadthFirstOrderDescriptor(descriptor, trees.numInner.data()[t], first);
      }
    }
  }
}

/// Where the values of nodes stand that are of one kind on one level.
struct Moves {
  vtkNew<vtkIdList> to;
  vtkNew<vtkIdList> from;

  void add(vtkIdType node, std::int64_t source) {
    to->InsertNextId(node);
    from->InsertNextId(source);
  }
};

template <int Dim>
void setTreeValues(const TreesOn<Host>& trees, const Hierarchy<Dim>& hierarchy,
  const std::vector<vtkSmartPointer<vtkCellData>>& restricted, vtkHyperTreeGrid* output) {
  vtkCellData* out = output->GetCellData();
  sliceValues(hierarchy.leaves.front().values, 0, 0, out);
  for (int a = 0; a < out->GetNumberOfArrays(); ++a) {
    out->GetAbstractArray(a)->SetNumberOfTuples(trees.numNodes);
    if (auto* numbers = vtkDataArray::SafeDownCast(out->GetAbstractArray(a))) {
      numbers->Fill(0.0); // where it is masked
    }
  }
  for (std::size_t l = 0; l + 1 < trees.levelOffsets.size(); ++l) {
    Moves leaves;
    Moves refined;
    for (std::int64_t k = trees.levelOffsets[l]; k < trees.levelOffsets[l + 1]; ++k) {
      const Covering covering = trees.coverings.data()[k];
      if (!covering.isNothing()) {
        (covering.isLeaf() ? leaves : refined).add(trees.levelNodes.data()[k], covering.number());
      }
    }
    for (int a = 0; a < out->GetNumberOfArrays(); ++a) {
      vtkAbstractArray* array = out->GetAbstractArray(a);
      array->InsertTuples(leaves.to, leaves.from, hierarchy.leaves[l].values->GetAbstractArray(a));
      array->InsertTuples(refined.to, refined.from, restricted[l]->GetAbstractArray(a));
    }
  }
  if (trees.numMasked > 0) {
    output->SetMask(bitArray(trees.maskedBits, trees.numNodes));
  }
}

template <int Dim>
void setRoots(const GridPlacement& root, const Box<Dim>& roots, vtkHyperTreeGrid* output) {
  int dimensions[3] = {1, 1, 1};
  vtkNew<vtkDoubleArray> coordinates[3];
  for (int d = 0; d < 3; ++d) {
    const std::int64_t begin = d < Dim ? roots.begin[d] : 0;
    const std::int64_t count = d < Dim ? roots.extent(d) : 0;
    if (count > maxRoots) {
      throw InvalidArgument("level 0 has " + std::to_string(count) +
        " cells along an axis; a hyper tree grid may have " + std::to_string(maxRoots) + " roots");
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
void fillTrees(
  const Hierarchy<Dim>& hierarchy, const CoveringLeaves<Dim>& levels, const Box<Dim>& roots, vtkHyperTreeGrid* output) {
  if (roots.empty()) {
    return;
  }
  setRoots<Dim>(hierarchy.root, roots, output);
  TreesOn<Host> trees;
  const Context<Host> context;
  makeTrees<Host, Dim>(context, levels.leaves, levels.cover, trees);
  plantTrees<Dim>(trees, levels.cover.covered.front().view(), roots, output);
  setTreeValues(trees, hierarchy, restrictedValues(hierarchy, levels.cover.refined), output);
}

template void fillTrees<2>(const Hierarchy<2>&, const CoveringLeaves<2>&, const Box<2>&, vtkHyperTreeGrid*);
template void fillTrees<3>(const Hierarchy<3>&, const CoveringLeaves<3>&, const Box<3>&, vtkHyperTreeGrid*);

} // namespace spanwise
