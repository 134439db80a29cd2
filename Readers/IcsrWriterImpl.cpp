#include "Readers/IcsrWriterImpl.hpp"

#include "Readers/Hdf5/InputFile.hpp"
#include "Readers/IcsrAttributes.hpp"
#include "Readers/IcsrNames.hpp"

#include "Core/Runtime/CountText.hpp"
#include "Core/Runtime/Error.hpp"

#include <cmath>
#include <format>
#include <utility>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

using hdf5::Datatype;
using hdf5::Handle;

std::uint64_t toExtent(std::int64_t count, const char* noun) {
  if (count < 0) {
    throw FileError(
      std::string("the number of ") + noun + " is " + std::to_string(count) + "; it must not be negative");
  }
  return static_cast<std::uint64_t>(count);
}

// The members name(0), name(1) ... of a group.
template <class Name>
std::vector<std::uint64_t> numberedMembers(const hdf5::Object& group, const Name& name) {
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

icsr::ArrayPlaces readArrays(const hdf5::Structure& structure, const hdf5::Object& parent, Association association) {
  icsr::ArrayPlaces result;
  const hdf5::Link* link = parent.link(icsr::arrayGroup(association));
  if (link != nullptr) {
    result.group = link->address;
    for (const hdf5::Link& array : structure.object(link->address, "a group of arrays").links) {
      result.arrays.emplace(array.name, array.address);
    }
  }
  return result;
}

void writeRows(hid_t group, const char* name, const Datatype& type, const IcsrTuples& rows, const void* data,
  const Progress& progress = {}) {
  Handle dataset = hdf5::openDataset(group, name);
  hdf5::writeRows(
    dataset.id(), type, static_cast<std::uint64_t>(rows.first), static_cast<std::uint64_t>(rows.count), data, progress);
  dataset.close(std::string("writing the array ") + name);
}

} // namespace

void IcsrWriter::Impl::open() {
  readPlaces();
  file_ = hdf5::openFile(path, failure);
}

// Finds what is in the file before HDF5 opens it.
void IcsrWriter::Impl::readPlaces() {
  const hdf5::InputFile input(path);
  const hdf5::Structure structure(input);
  root_ = structure.rootAddress();
  const hdf5::Object root = structure.object(root_, "the file");
  dimension_ = static_cast<int>(icsr::integers(root, icsr::dimension, 1, "the file")[0]);
  steps_ = numberedMembers(root, icsr::stepGroup);
  if (steps_.empty()) {
    return;
  }
  const std::string name = icsr::stepGroup(static_cast<int>(steps_.size()) - 1);
  const hdf5::Object step = structure.object(steps_.back(), name);
  if (step.attribute(icsr::time) != nullptr) {
    lastTime_ = icsr::reals(step, icsr::time, 1, name)[0];
  }
  fields_ = readArrays(structure, step, Association::Field);
  for (const std::uint64_t address : numberedMembers(step, icsr::levelGroup)) {
    const hdf5::Object level = structure.object(address, "a level");
    levels_.push_back(
      {address, readArrays(structure, level, Association::Cells), readArrays(structure, level, Association::Points)});
  }
}

void IcsrWriter::Impl::close() {
  file_.close("closing the file");
  if (newLinks_.empty() || failure.error != 0) {
    return;
  }
  std::vector<hdf5::GroupLinks> groups;
  for (auto& [group, links] : newLinks_) {
    groups.push_back({group, std::move(links)});
  }
  newLinks_.clear();
  hdf5::addLinks(path, groups);
}

// A time that the reader would refuse after those that are there.
void IcsrWriter::Impl::checkTime(std::optional<double> time) const {
  if (time.has_value() && !std::isfinite(*time)) {
    throw FileError(std::format("the time is {}; it must be finite", *time));
  }
  if (!steps_.empty() && (!lastTime_.has_value() || !time.has_value() || !(*lastTime_ < *time))) {
    throw FileError("the step after " +
      (lastTime_.has_value() ? std::format("the time {}", *lastTime_) : "one without a time") + " has " +
      (time.has_value() ? std::format("the time {}", *time) : "no time") +
      "; the steps of a file have ascending times");
  }
}

void IcsrWriter::Impl::addStep(std::optional<double> time) {
  if (steps_.size() >= icsr::maxMembers) {
    throw FileError("there are " + std::to_string(icsr::maxMembers) + " steps, which is the most that a file can have");
  }
  checkTime(time);
  const Handle group = hdf5::createUnlinkedGroup(file_.id());
  if (time.has_value()) {
    hdf5::writeAttribute(group.id(), icsr::time, *time);
  }
  const std::uint64_t address = hdf5::addressOf(group.id());
  newLinks_[root_].push_back({icsr::stepGroup(static_cast<int>(steps_.size())), address});
  steps_.push_back(address);
  lastTime_ = time;
  levels_.clear();
  fields_ = {};
}

icsr::LevelPlaces& IcsrWriter::Impl::levelAt(int level) {
  if (level < 0 || level >= static_cast<int>(levels_.size())) {
    throw FileError("the last step has no level " + std::to_string(level) + "; it has " +
      countText(static_cast<std::int64_t>(levels_.size()), "level"));
  }
  return levels_[static_cast<std::size_t>(level)];
}

Handle IcsrWriter::Impl::openLevel(int level) { return hdf5::openObject(file_.id(), levelAt(level).group); }

void IcsrWriter::Impl::addLevel(const IcsrLevel& level, std::optional<int> sameAs) {
  const auto number = static_cast<int>(levels_.size());
  if (steps_.empty() || number > icsr::maxLevel) {
    throw FileError("a level is added to " +
      (steps_.empty() ? "a file without steps"
                      : "a step of " + countText(number, "level") + ", which is the most that a step can have"));
  }
  const Handle step = hdf5::openObject(file_.id(), steps_.back());
  const Handle group = hdf5::createGroup(step.id(), icsr::levelGroup(number));
  icsr::LevelPlaces& made = levels_.emplace_back();
  made.group = hdf5::addressOf(group.id());
  const IcsrPlacement& placement = level.placement;
  hdf5::writeAttribute(group.id(), icsr::origin, std::vector<double>(placement.origin, placement.origin + 3));
  hdf5::writeAttribute(group.id(), icsr::spacing, std::vector<double>(placement.spacing, placement.spacing + 3));
  hdf5::writeAttribute(group.id(), icsr::level, std::int64_t{placement.level});
  hdf5::writeAttribute(group.id(), icsr::numberOfCells, level.numCells);
  if (sameAs.has_value()) {
    shareCells(group.id(), number, *sameAs);
  } else {
    makeCells(group.id(), level);
  }
  makeArrays(group.id(), Association::Cells, made.cells, level.cellArrays);
}

void IcsrWriter::Impl::makeCells(hid_t group, const IcsrLevel& level) const {
  const std::uint64_t rows = toExtent(level.numRows, "rows");
  const std::uint64_t intervals = toExtent(level.numIntervals, "intervals");
  const auto make = [&](const char* name, const Datatype& type, const hdf5::Extents& extents) {
    hdf5::createDataset(group, name, type, extents, storage).close(std::string("creating the array ") + name);
  };
  make(icsr::rowKeys, icsr::int32Type, {rows, static_cast<std::uint64_t>(dimension_ - 1)});
  make(icsr::rowOffsets, icsr::int64Type, {rows + 1});
  make(icsr::rowCells, icsr::int64Type, {rows + 1});
  make(icsr::intervals, icsr::int32Type, {intervals, 2});
  if (rows == 0) { // nobody writes rows
    const std::int64_t zero = 0;
    writeRows(group, icsr::rowOffsets, icsr::int64Type, {0, 1}, &zero);
    writeRows(group, icsr::rowCells, icsr::int64Type, {0, 1}, &zero);
  }
}

void IcsrWriter::Impl::shareCells(hid_t group, int level, int step) const {
  if (step < 0 || step >= static_cast<int>(steps_.size())) {
    throw FileError("there is no step " + std::to_string(step) + " to share cells with");
  }
  const Handle otherStep = hdf5::openObject(file_.id(), steps_[static_cast<std::size_t>(step)]);
  const Handle other = hdf5::openGroup(otherStep.id(), icsr::levelGroup(level));
  for (const char* name : {icsr::rowKeys, icsr::rowOffsets, icsr::rowCells, icsr::intervals}) {
    hdf5::linkObject(other.id(), name, group, name);
  }
}

void IcsrWriter::Impl::addPoints(int level, const IcsrLevel& description) {
  const Handle group = openLevel(level);
  hdf5::writeAttribute(group.id(), icsr::numberOfPoints, description.numPoints);
  hdf5::createDataset(group.id(), icsr::rowPoints, icsr::int64Type, {toExtent(description.numRows, "rows")}, storage)
    .close(std::string("creating the array ") + icsr::rowPoints);
  makeArrays(group.id(), Association::Points, levelAt(level).points, description.pointArrays);
}

template <int Dim>
void IcsrWriter::Impl::writeCells(
  int level, const IntervalSetView<Dim>& set, const IcsrRows& rows, const IcsrPosition& at, const Progress& progress) {
  const std::int64_t count = rows.end - rows.begin;
  if (count <= 0) {
    return;
  }
  const Handle group = openLevel(level);
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
  writeRows(group.id(), icsr::rowKeys, icsr::int32Type, {at.row, count}, set.rowKeys + rows.begin);
  writeRows(group.id(), icsr::rowOffsets, icsr::int64Type, {at.row, count + 1}, offsets.data());
  writeRows(group.id(), icsr::rowCells, icsr::int64Type, {at.row, count + 1}, cells.data());
  writeRows(group.id(), icsr::intervals, icsr::int32Type, {at.interval, lastInterval - firstInterval},
    set.intervals + firstInterval, progress);
}

template void IcsrWriter::Impl::writeCells(
  int, const IntervalSetView<2>&, const IcsrRows&, const IcsrPosition&, const Progress&);
template void IcsrWriter::Impl::writeCells(
  int, const IntervalSetView<3>&, const IcsrRows&, const IcsrPosition&, const Progress&);

void IcsrWriter::Impl::writeRowPoints(int level, std::int64_t firstRow, const std::vector<std::int64_t>& points) {
  writeRows(openLevel(level).id(), icsr::rowPoints, icsr::int64Type,
    {firstRow, static_cast<std::int64_t>(points.size())}, points.data());
}

} // namespace spanwise
