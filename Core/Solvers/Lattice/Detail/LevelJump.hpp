#pragma once

#include "Core/Field/ForCells.hpp"
#include "Core/Multilevel/Transfer.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Solvers/Lattice/Detail/JumpLinks.hpp"
#include "Core/Solvers/Lattice/Detail/JumpLists.hpp"
#include "Core/Solvers/Lattice/Detail/JumpReads.hpp"
#include "Core/Solvers/Lattice/Detail/JumpSlopes.hpp"
#include "Core/Solvers/Lattice/Detail/RowPopulations.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace spanwise::lattice::detail {

/// How populations cross from a level to the next finer one, which takes two steps for one of it, and back (M. Rohde,
/// D. Kandhai, J. J. Derksen, H. E. A. van den Akker, Int. J. Numer. Methods Fluids 51, 2006).
///
/// Coarse cells beside finer ones have children all the same, ghost cells. Before the two steps these get the
/// populations of their parents (explosion); in the first they stream with the finer cells but do not collide. What
/// then waits to stream to them is averaged for their parents (coalescence), where it comes from finer cells or has
/// gone through one; ways through coarse cells alone are left to the coarse step. So each population goes one way or
/// the other, and mass and momentum are conserved to round-off, also at corners, and where a jump meets a wall.
/// What nothing reads of ghost cells is not computed.
template <class Set, class T, class ExecutionSpace>
class LevelJump {
public:
  static constexpr int Dim = Set::dimension;
  using Memory = typename ExecutionSpace::memory_space;
  using Cells = geometry::IntervalSetOn<Dim, ExecutionSpace>;
  using Map = StreamMap<Set, Memory>;

  /// The two levels: all cells that their fields have, the coarse cells beside finer ones and their children, and where
  /// populations of both, and of the fine cells that collide, come from.
  struct Sides {
    const Cells& coarse;
    const Cells& fine;
    const Cells& parents;
    const Cells& ghosts;
    const Map& ofParents;
    const Map& ofGhosts;
    const Map& ofLeaves;
    const Map& streamed;                      ///< the ghost cells that stream() is for
    const Map& passed;                        ///< those of them that the finer level's step streams on a device
    const std::vector<const Map*>& otherwise; ///< those that stream in another way
    const Map& readByOthers;                  ///< ghost cells that other ranks may read
    const field::StencilMap<typename Set::Pattern, Memory>& neighboursOfParents;
    const field::Field<std::uint8_t, Memory>& coarseKinds; ///< CellKind of all coarse cells
  };

  /// Collective. `work` are two fields of the finer level that are of no use yet; fillHalo(field) fetches what others
  /// have of one.
  template <class Field, class FillHalo>
  void build(const Context<ExecutionSpace>& context, const Sides& sides, Field (&work)[2], const FillHalo& fillHalo) {
    const ExecutionSpace& space = context.space();
    parallel::agree(context.communicator(), [&] {
      multilevel::buildProlongation<ExecutionSpace, Dim>(
        context, sides.coarse, sides.fine, sides.ghosts, multilevel::Prolongation::Injection, families_);
    });

    // Marked are first the populations of cells that collide, then those that have been in one after a step.
    mark(space, sides.ofLeaves, nullptr, true, work[0]);
    mark(space, sides.ofGhosts, nullptr, false, work[0]);
    fillHalo(work[0]);
    mark(space, sides.ofLeaves, nullptr, true, work[1]);
    mark(space, sides.ofGhosts, work[0].view().values, false, work[1]);
    fillHalo(work[1]);
    parallel::agree(context.communicator(), [&] { chooseLists(context, sides, work); });
  }

  void explode(const ExecutionSpace& space, const FieldView<const T>& coarse, const FieldView<T>& fine) const {
    if (isListed_) {
      const auto count = static_cast<std::int64_t>(listOfExploded_.extent(0));
      forEach(SPANWISE_KERNEL("explode"), IndexRange<ExecutionSpace>(space, 0, count),
        ExplodeListed<Set, T>{listOfExploded_.data(), parents_.data(), coarse, fine});
      return;
    }
    const geometry::SegmentsView rows = families_.familyCells.view();
    field::forCells(space, SPANWISE_KERNEL("explode"), exploded_.numValues(),
      Explode<Set, T>{exploded_.view(), rows.offsets, families_.familyRuns.data(), slopes_.data(), coarse, fine});
  }
  /// What ghost cells do in the first of the two steps.
  void stream(const ExecutionSpace& space, const StepFields<T>& fields) const {
    if (isListed_) {
      const auto count = static_cast<std::int64_t>(listOfStreamed_.extent(0));
      const std::int64_t numThreads = (count + CopyStreamed<T>::atOnce - 1) / CopyStreamed<T>::atOnce;
      forEach(SPANWISE_KERNEL("stream"), IndexRange<ExecutionSpace>(space, 0, numThreads),
        CopyStreamed<T>{listOfStreamed_.data(), count, numThreads, fields});
      return;
    }
    field::forCells(space, SPANWISE_KERNEL("stream"), streamed_.numValues(),
      CopyRuns<T>{streamed_.view().lengths, runs_.data(), fields});
  }
  /// `fine` is what the finer level's second step has read, after its walls have moved.
  void coalesce(const ExecutionSpace& space, const T* fine, T* coarse) const {
    if (isListed_) {
      const auto count = static_cast<std::int64_t>(shortLinks_.extent(0));
      forEach(SPANWISE_KERNEL("coalesce"), IndexRange<ExecutionSpace>(space, 0, count),
        Coalesce<ShortJumpLink<Dim>, T>{shortLinks_.data(), fine, coarse});
      return;
    }
    forEach(SPANWISE_KERNEL("coalesce"), IndexRange<ExecutionSpace>(space, 0, numLinks()),
      Coalesce<JumpLink<Dim>, T>{links_.data(), fine, coarse});
  }
  [[nodiscard]] std::size_t bytes() const {
    return links_.span() * sizeof(JumpLink<Dim>) + slopes_.span() * sizeof(JumpSlopes<Dim>) + exploded_.bytes() +
      streamed_.bytes() + runs_.span() * sizeof(StreamRun) + shortLinks_.span() * sizeof(ShortJumpLink<Dim>) +
      parents_.span() * sizeof(JumpParent<Dim>) + listOfExploded_.span() * sizeof(ExplodedValue) +
      listOfStreamed_.span() * sizeof(StreamedValue);
  }

private:
  using Links = Kokkos::View<JumpLink<Dim>*, Memory>;
  using ShortLinks = Kokkos::View<ShortJumpLink<Dim>*, Memory>;
  using Slopes = Kokkos::View<JumpSlopes<Dim>*, Memory>;
  using Parents = Kokkos::View<JumpParent<Dim>*, Memory>;

  [[nodiscard]] std::int64_t numLinks() const { return static_cast<std::int64_t>(links_.extent(0)); }

  /// Marks the places of a map's cells, or those that have read a marked one.
  template <class Field>
  static void mark(const ExecutionSpace& space, const Map& map, const T* read, bool is, Field& marks) {
    field::forCells(space, SPANWISE_KERNEL("mark places"), map.numCells(),
      MarkPlaces<Set, T>{map.lengths(), map.segments(), marks.view().cellStride, read, T(Arithmetic<T>(is ? 1 : 0)),
        marks.view().values});
  }

  void findLinks(const Context<ExecutionSpace>& context, const Sides& sides, const FieldView<T>& marks) {
    const ExecutionSpace& space = context.space();
    multilevel::TransferMapOn<Dim, ExecutionSpace> numbers;
    multilevel::buildProlongation<ExecutionSpace, Dim>(
      context, sides.parents, sides.ghosts, sides.ghosts, multilevel::Prolongation::Injection, numbers);
    typename Workspace<Memory>::Frame frame(context.workspace());
    const auto list = [&](const Map& map) {
      const auto sources = frame.template array<std::int64_t>(map.numCells() * Set::count);
      field::forCells(space, SPANWISE_KERNEL("list sources"), map.numCells(), // the levels' layouts are alike
        ListSources<Set>{map.lengths(), map.segments(), marks.cellStride, sources.data()});
      return sources.data();
    };
    const std::int64_t numParents = sides.parents.numCells();
    const std::int64_t numCounts = numParents * (Set::count - 1);
    const auto counts = frame.template array<std::int64_t>(numCounts + 1);
    FindJumpLinks<Set, T> find{numbers.familyCells.view(), numbers.familyRuns.data(), numParents, list(sides.ofParents),
      list(sides.ofGhosts), marks.values, counts.data(), nullptr};
    field::forCells(space, SPANWISE_KERNEL("count jumps"), numParents, find);
    const std::int64_t count = exclusiveScan(space, SPANWISE_KERNEL("scan jumps"), counts.data(), numCounts);
    links_ = Links("Spanwise::Lattice::jumpLinks", static_cast<std::size_t>(count));
    find.links = links_.data();
    field::forCells(space, SPANWISE_KERNEL("fill jumps"), numParents, find);
    space.fence(SPANWISE_LABEL("LevelJump::findLinks"));
  }

  /// Chooses what of ghost cells is streamed and exploded: populations of rows of which any is read.
  template <class Field>
  void choose(const Context<ExecutionSpace>& context, const Sides& sides, Field (&work)[2]) {
    const ExecutionSpace& space = context.space();
    const auto markSources = [&](const Map& map, Field& marks) {
      field::forCells(space, SPANWISE_KERNEL("mark sources"), map.numCells(),
        MarkSources<Set, T>{map.lengths(), map.segments(), marks.view().cellStride, marks.view().values});
    };
    for (Field& marks : work) { // what both steps read
      mark(space, sides.ofGhosts, nullptr, false, marks);
      mark(space, sides.readByOthers, nullptr, true, marks);
      markSources(sides.ofLeaves, marks);
    }
    forEach(SPANWISE_KERNEL("mark links"), IndexRange<ExecutionSpace>(space, 0, numLinks()), // after the second one
      MarkLinks<Dim, T>{links_.data(), work[0].view().values});
    typename Workspace<Memory>::Frame frame(context.workspace());
    const auto chosenOf = [&](const geometry::SegmentsView& rows) {
      const auto chosen = frame.template array<PopulationBits>(rows.count);
      Kokkos::deep_copy(space, chosen, PopulationBits{0});
      return chosen.data();
    };
    const geometry::SegmentsView streamed = sides.streamed.lengths();
    PopulationBits* const ofStreamed = chosenOf(streamed);
    field::forCells(space, SPANWISE_KERNEL("choose streamed"), streamed.numCells,
      ChooseMarked<Set, T>{
        streamed, sides.streamed.segments(), work[0].view().cellStride, work[0].view().values, ofStreamed});
    streamed_.build(context, streamed, ofStreamed, Set::count);
    reserve(runs_, streamed_.numEntries(), SPANWISE_LABEL("Lattice::streamRuns"));
    forEach(SPANWISE_KERNEL("find runs"), IndexRange<ExecutionSpace>(space, 0, streamed_.numEntries()),
      FindStreamRuns<Set>{streamed_.view().entries, sides.streamed.segments(), runs_.data()});

    const auto listStreamed = [&] {
      const auto view = work[0].view();
      listMarked(context, streamed_.numValues(),
        ListStreamed<T>{streamed_.view().lengths, runs_.data(), view.cellStride, view.values, nullptr, nullptr},
        listOfStreamed_);
    };
    if (isListed_) {
      listStreamed();
      const auto count = static_cast<std::int64_t>(listOfStreamed_.extent(0));
      forEach(SPANWISE_KERNEL("mark streamed"), IndexRange<ExecutionSpace>(space, 0, count), // read by the first one
        MarkStreamed<T>{listOfStreamed_.data(), work[1].view().values});
    } else {
      field::forCells(space, SPANWISE_KERNEL("mark streamed"), streamed_.numValues(), // the first one reads these too
        MarkRuns<T>{streamed_.view().lengths, runs_.data(), work[1].view().cellStride, work[1].view().values});
    }
    for (const Map* const map : sides.otherwise) {
      markSources(*map, work[1]);
    }
    const geometry::SegmentsView exploded = families_.familyCells.view();
    PopulationBits* const ofExploded = chosenOf(exploded);
    field::forCells(space, SPANWISE_KERNEL("choose exploded"), exploded.numCells,
      ChooseMarkedInChildren<Set, T>{exploded, families_.familyRuns.data(), std::as_const(work[1]).view(), ofExploded});
    exploded_.build(context, exploded, ofExploded, Set::count);
    if (isListed_) {
      parents_ = Parents("Spanwise::Lattice::jumpParents", slopes_.extent(0));
      field::forCells(space, SPANWISE_KERNEL("find parents"), exploded.numCells,
        FindJumpParents<Dim>{exploded, families_.familyRuns.data(), slopes_.data(), parents_.data()});
      listMarked(context, exploded_.numValues(),
        ListExploded<Dim, T>{
          exploded_.view(), exploded.offsets, parents_.data(), std::as_const(work[1]).view(), nullptr, nullptr},
        listOfExploded_);
      if (sides.passed.numCells() > 0) {
        mark(space, sides.passed, nullptr, false, work[0]); // only now: explosion is for what these read too
        listStreamed();
      }
    }
  }

  /// What steps do between the levels, given what is marked in `work`.
  template <class Field>
  void chooseLists(const Context<ExecutionSpace>& context, const Sides& sides, Field (&work)[2]) {
    const ExecutionSpace& space = context.space();
    findLinks(context, sides, work[1].view());

    const std::int64_t numParents = sides.parents.numCells();
    slopes_ = Slopes("Spanwise::Lattice::jumpSlopes", static_cast<std::size_t>(numParents));
    field::forCells(space, SPANWISE_KERNEL("find slopes"), numParents,
      FindJumpSlopes<Set>{
        sides.ofParents.lengths(), sides.neighboursOfParents.segments(), sides.coarseKinds.view(), slopes_.data()});

    const std::int64_t numPlaces = std::max(sides.coarse.numCells(), sides.fine.numCells()) * Set::count;
    isListed_ = !runsOnHost<ExecutionSpace> && work[0].view().isInColumns() &&
      numPlaces <= std::numeric_limits<std::uint32_t>::max();
    choose(context, sides, work);
    if (isListed_) {
      shorten(space);
    }
    space.fence(SPANWISE_LABEL("LevelJump::build"));
  }

  /// Lists those of so many values that are marked.
  template <class Body, class Value>
  static void listMarked(
    const Context<ExecutionSpace>& context, std::int64_t numValues, Body body, Kokkos::View<Value*, Memory>& out) {
    const ExecutionSpace& space = context.space();
    typename Workspace<Memory>::Frame frame(context.workspace());
    body.numbers = frame.template array<std::int64_t>(numValues + 1).data();
    field::forCells(space, SPANWISE_KERNEL("count values"), numValues, body);
    const std::int64_t count = exclusiveScan(space, SPANWISE_KERNEL("scan values"), body.numbers, numValues);
    out = Kokkos::View<Value*, Memory>("Spanwise::Lattice::jumpValues", static_cast<std::size_t>(count));
    body.list = out.data();
    field::forCells(space, SPANWISE_KERNEL("list values"), count > 0 ? numValues : 0, body);
    space.fence(SPANWISE_LABEL("LevelJump::listMarked"));
  }

  /// Replaces links by shorter ones, and lets go of what lists stand for.
  void shorten(const ExecutionSpace& space) {
    shortLinks_ = ShortLinks("Spanwise::Lattice::jumpLinks", links_.extent(0));
    forEach(SPANWISE_KERNEL("shorten links"), IndexRange<ExecutionSpace>(space, 0, numLinks()),
      ShortenLinks<Dim>{links_.data(), shortLinks_.data()});
    space.fence(SPANWISE_LABEL("LevelJump::shorten"));
    links_ = Links();
    slopes_ = Slopes();
    exploded_ = RowPopulations<Memory>();
    streamed_ = RowPopulations<Memory>();
    runs_ = Kokkos::View<StreamRun*, Memory>();
    families_ = multilevel::TransferMapOn<Dim, ExecutionSpace>();
  }

  multilevel::TransferMapOn<Dim, ExecutionSpace> families_;
  Links links_;
  Slopes slopes_;                         ///< of parents
  RowPopulations<Memory> exploded_;       ///< of the rows of families
  RowPopulations<Memory> streamed_;       ///< of the rows of ghost cells
  Kokkos::View<StreamRun*, Memory> runs_; ///< of the same
  bool isListed_ = false;                 ///< then what follows takes the place of all of these
  ShortLinks shortLinks_;
  Parents parents_;
  Kokkos::View<ExplodedValue*, Memory> listOfExploded_;
  Kokkos::View<StreamedValue*, Memory> listOfStreamed_;
};

} // namespace spanwise::lattice::detail
