#pragma once

#include <type_traits>

namespace spanwise::nbody::detail {

/// What calls keep from one to the next, one for each precision: `Of` of float and of double.
template <template <class Real> class Of>
class BothPrecisions {
public:
  template <class Real>
  [[nodiscard]] Of<Real>& of() {
    if constexpr (std::is_same_v<Real, float>) {
      return ofFloat_;
    } else {
      return ofDouble_;
    }
  }

private:
  Of<float> ofFloat_;
  Of<double> ofDouble_;
};

} // namespace spanwise::nbody::detail
