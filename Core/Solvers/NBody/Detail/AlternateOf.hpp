#pragma once

namespace spanwise::nbody::detail {

template <class Instructions, class Real>
struct Alternating {
  using Type = Instructions;
};
template <class Instructions, class Real>
  requires requires { typename Instructions::template Alternate<Real>; }
struct Alternating<Instructions, Real> {
  using Type = typename Instructions::template Alternate<Real>;
};

/// What every second pack is computed with: instructions on the same vectors that keep other units of a processor busy,
/// where there are such, or the same ones.
template <class Instructions, class Real>
using AlternateOf = typename Alternating<Instructions, Real>::Type;

} // namespace spanwise::nbody::detail
