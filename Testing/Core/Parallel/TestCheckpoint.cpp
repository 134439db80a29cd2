#include "Core/Parallel/Checkpoint.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/FileSizeLimit.hpp"
#include "Testing/Core/MessageOf.hpp"
#include "Testing/Core/Parallel/SharedFolder.hpp"
#include "Testing/Core/Parallel/World.hpp"
#include "Testing/Core/RandomFrames.hpp"
#include "Testing/Core/Seed.hpp"
#include "Testing/Rooms.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <format>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace spanwise::testing {
namespace {

/// Another frame on each rank, of another size.
KeptFrame frameOf(std::int64_t number) {
  std::mt19937 random(seed() + static_cast<unsigned>(world().rank()));
  return randomFrame(random, number, 1000U + static_cast<unsigned>(37 * world().rank()));
}

std::string readFailure(const std::string& path, const std::string& run) {
  return messageOf<Error>([&] { static_cast<void>(readCheckpoint(world(), path, run)); });
}

void expectFrame(const std::string& path, const std::string& run, const KeptFrame& expected) {
  const KeptFrame frame = readCheckpoint(world(), path, run);
  EXPECT_EQ(frame.number, expected.number);
  EXPECT_EQ(frame.time, expected.time);
  EXPECT_TRUE(frame.bytes == expected.bytes);
}

bool isLast() { return world().rank() == world().size() - 1; }

TEST(Checkpoint, WhatIsWrittenIsRead) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  const SharedFolder folder;
  const std::string path = folder / "run";
  for (const std::int64_t number : {3, 4}) { // the second in the place of the first
    const KeptFrame frame = frameOf(number);
    writeCheckpoint(world(), path, "Mach 2", frame);
    expectFrame(path, "Mach 2", frame);
  }
  EXPECT_EQ(checkpointPath(world(), path), world().alone() ? path : path + "." + std::to_string(world().rank()));
  EXPECT_TRUE(std::filesystem::is_regular_file(checkpointPath(world(), path)));
}

TEST(Checkpoint, OfAnotherRunItIsAnError) {
  const SharedFolder folder;
  const std::string path = folder / "run";
  writeCheckpoint(world(), path, "Mach 2", frameOf(3));
  EXPECT_EQ(readFailure(path, "Mach 3"),
    std::format("cannot read '{}': it is of another run, 'Mach 2', and this one is 'Mach 3'",
      path + (world().alone() ? "" : ".0")));
}

TEST(Checkpoint, OfOtherRanksItIsAnError) {
  const SharedFolder folder;
  const std::string path = folder / "run";
  const SingleProcess alone;
  if (world().rank() == 0) {
    writeCheckpoint(alone, path, "Mach 2", frameOf(3));
    if (!world().alone()) {
      std::filesystem::rename(path, path + ".0");
    }
  }
  if (world().alone()) {
    std::filesystem::rename(path, path + ".0");
    EXPECT_NE(readFailure(path, "Mach 2").find("No such file or directory"), std::string::npos);
  } else {
    meet();
    EXPECT_EQ(readFailure(path, "Mach 2"),
      std::format("cannot read '{0}.0': it is part 1 of 1, and part 1 of {1} is asked for", path, world().size()));
  }
}

/// Of one rank, which all ranks hear of.
TEST(Checkpoint, TruncatedOrDamagedFilesAreErrors) {
  const SharedFolder folder;
  const std::string path = folder / "run";
  const std::string mine = checkpointPath(world(), path);
  const std::string last = std::to_string(world().size() - 1);
  const std::string cannotRead = world().alone() ? "cannot read '" + path + "': "
                                                 : "on rank " + last + ": cannot read '" + path + "." + last + "': ";
  const KeptFrame frame = frameOf(3);
  writeCheckpoint(world(), path, "Mach 2", frame);
  const auto invert = [&] { // the last byte
    if (isLast()) {
      std::fstream file(mine, std::ios::in | std::ios::out | std::ios::binary);
      file.seekg(-1, std::ios::end);
      const char byte = static_cast<char>(~file.get());
      file.seekp(-1, std::ios::end).put(byte);
    }
  };
  invert();
  EXPECT_EQ(readFailure(path, "Mach 2"), cannotRead + "its values are damaged");
  invert();
  expectFrame(path, "Mach 2", frame);
  if (isLast()) {
    std::filesystem::resize_file(mine, 900);
  }
  EXPECT_EQ(
    readFailure(path, "Mach 2"), cannotRead + "it has 900 bytes, other than it says: it is truncated or damaged");
  if (isLast()) {
    std::filesystem::remove(mine);
  }
  EXPECT_EQ(readFailure(path, "Mach 2"), cannotRead + "No such file or directory");
}

/// As after a crash while files were replaced: the last rank has its old one.
TEST(Checkpoint, FilesOfTwoCheckpointsAreAnError) {
  if (world().alone()) {
    return;
  }
  const SharedFolder folder;
  const std::string path = folder / "run";
  const std::string mine = checkpointPath(world(), path);
  writeCheckpoint(world(), path, "Mach 2", frameOf(3));
  if (isLast()) {
    std::filesystem::rename(mine, mine + ".old");
  }
  writeCheckpoint(world(), path, "Mach 2", frameOf(4));
  if (isLast()) {
    std::filesystem::rename(mine + ".old", mine);
  }
  EXPECT_EQ(readFailure(path, "Mach 2"),
    std::format("cannot read '{}': the files of ranks 0 and {} are of two checkpoints, at frames 4 and 3", path,
      world().size() - 1));
}

TEST(Checkpoint, AFullDiskLeavesTheOldOne) {
  const SharedFolder folder;
  const std::string path = folder / "run";
  const KeptFrame frame = frameOf(3);
  writeCheckpoint(world(), path, "Mach 2", frame);
  {
    std::optional<FileSizeLimit> limit;
    if (isLast()) {
      limit.emplace(500);
    }
    EXPECT_NE(messageOf<Error>([&] { writeCheckpoint(world(), path, "Mach 2", frameOf(4)); }).find("File too large"),
      std::string::npos);
  }
  expectFrame(path, "Mach 2", frame);
  EXPECT_NE(messageOf<Error>([&] { writeCheckpoint(world(), folder / "none/run", "", frame); }), "");
}

} // namespace
} // namespace spanwise::testing
