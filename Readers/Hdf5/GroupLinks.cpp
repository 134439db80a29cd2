#include "Readers/Hdf5/GroupLinks.hpp"

#include "Readers/Hdf5/Bytes.hpp"
#include "Readers/Hdf5/Checksums.hpp"
#include "Readers/Hdf5/InputFile.hpp"
#include "Readers/Hdf5/Structure.hpp"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <concepts>
#include <cstring>
#include <fstream>
#include <span>

namespace spanwise::hdf5 {

namespace {

using Block = std::vector<std::byte>;

constexpr std::size_t checksumBytes = 4;
constexpr std::uint16_t continuationBytes = 16; // an address and a length
constexpr std::size_t maxBlockBytes = 1U << 20; // HDF5's cache takes blocks of up to 32 MiB

enum MessageType : std::uint8_t {
  nilMessage = 0x00,
  linkInfoMessage = 0x02,
  linkMessage = 0x06,
  continuationMessage = 0x10
};

template <std::unsigned_integral T>
void put(Block& block, T value) {
  const auto bytes = std::as_bytes(std::span(&value, 1));
  block.insert(block.end(), bytes.begin(), bytes.end());
}

void put(Block& block, const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  block.insert(block.end(), bytes.begin(), bytes.end());
}

template <std::unsigned_integral T>
void putAt(Block& block, std::size_t at, T value) {
  std::memcpy(block.data() + at, &value, sizeof(T));
}

template <std::unsigned_integral T>
T numberAt(const Block& block, std::size_t at) {
  T value;
  std::memcpy(&value, block.data() + at, sizeof(T));
  return value;
}

void setChecksum(Block& block) {
  const std::size_t bytes = block.size() - checksumBytes;
  putAt(block, bytes, metadataChecksum(std::span(block).first(bytes)));
}

/// A file that HDF5 has closed, while its metadata is changed.
class ClosedFile {
public:
  explicit ClosedFile(const std::string& path)
    : input_(path), structure_(input_), end_(input_.size()), output_(path, std::ios::binary | std::ios::in) {
    checkOutput();
  }

  [[nodiscard]] const InputFile& input() const { return input_; }
  [[nodiscard]] Structure& structure() { return structure_; }
  [[nodiscard]] std::uint64_t end() const { return end_; }

  void write(std::uint64_t address, const Block& block) {
    errno = 0;
    output_.seekp(static_cast<std::streamoff>(address));
    output_.write(reinterpret_cast<const char*>(block.data()), static_cast<std::streamsize>(block.size()));
    output_.flush();
    checkOutput();
    end_ = std::max<std::uint64_t>(end_, address + block.size());
  }

  /// Has the superblock say where the file ends (II.C).
  void finish() {
    constexpr std::uint64_t superblockBytes = 48;
    constexpr std::size_t endOfFile = 28;
    Block superblock = input_.read(0, superblockBytes, "the superblock");
    putAt(superblock, endOfFile, end_);
    setChecksum(superblock);
    write(0, superblock);
    errno = 0;
    output_.close();
    checkOutput();
  }

private:
  void checkOutput() const {
    if (!output_) {
      throw FileError(std::strerror(errno != 0 ? errno : EIO));
    }
  }

  InputFile input_;
  Structure structure_;
  std::uint64_t end_;
  std::ofstream output_;
};

/// The header of a group: its blocks and the messages in them (IV.A.1.b).
class GroupHeader {
public:
  GroupHeader(ClosedFile& file, std::uint64_t address) : file_(file) {
    std::vector<Structure::Block> blocks;
    file.structure().noteBlocks(&blocks);
    static_cast<void>(file.structure().object(address, "a group"));
    file.structure().noteBlocks(nullptr);
    for (const Structure::Block& block : blocks) {
      blocks_.push_back({block.address, file.input().read(block.address, block.bytes, "a group"), Changed::No});
    }
    const auto flags = numberAt<std::uint8_t>(blocks_.front().bytes, 5);
    prefixBytes_ = (flags & 0x04U) != 0 ? 6 : 4;
    const std::size_t begin =
      6 + ((flags & 0x20U) != 0 ? 16 : 0) + ((flags & 0x10U) != 0 ? 4 : 0) + (1U << (flags & 3U));
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      findMessages(b, b == 0 ? begin : 4);
    }
  }

  void add(const std::vector<NewLink>& links) {
    std::uint64_t order = takeOrders(links.size());
    std::vector<Block> continued(1);
    put(continued.back(), "OCHK");
    Message& place = placeForContinuation();
    if (place.type != nilMessage) { // it goes on in the new block
      const Block& old = blocks_[place.block].bytes;
      const auto from = old.begin() + static_cast<std::ptrdiff_t>(place.at - prefixBytes_);
      continued.back().insert(
        continued.back().end(), from, from + static_cast<std::ptrdiff_t>(prefixBytes_ + place.bytes));
    }
    for (const NewLink& link : links) {
      if (continued.back().size() + link.name.size() > maxBlockBytes) {
        continued.emplace_back();
        put(continued.back(), "OCHK");
      }
      putLink(continued.back(), link, order++);
    }
    std::uint64_t address = file_.end();
    const std::size_t tail = prefixBytes_ + continuationBytes + checksumBytes;
    setContinuation(place, address, continued.front().size() + tail);
    for (std::size_t b = 0; b < continued.size(); ++b) {
      Block& block = continued[b];
      const std::uint64_t next = address + block.size() + tail;
      const bool last = b + 1 == continued.size(); // leaves room for the links that come some day
      putPrefix(block, last ? nilMessage : continuationMessage, continuationBytes);
      put(block, last ? std::uint64_t{0} : next);
      put(block, last ? std::uint64_t{0} : std::uint64_t{continued[b + 1].size() + tail});
      put(block, std::uint32_t{0});
      setChecksum(block);
      file_.write(address, block);
      address = next;
    }
    for (StoredBlock& block : blocks_) {
      if (block.changed == Changed::Yes) {
        setChecksum(block.bytes);
        file_.write(block.address, block.bytes);
      }
    }
  }

private:
  enum class Changed : std::uint8_t { No, Yes };
  struct StoredBlock {
    std::uint64_t address;
    Block bytes;
    Changed changed;
  };
  struct Message {
    std::size_t block;
    std::size_t at; ///< of its body
    std::uint8_t type;
    std::uint16_t bytes;
  };

  void findMessages(std::size_t b, std::size_t at) {
    const Block& block = blocks_[b].bytes;
    const std::size_t end = block.size() - checksumBytes;
    while (end - at >= prefixBytes_) { // what is left is a gap
      const Message message{
        b, at + prefixBytes_, numberAt<std::uint8_t>(block, at), numberAt<std::uint16_t>(block, at + 1)};
      messages_.push_back(message);
      at = message.at + message.bytes;
    }
  }

  // The creation order of the first of `count` new links (IV.A.2.c).
  std::uint64_t takeOrders(std::size_t count) {
    const auto info =
      std::find_if(messages_.begin(), messages_.end(), [](const Message& m) { return m.type == linkInfoMessage; });
    Block& block = blocks_[info == messages_.end() ? 0 : info->block].bytes;
    if (info == messages_.end() || (numberAt<std::uint8_t>(block, info->at + 1) & 1U) == 0) {
      throw FileError("a group does not keep the order of its links");
    }
    const auto first = numberAt<std::uint64_t>(block, info->at + 2);
    putAt(block, info->at + 2, first + count);
    blocks_[info->block].changed = Changed::Yes;
    return first;
  }

  // A message that can become a continuation: an empty one if there is one, else one that can go elsewhere. What is
  // left of it must have room for a message too.
  Message& placeForContinuation() {
    const auto fits = [&](const Message& m) {
      return m.bytes == continuationBytes || m.bytes >= continuationBytes + prefixBytes_;
    };
    for (const bool isEmpty : {true, false}) {
      const auto found = std::find_if(messages_.begin(), messages_.end(), [&](const Message& m) {
        return m.type != continuationMessage && (m.type == nilMessage) == isEmpty && fits(m);
      });
      if (found != messages_.end()) {
        return *found;
      }
    }
    throw FileError("a group's header has no room for a continuation");
  }

  void setContinuation(const Message& place, std::uint64_t address, std::uint64_t bytes) {
    Block& block = blocks_[place.block].bytes;
    blocks_[place.block].changed = Changed::Yes;
    const auto begin = block.begin() + static_cast<std::ptrdiff_t>(place.at - prefixBytes_);
    std::fill(begin, begin + static_cast<std::ptrdiff_t>(prefixBytes_ + place.bytes), std::byte{0});
    putAt(block, place.at - prefixBytes_, std::uint8_t{continuationMessage});
    putAt(block, place.at - prefixBytes_ + 1, continuationBytes);
    putAt(block, place.at, address);
    putAt(block, place.at + 8, bytes);
    if (place.bytes > continuationBytes) { // the rest becomes an empty message, of type 0
      putAt(block, place.at + continuationBytes + 1,
        static_cast<std::uint16_t>(place.bytes - continuationBytes - prefixBytes_));
    }
  }

  void putPrefix(Block& block, std::uint8_t type, std::uint16_t bytes) const {
    put(block, type);
    put(block, bytes);
    put(block, std::uint8_t{0});
    if (prefixBytes_ == 6) {
      put(block, std::uint16_t{0});
    }
  }

  // IV.A.2.g: with the order of creation, a name in UTF-8, and as many bytes for its length as it needs
  void putLink(Block& block, const NewLink& link, std::uint64_t order) const {
    const bool isLong = link.name.size() > 0xff;
    const std::size_t bytes = 1 + 1 + 8 + 1 + (isLong ? 2 : 1) + link.name.size() + 8;
    putPrefix(block, linkMessage, static_cast<std::uint16_t>(bytes));
    put(block, std::uint8_t{1});
    put(block, static_cast<std::uint8_t>(0x14U | (isLong ? 1U : 0U)));
    put(block, order);
    put(block, std::uint8_t{1});
    if (isLong) {
      put(block, static_cast<std::uint16_t>(link.name.size()));
    } else {
      put(block, static_cast<std::uint8_t>(link.name.size()));
    }
    put(block, link.name);
    put(block, link.address);
  }

  ClosedFile& file_;
  std::size_t prefixBytes_ = 0; ///< of a message
  std::vector<StoredBlock> blocks_;
  std::vector<Message> messages_;
};

} // namespace

void addLinks(const std::string& path, const std::vector<GroupLinks>& groups) {
  ClosedFile file(path);
  for (const GroupLinks& group : groups) {
    if (!group.links.empty()) {
      GroupHeader(file, group.group).add(group.links);
    }
  }
  file.finish();
}

} // namespace spanwise::hdf5
