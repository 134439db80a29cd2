// The VTK classes: pipelines, arrays, time, messages.

#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Dimensions.hpp"
#include "Testing/Readers/Sample.hpp"
#include "Testing/Readers/StepSource.hpp"

#include "Filters/DataModel/SpanwiseArrayList.h"
#include "Filters/DataModel/SpanwiseBridge.h"
#include "Readers/vtkSpanwiseReader.h"
#include "Readers/vtkSpanwiseWriter.h"
#include "Testing/Rooms.hpp"

#include <vtkBitArray.h>
#include <vtkCallbackCommand.h>
#include <vtkCellData.h>
#include <vtkDataArraySelection.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkIdTypeArray.h>
#include <vtkImageData.h>
#include <vtkInformation.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkSOADataArrayTemplate.h>
#include <vtkStreamingDemandDrivenPipeline.h>
#include <vtkStringArray.h>
#include <vtkTestErrorObserver.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <sys/resource.h>

using Pipeline = vtkStreamingDemandDrivenPipeline;

namespace spanwise::testing {

namespace {

template <class T>
struct VtkDimension : public RandomTest<T> {
  TemporaryFolder folder;
};
TYPED_TEST_SUITE(VtkDimension, Dimensions);

const GridPlacement placement = {{-1.0, 2.0, 0.5}, {0.25, 0.5, 2.0}, 4};

template <int Dim>
vtkSmartPointer<vtkUnstructuredGrid> randomGrid(std::mt19937& random, Coordinate extent) {
  auto grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
  setGrid<Dim>(grid, IntervalGrid<Dim>::make(toHostSet<Dim>(randomCells<Dim>(random, extent, 0.5)), placement));
  return grid;
}

template <class Array>
void addRandom(vtkDataSetAttributes* data, std::mt19937& random, const char* name, vtkIdType tuples, int components) {
  vtkNew<Array> array;
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(tuples);
  for (vtkIdType t = 0; t < tuples; ++t) {
    for (int c = 0; c < components; ++c) {
      array->SetComponent(t, c, static_cast<double>(random() % 100));
    }
  }
  data->AddArray(array);
}

void expectSameArrays(vtkDataSetAttributes* read, vtkDataSetAttributes* written) {
  ASSERT_EQ(read->GetNumberOfArrays(), written->GetNumberOfArrays());
  for (int a = 0; a < written->GetNumberOfArrays(); ++a) {
    vtkDataArray* expected = written->GetArray(a);
    vtkDataArray* array = read->GetArray(expected->GetName());
    ASSERT_NE(array, nullptr) << expected->GetName();
    EXPECT_STREQ(read->GetArrayName(a), written->GetArrayName(a)); // the order too
    ASSERT_EQ(array->GetNumberOfTuples(), expected->GetNumberOfTuples());
    ASSERT_EQ(array->GetNumberOfComponents(), expected->GetNumberOfComponents());
    EXPECT_EQ(read->IsArrayAnAttribute(a), written->IsArrayAnAttribute(a)) << expected->GetName();
    for (vtkIdType t = 0; t < array->GetNumberOfTuples(); ++t) {
      for (int c = 0; c < array->GetNumberOfComponents(); ++c) {
        ASSERT_EQ(array->GetComponent(t, c), expected->GetComponent(t, c)) << expected->GetName();
      }
    }
  }
}

void write(const std::string& path, vtkDataSet* data, int compression = 0) {
  vtkNew<vtkSpanwiseWriter> writer;
  writer->SetInputData(data);
  writer->SetFileName(path.c_str());
  writer->SetCompressionLevel(compression);
  EXPECT_EQ(writer->Write(), 1);
}

} // namespace

TYPED_TEST(VtkDimension, AGridComesBack) {
  constexpr int Dim = TypeParam::value;
  const std::string path = this->folder / "a.icsr";
  const auto grid = randomGrid<Dim>(this->random, 10);
  const vtkIdType cells = grid->GetNumberOfCells();
  addRandom<vtkDoubleArray>(grid->GetCellData(), this->random, "scalars", cells, 1);
  addRandom<vtkFloatArray>(grid->GetCellData(), this->random, "vectors", cells, 3);
  addRandom<vtkIdTypeArray>(grid->GetCellData(), this->random, "ids", cells, 1);
  addRandom<vtkSOADataArrayTemplate<double>>(grid->GetCellData(), this->random, "by component", cells, 4);
  addRandom<vtkBitArray>(grid->GetCellData(), this->random, "bits", cells, 1);
  addRandom<vtkUnsignedCharArray>(grid->GetPointData(), this->random, "at points", grid->GetNumberOfPoints(), 2);
  grid->GetCellData()->SetActiveScalars("scalars");
  grid->GetCellData()->SetActiveVectors("vectors");
  grid->GetCellData()->SetActiveGlobalIds("ids");
  grid->GetCellData()->GetArray("scalars")->GetInformation()->Set(vtkDataArray::UNITS_LABEL(), "Pa");
  grid->GetCellData()->GetArray("vectors")->SetComponentName(1, "north");
  vtkNew<vtkStringArray> texts;
  texts->SetName("texts");
  texts->InsertNextValue("one");
  texts->InsertNextValue("");
  grid->GetFieldData()->AddArray(texts);
  vtkNew<vtkDoubleArray> numbers;
  numbers->SetName("numbers");
  numbers->InsertNextValue(4.5);
  grid->GetFieldData()->AddArray(numbers);

  for (const int compression : {0, 2}) {
    write(path, grid, compression);
    vtkNew<vtkSpanwiseReader> reader;
    EXPECT_EQ(reader->CanReadFile(path.c_str()), 1);
    reader->SetFileName(path.c_str());
    reader->Update();
    vtkUnstructuredGrid* output = reader->GetOutput();
    const auto read = gridOf<Dim>(output);
    ASSERT_NE(read, nullptr);
    EXPECT_TRUE(sameCells(read->set(), gridOf<Dim>(grid.Get())->set()));
    for (int d = 0; d < 3; ++d) {
      EXPECT_EQ(read->placement().origin[d], placement.origin[d]);
      EXPECT_EQ(read->placement().spacing[d], placement.spacing[d]);
    }
    EXPECT_EQ(read->placement().level, placement.level);
    expectSameArrays(output->GetCellData(), grid->GetCellData());
    expectSameArrays(output->GetPointData(), grid->GetPointData());
    EXPECT_NE(vtkIdTypeArray::SafeDownCast(output->GetCellData()->GetGlobalIds()), nullptr);
    EXPECT_STREQ(output->GetCellData()->GetArray("scalars")->GetInformation()->Get(vtkDataArray::UNITS_LABEL()), "Pa");
    EXPECT_STREQ(output->GetCellData()->GetArray("vectors")->GetComponentName(1), "north");
    auto* readTexts = vtkStringArray::SafeDownCast(output->GetFieldData()->GetAbstractArray("texts"));
    ASSERT_NE(readTexts, nullptr);
    EXPECT_EQ(readTexts->GetValue(0), "one");
    EXPECT_EQ(readTexts->GetValue(1), "");
    EXPECT_EQ(output->GetFieldData()->GetArray("numbers")->GetTuple1(0), 4.5);
    EXPECT_FALSE(output->GetInformation()->Has(vtkDataObject::DATA_TIME_STEP()));
  }
}

TYPED_TEST(VtkDimension, OnlyChosenArraysAreRead) {
  constexpr int Dim = TypeParam::value;
  const std::string path = this->folder / "a.icsr";
  const auto grid = randomGrid<Dim>(this->random, 5);
  addRandom<vtkDoubleArray>(grid->GetCellData(), this->random, "a", grid->GetNumberOfCells(), 1);
  addRandom<vtkDoubleArray>(grid->GetCellData(), this->random, "b", grid->GetNumberOfCells(), 1);
  addRandom<vtkDoubleArray>(grid->GetPointData(), this->random, "c", grid->GetNumberOfPoints(), 1);
  write(path, grid);
  vtkNew<vtkSpanwiseReader> reader;
  reader->SetFileName(path.c_str());
  reader->UpdateInformation();
  ASSERT_EQ(reader->GetCellDataArraySelection()->GetNumberOfArrays(), 2);
  reader->GetCellDataArraySelection()->DisableArray("a");
  reader->GetPointDataArraySelection()->DisableAllArrays();
  reader->Update();
  EXPECT_EQ(reader->GetOutput()->GetCellData()->GetNumberOfArrays(), 1);
  EXPECT_NE(reader->GetOutput()->GetCellData()->GetArray("b"), nullptr);
  EXPECT_EQ(reader->GetOutput()->GetPointData()->GetNumberOfArrays(), 0);
  reader->GetCellDataArraySelection()->EnableArray("a");
  reader->Update();
  EXPECT_EQ(reader->GetOutput()->GetCellData()->GetNumberOfArrays(), 2);
}

TYPED_TEST(VtkDimension, WhatIsChosenOutlastsAnotherFile) {
  constexpr int Dim = TypeParam::value;
  const auto writeArrays = [&](const std::string& path, const std::vector<const char*>& names) {
    const auto grid = randomGrid<Dim>(this->random, 5);
    for (const char* name : names) {
      addRandom<vtkDoubleArray>(grid->GetCellData(), this->random, name, grid->GetNumberOfCells(), 1);
    }
    write(path, grid);
  };
  writeArrays(this->folder / "one.icsr", {"a", "b", "c"});
  writeArrays(this->folder / "other.icsr", {"d", "c", "b"});
  vtkNew<vtkSpanwiseReader> reader;
  vtkDataArraySelection* selection = reader->GetCellDataArraySelection();
  reader->SetFileName((this->folder / "one.icsr").c_str());
  reader->UpdateInformation();
  selection->DisableArray("b");
  reader->SetFileName((this->folder / "other.icsr").c_str());
  reader->UpdateInformation();
  const auto state = [&] {
    std::string text;
    for (int k = 0; k < selection->GetNumberOfArrays(); ++k) {
      text += std::string(selection->GetArrayName(k)) + (selection->GetArraySetting(k) != 0 ? " on, " : " off, ");
    }
    return text;
  };
  EXPECT_EQ(state(), "d on, c on, b off, ");
  const vtkMTimeType time = selection->GetMTime();
  reader->Modified();
  reader->UpdateInformation(); // finds what it knows
  EXPECT_EQ(selection->GetMTime(), time);
  reader->Update();
  EXPECT_EQ(reader->GetOutput()->GetCellData()->GetNumberOfArrays(), 2);
}

// VTK compares the name of each array that is added, or asked for, with those of all: 65,535 took minutes. Eight times
// as many arrays take eight times as long, where the square would be 64; processor time is that of this program alone.
TEST(VtkFiles, ManyArraysTakeTimeInProportionToTheirNumber) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.icsr";
  const auto seconds = [](const auto& work) {
    const std::clock_t begin = std::clock();
    work();
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  const auto times = [&](int count) {
    std::mt19937 random(1);
    const auto grid = randomGrid<2>(random, 3);
    ArrayList ofCells;
    ArrayList ofPoints;
    ArrayList fields;
    for (int k = 0; k < count; ++k) {
      const auto add = [&](ArrayList& list, vtkIdType tuples) {
        vtkNew<vtkFloatArray> array;
        array->SetName(("array " + std::to_string(k)).c_str());
        array->SetNumberOfTuples(tuples);
        array->Fill(1.0);
        list.add(array);
      };
      add(ofCells, grid->GetNumberOfCells());
      add(ofPoints, grid->GetNumberOfPoints());
      add(fields, 1);
    }
    ofCells.giveTo(grid->GetCellData());
    ofPoints.giveTo(grid->GetPointData());
    fields.giveTo(grid->GetFieldData());
    vtkNew<vtkSpanwiseReader> reader;
    reader->SetFileName(path.c_str());
    std::vector<double> all;
    all.push_back(seconds([&] { write(path, grid); }));
    all.push_back(seconds([&] { reader->UpdateInformation(); }));
    all.push_back(seconds([&] { reader->Update(); }));
    EXPECT_EQ(reader->GetOutput()->GetCellData()->GetNumberOfArrays(), count);
    EXPECT_EQ(reader->GetOutput()->GetPointData()->GetNumberOfArrays(), count);
    EXPECT_EQ(reader->GetOutput()->GetFieldData()->GetNumberOfArrays(), count);
    return all;
  };
  constexpr int few = 6000;
  constexpr int factor = 8;
  const std::vector<double> least = times(few);
  const std::vector<double> many = times(factor * few);
  const char* const names[] = {"writing", "listing", "reading"};
  for (std::size_t k = 0; k < many.size(); ++k) {
    std::printf("%s %d and %d arrays of each kind: %.2f and %.2f s\n", names[k], few, factor * few, least[k], many[k]);
    EXPECT_LT(many[k], 2.5 * factor * least[k]) << names[k];
  }
}

TYPED_TEST(VtkDimension, TimeStepsComeBackAndShareTheirCells) {
  constexpr int Dim = TypeParam::value;
  const std::string path = this->folder / "a.icsr";
  vtkNew<StepSource> source;
  for (int s = 0; s < 6; ++s) {
    auto grid = s % 2 == 0 ? randomGrid<Dim>(this->random, 6) : vtkSmartPointer<vtkUnstructuredGrid>::New();
    if (s % 2 == 1) {
      grid->CopyStructure(source->grids.back());
    }
    addRandom<vtkDoubleArray>(grid->GetCellData(), this->random, "a", grid->GetNumberOfCells(), 1);
    source->grids.push_back(grid);
  }
  vtkNew<vtkSpanwiseWriter> writer;
  writer->SetInputConnection(source->GetOutputPort());
  writer->SetFileName(path.c_str());
  writer->WriteAllTimeStepsOn();
  EXPECT_EQ(writer->Write(), 1);
  {
    const IcsrReader file(path);
    ASSERT_EQ(file.numSteps(), 6);
    EXPECT_TRUE(file.hasSameCells(0, 1, 0));
    EXPECT_FALSE(file.hasSameCells(1, 2, 0));
  }
  waitForFileClock();
  vtkNew<vtkSpanwiseReader> reader;
  reader->SetFileName(path.c_str());
  reader->UpdateInformation();
  EXPECT_EQ(reader->GetOutputInformation(0)->Length(Pipeline::TIME_STEPS()), 6);
  IntervalGridPointer<Dim> before;
  for (const int s : {0, 1, 2, 3, 4, 5, 2, 0}) {
    reader->UpdateTimeStep(0.5 * s);
    vtkUnstructuredGrid* output = reader->GetOutput();
    const auto grid = gridOf<Dim>(output);
    vtkUnstructuredGrid* expected = source->grids[static_cast<std::size_t>(s)];
    ASSERT_NE(grid, nullptr);
    EXPECT_TRUE(sameCells(grid->set(), gridOf<Dim>(expected)->set()));
    expectSameArrays(output->GetCellData(), expected->GetCellData());
    EXPECT_EQ(output->GetInformation()->Get(vtkDataObject::DATA_TIME_STEP()), 0.5 * s);
    if (s == 1 || s == 3 || s == 5) {
      EXPECT_EQ(grid, before) << "step " << s; // in memory too
    }
    before = grid;
  }
  reader->UpdateTimeStep(1.2); // between steps: the one before
  EXPECT_EQ(reader->GetOutput()->GetInformation()->Get(vtkDataObject::DATA_TIME_STEP()), 1.0);
  // The current step alone.
  writer->WriteAllTimeStepsOff();
  source->UpdateTimeStep(1.5);
  EXPECT_EQ(writer->Write(), 1);
  EXPECT_EQ(IcsrReader(path).numSteps(), 1);
}

TYPED_TEST(VtkDimension, PiecesTogetherAreTheWhole) {
  constexpr int Dim = TypeParam::value;
  const std::string path = this->folder / "a.icsr";
  const auto grid = randomGrid<Dim>(this->random, 9);
  addRandom<vtkDoubleArray>(grid->GetCellData(), this->random, "a", grid->GetNumberOfCells(), 2);
  vtkNew<vtkDoubleArray> positions; // values that a point's position tells
  positions->SetName("where");
  positions->SetNumberOfComponents(3);
  for (vtkIdType p = 0; p < grid->GetNumberOfPoints(); ++p) {
    positions->InsertNextTuple(grid->GetPoint(p));
  }
  grid->GetPointData()->AddArray(positions);
  write(path, grid);
  for (const int pieces : {2, 3, 4, 100}) {
    vtkNew<vtkSpanwiseReader> reader;
    reader->SetFileName(path.c_str());
    vtkIdType cell = 0;
    for (int piece = 0; piece < pieces; ++piece) {
      reader->UpdatePiece(piece, pieces, 0);
      vtkUnstructuredGrid* output = reader->GetOutput();
      vtkDataArray* values = output->GetCellData()->GetArray("a");
      ASSERT_NE(values, nullptr); // also where there are no cells
      for (vtkIdType c = 0; c < output->GetNumberOfCells(); ++c, ++cell) {
        ASSERT_EQ(values->GetComponent(c, 1), grid->GetCellData()->GetArray("a")->GetComponent(cell, 1));
      }
      vtkDataArray* where = output->GetPointData()->GetArray("where");
      ASSERT_NE(where, nullptr);
      for (vtkIdType p = 0; p < output->GetNumberOfPoints(); ++p) {
        for (int d = 0; d < 3; ++d) {
          ASSERT_EQ(output->GetPoint(p)[d], where->GetComponent(p, d)) << piece << " of " << pieces;
        }
      }
    }
    EXPECT_EQ(cell, grid->GetNumberOfCells());
  }
}

TEST(VtkWriter, RebuildsIntervalsOfAnImage) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.icsr";
  vtkNew<vtkImageData> image;
  image->SetDimensions(5, 4, 3);
  image->SetSpacing(0.5, 1.0, 2.0);
  std::mt19937 random(seed());
  addRandom<vtkDoubleArray>(image->GetCellData(), random, "a", image->GetNumberOfCells(), 1);
  write(path, image);
  vtkNew<vtkSpanwiseReader> reader;
  reader->SetFileName(path.c_str());
  reader->Update();
  EXPECT_EQ(reader->GetOutput()->GetNumberOfCells(), 4 * 3 * 2);
  expectSameArrays(reader->GetOutput()->GetCellData(), image->GetCellData());
}

namespace {

struct Messages {
  vtkNew<vtkTest::ErrorObserver> observer;
  explicit Messages(vtkObject* algorithm) {
    algorithm->AddObserver(vtkCommand::ErrorEvent, observer);
    algorithm->AddObserver(vtkCommand::WarningEvent, observer);
  }
  [[nodiscard]] std::string error() const { return observer->GetErrorMessage(); }
  [[nodiscard]] std::string warning() const { return observer->GetWarningMessage(); }
};

} // namespace

TEST(VtkReader, SaysWhatIsWrongOnceAndLeavesNothing) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.icsr";
  std::mt19937 random(seed());
  write(path, randomGrid<2>(random, 10));
  std::string bytes;
  {
    std::ifstream file(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  bytes.resize(bytes.size() - 100);
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;

  vtkNew<vtkSpanwiseReader> reader;
  const Messages messages(reader);
  int errors = 0;
  vtkNew<vtkCallbackCommand> counter;
  counter->SetClientData(&errors);
  counter->SetCallback([](vtkObject*, unsigned long, void* count, void*) { ++*static_cast<int*>(count); });
  reader->AddObserver(vtkCommand::ErrorEvent, counter);
  EXPECT_EQ(reader->CanReadFile(path.c_str()), 1); // it says what it is; what is wrong with it is said by reading it
  reader->SetFileName(path.c_str());
  reader->Update();
  EXPECT_EQ(errors, 1);
  EXPECT_NE(messages.error().find(path), std::string::npos) << messages.error();
  EXPECT_NE(messages.error().find("cut off"), std::string::npos) << messages.error();
  EXPECT_EQ(reader->GetOutput()->GetNumberOfCells(), 0);

  // The reader lives on.
  write(path, randomGrid<2>(random, 10));
  reader->Modified();
  reader->Update();
  EXPECT_GT(reader->GetOutput()->GetNumberOfCells(), 0);
  EXPECT_EQ(errors, 1);

  vtkNew<vtkSpanwiseReader> nameless;
  const Messages others(nameless);
  nameless->Update();
  EXPECT_NE(others.error().find("file name"), std::string::npos);
}

TEST(VtkWriter, SaysWhatIsWrongAndLeavesTheOldFile) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.icsr";
  std::mt19937 random(seed());
  const auto grid = randomGrid<3>(random, 4);
  write(path, grid);
  vtkNew<vtkPolyData> points; // no cells that could be rebuilt
  vtkNew<vtkPoints> coordinates;
  for (int k = 0; k < 3; ++k) {
    coordinates->InsertNextPoint(k, k * k, 0.0);
  }
  points->SetPoints(coordinates);
  points->AllocateExact(1, 3);
  const vtkIdType triangle[3] = {0, 1, 2};
  points->InsertNextCell(VTK_TRIANGLE, 3, triangle);
  vtkNew<vtkSpanwiseWriter> writer;
  const Messages messages(writer);
  writer->SetInputData(points);
  writer->SetFileName(path.c_str());
  EXPECT_EQ(writer->Write(), 0);
  EXPECT_NE(messages.error().find("cell 0"), std::string::npos) << messages.error();
  writer->SetInputData(grid);
  writer->SetFileName((folder / "no/such/folder/a.icsr").c_str());
  EXPECT_EQ(writer->Write(), 0);
  EXPECT_NE(messages.error().find("No such file"), std::string::npos) << messages.error();
  writer->SetFileName(nullptr);
  EXPECT_EQ(writer->Write(), 0);
  vtkNew<vtkSpanwiseReader> reader;
  reader->SetFileName(path.c_str());
  reader->Update();
  EXPECT_EQ(reader->GetOutput()->GetNumberOfCells(), grid->GetNumberOfCells());
  writer->SetFileName(path.c_str());
  EXPECT_EQ(writer->Write(), 1); // and lives on
}

TEST(VtkWriter, AnInputThatFailedIsAnErrorAndLeavesTheOldFile) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.icsr";
  std::mt19937 random(seed());
  const auto grid = randomGrid<3>(random, 4);
  write(path, grid);
  const auto expectOldFile = [&] {
    const IcsrReader file(path);
    EXPECT_EQ(file.level(0, 0).numCells, grid->GetNumberOfCells());
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / ""), {}), 1);
  };
  vtkNew<vtkSpanwiseReader> reader; // of a file that is not there
  const Messages ofReader(reader);
  reader->SetFileName((folder / "none.icsr").c_str());
  reader->Update(); // says what is wrong, and does not say it again
  EXPECT_NE(ofReader.error().find("none.icsr"), std::string::npos);
  vtkNew<PassingFilter> passing;
  passing->SetInputConnection(reader->GetOutputPort());
  vtkNew<vtkSpanwiseWriter> writer;
  const Messages messages(writer);
  writer->SetFileName(path.c_str());
  for (vtkAlgorithm* input : {static_cast<vtkAlgorithm*>(reader), static_cast<vtkAlgorithm*>(passing)}) {
    writer->SetInputConnection(input->GetOutputPort());
    EXPECT_EQ(writer->Write(), 0);
    EXPECT_NE(messages.error().find("could not be computed"), std::string::npos) << messages.error();
    EXPECT_NE(messages.error().find("none.icsr"), std::string::npos) << messages.error();
    EXPECT_NE(messages.error().find(path), std::string::npos) << messages.error();
    messages.observer->Clear();
    expectOldFile();
  }
  // A filter of VTK's that fails stops the request before it comes to the writer.
  vtkNew<FailingFilter> failing;
  failing->SetInputData(grid);
  const Messages ofFailing(failing->GetExecutive());
  writer->SetInputConnection(failing->GetOutputPort());
  EXPECT_EQ(writer->Write(), 0);
  EXPECT_NE(messages.error().find("could not be computed"), std::string::npos) << messages.error();
  expectOldFile();
  // What could be computed in the end is written, and so is a set without cells that is meant.
  const auto other = randomGrid<3>(random, 5);
  write(folder / "other.icsr", other);
  reader->SetFileName((folder / "other.icsr").c_str());
  writer->SetInputConnection(passing->GetOutputPort());
  EXPECT_EQ(writer->Write(), 1);
  EXPECT_EQ(IcsrReader(path).level(0, 0).numCells, other->GetNumberOfCells());
  vtkNew<vtkUnstructuredGrid> empty;
  writer->SetInputData(empty);
  EXPECT_EQ(writer->Write(), 1);
  EXPECT_EQ(IcsrReader(path).level(0, 0).numCells, 0);
}

TEST(VtkWriter, AFullDiskIsAnErrorThatNamesTheFile) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.icsr";
  std::mt19937 random(seed());
  const auto grid = randomGrid<2>(random, 100);
  vtkNew<vtkSpanwiseWriter> writer;
  const Messages messages(writer);
  writer->SetInputData(grid);
  writer->SetFileName(path.c_str());
  rlimit old = {};
  ::getrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, SIG_IGN);
  for (const rlim_t bytes : {100U, 5000U}) {
    const rlimit limit = {bytes, old.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    EXPECT_EQ(writer->Write(), 0);
    ::setrlimit(RLIMIT_FSIZE, &old);
    EXPECT_NE(messages.error().find("'" + path + "': File too large"), std::string::npos) << messages.error();
    EXPECT_EQ(messages.error().find(".part"), std::string::npos) << messages.error();
    messages.observer->Clear();
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder / ""));
}

TEST(VtkReader, AReplacedFileIsReadAnewWhateverItsTime) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.icsr";
  const auto write = [](const std::string& name, Coordinate x) {
    const auto set = fromArrays<2>({RowKey<2>::fromYZ(0, 0)}, {0, 1}, {{x, x + 3}});
    vtkNew<vtkUnstructuredGrid> grid;
    setGrid<2>(grid, IntervalGrid<2>::make(set, placement));
    testing::write(name, grid);
  };
  write(path, 0);
  vtkNew<vtkSpanwiseReader> reader;
  reader->SetFileName(path.c_str());
  reader->Update();
  const auto firstX = [&] { return gridOf<2>(reader->GetOutput())->set().view().intervals[0].begin; };
  EXPECT_EQ(firstX(), 0);
  write(folder / "b.icsr", 7); // of equal size, and with the time of the first
  ASSERT_EQ(std::filesystem::file_size(folder / "b.icsr"), std::filesystem::file_size(path));
  std::filesystem::last_write_time(folder / "b.icsr", std::filesystem::last_write_time(path));
  std::filesystem::rename(folder / "b.icsr", path);
  reader->Modified();
  reader->Update();
  EXPECT_EQ(firstX(), 7);
  // The same file written over.
  const auto time = std::filesystem::last_write_time(path);
  write(folder / "c.icsr", 20);
  std::filesystem::copy_file(folder / "c.icsr", path, std::filesystem::copy_options::overwrite_existing);
  std::filesystem::last_write_time(path, time);
  reader->Modified();
  reader->Update();
  EXPECT_EQ(firstX(), 20);
}

TEST(VtkWriter, SaysWhatItLeavesOut) {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  const auto grid = randomGrid<2>(random, 4);
  vtkNew<vtkStringArray> texts;
  texts->SetName("names of cells");
  texts->SetNumberOfValues(grid->GetNumberOfCells());
  grid->GetCellData()->AddArray(texts);
  vtkNew<vtkUnstructuredGrid> explicitGrid;
  explode(grid, explicitGrid);
  addRandom<vtkDoubleArray>(explicitGrid->GetPointData(), random, "at points", explicitGrid->GetNumberOfPoints(), 1);
  vtkNew<vtkSpanwiseWriter> writer;
  const Messages messages(writer);
  writer->SetInputData(explicitGrid);
  writer->SetFileName((folder / "a.icsr").c_str());
  EXPECT_EQ(writer->Write(), 1);
  EXPECT_NE(messages.warning().find("names of cells"), std::string::npos) << messages.warning();
  EXPECT_TRUE(messages.error().empty()) << messages.error();
}

TEST(VtkWriter, StopsWhenItIsAskedTo) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.icsr";
  std::mt19937 random(seed());
  const auto grid = randomGrid<2>(random, 50);
  addRandom<vtkDoubleArray>(grid->GetCellData(), random, "a", grid->GetNumberOfCells(), 1);
  vtkNew<vtkSpanwiseWriter> writer;
  writer->SetInputData(grid);
  writer->SetFileName(path.c_str());
  vtkNew<vtkCallbackCommand> stop;
  stop->SetCallback([](vtkObject* caller, unsigned long, void*, void*) {
    vtkAlgorithm::SafeDownCast(caller)->SetAbortExecuteAndUpdateTime();
  });
  const Messages messages(writer);
  writer->AddObserver(vtkCommand::ProgressEvent, stop);
  writer->Write();
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_TRUE(messages.error().empty()) << messages.error();
  EXPECT_TRUE(std::filesystem::is_empty(folder / ""));
}

} // namespace spanwise::testing
