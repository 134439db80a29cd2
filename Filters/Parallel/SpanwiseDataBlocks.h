#ifndef SpanwiseDataBlocks_h
#define SpanwiseDataBlocks_h

// The data sets of an input that may be one, or many in blocks. Not wrapped.

#include "SpanwiseRankGroup.h"
#include "spanwiseParallelModule.h"

#include <functional>
#include <string>
#include <vector>

class vtkDataObject;
class vtkDataSet;

namespace spanwise {

/// One data set of an input, in the pieces that this rank has of it.
struct DataBlock {
  std::string name; ///< its numbers in the tree of blocks, from 0 on: "2", "0/3"; empty for a data set alone
  std::vector<vtkDataSet*> pieces;
};

/// Collective. The blocks of an input in their order, the same on all ranks, of which some may have no pieces of one:
/// a data set is one block of one piece, the partitions of a vtkPartitionedDataSet or vtkMultiPieceDataSet are pieces
/// of one block, and the data sets of a multi-block data set or a collection are blocks. `data` may be null.
SPANWISEPARALLEL_EXPORT std::vector<DataBlock> blocksOf(const RankGroup& group, vtkDataObject* data);

/// Makes `output`, which is of the type of `input`, a data set or a composite of the same structure, of what `make`
/// makes of each data set.
SPANWISEPARALLEL_EXPORT void copyBlocks(
  vtkDataObject* input, vtkDataObject* output, const std::function<void(vtkDataSet* from, vtkDataSet* to)>& make);

} // namespace spanwise

#endif
