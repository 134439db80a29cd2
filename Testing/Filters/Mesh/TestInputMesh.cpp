#include "Testing/Filters/Geometry/Pipelines.hpp"
#include "Testing/Filters/Mesh/Grids.hpp"

#include "SpanwiseInputMesh.h"

#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Seed.hpp"
#include "Testing/Rooms.hpp"

#include <vtkCellType.h>
#include <vtkImageData.h>
#include <vtkPlaneSource.h>
#include <vtkPolyData.h>
#include <vtkSOADataArrayTemplate.h>
#include <vtkTypeInt32Array.h>
#include <vtkTypeInt64Array.h>

#include <algorithm>
#include <random>

namespace spanwise::testing {
namespace {

/// What Core sees, in vectors.
HostMesh seen(const InputMesh& mesh) {
  return std::visit(
    [](const auto& view) {
      HostMesh host;
      for (std::int64_t v = 0; v < view.vertices.numVertices; ++v) {
        host.points.push_back(view.vertices(v));
      }
      for (std::int64_t e = 0; e < view.elements.numElements; ++e) {
        std::vector<std::int64_t> corners;
        for (int k = 0; k < numVerticesOf(view.elements.typeOf(e)); ++k) {
          corners.push_back(view.elements.vertex(e, k));
        }
        host.add(view.elements.typeOf(e), corners);
      }
      return host;
    },
    mesh.view());
}

void expectSame(const HostMesh& found, const HostMesh& expected) {
  EXPECT_EQ(found.types, expected.types);
  EXPECT_EQ(found.vertices, expected.vertices);
  ASSERT_EQ(found.points.size(), expected.points.size());
  for (std::size_t v = 0; v < found.points.size(); ++v) {
    for (int d = 0; d < 3; ++d) {
      ASSERT_FLOAT_EQ(static_cast<float>(found.points[v][d]), static_cast<float>(expected.points[v][d]));
    }
  }
}

HostMesh allTypes(int n = 2) {
  HostMesh mesh;
  for (const ElementType type : allElementTypes) {
    append(mesh, gridMesh(type, n));
  }
  return mesh;
}

/// Where a mesh has its coordinates and its lists of vertices.
std::pair<const void*, const void*> addresses(const InputMesh& mesh) {
  return std::visit(
    [](const auto& view) { return std::pair<const void*, const void*>(view.vertices.axis[0], view.elements.vertices); },
    mesh.view());
}

TEST(InputMesh, SharesPointsAndCellsOfEveryKind) {
  for (const HostMesh& mesh : {allTypes(), gridMesh(ElementType::Tetrahedron, 3), gridMesh(ElementType::Prism, 2)}) {
    for (const int pointType : {VTK_FLOAT, VTK_DOUBLE}) {
      for (const bool narrow : {false, true}) {
        const auto grid = vtkGridOf(mesh, pointType);
        if (narrow) {
          grid->GetCells()->ConvertTo32BitStorage();
        } else {
          grid->GetCells()->ConvertTo64BitStorage();
        }
        const InputMesh input = meshOf(grid);
        EXPECT_EQ(input.view().index(), (pointType == VTK_DOUBLE ? 2U : 0U) + (narrow ? 0U : 1U));
        expectSame(seen(input), mesh);
        EXPECT_TRUE(input.sharesPoints() && input.sharesCells());
        EXPECT_EQ(addresses(input).first, grid->GetPoints()->GetVoidPointer(0));
        EXPECT_EQ(addresses(input).second, grid->GetCells()->GetConnectivityArray()->GetVoidPointer(0));
      }
    }
  }
}

TEST(InputMesh, SharesCellsOfAFixedSize) {
  const HostMesh mesh = gridMesh(ElementType::Hexahedron, 3);
  for (const bool narrow : {false, true}) {
    const auto grid = vtkGridOf(mesh);
    vtkNew<vtkCellArray> cells;
    if (narrow) {
      cells->UseFixedSize32BitStorage(8);
    } else {
      cells->UseFixedSize64BitStorage(8);
    }
    for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
      cells->InsertNextCell(8, reinterpret_cast<const vtkIdType*>(mesh.vertices.data() + 8 * e));
    }
    ASSERT_TRUE(cells->IsStorageFixedSize());
    grid->SetCells(VTK_HEXAHEDRON, cells);
    const InputMesh input = meshOf(grid);
    expectSame(seen(input), mesh);
    EXPECT_TRUE(input.sharesCells());
    EXPECT_EQ(addresses(input).second, cells->GetConnectivityArray()->GetVoidPointer(0));
  }
}

TEST(InputMesh, TellsTypesOfOneSizeApart) {
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 1);
  append(mesh, gridMesh(ElementType::Quadrilateral, 1));
  const auto grid = vtkGridOf(mesh);
  vtkNew<vtkCellArray> cells;
  cells->UseFixedSize64BitStorage(4);
  for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
    cells->InsertNextCell(4, reinterpret_cast<const vtkIdType*>(mesh.vertices.data() + 4 * e));
  }
  grid->SetCells(grid->GetCellTypes(), cells);
  const InputMesh input = meshOf(grid);
  expectSame(seen(input), mesh);
  EXPECT_EQ(input.numElements(ElementType::Tetrahedron), 6);
  EXPECT_EQ(input.numElements(ElementType::Quadrilateral), 1);
  EXPECT_EQ(input.dimension(), 3);
}

TEST(InputMesh, SharesAnArrayAnAxis) {
  const HostMesh mesh = gridMesh(ElementType::Tetrahedron, 2);
  std::vector<float> axes[3];
  for (const Point& point : mesh.points) {
    for (int d = 0; d < 3; ++d) {
      axes[d].push_back(static_cast<float>(point[d]));
    }
  }
  vtkNew<vtkSOADataArrayTemplate<float>> apart;
  apart->SetNumberOfComponents(3);
  for (int d = 0; d < 3; ++d) {
    apart->SetArray(d, axes[d].data(), mesh.numVertices(), true, true);
  }
  vtkNew<vtkSOADataArrayTemplate<float>> together; // as such arrays are before they are given their own
  together->SetNumberOfComponents(3);
  together->SetNumberOfTuples(mesh.numVertices());
  for (std::int64_t v = 0; v < mesh.numVertices(); ++v) {
    for (int d = 0; d < 3; ++d) {
      together->SetComponent(v, d, axes[d][static_cast<std::size_t>(v)]);
    }
  }
  const auto grid = vtkGridOf(mesh);
  for (auto* array : {apart.Get(), together.Get()}) {
    grid->GetPoints()->SetData(array);
    const InputMesh input = meshOf(grid);
    expectSame(seen(input), mesh);
    EXPECT_TRUE(input.sharesPoints());
    EXPECT_EQ(addresses(input).first, array == apart ? axes[0].data() : array->GetVoidPointer(0));
  }
}

TEST(InputMesh, CopiesPointsOfOtherTypes) {
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 1);
  const InputMesh input = meshOf(vtkGridOf(mesh, VTK_INT)); // of 0 and 1
  expectSame(seen(input), mesh);
  EXPECT_FALSE(input.sharesPoints());
}

TEST(InputMesh, TurnsPixelsAndVoxels) {
  // In the points of hexahedra and quadrilaterals of a grid, with the numbers of VTK's pixels and voxels.
  for (const ElementType type : {ElementType::Quadrilateral, ElementType::Hexahedron}) {
    const HostMesh mesh = gridMesh(type, 2);
    HostMesh turned = mesh;
    for (std::size_t k = 2; k < turned.vertices.size(); k += 4) {
      std::swap(turned.vertices[k], turned.vertices[k + 1]);
    }
    const auto grid = vtkGridOf(turned);
    grid->SetCells(type == ElementType::Hexahedron ? VTK_VOXEL : VTK_PIXEL, cellArrayOf(turned));
    const InputMesh input = meshOf(grid);
    expectSame(seen(input), mesh);
    EXPECT_FALSE(input.sharesCells());
  }
}

TEST(InputMesh, TakesGridsOfIntervals) {
  const auto flat = gridOfCells<2>({{{0, 0}}, {{1, 0}}, {{-4, 7}}});
  EXPECT_EQ(meshOf(flat).numElements(ElementType::Quadrilateral), 3);
  const auto solid = gridOfCells<3>({{{0, 0, 0}}, {{1, 0, 0}}});
  const InputMesh input = meshOf(solid);
  EXPECT_EQ(input.numElements(ElementType::Hexahedron), 2);
  const HostMesh mesh = seen(input);
  for (std::int64_t e = 0; e < 2; ++e) {
    // around the bottom, and above
    EXPECT_EQ(mesh.corner(e, 2)[0] - mesh.corner(e, 0)[0], 1.0);
    EXPECT_EQ(mesh.corner(e, 2)[1] - mesh.corner(e, 0)[1], 1.0);
    EXPECT_EQ(mesh.corner(e, 3)[1] - mesh.corner(e, 0)[1], 1.0);
    EXPECT_EQ(mesh.corner(e, 4)[2] - mesh.corner(e, 0)[2], 1.0);
  }
}

TEST(InputMesh, TakesPolygonalData) {
  vtkNew<vtkPlaneSource> plane;
  plane->SetResolution(3, 2);
  plane->Update();
  const InputMesh quadrilaterals = meshOf(plane->GetOutput());
  EXPECT_EQ(quadrilaterals.numElements(ElementType::Quadrilateral), 6);
  EXPECT_TRUE(quadrilaterals.sharesCells());
  EXPECT_EQ(quadrilaterals.dimension(), 2);

  vtkNew<vtkPolyData> mixed;
  mixed->SetPoints(plane->GetOutput()->GetPoints());
  vtkNew<vtkCellArray> vertices;
  vertices->InsertNextCell({0});
  vtkNew<vtkCellArray> lines;
  lines->InsertNextCell({0, 1});
  vtkNew<vtkCellArray> polygons;
  polygons->InsertNextCell({0, 1, 4});
  mixed->SetVerts(vertices);
  mixed->SetLines(lines);
  mixed->SetPolys(polygons);
  const HostMesh mesh = seen(meshOf(mixed));
  EXPECT_EQ(mesh.types, (std::vector{ElementType{}, ElementType::Edge, ElementType::Triangle}));
  EXPECT_EQ(mesh.vertices, (std::vector<std::int64_t>{0, 1, 0, 1, 4}));
}

TEST(InputMesh, LeavesOutGhostsAndWhatHasNoExtent) {
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 1);
  const auto grid = vtkGridOf(mesh);
  const vtkIdType vertex[] = {0};
  grid->InsertNextCell(VTK_VERTEX, 1, vertex);
  const vtkIdType points[] = {0, 1, 2};
  grid->InsertNextCell(VTK_POLY_VERTEX, 3, points);
  vtkUnsignedCharArray* const ghosts = grid->AllocateCellGhostArray();
  ghosts->SetValue(1, vtkDataSetAttributes::DUPLICATECELL);
  ghosts->SetValue(4, vtkDataSetAttributes::HIDDENCELL);
  const InputMesh input = meshOf(grid);
  EXPECT_EQ(input.numCells(), 8);
  EXPECT_EQ(input.numElements(ElementType::Tetrahedron), 4);
  const HostMesh found = seen(input);
  for (std::size_t e = 0; e < 8; ++e) {
    EXPECT_EQ(found.types[e], e == 1 || e == 4 || e > 5 ? ElementType{} : ElementType::Tetrahedron) << e;
  }
  EXPECT_EQ(found.corner(2, 3)[0], mesh.corner(1 + 1, 3)[0]); // cells keep their numbers
}

TEST(InputMesh, OfNothingIsEmpty) {
  EXPECT_EQ(meshOf(nullptr).numCells(), 0);
  vtkNew<vtkUnstructuredGrid> nothing;
  EXPECT_EQ(meshOf(nothing).numCells(), 0);
  vtkNew<vtkPolyData> none;
  EXPECT_EQ(meshOf(none).dimension(), 0);
  nothing->SetPoints(pointsOf(gridMesh(ElementType::Triangle, 1)));
  EXPECT_EQ(meshOf(nothing).numVertices(), 4);
}

std::string messageOf(vtkDataSet* data) {
  try {
    meshOf(data);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

std::string elementsMessageOf(vtkDataSet* data) {
  try {
    elementsOf(data);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

void expectMessage(vtkDataSet* data, const std::vector<std::string>& words) {
  const std::string message = messageOf(data);
  for (const std::string& word : words) {
    EXPECT_NE(message.find(word), std::string::npos) << word << " in: " << message;
  }
}

TEST(InputMesh, NamesWhatItCannotRead) {
  const auto grid = vtkGridOf(gridMesh(ElementType::Tetrahedron, 2));
  const vtkIdType ids[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  for (const auto& [type, size, name] : {std::tuple(VTK_QUADRATIC_TETRA, 10, "vtkQuadraticTetra"),
         std::tuple(VTK_POLYGON, 5, "vtkPolygon"), std::tuple(VTK_TRIANGLE_STRIP, 4, "vtkTriangleStrip"),
         std::tuple(VTK_POLY_LINE, 3, "vtkPolyLine"), std::tuple(VTK_QUADRATIC_EDGE, 3, "vtkQuadraticEdge")}) {
    vtkNew<vtkUnstructuredGrid> other;
    other->DeepCopy(grid);
    other->InsertNextCell(type, size, ids);
    expectMessage(other, {"cell 48", name, "Tetrahedralize"});
  }
  vtkNew<vtkUnstructuredGrid> polyhedral;
  polyhedral->SetPoints(grid->GetPoints());
  const vtkIdType faces[] = {3, 0, 1, 2, 3, 0, 3, 1, 3, 1, 3, 2, 3, 2, 3, 0};
  polyhedral->InsertNextCell(VTK_POLYHEDRON, 4, faces);
  expectMessage(polyhedral, {"cell 0", "vtkPolyhedron"});
  vtkNew<vtkImageData> image;
  expectMessage(image, {"vtkImageData", "unstructured grid"});
}

TEST(InputMesh, ChecksLists) {
  const HostMesh mesh = gridMesh(ElementType::Tetrahedron, 1);
  // a triangle's list under a tetrahedron's type
  const auto wrong = vtkGridOf(mesh);
  const vtkIdType ids[3] = {0, 1, 2};
  wrong->InsertNextCell(VTK_TETRA, 3, ids);
  expectMessage(wrong, {"cell 6", "3 points", "must have 4"});
  // offsets that descend, and lists that are too short
  const auto broken = [&](std::vector<vtkTypeInt64> offsets, vtkIdType length) {
    auto grid = vtkGridOf(mesh);
    vtkNew<vtkTypeInt64Array> begins;
    for (const vtkTypeInt64 offset : offsets) {
      begins->InsertNextValue(offset);
    }
    vtkNew<vtkTypeInt64Array> vertices;
    vertices->SetNumberOfValues(length);
    vertices->Fill(0.0);
    grid->GetCells()->SetData(begins, vertices);
    return grid;
  };
  expectMessage(broken({0, 4, 8, 4, 16, 20, 24}, 24), {"cell 2", "8 and 4", "not descend"});
  expectMessage(broken({0, 4, 8, 12, 16, 20, 24}, 22), {"22 entries", "24"});
}

// Threads check cells in any order.
TEST(InputMesh, NamesTheFirstOfSeveralWrongCells) {
  const HostMesh mesh = gridMesh(ElementType::Tetrahedron, 24);
  const auto numCells = static_cast<vtkIdType>(mesh.types.size());
  ASSERT_GT(numCells, 80000);
  std::mt19937 random(seed());
  std::vector<vtkIdType> wrong(5);
  std::ranges::generate(wrong, [&] { return static_cast<vtkIdType>(random() % static_cast<unsigned>(numCells)); });
  const std::string first = "cell " + std::to_string(std::ranges::min(wrong)) + " ";
  SCOPED_TRACE("seed " + std::to_string(seed()));

  const auto types = vtkGridOf(mesh);
  const auto corners = vtkGridOf(mesh);
  const auto sizes = vtkGridOf(mesh);
  vtkDataArray* const listed = corners->GetCells()->GetConnectivityArray();
  for (const vtkIdType cell : wrong) {
    vtkUnsignedCharArray::SafeDownCast(types->GetCellTypes())->SetValue(cell, VTK_POLYHEDRON);
    vtkUnsignedCharArray::SafeDownCast(sizes->GetCellTypes())->SetValue(cell, VTK_PYRAMID);
    listed->SetComponent(4 * cell + 2, 0, static_cast<double>(mesh.numVertices() + cell));
  }
  expectMessage(types, {first, "vtkPolyhedron"});
  expectMessage(sizes, {first, "4 points", "must have 5"});
  EXPECT_NE(elementsMessageOf(corners).find(first + "names point"), std::string::npos) << elementsMessageOf(corners);
}

} // namespace
} // namespace spanwise::testing
