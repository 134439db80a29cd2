#include "Core/Runtime/StateFile.hpp"

#include "Core/Runtime/Checksum.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <format>
#include <limits>
#include <span>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace spanwise {

namespace {

constexpr std::array<char, 8> magic{'S', 'p', 'a', 'n', 'S', 't', 'a', 't'};
constexpr std::uint32_t version = 1;
constexpr std::size_t maxAtOnce = std::size_t{1} << 30; // Linux reads and writes less than 2 GiB in one call

/// The file: this, the text of the run, and the bytes of the frame.
struct Head {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t runBytes;
  std::int32_t part;
  std::int32_t numParts;
  std::uint64_t state;
  std::int64_t number;
  double time;
  std::uint64_t frameBytes;
  std::uint64_t frameChecksum;
  std::uint64_t headChecksum; ///< of the head with 0 here, and the run
};
static_assert(sizeof(Head) == 72);

std::uint64_t checksumOf(Head head, const std::string& run) {
  head.headChecksum = 0;
  std::vector<std::byte> bytes(sizeof(head) + run.size());
  std::memcpy(bytes.data(), &head, sizeof(head));
  std::copy_n(reinterpret_cast<const std::byte*>(run.data()), run.size(), bytes.data() + sizeof(head));
  return checksum(bytes);
}

std::string systemReason() { return std::strerror(errno); }

/// An open file.
class Descriptor {
public:
  Descriptor(const std::string& path, int flags) : number_(::open(path.c_str(), flags | O_CLOEXEC)) {}
  ~Descriptor() {
    if (number_ >= 0) {
      ::close(number_);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] bool isOpen() const { return number_ >= 0; }
  [[nodiscard]] int number() const { return number_; }

private:
  int number_;
};

/// Whether all bytes could be written; otherwise errno says why not.
bool writeAll(const Descriptor& file, const void* data, std::size_t count) {
  const auto* next = static_cast<const char*>(data);
  while (count > 0) {
    const ssize_t done = ::write(file.number(), next, std::min(count, maxAtOnce));
    if (done < 0 && errno == EINTR) {
      continue;
    }
    if (done <= 0) {
      return false;
    }
    next += done;
    count -= static_cast<std::size_t>(done);
  }
  return true;
}

/// Reads a file piece by piece.
class Input {
public:
  explicit Input(const std::string& path) : path_(path), file_(path, O_RDONLY) {
    struct stat status = {};
    if (!file_.isOpen() || ::fstat(file_.number(), &status) != 0) {
      fail(systemReason());
    }
    if (!S_ISREG(status.st_mode)) {
      fail("it is not a regular file");
    }
    size_ = static_cast<std::uint64_t>(status.st_size);
  }

  [[nodiscard]] std::uint64_t size() const { return size_; }

  void read(void* data, std::size_t count) const {
    auto* next = static_cast<char*>(data);
    while (count > 0) {
      const ssize_t done = ::read(file_.number(), next, std::min(count, maxAtOnce));
      if (done < 0 && errno == EINTR) {
        continue;
      }
      if (done <= 0) {
        fail(done == 0 ? "it became shorter meanwhile" : systemReason());
      }
      next += done;
      count -= static_cast<std::size_t>(done);
    }
  }

  [[noreturn]] void fail(const std::string& why) const { throw FileError("cannot read '" + path_ + "': " + why); }

private:
  const std::string& path_;
  Descriptor file_;
  std::uint64_t size_ = 0;
};

/// Throws unless the file is as long as its head says.
void checkSize(const Input& file, const Head& head) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max() - sizeof(Head) - head.runBytes;
  if (head.frameBytes > most || file.size() != sizeof(Head) + head.runBytes + head.frameBytes) {
    file.fail(std::format("it has {} bytes, other than it says: it is truncated or damaged", file.size()));
  }
}

} // namespace

void writeState(const ReplacedFile& file, const StateLabel& label, const KeptFrame& frame) {
  Head head{magic, version, static_cast<std::uint32_t>(label.run.size()), label.part, label.numParts, label.state,
    frame.number, frame.time, frame.bytes.size(), checksum(frame.bytes), 0};
  head.headChecksum = checksumOf(head, label.run);
  const Descriptor output(file.temporaryPath(), O_WRONLY | O_TRUNC);
  if (!output.isOpen() || !writeAll(output, &head, sizeof(head)) ||
    !writeAll(output, label.run.data(), label.run.size()) ||
    !writeAll(output, frame.bytes.data(), frame.bytes.size())) {
    throw FileError("cannot write '" + file.path() + "': " + systemReason());
  }
}

StoredState readState(const std::string& path, const std::string& run, int part, int numParts) {
  const Input file(path);
  Head head{};
  file.read(&head, static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), sizeof(head))));
  if (head.magic != magic) {
    file.fail("it does not hold the state of a Spanwise solver");
  }
  if (file.size() < sizeof(head)) {
    file.fail(std::format("it has {} bytes: it is truncated", file.size()));
  }
  if (head.version != version) {
    file.fail(std::format("it has version {}, and this program reads version {}", head.version, version));
  }
  checkSize(file, head);
  StoredState stored;
  stored.label.run.resize(head.runBytes);
  file.read(stored.label.run.data(), head.runBytes);
  if (head.headChecksum != checksumOf(head, stored.label.run)) {
    file.fail("its head is damaged");
  }
  if (stored.label.run != run) {
    file.fail(std::format("it is of another run, '{}', and this one is '{}'", stored.label.run, run));
  }
  if (head.part != part || head.numParts != numParts) {
    file.fail(std::format(
      "it is part {} of {}, and part {} of {} is asked for", head.part + 1, head.numParts, part + 1, numParts));
  }
  stored.label.part = head.part;
  stored.label.numParts = head.numParts;
  stored.label.state = head.state;
  stored.frame.number = head.number;
  stored.frame.time = head.time;
  stored.frame.bytes.resize(static_cast<std::size_t>(head.frameBytes));
  file.read(stored.frame.bytes.data(), stored.frame.bytes.size());
  if (head.frameChecksum != checksum(stored.frame.bytes)) {
    file.fail("its values are damaged");
  }
  return stored;
}

} // namespace spanwise
