// Files that libMeshb writes, in all its versions, and damaged ones: each of these must give one error and an empty
// output, or a mesh, in a child process that may not take much memory.

#include "Testing/Core/Exhaustive.hpp"
#include "Testing/Readers/Mutation.hpp"
#include "Testing/Readers/Sample.hpp"

#include "Readers/vtkSpanwiseMeshbReader.h"

#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkCommand.h>
#include <vtkDataArray.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkTestErrorObserver.h>
#include <vtkUnstructuredGrid.h>

#include <libmeshb7.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

namespace spanwise::testing {

namespace {

struct Kind {
  int keyword;
  int vertices;
  int cellType;
};

constexpr Kind kinds[] = {{GmfEdges, 2, VTK_LINE}, {GmfTriangles, 3, VTK_TRIANGLE}, {GmfQuadrilaterals, 4, VTK_QUAD},
  {GmfTetrahedra, 4, VTK_TETRA}, {GmfPyramids, 5, VTK_PYRAMID}, {GmfPrisms, 6, VTK_WEDGE},
  {GmfHexahedra, 8, VTK_HEXAHEDRON}};

// Numbers that floats and texts of 15 digits hold.
double numberOf(std::mt19937& random) { return (static_cast<int>(random() % 4001) - 2000) * 0.125; }

struct Cells {
  Kind kind{};
  std::vector<std::int64_t> connectivity; // from 1 on
  std::vector<std::int64_t> references;
};

struct Sample {
  int dimension = 3;
  std::vector<double> points; // [vertices * dimension]
  std::vector<std::int64_t> references;
  std::vector<Cells> cells;
  std::vector<int> solutionKinds;
  std::vector<double> solutions; // [vertices * width]

  [[nodiscard]] std::size_t numVertices() const { return references.size(); }
};

int widthOf(int kind, int dimension) {
  const int widths[] = {1, dimension, dimension * (dimension + 1) / 2, dimension * dimension};
  return widths[kind - 1];
}

Sample randomSample(std::mt19937& random, int dimension) {
  Sample sample;
  sample.dimension = dimension;
  const std::size_t vertices = 8 + random() % 40000 % 50;
  for (std::size_t v = 0; v < vertices; ++v) {
    for (int d = 0; d < dimension; ++d) {
      sample.points.push_back(numberOf(random));
    }
    sample.references.push_back(static_cast<int>(random() % 9) - 4);
  }
  for (const Kind& kind : kinds) {
    if (dimension == 2 && kind.cellType >= VTK_TETRA) {
      continue;
    }
    Cells cells;
    cells.kind = kind;
    for (std::size_t c = random() % 30; c > 0; --c) {
      for (int k = 0; k < kind.vertices; ++k) {
        cells.connectivity.push_back(1 + static_cast<std::int64_t>(random() % vertices));
      }
      cells.references.push_back(static_cast<int>(random() % 1000));
    }
    sample.cells.push_back(cells);
  }
  sample.solutionKinds = {GmfSca, GmfVec, GmfSymMat, GmfMat};
  std::shuffle(sample.solutionKinds.begin(), sample.solutionKinds.end(), random);
  for (const int kind : sample.solutionKinds) {
    for (std::size_t k = 0; k < vertices * static_cast<std::size_t>(widthOf(kind, dimension)); ++k) {
      sample.solutions.push_back(numberOf(random));
    }
  }
  return sample;
}

template <class Integer>
void setCell(std::int64_t file, const Kind& kind, const std::int64_t* at, std::int64_t reference) {
  std::array<Integer, 8> v{};
  std::copy_n(at, kind.vertices, v.begin());
  const auto r = static_cast<Integer>(reference);
  switch (kind.vertices) {
  case 2:
    GmfSetLin(file, kind.keyword, v[0], v[1], r);
    break;
  case 3:
    GmfSetLin(file, kind.keyword, v[0], v[1], v[2], r);
    break;
  case 4:
    GmfSetLin(file, kind.keyword, v[0], v[1], v[2], v[3], r);
    break;
  case 5:
    GmfSetLin(file, kind.keyword, v[0], v[1], v[2], v[3], v[4], r);
    break;
  case 6:
    GmfSetLin(file, kind.keyword, v[0], v[1], v[2], v[3], v[4], v[5], r);
    break;
  default:
    GmfSetLin(file, kind.keyword, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], r);
  }
}

template <class Integer>
void writeMesh(const std::string& path, int version, const Sample& sample) {
  const std::int64_t file = GmfOpenMesh(path.c_str(), GmfWrite, version, sample.dimension);
  ASSERT_NE(file, 0);
  GmfSetKwd(file, GmfVertices, static_cast<std::int64_t>(sample.numVertices()));
  for (std::size_t v = 0; v < sample.numVertices(); ++v) {
    const double* p = sample.points.data() + v * static_cast<std::size_t>(sample.dimension);
    const auto r = static_cast<Integer>(sample.references[v]);
    sample.dimension == 2 ? GmfSetLin(file, GmfVertices, p[0], p[1], r)
                          : GmfSetLin(file, GmfVertices, p[0], p[1], p[2], r);
  }
  for (const Cells& cells : sample.cells) {
    if (cells.references.empty()) {
      continue;
    }
    GmfSetKwd(file, cells.kind.keyword, static_cast<std::int64_t>(cells.references.size()));
    for (std::size_t c = 0; c < cells.references.size(); ++c) {
      setCell<Integer>(file, cells.kind, cells.connectivity.data() + c * static_cast<std::size_t>(cells.kind.vertices),
        cells.references[c]);
    }
  }
  GmfCloseMesh(file);
}

// The solutions of a vertex, one kind after the other.
std::vector<double> solutionsOf(const Sample& sample, std::size_t vertex) {
  std::vector<double> line;
  std::size_t begin = 0;
  for (const int kind : sample.solutionKinds) {
    const auto width = static_cast<std::size_t>(widthOf(kind, sample.dimension));
    const auto first = sample.solutions.begin() + static_cast<std::ptrdiff_t>(begin + vertex * width);
    line.insert(line.end(), first, first + static_cast<std::ptrdiff_t>(width));
    begin += sample.numVertices() * width;
  }
  return line;
}

void writeSolutions(const std::string& path, int version, const Sample& sample) {
  const std::int64_t file = GmfOpenMesh(path.c_str(), GmfWrite, version, sample.dimension);
  ASSERT_NE(file, 0);
  std::vector<int> types = sample.solutionKinds;
  GmfSetKwd(file, GmfSolAtVertices, static_cast<std::int64_t>(sample.numVertices()), static_cast<int>(types.size()),
    types.data());
  for (std::size_t v = 0; v < sample.numVertices(); ++v) {
    std::vector<double> line = solutionsOf(sample, v);
    std::vector<float> single(line.begin(), line.end());
    version == 1 ? GmfSetLin(file, GmfSolAtVertices, single.data()) : GmfSetLin(file, GmfSolAtVertices, line.data());
  }
  GmfCloseMesh(file);
}

void write(const std::string& path, int version, const Sample& sample) {
  version == 4 ? writeMesh<std::int64_t>(path, version, sample) : writeMesh<int>(path, version, sample);
}

struct Result {
  vtkSmartPointer<vtkUnstructuredGrid> grid;
  std::string error;
  int numErrors = 0;
  std::string warning;
};

Result read(const std::string& path, int piece = 0, int pieces = 1) {
  const vtkNew<vtkTest::ErrorObserver> observer;
  vtkNew<vtkSpanwiseMeshbReader> reader;
  reader->AddObserver(vtkCommand::ErrorEvent, observer);
  reader->AddObserver(vtkCommand::WarningEvent, observer);
  reader->SetFileName(path.c_str());
  reader->UpdatePiece(piece, pieces, 0);
  return {reader->GetOutput(), observer->GetError() ? observer->GetErrorMessage() : "", observer->GetNumberOfErrors(),
    observer->GetWarning() ? observer->GetWarningMessage() : ""};
}

void expectCells(const Sample& sample, vtkUnstructuredGrid* grid) {
  vtkDataArray* references = grid->GetCellData()->GetArray("Reference");
  ASSERT_NE(references, nullptr);
  vtkIdType number = 0;
  for (const Cells& cells : sample.cells) {
    for (std::size_t c = 0; c < cells.references.size(); ++c, ++number) {
      ASSERT_LT(number, grid->GetNumberOfCells());
      EXPECT_EQ(grid->GetCellType(number), cells.kind.cellType);
      EXPECT_EQ(references->GetComponent(number, 0), static_cast<double>(cells.references[c]));
      vtkNew<vtkIdList> points;
      grid->GetCellPoints(number, points);
      ASSERT_EQ(points->GetNumberOfIds(), cells.kind.vertices);
      const int turned[] = {0, 2, 1, 3, 5, 4};
      for (int k = 0; k < cells.kind.vertices; ++k) {
        const int from = cells.kind.cellType == VTK_WEDGE ? turned[k] : k;
        EXPECT_EQ(points->GetId(k) + 1,
          cells.connectivity[c * static_cast<std::size_t>(cells.kind.vertices) + static_cast<std::size_t>(from)]);
      }
    }
  }
  EXPECT_EQ(number, grid->GetNumberOfCells());
}

void expectPoints(const Sample& sample, vtkUnstructuredGrid* grid) {
  ASSERT_EQ(grid->GetNumberOfPoints(), static_cast<vtkIdType>(sample.numVertices()));
  vtkDataArray* references = grid->GetPointData()->GetArray("Reference");
  for (vtkIdType p = 0; p < grid->GetNumberOfPoints(); ++p) {
    for (int d = 0; d < 3; ++d) {
      EXPECT_EQ(grid->GetPoint(p)[d],
        d < sample.dimension ? sample.points[static_cast<std::size_t>(p * sample.dimension + d)] : 0.0);
    }
    EXPECT_EQ(references->GetComponent(p, 0), static_cast<double>(sample.references[static_cast<std::size_t>(p)]));
  }
}

// Symmetric matrices M are in the file as the rows of their lower triangle.
void expectSolutions(const Sample& sample, vtkUnstructuredGrid* grid) {
  const int dimension = sample.dimension;
  for (std::size_t v = 0; v < sample.numVertices(); ++v) {
    const std::vector<double> line = solutionsOf(sample, v);
    std::size_t next = 0;
    for (std::size_t s = 0; s < sample.solutionKinds.size(); ++s) {
      vtkDataArray* array = grid->GetPointData()->GetArray(("Solution " + std::to_string(s + 1)).c_str());
      ASSERT_NE(array, nullptr);
      const auto value = [&](int c) { return array->GetComponent(static_cast<vtkIdType>(v), c); };
      const int kind = sample.solutionKinds[s];
      const int symmetric[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}}; // as VTK has them
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          const bool inFile = i < dimension && j < dimension;
          if (kind == GmfMat) {
            EXPECT_EQ(value(3 * i + j), inFile ? line[next + static_cast<std::size_t>(dimension * i + j)] : 0.0);
          } else if (kind == GmfSymMat && j <= i) {
            EXPECT_EQ(
              value(symmetric[i][j]), inFile ? line[next + static_cast<std::size_t>(i * (i + 1) / 2 + j)] : 0.0);
          }
        }
        if (kind == GmfVec) {
          EXPECT_EQ(value(i), i < dimension ? line[next + static_cast<std::size_t>(i)] : 0.0);
        }
      }
      if (kind == GmfSca) {
        EXPECT_EQ(array->GetNumberOfComponents(), 1);
        EXPECT_EQ(value(0), line[next]);
      }
      next += static_cast<std::size_t>(widthOf(kind, dimension));
    }
  }
}

enum Outcome { mesh = 0, refused = 10, wrong = 11 };

ChildResult readInChild(const std::string& path) {
  constexpr std::size_t extraBytes = std::size_t{256} << 20;
  return inChild(extraBytes, [&](std::string& text) {
    const Result result = read(path);
    text = result.error;
    if (result.numErrors == 0) {
      return static_cast<int>(mesh);
    }
    const bool good = result.numErrors == 1 && text.find(path) != std::string::npos &&
      result.grid->GetNumberOfCells() == 0 && result.grid->GetNumberOfPoints() == 0;
    return static_cast<int>(good ? refused : wrong);
  });
}

struct Meshb : public ::testing::Test {
  std::mt19937 random{seed()};
  ::testing::ScopedTrace trace{__FILE__, __LINE__, "seed " + std::to_string(seed())};
  TemporaryFolder folder;

  void expectRefused(const std::string& text, const std::string& words) const {
    const std::string path = folder / "a.mesh";
    store(path, {text.begin(), text.end()});
    const ChildResult result = readInChild(path);
    EXPECT_EQ(result.exitCode, refused) << "signal " << result.signal << ", " << text;
    EXPECT_NE(result.text.find(words), std::string::npos) << result.text;
  }
};

const std::string triangle = "MeshVersionFormatted 2 Dimension 3 Vertices 3 0 0 0 1 1 0 0 1 0 1 0 1 ";

// The bytes of a binary file, as numbers of 4 bytes.
FileBytes bytesOf(const std::vector<std::int32_t>& numbers, bool swapped = false) {
  FileBytes bytes;
  for (const std::int32_t number : numbers) {
    std::array<char, 4> each{};
    std::memcpy(each.data(), &number, 4);
    if (swapped) {
      std::reverse(each.begin(), each.end());
    }
    bytes.insert(bytes.end(), each.begin(), each.end());
  }
  return bytes;
}

} // namespace

TEST_F(Meshb, WhatTheLibraryWritesIsRead) {
  for (const int dimension : {2, 3}) {
    for (const int version : {1, 2, 3, 4}) {
      for (const char* suffix : {"", "b"}) {
        const Sample sample = randomSample(random, dimension);
        const std::string path = folder / ("a.mesh" + std::string(suffix));
        write(path, version, sample);
        writeSolutions(folder / ("a.sol" + std::string(suffix)), version, sample);
        const Result result = read(path);
        EXPECT_EQ(result.error, "");
        EXPECT_EQ(result.warning, "");
        EXPECT_EQ(result.grid->GetPoints()->GetDataType(), version == 1 ? VTK_FLOAT : VTK_DOUBLE);
        expectPoints(sample, result.grid);
        expectCells(sample, result.grid);
        expectSolutions(sample, result.grid);
        std::filesystem::remove(folder / "a.solb"); // which is looked for before .sol
      }
    }
  }
}

TEST_F(Meshb, TheOtherOrderOfBytesIsRead) {
  const float one = 1.0F;
  std::int32_t real = 0;
  std::memcpy(&real, &one, sizeof(one));
  // mark, version; Dimension at 8, Vertices at 20, Edges at 68, End at 92
  const std::vector<std::int32_t> numbers = {
    1, 1, GmfDimension, 20, 2, GmfVertices, 56, 2, 0, 0, 5, real, 0, 6, GmfEdges, 80, 1, 1, 2, 7, GmfEnd, 0};
  for (const bool swapped : {false, true}) {
    store(folder / "a.meshb", bytesOf(numbers, swapped));
    const Result result = read(folder / "a.meshb");
    EXPECT_EQ(result.error, "");
    ASSERT_EQ(result.grid->GetNumberOfPoints(), 2);
    EXPECT_EQ(result.grid->GetPoint(1)[0], 1.0);
    EXPECT_EQ(result.grid->GetPointData()->GetArray("Reference")->GetComponent(1, 0), 6.0);
    ASSERT_EQ(result.grid->GetNumberOfCells(), 1);
    EXPECT_EQ(result.grid->GetCellData()->GetArray("Reference")->GetComponent(0, 0), 7.0);
  }
}

TEST_F(Meshb, TextsMayHaveCommentsAndWhatIsNotKnown) {
  const std::string text =
    "# a mesh\nMeshVersionFormatted 2\nDimension\n3\nCorners 2\n1 2\n\nVertices # three\n3\n0 0 0 1\n"
    "+1 0 0 1\r\n0 1e0 0. 1\nTriangles 1 1 2 3 -5 End Edges";
  store(folder / "a.mesh", {text.begin(), text.end()});
  const Result result = read(folder / "a.mesh");
  EXPECT_EQ(result.error, "");
  ASSERT_EQ(result.grid->GetNumberOfCells(), 1);
  EXPECT_EQ(result.grid->GetCellData()->GetArray("Reference")->GetComponent(0, 0), -5.0);
  EXPECT_EQ(result.grid->GetPoint(2)[1], 1.0);
}

TEST_F(Meshb, WhatIsLeftOutIsNamed) {
  const std::string text = triangle + "TrianglesP2 1 1 2 3 1 2 3 0 Triangles 1 1 2 3 4 End";
  store(folder / "a.mesh", {text.begin(), text.end()});
  Result result = read(folder / "a.mesh");
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.grid->GetNumberOfCells(), 1);
  EXPECT_NE(result.warning.find("TrianglesP2 (1)"), std::string::npos) << result.warning;
  // A solution of another mesh is no reason not to show this one.
  const std::string solution = "MeshVersionFormatted 2 Dimension 3 SolAtVertices 2 1 1 0.5 0.5 End";
  store(folder / "b.mesh", {triangle.begin(), triangle.end()});
  store(folder / "b.sol", {solution.begin(), solution.end()});
  result = read(folder / "b.mesh");
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.grid->GetNumberOfPoints(), 3);
  EXPECT_NE(result.warning.find("solutions at 2 vertices; the mesh has 3"), std::string::npos) << result.warning;
}

TEST_F(Meshb, OnePieceHasTheMesh) {
  store(folder / "a.mesh", {triangle.begin(), triangle.end()});
  EXPECT_EQ(read(folder / "a.mesh", 0, 3).grid->GetNumberOfPoints(), 3);
  EXPECT_EQ(read(folder / "a.mesh", 2, 3).grid->GetNumberOfPoints(), 0);
}

TEST_F(Meshb, EachRuleHasItsMessage) {
  expectRefused("", "it is no mesh");
  expectRefused("MFEM mesh v1.0", "it is no mesh");
  expectRefused("MeshVersionFormatted two", "'two' where a number must be");
  expectRefused("MeshVersionFormatted 5 Dimension 3", "version is 5");
  expectRefused("MeshVersionFormatted 2 Vertices 0", "no Dimension");
  expectRefused("MeshVersionFormatted 2 Dimension 4", "dimension is 4");
  expectRefused(triangle + "Vertices 0", "Vertices twice");
  expectRefused(triangle + "Triangles 1 1 2 4 0", "Triangles 1 has the vertex 4; it must be in [1, 3]");
  expectRefused(triangle + "Triangles 1 0 2 3 0", "has the vertex 0");
  expectRefused(triangle + "Triangles -1", "'-1' where a number must be");
  expectRefused(triangle + "Triangles 1000000000000 1 2 3 0", "1000000000000 Triangles");
  expectRefused(triangle + "Triangles 2 1 2 3 0 100 200 300", "Triangles has '' where a number must be");
  expectRefused(triangle + "Edges 1 1 2.5 0", "'2.5' where a number must be");
  expectRefused(triangle + "SolAtVertices 3 1 5 0 0 0", "kind 5");
  expectRefused(triangle + "SolAtVertices 2 1 1 0 0 0", "solutions at 2 vertices; the mesh has 3");
  expectRefused("MeshVersionFormatted 2 Dimension 2 Vertices 1 0 inf 0", "vertex 1 has the coordinate inf");
  const auto expectBinary = [&](const std::vector<std::int32_t>& numbers, const std::string& words) {
    const FileBytes bytes = bytesOf(numbers);
    expectRefused({bytes.begin(), bytes.end()}, words);
  };
  expectBinary({1, 9, GmfDimension, 24, 0, 2}, "version is 9");
  expectBinary({1, 1, GmfDimension, 20, 7}, "dimension is 7");
  expectBinary({1, 1, GmfDimension, 24, 2}, "the next is at 24");
  expectBinary({1, 1, GmfDimension, 8, 2}, "before it");
  expectBinary({1, 1, GmfDimension, -1, 2}, "the next is at -1");
  expectBinary({1, 1, GmfDimension, 20, 2, GmfVertices, 0, -1}, "-1 Vertices");
  expectBinary({1, 1, GmfDimension, 20, 2, GmfVertices, 0, 2, 0, 0, 0}, "2 Vertices of 12 bytes, and 12 bytes");
  expectBinary({1, 1, GmfDimension, 20, 2, GmfVertices, 32, 2, 0, 0, 0, 0, 0, 0}, "0 bytes up to the next keyword");
  expectBinary({1, 1, GmfDimension, 20, 2, GmfSolAtVertices, 0, 1, 2000000}, "2000000 solutions");
  expectBinary({1, 1, GmfDimension, 20, 2, GmfFloatingPointPrecision, 0, 16}, "FloatingPointPrecision is 16");
  const ChildResult missing = readInChild(folder / "missing.meshb");
  EXPECT_EQ(missing.exitCode, refused);
}

TEST_F(Meshb, FilesOfOtherProgramsAreLeftToTheirReaders) {
  vtkNew<vtkSpanwiseMeshbReader> reader;
  const std::string path = folder / "a.mesh";
  EXPECT_EQ(reader->CanReadFile(path.c_str()), 0);
  const std::string other = "MFEM mesh v1.0\n\ndimension\n2\n";
  store(path, {other.begin(), other.end()});
  EXPECT_EQ(reader->CanReadFile(path.c_str()), 0);
  store(path, {triangle.begin(), triangle.end()});
  EXPECT_EQ(reader->CanReadFile(path.c_str()), 1);
  write(folder / "a.meshb", 2, randomSample(random, 3));
  EXPECT_EQ(reader->CanReadFile((folder / "a.meshb").c_str()), 1);
}

TEST_F(Meshb, RandomDamageDoesNoHarm) {
  Mutator mutator(seed());
  const int rounds = isExhaustive() ? 4000 : 300;
  for (const char* suffix : {"", "b"}) {
    const std::string path = folder / ("whole.mesh" + std::string(suffix));
    write(path, 2, randomSample(random, 3));
    const FileBytes original = load(path);
    int numRefused = 0;
    const std::string damaged = folder / ("damaged.mesh" + std::string(suffix));
    for (int r = 0; r < rounds; ++r) {
      store(damaged, mutator.damage(original));
      const ChildResult result = readInChild(damaged);
      numRefused += result.exitCode == refused ? 1 : 0;
      if (result.exitCode != mesh && result.exitCode != refused) {
        ADD_FAILURE() << "round " << r << ": exit code " << result.exitCode << ", signal " << result.signal << ", "
                      << result.text;
      }
    }
    std::printf(
      "%zu bytes: of %d damaged files %d were refused; the others held meshes\n", original.size(), rounds, numRefused);
    EXPECT_GT(numRefused, rounds / 20);
  }
}

} // namespace spanwise::testing
