// What stock writers write of a grid of intervals, stock readers read, and the grid can be rebuilt from it.

#include "Testing/Core/TemporaryFolder.hpp"
#include "Testing/Dimensions.hpp"
#include "Testing/Filters/DataModel/SameData.h"
#include "Testing/Filters/DataModel/Twin.h"

#include <vtkHDFReader.h>
#include <vtkHDFWriter.h>
#include <vtkUnstructuredGridReader.h>
#include <vtkUnstructuredGridWriter.h>
#include <vtkXMLPUnstructuredGridReader.h>
#include <vtkXMLPUnstructuredGridWriter.h>
#include <vtkXMLUnstructuredGridReader.h>
#include <vtkXMLUnstructuredGridWriter.h>

namespace spanwise::testing {
namespace {

template <class D>
class Writers : public ::testing::Test {
protected:
  static constexpr int Dim = D::value;
  Twin<Dim> twin = makeTwin<Dim>();
  TemporaryFolder folder; // of this process alone: the same tests run on the other side at the same time

  std::string file(const std::string& name) const { return folder / name; }

  template <class Reader>
  void expectBack(const std::string& path) {
    vtkNew<Reader> reader;
    reader->SetFileName(path.c_str());
    reader->Update();
    auto* back = vtkUnstructuredGrid::SafeDownCast(reader->GetOutputDataObject(0));
    ASSERT_NE(back, nullptr);
    expectSameData(back, twin.ours);
    const auto intervals = std::get<Intervals<Dim>>(intervalsOf(back, &twinPlacement));
    EXPECT_TRUE(intervals.sameCells);
    EXPECT_EQ(toCells<Dim>(intervals.grid->set()), toCells<Dim>(twin.grid->set()));
  }
};
TYPED_TEST_SUITE(Writers, Dimensions, DimensionNames);

TYPED_TEST(Writers, Vtu) {
  for (const int mode : {vtkXMLWriter::Ascii, vtkXMLWriter::Binary, vtkXMLWriter::Appended}) {
    vtkNew<vtkXMLUnstructuredGridWriter> writer;
    writer->SetInputData(this->twin.ours);
    writer->SetFileName(this->file("grid.vtu").c_str());
    writer->SetDataMode(mode);
    ASSERT_EQ(writer->Write(), 1);
    this->template expectBack<vtkXMLUnstructuredGridReader>(this->file("grid.vtu"));
  }
}

TYPED_TEST(Writers, Pvtu) {
  vtkNew<vtkXMLPUnstructuredGridWriter> writer;
  writer->SetInputData(this->twin.ours);
  writer->SetFileName(this->file("grid.pvtu").c_str());
  ASSERT_EQ(writer->Write(), 1);
  this->template expectBack<vtkXMLPUnstructuredGridReader>(this->file("grid.pvtu"));
}

TYPED_TEST(Writers, LegacyVtk) {
  for (const int type : {VTK_ASCII, VTK_BINARY}) {
    for (const int version : {42, 51}) {
      vtkNew<vtkUnstructuredGridWriter> writer;
      writer->SetInputData(this->twin.ours);
      writer->SetFileName(this->file("grid.vtk").c_str());
      writer->SetFileType(type);
      writer->SetFileVersion(version);
      ASSERT_EQ(writer->Write(), 1);
      this->template expectBack<vtkUnstructuredGridReader>(this->file("grid.vtk"));
    }
  }
}

TYPED_TEST(Writers, VtkHdf) {
  for (const int compression : {0, 4}) {
    vtkNew<vtkHDFWriter> writer;
    writer->SetInputData(this->twin.ours);
    writer->SetFileName(this->file("grid.vtkhdf").c_str());
    writer->SetCompressionLevel(compression);
    ASSERT_EQ(writer->Write(), 1);
    this->template expectBack<vtkHDFReader>(this->file("grid.vtkhdf"));
  }
}

TYPED_TEST(Writers, TheGridIsWhatItWasAfterwards) {
  constexpr int Dim = TypeParam::value;
  vtkNew<vtkXMLUnstructuredGridWriter> writer;
  writer->SetInputData(this->twin.ours);
  writer->SetFileName(this->file("grid.vtu").c_str());
  ASSERT_EQ(writer->Write(), 1);
  EXPECT_EQ(gridOf<Dim>(this->twin.ours), this->twin.grid);
}

} // namespace
} // namespace spanwise::testing
