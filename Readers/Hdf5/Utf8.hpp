#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace spanwise::hdf5 {

/// The bytes of the UTF-8 character that begins at `at` (RFC 3629, section 4); 0 if none does.
std::size_t characterBytes(std::string_view text, std::size_t at);

/// A name from a file in quotes, as messages show it: valid UTF-8 on one line, whatever the file says. Bytes that are
/// no characters, and control characters, become \xNN; of a long name the first 60 bytes or so are shown.
std::string quotedName(std::string_view name);

} // namespace spanwise::hdf5
