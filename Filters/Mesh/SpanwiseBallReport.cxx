#include "SpanwiseBallReport.h"

#include "SpanwiseComputeOnSide.h"
#include "SpanwiseRankGroup.h"

#include "Core/Mesh/MeshUpload.hpp"
#include "Core/Runtime/Context.hpp"

#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkStringArray.h>
#include <vtkTypeInt64Array.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace spanwise {

namespace {

using Lines = std::vector<BallReportLine>;

/// Where the line of a type stands among those of all types; the last place is that of all together.
constexpr std::size_t numPlaces = 17;
std::size_t placeOf(const BallReportLine& line) {
  return line.type ? static_cast<std::size_t>(*line.type) : numPlaces - 1;
}

/// `slots` as the width of reportBalls().
Lines reportOf(const InputMesh& mesh, int slots) {
  return std::visit(
    [&]<class Real, class Index>(const MeshView<Real, Index>& view) {
      Lines lines;
      const auto report = [&]<ComputeSide side>(const SideContext<side>& context) {
        const MeshUpload<SpaceOf<side>, Real, Index> upload(context.space(), view);
        lines =
          reportBalls<SpaceOf<side>, Index>(context, upload.view().elements, upload.view().vertices.numVertices, slots);
      };
      computeOnSide(RankGroup(), "Vertex balls", workOnElements(view.elements.numElements), report);
      return lines;
    },
    mesh.view());
}

template <class Array, class Value>
void addArray(vtkFieldData* fields, const char* name, const Lines& lines, const Value& value) {
  vtkNew<Array> array;
  array->SetName(name);
  for (const BallReportLine& line : lines) {
    array->InsertNextValue(value(line));
  }
  fields->AddArray(array);
}

} // namespace

std::vector<BallReportLine> reportBallsOfAll(const RankGroup& group, const InputMesh& mesh) {
  Lines lines;
  std::vector<std::int64_t> present(numPlaces, 0);
  group.agree([&] {
    lines = reportOf(mesh, 0);
    for (const BallReportLine& line : lines) {
      present[placeOf(line)] = 1;
    }
  });
  group.sum(present);
  const auto numTypes = std::count_if(present.begin(), present.end() - 1, [](std::int64_t n) { return n > 0; });
  group.agree([&] {
    if (numTypes > 1 && lines.size() == 1) { // all types here are one: their ball has the slots of all ranks' then
      lines.push_back(reportOf(mesh, ballWidth(ElementType::Tetrahedron)).front());
      lines.back().type.reset();
    }
  });
  constexpr std::size_t numSums = 6;
  std::vector<std::int64_t> sums(numPlaces * numSums, 0);
  std::vector<double> largest(2 * numPlaces, 0.0); // degrees and slots
  for (const BallReportLine& line : lines) {
    const std::size_t place = placeOf(line);
    const std::int64_t mine[numSums] = {line.numElements, line.numVertices, line.occupancy.numEntries,
      line.occupancy.numInBase, line.occupancy.numEmptySlots, static_cast<std::int64_t>(line.bytes)};
    std::copy_n(mine, numSums, sums.begin() + static_cast<std::ptrdiff_t>(numSums * place));
    largest[2 * place] = line.largestDegree;
    largest[2 * place + 1] = line.width;
  }
  group.sum(sums);
  group.maximum(largest);
  Lines all;
  for (std::size_t place = 0; place < numPlaces; ++place) {
    const std::int64_t* const sum = sums.data() + numSums * place;
    if (sum[0] > 0) {
      BallReportLine& line = all.emplace_back();
      if (place != numPlaces - 1) {
        line.type = static_cast<ElementType>(place);
      }
      line.numElements = sum[0];
      line.numVertices = sum[1];
      line.occupancy = {sum[2], sum[3], sum[4]};
      line.bytes = static_cast<std::size_t>(sum[5]);
      line.largestDegree = static_cast<std::int32_t>(largest[2 * place]);
      line.width = static_cast<int>(largest[2 * place + 1]);
    }
  }
  return all;
}

void addBallReport(const std::vector<BallReportLine>& lines, vtkFieldData* fields) {
  using Line = const BallReportLine&;
  addArray<vtkStringArray>(fields, "Type", lines, [](Line line) { return line.name(); });
  addArray<vtkTypeInt64Array>(fields, "Elements", lines, [](Line line) { return line.numElements; });
  addArray<vtkTypeInt64Array>(fields, "Vertices", lines, [](Line line) { return line.numVertices; });
  addArray<vtkIntArray>(fields, "Slots", lines, [](Line line) { return line.width; });
  addArray<vtkDoubleArray>(
    fields, "In Base Table", lines, [](Line line) { return 100.0 * line.occupancy.shareInBase(); });
  addArray<vtkDoubleArray>(
    fields, "In Overflow Table", lines, [](Line line) { return 100.0 * line.occupancy.shareInOverflow(); });
  addArray<vtkDoubleArray>(
    fields, "Extra Memory", lines, [](Line line) { return 100.0 * line.occupancy.extraMemory(); });
  addArray<vtkDoubleArray>(fields, "Mean Degree", lines,
    [](Line line) { return static_cast<double>(line.occupancy.numEntries) / static_cast<double>(line.numVertices); });
  addArray<vtkIntArray>(fields, "Largest Degree", lines, [](Line line) { return line.largestDegree; });
  addArray<vtkTypeInt64Array>(fields, "Memory", lines, [](Line line) { return static_cast<vtkTypeInt64>(line.bytes); });
}

} // namespace spanwise
