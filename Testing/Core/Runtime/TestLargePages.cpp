// The wish for large pages under new memory.

#include "Core/Runtime/LargePages.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace spanwise::testing {
namespace {

TEST(LargePages, ChangeNoContents) {
  std::vector<char> bytes(std::size_t{20} << 20U, 'x');
  for (const std::size_t first : {std::size_t{0}, std::size_t{1}, std::size_t{4095}}) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{100}, bytes.size() / 2, bytes.size() - first}) {
      preferLargePages(bytes.data() + first, count);
    }
  }
  preferLargePages(nullptr, bytes.size());
  EXPECT_EQ(bytes, std::vector<char>(bytes.size(), 'x'));
}

#ifdef __linux__
/// What the system says of the memory around an address: the line "VmFlags" of its region.
std::string flagsAt(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream regions("/proc/self/smaps");
  std::string line;
  bool isIt = false;
  while (std::getline(regions, line)) {
    std::istringstream head(line);
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    char dash = 0;
    if (head >> std::hex >> begin >> dash >> end && dash == '-') {
      isIt = begin <= at && at < end;
    }
    if (isIt && line.starts_with("VmFlags:")) {
      return line + " ";
    }
  }
  return "";
}

TEST(LargePages, AreAskedForFrom4MiBOn) {
  if (!std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled")) {
    GTEST_SKIP() << "the system has none";
  }
  const auto flagsOf = [](std::size_t bytes) {
    const std::unique_ptr<char, decltype(&std::free)> memory(static_cast<char*>(std::malloc(bytes)), &std::free);
    preferLargePages(memory.get(), bytes);
    return flagsAt(memory.get() + bytes / 2);
  };
  EXPECT_NE(flagsOf(std::size_t{64} << 20U).find(" hg "), std::string::npos);
  EXPECT_EQ(flagsOf(std::size_t{3} << 20U).find(" hg "), std::string::npos);
}
#endif

} // namespace
} // namespace spanwise::testing
