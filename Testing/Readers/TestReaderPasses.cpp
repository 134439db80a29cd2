// How often a pipeline pass opens and parses a file, and that a file which changes is seen all the same.

#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Readers/Sample.hpp"

#include "Filters/DataModel/SpanwiseBridge.h"
#include "Readers/FileCounts.hpp"
#include "Readers/FileState.hpp"
#include "Readers/vtkSpanwiseReader.h"
#include "Testing/Rooms.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataObject.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkSmartPointer.h>
#include <vtkStreamingDemandDrivenPipeline.h>
#include <vtkTestErrorObserver.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace spanwise::testing {

namespace {

// What readers did since this was made.
class Since {
public:
  [[nodiscard]] std::int64_t opened() const { return spanwise::detail::fileCounts().opened - opened_; }
  [[nodiscard]] std::int64_t closed() const { return spanwise::detail::fileCounts().closed - closed_; }
  [[nodiscard]] std::int64_t open() const { return opened() - closed(); }
  [[nodiscard]] std::int64_t parsed() const { return spanwise::detail::fileCounts().parsed - parsed_; }

private:
  std::int64_t opened_ = spanwise::detail::fileCounts().opened;
  std::int64_t closed_ = spanwise::detail::fileCounts().closed;
  std::int64_t parsed_ = spanwise::detail::fileCounts().parsed;
};

struct ReaderPasses : public ::testing::Test {
  TemporaryFolder folder;
  std::string path = folder / "a.icsr";
  std::mt19937 random{seed()};
  vtkNew<vtkSpanwiseReader> reader;

  // A file whose only interval begins at x: all of them have one size.
  static void writeInterval(const std::string& name, Coordinate x) {
    SampleStep<2> step;
    step.set = fromArrays<2>({RowKey<2>::fromYZ(0, 0)}, {0, 1}, {{x, x + 3}});
    writeSample<2>(name, {step});
  }
  [[nodiscard]] Coordinate firstX() const {
    const auto grid = gridOf<2>(reader->GetOutput());
    return grid == nullptr ? -1 : grid->set().view().intervals[0].begin;
  }
};

std::string bytesOfFile(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

TEST_F(ReaderPasses, AGridIsOpenedAndParsedOnce) {
  writeSample<3>(path, {randomStep<3>(random, 8, 0.5)});
  waitForFileClock();
  const Since since;
  reader->SetFileName(path.c_str());
  reader->Update();
  EXPECT_GT(reader->GetOutput()->GetNumberOfCells(), 0);
  EXPECT_EQ(since.parsed(), 1);
  EXPECT_EQ(since.opened(), 1);
  EXPECT_EQ(since.closed(), 1);
}

TEST_F(ReaderPasses, LevelsAreOpenedAndParsedOnce) {
  IcsrWriter::create(path, 2);
  {
    IcsrWriter writer(path);
    writer.addStep(std::nullopt);
    for (int l = 0; l < 2; ++l) { // the cell 0 of level 0, and the cell 9 of level 1
      const Coordinate x = 9 * l;
      const auto set = fromArrays<2>({RowKey<2>::fromYZ(0, 0)}, {0, 1}, {{x, x + 1}});
      IcsrLevel level;
      level.placement.level = l;
      std::fill_n(level.placement.spacing, 3, l == 0 ? 1.0 : 0.5);
      level.numRows = level.numIntervals = level.numCells = 1;
      writer.addLevel(level);
      writer.writeCells<2>(l, set.view(), {0, 1}, {});
    }
    writer.close();
  }
  waitForFileClock();
  const Since since;
  reader->SetFileName(path.c_str());
  reader->Update();
  auto* levels = vtkPartitionedDataSetCollection::SafeDownCast(reader->GetOutputDataObject(0));
  ASSERT_NE(levels, nullptr);
  EXPECT_EQ(levels->GetNumberOfCells(), 2);
  EXPECT_EQ(since.parsed(), 1);
  EXPECT_EQ(since.opened(), 1);
  EXPECT_EQ(since.closed(), 1);
}

TEST_F(ReaderPasses, StepsOfAnUnchangedFileAreParsedOnceAltogether) {
  std::vector<SampleStep<2>> steps;
  for (int s = 0; s < 4; ++s) {
    steps.push_back(randomStep<2>(random, 12, 0.5));
    steps.back().time = s;
  }
  writeSample<2>(path, steps);
  waitForFileClock();
  const Since since;
  reader->SetFileName(path.c_str());
  reader->UpdateInformation();
  std::int64_t passes = 0;
  for (const int s : {0, 1, 2, 3, 1}) {
    reader->UpdateTimeStep(s);
    const SampleStep<2>& expected = steps[static_cast<std::size_t>(s)];
    EXPECT_TRUE(sameCells(gridOf<2>(reader->GetOutput())->set(), expected.set)) << "step " << s;
    const SampleArray& bytes = expected.cellArrays.front(); // int8
    vtkDataArray* values = reader->GetOutput()->GetCellData()->GetArray(bytes.info.name.c_str());
    ASSERT_NE(values, nullptr);
    for (vtkIdType c = 0; c < values->GetNumberOfTuples(); ++c) {
      const auto value = static_cast<std::int8_t>(bytes.bytes[static_cast<std::size_t>(c)]);
      ASSERT_EQ(values->GetComponent(c, 0), value) << "step " << s;
    }
    ++passes;
    EXPECT_EQ(since.opened(), passes);
    EXPECT_EQ(since.closed(), passes); // nothing stays open
  }
  EXPECT_EQ(since.parsed(), 1);
}

// As ParaView's vtkFileSeriesReader asks, whose executive is another one than the reader's.
TEST_F(ReaderPasses, TheTimeIsThatOfTheInformationThatAsks) {
  std::vector<SampleStep<2>> steps;
  for (int s = 0; s < 3; ++s) {
    steps.push_back(randomStep<2>(random, 12, 0.5));
    steps.back().time = s;
  }
  writeSample<2>(path, steps);
  reader->SetFileName(path.c_str());
  reader->UpdateInformation();
  for (const int s : {2, 0, 1}) {
    vtkNew<vtkInformationVector> outputs;
    outputs->SetNumberOfInformationObjects(1);
    vtkNew<vtkUnstructuredGrid> output;
    outputs->GetInformationObject(0)->Set(vtkDataObject::DATA_OBJECT(), output);
    outputs->GetInformationObject(0)->Set(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP(), s);
    vtkNew<vtkInformation> request;
    request->Set(vtkDemandDrivenPipeline::REQUEST_DATA());
    EXPECT_EQ(reader->ProcessRequest(request, static_cast<vtkInformationVector**>(nullptr), outputs), 1);
    EXPECT_TRUE(sameCells(gridOf<2>(output)->set(), steps[static_cast<std::size_t>(s)].set)) << "step " << s;
  }
}

// As vtkFileSeriesReader goes through the files of a series: it asks all of them for their times first.
TEST_F(ReaderPasses, FilesOfASeriesAreOpenedOnceAPass) {
  const std::string other = folder / "b.icsr";
  writeInterval(path, 0);
  writeInterval(other, 7);
  waitForFileClock();
  for (const std::string& name : {path, other}) {
    reader->SetFileName(name.c_str());
    reader->UpdateInformation();
  }
  for (const std::string& name : {path, other, path}) {
    const Since since;
    reader->SetFileName(name.c_str());
    reader->UpdateInformation();
    reader->Update();
    EXPECT_EQ(firstX(), name == path ? 0 : 7);
    EXPECT_LE(since.parsed(), 1);
    EXPECT_LE(since.opened(), 1);
  }
}

TEST_F(ReaderPasses, AFileThatIsReplacedIsReadAnew) {
  const auto replace = [&](Coordinate x) {
    writeInterval(folder / "b.icsr", x);
    std::filesystem::rename(folder / "b.icsr", path);
  };
  replace(0);
  waitForFileClock();
  reader->SetFileName(path.c_str());
  reader->Update();
  EXPECT_EQ(firstX(), 0);
  replace(7); // between two passes
  waitForFileClock();
  reader->Modified();
  reader->Update();
  EXPECT_EQ(firstX(), 7);
  reader->Modified();
  reader->UpdateInformation();
  replace(20); // within a pass
  const Since since;
  reader->Update();
  EXPECT_EQ(firstX(), 20);
  EXPECT_EQ(since.parsed(), 1);
}

// Two changes within a tick of the clock give a file one time.
TEST_F(ReaderPasses, AFileThatChangesAllTheTimeIsReadAsItIs) {
  std::vector<std::string> files;
  for (int k = 0; k < 2; ++k) {
    writeInterval(path, 10 * k);
    files.push_back(bytesOfFile(path));
  }
  ASSERT_EQ(files[0].size(), files[1].size());
  reader->SetFileName(path.c_str());
  for (std::size_t k = 0; k < 200; ++k) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << files[k % 2];
    reader->Modified();
    reader->Update();
    ASSERT_EQ(firstX(), k % 2 == 0 ? 0 : 10) << k;
  }
}

TEST_F(ReaderPasses, AStateIsTrustedWhereALaterChangeWouldShow) {
  writeInterval(path, 0);
  waitForFileClock();
  const auto state = fileState(path);
  ASSERT_TRUE(state.has_value());
  EXPECT_TRUE(state->isSettled);
  EXPECT_TRUE(isUnchanged(*state, fileState(path).value()));
  FileState early = *state; // as if it had been taken in the tick in which the file was written
  early.isSettled = false;
  EXPECT_FALSE(isUnchanged(early, *state));
  std::filesystem::permissions(path, std::filesystem::perms::owner_read); // which changes its status
  EXPECT_FALSE(isUnchanged(*state, fileState(path).value()));
  EXPECT_FALSE(fileState(folder / "none.icsr").has_value());
  EXPECT_FALSE(fileState(folder / "").has_value());
}

TEST_F(ReaderPasses, ManyReadersThatWaitHoldFewFilesOpen) {
  writeInterval(path, 7);
  waitForFileClock();
  const Since since;
  constexpr int count = 100;
  std::vector<vtkSmartPointer<vtkSpanwiseReader>> readers;
  for (int k = 0; k < count; ++k) {
    readers.push_back(vtkSmartPointer<vtkSpanwiseReader>::New());
    readers.back()->SetFileName(path.c_str());
    readers.back()->UpdateInformation();
  }
  EXPECT_GT(since.open(), 0);
  EXPECT_LE(since.open(), 64);
  for (const auto& each : readers) {
    each->Update();
    EXPECT_EQ(each->GetOutput()->GetNumberOfCells(), 3);
  }
  EXPECT_EQ(since.open(), 0);
  EXPECT_EQ(since.parsed(), count);
}

TEST_F(ReaderPasses, AFileThatVanishesWithinAPassIsOneError) {
  writeInterval(path, 0);
  waitForFileClock();
  vtkNew<vtkTest::ErrorObserver> messages;
  reader->AddObserver(vtkCommand::ErrorEvent, messages);
  reader->SetFileName(path.c_str());
  const Since since;
  reader->UpdateInformation();
  std::filesystem::remove(path);
  reader->Update();
  EXPECT_EQ(messages->GetNumberOfErrors(), 1);
  EXPECT_NE(messages->GetErrorMessage().find("'" + path + "': the file cannot be opened"), std::string::npos)
    << messages->GetErrorMessage();
  EXPECT_EQ(since.closed(), since.opened()); // what was kept is let go
  EXPECT_EQ(reader->GetOutput()->GetNumberOfCells(), 0);
}

} // namespace spanwise::testing
