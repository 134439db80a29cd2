#pragma once

#include "Core/Mesh/ElementShape.hpp"
#include "Core/Mesh/MeshView.hpp"
#include "Core/Mesh/VertexBall.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reduce.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

namespace spanwise {

// Users' functors over meshes, without atomics and with the same bits for any number of threads:
//
// - direct: forEachElement() reads the vertices of an element and writes something of the element's own.
// - indirect: forEachElement() scatters a value for each corner of an element into the corner's own slot, and
//   gatherAtVertices() joins what stands in the slots around a vertex, in the order of the elements, and writes
//   something of the vertex's own.
//
// A functor is called with an ElementIn or a VertexIn. Its operator() is a template, or takes that of one type of
// elements. It is compiled for each type by itself, so loops over the vertices of an element have a length that the
// compiler knows.

/// In the place of a type: elements of which only the mesh knows what they are.
inline constexpr ElementType anyElementType{0};

namespace detail {

template <ElementType known>
inline constexpr bool isAnyType = known == anyElementType;

} // namespace detail

/// An element as a kernel sees it: cheap to make, lives as long as the kernel. `known` is its type, or anyElementType.
template <MeshReal Real, MeshIndex Index, ElementType known>
class ElementIn {
public:
  KOKKOS_FORCEINLINE_FUNCTION ElementIn(const MeshView<Real, Index>& mesh, std::int64_t number)
    : mesh_(mesh), number_(number) {
    if constexpr (detail::isAnyType<known>) {
      type_ = mesh.elements.typeOf(number);
      firstCorner_ = mesh.elements.firstCorner(number);
    } else {
      firstCorner_ = number * numVerticesOf(known);
    }
  }

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int64_t number() const { return number_; }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION constexpr ElementType type() const {
    if constexpr (detail::isAnyType<known>) {
      return type_;
    } else {
      return known;
    }
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION constexpr int numVertices() const { return numVerticesOf(type()); }

  /// The place of a vertex in the lists of vertices: the number of the slot that the element has for it.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int64_t corner(int local) const { return firstCorner_ + local; }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int64_t vertex(int local) const {
    return mesh_.elements.vertices[corner(local)];
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Point point(int local) const { return mesh_.vertices(vertex(local)); }

  /// points[k] = point(k) for all vertices, of which there are at most maxElementVertices; faster than a loop. With
  /// other vertices than the mesh's where they are given.
  KOKKOS_FORCEINLINE_FUNCTION void readPoints(Point* points) const { readPoints(mesh_.vertices, points); }
  KOKKOS_FORCEINLINE_FUNCTION void readPoints(const VertexView<Real>& vertices, Point* points) const {
    detail::forLocals(numVertices(), [&](int k) { points[k] = vertices(vertex(k)); });
  }

private:
  const MeshView<Real, Index>& mesh_;
  std::int64_t number_;
  std::int64_t firstCorner_ = 0;
  ElementType type_ = ElementType::Edge; ///< where `known` is none
};

/// An element at a vertex, and the number that the vertex has in it.
struct Corner {
  std::int64_t element = 0;
  int local = 0;
  std::int64_t slot = 0; ///< ElementIn::corner(local) of the element
};

/// A vertex with the elements around it as a kernel sees it.
template <MeshReal Real, MeshIndex Index, ElementType known>
class VertexIn {
public:
  using Element = ElementIn<Real, Index, known>;

  KOKKOS_FORCEINLINE_FUNCTION VertexIn(const MeshView<Real, Index>& mesh, const BallView& ball, std::int64_t number)
    : mesh_(mesh), ball_(ball), number_(number) {}

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int64_t number() const { return number_; }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Point point() const { return mesh_.vertices(number_); }
  /// How many elements there are around the vertex.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION int degree() const { return ball_.degrees[number_]; }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Element element(std::int64_t number) const { return {mesh_, number}; }

  /// Entry k < degree(): elements ascend.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Corner corner(int k) const { return cornerOf(ball_(number_, k)); }

  /// Calls function(corner) for all entries, first those of the base table: faster than corner(k) for each.
  template <class Function>
  KOKKOS_FORCEINLINE_FUNCTION void forEachCorner(const Function& function) const {
    const int inBase = numInBase();
    const BallEntry* const entries = base();
    for (int k = 0; k < inBase; ++k) {
      function(cornerOf(entries[k]));
    }
    if (degree() > inBase) {
      const BallEntry* const others = overflow();
      for (int k = 0; k < degree() - inBase; ++k) {
        function(cornerOf(others[k]));
      }
    }
  }

  /// The sum of value(corner) over all entries, of each table two by two: so an addition in two waits for the one
  /// before.
  template <class Value>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION auto sumOverCorners(const Value& value) const {
    auto sum = decltype(value(Corner{})){};
    const int inBase = numInBase();
    addPairs(base(), inBase, value, sum);
    if (degree() > inBase) {
      addPairs(overflow(), degree() - inBase, value, sum);
    }
    return sum;
  }

private:
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION int numInBase() const { return Kokkos::min(degree(), ball_.width); }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION const BallEntry* base() const { return ball_.base + number_ * ball_.width; }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION const BallEntry* overflow() const {
    return ball_.overflow + ball_.overflowBegin[number_];
  }

  template <class Value, class Sum>
  KOKKOS_FORCEINLINE_FUNCTION void addPairs(const BallEntry* entries, int count, const Value& value, Sum& sum) const {
    int k = 0;
    for (; k + 1 < count; k += 2) {
      sum = sum + (value(cornerOf(entries[k])) + value(cornerOf(entries[k + 1])));
    }
    if (k < count) {
      sum = sum + value(cornerOf(entries[k]));
    }
  }

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Corner cornerOf(BallEntry entry) const {
    const std::int64_t element = BallView::element(entry);
    const int local = BallView::local(entry);
    return {element, local, Element(mesh_, element).corner(local)};
  }

  const MeshView<Real, Index>& mesh_;
  const BallView& ball_;
  std::int64_t number_;
};

namespace detail {

/// The elements of a mesh by their numbers.
template <ElementType known, MeshReal Real, MeshIndex Index>
struct ElementsOf {
  MeshView<Real, Index> mesh;
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION ElementIn<Real, Index, known> operator()(std::int64_t e) const {
    return {mesh, e};
  }
};

/// The vertices of a mesh by their numbers.
template <ElementType known, MeshReal Real, MeshIndex Index>
struct VerticesOf {
  MeshView<Real, Index> mesh;
  BallView ball;
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION VertexIn<Real, Index, known> operator()(std::int64_t v) const {
    return {mesh, ball, v};
  }
};

/// A user's functor over elements or vertices as one over numbers.
template <class Items, class Functor>
struct OverItems {
  Items items;
  Functor functor;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { functor(items(i)); }
};

/// The same of a reduction. It has the functor's own init() and join().
template <class Items, class Functor, class Value>
struct ReduceItems {
  using value_type = Value;
  Items items;
  Functor functor;

  KOKKOS_FUNCTION void operator()(std::int64_t i, Value& value) const { functor(items(i), value); }
  KOKKOS_FUNCTION void init(Value& value) const {
    if constexpr (requires { functor.init(value); }) {
      functor.init(value);
    } else {
      value = Value{};
    }
  }
  KOKKOS_FUNCTION void join(Value& value, const Value& other) const {
    if constexpr (requires { functor.join(value, other); }) {
      functor.join(value, other);
    } else {
      value += other;
    }
  }
};

/// Calls launch.template operator()<type>() with the type that all elements of a mesh are of, or with anyElementType.
/// With `only` it is that type, and InvalidArgument is thrown where the mesh has others.
template <ElementType only, MeshIndex Index, class Launch>
void withElementType(const ElementView<Index>& elements, const Launch& launch) {
  const bool isOfOneType = elements.types == nullptr && elements.offsets == nullptr;
  if constexpr (!isAnyType<only>) {
    if (!isOfOneType || elements.type != only) {
      throw InvalidArgument("a kernel for elements of the type '" + std::string(elementTypeName(only)) +
        "' was given a mesh of " +
        (isOfOneType ? "the type '" + std::string(elementTypeName(elements.type)) + "'" : "several types"));
    }
    launch.template operator()<only>();
    return;
  } else {
    if (!isOfOneType) {
      launch.template operator()<anyElementType>();
      return;
    }
    switch (elements.type) {
    case ElementType::Edge:
      return launch.template operator()<ElementType::Edge>();
    case ElementType::Triangle:
      return launch.template operator()<ElementType::Triangle>();
    case ElementType::Quadrilateral:
      return launch.template operator()<ElementType::Quadrilateral>();
    case ElementType::Tetrahedron:
      return launch.template operator()<ElementType::Tetrahedron>();
    case ElementType::Hexahedron:
      return launch.template operator()<ElementType::Hexahedron>();
    case ElementType::Prism:
      return launch.template operator()<ElementType::Prism>();
    case ElementType::Pyramid:
      return launch.template operator()<ElementType::Pyramid>();
    }
    throw InvalidArgument("elements of the type " + std::to_string(static_cast<int>(elements.type)) +
      ": it must be one of edges (3), triangles (5), quadrilaterals (9), tetrahedra (10), hexahedra (12), prisms (13) "
      "and pyramids (14)");
  }
}

/// What a user's functor takes on so many elements or vertices: a few points are read for each.
inline Work workOnMesh(std::int64_t numItems) { return {4 * numItems}; }

template <MeshReal Real, MeshIndex Index>
void checkBall(const MeshView<Real, Index>& mesh, const BallView& ball) {
  if (ball.numVertices != mesh.vertices.numVertices) {
    throw InvalidArgument("a vertex ball of " + std::to_string(ball.numVertices) + " vertices and a mesh of " +
      std::to_string(mesh.vertices.numVertices) + ": the ball must be that of the mesh");
  }
}

} // namespace detail

/// Calls functor(element) for all elements of a mesh, in any order and several at once; does not wait. With a type as
/// first template argument the functor is compiled for that type only, and InvalidArgument is thrown where the mesh has
/// others. All vertices of elements must exist (buildVertexBall() looks).
template <ElementType only = anyElementType, class ExecutionSpace, MeshReal Real, MeshIndex Index, class Functor>
void forEachElement(const ExecutionSpace& space, const MeshView<Real, Index>& mesh, const Functor& functor,
  const char* label = SPANWISE_KERNEL("each element")) {
  detail::withElementType<only>(mesh.elements, [&]<ElementType known>() {
    forEach(label, IndexRange<ExecutionSpace>(space, 0, mesh.elements.numElements),
      detail::OverItems<detail::ElementsOf<known, Real, Index>, Functor>{{mesh}, functor},
      detail::workOnMesh(mesh.elements.numElements));
  });
}

/// Reduces functor(element, value) over all elements of a mesh, and waits for the result: a sum from Value{}, or by the
/// functor's own init(value) and join(value, other). The same bits for any number of threads on the host; see reduce().
/// Else as forEachElement().
template <ElementType only = anyElementType, class ExecutionSpace, MeshReal Real, MeshIndex Index, class Functor,
  class Value>
void reduceElements(const ExecutionSpace& space, const MeshView<Real, Index>& mesh, const Functor& functor,
  Value& result, const char* label = SPANWISE_KERNEL("reduce elements")) {
  detail::withElementType<only>(mesh.elements, [&]<ElementType known>() {
    reduce(label, IndexRange<ExecutionSpace>(space, 0, mesh.elements.numElements),
      detail::ReduceItems<detail::ElementsOf<known, Real, Index>, Functor, Value>{{mesh}, functor}, result,
      detail::workOnMesh(mesh.elements.numElements));
  });
}

/// Calls functor(vertex) for all vertices of a mesh, each with the elements around it, in any order and several at
/// once; does not wait. On the host threads take vertices as they come, since balls of one part of a mesh may be larger
/// than those of another. Throws InvalidArgument where the ball is not of so many vertices; else as forEachElement().
template <ElementType only = anyElementType, class ExecutionSpace, MeshReal Real, MeshIndex Index, class Functor>
void gatherAtVertices(const ExecutionSpace& space, const MeshView<Real, Index>& mesh, const BallView& ball,
  const Functor& functor, const char* label = SPANWISE_KERNEL("each vertex")) {
  detail::checkBall(mesh, ball);
  detail::withElementType<only>(mesh.elements, [&]<ElementType known>() {
    forEach(label, UnevenRange<ExecutionSpace>(space, 0, mesh.vertices.numVertices),
      detail::OverItems<detail::VerticesOf<known, Real, Index>, Functor>{{mesh, ball}, functor},
      detail::workOnMesh(mesh.vertices.numVertices));
  });
}

/// Reduces functor(vertex, value) over all vertices of a mesh as reduceElements() does over elements.
template <ElementType only = anyElementType, class ExecutionSpace, MeshReal Real, MeshIndex Index, class Functor,
  class Value>
void reduceAtVertices(const ExecutionSpace& space, const MeshView<Real, Index>& mesh, const BallView& ball,
  const Functor& functor, Value& result, const char* label = SPANWISE_KERNEL("reduce vertices")) {
  detail::checkBall(mesh, ball);
  detail::withElementType<only>(mesh.elements, [&]<ElementType known>() {
    reduce(label, UnevenRange<ExecutionSpace>(space, 0, mesh.vertices.numVertices),
      detail::ReduceItems<detail::VerticesOf<known, Real, Index>, Functor, Value>{{mesh, ball}, functor}, result,
      detail::workOnMesh(mesh.vertices.numVertices));
  });
}

} // namespace spanwise
