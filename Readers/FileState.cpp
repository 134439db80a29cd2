#include "FileState.hpp"

#include <ctime>
#include <tuple>

#include <sys/stat.h>

namespace spanwise {

namespace {

FileState::Time timeOf(const timespec& time) { return {time.tv_sec, time.tv_nsec}; }

// The clock that Linux stamps files with. Asked before the file is: what changes later has this stamp or a later one.
FileState::Time clockOfFiles() {
  timespec now = {};
  ::clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return timeOf(now);
}

template <class Ask>
std::optional<FileState> askedState(const Ask& ask) {
  const FileState::Time now = clockOfFiles();
  struct stat status = {};
  if (ask(status) != 0 || !S_ISREG(status.st_mode)) {
    return std::nullopt;
  }
  const FileState::Time changed = timeOf(status.st_ctim);
  return FileState{status.st_dev, status.st_ino, status.st_size, timeOf(status.st_mtim), changed, changed < now};
}

auto identityOf(const FileState& state) {
  return std::tie(state.device, state.number, state.size, state.modified, state.changed);
}

} // namespace

std::optional<FileState> fileState(const std::string& path) {
  return askedState([&](struct stat& status) { return ::stat(path.c_str(), &status); });
}

std::optional<FileState> fileState(int descriptor) {
  return askedState([&](struct stat& status) { return ::fstat(descriptor, &status); });
}

bool isUnchanged(const FileState& before, const FileState& now) {
  return before.isSettled && identityOf(before) == identityOf(now);
}

} // namespace spanwise
