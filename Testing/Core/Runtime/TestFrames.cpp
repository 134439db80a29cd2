#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/FrameArrays.hpp"
#include "Core/Runtime/KeptFrames.hpp"
#include "Testing/Core/FileSizeLimit.hpp"
#include "Testing/Core/MessageOf.hpp"
#include "Testing/Core/RandomFrames.hpp"
#include "Testing/Core/Seed.hpp"
#include "Testing/Core/TemporaryFolder.hpp"
#include "Testing/Rooms.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <numeric>
#include <vector>

namespace spanwise::testing {
namespace {

/// The only file there is.
std::string fileIn(const TemporaryFolder& folder) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
    if (entry.is_regular_file()) {
      return entry.path().string();
    }
  }
  return "";
}

void expectFrames(const KeptFrames& kept, const std::vector<KeptFrame>& expected) {
  ASSERT_EQ(kept.begin(), expected.front().number);
  ASSERT_EQ(kept.end(), expected.back().number + 1);
  for (const KeptFrame& frame : expected) {
    const std::shared_ptr<const KeptFrame> there = kept.frame(frame.number);
    EXPECT_EQ(there->number, frame.number);
    EXPECT_EQ(there->time, frame.time);
    EXPECT_EQ(kept.time(frame.number), frame.time);
    EXPECT_TRUE(there->bytes == frame.bytes) << "frame " << frame.number;
  }
}

/// Random frames under random limits.
TEST(Frames, WhatIsKeptHasTheSameBits) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const TemporaryFolder folder;
  for (int turn = 0; turn < 20; ++turn) {
    KeptFrames kept;
    const auto limit = static_cast<std::int64_t>(random() % 20000);
    kept.setStorage({limit, folder.path()});
    std::vector<KeptFrame> expected;
    std::int64_t total = 0;
    const auto first = static_cast<std::int64_t>(random() % 100);
    for (std::int64_t number = first; number < first + 15; ++number) {
      expected.push_back(randomFrame(random, number, random() % 5000));
      total += static_cast<std::int64_t>(expected.back().bytes.size());
      kept.append(expected.back());
      EXPECT_LE(kept.bytesInMemory(), limit);
      EXPECT_EQ(kept.bytesInMemory() + kept.bytesInFiles(), total);
    }
    expectFrames(kept, expected);
    kept.setStorage({limit / 2, folder.path()});
    EXPECT_LE(kept.bytesInMemory(), limit / 2);
    expectFrames(kept, expected);
    kept.truncate(first + 6);
    expected.resize(6);
    expectFrames(kept, expected);
    kept.clear();
    EXPECT_EQ(kept.bytesInMemory() + kept.bytesInFiles(), 0);
    EXPECT_TRUE(kept.empty());
    EXPECT_EQ(folder.numFiles(), 0);
  }
}

TEST(Frames, TheOldestLeaveMemoryFirst) {
  std::mt19937 random(1);
  const TemporaryFolder folder;
  {
    KeptFrames kept;
    kept.setStorage({350, folder.path()});
    std::vector<KeptFrame> expected;
    for (std::int64_t number = 0; number < 5; ++number) {
      expected.push_back(randomFrame(random, number, 100));
      kept.append(expected.back());
    }
    EXPECT_EQ(kept.bytesInMemory(), 300);
    EXPECT_EQ(folder.numFiles(), 2);
    EXPECT_EQ(kept.frame(4), kept.frame(4)); // no copy
    EXPECT_EQ(kept.frame(2), kept.frame(2));
    EXPECT_NE(kept.frame(1), kept.frame(1));
    expected.push_back(randomFrame(random, 5, 1000)); // more than memory may hold: the others stay
    kept.append(expected.back());
    EXPECT_EQ(kept.bytesInMemory(), 300);
    kept.setStorage({1000000, ""}); // frames in files stay there
    expectFrames(kept, expected);
    EXPECT_EQ(kept.bytesInFiles(), 1200);
    kept.setStorage({50, folder.path()}); // a second folder of its own
    EXPECT_EQ(kept.bytesInMemory(), 0);
    expectFrames(kept, expected);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())); // all is gone with the object
}

TEST(Frames, WithoutAFolderTheLimitIsAnError) {
  std::mt19937 random(1);
  KeptFrames kept;
  kept.setStorage({2'500'000, ""});
  std::vector<KeptFrame> expected{randomFrame(random, 0, 1'000'000), randomFrame(random, 1, 1'000'000)};
  kept.append(expected[0]);
  kept.append(expected[1]);
  EXPECT_EQ(messageOf([&] { kept.append(randomFrame(random, 2, 1'500'000)); }),
    "frame 2 takes 1.5 MB and the frames before it 2 MB, beyond the memory limit of 2.5 MB: raise it to 4 MB, or name "
    "a "
    "folder for frames");
  EXPECT_EQ(messageOf([&] { kept.setStorage({1'000'000, ""}); }),
    "frames take 2 MB, beyond the memory limit of 1 MB: raise it to 2 MB, or name a folder for frames");
  expectFrames(kept, expected);
  EXPECT_EQ(
    messageOf([&] { kept.setStorage({-1, ""}); }), "the memory limit of frames is -1 bytes; it must not be negative");
  EXPECT_EQ(kept.storage(), (FrameStorage{2'500'000, ""}));
}

TEST(Frames, NumbersAreConsecutive) {
  KeptFrames kept;
  kept.append({7, 0.0, {}});
  EXPECT_EQ(messageOf([&] { kept.append({9, 0.0, {}}); }), "frame 9 is kept after frame 7; it must be the next");
  EXPECT_EQ(messageOf([&] { static_cast<void>(kept.frame(6)); }), "frame 6 is not kept; those from 7 to 7 are");
  EXPECT_EQ(messageOf([&] { static_cast<void>(kept.time(8)); }), "frame 8 is not kept; those from 7 to 7 are");
}

TEST(Frames, FoldersThatCannotBeUsedAreErrors) {
  const TemporaryFolder folder;
  KeptFrames kept;
  const auto failure = [&](const std::string& path) {
    return messageOf<FileError>([&] { kept.setStorage({100, path}); });
  };
  EXPECT_EQ(
    failure(folder / "none"), "cannot keep frames in the folder '" + folder / "none" + "': No such file or directory");
  std::ofstream(folder / "file") << "x";
  EXPECT_EQ(failure(folder / "file"), "cannot keep frames in the folder '" + folder / "file" + "': Not a directory");
  const std::string nobodys = messageOf<FileError>([&] { // for root only once there is something to write
    kept.setStorage({100, "/proc"});
    kept.append({0, 0.0, FrameBytes(200)});
  });
  EXPECT_EQ(nobodys.find("cannot keep frames in the folder '/proc': "), 0U);
  EXPECT_TRUE(kept.empty());
}

TEST(Frames, AFullDiskLosesNothing) {
  std::mt19937 random(1);
  const TemporaryFolder folder;
  KeptFrames kept;
  kept.setStorage({10000, folder.path()});
  std::vector<KeptFrame> expected;
  for (std::int64_t number = 0; number < 4; ++number) {
    expected.push_back(randomFrame(random, number, 3000));
    kept.append(expected.back());
  }
  {
    const FileSizeLimit limit(1000);
    EXPECT_NE(messageOf<FileError>([&] { kept.append(randomFrame(random, 4, 3000)); }).find("File too large"),
      std::string::npos);
    EXPECT_NE(messageOf<FileError>([&] { kept.append(randomFrame(random, 4, 30000)); }).find("File too large"),
      std::string::npos);
    EXPECT_NE(messageOf<FileError>([&] { kept.setStorage({10, folder.path()}); }), "");
  }
  EXPECT_EQ(folder.numFiles(), 1);
  expectFrames(kept, expected);
  expected.push_back(randomFrame(random, 4, 3000)); // once there is room again
  kept.append(expected.back());
  expectFrames(kept, expected);
}

TEST(Frames, FilesThatWereDamagedAreErrors) {
  std::mt19937 random(1);
  const TemporaryFolder folder;
  KeptFrames kept;
  kept.setStorage({0, folder.path()});
  kept.append(randomFrame(random, 0, 100));
  const std::string path = fileIn(folder);
  const auto failure = [&] { return messageOf<FileError>([&] { static_cast<void>(kept.frame(0)); }); };
  EXPECT_EQ(failure(), "");
  std::fstream(path, std::ios::in | std::ios::out | std::ios::binary).seekp(-1, std::ios::end).put('\x5a').put('\x5a');
  EXPECT_NE(failure().find("cannot read '" + path + "': "), std::string::npos);
  std::filesystem::resize_file(path, 90);
  EXPECT_NE(failure().find("it is truncated or damaged"), std::string::npos);
  std::filesystem::remove(path);
  EXPECT_EQ(failure(), "cannot read '" + path + "': No such file or directory");
}

TEST(Frames, ArraysLieInARow) {
  KeptFrame frame;
  FrameWriter writer(frame);
  writer.number<char>('a');
  const auto doubles = writer.array<double>(3);
  std::iota(doubles.begin(), doubles.end(), 0.5);
  writer.number<std::int32_t>(7);
  writer.array<double>(0);
  EXPECT_EQ(frame.bytes.size(), 40U); // with gaps where an array of wider elements begins
  FrameReader reader(frame);
  EXPECT_EQ(reader.number<char>(), 'a');
  const auto read = reader.array<double>(3);
  EXPECT_EQ(std::vector<double>(read.begin(), read.end()), std::vector<double>({0.5, 1.5, 2.5}));
  EXPECT_EQ(reader.number<std::int32_t>(), 7);
  EXPECT_TRUE(reader.array<double>(0).empty());
  EXPECT_EQ(messageOf<Error>([&] { reader.array<double>(2); }),
    "frame 0 has 40 bytes; it must have 2 values of 8 bytes from byte 40 on");
  EXPECT_THROW(reader.array<double>(-1), Error);
  EXPECT_THROW(reader.array<double>(std::int64_t{1} << 60), Error);
}

} // namespace
} // namespace spanwise::testing
