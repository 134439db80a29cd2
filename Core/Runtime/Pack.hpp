#pragma once

#include <Kokkos_Macros.hpp>

namespace spanwise {

/// Numbers side by side, on which vector instructions work. `Instructions` says how.
template <class Real, class Instructions>
struct Pack {
  using Vector = typename Instructions::template Vector<Real>;
  static constexpr int width = Instructions::template width<Real>;

  Vector vector;

  Pack() = default;
  KOKKOS_FORCEINLINE_FUNCTION Pack(Real all) : vector(Instructions::all(all)) {}
  KOKKOS_FORCEINLINE_FUNCTION explicit Pack(const Vector& of) : vector(of) {}
  /// The same numbers, for other instructions on the same vectors.
  template <class Others>
  KOKKOS_FORCEINLINE_FUNCTION explicit Pack(const Pack<Real, Others>& of) : vector(of.vector) {}

  /// `width` numbers from memory that need not be aligned.
  static KOKKOS_FORCEINLINE_FUNCTION Pack load(const Real* from) { return Pack(Instructions::load(from)); }

  friend KOKKOS_FORCEINLINE_FUNCTION Pack operator+(const Pack& a, const Pack& b) { return Pack(a.vector + b.vector); }
  friend KOKKOS_FORCEINLINE_FUNCTION Pack operator-(const Pack& a, const Pack& b) { return Pack(a.vector - b.vector); }
  friend KOKKOS_FORCEINLINE_FUNCTION Pack operator*(const Pack& a, const Pack& b) { return Pack(a.vector * b.vector); }
  friend KOKKOS_FORCEINLINE_FUNCTION Pack operator/(const Pack& a, const Pack& b) { return Pack(a.vector / b.vector); }
  friend KOKKOS_FORCEINLINE_FUNCTION Pack operator-(const Pack& a) {
    return Pack(Instructions::template negative<Real>(a.vector));
  }
  KOKKOS_FORCEINLINE_FUNCTION Pack& operator+=(const Pack& other) {
    vector = vector + other.vector;
    return *this;
  }
  KOKKOS_FORCEINLINE_FUNCTION Pack& operator-=(const Pack& other) {
    vector = vector - other.vector;
    return *this;
  }
};

} // namespace spanwise
