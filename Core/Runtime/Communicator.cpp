#include "Core/Runtime/Communicator.hpp"

#include <algorithm>
#include <cstring>

namespace spanwise {

namespace {

template <class T>
T joined(ReduceBy operation, T a, T b) {
  switch (operation) {
  case ReduceBy::Minimum:
    return std::min(a, b);
  case ReduceBy::Maximum:
    return std::max(a, b);
  default:
    return a + b;
  }
}

// In pieces, so that as many values as ranks times a piece are the most that is held.
template <class T>
void reduceInOrder(const Communicator& communicator, ReduceBy operation, std::span<T> values) {
  constexpr std::size_t piece = 1024;
  const auto ranks = static_cast<std::size_t>(communicator.size());
  std::vector<std::int64_t> lengths;
  std::vector<T> all;
  for (std::size_t first = 0; first < values.size(); first += piece) {
    const std::span<T> some = values.subspan(first, std::min(piece, values.size() - first));
    lengths.assign(ranks, static_cast<std::int64_t>(some.size_bytes()));
    all.resize(ranks * some.size());
    communicator.gatherBytes(some.data(), all.data(), lengths);
    for (std::size_t k = 0; k < some.size(); ++k) {
      some[k] = all[k];
      for (std::size_t r = 1; r < ranks; ++r) {
        some[k] = joined(operation, some[k], all[r * some.size() + k]);
      }
    }
  }
}

class NoExchange final : public Exchange {
public:
  void start(std::span<const OutgoingMessage> /*sends*/, std::span<const IncomingMessage> /*receives*/) override {}
  void finish() override {}
};

} // namespace

void Communicator::reduce(ReduceBy operation, std::span<std::int64_t> values) const {
  if (!alone()) {
    reduceInOrder(*this, operation, values);
  }
}

void Communicator::reduce(ReduceBy operation, std::span<double> values) const {
  if (!alone()) {
    reduceInOrder(*this, operation, values);
  }
}

std::vector<std::int64_t> Communicator::gatherLengths(std::int64_t mine) const {
  const auto ranks = static_cast<std::size_t>(size());
  std::vector<std::int64_t> lengths(ranks);
  gatherBytes(&mine, lengths.data(), std::vector<std::int64_t>(ranks, sizeof(mine)));
  return lengths;
}

std::unique_ptr<Exchange> SingleProcess::makeExchange() const { return std::make_unique<NoExchange>(); }

void SingleProcess::gatherBytes(const void* mine, void* all, std::span<const std::int64_t> lengths) const {
  if (lengths[0] > 0) {
    std::memcpy(all, mine, static_cast<std::size_t>(lengths[0]));
  }
}

const Communicator& singleProcess() {
  static const SingleProcess process;
  return process;
}

} // namespace spanwise
