#pragma once

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Combine.hpp"
#include "Core/Geometry/HostParts.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Multilevel/Detail/ClipToAncestors.hpp"
#include "Core/Multilevel/Detail/Coarsen.hpp"
#include "Core/Multilevel/Detail/ParentsOfFamilies.hpp"
#include "Core/Multilevel/Detail/RefineRows.hpp"
#include "Core/Multilevel/LevelDomain.hpp"
#include "Core/Multilevel/Levels.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"

#include <limits>
#include <string>

namespace spanwise::multilevel::detail {

/// The boxes by which refined cells reach their neighbours under a grading; their union is the neighbourhood.
template <int Dim>
class GradingBoxes {
public:
  explicit GradingBoxes(Grading grading) {
    if (grading == Grading::Nested) {
      add({{0, 0, 0}});
    } else if (grading == Grading::Vertex || (grading == Grading::Edge && Dim == 2)) {
      add({{1, 1, Dim == 3 ? 1 : 0}});
    } else {
      const bool face = grading == Grading::Face;
      for (int d = 0; d < Dim; ++d) { // across faces along axis d, or across edges that do not lie along it
        CoarseReach reach;
        for (int other = 0; other < Dim; ++other) {
          reach.at[other] = (other == d) == face ? 1 : 0;
        }
        add(reach);
      }
    }
  }
  [[nodiscard]] const CoarseReach* begin() const { return boxes_; }
  [[nodiscard]] const CoarseReach* end() const { return boxes_ + count_; }

private:
  void add(const CoarseReach& reach) { boxes_[count_++] = reach; }
  CoarseReach boxes_[3];
  int count_ = 0;
};

/// Counts rows with a cell that is not in a box of cells `levels` coarser.
template <int Dim>
struct RowsOutsideBox {
  geometry::IntervalSetView<Dim> set;
  geometry::Box<Dim> box;
  int levels;

  KOKKOS_FUNCTION void operator()(std::int64_t r, std::int64_t& count) const {
    const geometry::RowKey<Dim> key = set.rowKeys[r];
    const geometry::Coordinate low[3] = {set.intervals[set.rowOffsets[r]].begin, key.y, key.zOr0()};
    const geometry::Coordinate high[3] = {set.intervals[set.rowOffsets[r + 1] - 1].end - 1, key.y, key.zOr0()};
    bool outside = false;
    for (int d = 0; d < Dim; ++d) {
      outside = outside || (low[d] >> levels) < box.begin[d] || (high[d] >> levels) >= box.end[d];
    }
    count += static_cast<std::int64_t>(outside);
  }
};

/// Collective. Calls work(), which is this rank's own: where it throws on one rank of the domain it throws on all. No
/// domain is one process.
template <class Space, int Dim, class Work>
void agreeIn(const LevelDomain<Space, Dim>* domain, const Work& work) {
  if (domain != nullptr) {
    parallel::agree(domain->communicator(), work);
  } else {
    work();
  }
}

/// Makes levels from what is to be refined, from the finest to the root (makeLevels()).
template <class Space, int Dim>
class LevelSweep {
  using Memory = typename Space::memory_space;
  using View = geometry::IntervalSetView<Dim>;

public:
  /// With a domain everything is collective, and all ranks' hierarchies get as many levels.
  LevelSweep(const Context<Space>& context, Grading grading, MultilevelSet<Dim, Memory>& levels,
    LevelDomain<Space, Dim>* domain = nullptr)
    : context_(context), boxes_(grading), reaches_(grading != Grading::Nested), levels_(levels),
      domain_(domain == nullptr || domain->endsHere() ? nullptr : domain), frame_(context.workspace()),
      root_(levels.level(0).view()), rootBox_(boundingBox<Space, Dim>(context, levels.level(0))) {
    // The cells of the box may be more than 64 bits hold.
    std::int64_t left = root_.numCells;
    rootIsBox_ = true;
    for (int d = 0; d < Dim && left > 0; ++d) {
      rootIsBox_ = rootIsBox_ && left % rootBox_.extent(d) == 0;
      left /= rootBox_.extent(d);
    }
    rootIsBox_ = rootIsBox_ && (left == 1 || root_.numCells == 0);
  }

  /// Throws CoordinateOverflow unless a level's cells have coordinates.
  void checkLimits(int level) const {
    if (domain_ != nullptr) {
      parallel::agree(domain_->communicator(), [&] {
        checkOwnLimits(level);
        static_cast<void>(domain_->periodsOf(level)); // throws where a period has no coordinates
      });
    } else {
      checkOwnLimits(level);
    }
  }

  void checkOwnLimits(int level) const {
    const std::int64_t scale = std::int64_t{1} << level;
    for (int d = 0; d < Dim && root_.numCells > 0; ++d) {
      if (!geometry::isCellCoordinate(scale * rootBox_.begin[d]) ||
        !geometry::isCellCoordinate(scale * rootBox_.end[d] - 1)) {
        throw CoordinateOverflow("level " + std::to_string(level) + " of the root " + toString(rootBox_) +
          " passes the coordinate limits [-2^31, 2^31 - 2] along axis " + std::to_string(d));
      }
    }
  }

  /// Writes the levels 1 to numRefined of the hierarchy in which wanted(l), l < numRefined, and what the grading asks
  /// for are refined. Level l + 1 may change after wanted(l) was called.
  template <class Wanted>
  void make(int numRefined, const Wanted& wanted) {
    View finer; // what is refined one level finer
    numRefined = maxOfRanks(numRefined);
    checkLimits(numRefined);
    levels_.setNumLevels(std::max(levels_.numLevels(), numRefined + 1));
    for (int l = numRefined - 1; l >= 0; --l) {
      View refined;
      compute([&] { refined = wanted(l); });
      const View asked = required(finer, l);
      compute([&] {
        if (asked.numCells > 0) {
          refined = united(refined, asked);
        }
        writeChildren(refined, l);
      });
      finer = refined;
    }
    int count = numRefined + 1;
    while (count > 1 && levels_.level(count - 1).empty()) {
      --count;
    }
    levels_.setNumLevels(maxOfRanks(count));
  }

  /// Refines as the grading asks for.
  void grade() {
    View finer;
    levels_.setNumLevels(maxOfRanks(levels_.numLevels()));
    for (int l = levels_.finest() - 1; l >= 0; --l) {
      View refined;
      compute([&] { refined = refinedNow(l); });
      const View asked = required(finer, l);
      compute([&] {
        if (asked.numCells > 0) {
          const View now = refined;
          refined = united(now, asked);
          if (refined.numCells > now.numCells) {
            writeChildren(refined, l);
          }
        }
      });
      finer = refined;
    }
  }

  /// The cells of a level that have children.
  View refinedNow(int l) {
    const View children = levels_.level(l + 1).view();
    const auto target = geometry::detail::scratchSet<Dim>(frame_, children.numRows, children.numIntervals);
    return target.view(parentsOfFamilies<Space, Dim>(context_.space(), children, target));
  }

  /// The part of a set of level `l` that lies in the domain.
  View clipped(const View& set, int l) {
    if (rootIsBox_) {
      std::int64_t outside = 0;
      reduce(SPANWISE_KERNEL("rows outside"), IndexRange<Space>(context_.space(), 0, set.numRows),
        RowsOutsideBox<Dim>{set, rootBox_, l}, outside);
      if (outside == 0) {
        return set;
      }
    }
    geometry::WritableIntervalSet<Dim> target{};
    const geometry::SetTotals totals = clipToAncestors<Space, Dim>(
      context_.space(), set, root_, l, frame_, [&](std::int64_t rows, std::int64_t intervals) {
        return target = geometry::detail::scratchSet<Dim>(frame_, rows, intervals);
      });
    return target.view(totals);
  }

  /// What has to be refined on level `l` since `finer` is on the next.
  View required(const View& finer, int l) {
    const View whole = withNeighbours(finer, l + 1);
    View sum;
    compute([&] {
      if (whole.numCells == 0) {
        return;
      }
      for (const CoarseReach& reach : boxes_) {
        const View part = coarsened(whole, reach);
        sum = sum.numCells == 0 ? part : united(sum, part);
      }
      sum = clipped(sum, l);
    });
    return sum;
  }

private:
  template <class Work>
  void compute(const Work& work) const {
    agreeIn(domain_, work);
  }

  /// What a set of level `l` is with the cells beside it that are elsewhere in the domain.
  View withNeighbours(const View& set, int l) {
    return domain_ == nullptr || !reaches_ ? set : domain_->surrounded(context_, l, 1, set);
  }

  [[nodiscard]] int maxOfRanks(int number) const { return domain_ == nullptr ? number : domain_->maxOfRanks(number); }

  void writeChildren(const View& refined, int l) {
    auto& children = levels_.level(l + 1);
    const auto target = children.prepare(childRows<Dim> * refined.numRows, childRows<Dim> * refined.numIntervals);
    children.finish(refineInto<Space, Dim>(context_, refined, target));
  }

  View coarsened(const View& set, const CoarseReach& reach) {
    geometry::WritableIntervalSet<Dim> target{};
    const geometry::SetTotals totals =
      coarsenInto<Space, Dim>(context_.space(), set, reach, frame_, [&](std::int64_t rows, std::int64_t intervals) {
        return target = geometry::detail::scratchSet<Dim>(frame_, rows, intervals);
      });
    return target.view(totals);
  }

  View united(const View& a, const View& b) {
    const geometry::WritableIntervalSet<Dim> target =
      geometry::detail::scratchSet<Dim>(frame_, a.numRows + b.numRows, a.numIntervals + b.numIntervals);
    return target.view(geometry::detail::combineInto<Space, Dim>(
      context_, static_cast<unsigned>(geometry::SetOperation::Union), a, b, target));
  }

  const Context<Space>& context_;
  GradingBoxes<Dim> boxes_;
  bool reaches_; ///< neighbours
  MultilevelSet<Dim, Memory>& levels_;
  LevelDomain<Space, Dim>* domain_; ///< null if there is nothing around
  typename Workspace<Memory>::Frame frame_;
  View root_;
  geometry::Box<Dim> rootBox_;
  bool rootIsBox_;
};

} // namespace spanwise::multilevel::detail
