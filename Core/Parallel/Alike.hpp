#pragma once

#include "Core/Runtime/Communicator.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace spanwise::parallel {

/// Collective. Whether all ranks have the same words, of which all have as many. Allocates nothing.
inline bool areAlike(const Communicator& communicator, std::span<const std::int64_t> words) {
  constexpr std::size_t piece = 32;
  bool alike = true;
  for (std::size_t first = 0; first < words.size(); first += piece) {
    const auto some = words.subspan(first, std::min(piece, words.size() - first));
    std::array<std::int64_t, piece> least{};
    std::copy(some.begin(), some.end(), least.begin());
    std::array<std::int64_t, piece> most = least;
    communicator.reduce(ReduceBy::Minimum, std::span<std::int64_t>(least).first(some.size()));
    communicator.reduce(ReduceBy::Maximum, std::span<std::int64_t>(most).first(some.size()));
    alike = alike && least == most;
  }
  return alike;
}

} // namespace spanwise::parallel
