#include "vtkSpanwiseAdaptiveRefinement.h"

#include "SpanwiseAboutInput.h"
#include "SpanwiseAdapt.h"
#include "SpanwiseArrayOnSide.h"
#include "SpanwiseBridge.h"
#include "SpanwiseChoice.h"
#include "SpanwiseComputeOnSide.h"
#include "SpanwiseDroppedArrays.h"
#include "SpanwiseInputLevels.h"
#include "SpanwiseOneGrid.h"
#include "SpanwisePeriods.h"

#include "Core/Geometry/Crop.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/CountText.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reduce.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkDataSetAttributes.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkIdTypeArray.h>
#include <vtkInformation.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkPointData.h>
#include <vtkPointDataToCellData.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <format>
#include <limits>
#include <string>

using namespace spanwise::geometry;
using namespace spanwise::multilevel;
using namespace spanwise::parallel;

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseAdaptiveRefinement);

namespace {

using Filter = vtkSpanwiseAdaptiveRefinement;

/// Which array the sensor looks at.
struct SensorArray {
  std::string name;
  bool onPoints = false;
  int component = 0;
};

/// Collective. The name of the sensor's array: as it was chosen, or that of the active one of a kind, as the scalars.
/// Ranks without cells take the name that others found. Empty if there is none.
std::string sensorArrayName(const RankGroup& group, vtkDataSet* data, vtkInformation* wanted, bool onPoints) {
  const char* const chosen = wanted->Get(vtkDataObject::FIELD_NAME());
  if (chosen != nullptr && *chosen != 0) {
    return chosen;
  }
  std::string name;
  if (data != nullptr && data->GetNumberOfCells() > 0) {
    vtkDataSetAttributes* const attributes = onPoints ? static_cast<vtkDataSetAttributes*>(data->GetPointData())
                                                      : static_cast<vtkDataSetAttributes*>(data->GetCellData());
    vtkDataArray* const active = attributes->GetAttribute(wanted->Get(vtkDataObject::FIELD_ATTRIBUTE_TYPE()));
    name = active != nullptr && active->GetName() != nullptr ? active->GetName() : "";
  }
  const std::string all = group.gather(name + '\n'); // no name has a line break that people can choose
  const std::size_t begin = std::min(all.find_first_not_of('\n'), all.size());
  return all.substr(begin, all.find('\n', begin) - begin);
}

/// The array that the sensor looks at.
vtkDataArray* sensorArray(vtkCellData* values, const SensorArray& wanted) {
  vtkDataArray* array = values->GetArray(wanted.name.c_str());
  if (array == nullptr) {
    const std::string where = wanted.onPoints ? "point" : "cell";
    throw InvalidArgument("the input has no " +
      (wanted.name.empty() ? "active " + where + " array, and none was chosen,"
                           : where + " array '" + wanted.name + "'") +
      " for the sensor to look at");
  }
  const int components = array->GetNumberOfComponents();
  const bool magnitude = wanted.component == components && components > 1;
  if (!magnitude && (wanted.component < 0 || wanted.component >= components)) {
    throw InvalidArgument("the array '" + wanted.name + "' has " + countText(components, "component") +
      "; the sensor cannot look at component " + std::to_string(wanted.component));
  }
  return array;
}

/// A component of values, or their Euclidean length.
template <class T>
struct SensorOf {
  FieldView<const T> from;
  int component; ///< from.numComponents: the length
  double* to;

  KOKKOS_FUNCTION void operator()(std::int64_t cell) const {
    if (component < from.numComponents) {
      to[cell] = static_cast<double>(from(cell, component));
      return;
    }
    double sum = 0.0;
    for (int c = 0; c < from.numComponents; ++c) {
      const auto value = static_cast<double>(from(cell, c));
      sum += value * value;
    }
    to[cell] = Kokkos::sqrt(sum);
  }
};

vtkSmartPointer<vtkDataArray> sensorOnHost(vtkDataArray* array, int component) {
  auto sensor = vtkSmartPointer<vtkDoubleArray>::New();
  sensor->SetNumberOfTuples(array->GetNumberOfTuples());
  const int components = array->GetNumberOfComponents();
  if (component < components) {
    sensor->CopyComponent(0, array, component);
    return sensor;
  }
  for (vtkIdType c = 0; c < array->GetNumberOfTuples(); ++c) {
    double sum = 0.0;
    for (int k = 0; k < components; ++k) {
      sum += array->GetComponent(c, k) * array->GetComponent(c, k);
    }
    sensor->SetValue(c, std::sqrt(sum));
  }
  return sensor;
}

/// The values of the sensor's array, one a cell, on a side.
template <ComputeSide side>
vtkSmartPointer<vtkDataArray> sensorValues(vtkCellData* values, const SensorArray& wanted) {
  vtkDataArray* const array = sensorArray(values, wanted);
  vtkSmartPointer<vtkDataArray> sensor;
  if constexpr (side == ComputeSide::Device) {
    if (array->GetNumberOfComponents() <= field::maxComponents) {
      withMirroredType(array->GetDataType(), [&]<class T>() {
        const auto from = deviceField<T>(array);
        ArrayOnSide<side, double> made(sensorName, from.numCells(), 1);
        forEach(SPANWISE_KERNEL("sensor"), IndexRange<SpaceOf<side>>(SpaceOf<side>(), 0, from.numCells()),
          SensorOf<FieldTypeOf<T>>{from.view(), wanted.component, made.values().view().values});
        sensor = made.array();
      });
    }
  }
  if (sensor == nullptr) {
    sensor = sensorOnHost(vtkDataArray::SafeDownCast(onHost(array)), wanted.component);
  }
  sensor->SetName(sensorName);
  return sensor;
}

/// The least and the greatest finite value.
struct FiniteRange {
  struct Range {
    double low;
    double high;
  };
  using value_type = Range;
  const double* values;

  KOKKOS_FUNCTION void init(Range& range) const {
    range = {Kokkos::Experimental::finite_max_v<double>, Kokkos::Experimental::finite_min_v<double>};
  }
  KOKKOS_FUNCTION void join(Range& range, const Range& other) const {
    range = {Kokkos::min(range.low, other.low), Kokkos::max(range.high, other.high)};
  }
  KOKKOS_FUNCTION void operator()(std::int64_t cell, Range& range) const {
    if (Kokkos::isfinite(values[cell])) {
      join(range, {values[cell], values[cell]});
    }
  }
};

/// Collective. The greatest less the least finite value of all ranks; 0 if there are none.
template <ComputeSide side>
double rangeOf(const RankGroup& group, vtkDataArray* sensor) {
  using Space = SpaceOf<side>;
  std::vector<double> low(1);
  std::vector<double> high(1);
  group.agree([&] {
    const ValuesOn<double, side> values(sensor);
    const FiniteRange find{values.data()};
    FiniteRange::Range range;
    find.init(range);
    reduce(SPANWISE_KERNEL("sensor range"), IndexRange<Space>(Space(), 0, values.count()), find, range);
    low[0] = range.low;
    high[0] = range.high;
  });
  group.minimum(low);
  group.maximum(high);
  return std::max(high[0] - low[0], 0.0);
}

/// Collective. The cells of a data set that lie in cells of the finest level, in this rank's planes.
template <ComputeSide side, int Dim>
MirroredSet<Dim> readTagged(
  const RankGroup& group, vtkDataSet* data, const GridPlacement& root, int finest, const RowCut& rootCut) {
  InputCells input = aboutInput("second input (Sensor Set)", [&] { return readCells(group, data, InputValues::None); });
  if (group.maximum(std::visit([](const auto& of) { return of.set.numCells(); }, input.cells)) == 0) {
    return {}; // of any dimension and spacing
  }
  auto* cells = std::get_if<RankCells<Dim>>(&input.cells);
  int level = 0;
  group.agree([&] {
    if (cells == nullptr) {
      throw InvalidArgument("the input is " + std::to_string(Dim) + "D and the set " +
        std::to_string(input.dimension()) + "D; they must be the same");
    }
    const double ratio = std::round(std::log2(root.spacing[0] / input.placement.spacing[0]));
    if (!(ratio >= 0.0 && ratio <= maxLevel)) {
      throw InvalidArgument(std::format("the cells of the set have the size {}; it must be that of level 0, {}, or "
                                        "that divided by 2, 4, 8 ...",
        input.placement.spacing[0], root.spacing[0]));
    }
    level = static_cast<int>(ratio);
    moveToLattice<Dim>(cells->set, input.placement, placementOfLevel(root, level));
    cells->values = vtkSmartPointer<vtkCellData>::New();
  });
  // The planes of the input's cut; those of cells smaller than the finest ones follow it too.
  migrate<Dim>(group, cutOfLevel(rootCut, level), *cells);
  using Space = SpaceOf<side>;
  IntervalSetOn<Dim, Space> tagged;
  group.agree([&] {
    tagged = cells->set.template on<side>();
    const Context<Space> context;
    for (; level < finest; ++level) {
      refine<Space, Dim>(context, tagged, tagged);
    }
    for (; level > finest; --level) {
      coarsen<Space, Dim>(context, Coarsening::Outside, tagged, tagged);
    }
  });
  return MirroredSet<Dim>::template of<side>(tagged);
}

void addNumbers(vtkFieldData* fieldData, const std::vector<std::int64_t>& leaves, double uniform) {
  vtkNew<vtkIdTypeArray> perLevel;
  perLevel->SetName("LeavesPerLevel");
  double sum = 0.0;
  for (const std::int64_t count : leaves) {
    perLevel->InsertNextValue(count);
    sum += static_cast<double>(count);
  }
  vtkNew<vtkDoubleArray> ratio;
  ratio->SetName("CellRatio");
  ratio->InsertNextValue(sum > 0.0 ? uniform / sum : 1.0);
  fieldData->AddArray(perLevel);
  fieldData->AddArray(ratio);
}

/// Collective. Drops levels at the end that no rank has cells of. Returns how many leaves there are of the others.
template <int Dim>
std::vector<std::int64_t> dropEmptyLevels(const RankGroup& group, Hierarchy<Dim>& hierarchy) {
  std::vector<std::int64_t> leaves;
  for (const RankCells<Dim>& cells : hierarchy.leaves) {
    leaves.push_back(cells.set.numCells());
  }
  group.sum(leaves);
  while (leaves.size() > 1 && leaves.back() == 0) {
    leaves.pop_back();
    hierarchy.leaves.pop_back();
  }
  return leaves;
}

/// What the filter was asked for.
struct Request {
  AdaptRules rules;
  bool refines = false;
  bool bySet = false;
  double gradientLimit = 0.0;
  SensorArray array;
  vtkDataSet* set = nullptr;
  PeriodChoice periods{};
};

/// The periods of the root, of those of a finer level. They must be made of cells of the root.
template <int Dim>
Periods<Dim> periodsOfRoot(const Periods<Dim>& fine, int level) {
  Periods<Dim> periods = fine;
  const Coordinate size = 1 << level;
  for (int d = 0; d < Dim; ++d) {
    const Coordinate begin = fine.box.begin[d];
    const Coordinate end = fine.box.end[d];
    periods.box.begin[d] = begin >> level;
    periods.box.end[d] = end >> level;
    if (fine.along[d] && (begin % size != 0 || end % size != 0)) {
      throw InvalidArgument("along the periodic axis " + std::to_string(d) + " the period has the cells [" +
        std::to_string(begin) + ", " + std::to_string(end) + "), and " + std::to_string(size) +
        " of them are a cell of level 0; the period must begin and end where those do: take fewer levels, or other "
        "cells");
    }
  }
  return periods;
}

/// A hierarchy, and the planes of its root that this rank owns.
template <int Dim>
struct Adapted {
  Hierarchy<Dim> hierarchy;
  PlaneRange mine;
};

/// Collective. The hierarchy on a side, with its levels' numbers as an array.
template <ComputeSide side, int Dim>
Adapted<Dim> adapted(const RankGroup& group, const RankCells<Dim>& input, const GridPlacement& placement,
  const Request& request, const Progress& progress) {
  AdaptRules rules = request.rules;
  const int finest = rules.numLevels - 1;
  const int ofInput = request.refines ? 0 : finest;
  Hierarchy<Dim> hierarchy;
  hierarchy.root = placementOfLevel(placement, -ofInput);
  hierarchy.root.level = 0;
  RankCells<Dim> cells;
  cells.set = input.set;
  cells.values->ShallowCopy(input.values);
  const bool anyCells = group.sum(input.set.numCells()) > 0;
  if (!request.bySet && anyCells) {
    vtkSmartPointer<vtkDataArray> sensor;
    group.agree([&] {
      if constexpr (side == ComputeSide::Device) { // it is read again
        bringToDevice(cells.values, request.array.name.c_str());
      }
      sensor = sensorValues<side>(cells.values, request.array);
    });
    cells.values->AddArray(sensor);
    if (rules.tagging && rules.tagging->criterion == TagCriterion::Gradient) {
      const double range = rangeOf<side>(group, sensor);
      rules.tagging->limit = request.gradientLimit * range;
      if (range == 0.0) {
        rules.tagging.reset(); // nothing differs
      }
    }
  }
  hierarchy.leaves.resize(static_cast<std::size_t>(ofInput) + 1);
  hierarchy.leaves.back() = cells;
  const PlaneRange mine = distributeLevels(group, hierarchy);
  if (!group.streams()) {
    cells = hierarchy.leaves.back();
  }
  if constexpr (side == ComputeSide::Device) { // for each level they are read again
    group.agree([&] { bringToDevice(cells.values); });
  }
  // One process that makes a part of the output looks at all cells for it.
  const Periods<Dim> periods =
    periodsOfRoot<Dim>(periodsOf<Dim>(group, request.periods, input.set, placement), ofInput);
  AdaptRanks<side, Dim> ranks(group, group.streams() ? PlaneRange() : mine, periods);
  MirroredSet<Dim> tagged;
  if (request.bySet && anyCells) {
    tagged = readTagged<side, Dim>(group, request.set, hierarchy.root, finest, ranks.domain.rootCut());
    if (periods.any()) { // what is beyond the period is no cell
      group.agree([&] {
        IntervalSetOn<Dim, SpaceOf<side>> within;
        crop<SpaceOf<side>, Dim>(
          Context<SpaceOf<side>>(), tagged.template on<side>(), ranks.domain.box(finest), within);
        tagged = MirroredSet<Dim>::template of<side>(within);
      });
    }
  }
  group.agree([&] { progress.report(0.2); });
  hierarchy.leaves = request.refines ? refinedFrom<side, Dim>(ranks, cells, tagged, rules)
                                     : coarsenedAway<side, Dim>(ranks, cells, tagged, rules);
  group.agree([&] {
    for (std::size_t l = 0; l < hierarchy.leaves.size(); ++l) {
      RankCells<Dim>& leaves = hierarchy.leaves[l];
      if (group.streams()) {
        restrictCells(leaves, planesOfLevel(mine, static_cast<int>(l)));
      }
      leaves.values->RemoveArray(sensorName);
      leaves.values->AddArray(
        filledOnSide<side, std::int32_t>("Level", leaves.set.numCells(), static_cast<std::int32_t>(l)));
    }
    progress.report(0.8);
  });
  return {hierarchy, mine};
}

template <int Dim>
void makeLevelsOf(const RankGroup& group, const RankCells<Dim>& input, const GridPlacement& placement,
  const Request& request, const Progress& progress, vtkPartitionedDataSetCollection* output) {
  Adapted<Dim> made;
  computeOnSide<Dim>(
    group, "Adaptive Refinement", sideInputsOf(input), [&]<ComputeSide side>(const SideContext<side>& /*context*/) {
      made = adapted<side, Dim>(group, input, placement, request, progress);
    });
  const std::vector<std::int64_t> leaves = dropEmptyLevels(group, made.hierarchy);
  const PlaneRange owned = group.streams() ? made.mine : distributeLevels(group, made.hierarchy);
  double uniform = 0.0;
  for (std::size_t l = 0; l < leaves.size(); ++l) {
    uniform += std::ldexp(static_cast<double>(leaves[l]), Dim * static_cast<int>(leaves.size() - 1 - l));
  }
  group.agree([&] { setLevels(output, made.hierarchy, owned); });
  addNumbers(output->GetFieldData(), leaves, uniform);
}

} // namespace

vtkSpanwiseAdaptiveRefinement::vtkSpanwiseAdaptiveRefinement() {
  this->SetNumberOfInputPorts(2);
  this->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, vtkDataSetAttributes::SCALARS);
}

void vtkSpanwiseAdaptiveRefinement::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Direction: " << this->Direction << "\n";
  os << indent << "NumberOfLevels: " << this->NumberOfLevels << "\n";
  os << indent << "Sensor: " << this->Sensor << "\n";
  os << indent << "Component: " << this->Component << "\n";
  os << indent << "LowerThreshold: " << this->LowerThreshold << "\n";
  os << indent << "UpperThreshold: " << this->UpperThreshold << "\n";
  os << indent << "GradientLimit: " << this->GradientLimit << "\n";
  os << indent << "LoehnerLimit: " << this->LoehnerLimit << "\n";
  os << indent << "LoehnerFilter: " << this->LoehnerFilter << "\n";
  os << indent << "BufferCells: " << this->BufferCells << "\n";
  os << indent << "Grading: " << this->Grading << "\n";
  os << indent << "Prolongation: " << this->Prolongation << "\n";
  this->PrintPeriodicAxes(os, indent);
}

int vtkSpanwiseAdaptiveRefinement::FillInputPortInformation(int port, vtkInformation* info) {
  requireOneGrid(info);
  if (port == 1) {
    info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
  }
  return 1;
}

void vtkSpanwiseAdaptiveRefinement::MakeOutput(
  const RankGroup& group, vtkInformationVector** inputs, vtkDataObject* output) {
  Request request;
  request.refines = checkedChoice("direction", this->Direction, COARSEN, REFINE) == REFINE;
  request.bySet = checkedChoice("sensor", this->Sensor, THRESHOLD, SET) == SET;
  request.rules.numLevels = checkedChoice("number of levels", this->NumberOfLevels, 1, maxNumLevels);
  request.rules.buffer = checkedChoice("number of buffer cells", this->BufferCells, 0, 64);
  request.rules.grading =
    static_cast<spanwise::multilevel::Grading>(checkedChoice("grading", this->Grading, NESTED, VERTEX));
  request.rules.prolongation = static_cast<spanwise::multilevel::Prolongation>(
    checkedChoice("prolongation", this->Prolongation, INJECTION, THIRD_ORDER));
  switch (this->Sensor) {
  case THRESHOLD:
    request.rules.range = ValueRange{this->LowerThreshold, this->UpperThreshold};
    break;
  case GRADIENT:
    request.rules.tagging = Tagging{TagCriterion::Gradient, 0.0, 0.0, 0};
    request.gradientLimit = this->GradientLimit;
    break;
  case LOEHNER:
    request.rules.tagging = Tagging{TagCriterion::Loehner, this->LoehnerLimit, this->LoehnerFilter, 0};
    break;
  default:
    break;
  }
  request.periods = this->GetPeriodChoice();
  vtkDataSet* data = vtkDataSet::GetData(inputs[0], 0);
  request.set = vtkDataSet::GetData(inputs[1], 0);
  if (request.bySet && group.maximum(static_cast<std::int64_t>(request.set != nullptr)) == 0) {
    throw InvalidArgument("the sensor is a set; it must be given as the second input (Sensor Set)");
  }
  vtkInformation* wanted = this->GetInputArrayInformation(0);
  request.array.onPoints = wanted->Get(vtkDataObject::FIELD_ASSOCIATION()) != vtkDataObject::FIELD_ASSOCIATION_CELLS;
  request.array.component = this->Component;
  if (!request.bySet) {
    request.array.name = sensorArrayName(group, data, wanted, request.array.onPoints);
  }
  const bool pointsToCells = request.array.onPoints && !request.bySet;
  vtkNew<vtkPointDataToCellData> toCells;
  if (pointsToCells) {
    group.agree([&] {
      if (data != nullptr && data->GetNumberOfCells() > 0) {
        toCells->SetInputData(data);
        toCells->Update();
        data = vtkDataSet::SafeDownCast(toCells->GetOutput());
      }
    });
  }
  const InputCells input = readCells(group, data, InputValues::AllOnAnySide, progressOf(this).part(0.0, 0.3));
  std::visit(
    [&](const auto& cells) {
      makeLevelsOf(group, cells, input.placement, request, progressOf(this).part(0.3, 1.0),
        vtkPartitionedDataSetCollection::SafeDownCast(output));
    },
    input.cells);
  if (!pointsToCells) {
    warnOfPointArrays(this, group, data);
  }
}
