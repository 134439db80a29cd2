#pragma once

// Damaged files, and a child process that reads them.

#include "Readers/Hdf5/Checksums.hpp"
#include "Readers/Hdf5/Dataset.hpp"
#include "Readers/Hdf5/InputFile.hpp"
#include "Readers/Hdf5/Structure.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace spanwise::testing {

using FileBytes = std::vector<char>;

inline FileBytes load(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void store(const std::string& path, const FileBytes& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// Where a file's checksums are: blocks of metadata, which end with theirs, and chunks of arrays, which do too.
struct Checksummed {
  std::vector<hdf5::Structure::Block> blocks;
  std::vector<hdf5::Structure::Block> chunks;
};

/// Finds every checksum of a whole file.
inline Checksummed findChecksums(const std::string& path) {
  Checksummed result;
  const hdf5::InputFile file(path);
  hdf5::Structure structure(file);
  result.blocks.push_back({0, 48});
  structure.noteBlocks(&result.blocks);
  std::set<std::uint64_t> seen;
  const std::function<void(std::uint64_t)> visit = [&](std::uint64_t address) {
    if (!seen.insert(address).second) {
      return;
    }
    const hdf5::Object object = structure.object(address, "an object");
    for (const hdf5::Link& link : object.links) {
      visit(link.address);
    }
    if (object.layout.has_value()) {
      const hdf5::Dataset dataset(structure, address, "a dataset");
      for (const hdf5::Chunk& chunk : dataset.chunks()) {
        result.chunks.push_back({chunk.address, chunk.storedBytes});
      }
    }
  };
  visit(structure.rootAddress());
  return result;
}

inline std::uint32_t checksumOf(const FileBytes& bytes, const hdf5::Structure::Block& block, bool isChunk) {
  const auto data = std::as_bytes(std::span(bytes)).subspan(block.address, block.bytes - 4);
  return isChunk ? hdf5::fletcher32(data) : hdf5::metadataChecksum(data);
}

inline void mendChecksum(FileBytes& bytes, const hdf5::Structure::Block& block, bool isChunk) {
  const std::uint32_t checksum = checksumOf(bytes, block, isChunk);
  std::memcpy(bytes.data() + block.address + block.bytes - 4, &checksum, 4);
}

/// Random damage.
class Mutator {
public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  /// Some bits, bytes or runs of bytes of the whole file changed, or the file cut off or lengthened.
  FileBytes damage(const FileBytes& original) {
    FileBytes bytes = original;
    switch (below(6)) {
    case 0:
      bytes.resize(below(bytes.size() + 1));
      break;
    case 1:
      bytes.insert(bytes.end(), below(1000) + 1, static_cast<char>(random_()));
      break;
    case 2: { // one run copied over another
      const std::size_t count = 1 + below(std::min<std::size_t>(bytes.size() / 2, 600));
      const std::size_t from = below(bytes.size() - count);
      std::copy_n(original.begin() + static_cast<std::ptrdiff_t>(from), count,
        bytes.begin() + static_cast<std::ptrdiff_t>(below(bytes.size() - count)));
      break;
    }
    default:
      change(bytes, 0, bytes.size());
    }
    return bytes;
  }

  /// Bytes of one checksummed place changed, and its checksum made right again.
  FileBytes forge(const FileBytes& original, const Checksummed& places, bool chunks) {
    FileBytes bytes = original;
    const auto& blocks = chunks ? places.chunks : places.blocks;
    for (std::size_t times = below(4) == 0 ? 2 : 1; times > 0; --times) {
      const auto& block = blocks[below(blocks.size())];
      change(bytes, block.address, block.bytes - 4);
      mendChecksum(bytes, block, chunks);
    }
    return bytes;
  }

private:
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }

  void change(FileBytes& bytes, std::size_t begin, std::size_t count) {
    if (bytes.empty()) {
      return;
    }
    for (std::size_t times = 1 + below(3); times > 0; --times) {
      char* const at = bytes.data() + begin + below(count);
      const std::size_t left = begin + count - static_cast<std::size_t>(at - bytes.data());
      switch (below(5)) {
      case 0:
        *at = static_cast<char>(*at ^ (1 << below(8)));
        break;
      case 1:
        *at = static_cast<char>(random_());
        break;
      case 2: { // a number that is special in some way, in some width
        static constexpr std::uint64_t special[] = {0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000,
          0xffffffff, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff, 0xfffffffffffffffe, 0x100000000,
          0x4000000000000000};
        const std::uint64_t value = special[below(std::size(special))];
        std::memcpy(at, &value, std::min<std::size_t>(left, std::size_t{1} << below(4)));
        break;
      }
      case 3: { // a little more or less
        std::uint64_t value = 0;
        const std::size_t width = std::min<std::size_t>(left, std::size_t{1} << below(4));
        std::memcpy(&value, at, width);
        value += below(2) == 0 ? 1 + below(16) : ~below(16);
        std::memcpy(at, &value, width);
        break;
      }
      default:
        std::memset(at, static_cast<int>(below(2) * 255), std::min<std::size_t>(left, 1 + below(40)));
      }
    }
  }

  std::mt19937_64 random_;
};

/// How a child process ended.
struct ChildResult {
  int exitCode = -1; ///< -1: by a signal
  int signal = 0;
  std::string text;
};

/// Runs `body` in a child process that may take so much memory beyond what it has and 10 seconds, and tells what it
/// returned or which signal ended it.
inline ChildResult inChild(std::size_t extraBytes, const std::function<int(std::string& text)>& body) {
  int ends[2];
  if (::pipe(ends) != 0) {
    return {};
  }
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    ::alarm(10);
    long pages = 0;
    if (std::FILE* statm = std::fopen("/proc/self/statm", "r")) {
      if (std::fscanf(statm, "%ld", &pages) != 1) {
        pages = 0;
      }
      std::fclose(statm);
    }
    const rlim_t limit = static_cast<rlim_t>(pages) * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + extraBytes;
#ifndef __SANITIZE_ADDRESS__ // which takes terabytes of addresses for itself
    const rlimit memory = {limit, limit};
    ::setrlimit(RLIMIT_AS, &memory);
#endif
    const rlimit noCore = {0, 0};
    ::setrlimit(RLIMIT_CORE, &noCore);
    std::string text;
    const int code = body(text);
    static_cast<void>(!::write(ends[1], text.data(), std::min<std::size_t>(text.size(), 4000)));
    ::_exit(code);
  }
  ::close(ends[1]);
  ChildResult result;
  char buffer[4096];
  for (ssize_t got = 0; (got = ::read(ends[0], buffer, sizeof(buffer))) > 0;) {
    result.text.append(buffer, static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status)) {
    result.exitCode = WEXITSTATUS(status);
  } else {
    result.signal = WTERMSIG(status);
  }
  return result;
}

} // namespace spanwise::testing
