#include "Readers/Hdf5/Bytes.hpp"
#include "Readers/Hdf5/Structure.hpp"
#include "Readers/Hdf5/Utf8.hpp"

#include <algorithm>
#include <cstring>

namespace spanwise::hdf5 {

namespace {

constexpr unsigned maxRank = 32; // HDF5's own limit

void expectVersion(unsigned version, unsigned low, unsigned high, const std::string& what) {
  if (version < low || version > high) {
    throw FileError(what + " has version " + std::to_string(version) + "; " + std::to_string(low) +
      (low == high ? "" : " to " + std::to_string(high)) + " is supported");
  }
}

} // namespace

namespace {

// What precedes the properties of every datatype (IV.A.2.d).
struct DatatypeHead {
  unsigned version;
  unsigned kind;
  unsigned bits[3];
  std::uint32_t bytes;
};

DatatypeHead readDatatypeHead(Bytes& bytes) {
  DatatypeHead head{};
  const unsigned classAndVersion = bytes.number<std::uint8_t>();
  head.version = classAndVersion >> 4;
  head.kind = classAndVersion & 0x0fU;
  expectVersion(head.version, 1, 5, bytes.what());
  for (unsigned& b : head.bits) {
    b = bytes.number<std::uint8_t>();
  }
  head.bytes = bytes.number<std::uint32_t>();
  return head;
}

// Class 0 (fixed point)
Datatype::Kind readInteger(Bytes& bytes, const DatatypeHead& head) {
  const unsigned offset = bytes.number<std::uint16_t>();
  const unsigned precision = bytes.number<std::uint16_t>();
  if (head.bytes != 1 && head.bytes != 2 && head.bytes != 4 && head.bytes != 8) {
    throw FileError(
      bytes.what() + " is an integer of " + std::to_string(head.bytes) + " bytes; 1, 2, 4 and 8 are supported");
  }
  if ((head.bits[0] & 0x07) != 0 || offset != 0 || precision != 8 * head.bytes) {
    throw FileError(bytes.what() +
      " is an integer that is big-endian or padded; little-endian ones that fill their bytes are "
      "supported");
  }
  return (head.bits[0] & 0x08) != 0 ? Datatype::Kind::Signed : Datatype::Kind::Unsigned;
}

// Class 1 (floating point)
Datatype::Kind readFloat(Bytes& bytes, const DatatypeHead& head) {
  if (head.bytes != 4 && head.bytes != 8) {
    throw FileError(bytes.what() + " is a float of " + std::to_string(head.bytes) + " bytes; 4 and 8 are supported");
  }
  // offset, precision, exponent's place and size, mantissa's place and size, exponent's bias
  static constexpr unsigned char single[] = {0, 0, 32, 0, 23, 8, 0, 23, 127, 0, 0, 0};
  static constexpr unsigned char twice[] = {0, 0, 64, 0, 52, 11, 0, 52, 255, 3, 0, 0};
  const auto properties = bytes.take(sizeof(single));
  const bool isSingle = head.bytes == 4;
  if (std::memcmp(properties.data(), isSingle ? single : twice, sizeof(single)) != 0 || head.bits[0] != 0x20 ||
    head.bits[1] != 8 * head.bytes - 1) {
    throw FileError(bytes.what() + " is a float that is not IEEE 754 little-endian");
  }
  return Datatype::Kind::Float;
}

// A text that ends with NUL.
std::string readName(Bytes& bytes) {
  std::string name;
  for (char c = '\0'; (c = static_cast<char>(bytes.number<std::uint8_t>())) != '\0';) {
    name += c;
  }
  return name;
}

// Class 6 (compound), of numbers; version 1 has members that are arrays, and version 3 offsets of as few bytes as the
// size of the whole has
std::vector<Datatype::Member> readMembers(Bytes& bytes, const DatatypeHead& head) {
  std::vector<Datatype::Member> members;
  const unsigned count = head.bits[0] + 256 * head.bits[1];
  int offsetBytes = 4;
  while (head.version >= 3 && offsetBytes > 1 && head.bytes >> (8 * (offsetBytes - 1)) == 0) {
    --offsetBytes;
  }
  for (unsigned m = 0; m < count; ++m) {
    Datatype::Member member;
    member.name = readName(bytes);
    if (head.version < 3) {
      bytes.take(7 - member.name.size() % 8); // with its NUL it fills up to 8 bytes
    }
    const std::uint64_t offset = bytes.numberOf(offsetBytes);
    const std::string where = "the member " + quotedName(member.name);
    if (head.version == 1) {
      if (bytes.number<std::uint8_t>() != 0) {
        throw FileError(bytes.what() + " has arrays in it: " + where + " is one; compounds of numbers are supported");
      }
      bytes.take(3 + 4 + 4 + 16);
    }
    const DatatypeHead inner = readDatatypeHead(bytes);
    if (inner.kind > 1) {
      throw FileError(bytes.what() + " is a compound, and " + where + " has class " + std::to_string(inner.kind) +
        "; integers and floats are supported in one");
    }
    member.kind = inner.kind == 0 ? readInteger(bytes, inner) : readFloat(bytes, inner);
    member.bytes = inner.bytes;
    if (inner.bytes > head.bytes || offset > head.bytes - inner.bytes) {
      throw FileError(bytes.what() + " is a compound of " + std::to_string(head.bytes) + " bytes, and " + where +
        " has " + std::to_string(inner.bytes) + " at " + std::to_string(offset));
    }
    member.offset = static_cast<std::uint32_t>(offset);
    members.push_back(std::move(member));
  }
  return members;
}

} // namespace

// IV.A.2.d: classes 0 (fixed point), 1 (floating point), 3 (string) and 6 (compound)
Datatype readDatatype(std::span<const std::byte> body, const std::string& what) {
  Bytes bytes(body, what + ": its datatype");
  const DatatypeHead head = readDatatypeHead(bytes);
  Datatype type;
  type.bytes = head.bytes;
  switch (head.kind) {
  case 0:
    type.kind = readInteger(bytes, head);
    break;
  case 1:
    type.kind = readFloat(bytes, head);
    break;
  case 3:
    type.kind = Datatype::Kind::Text;
    if (type.bytes == 0) {
      throw FileError(bytes.what() + " is a text of no bytes");
    }
    break;
  case 6:
    type.kind = Datatype::Kind::Compound;
    type.members = readMembers(bytes, head);
    if (type.bytes == 0) {
      throw FileError(bytes.what() + " is a compound of no bytes");
    }
    break;
  default:
    throw FileError(bytes.what() + " has class " + std::to_string(head.kind) +
      "; integers, floats, texts of fixed length and compounds of numbers are supported");
  }
  return type;
}

// IV.A.2.b
Extents readDataspace(std::span<const std::byte> body, const std::string& what) {
  Bytes bytes(body, what + ": its dataspace");
  const unsigned version = bytes.number<std::uint8_t>();
  expectVersion(version, 1, 2, bytes.what());
  const unsigned rank = bytes.number<std::uint8_t>();
  bytes.number<std::uint8_t>(); // whether there are maximum extents; they say nothing about what is there
  unsigned kind = bytes.number<std::uint8_t>();
  if (version == 1) { // which has no kinds
    bytes.take(4);
    kind = rank == 0 ? 0 : 1;
  }
  if (rank > maxRank || kind > 1 || (kind == 0 && rank != 0) || (kind == 1 && rank == 0)) {
    throw FileError(bytes.what() + " has rank " + std::to_string(rank) + " and kind " + std::to_string(kind) +
      "; scalars and simple arrays are supported");
  }
  Extents extents;
  for (unsigned d = 0; d < rank; ++d) {
    extents.push_back(bytes.number<std::uint64_t>());
  }
  return extents;
}

namespace {

// The chunks of version 3: rank, the tree's address, extents
void readOldChunks(Bytes& bytes, Layout& layout) {
  const unsigned rank = bytes.number<std::uint8_t>();
  layout.address = bytes.number<std::uint64_t>();
  if (rank < 2 || rank > maxRank + 1) {
    throw FileError(bytes.what() + " is chunked with rank " + std::to_string(rank) + ", which is not supported");
  }
  for (unsigned d = 0; d + 1 < rank; ++d) {
    layout.chunk.push_back(bytes.number<std::uint32_t>());
  }
  layout.elementBytes = bytes.number<std::uint32_t>();
  layout.index = Layout::Index::Tree;
}

} // namespace

// IV.A.2.i, versions 3 and 4
Layout readLayout(std::span<const std::byte> body, const std::string& what) {
  Bytes bytes(body, what + ": its layout");
  const unsigned version = bytes.number<std::uint8_t>();
  expectVersion(version, 3, 4, bytes.what());
  Layout layout;
  const unsigned kind = bytes.number<std::uint8_t>();
  if (kind == 0) {
    layout.kind = Layout::Kind::Compact;
    const auto data = bytes.take(bytes.number<std::uint16_t>());
    layout.compact.assign(data.begin(), data.end());
  } else if (kind == 1) {
    layout.kind = Layout::Kind::Contiguous;
    layout.address = bytes.number<std::uint64_t>();
    layout.storedBytes = bytes.number<std::uint64_t>();
  } else if (kind == 2) {
    layout.kind = Layout::Kind::Chunked;
    if (version == 3) {
      readOldChunks(bytes, layout);
      return layout;
    }
    const unsigned flags = bytes.number<std::uint8_t>();
    const unsigned rank = bytes.number<std::uint8_t>();
    const unsigned extentBytes = bytes.number<std::uint8_t>();
    if (rank < 2 || rank > maxRank + 1 || (flags & ~0x02U) != 0) {
      throw FileError(bytes.what() + " is chunked with rank " + std::to_string(rank) + " and flags " +
        std::to_string(flags) + ", which is not supported");
    }
    for (unsigned d = 0; d + 1 < rank; ++d) {
      layout.chunk.push_back(bytes.numberOf(static_cast<int>(extentBytes)));
    }
    layout.elementBytes = bytes.numberOf(static_cast<int>(extentBytes));
    const unsigned index = bytes.number<std::uint8_t>();
    if (index == 1) {
      layout.index = Layout::Index::SingleChunk;
      layout.singleIsFiltered = (flags & 0x02) != 0;
      if (layout.singleIsFiltered) {
        layout.storedBytes = bytes.number<std::uint64_t>();
        layout.skippedFilters = bytes.number<std::uint32_t>();
      }
    } else if (index == 3) {
      layout.index = Layout::Index::FixedArray;
      layout.pageBits = bytes.number<std::uint8_t>();
    } else {
      throw FileError(bytes.what() + " indexes its chunks by method " + std::to_string(index) +
        "; 1 (one chunk) and 3 (fixed array) are supported: the extents must be fixed");
    }
    layout.address = bytes.number<std::uint64_t>();
  } else {
    throw FileError(bytes.what() + " is of class " + std::to_string(kind) +
      "; compact and chunked ones are supported, and not virtual ones");
  }
  return layout;
}

// IV.A.2.l; version 1 has names always, and fills up to 8 bytes
Filters readFilters(std::span<const std::byte> body, const std::string& what) {
  Bytes bytes(body, what + ": its filters");
  const unsigned version = bytes.number<std::uint8_t>();
  expectVersion(version, 1, 2, bytes.what());
  const int count = bytes.number<std::uint8_t>();
  bytes.take(version == 1 ? 6 : 0);
  Filters filters;
  filters.any = true;
  int stage = 0;
  for (int f = 0; f < count; ++f) {
    const unsigned id = bytes.number<std::uint16_t>();
    const unsigned nameBytes = version == 2 && id < 256 ? 0 : bytes.number<std::uint16_t>();
    bytes.number<std::uint16_t>(); // whether the filter may fail; a chunk's mask says whether it did
    const unsigned values = bytes.number<std::uint16_t>();
    bytes.take(nameBytes);
    bytes.take(4ULL * (values + (version == 1 ? values % 2 : 0)));
    const int itsStage = id == 2 ? 1 : id == 1 ? 2 : id == 3 ? 3 : 0;
    if (itsStage <= stage) {
      throw FileError(bytes.what() + " have filter " + std::to_string(id) + " at place " + std::to_string(f) +
        "; supported are shuffle (2), deflate (1) and Fletcher32 (3), each once and in this order");
    }
    stage = itsStage;
    filters.shuffle = filters.shuffle || id == 2;
    filters.fletcher32 = filters.fletcher32 || id == 3;
    if (id == 1) {
      filters.deflated = true;
      filters.deflateIndex = f;
    }
  }
  return filters;
}

// IV.A.2.m; version 1 fills each part up to 8 bytes, and version 3 says how the name is encoded
Attribute readAttribute(std::span<const std::byte> body, const std::string& what) {
  Bytes bytes(body, what + ": an attribute");
  const unsigned version = bytes.number<std::uint8_t>();
  expectVersion(version, 1, 3, bytes.what());
  const unsigned flags = bytes.number<std::uint8_t>();
  if (version > 1 && flags != 0) {
    throw FileError(bytes.what() + " has a shared datatype or dataspace, which is not supported");
  }
  const unsigned nameBytes = bytes.number<std::uint16_t>();
  const unsigned typeBytes = bytes.number<std::uint16_t>();
  const unsigned spaceBytes = bytes.number<std::uint16_t>();
  bytes.take(version == 3 ? 1 : 0); // the name's character set: ASCII is UTF-8
  const auto filledUp = [&](unsigned count) { return version == 1 ? (count + 7) / 8 * 8 : count; };
  Attribute attribute;
  attribute.name = bytes.text(filledUp(nameBytes));
  attribute.name = attribute.name.substr(0, attribute.name.find('\0'));
  const auto keep = [](std::span<const std::byte> from) { return std::vector<std::byte>(from.begin(), from.end()); };
  attribute.datatype = keep(bytes.take(filledUp(typeBytes)));
  attribute.dataspace = keep(bytes.take(filledUp(spaceBytes)));
  attribute.data = keep(bytes.take(bytes.left()));
  return attribute;
}

// IV.A.2.g
Link readLink(std::span<const std::byte> body, const std::string& what) {
  Bytes bytes(body, what + ": a link");
  expectVersion(bytes.number<std::uint8_t>(), 1, 1, bytes.what());
  const unsigned flags = bytes.number<std::uint8_t>();
  const unsigned kind = (flags & 0x08) != 0 ? bytes.number<std::uint8_t>() : 0;
  Link link;
  if ((flags & 0x04) != 0) {
    link.order = bytes.number<std::uint64_t>();
  }
  if ((flags & 0x10) != 0) {
    bytes.number<std::uint8_t>(); // character set
  }
  const std::uint64_t nameBytes = bytes.numberOf(1 << (flags & 0x03));
  link.name = bytes.text(nameBytes);
  if (kind == 0) {
    link.address = bytes.number<std::uint64_t>();
  }
  return link;
}

// IV.A.2.c and IV.A.2.v: the same but for the width of the largest creation order
DenseStorage readDenseStorage(std::span<const std::byte> body, int orderBytes, const std::string& what) {
  Bytes bytes(body, what);
  expectVersion(bytes.number<std::uint8_t>(), 0, 0, what);
  if ((bytes.number<std::uint8_t>() & 0x01) != 0) {
    bytes.take(static_cast<std::uint64_t>(orderBytes));
  }
  DenseStorage storage;
  storage.heap = bytes.number<std::uint64_t>();
  storage.names = bytes.number<std::uint64_t>();
  return storage;
}

} // namespace spanwise::hdf5
