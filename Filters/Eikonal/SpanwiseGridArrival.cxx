#include "SpanwiseGridArrival.h"

#include "SpanwiseAboutInput.h"
#include "SpanwiseArrivalArrays.h"
#include "SpanwiseBridge.h"
#include "SpanwiseBringPlanes.h"
#include "SpanwiseGridPlaces.h"
#include "SpanwiseGridProblem.h"
#include "SpanwiseImageBox.h"
#include "SpanwiseInputCells.h"
#include "SpanwisePeriods.h"
#include "SpanwiseValues.h"

#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/CommonCells.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Parallel/Cut.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/ClipTriangle.hpp"

#include <vtkCellData.h>
#include <vtkIdList.h>
#include <vtkIdTypeArray.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <cmath>
#include <format>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

using namespace spanwise::geometry;
using namespace spanwise::parallel;

namespace spanwise {

namespace {

using Host = HostExecutionSpace;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

// Arrays that go with cells while they are brought to where they are needed.
constexpr const char* inputCells = "Spanwise Input Cell";
constexpr const char* speedsOfCells = "Spanwise Speed";
constexpr const char* timesOfSources = "Spanwise Start Time";
constexpr const char* numbersOfSources = "Spanwise Source";
constexpr const char* marksOfRegion = "Spanwise Stop Region";

/// The same values under another name.
vtkSmartPointer<vtkDoubleArray> renamed(vtkDoubleArray* array, const char* name) {
  auto copy = vtkSmartPointer<vtkDoubleArray>::New();
  copy->ShallowCopy(array);
  copy->SetName(name);
  return copy;
}

/// The cells of a data set alone, and which of them count.
vtkSmartPointer<vtkDataSet> cellsAlone(vtkDataSet* data) {
  auto cells = vtkSmartPointer<vtkDataSet>::Take(data->NewInstance());
  cells->CopyStructure(data);
  if (vtkDataArray* const ghosts = data->GetCellData()->GetArray(vtkDataSetAttributes::GhostArrayName())) {
    cells->GetCellData()->AddArray(ghosts);
  }
  return cells;
}

/// Adds the numbers of cells, from `first` on.
void addNumbers(vtkDataSet* data, const char* name, std::int64_t first) {
  vtkNew<vtkIdTypeArray> numbers;
  numbers->SetName(name);
  numbers->SetNumberOfValues(data->GetNumberOfCells());
  std::iota(numbers->GetPointer(0), numbers->GetPointer(0) + numbers->GetNumberOfValues(), first);
  data->GetCellData()->AddArray(numbers);
}

int dimensionOf(vtkDataSet* data) {
  auto* image = vtkImageData::SafeDownCast(data);
  return image != nullptr ? dimensionOfImage(image) : gridOf<2>(data) != nullptr ? 2 : 3;
}

/// The speeds of cells whose slowness is the mean of that of their points.
vtkSmartPointer<vtkDoubleArray> meansOfPoints(vtkDataArray* speeds, vtkDataSet* input) {
  const auto values = doublesOf(speeds);
  auto means = vtkSmartPointer<vtkDoubleArray>::New();
  means->SetNumberOfValues(input->GetNumberOfCells());
  vtkNew<vtkIdList> points;
  for (vtkIdType c = 0; c < means->GetNumberOfValues(); ++c) {
    input->GetCellPoints(c, points);
    double slowness = 0.0;
    for (vtkIdType k = 0; k < points->GetNumberOfIds(); ++k) {
      const double speed = values->GetValue(points->GetId(k));
      if (!eikonal::Speed::isSpeed(speed)) {
        throw InvalidArgument(
          std::format("the speed at point {} is {}; speeds must be finite and not negative", points->GetId(k), speed));
      }
      slowness += 1.0 / speed;
    }
    means->SetValue(c, static_cast<double>(points->GetNumberOfIds()) / slowness);
  }
  return means;
}

/// Tensors in the plane, of 3 components (xx yy xy) or 4 (row by row), as those of 6.
vtkSmartPointer<vtkDoubleArray> sixComponents(vtkDoubleArray* flat) {
  const int components = flat->GetNumberOfComponents();
  auto tensors = vtkSmartPointer<vtkDoubleArray>::New();
  tensors->SetNumberOfComponents(6);
  tensors->SetNumberOfTuples(flat->GetNumberOfTuples());
  for (vtkIdType c = 0; c < flat->GetNumberOfTuples(); ++c) {
    const double* const m = flat->GetPointer(components * c);
    const double yy = components == 3 ? m[1] : m[3];
    const double xy = components == 3 ? m[2] : 0.5 * (m[1] + m[2]);
    if (components == 4 && std::abs(m[1] - m[2]) > 1e-6 * (std::abs(m[0]) + std::abs(m[3]))) {
      throw InvalidArgument(
        std::format("the tensor of cell {} has xy {} and yx {}; it must be symmetric", c, m[1], m[2]));
    }
    const double tensor[6] = {m[0], yy, 1.0, xy, 0.0, 0.0};
    tensors->SetTuple(c, tensor);
  }
  return tensors;
}

/// The speeds of the input's cells: of 1, 6 or 9 components.
vtkSmartPointer<vtkDoubleArray> speedsOf(const ArrivalSettings& settings, vtkDataSet* input) {
  bool onPoints = false;
  if (settings.speedBy == SpeedGivenBy::Fibres) {
    vtkDataArray* const fibres = settings.fibreArray(input, onPoints);
    return tensorsOfFibres(
      settings.fibreSpeeds, fibres, onPoints, input, dimensionOf(input) == 2 ? FrontSpace::Plane : FrontSpace::Solid);
  }
  vtkDataArray* const array = settings.speedArray(input, onPoints);
  const int components = array->GetNumberOfComponents();
  if (onPoints && components == 1) {
    return meansOfPoints(array, input);
  }
  if (!onPoints) {
    checkLength(array, input->GetNumberOfCells());
    if (components == 1 || components == 6 || components == 9) {
      return doublesOf(array);
    }
    if (dimensionOf(input) == 2 && (components == 3 || components == 4)) {
      return sixComponents(doublesOf(array));
    }
  }
  static_cast<void>(FrontSpeed::ofArray(array, onPoints)); // says what is wrong
  return nullptr;
}

/// 1 at the cells of the input that the iteration waits for, else 0.
vtkSmartPointer<vtkDoubleArray> regionMarks(const ArrivalSettings& settings, vtkDataSet* input) {
  const auto region = regionOf(input->GetCellData(), settings.stopRegion, input->GetNumberOfCells(), "cell");
  auto marks = filledArray(marksOfRegion, input->GetNumberOfCells(), 1, 0.0);
  for (const std::int64_t cell : region) {
    marks->SetValue(cell, 1.0);
  }
  return marks;
}

/// What an array of the input makes sources: its cells, whose arrays are added to `cells`, or points in space. Numbers
/// count from `firstCell` and `firstPoint` on.
FrontSources addArraySources(const ArrivalSettings& settings, vtkDataSet* input, std::int64_t firstCell,
  std::int64_t firstPoint, vtkDataSet* cells) {
  bool onPoints = false;
  vtkDataArray* const array = settings.sourceArray(input, onPoints);
  FrontSources chosen;
  addSources(chosen, array, onPoints, settings.sourceArrayMeaning);
  FrontSources points;
  if (onPoints) {
    points.pointTimes = chosen.vertexTimes;
    for (const std::int64_t point : chosen.vertices) {
      double at[3];
      input->GetPoint(point, at);
      points.points.insert(points.points.end(), at, at + 3);
      points.pointNumbers.push_back(firstPoint + point);
    }
    return points;
  }
  checkLength(array, input->GetNumberOfCells());
  const auto times = filledArray(timesOfSources, input->GetNumberOfCells(), 1, nothing);
  for (std::size_t k = 0; k < chosen.elements.size(); ++k) {
    times->SetValue(chosen.elements[k], chosen.elementTimes[k]);
  }
  cells->GetCellData()->AddArray(times);
  addNumbers(cells, numbersOfSources, firstCell);
  return points;
}

/// Collective. How many the ranks before this one have.
std::int64_t numBefore(const RankGroup& group, std::int64_t mine) {
  const auto all = group.gather(std::vector<std::int64_t>{mine});
  return std::accumulate(all.begin(), all.begin() + group.rank(), std::int64_t{0});
}

/// Collective. The sources of all ranks.
FrontSources ofAllRanks(const RankGroup& group, const FrontSources& mine) {
  FrontSources all;
  all.points = group.gather(mine.points);
  all.pointTimes = group.gather(mine.pointTimes);
  all.pointNumbers = group.gather(mine.pointNumbers);
  return all;
}

/// Collective. The cells of the second input with their start times, if there are some, and their numbers, which are
/// those of one rank's input after those of another one's.
InputCells cellsOfSecond(const RankGroup& group, const ArrivalSettings& settings, vtkDataSet* second) {
  requireSecond(group, second);
  const std::int64_t first = numBefore(group, second != nullptr ? second->GetNumberOfCells() : 0);
  vtkSmartPointer<vtkDataSet> cells;
  group.agree([&] {
    if (second == nullptr) {
      return;
    }
    cells = cellsAlone(second);
    if (!settings.sourceTimes.empty() && second->GetNumberOfCells() > 0) {
      cells->GetCellData()->AddArray(
        renamed(timesOf(second->GetCellData(), settings.sourceTimes, "cells"), timesOfSources));
    }
    addNumbers(cells, numbersOfSources, first);
  });
  return aboutInput(sourceInput, [&] { return readCells(group, cells, InputValues::All); });
}

/// What of a surface is in the plane of a 2D grid, to a millionth of a cell: segments where triangles cut it, and all
/// of what lies in it. `numbers` receives which triangle of the surface each is of.
FrontSources sectionOf(
  const FrontSources& surface, const GridPlacement& placement, std::vector<std::int64_t>& numbers) {
  const Point origin{{0.0, 0.0, placement.origin[2]}};
  const double tolerance = 1e-6 * std::max(placement.spacing[0], placement.spacing[1]);
  FrontSources section;
  for (std::size_t t = 0; t < surface.triangleTimes.size(); ++t) {
    Point corners[3];
    for (std::size_t k = 0; k < 3; ++k) {
      const auto at = 3 * static_cast<std::size_t>(surface.triangles[3 * t + k]);
      corners[k] = {{surface.surfacePoints[at], surface.surfacePoints[at + 1], surface.surfacePoints[at + 2]}};
    }
    if (!eikonal::clipTriangleToPlane({{0.0, 0.0, 1.0}}, origin, tolerance, corners)) {
      continue;
    }
    for (const Point& corner : corners) {
      section.triangles.push_back(std::ssize(section.surfacePoints) / 3);
      section.surfacePoints.insert(section.surfacePoints.end(), {corner[0], corner[1], corner[2]});
    }
    section.triangleTimes.push_back(surface.triangleTimes[t]);
    numbers.push_back(static_cast<std::int64_t>(t));
  }
  return section;
}

/// Collective. Makes points, the same on all ranks, sources.
template <int Dim>
void addPointsTo(const RankGroup& group, GridProblem<Dim>& problem, const FrontSources& points, double reach) {
  problem.places = placesIn<Dim>(group, *problem.grid, problem.periods, points.points, reach);
  problem.pointTimes = points.pointTimes;
  problem.pointNumbers = points.pointNumbers;
  std::int64_t numOutside = 0;
  std::size_t first = 0;
  for (std::size_t k = points.pointNumbers.size(); k-- > 0;) {
    if (std::isnan(problem.places[Dim * k])) {
      ++numOutside;
      first = k;
    }
  }
  if (numOutside > 0) { // on all ranks
    const double* const at = points.points.data() + 3 * first;
    throw InvalidArgument(std::format("source point {} at ({}, {}, {}) is outside of the grid, as {} of {} points are: "
                                      "a source point must be in a cell, or within the reach of one",
      points.pointNumbers[first], at[0], at[1], at[2], numOutside, points.pointNumbers.size()));
  }
}

/// Collective. Makes the surface of the second input a source, as far as it lies in the grid's plane in 2D.
template <int Dim>
void addSurfaceTo(
  const RankGroup& group, const ArrivalSettings& settings, vtkDataSet* second, GridProblem<Dim>& problem) {
  FrontSources whole;
  addSurface(group, whole, second, settings.sourceTimes);
  const bool isEmpty = whole.triangleTimes.empty();
  if constexpr (Dim == 2) {
    problem.surface = sectionOf(whole, problem.grid->placement(), problem.triangleNumbers);
  } else {
    problem.triangleNumbers.resize(whole.triangleTimes.size());
    std::iota(problem.triangleNumbers.begin(), problem.triangleNumbers.end(), std::int64_t{0});
    problem.surface = std::move(whole);
  }
  if (problem.triangleNumbers.empty()) { // on all ranks
    throw InvalidArgument(isEmpty
        ? "the second input (Source Input) has no surface; fronts start at its triangles, quadrilaterals and lines"
        : "the surface of the second input (Source Input) is not in the plane of the grid: none of its triangles and "
          "lines cuts it");
  }
}

/// Makes own cells sources that start at these times.
template <int Dim>
void addCellsTo(GridProblem<Dim>& problem, vtkCellData* values) {
  const auto times = doublesOf(values->GetArray(timesOfSources));
  vtkDataArray* const numbers = values->GetArray(numbersOfSources);
  for (std::int64_t c = 0; c < problem.grid->set().numCells(); ++c) {
    problem.cellTimes.push_back(times->GetValue(c));
    problem.cellNumbers.push_back(static_cast<std::int32_t>(numbers->GetComponent(c, 0)));
  }
}

/// Collective. Makes own cells sources that are among those of the second input, wherever these are.
template <int Dim>
void addSecondTo(const RankGroup& group, GridProblem<Dim>& problem, const PlaneRange& owned, const InputCells& second) {
  const std::int64_t numCells = problem.grid->set().numCells();
  problem.cellTimes.assign(static_cast<std::size_t>(numCells), nothing);
  problem.cellNumbers.assign(static_cast<std::size_t>(numCells), -1);
  if (group.sum(std::visit([](const auto& any) { return any.set.numCells(); }, second.cells)) == 0) {
    return;
  }
  if (second.dimension() != Dim) { // on all ranks
    throw InvalidArgument(
      std::format("the second input (Source Input) is {}D and the first {}D; cells that are sources must be on the "
                  "lattice of the first input",
        second.dimension(), Dim));
  }
  RankCells<Dim> cells = std::get<RankCells<Dim>>(second.cells);
  group.agree([&] {
    aboutInput(sourceInput, [&] { moveToLattice<Dim>(cells.set, second.placement, problem.grid->placement()); });
  });
  if (!group.alone()) {
    bringPlanes(group, owned, cells);
  }
  group.agree([&] {
    vtkDataArray* const times = cells.values->GetArray(timesOfSources);
    vtkDataArray* const numbers = cells.values->GetArray(numbersOfSources);
    const auto runs = commonCells<Host, Dim>(Context<Host>(), problem.grid->set(), cells.set.host());
    for (std::size_t r = 0; r < runs.extent(0); ++r) {
      const CellRun& run = runs.data()[r];
      for (std::int64_t k = 0; k < run.count; ++k) {
        const auto c = static_cast<std::size_t>(run.a + k);
        problem.cellTimes[c] = times != nullptr ? times->GetComponent(run.b + k, 0) : 0.0;
        problem.cellNumbers[c] = static_cast<std::int32_t>(numbers->GetComponent(run.b + k, 0));
      }
    }
  });
}

eikonal::GridArrivalOptions optionsOf(const ArrivalSettings& settings) {
  eikonal::GridArrivalOptions options;
  options.solve.iteration = settings.iteration;
  options.solve.iteration.window = eikonal::GridOptions::window;
  options.solve.order = settings.order;
  options.factoringRadius = settings.factorTimes ? settings.factoringRadius : 0.0;
  options.zeroSpeed = settings.zeroSpeed;
  options.trace = settings.computeNearestSource ? eikonal::Trace::Sources : eikonal::Trace::Nothing;
  options.slopes = settings.computeGradient ? eikonal::Slopes::Gradient : eikonal::Slopes::Nothing;
  return options;
}

/// Adds the arrays that were asked for, which say of all cells that no front came there.
void addEmptyResults(const ArrivalSettings& settings, vtkDataSet* output) {
  if (output == nullptr) {
    return;
  }
  const std::int64_t numCells = output->GetNumberOfCells();
  if (settings.computeGradient) {
    output->GetCellData()->AddArray(filledArray("Gradient", numCells, 3, nothing));
  }
  if (settings.computeNearestSource) {
    vtkNew<vtkIdTypeArray> nearest;
    nearest->SetName("Nearest Source");
    nearest->SetNumberOfValues(numCells);
    nearest->Fill(-1.0);
    output->GetCellData()->AddArray(nearest);
  }
  addActive(
    output->GetCellData(), filledArray(settings.resultArrayName.c_str(), numCells, 1, settings.timeOfUnreached));
}

/// Adds the results on own cells.
template <int Dim>
void addResults(
  const ArrivalSettings& settings, const GridProblem<Dim>& problem, const GridFound& found, vtkCellData* values) {
  if (settings.computeGradient) {
    values->AddArray(found.shownSlopes);
  }
  if (settings.computeNearestSource) {
    vtkNew<vtkIdTypeArray> nearest;
    nearest->SetName("Nearest Source");
    nearest->SetNumberOfValues(std::ssize(found.labels));
    std::transform(found.labels.begin(), found.labels.end(), nearest->GetPointer(0),
      [&](std::int32_t label) { return problem.numberOf(label); });
    values->AddArray(nearest);
  }
  addActive(values, found.shownTimes);
}

/// Copies results to cells of the output, which has arrays for them.
void copyResults(vtkCellData* from, std::int64_t cell, vtkDataSet* output, vtkIdType to) {
  for (int a = 0; a < from->GetNumberOfArrays(); ++a) {
    vtkDataArray* const array = output->GetCellData()->GetArray(from->GetArray(a)->GetName());
    array->SetTuple(to, cell, from->GetArray(a));
  }
}

/// Collective. Brings results to the pieces of an image.
template <int Dim>
void setResultsOfImage(
  const RankGroup& group, const RankCells<Dim>& results, const GridPlacement& placement, vtkImageData* output) {
  RankCells<Dim> here = results;
  HostIntervalSet<Dim> box;
  group.agree([&] {
    if (output != nullptr && output->GetNumberOfCells() > 0) {
      const ImageBox<Dim> image = boxOfImage<Dim>(output);
      makeBox<Host, Dim>(Context<Host>(), image.box, box);
      MirroredSet<Dim> moved(box);
      moveToLattice<Dim>(moved, image.placement, placement);
      box = moved.host();
    }
  });
  bringPlanes(group, planesOf(boundingBox<Host, Dim>(Context<Host>(), box)), here);
  group.agree([&] {
    const auto runs = commonCells<Host, Dim>(Context<Host>(), box, here.set.host());
    for (std::size_t r = 0; r < runs.extent(0); ++r) {
      const CellRun& run = runs.data()[r];
      for (std::int64_t k = 0; k < run.count; ++k) {
        copyResults(here.values, run.b + k, output, run.a + k);
      }
    }
  });
}

/// Adds arrays, of which one is active.
void addArrays(vtkCellData* from, vtkCellData* to) {
  for (int a = 0; a < from->GetNumberOfArrays(); ++a) {
    to->AddArray(from->GetArray(a));
  }
  to->SetActiveScalars(from->GetScalars()->GetName());
}

/// Own cells with all their values, but for those that only went with them.
template <int Dim>
void setGridOfIntervals(const GridProblem<Dim>& problem, vtkCellData* values, vtkCellData* results, vtkDataSet* input,
  vtkUnstructuredGrid* output) {
  setGrid<Dim>(output, problem.grid);
  output->GetCellData()->ShallowCopy(values);
  for (const char* name : {inputCells, speedsOfCells, timesOfSources, numbersOfSources, marksOfRegion}) {
    output->GetCellData()->RemoveArray(name);
  }
  addArrays(results, output->GetCellData());
  if (input != nullptr) {
    output->GetFieldData()->PassData(input->GetFieldData());
  }
}

ArrivalSummary summaryOf(const eikonal::GridArrivalReport& report) {
  ArrivalSummary summary;
  summary.add(report.iteration, "Cell");
  summary.values.emplace_back("Eikonal Sources", static_cast<double>(report.numStarts));
  summary.values.emplace_back("Eikonal Unreached Cells", static_cast<double>(report.numUnreached));
  return summary;
}

/// The record of own cells: the input's where it has just these.
template <int Dim>
IntervalGridPointer<Dim> recordOf(
  vtkDataSet* input, const HostIntervalSet<Dim>& set, const GridPlacement& placement, const PlaneRange* owned) {
  auto found = gridOf<Dim>(input);
  if (owned == nullptr && found != nullptr && found->set().numCells() == set.numCells()) {
    return found;
  }
  return IntervalGrid<Dim>::make(set, placement, owned != nullptr ? *owned : parallel::PlaneRange());
}

/// The inputs of a solution.
struct GridInputs {
  GridPlacement placement;
  vtkDataSet* input;
  vtkDataSet* second;
  bool isImage; ///< on all ranks alike
  FrontSources points;
  std::optional<InputCells> cells; ///< of the second input, where they are sources
};

template <int Dim>
ArrivalSummary solve(const RankGroup& group, const ArrivalSettings& settings, const GridInputs& inputs,
  RankCells<Dim> cells, const Progress& progress, vtkDataSet* output) {
  const GridPlacement& placement = inputs.placement;
  const auto problem = std::make_shared<GridProblem<Dim>>();
  problem->options = optionsOf(settings);
  problem->periods = periodsOf<Dim>(group, settings.periods, cells.set, placement);
  problem->shared = !group.alone();
  PlaneRange owned{0, 0};
  if (problem->shared) {
    owned = distribute(group, cells);
    problem->setNumber(group);
    problem->cut = cutOf(gatherRanges(group.communicator(), owned));
  }
  group.agree([&] {
    problem->grid = recordOf<Dim>(inputs.input, cells.set.host(), placement, problem->shared ? &owned : nullptr);
    problem->speed = settings.hasSpeedArray() ? FrontSpeed::ofArray(cells.values->GetArray(speedsOfCells), false)
                                              : constantSpeedOf(settings);
    if (cells.values->GetArray(timesOfSources) != nullptr) {
      addCellsTo(*problem, cells.values);
    }
    if (cells.values->GetArray(marksOfRegion) != nullptr) {
      problem->stopRegion = regionOf(cells.values, marksOfRegion, cells.set.numCells(), "cell");
    }
  });
  if (inputs.cells) {
    addSecondTo(group, *problem, owned, *inputs.cells);
  }
  if (settings.sources == FrontsFrom::SurfaceOfSecond) {
    addSurfaceTo<Dim>(group, settings, inputs.second, *problem);
  }
  // Points of an array are in cells as they are.
  addPointsTo(group, *problem, inputs.points, settings.sources == FrontsFrom::Array ? 0.0 : settings.reach);
  const GridFound found =
    problem->solve(group, problem->options, {settings.resultArrayName, settings.timeOfUnreached}, progress);
  RankCells<Dim> results{cells.set, vtkSmartPointer<vtkCellData>::New()};
  group.agree([&] { addResults(settings, *problem, found, results.values); });
  if (problem->shared && inputs.isImage) {
    group.agree([&] { addEmptyResults(settings, output); });
    setResultsOfImage<Dim>(group, results, placement, vtkImageData::SafeDownCast(output));
  } else if (problem->shared) {
    group.agree([&] {
      if (auto* grid = vtkUnstructuredGrid::SafeDownCast(output)) {
        setGridOfIntervals(*problem, cells.values, results.values, inputs.input, grid);
      }
    });
  } else if (cells.set.numCells() == output->GetNumberOfCells()) { // all of them, in their order
    addArrays(results.values, output->GetCellData());
  } else {
    addEmptyResults(settings, output);
    vtkDataArray* const to = cells.values->GetArray(inputCells);
    for (std::int64_t c = 0; c < cells.set.numCells(); ++c) {
      copyResults(results.values, c, output, static_cast<vtkIdType>(to->GetComponent(c, 0)));
    }
  }
  if (output != nullptr) {
    setProblem(output->GetCellData()->GetScalars(), output, problem);
  }
  return summaryOf(found.report);
}

} // namespace

bool isOnLattice(vtkDataObject* data) {
  return vtkImageData::SafeDownCast(data) != nullptr || gridOf<2>(data) != nullptr || gridOf<3>(data) != nullptr;
}

ArrivalSummary solveOnGrid(const RankGroup& group, const ArrivalSettings& settings, vtkDataSet* input,
  vtkDataSet* second, const Progress& progress, vtkDataSet* output) {
  if (input != nullptr && output != nullptr) {
    output->ShallowCopy(input);
  }
  const bool here = input != nullptr && input->GetNumberOfCells() > 0;
  if (group.sum(here ? 1 : 0) == 0) {
    group.agree([&] { addEmptyResults(settings, input != nullptr ? output : nullptr); });
    return {};
  }
  GridInputs inputs{{}, input, second, group.sum(vtkImageData::SafeDownCast(input) != nullptr ? 1 : 0) > 0,
    pointSourcesOf(group, settings, second), {}};
  const std::int64_t firstCell = numBefore(group, here ? input->GetNumberOfCells() : 0);
  const std::int64_t firstPoint = numBefore(group, here ? input->GetNumberOfPoints() : 0);
  vtkSmartPointer<vtkDataSet> cells = input;
  FrontSources pointsOfArray;
  group.agree([&] {
    if (!here) {
      return;
    }
    cells = cellsAlone(input);
    if (!group.alone() && !inputs.isImage) { // the values move with their cells
      cells->GetCellData()->ShallowCopy(input->GetCellData());
    }
    addNumbers(cells, inputCells, 0);
    if (settings.hasSpeedArray()) {
      cells->GetCellData()->AddArray(renamed(speedsOf(settings, input), speedsOfCells));
    }
    if (!settings.stopRegion.empty()) {
      cells->GetCellData()->AddArray(regionMarks(settings, input));
    }
    if (settings.sources == FrontsFrom::Array) {
      pointsOfArray = addArraySources(settings, input, firstCell, firstPoint, cells);
    }
  });
  if (settings.sources == FrontsFrom::Array) {
    inputs.points = ofAllRanks(group, pointsOfArray);
  } else if (settings.sources == FrontsFrom::CellsOfSecond) {
    inputs.cells = cellsOfSecond(group, settings, second);
  } else if (settings.sources == FrontsFrom::SurfaceOfSecond) {
    requireSecond(group, second);
  }
  const InputCells read = readCells(group, cells, InputValues::All, progress.part(0.0, 0.1));
  inputs.placement = read.placement;
  return std::visit(
    [&](const auto& rankCells) { return solve(group, settings, inputs, rankCells, progress.part(0.1, 1.0), output); },
    read.cells);
}

} // namespace spanwise
