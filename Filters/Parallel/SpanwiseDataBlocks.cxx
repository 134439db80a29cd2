#include "SpanwiseDataBlocks.h"

#include <vtkCompositeDataIterator.h>
#include <vtkCompositeDataSet.h>
#include <vtkDataSet.h>
#include <vtkMultiBlockDataSet.h>
#include <vtkPartitionedDataSet.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkSmartPointer.h>

#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <utility>

namespace spanwise {

namespace {

/// Numbers from the root of the tree on, by which all ranks know a block.
using Path = std::vector<std::int64_t>;
using Blocks = std::map<Path, std::vector<vtkDataSet*>>;

Path pathOf(Path parent, std::int64_t number) {
  parent.push_back(number);
  return parent;
}

void addBlocks(vtkDataObject* data, const Path& path, Blocks& blocks) {
  if (auto* const alone = vtkDataSet::SafeDownCast(data)) {
    blocks[path].push_back(alone);
  } else if (auto* const pieces = vtkPartitionedDataSet::SafeDownCast(data)) { // a vtkMultiPieceDataSet is one
    for (unsigned int k = 0; k < pieces->GetNumberOfPartitions(); ++k) {
      addBlocks(pieces->GetPartitionAsDataObject(k), path, blocks);
    }
  } else if (auto* const collection = vtkPartitionedDataSetCollection::SafeDownCast(data)) {
    for (unsigned int k = 0; k < collection->GetNumberOfPartitionedDataSets(); ++k) {
      addBlocks(collection->GetPartitionedDataSet(k), pathOf(path, k), blocks);
    }
  } else if (auto* const tree = vtkMultiBlockDataSet::SafeDownCast(data)) {
    for (unsigned int k = 0; k < tree->GetNumberOfBlocks(); ++k) {
      addBlocks(tree->GetBlock(k), pathOf(path, k), blocks);
    }
  } else if (auto* const composite = vtkCompositeDataSet::SafeDownCast(data)) { // levels of AMR
    const auto iterator = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
    for (iterator->InitTraversal(); !iterator->IsDoneWithTraversal(); iterator->GoToNextItem()) {
      addBlocks(iterator->GetCurrentDataObject(), pathOf(path, iterator->GetCurrentFlatIndex()), blocks);
    }
  }
}

} // namespace

std::vector<DataBlock> blocksOf(const RankGroup& group, vtkDataObject* data) {
  Blocks all;
  std::vector<std::int64_t> paths; // of all blocks, each with its length before
  group.agree([&] {
    addBlocks(data, {}, all);
    for (const auto& [path, pieces] : all) {
      paths.push_back(std::ssize(path));
      paths.insert(paths.end(), path.begin(), path.end());
    }
  });
  paths = group.gather(paths);
  std::vector<DataBlock> blocks;
  group.agree([&] {
    for (auto at = paths.begin(); at != paths.end();) {
      const auto begin = at + 1;
      at = begin + *at;
      all[Path(begin, at)]; // blocks of other ranks have no pieces here
    }
    for (auto& [path, pieces] : all) {
      std::string name;
      for (const std::int64_t number : path) {
        name += (name.empty() ? "" : "/") + std::to_string(number);
      }
      blocks.push_back({name, std::move(pieces)});
    }
  });
  return blocks;
}

void copyBlocks(
  vtkDataObject* input, vtkDataObject* output, const std::function<void(vtkDataSet* from, vtkDataSet* to)>& make) {
  if (auto* const alone = vtkDataSet::SafeDownCast(input)) {
    make(alone, vtkDataSet::SafeDownCast(output));
    return;
  }
  auto* const from = vtkCompositeDataSet::SafeDownCast(input);
  auto* const to = vtkCompositeDataSet::SafeDownCast(output);
  if (from == nullptr || to == nullptr) {
    return;
  }
  to->CopyStructure(from);
  const auto iterator = vtkSmartPointer<vtkCompositeDataIterator>::Take(from->NewIterator());
  for (iterator->InitTraversal(); !iterator->IsDoneWithTraversal(); iterator->GoToNextItem()) {
    if (auto* const data = vtkDataSet::SafeDownCast(iterator->GetCurrentDataObject())) {
      const auto copy = vtkSmartPointer<vtkDataSet>::Take(data->NewInstance());
      make(data, copy);
      to->SetDataSet(iterator, copy);
    }
  }
}

} // namespace spanwise
