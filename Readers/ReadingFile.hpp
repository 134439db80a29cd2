#pragma once

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Progress.hpp"

#include <exception>
#include <string>
#include <string_view>

namespace spanwise {

/// Runs `body`, says in its errors which file it was where they do not yet, and turns what is not ours (no memory) into
/// a FileError.
template <class Body>
auto readingFile(const std::string& path, const Body& body) -> decltype(body()) {
  const std::string start = "cannot read '" + path + "': ";
  try {
    return body();
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& error) {
    if (std::string_view(error.what()).starts_with(start)) {
      throw;
    }
    throw FileError(start + error.what());
  } catch (const std::exception& error) {
    throw FileError(start + "there is not enough memory (" + error.what() + ")");
  }
}

} // namespace spanwise
