#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

#ifdef __F16C__
#include <immintrin.h>
#endif
#if defined(KOKKOS_ENABLE_CUDA) && defined(__CUDACC__)
#include <cuda_fp16.h>
#endif

namespace spanwise {

namespace detail {

/// The nearest number of IEEE 754 binary16, of two that are as near the even one. Beyond 65504 by half a step or more:
/// infinity. All of a NaN is lost but that it is one. No branches: loops over it are vectorised.
KOKKOS_FORCEINLINE_FUNCTION std::uint16_t halfBits(float value) {
  const auto bits = Kokkos::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  // Below 2^-14 the sum with 1/2 is rounded where the last bit of a subnormal number is.
  const float withHalf = Kokkos::bit_cast<float>(magnitude) + 0.5F;
  const std::uint32_t subnormal = Kokkos::bit_cast<std::uint32_t>(withHalf) - 0x3F000000U;
  // Otherwise the exponent is 112 less, and a carry goes into it.
  const std::uint32_t normal = (magnitude - 0x38000000U + 0xFFFU + (magnitude >> 13 & 1U)) >> 13;
  const std::uint32_t finite = magnitude < 0x38800000U ? subnormal : normal;
  const std::uint32_t infinite = magnitude > 0x7F800000U ? 0x7E00U : 0x7C00U;
  const std::uint32_t result = magnitude < 0x47800000U ? finite : infinite;
  return static_cast<std::uint16_t>(result | (bits >> 16 & 0x8000U));
}

/// The value of a number of IEEE 754 binary16, which is exact.
KOKKOS_FORCEINLINE_FUNCTION float valueOfHalf(std::uint16_t half) {
  const std::uint32_t magnitude = (half & 0x7FFFU) << 13;
  const std::uint32_t normal = magnitude + 0x38000000U;
  const float subnormal = Kokkos::bit_cast<float>(magnitude + 0x38800000U) - 6.103515625e-05F; // 2^-14
  const std::uint32_t finite = magnitude < 0x00800000U ? Kokkos::bit_cast<std::uint32_t>(subnormal) : normal;
  const std::uint32_t result = magnitude < 0x0F800000U ? finite : magnitude + 0x70000000U;
  return Kokkos::bit_cast<float>(result | (half & 0x8000U) << 16);
}

} // namespace detail

/// A number stored in 16 bits and computed with as float: IEEE 754 binary16 of 2^15 times the value ("FP16S": Lehmann
/// et al. 2022). So it has 11 significant bits between 2^-29 and 2, ends at 1.9990234375, and is infinite beyond: made
/// for populations of a lattice from which their equilibrium at rest was subtracted. Loads are exact; stores round to
/// nearest even. Needs no support for 16-bit arithmetic, on the host or a device; the host's F16C is used where the
/// program is compiled for it, and what CUDA has.
class ScaledHalf {
public:
  static constexpr float scale = 32768.0F;

  ScaledHalf() = default;                             ///< undefined, as a float
  KOKKOS_FORCEINLINE_FUNCTION ScaledHalf(float value) // NOLINT(google-explicit-constructor): as numbers convert
    : bits_(stored(scale * value)) {}
  KOKKOS_FORCEINLINE_FUNCTION operator float() const { // NOLINT(google-explicit-constructor)
    return loaded(bits_) * (1.0F / scale);
  }

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::uint16_t bits() const { return bits_; }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION static ScaledHalf fromBits(std::uint16_t bits) {
    ScaledHalf number;
    number.bits_ = bits;
    return number;
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION static std::uint16_t stored(float value) {
    KOKKOS_IF_ON_HOST((return storedOnHost(value);))
    KOKKOS_IF_ON_DEVICE((return storedOnDevice(value);))
  }
  KOKKOS_FORCEINLINE_FUNCTION static float loaded(std::uint16_t half) {
    KOKKOS_IF_ON_HOST((return loadedOnHost(half);))
    KOKKOS_IF_ON_DEVICE((return loadedOnDevice(half);))
  }

#ifdef __F16C__
  static std::uint16_t storedOnHost(float value) {
    return static_cast<std::uint16_t>(_cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT));
  }
  static float loadedOnHost(std::uint16_t half) { return _cvtsh_ss(half); }
#else
  KOKKOS_FORCEINLINE_FUNCTION static std::uint16_t storedOnHost(float value) { return detail::halfBits(value); }
  KOKKOS_FORCEINLINE_FUNCTION static float loadedOnHost(std::uint16_t half) { return detail::valueOfHalf(half); }
#endif
#ifdef __CUDA_ARCH__
  __device__ static std::uint16_t storedOnDevice(float value) { return __half_as_ushort(__float2half_rn(value)); }
  __device__ static float loadedOnDevice(std::uint16_t half) { return __half2float(__ushort_as_half(half)); }
#else
  KOKKOS_FORCEINLINE_FUNCTION static std::uint16_t storedOnDevice(float value) { return detail::halfBits(value); }
  KOKKOS_FORCEINLINE_FUNCTION static float loadedOnDevice(std::uint16_t half) { return detail::valueOfHalf(half); }
#endif

  std::uint16_t bits_;
};

} // namespace spanwise
