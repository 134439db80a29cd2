#include "Core/Solvers/NBody/Detail/MultipoleOrder.hpp"

#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/NBody/MultipoleAccuracy.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

namespace spanwise::nbody::detail {

namespace {

std::string inShort(double number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g", number);
  return text;
}

} // namespace

MultipoleOrder chooseOrder(const MultipoleOptions& options, const OrderCase& of) {
  constexpr double coarsest = 0.1;
  const int derivatives = static_cast<int>(of.withGradient) + static_cast<int>(of.ofDipoles);
  const double finest = finestAccuracy(of.isFloat, derivatives > 0);
  if (!(options.accuracy >= finest && options.accuracy <= coarsest)) {
    throw InvalidArgument("the accuracy is " + inShort(options.accuracy) + "; multipoles in " +
      (of.isFloat ? "single" : "double") + " precision reach " + inShort(coarsest) + " to " + inShort(finest) +
      (of.isFloat || derivatives == 0 ? "" : " for gradients and dipoles"));
  }
  const int maxOfOrder = of.dimension == 3 ? 16 : maxOrder;
  if (options.order != 0 && (options.order < 2 || options.order > maxOfOrder)) {
    throw InvalidArgument("the order is " + std::to_string(options.order) + "; it must be 2 to " +
      std::to_string(maxOfOrder) + ", or 0 to be chosen");
  }
  if (options.maxInLeaf < 0) {
    throw InvalidArgument("the most points of a leaf are " + std::to_string(options.maxInLeaf) +
      "; it must be at least 1, or 0 to be chosen");
  }
  // Errors of order 3, and by what each further order divides them, with some to spare. They were measured with 1 / r,
  // dipoles and ln r, for charges of both signs, all distributions of the tests and 60 to 400 places where boxes begin:
  // worst is what one place with many sources does, where it lies in the corner of a box, and in 2D worse than in 3D.
  // Interactions with a length of their own are less smooth where boxes are as large or larger: they take one order
  // more, in 2D two, and one more for potentials alone. In a periodic box what is far is more than what is near, even
  // of few particles. Gradients of dipoles fall so fast that errors of operators are to be small beside those of boxes
  // a few sides farther off.
  constexpr int firstHigh = 8;
  struct Row {
    double error;
    double divisor;     ///< up to order firstHigh
    double highDivisor; ///< from there on
    double tolerance;   ///< of operators, as a part of the accuracy
  };
  static constexpr Row rowsOf2d[] = {{5.7e-3, 5.8, 5.2, 0.3}, {1.6e-1, 4.7, 4.7, 0.0003}, {2.0, 4.5, 4.5, 0.0001}};
  static constexpr Row rowsOf3d[] = {{2.1e-3, 5.8, 5.8, 0.3}, {6e-2, 5.0, 4.4, 0.004}, {1e-1, 4.5, 4.5, 0.002}};
  const Row& row = (of.dimension == 2 ? rowsOf2d : rowsOf3d)[derivatives]; // by the number of derivatives
  int smooth = 3; // the order for what is neither periodic nor has a length
  for (double error = row.error; smooth < maxOfOrder && error > options.accuracy; ++smooth) {
    error /= smooth < firstHigh ? row.divisor : row.highDivisor;
  }
  const int ofLength = (of.dimension == 2 ? 2 : 1) + static_cast<int>(derivatives == 0);
  // Errors of many sources in a box are those of places all over it. Where one charge is most of what there is, they
  // are those of the place that it has, which may be a corner of its box: one of 3,000 that was 100 times the others
  // had a third of the errors asked at most, one that was a million times 2 to 6 times, and up to 20 times at 1e-8. A
  // thousandth of a cluster's mass in one body had 4 times those asked.
  constexpr double isMuch = 15.0;
  const bool isMax = of.dominance > 300.0 || of.share > 0.1;
  const int ofDominance = of.dominance <= isMuch ? 0 : isMax ? 2 : 1;
  const int order =
    std::min(maxOfOrder, smooth + (of.isScaleFree ? 0 : ofLength) + static_cast<int>(of.isPeriodic) + ofDominance);
  MultipoleOrder result{};
  result.order = options.order != 0 ? options.order : order;
  constexpr double ofRepeated = 0.3; // errors of boxes that are repeated add up, for they are the same
  constexpr double ofSteep = 0.1;    // in 2D a potential may fall by as much from one box to the next
  const bool isSteep = of.dimension == 2 && derivatives == 0 && !of.isScaleFree;
  result.tolerance = row.tolerance * options.accuracy * (of.isPeriodic ? ofRepeated : 1.0) * (isSteep ? ofSteep : 1.0);
  // Leaves of evenly spread points were best with so many. With high orders translations cost so much that the choice
  // matters less than where boxes begin, and the smallest root is kept, with which errors were measured.
  struct Leaf {
    std::int64_t most, even;
  };
  const Leaf leaf = of.dimension == 2 ? (result.order < 9 ? Leaf{80, 40} : Leaf{130, 0})
    : result.order < 8                ? Leaf{320, 105}
    : result.order < 10               ? Leaf{400, 130}
                                      : Leaf{600, 0};
  const bool isChosen = options.maxInLeaf == 0;
  result.maxInLeaf = isChosen ? leaf.most : options.maxInLeaf;
  result.evenInLeaf = isChosen ? leaf.even : 0;
  // Floats are off by some 3e-7, and by 1e-6 where many terms are alike and are rounded alike.
  constexpr double ofFloats = 1e-5;
  result.splitsNear = options.accuracy >= ofFloats;
  return result;
}

} // namespace spanwise::nbody::detail
