#include "vtkSpanwiseComponents.h"

#include "SpanwiseAlignedInputs.h"
#include "SpanwiseBridge.h"
#include "SpanwiseComputeOnSide.h"
#include "SpanwiseConnectivity.h"
#include "SpanwiseIntervalValues.h"
#include "SpanwiseIntervalsComponents.h"
#include "SpanwisePeriods.h"

#include "Core/Geometry/DescribeComponents.hpp"
#include "Core/Runtime/Context.hpp"

#include <vtkDataSet.h>
#include <vtkDoubleArray.h>
#include <vtkExecutive.h>
#include <vtkIdTypeArray.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>
#include <vtkStreamingDemandDrivenPipeline.h>
#include <vtkTable.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <cmath>
#include <format>
#include <limits>
#include <optional>

using namespace spanwise::geometry;
using namespace spanwise::parallel;

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseComponents);

namespace {

using Host = HostExecutionSpace;

constexpr const char* idName = "ComponentId";
constexpr const char* sizeName = "ComponentSize";

/// The measures of parts on the host.
template <int Dim>
using Measures = ComponentMeasuresOn<Host, Dim>;

template <class View>
auto viewOnHost(const View& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

/// The number of the component with the most cells, the first of several. Collective.
template <int Dim>
std::int64_t largestOf(const RankGroup& group, const Measures<Dim>& measures, const ComponentNumbering& numbering) {
  ComponentNumbers<Host> sizes;
  group.agree([&] {
    sizes = ComponentNumbers<Host>(SPANWISE_LABEL("Geometry::sizes"), measures.extent(0));
    for (std::size_t p = 0; p < sizes.extent(0); ++p) {
      sizes(p) = measures(p).size;
    }
  });
  return largestComponent(Context<Host>(), sizes, numbering);
}

/// The number of the component with the cell that a point is in. Collective.
template <class Space, int Dim>
std::int64_t containing(const Context<Space>& context, const ComponentDescription<Space, Dim>& found,
  const IntervalSetOn<Dim, Space>& set, const double point[3], const GridPlacement& placement) {
  Cell<Dim> cell{};
  bool inRange = true;
  for (int d = 0; d < Dim; ++d) {
    const double at = std::floor((point[d] - placement.origin[d]) / placement.spacing[d]);
    inRange = inRange && at >= minCoordinate && at <= maxRowKey;
    cell.at[d] = inRange ? static_cast<Coordinate>(at) : 0;
  }
  const std::int64_t number =
    inRange ? componentOf<Space, Dim>(context.with(singleProcess()), set, found.labels, found.numbering, cell) : -1;
  if (number < 0) {
    throw InvalidArgument(std::format(
      "the seed point ({}, {}, {}) lies in no cell of the set; it must lie in a cell of the component to keep",
      point[0], point[1], point[2]));
  }
  return number;
}

template <int Dim>
vtkSmartPointer<vtkIdTypeArray> onCells(
  const char* name, const HostIntervalSet<Dim>& set, const MirroredNumbers& ofIntervals) {
  const auto& numbers = ofIntervals.on<ComputeSide::Host>();
  auto array = vtkSmartPointer<vtkIdTypeArray>::New();
  array->SetName(name);
  array->SetNumberOfValues(set.numCells());
  const IntervalSetView<Dim> view = set.view();
  for (std::int64_t i = 0; i < view.numIntervals; ++i) {
    std::fill_n(array->GetPointer(view.cellOffsets[i]), view.cellOffsets[i + 1] - view.cellOffsets[i], numbers(i));
  }
  return array;
}

template <int Dim>
MirroredNumbers takeFromCells(const char* name, RankCells<Dim>& cells) {
  const auto* array = vtkIdTypeArray::SafeDownCast(cells.values->GetArray(name));
  const IntervalSetView<Dim> view = cells.set.host().view();
  const Kokkos::View<std::int64_t*, Kokkos::HostSpace> ofIntervals(
    SPANWISE_LABEL("Geometry::of intervals"), static_cast<std::size_t>(view.numIntervals));
  for (std::int64_t i = 0; i < view.numIntervals; ++i) {
    ofIntervals(i) = array->GetValue(view.cellOffsets[i]);
  }
  cells.values->RemoveArray(name);
  return MirroredNumbers::of<ComputeSide::Host>(ofIntervals);
}

/// distribute(), the components following their cells.
template <int Dim>
PlaneRange distributeWith(const RankGroup& group, RankCells<Dim>& cells, IntervalsComponents& components) {
  group.agree([&] {
    cells.values->AddArray(onCells<Dim>(idName, cells.set.host(), components.ids));
    cells.values->AddArray(onCells<Dim>(sizeName, cells.set.host(), components.sizes));
  });
  const PlaneRange owned = distribute(group, cells);
  group.agree([&] { components = {takeFromCells<Dim>(idName, cells), takeFromCells<Dim>(sizeName, cells)}; });
  return owned;
}

template <class Array, class Value>
void addColumn(vtkTable* table, const char* name, const std::vector<const char*>& componentNames, std::int64_t count,
  const Value& value) {
  vtkNew<Array> column;
  column->SetName(name);
  const auto components = std::max<int>(static_cast<int>(componentNames.size()), 1);
  column->SetNumberOfComponents(components);
  for (std::size_t c = 0; c < componentNames.size(); ++c) {
    column->SetComponentName(static_cast<vtkIdType>(c), componentNames[c]);
  }
  column->SetNumberOfTuples(count);
  for (std::int64_t k = 0; k < count; ++k) {
    for (int c = 0; c < components; ++c) {
      column->SetTypedComponent(k, c, value(static_cast<std::size_t>(k), c));
    }
  }
  table->AddColumn(column);
}

/// A line of the table.
template <int Dim>
struct ListedComponent {
  std::int64_t number;
  ComponentMeasures<Dim> measures;
};

template <int Dim>
void fillTable(const std::vector<ListedComponent<Dim>>& parts, const GridPlacement& placement, vtkTable* table) {
  const auto count = static_cast<std::int64_t>(parts.size());
  addColumn<vtkIdTypeArray>(table, "Component", {}, count, [&](std::size_t k, int /*c*/) { return parts[k].number; });
  addColumn<vtkIdTypeArray>(
    table, "Cells", {}, count, [&](std::size_t k, int /*c*/) { return parts[k].measures.size; });
  addColumn<vtkDoubleArray>(
    table, "Bounds", {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"}, count, [&](std::size_t k, int c) {
      const int axis = c / 2;
      const Box<Dim>& box = parts[k].measures.box;
      return axis >= Dim ? placement.origin[2] : placement.position(axis, c % 2 == 0 ? box.begin[axis] : box.end[axis]);
    });
  addColumn<vtkDoubleArray>(table, "Centroid", {"x", "y", "z"}, count, [&](std::size_t k, int axis) {
    return axis >= Dim ? placement.origin[2]
                       : placement.origin[axis] + parts[k].measures.centroid(axis) * placement.spacing[axis];
  });
}

/// Whether a record is of these very cells, at this very place.
template <int Dim>
bool isOf(
  const IntervalGrid<Dim>& grid, const MirroredSet<Dim>& set, const GridPlacement& placement, const PlaneRange& owned) {
  const GridPlacement& there = grid.placement();
  return grid.mirrored().isSameAs(set) && grid.owned().begin == owned.begin && grid.owned().end == owned.end &&
    std::equal(there.origin, there.origin + 3, placement.origin) &&
    std::equal(there.spacing, there.spacing + 3, placement.spacing) && there.level == placement.level;
}

/// Gives `output` the cells and the values, and the record of the input where it can.
template <int Dim>
void setCellsLike(vtkDataSet* input, vtkUnstructuredGrid* output, const RankCells<Dim>& cells,
  const GridPlacement& placement, const PlaneRange& owned) {
  const auto grid = gridOf<Dim>(input);
  if (grid != nullptr && isOf<Dim>(*grid, cells.set, placement, owned)) {
    setGrid<Dim>(output, grid);
    output->GetCellData()->ShallowCopy(cells.values);
  } else {
    setCells(output, cells, placement, owned);
  }
}

void addNumber(vtkFieldData* data, const char* name, std::int64_t value) {
  vtkNew<vtkIdTypeArray> array;
  array->SetName(name);
  array->InsertNextValue(value);
  data->AddArray(array);
}

} // namespace

vtkSpanwiseComponents::vtkSpanwiseComponents() { this->SetNumberOfOutputPorts(2); }

void vtkSpanwiseComponents::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Connectivity: " << this->Connectivity << "\n";
  os << indent << "Keep: " << this->Keep << "\n";
  os << indent << "SmallestSize: " << this->SmallestSize << "\n";
  os << indent << "LargestSize: " << this->LargestSize << "\n";
  os << indent << "SeedPoint: " << this->SeedPoint[0] << " " << this->SeedPoint[1] << " " << this->SeedPoint[2] << "\n";
}

int vtkSpanwiseComponents::FillOutputPortInformation(int port, vtkInformation* info) {
  if (port == 1) {
    info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkTable");
    return 1;
  }
  return this->Superclass::FillOutputPortInformation(port, info);
}

int vtkSpanwiseComponents::RequestInformation(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  outputs->GetInformationObject(1)->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
  return this->Superclass::RequestInformation(request, inputs, outputs);
}

int vtkSpanwiseComponents::RequestUpdateExtent(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  // Both outputs are made at once: for the piece that one of them is asked for.
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  const int asked = request->Has(vtkExecutive::FROM_OUTPUT_PORT()) ? request->Get(vtkExecutive::FROM_OUTPUT_PORT()) : 0;
  if (asked == 0 || asked == 1) {
    vtkInformation* from = outputs->GetInformationObject(asked);
    vtkInformation* to = outputs->GetInformationObject(1 - asked);
    to->CopyEntry(from, Pipeline::UPDATE_PIECE_NUMBER());
    to->CopyEntry(from, Pipeline::UPDATE_NUMBER_OF_PIECES());
    to->CopyEntry(from, Pipeline::UPDATE_NUMBER_OF_GHOST_LEVELS());
  }
  return this->Superclass::RequestUpdateExtent(request, inputs, outputs);
}

void vtkSpanwiseComponents::MakeOutput(
  const RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) {
  if (this->Keep < ALL || this->Keep > CONTAINING_POINT) {
    throw InvalidArgument("what to keep is " + std::to_string(this->Keep) + "; it must be in [0, 3]");
  }
  if (this->Keep == BY_SIZE && (this->SmallestSize < 0 || this->LargestSize < 0)) {
    throw InvalidArgument("the sizes to keep are from " + std::to_string(this->SmallestSize) + " to " +
      std::to_string(this->LargestSize) + "; they must not be negative");
  }
  if (this->Keep == BY_SIZE && this->LargestSize > 0 && this->SmallestSize > this->LargestSize) {
    throw InvalidArgument("the sizes to keep are from " + std::to_string(this->SmallestSize) + " to " +
      std::to_string(this->LargestSize) +
      "; the smallest must not be greater than the largest, and 0 as the largest is "
      "no limit");
  }
  vtkDataSet* data = vtkDataSet::GetData(inputs[0], 0);
  InputCells input = this->ReadInput(group, data);
  this->GetOutputDataObject(1)->Initialize();
  std::visit([&](auto& cells) { this->MakeComponents(group, cells, input, data, output); }, input.cells);
  if (data != nullptr) {
    output->GetFieldData()->PassData(data->GetFieldData());
    this->GetOutputDataObject(1)->GetFieldData()->PassData(data->GetFieldData());
  }
}

template <class Cells>
void vtkSpanwiseComponents::MakeComponents(
  const RankGroup& group, Cells& cells, const InputCells& input, vtkDataSet* data, vtkUnstructuredGrid* output) {
  constexpr int Dim = std::decay_t<decltype(cells.set)>::dimension;
  const spanwise::geometry::Connectivity connectivity = connectivityOf(this->Connectivity);
  const Periods<Dim> periods = periodsOf<Dim>(group, this->GetPeriodChoice(), cells.set, input.placement);
  const PlaneRange owned = group.streams() ? PlaneRange() : distribute(group, cells);
  const SetDomain<Dim> domain = domainOf<Dim>(group, owned, periods);
  const std::int64_t most = this->LargestSize > 0 ? this->LargestSize : std::numeric_limits<std::int64_t>::max();
  const auto isKept = [&](std::int64_t number, std::int64_t size, std::int64_t only) {
    switch (this->Keep) {
    case ALL:
      return true;
    case BY_SIZE:
      return this->SmallestSize <= size && size <= most;
    default:
      return number == only;
    }
  };
  RankCells<Dim> result = cells;
  IntervalsComponents ofIntervals;
  ComponentNumbers<Host> numbers;
  ComponentNumbers<Host> keep;
  Measures<Dim> measures;
  ComponentNumbering numbering;
  std::optional<std::int64_t> euler;
  computeOnSide<Dim>(
    group, "Components", sideInputsOf<Dim>(cells), [&]<ComputeSide side>(const SideContext<side>& context) {
      using Space = SpaceOf<side>;
      const auto& set = cells.set.template on<side>();
      const auto found = describeComponents<Space, Dim>(context, connectivity, set, domain);
      group.agree([&] {
        measures = viewOnHost(found.measures);
        progressOf(this).report(0.6); // one rank may be asked to stop
      });
      numbering = found.numbering;
      euler = found.eulerNumber;
      std::int64_t only = -1;
      if (this->Keep == LARGEST) {
        only = largestOf<Dim>(group, measures, numbering);
      } else if (this->Keep == CONTAINING_POINT) {
        only = containing<Space, Dim>(context, found, set, this->SeedPoint, input.placement);
      }
      group.agree([&] {
        numbers = ComponentNumbers<Host>(SPANWISE_LABEL("Geometry::numbers"), measures.extent(0));
        keep = ComponentNumbers<Host>(SPANWISE_LABEL("Geometry::kept"), measures.extent(0));
        componentNumbers(Context<Host>(), numbering, numbers);
        for (std::size_t p = 0; p < keep.extent(0); ++p) {
          keep(p) = static_cast<std::int64_t>(isKept(numbers(p), measures(p).size, only));
        }
        const ComponentNumbers<Space> numbersThere(SPANWISE_LABEL("Geometry::numbers"), measures.extent(0));
        componentNumbers(context, numbering, numbersThere);
        ComponentNumbers<Space> kept; // not there: all are
        if (this->Keep != ALL) {
          kept = Kokkos::create_mirror_view_and_copy(typename Space::memory_space(), keep);
        }
        ofIntervals = componentsOfKept<side, Dim>(context, found, numbersThere, kept.data());
        if (this->Keep != ALL) {
          IntervalSetOn<Dim, Space> out;
          selectComponents<Space, Dim>(context.with(singleProcess()), set, found.labels, {1, 1, kept}, out);
          result = {MirroredSet<Dim>::template of<side>(out), vtkSmartPointer<vtkCellData>::New()};
        }
      });
    });
  group.agree([&] {
    if (this->Keep != ALL) {
      carryValues<Dim>({cells}, result);
    }
    progressOf(this).report(0.8);
  });
  const bool moves = group.streams() || (!group.alone() && this->Keep != ALL);
  const PlaneRange mine = moves ? distributeWith<Dim>(group, result, ofIntervals) : owned;
  group.agree([&] {
    setCellsLike<Dim>(data, output, result, input.placement, mine);
    const auto grid = gridOf<Dim>(output);
    output->GetCellData()->AddArray(intervalArray<Dim>(idName, grid, ofIntervals.ids));
    output->GetCellData()->AddArray(intervalArray<Dim>(sizeName, grid, ofIntervals.sizes));
    if (this->Keep == ALL || this->Keep == BY_SIZE) {
      output->GetCellData()->SetActiveScalars(idName); // what views colour by, unless they are told otherwise
    }

    std::vector<ListedComponent<Dim>> listed;
    for (std::size_t p = 0; p < keep.extent(0); ++p) {
      const bool isHere = numbering.hasFirstCell(static_cast<std::int64_t>(p)) &&
        (!group.streams() || mine.contains(measures(p).box.begin[Dim - 1]));
      if (keep(p) != 0 && isHere) {
        listed.push_back({numbers(p), measures(p)});
      }
    }
    auto* table = vtkTable::SafeDownCast(this->GetOutputDataObject(1));
    fillTable<Dim>(listed, input.placement, table);
    for (vtkDataObject* made : {static_cast<vtkDataObject*>(output), static_cast<vtkDataObject*>(table)}) {
      addNumber(made->GetFieldData(), "Number of Components", numbering.count());
      if (euler) {
        addNumber(made->GetFieldData(), "Euler Number", *euler);
      }
    }
  });
}
