#pragma once

#include "Core/Runtime/AtomicAccess.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise {

/// A forest in which trees are joined from many threads at once. The parent of an element never has a larger number, so
/// when all joins are done the root of a tree is the least of its elements, in whatever order they were done.
class UnionFind {
public:
  /// `parents` holds i for each i: every element is a tree of its own.
  KOKKOS_FUNCTION explicit UnionFind(std::int64_t* parents) : parents_(parents) {}

  /// The root of the element's tree. Shortens the way to it.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t root(std::int64_t element) const {
    std::int64_t parent = atomicLoad(parents_ + element);
    while (parent != element) {
      // An element with a parent is no root again, so nobody compares and exchanges what is written here.
      const std::int64_t grandparent = atomicLoad(parents_ + parent);
      atomicStore(parents_ + element, grandparent);
      element = parent;
      parent = grandparent;
    }
    return element;
  }

  /// Joins the trees of two elements.
  KOKKOS_FUNCTION void join(std::int64_t a, std::int64_t b) const {
    a = root(a);
    b = root(b);
    while (a != b) {
      const std::int64_t larger = Kokkos::max(a, b);
      const std::int64_t smaller = Kokkos::min(a, b);
      const std::int64_t before = Kokkos::atomic_compare_exchange(parents_ + larger, larger, smaller);
      if (before == larger) {
        return;
      }
      a = root(before); // another thread has joined it
      b = smaller;
    }
  }

private:
  std::int64_t* parents_;
};

} // namespace spanwise
