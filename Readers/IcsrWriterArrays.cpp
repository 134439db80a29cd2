#include "Readers/IcsrWriterImpl.hpp"

#include "Readers/Hdf5/Dataset.hpp"
#include "Readers/Hdf5/Utf8.hpp"
#include "Readers/IcsrNames.hpp"

#include "Core/Runtime/CountText.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>

// The arrays of cells, points and fields of files that are written.

namespace spanwise {

namespace {

using hdf5::Datatype;
using hdf5::Handle;
using Kind = Datatype::Kind;

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
  if (array.numTuples < 0) {
    throw FileError(what + " has " + countText(array.numTuples, "tuple") + "; the number must not be negative");
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

void writeTuples(
  Handle& dataset, const IcsrArray& array, const IcsrTuples& tuples, const void* values, const Progress& progress) {
  hdf5::writeRows(dataset.id(), datatypeOf(array), static_cast<std::uint64_t>(tuples.first),
    static_cast<std::uint64_t>(tuples.count), values, progress);
  dataset.close("writing the array " + hdf5::quotedName(array.name));
}

} // namespace

void IcsrWriter::Impl::makeGroup(hid_t parent, Association association, icsr::ArrayPlaces& group) {
  group.group = hdf5::addressOf(hdf5::createGroup(parent, icsr::arrayGroup(association)).id());
}

// Texts and rows that would be more in memory than a file of that size may have are not compressed.
hdf5::Storage IcsrWriter::Impl::storageOf(const IcsrArray& array) const {
  hdf5::Storage result = storage;
  const bool isShortText = array.type == ValueType::Text && array.textBytes < icsr::minCompressedTextBytes;
  const bool isWide = array.numComponents > static_cast<std::int64_t>(hdf5::maxFreeColumns);
  if (isShortText || isWide) {
    result.compressionLevel = 0;
  }
  return result;
}

Handle IcsrWriter::Impl::makeArray(icsr::ArrayPlaces& group, const IcsrArray& array) {
  checkArray(array);
  const std::string name = icsr::toLinkName(array.name);
  if (group.arrays.contains(name)) {
    throw FileError("there are two arrays with the name " + hdf5::quotedName(array.name));
  }
  if (group.arrays.size() >= icsr::maxMembers) {
    throw FileError("there are more than " + std::to_string(icsr::maxMembers) + " arrays");
  }
  hdf5::Extents extents = {static_cast<std::uint64_t>(array.numTuples)};
  if (array.numComponents > 1) {
    extents.push_back(static_cast<std::uint64_t>(array.numComponents));
  }
  Handle dataset = hdf5::createUnlinkedDataset(file_.id(), datatypeOf(array), extents, storageOf(array));
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
  newLinks_[group.group].push_back({name, address});
  return dataset;
}

void IcsrWriter::Impl::makeArrays(
  hid_t level, Association association, icsr::ArrayPlaces& group, const std::vector<IcsrArray>& arrays) {
  if (arrays.size() > icsr::maxMembers) {
    throw FileError("there are " + std::to_string(arrays.size()) + " arrays; at most " +
      std::to_string(icsr::maxMembers) + " are possible");
  }
  if (arrays.empty()) {
    return;
  }
  makeGroup(level, association, group);
  for (const IcsrArray& array : arrays) {
    makeArray(group, array).close("creating the array " + hdf5::quotedName(array.name));
  }
}

void IcsrWriter::Impl::writeValues(int level, Association association, const IcsrArray& array, const IcsrTuples& tuples,
  const void* values, const Progress& progress) {
  if (tuples.count <= 0) {
    return;
  }
  const icsr::LevelPlaces& place = levelAt(level);
  const auto& arrays = (association == Association::Cells ? place.cells : place.points).arrays;
  const auto found = arrays.find(icsr::toLinkName(array.name));
  if (found == arrays.end()) {
    throw FileError("there is no array " + hdf5::quotedName(array.name) + " to be written");
  }
  Handle dataset = hdf5::openObject(file_.id(), found->second);
  writeTuples(dataset, array, tuples, values, progress);
}

void IcsrWriter::Impl::addField(const IcsrArray& array, const void* values) {
  if (steps_.empty()) {
    throw FileError("there is no step to add a field array to");
  }
  if (fields_.group == hdf5::undefinedAddress) {
    makeGroup(hdf5::openObject(file_.id(), steps_.back()).id(), Association::Field, fields_);
  }
  Handle dataset = makeArray(fields_, array);
  writeTuples(dataset, array, {0, array.numTuples}, values, {});
}

void IcsrWriter::Impl::addField(const IcsrArray& array, const std::vector<std::string>& texts) {
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
  addField(stored, packed.data());
}

} // namespace spanwise
