#pragma once

#include "Core/Mesh/MeshView.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace spanwise {

/// A mesh part by part, where each part has vertices of its own: cut open along the borders. In the host's memory.
struct MeshParts {
  std::vector<std::int64_t> firstElement{0}; ///< [numParts + 1]
  std::vector<std::int64_t> firstVertex{0};  ///< [numParts + 1]
  std::vector<std::int64_t> elements;        ///< by part, ascending: the element of the whole mesh
  std::vector<std::int64_t> vertices;        ///< by part, in their order: the vertex of the whole mesh
  std::vector<ElementType> types;            ///< of the elements
  std::vector<std::int32_t> offsets{0};      ///< [elements + 1]: first corners
  std::vector<std::int32_t> corners;         ///< places in `vertices`

  [[nodiscard]] int numParts() const { return static_cast<int>(firstElement.size()) - 1; }
  [[nodiscard]] std::int64_t numElements() const { return static_cast<std::int64_t>(elements.size()); }
  [[nodiscard]] std::int64_t numVertices() const { return static_cast<std::int64_t>(vertices.size()); }

  /// All elements, with the vertices of `vertices`.
  [[nodiscard]] ElementView<std::int32_t> view() const {
    return {corners.data(), offsets.data(), types.data(), ElementType::Tetrahedron, numElements()};
  }
};

/// Cuts a mesh in the host's memory open: element e goes to part partOfElement[e], to none where that is negative. A
/// part has the vertices of its elements. They ascend by order[vertex] where an order is given, which may be any
/// numbers that are all different, else by their numbers: quadrilaterals are split from the vertex that comes first
/// (splitIntoSimplices()), so parts that are to agree on that need one order of all vertices.
/// Throws InvalidArgument where an element is of no ElementType or names a vertex that the mesh does not have, a part
/// is not below numParts, arrays are not as long as the mesh has elements or vertices, or the parts have 2^31 - 1
/// corners or more. O(corners + vertices log vertices).
template <MeshIndex Index>
MeshParts splitMesh(const ElementView<Index>& elements, std::int64_t numVertices,
  std::span<const std::int32_t> partOfElement, int numParts, std::span<const std::int64_t> order = {});

} // namespace spanwise
