#include "Readers/Hdf5/InputFile.hpp"

#include "Readers/FileCounts.hpp"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <unistd.h>

namespace spanwise::hdf5 {

namespace {

// O_NONBLOCK: opening a named pipe would wait for a writer.
int openToRead(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  detail::fileCounts().opened += descriptor >= 0 ? 1 : 0;
  return descriptor;
}

} // namespace

InputFile::InputFile(const std::string& path) : descriptor_(openToRead(path)) {
  if (!isOpen()) {
    throw FileError(std::string("the file cannot be opened: ") + std::strerror(errno));
  }
  const std::optional<FileState> state = fileState(descriptor_);
  if (!state.has_value()) {
    close();
    throw FileError("it is not a regular file");
  }
  state_ = *state;
}

InputFile::~InputFile() { close(); }

void InputFile::close() {
  if (isOpen()) {
    ::close(descriptor_);
    descriptor_ = -1;
    ++detail::fileCounts().closed;
  }
}

bool InputFile::reopen(const std::string& path) {
  if (const auto now = fileState(path); !now.has_value() || !isUnchanged(state_, *now)) {
    return false;
  }
  if (isOpen()) {
    return true;
  }
  descriptor_ = openToRead(path);
  const auto now = isOpen() ? fileState(descriptor_) : std::nullopt;
  if (!now.has_value() || !isUnchanged(state_, *now)) { // replaced in this moment
    close();
    return false;
  }
  return true;
}

void InputFile::read(std::uint64_t position, std::uint64_t count, std::byte* to, const std::string& what) const {
  if (!holds(position, count)) {
    throw FileError(what + " would reach from byte " + std::to_string(position) + " over " + std::to_string(count) +
      " bytes, but the file has " + std::to_string(size()));
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
