#pragma once

#include "Core/Field/ForCells.hpp"
#include "Core/Multilevel/Transfer.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Solvers/Lattice/Detail/StepKernel.hpp"

#include <cstdint>

namespace spanwise::lattice::detail {

/// A population that comes to a coarse cell. Its ways to the children of that cell, which take two steps of the finer
/// level, lead through cells of that level as far as they are listed; the others lead through coarse cells alone.
template <int Dim>
struct JumpLink {
  static constexpr int children = 1 << Dim;

  std::int64_t to;             ///< where the coarse step reads it
  std::int64_t from[children]; ///< where the finer level's second step would read those of children
  std::int32_t count;          ///< of these
};

/// Where the step of a map's cells reads their populations: sources[cell * count + population].
template <class Set>
struct ListSources {
  geometry::SegmentsView lengths;
  const StreamSegment<Set>* segments;
  std::int64_t cellStride;
  std::int64_t* sources;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    lengths.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) {
        for (int q = 0; q < Set::count; ++q) {
          sources[(lengths.offsets[s] + k) * Set::count + q] = sourceOf(segments[s], q) + k * cellStride;
        }
      }
    });
  }
};

/// Marks the places of cells that collide, or of such as have read a marked one.
template <class Set, class T>
struct MarkPlaces {
  geometry::SegmentsView lengths;
  const StreamSegment<Set>* segments;
  std::int64_t cellStride;
  const T* before; ///< null: all get `value`
  T value;
  T* marks;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    lengths.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      for (int q = 0; q < Set::count; ++q) {
        for (std::int64_t k = begin; k < end; ++k) {
          const std::int64_t at = k * cellStride;
          marks[segments[s].own + q * segments[s].ownStride + at] =
            before == nullptr ? value : before[sourceOf(segments[s], q) + at];
        }
      }
    });
  }
};

/// Counts the links of coarse cells, or writes them: population by population, so that neighbours in the list are
/// neighbours in memory.
template <class Set, class T>
struct FindJumpLinks {
  static constexpr int Dim = Set::dimension;

  geometry::SegmentsView cells; ///< coarse ones
  const multilevel::ChildRun<Dim>* runs;
  std::int64_t numCells;
  const std::int64_t* coarseSources;
  const std::int64_t* fineSources;
  const T* marks;       ///< 0 or 1
  std::int64_t* counts; ///< [population][cell]; then the first link
  JumpLink<Dim>* links; ///< null: they are counted

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    cells.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) {
        const std::int64_t cell = cells.offsets[s] + k;
        for (int q = 1; q < Set::count; ++q) {
          JumpLink<Dim> link{coarseSources[cell * Set::count + q], {}, 0};
          for (int r = 0; r < multilevel::childRows<Dim>; ++r) {
            for (int x = 0; x < 2; ++x) {
              const std::int64_t place = fineSources[(runs[s].fine[r] + 2 * k + x) * Set::count + q];
              if (static_cast<Arithmetic<T>>(marks[place]) > Arithmetic<T>(0)) {
                link.from[link.count++] = place;
              }
            }
          }
          std::int64_t& count = counts[(q - 1) * numCells + cell];
          if (links == nullptr) {
            count = link.count > 0 ? 1 : 0;
          } else if (link.count > 0) {
            links[count] = link;
          }
        }
      }
    });
  }
};

/// What a cell of a level is to the finer level.
enum class CellKind : std::uint8_t {
  Ghost,  ///< a child of a coarser cell
  Leaf,   ///< stepped
  Covered ///< has children
};

/// How a coarse cell's populations are spread over its children.
template <int Dim>
struct JumpSlopes {
  static constexpr unsigned none = 3;

  std::int32_t distance[2 * Dim]; ///< to the neighbour down and up each axis; 0 where it is not a leaf
  std::uint64_t entries;          ///< the axis along which each population comes to the finer level, or none: 2 bits

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION unsigned entry(int q) const {
    return static_cast<unsigned>(entries >> (2 * static_cast<unsigned>(q)) & 3U);
  }
};

/// Finds which neighbours are leaves, and through which faces all of a population comes to the finer level.
template <class Set>
struct FindJumpSlopes {
  static constexpr int Dim = Set::dimension;
  using Pattern = typename Set::Pattern;
  using Neighbours = field::StencilSegment<Pattern::count>;

  geometry::SegmentsView lengths;
  const Neighbours* neighbours;
  FieldView<const std::uint8_t> kinds;
  JumpSlopes<Dim>* slopes;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    lengths.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) {
        JumpSlopes<Dim> found{};
        unrolled<2 * Dim>([&](auto side) {
          constexpr int n = decltype(side)::value;
          constexpr int sign = n % 2 == 0 ? -1 : 1;
          constexpr int to = neighbourOf < n / 2 == 0 ? sign : 0, n / 2 == 1 ? sign : 0, n / 2 == 2 ? sign : 0 > ;
          found.distance[n] = is(s, k, to, CellKind::Leaf) ? neighbours[s].distance[to] : 0;
        });
        unrolled<Set::count>([&](auto n) {
          constexpr int q = decltype(n)::value;
          found.entries |= std::uint64_t{entryOf<q>(s, k)} << (2 * static_cast<unsigned>(q));
        });
        slopes[lengths.offsets[s] + k] = found;
      }
    });
  }

private:
  template <int x, int y, int z>
  static constexpr int neighbourOf = Pattern::indexOf({x, y, z});

  [[nodiscard]] KOKKOS_FUNCTION bool is(std::int64_t s, std::int64_t k, int neighbour, CellKind kind) const {
    const std::int32_t distance = neighbours[s].distance[neighbour];
    return !Neighbours::isAbsent(distance) &&
      kinds(neighbours[s].cell + k + distance, 0) == static_cast<std::uint8_t>(kind);
  }

  /// The axis such that of the cells that the population passes those beyond a face across it have children, and the
  /// others have none.
  template <int q>
  [[nodiscard]] KOKKOS_FUNCTION unsigned entryOf(std::int64_t s, std::int64_t k) const {
    unsigned possible = (1U << Dim) - 1;
    unrolled<8>([&](auto mask) {
      constexpr int m = decltype(mask)::value;
      constexpr int x = Set::velocity(q, 0);
      constexpr int y = Set::velocity(q, 1);
      constexpr int z = Set::velocity(q, 2);
      constexpr bool passes = ((m & 1) == 0 || x != 0) && ((m & 2) == 0 || y != 0) && ((m & 4) == 0 || z != 0);
      if constexpr (m != 0 && passes) {
        constexpr int to = neighbourOf < (m & 1) != 0 ? x : 0, (m & 2) != 0 ? y : 0, (m & 4) != 0 ? z : 0 > ;
        possible &= is(s, k, to, CellKind::Covered) ? static_cast<unsigned>(m) : ~static_cast<unsigned>(m);
      }
    });
    unsigned axis = JumpSlopes<Dim>::none;
    unrolled<Dim>([&](auto d) {
      constexpr int n = decltype(d)::value;
      if (Set::velocity(q, n) != 0 && (possible >> n & 1U) != 0) {
        axis = n;
      }
    });
    return axis;
  }
};

/// Gives children what their parent has, and along the face through which they come to the finer level what slopes
/// make of it (H. Chen, O. Filippova, J. Hoch, K. Molvig, R. Shock, C. Teixeira, R. Zhang, Physica A 362, 2006); their
/// mean is the parent's value.
///
/// With the slope g of a population with the velocity c, in equilibrium, one that has collided on a level has
/// - (time - 1) c . g on top, where g is less and the time longer from a level to the next. So a child at the place d
/// from its parent's centre, in coarse cells, should have g . (d - c / 4) more than its parent where it comes to the
/// finer level at once, and g . (d + c / 4) where it takes two steps: nothing along the axis n across the face, and
/// along another one d_d - c_d c_n d_n.
template <class Set, class T>
struct Explode {
  static constexpr int Dim = Set::dimension;
  using Real = Arithmetic<T>;

  geometry::SegmentsView cells;
  const multilevel::ChildRun<Dim>* runs;
  const JumpSlopes<Dim>* slopes;
  FieldView<const T> coarse;
  FieldView<T> fine;

  KOKKOS_FUNCTION void operator()(int q, std::int64_t first, std::int64_t last) const {
    int velocity[3];
    for (int d = 0; d < 3; ++d) {
      velocity[d] = Set::velocity(q, d);
    }
    cells.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) {
        const std::int64_t parent = runs[s].coarse + k;
        const auto value = static_cast<Real>(coarse(parent, q));
        Real along[3] = {}; // what a child has more at the upper half of each axis
        const JumpSlopes<Dim>& with = slopes[cells.offsets[s] + k];
        const unsigned n = with.entry(q);
        if (n != JumpSlopes<Dim>::none) {
          for (unsigned d = 0; d < Dim; ++d) {
            if (d != n) {
              const Real quarter =
                Real(0.25) * slopeOf(with.distance[2 * d], with.distance[2 * d + 1], parent, q, value);
              along[d] += quarter;
              along[n] -= static_cast<Real>(velocity[d] * velocity[n]) * quarter;
            }
          }
        }
        for (int r = 0; r < multilevel::childRows<Dim>; ++r) {
          const Real row = value + ((r & 1) != 0 ? along[1] : -along[1]) + ((r >> 1) != 0 ? along[2] : -along[2]);
          fine(runs[s].fine[r] + 2 * k, q) = static_cast<T>(row - along[0]);
          fine(runs[s].fine[r] + 2 * k + 1, q) = static_cast<T>(row + along[0]);
        }
      }
    });
  }

private:
  /// From one neighbour to the other, or where one is missing from the cell itself.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Real slopeOf(
    std::int32_t down, std::int32_t up, std::int64_t cell, int q, Real value) const {
    if (down == 0 && up == 0) {
      return 0;
    }
    const Real lower = down == 0 ? value : static_cast<Real>(coarse(cell + down, q));
    const Real upper = up == 0 ? value : static_cast<Real>(coarse(cell + up, q));
    return down != 0 && up != 0 ? Real(0.5) * (upper - lower) : upper - lower;
  }
};

/// Gives coarse cells the mean of what comes to their children.
template <int Dim, class T>
struct Coalesce {
  const JumpLink<Dim>* links;
  const T* fine;
  T* coarse;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    using Real = Arithmetic<T>;
    constexpr int children = JumpLink<Dim>::children;
    const JumpLink<Dim>& link = links[n];
    // Where all ways are listed there may be nothing in the place yet.
    Real sum = link.count == children ? Real(0) : Real(children - link.count) * static_cast<Real>(coarse[link.to]);
    for (int k = 0; k < link.count; ++k) {
      sum += static_cast<Real>(fine[link.from[k]]);
    }
    coarse[link.to] = static_cast<T>(sum * (Real(1) / Real(children)));
  }
};

/// How populations cross from a level to the next finer one, which takes two steps for one of it, and back (M. Rohde,
/// D. Kandhai, J. J. Derksen, H. E. A. van den Akker, Int. J. Numer. Methods Fluids 51, 2006).
///
/// Coarse cells beside finer ones have children all the same, ghost cells. Before the two steps these get the
/// populations of their parents (explosion); in the first they stream with the finer cells but do not collide. What
/// then waits to stream to them is averaged for their parents (coalescence), where it comes from finer cells or has
/// gone through one; ways through coarse cells alone are left to the coarse step. So each population goes one way or
/// the other, and mass and momentum are conserved to round-off, also at corners, and where a jump meets a wall.
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
    const field::StencilMap<typename Set::Pattern, Memory>& neighboursOfParents;
    const field::Field<std::uint8_t, Memory>& coarseKinds; ///< CellKind of all coarse cells
  };

  /// Collective. `work` are two fields of the finer level that are of no use yet; fillHalo(field) fetches what others
  /// have of one.
  template <class Field, class FillHalo>
  void build(const Context<ExecutionSpace>& context, const Sides& sides, Field (&work)[2], const FillHalo& fillHalo) {
    const ExecutionSpace& space = context.space();
    constexpr auto method = multilevel::Prolongation::Injection;
    multilevel::buildProlongation<ExecutionSpace, Dim>(
      context, sides.coarse, sides.fine, sides.ghosts, method, families_);
    multilevel::TransferMapOn<Dim, ExecutionSpace> numbers;
    multilevel::buildProlongation<ExecutionSpace, Dim>(
      context, sides.parents, sides.ghosts, sides.ghosts, method, numbers);

    // Marked are first the populations of cells that collide, then those that have been in one after a step.
    const std::int64_t stride = work[0].view().cellStride; // the levels' layouts are alike
    const T no = T(Arithmetic<T>(0));
    const T yes = T(Arithmetic<T>(1));
    const auto mark = [&](const Map& map, const T* from, T value, Field& to) {
      field::forCells(space, SPANWISE_KERNEL("mark places"), map.numCells(),
        MarkPlaces<Set, T>{map.lengths(), map.segments(), stride, from, value, to.view().values});
    };
    mark(sides.ofLeaves, nullptr, yes, work[0]);
    mark(sides.ofGhosts, nullptr, no, work[0]);
    fillHalo(work[0]);
    mark(sides.ofLeaves, nullptr, yes, work[1]);
    mark(sides.ofGhosts, work[0].view().values, no, work[1]);
    fillHalo(work[1]);

    typename Workspace<Memory>::Frame frame(context.workspace());
    const auto list = [&](const Map& map) {
      const auto sources = frame.template array<std::int64_t>(map.numCells() * Set::count);
      field::forCells(space, SPANWISE_KERNEL("list sources"), map.numCells(),
        ListSources<Set>{map.lengths(), map.segments(), stride, sources.data()});
      return sources.data();
    };
    const std::int64_t numParents = sides.parents.numCells();
    const std::int64_t numCounts = numParents * (Set::count - 1);
    const auto counts = frame.template array<std::int64_t>(numCounts + 1);
    FindJumpLinks<Set, T> find{numbers.familyCells.view(), numbers.familyRuns.data(), numParents, list(sides.ofParents),
      list(sides.ofGhosts), work[1].view().values, counts.data(), nullptr};
    field::forCells(space, SPANWISE_KERNEL("count jumps"), numParents, find);
    const std::int64_t count = exclusiveScan(space, SPANWISE_KERNEL("scan jumps"), counts.data(), numCounts);
    links_ = Links("Spanwise::Lattice::jumpLinks", static_cast<std::size_t>(count));
    find.links = links_.data();
    field::forCells(space, SPANWISE_KERNEL("fill jumps"), numParents, find);

    slopes_ = Slopes("Spanwise::Lattice::jumpSlopes", static_cast<std::size_t>(numParents));
    field::forCells(space, SPANWISE_KERNEL("find slopes"), numParents,
      FindJumpSlopes<Set>{
        sides.ofParents.lengths(), sides.neighboursOfParents.segments(), sides.coarseKinds.view(), slopes_.data()});
    space.fence(SPANWISE_LABEL("LevelJump::build"));
  }

  void explode(const ExecutionSpace& space, const FieldView<const T>& coarse, const FieldView<T>& fine) const {
    field::forCellsOfComponents(space, SPANWISE_KERNEL("explode"), families_.familyCells.numCells(), Set::count,
      Explode<Set, T>{families_.familyCells.view(), families_.familyRuns.data(), slopes_.data(), coarse, fine});
  }
  /// `fine` is what the finer level's second step has read, after its walls have moved.
  void coalesce(const ExecutionSpace& space, const T* fine, T* coarse) const {
    const auto count = static_cast<std::int64_t>(links_.extent(0));
    forEach(SPANWISE_KERNEL("coalesce"), IndexRange<ExecutionSpace>(space, 0, count),
      Coalesce<Dim, T>{links_.data(), fine, coarse});
  }
  [[nodiscard]] std::size_t bytes() const {
    return links_.span() * sizeof(JumpLink<Dim>) + slopes_.span() * sizeof(JumpSlopes<Dim>);
  }

private:
  using Links = Kokkos::View<JumpLink<Dim>*, Memory>;
  using Slopes = Kokkos::View<JumpSlopes<Dim>*, Memory>;

  multilevel::TransferMapOn<Dim, ExecutionSpace> families_;
  Links links_;
  Slopes slopes_; ///< of parents
};

} // namespace spanwise::lattice::detail
