#include "SpanwiseConformingMesh.h"

#include "SpanwiseRefinedCells.h"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Morphology.hpp"
#include "Core/Geometry/NodeRows.hpp"
#include "Core/Geometry/Slab.hpp"

#include <vtkCellType.h>

#include <algorithm>
#include <unordered_map>

namespace spanwise {

namespace {

using Host = HostExecutionSpace;

/// Points are ordered by z, then y, then x.
bool isBefore(const FinePoint& a, const FinePoint& b) {
  return a[2] != b[2] ? a[2] < b[2] : a[1] != b[1] ? a[1] < b[1] : a[0] < b[0];
}

struct PointHash {
  std::size_t operator()(const FinePoint& point) const {
    std::uint64_t hash = 0;
    for (const std::int64_t c : point) {
      hash = (hash ^ static_cast<std::uint64_t>(c)) * 0x9e3779b97f4a7c15ULL;
      hash ^= hash >> 29;
    }
    return static_cast<std::size_t>(hash);
  }
};

/// The nodes that are there so far: the corners of leaves, sorted, and what cutting adds.
class NodeTable {
public:
  explicit NodeTable(std::vector<FinePoint> corners) : nodes_(std::move(corners)) {
    std::sort(nodes_.begin(), nodes_.end(), isBefore);
    nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
    numCorners_ = static_cast<std::int64_t>(nodes_.size());
  }

  /// The number of a corner of a leaf, from the corner `from` on.
  [[nodiscard]] std::int64_t corner(const FinePoint& point, std::int64_t from = 0) const {
    return std::lower_bound(nodes_.begin() + from, nodes_.begin() + numCorners_, point, isBefore) - nodes_.begin();
  }

  /// The number of any node, which is made if there is none.
  std::int64_t node(const FinePoint& point) {
    const std::int64_t found = corner(point);
    if (found < numCorners_ && nodes_[static_cast<std::size_t>(found)] == point) {
      return found;
    }
    const auto [at, isNew] = added_.emplace(point, static_cast<std::int64_t>(nodes_.size()));
    if (isNew) {
      nodes_.push_back(point);
    }
    return at->second;
  }

  /// The next corner at or after `from` with this x; it is in the same row.
  [[nodiscard]] std::int64_t ahead(std::int64_t from, std::int64_t x) const {
    while (nodes_[static_cast<std::size_t>(from)][0] != x) {
      ++from;
    }
    return from;
  }

  std::vector<FinePoint> take() { return std::move(nodes_); }

private:
  std::vector<FinePoint> nodes_;
  std::int64_t numCorners_;
  std::unordered_map<FinePoint, std::int64_t, PointHash> added_;
};

/// The corners of the leaves of all levels.
template <int Dim>
std::vector<FinePoint> cornersOf(const Hierarchy<Dim>& hierarchy, int finest) {
  std::vector<FinePoint> corners;
  Workspace<Kokkos::HostSpace> workspace;
  for (int k = 0; k < hierarchy.numLevels(); ++k) {
    HostIntervalSet<Dim> rows;
    nodeRowsOf<Host, Dim>(Host(), hierarchy.leaves[static_cast<std::size_t>(k)].set, rows, workspace);
    const IntervalSetView<Dim> view = rows.view();
    const std::int64_t scale = std::int64_t{1} << (finest - k);
    for (std::int64_t r = 0; r < view.numRows; ++r) {
      for (std::int64_t i = view.rowOffsets[r]; i < view.rowOffsets[r + 1]; ++i) {
        for (std::int64_t x = view.intervals[i].begin; x <= view.intervals[i].end; ++x) {
          corners.push_back({x * scale, view.rowKeys[r].y * scale, view.rowKeys[r].zOr0() * scale});
        }
      }
    }
  }
  return corners;
}

/// What is cut, on all levels.
template <int Dim>
class Cuts {
public:
  Cuts(const std::vector<HostIntervalSet<Dim>>& refined, int finest) : finest_(finest) {
    for (const HostIntervalSet<Dim>& set : refined) {
      refined_.push_back(set.view());
    }
  }

  /// Whether the edge of level `level` that goes from a point along an axis is cut.
  [[nodiscard]] bool edge(int level, const FinePoint& from, int axis) const {
    for (int side = 0; side < 1 << (Dim - 1); ++side) {
      FinePoint cell = from;
      for (int d = 0, bit = 0; d < Dim; ++d) {
        if (d != axis) {
          cell[static_cast<std::size_t>(d)] -= ((side >> bit++) & 1) != 0 ? size(level) : 0;
        }
      }
      if (isRefined(level, cell)) {
        return true;
      }
    }
    return false;
  }

  /// Whether the square of level `level` across an axis, with its lowest corner at a point, is cut.
  [[nodiscard]] bool square(int level, const FinePoint& corner, int axis) const {
    FinePoint below = corner;
    below[static_cast<std::size_t>(axis)] -= size(level);
    return isRefined(level, corner) || isRefined(level, below);
  }

  [[nodiscard]] std::int64_t size(int level) const { return std::int64_t{1} << (finest_ - level); }

private:
  [[nodiscard]] bool isRefined(int level, const FinePoint& lowest) const {
    if (level >= static_cast<int>(refined_.size())) {
      return false;
    }
    Cell<Dim> cell{};
    for (int d = 0; d < Dim; ++d) {
      const std::int64_t c = lowest[static_cast<std::size_t>(d)] >> (finest_ - level);
      if (!isCellCoordinate(c)) {
        return false;
      }
      cell.at[d] = static_cast<Coordinate>(c);
    }
    return refined_[static_cast<std::size_t>(level)].findCell(cell) >= 0;
  }

  std::vector<IntervalSetView<Dim>> refined_;
  int finest_;
};

/// Splits leaves around their centres.
template <int Dim>
class Splitter {
public:
  Splitter(const Cuts<Dim>& cuts, NodeTable& nodes, ConformingMesh& mesh) : cuts_(cuts), nodes_(nodes), mesh_(mesh) {}

  /// `owned`: cells are made; otherwise only what other leaves need to know.
  void split(int level, const FinePoint& lowest, std::int64_t leaf, bool owned) {
    level_ = level;
    leaf_ = leaf;
    owned_ = owned;
    lowest_ = lowest;
    seen_.clear();
    FinePoint centre = lowest;
    for (int d = 0; d < Dim; ++d) {
      centre[static_cast<std::size_t>(d)] += cuts_.size(level) / 2;
    }
    centre_ = nodes_.node(centre);
    see(centre);
    if constexpr (Dim == 2) {
      splitEdges();
    } else {
      for (int axis = 0; axis < 3; ++axis) {
        for (const bool upper : {false, true}) {
          FinePoint corner = lowest;
          corner[static_cast<std::size_t>(axis)] += upper ? cuts_.size(level) : 0;
          splitSquare(level, corner, axis, upper);
        }
      }
    }
    addShares();
  }

private:
  /// Appends the points of an edge without its end, from `from` on or backwards to it.
  void edgePoints(int level, const FinePoint& from, int axis, bool backwards, std::vector<FinePoint>& points) const {
    const auto a = static_cast<std::size_t>(axis);
    if (!cuts_.edge(level, from, axis)) {
      points.push_back(from);
      points.back()[a] += backwards ? cuts_.size(level) : 0;
      return;
    }
    FinePoint middle = from;
    middle[a] += cuts_.size(level + 1);
    edgePoints(level + 1, backwards ? middle : from, axis, backwards, points);
    edgePoints(level + 1, backwards ? from : middle, axis, backwards, points);
  }

  /// The points around a square across `axis` (2D: the cell), anticlockwise as seen from above the axis.
  [[nodiscard]] std::vector<FinePoint> outline(int level, const FinePoint& corner, int axis) const {
    const int u = (axis + 1) % 3;
    const int v = (axis + 2) % 3;
    FinePoint right = corner;
    right[static_cast<std::size_t>(u)] += cuts_.size(level);
    FinePoint top = corner;
    top[static_cast<std::size_t>(v)] += cuts_.size(level);
    std::vector<FinePoint> points;
    edgePoints(level, corner, u, false, points);
    edgePoints(level, right, v, false, points);
    edgePoints(level, top, u, true, points);
    edgePoints(level, corner, v, true, points);
    return points;
  }

  void splitEdges() {
    const std::vector<FinePoint> points = outline(level_, lowest_, 2);
    for (std::size_t k = 0; k < points.size(); ++k) {
      see(points[k]);
      addCell(VTK_TRIANGLE, {nodes_.node(points[k]), nodes_.node(points[(k + 1) % points.size()]), centre_});
    }
  }

  /// A square of a face, whose nodes go around so that their normal points into the leaf.
  void splitSquare(int level, const FinePoint& corner, int axis, bool upper) {
    const std::int64_t half = cuts_.size(level) / 2;
    const auto u = static_cast<std::size_t>((axis + 1) % 3);
    const auto v = static_cast<std::size_t>((axis + 2) % 3);
    if (cuts_.square(level, corner, axis)) {
      for (int quarter = 0; quarter < 4; ++quarter) {
        FinePoint at = corner;
        at[u] += (quarter & 1) * half;
        at[v] += (quarter >> 1) * half;
        splitSquare(level + 1, at, axis, upper);
      }
      return;
    }
    std::vector<FinePoint> points = outline(level, corner, axis);
    if (upper) {
      std::reverse(points.begin(), points.end());
    }
    std::vector<std::int64_t> ring;
    for (const FinePoint& point : points) {
      see(point);
      ring.push_back(nodes_.node(point));
    }
    if (ring.size() == 4) {
      addCell(VTK_PYRAMID, {ring[0], ring[1], ring[2], ring[3], centre_});
      return;
    }
    FinePoint middle = corner;
    middle[u] += half;
    middle[v] += half;
    see(middle);
    const std::int64_t middleNode = nodes_.node(middle);
    for (std::size_t k = 0; k < ring.size(); ++k) {
      addCell(VTK_TETRA, {ring[k], ring[(k + 1) % ring.size()], middleNode, centre_});
    }
  }

  void addCell(unsigned char type, std::initializer_list<std::int64_t> nodes) {
    if (owned_) {
      mesh_.types.push_back(type);
      mesh_.connectivity.insert(mesh_.connectivity.end(), nodes);
      mesh_.offsets.push_back(static_cast<std::int64_t>(mesh_.connectivity.size()));
      mesh_.sources.push_back(leaf_);
    }
  }

  void see(const FinePoint& point) { seen_.push_back(point); }

  /// The leaf's value counts at each of its nodes: for 1 at corners, 2 inside of edges (in 3D; of faces of 2D cells), 4
  /// inside of faces, and all at its centre.
  void addShares() {
    std::sort(seen_.begin(), seen_.end(), isBefore);
    seen_.erase(std::unique(seen_.begin(), seen_.end()), seen_.end());
    const std::int64_t size = cuts_.size(level_);
    for (const FinePoint& point : seen_) {
      double orthants = 1.0;
      for (int d = 0; d < Dim; ++d) {
        const std::int64_t along = point[static_cast<std::size_t>(d)] - lowest_[static_cast<std::size_t>(d)];
        orthants *= along > 0 && along < size ? 2.0 : 1.0;
      }
      mesh_.shares.push_back({nodes_.node(point), orthants / static_cast<double>(size)});
    }
  }

  const Cuts<Dim>& cuts_;
  NodeTable& nodes_;
  ConformingMesh& mesh_;
  int level_ = 0;
  std::int64_t leaf_ = 0;
  bool owned_ = true;
  FinePoint lowest_{};
  std::int64_t centre_ = 0;
  std::vector<FinePoint> seen_;
};

/// The leaves of a level with an edge or a face that is cut, or beside one.
template <int Dim>
HostIntervalSet<Dim> leavesToSplit(const HostIntervalSet<Dim>& leaves, const HostIntervalSet<Dim>& refined) {
  HostIntervalSet<Dim> result;
  if (refined.empty() || leaves.empty()) {
    return result;
  }
  Workspace<Kokkos::HostSpace> workspace;
  const auto element = StructuringElement<Dim>::neighbourhood(Dim == 2 ? Connectivity::Face : Connectivity::Edge, 1);
  HostIntervalSet<Dim> around;
  morph<Host, Dim>(Host(), MorphologyOperation::Dilate, refined, element, around, workspace);
  combine<Host, Dim>(Host(), SetOperation::Intersection, leaves, around, result, workspace);
  return result;
}

/// Makes the cells of one level.
template <int Dim>
class LevelMesher {
public:
  LevelMesher(const Cuts<Dim>& cuts, NodeTable& nodes, ConformingMesh& mesh, int level, const PlaneRange& planes)
    : nodes_(nodes), mesh_(mesh), splitter_(cuts, nodes, mesh), size_(cuts.size(level)), level_(level),
      planes_(planes) {}

  void run(const HostIntervalSet<Dim>& leaves, const HostIntervalSet<Dim>& toSplit, std::int64_t firstLeaf) {
    const IntervalSetView<Dim> view = leaves.view();
    const IntervalSetView<Dim> split = toSplit.view();
    for (std::int64_t r = 0; r < view.numRows; ++r) {
      const bool owned = planes_.contains(planeOf<Dim>(view.rowKeys[r]));
      const std::int64_t splitRow = split.numRows > 0 ? split.findRow(view.rowKeys[r]) : -1;
      for (std::int64_t i = view.rowOffsets[r]; i < view.rowOffsets[r + 1]; ++i) {
        const Interval& run = view.intervals[i];
        startRun(view.rowKeys[r], run.begin);
        for (std::int64_t x = run.begin; x < run.end; ++x) {
          const std::int64_t leaf = firstLeaf + view.cellOffsets[i] + (x - run.begin);
          step(x + 1);
          if (splitRow >= 0 && split.findCellInRow(splitRow, static_cast<Coordinate>(x)) >= 0) {
            splitter_.split(level_, {x * size_, rowPoint_[1], rowPoint_[2]}, leaf, owned);
          } else {
            addWhole(leaf, owned);
          }
          mesh_.firstShare.push_back(static_cast<std::int64_t>(mesh_.shares.size()));
        }
      }
    }
  }

private:
  static constexpr int rows = nodeRowsPerRow<Dim>;

  void startRun(const RowKey<Dim>& key, std::int64_t x) {
    rowPoint_ = {x * size_, key.y * size_, key.zOr0() * size_};
    for (int k = 0; k < rows; ++k) {
      next_[k] = nodes_.corner({rowPoint_[0], rowPoint_[1] + (k & 1) * size_, rowPoint_[2] + (k >> 1) * size_});
    }
  }

  void step(std::int64_t x) {
    for (int k = 0; k < rows; ++k) {
      last_[k] = next_[k];
      next_[k] = nodes_.ahead(next_[k], x * size_);
    }
  }

  void addWhole(std::int64_t leaf, bool owned) {
    const double weight = 1.0 / static_cast<double>(size_);
    for (int k = 0; k < rows; ++k) {
      mesh_.shares.push_back({last_[k], weight});
      mesh_.shares.push_back({next_[k], weight});
    }
    if (!owned) {
      return;
    }
    for (int z = 0; z < rows / 2; ++z) {
      for (const std::int64_t node : {last_[2 * z], next_[2 * z], next_[2 * z + 1], last_[2 * z + 1]}) {
        mesh_.connectivity.push_back(node);
      }
    }
    mesh_.types.push_back(Dim == 2 ? VTK_QUAD : VTK_HEXAHEDRON);
    mesh_.offsets.push_back(static_cast<std::int64_t>(mesh_.connectivity.size()));
    mesh_.sources.push_back(leaf);
  }

  NodeTable& nodes_;
  ConformingMesh& mesh_;
  Splitter<Dim> splitter_;
  std::int64_t size_;
  int level_;
  PlaneRange planes_;
  FinePoint rowPoint_{};
  std::int64_t last_[rows];
  std::int64_t next_[rows];
};

} // namespace

template <int Dim>
ConformingMesh makeConformingMesh(
  const Hierarchy<Dim>& hierarchy, int finest, const PlaneRange& planes, const Progress& progress) {
  ConformingMesh mesh;
  mesh.finest = finest;
  const std::vector<HostIntervalSet<Dim>> refined = refinedCells(hierarchy);
  const Cuts<Dim> cuts(refined, finest);
  NodeTable nodes(cornersOf(hierarchy, finest));
  progress.report(0.3);
  std::int64_t firstLeaf = 0;
  for (int k = 0; k < hierarchy.numLevels(); ++k) {
    const HostIntervalSet<Dim>& leaves = hierarchy.leaves[static_cast<std::size_t>(k)].set;
    LevelMesher<Dim> mesher(cuts, nodes, mesh, k, planesOfLevel(planes, k));
    mesher.run(leaves, leavesToSplit<Dim>(leaves, refined[static_cast<std::size_t>(k)]), firstLeaf);
    firstLeaf += leaves.numCells();
    progress.report(0.3 + 0.7 * static_cast<double>(k + 1) / hierarchy.numLevels());
  }
  mesh.nodes = nodes.take();
  return mesh;
}

template ConformingMesh makeConformingMesh<2>(const Hierarchy<2>&, int, const PlaneRange&, const Progress&);
template ConformingMesh makeConformingMesh<3>(const Hierarchy<3>&, int, const PlaneRange&, const Progress&);

} // namespace spanwise
