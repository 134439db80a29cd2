#pragma once

#include <cstddef>

namespace spanwise {

/// Asks the system for large pages in memory of the host that is about to be written for the first time; of less than 4
/// MiB nothing. Many systems give them on request alone, and otherwise find a page for each 4 KB that is touched, which
/// takes longer than most kernels take to fill it. Changes no contents, and does nothing where there are none.
void preferLargePages(void* memory, std::size_t bytes);

} // namespace spanwise
