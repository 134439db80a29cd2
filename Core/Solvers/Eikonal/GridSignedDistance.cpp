#include "Core/Solvers/Eikonal/GridSignedDistance.hpp"

#include "Core/Geometry/Measures.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/Messenger.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/PointText.hpp"
#include "Core/Solvers/Eikonal/Detail/CheckSpacing.hpp"
#include "Core/Solvers/Eikonal/Detail/DistanceLines.hpp"
#include "Core/Solvers/Eikonal/Detail/RunsOfRows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>

namespace spanwise::eikonal {

namespace {

using detail::RunOfCells;
using detail::RunsOfRows;
using detail::squaredGap;

constexpr double infinite = Kokkos::Experimental::infinity_v<double>;

/// Cells of a box: x is contiguous, then y, then z. In 2D there is one plane of z.
struct Extents {
  std::int64_t begin[3]; ///< coordinates
  std::int64_t count[3];

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t numRows() const { return count[1] * count[2]; }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t numCells() const { return count[0] * numRows(); }
};

/// The first pass: squared distances along x, negative in the set.
template <class ExecutionSpace, int Dim>
struct AlongX {
  static constexpr std::int64_t perItem = runsOnHost<ExecutionSpace> ? 256 : 1; // a device writes side by side
  RunsOfRows<Dim> rows;
  Extents extents;
  double spacing;
  double* out;

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t itemsPerRow() const { return (extents.count[0] + perItem - 1) / perItem; }

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    const std::int64_t r = item / itemsPerRow();
    const std::int64_t first = extents.begin[0] + item % itemsPerRow() * perItem;
    const std::int64_t last = Kokkos::min(first + perItem, extents.begin[0] + extents.count[0]);
    const std::int64_t row =
      rows.find(extents.begin[1] + r % extents.count[1], extents.begin[2] + r / extents.count[1]);
    std::int64_t i = rows.lowerInterval(row, first);
    double* const write = out + r * extents.count[0] - extents.begin[0];
    for (std::int64_t x = first; x < last;) {
      const RunOfCells run = rows.runAt(row, i, x);
      const std::int64_t end = Kokkos::min(run.end, last);
      for (; x < end; ++x) {
        const double distance = squaredGap(run.cellsOut(x)) * (spacing * spacing);
        write[x] = run.inside ? -distance : distance;
      }
      i += run.inside ? 1 : 0;
    }
  }
};

/// to [planes][columns] = the columns of planes that lie further apart.
struct CopyPlanes {
  static constexpr std::int64_t perItem = 256;
  const double* from;
  std::int64_t stride;
  std::int64_t columns;
  double* to;

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t itemsPerPlane() const { return (columns + perItem - 1) / perItem; }

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    const std::int64_t plane = item / itemsPerPlane();
    const std::int64_t first = item % itemsPerPlane() * perItem;
    const std::int64_t last = Kokkos::min(first + perItem, columns);
    for (std::int64_t k = first; k < last; ++k) {
      to[plane * columns + k] = from[plane * stride + k];
    }
  }
};

/// Searches the rows around cells, so many cells side by side at once.
template <int Dim>
struct SearchAround {
  static constexpr int perItem = 32;

  RunsOfRows<Dim> rows;
  geometry::IntervalSetView<Dim> where;
  double squaredSpacing[3];
  std::int64_t first[3]; ///< along each axis, where the last cell is that may be the nearest of its kind
  std::int64_t last[3];
  double squaredMax;
  double* out;

  [[nodiscard]] std::int64_t numItems() const { return (where.numCells + perItem - 1) / perItem; }

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    const std::int64_t end = Kokkos::min((item + 1) * perItem, where.numCells);
    std::int64_t interval = where.intervalOfCell(item * perItem);
    for (std::int64_t cell = item * perItem; cell < end; ++interval) {
      const std::int64_t endHere = Kokkos::min(where.cellOffsets[interval + 1], end);
      const geometry::RowKey<Dim> key = where.rowKeys[where.rowOfInterval(interval)];
      const std::int64_t x = where.intervals[interval].begin + (cell - where.cellOffsets[interval]);
      search(x, static_cast<int>(endHere - cell), key.y, key.zOr0(), out + cell);
      cell = endHere;
    }
  }

private:
  KOKKOS_FUNCTION void search(std::int64_t x, int count, std::int64_t y, std::int64_t z, double* to) const {
    double best[perItem];
    bool inside[perItem];
    forRuns(rows.find(y, z), x, count, [&](int begin, int end, const RunOfCells& run, std::int64_t /*at*/) {
      for (int k = begin; k < end; ++k) {
        inside[k] = run.inside;
        best[k] = infinite;
      }
    });
    double farthestBest = infinite; // of these cells
    const std::int64_t maxZ = Dim == 3 ? farthest(2, z) : 0;
    const std::int64_t maxY = farthest(1, y);
    for (std::int64_t dz = 0; dz <= maxZ; ++dz) {
      const double fromZ = squaredGap(static_cast<double>(dz)) * squaredSpacing[2];
      if (!(fromZ <= Kokkos::min(farthestBest, squaredMax))) {
        break;
      }
      for (std::int64_t dy = 0; dy <= maxY; ++dy) {
        const double fromRow = fromZ + squaredGap(static_cast<double>(dy)) * squaredSpacing[1];
        if (!(fromRow <= Kokkos::min(farthestBest, squaredMax))) {
          break;
        }
        for (int side = 0; side < 4; ++side) {
          if ((dy == 0 && side % 2 == 1) || (dz == 0 && side >= 2)) {
            continue;
          }
          const std::int64_t found = rows.find(side % 2 == 0 ? y + dy : y - dy, side < 2 ? z + dz : z - dz);
          farthestBest = 0.0;
          forRuns(found, x, count, [&](int begin, int end, const RunOfCells& run, std::int64_t at) {
            for (int k = begin; k < end; ++k) {
              const double cells = run.inside == inside[k] ? run.cellsOut(at + k) : 0.0;
              best[k] = Kokkos::min(best[k], fromRow + squaredGap(cells) * squaredSpacing[0]);
              farthestBest = Kokkos::max(farthestBest, best[k]);
            }
          });
        }
      }
    }
    for (int k = 0; k < count; ++k) {
      const double distance = best[k] <= squaredMax ? Kokkos::sqrt(best[k]) : infinite;
      to[k] = inside[k] ? -distance : distance;
    }
  }

  /// Calls visit(begin, end, run, at) for the runs of cells side by side in a row, which may not exist: the cells
  /// at + begin ... at + end - 1.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void forRuns(std::int64_t row, std::int64_t x, int count, const Visit& visit) const {
    const std::int64_t at = rows.wrapped(0, x);
    std::int64_t i = rows.lowerInterval(row, at);
    for (int k = 0; k < count;) {
      const RunOfCells run = rows.runAt(row, i, at + k);
      const int end = static_cast<int>(Kokkos::min(run.end, at + count) - at);
      visit(k, end, run, at);
      i += run.inside ? 1 : 0;
      k = end;
    }
  }

  /// Nothing is nearer than what is within so many rows.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t farthest(int axis, std::int64_t at) const {
    if (rows.periods.along[axis]) {
      return rows.periods.box.extent(axis) / 2 + 1;
    }
    return Kokkos::max(Kokkos::abs(at - first[axis]), Kokkos::abs(last[axis] - at));
  }
};

void checkLength(std::size_t numDistances, std::int64_t numCells) {
  if (static_cast<std::int64_t>(numDistances) != numCells) {
    throw InvalidArgument("there are " + std::to_string(numDistances) + " distances and " + std::to_string(numCells) +
      " cells: each cell has one distance");
  }
}

template <int Dim>
void checkBox(const geometry::Box<Dim>& box, const geometry::Periods<Dim>& periods) {
  for (int axis = 0; axis < Dim; ++axis) {
    if (periods.along[axis] && (box.begin[axis] < periods.box.begin[axis] || box.end[axis] > periods.box.end[axis])) {
      throw InvalidArgument("the box " + toString(box) + " is not in the period " + toString(periods.box) +
        " along axis " + std::to_string(axis));
    }
  }
}

/// The box around the cells of all ranks; nothing where there are none. Collective.
template <class ExecutionSpace, int Dim>
geometry::Box<Dim> boxOfAll(const Context<ExecutionSpace>& context, const Communicator& communicator,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& set) {
  geometry::Box<Dim> box = boundingBox<ExecutionSpace, Dim>(context, set);
  if (communicator.alone()) {
    return box;
  }
  std::int64_t ends[2 * Dim]; // the least of them, negated
  for (int axis = 0; axis < Dim; ++axis) {
    ends[2 * axis] = set.empty() ? std::numeric_limits<std::int64_t>::min() : -std::int64_t{box.begin[axis]};
    ends[2 * axis + 1] = set.empty() ? std::numeric_limits<std::int64_t>::min() : std::int64_t{box.end[axis]};
  }
  communicator.reduce(ReduceBy::Maximum, std::span<std::int64_t>(ends));
  for (int axis = 0; axis < Dim && ends[0] != std::numeric_limits<std::int64_t>::min(); ++axis) {
    box.begin[axis] = static_cast<geometry::Coordinate>(-ends[2 * axis]);
    box.end[axis] = static_cast<geometry::Coordinate>(ends[2 * axis + 1]);
  }
  return box;
}

/// The box and, along all axes but x, what else decides about distances in it: the cells of the set and one more on
/// each side, or the period.
template <int Dim>
Extents extendedBox(
  const geometry::Box<Dim>& box, const geometry::Box<Dim>& ofSet, const geometry::Periods<Dim>& periods) {
  constexpr std::int64_t maxPlaces = std::int64_t{1} << 30; // twice as many fit 32 bits
  Extents extents{{box.begin[0], box.begin[1], 0}, {box.extent(0), box.extent(1), 1}};
  for (int axis = 1; axis < Dim; ++axis) {
    std::int64_t begin = box.begin[axis];
    std::int64_t end = box.end[axis];
    if (periods.along[axis]) {
      begin = periods.box.begin[axis];
      end = periods.box.end[axis];
    } else if (!ofSet.empty()) {
      begin = std::min(begin, static_cast<std::int64_t>(ofSet.begin[axis]) - 1);
      end = std::max(end, static_cast<std::int64_t>(ofSet.end[axis]) + 1);
    }
    if (end - begin > maxPlaces) {
      throw InvalidArgument("distances depend on the cells " + toString(parallel::PlaneRange{begin, end}) +
        " along axis " + std::to_string(axis) + "; there may be at most 2^30 of them");
    }
    extents.begin[axis] = begin;
    extents.count[axis] = end - begin;
  }
  return extents;
}

/// Distances in a box on the ranks that own its planes.
template <class ExecutionSpace, int Dim>
class DistancesInBox {
public:
  using Memory = typename ExecutionSpace::memory_space;

  /// Collective.
  DistancesInBox(const Context<ExecutionSpace>& context, const geometry::SetDomain<Dim>& domain,
    const geometry::IntervalSetOn<Dim, ExecutionSpace>& set, const geometry::GridGeometry<Dim>& lattice,
    const geometry::Box<Dim>& box)
    : context_(context), communicator_(ranksOf(context, domain)), set_(set), lattice_(lattice),
      periods_(domain.periods()), box_(box),
      whole_(extendedBox(box, boxOfAll<ExecutionSpace, Dim>(context, communicator_, set), periods_)) {
    if (!communicator_.alone()) {
      cut_ = domain.cut();
    }
  }

  /// Collective.
  void compute(double* distances) {
    typename Workspace<Memory>::Frame frame(context_.workspace());
    const parallel::PlaneRange mine = planesOf(communicator_.rank());
    double* values = nullptr;
    parallel::agree(communicator_, [&] {
      Extents here = whole_;
      here.begin[slowest] = mine.begin;
      here.count[slowest] = mine.end - mine.begin;
      values = isTheBox() ? distances : frame.template array<double>(here.numCells()).data();
      alongX(here, values);
      if constexpr (Dim == 3) {
        detail::passAlongLines(context_,
          {values, here.count[0], here.count[2], planeCells(), here.count[1], here.count[0],
            box_.begin[1] - whole_.begin[1], box_.end[1] - whole_.begin[1], periods_.along[1], false,
            lattice_.spacing[1] * lattice_.spacing[1]});
      }
    });
    if (communicator_.alone()) {
      alongSlowest(values + skippedCells(), boxColumns(), planeCells());
      if (values != distances) {
        const CopyPlanes copy{values + skippedCells() + (box_.begin[slowest] - whole_.begin[slowest]) * planeCells(),
          planeCells(), boxColumns(), distances};
        forEach(SPANWISE_KERNEL("copy planes"),
          IndexRange<ExecutionSpace>(context_.space(), 0, copy.itemsPerPlane() * box_.extent(slowest)), copy,
          Work{boxColumns() * box_.extent(slowest)});
      }
      return;
    }
    double* columns = nullptr;
    const parallel::PlaneRange share = columnsOf(communicator_.rank());
    parallel::agree(communicator_,
      [&] { columns = frame.template array<double>((share.end - share.begin) * whole_.count[slowest]).data(); });
    parallel::Messenger<ExecutionSpace> messenger(communicator_);
    forPieces(everything(), [&](int rank, std::int64_t plane, const parallel::PlaneRange& theirs) {
      const double* from = values + (plane - mine.begin) * planeCells() + skippedCells() + theirs.begin;
      messenger.send(rank, from, theirs.end - theirs.begin);
    });
    forColumns(
      everything(), columns, [&](int rank, double* to, std::int64_t count) { messenger.receive(rank, to, count); });
    exchange(messenger);
    parallel::agree(communicator_, [&] { alongSlowest(columns, share.end - share.begin, share.end - share.begin); });
    forColumns(
      planesOfBox(), columns, [&](int rank, double* from, std::int64_t count) { messenger.send(rank, from, count); });
    const std::int64_t firstOfBox = mine.within(planesOfBox()).begin;
    forPieces(planesOfBox(), [&](int rank, std::int64_t plane, const parallel::PlaneRange& theirs) {
      double* to = distances + (plane - firstOfBox) * boxColumns() + theirs.begin;
      messenger.receive(rank, to, theirs.end - theirs.begin);
    });
    exchange(messenger);
  }

private:
  static constexpr int slowest = Dim - 1;

  [[nodiscard]] parallel::PlaneRange everything() const {
    return {whole_.begin[slowest], whole_.begin[slowest] + whole_.count[slowest]};
  }
  [[nodiscard]] parallel::PlaneRange planesOfBox() const { return {box_.begin[slowest], box_.end[slowest]}; }
  [[nodiscard]] parallel::PlaneRange planesOf(int rank) const {
    return communicator_.alone() ? everything() : everything().within(cut_.part(rank));
  }
  /// Lines along the slowest axis are dealt out to the ranks.
  [[nodiscard]] parallel::PlaneRange columnsOf(int rank) const {
    return parallel::equalShare({0, boxColumns()}, rank, communicator_.size());
  }
  /// Whether nothing but the box decides about distances in it.
  [[nodiscard]] bool isTheBox() const {
    return whole_.count[1] == box_.extent(1) && whole_.count[slowest] == box_.extent(slowest);
  }

  /// Cells of a plane, those of them that are in the box, and those before these.
  [[nodiscard]] std::int64_t planeCells() const { return whole_.count[0] * (Dim == 3 ? whole_.count[1] : 1); }
  [[nodiscard]] std::int64_t boxColumns() const { return whole_.count[0] * (Dim == 3 ? box_.extent(1) : 1); }
  [[nodiscard]] std::int64_t skippedCells() const {
    return Dim == 3 ? (box_.begin[1] - whole_.begin[1]) * whole_.count[0] : 0;
  }

  void alongX(const Extents& extents, double* values) const {
    const AlongX<ExecutionSpace, Dim> pass{{set_.view(), periods_}, extents, lattice_.spacing[0], values};
    forEach(SPANWISE_KERNEL("along x"),
      IndexRange<ExecutionSpace>(context_.space(), 0, pass.itemsPerRow() * extents.numRows()), pass,
      Work{extents.count[0] * extents.numRows()});
  }

  void alongSlowest(double* values, std::int64_t columns, std::int64_t stride) const {
    const std::int64_t first = box_.begin[slowest] - whole_.begin[slowest];
    detail::passAlongLines(context_,
      {values, columns, 1, 0, whole_.count[slowest], stride, first, first + box_.extent(slowest),
        periods_.along[slowest], true, lattice_.spacing[slowest] * lattice_.spacing[slowest]});
  }

  /// Calls piece(rank, plane, columns) for all of this rank's planes in a range and all ranks' columns.
  template <class Piece>
  void forPieces(const parallel::PlaneRange& range, const Piece& piece) const {
    const parallel::PlaneRange mine = planesOf(communicator_.rank()).within(range);
    for (int rank = 0; rank < communicator_.size(); ++rank) {
      for (std::int64_t plane = mine.begin; plane < mine.end; ++plane) {
        piece(rank, plane, columnsOf(rank));
      }
    }
  }
  /// Calls piece(rank, place, number) for this rank's columns in all planes of a range, by the ranks that own those.
  template <class Piece>
  void forColumns(const parallel::PlaneRange& range, double* columns, const Piece& piece) const {
    const parallel::PlaneRange share = columnsOf(communicator_.rank());
    const std::int64_t count = share.end - share.begin;
    for (int rank = 0; rank < communicator_.size(); ++rank) {
      const parallel::PlaneRange theirs = planesOf(rank).within(range);
      for (std::int64_t plane = theirs.begin; plane < theirs.end; ++plane) {
        piece(rank, columns + (plane - whole_.begin[slowest]) * count, count);
      }
    }
  }
  void exchange(parallel::Messenger<ExecutionSpace>& messenger) const {
    messenger.start(context_.space());
    messenger.finish(context_.space());
  }

  const Context<ExecutionSpace>& context_;
  const Communicator& communicator_;
  parallel::RowCut cut_; // of several ranks
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& set_;
  const geometry::GridGeometry<Dim>& lattice_;
  const geometry::Periods<Dim>& periods_;
  const geometry::Box<Dim>& box_;
  Extents whole_;
};

} // namespace

template <class ExecutionSpace, int Dim>
void signedDistanceInBox(const Context<ExecutionSpace>& context,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& set, const geometry::GridGeometry<Dim>& lattice,
  const geometry::SetDomain<Dim>& domain, const geometry::Box<Dim>& box,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& distances) {
  SPANWISE_REGION("Eikonal::signedDistanceInBox");
  parallel::agree(ranksOf(context, domain), [&] {
    checkSpacing(lattice);
    checkOwnCells<ExecutionSpace, Dim>(context, domain, set);
    checkBox(box, domain.periods());
    const parallel::PlaneRange ofBox{box.begin[Dim - 1], box.end[Dim - 1]};
    const parallel::PlaneRange mine = domain.alone() ? ofBox : ofBox.within(domain.planes());
    const std::int64_t cellsOfPlane = box.empty() ? 0 : box.extent(0) * (Dim == 3 ? box.extent(1) : 1);
    checkLength(distances.extent(0), cellsOfPlane * (mine.end - mine.begin));
  });
  if (!box.empty()) {
    DistancesInBox<ExecutionSpace, Dim>(context, domain, set, lattice, box).compute(distances.data());
  }
}

template <class ExecutionSpace, int Dim>
void signedDistanceOnCells(const Context<ExecutionSpace>& context,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& set, const geometry::GridGeometry<Dim>& lattice,
  const geometry::Periods<Dim>& periods, const geometry::IntervalSetOn<Dim, ExecutionSpace>& where, double most,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& distances) {
  SPANWISE_REGION("Eikonal::signedDistanceOnCells");
  checkSpacing(lattice);
  checkPeriods<ExecutionSpace, Dim>(context, set, periods);
  checkPeriods<ExecutionSpace, Dim>(context, where, periods);
  checkLength(distances.extent(0), where.numCells());
  if (!(most >= 0.0)) {
    throw InvalidArgument("the greatest distance is " + numberText(most) + ": it must not be negative");
  }
  SearchAround<Dim> search{{set.view(), periods}, where.view(), {}, {}, {}, most * most, distances.data()};
  const geometry::Box<Dim> box = boundingBox<ExecutionSpace, Dim>(context, set);
  for (int axis = 0; axis < Dim; ++axis) {
    search.squaredSpacing[axis] = lattice.spacing[axis] * lattice.spacing[axis];
    search.first[axis] = static_cast<std::int64_t>(box.begin[axis]) - 1;
    search.last[axis] = box.end[axis];
  }
  forEach(SPANWISE_KERNEL("search around"), IndexRange<ExecutionSpace>(context.space(), 0, search.numItems()), search,
    Work{64 * where.numCells()});
}

#define SPANWISE_SIGNED_DISTANCE(Space, Dim)                                                                           \
  template void signedDistanceInBox<Space, Dim>(const Context<Space>&, const geometry::IntervalSetOn<Dim, Space>&,     \
    const geometry::GridGeometry<Dim>&, const geometry::SetDomain<Dim>&, const geometry::Box<Dim>&,                    \
    const Kokkos::View<double*, Space::memory_space>&);                                                                \
  template void signedDistanceOnCells<Space, Dim>(const Context<Space>&, const geometry::IntervalSetOn<Dim, Space>&,   \
    const geometry::GridGeometry<Dim>&, const geometry::Periods<Dim>&, const geometry::IntervalSetOn<Dim, Space>&,     \
    double, const Kokkos::View<double*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_SIGNED_DISTANCE)

} // namespace spanwise::eikonal
