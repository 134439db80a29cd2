#include "Readers/Hdf5/InputFile.hpp"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace spanwise::hdf5 {

InputFile::InputFile(const std::string& path) {
  // O_NONBLOCK: opening a named pipe would wait for a writer.
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) {
    throw FileError(std::string("the file cannot be opened: ") + std::strerror(errno));
  }
  struct stat status = {};
  if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor_);
    throw FileError("it is not a regular file");
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
}

InputFile::~InputFile() { ::close(descriptor_); }

void InputFile::read(std::uint64_t position, std::uint64_t count, std::byte* to, const std::string& what) const {
  if (!holds(position, count)) {
    throw FileError(what + " would reach from byte " + std::to_string(position) + " over " + std::to_string(count) +
      " bytes, but the file has " + std::to_string(size_));
  }
  while (count > 0) {
    constexpr std::uint64_t most = 1U << 30; // the kernel reads at most 2 GiB at once
    const ssize_t got =
      ::pread(descriptor_, to, static_cast<std::size_t>(std::min(count, most)), static_cast<off_t>(position));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      throw FileError(what + " cannot be read at byte " + std::to_string(position) + ": " +
        (got < 0 ? std::strerror(errno) : "the file became shorter"));
    }
    to += got;
    position += static_cast<std::uint64_t>(got);
    count -= static_cast<std::uint64_t>(got);
  }
}

std::vector<std::byte> InputFile::read(std::uint64_t position, std::uint64_t count, const std::string& what) const {
  if (!holds(position, count)) {
    read(position, count, nullptr, what); // throws
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(count));
  read(position, count, bytes.data(), what);
  return bytes;
}

} // namespace spanwise::hdf5
