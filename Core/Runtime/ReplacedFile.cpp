#include "Core/Runtime/ReplacedFile.hpp"

#include "Core/Runtime/Error.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <random>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace spanwise {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw FileError("cannot write '" + path + "': " + why);
}

std::string systemReason() { return std::strerror(errno); }

// Has everything that was written to a file or a folder brought to the disk.
bool synchronise(const std::string& path, int flags) {
  const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC);
  if (descriptor < 0) {
    return false;
  }
  const bool done = ::fsync(descriptor) == 0;
  const int error = errno;
  ::close(descriptor);
  errno = error;
  return done;
}

// What a path leads to if it is a symbolic link, be there something or not.
fs::path followed(const std::string& path) {
  constexpr int maxLinks = 40; // as many as Linux follows
  fs::path target = path;
  std::error_code error;
  for (int k = 0; fs::is_symlink(target, error); ++k) {
    if (k == maxLinks) {
      errno = ELOOP;
      fail(path, systemReason());
    }
    target = target.parent_path() / fs::read_symlink(target, error); // an absolute one replaces the folder
  }
  return target;
}

std::string randomText() {
  std::random_device random;
  std::string text;
  for (int i = 0; i < 8; ++i) {
    text += "abcdefghijklmnopqrstuvwxyz0123456789"[random() % 36];
  }
  return text;
}

} // namespace

ReplacedFile::ReplacedFile(const std::string& path) {
  if (path.empty()) {
    fail(path, "the name is empty");
  }
  const fs::path target = followed(path);
  path_ = target.string();
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    fail(path, fs::is_directory(status) ? "it is a folder" : "it is not a regular file");
  }
  struct stat old = {};
  const bool replaces = fs::exists(status) && ::stat(path_.c_str(), &old) == 0;
  if (replaces && ::access(path_.c_str(), W_OK) != 0) {
    fail(path, systemReason()); // a rename would overwrite even what is write-protected
  }
  int descriptor = -1;
  do {
    // A name at the length limit would leave no room for what is added.
    temporary_ =
      (target.parent_path() / ("." + target.filename().string().substr(0, 200) + "." + randomText() + ".part"))
        .string();
    descriptor = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor < 0 && errno == EEXIST);
  if (descriptor < 0) {
    fail(path, systemReason());
  }
  if (replaces) {
    static_cast<void>(::fchmod(descriptor, old.st_mode & 07777)); // the new file as open to others as the old one was
  }
  ::close(descriptor);
}

ReplacedFile::~ReplacedFile() {
  if (!committed_) {
    ::unlink(temporary_.c_str());
  }
}

void ReplacedFile::commit() {
  if (!synchronise(temporary_, O_RDWR)) {
    fail(path_, systemReason());
  }
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
    fail(path_, systemReason());
  }
  committed_ = true;
  // The folder's entry too. Some file systems cannot; then the name is on the disk a little later.
  const fs::path folder = fs::path(path_).parent_path();
  static_cast<void>(synchronise(folder.empty() ? "." : folder.string(), O_RDONLY | O_DIRECTORY));
}

} // namespace spanwise
