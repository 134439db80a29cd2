#pragma once

#include "Readers/Hdf5/InputFile.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace spanwise::vdb {

static_assert(std::endian::native == std::endian::little, ".vdb files are little-endian and are read as they are");

/// A stretch of a file that is read from front to back, through a window of some kilobytes, and never past its end.
class Cursor {
public:
  /// The bytes [position, end) of the file. `what` names them in messages. Throws FileError if the file has fewer.
  Cursor(const hdf5::InputFile& file, std::uint64_t position, std::uint64_t end, std::string what);

  [[nodiscard]] std::uint64_t position() const { return position_; }
  [[nodiscard]] std::uint64_t left() const { return end_ - position_; }
  [[nodiscard]] const std::string& what() const { return what_; }

  /// The next `count` bytes to `to`. Throws FileError if there are fewer.
  void read(void* to, std::uint64_t count);
  /// Passes over `count` bytes without reading them.
  void skip(std::uint64_t count);

  template <class T>
  T number() {
    static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);
    T value;
    read(&value, sizeof(T));
    return value;
  }

  /// A text: its length in 4 bytes, then its bytes.
  std::string text();

private:
  void check(std::uint64_t count) const;

  const hdf5::InputFile& file_;
  std::uint64_t position_;
  std::uint64_t end_;
  std::string what_;
  std::vector<std::byte> window_;
  std::uint64_t windowBegin_ = 0;
};

} // namespace spanwise::vdb
