#include "Readers/Meshb/MeshbFile.hpp"

#include "Readers/Meshb/BinaryMesh.hpp"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <format>
#include <string_view>

namespace spanwise::meshb {

namespace {

struct ElementKind {
  int keyword;
  int vertices;
};

constexpr ElementKind elementKinds[] = {
  {Edges, 2}, {Triangles, 3}, {Quadrilaterals, 4}, {Tetrahedra, 4}, {Pyramids, 5}, {Prisms, 6}, {Hexahedra, 8}};

// Where component c of a solution in the file goes; the others are 0. Matrices are the rows of their lower triangle, or
// whole rows. VTK's symmetric tensors are xx, yy, zz, xy, yz, xz.
struct SolutionKind {
  int components;             // as VTK has them
  std::vector<int> placesIn2; // of the components in a file of 2 dimensions
  std::vector<int> placesIn3;
};

const std::array<SolutionKind, 4> solutionKinds = {{{1, {0}, {0}}, {3, {0, 1}, {0, 1, 2}},
  {6, {0, 3, 1}, {0, 3, 1, 5, 4, 2}}, {9, {0, 1, 3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8}}}};

void readVertices(MeshSource& source, Mesh& mesh) {
  const Section* vertices = source.find(Vertices);
  if (vertices == nullptr) {
    return;
  }
  std::vector<double> reals;
  source.read(*vertices, {mesh.dimension, 1}, reals, mesh.references);
  const auto dimension = static_cast<std::size_t>(mesh.dimension);
  mesh.points.assign(mesh.references.size() * 3, 0.0);
  for (std::size_t k = 0; k < reals.size(); ++k) {
    if (!std::isfinite(reals[k])) {
      throw FileError(
        std::format("the vertex {} has the coordinate {}; it must be finite", k / dimension + 1, reals[k]));
    }
    mesh.points[k / dimension * 3 + k % dimension] = reals[k];
  }
}

// A triangle of a prism that VTK looks at from outside is seen from inside in these files.
void turnPrisms(std::vector<std::int64_t>& connectivity) {
  for (std::size_t k = 0; k < connectivity.size(); k += 3) {
    std::swap(connectivity[k + 1], connectivity[k + 2]);
  }
}

void readElements(MeshSource& source, const ElementKind& kind, Mesh& mesh) {
  const Section* section = source.find(kind.keyword);
  if (section == nullptr || section->lines == 0) {
    return;
  }
  std::vector<double> none;
  std::vector<std::int64_t> lines;
  source.read(*section, {0, kind.vertices + 1}, none, lines);
  const auto numVertices = static_cast<std::int64_t>(mesh.references.size());
  const auto width = static_cast<std::size_t>(kind.vertices) + 1;
  Elements elements;
  elements.keyword = kind.keyword;
  elements.vertices = kind.vertices;
  elements.connectivity.reserve(lines.size() / width * (width - 1));
  elements.references.reserve(lines.size() / width);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (k % width + 1 == width) {
      elements.references.push_back(lines[k]);
      continue;
    }
    if (lines[k] < 1 || lines[k] > numVertices) {
      throw FileError(std::format(
        "{} {} has the vertex {}; it must be in [1, {}]", nameOf(kind.keyword), k / width + 1, lines[k], numVertices));
    }
    elements.connectivity.push_back(lines[k] - 1);
  }
  if (kind.keyword == Prisms) {
    turnPrisms(elements.connectivity);
  }
  mesh.elements.push_back(std::move(elements));
}

std::vector<Solution> solutionsOf(MeshSource& source, std::size_t numVertices) {
  std::vector<Solution> result;
  const Section* section = source.find(SolAtVertices);
  if (section == nullptr) {
    return result;
  }
  if (section->lines != numVertices) {
    throw FileError(std::format("it has solutions at {} vertices; the mesh has {}", section->lines, numVertices));
  }
  const bool isFlat = source.dimension() == 2;
  int width = 0;
  for (const int kind : section->solutions) {
    if (kind < 1 || kind > 4) {
      throw FileError(std::format("it has a solution of the kind {}; 1 to 4 are known", kind));
    }
    const SolutionKind& known = solutionKinds[static_cast<std::size_t>(kind) - 1];
    Solution& solution = result.emplace_back();
    solution.kind = kind;
    solution.components = known.components;
    width += static_cast<int>((isFlat ? known.placesIn2 : known.placesIn3).size());
  }
  std::vector<double> lines;
  std::vector<std::int64_t> none;
  source.read(*section, {width, 0}, lines, none);
  std::size_t first = 0;
  for (Solution& solution : result) {
    const SolutionKind& known = solutionKinds[static_cast<std::size_t>(solution.kind) - 1];
    const std::vector<int>& places = isFlat ? known.placesIn2 : known.placesIn3;
    solution.values.assign(numVertices * static_cast<std::size_t>(known.components), 0.0);
    for (std::size_t v = 0; v < numVertices; ++v) {
      for (std::size_t c = 0; c < places.size(); ++c) {
        solution.values[v * static_cast<std::size_t>(known.components) + static_cast<std::size_t>(places[c])] =
          lines[v * static_cast<std::size_t>(width) + first + c];
      }
    }
    first += places.size();
  }
  return result;
}

} // namespace

bool canRead(const std::string& path) noexcept {
  try {
    constexpr std::uint64_t most = 4096; // of a text there may be comments before
    const hdf5::InputFile file(path);
    const auto start = file.read(0, std::min(most, file.size()), "the file");
    const std::string_view text(reinterpret_cast<const char*>(start.data()), start.size());
    return BinaryMesh::beginsSo(start) || text.find("MeshVersionFormatted") != std::string_view::npos;
  } catch (const std::exception&) {
    return false;
  }
}

Mesh readMesh(const std::string& path) {
  const auto source = MeshSource::open(path);
  Mesh mesh;
  mesh.dimension = source->dimension();
  mesh.isSingle = source->version() == 1;
  readVertices(*source, mesh);
  for (const ElementKind& kind : elementKinds) {
    readElements(*source, kind, mesh);
  }
  mesh.solutions = solutionsOf(*source, mesh.references.size());
  for (const Section& section : source->sections()) {
    const bool isRead = section.keyword == Vertices || section.keyword == SolAtVertices ||
      std::any_of(std::begin(elementKinds), std::end(elementKinds),
        [&](const ElementKind& kind) { return kind.keyword == section.keyword; });
    if (!isRead && section.lines > 0) {
      mesh.leftOut +=
        std::format("{}{} ({})", mesh.leftOut.empty() ? "" : ", ", nameOf(section.keyword), section.lines);
    }
  }
  return mesh;
}

std::vector<Solution> readSolutions(const std::string& path, std::size_t numVertices, int dimension) {
  const auto source = MeshSource::open(path);
  if (source->dimension() != dimension) {
    throw FileError(std::format("it has the dimension {}; the mesh has {}", source->dimension(), dimension));
  }
  return solutionsOf(*source, numVertices);
}

} // namespace spanwise::meshb
