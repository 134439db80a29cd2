#include "Readers/Hdf5/Dataset.hpp"

#include "Readers/Hdf5/Bytes.hpp"
#include "Readers/Hdf5/Classic.hpp"
#include "Readers/Hdf5/ForEachChunk.hpp"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cstring>

namespace spanwise::hdf5 {

namespace {

constexpr std::uint64_t fletcherBytes = 4;

} // namespace

Object datasetHeader(const Structure& structure, std::uint64_t address, const std::string& what) {
  Object object = structure.object(address, what);
  if (!object.datatype.has_value() || !object.extents.has_value() || !object.layout.has_value()) {
    throw FileError(what + " is not a dataset");
  }
  return object;
}

Dataset::Dataset(const Structure& structure, std::uint64_t address, std::string what)
  : file_(structure.file()), address_(address), what_(std::move(what)),
    object_(datasetHeader(structure, address, what_)) {
  type_ = object_.datatype.value();
  extents_ = object_.extents.value();
  layout_ = object_.layout.value();
  checkShape();
  findChunks(structure);
  structure.countStored(address, storedBytes(), what_);
  checkColumns();
}

void Dataset::expect(const Datatype& type, const Extents& extents) const {
  if (this->type() != type || this->extents() != extents) {
    throw FileError(what_ + " is " + toString(this->type()) + " " + toString(this->extents()) + "; it must be " +
      toString(type) + " " + toString(extents));
  }
}

void Dataset::checkShape() {
  if (extents().empty() || extents().size() > 2) {
    throw FileError(what_ + " has " + std::to_string(extents().size()) + " extents; one or two are supported");
  }
  numElements(extents(), type().bytes, what_); // throws if it overflows
  if (columns() == 0 || columns() > maxChunkBytes / type().bytes) {
    throw FileError(what_ + " has rows of " + std::to_string(columns()) + " elements; 1 to " +
      std::to_string(maxChunkBytes / type().bytes) + " are possible");
  }
}

void Dataset::findChunks(const Structure& structure) {
  if (rows() == 0) {
    return; // however it is stored
  }
  const Layout& layout = layout_;
  if (layout.kind == Layout::Kind::Compact) {
    if (layout.compact.size() != rows() * rowBytes()) {
      throw FileError(what_ + " holds " + std::to_string(layout.compact.size()) + " bytes for extents " +
        toString(extents()) + " of " + toString(type()));
    }
    return;
  }
  const bool needsChecksums = structure.needsChecksums();
  if (layout.kind == Layout::Kind::Contiguous) {
    if (needsChecksums) {
      throw FileError(what_ +
        " is stored in one piece, without a checksum; it must be chunked, with the filter "
        "Fletcher32");
    }
    return checkPiece();
  }
  if (!object_.filters.fletcher32 && needsChecksums) {
    throw FileError(what_ + " has no checksum: the filter Fletcher32 is missing");
  }
  if (layout.chunk.size() != extents().size() || layout.elementBytes != type().bytes || layout.chunk[0] == 0 ||
    (extents().size() == 2 && (needsChecksums ? layout.chunk[1] != columns() : layout.chunk[1] == 0))) {
    throw FileError(what_ + " has extents " + toString(extents()) + " and chunks of " + toString(layout.chunk) +
      "; a chunk must have at least one row and whole rows");
  }
  chunkRows_ = layout.chunk[0];
  chunkColumns_ = extents().size() == 2 ? layout.chunk[1] : 1;
  if (chunkColumns_ > maxChunkBytes / type().bytes || chunkRows_ > maxChunkBytes / (chunkColumns_ * type().bytes)) {
    throw FileError(what_ + " has chunks of " + toString(layout.chunk) + " elements of " + toString(type()) +
      "; a chunk has at most " + std::to_string(maxChunkBytes) + " bytes");
  }
  chunkBytes_ = chunkRows_ * chunkColumns_ * type().bytes;
  tiles_ = (columns() - 1) / chunkColumns_ + 1;
  if (layout.address == undefinedAddress) {
    throw FileError(what_ + " was not written");
  }
  if (layout.index == Layout::Index::SingleChunk) {
    findSingleChunk();
  } else if (layout.index == Layout::Index::Tree) {
    findChunksInTree(structure);
  } else {
    findChunksInArray(structure);
  }
}

void Dataset::findSingleChunk() {
  const Layout& layout = layout_;
  if (chunkRows_ < rows() || !layout.singleIsFiltered) {
    throw FileError(what_ + " has one chunk of " + std::to_string(chunkRows_) + " rows for " + std::to_string(rows()) +
      " rows, or one that is not filtered");
  }
  addChunk(layout.address, layout.storedBytes, layout.skippedFilters);
}

void Dataset::checkPiece() const {
  const std::uint64_t bytes = rows() * rowBytes();
  if (layout_.storedBytes != bytes || !file_.holds(layout_.address, bytes)) {
    throw FileError(what_ + " has " + std::to_string(layout_.storedBytes) + " bytes at " +
      std::to_string(layout_.address) + " for extents " + toString(extents()) + " of " + toString(type()) +
      ", in a file of " + std::to_string(file_.size()));
  }
}

void Dataset::findChunksInTree(const Structure& structure) {
  const std::string where = what_ + ": its chunk index";
  if (structure.needsChecksums()) {
    throw FileError(where + " is a tree, which has no checksum; the extents must be fixed");
  }
  const std::uint64_t rowChunks = (rows() - 1) / chunkRows_ + 1;
  if (rowChunks > file_.size() / tiles_) { // an entry takes more than a byte
    throw FileError(where + " would have more entries than the file has bytes");
  }
  const std::uint64_t count = rowChunks * tiles_;
  const auto entries = readChunkTree(file_, layout_.address, extents().size(), count, where);
  if (entries.size() != count) {
    throw FileError(where + " has " + std::to_string(entries.size()) + " of " + std::to_string(count) + " chunks");
  }
  chunks_.reserve(entries.size());
  for (const ClassicChunk& entry : entries) {
    const std::uint64_t row = (chunks_.size() / tiles_) * chunkRows_;
    const std::uint64_t column = (chunks_.size() % tiles_) * chunkColumns_;
    if (entry.offsets[0] != row || (entry.offsets.size() > 1 && entry.offsets[1] != column)) {
      throw FileError(where + " has a chunk at " + toString(entry.offsets) + " where one at (" + std::to_string(row) +
        ", " + std::to_string(column) + ") follows");
    }
    addChunk(entry.address, entry.storedBytes, entry.skippedFilters);
  }
}

// VII.C, the fixed array index
void Dataset::findChunksInArray(const Structure& structure) {
  const Layout& layout = layout_;
  const std::uint64_t count = (rows() - 1) / chunkRows_ + 1;
  const std::string where = what_ + ": its chunk index";
  constexpr std::uint64_t headerBytes = 28;
  const auto header = structure.block(layout.address, headerBytes, where);
  Bytes bytes(header, where);
  bytes.expect("FAHD");
  const unsigned version = bytes.number<std::uint8_t>();
  const unsigned client = bytes.number<std::uint8_t>();
  const unsigned entryBytes = bytes.number<std::uint8_t>();
  const unsigned pageBits = bytes.number<std::uint8_t>();
  const auto entries = bytes.number<std::uint64_t>();
  const auto address = bytes.number<std::uint64_t>();
  // An entry: the address, the stored size in as many bytes as it takes, and 4 bytes of skipped filters.
  const int sizeBytes = static_cast<int>(entryBytes) - 12;
  if (version != 0 || client != 1 || sizeBytes < 1 || sizeBytes > 8 ||
    pageBits != static_cast<unsigned>(layout.pageBits) || pageBits < 1 || pageBits > 32 || entries != count) {
    throw FileError(where + " has version " + std::to_string(version) + ", client " + std::to_string(client) + ", " +
      std::to_string(entries) + " entries of " + std::to_string(entryBytes) + " bytes and pages of 2^" +
      std::to_string(pageBits) + " entries, for " + std::to_string(count) + " chunks");
  }
  if (count > file_.size() / entryBytes) {
    throw FileError(where + " claims " + std::to_string(count) + " chunks; the file is too short for their addresses");
  }
  chunks_.reserve(static_cast<std::size_t>(count));
  constexpr std::uint64_t prefixBytes = 14; // signature, version, client, the header's address
  const std::uint64_t pageEntries = std::uint64_t{1} << pageBits;
  const auto open = [&](const std::vector<std::byte>& block) {
    Bytes prefix(block, where);
    prefix.expect("FADB");
    if (prefix.number<std::uint8_t>() != 0 || prefix.number<std::uint8_t>() != client ||
      prefix.number<std::uint64_t>() != layout.address) {
      throw FileError(where + " is not the one of this dataset");
    }
    return prefix;
  };
  if (count <= pageEntries) {
    auto block = structure.block(address, prefixBytes + count * entryBytes + 4, where);
    open(block);
    block.erase(block.begin(), block.begin() + prefixBytes);
    addChunks(block, count, sizeBytes);
    return;
  }
  const std::uint64_t pages = (count - 1) / pageEntries + 1;
  const std::uint64_t bitmapBytes = (pages + 7) / 8;
  const auto block = structure.block(address, prefixBytes + bitmapBytes + 4, where);
  const auto bitmap = open(block).take(bitmapBytes);
  std::uint64_t place = address + prefixBytes + bitmapBytes + 4;
  for (std::uint64_t p = 0; p < pages; ++p) {
    if ((std::to_integer<unsigned>(bitmap[p / 8]) & (0x80U >> (p % 8))) == 0) {
      throw FileError(where + ": page " + std::to_string(p) + " was not written");
    }
    const std::uint64_t inPage = std::min(pageEntries, count - p * pageEntries);
    addChunks(structure.block(place, inPage * entryBytes + 4, where), inPage, sizeBytes);
    place += pageEntries * entryBytes + 4;
  }
}

void Dataset::addChunks(const std::vector<std::byte>& entries, std::uint64_t count, int sizeBytes) {
  Bytes bytes(entries, what_ + ": its chunk index");
  for (std::uint64_t e = 0; e < count; ++e) {
    const auto address = bytes.number<std::uint64_t>();
    const std::uint64_t storedBytes = bytes.numberOf(sizeBytes);
    addChunk(address, storedBytes, bytes.number<std::uint32_t>());
  }
}

void Dataset::addChunk(std::uint64_t address, std::uint64_t storedBytes, std::uint32_t skippedFilters) {
  const std::string where = what_ + ": chunk " + std::to_string(chunks_.size());
  if (address == undefinedAddress) {
    throw FileError(where + " was not written");
  }
  const std::uint64_t checksumBytes = object_.filters.fletcher32 ? fletcherBytes : 0;
  if (!file_.holds(address, storedBytes) || storedBytes <= checksumBytes) {
    throw FileError(where + " has " + std::to_string(storedBytes) + " bytes at " + std::to_string(address) +
      ", which the file of " + std::to_string(file_.size()) + " bytes does not hold");
  }
  // HDF5 leaves out deflate where it would make a chunk longer. Nothing else may be left out.
  const Filters& filters = object_.filters;
  const std::uint32_t deflateBit = filters.deflated ? 1U << filters.deflateIndex : 0U;
  if ((skippedFilters & ~deflateBit) != 0) {
    throw FileError(
      where + " leaves out the filters " + std::to_string(skippedFilters) + "; only deflate may be left out");
  }
  const bool deflated = filters.deflated && skippedFilters == 0;
  const std::uint64_t packedBytes = storedBytes - checksumBytes;
  const bool possible = deflated ? packedBytes * maxDeflateRatio >= chunkBytes_ && packedBytes <= 2 * chunkBytes_ + 64
                                 : packedBytes == chunkBytes_;
  if (!possible) {
    throw FileError(where + " has " + std::to_string(storedBytes) + " bytes, which cannot be " +
      std::to_string(chunkBytes_) + " bytes" + (deflated ? " deflated" : "") +
      (checksumBytes > 0 ? " and a checksum" : ""));
  }
  chunks_.push_back({address, storedBytes, deflated});
}

std::uint64_t Dataset::storedBytes() const {
  if (layout_.kind == Layout::Kind::Compact) {
    return layout_.compact.size();
  }
  if (layout_.kind == Layout::Kind::Contiguous) {
    return rows() * rowBytes();
  }
  const std::uint64_t most = file_.size() + 1; // so that nothing wraps around
  std::uint64_t sum = 0;
  for (const Chunk& chunk : chunks_) {
    sum = std::min(sum + chunk.storedBytes, most);
  }
  return sum;
}

void Dataset::checkColumns() const {
  const std::uint64_t most = std::max(maxFreeColumns, storedBytes() * maxDeflateRatio / sizeof(double));
  if (columns() > most) {
    throw FileError(what_ + " has rows of " + std::to_string(columns()) + " elements and " +
      std::to_string(storedBytes()) + " stored bytes; as many bytes go with at most " + std::to_string(most) +
      " elements");
  }
}

void Dataset::read(std::uint64_t first, std::uint64_t count, void* to, const Progress& progress) const {
  if (first > rows() || count > rows() - first) {
    throw FileError(what_ + " has no rows [" + std::to_string(first) + ", " + std::to_string(first + count) + ") of " +
      std::to_string(rows()));
  }
  if (count == 0) {
    return;
  }
  auto* out = static_cast<std::byte*>(to);
  if (layout_.kind == Layout::Kind::Compact) {
    std::memcpy(out, layout_.compact.data() + first * rowBytes(), static_cast<std::size_t>(count * rowBytes()));
    return;
  }
  if (layout_.kind == Layout::Kind::Contiguous) {
    return file_.read(layout_.address + first * rowBytes(), count * rowBytes(), out, what_);
  }
  const std::uint64_t firstChunk = first / chunkRows_;
  const std::uint64_t lastChunk = (first + count - 1) / chunkRows_;
  constexpr std::uint64_t chunksPerReport = 32;
  for (std::uint64_t c = firstChunk; c <= lastChunk; c += chunksPerReport) {
    progress.report(static_cast<double>(c - firstChunk) / static_cast<double>(lastChunk - firstChunk + 1));
    const std::uint64_t chunks = std::min(chunksPerReport, lastChunk + 1 - c);
    forEachChunk(chunks, chunks * tiles_ * chunkBytes_, [&](std::uint64_t i) {
      const std::uint64_t begin = std::max(first, (c + i) * chunkRows_);
      const std::uint64_t end = std::min(first + count, (c + i + 1) * chunkRows_);
      readPart(c + i, begin, end, out + (begin - first) * rowBytes());
    });
  }
}

// Rows [begin, end) of the chunks number `chunk` along the rows, numbered as in the whole dataset.
void Dataset::readPart(std::uint64_t chunk, std::uint64_t begin, std::uint64_t end, std::byte* to) const {
  const bool whole = tiles_ == 1 && chunkColumns_ == columns() && end - begin == chunkRows_;
  std::vector<std::byte> unpacked(whole ? 0 : static_cast<std::size_t>(chunkBytes_));
  for (std::uint64_t tile = 0; tile < tiles_; ++tile) {
    const std::string where = what_ + ": chunk " + std::to_string(chunk * tiles_ + tile);
    const Chunk& place = chunks_[chunk * tiles_ + tile];
    const auto stored = file_.read(place.address, place.storedBytes, where);
    ChunkForm form{object_.filters, type().bytes, chunkBytes_};
    form.filters.deflated = place.deflated;
    unpack(stored, form, whole ? to : unpacked.data(), where);
    if (!whole) {
      copyRows(unpacked.data(), begin - chunk * chunkRows_, end - begin, tile, to);
    }
  }
}

// Rows of an unpacked chunk to their columns of whole rows.
void Dataset::copyRows(
  const std::byte* chunk, std::uint64_t first, std::uint64_t count, std::uint64_t tile, std::byte* to) const {
  const std::uint64_t bytes = chunkColumns_ * type().bytes;
  if (bytes == rowBytes()) {
    std::memcpy(to, chunk + first * bytes, static_cast<std::size_t>(count * bytes));
    return;
  }
  const std::uint64_t begin = tile * bytes;
  const std::uint64_t width = std::min(bytes, rowBytes() - begin);
  for (std::uint64_t r = 0; r < count; ++r) {
    std::memcpy(to + r * rowBytes() + begin, chunk + (first + r) * bytes, static_cast<std::size_t>(width));
  }
}

void Dataset::copyElement(std::uint64_t row, std::uint64_t column, std::size_t bytes, void* to) const {
  if (row >= rows() || column >= columns() || bytes != type().bytes) {
    throw FileError(what_ + " has no element (" + std::to_string(row) + ", " + std::to_string(column) + ")");
  }
  if (layout_.kind == Layout::Kind::Compact) {
    std::memcpy(to, layout_.compact.data() + row * rowBytes() + column * bytes, bytes);
    return;
  }
  if (layout_.kind == Layout::Kind::Contiguous) {
    return file_.read(layout_.address + row * rowBytes() + column * bytes, bytes, static_cast<std::byte*>(to), what_);
  }
  const std::uint64_t chunk = row / chunkRows_;
  if (keptChunk_ != chunk) {
    keptChunk_ = undefinedAddress;
    const std::uint64_t begin = chunk * chunkRows_;
    const std::uint64_t end = std::min(begin + chunkRows_, rows());
    kept_.resize(static_cast<std::size_t>((end - begin) * rowBytes()));
    readPart(chunk, begin, end, kept_.data());
    keptChunk_ = chunk;
  }
  std::memcpy(to, kept_.data() + (row - chunk * chunkRows_) * rowBytes() + column * bytes, bytes);
}

} // namespace spanwise::hdf5
