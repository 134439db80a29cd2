#include "SpanwiseRebuild.h"

#include "SpanwiseCellReader.h"
#include "SpanwiseLatticeFit.h"
#include "SpanwiseLattices.h"

#include "Core/Geometry/Builders/SortedCells.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/MergeSort.hpp"
#include "Core/Runtime/PointText.hpp"
#include "Core/Runtime/Reduce.hpp"

#include <vtkCellType.h>
#include <vtkCellTypeUtilities.h>
#include <vtkDataSet.h>
#include <vtkIdList.h>
#include <vtkNew.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

using Range = IndexRange<HostExecutionSpace>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t noCell = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t cellsPerChunk = 2048;
constexpr double fitSlack = 0.01; // of the tolerance, for round-off of a fitted lattice

// What all cells together say of their lattice.
template <int Dim>
struct Survey {
  std::int64_t firstBad = noCell;
  double sizes[3] = {0.0, 0.0, 0.0}; // summed up
  double low[3] = {infinity, infinity, infinity};
  double highestLow[3] = {-infinity, -infinity, -infinity};
  double furthest = 0.0;

  void add(const CornerBox& box) {
    for (int d = 0; d < 3; ++d) {
      sizes[d] += box.high[d] - box.low[d];
      low[d] = std::min(low[d], box.low[d]);
      highestLow[d] = std::max(highestLow[d], box.low[d]);
      furthest = std::max({furthest, std::abs(box.low[d]), std::abs(box.high[d])});
    }
  }
  void add(const Survey& other) {
    firstBad = std::min(firstBad, other.firstBad);
    for (int d = 0; d < 3; ++d) {
      sizes[d] += other.sizes[d];
      low[d] = std::min(low[d], other.low[d]);
      highestLow[d] = std::max(highestLow[d], other.highestLow[d]);
    }
    furthest = std::max(furthest, other.furthest);
  }
};

template <int Dim>
struct SourceCell {
  Cell<Dim> cell;
  std::int64_t source;

  friend bool operator<(const SourceCell& a, const SourceCell& b) { return a.cell < b.cell; }
};

template <int Dim>
class Rebuilder {
public:
  Rebuilder(vtkDataSet* data, const std::vector<std::int64_t>& kept, bool keptAll, const GridPlacement* like)
    : data_(data), kept_(keptAll ? nullptr : kept.data()), like_(like),
      count_(keptAll ? data->GetNumberOfCells() : static_cast<std::int64_t>(kept.size())) {
    vtkNew<vtkIdList> unused;
    data->GetCellPoints(0, unused); // lets a vtkPolyData make its tables before threads ask
    singlePrecision_ = Positions(data).singlePrecision();
    numChunks_ = (count_ + cellsPerChunk - 1) / cellsPerChunk;
  }

  // Finds the lattice.
  void survey() {
    if (count_ == 0) {
      placement_ = like_ != nullptr ? *like_ : GridPlacement();
      return;
    }
    takeFirstCell();
    std::vector<Survey<Dim>> surveys(static_cast<std::size_t>(numChunks_));
    forEach(
      SPANWISE_KERNEL("survey cells"), Range(HostExecutionSpace(), 0, numChunks_),
      [&](std::int64_t chunk) { surveys[static_cast<std::size_t>(chunk)] = surveyOf(chunk); }, Work{16 * count_});
    Survey<Dim> all;
    for (const Survey<Dim>& part : surveys) { // in their order: the same sums for any number of threads
      all.add(part);
    }
    if (all.firstBad != noCell) {
      fail(sourceOf(all.firstBad));
    }
    all_ = all;
    choosePlacement();
  }

  // Finds each cell's coordinates. What single cells and the extent of all of them say of the lattice is enough where
  // positions are exact; where they are not, it is fitted to all cells.
  void place() {
    const std::int64_t firstBad = placeAll();
    if (firstBad == noCell) {
      return;
    }
    const GridPlacement simple = placement_;
    const double tolerance = tolerance_;
    fitPlacement();
    if (placeAll() != noCell) {
      placement_ = simple;
      tolerance_ = tolerance;
      fail(sourceOf(firstBad));
    }
  }

  void sort() {
    std::int64_t descents = 0;
    const SourceCell<Dim>* cells = cells_.data();
    reduce(
      SPANWISE_KERNEL("check order"), Range(HostExecutionSpace(), 1, std::max<std::int64_t>(count_, 1)),
      [=](std::int64_t k, std::int64_t& sum) { sum += cells[k] < cells[k - 1] ? 1 : 0; }, descents);
    inOrder_ = descents == 0;
    if (!inOrder_) {
      const HostExecutionSpace space;
      std::vector<SourceCell<Dim>> scratch(cells_.size());
      const auto* sorted = sortStably(space, cells_.data(), scratch.data(), count_, Ascending());
      space.fence(SPANWISE_LABEL("DataModel::rebuild: sort"));
      if (sorted != cells_.data()) {
        cells_.swap(scratch);
      }
    }
    const auto same = std::adjacent_find(cells_.begin(), cells_.end(),
      [](const SourceCell<Dim>& a, const SourceCell<Dim>& b) { return a.cell == b.cell; });
    if (same != cells_.end()) {
      throw InvalidArgument("the cells " + std::to_string(same->source) + " and " +
        std::to_string(std::next(same)->source) + " cover the same place " + placeText(same->cell) +
        "; every cell may be there once (mark copies as duplicate in vtkGhostType, or remove them)");
    }
  }

  Intervals<Dim> result() const {
    Intervals<Dim> intervals;
    const SourceCell<Dim>* cells = cells_.data();
    HostIntervalSet<Dim> set;
    makeFromSortedCells(Context<HostExecutionSpace>(), count_, [cells](std::int64_t k) { return cells[k].cell; }, set);
    intervals.grid = IntervalGrid<Dim>::make(set, placement_);
    intervals.sameCells = inOrder_ && kept_ == nullptr;
    if (!intervals.sameCells) {
      intervals.sourceCells.resize(cells_.size());
      std::transform(cells_.begin(), cells_.end(), intervals.sourceCells.begin(),
        [](const SourceCell<Dim>& cell) { return cell.source; });
    }
    return intervals;
  }

private:
  [[nodiscard]] std::int64_t sourceOf(std::int64_t k) const { return kept_ != nullptr ? kept_[k] : k; }

  // How exact positions can be expected to be, as a fraction of a cell, before the spacing is known.
  [[nodiscard]] double cornerTolerance() const { return singlePrecision_ ? maxRebuildTolerance : rebuildTolerance; }

  // The first cell is what the others are compared with, so that an outlier is named rather than its neighbours.
  void takeFirstCell() {
    const CornerBox first = CellReader<Dim>(data_).read(sourceOf(0), cornerTolerance());
    if (first.fault != Fault::None) {
      fail(sourceOf(0));
    }
    for (int d = 0; d < 3; ++d) {
      placement_.origin[d] = first.low[d];
      placement_.spacing[d] = d < Dim ? first.high[d] - first.low[d] : placement_.spacing[0];
    }
  }

  [[nodiscard]] Fault compareWithFirst(CornerBox& box) const {
    for (int d = 0; d < Dim; ++d) {
      const double size = box.high[d] - box.low[d];
      const double tolerance = std::max(2.0 * cornerTolerance(), 4.0 * rebuildTolerance); // both may be off
      if (std::abs(size - placement_.spacing[d]) > tolerance * placement_.spacing[d]) {
        box.axis = d;
        return Fault::Size;
      }
    }
    return Fault::None;
  }

  [[nodiscard]] double epsilon() const {
    return singlePrecision_ ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  }

  Survey<Dim> surveyOf(std::int64_t chunk) const {
    Survey<Dim> survey;
    CellReader<Dim> reader(data_);
    for (std::int64_t k = chunk * cellsPerChunk; k < std::min((chunk + 1) * cellsPerChunk, count_); ++k) {
      CornerBox box = reader.read(sourceOf(k), cornerTolerance());
      if (box.fault != Fault::None || compareWithFirst(box) != Fault::None) {
        survey.firstBad = k;
        break;
      }
      survey.add(box);
    }
    return survey;
  }

  void choosePlacement() {
    for (int d = 0; d < Dim; ++d) {
      const double mean = all_.sizes[d] / static_cast<double>(count_);
      const double extent = all_.highestLow[d] - all_.low[d];
      const double steps = std::round(extent / mean);
      // A long way divided by a whole number of cells is more exact than the size of single cells, if it is whole up to
      // their error. Otherwise a cell is off the lattice, and must not bend it.
      const double uncertain = std::clamp(steps * epsilon() * all_.furthest / mean, rebuildTolerance, 0.25);
      const bool whole = steps > 0.0 && std::abs(extent / mean - steps) <= uncertain;
      setLattice(d, {all_.low[d], whole ? extent / steps : mean, steps});
    }
    finishPlacement();
  }

  // The lattice that is nearest to the ends of all cells.
  void fitPlacement() {
    const double noise = singlePrecision_ ? tolerance_ : rebuildTolerance;
    std::vector<double> ends(static_cast<std::size_t>(2 * count_));
    for (int d = 0; d < Dim; ++d) {
      forEach(
        SPANWISE_KERNEL("cell ends"), Range(HostExecutionSpace(), 0, numChunks_),
        [&](std::int64_t chunk) { endsIn(chunk, d, ends.data()); }, Work{4 * count_});
      setLattice(d, fitLattice(ends, all_.sizes[d] / static_cast<double>(count_), noise));
    }
    finishPlacement();
    tolerance_ = std::min(tolerance_ * (1.0 + fitSlack), maxRebuildTolerance);
  }

  void endsIn(std::int64_t chunk, int axis, double* ends) const {
    CellReader<Dim> reader(data_);
    for (std::int64_t k = chunk * cellsPerChunk; k < std::min((chunk + 1) * cellsPerChunk, count_); ++k) {
      const CornerBox box = reader.read(sourceOf(k), cornerTolerance());
      ends[2 * k] = box.low[axis];
      ends[2 * k + 1] = box.high[axis];
    }
  }

  // Counts cells from the node nearest to 0.
  void setLattice(int d, const LatticeFit& lattice) {
    const double h = lattice.spacing;
    const double toZero = std::round(lattice.origin / h);
    const bool reachable = toZero > minCoordinate && toZero + lattice.steps < maxRowKey;
    const double origin = reachable ? lattice.origin - toZero * h : lattice.origin;
    placement_.spacing[d] = h;
    placement_.origin[d] = reachable && std::abs(origin) < 1e-6 * h ? 0.0 : origin;
  }

  void finishPlacement() {
    const double least = std::min(placement_.spacing[0], placement_.spacing[1]);
    if constexpr (Dim == 2) {
      placement_.spacing[2] = placement_.spacing[0];
    }
    tolerance_ = std::clamp(2.0 * epsilon() * all_.furthest / least, rebuildTolerance, maxRebuildTolerance);
    useLike();
  }

  void useLike() {
    const Survey<Dim>& all = all_;
    if (like_ == nullptr) {
      return;
    }
    bool fits = Dim == 3 || std::abs(like_->origin[2] - placement_.origin[2]) <= tolerance_ * like_->spacing[0];
    for (int d = 0; d < Dim; ++d) {
      const double h = like_->spacing[d];
      for (const double corner : {all.low[d], all.highestLow[d] + placement_.spacing[d]}) {
        const double cells = (corner - like_->origin[d]) / h;
        fits = fits && std::abs(cells - std::round(cells)) <= tolerance_;
      }
      fits = fits && std::abs(placement_.spacing[d] - h) <= tolerance_ * h;
    }
    if (fits) {
      placement_ = *like_;
    }
  }

  // The coordinates of the cell that is read, or why it has none.
  Fault coordinatesOf(CornerBox& box, Cell<Dim>& cell) const {
    for (int d = 0; d < Dim; ++d) {
      const double h = placement_.spacing[d];
      const double low = (box.low[d] - placement_.origin[d]) / h;
      const double high = (box.high[d] - placement_.origin[d]) / h;
      const double c = std::round(low);
      box.axis = d;
      if (std::abs(high - low - 1.0) > 2.0 * tolerance_) {
        return Fault::Size;
      }
      if (std::abs(low - c) > tolerance_ || std::abs(high - c - 1.0) > tolerance_) {
        return Fault::Place;
      }
      if (!(c >= minCoordinate && c <= maxRowKey)) {
        return Fault::Beyond;
      }
      cell.at[d] = static_cast<Coordinate>(c);
    }
    if (Dim == 2 && std::abs(box.low[2] - placement_.origin[2]) > 2.0 * tolerance_ * placement_.spacing[0]) {
      box.axis = 2;
      return Fault::NotFlat;
    }
    return Fault::None;
  }

  // Returns the first cell that does not fit, or noCell.
  std::int64_t placeAll() {
    cells_.resize(static_cast<std::size_t>(count_));
    std::int64_t firstBad = noCell;
    reduceMin(
      SPANWISE_KERNEL("place cells"), Range(HostExecutionSpace(), 0, numChunks_),
      [&](std::int64_t chunk, std::int64_t& first) { first = std::min(first, placeIn(chunk)); }, firstBad,
      Work{16 * count_});
    return firstBad;
  }

  // Returns the first cell of the chunk that does not fit, or noCell.
  std::int64_t placeIn(std::int64_t chunk) {
    CellReader<Dim> reader(data_);
    for (std::int64_t k = chunk * cellsPerChunk; k < std::min((chunk + 1) * cellsPerChunk, count_); ++k) {
      const std::int64_t source = sourceOf(k);
      CornerBox box = reader.read(source, tolerance_);
      SourceCell<Dim>& out = cells_[static_cast<std::size_t>(k)];
      out.source = source;
      if (box.fault != Fault::None || coordinatesOf(box, out.cell) != Fault::None) {
        return k;
      }
    }
    return noCell;
  }

  static std::string placeText(const Cell<Dim>& cell) {
    std::string text = "(";
    for (int d = 0; d < Dim; ++d) {
      text += (d > 0 ? ", " : "") + std::to_string(cell.at[d]);
    }
    return text + ")";
  }

  // Throws what is wrong with a cell that is known not to fit.
  [[noreturn]] void fail(std::int64_t source) const {
    CellReader<Dim> reader(data_);
    const bool surveyed = tolerance_ > 0.0;
    CornerBox box = reader.read(source, surveyed ? tolerance_ : cornerTolerance());
    Cell<Dim> cell{};
    Fault fault = box.fault;
    if (fault == Fault::None) {
      fault = surveyed ? coordinatesOf(box, cell) : compareWithFirst(box);
    }
    throw InvalidArgument("cell " + std::to_string(source) + " " + describe(fault, box, source));
  }

  [[nodiscard]] std::string describe(Fault fault, const CornerBox& box, std::int64_t source) const {
    const auto axis = static_cast<std::size_t>(box.axis);
    const std::string along = std::string(" along ") + axisNames[axis];
    const double h = placement_.spacing[axis];
    switch (fault) {
    case Fault::Type:
      return std::string("is of type ") + vtkCellTypeUtilities::GetClassNameFromTypeId(data_->GetCellType(source)) +
        "; an interval set has " +
        (Dim == 2 ? "only pixels and quads, or only voxels and hexahedra"
                  : "only voxels and hexahedra, or only pixels and quads");
    case Fault::NotFinite:
      return "has a corner whose position" + along + " is not finite";
    case Fault::NotABox:
      return "is not " + std::string(Dim == 2 ? "a rectangle" : "a box") + " with edges along the axes, over [" +
        numberText(box.low[0]) + ", " + numberText(box.high[0]) + "] x [" + numberText(box.low[1]) + ", " +
        numberText(box.high[1]) + "]" +
        (Dim == 3 ? " x [" + numberText(box.low[2]) + ", " + numberText(box.high[2]) + "]" : "");
    case Fault::NotFlat:
      return "lies at z from " + numberText(box.low[2]) + " to " + numberText(box.high[2]) +
        "; a 2D interval set lies in one plane of constant z, here " + numberText(placement_.origin[2]);
    case Fault::Size:
      return "measures " + numberText(box.high[axis] - box.low[axis]) + along +
        "; all cells must be of one size, here " + numberText(h);
    case Fault::Place:
      return "begins at " + numberText(box.low[axis]) + along + ", which is off the lattice " +
        numberText(placement_.origin[axis]) + " + i * " + numberText(h) + " by more than " + numberText(tolerance_) +
        " cells";
    case Fault::Beyond:
      return "begins at " + numberText(box.low[axis]) + along + ", more than 2^31 cells of size " + numberText(h) +
        " from the origin";
    case Fault::None:
      break;
    }
    return "";
  }

  vtkDataSet* data_;
  const std::int64_t* kept_;
  const GridPlacement* like_;
  std::int64_t count_;
  std::int64_t numChunks_ = 0;
  bool singlePrecision_ = false;
  bool inOrder_ = true;
  double tolerance_ = 0.0; // 0: not known yet
  Survey<Dim> all_;
  GridPlacement placement_;
  std::vector<SourceCell<Dim>> cells_;
};

} // namespace

int dimensionOfCellType(int type) {
  switch (type) {
  case VTK_PIXEL:
  case VTK_QUAD:
    return 2;
  case VTK_VOXEL:
  case VTK_HEXAHEDRON:
    return 3;
  default:
    return 0;
  }
}

template <int Dim>
Intervals<Dim> rebuild(
  vtkDataSet* data, std::vector<std::int64_t> kept, bool keptAll, const GridPlacement* like, const Progress& progress) {
  SPANWISE_REGION("DataModel::rebuild");
  Rebuilder<Dim> rebuilder(data, kept, keptAll, like);
  rebuilder.survey();
  progress.report(0.3);
  rebuilder.place();
  progress.report(0.6);
  rebuilder.sort();
  progress.report(0.9);
  return rebuilder.result();
}

template Intervals<2> rebuild<2>(vtkDataSet*, std::vector<std::int64_t>, bool, const GridPlacement*, const Progress&);
template Intervals<3> rebuild<3>(vtkDataSet*, std::vector<std::int64_t>, bool, const GridPlacement*, const Progress&);

} // namespace spanwise
