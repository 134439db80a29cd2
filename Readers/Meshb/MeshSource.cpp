#include "Readers/Meshb/MeshSource.hpp"

#include "Readers/Meshb/BinaryMesh.hpp"
#include "Readers/Meshb/TextMesh.hpp"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <format>

namespace spanwise::meshb {

namespace {

struct Named {
  int keyword;
  const char* name;
};

// What is read, and cells that are not.
constexpr Named names[] = {{Dimension, "Dimension"}, {Vertices, "Vertices"}, {Edges, "Edges"}, {Triangles, "Triangles"},
  {Quadrilaterals, "Quadrilaterals"}, {Tetrahedra, "Tetrahedra"}, {Prisms, "Prisms"}, {Hexahedra, "Hexahedra"},
  {Pyramids, "Pyramids"}, {End, "End"}, {SolAtVertices, "SolAtVertices"},
  {FloatingPointPrecision, "FloatingPointPrecision"}, {24, "TrianglesP2"}, {25, "EdgesP2"}, {27, "QuadrilateralsQ2"},
  {30, "TetrahedraP2"}, {33, "HexahedraQ2"}, {46, "Polyhedra"}, {47, "Polygons"}, {86, "PrismsP2"}, {87, "PyramidsP2"},
  {88, "QuadrilateralsQ3"}, {89, "QuadrilateralsQ4"}, {90, "TrianglesP3"}, {91, "TrianglesP4"}, {92, "EdgesP3"},
  {93, "EdgesP4"}, {96, "TetrahedraP3"}, {97, "TetrahedraP4"}, {98, "HexahedraQ3"}, {99, "HexahedraQ4"},
  {100, "PyramidsP3"}, {101, "PyramidsP4"}, {102, "PrismsP3"}, {103, "PrismsP4"}};

} // namespace

std::string nameOf(int keyword) {
  const auto* const found =
    std::find_if(std::begin(names), std::end(names), [&](const Named& named) { return named.keyword == keyword; });
  return found == std::end(names) ? "" : found->name;
}

int keywordOf(std::string_view name) {
  const auto* const found =
    std::find_if(std::begin(names), std::end(names), [&](const Named& named) { return named.name == name; });
  return found == std::end(names) ? 0 : found->keyword;
}

std::unique_ptr<MeshSource> MeshSource::open(const std::string& path) {
  const hdf5::InputFile file(path);
  if (BinaryMesh::beginsSo(file.read(0, std::min<std::uint64_t>(12, file.size()), "the file"))) {
    return std::make_unique<BinaryMesh>(path);
  }
  return std::make_unique<TextMesh>(path);
}

const Section* MeshSource::find(int keyword) const {
  const auto found = std::find_if(
    sections_.begin(), sections_.end(), [&](const Section& section) { return section.keyword == keyword; });
  return found == sections_.end() ? nullptr : &*found;
}

void MeshSource::checkHead() const {
  if (version_ < 1 || version_ > 4) {
    throw FileError(std::format("its version is {}; 1 to 4 are read", version_));
  }
  if (dimension_ != 2 && dimension_ != 3) {
    throw FileError(std::format("its dimension is {}; it must be 2 or 3", dimension_));
  }
}

void MeshSource::addSection(Section section) {
  if (nameOf(section.keyword).empty()) {
    return;
  }
  if (find(section.keyword) != nullptr) {
    throw FileError("it has " + nameOf(section.keyword) + " twice");
  }
  sections_.push_back(std::move(section));
}

} // namespace spanwise::meshb
