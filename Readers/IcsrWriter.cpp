#include "IcsrWriter.hpp"

#include "Readers/Hdf5/Dataset.hpp"
#include "Readers/Hdf5/Output.hpp"
#include "Readers/IcsrNames.hpp"

#include "Core/Runtime/CountText.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <utility>

namespace spanwise {

namespace {

using hdf5::Datatype;
using hdf5::Handle;
using Kind = Datatype::Kind;

constexpr Datatype int32Type{Kind::Signed, 4};
constexpr Datatype int64Type{Kind::Signed, 8};
constexpr int maxMembers = 65535; // HDF5 keeps so many links in an object header

// Runs `body`, says in errors which file it was, and keeps HDF5 from printing its own. A write that failed is the
// reason for whatever else went wrong after it.
template <class Body>
void writingFile(const std::string& path, const hdf5::WriteFailure& failure, const Body& body) {
  const hdf5::QuietErrors quiet;
  std::string why;
  try {
    body();
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& error) {
    why = error.what();
  } catch (const std::exception& error) {
    why = std::string("there is not enough memory (") + error.what() + ")";
  }
  if (failure.error != 0) {
    why = std::strerror(failure.error);
  }
  if (!why.empty()) {
    throw FileError("cannot write '" + path + "': " + why);
  }
}

std::uint64_t toUnsigned(std::int64_t value, const char* what) {
  if (value < 0) {
    throw FileError(std::string(what) + " is " + std::to_string(value) + "; it must not be negative");
  }
  return static_cast<std::uint64_t>(value);
}

Datatype datatypeOf(const IcsrArray& array) {
  const auto bytes = static_cast<std::uint32_t>(bytesOf(array));
  switch (array.type) {
  case ValueType::Int8:
  case ValueType::Int16:
  case ValueType::Int32:
  case ValueType::Int64:
    return {Kind::Signed, bytes};
  case ValueType::Float32:
  case ValueType::Float64:
    return {Kind::Float, bytes};
  case ValueType::Text:
    return {Kind::Text, bytes};
  default:
    return {Kind::Unsigned, bytes};
  }
}

// What the reader would refuse is not written.
void checkArray(const IcsrArray& array) {
  const std::string what = "the array '" + array.name.substr(0, 40) + "'";
  const auto most = static_cast<std::int64_t>(hdf5::maxChunkBytes) / std::max<std::int64_t>(bytesOf(array), 1);
  if (array.numComponents < 1 || array.numComponents > most) {
    throw FileError(what + " has " + countText(array.numComponents, "component") + "; 1 to " + std::to_string(most) +
      " are possible");
  }
  icsr::checkText(array.units, "the units of " + what);
  icsr::checkText(array.role, "the role of " + what);
  std::size_t longest = 1;
  for (const std::string& name : array.componentNames) {
    icsr::checkText(name, "a component's name of " + what);
    longest = std::max(longest, name.size());
  }
  const std::size_t bytes = longest * array.componentNames.size();
  if (std::max({bytes, array.units.size(), array.role.size()}) > icsr::maxAttributeBytes) {
    throw FileError(
      what + " has units or component names of more than " + std::to_string(icsr::maxAttributeBytes) + " bytes");
  }
}

} // namespace

struct IcsrWriter::Impl {
  std::string path;
  hdf5::Storage storage;
  hdf5::WriteFailure failure; ///< outlives the file
  Handle file;
  int numSteps = 0;

  [[nodiscard]] std::string lastStep() const { return icsr::stepGroup(numSteps - 1); }
  [[nodiscard]] std::string levelPath(int level) const { return lastStep() + "/" + icsr::levelGroup(level); }
  [[nodiscard]] Handle openLevel(int level) const { return hdf5::openGroup(file.id(), levelPath(level)); }

  [[nodiscard]] bool exists(const std::string& name) const {
    return H5Lexists(file.id(), name.c_str(), H5P_DEFAULT) > 0;
  }

  // The first number for which there is no such member.
  template <class Name>
  [[nodiscard]] int count(const Name& name) const {
    int number = 0;
    while (exists(name(number))) {
      ++number;
    }
    return number;
  }

  // A time that the reader would refuse after those that are there.
  void checkTime(std::optional<double> time) const {
    if (time.has_value() && !std::isfinite(*time)) {
      throw FileError("the time is " + std::to_string(*time) + "; it must be finite");
    }
    if (numSteps == 0) {
      return;
    }
    double last = 0.0;
    const bool hasLast = H5Aexists_by_name(file.id(), lastStep().c_str(), icsr::time, H5P_DEFAULT) > 0;
    if (hasLast) {
      const Handle attribute(H5Aopen_by_name(file.id(), lastStep().c_str(), icsr::time, H5P_DEFAULT, H5P_DEFAULT),
        H5Aclose, "opening the last time");
      hdf5::check(H5Aread(attribute.id(), H5T_NATIVE_DOUBLE, &last), "reading the last time");
    }
    if (!hasLast || !time.has_value() || !(last < *time)) {
      throw FileError("the step after " +
        (hasLast ? "the time " + std::to_string(last) : std::string("one without a time")) + " has " +
        (time.has_value() ? "the time " + std::to_string(*time) : std::string("no time")) +
        "; the steps of a file have ascending times");
    }
  }

  void makeArray(hid_t parent, const std::string& name, const Datatype& type, const hdf5::Extents& extents) const {
    hdf5::createDataset(parent, name, type, extents, storage).close("creating the array " + name);
  }

  [[nodiscard]] Handle makeArray(hid_t group, const IcsrArray& array) const {
    checkArray(array);
    hdf5::Extents extents = {toUnsigned(array.numTuples, "the number of tuples")};
    if (array.numComponents > 1) {
      extents.push_back(static_cast<std::uint64_t>(array.numComponents));
    }
    Handle dataset = hdf5::createDataset(group, icsr::toLinkName(array.name), datatypeOf(array), extents, storage);
    if (!array.units.empty()) {
      hdf5::writeAttribute(dataset.id(), icsr::units, array.units);
    }
    if (!array.componentNames.empty()) {
      hdf5::writeAttribute(dataset.id(), icsr::componentNames, array.componentNames);
    }
    if (!array.role.empty()) {
      hdf5::writeAttribute(dataset.id(), icsr::role, array.role);
    }
    return dataset;
  }

  void makeArrays(hid_t level, Association association, const std::vector<IcsrArray>& arrays) const {
    if (arrays.size() > maxMembers) {
      throw FileError("there are " + std::to_string(arrays.size()) + " arrays; at most " + std::to_string(maxMembers) +
        " are possible");
    }
    if (arrays.empty()) {
      return;
    }
    std::size_t nameBytes = 0;
    for (const IcsrArray& array : arrays) {
      nameBytes = std::max(nameBytes, array.name.size());
    }
    const Handle group = hdf5::createGroup(level, icsr::arrayGroup(association), arrays.size(), nameBytes);
    for (const IcsrArray& array : arrays) {
      makeArray(group.id(), array).close("creating the array '" + array.name + "'");
    }
  }

  void makeCells(hid_t group, const IcsrLevel& level, int dimension) const {
    const std::uint64_t rows = toUnsigned(level.numRows, "the number of rows");
    const std::uint64_t intervals = toUnsigned(level.numIntervals, "the number of intervals");
    makeArray(group, icsr::rowKeys, int32Type, {rows, static_cast<std::uint64_t>(dimension - 1)});
    makeArray(group, icsr::rowOffsets, int64Type, {rows + 1});
    makeArray(group, icsr::rowCells, int64Type, {rows + 1});
    makeArray(group, icsr::intervals, int32Type, {intervals, 2});
    if (rows == 0) { // nobody writes rows
      const std::int64_t zero = 0;
      writeRows(group, icsr::rowOffsets, int64Type, 0, 1, &zero);
      writeRows(group, icsr::rowCells, int64Type, 0, 1, &zero);
    }
  }

  void shareCells(hid_t group, int level, int step) const {
    const Handle other = hdf5::openGroup(file.id(), icsr::stepGroup(step) + "/" + icsr::levelGroup(level));
    for (const char* name : {icsr::rowKeys, icsr::rowOffsets, icsr::rowCells, icsr::intervals}) {
      hdf5::linkObject(other.id(), name, group, name);
    }
  }

  static void writeRows(hid_t group, const std::string& name, const Datatype& type, std::int64_t first,
    std::int64_t count, const void* data, const Progress& progress = {}) {
    Handle dataset = hdf5::openDataset(group, name);
    hdf5::writeRows(
      dataset.id(), type, toUnsigned(first, "the first row"), toUnsigned(count, "the number of rows"), data, progress);
    dataset.close("writing the array " + name);
  }

  [[nodiscard]] Handle fieldGroup() const {
    const std::string name = lastStep() + "/" + icsr::arrayGroup(Association::Field);
    return exists(name) ? hdf5::openGroup(file.id(), name) : hdf5::createGroup(file.id(), name);
  }
};

void IcsrWriter::create(const std::string& path, int dimension, const std::string& timeUnits) {
  hdf5::WriteFailure failure;
  writingFile(path, failure, [&] {
    if (dimension != 2 && dimension != 3) {
      throw FileError("the dimension is " + std::to_string(dimension) + "; it must be 2 or 3");
    }
    icsr::checkText(timeUnits, "the units of time");
    if (timeUnits.size() > icsr::maxAttributeBytes) {
      throw FileError("the units of time have " + std::to_string(timeUnits.size()) + " bytes; at most " +
        std::to_string(icsr::maxAttributeBytes) + " are possible");
    }
    Handle file = hdf5::createFile(path, failure);
    hdf5::writeAttribute(file.id(), icsr::format, std::string(icsr::formatText));
    hdf5::writeAttribute(file.id(), icsr::version, std::vector<std::int32_t>{icsrMajorVersion, icsrMinorVersion});
    hdf5::writeAttribute(file.id(), icsr::dimension, std::int64_t{dimension});
    if (!timeUnits.empty()) {
      hdf5::writeAttribute(file.id(), icsr::timeUnits, timeUnits);
    }
    file.close("closing the file");
  });
}

IcsrWriter::IcsrWriter(const std::string& path, const IcsrStorage& storage) : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  impl_->storage.compressionLevel = std::clamp(storage.compressionLevel, 0, 9);
  impl_->storage.chunkBytes =
    static_cast<std::uint64_t>(std::clamp<std::int64_t>(storage.chunkBytes, 1 << 12, 1 << 24));
  writingFile(path, impl_->failure, [&] {
    impl_->file = hdf5::openFile(path, impl_->failure);
    impl_->numSteps = impl_->count(icsr::stepGroup);
  });
}

IcsrWriter::~IcsrWriter() {
  const hdf5::QuietErrors quiet;
  impl_.reset();
}

void IcsrWriter::close() {
  writingFile(impl_->path, impl_->failure, [&] { impl_->file.close("closing the file"); });
}

void IcsrWriter::addStep(std::optional<double> time) {
  writingFile(impl_->path, impl_->failure, [&] {
    if (impl_->numSteps >= maxMembers) {
      throw FileError("there are " + std::to_string(maxMembers) + " steps, which is the most that a file can have");
    }
    impl_->checkTime(time);
    const Handle group = hdf5::createGroup(impl_->file.id(), icsr::stepGroup(impl_->numSteps));
    if (time.has_value()) {
      hdf5::writeAttribute(group.id(), icsr::time, *time);
    }
    ++impl_->numSteps;
  });
}

void IcsrWriter::addLevel(const IcsrLevel& level, std::optional<int> sameAs) {
  writingFile(impl_->path, impl_->failure, [&] {
    std::int64_t dimension = 0;
    const Handle attribute(H5Aopen(impl_->file.id(), icsr::dimension, H5P_DEFAULT), H5Aclose, "opening the dimension");
    hdf5::check(H5Aread(attribute.id(), H5T_NATIVE_INT64, &dimension), "reading the dimension");
    const int number = impl_->count([&](int l) { return impl_->levelPath(l); });
    const Handle group = hdf5::createGroup(impl_->file.id(), impl_->levelPath(number));
    const IcsrPlacement& placement = level.placement;
    hdf5::writeAttribute(group.id(), icsr::origin, std::vector<double>(placement.origin, placement.origin + 3));
    hdf5::writeAttribute(group.id(), icsr::spacing, std::vector<double>(placement.spacing, placement.spacing + 3));
    hdf5::writeAttribute(group.id(), icsr::level, std::int64_t{placement.level});
    hdf5::writeAttribute(group.id(), icsr::numberOfCells, level.numCells);
    if (sameAs.has_value()) {
      impl_->shareCells(group.id(), number, *sameAs);
    } else {
      impl_->makeCells(group.id(), level, static_cast<int>(dimension));
    }
    impl_->makeArrays(group.id(), Association::Cells, level.cellArrays);
  });
}

void IcsrWriter::addPoints(int level, const IcsrLevel& description) {
  writingFile(impl_->path, impl_->failure, [&] {
    const Handle group = impl_->openLevel(level);
    hdf5::writeAttribute(group.id(), icsr::numberOfPoints, description.numPoints);
    impl_->makeArray(group.id(), icsr::rowPoints, int64Type, {toUnsigned(description.numRows, "the number of rows")});
    impl_->makeArrays(group.id(), Association::Points, description.pointArrays);
  });
}

template <int Dim>
void IcsrWriter::writeCells(
  int level, const IntervalSetView<Dim>& set, const IcsrRows& rows, const IcsrPosition& at, const Progress& progress) {
  const std::int64_t count = rows.end - rows.begin;
  if (count <= 0) {
    return;
  }
  writingFile(impl_->path, impl_->failure, [&] {
    const Handle group = impl_->openLevel(level);
    const std::int64_t firstInterval = set.rowOffsets[rows.begin];
    const std::int64_t lastInterval = set.rowOffsets[rows.end];
    // One more than rows: what stands after the last row is what the next row begins with.
    std::vector<std::int64_t> offsets(static_cast<std::size_t>(count + 1));
    std::vector<std::int64_t> cells(offsets.size());
    for (std::int64_t r = 0; r <= count; ++r) {
      const std::int64_t interval = set.rowOffsets[rows.begin + r];
      offsets[static_cast<std::size_t>(r)] = at.interval + interval - firstInterval;
      cells[static_cast<std::size_t>(r)] = at.cell + set.cellOffsets[interval] - set.cellOffsets[firstInterval];
    }
    Impl::writeRows(group.id(), icsr::rowKeys, int32Type, at.row, count, set.rowKeys + rows.begin);
    Impl::writeRows(group.id(), icsr::rowOffsets, int64Type, at.row, count + 1, offsets.data());
    Impl::writeRows(group.id(), icsr::rowCells, int64Type, at.row, count + 1, cells.data());
    Impl::writeRows(group.id(), icsr::intervals, int32Type, at.interval, lastInterval - firstInterval,
      set.intervals + firstInterval, progress);
  });
}

template void IcsrWriter::writeCells(
  int, const IntervalSetView<2>&, const IcsrRows&, const IcsrPosition&, const Progress&);
template void IcsrWriter::writeCells(
  int, const IntervalSetView<3>&, const IcsrRows&, const IcsrPosition&, const Progress&);

void IcsrWriter::writeValues(int level, Association association, const IcsrArray& array, std::int64_t first,
  std::int64_t count, const void* values, const Progress& progress) {
  if (count <= 0) {
    return;
  }
  writingFile(impl_->path, impl_->failure, [&] {
    const Handle group =
      hdf5::openGroup(impl_->file.id(), impl_->levelPath(level) + "/" + icsr::arrayGroup(association));
    Impl::writeRows(group.id(), icsr::toLinkName(array.name), datatypeOf(array), first, count, values, progress);
  });
}

void IcsrWriter::writeRowPoints(int level, std::int64_t firstRow, const std::vector<std::int64_t>& points) {
  writingFile(impl_->path, impl_->failure, [&] {
    Impl::writeRows(impl_->openLevel(level).id(), icsr::rowPoints, int64Type, firstRow,
      static_cast<std::int64_t>(points.size()), points.data());
  });
}

void IcsrWriter::addField(const IcsrArray& array, const void* values) {
  writingFile(impl_->path, impl_->failure, [&] {
    const Handle group = impl_->fieldGroup();
    Handle dataset = impl_->makeArray(group.id(), array);
    hdf5::writeRows(dataset.id(), datatypeOf(array), 0, static_cast<std::uint64_t>(array.numTuples), values);
    dataset.close("writing the array '" + array.name + "'");
  });
}

void IcsrWriter::addField(const IcsrArray& array, const std::vector<std::string>& texts) {
  writingFile(impl_->path, impl_->failure, [&] {
    IcsrArray stored = array;
    stored.type = ValueType::Text;
    stored.numTuples = static_cast<std::int64_t>(texts.size());
    std::size_t bytes = 1;
    for (const std::string& text : texts) {
      icsr::checkText(text, "a text of the field array '" + array.name + "'");
      bytes = std::max(bytes, text.size());
    }
    if (bytes > static_cast<std::size_t>(icsr::maxTextBytes)) {
      throw FileError("the field array '" + array.name + "' has a text of " + std::to_string(bytes) +
        " bytes; at most " + std::to_string(icsr::maxTextBytes) + " are possible");
    }
    stored.textBytes = static_cast<std::int64_t>(bytes);
    std::string packed;
    for (const std::string& text : texts) {
      packed += text;
      packed.append(bytes - text.size(), '\0');
    }
    const Handle group = impl_->fieldGroup();
    Handle dataset = impl_->makeArray(group.id(), stored);
    hdf5::writeRows(dataset.id(), datatypeOf(stored), 0, texts.size(), packed.data());
    dataset.close("writing the array '" + array.name + "'");
  });
}

} // namespace spanwise
