#pragma once

namespace spanwise {

/// The bytes of memory that this process may have: those of the computer, or less where a limit is set (ulimit -v).
[[nodiscard]] double processMemory();

} // namespace spanwise
