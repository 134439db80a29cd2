#pragma once

#include "Readers/Hdf5/InputFile.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace spanwise::meshb {

// The mesh format of GMlib and Medit (https://github.com/LoicMarechal/libMeshb), as text (.mesh, .sol) and binary
// (.meshb, .solb): keywords, each with a number of lines, and the lines.

/// Keywords with the numbers that they have in binary files.
enum Keyword : int {
  Dimension = 3,
  Vertices = 4,
  Edges = 5,
  Triangles = 6,
  Quadrilaterals = 7,
  Tetrahedra = 8,
  Prisms = 9,
  Hexahedra = 10,
  Pyramids = 49,
  End = 54,
  SolAtVertices = 62,
  FloatingPointPrecision = 155
};

/// The name of a keyword that has cells or what is read, as in a text; empty for others.
std::string nameOf(int keyword);

/// A keyword of a file.
struct Section {
  int keyword = 0;
  std::uint64_t lines = 0;
  std::vector<int> solutions; ///< of SolAtVertices: the kinds of its values, 1 to 4
  std::uint64_t position = 0; ///< of its first line
  std::uint64_t end = 0;      ///< its lines end at or before
};

/// How many numbers a line has: real ones, and then integers.
struct LineShape {
  int reals = 0;
  int integers = 0;
};

/// A file whose keywords are known. All functions throw FileError.
class MeshSource {
public:
  /// Opens a file, binary or text, whatever its name says.
  static std::unique_ptr<MeshSource> open(const std::string& path);
  virtual ~MeshSource() = default;
  MeshSource(const MeshSource&) = delete;
  MeshSource& operator=(const MeshSource&) = delete;

  /// 2 or 3.
  [[nodiscard]] int dimension() const { return dimension_; }
  /// 1 to 4; real numbers of version 1 are floats.
  [[nodiscard]] int version() const { return version_; }
  [[nodiscard]] const std::vector<Section>& sections() const { return sections_; }
  /// The section of a keyword, or null.
  [[nodiscard]] const Section* find(int keyword) const;

  /// Reads all lines of a section. The vectors get what the file has room for, and no more.
  virtual void read(
    const Section& section, LineShape shape, std::vector<double>& reals, std::vector<std::int64_t>& integers) = 0;

protected:
  explicit MeshSource(const std::string& path) : file_(path) {}

  /// Throws FileError unless version and dimension are such that are read.
  void checkHead() const;
  /// Throws FileError where a keyword that is read comes twice.
  void addSection(Section section);

  hdf5::InputFile file_;
  int version_ = 0;
  int dimension_ = 0;

private:
  std::vector<Section> sections_;
};

} // namespace spanwise::meshb
