#include "Core/Solvers/NBody/Detail/FarField.hpp"

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Core/Solvers/NBody/Detail/FarOffset.hpp"
#include "Core/Solvers/NBody/Detail/NodeTable.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace spanwise::nbody::detail {

namespace {

template <class ExecutionSpace>
using Uneven = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>, Kokkos::Schedule<Kokkos::Dynamic>>;

/// The matrices between a box and its children: moments of a child become those of the parent, or coefficients of the
/// parent those of the child.
template <int Dim, class Real>
class HalfMoves {
public:
  HalfMoves(const NodeTable& table, bool isUp) : order_(table.order), rows_(paddedLength<Real>(table.order)) {
    for (int upper = 0; upper < 2; ++upper) {
      const double* const matrix = table.half(static_cast<std::uint64_t>(upper), 0);
      for (std::int64_t r = 0; r < order_; ++r) {
        for (std::int64_t c = 0; c < order_; ++c) {
          const auto value = static_cast<Real>(matrix[isUp ? r * order_ + c : c * order_ + r]);
          byColumn_[upper][c * rows_ + r] = value;
          byRow_[upper][r * order_ + c] = value;
        }
      }
    }
  }

  /// Adds the moved numbers [order^Dim].
  void operator()(const ExpansionKernels<Dim, Real>& kernels, std::uint64_t key, const Real* from, Real* to) const {
    // columns along the first axis are padded
    alignas(64) Real values[most];
    alignas(64) Real others[most];
    const std::int64_t numColumns = Dim == 2 ? order_ : order_ * order_;
    const auto upper = [&](int axis) { return (key >> axis) & 1U; };
    kernels.multiply({rows_, numColumns, order_, byColumn_[upper(0)], rows_, from, order_, values, rows_, false});
    for (std::int64_t layer = 0; layer < numColumns; layer += order_) {
      kernels.multiply({rows_, order_, order_, values + layer * rows_, rows_, byRow_[upper(1)], order_,
        others + layer * rows_, rows_, false});
    }
    const Real* moved = others;
    if constexpr (Dim == 3) {
      const std::int64_t inLayer = rows_ * order_;
      kernels.multiply({inLayer, order_, order_, others, inLayer, byRow_[upper(2)], order_, values, inLayer, false});
      moved = values;
    }
    for (std::int64_t column = 0; column < numColumns; ++column) {
      for (std::int64_t a = 0; a < order_; ++a) {
        to[column * order_ + a] += moved[column * rows_ + a];
      }
    }
  }

private:
  static constexpr std::int64_t maxRows = paddedLength<Real>(maxOrder);
  static constexpr std::int64_t most = Dim == 2 ? maxRows * maxOrder : 16 * 16 * 16;

  std::int64_t order_;
  std::int64_t rows_;
  alignas(64) Real byColumn_[2][maxRows * maxOrder] = {};
  Real byRow_[2][maxOrder * maxOrder] = {};
};

template <int Dim, class Real>
struct FindMoments {
  FarField<Dim, Real> field;
  const HalfMoves<Dim, Real>* moves;
  std::int32_t firstBox;
  int level;

  void operator()(std::int64_t k) const {
    const auto& tree = *field.tree;
    const auto box = static_cast<std::int32_t>(firstBox + k);
    Real* const moments = field.moments + box * field.stride();
    std::fill_n(moments, field.stride(), Real(0));
    if (tree.sourceBegin(box) == tree.sourceEnd(box)) {
      return;
    }
    if (tree.numChildren(box) == 0) {
      MomentTask<Dim, Real> task{};
      std::copy_n(field.sources.coordinates, Dim, task.points);
      task.charges = field.charges;
      task.chargeStride = field.chargeStride;
      task.begin = tree.sourceBegin(box);
      task.end = tree.sourceEnd(box);
      task.frame = field.frameOf(box, level);
      task.order = field.order;
      task.moments = moments;
      (field.ofDipoles ? field.kernels.addDipoleMoments : field.kernels.addMoments)(task);
      return;
    }
    for (std::int32_t c = 0; c < tree.numChildren(box); ++c) {
      const std::int32_t child = tree.firstChild(box) + c;
      (*moves)(field.kernels, tree.key(child), field.moments + child * field.stride(), moments);
    }
  }
};

template <int Dim, class Real>
struct PassDown {
  FarField<Dim, Real> field;
  const HalfMoves<Dim, Real>* moves;
  std::int32_t firstBox;

  void operator()(std::int64_t k) const {
    const auto& tree = *field.tree;
    const auto box = static_cast<std::int32_t>(firstBox + k);
    if (tree.targetBegin(box) == tree.targetEnd(box)) {
      return;
    }
    (*moves)(field.kernels, tree.key(box), field.coefficients + tree.parent(box) * field.stride(),
      field.coefficients + box * field.stride());
  }
};

/// Boxes whose far ones are found together, so that operators are used again and again: as many as leave chunks enough
/// for many threads.
constexpr std::int64_t maxInChunk = 128;
[[nodiscard]] std::int64_t chunkOf(std::int64_t numBoxes) {
  constexpr std::int64_t wantedChunks = 64;
  constexpr std::int64_t fewest = 32;
  return std::clamp(numBoxes / wantedChunks, fewest, maxInChunk);
}
/// Columns of a product.
constexpr int columnsAtOnce = 16;
/// Most directions of a basis.
constexpr int maxDirections = 1536;
/// Most coefficients of a parity.
constexpr int maxInParity = 512;

template <int Dim, class Real>
struct ToBasis {
  FarField<Dim, Real> field;
  const FarOperators<Dim, Real>* operators;
  std::int32_t firstBox, endBox;
  std::int64_t inChunk;
  Real* inBasis; ///< [boxes x padded basis size], and as much behind as a vector may be too long

  void operator()(std::int64_t chunk) const {
    const std::int64_t begin = firstBox + chunk * inChunk;
    const std::int64_t end = std::min<std::int64_t>(begin + inChunk, endBox);
    for (std::int64_t first = begin; first < end; first += columnsAtOnce) {
      const std::int64_t numBoxes = std::min<std::int64_t>(columnsAtOnce, end - first);
      for (const auto& parity : operators->parities) {
        project(parity, first, numBoxes);
      }
    }
  }

private:
  void project(
    const typename FarOperators<Dim, Real>::Parity& parity, std::int64_t first, std::int64_t numBoxes) const {
    alignas(64) Real panel[columnsAtOnce * maxInParity];
    alignas(64) Real result[columnsAtOnce * maxInParity];
    const auto count = static_cast<std::int64_t>(parity.coefficients.size());
    for (std::int64_t k = 0; k < numBoxes; ++k) {
      const Real* const moments = field.moments + (first + k) * field.stride();
      for (std::int64_t i = 0; i < count; ++i) {
        panel[k * count + i] = moments[parity.coefficients[i]];
      }
    }
    const std::int64_t rows = paddedLength<Real>(parity.numDirections);
    field.kernels.multiply({rows, numBoxes, count, parity.toBasis.data(), rows, panel, count, result, rows, false});
    for (std::int64_t k = 0; k < numBoxes; ++k) {
      std::copy_n(result + k * rows, parity.numDirections,
        inBasis + (first + k - firstBox) * paddedLength<Real>(operators->basisSize) + parity.firstDirection);
    }
  }
};

template <int Dim, class Real>
struct TranslateChunk {
  static constexpr int numOffsets = Dim == 2 ? 9 : 27;
  static constexpr int maxPairs = maxInChunk * (Dim == 2 ? 27 : 189);
  static constexpr int numClasses = FarOperators<Dim, Real>::numClasses;

  FarField<Dim, Real> field;
  const FarLevel<Dim, Real>* level;
  std::int32_t firstBox, endBox;
  std::int64_t inChunk;
  Real* inBasis;
  Real* reached; ///< [boxes x padded basis size]
  std::int64_t* numPairs;

  struct Pair {
    std::int32_t source;
    std::int16_t target; ///< of the chunk
    std::int16_t turned;
  };

  void operator()(std::int64_t chunk) const {
    const FarOperators<Dim, Real>& operators = *level->operators;
    const auto begin = static_cast<std::int32_t>(firstBox + chunk * inChunk);
    const auto end = static_cast<std::int32_t>(std::min<std::int64_t>(begin + inChunk, endBox));
    const std::int64_t size = paddedLength<Real>(operators.basisSize);
    Real* const to = reached + (begin - firstBox) * size;
    std::fill_n(to, (end - begin) * size, Real(0));
    Real charges[maxInChunk] = {};
    Pair pairs[maxPairs];
    int first[numClasses + 1] = {};
    forEachPair(begin, end, [&](int of, const Pair& pair) {
      ++first[of + 1];
      charges[pair.target] += field.moments[pair.source * field.stride()];
    });
    for (int of = 0; of < numClasses; ++of) {
      first[of + 1] += first[of];
    }
    int next[numClasses];
    std::copy_n(first, numClasses, next);
    forEachPair(begin, end, [&](int of, const Pair& pair) { pairs[next[of]++] = pair; });
    numPairs[chunk] = first[numClasses];
    for (int of = 0; of < numClasses; ++of) {
      for (int pair = first[of]; pair < first[of + 1]; pair += columnsAtOnce) {
        translate(operators, operators.classes[of], pairs + pair, std::min(columnsAtOnce, first[of + 1] - pair), to);
      }
    }
    const auto factor = static_cast<Real>(level->factor);
    std::for_each(to, to + (end - begin) * size, [&](Real& value) { value *= factor; });
    for (std::int64_t box = begin; box < end; box += columnsAtOnce) {
      const std::int64_t numBoxes = std::min<std::int64_t>(columnsAtOnce, end - box);
      for (const auto& parity : operators.parities) {
        expand(parity, to + (box - begin) * size, size, box, numBoxes);
      }
    }
    for (std::int32_t box = begin; box < end; ++box) {
      field.coefficients[box * field.stride()] += static_cast<Real>(level->logarithm) * charges[box - begin];
    }
  }

private:
  /// Coefficients from directions.
  void expand(const typename FarOperators<Dim, Real>::Parity& parity, const Real* directions, std::int64_t stride,
    std::int64_t firstTarget, std::int64_t numBoxes) const {
    alignas(64) Real result[columnsAtOnce * maxInParity];
    const auto count = static_cast<std::int64_t>(parity.coefficients.size());
    const std::int64_t rows = paddedLength<Real>(count);
    field.kernels.multiply({rows, numBoxes, parity.numDirections, parity.fromBasis.data(), rows,
      directions + parity.firstDirection, stride, result, rows, false});
    for (std::int64_t k = 0; k < numBoxes; ++k) {
      Real* const to = field.coefficients + (firstTarget + k) * field.stride();
      for (std::int64_t i = 0; i < count; ++i) {
        to[parity.coefficients[i]] = result[k * rows + i];
      }
    }
  }

  [[nodiscard]] int placeInParent(std::int32_t box) const {
    return static_cast<int>(field.tree->key(box) & ((1U << Dim) - 1U));
  }

  /// Calls put(class, pair) for all boxes that are far from those of a chunk, but not from their parents.
  template <class Put>
  void forEachPair(std::int32_t begin, std::int32_t end, const Put& put) const {
    const auto& tree = *field.tree;
    for (std::int32_t box = begin; box < end; ++box) {
      if (tree.targetBegin(box) == tree.targetEnd(box)) {
        continue;
      }
      const std::int32_t* const colleagues =
        field.lists->colleagues.data() + std::int64_t{numOffsets} * tree.parent(box);
      for (int offset = 0; offset < numOffsets; ++offset) {
        const std::int32_t of = colleagues[offset];
        for (std::int32_t c = 0; of >= 0 && c < tree.numChildren(of); ++c) {
          const std::int32_t other = tree.firstChild(of) + c;
          if (tree.sourceBegin(other) == tree.sourceEnd(other)) {
            continue;
          }
          const FarOffset way(Dim, offset, placeInParent(other), placeInParent(box));
          if (way.isFar) {
            put(way.number, Pair{other, static_cast<std::int16_t>(box - begin), static_cast<std::int16_t>(way.turned)});
          }
        }
      }
    }
  }

  void translate(const FarOperators<Dim, Real>& operators, const typename FarOperators<Dim, Real>::Class& of,
    const Pair* pairs, int count, Real* to) const {
    alignas(64) Real panel[columnsAtOnce * maxDirections + paddingOf<Real>];
    alignas(64) Real inner[columnsAtOnce * maxDirections];
    const std::int64_t basisSize = paddedLength<Real>(operators.basisSize);
    for (const auto& block : of.blocks) {
      const std::int64_t size = paddedLength<Real>(block.size);
      const std::int64_t rank = paddedLength<Real>(block.rank);
      PanelTask<Real> task{};
      task.ranges = block.directions.data();
      task.numRanges = static_cast<std::int32_t>(block.directions.size());
      for (int k = 0; k < count; ++k) {
        task.turned = pairs[k].turned;
        task.ofBox = inBasis + (pairs[k].source - firstBox) * basisSize;
        task.panel = panel + k * size;
        field.kernels.gatherPanel(task);
      }
      field.kernels.multiply({rank, count, block.size, block.source.data(), rank, panel, size, inner, rank, false});
      field.kernels.multiply({size, count, block.rank, block.target.data(), size, inner, rank, panel, size, false});
      for (int k = 0; k < count; ++k) {
        task.turned = pairs[k].turned;
        task.ofBox = to + pairs[k].target * basisSize;
        task.panel = panel + k * size;
        field.kernels.addPanel(task);
      }
    }
  }
};

/// What small products of matrices for so many boxes take.
[[nodiscard]] Work workOnBoxes(std::int64_t numBoxes) { return {512 * numBoxes}; }

} // namespace

template <class ExecutionSpace, int Dim, class Real>
void findMoments(const ExecutionSpace& space, const FarField<Dim, Real>& field) {
  const HalfMoves<Dim, Real> moves(nodeTableOf(field.order), true);
  for (int level = field.tree->numLevels() - 1; level >= 0; --level) {
    const std::int32_t begin = field.tree->levelBegin[level];
    forEach(SPANWISE_KERNEL("find moments"),
      Uneven<ExecutionSpace>(space, 0, field.tree->levelBegin[level + 1] - begin),
      FindMoments<Dim, Real>{field, &moves, begin, level}, workOnBoxes(field.tree->levelBegin[level + 1] - begin));
    space.fence(SPANWISE_LABEL("NBody::findMoments"));
  }
}

template <class ExecutionSpace, int Dim, class Real>
std::int64_t translateLevels(
  const ExecutionSpace& space, const FarField<Dim, Real>& field, Workspace<Kokkos::HostSpace>& workspace) {
  const auto& tree = *field.tree;
  const int first = field.firstFarLevel();
  std::fill_n(field.coefficients, tree.levelBegin[std::min(first, tree.numLevels())] * field.stride(), Real(0));
  std::int64_t total = 0;
  for (int level = first; level < tree.numLevels(); ++level) {
    typename Workspace<Kokkos::HostSpace>::Frame frame(workspace);
    const FarLevel<Dim, Real>& of = (*field.levels)[level];
    if (of.operators->basisSize > maxDirections) {
      throw Error("the far field has " + std::to_string(of.operators->basisSize) + " directions of at most " +
        std::to_string(maxDirections) + "; ask for less accuracy");
    }
    const std::int32_t begin = tree.levelBegin[level];
    const std::int32_t end = tree.levelBegin[level + 1];
    const std::int64_t size = paddedLength<Real>(of.operators->basisSize);
    const std::int64_t inChunk = chunkOf(end - begin);
    const std::int64_t numChunks = (end - begin + inChunk - 1) / inChunk;
    const auto inBasis = frame.template array<Real>((end - begin) * size + paddingOf<Real>);
    const auto reached = frame.template array<Real>((end - begin) * size);
    const auto numPairs = frame.template array<std::int64_t>(numChunks);
    const Uneven<ExecutionSpace> chunks(space, 0, numChunks, Kokkos::ChunkSize(1));
    forEach(SPANWISE_KERNEL("to basis"), chunks,
      ToBasis<Dim, Real>{field, of.operators.get(), begin, end, inChunk, inBasis.data()}, workOnBoxes(end - begin));
    space.fence(SPANWISE_LABEL("NBody::toBasis"));
    forEach(SPANWISE_KERNEL("translate"), chunks,
      TranslateChunk<Dim, Real>{field, &of, begin, end, inChunk, inBasis.data(), reached.data(), numPairs.data()},
      workOnBoxes(end - begin));
    space.fence(SPANWISE_LABEL("NBody::translate"));
    for (std::int64_t chunk = 0; chunk < numChunks; ++chunk) {
      total += numPairs(chunk);
    }
  }
  return total;
}

template <class ExecutionSpace, int Dim, class Real>
void passDown(const ExecutionSpace& space, const FarField<Dim, Real>& field) {
  const HalfMoves<Dim, Real> moves(nodeTableOf(field.order), false);
  for (int level = field.tree->isPeriodic ? 1 : 3; level < field.tree->numLevels(); ++level) {
    const std::int32_t begin = field.tree->levelBegin[level];
    forEach(SPANWISE_KERNEL("pass down"),
      IndexRange<ExecutionSpace>(space, 0, field.tree->levelBegin[level + 1] - begin),
      PassDown<Dim, Real>{field, &moves, begin}, workOnBoxes(field.tree->levelBegin[level + 1] - begin));
    space.fence(SPANWISE_LABEL("NBody::passDown"));
  }
}

#define SPANWISE_FAR_FIELD(Space, Dim, Real)                                                                           \
  template void findMoments<Space, Dim, Real>(const Space&, const FarField<Dim, Real>&);                               \
  template std::int64_t translateLevels<Space, Dim, Real>(                                                             \
    const Space&, const FarField<Dim, Real>&, Workspace<Kokkos::HostSpace>&);                                          \
  template void passDown<Space, Dim, Real>(const Space&, const FarField<Dim, Real>&);
#define SPANWISE_FAR_FIELDS(Space)                                                                                     \
  SPANWISE_FAR_FIELD(Space, 2, float)                                                                                  \
  SPANWISE_FAR_FIELD(Space, 2, double)                                                                                 \
  SPANWISE_FAR_FIELD(Space, 3, float)                                                                                  \
  SPANWISE_FAR_FIELD(Space, 3, double)
SPANWISE_IF_SERIAL(SPANWISE_FAR_FIELDS(Kokkos::Serial))
SPANWISE_IF_OPENMP(SPANWISE_FAR_FIELDS(Kokkos::OpenMP))
SPANWISE_IF_THREADS(SPANWISE_FAR_FIELDS(Kokkos::Threads))

} // namespace spanwise::nbody::detail
