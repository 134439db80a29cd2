#include "Readers/OpenVdb/GridCells.hpp"

#include "Readers/Hdf5/ForEachChunk.hpp"
#include "Readers/Hdf5/Utf8.hpp"
#include "Readers/OpenVdb/Cursor.hpp"

#include "Core/Geometry/GrowBox.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ProcessMemory.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <format>
#include <limits>
#include <tuple>

namespace spanwise::vdb {

using geometry::Coordinate;
using geometry::SetTotals;

namespace {

constexpr int rowsOfLeaf = leafSize * leafSize;
constexpr std::size_t cellsOfLeaf = std::size_t{rowsOfLeaf} * leafSize;

/// The rows of a leaf: bit x of row 8 z + y.
using LeafRows = std::array<std::uint8_t, rowsOfLeaf>;

// The bytes of `bits` are the rows of a matrix of 8 x 8 bits; those of the result are its columns (H. S. Warren,
// Hacker's Delight, 7-3).
std::uint64_t transpose(std::uint64_t bits) {
  std::uint64_t swapped = (bits ^ (bits >> 7)) & 0x00aa00aa00aa00aaU;
  bits ^= swapped ^ (swapped << 7);
  swapped = (bits ^ (bits >> 14)) & 0x0000cccc0000ccccU;
  bits ^= swapped ^ (swapped << 14);
  swapped = (bits ^ (bits >> 28)) & 0x00000000f0f0f0f0U;
  return bits ^ swapped ^ (swapped << 28);
}

// The file has x outside and z inside; rows have x inside.
LeafRows rowsOf(const Leaf& leaf) {
  LeafRows rows;
  for (int y = 0; y < leafSize; ++y) {
    std::uint64_t xByZ = 0; // byte x, bit z
    for (int x = 0; x < leafSize; ++x) {
      xByZ |= ((leaf.active[static_cast<std::size_t>(x)] >> (leafSize * y)) & 0xffU) << (8 * x);
    }
    const std::uint64_t zByX = transpose(xByZ);
    for (int z = 0; z < leafSize; ++z) {
      rows[static_cast<std::size_t>(leafSize * z + y)] = static_cast<std::uint8_t>(zByX >> (8 * z));
    }
  }
  return rows;
}

/// The first and the last of the eight bits that any byte has.
std::array<int, 2> bitsOfBytes(std::uint64_t bytes) {
  bytes |= bytes >> 32U;
  bytes |= bytes >> 16U;
  bytes |= bytes >> 8U;
  const auto any = static_cast<std::uint8_t>(bytes);
  return {std::countr_zero(any), leafSize - 1 - std::countl_zero(any)};
}

std::int64_t columnsOf(const Tile& tile) {
  const std::int64_t along = tile.size / leafSize;
  return along * along;
}

} // namespace

/// The rows of a layer in their order, with what pieces have of them.
class GridCells::LayerRows {
public:
  LayerRows(const GridCells& cells, const Layer& layer)
    : pieces_(cells.pieces_.data() + layer.firstPiece), count_(layer.endPiece - layer.firstPiece),
      rows_(static_cast<std::size_t>(count_)) {
    for (std::int64_t p = 0; p < count_; ++p) {
      if (p == 0 || pieces_[p].y != pieces_[p - 1].y) {
        bands_.push_back(p);
      }
      if (const std::int64_t source = pieces_[p].source; source < cells.numLeaves()) {
        rows_[static_cast<std::size_t>(p)] = rowsOf(cells.tree_.leaves[static_cast<std::size_t>(source)]);
      } else {
        rows_[static_cast<std::size_t>(p)].fill(0xff);
      }
    }
    bands_.push_back(count_);
  }

  /// Calls begin(y, z) for each row, then piece(number of the piece, row of the leaf, bits) for each piece with cells
  /// in it, by x. Bits of a tile stand for all of its cells.
  template <class Begin, class OfPiece>
  void forEach(const Begin& begin, const OfPiece& ofPiece) const {
    for (int z = 0; z < leafSize; ++z) {
      for (std::size_t b = 0; b + 1 < bands_.size(); ++b) {
        const Piece& first = pieces_[bands_[b]];
        for (int y = 0; y < leafSize; ++y) {
          begin(first.y + y, first.z + z);
          const int row = leafSize * z + y;
          for (std::int64_t p = bands_[b]; p < bands_[b + 1]; ++p) {
            if (const std::uint8_t bits = rows_[static_cast<std::size_t>(p)][static_cast<std::size_t>(row)];
              bits != 0) {
              ofPiece(p, row, bits);
            }
          }
        }
      }
    }
  }

  /// Calls begin(y, z) for each row that has cells, then run(begin, end) for the runs of each piece in it, by x. They
  /// may touch.
  template <class Begin, class Run>
  void forEachRun(const Begin& begin, const Run& run) const {
    Coordinate rowY = 0;
    Coordinate rowZ = 0;
    bool begun = false;
    forEach(
      [&](Coordinate y, Coordinate z) {
        rowY = y;
        rowZ = z;
        begun = false;
      },
      [&](std::int64_t p, int /*row*/, std::uint8_t rowBits) {
        if (!begun) {
          begin(rowY, rowZ);
          begun = true;
        }
        const Piece& piece = pieces_[p];
        if (rowBits == 0xff) {
          run(piece.x, piece.x + piece.size);
          return;
        }
        for (unsigned bits = rowBits; bits != 0;) {
          const int from = std::countr_zero(bits);
          const int to = from + std::countr_one(bits >> from);
          run(piece.x + from, piece.x + to);
          bits &= ~0U << to;
        }
      });
  }

  [[nodiscard]] const Piece& piece(std::int64_t p) const { return pieces_[p]; }
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] const LeafRows& rows(std::int64_t p) const { return rows_[static_cast<std::size_t>(p)]; }

private:
  const Piece* pieces_;
  std::int64_t count_;
  std::vector<LeafRows> rows_;
  std::vector<std::int64_t> bands_; ///< the first piece at each y, and then all
};

GridCells::GridCells(const VdbFile& file, const GridInfo& grid, const Progress& progress) : file_(file), grid_(grid) {
  tree_ = readTopology(file.input(), grid, progress);
  if (grid.kind != ValueKind::Mask) {
    findLeafValues();
  }
  makePieces();
  hdf5::forEachChunk(
    layers_.size(), pieces_.size() * sizeof(LeafRows), [&](std::uint64_t l) { surveyLayer(layers_[l]); });
}

void GridCells::makePieces() {
  std::int64_t count = numLeaves();
  for (const Tile& tile : tree_.tiles) {
    count += columnsOf(tile);
  }
  const double bytes = static_cast<double>(count) * static_cast<double>(sizeof(Piece) + sizeof(LeafRows));
  if (const double memory = processMemory(); bytes > memory) {
    throw FileError(std::format("the tiles of the grid {} need {:.3g} GB of memory or more; there are {:.3g} GB",
      hdf5::quotedName(grid_.name), bytes / 1e9, memory / 1e9));
  }
  pieces_.reserve(static_cast<std::size_t>(count));
  for (const Leaf& leaf : tree_.leaves) {
    pieces_.push_back({leaf.origin[2], leaf.origin[1], leaf.origin[0], leafSize,
      static_cast<std::int64_t>(&leaf - tree_.leaves.data())});
  }
  for (const Tile& tile : tree_.tiles) {
    for (std::int32_t z = 0; z < tile.size; z += leafSize) {
      for (std::int32_t y = 0; y < tile.size; y += leafSize) {
        pieces_.push_back({tile.origin[2] + z, tile.origin[1] + y, tile.origin[0], tile.size,
          numLeaves() + (&tile - tree_.tiles.data())});
      }
    }
  }
  std::sort(pieces_.begin(), pieces_.end(),
    [](const Piece& a, const Piece& b) { return std::tie(a.z, a.y, a.x) < std::tie(b.z, b.y, b.x); });
  for (std::int64_t p = 0; p < count; ++p) {
    if (p == 0 || pieces_[static_cast<std::size_t>(p)].z != pieces_[static_cast<std::size_t>(p) - 1].z) {
      layers_.push_back({p, p, {}, {}});
    }
    layers_.back().endPiece = p + 1;
  }
}

// The values of leaves stand one after the other, each with a length of its own.
void GridCells::findLeafValues() {
  Cursor cursor(file_.input(), grid_.values, grid_.end, "the grid " + hdf5::quotedName(grid_.name));
  leafValues_.reserve(tree_.leaves.size());
  for (const Leaf& leaf : tree_.leaves) {
    std::array<std::uint64_t, leafSize> again;
    cursor.read(again.data(), sizeof(again));
    if (again != leaf.active) {
      throw FileError(cursor.what() + " is damaged: the values before byte " + std::to_string(cursor.position()) +
        " are of other cells than those of the leaf");
    }
    if (grid_.kind == ValueKind::Bool) { // a bit for each cell, after the leaf's origin
      cursor.skip(sizeof(Leaf::origin));
      leafValues_.push_back({cursor.position(), 0, 0, false});
      cursor.skip(sizeof(Leaf::active));
    } else {
      std::uint32_t numActive = 0;
      for (const std::uint64_t word : leaf.active) {
        numActive += static_cast<std::uint32_t>(std::popcount(word));
      }
      leafValues_.push_back(passValues(cursor, grid_, cellsOfLeaf, numActive));
    }
  }
}

// Eight rows at once, a byte each, without going from run to run: noise has as many of these as it has cells.
void GridCells::surveyLayer(Layer& layer) const {
  constexpr std::uint64_t lowest = 0x0101010101010101U; // the first cell of each row
  layer.totals = {};
  layer.box = geometry::boxOfNothing<3>();
  const LayerRows rows(*this, layer);
  std::array<std::uint64_t, leafSize> before{}; // the piece on the left, plane by plane
  std::array<std::uint64_t, leafSize> seen{};   // what rows have so far
  const auto endBand = [&] {
    for (std::uint64_t& plane : seen) {
      for (; plane != 0; plane >>= leafSize) {
        layer.totals.rows += (plane & 0xffU) != 0 ? 1 : 0;
      }
    }
  };
  for (std::int64_t p = 0; p < rows.count(); ++p) {
    const Piece& piece = rows.piece(p);
    const bool isTile = piece.source >= numLeaves();
    const bool sameBand = p > 0 && rows.piece(p - 1).y == piece.y;
    if (!sameBand) {
      endBand();
    }
    if (!sameBand || rows.piece(p - 1).x + rows.piece(p - 1).size != piece.x) {
      before = {};
    }
    std::array<std::uint64_t, leafSize> planes;
    std::memcpy(planes.data(), rows.rows(p).data(), sizeof(planes));
    for (std::size_t z = 0; z < planes.size(); ++z) {
      const std::uint64_t cells = planes[z];
      if (cells != 0) {
        const std::uint64_t left = ((cells << 1U) & ~lowest) | ((before[z] >> (leafSize - 1)) & lowest);
        layer.totals.intervals += std::popcount(cells & ~left);
        layer.totals.cells += isTile ? std::int64_t{leafSize} * piece.size : std::popcount(cells);
        const auto [low, high] = bitsOfBytes(cells);
        const int firstRow = std::countr_zero(cells) / leafSize;
        const int lastRow = leafSize - 1 - std::countl_zero(cells) / leafSize;
        const Coordinate plane = piece.z + static_cast<Coordinate>(z);
        geometry::grow(layer.box,
          {{piece.x + low, piece.y + firstRow, plane},
            {piece.x + (isTile ? piece.size : high + 1), piece.y + lastRow + 1, plane + 1}});
      }
      seen[z] |= cells;
    }
    before = planes;
  }
  endBand();
}

void GridCells::fillLayer(
  const Layer& layer, const SetTotals& before, const geometry::WritableIntervalSet<3>& out) const {
  SetTotals done = before;
  bool touches = false;
  LayerRows(*this, layer)
    .forEachRun(
      [&](Coordinate y, Coordinate z) {
        out.rowKeys[done.rows] = {y, z};
        out.rowOffsets[done.rows] = done.intervals;
        ++done.rows;
        touches = false;
      },
      [&](Coordinate from, Coordinate to) {
        if (touches && out.intervals[done.intervals - 1].end == from) {
          out.intervals[done.intervals - 1].end = to;
        } else {
          out.intervals[done.intervals] = {from, to};
          out.cellOffsets[done.intervals] = done.cells;
          ++done.intervals;
        }
        done.cells += to - from;
        touches = true;
      });
}

GridCells::Part GridCells::part(int piece, int pieces) const {
  Part result{0, layers_.size(), {}};
  std::int64_t total = 0;
  for (const Layer& layer : layers_) {
    total += layer.totals.cells;
  }
  std::int64_t below = 0;
  std::size_t next = 0;
  for (int k = 1; k < pieces; ++k) {
    const std::int64_t share = total / pieces * k + total % pieces * k / pieces;
    while (next < layers_.size() && below + layers_[next].totals.cells - share <= share - below) {
      below += layers_[next].totals.cells;
      ++next;
    }
    const std::int64_t plane = layers_.empty() ? 0
      : next < layers_.size()                  ? pieces_[static_cast<std::size_t>(layers_[next].firstPiece)].z
                                               : std::int64_t{pieces_.back().z} + leafSize;
    if (k == piece) {
      result.firstLayer = next;
      result.planes.begin = plane;
    } else if (k == piece + 1) {
      result.endLayer = next;
      result.planes.end = plane;
    }
  }
  return result;
}

SetTotals GridCells::totals(const Part& part) const {
  SetTotals sum{};
  for (std::size_t l = part.firstLayer; l < part.endLayer; ++l) {
    sum += layers_[l].totals;
  }
  return sum;
}

geometry::Box<3> GridCells::box(const Part& part) const {
  geometry::Box<3> all = geometry::boxOfNothing<3>();
  for (std::size_t l = part.firstLayer; l < part.endLayer; ++l) {
    geometry::grow(all, layers_[l].box);
  }
  return all.empty() ? geometry::Box<3>{} : all;
}

void GridCells::drawLayer(
  const Layer& layer, const geometry::Box<3>& box, std::int64_t wordsPerRow, std::uint64_t* words) const {
  constexpr std::int64_t bitsOfWord = 64;
  LayerRows rows(*this, layer);
  std::uint64_t* here = nullptr;
  rows.forEach(
    [&](Coordinate y, Coordinate z) {
      const std::int64_t row = y - std::int64_t{box.begin[1]} + (z - std::int64_t{box.begin[2]}) * box.extent(1);
      here = words + row * wordsPerRow;
    },
    [&](std::int64_t p, int /*row*/, std::uint8_t bits) {
      const Piece& piece = rows.piece(p);
      const std::int64_t first = piece.x - std::int64_t{box.begin[0]};
      for (std::int64_t at = first; at < first + piece.size;
        at += leafSize) { // leaves and tiles begin at multiples of 8
        here[at / bitsOfWord] |= std::uint64_t{bits} << (at % bitsOfWord);
      }
    });
}

geometry::CellMask<3> GridCells::mask(const Part& part) const {
  geometry::CellMask<3> mask;
  const geometry::Box<3> around = box(part);
  const auto image = mask.prepare(around);
  const std::int64_t numWords = image.box.numRows() * image.wordsPerRow;
  std::fill_n(image.words, numWords, std::uint64_t{0});
  hdf5::forEachChunk(part.endLayer - part.firstLayer, static_cast<std::uint64_t>(numWords) * sizeof(std::uint64_t),
    [&](std::uint64_t l) { drawLayer(layers_[part.firstLayer + l], image.box, image.wordsPerRow, image.words); });
  mask.finish(totals(part), around);
  return mask;
}

geometry::HostIntervalSet<3> GridCells::cells(const Part& part) const {
  geometry::HostIntervalSet<3> set;
  const SetTotals all = totals(part);
  if (all.cells == 0) {
    return set;
  }
  const auto out = set.prepare(all.rows, all.intervals);
  std::vector<SetTotals> before;
  SetTotals sum{};
  for (std::size_t l = part.firstLayer; l < part.endLayer; ++l) {
    before.push_back(sum);
    sum += layers_[l].totals;
  }
  hdf5::forEachChunk(before.size(), static_cast<std::uint64_t>(all.intervals) * 16,
    [&](std::uint64_t l) { fillLayer(layers_[part.firstLayer + l], before[l], out); });
  out.rowOffsets[all.rows] = all.intervals;
  out.cellOffsets[all.intervals] = all.cells;
  set.finish(all);
  return set;
}

void GridCells::values(const Part& part, std::byte* to, const Progress& progress) const {
  const std::int64_t valueBytes = valueBytesOf(grid_.kind);
  std::vector<std::int64_t> before;
  std::int64_t cells = 0;
  for (std::size_t l = part.firstLayer; l < part.endLayer; ++l) {
    before.push_back(cells);
    cells += layers_[l].totals.cells;
  }
  // In some steps, so that it can be stopped.
  constexpr std::size_t layersOfStep = 16;
  for (std::size_t first = 0; first < before.size(); first += layersOfStep) {
    progress.report(static_cast<double>(first) / static_cast<double>(before.size()));
    const std::size_t count = std::min(layersOfStep, before.size() - first);
    hdf5::forEachChunk(count, static_cast<std::uint64_t>(cells * valueBytes),
      [&](std::uint64_t l) { layerValues(layers_[part.firstLayer + first + l], to + before[first + l] * valueBytes); });
  }
}

void GridCells::leafValues(std::int64_t leaf, std::byte* to) const {
  const StoredValues& stored = leafValues_[static_cast<std::size_t>(leaf)];
  const auto& active = tree_.leaves[static_cast<std::size_t>(leaf)].active;
  if (grid_.kind != ValueKind::Bool) {
    readActiveValues(file_.input(), grid_, stored, active, to);
    return;
  }
  std::array<std::uint64_t, leafSize> bits;
  file_.input().read(stored.position, sizeof(bits), reinterpret_cast<std::byte*>(bits.data()), "the values of a leaf");
  for (std::size_t w = 0; w < active.size(); ++w) {
    for (std::uint64_t word = active[w]; word != 0; word &= word - 1) {
      *to++ = static_cast<std::byte>((bits[w] >> std::countr_zero(word)) & 1U);
    }
  }
}

void GridCells::layerValues(const Layer& layer, std::byte* to) const {
  const auto bytes = static_cast<std::size_t>(valueBytesOf(grid_.kind));
  const LayerRows rows(*this, layer);
  // Where the rows of leaves stand in the result: cells of a row are side by side there.
  std::vector<std::array<std::int64_t, rowsOfLeaf>> firstCells(static_cast<std::size_t>(rows.count()));
  std::int64_t cell = 0;
  rows.forEach([](Coordinate, Coordinate) {},
    [&](std::int64_t p, int row, std::uint8_t bits) {
      const Piece& piece = rows.piece(p);
      if (piece.source < numLeaves()) {
        firstCells[static_cast<std::size_t>(p)][static_cast<std::size_t>(row)] = cell;
        cell += std::popcount(bits);
        return;
      }
      const std::byte* const value =
        tree_.tileValues.data() + static_cast<std::size_t>(piece.source - numLeaves()) * bytes;
      for (std::int32_t k = 0; k < piece.size; ++k, ++cell) {
        std::memcpy(to + static_cast<std::size_t>(cell) * bytes, value, bytes);
      }
    });
  std::vector<std::byte> values(cellsOfLeaf * bytes);
  for (std::int64_t p = 0; p < rows.count(); ++p) {
    const std::int64_t leaf = rows.piece(p).source;
    if (leaf >= numLeaves()) {
      continue;
    }
    leafValues(leaf, values.data());
    auto& next = firstCells[static_cast<std::size_t>(p)]; // of each row: x is outside in the file, so it ascends
    const std::byte* value = values.data();
    const auto& active = tree_.leaves[static_cast<std::size_t>(leaf)].active;
    for (const std::uint64_t word : active) {
      for (std::uint64_t rest = word; rest != 0; rest &= rest - 1, value += bytes) {
        const int yz = std::countr_zero(rest);
        std::int64_t& at = next[static_cast<std::size_t>((yz & 7) * leafSize + (yz >> 3))];
        std::memcpy(to + static_cast<std::size_t>(at) * bytes, value, bytes);
        ++at;
      }
    }
  }
}

} // namespace spanwise::vdb
