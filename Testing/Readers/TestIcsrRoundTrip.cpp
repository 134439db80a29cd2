// What is written comes back, bit for bit.

#include "Testing/Dimensions.hpp"
#include "Testing/Readers/Sample.hpp"

#include "Core/Geometry/NodeRows.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

namespace spanwise::testing {

namespace {

template <class T>
struct RoundTrip : public RandomTest<T> {
  TemporaryFolder folder;
};
TYPED_TEST_SUITE(RoundTrip, Dimensions);

template <int Dim>
using Steps = std::vector<SampleStep<Dim>>;

} // namespace

TYPED_TEST(RoundTrip, RandomSetsWithArraysOfEveryTypeComeBack) {
  constexpr int Dim = TypeParam::value;
  const std::string path = this->folder / "a.icsr";
  for (const double density : {0.02, 0.5, 0.95}) {
    const Steps<Dim> steps = {randomStep<Dim>(this->random, Dim == 2 ? 60 : 12, density)};
    for (const int compression : {0, 1, 9}) {
      for (const std::int64_t chunkBytes : {4096, 1 << 19}) {
        writeSample<Dim>(path, steps, {compression, chunkBytes});
        EXPECT_TRUE(IcsrReader::canRead(path));
        for (const int parts : {1, 2, 3, 7, 200}) {
          expectSample<Dim>(path, steps, parts);
        }
      }
    }
  }
}

TYPED_TEST(RoundTrip, TheEmptySetComesBack) {
  constexpr int Dim = TypeParam::value;
  const std::string path = this->folder / "a.icsr";
  SampleStep<Dim> step;
  step.cellArrays.push_back(randomArray(this->random, "of nothing", ValueType::Float64, 0, 3));
  const Steps<Dim> steps = {step};
  writeSample<Dim>(path, steps);
  expectSample<Dim>(path, steps, 1);
  expectSample<Dim>(path, steps, 3);
}

TYPED_TEST(RoundTrip, TheLimitsOfCoordinatesComeBack) {
  constexpr int Dim = TypeParam::value;
  const std::string path = this->folder / "a.icsr";
  const auto key = [](Coordinate y) { return RowKey<Dim>::fromYZ(y, y); };
  SampleStep<Dim> step;
  step.set = fromArrays<Dim>({key(minCoordinate), key(-1), key(maxRowKey)}, {0, 1, 3, 4},
    {{minCoordinate, maxIntervalEnd}, {minCoordinate, minCoordinate + 1}, {maxRowKey, maxIntervalEnd}, {-5, 7}});
  const Steps<Dim> steps = {step};
  writeSample<Dim>(path, steps);
  expectSample<Dim>(path, steps, 1);
  expectSample<Dim>(path, steps, 4);
}

TYPED_TEST(RoundTrip, SeveralStepsComeBackAndShareCells) {
  constexpr int Dim = TypeParam::value;
  const std::string path = this->folder / "a.icsr";
  Steps<Dim> steps;
  for (int s = 0; s < 12; ++s) { // more than the 8 links that HDF5 keeps in a group's header of its own accord
    steps.push_back(randomStep<Dim>(this->random, 6, 0.5));
    steps.back().time = 0.25 * s - 1.0;
  }
  steps[5] = steps[2];
  steps[5].time = 0.3;
  steps[5].sameAs = 2;
  writeSample<Dim>(path, steps);
  expectSample<Dim>(path, steps, 2);
  const IcsrReader reader(path);
  EXPECT_TRUE(reader.hasSameCells(2, 5, 0));
  EXPECT_FALSE(reader.hasSameCells(2, 6, 0));
}

TYPED_TEST(RoundTrip, PointArraysComeBackWholeAndInParts) {
  constexpr int Dim = TypeParam::value;
  const std::string path = this->folder / "a.icsr";
  for (const double density : {0.03, 0.3, 0.9}) {
    SampleStep<Dim> step = randomStep<Dim>(this->random, Dim == 2 ? 30 : 8, density);
    const std::int64_t numPoints = numberPoints<Dim>(step.set, step.set, nullptr).numPoints;
    step.pointArrays.push_back(randomArray(this->random, "p", ValueType::Int32, numPoints, 2));
    step.pointArrays.push_back(randomArray(this->random, "q", ValueType::Float64, numPoints, 1));
    writeSample<Dim>(path, {step}, {0, 4096});
    const IcsrReader reader(path);
    const IcsrLevel level = reader.level(0, 0);
    ASSERT_EQ(level.numPoints, numPoints);
    ASSERT_EQ(level.pointArrays.size(), 2U);
    // The points of the whole set by position.
    const auto positions = [](const HostIntervalSet<Dim>& set) {
      HostIntervalSet<Dim> rows;
      const Context<HostExecutionSpace> context;
      nodeRowsOf(context, set, rows);
      const IntervalSetView<Dim> view = rows.view();
      std::vector<Cell<Dim>> result;
      for (std::int64_t r = 0; r < view.numRows; ++r) {
        for (std::int64_t i = view.rowOffsets[r]; i < view.rowOffsets[r + 1]; ++i) {
          for (Coordinate x = view.intervals[i].begin; x <= view.intervals[i].end; ++x) {
            Cell<Dim> node{{x, view.rowKeys[r].y}};
            if constexpr (Dim == 3) {
              node.at[2] = view.rowKeys[r].z;
            }
            result.push_back(node);
          }
        }
      }
      return result;
    };
    const std::vector<Cell<Dim>> all = positions(step.set);
    ASSERT_EQ(static_cast<std::int64_t>(all.size()), numPoints);
    for (const int parts : {1, 2, 3, 5, 40}) {
      for (int p = 0; p < parts; ++p) {
        const IcsrRows rows = reader.part(0, 0, p, parts);
        const IcsrPart<Dim> part = reader.cells<Dim>(0, 0, rows);
        const IcsrPointNumbers numbers = reader.pointNumbers<Dim>(0, 0, rows, part);
        const std::vector<Cell<Dim>> mine = positions(part.set);
        ASSERT_EQ(static_cast<std::int64_t>(mine.size()), numbers.numPoints);
        for (std::size_t a = 0; a < 2; ++a) {
          const IcsrArray& info = level.pointArrays[a];
          const auto tupleBytes = static_cast<std::size_t>(info.numComponents * bytesOf(info));
          std::vector<std::byte> values(mine.size() * tupleBytes);
          reader.pointValues(0, 0, info, numbers, values.data());
          for (std::size_t n = 0; n < mine.size(); ++n) {
            const auto at = static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), mine[n]) - all.begin());
            ASSERT_EQ(std::memcmp(
                        values.data() + n * tupleBytes, step.pointArrays[a].bytes.data() + at * tupleBytes, tupleBytes),
              0)
              << "part " << p << " of " << parts << ", point " << n;
          }
        }
      }
    }
  }
}

TYPED_TEST(RoundTrip, PartsAreEvenAndOwnEveryPlaneOnce) {
  constexpr int Dim = TypeParam::value;
  const std::string path = this->folder / "a.icsr";
  writeSample<Dim>(path, {randomStep<Dim>(this->random, Dim == 2 ? 200 : 24, 0.4)});
  const IcsrReader reader(path);
  const double mean = static_cast<double>(reader.level(0, 0).numCells);
  for (const int parts : {1, 2, 3, 4}) {
    std::int64_t plane = PlaneRange().begin;
    for (int p = 0; p < parts; ++p) {
      const PlaneRange planes = reader.planes(0, 0, p, parts);
      EXPECT_EQ(planes.begin, plane);
      plane = planes.end;
      const IcsrPart<Dim> part = reader.cells<Dim>(0, 0, reader.part(0, 0, p, parts));
      EXPECT_NEAR(static_cast<double>(part.set.numCells()) * parts / mean, 1.0, 0.2);
    }
    EXPECT_EQ(plane, PlaneRange().end);
  }
}

TYPED_TEST(RoundTrip, NamesUnitsAndRolesComeBack) {
  constexpr int Dim = TypeParam::value;
  const std::string path = this->folder / "a.icsr";
  SampleStep<Dim> step;
  step.set = toHostSet<Dim>(randomCells<Dim>(this->random, 3, 0.5));
  const std::string names[] = {"", ".", "..", "a/b", "/", "%", "%41", "A", "100 %", " spaces ",
    "\u03c1 \u00b7 \U0001F300", std::string(2000, 'n'), "tab\tnewline\n", "Step0", "Name.With.Dots"};
  for (const std::string& name : names) {
    step.cellArrays.push_back(randomArray(this->random, name, ValueType::Int16, step.set.numCells(), 3));
  }
  step.cellArrays[3].info.units = "kg/m\u00b3";
  step.cellArrays[3].info.componentNames = {"x", "", "a longer name"};
  step.cellArrays[4].info.role = "Vectors";
  writeSample<Dim>(path, {step});
  expectSample<Dim>(path, Steps<Dim>{step});
}

TYPED_TEST(RoundTrip, FieldDataComesBack) {
  constexpr int Dim = TypeParam::value;
  const std::string path = this->folder / "a.icsr";
  SampleStep<Dim> step;
  step.set = toHostSet<Dim>(randomCells<Dim>(this->random, 3, 0.5));
  step.fieldArrays.push_back(randomArray(this->random, "numbers", ValueType::UInt32, 7, 3));
  step.fieldArrays.push_back(randomArray(this->random, "none", ValueType::Float32, 0, 1));
  writeSample<Dim>(path, {step});
  const std::vector<std::string> texts = {"", "one", std::string(70000, 'x'), "\u00e9\u4e2d"};
  {
    IcsrWriter writer(path);
    IcsrArray info;
    info.name = "texts";
    writer.addField(info, texts);
    info.name = "no texts";
    writer.addField(info, std::vector<std::string>());
    writer.close();
  }
  const IcsrReader reader(path);
  const std::vector<IcsrArray> arrays = reader.fieldArrays(0);
  ASSERT_EQ(arrays.size(), 4U);
  expectSame(arrays[0], step.fieldArrays[0].info);
  std::vector<std::byte> values(step.fieldArrays[0].bytes.size());
  reader.fieldValues(0, arrays[0], values.data());
  EXPECT_EQ(values, step.fieldArrays[0].bytes);
  EXPECT_EQ(reader.fieldTexts(0, arrays[2]), texts);
  EXPECT_TRUE(reader.fieldTexts(0, arrays[3]).empty());
}

TYPED_TEST(RoundTrip, AnIndexOfManyChunksIsRead) {
  constexpr int Dim = TypeParam::value;
  const std::string path = this->folder / "a.icsr";
  SampleStep<Dim> step;
  // 5 M cells in chunks of 512 values: 9,766 chunks, in pages of 1,024.
  std::vector<RowKey<Dim>> keys;
  std::vector<std::int64_t> offsets = {0};
  std::vector<Interval> intervals;
  for (Coordinate row = 0; row < 5000; ++row) {
    keys.push_back(RowKey<Dim>::fromYZ(row, row / 10));
    intervals.push_back({-500, 500});
    offsets.push_back(row + 1);
  }
  step.set = fromArrays<Dim>(keys, offsets, intervals);
  step.cellArrays.push_back(randomArray(this->random, "a", ValueType::Float64, step.set.numCells(), 1));
  for (const int compression : {0, 1}) {
    writeSample<Dim>(path, {step}, {compression, 4096});
    expectSample<Dim>(path, Steps<Dim>{step}, 3);
  }
}

TYPED_TEST(RoundTrip, LosslessWhereDeflateDoesNotHelp) {
  constexpr int Dim = TypeParam::value;
  const std::string path = this->folder / "a.icsr";
  SampleStep<Dim> step;
  step.set = fromArrays<Dim>({RowKey<Dim>::fromYZ(0, 0)}, {0, 1}, {{0, 100000}});
  step.cellArrays.push_back(randomArray(this->random, "noise", ValueType::UInt8, 100000, 1));
  step.cellArrays.push_back(randomArray(this->random, "zeros", ValueType::Float64, 100000, 3));
  std::fill(step.cellArrays[1].bytes.begin(), step.cellArrays[1].bytes.end(), std::byte{0});
  writeSample<Dim>(path, {step}, {9, 1 << 19});
  expectSample<Dim>(path, Steps<Dim>{step});
  EXPECT_LT(std::filesystem::file_size(path), 120000U);
}

namespace {

// The bytes that this process has read and written so far; none where the system does not count them.
struct Traffic {
  std::int64_t read = 0;
  std::int64_t written = 0;
};
Traffic traffic() {
  Traffic sum;
  std::ifstream file("/proc/self/io");
  std::string name;
  for (std::int64_t bytes = 0; file >> name >> bytes;) {
    sum.read = name == "rchar:" ? bytes : sum.read;
    sum.written = name == "wchar:" ? bytes : sum.written;
  }
  return sum;
}

} // namespace

// Once what was read and written grew with the square of their number: 4,000 arrays took minutes.
TEST(IcsrRoundTrip, ManyArraysReadAndWriteBytesInProportionToTheirNumber) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.icsr";
  std::mt19937 random(1);
  const auto trafficOf = [&](int count) {
    SampleStep<2> step;
    step.set = fromArrays<2>({RowKey<2>::fromYZ(0, 0)}, {0, 1}, {{0, 3}});
    for (int k = 0; k < count; ++k) {
      step.cellArrays.push_back(randomArray(random, "array " + std::to_string(k), ValueType::Int16, 3, 1));
    }
    const std::int64_t points = numberPoints<2>(step.set, step.set, nullptr).numPoints;
    step.pointArrays.push_back(randomArray(random, "p", ValueType::Int8, points, 1));
    step.fieldArrays.resize(step.cellArrays.size());
    std::copy(step.cellArrays.begin(), step.cellArrays.end(), step.fieldArrays.begin());
    const Traffic before = traffic();
    writeSample<2>(path, {step});
    const Traffic between = traffic();
    expectSample<2>(path, {step});
    const IcsrReader reader(path);
    EXPECT_EQ(reader.fieldArrays(0).size(), step.fieldArrays.size());
    const Traffic after = traffic();
    return Traffic{after.read - between.read, between.written - before.written};
  };
  const Traffic few = trafficOf(500);
  const Traffic many = trafficOf(4000);
  EXPECT_LT(static_cast<double>(many.read), 10.0 * static_cast<double>(few.read) + 1.0);
  EXPECT_LT(static_cast<double>(many.written), 10.0 * static_cast<double>(few.written) + 1.0);
}

TEST(IcsrRoundTrip, NamesAreAddedToGroupsAgainAndAgain) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.icsr";
  IcsrWriter::create(path, 2);
  std::vector<std::string> names;
  for (int session = 0; session < 5; ++session) {
    IcsrWriter writer(path);
    if (session == 0) {
      writer.addStep(0.0);
      IcsrLevel level;
      writer.addLevel(level);
    }
    for (int k = 0; k < (session == 3 ? 600 : 7); ++k) { // one session's long names take more than one block
      IcsrArray info;
      info.name = std::to_string(session) + "." + std::to_string(k) + std::string(session == 3 ? 3000 : 0, 'n');
      info.type = ValueType::Int8;
      info.numTuples = 1;
      const std::int8_t value = 1;
      writer.addField(info, &value);
      names.push_back(info.name);
    }
    writer.close();
    const IcsrReader reader(path);
    const std::vector<IcsrArray> arrays = reader.fieldArrays(0);
    ASSERT_EQ(arrays.size(), names.size());
    for (std::size_t k = 0; k < names.size(); ++k) {
      ASSERT_EQ(arrays[k].name, names[k]);
    }
  }
}

TEST(IcsrWriter, RefusesWhatTheReaderWould) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.icsr";
  const auto message = [](const auto& work) -> std::string {
    try {
      work();
      return "";
    } catch (const FileError& error) {
      return error.what();
    }
  };
  EXPECT_NE(message([&] { IcsrWriter::create(path, 4); }).find("2 or 3"), std::string::npos);
  EXPECT_NE(message([&] { IcsrWriter::create(path, 2, "\xff"); }).find("UTF-8"), std::string::npos);
  EXPECT_NE(message([&] { IcsrWriter(folder / "none.icsr").close(); }).find("none.icsr"), std::string::npos);
  IcsrWriter::create(path, 2);
  IcsrWriter writer(path);
  EXPECT_NE(message([&] { writer.addStep(std::nan("")); }).find("finite"), std::string::npos);
  writer.addStep(1.0);
  EXPECT_NE(message([&] { writer.addStep(1.0); }).find("ascending"), std::string::npos);
  EXPECT_NE(message([&] { writer.addStep(std::nullopt); }).find("ascending"), std::string::npos);
  IcsrLevel level;
  level.cellArrays.resize(1);
  level.cellArrays[0].name = std::string(5000, 'n');
  EXPECT_NE(message([&] { writer.addLevel(level); }).find("4096"), std::string::npos);
  level.cellArrays[0].name = "a\xc0z";
  EXPECT_NE(message([&] { writer.addLevel(level); }).find("UTF-8"), std::string::npos);
  level.cellArrays[0].name = "a";
  level.cellArrays[0].numComponents = 0;
  EXPECT_NE(message([&] { writer.addLevel(level); }).find("components"), std::string::npos);
  level.cellArrays[0].numComponents = 70000; // without a tuple
  EXPECT_NE(message([&] { writer.addLevel(level); }).find("65536"), std::string::npos);
  level.cellArrays[0].numComponents = 1;
  level.cellArrays.push_back(level.cellArrays[0]);
  EXPECT_NE(message([&] { writer.addLevel(level); }).find("two arrays"), std::string::npos);
  level.cellArrays.clear();
  const std::string levels = message([&] {
    for (int k = 0; k < 40; ++k) {
      writer.addLevel(level);
    }
  });
  EXPECT_NE(levels.find("31 levels"), std::string::npos) << levels;
}

TEST(IcsrReader, KnowsItsFilesByTheirContents) {
  const TemporaryFolder folder;
  EXPECT_FALSE(IcsrReader::canRead(folder / "none.icsr"));
  EXPECT_FALSE(IcsrReader::canRead(folder / ""));
  EXPECT_FALSE(IcsrReader::canRead("/dev/zero"));
  EXPECT_FALSE(IcsrReader::canRead(""));
}

} // namespace spanwise::testing
