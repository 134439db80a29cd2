#include "Readers/OpenVdb/VdbFile.hpp"

#include "Readers/Hdf5/Utf8.hpp"
#include "Readers/OpenVdb/Compression.hpp"
#include "Readers/OpenVdb/Cursor.hpp"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <format>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace spanwise::vdb {

namespace {

constexpr std::int64_t magic = 0x56444220;
constexpr std::uint32_t oldestVersion = 222;
constexpr std::uint32_t newestVersion = 225;
constexpr std::uint64_t uuidBytes = 36;

constexpr std::pair<std::string_view, ValueKind> kinds[] = {{"mask", ValueKind::Mask}, {"bool", ValueKind::Bool},
  {"int32", ValueKind::Int32}, {"int64", ValueKind::Int64}, {"half", ValueKind::Half}, {"float", ValueKind::Float},
  {"double", ValueKind::Double}, {"vec3i", ValueKind::Vec3i}, {"vec3s", ValueKind::Vec3s}, {"vec3d", ValueKind::Vec3d}};

const std::string leaveOut = "leave it out under Grids";

// Names that stand several times in a file have a number after this character; so have grids without a name.
std::string shownName(const std::string& unique) {
  const auto at = unique.find('\x1e');
  const std::string name = at == 0 || unique.empty() ? "Value" : unique.substr(0, at);
  return at == std::string::npos ? name : name + "[" + unique.substr(at + 1) + "]";
}

// "Tree_float_5_4_3", or "Tree_float_5_4_3_HalfFloat".
void readType(std::string type, GridInfo& grid) {
  constexpr std::string_view half = "_HalfFloat";
  constexpr std::string_view start = "Tree_";
  constexpr std::string_view shape = "_5_4_3";
  grid.halfFloats = type.ends_with(half);
  if (grid.halfFloats) {
    type.resize(type.size() - half.size());
  }
  if (type.starts_with(start) && type.ends_with(shape) && type.size() > start.size() + shape.size()) {
    const std::string value = type.substr(start.size(), type.size() - start.size() - shape.size());
    const auto* const found =
      std::find_if(std::begin(kinds), std::end(kinds), [&](const auto& kind) { return kind.first == value; });
    if (found != std::end(kinds)) {
      grid.kind = found->second;
      return;
    }
  }
  grid.refusal = "is of the type " + hdf5::quotedName(type) +
    "; grids of masks, bool, int32, int64, half, float, double, vec3i, vec3s and vec3d in trees 5_4_3 are read: " +
    leaveOut;
}

std::array<double, 3> vector(Cursor& cursor) {
  std::array<double, 3> result{};
  cursor.read(result.data(), sizeof(result));
  return result;
}

// The voxel (i, j, k) has its centre at translation + (i, j, k) * scale; a cell of ours has its corner there.
void place(const std::array<double, 3>& scale, const std::array<double, 3>& translation, GridInfo& grid) {
  for (std::size_t d = 0; d < 3; ++d) {
    grid.spacing[d] = scale[d];
    grid.origin[d] = translation[d] - scale[d] / 2;
    if (!std::isfinite(scale[d]) || !std::isfinite(translation[d]) || scale[d] == 0.0) {
      throw FileError(std::format("the transform of the grid {} has the scale {} and the translation {} along axis {}; "
                                  "both must be finite, and the scale not 0",
        hdf5::quotedName(grid.name), scale[d], translation[d], d));
    }
    if (scale[d] < 0.0 && grid.refusal.empty()) {
      grid.refusal =
        std::format("is mirrored along axis {} (its scale is {}); scales must be positive: resample it with "
                    "OpenVDB's tools, or {}",
          d, scale[d], leaveOut);
    }
  }
}

void readTransform(Cursor& cursor, GridInfo& grid) {
  const std::string type = cursor.text();
  const auto refuse = [&](const std::string& why) {
    if (grid.refusal.empty()) {
      grid.refusal = why + " (" + hdf5::quotedName(type) +
        "), and cells are boxes along the axes: resample it with OpenVDB's tools (tools::resampleToMatch(), VDB "
        "Resample), "
        "or " +
        leaveOut;
    }
  };
  constexpr std::uint64_t vectorBytes = 3 * sizeof(double);
  if (type == "UniformScaleMap" || type == "ScaleMap") {
    const auto scale = vector(cursor);
    cursor.skip(4 * vectorBytes);
    place(scale, {0.0, 0.0, 0.0}, grid);
  } else if (type == "UniformScaleTranslateMap" || type == "ScaleTranslateMap") {
    const auto translation = vector(cursor);
    const auto scale = vector(cursor);
    cursor.skip(4 * vectorBytes);
    place(scale, translation, grid);
  } else if (type == "TranslationMap") {
    place({1.0, 1.0, 1.0}, vector(cursor), grid);
  } else if (type == "AffineMap" || type == "UnitaryMap") {
    double m[4][4]; // positions are rows: the translation is the last one
    cursor.read(m, sizeof(m));
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 4; ++c) {
        if (r != c && m[r][c] != 0.0) {
          refuse("has a transform that rotates or shears");
        }
      }
    }
    place({m[0][0] / m[3][3], m[1][1] / m[3][3], m[2][2] / m[3][3]},
      {m[3][0] / m[3][3], m[3][1] / m[3][3], m[3][2] / m[3][3]}, grid);
  } else {
    refuse(type == "NonlinearFrustumMap" ? "is a frustum" : "has a transform that is not known here");
  }
}

void readMetadata(Cursor& cursor, GridInfo* grid) {
  for (auto count = cursor.number<std::uint32_t>(); count > 0; --count) {
    const std::string name = cursor.text();
    const std::string type = cursor.text();
    if (grid != nullptr && name == "class" && type == "string") {
      grid->gridClass = cursor.text();
    } else {
      cursor.skip(cursor.number<std::uint32_t>());
    }
  }
}

// What stands before the tree of a grid.
void readStart(Cursor& cursor, GridInfo& grid) {
  grid.compression = cursor.number<std::uint32_t>();
  if ((grid.compression & ~std::uint32_t{zip | activeMask | blosc}) != 0) {
    throw FileError("the grid " + hdf5::quotedName(grid.name) + " has the compression flags " +
      std::to_string(grid.compression) + "; 0 to 7 are known");
  }
  readMetadata(cursor, &grid);
  readTransform(cursor, grid);
  grid.tree = cursor.position();
}

std::uint64_t position(Cursor& cursor, std::uint64_t least, std::uint64_t most, const std::string& what) {
  const auto value = cursor.number<std::int64_t>();
  if (value < 0 || static_cast<std::uint64_t>(value) < least || static_cast<std::uint64_t>(value) > most) {
    throw FileError(what + " at byte " + std::to_string(value) + "; it must be from " + std::to_string(least) + " to " +
      std::to_string(most));
  }
  return static_cast<std::uint64_t>(value);
}

} // namespace

VdbFile::VdbFile(const std::string& path) : input_(path) {
  Cursor cursor(input_, 0, input_.size(), "the list of grids");
  if (input_.size() < sizeof(magic) || cursor.number<std::int64_t>() != magic) {
    throw FileError("it is not an OpenVDB file: it does not begin as one");
  }
  if (const auto version = cursor.number<std::uint32_t>(); version < oldestVersion || version > newestVersion) {
    throw FileError(
      std::format("it has version {} of the format; versions {} to {} are read: write it again with another "
                  "OpenVDB",
        version, oldestVersion, newestVersion));
  }
  cursor.skip(2 * sizeof(std::uint32_t)); // the version of the library that wrote it
  const bool hasPositions = cursor.number<std::int8_t>() != 0;
  cursor.skip(uuidBytes);
  if (!hasPositions) {
    throw FileError(
      "it was written as a stream, without the positions of its grids: write it again with openvdb::io::File");
  }
  readMetadata(cursor, nullptr);
  std::unordered_map<std::string, std::size_t> byName;
  for (auto count = cursor.number<std::int32_t>(); count > 0; --count) {
    GridInfo grid;
    const std::string unique = cursor.text();
    grid.name = shownName(unique);
    readType(cursor.text(), grid);
    const std::string parent = cursor.text();
    const std::string what = "the grid " + hdf5::quotedName(grid.name);
    const std::uint64_t descriptorEnd = cursor.position() + 3 * sizeof(std::int64_t);
    const std::uint64_t start = position(cursor, descriptorEnd, input_.size(), what + " begins");
    if (parent.empty()) {
      grid.values = position(cursor, start, input_.size(), "the values of " + what + " begin");
    } else {
      cursor.skip(sizeof(std::int64_t)); // it has none of its own
    }
    grid.end = position(cursor, std::max(start, grid.values), input_.size(), what + " ends");
    const std::uint64_t next = grid.end;
    Cursor inside(input_, start, grid.end, what);
    readStart(inside, grid);
    if (!parent.empty()) { // the same tree elsewhere
      const auto found = byName.find(parent);
      if (found == byName.end()) {
        throw FileError(what + " has the tree of " + hdf5::quotedName(parent) + ", which is not before it in the file");
      }
      const GridInfo& other = grids_[found->second];
      if (other.kind != grid.kind || other.halfFloats != grid.halfFloats) {
        throw FileError(what + " has the tree of " + hdf5::quotedName(parent) + ", which is of another type");
      }
      if (!other.refusal.empty() && grid.refusal.empty()) {
        grid.refusal = "has the tree of " + hdf5::quotedName(parent) + ", which " + other.refusal;
      }
      grid.compression = other.compression;
      grid.tree = other.tree;
      grid.values = other.values;
      grid.end = other.end;
    }
    if (!byName.emplace(unique, grids_.size()).second) {
      throw FileError(what + " is there twice");
    }
    grids_.push_back(std::move(grid));
    cursor.skip(next - cursor.position());
  }
}

bool VdbFile::canRead(const std::string& path) {
  try {
    const hdf5::InputFile file(path);
    return Cursor(file, 0, file.size(), "").number<std::int64_t>() == magic;
  } catch (const std::exception&) {
    return false;
  }
}

} // namespace spanwise::vdb
