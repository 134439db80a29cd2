#include "Readers/Hdf5/DenseLinks.hpp"

#include "Readers/Hdf5/Bytes.hpp"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <bit>

namespace spanwise::hdf5 {

namespace {

constexpr std::uint64_t checksumBytes = 4;

// As many bytes as a number up to `most` takes.
int bytesFor(std::uint64_t most) { return std::max(1, (static_cast<int>(std::bit_width(most)) + 7) / 8); }

/// Counts what is read: no more than the file has, as no two blocks share bytes.
class Spending {
public:
  Spending(const Structure& structure, std::string what) : structure_(structure), what_(std::move(what)) {}

  std::vector<std::byte> block(std::uint64_t address, std::uint64_t bytes) {
    spend(bytes);
    return structure_.block(address, bytes, what_);
  }
  std::vector<std::byte> plain(std::uint64_t address, std::uint64_t bytes) {
    spend(bytes);
    return structure_.file().read(address, bytes, what_);
  }
  [[nodiscard]] const std::string& what() const { return what_; }
  [[nodiscard]] std::uint64_t spent() const { return spent_; }

private:
  void spend(std::uint64_t bytes) {
    const std::uint64_t most = structure_.file().size();
    spent_ += std::min(bytes, most + 1);
    if (spent_ > most) {
      throw FileError(what_ + " take more bytes than the file has, " + std::to_string(most));
    }
  }

  const Structure& structure_;
  std::string what_;
  std::uint64_t spent_ = 0;
};

/// The managed objects of a fractal heap.
class Heap {
public:
  Heap(Spending& spending, std::uint64_t address) : spending_(spending) {
    constexpr std::uint64_t headerBytes = 146;
    const auto header = spending.block(address, headerBytes);
    Bytes bytes(header, spending.what());
    bytes.expect("FRHP");
    const unsigned version = bytes.number<std::uint8_t>();
    idBytes_ = bytes.number<std::uint16_t>();
    const unsigned filterBytes = bytes.number<std::uint16_t>();
    bytes.take(1); // whether direct blocks have checksums: their place is counted in the offsets of objects
    const std::uint64_t maxObject = bytes.number<std::uint32_t>();
    bytes.take(std::uint64_t{12} * 8); // huge and tiny objects, free space, counts
    width_ = bytes.number<std::uint16_t>();
    startBytes_ = bytes.number<std::uint64_t>();
    const auto maxDirect = bytes.number<std::uint64_t>();
    const unsigned offsetBits = bytes.number<std::uint16_t>();
    bytes.take(2); // rows at the start
    root_ = bytes.number<std::uint64_t>();
    rows_ = bytes.number<std::uint16_t>();
    offsetBytes_ = static_cast<int>(offsetBits + 7) / 8;
    lengthBytes_ = bytesFor(std::min(maxDirect, maxObject));
    const bool possible = version == 0 && filterBytes == 0 && std::has_single_bit(startBytes_) &&
      std::has_single_bit(maxDirect) && startBytes_ <= maxDirect && maxDirect <= (std::uint64_t{1} << 32) &&
      offsetBytes_ >= 1 && offsetBytes_ <= 8 && idBytes_ >= 1U + static_cast<unsigned>(offsetBytes_ + lengthBytes_);
    const int directRows = possible ? std::countr_zero(maxDirect) - std::countr_zero(startBytes_) + 2 : 0;
    if (!possible || rows_ > static_cast<unsigned>(directRows)) {
      throw FileError(spending.what() + " are in a heap of version " + std::to_string(version) + " with " +
        std::to_string(rows_) + " rows of blocks, which is not supported");
    }
    findBlocks();
  }

  [[nodiscard]] std::uint64_t idBytes() const { return idBytes_; }

  std::vector<std::byte> object(std::span<const std::byte> id) {
    Bytes bytes(id, spending_.what());
    const unsigned kind = bytes.number<std::uint8_t>();
    if (kind != 0) {
      throw FileError(spending_.what() + " are in a heap as objects of kind " + std::to_string(kind) +
        "; managed ones (0) are supported");
    }
    const std::uint64_t offset = bytes.numberOf(offsetBytes_);
    const std::uint64_t length = bytes.numberOf(lengthBytes_);
    const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), offset,
      [](std::uint64_t value, const Block& block) { return value < block.offset; });
    if (after != blocks_.begin()) {
      const Block& block = *(after - 1);
      const std::uint64_t begin = offset - block.offset;
      if (block.address != undefinedAddress && begin <= block.bytes && length <= block.bytes - begin) {
        return spending_.plain(block.address + begin, length);
      }
    }
    throw FileError(spending_.what() + " have one of " + std::to_string(length) + " bytes at " +
      std::to_string(offset) + " of their heap, where none is");
  }

private:
  struct Block {
    std::uint64_t address;
    std::uint64_t offset;
    std::uint64_t bytes;
  };

  // All direct blocks: the root, or those that the root leads to.
  void findBlocks() {
    if (rows_ == 0) {
      blocks_.push_back({root_, 0, startBytes_});
      return;
    }
    const std::uint64_t prefixBytes = 4 + 1 + 8 + static_cast<std::uint64_t>(offsetBytes_);
    const std::uint64_t count = std::uint64_t{rows_} * width_;
    const auto block = spending_.block(root_, prefixBytes + 8 * count + checksumBytes);
    Bytes bytes(block, spending_.what());
    bytes.expect("FHIB");
    bytes.take(prefixBytes - 4);
    std::uint64_t offset = 0;
    for (unsigned row = 0; row < rows_; ++row) {
      const std::uint64_t size = startBytes_ << (row == 0 ? 0U : row - 1);
      for (unsigned column = 0; column < width_; ++column) {
        blocks_.push_back({bytes.number<std::uint64_t>(), offset, size});
        offset += size;
      }
    }
  }

  Spending& spending_;
  std::uint64_t idBytes_ = 0;
  std::uint64_t startBytes_ = 0;
  std::uint64_t root_ = undefinedAddress;
  unsigned width_ = 0;
  unsigned rows_ = 0;
  int offsetBytes_ = 0;
  int lengthBytes_ = 0;
  std::vector<Block> blocks_;
};

/// The records of a B-tree of version 2 that finds links by name: hashes and the heap's numbers.
class NameTree {
public:
  NameTree(Spending& spending, std::uint64_t address, std::uint64_t idBytes) : spending_(spending) {
    constexpr std::uint64_t headerBytes = 38;
    const auto header = spending.block(address, headerBytes);
    Bytes bytes(header, spending.what());
    bytes.expect("BTHD");
    const unsigned version = bytes.number<std::uint8_t>();
    const unsigned type = bytes.number<std::uint8_t>();
    const std::uint64_t nodeBytes = bytes.number<std::uint32_t>();
    recordBytes_ = bytes.number<std::uint16_t>();
    const unsigned depth = bytes.number<std::uint16_t>();
    bytes.take(2); // when nodes are split and merged
    const auto root = bytes.number<std::uint64_t>();
    const std::uint64_t inRoot = bytes.number<std::uint16_t>();
    constexpr unsigned namesOfLinks = 5;
    constexpr unsigned maxDepth = 8;
    if (version != 0 || type != namesOfLinks || recordBytes_ != hashBytes + idBytes || depth > maxDepth ||
      nodeBytes < nodeFrameBytes + recordBytes_) {
      throw FileError(spending.what() + " have a tree of version " + std::to_string(version) + ", type " +
        std::to_string(type) + " and depth " + std::to_string(depth) + ", which is not supported");
    }
    measure(nodeBytes, depth);
    if (inRoot > 0) {
      walk(root, inRoot, depth);
    }
  }

  [[nodiscard]] const std::vector<std::vector<std::byte>>& ids() const { return ids_; }

private:
  static constexpr std::uint64_t hashBytes = 4;
  static constexpr std::uint64_t nodeFrameBytes = 4 + 1 + 1 + checksumBytes;

  // In how many bytes a node of each depth says how many records are in and below a child.
  void measure(std::uint64_t nodeBytes, unsigned depth) {
    std::uint64_t mostBelow = (nodeBytes - nodeFrameBytes) / recordBytes_;
    countBytes_ = bytesFor(mostBelow);
    sumBytes_.assign(2, 0); // leaves and those above them do not say
    for (unsigned d = 1; d < depth; ++d) {
      const std::uint64_t childBytes = 8 + static_cast<std::uint64_t>(countBytes_ + sumBytes_[d]);
      if (nodeBytes < nodeFrameBytes + childBytes + recordBytes_) {
        throw FileError(spending_.what() + " have a tree with nodes of " + std::to_string(nodeBytes) + " bytes");
      }
      const std::uint64_t most = (nodeBytes - nodeFrameBytes - childBytes) / (recordBytes_ + childBytes);
      mostBelow = std::min((most + 1) * mostBelow + most, std::uint64_t{1} << 48); // more than a file can have
      sumBytes_.push_back(bytesFor(mostBelow));
    }
  }

  void walk(std::uint64_t address, std::uint64_t records, unsigned depth) {
    const std::uint64_t childBytes = depth == 0 ? 0 : 8 + static_cast<std::uint64_t>(countBytes_ + sumBytes_[depth]);
    const std::uint64_t children = depth == 0 ? 0 : records + 1;
    const auto node = spending_.block(address, nodeFrameBytes + records * recordBytes_ + children * childBytes);
    Bytes bytes(node, spending_.what());
    bytes.expect(depth == 0 ? "BTLF" : "BTIN");
    bytes.take(2); // version, type
    for (std::uint64_t r = 0; r < records; ++r) {
      bytes.take(hashBytes);
      const auto id = bytes.take(recordBytes_ - hashBytes);
      ids_.emplace_back(id.begin(), id.end());
    }
    for (std::uint64_t c = 0; c < children; ++c) {
      const auto child = bytes.number<std::uint64_t>();
      const std::uint64_t inChild = bytes.numberOf(countBytes_);
      bytes.take(static_cast<std::uint64_t>(sumBytes_[depth]));
      walk(child, inChild, depth - 1);
    }
  }

  Spending& spending_;
  std::uint64_t recordBytes_ = 0;
  int countBytes_ = 0;
  std::vector<int> sumBytes_;
  std::vector<std::vector<std::byte>> ids_;
};

} // namespace

DenseLinks readDenseLinks(const Structure& structure, const DenseStorage& storage, const std::string& what) {
  Spending spending(structure, what);
  Heap heap(spending, storage.heap);
  const NameTree tree(spending, storage.names, heap.idBytes());
  DenseLinks result;
  for (const std::vector<std::byte>& id : tree.ids()) {
    result.links.push_back(readLink(heap.object(id), what));
  }
  result.bytes = spending.spent();
  return result;
}

} // namespace spanwise::hdf5
