#pragma once

#include "Readers/Hdf5/InputFile.hpp"
#include "Readers/OpenVdb/ValueKind.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace spanwise::vdb {

/// What a file says of one of its grids.
struct GridInfo {
  std::string name;      ///< not empty; "a[1]" for the second of several with the name a
  std::string gridClass; ///< "level set", "fog volume" ... or empty
  /// Why the grid cannot be read, with the remedy; empty if it can. Then the rest is undefined.
  std::string refusal;
  ValueKind kind = ValueKind::Mask;
  bool halfFloats = false;       ///< floating-point values of nodes take 16 bits
  std::uint32_t compression = 0; ///< flags of Compression
  std::uint64_t tree = 0;        ///< where the topology of the tree stands
  std::uint64_t values = 0;      ///< where the values of its leaves stand
  std::uint64_t end = 0;         ///< where both end
  double origin[3] = {0, 0, 0};  ///< the lower corner of the voxel (0, 0, 0)
  double spacing[3] = {1, 1, 1}; ///< the size of a voxel
};

/// The list of grids of a .vdb file. The format is OpenVDB's (github.com/AcademySoftwareFoundation/openvdb, io/ and
/// tree/), in its versions 222 to 225: those of OpenVDB 2.0 (2013) and newer.
///
/// Files are read here and not by OpenVDB's library, which trusts what it reads: see Readers/README.md.
class VdbFile {
public:
  /// Throws FileError if it is not such a file, or its list of grids is damaged. Reads no tree.
  explicit VdbFile(const std::string& path);

  [[nodiscard]] const std::vector<GridInfo>& grids() const { return grids_; }
  [[nodiscard]] const hdf5::InputFile& input() const { return input_; }

  /// Whether a file begins as .vdb files do, damaged or not.
  static bool canRead(const std::string& path);

private:
  hdf5::InputFile input_;
  std::vector<GridInfo> grids_;
};

} // namespace spanwise::vdb
