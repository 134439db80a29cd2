#pragma once

#include "Readers/FileState.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace spanwise::hdf5 {

/// A regular file that is read by position, by any number of threads at once. Nothing is mapped, so a file that shrinks
/// while it is read gives an error and not a signal.
class InputFile {
public:
  /// Throws FileError if there is no such file, it may not be read, or it is not a regular file.
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// The file's state when it was opened first.
  [[nodiscard]] const FileState& state() const { return state_; }
  [[nodiscard]] std::uint64_t size() const { return static_cast<std::uint64_t>(state_.size); }

  /// Gives the descriptor back. Nothing can be read until reopen().
  void close();
  /// Makes the file at `path` ready to be read again, if it is the one that was opened first and is unchanged; false
  /// otherwise. Does not open what is open.
  [[nodiscard]] bool reopen(const std::string& path);
  [[nodiscard]] bool isOpen() const { return descriptor_ >= 0; }

  /// Whether [position, position + count) lies in the file.
  [[nodiscard]] bool holds(std::uint64_t position, std::uint64_t count) const {
    return position <= size() && count <= size() - position;
  }

  /// Reads `count` bytes to `to`. Throws FileError if they are not all in the file; `what` names them in the message.
  void read(std::uint64_t position, std::uint64_t count, std::byte* to, const std::string& what) const;

  /// The same to a vector, which is made only if the file holds so many bytes.
  [[nodiscard]] std::vector<std::byte> read(std::uint64_t position, std::uint64_t count, const std::string& what) const;

private:
  int descriptor_ = -1;
  FileState state_;
};

} // namespace spanwise::hdf5
