#pragma once

#include "Core/Solvers/NBody/Detail/ExpansionKernels.hpp"
#include "Core/Solvers/NBody/MultipoleOptions.hpp"

namespace spanwise::nbody::detail {

/// What an accuracy asks for.
struct MultipoleOrder {
  int order;               ///< polynomials along an axis
  double tolerance;        ///< of operators
  std::int64_t maxInLeaf;  ///< sources or targets
  std::int64_t evenInLeaf; ///< in a leaf of points that are spread evenly; 0: as many as the smallest root makes
  bool splitsNear = false; ///< whether coordinates of two floats each do for what is near
};

struct OrderCase {
  int dimension = 3;
  bool isFloat = false;
  bool withGradient = false; ///< a derivative of the expansion
  bool ofDipoles = false;    ///< a derivative of the moments
  bool isScaleFree = true;   ///< the interaction, but for a factor or a constant
  bool isPeriodic = false;   ///< there is a lattice of images
  double dominance = 1.0;    ///< the largest charge over the mean, in magnitude
  double share = 0.0;        ///< the largest charge over the sum, in magnitude
};

/// From a table of measurements. Throws InvalidArgument where options are out of range.
[[nodiscard]] MultipoleOrder chooseOrder(const MultipoleOptions& options, const OrderCase& of);

} // namespace spanwise::nbody::detail
