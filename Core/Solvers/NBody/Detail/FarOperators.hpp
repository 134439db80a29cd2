#pragma once

#include "Core/Solvers/NBody/Detail/ExpansionKernels.hpp"
#include "Core/Solvers/NBody/Detail/FarKernel.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <typeindex>
#include <vector>

namespace spanwise::nbody::detail {

/// The potential f of a unit charge as a function of the distance, without its type.
struct RadialFunction {
  std::type_index type = typeid(void);
  std::vector<std::byte> parameters; ///< all bytes: functions with the same are the same
  void (*values)(const std::byte* parameters, const double* r2, double* values, std::int64_t count) = nullptr;
  Scaling scaling = Scaling::None;
  int degree = 0;

  bool operator==(const RadialFunction&) const = default;
};

/// What turns moments of boxes into expansions of boxes of the same size that are not adjacent to them.
///
/// With the function f interpolated at Chebyshev's nodes of both boxes (W. Fong and E. Darve, The black-box fast
/// multipole method, J. Comput. Phys. 228, 2009, section 2), an expansion is a matrix K_t times moments, where t is the
/// way from the target to the source in sides of a box, at most 3 along each axis. All K_t together reach few
/// directions: with orthonormal ones as the columns of a basis Q, K_t ~ Q C_t Q^T (Fong and Darve, section 3), and each
/// C_t ~ U V^T is of a rank that is lower still (M. Messner, B. Bramas, O. Coulaud, E. Darve, Optimized M2L kernels for
/// the Chebyshev interpolation based fast multipole method, arXiv:1210.7292). Chebyshev's polynomials are even or odd,
/// and each direction is made of those of one parity. So to go the other way along an axis is to change the signs of
/// odd directions, and there are operators for t >= 0 only. Along an axis where t is 0, boxes are mirror images of
/// themselves, and C_t goes from even directions to even ones and from odd to odd ones alone: it consists of blocks,
/// each of which has its own U V^T.
template <int Dim, class Real>
struct FarOperators {
  static constexpr int numClasses = Dim == 2 ? 16 : 64; ///< digits 0 ... 3 of t, the first axis lowest

  /// What is left of C_t where t is 0 along some axes: between the directions that are alike there.
  struct Block {
    std::vector<ParityRange> directions;
    std::int64_t size = 0; ///< number of directions
    std::int64_t rank = 0;
    std::vector<Real> source; ///< V^T [padded rank x size]
    std::vector<Real> target; ///< U [padded size x rank]
  };
  /// The directions that are odd along the same axes, which are made of the polynomials that are.
  struct Parity {
    std::int64_t firstDirection = 0;
    std::int64_t numDirections = 0;
    std::vector<std::int32_t> coefficients; ///< their numbers
    std::vector<Real> toBasis;              ///< [padded numDirections x coefficients]
    std::vector<Real> fromBasis;            ///< [padded coefficients x numDirections]
  };
  /// All blocks as one matrix, and one by one.
  struct Class {
    std::vector<Block> blocks;
    std::int64_t rank = 0;
    std::vector<Real> source; ///< V^T [padded rank x basis size]
    std::vector<Real> target; ///< U [padded basis size x rank]
  };

  int order = 0;
  std::int64_t numCoefficients = 0; ///< order^Dim
  std::int64_t basisSize = 0;
  std::vector<Real> toBasis;    ///< Q^T [padded basis size x numCoefficients]
  std::vector<Real> fromBasis;  ///< Q [padded numCoefficients x basis size]
  std::vector<Parity> parities; ///< [2^Dim]: the basis without its zeros
  std::vector<Real> signs;      ///< of the directions [2^Dim sets of axes that are turned x padded basis size]
  std::vector<Class> classes;   ///< [numClasses], without a rank where boxes are adjacent

  [[nodiscard]] std::size_t bytes() const;
};

/// Operators for boxes with sides of this length, with errors of about `tolerance` times the variation of f between
/// the nearest boxes. They are made once and kept in the process, up to 1 GiB of them. O(order^(2 Dim + 1)).
template <int Dim, class Real>
std::shared_ptr<const FarOperators<Dim, Real>> farOperators(
  const RadialFunction& function, int order, double side, double tolerance);

/// The boxes of a level in a far field.
template <int Dim, class Real>
struct FarLevel {
  std::shared_ptr<const FarOperators<Dim, Real>> operators;
  double factor = 1.0;    ///< what their results are multiplied with
  double logarithm = 0.0; ///< what is added to the interaction
};

/// The levels of the last tree, in the precision of the last call, and what they were made for: kept so that a call
/// like the one before takes no memory for them.
template <int Dim>
struct FarLevels {
  RadialFunction function;
  RadialFunction unsoftened; ///< 1 / r
  RadialFunction nothing;    ///< 0
  std::vector<FarLevel<Dim, float>> inFloat;
  std::vector<FarLevel<Dim, double>> inDouble;

  template <class Real>
  [[nodiscard]] std::vector<FarLevel<Dim, Real>>& in() {
    if constexpr (std::is_same_v<Real, float>) {
      return inFloat;
    } else {
      return inDouble;
    }
  }
};

} // namespace spanwise::nbody::detail
