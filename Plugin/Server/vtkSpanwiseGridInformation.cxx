#include "vtkSpanwiseGridInformation.h"

#include "SpanwiseCurrentOutput.h"
#include "SpanwiseGridSummary.h"
#include "SpanwiseStream.h"

#include <vtkMultiProcessStream.h>
#include <vtkObjectFactory.h>

#include <algorithm>
#include <sstream>

namespace spanwise {

template <class Stream>
void transfer(Stream& stream, RowSample& row) {
  transferAll(stream, row.level, row.z, row.y, row.numIntervals, row.ends);
}

template <class Stream>
void transfer(Stream& stream, LevelSummary& level) {
  transferAll(stream, level.level, level.numRows, level.numIntervals, level.numCells, level.geometryBytes, level.bounds,
    level.spacing);
}

template <class Stream>
void transfer(Stream& stream, GridSummary& summary) {
  transferAll(stream, summary.numGrids, summary.numOthers, summary.has2D, summary.has3D, summary.minLevel,
    summary.maxLevel, summary.numRows, summary.numIntervals, summary.numCells, summary.numGhostCells,
    summary.geometryBytes, summary.arrayBytes, summary.levels, summary.rows);
}

} // namespace spanwise

struct vtkSpanwiseGridInformation::Internals {
  spanwise::SampleRequest Request;
  spanwise::GridSummary Summary;
};

vtkStandardNewMacro(vtkSpanwiseGridInformation);

vtkSpanwiseGridInformation::vtkSpanwiseGridInformation() : Data(std::make_unique<Internals>()) {}

vtkSpanwiseGridInformation::~vtkSpanwiseGridInformation() = default;

void vtkSpanwiseGridInformation::SetMaximumNumberOfRows(int rows) {
  this->Data->Request.maxRows = std::max(rows, 0);
  this->Modified();
}

int vtkSpanwiseGridInformation::GetMaximumNumberOfRows() const { return this->Data->Request.maxRows; }

void vtkSpanwiseGridInformation::AddCell(int rank, vtkIdType cell) {
  this->Data->Request.cells.emplace_back(rank, cell);
  this->Modified();
}

void vtkSpanwiseGridInformation::CopyFromObject(vtkObject* object) {
  this->Data->Summary = spanwise::summarize(spanwise::currentOutput(object, this->PortNumber), this->Data->Request);
}

void vtkSpanwiseGridInformation::AddInformation(vtkPVInformation* information) {
  if (const auto* other = vtkSpanwiseGridInformation::SafeDownCast(information)) {
    spanwise::merge(this->Data->Summary, other->Data->Summary, this->Data->Request);
  }
}

void vtkSpanwiseGridInformation::CopyToStream(vtkClientServerStream* stream) {
  spanwise::write(*stream, this->Data->Summary);
}

void vtkSpanwiseGridInformation::CopyFromStream(const vtkClientServerStream* stream) {
  if (!spanwise::read(*stream, this->Data->Summary)) {
    vtkErrorMacro(<< spanwise::notReadable);
  }
}

void vtkSpanwiseGridInformation::CopyParametersToStream(vtkMultiProcessStream& stream) {
  const spanwise::SampleRequest& request = this->Data->Request;
  stream << this->PortNumber << request.maxRows << request.maxIntervals << static_cast<int>(request.cells.size());
  for (const auto& [rank, cell] : request.cells) {
    stream << rank << cell;
  }
}

void vtkSpanwiseGridInformation::CopyParametersFromStream(vtkMultiProcessStream& stream) {
  spanwise::SampleRequest& request = this->Data->Request;
  int numCells = 0;
  stream >> this->PortNumber >> request.maxRows >> request.maxIntervals >> numCells;
  request.cells.resize(static_cast<std::size_t>(std::max(numCells, 0)));
  for (auto& [rank, cell] : request.cells) {
    stream >> rank >> cell;
  }
}

int vtkSpanwiseGridInformation::GetDimension() const {
  const spanwise::GridSummary& summary = this->Data->Summary;
  return summary.has2D == summary.has3D ? 0 : summary.has2D ? 2 : 3;
}

vtkIdType vtkSpanwiseGridInformation::GetNumberOfRows() const { return this->Data->Summary.numRows; }

vtkIdType vtkSpanwiseGridInformation::GetNumberOfIntervals() const { return this->Data->Summary.numIntervals; }

vtkIdType vtkSpanwiseGridInformation::GetNumberOfCells() const { return this->Data->Summary.numCells; }

int vtkSpanwiseGridInformation::GetNumberOfOthers() const { return this->Data->Summary.numOthers; }

vtkTypeUInt64 vtkSpanwiseGridInformation::GetGeometryBytes() const { return this->Data->Summary.geometryBytes; }

int vtkSpanwiseGridInformation::GetNumberOfLevels() const {
  return static_cast<int>(this->Data->Summary.levels.size());
}

std::string vtkSpanwiseGridInformation::GetLevelsAsText() const {
  std::ostringstream text;
  for (const spanwise::LevelSummary& level : this->Data->Summary.levels) {
    text << "level " << level.level << ": " << level.numRows << " rows, " << level.numIntervals << " intervals, "
         << level.numCells << " cells, " << level.geometryBytes << " bytes\n";
  }
  return text.str();
}

std::string vtkSpanwiseGridInformation::GetRowsAsText() const {
  std::ostringstream text;
  const bool severalLevels = this->GetNumberOfLevels() > 1;
  for (const spanwise::RowSample& row : this->Data->Summary.rows) {
    text << (severalLevels ? "level " + std::to_string(row.level) + " " : "");
    text << (this->Data->Summary.has3D ? "z " + std::to_string(row.z) + " " : "") << "y " << row.y << ':';
    for (std::size_t i = 0; i + 1 < row.ends.size(); i += 2) {
      text << " [" << row.ends[i] << ", " << row.ends[i + 1] << ')';
    }
    text << '\n';
  }
  return text.str();
}

const spanwise::GridSummary& vtkSpanwiseGridInformation::Summary() const { return this->Data->Summary; }

void vtkSpanwiseGridInformation::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "PortNumber: " << this->PortNumber << '\n';
  os << indent << "NumberOfRows: " << this->GetNumberOfRows() << '\n';
  os << indent << "NumberOfIntervals: " << this->GetNumberOfIntervals() << '\n';
  os << indent << "NumberOfCells: " << this->GetNumberOfCells() << '\n';
  os << indent << "NumberOfOthers: " << this->GetNumberOfOthers() << '\n';
}
