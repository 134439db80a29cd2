#pragma once

#include "Core/Solvers/NBody/Detail/NoLanes.hpp"
#include "Core/Solvers/NBody/InstructionSet.hpp"
#include "Core/Solvers/NBody/Pack.hpp"

#include <cstdint>

namespace spanwise::nbody::detail {

// The inner loops of a multipole method that do not depend on the interaction: moments of points, values of expansions
// at points, and products of matrices. Compiled for processors by name, so nothing of Kokkos but its macros and nothing
// of the standard library's functions is in it.
//
// In a box, along each axis coordinates go from -1 to 1. With Chebyshev's polynomials T_m a cloud of charges has the
// moments sum_j q_j T_a(x_j) T_b(y_j) T_c(z_j), and an expansion is sum c_abc T_a(x) T_b(y) T_c(z), a, b, c < order.
// Both are arrays of order^Dim numbers, the first axis fastest.

/// Most polynomials along an axis.
inline constexpr int maxOrder = 20;

/// Numbers that have the length of the longest vectors: columns of matrices and expansions are padded to it.
template <class Real>
inline constexpr std::int64_t paddingOf = 64 / static_cast<std::int64_t>(sizeof(Real));
template <class Real>
[[nodiscard]] constexpr std::int64_t paddedLength(std::int64_t length) {
  return (length + paddingOf<Real> - 1) / paddingOf<Real> * paddingOf<Real>;
}

/// A box's centre is the sum of two numbers, so that coordinates within it lose nothing where it is small and far from
/// the origin.
template <int Dim, class Real>
struct BoxFrame {
  Real centre[Dim];
  Real centreRest[Dim];
  Real scale; ///< 1 / half of the side
};

/// Moments of the points begin ... end - 1, added to what is there.
template <int Dim, class Real>
struct MomentTask {
  const Real* points[Dim];
  const Real* charges; ///< of dipoles Dim columns
  std::int64_t chargeStride;
  std::int64_t begin, end;
  BoxFrame<Dim, Real> frame;
  int order;
  Real* moments;
};

/// Values of an expansion at the points begin ... end - 1, added to sums [(i - begin) * columns + column].
template <int Dim, class Real>
struct ValueTask {
  const Real* points[Dim];
  std::int64_t begin, end;
  BoxFrame<Dim, Real> frame;
  int order;
  const Real* coefficients;
  Real* sums;
  int columns;
  int potentialColumn; ///< -1: none
  int gradientColumn;  ///< -1: none, else Dim from here on
};

/// c = a b, or with `adds` c += a b; column by column. The rows of a and c are padded.
template <class Real>
struct ProductTask {
  std::int64_t rows, columns, inner;
  const Real* a;
  std::int64_t aStride;
  const Real* b;
  std::int64_t bStride;
  Real* c;
  std::int64_t cStride;
  bool adds;
};

/// Directions of a basis that are odd along the same axes, the bits of `odd`.
struct ParityRange {
  std::int32_t begin, count, odd;
};

/// Numbers of a box by directions, and some of them side by side: those of the ranges. Along the axes of the bits of
/// `turned` the box is mirrored, which changes the signs of odd directions. Up to the length of a vector behind the end
/// of either may be read, and written behind the end of a panel.
template <class Real>
struct PanelTask {
  const ParityRange* ranges;
  std::int32_t numRanges;
  std::int32_t turned;
  Real* ofBox;
  Real* panel;
};

template <int Dim, class Real>
struct ExpansionKernels {
  void (*addMoments)(const MomentTask<Dim, Real>&) = nullptr;
  void (*addDipoleMoments)(const MomentTask<Dim, Real>&) = nullptr;
  void (*addValues)(const ValueTask<Dim, Real>&) = nullptr;
  void (*multiply)(const ProductTask<Real>&) = nullptr;
  void (*gatherPanel)(const PanelTask<Real>&) = nullptr;  ///< to the panel
  void (*addPanel)(const PanelTask<Real>&) = nullptr;     ///< added to the box
  InstructionSet instructions = InstructionSet::Compiled; ///< that they are made of
};

/// Defined in the files of their instructions; functions are nullptr where the compiler does not have them.
template <int Dim, class Real>
ExpansionKernels<Dim, Real> avx2Expansions();
template <int Dim, class Real>
ExpansionKernels<Dim, Real> avx512Expansions();

template <class Instructions, class Real>
struct Product {
  using P = Pack<Real, Instructions>;
  static constexpr int width = P::width;
  static constexpr int maxColumns = Instructions::numRegisters >= 32 ? 8 : 4;

  /// `vectors` packs of rows and `columns` columns of the result stay in registers.
  template <int vectors, int columns>
  static KOKKOS_FORCEINLINE_FUNCTION void block(const ProductTask<Real>& task, const Real* a, const Real* b, Real* c) {
    P sums[vectors][columns];
    for (int v = 0; v < vectors; ++v) {
      for (int n = 0; n < columns; ++n) {
        sums[v][n] = task.adds ? P::load(c + n * task.cStride + v * width) : P(Real(0));
      }
    }
    for (std::int64_t k = 0; k < task.inner; ++k) {
      P rows[vectors];
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) {
        rows[v] = P::load(a + k * task.aStride + v * width);
      }
#pragma GCC unroll 8
      for (int n = 0; n < columns; ++n) {
        const P factor(b[n * task.bStride + k]);
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) {
          sums[v][n] += rows[v] * factor;
        }
      }
    }
    for (int v = 0; v < vectors; ++v) {
      for (int n = 0; n < columns; ++n) {
        Instructions::template store<Real>(c + n * task.cStride + v * width, sums[v][n].vector);
      }
    }
  }

  template <int columns>
  static KOKKOS_FORCEINLINE_FUNCTION void columnsOf(const ProductTask<Real>& task, std::int64_t column) {
    const Real* const b = task.b + column * task.bStride;
    Real* const c = task.c + column * task.cStride;
    std::int64_t row = 0;
    for (; row + 3 * width <= task.rows; row += 3 * width) {
      block<3, columns>(task, task.a + row, b, c + row);
    }
    if (row + 2 * width <= task.rows) {
      block<2, columns>(task, task.a + row, b, c + row);
      row += 2 * width;
    }
    if (row < task.rows) {
      block<1, columns>(task, task.a + row, b, c + row);
    }
  }

  /// Columns from `column` on, `columns` at once, then those that are left.
  template <int columns>
  static KOKKOS_FORCEINLINE_FUNCTION void multiplyFrom(const ProductTask<Real>& task, std::int64_t column) {
    for (; column + columns <= task.columns; column += columns) {
      columnsOf<columns>(task, column);
    }
    if constexpr (columns > 1) {
      multiplyFrom<columns / 2>(task, column);
    }
  }

  static void multiply(const ProductTask<Real>& task) { multiplyFrom<maxColumns>(task, 0); }
};

template <class Instructions, int Dim, class Real>
struct Expansion {
  using P = Pack<Real, Instructions>;
  static constexpr int width = P::width;
  static constexpr int maxOfOrder = Dim == 3 ? 16 : maxOrder;

  /// Polynomials along the axes, and derivatives.
  struct Polynomials {
    P values[3][maxOfOrder];
    P slopes[3][maxOfOrder];
  };

  template <bool withSlopes>
  static KOKKOS_FORCEINLINE_FUNCTION void evaluate(const P& x, int order, P* values, P* slopes) {
    values[0] = P(Real(1));
    const P twice = x + x;
    if constexpr (withSlopes) {
      slopes[0] = P(Real(0));
    }
    if (order > 1) {
      values[1] = x;
      if constexpr (withSlopes) {
        slopes[1] = P(Real(1));
      }
    }
    for (int m = 2; m < order; ++m) {
      values[m] = twice * values[m - 1] - values[m - 2];
      if constexpr (withSlopes) {
        slopes[m] = P(Real(2)) * values[m - 1] + twice * slopes[m - 1] - slopes[m - 2];
      }
    }
  }

  /// Numbers from..., those behind `count` repeated or 0.
  static KOKKOS_FORCEINLINE_FUNCTION P loadSome(const Real* from, std::int64_t count, bool repeats) {
    if (count >= width) {
      return P::load(from);
    }
    Real lanes[width];
    for (int lane = 0; lane < width; ++lane) {
      lanes[lane] = lane < count ? from[lane] : repeats ? from[count - 1] : Real(0);
    }
    return P::load(lanes);
  }

  template <bool withSlopes>
  static KOKKOS_FORCEINLINE_FUNCTION void evaluateAt(const Real* const* points, std::int64_t first, std::int64_t count,
    const BoxFrame<Dim, Real>& frame, int order, Polynomials& polynomials) {
    for (int axis = 0; axis < Dim; ++axis) {
      const P x = loadSome(points[axis] + first, count, true);
      const P within = ((x - P(frame.centre[axis])) - P(frame.centreRest[axis])) * P(frame.scale);
      evaluate<withSlopes>(within, order, polynomials.values[axis], polynomials.slopes[axis]);
    }
    if constexpr (Dim == 2) {
      polynomials.values[2][0] = P(Real(1));
      polynomials.slopes[2][0] = P(Real(0));
    }
  }

  /// Points that are done together.
  static constexpr int pointsAtOnce = 64;
  static constexpr int packsAtOnce = pointsAtOnce / width;

  /// Puts the numbers of a pack of points to each point.
  static KOKKOS_FORCEINLINE_FUNCTION void putByPoint(const P* along, int order, int stride, Real* to) {
    for (int m = 0; m < order; ++m) {
      Real lanes[width];
      Instructions::template store<Real>(lanes, along[m].vector);
      for (int lane = 0; lane < width; ++lane) {
        to[lane * stride + m] = lanes[lane];
      }
    }
  }

  /// For each layer a product of matrices: polynomials along the first axis, and those along the others times charges.
  template <bool ofDipoles>
  static void addMoments(const MomentTask<Dim, Real>& task) {
    constexpr int maxRows = static_cast<int>(paddedLength<Real>(maxOfOrder));
    constexpr int maxLayers = Dim == 3 ? maxOfOrder : 1;
    constexpr int numFactors = ofDipoles ? 2 : 1; // polynomials, and their derivatives
    const int order = task.order;
    const int layers = Dim == 3 ? order : 1;
    const int rows = static_cast<int>(paddedLength<Real>(order));
    alignas(64) Real sums[maxRows * maxOfOrder * maxLayers];
    alignas(64) Real alongFirst[numFactors][pointsAtOnce * maxRows] = {};
    alignas(64) Real weights[numFactors][maxOfOrder * pointsAtOnce];
    Polynomials t[packsAtOnce];
    P q[packsAtOnce][Dim];
    for (std::int64_t first = task.begin; first < task.end; first += pointsAtOnce) {
      const std::int64_t count = task.end - first < pointsAtOnce ? task.end - first : pointsAtOnce;
      const int numPacks = static_cast<int>((count + width - 1) / width);
      for (int k = 0; k < numPacks; ++k) {
        const std::int64_t at = first + k * width;
        evaluateAt<ofDipoles>(task.points, at, task.end - at, task.frame, order, t[k]);
        for (int c = 0; c < (ofDipoles ? Dim : 1); ++c) {
          q[k][c] = loadSome(task.charges + c * task.chargeStride + at, task.end - at, false);
        }
        putByPoint(t[k].values[0], order, rows, alongFirst[0] + k * width * rows);
        if constexpr (ofDipoles) {
          putByPoint(t[k].slopes[0], order, rows, alongFirst[1] + k * width * rows);
        }
      }
      for (int c = 0; c < layers; ++c) {
        for (int k = 0; k < numPacks; ++k) {
          for (int b = 0; b < order; ++b) {
            P weight[numFactors];
            if constexpr (ofDipoles) {
              weight[0] = q[k][1] * (t[k].slopes[1][b] * t[k].values[2][c]);
              if constexpr (Dim == 3) {
                weight[0] = weight[0] + q[k][2] * (t[k].values[1][b] * t[k].slopes[2][c]);
              }
              weight[1] = q[k][0] * (t[k].values[1][b] * t[k].values[2][c]);
            } else {
              weight[0] = q[k][0] * t[k].values[1][b] * t[k].values[2][c];
            }
            for (int factor = 0; factor < numFactors; ++factor) {
              Instructions::template store<Real>(weights[factor] + b * pointsAtOnce + k * width, weight[factor].vector);
            }
          }
        }
        for (int factor = 0; factor < numFactors; ++factor) {
          Product<Instructions, Real>::multiply({rows, order, numPacks * width, alongFirst[factor], rows,
            weights[factor], pointsAtOnce, sums + c * order * rows, rows, first > task.begin || factor > 0});
        }
      }
    }
    const Real factor = ofDipoles ? task.frame.scale : Real(1);
    for (int row = 0; row < order * layers && task.begin < task.end; ++row) {
      for (int a = 0; a < order; ++a) {
        task.moments[row * order + a] += factor * sums[row * rows + a];
      }
    }
  }

  /// Of two packs of points at once, which share the coefficients.
  template <bool withGradient>
  static KOKKOS_FORCEINLINE_FUNCTION void addValuesOfBoth(const ValueTask<Dim, Real>& task) {
    constexpr int numPacks = 2;
    const int order = task.order;
    const int layers = Dim == 3 ? order : 1;
    for (std::int64_t first = task.begin; first < task.end; first += numPacks * width) {
      Polynomials t[numPacks];
      for (int k = 0; k < numPacks; ++k) {
        const std::int64_t at = first + k * width < task.end ? first + k * width : first;
        evaluateAt<withGradient>(task.points, at, task.end - at, task.frame, order, t[k]);
      }
      P value[numPacks], slope[numPacks][3];
      for (int k = 0; k < numPacks; ++k) {
        value[k] = slope[k][0] = slope[k][1] = slope[k][2] = P(Real(0));
      }
      const Real* row = task.coefficients;
      for (int c = 0; c < layers; ++c) {
        P ofLayer[numPacks], alongX[numPacks], alongY[numPacks];
        for (int k = 0; k < numPacks; ++k) {
          ofLayer[k] = alongX[k] = alongY[k] = P(Real(0));
        }
        for (int b = 0; b < order; ++b, row += order) {
          P ofRow[numPacks], slopeOfRow[numPacks];
          for (int k = 0; k < numPacks; ++k) {
            ofRow[k] = slopeOfRow[k] = P(Real(0));
          }
          for (int a = 0; a < order; ++a) {
            const P coefficient(row[a]);
            for (int k = 0; k < numPacks; ++k) {
              ofRow[k] += coefficient * t[k].values[0][a];
              if constexpr (withGradient) {
                slopeOfRow[k] += coefficient * t[k].slopes[0][a];
              }
            }
          }
          for (int k = 0; k < numPacks; ++k) {
            ofLayer[k] += ofRow[k] * t[k].values[1][b];
            if constexpr (withGradient) {
              alongX[k] += slopeOfRow[k] * t[k].values[1][b];
              alongY[k] += ofRow[k] * t[k].slopes[1][b];
            }
          }
        }
        for (int k = 0; k < numPacks; ++k) {
          value[k] += ofLayer[k] * t[k].values[2][c];
          if constexpr (withGradient) {
            slope[k][0] += alongX[k] * t[k].values[2][c];
            slope[k][1] += alongY[k] * t[k].values[2][c];
            slope[k][2] += ofLayer[k] * t[k].slopes[2][c];
          }
        }
      }
      for (int k = 0; k < numPacks; ++k) {
        const std::int64_t at = first + k * width;
        Real lanes[width];
        if (task.potentialColumn >= 0) {
          Instructions::template store<Real>(lanes, value[k].vector);
          addLanes(task, at, task.potentialColumn, lanes, Real(1));
        }
        if constexpr (withGradient) {
          for (int axis = 0; axis < Dim; ++axis) {
            Instructions::template store<Real>(lanes, slope[k][axis].vector);
            addLanes(task, at, task.gradientColumn + axis, lanes, task.frame.scale);
          }
        }
      }
    }
  }

  static KOKKOS_FORCEINLINE_FUNCTION void addLanes(
    const ValueTask<Dim, Real>& task, std::int64_t at, int column, const Real* lanes, Real factor) {
    for (int lane = 0; lane < width && at + lane < task.end; ++lane) {
      task.sums[(at + lane - task.begin) * task.columns + column] += factor * lanes[lane];
    }
  }

  static void addValues(const ValueTask<Dim, Real>& task) {
    if (task.gradientColumn >= 0) {
      addValuesOfBoth<true>(task);
    } else {
      addValuesOfBoth<false>(task);
    }
  }
};

template <class Instructions, class Real>
struct Panel {
  using P = Pack<Real, Instructions>;
  static constexpr int width = P::width;

  static KOKKOS_FORCEINLINE_FUNCTION Real signOf(const ParityRange& range, std::int32_t turned) {
    const std::int32_t bits = range.odd & turned;
    return ((bits ^ (bits >> 1) ^ (bits >> 2)) & 1) != 0 ? Real(-1) : Real(1);
  }

  static void gather(const PanelTask<Real>& task) {
    Real* to = task.panel;
    for (std::int32_t r = 0; r < task.numRanges; ++r) {
      const ParityRange range = task.ranges[r];
      const P sign(signOf(range, task.turned));
      const Real* const from = task.ofBox + range.begin;
      for (std::int32_t i = 0; i < range.count; i += width) { // what is behind the end is overwritten, or not used
        Instructions::template store<Real>(to + i, (sign * P::load(from + i)).vector);
      }
      to += range.count;
    }
  }

  static void add(const PanelTask<Real>& task) {
    const Real* from = task.panel;
    for (std::int32_t r = 0; r < task.numRanges; ++r) {
      const ParityRange range = task.ranges[r];
      const Real ofRange = signOf(range, task.turned);
      const P sign(ofRange);
      Real* const to = task.ofBox + range.begin;
      std::int32_t i = 0;
      for (; i + width <= range.count; i += width) {
        Instructions::template store<Real>(to + i, (P::load(to + i) + sign * P::load(from + i)).vector);
      }
      for (; i < range.count; ++i) {
        to[i] += ofRange * from[i];
      }
      from += range.count;
    }
  }
};

/// Kernels made of the instructions `Lanes`, which are those of a set; none where the compiler does not have them.
template <class Lanes, int Dim, class Real>
[[nodiscard]] ExpansionKernels<Dim, Real> expansionKernelsOf(InstructionSet instructions) {
  if constexpr (isThere<Lanes>) {
    using E = Expansion<Lanes, Dim, Real>;
    return {E::template addMoments<false>, E::template addMoments<true>, E::addValues, Product<Lanes, Real>::multiply,
      Panel<Lanes, Real>::gather, Panel<Lanes, Real>::add, instructions};
  } else {
    return {};
  }
}

/// Defines avx2Expansions(), or those of another set of instructions: what the files of the instructions consist of.
#define SPANWISE_DEFINE_EXPANSIONS(set, Set, Dim, Real)                                                                \
  template <>                                                                                                          \
  ExpansionKernels<Dim, Real> set##Expansions<Dim, Real>() {                                                           \
    return expansionKernelsOf<LanesFor<InstructionSet::Set>, Dim, Real>(InstructionSet::Set);                          \
  }

} // namespace spanwise::nbody::detail
