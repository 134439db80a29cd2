#include "Core/Runtime/FrameBytes.hpp"

#include "Core/Runtime/LargePages.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

namespace spanwise {

FrameBytes::FrameBytes(std::span<const std::byte> bytes) {
  resize(bytes.size());
  std::ranges::copy(bytes, data());
}

void FrameBytes::resize(std::size_t size) {
  if (size > capacity_) {
    reserve(std::max(size, size + size / 8)); // what is not written takes no memory
  }
  size_ = size;
}

void FrameBytes::reserve(std::size_t capacity) {
  if (capacity <= capacity_) {
    return;
  }
  if (capacity > static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max())) { // no object has so many
    throw std::bad_alloc();
  }
  std::byte* const before = memory_.release();
  void* const moved = std::realloc(before, capacity);
  memory_.reset(moved != nullptr ? static_cast<std::byte*>(moved) : before);
  if (moved == nullptr) {
    throw std::bad_alloc();
  }
  capacity_ = capacity;
  preferLargePages(data() + size_, capacity - size_);
}

void FrameBytes::swap(FrameBytes& other) noexcept {
  memory_.swap(other.memory_);
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
}

bool operator==(const FrameBytes& a, const FrameBytes& b) { return std::ranges::equal(a, b); }

} // namespace spanwise
