#pragma once

#include <string>

namespace spanwise {

/// A file that appears under its name whole or not at all. It is written under a temporary name in the same folder,
/// ".NAME.XXXXXXXX.part"; commit() puts it in the place of what was there. Until then, and if the program or the
/// machine stops, what was there stays as it is.
class ReplacedFile {
public:
  /// Makes an empty temporary file. Throws FileError if `path` is a folder or not a regular file, or the folder cannot
  /// be written to. A symbolic link is followed: what it points to will be replaced, or made.
  explicit ReplacedFile(const std::string& path);
  /// Deletes the temporary file unless it was committed.
  ~ReplacedFile();
  ReplacedFile(const ReplacedFile&) = delete;
  ReplacedFile& operator=(const ReplacedFile&) = delete;

  /// What will be replaced.
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Where to write.
  [[nodiscard]] const std::string& temporaryPath() const { return temporary_; }

  /// Brings the temporary file to the disk and gives it the name. Throws FileError; then the old file is still there.
  void commit();

private:
  std::string path_;
  std::string temporary_;
  bool committed_ = false;
};

} // namespace spanwise
