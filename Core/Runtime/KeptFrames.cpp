#include "Core/Runtime/KeptFrames.hpp"

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/StateFile.hpp"

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <format>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

namespace spanwise {

namespace {

[[noreturn]] void failFolder(const std::string& path) {
  throw FileError(std::format("cannot keep frames in the folder '{}': {}", path, std::strerror(errno)));
}

void checkFolder(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) {
    failFolder(path);
  }
  if (!S_ISDIR(status.st_mode)) {
    errno = ENOTDIR;
    failFolder(path);
  }
  if (::access(path.c_str(), W_OK | X_OK) != 0) {
    failFolder(path);
  }
}

double megabytes(std::int64_t bytes) { return 1e-6 * static_cast<double>(bytes); }

} // namespace

/// A new folder for files of frames, which goes with the last of them.
class KeptFrames::Folder {
public:
  explicit Folder(const std::string& parent)
    : path_((std::filesystem::path(parent) / "spanwise-frames-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) {
      failFolder(parent);
    }
  }
  ~Folder() { ::rmdir(path_.c_str()); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

private:
  std::string path_;
};

/// The file of a frame, which goes with this object.
class KeptFrames::File {
public:
  File(std::shared_ptr<const Folder> folder, const KeptFrame& frame)
    : folder_(std::move(folder)), path_(std::format("{}/frame-{}", folder_->path(), frame.number)) {
    ReplacedFile file(path_);
    writeState(file, {.run = folder_->path()}, frame);
    file.commit();
  }
  ~File() { ::unlink(path_.c_str()); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  [[nodiscard]] KeptFrame read() const { return readState(path_, folder_->path()).frame; }

private:
  std::shared_ptr<const Folder> folder_;
  std::string path_;
};

void KeptFrames::setStorage(const FrameStorage& storage) {
  if (storage == storage_) {
    return;
  }
  if (storage.memoryBytes < 0) {
    throw InvalidArgument(
      std::format("the memory limit of frames is {} bytes; it must not be negative", storage.memoryBytes));
  }
  if (!storage.folder.empty()) {
    checkFolder(storage.folder);
  } else if (bytesInMemory_ > storage.memoryBytes) {
    throw InvalidArgument(std::format(
      "frames take {:g} MB, beyond the memory limit of {:g} MB: raise it to {:.0f} MB, or name a folder for frames",
      megabytes(bytesInMemory_), megabytes(storage.memoryBytes), std::ceil(megabytes(bytesInMemory_))));
  }
  const std::shared_ptr<Folder> before = folder_; // lives as long as it has files
  if (storage.folder != storage_.folder) {
    folder_ = nullptr;
  }
  try {
    makeRoom(storage, 0);
  } catch (...) {
    folder_ = before;
    throw;
  }
  storage_ = storage;
}

void KeptFrames::append(KeptFrame frame) {
  if (!empty() && frame.number != end()) {
    throw InvalidArgument(std::format("frame {} is kept after frame {}; it must be the next", frame.number, end() - 1));
  }
  const auto bytes = static_cast<std::int64_t>(frame.bytes.size());
  if (storage_.folder.empty() && bytesInMemory_ + bytes > storage_.memoryBytes) {
    throw InvalidArgument(
      std::format("frame {} takes {:g} MB and the frames before it {:g} MB, beyond the memory limit "
                  "of {:g} MB: raise it to {:.0f} MB, or name a folder for frames",
        frame.number, megabytes(bytes), megabytes(bytesInMemory_), megabytes(storage_.memoryBytes),
        std::ceil(megabytes(bytesInMemory_ + bytes))));
  }
  Entry entry{frame.time, bytes, nullptr, nullptr};
  const std::int64_t number = frame.number;
  if (bytes > storage_.memoryBytes) { // no room would do
    entry.file = write(storage_, frame);
  } else {
    makeRoom(storage_, bytes);
    entry.inMemory = std::make_shared<const KeptFrame>(std::move(frame));
  }
  const bool isInMemory = entry.inMemory != nullptr;
  frames_.push_back(std::move(entry));
  if (frames_.size() == 1) {
    begin_ = number;
  }
  bytesInMemory_ += isInMemory ? bytes : 0;
}

std::shared_ptr<const KeptFrames::File> KeptFrames::write(const FrameStorage& storage, const KeptFrame& frame) {
  if (folder_ == nullptr) {
    folder_ = std::make_shared<Folder>(storage.folder);
  }
  return std::make_shared<const File>(folder_, frame);
}

/// Brings the oldest frames to the folder until so many bytes fit into memory beside the others.
void KeptFrames::makeRoom(const FrameStorage& storage, std::int64_t bytes) {
  for (Entry& entry : frames_) {
    if (bytesInMemory_ + bytes <= storage.memoryBytes) {
      return;
    }
    if (entry.inMemory != nullptr) {
      entry.file = write(storage, *entry.inMemory);
      entry.inMemory = nullptr;
      bytesInMemory_ -= entry.bytes;
    }
  }
}

const KeptFrames::Entry& KeptFrames::entry(std::int64_t number) const {
  if (number < begin() || number >= end()) {
    throw InvalidArgument(std::format("frame {} is not kept; those from {} to {} are", number, begin(), end() - 1));
  }
  return frames_[static_cast<std::size_t>(number - begin_)];
}

std::shared_ptr<const KeptFrame> KeptFrames::frame(std::int64_t number) const {
  const Entry& of = entry(number);
  return of.inMemory != nullptr ? of.inMemory : std::make_shared<const KeptFrame>(of.file->read());
}

double KeptFrames::time(std::int64_t number) const { return entry(number).time; }

std::int64_t KeptFrames::bytesInFiles() const {
  std::int64_t bytes = 0;
  for (const Entry& entry : frames_) {
    bytes += entry.file != nullptr ? entry.bytes : 0;
  }
  return bytes;
}

void KeptFrames::truncate(std::int64_t end) {
  while (!frames_.empty() && this->end() > end) {
    bytesInMemory_ -= frames_.back().inMemory != nullptr ? frames_.back().bytes : 0;
    frames_.pop_back();
  }
}

} // namespace spanwise
