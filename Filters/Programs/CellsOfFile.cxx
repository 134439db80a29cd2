#include "CellsOfFile.h"

#include "SpanwiseOneGrid.h"

#include "Core/Runtime/Error.hpp"

#include "vtkSpanwiseImageToIntervals.h"
#include "vtkSpanwiseReader.h"
#include "vtkSpanwiseSurfaceToIntervals.h"

#include <vtkAlgorithm.h>
#include <vtkCallbackCommand.h>
#include <vtkDataSet.h>
#include <vtkExecutive.h>
#include <vtkNew.h>
#include <vtkPLYReader.h>
#include <vtkPolyData.h>
#include <vtkSTLReader.h>
#include <vtkSmartPointer.h>
#include <vtkXMLImageDataReader.h>
#include <vtkXMLPolyDataReader.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <format>

using namespace spanwise;

namespace {

std::string extensionOf(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
  return extension;
}

/// What algorithms complain of, instead of on the terminal.
class Complaints {
public:
  explicit Complaints(std::string& text) {
    command_->SetClientData(&text);
    command_->SetCallback([](vtkObject*, unsigned long, void* to, void* message) {
      auto& first = *static_cast<std::string*>(to);
      if (first.empty()) { // what follows are its consequences
        first = static_cast<const char*>(message);
        // The file, the line and the address of the object are for developers.
        const std::size_t begin = first.find("): ");
        first.erase(0, begin == std::string::npos ? 0 : begin + 3);
        first.erase(first.find_last_not_of(" \n") + 1);
      }
    });
  }
  void hear(vtkAlgorithm* from) {
    from->AddObserver("ErrorEvent", command_);
    from->GetExecutive()->AddObserver("ErrorEvent", command_);
  }

private:
  vtkNew<vtkCallbackCommand> command_;
};

template <class Reader>
vtkSmartPointer<vtkAlgorithm> readerOf(const std::string& path) {
  const auto reader = vtkSmartPointer<Reader>::New();
  reader->SetFileName(path.c_str());
  return reader;
}

vtkSmartPointer<vtkAlgorithm> readerOf(const std::string& path, vtkMultiProcessController* controller) {
  const std::string extension = extensionOf(path);
  if (extension == ".icsr") {
    const auto reader = vtkSmartPointer<vtkSpanwiseReader>::New();
    reader->SetController(controller);
    reader->SetFileName(path.c_str());
    return reader;
  }
  if (extension == ".vti") {
    return readerOf<vtkXMLImageDataReader>(path);
  }
  if (extension == ".stl") {
    return readerOf<vtkSTLReader>(path);
  }
  if (extension == ".vtp") {
    return readerOf<vtkXMLPolyDataReader>(path);
  }
  if (extension == ".ply") {
    return readerOf<vtkPLYReader>(path);
  }
  throw InvalidArgument(std::format("the file '{}' is of no kind that can be read; it must be an .icsr set, an image "
                                    ".vti, or a closed surface .stl, .vtp or .ply",
    path));
}

/// What makes cells of what a reader gives; none where these are cells.
vtkSmartPointer<vtkAlgorithm> filterOf(const std::string& path, const FileCells& as) {
  if (extensionOf(path) == ".vti") {
    const auto filter = vtkSmartPointer<vtkSpanwiseImageToIntervals>::New();
    filter->SetLowerThreshold(as.lower);
    filter->SetUpperThreshold(as.upper);
    return filter;
  }
  if (isSurfaceFile(path)) {
    const auto filter = vtkSmartPointer<vtkSpanwiseSurfaceToIntervals>::New();
    filter->SetResolution(as.resolution);
    if (as.cellSize) {
      filter->SetSpacing(*as.cellSize, *as.cellSize, *as.cellSize);
    }
    return filter;
  }
  return nullptr;
}

} // namespace

bool isSurfaceFile(const std::string& path) {
  const std::string extension = extensionOf(path);
  return extension == ".stl" || extension == ".vtp" || extension == ".ply";
}

InputCells cellsOfFile(const RankGroup& group, vtkMultiProcessController* controller, const std::string& path,
  const FileCells& as, vtkSmartPointer<vtkPolyData>* surface) {
  std::string complaint;
  Complaints complaints(complaint);
  vtkSmartPointer<vtkAlgorithm> reader;
  group.agree([&] { reader = readerOf(path, controller); });
  complaints.hear(reader);
  vtkSmartPointer<vtkAlgorithm> last = reader;
  if (const auto filter = filterOf(path, as)) {
    filter->SetInputConnection(reader->GetOutputPort());
    complaints.hear(filter);
    last = filter;
  }
  last->UpdatePiece(group.rank(), group.size(), 0);
  group.agree([&] {
    if (!complaint.empty()) {
      throw Error(std::format("the file '{}' cannot be used: {}", path, complaint));
    }
  });
  if (surface != nullptr) {
    *surface = vtkPolyData::SafeDownCast(reader->GetOutputDataObject(0));
  }
  return readCells(group, oneDataSet(group, last->GetOutputDataObject(0)), InputValues::None);
}
