#include "Core/Geometry/ComponentNumbering.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>

namespace spanwise {

namespace {

using Parents = std::map<std::int64_t, std::int64_t>;

/// The least number of a tree. Shortens the way to it.
std::int64_t rootOf(Parents& parents, std::int64_t number) {
  std::int64_t root = number;
  for (auto at = parents.find(root); at != parents.end() && at->second != root; at = parents.find(root)) {
    root = at->second;
  }
  for (auto at = parents.find(number); at != parents.end() && at->second != root;) {
    number = std::exchange(at->second, root);
    at = parents.find(number);
  }
  return root;
}

/// The least number of its component for each number that touches another.
Parents rootsOf(const std::vector<std::int64_t>& pairs) {
  Parents parents;
  for (std::size_t k = 0; k < pairs.size(); k += 2) {
    const std::int64_t a = rootOf(parents, pairs[k]);
    const std::int64_t b = rootOf(parents, pairs[k + 1]);
    parents[std::max(a, b)] = std::min(a, b);
    parents.try_emplace(std::min(a, b), std::min(a, b));
  }
  for (auto& [number, parent] : parents) {
    parent = rootOf(parents, number);
  }
  return parents;
}

} // namespace

ComponentNumbering::ComponentNumbering(
  const Communicator& communicator, const std::vector<std::int64_t>& counts, const std::vector<std::int64_t>& touching)
  : communicator_(&communicator) {
  const auto rank = static_cast<std::ptrdiff_t>(communicator.rank());
  const std::int64_t begin = std::accumulate(counts.begin(), counts.begin() + rank, std::int64_t{0});
  numParts_ = counts[static_cast<std::size_t>(rank)];
  const Parents roots = rootsOf(touching);
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
  for (auto at = roots.lower_bound(begin); at != roots.end() && at->first < begin + numParts_; ++at) {
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

} // namespace spanwise
