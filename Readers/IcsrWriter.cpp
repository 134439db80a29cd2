#include "IcsrWriter.hpp"

#include "Readers/Hdf5/Dataset.hpp"
#include "Readers/Hdf5/GroupLinks.hpp"
#include "Readers/Hdf5/InputFile.hpp"
#include "Readers/Hdf5/Output.hpp"
#include "Readers/Hdf5/Utf8.hpp"
#include "Readers/IcsrNames.hpp"

#include "Core/Runtime/CountText.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <format>
#include <map>
#include <unordered_map>
#include <utility>

namespace spanwise {

namespace {

using hdf5::Datatype;
using hdf5::Handle;
using Kind = Datatype::Kind;

constexpr Datatype int32Type{Kind::Signed, 4};
constexpr Datatype int64Type{Kind::Signed, 8};
constexpr std::size_t maxMembers = 65535; // HDF5 keeps so many links in an object header

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
  const std::string what = "the array " + hdf5::quotedName(array.name);
  const std::int64_t most = array.numTuples == 0
    ? static_cast<std::int64_t>(hdf5::maxFreeColumns)
    : static_cast<std::int64_t>(hdf5::maxChunkBytes) / std::max<std::int64_t>(bytesOf(array), 1);
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
  /// A group of arrays: its address, or none, and those of the arrays by the names of their links.
  struct ArrayGroup {
    std::uint64_t address = hdf5::undefinedAddress;
    std::unordered_map<std::string, std::uint64_t> arrays;
  };
  struct Level {
    std::uint64_t address = hdf5::undefinedAddress;
    ArrayGroup cells;
    ArrayGroup points;
  };

  std::string path;
  hdf5::Storage storage;
  hdf5::WriteFailure failure; ///< outlives the file
  Handle file;
  std::uint64_t root = hdf5::undefinedAddress;
  std::vector<std::uint64_t> steps;
  std::vector<Level> levels; ///< of the last step
  ArrayGroup fields;         ///< of the last step
  std::map<std::uint64_t, std::vector<hdf5::NewLink>>
    newLinks; ///< by the group that gets them, when the file is closed

  // Finds what is in the file before HDF5 opens it.
  void readPlaces() {
    const hdf5::InputFile input(path);
    const hdf5::Structure structure(input);
    root = structure.rootAddress();
    steps = members(structure.object(root, "the file"), icsr::stepGroup);
    if (steps.empty()) {
      return;
    }
    const hdf5::Object step = structure.object(steps.back(), icsr::stepGroup(static_cast<int>(steps.size()) - 1));
    fields = readArrays(structure, step, Association::Field);
    for (const std::uint64_t address : members(step, icsr::levelGroup)) {
      const hdf5::Object level = structure.object(address, "a level");
      levels.push_back(
        {address, readArrays(structure, level, Association::Cells), readArrays(structure, level, Association::Points)});
    }
  }

  // The members name(0), name(1) ... of a group.
  template <class Name>
  static std::vector<std::uint64_t> members(const hdf5::Object& group, const Name& name) {
    std::unordered_map<std::string, std::uint64_t> all;
    for (const hdf5::Link& link : group.links) {
      all.emplace(link.name, link.address);
    }
    std::vector<std::uint64_t> result;
    for (auto found = all.find(name(0)); found != all.end(); found = all.find(name(static_cast<int>(result.size())))) {
      result.push_back(found->second);
    }
    return result;
  }

  static ArrayGroup readArrays(const hdf5::Structure& structure, const hdf5::Object& parent, Association association) {
    ArrayGroup result;
    const hdf5::Link* link = parent.link(icsr::arrayGroup(association));
    if (link != nullptr) {
      result.address = link->address;
      for (const hdf5::Link& array : structure.object(link->address, "a group of arrays").links) {
        result.arrays.emplace(array.name, array.address);
      }
    }
    return result;
  }

  [[nodiscard]] Level& levelAt(int level) {
    if (level < 0 || level >= static_cast<int>(levels.size())) {
      throw FileError("the last step has no level " + std::to_string(level) + "; it has " +
        countText(static_cast<std::int64_t>(levels.size()), "level"));
    }
    return levels[static_cast<std::size_t>(level)];
  }
  [[nodiscard]] Handle openLevel(int level) { return hdf5::openObject(file.id(), levelAt(level).address); }

  // A time that the reader would refuse after those that are there.
  void checkTime(std::optional<double> time) const {
    if (time.has_value() && !std::isfinite(*time)) {
      throw FileError(std::format("the time is {}; it must be finite", *time));
    }
    if (steps.empty()) {
      return;
    }
    double last = 0.0;
    const Handle step = hdf5::openObject(file.id(), steps.back());
    const bool hasLast = H5Aexists(step.id(), icsr::time) > 0;
    if (hasLast) {
      const Handle attribute(H5Aopen(step.id(), icsr::time, H5P_DEFAULT), H5Aclose, "opening the last time");
      hdf5::check(H5Aread(attribute.id(), H5T_NATIVE_DOUBLE, &last), "reading the last time");
    }
    if (!hasLast || !time.has_value() || !(last < *time)) {
      throw FileError("the step after " + (hasLast ? std::format("the time {}", last) : "one without a time") +
        " has " + (time.has_value() ? std::format("the time {}", *time) : "no time") +
        "; the steps of a file have ascending times");
    }
  }

  void makeArray(hid_t parent, const std::string& name, const Datatype& type, const hdf5::Extents& extents) const {
    hdf5::createDataset(parent, name, type, extents, storage).close("creating the array " + name);
  }

  // Texts and rows that would be more in memory than a file of that size may have are not compressed.
  [[nodiscard]] hdf5::Storage storageOf(const IcsrArray& array) const {
    hdf5::Storage result = storage;
    const bool isShortText = array.type == ValueType::Text && array.textBytes < icsr::minCompressedTextBytes;
    const bool isWide = array.numComponents > static_cast<std::int64_t>(hdf5::maxFreeColumns);
    if (isShortText || isWide) {
      result.compressionLevel = 0;
    }
    return result;
  }

  Handle makeArray(ArrayGroup& group, const IcsrArray& array) {
    checkArray(array);
    const std::string name = icsr::toLinkName(array.name);
    if (group.arrays.contains(name)) {
      throw FileError("there are two arrays with the name " + hdf5::quotedName(array.name));
    }
    if (group.arrays.size() >= maxMembers) {
      throw FileError("there are more than " + std::to_string(maxMembers) + " arrays");
    }
    hdf5::Extents extents = {toUnsigned(array.numTuples, "the number of tuples")};
    if (array.numComponents > 1) {
      extents.push_back(static_cast<std::uint64_t>(array.numComponents));
    }
    Handle dataset = hdf5::createUnlinkedDataset(file.id(), datatypeOf(array), extents, storageOf(array));
    if (!array.units.empty()) {
      hdf5::writeAttribute(dataset.id(), icsr::units, array.units);
    }
    if (!array.componentNames.empty()) {
      hdf5::writeAttribute(dataset.id(), icsr::componentNames, array.componentNames);
    }
    if (!array.role.empty()) {
      hdf5::writeAttribute(dataset.id(), icsr::role, array.role);
    }
    const std::uint64_t address = hdf5::addressOf(dataset.id());
    group.arrays.emplace(name, address);
    newLinks[group.address].push_back({name, address});
    return dataset;
  }

  void makeArrays(hid_t level, Association association, ArrayGroup& group, const std::vector<IcsrArray>& arrays) {
    if (arrays.size() > maxMembers) {
      throw FileError("there are " + std::to_string(arrays.size()) + " arrays; at most " + std::to_string(maxMembers) +
        " are possible");
    }
    if (arrays.empty()) {
      return;
    }
    makeGroup(level, association, group);
    for (const IcsrArray& array : arrays) {
      makeArray(group, array).close("creating the array " + hdf5::quotedName(array.name));
    }
  }

  static void makeGroup(hid_t parent, Association association, ArrayGroup& group) {
    group.address = hdf5::addressOf(hdf5::createGroup(parent, icsr::arrayGroup(association)).id());
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
    if (step < 0 || step >= static_cast<int>(steps.size())) {
      throw FileError("there is no step " + std::to_string(step) + " to share cells with");
    }
    const Handle otherStep = hdf5::openObject(file.id(), steps[static_cast<std::size_t>(step)]);
    const Handle other = hdf5::openGroup(otherStep.id(), icsr::levelGroup(level));
    for (const char* name : {icsr::rowKeys, icsr::rowOffsets, icsr::rowCells, icsr::intervals}) {
      hdf5::linkObject(other.id(), name, group, name);
    }
  }

  static void writeRows(hid_t group, const std::string& name, const Datatype& type, std::int64_t first,
    std::int64_t count, const void* data, const Progress& progress = {}) {
    Handle dataset = hdf5::openDataset(group, name);
    writeRows(dataset, name, type, first, count, data, progress);
  }

  static void writeRows(Handle& dataset, const std::string& name, const Datatype& type, std::int64_t first,
    std::int64_t count, const void* data, const Progress& progress) {
    hdf5::writeRows(
      dataset.id(), type, toUnsigned(first, "the first row"), toUnsigned(count, "the number of rows"), data, progress);
    dataset.close("writing the array " + name);
  }

  void addField(const IcsrArray& array, const void* values) {
    if (steps.empty()) {
      throw FileError("there is no step to add a field array to");
    }
    if (fields.address == hdf5::undefinedAddress) {
      makeGroup(hdf5::openObject(file.id(), steps.back()).id(), Association::Field, fields);
    }
    Handle dataset = makeArray(fields, array);
    writeRows(dataset, hdf5::quotedName(array.name), datatypeOf(array), 0, array.numTuples, values, {});
  }

  // Closes the file and gives names to what has none yet.
  void close() {
    file.close("closing the file");
    if (newLinks.empty() || failure.error != 0) {
      return;
    }
    std::vector<hdf5::GroupLinks> groups;
    for (auto& [group, links] : newLinks) {
      groups.push_back({group, std::move(links)});
    }
    newLinks.clear();
    hdf5::addLinks(path, groups);
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
    impl_->readPlaces();
    impl_->file = hdf5::openFile(path, impl_->failure);
  });
}

IcsrWriter::~IcsrWriter() {
  const hdf5::QuietErrors quiet;
  impl_.reset();
}

void IcsrWriter::close() {
  writingFile(impl_->path, impl_->failure, [&] { impl_->close(); });
}

void IcsrWriter::addStep(std::optional<double> time) {
  writingFile(impl_->path, impl_->failure, [&] {
    if (impl_->steps.size() >= maxMembers) {
      throw FileError("there are " + std::to_string(maxMembers) + " steps, which is the most that a file can have");
    }
    impl_->checkTime(time);
    const Handle group = hdf5::createUnlinkedGroup(impl_->file.id());
    if (time.has_value()) {
      hdf5::writeAttribute(group.id(), icsr::time, *time);
    }
    const std::uint64_t address = hdf5::addressOf(group.id());
    impl_->newLinks[impl_->root].push_back({icsr::stepGroup(static_cast<int>(impl_->steps.size())), address});
    impl_->steps.push_back(address);
    impl_->levels.clear();
    impl_->fields = {};
  });
}

void IcsrWriter::addLevel(const IcsrLevel& level, std::optional<int> sameAs) {
  writingFile(impl_->path, impl_->failure, [&] {
    std::int64_t dimension = 0;
    const Handle attribute(H5Aopen(impl_->file.id(), icsr::dimension, H5P_DEFAULT), H5Aclose, "opening the dimension");
    hdf5::check(H5Aread(attribute.id(), H5T_NATIVE_INT64, &dimension), "reading the dimension");
    const auto number = static_cast<int>(impl_->levels.size());
    if (impl_->steps.empty() || number > icsr::maxLevel) {
      throw FileError("a level is added to " +
        (impl_->steps.empty()
            ? "a file without steps"
            : "a step of " + countText(number, "level") + ", which is the most that a step can have"));
    }
    const Handle step = hdf5::openObject(impl_->file.id(), impl_->steps.back());
    const Handle group = hdf5::createGroup(step.id(), icsr::levelGroup(number));
    Impl::Level& made = impl_->levels.emplace_back();
    made.address = hdf5::addressOf(group.id());
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
    impl_->makeArrays(group.id(), Association::Cells, made.cells, level.cellArrays);
  });
}

void IcsrWriter::addPoints(int level, const IcsrLevel& description) {
  writingFile(impl_->path, impl_->failure, [&] {
    const Handle group = impl_->openLevel(level);
    hdf5::writeAttribute(group.id(), icsr::numberOfPoints, description.numPoints);
    impl_->makeArray(group.id(), icsr::rowPoints, int64Type, {toUnsigned(description.numRows, "the number of rows")});
    impl_->makeArrays(group.id(), Association::Points, impl_->levelAt(level).points, description.pointArrays);
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
    const Impl::Level& place = impl_->levelAt(level);
    const auto& arrays = (association == Association::Cells ? place.cells : place.points).arrays;
    const auto found = arrays.find(icsr::toLinkName(array.name));
    if (found == arrays.end()) {
      throw FileError("there is no array " + hdf5::quotedName(array.name) + " to be written");
    }
    Handle dataset = hdf5::openObject(impl_->file.id(), found->second);
    Impl::writeRows(dataset, hdf5::quotedName(array.name), datatypeOf(array), first, count, values, progress);
  });
}

void IcsrWriter::writeRowPoints(int level, std::int64_t firstRow, const std::vector<std::int64_t>& points) {
  writingFile(impl_->path, impl_->failure, [&] {
    Impl::writeRows(impl_->openLevel(level).id(), icsr::rowPoints, int64Type, firstRow,
      static_cast<std::int64_t>(points.size()), points.data());
  });
}

void IcsrWriter::addField(const IcsrArray& array, const void* values) {
  writingFile(impl_->path, impl_->failure, [&] { impl_->addField(array, values); });
}

void IcsrWriter::addField(const IcsrArray& array, const std::vector<std::string>& texts) {
  writingFile(impl_->path, impl_->failure, [&] {
    IcsrArray stored = array;
    stored.type = ValueType::Text;
    stored.numTuples = static_cast<std::int64_t>(texts.size());
    std::size_t bytes = 1;
    for (const std::string& text : texts) {
      icsr::checkText(text, "a text of the field array " + hdf5::quotedName(array.name));
      bytes = std::max(bytes, text.size());
    }
    if (bytes > static_cast<std::size_t>(icsr::maxTextBytes)) {
      throw FileError("the field array " + hdf5::quotedName(array.name) + " has a text of " + std::to_string(bytes) +
        " bytes; at most " + std::to_string(icsr::maxTextBytes) + " are possible");
    }
    stored.textBytes = static_cast<std::int64_t>(bytes);
    std::string packed;
    for (const std::string& text : texts) {
      packed += text;
      packed.append(bytes - text.size(), '\0');
    }
    impl_->addField(stored, packed.data());
  });
}

} // namespace spanwise
