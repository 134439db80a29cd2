#include "Core/Mesh/SharedVertices.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/ByRank.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/MixBits.hpp"
#include "Core/Runtime/PointText.hpp"

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
std::string nameOf(const Place& place) { return "the place " + pointText(place.data(), 3); }

/// That another rank has a vertex too: `place` is where it stood in what this rank asked.
struct Answer {
  std::int64_t place;
  int rank;
};

/// What a rank says of the keys that fall to it: to all that have a key, who else has it.
template <class Key>
parallel::ByRank<Answer> answer(const parallel::ByRank<Key>& asked, int numRanks) {
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
  return parallel::sortedByRank(answers, ranks, numRanks);
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
  const parallel::ByRank<std::int64_t> vertices = parallel::sortedByRank(numbers, directory, size);
  const parallel::ByRank<Key> asked = parallel::exchanged(communicator, parallel::sortedByRank(keys, directory, size));
  parallel::ByRank<Answer> answers;
  parallel::agree(communicator, [&] { answers = answer(asked, size); });
  answers = parallel::exchanged(communicator, answers);

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
  parallel::agree(communicator, [&] {
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
  parallel::agree(communicator, [&] {
    checkNumber(places.size());
    keys = placesOf(places);
  });
  return findByKeys(communicator, keys);
}

std::vector<std::int64_t> numberVertices(
  const Communicator& communicator, const SharedVertices& shared, std::int64_t numVertices) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(numVertices), 0);
  for (std::size_t n = 0; n < shared.ranks.size(); ++n) {
    for (std::int64_t slot = shared.firstSlot[n]; slot < shared.firstSlot[n + 1]; ++slot) {
      if (shared.ranks[n] < communicator.rank()) {
        numbers[static_cast<std::size_t>(shared.vertices[static_cast<std::size_t>(slot)])] = -1;
      }
    }
  }
  const std::vector<std::int64_t> counts = communicator.gather(
    static_cast<std::int64_t>(numbers.size()) - std::count(numbers.begin(), numbers.end(), std::int64_t{-1}));
  std::int64_t next = std::accumulate(counts.begin(), counts.begin() + communicator.rank(), std::int64_t{0});
  for (std::int64_t& number : numbers) {
    number = number < 0 ? -1 : next++;
  }
  std::vector<std::int64_t> out;
  std::vector<std::int64_t> in(shared.vertices.size());
  out.reserve(shared.vertices.size());
  for (const std::int32_t v : shared.vertices) {
    out.push_back(numbers[static_cast<std::size_t>(v)]);
  }
  std::vector<OutgoingMessage> sends;
  std::vector<IncomingMessage> receives;
  for (std::size_t n = 0; n < shared.ranks.size(); ++n) {
    const std::int64_t first = shared.firstSlot[n];
    const auto bytes = static_cast<std::size_t>(shared.firstSlot[n + 1] - first) * sizeof(std::int64_t);
    sends.push_back({shared.ranks[n], out.data() + first, bytes});
    receives.push_back({shared.ranks[n], in.data() + first, bytes});
  }
  const auto exchange = communicator.makeExchange();
  exchange->start(sends, receives);
  exchange->finish();
  for (std::size_t slot = 0; slot < in.size(); ++slot) { // the first rank that has a vertex knows
    std::int64_t& number = numbers[static_cast<std::size_t>(shared.vertices[slot])];
    number = std::max(number, in[slot]);
  }
  return numbers;
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
