#include "Readers/Hdf5/Output.hpp"

#include "Readers/Hdf5/ForEachChunk.hpp"
#include "Readers/Hdf5/Pack.hpp"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace spanwise::hdf5 {

namespace {

// HDF5's limit on what is kept in an object header.
constexpr unsigned maxKeptInHeader = 65535;

// The text of the first entry of the error stack: where it went wrong. The system's message, if there is one, says
// more.
std::string reason() {
  std::string text;
  H5Ewalk2(
    H5E_DEFAULT, H5E_WALK_UPWARD,
    [](unsigned depth, const H5E_error2_t* error, void* data) -> herr_t {
      if (depth == 0 && error->desc != nullptr) {
        *static_cast<std::string*>(data) = error->desc;
      }
      return 0;
    },
    &text);
  const std::string mark = "error message = '";
  if (const auto begin = text.find(mark); begin != std::string::npos) {
    text = text.substr(begin + mark.size());
    text = text.substr(0, text.find('\''));
  }
  return text.empty() ? "HDF5 gave no reason" : text;
}

[[noreturn]] void fail(const std::string& what) { throw FileError(what + " failed: " + reason()); }

Handle makeProperties(hid_t kind) { return {H5Pcreate(kind), H5Pclose, "making a property list"}; }

// Structures of HDF5 1.10 and no newer: their metadata has checksums, all HDF5 libraries in use read them, and a later
// library goes on writing the same.
Handle accessProperties(WriteFailure& failure) {
  Handle properties = makeProperties(H5P_FILE_ACCESS);
  check(H5Pset_libver_bounds(properties.id(), H5F_LIBVER_V110, H5F_LIBVER_V110), "setting the version bounds");
  check(H5Pset_fclose_degree(properties.id(), H5F_CLOSE_STRONG), "setting how a file is closed");
  useOutputDriver(properties.id(), &failure);
  return properties;
}

// Members and attributes stay in the object header, in the order in which they were made, and no times are kept: the
// same data gives the same file.
void keepInHeader(hid_t properties) {
  check(H5Pset_attr_phase_change(properties, maxKeptInHeader, 0), "keeping attributes in the header");
  check(H5Pset_obj_track_times(properties, false), "leaving times out");
}

void keepLinksInHeader(hid_t properties) {
  keepInHeader(properties);
  check(H5Pset_link_phase_change(properties, maxKeptInHeader, 0), "keeping links in the header");
  check(H5Pset_link_creation_order(properties, H5P_CRT_ORDER_TRACKED), "keeping the order of links");
}

Handle groupProperties() {
  Handle properties = makeProperties(H5P_GROUP_CREATE);
  keepLinksInHeader(properties.id());
  return properties;
}

// HDF5 deletes an object without a name when it is closed, unless a name is counted.
void countName(hid_t object) { check(H5Oincr_refcount(object), "counting the names of an object"); }

Handle linkProperties() {
  Handle properties = makeProperties(H5P_LINK_CREATE);
  check(H5Pset_char_encoding(properties.id(), H5T_CSET_UTF8), "setting the character set of names");
  return properties;
}

Handle toHdf5(const Datatype& type) {
  if (type.kind == Datatype::Kind::Text) {
    Handle text(H5Tcopy(H5T_C_S1), H5Tclose, "making a text type");
    check(H5Tset_size(text.id(), type.bytes), "setting the length of a text");
    check(H5Tset_cset(text.id(), H5T_CSET_UTF8), "setting the character set of a text");
    check(H5Tset_strpad(text.id(), H5T_STR_NULLPAD), "setting the padding of a text");
    return text;
  }
  const std::array<hid_t, 4> integers = type.kind == Datatype::Kind::Signed
    ? std::array<hid_t, 4>{H5T_STD_I8LE, H5T_STD_I16LE, H5T_STD_I32LE, H5T_STD_I64LE}
    : std::array<hid_t, 4>{H5T_STD_U8LE, H5T_STD_U16LE, H5T_STD_U32LE, H5T_STD_U64LE};
  hid_t known = type.bytes == 1 ? integers[0]
    : type.bytes == 2           ? integers[1]
    : type.bytes == 4           ? integers[2]
                                : integers[3];
  if (type.kind == Datatype::Kind::Float) {
    known = type.bytes == 4 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
  }
  return {H5Tcopy(known), H5Tclose, "making a number type"};
}

// How an array that is being written is stored.
struct Stored {
  std::uint64_t rows = 0;
  std::uint64_t columns = 1;
  std::uint64_t chunkRows = 0;
  Filters filters;
  int level = 0; ///< of deflate
};

Stored storedAs(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose, "getting an array's extents");
  std::array<hsize_t, 2> extents = {0, 1};
  check(H5Sget_simple_extent_dims(space.id(), extents.data(), nullptr), "getting an array's extents");
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose, "getting how an array is stored");
  std::array<hsize_t, 2> chunk = {1, 1};
  check(H5Pget_chunk(properties.id(), static_cast<int>(chunk.size()), chunk.data()), "getting the size of chunks");
  Stored stored{extents[0], extents[1], chunk[0], {}, 0};
  const int count = H5Pget_nfilters(properties.id());
  for (int f = 0; f < count; ++f) {
    unsigned flags = 0;
    unsigned configuration = 0;
    std::array<unsigned, 1> values = {0};
    std::size_t numValues = values.size();
    const H5Z_filter_t id = H5Pget_filter2(
      properties.id(), static_cast<unsigned>(f), &flags, &numValues, values.data(), 0, nullptr, &configuration);
    stored.filters.shuffle = stored.filters.shuffle || id == H5Z_FILTER_SHUFFLE;
    if (id == H5Z_FILTER_DEFLATE) {
      stored.filters.deflated = true;
      stored.filters.deflateIndex = f;
      stored.level = static_cast<int>(values[0]);
    }
  }
  return stored;
}

Handle makeSpace(const Extents& extents) {
  return {extents.empty() ? H5Screate(H5S_SCALAR)
                          : H5Screate_simple(static_cast<int>(extents.size()),
                              std::vector<hsize_t>(extents.begin(), extents.end()).data(), nullptr),
    H5Sclose, "making a dataspace"};
}

void writeAttribute(
  hid_t object, const std::string& name, const Datatype& type, const Extents& extents, const void* data) {
  const std::string what = "writing the attribute " + name;
  const Handle hdf5Type = toHdf5(type);
  const Handle space = makeSpace(extents);
  Handle attribute(
    H5Acreate2(object, name.c_str(), hdf5Type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, what);
  check(H5Awrite(attribute.id(), hdf5Type.id(), data), what);
  attribute.close(what);
}

} // namespace

Handle::Handle(hid_t id, Close closer, const std::string& what) : id_(id), close_(closer) {
  if (id < 0) {
    fail(what);
  }
}

Handle::~Handle() {
  if (id_ >= 0) {
    close_(id_);
  }
}

Handle::Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}

Handle& Handle::operator=(Handle&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(close_, other.close_);
  return *this;
}

void Handle::close(const std::string& what) {
  if (id_ >= 0) {
    check(close_(std::exchange(id_, H5I_INVALID_HID)), what);
  }
}

QuietErrors::QuietErrors() {
  H5open(); // otherwise the first call of all would not find the library's settings
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

QuietErrors::~QuietErrors() {
  H5Eclear2(H5E_DEFAULT);
  H5Eset_auto2(H5E_DEFAULT, function_, data_);
}

void check(herr_t status, const std::string& what) {
  if (status < 0) {
    fail(what);
  }
}

Handle createFile(const std::string& path, WriteFailure& failure) {
  Handle properties = makeProperties(H5P_FILE_CREATE);
  keepLinksInHeader(properties.id());
  const Handle access = accessProperties(failure);
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, properties.id(), access.id()), H5Fclose, "creating " + path};
}

Handle openFile(const std::string& path, WriteFailure& failure) {
  const Handle access = accessProperties(failure);
  return {H5Fopen(path.c_str(), H5F_ACC_RDWR, access.id()), H5Fclose, "opening " + path};
}

Handle createGroup(hid_t parent, const std::string& name) {
  const Handle properties = groupProperties();
  const Handle links = linkProperties();
  return {
    H5Gcreate2(parent, name.c_str(), links.id(), properties.id(), H5P_DEFAULT), H5Gclose, "creating the group " + name};
}

Handle createUnlinkedGroup(hid_t file) {
  const Handle properties = groupProperties();
  Handle group(H5Gcreate_anon(file, properties.id(), H5P_DEFAULT), H5Gclose, "creating a group");
  countName(group.id());
  return group;
}

std::uint64_t addressOf(hid_t object) {
#if H5_VERSION_GE(1, 12, 0)
  H5O_info2_t info;
  check(H5Oget_info3(object, &info, H5O_INFO_BASIC), "finding where an object is");
  haddr_t address = HADDR_UNDEF;
  check(H5VLnative_token_to_addr(object, info.token, &address), "finding where an object is");
  return address;
#else
  H5O_info_t info;
  check(H5Oget_info(object, &info), "finding where an object is");
  return info.addr;
#endif
}

Handle openObject(hid_t file, std::uint64_t address) {
#if H5_VERSION_GE(1, 12, 0)
  H5O_token_t token;
  check(H5VLnative_addr_to_token(file, address, &token), "finding an object");
  return {H5Oopen_by_token(file, token), H5Oclose, "opening an object"};
#else
  return {H5Oopen_by_addr(file, address), H5Oclose, "opening an object"};
#endif
}

Handle openGroup(hid_t parent, const std::string& name) {
  return {H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose, "opening the group " + name};
}

void linkObject(hid_t group, const std::string& target, hid_t parent, const std::string& name) {
  const Handle links = linkProperties();
  check(H5Lcreate_hard(group, target.c_str(), parent, name.c_str(), links.id(), H5P_DEFAULT), "linking " + name);
}

void writeAttribute(hid_t object, const std::string& name, const std::vector<std::int32_t>& values) {
  writeAttribute(object, name, {Datatype::Kind::Signed, 4}, {values.size()}, values.data());
}

void writeAttribute(hid_t object, const std::string& name, const std::vector<double>& values) {
  writeAttribute(object, name, {Datatype::Kind::Float, 8}, {values.size()}, values.data());
}

void writeAttribute(hid_t object, const std::string& name, std::int64_t value) {
  writeAttribute(object, name, {Datatype::Kind::Signed, 8}, {}, &value);
}

void writeAttribute(hid_t object, const std::string& name, double value) {
  writeAttribute(object, name, {Datatype::Kind::Float, 8}, {}, &value);
}

void writeAttribute(hid_t object, const std::string& name, const std::string& text) {
  const auto bytes = static_cast<std::uint32_t>(std::max<std::size_t>(text.size(), 1));
  writeAttribute(object, name, {Datatype::Kind::Text, bytes}, {}, text.c_str());
}

void writeAttribute(hid_t object, const std::string& name, const std::vector<std::string>& texts) {
  std::size_t bytes = 1;
  for (const std::string& text : texts) {
    bytes = std::max(bytes, text.size());
  }
  std::string packed;
  for (const std::string& text : texts) {
    packed += text;
    packed.append(bytes - text.size(), '\0');
  }
  writeAttribute(
    object, name, {Datatype::Kind::Text, static_cast<std::uint32_t>(bytes)}, {texts.size()}, packed.data());
}

namespace {

Handle datasetProperties(const Datatype& type, const Extents& extents, const Storage& storage) {
  Handle properties = makeProperties(H5P_DATASET_CREATE);
  keepInHeader(properties.id());
  if (extents[0] > 0) {
    const std::uint64_t rowBytes = (extents.size() > 1 ? extents[1] : 1) * type.bytes;
    std::vector<hsize_t> chunk(extents.begin(), extents.end());
    // Chunks of equal size: the last one is stored whole, and its end would be wasted.
    const std::uint64_t maxRows = std::clamp<std::uint64_t>(storage.chunkBytes / rowBytes, 1, extents[0]);
    const std::uint64_t numChunks = (extents[0] - 1) / maxRows + 1;
    chunk[0] = (extents[0] - 1) / numChunks + 1;
    check(H5Pset_chunk(properties.id(), static_cast<int>(chunk.size()), chunk.data()), "setting the size of chunks");
    if (storage.compressionLevel > 0) {
      check(H5Pset_shuffle(properties.id()), "setting the shuffle filter");
      check(
        H5Pset_deflate(properties.id(), static_cast<unsigned>(storage.compressionLevel)), "setting the compression");
    }
    check(H5Pset_fletcher32(properties.id()), "setting the checksum filter");
    // Every element is written, so that none needs to be filled first.
    check(H5Pset_fill_time(properties.id(), H5D_FILL_TIME_NEVER), "setting the fill time");
  }
  return properties;
}

} // namespace

Handle createDataset(
  hid_t parent, const std::string& name, const Datatype& type, const Extents& extents, const Storage& storage) {
  const Handle properties = datasetProperties(type, extents, storage);
  const Handle hdf5Type = toHdf5(type);
  const Handle space = makeSpace(extents);
  const Handle links = linkProperties();
  return {H5Dcreate2(parent, name.c_str(), hdf5Type.id(), space.id(), links.id(), properties.id(), H5P_DEFAULT),
    H5Dclose, "creating the array " + name};
}

Handle createUnlinkedDataset(hid_t file, const Datatype& type, const Extents& extents, const Storage& storage) {
  const Handle properties = datasetProperties(type, extents, storage);
  const Handle hdf5Type = toHdf5(type);
  const Handle space = makeSpace(extents);
  Handle dataset(
    H5Dcreate_anon(file, hdf5Type.id(), space.id(), properties.id(), H5P_DEFAULT), H5Dclose, "creating an array");
  countName(dataset.id());
  return dataset;
}

Handle openDataset(hid_t parent, const std::string& name) {
  return {H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose, "opening the array " + name};
}

namespace {

// Rows that are only a part of a chunk: HDF5 puts them beside what is there.
void writePart(hid_t dataset, const Datatype& type, const Stored& stored, std::uint64_t first, std::uint64_t count,
  const std::byte* data) {
  const Handle hdf5Type = toHdf5(type);
  const Handle space(H5Dget_space(dataset), H5Sclose, "getting an array's extents");
  const std::array<hsize_t, 2> start = {first, 0};
  const std::array<hsize_t, 2> size = {count, stored.columns};
  check(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr), "selecting rows");
  const Handle memory = makeSpace({count * stored.columns});
  check(H5Dwrite(dataset, hdf5Type.id(), memory.id(), space.id(), H5P_DEFAULT, data), "writing rows");
}

// Whole chunks from row `first` on, the array's last one filled up: packed on all threads, since HDF5 itself packs on
// one.
void writeChunks(hid_t dataset, const Datatype& type, const Stored& stored, std::uint64_t first, std::uint64_t count,
  const std::byte* data) {
  const std::uint64_t rowBytes = stored.columns * type.bytes;
  const ChunkForm form{stored.filters, type.bytes, stored.chunkRows * rowBytes};
  const std::uint64_t chunks = (count - 1) / stored.chunkRows + 1;
  std::vector<PackedChunk> packed(static_cast<std::size_t>(chunks));
  forEachChunk(chunks, count * rowBytes, [&](std::uint64_t c) {
    const std::uint64_t begin = c * stored.chunkRows;
    const std::uint64_t rows = std::min(stored.chunkRows, count - begin);
    const std::span<const std::byte> rowsOfChunk(data + begin * rowBytes, static_cast<std::size_t>(rows * rowBytes));
    packed[c] = pack(rowsOfChunk, form, stored.level);
  });
  for (std::uint64_t c = 0; c < chunks; ++c) {
    const std::array<hsize_t, 2> at = {first + c * stored.chunkRows, 0};
    check(H5Dwrite_chunk(
            dataset, H5P_DEFAULT, packed[c].skippedFilters, at.data(), packed[c].bytes.size(), packed[c].bytes.data()),
      "writing a chunk");
  }
}

} // namespace

void writeRows(hid_t dataset, const Datatype& type, std::uint64_t first, std::uint64_t count, const void* data,
  const Progress& progress) {
  if (count == 0) {
    return;
  }
  const Stored stored = storedAs(dataset);
  if (first > stored.rows || count > stored.rows - first) {
    throw FileError("rows [" + std::to_string(first) + ", " + std::to_string(first + count) +
      ") are written to an array of " + std::to_string(stored.rows));
  }
  constexpr std::uint64_t bytesPerReport = 1U << 24;
  const std::uint64_t rowBytes = stored.columns * type.bytes;
  const std::uint64_t chunksPerReport = std::max<std::uint64_t>(bytesPerReport / (rowBytes * stored.chunkRows), 1);
  const auto* from = static_cast<const std::byte*>(data);
  const std::uint64_t end = first + count;
  for (std::uint64_t row = first; row < end;) {
    progress.report(static_cast<double>(row - first) / static_cast<double>(count));
    const std::uint64_t chunkBegin = row / stored.chunkRows * stored.chunkRows;
    const std::uint64_t chunkEnd = std::min(chunkBegin + stored.chunkRows, stored.rows);
    const std::byte* const rows = from + (row - first) * rowBytes;
    std::uint64_t next = std::min(end, chunkEnd);
    if (row > chunkBegin || next < chunkEnd) {
      writePart(dataset, type, stored, row, next - row, rows);
    } else {
      // As many chunks as are whole and as one report is worth.
      next = std::min(row + chunksPerReport * stored.chunkRows, stored.rows);
      if (next > end) {
        next = end / stored.chunkRows * stored.chunkRows;
      }
      writeChunks(dataset, type, stored, row, next - row, rows);
    }
    row = next;
  }
}

} // namespace spanwise::hdf5
