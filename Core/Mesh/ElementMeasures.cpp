#include "Core/Mesh/ElementMeasures.hpp"

#include "Core/Mesh/Kernels.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Label.hpp"

#include <cstddef>
#include <string>

namespace spanwise {

namespace {

template <class Real>
struct WriteBarycentre {
  Real* barycentres;

  template <class Element>
  KOKKOS_FUNCTION void operator()(const Element& element) const {
    Point points[maxElementVertices];
    element.readPoints(points);
    const Point centre = barycentre(element.type(), points);
    for (int axis = 0; axis < 3; ++axis) {
      barycentres[3 * element.number() + axis] = static_cast<Real>(centre[axis]);
    }
  }
};

struct WriteMeasure {
  double* measures;

  template <class Element>
  KOKKOS_FUNCTION void operator()(const Element& element) const {
    Point points[maxElementVertices];
    element.readPoints(points);
    measures[element.number()] = measure(element.type(), points);
  }
};

struct WriteQuality {
  double* qualities;

  template <class Element>
  KOKKOS_FUNCTION void operator()(const Element& element) const {
    Point points[maxElementVertices];
    element.readPoints(points);
    qualities[element.number()] = meanRatio(element.type(), points);
  }
};

void checkLength(const char* what, std::size_t length, std::int64_t needed) {
  if (length != static_cast<std::size_t>(needed)) {
    throw InvalidArgument(std::string(what) + ": an array of " + std::to_string(length) +
      " values was given, and there are to be " + std::to_string(needed));
  }
}

} // namespace

template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void computeBarycentres(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh,
  const Kokkos::View<Real*, typename ExecutionSpace::memory_space>& barycentres) {
  SPANWISE_REGION("Mesh::computeBarycentres");
  checkLength("barycentres", barycentres.extent(0), 3 * mesh.elements.numElements);
  forEachElement(context.space(), mesh, WriteBarycentre<Real>{barycentres.data()}, SPANWISE_KERNEL("barycentres"));
}

template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void computeMeasures(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& measures) {
  SPANWISE_REGION("Mesh::computeMeasures");
  checkLength("measures of elements", measures.extent(0), mesh.elements.numElements);
  forEachElement(context.space(), mesh, WriteMeasure{measures.data()}, SPANWISE_KERNEL("measures"));
}

template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void computeQualities(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& qualities) {
  SPANWISE_REGION("Mesh::computeQualities");
  checkLength("qualities of elements", qualities.extent(0), mesh.elements.numElements);
  forEachElement(context.space(), mesh, WriteQuality{qualities.data()}, SPANWISE_KERNEL("qualities"));
}

#define SPANWISE_ELEMENT_MEASURES_OF(Real, Index, Space)                                                               \
  template void computeBarycentres<Space, Real, Index>(                                                                \
    const Context<Space>&, const MeshView<Real, Index>&, const Kokkos::View<Real*, Space::memory_space>&);             \
  template void computeMeasures<Space, Real, Index>(                                                                   \
    const Context<Space>&, const MeshView<Real, Index>&, const Kokkos::View<double*, Space::memory_space>&);           \
  template void computeQualities<Space, Real, Index>(                                                                  \
    const Context<Space>&, const MeshView<Real, Index>&, const Kokkos::View<double*, Space::memory_space>&);
#define SPANWISE_ELEMENT_MEASURES(Space) SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_ELEMENT_MEASURES_OF, Space)
SPANWISE_FOR_EACH_SPACE(SPANWISE_ELEMENT_MEASURES)

} // namespace spanwise
