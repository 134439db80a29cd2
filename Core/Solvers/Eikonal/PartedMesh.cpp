#include "Core/Solvers/Eikonal/PartedMesh.hpp"

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reserve.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace spanwise::eikonal {

namespace {

/// Vertices of which there are several copies.
struct Groups {
  std::vector<std::int32_t> groupOf;
  std::vector<std::int64_t> firstCopy{0};
  std::vector<std::int32_t> copies;
  std::vector<std::int32_t> partOfCopy;
};

Groups groupsOf(const MeshParts& parts, std::int64_t numVertices) {
  Groups groups;
  std::vector<std::int32_t> numCopies(static_cast<std::size_t>(numVertices), 0);
  for (const std::int64_t v : parts.vertices) {
    ++numCopies[static_cast<std::size_t>(v)];
  }
  std::vector<std::int32_t> group(static_cast<std::size_t>(numVertices), -1);
  for (std::size_t v = 0; v < numCopies.size(); ++v) {
    if (numCopies[v] > 1) {
      group[v] = static_cast<std::int32_t>(groups.firstCopy.size()) - 1;
      groups.firstCopy.push_back(groups.firstCopy.back() + numCopies[v]);
    }
  }
  groups.groupOf.resize(parts.vertices.size(), -1);
  groups.copies.resize(static_cast<std::size_t>(groups.firstCopy.back()));
  groups.partOfCopy.resize(groups.copies.size());
  std::vector<std::int64_t> next = groups.firstCopy;
  for (int p = 0; p < parts.numParts(); ++p) {
    const auto part = static_cast<std::size_t>(p);
    for (std::int64_t i = parts.firstVertex[part]; i < parts.firstVertex[part + 1]; ++i) {
      const std::int32_t g = group[static_cast<std::size_t>(parts.vertices[static_cast<std::size_t>(i)])];
      if (g >= 0) {
        groups.groupOf[static_cast<std::size_t>(i)] = g;
        const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(g)]++);
        groups.copies[place] = static_cast<std::int32_t>(i);
        groups.partOfCopy[place] = static_cast<std::int32_t>(part);
      }
    }
  }
  return groups;
}

template <class Real>
struct GatherPoints {
  VertexView<Real> from;
  const std::int32_t* whole;
  double* to;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Point point = from(whole[i]);
    for (int axis = 0; axis < 3; ++axis) {
      to[3 * i + axis] = point[axis];
    }
  }
};

struct GatherValues {
  const double* from;
  const std::int32_t* whole;
  int numComponents;
  double* to;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    for (int c = 0; c < numComponents; ++c) {
      to[i * numComponents + c] = from[std::int64_t{whole[i]} * numComponents + c];
    }
  }
};

template <class T, class View>
void copyTo(const View& to, const std::vector<T>& values) {
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  Kokkos::deep_copy(Kokkos::View<T*, typename View::memory_space, Unmanaged>(to.data(), values.size()),
    Kokkos::View<const T*, Kokkos::HostSpace, Unmanaged>(values.data(), values.size()));
}

template <class T, class Memory>
void fill(Kokkos::View<T*, Memory>& view, const std::vector<T>& values) {
  reserve(view, static_cast<std::int64_t>(values.size()), SPANWISE_LABEL("Eikonal::parts"));
  copyTo(view, values);
}

std::vector<std::int32_t> narrowed(const std::vector<std::int64_t>& numbers, std::int64_t end, const char* what) {
  const auto wrong = std::find_if(numbers.begin(), numbers.end(), [end](auto k) { return k < 0 || k >= end; });
  if (wrong != numbers.end()) {
    throw InvalidArgument("parts have " + std::string(what) + " " + std::to_string(*wrong) + ", and the mesh " +
      std::to_string(end) + ": they are those of another mesh");
  }
  return {numbers.begin(), numbers.end()};
}

} // namespace

template <class ExecutionSpace, int corners, MeshReal Real, MeshIndex Index>
void buildPartedMesh(const ExecutionSpace& space, const MeshView<Real, Index>& mesh, const Speed& speed,
  const MeshParts& parts, PartedMesh<corners, typename ExecutionSpace::memory_space>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  SPANWISE_REGION("Eikonal::buildPartedMesh");
  using Memory = typename ExecutionSpace::memory_space;
  out.parts_ = {};
  const std::int64_t numVertices = parts.numVertices();
  const std::int64_t numElements = parts.numElements();
  fill(out.whole_, narrowed(parts.vertices, mesh.vertices.numVertices, "vertex"));
  fill(out.firstVertex_, parts.firstVertex);
  const Groups groups = groupsOf(parts, mesh.vertices.numVertices);
  fill(out.groupOf_, groups.groupOf);
  fill(out.firstCopy_, groups.firstCopy);
  fill(out.copies_, groups.copies);
  fill(out.partOfCopy_, groups.partOfCopy);

  typename Workspace<Memory>::Frame frame(workspace);
  const auto arrayOf = [&]<class T>(const std::vector<T>& values) {
    const auto array = frame.template array<T>(static_cast<std::int64_t>(values.size()));
    copyTo(array, values);
    return array.data();
  };
  MeshView<double, std::int32_t> cutOpen;
  const auto coordinates = frame.template array<double>(3 * numVertices);
  forEach(SPANWISE_KERNEL("gather points"), IndexRange<ExecutionSpace>(space, 0, numVertices),
    GatherPoints<Real>{mesh.vertices, out.whole_.data(), coordinates.data()});
  cutOpen.vertices = VertexView<double>::interleaved(coordinates.data(), numVertices);
  cutOpen.elements = {
    arrayOf(parts.corners), arrayOf(parts.offsets), arrayOf(parts.types), ElementType::Tetrahedron, numElements};
  Speed ofParts = speed;
  if (speed.kind != Speed::Kind::Constant) {
    const int numComponents = speed.kind == Speed::Kind::TensorOfElements ? 6
      : speed.kind == Speed::Kind::MatrixOfElements                       ? 9
                                                                          : 1;
    const bool ofVertices = speed.kind == Speed::Kind::OfVertices;
    const std::int32_t* whole =
      ofVertices ? out.whole_.data() : arrayOf(narrowed(parts.elements, mesh.elements.numElements, "element"));
    const std::int64_t count = ofVertices ? numVertices : numElements;
    const auto values = frame.template array<double>(count * numComponents);
    forEach(SPANWISE_KERNEL("gather speeds"), IndexRange<ExecutionSpace>(space, 0, count),
      GatherValues{speed.values, whole, numComponents, values.data()});
    ofParts.values = values.data();
  }
  buildSimplexMesh<ExecutionSpace, corners>(space, cutOpen, ofParts, out.simplices_, workspace);
  space.fence(SPANWISE_LABEL("Eikonal::parts")); // the arrays of the host that were copied go
  out.parts_ = {out.firstVertex_.data(), out.whole_.data(), out.groupOf_.data(), out.firstCopy_.data(),
    out.copies_.data(), out.partOfCopy_.data(), static_cast<std::int64_t>(groups.firstCopy.size()) - 1,
    parts.numParts()};
  out.numVerticesOfWhole_ = mesh.vertices.numVertices;
}

#define SPANWISE_PARTED_MESH(Real, Index, Space, corners)                                                              \
  template void buildPartedMesh<Space, corners, Real, Index>(const Space&, const MeshView<Real, Index>&, const Speed&, \
    const MeshParts&, PartedMesh<corners, Space::memory_space>&, Workspace<Space::memory_space>&);
#define SPANWISE_PARTED_MESHES(Space)                                                                                  \
  SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_PARTED_MESH, Space, 3)                                                          \
  SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_PARTED_MESH, Space, 4)
SPANWISE_FOR_EACH_SPACE(SPANWISE_PARTED_MESHES)

} // namespace spanwise::eikonal
