#include "Core/Geometry/ComponentNumbering.hpp"

#include "Core/Runtime/UnionFind.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace spanwise::geometry {

namespace {

/// A number that touches another, and the least number of its component.
struct Rooted {
  std::int64_t number;
  std::int64_t root;
};

/// Each number that touches another once, ascending.
std::vector<Rooted> rootsOf(const std::vector<std::int64_t>& pairs) {
  std::vector<std::int64_t> numbers = pairs;
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  const auto placeOf = [&](std::int64_t number) {
    return static_cast<std::int64_t>(std::lower_bound(numbers.begin(), numbers.end(), number) - numbers.begin());
  };
  std::vector<std::int64_t> parents(numbers.size());
  std::iota(parents.begin(), parents.end(), 0);
  const UnionFind trees(parents.data());
  for (std::size_t k = 0; k < pairs.size(); k += 2) {
    trees.join(placeOf(pairs[k]), placeOf(pairs[k + 1]));
  }
  std::vector<Rooted> roots;
  roots.reserve(numbers.size());
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    roots.push_back({numbers[k], numbers[static_cast<std::size_t>(trees.root(static_cast<std::int64_t>(k)))]});
  }
  return roots;
}

} // namespace

ComponentNumbering::ComponentNumbering(
  const Communicator& communicator, const std::vector<std::int64_t>& counts, const std::vector<std::int64_t>& touching)
  : communicator_(&communicator) {
  const auto rank = static_cast<std::ptrdiff_t>(communicator.rank());
  const std::int64_t begin = std::accumulate(counts.begin(), counts.begin() + rank, std::int64_t{0});
  numParts_ = counts[static_cast<std::size_t>(rank)];
  const std::vector<Rooted> roots = rootsOf(touching);
  std::vector<std::int64_t> gone; // all numbers that are not the least of their component
  for (const auto& [number, root] : roots) {
    if (number != root) {
      gone.push_back(number);
    }
  }
  const auto goneBefore = [&](std::int64_t number) {
    return std::lower_bound(gone.begin(), gone.end(), number) - gone.begin();
  };
  first_ = begin - goneBefore(begin);
  count_ = std::accumulate(counts.begin(), counts.end(), std::int64_t{0}) - static_cast<std::int64_t>(gone.size());
  std::int64_t goneHere = 0;
  const auto firstHere = std::lower_bound(
    roots.begin(), roots.end(), begin, [](const Rooted& a, std::int64_t number) { return a.number < number; });
  for (auto at = firstHere; at != roots.end() && at->number < begin + numParts_; ++at) {
    const auto [number, root] = *at;
    goneHere += number == root ? 0 : 1;
    joined_.push_back({number - begin, root - goneBefore(root), goneHere, number == root});
  }
}

bool ComponentNumbering::hasFirstCell(std::int64_t part) const {
  const auto at = std::lower_bound(
    joined_.begin(), joined_.end(), part, [](const JoinedPart& a, std::int64_t b) { return a.part < b; });
  return at == joined_.end() || at->part != part || at->hasFirstCell;
}

} // namespace spanwise::geometry
