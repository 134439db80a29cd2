#pragma once

#include "Readers/OpenVdb/NodeValues.hpp"
#include "Readers/OpenVdb/TreeTopology.hpp"
#include "Readers/OpenVdb/VdbFile.hpp"

#include "Core/Geometry/CellMask.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/SetTotals.hpp"
#include "Core/Parallel/RowCut.hpp"
#include "Core/Runtime/Progress.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace spanwise::vdb {

/// The active cells of a grid as intervals, and the values on them. A tile becomes runs: nothing is made dense, and no
/// tree is built. Leaves and tiles are put in order once; then layers of 8 planes are worked on one by one, in
/// parallel.
class GridCells {
public:
  /// Reads the topology and counts. Throws FileError (see readTopology()), also where there is no memory for the tiles.
  /// O(leaves log leaves + tiles * columns of 8 x 8 rows in them). `file` and `grid` must outlive this.
  GridCells(const VdbFile& file, const GridInfo& grid, const Progress& progress = {});

  /// Some layers, and the planes of all cells that belong to them.
  struct Part {
    std::size_t firstLayer = 0;
    std::size_t endLayer = 0;
    parallel::PlaneRange planes;
  };
  /// Part `piece` of `pieces`: whole layers, about as many cells each. Together they are all planes.
  [[nodiscard]] Part part(int piece, int pieces) const;

  /// What a part has.
  [[nodiscard]] geometry::SetTotals totals(const Part& part) const;

  /// The smallest box around a part's cells; an empty one (all zero) if it has none.
  [[nodiscard]] geometry::Box<3> box(const Part& part) const;

  /// The cells of a part. O(rows of its leaves and tiles), memory for the intervals alone.
  [[nodiscard]] geometry::HostIntervalSet<3> cells(const Part& part) const;

  /// The same as a bit mask of their box, which is worth it for noise (isNoise()). O(rows of leaves and tiles + words).
  [[nodiscard]] geometry::CellMask<3> mask(const Part& part) const;

  /// The values of a part's cells, in their order, valueBytesOf(kind) bytes each. Not for a mask. Throws FileError
  /// where they are damaged.
  void values(const Part& part, std::byte* to, const Progress& progress = {}) const;

private:
  /// A leaf, or a row of 8 x 8 columns through a tile: `size` cells along x.
  struct Piece {
    geometry::Coordinate z, y, x; ///< of its first cell; the order of pieces
    std::int32_t size;
    std::int64_t source; ///< the leaf, or numLeaves + the tile
  };
  /// The pieces that begin at one z.
  struct Layer {
    std::int64_t firstPiece;
    std::int64_t endPiece;
    geometry::SetTotals totals;
    geometry::Box<3> box; ///< around its cells
  };
  class LayerRows;

  void makePieces();
  [[nodiscard]] std::int64_t numLeaves() const { return static_cast<std::int64_t>(tree_.leaves.size()); }
  void findLeafValues();
  void surveyLayer(Layer& layer) const;
  void fillLayer(
    const Layer& layer, const geometry::SetTotals& before, const geometry::WritableIntervalSet<3>& out) const;
  /// Sets the bits of a layer's cells; `box` and `words` are those of a mask whose rows have so many words.
  void drawLayer(const Layer& layer, const geometry::Box<3>& box, std::int64_t wordsPerRow, std::uint64_t* words) const;
  void layerValues(const Layer& layer, std::byte* to) const;
  void leafValues(std::int64_t leaf, std::byte* to) const;

  const VdbFile& file_;
  const GridInfo& grid_;
  TreeTopology tree_;
  std::vector<Piece> pieces_;
  std::vector<Layer> layers_;
  std::vector<StoredValues> leafValues_; ///< of leaves; empty for a mask
};

} // namespace spanwise::vdb
