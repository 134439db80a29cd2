#include "SpanwiseSamples.h"

#include "SpanwiseInputLevels.h"
#include "SpanwiseMeans.h"
#include "SpanwiseTuples.h"
#include "SpanwiseValues.h"

#include "Core/Parallel/Halo.hpp"
#include "Core/Runtime/Label.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkIdList.h>
#include <vtkIntArray.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace spanwise {

namespace {

using Host = HostExecutionSpace;
using Arrays = std::vector<vtkSmartPointer<vtkDataArray>>;
using ArrayNumbers = std::vector<int>;

template <class T>
using HostArray = Kokkos::View<T*, Kokkos::HostSpace>;

/// Which arrays of leaves hold numbers that can be copied.
ArrayNumbers arraysOfNumbers(vtkDataSetAttributes* values) {
  ArrayNumbers numbers;
  for (int k = 0; k < values->GetNumberOfArrays(); ++k) {
    const vtkDataArray* array = values->GetArray(k);
    if (array != nullptr && values->GetAbstractArray(k)->GetDataType() != VTK_BIT) {
      numbers.push_back(k);
    }
  }
  return numbers;
}

/// The values of the leaves of one process at points.
template <int Dim>
class Sampler {
public:
  Sampler(const Hierarchy<Dim>& hierarchy, Sampling sampling)
    : leaves_(hierarchy.leaves), sampling_(sampling), arrays_(arraysOfNumbers(hierarchy.leaves.front().values)) {
    Lattice<Dim> root{};
    std::copy_n(hierarchy.root.origin, Dim, root.origin);
    std::copy_n(hierarchy.root.spacing, Dim, root.spacing);
    leafSets_.setRootLattice(root);
    leafSets_.setNumLevels(hierarchy.numLevels());
    for (int l = 0; l < hierarchy.numLevels(); ++l) {
      leafSets_.level(l) = leaves_[static_cast<std::size_t>(l)].set;
    }
    if (sampling == Sampling::Linear) { // slopes need neighbours, also where these are finer
      means_ = meansOfLevels<Dim>(leaves_, leaves_.size());
      meanSets_.setRootLattice(root);
      meanSets_.setNumLevels(hierarchy.numLevels());
      for (int l = 0; l < hierarchy.numLevels(); ++l) {
        meanSets_.level(l) = means_[static_cast<std::size_t>(l)].cells.set;
      }
    }
  }

  /// The arrays, in the order of the leaves', and then the levels.
  Arrays sample(const std::vector<Position<Dim>>& points) const {
    const auto count = static_cast<std::int64_t>(points.size());
    const HostArray<const Position<Dim>> places(points.data(), points.size());
    const HostArray<std::int64_t> cells(SPANWISE_LABEL("Multilevel::cellsOfPoints"), points.size());
    vtkNew<vtkIntArray> levels;
    levels->SetName("Level");
    levels->SetNumberOfTuples(count);
    const HostArray<std::int32_t> levelsOfPoints(levels->GetPointer(0), points.size());
    locatePoints<Host, Dim>(Host(), leafSets_, places, cells, levelsOfPoints);
    Host().fence(SPANWISE_LABEL("Multilevel::samples"));
    Arrays samples = copied(cells, levelsOfPoints);
    for (std::size_t k = 0; k < arrays_.size() && sampling_ == Sampling::Linear; ++k) {
      if (isReal(samples[k])) {
        samples[k]->GetDataType() == VTK_FLOAT ? interpolate<float>(places, levelsOfPoints, samples[k])
                                               : interpolate<double>(places, levelsOfPoints, samples[k]);
      }
    }
    samples.emplace_back(levels);
    return samples;
  }

private:
  /// The values of the leaves.
  Arrays copied(const HostArray<std::int64_t>& cells, const HostArray<std::int32_t>& levels) const {
    Arrays samples;
    for (const int k : arrays_) {
      const auto array =
        arrayLike(leaves_.front().values->GetAbstractArray(k), static_cast<std::int64_t>(cells.extent(0)));
      samples.emplace_back(vtkDataArray::SafeDownCast(array));
      samples.back()->Fill(isReal(array) ? std::numeric_limits<double>::quiet_NaN() : 0.0);
    }
    for (std::size_t l = 0; l < leaves_.size(); ++l) {
      vtkNew<vtkIdList> from;
      vtkNew<vtkIdList> to;
      for (std::size_t p = 0; p < cells.extent(0); ++p) {
        if (levels(p) == static_cast<std::int32_t>(l)) {
          from->InsertNextId(cells(p));
          to->InsertNextId(static_cast<vtkIdType>(p));
        }
      }
      for (std::size_t k = 0; k < arrays_.size(); ++k) {
        samples[k]->InsertTuples(to, from, leaves_[l].values->GetAbstractArray(samples[k]->GetName()));
      }
    }
    return samples;
  }

  template <class T>
  void interpolate(
    const HostArray<const Position<Dim>>& points, const HostArray<std::int32_t>& levels, vtkDataArray* to) const {
    Arrays ofLevels;
    for (const CoveredCells<Dim>& level : means_) {
      ofLevels.push_back(inTuples(level.cells.values->GetArray(to->GetName())));
    }
    const int components = to->GetNumberOfComponents();
    for (int c = 0; c < components; ++c) {
      MultilevelFieldOn<T, Host> field("values");
      for (std::size_t l = 0; l < ofLevels.size(); ++l) {
        field.level(static_cast<int>(l)) = componentField<T>(ofLevels[l], c);
      }
      HostField<T> values;
      spanwise::samplePoints<Host, Dim, T>(Host(), meanSets_, field, Sampling::Linear, points,
        std::numeric_limits<T>::quiet_NaN(), values, levels, &leafSets_);
      Host().fence(SPANWISE_LABEL("Multilevel::samples"));
      T* const out = static_cast<T*>(to->GetVoidPointer(0));
      const T* const in = values.view().component[0];
      for (std::int64_t p = 0; p < values.numCells(); ++p) {
        out[p * components + c] = in[p];
      }
    }
  }

  std::vector<RankCells<Dim>> leaves_;
  std::vector<CoveredCells<Dim>> means_;
  HostMultilevelSet<Dim> leafSets_;
  HostMultilevelSet<Dim> meanSets_;
  Sampling sampling_;
  ArrayNumbers arrays_;
};

/// What goes to each rank and comes from it, one rank's after the other's.
struct Parts {
  std::vector<std::int64_t> begins; ///< [ranks + 1]

  explicit Parts(const std::vector<std::int64_t>& counts) : begins{0} {
    for (const std::int64_t count : counts) {
      begins.push_back(begins.back() + count);
    }
  }
  [[nodiscard]] std::int64_t begin(int rank) const { return begins[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] std::int64_t count(int rank) const { return begins[static_cast<std::size_t>(rank) + 1] - begin(rank); }
};

/// Collective. Brings items of `size` bytes to other ranks.
void exchangeItems(const Communicator& communicator, const void* from, const Parts& sends, void* to,
  const Parts& receives, std::size_t size) {
  std::vector<OutgoingMessage> outgoing;
  std::vector<IncomingMessage> incoming;
  for (int r = 0; r < communicator.size(); ++r) {
    const auto* source = static_cast<const char*>(from) + static_cast<std::size_t>(sends.begin(r)) * size;
    auto* target = static_cast<char*>(to) + static_cast<std::size_t>(receives.begin(r)) * size;
    if (r == communicator.rank()) {
      std::copy_n(source, static_cast<std::size_t>(sends.count(r)) * size, target);
      continue;
    }
    if (sends.count(r) > 0) {
      outgoing.push_back({r, source, static_cast<std::size_t>(sends.count(r)) * size});
    }
    if (receives.count(r) > 0) {
      incoming.push_back({r, target, static_cast<std::size_t>(receives.count(r)) * size});
    }
  }
  const auto exchange = communicator.makeExchange();
  exchange->start(outgoing, incoming);
  exchange->finish();
}

/// The rank that has the leaf of a point, or could have it.
template <int Dim>
int ownerOf(const Position<Dim>& point, const GridPlacement& root, const RowCut& cut) {
  constexpr int axis = Dim - 1;
  const double plane = std::floor((point.at[axis] - root.origin[axis]) / root.spacing[axis]);
  const bool hasPlane = plane >= minCoordinate && plane <= maxRowKey; // false for NaN
  return hasPlane ? cut.owner(static_cast<std::int64_t>(plane)) : 0;
}

void addSamples(const Arrays& samples, vtkDataSetAttributes* to) {
  for (const auto& array : samples) {
    if (array->GetName() != nullptr && to->GetAbstractArray(array->GetName()) == nullptr) {
      to->AddArray(array);
    }
  }
}

} // namespace

template <int Dim>
void samplePoints(const Team& team, const Hierarchy<Dim>& hierarchy, Sampling sampling,
  const std::vector<Position<Dim>>& points, vtkDataSetAttributes* to) {
  if (team.alone()) {
    addSamples(Sampler<Dim>(hierarchy, sampling).sample(points), to);
    return;
  }
  Hierarchy<Dim> levels = hierarchy;
  const PlaneRange mine = distributeLevels(team, levels);
  const RowCut cut = cutOf(gatherRanges(team.communicator(), mine));
  addHaloOfLevels(team, mine, levels); // neighbours for slopes, and the lower sides of faces

  const auto ranks = static_cast<std::size_t>(team.size());
  std::vector<int> owners;
  std::vector<std::int64_t> counts(ranks, 0);
  for (const Position<Dim>& point : points) {
    owners.push_back(ownerOf<Dim>(point, hierarchy.root, cut));
    ++counts[static_cast<std::size_t>(owners.back())];
  }
  const std::vector<std::int64_t> countsOfAll = team.gather(counts);
  std::vector<std::int64_t> countsForMe;
  for (std::size_t r = 0; r < ranks; ++r) {
    countsForMe.push_back(countsOfAll[r * ranks + static_cast<std::size_t>(team.rank())]);
  }
  const Parts sends(counts);
  const Parts receives(countsForMe);

  std::vector<Position<Dim>> sorted(points.size()); // by owner
  std::vector<Position<Dim>> asked;
  vtkNew<vtkIdList> order;
  team.agree([&] {
    std::vector<std::int64_t> next = sends.begins;
    order->SetNumberOfIds(static_cast<vtkIdType>(points.size()));
    for (std::size_t p = 0; p < points.size(); ++p) {
      const std::int64_t place = next[static_cast<std::size_t>(owners[p])]++;
      sorted[static_cast<std::size_t>(place)] = points[p];
      order->SetId(static_cast<vtkIdType>(p), place);
    }
    asked.resize(static_cast<std::size_t>(receives.begins.back()));
  });
  exchangeItems(team.communicator(), sorted.data(), sends, asked.data(), receives, sizeof(Position<Dim>));

  Arrays answers;
  Arrays arrived;
  team.agree([&] {
    answers = Sampler<Dim>(levels, sampling).sample(asked);
    for (const auto& answer : answers) {
      arrived.emplace_back(vtkDataArray::SafeDownCast(arrayLike(answer, static_cast<std::int64_t>(points.size()))));
    }
  });
  Arrays samples;
  for (std::size_t k = 0; k < answers.size(); ++k) {
    const auto bytes = static_cast<std::size_t>(answers[k]->GetDataTypeSize() * answers[k]->GetNumberOfComponents());
    exchangeItems(
      team.communicator(), answers[k]->GetVoidPointer(0), receives, arrived[k]->GetVoidPointer(0), sends, bytes);
    team.agree([&] {
      samples.emplace_back(vtkDataArray::SafeDownCast(arrayLike(arrived[k], static_cast<std::int64_t>(points.size()))));
      arrived[k]->GetTuples(order, samples.back());
    });
  }
  addSamples(samples, to);
}

template void samplePoints<2>(
  const Team&, const Hierarchy<2>&, Sampling, const std::vector<Position<2>>&, vtkDataSetAttributes*);
template void samplePoints<3>(
  const Team&, const Hierarchy<3>&, Sampling, const std::vector<Position<3>>&, vtkDataSetAttributes*);

} // namespace spanwise
