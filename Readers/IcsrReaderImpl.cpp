#include "Readers/IcsrReaderImpl.hpp"

#include "Readers/FileCounts.hpp"
#include "Readers/Hdf5/Utf8.hpp"
#include "Readers/IcsrAttributes.hpp"
#include "Readers/IcsrNames.hpp"

#include "Core/Runtime/CountText.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <charconv>
#include <format>
#include <map>
#include <unordered_set>

namespace spanwise {

namespace {

// "Step12" with the prefix "Step" is 12; -1 if the name is not of this form.
int numberAfter(const std::string& prefix, const std::string& name) {
  int number = -1;
  if (name.starts_with(prefix)) {
    const char* begin = name.data() + prefix.size();
    const auto parsed = std::from_chars(begin, name.data() + name.size(), number);
    if (parsed.ec != std::errc() || parsed.ptr != name.data() + name.size() || std::to_string(number) != begin) {
      number = -1;
    }
  }
  return number;
}

// The members prefix0, prefix1 ... of a group, in this order. Throws FileError if one is missing or is not a hard link.
std::vector<std::uint64_t> numberedMembers(
  const hdf5::Object& group, const std::string& prefix, const std::string& what) {
  std::map<int, std::uint64_t> found;
  for (const hdf5::Link& link : group.links) {
    const int number = numberAfter(prefix, link.name);
    if (number >= 0) {
      found[number] = link.address;
    }
  }
  std::vector<std::uint64_t> members;
  members.reserve(found.size());
  for (const auto& [number, address] : found) {
    if (number != static_cast<int>(members.size()) || address == hdf5::undefinedAddress) {
      break;
    }
    members.push_back(address);
  }
  if (members.empty() || members.size() != found.size()) {
    throw FileError(what + " has no group " + prefix + std::to_string(members.size()) + ", or it is not a hard link");
  }
  return members;
}

IcsrPlacement placementOf(const hdf5::Object& group, const std::string& name) {
  IcsrPlacement result;
  const auto origin = icsr::reals(group, icsr::origin, 3, name);
  const auto spacing = icsr::reals(group, icsr::spacing, 3, name);
  std::copy(origin.begin(), origin.end(), result.origin);
  std::copy(spacing.begin(), spacing.end(), result.spacing);
  for (const double size : spacing) {
    if (!(size > 0.0)) {
      throw FileError(std::format("{} has the spacing {}; it must be positive", name, size));
    }
  }
  const std::int64_t level = icsr::integers(group, icsr::level, 1, name)[0];
  if (level < 0 || level > icsr::maxLevel) {
    throw FileError(
      name + " has the Level " + std::to_string(level) + "; it must be in [0, " + std::to_string(icsr::maxLevel) + "]");
  }
  result.level = static_cast<int>(level);
  return result;
}

IcsrArray describeArray(const hdf5::Dataset& dataset) {
  const std::string& where = dataset.what();
  const hdf5::Object& header = dataset.object();
  IcsrArray array;
  array.type = icsr::toValueType(dataset.type(), where);
  array.numTuples = static_cast<std::int64_t>(dataset.rows());
  array.numComponents = static_cast<std::int64_t>(dataset.columns());
  array.textBytes = array.type == ValueType::Text ? dataset.type().bytes : 0;
  array.units = icsr::text(header, icsr::units, where);
  array.role = icsr::text(header, icsr::role, where);
  array.componentNames = icsr::texts(header, icsr::componentNames, where);
  if (!array.componentNames.empty() && array.componentNames.size() != dataset.columns()) {
    throw FileError(where + " has " + std::to_string(array.componentNames.size()) + " ComponentNames for " +
      countText(array.numComponents, "component"));
  }
  return array;
}

} // namespace

IcsrReader::Impl::Impl(const std::string& name)
  : path(name), file(name), structure(file), textBudget(icsr::maxTextsPerByte * file.size()) {
  ++detail::fileCounts().parsed;
  const hdf5::Object root = structure.object(structure.rootAddress(), "the file");
  checkFormat(root);
  timeUnits = icsr::text(root, icsr::timeUnits, "the file");
  for (const std::uint64_t address : numberedMembers(root, "Step", "the file")) {
    addStep(address);
  }
  std::unordered_set<std::uint64_t> groups;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    for (std::size_t l = 0; l < levels[s].size(); ++l) {
      if (!groups.insert(levels[s][l]).second) {
        throw FileError(
          levelName(static_cast<int>(s), static_cast<int>(l)) + " is another level too: two links lead to one group");
      }
    }
  }
  linksAreChecked_.resize(steps.size(), false);
}

void IcsrReader::Impl::checkFormat(const hdf5::Object& root) {
  const std::string text = icsr::text(root, icsr::format, "the file");
  if (text != icsr::formatText) {
    throw FileError("its attribute Format is " + hdf5::quotedName(text) + "; it must be '" + icsr::formatText + "'");
  }
  const auto version = icsr::integers(root, icsr::version, 2, "the file");
  if (version[0] != icsrMajorVersion || version[1] < 0) {
    throw FileError("its format has version " + std::to_string(version[0]) + "." + std::to_string(version[1]) +
      "; this reader knows version " + std::to_string(icsrMajorVersion) + ".x");
  }
  const std::int64_t value = icsr::integers(root, icsr::dimension, 1, "the file")[0];
  if (value != 2 && value != 3) {
    throw FileError("its Dimension is " + std::to_string(value) + "; it must be 2 or 3");
  }
  dimension = static_cast<int>(value);
}

void IcsrReader::Impl::addStep(std::uint64_t address) {
  const std::string name = icsr::stepGroup(static_cast<int>(steps.size()));
  steps.push_back(structure.object(address, name));
  levels.push_back(numberedMembers(steps.back(), "Level", name));
  if (levels.back().size() > icsr::maxLevel + 1) {
    throw FileError(name + " has " + std::to_string(levels.back().size()) + " levels; at most " +
      std::to_string(icsr::maxLevel + 1) + " are possible");
  }
  if (steps.size() == 1 && steps[0].attribute(icsr::time) == nullptr) {
    return;
  }
  if (times.size() + 1 != steps.size()) {
    throw FileError("Step0 has no Time, but there are several steps");
  }
  const double time = icsr::reals(steps.back(), icsr::time, 1, name)[0];
  if (!times.empty() && !(times.back() < time)) {
    throw FileError(
      std::format("{} has the time {}, which is not after the time {} of the step before", name, time, times.back()));
  }
  times.push_back(time);
}

const hdf5::Object& IcsrReader::Impl::step(int s) const {
  if (s < 0 || s >= static_cast<int>(steps.size())) {
    throw FileError("there is no step " + std::to_string(s) + "; there are " + std::to_string(steps.size()));
  }
  return steps[static_cast<std::size_t>(s)];
}

std::string IcsrReader::Impl::levelName(int s, int l) { return icsr::stepGroup(s) + "/" + icsr::levelGroup(l); }

hdf5::Object IcsrReader::Impl::levelObject(int s, int l) const {
  static_cast<void>(step(s)); // throws if there is none
  const auto& addresses = levels[static_cast<std::size_t>(s)];
  if (l < 0 || l >= static_cast<int>(addresses.size())) {
    throw FileError(
      icsr::stepGroup(s) + " has no level " + std::to_string(l) + "; it has " + std::to_string(addresses.size()));
  }
  checkLinks(s);
  return structure.object(addresses[static_cast<std::size_t>(l)], levelName(s, l));
}

const IcsrReader::Impl::ArrayGroup& IcsrReader::Impl::arrayGroup(std::uint64_t address, const std::string& what) const {
  const auto known = arrayGroups_.find(address);
  if (known != arrayGroups_.end()) {
    return known->second;
  }
  constexpr std::size_t groupsOfAStep = 2 * (icsr::maxLevel + 1) + 1; // cells and points of levels, field data
  if (arrayGroups_.size() >= groupsOfAStep) {
    arrayGroups_.clear();
  }
  ArrayGroup group;
  for (const hdf5::Link& link : structure.object(address, what).links) {
    const std::string name = icsr::fromLinkName(link.name);
    const std::string where = what + "/" + hdf5::quotedName(name);
    if (link.address == hdf5::undefinedAddress) {
      throw FileError(where + " is a soft or an external link; only hard links are followed");
    }
    if (!group.addresses.emplace(name, link.address).second) {
      throw FileError(what + " has two arrays with the name " + hdf5::quotedName(name));
    }
    group.names.push_back(name);
  }
  return arrayGroups_.emplace(address, std::move(group)).first->second;
}

void IcsrReader::Impl::checkLinks(int s) const {
  const auto index = static_cast<std::size_t>(s);
  if (linksAreChecked_[index]) {
    return;
  }
  std::unordered_map<std::uint64_t, std::string> seen;
  const auto add = [&](std::uint64_t address, const std::string& what) {
    const auto [place, isNew] = seen.emplace(address, what);
    if (!isNew) {
      throw FileError(what + " and " + place->second + " are links to one object; in a step each must have its own");
    }
  };
  const auto addMember = [&](const hdf5::Object& group, const char* name, const std::string& what) {
    const hdf5::Link* link = group.link(name);
    if (link != nullptr && link->address != hdf5::undefinedAddress) {
      add(link->address, what + "/" + name);
    }
    return link;
  };
  const auto addArrays = [&](const hdf5::Object& parent, Association association, const std::string& parentName) {
    const char* const groupName = icsr::arrayGroup(association);
    if (addMember(parent, groupName, parentName) != nullptr) {
      const std::string what = parentName + "/" + groupName;
      for (const auto& [name, address] : arrayGroup(member(parent, groupName, parentName), what).addresses) {
        add(address, what + "/" + hdf5::quotedName(name));
      }
    }
  };
  addArrays(step(s), Association::Field, icsr::stepGroup(s));
  for (std::size_t l = 0; l < levels[index].size(); ++l) {
    const std::string name = levelName(s, static_cast<int>(l));
    add(levels[index][l], name);
    const hdf5::Object group = structure.object(levels[index][l], name);
    for (const char* cells : {icsr::rowKeys, icsr::rowOffsets, icsr::rowCells, icsr::rowPoints, icsr::intervals}) {
      addMember(group, cells, name);
    }
    addArrays(group, Association::Cells, name);
    addArrays(group, Association::Points, name);
  }
  linksAreChecked_[index] = true;
}

std::uint64_t IcsrReader::Impl::member(const hdf5::Object& group, const std::string& name, const std::string& what) {
  const hdf5::Link* link = group.link(name);
  if (link == nullptr) {
    throw FileError(what + " has no " + name);
  }
  if (link->address == hdf5::undefinedAddress) {
    throw FileError(what + ": " + name + " is a soft or an external link; only hard links are followed");
  }
  return link->address;
}

IcsrPlacement IcsrReader::Impl::placement(int s, int l) const {
  return placementOf(levelObject(s, l), levelName(s, l));
}

const IcsrLevel& IcsrReader::Impl::describeLevel(int s, int l) const {
  if (describedStep_ != s) {
    described_.clear();
    describedStep_ = s;
  }
  const auto known = described_.find(l);
  return known != described_.end() ? known->second : described_.emplace(l, readLevel(s, l)).first->second;
}

IcsrLevel IcsrReader::Impl::readLevel(int s, int l) const {
  const std::string name = levelName(s, l);
  const hdf5::Object group = levelObject(s, l);
  IcsrLevel result;
  result.placement = placementOf(group, name);
  const Geometry cells = geometry(group, name);
  result.numRows = cells.numRows();
  result.numIntervals = cells.numIntervals();
  result.numCells = cells.numCells;
  if (group.attribute(icsr::numberOfPoints) != nullptr) {
    result.numPoints = icsr::integers(group, icsr::numberOfPoints, 1, name)[0];
  }
  if (result.numPoints < 0) {
    throw FileError(name + " has the NumberOfPoints " + std::to_string(result.numPoints) + "; it must not be negative");
  }
  result.cellArrays = describeArrays(group, Association::Cells, result.numCells, name);
  result.pointArrays = describeArrays(group, Association::Points, result.numPoints, name);
  return result;
}

std::vector<IcsrArray> IcsrReader::Impl::describeArrays(
  const hdf5::Object& parent, Association association, std::int64_t numTuples, const std::string& parentName) const {
  const std::string groupName = icsr::arrayGroup(association);
  if (parent.link(groupName) == nullptr) {
    return {};
  }
  const std::string what = parentName + "/" + groupName;
  const ArrayGroup& group = arrayGroup(member(parent, groupName, parentName), what);
  std::vector<IcsrArray> result;
  result.reserve(group.names.size());
  for (const std::string& name : group.names) {
    const std::string where = what + "/" + hdf5::quotedName(name);
    result.push_back(describeArray(hdf5::Dataset(structure, group.addresses.at(name), where)));
    IcsrArray& array = result.back();
    array.name = name;
    if (numTuples >= 0 && array.numTuples != numTuples) {
      throw FileError(where + " has " + std::to_string(array.numTuples) + " values; there must be " +
        std::to_string(numTuples) + ", one a " + (association == Association::Cells ? "cell" : "point"));
    }
    if (association != Association::Field && array.type == ValueType::Text) {
      throw FileError(where + " is text; only field arrays can be");
    }
  }
  return result;
}

hdf5::Dataset IcsrReader::Impl::dataset(
  const hdf5::Object& group, const std::string& name, const std::string& what) const {
  return {structure, member(group, name, what), what + "/" + name};
}

hdf5::Dataset IcsrReader::Impl::arrayDataset(
  const hdf5::Object& parent, Association association, const IcsrArray& array, const std::string& parentName) const {
  const std::string groupName = icsr::arrayGroup(association);
  const std::string what = parentName + "/" + groupName;
  const ArrayGroup& group = arrayGroup(member(parent, groupName, parentName), what);
  const std::string where = what + "/" + hdf5::quotedName(array.name);
  const auto found = group.addresses.find(array.name);
  if (found == group.addresses.end()) {
    throw FileError("there is no array " + where);
  }
  hdf5::Dataset result(structure, found->second, where);
  if (icsr::toValueType(result.type(), where) != array.type ||
    static_cast<std::int64_t>(result.columns()) != array.numComponents) {
    throw FileError(where + " is not what it was when it was listed");
  }
  return result;
}

} // namespace spanwise
