#pragma once

// Random hierarchies whose leaves lie on the ranks in several ways.

#include "Testing/Filters/Multilevel/Levels.hpp"
#include "Testing/Filters/Parallel/Ranks.hpp"
#include "Testing/Rooms.hpp"

namespace spanwise::testing {

/// Which rank has a leaf.
enum class Split { Scattered, OneRank, Planes };

inline constexpr std::array allSplits{Split::Scattered, Split::OneRank, Split::Planes};

template <int Dim>
Leaves<Dim> partOf(const Leaves<Dim>& all, Split split, vtkMultiProcessController* controller) {
  if (controller == nullptr) {
    return all;
  }
  const int rank = controller->GetLocalProcessId();
  const int size = controller->GetNumberOfProcesses();
  Leaves<Dim> part(all.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    for (const Cell<Dim>& cell : all[k]) {
      const int root = (cell.at[Dim - 1] >> k) + 100;
      const int owner = split == Split::OneRank ? size - 1
        : split == Split::Planes                ? root % size
                                                : (cell.at[0] + 1000) % size;
      if (owner == rank) {
        part[k].insert(cell);
      }
    }
  }
  return part;
}

/// A hierarchy of which each rank has a part, the whole without a controller. A rank without any leaf knows nothing.
template <int Dim>
vtkSmartPointer<vtkPartitionedDataSetCollection> sharedLevels(
  const Leaves<Dim>& all, Split split, vtkMultiProcessController* controller) {
  const Leaves<Dim> part = partOf<Dim>(all, split, controller);
  const bool nothing = std::all_of(part.begin(), part.end(), [](const auto& level) { return level.empty(); });
  return nothing ? vtkSmartPointer<vtkPartitionedDataSetCollection>::New() : levelsOf<Dim>(hierarchyOf<Dim>(part));
}

template <class Filter>
vtkSmartPointer<Filter> filterOn(vtkDataObject* data, vtkMultiProcessController* controller) {
  auto filter = vtkSmartPointer<Filter>::New();
  filter->SetController(controller);
  filter->SetInputDataObject(data);
  return filter;
}

/// Of the cells of all datasets of a data object.
inline Summary summaryOfParts(vtkDataObject* data) {
  Summary summary;
  std::uint64_t sum = 0;
  for (vtkDataSet* part : partsOf(data)) {
    const Summary one = summaryOf(part);
    summary.cells += one.cells;
    sum += static_cast<std::uint64_t>(one.checksum);
  }
  summary.checksum = static_cast<std::int64_t>(sum);
  return summary;
}

inline RandomLevels manyPlanes(int dimension) {
  RandomLevels how;
  how.extent = dimension == 2 ? 20 : 6;
  how.levels = 3;
  return how;
}

} // namespace spanwise::testing
