#include "Core/Mesh/SharedVertices.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/MixBits.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <string>

namespace spanwise {

namespace {

using Place = std::array<double, 3>;

// Keys are spread evenly over ranks.
std::uint64_t hashOf(std::int64_t id) { return mixBits(static_cast<std::uint64_t>(id)); }
std::uint64_t hashOf(const Place& place) {
  std::uint64_t hash = 0;
  for (const double x : place) {
    hash = mixBits(hash + 0x9e3779b97f4a7c15U + std::bit_cast<std::uint64_t>(x));
  }
  return hash;
}

std::string nameOf(std::int64_t id) { return "the id " + std::to_string(id); }
std::string nameOf(const Place& place) {
  return "the place (" + std::to_string(place[0]) + ", " + std::to_string(place[1]) + ", " + std::to_string(place[2]) +
    ")";
}

/// Values for ranks, one rank's after the other's.
template <class T>
struct ByRank {
  std::vector<T> values;
  std::vector<std::int64_t> first; ///< [ranks + 1]

  [[nodiscard]] std::span<const T> of(int rank) const {
    const auto r = static_cast<std::size_t>(rank);
    return std::span<const T>(values).subspan(
      static_cast<std::size_t>(first[r]), static_cast<std::size_t>(first[r + 1] - first[r]));
  }
};

/// Sorts values by the ranks that they are for, in their order for each.
template <class T>
ByRank<T> sortedByRank(const std::vector<T>& values, const std::vector<int>& ranks, int numRanks) {
  ByRank<T> sorted;
  sorted.first.assign(static_cast<std::size_t>(numRanks) + 1, 0);
  for (const int rank : ranks) {
    ++sorted.first[static_cast<std::size_t>(rank) + 1];
  }
  std::partial_sum(sorted.first.begin(), sorted.first.end(), sorted.first.begin());
  std::vector<std::int64_t> next = sorted.first;
  sorted.values.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    sorted.values[static_cast<std::size_t>(next[static_cast<std::size_t>(ranks[i])]++)] = values[i];
  }
  return sorted;
}

/// Collective. Brings each rank what the others have for it.
template <class T>
ByRank<T> exchanged(const Communicator& communicator, const ByRank<T>& mine) {
  const int size = communicator.size();
  const int me = communicator.rank();
  std::vector<std::int64_t> counts(static_cast<std::size_t>(size));
  std::adjacent_difference(mine.first.begin() + 1, mine.first.end(), counts.begin());
  const std::vector<std::int64_t> all = communicator.gather(std::span<const std::int64_t>(counts));
  ByRank<T> theirs;
  theirs.first.assign(1, 0);
  for (int r = 0; r < size; ++r) {
    theirs.first.push_back(
      theirs.first.back() + all[static_cast<std::size_t>(r) * counts.size() + static_cast<std::size_t>(me)]);
  }
  theirs.values.resize(static_cast<std::size_t>(theirs.first.back()));
  std::vector<OutgoingMessage> sends;
  std::vector<IncomingMessage> receives;
  for (int r = 0; r < size; ++r) {
    T* const to = theirs.values.data() + theirs.first[static_cast<std::size_t>(r)];
    const std::span<const T> out = mine.of(r);
    const std::size_t in = theirs.of(r).size_bytes();
    if (r == me) {
      std::copy(out.begin(), out.end(), to);
      continue;
    }
    if (!out.empty()) {
      sends.push_back({r, out.data(), out.size_bytes()});
    }
    if (in > 0) {
      receives.push_back({r, to, in});
    }
  }
  const auto exchange = communicator.makeExchange();
  exchange->start(sends, receives);
  exchange->finish();
  return theirs;
}

/// That another rank has a vertex too: `place` is where it stood in what this rank asked.
struct Answer {
  std::int64_t place;
  int rank;
};

/// What a rank says of the keys that fall to it: to all that have a key, who else has it.
template <class Key>
ByRank<Answer> answer(const ByRank<Key>& asked, int numRanks) {
  struct Holder {
    Key key;
    int rank;
    std::int64_t place;
  };
  std::vector<Holder> holders;
  holders.reserve(asked.values.size());
  for (int r = 0; r < numRanks; ++r) {
    std::int64_t place = 0;
    for (const Key& key : asked.of(r)) {
      holders.push_back({key, r, place++});
    }
  }
  std::sort(holders.begin(), holders.end(), [](const Holder& a, const Holder& b) {
    return a.key < b.key || (a.key == b.key && (a.rank < b.rank || (a.rank == b.rank && a.place < b.place)));
  });
  std::vector<Answer> answers;
  std::vector<int> ranks;
  std::size_t end = 0;
  for (std::size_t first = 0; first < holders.size(); first = end) {
    for (end = first; end < holders.size() && holders[end].key == holders[first].key; ++end) {
    }
    if (holders[first].rank == holders[end - 1].rank) {
      continue; // one rank alone
    }
    for (std::size_t i = first + 1; i < end; ++i) {
      if (holders[i].rank == holders[i - 1].rank) {
        throw InvalidArgument("two vertices of rank " + std::to_string(holders[i].rank) + " have " +
          nameOf(holders[i].key) + ", which rank " +
          std::to_string(holders[i].rank == holders[first].rank ? holders[end - 1].rank : holders[first].rank) +
          " has too: a vertex that ranks share is there once on each");
      }
    }
    for (std::size_t i = first; i < end; ++i) {
      for (std::size_t k = first; k < end; ++k) {
        if (k != i) {
          answers.push_back({holders[i].place, holders[k].rank});
          ranks.push_back(holders[i].rank);
        }
      }
    }
  }
  return sortedByRank(answers, ranks, numRanks);
}

template <class Key>
SharedVertices findByKeys(const Communicator& communicator, const std::vector<Key>& keys) {
  SharedVertices shared;
  if (communicator.alone()) {
    return shared;
  }
  const int size = communicator.size();
  std::vector<int> directory; // who is asked about a key
  std::vector<std::int64_t> numbers(keys.size());
  directory.reserve(keys.size());
  for (const Key& key : keys) {
    directory.push_back(static_cast<int>(hashOf(key) % static_cast<std::uint64_t>(size)));
  }
  std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
  const ByRank<std::int64_t> vertices = sortedByRank(numbers, directory, size);
  const ByRank<Key> asked = exchanged(communicator, sortedByRank(keys, directory, size));
  ByRank<Answer> answers;
  agree(communicator, [&] { answers = answer(asked, size); });
  answers = exchanged(communicator, answers);

  struct Slot {
    int rank;
    std::int64_t vertex;
  };
  std::vector<Slot> slots;
  for (int r = 0; r < size; ++r) {
    for (const Answer& found : answers.of(r)) {
      slots.push_back({found.rank, vertices.of(r)[static_cast<std::size_t>(found.place)]});
    }
  }
  // by keys, which are the same on both ranks
  std::sort(slots.begin(), slots.end(), [&](const Slot& a, const Slot& b) {
    return a.rank < b.rank ||
      (a.rank == b.rank && keys[static_cast<std::size_t>(a.vertex)] < keys[static_cast<std::size_t>(b.vertex)]);
  });
  for (const Slot& slot : slots) {
    if (shared.ranks.empty() || shared.ranks.back() != slot.rank) {
      shared.ranks.push_back(slot.rank);
      shared.firstSlot.push_back(shared.firstSlot.back());
    }
    shared.vertices.push_back(static_cast<std::int32_t>(slot.vertex));
    ++shared.firstSlot.back();
  }
  return shared;
}

void checkNumber(std::size_t numVertices) {
  if (numVertices >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw InvalidArgument("a rank has " + std::to_string(numVertices) + " vertices: there must be fewer than 2^31 - 1");
  }
}

/// Coordinates that are equal where places are.
std::vector<Place> placesOf(std::span<const Point> points) {
  std::vector<Place> places;
  places.reserve(points.size());
  for (const Point& point : points) {
    Place& place = places.emplace_back();
    for (int axis = 0; axis < 3; ++axis) {
      if (std::isnan(point[axis])) {
        throw InvalidArgument("a coordinate of vertex " + std::to_string(places.size() - 1) +
          " is NaN: vertices are told apart by their coordinates, where they have no ids");
      }
      place[static_cast<std::size_t>(axis)] = point[axis] + 0.0; // makes 0 of -0
    }
  }
  return places;
}

} // namespace

SharedVertices findSharedVertices(const Communicator& communicator, std::span<const std::int64_t> ids) {
  std::vector<std::int64_t> keys;
  agree(communicator, [&] {
    checkNumber(ids.size());
    keys.assign(ids.begin(), ids.end());
    std::sort(keys.begin(), keys.end());
    const auto twice = std::adjacent_find(keys.begin(), keys.end());
    if (twice != keys.end()) {
      throw InvalidArgument("two vertices of a rank have " + nameOf(*twice) + ": ids of vertices are all different");
    }
    keys.assign(ids.begin(), ids.end());
  });
  return findByKeys(communicator, keys);
}

SharedVertices findSharedVertices(const Communicator& communicator, std::span<const Point> places) {
  std::vector<Place> keys;
  agree(communicator, [&] {
    checkNumber(places.size());
    keys = placesOf(places);
  });
  return findByKeys(communicator, keys);
}

std::vector<std::int64_t> orderByPlace(std::span<const Point> places) {
  const std::vector<Place> keys = placesOf(places);
  std::vector<std::int64_t> sorted(keys.size());
  std::iota(sorted.begin(), sorted.end(), std::int64_t{0});
  std::stable_sort(sorted.begin(), sorted.end(), [&](std::int64_t a, std::int64_t b) {
    return keys[static_cast<std::size_t>(a)] < keys[static_cast<std::size_t>(b)];
  });
  std::vector<std::int64_t> order(keys.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    order[static_cast<std::size_t>(sorted[i])] = static_cast<std::int64_t>(i);
  }
  return order;
}

} // namespace spanwise
