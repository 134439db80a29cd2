#include "Readers/OpenVdb/WriteVdb.hpp"

#include "Readers/OpenVdb/Compression.hpp"
#include "Readers/OpenVdb/TreeTopology.hpp"
#include "Readers/OpenVdb/VdbOutput.hpp"
#include "Readers/OpenVdb/VoxelTree.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <string_view>
#include <utility>

namespace spanwise::vdb {

namespace {

using geometry::Coordinate;
using Origin = std::array<Coordinate, 3>;

std::string_view nameOf(ValueKind kind) {
  constexpr std::string_view names[] = {
    "mask", "bool", "int32", "int64", "half", "float", "double", "vec3i", "vec3s", "vec3d"};
  return names[static_cast<std::size_t>(kind)];
}

// A number of 128 bits, in the form that all such files have.
std::string randomUuid() {
  std::random_device random;
  std::string text = "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx";
  std::replace_if(text.begin(), text.end(), [](char c) { return c == 'x'; }, '0');
  for (char& c : text) {
    if (c == '0') {
      c = "0123456789abcdef"[random() % 16];
    }
  }
  return text;
}

void writeMetadata(
  VdbOutput& out, const std::string& name, const std::string& type, const void* value, std::size_t bytes) {
  out.text(name);
  out.text(type);
  out.number(static_cast<std::uint32_t>(bytes));
  out.write(value, bytes);
}

void writeMetadata(VdbOutput& out, const std::string& name, const std::string& value) {
  writeMetadata(out, name, "string", value.data(), value.size());
}

void writeTransform(VdbOutput& out, const GridToWrite& grid) {
  const double* const scale = grid.spacing;
  const bool uniform = scale[0] == scale[1] && scale[0] == scale[2];
  out.text(uniform ? "UniformScaleTranslateMap" : "ScaleTranslateMap");
  const auto vector = [&](const auto& component) {
    for (int d = 0; d < 3; ++d) {
      out.number(static_cast<double>(component(d)));
    }
  };
  vector([&](int d) { return grid.origin[d] + scale[d] / 2; }); // the centre of the voxel (0, 0, 0)
  vector([&](int d) { return scale[d]; });
  vector([&](int d) { return scale[d]; }); // the size of a voxel
  vector([&](int d) { return 1.0 / scale[d]; });
  vector([&](int d) { return 1.0 / (scale[d] * scale[d]); });
  vector([&](int d) { return 0.5 / scale[d]; });
}

/// Writes what stands behind the descriptor of a grid.
class GridWriter {
public:
  GridWriter(VdbOutput& out, const GridToWrite& grid, const Progress& progress)
    : out_(out), grid_(grid), progress_(progress), cells_(grid.cells.view()),
      values_(static_cast<const std::byte*>(grid.values)), bytes_(static_cast<std::size_t>(valueBytesOf(grid.kind))),
      compression_(activeMask | (hasBlosc() ? blosc : zip)), tree_(makeVoxelTree(cells_, values_, bytes_)) {
    if (grid.levelSet) {
      const auto* const distances = static_cast<const float*>(grid.values);
      for (std::int64_t c = 0; c < cells_.numCells; ++c) {
        width_ = std::max(width_, std::abs(distances[c]));
      }
    }
  }

  void writeStart() {
    out_.number(compression_);
    writeGridMetadata();
    writeTransform(out_, grid_);
    writeTopology();
  }

  void writeLeaves() {
    for (std::size_t l = 0; l < tree_.leaves.size(); ++l) {
      constexpr std::size_t leavesOfReport = 256;
      if (l % leavesOfReport == 0) {
        progress_.report(static_cast<double>(l) / static_cast<double>(tree_.leaves.size()));
      }
      writeLeaf(tree_.leaves[l]);
    }
  }

private:
  using Words = std::vector<std::uint64_t>;

  void writeGridMetadata() {
    const std::int64_t numCells = cells_.numCells;
    out_.number(std::uint32_t{grid_.levelSet ? 5U : 4U});
    if (grid_.levelSet) {
      writeMetadata(out_, "class", "level set");
    }
    const auto [lower, upper] = bounds();
    writeMetadata(out_, "file_bbox_max", "vec3i", upper.data(), sizeof(upper));
    writeMetadata(out_, "file_bbox_min", "vec3i", lower.data(), sizeof(lower));
    writeMetadata(out_, "file_voxel_count", "int64", &numCells, sizeof(numCells));
    writeMetadata(out_, "name", grid_.name);
  }

  // The first and the last active voxel along each axis.
  [[nodiscard]] std::pair<Origin, Origin> bounds() const {
    std::pair<Origin, Origin> result;
    for (std::int64_t r = 0; r < cells_.numRows; ++r) {
      const Origin first = {cells_.intervals[cells_.rowOffsets[r]].begin, cells_.rowKeys[r].y, cells_.rowKeys[r].z};
      const Origin last = {cells_.intervals[cells_.rowOffsets[r + 1] - 1].end - 1, first[1], first[2]};
      for (std::size_t d = 0; d < 3; ++d) {
        result.first[d] = r == 0 ? first[d] : std::min(result.first[d], first[d]);
        result.second[d] = r == 0 ? last[d] : std::max(result.second[d], last[d]);
      }
    }
    return result;
  }

  // A mask's tiles are true.
  [[nodiscard]] std::size_t storedBytes() const { return std::max<std::size_t>(bytes_, 1); }

  void appendValue(std::vector<std::byte>& to, std::int64_t cell) const {
    if (bytes_ == 0) {
      to.push_back(std::byte{1});
    } else {
      const std::byte* const value = values_ + static_cast<std::size_t>(cell) * bytes_;
      to.insert(to.end(), value, value + bytes_);
    }
  }

  /// Whether a voxel that is not active is inside of a level set.
  [[nodiscard]] bool isInside(Coordinate x, Coordinate y, Coordinate z) const {
    const std::int64_t r = cells_.findRow({y, z});
    if (!grid_.levelSet || r < 0) {
      return false;
    }
    const std::int64_t i = cells_.lowerInterval(r, x);
    return i > cells_.rowOffsets[r] && static_cast<const float*>(grid_.values)[cells_.cellOffsets[i] - 1] < 0.0F;
  }

  void writeWords(const Words& words) { out_.write(words.data(), words.size() * sizeof(words[0])); }

  /// Values of active positions. `outside`: in a level set the positions that have the background and not its negative;
  /// null where there are none inside.
  void writeValues(const std::vector<std::byte>& active, const Words* outside) {
    constexpr std::int8_t allBackground = 0;
    constexpr std::int8_t maskOfBackgrounds = 3;
    out_.number(outside != nullptr ? maskOfBackgrounds : allBackground);
    if (outside != nullptr) {
      writeWords(*outside);
    }
    const std::vector<std::byte> packed = active.empty() ? active : pack(compression_, active);
    if (packed.empty()) {
      out_.number(-static_cast<std::int64_t>(active.size()));
      out_.write(active.data(), active.size());
    } else {
      out_.number(static_cast<std::int64_t>(packed.size()));
      out_.write(packed.data(), packed.size());
    }
  }

  void writeTopology() {
    out_.number(std::int32_t{1}); // buffers
    std::vector<std::byte> background(storedBytes());
    if (grid_.levelSet) {
      std::memcpy(background.data(), &width_, sizeof(width_));
    }
    out_.write(background.data(), background.size());
    std::vector<std::pair<Origin, std::vector<std::byte>>> tiles;
    std::vector<Origin> insides = rootTilesInside();
    for (const VoxelTree::Part& part : tree_.root) {
      if (part.isTile) {
        tiles.emplace_back(part.origin, std::vector<std::byte>());
        appendValue(tiles.back().second, part.index);
      }
    }
    out_.number(static_cast<std::uint32_t>(tiles.size() + insides.size()));
    out_.number(static_cast<std::uint32_t>(tree_.upper.size()));
    for (const auto& [origin, value] : tiles) {
      out_.write(origin.data(), sizeof(origin));
      out_.write(value.data(), value.size());
      out_.number(std::int8_t{1}); // active
    }
    for (const Origin& origin : insides) {
      out_.write(origin.data(), sizeof(origin));
      out_.number(-width_);
      out_.number(std::int8_t{0});
    }
    for (const VoxelTree::Node& node : tree_.upper) {
      out_.write(node.origin.data(), sizeof(node.origin));
      writeNode(node, 5, 128, [&](std::int64_t lower) {
        writeNode(tree_.lower[static_cast<std::size_t>(lower)], 4, leafSize, [&](std::int64_t leaf) {
          const auto& active = tree_.leaves[static_cast<std::size_t>(leaf)].active;
          out_.write(active.data(), sizeof(active));
        });
      });
    }
  }

  /// What the root has between its children along x, where that is inside of a level set.
  [[nodiscard]] std::vector<Origin> rootTilesInside() const {
    constexpr Coordinate size = 4096;
    std::vector<Origin> result;
    for (const VoxelTree::Part& part : tree_.root) {
      const auto isChild = [&](const Origin& origin) {
        return std::any_of(
          tree_.root.begin(), tree_.root.end(), [&](const auto& other) { return other.origin == origin; });
      };
      Origin next = part.origin;
      while (next[0] <= geometry::maxIntervalEnd - 2 * size) {
        next[0] += size;
        if (isChild(next) || !isInside(next[0], next[1], next[2])) {
          break;
        }
        result.push_back(next);
      }
    }
    return result;
  }

  template <class WriteChild>
  void writeNode(const VoxelTree::Node& node, int log2Size, Coordinate childSize, const WriteChild& writeChild) {
    const std::uint32_t numPlaces = 1U << (3 * log2Size);
    Words children(numPlaces / 64);
    Words tiles(numPlaces / 64);
    std::vector<std::byte> values;
    for (const VoxelTree::Child& child : node.children) {
      (child.isTile ? tiles : children)[child.place / 64] |= std::uint64_t{1} << (child.place % 64);
      if (child.isTile) {
        appendValue(values, child.index);
      }
    }
    writeWords(children);
    writeWords(tiles);
    if (grid_.levelSet) {
      Words outside(numPlaces / 64, ~std::uint64_t{0});
      const auto last = static_cast<std::uint32_t>((1 << log2Size) - 1);
      for (std::uint32_t n = 0; n < numPlaces; ++n) {
        const auto along = [&](int axis) {
          return node.origin[static_cast<std::size_t>(axis)] +
            static_cast<Coordinate>((n >> ((2 - axis) * log2Size)) & last) * childSize;
        };
        if (isInside(along(0), along(1), along(2))) {
          outside[n / 64] &= ~(std::uint64_t{1} << (n % 64));
        }
      }
      writeValues(values, &outside);
    } else {
      writeValues(values, nullptr);
    }
    for (const VoxelTree::Child& child : node.children) {
      if (!child.isTile) {
        writeChild(child.index);
      }
    }
  }

  void writeLeaf(const Leaf& leaf) {
    out_.write(leaf.active.data(), sizeof(leaf.active));
    if (grid_.kind == ValueKind::Mask) {
      out_.write(leaf.origin.data(), sizeof(leaf.origin));
      return;
    }
    const LeafRowCells rows = rowCellsOf(cells_, leaf.origin);
    std::vector<std::byte> active(std::size_t{leafSize * leafSize * leafSize} * bytes_);
    std::byte* to = active.data();
    forEachCellOf(leaf, rows, [&](std::int64_t cell) {
      std::memcpy(to, values_ + static_cast<std::size_t>(cell) * bytes_, bytes_);
      to += bytes_;
    });
    active.resize(static_cast<std::size_t>(to - active.data()));
    if (grid_.kind == ValueKind::Bool) {
      out_.write(leaf.origin.data(), sizeof(leaf.origin));
      writeBits(leaf, active);
    } else if (grid_.levelSet) {
      const Words outside = outsideOf(leaf, rows);
      writeValues(active, &outside);
    } else {
      writeValues(active, nullptr);
    }
  }

  void writeBits(const Leaf& leaf, const std::vector<std::byte>& active) {
    Words bits(leafSize);
    std::size_t k = 0;
    for (std::size_t x = 0; x < bits.size(); ++x) {
      for (std::uint64_t word = leaf.active[x]; word != 0; word &= word - 1, ++k) {
        bits[x] |= active[k] != std::byte{0} ? word & (~word + 1) : 0;
      }
    }
    writeWords(bits);
  }

  /// The voxels of a leaf that are not inside, as far as they are not active.
  [[nodiscard]] Words outsideOf(const Leaf& leaf, const LeafRowCells& rows) const {
    const auto* const distances = static_cast<const float*>(grid_.values);
    Words outside(leafSize);
    for (int z = 0; z < leafSize; ++z) {
      for (int y = 0; y < leafSize; ++y) {
        const std::uint64_t bit = std::uint64_t{1} << (leafSize * y + z);
        const auto row = static_cast<std::size_t>(leafSize * z + y);
        bool inside = rows.before[row] >= 0 && distances[rows.before[row]] < 0.0F;
        std::int64_t cell = rows.first[row];
        for (std::size_t x = 0; x < outside.size(); ++x) {
          if ((leaf.active[x] & bit) != 0) {
            inside = distances[cell++] < 0.0F;
          }
          outside[x] |= inside ? 0 : bit;
        }
      }
    }
    return outside;
  }

  VdbOutput& out_;
  const GridToWrite& grid_;
  const Progress& progress_;
  geometry::IntervalSetView<3> cells_;
  const std::byte* values_;
  std::size_t bytes_;
  std::uint32_t compression_;
  VoxelTree tree_;
  float width_ = 0.0F; ///< of the band of a level set
};

void writeGrid(VdbOutput& out, const GridToWrite& grid, const std::string& uniqueName, const Progress& progress) {
  out.text(uniqueName);
  out.text("Tree_" + std::string(nameOf(grid.kind)) + "_5_4_3");
  out.text(""); // the grid whose tree it shares
  const std::int64_t positionsAt = out.position();
  std::array<std::int64_t, 3> positions{}; // of the grid, of the values of its leaves, of its end
  out.write(positions.data(), sizeof(positions));
  positions[0] = out.position();
  GridWriter writer(out, grid, progress);
  writer.writeStart();
  positions[1] = out.position();
  writer.writeLeaves();
  positions[2] = out.position();
  out.replace(positionsAt, positions.data(), sizeof(positions));
}

} // namespace

void writeVdb(const std::string& path, const std::vector<GridToWrite>& grids, const Progress& progress) {
  constexpr std::int64_t magic = 0x56444220;
  constexpr std::uint32_t version = 224;
  constexpr std::uint32_t libraryVersion[] = {7, 0}; // the first whose readers want nothing else of version 224
  VdbOutput out(path);
  out.number(magic);
  out.number(version);
  out.write(libraryVersion, sizeof(libraryVersion));
  out.number(std::int8_t{1}); // there are positions of grids
  const std::string uuid = randomUuid();
  out.write(uuid.data(), uuid.size());
  out.number(std::uint32_t{1});
  writeMetadata(out, "creator", "Spanwise");
  out.number(static_cast<std::int32_t>(grids.size()));
  std::map<std::string, int> uses;
  for (const GridToWrite& grid : grids) {
    ++uses[grid.name];
  }
  std::map<std::string, int> numbers;
  for (std::size_t g = 0; g < grids.size(); ++g) {
    const std::string& name = grids[g].name;
    // Names that stand several times have a number after this character.
    const std::string unique = uses[name] > 1 || name.empty() ? name + "\x1e" + std::to_string(numbers[name]++) : name;
    const auto at = [&](std::size_t k) { return static_cast<double>(k) / static_cast<double>(grids.size()); };
    writeGrid(out, grids[g], unique, progress.part(at(g), at(g + 1)));
  }
  out.close();
}

} // namespace spanwise::vdb
