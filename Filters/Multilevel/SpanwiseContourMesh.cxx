#include "SpanwiseContourMesh.h"

#include "SpanwiseInputLevels.h"
#include "SpanwiseLevelMesh.h"
#include "SpanwiseMeshValues.h"
#include "SpanwiseValues.h"

#include "Core/Field/Threshold.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/CommonCells.hpp"
#include "Core/Multilevel/TouchingLeaves.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/CountText.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

using namespace spanwise::geometry;
using namespace spanwise::multilevel;
using namespace spanwise::parallel;

namespace spanwise {

namespace {

using Host = HostExecutionSpace;
template <int Dim>
using HostLeaves = LeavesOn<Dim, Host>;

template <int Dim>
HostIntervalSet<Dim> combined(SetOperation operation, const HostIntervalSet<Dim>& a, const HostIntervalSet<Dim>& b) {
  HostIntervalSet<Dim> result;
  combine<Host, Dim>(Context<Host>(), operation, a, b, result);
  return result;
}

template <int Dim>
vtkDataArray* contouredArray(const RankCells<Dim>& level, const std::string& name) {
  vtkDataArray* const array = level.values->GetArray(name.c_str());
  if (array == nullptr) {
    throw InvalidArgument("the input has no cell array '" + name + "' to contour");
  }
  if (array->GetNumberOfComponents() != 1) {
    throw InvalidArgument("the array '" + name + "' has " + countText(array->GetNumberOfComponents(), "component") +
      "; contours are of arrays with one");
  }
  return array;
}

/// The leaves that are not below a value, or not above it: with those that are not a number, and those so close that
/// a mean of several like them may be on either side for rounding.
template <int Dim>
struct Sides {
  HostLeaves<Dim> notBelow;
  HostLeaves<Dim> notAbove;

  void add(const HostIntervalSet<Dim>& leaves, vtkDataArray* array, double value) {
    vtkNew<vtkDoubleArray> doubles;
    doubles->DeepCopy(array);
    const Kokkos::View<const double*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> values(
      doubles->GetPointer(0), static_cast<std::size_t>(doubles->GetNumberOfValues()));
    constexpr double infinite = std::numeric_limits<double>::infinity();
    constexpr double roundings = 64.0; // of a sum over the leaves at a point
    const double near = roundings * std::numeric_limits<double>::epsilon() * std::abs(value);
    const auto allBut = [&](double low, double high) {
      HostIntervalSet<Dim> others;
      field::selectByValue<double, Host, Dim>(Context<Host>(), leaves, values, {low, high}, false, others);
      return combined<Dim>(SetOperation::Difference, leaves, others);
    };
    notBelow.push_back(allBut(-infinite, std::nextafter(value - near, -infinite)));
    notAbove.push_back(allBut(std::nextafter(value + near, infinite), infinite));
  }
};

/// The leaves that a contour of one of the values may cross: those with, or at a point of, leaves on both sides of it.
template <int Dim>
HostLeaves<Dim> crossedLeaves(const Hierarchy<Dim>& levels, const HostLeaves<Dim>& leaves,
  const LeafCoverOn<Dim, Host>& cover, const std::string& array, const std::vector<double>& values) {
  const Context<Host> context;
  HostLeaves<Dim> crossed(leaves.size());
  for (const double value : values) {
    Sides<Dim> sides;
    for (std::size_t l = 0; l < leaves.size(); ++l) {
      sides.add(leaves[l], contouredArray(levels.leaves[l], array), value);
    }
    HostLeaves<Dim> atHigh;
    HostLeaves<Dim> atLow;
    touchingLeaves<Host, Dim>(context, leaves, cover, sides.notBelow, atHigh);
    touchingLeaves<Host, Dim>(context, leaves, cover, sides.notAbove, atLow);
    for (std::size_t l = 0; l < leaves.size(); ++l) {
      const auto both = combined<Dim>(SetOperation::Intersection, atHigh[l], atLow[l]);
      crossed[l] = combined<Dim>(SetOperation::Union, crossed[l], both);
    }
  }
  return crossed;
}

/// Some of the cells, with their values.
template <int Dim>
RankCells<Dim> onlyThose(const RankCells<Dim>& cells, const HostIntervalSet<Dim>& some) {
  RankCells<Dim> result;
  result.set = some;
  const auto runs = commonCells<Host, Dim>(Context<Host>(), some, cells.set.host());
  sliceValues(cells.values, 0, 0, result.values);
  for (int a = 0; a < result.values->GetNumberOfArrays(); ++a) {
    result.values->GetAbstractArray(a)->SetNumberOfTuples(some.numCells());
    copyRuns(cells.values->GetAbstractArray(a), runs.data(), static_cast<std::int64_t>(runs.extent(0)),
      result.values->GetAbstractArray(a));
  }
  return result;
}

template <int Dim>
Hierarchy<Dim> onlyThose(const Hierarchy<Dim>& levels, const HostLeaves<Dim>& some) {
  Hierarchy<Dim> result{levels.root, {}};
  for (std::size_t l = 0; l < some.size(); ++l) {
    const HostIntervalSet<Dim> there = combined<Dim>(SetOperation::Intersection, some[l], levels.leaves[l].set.host());
    result.leaves.push_back(onlyThose<Dim>(levels.leaves[l], there));
  }
  return result;
}

/// Which leaves of a hierarchy, numbered over its levels, are among some.
template <int Dim>
std::vector<char> marksOf(const Hierarchy<Dim>& levels, const HostLeaves<Dim>& some) {
  std::vector<char> marks(static_cast<std::size_t>(levels.numCells()), 0);
  std::int64_t first = 0;
  for (std::size_t l = 0; l < some.size(); ++l) {
    const HostIntervalSet<Dim>& set = levels.leaves[l].set.host();
    const auto runs = commonCells<Host, Dim>(Context<Host>(), set, some[l]);
    for (std::size_t k = 0; k < runs.extent(0); ++k) {
      std::fill_n(marks.begin() + first + runs(k).a, runs(k).count, 1);
    }
    first += set.numCells();
  }
  return marks;
}

/// Leaves the cells of a mesh whose leaves are marked.
void keepCells(ConformingMeshOn<Host>& mesh, const std::vector<char>& marks) {
  const std::int64_t* const sources = mesh.sources.data();
  std::vector<std::int64_t> kept;
  std::int64_t entries = 0;
  for (std::int64_t c = 0; c < mesh.sources.count(); ++c) {
    if (marks[static_cast<std::size_t>(sources[c])] != 0) {
      kept.push_back(c);
      entries += mesh.offsets.data()[c + 1] - mesh.offsets.data()[c];
    }
  }
  ConformingMeshOn<Host> from = mesh; // shares the lists
  const std::int64_t count = std::ssize(kept);
  ElementType* const types = mesh.types.prepare(count);
  std::int64_t* const offsets = mesh.offsets.prepare(count + 1);
  std::int64_t* const connectivity = mesh.connectivity.prepare(entries);
  std::int64_t* const ofLeaves = mesh.sources.prepare(count);
  offsets[0] = 0;
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t c = kept[static_cast<std::size_t>(k)];
    const std::int64_t begin = from.offsets.data()[c];
    const std::int64_t size = from.offsets.data()[c + 1] - begin;
    types[k] = from.types.data()[c];
    ofLeaves[k] = from.sources.data()[c];
    std::copy_n(from.connectivity.data() + begin, size, connectivity + offsets[k]);
    offsets[k + 1] = offsets[k] + size;
  }
}

} // namespace

template <int Dim>
void gridAroundContours(const RankGroup& group, const Hierarchy<Dim>& levels, const std::string& array,
  const std::vector<double>& values, const Progress& progress, vtkUnstructuredGrid* output) {
  Hierarchy<Dim> own = levels;
  const PlaneRange mine = distributeLevels(group, own);
  LeavesOfMesh<Dim> leaves = leavesOfMesh(group, mine, group.streams() ? levels : own);
  if (group.sum(levels.numCells()) == 0) {
    return; // and there are no arrays
  }
  group.agree([&] {
    const Context<Host> context;
    const HostLeaves<Dim> all = setsOf<ComputeSide::Host>(leaves.levels);
    LeafCoverOn<Dim, Host> cover;
    coverOfLeaves<Host, Dim>(context, all, cover);
    const HostLeaves<Dim> crossed = crossedLeaves<Dim>(leaves.levels, all, cover, array, values);
    progress.report(0.3);
    HostLeaves<Dim> around; // whose values are in the means at points of these
    touchingLeaves<Host, Dim>(context, all, cover, crossed, around);
    leaves.levels = onlyThose<Dim>(leaves.levels, around);
    const Hierarchy<Dim> ownAround = onlyThose<Dim>(own, around);
    ConformingMeshOn<Host> mesh;
    makeMeshOfSome<ComputeSide::Host, Dim>(context.with(progress.part(0.4, 0.8)), leaves, cover, mesh, true);
    keepCells(mesh, marksOf<Dim>(ownAround, crossed));
    setMesh(mesh, placementOfLevel(levels.root, leaves.finest), output);
    setPointMeans(mesh, leaves.levels, output);
    passCellValues(mesh, ownAround, output);
    progress.report(1.0);
  });
}

#define SPANWISE_CONTOUR_MESH(Dim)                                                                                     \
  template void gridAroundContours<Dim>(const RankGroup&, const Hierarchy<Dim>&, const std::string&,                   \
    const std::vector<double>&, const Progress&, vtkUnstructuredGrid*);
SPANWISE_CONTOUR_MESH(2)
SPANWISE_CONTOUR_MESH(3)

} // namespace spanwise
