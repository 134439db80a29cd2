#pragma once

#include "Readers/Hdf5/Structure.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace spanwise::hdf5 {

// What HDF5's library, and so h5py, writes unless it is told otherwise: the format of HDF5 1.6, which has no checksums
// of metadata. It is read as carefully: positions and sizes are compared with the file's, and every walk has an end.

/// Where the header of the root group is, and where the file ends.
struct ClassicRoot {
  std::uint64_t address = undefinedAddress;
  std::uint64_t end = 0;
};

/// Superblock 0 or 1 (II.A). Throws FileError.
ClassicRoot readClassicSuperblock(const InputFile& file);

/// The links of a group, by name, and the bytes that they take.
struct SymbolTable {
  std::vector<Link> links;
  std::uint64_t bytes = 0;
};

/// A group's symbol table (III.A.1, III.B, III.C, III.D), from the body of its header message. Throws FileError.
SymbolTable readSymbolTable(const InputFile& file, std::span<const std::byte> body, const std::string& what);

/// Whether an attribute is of texts of variable length, which stand elsewhere.
bool isVariableText(const Attribute& attribute);

/// The same attribute with texts of fixed length, taken from global heaps (III.E). Adds the bytes of all heaps that it
/// looked into, and of the texts, to `bytes`. Throws FileError, also where these become more than `maxBytes`.
Attribute toFixedText(const InputFile& file, const Attribute& attribute, std::uint64_t& bytes, std::uint64_t maxBytes,
  const std::string& what);

/// An entry of a chunk index.
struct ClassicChunk {
  std::vector<std::uint64_t> offsets; ///< of its first element
  std::uint64_t address = undefinedAddress;
  std::uint32_t storedBytes = 0;
  std::uint32_t skippedFilters = 0;
};

/// The chunks of an array of `rank` extents, in order of their offsets (III.A.1, type 1); at most `maxChunks` of them.
/// Throws FileError.
std::vector<ClassicChunk> readChunkTree(
  const InputFile& file, std::uint64_t address, std::size_t rank, std::uint64_t maxChunks, const std::string& what);

} // namespace spanwise::hdf5
