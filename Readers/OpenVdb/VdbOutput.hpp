#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <type_traits>

namespace spanwise::vdb {

/// A file that is written from front to back, and then here and there again. Functions throw FileError where the bytes
/// cannot be written, as on a full disk.
class VdbOutput {
public:
  explicit VdbOutput(const std::string& path);

  [[nodiscard]] std::int64_t position() const { return position_; }

  void write(const void* bytes, std::size_t count);
  template <class T>
  void number(T value) {
    static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);
    write(&value, sizeof(T));
  }
  /// A text: its length in 4 bytes, then its bytes.
  void text(const std::string& text);
  /// Replaces what was written at a position.
  void replace(std::int64_t position, const void* bytes, std::size_t count);
  /// Brings what is buffered to the file and closes it.
  void close();

private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void check(bool done) const;

  std::unique_ptr<std::FILE, Close> file_;
  std::int64_t position_ = 0;
};

} // namespace spanwise::vdb
