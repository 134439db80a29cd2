#include "Mach2Output.h"

#include "Core/Runtime/Error.hpp"

#include "vtkSpanwiseWriter.h"

#include <vtkDataObject.h>
#include <vtkInformation.h>
#include <vtkMultiProcessController.h>
#include <vtkNew.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkTable.h>
#include <vtkUnstructuredGrid.h>
#include <vtkVariant.h>
#include <vtkXMLPartitionedDataSetCollectionWriter.h>

#include <filesystem>
#include <format>
#include <fstream>
#include <iterator>
#include <regex>

using namespace spanwise;

namespace {

/// Writes a text in the place of what is there, whole or not at all.
void writeText(const std::string& path, const std::string& text) {
  const std::string temporary = path + ".part";
  std::ofstream file(temporary);
  file << text;
  file.close();
  std::error_code error;
  if (file) {
    std::filesystem::rename(temporary, path, error);
  }
  if (!file || error) {
    throw Error(std::format("the file '{}' cannot be written", path));
  }
}

} // namespace

Mach2Output::Mach2Output(const RankGroup& group, vtkMultiProcessController* controller, std::string folder, Kinds kinds)
  : group_(group), controller_(controller), folder_(std::move(folder)), kinds_(kinds) {
  group_.agree([&] {
    std::error_code error;
    if (group_.rank() == 0 && !std::filesystem::create_directories(folder_, error) &&
      !std::filesystem::is_directory(folder_)) {
      throw Error(std::format("the folder '{}' cannot be made: {}", folder_, error.message()));
    }
    if (kinds_.vtk && !group_.alone()) {
      throw Error("VTK files are written by one process only; leave out --vtk, or run one");
    }
  });
}

void Mach2Output::goOn(std::int64_t steps) {
  group_.agree([&] {
    std::ifstream file(path("flow.icsr.series"));
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const std::regex entry(R"re("name": "(step_([0-9]+))\.icsr", "time": ([^ }]+))re");
    for (std::sregex_iterator found(text.begin(), text.end(), entry), end; found != end; ++found) {
      if (std::stoll((*found)[2]) <= steps) {
        steps_.emplace_back((*found)[1], std::stod((*found)[3]));
      }
    }
  });
}

void Mach2Output::writeIntervals(vtkDataObject* data, const std::string& name) const {
  vtkNew<vtkSpanwiseWriter> writer;
  writer->SetController(controller_);
  writer->SetFileName(path(name).c_str());
  writer->SetInputDataObject(data);
  const bool isWritten = writer->Write() == 1; // it has said why
  group_.agree([&] {
    if (!isWritten) {
      throw Error(std::format("the file '{}' was not written", path(name)));
    }
  });
}

void Mach2Output::writeGeometry(FlowRun& run) {
  vtkNew<vtkUnstructuredGrid> grid;
  run.makeObstacle(group_, grid);
  writeIntervals(grid, "obstacle_geometry.icsr");
  run.makeFluid(group_, grid);
  writeIntervals(grid, "fluid_geometry.icsr");
}

void Mach2Output::writeStep(FlowRun& run) {
  const std::string name = std::format("step_{:05}", run.report().steps);
  vtkNew<vtkPartitionedDataSetCollection> levels;
  run.makeLevels(group_, levels);
  levels->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), run.time());
  writeIntervals(levels, name + ".icsr");
  if (kinds_.vtk) {
    vtkNew<vtkXMLPartitionedDataSetCollectionWriter> writer;
    writer->SetFileName(path(name + ".vtpc").c_str());
    writer->SetInputDataObject(levels);
    if (writer->Write() != 1) {
      throw Error(std::format("the file '{}' was not written", path(name + ".vtpc")));
    }
  }
  for (int level = 1; kinds_.masks && level < run.numLevels(); ++level) {
    vtkNew<vtkUnstructuredGrid> grid;
    run.makeLevel(group_, level, false, grid);
    writeIntervals(grid, std::format("{}_fine_geometry_lvl{}.icsr", name, level));
    run.makeLevel(group_, level - 1, true, grid);
    writeIntervals(grid, std::format("{}_refine_mask_lvl{}.icsr", name, level));
  }
  steps_.emplace_back(name, run.time());
  writeSeries("icsr");
  if (kinds_.vtk) {
    writeSeries("vtpc");
  }
}

void Mach2Output::writeSeries(const std::string& extension) const {
  group_.agree([&] {
    if (group_.rank() != 0) {
      return;
    }
    std::string files;
    for (const auto& [name, time] : steps_) {
      files +=
        std::format("{}\n    {{ \"name\": \"{}.{}\", \"time\": {} }}", files.empty() ? "" : ",", name, extension, time);
    }
    writeText(path("flow." + extension + ".series"),
      std::format("{{\n  \"file-series-version\": \"1.0\",\n  \"files\": [{}\n  ]\n}}\n", files));
  });
}

void Mach2Output::writeReport(const FlowRun& run) const {
  group_.agree([&] {
    if (group_.rank() != 0) {
      return;
    }
    vtkNew<vtkTable> table;
    run.makeReport(table);
    std::string text;
    for (vtkIdType column = 0; column < table->GetNumberOfColumns(); ++column) {
      text += std::format("{}{}", column == 0 ? "" : ",", table->GetColumnName(column));
    }
    text += "\n";
    for (vtkIdType row = 0; row < table->GetNumberOfRows(); ++row) {
      for (vtkIdType column = 0; column < table->GetNumberOfColumns(); ++column) {
        text += std::format("{}{}", column == 0 ? "" : ",", table->GetValue(row, column).ToDouble());
      }
      text += "\n";
    }
    writeText(path("report.csv"), text);
  });
}
