#pragma once

#include "Core/Runtime/ArrayLength.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/LargePages.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace spanwise {

/// Scratch memory that outlives an operation, so that a repeated operation allocates nothing.
///
/// A function opens a Frame, takes arrays from it, and gives them all back when the frame closes. Frames nest. After
/// the outermost frame closed, everything that was ever needed at once is one block: from then on the same sequence of
/// requests is served without an allocation.
///
/// A workspace serves one execution-space instance at a time: an array may still be in use by a kernel of that instance
/// when its frame closes, and the next kernel of the same instance runs after it.
template <class MemorySpace>
class Workspace {
  struct Mark {
    std::size_t block = 0;
    std::size_t offset = 0;
  };

public:
  using memory_space = MemorySpace;
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  Workspace() = default;
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  Workspace(Workspace&&) noexcept = default;
  Workspace& operator=(Workspace&&) noexcept = default;
  ~Workspace() = default;

  class Frame {
  public:
    explicit Frame(Workspace& workspace) : workspace_(workspace), mark_(workspace.top_) { ++workspace_.depth_; }
    ~Frame() { workspace_.close(mark_); }
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

    /// An array of `count` elements with undefined contents, valid until the frame closes. Throws if there is no
    /// memory.
    template <class T>
    Array<T> array(std::int64_t count) {
      const std::size_t length = arrayLength<T>(count);
      return Array<T>(reinterpret_cast<T*>(workspace_.take(length * sizeof(T))), length);
    }

  private:
    Workspace& workspace_;
    Mark mark_;
  };

  /// Bytes held, in use or not.
  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = 0;
    for (const auto& block : blocks_) {
      sum += block.extent(0);
    }
    return sum;
  }

  /// Gives all memory back. No frame may be open.
  void clear() {
    blocks_.clear();
    top_ = {};
  }

private:
  using Block = Kokkos::View<char*, MemorySpace>;

  static constexpr std::size_t alignment = 256; // a device's coalescing unit, and more than a cache line

  static std::size_t aligned(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

  static Block allocate(std::size_t bytes) {
    Block block(Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Runtime::Workspace")), bytes);
    if constexpr (std::is_same_v<MemorySpace, Kokkos::HostSpace>) {
      preferLargePages(block.data(), bytes);
    }
    return block;
  }

  char* take(std::size_t bytes) {
    bytes = aligned(std::max<std::size_t>(bytes, 1));
    while (top_.block < blocks_.size() && top_.offset + bytes > blocks_[top_.block].extent(0)) {
      top_ = {top_.block + 1, 0};
    }
    if (top_.block == blocks_.size()) {
      blocks_.push_back(allocate(std::max(bytes, this->bytes() / 2)));
    }
    char* result = blocks_[top_.block].data() + top_.offset;
    top_.offset += bytes;
    return result;
  }

  void close(const Mark& mark) {
    top_ = mark;
    if (--depth_ == 0 && blocks_.size() > 1) {
      const std::size_t total = bytes();
      blocks_.clear();
      try {
        blocks_.push_back(allocate(total));
      } catch (...) { // NOLINT(bugprone-empty-catch): closing does not fail; the next frame takes piece by piece again
        blocks_.clear();
      }
    }
  }

  std::vector<Block> blocks_;
  Mark top_;
  int depth_ = 0;
};

} // namespace spanwise
