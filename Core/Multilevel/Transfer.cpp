#include "Core/Multilevel/Transfer.hpp"

#include "Core/Field/Detail/Checks.hpp"
#include "Core/Field/Detail/ForCells.hpp"
#include "Core/Field/Stencil.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Detail/Combine.hpp"
#include "Core/Geometry/Detail/Parts.hpp"
#include "Core/Multilevel/Detail/Coarsen.hpp"
#include "Core/Multilevel/Detail/IntervalSegments.hpp"
#include "Core/Multilevel/Prolongation.hpp"
#include "Core/Runtime/Reduce.hpp"

#include <limits>
#include <type_traits>

namespace spanwise {

namespace {

using namespace detail;

template <class ExecutionSpace>
using WorkspaceOn = Workspace<typename ExecutionSpace::memory_space>;

// --- the map ---

/// One run for each interval that is prolonged onto. A run that has no place gets the number -1.
template <int Dim>
struct FindParents {
  IntervalSetView<Dim> onto;
  IntervalSetView<Dim> coarse;
  IntervalSetView<Dim> fine;
  ParentRun* runs;

  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t /*k*/, std::int64_t i) const {
    const RowKey<Dim> key = onto.rowKeys[row];
    const Interval cells = onto.intervals[i];
    const Interval parents = coarser(cells, 0);
    ParentRun run{};
    run.fine = firstOfCells(fine, key, cells);
    run.coarse = firstOfCells(coarse, parentRow(key), parents);
    run.upper = (cells.begin & 1) | (key.y & 1) << 1 | (key.zOr0() & 1) << 2;
    runs[i] = run;
  }
};

/// Counts fine cells that are not in the fine set, and those without a parent.
struct Missing {
  std::int64_t fine = 0;
  std::int64_t coarse = 0;
  KOKKOS_FUNCTION Missing& operator+=(const Missing& other) {
    fine += other.fine;
    coarse += other.coarse;
    return *this;
  }
};

struct CountMissing {
  using value_type = Missing;
  const ParentRun* runs;
  KOKKOS_FUNCTION void operator()(std::int64_t i, Missing& missing) const {
    missing.fine += static_cast<std::int64_t>(runs[i].fine < 0);
    missing.coarse += static_cast<std::int64_t>(runs[i].coarse < 0);
  }
};

template <int Dim>
struct FindChildren {
  IntervalSetView<Dim> refined;
  IntervalSetView<Dim> coarse;
  IntervalSetView<Dim> fine;
  ChildRun<Dim>* runs;

  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t /*k*/, std::int64_t i) const {
    const RowKey<Dim> key = refined.rowKeys[row];
    const Interval cells = refined.intervals[i];
    ChildRun<Dim> run{};
    run.coarse = firstOfCells(coarse, key, cells);
    for (int r = 0; r < childRows<Dim>; ++r) {
      run.fine[r] = firstOfCells(fine, childRow(key, r), Interval{2 * cells.begin, 2 * cells.end});
    }
    runs[i] = run;
  }
};

// --- prolongation ---

/// Writes slopes at coarse cells for one component. Missing neighbours read as NaN.
template <int Dim, class T, Prolongation method>
struct WriteSlopes {
  static constexpr int count = numSlopes<Dim>(method);
  T* slopes[count];

  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Point& point) const {
    const std::int64_t cell = point.cell();
    const T centre = point.centre();
    slopes[0][cell] = slope<method, T>(point.template lower<0>(), centre, point.template upper<0>());
    slopes[1][cell] = slope<method, T>(point.template lower<1>(), centre, point.template upper<1>());
    if constexpr (Dim == 3) {
      slopes[2][cell] = slope<method, T>(point.template lower<2>(), centre, point.template upper<2>());
    }
    if constexpr (method == Prolongation::ThirdOrder) {
      slopes[Dim][cell] = mixedSlope<T>(
        point.template at<-1, -1>(), point.template at<1, -1>(), point.template at<-1, 1>(), point.template at<1, 1>());
      if constexpr (Dim == 3) {
        slopes[4][cell] = mixedSlope<T>(point.template at<-1, 0, -1>(), point.template at<1, 0, -1>(),
          point.template at<-1, 0, 1>(), point.template at<1, 0, 1>());
        slopes[5][cell] = mixedSlope<T>(point.template at<0, -1, -1>(), point.template at<0, 1, -1>(),
          point.template at<0, -1, 1>(), point.template at<0, 1, 1>());
      }
    }
  }
};

/// Writes the fine cells of one component.
template <int Dim, class T, Prolongation method>
struct WriteFine {
  static constexpr int count = numSlopes<Dim>(method);
  SegmentsView cells;
  const ParentRun* runs;
  const T* coarse;
  const T* slopes[count > 0 ? count : 1];
  T* fine;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    cells.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      const ParentRun run = runs[s];
      const std::int64_t odd = run.upper & 1;
      T* const out = fine + run.fine - odd; // where the first parent's lower child is
      const std::int64_t low = begin + odd;
      const std::int64_t high = end + odd;
      if ((low & 1) != 0) {
        out[low] = child(run, low >> 1, T{1});
      }
      const std::int64_t firstPair = (low + 1) >> 1;
      const std::int64_t endPair = high >> 1;
      pairs(run, firstPair, endPair, out);
      if ((high & 1) != 0 && high - 1 >= low) {
        out[high - 1] = child(run, high >> 1, static_cast<T>(-1));
      }
    });
  }

  KOKKOS_FORCEINLINE_FUNCTION void pairs(const ParentRun& run, std::int64_t first, std::int64_t end, T* out) const {
    SPANWISE_INDEPENDENT
    for (std::int64_t j = first; j < end; ++j) {
      const T middle = middleOf(run, run.coarse + j);
      if constexpr (method == Prolongation::Injection) {
        out[2 * j] = middle;
        out[2 * j + 1] = middle;
      } else {
        const T alongX = slopeX(run, run.coarse + j);
        out[2 * j] = middle - alongX;
        out[2 * j + 1] = middle + alongX;
      }
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION T child(const ParentRun& run, std::int64_t j, T side) const {
    const T middle = middleOf(run, run.coarse + j);
    return method == Prolongation::Injection ? middle : static_cast<T>(middle + side * slopeX(run, run.coarse + j));
  }
  KOKKOS_FORCEINLINE_FUNCTION static T sign(const ParentRun& run, int axis) {
    return (run.upper >> axis & 1) != 0 ? T{1} : static_cast<T>(-1);
  }

  /// The mean of the two children along x.
  KOKKOS_FORCEINLINE_FUNCTION T middleOf(const ParentRun& run, std::int64_t cell) const {
    if constexpr (method == Prolongation::Injection) {
      return coarse[cell];
    } else {
      T value = coarse[cell] + sign(run, 1) * slopes[1][cell];
      if constexpr (Dim == 3) {
        value += sign(run, 2) * slopes[2][cell];
        if constexpr (method == Prolongation::ThirdOrder) {
          value += sign(run, 1) * sign(run, 2) * slopes[5][cell];
        }
      }
      return value;
    }
  }
  /// Half of what they differ by.
  KOKKOS_FORCEINLINE_FUNCTION T slopeX(const ParentRun& run, std::int64_t cell) const {
    if constexpr (method == Prolongation::Injection) {
      return T{0};
    } else {
      T value = slopes[0][cell];
      if constexpr (method == Prolongation::ThirdOrder) {
        value += sign(run, 1) * slopes[Dim][cell];
        if constexpr (Dim == 3) {
          value += sign(run, 2) * slopes[4][cell];
        }
      }
      return value;
    }
  }
};

template <class Space, int Dim, class T, Prolongation method>
void prolongBy(const Space& space, const TransferMapOn<Dim, Space>& map, const FieldView<const T>& coarse,
  const FieldView<T>& fine, WorkspaceOn<Space>& workspace) {
  using Fine = WriteFine<Dim, T, method>;
  typename WorkspaceOn<Space>::Frame frame(workspace);
  Fine write{};
  write.cells = map.fineCells.view();
  write.runs = map.parentRuns.data();
  [[maybe_unused]] WriteSlopes<Dim, T, method == Prolongation::Injection ? Prolongation::Linear : method> find{};
  for (int k = 0; k < Fine::count; ++k) {
    write.slopes[k] = find.slopes[k] = frame.template array<T>(coarse.numCells).data();
  }
  for (int c = 0; c < coarse.numComponents; ++c) {
    if constexpr (Fine::count > 0) {
      using Pattern = std::conditional_t<method == Prolongation::ThirdOrder, BoxPattern<Dim>, FacePattern<Dim>>;
      const auto& stencils = [&]() -> const auto& {
        if constexpr (method == Prolongation::ThirdOrder) {
          return map.box;
        } else {
          return map.faces;
        }
      }();
      FieldView<const T> one;
      one.component[0] = coarse.component[c];
      one.numCells = coarse.numCells;
      forCells(space, SPANWISE_KERNEL("slopes"), stencils.numCells(),
        ApplyStencil<Pattern, T, 1, decltype(find)>{
          stencils.lengths(), stencils.segments(), one, std::numeric_limits<T>::quiet_NaN(), find});
    }
    write.coarse = coarse.component[c];
    write.fine = fine.component[c];
    forCells(space, SPANWISE_KERNEL("prolong"), write.cells.numCells, write);
  }
}

// --- restriction ---

template <int Dim, class T>
struct WriteMeans {
  SegmentsView cells;
  const ChildRun<Dim>* runs;
  const T* fine;
  T* coarse;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    cells.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      const ChildRun<Dim>& run = runs[s];
      T* const out = coarse + run.coarse;
      const T* rows[childRows<Dim>];
      for (int r = 0; r < childRows<Dim>; ++r) {
        rows[r] = fine + run.fine[r];
      }
      SPANWISE_INDEPENDENT
      for (std::int64_t k = begin; k < end; ++k) {
        out[k] = meanAt(rows, k);
      }
    });
  }

  KOKKOS_FORCEINLINE_FUNCTION static T meanAt(const T* const (&rows)[childRows<Dim>], std::int64_t k) {
    if constexpr (std::is_same_v<T, std::int64_t>) {
      return wholeMeanAt(rows, k);
    } else {
      using Sum = std::conditional_t<std::is_floating_point_v<T>, T, std::int64_t>;
      Sum sum = Sum(rows[0][2 * k]) + Sum(rows[0][2 * k + 1]);
      for (int r = 1; r < childRows<Dim>; ++r) {
        sum += Sum(rows[r][2 * k]) + Sum(rows[r][2 * k + 1]);
      }
      constexpr int count = 2 * childRows<Dim>;
      if constexpr (std::is_floating_point_v<T>) {
        return sum * (T{1} / count);
      } else {
        return static_cast<T>((sum + (sum < 0 ? -count / 2 : count / 2)) / count);
      }
    }
  }

  /// The same where the sum may need more than 64 bits: from the numbers' quotients and remainders.
  KOKKOS_FORCEINLINE_FUNCTION static T wholeMeanAt(const T* const (&rows)[childRows<Dim>], std::int64_t k) {
    constexpr std::int64_t count = 2 * childRows<Dim>;
    constexpr int bits = Dim; // of the remainders: there are 2^Dim children
    std::int64_t quotient = 0;
    std::int64_t remainder = 0;
    for (int r = 0; r < childRows<Dim>; ++r) {
      for (int side = 0; side < 2; ++side) {
        const auto value = static_cast<std::int64_t>(rows[r][2 * k + side]);
        quotient += value >> bits; // towards smaller numbers
        remainder += value & (count - 1);
      }
    }
    quotient += remainder >> bits;
    remainder &= count - 1;
    const bool up = 2 * remainder > count || (2 * remainder == count && quotient >= 0);
    return static_cast<T>(quotient + static_cast<std::int64_t>(up));
  }
};

template <class Space, int Dim, class T>
void checkFields(const TransferMapOn<Dim, Space>& map, const FieldOn<T, Space>& coarse, const FieldOn<T, Space>& fine) {
  checkCells(coarse, map.numCoarseCells, "the coarse set");
  checkCells(fine, map.numFineCells, "the fine set");
  checkComponents(fine, coarse.numComponents());
}

} // namespace

template <class ExecutionSpace, int Dim>
void buildTransferMap(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& coarse,
  const IntervalSetOn<Dim, ExecutionSpace>& fine, const IntervalSetOn<Dim, ExecutionSpace>& onto, Prolongation method,
  TransferMapOn<Dim, ExecutionSpace>& out, WorkspaceOn<ExecutionSpace>& workspace) {
  SPANWISE_REGION("Multilevel::buildTransferMap");
  out.numCoarseCells = coarse.numCells();
  out.numFineCells = fine.numCells();
  out.method = method;

  const IntervalSetView<Dim> target = onto.view();
  reserveArray(out.parentRuns, target.numIntervals, SPANWISE_LABEL("Multilevel::parentRuns"));
  intervalsAsSegments<ExecutionSpace, Dim>(space, target, out.fineCells);
  forEachPart(space, SPANWISE_KERNEL("find parents"), target.rowOffsets, target.numRows, target.numIntervals,
    FindParents<Dim>{target, coarse.view(), fine.view(), out.parentRuns.data()});
  Missing missing;
  reduce(SPANWISE_KERNEL("count missing"), Range<ExecutionSpace>(space, 0, target.numIntervals),
    CountMissing{out.parentRuns.data()}, missing);
  if (missing.fine > 0 || missing.coarse > 0) {
    out.fineCells.clear();
    out.coarseCells.clear();
    throw InvalidArgument(std::to_string(missing.fine > 0 ? missing.fine : missing.coarse) +
      " intervals that are to be prolonged onto " +
      (missing.fine > 0 ? "are not in the fine set" : "have parents that are not in the coarse set"));
  }

  {
    // coarse cells with all children: those of Coarsening::Inside that are in the coarse set
    typename WorkspaceOn<ExecutionSpace>::Frame frame(workspace);
    const auto makeScratch = [&](std::int64_t rows, std::int64_t intervals) {
      return scratchSet<Dim>(frame, rows, intervals);
    };
    const auto viewOf = [](const WritableIntervalSet<Dim>& arrays, const SetTotals& totals) {
      return IntervalSetView<Dim>{arrays.rowKeys, arrays.rowOffsets, arrays.intervals, arrays.cellOffsets, totals.rows,
        totals.intervals, totals.cells};
    };
    WritableIntervalSet<Dim> arrays{};
    const SetTotals whole = coarsenInto<ExecutionSpace, Dim>(space, fine.view(), insideReach, frame,
      [&](std::int64_t rows, std::int64_t intervals) { return arrays = makeScratch(rows, intervals); });
    const IntervalSetView<Dim> inside = viewOf(arrays, whole);
    const WritableIntervalSet<Dim> both =
      makeScratch(inside.numRows + coarse.numRows(), inside.numIntervals + coarse.numIntervals());
    const IntervalSetView<Dim> refined = viewOf(both,
      combineInto<ExecutionSpace, Dim>(
        space, static_cast<unsigned>(SetOperation::Intersection), inside, coarse.view(), both, workspace));
    reserveArray(out.childRuns, refined.numIntervals, SPANWISE_LABEL("Multilevel::childRuns"));
    intervalsAsSegments<ExecutionSpace, Dim>(space, refined, out.coarseCells);
    forEachPart(space, SPANWISE_KERNEL("find children"), refined.rowOffsets, refined.numRows, refined.numIntervals,
      FindChildren<Dim>{refined, coarse.view(), fine.view(), out.childRuns.data()});
  }

  if (method != Prolongation::Injection) {
    coarsen<ExecutionSpace, Dim>(space, Coarsening::Outside, onto, out.parents, workspace);
    commonCells<ExecutionSpace, Dim>(space, coarse, out.parents, out.parentCells, workspace);
    const Boundary<Dim> boundary{BoundaryPolicy::Value, {}};
    if (method == Prolongation::ThirdOrder) {
      buildStencilMap<BoxPattern<Dim>, ExecutionSpace>(space, coarse, boundary, out.box, workspace, out.parentCells);
    } else {
      buildStencilMap<FacePattern<Dim>, ExecutionSpace>(space, coarse, boundary, out.faces, workspace, out.parentCells);
    }
  }
}

template <class ExecutionSpace, int Dim, class T>
void prolong(const ExecutionSpace& space, const TransferMapOn<Dim, ExecutionSpace>& map,
  const FieldOn<T, ExecutionSpace>& coarse, FieldOn<T, ExecutionSpace>& fine, WorkspaceOn<ExecutionSpace>& workspace) {
  SPANWISE_REGION("Multilevel::prolong");
  checkFields<ExecutionSpace, Dim, T>(map, coarse, fine);
  using enum Prolongation;
  if (map.method == Injection) {
    prolongBy<ExecutionSpace, Dim, T, Injection>(space, map, coarse.view(), fine.view(), workspace);
    return;
  }
  if constexpr (std::is_floating_point_v<T>) {
    const auto by = [&]<Prolongation method>() {
      prolongBy<ExecutionSpace, Dim, T, method>(space, map, coarse.view(), fine.view(), workspace);
    };
    switch (map.method) {
    case Injection:
      break;
    case Linear:
      return by.template operator()<Linear>();
    case Minmod:
      return by.template operator()<Minmod>();
    case MonotonizedCentral:
      return by.template operator()<MonotonizedCentral>();
    case ThirdOrder:
      return by.template operator()<ThirdOrder>();
    }
  } else {
    throw InvalidArgument(quoted(coarse) + " has values of type " + fieldTypeName<T>() +
      ": slopes need float or double; integers are prolonged by injection");
  }
}

template <class ExecutionSpace, int Dim, class T>
void restrictTo(const ExecutionSpace& space, const TransferMapOn<Dim, ExecutionSpace>& map,
  const FieldOn<T, ExecutionSpace>& fine, FieldOn<T, ExecutionSpace>& coarse) {
  SPANWISE_REGION("Multilevel::restrictTo");
  checkFields<ExecutionSpace, Dim, T>(map, coarse, fine);
  const FieldView<const T> from = fine.view();
  const FieldView<T> to = coarse.view();
  for (int c = 0; c < from.numComponents; ++c) {
    forCells(space, SPANWISE_KERNEL("restrict"), map.coarseCells.numCells(),
      WriteMeans<Dim, T>{map.coarseCells.view(), map.childRuns.data(), from.component[c], to.component[c]});
  }
}

#define SPANWISE_TRANSFER_MAP(Space, Dim)                                                                              \
  template void buildTransferMap<Space, Dim>(const Space&, const IntervalSetOn<Dim, Space>&,                           \
    const IntervalSetOn<Dim, Space>&, const IntervalSetOn<Dim, Space>&, Prolongation, TransferMapOn<Dim, Space>&,      \
    WorkspaceOn<Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_TRANSFER_MAP)

#define SPANWISE_TRANSFER_OF(T, Space)                                                                                 \
  template void prolong<Space, 2, T>(                                                                                  \
    const Space&, const TransferMapOn<2, Space>&, const FieldOn<T, Space>&, FieldOn<T, Space>&, WorkspaceOn<Space>&);  \
  template void prolong<Space, 3, T>(                                                                                  \
    const Space&, const TransferMapOn<3, Space>&, const FieldOn<T, Space>&, FieldOn<T, Space>&, WorkspaceOn<Space>&);  \
  template void restrictTo<Space, 2, T>(                                                                               \
    const Space&, const TransferMapOn<2, Space>&, const FieldOn<T, Space>&, FieldOn<T, Space>&);                       \
  template void restrictTo<Space, 3, T>(                                                                               \
    const Space&, const TransferMapOn<3, Space>&, const FieldOn<T, Space>&, FieldOn<T, Space>&);
#define SPANWISE_TRANSFER(Space) SPANWISE_FOR_EACH_FIELD_TYPE(SPANWISE_TRANSFER_OF, Space)
SPANWISE_FOR_EACH_SPACE(SPANWISE_TRANSFER)

} // namespace spanwise
