#include "Core/Multilevel/Transfer.hpp"

#include "Core/Field/Checks.hpp"
#include "Core/Field/ForCells.hpp"
#include "Core/Multilevel/Detail/ParentSlopes.hpp"
#include "Core/Multilevel/Prolongation.hpp"

#include <type_traits>
#include <utility>

namespace spanwise::multilevel {

namespace {

using namespace detail;

// --- prolongation ---

/// The stencil map of the neighbours that slopes are made of.
template <int Dim, Prolongation method>
struct Neighbours {
  using Pattern =
    std::conditional_t<method == Prolongation::ThirdOrder, field::BoxPattern<Dim>, field::FacePattern<Dim>>;
  geometry::SegmentsView lengths;
  const field::StencilSegment<Pattern::count>* segments = nullptr;
};

template <int Dim, Prolongation method, class MemorySpace>
Neighbours<Dim, method> neighboursOf(const ParentNeighbours<Dim, MemorySpace>& around) {
  if constexpr (method == Prolongation::ThirdOrder) {
    return {around.box.lengths(), around.box.segments()};
  } else {
    return {around.faces.lengths(), around.faces.segments()};
  }
}

/// The children, in child row r, of the next coarse row: they follow those of a row where there are no gaps, and where
/// rows have about the same length. Far from a row's children where the row is long, and then of no use.
template <int Dim>
std::int64_t nextChildren(const ChildRun<Dim>& run, int r) {
  constexpr std::int64_t farthest = 2048;
  const int pair = r & ~1;
  return run.fine[r] + Kokkos::min(2 * (run.fine[pair + 1] - run.fine[pair]), farthest);
}

/// Writes all children of coarse cells. Slopes are made of values beside these and used at once for
/// all children: on a device by the thread of the coarse cell, on the host in a small array, in loops that vectorise.
template <int Dim, class T, Prolongation method>
struct WriteFamilies {
  static constexpr int count = numSlopes<Dim>(method);
  static constexpr int countOr1 = count > 0 ? count : 1;
  static constexpr std::int64_t cellsAtOnce = 1024; ///< their slopes stay in the nearest caches
  static constexpr std::int64_t cellsAhead = 32;    ///< for so many memory is asked for at once

  geometry::SegmentsView cells;
  const ChildRun<Dim>* runs;
  Neighbours<Dim, method> neighbours;
  FieldView<const T> coarse; ///< both in columns
  FieldView<T> fine;

  KOKKOS_FUNCTION void operator()(int component, std::int64_t first, std::int64_t last) const {
    KOKKOS_IF_ON_HOST((onHost(component, first, last);))
    KOKKOS_IF_ON_DEVICE((writeCells<1>(coarse.address(0, component), fine.address(0, component), first, last);))
  }

  SPANWISE_WIDE_VECTORS void onHost(int component, std::int64_t first, std::int64_t last) const;

  template <std::int64_t most>
  KOKKOS_FORCEINLINE_FUNCTION void writeCells(const T* from, T* to, std::int64_t first, std::int64_t last) const {
    std::int64_t segment = count > 0 && first < last ? neighbours.lengths.segmentOf(first) : 0;
    cells.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; k += most) {
        writePiece<most>(from, to, s, k, Kokkos::min(k + most, end), segment);
      }
    });
  }

  /// Cells of one run: their slopes, from the segment of the first on, and then their children.
  template <std::int64_t most>
  KOKKOS_FORCEINLINE_FUNCTION void writePiece(
    const T* from, T* to, std::int64_t s, std::int64_t begin, std::int64_t end, std::int64_t& segment) const {
    T slopes[countOr1][most];
    if constexpr (count > 0) {
      const std::int64_t* const offsets = neighbours.lengths.offsets;
      const std::int64_t first = cells.offsets[s] + begin;
      const std::int64_t last = cells.offsets[s] + end;
      for (std::int64_t cell = first; cell < last;) {
        const std::int64_t next = Kokkos::min(offsets[segment + 1], last);
        writeSlopes(from, segment, cell - offsets[segment], next - offsets[segment], offsets[segment] - first, slopes,
          std::make_integer_sequence<int, count>());
        segment += static_cast<std::int64_t>(next == offsets[segment + 1]);
        cell = next;
      }
    }
    writeRows(from, to, runs[s], begin, end, slopes, std::make_integer_sequence<int, childRows<Dim>>());
  }

  template <std::int64_t most, int... n>
  KOKKOS_FORCEINLINE_FUNCTION void writeSlopes(const T* from, std::int64_t s, std::int64_t begin, std::int64_t end,
    std::int64_t at, T (&slopes)[countOr1][most], std::integer_sequence<int, n...> /*all*/) const {
    const ParentSlopes<Dim, T, method> around(from, neighbours.segments[s]);
    KOKKOS_IF_ON_HOST((spanwise::detail::prefetch(around.farthest() + begin + field::detail::ahead<T>, end - begin);))
    SPANWISE_INDEPENDENT
    for (std::int64_t k = begin; k < end; ++k) {
      (..., (slopes[n][at + k] = around.template at<n>(k)));
    }
  }

  template <std::int64_t most, int... r>
  KOKKOS_FORCEINLINE_FUNCTION void writeRows(const T* from, T* to, const ChildRun<Dim>& run, std::int64_t begin,
    std::int64_t end, const T (&slopes)[countOr1][most], std::integer_sequence<int, r...> /*all*/) const {
    const T* const centre = from + run.coarse;
    T* const rows[childRows<Dim>] = {to + run.fine[r]...};
    for (std::int64_t first = begin; first < end; first += cellsAhead) {
      const std::int64_t last = Kokkos::min(first + cellsAhead, end);
      KOKKOS_IF_ON_HOST((prefetchRows(to, run, first, last);))
      SPANWISE_INDEPENDENT
      for (std::int64_t k = first; k < last; ++k) {
        const T here = centre[k];
        T slopesAt[countOr1] = {};
        for (int n = 0; n < count; ++n) {
          slopesAt[n] = slopes[n][k - begin];
        }
        (..., writePair<r>(here, slopesAt, rows[r] + 2 * k));
      }
    }
  }

  /// The children along x in child row r.
  template <int r>
  static KOKKOS_FORCEINLINE_FUNCTION void writePair(T centre, const T (&slopes)[countOr1], T* children) {
    const auto pair = pairOfChildren<Dim, method, T>(
      centre, slopes, static_cast<T>((r & 1) != 0 ? 1 : -1), static_cast<T>((r >> 1) != 0 ? 1 : -1));
    children[0] = pair.lower;
    children[1] = pair.upper;
  }

  static void prefetchRows(T* to, const ChildRun<Dim>& run, std::int64_t begin, std::int64_t end) {
    for (int r = 0; r < childRows<Dim>; ++r) {
      spanwise::detail::prefetchToWrite(to + nextChildren<Dim>(run, r) + 2 * begin, 2 * (end - begin));
    }
  }
};

template <int Dim, class T, Prolongation method>
SPANWISE_WIDE_VECTORS void WriteFamilies<Dim, T, method>::onHost(
  int component, std::int64_t first, std::int64_t last) const {
  writeCells<cellsAtOnce>(coarse.address(0, component), fine.address(0, component), first, last);
}

/// Writes cells one by one, where not all children of a coarse cell are prolonged onto.
template <int Dim, class T, Prolongation method>
struct WriteSingles {
  static constexpr int count = numSlopes<Dim>(method);

  geometry::SegmentsView cells;
  const ParentRun* runs;
  Neighbours<Dim, method> neighbours;
  FieldView<const T> coarse; ///< both in columns
  FieldView<T> fine;

  KOKKOS_FUNCTION void operator()(int component, std::int64_t first, std::int64_t last) const {
    const T* const from = coarse.address(0, component);
    T* const to = fine.address(0, component);
    cells.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      const ParentRun run = runs[s];
      const std::int64_t odd = run.upper & 1;
      for (std::int64_t k = begin; k < end; ++k) {
        to[run.fine + k] =
          child(from, run, (k + odd) >> 1, ((k + odd) & 1) != 0, std::make_integer_sequence<int, count>());
      }
    });
  }

  template <int... n>
  KOKKOS_FORCEINLINE_FUNCTION T child(const T* from, const ParentRun& run, std::int64_t parent, bool upper,
    std::integer_sequence<int, n...> /*all*/) const {
    T slopes[count > 0 ? count : 1] = {};
    if constexpr (count > 0) {
      const std::int64_t s = neighbours.lengths.segmentOf(run.parent + parent);
      const ParentSlopes<Dim, T, method> around(from, neighbours.segments[s]);
      const std::int64_t k = run.parent + parent - neighbours.lengths.offsets[s];
      (..., (slopes[n] = around.template at<n>(k)));
    }
    const auto sign = [&](int axis) { return static_cast<T>((run.upper >> axis & 1) != 0 ? 1 : -1); };
    const auto pair = pairOfChildren<Dim, method, T>(from[run.coarse + parent], slopes, sign(1), sign(2));
    return upper ? pair.upper : pair.lower;
  }
};

template <class Space, int Dim, class T, Prolongation method>
void prolongBy(const Space& space, const TransferMapOn<Dim, Space>& map, const FieldView<const T>& coarse,
  const FieldView<T>& fine) {
  field::forCellsOfComponents(space, SPANWISE_KERNEL("prolong"), map.familyCells.numCells(), coarse.numComponents,
    WriteFamilies<Dim, T, method>{
      map.familyCells.view(), map.familyRuns.data(), neighboursOf<Dim, method>(map.aroundFamilies), coarse, fine});
  if (map.singleCells.numCells() > 0) {
    field::forCellsOfComponents(space, SPANWISE_KERNEL("prolong singles"), map.singleCells.numCells(),
      coarse.numComponents,
      WriteSingles<Dim, T, method>{
        map.singleCells.view(), map.singleRuns.data(), neighboursOf<Dim, method>(map.aroundParents), coarse, fine});
  }
}

// --- restriction ---

template <int Dim, class T>
struct WriteMeans {
  geometry::SegmentsView cells;
  const ChildRun<Dim>* runs;
  FieldView<const T> fine; ///< both in columns
  FieldView<T> coarse;

  KOKKOS_FUNCTION void operator()(int component, std::int64_t first, std::int64_t last) const {
    KOKKOS_IF_ON_HOST((onHost(component, first, last);))
    KOKKOS_IF_ON_DEVICE((cells.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      writeMeans(fine.address(0, component), coarse.address(0, component), runs[s], begin, end);
    });))
  }

  SPANWISE_WIDE_VECTORS void onHost(int component, std::int64_t first, std::int64_t last) const;

  KOKKOS_FORCEINLINE_FUNCTION static void writeMeans(
    const T* from, T* to, const ChildRun<Dim>& run, std::int64_t begin, std::int64_t end) {
    T* const out = to + run.coarse;
    const T* rows[childRows<Dim>];
    for (int r = 0; r < childRows<Dim>; ++r) {
      rows[r] = from + run.fine[r];
    }
    SPANWISE_INDEPENDENT
    for (std::int64_t k = begin; k < end; ++k) {
      out[k] = meanAt(rows, k);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION static T meanAt(const T* const (&rows)[childRows<Dim>], std::int64_t k) {
    if constexpr (std::is_same_v<T, std::int64_t>) {
      return wholeMeanAt(rows, k);
    } else {
      using Sum = std::conditional_t<std::is_floating_point_v<T>, T, std::int64_t>;
      const auto ofPair = [&](int r) { return Sum(rows[r][2 * k]) + Sum(rows[r][2 * k + 1]); };
      Sum sum = ofPair(0) + ofPair(1);
      if constexpr (Dim == 3) {
        sum += ofPair(2) + ofPair(3); // in pairs: so the mean of a mirror image is that mean
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

template <int Dim, class T>
SPANWISE_WIDE_VECTORS void WriteMeans<Dim, T>::onHost(int component, std::int64_t first, std::int64_t last) const {
  constexpr std::int64_t cellsAtOnce = 256;
  const T* const from = fine.address(0, component);
  T* const to = coarse.address(0, component);
  cells.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
    const ChildRun<Dim>& run = runs[s];
    for (std::int64_t k = begin; k < end; k += cellsAtOnce) {
      const std::int64_t next = Kokkos::min(k + cellsAtOnce, end);
      for (int r = 0; r < childRows<Dim>; ++r) {
        spanwise::detail::prefetch(from + nextChildren<Dim>(run, r) + 2 * k, 2 * (next - k));
      }
      writeMeans(from, to, run, k, next);
    }
  });
}

template <class Space, int Dim, class T>
void checkFields(
  const TransferMapOn<Dim, Space>& map, const field::FieldOn<T, Space>& coarse, const field::FieldOn<T, Space>& fine) {
  checkCells(coarse, map.numCoarseCells, "the coarse set");
  checkCells(fine, map.numFineCells, "the fine set");
  checkComponents(fine, coarse.numComponents());
  checkColumns(coarse);
  checkColumns(fine);
}

} // namespace

template <class ExecutionSpace, int Dim, class T>
void prolong(const Context<ExecutionSpace>& context, const TransferMapOn<Dim, ExecutionSpace>& map,
  const field::FieldOn<T, ExecutionSpace>& coarse, field::FieldOn<T, ExecutionSpace>& fine) {
  SPANWISE_REGION("Multilevel::prolong");
  checkFields<ExecutionSpace, Dim, T>(map, coarse, fine);
  using enum Prolongation;
  if (map.method == Injection) {
    prolongBy<ExecutionSpace, Dim, T, Injection>(context.space(), map, coarse.view(), fine.view());
    return;
  }
  if constexpr (std::is_floating_point_v<T>) {
    const auto by = [&]<Prolongation method>() {
      prolongBy<ExecutionSpace, Dim, T, method>(context.space(), map, coarse.view(), fine.view());
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
    throw InvalidArgument(quoted(coarse) + " has values of type " + field::fieldTypeName<T>() +
      ": slopes need float or double; integers are prolonged by injection");
  }
}

template <class ExecutionSpace, int Dim, class T>
void restrictTo(const Context<ExecutionSpace>& context, const TransferMapOn<Dim, ExecutionSpace>& map,
  const field::FieldOn<T, ExecutionSpace>& fine, field::FieldOn<T, ExecutionSpace>& coarse) {
  SPANWISE_REGION("Multilevel::restrictTo");
  checkFields<ExecutionSpace, Dim, T>(map, coarse, fine);
  field::forCellsOfComponents(context.space(), SPANWISE_KERNEL("restrict"), map.coarseCells.numCells(),
    coarse.numComponents(),
    WriteMeans<Dim, T>{map.coarseCells.view(), map.childRuns.data(), fine.view(), coarse.view()});
}

#define SPANWISE_TRANSFER_OF(T, Space)                                                                                 \
  template void prolong<Space, 2, T>(const Context<Space>&, const TransferMapOn<2, Space>&,                            \
    const field::FieldOn<T, Space>&, field::FieldOn<T, Space>&);                                                       \
  template void prolong<Space, 3, T>(const Context<Space>&, const TransferMapOn<3, Space>&,                            \
    const field::FieldOn<T, Space>&, field::FieldOn<T, Space>&);                                                       \
  template void restrictTo<Space, 2, T>(const Context<Space>&, const TransferMapOn<2, Space>&,                         \
    const field::FieldOn<T, Space>&, field::FieldOn<T, Space>&);                                                       \
  template void restrictTo<Space, 3, T>(const Context<Space>&, const TransferMapOn<3, Space>&,                         \
    const field::FieldOn<T, Space>&, field::FieldOn<T, Space>&);
#define SPANWISE_TRANSFER(Space) SPANWISE_FOR_EACH_FIELD_TYPE(SPANWISE_TRANSFER_OF, Space)
SPANWISE_FOR_EACH_SPACE(SPANWISE_TRANSFER)

} // namespace spanwise::multilevel
