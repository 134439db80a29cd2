#include "SpanwiseMemoryEstimate.h"

#include "SpanwiseGridSummary.h"
#include "vtkSpanwiseGridInformation.h"

#include <vtkDataArray.h>
#include <vtkDataObjectTypes.h>
#include <vtkNew.h>
#include <vtkPVArrayInformation.h>
#include <vtkPVDataInformation.h>
#include <vtkPVDataSetAttributesInformation.h>
#include <vtkPVXMLElement.h>
#include <vtkSMPropertyHelper.h>
#include <vtkSMProxy.h>
#include <vtkSMSourceProxy.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

namespace spanwise {

namespace {

// Measured with VTK 9.6 in ParaView 6.1, which has trees twice: as the filter makes them and as it keeps the output.
// Arrays are shared. vtkHyperTreeGrid::GetActualMemorySize() counts a tenth of a tree.
constexpr double bytesOfTree = 864.0;       // with its root
constexpr double bytesOfRefinedNode = 12.0; // others take nothing but their values

/// What is known of the input.
struct Input {
  vtkPVDataInformation* information = nullptr;
  GridSummary summary;
};

bool isFlat(const double bounds[6]) { return bounds[4] == bounds[5]; }

/// A number of a property as it stands in the panel; 0 where there is none.
double numberOf(vtkSMProxy* filter, const char* name, unsigned int index = 0) {
  vtkSMPropertyHelper values(filter, name, /*quiet*/ true);
  values.SetUseUnchecked(true);
  return values.GetNumberOfElements() > index ? values.GetAsDouble(index) : 0.0;
}

bool isOn(vtkSMProxy* filter, const char* name) { return numberOf(filter, name) != 0.0; }

bool isListed(vtkSMProxy* filter, const char* property, const std::string& name) {
  vtkSMPropertyHelper values(filter, property, /*quiet*/ true);
  values.SetUseUnchecked(true);
  for (unsigned int k = 0; k < values.GetNumberOfElements(); ++k) {
    if (name == values.GetAsString(k)) {
      return true;
    }
  }
  return false;
}

/// Bytes of the cell arrays of the input on one cell, of those that `isCarried` takes.
template <class IsCarried>
double arrayBytes(vtkPVDataInformation* information, const IsCarried& isCarried) {
  vtkPVDataSetAttributesInformation* const arrays = information->GetCellDataInformation();
  double bytes = 0.0;
  for (int k = 0; k < arrays->GetNumberOfArrays(); ++k) {
    vtkPVArrayInformation* const array = arrays->GetArrayInformation(k);
    if (std::strcmp(array->GetName(), "vtkGhostType") != 0 && isCarried(array->GetName())) {
      bytes +=
        static_cast<double>(vtkDataArray::GetDataTypeSize(array->GetDataType())) * array->GetNumberOfComponents();
    }
  }
  return bytes;
}

double allArrayBytes(vtkPVDataInformation* information) {
  return arrayBytes(information, [](const char*) { return true; });
}

MemoryEstimate estimateOf(double cells, double bytesOfCell, bool isLeast) {
  return {static_cast<qint64>(cells), static_cast<quint64>(cells * bytesOfCell), isLeast};
}

std::optional<MemoryEstimate> ofExplicitCells(const Input& input, vtkPVXMLElement* hint) {
  double bounds[6];
  input.information->GetBounds(bounds);
  int each = 0;
  int least = 0;
  hint->GetScalarAttribute(isFlat(bounds) ? "bytes2D" : "bytes3D", &each);
  hint->GetScalarAttribute("least", &least);
  return estimateOf(static_cast<double>(input.information->GetNumberOfCells()), each, least != 0);
}

/// The lattice of the one grid, or of the image; a spacing of 0 where it is not known.
LevelSummary latticeOf(const Input& input) {
  if (input.summary.levels.size() == 1) {
    return input.summary.levels.front();
  }
  LevelSummary lattice;
  input.information->GetBounds(lattice.bounds);
  if (input.information->GetDataSetType() == VTK_IMAGE_DATA) {
    const int* const extent = input.information->GetExtent();
    for (int d = 0; d < 3; ++d) {
      const int count = extent[2 * d + 1] - extent[2 * d];
      lattice.spacing[d] = count > 0 ? (lattice.bounds[2 * d + 1] - lattice.bounds[2 * d]) / count : 1.0;
    }
  }
  return lattice;
}

std::optional<MemoryEstimate> ofImage(const Input& input, vtkSMProxy* filter) {
  const LevelSummary lattice = latticeOf(input);
  if (lattice.spacing[0] <= 0.0) {
    return std::nullopt;
  }
  const bool hasBounds = isOn(filter, "UseBounds");
  double cells = 1.0;
  for (unsigned int d = 0; d < (isFlat(lattice.bounds) ? 2U : 3U); ++d) {
    const double spacing = lattice.spacing[d];
    const double first = lattice.bounds[2 * d] + 0.5 * spacing; // a centre
    const auto cellAt = [&](unsigned int bound) {
      return std::ceil((numberOf(filter, "Bounds", 2 * d + bound) - first) / spacing);
    };
    cells *= hasBounds ? std::max(0.0, cellAt(1) - cellAt(0))
                       : std::round((lattice.bounds[2 * d + 1] - lattice.bounds[2 * d]) / spacing);
  }
  const bool passesAll = isOn(filter, "PassAllArrays");
  const double arrays =
    arrayBytes(input.information, [&](const char* name) { return passesAll || isListed(filter, "CellArrays", name); });
  constexpr double mask = 1.0;
  const double ghosts = isOn(filter, "Blank") ? 1.0 : 0.0;
  return estimateOf(cells, mask + ghosts + arrays, false);
}

/// Of levels the box has cells of the finest.
std::optional<MemoryEstimate> ofDistances(const Input& input, vtkSMProxy* filter) {
  double bounds[6];
  input.information->GetBounds(bounds);
  const LevelSummary lattice = input.summary.levels.empty() ? latticeOf(input) : input.summary.levels.back();
  if (lattice.spacing[0] <= 0.0) {
    return std::nullopt;
  }
  double cells = 1.0;
  double rows = 1.0;
  for (int d = 0; d < (isFlat(bounds) ? 2 : 3); ++d) {
    const double margin = std::floor(numberOf(filter, "Margin") / lattice.spacing[d] + 0.5);
    const double along = std::round((bounds[2 * d + 1] - bounds[2 * d]) / lattice.spacing[d]) + 2.0 * margin;
    cells *= along;
    rows *= d > 0 ? along : 1.0;
  }
  MemoryEstimate estimate = estimateOf(cells, sizeof(double), true);
  constexpr double bytesOfRow = 100.0; // at least, with one interval
  estimate.bytes += static_cast<quint64>(bytesOfRow * rows);
  return estimate;
}

std::optional<MemoryEstimate> ofSamples(const Input& input, vtkSMProxy* filter) {
  double points = 1.0;
  for (unsigned int d = 0; d < 3; ++d) {
    points *= numberOf(filter, "Lengths", d) > 0.0 ? numberOf(filter, "Resolution", d) : 1.0;
  }
  const char* const level = "Level"; // which each point gets, whether leaves have it or not
  const double arrays = arrayBytes(input.information, [&](const char* name) { return std::strcmp(name, level) != 0; });
  return estimateOf(points, sizeof(int) + arrays, false);
}

/// The cells of all levels that are leaves or have leaves in them.
struct Nodes {
  double all = 0.0;
  double roots = 0.0;
  double refined = 0.0;
};

Nodes nodesOf(const GridSummary& summary) {
  const double children = summary.has3D ? 8.0 : 4.0;
  Nodes nodes;
  for (int level = summary.maxLevel; level >= 0; --level) {
    const auto found = std::find_if(summary.levels.begin(), summary.levels.end(),
      [&](const LevelSummary& candidate) { return candidate.level == level; });
    const auto leaves = found == summary.levels.end() ? 0.0 : static_cast<double>(found->numCells);
    const double refined = std::ceil(nodes.roots / children);
    nodes.roots = leaves + refined;
    nodes.refined += refined;
    nodes.all += nodes.roots;
  }
  return nodes;
}

std::optional<MemoryEstimate> ofTrees(const Input& input) {
  const double arrays = allArrayBytes(input.information);
  if (input.summary.numGrids == 0) { // AMR blocks and trees have cells above leaves, too
    return estimateOf(static_cast<double>(input.information->GetNumberOfCells()), arrays, true);
  }
  const Nodes nodes = nodesOf(input.summary);
  MemoryEstimate estimate = estimateOf(nodes.all, arrays, false);
  estimate.bytes += static_cast<quint64>(nodes.roots * bytesOfTree + nodes.refined * bytesOfRefinedNode);
  return estimate;
}

std::optional<MemoryEstimate> ofBlocks(const Input& input) {
  const double cells = input.summary.numGrids == 0 ? static_cast<double>(input.information->GetNumberOfCells())
                                                   : nodesOf(input.summary).all;
  constexpr double ghosts = 1.0;
  return estimateOf(cells, ghosts + allArrayBytes(input.information), true);
}

} // namespace

std::optional<MemoryEstimate> memoryEstimate(vtkSMProxy* filter, vtkSMProperty* property) {
  vtkPVXMLElement* const hints = filter->GetHints();
  vtkPVXMLElement* const hint = hints != nullptr ? hints->FindNestedElementByName("MemoryEstimate") : nullptr;
  vtkSMPropertyHelper helper(property);
  auto* const source = helper.GetNumberOfElements() > 0 ? vtkSMSourceProxy::SafeDownCast(helper.GetAsProxy()) : nullptr;
  if (hint == nullptr || source == nullptr) {
    return std::nullopt;
  }
  int wanted = 0;
  const char* const condition = hint->GetAttribute("property");
  if (condition != nullptr && hint->GetScalarAttribute("value", &wanted) != 0 &&
    numberOf(filter, condition) != wanted) {
    return std::nullopt;
  }
  Input input{source->GetDataInformation(helper.GetOutputPort()), {}};
  if (input.information == nullptr || input.information->GetNumberOfCells() <= 0) {
    return std::nullopt;
  }
  const std::string kind = hint->GetAttributeOrEmpty("of");
  if (kind.empty()) {
    return ofExplicitCells(input, hint);
  }
  vtkNew<vtkSpanwiseGridInformation> information;
  information->SetPortNumber(static_cast<int>(helper.GetOutputPort()));
  information->SetMaximumNumberOfRows(0);
  source->GatherInformation(information);
  input.summary = information->Summary();
  return kind == "image"  ? ofImage(input, filter)
    : kind == "distances" ? ofDistances(input, filter)
    : kind == "samples"   ? ofSamples(input, filter)
    : kind == "trees"     ? ofTrees(input)
                          : ofBlocks(input);
}

} // namespace spanwise
