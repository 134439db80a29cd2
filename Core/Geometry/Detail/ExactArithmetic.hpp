#pragma once

#include <Kokkos_Core.hpp>

namespace spanwise::geometry::detail {

// Arithmetic whose rounding errors are known. A sum or product of doubles is kept as an expansion: doubles that do not
// overlap and whose exact sum is the value. J. R. Shewchuk: Adaptive Precision Floating-Point Arithmetic and Fast
// Robust Geometric Predicates, Discrete & Computational Geometry 18 (1997), 305-363; the theorems' numbers are from
// there.

/// `value`, seen by the compiler as a number that it knows nothing of. Flags such as -ffast-math and -march=native let
/// a host compiler reassociate sums and contract a * b + c; this keeps it from doing so across a rounding that matters.
KOKKOS_FORCEINLINE_FUNCTION double opaque(double value) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return value; // device compilers do not reassociate; contraction is kept off in roundedProduct
#elif defined(__x86_64__)
  asm("" : "+x"(value));
  return value;
#elif defined(__aarch64__)
  asm("" : "+w"(value));
  return value;
#else
  volatile double kept = value;
  return kept;
#endif
}

/// a + b rounded once to double, whatever the compiler's flags.
KOKKOS_FORCEINLINE_FUNCTION double roundedSum(double a, double b) { return opaque(a + b); }

/// a - b rounded once to double, whatever the compiler's flags.
KOKKOS_FORCEINLINE_FUNCTION double roundedDifference(double a, double b) { return opaque(a - b); }

/// a * b rounded once to double, whatever the compiler's flags: never part of a fused multiply-add.
KOKKOS_FORCEINLINE_FUNCTION double roundedProduct(double a, double b) {
#if defined(__CUDA_ARCH__)
  return __dmul_rn(a, b);
#elif defined(__HIP_DEVICE_COMPILE__)
#pragma clang fp contract(off)
  return a * b;
#else
  return opaque(a * b);
#endif
}

/// A rounded result and what the rounding left out: their sum is exact.
struct RoundedAndRest {
  double value;
  double rest;
};

/// a + b exactly (Knuth's two-sum, Theorem 7).
KOKKOS_FORCEINLINE_FUNCTION RoundedAndRest exactSum(double a, double b) {
  const double sum = roundedSum(a, b);
  const double fromB = roundedDifference(sum, a);
  const double fromA = roundedDifference(sum, fromB);
  return {sum, roundedSum(roundedDifference(a, fromA), roundedDifference(b, fromB))};
}

/// a - b exactly.
KOKKOS_FORCEINLINE_FUNCTION RoundedAndRest exactDifference(double a, double b) { return exactSum(a, -b); }

/// a * b exactly, unless the rest underflows.
KOKKOS_FORCEINLINE_FUNCTION RoundedAndRest exactProduct(double a, double b) {
  const double product = roundedProduct(a, b);
  return {product, Kokkos::fma(a, b, -product)};
}

/// The exact sum of up to `Capacity` doubles.
template <int Capacity>
class Expansion {
public:
  /// Adds a double (grow-expansion with zero elimination, Theorem 10). O(number of terms).
  KOKKOS_FUNCTION void add(double value) {
    int kept = 0;
    for (int i = 0; i < size_; ++i) {
      const RoundedAndRest sum = exactSum(value, terms_[i]);
      if (sum.rest != 0.0) {
        terms_[kept++] = sum.rest;
      }
      value = sum.value;
    }
    if (value != 0.0) {
      terms_[kept++] = value;
    }
    size_ = kept;
  }

  /// Adds the product of two doubles: at most two terms.
  KOKKOS_FUNCTION void addProduct(double a, double b) {
    if (a != 0.0 && b != 0.0) {
      const RoundedAndRest ab = exactProduct(a, b);
      add(ab.rest);
      add(ab.value);
    }
  }

  /// Adds the product of three doubles: at most four terms.
  KOKKOS_FUNCTION void addProduct(double a, double b, double c) {
    if (a != 0.0 && b != 0.0) {
      const RoundedAndRest ab = exactProduct(a, b);
      addProduct(ab.rest, c);
      addProduct(ab.value, c);
    }
  }

  /// The sign of the exact sum, -1, 0 or 1: that of the largest term.
  [[nodiscard]] KOKKOS_FUNCTION int sign() const { return size_ == 0 ? 0 : (terms_[size_ - 1] > 0.0 ? 1 : -1); }

private:
  double terms_[Capacity]; // not zero, of increasing magnitude
  int size_ = 0;
};

} // namespace spanwise::geometry::detail
