// .vdb files in a build without Blosc, whose sources this program has: what it writes everybody reads, and what Blosc
// packed is refused in words that help.

#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Readers/Sample.hpp"

#include "Filters/DataModel/SpanwiseBridge.h"
#include "Readers/OpenVdb/Compression.hpp"
#include "Readers/OpenVdb/GridCells.hpp"
#include "Readers/OpenVdb/VdbFile.hpp"
#include "Readers/OpenVdb/WriteVdb.hpp"
#include "Readers/vtkSpanwiseOpenVDBReader.h"
#include "Readers/vtkSpanwiseOpenVDBWriter.h"
#include "Testing/Rooms.hpp"

#include "Core/Runtime/Error.hpp"

#include <vtkCellData.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkUnstructuredGrid.h>

#include <numeric>
#include <random>
#include <vector>

namespace spanwise::testing {
namespace {

struct OpenVdbZip : public ::testing::Test {
  OpenVdbZip() { std::iota(values.begin(), values.end(), 0.0F); }
  std::mt19937 random{seed()};
  ::testing::ScopedTrace trace{__FILE__, __LINE__, "seed " + std::to_string(seed())};
  TemporaryFolder folder;
  std::string path = folder / "a.vdb";
  CellList<3> cells = randomCells<3>(random, 20, 0.3);
  std::vector<float> values = std::vector<float>(cells.size());

  [[nodiscard]] vdb::GridToWrite grid() const {
    vdb::GridToWrite result;
    result.name = "a";
    result.kind = vdb::ValueKind::Float;
    result.cells = toHostSet<3>(cells);
    result.values = values.data();
    return result;
  }
};

TEST_F(OpenVdbZip, FilesAreWrittenWithZlibAndReadByAll) {
  ASSERT_FALSE(vdb::hasBlosc());
  vdb::writeVdb(path, {grid()});
  const vdb::VdbFile file(path);
  ASSERT_EQ(file.grids().size(), 1U);
  const vdb::GridInfo& info = file.grids()[0];
  EXPECT_EQ(info.compression, static_cast<std::uint32_t>(vdb::zip | vdb::activeMask));
  const vdb::GridCells read(file, info);
  const auto part = read.part(0, 1);
  EXPECT_TRUE(toCells(read.cells(part)) == cells);
  std::vector<float> found(cells.size());
  read.values(part, reinterpret_cast<std::byte*>(found.data()));
  EXPECT_EQ(found, values);

  vtkNew<vtkSpanwiseOpenVDBReader> reader; // of this build, whatever it has
  reader->SetFileName(path.c_str());
  reader->Update();
  const auto output = gridOf<3>(reader->GetOutput());
  ASSERT_NE(output, nullptr);
  EXPECT_TRUE(toCells(output->set()) == cells);
  vtkDataArray* const array = reader->GetOutput()->GetCellData()->GetArray("a");
  ASSERT_NE(array, nullptr);
  for (vtkIdType c = 0; c < array->GetNumberOfTuples(); ++c) {
    ASSERT_EQ(array->GetComponent(c, 0), static_cast<double>(values[static_cast<std::size_t>(c)]));
  }
}

TEST_F(OpenVdbZip, WhatBloscPackedIsRefused) {
#ifndef SPANWISE_HAS_BLOSC
  GTEST_SKIP() << "nothing here packs with Blosc";
#endif
  vtkNew<vtkUnstructuredGrid> data;
  setGrid<3>(data, IntervalGrid<3>::make(toHostSet<3>(cells), {}));
  vtkNew<vtkFloatArray> array;
  array->SetName("a");
  for (const float value : values) {
    array->InsertNextValue(value);
  }
  data->GetCellData()->AddArray(array);
  vtkNew<vtkSpanwiseOpenVDBWriter> writer;
  writer->SetInputData(data);
  writer->SetFileName(path.c_str());
  ASSERT_EQ(writer->Write(), 1);

  const vdb::VdbFile file(path);
  EXPECT_EQ(file.grids()[0].compression, static_cast<std::uint32_t>(vdb::blosc | vdb::activeMask));
  const vdb::GridCells read(file, file.grids()[0]); // leaves are not packed
  const auto part = read.part(0, 1);
  EXPECT_TRUE(toCells(read.cells(part)) == cells);
  std::vector<float> found(cells.size());
  try {
    read.values(part, reinterpret_cast<std::byte*>(found.data()));
    ADD_FAILURE() << "values that Blosc packed were read without it";
  } catch (const FileError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("compressed with Blosc"), std::string::npos) << text;
    EXPECT_NE(text.find("zip compression"), std::string::npos) << text;
  }
}

} // namespace
} // namespace spanwise::testing
