#include "ProgramFolder.h"

#include "Core/Runtime/Error.hpp"

#include "vtkSpanwiseWriter.h"

#include <vtkDataObject.h>
#include <vtkInformation.h>
#include <vtkMultiProcessController.h>
#include <vtkNew.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkTable.h>
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

ProgramFolder::ProgramFolder(
  const RankGroup& group, vtkMultiProcessController* controller, std::string folder, bool hasVtkFiles)
  : group_(group), controller_(controller), folder_(std::move(folder)), hasVtkFiles_(hasVtkFiles) {
  group_.agree([&] {
    std::error_code error;
    if (group_.rank() == 0 && !std::filesystem::create_directories(folder_, error) &&
      !std::filesystem::is_directory(folder_)) {
      throw Error(std::format("the folder '{}' cannot be made: {}", folder_, error.message()));
    }
    if (hasVtkFiles_ && !group_.alone()) {
      throw Error("VTK files are written by one process only; leave out --vtk, or run one");
    }
  });
}

std::string ProgramFolder::nameOf(std::int64_t step) { return std::format("step_{:05}", step); }

void ProgramFolder::goOn(std::int64_t steps) {
  group_.agree([&] {
    std::ifstream file(path("flow.icsr.series"));
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const std::regex entry(R"re("name": "step_([0-9]+)\.icsr", "time": ([^ }]+))re");
    for (std::sregex_iterator found(text.begin(), text.end(), entry), end; found != end; ++found) {
      if (std::stoll((*found)[1]) <= steps) {
        steps_.emplace_back(std::stoll((*found)[1]), std::stod((*found)[2]));
      }
    }
  });
}

void ProgramFolder::writeIntervals(vtkDataObject* data, const std::string& name) const {
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

void ProgramFolder::writeStep(vtkPartitionedDataSetCollection* levels, std::int64_t step, double time) {
  const std::string name = nameOf(step);
  levels->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), time);
  writeIntervals(levels, name + ".icsr");
  if (hasVtkFiles_) {
    vtkNew<vtkXMLPartitionedDataSetCollectionWriter> writer;
    writer->SetFileName(path(name + ".vtpc").c_str());
    writer->SetInputDataObject(levels);
    if (writer->Write() != 1) {
      throw Error(std::format("the file '{}' was not written", path(name + ".vtpc")));
    }
  }
  if (steps_.empty() || steps_.back().first < step) {
    steps_.emplace_back(step, time);
  }
  writeSeries("icsr");
  if (hasVtkFiles_) {
    writeSeries("vtpc");
  }
}

void ProgramFolder::writeSeries(const std::string& extension) const {
  group_.agree([&] {
    if (group_.rank() != 0) {
      return;
    }
    std::string files;
    for (const auto& [step, time] : steps_) {
      files += std::format(
        "{}\n    {{ \"name\": \"{}.{}\", \"time\": {} }}", files.empty() ? "" : ",", nameOf(step), extension, time);
    }
    writeText(path("flow." + extension + ".series"),
      std::format("{{\n  \"file-series-version\": \"1.0\",\n  \"files\": [{}\n  ]\n}}\n", files));
  });
}

void ProgramFolder::writeTable(const std::string& name, const std::function<void(vtkTable*)>& fill) const {
  group_.agree([&] {
    if (group_.rank() != 0) {
      return;
    }
    vtkNew<vtkTable> table;
    fill(table);
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
    writeText(path(name), text);
  });
}
