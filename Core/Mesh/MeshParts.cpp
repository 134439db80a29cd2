#include "Core/Mesh/MeshParts.hpp"

#include "Core/Mesh/Detail/Check.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <string>

namespace spanwise {

namespace {

/// The corners of all elements that go to a part.
template <class Index>
std::int64_t checkElements(const ElementView<Index>& elements, std::int64_t numVertices,
  std::span<const std::int32_t> partOfElement, int numParts) {
  std::int64_t numCorners = 0;
  for (std::int64_t e = 0; e < elements.numElements; ++e) {
    const std::int32_t part = partOfElement[static_cast<std::size_t>(e)];
    if (part >= numParts) {
      throw InvalidArgument("element " + std::to_string(e) + " is to go to part " + std::to_string(part) +
        ": parts are numbered from 0 to " + std::to_string(numParts - 1) + ", and -1 is none");
    }
    const ElementType type = elements.typeOf(e);
    if (part < 0) {
      continue;
    }
    if (numVerticesOf(type) == 0) {
      throw InvalidArgument("element " + std::to_string(e) + " is of type " + std::to_string(static_cast<int>(type)) +
        ", which is no linear element");
    }
    detail::checkVertices(elements, e, numVertices);
    numCorners += numVerticesOf(type);
  }
  return numCorners;
}

/// Elements by part, in the order of their numbers within each.
void sortByPart(std::span<const std::int32_t> partOfElement, int numParts, MeshParts& out) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(numParts) + 1, 0);
  for (const std::int32_t part : partOfElement) {
    if (part >= 0) {
      ++counts[static_cast<std::size_t>(part) + 1];
    }
  }
  std::partial_sum(counts.begin(), counts.end(), counts.begin());
  out.firstElement = counts;
  out.elements.resize(static_cast<std::size_t>(counts.back()));
  for (std::size_t e = 0; e < partOfElement.size(); ++e) {
    if (partOfElement[e] >= 0) {
      const std::int64_t place = counts[static_cast<std::size_t>(partOfElement[e])]++;
      out.elements[static_cast<std::size_t>(place)] = static_cast<std::int64_t>(e);
    }
  }
}

} // namespace

template <MeshIndex Index>
MeshParts splitMesh(const ElementView<Index>& elements, std::int64_t numVertices,
  std::span<const std::int32_t> partOfElement, int numParts, std::span<const std::int64_t> order) {
  if (numParts < 0) {
    throw InvalidArgument("a mesh in " + std::to_string(numParts) + " parts: their number must not be negative");
  }
  detail::checkLength("parts", partOfElement.size(), elements.numElements, "elements");
  if (!order.empty()) {
    detail::checkLength("numbers of order", order.size(), numVertices, "vertices");
  }
  const std::int64_t numCorners = checkElements(elements, numVertices, partOfElement, numParts);
  if (numCorners >= std::numeric_limits<std::int32_t>::max()) {
    throw InvalidArgument(
      "the parts of a mesh have " + std::to_string(numCorners) + " corners: their number must be below 2^31 - 1");
  }
  MeshParts out;
  sortByPart(partOfElement, numParts, out);
  out.types.reserve(out.elements.size());
  out.offsets.reserve(out.elements.size() + 1);
  out.corners.reserve(static_cast<std::size_t>(numCorners));

  constexpr std::int32_t none = -1;
  std::vector<std::int32_t> placeOf(static_cast<std::size_t>(numVertices), none);
  const auto before = [&](std::int64_t a, std::int64_t b) {
    return order.empty() ? a < b : order[static_cast<std::size_t>(a)] < order[static_cast<std::size_t>(b)];
  };
  for (std::size_t part = 0; part < static_cast<std::size_t>(numParts); ++part) {
    const std::size_t firstVertex = out.vertices.size();
    const auto forCorners = [&](const auto& work) { // work(vertex)
      for (std::int64_t i = out.firstElement[part]; i < out.firstElement[part + 1]; ++i) {
        const std::int64_t e = out.elements[static_cast<std::size_t>(i)];
        for (int k = 0; k < numVerticesOf(elements.typeOf(e)); ++k) {
          work(static_cast<std::size_t>(elements.vertex(e, k)));
        }
      }
    };
    forCorners([&](std::size_t v) {
      if (placeOf[v] == none) {
        placeOf[v] = 0;
        out.vertices.push_back(static_cast<std::int64_t>(v));
      }
    });
    std::sort(out.vertices.begin() + static_cast<std::ptrdiff_t>(firstVertex), out.vertices.end(), before);
    for (std::size_t i = firstVertex; i < out.vertices.size(); ++i) {
      placeOf[static_cast<std::size_t>(out.vertices[i])] = static_cast<std::int32_t>(i);
    }
    for (std::int64_t i = out.firstElement[part]; i < out.firstElement[part + 1]; ++i) {
      const ElementType type = elements.typeOf(out.elements[static_cast<std::size_t>(i)]);
      out.types.push_back(type);
      out.offsets.push_back(out.offsets.back() + numVerticesOf(type));
    }
    forCorners([&](std::size_t v) { out.corners.push_back(placeOf[v]); });
    for (std::size_t i = firstVertex; i < out.vertices.size(); ++i) {
      placeOf[static_cast<std::size_t>(out.vertices[i])] = none;
    }
    out.firstVertex.push_back(static_cast<std::int64_t>(out.vertices.size()));
  }
  return out;
}

template MeshParts splitMesh<std::int32_t>(
  const ElementView<std::int32_t>&, std::int64_t, std::span<const std::int32_t>, int, std::span<const std::int64_t>);
template MeshParts splitMesh<std::int64_t>(
  const ElementView<std::int64_t>&, std::int64_t, std::span<const std::int32_t>, int, std::span<const std::int64_t>);

} // namespace spanwise
