#include "Readers/Samurai/SamuraiFile.hpp"

#include "Readers/Hdf5/Utf8.hpp"
#include "Readers/IcsrAttributes.hpp"
#include "Readers/IcsrNames.hpp"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cmath>
#include <format>
#include <limits>

namespace spanwise::samurai {

namespace {

// Nobody has as many, and an array has room for the values of one cell.
constexpr std::int64_t maxComponents = 1 << 16;

// What /mesh has in every file of samurai::dump.
constexpr const char* names[] = {"dim", "min_level", "max_level", "origin_point", "scaling_factor"};

} // namespace

std::vector<std::int64_t> readCounts(
  const hdf5::Dataset& dataset, std::uint64_t first, std::uint64_t count, const std::string& what) {
  if (dataset.columns() != 1) {
    throw FileError(what + " has " + std::to_string(dataset.columns()) + " columns; it must have one");
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(count * dataset.rowBytes()));
  dataset.read(first, count, bytes.data());
  const icsr::StoredNumbers stored{dataset.type(), count, bytes.data()};
  std::vector<std::int64_t> values(static_cast<std::size_t>(count));
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = icsr::integerAt(stored, k, what);
    if (values[k] < 0) {
      throw FileError(std::format("{} has the value {} at {}; it must not be negative", what, values[k], first + k));
    }
  }
  return values;
}

bool SamuraiFile::canRead(const std::string& path) noexcept {
  try {
    const hdf5::InputFile file(path);
    if (!hdf5::Structure::hasSignature(file)) {
      return false;
    }
    const hdf5::Structure structure(file, hdf5::Checksums::Optional);
    const hdf5::Object root = structure.object(structure.rootAddress(), "the file");
    const hdf5::Link* mesh = root.link("mesh");
    if (mesh == nullptr) {
      return false;
    }
    const hdf5::Object group = structure.object(mesh->address, "/mesh");
    return std::all_of(
      std::begin(names), std::end(names), [&](const char* name) { return group.link(name) != nullptr; });
  } catch (const std::exception&) {
    return false;
  }
}

SamuraiFile::SamuraiFile(const std::string& path) : file_(path), structure_(file_, hdf5::Checksums::Optional) {
  const hdf5::Object root = structure_.object(structure_.rootAddress(), "the file");
  readMesh(root);
  if (root.attribute("time") != nullptr) {
    time_ = icsr::reals(root, "time", 1, "the file")[0];
  }
  readFields(root);
}

void SamuraiFile::readMesh(const hdf5::Object& root) {
  const auto mesh = find(root, "", "mesh");
  if (!mesh.has_value() || mesh->link("dim") == nullptr) {
    throw FileError("there is no /mesh/dim: this is no file of samurai::dump. One of samurai::save has points and "
                    "cells instead of intervals; open the .xdmf file beside it");
  }
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  const std::int64_t dim = integer(*mesh, "/mesh", "dim", -most, most);
  if (dim != 2 && dim != 3) {
    throw FileError(std::format("the mesh has the dimension {}; 2 and 3 are read", dim));
  }
  dimension_ = static_cast<int>(dim);
  minLevel_ = static_cast<int>(integer(*mesh, "/mesh", "min_level", 0, icsr::maxLevel));
  maxLevel_ = static_cast<int>(integer(*mesh, "/mesh", "max_level", 0, icsr::maxLevel));
  if (maxLevel_ < minLevel_) {
    throw FileError(std::format("/mesh/max_level is {}, which is less than /mesh/min_level, {}", maxLevel_, minLevel_));
  }
  const auto origin = numbers(*mesh, "/mesh", "origin_point", static_cast<std::size_t>(dimension_));
  std::copy(origin.begin(), origin.end(), origin_);
  rootSize_ = numbers(*mesh, "/mesh", "scaling_factor", 1)[0];
  if (!(rootSize_ > 0.0)) {
    throw FileError(std::format("/mesh/scaling_factor is {}; it must be positive", rootSize_));
  }
  if (root.link("n_process") == nullptr) {
    throw FileError(
      "there is no /n_process, which samurai writes from version 0.24 (June 2025) on; older files are not "
      "read");
  }
  // Each has a number of 8 bytes in every array's partition.
  numProcesses_ = static_cast<std::size_t>(
    integer(root, "", "n_process", 1, static_cast<std::int64_t>(file_.size() / sizeof(std::uint64_t))));
  levels_ = find(*mesh, "/mesh", "level").value_or(hdf5::Object());
}

void SamuraiFile::readFields(const hdf5::Object& root) {
  const auto group = find(root, "", "fields");
  if (!group.has_value()) {
    return;
  }
  for (const hdf5::Link& link : group->links) {
    const std::string name = "the field " + hdf5::quotedName(link.name);
    icsr::checkText(link.name, name);
    const hdf5::Object& object =
      fieldGroups_.emplace(link.name, find(*group, "/fields", link.name).value()).first->second;
    if (object.link("n_comp") == nullptr) {
      throw FileError(name + " has no n_comp; a name must not have a slash in it");
    }
    IcsrArray field;
    field.name = link.name;
    field.numComponents = integer(object, "/fields/" + link.name, "n_comp", 1, maxComponents);
    if (const Partitioned values = this->values(field); values.data.has_value()) {
      field.type = icsr::toValueType(values.data->type(), name);
      if (field.type == ValueType::Text || values.data->columns() != 1) {
        throw FileError(name + " is " + toString(values.data->type()) + " " + hdf5::toString(values.data->extents()) +
          "; it must be a row of numbers");
      }
    }
    fields_.push_back(std::move(field));
  }
}

Partitioned SamuraiFile::values(const IcsrArray& field) const {
  const auto found = fieldGroups_.find(field.name);
  if (found == fieldGroups_.end()) {
    throw FileError("there is no field " + hdf5::quotedName(field.name));
  }
  return partitioned(found->second, "/fields/" + field.name, "data");
}

Partitioned SamuraiFile::intervals(int level, int axis) const {
  return partitioned(levels_, "/mesh/level", std::format("{}/dim/{}/intervals", level, axis));
}

Partitioned SamuraiFile::offsets(int level, int axis) const {
  return partitioned(levels_, "/mesh/level", std::format("{}/dim/{}/offsets", level, axis));
}

// The object at a path below another one; nothing if a link is missing.
std::optional<hdf5::Object> SamuraiFile::find(
  const hdf5::Object& from, const std::string& fromName, const std::string& path) const {
  hdf5::Object object = from;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const hdf5::Link* link = object.link(path.substr(begin, end - begin));
    if (link == nullptr) {
      return std::nullopt;
    }
    const std::string name = fromName + "/" + path.substr(0, end);
    if (link->address == hdf5::undefinedAddress) {
      throw FileError(name + " is a soft or an external link; only hard links are followed");
    }
    object = structure_.object(link->address, name);
    begin = end + 1;
  }
  return object;
}

// The numbers of a scalar or a short array.
std::vector<double> SamuraiFile::numbers(
  const hdf5::Object& group, const std::string& groupName, const std::string& name, std::size_t count) const {
  const std::string where = groupName + "/" + name;
  const auto object = find(group, groupName, name);
  if (!object.has_value() || !object->datatype.has_value() || !object->extents.has_value() ||
    !object->layout.has_value()) {
    throw FileError("there is no array " + where);
  }
  const hdf5::Datatype& type = object->datatype.value();
  const std::uint64_t found = hdf5::numElements(object->extents.value(), type.bytes, where);
  if (found != count) {
    throw FileError(std::format("{} has {} values; it must have {}", where, found, count));
  }
  const hdf5::Layout& layout = object->layout.value();
  std::vector<std::byte> bytes = layout.compact;
  if (layout.kind == hdf5::Layout::Kind::Contiguous) {
    bytes = file_.read(layout.address, count * type.bytes, where);
  }
  if (layout.kind == hdf5::Layout::Kind::Chunked || bytes.size() != count * type.bytes) {
    throw FileError(where + " is not stored in one piece of its size");
  }
  const icsr::StoredNumbers stored{type, count, bytes.data()};
  std::vector<double> result;
  for (std::size_t k = 0; k < count; ++k) {
    result.push_back(icsr::realAt(stored, k, where));
    if (!std::isfinite(result.back())) {
      throw FileError(std::format("{} has the value {}; it must be finite", where, result.back()));
    }
  }
  return result;
}

std::int64_t SamuraiFile::integer(const hdf5::Object& group, const std::string& groupName, const std::string& name,
  std::int64_t least, std::int64_t most) const {
  const double value = numbers(group, groupName, name, 1)[0];
  if (value != std::floor(value) || value < static_cast<double>(least) || value > static_cast<double>(most)) {
    throw FileError(
      std::format("{}/{} is {}; it must be a whole number in [{}, {}]", groupName, name, value, least, most));
  }
  return static_cast<std::int64_t>(value);
}

Partitioned SamuraiFile::partitioned(
  const hdf5::Object& from, const std::string& fromName, const std::string& path) const {
  Partitioned result;
  const std::string where = fromName + "/" + path;
  const auto group = find(from, fromName, path);
  const auto data = group.has_value() ? find(*group, where, "data") : std::nullopt;
  if (!data.has_value()) {
    return result;
  }
  const auto partition = find(*group, where, "partition");
  if (!partition.has_value()) {
    throw FileError(where + " has data and no partition");
  }
  result.data.emplace(structure_, data->address, where);
  const hdf5::Dataset bounds(structure_, partition->address, where + "/partition");
  if (bounds.rows() != numProcesses_ + 1) {
    throw FileError(std::format(
      "{} has {} values; /n_process is {}, and there must be one more", bounds.what(), bounds.rows(), numProcesses_));
  }
  const auto values = readCounts(bounds, 0, bounds.rows(), bounds.what());
  if (values.front() != 0 || !std::is_sorted(values.begin(), values.end()) ||
    static_cast<std::uint64_t>(values.back()) != result.data->rows()) {
    throw FileError(
      std::format("{} must ascend from 0 to {}, the length of the data; it begins with {} and ends with {}",
        bounds.what(), result.data->rows(), values.front(), values.back()));
  }
  result.partition.assign(values.begin(), values.end());
  return result;
}

} // namespace spanwise::samurai
