// Reader, writer and VTK use one and the same HDF5 library.

#include "Testing/Readers/Sample.hpp"

#include <vtkHDFReader.h>
#include <vtkNew.h>

#include <fstream>
#include <set>

namespace spanwise::testing {

TEST(OneHdf5, IsLoadedWithVtksOwnReader) {
  const TemporaryFolder folder;
  IcsrWriter::create(folder / "a.icsr", 2);
  const vtkNew<vtkHDFReader> reader;
  EXPECT_EQ(reader->CanReadFile((folder / "a.icsr").c_str()), 0);
  std::set<std::string> libraries;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const auto name = line.find("hdf5");
    if (line.find(".so") != std::string::npos && name != std::string::npos && line.find("_hl") == std::string::npos) {
      libraries.insert(line.substr(line.find('/')));
    }
  }
  EXPECT_EQ(libraries.size(), 1U);
  for (const std::string& library : libraries) {
    std::printf("%s\n", library.c_str());
  }
}

} // namespace spanwise::testing
