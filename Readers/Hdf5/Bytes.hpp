#pragma once

#include "Core/Runtime/Error.hpp"

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>

namespace spanwise::hdf5 {

static_assert(std::endian::native == std::endian::little, "files are little-endian and are read as they are");

/// A run of bytes that is read from front to back and never past its end.
class Bytes {
public:
  /// `what` names the run in messages.
  Bytes(std::span<const std::byte> data, std::string what) : rest_(data), what_(std::move(what)) {}

  [[nodiscard]] std::size_t left() const { return rest_.size(); }
  [[nodiscard]] const std::string& what() const { return what_; }

  /// The next `count` bytes. Throws FileError if there are fewer.
  std::span<const std::byte> take(std::uint64_t count) {
    if (count > rest_.size()) {
      throw FileError(what_ + " ends early: " + std::to_string(count) + " bytes are wanted and " +
        std::to_string(rest_.size()) + " are left");
    }
    const auto result = rest_.first(static_cast<std::size_t>(count));
    rest_ = rest_.subspan(static_cast<std::size_t>(count));
    return result;
  }

  template <std::unsigned_integral T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }

  /// A number of 1 to 8 bytes.
  std::uint64_t numberOf(int bytes) {
    if (bytes < 1 || bytes > 8) {
      throw FileError(what_ + " has a number of " + std::to_string(bytes) + " bytes; 1 to 8 are possible");
    }
    std::uint64_t value = 0;
    std::memcpy(&value, take(static_cast<std::uint64_t>(bytes)).data(), static_cast<std::size_t>(bytes));
    return value;
  }

  std::string text(std::uint64_t count) {
    const auto bytes = take(count);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  /// Takes `expected`, or throws FileError.
  void expect(const std::string& expected) {
    if (text(expected.size()) != expected) {
      throw FileError(what_ + " does not begin with the signature " + expected);
    }
  }

private:
  std::span<const std::byte> rest_;
  std::string what_;
};

} // namespace spanwise::hdf5
