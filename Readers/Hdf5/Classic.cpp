#include "Readers/Hdf5/Classic.hpp"

#include "Readers/Hdf5/Bytes.hpp"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cstring>
#include <functional>

namespace spanwise::hdf5 {

namespace {

constexpr std::uint64_t nodePrefixBytes = 24; // of a B-tree: signature, type, level, entries, two siblings
constexpr std::uint64_t symbolBytes = 40;
constexpr std::uint64_t heapPrefixBytes = 32;
constexpr unsigned variableLengthClass = 9;

/// A B-tree of version 1, walked from the left to the right.
class Tree {
public:
  /// `keyBytes` of the key in front of each child; nodes of `type` at `address` (III.A.1).
  Tree(const InputFile& file, unsigned type, std::uint64_t keyBytes, std::string what)
    : file_(file), type_(type), keyBytes_(keyBytes), what_(std::move(what)) {}

  /// Calls visit(key, address) for the children of all leaves. Throws FileError.
  void walk(std::uint64_t address, const std::function<void(std::span<const std::byte>, std::uint64_t)>& visit,
    int above = 256) {
    const auto prefixBytes = file_.read(address, nodePrefixBytes, what_);
    Bytes prefix(prefixBytes, what_);
    prefix.expect("TREE");
    const unsigned type = prefix.number<std::uint8_t>();
    const int level = prefix.number<std::uint8_t>();
    const std::uint64_t entries = prefix.number<std::uint16_t>();
    if (type != type_ || level >= above) {
      throw FileError(what_ + " has a node of type " + std::to_string(type) + " and level " + std::to_string(level) +
        " where type " + std::to_string(type_) + " and a lower level is wanted");
    }
    const std::uint64_t entryBytes = keyBytes_ + sizeof(std::uint64_t);
    spend(nodePrefixBytes + entries * entryBytes);
    const auto entriesBytes = file_.read(address + nodePrefixBytes, entries * entryBytes, what_);
    Bytes bytes(entriesBytes, what_);
    for (std::uint64_t e = 0; e < entries; ++e) {
      const auto key = bytes.take(keyBytes_);
      const auto child = bytes.number<std::uint64_t>();
      level == 0 ? visit(key, child) : walk(child, visit, level);
    }
  }

  /// Counts what a walk reads: no more than the file has, as no two nodes share bytes.
  void spend(std::uint64_t bytes) {
    spent_ += bytes;
    if (spent_ > file_.size()) {
      throw FileError(what_ + " has more bytes than the file, " + std::to_string(file_.size()));
    }
  }
  [[nodiscard]] std::uint64_t spent() const { return spent_; }

private:
  const InputFile& file_;
  unsigned type_;
  std::uint64_t keyBytes_;
  std::string what_;
  std::uint64_t spent_ = 0;
};

// III.D
std::vector<std::byte> readLocalHeap(const InputFile& file, std::uint64_t address, const std::string& what) {
  const auto header = file.read(address, heapPrefixBytes, what);
  Bytes bytes(header, what);
  bytes.expect("HEAP");
  bytes.take(4); // version, reserved
  const auto size = bytes.number<std::uint64_t>();
  bytes.take(8); // the first free byte
  return file.read(bytes.number<std::uint64_t>(), size, what);
}

// The name at an offset into a heap, up to NUL.
std::string nameAt(const std::vector<std::byte>& heap, std::uint64_t offset, const std::string& what) {
  const auto begin = heap.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(offset, heap.size()));
  const auto end = std::find(begin, heap.end(), std::byte{0});
  if (end == heap.end()) {
    throw FileError(what + " has a name at byte " + std::to_string(offset) + " of its heap of " +
      std::to_string(heap.size()) + " bytes, where none ends");
  }
  return {reinterpret_cast<const char*>(heap.data()) + (begin - heap.begin()), static_cast<std::size_t>(end - begin)};
}

// The objects of a global heap (III.E).
std::vector<std::byte> readGlobalHeap(const InputFile& file, std::uint64_t address, const std::string& what) {
  constexpr std::uint64_t prefixBytes = 16;
  const auto prefixBlock = file.read(address, prefixBytes, what);
  Bytes prefix(prefixBlock, what);
  prefix.expect("GCOL");
  prefix.take(4); // version, reserved
  const auto size = prefix.number<std::uint64_t>();
  if (size < prefixBytes) {
    throw FileError(what + " has a heap of " + std::to_string(size) + " bytes");
  }
  return file.read(address + prefixBytes, size - prefixBytes, what);
}

// The text that is the object of an index.
std::string textInHeap(
  const std::vector<std::byte>& heap, std::uint32_t index, std::uint64_t length, const std::string& what) {
  constexpr std::size_t objectPrefixBytes = 16;
  Bytes bytes(heap, what);
  while (bytes.left() >= objectPrefixBytes) {
    const unsigned found = bytes.number<std::uint16_t>();
    bytes.take(6); // reference count, reserved
    const auto size = bytes.number<std::uint64_t>();
    if (found == 0) {
      break; // free space
    }
    if (found == index) {
      if (length > size) {
        throw FileError(what + " has " + std::to_string(length) + " bytes, and " + std::to_string(size) + " are there");
      }
      return bytes.text(length);
    }
    bytes.take(size);
    bytes.take(std::min<std::uint64_t>((8 - size % 8) % 8, bytes.left()));
  }
  throw FileError(what + " is number " + std::to_string(index) + " of a heap that does not have it");
}

} // namespace

ClassicRoot readClassicSuperblock(const InputFile& file) {
  const std::string what = "the superblock";
  const auto superblock = file.read(0, std::min<std::uint64_t>(file.size(), 100), what);
  Bytes bytes(superblock, what);
  bytes.take(8);
  const unsigned version = bytes.number<std::uint8_t>();
  bytes.take(4);
  const unsigned offsetBytes = bytes.number<std::uint8_t>();
  const unsigned lengthBytes = bytes.number<std::uint8_t>();
  if (offsetBytes != 8 || lengthBytes != 8) {
    throw FileError("its addresses have " + std::to_string(offsetBytes) + " and its lengths " +
      std::to_string(lengthBytes) + " bytes; both must have 8");
  }
  bytes.take(1 + 4 + 4); // reserved, sizes of nodes, flags
  if (version == 1) {
    bytes.take(4);
  }
  const auto base = bytes.number<std::uint64_t>();
  bytes.take(8); // free space
  ClassicRoot root;
  root.end = bytes.number<std::uint64_t>();
  const auto driver = bytes.number<std::uint64_t>();
  bytes.take(8); // the root's name
  root.address = bytes.number<std::uint64_t>();
  if (base != 0 || driver != undefinedAddress) {
    throw FileError("its superblock has a base address or a driver, which are not supported");
  }
  return root;
}

SymbolTable readSymbolTable(const InputFile& file, std::span<const std::byte> body, const std::string& what) {
  const std::string where = what + ": its symbol table";
  Bytes message(body, where);
  const auto treeAddress = message.number<std::uint64_t>();
  const std::vector<std::byte> heap = readLocalHeap(file, message.number<std::uint64_t>(), where);
  SymbolTable table;
  std::uint64_t nameBytes = 0;
  Tree tree(file, 0, sizeof(std::uint64_t), where);
  tree.spend(heapPrefixBytes + heap.size());
  tree.walk(treeAddress, [&](std::span<const std::byte> /*key*/, std::uint64_t address) {
    const auto prefixBlock = file.read(address, 8, where);
    Bytes prefix(prefixBlock, where);
    prefix.expect("SNOD");
    prefix.take(2); // version, reserved
    const std::uint64_t symbols = prefix.number<std::uint16_t>();
    tree.spend(8 + symbols * symbolBytes);
    const auto block = file.read(address + 8, symbols * symbolBytes, where);
    Bytes bytes(block, where);
    for (std::uint64_t s = 0; s < symbols; ++s) {
      Link link;
      link.name = nameAt(heap, bytes.number<std::uint64_t>(), where);
      const auto header = bytes.number<std::uint64_t>();
      const bool isSoft = bytes.number<std::uint32_t>() == 2;
      bytes.take(4 + 16); // reserved, what is cached of the object
      link.address = isSoft ? undefinedAddress : header;
      nameBytes += link.name.size() + 1;
      if (nameBytes > heap.size()) {
        throw FileError(where + " has names that lie over each other");
      }
      table.links.push_back(std::move(link));
    }
  });
  table.bytes = tree.spent();
  return table;
}

// IV.A.2.d, class 9: texts are of type 1
bool isVariableText(const Attribute& attribute) {
  return attribute.datatype.size() >= 8 &&
    (std::to_integer<unsigned>(attribute.datatype[0]) & 0x0fU) == variableLengthClass &&
    (std::to_integer<unsigned>(attribute.datatype[1]) & 0x0fU) == 1;
}

Attribute toFixedText(const InputFile& file, const Attribute& attribute, std::uint64_t& bytes, std::uint64_t maxBytes,
  const std::string& what) {
  const std::string where = what + ": the attribute " + attribute.name;
  constexpr std::size_t elementBytes = 16; // length, the heap's address, the index in it
  Bytes elements(attribute.data, where);
  std::vector<std::string> texts;
  std::size_t longest = 1;
  const auto spend = [&](std::uint64_t more) {
    bytes += more;
    if (bytes > maxBytes) {
      throw FileError(where + ": the texts of variable length of the file's attributes take more than " +
        std::to_string(maxBytes) + " bytes, with the heaps that they stand in");
    }
  };
  while (elements.left() >= elementBytes) {
    const std::uint64_t length = elements.number<std::uint32_t>();
    const auto address = elements.number<std::uint64_t>();
    const auto index = elements.number<std::uint32_t>();
    texts.emplace_back();
    if (length > 0) {
      const std::vector<std::byte> heap = readGlobalHeap(file, address, where);
      spend(heap.size());
      texts.back() = textInHeap(heap, index, length, where);
    }
    longest = std::max(longest, texts.back().size());
  }
  spend(longest * texts.size());
  Attribute fixed;
  fixed.name = attribute.name;
  fixed.dataspace = attribute.dataspace;
  fixed.datatype.resize(8); // class 3, version 1
  fixed.datatype[0] = std::byte{0x13};
  const auto textBytes = static_cast<std::uint32_t>(longest);
  std::memcpy(fixed.datatype.data() + 4, &textBytes, sizeof(textBytes));
  fixed.data.resize(longest * texts.size());
  for (std::size_t t = 0; t < texts.size(); ++t) {
    std::memcpy(fixed.data.data() + t * longest, texts[t].data(), texts[t].size());
  }
  return fixed;
}

std::vector<ClassicChunk> readChunkTree(
  const InputFile& file, std::uint64_t address, std::size_t rank, std::uint64_t maxChunks, const std::string& what) {
  std::vector<ClassicChunk> chunks;
  Tree tree(file, 1, 8 + 8 * (rank + 1), what);
  tree.walk(address, [&](std::span<const std::byte> key, std::uint64_t chunkAddress) {
    if (chunks.size() == maxChunks) {
      throw FileError(what + " has more than " + std::to_string(maxChunks) + " chunks");
    }
    Bytes bytes(key, what);
    ClassicChunk chunk;
    chunk.storedBytes = bytes.number<std::uint32_t>();
    chunk.skippedFilters = bytes.number<std::uint32_t>();
    for (std::size_t d = 0; d < rank; ++d) {
      chunk.offsets.push_back(bytes.number<std::uint64_t>());
    }
    chunk.address = chunkAddress;
    chunks.push_back(std::move(chunk));
  });
  return chunks;
}

} // namespace spanwise::hdf5
