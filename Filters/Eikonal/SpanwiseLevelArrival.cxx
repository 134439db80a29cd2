#include "SpanwiseLevelArrival.h"

#include "SpanwiseArrivalArrays.h"
#include "SpanwiseArrivalProblem.h"
#include "SpanwiseFibres.h"
#include "SpanwiseInputLevels.h"
#include "SpanwiseLeafValues.h"
#include "SpanwiseLevelMesh.h"
#include "SpanwiseLevelPeriods.h"
#include "SpanwiseLevelProblem.h"

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/HostCopy.hpp"

#include <vtkCellData.h>
#include <vtkCompositeDataSet.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkIdTypeArray.h>
#include <vtkInformation.h>
#include <vtkInformationDoubleKey.h>
#include <vtkNew.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

using namespace spanwise::geometry;
using namespace spanwise::parallel;

namespace spanwise {

namespace {

/// Collective. The number of the first leaf of each level that this rank has, as one rank would number all: the leaves
/// of all levels one after the other. Ranks have planes of a level in their order.
template <int Dim>
std::vector<std::int64_t> firstNumbers(const RankGroup& group, const Hierarchy<Dim>& levels) {
  std::vector<std::int64_t> counts;
  counts.reserve(levels.leaves.size());
  for (const RankCells<Dim>& level : levels.leaves) {
    counts.push_back(level.set.numCells());
  }
  const std::vector<std::int64_t> ofRanks = group.gather(counts);
  std::vector<std::int64_t> firsts(counts.size());
  std::int64_t next = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    for (std::size_t rank = 0; rank < ofRanks.size() / counts.size(); ++rank) {
      firsts[k] = static_cast<int>(rank) == group.rank() ? next : firsts[k];
      next += ofRanks[rank * counts.size() + k];
    }
  }
  return firsts;
}

/// Calls look(data, first) for each level with leaves: its grid, to choose arrays from, and the number of its first
/// leaf.
template <int Dim, class Look>
void forLevels(const Hierarchy<Dim>& levels, const Look& look) {
  std::int64_t first = 0;
  for (int k = 0; k < levels.numLevels(); ++k) {
    const RankCells<Dim>& level = levels.leaves[static_cast<std::size_t>(k)];
    if (!level.set.empty()) {
      vtkNew<vtkUnstructuredGrid> grid;
      setCells<Dim>(grid, level, placementOfLevel(levels.root, k), PlaneRange());
      look(grid.Get(), first);
    }
    first += level.set.numCells();
  }
}

/// The speed that was asked for; of an array of leaves that of all, one level after the other.
template <int Dim>
FrontSpeed speedOf(const ArrivalSettings& settings, const Hierarchy<Dim>& levels) {
  if (!settings.hasSpeedArray()) {
    return constantSpeedOf(settings);
  }
  if (levels.numCells() == 0) { // a rank without leaves
    return {};
  }
  vtkNew<vtkDoubleArray> all;
  forLevels(levels, [&](vtkDataSet* data, std::int64_t first) {
    bool onPoints = false;
    vtkSmartPointer<vtkDataArray> values;
    if (settings.speedBy == SpeedGivenBy::Fibres) {
      vtkDataArray* const fibres = settings.fibreArray(data, onPoints);
      values = tensorsOfFibres(settings.fibreSpeeds, fibres, onPoints, data, FrontSpace::Solid);
    } else {
      values = doublesOf(settings.speedArray(data, onPoints));
    }
    if (all->GetNumberOfValues() == 0) {
      all->SetName(values->GetName());
      all->SetNumberOfComponents(values->GetNumberOfComponents());
      all->SetNumberOfTuples(levels.numCells());
    }
    all->InsertTuples(first, values->GetNumberOfTuples(), 0, values);
  });
  return FrontSpeed::ofArray(all, false);
}

/// The leaves that an array of theirs says the iteration is to wait for.
template <int Dim>
std::vector<std::int64_t> stopLeavesOf(const ArrivalSettings& settings, const Hierarchy<Dim>& levels) {
  std::vector<std::int64_t> stop;
  if (settings.stopRegion.empty()) {
    return stop;
  }
  forLevels(levels, [&](vtkDataSet* data, std::int64_t first) {
    for (const std::int64_t leaf :
      regionOf(data->GetCellData(), settings.stopRegion, data->GetNumberOfCells(), "cell")) {
      stop.push_back(first + leaf);
    }
  });
  return stop;
}

/// Makes the leaves sources that an array of theirs says to be some.
template <int Dim>
void addMarkedLeaves(const ArrivalSettings& settings, const Hierarchy<Dim>& levels, FrontSources& sources) {
  forLevels(levels, [&](vtkDataSet* data, std::int64_t first) {
    bool onPoints = false;
    const std::size_t before = sources.elements.size();
    vtkDataArray* const array = settings.sourceArray(data, onPoints);
    addSources(sources, array, onPoints, settings.sourceArrayMeaning);
    for (std::size_t k = before; k < sources.elements.size(); ++k) {
      sources.elements[k] += first;
    }
  });
}

/// Adds to each level what was found at its leaves, or that nothing was.
template <int Dim>
void addResults(const ArrivalSettings& settings, const LeafValues& found, Hierarchy<Dim>& levels) {
  std::size_t leaf = 0;
  for (std::size_t l = 0; l < levels.leaves.size(); ++l) {
    RankCells<Dim>& level = levels.leaves[l];
    const std::int64_t count = level.set.numCells();
    const auto values = vtkSmartPointer<vtkCellData>::New();
    values->ShallowCopy(level.values);
    const auto foundOr = [&](double value, const std::vector<vtkSmartPointer<vtkDataArray>>& arrays,
                           const std::string& name, int numComponents) -> vtkSmartPointer<vtkDataArray> {
      if (arrays.empty()) {
        return filledArray(name.c_str(), count, numComponents, value);
      }
      return arrays[l];
    };
    if (settings.computeGradient) {
      values->AddArray(foundOr(std::numeric_limits<double>::quiet_NaN(), found.gradients, "Gradient", 3));
    }
    if (settings.computeNearestSource) {
      vtkNew<vtkIdTypeArray> nearest;
      nearest->SetName("Nearest Source");
      nearest->SetNumberOfValues(count);
      for (std::int64_t c = 0; c < count; ++c) {
        nearest->SetValue(c, found.nearest.empty() ? -1 : found.nearest[leaf++]);
      }
      values->AddArray(nearest);
    }
    addActive(values, foundOr(settings.timeOfUnreached, found.times, settings.resultArrayName, 1));
    level.values = values;
  }
}

/// Collective. The problem of the leaves that distributeLevels() left a rank.
template <int Dim>
std::shared_ptr<LevelProblem<Dim>> makeProblem(const RankGroup& group, const ArrivalSettings& settings,
  const Hierarchy<Dim>& levels, const PlaneRange& mine, const Periods<Dim>& periods, vtkDataSet* second) {
  auto problem = std::make_shared<LevelProblem<Dim>>();
  problem->own = levels;
  for (RankCells<Dim>& level : problem->own.leaves) {
    level.values = vtkSmartPointer<vtkCellData>::New();
  }
  problem->leaves = leavesOfMesh(group, mine, problem->own, periods);
  problem->numbersBefore = firstNumbers(group, levels);
  problem->periods = PeriodsInSpace::of(periods, levels.root);
  problem->options = meshOptionsOf(settings);
  problem->options.mergeDistance = -1.0; // every point is there once
  problem->sources =
    frontSourcesOf(group, settings, second, [&](FrontSources& sources) { addMarkedLeaves(settings, levels, sources); });
  bringIntoPeriod(problem->periods, problem->sources.points);
  if (problem->periods.any()) {
    copySurface(problem->periods, problem->sources);
  }
  problem->moveIntoLeaves(group, problem->sources, settings.reach);
  group.agree([&] {
    problem->speed = speedOf(settings, levels);
    problem->stopLeaves = stopLeavesOf(settings, levels);
  });
  if (!group.alone()) {
    problem->setNumber(group);
  }
  return problem;
}

/// Collective. Gives what was found on each rank the number of the first leaf that it was found in; rank 0 says it.
template <ComputeSide side, int Dim>
void nameFirst(const RankGroup& group, const LevelProblem<Dim>& problem, const eikonal::LeafMeshOn<SpaceOf<side>>& mesh,
  eikonal::Found& found) {
  std::vector<std::int64_t> first;
  if (found.first >= 0) {
    first.resize(1);
    copyToHost(SpaceOf<side>(), mesh.mesh.sources.data() + found.first, 1, first.data());
    first[0] = problem.numberOf(first[0]);
  }
  first = group.gather(first);
  found.first = first.empty() || group.rank() > 0 ? -1 : *std::min_element(first.begin(), first.end());
}

template <int Dim>
ArrivalSummary solve(const RankGroup& group, const ArrivalSettings& settings, Hierarchy<Dim> levels, vtkDataSet* second,
  const Progress& progress, vtkPartitionedDataSetCollection* output) {
  const Periods<Dim> periods = periodsOfLevels(group, settings.periods, levels);
  const PlaneRange mine = distributeLevels(group, levels);
  if (group.sum(levels.numCells()) == 0) {
    group.agree([&] {
      addResults(settings, LeafValues(), levels);
      setLevels<Dim>(output, levels, mine);
    });
    return {};
  }
  const auto problem = makeProblem(group, settings, levels, mine, periods, second);
  LeafValues found;
  ArrivalSummary summary;
  problem->solve(group, problem->options, progress.part(0.1, 0.9),
    [&]<ComputeSide side>(const Context<SpaceOf<side>>& context, LeafSolve<side>& solved) {
      nameFirst<side>(group, *problem, solved.mesh, solved.report.degenerate);
      solved.report.iteration.converged = solved.report.iteration.converged || group.rank() > 0; // one says so for all
      group.agree([&] { found = LeafValuesOn<side, Dim>(context, settings, *problem, solved).take(); });
      summary = ArrivalSummary::of(solved.report);
    });
  std::int64_t numUnreached = 0;
  group.agree([&] {
    addResults(settings, found, levels);
    numUnreached = levels.numCells() - found.numReached;
    setLevels<Dim>(output, levels, mine);
    for (vtkDataSet* level : vtkCompositeDataSet::GetDataSets(output)) {
      setProblem(level->GetCellData()->GetScalars(), level, problem);
    }
  });
  const auto numPoints = std::find_if(summary.values.begin(), summary.values.end(),
    [](const auto& value) { return value.first == "Eikonal Unreached Points"; });
  *numPoints = {"Eikonal Unreached Cells", static_cast<double>(group.sum(numUnreached))};
  return summary;
}

} // namespace

ArrivalSummary solveOnLevels(const RankGroup& group, const ArrivalSettings& settings, vtkDataObject* input,
  vtkDataSet* second, const Progress& progress, vtkPartitionedDataSetCollection* output) {
  const RankGroup makers = group.streams() ? RankGroup() : group; // the first piece has all leaves
  const AnyHierarchy levels = readLevels(makers, input, InputValues::All, progress.part(0.0, 0.1));
  ArrivalSummary summary = std::visit(
    [&](const auto& hierarchy) { return solve(makers, settings, hierarchy, second, progress.part(0.1, 1.0), output); },
    levels);
  if (input != nullptr) {
    output->GetFieldData()->PassData(input->GetFieldData());
    // Executives pass the time on where the input announces time steps; some readers only say it of their data.
    if (input->GetInformation()->Has(vtkDataObject::DATA_TIME_STEP())) {
      output->GetInformation()->CopyEntry(input->GetInformation(), vtkDataObject::DATA_TIME_STEP());
    }
  }
  return summary;
}

} // namespace spanwise
