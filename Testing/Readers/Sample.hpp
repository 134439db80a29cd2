#pragma once

// Files for tests: a set, its arrays, and what was written compared with what is read.

#include "Readers/IcsrReader.hpp"
#include "Readers/IcsrWriter.hpp"

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Rooms.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

namespace spanwise::testing {

/// A folder that goes when the test ends.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "spanwise-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TemporaryFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ + "/" + name; }

private:
  std::string path_;
};

/// Waits for the next tick of the clock that files are stamped with (Linux: at most 10 ms). A reader keeps what it
/// knows of a file only if a later change would show.
inline void waitForFileClock() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

/// An array and its bytes.
struct SampleArray {
  IcsrArray info;
  std::vector<std::byte> bytes;
};

/// One step: cells, placement and arrays.
template <int Dim>
struct SampleStep {
  std::optional<double> time;
  HostIntervalSet<Dim> set;
  IcsrPlacement placement;
  std::vector<SampleArray> cellArrays;
  std::vector<SampleArray> pointArrays;
  std::vector<SampleArray> fieldArrays;
  std::optional<int> sameAs;
};

inline const std::vector<ValueType> numberTypes = {ValueType::Int8, ValueType::Int16, ValueType::Int32,
  ValueType::Int64, ValueType::UInt8, ValueType::UInt16, ValueType::UInt32, ValueType::UInt64, ValueType::Float32,
  ValueType::Float64};

/// An array of random bytes; floats may be NaN, and must come back as they are.
inline SampleArray randomArray(
  std::mt19937& random, const std::string& name, ValueType type, std::int64_t tuples, std::int64_t components) {
  SampleArray array;
  array.info.name = name;
  array.info.type = type;
  array.info.numTuples = tuples;
  array.info.numComponents = components;
  array.bytes.resize(static_cast<std::size_t>(tuples * components * bytesOf(array.info)));
  for (std::byte& byte : array.bytes) {
    byte = static_cast<std::byte>(random());
  }
  return array;
}

/// A step of random cells with one cell array of every type.
template <int Dim>
SampleStep<Dim> randomStep(std::mt19937& random, Coordinate extent, double density) {
  SampleStep<Dim> step;
  step.set = toHostSet<Dim>(randomCells<Dim>(random, extent, density));
  step.placement = {{-1.5, 2.0, 1e10}, {0.25, 0.5, 1.0}, 3};
  std::int64_t components = 1;
  for (const ValueType type : numberTypes) {
    step.cellArrays.push_back(
      randomArray(random, "array of " + std::to_string(static_cast<int>(type)), type, step.set.numCells(), components));
    components = components % 9 + 1;
  }
  return step;
}

/// The arrays' descriptions.
inline std::vector<IcsrArray> infos(const std::vector<SampleArray>& arrays) {
  std::vector<IcsrArray> result;
  for (const SampleArray& array : arrays) {
    result.push_back(array.info);
  }
  return result;
}

/// Writes a file of some steps in one go.
template <int Dim>
void writeSample(const std::string& path, const std::vector<SampleStep<Dim>>& steps, const IcsrStorage& storage = {}) {
  IcsrWriter::create(path, Dim, "s");
  IcsrWriter writer(path, storage);
  for (const SampleStep<Dim>& step : steps) {
    writer.addStep(step.time);
    IcsrLevel level;
    level.placement = step.placement;
    level.numRows = step.set.numRows();
    level.numIntervals = step.set.numIntervals();
    level.numCells = step.set.numCells();
    level.cellArrays = infos(step.cellArrays);
    writer.addLevel(level, step.sameAs);
    const IcsrRows all{0, level.numRows};
    if (!step.sameAs.has_value()) {
      writer.writeCells<Dim>(0, step.set.view(), all, {});
    }
    for (const SampleArray& array : step.cellArrays) {
      writer.writeValues(0, Association::Cells, array.info, {0, array.info.numTuples}, array.bytes.data());
    }
    if (!step.pointArrays.empty()) {
      const IcsrPointNumbers numbers = numberPoints<Dim>(step.set, step.set, nullptr);
      level.numPoints = numbers.numPoints;
      level.pointArrays = infos(step.pointArrays);
      writer.addPoints(0, level);
      writer.writeRowPoints(0, 0, numbers.rowFirst);
      for (const SampleArray& array : step.pointArrays) {
        writer.writeValues(0, Association::Points, array.info, {0, array.info.numTuples}, array.bytes.data());
      }
    }
    for (const SampleArray& array : step.fieldArrays) {
      writer.addField(array.info, array.bytes.data());
    }
  }
  writer.close();
}

inline void expectSame(const IcsrArray& read, const IcsrArray& written) {
  EXPECT_EQ(read.name, written.name);
  EXPECT_EQ(read.type, written.type);
  EXPECT_EQ(read.numTuples, written.numTuples);
  EXPECT_EQ(read.numComponents, written.numComponents);
  EXPECT_EQ(read.units, written.units);
  EXPECT_EQ(read.role, written.role);
  EXPECT_EQ(read.componentNames, written.componentNames);
}

template <int Dim>
bool sameCells(const HostIntervalSet<Dim>& a, const HostIntervalSet<Dim>& b) {
  const auto same = [](const auto& x, const auto& y) {
    return x.extent(0) == y.extent(0) &&
      (x.extent(0) == 0 || std::memcmp(x.data(), y.data(), x.extent(0) * sizeof(*x.data())) == 0);
  };
  return same(a.rowKeys(), b.rowKeys()) && same(a.rowOffsets(), b.rowOffsets()) && same(a.intervals(), b.intervals()) &&
    same(a.cellOffsets(), b.cellOffsets()) && a.numCells() == b.numCells();
}

/// Expects the file to hold just these steps when it is read in `parts` parts.
template <int Dim>
void expectSample(const std::string& path, const std::vector<SampleStep<Dim>>& steps, int parts = 1) {
  const IcsrReader reader(path);
  ASSERT_EQ(reader.dimension(), Dim);
  ASSERT_EQ(reader.numSteps(), static_cast<int>(steps.size()));
  EXPECT_EQ(reader.timeUnits(), "s");
  for (int s = 0; s < reader.numSteps(); ++s) {
    const SampleStep<Dim>& step = steps[static_cast<std::size_t>(s)];
    if (step.time.has_value()) {
      EXPECT_EQ(reader.times().at(static_cast<std::size_t>(s)), *step.time);
    } else {
      EXPECT_TRUE(reader.times().empty());
    }
    const IcsrLevel level = reader.level(s, 0);
    EXPECT_EQ(level.placement, step.placement);
    EXPECT_EQ(level.numCells, step.set.numCells());
    ASSERT_EQ(level.cellArrays.size(), step.cellArrays.size());
    ASSERT_EQ(level.pointArrays.size(), step.pointArrays.size());
    const IcsrPart<Dim> whole = reader.cells<Dim>(s, 0, {0, level.numRows});
    EXPECT_TRUE(sameCells(whole.set, step.set));
    EXPECT_EQ(validate(Context<HostExecutionSpace>(), whole.set), "");
    std::int64_t row = 0;
    std::int64_t cell = 0;
    for (int p = 0; p < parts; ++p) {
      const IcsrRows rows = reader.part(s, 0, p, parts);
      EXPECT_EQ(rows.begin, row);
      row = rows.end;
      const IcsrPart<Dim> part = reader.cells<Dim>(s, 0, rows);
      EXPECT_EQ(part.firstCell, cell);
      for (std::size_t a = 0; a < step.cellArrays.size(); ++a) {
        const IcsrArray& info = level.cellArrays[a];
        expectSame(info, step.cellArrays[a].info);
        const auto tupleBytes = static_cast<std::size_t>(info.numComponents * bytesOf(info));
        const auto count = static_cast<std::size_t>(part.set.numCells());
        std::vector<std::byte> values(count * tupleBytes);
        reader.cellValues(s, 0, info, {part.firstCell, part.set.numCells()}, values.data());
        EXPECT_TRUE(std::equal(values.begin(), values.end(),
          step.cellArrays[a].bytes.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(cell) * tupleBytes)));
      }
      cell += part.set.numCells();
    }
    EXPECT_EQ(row, level.numRows);
    EXPECT_EQ(cell, level.numCells);
  }
}

} // namespace spanwise::testing
