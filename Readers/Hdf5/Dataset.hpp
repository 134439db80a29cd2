#pragma once

#include "Readers/Hdf5/Structure.hpp"

#include "Core/Runtime/Progress.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace spanwise::hdf5 {

/// A stored chunk.
struct Chunk {
  std::uint64_t address = 0;
  std::uint64_t storedBytes = 0;
  bool deflated = false;
};

/// The largest chunk, unpacked, that is read. HDF5 itself stops at 4 GiB.
inline constexpr std::uint64_t maxChunkBytes = 1U << 26;

/// zlib's manual: the limit of deflate's ratio. A few bytes are added for the header of a tiny stream.
inline constexpr std::uint64_t maxDeflateRatio = 1032;

/// So many columns an array may always have. To handle a row takes 8 bytes a column, whatever the type of its elements;
/// where there are more columns, the stored bytes must be able to hold as much.
inline constexpr std::uint64_t maxFreeColumns = 1U << 16;

/// An array of one or two extents, called rows and columns, that is stored in chunks of whole rows; in a file without
/// checksums also in chunks of some columns, or in one piece.
///
/// The constructor finds out where every chunk is and that the file has as many bytes as the extents claim: stored
/// sizes of all datasets must not add up to more than the file, and deflate packs at most 1032 times. So nobody needs
/// to allocate on the word of a header.
class Dataset {
public:
  Dataset(const Structure& structure, std::uint64_t address, std::string what);

  [[nodiscard]] const std::string& what() const { return what_; }
  [[nodiscard]] std::uint64_t address() const { return address_; }
  [[nodiscard]] const Object& object() const { return object_; }
  [[nodiscard]] const Datatype& type() const { return type_; }
  [[nodiscard]] const Extents& extents() const { return extents_; }
  [[nodiscard]] std::uint64_t rows() const { return extents()[0]; }
  [[nodiscard]] std::uint64_t columns() const { return extents().size() > 1 ? extents()[1] : 1; }
  [[nodiscard]] std::uint64_t rowBytes() const { return columns() * type().bytes; }

  /// Where the chunks are.
  [[nodiscard]] const std::vector<Chunk>& chunks() const { return chunks_; }

  /// Throws FileError if type or extents are not these.
  void expect(const Datatype& type, const Extents& extents) const;

  /// Reads rows [first, first + count) to `to`, on all host threads. Throws FileError if a checksum is wrong or a chunk
  /// does not unpack to its size; Cancelled.
  void read(std::uint64_t first, std::uint64_t count, void* to, const Progress& progress = {}) const;

  /// One row's first element, for searches: the chunk that was last looked at is kept. Not for several threads.
  template <class T>
  T at(std::uint64_t row, std::uint64_t column = 0) const {
    T value;
    copyElement(row, column, sizeof(T), &value);
    return value;
  }

private:
  void checkShape();
  void findChunks(const Structure& structure);
  void findSingleChunk();
  void findChunksInTree(const Structure& structure);
  void checkPiece() const;
  void findChunksInArray(const Structure& structure);
  void addChunks(const std::vector<std::byte>& entries, std::uint64_t count, int sizeBytes);
  void addChunk(std::uint64_t address, std::uint64_t storedBytes, std::uint32_t skippedFilters);
  void checkColumns() const;
  [[nodiscard]] std::uint64_t storedBytes() const;
  void copyElement(std::uint64_t row, std::uint64_t column, std::size_t bytes, void* to) const;
  void readPart(std::uint64_t chunk, std::uint64_t begin, std::uint64_t end, std::byte* to) const;
  void copyRows(
    const std::byte* chunk, std::uint64_t first, std::uint64_t count, std::uint64_t tile, std::byte* to) const;

  const InputFile& file_;
  std::uint64_t address_;
  std::string what_;
  Object object_;
  Datatype type_;
  Extents extents_;
  Layout layout_;
  std::uint64_t chunkRows_ = 0;
  std::uint64_t chunkColumns_ = 0;
  std::uint64_t tiles_ = 1;      ///< chunks side by side
  std::uint64_t chunkBytes_ = 0; ///< unpacked, the padding of the last chunk counted
  std::vector<Chunk> chunks_;
  mutable std::uint64_t keptChunk_ = undefinedAddress;
  mutable std::vector<std::byte> kept_;
};

/// Type and extents of a dataset, without a look at how it is stored.
Object datasetHeader(const Structure& structure, std::uint64_t address, const std::string& what);

/// Unpacks a stored chunk of this form to exactly form.bytes bytes. Throws FileError.
void unpack(const std::vector<std::byte>& stored, const ChunkForm& form, std::byte* to, const std::string& what);

} // namespace spanwise::hdf5
