#include "Core/Mesh/Partition.hpp"

#include "Core/Mesh/Detail/Check.hpp"
#include "Core/Mesh/ElementFaces.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#ifdef SPANWISE_HAS_METIS
#include <metis.h>
#endif

namespace spanwise {

namespace {

/// METIS asks for some elements for each part: it was made for graphs with very many nodes.
[[maybe_unused]] constexpr std::int64_t minElementsOfPart = 8;

template <class Index>
void checkVertices(const ElementView<Index>& elements, std::int64_t numVertices) {
  for (std::int64_t e = 0; e < elements.numElements; ++e) {
    detail::checkVertices(elements, e, numVertices);
  }
}

#ifdef SPANWISE_HAS_METIS

template <class Index>
void partitionByMetis(const ElementView<Index>& elements, std::int64_t numVertices, MeshPartition& out) {
  std::vector<idx_t> offsets{0};
  std::vector<idx_t> corners;
  offsets.reserve(static_cast<std::size_t>(elements.numElements) + 1);
  std::int64_t numCorners = 0;
  int dimension = 1;
  for (std::int64_t e = 0; e < elements.numElements; ++e) {
    numCorners += numVerticesOf(elements.typeOf(e));
    dimension = std::max(dimension, dimensionOf(elements.typeOf(e)));
  }
  if (numCorners >= std::numeric_limits<idx_t>::max()) {
    throw InvalidArgument("a mesh of " + std::to_string(numCorners) +
      " corners of elements is too large for this METIS: partition it by bisection");
  }
  corners.reserve(static_cast<std::size_t>(numCorners));
  for (std::int64_t e = 0; e < elements.numElements; ++e) {
    for (int k = 0; k < numVerticesOf(elements.typeOf(e)); ++k) {
      corners.push_back(static_cast<idx_t>(elements.vertex(e, k)));
    }
    offsets.push_back(static_cast<idx_t>(corners.size()));
  }
  auto numElements = static_cast<idx_t>(elements.numElements);
  auto numNodes = static_cast<idx_t>(numVertices);
  auto numParts = static_cast<idx_t>(out.numParts);
  std::vector<idx_t> partOfElement(offsets.size() - 1);
  std::vector<idx_t> partOfVertex(static_cast<std::size_t>(numVertices));
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  idx_t cut = 0;
  // The graph of elements, across their faces. That of vertices is smaller, and takes a quarter of the time in
  // tetrahedra, but elements are dealt out after their vertices there, and the cut is half as long again.
  idx_t verticesOfFace = dimension;
  const int result = METIS_PartMeshDual(&numElements, &numNodes, offsets.data(), corners.data(), nullptr, nullptr,
    &verticesOfFace, &numParts, nullptr, options, &cut, partOfElement.data(), partOfVertex.data());
  if (result != METIS_OK) {
    throw Error("METIS could not partition a mesh of " + std::to_string(elements.numElements) + " elements into " +
      std::to_string(out.numParts) + " parts: " + (result == METIS_ERROR_MEMORY ? "not enough memory" : "it failed"));
  }
  out.partOfElement.assign(partOfElement.begin(), partOfElement.end());
}

#endif

/// Elements by their barycentres.
class Bisection {
public:
  template <class Real, class Index>
  explicit Bisection(const MeshView<Real, Index>& mesh, std::vector<std::int32_t>& partOfElement)
    : parts_(partOfElement) {
    const ElementView<Index>& elements = mesh.elements;
    places_.resize(static_cast<std::size_t>(elements.numElements));
    for (std::int64_t e = 0; e < elements.numElements; ++e) {
      Point sum;
      const int count = numVerticesOf(elements.typeOf(e));
      for (int k = 0; k < count; ++k) {
        sum = sum + mesh.vertices(elements.vertex(e, k));
      }
      Place& place = places_[static_cast<std::size_t>(e)];
      place.element = e;
      for (int axis = 0; axis < 3; ++axis) {
        const double mean = count > 0 ? sum[axis] / count : 0.0;
        place.at[axis] = std::isfinite(mean) ? mean : 0.0; // so that they have an order
      }
    }
  }

  void split(int numParts) { split(0, places_.size(), 0, numParts); }

private:
  struct Place {
    Point at;
    std::int64_t element = 0;
  };

  void split(std::size_t begin, std::size_t end, int firstPart, int numParts) {
    if (numParts == 1) {
      for (std::size_t i = begin; i < end; ++i) {
        parts_[static_cast<std::size_t>(places_[i].element)] = firstPart;
      }
      return;
    }
    const int left = numParts / 2;
    const std::size_t middle =
      begin + (end - begin) * static_cast<std::size_t>(left) / static_cast<std::size_t>(numParts);
    const int axis = longestAxis(begin, end);
    const auto at = [&](std::size_t i) { return places_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(begin), at(middle), at(end), [axis](const Place& a, const Place& b) {
      return a.at[axis] < b.at[axis] || (a.at[axis] == b.at[axis] && a.element < b.element);
    });
    split(begin, middle, firstPart, left);
    split(middle, end, firstPart + left, numParts - left);
  }

  [[nodiscard]] int longestAxis(std::size_t begin, std::size_t end) const {
    int longest = 0;
    double length = -1.0;
    for (int axis = 0; axis < 3; ++axis) {
      double least = 0.0;
      double most = 0.0;
      for (std::size_t i = begin; i < end; ++i) {
        const double x = places_[i].at[axis];
        least = i == begin ? x : std::min(least, x);
        most = i == begin ? x : std::max(most, x);
      }
      if (most - least > length) {
        length = most - least;
        longest = axis;
      }
    }
    return longest;
  }

  std::vector<std::int32_t>& parts_;
  std::vector<Place> places_;
};

/// A face of a solid element, a side of a flat one or an end of an edge: its vertices, ascending, -1 where there are no
/// more.
using Side = std::array<std::int64_t, 4>;

template <class Index>
void forSides(const ElementView<Index>& elements, std::int64_t e, const auto& visit) {
  const ElementType type = elements.typeOf(e);
  const int count = numVerticesOf(type);
  const auto visitOf = [&](std::initializer_list<int> locals) {
    Side side{-1, -1, -1, -1};
    std::size_t at = 0;
    for (const int local : locals) {
      side[at++] = local < 0 ? -1 : elements.vertex(e, local);
    }
    std::sort(side.begin(), side.end());
    visit(side);
  };
  if (dimensionOf(type) == 3) {
    const ElementFaces faces = facesOf(type);
    for (int f = 0; f < faces.count; ++f) {
      const int* const v = faces.vertices[f];
      visitOf({v[0], v[1], v[2], v[3]});
    }
    return;
  }
  for (int k = 0; k < count; ++k) {
    if (dimensionOf(type) == 2) {
      visitOf({k, (k + 1) % count});
    } else {
      visitOf({k});
    }
  }
}

/// How many sides elements of several parts have. Only sides whose vertices are all shared can be cut.
template <class Index>
std::int64_t countCutFaces(
  const ElementView<Index>& elements, const std::vector<std::int32_t>& parts, const std::vector<bool>& isShared) {
  std::vector<std::pair<Side, std::int32_t>> candidates;
  for (std::int64_t e = 0; e < elements.numElements; ++e) {
    forSides(elements, e, [&](const Side& side) {
      const bool all = std::all_of(
        side.begin(), side.end(), [&](std::int64_t v) { return v < 0 || isShared[static_cast<std::size_t>(v)]; });
      if (all) {
        candidates.emplace_back(side, parts[static_cast<std::size_t>(e)]);
      }
    });
  }
  std::sort(candidates.begin(), candidates.end());
  std::int64_t count = 0;
  for (std::size_t begin = 0, end = 0; begin < candidates.size(); begin = end) {
    while (end < candidates.size() && candidates[end].first == candidates[begin].first) {
      ++end;
    }
    count += candidates[begin].second != candidates[end - 1].second ? 1 : 0; // parts ascend
  }
  return count;
}

} // namespace

bool hasMetis() {
#ifdef SPANWISE_HAS_METIS
  return true;
#else
  return false;
#endif
}

template <MeshReal Real, MeshIndex Index>
MeshPartition partitionMesh(const MeshView<Real, Index>& mesh, int numParts, PartitionBy by) {
  if (numParts < 1) {
    throw InvalidArgument("a mesh in " + std::to_string(numParts) + " parts: there must be at least one");
  }
  checkVertices(mesh.elements, mesh.vertices.numVertices);
  MeshPartition out;
  out.numParts = numParts;
  out.partOfElement.assign(static_cast<std::size_t>(mesh.elements.numElements), 0);
  if (numParts == 1) {
    return out;
  }
#ifdef SPANWISE_HAS_METIS
  if (by == PartitionBy::Metis && mesh.elements.numElements / minElementsOfPart >= numParts) {
    out.by = PartitionBy::Metis;
    partitionByMetis(mesh.elements, mesh.vertices.numVertices, out);
    return out;
  }
#else
  static_cast<void>(by);
#endif
  Bisection(mesh, out.partOfElement).split(numParts);
  return out;
}

template <MeshIndex Index>
PartitionReport reportPartition(
  const ElementView<Index>& elements, std::int64_t numVertices, const MeshPartition& partition) {
  checkVertices(elements, numVertices);
  detail::checkLength("parts", partition.partOfElement.size(), elements.numElements, "elements");
  PartitionReport report;
  std::vector<std::int64_t> begins(static_cast<std::size_t>(partition.numParts) + 1, 0);
  for (const std::int32_t part : partition.partOfElement) {
    ++begins[static_cast<std::size_t>(part) + 1];
  }
  report.maxElements = *std::max_element(begins.begin(), begins.end());
  if (elements.numElements > 0) {
    report.imbalance =
      static_cast<double>(report.maxElements) * partition.numParts / static_cast<double>(elements.numElements);
  }
  // part by part, so that one number a vertex tells whether the part has it
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<std::int64_t> byPart(partition.partOfElement.size());
  for (std::int64_t e = 0; e < elements.numElements; ++e) {
    const auto part = static_cast<std::size_t>(partition.partOfElement[static_cast<std::size_t>(e)]);
    byPart[static_cast<std::size_t>(begins[part]++)] = e;
  }
  std::vector<std::int32_t> lastPart(static_cast<std::size_t>(numVertices), -1);
  std::vector<bool> shared(static_cast<std::size_t>(numVertices), false);
  for (const std::int64_t e : byPart) {
    const std::int32_t part = partition.partOfElement[static_cast<std::size_t>(e)];
    for (int k = 0; k < numVerticesOf(elements.typeOf(e)); ++k) {
      const auto v = static_cast<std::size_t>(elements.vertex(e, k));
      if (lastPart[v] == part) {
        continue;
      }
      if (lastPart[v] >= 0) {
        ++report.numCopies;
        report.numSharedVertices += shared[v] ? 0 : 1;
        shared[v] = true;
      }
      lastPart[v] = part;
    }
  }
  report.numCutFaces = countCutFaces(elements, partition.partOfElement, shared);
  return report;
}

#define SPANWISE_PARTITION(Real, Index)                                                                                \
  template MeshPartition partitionMesh<Real, Index>(const MeshView<Real, Index>&, int, PartitionBy);
SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_PARTITION)
template PartitionReport reportPartition<std::int32_t>(
  const ElementView<std::int32_t>&, std::int64_t, const MeshPartition&);
template PartitionReport reportPartition<std::int64_t>(
  const ElementView<std::int64_t>&, std::int64_t, const MeshPartition&);

} // namespace spanwise
