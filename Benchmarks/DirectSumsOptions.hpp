#pragma once

// The command line of SpanwiseDirectSums.

#include "Benchmarks/Core/Solvers/NBody/SumVariants.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace spanwise::benchmarks {

using nbody::benchmarks::SumVariant;

enum class Precision { Float, Double };
enum class Place { Host, Device };

struct DirectSumsOptions {
  int numRuns = 5;
  std::vector<int> counts{1000};
  std::vector<int> dimensions{3};
  std::vector<Precision> precisions{Precision::Float, Precision::Double};
  std::vector<SumVariant> variants; ///< empty: all that the place has
  std::vector<nbody::InstructionSet> instructions{nbody::InstructionSet::Avx512};
  std::vector<nbody::Parts> parts{nbody::Parts::Potential};
  std::vector<Place> places; ///< empty: where there is something
  std::vector<int> threads{0};
  bool checks = false;
  nbody::benchmarks::TeamShape teams;
};

template <class T>
using Names = std::vector<std::pair<std::string, T>>;

inline const Names<SumVariant> variantNames{{"flat-for", SumVariant::FlatFor}, {"flat-reduce", SumVariant::FlatReduce},
  {"nested-teams", SumVariant::NestedTeams}, {"scratch-tiles", SumVariant::ScratchTiles},
  {"kokkos-simd", SumVariant::KokkosSimd}, {"register-tiles", SumVariant::RegisterTiles},
  {"mutual", SumVariant::Mutual}, {"automatic", SumVariant::Automatic}};
inline const Names<nbody::InstructionSet> instructionNames{{"compiled", nbody::InstructionSet::Compiled},
  {"avx2", nbody::InstructionSet::Avx2}, {"avx512", nbody::InstructionSet::Avx512}};
inline const Names<nbody::Parts> partNames{
  {"potential", nbody::Parts::Potential}, {"gradient", nbody::Parts::Gradient}, {"both", nbody::Parts::Both}};
inline const Names<Precision> precisionNames{{"float", Precision::Float}, {"double", Precision::Double}};
inline const Names<Place> placeNames{{"host", Place::Host}, {"device", Place::Device}};

template <class T>
const std::string& nameOf(const Names<T>& names, T value) {
  return std::find_if(names.begin(), names.end(), [&](const auto& pair) { return pair.second == value; })->first;
}

/// Options that are lists have commas between.
inline void addOptions(CLI::App& app, DirectSumsOptions& options) {
  constexpr int any = std::numeric_limits<int>::max();
  const auto addNumber = [&](const char* name, int& value, const char* text) {
    app.add_option(name, value, text)->check(CLI::Range(1, any, "N"))->type_name("");
  };
  const auto addNumbers = [&](const char* name, std::vector<int>& values, int least, int most, const char* text) {
    app.add_option(name, values, text)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(least, most, "N,"))
      ->type_name("");
  };
  const auto addNames = [&](const char* name, auto& values, const auto& names, const char* text) {
    std::string all;
    for (const auto& [word, value] : names) {
      all += (all.empty() ? "" : ", ") + word;
    }
    const auto numberOf = [names, all](const std::string& word) {
      for (const auto& [known, value] : names) {
        if (known == word) {
          return std::to_string(static_cast<int>(value));
        }
      }
      throw CLI::ValidationError("'" + word + "' is none of " + all);
    };
    app.add_option(name, values, text + (": " + all))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->transform(
        CLI::Validator([numberOf](std::string& word) { return word = numberOf(word), std::string(); }, "NAME,"))
      ->type_name("");
  };
  addNumber("--number-runs", options.numRuns, "how often sums are made; the fastest counts; 5 if not given");
  addNumbers("--number-of-particles", options.counts, 1, any,
    "in the unit square or cube, with charges in [-1, 1]; 1000 if not given");
  addNumbers("--dimension", options.dimensions, 2, 3, "of space, 2 or 3; 3 if not given");
  addNames("--precision", options.precisions, precisionNames, "of numbers, both if not given");
  addNames("--variant", options.variants, variantNames, "how sums are written, all that the place has if not given");
  addNames("--instructions", options.instructions, instructionNames,
    "most instructions of register-tiles and mutual, avx512 if not given");
  addNames("--sums", options.parts, partNames, "what is summed, potential if not given");
  addNames("--where", options.places, placeNames, "where sums are made, wherever there is something if not given");
  addNumbers("--threads", options.threads, 0, any, "of the host; 0, if not given: all that Kokkos was started with");
  app.add_flag("--check", options.checks, "compare with compensated sums in double precision at 64 targets");
  addNumber("--chunk", options.teams.sourcesInTile,
    "sources that scratch-tiles bring into scratch memory at once, at most 512; 256 if not given");
  addNumber(
    "--vector-length", options.teams.vectorLength, "lanes of each thread of nested-teams on a device; 1 if not given");
  addNumber("--threads-per-block", options.teams.numThreads, "of a team's threads on a device; 128 if not given");
  app.footer(
    "Lists have commas between. Columns: the best time; G interactions a second and a processor's second (of the\n"
    "host); the L2 error of the sums relative to them, and the largest relative to the sum of |q k|.");
}

} // namespace spanwise::benchmarks
