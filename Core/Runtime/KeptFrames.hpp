#pragma once

#include "Core/Runtime/KeptFrame.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>

namespace spanwise {

/// Where frames may lie.
struct FrameStorage {
  std::int64_t memoryBytes = 4'000'000'000; ///< the most that frames take in memory, not negative
  std::string folder;                       ///< an existing folder for what is beyond; "": none

  friend bool operator==(const FrameStorage&, const FrameStorage&) = default;
};

/// The frames of a run, by consecutive numbers: in memory up to a limit, the others as files in a folder. What is read
/// has the bits that were appended.
///
/// The oldest frames leave memory first, once, and do not come back. So the last frame, from which a solver goes on, is
/// in memory; each frame is written at most once; and frames that are played in their order again and again are found
/// in memory for the share that fits, where the least recently used one would always leave just before its turn.
///
/// Files lie in a folder of this object's own within the given one, "spanwise-frames-XXXXXX", and are removed as soon
/// as they are not needed any more. What a program leaves that was killed may be deleted.
class KeptFrames {
public:
  KeptFrames() = default;
  KeptFrames(const KeptFrames&) = delete;
  KeptFrames& operator=(const KeptFrames&) = delete;
  ~KeptFrames() = default;

  /// Says where frames may lie from now on. A lower limit brings frames to the folder; those that are in a folder stay
  /// where they are. Throws InvalidArgument where the limit is negative or, without a folder, less than what frames
  /// take, and FileError where the folder is not there or cannot be written to. Nothing changes then, except that some
  /// frames may have gone to the folder.
  void setStorage(const FrameStorage& storage);
  [[nodiscard]] const FrameStorage& storage() const { return storage_; }

  /// Keeps one more frame. Its number is that of the last one + 1; the first may have any. Throws InvalidArgument where
  /// it has another, or there is no folder and it is beyond the memory limit; FileError where the folder cannot be
  /// written to, or the disk is full. All frames before are still there then. O(bytes).
  void append(KeptFrame frame);

  /// Frames [begin(), end()) are kept.
  [[nodiscard]] std::int64_t begin() const { return begin_; }
  [[nodiscard]] std::int64_t end() const { return begin_ + static_cast<std::int64_t>(frames_.size()); }
  [[nodiscard]] bool empty() const { return frames_.empty(); }

  /// A frame, which lives as long as somebody has it. One that is in the folder is read, which takes memory beyond the
  /// limit, and checked. Throws InvalidArgument where it is not kept, and FileError where its file is gone, truncated
  /// or damaged. O(1) in memory, else O(bytes).
  [[nodiscard]] std::shared_ptr<const KeptFrame> frame(std::int64_t number) const;

  /// The time of a frame that is kept, without reading it.
  [[nodiscard]] double time(std::int64_t number) const;

  /// What frames take in memory and in folders.
  [[nodiscard]] std::int64_t bytesInMemory() const { return bytesInMemory_; }
  [[nodiscard]] std::int64_t bytesInFiles() const;

  /// Forgets the frames from a number on.
  void truncate(std::int64_t end);
  /// Forgets all frames.
  void clear() { truncate(begin_); }

private:
  class Folder;
  class File;
  /// In one of the two places.
  struct Entry {
    double time = 0.0;
    std::int64_t bytes = 0;
    std::shared_ptr<const KeptFrame> inMemory;
    std::shared_ptr<const File> file;
  };

  [[nodiscard]] const Entry& entry(std::int64_t number) const;
  [[nodiscard]] std::shared_ptr<const File> write(const FrameStorage& storage, const KeptFrame& frame);
  void makeRoom(const FrameStorage& storage, std::int64_t bytes);

  FrameStorage storage_;
  std::int64_t begin_ = 0;
  std::deque<Entry> frames_;
  std::int64_t bytesInMemory_ = 0;
  std::shared_ptr<Folder> folder_; ///< in the storage's, once there is a file
};

} // namespace spanwise
