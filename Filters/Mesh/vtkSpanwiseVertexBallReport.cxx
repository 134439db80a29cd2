#include "vtkSpanwiseVertexBallReport.h"

#include "SpanwiseExecute.h"
#include "SpanwiseInputMesh.h"

#include "Core/Mesh/BallReport.hpp"
#include "Core/Mesh/MeshUpload.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkDataSet.h>
#include <vtkDoubleArray.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkStringArray.h>
#include <vtkTable.h>
#include <vtkTypeInt64Array.h>

#include <algorithm>

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseVertexBallReport);

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Lines = std::vector<BallReportLine>;

/// Where the line of a type stands among those of all types; the last place is that of all together.
constexpr std::size_t numPlaces = 17;
std::size_t placeOf(const BallReportLine& line) {
  return line.type ? static_cast<std::size_t>(*line.type) : numPlaces - 1;
}

Lines reportOf(const InputMesh& mesh, int slots) {
  return std::visit(
    [&]<class Real, class Index>(const MeshView<Real, Index>& view) {
      const Context<Space> context;
      const MeshUpload<Space, Real, Index> upload(Space(), view);
      return reportBalls<Space, Index>(context, upload.view().elements, upload.view().vertices.numVertices, slots);
    },
    mesh.view());
}

/// Collective. The lines of all ranks together.
Lines sumOfAll(const RankGroup& group, const InputMesh& mesh, int slots) {
  Lines lines;
  std::vector<std::int64_t> present(numPlaces, 0);
  group.agree([&] {
    lines = reportOf(mesh, slots);
    for (const BallReportLine& line : lines) {
      present[placeOf(line)] = 1;
    }
  });
  group.sum(present);
  const auto numTypes = std::count_if(present.begin(), present.end() - 1, [](std::int64_t n) { return n > 0; });
  group.agree([&] {
    if (numTypes > 1 && lines.size() == 1) { // all types here are one: their ball has the slots of all ranks' then
      lines.push_back(reportOf(mesh, slots == 0 ? ballWidth(ElementType::Tetrahedron) : slots).front());
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

template <class Array, class Value>
void addColumn(vtkTable* table, const char* name, const Lines& lines, const Value& value) {
  vtkNew<Array> column;
  column->SetName(name);
  for (const BallReportLine& line : lines) {
    column->InsertNextValue(value(line));
  }
  table->AddColumn(column);
}

void fill(vtkTable* table, const Lines& lines) {
  using Line = const BallReportLine&;
  addColumn<vtkStringArray>(table, "Type", lines, [](Line line) { return line.name(); });
  addColumn<vtkTypeInt64Array>(table, "Elements", lines, [](Line line) { return line.numElements; });
  addColumn<vtkTypeInt64Array>(table, "Vertices", lines, [](Line line) { return line.numVertices; });
  addColumn<vtkIntArray>(table, "Slots", lines, [](Line line) { return line.width; });
  addColumn<vtkDoubleArray>(
    table, "In Base Table", lines, [](Line line) { return 100.0 * line.occupancy.shareInBase(); });
  addColumn<vtkDoubleArray>(
    table, "In Overflow Table", lines, [](Line line) { return 100.0 * line.occupancy.shareInOverflow(); });
  addColumn<vtkDoubleArray>(
    table, "Extra Memory", lines, [](Line line) { return 100.0 * line.occupancy.extraMemory(); });
  addColumn<vtkDoubleArray>(table, "Mean Degree", lines,
    [](Line line) { return static_cast<double>(line.occupancy.numEntries) / static_cast<double>(line.numVertices); });
  addColumn<vtkIntArray>(table, "Largest Degree", lines, [](Line line) { return line.largestDegree; });
  addColumn<vtkTypeInt64Array>(table, "Memory", lines, [](Line line) { return static_cast<vtkTypeInt64>(line.bytes); });
}

} // namespace

void vtkSpanwiseVertexBallReport::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Slots: " << this->Slots << "\n";
}

void vtkSpanwiseVertexBallReport::MakeOutput(const RankGroup& group, vtkDataSet* input, vtkTable* output) {
  InputMesh mesh;
  group.agree([&] {
    if (this->Slots < 0 || this->Slots > maxBallWidth) {
      throw InvalidArgument("the number of slots is " + std::to_string(this->Slots) + "; it must be within 1 and " +
        std::to_string(maxBallWidth) + ", or 0 for what fits the type");
    }
    mesh = meshOf(input);
  });
  const Lines lines = sumOfAll(group, mesh, this->Slots);
  group.agree([&] { fill(output, group.piece() == 0 ? lines : Lines()); });
}
