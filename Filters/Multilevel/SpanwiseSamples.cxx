#include "SpanwiseSamples.h"

#include "SpanwiseInputLevels.h"
#include "SpanwiseMeans.h"
#include "SpanwiseTuples.h"
#include "SpanwiseValues.h"

#include "Core/Multilevel/PointTravel.hpp"
#include "Core/Parallel/Halo.hpp"
#include "Core/Runtime/Label.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkIdList.h>
#include <vtkIntArray.h>

#include <algorithm>
#include <limits>
#include <string>

using namespace spanwise::field;
using namespace spanwise::geometry;
using namespace spanwise::multilevel;
using namespace spanwise::parallel;

namespace spanwise {

namespace {

using Host = HostExecutionSpace;
using Arrays = std::vector<vtkSmartPointer<vtkDataArray>>;
using ArrayNumbers = std::vector<int>;

template <class T>
using HostArray = Kokkos::View<T*, Kokkos::HostSpace>;

constexpr const char* levelName = "Level";

/// Collective. Whether an array of the leaves says the same as the level of each sample does: Adaptive Refinement makes
/// one.
template <int Dim>
bool leavesSayLevel(const RankGroup& group, const Hierarchy<Dim>& hierarchy) {
  std::int64_t others = 0;
  for (std::size_t l = 0; l < hierarchy.leaves.size(); ++l) {
    auto* const array = vtkDataArray::SafeDownCast(hierarchy.leaves[l].values->GetAbstractArray(levelName));
    if (array == nullptr || isReal(array) || array->GetNumberOfComponents() != 1) {
      ++others;
    } else if (array->GetNumberOfTuples() > 0) {
      double range[2];
      array->GetRange(range, 0);
      const auto level = static_cast<double>(l);
      others += range[0] != level || range[1] != level ? 1 : 0;
    }
  }
  return group.sum(others) == 0;
}

/// Which arrays of leaves hold numbers that can be copied, but for `leftOut`.
ArrayNumbers arraysOfNumbers(vtkDataSetAttributes* values, const std::string& leftOut) {
  ArrayNumbers numbers;
  for (int k = 0; k < values->GetNumberOfArrays(); ++k) {
    const vtkDataArray* array = values->GetArray(k);
    const char* const name = values->GetArrayName(k);
    if (array != nullptr && values->GetAbstractArray(k)->GetDataType() != VTK_BIT &&
      (name == nullptr || name != leftOut)) {
      numbers.push_back(k);
    }
  }
  return numbers;
}

template <int Dim>
GridGeometry<Dim> rootOf(const Hierarchy<Dim>& hierarchy) {
  return latticeOf<Dim>(hierarchy.root);
}

/// Room for samples, which are those of places without a leaf.
vtkSmartPointer<vtkDataArray> noSamples(vtkAbstractArray* model, std::int64_t count) {
  const auto array = arrayLike(model, count);
  const auto samples = vtkSmartPointer<vtkDataArray>(vtkDataArray::SafeDownCast(array));
  samples->Fill(isReal(array) ? std::numeric_limits<double>::quiet_NaN() : 0.0);
  return samples;
}

/// The values of the leaves of one process at points. For slopes `around` has the leaves beside them too.
template <int Dim>
class Sampler {
public:
  Sampler(
    const Hierarchy<Dim>& hierarchy, const Hierarchy<Dim>& around, Sampling sampling, const std::string& arrayLeftOut)
    : leaves_(hierarchy.leaves), sampling_(sampling),
      arrays_(arraysOfNumbers(hierarchy.leaves.front().values, arrayLeftOut)) {
    const GridGeometry<Dim> root = rootOf(hierarchy);
    leafSets_.setRootLattice(root);
    leafSets_.setNumLevels(hierarchy.numLevels());
    for (int l = 0; l < hierarchy.numLevels(); ++l) {
      leafSets_.level(l) = leaves_[static_cast<std::size_t>(l)].set.host();
    }
    if (sampling == Sampling::Linear) { // slopes need neighbours, also where these are finer
      means_ = meansOfLevels<ComputeSide::Host, Dim>(around.leaves, around.leaves.size());
      meanSets_.setRootLattice(root);
      meanSets_.setNumLevels(hierarchy.numLevels());
      for (int l = 0; l < hierarchy.numLevels(); ++l) {
        meanSets_.level(l) = means_[static_cast<std::size_t>(l)].cells.set.host();
      }
    }
  }

  /// The arrays, in the order of the leaves', and then the levels.
  Arrays sample(const std::vector<Position<Dim>>& points) const {
    const auto count = static_cast<std::int64_t>(points.size());
    const HostArray<const Position<Dim>> places(points.data(), points.size());
    const HostArray<std::int64_t> cells(SPANWISE_LABEL("Multilevel::cellsOfPoints"), points.size());
    vtkNew<vtkIntArray> levels;
    levels->SetName(levelName);
    levels->SetNumberOfTuples(count);
    const HostArray<std::int32_t> levelsOfPoints(levels->GetPointer(0), points.size());
    locatePoints<Host, Dim>(context_, leafSets_, places, cells, levelsOfPoints);
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
      samples.push_back(
        noSamples(leaves_.front().values->GetAbstractArray(k), static_cast<std::int64_t>(cells.extent(0))));
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
      SamplesOn<Host, T> samples{{}, levels};
      spanwise::multilevel::samplePoints<Host, Dim, T>(
        context_, {meanSets_, field, &leafSets_}, points, {.between = Sampling::Linear}, samples);
      Host().fence(SPANWISE_LABEL("Multilevel::samples"));
      T* const out = static_cast<T*>(to->GetVoidPointer(0));
      const T* const in = samples.values.view().values;
      for (std::int64_t p = 0; p < samples.values.numCells(); ++p) {
        out[p * components + c] = in[p];
      }
    }
  }

  Context<Host> context_;
  std::vector<RankCells<Dim>> leaves_;
  std::vector<CoveredCells<Dim>> means_;
  HostMultilevelSet<Dim> leafSets_;
  HostMultilevelSet<Dim> meanSets_;
  Sampling sampling_;
  ArrayNumbers arrays_;
};

void addSamples(const Arrays& samples, vtkDataSetAttributes* to) {
  for (const auto& array : samples) {
    if (array->GetName() != nullptr && to->GetAbstractArray(array->GetName()) == nullptr) {
      to->AddArray(array);
    }
  }
}

} // namespace

template <int Dim>
void samplePoints(const RankGroup& group, const Hierarchy<Dim>& hierarchy, Sampling sampling,
  const std::vector<Position<Dim>>& points, vtkDataSetAttributes* values) {
  const std::string leftOut = leavesSayLevel(group, hierarchy) ? levelName : "";
  if (group.alone()) {
    addSamples(Sampler<Dim>(hierarchy, hierarchy, sampling, leftOut).sample(points), values);
    return;
  }
  Hierarchy<Dim> levels = hierarchy;
  const PlaneRange mine = distributeLevels(group, levels);
  const RowCut cut = cutOf(gatherRanges(group.communicator(), mine));
  Hierarchy<Dim> around = levels;
  if (sampling == Sampling::Linear) {
    addHaloOfLevels(group, mine, around);
  }
  const Context<Host> context(Host(), group.communicator());
  PointTravel<Host, Dim> travel(group.communicator());
  travel.send(context, rootOf(hierarchy), cut, HostArray<const Position<Dim>>(points.data(), points.size()));

  Arrays answers;
  Arrays arrived;
  const HostArray<std::int32_t> levelsOfPoints(SPANWISE_LABEL("Multilevel::levelsOfPoints"), points.size());
  group.agree([&] {
    const auto asked = travel.arrived();
    answers = Sampler<Dim>(levels, around, sampling, leftOut).sample({asked.data(), asked.data() + asked.extent(0)});
    for (const auto& answer : answers) {
      arrived.emplace_back(vtkDataArray::SafeDownCast(arrayLike(answer, travel.numSent())));
    }
  });
  const auto* const found = vtkIntArray::SafeDownCast(answers.back())->GetPointer(0);
  travel.chooseAnswers(
    context, HostArray<const std::int32_t>(found, answers.back()->GetNumberOfTuples()), levelsOfPoints);

  vtkNew<vtkIdList> from;
  vtkNew<vtkIdList> to;
  Arrays samples;
  for (std::size_t k = 0; k < answers.size(); ++k) {
    const std::int64_t bytes = std::int64_t{answers[k]->GetDataTypeSize()} * answers[k]->GetNumberOfComponents();
    travel.bringBytesBack(context, answers[k]->GetVoidPointer(0), arrived[k]->GetVoidPointer(0), bytes);
  }
  group.agree([&] {
    const auto places = travel.places();
    for (std::size_t p = 0; p < points.size(); ++p) {
      if (places(p) >= 0) {
        from->InsertNextId(places(p));
        to->InsertNextId(static_cast<vtkIdType>(p));
      }
    }
    for (const auto& answer : arrived) {
      samples.push_back(noSamples(answer, static_cast<std::int64_t>(points.size())));
      samples.back()->InsertTuples(to, from, answer);
    }
    const auto& level = samples.back(); // where there is none too
    std::copy_n(levelsOfPoints.data(), points.size(), vtkIntArray::SafeDownCast(level)->GetPointer(0));
  });
  addSamples(samples, values);
}

template void samplePoints<2>(
  const RankGroup&, const Hierarchy<2>&, Sampling, const std::vector<Position<2>>&, vtkDataSetAttributes*);
template void samplePoints<3>(
  const RankGroup&, const Hierarchy<3>&, Sampling, const std::vector<Position<3>>&, vtkDataSetAttributes*);

} // namespace spanwise
