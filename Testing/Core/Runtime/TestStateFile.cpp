#include "Core/Runtime/Checksum.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/StateFile.hpp"
#include "Testing/Core/FileSizeLimit.hpp"
#include "Testing/Core/MessageOf.hpp"
#include "Testing/Core/RandomFrames.hpp"
#include "Testing/Core/Seed.hpp"
#include "Testing/Core/TemporaryFolder.hpp"
#include "Testing/Rooms.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <string_view>

namespace spanwise::testing {
namespace {

std::uint64_t checksumOf(std::string_view text) { return checksum(std::as_bytes(std::span(text.data(), text.size()))); }

/// As xxhsum 0.8 has them.
TEST(StateFile, TheChecksumIsXxh64) {
  EXPECT_EQ(checksumOf(""), 0xEF46DB3751D8E999U);
  EXPECT_EQ(checksumOf("a"), 0xD24EC4F1A98C6E5BU);
  EXPECT_EQ(checksumOf("abc"), 0x44BC2CF5AD770999U);
  EXPECT_EQ(checksumOf("Nobody inspects the spammish repetition"), 0xFBCEA83C8A378BF1U);
}

void write(const std::string& path, const StateLabel& label, const KeptFrame& frame) {
  ReplacedFile file(path);
  writeState(file, label, frame);
  file.commit();
}

std::string contentsOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void setContents(const std::string& path, const std::string& contents) {
  std::ofstream(path, std::ios::binary) << contents;
}

std::string failureOf(const std::string& path, const std::string& run, int part = 0, int numParts = 1) {
  return messageOf<FileError>([&] { static_cast<void>(readState(path, run, part, numParts)); });
}

TEST(StateFile, WhatIsWrittenIsRead) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const TemporaryFolder folder;
  for (const std::size_t size : {0U, 1U, 31U, 1000U, 1234567U}) {
    KeptFrame frame = randomFrame(random, -3, size);
    frame.time = -std::sqrt(2.0);
    write(folder / "state", {"of a test", 2, 4, 77}, frame);
    const StoredState stored = readState(folder / "state", "of a test", 2, 4);
    EXPECT_EQ(stored.frame.number, -3);
    EXPECT_EQ(stored.frame.time, frame.time);
    EXPECT_TRUE(stored.frame.bytes == frame.bytes);
    EXPECT_EQ(stored.label.run, "of a test");
    EXPECT_EQ(stored.label.part, 2);
    EXPECT_EQ(stored.label.numParts, 4);
    EXPECT_EQ(stored.label.state, 77U);
  }
  EXPECT_EQ(folder.numFiles(), 1);
}

TEST(StateFile, AnotherRunAndOtherPartsAreErrors) {
  std::mt19937 random(1);
  const TemporaryFolder folder;
  const std::string path = folder / "state";
  write(path, {"Mach 2", 1, 3, 0}, randomFrame(random, 5, 10));
  EXPECT_EQ(failureOf(path, "Mach 3", 1, 3),
    "cannot read '" + path + "': it is of another run, 'Mach 2', and this one is 'Mach 3'");
  EXPECT_EQ(
    failureOf(path, "Mach 2", 0, 1), "cannot read '" + path + "': it is part 2 of 3, and part 1 of 1 is asked for");
  EXPECT_EQ(failureOf(folder / "none", ""), "cannot read '" + folder / "none" + "': No such file or directory");
  EXPECT_NE(failureOf(folder.path(), "").find("it is not a regular file"), std::string::npos);
}

/// Whichever bit is flipped, and wherever a file ends.
TEST(StateFile, DamageIsFound) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const TemporaryFolder folder;
  const std::string path = folder / "state";
  write(path, {"a run"}, randomFrame(random, 1, 40));
  const std::string whole = contentsOf(path);
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    setContents(path, damaged);
    ASSERT_NE(failureOf(path, "a run").find("cannot read '" + path + "': it"), std::string::npos) << "bit " << bit;
  }
  for (std::size_t size = 0; size < whole.size(); ++size) {
    setContents(path, whole.substr(0, size));
    ASSERT_NE(failureOf(path, "a run"), "") << size << " bytes";
  }
  setContents(path, whole.substr(0, 60));
  EXPECT_NE(failureOf(path, "a run").find("it has 60 bytes: it is truncated"), std::string::npos);
  setContents(path, whole.substr(0, 100));
  EXPECT_NE(failureOf(path, "a run").find("it has 100 bytes, other than it says: it is truncated or damaged"),
    std::string::npos);
  setContents(path, whole + "x");
  EXPECT_NE(failureOf(path, "a run").find("it is truncated or damaged"), std::string::npos);
  setContents(path, "a text file that somebody has chosen by mistake, longer than the head of such a file is");
  EXPECT_NE(failureOf(path, "a run").find("it does not hold the state of a Spanwise solver"), std::string::npos);
}

TEST(StateFile, AFullDiskLeavesTheOldFile) {
  std::mt19937 random(1);
  const TemporaryFolder folder;
  const std::string path = folder / "state";
  write(path, {"a run"}, randomFrame(random, 1, 40));
  const std::string before = contentsOf(path);
  {
    const FileSizeLimit limit(1000);
    EXPECT_EQ(messageOf<FileError>([&] { write(path, {"a run"}, randomFrame(random, 2, 4000)); }),
      "cannot write '" + path + "': File too large");
  }
  EXPECT_EQ(contentsOf(path), before);
  EXPECT_EQ(folder.numFiles(), 1);
}

} // namespace
} // namespace spanwise::testing
