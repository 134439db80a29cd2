#include "Core/Parallel/Checkpoint.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/StateFile.hpp"

#include <algorithm>
#include <cstdint>
#include <format>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace spanwise::parallel {

namespace {

/// A number that no other checkpoint has, the same on all ranks.
std::uint64_t newState(const Communicator& communicator) {
  std::uint64_t mine = 0;
  agree(communicator, [&] {
    std::random_device random;
    mine = (std::uint64_t{random()} << 32U) | random();
  });
  return communicator.gather(mine).front();
}

} // namespace

std::string checkpointPath(const Communicator& communicator, const std::string& path) {
  return communicator.alone() ? path : std::format("{}.{}", path, communicator.rank());
}

void writeCheckpoint(
  const Communicator& communicator, const std::string& path, const std::string& run, const KeptFrame& frame) {
  const std::uint64_t state = newState(communicator);
  std::optional<ReplacedFile> file;
  agree(communicator, [&] {
    file.emplace(checkpointPath(communicator, path));
    writeState(*file, {run, communicator.rank(), communicator.size(), state}, frame);
  });
  agree(communicator, [&] { file->commit(); });
}

KeptFrame readCheckpoint(const Communicator& communicator, const std::string& path, const std::string& run) {
  StoredState stored;
  agree(communicator,
    [&] { stored = readState(checkpointPath(communicator, path), run, communicator.rank(), communicator.size()); });
  const std::vector<std::uint64_t> states = communicator.gather(stored.label.state);
  const std::vector<std::int64_t> numbers = communicator.gather(stored.frame.number);
  const auto other = std::find_if(states.begin(), states.end(), [&](std::uint64_t s) { return s != states.front(); });
  if (other != states.end()) {
    const auto rank = static_cast<std::size_t>(other - states.begin());
    throw FileError(
      std::format("cannot read '{}': the files of ranks 0 and {} are of two checkpoints, at frames {} and "
                  "{}",
        path, rank, numbers.front(), numbers[rank]));
  }
  return std::move(stored.frame);
}

} // namespace spanwise::parallel
