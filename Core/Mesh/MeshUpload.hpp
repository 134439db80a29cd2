#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Runtime/HostCopy.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace spanwise {

/// A mesh whose arrays lie in the host's memory, where the kernels of an execution space read it. On the host that is
/// the arrays themselves; a device gets one copy, which counts as bytes moved to the device in the runtime's report.
/// The arrays must live as long as this does.
template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
class MeshUpload {
public:
  MeshUpload() = default;

  /// Copies, and waits for it, unless the execution space reads the host's memory.
  MeshUpload(const ExecutionSpace& space, const MeshView<Real, Index>& host) : view_(host) {
    if constexpr (!runsOnHost<ExecutionSpace>) {
      copyVertices(space, host.vertices);
      copyElements(space, host.elements);
      space.fence(SPANWISE_LABEL("Mesh::MeshUpload"));
    }
  }

  [[nodiscard]] const MeshView<Real, Index>& view() const { return view_; }

private:
  using Memory = typename ExecutionSpace::memory_space;
  template <class T>
  using Array = Kokkos::View<T*, Memory>;

  template <class T>
  static const T* copy(const ExecutionSpace& space, const T* from, std::int64_t count, Array<T>& to) {
    if (from == nullptr || count == 0) {
      return nullptr;
    }
    reserve(to, count, SPANWISE_LABEL("Mesh::uploaded"));
    copyFromHost(space, from, count, to.data());
    return to.data();
  }

  /// Interleaved coordinates in one piece, else axis by axis.
  void copyVertices(const ExecutionSpace& space, const VertexView<Real>& host) {
    const std::int64_t n = host.numVertices;
    const std::int64_t span = n > 0 ? (n - 1) * host.stride + 1 : 0;
    if (host.axis[1] == host.axis[0] + 1 && host.axis[2] == host.axis[0] + 2 && host.stride >= 3) {
      const Real* const at = copy(space, host.axis[0], n > 0 ? span + 2 : 0, axes_[0]);
      view_.vertices.axis[0] = at;
      view_.vertices.axis[1] = at != nullptr ? at + 1 : nullptr;
      view_.vertices.axis[2] = at != nullptr ? at + 2 : nullptr;
      return;
    }
    for (int d = 0; d < 3; ++d) {
      view_.vertices.axis[d] = copy(space, host.axis[d], span, axes_[d]);
    }
  }

  void copyElements(const ExecutionSpace& space, const ElementView<Index>& host) {
    const std::int64_t n = host.numElements;
    view_.elements.vertices = copy(space, host.vertices, host.firstCorner(n), vertices_);
    view_.elements.offsets = copy(space, host.offsets, n + 1, offsets_);
    view_.elements.types = copy(space, host.types, n, types_);
  }

  MeshView<Real, Index> view_;
  Array<Real> axes_[3];
  Array<Index> vertices_;
  Array<Index> offsets_;
  Array<ElementType> types_;
};

} // namespace spanwise
