#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>

namespace spanwise {

/// The bytes of a frame, which grow at their end. Bytes that were added have no value until they are written, so that
/// those who write them are the first to touch their pages: all threads at once. Large ones grow without a copy where
/// the system can move pages, and ask for large pages.
class FrameBytes {
public:
  FrameBytes() = default;
  /// So many bytes without values. Throws std::bad_alloc where memory is short, as all that makes them more.
  explicit FrameBytes(std::size_t size) { resize(size); }
  explicit FrameBytes(std::span<const std::byte> bytes);
  FrameBytes(const FrameBytes& from) : FrameBytes(std::span(from.data(), from.size())) {}
  FrameBytes(FrameBytes&& from) noexcept { swap(from); }
  FrameBytes& operator=(FrameBytes from) noexcept {
    swap(from);
    return *this;
  }
  ~FrameBytes() = default;

  /// Keeps what is there, up to that size. Never gives memory back.
  void resize(std::size_t size);
  void reserve(std::size_t capacity);
  void clear() { size_ = 0; }
  void swap(FrameBytes& other) noexcept;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::byte* data() { return memory_.get(); }
  [[nodiscard]] const std::byte* data() const { return memory_.get(); }
  [[nodiscard]] std::byte* begin() { return data(); }
  [[nodiscard]] std::byte* end() { return data() + size_; }
  [[nodiscard]] const std::byte* begin() const { return data(); }
  [[nodiscard]] const std::byte* end() const { return data() + size_; }

private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };

  std::unique_ptr<std::byte, Free> memory_; ///< of realloc(), which moves pages
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

bool operator==(const FrameBytes& a, const FrameBytes& b);

} // namespace spanwise
