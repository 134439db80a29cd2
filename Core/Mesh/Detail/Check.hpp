#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Runtime/Error.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace spanwise::detail {

/// Throws InvalidArgument where element `e` of a mesh in the host's memory names a vertex that the mesh does not have.
template <class Index>
void checkVertices(const ElementView<Index>& elements, std::int64_t e, std::int64_t numVertices) {
  for (int k = 0; k < numVerticesOf(elements.typeOf(e)); ++k) {
    const std::int64_t v = elements.vertex(e, k);
    if (v < 0 || v >= numVertices) {
      throw InvalidArgument("element " + std::to_string(e) + " names vertex " + std::to_string(v) +
        ", which the mesh does not have: vertices are numbered from 0 to " + std::to_string(numVertices - 1));
    }
  }
}

/// Throws InvalidArgument where an array does not have an entry for each element or vertex.
inline void checkLength(const char* what, std::size_t length, std::int64_t needed, const char* each) {
  if (static_cast<std::int64_t>(length) != needed) {
    throw InvalidArgument("there are " + std::to_string(length) + " " + what + " for " + std::to_string(needed) + " " +
      each + ": there must be one for each");
  }
}

} // namespace spanwise::detail
