#ifndef FileState_hpp
#define FileState_hpp

#include "spanwiseReadersModule.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace spanwise {

/// What tells one state of a file from another. Who copies or unpacks files may give an older time and the same size to
/// another file; its number and the time of the last change of status are others.
struct FileState {
  using Time = std::pair<std::int64_t, std::int64_t>; ///< seconds and nanoseconds

  std::uint64_t device = 0;
  std::uint64_t number = 0;
  std::int64_t size = 0;
  Time modified;
  Time changed;
  /// Whether a later change would show: files are stamped with ticks of a clock, and a second change in one tick leaves
  /// the stamp as it is. So a file that was changed in the very tick in which it was looked at is not settled.
  bool isSettled = false;
};

/// The state of the regular file that `path` leads to; nothing if there is none. One call of the system.
SPANWISEREADERS_EXPORT std::optional<FileState> fileState(const std::string& path);
/// The same of an open file.
SPANWISEREADERS_EXPORT std::optional<FileState> fileState(int descriptor);

/// Whether the file that has the state `now` is the one that had the state `before`, and surely was not changed since.
SPANWISEREADERS_EXPORT bool isUnchanged(const FileState& before, const FileState& now);

} // namespace spanwise

#endif
