#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace spanwise::testing {

/// A new, empty folder, which goes with this object and all that is in it.
class TemporaryFolder {
public:
  TemporaryFolder() : path_((std::filesystem::temp_directory_path() / "spanwise-test-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) {
      throw std::runtime_error("no folder for files of a test: " + path_);
    }
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string operator/(const std::string& name) const {
    return (std::filesystem::path(path_) / name).string();
  }

  /// How many files there are, in folders within it too.
  [[nodiscard]] int numFiles() const {
    int count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path_)) {
      count += entry.is_regular_file() ? 1 : 0;
    }
    return count;
  }

private:
  std::string path_;
};

} // namespace spanwise::testing
