#pragma once

#include "Readers/Hdf5/Library.hpp"
#include "Readers/Hdf5/OutputDriver.hpp"
#include "Readers/Hdf5/Structure.hpp"

#include "Core/Runtime/Progress.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace spanwise::hdf5 {

// Writing through HDF5's library: handles that close themselves, errors that become FileError, and the properties that
// keep a file in the part of the format that Structure.hpp reads. All functions throw FileError.

/// An identifier of HDF5 and what closes it.
class Handle {
public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  /// Throws if `id` is negative. `what` says what was tried: "creating the group Step0".
  Handle(hid_t id, Close closer, const std::string& what);
  ~Handle();
  Handle(Handle&& other) noexcept;
  Handle& operator=(Handle&& other) noexcept;

  [[nodiscard]] hid_t id() const { return id_; }
  /// Closes now, and throws if that fails: what was written may be on the disk only then.
  void close(const std::string& what);

private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

/// Keeps HDF5 from printing errors, and forgets them, as long as it lives.
class QuietErrors {
public:
  QuietErrors();
  ~QuietErrors();
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// Throws FileError with HDF5's own reason if `status` is negative.
void check(herr_t status, const std::string& what);

/// How arrays are stored.
struct Storage {
  std::uint64_t chunkBytes = 1U << 19;
  int compressionLevel = 0; ///< of deflate, 0 to 9; 0: not compressed
};

/// Makes a file in place of what is there. Writes that fail are kept in `failure`, and HDF5 does not learn of them.
Handle createFile(const std::string& path, WriteFailure& failure);
/// Opens a file that createFile made, to add to it.
Handle openFile(const std::string& path, WriteFailure& failure);

Handle createGroup(hid_t parent, const std::string& name);
/// A group that no name leads to yet, as if it had one already: addLinks() gives it one.
Handle createUnlinkedGroup(hid_t file);
Handle openGroup(hid_t parent, const std::string& name);

/// Where the header of an object of an open file is.
std::uint64_t addressOf(hid_t object);
/// The object whose header is at `address`.
Handle openObject(hid_t file, std::uint64_t address);
/// Makes `name` in `parent` another name of the object `target` in `group`.
void linkObject(hid_t group, const std::string& target, hid_t parent, const std::string& name);

void writeAttribute(hid_t object, const std::string& name, const std::vector<std::int32_t>& values);
void writeAttribute(hid_t object, const std::string& name, const std::vector<double>& values);
void writeAttribute(hid_t object, const std::string& name, std::int64_t value);
void writeAttribute(hid_t object, const std::string& name, double value);
void writeAttribute(hid_t object, const std::string& name, const std::string& text);
void writeAttribute(hid_t object, const std::string& name, const std::vector<std::string>& texts);

/// Makes an array that is chunked in whole rows, with checksums, and compressed if `storage` says so; or, without rows,
/// one that is not stored at all.
Handle createDataset(
  hid_t parent, const std::string& name, const Datatype& type, const Extents& extents, const Storage& storage);
/// An array that no name leads to yet, as if it had one already: addLinks() gives it one.
Handle createUnlinkedDataset(hid_t file, const Datatype& type, const Extents& extents, const Storage& storage);
Handle openDataset(hid_t parent, const std::string& name);

/// Writes rows [first, first + count) of an array of elements of `type`.
void writeRows(hid_t dataset, const Datatype& type, std::uint64_t first, std::uint64_t count, const void* data,
  const Progress& progress = {});

} // namespace spanwise::hdf5
