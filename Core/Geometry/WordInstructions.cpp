#include "Core/Geometry/Detail/WordInstructions.hpp"

#include <algorithm>

#if defined(__x86_64__) && defined(__GNUC__)
#define SPANWISE_HAS_WORD_INSTRUCTIONS
#include <immintrin.h>
#endif

namespace spanwise::geometry::detail {

#ifdef SPANWISE_HAS_WORD_INSTRUCTIONS

namespace {

// Nothing in this file is inlined into functions for every processor, nor shared with them.
#define SPANWISE_WITH_WORD_INSTRUCTIONS                                                                                \
  __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi2,bmi,bmi2,lzcnt,popcnt,pclmul")))

constexpr std::int64_t cellsInWord = 64;
constexpr std::int64_t lanes = 16;

/// The numbers of the bits that are set, from the lowest on, one a byte.
SPANWISE_WITH_WORD_INSTRUCTIONS inline __m512i numbersOfBits(std::uint64_t bits) {
  alignas(64) static constexpr std::int8_t all[64] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
    19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
    48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
  return _mm512_maskz_compress_epi8(bits, _mm512_load_si512(all));
}

/// Writes `count` of 16 numbers, each increased by `origin`.
SPANWISE_WITH_WORD_INSTRUCTIONS inline void writeSome(
  __m128i numbers, __m512i origin, std::int64_t count, Coordinate* out) {
  const auto kept = static_cast<__mmask16>(_bzhi_u32(0xFFFFU, static_cast<unsigned>(count)));
  _mm512_mask_storeu_epi32(out, kept, _mm512_add_epi32(origin, _mm512_cvtepu8_epi32(numbers)));
}

/// Writes base + the numbers of the bits that are set; returns where they end.
SPANWISE_WITH_WORD_INSTRUCTIONS inline Coordinate* writePlaces(std::uint64_t bits, Coordinate base, Coordinate* out) {
  const __m512i numbers = numbersOfBits(bits);
  const auto count = static_cast<std::int64_t>(_mm_popcnt_u64(bits));
  const __m512i origin = _mm512_set1_epi32(base);
  writeSome(_mm512_castsi512_si128(numbers), origin, count, out);
  if (count > lanes) {
    writeSome(_mm512_extracti32x4_epi32(numbers, 1), origin, count - lanes, out + lanes);
    if (count > 2 * lanes) {
      writeSome(_mm512_extracti32x4_epi32(numbers, 2), origin, count - 2 * lanes, out + 2 * lanes);
      if (count > 3 * lanes) {
        writeSome(_mm512_extracti32x4_epi32(numbers, 3), origin, count - 3 * lanes, out + 3 * lanes);
      }
    }
  }
  return out + count;
}

/// Bit b of the result is the exclusive or of the bits 0 to b.
SPANWISE_WITH_WORD_INSTRUCTIONS inline std::uint64_t parities(std::uint64_t bits) {
  const __m128i product = _mm_clmulepi64_si128(
    _mm_set_epi64x(0, static_cast<long long>(bits)), _mm_set_epi64x(0, -1), 0); // carry-less, by all ones
  return static_cast<std::uint64_t>(_mm_cvtsi128_si64(product));
}

SPANWISE_WITH_WORD_INSTRUCTIONS inline void toggle(std::uint64_t* words, std::int64_t at) {
  words[at / cellsInWord] ^= std::uint64_t{1} << (at % cellsInWord);
}

/// The endpoints of a row from the last ones taken on.
struct Endpoints {
  const IntervalRow& row;
  std::int64_t next = 0;

  [[nodiscard]] std::int64_t countBefore(std::int64_t end) const {
    std::int64_t low = next;
    std::int64_t high = row.size();
    if (high > low && row.endpoint(high - 1) < end) {
      return high - low; // nearly always
    }
    while (low < high) {
      const std::int64_t middle = (low + high) / 2;
      if (row.endpoint(middle) < end) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - next;
  }
};

SPANWISE_WITH_WORD_INSTRUCTIONS Coordinate* mergeRowsByWords(
  unsigned truthTable, const IntervalRow& a, const IntervalRow& b, Coordinate* out) {
  constexpr std::int64_t wordsAtOnce = 128;
  const auto all = [&](unsigned bit) { return (truthTable >> bit & 1U) != 0 ? ~std::uint64_t{0} : 0; };
  const std::uint64_t onlyA = all(1);
  const std::uint64_t onlyB = all(2);
  const std::uint64_t both = all(3);
  const std::int64_t first = std::min(a.endpoint(0), b.endpoint(0));
  const std::int64_t last = std::max(a.endpoint(a.size() - 1), b.endpoint(b.size() - 1));
  const std::int64_t endWord = (last >> 6) + 1;
  Endpoints ofA{a};
  Endpoints ofB{b};
  std::uint64_t insideA = 0; // all bits where the word before ends inside
  std::uint64_t insideB = 0;
  std::uint64_t before = 0; // the last cell of the result's word before
  for (std::int64_t word = first >> 6; word < endWord; word += wordsAtOnce) {
    const std::int64_t numWords = std::min(wordsAtOnce, endWord - word);
    const std::int64_t origin = word * cellsInWord;
    std::uint64_t togglesA[wordsAtOnce];
    std::uint64_t togglesB[wordsAtOnce];
    std::fill_n(togglesA, numWords, 0);
    std::fill_n(togglesB, numWords, 0);
    const std::int64_t countA = ofA.countBefore(origin + numWords * cellsInWord);
    const std::int64_t countB = ofB.countBefore(origin + numWords * cellsInWord);
    // side by side, as each toggle waits for the last one of its word
    const std::int64_t countBoth = std::min(countA, countB);
    for (std::int64_t k = 0; k < countBoth; ++k) {
      toggle(togglesA, a.endpoint(ofA.next + k) - origin);
      toggle(togglesB, b.endpoint(ofB.next + k) - origin);
    }
    for (std::int64_t k = countBoth; k < countA; ++k) {
      toggle(togglesA, a.endpoint(ofA.next + k) - origin);
    }
    for (std::int64_t k = countBoth; k < countB; ++k) {
      toggle(togglesB, b.endpoint(ofB.next + k) - origin);
    }
    ofA.next += countA;
    ofB.next += countB;
    for (std::int64_t w = 0; w < numWords; ++w) {
      const std::uint64_t inA = parities(togglesA[w]) ^ insideA;
      const std::uint64_t inB = parities(togglesB[w]) ^ insideB;
      insideA = 0 - (inA >> 63U);
      insideB = 0 - (inB >> 63U);
      const std::uint64_t cells = (inA & ~inB & onlyA) | (inB & ~inA & onlyB) | (inA & inB & both);
      out = writePlaces(cells ^ (cells << 1U | before), static_cast<Coordinate>(origin + w * cellsInWord), out);
      before = cells >> 63U;
    }
  }
  return out; // the last endpoint lies within the last word
}

SPANWISE_WITH_WORD_INSTRUCTIONS Coordinate* endpointsOfWordsByVectors(
  const std::uint64_t* words, std::int64_t numWords, std::int64_t begin, Coordinate end, Coordinate* out) {
  std::uint64_t before = 0;
  for (std::int64_t w = 0; w < numWords; ++w) {
    const std::uint64_t cells = words[w];
    const std::uint64_t changes = cells ^ (cells << 1U | before);
    if (changes != 0) {
      out = writePlaces(changes, static_cast<Coordinate>(begin + w * cellsInWord), out);
    }
    before = cells >> 63U;
  }
  if (before != 0) {
    *out++ = end;
  }
  return out;
}

SPANWISE_WITH_WORD_INSTRUCTIONS void wordsOfEndpointsByToggles(const Coordinate* endpoints, std::int64_t numEndpoints,
  std::int64_t begin, std::uint64_t* words, std::int64_t numWords) {
  std::fill_n(words, numWords, 0);
  for (std::int64_t k = 0; k + 1 < numEndpoints; ++k) {
    toggle(words, endpoints[k] - begin);
  }
  const std::int64_t last = endpoints[numEndpoints - 1] - begin;
  if (last < numWords * cellsInWord) { // else behind the last word
    toggle(words, last);
  }
  std::uint64_t inside = 0;
  for (std::int64_t w = 0; w < numWords; ++w) {
    words[w] = parities(words[w]) ^ inside;
    inside = 0 - (words[w] >> 63U);
  }
}

constexpr WordInstructions instructions{mergeRowsByWords, endpointsOfWordsByVectors, wordsOfEndpointsByToggles};

} // namespace

const WordInstructions* wordInstructions() {
  static const bool available = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
    __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512vbmi2") != 0 &&
    __builtin_cpu_supports("bmi2") != 0 && __builtin_cpu_supports("pclmul") != 0;
  return available ? &instructions : nullptr;
}

#else

const WordInstructions* wordInstructions() { return nullptr; }

#endif

} // namespace spanwise::geometry::detail
