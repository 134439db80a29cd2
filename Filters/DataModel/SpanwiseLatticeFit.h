#ifndef SpanwiseLatticeFit_h
#define SpanwiseLatticeFit_h

// The lattice on which positions lie that are not exact. Internal to this library.

#include <cstdint>
#include <vector>

namespace spanwise {

/// Places origin + i * spacing along an axis, of which i = 0 ... steps are used.
struct LatticeFit {
  double origin = 0.0;
  double spacing = 1.0;
  double steps = 0.0;
};

/// The lattice from which the furthest position is off by least (Chebyshev's line), where all are off by no more than
/// `noise` spacings from some lattice. `positions` are finite and not empty, and are sorted; `size` is the spacing, up
/// to a few `noise` of it.
///
/// Neighbours in order are a whole number of spacings apart, which is certain up to a distance that grows with the
/// length over which the spacing is known: stretches without longer gaps are fitted first, by least squares.
/// O(n log n).
LatticeFit fitLattice(std::vector<double>& positions, double size, double noise);

} // namespace spanwise

#endif
