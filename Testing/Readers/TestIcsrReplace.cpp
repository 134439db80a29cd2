// A file is replaced whole or not at all, whatever happens to the one who writes it.

#include "Testing/Readers/Mutation.hpp"
#include "Testing/Readers/Sample.hpp"

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ReplacedFile.hpp"

#include <chrono>
#include <csignal>

#include "Readers/Hdf5/Library.hpp"
#include <thread>

#include <sys/stat.h>

namespace spanwise::testing {

namespace {

std::vector<SampleStep<2>> sample(unsigned seed) {
  std::mt19937 random(seed);
  return {randomStep<2>(random, 100, 0.5)};
}

void replace(const std::string& path, const std::vector<SampleStep<2>>& steps) {
  ReplacedFile file(path);
  writeSample<2>(file.temporaryPath(), steps);
  file.commit();
}

int numFiles(const std::string& folder) {
  int count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) {
    ++count;
  }
  return count;
}

// Writes in a child whose files may not grow beyond `bytes`, as on a full disk. The child ends in the ordinary way, so
// that HDF5's own clean-up runs too.
ChildResult writeWithLimit(const std::string& path, const std::vector<SampleStep<2>>& steps, std::size_t bytes) {
  return inChild(std::size_t{1} << 30, [&](std::string& text) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {bytes, bytes};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    int code = 0;
    try {
      replace(path, steps);
    } catch (const FileError& error) {
      text = error.what();
      code = 3;
    }
    H5close();
    return code;
  });
}

} // namespace

TEST(IcsrReplace, ANewFileTakesThePlaceOfTheOldOne) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.icsr";
  replace(path, sample(1));
  expectSample<2>(path, sample(1));
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  replace(path, sample(2));
  expectSample<2>(path, sample(2));
  struct stat status = {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640U);
  EXPECT_EQ(numFiles(folder / ""), 1);
}

TEST(IcsrReplace, TheSameDataGivesTheSameBytes) {
  const TemporaryFolder folder;
  replace(folder / "a.icsr", sample(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(1100)); // times would differ
  replace(folder / "b.icsr", sample(1));
  EXPECT_EQ(load(folder / "a.icsr"), load(folder / "b.icsr"));
}

TEST(IcsrReplace, ALinkStaysALink) {
  const TemporaryFolder folder;
  replace(folder / "a.icsr", sample(1));
  std::filesystem::create_symlink("a.icsr", folder / "b.icsr");
  replace(folder / "b.icsr", sample(2));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "b.icsr"));
  expectSample<2>(folder / "a.icsr", sample(2));
}

TEST(IcsrReplace, ALinkToNothingIsFollowed) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "data");
  std::filesystem::create_symlink("data/a.icsr", folder / "b.icsr");     // relative
  std::filesystem::create_symlink(folder / "b.icsr", folder / "c.icsr"); // absolute, over another link
  replace(folder / "c.icsr", sample(1));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "b.icsr"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "c.icsr"));
  EXPECT_TRUE(std::filesystem::is_regular_file(std::filesystem::symlink_status(folder / "data/a.icsr")));
  expectSample<2>(folder / "data/a.icsr", sample(1));
  EXPECT_EQ(numFiles(folder / ""), 3);
  EXPECT_EQ(numFiles(folder / "data"), 1);
}

TEST(IcsrReplace, AFullDiskLeavesTheOldFile) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.icsr";
  replace(path, sample(1));
  const std::size_t whole = load(path).size();
  for (const double part : {0.0, 0.0005, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.9999}) {
    const auto bytes = static_cast<std::size_t>(part * static_cast<double>(whole));
    const ChildResult result = writeWithLimit(path, sample(2), bytes);
    EXPECT_EQ(result.exitCode, 3) << bytes << " bytes: signal " << result.signal << " " << result.text;
    EXPECT_NE(result.text.find("File too large"), std::string::npos) << result.text;
    EXPECT_EQ(numFiles(folder / ""), 1) << bytes;
    expectSample<2>(path, sample(1));
  }
  EXPECT_EQ(writeWithLimit(path, sample(2), whole + 100000).exitCode, 0);
  expectSample<2>(path, sample(2));
}

TEST(IcsrReplace, AKilledWriterLeavesTheOldFile) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.icsr";
  replace(path, sample(1));
  std::vector<SampleStep<2>> steps = sample(2);
  for (int step = 1; step < 400; ++step) { // some seconds of work
    steps[0].time = 0.0;
    steps.push_back(steps[0]);
    steps.back().time = step;
  }
  for (const int milliseconds : {1, 20, 200}) {
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
      replace(path, steps);
      ::_exit(0);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << "the writer was faster than " << milliseconds << " ms";
    expectSample<2>(path, sample(1));
  }
}

TEST(IcsrReplace, WhatCannotBeReplacedIsRefused) {
  const TemporaryFolder folder;
  const auto message = [](const std::string& path) -> std::string {
    try {
      const ReplacedFile file(path);
      return "";
    } catch (const FileError& error) {
      return error.what();
    }
  };
  EXPECT_NE(message("").find("empty"), std::string::npos);
  EXPECT_NE(message(folder / "").find("folder"), std::string::npos);
  EXPECT_NE(message("/dev/full").find("regular"), std::string::npos);
  EXPECT_NE(message(folder / "no/such/folder.icsr").find("No such file"), std::string::npos);
  std::filesystem::create_symlink("loop.icsr", folder / "loop.icsr");
  EXPECT_NE(message(folder / "loop.icsr").find("symbolic links"), std::string::npos);
  std::filesystem::create_symlink("no/such/folder.icsr", folder / "nowhere.icsr");
  EXPECT_NE(message(folder / "nowhere.icsr").find("No such file"), std::string::npos);
  std::filesystem::create_directory(folder / "locked");
  ASSERT_EQ(::chmod((folder / "locked").c_str(), 0500), 0);
  if (::geteuid() != 0) { // root may write everywhere
    EXPECT_NE(message(folder / "locked/a.icsr").find("Permission"), std::string::npos);
  }
}

} // namespace spanwise::testing
