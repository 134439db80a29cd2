#pragma once

// The local problem of second order: the time and the gradient at a vertex from those at the corners around it.

#include "Core/Solvers/Eikonal/CornerUpdate.hpp"
#include "Core/Solvers/Eikonal/Tensor.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal::second {

/// What is known of a vertex. One cache line.
struct alignas(64) VertexState {
  Point x;
  Point gradient;    ///< NaN: not known
  double time = 0.0; ///< of second order, once it is computed
  double first = notReached;

  [[nodiscard]] KOKKOS_FUNCTION bool hasGradient() const { return !Kokkos::isnan(gradient[0]); }
  KOKKOS_FUNCTION void forgetGradient() { gradient[0] = Kokkos::Experimental::quiet_NaN_v<double>; }
};
static_assert(sizeof(VertexState) == 64);

/// A symmetric matrix of the edges to a vertex.
template <int n>
struct EdgeMatrix {
  double at[n][n];

  /// Its inverse; false where the edges do not span a simplex.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION bool invert() {
    if constexpr (n == 2) {
      const double determinant = at[0][0] * at[1][1] - at[0][1] * at[0][1];
      if (!(determinant > 0.0)) {
        return false;
      }
      const double scale = 1.0 / determinant;
      const double first = at[0][0];
      at[0][0] = scale * at[1][1];
      at[1][1] = scale * first;
      at[0][1] = at[1][0] = -scale * at[0][1];
    } else {
      const SymmetricTensor tensor{at[0][0], at[1][1], at[2][2], at[0][1], at[1][2], at[0][2]};
      if (!(tensor.determinant() > 0.0)) {
        return false;
      }
      const SymmetricTensor inverse = tensor.inverse();
      at[0][0] = inverse.xx;
      at[1][1] = inverse.yy;
      at[2][2] = inverse.zz;
      at[0][1] = at[1][0] = inverse.xy;
      at[1][2] = at[2][1] = inverse.yz;
      at[0][2] = at[2][0] = inverse.xz;
    }
    return true;
  }

  KOKKOS_INLINE_FUNCTION void multiply(const double* in, double* out) const {
    for (int i = 0; i < n; ++i) {
      out[i] = 0.0;
      for (int j = 0; j < n; ++j) {
        out[i] += at[i][j] * in[j];
      }
    }
  }
};

/// The gradient in the space of the edges that grows by rises[i] along edge i; NaN where they span no simplex.
template <int n>
KOKKOS_INLINE_FUNCTION Point gradientFrom(const Point* edges, const double* rises) {
  EdgeMatrix<n> gram;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      gram.at[i][j] = dot(edges[i], edges[j]);
    }
  }
  Point sum{};
  if (!gram.invert()) {
    sum[0] = Kokkos::Experimental::quiet_NaN_v<double>;
    return sum;
  }
  double along[n];
  gram.multiply(rises, along);
  for (int i = 0; i < n; ++i) {
    sum = sum + along[i] * edges[i];
  }
  return sum;
}

/// The gradient of T0; undefined at the source.
KOKKOS_INLINE_FUNCTION Point gradientOf(const FactorPlace& place, const Stretched& at) {
  const double* r = place.root;
  const Point y = (1.0 / at.time) * at.y;
  return {{r[0] * y[0], r[1] * y[0] + r[3] * y[1], r[2] * y[0] + r[4] * y[1] + r[5] * y[2]}};
}

// The numbers below that no rule of arithmetic gives were chosen by mean errors in 70 cases with closed forms: 2D with
// 40 to 160 cells an axis and 3D with 12 to 36, even and shaken, from one ball and from two in a constant medium, from
// a point and from a ball in a gradient of speed, of vertices and of elements, two layers with a head wave, a wall, and
// great circles. What is said of another number is the geometric mean of errors with it over those with the one that is
// here, and in parentheses the largest such ratio.

/// A time that a simplex gives, with its gradient.
struct Candidate {
  double time = notReached;
  double inside = -notReached; ///< the least weight of a corner where the ray crosses their face
  double slack = 0.0;          ///< by how much the time may differ from that of first order
  Point gradient;

  [[nodiscard]] KOKKOS_FUNCTION bool exists() const { return time < notReached; }
  [[nodiscard]] KOKKOS_FUNCTION bool isBetterThan(const Candidate& other) const {
    const bool comesThrough = inside >= -nearlyInside;
    const bool otherComesThrough = other.inside >= -nearlyInside;
    if (comesThrough && otherComesThrough) {
      return isEarlierThan(other);
    }
    return inside > other.inside + sameWeight || (inside >= other.inside - sameWeight && isEarlierThan(other));
  }
  /// Of equal times the order does not matter, but it depends on what is found alone. A ray through a face that two
  /// simplices share has one time, but for rounding, and from each of them another gradient.
  [[nodiscard]] KOKKOS_FUNCTION bool isEarlierThan(const Candidate& other) const {
    if (!exists() || !other.exists() || isApart(time, other.time)) {
      return time < other.time;
    }
    for (int axis = 0; axis < 3; ++axis) {
      if (isApart(gradient[axis], other.gradient[axis])) {
        return gradient[axis] < other.gradient[axis];
      }
    }
    if (time != other.time) { // the same bits in whatever order they are found
      return time < other.time;
    }
    for (int axis = 0; axis < 3; ++axis) {
      if (gradient[axis] != other.gradient[axis]) {
        return gradient[axis] < other.gradient[axis];
      }
    }
    return slack < other.slack;
  }
  /// Whether two numbers differ by more than rounding.
  [[nodiscard]] KOKKOS_FUNCTION static bool isApart(double a, double b) {
    return Kokkos::abs(a - b) > sameNumber * Kokkos::max(Kokkos::abs(a), Kokkos::abs(b));
  }

  /// Directions have an error of O(h): rays so far outside of a face count as those through it. Half: 1.01 (1.16);
  /// twice: 0.99 (1.11), and one largest error 3.9 times as large.
  static constexpr double nearlyInside = 0.05;
  /// The most by which a ray may miss a face where it goes through none. Half: 1.01 (1.15); twice: 0.97 (1.17).
  static constexpr double farthestOutside = 0.5;
  /// Weights that differ by less are the same but for rounding. From 1e-12 to 1e-6 no time changes.
  static constexpr double sameWeight = 1e-9;
  /// Numbers that differ by a smaller share are the same but for rounding; gradients are quotients of differences. From
  /// 1e-13 to 1e-10 no time changes; with 1e-9 some do.
  static constexpr double sameNumber = 1e-11;
};

/// Gradients that differ by more, as a share of the gradient, are of different fronts, or of one that spreads from
/// nearby. Half: 1.25 (3.9), since fewer times are of second order; twice: 0.90 (1.6, behind the two layers, with
/// largest errors 7 times as large).
inline constexpr double maxDifference = 0.4;
/// The same where times are factored, or the ray comes through another face. Half: 1.07 (2.1); twice: 0.94 (1.3).
inline constexpr double maxOfSmooth = 0.15;
/// A start whose time is within this share of T0 is taken for one of the place that T0 is of. From 0.025 to 0.4 no time
/// changes; with 0 gradients around points are not known (1.07).
inline constexpr double nearStart = 0.1;
/// A place where T0 is a smaller share of that at the end of the ray is beside the source, or behind it. Half: 0.99
/// (1.10); 1.5 times: 1.00 (1.13); without, 1.10 (5.3).
inline constexpr double besideSource = 0.5;
/// By how much a time may differ from that of first order where gradients agree, as a share of the travel time along an
/// edge: for rounding, as in plane fronts. None: 0.3 % fewer times of second order; 100 times: 1.00 (1.01).
inline constexpr double slackOfRounding = 1e-6;

/// The corners of a simplex around the vertex that is updated.
template <int numCorners>
struct Around {
  static constexpr int n = numCorners - 1;
  std::int32_t vertices[n];
  const VertexState* states[n];
  Point edges[n]; ///< from the corners to the vertex

  KOKKOS_INLINE_FUNCTION Around(const VertexState* all, const Simplex<numCorners>& simplex, int corner) {
    const Point x = all[simplex.vertices[corner]].x;
    for (int k = 0; k < n; ++k) {
      vertices[k] = simplex.vertices[(corner + 1 + k) % numCorners];
      states[k] = all + vertices[k];
      edges[k] = x - states[k]->x;
    }
  }
};

/// Tensors N at vertices.
struct TensorsAtVertices {
  const SymmetricTensor* tensors; ///< [numVertices]; xx is NaN: not known

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool isKnown(std::int64_t v) const { return !Kokkos::isnan(tensors[v].xx); }
};

/// By how much the gradient changes on the way of a ray, whose end is at the vertex: Hamilton's equations say dp/dt =
/// -1/2 grad (p^T M p) = 1/2 grad (r^T N r) with the velocity r = M p, here for a tensor that is linear in the simplex.
/// Nothing where one is not known.
template <int numCorners>
KOKKOS_INLINE_FUNCTION Point bendOf(
  const Around<numCorners>& around, const TensorsAtVertices& media, std::int64_t vertex, const double* weights) {
  constexpr int n = numCorners - 1;
  if (!media.isKnown(vertex)) {
    return {};
  }
  Point ray{};
  for (int i = 0; i < n; ++i) {
    ray = ray + weights[i] * around.edges[i];
  }
  const double time2 = media.tensors[vertex].product(ray);
  double rises[n];
  double most = 0.0;
  for (int i = 0; i < n; ++i) {
    if (!media.isKnown(around.vertices[i])) {
      return {};
    }
    rises[i] = time2 - media.tensors[around.vertices[i]].product(ray);
    most = Kokkos::max(most, Kokkos::abs(rises[i]));
  }
  return most > 0.0 ? 0.5 / Kokkos::sqrt(time2) * gradientFrom<n>(around.edges, rises) : Point{};
}

/// The part of a vector that lies in the simplex around a corner: all of it but in a triangle.
template <int numCorners>
KOKKOS_INLINE_FUNCTION Point within(const Around<numCorners>& around, const Point& vector) {
  if constexpr (numCorners == 4) {
    return vector;
  } else {
    const Point normal = cross(around.edges[0], around.edges[1]);
    const double length2 = dot(normal, normal);
    return length2 > 0.0 ? vector - (dot(vector, normal) / length2) * normal : vector;
  }
}

/// A gradient as it comes into the simplex over a fold between triangles: turned into its plane, as long as before.
template <int numCorners>
KOKKOS_INLINE_FUNCTION Point turnedInto(const Around<numCorners>& around, const Point& gradient) {
  if constexpr (numCorners == 4) {
    return gradient;
  } else {
    const Point inPlane = within(around, gradient);
    const double length2 = dot(inPlane, inPlane);
    return length2 > 0.0 ? Kokkos::sqrt(dot(gradient, gradient) / length2) * inPlane : gradient;
  }
}

/// Squares and products of the edges in travel times: by the tensor at the vertex or, where it is not known, by what
/// the simplex has.
template <int numCorners>
KOKKOS_INLINE_FUNCTION EdgeMatrix<numCorners - 1> travelTimes(
  const Around<numCorners>& around, const Simplex<numCorners>& simplex, int corner, const SymmetricTensor* tensor) {
  constexpr int n = numCorners - 1;
  EdgeMatrix<n> matrix;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (tensor != nullptr) {
        matrix.at[i][j] = tensor->product(around.edges[i], around.edges[j]);
        continue;
      }
      const int a = (corner + 1 + i) % numCorners;
      const int b = (corner + 1 + j) % numCorners;
      const double between = a == b ? 0.0 : simplex.products[edgeBetween(a, b)];
      matrix.at[i][j] =
        0.5 * (simplex.products[edgeBetween(a, corner)] + simplex.products[edgeBetween(b, corner)] - between);
    }
  }
  return matrix;
}

/// The gradient at corner i of what is left of T0 where it is factored; false: not known.
template <int numCorners>
KOKKOS_INLINE_FUNCTION bool smoothGradient(
  const Around<numCorners>& around, int i, const FactorPlace* place, Point& gradient) {
  const VertexState& state = *around.states[i];
  gradient = state.gradient;
  if (state.hasGradient()) {
    gradient = turnedInto(around, state.gradient);
  }
  if (place == nullptr) {
    return state.hasGradient();
  }
  const Stretched there = place->stretched(state.x);
  if (state.hasGradient() && there.time > 0.0) {
    gradient = gradient - gradientOf(*place, there);
    return true;
  }
  gradient = Point{}; // a start of the place, or the place
  return state.hasGradient() || Kokkos::abs(state.time - place->time - there.time) <= nearStart * there.time;
}

/// The time of second order of a corner, where all others have theirs.
template <int numCorners>
KOKKOS_INLINE_FUNCTION Candidate updateSecond(const Around<numCorners>& around, const Simplex<numCorners>& simplex,
  int corner, const TensorsAtVertices& media, const FactorPlace* place) {
  constexpr int n = numCorners - 1;
  const std::int32_t vertex = simplex.vertices[corner];
  const SymmetricTensor* const tensor = media.isKnown(vertex) ? media.tensors + vertex : nullptr;
  const Point x = around.states[0]->x + around.edges[0];
  Stretched at;
  Point plain{}; // the gradient of T0 at the vertex
  if (place != nullptr) {
    at = place->stretched(x);
    if (!(at.time > 0.0)) {
      return {};
    }
    plain = gradientOf(*place, at);
  }
  double w[n];     // such that e_i . grad u(x) = 2 (u - w_i)
  Point smooth[n]; // the gradient of what is left of T0
  double least = notReached;
  for (int i = 0; i < n; ++i) {
    const VertexState& state = *around.states[i];
    const Point& e = around.edges[i];
    if (!smoothGradient(around, i, place, smooth[i])) {
      return {};
    }
    w[i] = state.time + 0.5 * dot(e, smooth[i]);
    if (place != nullptr) {
      w[i] += at.time - place->stretched(state.x).time - 0.5 * dot(e, plain);
    }
    least = Kokkos::min(least, w[i]);
  }
  const EdgeMatrix<n> matrix = travelTimes<numCorners>(around, simplex, corner, tensor);
  EdgeMatrix<n> inverse = matrix;
  if (!inverse.invert()) {
    return {};
  }
  // q^T (e_i^T N e_j) q = 1 with what the rays are composed of, sum_j q_j e_j, and (e_i^T N e_j) q = 2 (u - w).
  double ones[n];
  double ofOnes[n];
  double ofW[n];
  for (int i = 0; i < n; ++i) {
    ones[i] = 1.0;
    w[i] -= least;
  }
  inverse.multiply(ones, ofOnes);
  inverse.multiply(w, ofW);
  double a = 0.0;
  double b = 0.0;
  double c = -0.25;
  for (int i = 0; i < n; ++i) {
    a += ofOnes[i];
    b += ofW[i];
    c += w[i] * ofW[i];
  }
  const double discriminant = b * b - a * c;
  if (!(discriminant > 0.0 && a > 0.0)) {
    return {};
  }
  const double u = (b + Kokkos::sqrt(discriminant)) / a;
  const double sum = 2.0 * (u * a - b);
  Candidate candidate;
  candidate.inside = 1.0;
  double rises[n];
  double weights[n]; // of the corners where the ray crosses their face
  for (int i = 0; i < n; ++i) {
    weights[i] = 2.0 * (u * ofOnes[i] - ofW[i]) / sum;
    candidate.inside = Kokkos::min(candidate.inside, weights[i]);
    rises[i] = 2.0 * (u - w[i]);
  }
  if (!(candidate.inside >= -Candidate::farthestOutside)) {
    return {};
  }
  candidate.gradient = gradientFrom<n>(around.edges, rises);
  const Point rest = candidate.gradient - plain;
  const bool isRough = place == nullptr && candidate.inside >= -Candidate::nearlyInside;
  const double most = isRough ? maxDifference : maxOfSmooth;
  const double most2 = most * most * dot(candidate.gradient, candidate.gradient);
  double others = 0.0;
  for (int i = 0; i < n; ++i) {
    const Point difference = smooth[i] - rest;
    if (!(dot(difference, difference) <= most2)) {
      return {};
    }
    candidate.slack = Kokkos::max(candidate.slack, Kokkos::abs(dot(around.edges[i], difference)));
    const double inSimplex = simplex.products[edgeBetween((corner + 1 + i) % numCorners, corner)];
    const double here = Kokkos::sqrt(matrix.at[i][i]);
    others = Kokkos::max(others, Kokkos::abs(here - Kokkos::sqrt(inSimplex)) + slackOfRounding * here);
  }
  candidate.slack += others;
  // What the gradients at the corners and the one here are wrong by has opposite signs in w: it would go on for ever.
  // With the gradient that comes along the ray it has the same sign: in their mean nothing is left.
  Point carried{};
  Point foot = x;
  for (int i = 0; i < n; ++i) {
    carried = carried + weights[i] * smooth[i];
    foot = foot - weights[i] * around.edges[i];
  }
  if (place != nullptr) {
    const Stretched there = place->stretched(foot);
    // Near the source, and behind it, T0 says nothing of where the ray comes from.
    carried = carried + (there.time > besideSource * at.time ? gradientOf(*place, there) : plain);
  }
  carried = carried + bendOf<numCorners>(around, media, vertex, weights);
  candidate.gradient = 0.5 * (candidate.gradient + within(around, carried));
  candidate.time = u + least;
  return candidate;
}

/// The gradient of the ray to a corner that a front has come to in a straight line through a place of the face opposite
/// to it.
template <int numCorners>
KOKKOS_INLINE_FUNCTION Point gradientAlongRay(
  const Around<numCorners>& around, const Simplex<numCorners>& simplex, int corner, const double* weights) {
  constexpr int n = numCorners - 1;
  const EdgeMatrix<n> matrix = travelTimes<numCorners>(around, simplex, corner, nullptr);
  double rises[n];
  matrix.multiply(weights, rises);
  double length2 = 0.0;
  for (int i = 0; i < n; ++i) {
    length2 += weights[i] * rises[i];
  }
  const double scale = 1.0 / Kokkos::sqrt(length2);
  for (double& rise : rises) {
    rise *= scale;
  }
  return gradientFrom<n>(around.edges, rises);
}

/// The gradient at such a corner, of first order: that of the ray or, where it is known and nearly the same, the one
/// that the ray carries there.
template <int numCorners>
KOKKOS_INLINE_FUNCTION Point gradientOfRay(const Around<numCorners>& around, const Simplex<numCorners>& simplex,
  int corner, const TensorsAtVertices& media, const FactorPlace* place, const double* weights) {
  constexpr int n = numCorners - 1;
  const Point ofRay = gradientAlongRay<numCorners>(around, simplex, corner, weights);
  const Point x = around.states[0]->x + around.edges[0];
  Point carried = bendOf<numCorners>(around, media, simplex.vertices[corner], weights);
  Stretched at;
  if (place != nullptr) {
    at = place->stretched(x);
    carried = carried + gradientOf(*place, at);
  }
  for (int i = 0; i < n; ++i) {
    Point smooth;
    if (weights[i] > 0.0) {
      if (!smoothGradient(around, i, place, smooth)) {
        return ofRay;
      }
      carried = carried + weights[i] * smooth;
    }
  }
  carried = within(around, carried);
  const Point difference = carried - ofRay;
  return dot(difference, difference) <= maxDifference * maxDifference * dot(ofRay, ofRay) ? carried : ofRay;
}

} // namespace spanwise::eikonal::second
