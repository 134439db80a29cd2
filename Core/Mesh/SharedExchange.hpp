#pragma once

#include "Core/Mesh/SharedVertices.hpp"
#include "Core/Parallel/Messenger.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace spanwise {

/// Values of vertices in an array, for SharedExchange.
template <class T>
struct VertexValues {
  T* values;

  [[nodiscard]] KOKKOS_FUNCTION T get(std::int64_t v) const { return values[v]; }
  KOKKOS_FUNCTION void set(std::int64_t v, const T& value) const { values[v] = value; }
};

namespace detail {

template <class T, class Access>
struct TakeShared {
  const std::int32_t* vertices;
  Access access;
  T* out;

  KOKKOS_FUNCTION void operator()(std::int64_t slot) const { out[slot] = access.get(vertices[slot]); }
};

template <class T, class Access, class Join>
struct JoinShared {
  const std::int32_t* vertices; // each once
  const std::int64_t* firstEntry;
  const std::int64_t* entries; // slots, in the order of ranks; -1: the rank's own
  const T* in;
  Access access;
  Join join;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const std::int32_t v = vertices[i];
    const T own = access.get(v);
    T all = entries[firstEntry[i]] < 0 ? own : in[entries[firstEntry[i]]];
    for (std::int64_t e = firstEntry[i] + 1; e < firstEntry[i + 1]; ++e) {
      all = join(all, entries[e] < 0 ? own : in[entries[e]]);
    }
    access.set(v, all);
  }
};

} // namespace detail

/// Brings what ranks know of the vertices that they share together. Keeps its memory, so that a repeated exchange of
/// the same type allocates nothing. Lives no longer than its communicator.
template <class ExecutionSpace>
class SharedExchange {
public:
  using Memory = typename ExecutionSpace::memory_space;

  /// O(slots log slots).
  SharedExchange(const Communicator& communicator, const SharedVertices& shared)
    : communicator_(&communicator), ranks_(shared.ranks), firstSlot_(shared.firstSlot), messenger_(communicator) {
    struct Entry {
      std::int32_t vertex;
      int rank;
      std::int64_t slot;
    };
    std::vector<Entry> all;
    for (std::size_t n = 0; n < ranks_.size(); ++n) {
      for (std::int64_t slot = firstSlot_[n]; slot < firstSlot_[n + 1]; ++slot) {
        all.push_back({shared.vertices[static_cast<std::size_t>(slot)], ranks_[n], slot});
      }
    }
    for (std::size_t k = all.size(); k-- > 0;) {
      all.push_back({all[k].vertex, communicator.rank(), -1});
    }
    const auto key = [](const Entry& entry) { return std::pair(entry.vertex, entry.rank); };
    std::sort(all.begin(), all.end(), [&](const Entry& a, const Entry& b) { return key(a) < key(b); });
    all.erase(
      std::unique(all.begin(), all.end(), [&](const Entry& a, const Entry& b) { return key(a) == key(b); }), all.end());
    std::vector<std::int32_t> vertices;
    std::vector<std::int32_t> elsewhere;
    std::vector<std::int64_t> firstEntry;
    std::vector<std::int64_t> entries;
    for (const Entry& entry : all) {
      if (vertices.empty() || vertices.back() != entry.vertex) {
        vertices.push_back(entry.vertex);
        firstEntry.push_back(static_cast<std::int64_t>(entries.size()));
        if (entry.slot >= 0 && entry.rank < communicator.rank()) {
          elsewhere.push_back(entry.vertex);
        }
      }
      entries.push_back(entry.slot);
    }
    firstEntry.push_back(static_cast<std::int64_t>(entries.size()));
    vertexOfSlot_ = copied(shared.vertices);
    vertices_ = copied(vertices);
    elsewhere_ = copied(elsewhere);
    firstEntry_ = copied(firstEntry);
    entries_ = copied(entries);
  }

  [[nodiscard]] const Communicator& communicator() const { return *communicator_; }
  [[nodiscard]] const parallel::MessageReport& report() const { return messenger_.report(); }

  /// The vertices that other ranks have too, each once.
  [[nodiscard]] const Kokkos::View<std::int32_t*, Memory>& vertices() const { return vertices_; }

  /// The vertices that a rank before this one has too: who counts each vertex once leaves them out.
  [[nodiscard]] const Kokkos::View<std::int32_t*, Memory>& elsewhere() const { return elsewhere_; }

  /// Collective. Gives each shared vertex, on all ranks that have it, join(join(a, b), c) ... of the values a, b, c ...
  /// of these ranks, in their order: the same bits on all. `access` reads and writes the value of a vertex (get(v),
  /// set(v, value)), which is copied as bytes; `join` is a functor that kernels call.
  template <class Access, class Join>
  void join(const ExecutionSpace& space, const Access& access, const Join& join) {
    using T = std::decay_t<decltype(access.get(0))>;
    static_assert(std::is_trivially_copyable_v<T>, "values are sent as bytes");
    const std::int64_t numSlots = firstSlot_.back();
    const std::int64_t bytes = numSlots * static_cast<std::int64_t>(sizeof(T));
    reserve(out_, bytes, SPANWISE_LABEL("Mesh::SharedExchange"));
    reserve(in_, bytes, SPANWISE_LABEL("Mesh::SharedExchange"));
    T* const out = reinterpret_cast<T*>(out_.data()); // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
    T* const in = reinterpret_cast<T*>(in_.data());   // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
    forEach(SPANWISE_KERNEL("take shared"), IndexRange<ExecutionSpace>(space, 0, numSlots),
      detail::TakeShared<T, Access>{vertexOfSlot_.data(), access, out});
    for (std::size_t n = 0; n < ranks_.size(); ++n) {
      const std::int64_t count = firstSlot_[n + 1] - firstSlot_[n];
      messenger_.send(ranks_[n], out + firstSlot_[n], count);
      messenger_.receive(ranks_[n], in + firstSlot_[n], count);
    }
    messenger_.start(space);
    messenger_.finish(space);
    forEach(SPANWISE_KERNEL("join shared"),
      IndexRange<ExecutionSpace>(space, 0, static_cast<std::int64_t>(vertices_.extent(0))),
      detail::JoinShared<T, Access, Join>{vertices_.data(), firstEntry_.data(), entries_.data(), in, access, join});
  }

private:
  template <class T>
  static Kokkos::View<T*, Memory> copied(const std::vector<T>& values) {
    using Host = Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    const Kokkos::View<T*, Memory> view(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Mesh::SharedExchange")), values.size());
    Kokkos::deep_copy(view, Host(values.data(), values.size()));
    return view;
  }

  const Communicator* communicator_;
  std::vector<int> ranks_;
  std::vector<std::int64_t> firstSlot_;
  Kokkos::View<std::int32_t*, Memory> vertexOfSlot_;
  Kokkos::View<std::int32_t*, Memory> vertices_;
  Kokkos::View<std::int32_t*, Memory> elsewhere_;
  Kokkos::View<std::int64_t*, Memory> firstEntry_;
  Kokkos::View<std::int64_t*, Memory> entries_;
  Kokkos::View<char*, Memory> out_;
  Kokkos::View<char*, Memory> in_;
  parallel::Messenger<ExecutionSpace> messenger_;
};

} // namespace spanwise
