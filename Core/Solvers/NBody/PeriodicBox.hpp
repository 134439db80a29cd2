#pragma once

#include <array>
#include <string>

namespace spanwise::nbody {

/// A box that particles are repeated with for ever: what acts on a target is each source and all its images, which are
/// whole numbers of edges away from it. Particles may lie anywhere; they are wrapped into the box.
///
/// Sums over 1 / r and ln r do not converge unless all charges add up to zero, and then in an order that must be said.
/// Here it is that of P. P. Ewald (Ann. Phys. 369, 1921), with a tin-foil boundary: the repeated box is surrounded by a
/// conductor, which takes away the field of the surface charges of a box with a dipole moment. A sum over images in
/// growing spheres (a vacuum outside) differs from it by 4 pi / (3 V) times the dipole moment of the box, as a field
/// (S. W. de Leeuw, J. W. Perram, E. R. Smith, Proc. R. Soc. Lond. A 373, 1980). Potentials have no constant part: what
/// a charge and its images do has the mean 0 over the box, as if a uniform background took their charge away.
///
/// Sums over interactions that fall off fast (Gaussian, Yukawa's with kappa > 0) are what they are, for any charges.
struct PeriodicBox {
  std::array<double, 3> low{};                ///< corner; in 2D the third numbers do not count
  std::array<double, 3> edges{1.0, 1.0, 1.0}; ///< lengths
  /// Charges are neutral where |sum q| <= neutralTo sum |q|; for interactions that need it, others are refused.
  double neutralTo = 1e-12;
};

/// How many times the shortest edge the longest may be.
inline constexpr double mostElongated = 1000.0;

/// Throws InvalidArgument where a corner is not finite, an edge is not positive, or edges differ by more than
/// mostElongated.
void checkBox(const PeriodicBox& box, int dimension);

/// Whether edges have the same length, but for what rounding takes from the difference of two bounds.
[[nodiscard]] bool isCube(const PeriodicBox& box, int dimension);

/// Throws InvalidArgument where they have not: multipoles are for cubes and squares.
void checkIsCube(const PeriodicBox& box, int dimension);

/// Throws InvalidArgument where charges whose sum and sum of magnitudes are given are not neutral.
void checkNeutral(const PeriodicBox& box, double sum, double sumOfMagnitudes);

} // namespace spanwise::nbody
