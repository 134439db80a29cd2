#include "Core/Runtime/LargePages.hpp"

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

#include <cstdint>

namespace spanwise {

void preferLargePages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::size_t least = std::size_t{4} << 20U;
  if (memory == nullptr || bytes < least) {
    return;
  }
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::size_t before = (page - address % page) % page; // the pages that are the caller's alone
  const std::size_t whole = (bytes - before) / page * page;
  static_cast<void>(madvise(static_cast<char*>(memory) + before, whole, MADV_HUGEPAGE)); // it is a wish
#endif
}

} // namespace spanwise
