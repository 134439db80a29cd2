#pragma once

#include "Readers/Hdf5/InputFile.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

namespace spanwise::hdf5 {

// The part of the HDF5 file format that an .icsr file may use, and nothing else of it: superblock 2 or 3, object
// headers of version 2 with compact links and attributes, numbers and strings of fixed length, compact or chunked
// storage. All of it is covered by checksums. Files with superblock 0 or 1 are read too (Classic.hpp): they have no
// checksums, and are what scripts write that ask for nothing else. Other programs' files may go without checksums in
// the newer format too (Checksums::Optional): they have compounds of numbers, arrays in one piece, and links in heaps
// (DenseLinks.hpp). Numbers in comments are sections of the "HDF5 File Format Specification Version 3.0".
//
// This is read by our own code because HDF5's library trusts what it reads once the checksums are right: whoever makes
// a file can make the checksums too. Here every position and every size is compared with the file's size before it is
// used.

/// "No address".
inline constexpr std::uint64_t undefinedAddress = ~std::uint64_t{0};

/// What an element is.
struct Datatype {
  enum class Kind : std::uint8_t { Signed, Unsigned, Float, Text, Compound };
  /// A number in a compound.
  struct Member {
    std::string name;
    std::uint32_t offset = 0; ///< of its first byte
    Kind kind = Kind::Unsigned;
    std::uint32_t bytes = 0;

    friend bool operator==(const Member&, const Member&) = default;
  };
  Kind kind = Kind::Unsigned;
  std::uint32_t bytes = 0;          ///< of an element; of a text, its fixed length
  std::vector<Member> members = {}; ///< of a compound, each within its bytes

  friend bool operator==(const Datatype&, const Datatype&) = default;
};

/// "int32", "float64", "text of 12 bytes", "compound of 24 bytes".
std::string toString(const Datatype& type);

/// The extents of an array; none for a scalar.
using Extents = std::vector<std::uint64_t>;

/// "()", "(5)", "(5, 3)".
std::string toString(const Extents& extents);

/// The product of the extents. Throws FileError if it, times `elementBytes`, is more than 2^63 - 1. `what` names the
/// array.
std::uint64_t numElements(const Extents& extents, std::uint64_t elementBytes, const std::string& what);

/// An attribute as it stands in the object header. What it holds is looked at when it is wanted: others may leave
/// attributes of any kind in a file.
struct Attribute {
  std::string name;
  std::vector<std::byte> datatype;
  std::vector<std::byte> dataspace;
  std::vector<std::byte> data;
};

/// A member of a group.
struct Link {
  std::string name;
  std::uint64_t address = undefinedAddress; ///< undefined unless the link is a hard one
  std::uint64_t order = 0;                  ///< by creation, if the group keeps it
};

/// How the elements of an array are stored (IV.A.2.i).
struct Layout {
  enum class Kind : std::uint8_t { Compact, Contiguous, Chunked };
  enum class Index : std::uint8_t { None, SingleChunk, FixedArray, Tree };
  Kind kind = Kind::Compact;
  std::vector<std::byte> compact;
  std::uint64_t address =
    undefinedAddress; ///< of the index of the chunks, of the only chunk, or of the contiguous data
  Extents chunk;      ///< a chunk's extents
  std::uint64_t elementBytes = 0;
  Index index = Index::None;
  int pageBits = 0;              ///< fixed array: a page has 2^pageBits entries
  std::uint64_t storedBytes = 0; ///< single chunk: its stored size, if filtered
  std::uint32_t skippedFilters = 0;
  bool singleIsFiltered = false;
};

/// What is done to a chunk before it is stored, in this order.
struct Filters {
  bool shuffle = false;
  bool deflated = false; ///< not called deflate, which is a macro in the zlib that VTK brings along
  bool fletcher32 = false;
  int deflateIndex = -1; ///< the bit of a chunk's mask that says that it was not deflated
  bool any = false;
};

/// What a chunk is before it is packed, and how that is done.
struct ChunkForm {
  Filters filters;
  std::uint32_t elementBytes = 1;
  std::uint64_t bytes = 0; ///< unpacked
};

/// A group or a dataset.
struct Object {
  std::uint64_t address = undefinedAddress; ///< of its header
  std::vector<Attribute> attributes;
  std::vector<Link> links; ///< by creation order if the group keeps it, otherwise as stored
  bool isGroup = false;
  std::optional<Datatype> datatype;
  std::optional<Extents> extents;
  std::optional<Layout> layout;
  Filters filters;

  [[nodiscard]] const Attribute* attribute(const std::string& name) const;
  [[nodiscard]] const Link* link(const std::string& name) const;
};

/// Adds up what the objects of a file take of something, each object once, and refuses what is more than the limit. In
/// a file that was not made to do harm no two objects have bytes in common, so all of them together are never more than
/// the file; a few bytes that thousands of objects point at are.
class Budget {
public:
  explicit Budget(std::uint64_t limit) : left_(limit) {}

  /// Whether `amount` is left for the object at `address`, which then has it; always true for one that had its share.
  bool take(std::uint64_t address, std::uint64_t amount) {
    if (known_.contains(address)) {
      return true;
    }
    if (amount > left_) {
      return false;
    }
    left_ -= amount;
    known_.insert(address);
    return true;
  }

private:
  std::uint64_t left_;
  std::unordered_set<std::uint64_t> known_;
};

/// What is asked of files with superblock 2 or 3. Those with an older one have no checksums in any case.
enum class Checksums : std::uint8_t {
  Required, ///< all that is read is covered by checksums, as in .icsr files
  Optional  ///< structures have theirs, arrays may have none
};

/// An HDF5 file whose superblock is right. Not for several threads.
class Structure {
public:
  /// Throws FileError if the file is not an HDF5 file of the supported kind.
  explicit Structure(const InputFile& file, Checksums checksums = Checksums::Required);

  /// Cheap: whether the file begins with HDF5's signature.
  static bool hasSignature(const InputFile& file);

  [[nodiscard]] const InputFile& file() const { return file_; }
  [[nodiscard]] std::uint64_t rootAddress() const { return rootAddress_; }
  /// Whether all that is read must be covered by checksums.
  [[nodiscard]] bool needsChecksums() const { return needsChecksums_; }

  /// The object whose header is at `address`. `what` names it in messages. Throws FileError, also if the headers of all
  /// objects that were looked at so far have more bytes than the file.
  [[nodiscard]] Object object(std::uint64_t address, const std::string& what) const;

  /// A block of metadata whose last four bytes are the checksum of the others; they are compared and left out.
  [[nodiscard]] std::vector<std::byte> block(std::uint64_t address, std::uint64_t bytes, const std::string& what) const;

  /// Counts the bytes in which the dataset with the header at `address` keeps its values. Throws FileError if all
  /// datasets that were looked at so far keep more than the file has: then they lie over each other.
  void countStored(std::uint64_t address, std::uint64_t bytes, const std::string& what) const;

  /// The attribute, with texts of fixed length where they are of variable length. Throws FileError.
  [[nodiscard]] Attribute withFixedText(Attribute attribute, const std::string& what) const;

  /// A place that is covered by a checksum.
  struct Block {
    std::uint64_t address;
    std::uint64_t bytes; ///< with the checksum
  };
  /// Has every block that is read from now on noted in `blocks`, or in nothing any more.
  void noteBlocks(std::vector<Block>* blocks) { notedBlocks_ = blocks; }

private:
  const InputFile& file_;
  /// Superblock 2 or 3; returns where the file ends.
  std::uint64_t readSuperblock();

  std::uint64_t rootAddress_ = undefinedAddress;
  bool needsChecksums_ = true;
  mutable std::uint64_t textBytes_ = 0; ///< of texts of variable length and of their heaps
  mutable Budget headers_;
  mutable Budget stored_;
  std::vector<Block>* notedBlocks_ = nullptr;
};

// The messages of an object header (IV.A.2). Each takes the whole body.
Datatype readDatatype(std::span<const std::byte> body, const std::string& what);
Extents readDataspace(std::span<const std::byte> body, const std::string& what);
Layout readLayout(std::span<const std::byte> body, const std::string& what);
Filters readFilters(std::span<const std::byte> body, const std::string& what);
Attribute readAttribute(std::span<const std::byte> body, const std::string& what);
Link readLink(std::span<const std::byte> body, const std::string& what);
/// Where links (message 2) or attributes (message 21) are stored that are not in the object header.
struct DenseStorage {
  std::uint64_t heap = undefinedAddress;  ///< undefined: they are in the header
  std::uint64_t names = undefinedAddress; ///< the tree that finds them by name
};
DenseStorage readDenseStorage(std::span<const std::byte> body, int orderBytes, const std::string& what);

} // namespace spanwise::hdf5
