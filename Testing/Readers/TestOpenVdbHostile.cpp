// Damaged .vdb files: each must give one error and an empty output, or cells, in a child process that may not take much
// memory. And a disk that is full.

#include "Testing/Core/Exhaustive.hpp"
#include "Testing/Core/FileSizeLimit.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Readers/Mutation.hpp"
#include "Testing/Readers/Sample.hpp"

#include "Filters/DataModel/SpanwiseBridge.h"
#include "Readers/vtkSpanwiseOpenVDBReader.h"
#include "Readers/vtkSpanwiseOpenVDBWriter.h"
#include "Testing/Rooms.hpp"

#include <vtkCellData.h>
#include <vtkCommand.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkTestErrorObserver.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>

#include <random>

namespace spanwise::testing {

namespace {

enum Outcome { cells = 0, refused = 10, wrong = 11 };

constexpr std::size_t extraBytes = std::size_t{256} << 20;

// Says in `text` what was wrong with the file, or how an answer breaks the rules.
Outcome tryToRead(const std::string& path, std::string& text) {
  const vtkNew<vtkTest::ErrorObserver> observer;
  vtkNew<vtkSpanwiseOpenVDBReader> reader;
  reader->AddObserver(vtkCommand::ErrorEvent, observer);
  reader->SetFileName(path.c_str());
  reader->Update();
  vtkDataObject* output = reader->GetOutputDataObject(0);
  if (observer->GetError()) {
    text = observer->GetErrorMessage();
    const bool good = observer->GetNumberOfErrors() == 1 && text.find(path) != std::string::npos &&
      output->GetNumberOfElements(vtkDataObject::CELL) == 0;
    return good ? refused : wrong;
  }
  auto* collection = vtkPartitionedDataSetCollection::SafeDownCast(output);
  const unsigned int count = collection != nullptr ? collection->GetNumberOfPartitionedDataSets() : 1;
  for (unsigned int k = 0; k < count; ++k) {
    const auto grid = gridOf<3>(collection != nullptr ? collection->GetPartition(k, 0) : output);
    if (grid == nullptr) {
      text = "there are no intervals";
      return wrong;
    }
    text = validate(Context<HostExecutionSpace>(), grid->set());
    if (!text.empty()) {
      return wrong;
    }
  }
  return cells;
}

ChildResult readInChild(const std::string& path) {
  return inChild(extraBytes, [&](std::string& text) { return static_cast<int>(tryToRead(path, text)); });
}

// A file of OpenVDB with three grids: scattered cells with floats, the same with bytes, and a mask with tiles.
std::string makeFile(const TemporaryFolder& folder, std::mt19937& random) {
  vtkNew<vtkUnstructuredGrid> scattered;
  setGrid<3>(scattered, IntervalGrid<3>::make(toHostSet<3>(randomCells<3>(random, 20, 0.05)), {}));
  vtkNew<vtkFloatArray> floats;
  floats->SetName("floats");
  vtkNew<vtkUnsignedCharArray> bools;
  bools->SetName("bools");
  for (vtkIdType c = 0; c < scattered->GetNumberOfCells(); ++c) {
    floats->InsertNextValue(static_cast<float>(random() % 1000));
    bools->InsertNextValue(random() % 2);
  }
  scattered->GetCellData()->AddArray(floats);
  scattered->GetCellData()->AddArray(bools);
  vtkNew<vtkUnstructuredGrid> box;
  CellList<3> boxCells;
  for (const Cell<3>& cell : allCells<3>({{-8, -8, -8}, {17, 16, 16}})) {
    boxCells.insert(cell);
  }
  setGrid<3>(box, IntervalGrid<3>::make(toHostSet<3>(boxCells), {}));
  vtkNew<vtkPartitionedDataSetCollection> collection;
  collection->SetPartition(0, 0, scattered);
  collection->SetPartition(1, 0, box);
  const std::string path = folder / "whole.vdb";
  vtkNew<vtkSpanwiseOpenVDBWriter> writer;
  writer->SetInputDataObject(0, collection);
  writer->SetFileName(path.c_str());
  EXPECT_EQ(writer->Write(), 1);
  return path;
}

struct OpenVdbHostile : public ::testing::Test {
  std::mt19937 random{seed()};
  ::testing::ScopedTrace trace{__FILE__, __LINE__, "seed " + std::to_string(seed())};
  TemporaryFolder folder;
  std::string damaged = folder / "damaged.vdb";

  void expectRefused(const FileBytes& bytes, const std::string& words) const {
    store(damaged, bytes);
    const ChildResult result = readInChild(damaged);
    EXPECT_EQ(result.exitCode, refused) << "signal " << result.signal << ", " << result.text;
    EXPECT_NE(result.text.find(words), std::string::npos) << result.text;
  }
};

} // namespace

TEST_F(OpenVdbHostile, WhatIsNoSuchFileIsNamed) {
  const FileBytes original = load(makeFile(folder, random));
  ASSERT_EQ(readInChild(folder / "whole.vdb").exitCode, cells);
  expectRefused({}, "not an OpenVDB file");
  const std::string text = "this is a text and not a file of voxels";
  expectRefused({text.begin(), text.end()}, "not an OpenVDB file");
  for (const unsigned char version : {100, 221, 226, 255}) {
    FileBytes bytes = original;
    bytes[8] = static_cast<char>(version);
    expectRefused(bytes, "version " + std::to_string(version));
  }
  const ChildResult missing = readInChild(folder / "missing.vdb");
  EXPECT_EQ(missing.exitCode, refused);
  EXPECT_NE(missing.text.find("cannot be opened"), std::string::npos) << missing.text;
  std::filesystem::create_directory(folder / "a folder.vdb");
  EXPECT_EQ(readInChild(folder / "a folder.vdb").exitCode, refused);

  vtkNew<vtkSpanwiseOpenVDBReader> reader;
  EXPECT_EQ(reader->CanReadFile((folder / "whole.vdb").c_str()), 1);
  store(damaged, {text.begin(), text.end()});
  EXPECT_EQ(reader->CanReadFile(damaged.c_str()), 0);
  EXPECT_EQ(reader->CanReadFile((folder / "missing.vdb").c_str()), 0);
}

TEST_F(OpenVdbHostile, AFullDiskLeavesTheOldFile) {
  const std::string path = makeFile(folder, random);
  const FileBytes old = load(path);
  vtkNew<vtkUnstructuredGrid> grid;
  setGrid<3>(grid, IntervalGrid<3>::make(toHostSet<3>(randomCells<3>(random, 40, 0.3)), {}));
  const auto write = [&](vtkTest::ErrorObserver* observer) {
    vtkNew<vtkSpanwiseOpenVDBWriter> writer;
    writer->AddObserver(vtkCommand::ErrorEvent, observer);
    writer->SetInputData(grid);
    writer->SetFileName(path.c_str());
    return writer->Write();
  };
  const auto numFiles = [&] {
    const std::filesystem::directory_iterator files(folder / "");
    return std::distance(begin(files), end(files));
  };
  const vtkNew<vtkTest::ErrorObserver> none;
  ASSERT_EQ(write(none), 1);
  const auto whole = static_cast<double>(load(path).size());
  store(path, old);
  for (const double part : {0.0, 0.0005, 0.01, 0.1, 0.5, 0.9, 0.99, 0.9999}) {
    const vtkNew<vtkTest::ErrorObserver> observer;
    {
      const FileSizeLimit limit(static_cast<rlim_t>(part * whole));
      EXPECT_EQ(write(observer), 0) << part;
    }
    EXPECT_EQ(observer->GetNumberOfErrors(), 1) << part;
    for (const std::string& word : {"cannot write '" + path + "'", std::string("File too large")}) {
      EXPECT_NE(observer->GetErrorMessage().find(word), std::string::npos) << observer->GetErrorMessage();
    }
    EXPECT_EQ(load(path), old) << part;
    EXPECT_EQ(numFiles(), 1) << part;
  }
  const vtkNew<vtkTest::ErrorObserver> mended;
  EXPECT_EQ(write(mended), 1);
  EXPECT_NE(load(path), old);
}

TEST_F(OpenVdbHostile, CutOffFilesAreRefused) {
  const FileBytes original = load(makeFile(folder, random));
  for (int k = 0; k < 60; ++k) {
    const auto length = static_cast<std::ptrdiff_t>(k < 40 ? random() % original.size() : original.size() - 1 - k % 20);
    expectRefused({original.begin(), original.begin() + length}, "cannot read");
  }
}

TEST_F(OpenVdbHostile, RandomDamageDoesNoHarm) {
  const FileBytes original = load(makeFile(folder, random));
  Mutator mutator(seed());
  int numRefused = 0;
  const int rounds = isExhaustive() ? 4000 : 300;
  for (int r = 0; r < rounds; ++r) {
    store(damaged, mutator.damage(original));
    const ChildResult result = readInChild(damaged);
    numRefused += result.exitCode == refused ? 1 : 0;
    if (result.exitCode != cells && result.exitCode != refused) {
      ADD_FAILURE() << "round " << r << ": exit code " << result.exitCode << ", signal " << result.signal << ", "
                    << result.text;
    }
  }
  std::printf(
    "%zu bytes: of %d damaged files %d were refused; the others held cells\n", original.size(), rounds, numRefused);
  EXPECT_GT(numRefused, rounds / 10);
}

} // namespace spanwise::testing
