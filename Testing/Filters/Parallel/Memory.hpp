#pragma once

// What ranks hold at once, compared with what one process holds alone.

#include "Testing/Filters/Parallel/Ranks.hpp"

#include "Core/Runtime/Runtime.hpp"
#include "Testing/Rooms.hpp"

#include <vtkAlgorithm.h>
#include <vtkDataSet.h>

namespace spanwise::testing {

inline std::size_t held(std::size_t MemoryAccount::* bytes) {
  std::size_t sum = 0;
  for (const MemoryAccount& account : runtimeReport().memory) {
    sum += account.*bytes;
  }
  return sum;
}

/// Updates all algorithms of a pipeline in their order, and asks each for a cell and its points as views do: then there
/// are tables, which take more than the set.
template <class Update>
void updateAndShow(vtkAlgorithm* algorithm, const Update& update) {
  for (int port = 0; port < algorithm->GetNumberOfInputPorts(); ++port) {
    for (int k = 0; k < algorithm->GetNumberOfInputConnections(port); ++k) {
      updateAndShow(algorithm->GetInputAlgorithm(port, k), update);
    }
  }
  update(algorithm);
  auto* const data = vtkDataSet::SafeDownCast(algorithm->GetOutputDataObject(0));
  if (data->GetNumberOfCells() > 0) {
    data->GetCell(0);
  }
}

/// Expects that ranks need their share each of what one process needs to compute and show a set. `make(controller)`
/// gives the algorithm at the end of a pipeline. A process's peak never falls, so ranks come first, and in one program
/// pipelines from small to large.
template <class Make>
void expectMemoryFalls(const Make& make) {
  std::size_t shared = 0;
  std::size_t before = held(&MemoryAccount::bytesNow);
  {
    const auto pipeline = make(world());
    updateAndShow(pipeline, [](vtkAlgorithm* algorithm) { updateTogether(algorithm); });
    shared = held(&MemoryAccount::bytesPeak) - before;
  }
  const std::int64_t most = everybody().maximum(static_cast<std::int64_t>(shared));
  before = held(&MemoryAccount::bytesNow);
  const auto alone = make(nullptr);
  updateAndShow(alone, [](vtkAlgorithm* algorithm) { algorithm->Update(); });
  const auto whole = static_cast<double>(held(&MemoryAccount::bytesPeak) - before);
  const double share = 1.0 / world()->GetNumberOfProcesses();
  EXPECT_LT(static_cast<double>(most), (share + 0.15) * whole);
}

} // namespace spanwise::testing
