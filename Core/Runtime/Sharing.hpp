#pragma once

namespace spanwise {

/// What shares the arrays of `shared`, a set or a field. While it lives they stay as they are, even if the output that
/// is written meanwhile is `shared` itself: that gets arrays of its own.
template <class Shared>
Shared sharing(const Shared& shared) {
  return shared;
}

} // namespace spanwise
