#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace spanwise {

/// The arrays of a mesh in a memory space, where nobody else has them.
template <MeshReal Real, MeshIndex Index, class MemorySpace>
struct MeshArrays {
  Kokkos::View<Real*, MemorySpace> coordinates;  ///< [3 * numVertices], x y z x y z ...
  Kokkos::View<Index*, MemorySpace> vertices;    ///< [numCorners]
  Kokkos::View<Index*, MemorySpace> offsets;     ///< [numElements + 1]; not used where all are of `type`
  Kokkos::View<ElementType*, MemorySpace> types; ///< [numElements]; not used where all are of `type`
  ElementType type = ElementType::Tetrahedron;
  bool isOfOneType = true;
  std::int64_t numVertices = 0;
  std::int64_t numElements = 0;

  [[nodiscard]] MeshView<Real, Index> view() const {
    const auto points = VertexView<Real>::interleaved(coordinates.data(), numVertices);
    return isOfOneType
      ? MeshView<Real, Index>{points, ElementView<Index>::ofOneType(type, vertices.data(), numElements)}
      : MeshView<Real, Index>{points, {vertices.data(), offsets.data(), types.data(), type, numElements}};
  }

  /// Makes room; the memory is used again where it is large enough and nobody shares it.
  void resize(std::int64_t vertexCount, std::int64_t elementCount, std::int64_t cornerCount) {
    numVertices = vertexCount;
    numElements = elementCount;
    reserve(coordinates, 3 * vertexCount, SPANWISE_LABEL("Mesh::coordinates"));
    reserve(vertices, cornerCount, SPANWISE_LABEL("Mesh::vertices"));
    if (!isOfOneType) {
      reserve(offsets, elementCount + 1, SPANWISE_LABEL("Mesh::offsets"));
      reserve(types, elementCount, SPANWISE_LABEL("Mesh::types"));
    }
  }
};

/// A mesh of the host's arrays where kernels of an execution space see it: these arrays themselves on the host, one
/// copy of them on a device. The report of the runtime counts its bytes. The host's arrays must live as long.
template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
class MeshMirror {
public:
  /// On a device the copy is on its way afterwards: kernels of `space` wait for it.
  MeshMirror(const ExecutionSpace& space, const MeshView<Real, Index>& hostMesh) : view_(hostMesh) {
    if constexpr (!runsOnHost<ExecutionSpace>) {
      upload(space, hostMesh);
    }
  }

  [[nodiscard]] const MeshView<Real, Index>& view() const { return view_; }

private:
  using Memory = typename ExecutionSpace::memory_space;
  template <class T>
  using HostArray = Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  void upload(const ExecutionSpace& space, const MeshView<Real, Index>& mesh) {
    const VertexView<Real>& from = mesh.vertices;
    const ElementView<Index>& elements = mesh.elements;
    const bool isInterleaved = from.stride == 3 && from.axis[1] == from.axis[0] + 1 && from.axis[2] == from.axis[0] + 2;
    arrays_.type = elements.type;
    arrays_.isOfOneType = elements.types == nullptr && elements.offsets == nullptr;
    arrays_.resize(from.numVertices, elements.numElements,
      elements.numElements > 0 ? elements.firstCorner(elements.numElements) : 0);
    if (isInterleaved) {
      copy(space, arrays_.coordinates, from.axis[0], 3 * from.numVertices);
    } else {
      const Kokkos::View<Real*, Kokkos::HostSpace> together(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Mesh::coordinates")),
        static_cast<std::size_t>(3 * from.numVertices));
      for (std::int64_t v = 0; v < from.numVertices; ++v) {
        for (int axis = 0; axis < 3; ++axis) {
          together(3 * v + axis) = from.axis[axis][v * from.stride];
        }
      }
      copy(space, arrays_.coordinates, together.data(), 3 * from.numVertices);
      space.fence(SPANWISE_LABEL("Mesh::MeshMirror"));
    }
    copy(space, arrays_.vertices, elements.vertices, static_cast<std::int64_t>(arrays_.vertices.extent(0)));
    view_ = arrays_.view();
    if (elements.offsets != nullptr) {
      copy(space, arrays_.offsets, elements.offsets, elements.numElements + 1);
    }
    if (elements.types != nullptr) {
      copy(space, arrays_.types, elements.types, elements.numElements);
    }
    view_.elements.offsets = elements.offsets != nullptr ? arrays_.offsets.data() : nullptr;
    view_.elements.types = elements.types != nullptr ? arrays_.types.data() : nullptr;
  }

  template <class T>
  static void copy(const ExecutionSpace& space, const Kokkos::View<T*, Memory>& to, const T* from, std::int64_t count) {
    Kokkos::deep_copy(space, to, HostArray<T>(from, static_cast<std::size_t>(count)));
  }

  MeshArrays<Real, Index, Memory> arrays_;
  MeshView<Real, Index> view_;
};

} // namespace spanwise
