#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise {

/// The first index in [begin, end) whose value exceeds `value`; `end` if there is none. `sorted` ascends. O(log(end -
/// begin)).
KOKKOS_INLINE_FUNCTION std::int64_t firstAbove(
  const std::int64_t* sorted, std::int64_t begin, std::int64_t end, std::int64_t value) {
  while (begin < end) {
    const std::int64_t middle = begin + (end - begin) / 2;
    if (sorted[middle] <= value) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

/// The first of the elements that equal sorted[k]. `sorted` ascends by `less`. O(1) if there is no other before k,
/// otherwise O(log k).
template <class T, class Less>
KOKKOS_INLINE_FUNCTION std::int64_t firstOfEqual(const T* sorted, std::int64_t k, const Less& less) {
  std::int64_t begin = k;
  if (k > 0 && !less(sorted[k - 1], sorted[k])) {
    begin = 0;
    for (std::int64_t end = k - 1; begin < end;) {
      const std::int64_t middle = begin + (end - begin) / 2;
      if (less(sorted[middle], sorted[k])) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
  }
  return begin;
}

/// The first number in [begin, end) for which `test` is true; `end` if there is none. `test` is false up to some number
/// and true from there on. Two calls of `test` if `guess` is right, O(log(distance)) if it is wrong.
template <class Test>
KOKKOS_INLINE_FUNCTION std::int64_t firstTrue(
  std::int64_t begin, std::int64_t end, std::int64_t guess, const Test& test) {
  guess = Kokkos::max(begin, Kokkos::min(guess, end));
  if (guess < end && !test(guess)) {
    begin = guess + 1;
    for (std::int64_t step = 1; begin < end; step *= 2) {
      const std::int64_t probe = Kokkos::min(begin + step - 1, end - 1);
      if (test(probe)) {
        end = probe;
        break;
      }
      begin = probe + 1;
    }
  } else {
    end = guess;
    for (std::int64_t step = 1; begin < end; step *= 2) {
      const std::int64_t probe = Kokkos::max(end - step, begin);
      if (!test(probe)) {
        begin = probe + 1;
        break;
      }
      end = probe;
    }
  }
  while (begin < end) {
    const std::int64_t middle = begin + (end - begin) / 2;
    if (test(middle)) {
      end = middle;
    } else {
      begin = middle + 1;
    }
  }
  return begin;
}

} // namespace spanwise
