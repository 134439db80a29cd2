#pragma once

#include "Core/Runtime/ArrayLength.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/KeptFrame.hpp"

#include <cstddef>
#include <format>
#include <span>
#include <type_traits>

namespace spanwise {

namespace detail {

/// Where an array of elements of some alignment begins behind `offset` bytes.
inline std::size_t alignedOffset(std::size_t offset, std::size_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

} // namespace detail

/// Puts a solver's arrays and numbers into the bytes of a frame, one behind the other. The same memory is used again
/// where it is large enough.
class FrameWriter {
public:
  /// Starts with an empty frame. `numBytes`, of all that will be written, saves moves of memory; it may be less.
  explicit FrameWriter(KeptFrame& frame, std::size_t numBytes = 0) : bytes_(frame.bytes) {
    bytes_.clear();
    bytes_.reserve(numBytes);
  }

  /// Room for an array, to be filled before the next one is asked for. No length is stored.
  template <class T>
  std::span<T> array(std::int64_t count) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));
    const std::size_t length = arrayLength<T>(count);
    const std::size_t begin = detail::alignedOffset(bytes_.size(), alignof(T));
    bytes_.resize(begin + length * sizeof(T));
    return {reinterpret_cast<T*>(bytes_.data() + begin), length};
  }

  template <class T>
  void number(const T& value) {
    array<T>(1).front() = value;
  }

private:
  FrameBytes& bytes_;
};

/// Reads what a FrameWriter has written, in the same order.
class FrameReader {
public:
  /// The frame must outlive what is read.
  explicit FrameReader(const KeptFrame& frame) : frame_(frame) {}

  /// The next array. Throws Error where the frame does not hold as much.
  template <class T>
  std::span<const T> array(std::int64_t count) {
    const std::size_t length = arrayLength<T>(count);
    const std::size_t begin = detail::alignedOffset(offset_, alignof(T));
    if (begin > frame_.bytes.size() || length > (frame_.bytes.size() - begin) / sizeof(T)) {
      throw Error(std::format("frame {} has {} bytes; it must have {} values of {} bytes from byte {} on",
        frame_.number, frame_.bytes.size(), length, sizeof(T), begin));
    }
    offset_ = begin + length * sizeof(T);
    return {reinterpret_cast<const T*>(frame_.bytes.data() + begin), length};
  }

  template <class T>
  T number() {
    return array<T>(1).front();
  }

private:
  const KeptFrame& frame_;
  std::size_t offset_ = 0;
};

} // namespace spanwise
