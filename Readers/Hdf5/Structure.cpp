#include "Readers/Hdf5/Structure.hpp"

#include "Readers/Hdf5/Bytes.hpp"
#include "Readers/Hdf5/Checksums.hpp"
#include "Readers/Hdf5/Classic.hpp"
#include "Readers/Hdf5/DenseLinks.hpp"
#include "Readers/Hdf5/Utf8.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <limits>
#include <set>

namespace spanwise::hdf5 {

namespace {

const std::string signature("\x89HDF\r\n\x1a\n", 8);
constexpr std::uint64_t superblockBytes = 48;
constexpr std::uint64_t checksumBytes = 4;
// So many bytes are looked through for a byte of the file: a heap of 4 KiB, with room for 170 texts, for each of them.
constexpr std::uint64_t maxHeapBytesPerByte = 256;

enum MessageType : std::uint8_t {
  dataspaceMessage = 0x01,
  linkInfoMessage = 0x02,
  datatypeMessage = 0x03,
  linkMessage = 0x06,
  externalFilesMessage = 0x07,
  layoutMessage = 0x08,
  filtersMessage = 0x0b,
  attributeMessage = 0x0c,
  continuationMessage = 0x10,
  symbolTableMessage = 0x11,
  attributeInfoMessage = 0x15,
};

constexpr unsigned sharedFlag = 0x02;
constexpr unsigned failIfUnknownFlags = 0x88;

// Reads one header: the first chunk and those that it continues in.
class HeaderReader {
public:
  HeaderReader(const Structure& structure, std::string what) : structure_(structure), what_(std::move(what)) {}

  Object read(std::uint64_t address) {
    object_.address = address;
    readFirstChunk(address);
    while (!continuations_.empty()) {
      const Structure::Block next = continuations_.back();
      continuations_.pop_back();
      readContinuation(next);
    }
    if (keepsOrder_) {
      std::stable_sort(
        object_.links.begin(), object_.links.end(), [](const Link& a, const Link& b) { return a.order < b.order; });
    }
    checkNames();
    return std::move(object_);
  }

  /// The bytes of the header.
  [[nodiscard]] std::uint64_t bytes() const { return spent_; }

private:
  // IV.A.1.b
  void readFirstChunk(std::uint64_t address) {
    const InputFile& file = structure_.file();
    // The prefix says how long the chunk is; it is at most 34 bytes. Its checksum is compared below.
    const std::uint64_t most = file.holds(address, 0) ? std::min<std::uint64_t>(34, file.size() - address) : 34;
    const auto prefixBytes = file.read(address, most, what_);
    Bytes prefix(prefixBytes, what_);
    if (prefix.left() >= 1 && prefixBytes[0] == std::byte{1}) {
      if (!structure_.needsChecksums()) {
        return readClassicChunk(address, prefix);
      }
      throw FileError(what_ +
        " has an object header of version 1, which has no checksum; write the file with HDF5's "
        "version bounds set to 1.10 (h5py: libver=('v110', 'v110'))");
    }
    prefix.expect("OHDR");
    expectVersion(prefix.number<std::uint8_t>(), 2, "object header");
    const unsigned flags = prefix.number<std::uint8_t>();
    hasOrder_ = (flags & 0x04) != 0;
    if ((flags & 0x20) != 0) {
      prefix.take(16); // times
    }
    if ((flags & 0x10) != 0) {
      prefix.take(4); // how many attributes are kept here
    }
    const std::uint64_t messageBytes = prefix.numberOf(1 << (flags & 0x03));
    const std::uint64_t taken = most - prefix.left();
    spend(messageBytes);
    const auto chunk = structure_.block(address, taken + messageBytes + checksumBytes, what_);
    readMessages(Bytes(std::span(chunk).subspan(static_cast<std::size_t>(taken)), what_));
  }

  // IV.A.1.a; `prefix` stands behind nothing of it yet.
  void readClassicChunk(std::uint64_t address, Bytes prefix) {
    constexpr std::uint64_t prefixBytes = 16;
    isClassicHeader_ = true;
    prefix.take(2 + 2 + 4); // version, reserved, number of messages, reference count
    const std::uint64_t messageBytes = prefix.number<std::uint32_t>();
    spend(prefixBytes + messageBytes);
    const auto chunk = structure_.file().read(address + prefixBytes, messageBytes, what_);
    readClassicMessages(Bytes(chunk, what_));
  }

  void readClassicMessages(Bytes bytes) {
    while (bytes.left() >= 8) {
      const unsigned type = bytes.number<std::uint16_t>();
      const unsigned size = bytes.number<std::uint16_t>();
      const unsigned flags = bytes.number<std::uint8_t>();
      bytes.take(3);
      readMessage(type, flags, bytes.take(size));
    }
  }

  void readContinuation(const Structure::Block& place) {
    spend(place.bytes);
    if (!seen_.insert(place.address).second) {
      throw FileError(what_ + " continues twice at byte " + std::to_string(place.address));
    }
    if (isClassicHeader_) {
      const auto chunk = structure_.file().read(place.address, place.bytes, what_);
      return readClassicMessages(Bytes(chunk, what_));
    }
    const auto chunk = structure_.block(place.address, place.bytes, what_);
    Bytes bytes(chunk, what_);
    bytes.expect("OCHK");
    readMessages(bytes);
  }

  void readMessages(Bytes bytes) {
    const std::size_t prefix = hasOrder_ ? 6 : 4;
    while (bytes.left() >= prefix) { // what is left is a gap
      const unsigned type = bytes.number<std::uint8_t>();
      const unsigned size = bytes.number<std::uint16_t>();
      const unsigned flags = bytes.number<std::uint8_t>();
      if (hasOrder_) {
        bytes.take(2);
      }
      readMessage(type, flags, bytes.take(size));
    }
  }

  void readMessage(unsigned type, unsigned flags, std::span<const std::byte> body) {
    if ((flags & sharedFlag) != 0) {
      throw FileError(what_ + " has a shared header message, which is not supported");
    }
    switch (type) {
    case dataspaceMessage:
      set(object_.extents, readDataspace(body, what_), "dataspaces");
      break;
    case datatypeMessage:
      set(object_.datatype, readDatatype(body, what_), "datatypes");
      break;
    case layoutMessage:
      set(object_.layout, readLayout(body, what_), "layouts");
      break;
    case filtersMessage:
      if (object_.filters.any) {
        throw FileError(what_ + " has two filter pipelines");
      }
      object_.filters = readFilters(body, what_);
      break;
    case attributeMessage:
      object_.attributes.push_back(readAttribute(body, what_));
      if (!structure_.needsChecksums()) {
        object_.attributes.back() = structure_.withFixedText(std::move(object_.attributes.back()), what_);
      }
      break;
    case linkMessage:
      object_.isGroup = true;
      object_.links.push_back(readLink(body, what_));
      break;
    case linkInfoMessage:
      object_.isGroup = true;
      keepsOrder_ = body.size() > 1 && (std::to_integer<unsigned>(body[1]) & 1U) != 0;
      readLinksInHeap(readDenseStorage(body, 8, what_ + ": its links"));
      break;
    case attributeInfoMessage:
      // Where there may be no checksums, attributes in a heap are not looked for.
      checkStoredHere(readDenseStorage(body, 2, what_ + ": its attributes"), "attributes");
      break;
    case continuationMessage: {
      Bytes bytes(body, what_);
      const auto address = bytes.number<std::uint64_t>();
      continuations_.push_back({address, bytes.number<std::uint64_t>()});
      break;
    }
    case externalFilesMessage:
      throw FileError(what_ + " keeps its data in other files, which is not supported");
    case symbolTableMessage: {
      if (structure_.needsChecksums()) {
        throw FileError(
          what_ + " is a group with a symbol table; write the file with HDF5's version bounds set to 1.10");
      }
      SymbolTable table = readSymbolTable(structure_.file(), body, what_);
      spend(table.bytes);
      object_.isGroup = true;
      std::move(table.links.begin(), table.links.end(), std::back_inserter(object_.links));
      break;
    }
    default: // fill value, modification time, reference count, comment ...: nothing that changes what is read
      if ((flags & failIfUnknownFlags) != 0) {
        throw FileError(what_ + " has a header message of type " + std::to_string(type) +
          " that a reader must know, and this one does not");
      }
      break;
    }
  }

  void checkStoredHere(const DenseStorage& storage, const std::string& name) const {
    if (storage.heap != undefinedAddress && structure_.needsChecksums()) {
      throw FileError(what_ + ": its " + name +
        " are kept in a heap; an .icsr file keeps them in the object header (HDF5: "
        "H5Pset_link_phase_change, H5Pset_attr_phase_change)");
    }
  }

  void readLinksInHeap(const DenseStorage& storage) {
    checkStoredHere(storage, "links");
    if (storage.heap != undefinedAddress) {
      DenseLinks dense = readDenseLinks(structure_, storage, what_ + ": its links");
      spend(dense.bytes);
      std::move(dense.links.begin(), dense.links.end(), std::back_inserter(object_.links));
    }
  }

  template <class T>
  void set(std::optional<T>& place, T value, const char* name) {
    if (place.has_value()) {
      throw FileError(what_ + " has two " + name);
    }
    place = std::move(value);
  }

  void expectVersion(unsigned version, unsigned expected, const char* name) const {
    if (version != expected) {
      throw FileError(what_ + " has an " + name + " of version " + std::to_string(version) + "; " +
        std::to_string(expected) + " is supported");
    }
  }

  void spend(std::uint64_t bytes) {
    const std::uint64_t most = structure_.file().size();
    spent_ += std::min(bytes, most + 1);
    if (spent_ > most) {
      throw FileError(what_ + " has an object header of more bytes than the file, " + std::to_string(most));
    }
  }

  void checkNames() const {
    std::set<std::string> names;
    for (const Link& link : object_.links) {
      if (!names.insert(link.name).second) {
        throw FileError(what_ + " has two members with the name " + quotedName(link.name));
      }
    }
    names.clear();
    for (const Attribute& attribute : object_.attributes) {
      if (!names.insert(attribute.name).second) {
        throw FileError(what_ + " has two attributes with the name " + quotedName(attribute.name));
      }
    }
  }

  const Structure& structure_;
  std::string what_;
  Object object_;
  std::vector<Structure::Block> continuations_;
  std::set<std::uint64_t> seen_;
  std::uint64_t spent_ = 0;
  bool hasOrder_ = false;
  bool keepsOrder_ = false;
  bool isClassicHeader_ = false;
};

template <class Items>
auto findByName(const Items& items, const std::string& name) -> decltype(items.data()) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.name == name; });
  return found == items.end() ? nullptr : &*found;
}

} // namespace

std::string toString(const Datatype& type) {
  switch (type.kind) {
  case Datatype::Kind::Signed:
    return "int" + std::to_string(8 * type.bytes);
  case Datatype::Kind::Unsigned:
    return "uint" + std::to_string(8 * type.bytes);
  case Datatype::Kind::Float:
    return "float" + std::to_string(8 * type.bytes);
  case Datatype::Kind::Compound:
    return "compound of " + std::to_string(type.bytes) + " bytes";
  case Datatype::Kind::Text:
    break;
  }
  return "text of " + std::to_string(type.bytes) + " bytes";
}

std::string toString(const Extents& extents) {
  std::string text = "(";
  for (std::size_t d = 0; d < extents.size(); ++d) {
    text += (d == 0 ? "" : ", ") + std::to_string(extents[d]);
  }
  return text + ")";
}

std::uint64_t numElements(const Extents& extents, std::uint64_t elementBytes, const std::string& what) {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (std::find(extents.begin(), extents.end(), 0U) != extents.end()) {
    return 0;
  }
  std::uint64_t bytes = std::max<std::uint64_t>(elementBytes, 1);
  std::uint64_t count = 1;
  for (const std::uint64_t extent : extents) {
    if (extent > most / bytes) {
      throw FileError(what + " has extents " + toString(extents) + ", which is larger than any file");
    }
    bytes *= extent;
    count *= extent;
  }
  return count;
}

const Attribute* Object::attribute(const std::string& name) const { return findByName(attributes, name); }
const Link* Object::link(const std::string& name) const { return findByName(links, name); }

bool Structure::hasSignature(const InputFile& file) {
  std::array<std::byte, 8> bytes;
  if (!file.holds(0, bytes.size())) {
    return false;
  }
  file.read(0, bytes.size(), bytes.data(), "the signature");
  return std::memcmp(bytes.data(), signature.data(), bytes.size()) == 0;
}

Structure::Structure(const InputFile& file, Checksums checksums)
  : file_(file), headers_(file.size()), stored_(file.size()) {
  if (!hasSignature(file)) {
    throw FileError("it does not begin with HDF5's signature");
  }
  std::byte version{};
  file.read(8, 1, &version, "the superblock");
  if (version > std::byte{3}) {
    throw FileError(
      "its superblock has version " + std::to_string(std::to_integer<int>(version)) + "; 0 to 3 are supported");
  }
  const bool isClassic = version < std::byte{2};
  needsChecksums_ = !isClassic && checksums == Checksums::Required;
  std::uint64_t end = 0;
  if (isClassic) {
    const ClassicRoot root = readClassicSuperblock(file);
    rootAddress_ = root.address;
    end = root.end;
  } else {
    end = readSuperblock();
  }
  if (end != file.size()) {
    throw FileError("it says that it has " + std::to_string(end) + " bytes, but has " + std::to_string(file.size()) +
      ": it was cut off or added to");
  }
}

// II.B, II.C
std::uint64_t Structure::readSuperblock() {
  const auto superblock = block(0, superblockBytes, "the superblock");
  Bytes bytes(superblock, "the superblock");
  bytes.take(9);
  const unsigned offsetBytes = bytes.number<std::uint8_t>();
  const unsigned lengthBytes = bytes.number<std::uint8_t>();
  if (offsetBytes != 8 || lengthBytes != 8) {
    throw FileError("its addresses have " + std::to_string(offsetBytes) + " and its lengths " +
      std::to_string(lengthBytes) + " bytes; both must have 8");
  }
  if (bytes.number<std::uint8_t>() != 0) {
    throw FileError("it is open for writing, or was not closed");
  }
  const auto base = bytes.number<std::uint64_t>();
  const auto extension = bytes.number<std::uint64_t>();
  const auto end = bytes.number<std::uint64_t>();
  rootAddress_ = bytes.number<std::uint64_t>();
  if (base != 0 || extension != undefinedAddress) {
    throw FileError("its superblock has a base address or an extension, which are not supported");
  }
  return end;
}

std::vector<std::byte> Structure::block(std::uint64_t address, std::uint64_t bytes, const std::string& what) const {
  if (bytes <= checksumBytes) {
    throw FileError(what + " has a metadata block of " + std::to_string(bytes) + " bytes");
  }
  auto data = file_.read(address, bytes, what);
  std::uint32_t stored = 0;
  std::memcpy(&stored, data.data() + data.size() - checksumBytes, checksumBytes);
  data.resize(data.size() - checksumBytes);
  if (notedBlocks_ != nullptr) {
    notedBlocks_->push_back({address, bytes});
  }
  if (stored != metadataChecksum(data)) {
    throw FileError(what + " is damaged: the checksum of the " + std::to_string(bytes) + " bytes at " +
      std::to_string(address) + " is wrong");
  }
  return data;
}

Object Structure::object(std::uint64_t address, const std::string& what) const {
  HeaderReader header(*this, what);
  Object object = header.read(address);
  if (!headers_.take(address, header.bytes())) {
    throw FileError(what + ": the object headers of the file have more bytes than the file: they lie over each other");
  }
  return object;
}

Attribute Structure::withFixedText(Attribute attribute, const std::string& what) const {
  return isVariableText(attribute) ? toFixedText(file_, attribute, textBytes_, maxHeapBytesPerByte * file_.size(), what)
                                   : attribute;
}

void Structure::countStored(std::uint64_t address, std::uint64_t bytes, const std::string& what) const {
  if (!stored_.take(address, bytes)) {
    throw FileError(
      what + ": the arrays of the file have chunks of more bytes than the file: they lie over each other");
  }
}

} // namespace spanwise::hdf5
