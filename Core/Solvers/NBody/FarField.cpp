#include "Core/Solvers/NBody/Detail/FarField.hpp"

#include "Core/Geometry/Detail/Range.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Core/Solvers/NBody/Detail/NodeTable.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace spanwise::nbody::detail {

namespace {

template <class ExecutionSpace>
using Uneven = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>, Kokkos::Schedule<Kokkos::Dynamic>>;

/// Applies the matrices of a child, or their transposes, along all axes: `values` become those of the parent, or those
/// of the parent those of the child. Both are overwritten; returns where the result is.
template <int Dim, class Real>
Real* moveHalf(const NodeTable& table, std::uint64_t key, bool isUp, Real* values, Real* other) {
  const int order = table.order;
  std::int64_t inner = 1;
  std::int64_t outer = Dim == 2 ? order : order * order;
  for (int axis = 0; axis < Dim; ++axis, inner *= order, outer /= order) {
    applyAlong(table.half(key, axis), isUp ? order : 1, isUp ? 1 : order, order, outer, inner, values, other);
    std::swap(values, other);
  }
  return values;
}

template <int Dim>
inline constexpr int mostCoefficients = Dim == 2 ? mostOrder * mostOrder : 16 * 16 * 16;

template <int Dim, class Real>
struct FindMoments {
  FarField<Dim, Real> field;
  const NodeTable* table;
  std::int32_t firstBox;
  int level;

  void operator()(std::int64_t k) const {
    const auto& tree = *field.tree;
    const auto box = static_cast<std::int32_t>(firstBox + k);
    const std::int64_t count = field.numCoefficients();
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
      Real values[mostCoefficients<Dim>];
      Real other[mostCoefficients<Dim>];
      std::copy_n(field.moments + child * field.stride(), count, values);
      const Real* const moved = moveHalf<Dim>(*table, tree.key(child), true, values, other);
      for (std::int64_t m = 0; m < count; ++m) {
        moments[m] += moved[m];
      }
    }
  }
};

template <int Dim, class Real>
struct PassDown {
  FarField<Dim, Real> field;
  const NodeTable* table;
  std::int32_t firstBox;

  void operator()(std::int64_t k) const {
    const auto& tree = *field.tree;
    const auto box = static_cast<std::int32_t>(firstBox + k);
    if (tree.targetBegin(box) == tree.targetEnd(box)) {
      return;
    }
    const std::int64_t count = field.numCoefficients();
    Real values[mostCoefficients<Dim>];
    Real other[mostCoefficients<Dim>];
    std::copy_n(field.coefficients + tree.parent(box) * field.stride(), count, values);
    const Real* const moved = moveHalf<Dim>(*table, tree.key(box), false, values, other);
    Real* const to = field.coefficients + box * field.stride();
    for (std::int64_t m = 0; m < count; ++m) {
      to[m] += moved[m];
    }
  }
};

/// Boxes whose far ones are found together, so that operators are used again and again.
constexpr int boxesInChunk = 32;
/// Columns of a product.
constexpr int columnsAtOnce = 16;
/// Most directions of a basis.
constexpr int mostDirections = 1536;

template <int Dim, class Real>
struct ToBasis {
  FarField<Dim, Real> field;
  const FarOperators<Dim, Real>* operators;
  std::int32_t firstBox, endBox;
  Real* inBasis; ///< [boxes x padded basis size]

  void operator()(std::int64_t chunk) const {
    const std::int64_t begin = firstBox + chunk * boxesInChunk;
    ProductTask<Real> task{};
    task.rows = paddedLength<Real>(operators->basisSize);
    task.columns = std::min<std::int64_t>(boxesInChunk, endBox - begin);
    task.inner = operators->numCoefficients;
    task.a = operators->toBasis.data();
    task.aStride = task.rows;
    task.b = field.moments + begin * field.stride();
    task.bStride = field.stride();
    task.c = inBasis + (begin - firstBox) * task.rows;
    task.cStride = task.rows;
    field.kernels.multiply(task);
  }
};

template <int Dim, class Real>
struct TranslateChunk {
  static constexpr int numOffsets = Dim == 2 ? 9 : 27;
  static constexpr int mostPairs = boxesInChunk * (Dim == 2 ? 27 : 189);
  static constexpr int numClasses = FarOperators<Dim, Real>::numClasses;

  FarField<Dim, Real> field;
  const FarLevel<Dim, Real>* level;
  std::int32_t firstBox, endBox;
  const Real* inBasis;
  Real* reached; ///< [boxes x padded basis size]
  std::int64_t* numPairs;

  struct Pair {
    std::int32_t source;
    std::int16_t target; ///< of the chunk
    std::int16_t turned;
  };

  void operator()(std::int64_t chunk) const {
    const FarOperators<Dim, Real>& operators = *level->operators;
    const auto begin = static_cast<std::int32_t>(firstBox + chunk * boxesInChunk);
    const auto end = static_cast<std::int32_t>(std::min<std::int64_t>(begin + boxesInChunk, endBox));
    const std::int64_t size = paddedLength<Real>(operators.basisSize);
    Real* const to = reached + (begin - firstBox) * size;
    std::fill_n(to, (end - begin) * size, Real(0));
    Real charges[boxesInChunk] = {};
    Pair pairs[mostPairs];
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
    ProductTask<Real> task{};
    task.rows = field.stride();
    task.columns = end - begin;
    task.inner = operators.basisSize;
    task.a = operators.fromBasis.data();
    task.aStride = task.rows;
    task.b = to;
    task.bStride = size;
    task.c = field.coefficients + begin * field.stride();
    task.cStride = task.rows;
    field.kernels.multiply(task);
    for (std::int32_t box = begin; box < end; ++box) {
      field.coefficients[box * field.stride()] += static_cast<Real>(level->logarithm) * charges[box - begin];
    }
  }

private:
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
          int number = 0;
          int turned = 0;
          bool isFar = false;
          for (int axis = 0, rest = offset; axis < Dim; ++axis, rest /= 3) {
            const int t = 2 * (rest % 3 - 1) + static_cast<int>((tree.key(other) >> axis) & 1U) -
              static_cast<int>((tree.key(box) >> axis) & 1U);
            number |= std::abs(t) << (2 * axis);
            turned |= static_cast<int>(t < 0) << axis;
            isFar |= std::abs(t) > 1;
          }
          if (isFar) {
            put(number, Pair{other, static_cast<std::int16_t>(box - begin), static_cast<std::int16_t>(turned)});
          }
        }
      }
    }
  }

  void translate(const FarOperators<Dim, Real>& operators, const typename FarOperators<Dim, Real>::Class& of,
    const Pair* pairs, int count, Real* to) const {
    alignas(64) Real panel[columnsAtOnce * mostDirections];
    alignas(64) Real inner[columnsAtOnce * mostDirections];
    const std::int64_t size = paddedLength<Real>(operators.basisSize);
    const std::int64_t rank = paddedLength<Real>(of.rank);
    if (of.rank == 0) {
      return;
    }
    for (int k = 0; k < count; ++k) {
      const Real* const signs = operators.signs.data() + pairs[k].turned * size;
      const Real* const from = inBasis + (pairs[k].source - firstBox) * size;
      for (std::int64_t i = 0; i < size; ++i) {
        panel[k * size + i] = signs[i] * from[i];
      }
    }
    field.kernels.multiply({rank, count, operators.basisSize, of.source.data(), rank, panel, size, inner, rank, false});
    field.kernels.multiply({size, count, of.rank, of.target.data(), size, inner, rank, panel, size, false});
    for (int k = 0; k < count; ++k) {
      const Real* const signs = operators.signs.data() + pairs[k].turned * size;
      Real* const target = to + pairs[k].target * size;
      for (std::int64_t i = 0; i < size; ++i) {
        target[i] += signs[i] * panel[k * size + i];
      }
    }
  }
};

} // namespace

template <class ExecutionSpace, int Dim, class Real>
void findMoments(const ExecutionSpace& space, const FarField<Dim, Real>& field) {
  const NodeTable& table = nodeTableOf(field.order);
  for (int level = field.tree->numLevels() - 1; level >= 0; --level) {
    const std::int32_t begin = field.tree->levelBegin[level];
    Kokkos::parallel_for(SPANWISE_KERNEL("find moments"),
      Uneven<ExecutionSpace>(space, 0, field.tree->levelBegin[level + 1] - begin),
      FindMoments<Dim, Real>{field, &table, begin, level});
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
    if (of.operators->basisSize > mostDirections) {
      throw Error("the far field has " + std::to_string(of.operators->basisSize) + " directions of at most " +
        std::to_string(mostDirections) + "; ask for less accuracy");
    }
    const std::int32_t begin = tree.levelBegin[level];
    const std::int32_t end = tree.levelBegin[level + 1];
    const std::int64_t size = paddedLength<Real>(of.operators->basisSize);
    const std::int64_t numChunks = (end - begin + boxesInChunk - 1) / boxesInChunk;
    const auto inBasis = frame.template array<Real>((end - begin) * size);
    const auto reached = frame.template array<Real>((end - begin) * size);
    const auto numPairs = frame.template array<std::int64_t>(numChunks);
    const Uneven<ExecutionSpace> chunks(space, 0, numChunks, Kokkos::ChunkSize(1));
    Kokkos::parallel_for(
      SPANWISE_KERNEL("to basis"), chunks, ToBasis<Dim, Real>{field, of.operators.get(), begin, end, inBasis.data()});
    space.fence(SPANWISE_LABEL("NBody::toBasis"));
    Kokkos::parallel_for(SPANWISE_KERNEL("translate"), chunks,
      TranslateChunk<Dim, Real>{field, &of, begin, end, inBasis.data(), reached.data(), numPairs.data()});
    space.fence(SPANWISE_LABEL("NBody::translate"));
    for (std::int64_t chunk = 0; chunk < numChunks; ++chunk) {
      total += numPairs(chunk);
    }
  }
  return total;
}

template <class ExecutionSpace, int Dim, class Real>
void passDown(const ExecutionSpace& space, const FarField<Dim, Real>& field) {
  const NodeTable& table = nodeTableOf(field.order);
  for (int level = field.tree->isPeriodic ? 1 : 3; level < field.tree->numLevels(); ++level) {
    const std::int32_t begin = field.tree->levelBegin[level];
    Kokkos::parallel_for(SPANWISE_KERNEL("pass down"),
      spanwise::detail::Range<ExecutionSpace>(space, 0, field.tree->levelBegin[level + 1] - begin),
      PassDown<Dim, Real>{field, &table, begin});
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
